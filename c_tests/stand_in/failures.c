/* Each call of the driver fails once, one after the other: whatever fails, every gc_ call answers, nothing is left
 * alive in the driver or as a handle, and the next program in the same process works. */
#include "harness.h"

/* What the driver answers where it fails; OK in a run in which nothing is to fail. */
static int code;
/* Whether the failure had come already when the last step was done. */
static int has_failed;
/* Whether the driver can capture into a graph. */
static int is_new;

static void check_step(const char *call, int line, gc_status status) {
    const char *function = code != 0 ? stand_in.failed() : NULL;
    int clean = status == GRAPHCAP_SUCCESS;
    /* The driver's answer is passed on, or does not matter; what fails later lacks what could not be made. */
    if (!clean && function != NULL)
        clean = has_failed ? status != GRAPHCAP_ERROR_PANIC
                           : status == code && check_contains(last_message(), function);
    if (check_failed(clean))
        fprintf(stderr, "%s:%d: %s gave %d, when %s was to answer %d: %s\n", __FILE__, line, call, (int)status,
                function != NULL ? function : "nothing", code, last_message());
    has_failed = function != NULL;
}

#define STEP(call) check_step(#call, __LINE__, (call))

struct program {
    gc_context *context, *elsewhere;
    gc_module *module;
    gc_kernel *add, *missing;
    gc_stream *stream, *side, *special, *wrapped;
    gc_event *fork_event, *join_event, *mark, *opened;
    gc_buffer *buffer, *copy, *managed, *adopted, *lent;
    gc_host_buffer *pinned, *registered;
    gc_graph *graph;
    gc_graph_exec *exec;
    uint32_t words[4];
    unsigned calls, destroyed, released;
    unsigned built; /* calls and destroys of what graphs that are built keep */
};

static uint32_t memory[16];

/* A launch of the kernel "add", and work of other kinds, for a stream, a capture or a node. */
struct work {
    uint32_t number;
    uint64_t count;
    gc_kernel_arg arguments[3];
    gc_launch_config config;
    gc_memcpy_params copy;
    gc_memset_params set;
    gc_mem_op operation;
};

/* The kernel adds `number`, and the others write it, from `offset` bytes into the copy on. */
static void work_fill(struct work *work, const struct program *it, uint32_t number, size_t offset) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(it->buffer), GRAPHCAP_ARG_INIT_VALUE(work->number),
                                 GRAPHCAP_ARG_INIT_VALUE(work->count)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 4);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(it->copy, offset, it->buffer, 0, 16);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, number, 4, 2, 1, 0);
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(it->copy, 32 + offset, number, 0);
    work->number = number;
    work->count = 4;
    memcpy(work->arguments, arguments, sizeof arguments);
    work->config = config;
    work->copy = copy;
    work->set = set;
    work->operation = operation;
}

static void make_objects(struct program *it) {
    gc_module_description description = test_module();
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_event_options event_options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_context_options elsewhere = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_ipc_handle handle;
    void *native = NULL;
    options.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    STEP(gc_context_create(NULL, &it->context));
    STEP(gc_module_load(it->context, &description, &it->module));
    STEP(gc_module_get_kernel(it->module, "add", &it->add));
    if (gc_module_get_kernel(it->module, "none", &it->missing) == GRAPHCAP_SUCCESS)
        CHECK(!"a kernel that is not there was found");
    STEP(gc_stream_create(it->context, NULL, &it->stream));
    STEP(gc_stream_create(it->context, &options, &it->side));
    STEP(gc_context_legacy_stream(it->context, &it->special));
    STEP(gc_stream_native(it->stream, &native));
    if (native != NULL)
        STEP(gc_stream_wrap(it->context, native, &it->wrapped));
    STEP(gc_event_create(it->context, NULL, &it->fork_event));
    STEP(gc_event_create(it->context, NULL, &it->join_event));
    event_options.flags = GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING;
    STEP(gc_event_create(it->context, &event_options, &it->mark));
    STEP(gc_event_ipc_handle(it->mark, &handle));
    if (!has_failed)
        STEP(gc_event_open_ipc_handle(it->context, &handle, &it->opened));
    STEP(gc_buffer_allocate(it->context, 64, &it->buffer));
    STEP(gc_buffer_allocate_waitable(it->context, 64, &it->copy));
    STEP(gc_buffer_allocate_managed(it->context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &it->managed));
    elsewhere.device_ordinal = 1;
    STEP(gc_context_create(&elsewhere, &it->elsewhere));
    STEP(gc_buffer_allocate(it->elsewhere, 64, &it->lent));
    STEP(gc_host_buffer_allocate(it->context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &it->pinned));
    /* When this is handed back depends on what fails. */
    STEP(gc_host_buffer_register(it->context, memory, sizeof memory, 0, NULL, NULL, &it->registered));
}

/* Copies and memsets of rows, submitted, recorded and at once. */
static void work_on_rows(struct program *it) {
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(it->copy, 0, it->words, 4);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, it->copy, 0, 4);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 0, 2, 2, 4, 8);
    gc_graph *graph = NULL;
    in.height = out.height = 3;
    in.destination_pitch = 8;
    in.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    out.destination_host_buffer = it->pinned;
    out.source_pitch = 16;
    STEP(gc_stream_memcpy(it->stream, &in));
    STEP(gc_stream_memset_2d(it->special, &set));
    STEP(gc_context_memset(it->context, &set));
    STEP(gc_context_memcpy(it->context, &out));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_memcpy(it->stream, &in));
    STEP(gc_stream_memcpy(it->stream, &out));
    STEP(gc_stream_end_capture(it->stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A variable of a module, and copies that no device memory is part of. */
static void use_globals(struct program *it) {
    static const char image[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .global .align 4 .u32 number;\n";
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_HTOH(it->words, it->words + 2, 8);
    gc_module *module = NULL;
    gc_buffer *global = NULL;
    gc_context *told = NULL;
    description.image = image;
    description.image_size = sizeof image;
    STEP(gc_module_load(it->context, &description, &module));
    STEP(gc_module_get_global(module, "number", &global));
    CHECK_OK(gc_module_destroy(module));
    STEP(gc_stream_memset(it->stream, global, 0, 1, 4, 1));
    STEP(gc_buffer_get_context(global, &told));
    CHECK_OK(gc_context_destroy(told));
    CHECK_OK(gc_buffer_destroy(global));
    STEP(gc_stream_memcpy(it->stream, &within));
}

/* The graph of a capture, which is built while the capture goes on. */
static void build_within_a_capture(struct program *it) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 1, 4, 1, 1, 0);
    gc_graph *graph = NULL, *child = NULL, *ended = NULL;
    gc_node node = 0, put = 0;
    STEP(gc_graph_create(it->context, &child));
    STEP(gc_stream_begin_capture(it->side, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 1, 4, 1));
    STEP(gc_stream_capture_graph(it->side, &graph));
    STEP(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    STEP(gc_stream_update_capture_dependencies(it->side, &node, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    STEP(gc_stream_capture_child_node(it->side, child, &put));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 2, 4, 1));
    STEP(gc_stream_end_capture(it->side, &ended));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(ended));
}

/* A condition that is set from device memory, by a kernel of graphcap's own. */
static void decide_by_a_value(struct program *it) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_condition condition = 0;
    gc_node set = 0, decision = 0;
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create_condition(graph, 0, 0, &condition));
    STEP(gc_graph_add_set_condition_node(graph, NULL, 0, condition, it->buffer, 0, &set));
    STEP(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &decision));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What a stream tells of itself. */
static void ask_stream(struct program *it) {
    gc_stream_attribute_value value;
    uint32_t flags;
    int32_t least, greatest;
    memset(&value, 0, sizeof value);
    value.synchronization_policy = GRAPHCAP_SYNCHRONIZATION_POLICY_SPIN;
    STEP(gc_context_stream_priority_range(it->context, &least, &greatest));
    STEP(gc_stream_flags(it->wrapped, &flags));
    STEP(gc_stream_priority(it->wrapped, &least));
    STEP(gc_stream_set_attribute(it->side, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    STEP(gc_stream_get_attribute(it->side, GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    STEP(gc_stream_copy_attributes(it->stream, it->side));
}

static void work_eagerly(struct program *it) {
    int32_t complete;
    float milliseconds;
    STEP(gc_event_record(it->fork_event, it->stream));
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
    STEP(gc_stream_memset(it->special, it->copy, 0, 0, 2, 8));
    STEP(gc_stream_memcpy_htod(it->stream, it->buffer, 0, it->words, sizeof it->words));
    STEP(gc_stream_memcpy_peer(it->stream, it->lent, 0, it->buffer, 0, 64));
    STEP(gc_stream_memcpy_peer(it->special, it->copy, 0, it->lent, 32, 8));
    STEP(gc_stream_write_value32(it->stream, it->copy, 16, 1, 0));
    STEP(gc_stream_write_value64(it->special, it->copy, 24, 1, 0));
    if (!has_failed) {
        STEP(gc_stream_wait_value32(it->stream, it->copy, 16, 1, GRAPHCAP_WAIT_VALUE_EQ));
        STEP(gc_stream_wait_value64(it->special, it->copy, 24, 1, GRAPHCAP_WAIT_VALUE_GEQ));
    }
    STEP(gc_stream_attach_mem_async(it->stream, it->managed, GRAPHCAP_MEM_ATTACH_SINGLE));
    STEP(gc_stream_launch_host_func(it->stream, count_call, &it->calls, count_call));
    STEP(gc_event_record(it->join_event, it->stream));
    STEP(gc_stream_wait_event(it->side, it->join_event, 0));
    STEP(gc_stream_is_complete(it->stream, &complete));
    STEP(gc_event_is_complete(it->join_event, &complete));
    STEP(gc_event_synchronize(it->join_event));
    STEP(gc_event_synchronize_for(it->join_event, 0));
    STEP(gc_stream_synchronize_for(it->stream, 0));
    if (is_new)
        STEP(gc_context_synchronize_for(it->context, 0));
    ask_stream(it);
    if (!has_failed)
        STEP(gc_event_elapsed_time(it->fork_event, it->join_event, &milliseconds));
    STEP(gc_stream_synchronize(it->special));
}

static void capture(struct program *it) {
    struct work work;
    static char text[4096];
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    gc_node nodes[8] = {0};
    size_t number = 0;
    work_fill(&work, it, 1, 0);
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    STEP(gc_event_record(it->fork_event, it->stream));
    STEP(gc_stream_wait_event(it->side, it->fork_event, 0));
    STEP(gc_stream_memcpy_peer(it->side, it->copy, 0, it->lent, 0, 16));
    STEP(gc_stream_memcpy_dtod(it->side, it->copy, 0, it->buffer, 0, 16));
    STEP(gc_stream_batch_mem_op(it->side, &work.operation, 1, 0));
    STEP(gc_event_record(it->join_event, it->side));
    STEP(gc_stream_wait_event(it->stream, it->join_event, 0));
    STEP(gc_stream_memcpy_dtoh(it->wrapped, it->words, it->copy, 0, sizeof it->words));
    STEP(gc_stream_launch_host_func(it->stream, count_call, &it->destroyed, count_call));
    STEP(gc_stream_wait_event(it->stream, it->mark, GRAPHCAP_EVENT_WAIT_EXTERNAL));
    STEP(gc_event_record_with_flags(it->mark, it->stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    STEP(gc_stream_capture_info(it->side, &info));
    STEP(gc_stream_capture_frontier(it->stream, nodes, LENGTH_OF(nodes), &number));
    if (!has_failed)
        STEP(gc_stream_update_capture_dependencies(it->stream, nodes, number, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    STEP(gc_stream_export_capture_dot(it->stream, 0, text, sizeof text, NULL));
    STEP(gc_stream_end_capture(it->stream, &it->graph));
}

/* A capture into a graph that was there before, where the driver has that. */
static void capture_into_a_graph(struct program *it) {
    gc_graph *graph = NULL, *same = NULL;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_thread_exchange_capture_mode(&mode));
    if (is_new) {
        STEP(gc_stream_begin_capture_to_graph(it->side, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        STEP(gc_stream_memset(it->side, it->buffer, 0, 0, 4, 4));
        STEP(gc_stream_end_capture(it->side, &same));
    }
    mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
    STEP(gc_thread_exchange_capture_mode(&mode));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(same));
}

/* What a capture records is put into the graph of a node at the end. */
static void capture_within_a_node(struct program *it) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 1, 4, 1, 1, 0);
    uint32_t value = 1;
    uint64_t words = 1;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(it->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(words)};
    gc_graph *graph = NULL, *child = NULL, *within = NULL, *same = NULL;
    gc_node first = 0, node = 0;
    if (!is_new)
        return;
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &child));
    STEP(gc_graph_add_memset_node(child, NULL, 0, &set, &first));
    STEP(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    STEP(gc_node_get_graph(graph, node, 0, &within));
    STEP(gc_stream_begin_capture_to_graph(it->side, within, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_launch_kernel(it->side, it->add, &config, arguments, 3));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 0, 4, 4));
    STEP(gc_stream_launch_host_func(it->side, count_call, &it->destroyed, count_call));
    STEP(gc_stream_end_capture(it->side, &same));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(same));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

static void replay(struct program *it) {
    static char text[4096];
    size_t number;
    STEP(gc_graph_node_count(it->graph, &number));
    STEP(gc_graph_edge_count(it->graph, &number));
    STEP(gc_graph_export_dot(it->graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    STEP(gc_graph_export_json(it->graph, NULL, 0, &number));
    STEP(gc_graph_diff(it->graph, it->graph, NULL, 0, &number));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    STEP(gc_graph_upload(it->exec, it->stream));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_graph_launch(it->exec, it->wrapped));
    STEP(gc_stream_synchronize(it->stream));
    STEP(gc_graph_launch(it->exec, it->special));
    STEP(gc_context_synchronize(it->context));
}

/* A capture that a stream of another context joins, and a replay on that stream. */
static void capture_elsewhere(struct program *it) {
    gc_stream *guest = NULL;
    gc_event *answer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    STEP(gc_stream_create(it->elsewhere, NULL, &guest));
    STEP(gc_event_create(it->elsewhere, NULL, &answer));
    STEP(gc_stream_begin_capture(it->side, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_event_record(it->fork_event, it->side));
    STEP(gc_stream_wait_event(guest, it->fork_event, 0));
    STEP(gc_stream_memset(guest, it->lent, 0, 1, 4, 4));
    STEP(gc_event_record(answer, guest));
    STEP(gc_stream_wait_event(it->side, answer, 0));
    STEP(gc_stream_end_capture(it->side, &graph));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, guest));
    STEP(gc_stream_synchronize(guest));
    STEP(gc_graph_launch(exec, it->side));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(answer));
    CHECK_OK(gc_stream_destroy(guest));
}

/* ---- A graph that is built by hand, read back, copied and edited, and so its exec ---- */

static void read_back(const gc_graph *graph, const gc_node *nodes) {
    gc_kernel_node_params kernel_params;
    gc_memcpy_node_params memcpy_params;
    gc_memset_node_params memset_params;
    gc_mem_op_node_params values;
    gc_host_node_params host = GRAPHCAP_HOST_NODE_PARAMS_INIT;
    gc_kernel *kernel = NULL;
    gc_event *event = NULL;
    gc_node list[16];
    char name[16];
    uint32_t kind;
    size_t count;
    kernel_params.struct_size = sizeof kernel_params;
    memcpy_params.struct_size = sizeof memcpy_params;
    memset_params.struct_size = sizeof memset_params;
    values.struct_size = sizeof values;
    STEP(gc_node_kind(graph, nodes[0], &kind));
    STEP(gc_node_set_name(graph, nodes[0], "first"));
    STEP(gc_node_get_name(graph, nodes[0], name, sizeof name, NULL));
    STEP(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, NULL, 0, &count));
    STEP(gc_graph_export_json(graph, NULL, 0, &count));
    STEP(gc_node_get_kernel_params(graph, nodes[0], &kernel_params));
    STEP(gc_node_kernel_name(graph, nodes[0], name, sizeof name, NULL));
    STEP(gc_node_get_kernel(graph, nodes[0], &kernel));
    STEP(gc_node_get_memcpy_params(graph, nodes[1], &memcpy_params));
    STEP(gc_node_get_memset_params(graph, nodes[2], &memset_params));
    STEP(gc_node_get_mem_op_params(graph, nodes[4], 0, &values, NULL));
    STEP(gc_node_get_host_params(graph, nodes[3], &host));
    STEP(gc_node_get_event(graph, nodes[5], &event));
    STEP(gc_node_get_dependencies(graph, nodes[1], list, 16, &count));
    STEP(gc_graph_get_roots(graph, list, 16, &count));
    STEP(gc_graph_get_order(graph, list, 16, &count));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_event_destroy(event));
}

static void edit_exec(struct program *it, const gc_graph_exec *exec, const gc_graph *graph, const gc_node *nodes,
                      const gc_graph *child) {
    struct work work;
    int32_t enabled;
    work_fill(&work, it, 2, 16);
    STEP(gc_graph_exec_set_kernel_node(exec, nodes[0], it->add, &work.config, work.arguments, 3));
    STEP(gc_graph_exec_set_memcpy_node(exec, nodes[1], &work.copy));
    STEP(gc_graph_exec_set_memset_node(exec, nodes[2], &work.set));
    STEP(gc_graph_exec_set_host_node(exec, nodes[3], count_call, &it->built, count_call));
    STEP(gc_graph_exec_set_batch_mem_op_node(exec, nodes[4], &work.operation, 1));
    STEP(gc_graph_exec_set_event_record_node(exec, nodes[5], it->join_event));
    STEP(gc_graph_exec_set_event_wait_node(exec, nodes[6], it->join_event));
    STEP(gc_graph_exec_set_child_node(exec, nodes[7], child));
    STEP(gc_graph_exec_set_node_enabled(exec, nodes[1], 0));
    STEP(gc_graph_exec_is_node_enabled(exec, nodes[1], &enabled));
    STEP(gc_graph_exec_can_update(exec, graph, NULL));
    STEP(gc_graph_exec_update(exec, graph, GRAPHCAP_EXEC_UPDATE_COMPARE_ATTRIBUTES, NULL));
}

/* As text and back, and copied with the names of its nodes. */
static void write_and_read(struct program *it, const gc_graph *graph, gc_node node) {
    gc_graph_binding bindings[] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "buffer 0", it->copy),
                                   GRAPHCAP_BINDING_INIT_HOST_FUNCTION("none", count_call, &it->built, count_call)};
    gc_graph *again = NULL, *clone = NULL;
    static char json[4096];
    STEP(gc_node_set_name(graph, node, "set"));
    STEP(gc_graph_export_json(graph, json, sizeof json, NULL));
    STEP(gc_graph_import_json(it->context, json, strlen(json), bindings, 2, &again));
    STEP(gc_graph_clone(graph, &clone));
    STEP(gc_graph_diff(again, clone, json, sizeof json, NULL));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(again));
}

/* Attributes of kernels, launches and nodes, and edges that carry something, where the driver has these. */
static void tune(struct program *it) {
    struct work work;
    uint32_t blocks, size;
    int32_t value;
    size_t bytes;
    gc_launch_attribute attributes[3];
    gc_launch_attribute_value told;
    gc_launch_attribute_id ids[4];
    gc_edge_data data[2];
    gc_graph *graph = NULL, *captured = NULL;
    gc_node nodes[3] = {0}, from[2], to[2];
    work_fill(&work, it, 1, 0);
    work.config.grid_dim[0] = 4;
    memset(data, 0, sizeof data);
    data[0].from_port = GRAPHCAP_PORT_PROGRAMMATIC;
    data[0].edge_type = GRAPHCAP_EDGE_TYPE_PROGRAMMATIC;
    gc_launch_attribute_init_dimensions(&attributes[0], GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    gc_launch_attribute_init_number(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -1);
    gc_launch_attribute_init(&attributes[2], GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT);
    attributes[2].value.event.event = it->mark;
    work.config.attributes = attributes;
    work.config.attribute_count = 2;
    STEP(gc_kernel_get_attribute(it->add, GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS, &value));
    STEP(gc_kernel_set_attribute(it->add, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, 50));
    STEP(gc_kernel_set_attribute(it->add, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, 65536));
    STEP(gc_kernel_max_active_blocks(it->add, 32, 0, &blocks));
    STEP(gc_kernel_max_active_blocks(it->add, 32, 70000, &blocks));
    STEP(gc_kernel_suggested_block_size(it->add, 0, 0, &size, &blocks));
    STEP(gc_kernel_available_shared_mem(it->add, 2, 32, &bytes));
    STEP(gc_kernel_max_active_clusters(it->add, &work.config, &blocks));
    STEP(gc_kernel_max_cluster_size(it->add, &work.config, &blocks));
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[0]));
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[1]));
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[2]));
    STEP(gc_node_set_kernel(graph, nodes[0], it->add, &work.config, work.arguments, 3));
    STEP(gc_node_set_attribute(graph, nodes[0], attributes[1].id, &attributes[1].value));
    STEP(gc_node_get_attribute(graph, nodes[0], attributes[1].id, &told));
    STEP(gc_node_get_attributes(graph, nodes[0], ids, 4, NULL));
    STEP(gc_node_copy_attributes(graph, nodes[1], graph, nodes[0]));
    from[0] = nodes[0], to[0] = from[1] = nodes[1], to[1] = nodes[2];
    if (is_new) {
        STEP(gc_graph_add_dependencies_with_data(graph, from, to, data, 2));
        STEP(gc_graph_get_edges_with_data(graph, from, to, data, 2, NULL));
        STEP(gc_graph_get_edge_data(graph, nodes[0], nodes[1], data));
    }
    work.config.attribute_count = 3;
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    gc_launch_attribute_init_number(&attributes[2], GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    if (is_new) {
        STEP(gc_stream_capture_frontier(it->stream, nodes, 1, NULL));
        if (!has_failed)
            STEP(gc_stream_update_capture_dependencies_with_data(it->stream, nodes, data, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
        STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    }
    STEP(gc_stream_end_capture(it->stream, &captured));
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
}

static void build_and_edit(struct program *it) {
    struct work work;
    gc_graph *graph = NULL, *child = NULL, *clone = NULL, *within = NULL, *containing = NULL;
    gc_graph_exec *exec = NULL;
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_node nodes[9] = {0}, found = 0;
    uint32_t flags;
    work_fill(&work, it, 1, 0);
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &child));
    STEP(gc_graph_add_memset_node(child, NULL, 0, &work.set, &found));
    write_and_read(it, child, found);
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[0]));
    STEP(gc_graph_add_memcpy_node(graph, nodes, 1, &work.copy, &nodes[1]));
    STEP(gc_graph_add_memset_node(graph, &nodes[1], 1, &work.set, &nodes[2]));
    STEP(gc_graph_add_host_node(graph, NULL, 0, count_call, &it->built, count_call, &nodes[3]));
    STEP(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &work.operation, 1, &nodes[4]));
    STEP(gc_graph_add_event_record_node(graph, NULL, 0, it->fork_event, &nodes[5]));
    STEP(gc_graph_add_event_wait_node(graph, NULL, 0, it->fork_event, &nodes[6]));
    STEP(gc_graph_add_child_node(graph, NULL, 0, child, &nodes[7]));
    STEP(gc_graph_add_empty_node(graph, NULL, 0, &nodes[8]));
    STEP(gc_graph_add_dependencies(graph, &nodes[2], &nodes[8], 1));
    STEP(gc_graph_remove_dependencies(graph, &nodes[2], &nodes[8], 1));
    STEP(gc_graph_retain_callback(graph, &it->built, count_call));
    STEP(gc_graph_clone(graph, &clone));
    STEP(gc_node_find_in_clone(graph, nodes[0], clone, &found));
    read_back(graph, nodes);
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD | GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH;
    options.upload_stream = it->stream;
    STEP(gc_graph_instantiate(graph, &options, &exec));
    STEP(gc_graph_exec_flags(exec, &flags));
    CHECK_OK(gc_graph_exec_destroy(exec));
    exec = NULL;
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    edit_exec(it, exec, graph, nodes, child);
    work.number = 3;
    work.operation.value = 3;
    STEP(gc_node_set_kernel(graph, nodes[0], it->add, &work.config, work.arguments, 3));
    STEP(gc_node_set_memcpy(graph, nodes[1], &work.copy));
    STEP(gc_node_set_memset(graph, nodes[2], &work.set));
    STEP(gc_node_set_host(graph, nodes[3], count_call, &it->built, count_call));
    STEP(gc_node_set_batch_mem_op(graph, nodes[4], &work.operation, 1));
    STEP(gc_node_set_event_record(graph, nodes[5], it->join_event));
    STEP(gc_node_set_event_wait(graph, nodes[6], it->join_event));
    STEP(gc_node_get_graph(graph, nodes[7], 0, &within));
    STEP(gc_graph_add_empty_node(within, NULL, 0, &found));
    STEP(gc_node_get_containing_graph(graph, found, &containing));
    STEP(gc_graph_remove_node(within, found));
    if (is_new)
        STEP(gc_node_set_child(graph, nodes[7], child));
    STEP(gc_graph_remove_node(graph, nodes[3]));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_stream_synchronize(it->stream));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(containing));
    CHECK_OK(gc_graph_destroy(within));
}

/* A graph that allocates, what it leaves, and a graph that frees it. */
static void allocate_in_graphs(struct program *it) {
    gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
    gc_mem_alloc_node_params alloc = {sizeof alloc, 0, 0, 0};
    gc_mem_free_node_params freed = {sizeof freed, 0, 0};
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(NULL, 0, 1, 4, 4, 1, 0);
    gc_graph *graph = NULL, *other = NULL;
    gc_graph_exec *exec = NULL, *frees = NULL;
    gc_buffer *left = NULL, *named = NULL;
    gc_node nodes[3] = {0};
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &other));
    STEP(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &nodes[0], &left));
    set.buffer = left;
    STEP(gc_graph_add_memset_node(graph, nodes, 1, &set, &nodes[1]));
    STEP(gc_graph_add_mem_free_node(other, NULL, 0, left, &nodes[2]));
    STEP(gc_node_get_mem_alloc_params(graph, nodes[0], &alloc));
    STEP(gc_node_get_mem_free_params(other, nodes[2], &freed));
    STEP(gc_node_get_buffer(other, nodes[2], &named));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_instantiate(other, NULL, &frees));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_graph_launch(frees, it->stream));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_stream_free_buffer(it->stream, left));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_context_graph_memory(it->context, &memory));
    STEP(gc_context_graph_memory_reset_high(it->context));
    STEP(gc_context_graph_memory_trim(it->context));
    /* What the last launch left goes with the last who could name it. */
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_exec_destroy(frees));
    CHECK_OK(gc_buffer_destroy(named));
    CHECK_OK(gc_buffer_destroy(left));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* The same by a capture object, which is dropped or ended, and by a function. */
static gc_status submit_memset(const gc_stream *stream, void *user_data) {
    const struct program *it = (const struct program *)user_data;
    return gc_stream_memset(stream, it->buffer, 0, 1, 1, 4);
}

static void capture_by_objects(struct program *it) {
    struct work work;
    const gc_module *modules[1];
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    int end;
    work_fill(&work, it, 1, 0);
    modules[0] = it->module;
    options.modules = modules;
    options.module_count = 1;
    for (end = 0; end < 2; end++) {
        gc_capture *recording = NULL;
        gc_graph *graph = NULL;
        int32_t active;
        STEP(gc_capture_begin(it->side, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &recording));
        STEP(gc_capture_record_kernel(recording, "add", &work.config, work.arguments, 3));
        STEP(gc_capture_record_memcpy(recording, &work.copy));
        STEP(gc_capture_record_memset(recording, it->buffer, 0, 1, 1, 4));
        STEP(gc_capture_is_active(recording, &active));
        if (end)
            STEP(gc_capture_end(recording, &graph));
        CHECK_OK(gc_capture_destroy(recording));
        CHECK_OK(gc_graph_destroy(graph));
        graph = NULL;
        STEP(gc_stream_capture(it->side, GRAPHCAP_CAPTURE_MODE_GLOBAL, submit_memset, it, NULL, &graph));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

/* Adopted memory, a capture that is dropped, and all that is made given back, in an order in which each one still
 * needs another. */
static void give_back(struct program *it) {
    uint64_t address = 0;
    gc_buffer *owner = it->copy;
    if (owner != NULL && gc_buffer_address(owner, &address) == GRAPHCAP_SUCCESS)
        STEP(gc_buffer_wrap(it->context, (void *)(uintptr_t)address, 64, &it->released, count_call, &it->adopted));
    CHECK_OK(gc_stream_destroy(it->wrapped));
    CHECK_OK(gc_host_buffer_destroy(it->pinned));
    CHECK_OK(gc_host_buffer_destroy(it->registered));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(it->stream, it->adopted, 0, 1, 1, 4));
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 1, 1, 4));
    CHECK_OK(gc_module_destroy(it->module));
    CHECK_OK(gc_kernel_destroy(it->add));
    CHECK_OK(gc_buffer_destroy(it->buffer));
    CHECK_OK(gc_buffer_destroy(it->adopted));
    CHECK_OK(gc_buffer_destroy(it->lent));
    CHECK_OK(gc_context_destroy(it->elsewhere));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_stream_destroy(it->stream));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    STEP(gc_context_collect(it->context));
    CHECK_OK(gc_event_destroy(it->fork_event));
    CHECK_OK(gc_event_destroy(it->join_event));
    CHECK_OK(gc_event_destroy(it->mark));
    CHECK_OK(gc_event_destroy(it->opened));
    CHECK_OK(gc_buffer_destroy(owner));
    CHECK_OK(gc_buffer_destroy(it->managed));
    CHECK_OK(gc_stream_destroy(it->special));
    CHECK_OK(gc_stream_destroy(it->side));
    CHECK_OK(gc_context_destroy(it->context));
}

/* Runs the program, of which the `call`th call of the driver is to answer `answer`. */
static const char *run_program(uint64_t call, int answer) {
    struct program it;
    char what[256];
    const char *failed;
    memset(&it, 0, sizeof it);
    code = answer;
    has_failed = 0;
    stand_in.fail(call, answer);
    make_objects(&it);
    work_eagerly(&it);
    work_on_rows(&it);
    use_globals(&it);
    build_within_a_capture(&it);
    if (is_new)
        decide_by_a_value(&it);
    capture(&it);
    capture_into_a_graph(&it);
    capture_within_a_node(&it);
    capture_by_objects(&it);
    replay(&it);
    capture_elsewhere(&it);
    build_and_edit(&it);
    allocate_in_graphs(&it);
    tune(&it);
    if (answer == 0) {
        CHECK(it.words[0] == 3 && it.words[3] == 3);
        CHECK(await_count(&it.calls, 2) && await_count(&it.destroyed, 3));
    }
    give_back(&it);
    snprintf(what, sizeof what, "call %llu answered %d", (unsigned long long)call, answer);
    expect_nothing_left(what);
    /* Five objects, and one call of a function, which a launch makes. */
    CHECK(await_count(&it.built, 5));
    if (answer == 0)
        CHECK(await_count(&it.built, 6) && count_of(&it.built) == 6);
    /* What was given to graphcap comes back once for each time that it was given, whether the call worked or not. */
    CHECK(it.adopted == NULL || await_count(&it.released, 1));
    CHECK(gc_live_handles() == 0);
    failed = stand_in.failed();
    stand_in.fail(0, 0);
    return failed;
}

static void fail_each_call_once(int answer) {
    uint64_t call;
    run_program(0, 0);
    for (call = 1; run_program(call, answer) != NULL && check_failures == 0; call++)
        run_program(0, 0);
    fprintf(stderr, "%llu calls failed\n", (unsigned long long)call - 1);
    CHECK(call > 100);
}

static void out_of_memory(void) {
    fail_each_call_once(GRAPHCAP_ERROR_OUT_OF_MEMORY);
}

static void unknown_error(void) {
    fail_each_call_once(999);
}

static void try_driver(const char *version) {
    use_stand_in(version);
    is_new = strcmp(version, "12.0") != 0;
}

static void out_of_memory_with(const char *version) {
    try_driver(version);
    RUN(out_of_memory);
}

static void unknown_error_with(const char *version) {
    try_driver(version);
    RUN(unknown_error);
}

/* With the oldest driver and a newer one. All at once: each program ends with waits for threads, not for the CPU. */
static void each_call_fails_once(void) {
    static const struct {
        void (*run)(const char *version);
        const char *version;
    } tries[] = {
        {out_of_memory_with, "12.0"},
        {out_of_memory_with, "13.0"},
        {unknown_error_with, "12.0"},
        {unknown_error_with, "13.0"},
    };
    pid_t children[LENGTH_OF(tries)];
    size_t i;
    for (i = 0; i < LENGTH_OF(tries); i++)
        children[i] = start_child(tries[i].run, tries[i].version);
    for (i = 0; i < LENGTH_OF(tries); i++)
        end_child(children[i], tries[i].version);
}

int main(void) {
    RUN(each_call_fails_once);
    return check_finish();
}
