/* How much memory pools tell that they have, and what of it goes back to the device. */
#include "pools.h"

static struct rig rig;

static gc_pool_memory memory_of(const gc_pool *pool) {
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes <= memory.reserved_bytes && memory.used_bytes <= memory.used_high);
    CHECK(memory.used_high <= memory.capacity);
    return memory;
}

/* What lies behind the last allocation goes back, also while a stream is captured; what a graph keeps stays. */
static void a_pool_returns_what_is_free_at_its_end(void) {
    const size_t size = (size_t)4 << 20;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_pool *pool = NULL;
    gc_buffer *buffers[3];
    gc_graph_exec *exec;
    options.capacity = 8 * size;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    CHECK(memory_of(pool).capacity == 8 * size && memory_of(pool).reserved_bytes == 0);
    CHECK_OK(gc_pool_trim(pool));
    buffers[0] = allocate_from(pool, size);
    buffers[1] = allocate_from(pool, size - 100);
    buffers[2] = allocate_from(pool, size);
    CHECK(memory_of(pool).reserved_bytes == 3 * size && memory_of(pool).used_bytes == 3 * size);
    exec = capture_exec(&rig, pool, buffers[1], 5);
    CHECK_OK(gc_stream_memset(rig.stream, buffers[1], 0, 0, 4, 1));
    CHECK_OK(gc_buffer_destroy(buffers[0]));
    CHECK_OK(gc_buffer_destroy(buffers[1]));
    CHECK_OK(gc_pool_trim(pool));
    CHECK(memory_of(pool).reserved_bytes == 3 * size);
    CHECK_OK(gc_buffer_destroy(buffers[2]));
    CHECK_OK(gc_context_collect(rig.context));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_pool_seal(pool));
    CHECK_OK(gc_pool_trim(pool));
    CHECK_OK(gc_pool_unseal(pool));
    CHECK_OK(gc_graph_exec_destroy(finish_capture(rig.stream)));
    CHECK(memory_of(pool).reserved_bytes == 2 * size && memory_of(pool).used_bytes == size);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* It grows again, behind the same addresses. */
    buffers[2] = allocate_from(pool, 2 * size);
    CHECK_OK(gc_stream_memset(rig.stream, buffers[2], 0, 7, 4, 2 * size / 4));
    CHECK(read_u32(rig.stream, buffers[2], 2 * size / 4 - 1) == 7);
    CHECK_OK(gc_buffer_destroy(buffers[2]));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK_OK(gc_pool_trim(pool));
    CHECK(memory_of(pool).reserved_bytes == 0 && memory_of(pool).used_bytes == 0);
    CHECK(memory_of(pool).used_high == 3 * size);
    CHECK_OK(gc_pool_destroy(pool));
}

int main(void) {
    rig_open(&rig);
    RUN(a_pool_returns_what_is_free_at_its_end);
    rig_close(&rig);
    return check_finish();
}
