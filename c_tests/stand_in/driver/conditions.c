/* Conditions of graphs, and nodes whose bodies run depending on one. */
#include "model.h"

#include <stdlib.h>

/* Those of graphs that are there, and those of graphs that were destroyed. */
static struct condition *conditions, *ended_conditions;
/* The value of the last one whose graph was destroyed, with which one begins that has no default. */
static unsigned left_behind;

static int is_among(const struct condition *condition, uint64_t number) {
    while (condition != NULL && (uint64_t)(uintptr_t)condition != number)
        condition = condition->next;
    return condition != NULL;
}

int condition_is(uint64_t number) {
    return is_among(conditions, number) || is_among(ended_conditions, number);
}

/* Execs of the graph go on to use them, so they stay. */
void conditions_end(const struct graph *graph) {
    struct condition **place = &conditions;
    while (*place != NULL) {
        struct condition *condition = *place;
        if (condition->graph != graph) {
            place = &condition->next;
            continue;
        }
        *place = condition->next;
        condition->graph = NULL;
        left_behind = condition->value;
        condition->next = ended_conditions;
        ended_conditions = condition;
    }
}

int has_unused_condition(const struct graph *graph) {
    const struct condition *condition = conditions;
    while (condition != NULL && (condition->graph != graph || condition->node != NULL))
        condition = condition->next;
    return condition != NULL;
}

enum { IF, WHILE, SWITCH };

void begin_conditions(struct node *const *nodes, size_t count) {
    size_t i, k;
    for (i = 0; i < count; i++) {
        const struct node *node = nodes[i];
        if (node->kind == NODE_GRAPH)
            begin_conditions(node->work.child->nodes, node->work.child->count);
        if (node->kind != NODE_CONDITIONAL)
            continue;
        if (node->work.conditional.condition->is_assigned)
            node->work.conditional.condition->value = node->work.conditional.condition->initial;
        for (k = 0; k < node->work.conditional.count; k++)
            begin_conditions(node->work.conditional.bodies[k]->nodes, node->work.conditional.bodies[k]->count);
    }
}

int run_conditional(const struct node *node, int (*run)(const struct graph *graph)) {
    struct graph *const *bodies = node->work.conditional.bodies;
    unsigned count = node->work.conditional.count, value = node->work.conditional.condition->value;
    int fault = OK;
    switch (node->work.conditional.how) {
    case IF:
        if (value != 0)
            return run(bodies[0]);
        return count > 1 ? run(bodies[1]) : OK;
    case WHILE:
        while (fault == OK && node->work.conditional.condition->value != 0)
            fault = run(bodies[0]);
        return fault;
    default:
        return value < count ? run(bodies[value]) : OK;
    }
}

#if STAND_IN_DRIVER_VERSION >= 12030
DRIVER int cuGraphConditionalHandleCreate(uint64_t *out, struct graph *graph, struct context *context, unsigned initial,
                                          unsigned flags) {
    struct condition *condition;
    int answer = OK;
    ENTER(cuGraphConditionalHandleCreate);
    pthread_mutex_lock(&model_lock);
    if (context == NULL)
        answer = INVALID_CONTEXT;
    else if (flags > 1 || !object_is(graph, STAND_IN_GRAPHS))
        answer = INVALID_VALUE;
    if (answer == OK) {
        condition = (struct condition *)calloc(1, sizeof *condition);
        condition->graph = graph;
        condition->is_assigned = flags == 1;
        condition->initial = initial;
        condition->value = left_behind;
        condition->next = conditions;
        conditions = condition;
        graph->conditions++;
        *out = (uint64_t)(uintptr_t)condition;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}

/* CUgraphNodeParams, of a conditional node. */
struct node_parameters {
    unsigned kind;
    int reserved[3];
    uint64_t condition;
    unsigned how, count;
    struct graph **bodies;
    struct context *context;
};

/* A condition decides in the graph that it was made for, and in the graphs within that one. */
static int is_conditional(const struct graph *graph, const struct node_parameters *parameters) {
    unsigned most = parameters->how == IF ? 2 : parameters->how == WHILE ? 1 : 1000000;
    const struct condition *condition = (const struct condition *)(uintptr_t)parameters->condition;
    return parameters->kind == NODE_CONDITIONAL && parameters->how <= SWITCH && parameters->count >= 1 &&
           parameters->count <= most && condition_is(parameters->condition) &&
           graph_contains(condition->graph, graph) && condition->node == NULL;
}

DRIVER int cuGraphAddNode_v2(struct node **out, struct graph *graph, struct node *const *dependencies, const void *data,
                             size_t count, struct node_parameters *parameters) {
    struct node *node = NULL;
    unsigned i;
    int answer = OK;
    ENTER(cuGraphAddNode_v2);
    pthread_mutex_lock(&model_lock);
    if (parameters->context == NULL)
        answer = INVALID_CONTEXT;
    else if (data != NULL || !is_conditional(graph, parameters))
        answer = INVALID_VALUE;
    if (answer == OK) {
        node = node_new(NODE_CONDITIONAL, parameters->count * sizeof(struct graph *));
        node->work.conditional.condition = (struct condition *)(uintptr_t)parameters->condition;
        node->work.conditional.how = parameters->how;
        node->work.conditional.count = parameters->count;
        node->work.conditional.bodies = (struct graph **)node->payload;
        for (i = 0; i < parameters->count; i++) {
            node->work.conditional.bodies[i] = graph_new();
            node->work.conditional.bodies[i]->owner = node;
        }
    }
    answer = node_add(out, graph, dependencies, count, node, answer);
    if (answer == OK) {
        node->work.conditional.condition->node = node;
        parameters->bodies = node->work.conditional.bodies;
    }
    pthread_mutex_unlock(&model_lock);
    return answer;
}
#endif
