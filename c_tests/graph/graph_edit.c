/* Graphs and execs that are changed: nodes that do other work, nodes that do nothing, and what is let go of when. An edit of a
 * graph changes no exec, an edit of an exec changes neither the graph nor launches that are queued. */
#include "nodes.h"

enum { WORDS = 64 };

static struct rig rig;
static gc_buffer *buffer, *values;
static struct foreign foreign;

static uint32_t word(unsigned index) {
    return read_u32(rig.stream, buffer, index);
}

static uint32_t value(unsigned index) {
    return read_u32(rig.stream, values, index);
}

/* ---- Every kind of node: the work before, and the work after an edit ---- */

enum kind { KERNEL, COPY, SET, HOST, VALUES, RECORD, WAIT, CHILD, EMPTY, KINDS };
enum edit { ADD, NODE, EXEC };

/* The two variants of each work write 10 or 20 into a place of their own, or call one function or the other. */
static struct {
    unsigned calls[2];
    gc_event *event[2];
    gc_graph *child[2];
} variant;

static gc_status edit_kernel(enum edit edit, const void *of, gc_node *node, int second) {
    struct kernel_call call;
    call_fill(&call, &rig, buffer, second ? 1 : 0, second ? 20 : 10);
    switch (edit) {
    case ADD: return add_kernel((const gc_graph *)of, NULL, 0, &call, node);
    case NODE: return set_kernel((const gc_graph *)of, *node, &call);
    default: return exec_set_kernel((const gc_graph_exec *)of, *node, &call);
    }
}

/* Out of the words behind, which hold 10 and 20. */
static gc_status edit_copy(enum edit edit, const void *of, gc_node *node, int second) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, second ? 12 : 8, buffer, second ? 4 * 33 : 4 * 32, 4);
    switch (edit) {
    case ADD: return gc_graph_add_memcpy_node((const gc_graph *)of, NULL, 0, &copy, node);
    case NODE: return gc_node_set_memcpy((const gc_graph *)of, *node, &copy);
    default: return gc_graph_exec_set_memcpy_node((const gc_graph_exec *)of, *node, &copy);
    }
}

static gc_status edit_set(enum edit edit, const void *of, gc_node *node, int second) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, second ? 20 : 16, second ? 20u : 10u, 4, 1, 1, 0);
    switch (edit) {
    case ADD: return gc_graph_add_memset_node((const gc_graph *)of, NULL, 0, &set, node);
    case NODE: return gc_node_set_memset((const gc_graph *)of, *node, &set);
    default: return gc_graph_exec_set_memset_node((const gc_graph_exec *)of, *node, &set);
    }
}

static gc_status edit_host(enum edit edit, const void *of, gc_node *node, int second) {
    unsigned *calls = &variant.calls[second];
    switch (edit) {
    case ADD: return gc_graph_add_host_node((const gc_graph *)of, NULL, 0, count_call, calls, NULL, node);
    case NODE: return gc_node_set_host((const gc_graph *)of, *node, count_call, calls, NULL);
    default: return gc_graph_exec_set_host_node((const gc_graph_exec *)of, *node, count_call, calls, NULL);
    }
}

static gc_status edit_values(enum edit edit, const void *of, gc_node *node, int second) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(values, second ? 4 : 0, second ? 20 : 10, 0);
    switch (edit) {
    case ADD: return gc_graph_add_batch_mem_op_node((const gc_graph *)of, NULL, 0, &operation, 1, node);
    case NODE: return gc_node_set_batch_mem_op((const gc_graph *)of, *node, &operation, 1);
    default: return gc_graph_exec_set_batch_mem_op_node((const gc_graph_exec *)of, *node, &operation, 1);
    }
}

static gc_status edit_record(enum edit edit, const void *of, gc_node *node, int second) {
    switch (edit) {
    case ADD: return gc_graph_add_event_record_node((const gc_graph *)of, NULL, 0, variant.event[second], node);
    case NODE: return gc_node_set_event_record((const gc_graph *)of, *node, variant.event[second]);
    default: return gc_graph_exec_set_event_record_node((const gc_graph_exec *)of, *node, variant.event[second]);
    }
}

static gc_status edit_wait(enum edit edit, const void *of, gc_node *node, int second) {
    switch (edit) {
    case ADD: return gc_graph_add_event_wait_node((const gc_graph *)of, NULL, 0, variant.event[second], node);
    case NODE: return gc_node_set_event_wait((const gc_graph *)of, *node, variant.event[second]);
    default: return gc_graph_exec_set_event_wait_node((const gc_graph_exec *)of, *node, variant.event[second]);
    }
}

static gc_status edit_child(enum edit edit, const void *of, gc_node *node, int second) {
    switch (edit) {
    case ADD: return gc_graph_add_child_node((const gc_graph *)of, NULL, 0, variant.child[second], node);
    case NODE: return gc_node_set_child((const gc_graph *)of, *node, variant.child[second]);
    default: return gc_graph_exec_set_child_node((const gc_graph_exec *)of, *node, variant.child[second]);
    }
}

static gc_status add_empty(enum edit edit, const void *of, gc_node *node, int second) {
    (void)edit;
    (void)second;
    return gc_graph_add_empty_node((const gc_graph *)of, NULL, 0, node);
}

static gc_status (*const edits[KINDS])(enum edit edit, const void *of, gc_node *node, int second) = {
    edit_kernel, edit_copy, edit_set, edit_host, edit_values, edit_record, edit_wait, edit_child, add_empty};

static void variants_open(void) {
    int second;
    for (second = 0; second < 2; second++) {
        variant.event[second] = open_event(rig.context);
        variant.child[second] = open_graph(rig.context);
        fill_node(&rig, variant.child[second], NULL, 0, buffer, second ? 7 : 6, second ? 20 : 10);
    }
}

static void variants_close(void) {
    int second;
    for (second = 0; second < 2; second++) {
        CHECK_OK(gc_graph_destroy(variant.child[second]));
        CHECK_OK(gc_event_destroy(variant.event[second]));
    }
}

/* Forgets what replays left. */
static void clear_all(void) {
    clear_words(&rig, buffer);
    clear_words(&rig, values);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4 * 32, 10, 4, 1));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4 * 33, 20, 4, 1));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    variant.calls[0] = variant.calls[1] = 0;
}

/* Whether the node of that kind did its first or its second work since clear_all(), and not the other one. An event says
 * nothing of when it was recorded: the wait is tested elsewhere. */
static int did(enum kind kind, int second) {
    const unsigned at = second ? 1 : 0;
    const uint32_t wanted = second ? 20 : 10;
    switch (kind) {
    case KERNEL: return word(at) == wanted && word(1 - at) == 0;
    case COPY: return word(2 + at) == wanted && word(3 - at) == 0;
    case SET: return word(4 + at) == wanted && word(5 - at) == 0;
    case HOST: return variant.calls[at] == 1 && variant.calls[1 - at] == 0;
    case VALUES: return value(at) == wanted && value(1 - at) == 0;
    case CHILD: return word(6 + at) == wanted && word(7 - at) == 0;
    default: return 1;
    }
}

static void open_all(gc_graph **graph, gc_node nodes[KINDS]) {
    int kind;
    *graph = open_graph(rig.context);
    for (kind = 0; kind < KINDS; kind++)
        REQUIRE_OK(edits[kind](ADD, *graph, &nodes[kind], 0));
}

static void all_did(const gc_graph_exec *exec, int kind_of_second, int all_second) {
    int kind;
    clear_all();
    replay(&rig, exec);
    for (kind = 0; kind < KINDS; kind++) {
        int second = all_second || kind == kind_of_second;
        if (!did((enum kind)kind, second)) {
            CHECK(did((enum kind)kind, second));
            fprintf(stderr, "    that was kind %d, its %s work\n", kind, second ? "second" : "first");
        }
    }
}

static void an_edit_of_a_graph_changes_later_execs_alone(void) {
    gc_node nodes[KINDS];
    gc_graph *graph;
    gc_graph_exec *before, *after;
    int kind;
    open_all(&graph, nodes);
    before = open_exec(graph);
    for (kind = 0; kind < EMPTY; kind++) {
        CHECK_OK(edits[kind](NODE, graph, &nodes[kind], 1));
        after = open_exec(graph);
        all_did(before, -1, 0);
        all_did(after, kind, 0);
        CHECK_OK(gc_graph_exec_destroy(after));
        CHECK_OK(edits[kind](NODE, graph, &nodes[kind], 0));
    }
    CHECK_OK(gc_graph_destroy(graph));
    all_did(before, -1, 0);
    CHECK_OK(gc_graph_exec_destroy(before));
}

static void an_edit_of_an_exec_changes_that_exec_alone(void) {
    gc_node nodes[KINDS];
    gc_graph *graph;
    gc_graph_exec *exec, *other, *later;
    int kind;
    open_all(&graph, nodes);
    exec = open_exec(graph);
    other = open_exec(graph);
    for (kind = 0; kind < EMPTY; kind++)
        CHECK_OK(edits[kind](EXEC, exec, &nodes[kind], 1));
    later = open_exec(graph);
    all_did(exec, -1, 1);
    all_did(other, -1, 0);
    all_did(later, -1, 0);
    /* And back, one after another. */
    for (kind = 0; kind < EMPTY; kind++) {
        CHECK_OK(edits[kind](EXEC, other, &nodes[kind], 1));
        all_did(other, kind, 0);
        CHECK_OK(edits[kind](EXEC, other, &nodes[kind], 0));
    }
    all_did(other, -1, 0);
    CHECK_OK(gc_graph_exec_destroy(later));
    CHECK_OK(gc_graph_exec_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
    all_did(exec, -1, 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Work of another kind is refused, on the graph and on the exec, and both do what they did. */
static void a_node_keeps_its_kind(void) {
    gc_node nodes[KINDS];
    gc_graph *graph;
    gc_graph_exec *exec;
    int kind, work;
    open_all(&graph, nodes);
    exec = open_exec(graph);
    for (kind = 0; kind < KINDS; kind++)
        for (work = 0; work < EMPTY; work++) {
            if (kind == work)
                continue;
            CHECK_STATUS(edits[work](NODE, graph, &nodes[kind], 1), GRAPHCAP_ERROR_INVALID_VALUE);
            CHECK_STATUS(edits[work](EXEC, exec, &nodes[kind], 1), GRAPHCAP_ERROR_INVALID_VALUE);
        }
    all_did(exec, -1, 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    exec = open_exec(graph);
    all_did(exec, -1, 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What was captured is edited as what was added is. */
static void captured_nodes_are_edited_too(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    gc_node nodes[3];
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 10, 1));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 16, 10, 4, 1));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &variant.calls[0], NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 3, NULL));
    exec = open_exec(graph);
    CHECK_OK(edit_kernel(EXEC, exec, &nodes[0], 1));
    CHECK_OK(edit_set(NODE, graph, &nodes[1], 1));
    CHECK_OK(edit_host(EXEC, exec, &nodes[2], 1));
    clear_all();
    replay(&rig, exec);
    CHECK(did(KERNEL, 1) && did(SET, 0) && did(HOST, 1));
    CHECK_OK(gc_graph_exec_destroy(exec));
    exec = open_exec(graph);
    clear_all();
    replay(&rig, exec);
    CHECK(did(KERNEL, 0) && did(SET, 1) && did(HOST, 0));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Nodes that are none of the exec's ---- */

static void refused_for(const gc_graph_exec *exec, gc_node node) {
    int32_t enabled = 7;
    int kind;
    for (kind = 0; kind < EMPTY; kind++)
        CHECK_STATUS(edits[kind](EXEC, exec, &node, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, node, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_is_node_enabled(exec, node, &enabled), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(enabled == 0);
}

static void nodes_of_others_are_refused(void) {
    gc_graph *graph, *clone = NULL, *other;
    gc_graph_exec *exec;
    gc_node nodes[KINDS], others[KINDS], removed = 0, copied = 0, later;
    int kind;
    open_all(&graph, nodes);
    open_all(&other, others);
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &removed));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_node_find_in_clone(graph, nodes[KERNEL], clone, &copied));
    CHECK_OK(gc_graph_remove_node(graph, removed));
    refused_for(exec, removed);
    later = add_node(&rig, graph, NULL, 0, buffer, 0, 1000);
    refused_for(exec, later);
    refused_for(exec, removed);
    refused_for(exec, copied);
    for (kind = 0; kind < KINDS; kind++)
        refused_for(exec, others[kind]);
    refused_for(exec, 0);
    refused_for(exec, 1);
    refused_for(exec, UINT64_MAX);
    refused_for(exec, nodes[KERNEL] ^ (UINT64_C(1) << 60));
    refused_for(exec, nodes[KERNEL] ^ (UINT64_C(1) << 27));
    refused_for(exec, nodes[KERNEL] | ((UINT64_C(1) << 28) - 1));
    all_did(exec, -1, 0);
    CHECK_OK(edit_kernel(EXEC, exec, &nodes[KERNEL], 1));
    all_did(exec, KERNEL, 0);
    CHECK_OK(gc_graph_destroy(graph));
    for (kind = 0; kind < KINDS; kind++)
        refused_for(exec, nodes[kind]);
    all_did(exec, KERNEL, 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(clone));
}

/* The same for the nodes of a graph: those of others, and numbers that are none. */
static void numbers_that_are_no_nodes_are_refused(void) {
    gc_graph *graph, *other;
    gc_node nodes[KINDS], others[KINDS];
    size_t i;
    int kind;
    open_all(&graph, nodes);
    open_all(&other, others);
    {
        const gc_node bad[] = {0,
                               1,
                               UINT64_MAX,
                               others[KERNEL],
                               nodes[KERNEL] ^ (UINT64_C(1) << 60),
                               nodes[KERNEL] ^ (UINT64_C(1) << 27),
                               nodes[KERNEL] | ((UINT64_C(1) << 28) - 1)};
        for (i = 0; i < LENGTH_OF(bad); i++)
            for (kind = 0; kind < EMPTY; kind++) {
                gc_node node = bad[i];
                CHECK_STATUS(edits[kind](NODE, graph, &node, 1), GRAPHCAP_ERROR_INVALID_VALUE);
            }
    }
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Nodes that do nothing ---- */

static int is_enabled(const gc_graph_exec *exec, gc_node node) {
    int32_t enabled = 7;
    CHECK_OK(gc_graph_exec_is_node_enabled(exec, node, &enabled));
    return enabled;
}

static void disabled_nodes_do_nothing(void) {
    static const enum kind can[] = {KERNEL, COPY, SET}, cannot[] = {HOST, VALUES, RECORD, WAIT, CHILD, EMPTY};
    gc_graph *graph;
    gc_graph_exec *exec, *other;
    gc_node nodes[KINDS];
    size_t i;
    open_all(&graph, nodes);
    exec = open_exec(graph);
    other = open_exec(graph);
    for (i = 0; i < LENGTH_OF(can); i++) {
        gc_node node = nodes[can[i]];
        CHECK(is_enabled(exec, node) == 1);
        /* A memset would lose its place here, where nodes run side by side; condition_value.c disables one of a chain. */
        if (can[i] == SET && on_cuda()) {
            CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, node, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
            CHECK(is_enabled(exec, node) == 1);
            continue;
        }
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 0));
        CHECK(is_enabled(exec, node) == 0 && is_enabled(other, node) == 1);
        clear_all();
        replay(&rig, exec);
        CHECK(!did(can[i], 0) && !did(can[i], 1) && did(HOST, 0));
        /* What it is to do can be changed meanwhile, and it stays off. */
        CHECK_OK(edits[can[i]](EXEC, exec, &node, 1));
        CHECK(is_enabled(exec, node) == 0);
        clear_all();
        replay(&rig, exec);
        CHECK(!did(can[i], 0) && !did(can[i], 1));
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 2));
        CHECK(is_enabled(exec, node) == 1);
        clear_all();
        replay(&rig, exec);
        CHECK(did(can[i], 1));
    }
    for (i = 0; i < LENGTH_OF(cannot); i++) {
        int32_t enabled = 7;
        CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, nodes[cannot[i]], 0), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_STATUS(gc_graph_exec_is_node_enabled(exec, nodes[cannot[i]], &enabled), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(enabled == 0);
    }
    all_did(other, -1, 0);
    CHECK_OK(gc_graph_exec_destroy(other));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What depends on a disabled node waits for what that depends on. */
static void a_disabled_node_keeps_the_order(void) {
    enum { LENGTH = 9 };
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node nodes[LENGTH];
    struct kernel_call call;
    uint32_t expected = 1;
    unsigned i;
    clear_words(&rig, buffer);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, 1));
    for (i = 0; i < LENGTH; i++)
        CHECK_OK(add_kernel(graph, i == 0 ? NULL : &nodes[i - 1], i == 0 ? 0 : 1,
                            call_mix(&call, &rig, buffer, 0, 0, 0, i), &nodes[i]));
    exec = open_exec(graph);
    for (i = 0; i < LENGTH; i++) {
        if (i % 3 == 1)
            CHECK_OK(gc_graph_exec_set_node_enabled(exec, nodes[i], 0));
        else
            expected = mixed(expected, expected, i);
    }
    replay(&rig, exec);
    CHECK(word(0) == expected);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Launches that are queued ---- */

/* Each launch does what its exec was to do when it was made. Row `params.exec_set_in_flight`. */
static void queued_launches_run_as_they_were(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node add, set = 0;
    gc_memset_params memset_params = GRAPHCAP_MEMSET_INIT(buffer, 4, 3, 4, 1, 1, 0);
    struct kernel_call call;
    struct gate gate;
    unsigned launch;
    gate_init(&gate);
    clear_words(&rig, buffer);
    add = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    CHECK_OK(gc_graph_add_memset_node(graph, &add, 1, &memset_params, &set));
    exec = open_exec(graph);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    gate_await(&gate, 1);
    for (launch = 0; launch < 4; launch++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(exec_set_kernel(exec, add, call_add(&call, &rig, buffer, 0, launch == 0 ? 10 : launch == 1 ? 100 : 1000)));
    }
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, add, 0));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(set_kernel(graph, add, call_add(&call, &rig, buffer, 0, 100000)));
    CHECK_OK(gc_graph_remove_node(graph, set));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(word(0) == 1111 && word(1) == 3);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(word(0) == 1111);
    CHECK_OK(gc_graph_exec_destroy(exec));
    gate_free(&gate);
}

/* ---- What is let go of, and when ---- */

/* Of a graph without execs: at the edit. A call that fails gives its own back at once, and the node keeps what it has. */
static void a_graph_lets_go_at_the_edit(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 0;
    unsigned first = 0, second = 0, refused = 0, released = 0;
    gc_buffer *wrapped = wrap_foreign(rig.context, &foreign, &released);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(wrapped, 0, 1, 4, 1, 1, 0);
    CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &first, count_call, &node));
    CHECK_STATUS(gc_node_set_host(graph, 77, count_call, &refused, count_call), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(await_count(&refused, 1));
    CHECK_STATUS(gc_node_set_host(graph, node, NULL, &refused, count_call), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(await_count(&refused, 2));
    CHECK_STATUS(gc_node_set_host(NULL, node, count_call, &refused, count_call), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(await_count(&refused, 3) && count_of(&first) == 0);
    CHECK_OK(gc_node_set_host(graph, node, count_call, &second, count_call));
    CHECK(await_count(&first, 1) && count_of(&second) == 0);
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK(await_count(&second, 1));
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK(count_of(&released) == 0);
    set.buffer = buffer;
    CHECK_OK(gc_node_set_memset(graph, node, &set));
    CHECK(await_count(&released, 1));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(count_of(&first) == 1 && count_of(&second) == 1 && count_of(&refused) == 3 && count_of(&released) == 1);
}

/* NVIDIA's driver holds the host functions that an exec got from its graph as long as the exec. */
static unsigned superseded_count(unsigned destroyed) {
    return tested_device() == GRAPHCAP_DEVICE_CUDA ? destroyed - 1 : destroyed;
}

/* An exec keeps what its nodes do, whatever becomes of the graph. */
static void an_exec_keeps_its_own(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec, *second_exec;
    gc_node node = 0;
    unsigned first = 0, second = 0, third = 0, refused = 0;
    CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &first, count_call, &node));
    exec = open_exec(graph);
    CHECK_OK(gc_node_set_host(graph, node, count_call, &second, count_call));
    CHECK(count_of(&first) == 0 && count_of(&second) == 0);
    second_exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(count_of(&first) == 1 && count_of(&second) == 0);
    CHECK_STATUS(gc_graph_exec_set_host_node(exec, 77, count_call, &refused, count_call), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_set_host_node(exec, node, NULL, &refused, count_call), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(await_count(&refused, 2));
    /* The function of the first one is called no more, so its count tells of the destroy. */
    CHECK_OK(gc_graph_exec_set_host_node(exec, node, count_call, &third, count_call));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(await_count(&first, superseded_count(2)));
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK(count_of(&second) == 0 && count_of(&third) == 0);
    replay(&rig, second_exec);
    replay(&rig, exec);
    CHECK(count_of(&first) == superseded_count(2) && count_of(&second) == 1 && count_of(&third) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(second_exec));
    CHECK(await_count(&second, 2));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&third, 2) && await_count(&first, 2));
    CHECK(count_of(&first) == 2 && count_of(&second) == 2 && count_of(&third) == 2 && count_of(&refused) == 2);
}

/* Behind the launches that were made before. */
static void a_launch_in_flight_keeps_what_an_edit_supersedes(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node set = 0, host = 0;
    struct gate gate;
    unsigned released = 0, first = 0, second = 0;
    gc_buffer *wrapped;
    foreign_clear(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    gate_init(&gate);
    clear_words(&rig, buffer);
    {
        gc_memset_params params = GRAPHCAP_MEMSET_INIT(wrapped, 0, 5, 4, 1, 1, 0);
        CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &params, &set));
        CHECK_OK(gc_graph_add_host_node(graph, &set, 1, count_call, &first, count_call, &host));
    }
    exec = open_exec(graph);
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    gate_await(&gate, 1);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    {
        gc_memset_params params = GRAPHCAP_MEMSET_INIT(buffer, 0, 6, 4, 1, 1, 0);
        CHECK_OK(gc_graph_exec_set_memset_node(exec, set, &params));
        CHECK_OK(gc_node_set_memset(graph, set, &params));
        CHECK_OK(gc_graph_exec_set_host_node(exec, host, count_call, &second, count_call));
        CHECK_OK(gc_node_set_host(graph, host, count_call, &second, count_call));
    }
    CHECK(count_of(&released) == 0 && count_of(&first) == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(foreign_word(&foreign, 0) == 5 && word(0) == 0);
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(await_count(&released, 1) && await_count(&first, superseded_count(2)) && count_of(&second) == 0);
    replay(&rig, exec);
    CHECK(word(0) == 6 && count_of(&second) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(await_count(&second, 3) && await_count(&first, 2) && count_of(&released) == 1 && count_of(&first) == 2);
    gate_free(&gate);
}

/* A node within a child is one of the exec too. What it gets to use is kept, and nothing of another node is let go of. */
static void a_node_within_a_child_is_set_in_an_exec(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *within = NULL;
    gc_graph_exec *exec;
    gc_node outer = 0, inner = 0, node = 0;
    unsigned released = 0, released_too = 0;
    struct foreign other;
    gc_buffer *wrapped, *wrapped_too;
    foreign_clear(&foreign);
    foreign_open(&other);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    wrapped_too = wrap_foreign(rig.context, &other, &released_too);
    {
        /* The first node of either graph. */
        gc_memset_params set = GRAPHCAP_MEMSET_INIT(wrapped, 0, 5, 4, 1, 1, 0);
        CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &outer));
        set.buffer = buffer;
        CHECK_OK(gc_graph_add_memset_node(child, NULL, 0, &set, &inner));
        CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
        CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
        CHECK_OK(gc_graph_get_nodes(within, &inner, 1, NULL));
        exec = open_exec(graph);
        CHECK_OK(gc_node_set_memset(graph, outer, &set));
        CHECK_OK(gc_buffer_destroy(wrapped));
        set.buffer = wrapped_too;
        set.value = 9;
        CHECK_OK(gc_graph_exec_set_memset_node(exec, inner, &set));
        CHECK_OK(gc_buffer_destroy(wrapped_too));
    }
    CHECK_OK(gc_context_collect(rig.context));
    pause_ms(10);
    CHECK(count_of(&released) == 0 && count_of(&released_too) == 0);
    replay(&rig, exec);
    CHECK(foreign_word(&foreign, 0) == 5 && foreign_word(&other, 0) == 9);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&released, 1) && await_count(&released_too, 1));
    foreign_close(&other);
}

/* What a capture used for all its nodes together is let go of node by node once one is edited. */
static void a_captured_graph_lets_go_node_by_node(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    gc_node nodes[2];
    unsigned released = 0, destroyed = 0;
    gc_buffer *wrapped = wrap_foreign(rig.context, &foreign, &released);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 6, 4, 1, 1, 0);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(rig.stream, wrapped, 0, 7, 4, 1));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &destroyed, count_call));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 2, NULL));
    exec = open_exec(graph);
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(gc_graph_exec_set_memset_node(exec, nodes[0], &set));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(count_of(&released) == 0);
    CHECK_OK(gc_node_set_memset(graph, nodes[0], &set));
    CHECK(await_count(&released, 1) && count_of(&destroyed) == 0);
    CHECK_OK(gc_graph_remove_node(graph, nodes[1]));
    CHECK(count_of(&destroyed) == 0);
    replay(&rig, exec);
    CHECK(count_of(&destroyed) == 1 && word(0) == 6);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&destroyed, 2) && count_of(&released) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(count_of(&destroyed) == 2);
}

/* A destroy may destroy handles, among them that of the graph that lets go. */
struct chain {
    gc_graph *graph;
    unsigned destroyed;
};

static void destroy_the_graph(void *user_data) {
    struct chain *chain = (struct chain *)user_data;
    CHECK_OK(gc_graph_destroy(chain->graph));
    count_call(&chain->destroyed);
}

static void do_nothing(void *user_data) {
    (void)user_data;
}

static void a_destroy_may_destroy_the_graph(void) {
    struct chain chain;
    gc_node node = 0;
    unsigned calls = 0;
    memset(&chain, 0, sizeof chain);
    chain.graph = open_graph(rig.context);
    CHECK_OK(gc_graph_add_host_node(chain.graph, NULL, 0, do_nothing, &chain, destroy_the_graph, &node));
    CHECK_OK(gc_node_set_host(chain.graph, node, count_call, &calls, NULL));
    CHECK(await_count(&chain.destroyed, 1));
    CHECK_STATUS(gc_graph_remove_node(chain.graph, node), GRAPHCAP_ERROR_INVALID_HANDLE);
}

/* ---- Several threads ---- */

enum { THREADS = 4, ROUNDS = 200 };

static struct {
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_node node, host;
    unsigned calls, destroyed;
} shared;

/* Edits, launches, and execs made meanwhile, of one graph. */
static void *edits_and_launches(void *argument) {
    const unsigned number = *(const unsigned *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        struct kernel_call call;
        gc_graph_exec *exec = NULL;
        gc_node added = 0;
        call_fill(&call, &rig, buffer, number, round);
        CHECK_OK(exec_set_kernel(shared.exec, shared.node, &call));
        CHECK_OK(set_kernel(shared.graph, shared.node, &call));
        CHECK_OK(gc_graph_exec_set_host_node(shared.exec, shared.host, count_call, &shared.calls, NULL));
        CHECK_OK(gc_graph_add_host_node(shared.graph, NULL, 0, do_nothing, &shared.destroyed, count_call, &added));
        CHECK_OK(gc_graph_launch(shared.exec, stream));
        if (round % 8 == 0) {
            CHECK_OK(gc_graph_instantiate(shared.graph, NULL, &exec));
            CHECK_OK(gc_graph_launch(exec, stream));
        }
        CHECK_OK(gc_graph_remove_node(shared.graph, added));
        CHECK_OK(gc_graph_exec_destroy(exec));
        if (round % 16 == 0)
            CHECK_OK(gc_stream_synchronize(stream));
    }
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_edit_one_graph_and_one_exec(void) {
    pthread_t threads[THREADS];
    unsigned numbers[THREADS], i;
    memset(&shared, 0, sizeof shared);
    clear_words(&rig, buffer);
    shared.graph = open_graph(rig.context);
    shared.node = fill_node(&rig, shared.graph, NULL, 0, buffer, 0, 0);
    CHECK_OK(gc_graph_add_host_node(shared.graph, NULL, 0, count_call, &shared.calls, NULL, &shared.host));
    shared.exec = open_exec(shared.graph);
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, edits_and_launches, &numbers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_context_synchronize(rig.context));
    for (i = 0; i < THREADS; i++)
        CHECK(word(i) < ROUNDS);
    CHECK(nodes_of(shared.graph) == 2);
    CHECK_OK(gc_graph_exec_destroy(shared.exec));
    CHECK_OK(gc_graph_destroy(shared.graph));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(await_count(&shared.destroyed, THREADS * ROUNDS) && count_of(&shared.destroyed) == THREADS * ROUNDS);
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    values = open_waitable(rig.context, 64);
    foreign_open(&foreign);
    variants_open();
    RUN(an_edit_of_a_graph_changes_later_execs_alone);
    RUN(an_edit_of_an_exec_changes_that_exec_alone);
    RUN(a_node_keeps_its_kind);
    RUN(captured_nodes_are_edited_too);
    RUN(nodes_of_others_are_refused);
    RUN(numbers_that_are_no_nodes_are_refused);
    RUN(disabled_nodes_do_nothing);
    RUN(a_disabled_node_keeps_the_order);
    RUN(queued_launches_run_as_they_were);
    RUN(a_graph_lets_go_at_the_edit);
    RUN(an_exec_keeps_its_own);
    RUN(a_launch_in_flight_keeps_what_an_edit_supersedes);
    RUN(a_node_within_a_child_is_set_in_an_exec);
    RUN(a_captured_graph_lets_go_node_by_node);
    RUN(a_destroy_may_destroy_the_graph);
    RUN(threads_edit_one_graph_and_one_exec);
    variants_close();
    foreign_close(&foreign);
    CHECK_OK(gc_buffer_destroy(values));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
