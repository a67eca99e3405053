/* What the tests of pools share: objects that tell in which order they go. */
#ifndef GRAPHCAP_TEST_POOLS_H
#define GRAPHCAP_TEST_POOLS_H

#include "kernels.h"

enum { MOST_OBJECTS = 16 };

/* Who went, in that order. */
struct departures {
    pthread_mutex_t lock;
    unsigned count;
    unsigned numbers[MOST_OBJECTS];
};

struct object {
    struct departures *departures;
    unsigned number;
};

static inline void departures_init(struct departures *departures) {
    memset(departures, 0, sizeof *departures);
    pthread_mutex_init(&departures->lock, NULL);
}

static inline void departures_free(struct departures *departures) {
    pthread_mutex_destroy(&departures->lock);
}

static inline void object_goes(void *user_data) {
    const struct object *object = (const struct object *)user_data;
    struct departures *departures = object->departures;
    pthread_mutex_lock(&departures->lock);
    if (departures->count < MOST_OBJECTS)
        departures->numbers[departures->count] = object->number;
    __atomic_add_fetch(&departures->count, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&departures->lock);
}

/* Waits until `count` went, which are those of `numbers`. */
static inline int went(struct departures *departures, const unsigned *numbers, unsigned count) {
    return await_count(&departures->count, count) && memcmp(departures->numbers, numbers, count * sizeof *numbers) == 0;
}

static inline int variable_is(const char *name, const char *value) {
    const char *found = getenv(name);
    return found != NULL && strcmp(found, value) == 0;
}

/* Whether each block of a pool is an allocation of its own, as where memory is guarded. */
static inline int blocks_lie_apart(void) {
    const int guards_host = variable_is("GRAPHCAP_HOST_MEMORY", "guard") || variable_is("GRAPHCAP_CHECK_ACCESS", "1") ||
                            variable_is("GRAPHCAP_CHECK_ACCESS", "pages");
    return variable_is("GRAPHCAP_POOL_DIRECT", "1") || (on_cuda() ? variable_is("GRAPHCAP_CUDA_MEMORY", "guard") : guards_host);
}

static inline gc_pool *open_pool(const gc_context *context) {
    gc_pool *pool = NULL;
    REQUIRE_OK(gc_pool_create(context, NULL, &pool));
    return pool;
}

static inline size_t add_object(const gc_pool *pool, struct object *object, struct departures *departures,
                                unsigned number) {
    size_t index = 99;
    object->departures = departures;
    object->number = number;
    REQUIRE_OK(gc_pool_add_object(pool, object, object_goes, &index));
    return index;
}

static inline gc_buffer *allocate_from(const gc_pool *pool, size_t size) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_pool_allocate(pool, size, &buffer));
    return buffer;
}

static inline uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(buffer, &address));
    return address;
}

static inline size_t objects_in(const gc_pool *pool) {
    size_t count = 99;
    CHECK_OK(gc_pool_buffer_count(pool, &count));
    return count;
}

static inline uint64_t pool_number(const gc_pool *pool) {
    uint64_t id = 0;
    CHECK_OK(gc_pool_id(pool, &id));
    return id;
}

/* The number of the pool that an exec keeps; 0 for none. */
static inline uint64_t pool_of(const gc_graph_exec *exec) {
    gc_pool *pool = NULL;
    size_t count = 99;
    uint64_t id = 0;
    int32_t has_pool = -1;
    gc_status status = gc_graph_exec_pool(exec, &pool);
    CHECK_OK(gc_graph_exec_has_pool(exec, &has_pool));
    CHECK_OK(gc_graph_exec_pool_buffer_count(exec, &count));
    if (status == GRAPHCAP_ERROR_NOT_FOUND) {
        CHECK(has_pool == 0 && count == 0 && pool == NULL);
        return 0;
    }
    CHECK_OK(status);
    CHECK(has_pool == 1 && count == objects_in(pool));
    id = pool_number(pool);
    CHECK_OK(gc_pool_destroy(pool));
    return id;
}

/* A graph of a capture with the pool, which adds `number` to the first word of a buffer. */
static inline gc_graph *capture_add(const struct rig *rig, const gc_pool *pool, const gc_buffer *buffer,
                                    uint32_t number) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_OK(launch_add(rig, rig->stream, buffer, 0, number, 1));
    REQUIRE_OK(gc_stream_end_capture(rig->stream, &graph));
    return graph;
}

/* The exec of such a graph, which is destroyed. */
static inline gc_graph_exec *capture_exec(const struct rig *rig, const gc_pool *pool, const gc_buffer *buffer,
                                          uint32_t number) {
    gc_graph *graph = capture_add(rig, pool, buffer, number);
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    return exec;
}

#endif
