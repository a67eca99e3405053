/* Each call of the driver fails once: a graph is verified and stepped, and its candidates are measured. */
#include "built.h"

static void prepare(struct program *it) {
    make_objects(it);
    make_events(it);
}

/* Verifying compares all bytes of both, so that they are cleared: twice, as one of the calls may fail. */
static void clear(struct program *it) {
    int round;
    for (round = 0; round < 2; round++) {
        STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 1, 64));
        STEP(gc_stream_memset(it->stream, it->copy, 0, 0, 1, 64));
    }
    STEP(gc_stream_synchronize(it->stream));
}

/* Two nodes that have nothing to do with each other, one behind the other. */
static void build_chain(struct program *it) {
    const gc_memset_params one = GRAPHCAP_MEMSET_INIT(it->buffer, 0, 1, 4, 1, 1, 0);
    const gc_memset_params other = GRAPHCAP_MEMSET_INIT(it->copy, 0, 2, 4, 1, 1, 0);
    gc_node node = 0;
    STEP(gc_graph_create(it->context, &it->child));
    STEP(gc_graph_add_memset_node(it->child, NULL, 0, &one, &node));
    STEP(gc_graph_add_memset_node(it->child, &node, 1, &other, &node));
}

/* Bad always, so that all is tried. */
static int32_t is_good(uint64_t replay, uint64_t max_replays, void *user_data) {
    (void)user_data;
    CHECK(replay < max_replays);
    return 0;
}

static void use_graph(struct program *it) {
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_step_options step = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_step_report stepped = GRAPHCAP_STEP_REPORT_INIT;
    gc_bisect_options bisect = GRAPHCAP_BISECT_OPTIONS_INIT;
    gc_bisect_report bisected = GRAPHCAP_BISECT_REPORT_INIT;
    gc_optimize_options optimize = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_report optimized_report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *optimized = NULL;
    clear(it);
    build_chain(it);
    options.orders = 1;
    STEP(gc_graph_verify(it->child, &options, &report));
    CHECK(has_failed || (report.finding == GRAPHCAP_VERIFY_NOTHING && report.node_count == 2));
    step.flags = GRAPHCAP_STEP_SUMMARIZE;
    STEP(gc_graph_step(it->child, &step, NULL, 0, &stepped));
    CHECK(has_failed || (stepped.run_count == 2 && stepped.finding_count == 0));
    bisect.repeats = 1;
    STEP(gc_graph_bisect(it->child, &bisect, is_good, NULL, NULL, 0, &bisected));
    CHECK(has_failed || bisected.outcome == GRAPHCAP_BISECT_UNKNOWN);
    optimize.flags = GRAPHCAP_OPTIMIZE_MEASURE;
    STEP(gc_graph_optimize(it->child, &optimize, &optimized, NULL, &optimized_report));
    CHECK(has_failed || optimized_report.candidate_count == 2);
    CHECK_OK(gc_graph_destroy(optimized));
    CHECK_OK(gc_graph_destroy(it->child));
    it->child = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject verifying = {prepare, use_graph, give_back, 100, 150};
    return fail_calls_of(&verifying);
}
