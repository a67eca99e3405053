/* What execs keep on a GPU when they are destroyed with launches in flight: launched by graphcap, or by others who were given
 * the exec or the graph. The launches are held by the driver's own wait for a value. */
#include "cuda_driver.h"

enum { GATE, RESULT, WORDS };

/* A graph that adds 5 to the first word of memory that is not graphcap's. */
struct scene {
    struct rig rig;
    struct pinned pinned;
    uint64_t memory;
    unsigned released;
    gc_buffer *wrapped;
    gc_graph *graph;
    gc_graph_exec *exec;
};

static void scene_open(struct scene *s) {
    memset(s, 0, sizeof *s);
    rig_open(&s->rig);
    pinned_open(&s->pinned, WORDS);
    REQUIRE_CU(cu.memory_allocate(&s->memory, 4096));
    s->wrapped = wrap_memory(s->rig.context, s->memory, 4096, &s->released);
    CHECK_OK(gc_stream_memset(s->rig.stream, s->wrapped, 0, 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(s->rig.stream));
}

static void scene_record(struct scene *s, const gc_stream *stream) {
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&s->rig, stream, s->wrapped, 0, 5, 1));
    REQUIRE_OK(gc_stream_end_capture(stream, &s->graph));
    REQUIRE_OK(gc_graph_instantiate(s->graph, NULL, &s->exec));
}

/* Nothing of the scene is left but its memory, which work that is held still uses. */
static void scene_destroy(struct scene *s) {
    SOON(gc_graph_exec_destroy(s->exec));
    SOON(gc_graph_destroy(s->graph));
    SOON(gc_buffer_destroy(s->wrapped));
}

static void scene_let_go(struct scene *s, void *native) {
    pause_ms(100);
    CHECK_EQUAL(count_of(&s->released), 0);
    CU_OK(cu.copy_out((void *)(uintptr_t)(s->pinned.words + RESULT), s->memory, 4, native));
    raw_let_go(&s->pinned, GATE);
    CU_OK(cu.stream_synchronize(native));
    CHECK_EQUAL(s->pinned.words[RESULT], 5);
}

static void scene_close(struct scene *s) {
    CHECK_EQUAL(count_of(&s->released), 1);
    rig_close(&s->rig);
    CU_OK(cu.memory_free(s->memory));
    pinned_close(&s->pinned);
}

/* Each kind of stream that an exec can be captured and launched on; nobody waits for the whole context. */
static void its_memory_waits_for_the_streams_of_its_launches(void) {
    unsigned way;
    for (way = 0; way < 3; way++) {
        struct scene s;
        gc_stream *stream;
        void *native;
        scene_open(&s);
        if (way == 2) {
            native = raw_stream(CU_STREAM_APART);
            stream = wrap_stream(s.rig.context, native);
        } else {
            stream = open_stream(s.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
            native = way == 1 ? native_stream(stream) : NULL;
        }
        scene_record(&s, stream);
        if (native == NULL)
            native = native_stream(stream);
        raw_hold(native, &s.pinned, GATE);
        CHECK_OK(gc_graph_launch(s.exec, stream));
        scene_destroy(&s);
        scene_let_go(&s, native);
        CHECK(await_count(&s.released, 1));
        CHECK_OK(gc_stream_destroy(stream));
        if (way == 2)
            CU_OK(cu.stream_destroy(native));
        scene_close(&s);
    }
}

static void *collect(void *context) {
    CHECK_OK(gc_context_collect((gc_context *)context));
    return NULL;
}

/* Others launch it on a stream that graphcap knows nothing of. */
static void its_memory_waits_for_the_context_when_others_have_it(void) {
    int collects;
    for (collects = 0; collects < 2; collects++) {
        struct scene s;
        pthread_t thread;
        void *exec = NULL, *native = raw_stream(CU_STREAM_APART);
        scene_open(&s);
        scene_record(&s, s.rig.stream);
        CHECK_OK(gc_graph_exec_native(s.exec, &exec));
        /* Code that earlier contexts left, which a collect would wait for as well. */
        CHECK_OK(gc_context_collect(s.rig.context));
        raw_hold(native, &s.pinned, GATE);
        CU_OK(cu.graph_launch(exec, native));
        scene_destroy(&s);
        SOON(gc_stream_synchronize(s.rig.stream));
        CU_OK(cu.copy_out((void *)(uintptr_t)(s.pinned.words + RESULT), s.memory, 4, native));
        /* A collect waits for the launch, and whoever calls the driver then may wait with it. */
        if (collects)
            REQUIRE_OK(pthread_create(&thread, NULL, collect, s.rig.context));
        pause_ms(100);
        CHECK_EQUAL(count_of(&s.released), 0);
        raw_let_go(&s.pinned, GATE);
        if (collects)
            pthread_join(thread, NULL);
        else
            CHECK_OK(gc_context_synchronize(s.rig.context));
        CHECK(await_count(&s.released, 1));
        CHECK_EQUAL(s.pinned.words[RESULT], 5);
        scene_close(&s);
        CU_OK(cu.stream_destroy(native));
    }
}

/* A wait for the context counts that came before the memory was destroyed, and after the exec was. */
static void a_wait_for_the_context_need_not_come_last(void) {
    int collects;
    for (collects = 0; collects < 2; collects++) {
        struct scene s;
        void *exec = NULL;
        scene_open(&s);
        scene_record(&s, s.rig.stream);
        CHECK_OK(gc_graph_exec_native(s.exec, &exec));
        CHECK_OK(gc_graph_launch(s.exec, s.rig.stream));
        CHECK_OK(gc_graph_exec_destroy(s.exec));
        CHECK_OK(gc_graph_destroy(s.graph));
        CHECK_OK(collects ? gc_context_collect(s.rig.context) : gc_context_synchronize(s.rig.context));
        CHECK_EQUAL(count_of(&s.released), 0);
        CHECK_OK(gc_buffer_destroy(s.wrapped));
        CHECK(await_count(&s.released, 1));
        scene_close(&s);
    }
}

/* Others make an exec of their own of the graph, before graphcap's handles go, or after those that it had were made. */
static void others_keep_it_by_execs_of_their_own(void) {
    struct scene s;
    void *graph = NULL, *exec = NULL, *native = raw_stream(CU_STREAM_APART);
    scene_open(&s);
    scene_record(&s, s.rig.stream);
    CHECK_OK(gc_graph_native(s.graph, &graph));
    REQUIRE_CU(cu.graph_instantiate(&exec, graph, 0));
    scene_destroy(&s);
    raw_hold(native, &s.pinned, GATE);
    CU_OK(cu.graph_launch(exec, native));
    CU_OK(cu.exec_destroy(exec));
    SOON(gc_stream_synchronize(s.rig.stream));
    scene_let_go(&s, native);
    CHECK(await_count(&s.released, 1));
    scene_close(&s);
    CU_OK(cu.stream_destroy(native));
}

/* A graph that others were given while it could still grow. */
static void what_is_captured_into_a_graph_of_others_is_kept(void) {
    struct scene s;
    void *graph = NULL, *exec = NULL, *native = raw_stream(CU_STREAM_APART);
    gc_graph *same = NULL;
    scene_open(&s);
    REQUIRE_OK(gc_graph_create(s.rig.context, &s.graph));
    CHECK_OK(gc_graph_native(s.graph, &graph));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(s.rig.stream, s.graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&s.rig, s.rig.stream, s.wrapped, 0, 5, 1));
    REQUIRE_OK(gc_stream_end_capture(s.rig.stream, &same));
    CHECK_OK(gc_graph_destroy(same));
    REQUIRE_CU(cu.graph_instantiate(&exec, graph, 0));
    scene_destroy(&s);
    raw_hold(native, &s.pinned, GATE);
    CU_OK(cu.graph_launch(exec, native));
    CU_OK(cu.exec_destroy(exec));
    scene_let_go(&s, native);
    CHECK(await_count(&s.released, 1));
    scene_close(&s);
    CU_OK(cu.stream_destroy(native));
}

/* Events that nodes record and wait for, and bytes that a node copies, go with the launches in flight. */
static void events_and_snapshots_wait_as_well(void) {
    struct scene s;
    gc_stream *stream;
    gc_event *reached, *awaited;
    gc_memcpy_params copy;
    /* As much as a page, so that memory that was freed is soon another's. */
    enum { BYTES = 4096, OTHERS = 64 };
    uint32_t *values = (uint32_t *)malloc(BYTES);
    void *others[OTHERS];
    unsigned launches, i;
    void *native;
    if (values == NULL)
        exit(EXIT_FAILURE);
    for (i = 0; i < BYTES / sizeof *values; i++)
        values[i] = 5;
    scene_open(&s);
    stream = open_stream(s.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    native = native_stream(stream);
    reached = open_event(s.rig.context);
    awaited = open_event(s.rig.context);
    CHECK_OK(gc_event_record(awaited, s.rig.stream, 0));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_stream_wait_event(stream, awaited, GRAPHCAP_EVENT_WAIT_EXTERNAL));
    copy = (gc_memcpy_params)GRAPHCAP_MEMCPY_INIT_HTOD(s.wrapped, 0, values, BYTES);
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    CHECK_OK(gc_stream_memcpy(stream, &copy));
    CHECK_OK(gc_event_record(reached, stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    REQUIRE_OK(gc_stream_end_capture(stream, &s.graph));
    memset(values, 0xee, BYTES);
    free(values);
    REQUIRE_OK(gc_graph_instantiate(s.graph, NULL, &s.exec));
    raw_hold(native, &s.pinned, GATE);
    for (launches = 0; launches < 3; launches++)
        CHECK_OK(gc_graph_launch(s.exec, stream));
    SOON(gc_event_destroy(reached));
    SOON(gc_event_destroy(awaited));
    scene_destroy(&s);
    for (i = 0; i < OTHERS; i++) {
        others[i] = malloc(BYTES);
        if (others[i] == NULL)
            exit(EXIT_FAILURE);
        memset(others[i], 0xee, BYTES);
    }
    for (i = 0; i < OTHERS; i++)
        free(others[i]);
    scene_let_go(&s, native);
    CHECK(await_count(&s.released, 1));
    CHECK_OK(gc_stream_destroy(stream));
    scene_close(&s);
}

/* Streams come and go while an exec stays: those that are over are forgotten, and one that is not is waited for. */
static void many_streams_come_and_go(void) {
    struct scene s;
    gc_stream *held;
    void *native;
    unsigned round, rounds = soak(300, 3000);
    scene_open(&s);
    scene_record(&s, s.rig.stream);
    for (round = 0; round < rounds; round++) {
        gc_stream *stream = open_stream(s.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        CHECK_OK(gc_graph_launch(s.exec, stream));
        if (round % 3 > 0)
            CHECK_OK(gc_stream_synchronize(stream));
        CHECK_OK(gc_stream_destroy(stream));
    }
    CHECK_OK(gc_context_synchronize(s.rig.context));
    CHECK_OK(gc_stream_memset(s.rig.stream, s.wrapped, 0, 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(s.rig.stream));
    held = open_stream(s.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    native = native_stream(held);
    raw_hold(native, &s.pinned, GATE);
    CHECK_OK(gc_graph_launch(s.exec, held));
    scene_destroy(&s);
    scene_let_go(&s, native);
    CHECK(await_count(&s.released, 1));
    CHECK_OK(gc_stream_destroy(held));
    scene_close(&s);
}

int main(void) {
    cuda_open();
    RUN(its_memory_waits_for_the_streams_of_its_launches);
    RUN(its_memory_waits_for_the_context_when_others_have_it);
    RUN(a_wait_for_the_context_need_not_come_last);
    RUN(others_keep_it_by_execs_of_their_own);
    RUN(what_is_captured_into_a_graph_of_others_is_kept);
    RUN(events_and_snapshots_wait_as_well);
    RUN(many_streams_come_and_go);
    return cuda_finish();
}
