/* Strict captures: what would go wrong in silence is refused or told. */
#include "kernels.h"

enum { BYTES = 16 };

/* Whether the context is strict; else its captures are. */
static int by_context;
static int is_guarded;
static struct rig rig;
static gc_stream *stream;
static gc_buffer *buffer;
static gc_host_buffer *pinned;

static void open_all(uint32_t flags) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    options.flags = flags;
    REQUIRE_OK(gc_context_create(&options, &context));
    rig_open_in(&rig, context);
    stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    REQUIRE_OK(gc_buffer_allocate(rig.context, BYTES, &buffer));
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, BYTES, 0, &pinned));
    by_context = (flags & GRAPHCAP_CONTEXT_STRICT) != 0;
    is_guarded = (flags & GRAPHCAP_CONTEXT_GUARDED) != 0;
}

static void close_all(void) {
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    rig_close(&rig);
    CHECK(gc_live_handles() == 0);
}

static gc_capture *begin(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = NULL;
    options.flags = by_context ? 0 : GRAPHCAP_CAPTURE_STRICT;
    REQUIRE_OK(gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    return capture;
}

/* Ends a capture of so many nodes. */
static gc_graph *end(gc_capture *capture, size_t nodes) {
    gc_graph *graph = NULL;
    size_t count = SIZE_MAX;
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_node_count(graph, &count));
    CHECK(count == nodes);
    return graph;
}

static void replay(const gc_graph *graph) {
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void plain_host_memory_is_refused(void) {
    char host[BYTES] = {0};
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, host, BYTES);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(host, buffer, 0, BYTES);
    gc_memcpy_params both = GRAPHCAP_MEMCPY_INIT_HTOH(host + 8, host, 8);
    gc_capture *capture = begin();
    CHECK_MESSAGE(gc_stream_memcpy_htod(stream, buffer, 0, host, BYTES), GRAPHCAP_ERROR_NOT_PERMITTED,
                  "gc_host_buffer");
    CHECK_MESSAGE(gc_stream_memcpy_htod(stream, buffer, 0, host, BYTES), GRAPHCAP_ERROR_NOT_PERMITTED,
                  "GRAPHCAP_MEMCPY_SNAPSHOT");
    CHECK_MESSAGE(gc_stream_memcpy_dtoh(stream, host, buffer, 0, BYTES), GRAPHCAP_ERROR_NOT_PERMITTED,
                  "gc_host_buffer");
    CHECK_MESSAGE(gc_stream_memcpy(stream, &in), GRAPHCAP_ERROR_NOT_PERMITTED, "read");
    CHECK_MESSAGE(gc_stream_memcpy(stream, &out), GRAPHCAP_ERROR_NOT_PERMITTED, "write");
    CHECK_STATUS(gc_stream_memcpy(stream, &both), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_MESSAGE(gc_capture_record_memcpy(capture, &in), GRAPHCAP_ERROR_NOT_PERMITTED, "16 bytes");
    in.height = out.height = 2;
    in.size = out.size = in.source_pitch = in.destination_pitch = out.source_pitch = out.destination_pitch = BYTES / 2;
    CHECK_STATUS(gc_stream_memcpy(stream, &in), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(gc_capture_record_memcpy(capture, &out), GRAPHCAP_ERROR_NOT_PERMITTED);
    /* The capture goes on, and what is wrong otherwise is told first. */
    CHECK_STATUS(gc_stream_memcpy_htod(stream, buffer, 1, host, BYTES), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_memcpy_htod(stream, buffer, 0, NULL, BYTES), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_memcpy_htod(stream, buffer, 0, host, 0));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_graph_destroy(end(capture, 1)));
    /* Work that runs is not refused, nor that of captures that are not strict. */
    CHECK_OK(gc_stream_memcpy_htod(stream, buffer, 0, host, BYTES));
    CHECK_OK(gc_stream_synchronize(stream));
}

static void host_buffers_and_snapshots_are_taken(void) {
    char text[BYTES] = "as it was";
    char *bytes = NULL;
    gc_graph *graph;
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, text, BYTES);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, buffer, 0, BYTES);
    gc_capture *capture = begin();
    CHECK_OK(gc_host_buffer_pointer(pinned, (void **)&bytes));
    memset(bytes, 0, BYTES);
    in.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    out.destination_host_buffer = pinned;
    CHECK_OK(gc_stream_memcpy(stream, &in));
    memset(text, 'x', sizeof text);
    CHECK_OK(gc_stream_memcpy(stream, &out));
    graph = end(capture, 2);
    replay(graph);
    CHECK(strcmp(bytes, "as it was") == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The graph keeps a host buffer that a copy uses by its address. */
static void the_address_of_a_host_buffer_is_taken(void) {
    gc_host_buffer *source = NULL;
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    char *bytes = NULL, *got = NULL;
    gc_capture *capture = begin();
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, BYTES, 0, &source));
    CHECK_OK(gc_host_buffer_pointer(source, (void **)&bytes));
    CHECK_OK(gc_host_buffer_pointer(pinned, (void **)&got));
    memset(got, 0, BYTES);
    memcpy(bytes, "kept alive", 11);
    CHECK_OK(gc_stream_memcpy_htod(stream, buffer, 0, bytes, BYTES));
    /* What reaches beyond it is plain. */
    CHECK_STATUS(gc_stream_memcpy_htod(stream, buffer, 0, bytes + 1, BYTES), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_OK(gc_stream_memcpy_dtoh(stream, got, buffer, 0, BYTES));
    graph = end(capture, 2);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(source));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(strcmp(got, "kept alive") == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Plain memory of the program's, which is there as long as replays read it. */
static gc_status copy_plain_memory(const gc_stream *to, void *data) {
    static const char plain[BYTES] = {0};
    (void)data;
    return gc_stream_memcpy_htod(to, buffer, 0, plain, BYTES);
}

static gc_status record_for_cache(const gc_stream *to, const void *key, size_t size, void *data, void *launch) {
    (void)key, (void)size, (void)launch;
    return copy_plain_memory(to, data);
}

/* A capture around a function, of a stream that joined, and of a cache. */
static void all_captures_of_a_strict_context_are_strict(void) {
    char host[BYTES] = {0};
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_graph_cache_options cached = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_status expected = by_context ? GRAPHCAP_ERROR_NOT_PERMITTED : GRAPHCAP_SUCCESS;
    gc_graph_cache *cache = NULL;
    gc_graph *graph = NULL;
    gc_stream *fork = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    CHECK_STATUS(gc_stream_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, copy_plain_memory, NULL, NULL, &graph), expected);
    CHECK_OK(gc_graph_destroy(graph));
    options.flags = GRAPHCAP_CAPTURE_STRICT;
    CHECK_STATUS(gc_stream_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, copy_plain_memory, NULL,
                                                NULL, &graph),
                 GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_memcpy_htod(stream, buffer, 0, host, BYTES), expected);
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(fork, event, 0));
    CHECK_STATUS(gc_stream_memcpy_dtoh(fork, host, buffer, 0, BYTES), expected);
    CHECK_OK(gc_event_record(event, fork, 0));
    CHECK_OK(gc_stream_wait_event(stream, event, 0));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    cached.record = record_for_cache;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &cached, &cache));
    CHECK_STATUS(gc_graph_cache_launch(cache, "key", 3, stream, NULL), expected);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_cache_destroy(cache));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork));
}

/* The stream's capture tells so many calls, of which the first is told in these words. */
static void expect_outside(uint64_t calls, const char *first, const char *later) {
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    gc_violation violation = -1;
    char text[1024] = "";
    CHECK_OK(gc_stream_capture_info(stream, &info));
    CHECK(info.work_outside == (info.status == GRAPHCAP_CAPTURE_STATUS_ACTIVE ? calls : 0));
    CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
    CHECK(violation == (calls > 0 ? GRAPHCAP_VIOLATION_WORK_OUTSIDE : GRAPHCAP_VIOLATION_NONE));
    CHECK(strstr(text, first) != NULL && strstr(text, later) != NULL);
    CHECK((calls > 0) == (*text != 0));
    CHECK((strstr(text, "refused") != NULL) == (calls > 0 && is_guarded));
}

struct outsider {
    const gc_stream *stream;
    gc_status status;
};

static void *submit_from_a_thread(void *data) {
    struct outsider *outsider = (struct outsider *)data;
    outsider->status = gc_stream_memset(outsider->stream, buffer, 0, 0, 1, 4);
    return NULL;
}

/* A function that is called during a capture submits to streams outside of it. */
static void work_outside_is_told(void) {
    gc_status expected = is_guarded ? GRAPHCAP_ERROR_NOT_PERMITTED : GRAPHCAP_SUCCESS;
    gc_stream *legacy = NULL, *own = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    struct outsider outsider;
    gc_capture *capture = begin();
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    graph = end(capture, 1);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    capture = begin();
    expect_outside(0, "", "");
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_STATUS(gc_stream_memset(own, buffer, 4, 1, 4, 1), expected);
    expect_outside(1, "gc_stream_memset on stream", "1 operation recorded");
    CHECK_STATUS(gc_stream_memset(legacy, buffer, 8, 1, 4, 1), expected);
    expect_outside(2, "gc_stream_memset on stream", "and 1 later call,");
    if (is_guarded)
        CHECK_MESSAGE(gc_graph_launch(exec, own), GRAPHCAP_ERROR_NOT_PERMITTED, "strict");
    else
        CHECK_OK(gc_graph_launch(exec, own));
    /* Work of other threads does not go past the capture, nor do calls that submit nothing or fail. */
    outsider.stream = own;
    outsider.status = -1;
    on_another_thread(submit_from_a_thread, &outsider);
    CHECK_OK(outsider.status);
    CHECK_OK(gc_stream_memset(own, buffer, 0, 1, 4, 0));
    CHECK_STATUS(gc_stream_memset(own, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    expect_outside(3, "", "and 2 later calls,");
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_graph_destroy(end(capture, 2)));
    expect_outside(3, "", "and 2 later calls,");
    /* It is over, so that nothing goes past it. */
    CHECK_OK(gc_stream_memset(own, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_graph_launch(exec, own));
    expect_outside(3, "", "and 2 later calls,");
    CHECK_OK(gc_stream_synchronize(own));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(own));
}

/* What another capture of the thread records does not run. */
static void other_captures_are_not_outside(void) {
    gc_stream *inner = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL;
    gc_capture *capture = begin();
    CHECK_OK(gc_stream_begin_capture(inner, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(inner, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_stream_end_capture(inner, &graph));
    expect_outside(0, "", "");
    CHECK_OK(gc_graph_destroy(end(capture, 0)));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(inner));
}

/* A capture that is not strict says nothing of work outside. */
static void other_captures_do_not_tell(void) {
    gc_stream *own = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL;
    if (!by_context) {
        CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memset(own, buffer, 0, 1, 4, 1));
        expect_outside(0, "", "");
        CHECK_OK(gc_stream_end_capture(stream, &graph));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_stream_synchronize(own));
    }
    CHECK_OK(gc_stream_destroy(own));
}

/* Updates of a scalar, and copies that wait. */
static void calls_that_are_never_recorded_are_outside(void) {
    gc_status expected = is_guarded ? GRAPHCAP_ERROR_NOT_PERMITTED : GRAPHCAP_SUCCESS;
    gc_stream *own = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    uint32_t value = 1;
    gc_scalar *scalar = NULL;
    gc_capture *capture;
    REQUIRE_OK(gc_scalar_create(own, GRAPHCAP_SCALAR_U32, &value, &scalar));
    capture = begin();
    CHECK_STATUS(gc_scalar_update(scalar, own, GRAPHCAP_SCALAR_U32, &value), expected);
    expect_outside(1, "gc_scalar_update on stream", "");
    CHECK_OK(gc_graph_destroy(end(capture, 0)));
    CHECK_OK(gc_stream_synchronize(own));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_stream_destroy(own));
}

/* The end is refused, since the last call that was to record failed. */
static void expect_last_failed(gc_capture *capture, const char *called) {
    const char *function = check_told_as(called);
    gc_violation violation = -1;
    gc_graph *graph = NULL;
    char text[1024] = "";
    CHECK_MESSAGE(gc_capture_end(capture, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, function);
    CHECK(graph == NULL);
    CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
    CHECK(violation == GRAPHCAP_VIOLATION_LAST_FAILED && strstr(text, function) != NULL);
    CHECK(strstr(text, "answered GRAPHCAP_ERROR_") != NULL);
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_stream_synchronize(stream));
}

static void an_end_after_a_failed_call_is_refused(void) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 0, 4);
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_capture *capture = begin();
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_STATUS(gc_stream_memset(stream, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    expect_last_failed(capture, "gc_stream_memset");
    capture = begin();
    CHECK_STATUS(gc_stream_launch_kernel(stream, rig.add, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_memcpy(stream, &copy), GRAPHCAP_ERROR_INVALID_VALUE);
    expect_last_failed(capture, "gc_stream_memcpy");
    capture = begin();
    CHECK_STATUS(gc_capture_record_memset(capture, NULL, 0, 1, 4, 1), GRAPHCAP_ERROR_INVALID_HANDLE);
    expect_last_failed(capture, "gc_capture_record_memset");
    capture = begin();
    CHECK_STATUS(gc_stream_memcpy_htod(stream, buffer, 0, &config, 4), GRAPHCAP_ERROR_NOT_PERMITTED);
    expect_last_failed(capture, "gc_stream_memcpy_htod");
}

/* What broke the capture is told before what failed in it. */
static void what_breaks_a_capture_is_told_first(void) {
    gc_launch_config shape = GRAPHCAP_LAUNCH_CONFIG(1, 1u << 20);
    gc_violation violation = -1;
    gc_graph *graph = NULL;
    char text[1024] = "";
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_capture *capture = begin();
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_STATUS(gc_stream_launch_kernel(stream, rig.add, &shape, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE);
    if (!is_guarded)
        CHECK_STATUS(gc_stream_memset(stream, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_capture_end(capture, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
    CHECK(violation == (is_guarded ? GRAPHCAP_VIOLATION_LAST_FAILED : GRAPHCAP_VIOLATION_SHAPE));
    CHECK_OK(gc_capture_destroy(capture));
}

/* What works afterwards does away with a failure; other failures are none of it. */
static void later_calls_do_away_with_a_failure(void) {
    gc_event *event = open_event(rig.context);
    gc_stream *fork = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    gc_graph *graph = NULL;
    gc_capture *capture = begin();
    CHECK_STATUS(gc_stream_memset(stream, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    info.struct_size = 1;
    CHECK_STATUS(gc_stream_capture_info(stream, &info), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_STATUS(gc_stream_memset(fork, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(end(capture, 1)));
    /* On a stream that joined it counts. */
    capture = begin();
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(fork, event, 0));
    CHECK_OK(gc_event_record(event, fork, 0));
    CHECK_OK(gc_stream_wait_event(stream, event, 0));
    CHECK_STATUS(gc_stream_memset(fork, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    expect_last_failed(capture, "gc_stream_memset");
    /* Another capture of the thread is left alone when this one is broken. */
    CHECK_OK(gc_stream_begin_capture(fork, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(fork, buffer, 0, 1, 4, 1));
    capture = begin();
    CHECK_STATUS(gc_stream_memset(stream, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_capture_end(capture, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_stream_end_capture(fork, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    /* An abort takes no offence. */
    capture = begin();
    CHECK_STATUS(gc_stream_memset(stream, buffer, 0, 1, 4, 99), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_capture_abort(capture));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork));
}

static gc_status ignore_a_failure(const gc_stream *to, void *data) {
    gc_status status = gc_stream_memset(to, buffer, 0, 1, 4, 1);
    (void)data;
    if (gc_stream_memset(to, buffer, 0, 1, 4, 99) == GRAPHCAP_SUCCESS)
        return GRAPHCAP_ERROR_PANIC;
    return status;
}

/* Captures around a function, into a graph that there is, and those that are not strict. */
static void all_ends_are_refused(void) {
    gc_status expected = by_context ? GRAPHCAP_ERROR_CAPTURE_INVALIDATED : GRAPHCAP_SUCCESS;
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_graph *graph = NULL;
    CHECK_STATUS(gc_stream_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, ignore_a_failure, NULL, NULL, &graph), expected);
    CHECK_OK(gc_graph_destroy(graph));
    options.flags = GRAPHCAP_CAPTURE_STRICT;
    CHECK_MESSAGE(gc_stream_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, ignore_a_failure, NULL, NULL,
                                                 &graph),
                  GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "gc_stream_memset");
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(ignore_a_failure(stream, NULL));
    CHECK_STATUS(gc_stream_end_capture(stream, &graph), expected);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_stream_synchronize(stream));
}

static void unknown_flags_are_refused(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = NULL;
    options.flags = 1u << 31;
    CHECK_MESSAGE(gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture),
                  GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_CAPTURE_STRICT");
}

int main(void) {
    static const uint32_t flags[] = {0, GRAPHCAP_CONTEXT_STRICT, GRAPHCAP_CONTEXT_STRICT | GRAPHCAP_CONTEXT_GUARDED};
    size_t i;
    for (i = 0; i < sizeof flags / sizeof *flags; i++) {
        open_all(flags[i]);
        plain_host_memory_is_refused();
        host_buffers_and_snapshots_are_taken();
        the_address_of_a_host_buffer_is_taken();
        all_captures_of_a_strict_context_are_strict();
        work_outside_is_told();
        other_captures_are_not_outside();
        other_captures_do_not_tell();
        calls_that_are_never_recorded_are_outside();
        an_end_after_a_failed_call_is_refused();
        what_breaks_a_capture_is_told_first();
        later_calls_do_away_with_a_failure();
        all_ends_are_refused();
        unknown_flags_are_refused();
        close_all();
    }
    return check_finish();
}
