/* Holds the device that is tested against what NVIDIA's driver was measured to answer about conditional nodes, and about making
 * and launching execs. */
#include "loop.h"
#include "works.h"

#define IF GRAPHCAP_CONDITIONAL_IF
#define WHILE GRAPHCAP_CONDITIONAL_WHILE
#define SWITCH GRAPHCAP_CONDITIONAL_SWITCH

static gc_module *loop_module;
static gc_kernel *loop;

/* A condition that each launch begins with `value`. */
static gc_condition condition_of(const gc_graph *graph, uint32_t value) {
    gc_condition condition = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, value, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    return condition;
}

/* A condition that is made without a default. */
static gc_condition plain_condition(const gc_graph *graph) {
    gc_condition condition = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    return condition;
}

static gc_node decide(const gc_graph *graph, gc_node after, gc_condition condition, uint32_t kind, uint32_t bodies) {
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &after, after != 0, condition, kind, bodies, &node));
    return node;
}

static gc_graph *body_of(const gc_graph *graph, gc_node node, size_t index) {
    gc_graph *body = NULL;
    REQUIRE_OK(gc_node_get_graph(graph, node, index, &body));
    return body;
}

/* word[index] += 1, and the condition is whether it is below the limit. */
static gc_node count_on(const gc_graph *graph, gc_node after, gc_condition condition, size_t index, uint32_t limit) {
    const gc_launch_config one_thread = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(condition), GRAPHCAP_ARG_INIT_BUFFER_AT(bed.target, 4 * index),
                                       GRAPHCAP_ARG_INIT_VALUE(limit)};
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_kernel_node(graph, &after, after != 0, loop, &one_thread, arguments, 3, &node));
    return node;
}

static void write_word(const gc_buffer *buffer, size_t index, uint32_t value) {
    CHECK_OK(gc_stream_memset(bed.rig.stream, buffer, 4 * index, value, 4, 1));
}

static void replay_and_answer(const gc_graph_exec *exec) {
    replay(&bed.rig, exec);
    answer_words(1);
}

/* ---- cond.* ---- */

static void arguments_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *other = open_graph(bed.rig.context);
    gc_condition condition = 0;
    gc_node node = 0;
    if (is(name, "handle_bad_args")) {
        answer("flags_2=%d", (int)gc_graph_create_condition(graph, 0, 2, &condition));
        answer("graph_null=%d", (int)gc_graph_create_condition(NULL, 0, 0, &condition));
        answer("out_null=%d", (int)gc_graph_create_condition(graph, 0, 0, NULL));
    } else if (is(name, "handle_of_other_graph")) {
        condition = condition_of(other, 1);
        answer("add=%d", (int)gc_graph_add_conditional_node(graph, NULL, 0, condition, IF, 1, &node));
    } else {
        answer("garbage=%d", (int)gc_graph_add_conditional_node(graph, NULL, 0, UINT64_C(0x1234567890), IF, 1, &node));
        answer("zero=%d", (int)gc_graph_add_conditional_node(graph, NULL, 0, 0, IF, 1, &node));
    }
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void loop_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_graph_exec *exec;
    gc_condition condition = 0;
    const uint32_t limit = is(name, "while_100000") ? 100000 : is(name, "body_clears_own_if") ? 0 : 10;
    if (is(name, "while_plain_default_1")) {
        answer("create=%d", (int)gc_graph_create_condition(graph, 1, 0, &condition));
        CHECK_OK(gc_graph_destroy(graph));
        return;
    }
    condition = condition_of(graph, !is(name, "while_default_0"));
    body = body_of(graph, decide(graph, 0, condition, limit == 0 ? IF : WHILE, 1), 0);
    count_on(body, 0, condition, 0, limit);
    exec = open_exec(graph);
    bed_clear();
    replay_and_answer(exec);
    if (is(name, "body_clears_own_if")) {
        replay_and_answer(exec);
    } else if (is(name, "while_counts_to_10")) {
        replay_and_answer(exec);
        clear_words(&bed.rig, bed.target);
        replay_and_answer(exec);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* One turn counts word 0, multiplies word 1 by 4 and adds 1, sets word 2 to 9 and adds 3 to word 3. */
static void body_of_4_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_condition condition = condition_of(graph, 1);
    const gc_memset_params nine = GRAPHCAP_MEMSET_INIT(bed.target, 8, 9, 4, 1, 1, 0);
    struct kernel_call call;
    gc_node node = 0, last = 0;
    (void)name;
    body = body_of(graph, decide(graph, 0, condition, WHILE, 1), 0);
    CHECK_OK(add_kernel(body, NULL, 0, call_mix(&call, &bed.rig, bed.target, 1, 1, 1, 1), &node));
    CHECK_OK(gc_graph_add_memset_node(body, &node, 1, &nine, &last));
    node = adds(body, &last, 1, 3, 3);
    count_on(body, node, condition, 0, 5);
    bed_clear();
    run_graph(&bed.rig, graph);
    answer("val=%u,%u,%u,%u", word_of(bed.target, 0), word_of(bed.target, 1), word_of(bed.target, 2), word_of(bed.target, 3));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

static void two_execs_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_graph_exec *exec = NULL, *second = NULL;
    (void)name;
    body = body_of(graph, decide(graph, 0, condition_of(graph, 1), IF, 1), 0);
    adds(body, NULL, 0, 0, 1);
    answer("inst1=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
    answer("inst2=%d", (int)gc_graph_instantiate(graph, NULL, &second));
    bed_clear();
    replay_and_answer(exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    answer("inst_after_destroy=%d", (int)gc_graph_instantiate(graph, NULL, &second));
    replay_and_answer(second);
    CHECK_OK(gc_graph_exec_destroy(second));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

static void within_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *inner = open_graph(bed.rig.context), *within = NULL, *body = NULL;
    gc_graph_exec *exec = NULL;
    gc_condition condition = condition_of(graph, 1);
    struct kernel_call call;
    gc_node node = 0, second = 0;
    bed_clear();
    if (is(name, "handle_of_parent_in_child")) {
        /* A kernel of the child sets the condition of a node behind it. */
        count_on(inner, 0, condition, 1, 100);
        answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, inner, &node));
        body = body_of(graph, decide(graph, node, condition, IF, 1), 0);
        stores(body, NULL, 0, 0, 7);
        run_and_answer(graph, 1);
    } else {
        node = decide(graph, 0, condition, IF, 1);
        body = body_of(graph, node, 0);
        if (is(name, "child_in_body_with_cond")) {
            decide(inner, 0, condition_of(inner, 1), IF, 1);
            answer("child=%d", (int)gc_graph_add_child_node(body, NULL, 0, inner, &second));
            answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        } else if (is(name, "body_grown_after_instantiate")) {
            stores(body, NULL, 0, 0, 7);
            exec = open_exec(graph);
            answer("add=%d", (int)add_kernel(body, NULL, 0, call_fill(&call, &bed.rig, bed.target, 1, 7), &second));
            replay(&bed.rig, exec);
            answer_words(2);
        } else if (is(name, "body_kernel_foreign_function")) {
            answer("add=%d", (int)kernel_work("func_foreign_ctx", ADD, body, &second));
            answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        } else if (is(name, "body_two_kernels_two_ctx_no_parent")) {
            struct rig same; /* another context of the device, as it was where the driver was measured */
            rig_open_on(&same, tested_device(), 0);
            stores(body, NULL, 0, 0, 7);
            fill_node(&same, body, NULL, 0, bed.target, 1, 7);
            run_and_answer(graph, 2);
            rig_close(&same);
        } else if (is(name, "empty_body_if")) {
            stores(graph, &node, 1, 0, 7);
            run_and_answer(graph, 1);
        } else if (is(name, "body_with_cycle")) {
            node = stores(body, NULL, 0, 0, 7);
            second = stores(body, &node, 1, 1, 7);
            CHECK_OK(gc_graph_add_dependencies(body, &second, &node, NULL, 1));
            answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        } else if (is(name, "parallel_branches_in_body")) {
            gc_node branches[2];
            branches[0] = stores(body, NULL, 0, 1, 1);
            branches[1] = stores(body, NULL, 0, 2, 2);
            REQUIRE_OK(add_kernel(body, branches, 2, call_mix(&call, &bed.rig, bed.target, 0, 1, 2, 4), &second));
            run_and_answer(graph, 1);
        } else if (is(name, "parent_node_counts")) {
            stores(body, NULL, 0, 0, 7);
            answer("parent_nodes=%u body_nodes=%u", (unsigned)nodes_of(graph), (unsigned)nodes_of(body));
            answer("type=%u", (unsigned)kind_of(graph, node));
            answer("get_graph=%d", (int)gc_node_get_graph(graph, node, 0, &within));
        } else {
            size_t needed = 0;
            answer("dot=%d", (int)gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, NULL, 0, &needed));
        }
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(inner));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- cond_*.* ---- */

static void size_row(const char *name) {
    const uint32_t kind = name[0] == 'i' ? IF : name[0] == 'w' ? WHILE : name[0] == 's' ? SWITCH : 3;
    const uint32_t bodies = kind == 3 ? 1 : (uint32_t)atoi(strchr(name, '_') + 1);
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_graph_exec *exec = NULL;
    gc_condition condition = condition_of(graph, 0);
    gc_node node = 0;
    gc_status status = gc_graph_add_conditional_node(graph, NULL, 0, condition, kind, bodies, &node);
    answer("add=%d", (int)status);
    if (status == GRAPHCAP_SUCCESS) {
        uint32_t count = 0;
        while (gc_node_get_graph(graph, node, count, &body) == GRAPHCAP_SUCCESS) {
            CHECK(nodes_of(body) == 0);
            CHECK_OK(gc_graph_destroy(body));
            count++;
        }
        answer("bodies=%u", count);
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        replay(&bed.rig, exec);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* An if that adds 1, with a default or without. */
static void default_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_condition condition =
        is(name, "if_plain_0") ? plain_condition(graph) : condition_of(graph, (uint32_t)atoi(strrchr(name, '_') + 1));
    gc_graph_exec *exec;
    int launches;
    body = body_of(graph, decide(graph, 0, condition, IF, 1), 0);
    adds(body, NULL, 0, 0, 1);
    exec = open_exec(graph);
    bed_clear();
    for (launches = 0; launches < 3; launches++)
        replay_and_answer(exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A node sets the condition to 1, 0 and 1 before an if that adds 1; then the node is switched off. */
static void set_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_condition condition = is(name, "plain_0") ? plain_condition(graph) : condition_of(graph, 1);
    gc_graph_exec *exec;
    gc_node setter = 0;
    uint32_t launches;
    REQUIRE_OK(gc_graph_add_set_condition_node(graph, NULL, 0, condition, bed.second, 0, &setter));
    body = body_of(graph, decide(graph, setter, condition, IF, 1), 0);
    adds(body, NULL, 0, 0, 1);
    exec = open_exec(graph);
    bed_clear();
    for (launches = 0; launches < 3; launches++) {
        write_word(bed.second, 0, launches != 1);
        replay_and_answer(exec);
    }
    answer("setter_off=%d", (int)gc_graph_exec_set_node_enabled(exec, setter, 0));
    replay_and_answer(exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

static void choose(uint32_t kind, uint32_t bodies, uint32_t value, const uint32_t *numbers) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = decide(graph, 0, condition_of(graph, value), kind, bodies);
    uint32_t i;
    for (i = 0; i < bodies; i++) {
        gc_graph *body = body_of(graph, node, i);
        stores(body, NULL, 0, 0, numbers[i]);
        CHECK_OK(gc_graph_destroy(body));
    }
    run_and_answer(graph, 1);
    CHECK_OK(gc_graph_destroy(graph));
}

static void else_row(const char *name) {
    static const uint32_t numbers[] = {10, 20};
    choose(IF, 2, (uint32_t)atoi(name), numbers);
}

static void switch_row(const char *name) {
    static const uint32_t numbers[] = {10, 11, 12};
    choose(SWITCH, 3, (uint32_t)atoi(name), numbers);
}

/* Three turns of a while, in each of which another one counts to 4 as long as its condition is set. */
static void nest_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *outer, *inner;
    gc_node before = 0, node;
    bed_clear();
    if (is(name, "depth_8")) {
        int depth;
        outer = graph;
        for (depth = 0; depth < 8; depth++) {
            inner = body_of(outer, decide(outer, 0, condition_of(outer, 1), IF, 1), 0);
            if (outer != graph)
                CHECK_OK(gc_graph_destroy(outer));
            outer = inner;
        }
        stores(inner, NULL, 0, 0, 7);
        CHECK_OK(gc_graph_destroy(inner));
        run_and_answer(graph, 2);
        CHECK_OK(gc_graph_destroy(graph));
        return;
    }
    {
        const gc_memset_params restart = GRAPHCAP_MEMSET_INIT(bed.target, 8, 0, 4, 1, 1, 0);
        gc_condition turns = condition_of(graph, 1), counts;
        outer = body_of(graph, decide(graph, 0, turns, WHILE, 1), 0);
        counts = condition_of(outer, 1);
        if (is(name, "while_in_while_reset_each_time")) {
            REQUIRE_OK(gc_graph_add_memset_node(outer, NULL, 0, &restart, &node));
            REQUIRE_OK(gc_graph_add_set_condition_node(outer, &node, 1, counts, bed.second, 0, &before));
        }
        node = decide(outer, before, counts, WHILE, 1);
        inner = body_of(outer, node, 0);
        count_on(outer, node, turns, 0, 3);
        node = adds(inner, NULL, 0, 1, 1);
        count_on(inner, node, counts, 2, 4);
        write_word(bed.second, 0, 1);
    }
    run_and_answer(graph, 2);
    CHECK_OK(gc_graph_destroy(inner));
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Beside conditions of one graph: nodes that have them ---- */

static void node_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *body;
    gc_graph_exec *exec = NULL;
    gc_condition condition = condition_of(graph, 1);
    gc_node node = decide(graph, 0, condition, IF, 1), inner;
    body = body_of(graph, node, 0);
    inner = stores(body, NULL, 0, 0, 7);
    bed_clear();
    if (is(name, "destroy_conditional")) {
        answer("destroy=%d", (int)gc_graph_remove_node(graph, node));
        answer("nodes=%u", (unsigned)nodes_of(graph));
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        answer("handle_again=%d", (int)gc_graph_add_conditional_node(graph, NULL, 0, condition, IF, 1, &node));
    } else {
        exec = open_exec(graph);
        answer("off=%d", (int)gc_graph_exec_set_node_enabled(exec, inner, 0));
        replay_and_answer(exec);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- inst.* ---- */

static void inst_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *outer = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node = adds(graph, NULL, 0, 0, 1), second;
    uint32_t flags = 9;
    int launches;
    bed_clear();
    if (is(name, "params_null")) {
        answer("rc=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
    } else if (is(name, "same_exec_two_streams")) {
        gc_stream *streams[2];
        streams[0] = open_stream(bed.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        streams[1] = open_stream(bed.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        exec = open_exec(graph);
        for (launches = 0; launches < 100; launches++)
            CHECK_OK(gc_graph_launch(exec, streams[launches % 2]));
        answer("sync=%d", (int)gc_context_synchronize(bed.rig.context));
        answer_words(1);
        CHECK_OK(gc_stream_destroy(streams[1]));
        CHECK_OK(gc_stream_destroy(streams[0]));
    } else if (is(name, "launch_null_and_ptds_stream")) {
        gc_stream *legacy = NULL, *own = NULL;
        CHECK_OK(gc_context_legacy_stream(bed.rig.context, &legacy));
        CHECK_OK(gc_context_per_thread_stream(bed.rig.context, &own));
        exec = open_exec(graph);
        answer("null=%d", (int)gc_graph_launch(exec, NULL));
        answer("legacy=%d", (int)gc_graph_launch(exec, legacy));
        answer("ptds=%d", (int)gc_graph_launch(exec, own));
        CHECK_OK(gc_context_synchronize(bed.rig.context));
        answer_words(1);
        CHECK_OK(gc_stream_destroy(own));
        CHECK_OK(gc_stream_destroy(legacy));
    } else if (is(name, "launch_in_foreign_stream")) {
        exec = open_exec(graph);
        answer("launch=%d", (int)gc_graph_launch(exec, bed.other.stream));
        answer("sync=%d", (int)gc_stream_synchronize(bed.other.stream));
        answer_words(1);
    } else if (is(name, "get_flags_null")) {
        answer("exec_null=%d", (int)gc_graph_exec_flags(NULL, &flags));
    } else if (is(name, "device_two_contexts")) {
        gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
        options.flags = GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
        CHECK_OK(gc_graph_remove_node(graph, node));
        stores(graph, NULL, 0, 1, 7);
        answer("add=%d", (int)kernel_work("func_foreign_ctx", ADD, graph, &node));
        answer("inst=%d", (int)gc_graph_instantiate(graph, &options, &exec));
        run_and_answer(graph, 2);
    } else {
        second = adds(graph, &node, 1, 0, 1);
        CHECK_OK(gc_graph_add_dependencies(graph, &second, &node, NULL, 1));
        outer = open_graph(bed.rig.context);
        answer("add=%d", (int)gc_graph_add_child_node(outer, NULL, 0, graph, &node));
        answer("inst=%d", (int)gc_graph_instantiate(outer, NULL, &exec));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(graph));
}

static const struct row rows[] = {
    {"cond.handle_bad_args", arguments_row, "flags_2=1 graph_null=1 out_null=1", "flags_2=1 graph_null=400 out_null=1", STALE, NULL},
    {"cond.handle_of_other_graph", arguments_row, "add=1", NULL, NULL, NULL},
    {"cond.handle_garbage", arguments_row, "garbage=1 zero=1", NULL, NULL, NULL},
    {"cond.body_clears_own_if", loop_row, "val=1 val=2", NULL, NULL, NULL},
    {"cond.while_counts_to_10", loop_row, "val=10 val=11 val=10", NULL, NULL, NULL},
    {"cond.while_default_0", loop_row, "val=0", NULL, NULL, NULL},
    {"cond.while_plain_default_1", loop_row, "create=0 val=0", "create=1", "a default that is not assigned has no effect", NULL},
    {"cond.while_body_of_4_nodes", body_of_4_row, "val=5,31,9,15", "val=5,341,9,15",
     "the kernel of the test multiplies by 4, that of the measurement by 2", NULL},
    {"cond.two_execs", two_execs_row, "inst1=0 inst2=801 val=1 inst_after_destroy=0 val=2", NULL, NULL, NULL},
    {"cond.handle_of_parent_in_child", within_row, "add=0 inst=0 val=7", NULL, NULL, NULL},
    {"cond.child_in_body_with_cond", within_row, "child=801 inst=0", NULL, NULL, NULL},
    {"cond.body_grown_after_instantiate", within_row, "add=0 val=7,0", NULL, NULL, NULL},
    {"cond.body_kernel_foreign_function", within_row, "add=0 inst=1", NULL, NULL, NULL},
    {"cond.body_two_kernels_two_ctx_no_parent", within_row, "inst=0 val=7,7", NULL, NULL, NULL},
    {"cond.empty_body_if", within_row, "inst=0 val=7", NULL, NULL, NULL},
    {"cond.body_with_cycle", within_row, "inst=1", NULL, NULL, NULL},
    {"cond.parallel_branches_in_body", within_row, "inst=0 val=9", NULL, NULL, NULL},
    {"cond.parent_node_counts", within_row, "parent_nodes=1 body_nodes=1 type=13 get_graph=1",
     "parent_nodes=1 body_nodes=1 type=13 get_graph=0", "the same function gives the bodies of conditionals", NULL},
    {"cond.dot", within_row, "dot=0", NULL, NULL, NULL},

    {"cond_size.if_0", size_row, "add=1", NULL, NULL, NULL},
    {"cond_size.if_1", size_row, "add=0 bodies=1 inst=0", NULL, NULL, NULL},
    {"cond_size.if_2", size_row, "add=0 bodies=2 inst=0", NULL, NULL, NULL},
    {"cond_size.while_1", size_row, "add=0 bodies=1 inst=0", NULL, NULL, NULL},
    {"cond_size.while_2", size_row, "add=1", NULL, NULL, NULL},
    {"cond_size.switch_0", size_row, "add=1", NULL, NULL, NULL},
    {"cond_size.switch_1", size_row, "add=0 bodies=1 inst=0", NULL, NULL, NULL},
    {"cond_size.switch_3", size_row, "add=0 bodies=3 inst=0", NULL, NULL, NULL},
    {"cond_size.switch_1000", size_row, "add=0 bodies=1000 inst=0", NULL, NULL, NULL},
    {"cond_size.type_3", size_row, "add=1", NULL, NULL, NULL},
    {"cond_default.if_plain_0", default_row, "val=0 val=0 val=0", NULL, NULL, NULL},
    {"cond_default.if_assign_0", default_row, "val=0 val=0 val=0", NULL, NULL, NULL},
    {"cond_default.if_assign_1", default_row, "val=1 val=2 val=3", NULL, NULL, NULL},
    {"cond_default.if_assign_5", default_row, "val=1 val=2 val=3", NULL, NULL, NULL},
    {"cond_set.plain_0", set_row, "val=1 val=1 val=2 setter_off=0 val=3", "val=1 val=1 val=2 setter_off=0 val=2",
     "a condition without a default begins each launch with 0", NULL},
    {"cond_set.assign_1", set_row, "val=1 val=1 val=2 setter_off=0 val=3", NULL, NULL, NULL},
    {"cond_else.0", else_row, "inst=0 val=20", NULL, NULL, NULL},
    {"cond_else.1", else_row, "inst=0 val=10", NULL, NULL, NULL},
    {"cond_switch.0", switch_row, "inst=0 val=10", NULL, NULL, NULL},
    {"cond_switch.1", switch_row, "inst=0 val=11", NULL, NULL, NULL},
    {"cond_switch.2", switch_row, "inst=0 val=12", NULL, NULL, NULL},
    {"cond_switch.100", switch_row, "inst=0 val=0", NULL, NULL, NULL},
    {"cond_nest.while_in_while_default_only", nest_row, "inst=0 val=3,4", NULL, NULL, NULL},
    {"cond_nest.while_in_while_reset_each_time", nest_row, "inst=0 val=3,12", NULL, NULL, NULL},
    {"cond_nest.depth_8", nest_row, "inst=0 val=7,0", NULL, NULL, NULL},

    {"node.destroy_conditional", node_row, "destroy=0 nodes=0 inst=1 handle_again=0", NULL, NULL, NULL},
    {"enable.node_in_body", node_row, "off=0 val=0", NULL, NULL, NULL},

    {"inst.params_null", inst_row, "rc=1", "rc=0", "NULL options stand for the defaults", NULL},
    {"inst.same_exec_two_streams", inst_row, "sync=0 val=100", NULL, NULL, NULL},
    {"inst.launch_null_and_ptds_stream", inst_row, "null=0 legacy=0 ptds=0 val=3", "null=400 legacy=0 ptds=0 val=2", STALE, NULL},
    {"inst.launch_in_foreign_stream", inst_row, "launch=0 sync=0 val=1", NULL, NULL, NULL},
    {"inst.get_flags_null", inst_row, "exec_null=1", "exec_null=400", STALE, NULL},
    {"inst.device_two_contexts", inst_row, "add=0 inst=1 inst=0 val=7,7", NULL, "the host device has no kernels that launch execs",
     "add=0 inst=801 inst=0 val=7,7"},
    {"inst.cycle_in_child", inst_row, "add=0 inst=1", NULL, NULL, NULL},
};

static const struct out_of_reach not_reached[] = {
    {"cond.handle_foreign_ctx, cond.node_ctx", "graphcap names the context"},
    {"cond.set_from_other_graph", "the kernel faults the context, as every wrong address does"},
    {"cond.set_without_dependency_after", "nothing orders the set and the decision"},
    {"inst_flags.2pow32", "flags have 32 bits"},
};

static void rows_answer_as_measured(void) {
    try_rows(rows, LENGTH_OF(rows));
    tell_out_of_reach(not_reached, LENGTH_OF(not_reached));
}

/* On a GPU one of three runs of so many turns ended with 719. */
static void a_while_takes_many_turns(void) {
    static const struct row row = {"cond.while_100000", loop_row, "val=100000", NULL, NULL, NULL};
    NOT_ON_CUDA("one of three runs of the driver faulted");
    try_rows(&row, 1);
}

static void more_bodies_than_there_is_room_for_are_refused(void) {
    gc_graph *graph = NULL;
    gc_node node = 0;
    NOT_ON_CUDA("the driver decides");
    REQUIRE_OK(gc_graph_create(bed.rig.context, &graph));
    CHECK_MESSAGE(gc_graph_add_conditional_node(graph, NULL, 0, condition_of(graph, 0), GRAPHCAP_CONDITIONAL_SWITCH,
                                                UINT32_MAX, &node),
                  GRAPHCAP_ERROR_OUT_OF_MEMORY, "at most 1048576");
    CHECK(node == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    bed_open();
    loop_module = load_loop(bed.rig.context);
    loop = get_kernel(loop_module, "loop");
    RUN(rows_answer_as_measured);
    RUN(a_while_takes_many_turns);
    RUN(more_bodies_than_there_is_room_for_are_refused);
    tell_counts();
    CHECK(tried > 50);
    CHECK_OK(gc_kernel_destroy(loop));
    CHECK_OK(gc_module_destroy(loop_module));
    bed_close();
    return check_finish();
}
