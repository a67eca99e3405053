/* Bugs after public reports of wrong replays, one seeded in each graph: one call names the node and the cause. */
#include "nodes.h"
#include "pools.h"

enum { WORDS = 16, BYTES = WORDS * 4, NAN_BITS = 0x7fc00000, ONE_BITS = 0x3f800000, MOST_NODES = 4 };

static struct rig rig;
static gc_buffer *buffer;
static uint64_t address;

/* The check has one finding, which is that. */
static void check_names(const gc_graph *graph, gc_severity least, gc_finding_kind kind, gc_node node, const char *cause) {
    gc_finding findings[4];
    char text[2048];
    size_t count = 0;
    memset(findings, 0, sizeof findings);
    CHECK_OK(gc_graph_check(graph, least, findings, LENGTH_OF(findings), &count));
    CHECK_OK(gc_graph_check_text(graph, least, text, sizeof text, NULL));
    CHECK(count == 1 && findings[0].kind == kind && (findings[0].node == node || findings[0].other == node));
    CHECK(check_contains(text, cause));
}

/* Nothing is found before the bug. */
static void check_is_silent(const gc_graph *graph) {
    size_t count = 1;
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_WARNING, NULL, 0, &count));
    CHECK(count == 0);
}

static void take_text(const char *text, void *user_data) {
    strncpy((char *)user_data, text, 2047);
}

static uint64_t hashes[MOST_NODES];

static int32_t take_hash(const gc_step *step, void *user_data) {
    (void)user_data;
    if (step->has_run && step->index < MOST_NODES)
        hashes[step->index] = step->hash;
    return 0;
}

/* The run that the program calls good. */
static void note_good_run(const gc_graph *graph) {
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    memset(hashes, 0, sizeof hashes);
    /* Nothing else may use the memory meanwhile: work that is still queued would change it between the two runs. */
    CHECK_OK(gc_context_synchronize(rig.context));
    options.flags = GRAPHCAP_STEP_SUMMARIZE;
    options.each = take_hash;
    CHECK_OK(gc_graph_step(graph, &options, NULL, 0, &report));
    CHECK(report.finding_count == 0 && report.run_count <= MOST_NODES);
}

/* The first finding of a stepped replay is that; `with_hashes` compares with the good run. */
static void step_names(const gc_graph *graph, gc_step_options options, int with_hashes, gc_finding_kind kind, gc_node node,
                       const char *cause) {
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    gc_finding findings[MOST_NODES];
    static char text[2048];
    size_t count = 0;
    memset(findings, 0, sizeof findings);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_graph_node_count(graph, &count));
    options.flags |= GRAPHCAP_STEP_SUMMARIZE;
    options.text = take_text;
    options.user_data = text;
    if (with_hashes) {
        options.hashes = hashes;
        options.hash_count = count;
    }
    CHECK_OK(gc_graph_step(graph, &options, findings, LENGTH_OF(findings), &report));
    CHECK(report.finding_count >= 1 && findings[0].kind == kind && findings[0].node == node);
    CHECK(check_contains(text, cause));
}

/* A graph of one launch that has the address among the bytes of an argument, `offset` bytes into it. */
static gc_graph *record_address(size_t offset, gc_node *node) {
    static struct wide wide;
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_buffer *result = open_buffer(rig.context, sizeof wide);
    gc_kernel *kernel = get_kernel(rig.module, "copy_wide");
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(result), GRAPHCAP_ARG_INIT_VALUE(wide)};
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    size_t count = 0;
    memset(&wide, 0, sizeof wide);
    memcpy(wide.bytes + offset, &address, sizeof address);
    options.flags = GRAPHCAP_CAPTURE_NOTE_MEMORY;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &capture));
    CHECK_OK(launch(rig.stream, kernel, 1, 1, arguments, 2));
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_get_nodes(graph, node, 1, &count));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_buffer_destroy(result));
    check_is_silent(graph);
    return graph;
}

static void open_input(void) {
    buffer = open_buffer(rig.context, BYTES);
    CHECK_OK(gc_buffer_address(buffer, &address));
    CHECK_OK(gc_set_name(buffer, "input"));
}

static void an_input_was_freed(void) {
    gc_node node = 0;
    gc_graph *graph = record_address(0, &node);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_MEMORY_GONE, node, "parameter 1");
    CHECK_OK(gc_graph_destroy(graph));
    open_input();
}

static void a_pointer_inside_a_struct_was_freed(void) {
    gc_node node = 0;
    gc_graph *graph = record_address(1024, &node);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_MEMORY_GONE, node, "at byte 1024 of it");
    CHECK_OK(gc_graph_destroy(graph));
    open_input();
}

static void a_caching_allocator_moved_a_tensor(void) {
    gc_node node = 0;
    gc_graph *graph;
    CHECK_OK(gc_memory_block_begin(address, BYTES, "weights", 1));
    graph = record_address(0, &node);
    CHECK_OK(gc_memory_block_end(address, 1));
    check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_MEMORY_GONE, node, "block \"weights\"");
    CHECK_OK(gc_graph_destroy(graph));
}

static void another_tensor_has_the_block(void) {
    gc_node node = 0;
    gc_graph *graph;
    CHECK_OK(gc_memory_block_begin(address, BYTES, "weights", 2));
    graph = record_address(0, &node);
    CHECK_OK(gc_memory_block_begin(address, BYTES / 2, "logits", 3));
    check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_MEMORY_EXCHANGED, node, "block \"logits\"");
    CHECK_OK(gc_memory_block_end(address, 3));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A graph leaves its allocation to another graph, and the program frees it. */
static void another_graph_has_the_memory(void) {
    gc_graph *maker = open_graph(rig.context), *graph;
    const uint64_t own = address;
    gc_buffer *memory = NULL;
    gc_graph_exec *exec;
    gc_node node = 0;
    CHECK_OK(gc_graph_add_mem_alloc_node(maker, NULL, 0, BYTES, &node, &memory));
    exec = open_exec(maker);
    replay(&rig, exec);
    CHECK_OK(gc_buffer_address(memory, &address));
    graph = record_address(0, &node);
    CHECK_OK(gc_stream_mem_free(rig.stream, memory));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_MEMORY_GONE, node, "parameter 1");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(maker));
    CHECK_OK(gc_buffer_destroy(memory));
    address = own;
}

static gc_pool *open_shared_pool(void) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_pool *pool = NULL;
    options.flags = GRAPHCAP_POOL_SHARED;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    return pool;
}

/* A capture that fills memory of the pool, which is lost with it unless `kept` is told. */
static gc_graph *fill_in_pool(const gc_pool *pool, size_t bytes, uint32_t value, gc_buffer **kept) {
    gc_buffer *memory = NULL;
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, pool));
    REQUIRE_OK(gc_pool_allocate_on_stream(pool, rig.stream, bytes, &memory));
    CHECK_OK(gc_stream_memset(rig.stream, memory, 0, value, 4, bytes / 4));
    if (kept)
        *kept = memory;
    else
        CHECK_OK(gc_buffer_destroy_on_stream(memory, rig.stream));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    check_is_silent(graph);
    return graph;
}

static gc_node read_to_buffer(const gc_graph *graph, const gc_buffer *memory) {
    const gc_memcpy_params read = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, memory, 0, BYTES);
    gc_node node = 0;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &read, &node));
    return node;
}

/* Two graphs compute in the same memory of a pool. The second is replayed before the result of the first is read. */
static void another_graph_overwrites_a_result(void) {
    gc_graph *graphs[2], *reader = open_graph(rig.context);
    gc_pool *pool = open_shared_pool();
    gc_buffer *result = NULL;
    gc_node node;
    graphs[1] = fill_in_pool(pool, BYTES, 9, NULL);
    graphs[0] = fill_in_pool(pool, BYTES, 7, &result);
    CHECK_OK(gc_set_name(result, "result"));
    node = read_to_buffer(reader, result);
    if (blocks_lie_apart()) {
        check_is_silent(reader);
    } else {
        run_graph(&rig, graphs[0]);
        run_graph(&rig, graphs[1]);
        run_graph(&rig, reader);
        CHECK(read_u32(rig.stream, buffer, 0) == 9);
        check_names(reader, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_OVERWRITTEN, node, "byte 0 of buffer \"result\"");
    }
    CHECK_OK(gc_graph_destroy(graphs[1]));
    CHECK_OK(gc_context_collect(rig.context));
    check_is_silent(reader);
    CHECK_OK(gc_graph_destroy(graphs[0]));
    CHECK_OK(gc_graph_destroy(reader));
    CHECK_OK(gc_buffer_destroy(result));
    CHECK_OK(gc_pool_destroy(pool));
}

enum { BLOCK = 256, ALL = 3 * BLOCK };

/* Writes the second of three blocks, and reads all three. */
static gc_node read_but_a_block(const gc_graph *graph, const gc_buffer *memory, const gc_buffer *copied) {
    const gc_memset_params write = GRAPHCAP_MEMSET_INIT(memory, BLOCK, 5, 4, BLOCK / 4, 1, 0);
    const gc_memcpy_params read = GRAPHCAP_MEMCPY_INIT_DTOD(copied, 0, memory, 0, ALL);
    gc_node written = 0, node = 0;
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &write, &written));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &written, 1, &read, &node));
    return node;
}

/* Of a result of three blocks another graph writes the third one. */
static void another_graph_overwrites_a_part_of_a_result(void) {
    gc_graph *graphs[2], *reader = open_graph(rig.context);
    gc_pool *pool = open_shared_pool();
    gc_buffer *before = allocate_from(pool, 2 * BLOCK), *result = NULL, *copied = open_buffer(rig.context, ALL);
    gc_finding finding;
    gc_node node;
    size_t count = 0;
    graphs[1] = fill_in_pool(pool, BLOCK, 9, NULL);
    CHECK_OK(gc_buffer_destroy(before));
    CHECK_OK(gc_context_collect(rig.context));
    graphs[0] = fill_in_pool(pool, ALL, 7, &result);
    node = read_but_a_block(reader, result, copied);
    if (blocks_lie_apart()) {
        check_is_silent(reader);
    } else {
        CHECK_OK(gc_graph_check(reader, GRAPHCAP_SEVERITY_WARNING, &finding, 1, &count));
        CHECK(count == 1 && finding.kind == GRAPHCAP_FINDING_OVERWRITTEN && finding.node == node);
        CHECK(finding.address == address_of(result) + 2 * BLOCK && finding.bytes == BLOCK);
    }
    CHECK_OK(gc_graph_destroy(graphs[0]));
    CHECK_OK(gc_graph_destroy(graphs[1]));
    CHECK_OK(gc_graph_destroy(reader));
    CHECK_OK(gc_buffer_destroy(result));
    CHECK_OK(gc_buffer_destroy(copied));
    CHECK_OK(gc_pool_destroy(pool));
}

/* Two captures fill the same memory one after the other, and both are of one graph: no other one overwrites the result. */
static void a_graph_that_computes_twice_in_its_memory_is_right(void) {
    gc_graph *parts[2], *whole = open_graph(rig.context), *reader = open_graph(rig.context);
    gc_pool *pool = open_shared_pool();
    gc_graph_exec *exec;
    gc_buffer *result = NULL;
    gc_node nodes[2] = {0};
    parts[0] = fill_in_pool(pool, BYTES, 7, NULL);
    exec = open_exec(parts[0]);
    parts[1] = fill_in_pool(pool, BYTES, 9, &result);
    CHECK_OK(gc_graph_exec_update(exec, parts[1], 0, NULL));
    CHECK_OK(gc_graph_add_child_node(whole, NULL, 0, parts[0], &nodes[0]));
    CHECK_OK(gc_graph_add_child_node(whole, nodes, 1, parts[1], &nodes[1]));
    CHECK_OK(gc_graph_destroy(parts[0]));
    CHECK_OK(gc_graph_destroy(parts[1]));
    (void)read_to_buffer(reader, result);
    replay(&rig, exec);
    run_graph(&rig, whole);
    run_graph(&rig, reader);
    CHECK(read_u32(rig.stream, buffer, 0) == 9);
    check_is_silent(reader);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(whole));
    CHECK_OK(gc_graph_destroy(reader));
    CHECK_OK(gc_buffer_destroy(result));
    CHECK_OK(gc_pool_destroy(pool));
}

static void host_memory_was_freed(void) {
    static uint32_t there[WORDS];
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, there, BYTES);
    gc_buffer *result = open_buffer(rig.context, BYTES);
    const gc_memcpy_params read = GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, buffer, 0, BYTES);
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 0, reader = 0;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &node, 1, &read, &reader));
    /* Nobody can tell whether it lives: a note. */
    check_names(graph, GRAPHCAP_SEVERITY_NOTE, GRAPHCAP_FINDING_HOST_MEMORY, node, "keep them until the last replay");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(result));
}

static void an_edit_lost_the_order(void) {
    const gc_memset_params fill = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, WORDS, 1, 0);
    gc_graph *graph = open_graph(rig.context);
    gc_node first = 0, second = 0;
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &fill, &first));
    CHECK_OK(gc_graph_add_memset_node(graph, &first, 1, &fill, &second));
    check_is_silent(graph);
    CHECK_OK(gc_graph_remove_dependencies(graph, &first, &second, 1));
    check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_UNORDERED, second, "byte 0 of buffer \"input\"");
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_condition_has_no_value(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_condition condition = 0;
    gc_node node = 0;
    const gc_status status = gc_graph_create_condition(graph, 0, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition);
    if (status == GRAPHCAP_SUCCESS) {
        CHECK_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
        check_names(graph, GRAPHCAP_SEVERITY_WARNING, GRAPHCAP_FINDING_CONDITION_UNSET, node, "no node sets its condition");
    } else {
        CHECK(status == GRAPHCAP_ERROR_NOT_SUPPORTED);
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* Two branches record one event, which tells of either. */
static void an_event_is_reused(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_event *event = open_event(rig.context);
    gc_node first = 0, second = 0;
    size_t count = 1;
    CHECK_OK(gc_graph_add_event_record_node(graph, NULL, 0, event, &first));
    CHECK_OK(gc_graph_add_event_record_node(graph, &first, 1, event, &second));
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &count));
    CHECK(count == 0);
    CHECK_OK(gc_graph_remove_dependencies(graph, &first, &second, 1));
    check_names(graph, GRAPHCAP_SEVERITY_NOTE, GRAPHCAP_FINDING_EVENT_REUSED, second, "record one event");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(event));
}

/* Of the thread that captures, and so told by the capture. */
static void work_went_to_another_stream(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    gc_violation violation = 0;
    uint64_t number = 0;
    char text[2048], id[32];
    options.flags = GRAPHCAP_CAPTURE_STRICT;
    CHECK_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, WORDS));
    CHECK_OK(gc_stream_memset(other, buffer, 0, 2, 4, WORDS));
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_stream_capture_violation(rig.stream, &violation, text, sizeof text, NULL));
    CHECK_OK(gc_stream_id(other, &number));
    snprintf(id, sizeof id, "stream %llu", (unsigned long long)number);
    CHECK(violation == GRAPHCAP_VIOLATION_WORK_OUTSIDE && check_contains(text, "gc_stream_memset") && check_contains(text, id));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(other));
}

static void a_kernel_writes_into_its_neighbour(void) {
    const uint32_t none[] = {GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_graph *graph = open_graph(rig.context);
    const gc_node node = fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
    options.flags = GRAPHCAP_STEP_WATCH_ALL;
    CHECK_OK(gc_kernel_set_accesses(rig.fill, none, LENGTH_OF(none)));
    step_names(graph, options, 0, GRAPHCAP_FINDING_UNDECLARED, node, "buffer \"input\"");
    CHECK_OK(gc_kernel_set_accesses(rig.fill, NULL, 0));
    CHECK_OK(gc_graph_destroy(graph));
}

static void one_kernel_writes_a_nan(void) {
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_typed_memory memory = {0, BYTES, GRAPHCAP_ELEMENT_F32, 0};
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[2];
    nodes[0] = fill_node(&rig, graph, NULL, 0, buffer, 0, ONE_BITS);
    nodes[1] = fill_node(&rig, graph, nodes, 1, buffer, 3, NAN_BITS);
    memory.address = address;
    options.memory = &memory;
    options.memory_count = 1;
    step_names(graph, options, 0, GRAPHCAP_FINDING_NOT_FINITE, nodes[1], "byte 12 of buffer \"input\"");
    CHECK_OK(gc_graph_destroy(graph));
}

/* The second node reads a word that the first one did not write. */
static void scratch_is_read_that_nothing_wrote(void) {
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    gc_typed_memory memory = {0, BYTES, GRAPHCAP_ELEMENT_F32, GRAPHCAP_MEMORY_SCRATCH};
    gc_buffer *scratch = open_buffer(rig.context, BYTES);
    gc_graph *graph = open_graph(rig.context);
    struct kernel_call call;
    gc_node nodes[3];
    unsigned i;
    CHECK_OK(gc_buffer_address(scratch, &memory.address));
    CHECK_OK(gc_set_name(scratch, "scratch"));
    options.memory = &memory;
    options.memory_count = 1;
    for (i = 0; i < 2; i++)
        nodes[i] = fill_node(&rig, graph, nodes, i, scratch, i, ONE_BITS);
    CHECK_OK(add_kernel(graph, &nodes[1], 1, call_mix(&call, &rig, scratch, 2, 0, 1, 7), &nodes[2]));
    CHECK_OK(gc_graph_step(graph, &options, NULL, 0, &report));
    CHECK(report.finding_count == 0 && report.run_count == 3);
    CHECK_OK(set_kernel(graph, nodes[1], call_fill(&call, &rig, scratch, 3, ONE_BITS)));
    step_names(graph, options, 0, GRAPHCAP_FINDING_UNWRITTEN, nodes[2], "byte 8 of buffer \"scratch\"");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(scratch));
}

/* An update keeps the attributes of the exec. */
static void an_update_loses_an_attribute(void) {
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_graph *graph = open_graph(rig.context);
    const gc_node node = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    gc_graph_exec *exec = open_exec(graph);
    gc_launch_attribute_value value;
    memset(&value, 0, sizeof value);
    value.number = -1;
    CHECK_OK(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info));
    CHECK(info.kept_attribute == 0);
    CHECK_OK(gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    CHECK_OK(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info));
    CHECK(info.kept_attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY && info.graph_node == node);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A number that the program changed since is in the graph as it was at the capture. */
static void a_scalar_is_stale(void) {
    const gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[2];
    struct kernel_call call;
    nodes[0] = fill_node(&rig, graph, NULL, 0, buffer, 0, 5);
    nodes[1] = add_node(&rig, graph, nodes, 1, buffer, 0, 2);
    note_good_run(graph);
    CHECK_OK(set_kernel(graph, nodes[1], call_add(&call, &rig, buffer, 0, 1)));
    step_names(graph, options, 1, GRAPHCAP_FINDING_DIFFERS, nodes[1], "byte 0 of buffer \"input\"");
    CHECK_OK(gc_graph_destroy(graph));
}

static void an_update_has_another_shape(void) {
    const gc_memset_params all = GRAPHCAP_MEMSET_INIT(buffer, 0, 3, 4, WORDS, 1, 0);
    const gc_memset_params half = GRAPHCAP_MEMSET_INIT(buffer, 0, 3, 4, WORDS / 2, 1, 0);
    const gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_buffer *other = open_buffer(rig.context, BYTES);
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[2];
    /* In other memory: hashes of memory go by the ranges that nodes write of it. */
    nodes[0] = add_node(&rig, graph, NULL, 0, other, 0, 1);
    CHECK_OK(gc_graph_add_memset_node(graph, nodes, 1, &all, &nodes[1]));
    note_good_run(graph);
    CHECK_OK(gc_node_set_memset(graph, nodes[1], &half));
    step_names(graph, options, 1, GRAPHCAP_FINDING_DIFFERS, nodes[1], "(memset)");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(other));
}

/* Two graphs, as child nodes, run the other way round. */
static void two_graphs_run_in_the_wrong_order(void) {
    const gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_graph *parts[2], *good = open_graph(rig.context), *bad = open_graph(rig.context);
    gc_node of_good[2], of_bad[2];
    unsigned i;
    for (i = 0; i < 2; i++)
        parts[i] = open_graph(rig.context);
    fill_node(&rig, parts[0], NULL, 0, buffer, 0, 5);
    add_node(&rig, parts[1], NULL, 0, buffer, 0, 2);
    for (i = 0; i < 2; i++) {
        CHECK_OK(gc_graph_add_child_node(good, of_good, i, parts[i], &of_good[i]));
        CHECK_OK(gc_graph_add_child_node(bad, of_bad, i, parts[1 - i], &of_bad[i]));
    }
    note_good_run(good);
    step_names(bad, options, 1, GRAPHCAP_FINDING_DIFFERS, of_bad[0], "node");
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_graph_destroy(parts[i]));
    CHECK_OK(gc_graph_destroy(good));
    CHECK_OK(gc_graph_destroy(bad));
}

/* A child node has a copy of its graph: it does not change with it. */
static void a_child_was_updated_and_not_its_copy(void) {
    const gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_graph *part = open_graph(rig.context), *good = open_graph(rig.context), *bad = open_graph(rig.context);
    const gc_node node = fill_node(&rig, part, NULL, 0, buffer, 0, 5);
    gc_node of_good = 0, of_bad = 0;
    struct kernel_call call;
    CHECK_OK(gc_graph_add_child_node(bad, NULL, 0, part, &of_bad));
    CHECK_OK(set_kernel(part, node, call_fill(&call, &rig, buffer, 0, 6)));
    CHECK_OK(gc_graph_add_child_node(good, NULL, 0, part, &of_good));
    note_good_run(good);
    step_names(bad, options, 1, GRAPHCAP_FINDING_DIFFERS, of_bad, "node");
    CHECK_OK(gc_graph_destroy(part));
    CHECK_OK(gc_graph_destroy(good));
    CHECK_OK(gc_graph_destroy(bad));
}

/* Each draw advances the state, which somebody set back. */
static void a_random_state_is_repeated(void) {
    const gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_graph *graph = open_graph(rig.context);
    const gc_node node = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    run_graph(&rig, graph);
    note_good_run(graph);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, WORDS));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    step_names(graph, options, 1, GRAPHCAP_FINDING_DIFFERS, node, "byte 0 of buffer \"input\"");
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    open_input();
    RUN(an_input_was_freed);
    RUN(a_pointer_inside_a_struct_was_freed);
    RUN(a_caching_allocator_moved_a_tensor);
    RUN(another_tensor_has_the_block);
    RUN(another_graph_has_the_memory);
    RUN(another_graph_overwrites_a_result);
    RUN(another_graph_overwrites_a_part_of_a_result);
    RUN(a_graph_that_computes_twice_in_its_memory_is_right);
    RUN(host_memory_was_freed);
    RUN(an_edit_lost_the_order);
    RUN(a_condition_has_no_value);
    RUN(an_event_is_reused);
    RUN(work_went_to_another_stream);
    RUN(a_kernel_writes_into_its_neighbour);
    RUN(one_kernel_writes_a_nan);
    RUN(scratch_is_read_that_nothing_wrote);
    RUN(an_update_loses_an_attribute);
    RUN(a_scalar_is_stale);
    RUN(an_update_has_another_shape);
    RUN(two_graphs_run_in_the_wrong_order);
    RUN(a_child_was_updated_and_not_its_copy);
    RUN(a_random_state_is_repeated);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
