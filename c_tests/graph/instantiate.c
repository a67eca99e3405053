/* Graph execs by their options: flags, uploads, and what is told of a graph that cannot be launched so. */
#include "nodes.h"

#include <stdio.h>

static struct rig rig;
static gc_buffer *buffer;

static gc_status instantiate(const gc_graph *graph, uint32_t flags, const gc_stream *upload, gc_graph_exec **exec_out) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = flags;
    options.upload_stream = upload;
    return gc_graph_instantiate(graph, &options, exec_out);
}

/* The answer of the driver, of which the host device has those that do not launch from the device. */
static gc_status expected(uint32_t flags) {
    const uint32_t both = GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH | GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
    if (flags > 15 || (flags & both) == both)
        return GRAPHCAP_ERROR_INVALID_VALUE;
    if ((flags & GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH) != 0 && !on_cuda())
        return GRAPHCAP_ERROR_NOT_SUPPORTED;
    return GRAPHCAP_SUCCESS;
}

/* Rows `inst_flags.*`. */
static void flags_are_told_as_the_driver_tells_them(void) {
    const uint32_t remembered = GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH | GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
    gc_graph *graph = open_graph(rig.context);
    uint32_t flags, told;
    fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
    for (flags = 0; flags <= 32; flags++) {
        gc_graph_exec *exec = NULL;
        int32_t is_uploaded = -1;
        gc_status status = instantiate(graph, flags, NULL, &exec);
        if (check_failed(status == expected(flags)))
            fprintf(stderr, "%s: flags %u: %d instead of %d\n", check_test, flags, (int)status, (int)expected(flags));
        CHECK((exec != NULL) == (status == GRAPHCAP_SUCCESS));
        if (exec == NULL)
            continue;
        CHECK_OK(gc_graph_exec_flags(exec, &told));
        CHECK(told == (flags & remembered));
        CHECK_OK(gc_graph_exec_is_uploaded(exec, &is_uploaded));
        CHECK(is_uploaded == ((flags & GRAPHCAP_INSTANTIATE_UPLOAD) != 0));
        clear_words(&rig, buffer);
        replay(&rig, exec);
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, buffer, 0) == 7);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* Rows `inst.upload_*`. */
static void an_upload_is_on_a_stream_of_any_context(void) {
    gc_graph *graph = open_graph(rig.context), *captured = NULL;
    gc_context *other = open_context();
    gc_stream *theirs = open_stream(other, 0);
    gc_graph_exec *exec = NULL;
    int32_t is_uploaded = 0;
    fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
    CHECK_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_UPLOAD, rig.stream, &exec));
    clear_words(&rig, buffer);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_MESSAGE(instantiate(graph, 0, rig.stream, &exec), GRAPHCAP_ERROR_INVALID_VALUE, "upload_stream");
    CHECK_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_UPLOAD, theirs, &exec));
    CHECK_OK(gc_graph_exec_is_uploaded(exec, &is_uploaded));
    CHECK(is_uploaded == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(instantiate(graph, GRAPHCAP_INSTANTIATE_UPLOAD, theirs, &exec), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(exec == NULL);
    CHECK_STATUS(gc_stream_end_capture(theirs, &captured), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(instantiate(graph, GRAPHCAP_INSTANTIATE_UPLOAD, rig.stream, &exec), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(exec == NULL);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &captured), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_destroy(theirs));
    CHECK_OK(gc_context_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A graph that cannot be launched: the message names the node, and on a CUDA device its driver's result. */
static void check_refused(const gc_graph *graph, uint32_t flags, gc_node node, const char *result) {
    char name[32];
    gc_graph_exec *exec = NULL;
    snprintf(name, sizeof name, "%#llx", (unsigned long long)node);
    CHECK_MESSAGE(instantiate(graph, flags, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, node == 0 ? "node" : name);
    if (on_cuda())
        CHECK_MESSAGE(instantiate(graph, flags, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, result);
    CHECK(exec == NULL);
}

/* Row `inst.graph_changed_after_partial_failure`. */
static void a_cycle_is_told(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node first = fill_node(&rig, graph, NULL, 0, buffer, 0, 1), second = add_node(&rig, graph, &first, 1, buffer, 0, 6);
    CHECK_OK(gc_graph_add_dependencies(graph, &second, &first, NULL, 1));
    /* Which of the two is named is the driver's choice. */
    check_refused(graph, 0, 0, "INVALID_STRUCTURE");
    CHECK_OK(gc_graph_remove_dependencies(graph, &second, &first, 1));
    run_graph(&rig, graph);
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_destroy(graph));
}

/* An if node, whose body is given. */
static gc_graph *open_body(const gc_graph *graph) {
    gc_condition condition = 0;
    gc_node node = 0;
    gc_graph *body = NULL;
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    return body;
}

static void nothing(void *user_data) {
    (void)user_data;
}

/* Rows `body.host`, `body.event_record`, `body.memcpy_d2h_pageable`. */
static void nodes_that_bodies_cannot_have_are_named(void) {
    static uint32_t word;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(&word, buffer, 0, sizeof word);
    gc_event *event = open_event(rig.context);
    int way;
    for (way = 0; way < 3; way++) {
        gc_graph *graph = open_graph(rig.context), *body = open_body(graph);
        gc_node good = fill_node(&rig, body, NULL, 0, buffer, 0, 1), node = 0;
        if (way == 0)
            REQUIRE_OK(gc_graph_add_host_node(body, &good, 1, nothing, NULL, NULL, &node));
        else if (way == 1)
            REQUIRE_OK(gc_graph_add_event_record_node(body, &good, 1, event, &node));
        else
            REQUIRE_OK(gc_graph_add_memcpy_node(body, &good, 1, &copy, &node));
        check_refused(graph, 0, node, way < 2 ? "NODE_OPERATION_NOT_SUPPORTED" : "MULTIPLE_CTXS_NOT_SUPPORTED");
        CHECK_OK(gc_graph_destroy(body));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_event_destroy(event));
}

static void a_condition_without_a_node_is_told(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_condition condition = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    check_refused(graph, 0, 0, "CONDITIONAL_HANDLE_UNUSED");
    CHECK_OK(gc_graph_destroy(graph));
}

/* Rows `devlaunch.*` and `inst.device_*`. */
static void graphs_that_kernels_launch_have_few_kinds_of_nodes(void) {
    static uint32_t word;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(&word, buffer, 0, sizeof word);
    gc_graph *graph;
    gc_graph_exec *exec = NULL, *second = NULL;
    int way;
    NOT_ON_HOST("a host device does not launch graphs from kernels");
    graph = open_graph(rig.context);
    CHECK_STATUS(instantiate(graph, GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE);
    fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
    CHECK_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH | GRAPHCAP_INSTANTIATE_UPLOAD, rig.stream, &exec));
    CHECK_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH, NULL, &second));
    clear_words(&rig, buffer);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_exec_destroy(second));
    CHECK_OK(gc_graph_destroy(graph));
    for (way = 0; way < 2; way++) {
        gc_node node = 0;
        graph = open_graph(rig.context);
        fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
        if (way == 0)
            REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, nothing, NULL, NULL, &node));
        else
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node));
        /* Of a copy the driver says this (3) or, beside kernels, that it is of several contexts (4). */
        check_refused(graph, GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH, node, way == 0 ? "NODE_OPERATION_NOT_SUPPORTED" : "_NOT_SUPPORTED");
        CHECK_OK(gc_graph_destroy(graph));
    }
}

/* What graphs with several roots and leaves are tried with: words that kernels of one graph add to. */
enum { WIDE = 5 };

struct fan {
    gc_graph *graph;
    gc_node roots[WIDE], leaves[WIDE], middle;
};

/* Each root adds `value` to a word, and each leaf once more; one node in the middle waits for two roots, and nothing for the last. */
static struct fan open_wide(uint32_t value) {
    struct fan wide = {open_graph(rig.context), {0}, {0}, 0};
    unsigned i;
    for (i = 0; i < WIDE; i++)
        wide.roots[i] = add_node(&rig, wide.graph, NULL, 0, buffer, i, value);
    wide.middle = add_node(&rig, wide.graph, wide.roots, 2, buffer, 0, value);
    for (i = 0; i + 1 < WIDE; i++)
        wide.leaves[i] = add_node(&rig, wide.graph, i < 2 ? &wide.middle : &wide.roots[i], 1, buffer, i, value);
    return wide;
}

static void check_words(const gc_graph_exec *exec, uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e) {
    const uint32_t expected[WIDE] = {a, b, c, d, e};
    unsigned i;
    clear_words(&rig, buffer);
    replay(&rig, exec);
    for (i = 0; i < WIDE; i++)
        CHECK(read_u32(rig.stream, buffer, i) == expected[i]);
}

static void a_shaped_exec_is_launched_edited_and_updated_as_any_other(void) {
    struct fan wide = open_wide(1), other = open_wide(10);
    struct kernel_call call;
    const size_t nodes = nodes_of(wide.graph), edges = edges_of(wide.graph);
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_graph_exec *exec = NULL;
    gc_node more;
    uint32_t flags = 0;
    size_t count = 0;
    int32_t is_enabled = 0;
    REQUIRE_OK(instantiate(wide.graph, GRAPHCAP_INSTANTIATE_SHAPE, NULL, &exec));
    CHECK_OK(gc_graph_exec_flags(exec, &flags));
    CHECK(flags == GRAPHCAP_INSTANTIATE_SHAPE);
    CHECK_OK(gc_graph_exec_node_count(exec, &count));
    CHECK(count == nodes && nodes_of(wide.graph) == nodes && edges_of(wide.graph) == edges);
    check_words(exec, 3, 2, 2, 2, 1);
    /* Nodes of the graph are those of the exec. */
    CHECK_OK(exec_set_kernel(exec, wide.roots[4], call_add(&call, &rig, buffer, 4, 7)));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, wide.leaves[1], 0));
    CHECK_OK(gc_graph_exec_is_node_enabled(exec, wide.leaves[1], &is_enabled));
    CHECK(is_enabled == 0);
    check_words(exec, 3, 1, 2, 2, 7);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, wide.leaves[1], 1));
    /* Updates, by this graph and by one that is built alike. */
    CHECK_OK(gc_graph_exec_update(exec, other.graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    CHECK_OK(gc_graph_exec_update(exec, other.graph, 0, NULL));
    CHECK(nodes_of(other.graph) == nodes && edges_of(other.graph) == edges);
    check_words(exec, 30, 20, 20, 20, 10);
    CHECK_OK(gc_graph_exec_update(exec, wide.graph, GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES, &info));
    check_words(exec, 3, 2, 2, 2, 1);
    CHECK_OK(set_kernel(wide.graph, wide.roots[3], call_add(&call, &rig, buffer, 3, 5)));
    CHECK_OK(gc_graph_exec_apply(exec, wide.graph, NULL, NULL));
    check_words(exec, 3, 2, 2, 6, 1);
    /* With another number of leaves, and of edges to them, the message names the node. */
    CHECK_OK(gc_graph_add_dependencies(other.graph, &other.roots[4], &other.leaves[3], NULL, 1));
    CHECK_MESSAGE(gc_graph_exec_update(exec, other.graph, 0, &info), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "node 0x");
    CHECK(info.result == GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED);
    CHECK_OK(gc_graph_remove_dependencies(other.graph, &other.roots[4], &other.leaves[3], 1));
    /* Of another topology: with a node more, and with as many nodes as the exec has with those that were added. */
    more = add_node(&rig, other.graph, &other.roots[4], 1, buffer, 4, 10);
    CHECK_STATUS(gc_graph_exec_update(exec, other.graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_STATUS(gc_graph_exec_update(exec, other.graph, 0, &info), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK(info.result == GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED && nodes_of(other.graph) == nodes + 1);
    add_node(&rig, other.graph, &more, 1, buffer, 4, 10);
    CHECK_STATUS(gc_graph_exec_update(exec, other.graph, 0, &info), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    check_words(exec, 3, 2, 2, 6, 1);
    /* An exec that is made anew is shaped too. */
    CHECK_OK(gc_graph_exec_apply(exec, other.graph, NULL, NULL));
    check_words(exec, 30, 20, 20, 20, 30);
    CHECK_OK(gc_graph_exec_flags(exec, &flags));
    CHECK(flags == GRAPHCAP_INSTANTIATE_SHAPE && nodes_of(other.graph) == nodes + 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(wide.graph));
    CHECK_OK(gc_graph_destroy(other.graph));
}

/* More roots and leaves than may hang on one node, and a node that is added later and may get the driver's handle of one that went. */
static void a_shaped_exec_may_be_of_many_nodes(void) {
    enum { MANY = 300 };
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec = NULL, *watched = NULL;
    struct kernel_call call;
    gc_buffer *words = open_buffer(rig.context, MANY * sizeof(uint32_t));
    gc_node nodes[MANY], later;
    unsigned i;
    for (i = 0; i < MANY; i++)
        nodes[i] = add_node(&rig, graph, NULL, 0, words, i, i + 1);
    REQUIRE_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_SHAPE, NULL, &exec));
    later = add_node(&rig, graph, NULL, 0, words, 0, 1000);
    CHECK_STATUS(exec_set_kernel(exec, later, call_add(&call, &rig, words, 0, 1000)), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_remove_node(graph, later));
    CHECK_OK(gc_graph_exec_update(exec, graph, 0, NULL));
    REQUIRE_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_SHAPE | GRAPHCAP_INSTANTIATE_WATCH, NULL, &watched));
    CHECK(nodes_of(graph) == MANY && edges_of(graph) == 0);
    clear_words(&rig, words);
    replay(&rig, exec);
    replay(&rig, watched);
    for (i = 0; i < MANY; i++)
        CHECK(read_u32(rig.stream, words, i) == 2 * (i + 1));
    CHECK_OK(exec_set_kernel(exec, nodes[MANY - 1], call_fill(&call, &rig, words, MANY - 1, 5)));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, words, MANY - 1) == 5);
    CHECK_OK(gc_graph_exec_destroy(watched));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(words));
}

/* Graphs of which a CUDA driver lets no node go again; on a host device no exec is shaped. */
static void graphs_that_cannot_be_shaped_are_refused(void) {
    const gc_status expected_status = on_cuda() ? GRAPHCAP_ERROR_ILLEGAL_STATE : GRAPHCAP_SUCCESS;
    gc_graph *graph = open_graph(rig.context), *captured = NULL;
    gc_graph_exec *exec = NULL, *before = NULL;
    gc_node allocation = 0, freed = 0;
    gc_buffer *allocated = NULL;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &allocation, &allocated));
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &allocation, 1, allocated, &freed));
    fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
    if (on_cuda()) {
        CHECK_MESSAGE(instantiate(graph, GRAPHCAP_INSTANTIATE_SHAPE, NULL, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, "SHAPE");
        CHECK(exec == NULL && nodes_of(graph) == 3);
    } else {
        CHECK_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_SHAPE, NULL, &exec));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_buffer_destroy(allocated));
    CHECK_OK(gc_graph_destroy(graph));
    graph = open_graph(rig.context);
    fill_node(&rig, graph, NULL, 0, buffer, 0, 7);
    fill_node(&rig, graph, NULL, 0, buffer, 1, 7);
    REQUIRE_OK(instantiate(graph, GRAPHCAP_INSTANTIATE_SHAPE, NULL, &before));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    exec = NULL;
    CHECK_STATUS(instantiate(graph, GRAPHCAP_INSTANTIATE_SHAPE, NULL, &exec), expected_status);
    CHECK_STATUS(gc_graph_exec_update(before, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), expected_status);
    CHECK_STATUS(gc_graph_exec_update(before, graph, 0, NULL), expected_status);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_exec_destroy(before));
    CHECK_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK(nodes_of(graph) == 2);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(flags_are_told_as_the_driver_tells_them);
    RUN(an_upload_is_on_a_stream_of_any_context);
    RUN(a_cycle_is_told);
    RUN(nodes_that_bodies_cannot_have_are_named);
    RUN(a_condition_without_a_node_is_told);
    RUN(graphs_that_kernels_launch_have_few_kinds_of_nodes);
    RUN(a_shaped_exec_is_launched_edited_and_updated_as_any_other);
    RUN(a_shaped_exec_may_be_of_many_nodes);
    RUN(graphs_that_cannot_be_shaped_are_refused);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
