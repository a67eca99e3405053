/* Execs that are made of graphs: which graphs can be one, and what the driver tells of those that cannot. */
#include "model.h"

#include <stdlib.h>

/* CUgraphInstantiate_flags; the driver forgets uploads and priorities. */
enum { UPLOAD = 2, DEVICE_LAUNCH = 4, USE_NODE_PRIORITY = 8, ALL_FLAGS = 15, KNOWN_LATER = AUTO_FREE_ON_LAUNCH | DEVICE_LAUNCH };

/* CUgraphInstantiateResult */
enum { NO_RESULT, ERROR_RESULT, INVALID_STRUCTURE, UNSUPPORTED_NODE, MULTIPLE_CONTEXTS, CONDITION_UNUSED };

/* CUDA_GRAPH_INSTANTIATE_PARAMS */
struct instantiate_parameters {
    uint64_t flags;
    void *upload;
    struct node *node;
    unsigned result;
};

static int refuse(struct instantiate_parameters *parameters, unsigned result, struct node *node) {
    parameters->result = result;
    parameters->node = node;
    return INVALID_VALUE;
}

/* A node that comes after itself. */
static struct node *find_cycle(const struct graph *graph) {
    struct node *node = graph->nodes[0];
    size_t step;
    unsigned char *is_ready = (unsigned char *)calloc(graph->count, 1);
    size_t i, k, before, ready = 0;
    do {
        before = ready;
        for (i = 0; i < graph->count; i++) {
            for (k = 0; k < graph->nodes[i]->dependency_count && is_ready[graph->nodes[i]->dependencies[k]->index]; k++)
                continue;
            if (!is_ready[i] && k == graph->nodes[i]->dependency_count) {
                is_ready[i] = 1;
                ready++;
            }
        }
    } while (ready > before);
    for (i = 0; i < graph->count && is_ready[i]; i++)
        continue;
    node = graph->nodes[i];
    /* From one that is never ready, back to those that it waits for. */
    for (step = 0; step < graph->count; step++)
        for (k = 0; k < node->dependency_count; k++)
            if (!is_ready[node->dependencies[k]->index]) {
                node = node->dependencies[k];
                break;
            }
    free(is_ready);
    return node;
}

/* Whether the edges of a graph, or of one within its nodes, form a cycle. Of a body no node is told. */
static int check_order(const struct graph *graph, int is_body, struct instantiate_parameters *parameters) {
    struct node **order = graph_order(graph);
    int answer = OK;
    size_t i, k;
    if (order == NULL)
        return refuse(parameters, INVALID_STRUCTURE, is_body ? NULL : find_cycle(graph));
    free(order);
    for (i = 0; i < graph->count && answer == OK; i++) {
        const struct node *node = graph->nodes[i];
        if (node->kind == NODE_GRAPH)
            answer = check_order(node->work.child, is_body, parameters);
        for (k = 0; node->kind == NODE_CONDITIONAL && k < node->work.conditional.count && answer == OK; k++)
            answer = check_order(node->work.conditional.bodies[k], 1, parameters);
    }
    return answer;
}

static int is_pageable(const struct copy *copy) {
    return (!copy->to_device && !is_device_memory(copy->destination, 1)) ||
           (!copy->from_device && !is_device_memory(copy->source, 1));
}

/* Whether the nodes of a graph can be where they are: in the graph itself, in a body, or in what kernels launch. */
static int check_nodes(const struct graph *graph, int is_body, int is_for_device, struct instantiate_parameters *parameters) {
    const struct context *first = NULL, *context;
    int answer = OK;
    size_t i, k;
    for (i = 0; i < graph->count && answer == OK; i++) {
        struct node *node = graph->nodes[i];
        switch (node->kind) {
        case NODE_KERNEL:
            /* Kernels of a body are of the context of its node, which is taken for the one that is current here. */
            context = node->work.launch.function->module->context;
            if ((is_body && self.depth > 0 && context != self.stack[self.depth - 1]) ||
                (is_for_device && first != NULL && context != first))
                answer = refuse(parameters, MULTIPLE_CONTEXTS, node);
            first = first == NULL ? context : first;
            break;
        case NODE_MEMSET:
            break;
        case NODE_EMPTY:
            if (is_for_device)
                answer = refuse(parameters, UNSUPPORTED_NODE, node);
            break;
        case NODE_MEMCPY:
            if ((is_body || is_for_device) && is_pageable(&node->work.copy))
                answer = refuse(parameters, is_body ? MULTIPLE_CONTEXTS : UNSUPPORTED_NODE, node);
            break;
        case NODE_GRAPH:
            answer = check_nodes(node->work.child, is_body, is_for_device, parameters);
            break;
        case NODE_CONDITIONAL:
            if (is_for_device)
                answer = refuse(parameters, UNSUPPORTED_NODE, node);
            for (k = 0; k < node->work.conditional.count && answer == OK; k++)
                answer = check_nodes(node->work.conditional.bodies[k], 1, is_for_device, parameters);
            break;
        default:
            if (is_body || is_for_device)
                answer = refuse(parameters, UNSUPPORTED_NODE, node);
        }
    }
    return answer;
}

static int check_graph(const struct graph *graph, struct instantiate_parameters *parameters) {
    int is_for_device = (parameters->flags & DEVICE_LAUNCH) != 0, answer;
    if (!object_is(graph, STAND_IN_GRAPHS) || (parameters->flags & ~(uint64_t)ALL_FLAGS) != 0 ||
        (is_for_device && (graph->count == 0 || (parameters->flags & AUTO_FREE_ON_LAUNCH) != 0)))
        return refuse(parameters, ERROR_RESULT, NULL);
    if (graph->owner != NULL ||
        (graph->only_exec != NULL && graph->only_exec->head.live &&
         (graph->conditions + graph->allocations > 0 || has_updatable(graph)))) {
        parameters->result = ERROR_RESULT;
        return NOT_SUPPORTED;
    }
    answer = check_order(graph, 0, parameters);
    if (answer == OK && has_unused_condition(graph))
        answer = refuse(parameters, CONDITION_UNUSED, NULL);
    return answer == OK ? check_nodes(graph, 0, is_for_device, parameters) : answer;
}

/* Whether the stream of an upload takes it. */
static int check_upload(const struct instantiate_parameters *parameters) {
    struct stream *stream;
    int answer;
    if ((parameters->flags & UPLOAD) == 0)
        return OK;
    answer = submit_to(parameters->upload, &stream);
    if (stream != NULL && stream->capture != NULL) {
        invalidate(stream->capture);
        return CAPTURE_UNSUPPORTED;
    }
    return answer;
}

DRIVER int cuGraphInstantiateWithParams(struct exec **out, struct graph *graph, struct instantiate_parameters *parameters) {
    struct graph *used;
    int answer = OK;
    ENTER(cuGraphInstantiateWithParams);
    used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    parameters->node = NULL;
    parameters->result = NO_RESULT;
    if (current_context(&answer) != NULL && (answer = check_upload(parameters)) == OK && (answer = may_be_unsafe()) == OK)
        answer = check_graph(graph, parameters);
    if (answer == OK) {
        *out = exec_new(graph, graph_order(graph));
        (*out)->flags = parameters->flags & KNOWN_LATER;
        (*out)->uses_priorities = (parameters->flags & USE_NODE_PRIORITY) != 0;
        instantiate_allocations(*out);
        if ((parameters->flags & UPLOAD) != 0) {
            (*out)->is_uploaded = 1;
            upload_allocations(*out);
        }
    } else if (parameters->result == NO_RESULT) {
        parameters->result = ERROR_RESULT;
    }
    pthread_mutex_unlock(&model_lock);
    end_use(used);
    return answer;
}

DRIVER int cuGraphExecGetFlags(struct exec *exec, uint64_t *flags) {
    int answer = OK;
    ENTER(cuGraphExecGetFlags);
    pthread_mutex_lock(&model_lock);
    if (object_is(exec, STAND_IN_EXECS))
        *flags = exec->flags;
    else
        answer = INVALID_VALUE;
    pthread_mutex_unlock(&model_lock);
    return answer;
}
