/* Optimized graphs that are chosen by measuring: the fastest candidate is the result, memory is as before, and where nothing must be
 * measured an estimate is used and the reason is told. */
#include "nodes.h"

enum { CELLS = 24, TEXT = 1 << 14 };

static struct rig rig;
static gc_buffer *cells[CELLS];

static void state_all(void) {
    static const uint32_t add[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    CHECK_OK(gc_kernel_set_accesses(rig.add, add, 3));
}

static void take_all_back(void) {
    CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
}

static void cells_become(uint32_t first) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_stream_memset(rig.stream, cells[i], 0, first + i, 4, 1));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void cells_are(uint32_t first) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == first + i);
}

/* Adds a number and then 100 to each of so many cells in turn, on one stream: as many nodes for any number of cells. */
static gc_graph *adding(unsigned number, unsigned different) {
    gc_graph *graph = NULL;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < 2 * CELLS; i++)
        CHECK_OK(launch_add(&rig, rig.stream, cells[i % different], 0, i < CELLS ? number : 100, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

/* Adds 10 and then 100 to each cell. */
static gc_graph *recorded(void) {
    return adding(10, CELLS);
}

static gc_graph *optimized(const gc_graph *graph, const gc_optimize_options *options, gc_optimize_report *report) {
    const gc_optimize_report empty = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *result = NULL;
    *report = empty;
    REQUIRE_OK(gc_graph_optimize(graph, options, &result, NULL, report));
    return result;
}

/* Whether the text has these words. */
static int tells(const gc_graph *graph, const gc_optimize_options *options, const char *words) {
    static char text[TEXT];
    CHECK_OK(gc_graph_optimize_text(graph, options, text, sizeof text, NULL));
    if (strstr(text, words) != NULL)
        return 1;
    fprintf(stderr, "    %s\n", text);
    return 0;
}

static int adds_ends(void) {
    gc_device_kind kind = GRAPHCAP_DEVICE_AUTO;
    CHECK_OK(gc_context_device_kind(rig.context, &kind));
    return kind == GRAPHCAP_DEVICE_CUDA;
}

static void check_candidates(const gc_optimize_report *report, int is_single) {
    uint32_t i;
    CHECK(report->candidate_count >= 2 && report->candidate_count <= GRAPHCAP_OPTIMIZE_CANDIDATES);
    CHECK(report->chosen_candidate < report->candidate_count && report->reserved == 0);
    CHECK(report->candidates[0].edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED && report->candidates[0].added_node_count == 0);
    for (i = 0; i < report->candidate_count; i++) {
        const gc_optimize_candidate *one = &report->candidates[i], *chosen = &report->candidates[report->chosen_candidate];
        CHECK(one->pipelined_ns > 0 && one->single_ns > 0 && one->launch_ns > 0 && one->launch_ns <= one->pipelined_ns);
        CHECK(is_single ? chosen->single_ns <= one->single_ns : chosen->pipelined_ns <= one->pipelined_ns);
        CHECK((one->lanes == 0) == (one->edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED));
        CHECK(i == 0 || one->lanes > report->candidates[i - 1].lanes || one->added_node_count > 0);
    }
    CHECK(report->edges == report->candidates[report->chosen_candidate].edges);
    CHECK(report->lanes == report->candidates[report->chosen_candidate].lanes);
    CHECK(report->added_node_count == report->candidates[report->chosen_candidate].added_node_count);
}

static void the_fastest_is_the_result(void) {
    static const uint32_t ways[] = {GRAPHCAP_OPTIMIZE_MEASURE, GRAPHCAP_OPTIMIZE_MEASURE_SINGLE,
                                    GRAPHCAP_OPTIMIZE_MEASURE | GRAPHCAP_OPTIMIZE_SHAPE_ONLY};
    gc_graph *graph;
    unsigned i;
    state_all();
    graph = recorded();
    for (i = 0; i < 3; i++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_optimize_report report;
        gc_graph *result;
        gc_node nodes[2 * CELLS], found = 0;
        size_t count = 0;
        options.flags = ways[i];
        cells_become(1000);
        result = optimized(graph, &options, &report);
        cells_are(1000);
        if (i < 2) {
            check_candidates(&report, i == 1);
            /* 2, 16, and as many as there are cells. */
            CHECK(report.candidates[report.candidate_count - 1].lanes == CELLS);
            CHECK(report.candidate_count == 4);
        } else {
            /* A chain has one root and one leaf. */
            CHECK(report.candidate_count == 1 && report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED);
        }
        CHECK(report.node_count == 2 * CELLS && report.edges_before == 2 * CELLS - 1 && report.path_before == 2 * CELLS);
        CHECK(nodes_of(result) == report.node_count + report.added_node_count && edges_of(result) == report.edges_after);
        run_graph(&rig, result);
        cells_are(1110);
        CHECK_OK(gc_graph_get_nodes(graph, nodes, 2 * CELLS, &count));
        CHECK(count == 2 * CELLS);
        CHECK_OK(gc_node_find_in_clone(graph, nodes[5], result, &found));
        CHECK(found != 0);
        CHECK_OK(gc_graph_destroy(result));
    }
    {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_optimize_report report;
        gc_graph *result;
        options.flags = GRAPHCAP_OPTIMIZE_MEASURE;
        options.lanes = 2;
        result = optimized(graph, &options, &report);
        CHECK(report.candidate_count == 2 && report.candidates[1].lanes == 2);
        CHECK_OK(gc_graph_destroy(result));
        CHECK(tells(graph, &options, "measured: on 2 lanes") && tells(graph, &options, "; the result"));
    }
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

/* Without an edge: the shape is another candidate where the device gains by it. */
static void the_shape_is_a_candidate(void) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_report report;
    gc_graph *graph = open_graph(rig.context), *result;
    unsigned i;
    state_all();
    for (i = 0; i < CELLS; i++)
        add_node(&rig, graph, NULL, 0, cells[i], 0, 1);
    options.flags = GRAPHCAP_OPTIMIZE_MEASURE | GRAPHCAP_OPTIMIZE_SHAPE_ONLY;
    cells_become(7);
    result = optimized(graph, &options, &report);
    CHECK(report.candidate_count == (adds_ends() ? 2u : 1u));
    CHECK(!adds_ends() || report.candidates[1].added_node_count == 2);
    cells_are(7);
    run_graph(&rig, result);
    cells_are(8);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

/* A measured result has a plan, which makes the same of later graphs without measuring, or tells which conflict is new. */
static void a_measured_result_has_a_plan(void) {
    static const uint32_t ways[] = {GRAPHCAP_OPTIMIZE_MEASURE, GRAPHCAP_OPTIMIZE_MEASURE_SINGLE,
                                    GRAPHCAP_OPTIMIZE_MEASURE | GRAPHCAP_OPTIMIZE_SHAPE_ONLY};
    unsigned i, added = 10;
    state_all();
    for (i = 0; i < 3; i++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT, again = GRAPHCAP_OPTIMIZE_REPORT_INIT;
        gc_graph *first = adding(added, CELLS), *later = adding(++added, CELLS), *closer = adding(1, 1);
        gc_graph *result = NULL, *made = NULL;
        gc_graph_exec *exec;
        gc_plan *plan = NULL;
        options.flags = ways[i];
        cells_become(1000);
        REQUIRE_OK(gc_graph_optimize(first, &options, &result, &plan, &report));
        CHECK(plan != NULL && report.candidate_count > 0);
        cells_are(1000);
        exec = open_exec(result);
        REQUIRE_OK(gc_plan_apply(plan, later, 0, &made, &again));
        CHECK(again.edges == report.edges && again.lanes == report.lanes && again.edges_after == report.edges_after);
        CHECK(again.added_node_count == report.added_node_count && again.path_after == report.path_after);
        CHECK(again.candidate_count == 0);
        cells_are(1000);
        CHECK_OK(gc_graph_exec_update(exec, made, 0, NULL));
        replay(&rig, exec);
        cells_are(1000 + added + 100);
        CHECK_OK(gc_graph_exec_update(exec, result, 0, NULL));
        CHECK_OK(gc_graph_destroy(made));
        made = NULL;
        /* All nodes of this one touch one cell. */
        if (report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED)
            CHECK_OK(gc_plan_apply(plan, closer, 0, &made, NULL));
        else
            CHECK_MESSAGE(gc_plan_apply(plan, closer, 0, &made, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
                          "has to stay behind node");
        CHECK_OK(gc_graph_destroy(made));
        CHECK_OK(gc_plan_destroy(plan));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_graph_destroy(closer));
        CHECK_OK(gc_graph_destroy(later));
        CHECK_OK(gc_graph_destroy(first));
    }
    take_all_back();
}

static void call_back(void *user_data) {
    ++*(unsigned *)user_data;
}

static void what_must_not_be_measured_is_estimated(void) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_report report;
    gc_graph *graph = recorded(), *result;
    gc_node node = 0;
    unsigned calls = 0;
    options.flags = GRAPHCAP_OPTIMIZE_MEASURE;
    cells_become(50);
    /* Nothing is stated of the kernel. */
    result = optimized(graph, &options, &report);
    CHECK(report.candidate_count == 0 && report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED);
    CHECK(tells(graph, &options, "not measured, but estimated: node ") && tells(graph, &options, "gc_kernel_set_accesses()"));
    CHECK_OK(gc_graph_destroy(result));
    state_all();
    /* It may save less than is written. */
    options.max_bytes = CELLS * 16 - 1;
    result = optimized(graph, &options, &report);
    CHECK(report.candidate_count == 0 && report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES && report.path_after == 2);
    CHECK(tells(graph, &options, "allow as many bytes"));
    CHECK_OK(gc_graph_destroy(result));
    options.max_bytes++;
    CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, call_back, &calls, NULL, &node));
    result = optimized(graph, &options, &report);
    CHECK(report.candidate_count == 0 && calls == 0);
    CHECK(tells(graph, &options, "permit host functions"));
    CHECK_OK(gc_graph_destroy(result));
    options.permits = GRAPHCAP_PERMIT_HOST_FUNCTIONS;
    result = optimized(graph, &options, &report);
    CHECK(report.candidate_count > 0 && calls >= 40 * report.candidate_count);
    cells_are(50);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

/* What a replay left, and the most that one did. */
struct seen {
    uint32_t last, most;
};

static void note_most(void *user_data) {
    struct seen *seen = (struct seen *)user_data;
    if (seen->last > seen->most)
        seen->most = seen->last;
}

/* A replay that moves a number on does it once in each trial, so that none walks out of its memory. */
static void each_replay_begins_from_the_same_memory(void) {
    static const uint32_t ways[] = {GRAPHCAP_OPTIMIZE_MEASURE, GRAPHCAP_OPTIMIZE_MEASURE_SINGLE};
    static struct seen seen;
    unsigned i;
    state_all();
    for (i = 0; i < 2; i++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_optimize_report report;
        gc_graph *graph = NULL, *result;
        cells_become(5);
        seen.last = seen.most = 0;
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch_add(&rig, rig.stream, cells[0], 0, 1, 1));
        CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &seen.last, cells[0], 0, sizeof seen.last));
        CHECK_OK(gc_stream_launch_host_func(rig.stream, note_most, &seen, NULL));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        options.flags = ways[i];
        options.permits = GRAPHCAP_PERMIT_HOST_FUNCTIONS;
        result = optimized(graph, &options, &report);
        CHECK(report.candidate_count > 0);
        CHECK(seen.most == 6 && seen.last == 0);
        cells_are(5);
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_graph_destroy(graph));
    }
    take_all_back();
}

int main(void) {
    unsigned i;
    rig_open(&rig);
    for (i = 0; i < CELLS; i++)
        cells[i] = open_buffer(rig.context, 16);
    RUN(the_fastest_is_the_result);
    RUN(the_shape_is_a_candidate);
    RUN(a_measured_result_has_a_plan);
    RUN(what_must_not_be_measured_is_estimated);
    RUN(each_replay_begins_from_the_same_memory);
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
    rig_close(&rig);
    return check_finish();
}
