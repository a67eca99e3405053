/* Graphs and graph execs that others made by the driver, opened by graphcap. */
#include "drivers.h"

/* CUDA_MEMSET_NODE_PARAMS. */
struct fill {
    uint64_t address;
    size_t pitch;
    unsigned value, element_size;
    size_t width, height;
};

/* CUDA_KERNEL_NODE_PARAMS, version 2. */
struct launch {
    void *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    void *kernel, *context;
};

/* The driver's functions for graphs, as others call them. */
static struct {
    int (*create)(void **graph, unsigned flags);
    int (*nodes)(void *graph, void **nodes, size_t *count);
    int (*add_empty)(void **node, void *graph, void *const *dependencies, size_t count);
    int (*add_fill)(void **node, void *graph, void *const *dependencies, size_t count, const struct fill *fill, void *context);
    int (*add_launch)(void **node, void *graph, void *const *dependencies, size_t count, const struct launch *launch);
    int (*add_child)(void **node, void *graph, void *const *dependencies, size_t count, void *child);
    int (*destroy_node)(void *node);
    int (*allocate)(uint64_t *address, size_t bytes);
    int (*free)(uint64_t address);
    int (*load)(void **module, const char *image, unsigned count, unsigned *options, void **values);
    int (*unload)(void *module);
    int (*get_function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                  unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra);
} theirs;

static void *native_context;

static void theirs_open(void) {
    look_up("cuGraphCreate", &theirs.create);
    look_up("cuGraphGetNodes", &theirs.nodes);
    look_up("cuGraphAddEmptyNode", &theirs.add_empty);
    look_up("cuGraphAddMemsetNode", &theirs.add_fill);
    look_up("cuGraphAddKernelNode_v2", &theirs.add_launch);
    look_up("cuGraphAddChildGraphNode", &theirs.add_child);
    look_up("cuGraphDestroyNode", &theirs.destroy_node);
    look_up("cuMemAlloc_v2", &theirs.allocate);
    look_up("cuMemFree_v2", &theirs.free);
    look_up("cuModuleLoadDataEx", &theirs.load);
    look_up("cuModuleUnload", &theirs.unload);
    look_up("cuModuleGetFunction", &theirs.get_function);
    look_up("cuLaunchKernel", &theirs.launch);
    REQUIRE_OK(gc_context_native(rig.context, &native_context));
    CHECK(raw.push(native_context) == 0);
}

/* The work of filling 16 bytes of a buffer with words of `value`, of which `fill` has the parameters. */
static void fill_work(gc_work *work, gc_memset_params *fill, const gc_buffer *buffer, uint32_t value) {
    fill->buffer = buffer;
    fill->value = value;
    fill->element_size = 4;
    fill->width = 4;
    work->kind = GRAPHCAP_WORK_MEMSET;
    work->memset_params = fill;
}

static gc_context *open_other_context(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *other = NULL;
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    REQUIRE_OK(gc_context_create(&options, &other));
    return other;
}

static void theirs_close(void) {
    void *popped = NULL;
    CHECK(raw.pop(&popped) == 0);
}

/* Adds a node that fills 16 bytes at `address` with words of `value`, behind `before` if that is there. */
static void *add_fill(void *graph, void *before, uint64_t address, unsigned value) {
    struct fill fill = {0, 0, 0, 4, 4, 1};
    void *node = NULL;
    fill.address = address;
    fill.value = value;
    CHECK(theirs.add_fill(&node, graph, &before, before != NULL, &fill, native_context) == 0);
    return node;
}

static gc_graph *wrap(void *native, gc_ownership ownership) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_graph_wrap(rig.context, native, ownership, &graph));
    return graph;
}

static uint32_t word_at(uint64_t address) {
    gc_buffer *buffer = NULL;
    uint32_t word = 0;
    REQUIRE_OK(gc_buffer_wrap(rig.context, (void *)(uintptr_t)address, 16, NULL, NULL, &buffer));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &word, buffer, 0, sizeof word));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    return word;
}

/* Launches a graph on the stream of the test and expects what its last node writes. */
static void launch_expecting(const gc_graph *graph, uint64_t address, uint32_t expected) {
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(word_at(address) == expected);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static size_t count_nodes(const gc_graph *graph) {
    size_t count = 0;
    CHECK_OK(gc_graph_node_count(graph, &count));
    return count;
}

/* A graph of others is read, copied, written down, compared, instantiated and launched, and stays theirs. */
static void a_borrowed_graph_does_all_that_a_graph_does(void) {
    void *native = NULL, *first;
    uint64_t address = 0;
    gc_graph *graph, *clone = NULL;
    gc_node nodes[2];
    uint32_t kind = 0;
    size_t count = 0;
    char text[8192] = "";
    CHECK(theirs.allocate(&address, 16) == 0);
    CHECK(theirs.create(&native, 0) == 0);
    first = add_fill(native, NULL, address, 1);
    add_fill(native, first, address, 2);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 2, &count));
    CHECK(count == 2);
    CHECK_OK(gc_node_kind(graph, nodes[0], &kind));
    CHECK(kind == GRAPHCAP_NODE_MEMSET);
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    CHECK(strstr(text, "memset") != NULL);
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_graph_diff(graph, clone, text, sizeof text, NULL));
    CHECK(text[0] == '\0');
    launch_expecting(graph, address, 2);
    launch_expecting(clone, address, 2);
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(theirs.nodes(native, NULL, &count) == 0 && count == 2);
    CHECK(raw.graph_destroy(native) == 0);
    CHECK(theirs.free(address) == 0);
}

/* A graph that graphcap takes is destroyed with its last handle; a second handle is one of the same graph. */
static void a_taken_graph_goes_with_its_last_handle(void) {
    void *native = NULL, *again = NULL, *node = NULL;
    size_t count = 0;
    gc_graph *graph, *same;
    long live = stand_in.live(STAND_IN_GRAPHS);
    CHECK(theirs.create(&native, 0) == 0);
    CHECK(theirs.add_empty(&node, native, NULL, 0) == 0);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    same = wrap(native, GRAPHCAP_OWNERSHIP_TAKEN);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(theirs.nodes(native, NULL, &count) == 0 && count == 1);
    CHECK_OK(gc_graph_native(same, &again));
    CHECK(again == native);
    /* One of graphcap's own whose handle comes back stays its own. */
    graph = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    CHECK_OK(gc_graph_destroy(same));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(stand_in.live(STAND_IN_GRAPHS) == live);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_native(graph, &native));
    same = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(count_nodes(same) == 0);
    CHECK_OK(gc_graph_destroy(same));
    CHECK(stand_in.live(STAND_IN_GRAPHS) == live);
}

/* Others add and remove nodes while graphcap has the graph; graphcap adds some beside them, and they run it. */
static void both_sides_change_the_graph(void) {
    void *native = NULL, *exec = NULL, *first, *second;
    unsigned long long parameters[4] = {0, 0, 0, 0}; /* CUDA_GRAPH_INSTANTIATE_PARAMS */
    uint64_t address = 0;
    gc_graph *graph;
    gc_node nodes[4], node = 0;
    gc_memset_params fill = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_work work = GRAPHCAP_WORK_INIT;
    gc_buffer *buffer = open_buffer(rig.context, 16);
    size_t count = 0;
    CHECK(theirs.allocate(&address, 16) == 0);
    CHECK(theirs.create(&native, 0) == 0);
    first = add_fill(native, NULL, address, 1);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    second = add_fill(native, first, address, 2);
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 4, &count));
    CHECK(count == 2);
    CHECK(theirs.destroy_node(first) == 0);
    CHECK_MESSAGE(gc_graph_remove_node(graph, nodes[0]), GRAPHCAP_ERROR_INVALID_VALUE, "node");
    CHECK(count_nodes(graph) == 1);
    fill_work(&work, &fill, buffer, 7);
    CHECK_OK(gc_graph_add_node(graph, &nodes[1], NULL, 1, &work, &node));
    /* The driver's graph keeps the buffer, also when the handle is gone. */
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(theirs.nodes(native, NULL, &count) == 0 && count == 2);
    CHECK(raw.instantiate(&exec, native, parameters) == 0);
    CHECK(raw.launch(exec, native_stream(rig.stream)) == 0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(word_at(address) == 2);
    CHECK(raw.exec_destroy(exec) == 0);
    CHECK(raw.graph_destroy(native) == 0);
    CHECK(theirs.free(address) == 0);
    (void)second;
}

/* The graph keeps the buffers that its nodes name, and tells other memory that is gone. */
static void memory_of_the_nodes_is_kept_or_noted(void) {
    struct foreign foreign;
    unsigned released = 0;
    uint64_t address = 0, other = 0;
    void *native = NULL, *first;
    gc_buffer *buffer;
    gc_graph *graph;
    gc_finding finding;
    size_t count = 0;
    foreign_open(&foreign);
    buffer = wrap_foreign(rig.context, &foreign, &released);
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    CHECK(theirs.allocate(&other, 16) == 0);
    CHECK(theirs.create(&native, 0) == 0);
    first = add_fill(native, NULL, address, 1);
    add_fill(native, first, other, 2);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_TAKEN);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(count_of(&released) == 0);
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_ERROR, NULL, 0, &count));
    CHECK(count == 0);
    CHECK(theirs.free(other) == 0);
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_ERROR, &finding, 1, &count));
    CHECK(count == 1 && finding.kind == GRAPHCAP_FINDING_MEMORY_GONE && finding.address == other);
    CHECK_OK(gc_graph_destroy(graph));
    stand_in.settle();
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
}

/* An exec of others is launched; where its graph is known its nodes are set. */
static void execs_of_others_run_and_are_changed(void) {
    void *native = NULL, *native_exec = NULL;
    unsigned long long parameters[4] = {0, 0, 0, 0};
    uint64_t address = 0;
    gc_buffer *buffer = open_buffer(rig.context, 16);
    gc_graph *graph;
    gc_graph_exec *exec = NULL, *same = NULL;
    gc_context *other = open_other_context();
    gc_graph_exec_info info = GRAPHCAP_GRAPH_EXEC_INFO_INIT;
    gc_memset_params fill = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_work work = GRAPHCAP_WORK_INIT;
    gc_node node = 0;
    size_t count = 0;
    CHECK(theirs.allocate(&address, 16) == 0);
    CHECK(theirs.create(&native, 0) == 0);
    add_fill(native, NULL, address, 1);
    CHECK(raw.instantiate(&native_exec, native, parameters) == 0);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    CHECK_OK(gc_graph_get_nodes(graph, &node, 1, &count));
    fill_work(&work, &fill, buffer, 5);
    REQUIRE_OK(gc_graph_exec_wrap(rig.context, native_exec, GRAPHCAP_OWNERSHIP_BORROWED, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(word_at(address) == 1);
    CHECK_OK(gc_graph_upload(exec, rig.stream));
    CHECK_MESSAGE(gc_graph_exec_set_node(exec, node, &work), GRAPHCAP_ERROR_INVALID_VALUE, "gc_graph_exec_wrap()");
    REQUIRE_OK(gc_graph_exec_wrap(rig.context, native_exec, GRAPHCAP_OWNERSHIP_BORROWED, graph, &same));
    CHECK_OK(gc_graph_exec_destroy(same));
    CHECK_MESSAGE(gc_graph_exec_wrap(other, native_exec, GRAPHCAP_OWNERSHIP_TAKEN, NULL, &same), GRAPHCAP_ERROR_INVALID_CONTEXT,
                  "has a handle of another context");
    CHECK_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(gc_graph_exec_wrap(rig.context, native_exec, GRAPHCAP_OWNERSHIP_TAKEN, graph, &exec));
    CHECK_OK(gc_graph_exec_get_info(exec, &info));
    CHECK(info.node_count == 1);
    CHECK_OK(gc_graph_exec_set_node(exec, node, &work));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(other));
    /* Others may have launched the exec, so what it used goes with a wait for all work. */
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(raw.graph_destroy(native) == 0);
    CHECK(theirs.free(address) == 0);
}

/* Child graphs of others are read as graphs within, and all of it is optimised. */
static void graphs_within_are_read(void) {
    void *native = NULL, *child = NULL, *node = NULL, *behind[1];
    uint64_t addresses[2] = {0, 0};
    gc_graph *graph, *within = NULL, *optimized = NULL;
    gc_node nodes[3];
    size_t count = 0;
    CHECK(theirs.allocate(&addresses[0], 16) == 0);
    CHECK(theirs.allocate(&addresses[1], 16) == 0);
    CHECK(theirs.create(&child, 0) == 0);
    add_fill(child, NULL, addresses[0], 1);
    CHECK(theirs.create(&native, 0) == 0);
    behind[0] = add_fill(native, NULL, addresses[1], 2);
    CHECK(theirs.add_child(&node, native, behind, 1, child) == 0);
    CHECK(raw.graph_destroy(child) == 0);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_TAKEN);
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 3, &count));
    CHECK(count == 2);
    REQUIRE_OK(gc_node_get_graph(graph, nodes[1], 0, &within));
    CHECK(count_nodes(within) == 1);
    CHECK_OK(gc_graph_destroy(within));
    REQUIRE_OK(gc_graph_optimize(graph, NULL, &optimized, NULL, NULL));
    launch_expecting(optimized, addresses[0], 1);
    CHECK(word_at(addresses[1]) == 2);
    CHECK_OK(gc_graph_destroy(optimized));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(theirs.free(addresses[0]) == 0 && theirs.free(addresses[1]) == 0);
}

/* Opening a graph and checking it read each node once; the driver is asked once about each allocation, each word that is none, and each
 * function, however many nodes name them. A check of a chain reads kinds alone. */
static void what_nodes_have_in_common_is_asked_once(void) {
    enum { NODES = 40, PARAMETERS = 3, FORKS = 2 };
    static const char image[] = ".version 7.0\n.target sm_52\n.visible .entry touch(.param .u64 a, .param .u64 b, .param .u32 c) "
                                "{ ret; }\n";
    void *module = NULL, *function = NULL;
    uint64_t addresses[2] = {0, 0}, is_told;
    int forks;
    CHECK(theirs.load(&module, image, 0, NULL, NULL) == 0);
    CHECK(theirs.get_function(&function, module, "touch") == 0);
    CHECK(theirs.allocate(&addresses[0], 64) == 0 && theirs.allocate(&addresses[1], 64) == 0);
    for (forks = 1; forks <= FORKS; forks++) {
        void *native = NULL, *nodes[NODES];
        gc_graph *graph;
        gc_finding findings[NODES];
        size_t count = 0;
        unsigned least;
        int i;
        CHECK(theirs.create(&native, 0) == 0);
        for (i = 0; i < NODES; i++) {
            uint64_t address = addresses[i % 2] + 8 * (uint64_t)(i % 8), none = UINT64_C(0x123456789000) + (uint64_t)(i % 4);
            uint32_t number = 7;
            void *parameters[PARAMETERS];
            struct launch launch = {NULL, {1, 1, 1}, {1, 1, 1}, 0, NULL, NULL, NULL, NULL};
            launch.function = function;
            launch.parameters = parameters;
            parameters[0] = &address;
            parameters[1] = &none;
            parameters[2] = &number;
            CHECK(theirs.add_launch(&nodes[i], native, i < forks ? NULL : &nodes[i - forks], i >= forks, &launch) == 0);
        }
        stand_in.count(1);
        graph = wrap(native, GRAPHCAP_OWNERSHIP_TAKEN);
        stand_in.count(0);
        is_told = calls_of("cuFuncGetParamInfo") > 0;
        CHECK(calls_of("cuGraphNodeGetType") == NODES && calls_of("cuGraphKernelNodeGetParams_v2") == NODES);
        CHECK(calls_of("cuFuncGetParamInfo") <= PARAMETERS + 1);
        CHECK(calls_of("cuPointerGetAttributes") == (is_told ? 2 + 4 : 0));
        for (least = GRAPHCAP_SEVERITY_NOTE; least <= GRAPHCAP_SEVERITY_ERROR; least++) {
            const uint64_t read = least > GRAPHCAP_SEVERITY_NOTE && forks == 1 ? 0 : NODES;
            stand_in.count(1);
            CHECK_OK(gc_graph_check(graph, least, NULL, 0, &count));
            stand_in.count(0);
            CHECK(count == 0);
            CHECK(calls_of("cuGraphNodeGetType") == NODES && calls_of("cuGraphKernelNodeGetParams_v2") == read);
            CHECK(calls_of("cuFuncGetParamInfo") == 0 && calls_of("cuPointerGetAttributes") == (is_told ? 2 : 0));
        }
        CHECK(theirs.free(addresses[1]) == 0);
        CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_NOTE, findings, NODES, &count));
        CHECK(count == (is_told ? NODES / 2 : 0));
        CHECK(count == 0 || (findings[0].kind == GRAPHCAP_FINDING_MEMORY_GONE && findings[0].address == addresses[1] + 8));
        CHECK(theirs.allocate(&addresses[1], 64) == 0);
        CHECK_OK(gc_graph_destroy(graph));
    }
    stand_in.settle();
    CHECK(theirs.free(addresses[0]) == 0 && theirs.free(addresses[1]) == 0);
    CHECK(theirs.unload(module) == 0);
}

/* Its nodes are listed a few times for a text, however many there are: not once for each. */
static void a_text_of_a_borrowed_graph_lists_its_nodes_once(void) {
    enum { NODES = 60, MOST_LISTS = 20, TEXTS = 6 };
    static char text[400000];
    void *native = NULL, *node = NULL;
    uint64_t address = 0;
    gc_graph *graph;
    size_t needed;
    int i;
    CHECK(theirs.create(&native, 0) == 0 && theirs.allocate(&address, 16) == 0);
    for (i = 0; i < NODES; i++)
        node = add_fill(native, i % 3 == 0 ? NULL : node, address, 1);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_TAKEN);
    for (i = 0; i < TEXTS; i++) {
        gc_status status = GRAPHCAP_SUCCESS;
        stand_in.count(1);
        switch (i) {
        case 0: status = gc_graph_export_json(graph, text, sizeof text, &needed); break;
        case 1: status = gc_graph_export_dot(graph, 0, text, sizeof text, &needed); break;
        case 2: status = gc_graph_check_text(graph, GRAPHCAP_SEVERITY_NOTE, text, sizeof text, &needed); break;
        case 3: status = gc_graph_check_json(graph, GRAPHCAP_SEVERITY_NOTE, text, sizeof text, &needed); break;
        case 4: status = gc_graph_optimize_text(graph, NULL, text, sizeof text, &needed); break;
        default: status = gc_graph_diff(graph, graph, text, sizeof text, &needed); break;
        }
        stand_in.count(0);
        CHECK_OK(status);
        CHECK(calls_of("cuGraphGetNodes") > 0 && calls_of("cuGraphGetNodes") <= MOST_LISTS);
        /* What others add is in the next text. */
        node = add_fill(native, node, address, 1);
        CHECK(count_nodes(graph) == (size_t)(NODES + i + 1));
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(theirs.free(address) == 0);
}

/* A thread that is held within gc_graph_launch(). */
struct launching {
    gc_graph_exec *exec;
    gc_stream *stream;
    pthread_t thread;
};

static void *launch_once(void *argument) {
    const struct launching *launching = (const struct launching *)argument;
    CHECK_OK(gc_graph_launch(launching->exec, launching->stream));
    return NULL;
}

static void launching_begin(struct launching *launching) {
    gc_graph *graph = NULL;
    launching->exec = NULL;
    launching->stream = open_stream(rig.context, 0);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &launching->exec));
    CHECK_OK(gc_graph_destroy(graph));
    stand_in.block("cuGraphLaunch");
    REQUIRE_OK(pthread_create(&launching->thread, NULL, launch_once, launching));
    while (stand_in.blocked() == 0)
        pause_ms(1);
}

static void launching_end(const struct launching *launching) {
    stand_in.block(NULL);
    pthread_join(launching->thread, NULL);
    CHECK_OK(gc_graph_exec_destroy(launching->exec));
    CHECK_OK(gc_stream_destroy(launching->stream));
}

static void *let_go_later(void *argument) {
    pause_ms(20);
    stand_in.block(NULL);
    return argument;
}

/* Others may destroy a borrowed graph, and have its handle again for another one, when gc_graph_destroy() returns. */
static void a_borrowed_graph_is_forgotten_beside_calls_of_other_threads(void) {
    struct launching launching;
    pthread_t letting_go;
    void *native = NULL;
    gc_context *other = open_other_context();
    gc_graph *graph, *again = NULL;
    CHECK(theirs.create(&native, 0) == 0);
    graph = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    CHECK_MESSAGE(gc_graph_wrap(other, native, GRAPHCAP_OWNERSHIP_BORROWED, &again), GRAPHCAP_ERROR_INVALID_CONTEXT,
                  "has a handle of another context");
    launching_begin(&launching);
    REQUIRE_OK(pthread_create(&letting_go, NULL, let_go_later, NULL));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_wrap(other, native, GRAPHCAP_OWNERSHIP_BORROWED, &again));
    pthread_join(letting_go, NULL);
    launching_end(&launching);
    CHECK_OK(gc_graph_destroy(again));
    CHECK(raw.graph_destroy(native) == 0);
    CHECK_OK(gc_context_destroy(other));
}

/* What is forgotten can be wrapped with its graph, by which its nodes are set then. */
static void a_borrowed_exec_is_forgotten_beside_calls_of_other_threads(void) {
    struct launching launching;
    pthread_t letting_go;
    unsigned long long parameters[4] = {0, 0, 0, 0};
    void *native_graph = NULL, *native = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 16);
    gc_memset_params fill = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_work work = GRAPHCAP_WORK_INIT;
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    uint64_t address = 0;
    gc_node node = 0;
    size_t count = 0;
    CHECK_OK(gc_buffer_address(buffer, &address));
    fill_work(&work, &fill, buffer, 5);
    CHECK(theirs.create(&native_graph, 0) == 0);
    add_fill(native_graph, NULL, address, 1);
    CHECK(raw.instantiate(&native, native_graph, parameters) == 0);
    graph = wrap(native_graph, GRAPHCAP_OWNERSHIP_BORROWED);
    CHECK_OK(gc_graph_get_nodes(graph, &node, 1, &count));
    REQUIRE_OK(gc_graph_exec_wrap(rig.context, native, GRAPHCAP_OWNERSHIP_BORROWED, NULL, &exec));
    launching_begin(&launching);
    REQUIRE_OK(pthread_create(&letting_go, NULL, let_go_later, NULL));
    CHECK_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(gc_graph_exec_wrap(rig.context, native, GRAPHCAP_OWNERSHIP_BORROWED, graph, &exec));
    pthread_join(letting_go, NULL);
    launching_end(&launching);
    CHECK_OK(gc_graph_exec_set_node(exec, node, &work));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(raw.exec_destroy(native) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(raw.graph_destroy(native_graph) == 0);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
}

/* A call that another thread is in may wait for the thread that destroys. */
static void no_destroy_waits_without_limit_for_calls_of_other_threads(void) {
    struct launching launching;
    unsigned long long parameters[4] = {0, 0, 0, 0};
    void *native = NULL, *native_exec = NULL;
    gc_graph *borrowed, *own = NULL;
    gc_graph_exec *borrowed_exec = NULL, *exec = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &own));
    REQUIRE_OK(gc_graph_instantiate(own, NULL, &exec));
    CHECK_OK(gc_graph_native(own, &native));
    CHECK_OK(gc_graph_exec_native(exec, &native_exec));
    CHECK(theirs.create(&native, 0) == 0);
    CHECK(raw.instantiate(&native_exec, native, parameters) == 0);
    borrowed = wrap(native, GRAPHCAP_OWNERSHIP_BORROWED);
    REQUIRE_OK(gc_graph_exec_wrap(rig.context, native_exec, GRAPHCAP_OWNERSHIP_BORROWED, NULL, &borrowed_exec));
    launching_begin(&launching);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(own));
    CHECK_OK(gc_graph_exec_destroy(borrowed_exec));
    CHECK_OK(gc_graph_destroy(borrowed));
    CHECK(stand_in.blocked() == 1);
    launching_end(&launching);
    stand_in.settle();
    CHECK(raw.exec_destroy(native_exec) == 0);
    CHECK(raw.graph_destroy(native) == 0);
}

static void handles_that_are_none_are_refused(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    void *unmapped = (void *)(uintptr_t)64, *native = NULL;
    CHECK_MESSAGE(gc_graph_wrap(rig.context, unmapped, GRAPHCAP_OWNERSHIP_BORROWED, &graph), GRAPHCAP_ERROR_INVALID_VALUE,
                  "no memory");
    CHECK_MESSAGE(gc_graph_exec_wrap(rig.context, unmapped, GRAPHCAP_OWNERSHIP_BORROWED, NULL, &exec),
                  GRAPHCAP_ERROR_INVALID_VALUE, "no memory");
    CHECK(theirs.create(&native, 0) == 0);
    CHECK_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_MESSAGE(gc_graph_exec_wrap(rig.context, native, GRAPHCAP_OWNERSHIP_BORROWED, graph, &exec),
                  GRAPHCAP_ERROR_INVALID_HANDLE, "graph");
    CHECK_MESSAGE(gc_graph_wrap(rig.context, native, 3, &graph), GRAPHCAP_ERROR_INVALID_VALUE, "ownership");
    CHECK(graph == NULL && exec == NULL);
    CHECK(raw.graph_destroy(native) == 0);
}

static void wrapped_graphs(const char *version) {
    open_driver(version);
    rig_open(&rig);
    theirs_open();
    RUN(a_borrowed_graph_does_all_that_a_graph_does);
    RUN(a_taken_graph_goes_with_its_last_handle);
    RUN(both_sides_change_the_graph);
    RUN(memory_of_the_nodes_is_kept_or_noted);
    RUN(execs_of_others_run_and_are_changed);
    RUN(graphs_within_are_read);
    RUN(what_nodes_have_in_common_is_asked_once);
    RUN(a_text_of_a_borrowed_graph_lists_its_nodes_once);
    RUN(a_borrowed_graph_is_forgotten_beside_calls_of_other_threads);
    RUN(a_borrowed_exec_is_forgotten_beside_calls_of_other_threads);
    RUN(no_destroy_waits_without_limit_for_calls_of_other_threads);
    RUN(handles_that_are_none_are_refused);
    theirs_close();
    rig_close(&rig);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(wrapped_graphs);
    return check_finish();
}
