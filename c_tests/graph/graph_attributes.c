/* Attributes of kernels, launches and kernel nodes; what edges carry; how many blocks run at once. */
#include "nodes.h"

enum { WORDS = 16 };

static struct rig rig;
static gc_buffer *buffer;

static gc_launch_attribute_value number_value(int32_t number) {
    gc_launch_attribute_value value;
    memset(&value, 0, sizeof value);
    value.number = number;
    return value;
}

static gc_launch_attribute_value cluster_value(uint32_t blocks) {
    gc_launch_attribute_value value = number_value(0);
    value.dimensions[0] = blocks;
    value.dimensions[1] = value.dimensions[2] = blocks == 0 ? 0 : 1;
    return value;
}

static gc_launch_attribute_value window_value(uint64_t size, float ratio, int32_t miss) {
    gc_launch_attribute_value value = number_value(0);
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(buffer, &address));
    value.access_policy_window.base = (void *)(uintptr_t)address;
    value.access_policy_window.size = (size_t)size;
    value.access_policy_window.hit_ratio = ratio;
    value.access_policy_window.hit_property = GRAPHCAP_ACCESS_PROPERTY_STREAMING;
    value.access_policy_window.miss_property = miss;
    return value;
}

/* A node of four blocks, of which the first one sets a word. */
static gc_status try_four(const gc_graph *graph, const gc_launch_attribute *attributes, size_t count, unsigned index,
                          uint32_t number, gc_node *node_out) {
    struct kernel_call call;
    call_fill(&call, &rig, buffer, index, number);
    call.config.grid_dim[0] = 4;
    call.config.attributes = attributes;
    call.config.attribute_count = count;
    return add_kernel(graph, NULL, 0, &call, node_out);
}

static gc_node add_four(const gc_graph *graph, unsigned index, uint32_t number) {
    gc_node node = 0;
    REQUIRE_OK(try_four(graph, NULL, 0, index, number, &node));
    return node;
}

static int32_t number_of(const gc_graph *graph, gc_node node, gc_launch_attribute_id id) {
    gc_launch_attribute_value value;
    memset(&value, 0xff, sizeof value);
    CHECK_OK(gc_node_get_attribute(graph, node, id, &value));
    return value.number;
}

static void cannot(const gc_graph *graph, gc_node node, gc_launch_attribute_id id) {
    gc_launch_attribute_value value = number_value(1);
    CHECK_STATUS(gc_node_set_attribute(graph, node, id, &value), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_get_attribute(graph, node, id, &value), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(value.number == 0);
}

/* ---- Nodes ---- */

struct row {
    gc_launch_attribute_id id;
    gc_launch_attribute_value value;
    gc_status status;
    int32_t then;
};

/* Row `attr.on_memset_node`, beside others. */
static void nodes_have_attributes(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = add_four(graph, 0, 5), memset_node = 0;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 8, 1, 4, 1, 1, 0);
    const struct row rows[] = {
        {GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, number_value(100), GRAPHCAP_SUCCESS, 0},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, number_value(-3), GRAPHCAP_SUCCESS, -3},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, number_value(1), GRAPHCAP_SUCCESS, 1},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, number_value(0), GRAPHCAP_SUCCESS, 0},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_value(2), GRAPHCAP_SUCCESS, 2},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, cluster_value(3), GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE, 2},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING, number_value(1), GRAPHCAP_SUCCESS, 1},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING, number_value(99), GRAPHCAP_SUCCESS, 99},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING, number_value(0), GRAPHCAP_SUCCESS, 0},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN, number_value(2), GRAPHCAP_ERROR_INVALID_VALUE, 0},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, number_value(50), GRAPHCAP_SUCCESS, 50},
        {GRAPHCAP_LAUNCH_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, number_value(200), GRAPHCAP_ERROR_INVALID_VALUE, 50},
    };
    size_t i;
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_MEMORY_SYNC_DOMAIN_MAP) == 256);
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_STATUS(gc_node_set_attribute(graph, node, rows[i].id, &rows[i].value), rows[i].status);
        CHECK(number_of(graph, node, rows[i].id) == rows[i].then);
    }
    cannot(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE);
    cannot(graph, node, 3);
    cannot(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION);
    cannot(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT);
    cannot(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT);
    cannot(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION);
    cannot(graph, node, 15);
    cannot(graph, node, 99);
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &memset_node));
    cannot(graph, memset_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY);
    cannot(graph, 0, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY);
    clear_buffer(rig.context, buffer);
    run_graph(&rig, graph);
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Rows `attr.window_*`. */
static void windows_are_checked(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = add_four(graph, 0, 5);
    const gc_launch_attribute_id id = GRAPHCAP_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    gc_launch_attribute_value value = window_value(32, 1.0f, GRAPHCAP_ACCESS_PROPERTY_STREAMING), told;
    const gc_launch_attribute_value wrong[] = {window_value(UINT64_C(1) << 40, 1.0f, GRAPHCAP_ACCESS_PROPERTY_STREAMING),
                                               window_value(32, 2.0f, GRAPHCAP_ACCESS_PROPERTY_STREAMING),
                                               window_value(32, 1.0f, GRAPHCAP_ACCESS_PROPERTY_PERSISTING)};
    size_t i;
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_STATUS(gc_node_set_attribute(graph, node, id, &wrong[i]), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_node_set_attribute(graph, node, id, &value));
    CHECK_OK(gc_node_get_attribute(graph, node, id, &told));
    CHECK(told.access_policy_window.base == value.access_policy_window.base && told.access_policy_window.size == 32);
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_node_lists_what_is_set(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node node = add_four(graph, 0, 5);
    gc_launch_attribute_id ids[4] = {77, 77, 77, 77};
    gc_launch_attribute_value priority = number_value(-2), cluster = cluster_value(4);
    size_t count = 9;
    CHECK_OK(gc_node_get_attributes(graph, node, ids, 4, &count));
    CHECK(count == 0 && ids[0] == 0);
    CHECK_OK(gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &priority));
    CHECK_OK(gc_node_set_attribute(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &cluster));
    CHECK_OK(gc_node_get_attributes(graph, node, NULL, 0, &count));
    CHECK(count == 2);
    CHECK_OK(gc_node_get_attributes(graph, node, ids, 4, NULL));
    CHECK(ids[0] == GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && ids[1] == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY);
    CHECK_STATUS(gc_node_get_attributes(graph, node, ids, 1, &count), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK_STATUS(gc_node_get_attributes(graph, 0, ids, 4, &count), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Row `attr.copy`. */
static void attributes_are_copied(void) {
    gc_graph *graph = open_graph(rig.context), *other = open_graph(rig.context), *clone = NULL;
    gc_node from = add_four(graph, 0, 5), to = add_four(graph, 1, 6), far = add_four(other, 2, 7), set_node = 0, cloned = 0;
    gc_launch_attribute_value priority = number_value(-3);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 8, 1, 4, 1, 1, 0);
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &set_node));
    CHECK_OK(gc_node_set_attribute(graph, from, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &priority));
    CHECK_OK(gc_node_copy_attributes(graph, to, graph, from));
    CHECK(number_of(graph, to, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -3);
    CHECK_OK(gc_node_copy_attributes(other, far, graph, from));
    CHECK(number_of(other, far, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -3);
    CHECK_OK(gc_node_copy_attributes(graph, to, graph, to));
    CHECK_STATUS(gc_node_copy_attributes(graph, set_node, graph, from), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_copy_attributes(graph, to, graph, set_node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_copy_attributes(graph, to, graph, far), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_copy_attributes(graph, 0, graph, from), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_node_find_in_clone(graph, from, clone, &cloned));
    CHECK(number_of(clone, cloned, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -3);
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void nodes_are_added_with_attributes(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_launch_attribute attributes[2], many[65];
    gc_node node = 0;
    struct kernel_call call;
    gc_launch_attribute_init_number(&attributes[0], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -1);
    gc_launch_attribute_init_dimensions(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    CHECK_OK(try_four(graph, attributes, 2, 0, 5, &node));
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -1);
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) == 2);
    /* A set leaves them, but for those that it is given. */
    call_fill(&call, &rig, buffer, 0, 6);
    call.config.grid_dim[0] = 4;
    CHECK_OK(set_kernel(graph, node, &call));
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -1);
    attributes[0].value.number = -2;
    call.config.attributes = attributes;
    call.config.attribute_count = 1;
    CHECK_OK(set_kernel(graph, node, &call));
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -2);
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) == 2);
    /* What cannot be changes nothing. */
    attributes[1].value.dimensions[0] = 3;
    CHECK_STATUS(try_four(graph, attributes, 2, 0, 5, &node), GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE);
    gc_launch_attribute_init_number(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
    CHECK_STATUS(try_four(graph, attributes, 2, 0, 5, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    attributes[1].struct_size = 8;
    CHECK_STATUS(try_four(graph, attributes, 2, 0, 5, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(try_four(graph, NULL, 1, 0, 5, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(try_four(graph, many, 65, 0, 5, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    gc_launch_attribute_init_number(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT, 0);
    CHECK_STATUS(try_four(graph, attributes, 2, 0, 5, &node), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(nodes_of(graph) == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* A graph of one cooperative launch, its exec, and a call by which the launch can be changed. */
struct cooperative {
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_node node;
    gc_launch_attribute attribute;
    struct kernel_call call;
};

static void open_cooperative(struct cooperative *it) {
    it->graph = open_graph(rig.context);
    it->node = 0;
    gc_launch_attribute_init_number(&it->attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    REQUIRE_OK(try_four(it->graph, &it->attribute, 1, 0, 5, &it->node));
    it->exec = open_exec(it->graph);
    call_fill(&it->call, &rig, buffer, 0, 9);
}

static void close_cooperative(struct cooperative *it) {
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    CHECK_OK(gc_graph_destroy(it->graph));
}

static void execs_keep_attributes(void) {
    struct cooperative it;
    open_cooperative(&it);
    /* A driver accepts it, and faults at the replay. */
    CHECK_STATUS(gc_graph_exec_set_node_enabled(it.exec, it.node, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    it.call.config.attributes = &it.attribute;
    it.call.config.attribute_count = 1;
    CHECK_OK(exec_set_kernel(it.exec, it.node, &it.call));
    it.attribute.value.number = 0;
    CHECK_STATUS(exec_set_kernel(it.exec, it.node, &it.call), GRAPHCAP_ERROR_INVALID_VALUE);
    replay(&rig, it.exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 9);
    close_cooperative(&it);
}

/* An exec has what its nodes had when it was made: nobody sets attributes in an exec. */
static void attributes_that_came_later_are_not_the_execs(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_launch_attribute priority;
    const gc_node node = add_four(graph, 0, 5);
    struct kernel_call call;
    exec = open_exec(graph);
    gc_launch_attribute_init_number(&priority, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -3);
    CHECK_OK(gc_node_set_attribute(graph, node, priority.id, &priority.value));
    call_fill(&call, &rig, buffer, 0, 9);
    call.config.grid_dim[0] = 4;
    call.config.attributes = &priority;
    call.config.attribute_count = 1;
    CHECK_STATUS(exec_set_kernel(exec, node, &call), GRAPHCAP_ERROR_INVALID_VALUE);
    priority.value.number = 0;
    CHECK_OK(exec_set_kernel(exec, node, &call));
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 9);
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_cooperative_launch_has_to_fit(void) {
    struct cooperative it;
    open_cooperative(&it);
    it.call.config.grid_dim[0] = 1 << 20;
    CHECK_STATUS(exec_set_kernel(it.exec, it.node, &it.call), GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    CHECK_STATUS(set_kernel(it.graph, it.node, &it.call), GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    replay(&rig, it.exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    close_cooperative(&it);
}

/* Row `attr.coop_grid_too_big`. */
static void a_node_that_does_not_fit_becomes_no_cooperative_one(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_launch_attribute cooperative;
    gc_node node = 0, refused = 0;
    struct kernel_call call;
    call_fill(&call, &rig, buffer, 0, 9);
    call.config.grid_dim[0] = 1 << 20;
    REQUIRE_OK(add_kernel(graph, NULL, 0, &call, &node));
    gc_launch_attribute_init_number(&cooperative, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    CHECK_STATUS(gc_node_set_attribute(graph, node, cooperative.id, &cooperative.value), GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE) == 0);
    call.config.attributes = &cooperative;
    call.config.attribute_count = 1;
    CHECK_STATUS(set_kernel(graph, node, &call), GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE) == 0);
    CHECK_STATUS(add_kernel(graph, NULL, 0, &call, &refused), GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    CHECK(refused == 0 && nodes_of(graph) == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Launches ---- */

static gc_status launch_with(const gc_stream *stream, const gc_launch_attribute *attributes, size_t count, unsigned index,
                             uint32_t number) {
    struct kernel_call call;
    call_fill(&call, &rig, buffer, index, number);
    call.config.attributes = attributes;
    call.config.attribute_count = count;
    return gc_stream_launch_kernel(stream, call.kernel, &call.config, call.arguments, call.count);
}

static void launches_have_attributes(void) {
    gc_launch_attribute attributes[3];
    gc_graph *graph = NULL;
    gc_node node = 0;
    gc_launch_attribute_init_number(&attributes[0], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -2);
    gc_launch_attribute_init_number(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, 1);
    gc_launch_attribute_init_number(&attributes[2], GRAPHCAP_LAUNCH_ATTRIBUTE_IGNORE, 0);
    clear_buffer(rig.context, buffer);
    CHECK_OK(launch_with(rig.stream, attributes, 3, 0, 7));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    attributes[2].id = 99;
    CHECK_STATUS(launch_with(rig.stream, attributes, 3, 0, 8), GRAPHCAP_ERROR_INVALID_VALUE);
    attributes[2].struct_size = 4;
    CHECK_STATUS(launch_with(rig.stream, attributes, 3, 0, 8), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_with(rig.stream, attributes, 2, 1, 9));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_get_nodes(graph, &node, 1, NULL));
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY) == -2);
    CHECK(number_of(graph, node, GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE) == 1);
    run_graph(&rig, graph);
    CHECK(read_u32(rig.stream, buffer, 1) == 9);
    CHECK_OK(gc_graph_destroy(graph));
}

static void launches_record_events(void) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_launch_attribute attributes[2];
    gc_context *other = open_context();
    gc_event *event = NULL, *foreign = open_event(other);
    options.flags = GRAPHCAP_EVENT_DISABLE_TIMING;
    REQUIRE_OK(gc_event_create(rig.context, &options, &event));
    gc_launch_attribute_init_number(&attributes[0], GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 0);
    attributes[0].value.event.event = event;
    attributes[1] = attributes[0];
    attributes[1].id = GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT;
    CHECK_OK(launch_with(rig.stream, attributes, 1, 0, 7));
    CHECK_OK(gc_event_synchronize(event));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* One event for both kinds, two of one kind, one of another context, none at all. */
    CHECK_STATUS(launch_with(rig.stream, attributes, 2, 0, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    attributes[1].id = attributes[0].id;
    CHECK_STATUS(launch_with(rig.stream, attributes, 2, 0, 7), GRAPHCAP_ERROR_INVALID_VALUE);
    attributes[0].value.event.event = foreign;
    CHECK_STATUS(launch_with(rig.stream, attributes, 1, 0, 7), GRAPHCAP_ERROR_INVALID_CONTEXT);
    attributes[0].value.event.event = NULL;
    CHECK_STATUS(launch_with(rig.stream, attributes, 1, 0, 7), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_event_destroy(foreign));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_context_destroy(other));
}

/* ---- Edges ---- */

static gc_edge_data edge_of(uint8_t from_port, uint8_t to_port, uint8_t type) {
    gc_edge_data data;
    memset(&data, 0, sizeof data);
    data.from_port = from_port;
    data.to_port = to_port;
    data.edge_type = type;
    return data;
}

static int is_edge(const gc_edge_data *data, uint8_t from_port, uint8_t type) {
    return data->from_port == from_port && data->to_port == 0 && data->edge_type == type;
}

static gc_status add_edge(const gc_graph *graph, gc_node from, gc_node to, gc_edge_data data) {
    return gc_graph_add_dependencies(graph, &from, &to, &data, 1);
}

static void edges_carry_what_kernels_allow(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node a = add_four(graph, 0, 5), b = add_four(graph, 1, 6), empty = 0, from = 0, to = 0, found = 0;
    const gc_edge_data right[] = {edge_of(1, 0, 1), edge_of(2, 0, 0), edge_of(2, 0, 1)};
    gc_edge_data wrong[] = {edge_of(1, 0, 0), edge_of(0, 0, 1), edge_of(3, 0, 1),
                            edge_of(1, 1, 1), edge_of(1, 0, 2), edge_of(0, 0, 0)};
    gc_edge_data data;
    size_t i, count = 0;
    wrong[5].reserved[4] = 1;
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &empty));
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_STATUS(add_edge(graph, a, b, wrong[i]), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(add_edge(graph, a, empty, right[0]), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(add_edge(graph, empty, a, right[0]), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(add_edge(graph, a, a, right[0]), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(edges_of(graph) == 0);
    clear_buffer(rig.context, buffer);
    for (i = 0; i < sizeof right / sizeof *right; i++) {
        CHECK_OK(add_edge(graph, a, b, right[i]));
        CHECK(edge_between(graph, a, b, &data));
        CHECK(is_edge(&data, right[i].from_port, right[i].edge_type));
        CHECK_OK(gc_graph_get_edges(graph, &from, &to, &data, 1, &count));
        CHECK(from == a && to == b && count == 1 && is_edge(&data, right[i].from_port, right[i].edge_type));
        CHECK_STATUS(gc_graph_get_edges(graph, &from, &to, NULL, 1, &count), GRAPHCAP_ERROR_LOSSY_QUERY);
        CHECK_OK(gc_graph_get_edges(graph, NULL, NULL, NULL, 0, &count));
        CHECK(count == 1 && edges_of(graph) == 1);
        CHECK_MESSAGE(gc_node_get_dependencies(graph, b, &found, 1, &count), GRAPHCAP_ERROR_LOSSY_QUERY,
                      "an edge to node");
        CHECK_MESSAGE(gc_node_get_dependents(graph, a, &found, 1, &count), GRAPHCAP_ERROR_LOSSY_QUERY,
                      "carries data; gc_graph_get_edges() lists it when it is given data_out");
        CHECK_OK(gc_node_get_dependencies(graph, b, NULL, 0, &count));
        CHECK(count == 1);
        CHECK_OK(gc_node_get_dependents(graph, a, NULL, 0, &count));
        CHECK(count == 1);
        CHECK_OK(gc_node_get_dependents(graph, b, &found, 1, &count));
        CHECK(count == 0);
        CHECK_STATUS(add_edge(graph, a, b, right[i]), GRAPHCAP_ERROR_INVALID_VALUE);
        run_graph(&rig, graph);
        CHECK(read_u32(rig.stream, buffer, 0) == 5 && read_u32(rig.stream, buffer, 1) == 6);
        CHECK_OK(gc_graph_remove_dependencies(graph, &a, &b, 1));
        CHECK(!edge_between(graph, a, b, &data));
    }
    CHECK_OK(add_edge(graph, a, b, edge_of(0, 0, 0)));
    CHECK_OK(gc_graph_get_edges(graph, &from, &to, NULL, 1, &count));
    CHECK(edge_between(graph, a, b, &data));
    CHECK(is_edge(&data, 0, 0));
    CHECK_OK(gc_graph_destroy(graph));
}

static void edges_are_added_all_or_none(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL;
    gc_node a = add_four(graph, 0, 5), b = add_four(graph, 1, 6), c = add_four(graph, 2, 7), empty = 0;
    gc_node from[] = {0, 0, 0}, to[] = {0, 0, 0};
    const gc_edge_data data[] = {edge_of(1, 0, 1), edge_of(0, 0, 0), edge_of(1, 0, 1)};
    gc_edge_data told[3];
    size_t count = 0;
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &empty));
    from[0] = a, from[1] = b, from[2] = c;
    to[0] = b, to[1] = c, to[2] = empty;
    CHECK_STATUS(gc_graph_add_dependencies(graph, from, to, data, 3), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(edges_of(graph) == 0);
    CHECK_OK(gc_graph_add_dependencies(graph, from, to, data, 2));
    CHECK_OK(gc_graph_add_dependencies(graph, &from[2], &to[2], NULL, 1));
    CHECK_OK(gc_graph_add_dependencies(graph, NULL, NULL, NULL, 0));
    CHECK_STATUS(gc_graph_get_edges(graph, from, to, told, 2, &count), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(count == 3);
    /* Nothing is written where one of the arrays is missing. */
    memset(told, 0xff, sizeof told);
    memset(from, 0xff, sizeof from);
    CHECK_MESSAGE(gc_graph_get_edges(graph, NULL, to, told, 3, &count), GRAPHCAP_ERROR_INVALID_VALUE, "from_out");
    CHECK(count == 0 && to[0] == 0 && is_edge(&told[0], 0, 0) && is_edge(&told[1], 0, 0) && is_edge(&told[2], 0, 0));
    CHECK_STATUS(gc_graph_get_edges(graph, from, to, NULL, 3, &count), GRAPHCAP_ERROR_LOSSY_QUERY);
    CHECK(count == 0 && from[0] == 0 && from[2] == 0);
    CHECK_MESSAGE(gc_graph_get_edges(graph, NULL, NULL, NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "needed");
    CHECK_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_node_find_in_clone(graph, a, clone, &from[0]));
    CHECK_OK(gc_node_find_in_clone(graph, b, clone, &to[0]));
    CHECK(edge_between(clone, from[0], to[0], &told[0]));
    CHECK(is_edge(&told[0], 1, 1));
    CHECK_OK(gc_graph_remove_node(graph, b));
    CHECK_OK(gc_graph_get_edges(graph, from, to, NULL, 3, &count));
    CHECK(count == 1);
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

static void captures_make_programmatic_edges(void) {
    gc_launch_attribute programmatic;
    gc_graph *graph = NULL;
    gc_node from = 0, to = 0;
    gc_edge_data data = edge_of(0, 0, 0);
    size_t count = 0;
    gc_launch_attribute_init_number(&programmatic, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
    clear_buffer(rig.context, buffer);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_with(rig.stream, NULL, 0, 0, 5));
    CHECK_OK(launch_with(rig.stream, &programmatic, 1, 1, 6));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_get_edges(graph, &from, &to, &data, 1, &count));
    CHECK(count == 1 && is_edge(&data, GRAPHCAP_PORT_PROGRAMMATIC, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC));
    CHECK_STATUS(gc_graph_get_edges(graph, &from, &to, NULL, 1, &count), GRAPHCAP_ERROR_LOSSY_QUERY);
    run_graph(&rig, graph);
    CHECK(read_u32(rig.stream, buffer, 0) == 5 && read_u32(rig.stream, buffer, 1) == 6);
    CHECK_OK(gc_graph_destroy(graph));
}

static void captures_are_told_of_edges(void) {
    gc_graph *graph = NULL;
    gc_node frontier = 0, from = 0, to = 0;
    gc_edge_data data = edge_of(1, 0, 1), wrong = edge_of(1, 0, 0);
    size_t count = 0;
    const uint32_t set = GRAPHCAP_CAPTURE_DEPENDENCIES_SET;
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, NULL, NULL, 0, set),
                 GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_with(rig.stream, NULL, 0, 0, 5));
    CHECK_OK(gc_stream_capture_frontier(rig.stream, &frontier, 1, NULL));
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, &frontier, &data, 1, 2),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, &frontier, &wrong, 1, set),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &frontier, &data, 1, set));
    CHECK_OK(launch_with(rig.stream, NULL, 0, 1, 6));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 8, 1, 4, 1));
    CHECK_OK(gc_stream_capture_frontier(rig.stream, &frontier, 1, NULL));
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, &frontier, &data, 1, set),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &frontier, NULL, 1, set));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_STATUS(gc_graph_get_edges(graph, &from, &to, &data, 1, NULL), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK_OK(gc_graph_get_edges(graph, NULL, NULL, NULL, 0, &count));
    CHECK(count == 2);
    run_graph(&rig, graph);
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Kernels ---- */

static int32_t attribute_of(const gc_kernel *kernel, gc_kernel_attribute attribute) {
    int32_t value = -77;
    CHECK_OK(gc_kernel_get_attribute(kernel, attribute, &value));
    return value;
}

static void kernels_have_attributes(void) {
    gc_kernel *kernel = get_kernel(rig.module, "fill");
    int32_t value = 7;
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE) == 0);
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS) >= 0);
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT) == -1);
    CHECK_OK(gc_kernel_set_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, 50));
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT) == 50);
    CHECK(attribute_of(rig.fill, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT) == 50);
    CHECK_OK(gc_kernel_set_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, -1));
    CHECK_OK(gc_kernel_set_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, 100000));
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE) == 100000);
    CHECK_STATUS(gc_kernel_set_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, 300000),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(attribute_of(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE) == 100000);
    CHECK_STATUS(gc_kernel_set_attribute(kernel, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_SIZE, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    /* NVIDIA's driver crashes there. */
    CHECK_STATUS(gc_kernel_set_attribute(kernel, 1000, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_kernel_set_attribute(kernel, UINT32_MAX, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_kernel_get_attribute(kernel, 4000, &value), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(value == 0);
    CHECK_STATUS(gc_kernel_get_attribute(kernel, UINT32_MAX, &value), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_kernel_destroy(kernel));
}

static void occupancy_is_told(void) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(8, 64);
    gc_launch_attribute cluster;
    uint32_t blocks = 77, fewer = 77, size = 77, grid = 77, clusters = 77;
    size_t bytes = 77;
    CHECK_OK(gc_kernel_max_active_blocks(rig.fill, 64, 0, &blocks));
    CHECK(blocks >= 1 && blocks <= 64);
    CHECK_OK(gc_kernel_max_active_blocks(rig.fill, 64, 100000, &fewer));
    CHECK(fewer >= 1 && fewer <= 2 && fewer < blocks);
    CHECK_STATUS(gc_kernel_max_active_blocks(rig.fill, 0, 0, &fewer), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(fewer == 0);
    CHECK_OK(gc_kernel_available_shared_mem(rig.fill, blocks, 64, &bytes));
    CHECK(bytes > 0 && bytes <= 232448);
    CHECK_OK(gc_kernel_suggested_block_size(rig.fill, 0, 0, &size, &grid));
    CHECK(size >= 32 && size <= 1024 && grid > 0);
    CHECK_OK(gc_kernel_suggested_block_size(rig.fill, 0, 64, &size, &grid));
    CHECK(size > 0 && size <= 64);
    CHECK_OK(gc_kernel_max_cluster_size(rig.fill, &config, &size));
    CHECK(size == 8);
    gc_launch_attribute_init_dimensions(&cluster, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    config.attributes = &cluster;
    config.attribute_count = 1;
    CHECK_OK(gc_kernel_max_active_clusters(rig.fill, &config, &clusters));
    CHECK(clusters > 0);
    CHECK_STATUS(gc_kernel_max_active_clusters(rig.fill, NULL, &clusters), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(clusters == 0);
}

/* What launches may have is for launches and gc_kernel_set_attribute() to change. */
static void questions_leave_the_kernel_as_it_is(void) {
    const gc_kernel_attribute most = GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE;
    gc_module *module = load_kernels(rig.context);
    gc_kernel *kernel = get_kernel(module, "mix");
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(8, 64);
    gc_launch_attribute attributes[2] = {GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT)};
    gc_event *event = NULL;
    const gc_event_options untimed = {(uint32_t)sizeof(gc_event_options), GRAPHCAP_EVENT_DISABLE_TIMING};
    const int32_t before = attribute_of(kernel, most);
    uint32_t number = 77, more = 77;
    CHECK_OK(gc_kernel_max_active_blocks(kernel, 64, 100000, &number));
    CHECK(number > 0 && attribute_of(kernel, most) == before);
    CHECK_OK(gc_kernel_suggested_block_size(kernel, 100000, 0, &number, &more));
    CHECK(number > 0 && attribute_of(kernel, most) == before);
    config.shared_mem_bytes = 100000;
    gc_launch_attribute_init_dimensions(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    config.attributes = attributes;
    config.attribute_count = 2;
    /* The config of a launch that records an event will do. */
    REQUIRE_OK(gc_event_create(rig.context, &untimed, &event));
    attributes[0].value.event.event = event;
    CHECK_OK(gc_kernel_max_active_clusters(kernel, &config, &number));
    CHECK(number > 0 && attribute_of(kernel, most) == before);
    CHECK_OK(gc_kernel_max_cluster_size(kernel, &config, &number));
    CHECK(number > 0 && attribute_of(kernel, most) == before);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    RUN(nodes_have_attributes);
    RUN(windows_are_checked);
    RUN(a_node_lists_what_is_set);
    RUN(attributes_are_copied);
    RUN(nodes_are_added_with_attributes);
    RUN(execs_keep_attributes);
    RUN(attributes_that_came_later_are_not_the_execs);
    RUN(a_cooperative_launch_has_to_fit);
    RUN(a_node_that_does_not_fit_becomes_no_cooperative_one);
    RUN(launches_have_attributes);
    RUN(launches_record_events);
    RUN(edges_carry_what_kernels_allow);
    RUN(edges_are_added_all_or_none);
    RUN(captures_make_programmatic_edges);
    RUN(captures_are_told_of_edges);
    RUN(kernels_have_attributes);
    RUN(occupancy_is_told);
    RUN(questions_leave_the_kernel_as_it_is);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
