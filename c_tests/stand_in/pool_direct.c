/* GRAPHCAP_POOL_DIRECT=1: the driver allocates each block of a pool by itself, with the size that was asked for, and frees it. */
#include "../support/pools.h"
#include "harness.h"

/* The kind that the stand-in counts memory of cuMemAlloc as. */
enum { RANGE_SIZE = 12, BLOCKS = STAND_IN_PINNED };

static struct rig rig;
static int (*pointer_attributes)(unsigned count, unsigned *attributes, void **values, uint64_t address);

/* How many bytes the driver's allocation has that starts at a buffer. */
static size_t size_for_driver(const gc_buffer *buffer) {
    size_t bytes = 0;
    unsigned attribute = RANGE_SIZE;
    void *value = &bytes;
    CHECK(pointer_attributes(1, &attribute, &value, address_of(buffer)) == 0);
    return bytes;
}

static void each_block_is_an_allocation(void) {
    gc_pool *pool = NULL;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    gc_buffer *first, *second, *third;
    gc_graph_exec *exec;
    long before;
    int waited;
    uint64_t address;
    options.capacity = 8192;
    options.flags = GRAPHCAP_POOL_SHARED;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    before = stand_in.live(BLOCKS);
    stand_in.count(1);
    first = allocate_from(pool, 1001);
    second = allocate_from(pool, 4096);
    CHECK(calls_of("cuMemAlloc_v2") == 2 && calls_of("cuMemAddressReserve") == 0 && calls_of("cuMemMap") == 0);
    CHECK(stand_in.live(BLOCKS) == before + 2);
    CHECK(size_for_driver(first) == 1001 && size_for_driver(second) == 4096);
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes == 1024 + 4096 && memory.reserved_bytes == 1024 + 4096 && memory.capacity == 8192);
    {
        gc_buffer *none = NULL;
        CHECK_STATUS(gc_pool_allocate(pool, 4096, &none), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    }
    /* Graphs share nothing, take turns all the same, and keep their blocks. Value operations work. */
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    third = allocate_from(pool, 100);
    CHECK_OK(gc_stream_memset(rig.stream, third, 0, 3, 4, 25));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, first, 0, third, 0, 100));
    exec = finish_capture(rig.stream);
    address = address_of(third);
    CHECK_OK(gc_buffer_destroy(third));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    third = allocate_from(pool, 100);
    CHECK(address_of(third) != address && size_for_driver(third) == 100);
    CHECK_OK(gc_graph_exec_destroy(finish_capture(rig.stream)));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, first, 24) == 3);
    CHECK_OK(gc_stream_write_value32(rig.stream, third, 4, 9, 0));
    CHECK(read_u32(rig.stream, third, 1) == 9);
    /* A block that was destroyed is not used again, and is freed by who waits. */
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_buffer_destroy(third));
    /* What captures had goes back on a thread that calls back first. */
    for (waited = 0; stand_in.live(BLOCKS) != before && waited < 20000; waited++) {
        CHECK_OK(gc_context_collect(rig.context));
        pause_ms(1);
    }
    CHECK(calls_of("cuMemFree_v2") >= 4 && stand_in.live(BLOCKS) == before);
    CHECK_OK(gc_pool_trim(pool));
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes == 0 && memory.reserved_bytes == 0);
    stand_in.count(0);
    CHECK_OK(gc_pool_destroy(pool));
}

/* A driver that has no memory left, and a wait for the work of a block that is not complete. */
static void a_block_that_cannot_be_allocated_is_none(void) {
    gc_pool *pool = open_pool(rig.context);
    gc_buffer *block = NULL;
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    long before;
    stand_in.fail_function("cuMemAlloc_v2", 1, GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(gc_pool_allocate(pool, 1000, &block), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(block == NULL && memory.used_bytes == 0);
    block = allocate_from(pool, 1000);
    before = stand_in.live(BLOCKS);
    stand_in.hold(1);
    CHECK_OK(gc_stream_memset(rig.stream, block, 0, 0, 4, 1));
    CHECK_OK(gc_buffer_destroy(block));
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes == 1024 && stand_in.live(BLOCKS) == before);
    stand_in.hold(0);
    CHECK_OK(gc_context_collect(rig.context));
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes == 0 && stand_in.live(BLOCKS) < before);
    CHECK_OK(gc_pool_destroy(pool));
}

static void try_driver(const char *version) {
    setenv("GRAPHCAP_POOL_DIRECT", "1", 1);
    use_stand_in(version);
    look_up("cuPointerGetAttributes", &pointer_attributes);
    rig_open(&rig);
    RUN(each_block_is_an_allocation);
    RUN(a_block_that_cannot_be_allocated_is_none);
    rig_close(&rig);
    expect_nothing_left(version);
}

static void try_other_words(const char *version) {
    gc_pool *pool;
    gc_buffer *block = NULL;
    setenv("GRAPHCAP_POOL_DIRECT", "yes", 1);
    use_stand_in(version);
    rig_open(&rig);
    pool = open_pool(rig.context);
    CHECK_MESSAGE(gc_pool_allocate(pool, 64, &block), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_POOL_DIRECT");
    CHECK_OK(gc_pool_destroy(pool));
    rig_close(&rig);
    expect_nothing_left(version);
}

static void other_words_are_refused(void) {
    in_child(try_other_words, "13.0");
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_driver);
    RUN(other_words_are_refused);
    return check_finish();
}
