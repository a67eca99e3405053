/* Every function with every kind of bad handle, with NULL for every output, and with counts that no array has. The functions
 * are in three tables; python/check_coverage.py compares them with graphcap.h, so that a new function cannot be forgotten. */
#include "world.h"

enum kind { CONTEXT, STREAM, EVENT, BUFFER, MODULE, KERNEL, GRAPH, EXEC, CAPTURE, HOST_BUFFER, POOL, CACHE, SCALAR, SCRIPT, RECORD_CONTEXT, ACTOR, FUTURE, RNG, FFT_PLAN, PLAN, KINDS };

static const char *const kind_words[KINDS] = {"context", "stream",  "event",          "buffer", "module",        "kernel", "graph",
                                              "exec",    "capture", "gc_host_buffer", "pool",   "gc_graph_cache", "gc_scalar", "gc_script",
                                              "gc_record_context", "gc_actor", "gc_future", "gc_rng", "gc_fft_plan", "gc_plan"};

static gc_status copy_within(const gc_capture *capture, const gc_buffer *buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 8, 4);
    return gc_capture_record_memcpy(capture, &copy);
}

static gc_status record_script(struct world *w, const gc_script *script, const gc_stream *stream, gc_graph **graph_out) {
    (void)w;
    return gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, graph_out);
}

static gc_status record_by(struct world *w, const gc_actor *actor, const gc_script *script) {
    return gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_RELAXED, 0, &w->out.future);
}

static gc_status batch_on(const gc_stream *stream, const gc_buffer *buffer) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, 0, 0);
    return gc_stream_batch_mem_op(stream, &operation, 1, 0);
}

/* With each of the functions that copy or set rows. */
enum with { BY_STREAM, BY_CONTEXT, IN_A_BATCH };

static gc_status copy_by(enum with with, const struct world *w, const void *by, const gc_buffer *buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, NULL, 4);
    copy.source_host_buffer = w->host_buffer;
    switch (with) {
    case BY_STREAM: return gc_stream_memcpy((const gc_stream *)by, &copy);
    case BY_CONTEXT: return gc_context_memcpy((const gc_context *)by, &copy);
    default: return gc_stream_memcpy_batch((const gc_stream *)by, &copy, 1, NULL);
    }
}

static gc_status copy_from(const struct world *w, const gc_host_buffer *host_buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(w->buffer, 0, NULL, 4);
    /* NULL is the absence of one. */
    copy.source_host_buffer = host_buffer == NULL ? (const gc_host_buffer *)w->buffer : host_buffer;
    return gc_stream_memcpy(w->stream, &copy);
}

static gc_status instantiate(struct world *w, const gc_stream *upload) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    /* NULL is the legacy stream. */
    options.upload_stream = upload == NULL ? (const gc_stream *)w->buffer : upload;
    return gc_graph_instantiate(w->graph, &options, &w->out.exec);
}

static gc_status end_capture_exec(struct world *w, const gc_stream *upload) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    options.upload_stream = upload == NULL ? (const gc_stream *)w->buffer : upload;
    return gc_stream_end_capture_exec(w->stream, &options, &w->out.exec);
}

static gc_status set_by(enum with with, const void *by, const gc_buffer *buffer) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 1, 2, 2, 8);
    return with == BY_STREAM ? gc_stream_memset_2d((const gc_stream *)by, &set)
                             : gc_context_memset((const gc_context *)by, &set);
}

static gc_status record_set(const gc_capture *capture, const gc_buffer *buffer) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 1, 2, 2, 8);
    return gc_capture_record_memset_2d(capture, &set);
}

static gc_status record_values(const gc_capture *capture, const gc_buffer *buffer, size_t count) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, 0, 0);
    return gc_capture_record_batch_mem_op(capture, &operation, count);
}

static gc_status ask_info(const gc_stream *stream, gc_capture_info *info) {
    info->struct_size = sizeof *info;
    return gc_stream_capture_info(stream, info);
}

/* Of a capture that is under way. */
static gc_status export_capture(struct world *w, char *text, size_t capacity) {
    gc_status status = gc_stream_begin_capture(w->stream, GRAPHCAP_CAPTURE_MODE_RELAXED), ended;
    gc_graph *graph = NULL;
    if (status != GRAPHCAP_SUCCESS)
        return status;
    status = gc_stream_export_capture_dot(w->stream, 0, text, capacity, NULL);
    ended = gc_stream_end_capture(w->stream, &graph);
    gc_graph_destroy(graph);
    return status != GRAPHCAP_SUCCESS ? status : ended;
}

/* ---- Work as data ---- */

static gc_work child_work(const gc_graph *graph) {
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_CHILD_GRAPH;
    work.graph = graph;
    return work;
}

static gc_status submit_child(struct world *w, const gc_stream *stream, const gc_graph *graph) {
    gc_work work = child_work(graph);
    return gc_stream_submit(stream, &work, &w->out.node);
}

static gc_status record_child(const gc_capture *capture, const gc_graph *graph) {
    gc_work work = child_work(graph);
    return gc_capture_record(capture, &work);
}

static gc_status add_child(const gc_graph *graph, size_t dependency_count, const gc_graph *child, gc_node *node) {
    gc_work work = child_work(child);
    gc_node before = 0;
    return gc_graph_add_node(graph, dependency_count == 0 ? NULL : &before, NULL, dependency_count, &work, node);
}

static gc_status add_children(const gc_graph *graph, size_t count, const gc_graph *child, gc_node *nodes) {
    gc_work work = child_work(child);
    return gc_graph_add_nodes(graph, NULL, NULL, &work, count, nodes, NULL);
}

static gc_status set_child(struct world *w, const gc_graph *graph, const gc_graph *child) {
    gc_work work = child_work(child);
    return gc_node_set(graph, w->child_node, &work);
}

static gc_status exec_set_child(struct world *w, const gc_graph_exec *exec, const gc_graph *child) {
    gc_work work = child_work(child);
    return gc_graph_exec_set_node(exec, w->child_node, &work);
}

/* Sets one node, or says that there are more. */
static gc_status set_children(struct world *w, const void *of, int is_exec, size_t count, const gc_graph *child) {
    gc_work work = child_work(child);
    return is_exec ? gc_graph_exec_set_nodes((const gc_graph_exec *)of, &w->child_node, &work, count, NULL)
                   : gc_graph_set_nodes((const gc_graph *)of, &w->child_node, &work, count, NULL);
}

static gc_status add_scalar_condition(struct world *w, const gc_scalar *scalar) {
    /* NULL is the absence of one. */
    const gc_scalar *given = scalar == NULL ? (const gc_scalar *)w->buffer : scalar;
    return gc_graph_add_scalar_condition_node(w->graph, NULL, 0, 1, given, &w->out.node);
}

/* ---- Graphs and execs that are edited: the same calls, with one handle to be bad ---- */

/* What is given the work: a new node of a graph, a node of a graph that is there, or one of an exec. */
enum edit { ADD, SET, EXEC_SET };

static gc_status edit_kernel(struct world *w, enum edit edit, const void *of, const gc_kernel *kernel, const gc_buffer *buffer) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    switch (edit) {
    case ADD:
        return gc_graph_add_kernel_node((const gc_graph *)of, NULL, 0, kernel, &one_thread, arguments, 3, &w->out.node);
    case SET: return gc_node_set_kernel((const gc_graph *)of, w->kernel_node, kernel, &one_thread, arguments, 3);
    default:
        return gc_graph_exec_set_kernel_node((const gc_graph_exec *)of, w->kernel_node, kernel, &one_thread, arguments, 3);
    }
}

static gc_status edit_memcpy(struct world *w, enum edit edit, const void *of, const gc_buffer *buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, w->buffer, 8, 4);
    switch (edit) {
    case ADD: return gc_graph_add_memcpy_node((const gc_graph *)of, NULL, 0, &copy, &w->out.node);
    case SET: return gc_node_set_memcpy((const gc_graph *)of, w->copy_node, &copy);
    default: return gc_graph_exec_set_memcpy_node((const gc_graph_exec *)of, w->copy_node, &copy);
    }
}

static gc_status add_memcpy(struct world *w, size_t dependency_count, gc_node *node) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(w->buffer, 0, w->buffer, 8, 4);
    return gc_graph_add_memcpy_node(w->graph, w->nodes, dependency_count, &copy, node);
}

static gc_status add_memset(struct world *w, size_t dependency_count, gc_node *node) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(w->buffer, 0, 1, 1, 4, 1, 0);
    return gc_graph_add_memset_node(w->graph, w->nodes, dependency_count, &set, node);
}

static gc_status edit_memset(struct world *w, enum edit edit, const void *of, const gc_buffer *buffer) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 1, 4, 1, 0);
    switch (edit) {
    case ADD: return gc_graph_add_memset_node((const gc_graph *)of, NULL, 0, &set, &w->out.node);
    case SET: return gc_node_set_memset((const gc_graph *)of, w->memset_node, &set);
    default: return gc_graph_exec_set_memset_node((const gc_graph_exec *)of, w->memset_node, &set);
    }
}

static gc_status edit_values(struct world *w, enum edit edit, const void *of, const gc_buffer *buffer, size_t count) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, 0, 0);
    switch (edit) {
    case ADD: return gc_graph_add_batch_mem_op_node((const gc_graph *)of, NULL, 0, &operation, count, &w->out.node);
    case SET: return gc_node_set_batch_mem_op((const gc_graph *)of, w->values_node, &operation, count);
    default: return gc_graph_exec_set_batch_mem_op_node((const gc_graph_exec *)of, w->values_node, &operation, count);
    }
}

static gc_status import_with(struct world *w, const gc_buffer *buffer) {
    gc_graph_binding binding = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer);
    return gc_graph_import_json(w->context, "", 0, &binding, 1, &w->out.graph);
}

static gc_status exec_progress(struct world *w, const gc_graph_exec *exec) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    return gc_graph_exec_progress(exec, &progress, w->text, sizeof w->text, &w->out.size);
}

static gc_status exec_progress_into(struct world *w, char *text) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    return gc_graph_exec_progress(w->exec, &progress, text, 8, NULL);
}

static gc_status verify_with(const gc_graph *graph) {
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    return gc_graph_verify(graph, NULL, &report);
}

static gc_status step_with(const gc_graph *graph, gc_finding *findings, size_t capacity) {
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    return gc_graph_step(graph, NULL, findings, capacity, &report);
}

static int32_t is_good(uint64_t replay, uint64_t max_replays, void *user_data) {
    (void)user_data;
    return replay < max_replays;
}

static gc_status bisect_with(const gc_graph *graph, gc_finding *findings, size_t capacity) {
    gc_bisect_report report = GRAPHCAP_BISECT_REPORT_INIT;
    return gc_graph_bisect(graph, NULL, is_good, NULL, findings, capacity, &report);
}

static gc_status import_many(struct world *w, size_t count) {
    gc_graph_binding binding = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", w->buffer);
    return gc_graph_import_json(w->context, "", 0, &binding, count, &w->out.graph);
}

/* An address at which there is nothing. */
#define NO_NATIVE ((void *)(uintptr_t)64)

static gc_status get_alloc_params(struct world *w, const gc_graph *graph) {
    w->out.alloc_params.struct_size = sizeof w->out.alloc_params;
    return gc_node_get_mem_alloc_params(graph, w->copy_node, &w->out.alloc_params);
}

static gc_status get_free_params(struct world *w, const gc_graph *graph) {
    w->out.free_params.struct_size = sizeof w->out.free_params;
    return gc_node_get_mem_free_params(graph, w->copy_node, &w->out.free_params);
}

static gc_status get_host_params(const struct world *w, const gc_graph *graph, gc_host_node_params *params) {
    params->struct_size = sizeof *params;
    return gc_node_get_host_params(graph, w->host_node, params);
}

static gc_status get_conditional_params(const struct world *w, const gc_graph *graph, gc_conditional_node_params *params) {
    params->struct_size = sizeof *params;
    return gc_node_get_conditional_params(graph, w->child_node, params);
}

static gc_status get_graph_memory(const gc_context *context, gc_graph_memory *memory) {
    memory->struct_size = sizeof *memory;
    return gc_context_graph_memory(context, memory);
}

static gc_status get_kernel_params(const struct world *w, const gc_graph *graph, gc_kernel_node_params *params) {
    params->struct_size = sizeof *params;
    return gc_node_get_kernel_params(graph, w->kernel_node, params);
}

static gc_status get_memcpy_params(const struct world *w, const gc_graph *graph, gc_memcpy_node_params *params) {
    params->struct_size = sizeof *params;
    return gc_node_get_memcpy_params(graph, w->copy_node, params);
}

static gc_status get_memset_params(const struct world *w, const gc_graph *graph, gc_memset_node_params *params) {
    params->struct_size = sizeof *params;
    return gc_node_get_memset_params(graph, w->memset_node, params);
}

static gc_status get_mem_op_params(const struct world *w, const gc_graph *graph, gc_mem_op_node_params *params) {
    params->struct_size = sizeof *params;
    return gc_node_get_mem_op_params(graph, w->values_node, 0, params, NULL);
}

/* The other outputs of the call have places of their own. */
static gc_status find_buffer(const struct world *w, gc_buffer **buffer_out, gc_host_buffer **host_buffer_out) {
    uint64_t address = 0;
    gc_status status = gc_buffer_address(w->buffer, &address);
    return status != GRAPHCAP_SUCCESS ? status : gc_context_find_buffer(w->context, address, buffer_out, host_buffer_out, NULL);
}

/* A pool of options: NULL is the absence of one. */
#define ANY_GRAPH (bad == NULL ? (const gc_graph *)w->buffer : (const gc_graph *)bad)
#define ANY_POOL (bad == NULL ? (const gc_pool *)w->buffer : (const gc_pool *)bad)

static gc_status make_scalars(const struct world *w, const gc_stream *stream, size_t count, gc_scalar **scalars_out) {
    const uint32_t type = GRAPHCAP_SCALAR_U32;
    const void *initial = w->memory;
    return gc_scalar_create_block(stream, &type, &initial, count, scalars_out);
}

static gc_status update_scalars(const struct world *w, const gc_stream *stream, const gc_scalar *scalar, size_t count) {
    const uint32_t type = GRAPHCAP_SCALAR_U32;
    const void *value = w->memory;
    return gc_scalar_update_many(stream, &scalar, &type, &value, count);
}

/* Function, the parameter that is bad, its kind, bytes of the output that a failure must clear, and the call. */
#define HANDLE_CASES(CASE)                                                                                               \
    CASE(gc_context_destroy, context, CONTEXT, 0, gc_context_destroy((gc_context *)bad))                                 \
    CASE(gc_context_synchronize, context, CONTEXT, 0, gc_context_synchronize((gc_context *)bad))                         \
    CASE(gc_context_collect, context, CONTEXT, 0, gc_context_collect((gc_context *)bad))                                 \
    CASE(gc_context_make_current, context, CONTEXT, 0, gc_context_make_current((gc_context *)bad))                       \
    CASE(gc_context_reset, context, CONTEXT, 0, gc_context_reset((gc_context *)bad))                                    \
    CASE(gc_stream_wrap, context, CONTEXT, 8, gc_stream_wrap((gc_context *)bad, NULL, &w->out.stream))                   \
    CASE(gc_node_native, graph, GRAPH, 8, gc_node_native((gc_graph *)bad, w->nodes[0], &w->out.pointer))                 \
    CASE(gc_pool_create, context, CONTEXT, 8, gc_pool_create((gc_context *)bad, NULL, &w->out.pool))                    \
    CASE(gc_pool_destroy, pool, POOL, 0, gc_pool_destroy((gc_pool *)bad))                                               \
    CASE(gc_pool_id, pool, POOL, 8, gc_pool_id((gc_pool *)bad, &w->out.u64))                                            \
    CASE(gc_pool_add_buffer, pool, POOL, 8, gc_pool_add_buffer((gc_pool *)bad, w->buffer, &w->out.size))                \
    CASE(gc_pool_add_buffer, buffer, BUFFER, 8, gc_pool_add_buffer(w->pool, (gc_buffer *)bad, &w->out.size))            \
    CASE(gc_pool_add_object, pool, POOL, 8,                                                                             \
         gc_pool_add_object((gc_pool *)bad, &w->released, count_call, &w->out.size))                                    \
    CASE(gc_pool_allocate, pool, POOL, 8, gc_pool_allocate((gc_pool *)bad, 16, &w->out.buffer))                         \
    CASE(gc_pool_allocate_on_stream, pool, POOL, 8,                                                                     \
         gc_pool_allocate_on_stream((gc_pool *)bad, w->stream, 16, &w->out.buffer))                                     \
    CASE(gc_pool_allocate_on_stream, stream, STREAM, 8,                                                                 \
         gc_pool_allocate_on_stream(w->pool, (gc_stream *)bad, 16, &w->out.buffer))                                     \
    CASE(gc_buffer_destroy_on_stream, buffer, BUFFER, 0, gc_buffer_destroy_on_stream((gc_buffer *)bad, w->stream))      \
    CASE(gc_buffer_destroy_on_stream, stream, STREAM, 0, gc_buffer_destroy_on_stream(w->buffer, (gc_stream *)bad))      \
    CASE(gc_pool_get_memory, pool, POOL, 0, get_pool_memory((gc_pool *)bad, &w->out.pool_memory))                       \
    CASE(gc_pool_bind, pool, POOL, 0, gc_pool_bind((gc_pool *)bad, 0))                                                  \
    CASE(gc_pool_trim, pool, POOL, 0, gc_pool_trim((gc_pool *)bad))                                                     \
    CASE(gc_pool_buffer_count, pool, POOL, 8, gc_pool_buffer_count((gc_pool *)bad, &w->out.size))                       \
    CASE(gc_pool_seal, pool, POOL, 0, gc_pool_seal((gc_pool *)bad))                                                     \
    CASE(gc_pool_unseal, pool, POOL, 0, gc_pool_unseal((gc_pool *)bad))                                                 \
    CASE(gc_pool_is_sealed, pool, POOL, 4, gc_pool_is_sealed((gc_pool *)bad, &w->out.i32))                              \
    CASE(gc_pool_clear, pool, POOL, 0, gc_pool_clear((gc_pool *)bad))                                                   \
    CASE(gc_pool_handle_new, pool, POOL, 8, gc_pool_handle_new((gc_pool *)bad, &w->out.u64))                            \
    CASE(gc_stream_begin_capture_with_pool, stream, STREAM, 0,                                                          \
         gc_stream_begin_capture_with_pool((gc_stream *)bad, GRAPHCAP_CAPTURE_MODE_RELAXED, w->pool))                   \
    CASE(gc_stream_begin_capture_with_pool, pool, POOL, 0,                                                              \
         gc_stream_begin_capture_with_pool(w->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, (gc_pool *)bad))                   \
    CASE(gc_stream_end_capture_with_pool, stream, STREAM, 8,                                                            \
         gc_stream_end_capture_with_pool((gc_stream *)bad, w->pool, &w->out.graph))                                     \
    CASE(gc_stream_end_capture_with_pool, pool, POOL, 8,                                                                \
         gc_stream_end_capture_with_pool(w->captured, (gc_pool *)bad, &w->out.graph))                                   \
    CASE(gc_stream_capture, options, POOL, 8, capture_nothing_with(w->stream, ANY_POOL, &w->out.graph))                 \
    CASE(gc_capture_begin, pool, POOL, 8, begin_capture_with(w->stream, ANY_POOL, &w->out.capture))                     \
    CASE(gc_capture_begin, graph, GRAPH, 8, begin_capture_into(w->stream, ANY_GRAPH, &w->out.capture))                  \
    CASE(gc_graph_exec_pool, exec, EXEC, 8, gc_graph_exec_pool((gc_graph_exec *)bad, &w->out.pool))                     \
    CASE(gc_graph_exec_has_pool, exec, EXEC, 4, gc_graph_exec_has_pool((gc_graph_exec *)bad, &w->out.i32))              \
    CASE(gc_graph_exec_pool_buffer_count, exec, EXEC, 8,                                                                \
         gc_graph_exec_pool_buffer_count((gc_graph_exec *)bad, &w->out.size))                                           \
    CASE(gc_kernel_get_module, kernel, KERNEL, 8, gc_kernel_get_module((gc_kernel *)bad, &w->out.module))                \
    CASE(gc_context_get_info, context, CONTEXT, 0, context_info_of((gc_context *)bad))                                   \
    CASE(gc_context_device_name, context, CONTEXT, 8,                                                                    \
         gc_context_device_name((gc_context *)bad, w->text, sizeof w->text, &w->out.size))                               \
    CASE(gc_context_legacy_stream, context, CONTEXT, 8, gc_context_legacy_stream((gc_context *)bad, &w->out.stream))     \
    CASE(gc_context_per_thread_stream, context, CONTEXT, 8,                                                              \
         gc_context_per_thread_stream((gc_context *)bad, &w->out.stream))                                                \
    CASE(gc_stream_create, context, CONTEXT, 8, gc_stream_create((gc_context *)bad, NULL, &w->out.stream))               \
    CASE(gc_stream_destroy, stream, STREAM, 0, gc_stream_destroy((gc_stream *)bad))                                      \
    CASE(gc_stream_synchronize, stream, STREAM, 0, gc_stream_synchronize((gc_stream *)bad))                              \
    CASE(gc_stream_is_complete, stream, STREAM, 4, gc_stream_is_complete((gc_stream *)bad, &w->out.i32))                 \
    CASE(gc_stream_begin_capture, stream, STREAM, 0,                                                                     \
         gc_stream_begin_capture((gc_stream *)bad, GRAPHCAP_CAPTURE_MODE_RELAXED))                                       \
    CASE(gc_stream_end_capture_exec, stream, STREAM, 8, gc_stream_end_capture_exec((gc_stream *)bad, NULL, &w->out.exec)) \
    CASE(gc_stream_end_capture_exec, options, STREAM, 8, end_capture_exec(w, (gc_stream *)bad))                          \
    CASE(gc_stream_end_capture, stream, STREAM, 8, gc_stream_end_capture((gc_stream *)bad, &w->out.graph))               \
    CASE(gc_stream_is_capturing, stream, STREAM, 4, gc_stream_is_capturing((gc_stream *)bad, &w->out.i32))               \
    CASE(gc_stream_id, stream, STREAM, 8, gc_stream_id((gc_stream *)bad, &w->out.u64))                                   \
    CASE(gc_stream_capture_violation, stream, STREAM, 4,                                                                 \
         gc_stream_capture_violation((gc_stream *)bad, &w->out.i32, w->text, sizeof w->text, NULL))                      \
    CASE(gc_event_id, event, EVENT, 8, gc_event_id((gc_event *)bad, &w->out.u64))                                        \
    CASE(gc_stream_capture_status, stream, STREAM, 4, gc_stream_capture_status((gc_stream *)bad, &w->out.i32))           \
    CASE(gc_stream_capture_info, stream, STREAM, 0, ask_info((gc_stream *)bad, &w->out.info))                            \
    CASE(gc_stream_capture_frontier, stream, STREAM, 8,                                                                  \
         gc_stream_capture_frontier((gc_stream *)bad, w->nodes, 4, &w->out.size))                                        \
    CASE(gc_stream_export_capture_dot, stream, STREAM, 8,                                                                \
         gc_stream_export_capture_dot((gc_stream *)bad, 0, w->text, sizeof w->text, &w->out.size))                       \
    CASE(gc_stream_update_capture_dependencies, stream, STREAM, 0,                                                       \
         gc_stream_update_capture_dependencies((gc_stream *)bad, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET))      \
    CASE(gc_stream_capture_graph, stream, STREAM, 8, gc_stream_capture_graph((gc_stream *)bad, &w->out.graph))           \
    CASE(gc_stream_capture_child_node, stream, STREAM, 8,                                                                \
         gc_stream_capture_child_node((gc_stream *)bad, w->clone, &w->out.node))                                         \
    CASE(gc_stream_capture_child_node, child, GRAPH, 8,                                                                  \
         gc_stream_capture_child_node(w->captured, (gc_graph *)bad, &w->out.node))                                       \
    CASE(gc_stream_set_condition, stream, STREAM, 0, gc_stream_set_condition((gc_stream *)bad, 1, w->buffer, 0))         \
    CASE(gc_stream_set_condition, buffer, BUFFER, 0, gc_stream_set_condition(w->captured, 1, (gc_buffer *)bad, 0))       \
    CASE(gc_stream_capture_conditional_node, stream, STREAM, 8,                                                          \
         gc_stream_capture_conditional_node((gc_stream *)bad, 1, GRAPHCAP_CONDITIONAL_IF, 1, &w->out.node))              \
    CASE(gc_stream_wait_event, stream, STREAM, 0, gc_stream_wait_event((gc_stream *)bad, w->event, 0))                   \
    CASE(gc_stream_wait_event, event, EVENT, 0, gc_stream_wait_event(w->stream, (gc_event *)bad, 0))                     \
    CASE(gc_stream_memcpy_htod, stream, STREAM, 0,                                                                       \
         gc_stream_memcpy_htod((gc_stream *)bad, w->buffer, 0, w->memory, 4))                                            \
    CASE(gc_stream_memcpy_htod, destination, BUFFER, 0,                                                                  \
         gc_stream_memcpy_htod(w->stream, (gc_buffer *)bad, 0, w->memory, 4))                                            \
    CASE(gc_stream_memcpy_dtoh, stream, STREAM, 0,                                                                       \
         gc_stream_memcpy_dtoh((gc_stream *)bad, w->memory, w->buffer, 0, 4))                                            \
    CASE(gc_stream_memcpy_dtoh, source, BUFFER, 0,                                                                       \
         gc_stream_memcpy_dtoh(w->stream, w->memory, (gc_buffer *)bad, 0, 4))                                            \
    CASE(gc_stream_memcpy_dtod, stream, STREAM, 0,                                                                       \
         gc_stream_memcpy_dtod((gc_stream *)bad, w->buffer, 0, w->buffer, 8, 4))                                         \
    CASE(gc_stream_memcpy_dtod, destination, BUFFER, 0,                                                                  \
         gc_stream_memcpy_dtod(w->stream, (gc_buffer *)bad, 0, w->buffer, 8, 4))                                         \
    CASE(gc_stream_memcpy_dtod, source, BUFFER, 0,                                                                       \
         gc_stream_memcpy_dtod(w->stream, w->buffer, 0, (gc_buffer *)bad, 8, 4))                                         \
    CASE(gc_stream_memset, stream, STREAM, 0, gc_stream_memset((gc_stream *)bad, w->buffer, 0, 0, 1, 4))                 \
    CASE(gc_stream_memset, buffer, BUFFER, 0, gc_stream_memset(w->stream, (gc_buffer *)bad, 0, 0, 1, 4))                 \
    CASE(gc_stream_write_value32, stream, STREAM, 0, gc_stream_write_value32((gc_stream *)bad, w->buffer, 0, 0, 0))      \
    CASE(gc_stream_write_value32, buffer, BUFFER, 0, gc_stream_write_value32(w->stream, (gc_buffer *)bad, 0, 0, 0))      \
    CASE(gc_stream_write_value64, stream, STREAM, 0, gc_stream_write_value64((gc_stream *)bad, w->buffer, 0, 0, 0))      \
    CASE(gc_stream_write_value64, buffer, BUFFER, 0, gc_stream_write_value64(w->stream, (gc_buffer *)bad, 0, 0, 0))      \
    CASE(gc_stream_wait_value32, stream, STREAM, 0, gc_stream_wait_value32((gc_stream *)bad, w->buffer, 0, 0, 0))        \
    CASE(gc_stream_wait_value32, buffer, BUFFER, 0, gc_stream_wait_value32(w->stream, (gc_buffer *)bad, 0, 0, 0))        \
    CASE(gc_stream_wait_value64, stream, STREAM, 0, gc_stream_wait_value64((gc_stream *)bad, w->buffer, 0, 0, 0))        \
    CASE(gc_stream_wait_value64, buffer, BUFFER, 0, gc_stream_wait_value64(w->stream, (gc_buffer *)bad, 0, 0, 0))        \
    CASE(gc_stream_batch_mem_op, stream, STREAM, 0, batch_on((gc_stream *)bad, w->buffer))                               \
    CASE(gc_stream_batch_mem_op, operations, BUFFER, 0, batch_on(w->stream, (gc_buffer *)bad))                           \
    CASE(gc_stream_launch_host_func, stream, STREAM, 0,                                                                  \
         gc_stream_launch_host_func((gc_stream *)bad, count_call, &w->released, NULL))                                   \
    CASE(gc_stream_launch_kernel, stream, STREAM, 0, launch_fill((gc_stream *)bad, w->kernel, w->buffer))                \
    CASE(gc_stream_launch_kernel, kernel, KERNEL, 0, launch_fill(w->stream, (gc_kernel *)bad, w->buffer))                \
    CASE(gc_stream_launch_kernel, arguments, BUFFER, 0, launch_fill(w->stream, w->kernel, (gc_buffer *)bad))             \
    CASE(gc_event_create, context, CONTEXT, 8, gc_event_create((gc_context *)bad, NULL, &w->out.event))                  \
    CASE(gc_event_destroy, event, EVENT, 0, gc_event_destroy((gc_event *)bad))                                           \
    CASE(gc_event_record, event, EVENT, 0, gc_event_record((gc_event *)bad, w->stream, 0))                               \
    CASE(gc_event_record, stream, STREAM, 0, gc_event_record(w->event, (gc_stream *)bad, 0))                             \
    CASE(gc_event_is_complete, event, EVENT, 4, gc_event_is_complete((gc_event *)bad, &w->out.i32))                      \
    CASE(gc_event_synchronize, event, EVENT, 0, gc_event_synchronize((gc_event *)bad))                                   \
    CASE(gc_event_elapsed_time, start, EVENT, 4, gc_event_elapsed_time((gc_event *)bad, w->event, &w->out.f32))          \
    CASE(gc_event_elapsed_time, end, EVENT, 4, gc_event_elapsed_time(w->event, (gc_event *)bad, &w->out.f32))            \
    CASE(gc_context_synchronize_for, context, CONTEXT, 0, gc_context_synchronize_for((gc_context *)bad, 0))              \
    CASE(gc_context_stream_priority_range, context, CONTEXT, 4,                                                          \
         gc_context_stream_priority_range((gc_context *)bad, &w->out.i32, &w->priority))                                 \
    CASE(gc_stream_synchronize_for, stream, STREAM, 0, gc_stream_synchronize_for((gc_stream *)bad, 0))                   \
    CASE(gc_stream_flags, stream, STREAM, 4, gc_stream_flags((gc_stream *)bad, &w->out.u32))                             \
    CASE(gc_stream_priority, stream, STREAM, 4, gc_stream_priority((gc_stream *)bad, &w->out.i32))                       \
    CASE(gc_stream_get_attribute, stream, STREAM, 64,                                                                    \
         gc_stream_get_attribute((gc_stream *)bad, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &w->out.attribute))               \
    CASE(gc_stream_set_attribute, stream, STREAM, 0,                                                                     \
         gc_stream_set_attribute((gc_stream *)bad, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &w->attribute))                   \
    CASE(gc_stream_copy_attributes, stream, STREAM, 0, gc_stream_copy_attributes((gc_stream *)bad, w->stream))           \
    CASE(gc_stream_copy_attributes, source, STREAM, 0, gc_stream_copy_attributes(w->stream, (gc_stream *)bad))           \
    CASE(gc_event_synchronize_for, event, EVENT, 0, gc_event_synchronize_for((gc_event *)bad, 0))                        \
    CASE(gc_event_ipc_handle, event, EVENT, 64, gc_event_ipc_handle((gc_event *)bad, &w->out.ipc))                       \
    CASE(gc_event_open_ipc_handle, context, CONTEXT, 8,                                                                  \
         gc_event_open_ipc_handle((gc_context *)bad, &w->ipc, &w->out.event))                                            \
    CASE(gc_buffer_allocate, context, CONTEXT, 8, gc_buffer_allocate((gc_context *)bad, 16, &w->out.buffer))             \
    CASE(gc_buffer_allocate_waitable, context, CONTEXT, 8,                                                               \
         gc_buffer_allocate_waitable((gc_context *)bad, 16, &w->out.buffer))                                             \
    CASE(gc_buffer_allocate_managed, context, CONTEXT, 8,                                                                \
         gc_buffer_allocate_managed((gc_context *)bad, 16, 1, &w->out.buffer))                                           \
    CASE(gc_stream_attach_mem_async, stream, STREAM, 0,                                                                  \
         gc_stream_attach_mem_async((gc_stream *)bad, w->buffer, 1))                                                     \
    CASE(gc_stream_attach_mem_async, buffer, BUFFER, 0,                                                                  \
         gc_stream_attach_mem_async(w->stream, (gc_buffer *)bad, 1))                                                     \
    CASE(gc_buffer_wrap, context, CONTEXT, 8,                                                                            \
         gc_buffer_wrap((gc_context *)bad, w->memory, sizeof w->memory, NULL, NULL, &w->out.buffer))                     \
    CASE(gc_buffer_destroy, buffer, BUFFER, 0, gc_buffer_destroy((gc_buffer *)bad))                                      \
    CASE(gc_buffer_size, buffer, BUFFER, 8, gc_buffer_size((gc_buffer *)bad, &w->out.size))                              \
    CASE(gc_buffer_address, buffer, BUFFER, 8, gc_buffer_address((gc_buffer *)bad, &w->out.u64))                         \
    CASE(gc_module_load, context, CONTEXT, 8, load_into((gc_context *)bad, &w->out.module))                              \
    CASE(gc_module_destroy, module, MODULE, 0, gc_module_destroy((gc_module *)bad))                                      \
    CASE(gc_module_get_kernel, module, MODULE, 8, gc_module_get_kernel((gc_module *)bad, "add", &w->out.kernel))         \
    CASE(gc_module_get_global, module, MODULE, 8, gc_module_get_global((gc_module *)bad, "g", &w->out.buffer))           \
    CASE(gc_kernel_destroy, kernel, KERNEL, 0, gc_kernel_destroy((gc_kernel *)bad))                                      \
    CASE(gc_kernel_set_accesses, kernel, KERNEL, 0, gc_kernel_set_accesses((gc_kernel *)bad, NULL, 0))                   \
    CASE(gc_kernel_set_buffer_access, kernel, KERNEL, 0,                                                                 \
         gc_kernel_set_buffer_access((gc_kernel *)bad, w->buffer, GRAPHCAP_ACCESS_NONE))                                 \
    CASE(gc_kernel_set_buffer_access, buffer, BUFFER, 0,                                                                 \
         gc_kernel_set_buffer_access(w->kernel, (gc_buffer *)bad, GRAPHCAP_ACCESS_NONE))                                 \
    CASE(gc_kernel_set_concurrency, kernel, KERNEL, 0, gc_kernel_set_concurrency((gc_kernel *)bad, GRAPHCAP_CONCURRENCY_FREE))    \
    CASE(gc_kernel_name, kernel, KERNEL, 8, gc_kernel_name((gc_kernel *)bad, w->text, sizeof w->text, &w->out.size))     \
    CASE(gc_kernel_parameter_count, kernel, KERNEL, 8, gc_kernel_parameter_count((gc_kernel *)bad, &w->out.size))        \
    CASE(gc_kernel_parameter_size, kernel, KERNEL, 8, gc_kernel_parameter_size((gc_kernel *)bad, 0, &w->out.size))       \
    CASE(gc_kernel_get_attribute, kernel, KERNEL, 4, gc_kernel_get_attribute((gc_kernel *)bad, 0, &w->out.i32))          \
    CASE(gc_kernel_set_attribute, kernel, KERNEL, 0, gc_kernel_set_attribute((gc_kernel *)bad, 9, 50))                   \
    CASE(gc_kernel_max_active_blocks, kernel, KERNEL, 4, gc_kernel_max_active_blocks((gc_kernel *)bad, 32, 0, &w->out.u32)) \
    CASE(gc_kernel_suggested_block_size, kernel, KERNEL, 4,                                                              \
         gc_kernel_suggested_block_size((gc_kernel *)bad, 0, 0, &w->out.u32, &w->grid_size))                             \
    CASE(gc_kernel_available_shared_mem, kernel, KERNEL, 8,                                                              \
         gc_kernel_available_shared_mem((gc_kernel *)bad, 1, 32, &w->out.size))                                          \
    CASE(gc_kernel_max_active_clusters, kernel, KERNEL, 4,                                                               \
         gc_kernel_max_active_clusters((gc_kernel *)bad, &one_thread, &w->out.u32))                                      \
    CASE(gc_kernel_max_cluster_size, kernel, KERNEL, 4,                                                                  \
         gc_kernel_max_cluster_size((gc_kernel *)bad, &one_thread, &w->out.u32))                                         \
    CASE(gc_graph_create, context, CONTEXT, 8, gc_graph_create((gc_context *)bad, &w->out.graph))                        \
    CASE(gc_graph_get_nodes, graph, GRAPH, 8, gc_graph_get_nodes((gc_graph *)bad, w->nodes, 4, &w->out.size))            \
    CASE(gc_graph_get_edges, graph, GRAPH, 8, gc_graph_get_edges((gc_graph *)bad, w->nodes, w->nodes, NULL, 4, &w->out.size)) \
    CASE(gc_graph_destroy, graph, GRAPH, 0, gc_graph_destroy((gc_graph *)bad))                                           \
    CASE(gc_graph_node_count, graph, GRAPH, 8, gc_graph_node_count((gc_graph *)bad, &w->out.size))                       \
    CASE(gc_graph_edge_count, graph, GRAPH, 8, gc_graph_edge_count((gc_graph *)bad, &w->out.size))                       \
    CASE(gc_graph_export_dot, graph, GRAPH, 8,                                                                           \
         gc_graph_export_dot((gc_graph *)bad, 0, w->text, sizeof w->text, &w->out.size))                                 \
    CASE(gc_graph_instantiate, graph, GRAPH, 8, gc_graph_instantiate((gc_graph *)bad, NULL, &w->out.exec))               \
    CASE(gc_graph_instantiate, options, STREAM, 8, instantiate(w, (gc_stream *)bad))                                     \
    CASE(gc_graph_relaunch, exec, EXEC, 0, gc_graph_relaunch((gc_graph_exec *)bad))                                      \
    CASE(gc_graph_launch, exec, EXEC, 0, gc_graph_launch((gc_graph_exec *)bad, w->stream))                               \
    CASE(gc_graph_launch, stream, STREAM, 0, gc_graph_launch(w->exec, (gc_stream *)bad))                                 \
    CASE(gc_graph_upload, exec, EXEC, 0, gc_graph_upload((gc_graph_exec *)bad, w->stream))                               \
    CASE(gc_graph_upload, stream, STREAM, 0, gc_graph_upload(w->exec, (gc_stream *)bad))                                 \
    CASE(gc_graph_exec_get_info, exec, EXEC, 0, exec_info_of((gc_graph_exec *)bad))                                      \
    CASE(gc_graph_exec_num_replays, exec, EXEC, 8, gc_graph_exec_num_replays((gc_graph_exec *)bad, &w->out.u64))         \
    CASE(gc_graph_exec_progress, exec, EXEC, 8, exec_progress(w, (gc_graph_exec *)bad))                                  \
    CASE(gc_graph_exec_times, exec, EXEC, 8,                                                                             \
         gc_graph_exec_times((gc_graph_exec *)bad, 1, w->text, sizeof w->text, &w->out.size))                            \
    CASE(gc_graph_exec_nodes_in_state, exec, EXEC, 8,                                                                    \
         gc_graph_exec_nodes_in_state((gc_graph_exec *)bad, GRAPHCAP_NODE_READY, w->nodes, 4, &w->out.size))             \
    CASE(gc_graph_exec_is_uploaded, exec, EXEC, 4, gc_graph_exec_is_uploaded((gc_graph_exec *)bad, &w->out.i32))         \
    CASE(gc_graph_exec_destroy, exec, EXEC, 0, gc_graph_exec_destroy((gc_graph_exec *)bad))                              \
    CASE(gc_stream_capture, stream, STREAM, 8,                                                                           \
         gc_stream_capture((gc_stream *)bad, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, record_nothing, NULL, NULL, &w->out.graph)) \
    CASE(gc_capture_begin, stream, STREAM, 8, begin_capture((gc_stream *)bad, w->module, &w->out.capture))               \
    CASE(gc_capture_begin, options, MODULE, 8, begin_capture(w->stream, (gc_module *)bad, &w->out.capture))              \
    CASE(gc_capture_record_kernel, capture, CAPTURE, 0, record_fill((gc_capture *)bad, NULL, w->buffer))                 \
    CASE(gc_capture_record_kernel, arguments, BUFFER, 0, record_fill(w->capture, NULL, (gc_buffer *)bad))                \
    CASE(gc_capture_record_kernel_handle, capture, CAPTURE, 0, record_fill((gc_capture *)bad, w->kernel, w->buffer))     \
    CASE(gc_capture_record_kernel_handle, kernel, KERNEL, 0,                                                             \
         gc_capture_record_kernel_handle(w->capture, (gc_kernel *)bad, &one_thread, NULL, 0))                            \
    CASE(gc_capture_record_kernel_handle, arguments, BUFFER, 0, record_fill(w->capture, w->kernel, (gc_buffer *)bad))    \
    CASE(gc_capture_record_memcpy, capture, CAPTURE, 0, copy_within((gc_capture *)bad, w->buffer))                       \
    CASE(gc_capture_record_memcpy, params, BUFFER, 0, copy_within(w->capture, (gc_buffer *)bad))                         \
    CASE(gc_capture_record_memset, capture, CAPTURE, 0,                                                                  \
         gc_capture_record_memset((gc_capture *)bad, w->buffer, 0, 0, 1, 4))                                             \
    CASE(gc_capture_record_memset, buffer, BUFFER, 0,                                                                    \
         gc_capture_record_memset(w->capture, (gc_buffer *)bad, 0, 0, 1, 4))                                             \
    CASE(gc_capture_record_memset_2d, capture, CAPTURE, 0, record_set((gc_capture *)bad, w->buffer))                     \
    CASE(gc_capture_record_memset_2d, params, BUFFER, 0, record_set(w->capture, (gc_buffer *)bad))                       \
    CASE(gc_stream_memcpy, stream, STREAM, 0, copy_by(BY_STREAM, w, bad, w->buffer))                                     \
    CASE(gc_stream_memcpy, params, BUFFER, 0, copy_by(BY_STREAM, w, w->stream, (gc_buffer *)bad))                        \
    CASE(gc_stream_memcpy, source_host_buffer, HOST_BUFFER, 0, copy_from(w, (gc_host_buffer *)bad))                      \
    CASE(gc_context_memcpy, context, CONTEXT, 0, copy_by(BY_CONTEXT, w, bad, w->buffer))                                 \
    CASE(gc_context_memcpy, params, BUFFER, 0, copy_by(BY_CONTEXT, w, w->context, (gc_buffer *)bad))                     \
    CASE(gc_stream_memcpy_batch, stream, STREAM, 0, copy_by(IN_A_BATCH, w, bad, w->buffer))                              \
    CASE(gc_stream_memcpy_batch, params, BUFFER, 0, copy_by(IN_A_BATCH, w, w->stream, (gc_buffer *)bad))                 \
    CASE(gc_stream_memcpy_peer, stream, STREAM, 0,                                                                       \
         gc_stream_memcpy_peer((gc_stream *)bad, w->buffer, 0, w->buffer, 8, 4))                                         \
    CASE(gc_stream_memcpy_peer, destination, BUFFER, 0,                                                                  \
         gc_stream_memcpy_peer(w->stream, (gc_buffer *)bad, 0, w->buffer, 8, 4))                                         \
    CASE(gc_stream_memcpy_peer, source, BUFFER, 0,                                                                       \
         gc_stream_memcpy_peer(w->stream, w->buffer, 0, (gc_buffer *)bad, 8, 4))                                         \
    CASE(gc_context_memcpy_peer, context, CONTEXT, 0,                                                                    \
         gc_context_memcpy_peer((gc_context *)bad, w->buffer, 0, w->buffer, 8, 4))                                       \
    CASE(gc_context_memcpy_peer, destination, BUFFER, 0,                                                                 \
         gc_context_memcpy_peer(w->context, (gc_buffer *)bad, 0, w->buffer, 8, 4))                                       \
    CASE(gc_context_memcpy_peer, source, BUFFER, 0,                                                                      \
         gc_context_memcpy_peer(w->context, w->buffer, 0, (gc_buffer *)bad, 8, 4))                                       \
    CASE(gc_stream_memset_2d, stream, STREAM, 0, set_by(BY_STREAM, bad, w->buffer))                                      \
    CASE(gc_stream_memset_2d, params, BUFFER, 0, set_by(BY_STREAM, w->stream, (gc_buffer *)bad))                         \
    CASE(gc_context_memset, context, CONTEXT, 0, set_by(BY_CONTEXT, bad, w->buffer))                                     \
    CASE(gc_context_memset, params, BUFFER, 0, set_by(BY_CONTEXT, w->context, (gc_buffer *)bad))                         \
    CASE(gc_scalar_create, stream, STREAM, 8,                                                                            \
         gc_scalar_create((gc_stream *)bad, GRAPHCAP_SCALAR_U32, w->memory, &w->out.scalar))                             \
    CASE(gc_scalar_create_block, stream, STREAM, 8, make_scalars(w, (gc_stream *)bad, 1, &w->out.scalar))                \
    CASE(gc_scalar_update, scalar, SCALAR, 0,                                                                            \
         gc_scalar_update((gc_scalar *)bad, w->stream, GRAPHCAP_SCALAR_U32, w->memory))                                  \
    CASE(gc_scalar_update, stream, STREAM, 0,                                                                            \
         gc_scalar_update(w->scalar, (gc_stream *)bad, GRAPHCAP_SCALAR_U32, w->memory))                                  \
    CASE(gc_scalar_update_many, stream, STREAM, 0, update_scalars(w, (gc_stream *)bad, w->scalar, 1))                    \
    CASE(gc_scalar_update_many, scalars, SCALAR, 0, update_scalars(w, w->stream, (gc_scalar *)bad, 1))                   \
    CASE(gc_scalar_read, scalar, SCALAR, 4,                                                                              \
         gc_scalar_read((gc_scalar *)bad, w->stream, GRAPHCAP_SCALAR_U32, &w->out.u32))                                  \
    CASE(gc_scalar_read, stream, STREAM, 8, gc_scalar_read(w->scalar, (gc_stream *)bad, GRAPHCAP_SCALAR_U64, &w->out.u64))\
    CASE(gc_scalar_destroy, scalar, SCALAR, 0, gc_scalar_destroy((gc_scalar *)bad))                                      \
    CASE(gc_scalar_type, scalar, SCALAR, 4, gc_scalar_type((gc_scalar *)bad, &w->out.u32))                               \
    CASE(gc_scalar_address, scalar, SCALAR, 8, gc_scalar_address((gc_scalar *)bad, &w->out.u64))                         \
    CASE(gc_scalar_buffer, scalar, SCALAR, 8, gc_scalar_buffer((gc_scalar *)bad, &w->out.buffer, &w->size))              \
    CASE(gc_rng_create, stream, STREAM, 8, gc_rng_create((gc_stream *)bad, 1, 0, &w->out.rng))                           \
    CASE(gc_stream_fill_uniform, stream, STREAM, 0, fill_uniform((gc_stream *)bad, w->rng, w->buffer))                   \
    CASE(gc_stream_fill_uniform, params, RNG, 0, fill_uniform(w->stream, (gc_rng *)bad, w->buffer))                      \
    CASE(gc_stream_fill_uniform, buffer, BUFFER, 0, fill_uniform(w->stream, w->rng, (gc_buffer *)bad))                   \
    CASE(gc_rng_set_seed, rng, RNG, 0, gc_rng_set_seed((gc_rng *)bad, w->stream, 1))                                     \
    CASE(gc_rng_set_seed, stream, STREAM, 0, gc_rng_set_seed(w->rng, (gc_stream *)bad, 1))                               \
    CASE(gc_rng_get_seed, rng, RNG, 8, gc_rng_get_seed((gc_rng *)bad, w->stream, &w->out.u64))                           \
    CASE(gc_rng_get_seed, stream, STREAM, 8, gc_rng_get_seed(w->rng, (gc_stream *)bad, &w->out.u64))                     \
    CASE(gc_rng_set_offset, rng, RNG, 0, gc_rng_set_offset((gc_rng *)bad, w->stream, 1))                                 \
    CASE(gc_rng_set_offset, stream, STREAM, 0, gc_rng_set_offset(w->rng, (gc_stream *)bad, 1))                           \
    CASE(gc_rng_get_offset, rng, RNG, 8, gc_rng_get_offset((gc_rng *)bad, w->stream, &w->out.u64))                       \
    CASE(gc_rng_get_offset, stream, STREAM, 8, gc_rng_get_offset(w->rng, (gc_stream *)bad, &w->out.u64))                 \
    CASE(gc_rng_torch_state, rng, RNG, 32,                                                                               \
         gc_rng_torch_state((gc_rng *)bad, w->stream, GRAPHCAP_TORCH_STATE_32, 4, w->out.words))                         \
    CASE(gc_rng_torch_state, stream, STREAM, 32,                                                                         \
         gc_rng_torch_state(w->rng, (gc_stream *)bad, GRAPHCAP_TORCH_STATE_32, 4, w->out.words))                         \
    CASE(gc_rng_subsequence, rng, RNG, 8, gc_rng_subsequence((gc_rng *)bad, &w->out.u64))                                \
    CASE(gc_rng_destroy, rng, RNG, 0, gc_rng_destroy((gc_rng *)bad))                                                     \
    CASE(gc_graph_add_scalar_condition_node, graph, GRAPH, 8,                                                            \
         gc_graph_add_scalar_condition_node((gc_graph *)bad, NULL, 0, 1, w->scalar, &w->out.node))                       \
    CASE(gc_graph_add_scalar_condition_node, scalar, SCALAR, 8,                                                          \
         add_scalar_condition(w, (const gc_scalar *)bad))                                                                \
    CASE(gc_host_buffer_allocate, context, CONTEXT, 8,                                                                   \
         gc_host_buffer_allocate((gc_context *)bad, 16, 0, &w->out.host_buffer))                                         \
    CASE(gc_host_buffer_register, context, CONTEXT, 8,                                                                   \
         gc_host_buffer_register((gc_context *)bad, w->memory, 16, 0, NULL, NULL, &w->out.host_buffer))                  \
    CASE(gc_host_buffer_destroy, host_buffer, HOST_BUFFER, 0, gc_host_buffer_destroy((gc_host_buffer *)bad))             \
    CASE(gc_host_buffer_size, host_buffer, HOST_BUFFER, 8,                                                               \
         gc_host_buffer_size((gc_host_buffer *)bad, &w->out.size))                                                       \
    CASE(gc_host_buffer_pointer, host_buffer, HOST_BUFFER, 8,                                                            \
         gc_host_buffer_pointer((gc_host_buffer *)bad, &w->out.pointer))                                                 \
    CASE(gc_host_buffer_device_address, host_buffer, HOST_BUFFER, 8,                                                     \
         gc_host_buffer_device_address((gc_host_buffer *)bad, &w->out.u64))                                              \
    CASE(gc_capture_record_host_func, capture, CAPTURE, 0,                                                               \
         gc_capture_record_host_func((gc_capture *)bad, count_call, &w->released, NULL))                                 \
    CASE(gc_capture_record_event, capture, CAPTURE, 0, gc_capture_record_event((gc_capture *)bad, w->event, 0))          \
    CASE(gc_capture_record_event, event, EVENT, 0, gc_capture_record_event(w->capture, (gc_event *)bad, 0))              \
    CASE(gc_capture_record_wait_event, capture, CAPTURE, 0,                                                              \
         gc_capture_record_wait_event((gc_capture *)bad, w->event, 0))                                                   \
    CASE(gc_capture_record_wait_event, event, EVENT, 0, gc_capture_record_wait_event(w->capture, (gc_event *)bad, 0))    \
    CASE(gc_capture_record_batch_mem_op, capture, CAPTURE, 0, record_values((gc_capture *)bad, w->buffer, 1))            \
    CASE(gc_capture_record_batch_mem_op, operations, BUFFER, 0, record_values(w->capture, (gc_buffer *)bad, 1))          \
    CASE(gc_capture_recorded_count, capture, CAPTURE, 8,                                                                 \
         gc_capture_recorded_count((gc_capture *)bad, &w->out.u64))                                                      \
    CASE(gc_capture_is_active, capture, CAPTURE, 4, gc_capture_is_active((gc_capture *)bad, &w->out.i32))                \
    CASE(gc_capture_end, capture, CAPTURE, 8, gc_capture_end((gc_capture *)bad, &w->out.graph))                          \
    CASE(gc_capture_abort, capture, CAPTURE, 0, gc_capture_abort((gc_capture *)bad))                                     \
    CASE(gc_capture_destroy, capture, CAPTURE, 0, gc_capture_destroy((gc_capture *)bad))                                 \
    CASE(gc_graph_add_empty_node, graph, GRAPH, 8, gc_graph_add_empty_node((gc_graph *)bad, NULL, 0, &w->out.node))      \
    CASE(gc_graph_add_kernel_node, graph, GRAPH, 8, edit_kernel(w, ADD, bad, w->kernel, w->buffer))                      \
    CASE(gc_graph_add_kernel_node, kernel, KERNEL, 8, edit_kernel(w, ADD, w->graph, (gc_kernel *)bad, w->buffer))        \
    CASE(gc_graph_add_kernel_node, arguments, BUFFER, 8, edit_kernel(w, ADD, w->graph, w->kernel, (gc_buffer *)bad))     \
    CASE(gc_graph_add_memcpy_node, graph, GRAPH, 8, edit_memcpy(w, ADD, bad, w->buffer))                                 \
    CASE(gc_graph_add_memcpy_node, params, BUFFER, 8, edit_memcpy(w, ADD, w->graph, (gc_buffer *)bad))                   \
    CASE(gc_graph_add_memset_node, graph, GRAPH, 8, edit_memset(w, ADD, bad, w->buffer))                                 \
    CASE(gc_graph_add_memset_node, params, BUFFER, 8, edit_memset(w, ADD, w->graph, (gc_buffer *)bad))                   \
    CASE(gc_graph_add_host_node, graph, GRAPH, 8,                                                                        \
         gc_graph_add_host_node((gc_graph *)bad, NULL, 0, count_call, &w->released, NULL, &w->out.node))                 \
    CASE(gc_graph_add_batch_mem_op_node, graph, GRAPH, 8, edit_values(w, ADD, bad, w->buffer, 1))                        \
    CASE(gc_graph_add_batch_mem_op_node, operations, BUFFER, 8, edit_values(w, ADD, w->graph, (gc_buffer *)bad, 1))      \
    CASE(gc_graph_add_event_record_node, graph, GRAPH, 8,                                                                \
         gc_graph_add_event_record_node((gc_graph *)bad, NULL, 0, w->event, &w->out.node))                               \
    CASE(gc_graph_add_event_record_node, event, EVENT, 8,                                                                \
         gc_graph_add_event_record_node(w->graph, NULL, 0, (gc_event *)bad, &w->out.node))                               \
    CASE(gc_graph_add_event_wait_node, graph, GRAPH, 8,                                                                  \
         gc_graph_add_event_wait_node((gc_graph *)bad, NULL, 0, w->event, &w->out.node))                                 \
    CASE(gc_graph_add_event_wait_node, event, EVENT, 8,                                                                  \
         gc_graph_add_event_wait_node(w->graph, NULL, 0, (gc_event *)bad, &w->out.node))                                 \
    CASE(gc_graph_add_mem_alloc_node, graph, GRAPH, 8,                                                                   \
         gc_graph_add_mem_alloc_node((gc_graph *)bad, NULL, 0, 16, &w->out.node, &w->made))                              \
    CASE(gc_graph_add_mem_free_node, graph, GRAPH, 8,                                                                    \
         gc_graph_add_mem_free_node((gc_graph *)bad, NULL, 0, w->buffer, &w->out.node))                                  \
    CASE(gc_graph_add_mem_free_node, buffer, BUFFER, 8,                                                                  \
         gc_graph_add_mem_free_node(w->graph, NULL, 0, (gc_buffer *)bad, &w->out.node))                                  \
    CASE(gc_stream_mem_free, stream, STREAM, 0, gc_stream_mem_free((gc_stream *)bad, w->buffer))                   \
    CASE(gc_stream_mem_free, buffer, BUFFER, 0, gc_stream_mem_free(w->stream, (gc_buffer *)bad))                   \
    CASE(gc_node_get_mem_alloc_params, graph, GRAPH, 0, get_alloc_params(w, (gc_graph *)bad))                            \
    CASE(gc_node_get_mem_free_params, graph, GRAPH, 0, get_free_params(w, (gc_graph *)bad))                              \
    CASE(gc_node_get_buffer, graph, GRAPH, 8, gc_node_get_buffer((gc_graph *)bad, w->copy_node, &w->out.buffer))         \
    CASE(gc_context_graph_memory, context, CONTEXT, 0, get_graph_memory((gc_context *)bad, &w->out.graph_memory))        \
    CASE(gc_context_memory_report, context, CONTEXT, 8,                                                                  \
         gc_context_memory_report((gc_context *)bad, 0, w->text, sizeof w->text, &w->out.size))                          \
    CASE(gc_context_graph_memory_reset_high, context, CONTEXT, 0,                                                        \
         gc_context_graph_memory_reset_high((gc_context *)bad))                                                          \
    CASE(gc_context_graph_memory_trim, context, CONTEXT, 0, gc_context_graph_memory_trim((gc_context *)bad))             \
    CASE(gc_graph_add_child_node, graph, GRAPH, 8,                                                                       \
         gc_graph_add_child_node((gc_graph *)bad, NULL, 0, w->clone, &w->out.node))                                      \
    CASE(gc_graph_create_condition, graph, GRAPH, 8, gc_graph_create_condition((gc_graph *)bad, 0, 0, &w->out.u64))      \
    CASE(gc_graph_add_conditional_node, graph, GRAPH, 8,                                                                 \
         gc_graph_add_conditional_node((gc_graph *)bad, NULL, 0, 1, GRAPHCAP_CONDITIONAL_IF, 1, &w->out.node))           \
    CASE(gc_graph_add_set_condition_node, graph, GRAPH, 8,                                                               \
         gc_graph_add_set_condition_node((gc_graph *)bad, NULL, 0, 1, w->buffer, 0, &w->out.node))                       \
    CASE(gc_graph_add_set_condition_node, buffer, BUFFER, 8,                                                             \
         gc_graph_add_set_condition_node(w->graph, NULL, 0, 1, (gc_buffer *)bad, 0, &w->out.node))                       \
    CASE(gc_graph_add_child_node, child, GRAPH, 8,                                                                       \
         gc_graph_add_child_node(w->graph, NULL, 0, (gc_graph *)bad, &w->out.node))                                      \
    CASE(gc_graph_add_dependencies, graph, GRAPH, 0,                                                                     \
         gc_graph_add_dependencies((gc_graph *)bad, &w->kernel_node, &w->copy_node, NULL, 1))                            \
    CASE(gc_graph_optimize_reasons, graph, GRAPH, 8,                                                                     \
         gc_graph_optimize_reasons((gc_graph *)bad, NULL, w->reasons, 4, &w->out.size))                                  \
    CASE(gc_graph_wrap, context, CONTEXT, 8,                                                                             \
         gc_graph_wrap((gc_context *)bad, NO_NATIVE, GRAPHCAP_OWNERSHIP_BORROWED, &w->out.graph))                        \
    CASE(gc_graph_exec_wrap, context, CONTEXT, 8,                                                                        \
         gc_graph_exec_wrap((gc_context *)bad, NO_NATIVE, GRAPHCAP_OWNERSHIP_BORROWED, NULL, &w->out.exec))              \
    CASE(gc_graph_exec_wrap, graph, GRAPH, 8,                                                                            \
         gc_graph_exec_wrap(w->context, NO_NATIVE, GRAPHCAP_OWNERSHIP_BORROWED, ANY_GRAPH, &w->out.exec))                \
    CASE(gc_graph_check, graph, GRAPH, 8, gc_graph_check((gc_graph *)bad, 1, w->findings, 4, &w->out.size))              \
    CASE(gc_graph_check_json, graph, GRAPH, 8,                                                                           \
         gc_graph_check_json((gc_graph *)bad, 1, w->text, sizeof w->text, &w->out.size))                                 \
    CASE(gc_graph_check_text, graph, GRAPH, 8,                                                                           \
         gc_graph_check_text((gc_graph *)bad, 1, w->text, sizeof w->text, &w->out.size))                                 \
    CASE(gc_graph_unresolved_pointers, graph, GRAPH, 8,                                                                  \
         gc_graph_unresolved_pointers((gc_graph *)bad, w->pointers, 4, &w->out.size))                                    \
    CASE(gc_graph_remove_dependencies, graph, GRAPH, 0,                                                                  \
         gc_graph_remove_dependencies((gc_graph *)bad, &w->kernel_node, &w->copy_node, 1))                               \
    CASE(gc_graph_remove_node, graph, GRAPH, 0, gc_graph_remove_node((gc_graph *)bad, w->kernel_node))                   \
    CASE(gc_graph_retain_callback, graph, GRAPH, 0,                                                                      \
         gc_graph_retain_callback((gc_graph *)bad, &w->released, count_call))                                            \
    CASE(gc_graph_clone, graph, GRAPH, 8, gc_graph_clone((gc_graph *)bad, &w->out.graph))                                \
    CASE(gc_node_find_in_clone, graph, GRAPH, 8,                                                                         \
         gc_node_find_in_clone((gc_graph *)bad, w->kernel_node, w->clone, &w->out.node))                                 \
    CASE(gc_node_find_in_clone, clone, GRAPH, 8,                                                                         \
         gc_node_find_in_clone(w->graph, w->kernel_node, (gc_graph *)bad, &w->out.node))                                 \
    CASE(gc_node_kind, graph, GRAPH, 4, gc_node_kind((gc_graph *)bad, w->kernel_node, &w->out.u32))                      \
    CASE(gc_node_get_dependencies, graph, GRAPH, 8,                                                                      \
         gc_node_get_dependencies((gc_graph *)bad, w->kernel_node, w->nodes, 4, &w->out.size))                           \
    CASE(gc_node_get_dependents, graph, GRAPH, 8,                                                                        \
         gc_node_get_dependents((gc_graph *)bad, w->kernel_node, w->nodes, 4, &w->out.size))                             \
    CASE(gc_graph_get_roots, graph, GRAPH, 8, gc_graph_get_roots((gc_graph *)bad, w->nodes, 4, &w->out.size))            \
    CASE(gc_graph_get_order, graph, GRAPH, 8, gc_graph_get_order((gc_graph *)bad, w->nodes, 4, &w->out.size))            \
    CASE(gc_node_get_containing_graph, graph, GRAPH, 8,                                                                  \
         gc_node_get_containing_graph((gc_graph *)bad, w->child_node, &w->out.graph))                                    \
    CASE(gc_node_get_graph, graph, GRAPH, 8, gc_node_get_graph((gc_graph *)bad, w->child_node, 0, &w->out.graph))        \
    CASE(gc_node_get_kernel_params, graph, GRAPH, 0, get_kernel_params(w, (gc_graph *)bad, &w->out.kernel_params))       \
    CASE(gc_node_get_attribute, graph, GRAPH, 64,                                                                        \
         gc_node_get_attribute((gc_graph *)bad, w->kernel_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &w->out.launch_attribute)) \
    CASE(gc_node_set_grid_scalar, graph, GRAPH, 0, gc_node_set_grid_scalar((gc_graph *)bad, w->kernel_node, 0, w->scalar)) \
    CASE(gc_node_set_grid_scalar, scalar, SCALAR, 0, gc_node_set_grid_scalar(w->graph, w->kernel_node, 0, (gc_scalar *)bad)) \
    CASE(gc_node_set_attribute, graph, GRAPH, 0,                                                                         \
         gc_node_set_attribute((gc_graph *)bad, w->kernel_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &w->launch_attribute)) \
    CASE(gc_node_get_attributes, graph, GRAPH, 8,                                                                        \
         gc_node_get_attributes((gc_graph *)bad, w->kernel_node, w->ids, 4, &w->out.size))                               \
    CASE(gc_node_copy_attributes, graph, GRAPH, 0,                                                                       \
         gc_node_copy_attributes((gc_graph *)bad, w->kernel_node, w->graph, w->kernel_node))                             \
    CASE(gc_node_copy_attributes, source, GRAPH, 0,                                                                      \
         gc_node_copy_attributes(w->graph, w->kernel_node, (gc_graph *)bad, w->kernel_node))                             \
    CASE(gc_node_get_memcpy_params, graph, GRAPH, 0, get_memcpy_params(w, (gc_graph *)bad, &w->out.memcpy_params))       \
    CASE(gc_node_get_memset_params, graph, GRAPH, 0, get_memset_params(w, (gc_graph *)bad, &w->out.memset_params))       \
    CASE(gc_node_get_mem_op_params, graph, GRAPH, 0, get_mem_op_params(w, (gc_graph *)bad, &w->out.mem_op_params))       \
    CASE(gc_node_get_host_params, graph, GRAPH, 0, get_host_params(w, (gc_graph *)bad, &w->out.host_params))             \
    CASE(gc_node_get_conditional_params, graph, GRAPH, 0,                                                                \
         get_conditional_params(w, (gc_graph *)bad, &w->out.conditional_params))                                         \
    CASE(gc_node_get_argument, graph, GRAPH, 8,                                                                          \
         gc_node_get_argument((gc_graph *)bad, w->kernel_node, 0, w->text, sizeof w->text, &w->out.size))                \
    CASE(gc_node_kernel_name, graph, GRAPH, 8,                                                                           \
         gc_node_kernel_name((gc_graph *)bad, w->kernel_node, w->text, sizeof w->text, &w->out.size))                    \
    CASE(gc_node_get_kernel, graph, GRAPH, 8, gc_node_get_kernel((gc_graph *)bad, w->kernel_node, &w->out.kernel))       \
    CASE(gc_node_get_event, graph, GRAPH, 8, gc_node_get_event((gc_graph *)bad, w->record_node, &w->out.event))          \
    CASE(gc_node_set_name, graph, GRAPH, 0, gc_node_set_name((gc_graph *)bad, w->kernel_node, "name"))                  \
    CASE(gc_node_get_name, graph, GRAPH, 8,                                                                             \
         gc_node_get_name((gc_graph *)bad, w->kernel_node, w->text, sizeof w->text, &w->out.size))                      \
    CASE(gc_graph_export_json, graph, GRAPH, 8,                                                                         \
         gc_graph_export_json((gc_graph *)bad, w->text, sizeof w->text, &w->out.size))                                  \
    CASE(gc_graph_import_json, context, CONTEXT, 8,                                                                     \
         gc_graph_import_json((gc_context *)bad, "", 0, NULL, 0, &w->out.graph))                                        \
    CASE(gc_graph_import_json, bindings, BUFFER, 8, import_with(w, (gc_buffer *)bad))                                   \
    CASE(gc_graph_optimize, graph, GRAPH, 8, gc_graph_optimize((gc_graph *)bad, NULL, &w->out.graph, &w->made_plan, NULL))       \
    CASE(gc_plan_apply, plan, PLAN, 8, gc_plan_apply((gc_plan *)bad, w->graph, 0, &w->out.graph, NULL))                  \
    CASE(gc_plan_apply, graph, GRAPH, 8, gc_plan_apply(w->plan, (gc_graph *)bad, 0, &w->out.graph, NULL))                \
    CASE(gc_plan_destroy, plan, PLAN, 0, gc_plan_destroy((gc_plan *)bad))                                                \
    CASE(gc_graph_optimize_text, graph, GRAPH, 8,                                                                        \
         gc_graph_optimize_text((gc_graph *)bad, NULL, w->text, sizeof w->text, &w->out.size))                           \
    CASE(gc_graph_verify, graph, GRAPH, 0, verify_with((gc_graph *)bad))                                                 \
    CASE(gc_graph_step, graph, GRAPH, 0, step_with((gc_graph *)bad, w->findings, 4))                                     \
    CASE(gc_graph_bisect, graph, GRAPH, 0, bisect_with((gc_graph *)bad, w->findings, 4))                                 \
    CASE(gc_graph_diff, graph, GRAPH, 8, gc_graph_diff((gc_graph *)bad, w->graph, w->text, sizeof w->text, &w->out.size))\
    CASE(gc_graph_diff, other, GRAPH, 8, gc_graph_diff(w->graph, (gc_graph *)bad, w->text, sizeof w->text, &w->out.size))\
    CASE(gc_context_find_buffer, context, CONTEXT, 16,                                                                   \
         gc_context_find_buffer((gc_context *)bad, 4096, &w->out.found.buffer, &w->out.found.host_buffer, NULL))         \
    CASE(gc_node_set_kernel, graph, GRAPH, 0, edit_kernel(w, SET, bad, w->kernel, w->buffer))                            \
    CASE(gc_node_set_kernel, kernel, KERNEL, 0, edit_kernel(w, SET, w->graph, (gc_kernel *)bad, w->buffer))              \
    CASE(gc_node_set_kernel, arguments, BUFFER, 0, edit_kernel(w, SET, w->graph, w->kernel, (gc_buffer *)bad))           \
    CASE(gc_node_set_memcpy, graph, GRAPH, 0, edit_memcpy(w, SET, bad, w->buffer))                                       \
    CASE(gc_node_set_memcpy, params, BUFFER, 0, edit_memcpy(w, SET, w->graph, (gc_buffer *)bad))                         \
    CASE(gc_node_set_memset, graph, GRAPH, 0, edit_memset(w, SET, bad, w->buffer))                                       \
    CASE(gc_node_set_memset, params, BUFFER, 0, edit_memset(w, SET, w->graph, (gc_buffer *)bad))                         \
    CASE(gc_node_set_host, graph, GRAPH, 0,                                                                              \
         gc_node_set_host((gc_graph *)bad, w->host_node, count_call, &w->released, NULL))                                \
    CASE(gc_node_set_batch_mem_op, graph, GRAPH, 0, edit_values(w, SET, bad, w->buffer, 1))                              \
    CASE(gc_node_set_batch_mem_op, operations, BUFFER, 0, edit_values(w, SET, w->graph, (gc_buffer *)bad, 1))            \
    CASE(gc_node_set_event_record, graph, GRAPH, 0,                                                                      \
         gc_node_set_event_record((gc_graph *)bad, w->record_node, w->event))                                            \
    CASE(gc_node_set_event_record, event, EVENT, 0,                                                                      \
         gc_node_set_event_record(w->graph, w->record_node, (gc_event *)bad))                                            \
    CASE(gc_node_set_event_wait, graph, GRAPH, 0, gc_node_set_event_wait((gc_graph *)bad, w->wait_node, w->event))       \
    CASE(gc_node_set_event_wait, event, EVENT, 0, gc_node_set_event_wait(w->graph, w->wait_node, (gc_event *)bad))       \
    CASE(gc_node_set_child, graph, GRAPH, 0, gc_node_set_child((gc_graph *)bad, w->child_node, w->clone))                \
    CASE(gc_node_set_child, child, GRAPH, 0, gc_node_set_child(w->graph, w->child_node, (gc_graph *)bad))                \
    CASE(gc_graph_exec_set_kernel_node, exec, EXEC, 0, edit_kernel(w, EXEC_SET, bad, w->kernel, w->buffer))              \
    CASE(gc_graph_exec_set_kernel_node, kernel, KERNEL, 0,                                                               \
         edit_kernel(w, EXEC_SET, w->exec, (gc_kernel *)bad, w->buffer))                                                 \
    CASE(gc_graph_exec_set_kernel_node, arguments, BUFFER, 0,                                                            \
         edit_kernel(w, EXEC_SET, w->exec, w->kernel, (gc_buffer *)bad))                                                 \
    CASE(gc_graph_exec_set_memcpy_node, exec, EXEC, 0, edit_memcpy(w, EXEC_SET, bad, w->buffer))                         \
    CASE(gc_graph_exec_set_memcpy_node, params, BUFFER, 0, edit_memcpy(w, EXEC_SET, w->exec, (gc_buffer *)bad))          \
    CASE(gc_graph_exec_set_memset_node, exec, EXEC, 0, edit_memset(w, EXEC_SET, bad, w->buffer))                         \
    CASE(gc_graph_exec_set_memset_node, params, BUFFER, 0, edit_memset(w, EXEC_SET, w->exec, (gc_buffer *)bad))          \
    CASE(gc_graph_exec_set_host_node, exec, EXEC, 0,                                                                     \
         gc_graph_exec_set_host_node((gc_graph_exec *)bad, w->host_node, count_call, &w->released, NULL))                \
    CASE(gc_graph_exec_set_batch_mem_op_node, exec, EXEC, 0, edit_values(w, EXEC_SET, bad, w->buffer, 1))                \
    CASE(gc_graph_exec_set_batch_mem_op_node, operations, BUFFER, 0,                                                     \
         edit_values(w, EXEC_SET, w->exec, (gc_buffer *)bad, 1))                                                         \
    CASE(gc_graph_exec_set_event_record_node, exec, EXEC, 0,                                                             \
         gc_graph_exec_set_event_record_node((gc_graph_exec *)bad, w->record_node, w->event))                            \
    CASE(gc_graph_exec_set_event_record_node, event, EVENT, 0,                                                           \
         gc_graph_exec_set_event_record_node(w->exec, w->record_node, (gc_event *)bad))                                  \
    CASE(gc_graph_exec_set_event_wait_node, exec, EXEC, 0,                                                               \
         gc_graph_exec_set_event_wait_node((gc_graph_exec *)bad, w->wait_node, w->event))                                \
    CASE(gc_graph_exec_set_event_wait_node, event, EVENT, 0,                                                             \
         gc_graph_exec_set_event_wait_node(w->exec, w->wait_node, (gc_event *)bad))                                      \
    CASE(gc_graph_exec_set_child_node, exec, EXEC, 0,                                                                    \
         gc_graph_exec_set_child_node((gc_graph_exec *)bad, w->child_node, w->clone))                                    \
    CASE(gc_graph_exec_set_child_node, child, GRAPH, 0,                                                                  \
         gc_graph_exec_set_child_node(w->exec, w->child_node, (gc_graph *)bad))                                          \
    CASE(gc_graph_replace_buffer, graph, GRAPH, 8,                                                                       \
         gc_graph_replace_buffer((gc_graph *)bad, w->buffer, w->buffer, &w->out.size))                              \
    CASE(gc_graph_replace_buffer, from_buffer, BUFFER, 8,                                                                \
         gc_graph_replace_buffer(w->graph, (gc_buffer *)bad, w->buffer, &w->out.size))                                   \
    CASE(gc_graph_replace_buffer, to_buffer, BUFFER, 8,                                                                  \
         gc_graph_replace_buffer(w->graph, w->buffer, (gc_buffer *)bad, &w->out.size))                                   \
    CASE(gc_graph_exec_replace_buffer, exec, EXEC, 8,                                                                    \
         gc_graph_exec_replace_buffer((gc_graph_exec *)bad, w->buffer, w->buffer, &w->out.size))                    \
    CASE(gc_graph_exec_replace_buffer, from_buffer, BUFFER, 8,                                                           \
         gc_graph_exec_replace_buffer(w->exec, (gc_buffer *)bad, w->buffer, &w->out.size))                               \
    CASE(gc_graph_exec_replace_buffer, to_buffer, BUFFER, 8,                                                             \
         gc_graph_exec_replace_buffer(w->exec, w->buffer, (gc_buffer *)bad, &w->out.size))                               \
    CASE(gc_graph_exec_apply, exec, EXEC, 0, gc_graph_exec_apply((gc_graph_exec *)bad, w->graph, NULL, NULL))           \
    CASE(gc_graph_exec_apply, graph, GRAPH, 0, gc_graph_exec_apply(w->exec, (gc_graph *)bad, NULL, NULL))               \
    CASE(gc_graph_exec_check, exec, EXEC, 0, gc_graph_exec_check((gc_graph_exec *)bad, NULL))                           \
    CASE(gc_graph_exec_check_findings, exec, EXEC, 8,                                                                   \
         gc_graph_exec_check_findings((gc_graph_exec *)bad, 1, w->findings, 4, &w->out.size))                           \
    CASE(gc_graph_exec_check_text, exec, EXEC, 8,                                                                       \
         gc_graph_exec_check_text((gc_graph_exec *)bad, 1, w->text, sizeof w->text, &w->out.size))                      \
    CASE(gc_graph_exec_check_json, exec, EXEC, 8,                                                                       \
         gc_graph_exec_check_json((gc_graph_exec *)bad, 1, w->text, sizeof w->text, &w->out.size))                      \
    CASE(gc_graph_exec_update, exec, EXEC, 0, gc_graph_exec_update((gc_graph_exec *)bad, w->graph, 0, NULL))            \
    CASE(gc_graph_exec_update, graph, GRAPH, 0, gc_graph_exec_update(w->exec, (gc_graph *)bad, 0, NULL))                \
    CASE(gc_graph_cache_create, context, CONTEXT, 8, make_cache(w, (gc_context *)bad, NULL, &w->out.cache))              \
    CASE(gc_graph_cache_launch, cache, CACHE, 0, gc_graph_cache_launch((gc_graph_cache *)bad, "a", 1, w->stream, NULL))  \
    CASE(gc_graph_cache_launch, stream, STREAM, 0, gc_graph_cache_launch(w->cache, "a", 1, (gc_stream *)bad, NULL))      \
    CASE(gc_graph_cache_remove, cache, CACHE, 0, gc_graph_cache_remove((gc_graph_cache *)bad, "a", 1))                   \
    CASE(gc_graph_cache_clear, cache, CACHE, 0, gc_graph_cache_clear((gc_graph_cache *)bad))                             \
    CASE(gc_graph_cache_get_stats, cache, CACHE, 0, ask_stats((gc_graph_cache *)bad, &w->out.cache_stats))               \
    CASE(gc_graph_cache_destroy, cache, CACHE, 0, gc_graph_cache_destroy((gc_graph_cache *)bad))                         \
    CASE(gc_script_create, context, CONTEXT, 8, gc_script_create((gc_context *)bad, &w->out.script))                     \
    CASE(gc_stream_submit, stream, STREAM, 8, submit_child(w, (gc_stream *)bad, w->clone))                               \
    CASE(gc_stream_submit, work, GRAPH, 8, submit_child(w, w->stream, (gc_graph *)bad))                                  \
    CASE(gc_capture_record, capture, CAPTURE, 0, record_child((gc_capture *)bad, w->clone))                              \
    CASE(gc_capture_record, work, GRAPH, 0, record_child(w->capture, (gc_graph *)bad))                                   \
    CASE(gc_graph_add_node, graph, GRAPH, 8, add_child((gc_graph *)bad, 0, w->clone, &w->out.node))                      \
    CASE(gc_graph_add_node, work, GRAPH, 8, add_child(w->graph, 0, (gc_graph *)bad, &w->out.node))                       \
    CASE(gc_graph_add_nodes, graph, GRAPH, 8, add_children((gc_graph *)bad, 1, w->clone, &w->out.node))                  \
    CASE(gc_graph_add_nodes, works, GRAPH, 8, add_children(w->graph, 1, (gc_graph *)bad, &w->out.node))                  \
    CASE(gc_node_set, graph, GRAPH, 0, set_child(w, (gc_graph *)bad, w->clone))                                          \
    CASE(gc_node_set, work, GRAPH, 0, set_child(w, w->graph, (gc_graph *)bad))                                           \
    CASE(gc_graph_set_nodes, graph, GRAPH, 0, set_children(w, bad, 0, 1, w->clone))                                      \
    CASE(gc_graph_set_nodes, works, GRAPH, 0, set_children(w, w->graph, 0, 1, (gc_graph *)bad))                          \
    CASE(gc_graph_exec_set_nodes, exec, EXEC, 0, set_children(w, bad, 1, 1, w->clone))                                   \
    CASE(gc_graph_exec_set_nodes, works, GRAPH, 0, set_children(w, w->exec, 1, 1, (gc_graph *)bad))                      \
    CASE(gc_graph_exec_set_node, exec, EXEC, 0, exec_set_child(w, (gc_graph_exec *)bad, w->clone))                       \
    CASE(gc_graph_exec_set_node, work, GRAPH, 0, exec_set_child(w, w->exec, (gc_graph *)bad))                            \
    CASE(gc_script_push, script, SCRIPT, 0, push_child((gc_script *)bad, w->clone))                                      \
    CASE(gc_script_push, work, GRAPH, 0, push_child(w->script, (gc_graph *)bad))                                         \
    CASE(gc_fft_plan_create, context, CONTEXT, 8,                                                                        \
         gc_fft_plan_create((gc_context *)bad, &a_transform, &w->out.fft_plan))                                          \
    CASE(gc_fft_plan_destroy, plan, FFT_PLAN, 0, gc_fft_plan_destroy((gc_fft_plan *)bad))                                \
    CASE(gc_script_push_op, script, SCRIPT, 0, push_op(w, (gc_script *)bad, NULL))                                       \
    CASE(gc_script_prepare, script, SCRIPT, 0, gc_script_prepare((gc_script *)bad, NULL))                                \
    CASE(gc_script_record, script, SCRIPT, 8, record_script(w, (gc_script *)bad, w->stream, &w->out.graph))              \
    CASE(gc_script_record, stream, STREAM, 8, record_script(w, w->script, (gc_stream *)bad, &w->out.graph))              \
    CASE(gc_script_submit, script, SCRIPT, 0, gc_script_submit((gc_script *)bad, w->stream, NULL))                       \
    CASE(gc_script_submit, stream, STREAM, 0, gc_script_submit(w->script, (gc_stream *)bad, NULL))                       \
    CASE(gc_script_destroy, script, SCRIPT, 0, gc_script_destroy((gc_script *)bad))                                      \
    CASE(gc_record_context_stream, context, RECORD_CONTEXT, 8,                                                           \
         gc_record_context_stream((gc_record_context *)bad, &w->out.given_stream))                                       \
    CASE(gc_record_context_native_blas, context, RECORD_CONTEXT, 8,                                                     \
         gc_record_context_native_blas((gc_record_context *)bad, &w->out.pointer))                                      \
    CASE(gc_record_context_native_rand, context, RECORD_CONTEXT, 8,                                                     \
         gc_record_context_native_rand((gc_record_context *)bad, &w->out.pointer))                                      \
    CASE(gc_record_context_pool, context, RECORD_CONTEXT, 8,                                                            \
         gc_record_context_pool((gc_record_context *)bad, &w->out.pool))                                                \
    CASE(gc_record_context_graph, context, RECORD_CONTEXT, 8,                                                            \
         gc_record_context_graph((gc_record_context *)bad, &w->out.graph))                                               \
    CASE(gc_actor_create, context, CONTEXT, 8, gc_actor_create((gc_context *)bad, NULL, &w->out.actor))                  \
    CASE(gc_actor_record, actor, ACTOR, 8, record_by(w, (gc_actor *)bad, w->script))                                     \
    CASE(gc_actor_record, script, SCRIPT, 8, record_by(w, w->actor, (gc_script *)bad))                                   \
    CASE(gc_actor_adopt, actor, ACTOR, 8, gc_actor_adopt((gc_actor *)bad, w->graph, 0, &w->out.future))                  \
    CASE(gc_actor_adopt, graph, GRAPH, 8, gc_actor_adopt(w->actor, (gc_graph *)bad, 0, &w->out.future))                  \
    CASE(gc_actor_launch, actor, ACTOR, 8, gc_actor_launch((gc_actor *)bad, w->exec, &w->out.future))                    \
    CASE(gc_actor_launch, exec, EXEC, 8, gc_actor_launch(w->actor, (gc_graph_exec *)bad, &w->out.future))                \
    CASE(gc_actor_update, actor, ACTOR, 8, gc_actor_update((gc_actor *)bad, w->exec, w->graph, &w->out.future))          \
    CASE(gc_actor_update, exec, EXEC, 8, gc_actor_update(w->actor, (gc_graph_exec *)bad, w->graph, &w->out.future))      \
    CASE(gc_actor_update, graph, GRAPH, 8, gc_actor_update(w->actor, w->exec, (gc_graph *)bad, &w->out.future))          \
    CASE(gc_actor_set_fft_plan, actor, ACTOR, 8,                                                                         \
         gc_actor_set_fft_plan((gc_actor *)bad, w->exec, 0, w->fft_plan, &w->out.future))                                \
    CASE(gc_actor_set_fft_plan, exec, EXEC, 8,                                                                           \
         gc_actor_set_fft_plan(w->actor, (gc_graph_exec *)bad, 0, w->fft_plan, &w->out.future))                          \
    CASE(gc_actor_set_fft_plan, plan, FFT_PLAN, 8,                                                                       \
         gc_actor_set_fft_plan(w->actor, w->exec, 0, (gc_fft_plan *)bad, &w->out.future))                                \
    CASE(gc_actor_export_dot, actor, ACTOR, 8, gc_actor_export_dot((gc_actor *)bad, w->exec, 0, &w->out.future))         \
    CASE(gc_actor_export_dot, exec, EXEC, 8, gc_actor_export_dot(w->actor, (gc_graph_exec *)bad, 0, &w->out.future))     \
    CASE(gc_actor_close, actor, ACTOR, 0, gc_actor_close((gc_actor *)bad, 0))                                            \
    CASE(gc_actor_event_fd, actor, ACTOR, 4, gc_actor_event_fd((gc_actor *)bad, &w->out.i32))                            \
    CASE(gc_actor_next_completed, actor, ACTOR, 8, gc_actor_next_completed((gc_actor *)bad, &w->out.future))             \
    CASE(gc_actor_destroy, actor, ACTOR, 0, gc_actor_destroy((gc_actor *)bad))                                           \
    CASE(gc_future_poll, future, FUTURE, 4, gc_future_poll((gc_future *)bad, &w->out.u32))                               \
    CASE(gc_future_wait, future, FUTURE, 0, gc_future_wait((gc_future *)bad, 0, NULL))                                   \
    CASE(gc_future_on_done, future, FUTURE, 0, gc_future_on_done((gc_future *)bad, count_answer, &w->released, NULL))    \
    CASE(gc_future_on_stall, future, FUTURE, 0, gc_future_on_stall((gc_future *)bad, count_answer, &w->released, NULL))  \
    CASE(gc_future_stall_report, future, FUTURE, 0,                                                                      \
         gc_future_stall_report((gc_future *)bad, NULL, w->text, sizeof w->text, NULL))                                  \
    CASE(gc_future_take_exec, future, FUTURE, 8, gc_future_take_exec((gc_future *)bad, &w->out.exec))                    \
    CASE(gc_future_text, future, FUTURE, 0, gc_future_text((gc_future *)bad, w->text, sizeof w->text, NULL))             \
    CASE(gc_future_event_fd, future, FUTURE, 4, gc_future_event_fd((gc_future *)bad, &w->out.i32))                       \
    CASE(gc_future_destroy, future, FUTURE, 0, gc_future_destroy((gc_future *)bad))                                      \
    CASE(gc_graph_exec_set_node_enabled, exec, EXEC, 0,                                                                  \
         gc_graph_exec_set_node_enabled((gc_graph_exec *)bad, w->kernel_node, 0))                                        \
    CASE(gc_graph_exec_is_node_enabled, exec, EXEC, 4,                                                                   \
         gc_graph_exec_is_node_enabled((gc_graph_exec *)bad, w->kernel_node, &w->out.i32))

/* Function, the output that is NULL, and the call. */
#define OUTPUT_CASES(CASE)                                                                                               \
    CASE(gc_device_count, count, gc_device_count(GRAPHCAP_DEVICE_HOST, NULL))                                            \
    CASE(gc_device_name, text, gc_device_name(GRAPHCAP_DEVICE_HOST, 0, NULL, 8, NULL))                                   \
    CASE(gc_device_auto_reason, text, gc_device_auto_reason(NULL, 8, NULL))                                              \
    CASE(gc_pool_create, pool_out, gc_pool_create(w->context, NULL, NULL))                                              \
    CASE(gc_pool_id, id_out, gc_pool_id(w->pool, NULL))                                                                 \
    CASE(gc_pool_add_buffer, index_out, gc_pool_add_buffer(w->pool, w->buffer, NULL))                                   \
    CASE(gc_pool_add_object, index_out, gc_pool_add_object(w->pool, &w->released, count_call, NULL))                    \
    CASE(gc_pool_allocate, buffer_out, gc_pool_allocate(w->pool, 16, NULL))                                             \
    CASE(gc_pool_allocate_on_stream, buffer_out, gc_pool_allocate_on_stream(w->pool, w->stream, 16, NULL))              \
    CASE(gc_pool_get_memory, memory_out, gc_pool_get_memory(w->pool, NULL))                                             \
    CASE(gc_pool_buffer_count, count_out, gc_pool_buffer_count(w->pool, NULL))                                          \
    CASE(gc_pool_is_sealed, sealed_out, gc_pool_is_sealed(w->pool, NULL))                                               \
    CASE(gc_pool_handle_new, id_out, gc_pool_handle_new(w->pool, NULL))                                                 \
    CASE(gc_pool_handle_lookup, pool_out, gc_pool_handle_lookup(1, NULL))                                               \
    CASE(gc_stream_end_capture_with_pool, graph_out, gc_stream_end_capture_with_pool(w->captured, w->pool, NULL))       \
    CASE(gc_graph_exec_pool, pool_out, gc_graph_exec_pool(w->exec, NULL))                                               \
    CASE(gc_graph_exec_has_pool, has_pool_out, gc_graph_exec_has_pool(w->exec, NULL))                                   \
    CASE(gc_graph_exec_pool_buffer_count, count_out, gc_graph_exec_pool_buffer_count(w->exec, NULL))                    \
    CASE(gc_kernel_get_module, module_out, gc_kernel_get_module(w->kernel, NULL))                                        \
    CASE(gc_stream_capture_graph, graph_out, gc_stream_capture_graph(w->captured, NULL))                                 \
    CASE(gc_graph_add_set_condition_node, node_out,                                                                      \
         gc_graph_add_set_condition_node(w->graph, NULL, 0, 1, w->buffer, 0, NULL))                                      \
    CASE(gc_stream_wrap, stream_out, gc_stream_wrap(w->context, NULL, NULL))                                             \
    CASE(gc_module_get_global, buffer_out, gc_module_get_global(w->module, "g", NULL))                                   \
    CASE(gc_node_native, native_out, gc_node_native(w->graph, w->nodes[0], NULL))                                        \
    CASE(gc_callback_set_message, text, gc_callback_set_message(NULL))                                                  \
    CASE(gc_host_fail, reason, gc_host_fail(NULL))                                                                      \
    CASE(gc_last_error_message, text, gc_last_error_message(NULL, 8, NULL))                                              \
    CASE(gc_context_create, context_out, gc_context_create(NULL, NULL))                                                  \
    CASE(gc_context_get_info, info_out, gc_context_get_info(w->context, NULL))                                           \
    CASE(gc_context_device_name, text, gc_context_device_name(w->context, NULL, 8, NULL))                                \
    CASE(gc_context_legacy_stream, stream_out, gc_context_legacy_stream(w->context, NULL))                               \
    CASE(gc_context_per_thread_stream, stream_out, gc_context_per_thread_stream(w->context, NULL))                       \
    CASE(gc_stream_create, stream_out, gc_stream_create(w->context, NULL, NULL))                                         \
    CASE(gc_stream_is_complete, complete_out, gc_stream_is_complete(w->stream, NULL))                                    \
    CASE(gc_stream_end_capture_exec, exec_out, gc_stream_end_capture_exec(w->stream, NULL, NULL))                        \
    CASE(gc_stream_end_capture, graph_out, gc_stream_end_capture(w->stream, NULL))                                       \
    CASE(gc_stream_is_capturing, capturing_out, gc_stream_is_capturing(w->stream, NULL))                                 \
    CASE(gc_stream_id, id_out, gc_stream_id(w->stream, NULL))                                                            \
    CASE(gc_stream_capture_violation, violation_out,                                                                     \
         gc_stream_capture_violation(w->stream, NULL, w->text, sizeof w->text, NULL))                                    \
    CASE(gc_stream_capture_violation, text, gc_stream_capture_violation(w->stream, &w->out.i32, NULL, 8, NULL))          \
    CASE(gc_event_id, id_out, gc_event_id(w->event, NULL))                                                               \
    CASE(gc_stream_capture_status, status_out, gc_stream_capture_status(w->stream, NULL))                                \
    CASE(gc_stream_capture_info, info_out, gc_stream_capture_info(w->stream, NULL))                                      \
    CASE(gc_stream_capture_frontier, nodes_out, gc_stream_capture_frontier(w->stream, NULL, 4, NULL))                    \
    CASE(gc_stream_export_capture_dot, text, export_capture(w, NULL, 8))                                                 \
    CASE(gc_log_set_callback, function, gc_log_set_callback(GRAPHCAP_LOG_LEVEL_INFO, 0, NULL, NULL, NULL))               \
    CASE(gc_trace_start, path, gc_trace_start(NULL, 0))                                                                  \
    CASE(gc_trace_mark, name, gc_trace_mark(NULL))                                                                       \
    CASE(gc_thread_exchange_capture_mode, mode, gc_thread_exchange_capture_mode(NULL))                                   \
    CASE(gc_graph_create, graph_out, gc_graph_create(w->context, NULL))                                                  \
    CASE(gc_graph_get_nodes, nodes_out, gc_graph_get_nodes(w->graph, NULL, 4, NULL))                                     \
    CASE(gc_graph_add_nodes, nodes_out, add_children(w->graph, 1, w->clone, NULL))                                       \
    CASE(gc_graph_get_edges, from_out, gc_graph_get_edges(w->graph, NULL, w->nodes, NULL, 4, NULL))                      \
    CASE(gc_graph_get_edges, to_out, gc_graph_get_edges(w->graph, w->nodes, NULL, NULL, 4, NULL))                        \
    CASE(gc_event_create, event_out, gc_event_create(w->context, NULL, NULL))                                            \
    CASE(gc_event_is_complete, complete_out, gc_event_is_complete(w->event, NULL))                                       \
    CASE(gc_event_elapsed_time, milliseconds_out, gc_event_elapsed_time(w->event, w->event, NULL))                       \
    CASE(gc_context_stream_priority_range, least_out,                                                                    \
         gc_context_stream_priority_range(w->context, NULL, &w->priority))                                               \
    CASE(gc_context_stream_priority_range, greatest_out,                                                                 \
         gc_context_stream_priority_range(w->context, &w->priority, NULL))                                               \
    CASE(gc_stream_flags, flags_out, gc_stream_flags(w->stream, NULL))                                                   \
    CASE(gc_stream_priority, priority_out, gc_stream_priority(w->stream, NULL))                                          \
    CASE(gc_stream_get_attribute, value_out,                                                                             \
         gc_stream_get_attribute(w->stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, NULL))                                   \
    CASE(gc_event_ipc_handle, handle_out, gc_event_ipc_handle(w->event, NULL))                                           \
    CASE(gc_event_open_ipc_handle, event_out, gc_event_open_ipc_handle(w->context, &w->ipc, NULL))                       \
    CASE(gc_buffer_allocate, buffer_out, gc_buffer_allocate(w->context, 16, NULL))                                       \
    CASE(gc_buffer_allocate_waitable, buffer_out, gc_buffer_allocate_waitable(w->context, 16, NULL))                     \
    CASE(gc_buffer_allocate_managed, buffer_out, gc_buffer_allocate_managed(w->context, 16, 1, NULL))                    \
    CASE(gc_buffer_wrap, buffer_out, gc_buffer_wrap(w->context, w->memory, sizeof w->memory, NULL, NULL, NULL))          \
    CASE(gc_scalar_create, scalar_out, gc_scalar_create(w->stream, GRAPHCAP_SCALAR_U32, w->memory, NULL))                \
    CASE(gc_scalar_create_block, scalars_out, make_scalars(w, w->stream, 1, NULL))                                       \
    CASE(gc_scalar_read, value_out, gc_scalar_read(w->scalar, w->stream, GRAPHCAP_SCALAR_U32, NULL))                     \
    CASE(gc_scalar_type, type_out, gc_scalar_type(w->scalar, NULL))                                                      \
    CASE(gc_scalar_address, address_out, gc_scalar_address(w->scalar, NULL))                                             \
    CASE(gc_scalar_buffer, buffer_out, gc_scalar_buffer(w->scalar, NULL, &w->size))                                      \
    CASE(gc_scalar_buffer, offset_out, gc_scalar_buffer(w->scalar, &w->out.buffer, NULL))                                \
    CASE(gc_rng_create, rng_out, gc_rng_create(w->stream, 1, 0, NULL))                                                   \
    CASE(gc_rng_get_seed, seed_out, gc_rng_get_seed(w->rng, w->stream, NULL))                                            \
    CASE(gc_rng_get_offset, offset_out, gc_rng_get_offset(w->rng, w->stream, NULL))                                      \
    CASE(gc_rng_torch_state, state_out, gc_rng_torch_state(w->rng, w->stream, GRAPHCAP_TORCH_STATE_32, 4, NULL))         \
    CASE(gc_rng_subsequence, subsequence_out, gc_rng_subsequence(w->rng, NULL))                                          \
    CASE(gc_graph_add_scalar_condition_node, node_out,                                                                   \
         gc_graph_add_scalar_condition_node(w->graph, NULL, 0, 1, w->scalar, NULL))                                      \
    CASE(gc_host_buffer_allocate, host_buffer_out, gc_host_buffer_allocate(w->context, 16, 0, NULL))                     \
    CASE(gc_host_buffer_register, host_buffer_out,                                                                       \
         gc_host_buffer_register(w->context, w->memory, 16, 0, NULL, NULL, NULL))                                        \
    CASE(gc_host_buffer_size, size_out, gc_host_buffer_size(w->host_buffer, NULL))                                       \
    CASE(gc_host_buffer_pointer, pointer_out, gc_host_buffer_pointer(w->host_buffer, NULL))                              \
    CASE(gc_host_buffer_device_address, address_out, gc_host_buffer_device_address(w->host_buffer, NULL))                \
    CASE(gc_buffer_size, size_out, gc_buffer_size(w->buffer, NULL))                                                      \
    CASE(gc_buffer_address, address_out, gc_buffer_address(w->buffer, NULL))                                             \
    CASE(gc_module_load, module_out, load_into(w->context, NULL))                                                        \
    CASE(gc_module_get_kernel, kernel_out, gc_module_get_kernel(w->module, "add", NULL))                                 \
    CASE(gc_kernel_set_accesses, accesses, gc_kernel_set_accesses(w->kernel, NULL, 3))                                   \
    CASE(gc_kernel_name, text, gc_kernel_name(w->kernel, NULL, 8, NULL))                                                 \
    CASE(gc_kernel_parameter_count, count_out, gc_kernel_parameter_count(w->kernel, NULL))                               \
    CASE(gc_kernel_parameter_size, size_out, gc_kernel_parameter_size(w->kernel, 0, NULL))                               \
    CASE(gc_kernel_get_attribute, value_out, gc_kernel_get_attribute(w->kernel, 0, NULL))                                \
    CASE(gc_kernel_max_active_blocks, blocks_out, gc_kernel_max_active_blocks(w->kernel, 32, 0, NULL))                   \
    CASE(gc_kernel_suggested_block_size, block_size_out,                                                                 \
         gc_kernel_suggested_block_size(w->kernel, 0, 0, NULL, &w->grid_size))                                           \
    CASE(gc_kernel_suggested_block_size, grid_size_out,                                                                  \
         gc_kernel_suggested_block_size(w->kernel, 0, 0, &w->grid_size, NULL))                                           \
    CASE(gc_kernel_available_shared_mem, bytes_out, gc_kernel_available_shared_mem(w->kernel, 1, 32, NULL))              \
    CASE(gc_kernel_max_active_clusters, clusters_out, gc_kernel_max_active_clusters(w->kernel, &one_thread, NULL))       \
    CASE(gc_kernel_max_cluster_size, blocks_out, gc_kernel_max_cluster_size(w->kernel, &one_thread, NULL))               \
    CASE(gc_graph_optimize_reasons, reasons_out, gc_graph_optimize_reasons(w->graph, NULL, NULL, 4, NULL))               \
    CASE(gc_graph_optimize_reasons, needed, gc_graph_optimize_reasons(w->graph, NULL, NULL, 0, NULL))                    \
    CASE(gc_graph_wrap, native, gc_graph_wrap(w->context, NULL, GRAPHCAP_OWNERSHIP_BORROWED, &w->out.graph))             \
    CASE(gc_graph_wrap, graph_out, gc_graph_wrap(w->context, NO_NATIVE, GRAPHCAP_OWNERSHIP_BORROWED, NULL))              \
    CASE(gc_graph_exec_wrap, native,                                                                                     \
         gc_graph_exec_wrap(w->context, NULL, GRAPHCAP_OWNERSHIP_BORROWED, NULL, &w->out.exec))                          \
    CASE(gc_graph_exec_wrap, exec_out, gc_graph_exec_wrap(w->context, NO_NATIVE, GRAPHCAP_OWNERSHIP_BORROWED, NULL, NULL)) \
    CASE(gc_graph_check, findings_out, gc_graph_check(w->graph, 1, NULL, 4, NULL))                                       \
    CASE(gc_graph_check, needed, gc_graph_check(w->graph, 1, NULL, 0, NULL))                                             \
    CASE(gc_graph_check_json, text, gc_graph_check_json(w->graph, 1, NULL, 8, NULL))                                     \
    CASE(gc_graph_check_text, text, gc_graph_check_text(w->graph, 1, NULL, 8, NULL))                                     \
    CASE(gc_graph_exec_check_findings, findings_out, gc_graph_exec_check_findings(w->exec, 1, NULL, 4, NULL))            \
    CASE(gc_graph_exec_check_findings, needed, gc_graph_exec_check_findings(w->exec, 1, NULL, 0, NULL))                  \
    CASE(gc_graph_exec_check_text, text, gc_graph_exec_check_text(w->exec, 1, NULL, 8, NULL))                            \
    CASE(gc_graph_exec_check_json, text, gc_graph_exec_check_json(w->exec, 1, NULL, 8, NULL))                            \
    CASE(gc_graph_unresolved_pointers, pointers_out, gc_graph_unresolved_pointers(w->graph, NULL, 4, NULL))              \
    CASE(gc_graph_unresolved_pointers, needed, gc_graph_unresolved_pointers(w->graph, NULL, 0, NULL))                    \
    CASE(gc_graph_node_count, count_out, gc_graph_node_count(w->graph, NULL))                                            \
    CASE(gc_graph_edge_count, count_out, gc_graph_edge_count(w->graph, NULL))                                            \
    CASE(gc_graph_export_dot, text, gc_graph_export_dot(w->graph, 0, NULL, 8, NULL))                                     \
    CASE(gc_graph_instantiate, exec_out, gc_graph_instantiate(w->graph, NULL, NULL))                                     \
    CASE(gc_graph_exec_get_info, info_out, gc_graph_exec_get_info(w->exec, NULL))                                        \
    CASE(gc_graph_exec_num_replays, count_out, gc_graph_exec_num_replays(w->exec, NULL))                                 \
    CASE(gc_graph_exec_progress, text, exec_progress_into(w, NULL))                                                      \
    CASE(gc_graph_exec_times, text, gc_graph_exec_times(w->exec, 1, NULL, 8, NULL))                                      \
    CASE(gc_graph_exec_progress, progress_out, gc_graph_exec_progress(w->exec, NULL, w->text, sizeof w->text, NULL))     \
    CASE(gc_graph_exec_nodes_in_state, nodes_out,                                                                        \
         gc_graph_exec_nodes_in_state(w->exec, GRAPHCAP_NODE_READY, NULL, 4, NULL))                                      \
    CASE(gc_graph_exec_is_uploaded, uploaded_out, gc_graph_exec_is_uploaded(w->exec, NULL))                              \
    CASE(gc_graph_cache_create, cache_out, make_cache(w, w->context, NULL, NULL))                                        \
    CASE(gc_graph_cache_get_stats, stats_out, gc_graph_cache_get_stats(w->cache, NULL))                                  \
    CASE(gc_script_create, script_out, gc_script_create(w->context, NULL))                                               \
    CASE(gc_script_record, graph_out, record_script(w, w->script, w->stream, NULL))                                      \
    CASE(gc_actor_create, actor_out, gc_actor_create(w->context, NULL, NULL))                                            \
    CASE(gc_actor_record, future_out,                                                                                    \
         gc_actor_record(w->actor, w->script, GRAPHCAP_CAPTURE_MODE_RELAXED, 0, NULL))                                   \
    CASE(gc_actor_adopt, future_out, gc_actor_adopt(w->actor, w->graph, 0, NULL))                                        \
    CASE(gc_actor_launch, future_out, gc_actor_launch(w->actor, w->exec, NULL))                                          \
    CASE(gc_actor_update, future_out, gc_actor_update(w->actor, w->exec, w->graph, NULL))                                \
    CASE(gc_actor_set_fft_plan, future_out, gc_actor_set_fft_plan(w->actor, w->exec, 0, w->fft_plan, NULL))              \
    CASE(gc_actor_export_dot, future_out, gc_actor_export_dot(w->actor, w->exec, 0, NULL))                               \
    CASE(gc_actor_event_fd, fd_out, gc_actor_event_fd(w->actor, NULL))                                                   \
    CASE(gc_actor_next_completed, future_out, gc_actor_next_completed(w->actor, NULL))                                   \
    CASE(gc_future_poll, is_done_out, gc_future_poll(w->future, NULL))                                                   \
    CASE(gc_future_take_exec, exec_out, gc_future_take_exec(w->future, NULL))                                            \
    CASE(gc_future_stall_report, text, gc_future_stall_report(w->future, NULL, NULL, 8, NULL))                           \
    CASE(gc_future_text, text, gc_future_text(w->future, NULL, 8, NULL))                                                 \
    CASE(gc_future_event_fd, fd_out, gc_future_event_fd(w->future, NULL))                                                \
    CASE(gc_fft_plan_create, plan_out, gc_fft_plan_create(w->context, &a_transform, NULL))                               \
    CASE(gc_record_context_stream, stream_out, record_telling(w, 1))                                                     \
    CASE(gc_record_context_native_blas, native_out, record_telling(w, 4))                                               \
    CASE(gc_record_context_native_rand, native_out, record_telling(w, 5))                                               \
    CASE(gc_record_context_pool, pool_out, record_telling(w, 3))                                                        \
    CASE(gc_record_context_graph, graph_out, record_telling(w, 2))                                                       \
    CASE(gc_stream_capture, graph_out,                                                                                   \
         gc_stream_capture(w->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, record_nothing, NULL, NULL, NULL))            \
    CASE(gc_capture_recorded_count, count_out, gc_capture_recorded_count(w->capture, NULL))                              \
    CASE(gc_capture_is_active, active_out, gc_capture_is_active(w->capture, NULL))                                       \
    CASE(gc_capture_end, graph_out, gc_capture_end(w->capture, NULL))                                                    \
    CASE(gc_graph_add_empty_node, node_out, gc_graph_add_empty_node(w->graph, NULL, 0, NULL))                            \
    CASE(gc_graph_add_node, node_out, add_child(w->graph, 0, w->clone, NULL))                                            \
    CASE(gc_graph_add_kernel_node, node_out,                                                                             \
         gc_graph_add_kernel_node(w->graph, NULL, 0, w->kernel, &one_thread, NULL, 0, NULL))                             \
    CASE(gc_graph_add_memcpy_node, node_out, add_memcpy(w, 0, NULL))                                                     \
    CASE(gc_graph_add_memset_node, node_out, add_memset(w, 0, NULL))                                                     \
    CASE(gc_graph_add_host_node, node_out, gc_graph_add_host_node(w->graph, NULL, 0, count_call, NULL, NULL, NULL))      \
    CASE(gc_graph_add_batch_mem_op_node, node_out, gc_graph_add_batch_mem_op_node(w->graph, NULL, 0, NULL, 0, NULL))     \
    CASE(gc_graph_add_event_record_node, node_out, gc_graph_add_event_record_node(w->graph, NULL, 0, w->event, NULL))    \
    CASE(gc_graph_add_event_wait_node, node_out, gc_graph_add_event_wait_node(w->graph, NULL, 0, w->event, NULL))        \
    CASE(gc_graph_create_condition, condition_out, gc_graph_create_condition(w->graph, 0, 0, NULL))                      \
    CASE(gc_graph_add_conditional_node, node_out,                                                                        \
         gc_graph_add_conditional_node(w->graph, NULL, 0, 1, GRAPHCAP_CONDITIONAL_IF, 1, NULL))                          \
    CASE(gc_graph_add_mem_alloc_node, node_out, gc_graph_add_mem_alloc_node(w->graph, NULL, 0, 16, NULL, &w->made))      \
    CASE(gc_graph_add_mem_free_node, node_out, gc_graph_add_mem_free_node(w->graph, NULL, 0, w->buffer, NULL))           \
    CASE(gc_node_get_mem_alloc_params, params_out, gc_node_get_mem_alloc_params(w->graph, w->copy_node, NULL))           \
    CASE(gc_node_get_mem_free_params, params_out, gc_node_get_mem_free_params(w->graph, w->copy_node, NULL))             \
    CASE(gc_node_get_buffer, buffer_out, gc_node_get_buffer(w->graph, w->copy_node, NULL))                               \
    CASE(gc_context_graph_memory, memory_out, gc_context_graph_memory(w->context, NULL))                                 \
    CASE(gc_context_memory_report, text, gc_context_memory_report(w->context, 0, NULL, 8, NULL))                         \
    CASE(gc_graph_add_child_node, node_out, gc_graph_add_child_node(w->graph, NULL, 0, w->clone, NULL))                  \
    CASE(gc_graph_clone, clone_out, gc_graph_clone(w->graph, NULL))                                                      \
    CASE(gc_node_find_in_clone, node_out, gc_node_find_in_clone(w->graph, w->kernel_node, w->clone, NULL))               \
    CASE(gc_node_kind, kind_out, gc_node_kind(w->graph, w->kernel_node, NULL))                                           \
    CASE(gc_node_get_dependencies, nodes_out, gc_node_get_dependencies(w->graph, w->kernel_node, NULL, 4, NULL))         \
    CASE(gc_node_get_dependents, nodes_out, gc_node_get_dependents(w->graph, w->kernel_node, NULL, 4, NULL))             \
    CASE(gc_graph_get_roots, nodes_out, gc_graph_get_roots(w->graph, NULL, 4, NULL))                                     \
    CASE(gc_graph_get_order, nodes_out, gc_graph_get_order(w->graph, NULL, 4, NULL))                                     \
    CASE(gc_node_get_containing_graph, graph_out, gc_node_get_containing_graph(w->graph, w->child_node, NULL))           \
    CASE(gc_node_get_graph, graph_out, gc_node_get_graph(w->graph, w->child_node, 0, NULL))                              \
    CASE(gc_node_get_kernel_params, params_out, gc_node_get_kernel_params(w->graph, w->kernel_node, NULL))               \
    CASE(gc_node_get_attribute, value_out,                                                                               \
         gc_node_get_attribute(w->graph, w->kernel_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, NULL))                      \
    CASE(gc_node_set_attribute, value,                                                                                   \
         gc_node_set_attribute(w->graph, w->kernel_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, NULL))                      \
    CASE(gc_node_get_attributes, attributes_out, gc_node_get_attributes(w->graph, w->kernel_node, NULL, 4, NULL))        \
    CASE(gc_node_get_memcpy_params, params_out, gc_node_get_memcpy_params(w->graph, w->copy_node, NULL))                 \
    CASE(gc_node_get_memset_params, params_out, gc_node_get_memset_params(w->graph, w->memset_node, NULL))               \
    CASE(gc_node_get_mem_op_params, params_out, gc_node_get_mem_op_params(w->graph, w->values_node, 0, NULL, NULL))      \
    CASE(gc_node_get_host_params, params_out, gc_node_get_host_params(w->graph, w->host_node, NULL))                     \
    CASE(gc_node_get_conditional_params, params_out, gc_node_get_conditional_params(w->graph, w->child_node, NULL))      \
    CASE(gc_node_get_argument, bytes_out, gc_node_get_argument(w->graph, w->kernel_node, 0, NULL, 8, NULL))              \
    CASE(gc_node_kernel_name, text, gc_node_kernel_name(w->graph, w->kernel_node, NULL, 8, NULL))                        \
    CASE(gc_node_get_kernel, kernel_out, gc_node_get_kernel(w->graph, w->kernel_node, NULL))                             \
    CASE(gc_node_get_event, event_out, gc_node_get_event(w->graph, w->record_node, NULL))                                \
    CASE(gc_object_context, context_out, gc_object_context(w->stream, NULL))                                            \
    CASE(gc_object_native, native_out, gc_object_native(w->stream, NULL))                                               \
    CASE(gc_get_name, text, gc_get_name(w->buffer, NULL, 8, NULL))                                                      \
    CASE(gc_node_get_name, text, gc_node_get_name(w->graph, w->kernel_node, NULL, 8, NULL))                             \
    CASE(gc_graph_export_json, text, gc_graph_export_json(w->graph, NULL, 8, NULL))                                     \
    CASE(gc_graph_import_json, graph_out, gc_graph_import_json(w->context, "", 0, NULL, 0, NULL))                       \
    CASE(gc_graph_optimize, graph_out, gc_graph_optimize(w->graph, NULL, NULL, &w->made_plan, NULL))                             \
    CASE(gc_plan_apply, graph_out, gc_plan_apply(w->plan, w->graph, 0, NULL, NULL))                                      \
    CASE(gc_graph_optimize_text, text, gc_graph_optimize_text(w->graph, NULL, NULL, 8, NULL))                           \
    CASE(gc_graph_verify, report_out, gc_graph_verify(w->graph, NULL, NULL))                                            \
    CASE(gc_graph_step, findings_out, step_with(w->graph, NULL, 4))                                                      \
    CASE(gc_graph_step, report_out, gc_graph_step(w->graph, NULL, NULL, 0, NULL))                                        \
    CASE(gc_graph_bisect, findings_out, bisect_with(w->graph, NULL, 4))                                                  \
    CASE(gc_graph_bisect, report_out, gc_graph_bisect(w->graph, NULL, is_good, NULL, NULL, 0, NULL))                     \
    CASE(gc_graph_diff, text, gc_graph_diff(w->graph, w->clone, NULL, 8, NULL))                                         \
    CASE(gc_context_find_buffer, buffer_out, find_buffer(w, NULL, &w->out.found.host_buffer))                            \
    CASE(gc_context_find_buffer, host_buffer_out, find_buffer(w, &w->out.found.buffer, NULL))                            \
    CASE(gc_graph_exec_is_node_enabled, enabled_out, gc_graph_exec_is_node_enabled(w->exec, w->kernel_node, NULL))

/* One element is there, whatever the count says. */
static gc_status launch_many(const struct world *w, size_t count) {
    uint32_t value = 1;
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(value);
    return gc_stream_launch_kernel(w->stream, w->kernel, &one_thread, &argument, count);
}

static gc_status record_many(const struct world *w, int by_name, size_t count) {
    uint32_t value = 1;
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(value);
    return by_name ? gc_capture_record_kernel(w->capture, "fill", &one_thread, &argument, count)
                   : gc_capture_record_kernel_handle(w->capture, w->kernel, &one_thread, &argument, count);
}

static gc_status batch_many(const struct world *w, size_t count) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(w->buffer, 0, 0, 0);
    return gc_stream_batch_mem_op(w->stream, &operation, count, 0);
}

static gc_status copy_many(const struct world *w, size_t count) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(w->buffer, 0, w->buffer, 8, 4);
    return gc_stream_memcpy_batch(w->stream, &copy, count, NULL);
}

static gc_status edit_many(struct world *w, enum edit edit, size_t count) {
    uint32_t value = 1;
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(value);
    switch (edit) {
    case ADD:
        return gc_graph_add_kernel_node(w->graph, NULL, 0, w->kernel, &one_thread, &argument, count, &w->out.node);
    case SET: return gc_node_set_kernel(w->graph, w->kernel_node, w->kernel, &one_thread, &argument, count);
    default: return gc_graph_exec_set_kernel_node(w->exec, w->kernel_node, w->kernel, &one_thread, &argument, count);
    }
}

static gc_status load_many(struct world *w, size_t kernels, size_t parameters) {
    gc_host_kernel kernel = test_kernels[0];
    gc_module_description description = test_module();
    kernel.parameter_count = parameters;
    description.host_kernels = &kernel;
    description.host_kernel_count = kernels;
    return gc_module_load(w->context, &description, &w->out.module);
}

static gc_status begin_with_many(struct world *w, size_t count) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    const gc_module *module = w->module;
    options.modules = &module;
    options.module_count = count;
    return gc_capture_begin(w->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &w->out.capture);
}

static gc_status begin_behind_many(struct world *w, size_t count) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.graph = w->graph;
    options.dependencies = w->nodes;
    options.dependency_count = count;
    return gc_capture_begin(w->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &w->out.capture);
}

/* Function, the parameter or the member that counts elements, and the call. */
#define COUNT_CASES(CASE)                                                                                                \
    CASE(gc_stream_launch_kernel, argument_count, launch_many(w, count))                                                 \
    CASE(gc_capture_record_kernel, argument_count, record_many(w, 1, count))                                             \
    CASE(gc_capture_record_kernel_handle, argument_count, record_many(w, 0, count))                                      \
    CASE(gc_capture_record_memset, count, gc_capture_record_memset(w->capture, w->buffer, 0, 0, 1, count))               \
    CASE(gc_kernel_set_accesses, count, gc_kernel_set_accesses(w->kernel, (const uint32_t *)w->memory, count))           \
    CASE(gc_stream_memset, count, gc_stream_memset(w->stream, w->buffer, 0, 0, 1, count))                                \
    CASE(gc_scalar_create_block, count, make_scalars(w, w->stream, count, &w->out.scalar))                               \
    CASE(gc_scalar_update_many, count, update_scalars(w, w->stream, w->scalar, count))                                   \
    CASE(gc_graph_add_scalar_condition_node, dependency_count,                                                           \
         gc_graph_add_scalar_condition_node(w->graph, w->nodes, count, 1, w->scalar, &w->out.node))                      \
    CASE(gc_stream_memcpy_batch, count, copy_many(w, count))                                                             \
    CASE(gc_stream_batch_mem_op, count, batch_many(w, count))                                                            \
    CASE(gc_capture_record_batch_mem_op, count, record_values(w->capture, w->buffer, count))                             \
    CASE(gc_stream_update_capture_dependencies, count,                                                                   \
         gc_stream_update_capture_dependencies(w->captured, w->nodes, NULL, count, GRAPHCAP_CAPTURE_DEPENDENCIES_SET))   \
    CASE(gc_stream_capture_frontier, capacity,                                                                           \
         gc_stream_capture_frontier(w->captured, w->nodes, count, &w->out.size))                                         \
    CASE(gc_graph_exec_nodes_in_state, capacity,                                                                         \
         gc_graph_exec_nodes_in_state(w->exec, GRAPHCAP_NODE_READY, w->nodes, count, &w->out.size))                      \
    CASE(gc_graph_get_nodes, capacity, gc_graph_get_nodes(w->graph, w->nodes, count, &w->out.size))                      \
    CASE(gc_graph_get_edges, capacity, gc_graph_get_edges(w->graph, w->nodes, w->nodes, NULL, count, &w->out.size))      \
    CASE(gc_module_load, host_kernel_count, load_many(w, count, 3))                                                      \
    CASE(gc_module_load, parameter_count, load_many(w, 1, count))                                                        \
    CASE(gc_capture_begin, module_count, begin_with_many(w, count))                                                      \
    CASE(gc_capture_begin, dependency_count, begin_behind_many(w, count))                                                \
    CASE(gc_graph_add_empty_node, dependency_count, gc_graph_add_empty_node(w->graph, w->nodes, count, &w->out.node))    \
    CASE(gc_graph_add_node, dependency_count, add_child(w->graph, count, w->clone, &w->out.node))                        \
    CASE(gc_graph_add_kernel_node, dependency_count,                                                                     \
         gc_graph_add_kernel_node(w->graph, w->nodes, count, w->kernel, &one_thread, NULL, 0, &w->out.node))             \
    CASE(gc_graph_add_kernel_node, argument_count, edit_many(w, ADD, count))                                             \
    CASE(gc_graph_add_memcpy_node, dependency_count, add_memcpy(w, count, &w->out.node))                                 \
    CASE(gc_graph_add_memset_node, dependency_count, add_memset(w, count, &w->out.node))                                 \
    CASE(gc_graph_add_host_node, dependency_count,                                                                       \
         gc_graph_add_host_node(w->graph, w->nodes, count, count_call, NULL, NULL, &w->out.node))                        \
    CASE(gc_graph_add_batch_mem_op_node, dependency_count,                                                               \
         gc_graph_add_batch_mem_op_node(w->graph, w->nodes, count, NULL, 0, &w->out.node))                               \
    CASE(gc_graph_add_batch_mem_op_node, count, edit_values(w, ADD, w->graph, w->buffer, count))                         \
    CASE(gc_graph_add_event_record_node, dependency_count,                                                               \
         gc_graph_add_event_record_node(w->graph, w->nodes, count, w->event, &w->out.node))                              \
    CASE(gc_graph_add_event_wait_node, dependency_count,                                                                 \
         gc_graph_add_event_wait_node(w->graph, w->nodes, count, w->event, &w->out.node))                                \
    CASE(gc_graph_add_set_condition_node, dependency_count,                                                              \
         gc_graph_add_set_condition_node(w->graph, w->nodes, count, 1, w->buffer, 0, &w->out.node))                      \
    CASE(gc_graph_add_conditional_node, dependency_count,                                                                \
         gc_graph_add_conditional_node(w->graph, w->nodes, count, 1, GRAPHCAP_CONDITIONAL_IF, 1, &w->out.node))          \
    CASE(gc_graph_add_mem_alloc_node, dependency_count,                                                                  \
         gc_graph_add_mem_alloc_node(w->graph, w->nodes, count, 16, &w->out.node, &w->made))                             \
    CASE(gc_graph_add_mem_free_node, dependency_count,                                                                   \
         gc_graph_add_mem_free_node(w->graph, w->nodes, count, w->buffer, &w->out.node))                                 \
    CASE(gc_graph_add_child_node, dependency_count,                                                                      \
         gc_graph_add_child_node(w->graph, w->nodes, count, w->clone, &w->out.node))                                     \
    CASE(gc_graph_add_dependencies, count, gc_graph_add_dependencies(w->graph, w->nodes, w->nodes, NULL, count))         \
    CASE(gc_graph_optimize_reasons, capacity,                                                                            \
         gc_graph_optimize_reasons(w->graph, NULL, w->reasons, count, &w->out.size))                                     \
    CASE(gc_graph_check, capacity, gc_graph_check(w->graph, 1, w->findings, count, &w->out.size))                        \
    CASE(gc_graph_exec_check_findings, capacity,                                                                         \
         gc_graph_exec_check_findings(w->exec, 1, w->findings, count, &w->out.size))                                     \
    CASE(gc_graph_step, capacity, step_with(w->graph, w->findings, count))                                               \
    CASE(gc_graph_bisect, capacity, bisect_with(w->graph, w->findings, count))                                           \
    CASE(gc_graph_unresolved_pointers, capacity,                                                                         \
         gc_graph_unresolved_pointers(w->graph, w->pointers, count, &w->out.size))                                       \
    CASE(gc_node_get_attributes, capacity,                                                                               \
         gc_node_get_attributes(w->graph, w->kernel_node, w->ids, count, &w->out.size))                                  \
    CASE(gc_graph_remove_dependencies, count, gc_graph_remove_dependencies(w->graph, w->nodes, w->nodes, count))         \
    CASE(gc_node_get_dependencies, capacity,                                                                             \
         gc_node_get_dependencies(w->graph, w->kernel_node, w->nodes, count, &w->out.size))                              \
    CASE(gc_node_get_dependents, capacity,                                                                               \
         gc_node_get_dependents(w->graph, w->kernel_node, w->nodes, count, &w->out.size))                                \
    CASE(gc_graph_get_roots, capacity, gc_graph_get_roots(w->graph, w->nodes, count, &w->out.size))                      \
    CASE(gc_graph_get_order, capacity, gc_graph_get_order(w->graph, w->nodes, count, &w->out.size))                      \
    CASE(gc_node_get_argument, capacity,                                                                                 \
         gc_node_get_argument(w->graph, w->kernel_node, 0, w->memory, count, &w->out.size))                              \
    CASE(gc_node_set_kernel, argument_count, edit_many(w, SET, count))                                                   \
    CASE(gc_node_set_batch_mem_op, count, edit_values(w, SET, w->graph, w->buffer, count))                               \
    CASE(gc_graph_exec_set_kernel_node, argument_count, edit_many(w, EXEC_SET, count))                                   \
    CASE(gc_graph_add_nodes, count, add_children(w->graph, count, w->clone, &w->out.node))                               \
    CASE(gc_graph_set_nodes, count, set_children(w, w->graph, 0, count, w->clone))                                       \
    CASE(gc_graph_exec_set_nodes, count, set_children(w, w->exec, 1, count, w->clone))                                   \
    CASE(gc_graph_cache_launch, key_size, gc_graph_cache_launch(w->cache, "a", count, w->stream, NULL))                  \
    CASE(gc_graph_cache_remove, key_size, gc_graph_cache_remove(w->cache, "a", count))                                   \
    CASE(gc_graph_import_json, binding_count, import_many(w, count))                                                    \
    CASE(gc_graph_exec_set_batch_mem_op_node, count, edit_values(w, EXEC_SET, w->exec, w->buffer, count))

#define HANDLE_FUNCTION(function, parameter, kind, cleared, call)                    \
    static gc_status function##_with_bad_##parameter(struct world *w, void *bad) {   \
        (void)w;                                                                     \
        return call;                                                                 \
    }
HANDLE_CASES(HANDLE_FUNCTION)

#define OUTPUT_FUNCTION(function, parameter, call)                                   \
    static gc_status function##_without_##parameter(struct world *w) {               \
        (void)w;                                                                     \
        return call;                                                                 \
    }
OUTPUT_CASES(OUTPUT_FUNCTION)

#define COUNT_FUNCTION(function, parameter, call)                                    \
    static gc_status function##_with_many_##parameter(struct world *w, size_t count) { \
        return call;                                                                 \
    }
COUNT_CASES(COUNT_FUNCTION)

struct handle_case {
    const char *function;
    const char *parameter;
    enum kind kind;
    size_t cleared;
    gc_status (*call)(struct world *w, void *bad);
};

#define HANDLE_ROW(function, parameter, kind, cleared, call) \
    {#function, #parameter, kind, cleared, function##_with_bad_##parameter},
static const struct handle_case handle_cases[] = {HANDLE_CASES(HANDLE_ROW)};

struct output_case {
    const char *function;
    const char *parameter;
    gc_status (*call)(struct world *w);
};

#define OUTPUT_ROW(function, parameter, call) {#function, #parameter, function##_without_##parameter},
static const struct output_case output_cases[] = {OUTPUT_CASES(OUTPUT_ROW)};

struct count_case {
    const char *function;
    gc_status (*call)(struct world *w, size_t count);
};

#define COUNT_ROW(function, parameter, call) {#function, function##_with_many_##parameter},
static const struct count_case count_cases[] = {COUNT_CASES(COUNT_ROW)};

static void world_handles(const struct world *w, void *handles[KINDS]) {
    handles[CONTEXT] = w->context;
    handles[STREAM] = w->stream;
    handles[EVENT] = w->event;
    handles[BUFFER] = w->buffer;
    handles[MODULE] = w->module;
    handles[KERNEL] = w->kernel;
    handles[GRAPH] = w->graph;
    handles[EXEC] = w->exec;
    handles[CAPTURE] = w->capture;
    handles[HOST_BUFFER] = w->host_buffer;
    handles[POOL] = w->pool;
    handles[CACHE] = w->cache;
    handles[SCALAR] = w->scalar;
    handles[SCRIPT] = w->script;
    handles[RNG] = w->rng;
    handles[PLAN] = w->plan;
    handles[RECORD_CONTEXT] = w->record_context;
    handles[ACTOR] = w->actor;
    handles[FUTURE] = w->future;
    handles[FFT_PLAN] = w->fft_plan;
}

static int is_destroy(const struct handle_case *row) {
    const char *end = strrchr(row->function, '_');
    return strcmp(end, "_destroy") == 0;
}

/* The call refuses `bad` with `expected`, says so, clears its output, and leaves every object alone. */
static void refuse_with(struct world *w, const struct handle_case *row, const char *how, void *bad, gc_status expected) {
    char label[160];
    size_t i;
    uint64_t before = gc_live_handles();
    unsigned failures = check_failures;
    gc_status status;
    memset(&w->out, 0xa5, sizeof w->out);
    snprintf(label, sizeof label, "%s(%s is %s)", row->function, row->parameter, how);
    status = row->call(w, bad);
    check_message(__FILE__, __LINE__, label, status, expected, kind_words[row->kind]);
    for (i = 0; i < row->cleared; i++)
        CHECK(w->out.bytes[i] == 0);
    CHECK(gc_live_handles() == before);
    if (check_failures != failures)
        fprintf(stderr, "    that was %s\n", label);
}

static void refuse(struct world *w, const struct handle_case *row, const char *how, void *bad) {
    refuse_with(w, row, how, bad, GRAPHCAP_ERROR_INVALID_HANDLE);
}

static void null_handles_are_refused(void) {
    struct world w;
    size_t i;
    world_open(&w);
    for (i = 0; i < LENGTH_OF(handle_cases); i++) {
        if (is_destroy(&handle_cases[i]))
            CHECK_OK(handle_cases[i].call(&w, NULL));
        else
            refuse(&w, &handle_cases[i], "NULL", NULL);
    }
    world_close(&w);
}

static void garbage_is_refused(void) {
    struct world w;
    size_t i, k;
    char local = 0;
    void *heap = calloc(1, 256);
    void *garbage[5];
    world_open(&w);
    garbage[0] = (void *)(uintptr_t)1;
    garbage[1] = (void *)UINTPTR_MAX;
    garbage[2] = (void *)(uintptr_t)0x0123456789abcdefull;
    garbage[3] = &local;
    garbage[4] = heap;
    for (i = 0; i < LENGTH_OF(handle_cases); i++)
        for (k = 0; k < LENGTH_OF(garbage); k++)
            refuse(&w, &handle_cases[i], "garbage", garbage[k]);
    world_close(&w);
    free(heap);
}

/* A handle with any one bit wrong is not a handle. */
static void damaged_handles_are_refused(void) {
    struct world w;
    void *handles[KINDS];
    size_t i;
    unsigned bit;
    world_open(&w);
    world_handles(&w, handles);
    for (i = 0; i < LENGTH_OF(handle_cases); i++)
        for (bit = 0; bit < 8 * sizeof(void *); bit++) {
            void *damaged = (void *)((uintptr_t)handles[handle_cases[i].kind] ^ (uintptr_t)1 << bit);
            if (damaged != (void *)w.clone) /* which is a handle as well */
                refuse(&w, &handle_cases[i], "damaged", damaged);
        }
    world_close(&w);
}

static void handles_of_another_kind_are_refused(void) {
    struct world w;
    void *handles[KINDS];
    size_t i;
    int kind;
    world_open(&w);
    world_handles(&w, handles);
    for (i = 0; i < LENGTH_OF(handle_cases); i++)
        for (kind = 0; kind < KINDS; kind++)
            if (kind != (int)handle_cases[i].kind)
                refuse(&w, &handle_cases[i], "of another kind", handles[kind]);
    world_close(&w);
}

/* Destroyed handles stay dead, also after their slots hold new objects. A destroy is among the functions, so this is
 * the double destroy too. */
static void destroyed_handles_are_refused(void) {
    struct world w;
    void *dead[2][KINDS];
    size_t i;
    int round;
    world_open(&w);
    world_handles(&w, dead[0]);
    world_close(&w);
    world_open(&w);
    world_handles(&w, dead[1]);
    world_close(&w);
    world_open(&w);
    for (round = 0; round < 2; round++)
        for (i = 0; i < LENGTH_OF(handle_cases); i++)
            refuse(&w, &handle_cases[i], "destroyed", dead[round][handle_cases[i].kind]);
    world_close(&w);
}

/* After a reset every function says that older objects are stale, whichever of its handles it is, and destroys succeed. The
 * handle of the context itself stays good. */
static void handles_older_than_a_reset_are_stale(void) {
    struct world old, w;
    void *stale[KINDS];
    uint64_t handles = gc_live_handles(), of_world;
    size_t i;
    world_open(&old);
    of_world = gc_live_handles() - handles;
    world_handles(&old, stale);
    CHECK_OK(gc_context_reset(old.context));
    CHECK(gc_live_handles() == handles + of_world);
    world_open(&w);
    for (i = 0; i < LENGTH_OF(handle_cases); i++)
        /* The record context was dead before. */
        if (handle_cases[i].kind != CONTEXT && handle_cases[i].kind != RECORD_CONTEXT && !is_destroy(&handle_cases[i]))
            refuse_with(&w, &handle_cases[i], "stale", stale[handle_cases[i].kind], GRAPHCAP_ERROR_STALE);
    for (i = 0; i < LENGTH_OF(handle_cases); i++)
        if (is_destroy(&handle_cases[i])) {
            CHECK_OK(handle_cases[i].call(&w, stale[handle_cases[i].kind]));
            refuse(&w, &handle_cases[i], "destroyed", stale[handle_cases[i].kind]);
        }
    CHECK_OK(gc_stream_destroy(old.captured));
    CHECK_OK(gc_graph_destroy(old.clone));
    world_close(&w);
    CHECK(gc_live_handles() == handles);
}

/* Once all objects are gone, so are all slots in use: no function finds anything. */
static void nothing_is_found_in_an_empty_library(void) {
    struct world w;
    void *dead[KINDS];
    size_t i;
    world_open(&w);
    world_handles(&w, dead);
    world_close(&w);
    CHECK(gc_live_handles() == 0);
    for (i = 0; i < LENGTH_OF(handle_cases); i++)
        CHECK(handle_cases[i].call(&w, dead[handle_cases[i].kind]) == GRAPHCAP_ERROR_INVALID_HANDLE);
}

static void missing_outputs_are_refused(void) {
    struct world w;
    size_t i;
    world_open(&w);
    for (i = 0; i < LENGTH_OF(output_cases); i++) {
        const struct output_case *row = &output_cases[i];
        uint64_t before = gc_live_handles();
        gc_status status = row->call(&w);
        /* gc_last_error_message tells of failures and sets no message itself. */
        if (strcmp(row->function, "gc_last_error_message") == 0)
            CHECK_STATUS(status, GRAPHCAP_ERROR_INVALID_VALUE);
        else
            check_message(__FILE__, __LINE__, row->function, status, GRAPHCAP_ERROR_INVALID_VALUE, row->parameter);
        CHECK(gc_live_handles() == before);
    }
    world_close(&w);
}

/* Nothing behind the one element that there is may be touched, and the message has the count as it was passed. */
static void counts_that_no_array_has_are_refused(void) {
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 60};
    struct world w;
    size_t i, k;
    world_open(&w);
    for (i = 0; i < LENGTH_OF(count_cases); i++)
        for (k = 0; k < LENGTH_OF(counts); k++) {
            char number[32];
            snprintf(number, sizeof number, "%zu", counts[k]);
            check_message(__FILE__, __LINE__, count_cases[i].function, count_cases[i].call(&w, counts[k]),
                          GRAPHCAP_ERROR_INVALID_VALUE, number);
        }
    world_close(&w);
}

/* A bad handle is told before a missing output. */
static void handles_are_checked_first(void) {
    CHECK_MESSAGE(gc_stream_create(NULL, NULL, NULL), GRAPHCAP_ERROR_INVALID_HANDLE, "context");
    CHECK_MESSAGE(gc_buffer_allocate(NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_HANDLE, "context");
    CHECK_MESSAGE(gc_graph_node_count(NULL, NULL), GRAPHCAP_ERROR_INVALID_HANDLE, "graph");
    CHECK_MESSAGE(gc_stream_begin_capture(NULL, 77), GRAPHCAP_ERROR_INVALID_HANDLE, "stream");
    CHECK_MESSAGE(gc_stream_launch_kernel(NULL, NULL, NULL, NULL, 3), GRAPHCAP_ERROR_INVALID_HANDLE, "stream");
}

int main(void) {
    RUN(null_handles_are_refused);
    RUN(garbage_is_refused);
    RUN(damaged_handles_are_refused);
    RUN(handles_of_another_kind_are_refused);
    RUN(destroyed_handles_are_refused);
    RUN(handles_older_than_a_reset_are_stale);
    RUN(nothing_is_found_in_an_empty_library);
    RUN(missing_outputs_are_refused);
    RUN(counts_that_no_array_has_are_refused);
    RUN(handles_are_checked_first);
    return check_finish();
}
