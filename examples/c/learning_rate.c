/* A training loop whose step is a graph: the learning rate is a scalar in device memory, which the program updates between the
 * replays. Nothing is waited for until the end, and no memory of the program's is read later: each replay sees the rate that
 * was set before it. Usage: learning_rate */
#include <graphcap.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "learning_rate_ptx.h" /* the kernel for a GPU, made of learning_rate.cu */

enum { COUNT = 1024, STEPS = 60, THREADS = 256 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "learning_rate: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

static float descended(float weight, float target, float rate) { return weight - rate * (weight - target); }

/* The kernel for the host device. */
static int32_t descend(const gc_host_block *block, const void *const *arguments) {
    float *weights = *(float *const *)arguments[0];
    const float *targets = *(const float *const *)arguments[1];
    const float rate = **(const float *const *)arguments[2];
    const uint32_t count = *(const uint32_t *)arguments[3];
    uint32_t i = block->block_index[0] * THREADS;
    const uint32_t end = i + THREADS < count ? i + THREADS : count;
    for (; i < end; i++) weights[i] = descended(weights[i], targets[i], rate);
    return 0;
}

/* The rate warms up, and falls then. */
static float rate_of(int step) {
    return step < 10 ? 0.02f * (float)(step + 1) : 0.2f * 10.0f / (float)(step + 1);
}

int main(void) {
    const size_t sizes[] = {8, 8, 8, sizeof(uint32_t)};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "descend", descend, sizes, 4, NULL, 0};
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG(COUNT / THREADS, THREADS);
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    static float expected[COUNT], targets[COUNT], result[COUNT];
    const uint32_t count = COUNT;
    float rate = rate_of(0), error = 0.0f, difference = 0.0f;
    size_t offset;
    gc_context *context;
    gc_module *module;
    gc_kernel *launched;
    gc_stream *stream;
    gc_buffer *weights, *goal, *rate_buffer;
    gc_scalar *learning_rate;
    gc_graph *graph;
    gc_graph_exec *step;

    CHECK(gc_context_create(NULL, &context));
    code.image = learning_rate_ptx;
    code.image_size = sizeof learning_rate_ptx;
    code.host_kernels = &kernel;
    code.host_kernel_count = 1;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "descend", &launched));
    CHECK(gc_stream_create(context, NULL, &stream));
    CHECK(gc_buffer_allocate(context, sizeof expected, &weights));
    CHECK(gc_buffer_allocate(context, sizeof targets, &goal));
    for (int i = 0; i < COUNT; i++) targets[i] = (float)(i % 17) - 8.0f;
    CHECK(gc_stream_memset(stream, weights, 0, 0, sizeof(float), COUNT));
    CHECK(gc_stream_memcpy_htod(stream, goal, 0, targets, sizeof targets));

    /* The kernel gets a pointer to the scalar. The graph keeps it alive by its buffer. */
    CHECK(gc_scalar_create(stream, GRAPHCAP_SCALAR_F32, &rate, &learning_rate));
    CHECK(gc_set_name(learning_rate, "learning rate"));
    CHECK(gc_scalar_buffer(learning_rate, &rate_buffer, &offset));
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(weights), GRAPHCAP_ARG_INIT_BUFFER(goal),
                                       GRAPHCAP_ARG_INIT_BUFFER_AT(rate_buffer, offset), GRAPHCAP_ARG_INIT_VALUE(count)};
    CHECK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK(gc_stream_launch_kernel(stream, launched, &blocks, arguments, 4));
    CHECK(gc_stream_end_capture(stream, &graph));
    CHECK(gc_graph_instantiate(graph, NULL, &step));
    gc_buffer_destroy(rate_buffer);

    for (int i = 0; i < STEPS; i++) {
        rate = rate_of(i); /* the value travels in the command: the next turn may overwrite the variable */
        CHECK(gc_scalar_update(learning_rate, stream, GRAPHCAP_SCALAR_F32, &rate));
        CHECK(gc_graph_launch(step, stream));
        for (int k = 0; k < COUNT; k++) expected[k] = descended(expected[k], targets[k], rate);
    }
    CHECK(gc_stream_memcpy_dtoh(stream, result, weights, 0, sizeof result));
    CHECK(gc_scalar_read(learning_rate, stream, GRAPHCAP_SCALAR_F32, &rate)); /* waits for all of it */

    for (int i = 0; i < COUNT; i++) {
        error = fmaxf(error, fabsf(result[i] - targets[i]));
        difference = fmaxf(difference, fabsf(result[i] - expected[i]));
    }
    printf("%d steps, last rate %.4f, largest error %.4f\n", STEPS, (double)rate, (double)error);
    printf("each replay saw the rate that was set before it: %s\n", difference < 1e-4f ? "yes" : "no");

    gc_graph_exec_destroy(step);
    gc_graph_destroy(graph);
    gc_scalar_destroy(learning_rate);
    gc_buffer_destroy(goal);
    gc_buffer_destroy(weights);
    gc_stream_destroy(stream);
    gc_kernel_destroy(launched);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return difference < 1e-4f && rate == rate_of(STEPS - 1) ? 0 : 1;
}
