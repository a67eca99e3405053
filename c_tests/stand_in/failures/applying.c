/* Each call of the driver fails once: an exec comes to do what a graph does, by each way, and is launched. */
#include "built.h"

static void set_nodes(struct program *it, uint32_t number) {
    struct work work;
    work_fill(&work, it, number, 16);
    it->given++;
    STEP(gc_node_set_kernel(it->graph, it->nodes[KERNEL], it->add, &work.config, work.arguments, 3));
    STEP(gc_node_set_memcpy(it->graph, it->nodes[MEMCPY], &work.copy));
    STEP(gc_node_set_memset(it->graph, it->nodes[MEMSET], &work.set));
    STEP(gc_node_set_host(it->graph, it->nodes[HOST], be_called, it, be_destroyed));
    STEP(gc_node_set_batch_mem_op(it->graph, it->nodes[MEM_OP], &work.operation, 1));
    STEP(gc_node_set_event_record(it->graph, it->nodes[EVENT_RECORD], it->join_event));
    STEP(gc_node_set_event_wait(it->graph, it->nodes[EVENT_WAIT], it->join_event));
}

/* The graph gets a node, so that the exec is made anew, behind its launches on two streams. */
static void apply_anew(struct program *it) {
    gc_node node = 0;
    gc_status status;
    STEP(gc_graph_add_empty_node(it->graph, NULL, 0, &node));
    status = gc_graph_exec_apply(it->exec, it->graph, NULL, NULL);
    /* Where no mark can be put behind a launch, that is what is told. */
    if (status == GRAPHCAP_ERROR_ILLEGAL_STATE && stand_in.failed() != NULL && check_contains(last_message(), "how far it is"))
        has_failed = 1;
    else
        check_step(__FILE__, __LINE__, "gc_graph_exec_apply()", status);
}

static void apply(struct program *it) {
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    STEP(gc_graph_launch(it->exec, it->side));
    STEP(gc_graph_launch(it->exec, it->stream));
    set_nodes(it, 2);
    options.flags = GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE;
    STEP(gc_graph_exec_apply(it->exec, it->graph, &options, NULL));
    set_nodes(it, 3);
    options.flags = GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET;
    STEP(gc_graph_exec_apply(it->exec, it->graph, &options, NULL));
    STEP(gc_graph_exec_set_node_enabled(it->exec, it->nodes[MEMCPY], 0));
    apply_anew(it);
    /* What is refused is as it was. */
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    STEP(gc_stream_synchronize(it->side));
    it->to_call += 3;
    CHECK_OK(gc_graph_destroy(it->child));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    it->child = it->graph = NULL;
    it->exec = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject applying = {make_and_build, apply, give_back, 150, 150};
    return fail_calls_of(&applying);
}
