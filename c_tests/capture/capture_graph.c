/* The graph of a capture that goes on: nodes that are added to it by hand and that the capture goes on from, child graphs and
 * conditionals in the midst of a capture. */
#include "../graph/nodes.h"

static struct rig rig;

static gc_graph *graph_of(const gc_stream *stream) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_capture_graph(stream, &graph));
    return graph;
}

static void begin(void) {
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
}

static gc_graph *end(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

static gc_node frontier_of(const gc_stream *stream) {
    gc_node nodes[2] = {0, 0};
    size_t count = 0;
    CHECK_OK(gc_stream_capture_frontier(stream, nodes, 2, &count));
    CHECK(count == 1);
    return nodes[0];
}

/* A node by hand between two that are recorded: buffer[0] becomes 3 * (1 + 10) of what the order gives. */
static void the_capture_goes_on_from_nodes_that_are_added(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    struct kernel_call call;
    gc_graph *graph, *ended;
    gc_node first, added = 0, listed[8];
    size_t count = 0;
    begin();
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    graph = graph_of(rig.stream);
    CHECK(nodes_of(graph) == 1);
    first = frontier_of(rig.stream);
    CHECK(kind_of(graph, first) == GRAPHCAP_NODE_KERNEL);
    REQUIRE_OK(add_kernel(graph, &first, 1, call_mix(&call, &rig, buffer, 1, 0, 0, 10), &added));
    /* The capture does not know of it until it is told. */
    CHECK(frontier_of(rig.stream) == first);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &added, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK(frontier_of(rig.stream) == added);
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 1, 0, 0));
    CHECK(nodes_of(graph) == 3 && edges_of(graph) == 2);
    ended = end();
    CHECK(nodes_of(ended) == 3 && edges_of(ended) == 2);
    /* Two handles of one graph, with the same names of nodes. */
    CHECK_OK(gc_graph_get_nodes(ended, listed, LENGTH_OF(listed), &count));
    CHECK(count == 3 && listed[0] == first && listed[1] == added);
    CHECK_OK(gc_graph_add_dependencies(graph, &first, &listed[2], NULL, 1));
    CHECK(edges_of(ended) == 3);
    CHECK_OK(gc_graph_destroy(graph));
    run_graph(&rig, ended);
    CHECK(read_u32(rig.stream, buffer, 1) == mixed(1, 1, 10));
    CHECK(read_u32(rig.stream, buffer, 2) == mixed(mixed(1, 1, 10), 1, 0));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* What is added keeps what it uses, as what is recorded does. */
static void the_graph_keeps_what_both_use(void) {
    gc_buffer *recorded = open_waitable(rig.context, 64), *added = open_waitable(rig.context, 64);
    gc_buffer *seen = open_buffer(rig.context, 64);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(seen, 4, added, 0, 4);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(added, 0, 7, 4, 1, 1, 0);
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_node node = 0, copied = 0;
    begin();
    CHECK_OK(gc_stream_memset(rig.stream, recorded, 0, 5, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, seen, 0, recorded, 0, 4));
    graph = graph_of(rig.stream);
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &node, 1, &copy, &copied));
    CHECK_OK(gc_graph_destroy(graph)); /* it lives until the capture is over */
    CHECK_OK(gc_buffer_destroy(recorded));
    CHECK_OK(gc_buffer_destroy(added));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_context_collect(rig.context));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, seen, 0) == 5 && read_u32(rig.stream, seen, 1) == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(seen));
}

static void the_graph_is_instantiated_midway(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph, *ended;
    gc_graph_exec *exec;
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    begin();
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    graph = graph_of(rig.stream);
    exec = open_exec(graph);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 10, 1));
    CHECK_OK(gc_graph_launch(exec, other));
    CHECK_OK(gc_stream_synchronize(other));
    CHECK(read_u32(other, buffer, 0) == 1);
    ended = end();
    run_graph(&rig, ended);
    CHECK(read_u32(other, buffer, 0) == 12);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* From a stream that joined it is the same graph. */
static void all_streams_of_a_capture_have_one_graph(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork = open_event(rig.context), *join = open_event(rig.context);
    gc_graph *graph, *same, *ended;
    gc_node node = 0;
    begin();
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_event_record(fork, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork, 0));
    graph = graph_of(side);
    same = graph_of(rig.stream);
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    CHECK(nodes_of(same) == 2);
    CHECK_OK(launch_add(&rig, side, buffer, 4, 2, 1));
    CHECK_OK(gc_event_record(join, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, join, 0));
    ended = end();
    CHECK(nodes_of(ended) == 3);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(same));
    run_graph(&rig, ended);
    CHECK(read_u32(rig.stream, buffer, 1) == 2);
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_event_destroy(join));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A capture into a graph of the caller's has that graph. */
static void a_capture_into_a_graph_has_that_graph(void) {
    gc_graph *into = open_graph(rig.context), *graph, *ended;
    gc_node node = 0, after = 0;
    REQUIRE_OK(gc_graph_add_empty_node(into, NULL, 0, &node));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, into, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    graph = graph_of(rig.stream);
    REQUIRE_OK(gc_graph_add_empty_node(graph, &node, 1, &after));
    CHECK(nodes_of(into) == 2);
    ended = end();
    CHECK(nodes_of(ended) == 2);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(into));
}

static gc_status record_fill(const gc_stream *stream, void *buffer) {
    return gc_stream_memset(stream, (const gc_buffer *)buffer, 0, 7, 4, 1);
}

/* An object owns the capture, nobody does, or a function submits its work: each goes into the graph, behind the node that is told. */
static void options_name_the_graph_that_a_capture_goes_into(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph *into = open_graph(rig.context), *ended = NULL;
    gc_capture *capture = NULL;
    gc_pool *pool = NULL;
    gc_node node = 0, found[2] = {0, 0};
    uint64_t recorded = 0;
    size_t count = 0;
    REQUIRE_OK(gc_graph_add_empty_node(into, NULL, 0, &node));
    options.graph = into;
    options.dependencies = &node;
    options.dependency_count = 1;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    CHECK(frontier_of(rig.stream) == node);
    CHECK_OK(gc_capture_record_memset(capture, buffer, 0, 7, 4, 1));
    CHECK_OK(gc_capture_recorded_count(capture, &recorded));
    CHECK(recorded == 1 && nodes_of(into) == 2);
    REQUIRE_OK(gc_capture_end(capture, &ended));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK(ended != into && nodes_of(ended) == 2);
    CHECK_OK(gc_graph_destroy(ended));
    /* An aborted capture leaves there what it recorded. */
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    CHECK_OK(gc_capture_record_memset(capture, buffer, 0, 7, 4, 1));
    CHECK_OK(gc_capture_abort(capture));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK(nodes_of(into) == 3);
    /* No object, and strict. */
    options.flags = GRAPHCAP_CAPTURE_STRICT;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, NULL));
    CHECK_STATUS(gc_stream_memcpy_htod(rig.stream, buffer, 0, &count, 4), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_OK(record_fill(rig.stream, buffer));
    ended = end();
    CHECK_OK(gc_graph_destroy(ended));
    options.flags = 0;
    REQUIRE_OK(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, record_fill, buffer, NULL, &ended));
    CHECK(nodes_of(into) == 5);
    CHECK_OK(gc_node_get_dependents(into, node, NULL, 0, &count));
    CHECK(count == 4);
    run_graph(&rig, ended);
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_destroy(ended));
    /* A pool is given at the end. */
    REQUIRE_OK(gc_pool_create(rig.context, NULL, &pool));
    options.pool = pool;
    CHECK_MESSAGE(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture), GRAPHCAP_ERROR_NOT_SUPPORTED,
                  "gc_stream_end_capture_with_pool");
    CHECK(capture == NULL);
    options.pool = NULL;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, NULL));
    REQUIRE_OK(gc_stream_end_capture_with_pool(rig.stream, pool, &ended));
    CHECK_OK(gc_graph_destroy(ended));
    options.graph = NULL;
    CHECK_MESSAGE(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture), GRAPHCAP_ERROR_INVALID_HANDLE,
                  "options.graph");
    options.dependency_count = 0;
    options.dependencies = found;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, NULL));
    ended = end();
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_graph_destroy(into));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Nothing is taken from under a capture; a failed one takes the graph along. */
static void the_graph_ends_with_a_capture_that_fails(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_launch_config impossible = GRAPHCAP_LAUNCH_CONFIG(1, 2000);
    gc_graph *graph, *none = NULL;
    gc_graph_exec *exec;
    gc_node node;
    uint32_t value = 1;
    uint64_t one = 1;
    size_t count = 0;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(one)};
    begin();
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    graph = graph_of(rig.stream);
    node = frontier_of(rig.stream);
    CHECK_MESSAGE(gc_graph_remove_node(graph, node), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    exec = open_exec(graph);
    CHECK_STATUS(gc_stream_launch_kernel(rig.stream, rig.add, &impossible, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_capture_graph(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_MESSAGE(gc_graph_node_count(graph, &count), GRAPHCAP_ERROR_INVALID_VALUE, "failed");
    CHECK(none == NULL);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_stream_that_is_not_captured_has_no_graph(void) {
    gc_graph *graph = NULL, *child = open_graph(rig.context);
    gc_node node = 7;
    CHECK_MESSAGE(gc_stream_capture_graph(rig.stream, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE, "not being captured");
    CHECK_MESSAGE(gc_stream_capture_child_node(rig.stream, child, &node), GRAPHCAP_ERROR_ILLEGAL_STATE, "not being captured");
    CHECK(graph == NULL && node == 0);
    CHECK_OK(gc_graph_destroy(child));
}

/* In the order of the stream, without a name for any other node. */
static void a_child_graph_is_put_into_a_capture(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *child = open_graph(rig.context), *graph, *ended;
    struct kernel_call call;
    gc_node node = 0, inner = 0;
    REQUIRE_OK(add_kernel(child, NULL, 0, call_mix(&call, &rig, buffer, 1, 0, 0, 1), &inner));
    begin();
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 5, 1));
    CHECK_OK(gc_stream_capture_child_node(rig.stream, child, &node));
    CHECK(node != 0 && frontier_of(rig.stream) == node);
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 1, 0, 2));
    graph = graph_of(rig.stream);
    CHECK(kind_of(graph, node) == GRAPHCAP_NODE_CHILD);
    CHECK_MESSAGE(gc_stream_capture_child_node(rig.stream, graph, &inner), GRAPHCAP_ERROR_INVALID_VALUE, "itself");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(child));
    ended = end();
    CHECK(nodes_of(ended) == 3 && edges_of(ended) == 2);
    run_graph(&rig, ended);
    CHECK(read_u32(rig.stream, buffer, 1) == mixed(5, 5, 1));
    CHECK(read_u32(rig.stream, buffer, 2) == mixed(mixed(5, 5, 1), 5, 2));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* With a default, so that no kernel has to set the condition: the body is built by hand in the midst of the capture. */
static void a_conditional_is_put_into_a_capture(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph, *ended, *body = NULL;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 4, 9, 4, 1, 1, 0);
    gc_condition condition = 0;
    gc_node node = 0, inner = 0;
    begin();
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 5, 1));
    graph = graph_of(rig.stream);
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    CHECK_MESSAGE(gc_stream_capture_conditional_node(rig.stream, condition, 9, 1, &node), GRAPHCAP_ERROR_INVALID_VALUE, "kind");
    CHECK_OK(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    CHECK(frontier_of(rig.stream) == node);
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    REQUIRE_OK(gc_graph_add_memset_node(body, NULL, 0, &set, &inner));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 1, 0, 2));
    ended = end();
    CHECK(nodes_of(ended) == 3 && edges_of(ended) == 2);
    run_graph(&rig, ended);
    CHECK(read_u32(rig.stream, buffer, 2) == mixed(9, 5, 2));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(the_capture_goes_on_from_nodes_that_are_added);
    RUN(the_graph_keeps_what_both_use);
    RUN(the_graph_is_instantiated_midway);
    RUN(all_streams_of_a_capture_have_one_graph);
    RUN(a_capture_into_a_graph_has_that_graph);
    RUN(options_name_the_graph_that_a_capture_goes_into);
    RUN(the_graph_ends_with_a_capture_that_fails);
    RUN(a_stream_that_is_not_captured_has_no_graph);
    RUN(a_child_graph_is_put_into_a_capture);
    RUN(a_conditional_is_put_into_a_capture);
    rig_close(&rig);
    return check_finish();
}
