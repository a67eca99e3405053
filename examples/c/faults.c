/* Programs that are wrong, each in its own way, and what graphcap says of them: docs/troubleshooting.md shows the output.
 * They run on the host device. Usage: faults capture|gone|overrun|access|order|hang|memory|slow */
#include <graphcap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(gc_status status) {
    char why[2048];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(why, sizeof why, NULL);
    printf("%s (%d): %s\n", gc_status_name(status), (int)status, why);
    exit(1);
}

static gc_context *context;
static gc_module *module;
static gc_stream *stream;

/* Adds 1 to the numbers of a vector. */
static int32_t add(const gc_host_block *block, const void *const *arguments) {
    float *data = *(float *const *)arguments[0];
    const int count = *(const int *)arguments[1];
    (void)block;
    for (int i = 0; i < count; i++)
        data[i] += 1.0f;
    return 0;
}

/* Writes the sum of a vector behind its numbers. */
static int32_t sum(const gc_host_block *block, const void *const *arguments) {
    const float *data = *(float *const *)arguments[0];
    float *out = *(float *const *)arguments[1];
    (void)block;
    out[0] = data[0] + data[1];
    return 0;
}

static gc_kernel *kernel(const char *name) {
    gc_kernel *found;
    check(gc_module_get_kernel(module, name, &found));
    return found;
}

static gc_buffer *named(const char *name, size_t size) {
    gc_buffer *buffer;
    check(gc_buffer_allocate(context, size, &buffer));
    check(gc_set_name(buffer, name));
    return buffer;
}

static void launch_add(const gc_buffer *buffer, int count) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(count)};
    check(gc_stream_launch_kernel(stream, kernel("add"), &one, arguments, 2));
}

static void launch_sum(const gc_buffer *in, const gc_buffer *out) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(in), GRAPHCAP_ARG_INIT_BUFFER(out)};
    check(gc_stream_launch_kernel(stream, kernel("sum"), &one, arguments, 2));
}

static void begin(void) { check(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL)); }

static gc_graph *end(const char *name) {
    gc_graph *graph;
    check(gc_stream_end_capture(stream, &graph));
    check(gc_set_name(graph, name));
    return graph;
}

static gc_graph_exec *exec_of(const gc_graph *graph, uint64_t flags) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec;
    options.flags = flags;
    check(gc_graph_instantiate(graph, &options, &exec));
    return exec;
}

/* A capture is broken by a call that waits for the device, and whose failure nobody looks at. */
static void broken_capture(void) {
    gc_graph *graph;
    gc_violation violation;
    char text[2048];
    begin();
    launch_add(named("weights", 64), 16);
    (void)!gc_context_synchronize(context);
    if (gc_stream_end_capture(stream, &graph) == GRAPHCAP_SUCCESS) return;
    check(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
    printf("%s\n", text);
}

/* A graph has the address of memory that is gone, since the address was given as a plain number. */
static void memory_is_gone(void) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_buffer *buffer = named("scratch", 64);
    uint64_t address;
    gc_graph_exec *exec;
    int count = 16;
    check(gc_buffer_address(buffer, &address));
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(count)};
    begin();
    check(gc_stream_launch_kernel(stream, kernel("add"), &one, arguments, 2));
    exec = exec_of(end("step"), 0);
    check(gc_buffer_destroy(buffer));
    check(gc_graph_exec_check(exec, NULL));
}

/* A kernel writes one number more than its buffer has. */
static void overrun(void) {
    gc_graph_exec *exec;
    begin();
    launch_add(named("weights", 256), 65);
    exec = exec_of(end("step"), 0);
    check(gc_graph_launch(exec, stream));
    check(gc_stream_synchronize(stream));
}

/* A kernel writes what it is stated to read. */
static void wrong_access(void) {
    const uint32_t accesses[] = {GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE};
    check(gc_kernel_set_accesses(kernel("add"), accesses, 2));
    launch_add(named("weights", 64), 16);
    launch_sum(named("in", 64), named("out", 64));
    check(gc_stream_synchronize(stream));
}

static void print_text(const char *text, void *user_data) {
    (void)user_data;
    printf("%s\n", text);
}

/* Two nodes write one vector, and none waits for the other: the second stream was forked too early. */
static void missing_order(void) {
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    const uint32_t accesses[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE};
    gc_buffer *vector = named("vector", 64);
    gc_stream *first = stream, *second;
    gc_event *fork, *join;
    gc_graph *graph;
    check(gc_stream_create(context, NULL, &second));
    check(gc_event_create(context, NULL, &fork));
    check(gc_event_create(context, NULL, &join));
    check(gc_kernel_set_accesses(kernel("add"), accesses, 2));
    begin();
    check(gc_event_record(fork, first, 0)); /* before the launch that the second stream should wait for */
    launch_add(vector, 16);
    check(gc_stream_wait_event(second, fork, 0));
    check(gc_stream_memset(second, vector, 0, 0, 4, 16));
    check(gc_event_record(join, second, 0));
    check(gc_stream_wait_event(first, join, 0));
    graph = end("step");
    options.text = print_text;
    check(gc_graph_verify(graph, &options, &report));
}

/* A replay waits for a number that nobody writes. */
static void hang(void) {
    gc_buffer *flag;
    gc_graph_exec *exec;
    check(gc_buffer_allocate_waitable(context, 4, &flag));
    begin();
    launch_add(named("weights", 64), 16);
    check(gc_stream_wait_value32(stream, flag, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
    launch_sum(named("in", 64), named("out", 64));
    exec = exec_of(end("step"), GRAPHCAP_INSTANTIATE_WATCH);
    check(gc_graph_launch(exec, stream));
    check(gc_stream_synchronize_for(stream, 100000000)); /* nanoseconds */
}

/* Memory grows with each request: graphs of old requests are not destroyed, and each keeps a buffer. */
static void memory_grows(void) {
    char text[8192];
    for (int request = 0; request < 3; request++) {
        gc_buffer *input = named("input", 4096);
        begin();
        launch_add(input, 16);
        exec_of(end("request"), 0);
        check(gc_buffer_destroy(input));
    }
    check(gc_context_memory_report(context, GRAPHCAP_MEMORY_REPORT_TEXT, text, sizeof text, NULL));
    printf("%s", text);
}

/* One node of a replay takes long: GRAPHCAP_TRACE=slow.trace faults slow, then graphcap trace summary slow.trace. */
static void slow_node(void) {
    static const char *const names[] = {"embed", "attend", "project", "norm"};
    gc_buffer *weights = named("weights", 1 << 18);
    gc_node nodes[4];
    gc_graph *graph;
    gc_graph_exec *exec;
    begin();
    for (int i = 0; i < 4; i++)
        launch_add(weights, i == 2 ? 1 << 16 : 1 << 12);
    graph = end("layer");
    check(gc_graph_get_nodes(graph, nodes, 4, NULL));
    for (int i = 0; i < 4; i++)
        check(gc_node_set_name(graph, nodes[i], names[i]));
    exec = exec_of(graph, 0);
    for (int replays = 0; replays < 100; replays++)
        check(gc_graph_launch(exec, stream));
    check(gc_stream_synchronize(stream));
    printf("100 replays\n");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } faults[] = {{"capture", broken_capture}, {"gone", memory_is_gone}, {"overrun", overrun}, {"access", wrong_access},
                  {"order", missing_order},    {"hang", hang},           {"memory", memory_grows},
                  {"slow", slow_node}};
    static const size_t vector_and_count[] = {8, sizeof(int)}, two_vectors[] = {8, 8};
    gc_host_kernel kernels[] = {GRAPHCAP_HOST_KERNEL_INIT, GRAPHCAP_HOST_KERNEL_INIT};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    kernels[0].name = "add", kernels[0].function = add;
    kernels[0].parameter_sizes = vector_and_count, kernels[0].parameter_count = 2;
    kernels[1].name = "sum", kernels[1].function = sum;
    kernels[1].parameter_sizes = two_vectors, kernels[1].parameter_count = 2;
    code.host_kernels = kernels, code.host_kernel_count = 2;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    check(gc_context_create(&options, &context));
    check(gc_module_load(context, &code, &module));
    check(gc_stream_create(context, NULL, &stream));
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (argc == 2 && strcmp(argv[1], faults[i].name) == 0) {
            faults[i].run();
            return 0;
        }
    fprintf(stderr, "usage: faults capture|gone|overrun|access|order|hang|memory|slow\n");
    return 2;
}
