/* Failures of nodes: whoever waits is told the reason, the node, the kernel and the graph. */
#include "../graph/nodes.h"

static struct rig rig;
static gc_module *module;
static gc_kernel *failing, *counting, *ending;

/* How a kernel fails. */
enum { RETURNS_IT, RETURNS_0, RETURNS_7, SUCCEEDS, HOWS = SUCCEEDS };

/* The last block fails. */
static int32_t kernel_failing(const gc_host_block *block, const void *const *arguments) {
    const uint32_t how = PARAMETER(uint32_t, 0);
    gc_status status = 7;
    if (how == SUCCEEDS || block->block_index[0] + 1 < block->grid_dim[0])
        return 0;
    if (how != RETURNS_7)
        status = gc_host_fail("the halo is empty");
    return how == RETURNS_0 ? 0 : status;
}

/* Sets the condition to 1 for ever, and fails in a later turn. */
static int32_t kernel_counting(const gc_host_block *block, const void *const *arguments) {
    uint32_t *count = PARAMETER(uint32_t *, 1);
    (void)block;
    if (++*count == 3)
        gc_host_fail("it does not converge");
    return gc_host_set_conditional(PARAMETER(gc_condition, 0), 1);
}

/* Ends its loop in the fifth turn. */
static int32_t kernel_ending(const gc_host_block *block, const void *const *arguments) {
    uint32_t *count = PARAMETER(uint32_t *, 1);
    (void)block;
    return gc_host_set_conditional(PARAMETER(gc_condition, 0), ++*count < 5);
}

static void setup(void) {
    static const size_t sizes[] = {sizeof(uint32_t)}, counting_sizes[] = {sizeof(gc_condition), sizeof(void *)};
    static const gc_host_kernel kernels[] = {
        {(uint32_t)sizeof(gc_host_kernel), 0, "failing", kernel_failing, sizes, 1, NULL, 0},
        {(uint32_t)sizeof(gc_host_kernel), 0, "counting", kernel_counting, counting_sizes, 2, NULL, 0},
        {(uint32_t)sizeof(gc_host_kernel), 0, "ending", kernel_ending, counting_sizes, 2, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.host_kernels = kernels;
    description.host_kernel_count = LENGTH_OF(kernels);
    rig_open(&rig);
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    failing = get_kernel(module, "failing");
    counting = get_kernel(module, "counting");
    ending = get_kernel(module, "ending");
}

static void teardown(void) {
    CHECK_OK(gc_kernel_destroy(ending));
    CHECK_OK(gc_kernel_destroy(counting));
    CHECK_OK(gc_kernel_destroy(failing));
    CHECK_OK(gc_module_destroy(module));
    rig_close(&rig);
}

static gc_node add_failing(const gc_graph *graph, const gc_node *after, uint32_t blocks, uint32_t how, const char *name) {
    const gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(how);
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(blocks, 1);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_kernel_node(graph, after, after != NULL, failing, &config, &argument, 1, &node));
    REQUIRE_OK(gc_node_set_name(graph, node, name));
    return node;
}

/* Waits, and looks for each word in the message. */
static void expect(gc_status expected, const char *const *words, size_t count) {
    char message[1024] = "";
    size_t i;
    CHECK_STATUS(gc_stream_synchronize(rig.stream), expected);
    gc_last_error_message(message, sizeof message, NULL);
    for (i = 0; i < count; i++) {
        CHECK(check_contains(message, words[i]));
        if (!check_contains(message, words[i]))
            fprintf(stderr, "  '%s' is not in: %s\n", words[i], message);
    }
}

/* As messages tell a node. */
static const char *told(char *text, size_t size, gc_node node, const char *name) {
    snprintf(text, size, "node 0x%llx \"%s\" ", (unsigned long long)node, name);
    return text;
}

/* The nodes come to lie elsewhere in the exec: one before was removed. */
static void the_node_is_told(uint32_t blocks, uint32_t how, int before_launch, uint32_t flags) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    gc_node gone, first, second, last;
    char node[96], block[32];
    const char *words[] = {node, block, "of graph \"time step\" failed", how == RETURNS_7 ? "kernel 'failing' returned 7 in block (" :
                           "kernel 'failing' failed in block (", how == RETURNS_7 ? "gc_context_reset()" : "the halo is empty"};
    snprintf(block, sizeof block, "in block (%u, 0, 0)", (unsigned)blocks - 1);
    setup();
    graph = open_graph(rig.context);
    options.flags = flags;
    gone = add_failing(graph, NULL, 1, SUCCEEDS, "gone");
    first = add_failing(graph, NULL, 1, SUCCEEDS, "prepare");
    REQUIRE_OK(gc_graph_remove_node(graph, gone));
    second = add_failing(graph, &first, blocks, how, "fill halo");
    last = add_failing(graph, &second, 1, how == RETURNS_0 ? RETURNS_7 : SUCCEEDS, "finish");
    add_failing(graph, &last, 2, SUCCEEDS, "in several blocks");
    REQUIRE_OK(gc_graph_instantiate(graph, &options, &exec));
    REQUIRE_OK(gc_set_name(graph, "time step"));
    told(node, sizeof node, second, "fill halo");
    if (before_launch)
        REQUIRE_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    REQUIRE_OK(gc_graph_exec_destroy(exec));
    expect(how == RETURNS_7 ? GRAPHCAP_ERROR_ILLEGAL_ADDRESS : GRAPHCAP_ERROR_CALLBACK, words, LENGTH_OF(words));
    if (!before_launch)
        REQUIRE_OK(gc_graph_destroy(graph));
    teardown();
}

static void nodes_are_told(void) {
    uint32_t how, blocks;
    NOT_ON_CUDA("its kernels run on the GPU");
    for (how = 0; how < HOWS; how++) {
        for (blocks = 1; blocks <= 9; blocks += 8) {
            the_node_is_told(blocks, how, 0, 0);
            the_node_is_told(blocks, how, 1, 0);
            the_node_is_told(blocks, how, 0, GRAPHCAP_INSTANTIATE_WATCH);
        }
    }
}

/* In a graph without names, and of one that was recorded. */
static void recorded_nodes_are_told(void) {
    const uint32_t how = RETURNS_0;
    const gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(how);
    gc_graph_exec *exec;
    const char *words[] = {"node 0x", " of a graph failed: kernel 'failing' failed in block (0, 0, 0): the halo is empty"};
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch(rig.stream, failing, 1, 1, &argument, 1));
    exec = finish_capture(rig.stream);
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    expect(GRAPHCAP_ERROR_CALLBACK, words, LENGTH_OF(words));
    CHECK_OK(gc_graph_exec_destroy(exec));
    teardown();
}

static void nodes_of_children_are_told(void) {
    gc_graph *graph, *child;
    gc_graph_exec *exec;
    gc_node parent = 0;
    const char *words[] = {"\"fill halo\" of graph \"time step\" failed: kernel 'failing' failed in block (0, 0, 0): the halo is empty"};
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    graph = open_graph(rig.context);
    child = open_graph(rig.context);
    add_failing(child, NULL, 1, RETURNS_0, "fill halo");
    REQUIRE_OK(gc_set_name(graph, "time step"));
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &parent));
    exec = open_exec(graph);
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    expect(GRAPHCAP_ERROR_CALLBACK, words, LENGTH_OF(words));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    teardown();
}

/* A graph of the loop "until it is done", in whose body one kernel counts turns. "counting" fails in the third, and "ending" ends the
 * loop in the fifth. */
struct loop {
    gc_graph *graph, *body;
    gc_node node;
    gc_condition condition;
    uint32_t count, *counts;
};

static void loop_open(struct loop *it, const gc_kernel *kernel) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_kernel_arg arguments[2];
    gc_node node = 0;
    it->graph = open_graph(rig.context);
    it->count = 0;
    it->counts = &it->count;
    REQUIRE_OK(gc_set_name(it->graph, "time step"));
    REQUIRE_OK(gc_graph_create_condition(it->graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &it->condition));
    REQUIRE_OK(gc_graph_add_conditional_node(it->graph, NULL, 0, it->condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &it->node));
    REQUIRE_OK(gc_node_set_name(it->graph, it->node, "until it is done"));
    REQUIRE_OK(gc_node_get_graph(it->graph, it->node, 0, &it->body));
    {
        const gc_kernel_arg first = GRAPHCAP_ARG_INIT_VALUE(it->condition), second = GRAPHCAP_ARG_INIT_VALUE(it->counts);
        arguments[0] = first;
        arguments[1] = second;
    }
    REQUIRE_OK(gc_graph_add_kernel_node(it->body, NULL, 0, kernel, &config, arguments, 2, &node));
    REQUIRE_OK(gc_node_set_name(it->body, node, "relax"));
}

static void loop_close(struct loop *it) {
    CHECK_OK(gc_graph_destroy(it->body));
    CHECK_OK(gc_graph_destroy(it->graph));
}

/* The loop would go on for ever. */
static void the_turn_of_a_loop_is_told(void) {
    struct loop loop;
    gc_graph_exec *exec;
    char text[96];
    const char *words[] = {"\"relax\" of graph \"time step\" failed, in turn 3 of body 0 of ", text,
                           ": kernel 'counting' failed in block (0, 0, 0): it does not converge"};
    NOT_ON_CUDA("its kernels run on the GPU");
    setup();
    loop_open(&loop, counting);
    snprintf(text, sizeof text, "node 0x%llx \"until it is done\"", (unsigned long long)loop.node);
    exec = open_exec(loop.graph);
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    expect(GRAPHCAP_ERROR_CALLBACK, words, LENGTH_OF(words));
    CHECK_OK(gc_graph_exec_destroy(exec));
    loop_close(&loop);
    teardown();
}

static gc_graph_exec *open_limited(const struct loop *loop, uint64_t limit) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL;
    options.turn_limit = limit;
    REQUIRE_OK(gc_graph_instantiate(loop->graph, &options, &exec));
    return exec;
}

static void a_loop_ends_at_its_limit_of_turns(void) {
    struct loop loop;
    gc_graph_exec *exec;
    int launch;
    char text[96];
    const char *words[] = {text, "of graph \"time step\" failed: the loop has had 4 turns", "gc_instantiate_options::turn_limit"};
    NOT_ON_CUDA("its driver counts no turns");
    setup();
    loop_open(&loop, ending);
    exec = open_limited(&loop, 5);
    /* Each launch counts anew. */
    for (launch = 0; launch < 2; launch++) {
        loop.count = 0;
        REQUIRE_OK(gc_graph_launch(exec, rig.stream));
        REQUIRE_OK(gc_stream_synchronize(rig.stream));
        CHECK(loop.count == 5);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    exec = open_limited(&loop, 4);
    loop.count = 0;
    snprintf(text, sizeof text, "node 0x%llx \"until it is done\"", (unsigned long long)loop.node);
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    expect(GRAPHCAP_ERROR_LAUNCH_FAILED, words, LENGTH_OF(words));
    CHECK(loop.count == 4);
    CHECK_OK(gc_graph_exec_destroy(exec));
    loop_close(&loop);
    teardown();
}

static void a_driver_counts_no_turns(void) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL;
    gc_graph *graph;
    NOT_ON_HOST("it counts them");
    rig_open(&rig);
    graph = open_graph(rig.context);
    options.turn_limit = 1;
    CHECK_MESSAGE(gc_graph_instantiate(graph, &options, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, "counts no turns");
    CHECK(exec == NULL);
    CHECK_OK(gc_graph_destroy(graph));
    rig_close(&rig);
}

static void fail(void *reason) {
    const gc_status status = gc_host_fail((const char *)reason);
    CHECK(status == GRAPHCAP_ERROR_CALLBACK);
}

static void host_functions_are_told(void) {
    char reason[] = "the disk is full", text[96];
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_node first, node = 0;
    const char *words[] = {text, "of graph \"time step\" failed: a host function failed: the disk is full"};
    NOT_ON_CUDA("a GPU does not tell the node");
    setup();
    graph = open_graph(rig.context);
    first = add_failing(graph, NULL, 1, SUCCEEDS, "prepare");
    REQUIRE_OK(gc_graph_add_host_node(graph, &first, 1, fail, reason, NULL, &node));
    REQUIRE_OK(gc_node_set_name(graph, node, "save"));
    REQUIRE_OK(gc_set_name(graph, "time step"));
    told(text, sizeof text, node, "save");
    exec = open_exec(graph);
    REQUIRE_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    expect(GRAPHCAP_ERROR_CALLBACK, words, LENGTH_OF(words));
    CHECK_OK(gc_graph_exec_destroy(exec));
    teardown();
}

int main(void) {
    RUN(nodes_are_told);
    RUN(recorded_nodes_are_told);
    RUN(nodes_of_children_are_told);
    RUN(the_turn_of_a_loop_is_told);
    RUN(a_loop_ends_at_its_limit_of_turns);
    RUN(a_driver_counts_no_turns);
    RUN(host_functions_are_told);
    return check_finish();
}
