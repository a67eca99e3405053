/* How a graph of any shape is captured: a stream adds an edge from its last node to its next, so a node goes on with a
 * stream only where that edge is wanted; any other gets its own stream, which waits for its predecessors' events. */
#include "record.h"

typedef struct {
    const gc_context *context;
    gc_stream **streams; /* every stream of the capture; [0] is its origin */
    size_t stream_count;
    gc_event **events; /* every event made; the first free_count of free_events wait for their next use */
    size_t event_count;
    gc_event **free_events;
    size_t free_count;
} recorder;

static gc_stream *new_stream(recorder *r) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    options.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    CHECK(gc_stream_create(r->context, &options, &r->streams[r->stream_count]));
    return r->streams[r->stream_count++];
}

static gc_event *take_event(recorder *r) {
    if (r->free_count > 0) return r->free_events[--r->free_count];
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    options.flags = GRAPHCAP_EVENT_DISABLE_TIMING;
    CHECK(gc_event_create(r->context, &options, &r->events[r->event_count]));
    return r->events[r->event_count++];
}

gc_graph_exec *record_shape(const gc_context *context, const shape *s, submit_node submit, void *user_data) {
    recorder r = {.context = context};
    r.streams = allocate(s->nodes + 1, sizeof *r.streams);
    r.events = allocate(s->nodes + 1, sizeof *r.events);
    r.free_events = allocate(s->nodes + 1, sizeof *r.free_events);
    gc_stream **stream_of = allocate(s->nodes, sizeof *stream_of);
    gc_event **event_of = allocate(s->nodes, sizeof *event_of);
    size_t *successors_left = allocate(s->nodes, sizeof *successors_left);
    bool *is_last_of_stream = allocate(s->nodes, sizeof *is_last_of_stream);
    bool *is_sink = allocate(s->nodes, sizeof *is_sink);
    for (size_t edge = 0; edge < s->edges; edge++) successors_left[s->predecessors[edge]]++;
    for (size_t node = 0; node < s->nodes; node++) is_sink[node] = successors_left[node] == 0;

    gc_stream *origin = new_stream(&r);
    gc_event *start = take_event(&r);
    CHECK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK(gc_event_record(start, origin, 0));

    for (size_t node = 0; node < s->nodes; node++) {
        const uint32_t *from = s->predecessors + s->first[node], *end = s->predecessors + s->first[node + 1], *at;
        const uint32_t *continued = from;
        while (continued < end && !is_last_of_stream[*continued]) continued++;
        gc_stream *stream = node == 0 ? origin : continued < end ? stream_of[*continued] : new_stream(&r);
        if (from == end && node > 0) CHECK(gc_stream_wait_event(stream, start, 0));
        for (at = from; at < end; at++) {
            if (at != continued) CHECK(gc_stream_wait_event(stream, event_of[*at], 0));
            if (--successors_left[*at] == 0) r.free_events[r.free_count++] = event_of[*at];
        }
        if (continued < end) is_last_of_stream[*continued] = false;
        submit(stream, node, user_data);
        stream_of[node] = stream;
        is_last_of_stream[node] = true;
        event_of[node] = take_event(&r);
        CHECK(gc_event_record(event_of[node], stream, 0));
    }
    for (size_t node = 0; node < s->nodes; node++) {
        if (is_sink[node] && stream_of[node] != origin) CHECK(gc_stream_wait_event(origin, event_of[node], 0));
    }

    gc_graph *graph;
    gc_graph_exec *exec;
    size_t nodes, edges;
    CHECK(gc_stream_end_capture(origin, &graph));
    CHECK(gc_graph_node_count(graph, &nodes));
    CHECK(gc_graph_edge_count(graph, &edges));
    if (nodes != s->nodes || edges != s->edges) {
        fprintf(stderr, "graphcap-bench: captured %zu nodes and %zu edges where %zu and %zu were meant\n", nodes, edges,
                s->nodes, s->edges);
        exit(1);
    }
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_upload(exec, origin));
    CHECK(gc_stream_synchronize(origin));
    CHECK(gc_graph_destroy(graph));

    for (size_t i = 0; i < r.stream_count; i++) CHECK(gc_stream_destroy(r.streams[i]));
    for (size_t i = 0; i < r.event_count; i++) CHECK(gc_event_destroy(r.events[i]));
    free(r.streams), free(r.events), free(r.free_events);
    free(stream_of), free(event_of), free(successors_left), free(is_last_of_stream), free(is_sink);
    return exec;
}
