/* What every function answers inside callbacks: in host functions, host kernels and destroys. CALLS has a row for each
 * function of graphcap.h; python/check_coverage.py sees to that, and compares the rows that are ANSWERED with the list in
 * the header's section on callbacks. */
#include "world.h"

/* ANSWERED: as elsewhere. REFUSED: GRAPHCAP_ERROR_NOT_PERMITTED. DESTROYS: succeeds. */
enum answer { ANSWERED, REFUSED, DESTROYS };

/* The objects that calls are made with. No call may change them. */
static struct world w;
static gc_stream *other;
static gc_event *timed;
static gc_buffer *waitable, *managed, *graph_memory;
static gc_graph *allocating;
static gc_node allocation;
static gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
/* Where refused questions would be answered. */
static gc_verify_report verify_report = GRAPHCAP_VERIFY_REPORT_INIT;
static gc_step_report step_report = GRAPHCAP_STEP_REPORT_INIT;
static gc_bisect_report bisect_report = GRAPHCAP_BISECT_REPORT_INIT;

static int32_t is_good(uint64_t replay, uint64_t max_replays, void *user_data) {
    (void)user_data;
    return replay < max_replays;
}

static gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
/* How often the destroys of refused calls were called. */
static unsigned let_go;

/* Handles for a callback to destroy. */
static struct world spare;

static const gc_memcpy_params *a_copy(void) {
    static gc_memcpy_params copy;
    const gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_DTOD(w.buffer, 0, w.buffer, 8, 4);
    copy = within;
    return &copy;
}

static const gc_memset_params *a_memset(void) {
    static gc_memset_params set;
    const gc_memset_params rows = GRAPHCAP_MEMSET_INIT(w.buffer, 0, 1, 1, 2, 2, 8);
    set = rows;
    return &set;
}

static const gc_mem_op *a_write(void) {
    static gc_mem_op operation;
    const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(waitable, 0, 0, 0);
    operation = write;
    return &operation;
}

static const uint32_t of_scalar = GRAPHCAP_SCALAR_U32;
static const void *const value_of_scalar = w.memory;

static gc_status update_many(void) {
    const gc_scalar *scalar = w.scalar;
    return gc_scalar_update_many(w.stream, &scalar, &of_scalar, &value_of_scalar, 1);
}

static gc_status batch(void) {
    return gc_stream_batch_mem_op(w.stream, a_write(), 1, 0);
}

/* ---- Graphs and execs that are edited ---- */

enum edit { ADD, SET, EXEC_SET };
enum params { KERNEL, MEMCPY, MEMSET, MEM_OP, ALLOC, FREE, HOST, CONDITIONAL };

static void count_let_go(void *user_data) {
    (void)user_data;
    count_call(&let_go);
}

static gc_status push_host(void) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_HOST;
    desc.function = count_call;
    desc.user_data = &w.released;
    desc.destroy = count_let_go;
    return gc_script_push(w.script, &desc);
}

/* Work of a host function, given to one of the calls that take it. */
enum taker { BY_STREAM, BY_CAPTURE, BY_GRAPH, BY_GRAPH_NODES, BY_NODE, BY_NODES, BY_NODES_OF_EXEC, BY_EXEC };

static gc_status give_host(enum taker taker) {
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_HOST;
    work.function = count_call;
    work.user_data = &w.released;
    work.destroy = count_let_go;
    switch (taker) {
    case BY_STREAM: return gc_stream_submit(w.stream, &work, NULL);
    case BY_CAPTURE: return gc_capture_record(w.capture, &work);
    case BY_GRAPH: return gc_graph_add_node(w.graph, NULL, NULL, 0, &work, &w.out.node);
    case BY_GRAPH_NODES: return gc_graph_add_nodes(w.graph, NULL, NULL, &work, 1, &w.out.node, NULL);
    case BY_NODE: return gc_node_set(w.graph, w.host_node, &work);
    case BY_NODES: return gc_graph_set_nodes(w.graph, &w.host_node, &work, 1, NULL);
    case BY_NODES_OF_EXEC: return gc_graph_exec_set_nodes(w.exec, &w.host_node, &work, 1, NULL);
    default: return gc_graph_exec_set_node(w.exec, w.host_node, &work);
    }
}

static gc_status edit_kernel(enum edit edit) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(w.buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    switch (edit) {
    case ADD: return gc_graph_add_kernel_node(w.graph, NULL, 0, w.kernel, &one_thread, arguments, 3, &w.out.node);
    case SET: return gc_node_set_kernel(w.graph, w.kernel_node, w.kernel, &one_thread, arguments, 3);
    default: return gc_graph_exec_set_kernel_node(w.exec, w.kernel_node, w.kernel, &one_thread, arguments, 3);
    }
}

static gc_status edit_values(enum edit edit) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(waitable, 0, 0, 0);
    switch (edit) {
    case ADD: return gc_graph_add_batch_mem_op_node(w.graph, NULL, 0, &operation, 1, &w.out.node);
    case SET: return gc_node_set_batch_mem_op(w.graph, w.values_node, &operation, 1);
    default: return gc_graph_exec_set_batch_mem_op_node(w.exec, w.values_node, &operation, 1);
    }
}

static gc_status get_params(enum params params) {
    w.out.kernel_params.struct_size = sizeof w.out.kernel_params;
    w.out.memcpy_params.struct_size = sizeof w.out.memcpy_params;
    w.out.memset_params.struct_size = sizeof w.out.memset_params;
    w.out.mem_op_params.struct_size = sizeof w.out.mem_op_params;
    w.out.alloc_params.struct_size = sizeof w.out.alloc_params;
    w.out.free_params.struct_size = sizeof w.out.free_params;
    w.out.host_params.struct_size = sizeof w.out.host_params;
    w.out.conditional_params.struct_size = sizeof w.out.conditional_params;
    switch (params) {
    case KERNEL: return gc_node_get_kernel_params(w.graph, w.kernel_node, &w.out.kernel_params);
    case MEMCPY: return gc_node_get_memcpy_params(w.graph, w.copy_node, &w.out.memcpy_params);
    case MEMSET: return gc_node_get_memset_params(w.graph, w.memset_node, &w.out.memset_params);
    case ALLOC: return gc_node_get_mem_alloc_params(w.graph, w.copy_node, &w.out.alloc_params);
    case HOST: return gc_node_get_host_params(w.graph, w.host_node, &w.out.host_params);
    case CONDITIONAL: return gc_node_get_conditional_params(w.graph, w.child_node, &w.out.conditional_params);
    case FREE: return gc_node_get_mem_free_params(w.graph, w.copy_node, &w.out.free_params);
    default: return gc_node_get_mem_op_params(w.graph, w.values_node, 0, &w.out.mem_op_params, &w.out.size);
    }
}

static gc_status get_graph_memory(void) {
    gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
    return gc_context_graph_memory(w.context, &memory);
}

static gc_status ask_info(void) {
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    return gc_stream_capture_info(w.stream, &info);
}

/* What a function that returns no status told of its failure; success where it returned an address. */
static gc_status told_of(const char *function, const void *address) {
    char text[512] = "";
    if (address != NULL)
        return GRAPHCAP_SUCCESS;
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    CHECK(strncmp(text, function, strlen(function)) == 0);
    return strstr(text, "GRAPHCAP_ERROR_NOT_PERMITTED") != NULL || strstr(text, "host function") != NULL
               ? GRAPHCAP_ERROR_NOT_PERMITTED
               : GRAPHCAP_ERROR_UNKNOWN;
}

/* Of a function that returns no status. */
#define SUCCEEDS(call) ((void)(call), GRAPHCAP_SUCCESS)
#define TOLD_OF(call, function) ((call), told_of(function, NULL))

/* What all objects answer that are asked for their contexts; another number where they differ. */
static gc_status context_of_each(void) {
    const void *const objects[] = {w.context, w.stream, w.event, w.buffer, w.host_buffer, w.scalar, w.rng,
                                   w.module, w.kernel, w.pool, w.graph, w.exec, w.cache, w.plan,
                                   w.script, w.actor, w.future, w.capture};
    gc_status status = gc_object_context(objects[0], &w.out.context);
    size_t i;
    for (i = 1; i < LENGTH_OF(objects); i++)
        if (gc_object_context(objects[i], &w.out.context) != status)
            return INT32_MAX;
    return status;
}

/* The same for the driver's handles of those that answer inside callbacks. */
static gc_status native_of_each(void) {
    const void *const objects[] = {w.context, w.event, w.module, w.kernel};
    gc_status status = gc_object_native(objects[0], &w.out.pointer);
    size_t i;
    for (i = 1; i < LENGTH_OF(objects); i++)
        if (gc_object_native(objects[i], &w.out.pointer) != status)
            return INT32_MAX;
    return status;
}

#define CALLS(CASE)                                                                                                      \
    CASE(gc_version, ANSWERED, SUCCEEDS(gc_version()))                                                                   \
    CASE(gc_version_string, ANSWERED, SUCCEEDS(gc_version_string()))                                                     \
    CASE(gc_status_name, ANSWERED, SUCCEEDS(gc_status_name(0)))                                                          \
    CASE(gc_status_description, ANSWERED, SUCCEEDS(gc_status_description(0)))                                            \
    CASE(gc_callback_set_message, ANSWERED, gc_callback_set_message("why"))                                             \
    CASE(gc_last_error_message, ANSWERED, SUCCEEDS(gc_last_error_message(w.text, sizeof w.text, NULL)))                  \
    CASE(gc_live_handles, ANSWERED, SUCCEEDS(gc_live_handles()))                                                         \
    CASE(gc_host_check_range, ANSWERED, gc_host_check_range(w.memory, sizeof w.memory))                                  \
    CASE(gc_host_fail, ANSWERED, gc_host_fail(NULL))                                                                     \
    CASE(gc_device_count, REFUSED, gc_device_count(GRAPHCAP_DEVICE_HOST, &w.out.u32))                                    \
    CASE(gc_device_name, REFUSED, gc_device_name(GRAPHCAP_DEVICE_HOST, 0, w.text, sizeof w.text, NULL))                  \
    CASE(gc_device_auto_reason, REFUSED, gc_device_auto_reason(w.text, sizeof w.text, NULL))                             \
    CASE(gc_context_create, REFUSED, gc_context_create(NULL, &w.out.context))                                            \
    CASE(gc_context_destroy, DESTROYS, gc_context_destroy(spare.context))                                                \
    CASE(gc_context_synchronize, REFUSED, gc_context_synchronize(w.context))                                             \
    CASE(gc_context_synchronize_for, REFUSED, gc_context_synchronize_for(w.context, 0))                                  \
    CASE(gc_context_stream_priority_range, REFUSED,                                                                      \
         gc_context_stream_priority_range(w.context, &w.out.i32, &w.priority))                                           \
    CASE(gc_context_collect, REFUSED, gc_context_collect(w.context))                                                     \
    CASE(gc_context_make_current, REFUSED, gc_context_make_current(w.context))                                           \
    CASE(gc_pool_get_memory, REFUSED, get_pool_memory(w.pool, &w.out.pool_memory))                                      \
    CASE(gc_pool_trim, REFUSED, gc_pool_trim(w.pool))                                                                   \
    CASE(gc_pool_create, REFUSED, gc_pool_create(w.context, NULL, &w.out.pool))                                         \
    CASE(gc_pool_destroy, DESTROYS, gc_pool_destroy(spare.pool))                                                        \
    CASE(gc_pool_id, ANSWERED, gc_pool_id(w.pool, &w.out.u64))                                                          \
    CASE(gc_pool_add_buffer, REFUSED, gc_pool_add_buffer(w.pool, w.buffer, &w.out.size))                                \
    CASE(gc_pool_add_object, REFUSED, gc_pool_add_object(w.pool, &w.released, count_let_go, &w.out.size))               \
    CASE(gc_pool_allocate, REFUSED, gc_pool_allocate(w.pool, 16, &w.out.buffer))                                        \
    CASE(gc_pool_allocate_on_stream, REFUSED, gc_pool_allocate_on_stream(w.pool, w.stream, 16, &w.out.buffer))          \
    CASE(gc_buffer_destroy_on_stream, REFUSED, gc_buffer_destroy_on_stream(w.buffer, w.stream))                         \
    CASE(gc_pool_buffer_count, ANSWERED, gc_pool_buffer_count(w.pool, &w.out.size))                                     \
    CASE(gc_pool_seal, REFUSED, gc_pool_seal(w.pool))                                                                   \
    CASE(gc_pool_unseal, REFUSED, gc_pool_unseal(w.pool))                                                               \
    CASE(gc_pool_is_sealed, ANSWERED, gc_pool_is_sealed(w.pool, &w.out.i32))                                            \
    CASE(gc_pool_clear, REFUSED, gc_pool_clear(w.pool))                                                                 \
    CASE(gc_pool_handle_new, REFUSED, gc_pool_handle_new(w.pool, &w.out.u64))                                           \
    CASE(gc_pool_handle_lookup, REFUSED, gc_pool_handle_lookup(1, &w.out.pool))                                         \
    CASE(gc_memory_block_begin, ANSWERED, gc_memory_block_begin(64, 16, NULL, 1))                                       \
    CASE(gc_memory_block_end, ANSWERED, gc_memory_block_end(64, 1))                                                     \
    CASE(gc_pool_handle_release, REFUSED, gc_pool_handle_release(1))                                                    \
    CASE(gc_pool_bind, REFUSED, gc_pool_bind(w.pool, 0))                                                                \
    CASE(gc_pool_unbind, REFUSED, gc_pool_unbind(0))                                                                    \
    CASE(gc_pool_torch_allocate, REFUSED, told_of("gc_pool_torch_allocate", gc_pool_torch_allocate(16, 0, NULL)))       \
    CASE(gc_pool_torch_free, REFUSED, TOLD_OF(gc_pool_torch_free(&w, 16, 0, NULL), "gc_pool_torch_free"))               \
    CASE(gc_pool_torch_record_stream, REFUSED,                                                                          \
         TOLD_OF(gc_pool_torch_record_stream(&w, NULL), "gc_pool_torch_record_stream"))                                 \
    CASE(gc_pool_rmm_allocate, REFUSED, told_of("gc_pool_rmm_allocate", gc_pool_rmm_allocate(16, NULL, w.pool)))        \
    CASE(gc_pool_rmm_free, REFUSED, TOLD_OF(gc_pool_rmm_free(&w, 16, NULL, w.pool), "gc_pool_rmm_free"))                \
    CASE(gc_stream_begin_capture_with_pool, REFUSED,                                                                    \
         gc_stream_begin_capture_with_pool(other, GRAPHCAP_CAPTURE_MODE_RELAXED, w.pool))                               \
    CASE(gc_stream_end_capture_with_pool, REFUSED, gc_stream_end_capture_with_pool(w.captured, w.pool, &w.out.graph))   \
    CASE(gc_graph_exec_pool, REFUSED, gc_graph_exec_pool(w.exec, &w.out.pool))                                          \
    CASE(gc_graph_exec_has_pool, REFUSED, gc_graph_exec_has_pool(w.exec, &w.out.i32))                                   \
    CASE(gc_graph_exec_pool_buffer_count, REFUSED, gc_graph_exec_pool_buffer_count(w.exec, &w.out.size))                \
    CASE(gc_kernel_get_module, REFUSED, gc_kernel_get_module(w.kernel, &w.out.module))                                   \
    CASE(gc_context_get_info, ANSWERED, context_info_of(w.context))                                                      \
    CASE(gc_context_device_name, ANSWERED, gc_context_device_name(w.context, w.text, sizeof w.text, NULL))               \
    CASE(gc_context_legacy_stream, REFUSED, gc_context_legacy_stream(w.context, &w.out.stream))                          \
    CASE(gc_context_per_thread_stream, REFUSED, gc_context_per_thread_stream(w.context, &w.out.stream))                  \
    CASE(gc_context_reset, REFUSED, gc_context_reset(w.context))                                                        \
    CASE(gc_context_memcpy, REFUSED, gc_context_memcpy(w.context, a_copy()))                                             \
    CASE(gc_context_memcpy_peer, REFUSED, gc_context_memcpy_peer(w.context, w.buffer, 0, w.buffer, 8, 4))                \
    CASE(gc_context_memset, REFUSED, gc_context_memset(w.context, a_memset()))                                           \
    CASE(gc_buffer_allocate, REFUSED, gc_buffer_allocate(w.context, 16, &w.out.buffer))                                  \
    CASE(gc_buffer_allocate_waitable, REFUSED, gc_buffer_allocate_waitable(w.context, 16, &w.out.buffer))                \
    CASE(gc_buffer_allocate_managed, REFUSED, gc_buffer_allocate_managed(w.context, 16, 1, &w.out.buffer))               \
    CASE(gc_buffer_wrap, REFUSED, gc_buffer_wrap(w.context, w.memory, sizeof w.memory, NULL, NULL, &w.out.buffer))       \
    CASE(gc_buffer_destroy, DESTROYS, gc_buffer_destroy(spare.buffer))                                                   \
    CASE(gc_buffer_size, ANSWERED, gc_buffer_size(w.buffer, &w.out.size))                                                \
    CASE(gc_buffer_address, ANSWERED, gc_buffer_address(w.buffer, &w.out.u64))                                           \
    CASE(gc_host_buffer_allocate, REFUSED, gc_host_buffer_allocate(w.context, 16, 0, &w.out.host_buffer))                \
    CASE(gc_host_buffer_register, REFUSED,                                                                               \
         gc_host_buffer_register(w.context, w.memory, sizeof w.memory, 0, NULL, NULL, &w.out.host_buffer))               \
    CASE(gc_host_buffer_destroy, DESTROYS, gc_host_buffer_destroy(spare.host_buffer))                                    \
    CASE(gc_host_buffer_size, ANSWERED, gc_host_buffer_size(w.host_buffer, &w.out.size))                                 \
    CASE(gc_host_buffer_pointer, ANSWERED, gc_host_buffer_pointer(w.host_buffer, &w.out.pointer))                        \
    CASE(gc_host_buffer_device_address, ANSWERED, gc_host_buffer_device_address(w.host_buffer, &w.out.u64))              \
    CASE(gc_scalar_create, REFUSED, gc_scalar_create(w.stream, GRAPHCAP_SCALAR_U32, w.memory, &w.out.scalar))            \
    CASE(gc_scalar_create_block, REFUSED, gc_scalar_create_block(w.stream, &of_scalar, &value_of_scalar, 1, &w.out.scalar))\
    CASE(gc_scalar_update, REFUSED, gc_scalar_update(w.scalar, w.stream, GRAPHCAP_SCALAR_U32, w.memory))                 \
    CASE(gc_scalar_update_many, REFUSED, update_many())                                                                  \
    CASE(gc_scalar_read, REFUSED, gc_scalar_read(w.scalar, w.stream, GRAPHCAP_SCALAR_U32, &w.out.u32))                   \
    CASE(gc_scalar_destroy, DESTROYS, gc_scalar_destroy(spare.scalar))                                                   \
    CASE(gc_scalar_type, ANSWERED, gc_scalar_type(w.scalar, &w.out.u32))                                                 \
    CASE(gc_scalar_address, ANSWERED, gc_scalar_address(w.scalar, &w.out.u64))                                           \
    CASE(gc_scalar_buffer, REFUSED, gc_scalar_buffer(w.scalar, &w.out.buffer, &w.size))                                  \
    CASE(gc_rng_create, REFUSED, gc_rng_create(w.stream, 1, 0, &w.out.rng))                                              \
    CASE(gc_stream_fill_uniform, REFUSED, fill_uniform(w.stream, w.rng, w.buffer))                                       \
    CASE(gc_rng_set_seed, REFUSED, gc_rng_set_seed(w.rng, w.stream, 1))                                                  \
    CASE(gc_rng_get_seed, REFUSED, gc_rng_get_seed(w.rng, w.stream, &w.out.u64))                                         \
    CASE(gc_rng_set_offset, REFUSED, gc_rng_set_offset(w.rng, w.stream, 1))                                              \
    CASE(gc_rng_get_offset, REFUSED, gc_rng_get_offset(w.rng, w.stream, &w.out.u64))                                     \
    CASE(gc_rng_torch_state, REFUSED, gc_rng_torch_state(w.rng, w.stream, GRAPHCAP_TORCH_STATE_32, 4, w.out.words))      \
    CASE(gc_rng_subsequence, ANSWERED, gc_rng_subsequence(w.rng, &w.out.u64))                                            \
    CASE(gc_rng_destroy, DESTROYS, gc_rng_destroy(spare.rng))                                                            \
    CASE(gc_graph_add_scalar_condition_node, REFUSED,                                                                    \
         gc_graph_add_scalar_condition_node(w.graph, NULL, 0, 1, w.scalar, &w.out.node))                                 \
    CASE(gc_stream_create, REFUSED, gc_stream_create(w.context, NULL, &w.out.stream))                                    \
    CASE(gc_stream_wrap, REFUSED, gc_stream_wrap(w.context, NULL, &w.out.stream))                                        \
    CASE(gc_stream_destroy, DESTROYS, gc_stream_destroy(spare.stream))                                                   \
    CASE(gc_stream_id, ANSWERED, gc_stream_id(w.stream, &w.out.u64))                                                     \
    CASE(gc_stream_flags, REFUSED, gc_stream_flags(w.stream, &w.out.u32))                                                \
    CASE(gc_stream_priority, REFUSED, gc_stream_priority(w.stream, &w.out.i32))                                          \
    CASE(gc_stream_get_attribute, REFUSED,                                                                               \
         gc_stream_get_attribute(w.stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &w.out.attribute))                        \
    CASE(gc_stream_set_attribute, REFUSED,                                                                               \
         gc_stream_set_attribute(w.stream, GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, &w.out.attribute))                        \
    CASE(gc_stream_copy_attributes, REFUSED, gc_stream_copy_attributes(w.stream, other))                                 \
    CASE(gc_stream_synchronize, REFUSED, gc_stream_synchronize(w.stream))                                                \
    CASE(gc_stream_synchronize_for, REFUSED, gc_stream_synchronize_for(w.stream, 0))                                     \
    CASE(gc_stream_is_complete, REFUSED, gc_stream_is_complete(w.stream, &w.out.i32))                                    \
    CASE(gc_stream_begin_capture, REFUSED, gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED))                \
    CASE(gc_stream_end_capture_exec, REFUSED, gc_stream_end_capture_exec(w.captured, NULL, &w.out.exec))                 \
    CASE(gc_stream_end_capture, REFUSED, gc_stream_end_capture(w.captured, &w.out.graph))                                \
    CASE(gc_stream_capture, REFUSED,                                                                                     \
         gc_stream_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, record_nothing, NULL, NULL, &w.out.graph))        \
    CASE(gc_stream_is_capturing, REFUSED, gc_stream_is_capturing(w.captured, &w.out.i32))                                \
    CASE(gc_stream_capture_status, REFUSED, gc_stream_capture_status(w.captured, &w.out.i32))                            \
    CASE(gc_stream_capture_info, REFUSED, ask_info())                                                                    \
    CASE(gc_stream_capture_frontier, REFUSED, gc_stream_capture_frontier(w.captured, w.nodes, 4, &w.out.size))           \
    CASE(gc_stream_capture_graph, REFUSED, gc_stream_capture_graph(w.captured, &w.out.graph))                            \
    CASE(gc_stream_capture_child_node, REFUSED, gc_stream_capture_child_node(w.captured, w.clone, &w.out.node))          \
    CASE(gc_stream_set_condition, REFUSED, gc_stream_set_condition(w.captured, 1, w.buffer, 0))                          \
    CASE(gc_stream_capture_conditional_node, REFUSED,                                                                    \
         gc_stream_capture_conditional_node(w.captured, 1, GRAPHCAP_CONDITIONAL_IF, 1, &w.out.node))                     \
    CASE(gc_stream_capture_violation, ANSWERED,                                                                          \
         gc_stream_capture_violation(w.captured, &w.out.i32, w.text, sizeof w.text, NULL))                               \
    CASE(gc_stream_export_capture_dot, REFUSED,                                                                          \
         gc_stream_export_capture_dot(w.captured, 0, w.text, sizeof w.text, NULL))                                       \
    CASE(gc_stream_update_capture_dependencies, REFUSED,                                                                 \
         gc_stream_update_capture_dependencies(w.captured, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET))            \
    CASE(gc_stream_wait_event, REFUSED, gc_stream_wait_event(w.stream, w.event, 0))                                      \
    CASE(gc_stream_memcpy, REFUSED, gc_stream_memcpy(w.stream, a_copy()))                                                \
    CASE(gc_stream_memcpy_batch, REFUSED, gc_stream_memcpy_batch(w.stream, a_copy(), 1, NULL))                           \
    CASE(gc_stream_memcpy_htod, REFUSED, gc_stream_memcpy_htod(w.stream, w.buffer, 0, w.memory, 4))                      \
    CASE(gc_stream_memcpy_dtoh, REFUSED, gc_stream_memcpy_dtoh(w.stream, w.memory, w.buffer, 0, 4))                      \
    CASE(gc_stream_memcpy_dtod, REFUSED, gc_stream_memcpy_dtod(w.stream, w.buffer, 0, w.buffer, 8, 4))                   \
    CASE(gc_stream_memcpy_peer, REFUSED, gc_stream_memcpy_peer(w.stream, w.buffer, 0, w.buffer, 8, 4))                   \
    CASE(gc_stream_memset, REFUSED, gc_stream_memset(w.stream, w.buffer, 0, 0, 1, 4))                                    \
    CASE(gc_stream_memset_2d, REFUSED, gc_stream_memset_2d(w.stream, a_memset()))                                        \
    CASE(gc_stream_write_value32, REFUSED, gc_stream_write_value32(w.stream, waitable, 0, 0, 0))                         \
    CASE(gc_stream_write_value64, REFUSED, gc_stream_write_value64(w.stream, waitable, 0, 0, 0))                         \
    CASE(gc_stream_wait_value32, REFUSED, gc_stream_wait_value32(w.stream, waitable, 0, 0, 0))                           \
    CASE(gc_stream_wait_value64, REFUSED, gc_stream_wait_value64(w.stream, waitable, 0, 0, 0))                           \
    CASE(gc_stream_batch_mem_op, REFUSED, batch())                                                                       \
    CASE(gc_stream_attach_mem_async, REFUSED, gc_stream_attach_mem_async(w.stream, managed, 1))                          \
    CASE(gc_stream_launch_host_func, REFUSED, gc_stream_launch_host_func(w.stream, count_call, &w.released, NULL))       \
    CASE(gc_stream_launch_kernel, REFUSED, launch_fill(w.stream, w.kernel, w.buffer))                                    \
    CASE(gc_log_set_callback, REFUSED, gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, NULL, NULL, NULL))                 \
    CASE(gc_trace_start, REFUSED, gc_trace_start("/dev/null", 0))                                                        \
    CASE(gc_trace_stop, REFUSED, gc_trace_stop(NULL))                                                                    \
    CASE(gc_trace_mark, ANSWERED, gc_trace_mark("mark"))                                                                 \
    CASE(gc_thread_exchange_capture_mode, REFUSED, gc_thread_exchange_capture_mode(&mode))                               \
    CASE(gc_event_create, REFUSED, gc_event_create(w.context, NULL, &w.out.event))                                       \
    CASE(gc_event_destroy, DESTROYS, gc_event_destroy(spare.event))                                                      \
    CASE(gc_event_id, ANSWERED, gc_event_id(w.event, &w.out.u64))                                                        \
    CASE(gc_event_record, REFUSED, gc_event_record(w.event, w.stream, 0))                                                \
    CASE(gc_event_is_complete, REFUSED, gc_event_is_complete(w.event, &w.out.i32))                                       \
    CASE(gc_event_synchronize, REFUSED, gc_event_synchronize(w.event))                                                   \
    CASE(gc_event_synchronize_for, REFUSED, gc_event_synchronize_for(w.event, 0))                                        \
    CASE(gc_event_elapsed_time, REFUSED, gc_event_elapsed_time(timed, timed, &w.out.f32))                                \
    CASE(gc_event_ipc_handle, REFUSED, gc_event_ipc_handle(w.event, &w.out.ipc))                                         \
    CASE(gc_event_open_ipc_handle, REFUSED, gc_event_open_ipc_handle(w.context, &w.ipc, &w.out.event))                   \
    CASE(gc_module_load, REFUSED, load_into(w.context, &w.out.module))                                                   \
    CASE(gc_module_destroy, DESTROYS, gc_module_destroy(spare.module))                                                   \
    CASE(gc_module_get_kernel, REFUSED, gc_module_get_kernel(w.module, "add", &w.out.kernel))                            \
    CASE(gc_module_get_global, REFUSED, gc_module_get_global(w.module, "g", &w.out.buffer))                              \
    CASE(gc_kernel_destroy, DESTROYS, gc_kernel_destroy(spare.kernel))                                                   \
    CASE(gc_kernel_set_accesses, REFUSED, gc_kernel_set_accesses(w.kernel, NULL, 0))                                    \
    CASE(gc_kernel_set_buffer_access, REFUSED, gc_kernel_set_buffer_access(w.kernel, w.buffer, GRAPHCAP_ACCESS_NONE))    \
    CASE(gc_kernel_set_concurrency, REFUSED, gc_kernel_set_concurrency(w.kernel, GRAPHCAP_CONCURRENCY_FREE))                     \
    CASE(gc_kernel_name, ANSWERED, gc_kernel_name(w.kernel, w.text, sizeof w.text, NULL))                                \
    CASE(gc_kernel_parameter_count, ANSWERED, gc_kernel_parameter_count(w.kernel, &w.out.size))                          \
    CASE(gc_kernel_parameter_size, ANSWERED, gc_kernel_parameter_size(w.kernel, 0, &w.out.size))                         \
    CASE(gc_kernel_get_attribute, REFUSED, gc_kernel_get_attribute(w.kernel, 0, &w.out.i32))                             \
    CASE(gc_kernel_set_attribute, REFUSED, gc_kernel_set_attribute(w.kernel, 9, 50))                                     \
    CASE(gc_kernel_max_active_blocks, REFUSED, gc_kernel_max_active_blocks(w.kernel, 32, 0, &w.out.u32))                 \
    CASE(gc_kernel_suggested_block_size, REFUSED,                                                                        \
         gc_kernel_suggested_block_size(w.kernel, 0, 0, &w.out.u32, &w.grid_size))                                       \
    CASE(gc_kernel_available_shared_mem, REFUSED, gc_kernel_available_shared_mem(w.kernel, 1, 32, &w.out.size))          \
    CASE(gc_kernel_max_active_clusters, REFUSED, gc_kernel_max_active_clusters(w.kernel, &one_thread, &w.out.u32))       \
    CASE(gc_kernel_max_cluster_size, REFUSED, gc_kernel_max_cluster_size(w.kernel, &one_thread, &w.out.u32))             \
    CASE(gc_graph_create, REFUSED, gc_graph_create(w.context, &w.out.graph))                                             \
    CASE(gc_graph_destroy, DESTROYS, gc_graph_destroy(spare.graph))                                                      \
    CASE(gc_node_native, REFUSED, gc_node_native(w.graph, 1, &w.out.pointer))                                            \
    CASE(gc_graph_node_count, REFUSED, gc_graph_node_count(w.graph, &w.out.size))                                        \
    CASE(gc_graph_edge_count, REFUSED, gc_graph_edge_count(w.graph, &w.out.size))                                        \
    CASE(gc_graph_get_nodes, REFUSED, gc_graph_get_nodes(w.graph, w.nodes, 4, &w.out.size))                              \
    CASE(gc_graph_get_edges, REFUSED, gc_graph_get_edges(w.graph, w.nodes, w.nodes, NULL, 4, &w.out.size))               \
    CASE(gc_graph_optimize_reasons, REFUSED, gc_graph_optimize_reasons(w.graph, NULL, w.reasons, 4, &w.out.size))        \
    CASE(gc_graph_wrap, REFUSED, gc_graph_wrap(w.context, (void *)(uintptr_t)64, GRAPHCAP_OWNERSHIP_BORROWED, &w.out.graph)) \
    CASE(gc_graph_exec_wrap, REFUSED,                                                                                    \
         gc_graph_exec_wrap(w.context, (void *)(uintptr_t)64, GRAPHCAP_OWNERSHIP_BORROWED, w.graph, &w.out.exec))        \
    CASE(gc_graph_check, REFUSED, gc_graph_check(w.graph, 1, w.findings, 4, &w.out.size))                                \
    CASE(gc_graph_unresolved_pointers, REFUSED, gc_graph_unresolved_pointers(w.graph, w.pointers, 4, &w.out.size))       \
    CASE(gc_graph_export_dot, REFUSED, gc_graph_export_dot(w.graph, 0, w.text, sizeof w.text, NULL))                     \
    CASE(gc_graph_add_empty_node, REFUSED, gc_graph_add_empty_node(w.graph, NULL, 0, &w.out.node))                         \
    CASE(gc_graph_add_kernel_node, REFUSED, edit_kernel(ADD))                                                            \
    CASE(gc_graph_add_memcpy_node, REFUSED, gc_graph_add_memcpy_node(w.graph, NULL, 0, a_copy(), &w.out.node))             \
    CASE(gc_graph_add_memset_node, REFUSED, gc_graph_add_memset_node(w.graph, NULL, 0, a_memset(), &w.out.node))           \
    CASE(gc_graph_add_host_node, REFUSED,                                                                                \
         gc_graph_add_host_node(w.graph, NULL, 0, count_call, &w.released, count_let_go, &w.out.node))                     \
    CASE(gc_graph_add_batch_mem_op_node, REFUSED, edit_values(ADD))                                                      \
    CASE(gc_graph_add_event_record_node, REFUSED, gc_graph_add_event_record_node(w.graph, NULL, 0, w.event, &w.out.node))  \
    CASE(gc_graph_add_event_wait_node, REFUSED, gc_graph_add_event_wait_node(w.graph, NULL, 0, w.event, &w.out.node))      \
    CASE(gc_graph_create_condition, REFUSED, gc_graph_create_condition(w.graph, 0, 0, &w.out.u64))                       \
    CASE(gc_graph_add_conditional_node, REFUSED,                                                                         \
         gc_graph_add_conditional_node(w.graph, NULL, 0, 1, GRAPHCAP_CONDITIONAL_IF, 1, &w.out.node))                    \
    CASE(gc_graph_add_set_condition_node, REFUSED,                                                                       \
         gc_graph_add_set_condition_node(w.graph, NULL, 0, 1, w.buffer, 0, &w.out.node))                                 \
    CASE(gc_host_set_conditional, ANSWERED, gc_host_set_conditional(1, 0))                                               \
    CASE(gc_graph_add_mem_alloc_node, REFUSED,                                                                           \
         gc_graph_add_mem_alloc_node(w.graph, NULL, 0, 16, &w.out.node, &w.made))                                        \
    CASE(gc_graph_add_mem_free_node, REFUSED, gc_graph_add_mem_free_node(w.graph, NULL, 0, graph_memory, &w.out.node))   \
    CASE(gc_stream_mem_free, REFUSED, gc_stream_mem_free(w.stream, graph_memory))                                  \
    CASE(gc_node_get_mem_alloc_params, REFUSED, get_params(ALLOC))                                                       \
    CASE(gc_node_get_mem_free_params, REFUSED, get_params(FREE))                                                         \
    CASE(gc_node_get_buffer, REFUSED, gc_node_get_buffer(w.graph, w.copy_node, &w.out.buffer))                           \
    CASE(gc_context_graph_memory, REFUSED, get_graph_memory())                                                           \
    CASE(gc_context_memory_report, REFUSED, gc_context_memory_report(w.context, 0, w.text, sizeof w.text, NULL))         \
    CASE(gc_context_graph_memory_reset_high, REFUSED, gc_context_graph_memory_reset_high(w.context))                     \
    CASE(gc_context_graph_memory_trim, REFUSED, gc_context_graph_memory_trim(w.context))                                 \
    CASE(gc_graph_add_child_node, REFUSED, gc_graph_add_child_node(w.graph, NULL, 0, w.clone, &w.out.node))                \
    CASE(gc_graph_add_dependencies, REFUSED, gc_graph_add_dependencies(w.graph, &w.kernel_node, &w.copy_node, NULL, 1))    \
    CASE(gc_graph_remove_dependencies, REFUSED, gc_graph_remove_dependencies(w.graph, &w.copy_node, &w.memset_node, 1))  \
    CASE(gc_graph_remove_node, REFUSED, gc_graph_remove_node(w.graph, w.kernel_node))                                    \
    CASE(gc_graph_retain_callback, REFUSED, gc_graph_retain_callback(w.graph, &w.released, count_let_go))                \
    CASE(gc_graph_clone, REFUSED, gc_graph_clone(w.graph, &w.out.graph))                                                   \
    CASE(gc_node_find_in_clone, REFUSED, gc_node_find_in_clone(w.graph, w.kernel_node, w.clone, &w.out.node))              \
    CASE(gc_node_kind, REFUSED, gc_node_kind(w.graph, w.kernel_node, &w.out.u32))                                          \
    CASE(gc_node_get_dependencies, REFUSED, gc_node_get_dependencies(w.graph, w.kernel_node, w.nodes, 4, &w.out.size))   \
    CASE(gc_node_get_dependents, REFUSED, gc_node_get_dependents(w.graph, w.kernel_node, w.nodes, 4, &w.out.size))       \
    CASE(gc_graph_get_roots, REFUSED, gc_graph_get_roots(w.graph, w.nodes, 4, &w.out.size))                              \
    CASE(gc_graph_get_order, REFUSED, gc_graph_get_order(w.graph, w.nodes, 4, &w.out.size))                              \
    CASE(gc_node_get_containing_graph, REFUSED, gc_node_get_containing_graph(w.graph, w.child_node, &w.out.graph))         \
    CASE(gc_node_get_graph, REFUSED, gc_node_get_graph(w.graph, w.child_node, 0, &w.out.graph))                            \
    CASE(gc_node_get_kernel_params, REFUSED, get_params(KERNEL))                                                         \
    CASE(gc_node_get_attribute, REFUSED, gc_node_get_attribute(w.graph, w.kernel_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &w.out.launch_attribute)) \
    CASE(gc_node_set_grid_scalar, REFUSED, gc_node_set_grid_scalar(w.graph, w.kernel_node, 0, w.scalar))                 \
    CASE(gc_node_set_attribute, REFUSED, gc_node_set_attribute(w.graph, w.kernel_node, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &w.launch_attribute)) \
    CASE(gc_node_get_attributes, REFUSED, gc_node_get_attributes(w.graph, w.kernel_node, w.ids, 4, &w.out.size))         \
    CASE(gc_node_copy_attributes, REFUSED, gc_node_copy_attributes(w.graph, w.kernel_node, w.clone, w.kernel_node))      \
    CASE(gc_node_get_argument, REFUSED,                                                                                  \
         gc_node_get_argument(w.graph, w.kernel_node, 0, w.text, sizeof w.text, &w.out.size))                          \
    CASE(gc_node_kernel_name, REFUSED,                                                                                   \
         gc_node_kernel_name(w.graph, w.kernel_node, w.text, sizeof w.text, &w.out.size))                              \
    CASE(gc_node_get_kernel, REFUSED, gc_node_get_kernel(w.graph, w.kernel_node, &w.out.kernel))                           \
    CASE(gc_node_get_memcpy_params, REFUSED, get_params(MEMCPY))                                                         \
    CASE(gc_node_get_memset_params, REFUSED, get_params(MEMSET))                                                         \
    CASE(gc_node_get_mem_op_params, REFUSED, get_params(MEM_OP))                                                         \
    CASE(gc_node_get_host_params, REFUSED, get_params(HOST))                                                             \
    CASE(gc_node_get_conditional_params, REFUSED, get_params(CONDITIONAL))                                               \
    CASE(gc_node_get_event, REFUSED, gc_node_get_event(w.graph, w.record_node, &w.out.event))                              \
    CASE(gc_context_find_buffer, REFUSED,                                                                                \
         gc_context_find_buffer(w.context, 1, &w.out.found.buffer, &w.out.found.host_buffer, &w.out.size))                         \
    CASE(gc_node_set_kernel, REFUSED, edit_kernel(SET))                                                                  \
    CASE(gc_node_set_memcpy, REFUSED, gc_node_set_memcpy(w.graph, w.copy_node, a_copy()))                                \
    CASE(gc_node_set_memset, REFUSED, gc_node_set_memset(w.graph, w.memset_node, a_memset()))                            \
    CASE(gc_node_set_host, REFUSED, gc_node_set_host(w.graph, w.host_node, count_call, &w.released, count_let_go))       \
    CASE(gc_node_set_batch_mem_op, REFUSED, edit_values(SET))                                                            \
    CASE(gc_node_set_event_record, REFUSED, gc_node_set_event_record(w.graph, w.record_node, timed))                   \
    CASE(gc_node_set_event_wait, REFUSED, gc_node_set_event_wait(w.graph, w.wait_node, timed))                         \
    CASE(gc_node_set_child, REFUSED, gc_node_set_child(w.graph, w.child_node, w.clone))                                  \
    CASE(gc_graph_export_json, REFUSED, gc_graph_export_json(w.graph, w.text, sizeof w.text, NULL))                     \
    CASE(gc_graph_import_json, REFUSED, gc_graph_import_json(w.context, "", 0, NULL, 0, &w.out.graph))                  \
    CASE(gc_graph_optimize, REFUSED, gc_graph_optimize(w.graph, NULL, &w.out.graph, NULL, NULL))                        \
    CASE(gc_plan_apply, REFUSED, gc_plan_apply(w.plan, w.graph, 0, &w.out.graph, NULL))                                  \
    CASE(gc_plan_destroy, DESTROYS, gc_plan_destroy(spare.plan))                                                         \
    CASE(gc_graph_check_json, REFUSED, gc_graph_check_json(w.graph, 1, w.text, sizeof w.text, NULL))                     \
    CASE(gc_graph_check_text, REFUSED, gc_graph_check_text(w.graph, 1, w.text, sizeof w.text, NULL))                     \
    CASE(gc_graph_optimize_text, REFUSED, gc_graph_optimize_text(w.graph, NULL, w.text, sizeof w.text, NULL))            \
    CASE(gc_graph_verify, REFUSED, gc_graph_verify(w.graph, NULL, &verify_report))                                       \
    CASE(gc_graph_step, REFUSED, gc_graph_step(w.graph, NULL, w.findings, 4, &step_report))                              \
    CASE(gc_graph_bisect, REFUSED, gc_graph_bisect(w.graph, NULL, is_good, NULL, w.findings, 4, &bisect_report))         \
    CASE(gc_graph_diff, REFUSED, gc_graph_diff(w.graph, w.clone, w.text, sizeof w.text, NULL))                          \
    CASE(gc_graph_exec_apply_reason_description, ANSWERED, SUCCEEDS(gc_graph_exec_apply_reason_description(0)))                      \
    CASE(gc_object_context, REFUSED, context_of_each())                                                                 \
    CASE(gc_object_native, ANSWERED, native_of_each())                                                                  \
    CASE(gc_set_name, REFUSED, gc_set_name(w.buffer, "name"))                                                           \
    CASE(gc_get_name, ANSWERED, gc_get_name(w.buffer, w.text, sizeof w.text, NULL))                                      \
    CASE(gc_node_set_name, REFUSED, gc_node_set_name(w.graph, w.kernel_node, "name"))                                   \
    CASE(gc_node_get_name, REFUSED, gc_node_get_name(w.graph, w.kernel_node, w.text, sizeof w.text, NULL))              \
    CASE(gc_graph_instantiate, REFUSED, gc_graph_instantiate(w.graph, NULL, &w.out.exec))                                \
    CASE(gc_graph_relaunch, REFUSED, gc_graph_relaunch(w.exec))                                                          \
    CASE(gc_graph_launch, REFUSED, gc_graph_launch(w.exec, w.stream))                                                    \
    CASE(gc_graph_upload, REFUSED, gc_graph_upload(w.exec, w.stream))                                                    \
    CASE(gc_graph_exec_destroy, DESTROYS, gc_graph_exec_destroy(spare.exec))                                             \
    CASE(gc_graph_exec_get_info, ANSWERED, exec_info_of(w.exec))                                                         \
    CASE(gc_graph_exec_num_replays, ANSWERED, gc_graph_exec_num_replays(w.exec, &w.out.u64))                             \
    CASE(gc_graph_exec_progress, REFUSED,                                                                                \
         gc_graph_exec_progress(w.exec, &progress, w.text, sizeof w.text, NULL))                                         \
    CASE(gc_graph_exec_times, REFUSED, gc_graph_exec_times(w.exec, 1, w.text, sizeof w.text, NULL))                      \
    CASE(gc_graph_exec_nodes_in_state, REFUSED,                                                                          \
         gc_graph_exec_nodes_in_state(w.exec, GRAPHCAP_NODE_READY, w.nodes, 4, NULL))                                    \
    CASE(gc_graph_exec_is_uploaded, ANSWERED, gc_graph_exec_is_uploaded(w.exec, &w.out.i32))                             \
    CASE(gc_graph_exec_set_kernel_node, REFUSED, edit_kernel(EXEC_SET))                                                  \
    CASE(gc_graph_exec_set_memcpy_node, REFUSED, gc_graph_exec_set_memcpy_node(w.exec, w.copy_node, a_copy()))           \
    CASE(gc_graph_exec_set_memset_node, REFUSED, gc_graph_exec_set_memset_node(w.exec, w.memset_node, a_memset()))       \
    CASE(gc_graph_exec_set_host_node, REFUSED,                                                                           \
         gc_graph_exec_set_host_node(w.exec, w.host_node, count_call, &w.released, count_let_go))                        \
    CASE(gc_graph_exec_set_batch_mem_op_node, REFUSED, edit_values(EXEC_SET))                                            \
    CASE(gc_graph_exec_set_event_record_node, REFUSED,                                                                   \
         gc_graph_exec_set_event_record_node(w.exec, w.record_node, timed))                                            \
    CASE(gc_graph_exec_set_event_wait_node, REFUSED, gc_graph_exec_set_event_wait_node(w.exec, w.wait_node, timed))    \
    CASE(gc_graph_exec_set_child_node, REFUSED, gc_graph_exec_set_child_node(w.exec, w.child_node, w.clone))             \
    CASE(gc_graph_exec_check, REFUSED, gc_graph_exec_check(w.exec, NULL))                                                \
    CASE(gc_graph_exec_check_findings, REFUSED,                                                                          \
         gc_graph_exec_check_findings(w.exec, 1, w.findings, 4, &w.out.size))                                            \
    CASE(gc_graph_exec_check_text, REFUSED, gc_graph_exec_check_text(w.exec, 1, w.text, sizeof w.text, NULL))            \
    CASE(gc_graph_exec_check_json, REFUSED, gc_graph_exec_check_json(w.exec, 1, w.text, sizeof w.text, NULL))            \
    CASE(gc_graph_exec_update, REFUSED, gc_graph_exec_update(w.exec, w.graph, 0, NULL))                                  \
    CASE(gc_graph_replace_buffer, REFUSED, gc_graph_replace_buffer(w.graph, w.buffer, w.buffer, &w.out.size))            \
    CASE(gc_graph_exec_replace_buffer, REFUSED, gc_graph_exec_replace_buffer(w.exec, w.buffer, w.buffer, &w.out.size))   \
    CASE(gc_graph_exec_apply, REFUSED, gc_graph_exec_apply(w.exec, w.graph, NULL, NULL))                                 \
    CASE(gc_graph_cache_create, REFUSED, make_cache(&w, w.context, count_let_go, &w.out.cache))                          \
    CASE(gc_graph_cache_launch, REFUSED, gc_graph_cache_launch(w.cache, "a", 1, w.stream, NULL))                         \
    CASE(gc_graph_cache_remove, REFUSED, gc_graph_cache_remove(w.cache, "a", 1))                                         \
    CASE(gc_graph_cache_clear, REFUSED, gc_graph_cache_clear(w.cache))                                                   \
    CASE(gc_graph_cache_get_stats, ANSWERED, ask_stats(w.cache, &w.out.cache_stats))                                     \
    CASE(gc_graph_cache_destroy, DESTROYS, gc_graph_cache_destroy(spare.cache))                                          \
    CASE(gc_script_create, REFUSED, gc_script_create(w.context, &w.out.script))                                          \
    CASE(gc_stream_submit, REFUSED, give_host(BY_STREAM))                                                                \
    CASE(gc_capture_record, REFUSED, give_host(BY_CAPTURE))                                                              \
    CASE(gc_graph_add_node, REFUSED, give_host(BY_GRAPH))                                                                \
    CASE(gc_node_set, REFUSED, give_host(BY_NODE))                                                                       \
    CASE(gc_graph_exec_set_node, REFUSED, give_host(BY_EXEC))                                                            \
    CASE(gc_graph_add_nodes, REFUSED, give_host(BY_GRAPH_NODES))                                                         \
    CASE(gc_graph_set_nodes, REFUSED, give_host(BY_NODES))                                                               \
    CASE(gc_graph_exec_set_nodes, REFUSED, give_host(BY_NODES_OF_EXEC))                                                  \
    CASE(gc_script_push, REFUSED, push_host())                                                                           \
    CASE(gc_script_push_op, REFUSED, push_op(&w, w.script, count_let_go))                                                \
    CASE(gc_script_prepare, REFUSED, gc_script_prepare(w.script, NULL))                                                  \
    CASE(gc_script_record, REFUSED,                                                                                      \
         gc_script_record(w.script, w.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &w.out.graph))                        \
    CASE(gc_script_submit, REFUSED, gc_script_submit(w.script, w.stream, NULL))                                          \
    CASE(gc_script_destroy, DESTROYS, gc_script_destroy(spare.script))                                                   \
    CASE(gc_fft_plan_create, REFUSED, gc_fft_plan_create(w.context, &a_transform, &w.out.fft_plan))                      \
    CASE(gc_fft_plan_destroy, DESTROYS, gc_fft_plan_destroy(spare.fft_plan))                                             \
    CASE(gc_record_context_stream, ANSWERED, gc_record_context_stream(w.record_context, &w.out.given_stream))            \
    CASE(gc_record_context_native_blas, REFUSED, gc_record_context_native_blas(w.record_context, &w.out.pointer))       \
    CASE(gc_record_context_native_rand, REFUSED, gc_record_context_native_rand(w.record_context, &w.out.pointer))       \
    CASE(gc_record_context_pool, REFUSED, gc_record_context_pool(w.record_context, &w.out.pool))                        \
    CASE(gc_record_context_graph, REFUSED, gc_record_context_graph(w.record_context, &w.out.graph))                      \
    CASE(gc_actor_create, REFUSED, gc_actor_create(w.context, NULL, &w.out.actor))                                       \
    CASE(gc_actor_record, REFUSED,                                                                                       \
         gc_actor_record(w.actor, w.script, GRAPHCAP_CAPTURE_MODE_RELAXED, 0, &w.out.future))                            \
    CASE(gc_actor_adopt, REFUSED, gc_actor_adopt(w.actor, w.graph, 0, &w.out.future))                                    \
    CASE(gc_actor_launch, REFUSED, gc_actor_launch(w.actor, w.exec, &w.out.future))                                      \
    CASE(gc_actor_update, REFUSED, gc_actor_update(w.actor, w.exec, w.graph, &w.out.future))                             \
    CASE(gc_actor_set_fft_plan, REFUSED, gc_actor_set_fft_plan(w.actor, w.exec, 0, w.fft_plan, &w.out.future))           \
    CASE(gc_actor_export_dot, REFUSED, gc_actor_export_dot(w.actor, w.exec, 0, &w.out.future))                           \
    CASE(gc_actor_close, REFUSED, gc_actor_close(w.actor, 0))                                                            \
    CASE(gc_actor_event_fd, REFUSED, gc_actor_event_fd(w.actor, &w.out.i32))                                             \
    CASE(gc_actor_next_completed, REFUSED, gc_actor_next_completed(w.actor, &w.out.future))                              \
    CASE(gc_actor_destroy, DESTROYS, gc_actor_destroy(spare.actor))                                                      \
    CASE(gc_future_poll, ANSWERED, gc_future_poll(w.future, &w.out.u32))                                                 \
    CASE(gc_future_wait, REFUSED, gc_future_wait(w.future, 0, NULL))                                                     \
    CASE(gc_future_on_done, REFUSED, gc_future_on_done(w.future, count_answer, &w.released, count_let_go))               \
    CASE(gc_future_on_stall, REFUSED, gc_future_on_stall(w.future, count_answer, &w.released, count_let_go))             \
    CASE(gc_future_stall_report, REFUSED,                                                                                \
         gc_future_stall_report(w.future, &progress, w.text, sizeof w.text, NULL))                                       \
    CASE(gc_future_take_exec, REFUSED, gc_future_take_exec(w.future, &w.out.exec))                                       \
    CASE(gc_future_text, REFUSED, gc_future_text(w.future, w.text, sizeof w.text, NULL))                                 \
    CASE(gc_future_event_fd, REFUSED, gc_future_event_fd(w.future, &w.out.i32))                                          \
    CASE(gc_future_destroy, DESTROYS, gc_future_destroy(spare.future))                                                   \
    CASE(gc_graph_exec_set_node_enabled, REFUSED, gc_graph_exec_set_node_enabled(w.exec, w.kernel_node, 0))              \
    CASE(gc_graph_exec_is_node_enabled, REFUSED, gc_graph_exec_is_node_enabled(w.exec, w.kernel_node, &w.out.i32))         \
    CASE(gc_capture_begin, REFUSED, begin_capture(other, w.module, &w.out.capture))                                      \
    CASE(gc_capture_destroy, DESTROYS, gc_capture_destroy(spare.capture))                                                \
    CASE(gc_capture_record_kernel, REFUSED, record_fill(w.capture, NULL, w.buffer))                                      \
    CASE(gc_capture_record_kernel_handle, REFUSED, record_fill(w.capture, w.kernel, w.buffer))                           \
    CASE(gc_capture_record_memcpy, REFUSED, gc_capture_record_memcpy(w.capture, a_copy()))                               \
    CASE(gc_capture_record_memset, REFUSED, gc_capture_record_memset(w.capture, w.buffer, 0, 0, 1, 4))                   \
    CASE(gc_capture_record_memset_2d, REFUSED, gc_capture_record_memset_2d(w.capture, a_memset()))                       \
    CASE(gc_capture_record_host_func, REFUSED,                                                                           \
         gc_capture_record_host_func(w.capture, count_call, &w.released, count_let_go))                                  \
    CASE(gc_capture_record_event, REFUSED, gc_capture_record_event(w.capture, w.event, 0))                               \
    CASE(gc_capture_record_wait_event, REFUSED, gc_capture_record_wait_event(w.capture, w.event, 0))                     \
    CASE(gc_capture_record_batch_mem_op, REFUSED, gc_capture_record_batch_mem_op(w.capture, a_write(), 1))               \
    CASE(gc_capture_recorded_count, ANSWERED, gc_capture_recorded_count(w.capture, &w.out.u64))                          \
    CASE(gc_capture_is_active, REFUSED, gc_capture_is_active(w.capture, &w.out.i32))                                     \
    CASE(gc_capture_end, REFUSED, gc_capture_end(w.capture, &w.out.graph))                                               \
    CASE(gc_capture_abort, REFUSED, gc_capture_abort(w.capture))

#define CALL_FUNCTION(function, answer, call)  \
    static gc_status call_of_##function(void) { \
        return call;                           \
    }
CALLS(CALL_FUNCTION)

#define CALL_ROW(function, answer, call) {#function, answer, call_of_##function},
static const struct {
    const char *function;
    enum answer answer;
    gc_status (*call)(void);
} calls[] = {CALLS(CALL_ROW)};

/* What those that are answered say outside of callbacks. */
static gc_status outside[LENGTH_OF(calls)];

/* One visit of a callback. */
struct visit {
    const char *place;
    pthread_t thread;
    unsigned calls, ends;
};

static void tries_all(void *user_data) {
    struct visit *visit = (struct visit *)user_data;
    size_t i;
    visit->thread = pthread_self();
    CHECK_MESSAGE(gc_object_native(w.stream, &w.out.pointer), GRAPHCAP_ERROR_NOT_PERMITTED, "only destroys");
    CHECK_MESSAGE(gc_object_native(w.graph, &w.out.pointer), GRAPHCAP_ERROR_NOT_PERMITTED, "only destroys");
    CHECK_MESSAGE(gc_object_native(w.exec, &w.out.pointer), GRAPHCAP_ERROR_NOT_PERMITTED, "only destroys");
    for (i = 0; i < LENGTH_OF(calls); i++) {
        uint64_t handles = gc_live_handles();
        unsigned failures = check_failures;
        gc_status status = calls[i].call();
        switch (calls[i].answer) {
        case ANSWERED: check_status(__FILE__, __LINE__, calls[i].function, status, outside[i]); break;
        case REFUSED:
            check_message(__FILE__, __LINE__, calls[i].function, status, GRAPHCAP_ERROR_NOT_PERMITTED, "only destroys");
            break;
        case DESTROYS: check_status(__FILE__, __LINE__, calls[i].function, status, GRAPHCAP_SUCCESS); break;
        }
        CHECK(gc_live_handles() == handles - (calls[i].answer == DESTROYS ? 1 : 0));
        if (check_failures != failures)
            fprintf(stderr, "    that was %s in %s\n", calls[i].function, visit->place);
    }
    count_call(&visit->calls);
}

static void tries_none(void *user_data) {
    (void)user_data;
}

static int32_t kernel_tries_all(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    tries_all(PARAMETER(void *, 0));
    return 0;
}

static void objects_open(void) {
    world_open(&w);
    other = open_stream(w.context, GRAPHCAP_STREAM_NON_BLOCKING);
    timed = open_event(w.context);
    waitable = open_waitable(w.context, 64);
    REQUIRE_OK(gc_buffer_allocate_managed(w.context, 64, 1, &managed));
    REQUIRE_OK(gc_graph_create(w.context, &allocating));
    REQUIRE_OK(gc_graph_add_mem_alloc_node(allocating, NULL, 0, 64, &allocation, &graph_memory));
    REQUIRE_OK(gc_event_record(timed, w.stream, 0));
    REQUIRE_OK(gc_stream_synchronize(w.stream));
}

static void objects_close(void) {
    CHECK_OK(gc_buffer_destroy(managed));
    CHECK_OK(gc_buffer_destroy(graph_memory));
    CHECK_OK(gc_graph_destroy(allocating));
    CHECK_OK(gc_buffer_destroy(waitable));
    CHECK_OK(gc_event_destroy(timed));
    CHECK_OK(gc_stream_destroy(other));
    world_close(&w);
}

static void visit_begins(struct visit *visit, const char *place) {
    size_t i;
    memset(visit, 0, sizeof *visit);
    visit->place = place;
    let_go = 0;
    world_open(&spare);
    for (i = 0; i < LENGTH_OF(calls); i++)
        outside[i] = calls[i].answer == ANSWERED ? calls[i].call() : GRAPHCAP_SUCCESS;
}

/* The work of `stream` called the callback once, on a thread that is not the caller's. */
static void visit_ends(struct visit *visit, const gc_stream *stream) {
    size_t nodes = 0, edges = 1;
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(await_count(&visit->calls, 1) && count_of(&visit->calls) == 1);
    CHECK(!pthread_equal(visit->thread, pthread_self()));
    CHECK_OK(gc_stream_destroy(spare.captured));
    CHECK_OK(gc_graph_destroy(spare.clone));
    /* What the visit did to these is nothing. */
    CHECK(capture_state(other) == GRAPHCAP_CAPTURE_STATUS_NONE && capture_state(w.captured) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_GLOBAL && w.released == 0);
    CHECK_OK(gc_graph_node_count(w.graph, &nodes));
    CHECK_OK(gc_graph_edge_count(w.graph, &edges));
    CHECK(nodes == NODES_OF_WORLD && edges == 0);
    /* Of the refused calls that took a destroy. */
    CHECK(await_count(&let_go, 19) && count_of(&let_go) == 19);
}

static void in_a_host_function(void) {
    struct visit visit;
    visit_begins(&visit, "a host function");
    CHECK_OK(gc_stream_launch_host_func(w.stream, tries_all, &visit, NULL));
    visit_ends(&visit, w.stream);
}

static void in_a_host_function_of_a_graph(void) {
    struct visit visit;
    gc_graph_exec *exec;
    visit_begins(&visit, "a host function of a graph");
    CHECK_OK(gc_stream_begin_capture(w.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_launch_host_func(w.stream, tries_all, &visit, NULL));
    exec = finish_capture(w.stream);
    CHECK_OK(gc_graph_launch(exec, w.stream));
    visit_ends(&visit, w.stream);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void in_the_destroy_of_a_host_function(void) {
    struct visit visit;
    struct gate gate;
    NOT_ON_CUDA("a function that has run may be destroyed on the thread that launched it, which may make any call");
    gate_init(&gate);
    visit_begins(&visit, "the destroy of a host function");
    /* If the function had run before the launch returns, it might be destroyed on this thread, which may make any call. */
    CHECK_OK(gc_stream_launch_host_func(w.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_stream_launch_host_func(w.stream, tries_none, &visit, tries_all));
    gate_open(&gate);
    visit_ends(&visit, w.stream);
    gate_free(&gate);
}

static void in_the_destroy_of_memory(void) {
    struct visit visit;
    struct foreign foreign;
    gc_buffer *buffer = NULL;
    struct gate gate;
    struct rig rig;
    NOT_ON_CUDA("work that is over is found on any thread, that of the caller among them, which may make any call");
    gate_init(&gate);
    rig_open(&rig);
    foreign_open(&foreign);
    visit_begins(&visit, "the destroy of memory");
    REQUIRE_OK(gc_buffer_wrap(rig.context, foreign.address, sizeof foreign.memory, &visit, tries_all, &buffer));
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_open(&gate);
    visit_ends(&visit, rig.stream);
    foreign_close(&foreign);
    rig_close(&rig);
    gate_free(&gate);
}

static void in_a_host_kernel(void) {
    struct visit visit;
    gc_host_kernel kernels[] = {HOST_KERNEL(tries_all, sizes_address)};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_kernel *kernel;
    void *address = &visit;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address)};
    NOT_ON_CUDA("host kernels are the host device's");
    description.host_kernels = kernels;
    description.host_kernel_count = LENGTH_OF(kernels);
    REQUIRE_OK(gc_module_load(w.context, &description, &module));
    kernel = get_kernel(module, "tries_all");
    visit_begins(&visit, "a host kernel");
    CHECK_OK(gc_stream_launch_kernel(w.stream, kernel, &one_thread, arguments, 1));
    /* A caller that waits runs kernels itself, as one of graphcap's threads would. */
    CHECK(await_count(&visit.calls, 1));
    visit_ends(&visit, w.stream);
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

int main(void) {
    objects_open();
    RUN(in_a_host_function);
    RUN(in_a_host_function_of_a_graph);
    RUN(in_the_destroy_of_a_host_function);
    RUN(in_the_destroy_of_memory);
    RUN(in_a_host_kernel);
    objects_close();
    return check_finish();
}
