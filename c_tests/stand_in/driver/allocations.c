/* Nodes that allocate memory and free it, and what graphs have of a device. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* What one node allocates, or several of a graph one after another. */
struct graph_memory {
    struct graph_memory *next;
    uint64_t address;
    size_t bytes;
    /* The number of the graph that allocates it. */
    uint64_t graph;
    /* The nodes of graphs: those that allocate, those of the same graph that free, and those of others. */
    unsigned allocations, frees, foreign_frees;
    /* Nodes of graphs and execs that name it. */
    unsigned users;
    int is_allocated;
    /* Whether an exec was made that leaves it allocated: its graph cannot free it since. */
    int outlives_launches;
    /* In a launch that is checked: how many nodes allocate it more than free it, and whether one allocates it. */
    int excess, allocates;
};

static struct graph_memory *memories;
static uint64_t reserved, reserved_high;
/* What went last: the next allocation of that size is there, as it was measured of the memory of a graph that was destroyed. */
static struct {
    uint64_t address;
    size_t bytes;
} vacant;

/* Where memory of graphs was that went. To free it is refused, and not wrong where others may have had it as well. */
static uint64_t *gone;
static size_t gone_count;

static void note_gone(uint64_t address) {
    uint64_t *more = realloc(gone, (gone_count + 1) * sizeof *gone);
    if (more == NULL)
        return;
    gone = more;
    gone[gone_count++] = address;
}

int was_graph_memory(uint64_t address) {
    size_t i;
    for (i = 0; i < gone_count; i++)
        if (gone[i] == address)
            return 1;
    return 0;
}

static uint64_t in_steps(uint64_t bytes) {
    const uint64_t step = (uint64_t)32 << 20;
    return (bytes + step - 1) / step * step;
}

static struct graph_memory *find(uint64_t address) {
    struct graph_memory *memory = memories;
    while (memory != NULL && memory->address != address)
        memory = memory->next;
    return memory;
}

int is_graph_memory(uint64_t address, size_t bytes) {
    const struct graph_memory *memory;
    for (memory = memories; memory != NULL; memory = memory->next)
        if (address >= memory->address && address - memory->address <= memory->bytes &&
            bytes <= memory->bytes - (size_t)(address - memory->address))
            return 1;
    return 0;
}

static void allocate(struct graph_memory *memory) {
    if (memory->is_allocated)
        return;
    memory->is_allocated = 1;
    range_begin(memory->address, memory->bytes);
    count_live(STAND_IN_ALLOCATIONS, 1);
}

/* Memory that no node names and nobody has allocated goes. */
static void end_unused(struct graph_memory *memory) {
    struct graph_memory **place = &memories;
    if (memory->users > 0 || memory->is_allocated)
        return;
    while (*place != memory)
        place = &(*place)->next;
    *place = memory->next;
    note_gone(memory->address);
    free((void *)(uintptr_t)vacant.address);
    vacant.address = memory->address;
    vacant.bytes = memory->bytes;
    free(memory);
}

static void deallocate(struct graph_memory *memory) {
    if (!memory->is_allocated)
        return;
    memory->is_allocated = 0;
    range_end(memory->address);
    count_live(STAND_IN_ALLOCATIONS, -1);
}

void allocation_copied(const struct node *node) {
    find(node->work.allocation.address)->users++;
}

void allocation_end(const struct node *node) {
    struct graph_memory *memory = find(node->work.allocation.address);
    if (memory == NULL)
        return;
    if (node->graph != NULL && node->kind == NODE_MEM_FREE) {
        if (node->work.allocation.is_foreign)
            memory->foreign_frees--;
        else
            memory->frees--;
    }
    memory->users--;
    end_unused(memory);
}

/* What a node that one of these comes after has freed, if it is as large. So many nodes are looked at, as there may be a cycle. */
static struct graph_memory *freed_before(struct node *const *dependencies, size_t count, size_t bytes, int *budget) {
    struct graph_memory *memory = NULL;
    size_t i;
    for (i = 0; i < count && memory == NULL && (*budget)-- > 0; i++) {
        const struct node *node = dependencies[i];
        if (node->kind == NODE_MEM_FREE && !node->work.allocation.is_foreign) {
            memory = find(node->work.allocation.address);
            if (memory != NULL && (memory->bytes != bytes || memory->frees != memory->allocations))
                memory = NULL;
        }
        if (memory == NULL)
            memory = freed_before(node->dependencies, node->dependency_count, bytes, budget);
    }
    return memory;
}

static struct graph_memory *memory_new(const struct graph *graph, size_t bytes) {
    struct graph_memory *memory;
    void *block = NULL;
    if (vacant.address != 0 && vacant.bytes == bytes) {
        block = (void *)(uintptr_t)vacant.address;
        vacant.address = 0;
    } else if (posix_memalign(&block, 512, bytes) != 0) {
        return NULL;
    }
    memory = (struct graph_memory *)calloc(1, sizeof *memory);
    memory->address = (uint64_t)(uintptr_t)block;
    memory->bytes = bytes;
    memory->graph = graph->id;
    memory->next = memories;
    memories = memory;
    return memory;
}

static int is_child(const struct graph *graph) {
    return graph->owner != NULL && graph->owner->kind == NODE_GRAPH;
}

static int add(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count, unsigned kind,
               struct graph_memory *memory, int is_foreign) {
    struct node *node = node_new(kind, 0);
    const uint64_t address = memory->address;
    int answer;
    node->work.allocation.address = memory->address;
    node->work.allocation.bytes = memory->bytes;
    node->work.allocation.is_foreign = is_foreign;
    memory->users++;
    if (kind == NODE_MEM_ALLOC)
        memory->allocations++;
    else if (is_foreign)
        memory->foreign_frees++;
    else
        memory->frees++;
    answer = node_add(out, graph, dependencies, count, node, OK);
    if (answer == OK) {
        graph->allocations++;
    } else if (kind == NODE_MEM_ALLOC) {
        /* The node is gone, and was of no graph. */
        memory = find(address);
        if (memory != NULL)
            memory->allocations--;
    } else if (is_foreign) {
        memory->foreign_frees--;
    } else {
        memory->frees--;
    }
    return answer;
}

/* CUDA_MEM_ALLOC_NODE_PARAMS */
struct allocation_parameters {
    unsigned char properties[88];
    const void *access;
    size_t access_count, bytes;
    uint64_t address;
};

DRIVER int cuGraphAddMemAllocNode(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                                  struct allocation_parameters *parameters) {
    struct graph_memory *memory = NULL;
    struct graph *used;
    int answer = OK, budget = 256;
    ENTER(cuGraphAddMemAllocNode);
    used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS) || parameters->bytes == 0)
        answer = INVALID_VALUE;
    else if (is_child(graph))
        answer = NOT_SUPPORTED;
    if (answer == OK) {
        memory = freed_before(dependencies, count, parameters->bytes, &budget);
        if (memory == NULL)
            memory = memory_new(graph, parameters->bytes);
        answer = memory == NULL ? OUT_OF_MEMORY : OK;
    }
    if (answer == OK)
        answer = add(out, graph, dependencies, count, NODE_MEM_ALLOC, memory, 0);
    if (answer == OK)
        parameters->address = memory->address;
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

/* Whether a node of a graph can free what is at an address. */
static struct graph_memory *to_be_freed(const struct graph *graph, uint64_t address, int *answer) {
    struct graph_memory *memory = find(address);
    int is_foreign = memory != NULL && memory->graph != graph->id;
    *answer = is_child(graph) ? NOT_SUPPORTED : OK;
    if (*answer == OK && (memory == NULL || memory->frees == memory->allocations ||
                          (!is_foreign && (memory->foreign_frees > 0 || memory->outlives_launches))))
        *answer = INVALID_VALUE;
    return memory;
}

DRIVER int cuGraphAddMemFreeNode(struct node **out, struct graph *graph, struct node *const *dependencies, size_t count,
                                 uint64_t address) {
    struct graph_memory *memory;
    struct graph *used;
    int answer;
    ENTER(cuGraphAddMemFreeNode);
    used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS)) {
        answer = INVALID_VALUE;
    } else {
        memory = to_be_freed(graph, address, &answer);
        if (answer == OK)
            answer = add(out, graph, dependencies, count, NODE_MEM_FREE, memory, memory->graph != graph->id);
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

int free_graph_memory(struct stream *stream, uint64_t address) {
    struct graph_memory *memory = find(address);
    struct node *node;
    int answer = OK;
    if (stream->capture != NULL) {
        struct graph *graph = stream->capture->graph;
        memory = to_be_freed(graph, address, &answer);
        if (answer != OK)
            return answer;
        node = node_new(NODE_MEM_FREE, 0);
        node->work.allocation.address = address;
        node->work.allocation.bytes = memory->bytes;
        node->work.allocation.is_foreign = memory->graph != graph->id;
        memory->users++;
        if (node->work.allocation.is_foreign)
            memory->foreign_frees++;
        else
            memory->frees++;
        graph->allocations++;
        return record(stream, node);
    }
    answer = may_be_unsafe();
    if (answer == OK && !memory->is_allocated)
        answer = INVALID_VALUE;
    if (answer == OK) {
        deallocate(memory);
        end_unused(memory);
    }
    return answer;
}

static int get_allocation(const struct node *node, unsigned kind, struct allocation *out) {
    int is_one;
    pthread_mutex_lock(&model_lock);
    is_one = node_is(node) && node->kind == kind;
    if (is_one)
        *out = node->work.allocation;
    pthread_mutex_unlock(&model_lock);
    return is_one ? OK : INVALID_VALUE;
}

DRIVER int cuGraphMemAllocNodeGetParams(struct node *node, struct allocation_parameters *out) {
    struct allocation allocation;
    int answer;
    ENTER(cuGraphMemAllocNodeGetParams);
    answer = get_allocation(node, NODE_MEM_ALLOC, &allocation);
    if (answer == OK) {
        memset(out, 0, sizeof *out);
        out->bytes = allocation.bytes;
        out->address = allocation.address;
    }
    return answer;
}

DRIVER int cuGraphMemFreeNodeGetParams(struct node *node, uint64_t *out) {
    struct allocation allocation;
    int answer;
    ENTER(cuGraphMemFreeNodeGetParams);
    answer = get_allocation(node, NODE_MEM_FREE, &allocation);
    if (answer == OK)
        *out = allocation.address;
    return answer;
}

/* What the launches so far have left allocated. */
static uint64_t held(void) {
    const struct graph_memory *memory;
    uint64_t bytes = 0;
    for (memory = memories; memory != NULL; memory = memory->next)
        bytes += memory->is_allocated ? in_steps(memory->bytes) : 0;
    return bytes;
}

/* Counts what the nodes of an exec allocate and free. How many bytes a launch needs. */
static uint64_t count_allocations(const struct exec *exec) {
    struct graph_memory *memory;
    uint64_t bytes = 0;
    size_t i;
    for (memory = memories; memory != NULL; memory = memory->next)
        memory->excess = memory->allocates = 0;
    for (i = 0; i < exec->count; i++) {
        const struct node *node = exec->nodes[i];
        if (node->kind != NODE_MEM_ALLOC && node->kind != NODE_MEM_FREE)
            continue;
        memory = find(node->work.allocation.address);
        if (node->kind == NODE_MEM_ALLOC)
            bytes += memory->allocates ? 0 : memory->bytes;
        memory->allocates |= node->kind == NODE_MEM_ALLOC;
        memory->excess += node->kind == NODE_MEM_ALLOC ? 1 : -1;
    }
    return bytes;
}

/* Beside what is allocated there is room for so many bytes. */
static void reserve(uint64_t bytes) {
    if (held() + in_steps(bytes) > reserved)
        reserved = held() + in_steps(bytes);
    if (reserved > reserved_high)
        reserved_high = reserved;
}

void instantiate_allocations(const struct exec *exec) {
    struct graph_memory *memory;
    count_allocations(exec);
    for (memory = memories; memory != NULL; memory = memory->next)
        if (memory->excess > 0)
            memory->outlives_launches = 1;
}

void upload_allocations(struct exec *exec) {
    const struct carried *carried;
    size_t i;
    for (carried = exec->carried; carried != NULL && !exec->is_prepared; carried = carried->next)
        if (carried->data == edge_data(2, 0) && carried->to->kind != NODE_KERNEL)
            note_violation("an exec was uploaded with a node behind a launch that has begun: the driver crashes in that");
    reserve(count_allocations(exec));
    for (i = 0; i < exec->count && !exec->is_prepared; i++) {
        const struct node *node = exec->nodes[i];
        const struct graph_memory *memory = node->kind == NODE_MEM_ALLOC ? find(node->work.allocation.address) : NULL;
        if (memory != NULL && memory->is_allocated)
            note_violation("an exec was uploaded while memory of its graph is allocated: the driver crashes in freeing that");
    }
    exec->is_prepared = 1;
}

int begin_allocations(const struct exec *exec, int auto_free) {
    struct graph_memory *memory;
    const uint64_t bytes = count_allocations(exec);
    int answer = OK;
    for (memory = memories; memory != NULL && answer == OK; memory = memory->next)
        if (memory->allocates ? memory->is_allocated && !auto_free : memory->excess < 0 && !memory->is_allocated)
            answer = INVALID_VALUE;
    if (answer != OK)
        return answer;
    for (memory = memories; memory != NULL; memory = memory->next)
        if (memory->allocates)
            deallocate(memory);
    reserve(bytes);
    return OK;
}

void run_allocation(const struct node *node) {
    struct graph_memory *memory = find(node->work.allocation.address);
    if (node->kind == NODE_MEM_ALLOC)
        allocate(memory);
    else
        deallocate(memory);
}

void end_allocations(const struct exec *exec) {
    size_t i;
    /* Whatever came first. */
    for (i = 0; i < exec->count; i++) {
        const struct node *node = exec->nodes[i];
        if (node->kind == NODE_MEM_ALLOC && find(node->work.allocation.address)->excess <= 0)
            deallocate(find(node->work.allocation.address));
    }
}

/* CUgraphMem_attribute; used is what is reserved. */
enum { USED, USED_HIGH, RESERVED, RESERVED_HIGH };

DRIVER int cuDeviceGetGraphMemAttribute(int device, unsigned attribute, uint64_t *value) {
    ENTER(cuDeviceGetGraphMemAttribute);
    if (device < 0 || device >= DEVICES || attribute > RESERVED_HIGH || value == NULL)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    *value = attribute == USED || attribute == RESERVED ? reserved : reserved_high;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

DRIVER int cuDeviceSetGraphMemAttribute(int device, unsigned attribute, const uint64_t *value) {
    ENTER(cuDeviceSetGraphMemAttribute);
    if (device < 0 || device >= DEVICES || (attribute != USED_HIGH && attribute != RESERVED_HIGH) || value == NULL || *value != 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    reserved_high = reserved;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

DRIVER int cuDeviceGraphMemTrim(int device) {
    ENTER(cuDeviceGraphMemTrim);
    if (device < 0 || device >= DEVICES)
        return INVALID_DEVICE;
    pthread_mutex_lock(&model_lock);
    reserved = held();
    pthread_mutex_unlock(&model_lock);
    return OK;
}
