/* Execs that come to do what a graph does, by the cheapest way: which way is gone and what is told of it, what launches run then, in
 * which order those run of an exec that was made anew, and what is refused. */
#include "nodes.h"

#include <pthread.h>

enum { WORDS = 64, CHAIN = 6 };

static struct rig rig;
static gc_buffer *buffer, *other_buffer;

static uint32_t word(unsigned index) {
    return read_u32(rig.stream, buffer, index);
}

/* Applies a graph, and checks what is told of that. */
static void check_apply(int line, const gc_graph_exec *exec, const gc_graph *graph, uint32_t flags, gc_graph_exec_apply_route route,
                        gc_graph_exec_apply_reason reason, uint64_t changed) {
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    size_t nodes = 0;
    options.flags = flags;
    check_status(__FILE__, line, "gc_graph_exec_apply", gc_graph_exec_apply(exec, graph, &options, &report), GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_exec_node_count(exec, &nodes));
    check_condition(__FILE__, line, "the way", report.route == route && report.reason == reason);
    check_condition(__FILE__, line, "the count", report.changed_count == changed && report.node_count == nodes);
    check_condition(__FILE__, line, "the cost", report.nanoseconds > 0 && report.status == GRAPHCAP_SUCCESS);
    check_condition(__FILE__, line, "the reason", strlen(gc_graph_exec_apply_reason_description(report.reason)) > 10);
    if (report.route != route || report.reason != reason || report.changed_count != changed)
        fprintf(stderr, "    way %d, reason %d (%s), %llu changed\n", (int)report.route, (int)report.reason,
                gc_graph_exec_apply_reason_description(report.reason), (unsigned long long)report.changed_count);
}

#define UNKNOWN UINT64_MAX
#define CHECK_APPLY(exec, graph, route, reason, changed)                                                                  \
    check_apply(__LINE__, exec, graph, 0, GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_##route, GRAPHCAP_GRAPH_EXEC_APPLY_REASON_##reason, changed)
#define CHECK_APPLY_WITH(exec, graph, flags, route, reason, changed)                                                      \
    check_apply(__LINE__, exec, graph, flags, GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_##route, GRAPHCAP_GRAPH_EXEC_APPLY_REASON_##reason, changed)

/* A chain: the first node sets a word to `value`, and each of the others adds that to it. */
static gc_graph *open_chain(uint32_t value, gc_node *nodes) {
    gc_graph *graph = open_graph(rig.context);
    unsigned i;
    nodes[0] = fill_node(&rig, graph, NULL, 0, buffer, 0, value);
    for (i = 1; i < CHAIN; i++)
        nodes[i] = add_node(&rig, graph, &nodes[i - 1], 1, buffer, 0, value);
    return graph;
}

static void set_value(const gc_graph *graph, const gc_node *nodes, unsigned index, uint32_t value) {
    struct kernel_call call;
    if (index == 0)
        call_fill(&call, &rig, buffer, 0, value);
    else
        call_add(&call, &rig, buffer, 0, value);
    CHECK_OK(set_kernel(graph, nodes[index], &call));
}

static void an_exec_gets_no_more_than_it_lacks(void) {
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(1, nodes);
    gc_graph_exec *exec = open_exec(graph);
    struct kernel_call call;
    unsigned i;
    CHECK_APPLY(exec, graph, NOTHING, UNCHANGED, 0);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN);
    /* Which way is cheaper depends on the device. */
    set_value(graph, nodes, 2, 101);
    CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, SET, FEW_NODES, 1);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN + 100);
    CHECK_APPLY(exec, graph, NOTHING, UNCHANGED, 0);
    for (i = 0; i < CHAIN; i++)
        set_value(graph, nodes, i, 10);
    CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, SET, FEW_NODES, CHAIN);
    replay(&rig, exec);
    CHECK(word(0) == 10 * CHAIN);
    for (i = 0; i < CHAIN; i++)
        set_value(graph, nodes, i, 20);
    CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET, UPDATE, MANY_NODES, CHAIN);
    replay(&rig, exec);
    CHECK(word(0) == 20 * CHAIN);
    /* What was changed in the exec by hand is as in the graph again. */
    CHECK_OK(exec_set_kernel(exec, nodes[0], call_fill(&call, &rig, buffer, 0, 5)));
    replay(&rig, exec);
    CHECK(word(0) == 20 * CHAIN - 15);
    CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, SET, FEW_NODES, 1);
    replay(&rig, exec);
    CHECK(word(0) == 20 * CHAIN);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A graph of one node of each kind that is set alone. */
static void nodes_of_all_kinds_are_set(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *source = open_waitable(rig.context, 16), *target = open_waitable(rig.context, 64);
    gc_event *events[2];
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(target, 0, 1, 4, 1, 1, 0), reset = GRAPHCAP_MEMSET_INIT(target, 0, 2, 4, 1, 1, 0);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(target, 4, source, 0, 4), recopy = GRAPHCAP_MEMCPY_INIT_DTOD(target, 4, source, 4, 4);
    gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(target, 8, 1, 0), rewrite = GRAPHCAP_MEM_OP_INIT_WRITE32(target, 8, 2, 0);
    gc_graph_exec *exec;
    gc_node nodes[7];
    int32_t is_complete = 0;
    unsigned calls[2] = {0, 0}, i;
    const uint32_t words[] = {71, 72};
    const gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(source, 0, words, sizeof words);
    CHECK_OK(gc_context_memcpy(rig.context, &in));
    clear_buffer(rig.context, target);
    for (i = 0; i < 2; i++)
        events[i] = open_event(rig.context);
    nodes[0] = fill_node(&rig, graph, NULL, 0, target, 3, 1);
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &nodes[1]));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &nodes[2]));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &write, 1, &nodes[3]));
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls[0], NULL, &nodes[4]));
    REQUIRE_OK(gc_graph_add_event_wait_node(graph, NULL, 0, events[0], &nodes[5]));
    REQUIRE_OK(gc_graph_add_event_record_node(graph, &nodes[4], 1, events[0], &nodes[6]));
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(calls[0] == 1 && calls[1] == 0);
    {
        struct kernel_call call;
        CHECK_OK(set_kernel(graph, nodes[0], call_fill(&call, &rig, target, 3, 2)));
    }
    CHECK_OK(gc_node_set_memset(graph, nodes[1], &reset));
    CHECK_OK(gc_node_set_memcpy(graph, nodes[2], &recopy));
    CHECK_OK(gc_node_set_batch_mem_op(graph, nodes[3], &rewrite, 1));
    CHECK_OK(gc_node_set_host(graph, nodes[4], count_call, &calls[1], NULL));
    CHECK_OK(gc_node_set_event_wait(graph, nodes[5], events[1]));
    CHECK_OK(gc_node_set_event_record(graph, nodes[6], events[1]));
    CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, SET, FEW_NODES, LENGTH_OF(nodes));
    /* The exec keeps what it uses. */
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(calls[0] == 1 && calls[1] == 1);
    CHECK(read_u32(rig.stream, target, 0) == 2 && read_u32(rig.stream, target, 1) == 72);
    CHECK(read_u32(rig.stream, target, 2) == 2 && read_u32(rig.stream, target, 3) == 2);
    CHECK_OK(gc_event_is_complete(events[1], &is_complete));
    CHECK(is_complete);
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_event_destroy(events[i]));
    CHECK_OK(gc_buffer_destroy(target));
    CHECK_OK(gc_buffer_destroy(source));
}

static void captures_are_applied(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i;
    for (i = 0; i < 4; i++) {
        CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, i, 4, 1));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 10, 1));
        if (i >= 2)
            CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 100, 1));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        if (i == 0)
            exec = open_exec(graph);
        else if (i == 2)
            CHECK_APPLY(exec, graph, ANEW, REFUSED, UNKNOWN);
        else
            CHECK_APPLY(exec, graph, UPDATE, NOT_KNOWN, UNKNOWN);
        CHECK_OK(gc_graph_destroy(graph));
        replay(&rig, exec);
        CHECK(word(0) == i + (i >= 2 ? 110 : 10));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* ---- Anew ---- */

static void an_exec_that_is_made_anew_is_the_same_to_its_users(void) {
    gc_node nodes[CHAIN], more;
    gc_graph *graph = open_chain(1, nodes);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    uint64_t replays = 0;
    int32_t enabled = 1, uploaded = 0;
    replay(&rig, exec);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, nodes[3], 0));
    more = add_node(&rig, graph, &nodes[CHAIN - 1], 1, buffer, 0, 1000);
    options.upload_stream = rig.stream;
    CHECK_OK(gc_graph_exec_apply(exec, graph, &options, &report));
    CHECK(report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW && report.reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED);
    CHECK(report.update_result == GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED && report.node_count == CHAIN + 1);
    CHECK_OK(gc_graph_exec_is_uploaded(exec, &uploaded));
    CHECK(uploaded);
    CHECK_OK(gc_graph_exec_is_node_enabled(exec, nodes[3], &enabled));
    CHECK(!enabled);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN - 1 + 1000);
    /* Nodes of the graph as it is now. */
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, more, 0));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, nodes[3], 1));
    replay(&rig, exec);
    CHECK(word(0) == CHAIN);
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK(replays == 3);
    /* A node that was removed is disabled no more, and harms nothing. */
    CHECK_OK(gc_graph_remove_node(graph, more));
    CHECK_APPLY(exec, graph, ANEW, REFUSED, UNKNOWN);
    CHECK_APPLY(exec, graph, NOTHING, UNCHANGED, 0);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_is_disabled_stays_so_by_the_nodes_of_another_graph(void) {
    gc_node nodes[CHAIN], others[CHAIN];
    gc_graph *graph = open_chain(1, nodes), *other = open_chain(10, others);
    gc_graph_exec *exec = open_exec(graph);
    gc_launch_attribute_value value;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    int32_t enabled = 1;
    memset(&value, 0, sizeof value);
    value.number = -1;
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, nodes[2], 0));
    CHECK_OK(gc_node_set_attribute(other, others[1], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    CHECK_APPLY_WITH(exec, other, GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES, UPDATE, NOT_KNOWN, UNKNOWN);
    replay(&rig, exec);
    CHECK(word(0) == 10 * (CHAIN - 1));
    CHECK_OK(gc_graph_exec_apply(exec, other, NULL, &report));
    CHECK(report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW && report.reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE);
    CHECK(report.kept_attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY && report.graph_node == others[1]);
    CHECK(report.exec_node == nodes[1]);
    CHECK_OK(gc_graph_exec_is_node_enabled(exec, others[2], &enabled));
    CHECK(!enabled);
    CHECK_STATUS(gc_graph_exec_is_node_enabled(exec, nodes[2], &enabled), GRAPHCAP_ERROR_INVALID_VALUE);
    replay(&rig, exec);
    CHECK(word(0) == 10 * (CHAIN - 1));
    /* Where nobody can tell which node that is, nothing is done. */
    add_node(&rig, graph, &nodes[CHAIN - 1], 1, buffer, 0, 1000);
    CHECK_STATUS(gc_graph_exec_apply(exec, graph, NULL, &report), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(report.status == GRAPHCAP_ERROR_ILLEGAL_STATE && report.node_count == CHAIN);
    replay(&rig, exec);
    CHECK(word(0) == 10 * (CHAIN - 1));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, others[2], 1));
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, NULL));
    replay(&rig, exec);
    CHECK(word(0) == CHAIN + 1000);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* The old exec is held up on one stream. The new one is launched on another stream, and copies what the old one leaves. */
static void launches_of_the_new_exec_run_behind_those_of_the_old_one(void) {
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(3, nodes), *copying = open_graph(rig.context);
    gc_graph_exec *exec = open_exec(graph);
    gc_stream *first = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *second = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    const gc_memcpy_params keep = GRAPHCAP_MEMCPY_INIT_DTOD(other_buffer, 0, buffer, 0, 4);
    gc_node node = 0;
    struct gate gate;
    int32_t is_complete = 1;
    clear_buffer(rig.context, buffer);
    clear_buffer(rig.context, other_buffer);
    REQUIRE_OK(gc_graph_add_memcpy_node(copying, NULL, 0, &keep, &node));
    gate_init(&gate);
    CHECK_OK(gc_stream_launch_host_func(first, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(exec, first));
    CHECK_APPLY(exec, copying, ANEW, REFUSED, UNKNOWN);
    /* What comes in between is never launched. */
    CHECK_APPLY(exec, graph, ANEW, REFUSED, UNKNOWN);
    CHECK_APPLY(exec, copying, ANEW, REFUSED, UNKNOWN);
    CHECK_OK(gc_graph_launch(exec, second));
    CHECK_STATUS(gc_stream_synchronize_for(second, 50u * 1000u * 1000u), GRAPHCAP_ERROR_TIMEOUT);
    CHECK_OK(gc_stream_is_complete(second, &is_complete));
    CHECK(!is_complete);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(second));
    CHECK(read_u32(second, other_buffer, 0) == 3 * CHAIN);
    /* One by one again and again, on both. */
    CHECK_APPLY(exec, graph, ANEW, REFUSED, UNKNOWN);
    CHECK_OK(gc_graph_launch(exec, first));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_synchronize(first));
    gate_free(&gate);
    CHECK_OK(gc_stream_destroy(second));
    CHECK_OK(gc_stream_destroy(first));
    CHECK_OK(gc_graph_destroy(copying));
    CHECK_OK(gc_graph_destroy(graph));
}

static void an_exec_is_not_made_anew_behind_a_stream_that_is_captured(void) {
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(3, nodes), *empty = open_graph(rig.context), *recorded = NULL;
    gc_graph_exec *exec = open_exec(graph);
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    const int is_host = (tested_device() == GRAPHCAP_DEVICE_HOST);
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    /* The host device needs no mark behind the launch. */
    CHECK_STATUS(gc_graph_exec_apply(exec, empty, NULL, NULL), is_host ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_stream_end_capture(stream, &recorded));
    CHECK_OK(gc_graph_exec_apply(exec, empty, NULL, NULL));
    replay(&rig, exec);
    CHECK_OK(gc_graph_destroy(recorded));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(empty));
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_can_have_one_exec_alone_is_not_made_anew(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    gc_graph_exec *exec;
    gc_node node = 0, last = 0;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 256, &node, &memory));
    last = fill_node(&rig, graph, &node, 1, buffer, 0, 5);
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &last, 1, memory, &node));
    exec = open_exec(graph);
    replay(&rig, exec);
    fill_node(&rig, graph, &node, 1, buffer, 0, 6);
    CHECK_STATUS(gc_graph_exec_apply(exec, graph, NULL, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED);
    replay(&rig, exec);
    CHECK(word(0) == 5);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_native_handle_bars_another_exec(void) {
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(1, nodes), *empty = open_graph(rig.context);
    gc_graph_exec *exec = open_exec(graph);
    void *native = NULL;
    if (gc_graph_exec_native(exec, &native) == GRAPHCAP_SUCCESS) {
        CHECK_STATUS(gc_graph_exec_apply(exec, empty, NULL, NULL), GRAPHCAP_ERROR_ILLEGAL_STATE);
        set_value(graph, nodes, 0, 2);
        CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, SET, FEW_NODES, 1);
        replay(&rig, exec);
        CHECK(word(0) == CHAIN + 1);
    } else {
        CHECK((tested_device() == GRAPHCAP_DEVICE_HOST));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(empty));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Refusals ---- */

static void what_the_flags_bar_is_not_done(void) {
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(1, nodes), *empty = open_graph(rig.context);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    options.flags = GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW;
    CHECK_STATUS(gc_graph_exec_apply(exec, empty, &options, &report), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(report.status == GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE && report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE);
    CHECK(report.reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED && report.node_count == CHAIN);
    set_value(graph, nodes, 0, 2);
    options.flags |= GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET | GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE;
    CHECK_STATUS(gc_graph_exec_apply(exec, graph, &options, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN);
    CHECK_APPLY_WITH(exec, graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET | GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, ANEW, ONLY_ALLOWED, 1);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN + 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(empty));
    CHECK_OK(gc_graph_destroy(graph));
}

static void wrong_arguments_are_refused(void) {
    gc_node nodes[CHAIN], node = 0;
    gc_graph *graph = open_chain(1, nodes), *parent = open_graph(rig.context), *child = NULL, *foreign_graph;
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    gc_context *context = open_context();
    foreign_graph = open_graph(context);
    CHECK_STATUS(gc_graph_exec_apply(exec, foreign_graph, NULL, NULL), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_graph_exec_apply(exec, foreign_graph, NULL, &report), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK(report.status == GRAPHCAP_ERROR_INVALID_CONTEXT && report.reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED);
    CHECK(strstr(gc_graph_exec_apply_reason_description(report.reason), "failed") != NULL);
    CHECK(report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING && report.node_count == 0 && report.changed_count == 0);
    CHECK_STATUS(gc_graph_exec_apply(NULL, graph, NULL, &report), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(report.status == GRAPHCAP_ERROR_INVALID_HANDLE && report.reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED);
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &node));
    REQUIRE_OK(gc_node_get_graph(parent, node, 0, &child));
    CHECK_STATUS(gc_graph_exec_apply(exec, child, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    options.flags = 16;
    CHECK_STATUS(gc_graph_exec_apply(exec, graph, &options, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    options.flags = 0;
    options.struct_size = 3;
    CHECK_STATUS(gc_graph_exec_apply(exec, graph, &options, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    report.struct_size = 3;
    CHECK_STATUS(gc_graph_exec_apply(exec, graph, NULL, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(strlen(gc_graph_exec_apply_reason_description(-1)) > 10 && strlen(gc_graph_exec_apply_reason_description(99)) > 10);
    replay(&rig, exec);
    CHECK(word(0) == CHAIN);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(foreign_graph));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Threads ---- */

enum { THREADS = 8, ROUNDS = 120 };

static gc_graph *variants[4], *shared_graph;
static gc_node shared_nodes[2];
static gc_graph_exec *shared_exec;

/* A graph whose two nodes add one number to two words, and that has nodes of other work besides. */
static gc_graph *open_variant(uint32_t value, unsigned more, gc_node *nodes) {
    gc_graph *graph = open_graph(rig.context);
    nodes[0] = add_node(&rig, graph, NULL, 0, buffer, 0, value);
    nodes[1] = add_node(&rig, graph, nodes, 1, buffer, 1, value);
    for (; more > 0; more--)
        add_node(&rig, graph, &nodes[1], 1, buffer, 2, 1);
    return graph;
}

/* Every launch runs one graph as a whole: both words get the same. Some of the graphs differ in their nodes. */
static void *launch_and_apply(void *number) {
    const unsigned own = (unsigned)(size_t)number;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        if ((round + own) % 3 == 0)
            CHECK_OK(gc_graph_exec_apply(shared_exec, variants[(round + own) % LENGTH_OF(variants)], NULL, NULL));
        CHECK_OK(gc_graph_launch(shared_exec, stream));
    }
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_launch_and_apply(void) {
    pthread_t threads[THREADS];
    gc_node nodes[2];
    uint64_t replays = 0;
    uint32_t sum;
    size_t i;
    for (i = 0; i < LENGTH_OF(variants); i++)
        variants[i] = open_variant((uint32_t)(i + 1), (unsigned)i / 2, nodes);
    shared_exec = open_exec(variants[0]);
    clear_buffer(rig.context, buffer);
    for (i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, launch_and_apply, (void *)i) == 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_context_synchronize(rig.context));
    sum = word(0);
    CHECK(sum == word(1) && sum >= THREADS * ROUNDS && sum <= 4 * THREADS * ROUNDS);
    CHECK_OK(gc_graph_exec_num_replays(shared_exec, &replays));
    CHECK(replays == THREADS * ROUNDS);
    CHECK_OK(gc_graph_exec_destroy(shared_exec));
    for (i = 0; i < LENGTH_OF(variants); i++)
        CHECK_OK(gc_graph_destroy(variants[i]));
}

/* Threads edit the graph, apply it, and launch. What the exec does in the end is what the graph does. */
static void *edit_apply_and_launch(void *number) {
    const unsigned own = (unsigned)(size_t)number;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    struct kernel_call call;
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        const unsigned at = (round + own) % 2;
        CHECK_OK(set_kernel(shared_graph, shared_nodes[at], call_add(&call, &rig, buffer, at, 1 + (round + own) % 5)));
        if (round % 20 == own)
            add_node(&rig, shared_graph, NULL, 0, buffer, 2, 1);
        CHECK_OK(gc_graph_exec_apply(shared_exec, shared_graph, NULL, NULL));
        CHECK_OK(gc_graph_launch(shared_exec, stream));
    }
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_edit_apply_and_launch(void) {
    pthread_t threads[THREADS];
    uint64_t replays = 0;
    size_t nodes = 0;
    unsigned i;
    struct kernel_call call;
    shared_graph = open_variant(1, 0, shared_nodes);
    shared_exec = open_exec(shared_graph);
    for (i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, edit_apply_and_launch, (void *)(size_t)i) == 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (i = 0; i < 2; i++)
        CHECK_OK(set_kernel(shared_graph, shared_nodes[i], call_fill(&call, &rig, buffer, i, 7 + i)));
    CHECK_APPLY_WITH(shared_exec, shared_graph, GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE, SET, FEW_NODES, 2);
    CHECK_OK(gc_context_synchronize(rig.context));
    replay(&rig, shared_exec);
    CHECK(word(0) == 7 && word(1) == 8);
    CHECK_OK(gc_graph_exec_node_count(shared_exec, &nodes));
    CHECK(nodes == 2 + THREADS * ROUNDS / 20 && nodes == nodes_of(shared_graph));
    CHECK_OK(gc_graph_exec_num_replays(shared_exec, &replays));
    CHECK(replays == THREADS * ROUNDS + 1);
    CHECK_OK(gc_graph_exec_destroy(shared_exec));
    CHECK_OK(gc_graph_destroy(shared_graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    other_buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    RUN(an_exec_gets_no_more_than_it_lacks);
    RUN(nodes_of_all_kinds_are_set);
    RUN(captures_are_applied);
    RUN(an_exec_that_is_made_anew_is_the_same_to_its_users);
    RUN(what_is_disabled_stays_so_by_the_nodes_of_another_graph);
    RUN(launches_of_the_new_exec_run_behind_those_of_the_old_one);
    RUN(an_exec_is_not_made_anew_behind_a_stream_that_is_captured);
    RUN(what_can_have_one_exec_alone_is_not_made_anew);
    RUN(a_native_handle_bars_another_exec);
    RUN(what_the_flags_bar_is_not_done);
    RUN(wrong_arguments_are_refused);
    RUN(threads_launch_and_apply);
    RUN(threads_edit_apply_and_launch);
    CHECK_OK(gc_buffer_destroy(other_buffer));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
