/* Resets on a CUDA device: the primary context and streams of others are left alone, captures of graphcap's own are discarded,
 * everything else goes back behind the work, and after a fault a reset says that it cannot help. */
#include "harness.h"

static struct rig rig;
static void *native_context;

static void open_rig(void) {
    rig_open(&rig);
    look_up_driver();
    REQUIRE_OK(gc_context_native(rig.context, &native_context));
}

static void *make_stream(void) {
    void *stream = NULL, *popped = NULL;
    CHECK(raw.push(native_context) == 0);
    CHECK(raw.stream_create(&stream, 1, 0) == 0);
    CHECK(raw.pop(&popped) == 0);
    return stream;
}

static gc_stream *wrap(void *native) {
    gc_stream *stream = NULL;
    REQUIRE_OK(gc_stream_wrap(rig.context, native, &stream));
    return stream;
}

/* Where no handle is destroyed, the driver's objects go all the same: those that work uses when it is over, code when
 * somebody waits. */
static void stale_handles_keep_nothing_of_the_driver(void) {
    long before[STAND_IN_KINDS];
    gc_stream *stream, *legacy = NULL;
    gc_event *event;
    gc_buffer *buffer;
    gc_host_buffer *pinned = NULL;
    gc_module *module;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    int kind;
    CHECK_OK(gc_context_collect(rig.context));
    for (kind = 0; kind < STAND_IN_KINDS; kind++)
        before[kind] = stand_in.live(kind);
    stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(rig.context);
    buffer = open_buffer(rig.context, 64);
    module = load_kernels(rig.context);
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &pinned));
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    stand_in.hold(1);
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_context_reset(rig.context));
    CHECK(stand_in.live(STAND_IN_RETAINS) == before[STAND_IN_RETAINS]);
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) > before[STAND_IN_ALLOCATIONS]);
    stand_in.hold(0);
    /* What the rig had goes as well, which is made anew with fewer objects. */
    for (kind = 0; kind < 20000; kind++) {
        CHECK_OK(gc_context_synchronize(rig.context));
        if (stand_in.live(STAND_IN_ALLOCATIONS) == 0 && stand_in.live(STAND_IN_GRAPHS) == 0 && stand_in.live(STAND_IN_PINNED) == 0)
            break;
        pause_ms(1);
    }
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == 0 && stand_in.live(STAND_IN_GRAPHS) == 0);
    CHECK(stand_in.live(STAND_IN_EXECS) == 0 && stand_in.live(STAND_IN_MODULES) == 0 && stand_in.live(STAND_IN_PINNED) == 0);
    CHECK(stand_in.live(STAND_IN_STREAMS) < before[STAND_IN_STREAMS] && stand_in.live(STAND_IN_POOLS) == before[STAND_IN_POOLS]);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
    rig_close(&rig);
    open_rig();
}

/* Reset, capture and replay a hundred times: the driver has as much as after the first time. */
static void memory_is_back_after_each_reset(void) {
    long first[STAND_IN_KINDS] = {0};
    unsigned round, waited;
    int kind, is_back;
    for (round = 0; round < 100; round++) {
        gc_pool *pool = NULL;
        gc_buffer *scratch = NULL, *result;
        gc_graph_exec *exec;
        REQUIRE_OK(gc_pool_create(rig.context, NULL, &pool));
        result = open_buffer(rig.context, 64);
        REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
        REQUIRE_OK(gc_pool_allocate_on_stream(pool, rig.stream, 1 << 20, &scratch));
        CHECK_OK(gc_stream_memset(rig.stream, scratch, 0, round, 4, 16));
        CHECK_OK(gc_stream_memcpy_dtod(rig.stream, result, 0, scratch, 0, 64));
        CHECK_OK(gc_buffer_destroy_on_stream(scratch, rig.stream));
        exec = finish_capture(rig.stream);
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(read_u32(rig.stream, result, 15) == round);
        CHECK_OK(gc_context_reset(rig.context));
        CHECK_STATUS(gc_graph_launch(exec, rig.stream), GRAPHCAP_ERROR_STALE);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_buffer_destroy(result));
        CHECK_OK(gc_pool_destroy(pool));
        rig_close(&rig);
        open_rig();
        /* What others give back goes on threads of theirs. */
        for (waited = 0, is_back = 0; !is_back && waited < 20000; waited++) {
            CHECK_OK(gc_context_synchronize(rig.context));
            for (kind = 0, is_back = 1; kind < STAND_IN_KINDS; kind++)
                is_back &= round == 0 || stand_in.live(kind) <= first[kind];
            if (!is_back)
                pause_ms(1);
        }
        CHECK(is_back);
        for (kind = 0; round == 0 && kind < STAND_IN_KINDS; kind++)
            first[kind] = stand_in.live(kind);
    }
}

/* A capture that graphcap began on a stream of others is discarded, by whichever call it was begun; one of theirs goes on. */
static void captures_on_streams_of_others(void) {
    void *own = make_stream(), *owned = make_stream(), *theirs = make_stream(), *graph = NULL;
    gc_stream *streams[3];
    gc_capture *capture = NULL;
    int32_t capturing = -1;
    size_t i;
    streams[0] = wrap(own);
    streams[1] = wrap(owned);
    streams[2] = wrap(theirs);
    CHECK_OK(gc_stream_begin_capture(streams[0], GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_capture_begin(streams[1], GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    CHECK(raw.begin(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    CHECK_OK(gc_context_reset(rig.context));
    /* They are asked by their owner: a stream that is captured would answer 900. */
    CHECK(raw.is_complete(own) == 0 && raw.is_complete(owned) == 0);
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(gc_stream_is_capturing(streams[i], &capturing), GRAPHCAP_ERROR_STALE);
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
    CHECK_OK(gc_capture_destroy(capture));
    /* Of a stream that its owner captured nobody knows how far it was, until somebody waits. */
    CHECK(raw.end(theirs, &graph) == 0 && graph != NULL && raw.graph_destroy(graph) == 0);
    /* In the new generation they are wrapped anew. */
    streams[0] = wrap(own);
    CHECK_OK(gc_stream_begin_capture(streams[0], GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_graph_exec_destroy(finish_capture(streams[0])));
    CHECK_OK(gc_stream_destroy(streams[0]));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(raw.stream_destroy(own) == 0 && raw.stream_destroy(owned) == 0 && raw.stream_destroy(theirs) == 0);
    rig_close(&rig);
    open_rig();
}

/* A capture of an own stream ends with it. Nothing but the capture keeps the graph that it goes into, which lives that long. */
static void a_capture_outlives_no_graph(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_stream *own = open_stream(rig.context, 0);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph *graph = NULL;
    gc_capture *capture = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    options.graph = graph;
    if (gc_capture_begin(own, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture) == GRAPHCAP_SUCCESS)
        CHECK_OK(gc_stream_memset(own, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_reset(rig.context));
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_capture_destroy(capture));
    rig_close(&rig);
    open_rig();
}

/* One context of two on the same GPU, which is one context of the driver's. */
static void a_neighbour_goes_on(void) {
    struct rig other;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    rig_open(&other);
    buffer = open_buffer(other.context, 4);
    CHECK_OK(gc_stream_begin_capture(other.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&other, other.stream, buffer, 0, 2, 1));
    CHECK_OK(gc_context_reset(rig.context));
    CHECK_OK(launch_add(&other, other.stream, buffer, 0, 2, 1));
    exec = finish_capture(other.stream);
    CHECK_OK(gc_graph_launch(exec, other.stream));
    CHECK(read_u32(other.stream, buffer, 0) == 4);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&other);
    rig_close(&rig);
    open_rig();
}

/* The driver does not recover. The reset says so, and changes nothing. */
static void after_a_fault_a_reset_says_that_it_does_not_help(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *host = NULL;
    gc_stream *stream;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    uint64_t generation = 0;
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    REQUIRE_OK(gc_context_create(&options, &host));
    stand_in.fault(GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_MESSAGE(gc_context_reset(rig.context), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "does not recover");
    CHECK(check_contains(last_message(), "kernel 'add'") && check_contains(last_message(), "start the process anew"));
    CHECK_OK(gc_context_generation(rig.context, &generation));
    CHECK(generation == 1);
    CHECK_STATUS(launch_add(&rig, rig.stream, buffer, 0, 1, 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_context_reset(rig.context), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    /* Contexts on host devices go on, and are reset. */
    CHECK_OK(gc_context_reset(host));
    stream = open_stream(host, 0);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(host));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void with(const char *version) {
    use_stand_in(version);
    open_rig();
    RUN(stale_handles_keep_nothing_of_the_driver);
    RUN(memory_is_back_after_each_reset);
    RUN(captures_on_streams_of_others);
    RUN(a_capture_outlives_no_graph);
    RUN(a_neighbour_goes_on);
    rig_close(&rig);
    expect_nothing_left(version);
}

static void faulted(const char *version) {
    use_stand_in(version);
    open_rig();
    RUN(after_a_fault_a_reset_says_that_it_does_not_help);
    rig_close(&rig);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(with);
    RUN_ON_BOTH_DRIVERS(faulted);
    return check_finish();
}
