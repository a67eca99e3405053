/* Pools whose replays have not run: their objects stay, and their memory goes to nobody else. */
#include "pools.h"

static struct rig rig;
static gc_stream *side;
static struct foreign foreign;

/* A buffer that wraps a word of the foreign memory. */
static gc_buffer *wrap_word(unsigned word, struct object *object, struct departures *departures) {
    gc_buffer *buffer = NULL;
    object->departures = departures;
    object->number = word;
    REQUIRE_OK(gc_buffer_wrap(rig.context, (char *)foreign.address + 4 * word, 4, object, object_goes, &buffer));
    return buffer;
}

static void objects_stay_for_a_replay_that_has_not_run(void) {
    static const unsigned order[] = {1, 2, 3};
    struct departures departures;
    struct object objects[3];
    struct gate gate;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    gc_pool *pool = open_pool(rig.context);
    size_t index = 0;
    departures_init(&departures);
    gate_init(&gate);
    foreign_clear(&foreign);
    buffer = wrap_word(2, &objects[1], &departures);
    add_object(pool, &objects[0], &departures, 1);
    CHECK_OK(gc_pool_add_buffer(pool, buffer, &index));
    add_object(pool, &objects[2], &departures, 3);
    exec = capture_exec(&rig, pool, buffer, 5);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_graph_exec_destroy(exec));
    gate_await(&gate, 1);
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(count_of(&departures.count) == 0 && foreign_word(&foreign, 2) == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(foreign_word(&foreign, 2) == 5);
    CHECK(went(&departures, order, 3));
    gate_free(&gate);
    departures_free(&departures);
}

/* The second object was used by a stream that knows nothing of the pool. All of them wait for
 * that stream, so that they go in their order. */
static void each_object_waits_for_the_users_of_all(void) {
    static const unsigned order[] = {1, 2, 3};
    struct departures departures;
    struct object objects[3];
    struct gate gate;
    gc_buffer *buffer;
    gc_pool *pool = open_pool(rig.context);
    size_t index = 0;
    departures_init(&departures);
    gate_init(&gate);
    buffer = wrap_word(2, &objects[1], &departures);
    add_object(pool, &objects[0], &departures, 1);
    CHECK_OK(gc_pool_add_buffer(pool, buffer, &index));
    add_object(pool, &objects[2], &departures, 3);
    CHECK_OK(gc_stream_launch_host_func(side, gate_hold, &gate, NULL));
    CHECK_OK(launch_add(&rig, side, buffer, 0, 1, 1));
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_await(&gate, 1);
    CHECK_OK(gc_pool_clear(pool));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK(count_of(&departures.count) == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(side));
    CHECK(went(&departures, order, 3));
    gate_free(&gate);
    departures_free(&departures);
}

/* What a replay that has not run writes is given to nobody, and stays where it is when the pool is gone. */
static void memory_stays_for_a_replay_that_has_not_run(void) {
    struct gate gate;
    gc_pool *pool = open_pool(rig.context);
    gc_buffer *buffer = allocate_from(pool, 4096), *other, *kept = allocate_from(pool, 4096);
    uint64_t address = address_of(buffer);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gate_init(&gate);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 1024));
    CHECK_OK(gc_stream_memset(rig.stream, kept, 0, 0, 4, 1024));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 10, 1));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, kept, 0, buffer, 0, 4));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_exec_destroy(exec));
    gate_await(&gate, 1);
    other = allocate_from(pool, 4096);
    CHECK(address_of(other) != address);
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_pool_destroy(pool));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, kept, 0) == 17);
    CHECK_OK(gc_buffer_destroy(kept));
    gate_free(&gate);
}

/* The last thing of a context: pool, buffers, exec and context go while the replay has not run. */
static void a_context_can_go_before_its_pool(void) {
    static const unsigned order[] = {1, 2};
    struct departures departures;
    struct object objects[2];
    struct gate gate;
    struct rig own;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    gc_pool *pool;
    departures_init(&departures);
    gate_init(&gate);
    rig_open(&own);
    pool = open_pool(own.context);
    buffer = allocate_from(pool, 4);
    add_object(pool, &objects[0], &departures, 1);
    add_object(pool, &objects[1], &departures, 2);
    exec = capture_exec(&own, pool, buffer, 5);
    CHECK_OK(gc_stream_launch_host_func(own.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(exec, own.stream));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_exec_destroy(exec));
    rig_close(&own);
    gate_await(&gate, 1);
    CHECK(count_of(&departures.count) == 0);
    gate_open(&gate);
    CHECK(went(&departures, order, 2));
    gate_free(&gate);
    departures_free(&departures);
}

/* Buffers are added and let go of by a context that goes, with work of the legacy stream, of which graphcap learns late. */
static void a_pool_used_on_the_legacy_stream_goes_when_somebody_waits(void) {
    static const unsigned order[] = {4, 1};
    struct departures departures;
    struct object objects[2];
    struct rig own;
    gc_buffer *buffer = NULL;
    gc_stream *legacy = NULL;
    gc_graph_exec *exec;
    gc_pool *pool;
    size_t index;
    departures_init(&departures);
    rig_open(&own);
    REQUIRE_OK(gc_context_legacy_stream(own.context, &legacy));
    pool = open_pool(own.context);
    objects[0].departures = &departures;
    objects[0].number = 4;
    REQUIRE_OK(gc_buffer_wrap(own.context, (char *)foreign.address + 16, 4, &objects[0], object_goes, &buffer));
    CHECK_OK(gc_pool_add_buffer(pool, buffer, &index));
    add_object(pool, &objects[1], &departures, 1);
    exec = capture_exec(&own, pool, buffer, 5);
    CHECK_OK(gc_graph_launch(exec, legacy));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(legacy));
    rig_close(&own);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(went(&departures, order, 2));
    departures_free(&departures);
}

/* The exec of a graph that writes `number` to a word of `output`, by a block of a pool whose graphs share memory. */
static gc_graph_exec *capture_sharing(const gc_pool *pool, const gc_buffer *output, uint32_t number) {
    gc_buffer *block;
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    block = allocate_from(pool, 1024);
    CHECK_OK(gc_stream_memset(rig.stream, block, 0, number, 4, 256));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, output, 4 * number, block, 1020, 4));
    CHECK_OK(gc_buffer_destroy(block));
    return finish_capture(rig.stream);
}

/* A launch waits for that of another graph on another stream, which has not run; one that shares nothing does not. */
static void launches_that_share_memory_wait_for_each_other(void) {
    struct gate gate;
    gc_pool *pool = NULL;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_buffer *output = open_buffer(rig.context, 64);
    gc_graph_exec *first, *second, *alone;
    int32_t complete = -1;
    gate_init(&gate);
    options.flags = GRAPHCAP_POOL_SHARED;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    first = capture_sharing(pool, output, 1);
    second = capture_sharing(pool, output, 2);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, output, 12, 3, 4, 1));
    alone = finish_capture(rig.stream);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(first, rig.stream));
    CHECK_OK(gc_graph_launch(alone, side));
    CHECK_OK(gc_stream_synchronize(side));
    CHECK_OK(gc_graph_launch(second, side));
    gate_await(&gate, 1);
    CHECK_OK(gc_stream_is_complete(side, &complete));
    CHECK(complete == 0);
    gate_open(&gate);
    /* The first launch is through where the second one is; its stream may count it as completed a little later. */
    CHECK(read_u32(side, output, 2) == 2 && read_u32(side, output, 3) == 3 && read_u32(side, output, 1) == 1);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(first));
    CHECK_OK(gc_graph_exec_destroy(second));
    CHECK_OK(gc_graph_exec_destroy(alone));
    CHECK_OK(gc_buffer_destroy(output));
    CHECK_OK(gc_pool_destroy(pool));
    gate_free(&gate);
}

int main(void) {
    foreign_open(&foreign);
    rig_open(&rig);
    side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    RUN(objects_stay_for_a_replay_that_has_not_run);
    RUN(each_object_waits_for_the_users_of_all);
    RUN(memory_stays_for_a_replay_that_has_not_run);
    RUN(a_context_can_go_before_its_pool);
    RUN(a_pool_used_on_the_legacy_stream_goes_when_somebody_waits);
    RUN(launches_that_share_memory_wait_for_each_other);
    CHECK_OK(gc_stream_destroy(side));
    rig_close(&rig);
    foreign_close(&foreign);
    return check_finish();
}
