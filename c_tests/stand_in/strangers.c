/* Streams of other contexts on the CUDA device: what their launches use is held until they are complete, whichever context
 * it is of; and how often work of a stream asks that is in the capture of another context. */
#include "harness.h"

#include "../support/neighbours.h"

enum { MADE, LEGACY, OWN, STREAMS };

static gc_stream *stream_of(const struct rig *rig, int which) {
    gc_stream *stream = NULL;
    if (which == LEGACY)
        REQUIRE_OK(gc_context_legacy_stream(rig->context, &stream));
    else if (which == OWN)
        REQUIRE_OK(gc_context_per_thread_stream(rig->context, &stream));
    else
        stream = open_stream(rig->context, GRAPHCAP_STREAM_NON_BLOCKING);
    return stream;
}

/* A graph that uses memory of every kind of one context, launched on a stream of another one. */
static void memory_is_held_for_streams_of_other_contexts(const char *version) {
    int place, which, is_left;
    for (place = 0; place < places(); place++)
        for (which = 0; which < STREAMS; which++)
            for (is_left = 0; is_left < 2; is_left++) {
                struct pair pair;
                gc_buffer *wrapped = NULL;
                gc_graph_exec *exec;
                gc_stream *stream;
                gc_event *event;
                uint64_t address = 0;
                unsigned released = 0;
                long events, modules;
                pair_open(&pair, place);
                REQUIRE_OK(gc_buffer_address(pair.here, &address));
                REQUIRE_OK(gc_buffer_wrap(pair.home.context, (void *)(uintptr_t)address, 64, &released, count_call, &wrapped));
                event = open_event(pair.home.context);
                REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
                CHECK_OK(launch_add(&pair.home, pair.home.stream, wrapped, 0, 1, 1));
                CHECK_OK(gc_event_record(event, pair.home.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
                exec = finish_capture(pair.home.stream);
                stream = stream_of(&pair.other, which);
                stand_in.hold(1);
                CHECK_OK(gc_graph_launch(exec, stream));
                events = stand_in.live(STAND_IN_EVENTS);
                modules = stand_in.live(STAND_IN_MODULES);
                CHECK_OK(gc_graph_exec_destroy(exec));
                CHECK_OK(gc_event_destroy(event));
                CHECK_OK(gc_buffer_destroy(wrapped));
                if (is_left)
                    CHECK_OK(gc_stream_destroy(stream));
                pause_ms(60);
                CHECK(count_of(&released) == 0);
                CHECK(stand_in.live(STAND_IN_EVENTS) >= events);
                CHECK(stand_in.live(STAND_IN_MODULES) == modules);
                stand_in.hold(0);
                if (!is_left) {
                    CHECK_OK(gc_stream_synchronize(stream));
                    CHECK_OK(gc_stream_destroy(stream));
                } else if (which != MADE) {
                    CHECK_OK(gc_context_synchronize(pair.other.context));
                }
                CHECK(await_count(&released, 1));
                pair_close(&pair);
                expect_nothing_left(version);
            }
}

/* Both contexts go, and all that they have, before the work is complete. */
static void contexts_go_while_their_launches_are_held(const char *version) {
    int place, is_home;
    for (place = 0; place < places(); place++)
        for (is_home = 0; is_home < 2; is_home++) {
            struct pair pair;
            gc_graph_exec *exec;
            gc_stream *stream;
            long modules;
            pair_open(&pair, place);
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
            pair_meet(&pair);
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
            exec = pair_finish(&pair);
            stream = stream_of(is_home ? &pair.home : &pair.other, MADE);
            modules = stand_in.live(STAND_IN_MODULES);
            stand_in.hold(1);
            CHECK_OK(gc_graph_launch(exec, stream));
            CHECK_OK(gc_graph_exec_destroy(exec));
            CHECK_OK(gc_stream_destroy(stream));
            pair_close(&pair);
            pause_ms(60);
            CHECK(stand_in.live(STAND_IN_MODULES) == modules);
            CHECK(stand_in.live(STAND_IN_RETAINS) > 0);
            stand_in.hold(0);
            expect_nothing_left(version);
        }
}

/* Another context's collect unloads the code of its device that nothing uses; not while a stream of another device does. */
static void code_stays_for_streams_of_other_devices(const char *version) {
    struct pair pair;
    gc_graph_exec *exec;
    gc_context *again = NULL;
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    long modules;
    if (places() < PLACES)
        return;
    pair_open(&pair, OTHER_DEVICE);
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    options.device_ordinal = 1;
    REQUIRE_OK(gc_context_create(&options, &again));
    pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
    pair_meet(&pair);
    exec = pair_finish(&pair);
    stand_in.hold(1);
    CHECK_OK(gc_graph_launch(exec, pair.home.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    modules = stand_in.live(STAND_IN_MODULES);
    pair_leave_other(&pair);
    CHECK_OK(gc_context_collect(again));
    CHECK_OK(gc_context_synchronize(again));
    CHECK(stand_in.live(STAND_IN_MODULES) == modules);
    stand_in.hold(0);
    CHECK_OK(gc_stream_synchronize(pair.home.stream));
    pause_ms(60);
    CHECK_OK(gc_context_collect(again));
    CHECK_OK(gc_context_destroy(again));
    pair_close(&pair);
    expect_nothing_left(version);
}

/* As within one context, the driver is asked once; and not at all when the capture is over. */
static void work_asks_once_in_the_capture_of_another_context(const char *version) {
    enum { CALLS = 20 };
    int place, i, round;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        unsigned long before;
        pair_open(&pair, place);
        for (round = 0; round < 3; round++) {
            gc_graph *graph = NULL;
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
            before = stand_in.questions();
            for (i = 0; i < CALLS; i++)
                CHECK_OK(gc_stream_memset(pair.other.stream, pair.there, 0, 1, 4, 1));
            CHECK(stand_in.questions() == before + 1);
            pair_meet(&pair);
            REQUIRE_OK(gc_stream_end_capture(pair.home.stream, &graph));
            CHECK_OK(gc_graph_destroy(graph));
            CHECK_OK(gc_stream_memset(pair.other.stream, pair.there, 0, 1, 4, 1));
            before = stand_in.questions();
            for (i = 0; i < CALLS; i++)
                CHECK_OK(gc_stream_memset(pair.other.stream, pair.there, 0, 1, 4, 1));
            CHECK(stand_in.questions() == before);
        }
        pair_close(&pair);
        expect_nothing_left(version);
    }
}

static void try_version(const char *version) {
    use_stand_in(version);
    count_devices();
    check_test = "memory_is_held_for_streams_of_other_contexts";
    memory_is_held_for_streams_of_other_contexts(version);
    check_test = "contexts_go_while_their_launches_are_held";
    contexts_go_while_their_launches_are_held(version);
    check_test = "code_stays_for_streams_of_other_devices";
    code_stays_for_streams_of_other_devices(version);
    check_test = "work_asks_once_in_the_capture_of_another_context";
    work_asks_once_in_the_capture_of_another_context(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_version);
    return check_finish();
}
