/* Fills a buffer with random numbers in a graph: each replay draws the next ones. docs/random.md explains how. */
#include <graphcap.h>
#include <stdio.h>

int main(void) {
    gc_context *context = NULL;
    gc_stream *stream = NULL;
    gc_buffer *noise = NULL;
    gc_rng *rng = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_rng_uniform_params fill = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    uint64_t drawn = 0;
    float first[2] = {0, 0};
    int replay, ok = 1;

    ok &= gc_context_create(NULL, &context) == GRAPHCAP_SUCCESS;
    ok &= gc_stream_create(context, NULL, &stream) == GRAPHCAP_SUCCESS;
    ok &= gc_buffer_allocate(context, 1000 * sizeof(float), &noise) == GRAPHCAP_SUCCESS;
    ok &= gc_rng_create(stream, 42, 0, &rng) == GRAPHCAP_SUCCESS;
    fill.rng = rng;
    fill.buffer = noise;
    fill.count = 1000;

    ok &= gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL) == GRAPHCAP_SUCCESS;
    ok &= gc_stream_fill_uniform(stream, &fill) == GRAPHCAP_SUCCESS;
    ok &= gc_stream_end_capture(stream, &graph) == GRAPHCAP_SUCCESS;
    ok &= gc_graph_instantiate(graph, NULL, &exec) == GRAPHCAP_SUCCESS;
    for (replay = 0; replay < 2; replay++) {
        ok &= gc_graph_launch(exec, stream) == GRAPHCAP_SUCCESS;
        ok &= gc_stream_memcpy_dtoh(stream, &first[replay], noise, 0, sizeof(float)) == GRAPHCAP_SUCCESS;
    }
    ok &= gc_rng_get_offset(rng, stream, &drawn) == GRAPHCAP_SUCCESS;
    printf("%u numbers were drawn; the replays began with %g and %g\n", (unsigned)drawn, first[0], first[1]);
    ok &= drawn == 2000 && first[0] != first[1];

    gc_graph_exec_destroy(exec);
    gc_graph_destroy(graph);
    gc_rng_destroy(rng);
    gc_buffer_destroy(noise);
    gc_stream_destroy(stream);
    gc_context_destroy(context);
    return ok ? 0 : 1;
}
