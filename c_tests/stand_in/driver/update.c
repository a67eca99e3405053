/* Updates of execs by graphs. Nodes are paired from the leaves on, by the order of edges. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* CUgraphExecUpdateResult */
enum { TOPOLOGY_CHANGED = 2, TYPE_CHANGED = 3, PARAMETERS_CHANGED = 5, UNSUPPORTED = 6, FUNCTION_CHANGE = 7, ATTRIBUTES_CHANGED = 8 };

/* CUgraphExecUpdateResultInfo */
struct update_info {
    unsigned result;
    struct node *node, *from;
};

/* A graph, or what an exec has, by the numbers of the nodes. */
struct view {
    struct node **nodes;
    size_t count;
    const struct carried *carried;
};

/* The nodes of an exec and of the graph that belong together. */
struct pairs {
    struct node **own, **other;
    size_t count;
};

struct update {
    struct update_info *info;
    int uses_priorities;
    struct pairs all;
};

static int refuse(struct update *update, unsigned result, struct node *node, struct node *from) {
    update->info->result = result;
    update->info->node = node;
    update->info->from = from;
    return GRAPH_EXEC_UPDATE_FAILURE;
}

static struct view view_of(const struct graph *graph) {
    struct view view;
    view.nodes = graph->nodes;
    view.count = graph->count;
    view.carried = graph->carried;
    return view;
}

/* The nodes that no other one waits for, the newest first. */
static size_t leaves(const struct view *view, struct node **found) {
    unsigned char *is_waited_for = (unsigned char *)calloc(view->count + 1, 1);
    size_t i, k, count = 0;
    for (i = 0; i < view->count; i++)
        for (k = 0; k < view->nodes[i]->dependency_count; k++)
            is_waited_for[view->nodes[i]->dependencies[k]->index] = 1;
    for (i = view->count; i-- > 0;)
        if (!is_waited_for[i])
            found[count++] = view->nodes[i];
    free(is_waited_for);
    return count;
}

static int priority(const struct node *node) {
    int number = 0;
    if (node->attributes != NULL)
        memcpy(&number, node->attributes[PRIORITY_ATTRIBUTE], sizeof number);
    return number;
}

static int is_cooperative(const struct node *node) {
    return node->attributes != NULL && node->attributes[COOPERATIVE_ATTRIBUTE][0] != 0;
}

/* What the driver answers where the work of two nodes differs so; 0 where it takes it. */
static unsigned compare(const struct update *update, const struct node *own, const struct node *other) {
    const struct copy *copy = &own->work.copy, *recopy = &other->work.copy;
    const struct fill *fill = &own->work.fill, *refill = &other->work.fill;
    size_t i;
    switch (own->kind) {
    case NODE_KERNEL:
        if (own->work.launch.function->module->context != other->work.launch.function->module->context)
            return FUNCTION_CHANGE;
        if (is_cooperative(own) != is_cooperative(other) || (update->uses_priorities && priority(own) != priority(other)))
            return ATTRIBUTES_CHANGED;
        return 0;
    case NODE_MEMCPY:
        if (copy->to_device != recopy->to_device || copy->from_device != recopy->from_device)
            return PARAMETERS_CHANGED;
        if (copy->height * copy->depth == 1 && recopy->height * recopy->depth == 1)
            return 0;
        return memcmp(copy, recopy, sizeof *copy) == 0 ? 0 : PARAMETERS_CHANGED;
    case NODE_MEMSET:
        if (fill->rows == 1 && refill->rows == 1)
            return 0;
        return fill->rows == refill->rows && fill->count == refill->count && fill->pitch == refill->pitch &&
                       fill->element_size == refill->element_size
                   ? 0
                   : PARAMETERS_CHANGED;
    case NODE_BATCH_MEM_OP:
        if (own->work.batch.count != other->work.batch.count)
            return PARAMETERS_CHANGED;
        for (i = 0; i < own->work.batch.count; i++)
            if (own->work.batch.ops[i].operation != other->work.batch.ops[i].operation)
                return PARAMETERS_CHANGED;
        return 0;
    case NODE_EVENT_RECORD:
    case NODE_WAIT_EVENT:
        return own->work.event->context == other->work.event->context ? 0 : PARAMETERS_CHANGED;
    case NODE_CONDITIONAL:
        return own->work.conditional.how == other->work.conditional.how &&
                       own->work.conditional.count == other->work.conditional.count
                   ? 0
                   : UNSUPPORTED;
    default:
        return 0;
    }
}

static int pair_graphs(struct update *update, const struct view *own, const struct view *other);

static int pair_within(struct update *update, const struct node *own, const struct node *other) {
    struct view view, of_other;
    size_t i;
    int answer = OK;
    if (own->kind == NODE_GRAPH) {
        view = view_of(own->work.child);
        of_other = view_of(other->work.child);
        return pair_graphs(update, &view, &of_other);
    }
    for (i = 0; own->kind == NODE_CONDITIONAL && i < own->work.conditional.count && answer == OK; i++) {
        view = view_of(own->work.conditional.bodies[i]);
        of_other = view_of(other->work.conditional.bodies[i]);
        answer = pair_graphs(update, &view, &of_other);
    }
    return answer;
}

static void note_pair(struct update *update, struct node *own, struct node *other) {
    struct pairs *all = &update->all;
    all->own = (struct node **)realloc(all->own, (all->count + 1) * sizeof *all->own);
    all->other = (struct node **)realloc(all->other, (all->count + 1) * sizeof *all->other);
    all->own[all->count] = own;
    all->other[all->count++] = other;
}

/* What two nodes do that are paired. */
static int pair_work(struct update *update, struct node *node, struct node *twin) {
    unsigned result;
    int answer;
    if (node->kind != twin->kind)
        return refuse(update, TYPE_CHANGED, twin, NULL);
    if (node->kind == NODE_KERNEL && (is_updatable(node) || is_updatable(twin)))
        return NOT_SUPPORTED;
    result = compare(update, node, twin);
    if (result != 0)
        return refuse(update, result, twin, NULL);
    answer = pair_within(update, node, twin);
    if (answer == OK)
        note_pair(update, node, twin);
    return answer;
}

/* Takes the pairs as they come: first the nodes that no other one waits for, the newest first, then what these wait for. */
static int pair_graphs(struct update *update, const struct view *own, const struct view *other) {
    struct node **lists, **pair_of, **paired_with;
    size_t i, k, taken, found, count = own->count, of_other;
    int answer = OK;
    if (count != other->count)
        return refuse(update, TOPOLOGY_CHANGED, NULL, NULL);
    lists = (struct node **)calloc(4 * count + 1, sizeof *lists);
    pair_of = lists + 2 * count;
    paired_with = lists + 3 * count;
    found = leaves(own, lists);
    of_other = leaves(other, lists + count);
    if (found != of_other)
        answer = refuse(update, TOPOLOGY_CHANGED, of_other > found ? lists[count + found] : NULL, NULL);
    for (i = 0; i < found && answer == OK; i++) {
        pair_of[lists[i]->index] = lists[count + i];
        paired_with[lists[count + i]->index] = lists[i];
    }
    for (taken = 0; taken < found && answer == OK; taken++) {
        struct node *node = lists[taken], *twin = pair_of[node->index];
        if (node->dependency_count != twin->dependency_count)
            answer = refuse(update, TOPOLOGY_CHANGED, twin, NULL);
        else
            answer = pair_work(update, node, twin);
        for (k = 0; k < node->dependency_count && answer == OK; k++) {
            struct node *from = node->dependencies[k], *of_twin = twin->dependencies[k];
            if (carried_by(own->carried, from, node) != carried_by(other->carried, of_twin, twin))
                answer = refuse(update, TOPOLOGY_CHANGED, twin, of_twin);
            else if (pair_of[from->index] == of_twin)
                continue;
            else if (pair_of[from->index] != NULL || paired_with[of_twin->index] != NULL)
                answer = refuse(update, TOPOLOGY_CHANGED, twin, of_twin);
            else {
                pair_of[from->index] = of_twin;
                paired_with[of_twin->index] = from;
                lists[found++] = from;
            }
        }
    }
    if (answer == OK && found < count)
        answer = refuse(update, TOPOLOGY_CHANGED, NULL, NULL);
    free(lists);
    return answer;
}

/* Gives the nodes of an exec the work of those that they are paired with. Attributes stay. */
static void apply(const struct pairs *all) {
    size_t i;
    for (i = 0; i < all->count; i++) {
        if (all->own[i]->kind == NODE_CONDITIONAL)
            all->own[i]->work.conditional.condition = all->other[i]->work.conditional.condition;
        else if (all->own[i]->kind != NODE_GRAPH)
            node_take_work(all->own[i], node_copy(all->other[i]));
    }
}

static int frees_memory_of_others(const struct exec *exec) {
    size_t i;
    for (i = 0; i < exec->count; i++)
        if (exec->nodes[i]->kind == NODE_MEM_FREE && exec->nodes[i]->work.allocation.is_foreign)
            return 1;
    return 0;
}

static int update(struct exec *exec, struct graph *graph, struct update_info *info) {
    struct update update;
    struct view own, other;
    size_t i;
    int answer;
    memset(info, 0, sizeof *info);
    memset(&update, 0, sizeof update);
    if (!object_is(exec, STAND_IN_EXECS) || !object_is(graph, STAND_IN_GRAPHS) || graph->owner != NULL)
        return INVALID_VALUE;
    update.info = info;
    update.uses_priorities = exec->uses_priorities;
    own.count = exec->count;
    own.carried = exec->carried;
    own.nodes = (struct node **)calloc(exec->count + 1, sizeof *own.nodes);
    for (i = 0; i < exec->count; i++)
        own.nodes[exec->nodes[i]->index] = exec->nodes[i];
    other = view_of(graph);
    answer = pair_graphs(&update, &own, &other);
    if (answer == OK) {
        if (exec->work_of == graph->id && frees_memory_of_others(exec))
            note_violation("an exec that frees memory of another graph was updated by the graph that it had last: its launches hang");
        exec->work_of = graph->id;
        apply(&update.all);
        exec_hold_as(exec, graph);
    }
    free(own.nodes);
    free(update.all.own);
    free(update.all.other);
    return answer;
}

DRIVER int cuGraphExecUpdate_v2(struct exec *exec, struct graph *graph, struct update_info *info) {
    struct graph *used, *also_used = NULL;
    int answer;
    ENTER(cuGraphExecUpdate_v2);
    used = begin_use_by(exec);
    if (graph != used)
        also_used = begin_use(graph);
    pthread_mutex_lock(&model_lock);
    answer = update(exec, graph, info);
    pthread_mutex_unlock(&model_lock);
    end_use(also_used);
    end_use(used);
    return answer;
}
