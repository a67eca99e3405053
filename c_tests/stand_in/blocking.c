/* Calls of the driver that wait for the device, as a copy to pageable memory does: no begin and no end of a capture on another thread
 * waits for one, which may wait for what that thread does next. */
#include "harness.h"

static struct rig rig;
static gc_stream *outside, *fork_stream, *fresh, *captured;
static gc_event *event;
static gc_buffer *buffer;
static int is_late, is_done;

/* How the stream comes about that the call waits on. */
enum way { FRESH, ONCE_FORKED, BEHIND_ONE, CAPTURED_NOW, LEGACY, PER_THREAD, WAYS };

/* A capture of two streams, which is over then. */
static void capture_two(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(gc_event_record(event, captured, 0));
    REQUIRE_OK(gc_stream_wait_event(fork_stream, event, 0));
    CHECK_OK(gc_stream_memset(fork_stream, buffer, 0, 1, 4, 1));
    REQUIRE_OK(gc_event_record(event, fork_stream, 0));
    REQUIRE_OK(gc_stream_wait_event(captured, event, 0));
    REQUIRE_OK(gc_stream_end_capture(captured, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_stream *open_way(enum way way) {
    gc_stream *stream = NULL;
    switch (way) {
    case ONCE_FORKED:
        capture_two();
        return fork_stream;
    case BEHIND_ONE:
        capture_two();
        CHECK_OK(gc_event_record(event, fork_stream, 0));
        CHECK_OK(gc_stream_wait_event(fresh, event, 0));
        return fresh;
    case CAPTURED_NOW:
        return captured;
    case LEGACY:
        REQUIRE_OK(gc_context_legacy_stream(rig.context, &stream));
        return stream;
    case PER_THREAD:
        REQUIRE_OK(gc_context_per_thread_stream(rig.context, &stream));
        return stream;
    default:
        return fresh;
    }
}

static void *copy_back(void *argument) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    uint32_t word;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    (void)!gc_stream_memcpy_dtoh((const gc_stream *)argument, &word, buffer, 0, sizeof word);
    return NULL;
}

/* Ends what hangs. */
static void *let_go(void *argument) {
    unsigned looks = 0;
    while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE) && looks++ < 10000)
        pause_ms(1);
    if (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
        __atomic_store_n(&is_late, 1, __ATOMIC_RELEASE);
    stand_in.block(NULL);
    return argument;
}

static void capture_and_end(const gc_stream *stream) {
    gc_graph *graph = NULL;
    int32_t is_complete;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    (void)!gc_event_is_complete(event, &is_complete);
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

static void captures_beside(enum way way) {
    gc_stream *stream = open_way(way), *own = NULL;
    gc_graph *graph = NULL;
    pthread_t copying, letting_go;
    __atomic_store_n(&is_done, 0, __ATOMIC_RELEASE);
    /* While any capture goes on, work of the legacy stream is looked at. */
    REQUIRE_OK(gc_stream_begin_capture(outside, GRAPHCAP_CAPTURE_MODE_RELAXED));
    stand_in.block("cuMemcpyDtoHAsync_v2");
    REQUIRE_OK(pthread_create(&copying, NULL, copy_back, stream));
    while (stand_in.blocked() == 0)
        pause_ms(1);
    REQUIRE_OK(pthread_create(&letting_go, NULL, let_go, NULL));
    capture_and_end(rig.stream);
    capture_and_end(captured);
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &own));
    capture_and_end(own);
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_stream_end_capture(outside, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
    pthread_join(letting_go, NULL);
    pthread_join(copying, NULL);
    CHECK(!is_late);
    if (way == LEGACY || way == PER_THREAD)
        CHECK_OK(gc_stream_destroy(stream));
}

static void captures_wait_for_no_call_that_waits(void) {
    int way;
    for (way = 0; way < WAYS; way++)
        captures_beside((enum way)way);
}

/* A graph, and the stream that its exec is uploaded on. */
struct upload {
    gc_graph *graph;
    gc_stream *stream;
};

static void *instantiate(void *argument) {
    const struct upload *upload = (const struct upload *)argument;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    options.upload_stream = upload->stream;
    /* On a stream that is captured it is refused. */
    if (gc_graph_instantiate(upload->graph, &options, &exec) == GRAPHCAP_SUCCESS)
        CHECK_OK(gc_graph_exec_destroy(exec));
    return NULL;
}

/* An exec is made and uploaded on a captured stream while another one is made, which waits for the device. */
static void captures_wait_for_no_exec_that_waits_for_another_one(void) {
    struct upload uploads[2];
    pthread_t threads[2], letting_go;
    gc_graph *graph = NULL, *broken = NULL;
    int i;
    for (i = 0; i < 2; i++) {
        REQUIRE_OK(gc_graph_create(rig.context, &uploads[i].graph));
        uploads[i].stream = i == 0 ? fresh : captured;
    }
    __atomic_store_n(&is_done, 0, __ATOMIC_RELEASE);
    REQUIRE_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
    stand_in.block("cuGraphInstantiateWithParams");
    for (i = 0; i < 2; i++) {
        REQUIRE_OK(pthread_create(&threads[i], NULL, instantiate, &uploads[i]));
        while (stand_in.blocked() == 0)
            pause_ms(1);
    }
    /* The other thread comes to wait. */
    pause_ms(50);
    REQUIRE_OK(pthread_create(&letting_go, NULL, let_go, NULL));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
    pthread_join(letting_go, NULL);
    for (i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        CHECK_OK(gc_graph_destroy(uploads[i].graph));
    }
    CHECK(!is_late);
    /* Graphs are not destroyed while execs are made. */
    CHECK_OK(gc_graph_destroy(graph));
    (void)!gc_stream_end_capture(captured, &broken);
    CHECK_OK(gc_graph_destroy(broken));
}

static void try_driver(const char *version) {
    use_stand_in(version);
    rig_open(&rig);
    outside = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    fork_stream = open_stream(rig.context, 0);
    fresh = open_stream(rig.context, 0);
    captured = open_stream(rig.context, 0);
    event = open_event(rig.context);
    buffer = open_buffer(rig.context, 16);
    RUN(captures_wait_for_no_call_that_waits);
    RUN(captures_wait_for_no_exec_that_waits_for_another_one);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(captured));
    CHECK_OK(gc_stream_destroy(fresh));
    CHECK_OK(gc_stream_destroy(fork_stream));
    CHECK_OK(gc_stream_destroy(outside));
    CHECK_OK(gc_context_synchronize(rig.context));
    rig_close(&rig);
    expect_nothing_left(version);
}

static void on_a_new_driver(void) {
    in_child(try_driver, "13.0");
}

int main(void) {
    RUN(on_a_new_driver);
    return check_finish();
}
