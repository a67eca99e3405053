/* What graphs tell of themselves: the kinds of their nodes, what these do, what orders them, and which buffers, kernels and
 * events they use; of nodes that were added and of nodes that were captured. */
#include "nodes.h"

enum { WORDS = 64 };

static struct rig rig;
static gc_buffer *buffer, *values;
static gc_event *event;

/* ---- One node of each kind ---- */

enum kind { KERNEL, COPY, SET, HOST, VALUES, RECORD, WAIT, CHILD, EMPTY, KINDS };

static const uint32_t numbers[KINDS] = {GRAPHCAP_NODE_KERNEL,       GRAPHCAP_NODE_MEMCPY,       GRAPHCAP_NODE_MEMSET,
                                        GRAPHCAP_NODE_HOST,         GRAPHCAP_NODE_BATCH_MEM_OP, GRAPHCAP_NODE_EVENT_RECORD,
                                        GRAPHCAP_NODE_EVENT_WAIT,   GRAPHCAP_NODE_CHILD,        GRAPHCAP_NODE_EMPTY};

static unsigned calls;

static gc_graph *open_all(gc_node nodes[KINDS]) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 32, buffer, 0, 16);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 8, 0x12345678, 4, 3, 1, 0);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(values, 4, 7, GRAPHCAP_WRITE_VALUE_DEFAULT),
                              GRAPHCAP_MEM_OP_INIT_WAIT32(values, 4, 7, GRAPHCAP_WAIT_VALUE_EQ),
                              GRAPHCAP_MEM_OP_INIT_WRITE64(values, 16, UINT64_C(0x123456789abc), 0),
                              GRAPHCAP_MEM_OP_INIT_WAIT64(values, 16, 1, GRAPHCAP_WAIT_VALUE_GEQ)};
    gc_node inner = 0;
    nodes[KERNEL] = add_node(&rig, graph, NULL, 0, buffer, 2, 77);
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &nodes[COPY]));
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &nodes[SET]));
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls, NULL, &nodes[HOST]));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, operations, 4, &nodes[VALUES]));
    REQUIRE_OK(gc_graph_add_event_record_node(graph, NULL, 0, event, &nodes[RECORD]));
    REQUIRE_OK(gc_graph_add_event_wait_node(graph, NULL, 0, event, &nodes[WAIT]));
    REQUIRE_OK(gc_graph_add_empty_node(child, NULL, 0, &inner));
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &nodes[CHILD]));
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &nodes[EMPTY]));
    REQUIRE_OK(gc_graph_destroy(child));
    return graph;
}

static void every_node_tells_its_kind(void) {
    gc_node nodes[KINDS];
    gc_graph *graph = open_all(nodes), *other = open_graph(rig.context);
    uint32_t kind = 7;
    size_t i;
    for (i = 0; i < KINDS; i++)
        CHECK(kind_of(graph, nodes[i]) == numbers[i]);
    CHECK_STATUS(gc_node_kind(other, nodes[0], &kind), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(kind == 0);
    CHECK_STATUS(gc_node_kind(graph, 0, &kind), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_kind(graph, UINT64_MAX, &kind), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A getter answers for its own kind alone, and clears what it was given else. */
static void getters_answer_for_their_kind(void) {
    gc_node nodes[KINDS];
    gc_graph *graph = open_all(nodes);
    size_t i;
    for (i = 0; i < KINDS; i++) {
        const gc_status as_kernel = i == KERNEL ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        const gc_status as_copy = i == COPY ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        const gc_status as_set = i == SET ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        const gc_status as_values = i == VALUES ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        const gc_status as_event = i == RECORD || i == WAIT ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        const gc_status as_host = i == HOST ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        const gc_status as_child = i == CHILD ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        gc_kernel_node_params kernel_params;
        gc_memcpy_node_params memcpy_params;
        gc_memset_node_params memset_params;
        gc_mem_op_node_params mem_op_params;
        gc_host_node_params host_params = GRAPHCAP_HOST_NODE_PARAMS_INIT;
        gc_conditional_node_params conditional_params = GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT;
        gc_kernel *kernel = NULL;
        gc_event *found = NULL;
        gc_graph *child = NULL;
        unsigned char bytes[16];
        char text[16];
        size_t count = 7;
        memset(&kernel_params, 0xff, sizeof kernel_params);
        memset(&mem_op_params, 0xff, sizeof mem_op_params);
        kernel_params.struct_size = sizeof kernel_params;
        memcpy_params.struct_size = sizeof memcpy_params;
        memset_params.struct_size = sizeof memset_params;
        mem_op_params.struct_size = sizeof mem_op_params;
        CHECK_STATUS(gc_node_get_kernel_params(graph, nodes[i], &kernel_params), as_kernel);
        CHECK_STATUS(gc_node_get_argument(graph, nodes[i], 0, bytes, sizeof bytes, NULL), as_kernel);
        CHECK_STATUS(gc_node_kernel_name(graph, nodes[i], text, sizeof text, NULL), as_kernel);
        CHECK_STATUS(gc_node_get_kernel(graph, nodes[i], &kernel), as_kernel);
        CHECK_STATUS(gc_node_get_memcpy_params(graph, nodes[i], &memcpy_params), as_copy);
        CHECK_STATUS(gc_node_get_memset_params(graph, nodes[i], &memset_params), as_set);
        CHECK_STATUS(gc_node_get_mem_op_params(graph, nodes[i], 0, &mem_op_params, &count), as_values);
        CHECK_STATUS(gc_node_get_host_params(graph, nodes[i], &host_params), as_host);
        CHECK_STATUS(gc_node_get_conditional_params(graph, nodes[i], &conditional_params), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_STATUS(gc_node_get_event(graph, nodes[i], &found), as_event);
        CHECK_STATUS(gc_node_get_graph(graph, nodes[i], 0, &child), as_child);
        CHECK((kernel_params.grid_dim[0] != 0) == (i == KERNEL) && (mem_op_params.kind != 0) == (i == VALUES));
        CHECK(count == (i == VALUES ? 4u : 0u));
        CHECK((host_params.user_data == &calls) == (i == HOST));
        CHECK((kernel != NULL) == (i == KERNEL) && (found != NULL) == (i == RECORD || i == WAIT) &&
              (child != NULL) == (i == CHILD));
        CHECK_OK(gc_kernel_destroy(kernel));
        CHECK_OK(gc_event_destroy(found));
        CHECK_OK(gc_graph_destroy(child));
    }
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- What nodes do ---- */

static uint64_t address_of(const gc_buffer *of) {
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(of, &address));
    return address;
}

/* A node that adds `number` to word `index`, whoever made it. */
static void tells_an_add(const gc_graph *graph, gc_node node, unsigned index, uint32_t number, uint32_t blocks,
                         uint32_t threads, uint64_t words) {
    gc_kernel_node_params params;
    gc_kernel *kernel = NULL;
    uint64_t address = 0, passed_words = 0;
    uint32_t passed = 0;
    char name[16] = "", whole[64];
    unsigned char small[2] = {9, 9};
    size_t needed = 0;
    params.struct_size = sizeof params;
    CHECK_OK(gc_node_get_kernel_params(graph, node, &params));
    CHECK(params.grid_dim[0] == blocks && params.grid_dim[1] == 1 && params.grid_dim[2] == 1);
    CHECK(params.block_dim[0] == threads && params.block_dim[1] == 1 && params.block_dim[2] == 1);
    CHECK(params.shared_mem_bytes == 0 && params.reserved == 0);
    CHECK(params.argument_layout == GRAPHCAP_ARGUMENTS_SEPARATE && params.argument_count == 3);
    CHECK_OK(gc_node_get_argument(graph, node, 0, &address, sizeof address, &needed));
    CHECK(needed == 8 && address == address_of(buffer) + index * sizeof(uint32_t));
    CHECK_OK(gc_node_get_argument(graph, node, 1, &passed, sizeof passed, NULL));
    CHECK_OK(gc_node_get_argument(graph, node, 2, &passed_words, sizeof passed_words, NULL));
    CHECK(passed == number && passed_words == words);
    CHECK_OK(gc_node_get_argument(graph, node, 1, NULL, 0, &needed));
    CHECK(needed == 4);
    CHECK_STATUS(gc_node_get_argument(graph, node, 1, small, sizeof small, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed == 4 && memcmp(small, &number, 2) == 0);
    CHECK_MESSAGE(gc_node_get_argument(graph, node, 1, NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "needed");
    CHECK_MESSAGE(gc_node_get_argument(graph, node, 3, &passed, sizeof passed, &needed), GRAPHCAP_ERROR_INVALID_VALUE,
                  "index");
    CHECK(needed == 0 && passed == 0);
    CHECK_STATUS(gc_node_get_argument(graph, node, SIZE_MAX, &passed, sizeof passed, &needed), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_node_kernel_name(graph, node, name, sizeof name, &needed));
    CHECK(strcmp(name, "add") == 0 && needed == 4);
    CHECK_OK(gc_node_get_kernel(graph, node, &kernel));
    CHECK_OK(gc_kernel_name(kernel, whole, sizeof whole, NULL));
    CHECK(strcmp(whole, "add") == 0);
    CHECK_OK(gc_kernel_destroy(kernel));
}

/* Row `params.kernel_get_after_add`. */
static void kernels_are_read_back(void) {
    gc_graph *graph = open_graph(rig.context), *captured = NULL;
    gc_node node = add_node(&rig, graph, NULL, 0, buffer, 2, 77), nodes[1];
    struct kernel_call call;
    tells_an_add(graph, node, 2, 77, 1, 64, 1);
    CHECK_OK(set_kernel(graph, node, call_add(&call, &rig, buffer, 5, 99)));
    tells_an_add(graph, node, 5, 99, 1, 64, 1);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 8, 3, 200));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK_OK(gc_graph_get_nodes(captured, nodes, 1, NULL));
    tells_an_add(captured, nodes[0], 2, 3, 4, 64, 200);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
}

/* The kernel that a node gives can be launched when every other handle of it is gone. */
static void a_kernel_of_a_node_is_a_kernel(void) {
    gc_module *module = load_kernels(rig.context);
    gc_kernel *fill = get_kernel(module, "fill"), *found = NULL;
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    struct kernel_call call;
    gc_node node = 0;
    clear_words(&rig, buffer);
    call_fill(&call, &rig, buffer, 1, 5);
    call.kernel = fill;
    CHECK_OK(add_kernel(graph, NULL, 0, &call, &node));
    CHECK_OK(gc_kernel_destroy(fill));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_node_get_kernel(graph, node, &found));
    CHECK_OK(gc_graph_destroy(graph));
    graph = open_graph(rig.context);
    call_fill(&call, &rig, buffer, 2, 6);
    call.kernel = found;
    CHECK_OK(add_kernel(graph, NULL, 0, &call, &node));
    CHECK_OK(gc_kernel_destroy(found));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 1) == 0 && read_u32(rig.stream, buffer, 2) == 6);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Row `params.memcpy_get`. */
static void copies_are_read_back(void) {
    gc_graph *graph = open_graph(rig.context), *captured = NULL;
    uint32_t memory[64] = {0};
    gc_host_buffer *pinned = NULL;
    gc_memcpy_params row = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 32, buffer, 4, 16);
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 8, memory, 12);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(memory, buffer, 8, 12);
    gc_memcpy_params block = GRAPHCAP_MEMCPY_INIT_DTOH(memory, buffer, 16, 8);
    gc_memcpy_node_params params;
    gc_node node = 0, nodes[1];
    params.struct_size = sizeof params;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, 0, &pinned));
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &row, &node));
    CHECK_OK(gc_node_get_memcpy_params(graph, node, &params));
    CHECK(params.struct_size == sizeof params && params.direction == GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE);
    CHECK(params.destination == address_of(buffer) + 32 && params.source == address_of(buffer) + 4 && params.size == 16);
    CHECK(params.height == 1 && params.depth == 1 && params.destination_pitch == 16 && params.source_pitch == 16);
    CHECK(params.destination_slice_pitch == 0 && params.source_slice_pitch == 0);
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &in, &node));
    CHECK_OK(gc_node_get_memcpy_params(graph, node, &params));
    CHECK(params.direction == GRAPHCAP_MEMCPY_HOST_TO_DEVICE && params.source == (uint64_t)(uintptr_t)memory);
    CHECK(params.destination == address_of(buffer) + 8 && params.size == 12);
    CHECK_OK(gc_node_set_memcpy(graph, node, &out));
    CHECK_OK(gc_node_get_memcpy_params(graph, node, &params));
    CHECK(params.direction == GRAPHCAP_MEMCPY_DEVICE_TO_HOST && params.destination == (uint64_t)(uintptr_t)memory);
    block.height = 3;
    block.depth = 2;
    block.source_pitch = 16;
    block.source_slice_height = 4;
    block.destination_pitch = 24;
    block.destination_slice_height = 3;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &block, &node));
    CHECK_OK(gc_node_get_memcpy_params(graph, node, &params));
    CHECK(params.size == 8 && params.height == 3 && params.depth == 2);
    CHECK(params.source_pitch == 16 && params.source_slice_pitch == 64);
    CHECK(params.destination_pitch == 24 && params.destination_slice_pitch == 72);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, buffer, 64, buffer, 8, 20));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK_OK(gc_graph_get_nodes(captured, nodes, 1, NULL));
    CHECK_OK(gc_node_get_memcpy_params(captured, nodes[0], &params));
    CHECK(params.direction == GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE && params.size == 20);
    CHECK(params.destination == address_of(buffer) + 64 && params.source == address_of(buffer) + 8);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(pinned));
}

/* Row `params.memset_get`. */
static void memsets_are_read_back(void) {
    gc_graph *graph = open_graph(rig.context), *captured = NULL;
    gc_memset_params row = GRAPHCAP_MEMSET_INIT(buffer, 8, 0x12345678, 4, 3, 1, 0);
    gc_memset_params rows = GRAPHCAP_MEMSET_INIT(buffer, 4, 0xabcd, 2, 5, 3, 32);
    gc_memset_node_params params;
    gc_node node = 0, nodes[1];
    params.struct_size = sizeof params;
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &row, &node));
    CHECK_OK(gc_node_get_memset_params(graph, node, &params));
    CHECK(params.element_size == 4 && params.value == 0x12345678 && params.width == 3 && params.height == 1);
    CHECK(params.address == address_of(buffer) + 8 && params.pitch == 0 && params.reserved == 0);
    CHECK_OK(gc_node_set_memset(graph, node, &rows));
    CHECK_OK(gc_node_get_memset_params(graph, node, &params));
    CHECK(params.element_size == 2 && params.value == 0xabcd && params.width == 5 && params.height == 3);
    CHECK(params.address == address_of(buffer) + 4 && params.pitch == 32);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 12, 9, 1, 17));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK_OK(gc_graph_get_nodes(captured, nodes, 1, NULL));
    CHECK_OK(gc_node_get_memset_params(captured, nodes[0], &params));
    CHECK(params.element_size == 1 && params.value == 9 && params.width == 17 && params.height == 1);
    CHECK(params.address == address_of(buffer) + 12);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Row `params.batch_get`. */
static void value_operations_are_read_back(void) {
    static const uint32_t kinds[] = {GRAPHCAP_MEM_OP_WRITE_VALUE32, GRAPHCAP_MEM_OP_WAIT_VALUE32,
                                     GRAPHCAP_MEM_OP_WRITE_VALUE64, GRAPHCAP_MEM_OP_WAIT_VALUE64};
    static const uint64_t numbers_written[] = {7, 7, UINT64_C(0x123456789abc), 1};
    static const uint32_t flags[] = {GRAPHCAP_WRITE_VALUE_DEFAULT, GRAPHCAP_WAIT_VALUE_EQ, GRAPHCAP_WRITE_VALUE_DEFAULT,
                                     GRAPHCAP_WAIT_VALUE_GEQ};
    static const size_t offsets[] = {4, 4, 16, 16};
    gc_node nodes[KINDS], captured_node;
    gc_graph *graph = open_all(nodes), *captured = NULL;
    gc_mem_op_node_params params;
    size_t count = 0, i;
    params.struct_size = sizeof params;
    for (i = 0; i < 4; i++) {
        CHECK_OK(gc_node_get_mem_op_params(graph, nodes[VALUES], i, &params, &count));
        CHECK(count == 4 && params.kind == kinds[i] && params.address == address_of(values) + offsets[i]);
        CHECK(params.value == numbers_written[i] && params.flags == flags[i] && params.reserved == 0);
        /* The count need not be asked for. */
        CHECK_OK(gc_node_get_mem_op_params(graph, nodes[VALUES], i, &params, NULL));
    }
    CHECK_MESSAGE(gc_node_get_mem_op_params(graph, nodes[VALUES], 4, &params, &count), GRAPHCAP_ERROR_INVALID_VALUE, "index");
    CHECK(count == 0 && params.kind == 0 && params.address == 0);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_write_value32(rig.stream, values, 8, 5, GRAPHCAP_WRITE_VALUE_DEFAULT));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK_OK(gc_graph_get_nodes(captured, &captured_node, 1, NULL));
    CHECK_OK(gc_node_get_mem_op_params(captured, captured_node, 0, &params, &count));
    CHECK(count == 1 && params.kind == GRAPHCAP_MEM_OP_WRITE_VALUE32 && params.value == 5);
    CHECK(params.address == address_of(values) + 8);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
}

static void calls_are(const gc_graph *graph, gc_node node, const void *user_data) {
    gc_host_node_params params = GRAPHCAP_HOST_NODE_PARAMS_INIT;
    CHECK_OK(gc_node_get_host_params(graph, node, &params));
    CHECK(params.is_foreign == 0 && params.function == count_call && params.user_data == user_data);
}

/* As it was given, of nodes that were added, changed, captured and copied. */
static void host_functions_are_read_back(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL, *captured = NULL;
    gc_node node = 0, copied = 0, recorded = 0;
    unsigned other = 0;
    CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls, NULL, &node));
    calls_are(graph, node, &calls);
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_node_find_in_clone(graph, node, clone, &copied));
    CHECK_OK(gc_node_set_host(graph, node, count_call, &other, NULL));
    calls_are(graph, node, &other);
    calls_are(clone, copied, &calls);
    CHECK_OK(gc_node_set_host(graph, node, count_call, NULL, NULL));
    calls_are(graph, node, NULL);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &other, NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK_OK(gc_graph_get_nodes(captured, &recorded, 1, NULL));
    calls_are(captured, recorded, &other);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Of each kind, with the number of bodies, in a graph within a node too. */
static void conditions_are_read_back(void) {
    static const struct {
        uint32_t kind, bodies;
    } made[] = {{GRAPHCAP_CONDITIONAL_IF, 1}, {GRAPHCAP_CONDITIONAL_WHILE, 1}, {GRAPHCAP_CONDITIONAL_IF, 2}, {GRAPHCAP_CONDITIONAL_SWITCH, 3}};
    gc_graph *graph = open_graph(rig.context), *within = graph, *body;
    size_t i;
    for (i = 0; i < LENGTH_OF(made); i++) {
        gc_conditional_node_params params = GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT;
        gc_condition condition = 0;
        gc_node node = 0;
        CHECK_OK(gc_graph_create_condition(within, 0, 0, &condition));
        REQUIRE_OK(gc_graph_add_conditional_node(within, NULL, 0, condition, made[i].kind, made[i].bodies, &node));
        CHECK_OK(gc_node_get_conditional_params(within, node, &params));
        CHECK(params.kind == made[i].kind && params.condition == condition);
        CHECK(params.body_count == made[i].bodies && params.reserved == 0);
        REQUIRE_OK(gc_node_get_graph(within, node, params.body_count - 1, &body));
        if (within != graph)
            CHECK_OK(gc_graph_destroy(within));
        within = body;
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(graph));
}

static uint64_t id_of(const gc_event *of) {
    uint64_t id = 0;
    CHECK_OK(gc_event_id(of, &id));
    return id;
}

/* The event is the same one, also when its last handle is gone. */
static void events_are_read_back(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL;
    gc_event *first = open_event(rig.context), *second = open_event(rig.context), *found = NULL;
    const uint64_t id_of_first = id_of(first), id_of_second = id_of(second);
    gc_node record = 0, wait = 0, copied = 0;
    CHECK_OK(gc_graph_add_event_record_node(graph, NULL, 0, first, &record));
    CHECK_OK(gc_graph_add_event_wait_node(graph, NULL, 0, first, &wait));
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_node_set_event_wait(graph, wait, second));
    CHECK_OK(gc_event_destroy(first));
    CHECK_OK(gc_event_destroy(second));
    CHECK_OK(gc_node_get_event(graph, record, &found));
    CHECK(id_of(found) == id_of_first);
    CHECK_OK(gc_event_destroy(found));
    CHECK_OK(gc_node_get_event(graph, wait, &found));
    CHECK(id_of(found) == id_of_second);
    CHECK_OK(gc_event_destroy(found));
    CHECK_OK(gc_node_find_in_clone(graph, wait, clone, &copied));
    CHECK_OK(gc_node_get_event(clone, copied, &found));
    CHECK(id_of(found) == id_of_first);
    CHECK_OK(gc_event_destroy(found));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- What orders nodes ---- */

static void lists_are(gc_status (*list)(const gc_graph *, gc_node, gc_node *, size_t, size_t *), const gc_graph *graph,
                      gc_node node, const gc_node *wanted, size_t count) {
    gc_node found[8];
    size_t needed = 77, capacity, i;
    for (capacity = 0; capacity <= 8; capacity++) {
        memset(found, 0xff, sizeof found);
        CHECK_STATUS(list(graph, node, found, capacity, &needed),
                     capacity == 0 || capacity >= count ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
        CHECK(needed == count);
        for (i = 0; i < 8; i++)
            CHECK(found[i] == (i >= capacity ? UINT64_MAX : i < count ? wanted[i] : 0));
    }
    CHECK_OK(list(graph, node, NULL, 0, &needed));
    CHECK_STATUS(list(graph, node, NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
}

static gc_status list_roots(const gc_graph *graph, gc_node node, gc_node *found, size_t capacity, size_t *needed) {
    (void)node;
    return gc_graph_get_roots(graph, found, capacity, needed);
}

static gc_status list_order(const gc_graph *graph, gc_node node, gc_node *found, size_t capacity, size_t *needed) {
    (void)node;
    return gc_graph_get_order(graph, found, capacity, needed);
}

static void neighbours_and_order_are_told(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL;
    gc_node n[6], copies[6];
    size_t i, count = 0;
    for (i = 0; i < 6; i++)
        CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &n[i]));
    {
        /* 4 and 5 before 0, that before 1 and 2, these before 3. */
        const gc_node from[] = {n[5], n[4], n[0], n[0], n[2], n[1], n[5]}, to[] = {n[0], n[0], n[2], n[1], n[3], n[3], n[3]};
        CHECK_OK(gc_graph_add_dependencies(graph, from, to, NULL, 7));
    }
    {
        const gc_node of_0[] = {n[4], n[5]}, of_3[] = {n[1], n[2], n[5]}, after_0[] = {n[1], n[2]}, after_5[] = {n[0], n[3]};
        const gc_node roots[] = {n[4], n[5]}, order[] = {n[4], n[5], n[0], n[1], n[2], n[3]};
        lists_are(gc_node_get_dependencies, graph, n[0], of_0, 2);
        lists_are(gc_node_get_dependencies, graph, n[3], of_3, 3);
        lists_are(gc_node_get_dependencies, graph, n[4], NULL, 0);
        lists_are(gc_node_get_dependents, graph, n[0], after_0, 2);
        lists_are(gc_node_get_dependents, graph, n[5], after_5, 2);
        lists_are(gc_node_get_dependents, graph, n[3], NULL, 0);
        lists_are(list_roots, graph, 0, roots, 2);
        lists_are(list_order, graph, 0, order, 6);
        /* A copy has the same order. */
        CHECK_OK(gc_graph_clone(graph, &clone));
        for (i = 0; i < 6; i++)
            CHECK_OK(gc_node_find_in_clone(graph, order[i], clone, &copies[i]));
        lists_are(list_order, clone, 0, copies, 6);
        CHECK_OK(gc_graph_destroy(clone));
    }
    CHECK_STATUS(gc_node_get_dependencies(graph, 0, n, 6, &count), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(count == 0 && n[0] == 0);
    CHECK_OK(gc_graph_destroy(graph));
    graph = open_graph(rig.context);
    lists_are(list_roots, graph, 0, NULL, 0);
    lists_are(list_order, graph, 0, NULL, 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Buffers by address ---- */

/* The buffer at an address has the size and the address of the one that is wanted; 0 for none. */
static void finds(uint64_t address, const gc_buffer *wanted, size_t offset) {
    gc_buffer *found = NULL;
    gc_host_buffer *host_buffer = NULL;
    size_t offset_found = 77;
    CHECK_OK(gc_context_find_buffer(rig.context, address, &found, &host_buffer, &offset_found));
    CHECK(found != NULL && host_buffer == NULL && offset_found == offset);
    if (found != NULL)
        CHECK(address_of(found) == address_of(wanted));
    CHECK_OK(gc_buffer_destroy(found));
    CHECK_OK(gc_context_find_buffer(rig.context, address, &found, &host_buffer, NULL));
    CHECK_OK(gc_buffer_destroy(found));
}

static void finds_none(uint64_t address) {
    gc_buffer *found = buffer;
    gc_host_buffer *host_buffer = NULL;
    size_t offset = 77;
    CHECK_STATUS(gc_context_find_buffer(rig.context, address, &found, &host_buffer, &offset), GRAPHCAP_ERROR_NOT_FOUND);
    CHECK(found == NULL && host_buffer == NULL && offset == 0);
}

static void buffers_are_found_by_address(void) {
    gc_buffer *other = open_buffer(rig.context, 256);
    gc_host_buffer *pinned = NULL, *found_pinned = NULL;
    gc_buffer *found = NULL;
    const uint64_t address = address_of(other);
    uint64_t device = 0;
    void *pointer = NULL, *again = NULL;
    size_t offset = 0;
    finds(address, other, 0);
    finds(address + 255, other, 255);
    finds(address_of(buffer) + 4, buffer, 4);
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &pinned));
    CHECK_OK(gc_host_buffer_pointer(pinned, &pointer));
    CHECK_OK(gc_host_buffer_device_address(pinned, &device));
    CHECK_OK(gc_context_find_buffer(rig.context, (uint64_t)(uintptr_t)pointer + 8, &found, &found_pinned, &offset));
    CHECK(found == NULL && found_pinned != NULL && offset == 8);
    CHECK_OK(gc_host_buffer_pointer(found_pinned, &again));
    CHECK(again == pointer);
    CHECK_OK(gc_host_buffer_destroy(found_pinned));
    CHECK_OK(gc_context_find_buffer(rig.context, device + 63, &found, &found_pinned, &offset));
    CHECK(found == NULL && found_pinned != NULL && offset == 63);
    CHECK_OK(gc_host_buffer_destroy(found_pinned));
    finds_none(0);
    finds_none(1);
    finds_none(UINT64_MAX);
    CHECK_OK(gc_host_buffer_destroy(pinned));
    finds_none(device + 8);
    /* The handle that was found keeps the buffer alive. */
    CHECK_OK(gc_context_find_buffer(rig.context, address, &found, &found_pinned, NULL));
    CHECK_OK(gc_buffer_destroy(other));
    finds(address + 1, found, 1);
    CHECK_OK(gc_stream_memset(rig.stream, found, 0, 1, 1, 256));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(found));
    finds_none(address + 8);
}

/* ---- The same of graphs that contain others ---- */

static void graphs_within_nodes_are_read_too(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *within = NULL;
    gc_node node = 0, nodes[3], inner = add_node(&rig, child, NULL, 0, buffer, 2, 77);
    gc_event *found = NULL;
    gc_node record = 0;
    size_t count = 0;
    CHECK_OK(gc_graph_add_event_record_node(child, &inner, 1, event, &record));
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    CHECK_OK(gc_node_get_graph(graph, node, 0, &within));
    CHECK_OK(gc_graph_get_order(within, nodes, 3, &count));
    CHECK(count == 2 && kind_of(within, nodes[0]) == GRAPHCAP_NODE_KERNEL &&
          kind_of(within, nodes[1]) == GRAPHCAP_NODE_EVENT_RECORD);
    tells_an_add(within, nodes[0], 2, 77, 1, 64, 1);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_node_get_event(within, nodes[1], &found));
    CHECK(id_of(found) == id_of(event));
    CHECK_OK(gc_event_destroy(found));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(graph));
}

static int has_as_many(gc_graph *found, const gc_graph *wanted) {
    gc_node found_nodes[4] = {0}, wanted_nodes[4] = {0};
    CHECK_OK(gc_graph_get_nodes(found, found_nodes, 4, NULL));
    CHECK_OK(gc_graph_get_nodes(wanted, wanted_nodes, 4, NULL));
    CHECK_OK(gc_graph_destroy(found));
    return found_nodes[0] != 0 && memcmp(found_nodes, wanted_nodes, sizeof found_nodes) == 0;
}

static void a_node_tells_the_graph_that_has_it(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *deepest = open_graph(rig.context);
    gc_graph *body = NULL, *within = NULL, *deep = NULL, *found = NULL;
    gc_condition condition = 0;
    gc_node plain = add_node(&rig, graph, NULL, 0, buffer, 0, 1), holder = 0, choice = 0, in_body = 0, in_child = 0;
    gc_node nodes[2] = {0, 0}, lowest = 0, gone = 0;
    add_node(&rig, deepest, NULL, 0, buffer, 1, 2);
    CHECK_OK(gc_graph_add_child_node(child, NULL, 0, deepest, &holder));
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &holder));
    CHECK_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    CHECK_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &choice));
    CHECK_OK(gc_node_get_graph(graph, choice, 0, &body));
    in_body = add_node(&rig, body, NULL, 0, buffer, 2, 3);
    CHECK_OK(gc_node_get_graph(graph, holder, 0, &within));
    CHECK_OK(gc_graph_get_nodes(within, nodes, 2, NULL));
    in_child = nodes[0];
    CHECK_OK(gc_node_get_graph(within, in_child, 0, &deep));
    CHECK_OK(gc_graph_get_nodes(deep, &lowest, 1, NULL));
    CHECK_OK(gc_node_get_containing_graph(graph, plain, &found));
    CHECK(has_as_many(found, graph));
    CHECK_OK(gc_node_get_containing_graph(graph, choice, &found));
    CHECK(has_as_many(found, graph));
    CHECK_OK(gc_node_get_containing_graph(graph, in_body, &found));
    CHECK(has_as_many(found, body));
    CHECK_OK(gc_node_get_containing_graph(graph, in_child, &found));
    CHECK(has_as_many(found, within));
    CHECK_OK(gc_node_get_containing_graph(graph, lowest, &found));
    CHECK(has_as_many(found, deep));
    CHECK_OK(gc_node_get_containing_graph(within, lowest, &found));
    CHECK(has_as_many(found, deep));
    CHECK_MESSAGE(gc_node_get_containing_graph(within, plain, &found), GRAPHCAP_ERROR_INVALID_VALUE, "has a node");
    CHECK(found == NULL);
    CHECK_STATUS(gc_node_get_containing_graph(deep, in_body, &found), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_get_nodes(deepest, &gone, 1, NULL));
    CHECK_STATUS(gc_node_get_containing_graph(graph, gone, &found), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_get_containing_graph(graph, 0, &found), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_get_containing_graph(graph, UINT64_MAX, &found), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_remove_node(graph, plain));
    CHECK_STATUS(gc_node_get_containing_graph(graph, plain, &found), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_node_get_containing_graph(within, lowest, &found), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(deep));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(deepest));
    CHECK_OK(gc_graph_destroy(child));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * 16);
    values = open_waitable(rig.context, 64);
    event = open_event(rig.context);
    RUN(every_node_tells_its_kind);
    RUN(getters_answer_for_their_kind);
    RUN(kernels_are_read_back);
    RUN(a_kernel_of_a_node_is_a_kernel);
    RUN(copies_are_read_back);
    RUN(memsets_are_read_back);
    RUN(value_operations_are_read_back);
    RUN(host_functions_are_read_back);
    RUN(conditions_are_read_back);
    RUN(events_are_read_back);
    RUN(neighbours_and_order_are_told);
    RUN(buffers_are_found_by_address);
    RUN(graphs_within_nodes_are_read_too);
    RUN(a_node_tells_the_graph_that_has_it);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(values));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
