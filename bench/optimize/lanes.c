/* How a work is recorded on many streams by somebody who knows what depends on what: a node goes on with the stream of a node that it
 * depends on, where that is the last one there; any other goes to the stream with the fewest nodes. */
#include "lanes.h"

#include <string.h>

static const size_t NONE = (size_t)-1;

typedef struct {
    const work *w;
    size_t lanes;
    size_t *lane_of;            /* of each node */
    size_t *position;           /* of each node in its lane, from 1 on */
    bool *is_awaited;           /* whether a node of another lane depends on the node */
    bool *is_sink;              /* whether none depends on it */
    size_t last[MOST_LANES];    /* the node of each lane that was placed last */
    size_t length[MOST_LANES];  /* how many nodes each lane has */
    bool is_forked[MOST_LANES]; /* whether the stream is in the capture */
    gc_event **events;          /* one for each node that is awaited */
    uint32_t *clocks;           /* for each node: up to which position of each lane all comes before it */
} recording;

static size_t choose(const recording *r, size_t node) {
    const shape *s = &r->w->shape;
    size_t least = 0;
    for (size_t edge = s->first[node]; edge < s->first[node + 1]; edge++) {
        const size_t lane = r->lane_of[s->predecessors[edge]];
        if (r->last[lane] == s->predecessors[edge]) return lane;
    }
    for (size_t lane = 1; lane < r->lanes; lane++) {
        if (r->length[lane] < r->length[least]) least = lane;
    }
    return least;
}

static void place_all(recording *r) {
    const shape *s = &r->w->shape;
    for (size_t lane = 0; lane < MOST_LANES; lane++) r->last[lane] = NONE;
    for (size_t i = 0; i < s->nodes; i++) {
        const size_t node = r->w->order[i], lane = choose(r, node);
        r->lane_of[node] = lane;
        r->last[lane] = node;
        r->position[node] = ++r->length[lane];
        r->is_sink[node] = true;
    }
    for (size_t node = 0; node < s->nodes; node++) {
        for (size_t edge = s->first[node]; edge < s->first[node + 1]; edge++) {
            const size_t before = s->predecessors[edge];
            r->is_sink[before] = false;
            r->is_awaited[before] |= r->lane_of[before] != r->lane_of[node];
        }
    }
}

static gc_event *new_event(const recording *r) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event;
    options.flags = GRAPHCAP_EVENT_DISABLE_TIMING;
    CHECK(gc_event_create(r->w->rig->context, &options, &event));
    return event;
}

static void merge(uint32_t *clock, const uint32_t *other, size_t lanes) {
    for (size_t lane = 0; lane < lanes; lane++) {
        if (other[lane] > clock[lane]) clock[lane] = other[lane];
    }
}

/* Has the node's stream wait for what the node depends on, unless that comes before it anyway; a node without any begins behind
 * `start`. `before` is the node before it on the stream. */
static void wait_for_all(recording *r, size_t node, size_t before, gc_event *start) {
    const shape *s = &r->w->shape;
    const size_t lane = r->lane_of[node];
    const gc_stream *stream = r->w->rig->lanes[lane];
    uint32_t *clock = r->clocks + node * r->lanes;
    if (before != NONE) memcpy(clock, r->clocks + before * r->lanes, r->lanes * sizeof *clock);
    for (size_t edge = s->first[node + 1]; edge-- > s->first[node];) { /* the latest first: it may come behind the others */
        const size_t one = s->predecessors[edge];
        if (clock[r->lane_of[one]] >= r->position[one]) continue;
        CHECK(gc_stream_wait_event(stream, r->events[one], 0));
        r->is_forked[lane] = true;
        merge(clock, r->clocks + one * r->lanes, r->lanes);
    }
    if (!r->is_forked[lane]) CHECK(gc_stream_wait_event(stream, start, 0));
    r->is_forked[lane] = true;
    clock[lane] = (uint32_t)r->position[node];
}

static void join_all(recording *r) {
    const gc_stream *const *streams = (const gc_stream *const *)r->w->rig->lanes;
    gc_event *end = new_event(r);
    for (size_t lane = 1; lane < r->lanes; lane++) {
        if (r->last[lane] == NONE || !r->is_sink[r->last[lane]]) continue;
        CHECK(gc_event_record(end, streams[lane], 0));
        CHECK(gc_stream_wait_event(streams[0], end, 0));
    }
    CHECK(gc_event_destroy(end));
}

static gc_graph *record_all(recording *r, bool ends) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const rig *rig = r->w->rig;
    const gc_stream *origin = rig->lanes[0];
    gc_event *start = new_event(r);
    gc_graph *graph;
    size_t last[MOST_LANES];
    for (size_t lane = 0; lane < MOST_LANES; lane++) last[lane] = NONE;
    CHECK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    r->is_forked[0] = true;
    if (ends) CHECK(gc_stream_launch_kernel(origin, rig->nothing, &one, NULL, 0));
    CHECK(gc_event_record(start, origin, 0));
    for (size_t i = 0; i < r->w->shape.nodes; i++) {
        const size_t node = r->w->order[i], lane = r->lane_of[node];
        wait_for_all(r, node, last[lane], start);
        r->w->submit(r->w, rig->lanes[lane], node);
        last[lane] = node;
        if (!r->is_awaited[node]) continue;
        r->events[node] = new_event(r);
        CHECK(gc_event_record(r->events[node], rig->lanes[lane], 0));
    }
    join_all(r);
    if (ends) CHECK(gc_stream_launch_kernel(origin, rig->nothing, &one, NULL, 0));
    CHECK(gc_stream_end_capture(origin, &graph));
    CHECK(gc_event_destroy(start));
    return graph;
}

gc_graph *lanes_record(const work *w, size_t lanes, bool ends) {
    const size_t nodes = w->shape.nodes;
    recording r = {.w = w, .lanes = lanes};
    r.lane_of = allocate(nodes, sizeof *r.lane_of);
    r.position = allocate(nodes, sizeof *r.position);
    r.is_awaited = allocate(nodes, sizeof *r.is_awaited);
    r.is_sink = allocate(nodes, sizeof *r.is_sink);
    r.events = allocate(nodes, sizeof *r.events);
    r.clocks = allocate(nodes * lanes, sizeof *r.clocks);
    place_all(&r);
    gc_graph *graph = record_all(&r, ends);
    for (size_t node = 0; node < nodes; node++) CHECK(gc_event_destroy(r.events[node]));
    free(r.lane_of), free(r.position), free(r.is_awaited), free(r.is_sink), free(r.events), free(r.clocks);
    return graph;
}
