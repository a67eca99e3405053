/* GRAPHCAP_CHECK=1: a hit of a cache is refused where the recording function gives other work than at first, memory that is gone is
   refused, and what gc_graph_check() finds is logged when an exec comes to do the work of a graph. */
#include "kernels.h"

enum { BYTES = 16 };

/* What a launch has recorded. */
struct request {
    const void *host;
    const gc_buffer *buffer;
    uint32_t value;
    uint32_t calls;
    gc_status status;
    size_t allocates;
};

static struct rig rig;
static gc_buffer *buffers[2];
static gc_graph_cache *cache;

/* Memory that nodes of the graph allocate and free. */
static void allocate(const gc_stream *stream, size_t bytes) {
    gc_graph *graph = NULL;
    gc_buffer *scratch = NULL;
    gc_node allocated = 0, freed = 0;
    CHECK_OK(gc_stream_capture_graph(stream, &graph));
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, bytes, &allocated, &scratch));
    CHECK_OK(gc_graph_add_mem_free_node(graph, &allocated, 1, scratch, &freed));
    CHECK_OK(gc_buffer_destroy(scratch));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_status record(const gc_stream *stream, const void *key, size_t size, void *data, void *launch_data) {
    struct request *request = (struct request *)launch_data;
    gc_status status = request->status;
    (void)key, (void)size, (void)data;
    request->calls++;
    if (request->allocates > 0)
        allocate(stream, request->allocates);
    if (status == GRAPHCAP_SUCCESS && request->host != NULL)
        status = gc_stream_memcpy_htod(stream, request->buffer, 0, request->host, BYTES);
    if (status == GRAPHCAP_SUCCESS)
        status = launch_add(&rig, stream, request->buffer, 0, request->value, 1);
    if (status == GRAPHCAP_SUCCESS)
        CHECK_STATUS(gc_graph_cache_launch(cache, "other", 5, rig.stream, launch_data), GRAPHCAP_ERROR_BUSY);
    return status;
}

static void make_cache(uint32_t flags) {
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    options.flags = flags;
    options.record = record;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &options, &cache));
}

static uint32_t word(const gc_buffer *buffer) {
    uint32_t got = UINT32_MAX;
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &got, buffer, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return got;
}

static void changed_work_is_refused(uint32_t flags) {
    uint32_t first[BYTES / 4] = {5}, second[BYTES / 4] = {7};
    struct request request = {NULL, NULL, 1, 0, GRAPHCAP_SUCCESS, 0};
    gc_graph_cache_stats stats = GRAPHCAP_GRAPH_CACHE_STATS_INIT;
    make_cache(flags);
    request.host = first;
    request.buffer = buffers[0];
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request));
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request));
    CHECK(request.calls == 2 && word(buffers[0]) == 6);
    /* The address of plain host memory. */
    request.host = second;
    CHECK_MESSAGE(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_CHECK=1");
    CHECK_MESSAGE(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request), GRAPHCAP_ERROR_INVALID_VALUE, "node 0");
    CHECK(word(buffers[0]) == 6);
    /* A buffer, a value, and the number of nodes. */
    request.host = first;
    request.buffer = buffers[1];
    CHECK_STATUS(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request), GRAPHCAP_ERROR_INVALID_VALUE);
    request.buffer = buffers[0];
    request.value = 2;
    CHECK_STATUS(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request), GRAPHCAP_ERROR_INVALID_VALUE);
    request.value = 1;
    request.host = NULL;
    CHECK_STATUS(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request), GRAPHCAP_ERROR_INVALID_VALUE);
    /* Another key is other work, and the key goes on with what it had. */
    request.host = second;
    CHECK_OK(gc_graph_cache_launch(cache, "b", 1, rig.stream, &request));
    CHECK(word(buffers[0]) == 8);
    request.host = first;
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request));
    CHECK(word(buffers[0]) == 6);
    /* A function that fails fails the launch. */
    request.status = GRAPHCAP_ERROR_NOT_FOUND;
    CHECK_STATUS(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request), GRAPHCAP_ERROR_NOT_FOUND);
    request.status = GRAPHCAP_SUCCESS;
    /* Memory of nodes lies elsewhere each time. */
    request.allocates = 64;
    CHECK_OK(gc_graph_cache_launch(cache, "c", 1, rig.stream, &request));
    CHECK_OK(gc_graph_cache_launch(cache, "c", 1, rig.stream, &request));
    request.allocates = 128;
    CHECK_STATUS(gc_graph_cache_launch(cache, "c", 1, rig.stream, &request), GRAPHCAP_ERROR_INVALID_VALUE);
    request.allocates = 0;
    /* What the cache has is recorded anew when it was removed. */
    request.host = second;
    CHECK_OK(gc_graph_cache_remove(cache, "a", 1));
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, &request));
    CHECK(word(buffers[0]) == 8);
    CHECK_OK(gc_graph_cache_get_stats(cache, &stats));
    CHECK(stats.keys == 3 && stats.recordings == 4);
    CHECK_OK(gc_graph_cache_destroy(cache));
    cache = NULL;
}

/* All captures note memory: what a buffer's address alone names is refused when the buffer is gone. */
static void memory_that_is_gone_is_refused(void) {
    gc_buffer *buffer = open_buffer(rig.context, 1 << 20);
    uint64_t address = 0, words = 1;
    uint32_t value = 1;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(words)};
        CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.add, &config, arguments, 3));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_exec_check(exec, NULL));
    CHECK_OK(gc_buffer_destroy(buffer));
    if (!on_cuda()) {
        /* NVIDIA's driver may keep the memory in its pool. */
        CHECK_MESSAGE(gc_graph_exec_check(exec, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "parameter 0");
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

struct taken {
    unsigned count;
    char text[1024];
};

static void take(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns, uint64_t dropped,
                 void *user_data) {
    struct taken *taken = (struct taken *)user_data;
    (void)thread, (void)time_ns, (void)dropped;
    CHECK(level == GRAPHCAP_LOG_LEVEL_WARNING && subject == GRAPHCAP_LOG_EXEC);
    snprintf(taken->text, sizeof taken->text, "%s", text);
    taken->count++;
}

/* Two memsets of one buffer that nothing orders. */
static void add_unordered(const gc_graph *graph) {
    gc_node node = 0;
    uint32_t value;
    for (value = 0; value < 2; value++) {
        const gc_memset_params params = GRAPHCAP_MEMSET_INIT(buffers[0], 0, value, 4, BYTES / 4, 1, 0);
        CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &params, &node));
    }
}

/* The same of the capture that the stream is in. */
static void record_unordered(const gc_stream *stream) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_capture_graph(stream, &graph));
    add_unordered(graph);
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_status record_into_cache(const gc_stream *stream, const void *key, size_t size, void *data, void *launch_data) {
    (void)key, (void)size, (void)data, (void)launch_data;
    record_unordered(stream);
    return GRAPHCAP_SUCCESS;
}

static void is_told_once(struct taken *taken) {
    CHECK(taken->count == 1 && strstr(taken->text, "GRAPHCAP_CHECK=1: error: node ") != NULL);
    CHECK(strstr(taken->text, "run in any order") != NULL);
    memset(taken, 0, sizeof *taken);
}

static void findings_are_logged(void) {
    struct taken taken = {0, ""};
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_actor *actor = NULL;
    gc_future *future = NULL;
    int32_t round;
    CHECK_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_WARNING, GRAPHCAP_LOG_EXEC, take, &taken, NULL));
    for (round = 0; round < 2; round++) {
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        record_unordered(rig.stream);
        if (round == 0) {
            REQUIRE_OK(gc_stream_end_capture_exec(rig.stream, NULL, &exec));
        } else {
            REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
            CHECK(taken.count == 0);
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        }
        is_told_once(&taken);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    REQUIRE_OK(gc_actor_create(rig.context, NULL, &actor));
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &future));
    CHECK_OK(gc_future_wait(future, UINT64_MAX, NULL));
    /* What its thread says is delivered by the next call. */
    CHECK_OK(gc_future_destroy(future));
    is_told_once(&taken);
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_graph_destroy(graph));
    options.record = record_into_cache;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &options, &cache));
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
    is_told_once(&taken);
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
    CHECK(taken.count == 0);
    CHECK_OK(gc_graph_cache_destroy(cache));
    options.flags = GRAPHCAP_GRAPH_CACHE_SHARE_EXECS;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &options, &cache));
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
    is_told_once(&taken);
    CHECK_OK(gc_graph_cache_launch(cache, "b", 1, rig.stream, NULL));
    is_told_once(&taken);
    CHECK_OK(gc_graph_cache_destroy(cache));
    cache = NULL;
    CHECK_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, NULL, NULL, NULL));
}

/* A graph that an exec takes over is looked at, and one that it has is not again. */
static void findings_of_updates_are_logged(void) {
    struct taken taken = {0, ""};
    gc_graph *graphs[2] = {NULL, NULL};
    gc_graph_exec *exec = NULL;
    size_t i;
    CHECK_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_WARNING, GRAPHCAP_LOG_EXEC, take, &taken, NULL));
    for (i = 0; i < 2; i++) {
        REQUIRE_OK(gc_graph_create(rig.context, &graphs[i]));
        add_unordered(graphs[i]);
    }
    REQUIRE_OK(gc_graph_instantiate(graphs[0], NULL, &exec));
    is_told_once(&taken);
    CHECK_OK(gc_graph_exec_apply(exec, graphs[0], NULL, NULL));
    CHECK_OK(gc_graph_exec_update(exec, graphs[1], GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    CHECK(taken.count == 0);
    CHECK_OK(gc_graph_exec_update(exec, graphs[1], 0, NULL));
    is_told_once(&taken);
    CHECK_OK(gc_graph_exec_apply(exec, graphs[0], NULL, NULL));
    is_told_once(&taken);
    CHECK_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, NULL, NULL, NULL));
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_graph_destroy(graphs[i]));
}

int main(void) {
    size_t i;
    CHECK(setenv("GRAPHCAP_CHECK", "1", 1) == 0);
    rig_open(&rig);
    for (i = 0; i < 2; i++)
        REQUIRE_OK(gc_buffer_allocate(rig.context, BYTES, &buffers[i]));
    changed_work_is_refused(0);
    changed_work_is_refused(GRAPHCAP_GRAPH_CACHE_SHARE_EXECS);
    memory_that_is_gone_is_refused();
    findings_are_logged();
    findings_of_updates_are_logged();
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    rig_close(&rig);
    return check_finish();
}
