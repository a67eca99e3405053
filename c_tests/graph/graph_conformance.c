/* Holds the device that is tested against graph_conformance_data.h, which on a GPU checks the data themselves, and tells how
 * many rows were tried, where graphcap answers before the driver, and which rows no call leads to. */
#include "graph_conformance_data.h"
#include "works.h"

static void expect_code(const char *name, const char *what, gc_status got, int wanted) {
    char words[2][16];
    snprintf(words[0], sizeof words[0], "%d", (int)got);
    snprintf(words[1], sizeof words[1], "%d", wanted);
    expect(name, what, words[0], words[1]);
}

/* ---- Works ---- */

/* Codes as text, with the value that is left where the work is accepted. */
static const char *told_codes(char text[160], const struct codes *codes, const char *value) {
    const int is_left = codes->add == 0 && value != NULL && value[0] != '\0';
    snprintf(text, 160, "add=%d set=%d exec=%d%s%s", codes->add, codes->set, codes->exec, is_left ? " val=" : "",
             is_left ? value : "");
    return text;
}

static void publish_work(const struct work_row *row) {
    const int differs = memcmp(&row->driver, &row->graphcap, sizeof row->driver) != 0;
    char texts[2][160];
    /* What is left of a work that graphcap alone accepts, or alone refuses, is no answer of the driver's. */
    publish(row->name, told_codes(texts[0], &row->driver, differs ? NULL : row->value),
            told_codes(texts[1], &row->graphcap, row->value), NULL, row->because, NULL);
}

static void try_work(const struct work_row *row) {
    /* Two contexts of one device are one of the driver's. */
    const int exec_code = is_alone && is_of_two_contexts(row->name) ? 0 : row->graphcap.exec;
    const char *name = plain(row->name);
    const work made = work_of(row->name);
    /* An event node is set to work of its own kind. */
    const char *base = made == event_work ? (strncmp(name, "record", 6) == 0 ? "record" : "wait") : "base";
    gc_graph *graph = open_graph(bed.rig.context), *added = open_graph(bed.rig.context);
    gc_graph_exec *exec;
    gc_node node = 0, new_node = 7;
    char text[64];
    REQUIRE_OK(made(base, ADD, graph, &node));
    exec = open_exec(graph);
    expect_code(row->name, "add", made(name, ADD, added, &new_node), row->graphcap.add);
    CHECK((new_node != 0) == (row->graphcap.add == 0) && nodes_of(added) == (row->graphcap.add == 0 ? 1u : 0u));
    expect_code(row->name, "set", made(name, NODE, graph, &node), row->graphcap.set);
    expect_code(row->name, "exec", made(name, EXEC, exec, &node), exec_code);
    prepare(name);
    run_graph(&bed.rig, added);
    if (row->graphcap.add == 0)
        expect(row->name, "val", left(made, text), row->value);
    prepare(name);
    run_graph(&bed.rig, graph);
    if (row->graphcap.set == 0)
        expect(row->name, "val of set", left(made, text), row->value);
    prepare(name);
    replay(&bed.rig, exec);
    if (exec_code == 0)
        expect(row->name, "exec_val", left(made, text), row->value);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(added));
    CHECK_OK(gc_graph_destroy(graph));
}

static void works_answer_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(work_rows); i++) {
        try_work(&work_rows[i]);
        publish_work(&work_rows[i]);
    }
}

/* ---- Matrices ---- */

/* What the works of a matrix leave: the first word of each place that one of them writes. */
static void left_anywhere(char text[160]) {
    snprintf(text, 160, "%x %x %x %x %x %u %u", word_of(bed.target, 0), word_of(bed.target, 8), word_of(bed.target, 16),
             word_of(bed.target, 128), word_of(bed.second, 0), bed.pinned_words[0], bed.pageable[0]);
}

static void run_alone(work made, const char *name, char text[160]) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = 0;
    REQUIRE_OK(made(name, ADD, graph, &node));
    prepare(name);
    run_graph(&bed.rig, graph);
    left_anywhere(text);
    CHECK_OK(gc_graph_destroy(graph));
}

static void try_matrix(work made, const struct matrix_row *row, const char *const *columns, size_t count) {
    size_t i;
    CHECK(strlen(row->answers) == count);
    for (i = 0; i < count; i++) {
        gc_graph *graph = open_graph(bed.rig.context);
        gc_graph_exec *exec;
        gc_node node = 0;
        const int refused = row->answers[i] == 'x';
        char about[96], before[160], after[160], got[160];
        snprintf(about, sizeof about, "%s to %s", row->from, columns[i]);
        REQUIRE_OK(made(row->from, ADD, graph, &node));
        exec = open_exec(graph);
        expect_code(about, "exec", made(columns[i], EXEC, exec, &node), refused ? 1 : 0);
        run_alone(made, row->from, before);
        if (!refused)
            run_alone(made, columns[i], after);
        prepare(refused ? row->from : columns[i]);
        replay(&bed.rig, exec);
        left_anywhere(got);
        expect(about, "val", got, refused ? before : after);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

/* The same with an exec that is updated by a graph of the other work. What has no bytes is in no graph. */
static void try_updates(work made, const struct matrix_row *row, const char *const *columns, size_t count) {
    size_t i;
    CHECK(strlen(row->answers) == count);
    for (i = 0; i < count; i++) {
        gc_graph_exec_update_info asked = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT, told = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
        const int refused = row->answers[i] == 'x', is_none = row->answers[i] == '!';
        const int wanted = refused ? GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE : 0;
        gc_graph *graph = open_graph(bed.rig.context), *source = open_graph(bed.rig.context);
        gc_graph_exec *exec;
        gc_node node = 0, other = 0;
        char about[96], alone[160], got[160];
        snprintf(about, sizeof about, "%s by %s", row->from, columns[i]);
        REQUIRE_OK(made(row->from, ADD, graph, &node));
        expect_code(about, "add", made(columns[i], ADD, source, &other), is_none);
        if (!is_none) {
            exec = open_exec(graph);
            expect_code(about, "question", gc_graph_exec_update(exec, source, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &asked), wanted);
            expect_code(about, "update", gc_graph_exec_update(exec, source, 0, &told), wanted);
            CHECK(told.result == (refused ? 5 : 0) && asked.result == told.result);
            CHECK(told.graph_node == (refused ? other : 0) && told.from_node == 0);
            run_alone(made, refused ? row->from : columns[i], alone);
            prepare(refused ? row->from : columns[i]);
            replay(&bed.rig, exec);
            left_anywhere(got);
            expect(about, "val", got, alone);
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
        CHECK_OK(gc_graph_destroy(source));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

/* Tells what the work of a row takes in an exec. What has no bytes is no node. */
static void publish_matrix(const char *group, const struct matrix_row *row, const char *const *columns, size_t count) {
    char name[64], text[256] = "0:";
    size_t i;
    snprintf(name, sizeof name, "%s.%s", group, row->from);
    for (i = 0; i < count; i++)
        if (row->answers[i] == '.')
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s", columns[i]);
    snprintf(text + strlen(text), sizeof text - strlen(text), "; %s",
             strncmp(group, "update", 6) == 0 ? "910/5: all other nodes" : "1: all others");
    publish(name, text, NULL, NULL, NULL, NULL);
}

static void try_no_bytes(work made, const char *name, const char *row) {
    gc_graph *graph = open_graph(bed.rig.context);
    gc_node node = 0;
    expect_code(row, "add", made(name, ADD, graph, &node), 1);
    CHECK_OK(gc_graph_destroy(graph));
    publish(row, "add=1", NULL, NULL, NULL, NULL);
}

static void copies_of_execs_change_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(copy_rows); i++) {
        try_matrix(memcpy_work, &copy_rows[i], copy_columns, LENGTH_OF(copy_columns));
        publish_matrix("exec_memcpy_from", &copy_rows[i], copy_columns, LENGTH_OF(copy_columns));
    }
    try_no_bytes(memcpy_work, "d2d_w0", "exec_memcpy_from.d2d_w0");
}

static void memsets_of_execs_change_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(memset_rows); i++) {
        try_matrix(memset_work, &memset_rows[i], memset_columns, LENGTH_OF(memset_columns));
        publish_matrix("exec_memset_from", &memset_rows[i], memset_columns, LENGTH_OF(memset_columns));
    }
    try_no_bytes(memset_work, "w0", "exec_memset_from.w0");
}

static void updates_change_copies_and_memsets_as_measured(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(updated_copies); i++) {
        try_updates(memcpy_work, &updated_copies[i], copy_columns, LENGTH_OF(copy_columns));
        publish_matrix("update_memcpy_from", &updated_copies[i], copy_columns, LENGTH_OF(copy_columns));
    }
    try_no_bytes(memcpy_work, "d2d_w0", "update_memcpy_from.d2d_w0");
    for (i = 0; i < LENGTH_OF(updated_memsets); i++) {
        try_updates(memset_work, &updated_memsets[i], memset_columns, LENGTH_OF(memset_columns));
        publish_matrix("update_memset_from", &updated_memsets[i], memset_columns, LENGTH_OF(memset_columns));
    }
    try_no_bytes(memset_work, "w0", "update_memset_from.w0");
}

/* ---- Single cases ---- */

static void exec_kernel_case(const char *name, gc_graph *graph) {
    gc_graph *other = open_graph(bed.rig.context), *clone = NULL;
    gc_node node = stores(graph, NULL, 0, 0, 1), second = stores(graph, &node, 1, 1, 1), used = node, foreign;
    gc_graph_exec *exec = open_exec(graph);
    gc_kernel *nothing = get_kernel(bed.rig.module, "nothing");
    struct kernel_call call;
    gc_status status;
    (void)second;
    foreign = stores(other, NULL, 0, 0, 1);
    call_fill(&call, &bed.rig, bed.target, 0, 5);
    if (is(name, "other_grid") || is(name, "other_block")) {
        /* So many blocks or threads store the sum of what one each would add. */
        call.number = is(name, "other_grid") ? 15 : 20;
        call.config.grid_dim[0] = is(name, "other_grid") ? 3 : 1;
        call.config.block_dim[0] = is(name, "other_grid") ? 1 : 4;
    }
    if (is(name, "other_function"))
        call_add(&call, &bed.rig, bed.target, 0, 5);
    if (is(name, "to_noparam_function"))
        call.kernel = nothing, call.count = 0;
    if (is(name, "foreign_function"))
        call.kernel = bed.other.fill;
    if (is(name, "grid_x_0"))
        call.config.grid_dim[0] = 0;
    if (is(name, "node_of_other_graph"))
        used = foreign;
    if (is(name, "node_of_clone")) {
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &used));
    }
    status = is(name, "memset_params_generic") ? memset_work("good", EXEC, exec, &used) : exec_set_kernel(exec, used, &call);
    answer("set=%d", (int)status);
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, exec);
    answer_words(2);
    CHECK_OK(gc_kernel_destroy(nothing));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(other));
}

static void exec_batch_case(const char *name, gc_graph *graph) {
    gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 0, 7, 0);
    gc_graph_exec *exec;
    gc_node node = 0;
    CHECK_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &write, 1, &node));
    exec = open_exec(graph);
    answer("set=%d", (int)values_work(name, EXEC, exec, &node));
    clear_words(&bed.rig, bed.values);
    replay(&bed.rig, exec);
    answer("val=%u,%u", word_of(bed.values, 0), word_of(bed.values, 2));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void exec_child_case(const char *name, gc_graph *graph) {
    const uint32_t number = is(name, "is_the_exec_s_own_child_handle") ? 1 : 2;
    gc_graph *child = open_graph(bed.rig.context), *other = open_graph(bed.rig.context), *within = NULL;
    gc_graph_exec *exec;
    gc_node first = stores(child, NULL, 0, 0, 1), node = 0, empty = 0;
    stores(child, &first, 1, 1, 1);
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    exec = open_exec(graph);
    if (is(name, "same_nodes_other_order")) {
        /* The second one is made first. */
        gc_node last = stores(other, NULL, 0, 1, number);
        first = stores(other, NULL, 0, 0, number);
        CHECK_OK(gc_graph_add_dependencies(other, &first, &last, NULL, 1));
    } else if (is(name, "other_kind")) {
        gc_memset_params set = GRAPHCAP_MEMSET_INIT(bed.target, 4, number, 4, 1, 1, 0);
        first = stores(other, NULL, 0, 0, number);
        CHECK_OK(gc_graph_add_memset_node(other, &first, 1, &set, &empty));
    } else if (is(name, "foreign_function")) {
        REQUIRE_OK(kernel_work("func_foreign_ctx", ADD, other, &first));
        stores(other, &first, 1, 1, number);
    } else {
        first = stores(other, NULL, 0, 0, number);
        if (!is(name, "one_less_node"))
            stores(other, is(name, "other_edges") ? NULL : &first, is(name, "other_edges") ? 0 : 1, 1, number);
        if (is(name, "one_more_node"))
            stores(other, NULL, 0, 2, number);
    }
    CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
    answer("set=%d", (int)gc_graph_exec_set_child_node(exec, node, number == 1 ? within : other));
    answer("node_set=%d", (int)gc_node_set_child(graph, node, number == 1 ? within : other));
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, exec);
    answer_words(2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(child));
}

static void enable_case(const char *name, gc_graph *graph) {
    gc_graph *clone = NULL, *child = open_graph(bed.rig.context);
    gc_graph_exec *exec;
    gc_node node = 0, inner[1], copied = 0;
    int32_t enabled = 9;
    if (is(name, "inner_node_of_child")) {
        gc_graph *within = NULL;
        gc_node original = stores(child, NULL, 0, 0, 7);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, inner, 1, NULL));
        exec = open_exec(graph);
        answer("inner=%d", (int)gc_graph_exec_set_node_enabled(exec, inner[0], 0));
        answer("original=%d", (int)gc_graph_exec_set_node_enabled(exec, original, 0));
        CHECK_OK(gc_graph_destroy(within));
    } else if (is(name, "middle_of_chain_keeps_order")) {
        /* Stores 1, adds 2, adds 3. */
        gc_node middle;
        node = stores(graph, NULL, 0, 0, 1);
        middle = adds(graph, &node, 1, 0, 2);
        adds(graph, &middle, 1, 0, 3);
        exec = open_exec(graph);
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, middle, 0));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
    } else {
        node = stores(graph, NULL, 0, 0, 7);
        CHECK_OK(gc_graph_clone(graph, &clone));
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &copied));
        exec = open_exec(is(name, "original_node_on_exec_of_clone") ? clone : graph);
        if (is(name, "is_2")) {
            CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 0));
            answer("on=%d", (int)gc_graph_exec_set_node_enabled(exec, node, 2));
            CHECK_OK(gc_graph_exec_is_node_enabled(exec, node, &enabled));
            answer("get=%d", (int)enabled);
        } else {
            answer("set=%d", (int)gc_graph_exec_set_node_enabled(exec, is(name, "node_of_clone") ? copied : node, 0));
        }
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(child));
}

static void add_dep_case(const char *name, gc_graph *graph) {
    gc_graph *other = open_graph(bed.rig.context), *child = open_graph(bed.rig.context), *within = NULL;
    gc_node node = stores(graph, NULL, 0, 0, 1), dependencies[2], added = 0, child_node = 0;
    size_t count = 1;
    gc_status status;
    dependencies[0] = dependencies[1] = node;
    if (is(name, "foreign_graph_node"))
        dependencies[0] = stores(other, NULL, 0, 0, 1);
    else if (is(name, "null_node"))
        dependencies[0] = 0;
    else if (is(name, "duplicate"))
        count = 2;
    else if (is(name, "garbage_node"))
        dependencies[0] = UINT64_C(0x123456789abc);
    else if (is(name, "inner_node_of_child")) {
        stores(child, NULL, 0, 0, 1);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &child_node));
        CHECK_OK(gc_node_get_graph(graph, child_node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, dependencies, 1, NULL));
    }
    if (is(name, "destroyed_graph")) {
        CHECK_OK(gc_graph_destroy(other));
        answer("add=%d", (int)gc_graph_add_empty_node(other, NULL, 0, &added));
        other = NULL;
    } else {
        status = gc_graph_add_empty_node(graph, dependencies, count, &added);
        answer("add=%d nodes=%u edges=%u", (int)status, (unsigned)nodes_of(graph), (unsigned)edges_of(graph));
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(other));
}

/* "what" and the three nodes of a list by their letters: a, b, c and e are the nodes of the graph. */
static void answer_list(const char *what, const gc_node *listed, const gc_node *nodes) {
    char letters[3] = {'?', '?', '?'};
    size_t i, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 4; k++)
            if (nodes[k] == listed[i])
                letters[i] = "abce"[k];
    answer("%s%c,%c,%c", what, letters[0], letters[1], letters[2]);
}

static void edge_case(const char *name, gc_graph *graph) {
    gc_node a = stores(graph, NULL, 0, 0, 1), b = stores(graph, NULL, 0, 1, 2), c = stores(graph, NULL, 0, 2, 3);
    const gc_node twice_from[] = {a, a}, twice_to[] = {b, b}, two_to[] = {b, c};
    char text[4096];
    if (is(name, "add_duplicate")) {
        answer("1=%d", (int)gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        answer("2=%d", (int)gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
    } else if (is(name, "add_duplicate_in_one_call")) {
        answer("add=%d", (int)gc_graph_add_dependencies(graph, twice_from, twice_to, NULL, 2));
    } else if (is(name, "add_self")) {
        answer("add=%d", (int)gc_graph_add_dependencies(graph, &a, &a, NULL, 1));
    } else if (is(name, "cycle_broken_again") || is(name, "cycle_clone_dot_update")) {
        gc_graph_exec *exec = NULL;
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        CHECK_OK(gc_graph_add_dependencies(graph, &b, &a, NULL, 1));
        if (is(name, "cycle_clone_dot_update")) {
            gc_graph *clone = NULL, *parent = open_graph(bed.rig.context);
            gc_node child = 0;
            answer("clone=%d", (int)gc_graph_clone(graph, &clone));
            answer("dot=%d", (int)gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
            answer("child=%d", (int)gc_graph_add_child_node(parent, NULL, 0, graph, &child));
            answer("inst=%d", (int)gc_graph_instantiate(parent, NULL, &exec));
            CHECK_OK(gc_graph_destroy(parent));
            CHECK_OK(gc_graph_destroy(clone));
            return;
        }
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, &b, &a, 1));
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else if (is(name, "remove_absent")) {
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
    } else if (is(name, "remove_reversed")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, &b, &a, 1));
    } else if (is(name, "remove_twice")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        answer("1=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
        answer("2=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
    } else if (is(name, "remove_two_second_absent")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, twice_from, two_to, 2));
    } else if (is(name, "remove_same_twice_in_one_call")) {
        CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        answer("rm=%d", (int)gc_graph_remove_dependencies(graph, twice_from, twice_to, 2));
    } else if (is(name, "remove_then_add_order") || is(name, "order_deps_given")) {
        const gc_node e = stores(graph, NULL, 0, 3, 4), nodes[] = {a, b, c, e}, behind[] = {b, c, e}, before[] = {c, a, b};
        const gc_node all_a[] = {a, a, a}, all_e[] = {e, e, e};
        gc_node listed[3] = {0};
        if (is(name, "remove_then_add_order")) {
            CHECK_OK(gc_graph_add_dependencies(graph, all_a, behind, NULL, 3));
            CHECK_OK(gc_graph_remove_dependencies(graph, &a, &b, 1));
            CHECK_OK(gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
            CHECK_OK(gc_node_get_dependents(graph, a, listed, 3, NULL));
            answer_list("a>", listed, nodes);
        } else {
            CHECK_OK(gc_graph_add_dependencies(graph, before, all_e, NULL, 3));
            CHECK_OK(gc_node_get_dependencies(graph, e, listed, 3, NULL));
            answer_list("w<", listed, nodes);
        }
    } else if (is(name, "null_arrays")) {
        const gc_node none = 0;
        answer("add1=%d", (int)gc_graph_add_dependencies(graph, NULL, NULL, NULL, 1));
        answer("add0=%d", (int)gc_graph_add_dependencies(graph, NULL, NULL, NULL, 0));
        answer("to=%d", (int)gc_graph_add_dependencies(graph, &a, NULL, NULL, 1));
        answer("rm1=%d", (int)gc_graph_remove_dependencies(graph, NULL, NULL, 1));
        answer("rm0=%d", (int)gc_graph_remove_dependencies(graph, NULL, NULL, 0));
        answer("graph=%d", (int)gc_graph_add_dependencies(NULL, &a, &b, NULL, 1));
        answer("node=%d", (int)gc_graph_add_dependencies(graph, &a, &none, NULL, 1));
        return;
    } else {
        gc_graph_exec *exec = open_exec(graph);
        answer("add=%d", (int)gc_graph_add_dependencies(graph, &a, &b, NULL, 1));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(2);
        CHECK_OK(gc_graph_exec_destroy(exec));
        return;
    }
    answer("edges=%u", (unsigned)edges_of(graph));
}

static void find_case(const char *name, gc_graph *graph) {
    gc_graph *clone = NULL, *second = NULL;
    gc_node a = stores(graph, NULL, 0, 0, 1), b = stores(graph, NULL, 0, 1, 2), copied = 0, found = 7, again = 0;
    int status;
    stores(graph, &a, 1, 2, 3);
    stores(graph, &a, 1, 3, 4);
    status = (int)gc_graph_clone(graph, &clone);
    if (is(name, "plain")) {
        answer("clone=%d", status);
        answer("find=%d", (int)gc_node_find_in_clone(graph, a, clone, &copied));
        CHECK_OK(gc_node_find_in_clone(graph, b, clone, &again));
        answer("distinct=%d nodes=%u", copied != again && copied != 0, (unsigned)nodes_of(clone));
    } else if (is(name, "reverse")) {
        CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copied));
        answer("rc=%d", (int)gc_node_find_in_clone(clone, copied, graph, &found));
    } else if (is(name, "original_node_destroyed")) {
        CHECK_OK(gc_graph_remove_node(graph, b));
        answer("rc=%d", (int)gc_node_find_in_clone(graph, b, clone, &found));
    } else if (is(name, "original_graph_destroyed")) {
        CHECK_OK(gc_graph_clone(graph, &second));
        CHECK_OK(gc_node_find_in_clone(graph, a, second, &copied));
        CHECK_OK(gc_graph_destroy(second));
        answer("rc=%d", (int)gc_node_find_in_clone(second, copied, clone, &found));
        second = NULL;
    } else if (is(name, "clone_node_destroyed")) {
        CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copied));
        CHECK_OK(gc_graph_remove_node(clone, copied));
        answer("rc=%d", (int)gc_node_find_in_clone(graph, a, clone, &found));
        answer("out=%u", (unsigned)found);
    } else if (is(name, "node_added_after_clone")) {
        answer("rc=%d", (int)gc_node_find_in_clone(graph, stores(graph, NULL, 0, 4, 5), clone, &found));
    } else {
        status = (int)gc_graph_clone(clone, &second);
        CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copied));
        if (is(name, "first_clone_destroyed")) {
            CHECK_OK(gc_graph_destroy(clone));
            clone = NULL;
            answer("original_in_second=%d", (int)gc_node_find_in_clone(graph, a, second, &found));
        } else {
            answer("clone2=%d original_in_second=%d", status, (int)gc_node_find_in_clone(graph, a, second, &found));
            answer("first_in_second=%d", (int)gc_node_find_in_clone(clone, copied, second, &found));
            answer("same=%d", found == copied);
        }
    }
    CHECK_OK(gc_graph_destroy(second));
    CHECK_OK(gc_graph_destroy(clone));
}

static void clone_case(const char *name, gc_graph *graph) {
    gc_graph *clone = NULL, *ended = NULL;
    struct kernel_call call;
    gc_node node, copied = 0;
    if (is(name, "of_capturing_graph")) {
        CHECK_OK(gc_stream_begin_capture_to_graph(bed.rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 0, 1, 1));
        answer("clone=%d", (int)gc_graph_clone(graph, &clone));
        answer("nodes=%u", (unsigned)nodes_of(clone));
        answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
        CHECK_OK(gc_graph_destroy(ended));
        CHECK_OK(gc_graph_destroy(clone));
        return;
    }
    node = stores(graph, NULL, 0, 0, 1);
    CHECK_OK(gc_graph_clone(graph, &clone));
    if (is(name, "is_independent")) {
        gc_graph_exec *exec;
        answer("set=%d", (int)set_kernel(graph, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        exec = open_exec(clone);
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        {
            gc_graph *second = NULL;
            CHECK_OK(gc_graph_clone(graph, &second));
            CHECK_OK(gc_graph_destroy(second));
        }
        run_and_answer(clone, 1);
    } else {
        gc_graph_exec *exec = open_exec(graph);
        CHECK_OK(gc_node_find_in_clone(graph, node, clone, &copied));
        answer("exec_set_by_clone_node=%d",
               (int)exec_set_kernel(exec, copied, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_graph_destroy(clone));
}

static void node_case(const char *name, gc_graph *graph) {
    gc_graph *child = open_graph(bed.rig.context), *within = NULL;
    gc_graph_exec *exec, *second;
    struct kernel_call call;
    gc_node node = 0, nodes[2], first;
    if (is(name, "exec_made_before_still_runs_it")) {
        /* Adds 6, then adds 4. */
        first = adds(graph, NULL, 0, 0, 6);
        adds(graph, &first, 1, 0, 4);
        exec = open_exec(graph);
        answer("destroy=%d", (int)gc_graph_remove_node(graph, first));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
        answer("inst2=%d", (int)gc_graph_instantiate(graph, NULL, &second));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, second);
        answer("val2=%u", word_of(bed.target, 0));
        CHECK_OK(gc_graph_exec_destroy(second));
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else if (is(name, "exec_set_params_after_graph_destroy")) {
        gc_graph *gone = open_graph(bed.rig.context);
        node = stores(gone, NULL, 0, 0, 1);
        exec = open_exec(gone);
        CHECK_OK(gc_graph_destroy(gone));
        answer("exec_set=%d", (int)exec_set_kernel(exec, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer_words(1);
        CHECK_OK(gc_graph_exec_destroy(exec));
    } else {
        first = stores(child, NULL, 0, 0, 5);
        if (is(name, "destroy_inner_of_child"))
            stores(child, NULL, 0, 1, 5);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        if (is(name, "destroy_child_node")) {
            answer("destroy=%d", (int)gc_graph_remove_node(graph, node));
            answer("nodes=%u original_nodes=%u", (unsigned)nodes_of(graph), (unsigned)nodes_of(child));
        } else if (is(name, "destroy_inner_of_child")) {
            CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
            CHECK_OK(gc_graph_get_nodes(within, nodes, 2, NULL));
            answer("destroy=%d", (int)gc_graph_remove_node(within, nodes[0]));
            answer("inner_nodes=%u", (unsigned)nodes_of(within));
            run_and_answer(graph, 2);
        } else {
            CHECK_OK(gc_graph_remove_node(child, first));
            exec = open_exec(graph);
            clear_words(&bed.rig, bed.target);
            replay(&bed.rig, exec);
            answer_words(1);
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
}

/* The value that a run leaves, where making the exec is nothing to tell. */
static void run_and_answer_words(const gc_graph *graph, unsigned count) {
    clear_words(&bed.rig, bed.target);
    run_graph(&bed.rig, graph);
    answer_words(count);
}

static void levels(gc_graph *graph, unsigned count) {
    gc_graph *inner = open_graph(bed.rig.context);
    gc_node node = 0;
    unsigned level;
    stores(inner, NULL, 0, 0, 1);
    for (level = 1; level < count; level++) {
        gc_graph *outer = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_add_child_node(outer, NULL, 0, inner, &node));
        CHECK_OK(gc_graph_destroy(inner));
        inner = outer;
    }
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, inner, &node));
    CHECK_OK(gc_graph_destroy(inner));
}

static void nest_case(const char *name, gc_graph *graph) {
    gc_graph *child = open_graph(bed.rig.context), *within = NULL, *other = open_graph(bed.rig.context), *clone = NULL;
    gc_graph_exec *exec = NULL;
    struct kernel_call call;
    gc_node node = 0, second = 0, inner = adds(child, NULL, 0, 0, 1), nodes[2];
    if (is(name, "levels_3")) {
        /* 1 on the innermost level, 10 around it, 100 outside. */
        gc_graph *middle = open_graph(bed.rig.context);
        CHECK_OK(gc_graph_add_child_node(middle, NULL, 0, child, &node));
        adds(middle, &node, 1, 0, 10);
        CHECK_OK(gc_graph_add_child_node(other, NULL, 0, middle, &node));
        adds(other, &node, 1, 0, 100);
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, other, &node));
        answer("nodes=%u", (unsigned)nodes_of(graph));
        run_and_answer(graph, 1);
        answer("clone=%d", (int)gc_graph_clone(graph, &clone));
        answer("clone_inst=%d", (int)gc_graph_instantiate(clone, NULL, &exec));
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer("clone_val=%u", word_of(bed.target, 0));
        CHECK_OK(gc_graph_destroy(middle));
    } else if (is(name, "levels_40")) {
        levels(graph, 40);
        run_and_answer(graph, 1);
    } else if (is(name, "empty_child")) {
        answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, other, &node));
        stores(graph, &node, 1, 0, 7);
        run_and_answer(graph, 1);
    } else if (is(name, "null_child")) {
        answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, NULL, &node));
    } else if (is(name, "order_through_child")) {
        /* Stores 50 before the child, which adds 1. */
        gc_node before = stores(graph, NULL, 0, 0, 50);
        CHECK_OK(gc_graph_add_child_node(graph, &before, 1, child, &node));
        run_and_answer_words(graph, 1);
    } else {
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, nodes, 1, NULL));
        if (is(name, "same_twice")) {
            answer("add2=%d", (int)gc_graph_add_child_node(graph, &node, 1, child, &second));
            run_and_answer_words(graph, 1);
        } else if (is(name, "original_changed_after")) {
            CHECK_OK(set_kernel(child, inner, call_add(&call, &bed.rig, bed.target, 0, 9)));
            adds(child, NULL, 0, 1, 9);
            run_and_answer_words(graph, 2);
        } else if (is(name, "original_destroyed_after")) {
            answer("destroy=%d", (int)gc_graph_destroy(child));
            child = NULL;
            run_and_answer(graph, 1);
        } else if (is(name, "handle_add_node")) {
            answer("add=%d", (int)add_kernel(within, NULL, 0, call_add(&call, &bed.rig, bed.target, 1, 2), &second));
            answer("inner=%u original=%u", (unsigned)nodes_of(within), (unsigned)nodes_of(child));
            run_and_answer(graph, 2);
        } else if (is(name, "handle_set_inner_params")) {
            answer("set_inner=%d", (int)set_kernel(within, nodes[0], call_add(&call, &bed.rig, bed.target, 0, 3)));
            run_and_answer(graph, 1);
            exec = open_exec(graph);
            answer("exec_set_inner=%d", (int)exec_set_kernel(exec, nodes[0], call_add(&call, &bed.rig, bed.target, 0, 9)));
            clear_words(&bed.rig, bed.target);
            replay(&bed.rig, exec);
            answer("val0=%u", word_of(bed.target, 0));
        } else if (is(name, "node_set_params_replaces_child")) {
            stores(other, NULL, 0, 0, 5);
            stores(other, NULL, 0, 1, 6);
            CHECK_OK(gc_graph_destroy(within));
            answer("set=%d", (int)gc_node_set_child(graph, node, other));
            CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
            answer("inner_nodes=%u", (unsigned)nodes_of(within));
            run_and_answer_words(graph, 2);
        } else if (is(name, "handle_destroy")) {
            answer("destroy=%d", (int)gc_graph_destroy(within));
            within = NULL;
            answer("parent_nodes=%u", (unsigned)nodes_of(graph));
            run_and_answer(graph, 1);
        } else if (is(name, "handle_instantiate")) {
            answer("inst=%d", (int)gc_graph_instantiate(within, NULL, &exec));
        } else if (is(name, "handle_as_child_elsewhere")) {
            answer("clone_owner=%d", (int)gc_graph_add_child_node(other, NULL, 0, within, &second));
        } else if (is(name, "handle_as_child_same_parent")) {
            answer("add=%d", (int)gc_graph_add_child_node(graph, NULL, 0, within, &second));
        } else if (is(name, "parent_into_own_handle")) {
            answer("add=%d", (int)gc_graph_add_child_node(within, NULL, 0, graph, &second));
        } else if (is(name, "parent_clone_into_own_handle")) {
            /* Both add 1 to words of their own, so that the first word tells of the node that was there. */
            CHECK_OK(set_kernel(within, nodes[0], call_fill(&call, &bed.rig, bed.target, 0, 1)));
            CHECK_OK(gc_graph_clone(graph, &clone));
            answer("add=%d", (int)gc_graph_add_child_node(within, NULL, 0, clone, &second));
            run_and_answer(graph, 1);
        } else if (is(name, "handle_capture_into")) {
            gc_graph *ended = NULL;
            gc_node first[2] = {0, 0}, same[2] = {0, 1};
            CHECK_OK(gc_graph_get_nodes(within, first, 2, NULL));
            answer("begin=%d",
                   (int)gc_stream_begin_capture_to_graph(bed.rig.stream, within, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 4, 8, 1));
            answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
            CHECK_OK(gc_graph_get_nodes(ended, same, 2, NULL));
            answer("same=%d", first[0] == same[0]);
            run_and_answer(graph, 2);
            CHECK_OK(gc_graph_destroy(ended));
        } else {
            gc_node outer = adds(graph, NULL, 0, 1, 1), more = adds(within, NULL, 0, 1, 1);
            answer("inner_to_outer=%d", (int)gc_graph_add_dependencies(graph, nodes, &outer, NULL, 1));
            answer("inner_to_inner_via_parent=%d", (int)gc_graph_add_dependencies(graph, nodes, &more, NULL, 1));
        }
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(child));
}

/* A node that waits for an event which the graph records, beside the record and behind it. */
static void event_case(const char *name, gc_graph *graph) {
    gc_node record = 0, node = 0, behind = 0;
    gc_event *found = NULL;
    gc_graph_exec *exec;
    (void)name;
    CHECK_OK(gc_graph_add_event_record_node(graph, NULL, 0, bed.event, &record));
    CHECK_OK(gc_graph_add_event_wait_node(graph, &record, 1, bed.event, &behind));
    answer("add=%d", (int)gc_graph_add_event_wait_node(graph, NULL, 0, bed.event, &node));
    answer("set=%d", (int)gc_node_set_event_wait(graph, node, bed.event));
    exec = open_exec(graph);
    answer("exec=%d", (int)gc_graph_exec_set_event_wait_node(exec, node, bed.event));
    answer("get=%d", (int)gc_node_get_event(graph, node, &found));
    CHECK_OK(gc_event_destroy(found));
    answer("run=%d", (int)gc_graph_launch(exec, bed.rig.stream));
    answer("exec_run=%d", (int)gc_stream_synchronize(bed.rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* What a kernel node tells of itself, as a call that does the same. */
struct told_call {
    gc_launch_config config;
    gc_kernel *kernel;
    uint64_t address, words;
    uint32_t number;
};

static void tell_call(const gc_graph *graph, gc_node node, struct told_call *told) {
    gc_kernel_node_params params = GRAPHCAP_KERNEL_NODE_PARAMS_INIT;
    const gc_launch_config plain_config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    CHECK_OK(gc_node_get_kernel_params(graph, node, &params));
    CHECK(params.argument_count == 3);
    told->config = plain_config;
    memcpy(told->config.grid_dim, params.grid_dim, sizeof params.grid_dim);
    memcpy(told->config.block_dim, params.block_dim, sizeof params.block_dim);
    told->config.shared_mem_bytes = params.shared_mem_bytes;
    CHECK_OK(gc_node_get_kernel(graph, node, &told->kernel));
    CHECK_OK(gc_node_get_argument(graph, node, 0, &told->address, sizeof told->address, NULL));
    CHECK_OK(gc_node_get_argument(graph, node, 1, &told->number, sizeof told->number, NULL));
    CHECK_OK(gc_node_get_argument(graph, node, 2, &told->words, sizeof told->words, NULL));
}

static void kernel_params_case(const char *name, gc_graph *graph) {
    gc_node node = stores(graph, NULL, 0, 0, 7);
    gc_graph_exec *exec = open_exec(graph);
    struct told_call told, again;
    struct kernel_call call;
    tell_call(graph, node, &told);
    if (is(name, "kernel_get_set_roundtrip")) {
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(told.address), GRAPHCAP_ARG_INIT_VALUE(told.number),
                                           GRAPHCAP_ARG_INIT_VALUE(told.words)};
        answer("set_own=%d", (int)gc_node_set_kernel(graph, node, told.kernel, &told.config, arguments, 3));
        answer("exec_set_own=%d",
               (int)gc_graph_exec_set_kernel_node(exec, node, told.kernel, &told.config, arguments, 3));
        run_and_answer_words(graph, 1);
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer("exec_val=%u", word_of(bed.target, 0));
    } else {
        CHECK_OK(set_kernel(graph, node, call_add(&call, &bed.rig, bed.target, 0, 8)));
        tell_call(graph, node, &again);
        answer("first_copy=%u new_value=%u", told.number, again.number);
        CHECK_OK(gc_node_set_kernel(graph, node, again.kernel, &call.config, call.arguments, call.count));
        run_graph(&bed.rig, graph);
        run_graph(&bed.rig, graph);
        answer("func_new=%d", word_of(bed.target, 0) == 16); /* what adds 8 did so twice */
        CHECK_OK(gc_kernel_destroy(again.kernel));
    }
    CHECK_OK(gc_kernel_destroy(told.kernel));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void host_params_case(gc_graph *graph) {
    gc_host_node_params params = GRAPHCAP_HOST_NODE_PARAMS_INIT;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_if_any, &bed.calls, NULL, &node));
    answer("rc=%d", (int)gc_node_get_host_params(graph, node, &params));
    answer("fn_same=%d", params.function == count_if_any && params.user_data == &bed.calls);
}

static void edited_params_case(const char *name, gc_graph *graph) {
    gc_node node = stores(graph, NULL, 0, 0, 1);
    gc_graph_exec *exec = open_exec(graph);
    struct kernel_call call;
    uint32_t number = 0;
    clear_words(&bed.rig, bed.target);
    if (is(name, "graph_set_does_not_touch_exec")) {
        CHECK_OK(set_kernel(graph, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
    } else {
        CHECK_OK(exec_set_kernel(exec, node, call_fill(&call, &bed.rig, bed.target, 0, 2)));
        CHECK_OK(gc_node_get_argument(graph, node, 1, &number, sizeof number, NULL));
        answer("graph_value=%u", number);
    }
    replay(&bed.rig, exec);
    answer_words(1);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void params_case(const char *name, gc_graph *graph) {
    if (is(name, "host_get"))
        host_params_case(graph);
    else if (strncmp(name, "kernel_", 7) == 0)
        kernel_params_case(name, graph);
    else
        edited_params_case(name, graph);
}

static void capture_case(const char *name, gc_graph *graph) {
    gc_graph *ended = NULL;
    struct kernel_call call;
    gc_node a = adds(graph, NULL, 0, 0, 1), b = adds(graph, &a, 1, 0, 1), c = 0;
    (void)name;
    CHECK_OK(gc_stream_begin_capture_to_graph(bed.rig.stream, graph, &b, 1, GRAPHCAP_CAPTURE_MODE_RELAXED));
    answer("remove_edge=%d", (int)gc_graph_remove_dependencies(graph, &a, &b, 1));
    answer("destroy_node=%d", (int)gc_graph_remove_node(graph, a));
    answer("add_node=%d", (int)gc_graph_add_empty_node(graph, NULL, 0, &c));
    answer("add_edge=%d", (int)gc_graph_add_dependencies(graph, &a, &c, NULL, 1));
    answer("set_params=%d", (int)set_kernel(graph, a, call_add(&call, &bed.rig, bed.target, 0, 2)));
    answer("status=%d", (int)capture_state(bed.rig.stream));
    answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
    CHECK_OK(gc_graph_destroy(ended));
}

static const struct {
    const char *group;
    void (*run)(const char *name, gc_graph *graph);
} groups[] = {{"exec_kernel.", exec_kernel_case}, {"exec_batch.", exec_batch_case}, {"exec_child.", exec_child_case},
              {"enable.", enable_case},           {"add_dep.", add_dep_case},       {"edge.", edge_case},
              {"find.", find_case},               {"clone.", clone_case},           {"node.", node_case},
              {"nest.", nest_case},               {"params.", params_case},         {"capture.", capture_case},
              {"add_event.", event_case}};

static void cases_answer_as_measured(void) {
    size_t i, k;
    for (i = 0; i < LENGTH_OF(case_rows); i++) {
        const struct case_row *row = &case_rows[i];
        gc_graph *graph = open_graph(bed.rig.context);
        const int is_tried = !is_alone || !is_of_two_contexts(row->name);
        unsigned found = 0;
        bed_clear();
        answers[0] = '\0';
        for (k = 0; k < LENGTH_OF(groups); k++)
            if (strncmp(row->name, groups[k].group, strlen(groups[k].group)) == 0) {
                if (is_tried)
                    groups[k].run(plain(row->name), graph);
                found++;
            }
        CHECK(found == 1);
        if (is_tried)
            expect(row->name, "it", answers, row->graphcap != NULL ? row->graphcap : row->driver);
        publish(row->name, row->driver, row->graphcap, NULL, row->because, NULL);
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void no_row_is_passed_over_in_silence(void) {
    size_t i;
    tell_out_of_reach(out_of_reach, LENGTH_OF(out_of_reach));
    for (i = 0; i < LENGTH_OF(tried_elsewhere); i++)
        publish(tried_elsewhere[i].name, tried_elsewhere[i].driver, tried_elsewhere[i].graphcap, tried_elsewhere[i].host,
                tried_elsewhere[i].because, tried_elsewhere[i].where);
    tell_counts();
    CHECK(tried > 195);
}

int main(void) {
    bed_open();
    RUN(works_answer_as_measured);
    RUN(copies_of_execs_change_as_measured);
    RUN(memsets_of_execs_change_as_measured);
    RUN(updates_change_copies_and_memsets_as_measured);
    RUN(cases_answer_as_measured);
    RUN(no_row_is_passed_over_in_silence);
    bed_close();
    return check_finish();
}
