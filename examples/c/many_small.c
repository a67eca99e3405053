/* Many small simulations, written one after another on one stream. The graph of that is a chain, and a replay runs one kernel at a
 * time. gc_graph_optimize() finds out from what the kernels touch that the simulations have nothing to do with each other.
 * Usage: many_small */
#include <graphcap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "many_small_ptx.h" /* the kernel for a GPU, made of many_small.cu */

enum { SIMULATIONS = 32, STEPS = 6, BODIES = 64, TIMES = 500, REPLAYS = 20 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "many_small: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* The kernel for the host device: bodies on springs. */
static int32_t step(const gc_host_block *block, const void *const *arguments) {
    float *place = *(float *const *)arguments[0], *speed = *(float *const *)arguments[1];
    const float pull = 0.001f * *(const float *)arguments[2];
    (void)block;
    for (int i = 0; i < BODIES; i++) {
        float x = place[i], v = speed[i];
        for (uint32_t t = 0; t < *(const uint32_t *)arguments[3]; t++) {
            v = v - pull * x;
            x = x + 0.001f * v;
        }
        place[i] = x;
        speed[i] = v;
    }
    return 0;
}

struct simulation {
    gc_buffer *place, *speed;
};

static gc_graph *capture(const gc_stream *stream, const gc_kernel *kernel, const struct simulation *all) {
    const gc_launch_config threads = GRAPHCAP_LAUNCH_CONFIG(1, BODIES);
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < SIMULATIONS; i++) {
        const float stiffness = 1.0f + (float)i;
        const uint32_t times = TIMES;
        for (int k = 0; k < STEPS; k++) {
            const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(all[i].place), GRAPHCAP_ARG_INIT_BUFFER(all[i].speed),
                                               GRAPHCAP_ARG_INIT_VALUE(stiffness), GRAPHCAP_ARG_INIT_VALUE(times)};
            CHECK(gc_stream_launch_kernel(stream, kernel, &threads, arguments, 4));
        }
    }
    CHECK(gc_stream_end_capture(stream, &graph));
    return graph;
}

/* Starts all simulations anew, and replays. Gives what a replay takes, in microseconds, and the places at the end. */
static double run(const gc_stream *stream, const gc_graph *graph, const struct simulation *all, float (*ends)[BODIES]) {
    static float ones[BODIES], zeros[BODIES];
    struct timespec begin, end;
    gc_graph_exec *exec;
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_upload(exec, stream));
    for (int i = 0; i < BODIES; i++) ones[i] = 1.0f;
    for (int i = 0; i < SIMULATIONS; i++) {
        CHECK(gc_stream_memcpy_htod(stream, all[i].place, 0, ones, sizeof ones));
        CHECK(gc_stream_memcpy_htod(stream, all[i].speed, 0, zeros, sizeof zeros));
    }
    CHECK(gc_stream_synchronize(stream));
    timespec_get(&begin, TIME_UTC);
    for (int i = 0; i < REPLAYS; i++) CHECK(gc_graph_launch(exec, stream));
    CHECK(gc_stream_synchronize(stream));
    timespec_get(&end, TIME_UTC);
    for (int i = 0; i < SIMULATIONS; i++) CHECK(gc_stream_memcpy_dtoh(stream, ends[i], all[i].place, 0, sizeof ends[i]));
    CHECK(gc_stream_synchronize(stream));
    gc_graph_exec_destroy(exec);
    return ((double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3) / REPLAYS;
}

int main(void) {
    static const uint32_t accesses[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE,
                                        GRAPHCAP_ACCESS_NONE};
    static const size_t sizes[] = {8, 8, sizeof(float), sizeof(uint32_t)};
    static float recorded_ends[SIMULATIONS][BODIES], optimized_ends[SIMULATIONS][BODIES];
    const gc_host_kernel host_kernel = {sizeof(gc_host_kernel), 0, "step", step, sizes, 4, NULL, 0};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    struct simulation all[SIMULATIONS];
    gc_context *context;
    gc_module *module;
    gc_kernel *kernel;
    gc_stream *stream;
    gc_graph *recorded, *optimized;
    double before, after;
    char text[1024];
    int equal;

    CHECK(gc_context_create(NULL, &context));
    code.image = many_small_ptx;
    code.image_size = sizeof many_small_ptx;
    code.host_kernels = &host_kernel;
    code.host_kernel_count = 1;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "step", &kernel));
    CHECK(gc_kernel_set_accesses(kernel, accesses, 4)); /* the one line that optimizing needs */
    CHECK(gc_stream_create(context, NULL, &stream));
    for (int i = 0; i < SIMULATIONS; i++) {
        CHECK(gc_buffer_allocate(context, BODIES * sizeof(float), &all[i].place));
        CHECK(gc_buffer_allocate(context, BODIES * sizeof(float), &all[i].speed));
    }

    recorded = capture(stream, kernel, all);
    CHECK(gc_graph_optimize(recorded, NULL, &optimized, NULL, NULL));
    CHECK(gc_graph_optimize_text(recorded, NULL, text, sizeof text, NULL));
    printf("%s", text);
    before = run(stream, recorded, all, recorded_ends);
    after = run(stream, optimized, all, optimized_ends);
    equal = memcmp(recorded_ends, optimized_ends, sizeof recorded_ends) == 0;
    printf("a replay takes %.0f us as recorded, %.0f us optimized: %.1f times faster, results %s\n", before, after,
           before / after, equal ? "equal" : "DIFFER");

    gc_graph_destroy(optimized);
    gc_graph_destroy(recorded);
    for (int i = 0; i < SIMULATIONS; i++) {
        gc_buffer_destroy(all[i].speed);
        gc_buffer_destroy(all[i].place);
    }
    gc_stream_destroy(stream);
    gc_kernel_destroy(kernel);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return !equal;
}
