/* Captures into graphs within nodes: the bodies of conditionals, and the graphs of child nodes. What is recorded comes into such a
 * graph at the end, wholly or not at all. */
#include "../graph/nodes.h"

static struct rig rig;
static gc_buffer *buffer;

static uint32_t word(unsigned index) {
    return read_u32(rig.stream, buffer, index);
}

static gc_status begin_into(gc_stream *stream, const gc_graph *graph, const gc_node *dependencies, size_t count) {
    return gc_stream_begin_capture_to_graph(stream, graph, dependencies, count, GRAPHCAP_CAPTURE_MODE_RELAXED);
}

static void end_into(gc_stream *stream) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_node frontier_of(const gc_stream *stream) {
    gc_node node = 0;
    size_t count = 0;
    CHECK_OK(gc_stream_capture_frontier(stream, &node, 1, &count));
    CHECK(count == 1);
    return node;
}

/* A node that runs its body once at each launch. */
static gc_graph *open_body(const gc_graph *graph, gc_node *node_out) {
    gc_condition condition = 0;
    gc_graph *body = NULL;
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, node_out));
    REQUIRE_OK(gc_node_get_graph(graph, *node_out, 0, &body));
    return body;
}

/* A node whose graph sets buffer[0] to 1. */
static gc_graph *open_child(const gc_graph *graph, gc_node *node_out) {
    gc_graph *child = open_graph(rig.context), *within = NULL;
    fill_node(&rig, child, NULL, 0, buffer, 0, 1);
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, node_out));
    CHECK_OK(gc_graph_destroy(child));
    REQUIRE_OK(gc_node_get_graph(graph, *node_out, 0, &within));
    return within;
}

/* Row `cond.capture_into_body`. */
static void a_body_is_captured(void) {
    gc_graph *graph = open_graph(rig.context), *ended = NULL, *body;
    gc_node node = 0, kernel, listed[4] = {0};
    size_t count = 0;
    clear_words(&rig, buffer);
    body = open_body(graph, &node);
    REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 7, 1));
    kernel = frontier_of(rig.stream);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 8, 4, 1));
    CHECK(nodes_of(body) == 0); /* until the end */
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &ended));
    CHECK(nodes_of(body) == 2 && edges_of(body) == 1 && nodes_of(ended) == 2);
    CHECK_OK(gc_graph_get_nodes(body, listed, 4, &count));
    CHECK(count == 2 && listed[0] == kernel && kind_of(ended, kernel) == GRAPHCAP_NODE_KERNEL);
    run_graph(&rig, graph);
    CHECK(word(0) == 7 && word(1) == 8);
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

static void launch_early(uint32_t number) {
    const uint64_t words = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(number), GRAPHCAP_ARG_INIT_VALUE(words)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_launch_attribute early;
    gc_launch_attribute_init_number(&early, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
    config.attributes = &early;
    config.attribute_count = 1;
    CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.add, &config, arguments, 3));
}

/* Edges that carry something beside edges that do not, whichever of them the driver adds first. */
static void each_edge_keeps_what_it_carries(void) {
    unsigned turn, i;
    for (turn = 0; turn < 2; turn++) {
        gc_graph *graph = open_graph(rig.context), *body;
        gc_node node = 0, kernels[6], from[8], to[8];
        gc_edge_data data[8];
        size_t count = 0, at;
        body = open_body(graph, &node);
        REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
        for (i = 0; i < 6; i++) {
            if (i > 0 && i % 2 == turn)
                launch_early(1);
            else
                CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
            kernels[i] = frontier_of(rig.stream);
        }
        end_into(rig.stream);
        REQUIRE_OK(gc_graph_get_edges(body, from, to, data, 8, &count));
        CHECK(count == 5);
        for (i = 1; i < 6; i++) {
            unsigned is_early = i % 2 == turn, found = 0;
            for (at = 0; at < count; at++)
                if (from[at] == kernels[i - 1] && to[at] == kernels[i])
                    found += data[at].edge_type == is_early && data[at].from_port == is_early && data[at].to_port == 0;
            CHECK(found == 1);
        }
        CHECK_OK(gc_graph_destroy(body));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

/* What is recorded is added by hand at the end, which the driver allows of edges that carry something between kernels alone. */
static void edges_to_other_nodes_than_kernels_carry_nothing(void) {
    const gc_edge_data early = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    gc_graph *graph = open_graph(rig.context), *body;
    gc_node node = 0, kernel, from = 0, to = 0;
    size_t count = 0;
    body = open_body(graph, &node);
    clear_words(&rig, buffer);
    REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 7, 1));
    kernel = frontier_of(rig.stream);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &kernel, &early, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 8, 4, 1));
    end_into(rig.stream);
    CHECK_OK(gc_graph_get_edges(body, &from, &to, NULL, 1, &count));
    CHECK(count == 1 && from == kernel && kind_of(body, to) == GRAPHCAP_NODE_MEMSET);
    run_graph(&rig, graph);
    CHECK(word(0) == 7 && word(1) == 8);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Row `cond.in_capture_documented_pattern`: the conditional is put into a capture, its body is captured on another stream, and the
 * capture goes on behind it. */
static void a_body_is_captured_in_the_midst_of_a_capture(void) {
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL, *body = NULL;
    gc_graph_exec *exec;
    gc_condition condition = 0;
    gc_node last, set = 0, node = 0;
    clear_words(&rig, buffer);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1)); /* 1 at the first replay */
    last = frontier_of(rig.stream);
    REQUIRE_OK(gc_stream_capture_graph(rig.stream, &graph));
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    REQUIRE_OK(gc_graph_add_set_condition_node(graph, &last, 1, condition, buffer, 0, &set));
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &set, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    REQUIRE_OK(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_SWITCH, 2, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 1, &body));
    REQUIRE_OK(begin_into(other, body, NULL, 0));
    CHECK_OK(launch_add(&rig, other, buffer, 4, 10, 1));
    CHECK_MESSAGE(gc_graph_remove_node(graph, node), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    end_into(other);
    CHECK(nodes_of(body) == 1);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 4, 2, 1));
    CHECK(nodes_of(graph) == 4);
    exec = finish_capture(rig.stream);
    replay(&rig, exec);
    CHECK(word(1) == 12);
    replay(&rig, exec); /* 2 is no body */
    CHECK(word(1) == 14);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(other));
}

/* Row `nest.handle_capture_into`, after a node that was there; and what it uses is kept. */
static void the_graph_of_a_child_is_captured_into(void) {
    gc_buffer *source = open_waitable(rig.context, 64);
    gc_graph *graph = open_graph(rig.context), *within;
    gc_node node = 0, first = 0, nothing = 12345, listed[8] = {0};
    gc_graph_exec *exec;
    unsigned calls = 0;
    size_t count = 0;
    clear_words(&rig, buffer);
    within = open_child(graph, &node);
    CHECK_OK(gc_graph_get_nodes(within, &first, 1, NULL));
    CHECK_STATUS(begin_into(rig.stream, within, &nothing, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    REQUIRE_OK(begin_into(rig.stream, within, &first, 1));
    CHECK(frontier_of(rig.stream) == first);
    CHECK_OK(gc_stream_memset(rig.stream, source, 0, 5, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, buffer, 4, source, 0, 4));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    end_into(rig.stream);
    CHECK(nodes_of(within) == 4 && edges_of(within) == 3 && nodes_of(graph) == 1);
    CHECK_OK(gc_graph_get_nodes(within, listed, 8, &count));
    CHECK(count == 4 && listed[0] == first);
    CHECK_OK(gc_buffer_destroy(source));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_collect(rig.context));
    replay(&rig, exec);
    CHECK(word(0) == 1 && word(1) == 5 && calls == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* With a fork, and again into the same graph. */
static void several_captures_go_into_one_graph(void) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork = open_event(rig.context), *join = open_event(rig.context);
    gc_graph *graph = open_graph(rig.context), *body, *copy = NULL;
    gc_node node = 0, listed[8] = {0};
    size_t count = 0;
    clear_words(&rig, buffer);
    body = open_body(graph, &node);
    REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    CHECK_OK(gc_event_record(fork, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork, 0));
    CHECK_OK(launch_mix(&rig, side, buffer, 1, 0, 0, 1));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 0, 0, 2));
    CHECK_OK(gc_event_record(join, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, join, 0));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 3, 1, 2, 0));
    end_into(rig.stream);
    CHECK(nodes_of(body) == 4 && edges_of(body) == 4);
    CHECK_OK(gc_graph_get_nodes(body, listed, 8, &count));
    REQUIRE_OK(begin_into(side, body, &listed[3], 1));
    CHECK_OK(launch_mix(&rig, side, buffer, 4, 3, 3, 4));
    end_into(side);
    CHECK(nodes_of(body) == 5 && edges_of(body) == 5);
    /* By hand as before. */
    CHECK_OK(gc_graph_get_nodes(body, listed, 8, &count));
    CHECK(count == 5);
    CHECK_OK(gc_graph_remove_node(body, listed[4]));
    fill_node(&rig, body, &listed[3], 1, buffer, 4, 77);
    run_graph(&rig, graph);
    CHECK(word(1) == mixed(3, 3, 1) && word(2) == mixed(3, 3, 2));
    CHECK(word(3) == mixed(mixed(3, 3, 1), mixed(3, 3, 2), 0) && word(4) == 77);
    CHECK_STATUS(gc_graph_clone(body, &copy), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_event_destroy(join));
    CHECK_OK(gc_stream_destroy(side));
}

/* Nothing else changes the graph meanwhile, and nothing that it is in goes. */
static void the_graph_is_closed_while_it_is_captured_into(void) {
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = open_graph(rig.context), *within;
    gc_node node = 0, first = 0, more = 0, beside = 0;
    struct kernel_call call;
    clear_words(&rig, buffer);
    within = open_child(graph, &node);
    CHECK_OK(gc_graph_get_nodes(within, &first, 1, NULL));
    REQUIRE_OK(begin_into(other, within, NULL, 0));
    CHECK_OK(launch_add(&rig, other, buffer, 4, 1, 1));
    call_fill(&call, &rig, buffer, 2, 9);
    CHECK_MESSAGE(add_kernel(within, NULL, 0, &call, &more), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    CHECK_MESSAGE(set_kernel(within, first, &call), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    CHECK_MESSAGE(gc_graph_remove_node(within, first), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    CHECK_MESSAGE(gc_graph_remove_node(graph, node), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    CHECK_STATUS(begin_into(rig.stream, within, NULL, 0), GRAPHCAP_ERROR_ILLEGAL_STATE);
    /* The outermost graph can be changed, and run as it was. */
    beside = fill_node(&rig, graph, &node, 1, buffer, 3, 4);
    run_graph(&rig, graph);
    CHECK(word(0) == 1 && word(1) == 0 && word(3) == 4);
    end_into(other);
    CHECK_OK(gc_graph_remove_node(graph, beside));
    run_graph(&rig, graph);
    CHECK(word(1) == 1);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(other));
}

/* Rows `capture.to_child_handle_invalidated` and `capture.to_body_invalidated`: the driver destroys the graph within, and crashes when
 * the outermost one goes. */
static void a_capture_that_fails_leaves_the_graph_as_it_was(void) {
    gc_graph *graph = open_graph(rig.context), *none = NULL, *within, *body;
    gc_node node = 0, conditional = 0;
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING), *origin;
    gc_event *fork = open_event(rig.context);
    clear_words(&rig, buffer);
    within = open_child(graph, &node);
    body = open_body(graph, &conditional);
    REQUIRE_OK(begin_into(rig.stream, within, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 4, 1, 1));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
    CHECK_OK(gc_event_record(fork, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork, 0));
    CHECK_OK(launch_add(&rig, side, buffer, 8, 1, 1));
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    origin = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    REQUIRE_OK(begin_into(origin, body, NULL, 0));
    CHECK_OK(launch_add(&rig, origin, buffer, 8, 1, 1));
    CHECK_OK(gc_stream_destroy(origin));
    CHECK(none == NULL && nodes_of(within) == 1 && nodes_of(graph) == 2);
    run_graph(&rig, graph);
    CHECK(word(0) == 1 && word(1) == 0);
    REQUIRE_OK(begin_into(rig.stream, within, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 4, 2, 1));
    end_into(rig.stream);
    run_graph(&rig, graph);
    CHECK(nodes_of(within) == 2 && word(1) == 2);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_stream_destroy(side));
}

/* What is put into a capture by hand comes into the body at the end, with what was recorded before and behind it. */
static void a_body_is_captured_with_what_it_nests(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *body, *inner = NULL, *known = NULL, *copy = NULL;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_buffer *source = open_buffer(rig.context, 64);
    gc_event *fork = open_event(rig.context), *join = open_event(rig.context);
    gc_condition condition = 0;
    gc_node outer = 0, first, nested = 0, put = 0, listed[8] = {0}, inside = 0;
    char name[16];
    size_t count = 0;
    struct kernel_call call;
    clear_words(&rig, buffer);
    clear_words(&rig, source);
    inside = add_node(&rig, child, NULL, 0, source, 0, 5);
    CHECK_OK(gc_node_set_name(child, inside, "inside"));
    body = open_body(graph, &outer);
    first = fill_node(&rig, body, NULL, 0, buffer, 3, 1);
    REQUIRE_OK(gc_graph_create_condition(body, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(begin_into(stream, body, &first, 1));
    REQUIRE_OK(gc_stream_capture_graph(stream, &known));
    CHECK_OK(gc_stream_capture_conditional_node(stream, condition, GRAPHCAP_CONDITIONAL_IF, 1, &nested));
    CHECK(nested != 0 && frontier_of(stream) == nested);
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
    /* From a stream that joined, too. */
    CHECK_OK(gc_event_record(fork, stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork, 0));
    CHECK_OK(gc_stream_capture_child_node(side, child, &put));
    CHECK(put != 0 && frontier_of(side) == put);
    CHECK_OK(gc_stream_memcpy_dtod(side, buffer, 8, source, 0, 4));
    CHECK_OK(gc_event_record(join, side, 0));
    CHECK_OK(gc_stream_wait_event(stream, join, 0));
    CHECK_OK(gc_stream_memcpy_dtod(stream, buffer, 4, buffer, 0, 4));
    /* The copy is as the child was, and nobody sees it yet. */
    CHECK_OK(set_kernel(child, inside, call_add(&call, &rig, source, 0, 100)));
    CHECK(nodes_of(body) == 1 && nodes_of(known) == 1);
    CHECK_STATUS(gc_node_get_graph(body, put, 0, &inner), GRAPHCAP_ERROR_INVALID_VALUE);
    /* A driver makes no exec while a condition has no node, which it gets at the end. */
    if (!on_cuda()) {
        run_graph(&rig, graph);
        CHECK(word(3) == 1 && word(0) == 0);
    }
    end_into(stream);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_buffer_destroy(source));
    CHECK(nodes_of(body) == 6 && edges_of(body) == 6);
    CHECK_OK(gc_graph_get_nodes(body, listed, 8, &count));
    CHECK(count == 6 && listed[0] == first && listed[1] == nested && listed[3] == put);
    CHECK(kind_of(body, nested) == GRAPHCAP_NODE_CONDITIONAL && kind_of(body, put) == GRAPHCAP_NODE_CHILD);
    REQUIRE_OK(gc_node_get_graph(body, put, 0, &copy));
    CHECK_OK(gc_graph_get_nodes(copy, listed, 8, &count));
    CHECK(count == 1);
    CHECK_OK(gc_node_get_name(copy, listed[0], name, sizeof name, NULL));
    CHECK(strcmp(name, "inside") == 0);
    REQUIRE_OK(gc_node_get_graph(body, nested, 0, &inner));
    REQUIRE_OK(begin_into(rig.stream, inner, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 10, 1));
    end_into(rig.stream);
    clear_words(&rig, buffer);
    run_graph(&rig, graph);
    CHECK(word(0) == 11 && word(1) == 11 && word(2) == 5 && word(3) == 1);
    /* As any other node. */
    CHECK_OK(gc_graph_remove_node(body, put));
    CHECK(nodes_of(body) == 5);
    clear_words(&rig, buffer);
    run_graph(&rig, graph);
    CHECK(word(0) == 11 && word(1) == 11 && word(2) == 5);
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_graph_destroy(known));
    CHECK_OK(gc_graph_destroy(inner));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_event_destroy(join));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_stream_destroy(stream));
}

/* As in a capture into a graph of its own: a node that is put by hand need not be joined, what the stream records behind it must be. */
static void what_is_put_on_a_fork_need_not_be_joined(void) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork = open_event(rig.context);
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *none = NULL, *body;
    gc_node node = 0, put = 0;
    int is_recorded_behind;
    clear_words(&rig, buffer);
    fill_node(&rig, child, NULL, 0, buffer, 0, 6);
    body = open_body(graph, &node);
    for (is_recorded_behind = 0; is_recorded_behind < 2; is_recorded_behind++) {
        REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
        CHECK_OK(gc_event_record(fork, rig.stream, 0));
        CHECK_OK(gc_stream_wait_event(side, fork, 0));
        CHECK_OK(gc_stream_capture_child_node(side, child, &put));
        CHECK(frontier_of(side) == put);
        if (is_recorded_behind) {
            CHECK_OK(launch_add(&rig, side, buffer, 4, 1, 1));
            CHECK_STATUS(gc_stream_end_capture(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_UNJOINED);
        } else {
            end_into(rig.stream);
        }
        CHECK(none == NULL && nodes_of(body) == 1);
    }
    run_graph(&rig, graph);
    CHECK(word(0) == 6 && word(1) == 0);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_stream_destroy(side));
}

/* In a graph that others have, whose places are vacant in no order, nodes keep the names that they got in the capture. */
static void what_is_put_keeps_its_name_among_nodes_that_are_recorded(void) {
    static const unsigned removed[] = {3, 1, 0};
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *leaf = open_graph(rig.context), *within = NULL;
    gc_node outer, node, before[4], puts[2] = {0, 0}, nodes[16];
    uint32_t kind = 0;
    void *native = NULL;
    size_t count = 0, i, k;
    add_node(&rig, leaf, NULL, 0, buffer, 0, 1);
    REQUIRE_OK(gc_graph_add_empty_node(child, NULL, 0, &node));
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &outer));
    REQUIRE_OK(gc_node_get_graph(graph, outer, 0, &within));
    for (i = 0; i < LENGTH_OF(before); i++)
        REQUIRE_OK(gc_graph_add_empty_node(within, NULL, 0, &before[i]));
    for (i = 0; i < LENGTH_OF(removed); i++)
        REQUIRE_OK(gc_graph_remove_node(within, before[removed[i]]));
    if (on_cuda())
        REQUIRE_OK(gc_graph_native(graph, &native));
    REQUIRE_OK(begin_into(rig.stream, within, NULL, 0));
    REQUIRE_OK(gc_stream_capture_child_node(rig.stream, leaf, &puts[0]));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    frontier_of(rig.stream);
    REQUIRE_OK(gc_stream_capture_child_node(rig.stream, leaf, &puts[1]));
    end_into(rig.stream);
    for (i = 0; i < LENGTH_OF(puts); i++)
        CHECK(gc_node_kind(within, puts[i], &kind) == GRAPHCAP_SUCCESS && kind == GRAPHCAP_NODE_CHILD);
    REQUIRE_OK(gc_graph_add_empty_node(within, NULL, 0, &node));
    REQUIRE_OK(gc_graph_get_nodes(within, nodes, LENGTH_OF(nodes), &count));
    CHECK(count == 6);
    for (i = 0; i < count; i++)
        for (k = 0; k < i; k++)
            CHECK(nodes[i] != nodes[k]);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(leaf));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

static unsigned released;

static void release_one(void *user_data) {
    (void)user_data;
    __atomic_fetch_add(&released, 1, __ATOMIC_ACQ_REL);
}

static void await_released(unsigned count) {
    int rounds;
    for (rounds = 0; rounds < 20000 && __atomic_load_n(&released, __ATOMIC_ACQUIRE) < count; rounds++) {
        CHECK_OK(gc_context_collect(rig.context));
        pause_ms(1);
    }
    CHECK(__atomic_load_n(&released, __ATOMIC_ACQUIRE) == count);
}

/* Where the capture fails, the condition is for another node again, and what the child kept is let go of. */
static void what_is_put_into_a_capture_that_fails_goes_with_it(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *body, *none = NULL;
    gc_condition condition = 0;
    gc_node outer = 0, put = 0;
    int is_whole;
    clear_words(&rig, buffer);
    body = open_body(graph, &outer);
    REQUIRE_OK(gc_graph_create_condition(body, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    released = 0;
    fill_node(&rig, child, NULL, 0, buffer, 0, 1);
    CHECK_OK(gc_graph_retain_callback(child, NULL, release_one));
    for (is_whole = 0; is_whole < 2; is_whole++) {
        REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
        CHECK_OK(gc_stream_capture_child_node(rig.stream, child, &put));
        CHECK_OK(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &put));
        if (!is_whole) {
            CHECK_OK(gc_graph_destroy(child));
            CHECK(__atomic_load_n(&released, __ATOMIC_ACQUIRE) == 0);
            CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
            CHECK_STATUS(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_IF, 1, &put),
                         GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
            CHECK_STATUS(gc_stream_end_capture(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
            CHECK(put == 0 && nodes_of(body) == 0);
            await_released(1);
            child = open_graph(rig.context);
            fill_node(&rig, child, NULL, 0, buffer, 0, 2);
        } else {
            end_into(rig.stream);
            CHECK(nodes_of(body) == 2 && edges_of(body) == 1);
        }
    }
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What cannot be put there is refused at once, and the capture goes on. */
static void what_a_body_cannot_have_is_refused_when_it_is_put(void) {
    gc_graph *graph = open_graph(rig.context), *owner = open_graph(rig.context), *child = open_graph(rig.context), *body, *theirs;
    gc_context *context = open_context();
    gc_graph *foreign = open_graph(context);
    gc_condition condition = 0, others = 0;
    gc_node outer = 0, node = 0, put = 7;
    clear_words(&rig, buffer);
    body = open_body(graph, &outer);
    theirs = open_child(child, &node);
    REQUIRE_OK(gc_graph_create_condition(body, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_create_condition(owner, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &others));
    REQUIRE_OK(gc_graph_add_conditional_node(owner, NULL, 0, others, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(begin_into(rig.stream, body, NULL, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_STATUS(gc_stream_capture_conditional_node(rig.stream, others, GRAPHCAP_CONDITIONAL_IF, 1, &put),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(put == 0);
    CHECK_STATUS(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_WHILE, 2, &put),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_capture_child_node(rig.stream, owner, &put), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_stream_capture_child_node(rig.stream, theirs, &put), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_stream_capture_child_node(rig.stream, graph, &put), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_capture_child_node(rig.stream, foreign, &put), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_OK(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_IF, 1, &put));
    CHECK_STATUS(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE && frontier_of(rig.stream) == put);
    CHECK_MESSAGE(gc_graph_add_empty_node(body, NULL, 0, &node), GRAPHCAP_ERROR_ILLEGAL_STATE, "capture");
    end_into(rig.stream);
    CHECK(nodes_of(body) == 2 && edges_of(body) == 1);
    run_graph(&rig, graph);
    CHECK(word(0) == 1);
    CHECK_OK(gc_graph_destroy(foreign));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_graph_destroy(theirs));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(owner));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A body, and the body of a conditional that it has, are captured at once; either capture may end first. */
static void captures_go_into_graphs_within_each_other(void) {
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    int is_outer_first;
    for (is_outer_first = 0; is_outer_first < 2; is_outer_first++) {
        gc_graph *graph = open_graph(rig.context), *body, *inner;
        gc_node node = 0, nested = 0;
        clear_words(&rig, buffer);
        body = open_body(graph, &node);
        inner = open_body(body, &nested);
        REQUIRE_OK(begin_into(rig.stream, body, &nested, 1));
        REQUIRE_OK(begin_into(other, inner, NULL, 0));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
        CHECK_OK(launch_add(&rig, other, buffer, 4, 2, 1));
        CHECK_OK(gc_stream_memset(other, buffer, 8, 3, 4, 1));
        end_into(is_outer_first ? rig.stream : other);
        CHECK(nodes_of(body) == (is_outer_first ? 2u : 1u) && nodes_of(inner) == (is_outer_first ? 0u : 2u));
        if (!is_outer_first) /* the graph that no capture goes into any more is edited as any other */
            fill_node(&rig, inner, NULL, 0, buffer, 3, 4);
        end_into(is_outer_first ? other : rig.stream);
        if (is_outer_first)
            fill_node(&rig, inner, NULL, 0, buffer, 3, 4);
        CHECK(nodes_of(body) == 2 && edges_of(body) == 1 && nodes_of(inner) == 3 && edges_of(inner) == 1);
        run_graph(&rig, graph);
        CHECK(word(0) == 1 && word(1) == 2 && word(2) == 3 && word(3) == 4);
        CHECK_OK(gc_graph_destroy(inner));
        CHECK_OK(gc_graph_destroy(body));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_stream_destroy(other));
}

/* The graph within goes with the outermost one, which lives until the capture is over. */
static void the_outermost_graph_lives_until_the_end(void) {
    gc_graph *graph = open_graph(rig.context), *within, *ended = NULL;
    gc_node node = 0;
    size_t count = 0;
    within = open_child(graph, &node);
    REQUIRE_OK(begin_into(rig.stream, within, NULL, 0));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 4, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &ended));
    CHECK_STATUS(gc_graph_node_count(ended, &count), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_graph_destroy(ended));
}

/* Who else could end the capture would get a graph that nobody sees. */
static void a_stream_of_others_is_refused(void) {
    gc_graph *graph = open_graph(rig.context), *within;
    gc_stream *shared = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_node node = 0;
    void *native = NULL;
    within = open_child(graph, &node);
    REQUIRE_OK(begin_into(rig.stream, within, NULL, 0));
    if (on_cuda())
        CHECK_MESSAGE(gc_object_native(rig.stream, &native), GRAPHCAP_ERROR_ILLEGAL_STATE, "end the capture first");
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 4, 1, 1));
    end_into(rig.stream);
    if (on_cuda()) {
        CHECK_OK(gc_stream_native(shared, &native));
        CHECK_STATUS(begin_into(shared, within, NULL, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(shared));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 256);
    RUN(a_body_is_captured);
    RUN(each_edge_keeps_what_it_carries);
    RUN(edges_to_other_nodes_than_kernels_carry_nothing);
    RUN(a_body_is_captured_in_the_midst_of_a_capture);
    RUN(the_graph_of_a_child_is_captured_into);
    RUN(several_captures_go_into_one_graph);
    RUN(the_graph_is_closed_while_it_is_captured_into);
    RUN(a_capture_that_fails_leaves_the_graph_as_it_was);
    RUN(a_body_is_captured_with_what_it_nests);
    RUN(what_is_put_on_a_fork_need_not_be_joined);
    RUN(what_is_put_keeps_its_name_among_nodes_that_are_recorded);
    RUN(what_is_put_into_a_capture_that_fails_goes_with_it);
    RUN(what_a_body_cannot_have_is_refused_when_it_is_put);
    RUN(captures_go_into_graphs_within_each_other);
    RUN(the_outermost_graph_lives_until_the_end);
    RUN(a_stream_of_others_is_refused);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
