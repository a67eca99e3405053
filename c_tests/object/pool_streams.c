/* Memory that captures allocate and free on streams, and use again: where, where not, and what replays find in it. */
#include "pools.h"

enum { WORDS = 1024, SIZE = WORDS * 4 };

static struct rig rig;
static gc_pool *pool;
static gc_stream *other;

static gc_buffer *take_on(const gc_stream *stream, size_t size) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_pool_allocate_on_stream(pool, stream, size, &buffer));
    return buffer;
}

/* Frees a buffer. Gives where it was. */
static uint64_t let_go(gc_buffer *buffer, const gc_stream *stream) {
    uint64_t address = address_of(buffer);
    CHECK_OK(gc_buffer_destroy_on_stream(buffer, stream));
    return address;
}

static gc_status set(const gc_stream *stream, const gc_buffer *buffer, uint32_t value) {
    return gc_stream_memset(stream, buffer, 0, value, 4, WORDS);
}

static void join(const gc_stream *to, const gc_stream *from) {
    gc_event *event = NULL;
    REQUIRE_OK(gc_event_create(rig.context, NULL, &event));
    CHECK_OK(gc_event_record(event, from, 0));
    CHECK_OK(gc_stream_wait_event(to, event, 0));
    CHECK_OK(gc_event_destroy(event));
}

static void open_with(int32_t reuse) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    options.capacity = (size_t)8 << 20;
    options.reuse = reuse;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
}

static void close_all(void) {
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_stream_destroy(other));
}

static uint64_t used_bytes(void) {
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes <= memory.used_high && memory.used_high <= memory.reserved_bytes);
    return memory.used_bytes;
}

/* A chain of steps, each of which has a block of its own: one after another they need two blocks. The pool's handle goes before
 * the replays. In the place of row `mem.capture_alloc_free`, whose memory is the driver's and makes nodes. */
static void a_chain_needs_two_blocks(void) {
    gc_buffer *result = open_buffer(rig.context, SIZE), *from, *to;
    gc_graph_exec *exec;
    uint32_t step;
    open_with(GRAPHCAP_POOL_REUSE_ORDERED);
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    from = take_on(rig.stream, SIZE);
    CHECK_OK(set(rig.stream, from, 7));
    for (step = 0; step < 20; step++) {
        to = take_on(rig.stream, SIZE);
        CHECK_OK(gc_stream_memcpy_dtod(rig.stream, to, 0, from, 0, SIZE));
        CHECK_OK(gc_stream_memset(rig.stream, to, step * 4, 100 + step, 4, 1));
        let_go(from, rig.stream);
        from = to;
    }
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, result, 0, from, 0, SIZE));
    let_go(from, rig.stream);
    CHECK(used_bytes() == (blocks_lie_apart() ? 21 : 2) * SIZE);
    exec = finish_capture(rig.stream);
    CHECK(used_bytes() == (blocks_lie_apart() ? 21 : 2) * SIZE);
    close_all();
    for (step = 0; step < 3; step++) {
        CHECK_OK(set(rig.stream, result, 0));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(read_u32(rig.stream, result, 0) == 100 && read_u32(rig.stream, result, 19) == 119);
        CHECK(read_u32(rig.stream, result, 20) == 7 && read_u32(rig.stream, result, WORDS - 1) == 7);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(result));
}

/* What another stream used is used again behind that alone; what is used again is refused to streams that are not behind its
 * allocation. */
static void streams_use_again_what_precedes(void) {
    gc_buffer *first, *second, *third;
    uint64_t at;
    int waited;
    if (blocks_lie_apart())
        return;
    open_with(GRAPHCAP_POOL_REUSE_ORDERED);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    first = take_on(rig.stream, SIZE);
    join(other, rig.stream);
    CHECK_OK(set(other, first, 1));
    at = let_go(first, rig.stream);
    second = take_on(rig.stream, SIZE);
    CHECK(address_of(second) != at);
    join(rig.stream, other);
    third = take_on(rig.stream, SIZE);
    CHECK(address_of(third) == at);
    CHECK_OK(set(rig.stream, third, 2));
    CHECK(let_go(second, other) != at);
    let_go(third, rig.stream);
    third = take_on(rig.stream, SIZE);
    CHECK_MESSAGE(set(other, third, 3), GRAPHCAP_ERROR_INVALID_VALUE, "not behind");
    join(other, rig.stream);
    CHECK_OK(set(other, third, 3));
    join(rig.stream, other);
    /* It goes on until somebody says what streams depend on. */
    let_go(third, rig.stream);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    second = take_on(rig.stream, SIZE);
    CHECK(address_of(second) != at);
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_graph_exec_destroy(finish_capture(rig.stream)));
    CHECK_OK(gc_context_collect(rig.context));
    /* It goes back on a thread that calls back. */
    for (waited = 0; used_bytes() != 0 && waited < 20000; waited++)
        pause_ms(1);
    CHECK(used_bytes() == 0);
    close_all();
}

static void pools_need_not_use_memory_again(void) {
    gc_buffer *buffer;
    gc_graph_exec *exec;
    uint64_t at;
    int i;
    open_with(GRAPHCAP_POOL_REUSE_NEVER);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    for (i = 0, at = 0; i < 4; i++) {
        buffer = take_on(rig.stream, SIZE);
        CHECK(address_of(buffer) != at);
        CHECK_OK(set(rig.stream, buffer, 1));
        at = let_go(buffer, rig.stream);
    }
    exec = finish_capture(rig.stream);
    CHECK(used_bytes() == 4 * SIZE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_all();
}

/* A graph writes memory by its address, which graphcap does not see: nobody gets that memory before the graph is gone. */
static void a_graph_keeps_what_it_writes_by_address(void) {
    enum { WAYS = 3 };
    gc_buffer *block, *later[WAYS + 1];
    gc_graph_exec *exec;
    uint64_t at[WAYS], count = WORDS;
    uint32_t value = 1, i, k;
    int waited;
    open_with(GRAPHCAP_POOL_REUSE_NEVER);
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    for (i = 0; i < WAYS; i++) {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(at[i]), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
        block = i == 0 ? allocate_from(pool, SIZE) : take_on(rig.stream, SIZE);
        at[i] = address_of(block);
        CHECK_OK(launch(rig.stream, rig.add, (WORDS + 63) / 64, 64, arguments, 3));
        if (i == 1)
            let_go(block, rig.stream);
        else
            CHECK_OK(gc_buffer_destroy(block));
    }
    exec = finish_capture(rig.stream);
    for (i = 0; i <= WAYS; i++) {
        later[i] = allocate_from(pool, SIZE);
        CHECK_OK(set(rig.stream, later[i], 7));
        for (k = 0; k < WAYS; k++)
            CHECK(address_of(later[i]) != at[k]);
    }
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    for (i = 0; i <= WAYS; i++) {
        CHECK(read_u32(rig.stream, later[i], 0) == 7 && read_u32(rig.stream, later[i], WORDS - 1) == 7);
        CHECK_OK(gc_buffer_destroy(later[i]));
    }
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_synchronize(rig.context));
    for (waited = 0; used_bytes() != 0 && waited < 20000; waited++)
        pause_ms(1);
    CHECK(used_bytes() == 0);
    close_all();
}

/* Whether random numbers are drawn in between or not. */
static void random_numbers_leave_the_order_as_it_is(void) {
    gc_rng_uniform_params uniform = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    gc_rng *rng = NULL;
    gc_buffer *block;
    uint64_t at;
    open_with(GRAPHCAP_POOL_REUSE_ORDERED);
    REQUIRE_OK(gc_rng_create(rig.stream, 1, 0, &rng));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, pool));
    block = take_on(rig.stream, SIZE);
    uniform.rng = rng;
    uniform.buffer = block;
    uniform.count = WORDS;
    CHECK_OK(gc_stream_fill_uniform(rig.stream, &uniform));
    at = let_go(block, rig.stream);
    block = take_on(rig.stream, SIZE);
    CHECK((address_of(block) == at) == !blocks_lie_apart());
    CHECK_OK(gc_buffer_destroy(block));
    CHECK_OK(gc_graph_exec_destroy(finish_capture(rig.stream)));
    CHECK_OK(gc_rng_destroy(rng));
    close_all();
}

static void what_is_wrong_is_refused(void) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_pool *none = NULL;
    gc_buffer *buffer = NULL;
    gc_context *elsewhere = NULL;
    gc_stream *foreign;
    options.reuse = 3;
    CHECK_MESSAGE(gc_pool_create(rig.context, &options, &none), GRAPHCAP_ERROR_INVALID_VALUE, "reuse");
    options.reuse = GRAPHCAP_POOL_REUSE_ORDERED;
    options.reserved = 1;
    CHECK_MESSAGE(gc_pool_create(rig.context, &options, &none), GRAPHCAP_ERROR_INVALID_VALUE, "reserved");
    open_with(GRAPHCAP_POOL_REUSE_SAME_STREAM);
    REQUIRE_OK(gc_context_create(NULL, &elsewhere));
    foreign = open_stream(elsewhere, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_STATUS(gc_pool_allocate_on_stream(pool, foreign, SIZE, &buffer), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_pool_allocate_on_stream(pool, rig.stream, 0, &buffer), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_pool_seal(pool));
    CHECK_MESSAGE(gc_pool_allocate_on_stream(pool, rig.stream, SIZE, &buffer), GRAPHCAP_ERROR_SEALED, "sealed");
    CHECK_OK(gc_pool_unseal(pool));
    /* Outside of captures it is memory as any other. */
    buffer = take_on(rig.stream, SIZE);
    CHECK_OK(set(rig.stream, buffer, 5));
    CHECK(read_u32(rig.stream, buffer, WORDS - 1) == 5);
    CHECK_STATUS(gc_buffer_destroy_on_stream(buffer, foreign), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_OK(gc_buffer_destroy_on_stream(buffer, rig.stream));
    CHECK_STATUS(gc_buffer_destroy_on_stream(buffer, rig.stream), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_stream_destroy(foreign));
    CHECK_OK(gc_context_destroy(elsewhere));
    close_all();
}

int main(void) {
    rig_open(&rig);
    RUN(a_chain_needs_two_blocks);
    RUN(streams_use_again_what_precedes);
    RUN(pools_need_not_use_memory_again);
    RUN(a_graph_keeps_what_it_writes_by_address);
    RUN(random_numbers_leave_the_order_as_it_is);
    RUN(what_is_wrong_is_refused);
    rig_close(&rig);
    return check_finish();
}
