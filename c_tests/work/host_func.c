/* Host functions: where and how often they run, what they may call, and when their user data is given back. */
#include "kernels.h"

#include <sched.h>

static struct rig rig;

struct visit {
    pthread_t thread;
    unsigned calls, destroyed;
};

static void visited(void *user_data) {
    struct visit *visit = (struct visit *)user_data;
    visit->thread = pthread_self();
    count_call(&visit->calls);
}

static void visit_over(void *user_data) {
    count_call(&((struct visit *)user_data)->destroyed);
}

static void they_run_once_on_another_thread(void) {
    struct visit visit;
    memset(&visit, 0, sizeof visit);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, visited, &visit, visit_over));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(visit.calls == 1 && !pthread_equal(visit.thread, pthread_self()));
    CHECK(await_count(&visit.destroyed, 1));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(visit.calls == 1 && count_of(&visit.destroyed) == 1);
}

static void they_run_once_per_replay(void) {
    struct visit visit;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL, *second = NULL;
    unsigned i;
    memset(&visit, 0, sizeof visit);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, visited, &visit, visit_over));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(visit.calls == 0);
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &second));
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 100; i++)
        CHECK_OK(gc_graph_launch(i % 2 ? exec : second, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(visit.calls == 100 && count_of(&visit.destroyed) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(count_of(&visit.destroyed) == 0);
    CHECK_OK(gc_graph_launch(second, rig.stream));
    CHECK_OK(gc_graph_exec_destroy(second));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(await_count(&visit.destroyed, 1));
    CHECK(visit.calls == 101 && count_of(&visit.destroyed) == 1);
}

/* The user data is given back once on every way out. */
static void failed_calls_give_the_user_data_back(void) {
    struct visit visit;
    gc_stream *dead = open_stream(rig.context, 0);
    gc_event *event = open_event(rig.context);
    const gc_stream *bad[4];
    unsigned i;
    CHECK_OK(gc_stream_destroy(dead));
    bad[0] = NULL;
    bad[1] = dead;
    bad[2] = (const gc_stream *)event;
    bad[3] = (const gc_stream *)&visit;
    memset(&visit, 0, sizeof visit);
    for (i = 0; i < LENGTH_OF(bad); i++) {
        CHECK_MESSAGE(gc_stream_launch_host_func(bad[i], visited, &visit, visit_over), GRAPHCAP_ERROR_INVALID_HANDLE, "stream");
        CHECK(await_count(&visit.destroyed, i + 1) && count_of(&visit.destroyed) == i + 1);
    }
    CHECK_MESSAGE(gc_stream_launch_host_func(rig.stream, NULL, &visit, visit_over), GRAPHCAP_ERROR_INVALID_VALUE, "function");
    CHECK(await_count(&visit.destroyed, 5));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(visit.calls == 0 && count_of(&visit.destroyed) == 5);
    CHECK_OK(gc_event_destroy(event));
}

/* A recording that never becomes a graph gives back what it held. */
static void broken_captures_give_the_user_data_back(void) {
    struct visit visit;
    gc_graph *graph = NULL;
    gc_stream *stream;
    memset(&visit, 0, sizeof visit);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, visited, &visit, visit_over));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_launch_host_func(rig.stream, visited, &visit, visit_over), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    /* The refused one is given back by the call that failed, not by the end. */
    CHECK(await_count(&visit.destroyed, 1));
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(await_count(&visit.destroyed, 2));
    /* So does one whose stream is destroyed, or whose graph is never instantiated. */
    stream = open_stream(rig.context, 0);
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_host_func(stream, visited, &visit, visit_over));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(await_count(&visit.destroyed, 3));
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, visited, &visit, visit_over));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(await_count(&visit.destroyed, 4));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(visit.calls == 0 && count_of(&visit.destroyed) == 4);
}

/* What a thread records on its own default stream, into a graph of its own or one that was there. */
struct recorder {
    gc_graph *graph;
    unsigned destroyed;
};

static void *record_and_end(void *user_data) {
    struct recorder *recorder = (struct recorder *)user_data;
    gc_stream *own = NULL;
    const gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    unsigned ran = 0;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    /* One that is over, too. */
    CHECK_OK(gc_stream_begin_capture(own, mode));
    CHECK_OK(gc_graph_exec_destroy(finish_capture(own)));
    if (recorder->graph != NULL)
        CHECK_OK(gc_stream_begin_capture_to_graph(own, recorder->graph, NULL, 0, mode));
    else
        CHECK_OK(gc_stream_begin_capture(own, mode));
    CHECK_OK(gc_stream_launch_host_func(own, count_call, &ran, NULL));
    CHECK_OK(gc_stream_launch_host_func(own, count_call, &recorder->destroyed, count_call));
    CHECK_OK(gc_stream_destroy(own));
    return NULL;
}

/* The capture of a thread's own default stream goes with the thread, though the stream's handle stays. */
static void threads_that_end_give_the_user_data_back(void) {
    gc_stream *own = NULL;
    int into;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    for (into = 0; into < 2; into++) {
        struct recorder recorder;
        pthread_t thread;
        memset(&recorder, 0, sizeof recorder);
        if (into)
            CHECK_OK(gc_graph_create(rig.context, &recorder.graph));
        if (pthread_create(&thread, NULL, record_and_end, &recorder) != 0)
            exit(EXIT_FAILURE);
        pthread_join(thread, NULL);
        CHECK_OK(gc_graph_destroy(recorder.graph));
        CHECK(await_count(&recorder.destroyed, 1) && count_of(&recorder.destroyed) == 1);
    }
    CHECK_OK(gc_stream_destroy(own));
}

enum phase { APART, RECORDING, OVER };
static int phase, asking;

static int phase_now(void) {
    return __atomic_load_n(&phase, __ATOMIC_SEQ_CST);
}

static void *ask_while_recording(void *stream) {
    int32_t complete;
    while (phase_now() != OVER) {
        __atomic_store_n(&asking, 1, __ATOMIC_SEQ_CST);
        if (phase_now() == RECORDING) {
            gc_status status = gc_stream_is_complete((const gc_stream *)stream, &complete);
            CHECK(status == GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED || status == GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        }
        __atomic_store_n(&asking, 0, __ATOMIC_SEQ_CST);
        sched_yield();
    }
    return NULL;
}

/* Another thread breaks the capture at any moment, also while a host function is being recorded. */
static void captures_that_break_meanwhile_give_the_user_data_back(void) {
    const unsigned rounds = soak(8000, 400000);
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned i, k, given = 0, destroyed = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, ask_while_recording, stream) != 0)
        exit(EXIT_FAILURE);
    for (i = 0; i < rounds; i++) {
        gc_graph *graph = NULL;
        gc_status status, before = GRAPHCAP_SUCCESS;
        CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        __atomic_store_n(&phase, RECORDING, __ATOMIC_SEQ_CST);
        for (k = 0; k < 4; k++, given++) {
            status = gc_stream_launch_host_func(stream, count_call, &destroyed, count_call);
            CHECK(status == GRAPHCAP_ERROR_CAPTURE_INVALIDATED || (status == GRAPHCAP_SUCCESS && status == before));
            before = status;
        }
        __atomic_store_n(&phase, APART, __ATOMIC_SEQ_CST);
        /* Not while graphs are destroyed: what a running call can see goes later, and would go while the program ends. */
        while (__atomic_load_n(&asking, __ATOMIC_SEQ_CST))
            sched_yield();
        status = gc_stream_end_capture(stream, &graph);
        CHECK(status == GRAPHCAP_ERROR_CAPTURE_INVALIDATED || (status == GRAPHCAP_SUCCESS && status == before));
        CHECK_OK(gc_graph_destroy(graph));
    }
    __atomic_store_n(&phase, OVER, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    CHECK(await_count(&destroyed, given) && count_of(&destroyed) == given);
    CHECK_OK(gc_stream_destroy(stream));
}

struct inside {
    gc_buffer *buffer;
    gc_event *event;
    gc_graph_exec *exec;
    unsigned calls;
};

/* As in the driver's callbacks, nothing may be submitted, waited for or asked. */
static void calls_graphcap(void *user_data) {
    struct inside *inside = (struct inside *)user_data;
    uint32_t word = 1;
    int32_t capturing = 1;
    CHECK_MESSAGE(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_NOT_PERMITTED, "host function");
    CHECK_MESSAGE(gc_stream_is_capturing(rig.stream, &capturing), GRAPHCAP_ERROR_NOT_PERMITTED, "only destroys");
    CHECK_STATUS(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_context_collect(rig.context), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_event_synchronize(inside->event), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_event_record(inside->event, rig.stream, 0), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_stream_wait_event(rig.stream, inside->event, 0), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(launch_add(&rig, rig.stream, inside->buffer, 0, 1, 1), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_stream_memset(rig.stream, inside->buffer, 0, 9, 4, 1), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_stream_memcpy_htod(rig.stream, inside->buffer, 0, &word, 4), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_stream_launch_host_func(rig.stream, count_call, &inside->calls, NULL), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_graph_launch(inside->exec, rig.stream), GRAPHCAP_ERROR_NOT_PERMITTED);
    count_call(&inside->calls);
}

static void they_may_not_submit_or_wait(void) {
    struct inside inside;
    inside.calls = 0;
    inside.buffer = open_buffer(rig.context, 4);
    inside.event = open_event(rig.context);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, inside.buffer, 0, 1, 1));
    inside.exec = finish_capture(rig.stream);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, calls_graphcap, &inside, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(inside.calls == 1 && read_u32(rig.stream, inside.buffer, 0) == 0);
    CHECK_OK(gc_graph_exec_destroy(inside.exec));
    CHECK_OK(gc_event_destroy(inside.event));
    CHECK_OK(gc_buffer_destroy(inside.buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(they_run_once_on_another_thread);
    RUN(they_run_once_per_replay);
    RUN(failed_calls_give_the_user_data_back);
    RUN(broken_captures_give_the_user_data_back);
    RUN(threads_that_end_give_the_user_data_back);
    RUN(captures_that_break_meanwhile_give_the_user_data_back);
    RUN(they_may_not_submit_or_wait);
    rig_close(&rig);
    return check_finish();
}
