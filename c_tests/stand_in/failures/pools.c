/* Each call of the driver fails once: pools, their memory on two devices, and graphs of captures with a pool. */
#include "failures.h"

#include <graphcap_allocators.h>

enum { OBJECTS = 3 };

/* What this program has beside what all have. */
static struct {
    gc_pool *pool, *found;
    gc_buffer *small, *large, *wrapped;
    gc_graph *other;
    uint64_t number;
    gc_pool *shared;
    gc_graph_exec *turns[2];
} pools;

static void make_pool(struct program *it) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    uint64_t address = 0;
    unsigned i;
    size_t index;
    memset(&pools, 0, sizeof pools);
    options.capacity = (size_t)64 << 20;
    make_objects(it);
    make_elsewhere(it);
    STEP(gc_pool_create(it->context, &options, &pools.pool));
    STEP(gc_buffer_address(it->copy, &address));
    if (address != 0) {
        it->given++;
        STEP(gc_buffer_wrap(it->context, (void *)(uintptr_t)address, 4, it, be_destroyed, &pools.wrapped));
    }
    for (i = 0; i < OBJECTS; i++) {
        it->given++;
        STEP(gc_pool_add_object(pools.pool, it, be_destroyed, &index));
    }
    STEP(gc_pool_add_buffer(pools.pool, pools.wrapped, &index));
    STEP(gc_pool_handle_new(pools.pool, &pools.number));
}

/* A launch of the kernel "add" with the first word of a buffer. */
static void launch_on(const struct program *it, const gc_buffer *buffer) {
    uint32_t number = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(number),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    STEP(gc_stream_launch_kernel(it->stream, it->add, &config, arguments, 3));
}

static void use_memory(struct program *it) {
    gc_buffer *again = NULL;
    STEP(gc_pool_allocate(pools.pool, 1024, &pools.small));
    /* The pool is lent to the other device, with what is mapped behind its addresses, and grows afterwards. */
    STEP(gc_stream_memset(it->stream, pools.small, 0, 0, 4, 256));
    STEP(gc_stream_synchronize(it->stream));
    STEP(gc_context_memcpy_peer(it->elsewhere, it->lent, 0, pools.small, 0, 64));
    STEP(gc_pool_allocate(pools.pool, (size_t)5 << 20, &pools.large));
    STEP(gc_stream_memset(it->stream, pools.large, 0, 0, 4, (5 << 20) / 4));
    STEP(gc_stream_write_value32(it->stream, pools.small, 4, 7, 0));
    STEP(gc_pool_allocate(pools.pool, 4096, &again));
    CHECK_OK(gc_buffer_destroy(again));
    STEP(gc_pool_allocate(pools.pool, (size_t)3 << 20, &again));
    CHECK_OK(gc_buffer_destroy(again));
    STEP(gc_pool_trim(pools.pool));
}

/* Memory that the capture frees and uses again. What is allocated and not used goes back at once. */
static void use_memory_again(struct program *it) {
    const size_t size = (size_t)2 << 20;
    gc_buffer *scratch[2] = {NULL, NULL};
    STEP(gc_pool_allocate_on_stream(pools.pool, it->stream, size, &scratch[0]));
    STEP(gc_stream_memset(it->stream, scratch[0], 0, 9, 4, 64));
    if (scratch[0] != NULL)
        CHECK_OK(gc_buffer_destroy_on_stream(scratch[0], it->stream));
    STEP(gc_pool_allocate_on_stream(pools.pool, it->stream, size, &scratch[1]));
    STEP(gc_stream_memset(it->stream, scratch[1], 0, 8, 4, 64));
    CHECK_OK(gc_buffer_destroy(scratch[1]));
}

static void capture_and_replay(struct program *it) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    STEP(gc_stream_begin_capture_with_pool(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pools.pool));
    launch_on(it, pools.small);
    STEP(gc_stream_memcpy_dtod(it->stream, pools.large, 0, pools.small, 0, 4));
    use_memory_again(it);
    STEP(gc_stream_end_capture(it->stream, &it->graph));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    launch_on(it, pools.small);
    STEP(gc_stream_end_capture_with_pool(it->stream, pools.pool, &pools.other));
    STEP(gc_graph_instantiate(it->graph, &options, &it->exec));
    STEP(gc_graph_exec_pool(it->exec, &pools.found));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_stream_memcpy_dtoh(it->stream, it->words, pools.large, 0, 4));
    STEP(gc_stream_synchronize(it->stream));
}

/* Graphs that share memory, launched on two streams: each waits for an event behind the other. */
static void share(struct program *it) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    unsigned i;
    options.flags = GRAPHCAP_POOL_SHARED;
    options.capacity = (size_t)64 << 20;
    STEP(gc_pool_create(it->context, &options, &pools.shared));
    for (i = 0; i < 2; i++) {
        gc_graph *graph = NULL;
        gc_buffer *block = NULL;
        STEP(gc_stream_begin_capture_with_pool(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pools.shared));
        STEP(gc_pool_allocate(pools.shared, (size_t)(i + 1) << 20, &block));
        STEP(gc_stream_memset(it->stream, block, 0, 0, 4, 64));
        CHECK_OK(gc_buffer_destroy(block));
        STEP(gc_stream_end_capture(it->stream, &graph));
        STEP(gc_graph_instantiate(graph, NULL, &pools.turns[i]));
        CHECK_OK(gc_graph_destroy(graph));
    }
    STEP(gc_graph_launch(pools.turns[0], it->stream));
    STEP(gc_graph_launch(pools.turns[1], it->side));
    STEP(gc_graph_launch(pools.turns[1], it->side));
    STEP(gc_graph_launch(pools.turns[0], it->stream));
    STEP(gc_stream_synchronize(it->stream));
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_graph_exec_destroy(pools.turns[i]));
    CHECK_OK(gc_pool_destroy(pools.shared));
}

/* What others allocate: eagerly, used by two streams, and in a capture. A refusal is NULL, and a free tells nobody. */
static void allocate_for_others(struct program *it) {
    void *native = NULL, *side = NULL, *block;
    gc_graph *graph = NULL;
    STEP(gc_stream_native(it->stream, &native));
    STEP(gc_stream_native(it->side, &side));
    if (native == NULL || side == NULL)
        return;
    STEP(gc_pool_bind(pools.pool, 0));
    block = gc_pool_torch_allocate(4096, 0, native);
    CHECK(block != NULL || code != 0);
    gc_pool_torch_record_stream(block, side);
    gc_pool_torch_free(block, 4096, 0, native);
    block = gc_pool_rmm_allocate(4096, native, pools.pool);
    gc_pool_rmm_free(block, 4096, native, pools.pool);
    STEP(gc_stream_begin_capture_with_pool(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pools.pool));
    block = gc_pool_torch_allocate(4096, 0, native);
    gc_pool_torch_free(block, 4096, 0, native);
    STEP(gc_stream_end_capture(it->stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_pool_unbind(0));
}

static void use_pools(struct program *it) {
    make_pool(it);
    use_memory(it);
    capture_and_replay(it);
    share(it);
    allocate_for_others(it);
    if (code == 0)
        CHECK(it->words[0] == 1);
    CHECK(gc_pool_handle_release(pools.number) == (pools.number != 0 ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_NOT_FOUND));
    CHECK_OK(gc_pool_destroy(pools.pool));
    CHECK_OK(gc_pool_destroy(pools.found));
    CHECK_OK(gc_graph_destroy(pools.other));
    CHECK_OK(gc_buffer_destroy(pools.wrapped));
    CHECK_OK(gc_buffer_destroy(pools.small));
    CHECK_OK(gc_buffer_destroy(pools.large));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    CHECK_OK(gc_graph_destroy(it->graph));
    it->exec = NULL;
    it->graph = NULL;
    /* A block of others that a stream used of which nothing could be learned goes back behind a wait for all work. */
    STEP(gc_context_synchronize(it->context));
    give_back(it);
    await_destroys(it);
}

int main(void) {
    static const struct subject subject = {NULL, use_pools, NULL, 40, 40};
    return fail_calls_of(&subject);
}
