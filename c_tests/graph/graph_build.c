/* Graphs that are built by hand: nodes of every kind, dependencies, removals, copies, graphs within nodes, and captures into
 * what was built. What a replay leaves in memory is compared with what the nodes are to do. */
#include "nodes.h"

enum { WORDS = 64 };

static struct rig rig;
static gc_buffer *buffer;

static uint32_t word(unsigned index) {
    return read_u32(rig.stream, buffer, index);
}

/* ---- Nodes of every kind ---- */

/* In a chain, where each node uses what the one before it wrote. */
static void every_kind_of_node_does_its_work(void) {
    gc_buffer *values = open_waitable(rig.context, 64);
    gc_event *event = open_event(rig.context);
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 5, 4, 2, 1, 0);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 8, buffer, 0, 8);
    gc_memcpy_params to_values = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 12, values, 0, 4);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(values, 0, 9, 0),
                              GRAPHCAP_MEM_OP_INIT_WAIT32(values, 0, 9, GRAPHCAP_WAIT_VALUE_EQ),
                              GRAPHCAP_MEM_OP_INIT_WRITE64(values, 8, UINT64_C(0x100000002), 0)};
    gc_node nodes[10] = {0};
    gc_graph_exec *exec;
    unsigned calls = 0, launch;
    int32_t complete = 0;
    size_t i;
    clear_words(&rig, buffer);
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &nodes[0]));
    nodes[1] = add_node(&rig, graph, &nodes[0], 1, buffer, 0, 2);
    CHECK_OK(gc_graph_add_memcpy_node(graph, &nodes[1], 1, &copy, &nodes[2]));
    CHECK_OK(gc_graph_add_host_node(graph, &nodes[2], 1, count_call, &calls, NULL, &nodes[3]));
    CHECK_OK(gc_graph_add_batch_mem_op_node(graph, &nodes[3], 1, operations, 3, &nodes[4]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &nodes[4], 1, &to_values, &nodes[5]));
    add_node(&rig, child, NULL, 0, buffer, 3, 30);
    CHECK_OK(gc_graph_add_child_node(graph, &nodes[5], 1, child, &nodes[6]));
    CHECK_OK(gc_graph_add_empty_node(graph, &nodes[6], 1, &nodes[7]));
    CHECK_OK(gc_graph_add_event_record_node(graph, &nodes[7], 1, event, &nodes[8]));
    CHECK_OK(gc_graph_add_event_wait_node(graph, &nodes[8], 1, event, &nodes[9]));
    for (i = 0; i < LENGTH_OF(nodes); i++)
        CHECK(nodes[i] != 0);
    CHECK(nodes_of(graph) == 10 && edges_of(graph) == 9);
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    for (launch = 1; launch <= 3; launch++) {
        replay(&rig, exec);
        CHECK(word(0) == 7 && word(1) == 5 && word(2) == 7 && word(3) == 39 && calls == launch);
        CHECK(read_u32(rig.stream, values, 0) == 9 && read_u32(rig.stream, values, 2) == 2);
        CHECK(read_u32(rig.stream, values, 3) == 1);
        CHECK_OK(gc_event_is_complete(event, &complete));
        CHECK(complete == 1);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(values));
}

/* The node waits for the record that the event holds when the graph is launched, and a stream outside for the node's. */
static void event_nodes_order_work_with_other_streams(void) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *third = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *launched = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *before = open_event(rig.context), *after = open_event(rig.context);
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node wait = 0, record = 0, node;
    struct gate gate;
    int32_t complete = 1;
    gate_init(&gate);
    clear_words(&rig, buffer);
    CHECK_OK(gc_graph_add_event_wait_node(graph, NULL, 0, before, &wait));
    node = add_node(&rig, graph, &wait, 1, buffer, 0, 1);
    CHECK_OK(gc_graph_add_event_record_node(graph, &node, 1, after, &record));
    exec = open_exec(graph);
    CHECK_OK(launch_hold(&rig, side, &gate));
    CHECK_OK(gc_event_record(before, side, 0));
    gate_await(&gate, 1);
    CHECK_OK(gc_graph_launch(exec, launched));
    CHECK_OK(gc_stream_wait_event(third, after, 0));
    CHECK_OK(gc_stream_memcpy_dtod(third, buffer, 4, buffer, 0, 4));
    CHECK_OK(gc_stream_is_complete(launched, &complete));
    CHECK(complete == 0);
    CHECK_OK(gc_stream_is_complete(third, &complete));
    CHECK(complete == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(third));
    CHECK(word(0) == 1 && word(1) == 1);
    CHECK_OK(gc_stream_synchronize(launched));
    CHECK_OK(gc_stream_synchronize(side));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(after));
    CHECK_OK(gc_event_destroy(before));
    CHECK_OK(gc_stream_destroy(launched));
    CHECK_OK(gc_stream_destroy(third));
    CHECK_OK(gc_stream_destroy(side));
    gate_free(&gate);
}

/* From and to memory of the CPU's, which each replay reads and writes; the saved bytes of a snapshot; pinned memory. */
static void copies_go_in_all_directions(void) {
    gc_host_buffer *pinned = NULL;
    gc_graph *graph = open_graph(rig.context);
    uint32_t source = 1, saved = 2, result[3] = {0, 0, 0}, round;
    void *pointer = NULL;
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, &source, 4);
    gc_memcpy_params snapshot = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 4, &saved, 4);
    gc_memcpy_params from_pinned = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 8, NULL, 4);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(result, buffer, 0, 12);
    gc_memcpy_params to_pinned = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, buffer, 4, 4);
    gc_node nodes[5] = {0};
    gc_graph_exec *exec;
    volatile uint32_t *words;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, 0, &pinned));
    CHECK_OK(gc_host_buffer_pointer(pinned, &pointer));
    words = (volatile uint32_t *)pointer;
    snapshot.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    from_pinned.source_host_buffer = pinned;
    from_pinned.source_offset = 4;
    to_pinned.destination_host_buffer = pinned;
    to_pinned.destination_offset = 8;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &in, &nodes[0]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &snapshot, &nodes[1]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &from_pinned, &nodes[2]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, nodes, 3, &out, &nodes[3]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, nodes, 3, &to_pinned, &nodes[4]));
    saved = 77; /* after it was added */
    exec = open_exec(graph);
    for (round = 1; round <= 3; round++) {
        source = 10 * round;
        words[1] = 100 * round;
        words[2] = 0;
        replay(&rig, exec);
        CHECK(result[0] == 10 * round && result[1] == 2 && result[2] == 100 * round && words[2] == 2);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(pinned));
}

/* Blocks of rows and slices: 2 slices of 3 rows of 8 bytes, out of a place with gaps into one with others. */
static void copies_and_memsets_have_rows_and_slices(void) {
    gc_buffer *from = open_buffer(rig.context, 512), *to = open_buffer(rig.context, 512);
    gc_graph *graph = open_graph(rig.context);
    unsigned char bytes[512], copied[512];
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(from, 0, bytes, sizeof bytes);
    gc_memcpy_params block = GRAPHCAP_MEMCPY_INIT_DTOD(to, 4, from, 8, 8);
    gc_memset_params rows = GRAPHCAP_MEMSET_INIT(to, 256, 0x1234, 2, 3, 4, 32);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(copied, to, 0, sizeof copied);
    gc_node nodes[4] = {0};
    size_t i, slice, row, column;
    unsigned wrong = 0;
    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + 1);
    block.height = 3;
    block.depth = 2;
    block.source_pitch = 32;
    block.source_slice_height = 4;
    block.destination_pitch = 16;
    block.destination_slice_height = 5;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &in, &nodes[0]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &nodes[0], 1, &block, &nodes[1]));
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &rows, &nodes[2]));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &nodes[1], 2, &out, &nodes[3]));
    run_graph(&rig, graph);
    for (slice = 0; slice < 2; slice++)
        for (row = 0; row < 3; row++)
            for (column = 0; column < 8; column++) {
                size_t at = 4 + slice * 80 + row * 16 + column;
                wrong += copied[at] != bytes[8 + slice * 128 + row * 32 + column];
                copied[at] = 0;
            }
    for (row = 0; row < 4; row++)
        for (column = 0; column < 6; column++) {
            size_t at = 256 + row * 32 + column;
            wrong += copied[at] != (column % 2 == 0 ? 0x34 : 0x12);
            copied[at] = 0;
        }
    /* Nothing beside them. */
    for (i = 0; i < sizeof copied; i++)
        wrong += copied[i] != 0;
    CHECK(wrong == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(to));
    CHECK_OK(gc_buffer_destroy(from));
}

/* ---- Dependencies ---- */

/* The result of mixing is another one in every other order. */
static void edges_order_the_work(void) {
    gc_graph *graph = open_graph(rig.context);
    struct kernel_call call;
    gc_node first = 0, left = 0, right = 0, last = 0;
    uint32_t a, b;
    clear_words(&rig, buffer);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 3, 4, 1));
    /* Made in the reverse of the order in which they are to run. */
    CHECK_OK(add_kernel(graph, NULL, 0, call_mix(&call, &rig, buffer, 3, 1, 2, 4), &last));
    CHECK_OK(add_kernel(graph, NULL, 0, call_mix(&call, &rig, buffer, 2, 0, 0, 3), &right));
    CHECK_OK(add_kernel(graph, NULL, 0, call_mix(&call, &rig, buffer, 1, 0, 0, 2), &left));
    CHECK_OK(add_kernel(graph, NULL, 0, call_mix(&call, &rig, buffer, 0, 0, 0, 1), &first));
    {
        const gc_node from[] = {first, first, left, right}, to[] = {left, right, last, last};
        CHECK_OK(gc_graph_add_dependencies(graph, from, to, NULL, 4));
    }
    CHECK(edges_of(graph) == 4);
    run_graph(&rig, graph);
    a = mixed(3, 3, 1);
    b = mixed(mixed(a, a, 2), mixed(a, a, 3), 4);
    CHECK(word(0) == a && word(3) == b);
    /* Turned around: the last one reads what the launch before left. */
    {
        const gc_node from[] = {left, right}, to[] = {last, last};
        CHECK_OK(gc_graph_remove_dependencies(graph, from, to, 2));
        CHECK_OK(gc_graph_add_dependencies(graph, &last, &first, NULL, 1));
    }
    CHECK(edges_of(graph) == 3);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 9, 4, 3));
    run_graph(&rig, graph);
    CHECK(word(3) == mixed(9, 9, 4) && word(0) == mixed(9, 9, 1));
    CHECK_OK(gc_graph_destroy(graph));
}

static int has_edge(const gc_graph *graph, gc_node from, gc_node to) {
    gc_node froms[32], tos[32];
    size_t count = 0, i;
    CHECK_OK(gc_graph_get_edges(graph, froms, tos, NULL, 32, &count));
    for (i = 0; i < count; i++)
        if (froms[i] == from && tos[i] == to)
            return 1;
    return 0;
}

/* A call with one bad edge changes nothing, and neither does a node with a bad dependency. */
static void edges_are_changed_wholly_or_not_at_all(void) {
    gc_graph *graph = open_graph(rig.context), *other = open_graph(rig.context);
    gc_node a = add_node(&rig, graph, NULL, 0, buffer, 0, 1), b = add_node(&rig, graph, &a, 1, buffer, 0, 1);
    gc_node c = add_node(&rig, graph, NULL, 0, buffer, 1, 1), foreign = add_node(&rig, other, NULL, 0, buffer, 2, 1);
    gc_node removed = add_node(&rig, graph, NULL, 0, buffer, 3, 1), node = 7;
    size_t i;
    CHECK_OK(gc_graph_remove_node(graph, removed));
    {
        const gc_node bad[][2] = {{a, b},       {a, a},       {a, foreign},         {foreign, a},      {a, 0}, {0, a},
                                  {a, removed}, {removed, a}, {a, UINT64_MAX >> 4}, {UINT64_MAX, UINT64_MAX}};
        for (i = 0; i < LENGTH_OF(bad); i++) {
            const gc_node from[] = {c, bad[i][0]}, to[] = {a, bad[i][1]};
            CHECK_STATUS(gc_graph_add_dependencies(graph, from, to, NULL, 2), GRAPHCAP_ERROR_INVALID_VALUE);
            CHECK(edges_of(graph) == 1 && !has_edge(graph, c, a));
        }
        for (i = 1; i < LENGTH_OF(bad); i++) {
            const gc_node from[] = {a, bad[i][0]}, to[] = {b, bad[i][1]};
            CHECK_STATUS(gc_graph_remove_dependencies(graph, from, to, 2), GRAPHCAP_ERROR_INVALID_VALUE);
            CHECK(edges_of(graph) == 1 && has_edge(graph, a, b));
        }
    }
    {
        /* Twice in one call. */
        const gc_node from[] = {c, c}, to[] = {a, a};
        const gc_node known_from[] = {a, a}, known_to[] = {b, b};
        CHECK_STATUS(gc_graph_add_dependencies(graph, from, to, NULL, 2), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_STATUS(gc_graph_remove_dependencies(graph, known_from, known_to, 2), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(edges_of(graph) == 1 && has_edge(graph, a, b));
    }
    {
        const gc_node bad[] = {a, 0, foreign, removed, UINT64_MAX, b ^ (UINT64_C(1) << 40)};
        for (i = 0; i < LENGTH_OF(bad); i++) {
            const gc_node dependencies[] = {a, bad[i]};
            node = 7;
            CHECK_STATUS(gc_graph_add_empty_node(graph, dependencies, 2, &node), GRAPHCAP_ERROR_INVALID_VALUE);
            CHECK(node == 0 && nodes_of(graph) == 3 && edges_of(graph) == 1);
        }
    }
    /* No edges at all is nothing wrong. */
    CHECK_OK(gc_graph_add_dependencies(graph, NULL, NULL, NULL, 0));
    CHECK_OK(gc_graph_remove_dependencies(graph, NULL, NULL, 0));
    CHECK_MESSAGE(gc_graph_add_dependencies(graph, NULL, &a, NULL, 1), GRAPHCAP_ERROR_INVALID_VALUE, "from");
    CHECK_MESSAGE(gc_graph_add_dependencies(graph, &a, NULL, NULL, 1), GRAPHCAP_ERROR_INVALID_VALUE, "to");
    CHECK_MESSAGE(gc_graph_remove_dependencies(graph, NULL, &a, 1), GRAPHCAP_ERROR_INVALID_VALUE, "from");
    CHECK_MESSAGE(gc_graph_add_empty_node(graph, NULL, 1, &node), GRAPHCAP_ERROR_INVALID_VALUE, "dependencies");
    CHECK_OK(gc_graph_remove_dependencies(graph, &a, &b, 1));
    CHECK_STATUS(gc_graph_remove_dependencies(graph, &a, &b, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(edges_of(graph) == 0);
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_cycle_is_found_when_an_exec_is_made(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec = NULL;
    gc_node a = add_node(&rig, graph, NULL, 0, buffer, 0, 1), b = add_node(&rig, graph, &a, 1, buffer, 0, 1), order[2];
    char text[4096];
    clear_words(&rig, buffer);
    CHECK_OK(gc_graph_add_dependencies(graph, &b, &a, NULL, 1));
    CHECK_STATUS(gc_graph_instantiate(graph, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(exec == NULL);
    CHECK_MESSAGE(gc_graph_get_order(graph, order, 2, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "cycle");
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    CHECK_OK(gc_graph_remove_dependencies(graph, &b, &a, 1));
    run_graph(&rig, graph);
    CHECK(word(0) == 2);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Removals ---- */

/* A removed node takes its edges along, and its name is never that of another node. */
static void a_removed_node_is_gone(void) {
    enum { ROUNDS = 100 };
    gc_graph *graph = open_graph(rig.context);
    gc_node a = add_node(&rig, graph, NULL, 0, buffer, 0, 1), b = add_node(&rig, graph, &a, 1, buffer, 1, 1);
    gc_node c = add_node(&rig, graph, &b, 1, buffer, 2, 1), gone[ROUNDS], roots[3];
    gc_memcpy_node_params copy;
    struct kernel_call call;
    size_t count = 0, i, k;
    uint32_t kind = 7;
    clear_words(&rig, buffer);
    CHECK_OK(gc_graph_remove_node(graph, b));
    CHECK(nodes_of(graph) == 2 && edges_of(graph) == 0);
    CHECK_OK(gc_graph_get_roots(graph, roots, 3, &count));
    CHECK(count == 2 && roots[0] == a && roots[1] == c);
    gone[0] = b;
    for (i = 1; i < ROUNDS; i++) {
        gone[i] = add_node(&rig, graph, NULL, 0, buffer, 3, 1);
        CHECK_OK(gc_graph_remove_node(graph, gone[i]));
    }
    for (i = 0; i < ROUNDS; i++) {
        for (k = 0; k < i; k++)
            CHECK(gone[i] != gone[k]);
        CHECK_STATUS(gc_node_kind(graph, gone[i], &kind), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(kind == 0);
        CHECK_STATUS(gc_graph_remove_node(graph, gone[i]), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_STATUS(set_kernel(graph, gone[i], call_add(&call, &rig, buffer, 0, 1)), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_STATUS(gc_node_get_dependencies(graph, gone[i], NULL, 0, &count), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    copy.struct_size = sizeof copy;
    CHECK_STATUS(gc_node_get_memcpy_params(graph, b, &copy), GRAPHCAP_ERROR_INVALID_VALUE);
    run_graph(&rig, graph);
    CHECK(word(0) == 1 && word(1) == 0 && word(2) == 1 && word(3) == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Copies of graphs ---- */

static void a_clone_is_a_graph_of_its_own(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL, *second = NULL, *unrelated = open_graph(rig.context);
    gc_node a = add_node(&rig, graph, NULL, 0, buffer, 0, 1), b = add_node(&rig, graph, &a, 1, buffer, 1, 1);
    gc_node copy_of_a = 0, copy_of_b = 0, later, in_second = 0, none = 7;
    struct kernel_call call;
    clear_words(&rig, buffer);
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK(nodes_of(clone) == 2 && edges_of(clone) == 1);
    CHECK_OK(gc_node_find_in_clone(graph, a, clone, &copy_of_a));
    CHECK_OK(gc_node_find_in_clone(graph, b, clone, &copy_of_b));
    CHECK(copy_of_a != 0 && copy_of_b != 0 && copy_of_a != copy_of_b && has_edge(clone, copy_of_a, copy_of_b));
    later = add_node(&rig, graph, NULL, 0, buffer, 2, 1);
    CHECK_STATUS(gc_node_find_in_clone(graph, later, clone, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(none == 0);
    /* Not the other way round, not in another graph, nor of what is no node. */
    CHECK_STATUS(gc_node_find_in_clone(clone, copy_of_a, graph, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_find_in_clone(graph, a, unrelated, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_find_in_clone(graph, a, graph, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_find_in_clone(graph, 0, clone, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_find_in_clone(graph, UINT64_MAX, clone, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    /* A copy of a copy has the nodes of the one that it was made of. */
    CHECK_OK(gc_graph_clone(clone, &second));
    CHECK_OK(gc_node_find_in_clone(clone, copy_of_b, second, &in_second));
    CHECK_STATUS(gc_node_find_in_clone(graph, b, second, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    /* Changes of one are none of the other. */
    CHECK_OK(set_kernel(graph, a, call_add(&call, &rig, buffer, 0, 100)));
    CHECK_OK(set_kernel(clone, copy_of_b, call_add(&call, &rig, buffer, 1, 10)));
    CHECK_OK(gc_graph_remove_node(second, in_second));
    CHECK_STATUS(gc_node_find_in_clone(clone, copy_of_b, second, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    run_graph(&rig, clone);
    CHECK(word(0) == 1 && word(1) == 10 && word(2) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    run_graph(&rig, clone);
    CHECK(word(0) == 2 && word(1) == 20);
    CHECK_OK(gc_graph_destroy(clone));
    run_graph(&rig, second);
    CHECK(word(0) == 3 && word(1) == 20);
    CHECK_OK(gc_graph_destroy(second));
    CHECK_OK(gc_graph_destroy(unrelated));
}

/* ---- Graphs within nodes ---- */

static void a_child_node_has_a_copy(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *within = NULL, *other = NULL;
    gc_node inner = add_node(&rig, child, NULL, 0, buffer, 0, 1), one = 0, two = 0, nodes[2];
    struct kernel_call call;
    size_t count = 0;
    clear_words(&rig, buffer);
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &one));
    CHECK_OK(gc_graph_add_child_node(graph, &one, 1, child, &two));
    CHECK(nodes_of(graph) == 2 && kind_of(graph, one) == GRAPHCAP_NODE_CHILD);
    /* What becomes of the graph itself concerns no node. */
    CHECK_OK(set_kernel(child, inner, call_add(&call, &rig, buffer, 0, 1000)));
    add_node(&rig, child, NULL, 0, buffer, 1, 1000);
    CHECK_OK(gc_graph_destroy(child));
    run_graph(&rig, graph);
    CHECK(word(0) == 2 && word(1) == 0);
    /* The graph of a node can be looked at and changed, for execs that are made later. */
    CHECK_OK(gc_node_get_graph(graph, one, 0, &within));
    CHECK_OK(gc_node_get_graph(graph, two, 0, &other));
    CHECK_OK(gc_graph_get_nodes(within, nodes, 2, &count));
    CHECK(count == 1 && kind_of(within, nodes[0]) == GRAPHCAP_NODE_KERNEL);
    CHECK_OK(set_kernel(within, nodes[0], call_add(&call, &rig, buffer, 0, 20)));
    add_node(&rig, within, nodes, 1, buffer, 1, 5);
    CHECK(nodes_of(within) == 2 && nodes_of(other) == 1 && nodes_of(graph) == 2);
    run_graph(&rig, graph);
    CHECK(word(0) == 2 + 21 && word(1) == 5);
    CHECK_OK(gc_graph_remove_node(within, nodes[0]));
    run_graph(&rig, graph);
    CHECK(word(0) == 23 + 1 && word(1) == 10);
    CHECK_STATUS(gc_node_get_graph(graph, one, 1, &child), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(child == NULL);
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Its handle is none any more once its node, or the outermost graph, is gone. Destroying it harms nothing. */
static void a_graph_within_a_node_ends_with_it(void) {
    gc_graph *graph = open_graph(rig.context), *middle = open_graph(rig.context), *inner = open_graph(rig.context);
    gc_graph *within = NULL, *deep = NULL, *again = NULL;
    gc_node deepest = 0, node = 0, other = 0, nodes[1], none = 7;
    struct kernel_call call;
    size_t count = 7;
    unsigned given_back = 0;
    clear_words(&rig, buffer);
    fill_node(&rig, inner, NULL, 0, buffer, 0, 1);
    CHECK_OK(gc_graph_add_child_node(middle, NULL, 0, inner, &deepest));
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, middle, &node));
    CHECK_OK(gc_graph_add_child_node(graph, &node, 1, middle, &other));
    CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
    CHECK_OK(gc_graph_get_nodes(within, nodes, 1, NULL));
    CHECK_OK(gc_node_get_graph(within, nodes[0], 0, &deep));
    CHECK(nodes_of(deep) == 1);
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK_STATUS(gc_graph_node_count(within, &count), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(count == 0);
    CHECK_STATUS(gc_graph_node_count(deep, &count), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(add_kernel(within, NULL, 0, call_add(&call, &rig, buffer, 0, 1), &none), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(none == 0);
    CHECK_OK(gc_graph_destroy(deep));
    CHECK_OK(gc_graph_destroy(within));
    run_graph(&rig, graph);
    CHECK(word(0) == 1);
    CHECK_OK(gc_node_get_graph(graph, other, 0, &again));
    CHECK_OK(gc_graph_get_nodes(again, nodes, 1, NULL));
    CHECK_OK(gc_node_get_graph(again, nodes[0], 0, &deep));
    CHECK_OK(gc_graph_destroy(again));
    CHECK(nodes_of(deep) == 1 && nodes_of(graph) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_graph_node_count(deep, &count), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(add_kernel(deep, NULL, 0, call_add(&call, &rig, buffer, 0, 1), &none), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_graph_remove_node(deep, nodes[0]), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_graph_retain_callback(deep, &given_back, count_call), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(await_count(&given_back, 1));
    CHECK_OK(gc_graph_destroy(deep));
    CHECK_OK(gc_graph_destroy(inner));
    CHECK_OK(gc_graph_destroy(middle));
}

/* What the driver crashes on is refused. */
static void a_graph_cannot_contain_itself(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *within = NULL;
    gc_node node = 0, none = 7;
    add_node(&rig, child, NULL, 0, buffer, 0, 1);
    CHECK_STATUS(gc_graph_add_child_node(graph, NULL, 0, graph, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(none == 0 && nodes_of(graph) == 0);
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
    CHECK_STATUS(gc_graph_add_child_node(within, NULL, 0, graph, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_add_child_node(within, NULL, 0, within, &none), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK(none == 0 && nodes_of(within) == 1);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Captures and building, mixed ---- */

static void captures_go_on_from_nodes_and_nodes_from_captures(void) {
    gc_graph *graph = open_graph(rig.context), *same = NULL;
    gc_node first = 0, nodes[8], last, during;
    struct kernel_call call;
    size_t count = 0;
    clear_words(&rig, buffer);
    first = fill_node(&rig, graph, NULL, 0, buffer, 0, 3);
    CHECK_OK(gc_stream_begin_capture_to_graph(rig.stream, graph, &first, 1, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 1, 0, 0, 1));
    /* While the capture goes on the graph can grow, and nothing is taken from under it. */
    during = fill_node(&rig, graph, NULL, 0, buffer, 5, 50);
    CHECK_STATUS(gc_graph_remove_node(graph, first), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 1, 1, 2));
    CHECK_OK(gc_stream_end_capture(rig.stream, &same));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 8, &count));
    CHECK(count == 4 && nodes[0] == first && nodes[2] == during && kind_of(graph, nodes[3]) == GRAPHCAP_NODE_KERNEL);
    CHECK(has_edge(graph, first, nodes[1]) && has_edge(graph, nodes[1], nodes[3]));
    CHECK_OK(add_kernel(graph, &nodes[3], 1, call_mix(&call, &rig, buffer, 3, 2, 1, 3), &last));
    run_graph(&rig, graph);
    CHECK(word(1) == mixed(3, 3, 1) && word(2) == mixed(word(1), word(1), 2) && word(3) == mixed(word(2), word(1), 3));
    CHECK(word(5) == 50);
    /* What was captured can be set and removed as what was added. */
    CHECK_OK(set_kernel(graph, nodes[1], call_mix(&call, &rig, buffer, 1, 0, 0, 100)));
    CHECK_OK(gc_graph_remove_node(graph, nodes[3]));
    run_graph(&rig, graph);
    CHECK(word(1) == mixed(3, 3, 100) && word(5) == 50);
    CHECK_OK(gc_graph_destroy(same));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Objects of the caller's ---- */

/* Called once, when the graph, its copies, what is made of them and their launches are gone. */
static void an_object_lives_as_long_as_what_was_made_of_the_graph(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL, *parent = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node node = 0;
    struct gate gate;
    unsigned destroyed = 0, refused = 0;
    gate_init(&gate);
    CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, gate_hold, &gate, NULL, &node));
    CHECK_OK(gc_graph_retain_callback(graph, &destroyed, count_call));
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_graph_add_child_node(parent, NULL, 0, clone, &node));
    exec = open_exec(parent);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    gate_await(&gate, 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(count_of(&destroyed) == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(await_count(&destroyed, 1) && count_of(&destroyed) == 1);
    /* Exactly once, also when the call fails. */
    CHECK_STATUS(gc_graph_retain_callback(NULL, &refused, count_call), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(await_count(&refused, 1));
    graph = open_graph(rig.context);
    CHECK_MESSAGE(gc_graph_retain_callback(graph, &refused, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "destroy");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(count_of(&refused) == 1);
    gate_free(&gate);
}

/* Of a graph within a node it goes with the node, or when the node gets another graph. */
static void an_object_of_a_graph_within_goes_with_its_node(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *within = NULL, *deep = NULL;
    gc_graph_exec *exec;
    gc_node node = 0, inner = 0;
    unsigned destroyed = 0, replaced = 0, refused = 0;
    CHECK_OK(gc_graph_add_child_node(child, NULL, 0, graph, &inner));
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &within));
    CHECK_OK(gc_graph_retain_callback(within, &replaced, count_call));
    CHECK_OK(gc_node_set_child(graph, node, child));
    CHECK(await_count(&replaced, 1));
    CHECK_STATUS(gc_graph_retain_callback(within, &refused, count_call), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(await_count(&refused, 1));
    CHECK_OK(gc_graph_destroy(within));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &within));
    CHECK_OK(gc_graph_get_nodes(within, &inner, 1, NULL));
    REQUIRE_OK(gc_node_get_graph(within, inner, 0, &deep));
    CHECK_OK(gc_graph_retain_callback(deep, &destroyed, count_call));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK(count_of(&destroyed) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&destroyed, 1) && count_of(&destroyed) == 1 && count_of(&replaced) == 1);
    CHECK_OK(gc_graph_destroy(deep));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A node that was not added gives its user data back. */
static void a_refused_host_node_gives_its_data_back(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 7, bad = 0;
    unsigned calls = 0, destroyed = 0;
    (void)calls;
    CHECK_STATUS(gc_graph_add_host_node(NULL, NULL, 0, count_call, &destroyed, count_call, &node),
                 GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(node == 0 && count_of(&destroyed) == 1);
    CHECK_STATUS(gc_graph_add_host_node(graph, NULL, 0, NULL, &destroyed, count_call, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(count_of(&destroyed) == 2);
    CHECK_STATUS(gc_graph_add_host_node(graph, NULL, 0, count_call, &destroyed, count_call, NULL),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(count_of(&destroyed) == 3);
    CHECK_STATUS(gc_graph_add_host_node(graph, &bad, 1, count_call, &destroyed, count_call, &node),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(count_of(&destroyed) == 4 && nodes_of(graph) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(count_of(&destroyed) == 4);
}

/* ---- Two contexts ---- */

/* What else nodes take of other contexts is in graph_contexts.c. */
static void graphs_of_another_context_are_refused(void) {
    gc_context *other = open_context();
    gc_graph *graph = open_graph(rig.context), *child = open_graph(other);
    gc_node node = 7;
    CHECK_STATUS(gc_graph_add_child_node(graph, NULL, 0, child, &node), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_node_find_in_clone(graph, 1, child, &node), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK(node == 0 && nodes_of(graph) == 0);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_context_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Random graphs ---- */

enum { MOST = 60 };

/* Node i writes word i out of two words: those of nodes that it waits for, or word MOST, which nobody writes. */
struct plan {
    size_t count;
    int removed[MOST];
    unsigned from[MOST][2];
    uint32_t number[MOST];
    gc_node node[MOST];
};

static uint64_t random_state;

static unsigned random_below(unsigned bound) {
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)((z ^ (z >> 31)) % bound);
}

/* What a replay leaves, worked out one node after another; a removed node's word stays 0. */
static void replay_by_hand(const struct plan *plan, uint32_t *words) {
    size_t i;
    memset(words, 0, (MOST + 1) * sizeof *words);
    words[MOST] = 11;
    for (i = 0; i < plan->count; i++)
        if (!plan->removed[i])
            words[i] = mixed(words[plan->from[i][0]], words[plan->from[i][1]], plan->number[i]);
}

static int leaves_the_same(const gc_graph *graph, const struct plan *plan, const gc_buffer *words_of_graph) {
    uint32_t expected[MOST + 1], got[MOST + 1], eleven = 11;
    replay_by_hand(plan, expected);
    CHECK_OK(gc_stream_memset(rig.stream, words_of_graph, 0, 0, 4, MOST));
    CHECK_OK(gc_stream_memset(rig.stream, words_of_graph, MOST * 4, eleven, 4, 1));
    run_graph(&rig, graph);
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got, words_of_graph, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return memcmp(expected, got, sizeof got) == 0;
}

static void build_random(struct plan *plan, const gc_graph *graph, const gc_buffer *words_of_graph) {
    size_t i;
    memset(plan, 0, sizeof *plan);
    plan->count = 1 + random_below(MOST);
    for (i = 0; i < plan->count; i++) {
        struct kernel_call call;
        gc_node dependencies[2];
        size_t count = 0, k, later;
        for (k = 0; k < 2; k++) {
            plan->from[i][k] = i == 0 || random_below(4) == 0 ? (unsigned)MOST : random_below((unsigned)i);
            if (plan->from[i][k] != MOST && (count == 0 || dependencies[0] != plan->node[plan->from[i][k]]))
                dependencies[count++] = plan->node[plan->from[i][k]];
        }
        plan->number[i] = random_below(1000);
        call_mix(&call, &rig, words_of_graph, (unsigned)i, plan->from[i][0], plan->from[i][1], plan->number[i]);
        /* Some of its edges with the node, the others later. */
        later = random_below((unsigned)count + 1);
        CHECK_OK(add_kernel(graph, dependencies, count - later, &call, &plan->node[i]));
        for (k = count - later; k < count; k++)
            CHECK_OK(gc_graph_add_dependencies(graph, &dependencies[k], &plan->node[i], NULL, 1));
    }
}

static void change_random(struct plan *plan, const gc_graph *graph, const gc_buffer *words_of_graph) {
    unsigned changes = random_below(12);
    while (changes-- > 0) {
        size_t i = random_below((unsigned)plan->count);
        struct kernel_call call;
        if (plan->removed[i])
            continue;
        if (random_below(3) == 0) {
            /* Nobody waits for what it waited for, so those that read its word read 0, whenever they run. */
            CHECK_OK(gc_graph_remove_node(graph, plan->node[i]));
            plan->removed[i] = 1;
        } else {
            plan->number[i] = random_below(1000);
            call_mix(&call, &rig, words_of_graph, (unsigned)i, plan->from[i][0], plan->from[i][1], plan->number[i]);
            CHECK_OK(set_kernel(graph, plan->node[i], &call));
        }
    }
}

static void random_graphs_replay_as_worked_out_by_hand(void) {
    const unsigned rounds = soak(on_cuda() ? 50 : 200, on_cuda() ? 500 : 10000);
    gc_buffer *words_of_graph = open_buffer(rig.context, (MOST + 1) * sizeof(uint32_t));
    unsigned round;
    for (round = 0; round < rounds; round++) {
        gc_graph *graph = open_graph(rig.context), *clone = NULL;
        struct plan plan, copied;
        gc_node order[MOST];
        size_t count = 0, i;
        int good;
        random_state = round;
        build_random(&plan, graph, words_of_graph);
        good = leaves_the_same(graph, &plan, words_of_graph);
        CHECK_OK(gc_graph_clone(graph, &clone));
        copied = plan;
        for (i = 0; i < plan.count; i++)
            CHECK_OK(gc_node_find_in_clone(graph, plan.node[i], clone, &copied.node[i]));
        change_random(&copied, clone, words_of_graph);
        change_random(&plan, graph, words_of_graph);
        good = good && leaves_the_same(clone, &copied, words_of_graph) && leaves_the_same(graph, &plan, words_of_graph);
        CHECK_OK(gc_graph_get_order(graph, order, MOST, &count));
        CHECK(good && count == nodes_of(graph));
        CHECK_OK(gc_graph_destroy(clone));
        CHECK_OK(gc_graph_destroy(graph));
        if (!good) {
            fprintf(stderr, "    that was random graph %u\n", round);
            break;
        }
    }
    CHECK_OK(gc_buffer_destroy(words_of_graph));
}

/* A chain is built with one variable. A failure still clears it. */
static void a_node_may_take_the_place_of_its_dependency(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 0, first, edges[2][2];
    size_t edge_count = 0, i;
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    first = node;
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_graph_add_empty_node(graph, &node, 1, &node));
    CHECK_OK(gc_graph_get_edges(graph, edges[0], edges[1], NULL, 2, &edge_count));
    CHECK(edge_count == 2 && node != first);
    CHECK_STATUS(gc_graph_add_kernel_node(graph, &node, 1, rig.add, NULL, NULL, 0, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(node == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    RUN(every_kind_of_node_does_its_work);
    RUN(event_nodes_order_work_with_other_streams);
    RUN(copies_go_in_all_directions);
    RUN(copies_and_memsets_have_rows_and_slices);
    RUN(edges_order_the_work);
    RUN(edges_are_changed_wholly_or_not_at_all);
    RUN(a_node_may_take_the_place_of_its_dependency);
    RUN(a_cycle_is_found_when_an_exec_is_made);
    RUN(a_removed_node_is_gone);
    RUN(a_clone_is_a_graph_of_its_own);
    RUN(a_child_node_has_a_copy);
    RUN(a_graph_within_a_node_ends_with_it);
    RUN(a_graph_cannot_contain_itself);
    RUN(captures_go_on_from_nodes_and_nodes_from_captures);
    RUN(an_object_lives_as_long_as_what_was_made_of_the_graph);
    RUN(an_object_of_a_graph_within_goes_with_its_node);
    RUN(a_refused_host_node_gives_its_data_back);
    RUN(graphs_of_another_context_are_refused);
    RUN(random_graphs_replay_as_worked_out_by_hand);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
