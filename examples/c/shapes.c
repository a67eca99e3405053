/* A server that captures its model once for each batch size. Of the ten graphs one runs at a time, so they share the memory of one
 * pool: together they take what the largest needs, in whatever order they are captured. A graph uses the memory of a layer's output
 * again once the next layer has read it. The pool keeps an object of the program's, too, which goes after the last exec.
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

/* Captures the model for one batch size. Input and output lie in `ends`, which is not shared: the program writes and reads there
 * between launches. What is between the layers is. */
static gc_graph_exec *capture(const gc_stream *stream, const gc_pool *pool, const gc_kernel *kernel, uint32_t count,
                              const gc_buffer *ends) {
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG((count + THREADS - 1) / THREADS, THREADS);
    gc_buffer *before = NULL, *hidden = NULL;
    gc_graph *graph;
    gc_graph_exec *exec;
    CHECK(gc_stream_begin_capture_with_pool(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, pool));
    for (int i = 0; i < LAYERS; i++) {
        const float weight = 1.0f + 0.125f * (float)i, bias = 0.5f;
        const gc_buffer *in = i == 0 ? ends : before, *out = ends;
        if (i < LAYERS - 1) {
            CHECK(gc_pool_allocate_on_stream(pool, stream, count * sizeof(float), &hidden));
            out = hidden;
        }
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(in), GRAPHCAP_ARG_INIT_BUFFER(out),
                                           GRAPHCAP_ARG_INIT_VALUE(weight), GRAPHCAP_ARG_INIT_VALUE(bias),
                                           GRAPHCAP_ARG_INIT_VALUE(count)};
        CHECK(gc_stream_launch_kernel(stream, kernel, &blocks, arguments, 5));
        /* Later layers use the memory again, and so does the next capture. */
        if (before != NULL) CHECK(gc_buffer_destroy_on_stream(before, stream));
        before = i < LAYERS - 1 ? hidden : NULL;
    }
    CHECK(gc_stream_end_capture(stream, &graph));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    gc_graph_destroy(graph);
    return exec;
}

/* Prints what the context has: the pool with what it has reserved and who keeps it, the graph execs by the library's model. */
static void report_all(const gc_context *context) {
    size_t needed;
    char *text;
    CHECK(gc_context_memory_report(context, GRAPHCAP_MEMORY_REPORT_TEXT, NULL, 0, &needed));
    text = malloc(needed);
    if (text == NULL) exit(1);
    CHECK(gc_context_memory_report(context, GRAPHCAP_MEMORY_REPORT_TEXT, text, needed, NULL));
    fputs(text, stdout);
    free(text);
}

/* Prints how much memory the pool has, and returns what is in use in KiB. */
static unsigned long report(const gc_pool *pool, const char *when) {
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    CHECK(gc_pool_get_memory(pool, &memory));
    printf("%-28s reserved %6lu KiB  used %6lu KiB  at most %6lu KiB\n", when, (unsigned long)(memory.reserved_bytes >> 10),
           (unsigned long)(memory.used_bytes >> 10), (unsigned long)(memory.used_high >> 10));
    return (unsigned long)(memory.used_bytes >> 10);
}

/* Runs a batch, and tells whether its last output is right. */
static int is_right(const gc_stream *stream, const gc_graph_exec *exec, const gc_buffer *ends, uint32_t count) {
    const float first = (float)(count % 7);
    float expected = first, output = -1.0f;
    for (int i = 0; i < LAYERS; i++) expected = forward(expected, 1.0f + 0.125f * (float)i, 0.5f);
    CHECK(gc_stream_memcpy_htod(stream, ends, (count - 1) * sizeof first, &first, sizeof first));
    CHECK(gc_graph_launch(exec, stream));
    CHECK(gc_stream_memcpy_dtoh(stream, &output, ends, (count - 1) * sizeof output, sizeof output));
    CHECK(gc_stream_synchronize(stream));
    return fabsf(output - expected) <= 1e-4f * (1.0f + fabsf(expected));
}

int main(void) {
    static char last[] = "the pool is gone";
    const size_t sizes[] = {8, 8, sizeof(float), sizeof(float), sizeof(uint32_t)};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "layer", layer, sizes, 5, NULL, 0};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_context *context;
    gc_module *module;
    gc_kernel *launched;
    gc_stream *stream;
    gc_pool *pool;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_buffer *ends;
    gc_graph_exec *execs[SHAPES];
    unsigned long used, apart = 0;
    const unsigned long largest = 2 * (unsigned long)LARGEST * sizeof(float) >> 10;
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
    options.flags = GRAPHCAP_POOL_SHARED;
    CHECK(gc_pool_create(context, &options, &pool));
    CHECK(gc_pool_add_object(pool, last, log_end, &index));
    CHECK(gc_buffer_allocate(context, LARGEST * sizeof(float), &ends));
    CHECK(gc_set_name(ends, "input and output"));

    /* From the smallest to the largest, the order in which the pool grows each time. */
    for (int i = 0; i < SHAPES; i++) {
        execs[i] = capture(stream, pool, launched, batch(i), ends);
        apart += 2 * batch(i) * sizeof(float) >> 10;
    }
    CHECK(gc_pool_seal(pool)); /* nothing is to be added from here on */
    used = report(pool, "ten graphs:");
    printf("%d graphs share %lu KiB; the largest alone needs %lu KiB, and each with memory of its own %lu KiB\n", SHAPES, used, largest,
           apart);
    report_all(context);

    for (int i = 0; i < SHAPES; i++) right += is_right(stream, execs[i], ends, batch(i));
    printf("%d of %d batches are right\n", right, SHAPES);

    /* The last graph exec keeps its memory and the pool's object. */
    for (int i = 0; i < SHAPES; i++) {
        if (i == SHAPES - 1 && report(pool, "one graph exec is left:") != used) right = 0;
        gc_graph_exec_destroy(execs[i]);
    }
    CHECK(gc_stream_synchronize(stream));
    CHECK(gc_context_collect(context));
    CHECK(gc_pool_trim(pool));
    if (report(pool, "none is, and it is trimmed:") != 0) right = 0;
    gc_pool_destroy(pool);

    gc_buffer_destroy(ends);
    gc_stream_destroy(stream);
    gc_kernel_destroy(launched);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return right == SHAPES && 10 * used <= 11 * largest ? 0 : 1;
}
