/* Captures of work that others record: what their ends ask the driver, and that the graphs keep the memory that the work names. */
#include "harness.h"

enum { NODES = 40, PARAMETERS = 3 };

/* The driver does not tell the parameters of kernels. */
static int is_old;

static int (*launch_raw)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                     unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra);
static int (*load)(void **module, const char *image, unsigned count, unsigned *options, void **values);
static int (*unload)(void *module);
static int (*get_function)(void **function, void *module, const char *name);
static int (*capture_of)(void *stream, unsigned *status, uint64_t *id, void **graph, void *nodes, void *count);
static int (*add_child)(void **node, void *graph, void *const *dependencies, size_t count, void *child);
static void (*reuse_functions)(int on);

/* A context without memory, and a stream of others there. */
static gc_context *context;
static void *native_context, *native;
static gc_stream *theirs;

/* Two kernels of one name: one takes an address, a word and a count, the other one a block that has an address at its end. */
static const char first_image[] = ".version 7.0\n.target sm_52\n.visible .entry touch(.param .u64 a, .param .u32 b, "
                                  ".param .u64 c) { ret; }\n";
static const char second_image[] = ".version 7.0\n.target sm_52\n.visible .entry touch(.param .align 8 .b8 a[24]) { ret; }\n";

static void theirs_open(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    REQUIRE_OK(gc_context_create(&options, &context));
    REQUIRE_OK(gc_context_native(context, &native_context));
    CHECK(raw.push(native_context) == 0);
    CHECK(raw.stream_create(&native, GRAPHCAP_STREAM_NON_BLOCKING, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(context, native, &theirs));
}

static void theirs_close(void) {
    void *popped = NULL;
    CHECK_OK(gc_stream_destroy(theirs));
    CHECK(raw.stream_destroy(native) == 0);
    CHECK(raw.pop(&popped) == 0);
    CHECK_OK(gc_context_destroy(context));
}

static void *load_touch(const char *image, void **function) {
    void *module = NULL;
    CHECK(load(&module, image, 0, NULL, NULL) == 0);
    CHECK(get_function(function, module, "touch") == 0);
    return module;
}

/* Begins a capture in which others launch a kernel with an address as its first parameter. */
static void record(void *function, uint64_t address) {
    uint32_t word = 7;
    uint64_t count = 1;
    void *parameters[PARAMETERS];
    int i;
    parameters[0] = &address;
    parameters[1] = &word;
    parameters[2] = &count;
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    for (i = 0; i < NODES; i++)
        CHECK(launch_raw(function, 1, 1, 1, 1, 1, 1, 0, native, parameters, NULL) == 0);
}

/* Ends it, and counts what the end calls. */
static gc_graph *end(void) {
    gc_graph *graph = NULL;
    stand_in.count(1);
    REQUIRE_OK(gc_stream_end_capture(theirs, &graph));
    stand_in.count(0);
    return graph;
}

/* Memory that is given back when the graph goes, and not before. */
static void expect_kept(gc_graph *graph, gc_buffer *buffer, const unsigned *released) {
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(context));
    CHECK(count_of(released) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_synchronize(context));
    CHECK(await_count(released, 1));
}

static void where_there_is_no_memory_no_node_is_read(void) {
    void *function = NULL, *module;
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    uint64_t calls, all = 0;
    size_t i;
    theirs_open();
    module = load_touch(first_image, &function);
    record(function, 0x7f0000001000);
    graph = end();
    for (i = 0; stand_in.counted(i, &calls) != NULL; i++)
        all += calls;
    CHECK(calls_of("cuStreamEndCapture") == 1);
    CHECK(all < NODES / 2);
    stand_in.count(1);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    stand_in.count(0);
    CHECK(calls_of("cuGraphNodeGetType") == NODES);
    CHECK(calls_of("cuGraphGetEdges_v2") + calls_of("cuGraphGetEdges") == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(unload(module) == 0);
    theirs_close();
}

static void each_node_is_read_once_and_each_function_once(void) {
    struct foreign memory;
    unsigned released = 0;
    uint64_t address = 0;
    void *function = NULL, *module;
    gc_buffer *buffer;
    gc_graph *graph;
    theirs_open();
    foreign_open(&memory);
    buffer = wrap_foreign(context, &memory, &released);
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    module = load_touch(first_image, &function);
    record(function, address + 8);
    graph = end();
    CHECK(calls_of("cuGraphNodeGetType") == NODES);
    CHECK(calls_of("cuGraphKernelNodeGetParams_v2") == NODES);
    CHECK(calls_of("cuFuncGetParamInfo") == (is_old ? 0 : PARAMETERS + 1));
    CHECK(calls_of("cuFuncGetName") == 0);
    if (is_old) {
        /* It does not tell the parameters. */
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(buffer));
    } else {
        expect_kept(graph, buffer, &released);
    }
    CHECK_OK(gc_context_synchronize(context));
    CHECK(await_count(&released, 1));
    foreign_close(&memory);
    CHECK(unload(module) == 0);
    theirs_close();
}

/* The driver gives the handle of a function that others unloaded to another one, which has other parameters. */
static void a_function_that_has_the_handle_of_another_one_is_asked_anew(void) {
    struct foreign memory;
    unsigned released = 0;
    uint64_t block[3] = {1, 2, 0};
    void *function = NULL, *again = NULL, *module, *parameters[1];
    gc_buffer *buffer;
    if (is_old)
        return;
    theirs_open();
    foreign_open(&memory);
    buffer = wrap_foreign(context, &memory, &released);
    REQUIRE_OK(gc_buffer_address(buffer, &block[2]));
    module = load_touch(first_image, &function);
    record(function, 0x7f0000001000);
    CHECK_OK(gc_graph_destroy(end()));
    CHECK(unload(module) == 0);
    reuse_functions(1);
    module = load_touch(second_image, &again);
    reuse_functions(0);
    CHECK(again == function);
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    parameters[0] = block;
    CHECK(launch_raw(again, 1, 1, 1, 1, 1, 1, 0, native, parameters, NULL) == 0);
    expect_kept(end(), buffer, &released);
    foreign_close(&memory);
    CHECK(unload(module) == 0);
    theirs_close();
}

/* Others put a child into the graph that is captured. */
static void memory_that_a_child_names_is_kept(void) {
    struct foreign memory;
    unsigned released = 0, status = 0;
    uint64_t address = 0, number = 0;
    void *graph = NULL, *child = NULL, *node = NULL;
    gc_buffer *buffer;
    theirs_open();
    foreign_open(&memory);
    buffer = wrap_foreign(context, &memory, &released);
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    CHECK(raw.begin(native, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    CHECK(raw.memset_words(address, 1, 4, native) == 0);
    CHECK(raw.end(native, &child) == 0);
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(capture_of(native, &status, &number, &graph, NULL, NULL) == 0);
    CHECK(add_child(&node, graph, NULL, 0, child) == 0);
    CHECK(raw.graph_destroy(child) == 0);
    expect_kept(end(), buffer, &released);
    foreign_close(&memory);
    theirs_close();
}

static void try_driver(const char *version) {
    is_old = strcmp(version, "12.0") == 0;
    use_stand_in(version);
    look_up_driver();
    look_up("cuLaunchKernel", &launch_raw);
    look_up("cuModuleLoadDataEx", &load);
    look_up("cuModuleUnload", &unload);
    look_up("cuModuleGetFunction", &get_function);
    look_up("cuStreamGetCaptureInfo_v2", &capture_of);
    look_up("cuGraphAddChildGraphNode", &add_child);
    look_up("stand_in_reuse_functions", &reuse_functions);
    RUN(where_there_is_no_memory_no_node_is_read);
    RUN(each_node_is_read_once_and_each_function_once);
    RUN(a_function_that_has_the_handle_of_another_one_is_asked_anew);
    RUN(memory_that_a_child_names_is_kept);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_driver);
    return check_finish();
}
