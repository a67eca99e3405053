/* Nodes that are added, connected and changed by hand, in graphs and in execs, as far as the real driver was measured. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

static struct node *all_nodes;

struct node *node_new(unsigned kind, size_t payload_bytes) {
    struct node *node = (struct node *)calloc(1, sizeof *node);
    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->payload = calloc(payload_bytes + 1, 1);
    node->payload_bytes = payload_bytes;
    return node;
}

/* Has a node point to its own payload, and count as a use of its kernel's code. */
static void own_work(struct node *node) {
    if (node->kind == NODE_KERNEL) {
        node->work.launch.parameters = (unsigned char *)node->payload;
        node->work.launch.function->module->uses++;
    } else if (node->kind == NODE_BATCH_MEM_OP) {
        node->work.batch.ops = (struct mem_op *)node->payload;
    } else if (node->kind == NODE_MEM_ALLOC || node->kind == NODE_MEM_FREE) {
        allocation_copied(node);
    }
}

struct node *node_copy(const struct node *node) {
    struct node *copy = node_new(node->kind, node->payload_bytes);
    size_t i;
    if (copy == NULL)
        abort();
    copy->source = (struct node *)(uintptr_t)node;
    copy->work = node->work;
    if (node->kind == NODE_GRAPH) {
        copy->work.child = graph_copy(node->work.child);
        copy->work.child->owner = copy;
    }
    for (i = 0; node->kind == NODE_CONDITIONAL && i < node->work.conditional.count; i++) {
        copy->work.conditional.bodies = (struct graph **)copy->payload;
        copy->work.conditional.bodies[i] = graph_copy(node->work.conditional.bodies[i]);
        copy->work.conditional.bodies[i]->owner = copy;
    }
    if (node->kind != NODE_CONDITIONAL)
        memcpy(copy->payload, node->payload, node->payload_bytes);
    own_work(copy);
    if (node->attributes != NULL) {
        copy->attributes = (unsigned char(*)[64])calloc(NODE_ATTRIBUTES, 64);
        memcpy(copy->attributes, node->attributes, NODE_ATTRIBUTES * 64);
    }
    return copy;
}

void node_end(struct node *node) {
    size_t i;
    if (node->kind == NODE_KERNEL)
        node->work.launch.function->module->uses--;
    if (node->kind == NODE_GRAPH)
        graph_end(node->work.child);
    for (i = 0; node->kind == NODE_CONDITIONAL && i < node->work.conditional.count; i++)
        graph_end(node->work.conditional.bodies[i]);
    /* A condition can get another node. */
    if (node->kind == NODE_CONDITIONAL && node->work.conditional.condition->node == node)
        node->work.conditional.condition->node = NULL;
    if (node->kind == NODE_MEM_ALLOC || node->kind == NODE_MEM_FREE)
        allocation_end(node);
    if (node->graph != NULL) {
        if (node->previous_live != NULL)
            node->previous_live->next_live = node->next_live;
        else
            all_nodes = node->next_live;
        if (node->next_live != NULL)
            node->next_live->previous_live = node->previous_live;
    }
    if (node->dependencies != &node->only_dependency)
        free(node->dependencies);
    free(node->attributes);
    free(node->payload);
    free(node);
}

void node_lives(struct node *node) {
    node->next_live = all_nodes;
    if (all_nodes != NULL)
        all_nodes->previous_live = node;
    all_nodes = node;
}

int node_is(const struct node *node) {
    const struct node *live = all_nodes;
    while (live != NULL && live != node)
        live = live->next_live;
    if (live == NULL)
        note_violation("a node was used that is of no graph");
    return live != NULL;
}

int node_add(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count, struct node *node,
               int answer) {
    struct frontier frontier;
    size_t i, k;
    frontier.nodes = (struct node **)(uintptr_t)dependencies;
    frontier.count = frontier.capacity = count;
    if (answer == OK && !object_is(graph, STAND_IN_GRAPHS))
        answer = INVALID_VALUE;
    for (i = 0; i < count && answer == OK; i++) {
        if (!node_is(dependencies[i]) || dependencies[i]->graph != graph)
            answer = INVALID_VALUE;
        for (k = 0; k < i; k++)
            if (dependencies[k] == dependencies[i])
                answer = INVALID_VALUE;
    }
    if (answer == OK) {
        *out = node;
        return graph_add(graph, node, &frontier);
    }
    if (node != NULL)
        node_end(node);
    return answer;
}

void node_take_work(struct node *node, struct node *with) {
    struct node before = *node;
    node->work = with->work;
    node->payload = with->payload;
    node->payload_bytes = with->payload_bytes;
    with->work = before.work;
    with->payload = before.payload;
    node_end(with);
}

static int set(struct node *node, struct node *with, int answer) {
    if (answer == OK && (!node_is(node) || node->kind != with->kind))
        answer = INVALID_VALUE;
    if (answer == OK)
        node_take_work(node, with);
    else if (with != NULL)
        node_end(with);
    return answer;
}

/* Whether an exec can have work changed so. */
static int is_change(const struct node *from, const struct node *to) {
    const struct copy *copy = &from->work.copy, *other = &to->work.copy;
    const struct fill *fill = &from->work.fill, *refill = &to->work.fill;
    size_t i;
    switch (from->kind) {
    case NODE_KERNEL:
        return from->work.launch.function->module->context == to->work.launch.function->module->context;
    case NODE_EVENT_RECORD:
    case NODE_WAIT_EVENT:
        return from->work.event->context == to->work.event->context;
    case NODE_MEMCPY:
        if (copy->to_device != other->to_device || copy->from_device != other->from_device)
            return 0;
        return copy->height == other->height && copy->depth == other->depth &&
               (copy->height * copy->depth == 1 ||
                (copy->bytes == other->bytes && copy->destination_row == other->destination_row &&
                 copy->source_row == other->source_row));
    case NODE_MEMSET:
        return fill->rows == refill->rows && (fill->rows == 1 || (fill->count == refill->count && fill->pitch == refill->pitch));
    case NODE_BATCH_MEM_OP:
        for (i = 0; i < from->work.batch.count && i < to->work.batch.count; i++)
            if (from->work.batch.ops[i].operation != to->work.batch.ops[i].operation)
                return 0;
        return from->work.batch.count == to->work.batch.count && from->work.batch.context == to->work.batch.context;
    default:
        return 1;
    }
}

static struct node *find_source(struct node *const *nodes, size_t count, const struct node *node) {
    struct node *found = NULL;
    size_t i, k;
    for (i = 0; i < count && found == NULL; i++) {
        if (nodes[i]->source == node)
            found = nodes[i];
        else if (nodes[i]->kind == NODE_GRAPH)
            found = find_source(nodes[i]->work.child->nodes, nodes[i]->work.child->count, node);
        for (k = 0; nodes[i]->kind == NODE_CONDITIONAL && k < nodes[i]->work.conditional.count && found == NULL; k++)
            found = find_source(nodes[i]->work.conditional.bodies[k]->nodes, nodes[i]->work.conditional.bodies[k]->count,
                                node);
    }
    return found;
}

/* An exec's copy of a node of its graph; NULL where it has none. */
static struct node *in_exec(const struct exec *exec, const struct node *node) {
    return object_is(exec, STAND_IN_EXECS) && node_is(node) ? find_source(exec->nodes, exec->count, node) : NULL;
}

int kernel_sets_grid(uint64_t handle, const unsigned *grid) {
    /* The graph that the exec was made from may be gone, and its nodes. */
    const struct node *known_as = (const struct node *)(uintptr_t)handle;
    struct node *own = running == NULL ? NULL : find_source(running->nodes, running->count, known_as);
    struct launch launch;
    if (own == NULL || !is_updatable(own))
        return INVALID_VALUE;
    if (!running->is_uploaded)
        note_violation("a kernel changed a node of an exec that was not uploaded");
    own->is_disabled = grid[0] == 0 || grid[1] == 0 || grid[2] == 0;
    launch = own->work.launch;
    memcpy(launch.grid, grid, sizeof launch.grid);
    if (!own->is_disabled && !is_shape(&launch))
        return INVALID_VALUE;
    if (!own->is_disabled)
        own->work.launch = launch;
    return OK;
}

static int exec_set(struct exec *exec, struct node *node, struct node *with, int answer) {
    struct node *own = answer == OK ? in_exec(exec, node) : NULL;
    if (answer == OK && (own == NULL || own->kind != with->kind || !is_change(own, with)))
        answer = INVALID_VALUE;
    if (answer == OK)
        node_take_work(own, with);
    else if (with != NULL)
        node_end(with);
    return answer;
}

static const struct context *top_context(void) {
    return self.depth > 0 ? self.stack[self.depth - 1] : NULL;
}

/* CUDA_KERNEL_NODE_PARAMS_v2 */
struct kernel_parameters {
    struct function *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    void *kernel, *context;
};

/* Whether the driver crashes there as it does for kernels was not measured. */
static void need_context(void) {
    int answer;
    if (current_context(&answer) == NULL)
        note_violation("what may have kernels was set without a current context: the driver may crash");
}

static struct node *new_kernel(const struct kernel_parameters *from, int *answer) {
    struct launch launch;
    struct node *node;
    memset(&launch, 0, sizeof launch);
    if (current_context(answer) == NULL)
        note_violation("a kernel node was added or set without a current context: the driver crashes");
    *answer = OK;
    launch.function = from->function;
    memcpy(launch.grid, from->grid, sizeof launch.grid);
    memcpy(launch.block, from->block, sizeof launch.block);
    launch.shared_bytes = from->shared_bytes;
    if (!object_is(from->function, FUNCTIONS))
        *answer = INVALID_HANDLE;
    else if (!is_shape(&launch) || (from->parameters != NULL && from->extra != NULL) ||
             (from->function->parameter_count > 0 && from->parameters == NULL && from->extra == NULL))
        *answer = INVALID_VALUE;
    if (*answer != OK)
        return NULL;
    node = node_new(NODE_KERNEL, from->function->parameter_bytes);
    node->work.launch = launch;
    own_work(node);
    if (from->extra != NULL)
        take_packed(from->function, node->work.launch.parameters, from->extra);
    else
        take_parameters(from->function, node->work.launch.parameters, from->parameters);
    return node;
}

static struct node *new_copy(const struct copy_parameters *from, const struct context *context, int *answer) {
    enum { UNIFIED_MEMORY = 4 };
    struct copy_parameters parameters = *from;
    struct copy copy;
    struct node *node;
    if ((from->source.memory_type == DEVICE_MEMORY && !is_memory_of(context, from->source.device)) ||
        (from->destination.memory_type == DEVICE_MEMORY && !is_memory_of(context, from->destination.device))) {
        *answer = INVALID_VALUE;
        return NULL;
    }
    if (parameters.source.memory_type == UNIFIED_MEMORY)
        parameters.source.memory_type = DEVICE_MEMORY;
    if (parameters.destination.memory_type == UNIFIED_MEMORY)
        parameters.destination.memory_type = DEVICE_MEMORY;
    *answer = OK;
    if (!read_copy(&parameters, &copy) || !is_copy_possible_in_node(&copy) || copy.source == 0 || copy.destination == 0) {
        *answer = INVALID_VALUE;
        return NULL;
    }
    node = node_new(NODE_MEMCPY, 0);
    node->work.copy = copy;
    return node;
}

/* CUDA_MEMSET_NODE_PARAMS */
struct fill_parameters {
    uint64_t address;
    size_t pitch;
    unsigned value, element_size;
    size_t width, height;
};

/* In `context`, as what follows. That it has to be the one of the memory was not measured. */
static struct node *new_fill(const struct fill_parameters *from, const struct context *context, int *answer) {
    size_t size = from->element_size, row = from->width * size;
    struct node *node;
    *answer = OK;
    if (from->width == 0 || from->height == 0 || !is_memory_of(context, from->address) || (size != 1 && size != 2 && size != 4) || from->address % size != 0 ||
        (from->height > 1 && (from->pitch < row || from->pitch % size != 0)) ||
        (!is_device_memory(from->address, (from->height - 1) * from->pitch + row) &&
         !is_graph_memory(from->address, (from->height - 1) * from->pitch + row))) {
        *answer = INVALID_VALUE;
        return NULL;
    }
    node = node_new(NODE_MEMSET, 0);
    node->work.fill.address = from->address;
    node->work.fill.value = from->value;
    node->work.fill.element_size = from->element_size;
    node->work.fill.count = from->width;
    node->work.fill.rows = from->height;
    node->work.fill.pitch = from->pitch;
    return node;
}

static struct node *new_call(const struct call *from, int *answer) {
    struct node *node;
    *answer = from->function != NULL ? OK : INVALID_VALUE;
    if (*answer != OK)
        return NULL;
    node = node_new(NODE_HOST, 0);
    node->work.call = *from;
    return node;
}

/* CUDA_BATCH_MEM_OP_NODE_PARAMS */
struct batch_parameters {
    struct context *context;
    unsigned count;
    const struct mem_op *ops;
    unsigned flags;
};

static struct node *new_batch(const struct batch_parameters *from, int *answer) {
    struct node *node;
    *answer = OK;
    if (from->context == NULL || from->flags != 0 || from->ops == NULL || !are_mem_ops(from->ops, from->count) ||
        (from->count > 0 && !is_memory_of(from->context, from->ops[0].address))) {
        *answer = INVALID_VALUE;
        return NULL;
    }
    node = node_new(NODE_BATCH_MEM_OP, from->count * sizeof *from->ops);
    node->work.batch.count = from->count;
    node->work.batch.context = from->context;
    own_work(node);
    memcpy(node->payload, from->ops, node->payload_bytes);
    return node;
}

static struct node *new_event(unsigned kind, struct event *event, int *answer) {
    struct node *node;
    *answer = event != NULL ? OK : INVALID_VALUE;
    if (*answer != OK)
        return NULL;
    /* The real driver notices a destroyed one when the graph is instantiated, by a crash. */
    object_is(event, STAND_IN_EVENTS);
    node = node_new(kind, 0);
    node->work.event = event;
    return node;
}

/* One function for each kind of node and what is done with it. */
#define LOCKED(begun, call)                     \
    do {                                        \
        int made = OK, answer;                  \
        struct graph *used = (begun);           \
        pthread_mutex_lock(&model_lock);        \
        answer = (call);                        \
        pthread_mutex_unlock(&model_lock);      \
        end_use(used);                          \
        return answer;                          \
    } while (0)

/* The node is made before `made` is read. */
static int add_made(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                    struct node *node, const int *made) {
    return node_add(out, graph, dependencies, count, node, *made);
}

static int set_made(struct node *node, struct node *with, const int *made) {
    return set(node, with, *made);
}

static int exec_set_made(struct exec *exec, struct node *node, struct node *with, const int *made) {
    return exec_set(exec, node, with, *made);
}

/* Whether a memset or a copy is of memory of that context, in which an exec has it stay. */
static int is_within(const struct node *node, const struct context *context) {
    if (!node_is(node) || (node->kind != NODE_MEMSET && node->kind != NODE_MEMCPY))
        return 1;
    if (node->kind == NODE_MEMSET)
        return is_memory_of(context, node->work.fill.address);
    return (!is_device_memory(node->work.copy.source, 1) || is_memory_of(context, node->work.copy.source)) &&
           (!is_device_memory(node->work.copy.destination, 1) || is_memory_of(context, node->work.copy.destination));
}

enum { COOPERATIVE_LAUNCH_TOO_LARGE = 720 };

/* Whether all blocks of a grid run at once. */
static int runs_at_once(const unsigned *grid) {
    enum { MOST_BLOCKS = 132 * 32 };
    return (uint64_t)grid[0] * grid[1] * grid[2] <= MOST_BLOCKS;
}

/* Whether all blocks that a cooperative kernel gets run at once. */
static int fits(const struct node *node, const struct kernel_parameters *parameters) {
    int is_cooperative = 0;
    if (parameters == NULL || !node_is(node) || node->kind != NODE_KERNEL || node->attributes == NULL)
        return 1;
    memcpy(&is_cooperative, node->attributes[COOPERATIVE_ATTRIBUTE], sizeof is_cooperative);
    return !is_cooperative || runs_at_once(parameters->grid);
}

DRIVER int cuGraphAddEmptyNode(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count) {
    ENTER(cuGraphAddEmptyNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, node_new(NODE_EMPTY, 0), &made));
}

DRIVER int cuGraphAddKernelNode_v2(struct node **out, struct graph *graph, struct node *const *dependencies,
                                   size_t count, const struct kernel_parameters *parameters) {
    ENTER(cuGraphAddKernelNode_v2);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_kernel(parameters, &made), &made));
}

DRIVER int cuGraphKernelNodeSetParams_v2(struct node *node, const struct kernel_parameters *parameters) {
    ENTER(cuGraphKernelNodeSetParams_v2);
    LOCKED(begin_use_of(node), fits(node, parameters) ? set_made(node, new_kernel(parameters, &made), &made)
                                                      : COOPERATIVE_LAUNCH_TOO_LARGE);
}

DRIVER int cuGraphExecKernelNodeSetParams_v2(struct exec *exec, struct node *node,
                                             const struct kernel_parameters *parameters) {
    ENTER(cuGraphExecKernelNodeSetParams_v2);
    LOCKED(begin_use_of(node), fits(node, parameters)
                                   ? exec_set_made(exec, node, new_kernel(parameters, &made), &made)
                                   : COOPERATIVE_LAUNCH_TOO_LARGE);
}

DRIVER int cuGraphAddMemcpyNode(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                                const struct copy_parameters *parameters, struct context *context) {
    ENTER(cuGraphAddMemcpyNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_copy(parameters, context, &made), &made));
}

DRIVER int cuGraphMemcpyNodeSetParams(struct node *node, const struct copy_parameters *parameters) {
    ENTER(cuGraphMemcpyNodeSetParams);
    check_copy_context();
    LOCKED(begin_use_of(node), set_made(node, new_copy(parameters, top_context(), &made), &made));
}

DRIVER int cuGraphExecMemcpyNodeSetParams(struct exec *exec, struct node *node, const struct copy_parameters *parameters,
                                          struct context *context) {
    ENTER(cuGraphExecMemcpyNodeSetParams);
    LOCKED(begin_use_of(node), is_within(node, context)
                                   ? exec_set_made(exec, node, new_copy(parameters, context, &made), &made)
                                   : INVALID_VALUE);
}

DRIVER int cuGraphAddMemsetNode(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                                const struct fill_parameters *parameters, struct context *context) {
    ENTER(cuGraphAddMemsetNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_fill(parameters, context, &made), &made));
}

DRIVER int cuGraphMemsetNodeSetParams(struct node *node, const struct fill_parameters *parameters) {
    ENTER(cuGraphMemsetNodeSetParams);
    LOCKED(begin_use_of(node), set_made(node, new_fill(parameters, top_context(), &made), &made));
}

DRIVER int cuGraphExecMemsetNodeSetParams(struct exec *exec, struct node *node, const struct fill_parameters *parameters,
                                          struct context *context) {
    ENTER(cuGraphExecMemsetNodeSetParams);
    LOCKED(begin_use_of(node), is_within(node, context)
                                   ? exec_set_made(exec, node, new_fill(parameters, context, &made), &made)
                                   : INVALID_VALUE);
}

DRIVER int cuGraphAddHostNode(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                              const struct call *parameters) {
    ENTER(cuGraphAddHostNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_call(parameters, &made), &made));
}

DRIVER int cuGraphHostNodeSetParams(struct node *node, const struct call *parameters) {
    ENTER(cuGraphHostNodeSetParams);
    LOCKED(begin_use_of(node), set_made(node, new_call(parameters, &made), &made));
}

DRIVER int cuGraphExecHostNodeSetParams(struct exec *exec, struct node *node, const struct call *parameters) {
    ENTER(cuGraphExecHostNodeSetParams);
    LOCKED(begin_use_of(node), exec_set_made(exec, node, new_call(parameters, &made), &made));
}

DRIVER int cuGraphAddBatchMemOpNode(struct node **out, struct graph *graph, struct node *const *dependencies,
                                    size_t count, const struct batch_parameters *parameters) {
    ENTER(cuGraphAddBatchMemOpNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_batch(parameters, &made), &made));
}

DRIVER int cuGraphBatchMemOpNodeSetParams(struct node *node, const struct batch_parameters *parameters) {
    ENTER(cuGraphBatchMemOpNodeSetParams);
    LOCKED(begin_use_of(node), set_made(node, new_batch(parameters, &made), &made));
}

DRIVER int cuGraphExecBatchMemOpNodeSetParams(struct exec *exec, struct node *node,
                                              const struct batch_parameters *parameters) {
    ENTER(cuGraphExecBatchMemOpNodeSetParams);
    LOCKED(begin_use_of(node), exec_set_made(exec, node, new_batch(parameters, &made), &made));
}

DRIVER int cuGraphAddEventRecordNode(struct node **out, struct graph *graph, struct node *const *dependencies,
                                     size_t count, struct event *event) {
    ENTER(cuGraphAddEventRecordNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_event(NODE_EVENT_RECORD, event, &made), &made));
}

DRIVER int cuGraphEventRecordNodeSetEvent(struct node *node, struct event *event) {
    ENTER(cuGraphEventRecordNodeSetEvent);
    LOCKED(begin_use_of(node), set_made(node, new_event(NODE_EVENT_RECORD, event, &made), &made));
}

DRIVER int cuGraphExecEventRecordNodeSetEvent(struct exec *exec, struct node *node, struct event *event) {
    ENTER(cuGraphExecEventRecordNodeSetEvent);
    LOCKED(begin_use_of(node), exec_set_made(exec, node, new_event(NODE_EVENT_RECORD, event, &made), &made));
}

DRIVER int cuGraphAddEventWaitNode(struct node **out, struct graph *graph, struct node *const *dependencies,
                                   size_t count, struct event *event) {
    ENTER(cuGraphAddEventWaitNode);
    LOCKED(begin_use(graph), add_made(out, graph, dependencies, count, new_event(NODE_WAIT_EVENT, event, &made), &made));
}

DRIVER int cuGraphEventWaitNodeSetEvent(struct node *node, struct event *event) {
    ENTER(cuGraphEventWaitNodeSetEvent);
    LOCKED(begin_use_of(node), set_made(node, new_event(NODE_WAIT_EVENT, event, &made), &made));
}

DRIVER int cuGraphExecEventWaitNodeSetEvent(struct exec *exec, struct node *node, struct event *event) {
    ENTER(cuGraphExecEventWaitNodeSetEvent);
    LOCKED(begin_use_of(node), exec_set_made(exec, node, new_event(NODE_WAIT_EVENT, event, &made), &made));
}

/* Whether a kernel node can be asked for an attribute, and be told it. */
static int has_attribute(const struct node *node, unsigned attribute, const void *value) {
    enum { ACCESS_WINDOW = 1, SCHEDULING = 5, PRIORITY = 8, DOMAIN_MAP = 9, DOMAIN = 10, CARVEOUT = 14 };
    if (value == NULL)
        note_violation("an attribute of a kernel node without a value: the driver crashes");
    if (value == NULL || !node_is(node) || node->kind != NODE_KERNEL)
        return 0;
    return attribute == ACCESS_WINDOW || attribute == COOPERATIVE_ATTRIBUTE || attribute == CLUSTER_ATTRIBUTE ||
           attribute == SCHEDULING || attribute == PRIORITY || attribute == DOMAIN_MAP || attribute == DOMAIN ||
           attribute == UPDATABLE_ATTRIBUTE || attribute == CARVEOUT;
}

DRIVER int cuGraphKernelNodeGetAttribute(struct node *node, unsigned attribute, unsigned char *value) {
    int answer = OK;
    ENTER(cuGraphKernelNodeGetAttribute);
    pthread_mutex_lock(&model_lock);
    if (!has_attribute(node, attribute, value))
        answer = INVALID_VALUE;
    else if (node->attributes != NULL)
        memcpy(value, node->attributes[attribute], 64);
    else
        memset(value, 0, 64);
    if (answer == OK && attribute == DOMAIN_MAP_ATTRIBUTE && value[0] == 0 && value[1] == 0)
        value[1] = 1;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* CUaccessPolicyWindow */
static int is_window(const void *value) {
    enum { STREAMING = 1, PERSISTING = 2, MOST_BYTES = 128 << 20 };
    struct {
        uint64_t base, bytes;
        float ratio;
        unsigned hit, miss;
    } window;
    memcpy(&window, value, 28);
    return window.bytes <= MOST_BYTES && window.ratio >= 0 && window.ratio <= 1 && window.hit <= PERSISTING &&
           window.miss <= STREAMING;
}

int is_updatable(const struct node *node) {
    return node->attributes != NULL && node->attributes[UPDATABLE_ATTRIBUTE][0] != 0;
}

int has_updatable(const struct graph *graph) {
    size_t i = 0;
    while (i < graph->count && !is_updatable(graph->nodes[i]))
        i++;
    return i < graph->count;
}

/* Makes a node one that kernels can change, and tells its handle in kernels, behind the first word of the value. */
static void make_updatable(struct node *node, unsigned char *value) {
    memcpy(value + sizeof(uint64_t), &node, sizeof node);
}

int node_set_attribute(struct node *node, unsigned attribute, void *value) {
    enum { LINK_SCHEDULING = 16 };
    enum { WINDOW = 1, PRIORITY = 8, DOMAIN = 10, CARVEOUT = 14, INVALID_CLUSTER_SIZE = 912, MOST_IN_A_CLUSTER = 8 };
    unsigned cluster;
    int first;
    /* It can be set, and is not told. */
    if (attribute == LINK_SCHEDULING && value != NULL && node_is(node) && node->kind == NODE_KERNEL)
        return OK;
    if (!has_attribute(node, attribute, value))
        return INVALID_VALUE;
    memcpy(&cluster, value, sizeof cluster);
    memcpy(&first, value, sizeof first);
    if (attribute == WINDOW && !is_window(value))
        return INVALID_VALUE;
    if ((attribute == DOMAIN && (first < 0 || first > 1)) || (attribute == CARVEOUT && (first < -1 || first > 100)))
        return INVALID_VALUE;
    if (attribute == CLUSTER_ATTRIBUTE && cluster != 0 &&
        (cluster > MOST_IN_A_CLUSTER || node->work.launch.grid[0] % cluster != 0))
        return INVALID_CLUSTER_SIZE;
    if (attribute == COOPERATIVE_ATTRIBUTE && first != 0 && !runs_at_once(node->work.launch.grid))
        return COOPERATIVE_LAUNCH_TOO_LARGE;
    if (attribute == UPDATABLE_ATTRIBUTE && is_updatable(node))
        return first != 0 ? INVALID_VALUE : NOT_SUPPORTED;
    if (attribute == UPDATABLE_ATTRIBUTE && first != 0)
        make_updatable(node, (unsigned char *)value);
    if (node->attributes == NULL)
        node->attributes = (unsigned char(*)[64])calloc(NODE_ATTRIBUTES, 64);
    if (attribute != CLUSTER_ATTRIBUTE || cluster != 0)
        memcpy(node->attributes[attribute], value, 64);
    if (attribute == PRIORITY && first > 0)
        memset(node->attributes[attribute], 0, 64);
    return OK;
}

DRIVER int cuGraphKernelNodeSetAttribute(struct node *node, unsigned attribute, unsigned char *value) {
    int answer;
    ENTER(cuGraphKernelNodeSetAttribute);
    need_context();
    pthread_mutex_lock(&model_lock);
    answer = node_set_attribute(node, attribute, value);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphKernelNodeCopyAttributes(struct node *node, struct node *source) {
    unsigned attribute;
    int answer = OK;
    ENTER(cuGraphKernelNodeCopyAttributes);
    need_context();
    pthread_mutex_lock(&model_lock);
    if (!node_is(node) || !node_is(source) || node->kind != NODE_KERNEL || source->kind != NODE_KERNEL ||
        node->work.launch.function->module->context != source->work.launch.function->module->context)
        answer = INVALID_VALUE;
    for (attribute = 0; answer == OK && source->attributes != NULL && attribute < NODE_ATTRIBUTES; attribute++)
        if (has_attribute(source, attribute, source->attributes[attribute]))
            answer = attribute == UPDATABLE_ATTRIBUTE && is_updatable(node)
                         ? OK
                         : node_set_attribute(node, attribute, source->attributes[attribute]);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* The node of an exec that can be enabled; NULL for another one. */
static struct node *switchable(const struct exec *exec, const struct node *node) {
    struct node *own = in_exec(exec, node);
    return own != NULL && (own->kind == NODE_KERNEL || own->kind == NODE_MEMCPY || own->kind == NODE_MEMSET) ? own : NULL;
}

DRIVER int cuGraphNodeSetEnabled(struct exec *exec, struct node *node, unsigned is_enabled) {
    struct node *own;
    ENTER(cuGraphNodeSetEnabled);
    need_context();
    pthread_mutex_lock(&model_lock);
    own = switchable(exec, node);
    if (own != NULL)
        own->is_disabled = is_enabled == 0;
    pthread_mutex_unlock(&model_lock);
    return own != NULL ? OK : INVALID_VALUE;
}

DRIVER int cuGraphNodeGetEnabled(struct exec *exec, struct node *node, unsigned *is_enabled) {
    const struct node *own;
    ENTER(cuGraphNodeGetEnabled);
    pthread_mutex_lock(&model_lock);
    own = switchable(exec, node);
    if (own != NULL)
        *is_enabled = !own->is_disabled;
    pthread_mutex_unlock(&model_lock);
    return own != NULL ? OK : INVALID_VALUE;
}

/* Where an edge stands among the dependencies of the node that it leads to; their number if it is not there. */
static size_t find_edge(const struct node *from, const struct node *to) {
    size_t at = 0;
    while (at < to->dependency_count && to->dependencies[at] != from)
        at++;
    return at;
}

static int are_of(const struct graph *graph, const struct node *from, const struct node *to) {
    return object_is(graph, STAND_IN_GRAPHS) && node_is(from) && node_is(to) && from->graph == graph && to->graph == graph;
}

/* Edges before a wrong one stay added. */
static int add_edges(struct graph *graph, struct node *const *from, struct node *const *to, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        struct node *node = to[i], **grown;
        if (!are_of(graph, from[i], node) || from[i] == node || find_edge(from[i], node) < node->dependency_count)
            return INVALID_VALUE;
        grown = (struct node **)malloc((node->dependency_count + 1) * sizeof *grown);
        memcpy(grown, node->dependencies, node->dependency_count * sizeof *grown);
        grown[node->dependency_count++] = from[i];
        if (node->dependencies != &node->only_dependency)
            free(node->dependencies);
        node->dependencies = grown;
        graph->edges++;
    }
    return OK;
}

/* Edges before a wrong one stay removed; the last one takes the place of each. */
static int remove_edges(struct graph *graph, struct node *const *from, struct node *const *to, size_t count) {
    size_t i, at;
    for (i = 0; i < count; i++) {
        if (!are_of(graph, from[i], to[i]) || (at = find_edge(from[i], to[i])) == to[i]->dependency_count)
            return INVALID_VALUE;
        if (graph->allocations > 0)
            return NOT_SUPPORTED;
        to[i]->dependencies[at] = to[i]->dependencies[--to[i]->dependency_count];
        carry_no_more(&graph->carried, from[i], to[i]);
        graph->edges--;
    }
    return OK;
}

static int edit_edges(int (*edit)(struct graph *, struct node *const *, struct node *const *, size_t),
                      struct graph *graph, struct node *const *from, struct node *const *to, size_t count) {
    int answer;
    struct graph *used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    answer = edit(graph, from, to, count);
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

DRIVER int cuGraphAddDependencies(struct graph *graph, struct node *const *from, struct node *const *to, size_t count) {
    ENTER(cuGraphAddDependencies);
    return edit_edges(add_edges, graph, from, to, count);
}

DRIVER int cuGraphRemoveDependencies(struct graph *graph, struct node *const *from, struct node *const *to,
                                     size_t count) {
    ENTER(cuGraphRemoveDependencies);
    return edit_edges(remove_edges, graph, from, to, count);
}

#if STAND_IN_DRIVER_VERSION >= 12030
/* All edges of a call get the data of the first one. */
DRIVER int cuGraphAddDependencies_v2(struct graph *graph, struct node *const *from, struct node *const *to,
                                     const uint64_t *data, size_t count) {
    size_t i;
    int answer = OK;
    ENTER(cuGraphAddDependencies_v2);
    pthread_mutex_lock(&model_lock);
    for (i = 0; answer == OK && data != NULL && i < count; i++)
        if (!node_is(from[i]) || !node_is(to[i]) || !can_carry(from[i], data[i]) || (data[i] != 0 && to[i]->kind != NODE_KERNEL))
            answer = INVALID_VALUE;
    pthread_mutex_unlock(&model_lock);
    if (answer == OK)
        answer = edit_edges(add_edges, graph, from, to, count);
    pthread_mutex_lock(&model_lock);
    for (i = 0; answer == OK && data != NULL && i < count; i++)
        carry(&graph->carried, from[i], to[i], data[0]);
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphRemoveDependencies_v2(struct graph *graph, struct node *const *from, struct node *const *to,
                                        const uint64_t *data, size_t count) {
    ENTER(cuGraphRemoveDependencies_v2);
    (void)data;
    return edit_edges(remove_edges, graph, from, to, count);
}
#endif

/* Where there is less room than there are dependencies, as many are given as fit. */
static int get_dependencies(struct node *node, struct node **out, uint64_t *data, size_t *count) {
    size_t i;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    if (!node_is(node)) {
        answer = INVALID_VALUE;
    } else {
        if (out == NULL || *count > node->dependency_count)
            *count = node->dependency_count;
        if (out != NULL)
            memcpy(out, node->dependencies, *count * sizeof *out);
        for (i = 0; out != NULL && i < *count; i++) {
            uint64_t carried = carried_by(node->graph->carried, out[i], node);
            if (data != NULL)
                data[i] = carried;
            else if (carried != 0)
                answer = LOSSY_QUERY;
        }
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* As get_dependencies, of the nodes that depend on `node`; the newest comes first. */
static int get_dependents(struct node *node, struct node **out, uint64_t *data, size_t *count) {
    size_t i, k, found = 0;
    int answer = OK;
    pthread_mutex_lock(&model_lock);
    if (!node_is(node)) {
        answer = INVALID_VALUE;
    } else {
        for (i = node->graph->count; i-- > 0;) {
            struct node *other = node->graph->nodes[i];
            for (k = 0; k < other->dependency_count; k++) {
                uint64_t carried;
                if (other->dependencies[k] != node)
                    continue;
                carried = carried_by(node->graph->carried, node, other);
                if (out != NULL && found < *count) {
                    out[found] = other;
                    if (data != NULL)
                        data[found] = carried;
                    else if (carried != 0)
                        answer = LOSSY_QUERY;
                }
                found++;
            }
        }
        if (out == NULL || *count > found)
            *count = found;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphNodeGetDependentNodes(struct node *node, struct node **out, size_t *count) {
    ENTER(cuGraphNodeGetDependentNodes);
    return get_dependents(node, out, NULL, count);
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuGraphNodeGetDependentNodes_v2(struct node *node, struct node **out, uint64_t *data, size_t *count) {
    ENTER(cuGraphNodeGetDependentNodes_v2);
    return get_dependents(node, out, data, count);
}
#endif

DRIVER int cuGraphNodeGetDependencies(struct node *node, struct node **out, size_t *count) {
    ENTER(cuGraphNodeGetDependencies);
    return get_dependencies(node, out, NULL, count);
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuGraphNodeGetDependencies_v2(struct node *node, struct node **out, uint64_t *data, size_t *count) {
    ENTER(cuGraphNodeGetDependencies_v2);
    return get_dependencies(node, out, data, count);
}
#endif

static void turn_around(struct graph *graph) {
    size_t i;
    for (i = 0; i < graph->count / 2; i++) {
        struct node *node = graph->nodes[i];
        graph->nodes[i] = graph->nodes[graph->count - 1 - i];
        graph->nodes[graph->count - 1 - i] = node;
    }
    for (i = 0; i < graph->count; i++)
        graph->nodes[i]->index = i;
}

DRIVER int cuGraphClone(struct graph **out, struct graph *original) {
    int answer = OK;
    struct graph *used;
    ENTER(cuGraphClone);
    used = begin_use(original);
    pthread_mutex_lock(&model_lock);
    if (!object_is(original, STAND_IN_GRAPHS))
        answer = INVALID_VALUE;
    else if (original->conditions + original->allocations > 0 || has_updatable(original))
        answer = NOT_SUPPORTED;
    else if (original->owner != NULL && original->owner->kind == NODE_CONDITIONAL)
        answer = NOT_SUPPORTED;
    if (answer == OK) {
        *out = graph_copy(original);
        graph_hold_as(*out, original);
        if (getenv("STAND_IN_CLONES_BACKWARD") != NULL)
            turn_around(*out);
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

DRIVER int cuGraphNodeFindInClone(struct node **out, struct node *original, struct graph *copy) {
    size_t i;
    int answer = INVALID_VALUE;
    ENTER(cuGraphNodeFindInClone);
    pthread_mutex_lock(&model_lock);
    for (i = 0; object_is(copy, STAND_IN_GRAPHS) && node_is(original) && i < copy->count; i++) {
        if (copy->nodes[i]->source == original) {
            *out = copy->nodes[i];
            answer = OK;
        }
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* A node that runs a copy of a graph. */
static struct node *new_child(const struct graph *graph, const struct graph *child, int *answer) {
    struct node *node;
    *answer = OK;
    if (!object_is(child, STAND_IN_GRAPHS))
        *answer = INVALID_VALUE;
    else if (graph != NULL && graph_contains(child, graph))
        note_violation("a graph was put into itself: the driver crashes");
    else if ((graph != NULL && child->owner != NULL) || child->conditions + child->allocations > 0)
        *answer = NOT_SUPPORTED;
    if (*answer != OK)
        return NULL;
    node = node_new(NODE_GRAPH, 0);
    node->work.child = graph_copy(child);
    node->work.child->owner = node;
    return node;
}

/* The outermost graph holds what the child holds. */
static int add_child(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                     const struct graph *child, struct node *node, const int *made) {
    int answer = node_add(out, graph, dependencies, count, node, *made);
    if (answer == OK)
        graph_hold_as(graph, child);
    return answer;
}

DRIVER int cuGraphAddChildGraphNode(struct node **out, struct graph *graph, struct node *const *dependencies,
                                    size_t count, struct graph *child) {
    ENTER(cuGraphAddChildGraphNode);
    need_context();
    LOCKED(begin_use(graph), add_child(out, graph, dependencies, count, child, new_child(graph, child, &made), &made));
}

DRIVER int cuGraphChildGraphNodeGetGraph(struct node *node, struct graph **out) {
    int is_child;
    ENTER(cuGraphChildGraphNodeGetGraph);
    pthread_mutex_lock(&model_lock);
    is_child = node_is(node) && node->kind == NODE_GRAPH;
    if (is_child)
        *out = node->work.child;
    pthread_mutex_unlock(&model_lock);
    return is_child ? OK : INVALID_VALUE;
}

#if STAND_IN_DRIVER_VERSION >= 12020
/* CUgraphNodeParams, of a child node. */
struct node_parameters {
    unsigned kind;
    int reserved[3];
    struct graph *child;
};

/* Whether the driver has the user objects of the new child held is not known: here it does not. */
DRIVER int cuGraphNodeSetParams(struct node *node, const struct node_parameters *parameters) {
    struct node *with;
    int answer = INVALID_VALUE;
    ENTER(cuGraphNodeSetParams);
    need_context();
    pthread_mutex_lock(&model_lock);
    if (node_is(node) && parameters->kind == NODE_GRAPH) {
        with = new_child(node->graph, parameters->child, &answer);
        answer = set(node, with, answer);
        if (answer == OK)
            node->work.child->owner = node;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}
#endif

/* Whether two graphs have nodes of the same kinds and edges, in one order, and kernels of the same contexts. */
static int have_one_shape(const struct graph *graph, const struct graph *other) {
    size_t i, k;
    if (graph->count != other->count || graph->edges != other->edges)
        return 0;
    for (i = 0; i < graph->count; i++) {
        const struct node *node = graph->nodes[i], *twin = other->nodes[i];
        if (node->kind != twin->kind || node->dependency_count != twin->dependency_count)
            return 0;
        for (k = 0; k < node->dependency_count; k++)
            if (node->dependencies[k]->index != twin->dependencies[k]->index)
                return 0;
        if (node->kind == NODE_GRAPH && !have_one_shape(node->work.child, twin->work.child))
            return 0;
        if (node->kind == NODE_KERNEL && node->work.launch.function->module->context != twin->work.launch.function->module->context)
            return 0;
    }
    return 1;
}

/* Has the copies in an exec known by the nodes by which those before them were known. */
static void take_sources(struct graph *graph, const struct graph *before) {
    size_t i;
    for (i = 0; i < graph->count; i++) {
        graph->nodes[i]->source = before->nodes[i]->source;
        if (graph->nodes[i]->kind == NODE_GRAPH)
            take_sources(graph->nodes[i]->work.child, before->nodes[i]->work.child);
    }
}

/* The exec holds no user objects for the new child, as was measured. */
static int exec_set_child(struct exec *exec, struct node *node, const struct graph *child) {
    struct node *own = in_exec(exec, node), *with;
    int answer = OK;
    if (own == NULL || own->kind != NODE_GRAPH)
        return INVALID_VALUE;
    with = new_child(NULL, child, &answer);
    if (answer == OK && !have_one_shape(own->work.child, with->work.child)) {
        node_end(with);
        return GRAPH_EXEC_UPDATE_FAILURE;
    }
    if (answer == OK) {
        take_sources(with->work.child, own->work.child);
        node_take_work(own, with);
        own->work.child->owner = own;
    }
    return answer;
}

DRIVER int cuGraphExecChildGraphNodeSetParams(struct exec *exec, struct node *node, struct graph *child) {
    int answer;
    struct graph *used;
    ENTER(cuGraphExecChildGraphNodeSetParams);
    need_context();
    used = begin_use_of(node);
    pthread_mutex_lock(&model_lock);
    answer = exec_set_child(exec, node, child);
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}
