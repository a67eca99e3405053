/* Each call of the driver fails once while a gc_graph_cache records, launches, updates, evicts and is cleared: the launch answers
 * what the driver did, the same launch works when it is made again, every result is right, and nothing is left alive. */
#include "harness.h"

/* What the driver answers where it fails; OK in a run in which nothing is to fail. */
static int code;
static int has_failed;

static const gc_buffer *buffer;

/* Whether a call succeeded. The driver's answer is passed on, or does not matter; it fails once alone. */
static int succeeded(int line, gc_status status) {
    const char *function = code != 0 ? stand_in.failed() : NULL;
    int clean = status == GRAPHCAP_SUCCESS;
    if (!clean && function != NULL && !has_failed)
        clean = status == code && check_contains(last_message(), function);
    if (check_failed(clean))
        fprintf(stderr, "%s:%d: status %d, when %s was to answer %d: %s\n", __FILE__, line, (int)status,
                function != NULL ? function : "nothing", code, last_message());
    has_failed = function != NULL;
    return status == GRAPHCAP_SUCCESS;
}

/* A key: as many memsets of one word. What is done twice does no harm. */
struct words {
    uint32_t word, value, length;
};

static gc_status record_words(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                              void *launch_data) {
    struct words words;
    uint32_t i;
    (void)user_data;
    (void)launch_data;
    CHECK(key_size == sizeof words);
    memcpy(&words, key, sizeof words);
    for (i = 0; i < words.length; i++) {
        gc_status status = gc_stream_memset(stream, buffer, words.word * sizeof(uint32_t), words.value, 4, 1);
        if (status != GRAPHCAP_SUCCESS)
            return status;
    }
    return GRAPHCAP_SUCCESS;
}

/* Returns whether it took a second try. */
static int launch_words(const gc_graph_cache *cache, const gc_stream *stream, const struct words *words) {
    if (succeeded(__LINE__, gc_graph_cache_launch(cache, words, sizeof *words, stream, NULL)))
        return 0;
    CHECK(succeeded(__LINE__, gc_graph_cache_launch(cache, words, sizeof *words, stream, NULL)));
    return 1;
}

/* Launches keys of two topologies, some of them again, through a cache that keeps as many as `max_bytes` allows. */
static void use_cache(const struct rig *rig, uint32_t flags, uint64_t max_bytes, unsigned *destroyed) {
    static const struct words keys[] = {{0, 7, 2}, {1, 8, 2}, {2, 9, 3}, {3, 5, 2}};
    static const unsigned order[] = {0, 1, 0, 2, 1, 3, 2, 0};
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_graph_cache_stats stats = GRAPHCAP_GRAPH_CACHE_STATS_INIT;
    gc_graph_cache *cache = NULL;
    unsigned again = 0;
    uint32_t found = 0;
    size_t i;
    options.flags = flags;
    options.max_bytes = max_bytes;
    options.record = record_words;
    options.user_data = destroyed;
    options.destroy = count_call;
    REQUIRE_OK(gc_graph_cache_create(rig->context, &options, &cache));
    for (i = 0; i < LENGTH_OF(order); i++)
        again += (unsigned)launch_words(cache, rig->stream, &keys[order[i]]);
    CHECK_OK(gc_graph_cache_get_stats(cache, &stats));
    /* A launch that failed counts as nothing, but for the exec that was made for it. */
    CHECK(stats.hits + stats.updates + stats.instantiations >= LENGTH_OF(order));
    CHECK(stats.hits + stats.updates + stats.instantiations <= LENGTH_OF(order) + 1 && again <= 1);
    CHECK(max_bytes == 0 ? stats.keys == LENGTH_OF(keys) : stats.bytes <= max_bytes && stats.evictions > 0);
    succeeded(__LINE__, gc_graph_cache_remove(cache, &keys[0], sizeof keys[0]));
    succeeded(__LINE__, gc_graph_cache_clear(cache));
    (void)launch_words(cache, rig->stream, &keys[0]);
    CHECK_OK(gc_graph_cache_destroy(cache));
    if (code != 0 && stand_in.failed() == NULL)
        return; /* it is still to come */
    for (i = 0; i < LENGTH_OF(keys); i++) {
        CHECK_OK(gc_stream_memcpy_dtoh(rig->stream, &found, buffer, keys[i].word * sizeof found, sizeof found));
        CHECK_OK(gc_stream_synchronize(rig->stream));
        CHECK(found == keys[i].value);
    }
}

/* The driver's `call`th call of those that caches make is to answer `answer`. Returns which function that was. */
static const char *run_program(const struct rig *rig, uint64_t call, int answer) {
    unsigned destroyed = 0;
    const char *failed;
    code = answer;
    has_failed = 0;
    stand_in.fail(call, answer);
    use_cache(rig, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0, &destroyed);
    /* Two keys of two nodes, by the model. */
    use_cache(rig, 0, 50000, &destroyed);
    failed = stand_in.failed();
    stand_in.fail(0, 0);
    CHECK(await_count(&destroyed, 2));
    return failed;
}

/* What caches made that is left in the driver. Of the streams one is the rig's, and another one may be that of graphcap's uploads. */
static long left_of_caches(void) {
    const long streams = stand_in.live(STAND_IN_STREAMS);
    return stand_in.live(STAND_IN_GRAPHS) + stand_in.live(STAND_IN_EXECS) + stand_in.live(STAND_IN_USER_OBJECTS) +
           (streams > 2 ? streams - 2 : 0);
}

static void fail_each_call_once(int answer) {
    struct rig rig;
    gc_buffer *words;
    const char *failed = "none";
    uint64_t call, handles;
    int rounds;
    rig_open(&rig);
    buffer = words = open_buffer(rig.context, 64);
    handles = gc_live_handles();
    run_program(&rig, 0, 0);
    for (call = 1; failed != NULL && check_failures == 0; call++) {
        failed = run_program(&rig, call, answer);
        for (rounds = 0; rounds < 20000 && left_of_caches() > 0; rounds++)
            pause_ms(1);
        CHECK(left_of_caches() == 0 && gc_live_handles() == handles);
        if (check_failures != 0)
            fprintf(stderr, "    that was call %llu, %s\n", (unsigned long long)call, failed != NULL ? failed : "none");
    }
    fprintf(stderr, "%llu calls failed\n", (unsigned long long)call - 2);
    CHECK(call > 100);
    CHECK_OK(gc_buffer_destroy(words));
    rig_close(&rig);
    expect_nothing_left("the end");
}

static void out_of_memory_with(const char *version) {
    use_stand_in(version);
    fail_each_call_once(GRAPHCAP_ERROR_OUT_OF_MEMORY);
}

static void unknown_error_with(const char *version) {
    use_stand_in(version);
    fail_each_call_once(999);
}

/* At once: each program waits for threads, not for the CPU. */
static void each_call_fails_once(void) {
    const pid_t old = start_child(out_of_memory_with, "12.0"), recent = start_child(unknown_error_with, "13.0");
    end_child(old, "12.0");
    end_child(recent, "13.0");
}

int main(void) {
    RUN(each_call_fails_once);
    return check_finish();
}
