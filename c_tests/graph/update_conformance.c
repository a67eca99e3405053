/* Holds the device that is tested against what NVIDIA's driver was measured to answer to updates of execs by graphs: which
 * differences it takes, which nodes it names where it refuses, and what the exec does afterwards. */
#include "updating.h"

/* ---- Two kernels, or one, and what else there is ---- */

static void pair_row(const char *name) {
    struct kernel_call call;
    try_begin();
    two(up.graph, 1);
    if (is(name, "same")) {
        two(up.source, 1);
    } else if (is(name, "function")) {
        up.x = adds(up.source, none, 0, 0, 2);
        up.y = adds(up.source, &up.x, 1, 1, 2);
    } else if (is(name, "foreign_function")) {
        up.x = stores(up.source, none, 0, 0, 2);
        up.y = foreign_stores(up.source, &up.x, 1, 1, 2);
    } else if (is(name, "one_more_node")) {
        two(up.source, 2);
        stores(up.source, &up.y, 1, 2, 2);
    } else if (is(name, "one_less_node")) {
        up.x = stores(up.source, none, 0, 0, 2);
    } else if (is(name, "kind") || is(name, "partial_good_then_bad")) {
        up.x = stores(up.source, none, 0, 0, 2);
        up.y = sets(up.source, &up.x, 1, 1, 2, 1, 1);
    } else if (is(name, "edge_missing")) {
        up.x = stores(up.source, none, 0, 0, 2);
        up.y = stores(up.source, none, 0, 1, 2);
    } else if (is(name, "added_in_other_order")) {
        up.y = stores(up.source, none, 0, 1, 2);
        up.x = stores(up.source, none, 0, 0, 2);
        depends(up.source, up.x, up.y);
    } else if (is(name, "other_signature")) {
        up.x = stores(up.source, none, 0, 0, 2);
        REQUIRE_OK(add_kernel(up.source, &up.x, 1, call_mix(&call, &bed.rig, bed.target, 1, 0, 2, 96), &up.y));
    } else if (is(name, "partial_kernel_then_coop")) {
        two(up.source, 2);
        set_attribute(up.source, up.y, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    } else { /* cycle */
        two(up.source, 2);
        depends(up.source, up.y, up.x);
    }
    finish_row();
}

/* The node's accesses to the first words of the buffer are likely to be repeated. */
static void set_window(const gc_graph *graph, gc_node node, const gc_buffer *buffer) {
    gc_launch_attribute_value value;
    uint64_t address = 0;
    memset(&value, 0, sizeof value);
    CHECK_OK(gc_buffer_address(buffer, &address));
    value.access_policy_window.base = (void *)(uintptr_t)address;
    value.access_policy_window.size = 64;
    value.access_policy_window.hit_ratio = 1.0f;
    value.access_policy_window.hit_property = GRAPHCAP_ACCESS_PROPERTY_PERSISTING;
    value.access_policy_window.miss_property = GRAPHCAP_ACCESS_PROPERTY_STREAMING;
    CHECK_OK(gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
}

/* x is one kernel, with another shape or another attribute in the source. */
static void kernel_row(const char *name) {
    const int is_shape = is(name, "grid") || is(name, "block"), is_cluster = is(name, "cluster_changed");
    struct kernel_call call;
    gc_node before;
    try_begin();
    call_fill(&call, &bed.rig, bed.target, 0, is_cluster ? 8 : 1);
    call.config.block_dim[0] = 1;
    call.config.grid_dim[0] = is_cluster ? 8 : 1;
    REQUIRE_OK(add_kernel(up.graph, NULL, 0, &call, &before));
    call.number = is_shape ? 5 : is_cluster ? 8 : 2;
    if (is_shape)
        *(is(name, "grid") ? &call.config.grid_dim[0] : &call.config.block_dim[0]) = 5;
    REQUIRE_OK(add_kernel(up.source, NULL, 0, &call, &up.x));
    if (is(name, "coop_added"))
        set_attribute(up.source, up.x, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    else if (is(name, "coop_removed"))
        set_attribute(up.graph, before, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    else if (strncmp(name, "priority", 8) == 0)
        set_attribute(up.source, up.x, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -3);
    else if (is(name, "access_window_added"))
        set_window(up.source, up.x, bed.target);
    else if (is(name, "device_updatable"))
        set_attribute(up.source, up.x, GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, 1);
    else if (is_cluster) {
        set_attribute(up.graph, before, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2);
        set_attribute(up.source, up.x, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 4);
    }
    up.flags = is(name, "priority_flagged") ? GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY : 0;
    finish_row();
}

/* Three nodes whose edges or order differ. */
static void edges_row(const char *name) {
    gc_node two_nodes[2];
    uint32_t number;
    const gc_graph *graph;
    try_begin();
    for (number = 1; number <= 2; number++) {
        const int is_source = number == 2;
        graph = is_source ? up.source : up.graph;
        if (is(name, "edges_differ_same_count")) {
            /* y waits for x, and z for y, or in the source for x. */
            up.x = stores(graph, none, 0, 0, number);
            up.y = stores(graph, &up.x, 1, 1, number);
            up.z = stores(graph, is_source ? &up.x : &up.y, 1, 2, number);
        } else if (is(name, "roots_of_two_kinds_swapped")) {
            if (is_source)
                up.y = sets(graph, none, 0, 1, number, 1, 1);
            up.x = stores(graph, none, 0, 0, number);
            if (!is_source)
                up.y = sets(graph, none, 0, 1, number, 1, 1);
        } else if (is(name, "roots_of_one_kind_swapped")) {
            if (is_source)
                up.y = stores(graph, none, 0, 1, 20);
            up.x = stores(graph, none, 0, 0, is_source ? 10 : 1);
            if (!is_source)
                up.y = stores(graph, none, 0, 1, 1);
        } else if (is(name, "dependencies_in_other_order")) {
            up.x = stores(graph, none, 0, 0, number);
            up.y = sets(graph, none, 0, 1, number, 1, 1);
            two_nodes[is_source] = up.x;
            two_nodes[!is_source] = up.y;
            up.z = stores(graph, two_nodes, 2, 2, number);
        } else if (is(name, "wide_reordered_chain")) {
            if (is_source)
                up.z = stores(graph, none, 0, 2, 22);
            up.x = stores(graph, none, 0, 0, is_source ? 20 : 1);
            up.y = stores(graph, &up.x, 1, 1, is_source ? 21 : 1);
            if (!is_source)
                up.z = stores(graph, none, 0, 2, 1);
            depends(graph, up.y, up.z);
        } else { /* extra_root_to_exit: z waits for y, and in the source y for z */
            up.x = stores(graph, none, 0, 0, number);
            up.y = stores(graph, &up.x, 1, 1, number);
            up.z = stores(graph, is_source ? NULL : &up.y, !is_source, 2, number);
            if (is_source)
                depends(graph, up.z, up.y);
        }
    }
    finish_row();
}

/* ---- Nodes of other kinds ---- */

static void host_row(const char *name) {
    unsigned calls[2] = {0, 0};
    (void)name;
    try_begin();
    REQUIRE_OK(gc_graph_add_host_node(up.graph, NULL, 0, count_call, &calls[0], NULL, &up.x));
    REQUIRE_OK(gc_graph_add_host_node(up.source, NULL, 0, count_call, &calls[1], NULL, &up.x));
    make_exec();
    update_and_answer();
    replay(&bed.rig, up.exec);
    answer("host=%u,%u", count_of(&calls[0]), count_of(&calls[1]));
    CHECK_OK(gc_graph_destroy(up.source));
    replay(&bed.rig, up.exec);
    CHECK(count_of(&calls[1]) == 2);
    CHECK_OK(gc_graph_exec_destroy(up.exec));
    CHECK_OK(gc_graph_destroy(up.graph));
}

static void event_row(const char *name) {
    gc_node first = 0;
    const int is_behind = !is(name, "event_foreign");
    try_begin();
    if (is_behind)
        first = stores(up.graph, none, 0, 0, 1);
    records(up.graph, is_behind ? &first : NULL, is_behind, bed.event);
    if (is_behind)
        up.x = stores(up.source, none, 0, 0, 2);
    up.y = records(up.source, is_behind ? &up.x : NULL, is_behind, bed.their_event);
    if (!is_behind)
        up.x = up.y;
    finish_row();
}

static void batch_row(const char *name) {
    gc_mem_op before = GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 0, 1, 0);
    gc_mem_op after[2] = {GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 0, 2, 0), GRAPHCAP_MEM_OP_INIT_WRITE32(bed.values, 8, 2, 0)};
    const gc_mem_op wide = GRAPHCAP_MEM_OP_INIT_WRITE64(bed.values, 0, 2, 0);
    if (is(name, "batch_op"))
        after[0] = wide;
    try_begin();
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(up.graph, NULL, 0, &before, 1, &up.x));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(up.source, NULL, 0, after, is(name, "batch_count") ? 2 : 1, &up.x));
    make_exec();
    update_and_answer();
    replay(&bed.rig, up.exec);
    answer("val=%u,%u,0", word_of(bed.values, 0), word_of(bed.values, 2));
    CHECK_OK(gc_graph_destroy(up.source));
    CHECK_OK(gc_graph_exec_destroy(up.exec));
    CHECK_OK(gc_graph_destroy(up.graph));
}

/* y is a memset or a copy, which cannot become what it is in the source; or it is one of memory of another context. */
static void partial_row(const char *name) {
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(bed.target, 4, bed.source, 0, 8);
    const gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(bed.pageable, bed.source, 0, 8);
    gc_node first;
    try_begin();
    first = stores(up.graph, none, 0, 0, 1);
    up.x = stores(up.source, none, 0, 0, 2);
    if (is(name, "partial_kernel_then_memcpy_direction")) {
        REQUIRE_OK(gc_graph_add_memcpy_node(up.graph, &first, 1, &copy, &up.y));
        REQUIRE_OK(gc_graph_add_memcpy_node(up.source, &up.x, 1, &out, &up.y));
    } else {
        sets(up.graph, &first, 1, 1, 1, 2, 1);
        up.y = sets(up.source, &up.x, 1, 1, 2, 1, 2);
    }
    finish_row();
}

/* ---- Graphs within nodes ---- */

static void child_row(const char *name) {
    const int is_reordered = is(name, "child_added_in_other_order"), is_longer = is(name, "child_topology");
    gc_graph *child = open_graph(bed.rig.context), *other = open_graph(bed.rig.context);
    gc_node first = stores(child, none, 0, 0, 1), second;
    try_begin();
    if (is_reordered) {
        stores(child, &first, 1, 1, 1);
        second = stores(other, none, 0, 1, 2);
        first = stores(other, none, 0, 0, 2);
        depends(other, first, second);
    } else {
        first = stores(other, none, 0, 0, 2);
        if (is_longer)
            stores(other, &first, 1, 1, 2);
    }
    REQUIRE_OK(gc_graph_add_child_node(up.graph, NULL, 0, child, &up.x));
    REQUIRE_OK(gc_graph_add_child_node(up.source, NULL, 0, other, &up.x));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(child));
    finish_row();
}

/* An if with a body of one kernel, that launches run unless the condition has another default. */
static void conditional_row(const char *name) {
    const int is_default = is(name, "cond_default");
    unsigned i;
    try_begin();
    for (i = 0; i < 2; i++) {
        const gc_graph *graph = i == 0 ? up.graph : up.source;
        gc_graph *body = NULL;
        gc_condition condition = 0;
        REQUIRE_OK(gc_graph_create_condition(graph, i == 1 && is_default ? 0 : 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
        REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF,
                                                 i == 1 && is(name, "cond_size") ? 2 : 1, &up.x));
        REQUIRE_OK(gc_node_get_graph(graph, up.x, 0, &body));
        if (i == 1 && is(name, "cond_body_kind"))
            up.y = sets(body, none, 0, 0, 1, 1, 1);
        else
            up.y = stores(body, none, 0, 0, 1);
        if (i == 1 && is(name, "cond_body_one_more"))
            stores(body, &up.y, 1, 1, 1);
        CHECK_OK(gc_graph_destroy(body));
    }
    finish_row();
}

static void allocation_row(const char *name) {
    const size_t size = is(name, "alloc_other_graph") ? 4096 : 65536;
    unsigned i;
    try_begin();
    for (i = 0; i < 2; i++) {
        const gc_graph *graph = i == 0 ? up.graph : up.source;
        gc_buffer *memory = NULL;
        gc_node node = 0, last;
        REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, i == 1 ? size : 4096, &node, &memory));
        last = fill_node(&bed.rig, graph, &node, 1, memory, 0, i + 1);
        {
            const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(bed.target, 0, memory, 0, 4);
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &copy, &node));
        }
        REQUIRE_OK(gc_graph_add_mem_free_node(graph, &node, 1, memory, &last));
        CHECK_OK(gc_buffer_destroy(memory));
    }
    finish_row();
}

/* Both graphs free the memory that a third one allocated, which the first launch of the exec does. */
static void free_row(const char *name) {
    gc_graph *first = open_graph(bed.rig.context);
    gc_buffer *memory = NULL;
    gc_node node = 0;
    (void)name;
    try_begin();
    REQUIRE_OK(gc_graph_add_mem_alloc_node(first, NULL, 0, 4096, &node, &memory));
    REQUIRE_OK(gc_graph_add_mem_free_node(up.graph, NULL, 0, memory, &node));
    REQUIRE_OK(gc_graph_add_mem_free_node(up.source, NULL, 0, memory, &up.x));
    make_exec();
    update_and_answer();
    run_graph(&bed.rig, first);
    answer("run=%d", (int)gc_graph_launch(up.exec, bed.rig.stream));
    CHECK_OK(gc_stream_synchronize(bed.rig.stream));
    CHECK_OK(gc_graph_destroy(up.source));
    answer("run_after_source_destroyed=%d", (int)gc_graph_launch(up.exec, bed.rig.stream));
    CHECK_OK(gc_graph_exec_destroy(up.exec));
    CHECK_OK(gc_graph_destroy(up.graph));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(first));
}

/* ---- Which exec, and which graph ---- */

static void state_row(const char *name) {
    gc_graph *ended = NULL, *clone = NULL;
    struct kernel_call call;
    gc_node old[2] = {0, 0}, node = 0;
    int32_t enabled = 9;
    try_begin();
    if (is(name, "empty_graphs")) {
        finish_row();
        return;
    }
    two(up.graph, 1);
    old[0] = up.x;
    old[1] = up.y;
    if (is(name, "exec_of_clone")) {
        CHECK_OK(gc_graph_clone(up.graph, &clone));
        CHECK_OK(gc_graph_destroy(up.graph));
        up.graph = clone;
        two(up.source, 2);
        finish_row();
        return;
    }
    make_exec();
    if (is(name, "refused_keeps_enabled_and_params")) {
        CHECK_OK(gc_graph_exec_set_node_enabled(up.exec, old[0], 0));
        CHECK_OK(exec_set_kernel(up.exec, old[1], call_fill(&call, &bed.rig, bed.target, 1, 5)));
        stores(up.source, none, 0, 0, 2);
        update_and_answer();
        words_after("val");
        CHECK_OK(gc_graph_exec_is_node_enabled(up.exec, old[0], &enabled));
        answer("enabled=%d", (int)enabled);
    } else if (is(name, "then_set_params_by_old_and_new_node")) {
        two(up.source, 2);
        update_and_answer();
        answer("set_by_old=%d", (int)exec_set_kernel(up.exec, old[0], call_fill(&call, &bed.rig, bed.target, 0, 3)));
        words_after("val");
        answer("set_by_new=%d", (int)exec_set_kernel(up.exec, up.x, call_fill(&call, &bed.rig, bed.target, 0, 4)));
        words_after("val2");
    } else if (is(name, "source_capturing")) {
        CHECK_OK(gc_stream_begin_capture_to_graph(bed.rig.stream, up.source, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 0, 2, 1));
        CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 4, 2, 1));
        update_and_answer();
        answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &ended));
        CHECK_OK(gc_graph_destroy(ended));
        words_after("val");
    } else if (is(name, "source_is_body")) {
        gc_condition condition = 0;
        REQUIRE_OK(gc_graph_create_condition(up.source, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
        REQUIRE_OK(gc_graph_add_conditional_node(up.source, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
        REQUIRE_OK(gc_node_get_graph(up.source, node, 0, &clone));
        CHECK_OK(gc_graph_destroy(up.source));
        up.source = clone;
        update_and_answer();
        words_after("val");
    } else if (is(name, "handle_as_update_source")) {
        two(up.source, 2);
        REQUIRE_OK(gc_graph_create(bed.rig.context, &ended));
        REQUIRE_OK(gc_graph_add_child_node(ended, NULL, 0, up.source, &node));
        REQUIRE_OK(gc_node_get_graph(ended, node, 0, &clone));
        CHECK_OK(gc_graph_destroy(up.source));
        up.source = clone;
        update_and_answer();
        words_after("val");
        CHECK_OK(gc_graph_destroy(ended));
    } else if (is(name, "source_destroyed")) {
        CHECK_OK(gc_graph_destroy(up.source));
        update_and_answer();
        up.source = NULL;
        words_after("val");
    } else { /* exec_destroyed */
        two(up.source, 2);
        CHECK_OK(gc_graph_exec_destroy(up.exec));
        update_and_answer();
        up.exec = NULL;
    }
    CHECK_OK(gc_graph_exec_destroy(up.exec));
    CHECK_OK(gc_graph_destroy(up.source));
    CHECK_OK(gc_graph_destroy(up.graph));
}

/* Copies of one word each, one after another: nodes in the graph, and a capture in the source. */
static void capture_row(const char *name) {
    gc_node node = 0, last = 0;
    unsigned i;
    (void)name;
    try_begin();
    CHECK_OK(gc_graph_destroy(up.source));
    CHECK_OK(gc_stream_begin_capture(bed.rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    for (i = 0; i < 3; i++) {
        const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(bed.target, 4 * i, bed.source, 2048, 4);
        REQUIRE_OK(gc_graph_add_memcpy_node(up.graph, &last, i > 0, &copy, &node));
        CHECK_OK(gc_stream_memcpy_dtod(bed.rig.stream, bed.target, 4 * i, bed.source, 0, 4));
        last = node;
    }
    answer("end=%d", (int)gc_stream_end_capture(bed.rig.stream, &up.source));
    finish_row();
}

#define REFUSED_FIRST "a handle that is none is refused with 400"

static const struct row rows[] = {
    {"update.same", pair_row, "update=0/0/0 val=1,1,0", NULL, NULL, NULL},
    {"update.function", pair_row, "update=0/0/0 val=2,2,0", NULL, NULL, NULL},
    {"update.foreign_function", pair_row, "update=910/7/y val=1,1,0", NULL, NULL, NULL},
    {"update.one_more_node", pair_row, "update=910/2/0 val=1,1,0", NULL, NULL, NULL},
    {"update.one_less_node", pair_row, "update=910/2/0 val=1,1,0", NULL, NULL, NULL},
    {"update.kind", pair_row, "update=910/3/y val=1,1,0", NULL, NULL, NULL},
    {"update.edge_missing", pair_row, "update=910/2/x val=1,1,0", NULL, NULL, NULL},
    {"update.added_in_other_order", pair_row, "update=0/0/0 val=2,2,0", NULL, NULL, NULL},
    {"update.partial_good_then_bad", pair_row, "update=910/3/y val=1,1,0", NULL, NULL, NULL},
    {"update.partial_kernel_then_coop", pair_row, "update=910/8/y val=1,1,0", NULL, NULL, NULL},
    {"update.cycle", pair_row, "update=910/2/0 val=1,1,0", NULL, NULL, NULL},
    {"update.grid", kernel_row, "update=0/0/0 val=5,0,0", NULL, NULL, NULL},
    {"update.block", kernel_row, "update=0/0/0 val=5,0,0", NULL, NULL, NULL},
    {"update.coop_added", kernel_row, "update=910/8/x val=1,0,0", NULL, NULL, NULL},
    {"update.coop_removed", kernel_row, "update=910/8/x val=1,0,0", NULL, NULL, NULL},
    {"update.priority", kernel_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"update.priority_flagged", kernel_row, "update=910/8/x val=1,0,0", NULL, NULL, NULL},
    {"update.cluster_changed", kernel_row, "update=0/0/0 val=8,0,0", NULL, NULL, NULL},
    {"update.access_window_added", kernel_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"update.device_updatable", kernel_row, "update=801/0/0 val=1,0,0", NULL, "the host device names the node",
     "update=801/0/x val=1,0,0"},
    {"update.edges_differ_same_count", edges_row, "update=910/2/y val=1,1,1", NULL, NULL, NULL},
    {"update.roots_of_two_kinds_swapped", edges_row, "update=910/3/x val=1,1,0", NULL, NULL, NULL},
    {"update.roots_of_one_kind_swapped", edges_row, "update=0/0/0 val=10,20,0", NULL, NULL, NULL},
    {"update.dependencies_in_other_order", edges_row, "update=910/3/y val=1,1,1", NULL, NULL, NULL},
    {"update.wide_reordered_chain", edges_row, "update=0/0/0 val=20,21,22", NULL, NULL, NULL},
    {"update.extra_root_to_exit", edges_row, "update=910/2/y val=1,1,1", NULL, NULL, NULL},
    {"update.host_fn", host_row, "update=0/0/0 host=0,1", NULL, NULL, NULL},
    {"update.event_foreign", event_row, "update=910/5/x val=0,0,0", NULL, NULL, NULL},
    {"update.partial_kernel_then_event_foreign", event_row, "update=910/5/y val=1,0,0", NULL, NULL, NULL},
    {"update.batch_value", batch_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"update.batch_count", batch_row, "update=910/5/x val=1,0,0", NULL, NULL, NULL},
    {"update.batch_op", batch_row, "update=910/5/x val=1,0,0", NULL, NULL, NULL},
    {"update.partial_kernel_then_memcpy_direction", partial_row, "update=910/5/y val=1,7,7", NULL, NULL, NULL},
    {"update.partial_kernel_then_memset_2d", partial_row, "update=910/5/y val=1,1,1", NULL, NULL, NULL},
    {"update.child_value", child_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"update.child_topology", child_row, "update=910/2/0 val=1,0,0", NULL, NULL, NULL},
    {"update.child_added_in_other_order", child_row, "update=0/0/0 val=2,2,0", NULL, NULL, NULL},
    {"update.cond_same", conditional_row, "update=0/0/0 val=1,0,0", NULL, NULL, NULL},
    {"update.cond_body_one_more", conditional_row, "update=910/2/0 val=1,0,0", NULL, NULL, NULL},
    {"update.cond_body_kind", conditional_row, "update=910/3/y val=1,0,0", NULL, NULL, NULL},
    {"update.cond_default", conditional_row, "update=0/0/0 val=0,0,0", NULL, NULL, NULL},
    {"update.cond_size", conditional_row, "update=910/6/x val=1,0,0", NULL, NULL, NULL},
    {"update.alloc_other_graph", allocation_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"update.alloc_size", allocation_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"mem.exec_update_size", allocation_row, "update=0/0/0 val=2,0,0", NULL, NULL, NULL},
    {"update.free_of_other_graph", free_row, "update=0/0/0 run=0 run_after_source_destroyed=1", NULL, NULL, NULL},
    {"update.empty_graphs", state_row, "update=0/0/0 val=0,0,0", NULL, NULL, NULL},
    {"update.exec_of_clone", state_row, "update=0/0/0 val=2,2,0", NULL, NULL, NULL},
    {"update.refused_keeps_enabled_and_params", state_row, "update=910/2/0 val=0,5,0 enabled=0", NULL, NULL, NULL},
    {"update.then_set_params_by_old_and_new_node", state_row, "update=0/0/0 set_by_old=0 val=3,2,0 set_by_new=1 val2=3,2,0", NULL,
     NULL, NULL},
    {"update.source_capturing", state_row, "update=0/0/0 end=0 val=2,2,0", NULL, NULL, NULL},
    {"update.source_is_body", state_row, "update=1/0/0 val=1,1,0", NULL, NULL, NULL},
    {"nest.handle_as_update_source", state_row, "update=1/0/0 val=1,1,0", NULL, NULL, NULL},
    {"update.source_destroyed", state_row, "update=1/0/0 val=1,1,0", "update=400/0/0 val=1,1,0", REFUSED_FIRST, NULL},
    {"update.exec_destroyed", state_row, "update=1/0/0", "update=400/0/0", REFUSED_FIRST, NULL},
    {"update.capture_of_copies_vs_nodes", capture_row, "end=0 update=0/0/0 val=7,7,7", NULL, NULL, NULL},
    {"update.other_signature", pair_row, "update=0/0/0 val=2,102,0", NULL, NULL, NULL},
};

static void updates_answer_as_measured(void) {
    try_rows(rows, LENGTH_OF(rows));
}

int main(void) {
    bed_open();
    RUN(updates_answer_as_measured);
    tell_counts();
    bed_close();
    return check_finish();
}
