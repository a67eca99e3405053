/* The world of the programs that call every function: a good handle of each kind, what calls take beside handles, and a place
 * for answers. */
#ifndef GRAPHCAP_TESTS_WORLD_H
#define GRAPHCAP_TESTS_WORLD_H

#include "kernels.h"

#include <graphcap_allocators.h>

/* One good handle of each kind; `captured` is the stream of `capture`. Calls read and write the members from `memory` to `ipc`,
 * and answer into `out`. */
/* What the op that record_telling() records asks for. */
enum what_an_op_asks { TELL_NOTHING, ASK_STREAM_NOWHERE, ASK_GRAPH_NOWHERE, ASK_POOL_NOWHERE, ASK_BLAS_NOWHERE, ASK_RAND_NOWHERE };

struct world {
    gc_context *context;
    gc_stream *stream;
    gc_event *event;
    gc_buffer *buffer;
    gc_module *module;
    gc_kernel *kernel;
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_stream *captured;
    gc_capture *capture;
    gc_host_buffer *host_buffer;
    gc_pool *pool;
    gc_graph_cache *cache;
    gc_scalar *scalar;
    gc_script *script;
    gc_rng *rng;
    gc_fft_plan *fft_plan;
    gc_plan *plan;
    gc_plan *made_plan; /* beside `out` */
    gc_record_context *record_context; /* dead */
    gc_actor *actor;
    gc_future *future; /* answered, with a text */
    enum what_an_op_asks told;
    unsigned released;
    unsigned char memory[64];
    char text[64];
    gc_node nodes[4];
    gc_graph *clone;
    /* A node of the graph for each kind that a function sets or reads. */
    gc_node kernel_node, copy_node, memset_node, host_node, values_node, record_node, wait_node, child_node;
    gc_buffer *made; /* beside `out`, of a call that gives two things */
    int32_t priority;
    gc_stream_attribute_value attribute;
    gc_launch_attribute_value launch_attribute;
    gc_edge_data data[4];
    gc_unresolved_pointer pointers[4];
    gc_optimize_reason reasons[4];
    gc_finding findings[4];
    gc_launch_attribute_id ids[4];
    uint32_t grid_size;
    size_t size;
    gc_ipc_handle ipc;
    union output {
        void *pointer;
        gc_stream *stream;
        gc_event *event;
        gc_buffer *buffer;
        gc_module *module;
        gc_kernel *kernel;
        gc_graph *graph;
        gc_graph_exec *exec;
        gc_context *context;
        gc_capture *capture;
        gc_host_buffer *host_buffer;
        gc_pool *pool;
        gc_graph_cache *cache;
        gc_scalar *scalar;
        gc_script *script;
        gc_actor *actor;
        gc_future *future;
        gc_rng *rng;
        gc_fft_plan *fft_plan;
        const gc_stream *given_stream;
        gc_graph_cache_stats cache_stats;
        size_t size;
        uint64_t u64;
        uint64_t words[4];
        gc_node node;
        gc_capture_info info;
        gc_kernel_node_params kernel_params;
        gc_memcpy_node_params memcpy_params;
        gc_memset_node_params memset_params;
        gc_mem_op_node_params mem_op_params;
        gc_mem_alloc_node_params alloc_params;
        gc_mem_free_node_params free_params;
        gc_host_node_params host_params;
        gc_conditional_node_params conditional_params;
        gc_graph_memory graph_memory;
        gc_pool_memory pool_memory;
        gc_stream_attribute_value attribute;
        gc_launch_attribute_value launch_attribute;
        gc_edge_data edge_data;
        gc_ipc_handle ipc;
        uint32_t u32;
        int32_t i32;
        float f32;
        struct {
            gc_buffer *buffer;
            gc_host_buffer *host_buffer;
        } found;
        unsigned char bytes[64];
    } out;
};

static const gc_launch_config one_thread = GRAPHCAP_LAUNCH_CONFIG_INIT;
/* A transform of 4 real numbers. */
static const gc_fft_plan_params a_transform = {(uint32_t)sizeof(gc_fft_plan_params), GRAPHCAP_FFT_DIRECTION_R2C, 4, 0, 0, 0};

/* A plan; of the host device where the device's library is not installed. */
static inline gc_fft_plan *open_plan(const gc_context *context) {
    gc_fft_plan *plan = NULL;
    gc_status status = gc_fft_plan_create(context, &a_transform, &plan);
    if (status == GRAPHCAP_ERROR_LIBRARY) {
        gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
        gc_context *host = NULL;
        options.device_kind = GRAPHCAP_DEVICE_HOST;
        REQUIRE_OK(gc_context_create(&options, &host));
        status = gc_fft_plan_create(host, &a_transform, &plan);
        CHECK_OK(gc_context_destroy(host));
    }
    REQUIRE_OK(status);
    return plan;
}

static inline gc_status launch_fill(const gc_stream *stream, const gc_kernel *kernel, const gc_buffer *buffer) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    return gc_stream_launch_kernel(stream, kernel, &one_thread, arguments, 3);
}

/* By name where the kernel is NULL. */
static inline gc_status record_fill(const gc_capture *capture, const gc_kernel *kernel, const gc_buffer *buffer) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    return kernel == NULL ? gc_capture_record_kernel(capture, "fill", &one_thread, arguments, 3)
                          : gc_capture_record_kernel_handle(capture, kernel, &one_thread, arguments, 3);
}

static inline gc_status begin_capture(const gc_stream *stream, const gc_module *module, gc_capture **capture_out) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.modules = &module;
    options.module_count = 1;
    return gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, capture_out);
}

/* With a pool. */
static inline gc_status begin_capture_with(const gc_stream *stream, const gc_pool *pool, gc_capture **capture_out) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.pool = pool;
    return gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, capture_out);
}

/* What cannot be told is cleared. */
static inline gc_status context_info_of(const gc_context *context) {
    gc_context_info info = GRAPHCAP_CONTEXT_INFO_INIT;
    gc_status status;
    info.generation = 77;
    status = gc_context_get_info(context, &info);
    if (status != GRAPHCAP_SUCCESS)
        CHECK(info.generation == 0);
    return status;
}

static inline gc_status exec_info_of(const gc_graph_exec *exec) {
    gc_graph_exec_info info = GRAPHCAP_GRAPH_EXEC_INFO_INIT;
    gc_status status;
    info.generation = 77;
    status = gc_graph_exec_get_info(exec, &info);
    if (status != GRAPHCAP_SUCCESS)
        CHECK(info.generation == 0);
    return status;
}

static inline gc_status begin_capture_into(const gc_stream *stream, const gc_graph *graph, gc_capture **capture_out) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.graph = graph;
    return gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, capture_out);
}

static inline gc_status record_nothing(const gc_stream *stream, void *user_data) {
    (void)stream;
    (void)user_data;
    return GRAPHCAP_SUCCESS;
}

static inline gc_status capture_nothing_with(const gc_stream *stream, const gc_pool *pool, gc_graph **graph_out) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.pool = pool;
    return gc_stream_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, record_nothing, NULL, NULL,
                                          graph_out);
}

static inline gc_status get_pool_memory(const gc_pool *pool, gc_pool_memory *memory) {
    memory->struct_size = sizeof *memory;
    return gc_pool_get_memory(pool, memory);
}

static inline gc_status record_memset(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                                      void *launch_data) {
    (void)key;
    (void)key_size;
    (void)launch_data;
    return gc_stream_memset(stream, ((const struct world *)user_data)->buffer, 0, 0, 1, 4);
}

static inline gc_status make_cache(struct world *w, const gc_context *context, gc_destroy_fn destroy,
                                   gc_graph_cache **cache_out) {
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    options.record = record_memset;
    options.user_data = w;
    options.destroy = destroy;
    return gc_graph_cache_create(context, &options, cache_out);
}

static inline gc_status ask_stats(const gc_graph_cache *cache, gc_graph_cache_stats *stats) {
    stats->struct_size = sizeof *stats;
    return gc_graph_cache_get_stats(cache, stats);
}

static inline gc_status record_as_told(const gc_record_context *context, void *user_data) {
    struct world *w = (struct world *)user_data;
    w->record_context = (gc_record_context *)context;
    if (w->told == ASK_STREAM_NOWHERE)
        return gc_record_context_stream(context, NULL);
    if (w->told == ASK_POOL_NOWHERE)
        return gc_record_context_pool(context, NULL);
    if (w->told == ASK_BLAS_NOWHERE)
        return gc_record_context_native_blas(context, NULL);
    if (w->told == ASK_RAND_NOWHERE)
        return gc_record_context_native_rand(context, NULL);
    return w->told == ASK_GRAPH_NOWHERE ? gc_record_context_graph(context, NULL) : GRAPHCAP_SUCCESS;
}

static inline gc_status push_op(struct world *w, const gc_script *script, gc_destroy_fn destroy) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    vtable.record = record_as_told;
    vtable.destroy = destroy;
    return gc_script_push_op(script, &vtable, w);
}

static inline gc_status push_child(const gc_script *script, const gc_graph *graph) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_CHILD_GRAPH;
    desc.graph = graph;
    return gc_script_push(script, &desc);
}

static inline gc_status fill_uniform(const gc_stream *stream, const gc_rng *rng, const gc_buffer *buffer) {
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    params.rng = rng;
    params.buffer = buffer;
    params.count = 4;
    return gc_stream_fill_uniform(stream, &params);
}

/* What a call within an op answers. */
/* Records an op that asks for one of enum what_an_op_asks. */
static inline gc_status record_telling(struct world *w, int told) {
    gc_graph *graph = NULL;
    gc_script *recorder = NULL;
    gc_status status;
    REQUIRE_OK(gc_script_create(w->context, &recorder));
    REQUIRE_OK(push_op(w, recorder, NULL));
    w->told = (enum what_an_op_asks)told;
    status = gc_script_record(recorder, w->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph);
    w->told = TELL_NOTHING;
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(recorder));
    return status;
}

static inline void count_answer(const gc_future *future, void *user_data) {
    (void)future;
    count_call((unsigned *)user_data);
}

/* Has the actor write an empty graph. */
static inline void world_ask_actor(struct world *w) {
    gc_future *adopted = NULL;
    gc_graph_exec *exec = NULL;
    gc_graph *empty = NULL;
    REQUIRE_OK(gc_graph_create(w->context, &empty));
    REQUIRE_OK(gc_actor_adopt(w->actor, empty, 0, &adopted));
    REQUIRE_OK(gc_future_wait(adopted, UINT64_MAX, NULL));
    REQUIRE_OK(gc_future_take_exec(adopted, &exec));
    REQUIRE_OK(gc_actor_export_dot(w->actor, exec, 0, &w->future));
    REQUIRE_OK(gc_future_wait(w->future, UINT64_MAX, NULL));
    REQUIRE_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(gc_future_destroy(adopted));
    REQUIRE_OK(gc_graph_destroy(empty));
}

static inline gc_status load_into(const gc_context *context, gc_module **module_out) {
    gc_module_description description = test_module();
    return gc_module_load(context, &description, module_out);
}

static inline void world_add_nodes(struct world *w) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(w->buffer, 0, w->buffer, 8, 4);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(w->buffer, 0, 1, 1, 4, 1, 0);
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(w->buffer, 0, 0, 0);
    gc_graph *child = NULL;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memcpy_node(w->graph, NULL, 0, &copy, &w->copy_node));
    REQUIRE_OK(gc_graph_add_memset_node(w->graph, NULL, 0, &set, &w->memset_node));
    REQUIRE_OK(gc_graph_add_host_node(w->graph, NULL, 0, count_call, &w->released, NULL, &w->host_node));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(w->graph, NULL, 0, &operation, 1, &w->values_node));
    REQUIRE_OK(gc_graph_add_event_record_node(w->graph, NULL, 0, w->event, &w->record_node));
    REQUIRE_OK(gc_graph_add_event_wait_node(w->graph, NULL, 0, w->event, &w->wait_node));
    REQUIRE_OK(gc_graph_create(w->context, &child));
    REQUIRE_OK(gc_graph_add_empty_node(child, NULL, 0, &node));
    REQUIRE_OK(gc_graph_add_child_node(w->graph, NULL, 0, child, &w->child_node));
    REQUIRE_OK(gc_graph_destroy(child));
}

enum { NODES_OF_WORLD = 8 };

static inline gc_status make_plan(struct world *w) {
    gc_graph *optimized = NULL;
    const gc_status status = gc_graph_optimize(w->graph, NULL, &optimized, &w->plan, NULL);
    CHECK_OK(gc_graph_destroy(optimized));
    return status;
}

static inline void world_open(struct world *w) {
    memset(w, 0, sizeof *w);
    w->context = open_context();
    w->stream = open_stream(w->context, 0);
    w->event = open_event(w->context);
    w->buffer = open_waitable(w->context, 64);
    REQUIRE_OK(gc_host_buffer_allocate(w->context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &w->host_buffer));
    REQUIRE_OK(gc_pool_create(w->context, NULL, &w->pool));
    REQUIRE_OK(gc_scalar_create(w->stream, GRAPHCAP_SCALAR_U32, w->memory, &w->scalar));
    REQUIRE_OK(gc_rng_create(w->stream, 1, 0, &w->rng));
    w->module = load_kernels(w->context);
    w->kernel = get_kernel(w->module, "fill");
    REQUIRE_OK(gc_stream_begin_capture(w->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch_fill(w->stream, w->kernel, w->buffer));
    REQUIRE_OK(gc_stream_end_capture(w->stream, &w->graph));
    REQUIRE_OK(gc_graph_get_nodes(w->graph, &w->kernel_node, 1, NULL));
    world_add_nodes(w);
    REQUIRE_OK(gc_graph_instantiate(w->graph, NULL, &w->exec));
    REQUIRE_OK(gc_graph_clone(w->graph, &w->clone));
    REQUIRE_OK(make_cache(w, w->context, NULL, &w->cache));
    REQUIRE_OK(gc_script_create(w->context, &w->script));
    w->fft_plan = open_plan(w->context);
    REQUIRE_OK(make_plan(w));
    REQUIRE_OK(record_telling(w, 0));
    REQUIRE_OK(gc_actor_create(w->context, NULL, &w->actor));
    world_ask_actor(w);
    /* It bars nobody, and no call that is refused may touch it. */
    w->captured = open_stream(w->context, GRAPHCAP_STREAM_NON_BLOCKING);
    REQUIRE_OK(begin_capture(w->captured, w->module, &w->capture));
}

/* No call may have recorded into the capture, nor changed the graph. */
static inline void world_close(struct world *w) {
    int32_t active = 0;
    uint64_t recorded = 1;
    size_t nodes = 0, edges = 1;
    CHECK_OK(gc_capture_is_active(w->capture, &active));
    CHECK_OK(gc_capture_recorded_count(w->capture, &recorded));
    CHECK(active == 1 && recorded == 0);
    CHECK_OK(gc_graph_node_count(w->graph, &nodes));
    CHECK_OK(gc_graph_edge_count(w->graph, &edges));
    CHECK(nodes == NODES_OF_WORLD && edges == 0);
    CHECK_OK(gc_capture_destroy(w->capture));
    CHECK_OK(gc_stream_destroy(w->captured));
    CHECK_OK(gc_future_destroy(w->future));
    CHECK_OK(gc_actor_destroy(w->actor));
    CHECK_OK(gc_fft_plan_destroy(w->fft_plan));
    CHECK_OK(gc_script_destroy(w->script));
    CHECK_OK(gc_plan_destroy(w->plan));
    CHECK_OK(gc_graph_cache_destroy(w->cache));
    CHECK_OK(gc_graph_exec_destroy(w->exec));
    CHECK_OK(gc_graph_destroy(w->clone));
    CHECK_OK(gc_graph_destroy(w->graph));
    CHECK_OK(gc_kernel_destroy(w->kernel));
    CHECK_OK(gc_module_destroy(w->module));
    CHECK_OK(gc_pool_destroy(w->pool));
    CHECK_OK(gc_scalar_destroy(w->scalar));
    CHECK_OK(gc_rng_destroy(w->rng));
    CHECK_OK(gc_host_buffer_destroy(w->host_buffer));
    CHECK_OK(gc_buffer_destroy(w->buffer));
    CHECK_OK(gc_event_destroy(w->event));
    CHECK_OK(gc_stream_destroy(w->stream));
    CHECK_OK(gc_context_destroy(w->context));
}

#endif
