/* Each call of the driver fails once: a context is reset with work, a capture and a wrapped stream in it, and used again. */
#include "failures.h"

static void use_and_reset(struct program *it) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_stream *stream = NULL;
    gc_buffer *buffer = NULL;
    make_all(it);
    record(it);
    STEP(gc_stream_end_capture(it->stream, &it->graph));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    STEP(gc_graph_launch(it->exec, it->special));
    STEP(gc_stream_begin_capture(it->wrapped, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(it->wrapped, it->buffer, 0, 1, 1, 4));
    it->to_call++;
    STEP(gc_context_reset(it->context));
    STEP(gc_stream_create(it->context, NULL, &stream));
    STEP(gc_buffer_allocate(it->context, 64, &buffer));
    STEP(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(stream, buffer, 0, 1, 1, 4));
    STEP(gc_stream_end_capture(stream, &graph));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, stream));
    STEP(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    give_back(it);
}

int main(void) {
    static const struct subject resetting = {NULL, use_and_reset, NULL, 200, 200};
    return fail_calls_of(&resetting);
}
