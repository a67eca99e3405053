/* Each call of the driver fails once: an exec of a graph that was built by hand is made, changed, updated and launched. */
#include "built.h"

static void edit_exec(struct program *it) {
    struct work work;
    const gc_node *nodes = it->nodes;
    int32_t enabled;
    work_fill(&work, it, 2, 16);
    it->given++;
    STEP(gc_graph_exec_set_kernel_node(it->exec, nodes[KERNEL], it->add, &work.config, work.arguments, 3));
    STEP(gc_graph_exec_set_memcpy_node(it->exec, nodes[MEMCPY], &work.copy));
    STEP(gc_graph_exec_set_memset_node(it->exec, nodes[MEMSET], &work.set));
    STEP(gc_graph_exec_set_host_node(it->exec, nodes[HOST], be_called, it, be_destroyed));
    STEP(gc_graph_exec_set_batch_mem_op_node(it->exec, nodes[MEM_OP], &work.operation, 1));
    STEP(gc_graph_exec_set_event_record_node(it->exec, nodes[EVENT_RECORD], it->join_event));
    STEP(gc_graph_exec_set_event_wait_node(it->exec, nodes[EVENT_WAIT], it->join_event));
    STEP(gc_graph_exec_set_child_node(it->exec, nodes[CHILD], it->child));
    STEP(gc_graph_exec_set_node_enabled(it->exec, nodes[MEMCPY], 0));
    STEP(gc_graph_exec_is_node_enabled(it->exec, nodes[MEMCPY], &enabled));
    STEP(gc_graph_exec_update(it->exec, it->graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    STEP(gc_graph_exec_update(it->exec, it->graph, GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES, NULL));
}

static void use_exec(struct program *it) {
    gc_graph_exec *uploaded = NULL, *watched = NULL, *shaped = NULL;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    size_t needed;
    uint32_t flags;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD | GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH;
    options.upload_stream = it->stream;
    STEP(gc_graph_instantiate(it->graph, &options, &uploaded));
    STEP(gc_graph_exec_flags(uploaded, &flags));
    CHECK_OK(gc_graph_exec_destroy(uploaded));
    options.flags = GRAPHCAP_INSTANTIATE_WATCH;
    options.upload_stream = NULL;
    STEP(gc_graph_instantiate(it->graph, &options, &watched));
    STEP(gc_graph_exec_progress(watched, &progress, NULL, 0, &needed));
    CHECK_OK(gc_graph_exec_destroy(watched));
    watched = NULL;
    options.flags |= GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS;
    STEP(gc_graph_instantiate(it->graph, &options, &watched));
    STEP(gc_graph_exec_progress(watched, &progress, NULL, 0, &needed));
    CHECK_OK(gc_graph_exec_destroy(watched));
    options.flags = GRAPHCAP_INSTANTIATE_SHAPE;
    STEP(gc_graph_instantiate(it->graph, &options, &shaped));
    STEP(gc_graph_exec_update(shaped, it->graph, 0, NULL));
    STEP(gc_graph_launch(shaped, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    it->to_call++;
    CHECK_OK(gc_graph_exec_destroy(shaped));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    edit_exec(it);
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    it->to_call++;
    CHECK_OK(gc_graph_destroy(it->child));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    it->child = it->graph = NULL;
    it->exec = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject execs = {make_and_build, use_exec, give_back, 190, 190};
    return fail_calls_of(&execs);
}
