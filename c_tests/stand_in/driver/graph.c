/* Graphs, graph execs, and the user objects that they hold. */
#include "model.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

static void object_release(struct user_object *object, unsigned references) {
    if (references > object->references) {
        note_violation("a user object was released more often than retained");
        references = object->references;
    }
    object->references -= references;
    if (object->references == 0)
        call_later(object->destroy, object->data, object);
}

static int held_add(struct held *held, struct user_object *object) {
    if (!make_room(&held->objects, held->count, &held->capacity))
        return OUT_OF_MEMORY;
    held->objects[held->count++] = object;
    return OK;
}

static void held_end(struct held *held) {
    size_t i;
    for (i = 0; i < held->count; i++)
        object_release(held->objects[i], 1);
    free(held->objects);
    memset(held, 0, sizeof *held);
}

_Thread_local struct exec *running;

struct graph *graph_new(void) {
    static uint64_t last;
    struct graph *graph = (struct graph *)object_new(sizeof *graph, STAND_IN_GRAPHS);
    graph->id = ++last;
    return graph;
}

static void hold_as(struct held *held, const struct held *others) {
    size_t i;
    for (i = 0; i < others->count; i++) {
        others->objects[i]->references++;
        held_add(held, others->objects[i]);
    }
}

struct graph *graph_copy(const struct graph *graph) {
    struct graph *copy = graph_new();
    const struct carried *edge;
    struct frontier frontier;
    size_t i, k;
    memset(&frontier, 0, sizeof frontier);
    for (i = 0; i < graph->count; i++)
        graph_add(copy, node_copy(graph->nodes[i]), &frontier);
    for (i = 0; i < graph->count; i++) {
        const struct node *node = graph->nodes[i];
        if (node->dependency_count > 1)
            copy->nodes[i]->dependencies = (struct node **)malloc(node->dependency_count * sizeof(struct node *));
        for (k = 0; k < node->dependency_count; k++)
            copy->nodes[i]->dependencies[k] = copy->nodes[node->dependencies[k]->index];
        copy->nodes[i]->dependency_count = node->dependency_count;
    }
    copy->edges = graph->edges;
    for (edge = graph->carried; edge != NULL; edge = edge->next)
        carry(&copy->carried, copy->nodes[edge->from->index], copy->nodes[edge->to->index], edge->data);
    return copy;
}

void graph_end(struct graph *graph) {
    size_t i;
    for (i = 0; i < graph->count; i++)
        node_end(graph->nodes[i]);
    free(graph->nodes);
    graph->nodes = NULL;
    conditions_end(graph);
    carry_no_more(&graph->carried, NULL, NULL);
    held_end(&graph->held);
    object_end(&graph->head);
}

int graph_add(struct graph *graph, struct node *node, const struct frontier *frontier) {
    size_t count = frontier->count;
    if (!make_room(&graph->nodes, graph->count, &graph->capacity))
        return OUT_OF_MEMORY;
    node->dependencies = &node->only_dependency;
    if (count > 1)
        node->dependencies = (struct node **)malloc(count * sizeof(struct node *));
    if (count > 0)
        memcpy(node->dependencies, frontier->nodes, count * sizeof(struct node *));
    node->dependency_count = count;
    node->graph = graph;
    node->index = graph->count;
    graph->nodes[graph->count++] = node;
    graph->edges += count;
    node_lives(node);
    return OK;
}

static void remove_node(struct graph *graph, struct node *node) {
    size_t from, to = 0, at, kept;
    for (from = 0; from < graph->count; from++) {
        struct node *other = graph->nodes[from];
        if (other == node)
            continue;
        for (at = 0, kept = 0; at < other->dependency_count; at++)
            if (other->dependencies[at] != node)
                other->dependencies[kept++] = other->dependencies[at];
        graph->edges -= other->dependency_count - kept;
        other->dependency_count = kept;
        other->index = to;
        graph->nodes[to++] = other;
    }
    graph->count = to;
    graph->edges -= node->dependency_count;
    carry_no_more(&graph->carried, node, NULL);
    carry_no_more(&graph->carried, NULL, node);
    node_end(node);
}

STAND_IN_EXPORT void stand_in_remove_node(void *graph, void *node) {
    pthread_mutex_lock(&model_lock);
    remove_node((struct graph *)graph, (struct node *)node);
    pthread_mutex_unlock(&model_lock);
}

static struct graph *outermost(struct graph *graph) {
    while (graph->owner != NULL && graph->owner->graph != NULL)
        graph = graph->owner->graph;
    return graph;
}

int graph_contains(const struct graph *graph, const struct graph *other) {
    while (other != graph && other->owner != NULL && other->owner->graph != NULL)
        other = other->owner->graph;
    return other == graph;
}

static int is_captured(const struct graph *graph) {
    const struct capture *capture;
    for (capture = captures; capture != NULL; capture = capture->next)
        if (capture->graph == graph)
            return 1;
    return 0;
}

void graph_hold_as(struct graph *graph, const struct graph *other) {
    hold_as(&outermost(graph)->held, &other->held);
}

/* What streams record into a graph the driver orders by itself. */
static struct graph *use(struct graph *graph) {
    if (graph == NULL || graph->head.kind != STAND_IN_GRAPHS || !graph->head.live)
        return NULL;
    graph = outermost(graph);
    if (is_captured(graph))
        return NULL;
    if (graph->user != 0 && graph->user != this_thread())
        note_violation("a graph was used by two threads at once");
    graph->user = this_thread();
    return graph;
}

/* For who comes at the same time: where another thread used a graph last, and now and then else. On a busy machine it takes
 * as long as the others compute. */
static void let_others_come(void) {
    static uint64_t last_user;
    static unsigned uses;
    uint64_t user = this_thread();
    if (__atomic_exchange_n(&last_user, user, __ATOMIC_ACQ_REL) != user ||
        __atomic_add_fetch(&uses, 1, __ATOMIC_RELAXED) % 16 == 0)
        sched_yield();
}

struct graph *begin_use(struct graph *graph) {
    pthread_mutex_lock(&model_lock);
    graph = use(graph);
    pthread_mutex_unlock(&model_lock);
    let_others_come();
    return graph;
}

struct graph *begin_use_of(const struct node *node) {
    struct graph *graph;
    pthread_mutex_lock(&model_lock);
    graph = node_is(node) ? use(node->graph) : NULL;
    pthread_mutex_unlock(&model_lock);
    let_others_come();
    return graph;
}

/* The graph that an exec was made from, and that launches of the exec use as well. */
struct graph *begin_use_by(struct exec *exec) {
    struct graph *graph;
    pthread_mutex_lock(&model_lock);
    graph = object_is(exec, STAND_IN_EXECS) ? use(exec->made_from) : NULL;
    pthread_mutex_unlock(&model_lock);
    let_others_come();
    return graph;
}

void end_use(struct graph *used) {
    if (used == NULL)
        return;
    pthread_mutex_lock(&model_lock);
    used->user = 0;
    pthread_mutex_unlock(&model_lock);
}

DRIVER int cuGraphCreate(struct graph **out, unsigned flags) {
    ENTER(cuGraphCreate);
    if (flags != 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    *out = graph_new();
    pthread_mutex_unlock(&model_lock);
    return OK;
}

static void forbid_captured(const struct graph *graph, const char *violation) {
    const struct capture *capture;
    for (capture = captures; capture != NULL; capture = capture->next)
        if (capture->graph == graph)
            note_violation(violation);
}

DRIVER int cuGraphDestroyNode(struct node *node) {
    int answer = OK;
    struct graph *used;
    ENTER(cuGraphDestroyNode);
    used = begin_use_of(node);
    pthread_mutex_lock(&model_lock);
    if (!node_is(node)) {
        answer = INVALID_VALUE;
    } else if (node->graph->allocations > 0 || is_updatable(node)) {
        answer = NOT_SUPPORTED;
    } else {
        forbid_captured(node->graph, "a node was removed from a graph that is captured into");
        remove_node(node->graph, node);
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

DRIVER int cuGraphDestroy(struct graph *graph) {
    int answer = enter("cuGraphDestroy");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    forbid_captured(graph, "a graph was destroyed that is captured into");
    if (object_is(graph, STAND_IN_GRAPHS) && graph->owner == NULL)
        graph_end(graph);
    else
        answer = INVALID_VALUE;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphGetNodes(struct graph *graph, struct node **nodes, size_t *count) {
    struct graph *used;
    int answer = OK;
    ENTER(cuGraphGetNodes);
    used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS)) {
        answer = INVALID_VALUE;
    } else {
        if (nodes == NULL || *count > graph->count)
            *count = graph->count;
        if (nodes != NULL)
            memcpy(nodes, graph->nodes, *count * sizeof(struct node *));
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

static int get_edges(struct graph *graph, struct node **from, struct node **to, uint64_t *data, size_t *count) {
    size_t i, k, at = 0;
    int answer = OK;
    struct graph *used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS)) {
        answer = INVALID_VALUE;
    } else if (from == NULL) {
        *count = graph->edges;
    } else if (data == NULL && graph->carried != NULL) {
        answer = LOSSY_QUERY;
    } else {
        for (i = 0; i < graph->count; i++)
            for (k = 0; k < graph->nodes[i]->dependency_count && at < *count; k++, at++) {
                from[at] = graph->nodes[i]->dependencies[k];
                to[at] = graph->nodes[i];
                if (data != NULL)
                    data[at] = carried_by(graph->carried, from[at], to[at]);
            }
        *count = at;
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

DRIVER int cuGraphGetEdges(struct graph *graph, struct node **from, struct node **to, size_t *count) {
    ENTER(cuGraphGetEdges);
    return get_edges(graph, from, to, NULL, count);
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuGraphGetEdges_v2(struct graph *graph, struct node **from, struct node **to, uint64_t *data,
                              size_t *count) {
    ENTER(cuGraphGetEdges_v2);
    return get_edges(graph, from, to, data, count);
}
#endif

/* Whether a node is of that kind. */
static int is_kind(const struct node *node, unsigned kind) {
    int answer;
    pthread_mutex_lock(&model_lock);
    answer = node_is(node) && node->kind == kind;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphNodeGetType(struct node *node, unsigned *kind) {
    int is_node;
    ENTER(cuGraphNodeGetType);
    pthread_mutex_lock(&model_lock);
    is_node = node_is(node);
    if (is_node)
        *kind = node->kind;
    pthread_mutex_unlock(&model_lock);
    return is_node ? OK : INVALID_VALUE;
}

/* CUDA_KERNEL_NODE_PARAMS_v2 */
struct kernel_parameters {
    struct function *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    void *kernel, *context;
};

DRIVER int cuGraphKernelNodeGetParams_v2(struct node *node, struct kernel_parameters *out) {
    size_t i;
    ENTER(cuGraphKernelNodeGetParams_v2);
    if (!is_kind(node, NODE_KERNEL))
        return INVALID_VALUE;
    memset(out, 0, sizeof *out);
    out->function = node->work.launch.function;
    memcpy(out->grid, node->work.launch.grid, sizeof out->grid);
    memcpy(out->block, node->work.launch.block, sizeof out->block);
    out->shared_bytes = node->work.launch.shared_bytes;
    for (i = 0; i < node->work.launch.function->parameter_count; i++)
        node->work.launch.pointers[i] = node->work.launch.parameters + node->work.launch.function->offsets[i];
    out->parameters = node->work.launch.pointers;
    return OK;
}

/* CUDA_HOST_NODE_PARAMS */
DRIVER int cuGraphHostNodeGetParams(struct node *node, struct call *out) {
    ENTER(cuGraphHostNodeGetParams);
    if (!is_kind(node, NODE_HOST))
        return INVALID_VALUE;
    *out = node->work.call;
    return OK;
}

DRIVER int cuGraphEventRecordNodeGetEvent(struct node *node, struct event **out) {
    ENTER(cuGraphEventRecordNodeGetEvent);
    if (!is_kind(node, NODE_EVENT_RECORD))
        return INVALID_VALUE;
    *out = node->work.event;
    return OK;
}

DRIVER int cuGraphEventWaitNodeGetEvent(struct node *node, struct event **out) {
    ENTER(cuGraphEventWaitNodeGetEvent);
    if (!is_kind(node, NODE_WAIT_EVENT))
        return INVALID_VALUE;
    *out = node->work.event;
    return OK;
}

DRIVER int cuGraphMemcpyNodeGetParams(struct node *node, struct copy_parameters *out) {
    const struct copy *copy = &node->work.copy;
    ENTER(cuGraphMemcpyNodeGetParams);
    if (!is_kind(node, NODE_MEMCPY))
        return INVALID_VALUE;
    memset(out, 0, sizeof *out);
    out->source.memory_type = copy->from_device ? DEVICE_MEMORY : HOST_MEMORY;
    out->destination.memory_type = copy->to_device ? DEVICE_MEMORY : HOST_MEMORY;
    if (copy->from_device)
        out->source.device = copy->source;
    else
        out->source.host = (const void *)(uintptr_t)copy->source;
    if (copy->to_device)
        out->destination.device = copy->destination;
    else
        out->destination.host = (const void *)(uintptr_t)copy->destination;
    out->width = copy->bytes;
    out->height = copy->height;
    out->depth = copy->depth;
    out->source.pitch = copy->source_row;
    out->destination.pitch = copy->destination_row;
    out->source.height = copy->source_row == 0 ? 0 : copy->source_slice / copy->source_row;
    out->destination.height = copy->destination_row == 0 ? 0 : copy->destination_slice / copy->destination_row;
    return OK;
}

/* CUDA_MEMSET_NODE_PARAMS */
struct fill_parameters {
    uint64_t address;
    size_t pitch;
    unsigned value, element_size;
    size_t width, height;
};

DRIVER int cuGraphMemsetNodeGetParams(struct node *node, struct fill_parameters *out) {
    ENTER(cuGraphMemsetNodeGetParams);
    if (!is_kind(node, NODE_MEMSET))
        return INVALID_VALUE;
    memset(out, 0, sizeof *out);
    out->address = node->work.fill.address;
    out->value = node->work.fill.value;
    out->element_size = node->work.fill.element_size;
    out->width = node->work.fill.count;
    out->height = node->work.fill.rows;
    out->pitch = node->work.fill.pitch;
    return OK;
}

/* Nodes in the order in which they run. */
struct order {
    const struct graph *graph;
    struct node **nodes;
    size_t count;
    unsigned char *is_placed;
};

static void place(struct order *order, size_t at) {
    order->nodes[order->count++] = order->graph->nodes[at];
    order->is_placed[at] = 1;
}

static int can_be_placed(const struct order *order, size_t at) {
    const struct node *node = order->graph->nodes[at];
    size_t k;
    for (k = 0; k < node->dependency_count && order->is_placed[node->dependencies[k]->index]; k++)
        continue;
    return !order->is_placed[at] && k == node->dependency_count;
}

/* Records of events run as soon as they can: on a device they wait for no other node. */
static void place_records(struct order *order) {
    size_t i;
    for (i = 0; i < order->graph->count; i++)
        if (order->graph->nodes[i]->kind == NODE_EVENT_RECORD && can_be_placed(order, i))
            place(order, i);
}

struct node **graph_order(const struct graph *graph) {
    struct order order;
    size_t before, i;
    int has_records = 0;
    order.graph = graph;
    order.nodes = (struct node **)malloc((graph->count + 1) * sizeof(struct node *));
    order.count = 0;
    order.is_placed = (unsigned char *)calloc(graph->count + 1, 1);
    for (i = 0; i < graph->count; i++)
        has_records |= graph->nodes[i]->kind == NODE_EVENT_RECORD;
    do {
        before = order.count;
        for (i = 0; i < graph->count; i++) {
            if (!can_be_placed(&order, i))
                continue;
            place(&order, i);
            if (has_records)
                place_records(&order);
        }
    } while (order.count > before);
    free(order.is_placed);
    if (order.count == graph->count)
        return order.nodes;
    free(order.nodes);
    return NULL;
}

/* Gives the nodes of a new exec the edges that those of the graph have. */
static void connect(struct exec *exec, const struct graph *graph) {
    struct node **copies = (struct node **)calloc(graph->count + 1, sizeof *copies);
    const struct carried *edge;
    size_t i, k;
    for (i = 0; i < exec->count; i++)
        copies[exec->nodes[i]->index] = exec->nodes[i];
    for (i = 0; i < graph->count; i++) {
        const struct node *node = graph->nodes[i];
        copies[i]->dependencies = &copies[i]->only_dependency;
        if (node->dependency_count > 1)
            copies[i]->dependencies = (struct node **)malloc(node->dependency_count * sizeof(struct node *));
        for (k = 0; k < node->dependency_count; k++)
            copies[i]->dependencies[k] = copies[node->dependencies[k]->index];
        copies[i]->dependency_count = node->dependency_count;
    }
    for (edge = graph->carried; edge != NULL; edge = edge->next)
        carry(&exec->carried, copies[edge->from->index], copies[edge->to->index], edge->data);
    free(copies);
}

void exec_hold_as(struct exec *exec, const struct graph *graph) {
    struct held before = exec->held;
    memset(&exec->held, 0, sizeof exec->held);
    hold_as(&exec->held, &graph->held);
    held_end(&before);
}

struct exec *exec_new(struct graph *graph, struct node **order) {
    struct exec *exec = (struct exec *)object_new(sizeof *exec, STAND_IN_EXECS);
    size_t i;
    exec->made_from = outermost(graph);
    exec->work_of = graph->id;
    exec->references = 1;
    exec->count = graph->count;
    exec->nodes = order;
    for (i = 0; i < graph->count; i++) {
        struct node *node = exec->nodes[i];
        if (node->kind == NODE_WAIT_EVENT || node->kind == NODE_EVENT_RECORD)
            object_is(node->work.event, STAND_IN_EVENTS);
        exec->nodes[i] = node_copy(node);
        exec->nodes[i]->index = node->index;
    }
    connect(exec, graph);
    hold_as(&exec->held, &graph->held);
    graph->only_exec = exec;
    return exec;
}

static void exec_release(struct exec *exec) {
    size_t i;
    if (--exec->references > 0)
        return;
    for (i = 0; i < exec->count; i++)
        node_end(exec->nodes[i]);
    free(exec->nodes);
    exec->nodes = NULL;
    carry_no_more(&exec->carried, NULL, NULL);
    held_end(&exec->held);
}

DRIVER int cuGraphExecDestroy(struct exec *exec) {
    int answer = enter("cuGraphExecDestroy");
    struct graph *used;
    if (answer == NOT_PERMITTED)
        return answer;
    used = begin_use_by(exec);
    pthread_mutex_lock(&model_lock);
    if (!object_is(exec, STAND_IN_EXECS)) {
        answer = INVALID_HANDLE;
    } else if (answer != OK || (answer = may_be_unsafe()) == OK) {
        object_end(&exec->head);
        exec_release(exec);
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

/* An exec and the stream that it is launched or uploaded on. */
static int prepare(struct exec *exec, void *handle) {
    struct stream *stream;
    int answer = submit_to(handle, &stream);
    if (stream != NULL && stream->capture != NULL) {
        invalidate(stream->capture);
        return CAPTURE_UNSUPPORTED;
    }
    if (answer == OK && !object_is(exec, STAND_IN_EXECS))
        answer = INVALID_HANDLE;
    return answer;
}

static unsigned long uploads;

unsigned long stand_in_uploads(void) {
    unsigned long count;
    pthread_mutex_lock(&model_lock);
    count = uploads;
    pthread_mutex_unlock(&model_lock);
    return count;
}

DRIVER int cuGraphUpload(struct exec *exec, void *stream) {
    int answer;
    struct graph *used;
    ENTER(cuGraphUpload);
    used = begin_use_by(exec);
    pthread_mutex_lock(&model_lock);
    uploads++;
    answer = prepare(exec, stream);
    if (answer == OK) {
        exec->is_uploaded = 1;
        upload_allocations(exec);
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

static int run_nodes(struct node *const *nodes, size_t count);

static int run_graph(const struct graph *graph) {
    struct node **order = graph_order(graph);
    int fault = run_nodes(order, graph->count);
    free(order);
    return fault;
}

/* Runs a node; model_lock is not held while it calls back. */
static int run_node(const struct node *node) {
    if (node->is_disabled)
        return node->attributes != NULL && node->attributes[COOPERATIVE_ATTRIBUTE][0] != 0 ? LAUNCH_FAILED : OK;
    switch (node->kind) {
    case NODE_EMPTY:
        return OK;
    case NODE_KERNEL:
        return run_launch(&node->work.launch);
    case NODE_MEMCPY:
        return run_copy(&node->work.copy);
    case NODE_MEMSET:
        return run_fill(&node->work.fill);
    case NODE_BATCH_MEM_OP:
        return run_mem_ops(node->work.batch.ops, node->work.batch.count);
    case NODE_WAIT_EVENT:
    case NODE_EVENT_RECORD:
        if (object_is(node->work.event, STAND_IN_EVENTS) && node->kind == NODE_EVENT_RECORD)
            record_event(node->work.event);
        return OK;
    case NODE_GRAPH:
        return run_graph(node->work.child);
    case NODE_CONDITIONAL:
        return run_conditional(node, run_graph);
    case NODE_MEM_ALLOC:
    case NODE_MEM_FREE:
        run_allocation(node);
        return OK;
    default:
        pthread_mutex_unlock(&model_lock);
        call_now(node->work.call.function, node->work.call.data);
        pthread_mutex_lock(&model_lock);
        return OK;
    }
}

static int run_nodes(struct node *const *nodes, size_t count) {
    size_t i;
    int fault = OK;
    for (i = 0; i < count && fault == OK; i++)
        fault = run_node(nodes[i]);
    return fault;
}

static struct event *recorded_by(const struct node *node) {
    const int records = node->kind == NODE_EVENT_RECORD && object_is(node->work.event, STAND_IN_EVENTS);
    return records ? node->work.event : NULL;
}

/* Runs the nodes of an exec. Events that they record are pending from the launch on, as on a device that runs it later. */
static int run_exec(struct exec *exec) {
    struct event *event;
    size_t i;
    int fault = OK;
    for (i = 0; i < exec->count; i++)
        if ((event = recorded_by(exec->nodes[i])) != NULL) {
            record_event(event);
            event->pending++;
        }
    for (i = 0; i < exec->count; i++) {
        if (fault == OK)
            fault = run_node(exec->nodes[i]);
        if ((event = recorded_by(exec->nodes[i])) != NULL && event->pending > 0)
            event->pending--;
    }
    return fault;
}

static struct launch_watcher watcher;

DRIVER void stand_in_watch_launches(const struct launch_watcher *by) { watcher = *by; }

static void tell_watcher(const struct exec *exec) {
    size_t i;
    for (i = 0; i < exec->count; i++) {
        const struct node *node = exec->nodes[i];
        if (!node->is_disabled && node->kind <= NODE_MEMSET)
            watcher.ran((unsigned)node->index, node->kind,
                        node->kind == NODE_KERNEL ? node->work.launch.function->name : NULL);
    }
}

DRIVER int cuGraphLaunch(struct exec *exec, void *stream) {
    int answer, fault;
    struct graph *used;
    ENTER(cuGraphLaunch);
    if (watcher.begins != NULL)
        watcher.begins();
    used = begin_use_by(exec);
    pthread_mutex_lock(&model_lock);
    answer = prepare(exec, stream);
    if (answer == OK)
        answer = begin_allocations(exec, (exec->flags & AUTO_FREE_ON_LAUNCH) != 0);
    if (answer == OK)
        exec->is_prepared = 1;
    pthread_mutex_unlock(&model_lock);
    /* What it runs uses the graph no longer. */
    end_use(used);
    pthread_mutex_lock(&model_lock);
    if (answer != OK) {
        pthread_mutex_unlock(&model_lock);
        return answer;
    }
    exec->references++;
    begin_conditions(exec->nodes, exec->count);
    running = exec;
    fault = run_exec(exec);
    running = NULL;
    if (watcher.ran != NULL)
        tell_watcher(exec);
    end_allocations(exec);
    exec_release(exec);
    pthread_mutex_unlock(&model_lock);
    if (fault != OK)
        note_fault(fault);
    return OK;
}

DRIVER int cuLaunchHostFunc(void *handle, void (*function)(void *), void *data) {
    struct stream *stream;
    struct node *node;
    int answer;
    ENTER(cuLaunchHostFunc);
    pthread_mutex_lock(&model_lock);
    answer = submit_to(handle, &stream);
    if (answer == OK && stream->capture != NULL) {
        node = node_new(NODE_HOST, 0);
        if (node != NULL) {
            node->work.call.function = function;
            node->work.call.data = data;
        }
        answer = record(stream, node);
        pthread_mutex_unlock(&model_lock);
        return answer;
    }
    pthread_mutex_unlock(&model_lock);
    if (answer == OK)
        call_now(function, data);
    return answer;
}

DRIVER int cuUserObjectCreate(struct user_object **out, void *data, void (*destroy)(void *), unsigned references,
                              unsigned flags) {
    enum { NO_DESTRUCTOR_SYNC = 1 };
    struct user_object *object;
    ENTER(cuUserObjectCreate);
    if (flags != NO_DESTRUCTOR_SYNC || references == 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&model_lock);
    object = (struct user_object *)object_new(sizeof *object, STAND_IN_USER_OBJECTS);
    object->references = references;
    object->destroy = destroy;
    object->data = data;
    *out = object;
    pthread_mutex_unlock(&model_lock);
    return OK;
}

DRIVER int cuUserObjectRelease(struct user_object *object, unsigned references) {
    int answer = enter("cuUserObjectRelease");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (object_is(object, STAND_IN_USER_OBJECTS))
        object_release(object, references);
    else
        answer = INVALID_HANDLE;
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphRetainUserObject(struct graph *graph, struct user_object *object, unsigned references,
                                   unsigned flags) {
    enum { MOVE = 1 };
    unsigned i;
    int answer = OK;
    ENTER(cuGraphRetainUserObject);
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS) || !object_is(object, STAND_IN_USER_OBJECTS)) {
        answer = INVALID_VALUE;
    } else {
        for (i = 0; i < references && answer == OK; i++)
            answer = held_add(&graph->held, object);
        if (!(flags & MOVE))
            object->references += references;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

DRIVER int cuGraphReleaseUserObject(struct graph *graph, struct user_object *object, unsigned references) {
    struct held *held = &graph->held;
    size_t i;
    int answer = enter("cuGraphReleaseUserObject");
    if (answer == NOT_PERMITTED)
        return answer;
    pthread_mutex_lock(&model_lock);
    if (!object_is(graph, STAND_IN_GRAPHS)) {
        answer = INVALID_HANDLE;
    } else {
        for (i = held->count; i-- > 0 && references > 0;)
            if (held->objects[i] == object) {
                held->objects[i] = held->objects[--held->count];
                object_release(object, 1);
                references--;
            }
        if (references > 0)
            note_violation("a graph was to release a user object that it does not hold");
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}
