/* What the tests of gc_graph_cache share: shapes as keys, and functions that record their work. */
#ifndef GRAPHCAP_TESTS_CACHE_H
#define GRAPHCAP_TESTS_CACHE_H

#include "nodes.h"

/* A key: adds the value to a word of a buffer, as often as the length says. */
struct shape {
    uint32_t word, value, length;
};

static inline struct shape shape_of(uint32_t word, uint32_t value, uint32_t length) {
    struct shape shape;
    shape.word = word;
    shape.value = value;
    shape.length = length;
    return shape;
}

struct recorder;
typedef gc_status recording(struct recorder *recorder, const gc_stream *stream);

/* What a cache calls. */
struct recorder {
    const struct rig *rig;
    const gc_buffer *buffer;
    /* What is done by a call. */
    recording *record;
    /* Of the call that goes on. */
    struct shape shape;
    void *launch_data;
    gc_graph_cache *cache;
    unsigned calls, destroyed;
    /* The priority of kernels, and whether there is an allocation. */
    int32_t priority;
    int allocates;
    /* For single tests. */
    gc_status answer;
    const gc_stream *seen;
    gc_stream *kept[1];
};

/* Records the work of a shape; for a key that is none one memset. */
static inline gc_status record_shape(struct recorder *recorder, const gc_stream *stream) {
    const struct shape *shape = &recorder->shape;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 64);
    gc_launch_attribute attribute;
    uint64_t count = 1;
    uint32_t i;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(recorder->buffer, shape->word * sizeof(uint32_t)),
                                 GRAPHCAP_ARG_INIT_VALUE(shape->value), GRAPHCAP_ARG_INIT_VALUE(count)};
    if (recorder->allocates) {
        gc_graph *graph = NULL;
        gc_buffer *scratch = NULL;
        gc_node allocated = 0, freed = 0;
        CHECK_OK(gc_stream_capture_graph(stream, &graph));
        CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &allocated, &scratch));
        CHECK_OK(gc_graph_add_mem_free_node(graph, &allocated, 1, scratch, &freed));
        CHECK_OK(gc_buffer_destroy(scratch));
        CHECK_OK(gc_graph_destroy(graph));
    }
    if (shape->length == 0)
        return gc_stream_memset(stream, recorder->buffer, 60 * sizeof(uint32_t), 1, 4, 1);
    if (recorder->priority != 0) {
        gc_launch_attribute_init_number(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, recorder->priority);
        config.attributes = &attribute;
        config.attribute_count = 1;
    }
    for (i = 0; i < shape->length; i++) {
        gc_status status = gc_stream_launch_kernel(stream, recorder->rig->add, &config, arguments, LENGTH_OF(arguments));
        if (status != GRAPHCAP_SUCCESS)
            return status;
    }
    return GRAPHCAP_SUCCESS;
}

static inline gc_status recorder_called(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                                        void *launch_data) {
    struct recorder *recorder = (struct recorder *)user_data;
    memset(&recorder->shape, 0, sizeof recorder->shape);
    if (key_size == sizeof recorder->shape)
        memcpy(&recorder->shape, key, key_size);
    recorder->calls++;
    recorder->launch_data = launch_data;
    return recorder->record(recorder, stream);
}

static inline void recorder_destroyed(void *user_data) {
    count_call(&((struct recorder *)user_data)->destroyed);
}

static inline struct recorder open_recorder(const struct rig *rig, const gc_buffer *buffer) {
    struct recorder recorder;
    memset(&recorder, 0, sizeof recorder);
    recorder.rig = rig;
    recorder.buffer = buffer;
    recorder.record = record_shape;
    return recorder;
}

/* The recorder lives as long as the cache. */
static inline gc_graph_cache *open_cache(struct recorder *recorder, uint32_t flags, uint64_t max_bytes) {
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    options.flags = flags;
    options.max_bytes = max_bytes;
    options.record = recorder_called;
    options.user_data = recorder;
    options.destroy = recorder_destroyed;
    REQUIRE_OK(gc_graph_cache_create(recorder->rig->context, &options, &recorder->cache));
    return recorder->cache;
}

/* Launches a shape on the rig's stream, and checks that its work was done. */
static inline void launch_shape(const gc_graph_cache *cache, struct shape shape, struct recorder *recorder) {
    const gc_stream *stream = recorder->rig->stream;
    CHECK_OK(gc_stream_memset(stream, recorder->buffer, shape.word * sizeof(uint32_t), 0, 4, 1));
    CHECK_OK(gc_graph_cache_launch(cache, &shape, sizeof shape, stream, recorder));
    CHECK(read_u32(stream, recorder->buffer, shape.word) == shape.value * shape.length);
}

static inline gc_graph_cache_stats stats_of(const gc_graph_cache *cache) {
    gc_graph_cache_stats stats = GRAPHCAP_GRAPH_CACHE_STATS_INIT;
    CHECK_OK(gc_graph_cache_get_stats(cache, &stats));
    return stats;
}

#endif
