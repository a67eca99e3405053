/* Builds a graph by hand, node by node, replays it, changes a node of the exec, and prints the graph as Graphviz DOT text.
 * Usage: build_graph > graph.dot && dot -Tsvg graph.dot > graph.svg
 * The graph is a diamond: copy in -> (2 * x, beside it 3 * x) -> their sum -> copy out */
#include <graphcap.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "build_graph: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* The one kernel: out = by_a * a + by_b * b. For the host device, called once per block ... */
static int32_t combine(const gc_host_block *block, const void *const *arguments) {
    float *out = *(float *const *)arguments[0];
    const float *a = *(const float *const *)arguments[1], *b = *(const float *const *)arguments[2];
    const uint32_t i = block->block_index[0];
    out[i] = *(const float *)arguments[3] * a[i] + *(const float *)arguments[4] * b[i];
    return 0;
}
static const char ptx[] = /* ... and for a GPU */
    ".version 6.0 .target sm_50 .address_size 64\n"
    ".visible .entry combine(.param .u64 out, .param .u64 a, .param .u64 b, .param .f32 by_a, .param .f32 by_b) {\n"
    "    .reg .u32 %i; .reg .u64 %o, %p, %q, %at; .reg .f32 %x, %y, %f, %g;\n"
    "    ld.param.u64 %o, [out]; ld.param.u64 %p, [a]; ld.param.u64 %q, [b];\n"
    "    ld.param.f32 %f, [by_a]; ld.param.f32 %g, [by_b];\n"
    "    mov.u32 %i, %ctaid.x; mul.wide.u32 %at, %i, 4;\n"
    "    add.u64 %o, %o, %at; add.u64 %p, %p, %at; add.u64 %q, %q, %at;\n"
    "    ld.f32 %x, [%p]; ld.f32 %y, [%q]; mul.f32 %x, %x, %f; fma.rn.f32 %x, %y, %g, %x; st.f32 [%o], %x; ret;\n"
    "}\n";

/* The weights must live until the call that takes the arguments, which copies them. */
#define ARGUMENTS(out, a, b, by_a, by_b) \
    {GRAPHCAP_ARG_INIT_BUFFER(out), GRAPHCAP_ARG_INIT_BUFFER(a), GRAPHCAP_ARG_INIT_BUFFER(b), \
     GRAPHCAP_ARG_INIT_VALUE(by_a), GRAPHCAP_ARG_INIT_VALUE(by_b)}

/* Replays the graph, prints the result, and tells whether it is the input times `factor`. */
static int replay(const gc_graph_exec *exec, const gc_stream *stream, const float *in, const float *out, float factor) {
    int right = 1;
    CHECK(gc_graph_launch(exec, stream));
    CHECK(gc_stream_synchronize(stream));
    for (int i = 0; i < COUNT; i++) {
        fprintf(stderr, "%g -> %g\n", (double)in[i], (double)out[i]);
        right &= out[i] == factor * in[i];
    }
    return right;
}

int main(void) {
    const size_t sizes[] = {8, 8, 8, sizeof(float), sizeof(float)}; /* of the parameters; an address has 8 bytes */
    gc_host_kernel for_cpu = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG(COUNT, 1);
    float in[COUNT] = {1, 2, 3, 4}, out[COUNT] = {0};
    gc_context *context;
    gc_module *module;
    gc_kernel *kernel;
    gc_buffer *input, *left, *right, *sum;
    gc_stream *stream;
    gc_graph *graph;
    gc_graph_exec *exec;
    for_cpu.name = "combine";
    for_cpu.function = combine;
    for_cpu.parameter_sizes = sizes;
    for_cpu.parameter_count = 5;
    code.image = ptx;
    code.image_size = sizeof ptx;
    code.host_kernels = &for_cpu;
    code.host_kernel_count = 1;
    CHECK(gc_context_create(NULL, &context)); /* NULL: a GPU where one works, else the host device */
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "combine", &kernel));
    CHECK(gc_buffer_allocate(context, sizeof in, &input));
    CHECK(gc_buffer_allocate(context, sizeof in, &left));
    CHECK(gc_buffer_allocate(context, sizeof in, &right));
    CHECK(gc_buffer_allocate(context, sizeof in, &sum));
    CHECK(gc_stream_create(context, NULL, &stream));

    /* Build: each node names the nodes that it waits for. */
    const float zero = 0, one = 1, two = 2, three = 3, ten = 10;
    const gc_kernel_arg times_two[] = ARGUMENTS(left, input, input, two, zero);
    const gc_kernel_arg times_three[] = ARGUMENTS(right, input, input, three, zero);
    const gc_kernel_arg add[] = ARGUMENTS(sum, left, right, one, one);
    const gc_memcpy_params copy_in = GRAPHCAP_MEMCPY_INIT_HTOD(input, 0, in, sizeof in);
    const gc_memcpy_params copy_out = GRAPHCAP_MEMCPY_INIT_DTOH(out, sum, 0, sizeof out);
    gc_node top, sides[2], bottom, last;
    CHECK(gc_graph_create(context, &graph));
    CHECK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy_in, &top));
    CHECK(gc_graph_add_kernel_node(graph, &top, 1, kernel, &blocks, times_two, 5, &sides[0]));
    CHECK(gc_graph_add_kernel_node(graph, &top, 1, kernel, &blocks, times_three, 5, &sides[1]));
    CHECK(gc_graph_add_kernel_node(graph, sides, 2, kernel, &blocks, add, 5, &bottom));
    CHECK(gc_graph_add_memcpy_node(graph, &bottom, 1, &copy_out, &last));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    int works = replay(exec, stream, in, out, 5);

    /* Change one node of the exec. The graph stays as it is; it must live as long as its execs are changed. */
    const gc_kernel_arg times_ten[] = ARGUMENTS(right, input, input, ten, zero);
    CHECK(gc_graph_exec_set_kernel_node(exec, sides[1], kernel, &blocks, times_ten, 5));
    works &= replay(exec, stream, in, out, 12);

    size_t size;
    CHECK(gc_graph_export_dot(graph, 0, NULL, 0, &size)); /* asks only for the size */
    char *dot = malloc(size);
    if (!dot) return 1;
    CHECK(gc_graph_export_dot(graph, 0, dot, size, NULL));
    printf("%s", dot);
    free(dot);

    gc_buffer_destroy(input), gc_buffer_destroy(left), gc_buffer_destroy(right), gc_buffer_destroy(sum);
    gc_kernel_destroy(kernel), gc_module_destroy(module), gc_stream_destroy(stream);
    gc_graph_destroy(graph), gc_graph_exec_destroy(exec), gc_context_destroy(context);
    return works && gc_live_handles() == 0 ? 0 : 1;
}
