/* Events: completion, order across streams, re-recording, times. */
#include "kernels.h"

static struct rig rig;

static int is_complete(const gc_event *event) {
    int32_t complete = -1;
    CHECK_OK(gc_event_is_complete(event, &complete));
    CHECK(complete == 0 || complete == 1);
    return complete;
}

static gc_event *event_with(uint32_t flags) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event = NULL;
    options.flags = flags;
    REQUIRE_OK(gc_event_create(rig.context, &options, &event));
    return event;
}

static void bad_options_are_refused(void) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event = NULL;
    options.flags = 8;
    CHECK_MESSAGE(gc_event_create(rig.context, &options, &event), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK(event == NULL);
    options.flags = GRAPHCAP_EVENT_INTERPROCESS;
    CHECK_MESSAGE(gc_event_create(rig.context, &options, &event), GRAPHCAP_ERROR_INVALID_VALUE, "DISABLE_TIMING");
    CHECK(event == NULL);
    event = event_with(GRAPHCAP_EVENT_BLOCKING_SYNC | GRAPHCAP_EVENT_DISABLE_TIMING);
    CHECK_MESSAGE(gc_stream_wait_event(rig.stream, event, 2), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_MESSAGE(gc_event_record(event, rig.stream, 2), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_OK(gc_event_destroy(event));
}

static void an_event_never_recorded_is_complete(void) {
    gc_event *event = open_event(rig.context);
    CHECK(is_complete(event));
    CHECK_OK(gc_event_synchronize(event));
    CHECK_OK(gc_stream_wait_event(rig.stream, event, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_event_destroy(event));
}

static void events_complete_when_their_work_does(void) {
    struct gate gate;
    gc_event *event = event_with(GRAPHCAP_EVENT_BLOCKING_SYNC), *before = open_event(rig.context);
    gate_init(&gate);
    CHECK_OK(gc_event_record(before, rig.stream, 0));
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    gate_await(&gate, 1);
    CHECK(is_complete(before) && !is_complete(event));
    gate_open(&gate);
    CHECK_OK(gc_event_synchronize(event));
    CHECK(is_complete(event));
    CHECK_OK(gc_event_destroy(before));
    CHECK_OK(gc_event_destroy(event));
    gate_free(&gate);
}

static void a_waiting_stream_runs_after_the_event(void) {
    struct gate gate;
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    int32_t complete = -1;
    gate_init(&gate);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 1));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(launch_note(&rig, other, journal, 0));
    CHECK_OK(gc_stream_synchronize(other));
    CHECK_OK(gc_stream_wait_event(other, event, 0));
    CHECK_OK(launch_note(&rig, other, journal, 2));
    /* A wait that was submitted holds, whatever becomes of the event. */
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_is_complete(other, &complete));
    read_journal(rig.context, journal, &seen);
    CHECK(complete == 0 && seen.length == 1);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(other));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 3 && seen.entries[1] == 1 && seen.entries[2] == 2);
    CHECK_OK(gc_buffer_destroy(journal));
    CHECK_OK(gc_stream_destroy(other));
    gate_free(&gate);
}

/* A wait refers to the record that was the latest when it was submitted. */
static void a_later_record_does_not_move_an_earlier_wait(void) {
    struct gate first, second;
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gate_init(&first);
    gate_init(&second);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &first, NULL));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(other, event, 0));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &second, NULL));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    gate_open(&first);
    CHECK_OK(gc_stream_synchronize(other));
    gate_await(&second, 1);
    CHECK(!is_complete(event));
    gate_open(&second);
    CHECK_OK(gc_event_synchronize(event));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(other));
    gate_free(&first);
    gate_free(&second);
}

static void times_are_in_order(void) {
    gc_event *events[3];
    gc_kernel *nap = get_kernel(rig.module, "nap");
    uint32_t milliseconds = 5;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(milliseconds)};
    float first = -1, second = -1, both = -1, back = 1, same = -1;
    unsigned i;
    for (i = 0; i < 3; i++) {
        events[i] = open_event(rig.context);
        if (i > 0)
            CHECK_OK(launch(rig.stream, nap, 1, 1, arguments, 1));
        CHECK_OK(gc_event_record(events[i], rig.stream, 0));
    }
    CHECK_OK(gc_event_synchronize(events[2]));
    CHECK_OK(gc_event_elapsed_time(events[0], events[1], &first));
    CHECK_OK(gc_event_elapsed_time(events[1], events[2], &second));
    CHECK_OK(gc_event_elapsed_time(events[0], events[2], &both));
    CHECK_OK(gc_event_elapsed_time(events[2], events[0], &back));
    CHECK_OK(gc_event_elapsed_time(events[1], events[1], &same));
    /* A nap of 5 ms takes at least that. */
    CHECK(first >= 4.9f && second >= 4.9f && same == 0.0f);
    CHECK(both > first + second - 0.01f && both < first + second + 0.01f);
    CHECK(back < 0 && both + back < 0.01f && both + back > -0.01f);
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_event_destroy(events[i]));
    CHECK_OK(gc_kernel_destroy(nap));
}

static void times_that_are_not_there_are_refused(void) {
    struct gate gate;
    gc_event *timed = open_event(rig.context), *untimed = event_with(GRAPHCAP_EVENT_DISABLE_TIMING);
    gc_event *never = open_event(rig.context), *pending = open_event(rig.context);
    float milliseconds = 5;
    gate_init(&gate);
    CHECK_OK(gc_event_record(timed, rig.stream, 0));
    CHECK_OK(gc_event_record(untimed, rig.stream, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_MESSAGE(gc_event_elapsed_time(timed, never, &milliseconds), GRAPHCAP_ERROR_INVALID_HANDLE, "record");
    CHECK(milliseconds == 0);
    CHECK_MESSAGE(gc_event_elapsed_time(never, timed, &milliseconds), GRAPHCAP_ERROR_INVALID_HANDLE, "record");
    CHECK_MESSAGE(gc_event_elapsed_time(timed, untimed, &milliseconds), GRAPHCAP_ERROR_INVALID_HANDLE, "timing");
    CHECK_MESSAGE(gc_event_elapsed_time(untimed, timed, &milliseconds), GRAPHCAP_ERROR_INVALID_HANDLE, "timing");
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_event_record(pending, rig.stream, 0));
    CHECK_STATUS(gc_event_elapsed_time(timed, pending, &milliseconds), GRAPHCAP_ERROR_NOT_READY);
    gate_open(&gate);
    CHECK_OK(gc_event_synchronize(pending));
    CHECK_OK(gc_event_elapsed_time(timed, pending, &milliseconds));
    CHECK(milliseconds >= 0);
    CHECK_OK(gc_event_destroy(pending));
    CHECK_OK(gc_event_destroy(never));
    CHECK_OK(gc_event_destroy(untimed));
    CHECK_OK(gc_event_destroy(timed));
    gate_free(&gate);
}

/* A ring of streams, each waiting for the one before, runs as one chain. */
static void events_chain_streams(void) {
    enum { STREAMS = 4 };
    gc_stream *streams[STREAMS];
    gc_event *events[STREAMS];
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    unsigned i, steps = soak(200, 4000);
    for (i = 0; i < STREAMS; i++) {
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        events[i] = open_event(rig.context);
    }
    for (i = 0; i < steps; i++) {
        CHECK_OK(gc_stream_wait_event(streams[i % STREAMS], events[(i + STREAMS - 1) % STREAMS], 0));
        CHECK_OK(launch_note(&rig, streams[i % STREAMS], journal, i));
        CHECK_OK(gc_event_record(events[i % STREAMS], streams[i % STREAMS], 0));
    }
    CHECK_OK(gc_context_synchronize(rig.context));
    read_journal(rig.context, journal, &seen);
    check_counts_up(&seen, steps, steps);
    for (i = 0; i < STREAMS; i++) {
        CHECK_OK(gc_event_destroy(events[i]));
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
    CHECK_OK(gc_buffer_destroy(journal));
}

int main(void) {
    rig_open(&rig);
    RUN(bad_options_are_refused);
    RUN(an_event_never_recorded_is_complete);
    RUN(events_complete_when_their_work_does);
    RUN(a_waiting_stream_runs_after_the_event);
    RUN(a_later_record_does_not_move_an_earlier_wait);
    RUN(times_are_in_order);
    RUN(times_that_are_not_there_are_refused);
    RUN(events_chain_streams);
    rig_close(&rig);
    return check_finish();
}
