/* Each call of the driver fails once: a condition is set from device memory, by a kernel of graphcap's own. */
#include "failures.h"

static void prepare(struct program *it) {
    make_objects(it);
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
}

static void decide_by_a_value(struct program *it) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_condition condition = 0;
    gc_node set = 0, decision = 0;
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create_condition(graph, 0, 0, &condition));
    STEP(gc_graph_add_set_condition_node(graph, NULL, 0, condition, it->buffer, 0, &set));
    STEP(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &decision));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    static const struct subject conditions = {prepare, decide_by_a_value, give_back, 0, 30};
    return fail_calls_of(&conditions);
}
