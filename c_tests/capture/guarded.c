/* Guarded contexts: each call that would break a capture is refused with the status that it would have had, and the
 * capture goes on, ends, and replays. */
#include "kernels.h"

enum { FORKS = 40 };

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
    /* It adds to what replays add to. */
    CHECK_OK(gc_stream_synchronize(other));
    finish(origin, 1);
}

static void captured_events_are_not_asked(void) {
    int32_t complete;
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    CHECK_OK(gc_event_record(captured, origin, 0));
    REFUSED(gc_event_is_complete(captured, &complete), GRAPHCAP_ERROR_CAPTURED_EVENT, origin);
    REFUSED(gc_event_synchronize(captured), GRAPHCAP_ERROR_CAPTURED_EVENT, origin);
    finish(origin, 1);
    /* Of a capture that is over there is nothing to harm: the driver answers. */
    CHECK_STATUS(gc_event_is_complete(captured, &complete), GRAPHCAP_ERROR_INVALID_VALUE);
}

static void the_legacy_stream_is_kept_out(void) {
    gc_stream_attribute_value priority = {0};
    int32_t complete;
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(blocking));
    CHECK_OK(gc_event_record(captured, blocking, 0));
    REFUSED(gc_stream_memset(legacy, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_event_record(recorded, legacy, 0), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_synchronize(legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_is_complete(legacy, &complete), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_graph_launch(exec, legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_get_attribute(legacy, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &priority),
            GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_set_attribute(legacy, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &priority),
            GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_copy_attributes(other, legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_wait_event(legacy, captured, 0), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    CHECK_OK(record(blocking));
    finish(blocking, 2);
    /* A capture of non-blocking streams closes it to nobody. */
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    CHECK_OK(gc_event_record(captured, origin, 0));
    CHECK_OK(gc_stream_memset(legacy, buffer, 4, 0, 4, 1));
    REFUSED(gc_stream_wait_event(legacy, captured, 0), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, origin);
    finish(origin, 1);
}

static void waits_that_would_break_it_are_refused(void) {
    gc_graph *made = NULL;
    CHECK_OK(gc_event_record(recorded, other, 0));
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(captured, blocking, 0));
    CHECK_OK(gc_stream_end_capture(blocking, &made));
    CHECK_OK(gc_graph_destroy(made));
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(origin));
    REFUSED(gc_stream_wait_event(origin, recorded, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, origin);
    /* An event of a capture that is over. */
    REFUSED(gc_stream_wait_event(origin, captured, 0), GRAPHCAP_ERROR_INVALID_VALUE, origin);
    CHECK_OK(gc_stream_wait_event(origin, never, 0));
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(captured, blocking, 0));
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
    CHECK_OK(gc_event_record(captured, origin, 0));
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
    CHECK_OK(gc_event_record(captured, other, 0));
    CHECK_OK(gc_stream_wait_event(origin, captured, 0));
    REQUIRE_OK(gc_stream_end_capture(origin, &made));
    CHECK_OK(gc_graph_destroy(made));
}

/* `to` waits for what `from` has been given. */
static void order(gc_event *event, const gc_stream *from, const gc_stream *to) {
    CHECK_OK(gc_event_record(event, from, 0));
    CHECK_OK(gc_stream_wait_event(to, event, 0));
}

/* Refused for work of stream number `id` alone; then that is joined, by way of `stream`. */
static void check_open(const gc_stream *stream, uint64_t id) {
    gc_graph *made = NULL;
    char text[1024] = "", name[40];
    const char *names;
    REFUSED(gc_stream_end_capture(origin, &made), GRAPHCAP_ERROR_CAPTURE_UNJOINED, origin);
    snprintf(name, sizeof name, "not joined: stream %llu (", (unsigned long long)id);
    gc_last_error_message(text, sizeof text, NULL);
    names = strstr(text, name);
    CHECK(names != NULL && strchr(names, ',') == NULL);
    order(captured, stream, origin);
}

/* Work of more streams than a capture has at once, joined and not, by way of others, by events that were recorded twice. */
static void joins_are_told_apart(void) {
    static gc_stream *streams[FORKS];
    gc_event *twice = open_event(rig.context);
    gc_graph *made = NULL;
    uint64_t ids[FORKS];
    size_t i, count = 0;
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_event_record(captured, origin, 0));
    for (i = 0; i < FORKS; i++) {
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        CHECK_OK(gc_stream_id(streams[i], &ids[i]));
        CHECK_OK(gc_stream_wait_event(streams[i], captured, 0));
        CHECK_OK(record(streams[i]));
    }
    /* Each joins the next one, and the last one the first stream. */
    for (i = 0; i + 1 < FORKS; i++)
        order(twice, streams[i], streams[i + 1]);
    REFUSED(gc_stream_end_capture(origin, &made), GRAPHCAP_ERROR_CAPTURE_UNJOINED, origin);
    order(captured, streams[FORKS - 1], origin);
    CHECK_OK(record(streams[FORKS - 2]));
    check_open(streams[FORKS - 2], ids[FORKS - 2]);
    CHECK_OK(record(streams[1]));
    check_open(streams[1], ids[1]);
    /* What the event held first is not what it holds. */
    CHECK_OK(record(streams[20]));
    CHECK_OK(gc_event_record(twice, streams[20], 0));
    CHECK_OK(record(streams[20]));
    CHECK_OK(gc_stream_wait_event(origin, twice, 0));
    check_open(streams[20], ids[20]);
    CHECK_OK(record(streams[20]));
    CHECK_OK(gc_event_record(twice, streams[20], 0));
    CHECK_OK(gc_event_record(twice, origin, 0));
    CHECK_OK(gc_stream_wait_event(origin, twice, 0));
    check_open(streams[20], ids[20]);
    /* A stream that is gone leaves its work, and what waited for it. */
    CHECK_OK(record(streams[0]));
    order(twice, streams[0], streams[30]);
    CHECK_OK(gc_stream_destroy(streams[0]));
    check_open(streams[30], ids[0]);
    for (i = 1; i < FORKS; i++)
        CHECK_OK(gc_stream_destroy(streams[i]));
    REQUIRE_OK(gc_stream_end_capture(origin, &made));
    CHECK_OK(gc_graph_node_count(made, &count));
    CHECK(count == FORKS + 6);
    CHECK_OK(gc_graph_destroy(made));
    CHECK_OK(gc_event_destroy(twice));
}

static void *record_on_fork(void *argument) {
    gc_stream *stream = (gc_stream *)argument;
    gc_event *event = open_event(rig.context);
    int i;
    for (i = 0; i < 20; i++)
        CHECK_OK(record(stream));
    /* Holds at least what this thread recorded; of the other one the same can be said. */
    order(event, stream, origin);
    CHECK_OK(gc_event_destroy(event));
    return NULL;
}

/* Whatever the order that threads record in: what they joined is joined. */
static void threads_record_at_once(void) {
    unsigned round, rounds = soak(20, 1000), i;
    for (round = 0; round < rounds; round++) {
        pthread_t threads[4];
        gc_graph *made = NULL;
        size_t count = 0;
        REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        order(captured, origin, other);
        order(captured, origin, blocking);
        for (i = 0; i < 4; i++)
            if (pthread_create(&threads[i], NULL, record_on_fork, i % 2 ? other : blocking) != 0)
                exit(EXIT_FAILURE);
        for (i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        REQUIRE_OK(gc_stream_end_capture(origin, &made));
        CHECK_OK(gc_graph_node_count(made, &count));
        CHECK(count == 80);
        CHECK_OK(gc_graph_destroy(made));
    }
}

static gc_capture *begin_object(gc_capture_mode mode) {
    gc_capture *capture = NULL;
    REQUIRE_OK(gc_capture_begin(origin, mode, NULL, &capture));
    CHECK_OK(record(origin));
    return capture;
}

static void *end_object_on_thread(void *argument) {
    gc_capture *capture = (gc_capture *)argument;
    gc_graph *made = NULL;
    REFUSED(gc_capture_end(capture, &made), GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD, origin);
    CHECK(made == NULL);
    return NULL;
}

static gc_status leave_open(const gc_stream *stream, void *unused) {
    (void)unused;
    order(captured, stream, other);
    return record(other);
}

/* An end that is refused leaves the object as it is; what is there to discard a capture discards it. */
static void captures_as_objects(void) {
    gc_capture *capture = begin_object(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    gc_graph *made = NULL;
    int32_t active = 0;
    on_another_thread(end_object_on_thread, capture);
    order(captured, origin, other);
    CHECK_OK(record(other));
    REFUSED(gc_capture_end(capture, &made), GRAPHCAP_ERROR_CAPTURE_UNJOINED, origin);
    CHECK_OK(gc_capture_is_active(capture, &active));
    CHECK(active == 1);
    order(captured, other, origin);
    CHECK_OK(gc_capture_end(capture, &made));
    CHECK_OK(gc_graph_destroy(made));
    CHECK_OK(gc_capture_destroy(capture));

    capture = begin_object(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(leave_open(origin, NULL));
    CHECK_OK(gc_capture_abort(capture));
    CHECK(capture_state(origin) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_capture_destroy(capture));

    capture = begin_object(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(leave_open(origin, NULL));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK(capture_state(origin) == GRAPHCAP_CAPTURE_STATUS_NONE);

    /* That one always ends. */
    CHECK_STATUS(gc_stream_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, leave_open, NULL, NULL, &made),
                 GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    CHECK(made == NULL);
    CHECK(capture_state(origin) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK(capture_state(other) == GRAPHCAP_CAPTURE_STATUS_NONE);
}

/* Contexts on one GPU share what is waited for, and the legacy stream. */
static void contexts_of_one_gpu_keep_out_of_each_other(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_stream *its_legacy = NULL;
    gc_buffer *its_buffer;
    NOT_ON_HOST("contexts of a host device have nothing in common");
    options.flags = GRAPHCAP_CONTEXT_GUARDED;
    REQUIRE_OK(gc_context_create(&options, &context));
    REQUIRE_OK(gc_context_legacy_stream(context, &its_legacy));
    its_buffer = open_buffer(context, 4);
    REQUIRE_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(record(blocking));
    REFUSED(gc_context_synchronize(context), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, blocking);
    REFUSED(gc_stream_memset(its_legacy, its_buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    REFUSED(gc_stream_synchronize(its_legacy), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, blocking);
    finish(blocking, 1);
    CHECK_OK(gc_stream_destroy(its_legacy));
    CHECK_OK(gc_buffer_destroy(its_buffer));
    CHECK_OK(gc_context_destroy(context));
}

/* Where others may have joined work, the driver decides: no end is refused that it takes. */
static void shared_streams_may_join_unseen(void) {
    gc_stream *shared;
    gc_graph *made = NULL;
    void *native = NULL;
    NOT_ON_HOST("it has no native handles");
    shared = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_stream_native(shared, &native));
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    order(captured, origin, other);
    CHECK_OK(record(other));
    order(captured, other, shared);
    order(captured, shared, origin);
    REQUIRE_OK(gc_stream_end_capture(origin, &made));
    CHECK_OK(gc_graph_destroy(made));
    CHECK_OK(gc_stream_destroy(shared));
}

/* The contexts that do not ask for it are as ever, and break captures of guarded ones too. */
static void others_are_as_ever(void) {
    struct rig plain;
    gc_event *event;
    gc_graph *made = NULL;
    rig_open(&plain);
    event = open_event(plain.context);
    CHECK_OK(gc_event_record(event, plain.stream, 0));
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
    options.flags = GRAPHCAP_CONTEXT_GUARDED | GRAPHCAP_CONTEXT_STRICT << 1;
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
    CHECK_OK(gc_event_record(recorded, other, 0));
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
    RUN(joins_are_told_apart);
    RUN(threads_record_at_once);
    RUN(captures_as_objects);
    RUN(contexts_of_one_gpu_keep_out_of_each_other);
    RUN(shared_streams_may_join_unseen);
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
