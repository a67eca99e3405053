/* What the tests of work over several contexts share: a context at home, another one on the same device, and one on another
 * device, where there is one. */
#ifndef GRAPHCAP_TESTS_NEIGHBOURS_H
#define GRAPHCAP_TESTS_NEIGHBOURS_H

#include "kernels.h"

/* A context on device `ordinal` of a kind, with what a rig has. */
static inline void rig_open_on(struct rig *rig, gc_device_kind kind, uint32_t ordinal) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    options.device_kind = kind;
    options.device_ordinal = ordinal;
    REQUIRE_OK(gc_context_create(&options, &context));
    rig_open_in(rig, context);
}

/* Where the other context is. */
enum { SAME_DEVICE, OTHER_DEVICE, PLACES };

static uint32_t device_count;

/* What main() begins with. */
static inline void count_devices(void) {
    setenv("GRAPHCAP_HOST_DEVICES", "2", 0);
    REQUIRE_OK(gc_device_count(tested_device(), &device_count));
    if (device_count < 2)
        fprintf(stderr, "skipped: two devices, as there is one\n");
}

static inline int places(void) {
    return device_count < 2 ? OTHER_DEVICE : PLACES;
}

/* Two contexts, each with a buffer of zeros and an event. */
struct pair {
    int place;
    struct rig home, other;
    gc_buffer *here, *there;
    gc_event *mark, *answer;
};

static inline void pair_open(struct pair *pair, int place) {
    pair->place = place;
    rig_open_on(&pair->home, tested_device(), 0);
    rig_open_on(&pair->other, tested_device(), place == OTHER_DEVICE);
    pair->here = open_buffer(pair->home.context, 64);
    pair->there = open_buffer(pair->other.context, 64);
    pair->mark = open_event(pair->home.context);
    pair->answer = open_event(pair->other.context);
}

/* What the other context has goes, the context too. */
static inline void pair_leave_other(struct pair *pair) {
    CHECK_OK(gc_event_destroy(pair->answer));
    CHECK_OK(gc_buffer_destroy(pair->there));
    rig_close(&pair->other);
    pair->answer = NULL;
    pair->there = NULL;
    memset(&pair->other, 0, sizeof pair->other);
}

static inline void pair_close(struct pair *pair) {
    if (pair->there != NULL)
        pair_leave_other(pair);
    CHECK_OK(gc_event_destroy(pair->mark));
    CHECK_OK(gc_buffer_destroy(pair->here));
    rig_close(&pair->home);
}

/* Begins a capture at home that the other stream joins. */
static inline void pair_join(const struct pair *pair, gc_capture_mode mode) {
    REQUIRE_OK(gc_stream_begin_capture(pair->home.stream, mode));
    CHECK_OK(gc_event_record(pair->mark, pair->home.stream, 0));
    CHECK_OK(gc_stream_wait_event(pair->other.stream, pair->mark, 0));
    CHECK(capture_state(pair->other.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
}

/* The home stream goes on after what the other one has recorded. */
static inline void pair_meet(const struct pair *pair) {
    CHECK_OK(gc_event_record(pair->answer, pair->other.stream, 0));
    CHECK_OK(gc_stream_wait_event(pair->home.stream, pair->answer, 0));
}

/* Ends the capture, which must work, and instantiates the graph. */
static inline gc_graph_exec *pair_finish(const struct pair *pair) {
    return finish_capture(pair->home.stream);
}

#endif
