/* gc_work: one description of each kind of work, given to a stream, to a capture, to a graph as a node, to a node that is set, to one of a
 * graph exec, and to a script. */
#include "kernels.h"

enum { WORDS = 16, BYTES = WORDS * 4 };

static struct rig rig;
static gc_buffer *data, *other;
static unsigned calls, destroyed;

static void count_destroy(void *user_data) {
    (void)user_data;
    __atomic_fetch_add(&destroyed, 1, __ATOMIC_SEQ_CST);
}

/* As CHECK_MESSAGE, for the functions of this test, which no message names. */
static void check_says(int line, gc_status got, gc_status expected, const char *word) {
    char message[1024] = "";
    gc_last_error_message(message, sizeof message, NULL);
    if (check_status(__FILE__, line, word, got, expected) && check_failed(check_contains(message, word)))
        fprintf(stderr, "%s:%d: the message does not contain '%s': %s\n", __FILE__, line, word, message);
}

#define SAYS(call, expected, word) check_says(__LINE__, (call), (expected), (word))

/* ---- Descriptions; what they point to is static, and written over when the call has returned ---- */

static gc_launch_config config;
static gc_kernel_arg arguments[3];
static uint32_t added;
static uint64_t count;
static gc_memcpy_params copy;
static gc_memset_params set;
static gc_mem_op operation;
static gc_rng_uniform_params uniform;
static gc_sgemm_params product;
static char name[32];

static gc_work of_kind(uint32_t kind) {
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = kind;
    return work;
}

static gc_work add_work(uint32_t value) {
    const gc_launch_config shape = GRAPHCAP_LAUNCH_CONFIG(1, WORDS);
    const gc_kernel_arg first = GRAPHCAP_ARG_INIT_BUFFER(data);
    const gc_kernel_arg second = GRAPHCAP_ARG_INIT_VALUE(added), third = GRAPHCAP_ARG_INIT_VALUE(count);
    gc_work work = of_kind(GRAPHCAP_WORK_KERNEL);
    added = value;
    count = WORDS;
    config = shape;
    arguments[0] = first;
    arguments[1] = second;
    arguments[2] = third;
    work.kernel = rig.add;
    work.config = &config;
    work.arguments = arguments;
    work.argument_count = 3;
    return work;
}

static gc_work copy_work(const gc_buffer *to, const gc_buffer *from) {
    const gc_memcpy_params params = GRAPHCAP_MEMCPY_INIT_DTOD(to, 0, from, 0, BYTES);
    gc_work work = of_kind(GRAPHCAP_WORK_MEMCPY);
    copy = params;
    work.memcpy_params = &copy;
    return work;
}

static gc_work set_work(const gc_buffer *buffer, uint32_t value) {
    const gc_memset_params params = GRAPHCAP_MEMSET_INIT(buffer, 0, value, 4, WORDS, 1, 0);
    gc_work work = of_kind(GRAPHCAP_WORK_MEMSET);
    set = params;
    work.memset_params = &set;
    return work;
}

static gc_work host_work(void) {
    gc_work work = of_kind(GRAPHCAP_WORK_HOST);
    work.function = count_call;
    work.user_data = &calls;
    work.destroy = count_destroy;
    return work;
}

static gc_work value_work(const gc_buffer *buffer, uint32_t value) {
    const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, value, 0);
    gc_work work = of_kind(GRAPHCAP_WORK_MEM_OPS);
    operation = write;
    work.operations = &operation;
    work.operation_count = 1;
    return work;
}

static gc_work child_work(const gc_graph *graph) {
    gc_work work = of_kind(GRAPHCAP_WORK_CHILD_GRAPH);
    work.graph = graph;
    return work;
}

static gc_work event_work(uint32_t kind, const gc_event *event, uint32_t flags) {
    gc_work work = of_kind(kind);
    work.event = event;
    work.flags = flags;
    return work;
}

static gc_work named(gc_work work, const char *called) {
    snprintf(name, sizeof name, "%s", called);
    work.name = name;
    return work;
}

/* Whoever kept a pointer into a description would find nonsense there. */
static void overwrite(void) {
    memset(&config, 0xa5, sizeof config);
    memset(arguments, 0xa5, sizeof arguments);
    memset(&added, 0xa5, sizeof added);
    memset(&count, 0xa5, sizeof count);
    memset(&copy, 0xa5, sizeof copy);
    memset(&set, 0xa5, sizeof set);
    memset(&operation, 0xa5, sizeof operation);
    memset(&uniform, 0xa5, sizeof uniform);
    memset(&product, 0xa5, sizeof product);
    memset(name, 0, sizeof name);
}

static gc_status submit(gc_work work, gc_node *node) {
    gc_status status = gc_stream_submit(rig.stream, &work, node);
    memset(&work, 0xa5, sizeof work);
    overwrite();
    return status;
}

static gc_status add_to(const gc_graph *graph, const gc_node *before, gc_work work, gc_node *node) {
    gc_status status = gc_graph_add_node(graph, before, NULL, before == NULL ? 0 : 1, &work, node);
    memset(&work, 0xa5, sizeof work);
    overwrite();
    return status;
}

static uint32_t word(const gc_buffer *buffer) {
    return read_u32(rig.stream, buffer, 0);
}

static uint32_t kind_of(const gc_graph *graph, gc_node node) {
    uint32_t kind = 99;
    CHECK_OK(gc_node_kind(graph, node, &kind));
    return kind;
}

static void check_named(const gc_graph *graph, gc_node node, const char *wanted) {
    char text[64] = "";
    CHECK_OK(gc_node_get_name(graph, node, text, sizeof text, NULL));
    CHECK(strcmp(text, wanted) == 0);
}

static gc_graph *doubling(void) {
    gc_graph *graph = NULL;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(add_to(graph, NULL, add_work(7), &node));
    return graph;
}

static uint32_t launched(const gc_graph *graph, const gc_buffer *buffer) {
    gc_graph_exec *exec = NULL;
    uint32_t found;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    found = word(buffer);
    REQUIRE_OK(gc_graph_exec_destroy(exec));
    return found;
}

/* Whether the driver is too old for the work. */
static int is_lacking(gc_status status) {
    CHECK(status == GRAPHCAP_SUCCESS || (on_cuda() && status == GRAPHCAP_ERROR_NOT_SUPPORTED));
    return status != GRAPHCAP_SUCCESS;
}

/* ---- Streams ---- */

static void a_stream_runs_each_kind(void) {
    gc_graph *child = doubling();
    gc_event *event = open_event(rig.context);
    gc_buffer *waitable = open_waitable(rig.context, 8);
    gc_node node = 5;
    calls = destroyed = 0;
    CHECK_OK(submit(set_work(data, 3), &node));
    CHECK(node == 0 && word(data) == 3);
    CHECK_OK(submit(named(add_work(4), "has no use"), NULL));
    CHECK(word(data) == 7);
    CHECK_OK(submit(copy_work(other, data), NULL));
    CHECK(word(other) == 7);
    CHECK_OK(submit(host_work(), NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(calls == 1);
    SAYS(submit(child_work(child), NULL), GRAPHCAP_ERROR_ILLEGAL_STATE, "not being captured");
    if (waitable != NULL) {
        CHECK_OK(submit(value_work(waitable, 9), NULL));
        CHECK(word(waitable) == 9);
    }
    CHECK_OK(submit(event_work(GRAPHCAP_WORK_EVENT_RECORD, event, 0), NULL));
    CHECK_OK(submit(event_work(GRAPHCAP_WORK_EVENT_WAIT, event, 0), NULL));
    CHECK_OK(gc_event_synchronize(event));
    CHECK_OK(gc_buffer_destroy(waitable));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_graph_destroy(child));
}

static void a_capture_tells_its_nodes_and_names_them(void) {
    gc_graph *child = doubling(), *graph = NULL;
    gc_event *event = open_event(rig.context);
    gc_node kernel = 0, fill = 0, marked = 1, empty = 1, host = 0, nested = 0;
    gc_work nothing;
    calls = destroyed = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(submit(named(set_work(data, 1), "clear"), &fill));
    CHECK_OK(submit(named(add_work(2), "add two"), &kernel));
    CHECK_OK(submit(event_work(GRAPHCAP_WORK_EVENT_RECORD, event, 0), &marked));
    nothing = copy_work(other, data);
    copy.size = 0;
    CHECK_OK(submit(nothing, &empty));
    CHECK_OK(submit(named(host_work(), "tell"), &host));
    CHECK_OK(submit(named(child_work(child), "seven more"), &nested));
    CHECK_OK(submit(named(copy_work(other, data), "out"), NULL));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(kernel != 0 && fill != 0 && host != 0 && nested != 0 && marked == 0 && empty == 0);
    CHECK(kind_of(graph, kernel) == GRAPHCAP_NODE_KERNEL && kind_of(graph, fill) == GRAPHCAP_NODE_MEMSET);
    CHECK(kind_of(graph, host) == GRAPHCAP_NODE_HOST && kind_of(graph, nested) == GRAPHCAP_NODE_CHILD);
    check_named(graph, fill, "clear");
    check_named(graph, kernel, "add two");
    check_named(graph, host, "tell");
    check_named(graph, nested, "seven more");
    CHECK(launched(graph, other) == 10 && calls == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_event_destroy(event));
}

static void a_stream_refuses_what_only_nodes_are(void) {
    gc_work allocation = of_kind(GRAPHCAP_WORK_MEM_ALLOC), setter = of_kind(GRAPHCAP_WORK_SET_CONDITION);
    allocation.size = 64;
    setter.condition = 1;
    setter.buffer = data;
    CHECK_MESSAGE(gc_stream_submit(rig.stream, &allocation, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "gc_pool_allocate_on_stream");
    SAYS(submit(of_kind(GRAPHCAP_WORK_EMPTY), NULL), GRAPHCAP_ERROR_INVALID_VALUE, "empty work");
    CHECK_STATUS(gc_stream_submit(rig.stream, &setter, NULL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    SAYS(submit(of_kind(14), NULL), GRAPHCAP_ERROR_INVALID_VALUE, "work.kind");
    CHECK_MESSAGE(gc_stream_submit(rig.stream, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "work");
}

/* ---- Captures ---- */

static void a_capture_object_records_each_kind(void) {
    gc_graph *child = doubling(), *graph = NULL;
    gc_capture *capture = NULL;
    gc_event *event = open_event(rig.context);
    gc_work work;
    uint64_t recorded = 0;
    calls = destroyed = 0;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, NULL, &capture));
    work = set_work(data, 1);
    CHECK_OK(gc_capture_record(capture, &work));
    work = add_work(2);
    CHECK_OK(gc_capture_record(capture, &work));
    work = host_work();
    CHECK_OK(gc_capture_record(capture, &work));
    work = child_work(child);
    CHECK_OK(gc_capture_record(capture, &work));
    work = event_work(GRAPHCAP_WORK_EVENT_RECORD, event, 0);
    CHECK_OK(gc_capture_record(capture, &work));
    work = event_work(GRAPHCAP_WORK_EVENT_WAIT, event, 0);
    CHECK_OK(gc_capture_record(capture, &work));
    work = event_work(GRAPHCAP_WORK_EVENT_RECORD, event, GRAPHCAP_EVENT_RECORD_EXTERNAL);
    CHECK_OK(gc_capture_record(capture, &work));
    work = named(add_work(1), "nobody");
    CHECK_MESSAGE(gc_capture_record(capture, &work), GRAPHCAP_ERROR_INVALID_VALUE, "work.name");
    work = of_kind(GRAPHCAP_WORK_EMPTY);
    CHECK_MESSAGE(gc_capture_record(capture, &work), GRAPHCAP_ERROR_INVALID_VALUE, "empty work");
    work = add_work(1);
    config.grid_dim[0] = 0;
    CHECK_STATUS(gc_capture_record(capture, &work), GRAPHCAP_ERROR_INVALID_VALUE);
    overwrite();
    CHECK_OK(gc_capture_recorded_count(capture, &recorded));
    CHECK(recorded == 5);
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK(launched(graph, data) == 10 && calls == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_event_destroy(event));
}

/* ---- Nodes ---- */

static void a_graph_gets_nodes_of_each_kind(void) {
    gc_graph *child = doubling(), *graph = NULL;
    gc_event *event = open_event(rig.context);
    gc_node last = 0, node = 0;
    gc_work work;
    size_t edges = 0;
    calls = destroyed = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(add_to(graph, NULL, named(set_work(data, 1), "clear"), &last));
    check_named(graph, last, "clear");
    CHECK_OK(add_to(graph, &last, add_work(2), &node));
    CHECK(kind_of(graph, node) == GRAPHCAP_NODE_KERNEL);
    CHECK_OK(add_to(graph, &node, of_kind(GRAPHCAP_WORK_EMPTY), &last));
    CHECK(kind_of(graph, last) == GRAPHCAP_NODE_EMPTY);
    CHECK_OK(add_to(graph, &last, host_work(), &node));
    CHECK_OK(add_to(graph, &node, child_work(child), &last));
    CHECK_OK(add_to(graph, &last, event_work(GRAPHCAP_WORK_EVENT_RECORD, event, 0), &node));
    CHECK_OK(add_to(graph, &node, event_work(GRAPHCAP_WORK_EVENT_WAIT, event, GRAPHCAP_EVENT_WAIT_EXTERNAL), &last));
    CHECK_OK(add_to(graph, &last, copy_work(other, data), &node));
    SAYS(add_to(graph, &last, event_work(GRAPHCAP_WORK_EVENT_WAIT, event, GRAPHCAP_EVENT_RECORD_EXTERNAL << 4), &node),
                  GRAPHCAP_ERROR_INVALID_VALUE, "work.flags");
    CHECK(node == 0);
    work = set_work(data, 1);
    CHECK_STATUS(gc_graph_add_node(graph, NULL, NULL, 0, &work, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(edges == 7);
    CHECK(launched(graph, other) == 10 && calls == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_event_destroy(event));
}

static void an_allocation_tells_its_buffer_by_the_node(void) {
    gc_graph *graph = NULL;
    gc_buffer *scratch = NULL;
    gc_node allocated = 0, filled = 0, copied = 0, freed = 0;
    gc_work work = of_kind(GRAPHCAP_WORK_MEM_ALLOC);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    work.size = BYTES;
    if (is_lacking(add_to(graph, NULL, work, &allocated))) {
        CHECK_OK(gc_graph_destroy(graph));
        return;
    }
    CHECK_OK(gc_node_get_buffer(graph, allocated, &scratch));
    CHECK_OK(add_to(graph, &allocated, set_work(scratch, 6), &filled));
    CHECK_OK(add_to(graph, &filled, copy_work(other, scratch), &copied));
    work = of_kind(GRAPHCAP_WORK_MEM_FREE);
    work.buffer = scratch;
    CHECK_OK(add_to(graph, &copied, work, &freed));
    CHECK(launched(graph, other) == 6);
    CHECK_OK(gc_buffer_destroy(scratch));
    CHECK_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    work = of_kind(GRAPHCAP_WORK_MEM_ALLOC);
    SAYS(add_to(graph, NULL, work, &allocated), GRAPHCAP_ERROR_INVALID_VALUE, "0 bytes");
    CHECK_OK(gc_graph_destroy(graph));
}

static void edges_to_a_new_kernel_carry_data(void) {
    const gc_edge_data early = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    const gc_edge_data plain = {0, 0, 0, {0, 0, 0, 0, 0}}, wrong = {0, 0, 0, {0, 0, 0, 0, 7}};
    gc_graph *graph = NULL;
    gc_node first = 0, second = 0, third = 0;
    gc_work work;
    gc_status status;
    size_t nodes = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(add_to(graph, NULL, add_work(1), &first));
    work = add_work(2);
    status = gc_graph_add_node(graph, &first, &early, 1, &work, &second);
    CHECK(status == GRAPHCAP_SUCCESS || is_lacking(status));
    work = add_work(3);
    CHECK_OK(gc_graph_add_node(graph, &first, &plain, 1, &work, &third));
    CHECK_MESSAGE(gc_graph_add_node(graph, &first, &wrong, 1, &work, &third), GRAPHCAP_ERROR_INVALID_VALUE, "reserved");
    work = set_work(data, 1);
    CHECK_MESSAGE(gc_graph_add_node(graph, &first, &early, 1, &work, &third), GRAPHCAP_ERROR_INVALID_VALUE, "kernel node");
    work = of_kind(GRAPHCAP_WORK_MEM_ALLOC);
    work.size = 8;
    CHECK_MESSAGE(gc_graph_add_node(graph, &first, &early, 1, &work, &third), GRAPHCAP_ERROR_INVALID_VALUE, "carries data");
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == (status == GRAPHCAP_SUCCESS ? 3u : 2u));
    CHECK_OK(gc_graph_destroy(graph));
}

static void nodes_of_graphs_and_execs_are_set(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_node fill = 0, kernel = 0;
    gc_work work;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(add_to(graph, NULL, set_work(data, 1), &fill));
    CHECK_OK(add_to(graph, &fill, add_work(2), &kernel));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    work = named(add_work(20), "twenty");
    CHECK_OK(gc_node_set(graph, kernel, &work));
    overwrite();
    check_named(graph, kernel, "twenty");
    work = set_work(data, 100);
    CHECK_OK(gc_node_set(graph, fill, &work));
    CHECK(launched(graph, data) == 120);
    work = named(add_work(5), "no");
    CHECK_MESSAGE(gc_graph_exec_set_node(exec, kernel, &work), GRAPHCAP_ERROR_INVALID_VALUE, "work.name");
    work = add_work(5);
    CHECK_OK(gc_graph_exec_set_node(exec, kernel, &work));
    overwrite();
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(word(data) == 6);
    work = set_work(data, 1);
    CHECK_STATUS(gc_node_set(graph, kernel, &work), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_set_node(exec, kernel, &work), GRAPHCAP_ERROR_INVALID_VALUE);
    work = of_kind(GRAPHCAP_WORK_MEM_ALLOC);
    work.size = 8;
    CHECK_MESSAGE(gc_node_set(graph, kernel, &work), GRAPHCAP_ERROR_INVALID_VALUE, "allocation node");
    work = of_kind(GRAPHCAP_WORK_SET_CONDITION);
    work.condition = 1;
    work.buffer = data;
    CHECK_MESSAGE(gc_graph_exec_set_node(exec, kernel, &work), GRAPHCAP_ERROR_INVALID_VALUE, "setter of a condition");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void too_long_a_name_adds_nothing(void) {
    static char longest[1100];
    gc_graph *graph = NULL;
    gc_node node = 0;
    gc_work work = set_work(data, 1);
    size_t nodes = 9;
    memset(longest, 'n', sizeof longest - 1);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    work.name = longest;
    CHECK_MESSAGE(gc_graph_add_node(graph, NULL, NULL, 0, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 0);
    CHECK_MESSAGE(gc_stream_submit(rig.stream, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Work that no node is by itself ---- */

/* Where the device's libraries are missing, there is nothing to look at. */
static int has_products(void) {
    gc_work work = of_kind(GRAPHCAP_WORK_SGEMM);
    gc_sgemm_params one = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_status status;
    one.m = one.n = one.k = 1;
    one.a = one.b = data;
    one.c = other;
    one.lda = one.ldb = one.ldc = 1;
    one.alpha = 1;
    product = one;
    work.sgemm_params = &product;
    status = gc_stream_submit(rig.stream, &work, NULL);
    CHECK(status == GRAPHCAP_SUCCESS || (on_cuda() && status == GRAPHCAP_ERROR_LIBRARY));
    return status == GRAPHCAP_SUCCESS;
}

static gc_work product_work(gc_sgemm_params *params, const gc_buffer *result) {
    const gc_sgemm_params one = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_work work = of_kind(GRAPHCAP_WORK_SGEMM);
    *params = one;
    params->m = params->n = params->k = 2;
    params->lda = params->ldb = params->ldc = 2;
    params->a = params->b = data;
    params->c = result;
    params->alpha = 1;
    work.sgemm_params = params;
    return work;
}

static float first_float(const gc_buffer *buffer) {
    uint32_t bits = word(buffer);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void products_are_submitted_recorded_added_and_set(void) {
    const float matrix[4] = {1, 2, 3, 4};
    gc_graph *graph = NULL, *captured = NULL;
    gc_graph_exec *exec = NULL;
    gc_capture *capture = NULL;
    gc_buffer *result = open_buffer(rig.context, BYTES);
    gc_node node = 0;
    gc_work work;
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, data, 0, matrix, sizeof matrix));
    if (!has_products()) {
        CHECK_OK(gc_buffer_destroy(result));
        return;
    }
    CHECK_OK(submit(product_work(&product, other), NULL));
    CHECK(first_float(other) == 7);
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, NULL, &capture));
    work = product_work(&product, result);
    CHECK_OK(gc_capture_record(capture, &work));
    CHECK_OK(gc_capture_end(capture, &captured));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK(launched(captured, result) != 0 && first_float(result) == 7);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(add_to(graph, NULL, named(product_work(&product, other), "product"), &node));
    CHECK(kind_of(graph, node) == GRAPHCAP_NODE_CHILD);
    check_named(graph, node, "product");
    clear_buffer(rig.context, other);
    clear_buffer(rig.context, result);
    CHECK(launched(graph, other) != 0 && first_float(other) == 7);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    work = product_work(&product, result);
    CHECK_OK(gc_node_set(graph, node, &work));
    CHECK_OK(gc_graph_exec_set_node(exec, node, &work));
    overwrite();
    clear_buffer(rig.context, other);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(first_float(result) == 7 && word(other) == 0);
    clear_buffer(rig.context, result);
    CHECK(launched(graph, result) != 0 && first_float(result) == 7 && word(other) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_buffer_destroy(result));
}

/* A broken capture says so, whatever library would have recorded the work. */
static void products_in_a_broken_capture_are_told_of_it(void) {
    gc_stream *other_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *outside = open_event(rig.context);
    gc_graph *graph = NULL;
    gc_work work = product_work(&product, other);
    if (has_products()) {
        REQUIRE_OK(gc_event_record(outside, other_stream, 0));
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_STATUS(gc_stream_wait_event(rig.stream, outside, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION);
        CHECK_MESSAGE(gc_stream_submit(rig.stream, &work, NULL), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "broke the capture");
        CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    }
    CHECK_OK(gc_event_destroy(outside));
    CHECK_OK(gc_stream_destroy(other_stream));
}

static void random_numbers_are_a_node(void) {
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    gc_work work = of_kind(GRAPHCAP_WORK_RNG_UNIFORM);
    gc_graph *graph = NULL;
    gc_rng *rng = NULL;
    gc_node node = 0;
    uint32_t first, second;
    REQUIRE_OK(gc_rng_create(rig.stream, 1, 0, &rng));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    params.rng = rng;
    params.buffer = data;
    params.count = 4;
    uniform = params;
    work.rng_uniform_params = &uniform;
    CHECK_OK(add_to(graph, NULL, work, &node));
    CHECK(kind_of(graph, node) == GRAPHCAP_NODE_CHILD);
    first = launched(graph, data);
    second = launched(graph, data);
    CHECK(first != second);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_rng_destroy(rng));
}

static gc_work loop_work(gc_script *const *bodies, uint32_t kind) {
    gc_work work = of_kind(GRAPHCAP_WORK_CONDITIONAL);
    work.conditional_kind = kind;
    work.buffer = data;
    work.body_count = 1;
    work.bodies = (const gc_script *const *)bodies;
    return work;
}

static void scripts_as_bodies_are_a_node(void) {
    gc_graph *graph = NULL;
    gc_script *body = NULL;
    gc_node node = 0, fill = 0;
    gc_work work;
    gc_status status;
    size_t before = 0, after = 1;
    uint32_t bodies;
    REQUIRE_OK(gc_script_create(rig.context, &body));
    work = set_work(other, 8);
    REQUIRE_OK(gc_script_push(body, &work));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(add_to(graph, NULL, set_work(data, 1), &fill));
    status = add_to(graph, &fill, loop_work(&body, GRAPHCAP_CONDITIONAL_IF), &node);
    if (!is_lacking(status)) {
        CHECK_STATUS(status, GRAPHCAP_SUCCESS);
        CHECK(kind_of(graph, node) == GRAPHCAP_NODE_CONDITIONAL);
        clear_buffer(rig.context, other);
        CHECK(launched(graph, other) == 8);
        work = loop_work(&body, GRAPHCAP_CONDITIONAL_IF);
        work.condition = 1;
        CHECK_MESSAGE(gc_graph_add_node(graph, NULL, NULL, 0, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE, "work.condition");
        CHECK_MESSAGE(gc_script_push(body, &work), GRAPHCAP_ERROR_INVALID_VALUE, "work.condition");
    }
    /* A refusal leaves the graph as it was. */
    CHECK_OK(gc_graph_node_count(graph, &before));
    for (bodies = 0; bodies < 4; bodies++) {
        gc_script *const scripts[3] = {body, body, body};
        work = loop_work(scripts, GRAPHCAP_CONDITIONAL_IF);
        work.body_count = bodies;
        if (bodies == 1 || bodies == 2)
            continue;
        CHECK_MESSAGE(gc_graph_add_node(graph, NULL, NULL, 0, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE, "1 or 2 bodies");
    }
    CHECK_OK(gc_graph_node_count(graph, &after));
    CHECK(before == after);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(body));
}

/* An output may lie where an input does. */
static void the_place_of_a_node_may_be_that_of_a_dependency(void) {
    gc_graph *graph = NULL;
    gc_buffer *scratch = NULL;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    CHECK_OK(gc_graph_add_empty_node(graph, &node, 1, &node));
    if (!is_lacking(gc_graph_add_mem_alloc_node(graph, &node, 1, 64, &node, &scratch)))
        CHECK(kind_of(graph, node) == GRAPHCAP_NODE_MEM_ALLOC);
    CHECK_OK(gc_buffer_destroy(scratch));
    CHECK_OK(gc_graph_destroy(graph));
}

static void nodes_that_cannot_be_set_say_so(void) {
    gc_graph *graph = NULL;
    gc_script *body = NULL;
    gc_node node = 0;
    gc_work work = of_kind(GRAPHCAP_WORK_EMPTY);
    REQUIRE_OK(gc_script_create(rig.context, &body));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(add_to(graph, NULL, work, &node));
    CHECK_MESSAGE(gc_node_set(graph, node, &work), GRAPHCAP_ERROR_INVALID_VALUE, "empty node");
    work = of_kind(GRAPHCAP_WORK_MEM_FREE);
    work.buffer = data;
    CHECK_MESSAGE(gc_node_set(graph, node, &work), GRAPHCAP_ERROR_INVALID_VALUE, "free node");
    work = of_kind(GRAPHCAP_WORK_CONDITIONAL);
    work.condition = 1;
    work.body_count = 1;
    CHECK_MESSAGE(gc_node_set(graph, node, &work), GRAPHCAP_ERROR_INVALID_VALUE, "conditional node");
    work = loop_work(&body, GRAPHCAP_CONDITIONAL_IF);
    CHECK_MESSAGE(gc_node_set(graph, node, &work), GRAPHCAP_ERROR_INVALID_VALUE, "by scripts");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(body));
}

/* Whether the node is asked for or not, the legacy stream breaks the capture of a blocking one. */
static void asking_for_the_node_changes_nothing(void) {
    int asks;
    for (asks = 0; asks < 2; asks++) {
        gc_stream *legacy = NULL;
        gc_graph *graph = NULL;
        gc_node node = 0;
        gc_work work = set_work(data, 1);
        REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_STATUS(gc_stream_submit(legacy, &work, asks ? &node : NULL), GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
        CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_OK(gc_stream_destroy(legacy));
    }
}

static void a_script_takes_no_bare_nodes(void) {
    static const uint32_t kinds[] = {GRAPHCAP_WORK_EMPTY, GRAPHCAP_WORK_MEM_OPS, GRAPHCAP_WORK_MEM_ALLOC, GRAPHCAP_WORK_MEM_FREE,
                                     GRAPHCAP_WORK_SET_CONDITION};
    gc_script *script = NULL;
    size_t i;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    for (i = 0; i < LENGTH_OF(kinds); i++) {
        gc_work work = of_kind(kinds[i]);
        CHECK_MESSAGE(gc_script_push(script, &work), GRAPHCAP_ERROR_INVALID_VALUE, "child graph");
    }
    CHECK_OK(gc_script_destroy(script));
}

static void a_script_refuses_at_once_what_cannot_be_recorded(void) {
    static char longest[1026];
    gc_script *script = NULL;
    gc_graph *graph = NULL;
    gc_work work = set_work(data, 1);
    size_t nodes = 9;
    memset(longest, 'n', sizeof longest - 1);
    REQUIRE_OK(gc_script_create(rig.context, &script));
    work.name = longest;
    CHECK_MESSAGE(gc_script_push(script, &work), GRAPHCAP_ERROR_INVALID_VALUE, "1024 bytes, not 1025");
    work = copy_work(other, data);
    copy.direction = GRAPHCAP_MEMCPY_PEER;
    copy.size = 4;
    copy.height = 2;
    copy.source_pitch = copy.destination_pitch = 8;
    CHECK_MESSAGE(gc_script_push(script, &work), GRAPHCAP_ERROR_INVALID_VALUE, "'work.memcpy_params.height' is 2");
    copy.height = 1;
    CHECK_MESSAGE(gc_script_push(script, &work), GRAPHCAP_ERROR_INVALID_VALUE, "work.memcpy_params.destination_pitch");
    work = set_work(data, 1);
    longest[1024] = 0;
    work.name = longest;
    CHECK_OK(gc_script_push(script, &work));
    REQUIRE_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
}

/* gc_capture_recorded_count() counts what is something. */
static void work_of_no_elements_is_not_counted(void) {
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    gc_rng *rng = NULL;
    gc_sgemm_params params;
    gc_work work = product_work(&params, other);
    uint64_t recorded = 9;
    size_t nodes = 9;
    const int is_product = has_products();
    REQUIRE_OK(gc_rng_create(rig.stream, 1, 0, &rng));
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    if (is_product) {
        params.m = 0;
        CHECK_OK(gc_capture_record(capture, &work));
    }
    work = of_kind(GRAPHCAP_WORK_RNG_UNIFORM);
    memset(&uniform, 0, sizeof uniform);
    uniform.struct_size = sizeof uniform;
    uniform.rng = rng;
    uniform.buffer = data;
    work.rng_uniform_params = &uniform;
    CHECK_OK(gc_capture_record(capture, &work));
    CHECK_OK(gc_capture_recorded_count(capture, &recorded));
    CHECK(recorded == 0);
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_rng_destroy(rng));
}

/* ---- What holds for all that take work ---- */

enum taker { STREAM, CAPTURE, GRAPH, NODE, EXEC, SCRIPT, TAKERS };

static struct {
    gc_capture *capture;
    gc_stream *stream;
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_script *script;
    gc_node host;
} takers;

static void open_takers(void) {
    REQUIRE_OK(gc_graph_create(rig.context, &takers.graph));
    REQUIRE_OK(add_to(takers.graph, NULL, host_work(), &takers.host));
    REQUIRE_OK(gc_graph_instantiate(takers.graph, NULL, &takers.exec));
    REQUIRE_OK(gc_script_create(rig.context, &takers.script));
    takers.stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    REQUIRE_OK(gc_capture_begin(takers.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &takers.capture));
}

static void close_takers(void) {
    CHECK_OK(gc_capture_destroy(takers.capture));
    CHECK_OK(gc_stream_destroy(takers.stream));
    CHECK_OK(gc_script_destroy(takers.script));
    CHECK_OK(gc_graph_exec_destroy(takers.exec));
    CHECK_OK(gc_graph_destroy(takers.graph));
}

static gc_status give(enum taker taker, const gc_work *work, int is_dead) {
    gc_node node = 0;
    switch (taker) {
    case STREAM: return gc_stream_submit(is_dead ? NULL : rig.stream, work, NULL);
    case CAPTURE: return gc_capture_record(is_dead ? NULL : takers.capture, work);
    case GRAPH: return gc_graph_add_node(is_dead ? NULL : takers.graph, NULL, NULL, 0, work, &node);
    case NODE: return gc_node_set(is_dead ? NULL : takers.graph, takers.host, work);
    case EXEC: return gc_graph_exec_set_node(is_dead ? NULL : takers.exec, takers.host, work);
    default: return gc_script_push(is_dead ? NULL : takers.script, work);
    }
}

/* Whatever becomes of the call, destroy is called once when it fails, and once later when it does not. */
static void destroy_is_called_once_by_all(void) {
    unsigned before, given = 0;
    int taker;
    calls = destroyed = 0;
    open_takers();
    for (taker = STREAM; taker < TAKERS; taker++) {
        gc_work work = host_work();
        before = destroyed;
        CHECK_STATUS(give((enum taker)taker, &work, 1), GRAPHCAP_ERROR_INVALID_HANDLE);
        CHECK(destroyed == before + 1);
        work.size = 1;
        before = destroyed;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "work.size");
        CHECK(destroyed == before + 1);
        work = host_work();
        work.function = NULL;
        before = destroyed;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "function");
        CHECK(destroyed == before + 1);
        work = host_work();
        work.kind = GRAPHCAP_WORK_MEMSET;
        before = destroyed;
        CHECK_STATUS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(destroyed == before + 1);
        given += 4;
    }
    for (taker = STREAM; taker < TAKERS; taker++) {
        gc_work work = host_work();
        CHECK_OK(give((enum taker)taker, &work, 0));
        given++;
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    close_takers();
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_collect(rig.context));
    /* One more is of the node that was there at first. */
    given++;
    CHECK(await_count(&destroyed, given) && destroyed == given);
}

/* Each member that the kind does not name is told by its name. */
static void a_member_of_another_kind_is_told_by_all(void) {
    static const char *const words[] = {"work.kernel", "work.argument_count", "work.memcpy_params", "work.graph", "work.event",
                                        "work.buffer", "work.offset", "work.body_count", "work.sgemm_params", "work.operations",
                                        "work.operation_count", "work.condition", "work.scalar", "work.size", "work.flags",
                                        "work.reserved"};
    size_t i;
    int taker;
    open_takers();
    for (taker = STREAM; taker < TAKERS; taker++)
        for (i = 0; i < LENGTH_OF(words); i++) {
            gc_work work = set_work(data, 1);
            switch (i) {
            case 0: work.kernel = rig.add; break;
            case 1: work.argument_count = 1; break;
            case 2: work.memcpy_params = &copy; break;
            case 3: work.graph = takers.graph; break;
            case 4: work.event = (const gc_event *)rig.stream; break;
            case 5: work.buffer = data; break;
            case 6: work.offset = 1; break;
            case 7: work.body_count = 1; break;
            case 8: work.sgemm_params = &product; break;
            case 9: work.operations = &operation; break;
            case 10: work.operation_count = 1; break;
            case 11: work.condition = 1; break;
            case 12: work.scalar = (const gc_scalar *)rig.stream; break;
            case 13: work.size = 1; break;
            case 14: work.flags = 1; break;
            default: work.reserved = 1; break;
            }
            SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, words[i]);
            work = add_work(1);
            switch (i) {
            case 2: work.memcpy_params = &copy; break;
            case 6: work.offset = 1; break;
            case 12: work.scalar = (const gc_scalar *)rig.stream; break;
            case 14: work.flags = 1; break;
            default: continue;
            }
            SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, words[i]);
        }
    close_takers();
}

/* A message names what the caller wrote, from the work on. */
static void what_the_work_points_to_is_told_by_its_path(void) {
    int taker;
    open_takers();
    for (taker = STREAM; taker < TAKERS; taker++) {
        gc_work work = copy_work(other, data);
        if (taker == NODE || taker == EXEC) continue;
        copy.reserved = 1;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.memcpy_params.reserved' is 1");
        work = copy_work(NULL, data);
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_HANDLE, "'work.memcpy_params.destination' is NULL");
        work = set_work(NULL, 1);
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_HANDLE, "'work.memset_params.buffer' is NULL");
        work = set_work(data, 1);
        set.element_size = 3;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.memset_params.element_size' is 3");
        work = host_work();
        work.function = NULL;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.function' is NULL");
        work = add_work(1);
        arguments[1].reserved = 1;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.arguments.reserved' is 1");
        work = add_work(1);
        work.config = NULL;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.config' is NULL");
        work = add_work(1);
        config.reserved = 1;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.config.reserved' is 1");
        work = add_work(1);
        work.argument_count = 1u << 20;
        SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.argument_count' is 1048576");
        if (taker != SCRIPT) {
            work = value_work(data, 1);
            operation.kind = 99;
            SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.operations.kind' is 99");
            work = value_work(data, 1);
            work.operation_count = 300;
            SAYS(give((enum taker)taker, &work, 0), GRAPHCAP_ERROR_INVALID_VALUE, "'work.operation_count' is 300");
        }
    }
    close_takers();
}

int main(void) {
    rig_open(&rig);
    data = open_buffer(rig.context, BYTES);
    other = open_buffer(rig.context, BYTES);
    RUN(a_stream_runs_each_kind);
    RUN(a_capture_tells_its_nodes_and_names_them);
    RUN(a_stream_refuses_what_only_nodes_are);
    RUN(a_capture_object_records_each_kind);
    RUN(a_graph_gets_nodes_of_each_kind);
    RUN(an_allocation_tells_its_buffer_by_the_node);
    RUN(edges_to_a_new_kernel_carry_data);
    RUN(nodes_of_graphs_and_execs_are_set);
    RUN(too_long_a_name_adds_nothing);
    RUN(products_are_submitted_recorded_added_and_set);
    RUN(products_in_a_broken_capture_are_told_of_it);
    RUN(random_numbers_are_a_node);
    RUN(scripts_as_bodies_are_a_node);
    RUN(the_place_of_a_node_may_be_that_of_a_dependency);
    RUN(nodes_that_cannot_be_set_say_so);
    RUN(asking_for_the_node_changes_nothing);
    RUN(a_script_takes_no_bare_nodes);
    RUN(a_script_refuses_at_once_what_cannot_be_recorded);
    RUN(work_of_no_elements_is_not_counted);
    RUN(destroy_is_called_once_by_all);
    RUN(a_member_of_another_kind_is_told_by_all);
    RUN(what_the_work_points_to_is_told_by_its_path);
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(data));
    rig_close(&rig);
    return check_finish();
}
