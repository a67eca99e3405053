/* Waiting with a limit, for streams, events and contexts: work that is held gives 909, and not before the time given;
 * complete work gives 0; nothing is harmed, captures that begin meanwhile included. */
#include "kernels.h"

static struct rig rig;

enum { SHORT_WAIT = 2000000 };
static const uint64_t long_wait = 60000000000u;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The three kinds of wait. */
struct what {
    const gc_stream *stream;
    const gc_event *event;
    const gc_context *context;
};

static gc_status wait_for(const struct what *what, uint64_t nanoseconds) {
    return what->stream != NULL  ? gc_stream_synchronize_for(what->stream, nanoseconds)
           : what->event != NULL ? gc_event_synchronize_for(what->event, nanoseconds)
                                 : gc_context_synchronize_for(what->context, nanoseconds);
}

/* All that stand for the work of `stream`, which `event` was recorded on. */
static unsigned all_kinds(const gc_stream *stream, const gc_event *event, struct what kinds[3]) {
    memset(kinds, 0, 3 * sizeof kinds[0]);
    kinds[0].stream = stream;
    kinds[1].event = event;
    kinds[2].context = rig.context;
    return 3;
}

static void check_held(const struct what *what) {
    const uint64_t limits[] = {0, 1, 50000, SHORT_WAIT};
    size_t i;
    for (i = 0; i < LENGTH_OF(limits); i++) {
        uint64_t before = now();
        gc_status status = wait_for(what, limits[i]);
        uint64_t passed = now() - before;
        check_message(__FILE__, __LINE__, "synchronize_for(", status, GRAPHCAP_ERROR_TIMEOUT, "goes on");
        CHECK(passed >= limits[i]);
    }
}

static void held_work_is_waited_for_no_longer_than_asked(const gc_stream *stream) {
    struct gate gate;
    struct what kinds[3];
    gc_event *event = open_event(rig.context);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    unsigned i, count = all_kinds(stream, event, kinds);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, stream, &gate));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 7, 1));
    CHECK_OK(gc_event_record(event, stream, 0));
    for (i = 0; i < count; i++)
        check_held(&kinds[i]);
    gate_open(&gate);
    for (i = 0; i < count; i++)
        CHECK_OK(wait_for(&kinds[i], long_wait));
    /* What is complete needs no time. */
    for (i = 0; i < count; i++)
        CHECK_OK(wait_for(&kinds[i], 0));
    CHECK(read_u32(stream, buffer, 0) == 7);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    gate_free(&gate);
}

static void streams_of_all_kinds_can_be_held(void) {
    gc_stream *streams[4];
    unsigned i;
    streams[0] = open_stream(rig.context, 0);
    streams[1] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_context_legacy_stream(rig.context, &streams[2]));
    CHECK_OK(gc_context_per_thread_stream(rig.context, &streams[3]));
    for (i = 0; i < LENGTH_OF(streams); i++) {
        held_work_is_waited_for_no_longer_than_asked(streams[i]);
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
}

static void what_was_never_used_is_complete(void) {
    gc_event *event = open_event(rig.context);
    gc_stream *stream = open_stream(rig.context, 0);
    CHECK_OK(gc_event_synchronize_for(event, 0));
    CHECK_OK(gc_stream_synchronize_for(stream, 0));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_event_destroy(event));
}

static void *open_later(void *argument) {
    pause_ms(5);
    gate_open((struct gate *)argument);
    return NULL;
}

/* The longest limit that there is, and work that ends meanwhile. */
static void a_wait_ends_when_the_work_does(void) {
    struct what kinds[3];
    gc_event *event = open_event(rig.context);
    unsigned i, count = all_kinds(rig.stream, event, kinds);
    for (i = 0; i < count; i++) {
        struct gate gate;
        pthread_t opener;
        gate_init(&gate);
        CHECK_OK(launch_hold(&rig, rig.stream, &gate));
        CHECK_OK(gc_event_record(event, rig.stream, 0));
        if (pthread_create(&opener, NULL, open_later, &gate) != 0)
            exit(EXIT_FAILURE);
        CHECK_OK(wait_for(&kinds[i], UINT64_MAX));
        pthread_join(opener, NULL);
        CHECK_OK(gc_stream_synchronize(rig.stream));
        gate_free(&gate);
    }
    CHECK_OK(gc_event_destroy(event));
}

struct waiter {
    struct what what;
    gc_status status;
    int started;
};

static void *wait_a_while(void *argument) {
    struct waiter *waiter = (struct waiter *)argument;
    __atomic_store_n(&waiter->started, 1, __ATOMIC_RELEASE);
    waiter->status = wait_for(&waiter->what, 50000000);
    return NULL;
}

/* The stream that is waited for is captured while the wait goes on, the event is recorded in that capture, and the
 * capture, which is global, bars what waits do. The wait began before, so that it is allowed. Whether it did is not to be
 * seen from here, but for its answer: else it is 900, or 906 or 907, as that of a wait that begins during a capture. */
static void a_capture_that_begins_meanwhile_is_left_alone(void) {
    struct what kinds[3];
    gc_stream *stream = open_stream(rig.context, 0);
    gc_event *event = open_event(rig.context);
    unsigned i, round, count = all_kinds(stream, event, kinds);
    for (i = 0; i < count; i++) {
        int seen = 0;
        for (round = 0; round < 50 && !seen; round++) {
            struct gate gate;
            struct waiter waiter;
            pthread_t thread;
            gc_graph *graph = NULL;
            gc_status recorded;
            gate_init(&gate);
            memset(&waiter, 0, sizeof waiter);
            waiter.what = kinds[i];
            CHECK_OK(launch_hold(&rig, stream, &gate));
            CHECK_OK(gc_event_record(event, stream, 0));
            if (pthread_create(&thread, NULL, wait_a_while, &waiter) != 0)
                exit(EXIT_FAILURE);
            while (!__atomic_load_n(&waiter.started, __ATOMIC_ACQUIRE))
                pause_ms(1);
            pause_ms(5);
            CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
            recorded = gc_event_record(event, stream, 0);
            pthread_join(thread, NULL);
            seen = waiter.status == GRAPHCAP_ERROR_TIMEOUT;
            CHECK(recorded == GRAPHCAP_SUCCESS || (!seen && recorded == GRAPHCAP_ERROR_CAPTURE_INVALIDATED));
            if (seen) {
                CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
                CHECK_OK(gc_stream_end_capture(stream, &graph));
            } else {
                CHECK(waiter.status >= GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
                CHECK_STATUS(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
            }
            CHECK_OK(gc_graph_destroy(graph));
            gate_open(&gate);
            CHECK_OK(gc_stream_synchronize(stream));
            gate_free(&gate);
        }
        CHECK(seen);
    }
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
}

/* The rules of captures are those of the waits without a limit; conformance.c has them whole. */
static void captures_bar_them_alike(void) {
    struct what kinds[3];
    gc_event *event = open_event(rig.context);
    gc_stream *stream = open_stream(rig.context, 0);
    const gc_status expected[] = {GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, GRAPHCAP_ERROR_CAPTURED_EVENT,
                                  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED};
    unsigned i, count = all_kinds(stream, event, kinds);
    for (i = 0; i < count; i++) {
        gc_graph *graph = NULL;
        CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_event_record(event, stream, 0));
        CHECK_STATUS(wait_for(&kinds[i], long_wait), expected[i]);
        CHECK_STATUS(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    }
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_event_destroy(event));
}

static void wait_inside(void *argument) {
    struct waiter *waiter = (struct waiter *)argument;
    waiter->status = wait_for(&waiter->what, 0);
}

static void host_functions_may_not_wait(void) {
    struct what kinds[3];
    struct waiter waiters[3];
    gc_event *event = open_event(rig.context);
    unsigned i, count = all_kinds(rig.stream, event, kinds);
    for (i = 0; i < count; i++) {
        waiters[i].what = kinds[i];
        waiters[i].status = GRAPHCAP_SUCCESS;
        CHECK_OK(gc_stream_launch_host_func(rig.stream, wait_inside, &waiters[i], NULL));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < count; i++)
        CHECK(waiters[i].status == GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_OK(gc_event_destroy(event));
}

/* More streams than there are threads to run them, all held by one event. */
static void many_waits_at_once(void) {
    enum { STREAMS = 40 };
    gc_stream *streams[STREAMS];
    gc_event *event = open_event(rig.context);
    struct gate gate;
    unsigned i;
    gate_init(&gate);
    /* First of all: beside held work a driver was seen to let nobody make so many. */
    for (i = 0; i < STREAMS; i++)
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    for (i = 0; i < STREAMS; i++)
        CHECK_OK(gc_stream_wait_event(streams[i], event, 0));
    for (i = 0; i < STREAMS; i++)
        CHECK_STATUS(gc_stream_synchronize_for(streams[i], 1000), GRAPHCAP_ERROR_TIMEOUT);
    gate_open(&gate);
    for (i = 0; i < STREAMS; i++) {
        CHECK_OK(gc_stream_synchronize_for(streams[i], long_wait));
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_event_destroy(event));
    gate_free(&gate);
}

int main(void) {
    rig_open(&rig);
    RUN(streams_of_all_kinds_can_be_held);
    RUN(what_was_never_used_is_complete);
    RUN(a_wait_ends_when_the_work_does);
    RUN(a_capture_that_begins_meanwhile_is_left_alone);
    RUN(captures_bar_them_alike);
    RUN(host_functions_may_not_wait);
    RUN(many_waits_at_once);
    rig_close(&rig);
    return check_finish();
}
