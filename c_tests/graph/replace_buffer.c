/* Another buffer in the place of one, in all nodes of a graph or of an exec: which nodes are changed, what is kept and let go, and
 * what is refused, after which everything is as it was. */
#include "nodes.h"

enum { WORDS = 64, BYTES = WORDS * sizeof(uint32_t) };

static struct rig rig;

static void write_words(const gc_buffer *buffer, uint32_t first) {
    uint32_t words[WORDS];
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, words, sizeof words);
    unsigned i;
    for (i = 0; i < WORDS; i++)
        words[i] = first + i;
    CHECK_OK(gc_context_memcpy(rig.context, &copy));
}

static gc_buffer *open_words(uint32_t first) {
    gc_buffer *buffer = open_waitable(rig.context, BYTES);
    write_words(buffer, first);
    return buffer;
}

static uint32_t word(const gc_buffer *buffer, size_t index) {
    return read_u32(rig.stream, buffer, index);
}

/* Replaces the buffer in a graph, or in an exec. */
static size_t swapped(const gc_graph *graph, const gc_graph_exec *exec, const gc_buffer *from, const gc_buffer *to) {
    size_t changed = 77;
    if (graph != NULL)
        CHECK_OK(gc_graph_replace_buffer(graph, from, to, &changed));
    else
        CHECK_OK(gc_graph_exec_replace_buffer(exec, from, to, &changed));
    return changed;
}

/* One node of each kind that uses `one`: its words 0 to 6 are touched, and words of `copied` are written. The nodes are a chain. */
enum { KERNEL, SET, COPY_FROM, COPY_TO, VALUE, POINTERS, CHILD, CHAIN };

static void check_chain(const gc_buffer *one, uint32_t first, const gc_buffer *copied) {
    CHECK(word(one, 0) == first + 5);
    CHECK(word(one, 1) == 9);
    CHECK(word(copied, 2) == first + 3);
    CHECK(word(one, 4) == 1005);
    CHECK(word(one, 5) == 77);
    CHECK(word(one, 6) == mixed(9, 77, 3));
    CHECK(word(one, 7) == first + 7 + 20);
}

static gc_graph *open_child(const gc_buffer *one) {
    gc_graph *child = open_graph(rig.context);
    add_node(&rig, child, NULL, 0, one, 7, 20);
    return child;
}

static gc_graph *open_chain(const gc_buffer *one, const gc_buffer *copied, gc_node *nodes) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(one, 4, 9, 4, 1, 1, 0);
    const gc_memcpy_params from = GRAPHCAP_MEMCPY_INIT_DTOD(copied, 8, one, 12, 4);
    const gc_memcpy_params to = GRAPHCAP_MEMCPY_INIT_DTOD(one, 16, copied, 20, 4);
    const gc_mem_op value = GRAPHCAP_MEM_OP_INIT_WRITE32(one, 20, 77, 0);
    gc_graph *graph = open_graph(rig.context), *child = open_child(one);
    struct kernel_call call;
    nodes[KERNEL] = add_node(&rig, graph, NULL, 0, one, 0, 5);
    REQUIRE_OK(gc_graph_add_memset_node(graph, &nodes[KERNEL], 1, &set, &nodes[SET]));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &nodes[SET], 1, &from, &nodes[COPY_FROM]));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &nodes[COPY_FROM], 1, &to, &nodes[COPY_TO]));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, &nodes[COPY_TO], 1, &value, 1, &nodes[VALUE]));
    REQUIRE_OK(add_kernel(graph, &nodes[VALUE], 1, call_mix(&call, &rig, one, 6, 1, 5, 3), &nodes[POINTERS]));
    REQUIRE_OK(gc_graph_add_child_node(graph, &nodes[POINTERS], 1, child, &nodes[CHILD]));
    CHECK_OK(gc_graph_destroy(child));
    return graph;
}

static void every_node_of_a_graph_uses_the_other_buffer(void) {
    gc_buffer *one = open_words(100), *other = open_words(200), *copied = open_words(1000), *unused = open_words(0);
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(one, copied, nodes), *clone = NULL;
    gc_graph_exec *before = open_exec(graph);
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    CHECK(swapped(graph, NULL, unused, other) == 0);
    CHECK(swapped(graph, NULL, one, one) == 0);
    CHECK(swapped(graph, NULL, one, other) == CHAIN);
    CHECK(swapped(graph, NULL, one, other) == 0);
    run_graph(&rig, graph);
    check_chain(other, 200, copied);
    CHECK(word(one, 0) == 100 && word(one, 7) == 107);
    /* Execs and clones that were made before go on as they were. */
    replay(&rig, before);
    check_chain(one, 100, copied);
    write_words(one, 100);
    run_graph(&rig, clone);
    check_chain(one, 100, copied);
    CHECK(word(other, 7) == 227);
    CHECK_OK(gc_graph_exec_destroy(before));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(copied));
    CHECK_OK(gc_buffer_destroy(unused));
}

static void every_node_of_an_exec_uses_the_other_buffer(void) {
    gc_buffer *one = open_words(100), *other = open_words(200), *copied = open_words(1000);
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(one, copied, nodes);
    gc_graph_exec *exec = open_exec(graph);
    unsigned i;
    /* To and fro, on one exec. */
    for (i = 0; i < 3; i++) {
        CHECK(swapped(NULL, exec, one, other) == CHAIN);
        CHECK(swapped(NULL, exec, one, other) == 0);
        replay(&rig, exec);
        check_chain(other, 200, copied);
        CHECK(word(one, 7) == 107);
        write_words(other, 200);
        CHECK(swapped(NULL, exec, other, one) == CHAIN);
        replay(&rig, exec);
        check_chain(one, 100, copied);
        write_words(one, 100);
    }
    /* The graph is as it was. */
    run_graph(&rig, graph);
    check_chain(one, 100, copied);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(copied));
}

/* In the graph first, or in the exec first: both come to do the same. */
static void a_graph_and_its_exec_are_changed_one_after_the_other(void) {
    gc_buffer *one = open_words(100), *other = open_words(200), *third = open_words(300), *copied = open_words(1000);
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(one, copied, nodes);
    gc_graph_exec *exec = open_exec(graph);
    CHECK(swapped(graph, NULL, one, other) == CHAIN);
    CHECK(swapped(graph, NULL, other, third) == CHAIN);
    CHECK(swapped(NULL, exec, other, third) == 0);
    CHECK(swapped(NULL, exec, one, other) == CHAIN);
    replay(&rig, exec);
    check_chain(other, 200, copied);
    CHECK(word(one, 7) == 107 && word(third, 7) == 307);
    CHECK(swapped(NULL, exec, other, third) == CHAIN);
    CHECK(swapped(graph, NULL, third, one) == CHAIN);
    replay(&rig, exec);
    check_chain(third, 300, copied);
    /* The exec does what the graph does again. */
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, NULL));
    CHECK(swapped(NULL, exec, third, other) == 0);
    CHECK(swapped(NULL, exec, one, other) == CHAIN);
    write_words(other, 200);
    replay(&rig, exec);
    check_chain(other, 200, copied);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(third));
    CHECK_OK(gc_buffer_destroy(copied));
}

static void nodes_that_were_set_in_an_exec_are_changed_too(void) {
    gc_buffer *one = open_words(100), *other = open_words(200), *copied = open_words(1000);
    gc_node nodes[CHAIN];
    gc_graph *graph = open_chain(one, copied, nodes);
    gc_graph_exec *exec = open_exec(graph);
    struct kernel_call call;
    CHECK_OK(exec_set_kernel(exec, nodes[KERNEL], call_add(&call, &rig, copied, 9, 1)));
    CHECK_OK(exec_set_kernel(exec, nodes[POINTERS], call_mix(&call, &rig, one, 10, 11, 12, 4)));
    CHECK(swapped(NULL, exec, one, other) == CHAIN - 1);
    replay(&rig, exec);
    CHECK(word(copied, 9) == 1010 && word(other, 0) == 200 && word(other, 6) == 206);
    CHECK(word(other, 10) == mixed(211, 212, 4));
    /* It is not known what an exec does whose graph was changed otherwise. */
    CHECK_OK(set_kernel(graph, nodes[KERNEL], call_add(&call, &rig, one, 0, 6)));
    CHECK(swapped(NULL, exec, other, one) == CHAIN - 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(copied));
}

static gc_graph *body_of(const gc_graph *graph, gc_node node, size_t index) {
    gc_graph *body = NULL;
    REQUIRE_OK(gc_node_get_graph(graph, node, index, &body));
    return body;
}

/* The value that decides and both bodies use the buffer. */
static void bodies_of_conditions_use_the_other_buffer(void) {
    gc_buffer *one = open_words(0), *other = open_words(200);
    gc_graph *graph = open_graph(rig.context), *body;
    gc_graph_exec *exec;
    gc_condition condition = 0;
    gc_node set = 0, decision = 0;
    unsigned i;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    REQUIRE_OK(gc_graph_add_set_condition_node(graph, NULL, 0, condition, one, 0, &set));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_IF, 2, &decision));
    for (i = 0; i < 2; i++) {
        body = body_of(graph, decision, i);
        add_node(&rig, body, NULL, 0, one, 1, 10 + i);
        CHECK_OK(gc_graph_destroy(body));
    }
    exec = open_exec(graph);
    CHECK(swapped(NULL, exec, one, other) == 3);
    replay(&rig, exec);
    CHECK(word(one, 1) == 1 && word(other, 1) == 201 + 10);
    replay(&rig, exec);
    CHECK(swapped(NULL, exec, other, one) == 3);
    replay(&rig, exec);
    CHECK(word(one, 1) == 1 + 11 && word(other, 1) == 201 + 20);
    CHECK(swapped(graph, NULL, one, other) == 3);
    replay(&rig, exec);
    CHECK(word(one, 1) == 1 + 22);
    CHECK_OK(gc_graph_exec_destroy(exec));
    run_graph(&rig, graph);
    CHECK(word(one, 1) == 1 + 22 && word(other, 1) == 201 + 30);
    /* One body alone. */
    body = body_of(graph, decision, 0);
    CHECK(swapped(body, NULL, other, one) == 1);
    CHECK_OK(gc_graph_destroy(body));
    run_graph(&rig, graph);
    CHECK(word(one, 1) == 1 + 32 && word(other, 1) == 201 + 30);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
}

/* A capture, with a pointer in a struct, a copy of saved bytes, one of rows, and one to host memory. An exec changes rows where it
 * lets them be set; else what was changed before that is as it was again. */
static void a_captured_graph_uses_the_other_buffer(void) {
    gc_buffer *one = open_words(0), *other = open_words(200), *wide = open_buffer(rig.context, sizeof(struct wide));
    gc_memcpy_params saved = GRAPHCAP_MEMCPY_INIT_HTOD(one, 0, NULL, 4);
    gc_memcpy_params rows = GRAPHCAP_MEMCPY_INIT_DTOD(one, 8, one, 64, 8), other_rows;
    gc_kernel *copy_wide = get_kernel(rig.module, "copy_wide");
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(one, 4, 5, 4, 1, 1, 0);
    struct wide value;
    uint32_t number = 42, back = 0;
    uint64_t address = 0, seen = 0;
    size_t changed = 77, count = 0;
    gc_node nodes[5];
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(wide), GRAPHCAP_ARG_INIT_VALUE(value)};
    memset(&value, 0, sizeof value);
    CHECK_OK(gc_buffer_address(one, &address));
    address += 24;
    memcpy(value.bytes + 16, &address, sizeof address);
    saved.source_host = &number;
    saved.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    rows.height = 2;
    rows.destination_pitch = 16;
    rows.source_pitch = 32;
    other_rows = rows;
    other_rows.destination = other_rows.source = other;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy(rig.stream, &saved));
    CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
    CHECK_OK(gc_stream_memcpy(rig.stream, &rows));
    CHECK_OK(launch(rig.stream, copy_wide, 1, 1, arguments, 2));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &back, one, 0, 4));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    number = 0;
    exec = open_exec(graph);
    CHECK(gc_graph_get_nodes(graph, nodes, 5, &count) == GRAPHCAP_SUCCESS && count == 5);
    if (gc_graph_exec_set_memcpy_node(exec, nodes[2], &other_rows) == GRAPHCAP_SUCCESS) {
        CHECK(swapped(NULL, exec, one, other) == 4);
    } else {
        CHECK_MESSAGE(gc_graph_exec_replace_buffer(exec, one, other, &changed), GRAPHCAP_ERROR_INVALID_VALUE, "several rows");
        CHECK(changed == 0);
        replay(&rig, exec);
        CHECK(back == 42 && word(one, 0) == 42 && word(one, 1) == 5 && word(one, 2) == 16 && word(one, 7) == 25);
        CHECK(word(other, 0) == 200 && word(other, 1) == 201);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    write_words(one, 0);
    back = 0;
    CHECK(swapped(graph, NULL, one, other) == 5);
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(back == 42 && word(other, 0) == 42 && word(other, 1) == 5);
    CHECK(word(other, 2) == 216 && word(other, 3) == 217 && word(other, 6) == 224 && word(other, 7) == 225);
    CHECK(word(one, 0) == 0);
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &seen, wide, 16, sizeof seen));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_address(other, &address));
    CHECK(seen == address + 24);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_kernel_destroy(copy_wide));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(wide));
}

/* Buffers of which is told when they are let go. */
struct told {
    struct foreign memory;
    gc_buffer *buffer;
    unsigned released;
};

static void told_open(struct told *told) {
    foreign_open(&told->memory);
    told->released = 0;
    told->buffer = wrap_foreign(rig.context, &told->memory, &told->released);
}

static int is_let_go(struct told *told) {
    return collect_until(rig.context, &told->released, 1);
}

static int is_kept(struct told *told) {
    CHECK_OK(gc_context_collect(rig.context));
    return count_of(&told->released) == 0;
}

/* A graph with a node, one within a conditional and one within a child, that all use the buffer. */
static gc_graph *open_nested(const gc_buffer *buffer) {
    gc_graph *graph = open_graph(rig.context), *child = open_child(buffer), *body;
    gc_condition condition = 0;
    gc_node node = add_node(&rig, graph, NULL, 0, buffer, 0, 1), decision = 0;
    gc_graph *copied = NULL;
    REQUIRE_OK(gc_graph_clone(child, &copied));
    CHECK_OK(gc_graph_destroy(child));
    REQUIRE_OK(gc_graph_add_child_node(graph, &node, 1, copied, &node));
    CHECK_OK(gc_graph_destroy(copied));
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &node, 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &decision));
    body = body_of(graph, decision, 0);
    add_node(&rig, body, NULL, 0, buffer, 1, 1);
    CHECK_OK(gc_graph_destroy(body));
    return graph;
}

static void the_old_buffer_is_let_go_and_the_new_one_is_kept(void) {
    struct told old, next;
    gc_graph *graph;
    gc_graph_exec *exec;
    /* Of a graph. */
    told_open(&old);
    told_open(&next);
    graph = open_nested(old.buffer);
    CHECK(swapped(graph, NULL, old.buffer, next.buffer) == 3);
    CHECK_OK(gc_buffer_destroy(old.buffer));
    CHECK_OK(gc_buffer_destroy(next.buffer));
    CHECK(is_let_go(&old) && is_kept(&next));
    foreign_clear(&next.memory);
    run_graph(&rig, graph);
    CHECK(foreign_word(&next.memory, 0) == 1 && foreign_word(&next.memory, 1) == 1 && foreign_word(&next.memory, 7) == 20);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(is_let_go(&next));
    foreign_close(&old.memory);
    foreign_close(&next.memory);
    /* Of an exec. */
    told_open(&old);
    told_open(&next);
    graph = open_nested(old.buffer);
    exec = open_exec(graph);
    CHECK(swapped(NULL, exec, old.buffer, next.buffer) == 3);
    CHECK(swapped(graph, NULL, old.buffer, next.buffer) == 3);
    CHECK_OK(gc_buffer_destroy(old.buffer));
    CHECK_OK(gc_buffer_destroy(next.buffer));
    CHECK(is_let_go(&old) && is_kept(&next));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(is_let_go(&next));
    foreign_close(&old.memory);
    foreign_close(&next.memory);
}

/* The bytes that nodes use decide, and the message names the node. */
static void what_does_not_fit_is_refused(void) {
    gc_buffer *one = open_words(100), *small = open_waitable(rig.context, 32), *smaller = open_waitable(rig.context, 16);
    gc_buffer *other = open_words(200);
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(one, 16, 9, 4, 4, 1, 0);
    gc_kernel_arg arguments[3];
    gc_launch_config one_block = GRAPHCAP_LAUNCH_CONFIG(1, 64);
    struct kernel_call call;
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node first = 0, last = 0;
    size_t changed = 77;
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &first));
    CHECK_OK(gc_node_set_name(graph, first, "quarter"));
    exec = open_exec(graph);
    CHECK_MESSAGE(gc_graph_replace_buffer(graph, one, smaller, &changed), GRAPHCAP_ERROR_INVALID_VALUE, "quarter");
    CHECK(changed == 0);
    CHECK_MESSAGE(gc_graph_exec_replace_buffer(exec, one, smaller, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "16 bytes from byte 16");
    CHECK_OK(gc_graph_replace_buffer(graph, one, small, NULL));
    CHECK_OK(gc_graph_replace_buffer(graph, small, one, NULL));
    /* A kernel may touch all of a buffer, unless the launch states the bytes. Nothing is changed where one node is refused. */
    call_add(&call, &rig, one, 2, 7);
    REQUIRE_OK(add_kernel(graph, &first, 1, &call, &last));
    CHECK_MESSAGE(gc_graph_replace_buffer(graph, one, small, &changed), GRAPHCAP_ERROR_INVALID_VALUE, "256 bytes");
    run_graph(&rig, graph);
    CHECK(word(one, 4) == 9 && word(one, 2) == 109);
    memcpy(arguments, call.arguments, sizeof arguments);
    arguments[0].access = GRAPHCAP_ACCESS_READ_WRITE;
    arguments[0].access_offset = 8;
    arguments[0].access_size = 4;
    CHECK_OK(gc_node_set_kernel(graph, last, rig.add, &one_block, arguments, 3));
    CHECK(swapped(graph, NULL, one, small) == 2);
    CHECK_MESSAGE(gc_graph_replace_buffer(graph, small, smaller, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "quarter");
    CHECK(swapped(graph, NULL, small, other) == 2);
    run_graph(&rig, graph);
    CHECK(word(other, 4) == 9 && word(other, 2) == 209);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(small));
    CHECK_OK(gc_buffer_destroy(smaller));
    CHECK_OK(gc_buffer_destroy(other));
}

static void what_an_exec_does_must_be_known(void) {
    gc_buffer *one = open_words(100), *other = open_words(200);
    gc_graph *graph = open_graph(rig.context), *child = open_child(one);
    gc_node node = add_node(&rig, graph, NULL, 0, one, 0, 1), within = 0;
    gc_graph_exec *exec;
    struct kernel_call call;
    size_t changed = 77;
    REQUIRE_OK(gc_graph_add_child_node(graph, &node, 1, child, &within));
    exec = open_exec(graph);
    CHECK_OK(set_kernel(graph, node, call_add(&call, &rig, one, 0, 2)));
    CHECK_MESSAGE(gc_graph_exec_replace_buffer(exec, one, other, &changed), GRAPHCAP_ERROR_ILLEGAL_STATE, "gc_graph_exec_apply");
    CHECK(changed == 0);
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, NULL));
    CHECK(swapped(NULL, exec, one, other) == 2);
    CHECK(swapped(NULL, exec, other, one) == 2);
    CHECK_OK(gc_graph_exec_set_child_node(exec, within, child));
    CHECK_STATUS(gc_graph_exec_replace_buffer(exec, one, other, &changed), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_graph_exec_replace_buffer(exec, one, other, &changed), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
}

/* A launch whose grid comes from memory, whose place is a scalar's. */
static void grids_come_from_the_other_buffer(void) {
    const uint32_t three = 3, one_block = 1;
    gc_buffer *one = NULL, *other = open_waitable(rig.context, 64), *counted = open_waitable(rig.context, 64);
    const gc_launch_config one_thread = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    struct kernel_call call;
    gc_scalar *scalar = NULL;
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node node = 0;
    size_t offset = 0;
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(other, 0, &three, sizeof three);
    CHECK_OK(gc_context_memcpy(rig.context, &in));
    clear_buffer(rig.context, counted);
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &one_block, &scalar));
    REQUIRE_OK(gc_scalar_buffer(scalar, &one, &offset));
    call_add(&call, &rig, counted, 0, 1);
    call.config = one_thread;
    call.words = 16;
    REQUIRE_OK(add_kernel(graph, NULL, 0, &call, &node));
    if (!is_of_older_driver(gc_node_set_grid_scalar(graph, node, 0, scalar))) {
        exec = open_exec(graph);
        CHECK_STATUS(gc_graph_exec_replace_buffer(exec, one, other, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK(swapped(graph, NULL, one, other) == 1);
        CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, NULL));
        replay(&rig, exec);
        CHECK(word(counted, 0) == 1 && word(counted, 1) == 1 && word(counted, 2) == 1 && word(counted, 3) == 0);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(counted));
}

int main(void) {
    rig_open(&rig);
    RUN(every_node_of_a_graph_uses_the_other_buffer);
    RUN(every_node_of_an_exec_uses_the_other_buffer);
    RUN(a_graph_and_its_exec_are_changed_one_after_the_other);
    RUN(nodes_that_were_set_in_an_exec_are_changed_too);
    RUN(bodies_of_conditions_use_the_other_buffer);
    RUN(a_captured_graph_uses_the_other_buffer);
    RUN(the_old_buffer_is_let_go_and_the_new_one_is_kept);
    RUN(what_does_not_fit_is_refused);
    RUN(what_an_exec_does_must_be_known);
    RUN(grids_come_from_the_other_buffer);
    rig_close(&rig);
    return check_finish();
}
