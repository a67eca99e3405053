/* Pools with GRAPHCAP_POOL_SHARED: how much memory graphs take that share it, and that launches on several streams
 * take turns. That one waits for another is in pool_held.c. */
#include "pools.h"

static struct rig rig;

static gc_pool *open_shared(void) {
    gc_pool *pool = NULL;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    options.flags = GRAPHCAP_POOL_SHARED;
    options.capacity = (size_t)256 << 20;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    return pool;
}

static gc_pool_memory memory_of(const gc_pool *pool) {
    gc_pool_memory memory = GRAPHCAP_POOL_MEMORY_INIT;
    CHECK_OK(gc_pool_get_memory(pool, &memory));
    CHECK(memory.used_bytes <= memory.reserved_bytes && memory.used_bytes <= memory.used_high);
    return memory;
}

/* A graph that adds up in memory of the pool: each of three blocks of `count` words is `number` more than the one before. The last word
 * of the last one goes to word `number` of `output`. */
static gc_graph_exec *capture_sums(const gc_pool *pool, const gc_buffer *output, uint32_t number, size_t count) {
    gc_buffer *blocks[3];
    gc_graph_exec *exec;
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, pool));
    for (i = 0; i < LENGTH_OF(blocks); i++) {
        blocks[i] = allocate_from(pool, 4 * count);
        if (i == 0)
            CHECK_OK(gc_stream_memset(rig.stream, blocks[i], 0, 0, 4, count));
        else
            CHECK_OK(gc_stream_memcpy_dtod(rig.stream, blocks[i], 0, blocks[i - 1], 0, 4 * count));
        CHECK_OK(launch_add(&rig, rig.stream, blocks[i], 0, number, count));
    }
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, output, 4 * number, blocks[2], 4 * (count - 1), 4));
    for (i = 0; i < LENGTH_OF(blocks); i++)
        CHECK_OK(gc_buffer_destroy(blocks[i]));
    exec = finish_capture(rig.stream);
    return exec;
}

/* One after another, whichever shape comes first: at most a tenth more than the largest. */
static void graphs_take_what_the_largest_needs(void) {
    enum { SHAPES = 6 };
    static const uint32_t orders[][SHAPES] = {{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {3, 6, 1, 5, 2, 4}};
    const size_t words = (size_t)1 << 18;
    unsigned order, i;
    for (order = 0; order < LENGTH_OF(orders); order++) {
        gc_pool *pool = open_shared();
        gc_buffer *output = open_buffer(rig.context, 64);
        gc_graph_exec *execs[SHAPES];
        gc_pool_memory memory;
        const uint64_t largest = (uint64_t)SHAPES * words * 4 * 3;
        for (i = 0; i < SHAPES; i++)
            execs[i] = capture_sums(pool, output, orders[order][i], orders[order][i] * words);
        memory = memory_of(pool);
        if (blocks_lie_apart())
            CHECK(memory.used_bytes >= largest);
        else
            CHECK(memory.used_bytes == largest && 10 * memory.reserved_bytes <= 11 * largest);
        for (i = 0; i < SHAPES; i++)
            CHECK_OK(gc_graph_launch(execs[i], rig.stream));
        for (i = 1; i <= SHAPES; i++)
            CHECK(read_u32(rig.stream, output, i) == 3 * i);
        for (i = 0; i < SHAPES; i++)
            CHECK_OK(gc_graph_exec_destroy(execs[i]));
        CHECK_OK(gc_context_collect(rig.context));
        CHECK_OK(gc_pool_trim(pool));
        CHECK(memory_of(pool).used_bytes == 0 && memory_of(pool).reserved_bytes == 0);
        CHECK_OK(gc_buffer_destroy(output));
        CHECK_OK(gc_pool_destroy(pool));
    }
}

/* A chain of steps, each with a block of its own, in captures that share: as much as two blocks of the largest. Two of these as nodes of
 * one graph must be ordered. */
static void chains_take_what_two_blocks_of_the_largest_take(void) {
    enum { SHAPES = 5, STEPS = 10 };
    const size_t unit = (size_t)1 << 18;
    gc_pool *pool = open_shared();
    gc_buffer *output = open_buffer(rig.context, 64);
    gc_graph *graphs[SHAPES], *parent = NULL;
    gc_graph_exec *exec = NULL;
    gc_node first = 0, second = 0;
    unsigned i, step;
    for (i = 0; i < SHAPES; i++) {
        const size_t bytes = (1 + i * 3 % SHAPES) * unit;
        gc_buffer *from = NULL, *to = NULL;
        REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, pool));
        REQUIRE_OK(gc_pool_allocate_on_stream(pool, rig.stream, bytes, &from));
        CHECK_OK(gc_stream_memset(rig.stream, from, 0, i, 4, bytes / 4));
        for (step = 0; step < STEPS; step++) {
            REQUIRE_OK(gc_pool_allocate_on_stream(pool, rig.stream, bytes, &to));
            CHECK_OK(gc_stream_memcpy_dtod(rig.stream, to, 0, from, 0, bytes));
            CHECK_OK(launch_add(&rig, rig.stream, to, 0, 1, bytes / 4));
            CHECK_OK(gc_buffer_destroy_on_stream(from, rig.stream));
            from = to;
        }
        CHECK_OK(gc_stream_memcpy_dtod(rig.stream, output, 4 * i, from, bytes - 4, 4));
        CHECK_OK(gc_buffer_destroy_on_stream(from, rig.stream));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graphs[i]));
    }
    if (!blocks_lie_apart())
        CHECK(memory_of(pool).used_bytes == 2 * SHAPES * unit);
    REQUIRE_OK(gc_graph_create(rig.context, &parent));
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graphs[0], &first));
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graphs[1], &second));
    if (!blocks_lie_apart())
        CHECK_MESSAGE(gc_graph_instantiate(parent, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, "no path of edges");
    CHECK_OK(gc_graph_add_dependencies(parent, &first, &second, NULL, 1));
    REQUIRE_OK(gc_graph_instantiate(parent, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, output, 0) == STEPS && read_u32(rig.stream, output, 1) == STEPS + 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(parent));
    for (i = 0; i < SHAPES; i++)
        CHECK_OK(gc_graph_destroy(graphs[i]));
    CHECK_OK(gc_buffer_destroy(output));
    CHECK_OK(gc_pool_destroy(pool));
}

struct launcher {
    const gc_graph_exec *execs[3];
    unsigned failures;
};

static void *launch_all(void *argument) {
    struct launcher *launcher = (struct launcher *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned i;
    for (i = 0; i < 300; i++)
        launcher->failures += gc_graph_launch(launcher->execs[i % 3], stream) != GRAPHCAP_SUCCESS;
    launcher->failures += gc_stream_synchronize(stream) != GRAPHCAP_SUCCESS;
    launcher->failures += gc_stream_destroy(stream) != GRAPHCAP_SUCCESS;
    return NULL;
}

/* Two execs of one graph, and one of another; each writes over what the others have there. */
static void launches_on_several_streams_never_run_at_once(void) {
    enum { THREADS = 3 };
    const size_t words = 1 << 14;
    gc_pool *pool = open_shared();
    gc_buffer *output = open_buffer(rig.context, 64);
    gc_graph_exec *execs[3];
    struct launcher launchers[THREADS];
    pthread_t threads[THREADS];
    unsigned i, round;
    for (i = 0; i < 3; i++)
        execs[i] = capture_sums(pool, output, i + 1, words);
    for (round = 0; round < 5; round++) {
        CHECK_OK(gc_stream_memset(rig.stream, output, 0, 0, 4, 16));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        for (i = 0; i < THREADS; i++) {
            unsigned k;
            for (k = 0; k < 3; k++)
                launchers[i].execs[k] = execs[(i + k) % 3];
            launchers[i].failures = 0;
            CHECK(pthread_create(&threads[i], NULL, launch_all, &launchers[i]) == 0);
        }
        for (i = 0; i < THREADS; i++)
            CHECK(pthread_join(threads[i], NULL) == 0 && launchers[i].failures == 0);
        for (i = 1; i <= 3; i++)
            CHECK(read_u32(rig.stream, output, i) == 3 * i);
    }
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_graph_exec_destroy(execs[i]));
    CHECK_OK(gc_buffer_destroy(output));
    CHECK_OK(gc_pool_destroy(pool));
}

/* A launch into a capture is refused as ever, which breaks the capture; what comes after that is ordered as before. */
static void a_launch_into_a_capture_is_refused(void) {
    gc_pool *pool = open_shared();
    gc_buffer *output = open_buffer(rig.context, 64);
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph_exec *exec = capture_sums(pool, output, 1, 1024);
    gc_graph *graph = NULL;
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    REQUIRE_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_graph_launch(exec, other), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(other, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_graph_launch(exec, other));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, output, 1) == 3);
    CHECK_OK(gc_stream_synchronize(other));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_buffer_destroy(output));
    CHECK_OK(gc_pool_destroy(pool));
}

/* An output that the program has keeps its place; its bytes are those of the graph that ran last. */
static void what_the_program_has_is_not_used_again(void) {
    gc_pool *pool = open_shared();
    gc_buffer *kept, *again;
    gc_graph_exec *exec, *later;
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    kept = allocate_from(pool, 256);
    CHECK_OK(gc_stream_memset(rig.stream, kept, 0, 5, 4, 64));
    exec = finish_capture(rig.stream);
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    again = allocate_from(pool, 256);
    CHECK(address_of(again) != address_of(kept));
    CHECK_OK(gc_stream_memset(rig.stream, again, 0, 6, 4, 64));
    later = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(later, rig.stream));
    CHECK(read_u32(rig.stream, kept, 63) == 5 && read_u32(rig.stream, again, 63) == 6);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_exec_destroy(later));
    CHECK_OK(gc_buffer_destroy(kept));
    CHECK_OK(gc_buffer_destroy(again));
    CHECK_OK(gc_pool_destroy(pool));
}

/* A graph that sets memory, of the pool if there is one. */
static gc_graph *capture_set(const gc_pool *pool, uint32_t value) {
    gc_graph *graph = NULL;
    gc_buffer *block;
    if (pool != NULL)
        REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, pool));
    else
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    block = pool != NULL ? allocate_from(pool, 4096) : open_buffer(rig.context, 4096);
    CHECK_OK(gc_stream_memset(rig.stream, block, 0, value, 4, 1024));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_buffer_destroy(block));
    return graph;
}

/* An exec has the edges that its graph had. What the graph got since orders nothing in it. */
static void a_child_of_an_exec_is_ordered_by_the_edges_of_the_exec(void) {
    gc_pool *pool = open_shared();
    gc_graph *first = capture_set(pool, 1), *second = capture_set(pool, 2), *apart = capture_set(NULL, 3);
    unsigned way;
    for (way = 0; way < 3; way++) {
        gc_graph *graph = NULL, *other = NULL;
        gc_graph_exec *exec = NULL;
        gc_node nodes[2], others[2];
        REQUIRE_OK(gc_graph_create(rig.context, &graph));
        REQUIRE_OK(gc_graph_create(rig.context, &other));
        REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, first, &nodes[0]));
        REQUIRE_OK(gc_graph_add_child_node(graph, nodes, way == 0, apart, &nodes[1]));
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        if (way == 1)
            CHECK_OK(gc_graph_add_dependencies(graph, &nodes[0], &nodes[1], NULL, 1));
        if (way == 2) {
            REQUIRE_OK(gc_graph_add_child_node(other, NULL, 0, apart, &others[0]));
            REQUIRE_OK(gc_graph_add_child_node(other, NULL, 0, first, &others[1]));
            (void)!gc_graph_exec_update(exec, other, 0, NULL);
        }
        if (way == 0 || blocks_lie_apart())
            CHECK_OK(gc_graph_exec_set_child_node(exec, nodes[way != 2], second));
        else
            CHECK_MESSAGE(gc_graph_exec_set_child_node(exec, nodes[way != 2], second), GRAPHCAP_ERROR_INVALID_VALUE, "of pool");
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(other));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_graph_destroy(first));
    CHECK_OK(gc_graph_destroy(second));
    CHECK_OK(gc_graph_destroy(apart));
    CHECK_OK(gc_pool_destroy(pool));
}

static void the_report_tells_of_it(void) {
    gc_pool *pool = open_shared(), *none = NULL;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    char text[4096];
    size_t needed = 0;
    CHECK_OK(gc_context_memory_report(rig.context, GRAPHCAP_MEMORY_REPORT_TEXT, text, sizeof text, &needed));
    CHECK(check_contains(text, ": 0 bytes reserved, 0 used, 0 at most, shared by its graphs, 0 objects\n"));
    CHECK_OK(gc_pool_destroy(pool));
    options.flags = 2;
    CHECK_MESSAGE(gc_pool_create(rig.context, &options, &none), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_POOL_SHARED");
    CHECK(none == NULL);
}

int main(void) {
    rig_open(&rig);
    RUN(graphs_take_what_the_largest_needs);
    RUN(chains_take_what_two_blocks_of_the_largest_take);
    RUN(launches_on_several_streams_never_run_at_once);
    RUN(a_launch_into_a_capture_is_refused);
    RUN(what_the_program_has_is_not_used_again);
    RUN(a_child_of_an_exec_is_ordered_by_the_edges_of_the_exec);
    RUN(the_report_tells_of_it);
    rig_close(&rig);
    return check_finish();
}
