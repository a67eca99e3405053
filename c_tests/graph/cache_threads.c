/* gc_graph_cache with several threads, and with launches that are queued while keys leave and execs are updated. */
#include "cache.h"

static struct rig rig;
static gc_buffer *buffer;
static struct gate gate;

/* ---- Recordings that others wait for ---- */

static gc_status records_behind_the_gate(struct recorder *recorder, const gc_stream *stream) {
    gc_status status = recorder->answer;
    /* Only the first one. */
    recorder->record = record_shape;
    recorder->answer = GRAPHCAP_SUCCESS;
    gate_hold(&gate);
    CHECK_OK(record_shape(recorder, stream));
    return status;
}

struct launcher {
    const gc_graph_cache *cache;
    const char *key;
    gc_status status;
    unsigned done;
};

static void *launch_key(void *argument) {
    struct launcher *launcher = (struct launcher *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    launcher->status = gc_graph_cache_launch(launcher->cache, launcher->key, 1, stream, NULL);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    count_call(&launcher->done);
    return NULL;
}

/* Whether the first recording succeeds or fails, the thread that waits gets its launch. */
static void a_thread_waits_for_the_recording_of_another_one(void) {
    static const gc_status answers[] = {GRAPHCAP_SUCCESS, GRAPHCAP_ERROR_NOT_FOUND};
    size_t i;
    for (i = 0; i < LENGTH_OF(answers); i++) {
        struct recorder recorder = open_recorder(&rig, buffer);
        gc_graph_cache *cache = open_cache(&recorder, 0, 0);
        struct launcher first = {cache, "a", 0, 0}, second = {cache, "a", 0, 0}, other = {cache, "b", 0, 0};
        pthread_t threads[2];
        gate_init(&gate);
        recorder.record = records_behind_the_gate;
        recorder.answer = answers[i];
        REQUIRE_OK(pthread_create(&threads[0], NULL, launch_key, &first));
        gate_await(&gate, 1);
        REQUIRE_OK(pthread_create(&threads[1], NULL, launch_key, &second));
        /* Another key is recorded meanwhile. */
        on_another_thread(launch_key, &other);
        CHECK(other.status == GRAPHCAP_SUCCESS && stats_of(cache).keys == 1);
        pause_ms(10);
        CHECK(count_of(&second.done) == 0);
        gate_open(&gate);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        CHECK(first.status == answers[i] && second.status == GRAPHCAP_SUCCESS);
        CHECK(recorder.calls == 2 + i && stats_of(cache).keys == 2);
        CHECK_OK(gc_graph_cache_destroy(cache));
        gate_free(&gate);
    }
}

/* The launch that records goes on, and so does one that waits for it. */
static void a_cache_is_destroyed_while_threads_launch(void) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache *cache = open_cache(&recorder, GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0);
    struct launcher launchers[2] = {{cache, "a", 1, 0}, {cache, "a", 1, 0}};
    pthread_t threads[2];
    gate_init(&gate);
    recorder.record = records_behind_the_gate;
    REQUIRE_OK(pthread_create(&threads[0], NULL, launch_key, &launchers[0]));
    gate_await(&gate, 1);
    REQUIRE_OK(pthread_create(&threads[1], NULL, launch_key, &launchers[1]));
    pause_ms(10);
    CHECK_OK(gc_graph_cache_destroy(cache));
    CHECK(count_of(&recorder.destroyed) == 0);
    gate_open(&gate);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    CHECK(launchers[0].status == GRAPHCAP_SUCCESS && launchers[1].status == GRAPHCAP_SUCCESS);
    CHECK(recorder.calls == 1 && await_count(&recorder.destroyed, 1));
    gate_free(&gate);
}

/* ---- Threads that launch ---- */

enum { THREADS = 8, WORDS = 8, ROUNDS = 60 };

struct worker {
    gc_graph_cache *cache;
    uint32_t number;
    int forgets;
};

/* The recorder's shape is of one thread: this one records what the key says. */
static gc_status record_of_key(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                               void *launch_data) {
    struct recorder own = *(const struct recorder *)user_data;
    (void)launch_data;
    memcpy(&own.shape, key, key_size);
    return record_shape(&own, stream);
}

/* Each thread has words of its own, and keys like those of the others. */
static void *work(void *argument) {
    const struct worker *worker = (const struct worker *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned round, wrong = 0;
    for (round = 0; round < soak(ROUNDS, 5000); round++) {
        struct shape shape = shape_of(worker->number * WORDS + round * 3 % WORDS, 1 + round % 4, 1 + round % 2);
        CHECK_OK(gc_stream_memset(stream, buffer, shape.word * sizeof(uint32_t), 0, 4, 1));
        CHECK_OK(gc_graph_cache_launch(worker->cache, &shape, sizeof shape, stream, NULL));
        wrong += read_u32(stream, buffer, shape.word) != shape.value * shape.length;
        if (worker->forgets && round % 16 == worker->number)
            CHECK_OK(gc_graph_cache_clear(worker->cache));
        if (worker->forgets && round % 7 == worker->number)
            CHECK_OK(gc_graph_cache_remove(worker->cache, &shape, sizeof shape));
    }
    CHECK(wrong == 0);
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_launch(uint32_t flags, uint64_t max_bytes, int forgets) {
    struct recorder recorder = open_recorder(&rig, buffer);
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_graph_cache *cache = NULL;
    gc_graph_cache_stats stats;
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    uint32_t i;
    options.flags = flags;
    options.max_bytes = max_bytes;
    options.record = record_of_key;
    options.user_data = &recorder;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &options, &cache));
    for (i = 0; i < THREADS; i++) {
        workers[i].cache = cache;
        workers[i].number = i;
        workers[i].forgets = forgets;
        REQUIRE_OK(pthread_create(&threads[i], NULL, work, &workers[i]));
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    stats = stats_of(cache);
    CHECK(stats.hits + stats.updates + stats.instantiations == THREADS * soak(ROUNDS, 5000));
    CHECK(forgets || stats.recordings == stats.keys + stats.evictions);
    CHECK(max_bytes == 0 || stats.bytes <= max_bytes);
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static void threads_get_the_work_of_their_keys(void) {
    threads_launch(0, 0, 0);
    threads_launch(GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 0, 0);
    threads_launch(0, 100000, 0);
    threads_launch(GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, 100000, 1);
}

/* ---- Queued launches ---- */

enum { KEYS = 4 };

/* Launches all keys behind the gate, has `leave` drop them, and opens it. What is recorded beforehand needs no instantiation
 * behind held work, for which the driver may wait. */
static void queue(uint32_t flags, void (*leave)(gc_graph_cache *cache)) {
    gc_buffer *own = open_buffer(rig.context, 64 * sizeof(uint32_t));
    struct recorder recorder = open_recorder(&rig, own);
    gc_graph_cache *cache = open_cache(&recorder, flags, 0);
    uint32_t found[KEYS], i;
    for (i = 0; i < KEYS; i++)
        launch_shape(cache, shape_of(i, 10 + i, 1), &recorder);
    CHECK_OK(gc_stream_memset(rig.stream, own, 0, 0, 4, KEYS));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    gate_await(&gate, 1);
    for (i = 0; i < KEYS; i++) {
        struct shape shape = shape_of(i, 10 + i, 1);
        CHECK_OK(gc_graph_cache_launch(cache, &shape, sizeof shape, rig.stream, NULL));
    }
    leave(cache);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, found, own, 0, sizeof found));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < KEYS; i++)
        CHECK(found[i] == 10 + i);
    CHECK(recorder.calls == KEYS);
    CHECK_OK(gc_buffer_destroy(own));
    gate_free(&gate);
}

static void destroy_cache(gc_graph_cache *cache) {
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static void clear_cache(gc_graph_cache *cache) {
    CHECK_OK(gc_graph_cache_clear(cache));
    CHECK(stats_of(cache).keys == 0);
    CHECK_OK(gc_graph_cache_destroy(cache));
}

static void queued_launches_do_their_work(void) {
    queue(0, destroy_cache);
    queue(0, clear_cache);
    queue(GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, destroy_cache);
    queue(GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, clear_cache);
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64 * sizeof(uint32_t));
    RUN(a_thread_waits_for_the_recording_of_another_one);
    RUN(a_cache_is_destroyed_while_threads_launch);
    RUN(threads_get_the_work_of_their_keys);
    RUN(queued_launches_do_their_work);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
