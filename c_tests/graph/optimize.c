/* Optimized graphs: they do what the recorded ones do, run at once what need not run one after another, and tell what keeps its
 * place and why. --seed 7 --count 1 runs one of the random programs. */
#include "nodes.h"
#include "pools.h"

enum { CELLS = 10, OPERATIONS = 40, STREAMS = 3, TEXT = 1 << 16 };

static struct rig rig, apart;
static gc_buffer *cells[CELLS];
static uint32_t seed;
static unsigned first_round, rounds;

static unsigned random_below(unsigned limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % limit;
}

static void state(const gc_kernel *kernel, const uint32_t *accesses, size_t count) {
    CHECK_OK(gc_kernel_set_accesses(kernel, accesses, count));
}

static void state_all(void) {
    static const uint32_t mix[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE};
    static const uint32_t add[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    static const uint32_t fill[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    state(rig.mix, mix, 4);
    state(rig.add, add, 3);
    state(rig.fill, fill, 3);
}

static void take_all_back(void) {
    state(rig.mix, NULL, 0);
    state(rig.add, NULL, 0);
    state(rig.fill, NULL, 0);
}

static gc_graph *optimized(const gc_graph *graph, uint32_t flags, uint32_t lanes, gc_optimize_report *report) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    const gc_optimize_report empty = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *result = NULL;
    options.flags = flags;
    options.lanes = lanes;
    *report = empty;
    REQUIRE_OK(gc_graph_optimize(graph, &options, &result, NULL, report));
    return result;
}

/* Whether the device gets kernels before all and behind all. */
static int adds_ends(void) {
    gc_device_kind kind = GRAPHCAP_DEVICE_AUTO;
    CHECK_OK(gc_context_device_kind(rig.context, &kind));
    return kind == GRAPHCAP_DEVICE_CUDA;
}

/* A kernel comes behind the node that writes the scalar which its grid comes from. */
static void a_grid_is_read_from_its_scalar(void) {
    gc_optimize_report report;
    gc_scalar *scalar = NULL;
    gc_buffer *block = NULL;
    const uint32_t one = 1;
    int takes_grid, has_grid;
    state_all();
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &one, &scalar));
    {
        size_t offset = 0;
        REQUIRE_OK(gc_scalar_buffer(scalar, &block, &offset));
    }
    for (takes_grid = 0; takes_grid < 2; takes_grid++) {
        const gc_memset_params set = GRAPHCAP_MEMSET_INIT(block, 0, 2, 4, 1, 1, 0);
        gc_graph *graph = open_graph(rig.context), *result;
        gc_node write = 0, add;
        size_t edges = 0;
        REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &write));
        add = add_node(&rig, graph, &write, 1, cells[0], 0, 1);
        has_grid = takes_grid && !is_of_older_driver(gc_node_set_grid_scalar(graph, add, 0, scalar));
        result = optimized(graph, 0, 0, &report);
        CHECK_OK(gc_graph_edge_count(result, &edges));
        CHECK(edges == (size_t)(has_grid ? 1 : adds_ends() ? 4 : 0));
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_buffer_destroy(block));
    CHECK_OK(gc_scalar_destroy(scalar));
}

/* One stream, words of many buffers: what no path of conflicts orders runs at once. */
static void independent_work_gets_no_order(void) {
    gc_optimize_report report;
    gc_graph *graph = NULL, *result;
    size_t roots = 0, edges = 0;
    unsigned i;
    state_all();
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_stream_memset(rig.stream, cells[i], 0, i, 4, 1));
    for (i = 0; i < CELLS; i++)
        CHECK_OK(launch_add(&rig, rig.stream, cells[i], 0, 100, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    result = optimized(graph, 0, 0, &report);
    CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES && report.lanes == CELLS);
    CHECK(report.node_count == 2 * CELLS && report.edges_before == 2 * CELLS - 1);
    CHECK(report.path_before == 2 * CELLS && report.path_after == 2 && report.barrier_count == 0);
    CHECK(report.added_node_count == (adds_ends() ? 2 : 0));
    CHECK(report.edges_after == CELLS + (adds_ends() ? 2 * CELLS : 0));
    CHECK_OK(gc_graph_get_roots(result, NULL, 0, &roots));
    CHECK(roots == (adds_ends() ? 1 : CELLS));
    CHECK_OK(gc_graph_edge_count(result, &edges));
    CHECK(edges == report.edges_after);
    /* The recorded graph is as it was. */
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(edges == 2 * CELLS - 1);
    run_graph(&rig, result);
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == 100 + i);
    CHECK_OK(gc_graph_destroy(result));
    /* On two lanes half of them follow each other. */
    result = optimized(graph, 0, 2, &report);
    CHECK(report.lanes == 2 && report.path_after == CELLS);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

static gc_graph *unstated_chain(unsigned length) {
    gc_graph *graph = NULL;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < length; i++)
        CHECK_OK(launch_add(&rig, rig.stream, cells[i], 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

/* The text, and whether it has all of the words. */
static int tells(const gc_graph *graph, uint32_t flags, const char *first, const char *second) {
    static char text[TEXT];
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    size_t needed = 0;
    options.flags = flags;
    CHECK_OK(gc_graph_optimize_text(graph, &options, text, sizeof text, &needed));
    if (needed != strlen(text) + 1 || strstr(text, first) == NULL || strstr(text, second) == NULL) {
        fprintf(stderr, "    %s\n", text);
        return 0;
    }
    return 1;
}

/* Whether the text has some words. */
static int tells_quietly(const gc_graph *graph, uint32_t flags, const char *words) {
    static char text[TEXT];
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    options.flags = flags;
    CHECK_OK(gc_graph_optimize_text(graph, &options, text, sizeof text, NULL));
    return strstr(text, words) != NULL;
}

enum { REASONS = 16 };

/* The reasons for which nodes stay in order, and how many there are. */
static size_t reasons_of(const gc_graph *graph, uint32_t flags, gc_optimize_reason reasons[REASONS]) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    size_t count = 0, asked = 0;
    options.flags = flags;
    CHECK_OK(gc_graph_optimize_reasons(graph, &options, reasons, REASONS, &count));
    CHECK_OK(gc_graph_optimize_reasons(graph, &options, NULL, 0, &asked));
    CHECK(count == asked);
    return count;
}

/* Whether a reason names that node and no second one, and no bytes. */
static int is_of_place(const gc_optimize_reason *reason, gc_optimize_reason_kind kind, uint32_t parameter, gc_node node) {
    return reason->kind == kind && reason->parameter == parameter && reason->node == node && reason->earlier == 0 &&
           reason->address == 0 && reason->bytes == 0 && reason->earlier_writes == 0 && reason->later_writes == 0 &&
           reason->count == 0;
}

static void what_is_not_known_keeps_its_place(void) {
    gc_optimize_reason reasons[REASONS];
    gc_node nodes[8] = {0};
    size_t count = 0;
    gc_optimize_report report;
    gc_graph *graph = unstated_chain(4), *result = optimized(graph, 0, 0, &report);
    unsigned calls = 0, i;
    CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED && report.lanes == 0);
    CHECK(report.barrier_count == 4 && report.path_after == 4 && report.edges_after == 3 && report.added_node_count == 0);
    CHECK(tells(graph, 0, "kernel \"add\"", "gc_kernel_set_accesses()"));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 8, NULL));
    CHECK(reasons_of(graph, 0, reasons) == 4);
    for (i = 0; i < 4; i++)
        CHECK(is_of_place(&reasons[i], GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL, 0, nodes[i]));
    CHECK(reasons_of(graph, GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, reasons) == 0);
    CHECK(reasons_of(graph, GRAPHCAP_OPTIMIZE_SHAPE_ONLY, reasons) == 0);
    CHECK_STATUS(gc_graph_optimize_reasons(graph, NULL, reasons, 3, &count), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(count == 4 && is_of_place(&reasons[2], GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL, 0, nodes[2]));
    CHECK_OK(gc_graph_destroy(result));
    result = optimized(graph, GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, 0, &report);
    CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES && report.path_after == 1 && report.barrier_count == 0);
    CHECK(tells(graph, GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, "on 4 lanes", "1 nodes on the longest path"));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    /* What the program calls sees all that was recorded before, and all behind waits for it. */
    state_all();
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < 6; i++) {
        CHECK_OK(gc_stream_memset(rig.stream, cells[i], 0, i, 4, 1));
        if (i == 2)
            CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    result = optimized(graph, 0, 0, &report);
    CHECK(report.path_before == 7 && report.path_after == 3 && report.barrier_count == 1);
    CHECK(tells(graph, 0, "host function", "keeps its place"));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 8, NULL));
    CHECK(reasons_of(graph, 0, reasons) == 1 && is_of_place(reasons, GRAPHCAP_OPTIMIZE_REASON_NODE_KIND, 0, nodes[3]));
    run_graph(&rig, result);
    CHECK(calls == 1);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

/* The text tells for which bytes nodes of the longest path stay in order. */
static void what_stays_in_order_is_told_with_its_bytes(void) {
    gc_optimize_reason reasons[REASONS];
    gc_graph *graph = NULL;
    gc_node nodes[3] = {0};
    uint64_t address = 0;
    state_all();
    CHECK_OK(gc_set_name(cells[0], "cell"));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, cells[0], 0, 1, 4, 2));
    CHECK_OK(gc_stream_memset(rig.stream, cells[1], 0, 1, 4, 2));
    CHECK_OK(gc_stream_memset(rig.stream, cells[0], 4, 2, 4, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(tells(graph, 0, "(memset) stays behind node", "both write 4 bytes at"));
    CHECK(tells(graph, 0, "byte 4 of buffer \"cell\"", "2 nodes on the longest path"));
    CHECK(!tells_quietly(graph, GRAPHCAP_OPTIMIZE_SHAPE_ONLY, "stays behind"));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 3, NULL));
    CHECK_OK(gc_buffer_address(cells[0], &address));
    CHECK(reasons_of(graph, 0, reasons) == 1);
    CHECK(reasons[0].kind == GRAPHCAP_OPTIMIZE_REASON_CONFLICT && reasons[0].parameter == 0 && reasons[0].count == 0);
    CHECK(reasons[0].earlier == nodes[0] && reasons[0].node == nodes[2]);
    CHECK(reasons[0].address == address + 4 && reasons[0].bytes == 4);
    CHECK(reasons[0].earlier_writes == 1 && reasons[0].later_writes == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_set_name(cells[0], NULL));
    take_all_back();
}

/* A pool that gives memory again makes an order that the work does not need. */
static void an_order_by_memory_that_is_used_again_is_told(void) {
    const char *advice = "GRAPHCAP_POOL_REUSE_NEVER";
    int32_t reuse;
    for (reuse = GRAPHCAP_POOL_REUSE_ORDERED; reuse <= GRAPHCAP_POOL_REUSE_NEVER; reuse++) {
        gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
        gc_optimize_reason reasons[REASONS];
        gc_pool *pool = NULL;
        gc_graph *graph = NULL;
        int used_again;
        unsigned i;
        options.capacity = (size_t)8 << 20;
        options.reuse = reuse;
        REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
        REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
        for (i = 0; i < 2; i++) {
            gc_buffer *block = NULL;
            REQUIRE_OK(gc_pool_allocate_on_stream(pool, rig.stream, 4096, &block));
            CHECK_OK(gc_stream_memset(rig.stream, block, 0, i, 4, 1024));
            CHECK_OK(gc_buffer_destroy_on_stream(block, rig.stream));
        }
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        used_again = reuse != GRAPHCAP_POOL_REUSE_NEVER && !blocks_lie_apart();
        CHECK(tells_quietly(graph, 0, advice) == used_again);
        CHECK(reasons_of(graph, 0, reasons) == (size_t)used_again);
        CHECK(!used_again || (reasons[0].count == 2 && reasons[0].bytes == 4096));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_pool_destroy(pool));
    }
}

/* Where one buffer ends another one begins: an address there is one of the other. */
static void neighbours_are_not_touched(void) {
    enum { PARTS = 4, BYTES = 256 };
    gc_optimize_report report;
    gc_buffer *whole = open_waitable(rig.context, PARTS * BYTES), *parts[PARTS] = {NULL};
    gc_graph *graph = NULL, *result;
    uint64_t address = 0;
    unsigned i;
    CHECK_OK(gc_buffer_address(whole, &address));
    CHECK_OK(gc_stream_memset(rig.stream, whole, 0, 0, 4, PARTS * BYTES / 4));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* What owns the memory is no buffer of the context that looks. */
    for (i = 0; i < PARTS; i++)
        REQUIRE_OK(gc_buffer_wrap(apart.context, (void *)(uintptr_t)(address + i * BYTES), BYTES, NULL, NULL, &parts[i]));
    REQUIRE_OK(gc_stream_begin_capture(apart.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < PARTS; i++)
        CHECK_OK(launch_add(&apart, apart.stream, parts[i], 0, i + 1, 1));
    REQUIRE_OK(gc_stream_end_capture(apart.stream, &graph));
    result = optimized(graph, GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS, 0, &report);
    CHECK(report.path_after == 1 && report.barrier_count == 0);
    run_graph(&apart, result);
    for (i = 0; i < PARTS; i++) {
        CHECK(read_u32(apart.stream, parts[i], 0) == i + 1);
        CHECK_OK(gc_buffer_destroy(parts[i]));
    }
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(whole));
}

/* An address in memory that was wrapped out of a buffer may be meant as one of either. */
static void overlapping_buffers_count_as_touched_both(void) {
    gc_optimize_report report;
    gc_buffer *whole = open_buffer(rig.context, 64), *part = NULL;
    gc_graph *graph = NULL, *result;
    uint64_t address = 0;
    state_all();
    CHECK_OK(gc_buffer_address(whole, &address));
    REQUIRE_OK(gc_buffer_wrap(rig.context, (void *)(uintptr_t)(address + 16), 16, NULL, NULL, &part));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, whole, 0, 1, 4, 16));
    CHECK_OK(launch_add(&rig, rig.stream, whole, 16, 10, 1));
    CHECK_OK(launch_add(&rig, rig.stream, whole, 0, 100, 1));
    CHECK_OK(launch_add(&rig, rig.stream, part, 4, 1000, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    result = optimized(graph, 0, 0, &report);
    CHECK(report.path_after == 4 && report.barrier_count == 0);
    run_graph(&rig, result);
    CHECK(read_u32(rig.stream, whole, 0) == 101 && read_u32(rig.stream, whole, 4) == 11);
    CHECK(read_u32(rig.stream, whole, 5) == 1001);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(part));
    CHECK_OK(gc_buffer_destroy(whole));
    take_all_back();
}

static void the_shape_alone_can_be_changed(void) {
    gc_optimize_report report;
    gc_graph *graph = open_graph(rig.context), *result, *again = NULL;
    static char json[TEXT];
    gc_node node = 0;
    size_t nodes = 0;
    unsigned i;
    const unsigned wide = 300;
    for (i = 0; i < wide; i++)
        add_node(&rig, graph, NULL, 0, cells[0], i % 4, 0);
    result = optimized(graph, GRAPHCAP_OPTIMIZE_SHAPE_ONLY, 0, &report);
    CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED && report.barrier_count == 0 && report.node_count == wide);
    /* No node gets more than 128 edges: three kernels in between, on either side. */
    CHECK(report.added_node_count == (adds_ends() ? 8 : 0));
    CHECK(report.edges_after == (adds_ends() ? 2 * wide + 6 : 0));
    CHECK_OK(gc_graph_node_count(result, &nodes));
    CHECK(nodes == wide + report.added_node_count);
    run_graph(&rig, result);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    /* The kernels that are added need no binding when the graph is read back. */
    graph = open_graph(rig.context);
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    result = optimized(graph, GRAPHCAP_OPTIMIZE_SHAPE_ONLY, 0, &report);
    CHECK_OK(gc_graph_export_json(result, json, sizeof json, NULL));
    CHECK_OK(gc_graph_import_json(rig.context, json, strlen(json), NULL, 0, &again));
    CHECK_OK(gc_graph_node_count(again, &nodes));
    CHECK(nodes == (adds_ends() ? 4 : 2));
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    /* One root and one leaf stay what they are. */
    graph = unstated_chain(3);
    result = optimized(graph, GRAPHCAP_OPTIMIZE_SHAPE_ONLY, 0, &report);
    CHECK(report.added_node_count == 0 && report.edges_after == 2);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Graphs that are recorded alike come out alike. */
static void an_exec_is_updated_by_a_graph_that_was_optimized_alike(void) {
    gc_optimize_report report;
    gc_graph *recorded[2], *results[2];
    gc_graph_exec *exec;
    unsigned i, k;
    state_all();
    for (k = 0; k < 2; k++) {
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        for (i = 0; i < CELLS; i++)
            CHECK_OK(gc_stream_memset(rig.stream, cells[i], 0, 10 * k + i, 4, 1));
        for (i = 0; i + 1 < CELLS; i += 2)
            CHECK_OK(launch_mix(&rig, rig.stream, cells[i], 0, 0, 0, k));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &recorded[k]));
        results[k] = optimized(recorded[k], 0, 0, &report);
        CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES);
    }
    exec = open_exec(results[0]);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, cells[2], 0) == mixed(2, 2, 0));
    CHECK_OK(gc_graph_exec_update(exec, results[1], 0, NULL));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, cells[2], 0) == mixed(12, 12, 1) && read_u32(rig.stream, cells[3], 0) == 13);
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (k = 0; k < 2; k++) {
        CHECK_OK(gc_graph_destroy(results[k]));
        CHECK_OK(gc_graph_destroy(recorded[k]));
    }
    take_all_back();
}

static void statements_are_checked(void) {
    static const uint32_t all[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE};
    static const uint32_t wrong[] = {GRAPHCAP_ACCESS_DEFAULT, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE};
    static const uint32_t values[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ};
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = unstated_chain(2), *result = (gc_graph *)&report;
    gc_stream *stream = open_stream(rig.context, 0);
    gc_plan *plan = NULL;
    size_t needed = 0;
    CHECK_OK(gc_kernel_set_accesses(rig.mix, all, 4));
    CHECK_STATUS(gc_kernel_set_accesses(rig.mix, all, 3), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_kernel_set_accesses(rig.mix, wrong, 4), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_kernel_set_accesses(rig.mix, values, 4), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_kernel_set_accesses(rig.mix, NULL, 4), GRAPHCAP_ERROR_INVALID_VALUE);
    take_all_back();
    options.flags = 0x40000000u;
    CHECK_STATUS(gc_graph_optimize(graph, &options, &result, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(result == NULL);
    options.flags = GRAPHCAP_OPTIMIZE_IN_PLACE;
    CHECK_STATUS(gc_graph_optimize(graph, &options, &result, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_optimize_text(graph, &options, NULL, 0, &needed), GRAPHCAP_ERROR_INVALID_VALUE);
    options.flags = 0;
    options.permits = 16;
    CHECK_STATUS(gc_graph_optimize(graph, &options, &result, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_optimize(graph, NULL, NULL, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    report.struct_size = 3;
    CHECK_STATUS(gc_graph_optimize(graph, NULL, &result, NULL, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(result == NULL);
    options.permits = 0;
    options.lanes = GRAPHCAP_OPTIMIZE_MAX_LANES;
    CHECK_OK(gc_graph_optimize(graph, &options, &result, NULL, NULL));
    CHECK_OK(gc_graph_destroy(result));
    options.lanes = GRAPHCAP_OPTIMIZE_MAX_LANES + 1;
    CHECK_MESSAGE(gc_graph_optimize(graph, &options, &result, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "lanes");
    options.lanes = UINT32_MAX;
    CHECK_STATUS(gc_graph_optimize_text(graph, &options, NULL, 0, &needed), GRAPHCAP_ERROR_INVALID_VALUE);
    options.lanes = 0;
    REQUIRE_OK(gc_graph_optimize(graph, &options, &result, &plan, NULL));
    CHECK_OK(gc_graph_destroy(result));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_graph_optimize(graph, NULL, &result, NULL, NULL));
    CHECK_OK(gc_graph_destroy(result));
    options.flags = GRAPHCAP_OPTIMIZE_IN_PLACE;
    CHECK_MESSAGE(gc_graph_optimize(graph, &options, NULL, NULL, NULL), GRAPHCAP_ERROR_ILLEGAL_STATE, "in place");
    CHECK_MESSAGE(gc_plan_apply(plan, graph, GRAPHCAP_OPTIMIZE_IN_PLACE, NULL, NULL), GRAPHCAP_ERROR_ILLEGAL_STATE, "in place");
    CHECK_OK(gc_plan_destroy(plan));
    CHECK_OK(gc_stream_end_capture(stream, &result));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    graph = open_graph(rig.context);
    CHECK_OK(gc_graph_optimize(graph, NULL, &result, NULL, NULL));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(stream));
}

/* Where the launch of `mix` may state what it does. */
struct mixing {
    uint32_t out, a, b; /* the access of each buffer */
    size_t offset, size; /* the bytes that `out` is stated of */
};

static void call_stated(struct kernel_call *call, const gc_buffer *out, const gc_buffer *a, const gc_buffer *b, struct mixing stated) {
    gc_kernel_arg of_out = GRAPHCAP_ARG_INIT_BUFFER(out), of_a = GRAPHCAP_ARG_INIT_BUFFER(a), of_b = GRAPHCAP_ARG_INIT_BUFFER(b);
    call_mix(call, &rig, out, 0, 0, 0, 5);
    of_out.offset = stated.offset;
    of_out.access = stated.out;
    of_out.access_offset = stated.offset;
    of_out.access_size = stated.size;
    of_a.access = stated.a;
    of_b.access = stated.b;
    set_argument(call, 0, of_out);
    set_argument(call, 1, of_a);
    set_argument(call, 2, of_b);
}

static void launch_stated(const gc_buffer *out, const gc_buffer *a, const gc_buffer *b, struct mixing stated) {
    struct kernel_call call;
    call_stated(&call, out, a, b, stated);
    CHECK_OK(gc_stream_launch_kernel(rig.stream, call.kernel, &call.config, call.arguments, call.count));
}

/* Nodes on the longest path of the optimized graph. */
static uint64_t path_of(const gc_graph *graph, uint32_t flags) {
    gc_optimize_report report;
    CHECK_OK(gc_graph_destroy(optimized(graph, flags, 0, &report)));
    return report.path_after;
}

/* What a launch states holds for its node: whether something is stated of the kernel or not. */
static void a_launch_states_what_it_does(void) {
    static const struct mixing all = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, 0, 0},
                               some = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_DEFAULT, 0, 0},
                               reads = {GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, 0, 0},
                               writes = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, 0, 0};
    static const struct {
        const struct mixing *stated;
        int is_kernel_stated;
        uint64_t path;
    } cases[] = {{&all, 0, 1}, {&some, 0, 4}, {&reads, 0, 4}, {&writes, 0, 4}, {&all, 1, 1}, {&some, 1, 1}, {&writes, 1, 4}};
    gc_graph *graph, *copy, *outer;
    gc_node nodes[4], child;
    struct kernel_call call;
    unsigned i, k;
    for (k = 0; k < LENGTH_OF(cases); k++) {
        if (cases[k].is_kernel_stated)
            state_all();
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        for (i = 0; i < 4; i++)
            launch_stated(cells[i], cells[8], cells[9], *cases[k].stated);
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        CHECK(path_of(graph, 0) == cases[k].path);
        /* A copy has it too, and a graph that it is a child of. */
        CHECK_OK(gc_graph_clone(graph, &copy));
        CHECK(path_of(copy, 0) == cases[k].path);
        outer = open_graph(rig.context);
        CHECK_OK(gc_graph_add_child_node(outer, NULL, 0, copy, &child));
        CHECK_OK(gc_graph_destroy(copy));
        {
            gc_optimize_report report;
            CHECK_OK(gc_graph_destroy(optimized(outer, 0, 0, &report)));
            CHECK(report.inner_graph_count == 1 && report.inner_changed_count == (cases[k].path == 1));
        }
        CHECK_OK(gc_graph_destroy(outer));
        CHECK_OK(gc_graph_destroy(graph));
        take_all_back();
    }
    /* Nodes that are added and set. */
    graph = open_graph(rig.context);
    for (i = 0; i < 4; i++) {
        call_stated(&call, cells[i], cells[8], cells[9], all);
        CHECK_OK(gc_graph_add_kernel_node(graph, i == 0 ? NULL : &nodes[i - 1], i != 0, call.kernel, &call.config, call.arguments, call.count,
                                          &nodes[i]));
    }
    CHECK(path_of(graph, 0) == 1);
    call_mix(&call, &rig, cells[1], 0, 0, 0, 5);
    CHECK_OK(gc_node_set_kernel(graph, nodes[1], call.kernel, &call.config, call.arguments, call.count));
    CHECK(path_of(graph, 0) == 3);
    call_stated(&call, cells[1], cells[8], cells[9], all);
    CHECK_OK(gc_node_set_kernel(graph, nodes[1], call.kernel, &call.config, call.arguments, call.count));
    CHECK(path_of(graph, 0) == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Launches that write different bytes of one buffer run at once. */
static void bytes_of_a_buffer_are_stated(void) {
    static const struct mixing halves[] = {{GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, 0, 4},
                                           {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, 4, 4},
                                           {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, 4, 5}};
    static const size_t wrong[][2] = {{0, 17}, {17, 1}, {SIZE_MAX, 2}, {4, 0}};
    const gc_buffer *shared = cells[0];
    struct kernel_call call;
    gc_kernel_arg value = GRAPHCAP_ARG_INIT_VALUE(wrong[0][0]);
    gc_graph *graph;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    launch_stated(shared, cells[8], cells[9], halves[0]);
    launch_stated(shared, cells[8], cells[9], halves[1]);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(path_of(graph, 0) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    launch_stated(shared, cells[8], cells[9], halves[1]);
    launch_stated(shared, cells[8], cells[9], halves[2]);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(path_of(graph, 0) == 2);
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < LENGTH_OF(wrong); i++) {
        call_stated(&call, shared, cells[8], cells[9], halves[0]);
        call.arguments[0].access_offset = wrong[i][0];
        call.arguments[0].access_size = wrong[i][1];
        CHECK_STATUS(gc_stream_launch_kernel(rig.stream, call.kernel, &call.config, call.arguments, call.count), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    call_stated(&call, shared, cells[8], cells[9], halves[0]);
    call.arguments[0].access = GRAPHCAP_ACCESS_DEFAULT;
    CHECK_STATUS(gc_stream_launch_kernel(rig.stream, call.kernel, &call.config, call.arguments, call.count), GRAPHCAP_ERROR_INVALID_VALUE);
    value.access_size = 1;
    call_stated(&call, shared, cells[8], cells[9], halves[0]);
    set_argument(&call, 3, value);
    CHECK_STATUS(gc_stream_launch_kernel(rig.stream, call.kernel, &call.config, call.arguments, call.count), GRAPHCAP_ERROR_INVALID_VALUE);
}

/* A chain of fills of cells and a launch behind each; `shared` of them use one cell. */
static gc_graph *fills(unsigned count, unsigned shared, uint32_t value) {
    gc_graph *graph = NULL;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < count; i++) {
        const gc_buffer *cell = cells[i < shared ? 0 : i];
        CHECK_OK(gc_stream_memset(rig.stream, cell, 0, value + i, 4, 1));
        CHECK_OK(launch_add(&rig, rig.stream, cell, 0, 1, 1));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

static gc_graph *planned(const gc_graph *graph, gc_plan **plan) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *result = NULL;
    REQUIRE_OK(gc_graph_optimize(graph, NULL, &result, plan, &report));
    CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES);
    return result;
}

/* What was made of one graph is made of later ones, if it is right for them. */
static void a_plan_makes_the_same_of_later_graphs(void) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *first, *made, *later, *made_later = NULL;
    gc_context *context = open_context();
    gc_graph_exec *exec;
    gc_plan *plan = NULL, *other = NULL;
    size_t edges = 0;
    char message[1024];
    state_all();
    /* The first plan is of two that share a cell: it is right for graphs in which none do. */
    first = fills(5, 2, 10);
    made = planned(first, &plan);
    exec = open_exec(made);
    later = fills(5, 0, 20);
    CHECK_OK(gc_plan_apply(plan, later, 0, &made_later, &report));
    CHECK(report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES && report.path_after == 4 && report.barrier_count == 0);
    CHECK_OK(gc_graph_edge_count(made_later, &edges));
    CHECK(edges == report.edges_after);
    CHECK_OK(gc_graph_exec_update(exec, made_later, 0, NULL));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, cells[0], 0) == 21 && read_u32(rig.stream, cells[1], 0) == 22 && read_u32(rig.stream, cells[4], 0) == 25);
    CHECK_OK(gc_graph_exec_update(exec, made, 0, NULL));
    CHECK_OK(gc_graph_destroy(made_later));
    /* The plan of that one is not right for the first: nodes that share a cell would run at once. */
    CHECK_OK(gc_graph_destroy(planned(later, &other)));
    CHECK_OK(gc_set_name(cells[0], "the shared cell"));
    CHECK_STATUS(gc_plan_apply(other, first, 0, &made_later, &report), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(made_later == NULL);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "has to stay behind node") != NULL && strstr(message, "the shared cell") != NULL);
    CHECK(strstr(message, "writes 4 bytes") != NULL || strstr(message, "writes 16 bytes") != NULL);
    CHECK_OK(gc_set_name(cells[0], ""));
    /* Nothing is known of one of the kernels any more. */
    CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
    CHECK_STATUS(gc_plan_apply(plan, later, 0, &made_later, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "keeps its place") != NULL && strstr(message, "gc_kernel_set_accesses") != NULL);
    state_all();
    CHECK_OK(gc_graph_destroy(later));
    /* Of another graph, and of another context. */
    later = fills(4, 0, 30);
    CHECK_STATUS(gc_plan_apply(plan, later, 0, &made_later, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "the plan is of another graph") != NULL && strstr(message, "10 nodes") != NULL);
    CHECK_OK(gc_graph_destroy(later));
    later = unstated_chain(10);
    CHECK_STATUS(gc_plan_apply(plan, later, 0, &made_later, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "memset") != NULL && strstr(message, "kernel") != NULL);
    CHECK_OK(gc_graph_destroy(later));
    CHECK_OK(gc_graph_create(context, &later));
    CHECK_STATUS(gc_plan_apply(plan, later, 0, &made_later, NULL), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_plan_apply(plan, first, 1, &made_later, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(later));
    /* In place. */
    CHECK_STATUS(gc_plan_apply(plan, first, GRAPHCAP_OPTIMIZE_IN_PLACE, &made_later, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_plan_apply(plan, first, GRAPHCAP_OPTIMIZE_IN_PLACE, NULL, &report));
    CHECK_OK(gc_graph_edge_count(first, &edges));
    CHECK(edges == report.edges_after);
    CHECK_OK(gc_graph_exec_update(exec, first, 0, NULL));
    CHECK_OK(gc_plan_destroy(other));
    CHECK_OK(gc_plan_destroy(plan));
    CHECK_STATUS(gc_plan_destroy(plan), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(made));
    CHECK_OK(gc_graph_destroy(first));
    CHECK_OK(gc_context_destroy(context));
    take_all_back();
}

/* Child graphs are optimized inside, and by a plan as well. */
static void graphs_within_nodes_are_optimized(void) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *inner, *outer = open_graph(rig.context), *result, *body = NULL, *again = NULL;
    gc_plan *plan = NULL;
    gc_node child;
    size_t edges = 0;
    state_all();
    inner = fills(5, 0, 40);
    CHECK_OK(gc_graph_add_child_node(outer, NULL, 0, inner, &child));
    result = optimized(outer, 0, 0, &report);
    CHECK(report.inner_graph_count == 1 && report.inner_changed_count == 1 && report.barrier_count == 1);
    CHECK(tells(outer, 0, "graphs within its nodes: 1, of which 1 have other edges now", "keeps its place"));
    CHECK_OK(gc_graph_get_nodes(result, &child, 1, NULL));
    CHECK_OK(gc_node_get_graph(result, child, 0, &body));
    CHECK_OK(gc_graph_edge_count(body, &edges));
    CHECK(edges == 5);
    CHECK_OK(gc_graph_destroy(body));
    run_graph(&rig, result);
    CHECK(read_u32(rig.stream, cells[0], 0) == 41 && read_u32(rig.stream, cells[4], 0) == 45);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_optimize(outer, NULL, &result, &plan, NULL));
    CHECK_OK(gc_plan_apply(plan, outer, 0, &again, &report));
    CHECK(report.inner_changed_count == 1);
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_plan_destroy(plan));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(inner));
    take_all_back();
}

/* A graph with a condition cannot be copied: it is changed itself, and so are the bodies. */
static void graphs_that_cannot_be_copied_are_changed_in_place(void) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = open_graph(rig.context), *body = NULL, *result = NULL;
    gc_condition condition;
    gc_node node, nodes[3];
    unsigned i;
    state_all();
    for (i = 0; i < 3; i++) {
        struct kernel_call call;
        call_add(&call, &rig, cells[i], 0, 1);
        CHECK_OK(gc_graph_add_kernel_node(graph, i == 0 ? NULL : &nodes[i - 1], i != 0, call.kernel, &call.config, call.arguments, call.count,
                                          &nodes[i]));
    }
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &nodes[2], 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, body, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    for (i = 0; i < 3; i++)
        CHECK_OK(launch_add(&rig, rig.stream, cells[3 + i], 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(rig.stream, &result));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_STATUS(gc_graph_optimize(graph, NULL, &result, NULL, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED);
    options.flags = GRAPHCAP_OPTIMIZE_IN_PLACE;
    CHECK_OK(gc_graph_optimize(graph, &options, NULL, NULL, &report));
    CHECK(report.inner_graph_count == 1 && report.inner_changed_count == 1);
    CHECK(report.path_before == 4 && report.path_after == 2 && report.barrier_count == 1);
    for (i = 0; i < 6; i++)
        CHECK_OK(gc_stream_memset(rig.stream, cells[i], 0, i, 4, 1));
    run_graph(&rig, graph);
    for (i = 0; i < 6; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == i + 1);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

struct operation {
    unsigned kind, stream, result, a, b;
    uint32_t constant;
};

static void work_out(const struct operation *o, uint32_t *words) {
    switch (o->kind) {
    case 0: words[o->result] = o->constant; break;
    case 1: words[o->result] = words[o->a]; break;
    case 2: words[o->result] += o->constant; break;
    default: words[o->result] = mixed(words[o->a], words[o->b], o->constant); break;
    }
}

static void submit(const struct operation *o, const gc_stream *stream) {
    struct kernel_call call;
    switch (o->kind) {
    case 0: CHECK_OK(gc_stream_memset(stream, cells[o->result], 0, o->constant, 4, 1)); break;
    case 1: CHECK_OK(gc_stream_memcpy_dtod(stream, cells[o->result], 0, cells[o->a], 0, 4)); break;
    case 2: CHECK_OK(launch_add(&rig, stream, cells[o->result], 0, o->constant, 1)); break;
    default: {
        const gc_kernel_arg a = GRAPHCAP_ARG_INIT_BUFFER(cells[o->a]), b = GRAPHCAP_ARG_INIT_BUFFER(cells[o->b]);
        call_mix(&call, &rig, cells[o->result], 0, 0, 0, o->constant);
        set_argument(&call, 1, a);
        set_argument(&call, 2, b);
        CHECK_OK(gc_stream_launch_kernel(stream, call.kernel, &call.config, call.arguments, call.count));
        break;
    }
    }
}

/* All streams wait for `from`, or it for all of them. */
static void order(gc_stream *const *streams, unsigned from, unsigned to) {
    gc_event *event = open_event(rig.context);
    CHECK_OK(gc_event_record(event, streams[from], 0));
    CHECK_OK(gc_stream_wait_event(streams[to], event, 0));
    CHECK_OK(gc_event_destroy(event));
}

/* A program that is recorded on one stream, or on several with an order between all of its operations that conflict, gives the
 * same words optimized, however many lanes there are. */
static void optimized_programs_agree_with_the_recorded_ones(void) {
    gc_stream *streams[STREAMS];
    uint64_t shorter = 0;
    unsigned round, i, k;
    state_all();
    for (k = 0; k < STREAMS; k++)
        streams[k] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    for (round = first_round; round < first_round + rounds; round++) {
        struct operation operations[OPERATIONS];
        uint32_t words[CELLS], start[CELLS];
        gc_optimize_report report;
        gc_graph *graph = NULL, *result;
        unsigned length, used, last = 0;
        seed = round * 7919 + 1;
        length = 1 + random_below(OPERATIONS);
        used = 1 + random_below(STREAMS);
        for (i = 0; i < CELLS; i++)
            words[i] = start[i] = random_below(100000);
        for (i = 0; i < length; i++) {
            struct operation *o = &operations[i];
            o->kind = random_below(4);
            o->stream = random_below(used);
            o->result = random_below(CELLS);
            o->a = random_below(CELLS);
            o->b = random_below(CELLS);
            o->constant = random_below(1000);
            /* To copy onto itself is no copy that graphs take. */
            if (o->kind == 1 && o->a == o->result)
                o->kind = 2;
            work_out(o, words);
        }
        REQUIRE_OK(gc_stream_begin_capture(streams[0], GRAPHCAP_CAPTURE_MODE_RELAXED));
        for (k = 1; k < used; k++)
            order(streams, 0, k);
        for (i = 0; i < length; i++) {
            if (operations[i].stream != last)
                order(streams, last, operations[i].stream);
            last = operations[i].stream;
            submit(&operations[i], streams[last]);
        }
        for (k = 1; k < used; k++)
            order(streams, k, 0);
        REQUIRE_OK(gc_stream_end_capture(streams[0], &graph));
        result = optimized(graph, 0, random_below(6), &report);
        CHECK(report.barrier_count == 0 && report.path_after <= report.path_before);
        shorter += report.path_before - report.path_after;
        for (i = 0; i < CELLS; i++)
            CHECK_OK(gc_stream_memcpy_htod(rig.stream, cells[i], 0, &start[i], 4));
        run_graph(&rig, result);
        for (i = 0; i < CELLS; i++) {
            if (read_u32(rig.stream, cells[i], 0) != words[i]) {
                fprintf(stderr, "    round %u, cell %u\n", round, i);
                CHECK(0);
            }
        }
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_graph_destroy(graph));
    }
    if (rounds >= 100)
        CHECK(shorter > rounds);
    for (k = 0; k < STREAMS; k++)
        CHECK_OK(gc_stream_destroy(streams[k]));
    take_all_back();
}

int main(int argc, char **argv) {
    int at;
    unsigned i;
    rounds = soak(150, 1000000);
    for (at = 1; at + 1 < argc; at += 2) {
        if (strcmp(argv[at], "--seed") == 0)
            first_round = (unsigned)strtoul(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--count") == 0)
            rounds = (unsigned)strtoul(argv[at + 1], NULL, 10);
    }
    rig_open(&rig);
    rig_open(&apart);
    for (i = 0; i < CELLS; i++)
        cells[i] = open_buffer(rig.context, 16);
    RUN(a_grid_is_read_from_its_scalar);
    RUN(independent_work_gets_no_order);
    RUN(what_is_not_known_keeps_its_place);
    RUN(what_stays_in_order_is_told_with_its_bytes);
    RUN(an_order_by_memory_that_is_used_again_is_told);
    RUN(neighbours_are_not_touched);
    RUN(overlapping_buffers_count_as_touched_both);
    RUN(the_shape_alone_can_be_changed);
    RUN(an_exec_is_updated_by_a_graph_that_was_optimized_alike);
    RUN(statements_are_checked);
    RUN(a_launch_states_what_it_does);
    RUN(bytes_of_a_buffer_are_stated);
    RUN(a_plan_makes_the_same_of_later_graphs);
    RUN(graphs_within_nodes_are_optimized);
    RUN(graphs_that_cannot_be_copied_are_changed_in_place);
    RUN(optimized_programs_agree_with_the_recorded_ones);
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
    rig_close(&apart);
    rig_close(&rig);
    return check_finish();
}
