/* Pools: what they keep and for how long, what captures make of them, and memory that is allocated from them. */
#include "pools.h"
#include "stands_in.h"

static struct rig rig;
static struct foreign foreign;

static gc_buffer *wrap_part(struct object *object, struct departures *departures, unsigned number) {
    gc_buffer *buffer = NULL;
    object->departures = departures;
    object->number = number;
    REQUIRE_OK(gc_buffer_wrap(rig.context, (char *)foreign.address + 4 * number, 4, object, object_goes, &buffer));
    return buffer;
}

static void objects_go_in_their_order_after_the_last_exec(void) {
    static const unsigned order[] = {1, 2, 3, 4, 5};
    struct departures departures;
    struct object objects[5];
    gc_buffer *buffers[2];
    gc_graph *graph;
    gc_graph_exec *execs[2] = {NULL, NULL};
    gc_pool *pool = open_pool(rig.context);
    size_t index = 99;
    departures_init(&departures);
    foreign_clear(&foreign);
    buffers[1] = wrap_part(&objects[3], &departures, 4);
    buffers[0] = wrap_part(&objects[1], &departures, 2);
    CHECK(add_object(pool, &objects[0], &departures, 1) == 0);
    CHECK_OK(gc_pool_add_buffer(pool, buffers[0], &index));
    CHECK(index == 1);
    CHECK(add_object(pool, &objects[2], &departures, 3) == 2);
    CHECK_OK(gc_pool_add_buffer(pool, buffers[1], &index));
    CHECK(index == 3 && objects_in(pool) == 4);
    /* The graph keeps them in another order. */
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_OK(launch_add(&rig, rig.stream, buffers[1], 0, 1, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffers[0], 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &execs[0]));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &execs[1]));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffers[0]));
    CHECK_OK(gc_buffer_destroy(buffers[1]));
    /* Added when the graph was there already. */
    CHECK(add_object(pool, &objects[4], &departures, 5) == 4);
    CHECK(pool_of(execs[1]) == pool_number(pool));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_graph_launch(execs[0], rig.stream));
    CHECK_OK(gc_graph_exec_destroy(execs[0]));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(count_of(&departures.count) == 0);
    CHECK_OK(gc_graph_launch(execs[1], rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(foreign_word(&foreign, 2) == 2 && foreign_word(&foreign, 4) == 2);
    CHECK_OK(gc_graph_exec_destroy(execs[1]));
    CHECK(went(&departures, order, 5));
    departures_free(&departures);
}

static gc_status record_add(const gc_stream *stream, void *user_data) {
    return launch_add(&rig, stream, (const gc_buffer *)user_data, 0, 1, 1);
}

static void every_capture_can_have_a_pool(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph *graphs[5], *parent = NULL;
    gc_graph_exec *exec = NULL;
    gc_capture *capture = NULL;
    gc_node node;
    gc_pool *pool = open_pool(rig.context), *other = open_pool(rig.context);
    uint64_t number = pool_number(pool);
    unsigned i;
    CHECK(number > 0 && number != pool_number(other));
    options.pool = pool;
    graphs[0] = capture_add(&rig, pool, buffer, 1);
    REQUIRE_OK(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, record_add, buffer,
                                              NULL, &graphs[1]));
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &capture));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    REQUIRE_OK(gc_capture_end(capture, &graphs[2]));
    CHECK_OK(gc_capture_destroy(capture));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture_with_pool(rig.stream, pool, &graphs[3]));
    REQUIRE_OK(gc_graph_clone(graphs[3], &graphs[4]));
    for (i = 0; i < 5; i++) {
        REQUIRE_OK(gc_graph_instantiate(graphs[i], NULL, &exec));
        CHECK(pool_of(exec) == number);
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    /* A graph with a child that keeps a pool. */
    REQUIRE_OK(gc_graph_create(rig.context, &parent));
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graphs[0], &node));
    for (i = 0; i < 5; i++)
        CHECK_OK(gc_graph_destroy(graphs[i]));
    REQUIRE_OK(gc_graph_instantiate(parent, NULL, &exec));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK(pool_of(exec) == number);
    CHECK_STATUS(gc_pool_clear(pool), GRAPHCAP_ERROR_BUSY);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_pool_clear(pool));
    /* None without one. */
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    exec = finish_capture(rig.stream);
    CHECK(pool_of(exec) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_pool_destroy(other));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void an_update_brings_the_pool_of_the_new_graph(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_pool *pool = open_pool(rig.context), *other = open_pool(rig.context);
    gc_graph_exec *exec = capture_exec(&rig, pool, buffer, 1);
    gc_graph *graph = capture_add(&rig, other, buffer, 10);
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    CHECK(pool_of(exec) == pool_number(pool));
    CHECK_OK(gc_graph_exec_update(exec, graph, 0, &info));
    CHECK(pool_of(exec) == pool_number(other));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_pool_clear(pool));
    CHECK_STATUS(gc_pool_clear(other), GRAPHCAP_ERROR_BUSY);
    CHECK_OK(gc_pool_destroy(other));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 10);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void an_edited_graph_keeps_its_pool(void) {
    static const unsigned order[] = {3, 2, 1};
    struct departures departures;
    struct object objects[3];
    gc_buffer *buffers[3];
    gc_graph *graph = NULL;
    gc_graph_exec *before = NULL, *after = NULL;
    gc_node nodes[3];
    gc_pool *pool = open_pool(rig.context);
    size_t count = 0, index, i;
    departures_init(&departures);
    for (i = 0; i < 3; i++)
        buffers[i] = wrap_part(&objects[i], &departures, (unsigned)i + 1);
    for (i = 3; i-- > 0;)
        CHECK_OK(gc_pool_add_buffer(pool, buffers[i], &index));
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_stream_memset(rig.stream, buffers[i], 0, 1, 1, 4));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &before));
    REQUIRE_OK(gc_graph_get_nodes(graph, nodes, 3, &count));
    CHECK(count == 3);
    CHECK_OK(gc_graph_remove_node(graph, nodes[1]));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &after));
    CHECK(pool_of(before) == pool_number(pool) && pool_of(after) == pool_number(pool));
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_graph_exec_destroy(before));
    CHECK_OK(gc_graph_launch(after, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(count_of(&departures.count) == 0);
    CHECK_OK(gc_graph_exec_destroy(after));
    CHECK(went(&departures, order, 3));
    departures_free(&departures);
}

static void a_sealed_pool_takes_nothing_in(void) {
    struct departures departures;
    struct object object;
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = (gc_capture *)&object;
    gc_graph *graph = (gc_graph *)&object;
    gc_buffer *buffer = open_buffer(rig.context, 4), *made = buffer;
    gc_graph_exec *exec;
    gc_pool *pool = open_pool(rig.context);
    size_t index = 99;
    int32_t sealed = -1;
    departures_init(&departures);
    object.departures = &departures;
    object.number = 7;
    CHECK_OK(gc_pool_is_sealed(pool, &sealed));
    CHECK(sealed == 0);
    CHECK_OK(gc_pool_add_buffer(pool, buffer, &index));
    CHECK_OK(gc_pool_seal(pool));
    CHECK_OK(gc_pool_seal(pool));
    CHECK_OK(gc_pool_is_sealed(pool, &sealed));
    CHECK(sealed == 1);
    CHECK_MESSAGE(gc_pool_add_buffer(pool, buffer, &index), GRAPHCAP_ERROR_SEALED, "unseal");
    CHECK_MESSAGE(gc_pool_add_object(pool, &object, object_goes, &index), GRAPHCAP_ERROR_SEALED, "sealed");
    CHECK(count_of(&departures.count) == 1 && objects_in(pool) == 1);
    CHECK_MESSAGE(gc_pool_allocate(pool, 16, &made), GRAPHCAP_ERROR_SEALED, "sealed");
    CHECK(made == NULL);
    CHECK_MESSAGE(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool), GRAPHCAP_ERROR_SEALED,
                "sealed");
    options.pool = pool;
    CHECK_STATUS(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &capture), GRAPHCAP_ERROR_SEALED);
    CHECK_STATUS(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, record_add, buffer,
                                                NULL, &graph),
                 GRAPHCAP_ERROR_SEALED);
    CHECK(capture == NULL && graph == NULL && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    /* What is there can be kept. */
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_end_capture_with_pool(rig.stream, pool, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(pool_of(exec) == pool_number(pool));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_pool_clear(pool));
    CHECK_OK(gc_pool_is_sealed(pool, &sealed));
    CHECK(sealed == 1 && objects_in(pool) == 0);
    CHECK_OK(gc_pool_unseal(pool));
    CHECK_OK(gc_pool_add_buffer(pool, buffer, &index));
    CHECK(index == 0);
    made = allocate_from(pool, 16);
    CHECK_OK(gc_buffer_destroy(made));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_buffer_destroy(buffer));
    departures_free(&departures);
}

static void a_pool_that_is_kept_is_not_cleared(void) {
    static const unsigned order[] = {1, 2};
    struct departures departures;
    struct object objects[2];
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_pool *pool = open_pool(rig.context);
    departures_init(&departures);
    add_object(pool, &objects[0], &departures, 1);
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_MESSAGE(gc_pool_clear(pool), GRAPHCAP_ERROR_BUSY, "destroy");
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_STATUS(gc_pool_clear(pool), GRAPHCAP_ERROR_BUSY);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_pool_clear(pool), GRAPHCAP_ERROR_BUSY);
    CHECK(objects_in(pool) == 1 && count_of(&departures.count) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_pool_clear(pool));
    CHECK(objects_in(pool) == 0 && await_count(&departures.count, 1));
    CHECK_OK(gc_pool_clear(pool));
    /* A capture that breaks keeps nothing. */
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture_with_pool(rig.stream, pool, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(graph == NULL && add_object(pool, &objects[1], &departures, 2) == 0);
    CHECK_OK(gc_pool_clear(pool));
    CHECK(went(&departures, order, 2));
    CHECK_OK(gc_pool_destroy(pool));
    departures_free(&departures);
}

static void pools_and_contexts_are_not_mixed(void) {
    gc_context *elsewhere = open_context();
    gc_buffer *foreign_buffer = open_buffer(elsewhere, 4), *buffer = open_buffer(rig.context, 4);
    gc_pool *pool = open_pool(rig.context), *other = open_pool(rig.context), *foreign_pool = open_pool(elsewhere);
    gc_context *context = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    size_t index = 99;
    CHECK_STATUS(gc_pool_add_buffer(pool, foreign_buffer, &index), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, foreign_pool),
                 GRAPHCAP_ERROR_INVALID_CONTEXT);
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    CHECK_STATUS(gc_stream_end_capture_with_pool(rig.stream, foreign_pool, &graph), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_MESSAGE(gc_stream_end_capture_with_pool(rig.stream, other, &graph), GRAPHCAP_ERROR_INVALID_VALUE, "begun with");
    CHECK(graph == NULL && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    REQUIRE_OK(gc_stream_end_capture_with_pool(rig.stream, pool, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(pool_of(exec) == pool_number(pool));
    CHECK_OK(gc_pool_clear(other));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_stream_end_capture_with_pool(rig.stream, pool, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_pool_clear(pool));
    REQUIRE_OK(gc_pool_get_context(pool, &context));
    CHECK(context != rig.context);
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_pool_destroy(other));
    CHECK_OK(gc_pool_destroy(foreign_pool));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_buffer_destroy(foreign_buffer));
    CHECK_OK(gc_context_destroy(elsewhere));
}

static void pools_are_found_by_their_numbers(void) {
    gc_pool *pool = open_pool(rig.context), *found = pool;
    uint64_t number = 0, again = 0;
    CHECK_STATUS(gc_pool_handle_lookup(pool_number(pool), &found), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK(found == NULL);
    REQUIRE_OK(gc_pool_handle_new(pool, &number));
    REQUIRE_OK(gc_pool_handle_new(pool, &again));
    CHECK(number == pool_number(pool) && again == number);
    CHECK_OK(gc_pool_destroy(pool));
    REQUIRE_OK(gc_pool_handle_lookup(number, &found));
    CHECK(pool_number(found) == number && found != pool);
    CHECK_OK(gc_pool_handle_release(number));
    CHECK_OK(gc_pool_handle_release(number));
    CHECK_STATUS(gc_pool_handle_lookup(number, &pool), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_STATUS(gc_pool_handle_release(0), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK_STATUS(gc_pool_handle_release(UINT64_MAX), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK(objects_in(found) == 0);
    CHECK_OK(gc_pool_destroy(found));
}

/* Several blocks, of which one is larger than what pools grow by, hold what is written into each of them. */
static void memory_is_memory(void) {
    static const size_t sizes[] = {4, 1000, 3 << 20, 256, 5 << 20, 65536};
    enum { BLOCKS = sizeof sizes / sizeof sizes[0] };
    gc_buffer *blocks[BLOCKS];
    gc_pool *pool = open_pool(rig.context);
    unsigned i;
    for (i = 0; i < BLOCKS; i++) {
        blocks[i] = allocate_from(pool, sizes[i]);
        CHECK(address_of(blocks[i]) % 256 == 0);
        CHECK_OK(gc_stream_memset(rig.stream, blocks[i], 0, 0, 1, sizes[i]));
        CHECK_OK(gc_stream_memset(rig.stream, blocks[i], 0, i + 1, 4, sizes[i] / 4));
    }
    for (i = 0; i < BLOCKS; i++) {
        CHECK(read_u32(rig.stream, blocks[i], 0) == i + 1);
        CHECK(read_u32(rig.stream, blocks[i], sizes[i] / 4 - 1) == i + 1);
        CHECK_OK(launch_add(&rig, rig.stream, blocks[i], 0, 10, 1));
        CHECK(read_u32(rig.stream, blocks[i], 0) == i + 11);
    }
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, blocks[4], 1 << 20, blocks[2], 0, 3 << 20));
    CHECK(read_u32(rig.stream, blocks[4], (4 << 20) / 4 - 1) == 3);
    /* Value operations, which memory of gc_buffer_allocate() refuses. */
    CHECK_OK(gc_stream_write_value32(rig.stream, blocks[0], 0, 77, 0));
    CHECK(read_u32(rig.stream, blocks[0], 0) == 77);
    /* The memory outlives its pool. */
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(launch_add(&rig, rig.stream, blocks[1], 0, 100, 1));
    CHECK(read_u32(rig.stream, blocks[1], 0) == 112);
    for (i = 0; i < BLOCKS; i++)
        CHECK_OK(gc_buffer_destroy(blocks[i]));
}

static void memory_is_used_again_when_no_graph_keeps_it(void) {
    gc_pool *pool = open_pool(rig.context);
    gc_buffer *first = allocate_from(pool, 1024), *second;
    uint64_t address = address_of(first);
    gc_graph_exec *exec = capture_exec(&rig, pool, first, 5);
    CHECK_OK(gc_stream_memset(rig.stream, first, 0, 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(first));
    second = allocate_from(pool, 1024);
    CHECK(address_of(second) != address);
    CHECK_OK(gc_stream_memset(rig.stream, second, 0, 1, 4, 1));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, second, 0) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    first = allocate_from(pool, 1024);
    if (!blocks_lie_apart())
        CHECK(address_of(first) == address && read_u32(rig.stream, first, 0) == 5);
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_pool_destroy(pool));
}

/* Whether a call gave that status, and a message with one text and without the other. */
static int says(gc_status expected, gc_status given, const char *with, const char *without) {
    char message[1024] = "";
    gc_last_error_message(message, sizeof message, NULL);
    if (given == expected && strstr(message, with) != NULL && strstr(message, without) == NULL)
        return 1;
    fprintf(stderr, "    %d: %s\n", (int)given, message);
    return 0;
}

static gc_status take_it_all(const gc_pool *pool) {
    gc_buffer *none = NULL;
    const gc_status status = gc_pool_allocate(pool, 4 << 20, &none);
    CHECK((none != NULL) == (status == GRAPHCAP_SUCCESS));
    if (none != NULL)
        CHECK_OK(gc_buffer_destroy(none));
    return status;
}

/* To wait is of use where work uses what is destroyed, and nowhere else. */
static void a_full_pool_says_to_wait_where_that_helps(void) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_pool *pool = NULL;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    options.capacity = 4 << 20;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    buffer = allocate_from(pool, 3 << 20);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(says(GRAPHCAP_ERROR_OUT_OF_MEMORY, take_it_all(pool), "destroy buffers of it, or make a pool of a larger capacity", "wait"));
    if (!on_stand_in()) {
        struct gate gate;
        gate_init(&gate);
        CHECK_OK(launch_hold(&rig, rig.stream, &gate));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
        CHECK(says(GRAPHCAP_ERROR_OUT_OF_MEMORY, take_it_all(pool), "destroy buffers of it", "wait"));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK(says(GRAPHCAP_ERROR_OUT_OF_MEMORY, take_it_all(pool), "wait for the work that uses buffers which are destroyed", "execs"));
        gate_open(&gate);
        CHECK_OK(gc_context_synchronize(rig.context));
        CHECK_OK(take_it_all(pool));
        buffer = allocate_from(pool, 3 << 20);
        gate_free(&gate);
    }
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(says(GRAPHCAP_ERROR_OUT_OF_MEMORY, take_it_all(pool), "the graphs and graph execs that keep them", "wait"));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(take_it_all(pool));
    CHECK_OK(gc_pool_destroy(pool));
}

static void a_pool_has_a_capacity(void) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_pool *pool = NULL;
    gc_buffer *buffer, *none = NULL;
    options.capacity = 4 << 20;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    CHECK_MESSAGE(gc_pool_allocate(pool, (size_t)(4 << 20) + 1, &none), GRAPHCAP_ERROR_OUT_OF_MEMORY, "capacity");
    CHECK(says(GRAPHCAP_ERROR_OUT_OF_MEMORY, gc_pool_allocate(pool, (size_t)(4 << 20) + 1, &none), "larger capacity", "wait"));
    CHECK_STATUS(gc_pool_allocate(pool, SIZE_MAX, &none), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(gc_pool_allocate(pool, 0, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(none == NULL);
    buffer = allocate_from(pool, 4 << 20);
    CHECK_STATUS(gc_pool_allocate(pool, 1, &none), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_OK(gc_buffer_destroy(buffer));
    buffer = allocate_from(pool, 1);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_pool_destroy(pool));
    options.capacity = SIZE_MAX;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    CHECK_STATUS(gc_pool_allocate(pool, 1, &none), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_OK(gc_pool_destroy(pool));
    options.flags = 2;
    CHECK_STATUS(gc_pool_create(rig.context, &options, &pool), GRAPHCAP_ERROR_INVALID_VALUE);
}

/* Allocating while a capture goes on harms no capture, of whatever mode, also where the pool grows. */
static void captures_go_on_while_pools_grow(void) {
    gc_buffer *buffers[3];
    gc_graph_exec *exec;
    gc_pool *pool = open_pool(rig.context);
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture_with_pool(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    for (i = 0; i < 3; i++) {
        buffers[i] = allocate_from(pool, (size_t)3 << 20);
        CHECK_OK(gc_stream_memset(rig.stream, buffers[i], 0, i, 4, 1));
        CHECK_OK(launch_add(&rig, rig.stream, buffers[i], 0, 10, 1));
        if (i < 2)
            CHECK_OK(gc_buffer_destroy(buffers[i]));
    }
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_pool_destroy(pool));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffers[2], 0) == 12);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(read_u32(rig.stream, buffers[2], 0) == 12);
    CHECK_OK(gc_buffer_destroy(buffers[2]));
}

/* A thousand graphs share one pool, and go in another order than they came. */
static void many_graphs_share_a_pool(void) {
    enum { GRAPHS = 1000 };
    static gc_graph_exec *execs[GRAPHS];
    struct departures departures;
    struct object object;
    static const unsigned order[] = {1};
    gc_pool *pool = open_pool(rig.context);
    gc_buffer *buffer = allocate_from(pool, 4);
    unsigned i, count = soak(100, GRAPHS);
    departures_init(&departures);
    add_object(pool, &object, &departures, 1);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    for (i = 0; i < count; i++)
        execs[i] = capture_exec(&rig, pool, buffer, 1);
    CHECK_OK(gc_pool_destroy(pool));
    for (i = 0; i < count; i++)
        CHECK_OK(gc_graph_launch(execs[i], rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == count);
    CHECK_OK(gc_buffer_destroy(buffer));
    for (i = 0; i < count; i++) {
        unsigned other = (unsigned)((i * 7919ul) % count);
        CHECK(count_of(&departures.count) == 0);
        CHECK_OK(gc_graph_exec_destroy(execs[other]));
    }
    CHECK(went(&departures, order, 1));
    departures_free(&departures);
}

int main(void) {
    foreign_open(&foreign);
    rig_open(&rig);
    RUN(objects_go_in_their_order_after_the_last_exec);
    RUN(every_capture_can_have_a_pool);
    RUN(an_update_brings_the_pool_of_the_new_graph);
    RUN(an_edited_graph_keeps_its_pool);
    RUN(a_sealed_pool_takes_nothing_in);
    RUN(a_pool_that_is_kept_is_not_cleared);
    RUN(pools_and_contexts_are_not_mixed);
    RUN(pools_are_found_by_their_numbers);
    RUN(memory_is_memory);
    RUN(memory_is_used_again_when_no_graph_keeps_it);
    RUN(a_pool_has_a_capacity);
    RUN(a_full_pool_says_to_wait_where_that_helps);
    RUN(captures_go_on_while_pools_grow);
    RUN(many_graphs_share_a_pool);
    rig_close(&rig);
    foreign_close(&foreign);
    return check_finish();
}
