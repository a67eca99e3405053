/* Many threads on one context: streams of their own, one exec, one kernel, captures side by side, and handles that one
 * thread destroys while others use them. */
#include "kernels.h"

enum { THREADS = 4 };

static struct rig rig;

struct worker {
    pthread_t thread;
    unsigned number;
    gc_graph_exec *exec;
    gc_buffer *buffer;
};

static void run_workers(struct worker *workers, void *(*body)(void *)) {
    unsigned i;
    for (i = 0; i < THREADS; i++) {
        workers[i].number = i;
        if (pthread_create(&workers[i].thread, NULL, body, &workers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
}

static void *uses_a_stream_of_its_own(void *argument) {
    struct worker *worker = (struct worker *)argument;
    gc_stream *stream = open_stream(rig.context, worker->number % 2 ? GRAPHCAP_STREAM_NON_BLOCKING : 0);
    gc_event *event = open_event(rig.context);
    unsigned i, rounds = soak(300, 20000);
    for (i = 0; i < rounds; i++) {
        CHECK_OK(launch_add(&rig, stream, worker->buffer, worker->number * 4, 1, 1));
        if (i % 50 == 0) {
            CHECK_OK(gc_event_record(event, stream, 0));
            CHECK_OK(gc_event_synchronize(event));
        }
    }
    CHECK(read_u32(stream, worker->buffer, worker->number) == rounds);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void *launches_the_shared_exec(void *argument) {
    struct worker *worker = (struct worker *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned i, rounds = soak(500, 50000);
    for (i = 0; i < rounds; i++)
        CHECK_OK(gc_graph_launch(worker->exec, stream));
    CHECK_OK(gc_graph_upload(worker->exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

/* Thread-local captures of several threads do not disturb each other, unsafe calls included. */
static void *captures_for_itself(void *argument) {
    struct worker *worker = (struct worker *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned i, k, rounds = soak(50, 2000);
    CHECK_OK(gc_stream_memset(stream, worker->buffer, worker->number * 4, 0, 4, 1));
    for (i = 0; i < rounds; i++) {
        gc_graph_exec *exec;
        CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        for (k = 0; k < 10; k++)
            CHECK_OK(launch_add(&rig, stream, worker->buffer, worker->number * 4, 1, 1));
        exec = finish_capture(stream);
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_stream_synchronize(stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK(read_u32(stream, worker->buffer, worker->number) == 10 * rounds);
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_share_a_context(void) {
    struct worker workers[THREADS];
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph_exec *exec;
    uint64_t replays = 0;
    int32_t uploaded = 0;
    unsigned i;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 32, 1, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 32, 1, 1));
    exec = finish_capture(rig.stream);
    for (i = 0; i < THREADS; i++) {
        workers[i].buffer = buffer;
        workers[i].exec = exec;
    }
    run_workers(workers, uses_a_stream_of_its_own);
    run_workers(workers, captures_for_itself);
    run_workers(workers, launches_the_shared_exec);
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK_OK(gc_graph_exec_is_uploaded(exec, &uploaded));
    CHECK(replays == THREADS * (uint64_t)soak(500, 50000) && uploaded == 1);
    /* Launches of one exec never overlap: no addition is lost. */
    CHECK(read_u32(rig.stream, buffer, 8) == 2 * replays);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* What the threads of a race share. */
struct race {
    gc_stream *stream;
    gc_event *event;
    gc_buffer *buffer;
    gc_kernel *kernel;
    gc_graph *graph;
    gc_graph_exec *exec;
    unsigned ready;
};

/* An answer during a race: the object was there, or it was not. Never anything else, and never a crash. */
static void expect_there_or_gone(gc_status status, const char *call) {
    check_condition(__FILE__, __LINE__, call, status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_INVALID_HANDLE);
}

static void *uses_what_is_destroyed(void *argument) {
    struct race *race = (struct race *)argument;
    gc_stream *own = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    uint32_t value = 1;
    uint64_t count = 1;
    size_t size;
    int32_t answer;
    unsigned i;
    count_call(&race->ready);
    for (i = 0; i < 30; i++) {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(race->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(count)};
        gc_graph_exec *exec = NULL;
        expect_there_or_gone(launch(own, race->kernel, 1, 1, arguments, 3), "launch");
        expect_there_or_gone(gc_graph_launch(race->exec, own), "gc_graph_launch");
        expect_there_or_gone(gc_stream_memset(race->stream, race->buffer, 4, 1, 4, 1), "gc_stream_memset");
        expect_there_or_gone(gc_event_record(race->event, own, 0), "gc_event_record");
        expect_there_or_gone(gc_stream_wait_event(race->stream, race->event, 0), "gc_stream_wait_event");
        expect_there_or_gone(gc_event_is_complete(race->event, &answer), "gc_event_is_complete");
        expect_there_or_gone(gc_graph_node_count(race->graph, &size), "gc_graph_node_count");
        expect_there_or_gone(gc_graph_instantiate(race->graph, NULL, &exec), "gc_graph_instantiate");
        CHECK_OK(gc_graph_exec_destroy(exec));
        expect_there_or_gone(gc_stream_synchronize(race->stream), "gc_stream_synchronize");
    }
    CHECK_OK(gc_stream_synchronize(own));
    CHECK_OK(gc_stream_destroy(own));
    return NULL;
}

static unsigned destroyed;

static void *destroys_it_too(void *argument) {
    struct race *race = (struct race *)argument;
    gc_status statuses[6];
    unsigned i;
    while (count_of(&race->ready) < 2)
        pause_ms(0);
    statuses[0] = gc_stream_destroy(race->stream);
    statuses[1] = gc_event_destroy(race->event);
    statuses[2] = gc_buffer_destroy(race->buffer);
    statuses[3] = gc_kernel_destroy(race->kernel);
    statuses[4] = gc_graph_destroy(race->graph);
    statuses[5] = gc_graph_exec_destroy(race->exec);
    for (i = 0; i < 6; i++) {
        expect_there_or_gone(statuses[i], "destroy");
        if (statuses[i] == GRAPHCAP_SUCCESS)
            count_call(&destroyed);
    }
    return NULL;
}

/* Two threads use the objects while two destroy them: each destroy succeeds once. */
static void handles_may_die_while_they_are_used(void) {
    unsigned round, rounds = soak(50, 2000), i;
    for (round = 0; round < rounds; round++) {
        struct race race;
        pthread_t threads[4];
        memset(&race, 0, sizeof race);
        race.stream = open_stream(rig.context, 0);
        race.event = open_event(rig.context);
        race.buffer = open_buffer(rig.context, 16);
        race.kernel = get_kernel(rig.module, "add");
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch_add(&rig, rig.stream, race.buffer, 8, 1, 1));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &race.graph));
        REQUIRE_OK(gc_graph_instantiate(race.graph, NULL, &race.exec));
        destroyed = 0;
        for (i = 0; i < 4; i++)
            if (pthread_create(&threads[i], NULL, i < 2 ? uses_what_is_destroyed : destroys_it_too, &race) != 0)
                exit(EXIT_FAILURE);
        for (i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        CHECK(destroyed == 6);
    }
}

struct late_call {
    gc_stream *stream;
    gc_status status;
};

static void *synchronizes(void *argument) {
    struct late_call *call = (struct late_call *)argument;
    call->status = gc_stream_synchronize(call->stream);
    return NULL;
}

/* A call in flight keeps its object: a wait ends well after the handle was destroyed under it. */
static void a_wait_survives_the_destruction_of_its_stream(void) {
    struct gate gate;
    struct late_call call;
    pthread_t thread;
    gate_init(&gate);
    call.stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    call.status = -99;
    CHECK_OK(gc_stream_launch_host_func(call.stream, gate_hold, &gate, NULL));
    if (pthread_create(&thread, NULL, synchronizes, &call) != 0)
        exit(EXIT_FAILURE);
    gate_await(&gate, 1);
    pause_ms(5);
    CHECK_OK(gc_stream_destroy(call.stream));
    gate_open(&gate);
    pthread_join(thread, NULL);
    CHECK(call.status == GRAPHCAP_SUCCESS || call.status == GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_context_synchronize(rig.context));
    gate_free(&gate);
}

int main(void) {
    rig_open(&rig);
    RUN(threads_share_a_context);
    RUN(handles_may_die_while_they_are_used);
    RUN(a_wait_survives_the_destruction_of_its_stream);
    rig_close(&rig);
    return check_finish();
}
