/* Each call of the driver fails once: the nodes of a graph that was built by hand are changed and removed. */
#include "built.h"

static void prepare(struct program *it) {
    make_and_build(it);
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
}

static void edit(struct program *it) {
    struct work work;
    const gc_graph *graph = it->graph;
    const gc_node *nodes = it->nodes;
    gc_graph *within = NULL, *containing = NULL;
    gc_node found = 0;
    work_fill(&work, it, 3, 0);
    it->given++;
    STEP(gc_node_set_kernel(graph, nodes[KERNEL], it->add, &work.config, work.arguments, 3));
    STEP(gc_node_set_memcpy(graph, nodes[MEMCPY], &work.copy));
    STEP(gc_node_set_memset(graph, nodes[MEMSET], &work.set));
    STEP(gc_node_set_host(graph, nodes[HOST], be_called, it, be_destroyed));
    STEP(gc_node_set_batch_mem_op(graph, nodes[MEM_OP], &work.operation, 1));
    STEP(gc_node_set_event_record(graph, nodes[EVENT_RECORD], it->join_event));
    STEP(gc_node_set_event_wait(graph, nodes[EVENT_WAIT], it->join_event));
    STEP(gc_node_get_graph(graph, nodes[CHILD], 0, &within));
    STEP(gc_graph_add_empty_node(within, NULL, 0, &found));
    STEP(gc_node_get_containing_graph(graph, found, &containing));
    STEP(gc_graph_remove_node(within, found));
    if (is_new)
        STEP(gc_node_set_child(graph, nodes[CHILD], it->child));
    STEP(gc_graph_remove_node(graph, nodes[HOST]));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    it->to_call++;
    CHECK_OK(gc_graph_destroy(it->child));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    CHECK_OK(gc_graph_destroy(containing));
    CHECK_OK(gc_graph_destroy(within));
    it->child = it->graph = NULL;
    it->exec = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject editing = {prepare, edit, give_back, 100, 110};
    return fail_calls_of(&editing);
}
