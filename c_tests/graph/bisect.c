/* Searches for what makes a replay bad: with bugs that are seeded in the graphs, and with memory as before. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "cells.h"
#include "nodes.h"

enum { MOST_NODES = 20, NAN_BITS = 0x7fc00000, NEVER = 1 << 20 };

static struct rig rig;
static gc_buffer *cells[CELLS];
static gc_finding findings[8];
static gc_bisect_report report;
static char told[1 << 13];

/* What is good: the words of a cell. */
struct judge {
    const gc_buffer *cell;
    /* No word is this one; or some word is; or the first one is, of each of both cells. */
    uint32_t never, some, first, second;
    const gc_buffer *other;
    /* Replays with these numbers are good whatever they leave: 2 for each second one. 0 for none. */
    uint64_t lenient;
    unsigned calls, stops_at;
    /* Replays from 3 until this number are good. */
    unsigned lucky;
    /* The replay with this number is bad; 0 for none. */
    unsigned unlucky;
};

static int32_t judge_replay(uint64_t replay, uint64_t most, void *user_data) {
    struct judge *judge = (struct judge *)user_data;
    uint32_t words[WORDS];
    unsigned i;
    CHECK(replay < most && replay == judge->calls);
    if (++judge->calls == judge->stops_at)
        return -1;
    if (replay >= 3 && replay < judge->lucky)
        return 1;
    if (judge->unlucky != 0 && replay == judge->unlucky)
        return 0;
    if (judge->lenient != 0 && replay % judge->lenient == 0)
        return 1;
    if (judge->cell == NULL)
        return 0;
    for (i = 0; i < WORDS; i++)
        words[i] = read_u32(rig.stream, judge->cell, i);
    if (judge->first != 0)
        return words[0] == judge->first && (judge->other == NULL || read_u32(rig.stream, judge->other, 0) == judge->second);
    for (i = 0; i < WORDS; i++)
        if (words[i] == (judge->some != 0 ? judge->some : judge->never))
            return judge->some != 0;
    return judge->some == 0;
}

static struct judge judge_of(const gc_buffer *cell, uint32_t never, uint32_t first) {
    struct judge judge;
    memset(&judge, 0, sizeof judge);
    judge.cell = cell;
    judge.never = never;
    judge.first = first;
    return judge;
}

static struct judge never_has(const gc_buffer *cell, uint32_t word) { return judge_of(cell, word, 0); }
static struct judge begins_with(const gc_buffer *cell, uint32_t word) { return judge_of(cell, 0, word); }

static void take_text(const char *text, void *user_data) {
    CHECK(user_data != NULL && strlen(text) < sizeof told);
    strncpy(told, text, sizeof told - 1);
}

static gc_bisect_options options_of(void) {
    gc_bisect_options options = GRAPHCAP_BISECT_OPTIONS_INIT;
    options.text = take_text;
    return options;
}

/* The outcome of a search, which leaves memory as it was. */
static gc_bisect_outcome bisect_with(const gc_graph *graph, const gc_bisect_options *options, struct judge *judge) {
    const gc_bisect_report none = GRAPHCAP_BISECT_REPORT_INIT;
    report = none;
    memset(findings, 0xff, sizeof findings);
    set_cells(&rig, cells);
    CHECK_OK(gc_graph_bisect(graph, options, judge_replay, judge, findings, LENGTH_OF(findings), &report));
    cells_are_as_before(&rig, cells);
    CHECK(report.finding_count >= LENGTH_OF(findings) || findings[report.finding_count].kind == 0);
    CHECK(report.node_count == nodes_of(graph) && report.replay_count <= judge->calls);
    return report.outcome;
}

static gc_bisect_outcome bisect(const gc_graph *graph, struct judge judge) {
    const gc_bisect_options options = options_of();
    return bisect_with(graph, &options, &judge);
}

static int is_found(unsigned at, gc_finding_kind kind, gc_node node, gc_node other, uint32_t value) {
    const gc_finding *finding = &findings[at];
    return finding->kind == kind && finding->severity == GRAPHCAP_SEVERITY_ERROR && finding->node == node && finding->other == other
        && finding->value == value;
}

static gc_node copy_node(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned to, unsigned from) {
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(cells[to], 0, cells[from], 0, WORDS * 4);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, dependencies, count, &copy, &node));
    return node;
}

/* cells[0][0] = 1.0; cells[1][5] = NaN; cells[2] = cells[1]; cells[3][0] += 1. */
static gc_graph *with_a_nan(gc_node *nodes) {
    gc_graph *graph = open_graph(rig.context);
    nodes[0] = fill_node(&rig, graph, NULL, 0, cells[0], 0, 0x3f800000);
    nodes[1] = fill_node(&rig, graph, nodes, 1, cells[1], 5, NAN_BITS);
    nodes[2] = copy_node(graph, &nodes[1], 1, 2, 1);
    nodes[3] = add_node(&rig, graph, &nodes[2], 1, cells[3], 0, 1);
    return graph;
}

static void a_kernel_that_writes_a_nan_is_found(void) {
    gc_node nodes[4];
    gc_graph *graph = with_a_nan(nodes);
    CHECK(bisect(graph, never_has(cells[2], NAN_BITS)) == GRAPHCAP_BISECT_NODES);
    CHECK(report.finding_count == 2 && report.confirmed == 1 && report.stopped == 0 && report.always_on_count == 0);
    CHECK(report.recorded_bad == 3 && report.recorded_count == 3);
    CHECK(report.bytes_saved >= WORDS * 4 && report.bytes_saved <= 4 * WORDS * 4);
    CHECK(is_found(0, GRAPHCAP_FINDING_MAKES_BAD, nodes[1], 0, 1) && is_found(1, GRAPHCAP_FINDING_MAKES_BAD, nodes[2], 0, 1));
    CHECK(check_contains(told, "3 of 3 replays of the graph were bad") && check_contains(told, "with all nodes off but 2"));
    CHECK(check_contains(told, "a replay is good when it alone is off"));
    /* Where one looks at what the kernel itself writes, it is alone. */
    CHECK(bisect(graph, never_has(cells[1], NAN_BITS)) == GRAPHCAP_BISECT_NODES);
    CHECK(report.finding_count == 1 && findings[0].node == nodes[1]);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Each node of the chain adds to what the one before left. Where the first bad one is `cause`, it and all behind it are needed. */
static void a_chain_costs_few_replays_for_each_node(void) {
    enum { LENGTH = 300 };
    static gc_node nodes[LENGTH];
    static const unsigned causes[] = {0, LENGTH / 2, LENGTH - 1};
    const gc_bisect_options options = GRAPHCAP_BISECT_OPTIONS_INIT;
    unsigned i, at;
    for (i = 0; i < LENGTH_OF(causes); i++) {
        gc_graph *graph = open_graph(rig.context);
        const unsigned needed = LENGTH - causes[i];
        struct judge judge = never_has(cells[0], NAN_BITS);
        for (at = 0; at < LENGTH; at++)
            nodes[at] = at < causes[i] ? add_node(&rig, graph, nodes + at - (at != 0), at != 0, cells[1], 0, 1)
                      : at == causes[i] ? fill_node(&rig, graph, nodes + at - (at != 0), at != 0, cells[0], 0, NAN_BITS - needed + 1)
                                       : add_node(&rig, graph, &nodes[at - 1], 1, cells[0], 0, 1);
        CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_NODES && report.finding_count == needed);
        CHECK(report.confirmed == 1 && report.replay_count < 6 * needed + 100 && findings[0].node == nodes[causes[i]]);
        CHECK_OK(gc_graph_destroy(graph));
    }
}

/* Either of two kernels writes it, so that the other one is bad without it: the first one is told. */
static void the_first_of_two_bad_kernels_is_found(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[3];
    unsigned i;
    for (i = 0; i < 3; i++)
        nodes[i] = fill_node(&rig, graph, nodes, i, cells[1], i, i == 0 ? 5 : NAN_BITS);
    CHECK(bisect(graph, never_has(cells[1], NAN_BITS)) == GRAPHCAP_BISECT_NODES && report.finding_count == 1);
    CHECK(is_found(0, GRAPHCAP_FINDING_MAKES_BAD, nodes[1], 0, 0));
    CHECK(check_contains(told, "a replay stays bad when it alone is off"));
    CHECK_OK(gc_graph_destroy(graph));
}

static void kernels_that_are_bad_together_are_found(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[MOST_NODES];
    unsigned i;
    for (i = 0; i < MOST_NODES; i++)
        nodes[i] = add_node(&rig, graph, i == 0 ? NULL : &nodes[i - 1], i != 0, cells[i == 3 || i == 14 ? 0 : 1], 0, 100 + i);
    /* 11 + 103 + 114: neither of the two alone. */
    CHECK(bisect(graph, never_has(cells[0], 228)) == GRAPHCAP_BISECT_NODES && report.finding_count == 2);
    CHECK(is_found(0, GRAPHCAP_FINDING_MAKES_BAD, nodes[3], 0, 1) && is_found(1, GRAPHCAP_FINDING_MAKES_BAD, nodes[14], 0, 1));
    CHECK(report.replay_count < 80);
    CHECK_OK(gc_graph_destroy(graph));
}

/* A copy has to wait for the last kernel of a chain, and does not. It was made first and runs first. */
static void a_lost_edge_is_found(void) {
    gc_graph *graph = open_graph(rig.context);
    const gc_node copy = copy_node(graph, NULL, 0, 1, 0);
    gc_node nodes[MOST_NODES], last;
    unsigned i;
    for (i = 0; i < MOST_NODES; i++)
        nodes[i] = add_node(&rig, graph, i == 0 ? NULL : &nodes[i - 1], i != 0, cells[2], i % WORDS, 1);
    last = fill_node(&rig, graph, &nodes[MOST_NODES - 1], 1, cells[0], 0, 77);
    CHECK(bisect(graph, begins_with(cells[1], 77)) == GRAPHCAP_BISECT_ORDER && report.finding_count == 1);
    CHECK(is_found(0, GRAPHCAP_FINDING_EDGE_MISSING, copy, last, 0) && report.confirmed == 1);
    CHECK(check_contains(told, "a replay is good with one more edge:") && check_contains(told, "has to wait for"));
    CHECK_OK(gc_graph_add_dependencies(graph, &last, &copy, NULL, 1));
    CHECK(bisect(graph, begins_with(cells[1], 77)) == GRAPHCAP_BISECT_GOOD);
    CHECK_OK(gc_graph_destroy(graph));
}

/* A replay that is bad by chance makes the search suspect another edge, which is not told in the end. */
static void an_edge_of_one_unlucky_replay_is_left_out(void) {
    NOT_ON_CUDA("the order of nodes that nothing orders is the host device's");
    gc_graph *graph = open_graph(rig.context);
    const gc_node copy = copy_node(graph, NULL, 0, 1, 0);
    const gc_bisect_options options = options_of();
    struct judge judge = begins_with(cells[1], 77);
    gc_node fill;
    unsigned i;
    for (i = 0; i < 6; i++)
        CHECK(add_node(&rig, graph, NULL, 0, cells[2], i, 1) != 0);
    fill = fill_node(&rig, graph, NULL, 0, cells[0], 0, 77);
    for (i = 8; i <= 13; i++) {
        judge.calls = 0;
        judge.unlucky = i;
        CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_ORDER && report.finding_count == 1 && report.confirmed == 1);
        CHECK(is_found(0, GRAPHCAP_FINDING_EDGE_MISSING, copy, fill, 0));
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* One thread runs the first node and what waits for it before the others, which were made before that. */
static void two_lost_edges_are_found(void) {
    NOT_ON_CUDA("the order of nodes that nothing orders is the host device's");
    gc_graph *graph = open_graph(rig.context);
    const gc_node first = add_node(&rig, graph, NULL, 0, cells[1], 3, 1), second = fill_node(&rig, graph, NULL, 0, cells[0], 0, 77);
    const gc_node third = fill_node(&rig, graph, NULL, 0, cells[2], 0, 88), between = add_node(&rig, graph, &third, 1, cells[0], 5, 1);
    const gc_node copies[] = {copy_node(graph, &first, 1, 1, 0), copy_node(graph, &first, 1, 3, 2)};
    struct judge judge = begins_with(cells[1], 77);
    const gc_bisect_options options = options_of();
    judge.other = cells[3];
    judge.second = 88;
    CHECK(between != 0);
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_ORDER && report.finding_count == 2);
    CHECK(is_found(0, GRAPHCAP_FINDING_EDGE_MISSING, copies[0], second, 0));
    CHECK(is_found(1, GRAPHCAP_FINDING_EDGE_MISSING, copies[1], third, 0));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Copies are bad when all of them run before what they copy is written: no order that is tried has that, and the device's has. */
static void an_edge_is_found_that_orders_do_not_tell(void) {
    NOT_ON_CUDA("the order of nodes that nothing orders is the host device's");
    gc_graph *graph = open_graph(rig.context);
    const gc_node first = add_node(&rig, graph, NULL, 0, cells[2], 0, 1);
    const gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[1], 0);
    gc_node fills[WORDS], copies[WORDS];
    unsigned i;
    for (i = 0; i < WORDS; i++)
        fills[i] = fill_node(&rig, graph, NULL, 0, cells[0], i, 77);
    for (i = 0; i < WORDS; i++) {
        const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(cells[1], i * 4, cells[0], i * 4, 4);
        CHECK_OK(gc_graph_add_memcpy_node(graph, &first, 1, &copy, &copies[i]));
    }
    judge.some = 77;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_ORDER && report.finding_count == 1 && report.confirmed == 1);
    CHECK(is_found(0, GRAPHCAP_FINDING_EDGE_MISSING, copies[WORDS - 1], fills[WORDS - 1], 0));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_good_graph_is_told(void) {
    gc_node nodes[4];
    gc_graph *graph = with_a_nan(nodes);
    gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[0], NAN_BITS);
    CHECK(bisect(graph, judge) == GRAPHCAP_BISECT_GOOD && report.finding_count == 0);
    CHECK(report.recorded_count == 3 && report.recorded_bad == 0 && report.replay_count == 3);
    CHECK(check_contains(told, "no replay was bad"));
    options.repeats = 7;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_GOOD && report.replay_count == 7 && judge.calls == 7);
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_is_bad_now_and_then_is_told(void) {
    gc_node nodes[4];
    gc_graph *graph = with_a_nan(nodes);
    const gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[2], NAN_BITS);
    /* Each second replay is bad if it has the NaN. */
    judge.lenient = 2;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_NODES && report.finding_count == 2);
    CHECK(findings[0].node == nodes[1] && findings[1].node == nodes[2] && report.confirmed == 1);
    CHECK(report.recorded_bad == 1 && report.recorded_count == 3 && check_contains(told, "it is not the same in each replay"));
    /* And whatever it has. */
    judge = never_has(NULL, 0);
    judge.lenient = 2;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_UNKNOWN && report.finding_count == 0);
    CHECK(report.recorded_bad == 1 && check_contains(told, "it was not found what makes a replay bad"));
    CHECK_OK(gc_graph_destroy(graph));
}

/* The caller compares with the right result, so that a replay that does nothing is bad. */
static void a_node_that_is_too_many_is_found(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[4];
    nodes[0] = fill_node(&rig, graph, NULL, 0, cells[0], 0, 7);
    nodes[1] = copy_node(graph, nodes, 1, 1, 0);
    nodes[2] = add_node(&rig, graph, &nodes[1], 1, cells[1], 0, 1);
    nodes[3] = add_node(&rig, graph, &nodes[2], 1, cells[2], 0, 1);
    CHECK(bisect(graph, begins_with(cells[1], 7)) == GRAPHCAP_BISECT_WITHOUT && report.finding_count == 1);
    CHECK(is_found(0, GRAPHCAP_FINDING_GOOD_WITHOUT, nodes[2], 0, 0));
    CHECK(check_contains(told, "a replay is bad also with all nodes off, and good without any one of these:"));
    CHECK(bisect(graph, begins_with(cells[1], NEVER)) == GRAPHCAP_BISECT_UNKNOWN && report.finding_count == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_search_ends_early(void) {
    gc_node nodes[4];
    gc_graph *graph = with_a_nan(nodes);
    gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[2], NAN_BITS);
    judge.stops_at = 2;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_UNKNOWN && report.stopped == 1 && report.replay_count == 1);
    CHECK(check_contains(told, "stopped before the end") && strstr(told, "cannot be copied") == NULL);
    judge = never_has(cells[2], NAN_BITS);
    judge.stops_at = 1;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_UNKNOWN && check_contains(told, "no replay was judged"));
    /* Two good replays are told to be good. */
    judge = never_has(cells[0], NAN_BITS);
    options.max_replays = 2;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_GOOD && report.stopped == 1 && report.recorded_count == 2);
    CHECK(check_contains(told, "no replay was bad") && strstr(told, "cannot") == NULL && strstr(told, "not the same") == NULL);
    /* Before the first answer about nodes nothing is known of them; then they are told, and what was not tried is not. */
    judge = never_has(cells[2], NAN_BITS);
    options.max_replays = 5;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_UNKNOWN && report.finding_count == 0 && report.recorded_bad == 3);
    judge = never_has(cells[2], NAN_BITS);
    options.max_replays = 6;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_NODES && report.finding_count == 4 && findings[0].value == 2);
    CHECK(strstr(told, "alone is off") == NULL);
    /* What is known by then is told: the three last replays find the smallest set, and the end is not confirmed. */
    judge = never_has(cells[2], NAN_BITS);
    options.max_replays = 9;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_NODES && report.stopped == 1 && report.replay_count == 9);
    CHECK(report.finding_count >= 2 && report.finding_count <= 4 && report.confirmed == 0 && judge.calls == 9);
    CHECK_OK(gc_graph_destroy(graph));
}

/* All orders are good by luck, for so many replays, and no edge is found. */
static void after_a_lucky_order_nodes_are_looked_at(void) {
    gc_graph *graph = open_graph(rig.context);
    const gc_node first = fill_node(&rig, graph, NULL, 0, cells[0], 0, NAN_BITS);
    const gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[0], NAN_BITS);
    CHECK(fill_node(&rig, graph, NULL, 0, cells[1], 0, 5) != 0);
    judge.lucky = 39;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_NODES && report.finding_count == 1);
    CHECK(findings[0].node == first && report.confirmed == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

static int32_t judge_and_destroy(uint64_t replay, uint64_t most, void *user_data) {
    gc_graph **graph = (gc_graph **)user_data;
    (void)most;
    if (replay == 0)
        CHECK_OK(gc_graph_destroy(*graph));
    return 0;
}

static void the_judge_may_destroy_the_graph(void) {
    gc_node nodes[4];
    gc_graph *graph = with_a_nan(nodes);
    set_cells(&rig, cells);
    CHECK_OK(gc_graph_bisect(graph, NULL, judge_and_destroy, &graph, findings, LENGTH_OF(findings), &report));
    CHECK(report.outcome == GRAPHCAP_BISECT_UNKNOWN && report.recorded_bad == 3);
    cells_are_as_before(&rig, cells);
}

static void add_one(void *user_data) { ++*(unsigned *)user_data; }

static void nodes_that_cannot_be_off_are_told(void) {
    gc_node nodes[4], host = 0;
    gc_graph *graph = with_a_nan(nodes);
    gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[2], NAN_BITS);
    unsigned calls = 0;
    CHECK_OK(gc_graph_add_host_node(graph, nodes, 1, add_one, &calls, NULL, &host));
    CHECK_STATUS(gc_graph_bisect(graph, &options, judge_replay, &judge, NULL, 0, &report), GRAPHCAP_ERROR_NOT_SUPPORTED);
    options.permits = GRAPHCAP_PERMIT_HOST_FUNCTIONS;
    CHECK(bisect_with(graph, &options, &judge) == GRAPHCAP_BISECT_NODES && report.finding_count == 2);
    CHECK(report.always_on_count == 1 && report.unknown_count >= 1 && calls == report.replay_count);
    CHECK(check_contains(told, "1 of 5 nodes cannot be switched off"));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_graph_that_cannot_be_copied_is_not_tried_in_order(void) {
    gc_node nodes[4];
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &nodes[0], &memory));
    nodes[1] = fill_node(&rig, graph, nodes, 1, cells[0], 0, NAN_BITS);
    nodes[2] = fill_node(&rig, graph, nodes, 1, cells[1], 0, 5);
    CHECK_OK(gc_graph_add_mem_free_node(graph, &nodes[1], 2, memory, &nodes[3]));
    CHECK(bisect(graph, never_has(cells[0], NAN_BITS)) == GRAPHCAP_BISECT_NODES && report.finding_count == 1);
    CHECK(findings[0].node == nodes[1] && report.always_on_count == 2 && check_contains(told, "cannot be copied"));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

static void memory_without_room_and_wrong_options_are_refused(void) {
    gc_node nodes[4];
    gc_graph *graph = with_a_nan(nodes);
    gc_bisect_options options = options_of();
    struct judge judge = never_has(cells[0], NAN_BITS);
    const gc_bisect_report none = GRAPHCAP_BISECT_REPORT_INIT;
    set_cells(&rig, cells);
    options.max_bytes = WORDS * 4;
    report = none;
    CHECK_MESSAGE(gc_graph_bisect(graph, &options, judge_replay, &judge, NULL, 0, &report), GRAPHCAP_ERROR_OUT_OF_MEMORY, "bytes");
    CHECK(judge.calls == 0);
    cells_are_as_before(&rig, cells);
    CHECK_MESSAGE(gc_graph_bisect(graph, NULL, NULL, NULL, NULL, 0, &report), GRAPHCAP_ERROR_INVALID_VALUE, "is_good");
    options.permits = 1u << 20;
    CHECK_STATUS(gc_graph_bisect(graph, &options, judge_replay, &judge, NULL, 0, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The last node stores at no memory. The context is lost. */
static void a_fault_ends_the_search(void) {
    NOT_ON_CUDA("a fault ends the use of the GPU");
    gc_graph *graph = open_graph(rig.context);
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const uint64_t beyond = UINT64_C(1) << 20;
    const uint32_t value = 9;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(beyond), GRAPHCAP_ARG_INIT_VALUE(value)};
    gc_kernel *store = get_kernel(rig.module, "checked_store");
    struct judge judge = never_has(cells[0], NAN_BITS);
    gc_node node = 0;
    CHECK_OK(gc_graph_add_kernel_node(graph, NULL, 0, store, &config, arguments, 2, &node));
    CHECK_MESSAGE(gc_graph_bisect(graph, NULL, judge_replay, &judge, NULL, 0, &report), GRAPHCAP_ERROR_ILLEGAL_ADDRESS,
                  "replay 0 of the graph as it is failed");
    CHECK(judge.calls == 0);
    CHECK_OK(gc_kernel_destroy(store));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    /* So that the host device runs nodes that nothing orders one after another, always in the same order. */
    CHECK(setenv("GRAPHCAP_HOST_THREADS", "1", 1) == 0);
    rig_open(&rig);
    open_cells(&rig, cells);
    RUN(a_kernel_that_writes_a_nan_is_found);
    RUN(a_chain_costs_few_replays_for_each_node);
    RUN(the_first_of_two_bad_kernels_is_found);
    RUN(kernels_that_are_bad_together_are_found);
    RUN(a_lost_edge_is_found);
    RUN(an_edge_of_one_unlucky_replay_is_left_out);
    RUN(two_lost_edges_are_found);
    RUN(an_edge_is_found_that_orders_do_not_tell);
    RUN(a_good_graph_is_told);
    RUN(what_is_bad_now_and_then_is_told);
    RUN(a_node_that_is_too_many_is_found);
    RUN(a_search_ends_early);
    RUN(after_a_lucky_order_nodes_are_looked_at);
    RUN(the_judge_may_destroy_the_graph);
    RUN(nodes_that_cannot_be_off_are_told);
    RUN(a_graph_that_cannot_be_copied_is_not_tried_in_order);
    RUN(memory_without_room_and_wrong_options_are_refused);
    RUN(a_fault_ends_the_search);
    close_cells(cells);
    rig_close(&rig);
    return check_finish();
}
