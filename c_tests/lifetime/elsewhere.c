/* Launches on streams of other contexts, still in flight: what they use stays until they are complete, whichever context it
 * is of, whichever stream they are on, and whatever is destroyed meanwhile. */
#include "neighbours.h"

/* Which stream of the other context a launch is on. */
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

/* Memory of a context that tells when it is given back: a wrapped range of a buffer. */
struct told {
    gc_buffer *owner, *buffer;
    unsigned released;
};

static void told_open(struct told *told, const struct rig *rig) {
    uint64_t address = 0;
    told->released = 0;
    told->owner = open_buffer(rig->context, 64);
    REQUIRE_OK(gc_buffer_address(told->owner, &address));
    REQUIRE_OK(gc_buffer_wrap(rig->context, (void *)(uintptr_t)address, 64, &told->released, count_call, &told->buffer));
}

/* Time enough for a thread that looks to give back what it must not. */
static void give_threads_time(void) {
    pause_ms(120);
}

/* An exec of home, launched behind a gate on a stream of the other context. */
static void memory_stays_for_launches_in_other_contexts(void) {
    int place, which, is_left;
    for (place = 0; place < places(); place++)
        for (which = 0; which < STREAMS; which++)
            for (is_left = 0; is_left < 2; is_left++) {
                struct pair pair;
                struct gate gate;
                struct told told;
                gc_graph_exec *exec;
                gc_stream *stream;
                gate_init(&gate);
                pair_open(&pair, place);
                told_open(&told, &pair.home);
                REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
                CHECK_OK(launch_add(&pair.home, pair.home.stream, told.buffer, 0, 1, 1));
                exec = finish_capture(pair.home.stream);
                stream = stream_of(&pair.other, which);
                CHECK_OK(launch_hold(&pair.other, stream, &gate));
                CHECK_OK(gc_graph_launch(exec, stream));
                CHECK_OK(gc_graph_launch(exec, stream));
                CHECK_OK(gc_graph_exec_destroy(exec));
                CHECK_OK(gc_buffer_destroy(told.buffer));
                if (is_left && which == MADE)
                    CHECK_OK(gc_stream_destroy(stream));
                give_threads_time();
                CHECK(count_of(&told.released) == 0);
                gate_open(&gate);
                if (is_left && which == MADE)
                    pair_leave_other(&pair);
                else
                    CHECK_OK(gc_stream_synchronize(stream));
                CHECK(await_count(&told.released, 1));
                CHECK(read_u32(pair.home.stream, told.owner, 0) == 2);
                if (!(is_left && which == MADE))
                    CHECK_OK(gc_stream_destroy(stream));
                CHECK_OK(gc_buffer_destroy(told.owner));
                pair_close(&pair);
                gate_free(&gate);
            }
}

/* A graph with nodes of both contexts, launched at home. */
static void memory_of_other_contexts_stays_for_launches_at_home(void) {
    int place, which;
    for (place = 0; place < places(); place++)
        for (which = 0; which < STREAMS; which++) {
            struct pair pair;
            struct gate gate;
            struct told told;
            gc_graph_exec *exec;
            gc_stream *stream;
            gate_init(&gate);
            pair_open(&pair, place);
            told_open(&told, &pair.other);
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
            CHECK_OK(launch_add(&pair.other, pair.other.stream, told.buffer, 0, 1, 1));
            pair_meet(&pair);
            exec = pair_finish(&pair);
            stream = stream_of(&pair.home, which);
            CHECK_OK(launch_hold(&pair.home, stream, &gate));
            CHECK_OK(gc_graph_launch(exec, stream));
            CHECK_OK(gc_graph_exec_destroy(exec));
            CHECK_OK(gc_buffer_destroy(told.buffer));
            give_threads_time();
            CHECK(count_of(&told.released) == 0);
            gate_open(&gate);
            CHECK_OK(gc_stream_synchronize(stream));
            CHECK(await_count(&told.released, 1));
            CHECK(read_u32(pair.other.stream, told.owner, 0) == 1);
            CHECK_OK(gc_stream_destroy(stream));
            CHECK_OK(gc_buffer_destroy(told.owner));
            pair_close(&pair);
            gate_free(&gate);
        }
}

/* Everything goes while the launch is held, both contexts and the code too. */
static void all_may_go_while_a_launch_is_held(void) {
    int place, is_home;
    for (place = 0; place < places(); place++)
        for (is_home = 0; is_home < 2; is_home++) {
            struct pair pair;
            struct gate gate;
            gc_graph_exec *exec;
            gc_stream *stream;
            unsigned calls = 0;
            gate_init(&gate);
            pair_open(&pair, place);
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
            CHECK_OK(gc_stream_launch_host_func(pair.other.stream, count_call, &calls, NULL));
            pair_meet(&pair);
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
            CHECK_OK(gc_stream_launch_host_func(pair.home.stream, count_call, &calls, NULL));
            exec = pair_finish(&pair);
            stream = stream_of(is_home ? &pair.home : &pair.other, MADE);
            CHECK_OK(launch_hold(is_home ? &pair.home : &pair.other, stream, &gate));
            CHECK_OK(gc_graph_launch(exec, stream));
            CHECK_OK(gc_graph_exec_destroy(exec));
            CHECK_OK(gc_stream_destroy(stream));
            pair_close(&pair);
            give_threads_time();
            CHECK(count_of(&calls) == 0);
            gate_open(&gate);
            CHECK(await_count(&calls, 2));
            gate_free(&gate);
        }
}

/* What lives long forgets streams that are over, also those of other contexts; but none that is not. */
static void streams_of_other_contexts_are_not_taken_for_over(void) {
    enum { CROWD = 200 };
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        struct gate gate;
        struct told told;
        gc_graph *graph = NULL;
        gc_stream *streams[CROWD];
        gc_graph_exec *execs[CROWD];
        unsigned i;
        gate_init(&gate);
        pair_open(&pair, place);
        told_open(&told, &pair.home);
        REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(launch_add(&pair.home, pair.home.stream, told.buffer, 0, 1, 1));
        REQUIRE_OK(gc_stream_end_capture(pair.home.stream, &graph));
        /* All before the gate: a driver may have them wait for work. */
        for (i = 0; i < CROWD; i++) {
            streams[i] = stream_of(&pair.other, MADE);
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &execs[i]));
            CHECK_OK(gc_graph_launch(execs[i], streams[i]));
            CHECK_OK(gc_stream_synchronize(streams[i]));
        }
        CHECK_OK(launch_hold(&pair.other, streams[0], &gate));
        CHECK_OK(gc_graph_launch(execs[0], streams[0]));
        for (i = 0; i < CROWD; i++) {
            CHECK_OK(gc_graph_exec_destroy(execs[i]));
            if (i > 0)
                CHECK_OK(gc_stream_destroy(streams[i]));
        }
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(told.buffer));
        give_threads_time();
        CHECK(count_of(&told.released) == 0);
        gate_open(&gate);
        CHECK_OK(gc_stream_synchronize(streams[0]));
        CHECK(await_count(&told.released, 1));
        CHECK(read_u32(pair.home.stream, told.owner, 0) == CROWD + 1);
        CHECK_OK(gc_stream_destroy(streams[0]));
        CHECK_OK(gc_buffer_destroy(told.owner));
        pair_close(&pair);
        gate_free(&gate);
    }
}

/* A stream waits for work that another context holds up. */
static void waits_across_contexts_hold_work_up(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        struct gate gate;
        unsigned calls = 0;
        gate_init(&gate);
        pair_open(&pair, place);
        CHECK_OK(launch_hold(&pair.home, pair.home.stream, &gate));
        CHECK_OK(gc_event_record(pair.mark, pair.home.stream, 0));
        CHECK_OK(gc_stream_wait_event(pair.other.stream, pair.mark, 0));
        CHECK_OK(gc_stream_launch_host_func(pair.other.stream, count_call, &calls, NULL));
        /* The wait holds when the event is gone. */
        CHECK_OK(gc_event_destroy(pair.mark));
        pair.mark = open_event(pair.home.context);
        gate_await(&gate, 1);
        CHECK_STATUS(gc_stream_synchronize_for(pair.other.stream, 20), GRAPHCAP_ERROR_TIMEOUT);
        CHECK(count_of(&calls) == 0);
        gate_open(&gate);
        CHECK_OK(gc_stream_synchronize(pair.other.stream));
        CHECK(count_of(&calls) == 1);
        pair_close(&pair);
        gate_free(&gate);
    }
}

/* A wait for a value in a stream that is destroyed, and a launch in another context that brings the value. */
static void a_value_comes_from_another_context(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        struct gate gate;
        gc_buffer *value;
        gc_graph_exec *exec;
        gc_stream *waiting;
        unsigned calls = 0;
        gate_init(&gate);
        pair_open(&pair, place);
        value = open_waitable(pair.home.context, 4);
        REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memset(pair.home.stream, value, 0, 7, 4, 1));
        exec = finish_capture(pair.home.stream);
        waiting = stream_of(&pair.home, MADE);
        CHECK_OK(gc_stream_wait_value32(waiting, value, 0, 7, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_stream_launch_host_func(waiting, count_call, &calls, NULL));
        CHECK_OK(launch_hold(&pair.other, pair.other.stream, &gate));
        CHECK_OK(gc_graph_launch(exec, pair.other.stream));
        CHECK_OK(gc_stream_destroy(waiting));
        give_threads_time();
        gate_open(&gate);
        CHECK(await_count(&calls, 1));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_buffer_destroy(value));
        pair_close(&pair);
        gate_free(&gate);
    }
}

int main(void) {
    count_devices();
    RUN(waits_across_contexts_hold_work_up);
    RUN(memory_stays_for_launches_in_other_contexts);
    RUN(memory_of_other_contexts_stays_for_launches_at_home);
    RUN(all_may_go_while_a_launch_is_held);
    RUN(streams_of_other_contexts_are_not_taken_for_over);
    RUN(a_value_comes_from_another_context);
    return check_finish();
}
