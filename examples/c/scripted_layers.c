/* A small model as a script: a memset, a kernel for each layer, a copy of the result, and a function of the program's that counts.
 * The script is recorded once, and the graph launched for several inputs. A script that cannot be recorded tells the op.
 * Usage: scripted_layers */
#include <graphcap.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "update_loop_ptx.h" /* the kernel for a GPU, made of update_loop.cu */

enum { COUNT = 1000, LAYERS = 3, INPUTS = 4, THREADS = 256 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "scripted_layers: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* A layer of the model: each output is max(0, weight * input + bias). */
static float forward(float in, float weight, float bias) { return fmaxf(0.0f, weight * in + bias); }
static float weight_of(int layer) { return 1.0f + 0.125f * (float)layer; }

/* The kernel for the host device. */
static int32_t layer(const gc_host_block *block, const void *const *arguments) {
    const float *in = *(const float *const *)arguments[0];
    float *out = *(float *const *)arguments[1];
    const uint32_t count = *(const uint32_t *)arguments[4];
    uint32_t i = block->block_index[0] * THREADS;
    const uint32_t end = i + THREADS < count ? i + THREADS : count;
    for (; i < end; i++)
        out[i] = forward(in[i], *(const float *)arguments[2], *(const float *)arguments[3]);
    return 0;
}

/* Counts the launches, on the CPU. */
static void count_launch(void *user_data) { ++*(int *)user_data; }

/* between[0] is the input, and the layers write to the other one in turn. */
static void push_layer(const gc_script *script, const gc_kernel *kernel, gc_buffer *const *between, int index) {
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG((COUNT + THREADS - 1) / THREADS, THREADS);
    const float weight = weight_of(index), bias = 0.5f;
    const uint32_t count = COUNT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(between[index % 2]),
                                       GRAPHCAP_ARG_INIT_BUFFER(between[(index + 1) % 2]), GRAPHCAP_ARG_INIT_VALUE(weight),
                                       GRAPHCAP_ARG_INIT_VALUE(bias), GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_work op = GRAPHCAP_WORK_INIT;
    op.kind = GRAPHCAP_WORK_KERNEL;
    op.kernel = kernel;
    op.config = &blocks;
    op.arguments = arguments;
    op.argument_count = 5;
    CHECK(gc_script_push(script, &op));
}

static void push_set(const gc_script *script, const gc_memset_params *set, const char *name) {
    gc_work op = GRAPHCAP_WORK_INIT;
    op.kind = GRAPHCAP_WORK_MEMSET;
    op.memset_params = set;
    op.name = name;
    CHECK(gc_script_push(script, &op));
}

static void push_copy(const gc_script *script, const gc_memcpy_params *copy) {
    gc_work op = GRAPHCAP_WORK_INIT;
    op.kind = GRAPHCAP_WORK_MEMCPY;
    op.memcpy_params = copy;
    CHECK(gc_script_push(script, &op));
}

int main(void) {
    const size_t sizes[] = {8, 8, sizeof(float), sizeof(float), sizeof(uint32_t)}, bytes = COUNT * sizeof(float);
    const gc_host_kernel host_kernel = {sizeof(gc_host_kernel), 0, "layer", layer, sizes, 5, NULL, 0};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    gc_work counting = GRAPHCAP_WORK_INIT;
    static float input[COUNT], output[COUNT];
    int launches = 0, wrong = 0;
    gc_context *context;
    gc_module *module;
    gc_kernel *kernel;
    gc_stream *stream;
    gc_buffer *between[2], *in, *result;
    gc_script *script;
    gc_graph *graph;
    gc_graph_exec *exec;
    size_t nodes;

    CHECK(gc_context_create(NULL, &context));
    code.image = update_loop_ptx;
    code.image_size = sizeof update_loop_ptx;
    code.host_kernels = &host_kernel;
    code.host_kernel_count = 1;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "layer", &kernel));
    CHECK(gc_stream_create(context, NULL, &stream));
    for (int i = 0; i < 2; i++) CHECK(gc_buffer_allocate(context, bytes, &between[i]));
    CHECK(gc_buffer_allocate(context, bytes, &in));
    CHECK(gc_buffer_allocate(context, bytes, &result));

    {
        const gc_memset_params clear = GRAPHCAP_MEMSET_INIT(result, 0, 0, 4, COUNT, 1, 0);
        const gc_memset_params beyond = GRAPHCAP_MEMSET_INIT(result, 0, 0, 4, COUNT + 1, 1, 0);
        const gc_memcpy_params start = GRAPHCAP_MEMCPY_INIT_DTOD(between[0], 0, in, 0, bytes);
        const gc_memcpy_params end = GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, between[LAYERS % 2], 0, bytes);
        gc_script *broken;
        CHECK(gc_script_create(context, &script));
        push_set(script, &clear, "clear the result");
        push_copy(script, &start);
        for (int i = 0; i < LAYERS; i++) push_layer(script, kernel, between, i);
        push_copy(script, &end);
        counting.kind = GRAPHCAP_WORK_HOST;
        counting.function = count_launch;
        counting.user_data = &launches;
        CHECK(gc_script_push(script, &counting));

        /* The op that cannot be recorded is told, and the stream is as before. */
        CHECK(gc_script_create(context, &broken));
        push_copy(broken, &start);
        push_set(broken, &beyond, "clear too much");
        if (gc_script_record(broken, stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, &failure, &graph) != GRAPHCAP_SUCCESS)
            printf("op %zu, \"%s\", cannot be recorded\n", failure.op_index, failure.op_name);
        gc_script_destroy(broken);
    }

    CHECK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, NULL, &graph));
    gc_script_destroy(script); /* the graph keeps what it needs */
    CHECK(gc_graph_node_count(graph, &nodes));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    printf("a script of %zu ops is a graph of %zu nodes\n", (size_t)LAYERS + 4, nodes);
    for (int i = 0; i < INPUTS; i++) {
        for (int k = 0; k < COUNT; k++) input[k] = (float)(k % 100) / 10.0f - (float)i;
        CHECK(gc_stream_memcpy_htod(stream, in, 0, input, bytes));
        CHECK(gc_graph_launch(exec, stream));
        CHECK(gc_stream_memcpy_dtoh(stream, output, result, 0, bytes));
        CHECK(gc_stream_synchronize(stream));
        for (int k = 0; k < COUNT; k++) {
            float expected = input[k];
            for (int index = 0; index < LAYERS; index++) expected = forward(expected, weight_of(index), 0.5f);
            wrong += fabsf(output[k] - expected) > 1e-4f * (1.0f + fabsf(expected));
        }
    }
    printf("%d launches, %d outputs are wrong\n", launches, wrong);

    gc_graph_exec_destroy(exec);
    gc_graph_destroy(graph);
    gc_buffer_destroy(result);
    gc_buffer_destroy(in);
    for (int i = 0; i < 2; i++) gc_buffer_destroy(between[i]);
    gc_stream_destroy(stream);
    gc_kernel_destroy(kernel);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return wrong != 0 || launches != INPUTS || failure.op_index != 1;
}
