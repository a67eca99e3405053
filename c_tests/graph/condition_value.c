/* Conditions that are set from values in device memory: if, switch and while, in graphs by hand and in captures, and what is
 * refused. */
#include "nodes.h"

static struct rig rig;

/* A condition without a default, set from word `index` of the buffer by a node after `after`. */
static gc_node set_from(const gc_graph *graph, gc_node after, gc_condition condition, const gc_buffer *buffer, size_t index) {
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_set_condition_node(graph, &after, after != 0 ? 1 : 0, condition, buffer, 4 * index, &node));
    return node;
}

static gc_condition condition_of(const gc_graph *graph) {
    gc_condition condition = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    return condition;
}

static gc_graph *body_of(const gc_graph *graph, gc_node node, size_t index) {
    gc_graph *body = NULL;
    REQUIRE_OK(gc_node_get_graph(graph, node, index, &body));
    return body;
}

static void write_word(const gc_buffer *buffer, size_t index, uint32_t value) {
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4 * index, value, 4, 1));
}

/* An if of a condition without a default, after `after`, whose body adds 1 to word 1. */
static gc_node decide_on(const gc_graph *graph, gc_node after, gc_condition condition, const gc_buffer *buffer) {
    struct kernel_call call;
    gc_node decision = 0, node = 0;
    gc_graph *body;
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &after, after != 0 ? 1 : 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &decision));
    body = body_of(graph, decision, 0);
    REQUIRE_OK(add_kernel(body, NULL, 0, call_add(&call, &rig, buffer, 1, 1), &node));
    CHECK_OK(gc_graph_destroy(body));
    return decision;
}

/* Whatever an earlier condition was set to, also one whose graph is gone, and also in launches one behind another. */
static void a_condition_that_nothing_sets_is_0(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    unsigned turn, i;
    for (turn = 0; turn < 8; turn++) {
        gc_graph *graph = open_graph(rig.context);
        gc_condition condition = condition_of(graph);
        gc_node set = turn % 2 == 0 ? set_from(graph, 0, condition, buffer, 0) : 0;
        gc_graph_exec *exec;
        decide_on(graph, set, condition, buffer);
        exec = open_exec(graph);
        clear_words(&rig, buffer);
        write_word(buffer, 0, 5);
        for (i = 0; i < 3; i++)
            CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(read_u32(rig.stream, buffer, 1) == (turn % 2 == 0 ? 3u : 0));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* What is set behind the decision is forgotten when the next launch begins. */
static void each_launch_begins_with_0(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context);
    gc_condition condition = condition_of(graph);
    gc_graph_exec *exec;
    unsigned i;
    set_from(graph, decide_on(graph, 0, condition, buffer), condition, buffer, 0);
    exec = open_exec(graph);
    clear_words(&rig, buffer);
    write_word(buffer, 0, 1);
    for (i = 0; i < 10; i++)
        CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, buffer, 1) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* word[1] += 1 in the first body, += 100 in the second. */
static void a_value_decides_about_an_if(void) {
    static const uint32_t values[] = {1, 0, 0x80000000u, 0};
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context), *bodies[2];
    gc_condition condition = condition_of(graph);
    gc_node set = set_from(graph, 0, condition, buffer, 0), decision = 0;
    struct kernel_call call;
    gc_graph_exec *exec;
    uint32_t expected = 0;
    size_t i;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_IF, 2, &decision));
    for (i = 0; i < 2; i++) {
        bodies[i] = body_of(graph, decision, i);
        REQUIRE_OK(add_kernel(bodies[i], NULL, 0, call_add(&call, &rig, buffer, 1, i == 0 ? 1 : 100), &node));
        CHECK_OK(gc_graph_destroy(bodies[i]));
    }
    CHECK(kind_of(graph, set) == GRAPHCAP_NODE_KERNEL);
    exec = open_exec(graph);
    for (i = 0; i < LENGTH_OF(values); i++) {
        write_word(buffer, 0, values[i]);
        replay(&rig, exec);
        expected += values[i] != 0 ? 1 : 100;
        CHECK(read_u32(rig.stream, buffer, 1) == expected);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_value_chooses_the_body_of_a_switch(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context);
    gc_condition condition = condition_of(graph);
    gc_node set = set_from(graph, 0, condition, buffer, 3), decision = 0, node = 0;
    struct kernel_call call;
    gc_graph_exec *exec;
    uint32_t i;
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_SWITCH, 3, &decision));
    for (i = 0; i < 3; i++) {
        gc_graph *body = body_of(graph, decision, i);
        REQUIRE_OK(add_kernel(body, NULL, 0, call_fill(&call, &rig, buffer, 0, 10 + i), &node));
        CHECK_OK(gc_graph_destroy(body));
    }
    exec = open_exec(graph);
    for (i = 0; i < 4; i++) {
        write_word(buffer, 0, 7);
        write_word(buffer, 3, i);
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, buffer, 0) == (i < 3 ? 10 + i : 7));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Counts word[0] down from what it is, and word[1] up. */
static void a_while_ends_when_the_value_is_0(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context), *body;
    gc_condition condition = condition_of(graph);
    gc_node set = set_from(graph, 0, condition, buffer, 0), loop = 0, down = 0, up = 0;
    struct kernel_call call;
    gc_graph_exec *exec;
    uint32_t turns;
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &loop));
    body = body_of(graph, loop, 0);
    REQUIRE_OK(add_kernel(body, NULL, 0, call_add(&call, &rig, buffer, 0, UINT32_MAX), &down));
    REQUIRE_OK(add_kernel(body, &down, 1, call_add(&call, &rig, buffer, 1, 1), &up));
    set_from(body, up, condition, buffer, 0);
    CHECK_OK(gc_graph_destroy(body));
    exec = open_exec(graph);
    for (turns = 0; turns < 20; turns += 7) {
        write_word(buffer, 0, turns);
        write_word(buffer, 1, 0);
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, buffer, 0) == 0 && read_u32(rig.stream, buffer, 1) == turns);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* What is recorded before decides about what is recorded: the graph keeps the buffer and graphcap's module. */
static void a_capture_decides_by_what_it_recorded(void) {
    gc_buffer *deciding = open_buffer(rig.context, 16), *seen = open_buffer(rig.context, 16);
    gc_graph *graph = NULL, *body;
    gc_graph_exec *exec;
    gc_condition condition;
    struct kernel_call call;
    gc_node last = 0, set, decision = 0, node = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, deciding, 4, 1, 1)); /* 1 at the first replay */
    REQUIRE_OK(gc_stream_capture_graph(rig.stream, &graph));
    CHECK_OK(gc_stream_capture_frontier(rig.stream, &last, 1, NULL));
    condition = condition_of(graph);
    set = set_from(graph, last, condition, deciding, 1);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &set, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK_OK(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_SWITCH, 2, &decision));
    body = body_of(graph, decision, 1);
    REQUIRE_OK(add_kernel(body, NULL, 0, call_add(&call, &rig, seen, 0, 5), &node));
    CHECK_OK(launch_add(&rig, rig.stream, seen, 4, 1, 1));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_buffer_destroy(deciding));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, seen, 0) == 5 && read_u32(rig.stream, seen, 1) == 1);
    replay(&rig, exec); /* 2 is no body */
    CHECK(read_u32(rig.stream, seen, 0) == 5 && read_u32(rig.stream, seen, 1) == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(seen));
}

/* while (outer) { inner = 3; while (inner) { inner--; turns++; } outer--; }, all of it recorded. */
static void loops_within_loops_are_recorded(void) {
    enum { OUTER, INNER, TURNS };
    const uint32_t down = UINT32_MAX;
    gc_buffer *words = open_buffer(rig.context, 16);
    gc_stream *outer_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *inner_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL, *outer, *inner, *ended = NULL;
    gc_graph_exec *exec;
    gc_condition outer_condition, inner_condition;
    gc_node outer_loop = 0, inner_loop = 0;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_memset(rig.stream, words, 4 * OUTER, 4, 4, 1));
    REQUIRE_OK(gc_stream_memset(rig.stream, words, 4 * TURNS, 0, 4, 1));
    REQUIRE_OK(gc_stream_capture_graph(rig.stream, &graph));
    outer_condition = condition_of(graph);
    REQUIRE_OK(gc_stream_set_condition(rig.stream, outer_condition, words, 4 * OUTER));
    REQUIRE_OK(gc_stream_capture_conditional_node(rig.stream, outer_condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &outer_loop));
    outer = body_of(graph, outer_loop, 0);
    inner_condition = condition_of(graph); /* a body may use a condition of a graph around it */
    REQUIRE_OK(gc_stream_begin_capture_to_graph(outer_stream, outer, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_memset(outer_stream, words, 4 * INNER, 3, 4, 1));
    REQUIRE_OK(gc_stream_set_condition(outer_stream, inner_condition, words, 4 * INNER));
    REQUIRE_OK(gc_stream_capture_conditional_node(outer_stream, inner_condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &inner_loop));
    CHECK_MESSAGE(gc_node_get_graph(outer, inner_loop, 0, &inner), GRAPHCAP_ERROR_INVALID_VALUE, "when the capture has ended");
    REQUIRE_OK(launch_add(&rig, outer_stream, words, 4 * OUTER, down, 1));
    REQUIRE_OK(gc_stream_set_condition(outer_stream, outer_condition, words, 4 * OUTER));
    REQUIRE_OK(gc_stream_end_capture(outer_stream, &ended));
    CHECK_OK(gc_graph_destroy(ended));
    inner = body_of(outer, inner_loop, 0);
    REQUIRE_OK(gc_stream_begin_capture_to_graph(inner_stream, inner, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch_add(&rig, inner_stream, words, 4 * INNER, down, 1));
    REQUIRE_OK(launch_add(&rig, inner_stream, words, 4 * TURNS, 1, 1));
    REQUIRE_OK(gc_stream_set_condition(inner_stream, inner_condition, words, 4 * INNER));
    REQUIRE_OK(gc_stream_end_capture(inner_stream, &ended));
    CHECK_OK(gc_graph_destroy(ended));
    exec = finish_capture(rig.stream);
    for (i = 0; i < 2; i++) {
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, words, OUTER) == 0 && read_u32(rig.stream, words, TURNS) == 12);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(inner));
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(inner_stream));
    CHECK_OK(gc_stream_destroy(outer_stream));
    CHECK_OK(gc_buffer_destroy(words));
}

static void a_call_that_is_refused_records_nothing(void) {
    gc_buffer *words = open_buffer(rig.context, 16);
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL, *body, *ended = NULL;
    gc_condition condition;
    gc_node loop = 0;
    CHECK_MESSAGE(gc_stream_set_condition(rig.stream, 1, words, 0), GRAPHCAP_ERROR_ILLEGAL_STATE, "gc_graph_add_set_condition_node()");
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(gc_stream_capture_graph(rig.stream, &graph));
    condition = condition_of(graph);
    REQUIRE_OK(gc_stream_capture_conditional_node(rig.stream, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &loop));
    body = body_of(graph, loop, 0);
    REQUIRE_OK(gc_stream_begin_capture_to_graph(stream, body, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_stream_set_condition(stream, condition, words, 2), GRAPHCAP_ERROR_INVALID_VALUE, "offset 2");
    CHECK_MESSAGE(gc_stream_set_condition(stream, condition, words, 16), GRAPHCAP_ERROR_INVALID_VALUE, "16 bytes");
    CHECK_MESSAGE(gc_stream_set_condition(stream, UINT64_MAX, words, 0), GRAPHCAP_ERROR_INVALID_VALUE, "no condition");
    CHECK_MESSAGE(gc_stream_set_condition(rig.stream, UINT64_MAX, words, 0), GRAPHCAP_ERROR_INVALID_VALUE, "no condition");
    REQUIRE_OK(gc_stream_end_capture(stream, &ended));
    CHECK(nodes_of(ended) == 0 && nodes_of(graph) == 1);
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(body));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &ended));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(words));
}

static void wrong_values_and_conditions_are_refused(void) {
    gc_context *other = open_context();
    gc_buffer *buffer = open_buffer(rig.context, 64), *foreign = open_buffer(other, 64);
    gc_graph *graph = open_graph(rig.context), *stranger = open_graph(rig.context);
    gc_condition condition = condition_of(graph), strange = condition_of(stranger);
    gc_node node = 7, nothing = 12345;
#define ADD(condition, buffer, offset) gc_graph_add_set_condition_node(graph, NULL, 0, condition, buffer, offset, &node)
    /* NVIDIA's driver counts the conditions of each graph from the same number. */
    if (strange != condition)
        CHECK_MESSAGE(ADD(strange, buffer, 0), GRAPHCAP_ERROR_INVALID_VALUE, "no condition of this graph");
    CHECK_MESSAGE(ADD(0, buffer, 0), GRAPHCAP_ERROR_INVALID_VALUE, "no condition of this graph");
    CHECK_MESSAGE(ADD(UINT64_MAX, buffer, 0), GRAPHCAP_ERROR_INVALID_VALUE, "no condition of this graph");
    CHECK_MESSAGE(ADD(condition, buffer, 2), GRAPHCAP_ERROR_INVALID_VALUE, "offset 2");
    CHECK_MESSAGE(ADD(condition, buffer, 64), GRAPHCAP_ERROR_INVALID_VALUE, "64 bytes");
    CHECK_MESSAGE(gc_graph_add_set_condition_node(graph, &nothing, 1, condition, buffer, 0, &node), GRAPHCAP_ERROR_INVALID_VALUE,
                  "no node");
    CHECK(node == 0 && nodes_of(graph) == 0);
    /* The value may be of another context. */
    CHECK_OK(ADD(condition, foreign, 0));
    CHECK(nodes_of(graph) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(stranger));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_buffer_destroy(foreign));
    CHECK_OK(gc_context_destroy(other));
}

/* Not even without a conditional node: another graph may not set the condition. */
static void a_graph_with_a_condition_is_not_copied(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context), *outer = open_graph(rig.context), *copy = NULL;
    gc_condition condition = condition_of(graph);
    gc_node node = 0, decision = 0;
    set_from(graph, 0, condition, buffer, 0);
    CHECK_MESSAGE(gc_graph_clone(graph, &copy), GRAPHCAP_ERROR_NOT_SUPPORTED, "has a condition that");
    CHECK_MESSAGE(gc_graph_add_child_node(outer, NULL, 0, graph, &node), GRAPHCAP_ERROR_NOT_SUPPORTED, "has a condition that");
    CHECK(copy == NULL && node == 0);
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &decision));
    CHECK_MESSAGE(gc_graph_clone(graph, &copy), GRAPHCAP_ERROR_NOT_SUPPORTED, "is a conditional node");
    CHECK_MESSAGE(gc_graph_add_child_node(outer, NULL, 0, graph, &node), GRAPHCAP_ERROR_NOT_SUPPORTED, "is a conditional node");
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_stream_capture_child_node(rig.stream, graph, &node), GRAPHCAP_ERROR_NOT_SUPPORTED, "is a conditional node");
    CHECK_OK(gc_stream_end_capture(rig.stream, &copy));
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static gc_node memset_node(gc_graph *graph, gc_node behind, gc_buffer *buffer, size_t word, uint32_t value) {
    gc_memset_params params = GRAPHCAP_MEMSET_INIT(buffer, 4 * word, value, 4, 1, 1, 0);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memset_node(graph, &behind, 1, &params, &node));
    return node;
}

/* Driver 580 loses the order of a memset that is disabled right behind a conditional, or in a graph of several branches. */
static void a_memset_that_would_lose_its_place_is_not_disabled(void) {
    const gc_status refused = on_cuda() ? GRAPHCAP_ERROR_NOT_SUPPORTED : GRAPHCAP_SUCCESS;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *chain = open_graph(rig.context), *branches = open_graph(rig.context);
    gc_condition condition = condition_of(chain);
    gc_node set = set_from(chain, 0, condition, buffer, 0), decision = 0, empty = 0, near, kernel, far, root, beside, branch;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_graph_add_conditional_node(chain, &set, 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &decision));
    REQUIRE_OK(gc_graph_add_empty_node(chain, &decision, 1, &empty));
    near = memset_node(chain, empty, buffer, 1, 5);
    kernel = fill_node(&rig, chain, &near, 1, buffer, 2, 6);
    far = memset_node(chain, kernel, buffer, 3, 7);
    exec = open_exec(chain);
    CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, near, 0), refused);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, near, 1));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, kernel, 0));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, far, 0));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 1) == 5);
    CHECK(read_u32(rig.stream, buffer, 2) == 0 && read_u32(rig.stream, buffer, 3) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));

    root = fill_node(&rig, branches, NULL, 0, buffer, 4, 8);
    beside = fill_node(&rig, branches, &root, 1, buffer, 5, 9);
    branch = memset_node(branches, root, buffer, 6, 10);
    exec = open_exec(branches);
    CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, branch, 0), refused);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, branch, 1));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, beside, 0));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 4) == 8 && read_u32(rig.stream, buffer, 5) == 0);
    CHECK(read_u32(rig.stream, buffer, 6) == 10);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(chain));
    CHECK_OK(gc_graph_destroy(branches));
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(a_memset_that_would_lose_its_place_is_not_disabled);
    RUN(a_condition_that_nothing_sets_is_0);
    RUN(each_launch_begins_with_0);
    RUN(a_value_decides_about_an_if);
    RUN(a_value_chooses_the_body_of_a_switch);
    RUN(a_while_ends_when_the_value_is_0);
    RUN(a_capture_decides_by_what_it_recorded);
    RUN(loops_within_loops_are_recorded);
    RUN(a_call_that_is_refused_records_nothing);
    RUN(wrong_values_and_conditions_are_refused);
    RUN(a_graph_with_a_condition_is_not_copied);
    rig_close(&rig);
    return check_finish();
}
