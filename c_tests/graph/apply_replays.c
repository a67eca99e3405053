/* Execs that are changed with replays behind: NVIDIA's driver replays kernels slower whose grids were changed, so that a new exec pays
 * where many replays are expected. The host device replays all alike. */
#include "nodes.h"

/* So many replays that the kernels are compared. */
enum { MANY = 200, FEW = 20, SOME = 1000 };

static const uint64_t for_ever = UINT64_C(1000000000);
static struct rig rig;
static gc_buffer *buffer;

/* The kernel of each node adds 1 to a word, in `blocks` blocks, of which the first alone finds something to do. */
static const struct kernel_call *call_in_blocks(struct kernel_call *call, uint32_t value, uint32_t blocks) {
    call_add(call, &rig, buffer, 0, value);
    call->config.grid_dim[0] = blocks;
    return call;
}

static gc_graph *open_chain(unsigned count, uint32_t value, uint32_t blocks, gc_node *nodes) {
    gc_graph *graph = open_graph(rig.context);
    struct kernel_call call;
    unsigned i;
    for (i = 0; i < count; i++)
        REQUIRE_OK(add_kernel(graph, i > 0 ? &nodes[i - 1] : NULL, i > 0, call_in_blocks(&call, value, blocks), &nodes[i]));
    return graph;
}

static gc_graph_exec_apply_report apply(const gc_graph_exec *exec, const gc_graph *graph, uint64_t replays, uint32_t flags) {
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    options.flags = flags;
    options.expected_replays = replays;
    CHECK_OK(gc_graph_exec_apply(exec, graph, &options, &report));
    return report;
}

static int is_anew(const gc_graph_exec_apply_report *report) {
    return report->route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW &&
           report->reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS && report->slower_count == 0;
}

static int has_slower(const gc_graph_exec_apply_report *report, uint64_t count) {
    return report->route != GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW && report->slower_count == (on_cuda() ? count : 0);
}

/* The word after one replay, which began with 0. */
static uint32_t replayed(const gc_graph_exec *exec) {
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    replay(&rig, exec);
    return read_u32(rig.stream, buffer, 0);
}

static void other_arguments_cost_no_replay_anything(void) {
    gc_node nodes[MANY];
    gc_graph *graph = open_chain(MANY, 1, 1, nodes), *other = open_chain(MANY, 3, 1, nodes);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_apply_report report = apply(exec, other, for_ever, 0);
    CHECK(has_slower(&report, 0) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE);
    CHECK(replayed(exec) == 3 * MANY);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void other_grids_are_made_anew_where_many_replays_follow(void) {
    gc_node nodes[MANY];
    gc_graph *graph = open_chain(MANY, 1, 1, nodes), *other = open_chain(MANY, 2, 2, nodes);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_apply_report report = apply(exec, other, SOME, GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW);
    CHECK(has_slower(&report, MANY));
    CHECK(replayed(exec) == 2 * MANY);
    /* The old grids do not mend it. */
    report = apply(exec, graph, SOME, GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW);
    CHECK(has_slower(&report, MANY));
    CHECK(replayed(exec) == MANY);
    report = apply(exec, graph, for_ever, GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW);
    CHECK(has_slower(&report, MANY) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING);
    report = apply(exec, graph, for_ever, 0);
    CHECK(on_cuda() ? is_anew(&report) : report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING);
    CHECK(replayed(exec) == MANY);
    /* The new one is as fast as any. */
    report = apply(exec, graph, for_ever, 0);
    CHECK(has_slower(&report, 0) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void few_replays_are_not_worth_a_comparison(void) {
    gc_node nodes[MANY];
    gc_graph *graph = open_chain(MANY, 1, 1, nodes), *other = open_chain(MANY, 2, 2, nodes);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_apply_report report = apply(exec, other, 1, 0);
    CHECK(has_slower(&report, 0) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE);
    CHECK(replayed(exec) == 2 * MANY);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void single_nodes_that_were_set_count(void) {
    gc_node nodes[MANY];
    gc_graph *graph = open_chain(MANY, 1, 1, nodes);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_graph_exec_apply_report report;
    struct kernel_call call;
    CHECK_OK(set_kernel(graph, nodes[3], call_in_blocks(&call, 5, 3)));
    report = apply(exec, graph, SOME, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE | GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW);
    CHECK(has_slower(&report, 1) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET);
    CHECK(replayed(exec) == MANY + 4);
    CHECK_OK(exec_set_kernel(exec, nodes[7], call_in_blocks(&call, 11, 2)));
    CHECK_OK(exec_set_kernel(exec, nodes[8], call_in_blocks(&call, 1, 1)));
    CHECK_OK(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info));
    CHECK(info.slower_count == (on_cuda() ? 2u : 0u));
    CHECK(replayed(exec) == MANY + 14);
    CHECK_OK(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES, &info));
    CHECK(info.slower_count == (on_cuda() ? 2u : 0u));
    CHECK(replayed(exec) == MANY + 4);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void small_execs_and_given_out_ones_are_not_made_anew(void) {
    gc_node nodes[MANY];
    gc_graph *graph = open_chain(FEW, 1, 1, nodes), *other = open_chain(FEW, 2, 2, nodes);
    gc_graph *large = open_chain(MANY, 1, 1, nodes), *other_large = open_chain(MANY, 2, 2, nodes);
    gc_graph_exec *exec = open_exec(graph), *given_out = open_exec(large);
    gc_graph_exec_apply_report report = apply(exec, other, for_ever, 0);
    void *native = NULL;
    CHECK(has_slower(&report, 0) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE);
    CHECK(replayed(exec) == 2 * FEW);
    if (on_cuda()) {
        CHECK_OK(gc_graph_exec_native(given_out, &native));
        report = apply(given_out, other_large, for_ever, 0);
        CHECK(has_slower(&report, MANY) && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE);
        CHECK(replayed(given_out) == 2 * MANY);
    }
    CHECK_OK(gc_graph_exec_destroy(given_out));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other_large));
    CHECK_OK(gc_graph_destroy(large));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(other_arguments_cost_no_replay_anything);
    RUN(other_grids_are_made_anew_where_many_replays_follow);
    RUN(few_replays_are_not_worth_a_comparison);
    RUN(single_nodes_that_were_set_count);
    RUN(small_execs_and_given_out_ones_are_not_made_anew);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
