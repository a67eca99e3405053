/* Calls that crash NVIDIA's driver where two threads make them at once: on the stand-in they are wrong uses of it. One thread captures
 * streams again and again, and others use these streams, their events and graphs meanwhile, as nobody should. Each call has a status,
 * and none of the driver's calls meets the end of a capture. */
#include "harness.h"

enum { ROUNDS = 400 };

static struct rig rig;
static gc_stream *captured, *joining, *legacy;
static gc_event *event;
static gc_buffer *buffer;
static gc_graph *uploaded;
static int is_over;

/* Calls that are made at once may each be refused, by a status of the driver's. */
static void any(gc_status status) {
    CHECK(status >= GRAPHCAP_SUCCESS);
}

/* Else what a thread waits for would be barred by the captures of others. */
static void relax(void) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
}

static int goes_on(void) {
    return !__atomic_load_n(&is_over, __ATOMIC_ACQUIRE);
}

/* Captures one stream, and another one that joins. The other threads break some of the captures. */
static void capture_once(void) {
    gc_graph *graph = NULL;
    if (gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED) != GRAPHCAP_SUCCESS)
        return;
    any(gc_stream_memset(captured, buffer, 0, 1, 4, 1));
    any(gc_event_record(event, captured, 0));
    any(gc_stream_wait_event(joining, event, 0));
    any(gc_stream_memset(joining, buffer, 4, 1, 4, 1));
    any(gc_event_record(event, joining, 0));
    any(gc_stream_wait_event(captured, event, 0));
    if (gc_stream_end_capture(captured, &graph) == GRAPHCAP_SUCCESS)
        CHECK_OK(gc_graph_destroy(graph));
}

static void *asks(void *argument) {
    relax();
    while (goes_on()) {
        gc_capture_state status = 0;
        CHECK_OK(gc_stream_capture_status(captured, &status));
        CHECK_OK(gc_stream_capture_status(joining, &status));
    }
    return argument;
}

static void *records(void *argument) {
    relax();
    while (goes_on()) {
        any(gc_stream_memset(captured, buffer, 8, 1, 4, 1));
        any(gc_stream_memset(joining, buffer, 12, 1, 4, 1));
    }
    return argument;
}

static void *looks(void *argument) {
    relax();
    while (goes_on()) {
        int32_t is_complete = 0;
        any(gc_event_is_complete(event, &is_complete));
        any(gc_stream_is_complete(joining, &is_complete));
    }
    return argument;
}

/* The legacy stream takes no upload and no launch while a blocking stream is captured. */
static void *uploads_and_launches(void *argument) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    relax();
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    while (goes_on()) {
        gc_graph_exec *exec = NULL;
        options.upload_stream = options.upload_stream == captured ? legacy : captured;
        any(gc_graph_instantiate(uploaded, &options, &exec));
        if (exec == NULL)
            any(gc_graph_instantiate(uploaded, NULL, &exec));
        if (exec == NULL)
            continue;
        any(gc_graph_upload(exec, captured));
        any(gc_graph_upload(exec, legacy));
        any(gc_graph_launch(exec, captured));
        any(gc_graph_launch(exec, legacy));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    return argument;
}

static void beside(void *(*body)(void *)) {
    pthread_t threads[2];
    int i;
    __atomic_store_n(&is_over, 0, __ATOMIC_RELEASE);
    for (i = 0; i < 2; i++)
        REQUIRE_OK(pthread_create(&threads[i], NULL, body, NULL));
    for (i = 0; i < ROUNDS; i++)
        capture_once();
    __atomic_store_n(&is_over, 1, __ATOMIC_RELEASE);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void captures_beside_questions(void) {
    beside(asks);
}

static void captures_beside_work(void) {
    beside(records);
}

static void captures_beside_looks_at_events_and_streams(void) {
    beside(looks);
}

static void captures_beside_uploads_and_launches(void) {
    gc_memset_params params = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_node node;
    params.buffer = buffer;
    params.element_size = 1;
    params.width = 4;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_graph_create(rig.context, &uploaded));
    CHECK_OK(gc_graph_add_memset_node(uploaded, NULL, 0, &params, &node));
    beside(uploads_and_launches);
    CHECK_OK(gc_graph_destroy(uploaded));
    CHECK_OK(gc_stream_destroy(legacy));
}

/* What raced the end of a capture may be used by launches that nobody knows of, until somebody waits for the whole device. */
static void wait_for_the_device(void) {
    int rounds;
    for (rounds = 0; rounds < 2000 && live_objects() > 0; rounds++) {
        gc_context *again = open_context();
        CHECK_OK(gc_context_synchronize(again));
        CHECK_OK(gc_context_destroy(again));
        pause_ms(1);
    }
}

static void try_driver(const char *version) {
    use_stand_in(version);
    rig_open(&rig);
    captured = open_stream(rig.context, 0);
    joining = open_stream(rig.context, 0);
    event = open_event(rig.context);
    buffer = open_buffer(rig.context, 16);
    RUN(captures_beside_questions);
    RUN(captures_beside_work);
    RUN(captures_beside_looks_at_events_and_streams);
    RUN(captures_beside_uploads_and_launches);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(joining));
    CHECK_OK(gc_stream_destroy(captured));
    rig_close(&rig);
    wait_for_the_device();
    expect_nothing_left(version);
}

static void on_a_new_driver(void) {
    in_child(try_driver, "13.0");
}

int main(void) {
    RUN(on_a_new_driver);
    return check_finish();
}
