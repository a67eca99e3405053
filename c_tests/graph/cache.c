/* gc_graph_cache: what it records, launches, shares, drops and refuses. cache_trace.c has the budget,
 * cache_threads.c threads and queued launches. */
#include "cache.h"

static struct rig rig;
static gc_buffer *buffer;

static void a_key_is_recorded_once(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    gc_graph_cache_stats stats;
    unsigned round;
    for (round = 0; round < 3; round++) {
        launch_shape(cache, shape_of(0, 5, 2), &recorder);
        launch_shape(cache, shape_of(1, 6, 2), &recorder);
    }
    CHECK(recorder.calls == 2 && recorder.launch_data == &recorder);
    stats = stats_of(cache);
    CHECK(stats.hits == 4 && stats.recordings == 2 && stats.instantiations == 2 && stats.updates == 0);
    CHECK(stats.keys == 2 && stats.execs == 2 && stats.evictions == 0 && stats.bytes > 0);
    CHECK(on_cuda() ? stats.device_bytes > 0 && stats.device_bytes < stats.bytes : stats.device_bytes == 0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_destroy(cache));
    CHECK(await_count(&recorder.destroyed, 1));
    CHECK_STATUS(gc_graph_cache_destroy(cache), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_graph_cache_destroy(NULL));
}

/* A key is its bytes: it may be empty, and one can be the start of another. */
static void keys_are_bytes(void) {
    static const char bytes[] = {'a', 0, 'a', 'b'};
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    unsigned round;
    for (round = 0; round < 2; round++) {
        size_t size;
        for (size = 0; size <= sizeof bytes; size++)
            CHECK_OK(gc_graph_cache_launch(cache, bytes, size, rig.stream, NULL));
        CHECK_OK(gc_graph_cache_launch(cache, NULL, 0, rig.stream, NULL));
        CHECK(recorder.calls == 5);
    }
    CHECK(stats_of(cache).keys == 5 && stats_of(cache).hits == 7);
    CHECK_STATUS(gc_graph_cache_launch(cache, NULL, 1, rig.stream, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static void keys_of_one_topology_share_an_exec(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0);
    gc_graph_cache_stats stats;
    unsigned round, word;
    for (round = 0; round < 3; round++)
        for (word = 0; word < 8; word++)
            launch_shape(cache, shape_of(word, 10 + word, 1 + word % 2), &recorder);
    stats = stats_of(cache);
    CHECK(stats.recordings == 8 && stats.instantiations == 2 && stats.execs == 2 && stats.keys == 8);
    /* Each launch is of another key than the one before of its topology. */
    CHECK(stats.updates == 22 && stats.hits == 0);
    launch_shape(cache, shape_of(7, 17, 2), &recorder);
    CHECK(stats_of(cache).hits == 1);
    CHECK_OK(gc_graph_cache_destroy(cache));
}

/* An update would keep the priority of the exec's own node. */
static void other_launch_attributes_are_not_shared(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0);
    unsigned word;
    for (word = 0; word < 4; word++) {
        struct shape shape = shape_of(word, 3, 1);
        recorder.priority = word % 2 == 0 ? 0 : -1;
        launch_shape(cache, shape, &recorder);
    }
    CHECK(stats_of(cache).execs == 2 && stats_of(cache).instantiations == 2 && stats_of(cache).updates == 2);
    CHECK_OK(gc_graph_cache_destroy(cache));
}

/* Graphs that can have but one exec get one. */
static void a_graph_that_allocates_has_an_exec_of_its_own(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0);
    unsigned word, round;
    recorder.allocates = 1;
    for (round = 0; round < 2; round++)
        for (word = 0; word < 3; word++)
            launch_shape(cache, shape_of(word, 3, 1), &recorder);
    CHECK(stats_of(cache).execs == 3 && stats_of(cache).updates == 0 && stats_of(cache).hits == 3);
    CHECK_OK(gc_graph_cache_destroy(cache));
}

/* ---- Recordings that fail ---- */

static gc_status returns_a_status(struct recorder *recorder, const gc_stream *stream) {
    (void)recorder;
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_STATUS(gc_stream_memset(stream, buffer, 1u << 20, 1, 4, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    return GRAPHCAP_ERROR_NOT_FOUND;
}

static gc_status returns_a_number(struct recorder *recorder, const gc_stream *stream) {
    (void)recorder;
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    return 12345;
}

static gc_status submits_nothing(struct recorder *recorder, const gc_stream *stream) {
    (void)recorder, (void)stream;
    return GRAPHCAP_SUCCESS;
}

static gc_status ends_the_capture(struct recorder *recorder, const gc_stream *stream) {
    gc_graph *graph = NULL;
    (void)recorder;
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    return GRAPHCAP_SUCCESS;
}

static gc_status begins_another_capture(struct recorder *recorder, const gc_stream *stream) {
    (void)ends_the_capture(recorder, stream);
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    return GRAPHCAP_SUCCESS;
}

static gc_status breaks_the_capture(struct recorder *recorder, const gc_stream *stream) {
    (void)recorder;
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    return GRAPHCAP_SUCCESS;
}

static gc_status leaves_a_fork(struct recorder *recorder, const gc_stream *stream) {
    gc_stream *fork = open_stream(recorder->rig->context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(recorder->rig->context);
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(fork, event, 0));
    CHECK_OK(gc_stream_memset(fork, buffer, 0, 1, 4, 1));
    recorder->kept[0] = fork;
    CHECK_OK(gc_event_destroy(event));
    return GRAPHCAP_SUCCESS;
}

static void failed_recordings_leave_nothing(void) {
    static const struct {
        recording *record;
        gc_status status;
        const char *word;
    } cases[] = {
        {returns_a_status, GRAPHCAP_ERROR_NOT_FOUND, "gc_stream_memset"},
        {returns_a_number, 12345, "12345"},
        {submits_nothing, GRAPHCAP_ERROR_INVALID_VALUE, "nothing"},
        {ends_the_capture, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "ended before"},
        {begins_another_capture, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "ended before"},
        {breaks_the_capture, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "capture"},
        {leaves_a_fork, GRAPHCAP_ERROR_CAPTURE_UNJOINED, "join"},
    };
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    struct shape shape = shape_of(0, 5, 1);
    size_t i;
    for (i = 0; i < LENGTH_OF(cases); i++) {
        recorder.record = cases[i].record;
        CHECK_MESSAGE(gc_graph_cache_launch(cache, &shape, sizeof shape, rig.stream, NULL), cases[i].status,
                      cases[i].word);
        CHECK(recorder.calls == i + 1 && stats_of(cache).keys == 0 && stats_of(cache).bytes == 0);
        CHECK_OK(gc_stream_destroy((gc_stream *)recorder.kept[0]));
        recorder.kept[0] = NULL;
    }
    recorder.record = record_shape;
    launch_shape(cache, shape, &recorder);
    CHECK(stats_of(cache).keys == 1 && stats_of(cache).hits == 0);
    CHECK_OK(gc_graph_cache_destroy(cache));
}

/* Where other work stands: a thread-local capture is broken by an unsafe call of the function, a relaxed one is not. */
static gc_status makes_an_unsafe_call(struct recorder *recorder, const gc_stream *stream) {
    gc_stream *other = open_stream(recorder->rig->context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    recorder->answer = gc_stream_synchronize(other);
    CHECK_OK(gc_stream_destroy(other));
    return GRAPHCAP_SUCCESS;
}

static void the_mode_of_captures_is_an_option(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *relaxed = open_cache(&recorder, 0, 0);
    gc_graph_cache *thread_local_ = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_THREAD_LOCAL, 0);
    recorder.record = makes_an_unsafe_call;
    CHECK_OK(gc_graph_cache_launch(relaxed, "a", 1, rig.stream, NULL));
    CHECK(recorder.answer == GRAPHCAP_SUCCESS);
    CHECK_STATUS(gc_graph_cache_launch(thread_local_, "a", 1, rig.stream, NULL), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(recorder.answer == GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_destroy(thread_local_));
    CHECK_OK(gc_graph_cache_destroy(relaxed));
    CHECK(await_count(&recorder.destroyed, 2));
}

/* ---- What a recording function may do ---- */

static gc_status calls_its_cache(struct recorder *recorder, const gc_stream *stream) {
    struct recorder inner = open_recorder(recorder->rig, buffer);
    gc_graph_cache *other = open_cache(&inner, 0, 0);
    CHECK_MESSAGE(gc_graph_cache_launch(recorder->cache, "a", 1, rig.stream, NULL), GRAPHCAP_ERROR_BUSY, "recording");
    CHECK_STATUS(gc_graph_cache_launch(recorder->cache, "known", 5, rig.stream, NULL), GRAPHCAP_ERROR_BUSY);
    CHECK(stats_of(recorder->cache).keys == 1);
    CHECK_OK(gc_graph_cache_launch(other, "a", 1, rig.stream, NULL));
    CHECK_OK(gc_graph_cache_destroy(other));
    return record_shape(recorder, stream);
}

static void a_recording_function_cannot_launch_through_its_cache(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    CHECK_OK(gc_graph_cache_launch(cache, "known", 5, rig.stream, NULL));
    recorder.record = calls_its_cache;
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
    CHECK_OK(gc_graph_cache_launch(cache, "known", 5, rig.stream, NULL));
    CHECK(stats_of(cache).keys == 2);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static gc_status destroys_everything(struct recorder *recorder, const gc_stream *stream) {
    gc_status status = record_shape(recorder, stream);
    recorder->seen = stream;
    CHECK_OK(gc_stream_destroy((gc_stream *)(uintptr_t)stream));
    CHECK_OK(gc_stream_destroy((gc_stream *)recorder->kept[0]));
    CHECK_OK(gc_graph_cache_destroy(recorder->cache));
    CHECK(recorder->destroyed == 0);
    return status;
}

static void a_launch_goes_on_whatever_the_function_destroys(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    gc_stream *stream = open_stream(rig.context, 0);
    struct shape shape = shape_of(2, 9, 1);
    recorder.record = destroys_everything;
    recorder.kept[0] = stream;
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 2 * sizeof(uint32_t), 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_launch(cache, &shape, sizeof shape, stream, NULL));
    CHECK(await_count(&recorder.destroyed, 1));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(read_u32(rig.stream, buffer, 2) == 9);
    CHECK_STATUS(gc_graph_cache_launch(cache, &shape, sizeof shape, rig.stream, NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
}

static gc_status notes_the_stream(struct recorder *recorder, const gc_stream *stream) {
    recorder->seen = stream;
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE && stream != rig.stream);
    return record_shape(recorder, stream);
}

static void the_stream_is_dead_after_the_launch(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    recorder.record = notes_the_stream;
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
    CHECK_STATUS(gc_stream_memset(recorder.seen, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static gc_status forgets_its_key(struct recorder *recorder, const gc_stream *stream) {
    CHECK_OK(recorder->answer == 0 ? gc_graph_cache_clear(recorder->cache)
                                   : gc_graph_cache_remove(recorder->cache, "a", 1));
    return record_shape(recorder, stream);
}

static void keys_are_forgotten(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0);
    unsigned word;
    for (word = 0; word < 4; word++)
        launch_shape(cache, shape_of(word, 3, 1), &recorder);
    {
        struct shape first = shape_of(0, 3, 1), absent = shape_of(0, 4, 1);
        CHECK_OK(gc_graph_cache_remove(cache, &first, sizeof first));
        CHECK_OK(gc_graph_cache_remove(cache, &first, sizeof first));
        CHECK_OK(gc_graph_cache_remove(cache, &absent, sizeof absent));
        CHECK_STATUS(gc_graph_cache_remove(cache, NULL, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    CHECK(stats_of(cache).keys == 3 && stats_of(cache).execs == 1);
    for (word = 0; word < 4; word++)
        launch_shape(cache, shape_of(word, 3, 1), &recorder);
    CHECK(recorder.calls == 5);
    CHECK_OK(gc_graph_cache_clear(cache));
    CHECK(stats_of(cache).keys == 0 && stats_of(cache).execs == 0 && stats_of(cache).bytes == 0);
    CHECK(stats_of(cache).recordings == 5 && stats_of(cache).evictions == 0);
    launch_shape(cache, shape_of(1, 3, 1), &recorder);
    CHECK(recorder.calls == 6);
    /* What is recorded meanwhile may be what is to be forgotten: it is launched, and not kept. */
    recorder.record = forgets_its_key;
    for (recorder.answer = 0; recorder.answer < 2; recorder.answer++) {
        CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
        CHECK(stats_of(cache).keys == 0);
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_cache_destroy(cache));
}

/* ---- Streams, contexts and bad input ---- */

static void a_captured_stream_is_no_place_for_a_launch(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, 0, 0);
    gc_stream *captured = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    struct shape shape = shape_of(0, 4, 1);
    gc_graph *graph = NULL;
    unsigned round;
    for (round = 0; round < 2; round++) {
        CHECK_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_STATUS(gc_graph_cache_launch(cache, &shape, sizeof shape, captured, NULL),
                     GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK_STATUS(gc_stream_end_capture(captured, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    }
    CHECK(recorder.calls == 1 && stats_of(cache).keys == 1 && stats_of(cache).hits == 0);
    launch_shape(cache, shape, &recorder);
    CHECK(stats_of(cache).hits == 1);
    CHECK_OK(gc_stream_destroy(captured));
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static void a_launch_may_be_on_a_stream_of_another_context(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0);
    gc_context *elsewhere = open_context(), *context = NULL;
    gc_stream *stream = open_stream(elsewhere, 0);
    unsigned word;
    for (word = 0; word < 4; word++) {
        struct shape shape = shape_of(word % 2, 4 + word % 2, 1);
        CHECK_OK(gc_stream_memset(rig.stream, buffer, shape.word * sizeof(uint32_t), 0, 4, 1));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK_OK(gc_graph_cache_launch(cache, &shape, sizeof shape, stream, NULL));
        CHECK_OK(gc_stream_synchronize(stream));
        CHECK(read_u32(rig.stream, buffer, shape.word) == shape.value);
    }
    CHECK_OK(gc_graph_cache_get_context(cache, &context));
    CHECK_OK(gc_context_synchronize(context));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(elsewhere));
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static void bad_options_are_refused(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_graph_cache *cache = NULL;
    CHECK_STATUS(gc_graph_cache_create(rig.context, NULL, &cache), GRAPHCAP_ERROR_INVALID_VALUE);
    options.user_data = &recorder;
    options.destroy = recorder_destroyed;
    CHECK_MESSAGE(gc_graph_cache_create(rig.context, &options, &cache), GRAPHCAP_ERROR_INVALID_VALUE, "record");
    CHECK(recorder.destroyed == 1);
    options.record = recorder_called;
    CHECK_STATUS(gc_graph_cache_create(rig.context, &options, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_cache_create(NULL, &options, &cache), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(recorder.destroyed == 3);
    options.flags = 4;
    CHECK_STATUS(gc_graph_cache_create(rig.context, &options, &cache), GRAPHCAP_ERROR_INVALID_VALUE);
    options.flags = 0;
    options.instantiate_flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    CHECK_MESSAGE(gc_graph_cache_create(rig.context, &options, &cache), GRAPHCAP_ERROR_INVALID_VALUE, "instantiate_flags");
    options.instantiate_flags = GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH;
    CHECK_STATUS(gc_graph_cache_create(rig.context, &options, &cache), GRAPHCAP_ERROR_INVALID_VALUE);
    options.instantiate_flags = 0;
    options.reserved = 1;
    CHECK_STATUS(gc_graph_cache_create(rig.context, &options, &cache), GRAPHCAP_ERROR_INVALID_VALUE);
    options.reserved = 0;
    options.struct_size = 2;
    CHECK_STATUS(gc_graph_cache_create(rig.context, &options, &cache), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(recorder.destroyed == 7 && recorder.calls == 0 && cache == NULL);
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64 * sizeof(uint32_t));
    RUN(a_key_is_recorded_once);
    RUN(keys_are_bytes);
    RUN(keys_of_one_topology_share_an_exec);
    RUN(other_launch_attributes_are_not_shared);
    RUN(a_graph_that_allocates_has_an_exec_of_its_own);
    RUN(failed_recordings_leave_nothing);
    RUN(the_mode_of_captures_is_an_option);
    RUN(a_recording_function_cannot_launch_through_its_cache);
    RUN(a_launch_goes_on_whatever_the_function_destroys);
    RUN(the_stream_is_dead_after_the_launch);
    RUN(keys_are_forgotten);
    RUN(a_captured_stream_is_no_place_for_a_launch);
    RUN(a_launch_may_be_on_a_stream_of_another_context);
    RUN(bad_options_are_refused);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
