/* Memory that nodes of graphs allocate and free: what a launch leaves, who frees it, what a graph with such nodes cannot do. */
#include "nodes.h"

static struct rig rig;

enum { WORDS = 16, BYTES = WORDS * 4 };

/* A graph that allocates memory, sets all its words to a value, and frees it or leaves it. */
struct program {
    gc_graph *graph;
    gc_node alloc, set, free;
    gc_buffer *memory;
};

static gc_node set_node(const gc_graph *graph, const gc_node *dependencies, size_t count, const gc_buffer *memory, uint32_t value) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(memory, 0, value, 4, WORDS, 1, 0);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memset_node(graph, dependencies, count, &set, &node));
    return node;
}

static struct program open_program(uint32_t value, int frees) {
    struct program made = {NULL, 0, 0, 0, NULL};
    made.graph = open_graph(rig.context);
    REQUIRE_OK(gc_graph_add_mem_alloc_node(made.graph, NULL, 0, BYTES, &made.alloc, &made.memory));
    made.set = set_node(made.graph, &made.alloc, 1, made.memory, value);
    if (frees)
        REQUIRE_OK(gc_graph_add_mem_free_node(made.graph, &made.set, 1, made.memory, &made.free));
    return made;
}

static void close_program(struct program *made) {
    CHECK_OK(gc_buffer_destroy(made->memory));
    CHECK_OK(gc_graph_destroy(made->graph));
}

/* What a launch answers; it is waited for. */
static gc_status launch_once(const gc_graph_exec *exec) {
    gc_status status = gc_graph_launch(exec, rig.stream);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return status;
}

/* Whether a stream can work on the memory now. */
static gc_status use(const gc_buffer *memory, uint32_t value) {
    gc_status status = gc_stream_memset(rig.stream, memory, 0, value, 4, WORDS);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return status;
}

static gc_status free_now(const gc_buffer *memory) {
    gc_status status = gc_stream_mem_free(rig.stream, memory);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    return status;
}

static uint64_t address_of(const gc_buffer *memory) {
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(memory, &address));
    return address;
}

/* Rows `mem.eager_use_before_launch`, `mem.unfreed_relaunch`, `mem.double_free_async`. */
static void memory_is_alive_from_a_launch_to_its_free(void) {
    struct program made = open_program(5, 0);
    gc_graph_exec *exec = open_exec(made.graph);
    int round;
    CHECK(address_of(made.memory) % 512 == 0);
    CHECK_STATUS(use(made.memory, 9), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(free_now(made.memory), GRAPHCAP_ERROR_INVALID_VALUE);
    for (round = 0; round < 3; round++) {
        CHECK_OK(launch_once(exec));
        CHECK(read_u32(rig.stream, made.memory, WORDS - 1) == 5);
        CHECK_OK(use(made.memory, 7));
        check_message(__FILE__, __LINE__, "gc_graph_launch", launch_once(exec), GRAPHCAP_ERROR_INVALID_VALUE,
                      "GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH");
        CHECK(read_u32(rig.stream, made.memory, 0) == 7);
        CHECK_OK(free_now(made.memory));
        CHECK_STATUS(free_now(made.memory), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_program(&made);
}

/* Rows `mem.two_execs`, `mem.exec_destroyed_unfreed`. */
static void memory_outlives_exec_and_graph(void) {
    struct program made = open_program(5, 0);
    gc_graph_exec *exec = open_exec(made.graph), *second = NULL;
    CHECK_OK(launch_once(exec));
    CHECK_STATUS(gc_graph_instantiate(made.graph, NULL, &second), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(use(made.memory, 7));
    exec = open_exec(made.graph);
    CHECK_STATUS(launch_once(exec), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(made.graph));
    CHECK(read_u32(rig.stream, made.memory, 3) == 7);
    CHECK_OK(free_now(made.memory));
    CHECK_OK(gc_buffer_destroy(made.memory));
}

/* Frees the memory in a graph that is never launched. */
static void capture_a_free(const gc_buffer *memory) {
    gc_graph *graph = NULL;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_mem_free(rig.stream, memory));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

/* NVIDIA's driver crashes in freeing memory that is allocated while another exec of its graph is uploaded. */
static void an_upload_loses_no_memory(void) {
    unsigned way;
    for (way = 0; way < 8; way++) {
        const int by_flag = (way & 1) != 0, frees_itself = (way & 2) != 0, is_free_captured = (way & 4) != 0;
        gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
        struct program made = open_program(5, 0);
        gc_graph_exec *exec = open_exec(made.graph);
        CHECK_OK(launch_once(exec));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(use(made.memory, 7));
        if (is_free_captured)
            capture_a_free(made.memory);
        options.flags = (by_flag ? GRAPHCAP_INSTANTIATE_UPLOAD : 0) | (frees_itself ? GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH : 0);
        options.upload_stream = by_flag ? rig.stream : NULL;
        REQUIRE_OK(gc_graph_instantiate(made.graph, &options, &exec));
        CHECK_OK(gc_graph_upload(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(read_u32(rig.stream, made.memory, 0) == 7);
        CHECK_OK(free_now(made.memory));
        CHECK_OK(gc_graph_upload(exec, rig.stream));
        CHECK_OK(launch_once(exec));
        CHECK(read_u32(rig.stream, made.memory, WORDS - 1) == 5);
        CHECK_OK(free_now(made.memory));
        CHECK_OK(gc_graph_exec_destroy(exec));
        close_program(&made);
    }
}

/* What nobody can name any more is freed. */
static void memory_that_nobody_has_is_freed(void) {
    gc_graph_memory before = GRAPHCAP_GRAPH_MEMORY_INIT, after = GRAPHCAP_GRAPH_MEMORY_INIT;
    int round;
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory(rig.context, &before));
    for (round = 0; round < 4; round++) {
        struct program made = open_program(5, 0);
        gc_graph_exec *exec = open_exec(made.graph);
        CHECK_OK(launch_once(exec));
        if (round % 2 == 0)
            close_program(&made);
        CHECK_OK(gc_graph_exec_destroy(exec));
        if (round % 2 != 0)
            close_program(&made);
    }
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory(rig.context, &after));
    CHECK(after.reserved_bytes == before.reserved_bytes);
}

/* Rows `mem.free_graph_cycle`, `mem.free_graph_by_stream_after`, `mem.only_free_node_two_execs`. */
static void another_graph_frees(void) {
    struct program made = open_program(5, 0);
    gc_graph *freeing = open_graph(rig.context), *clone = NULL;
    gc_graph_exec *alloc = open_exec(made.graph), *frees, *second = NULL;
    gc_node node = 0;
    int round;
    REQUIRE_OK(gc_graph_add_mem_free_node(freeing, NULL, 0, made.memory, &node));
    CHECK_STATUS(gc_graph_clone(freeing, &clone), GRAPHCAP_ERROR_NOT_SUPPORTED);
    frees = open_exec(freeing);
    CHECK_STATUS(gc_graph_instantiate(freeing, NULL, &second), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(launch_once(frees), GRAPHCAP_ERROR_INVALID_VALUE);
    for (round = 0; round < 2; round++) {
        CHECK_OK(launch_once(alloc));
        CHECK_STATUS(launch_once(alloc), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_OK(launch_once(frees));
        CHECK_STATUS(launch_once(frees), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_STATUS(use(made.memory, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    CHECK_OK(launch_once(alloc));
    CHECK_OK(free_now(made.memory));
    CHECK_STATUS(launch_once(frees), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_exec_destroy(alloc));
    CHECK_OK(gc_graph_exec_destroy(frees));
    CHECK_OK(gc_graph_destroy(freeing));
    close_program(&made);
}

/* Rows `mem.free_*`. */
static void each_allocation_is_freed_once(void) {
    struct program made = open_program(5, 1), left = open_program(6, 0);
    gc_graph *other = open_graph(rig.context), *third = open_graph(rig.context);
    gc_buffer *plain = open_buffer(rig.context, BYTES);
    gc_node node = 0;
    CHECK_MESSAGE(gc_graph_add_mem_free_node(other, NULL, 0, plain, &node), GRAPHCAP_ERROR_INVALID_VALUE, "allocates");
    CHECK_STATUS(gc_stream_mem_free(rig.stream, plain), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_add_mem_free_node(made.graph, &made.free, 1, made.memory, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_add_mem_free_node(other, NULL, 0, made.memory, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(node == 0 && nodes_of(made.graph) == 3 && nodes_of(other) == 0);
    CHECK_OK(gc_graph_add_mem_free_node(other, NULL, 0, left.memory, &node));
    CHECK_STATUS(gc_graph_add_mem_free_node(left.graph, &left.set, 1, left.memory, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_add_mem_free_node(third, NULL, 0, left.memory, &node));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(third));
    CHECK_OK(gc_buffer_destroy(plain));
    close_program(&made);
    close_program(&left);
}

/* Rows `mem.edit_restrictions`, `reuse.alloc*`, `params.alloc_*`, `getters.alloc*`, `enable.alloc`, `child.alloc*`, `body.alloc*`,
 * `mem_alloc.size_0`. */
static void graphs_that_allocate_are_bound(void) {
    struct program made = open_program(5, 1);
    gc_graph *other = open_graph(rig.context), *clone = NULL, *body = NULL;
    gc_graph_exec *exec;
    gc_buffer *memory = NULL, *none = NULL;
    gc_mem_alloc_node_params alloc = {sizeof alloc, 0, 0, 0};
    gc_mem_free_node_params freed = {sizeof freed, 0, 0};
    gc_condition condition = 0;
    gc_node node = 0, early = 0;
    int32_t enabled = 0;
    REQUIRE_OK(gc_graph_add_empty_node(made.graph, NULL, 0, &early));
    CHECK(kind_of(made.graph, made.alloc) == GRAPHCAP_NODE_MEM_ALLOC && kind_of(made.graph, made.free) == GRAPHCAP_NODE_MEM_FREE);
    CHECK_OK(gc_node_get_mem_alloc_params(made.graph, made.alloc, &alloc));
    CHECK_OK(gc_node_get_mem_free_params(made.graph, made.free, &freed));
    CHECK(alloc.size == BYTES && alloc.address == address_of(made.memory) && freed.address == alloc.address);
    CHECK_STATUS(gc_node_get_mem_alloc_params(made.graph, made.free, &alloc), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_get_mem_free_params(made.graph, made.alloc, &freed), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_get_buffer(made.graph, made.set, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_buffer_destroy(made.memory));
    made.memory = NULL;
    CHECK_OK(gc_node_get_buffer(made.graph, made.free, &memory));
    CHECK(address_of(memory) == alloc.address || alloc.address == 0);
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_node_get_buffer(made.graph, made.alloc, &memory));
    CHECK_STATUS(gc_graph_remove_node(made.graph, made.alloc), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_remove_node(made.graph, made.free), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_remove_node(made.graph, early), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_remove_dependencies(made.graph, &made.set, &made.free, 1), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(gc_graph_add_dependencies(made.graph, &early, &made.set, NULL, 1));
    CHECK_STATUS(gc_graph_clone(made.graph, &clone), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_STATUS(gc_graph_add_child_node(other, NULL, 0, made.graph, &node), GRAPHCAP_ERROR_NOT_SUPPORTED);
    exec = open_exec(made.graph);
    CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, made.alloc, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_is_node_enabled(exec, made.free, &enabled), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(launch_once(exec));
    CHECK_OK(launch_once(exec));
    CHECK_STATUS(use(memory, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_add_mem_alloc_node(other, NULL, 0, 0, &node, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(node == 0 && none == NULL && nodes_of(other) == 0);
    REQUIRE_OK(gc_graph_create_condition(other, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(other, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(other, node, 0, &body));
    CHECK_OK(gc_graph_add_mem_alloc_node(body, NULL, 0, BYTES, &node, &none));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_STATUS(gc_graph_instantiate(other, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_buffer_destroy(none));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(made.graph));
}

/* A child that is there cannot come to allocate. */
static void children_do_not_allocate(void) {
    gc_graph *graph = open_graph(rig.context), *leaf = open_graph(rig.context), *within = NULL;
    gc_node node = 0;
    gc_buffer *none = NULL;
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, leaf, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &within));
    CHECK_STATUS(gc_graph_add_mem_alloc_node(within, NULL, 0, BYTES, &node, &none), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(leaf));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Kernels and copies in the graph use the memory, and a copy takes the result out. */
static void nodes_compute_in_memory_of_the_graph(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *result = open_buffer(rig.context, BYTES), *memory = NULL;
    gc_memcpy_params copy;
    gc_graph_exec *exec;
    gc_node nodes[4] = {0};
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, BYTES, &nodes[0], &memory));
    nodes[1] = fill_node(&rig, graph, &nodes[0], 1, memory, 2, 40);
    nodes[2] = add_node(&rig, graph, &nodes[1], 1, memory, 2, 2);
    {
        gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, memory, 8, 4);
        copy = out;
    }
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &nodes[2], 1, &copy, &nodes[3]));
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &nodes[3], 1, memory, &nodes[0]));
    CHECK_OK(gc_buffer_destroy(memory));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, result, 0) == 42);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(result));
}

/* Row `mem.unfreed_relaunch`, with the flag that frees. */
static void an_exec_can_free_by_itself(void) {
    struct program made = open_program(5, 0);
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL;
    int round;
    options.flags = GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH;
    REQUIRE_OK(gc_graph_instantiate(made.graph, &options, &exec));
    for (round = 0; round < 3; round++) {
        CHECK_OK(launch_once(exec));
        CHECK(read_u32(rig.stream, made.memory, 0) == 5);
        CHECK_OK(use(made.memory, 7));
    }
    CHECK_OK(free_now(made.memory));
    CHECK_OK(launch_once(exec));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(read_u32(rig.stream, made.memory, 0) == 5);
    CHECK_OK(free_now(made.memory));
    close_program(&made);
}

/* A text has what nodes allocate, and the import makes memory of its own for it. */
static void allocations_are_read_back(void) {
    struct program made = open_program(5, 0);
    static char text[16384], differences[1024];
    gc_graph *again = NULL;
    gc_graph_exec *exec;
    gc_buffer *memory = NULL;
    gc_node nodes[4];
    size_t count = 0;
    CHECK_OK(gc_set_name(made.memory, "scratch"));
    REQUIRE_OK(gc_graph_export_json(made.graph, text, sizeof text, NULL));
    REQUIRE_OK(gc_graph_import_json(rig.context, text, strlen(text), NULL, 0, &again));
    CHECK_OK(gc_graph_diff(made.graph, again, differences, sizeof differences, NULL));
    CHECK(differences[0] == '\0');
    CHECK_OK(gc_graph_get_nodes(again, nodes, 4, &count));
    CHECK(count == nodes_of(made.graph));
    REQUIRE_OK(gc_node_get_buffer(again, nodes[0], &memory));
    CHECK(address_of(memory) != address_of(made.memory));
    exec = open_exec(again);
    CHECK_OK(launch_once(exec));
    CHECK(read_u32(rig.stream, memory, WORDS - 1) == 5);
    CHECK_OK(free_now(memory));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_buffer_destroy(memory));
    close_program(&made);
}

/* Row `mem.address_reuse_in_graph`. */
static void freed_memory_is_allocated_again(void) {
    struct program made = open_program(5, 1);
    gc_buffer *again = NULL, *beside = NULL;
    gc_node node = 0, other = 0;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(made.graph, NULL, 0, BYTES, &other, &beside));
    REQUIRE_OK(gc_graph_add_mem_alloc_node(made.graph, &made.free, 1, BYTES, &node, &again));
    CHECK(address_of(again) == address_of(made.memory) && address_of(beside) != address_of(made.memory));
    CHECK_OK(gc_buffer_destroy(again));
    CHECK_OK(gc_buffer_destroy(beside));
    close_program(&made);
}

/* A free that is still queued ends what streams can do with the memory, as one that has run. */
static void memory_is_not_used_behind_a_queued_free(void) {
    struct program made;
    struct gate gate;
    gc_graph_exec *exec;
    uint32_t word = 0;
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(&word, NULL, 0, 4), in = GRAPHCAP_MEMCPY_INIT_HTOD(NULL, 0, &word, 4);
    NOT_ON_CUDA("a free that is queued cannot be held back");
    made = open_program(5, 0);
    exec = open_exec(made.graph);
    out.source = made.memory;
    in.destination = made.memory;
    gate_init(&gate);
    CHECK_OK(launch_once(exec));
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memset(rig.stream, made.memory, 0, 6, 4, 1)); /* ahead of the free */
    CHECK_OK(gc_stream_mem_free(rig.stream, made.memory));
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &out), GRAPHCAP_ERROR_INVALID_VALUE, "not allocated");
    CHECK_STATUS(gc_stream_memcpy(rig.stream, &in), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_memset(rig.stream, made.memory, 0, 1, 4, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_context_memcpy(rig.context, &out), GRAPHCAP_ERROR_INVALID_VALUE);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_STATUS(use(made.memory, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(launch_once(exec));
    CHECK_OK(use(made.memory, 7));
    CHECK_OK(free_now(made.memory));
    gate_free(&gate);
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_program(&made);
}

/* A free that a capture records, of what another graph allocates. Row `mem.capture_free_of_outside_alloc`: other memory is not freed
 * so, and the capture goes on. */
static void a_capture_records_a_free(void) {
    struct program made = open_program(5, 0);
    gc_buffer *outside = open_buffer(rig.context, BYTES);
    gc_graph *recorded = NULL;
    gc_graph_exec *alloc = open_exec(made.graph), *frees;
    gc_node nodes[2] = {0};
    size_t count = 0;
    gc_buffer *memory = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_stream_mem_free(rig.stream, made.memory));
    CHECK_STATUS(gc_stream_mem_free(rig.stream, NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_stream_mem_free(rig.stream, outside), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &recorded));
    CHECK_OK(gc_graph_get_nodes(recorded, nodes, 2, &count));
    CHECK(count == 1 && kind_of(recorded, nodes[0]) == GRAPHCAP_NODE_MEM_FREE);
    CHECK_OK(gc_node_get_buffer(recorded, nodes[0], &memory));
    CHECK(address_of(memory) == address_of(made.memory));
    CHECK_OK(gc_buffer_destroy(memory));
    frees = open_exec(recorded);
    CHECK_OK(launch_once(alloc));
    CHECK_OK(launch_once(frees));
    CHECK_STATUS(use(made.memory, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_exec_destroy(frees));
    CHECK_OK(gc_graph_exec_destroy(alloc));
    CHECK_OK(gc_graph_destroy(recorded));
    CHECK_OK(gc_buffer_destroy(outside));
    close_program(&made);
}

/* A free that is not recorded is an unsafe call. */
static void captures_bar_frees(void) {
    struct program made = open_program(5, 0);
    gc_graph_exec *exec = open_exec(made.graph);
    gc_stream *captured = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *recorded = NULL;
    CHECK_OK(launch_once(exec));
    REQUIRE_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_mem_free(rig.stream, made.memory), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(captured, &recorded), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    REQUIRE_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory_reset_high(rig.context));
    CHECK_OK(free_now(made.memory));
    CHECK_OK(gc_stream_end_capture(captured, &recorded));
    CHECK_OK(gc_graph_destroy(recorded));
    CHECK_OK(gc_stream_destroy(captured));
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_program(&made);
}

static gc_graph_memory memory_now(void) {
    gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
    CHECK_OK(gc_context_graph_memory(rig.context, &memory));
    return memory;
}

static int is_memory(gc_graph_memory memory, uint64_t now, uint64_t high) {
    return memory.used_bytes == now && memory.used_high == high && memory.reserved_bytes == now && memory.reserved_high == high;
}

/* Rows `mem.attrs_unfreed`, `mem_alloc.size_1`, `mem.addresses_across_graphs`. */
static void memory_of_graphs_is_counted_in_steps(void) {
    const uint64_t step = (uint64_t)32 << 20;
    struct program made = open_program(5, 0), a = open_program(1, 1), b = open_program(2, 1);
    gc_graph_exec *exec = open_exec(made.graph), *first = open_exec(a.graph), *second = open_exec(b.graph);
    CHECK_OK(gc_context_collect(rig.context));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory_reset_high(rig.context));
    CHECK(is_memory(memory_now(), 0, 0));
    CHECK_OK(launch_once(exec));
    CHECK(is_memory(memory_now(), step, step));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK(is_memory(memory_now(), step, step));
    CHECK_OK(free_now(made.memory));
    CHECK(is_memory(memory_now(), step, step));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK(is_memory(memory_now(), 0, step));
    CHECK_OK(gc_context_graph_memory_reset_high(rig.context));
    CHECK(is_memory(memory_now(), 0, 0));
    CHECK_OK(launch_once(first));
    CHECK(is_memory(memory_now(), step, step));
    CHECK_OK(launch_once(second));
    CHECK(is_memory(memory_now(), step, step));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_exec_destroy(first));
    CHECK_OK(gc_graph_exec_destroy(second));
    close_program(&made);
    close_program(&a);
    close_program(&b);
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
}

/* Row `mem.alloc_free_3_launches`. */
static void an_upload_counts_the_memory_of_launches(void) {
    const uint64_t step = (uint64_t)32 << 20;
    struct program made = open_program(1, 1);
    gc_graph_exec *exec = open_exec(made.graph);
    unsigned i;
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory_reset_high(rig.context));
    CHECK(is_memory(memory_now(), 0, 0));
    CHECK_OK(gc_graph_upload(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(is_memory(memory_now(), step, step));
    for (i = 0; i < 3; i++) {
        CHECK_OK(launch_once(exec));
        CHECK(is_memory(memory_now(), step, step));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_program(&made);
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
}

static void work_before_the_first_launch_is_told_to_wait_for_it(void) {
    struct program made;
    gc_graph_exec *exec;
    uint32_t word = 0;
    NOT_ON_CUDA("the driver does not tell memory of nodes from other memory");
    made = open_program(1, 0);
    exec = open_exec(made.graph);
    CHECK_MESSAGE(gc_stream_memset(rig.stream, made.memory, 0, 1, 4, 1), GRAPHCAP_ERROR_INVALID_VALUE, "launch the graph first");
    CHECK_MESSAGE(gc_stream_memcpy_htod(rig.stream, made.memory, 0, &word, 4), GRAPHCAP_ERROR_INVALID_VALUE, "launch the graph first");
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_program(&made);
}

/* Row `mem.edit_after_instantiate`. */
static void what_an_exec_leaves_allocated_its_graph_does_not_free_later(void) {
    gc_graph *graph = open_graph(rig.context), *other = open_graph(rig.context);
    gc_node allocated, freed = 0;
    gc_buffer *memory;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, BYTES, &allocated, &memory));
    exec = open_exec(graph);
    CHECK_MESSAGE(gc_graph_add_mem_free_node(graph, &allocated, 1, memory, &freed), GRAPHCAP_ERROR_INVALID_VALUE,
                  on_cuda() ? "" : "free it outside of the graph with gc_stream_mem_free()");
    CHECK(freed == 0 && nodes_of(graph) == 1);
    CHECK_OK(gc_graph_add_mem_free_node(other, NULL, 0, memory, &freed));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Row `mem.concurrent_execs_of_two_graphs`. */
static void graphs_that_run_at_once_have_memory_each(void) {
    const uint64_t step = (uint64_t)32 << 20;
    struct program a, b;
    gc_graph_exec *first, *second;
    gc_stream *side;
    struct gate gate;
    NOT_ON_CUDA("needs pending work, which a stand-in for the driver does not have");
    a = open_program(1, 1), b = open_program(2, 1);
    first = open_exec(a.graph), second = open_exec(b.graph);
    side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gate_init(&gate);
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory_reset_high(rig.context));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(first, rig.stream));
    CHECK_OK(gc_graph_launch(second, side));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(side));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(is_memory(memory_now(), 2 * step, 2 * step));
    gate_free(&gate);
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_graph_exec_destroy(first));
    CHECK_OK(gc_graph_exec_destroy(second));
    close_program(&a);
    close_program(&b);
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
}

/* Nobody but work of the context, and none that waits for values, uses the memory of graphs. */
static void some_work_refuses_memory_of_graphs(void) {
    struct program made = open_program(5, 0);
    gc_context *other = open_context();
    gc_buffer *theirs = open_buffer(other, BYTES);
    CHECK_STATUS(gc_stream_write_value32(rig.stream, made.memory, 0, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_context_memcpy_peer(other, theirs, 0, made.memory, 0, 4), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(gc_buffer_destroy(theirs));
    CHECK_OK(gc_context_destroy(other));
    close_program(&made);
}

/* Row `mem.address_after_graph_destroyed`: the second graph may have the address of the first one. */
static void memory_of_a_destroyed_graph_is_not_anothers(void) {
    struct program gone = open_program(5, 0), made;
    gc_graph_exec *exec;
    CHECK_OK(gc_graph_destroy(gone.graph));
    made = open_program(6, 0);
    exec = open_exec(made.graph);
    CHECK_OK(launch_once(exec));
    CHECK_STATUS(free_now(gone.memory), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_buffer_destroy(gone.memory));
    CHECK_STATUS(launch_once(exec), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(free_now(made.memory));
    CHECK_OK(launch_once(exec));
    CHECK_OK(free_now(made.memory));
    CHECK_OK(gc_graph_exec_destroy(exec));
    close_program(&made);
}

/* Row `mem.free_ordered_before_alloc`. */
static void a_free_may_come_before_its_allocation(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    gc_node alloc = 0, node = 0;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, BYTES, &alloc, &memory));
    CHECK_OK(gc_graph_add_mem_free_node(graph, NULL, 0, memory, &node));
    CHECK_OK(gc_graph_add_dependencies(graph, &node, &alloc, NULL, 1));
    exec = open_exec(graph);
    CHECK_OK(launch_once(exec));
    CHECK_OK(launch_once(exec));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Row `mem.use_not_ordered_after_alloc`. What a launch would do is not defined. */
static void work_need_not_wait_for_the_allocation(void) {
    struct program made = open_program(5, 0);
    gc_buffer *result = open_buffer(rig.context, BYTES);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, made.memory, 0, BYTES);
    gc_graph_exec *exec;
    gc_node node = 0;
    fill_node(&rig, made.graph, NULL, 0, made.memory, 0, 1);
    set_node(made.graph, NULL, 0, made.memory, 2);
    CHECK_OK(gc_graph_add_memcpy_node(made.graph, NULL, 0, &copy, &node));
    CHECK(nodes_of(made.graph) == 5 && edges_of(made.graph) == 1);
    exec = open_exec(made.graph);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(result));
    close_program(&made);
}

/* Row `mem.value_kept_between_launches`: another graph and a stream see what the launch that allocated has left. */
static void memory_keeps_its_value_between_launches(void) {
    struct program made = open_program(1, 0);
    gc_graph *reading = open_graph(rig.context);
    gc_buffer *result = open_buffer(rig.context, BYTES);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, made.memory, 0, BYTES);
    gc_graph_exec *exec = open_exec(made.graph), *reads;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memcpy_node(reading, NULL, 0, &copy, &node));
    reads = open_exec(reading);
    CHECK_OK(launch_once(exec));
    CHECK_OK(launch_once(reads));
    CHECK(read_u32(rig.stream, result, 0) == 1 && read_u32(rig.stream, result, WORDS - 1) == 1);
    CHECK(read_u32(rig.stream, made.memory, 0) == 1);
    CHECK_OK(free_now(made.memory));
    CHECK_OK(gc_graph_exec_destroy(reads));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(result));
    CHECK_OK(gc_graph_destroy(reading));
    close_program(&made);
}

/* Row `mem.launch_in_two_streams`: of an exec that frees what it allocates; its launches run one after another. */
static void an_exec_that_allocates_is_launched_in_two_streams(void) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    struct program made = open_program(5, 1);
    gc_graph_exec *exec = open_exec(made.graph);
    unsigned round;
    for (round = 0; round < 8; round++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_graph_launch(exec, side));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_stream_synchronize(side));
    CHECK_STATUS(use(made.memory, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(side));
    close_program(&made);
}

/* No node is taken from a graph that allocates, so that one whose attributes are refused must not be added at all. */
static void refused_attributes_leave_no_node_behind(void) {
    struct program made = open_program(5, 1);
    gc_launch_attribute cluster;
    struct kernel_call call;
    gc_node node = 1;
    call_fill(&call, &rig, made.memory, 0, 9);
    call.config.grid_dim[0] = 4;
    call.config.attributes = &cluster;
    call.config.attribute_count = 1;
    gc_launch_attribute_init_dimensions(&cluster, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 3, 1, 1);
    CHECK_STATUS(add_kernel(made.graph, &made.alloc, 1, &call, &node), GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE);
    CHECK(node == 0 && nodes_of(made.graph) == 3);
    close_program(&made);
}

int main(void) {
    rig_open(&rig);
    RUN(memory_is_alive_from_a_launch_to_its_free);
    RUN(memory_outlives_exec_and_graph);
    RUN(an_upload_loses_no_memory);
    RUN(memory_that_nobody_has_is_freed);
    RUN(another_graph_frees);
    RUN(each_allocation_is_freed_once);
    RUN(graphs_that_allocate_are_bound);
    RUN(children_do_not_allocate);
    RUN(nodes_compute_in_memory_of_the_graph);
    RUN(an_exec_can_free_by_itself);
    RUN(allocations_are_read_back);
    RUN(freed_memory_is_allocated_again);
    RUN(memory_is_not_used_behind_a_queued_free);
    RUN(a_capture_records_a_free);
    RUN(captures_bar_frees);
    RUN(memory_of_graphs_is_counted_in_steps);
    RUN(an_upload_counts_the_memory_of_launches);
    RUN(what_an_exec_leaves_allocated_its_graph_does_not_free_later);
    RUN(graphs_that_run_at_once_have_memory_each);
    RUN(work_before_the_first_launch_is_told_to_wait_for_it);
    RUN(some_work_refuses_memory_of_graphs);
    RUN(memory_of_a_destroyed_graph_is_not_anothers);
    RUN(a_free_may_come_before_its_allocation);
    RUN(work_need_not_wait_for_the_allocation);
    RUN(memory_keeps_its_value_between_launches);
    RUN(an_exec_that_allocates_is_launched_in_two_streams);
    RUN(refused_attributes_leave_no_node_behind);
    rig_close(&rig);
    return check_finish();
}
