/* Memory of pools for the allocators of others, called as PyTorch and RMM call it: by addresses and by the driver's streams. */
#include "../support/pools.h"
#include "kernels.h"

#include <graphcap_allocators.h>

enum { BYTES = 1 << 16, DEVICE = 0 };

static struct rig rig;
static gc_pool *pool;

/* Two streams of the driver's: of the device that has none, numbers. */
static void *first, *second;

static void *allocate(size_t size, void *stream) {
    void *address = gc_pool_torch_allocate((ptrdiff_t)size, DEVICE, stream);
    CHECK(address != NULL && (uintptr_t)address % 256 == 0);
    return address;
}

static void expect_told(const char *part) {
    char text[512] = "";
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    CHECK(check_contains(text, part));
}

static void without_a_pool_nothing_is_allocated(void) {
    CHECK(gc_pool_torch_allocate(64, DEVICE, first) == NULL);
    expect_told("gc_pool_bind");
    CHECK_STATUS(gc_pool_bind(pool, -1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_pool_bind(pool, DEVICE + 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_pool_bind(pool, DEVICE));
    CHECK(gc_pool_torch_allocate(-1, DEVICE, first) == NULL);
    expect_told("size");
    CHECK(gc_pool_torch_allocate(64, -1, first) == NULL);
    expect_told("device");
    CHECK(gc_pool_torch_allocate(64, DEVICE + 1, first) == NULL);
    expect_told("gc_pool_bind");
    CHECK(gc_pool_torch_allocate(0, DEVICE, first) == NULL);
    CHECK(gc_pool_rmm_allocate(64, first, NULL) == NULL);
    expect_told("user_data");
}

/* Memory of blocks that lie apart is not used again, so that a touch of what was freed is found. */
static void a_stream_uses_again_what_was_freed_on_it(void) {
    void *block = allocate(BYTES, first), *other, *again;
    gc_pool_torch_free(block, BYTES, DEVICE, first);
    other = allocate(BYTES, second);
    CHECK(other != block);
    again = allocate(BYTES, first);
    CHECK((again == block) == !blocks_lie_apart());
    gc_pool_torch_free(again, BYTES, DEVICE, first);
    gc_pool_torch_free(other, BYTES, DEVICE, second);
    block = gc_pool_rmm_allocate(BYTES, second, pool);
    CHECK((block == other) == !blocks_lie_apart());
    gc_pool_rmm_free(block, BYTES, second, pool);
}

/* The stream waits for the work of those that were named. */
static void what_another_stream_uses_is_used_again_behind_it(void) {
    void *block = allocate(4 * BYTES, first), *again;
    NOT_ON_HOST("streams of others are a driver's");
    gc_pool_torch_record_stream(block, second);
    gc_pool_torch_free(block, 4 * BYTES, DEVICE, first);
    again = allocate(4 * BYTES, first);
    CHECK((again == block) == !blocks_lie_apart());
    gc_pool_torch_free(again, 4 * BYTES, DEVICE, first);
}

static void what_is_no_block_is_left_alone(void) {
    int here;
    void *block = allocate(64, first);
    gc_pool_torch_free(NULL, 64, DEVICE, first);
    gc_pool_torch_free(&here, 64, DEVICE, first);
    expect_told("no block of a pool");
    gc_pool_torch_record_stream(&here, first);
    expect_told("no block of a pool");
    gc_pool_torch_free((char *)block + 1, 64, DEVICE, first);
    expect_told("no block of a pool");
    gc_pool_torch_free(block, 64, DEVICE, first);
    gc_pool_torch_free(block, 64, DEVICE, first);
    expect_told("no block of a pool");
    CHECK_OK(gc_pool_seal(pool));
    CHECK(gc_pool_torch_allocate(64, DEVICE, first) == NULL);
    expect_told("sealed");
    CHECK_OK(gc_pool_unseal(pool));
}

/* A capture that was begun with a pool allocates from that one, uses its own blocks again, and its graph keeps them. */
static void a_capture_has_its_pool(void) {
    gc_pool *of_capture = NULL;
    gc_stream *stream = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    void *kept, *freed, *again;
    const size_t apart = (size_t)blocks_lie_apart();
    size_t bound_bytes;
    NOT_ON_HOST("streams of others are a driver's");
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    bound_bytes = memory.used_bytes;
    REQUIRE_OK(gc_pool_create(rig.context, NULL, &of_capture));
    REQUIRE_OK(gc_stream_wrap(rig.context, first, &stream));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, of_capture));
    kept = allocate(BYTES, first);
    freed = allocate(BYTES, first);
    gc_pool_torch_free(freed, BYTES, DEVICE, first);
    again = allocate(BYTES, first);
    CHECK((again == freed) == !apart);
    gc_pool_torch_free(again, BYTES, DEVICE, first);
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_pool_get_memory(of_capture, &memory));
    CHECK(memory.used_bytes == (2 + apart) * BYTES);
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes == bound_bytes);
    gc_pool_torch_free(kept, BYTES, DEVICE, first);
    kept = gc_pool_rmm_allocate(BYTES, first, of_capture);
    CHECK(kept != NULL && kept != freed);
    CHECK_OK(gc_pool_get_memory(of_capture, &memory));
    CHECK(memory.used_bytes == (3 + apart) * BYTES);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_pool_destroy(of_capture));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(stream));
}

/* A replay works on such memory also when it was freed in the capture. */
static void a_replay_works_on_what_was_freed(void) {
    gc_stream *stream = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    uint32_t words[4] = {0};
    gc_buffer *read = NULL;
    void *block;
    NOT_ON_HOST("streams of others are a driver's");
    REQUIRE_OK(gc_stream_wrap(rig.context, first, &stream));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    block = allocate(sizeof words, first);
    REQUIRE_OK(gc_buffer_wrap(rig.context, block, sizeof words, NULL, NULL, &read));
    CHECK_OK(gc_stream_memset(stream, read, 0, 7, 4, 4));
    gc_pool_torch_free(block, sizeof words, DEVICE, first);
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_memcpy_dtoh(stream, words, read, 0, sizeof words));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(words[0] == 7 && words[3] == 7);
    CHECK_OK(gc_buffer_destroy(read));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(stream));
}

int main(void) {
    gc_stream *streams[2];
    rig_open(&rig);
    streams[0] = open_stream(rig.context, 0);
    streams[1] = open_stream(rig.context, 0);
    if (on_cuda()) {
        REQUIRE_OK(gc_stream_native(streams[0], &first));
        REQUIRE_OK(gc_stream_native(streams[1], &second));
    } else {
        first = &streams[0];
        second = &streams[1];
    }
    REQUIRE_OK(gc_pool_create(rig.context, NULL, &pool));
    RUN(without_a_pool_nothing_is_allocated);
    RUN(a_stream_uses_again_what_was_freed_on_it);
    RUN(what_another_stream_uses_is_used_again_behind_it);
    RUN(what_is_no_block_is_left_alone);
    RUN(a_capture_has_its_pool);
    RUN(a_replay_works_on_what_was_freed);
    CHECK_STATUS(gc_pool_unbind(-1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_pool_unbind(DEVICE));
    CHECK(gc_pool_torch_allocate(64, DEVICE, first) == NULL);
    expect_told("gc_pool_bind");
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_stream_destroy(streams[0]));
    CHECK_OK(gc_stream_destroy(streams[1]));
    rig_close(&rig);
    return check_finish();
}
