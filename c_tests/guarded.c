/* Guarded contexts: each call that would break a capture is refused with the status that it would have had, and the
 * capture goes on, ends, and replays. */
#include "kernels.h"

static struct rig rig;
static gc_stream *origin, *other, *blocking, *legacy;
static gc_buffer *buffer;
static gc_event *recorded, *captured, *never;
static gc_graph *graph;
static gc_graph_exec *exec;

/* The stream is in a whole capture that nothing broke. */
static void check_whole(const gc_stream *stream) {
    gc_violation violation = -1;
    char text[256] = "";
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
    CHECK(violation == GRAPHCAP_VIOLATION_NONE && text[0] == '\0');
}

#define REFUSED(call, status, stream)                       \
    do {                                                    \
        CHECK_MESSAGE(call, status, "the capture goes on"); \
        check_whole(stream);                                \
    } while (0)

static gc_status record(const gc_stream *stream) {
    return launch_add(&rig, stream, buffer, 0, 1, 1);
}

/* Ends a capture of `nodes` launches that each add 1, and replays it. */
static void finish(gc_stream *stream, size_t nodes) {
    gc_graph *made = NULL;
    gc_graph_exec *made_exec = NULL;
    size_t count = 0;
    REQUIRE_OK(gc_stream_end_capture(stream, &made));
    CHECK_OK(gc_graph_node_count(made, &count));
    CHECK(count == nodes);
    REQUIRE_OK(gc_graph_instantiate(made, NULL, &made_exec));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_graph_launch(made_exec, stream));
    CHECK(read_u32(stream, buffer, 0) == nodes);
    CHECK_OK(gc_graph_exec_destroy(made_exec));
    CHECK_OK(gc_graph_destroy(made));
}

/* Calls that a capture bars by its mode. Whether they are refused depends on both modes and on the thread. */
static void try_unsafe_calls(int barred) {
    int32_t complete;
    gc_graph_exec *made = NULL;
    gc_status expected = barred ? GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED : GRAPHCAP_SUCCESS;
    CHECK_STATUS(gc_stream_synchronize(other), expected);
    CHECK_STATUS(gc_stream_is_complete(blocking, &complete), expected);
    CHECK_STATUS(gc_event_synchronize(recorded), expected);
    CHECK_STATUS(gc_event_is_complete(recorded, &complete), expected);
    CHECK_STATUS(gc_event_is_complete(never, &complete), expected);
    CHECK_STATUS(gc_graph_instantiate(graph, NULL, &made), expected);
    CHECK_OK(gc_graph_exec_destroy(made));
    check_whole(origin);
}

struct attempt {
    gc_capture_mode caller_mode;
    int barred;
};

static void *try_on_thread(void *argument) {
    const struct attempt *attempt = (const struct attempt *)argument;
    gc_capture_mode mode = attempt->caller_mode;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    try_unsafe_calls(attempt->barred);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    return NULL;
}

static void unsafe_calls_are_refused_by_the_modes(void) {
    gc_capture_mode mode, caller_mode;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++) {
        REQUIRE_OK(gc_stream_begin_capture(origin, mode));
        CHECK_OK(record(origin));
        for (caller_mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; caller_mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; caller_mode++) {
            struct attempt attempt;
            attempt.caller_mode = caller_mode;
            attempt.barred = mode != GRAPHCAP_CAPTURE_MODE_RELAXED && caller_mode != GRAPHCAP_CAPTURE_MODE_RELAXED;
            try_on_thread(&attempt);
            attempt.barred = mode == GRAPHCAP_CAPTURE_MODE_GLOBAL && caller_mode == GRAPHCAP_CAPTURE_MODE_GLOBAL;
            on_another_thread(try_on_thread, &attempt);
        }
        CHECK_OK(record(origin));
        finish(origin, 2);
    }
}

static void calls_on_the_capturing_stream_are_refused(void) {
    int32_t complete;
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    REFUSED(gc_stream_synchronize(origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, origin);
    REFUSED(gc_stream_is_complete(origin, &complete), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, origin);
    REFUSED(gc_graph_launch(exec, origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, origin);
    REFUSED(gc_graph_upload(exec, origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, origin);
    REFUSED(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, origin);
    CHECK_STATUS(launch_add(&rig, origin, buffer, 0, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    check_whole(origin);
    CHECK_OK(gc_graph_launch(exec, other));
    finish(origin, 1);
}

static void captured_events_are_not_asked(void) {
    int32_t complete;
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    CHECK_OK(gc_event_record(captured, origin));
    REFUSED(gc_event_is_complete(captured, &complete), GRAPHCAP_ERROR_CAPTURED_EVENT, origin);
    REFUSED(gc_event_synchronize(captured), GRAPHCAP_ERROR_CAPTURED_EVENT, origin);
    finish(origin, 1);
    /* Of a capture that is over there is nothing to harm: the driver answers. */
    CHECK_STATUS(gc_event_is_complete(captured, &complete), GRAPHCAP_ERROR_INVALID_VALUE);
}

static void the_legacy_stream_is_kept_out(void) {
    int32_t complete;
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(blocking));
    CHECK_OK(gc_event_record(captured, blocking));
    REFUSED(gc_stream_memset(legacy, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_event_record(recorded, legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_synchronize(legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_is_complete(legacy, &complete), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_graph_launch(exec, legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_wait_event(legacy, captured, 0), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    CHECK_OK(record(blocking));
    finish(blocking, 2);
    /* A capture of non-blocking streams closes it to nobody. */
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    CHECK_OK(gc_event_record(captured, origin));
    CHECK_OK(gc_stream_memset(legacy, buffer, 4, 0, 4, 1));
    REFUSED(gc_stream_wait_event(legacy, captured, 0), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, origin);
    finish(origin, 1);
}

static void waits_that_would_break_it_are_refused(void) {
    gc_graph *made = NULL;
    CHECK_OK(gc_event_record(recorded, other));
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(captured, blocking));
    CHECK_OK(gc_stream_end_capture(blocking, &made));
    CHECK_OK(gc_graph_destroy(made));
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    REFUSED(gc_stream_wait_event(origin, recorded, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, origin);
    /* An event of a capture that is over. */
    REFUSED(gc_stream_wait_event(origin, captured, 0), GRAPHCAP_ERROR_INVALID_VALUE, origin);
    CHECK_OK(gc_stream_wait_event(origin, never, 0));
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(captured, blocking));
    REFUSED(gc_stream_wait_event(origin, captured, 0), GRAPHCAP_ERROR_CAPTURE_MERGE, origin);
    check_whole(blocking);
    CHECK_OK(record(blocking));
    finish(origin, 1);
    finish(blocking, 1);
}

static void *end_on_thread(void *unused) {
    gc_graph *made = NULL;
    (void)unused;
    REFUSED(gc_stream_end_capture(origin, &made), GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD, origin);
    CHECK(made == NULL);
    return NULL;
}

static void ends_that_would_discard_it_are_refused(void) {
    gc_graph *made = NULL;
    char text[1024] = "", open[80];
    uint64_t id = 0, event_id = 0;
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(record(origin));
    on_another_thread(end_on_thread, NULL);
    CHECK_OK(gc_event_record(captured, origin));
    CHECK_OK(gc_stream_wait_event(other, captured, 0));
    CHECK_OK(record(other));
    REFUSED(gc_stream_end_capture(other, &made), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, origin);
    REFUSED(gc_stream_end_capture(origin, &made), GRAPHCAP_ERROR_CAPTURE_UNJOINED, origin);
    CHECK_OK(gc_stream_id(other, &id));
    CHECK_OK(gc_event_id(captured, &event_id));
    snprintf(open, sizeof open, "stream %llu (forked by event %llu)", (unsigned long long)id, (unsigned long long)event_id);
    gc_last_error_message(text, sizeof text, NULL);
    CHECK(check_contains(text, open));
    /* What was forgotten can be done now. */
    CHECK_OK(gc_event_record(captured, other));
    CHECK_OK(gc_stream_wait_event(origin, captured, 0));
    REQUIRE_OK(gc_stream_end_capture(origin, &made));
    CHECK_OK(gc_graph_destroy(made));
}

/* The contexts that do not ask for it are as ever, and break captures of guarded ones too. */
static void others_are_as_ever(void) {
    struct rig plain;
    gc_event *event;
    gc_graph *made = NULL;
    rig_open(&plain);
    event = open_event(plain.context);
    CHECK_OK(gc_event_record(event, plain.stream));
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_event_synchronize(event), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "gc_event_synchronize");
    CHECK(capture_state(origin) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_MESSAGE(gc_stream_end_capture(origin, &made), GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                  "broken by gc_event_synchronize");
    /* A guarded context's calls are refused for others' captures too. */
    REQUIRE_OK(gc_stream_begin_capture(plain.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REFUSED(gc_event_synchronize(recorded), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, plain.stream);
    REQUIRE_OK(gc_stream_end_capture(plain.stream, &made));
    CHECK_OK(gc_graph_destroy(made));
    CHECK_OK(gc_event_destroy(event));
    rig_close(&plain);
}

/* A capture that was broken all the same is ended as ever. */
static void broken_captures_end(void) {
    struct rig plain;
    gc_graph *made = NULL;
    rig_open(&plain);
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_synchronize(plain.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(record(origin), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_stream_end_capture(origin, &made), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_synchronize(origin));
    rig_close(&plain);
}

static void unknown_flags_are_refused(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    options.flags = GRAPHCAP_CONTEXT_GUARDED | 2;
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_CONTEXT_GUARDED");
}

int main(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    options.flags = GRAPHCAP_CONTEXT_GUARDED;
    REQUIRE_OK(gc_context_create(&options, &context));
    rig_open_in(&rig, context);
    origin = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    blocking = open_stream(rig.context, 0);
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    buffer = open_buffer(rig.context, 64);
    recorded = open_event(rig.context);
    captured = open_event(rig.context);
    never = open_event(rig.context);
    CHECK_OK(gc_event_record(recorded, other));
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    REQUIRE_OK(gc_stream_end_capture(origin, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    RUN(unsafe_calls_are_refused_by_the_modes);
    RUN(calls_on_the_capturing_stream_are_refused);
    RUN(captured_events_are_not_asked);
    RUN(the_legacy_stream_is_kept_out);
    RUN(waits_that_would_break_it_are_refused);
    RUN(ends_that_would_discard_it_are_refused);
    RUN(others_are_as_ever);
    RUN(broken_captures_end);
    RUN(unknown_flags_are_refused);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(recorded));
    CHECK_OK(gc_event_destroy(captured));
    CHECK_OK(gc_event_destroy(never));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(origin));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(blocking));
    CHECK_OK(gc_stream_destroy(legacy));
    rig_close(&rig);
    return check_finish();
}
