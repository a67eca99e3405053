/* Kernel nodes that take their grids from scalars: in each replay, in copies, children and texts, in several execs at once; and what
 * a CUDA device refuses. */
#include "../graph/nodes.h"

enum { WORDS = 16 };

static struct rig rig;

static gc_scalar *open_u32(uint32_t value) {
    gc_scalar *scalar = NULL;
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &value, &scalar));
    return scalar;
}

static void set_u32(const gc_scalar *scalar, const gc_stream *stream, uint32_t value) {
    CHECK_OK(gc_scalar_update(scalar, stream, GRAPHCAP_SCALAR_U32, &value));
}

/* Adds 1 to as many of the first words of a buffer as the launch has blocks; its own grid has 3. */
static gc_node add_blocks(const gc_graph *graph, const gc_node *dependencies, size_t count, const gc_buffer *buffer) {
    const gc_launch_config three = GRAPHCAP_LAUNCH_CONFIG(3, 1);
    struct kernel_call call;
    gc_node node = 0;
    call_add(&call, &rig, buffer, 0, 1);
    call.config = three;
    call.words = WORDS;
    REQUIRE_OK(add_kernel(graph, dependencies, count, &call, &node));
    return node;
}

static void clear_blocks(const gc_buffer *buffer) {
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, WORDS));
}

/* How many of the first words of a buffer are 1; those behind must be 0. */
static uint32_t counted(const gc_stream *stream, const gc_buffer *buffer) {
    uint32_t words[WORDS], blocks = 0, i;
    CHECK_OK(gc_stream_memcpy_dtoh(stream, words, buffer, 0, sizeof words));
    CHECK_OK(gc_stream_synchronize(stream));
    while (blocks < WORDS && words[blocks] == 1)
        blocks++;
    for (i = blocks; i < WORDS; i++)
        CHECK(words[i] == 0);
    return blocks;
}

/* How many blocks the next replay of an exec has. */
static uint32_t blocks_of_exec(const gc_graph_exec *exec, const gc_buffer *buffer) {
    clear_blocks(buffer);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    return counted(rig.stream, buffer);
}

/* The same of a new exec of a graph. */
static uint32_t blocks_of(const gc_graph *graph, const gc_buffer *buffer) {
    gc_graph_exec *exec = open_exec(graph);
    const uint32_t blocks = blocks_of_exec(exec, buffer);
    CHECK_OK(gc_graph_exec_destroy(exec));
    return blocks;
}

static void each_replay_takes_the_size(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4 * WORDS);
    gc_graph *graph = open_graph(rig.context);
    gc_scalar *scalar = open_u32(2), *rate = NULL;
    const float half = 0.5f;
    const gc_node node = add_blocks(graph, NULL, 0, buffer);
    gc_node empty = 0;
    gc_graph_exec *before = open_exec(graph), *exec;
    struct kernel_call call;
    char text[4096];
    REQUIRE_OK(gc_node_set_grid_scalar(graph, node, 0, scalar));
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_F32, &half, &rate));
    CHECK_MESSAGE(gc_node_set_grid_scalar(graph, node, 0, rate), GRAPHCAP_ERROR_INVALID_VALUE, "of type f32");
    CHECK_MESSAGE(gc_node_set_grid_scalar(graph, node, 3, scalar), GRAPHCAP_ERROR_INVALID_VALUE, "no axis 3");
    CHECK_OK(gc_scalar_destroy(rate));
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &empty));
    CHECK_STATUS(gc_node_set_grid_scalar(graph, empty, 0, scalar), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_KERNEL_NODE_PARAMS, text, sizeof text, NULL));
    CHECK(check_contains(text, "grid 3x1x1 with x from"));
    CHECK(blocks_of(graph, buffer) == 2);
    CHECK(blocks_of_exec(before, buffer) == 3);
    CHECK_OK(gc_graph_exec_destroy(before));
    exec = open_exec(graph);
    /* Each replay takes the number that was written before it, and none does nothing. */
    clear_blocks(buffer);
    set_u32(scalar, rig.stream, 5);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    set_u32(scalar, rig.stream, 0);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    set_u32(scalar, rig.stream, 1);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 2 && read_u32(rig.stream, buffer, 4) == 1);
    CHECK(read_u32(rig.stream, buffer, 5) == 0);
    set_u32(scalar, rig.stream, 7);
    CHECK(blocks_of_exec(exec, buffer) == 7);
    /* The graph and the exec keep the scalar. */
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK(blocks_of_exec(exec, buffer) == 7);
    CHECK(blocks_of(graph, buffer) == 7);
    /* Until the node gets a grid of its own. */
    call_add(&call, &rig, buffer, 0, 1);
    call.words = 1;
    CHECK_OK(set_kernel(graph, node, &call));
    CHECK(blocks_of(graph, buffer) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(blocks_of_exec(exec, buffer) == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Writes a graph whose node takes its grid from the scalar as a text, and runs what is read back. */
static void read_back_with_its_grid(const gc_graph *graph, const gc_scalar *scalar, gc_buffer *buffer, uint32_t blocks) {
    static char text[4096], again[4096];
    gc_buffer *block = NULL;
    size_t offset = 0;
    gc_graph *read = NULL;
    REQUIRE_OK(gc_scalar_buffer(scalar, &block, &offset));
    CHECK_OK(gc_set_name(block, "blocks"));
    CHECK_OK(gc_set_name(buffer, "words"));
    {
        const gc_graph_binding bindings[3] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "blocks", block),
                                              GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer),
                                              GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "add", rig.add)};
        CHECK_OK(gc_graph_export_json(graph, text, sizeof text, NULL));
        CHECK(check_contains(text, "grid_from"));
        REQUIRE_OK(gc_graph_import_json(rig.context, text, strlen(text), bindings, 3, &read));
    }
    CHECK_OK(gc_graph_export_json(read, again, sizeof again, NULL));
    CHECK(strcmp(text, again) == 0);
    CHECK(blocks_of(read, buffer) == blocks);
    CHECK_OK(gc_graph_destroy(read));
    CHECK_OK(gc_buffer_destroy(block));
}

static void copies_children_and_texts_take_it_along(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4 * WORDS);
    gc_graph *graph = open_graph(rig.context), *parent = open_graph(rig.context), *clone = NULL, *of_clone = NULL, *within = NULL;
    gc_scalar *scalar = open_u32(4);
    gc_node node = add_blocks(graph, NULL, 0, buffer), child = 0, found = 0;
    size_t count = 0;
    char text[4096];
    REQUIRE_OK(gc_node_set_grid_scalar(graph, node, 0, scalar));
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    REQUIRE_OK(gc_graph_clone(clone, &of_clone));
    CHECK(blocks_of(clone, buffer) == 4);
    CHECK(blocks_of(of_clone, buffer) == 4);
    CHECK_OK(gc_graph_diff(graph, of_clone, text, sizeof text, NULL));
    CHECK(text[0] == '\0');
    read_back_with_its_grid(graph, scalar, buffer, 4);
    /* A child, and children of copies. */
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &child));
    CHECK(blocks_of(parent, buffer) == 4);
    CHECK_OK(gc_graph_destroy(of_clone));
    REQUIRE_OK(gc_graph_clone(parent, &of_clone));
    CHECK(blocks_of(of_clone, buffer) == 4);
    CHECK_OK(gc_graph_destroy(clone));
    REQUIRE_OK(gc_graph_clone(of_clone, &clone));
    set_u32(scalar, rig.stream, 6);
    CHECK(blocks_of(clone, buffer) == 6);
    /* The node within the child gets a grid of its own, and one from the scalar again. */
    REQUIRE_OK(gc_node_get_graph(parent, child, 0, &within));
    REQUIRE_OK(gc_graph_get_nodes(within, &found, 1, &count));
    CHECK(count == 1);
    {
        struct kernel_call call;
        call_add(&call, &rig, buffer, 0, 1);
        CHECK_OK(set_kernel(within, found, &call));
        CHECK(blocks_of(parent, buffer) == 1);
    }
    CHECK_OK(gc_node_set_grid_scalar(within, found, 0, scalar));
    CHECK(blocks_of(parent, buffer) == 1);
    set_u32(scalar, rig.stream, 0);
    CHECK(blocks_of(parent, buffer) == 0);
    CHECK_OK(gc_graph_destroy(within));
    /* Another child, and none. */
    set_u32(scalar, rig.stream, 5);
    CHECK_OK(gc_node_set_child(parent, child, graph));
    CHECK(blocks_of(parent, buffer) == 5);
    CHECK_OK(gc_graph_remove_node(parent, child));
    CHECK(blocks_of(parent, buffer) == 0);
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(of_clone));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A node of the graph writes the scalar, and another one reads what the sized one wrote. */
static void a_node_before_decides(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4 * WORDS), *block = NULL;
    gc_graph *graph = open_graph(rig.context);
    gc_scalar *scalar = open_u32(1);
    size_t offset = 0;
    gc_node clear = 0, write = 0, blocks, before[2];
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_scalar_buffer(scalar, &block, &offset));
    {
        const gc_memset_params zeros = GRAPHCAP_MEMSET_INIT(buffer, 0, 0, 4, WORDS, 1, 0);
        const gc_memset_params nine = GRAPHCAP_MEMSET_INIT(block, offset, 9, 4, 1, 1, 0);
        REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &zeros, &clear));
        REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &nine, &write));
    }
    before[0] = clear;
    before[1] = write;
    blocks = add_blocks(graph, before, 2, buffer);
    REQUIRE_OK(gc_node_set_grid_scalar(graph, blocks, 0, scalar));
    add_node(&rig, graph, &blocks, 1, buffer, WORDS - 1, 1);
    run_graph(&rig, graph);
    CHECK(read_u32(rig.stream, buffer, 8) == 1 && read_u32(rig.stream, buffer, 9) == 0);
    CHECK(read_u32(rig.stream, buffer, WORDS - 1) == 1);
    /* Also where marks stand behind the nodes. */
    options.flags = GRAPHCAP_INSTANTIATE_WATCH;
    REQUIRE_OK(gc_graph_instantiate(graph, &options, &exec));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 8) == 1 && read_u32(rig.stream, buffer, 9) == 0);
    CHECK(read_u32(rig.stream, buffer, WORDS - 1) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(block));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Two execs of one graph on two streams, each launch with another size, and several axes. */
static void execs_have_sizes_of_their_own(void) {
    enum { EXECS = 2, ROUNDS = 40 };
    const gc_launch_config whole = GRAPHCAP_LAUNCH_CONFIG(3, 1);
    gc_scalar *sizes[EXECS][3];
    gc_buffer *buffers[EXECS];
    gc_graph *graphs[EXECS];
    gc_graph_exec *execs[EXECS];
    gc_stream *streams[EXECS];
    struct kernel_call call;
    gc_node node = 0;
    uint32_t i, axis, round;
    for (i = 0; i < EXECS; i++) {
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        buffers[i] = open_buffer(rig.context, 4 * WORDS);
        graphs[i] = open_graph(rig.context);
        call_add(&call, &rig, buffers[i], 0, 1);
        call.config = whole;
        call.words = WORDS;
        REQUIRE_OK(add_kernel(graphs[i], NULL, 0, &call, &node));
        for (axis = 0; axis < 3; axis++) {
            sizes[i][axis] = open_u32(1);
            REQUIRE_OK(gc_node_set_grid_scalar(graphs[i], node, axis, sizes[i][axis]));
        }
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < EXECS; i++)
        execs[i] = open_exec(graphs[i]);
    for (round = 0; round < ROUNDS; round++) {
        for (i = 0; i < EXECS; i++) {
            CHECK_OK(gc_stream_memset(streams[i], buffers[i], 0, 0, 4, WORDS));
            set_u32(sizes[i][0], streams[i], (round + 5 * i) % WORDS);
            CHECK_OK(gc_graph_launch(execs[i], streams[i]));
        }
        for (i = 0; i < EXECS; i++)
            CHECK(counted(streams[i], buffers[i]) == ((round + 5 * i) % WORDS));
    }
    /* A 0 along one axis is enough for no block. */
    set_u32(sizes[0][0], streams[0], 4);
    set_u32(sizes[0][2], streams[0], 0);
    CHECK_OK(gc_stream_memset(streams[0], buffers[0], 0, 0, 4, WORDS));
    CHECK_OK(gc_graph_launch(execs[0], streams[0]));
    CHECK(counted(streams[0], buffers[0]) == 0);
    for (i = 0; i < EXECS; i++) {
        CHECK_OK(gc_graph_exec_destroy(execs[i]));
        CHECK_OK(gc_graph_destroy(graphs[i]));
        for (axis = 0; axis < 3; axis++)
            CHECK_OK(gc_scalar_destroy(sizes[i][axis]));
        CHECK_OK(gc_buffer_destroy(buffers[i]));
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
}

/* Updates and edits of execs, which a CUDA device refuses, and what there is in their place. */
static void an_exec_follows_its_graph(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4 * WORDS);
    gc_graph *graph = open_graph(rig.context), *plain = open_graph(rig.context);
    gc_scalar *scalar = open_u32(2);
    const gc_node node = add_blocks(graph, NULL, 0, buffer);
    const gc_status refused = on_cuda() ? GRAPHCAP_ERROR_NOT_SUPPORTED : GRAPHCAP_SUCCESS;
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    gc_graph_exec *exec, *other;
    struct kernel_call call;
    int32_t is_enabled = 0;
    add_blocks(plain, NULL, 0, buffer);
    other = open_exec(plain);
    REQUIRE_OK(gc_node_set_grid_scalar(graph, node, 0, scalar));
    exec = open_exec(graph);
    CHECK(blocks_of_exec(exec, buffer) == 2);
    /* Applied, an exec is made anew where it cannot be updated, and nothing is done where nothing changed. */
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, &report));
    CHECK(report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING);
    CHECK_STATUS(gc_graph_exec_update(other, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), refused);
    CHECK_STATUS(gc_graph_exec_update(other, graph, 0, NULL), refused);
    CHECK(blocks_of_exec(other, buffer) == (on_cuda() ? 3 : 2));
    CHECK_OK(gc_graph_exec_apply(other, graph, NULL, &report));
    CHECK(blocks_of_exec(other, buffer) == 2);
    CHECK_STATUS(gc_graph_exec_update(exec, plain, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), refused);
    CHECK_STATUS(gc_graph_exec_update(exec, plain, 0, NULL), refused);
    CHECK(blocks_of_exec(exec, buffer) == (on_cuda() ? 2 : 3));
    CHECK_OK(gc_graph_exec_apply(exec, plain, NULL, &report));
    CHECK(blocks_of_exec(exec, buffer) == 3);
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, &report));
    CHECK(blocks_of_exec(exec, buffer) == 2);
    call_add(&call, &rig, buffer, 0, 1);
    call.words = 5;
    if (on_cuda()) {
        options.flags = GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW;
        CHECK_STATUS(gc_graph_exec_apply(exec, plain, &options, &report), GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK_MESSAGE(gc_graph_exec_update(exec, graph, 0, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED, "takes its grid from a scalar");
        CHECK_MESSAGE(exec_set_kernel(exec, node, &call), GRAPHCAP_ERROR_NOT_SUPPORTED, "takes its grid from a scalar");
        CHECK_MESSAGE(gc_graph_exec_set_node_enabled(exec, node, 0), GRAPHCAP_ERROR_NOT_SUPPORTED, "takes its grid from a scalar");
        CHECK_STATUS(gc_graph_exec_is_node_enabled(exec, node, &is_enabled), GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK(blocks_of_exec(exec, buffer) == 2);
        CHECK_OK(set_kernel(graph, node, &call));
        CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, &report));
        CHECK(report.route == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW);
    } else {
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 0));
        CHECK(blocks_of_exec(exec, buffer) == 0);
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, node, 1));
        CHECK_OK(exec_set_kernel(exec, node, &call));
    }
    CHECK(blocks_of_exec(exec, buffer) == 5);
    CHECK_OK(gc_graph_exec_destroy(other));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(plain));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Graphs that lie deeper, children of execs, and execs that kernels launch. */
static void what_a_cuda_device_refuses(void) {
    gc_buffer *buffer;
    gc_graph *graph, *middle, *outer, *within = NULL;
    gc_scalar *scalar;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL, *outermost;
    gc_node node, child = 0, found = 0;
    NOT_ON_HOST("the host device has no such limits");
    buffer = open_buffer(rig.context, 4 * WORDS);
    graph = open_graph(rig.context);
    middle = open_graph(rig.context);
    outer = open_graph(rig.context);
    scalar = open_u32(2);
    node = add_blocks(graph, NULL, 0, buffer);
    REQUIRE_OK(gc_node_set_grid_scalar(graph, node, 0, scalar));
    options.flags = GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
    CHECK_MESSAGE(gc_graph_instantiate(graph, &options, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, "takes its grid from a scalar");
    /* One level deep is the limit. */
    REQUIRE_OK(gc_graph_add_child_node(middle, NULL, 0, graph, &child));
    CHECK_MESSAGE(gc_graph_add_child_node(outer, NULL, 0, middle, &found), GRAPHCAP_ERROR_NOT_SUPPORTED, "lies deeper");
    CHECK(nodes_of(outer) == 0);
    REQUIRE_OK(gc_node_get_graph(middle, child, 0, &within));
    CHECK_MESSAGE(gc_graph_add_child_node(within, NULL, 0, graph, &found), GRAPHCAP_ERROR_NOT_SUPPORTED, "lies deeper");
    CHECK_OK(gc_graph_destroy(within));
    CHECK(blocks_of(middle, buffer) == 2);
    /* A child of an exec alone would keep its grid. */
    {
        gc_graph *plain = open_graph(rig.context);
        add_blocks(plain, NULL, 0, buffer);
        REQUIRE_OK(gc_graph_add_child_node(outer, NULL, 0, plain, &found));
        outermost = open_exec(outer);
        CHECK_STATUS(gc_graph_exec_set_child_node(outermost, found, graph), GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK(blocks_of_exec(outermost, buffer) == 3);
        CHECK_OK(gc_graph_exec_destroy(outermost));
        CHECK_OK(gc_graph_destroy(plain));
    }
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(middle));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A body, and a graph that has one, which cannot be copied. */
static void conditions_exclude_sizes(void) {
    gc_buffer *buffer;
    gc_graph *graph, *body = NULL;
    gc_scalar *scalar;
    gc_condition condition = 0;
    gc_graph_exec *exec = NULL;
    gc_node node, found, conditional = 0;
    NOT_ON_HOST("the host device has no such limits");
    buffer = open_buffer(rig.context, 4 * WORDS);
    graph = open_graph(rig.context);
    scalar = open_u32(2);
    node = add_blocks(graph, NULL, 0, buffer);
    REQUIRE_OK(gc_node_set_grid_scalar(graph, node, 0, scalar));
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &conditional));
    REQUIRE_OK(gc_node_get_graph(graph, conditional, 0, &body));
    found = add_blocks(body, NULL, 0, buffer);
    CHECK_MESSAGE(gc_node_set_grid_scalar(body, found, 0, scalar), GRAPHCAP_ERROR_NOT_SUPPORTED, "conditional's body");
    CHECK_MESSAGE(gc_graph_instantiate(graph, NULL, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, "copy of the graph");
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK(blocks_of(graph, buffer) == 3);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_cooperative_kernel_is_refused(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4 * WORDS);
    gc_graph *graph = open_graph(rig.context);
    gc_scalar *scalar = open_u32(2);
    const gc_node node = add_blocks(graph, NULL, 0, buffer);
    gc_launch_attribute_value value;
    memset(&value, 0, sizeof value);
    value.number = 1;
    CHECK_OK(gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    CHECK_MESSAGE(gc_node_set_grid_scalar(graph, node, 0, scalar), GRAPHCAP_ERROR_NOT_SUPPORTED, "cooperative");
    CHECK(blocks_of(graph, buffer) == 3);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* On a GPU fault_grid.c tells. */
static void a_grid_that_cannot_be_faults_the_context(void) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const uint32_t most = 65536;
    struct rig own;
    gc_buffer *buffer;
    gc_graph *graph;
    gc_scalar *scalar = NULL;
    gc_graph_exec *exec;
    struct kernel_call call;
    gc_node node = 0;
    NOT_ON_CUDA(FAULTS_STAY);
    rig_open(&own);
    buffer = open_buffer(own.context, 64);
    graph = open_graph(own.context);
    REQUIRE_OK(gc_scalar_create(own.stream, GRAPHCAP_SCALAR_U32, &most, &scalar));
    call_add(&call, &own, buffer, 0, 1);
    call.config = one;
    REQUIRE_OK(add_kernel(graph, NULL, 0, &call, &node));
    CHECK_OK(gc_node_set_grid_scalar(graph, node, 1, scalar));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_launch(exec, own.stream));
    CHECK_MESSAGE(gc_stream_synchronize(own.stream), GRAPHCAP_ERROR_LAUNCH_FAILED, "kernel 'add'");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&own);
}

/* A driver before CUDA 12.4 has no nodes that kernels change, and says so when a grid is set. */
static int driver_is_older(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4 * WORDS);
    gc_graph *graph = open_graph(rig.context);
    gc_scalar *scalar = open_u32(2);
    const gc_status status = gc_node_set_grid_scalar(graph, add_blocks(graph, NULL, 0, buffer), 0, scalar);
    const int is_older = is_of_older_driver(status);
    CHECK(blocks_of(graph, buffer) == (is_older ? 3 : 2));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
    return is_older;
}

int main(void) {
    rig_open(&rig);
    if (!driver_is_older()) {
        RUN(each_replay_takes_the_size);
        RUN(copies_children_and_texts_take_it_along);
        RUN(a_node_before_decides);
        RUN(execs_have_sizes_of_their_own);
        RUN(an_exec_follows_its_graph);
        RUN(what_a_cuda_device_refuses);
        RUN(conditions_exclude_sizes);
        RUN(a_cooperative_kernel_is_refused);
        RUN(a_grid_that_cannot_be_faults_the_context);
    }
    rig_close(&rig);
    return check_finish();
}
