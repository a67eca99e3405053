/* A server that captures its model once for each batch size. The ten graphs share one pool. It has the memory of the layers, which
 * the graphs use one after another, and an object of the program's. The program lets go of these; they go after the last exec.
 * Usage: shapes */
#include <graphcap.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "update_loop_ptx.h" /* the kernel for a GPU, made of update_loop.cu */

enum { SHAPES = 10, LARGEST = 1 << 19, LAYERS = 6, THREADS = 256 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "shapes: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* A layer of the model: each output is max(0, weight * input + bias). */
static float forward(float in, float weight, float bias) { return fmaxf(0.0f, weight * in + bias); }

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

/* Something of the program's that graphs need and graphcap does not know. It goes with the pool. */
static void log_end(void *user_data) { printf("%s\n", (const char *)user_data); }

static uint32_t batch(int shape) { return (uint32_t)LARGEST >> (SHAPES - 1 - shape); }

/* Captures the model for one batch size. */
static gc_graph_exec *capture(const gc_stream *stream, const gc_pool *pool, const gc_kernel *kernel, uint32_t count,
                              gc_buffer *const memory[2]) {
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG((count + THREADS - 1) / THREADS, THREADS);
    gc_graph *graph;
    gc_graph_exec *exec;
    CHECK(gc_stream_begin_capture_with_pool(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, pool));
    for (int i = 0; i < LAYERS; i++) {
        const float weight = 1.0f + 0.125f * (float)i, bias = 0.5f;
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(memory[i % 2]), GRAPHCAP_ARG_INIT_BUFFER(memory[(i + 1) % 2]),
                                           GRAPHCAP_ARG_INIT_VALUE(weight), GRAPHCAP_ARG_INIT_VALUE(bias),
                                           GRAPHCAP_ARG_INIT_VALUE(count)};
        CHECK(gc_stream_launch_kernel(stream, kernel, &blocks, arguments, 5));
    }
    CHECK(gc_stream_end_capture(stream, &graph));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    gc_graph_destroy(graph);
    return exec;
}

/* Prints how much memory the pool has, and returns it in KiB. */
static unsigned long report(const gc_pool *pool, const char *when) {
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    CHECK(gc_pool_get_memory(pool, &memory));
    printf("%-28s reserved %6lu KiB  used %6lu KiB  at most %6lu KiB\n", when, (unsigned long)(memory.reserved_bytes >> 10),
           (unsigned long)(memory.used_bytes >> 10), (unsigned long)(memory.used_high >> 10));
    return (unsigned long)(memory.used_bytes >> 10);
}

/* Runs a batch, and tells whether its last output is right. */
static int is_right(const gc_stream *stream, const gc_graph_exec *exec, const gc_buffer *memory, uint32_t count) {
    const float first = (float)(count % 7);
    float expected = first, output = -1.0f;
    for (int i = 0; i < LAYERS; i++) expected = forward(expected, 1.0f + 0.125f * (float)i, 0.5f);
    CHECK(gc_stream_memcpy_htod(stream, memory, (count - 1) * sizeof first, &first, sizeof first));
    CHECK(gc_graph_launch(exec, stream));
    /* An even number of layers: the output lies where the input was. */
    CHECK(gc_stream_memcpy_dtoh(stream, &output, memory, (count - 1) * sizeof output, sizeof output));
    CHECK(gc_stream_synchronize(stream));
    return fabsf(output - expected) <= 1e-4f * (1.0f + fabsf(expected));
}

int main(void) {
    static char last[] = "the pool is gone";
    const size_t sizes[] = {8, 8, sizeof(float), sizeof(float), sizeof(uint32_t)};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "layer", layer, sizes, 5};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_context *context;
    gc_module *module;
    gc_kernel *launched;
    gc_stream *stream;
    gc_pool *pool;
    gc_buffer *memory[2];
    gc_graph_exec *execs[SHAPES];
    unsigned long used, together = 0;
    size_t index;
    int right = 0;

    CHECK(gc_context_create(NULL, &context));
    code.image = update_loop_ptx;
    code.image_size = sizeof update_loop_ptx;
    code.host_kernels = &kernel;
    code.host_kernel_count = 1;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "layer", &launched));
    CHECK(gc_stream_create(context, NULL, &stream));
    CHECK(gc_pool_create(context, NULL, &pool));
    CHECK(gc_pool_add_object(pool, last, log_end, &index));

    /* The memory of the largest batch is enough for all: the graphs run one after another on one stream. */
    for (int i = 0; i < 2; i++) CHECK(gc_pool_allocate(pool, LARGEST * sizeof(float), &memory[i]));
    used = report(pool, "memory of the largest batch:");
    for (int i = 0; i < SHAPES; i++) {
        execs[i] = capture(stream, pool, launched, batch(i), memory);
        together += batch(i) * 2 * sizeof(float) >> 10;
    }
    CHECK(gc_pool_seal(pool)); /* nothing is to be added from here on */
    printf("%d graphs share %lu KiB; each with memory of its own, they would have %lu KiB\n", SHAPES,
           report(pool, "ten graphs:"), together);

    for (int i = 0; i < SHAPES; i++) right += is_right(stream, execs[i], memory[0], batch(i));
    printf("%d of %d batches are right\n", right, SHAPES);

    /* The graph execs keep the memory and the pool's objects, whoever lets go of them. */
    for (int i = 0; i < 2; i++) gc_buffer_destroy(memory[i]);
    for (int i = 0; i < SHAPES; i++) {
        if (i == SHAPES - 1 && report(pool, "one graph exec is left:") != used) right = 0;
        gc_graph_exec_destroy(execs[i]);
    }
    CHECK(gc_stream_synchronize(stream));
    CHECK(gc_context_collect(context));
    CHECK(gc_pool_trim(pool));
    if (report(pool, "none is, and it is trimmed:") != 0) right = 0;
    gc_pool_destroy(pool);

    gc_stream_destroy(stream);
    gc_kernel_destroy(launched);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return right == SHAPES ? 0 : 1;
}
