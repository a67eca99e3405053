/* Value operations. As work is executed at once, a wait must find its value: what would be held is noted as wrong
 * use. */
#include "model.h"

#include <string.h>

/* The driver's numbers. */
enum { WAIT_32 = 1, WRITE_32 = 2, WAIT_64 = 4, WRITE_64 = 5 };
enum { GEQ, EQ, AND, NOR, FLUSH = 1 << 30 };
enum { MOST_OPERATIONS = 255 };

static size_t width(const struct mem_op *op) {
    return op->operation == WAIT_32 || op->operation == WRITE_32 ? 4 : 8;
}

static int is_wait(const struct mem_op *op) {
    return op->operation == WAIT_32 || op->operation == WAIT_64;
}

static int is_over(const struct mem_op *op) {
    int64_t ahead;
    uint64_t found, mask = UINT64_MAX;
    if (width(op) == 4) {
        mask = UINT32_MAX;
        found = *(uint32_t *)(uintptr_t)op->address;
        ahead = (int32_t)((uint32_t)found - (uint32_t)op->value);
    } else {
        found = *(uint64_t *)(uintptr_t)op->address;
        ahead = (int64_t)(found - op->value);
    }
    switch (op->flags & ~(unsigned)FLUSH) {
    case GEQ: return ahead >= 0;
    case EQ: return found == (op->value & mask);
    case AND: return (found & op->value & mask) != 0;
    default: return (~(found | op->value) & mask) != 0;
    }
}

int run_mem_ops(const struct mem_op *ops, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        if (!takes_values(ops[i].address, width(&ops[i])))
            return LAUNCH_FAILED;
        if (!is_wait(&ops[i]) && width(&ops[i]) == 4)
            *(uint32_t *)(uintptr_t)ops[i].address = (uint32_t)ops[i].value;
        else if (!is_wait(&ops[i]))
            *(uint64_t *)(uintptr_t)ops[i].address = ops[i].value;
        else if (!is_over(&ops[i]))
            note_violation("a wait for a value that is not there, where work is executed at once");
    }
    return OK;
}

static int is_valid(const struct mem_op *op) {
    unsigned known = is_wait(op) ? 3 | FLUSH : 0;
    if (op->operation != WAIT_32 && op->operation != WRITE_32 && op->operation != WAIT_64 && op->operation != WRITE_64)
        return 0;
    return (op->flags & ~known) == 0 && op->address % width(op) == 0;
}

int are_mem_ops(const struct mem_op *ops, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        if (!is_valid(&ops[i]))
            return 0;
    return count <= MOST_OPERATIONS;
}

/* Does operations, or records them as one node. Only a replay notices a bad address that was recorded. */
static int submit(const struct mem_op *ops, size_t count, void *handle) {
    struct stream *stream;
    struct node *node;
    size_t i;
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    for (i = 0; i < count && answer == OK; i++)
        if (!is_valid(&ops[i]) ||
            (stream->capture == NULL && !takes_values(ops[i].address, width(&ops[i]))))
            answer = INVALID_VALUE;
    if (answer == OK && stream->capture != NULL) {
        node = node_new(NODE_BATCH_MEM_OP, count * sizeof *ops);
        if (node != NULL) {
            node->work.batch.count = count;
            node->work.batch.context = stream->context;
            node->work.batch.ops = (struct mem_op *)node->payload;
            memcpy(node->work.batch.ops, ops, count * sizeof *ops);
        }
        answer = record(stream, node);
    } else if (answer == OK) {
        answer = run_mem_ops(ops, count);
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

static int submit_one(unsigned operation, void *stream, uint64_t address, uint64_t value, unsigned flags) {
    struct mem_op op;
    memset(&op, 0, sizeof op);
    op.operation = operation;
    op.address = address;
    op.value = value;
    op.flags = flags;
    return submit(&op, 1, stream);
}

DRIVER int cuStreamWriteValue32_v2(void *stream, uint64_t address, unsigned value, unsigned flags) {
    ENTER(cuStreamWriteValue32_v2);
    return submit_one(WRITE_32, stream, address, value, flags);
}

DRIVER int cuStreamWriteValue64_v2(void *stream, uint64_t address, uint64_t value, unsigned flags) {
    ENTER(cuStreamWriteValue64_v2);
    return submit_one(WRITE_64, stream, address, value, flags);
}

DRIVER int cuStreamWaitValue32_v2(void *stream, uint64_t address, unsigned value, unsigned flags) {
    ENTER(cuStreamWaitValue32_v2);
    return submit_one(WAIT_32, stream, address, value, flags);
}

DRIVER int cuStreamWaitValue64_v2(void *stream, uint64_t address, uint64_t value, unsigned flags) {
    ENTER(cuStreamWaitValue64_v2);
    return submit_one(WAIT_64, stream, address, value, flags);
}

DRIVER int cuStreamBatchMemOp_v2(void *stream, unsigned count, struct mem_op *ops, unsigned flags) {
    ENTER(cuStreamBatchMemOp_v2);
    if (count > MOST_OPERATIONS || flags != 0)
        return INVALID_VALUE;
    return submit(ops, count, stream);
}

/* CUDA_BATCH_MEM_OP_NODE_PARAMS */
struct batch_parameters {
    struct context *context;
    unsigned count;
    struct mem_op *ops;
    unsigned flags;
};

DRIVER int cuGraphBatchMemOpNodeGetParams(struct node *node, struct batch_parameters *out) {
    ENTER(cuGraphBatchMemOpNodeGetParams);
    if (node->kind != NODE_BATCH_MEM_OP)
        return INVALID_VALUE;
    memset(out, 0, sizeof *out);
    out->count = (unsigned)node->work.batch.count;
    out->ops = node->work.batch.ops;
    return OK;
}
