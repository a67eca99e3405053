/* A library that works in captures of its caller, and its test. docs/captures-in-a-library.md has the rules that it follows. */
#include <graphcap.h>
#include <stdio.h>
#include <stdlib.h>

static void check(gc_status status) {
    char why[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(why, sizeof why, NULL);
    fprintf(stderr, "%s\n", why);
    exit(1);
}

/* The library: what a call needs is made before, by an init call. */
struct library { gc_stream *side; gc_event *fork, *join; gc_buffer *scratch; };

static gc_status library_create(const gc_context *context, struct library *library) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_status status;
    options.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    if ((status = gc_stream_create(context, &options, &library->side)) != GRAPHCAP_SUCCESS) return status;
    if ((status = gc_event_create(context, NULL, &library->fork)) != GRAPHCAP_SUCCESS) return status;
    if ((status = gc_event_create(context, NULL, &library->join)) != GRAPHCAP_SUCCESS) return status;
    return gc_buffer_allocate(context, 64, &library->scratch);
}

/* Submits to the caller's stream, and to one of the library's own beside it. Waits for nothing, asks nothing. */
static gc_status library_step(const struct library *library, const gc_stream *stream, const gc_buffer *data) {
    gc_status status, joined;
    if ((status = gc_event_record(library->fork, stream, 0)) != GRAPHCAP_SUCCESS) return status;
    if ((status = gc_stream_wait_event(library->side, library->fork, 0)) != GRAPHCAP_SUCCESS) return status;
    status = gc_stream_memset(library->side, library->scratch, 0, 2, 4, 16);
    if (status == GRAPHCAP_SUCCESS) status = gc_stream_memset(stream, data, 0, 1, 4, 16);
    /* What was forked is joined on failing ways out too. */
    joined = gc_event_record(library->join, library->side, 0);
    if (joined == GRAPHCAP_SUCCESS) joined = gc_stream_wait_event(stream, library->join, 0);
    if (status == GRAPHCAP_SUCCESS) status = joined;
    if (status == GRAPHCAP_SUCCESS) status = gc_stream_memcpy_dtod(stream, data, 0, library->scratch, 0, 32);
    return status;
}

static void library_destroy(struct library *library) {
    gc_buffer_destroy(library->scratch), gc_event_destroy(library->join), gc_event_destroy(library->fork);
    gc_stream_destroy(library->side);
}

int main(void) { /* its test: under a global capture of a blocking stream, which bars most calls */
    uint32_t words[16] = {0};
    struct library library;
    gc_context *context;
    gc_stream *stream;
    gc_buffer *data;
    gc_graph *graph;
    gc_graph_exec *exec;
    check(gc_context_create(NULL, &context));
    check(gc_stream_create(context, NULL, &stream)); /* blocking */
    check(gc_buffer_allocate(context, sizeof words, &data));
    check(library_create(context, &library));
    for (int call = 0; call < 2; call++) { /* as the first call of the process, and as the second */
        check(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        check(library_step(&library, stream, data));
        check(gc_stream_end_capture(stream, &graph));
        check(gc_graph_instantiate(graph, NULL, &exec));
        check(gc_graph_launch(exec, stream));
        gc_graph_exec_destroy(exec), gc_graph_destroy(graph);
    }
    check(library_step(&library, stream, data)); /* and without a capture */
    check(gc_stream_memcpy_dtoh(stream, words, data, 0, sizeof words));
    check(gc_stream_synchronize(stream));
    printf("%u %u\n", words[0], words[15]);
    library_destroy(&library), gc_buffer_destroy(data), gc_stream_destroy(stream), gc_context_destroy(context);
    return words[0] == 2 && words[15] == 1 ? 0 : 1;
}
