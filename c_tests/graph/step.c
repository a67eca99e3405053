/* Replays node by node: in order, with looks in between, with findings that name the node, and with memory as before. */
#include "cells.h"
#include "nodes.h"

enum { NODES = 3, NAN_BITS = 0x7fc00000, ONE_BITS = 0x3f800000 };

static struct rig rig;
static gc_buffer *cells[CELLS];
static gc_finding findings[8];
static gc_step_report report;
static char told[1 << 13];

/* What the function of a step saw. */
struct seen {
    gc_step before[NODES], after[NODES];
    unsigned calls, stops_at;
    /* What the first word of a cell was behind each node. */
    const gc_buffer *cell;
    uint32_t words[NODES];
};

static int32_t look(const gc_step *step, void *user_data) {
    struct seen *seen = (struct seen *)user_data;
    CHECK(step->struct_size == sizeof *step && step->count == NODES && step->index < NODES);
    if (step->index < NODES)
        (step->has_run ? seen->after : seen->before)[step->index] = *step;
    if (step->has_run && seen->cell != NULL)
        seen->words[step->index] = read_u32(rig.stream, seen->cell, 0);
    return ++seen->calls == seen->stops_at;
}

static void take_text(const char *text, void *user_data) {
    (void)user_data;
    CHECK(strlen(text) < sizeof told);
    strncpy(told, text, sizeof told - 1);
}

/* What is seen is noted in `seen`, which may be NULL. */
static gc_step_options options_of(struct seen *seen) {
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    if (seen != NULL)
        memset(seen, 0, sizeof *seen);
    options.flags = GRAPHCAP_STEP_SUMMARIZE;
    options.each = seen != NULL ? look : NULL;
    options.text = take_text;
    options.user_data = seen;
    return options;
}

/* The number of findings. */
static uint64_t step_graph(const gc_graph *graph, const gc_step_options *options) {
    const gc_step_report none = GRAPHCAP_STEP_REPORT_INIT;
    report = none;
    memset(findings, 0xff, sizeof findings);
    CHECK_OK(gc_graph_step(graph, options, findings, LENGTH_OF(findings), &report));
    return report.finding_count;
}

static uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(buffer, &address));
    return address;
}

/* Destroys a graph that left memory as it was. */
static void close_as_before(gc_graph *graph) {
    cells_are_as_before(&rig, cells);
    CHECK_OK(gc_graph_destroy(graph));
}

/* cells[0][0] = value, then += 1, then copied to cells[1]. */
static gc_graph *chain(uint32_t value, gc_node *nodes) {
    gc_graph *graph = open_graph(rig.context);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(cells[1], 0, cells[0], 0, WORDS * 4);
    nodes[0] = fill_node(&rig, graph, NULL, 0, cells[0], 0, value);
    nodes[1] = add_node(&rig, graph, nodes, 1, cells[0], 0, 1);
    CHECK_OK(gc_graph_add_memcpy_node(graph, &nodes[1], 1, &copy, &nodes[2]));
    return graph;
}

static void nodes_run_in_order_and_memory_is_as_before(void) {
    gc_node nodes[NODES];
    gc_graph *graph = chain(100, nodes);
    struct seen seen;
    const gc_step_options options = options_of(&seen);
    unsigned i;
    set_cells(&rig, cells);
    seen.cell = cells[0];
    CHECK(step_graph(graph, &options) == 0 && report.stopped == 0 && report.together_count == 0);
    CHECK(report.node_count == NODES && report.run_count == NODES && seen.calls == 2 * NODES);
    CHECK(report.bytes_saved == 2 * WORDS * 4 && report.bytes_unwatched == 0);
    CHECK(seen.words[0] == 100 && seen.words[1] == 101 && seen.words[2] == 101);
    for (i = 0; i < NODES; i++) {
        CHECK(seen.before[i].node == nodes[i] && seen.after[i].node == nodes[i] && seen.after[i].index == i);
        CHECK(seen.before[i].has_run == 0 && seen.after[i].has_run == 1 && seen.before[i].bytes == 0);
        CHECK(seen.after[i].bytes == WORDS * 4 && seen.after[i].floats == WORDS && seen.after[i].hash != 0);
    }
    CHECK(seen.after[0].hash != seen.after[1].hash);
    CHECK(check_contains(told, "stepped: 3 of 3 nodes") && check_contains(told, "nothing wrong was found"));
    close_as_before(graph);
}

static void a_part_runs_stops_and_goes_on(void) {
    gc_node nodes[NODES];
    gc_graph *graph = chain(100, nodes);
    struct seen seen;
    gc_step_options options = options_of(&seen);
    set_cells(&rig, cells);
    /* Before the second node, with memory as the first one left it. */
    seen.stops_at = 3;
    options.flags |= GRAPHCAP_STEP_KEEP;
    CHECK(step_graph(graph, &options) == 0 && report.stopped == 1 && report.run_count == 1);
    CHECK(check_contains(told, "stopped before the end"));
    CHECK(read_u32(rig.stream, cells[0], 0) == 100 && read_u32(rig.stream, cells[1], 0) == 22);
    /* On from there, up to the second one. */
    seen.calls = seen.stops_at = 0;
    options.flags |= GRAPHCAP_STEP_SKIP;
    options.first = options.last = nodes[1];
    CHECK(step_graph(graph, &options) == 0 && report.stopped == 0 && report.run_count == 1 && seen.calls == 2);
    CHECK(read_u32(rig.stream, cells[0], 0) == 101 && read_u32(rig.stream, cells[1], 0) == 22);
    /* The last one, behind the others, which are not told. */
    set_cells(&rig, cells);
    seen.calls = 0;
    options.flags = GRAPHCAP_STEP_KEEP;
    options.first = nodes[2];
    options.last = 0;
    CHECK(step_graph(graph, &options) == 0 && report.run_count == 1 && seen.calls == 2 && seen.after[2].bytes == 0);
    CHECK(read_u32(rig.stream, cells[1], 0) == 101);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The second of three nodes writes what is no number, and the third one copies it. */
static void the_first_node_with_a_nan_is_found(void) {
    gc_graph *graph = open_graph(rig.context);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(cells[2], 0, cells[1], 0, WORDS * 4);
    gc_typed_memory memory[2];
    struct seen seen;
    gc_step_options options = options_of(&seen);
    gc_node nodes[NODES];
    unsigned i;
    nodes[0] = fill_node(&rig, graph, NULL, 0, cells[0], 0, ONE_BITS);
    nodes[1] = fill_node(&rig, graph, nodes, 1, cells[1], 5, NAN_BITS);
    CHECK_OK(gc_graph_add_memcpy_node(graph, &nodes[1], 1, &copy, &nodes[2]));
    for (i = 0; i < 2; i++) {
        memory[i].address = address_of(cells[1 + i]);
        memory[i].bytes = WORDS * 4;
        memory[i].element = GRAPHCAP_ELEMENT_F32;
        memory[i].flags = 0;
    }
    set_cells(&rig, cells);
    CHECK_OK(gc_set_name(cells[1], "scores"));
    /* Counted, and no finding where the kind is not told. */
    CHECK(step_graph(graph, &options) == 0 && seen.after[0].nans == 0 && seen.after[1].nans == 1 && seen.after[2].nans == 1);
    CHECK(seen.after[0].floats == WORDS && seen.after[0].greatest == 1.0 && seen.after[1].infinities == 0);
    options.memory = memory;
    options.memory_count = 2;
    CHECK(step_graph(graph, &options) == 2);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_NOT_FINITE && findings[0].severity == GRAPHCAP_SEVERITY_ERROR);
    CHECK(findings[0].node == nodes[1] && findings[0].address == address_of(cells[1]) + 5 * 4 && findings[0].value == 1);
    CHECK(findings[1].kind == GRAPHCAP_FINDING_NOT_FINITE && findings[1].severity == GRAPHCAP_SEVERITY_NOTE);
    CHECK(findings[1].node == nodes[2] && findings[2].kind == 0);
    CHECK(check_contains(told, "writes 1 values that are not finite, the first at") && check_contains(told, "byte 20 of buffer \"scores\""));
    /* Of a half, each bit pattern is another number. */
    memory[0].element = memory[1].element = GRAPHCAP_ELEMENT_BYTES;
    CHECK(step_graph(graph, &options) == 0 && seen.after[1].floats == 0);
    close_as_before(graph);
}

static void the_first_node_that_differs_is_found(void) {
    gc_node nodes[NODES];
    gc_graph *graph = chain(100, nodes);
    struct seen seen;
    gc_step_options options = options_of(&seen);
    uint64_t hashes[NODES];
    struct kernel_call call;
    unsigned i;
    set_cells(&rig, cells);
    CHECK(step_graph(graph, &options) == 0);
    for (i = 0; i < NODES; i++)
        hashes[i] = seen.after[i].hash;
    options.hashes = hashes;
    options.hash_count = NODES;
    CHECK(step_graph(graph, &options) == 0);
    CHECK_OK(set_kernel(graph, nodes[1], call_add(&call, &rig, cells[0], 0, 2)));
    CHECK(step_graph(graph, &options) == 2 && findings[0].kind == GRAPHCAP_FINDING_DIFFERS);
    CHECK(findings[0].node == nodes[1] && findings[0].address == address_of(cells[0]) && findings[0].bytes == WORDS * 4);
    CHECK(findings[0].severity == GRAPHCAP_SEVERITY_ERROR && findings[1].node == nodes[2]);
    CHECK_OK(gc_graph_destroy(graph));
}

/* fill() is stated to write nothing. */
static void a_write_that_is_not_stated_is_found(void) {
    const uint32_t reads[] = {GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    gc_node nodes[NODES];
    gc_graph *graph = chain(100, nodes);
    gc_step_options options = options_of(NULL);
    set_cells(&rig, cells);
    CHECK_OK(gc_kernel_set_accesses(rig.fill, reads, LENGTH_OF(reads)));
    CHECK(step_graph(graph, &options) == 0);
    options.flags |= GRAPHCAP_STEP_WATCH_ALL;
    CHECK(step_graph(graph, &options) == 1 && findings[0].kind == GRAPHCAP_FINDING_UNDECLARED);
    CHECK(findings[0].node == nodes[0] && findings[0].address == address_of(cells[0]) && findings[0].bytes == WORDS * 4);
    CHECK(report.bytes_saved >= CELLS * WORDS * 4);
    CHECK_OK(gc_kernel_set_accesses(rig.fill, NULL, 0));
    CHECK(step_graph(graph, &options) == 0);
    close_as_before(graph);
}

static void add_one(void *user_data) {
    ++*(unsigned *)user_data;
}

static void memory_without_room_and_host_functions_are_told(void) {
    gc_node nodes[NODES], host = 0;
    gc_graph *graph = chain(100, nodes);
    gc_step_options options = options_of(NULL);
    unsigned calls = 0;
    set_cells(&rig, cells);
    options.max_bytes = WORDS * 4;
    CHECK(step_graph(graph, &options) == 0 && report.bytes_saved == WORDS * 4 && report.bytes_unwatched == WORDS * 4);
    CHECK(check_contains(told, "64 bytes neither restored nor looked at"));
    CHECK_OK(gc_graph_add_host_node(graph, nodes, 1, add_one, &calls, NULL, &host));
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_NOT_SUPPORTED);
    options.permits = GRAPHCAP_PERMIT_HOST_FUNCTIONS;
    CHECK(step_graph(graph, &options) == 1 && findings[0].kind == GRAPHCAP_FINDING_NOT_WATCHED && calls == 1);
    CHECK(findings[0].node == host && findings[0].severity == GRAPHCAP_SEVERITY_NOTE);
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_graph_that_cannot_be_copied_runs_together(void) {
    gc_node nodes[3];
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    gc_step_options options = options_of(NULL);
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &nodes[0], &memory));
    nodes[1] = fill_node(&rig, graph, nodes, 1, cells[0], 0, 7);
    CHECK_OK(gc_graph_add_mem_free_node(graph, &nodes[1], 1, memory, &nodes[2]));
    set_cells(&rig, cells);
    CHECK(step_graph(graph, &options) == 1 && report.together_count == 3 && report.run_count == 3);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_NOT_WATCHED && findings[0].node == 0);
    CHECK(check_contains(told, "3 nodes ran together"));
    cells_are_as_before(&rig, cells);
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

static void wrong_options_are_refused(void) {
    gc_node nodes[NODES];
    gc_graph *graph = chain(1, nodes);
    gc_typed_memory memory = {0, 0, 5, 0};
    gc_step_options options = options_of(NULL);
    options.flags = 1u << 20;
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    options = options_of(NULL);
    options.first = 0x1234;
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    options = options_of(NULL);
    options.memory = &memory;
    options.memory_count = 1;
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    memory.element = 1;
    memory.flags = 2;
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The last node stores at no memory. The context is lost. */
static void a_fault_names_the_node_and_its_arguments(void) {
    NOT_ON_CUDA("a fault ends the use of the GPU");
    gc_graph *graph = open_graph(rig.context);
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const uint64_t beyond = address_of(cells[3]) + WORDS * 4 + 4096;
    const uint32_t value = 9;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(beyond), GRAPHCAP_ARG_INIT_VALUE(value)};
    gc_step_options options = options_of(NULL);
    gc_kernel *store = get_kernel(rig.module, "checked_store");
    char message[1024], node_words[64];
    gc_node nodes[2];
    nodes[0] = fill_node(&rig, graph, NULL, 0, cells[0], 0, 1);
    CHECK_OK(gc_graph_add_kernel_node(graph, nodes, 1, store, &config, arguments, 2, &nodes[1]));
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    snprintf(node_words, sizeof node_words, "node %#llx (kernel \"checked_store\") failed", (unsigned long long)nodes[1]);
    CHECK(check_contains(message, node_words) && check_contains(message, "its arguments: 0: ") && check_contains(message, ", 1: 9"));
    CHECK_OK(gc_kernel_destroy(store));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    open_cells(&rig, cells);
    RUN(nodes_run_in_order_and_memory_is_as_before);
    RUN(a_part_runs_stops_and_goes_on);
    RUN(the_first_node_with_a_nan_is_found);
    RUN(the_first_node_that_differs_is_found);
    RUN(a_write_that_is_not_stated_is_found);
    RUN(memory_without_room_and_host_functions_are_told);
    RUN(a_graph_that_cannot_be_copied_runs_together);
    RUN(wrong_options_are_refused);
    RUN(a_fault_names_the_node_and_its_arguments);
    close_cells(cells);
    rig_close(&rig);
    return check_finish();
}
