/* The rules of structs with a size: what a caller built against an older or newer header may pass. */
#include "kernels.h"

static struct rig rig;
static gc_buffer *buffer;

/* Room for a struct and a tail that this version does not know. */
union padded {
    unsigned char bytes[512];
    uint32_t struct_size;
    uint64_t aligned;
};

static gc_status use_context_options(const void *options) {
    gc_context *context = NULL;
    gc_status status = gc_context_create((const gc_context_options *)options, &context);
    CHECK_OK(gc_context_destroy(context));
    CHECK((status == GRAPHCAP_SUCCESS) == (context != NULL));
    return status;
}

static gc_status use_stream_options(const void *options) {
    gc_stream *stream = NULL;
    gc_status status = gc_stream_create(rig.context, (const gc_stream_options *)options, &stream);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK((status == GRAPHCAP_SUCCESS) == (stream != NULL));
    return status;
}

static gc_status use_event_options(const void *options) {
    gc_event *event = NULL;
    gc_status status = gc_event_create(rig.context, (const gc_event_options *)options, &event);
    CHECK_OK(gc_event_destroy(event));
    CHECK((status == GRAPHCAP_SUCCESS) == (event != NULL));
    return status;
}

static gc_status use_instantiate_options(const void *options) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_status status;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    status = gc_graph_instantiate(graph, (const gc_instantiate_options *)options, &exec);
    CHECK((status == GRAPHCAP_SUCCESS) == (exec != NULL));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status use_launch_config(const void *config) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    return gc_stream_launch_kernel(rig.stream, rig.fill, (const gc_launch_config *)config, arguments, 3);
}

static gc_status use_kernel_arg(const void *argument) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel *kernel = get_kernel(rig.module, "count_blocks");
    gc_status status = gc_stream_launch_kernel(rig.stream, kernel, &config, (const gc_kernel_arg *)argument, 1);
    CHECK_OK(gc_kernel_destroy(kernel));
    return status;
}

static gc_status use_pool_options(const void *options) {
    gc_pool *pool = NULL;
    gc_status status = gc_pool_create(rig.context, (const gc_pool_options *)options, &pool);
    CHECK_OK(gc_pool_destroy(pool));
    return status;
}

static gc_status use_capture_options(const void *options) {
    gc_capture *capture = NULL;
    gc_status status =
        gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, (const gc_capture_options *)options, &capture);
    CHECK((status == GRAPHCAP_SUCCESS) == (capture != NULL));
    CHECK_OK(gc_capture_destroy(capture));
    return status;
}

/* What is refused leaves the capture active. */
static gc_status use_memcpy_params(const void *params) {
    gc_capture *capture = NULL;
    gc_status status;
    int32_t active = 0;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    status = gc_capture_record_memcpy(capture, (const gc_memcpy_params *)params);
    CHECK_OK(gc_capture_is_active(capture, &active));
    CHECK(active);
    CHECK_OK(gc_capture_destroy(capture));
    return status;
}

static gc_status use_mem_op(const void *operation) {
    return gc_stream_batch_mem_op(rig.stream, (const gc_mem_op *)operation, 1, 0);
}

static gc_status use_binding(const void *binding) {
    static const char json[] = "{\"format\":\"graphcap graph\",\"version\":1,\"memory\":[],\"kernels\":[],\"functions\":[],"
                               "\"events\":[],\"conditions\":[],\"graph\":{\"nodes\":[],\"edges\":[]}}";
    gc_graph *graph = NULL;
    gc_status status = gc_graph_import_json(rig.context, json, sizeof json - 1, (const gc_graph_binding *)binding, 1, &graph);
    CHECK((status == GRAPHCAP_SUCCESS) == (graph != NULL));
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status use_memset_params(const void *params) {
    return gc_stream_memset_2d(rig.stream, (const gc_memset_params *)params);
}

/* The same structs for nodes: the call gives its node back, or 0. */
static gc_status use_in_graph(gc_status (*add)(const gc_graph *graph, const void *given, gc_node *node_out), const void *given) {
    gc_graph *graph = NULL;
    gc_node node = 1;
    gc_status status;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    status = add(graph, given, &node);
    CHECK((status == GRAPHCAP_SUCCESS) == (node != 0));
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status add_launch(const gc_graph *graph, const void *config, gc_node *node_out) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    return gc_graph_add_kernel_node(graph, NULL, 0, rig.fill, (const gc_launch_config *)config, arguments, 3, node_out);
}

static gc_status use_config_of_node(const void *config) {
    return use_in_graph(add_launch, config);
}

static gc_status add_memset(const gc_graph *graph, const void *params, gc_node *node_out) {
    return gc_graph_add_memset_node(graph, NULL, 0, (const gc_memset_params *)params, node_out);
}

static gc_status use_memset_of_node(const void *params) {
    return use_in_graph(add_memset, params);
}

static gc_status add_values(const gc_graph *graph, const void *operation, gc_node *node_out) {
    return gc_graph_add_batch_mem_op_node(graph, NULL, 0, (const gc_mem_op *)operation, 1, node_out);
}

static gc_status use_mem_op_of_node(const void *operation) {
    return use_in_graph(add_values, operation);
}

static gc_status add_memcpy(const gc_graph *graph, const void *params, gc_node *node_out) {
    return gc_graph_add_memcpy_node(graph, NULL, 0, (const gc_memcpy_params *)params, node_out);
}

static gc_status use_memcpy_of_node(const void *params) {
    return use_in_graph(add_memcpy, params);
}

static gc_status record_word(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                             void *launch_data) {
    (void)key;
    (void)key_size;
    (void)user_data;
    (void)launch_data;
    return gc_stream_memset(stream, buffer, 0, 0, 4, 1);
}

static gc_status use_cache_options(const void *options) {
    gc_graph_cache *cache = NULL;
    gc_status status = gc_graph_cache_create(rig.context, (const gc_graph_cache_options *)options, &cache);
    CHECK_OK(gc_graph_cache_destroy(cache));
    CHECK((status == GRAPHCAP_SUCCESS) == (cache != NULL));
    return status;
}

static gc_script *open_script(void) {
    gc_script *script = NULL;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    return script;
}

static gc_status use_work(const void *desc) {
    gc_script *script = open_script();
    gc_status status = gc_script_push(script, (const gc_work *)desc);
    CHECK_OK(gc_script_destroy(script));
    return status;
}

static gc_status use_rng_uniform_params(const void *params) {
    return gc_stream_fill_uniform(rig.stream, (const gc_rng_uniform_params *)params);
}

static gc_status use_sgemm_params(const void *params) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = (const gc_sgemm_params *)params;
    return use_work(&desc);
}

static gc_status use_fft_params(const void *params) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_FFT_R2C;
    desc.fft_params = (const gc_fft_params *)params;
    return use_work(&desc);
}

static gc_status use_fft_plan_params(const void *params) {
    gc_fft_plan *plan = NULL;
    gc_status status = gc_fft_plan_create(rig.context, (const gc_fft_plan_params *)params, &plan);
    CHECK_OK(gc_fft_plan_destroy(plan));
    return status;
}

static gc_graph *open_graph(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    return graph;
}

static gc_status use_optimize_options(const void *options) {
    gc_graph *graph = open_graph(), *optimized = NULL;
    gc_status status = gc_graph_optimize(graph, (const gc_optimize_options *)options, &optimized, NULL, NULL);
    CHECK_OK(gc_graph_destroy(optimized));
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status use_verify_options(const void *options) {
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_graph *graph = open_graph();
    gc_status status = gc_graph_verify(graph, (const gc_verify_options *)options, &report);
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status use_step_options(const void *options) {
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    gc_graph *graph = open_graph();
    gc_status status = gc_graph_step(graph, (const gc_step_options *)options, NULL, 0, &report);
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static int32_t is_good(uint64_t replay, uint64_t max_replays, void *user_data) {
    (void)user_data;
    return replay < max_replays;
}

static gc_status use_bisect_options(const void *options) {
    gc_bisect_report report = GRAPHCAP_BISECT_REPORT_INIT;
    gc_graph *graph = open_graph();
    gc_status status = gc_graph_bisect(graph, (const gc_bisect_options *)options, is_good, NULL, NULL, 0, &report);
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status use_apply_options(const void *options) {
    gc_graph *graph = open_graph();
    gc_graph_exec *exec = NULL;
    gc_status status;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    status = gc_graph_exec_apply(exec, graph, (const gc_graph_exec_apply_options *)options, NULL);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static void no_call(void *user_data) {
    (void)user_data;
}

static gc_status record_no_work(const gc_record_context *context, void *user_data) {
    (void)context;
    (void)user_data;
    return GRAPHCAP_SUCCESS;
}

static gc_status use_op_vtable(const void *vtable) {
    gc_script *script = open_script();
    gc_status status = gc_script_push_op(script, (const gc_op_vtable *)vtable, NULL);
    CHECK_OK(gc_script_destroy(script));
    return status;
}

static gc_status use_actor_options(const void *options) {
    gc_actor *actor = NULL;
    gc_status status = gc_actor_create(rig.context, (const gc_actor_options *)options, &actor);
    CHECK((status == GRAPHCAP_SUCCESS) == (actor != NULL));
    CHECK_OK(gc_actor_destroy(actor));
    return status;
}

static gc_status use_module_description(const void *description) {
    gc_module *module = NULL;
    gc_status status = gc_module_load(rig.context, (const gc_module_description *)description, &module);
    CHECK((status == GRAPHCAP_SUCCESS) == (module != NULL));
    CHECK_OK(gc_module_destroy(module));
    return status;
}

static gc_status use_host_kernel(const void *kernel) {
    gc_module_description description = test_module();
    description.host_kernels = (const gc_host_kernel *)kernel;
    description.host_kernel_count = 1;
    return use_module_description(&description);
}

/* `shorter` is a size with which the struct still says enough for the call to work; `least` the one without which it says
 * nothing, if there is one. */
struct rule {
    const char *function;
    uint32_t size;
    uint32_t shorter;
    uint32_t least;
    size_t flags_at;
    const void *good;
    gc_status (*use)(const void *);
};

static void refuse(const struct rule *rule, const union padded *given, const char *word) {
    uint64_t before = gc_live_handles();
    check_message(__FILE__, __LINE__, rule->function, rule->use(given), GRAPHCAP_ERROR_INVALID_VALUE, word);
    CHECK(gc_live_handles() == before);
}

static void sizes_follow_the_rules(void) {
    static const gc_context_options context_options = {(uint32_t)sizeof(gc_context_options), GRAPHCAP_DEVICE_HOST, 0, 0};
    static const gc_stream_options stream_options = GRAPHCAP_STREAM_OPTIONS_INIT;
    static const gc_event_options event_options = GRAPHCAP_EVENT_OPTIONS_INIT;
    static const gc_instantiate_options instantiate_options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    static const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    static const gc_capture_options capture_options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    static const gc_pool_options pool_options = GRAPHCAP_POOL_OPTIONS_INIT;
    static const gc_actor_options actor_options = GRAPHCAP_ACTOR_OPTIONS_INIT;
    static const uint32_t word = 1;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, &word, sizeof word);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, 2, 2, 16);
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(buffer);
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE64(buffer, 8, 0, GRAPHCAP_WRITE_VALUE_DEFAULT);
    gc_graph_binding binding = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer);
    gc_graph_cache_options cache_options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_work op = GRAPHCAP_WORK_INIT;
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_rng_uniform_params uniform = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    gc_rng *rng = NULL;
    gc_host_kernel kernel = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description description = test_module();
    gc_sgemm_params product = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_params transform = GRAPHCAP_FFT_PARAMS_INIT;
    struct rule rules[] = {
        {"gc_script_push", sizeof product, offsetof(gc_sgemm_params, workspace_bytes), offsetof(gc_sgemm_params, transpose_a),
         offsetof(gc_sgemm_params, math_mode), &product, use_sgemm_params},
        {"gc_script_push", sizeof transform, offsetof(gc_fft_params, output_offset), offsetof(gc_fft_params, plan_params),
         offsetof(gc_fft_params, reserved), &transform, use_fft_params},
        {"gc_fft_plan_create", sizeof shape, offsetof(gc_fft_plan_params, batch_count),
         offsetof(gc_fft_plan_params, batch_count), offsetof(gc_fft_plan_params, direction), &shape, use_fft_plan_params},
        {"gc_graph_cache_create", sizeof cache_options, offsetof(gc_graph_cache_options, user_data),
         offsetof(gc_graph_cache_options, user_data), offsetof(gc_graph_cache_options, flags), &cache_options,
         use_cache_options},
        {"gc_script_push", sizeof op, offsetof(gc_work, graph), offsetof(gc_work, kernel), offsetof(gc_work, kind), &op,
         use_work},
        {"gc_stream_fill_uniform", sizeof uniform, offsetof(gc_rng_uniform_params, first), 0,
         offsetof(gc_rng_uniform_params, flags), &uniform, use_rng_uniform_params},
        {"gc_script_push_op", sizeof vtable, offsetof(gc_op_vtable, prepare), offsetof(gc_op_vtable, prepare),
         offsetof(gc_op_vtable, reserved), &vtable, use_op_vtable},
        {"gc_actor_create", sizeof actor_options, 4, 0, offsetof(gc_actor_options, flags), &actor_options, use_actor_options},
        {"gc_context_create", sizeof context_options, 8, 0, offsetof(gc_context_options, flags), &context_options,
         use_context_options},
        {"gc_stream_create", sizeof stream_options, 4, 0, offsetof(gc_stream_options, flags), &stream_options,
         use_stream_options},
        {"gc_event_create", sizeof event_options, 4, 0, offsetof(gc_event_options, flags), &event_options, use_event_options},
        {"gc_graph_instantiate", sizeof instantiate_options, 4, 0, offsetof(gc_instantiate_options, flags),
         &instantiate_options, use_instantiate_options},
        {"gc_capture_begin", sizeof capture_options, 4, 0, offsetof(gc_capture_options, flags), &capture_options,
         use_capture_options},
        {"gc_pool_create", sizeof pool_options, 4, 0, offsetof(gc_pool_options, flags), &pool_options, use_pool_options},
        {"gc_capture_record_memcpy", sizeof copy, offsetof(gc_memcpy_params, destination_pitch), offsetof(gc_memcpy_params, destination_pitch), offsetof(gc_memcpy_params, direction),
         &copy, use_memcpy_params},
        {"gc_capture_record_memcpy", sizeof copy, offsetof(gc_memcpy_params, source_pitch), offsetof(gc_memcpy_params, destination_pitch), offsetof(gc_memcpy_params, flags),
         &copy, use_memcpy_params},
        {"gc_stream_memset_2d", sizeof set, offsetof(gc_memset_params, pitch), offsetof(gc_memset_params, pitch),
         offsetof(gc_memset_params, element_size), &set, use_memset_params},
        {"gc_stream_launch_kernel", sizeof config, offsetof(gc_launch_config, shared_mem_bytes), 0,
         offsetof(gc_launch_config, flags), &config, use_launch_config},
        {"gc_stream_launch_kernel", sizeof argument, offsetof(gc_kernel_arg, offset), offsetof(gc_kernel_arg, offset), offsetof(gc_kernel_arg, access),
         &argument, use_kernel_arg},
        {"gc_stream_batch_mem_op", sizeof operation, offsetof(gc_mem_op, flags), offsetof(gc_mem_op, flags), offsetof(gc_mem_op, flags), &operation,
         use_mem_op},
        {"gc_graph_import_json", sizeof binding, offsetof(gc_graph_binding, pointer), offsetof(gc_graph_binding, pointer), offsetof(gc_graph_binding, kind),
         &binding, use_binding},
        {"gc_graph_add_kernel_node", sizeof config, offsetof(gc_launch_config, shared_mem_bytes), 0,
         offsetof(gc_launch_config, flags), &config, use_config_of_node},
        {"gc_graph_add_memcpy_node", sizeof copy, offsetof(gc_memcpy_params, source_pitch), offsetof(gc_memcpy_params, destination_pitch), offsetof(gc_memcpy_params, flags),
         &copy, use_memcpy_of_node},
        {"gc_graph_add_memset_node", sizeof set, offsetof(gc_memset_params, pitch), offsetof(gc_memset_params, pitch),
         offsetof(gc_memset_params, element_size), &set, use_memset_of_node},
        {"gc_graph_add_batch_mem_op_node", sizeof operation, offsetof(gc_mem_op, flags), offsetof(gc_mem_op, flags), offsetof(gc_mem_op, flags),
         &operation, use_mem_op_of_node},
        {"gc_module_load", sizeof kernel, offsetof(gc_host_kernel, parameter_sizes), 0, offsetof(gc_host_kernel, flags),
         &kernel, use_host_kernel},
        {"gc_module_load", sizeof description, sizeof description, 0, offsetof(gc_module_description, flags), &description,
         use_module_description},
    };
    size_t i;
    cache_options.record = record_word;
    op.kind = GRAPHCAP_WORK_HOST;
    op.function = no_call;
    vtable.record = record_no_work;
    REQUIRE_OK(gc_rng_create(rig.stream, 1, 0, &rng));
    uniform.rng = rng;
    uniform.buffer = buffer;
    uniform.count = 1;
    product.a = product.b = product.c = buffer;
    shape.length = 4;
    transform.plan_params = &shape;
    transform.input = transform.output = buffer;
    kernel.name = "nothing";
    kernel.function = kernel_nothing;

    for (i = 0; i < LENGTH_OF(rules); i++) {
        const struct rule *rule = &rules[i];
        const uint32_t not_a_size[] = {0, 1, 3, UINT32_MAX};
        union padded given;
        const uint32_t odd_flags = 0x40000000u;
        size_t k;
        memset(&given, 0, sizeof given);
        memcpy(&given, rule->good, rule->size);
        CHECK_OK(rule->use(&given));

        for (k = 0; k < LENGTH_OF(not_a_size); k++) {
            given.struct_size = not_a_size[k];
            refuse(rule, &given, "struct_size");
        }

        /* From a newer header: harmless while the new members are zero. */
        given.struct_size = rule->size + 16;
        CHECK_OK(rule->use(&given));
        given.bytes[rule->size + 15] = 1;
        refuse(rule, &given, "newer");
        given.bytes[rule->size + 15] = 0;
        given.bytes[rule->size] = 0x80;
        refuse(rule, &given, "newer");
        given.bytes[rule->size] = 0;

        /* Without the members that no program leaves out it is no struct of any version. */
        if (rule->least > 0)
            for (given.struct_size = 4; given.struct_size < rule->least; given.struct_size += 4)
                refuse(rule, &given, "struct_size");

        /* From an older header: what lies behind is not read. */
        if (rule->shorter < rule->size) {
            memset(given.bytes + rule->shorter, 0xff, sizeof given - rule->shorter);
            given.struct_size = rule->shorter;
            CHECK_OK(rule->use(&given));
        }

        memset(&given, 0, sizeof given);
        memcpy(&given, rule->good, rule->size);
        memcpy(given.bytes + rule->flags_at, &odd_flags, sizeof odd_flags);
        refuse(rule, &given,
               rule->use == use_kernel_arg                                              ? "access"
               : rule->use == use_memset_params || rule->use == use_memset_of_node       ? "element_size"
               : rule->flags_at == offsetof(gc_memcpy_params, direction) &&
                       rule->use == use_memcpy_params                                   ? "direction"
               : rule->use == use_binding || rule->use == use_work                    ? "kind"
               : rule->use == use_op_vtable || rule->use == use_fft_params               ? "reserved"
               : rule->use == use_sgemm_params                                          ? "math_mode"
               : rule->use == use_fft_plan_params                                       ? "direction"
                                                                                        : "flags");
    }
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

/* ---- Structs that are to be filled ---- */

/* A graph with a node of each kind that has parameters to read; its handle may be NULL. */
static struct {
    gc_graph *graph;
    gc_node kernel, copy, set, values, alloc, freed, host, conditional;
} filled;

static gc_status ask_info(const gc_graph *graph, void *info) {
    return gc_stream_capture_info(graph == NULL ? NULL : rig.stream, (gc_capture_info *)info);
}

static gc_status ask_context(const gc_graph *graph, void *info) {
    return gc_context_get_info(graph == NULL ? NULL : rig.context, (gc_context_info *)info);
}

static gc_status ask_exec(const gc_graph *graph, void *info) {
    gc_graph_exec *exec = NULL;
    gc_status status;
    if (graph == NULL)
        return gc_graph_exec_get_info(NULL, (gc_graph_exec_info *)info);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    status = gc_graph_exec_get_info(exec, (gc_graph_exec_info *)info);
    CHECK_OK(gc_graph_exec_destroy(exec));
    return status;
}

static gc_status ask_kernel(const gc_graph *graph, void *params) {
    return gc_node_get_kernel_params(graph, filled.kernel, (gc_kernel_node_params *)params);
}

static gc_status ask_copy(const gc_graph *graph, void *params) {
    return gc_node_get_memcpy_params(graph, filled.copy, (gc_memcpy_node_params *)params);
}

static gc_status ask_set(const gc_graph *graph, void *params) {
    return gc_node_get_memset_params(graph, filled.set, (gc_memset_node_params *)params);
}

static gc_status ask_values(const gc_graph *graph, void *params) {
    return gc_node_get_mem_op_params(graph, filled.values, 1, (gc_mem_op_node_params *)params, NULL);
}

static gc_status ask_alloc(const gc_graph *graph, void *params) {
    return gc_node_get_mem_alloc_params(graph, filled.alloc, (gc_mem_alloc_node_params *)params);
}

static gc_status ask_free(const gc_graph *graph, void *params) {
    return gc_node_get_mem_free_params(graph, filled.freed, (gc_mem_free_node_params *)params);
}

static gc_status ask_host(const gc_graph *graph, void *params) {
    return gc_node_get_host_params(graph, filled.host, (gc_host_node_params *)params);
}

static gc_status ask_conditional(const gc_graph *graph, void *params) {
    return gc_node_get_conditional_params(graph, filled.conditional, (gc_conditional_node_params *)params);
}

static gc_status ask_memory(const gc_graph *graph, void *memory) {
    return gc_context_graph_memory(graph == NULL ? NULL : rig.context, (gc_graph_memory *)memory);
}

static gc_status ask_optimize(const gc_graph *graph, void *report) {
    /* What is filled has allocations, and cannot be copied. */
    gc_graph *plain = NULL, *optimized = NULL;
    gc_status status;
    if (graph != NULL)
        CHECK_OK(gc_graph_create(rig.context, &plain));
    status = gc_graph_optimize(plain, NULL, &optimized, NULL, (gc_optimize_report *)report);
    CHECK_OK(gc_graph_destroy(optimized));
    CHECK_OK(gc_graph_destroy(plain));
    return status;
}

static gc_status ask_verify(const gc_graph *graph, void *report) {
    gc_graph *plain = NULL;
    gc_status status;
    if (graph != NULL)
        CHECK_OK(gc_graph_create(rig.context, &plain));
    status = gc_graph_verify(plain, NULL, (gc_verify_report *)report);
    CHECK_OK(gc_graph_destroy(plain));
    return status;
}

static gc_status ask_step(const gc_graph *graph, void *report) {
    gc_graph *plain = NULL;
    gc_status status;
    if (graph != NULL)
        CHECK_OK(gc_graph_create(rig.context, &plain));
    status = gc_graph_step(plain, NULL, NULL, 0, (gc_step_report *)report);
    CHECK_OK(gc_graph_destroy(plain));
    return status;
}

static gc_status ask_bisect(const gc_graph *graph, void *report) {
    gc_graph *plain = NULL;
    gc_status status;
    if (graph != NULL)
        CHECK_OK(gc_graph_create(rig.context, &plain));
    status = gc_graph_bisect(plain, NULL, is_good, NULL, NULL, 0, (gc_bisect_report *)report);
    CHECK_OK(gc_graph_destroy(plain));
    return status;
}

static gc_status ask_progress(const gc_graph *graph, void *progress) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph *plain = NULL;
    gc_graph_exec *exec = NULL;
    size_t needed;
    gc_status status;
    options.flags = GRAPHCAP_INSTANTIATE_WATCH;
    if (graph != NULL) {
        CHECK_OK(gc_graph_create(rig.context, &plain));
        CHECK_OK(gc_graph_instantiate(plain, &options, &exec));
    }
    status = gc_graph_exec_progress(exec, (gc_graph_exec_progress_info *)progress, NULL, 0, &needed);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(plain));
    return status;
}

static gc_status ask_pool(const gc_graph *graph, void *memory) {
    gc_pool *pool = NULL;
    gc_status status;
    CHECK_OK(gc_pool_create(rig.context, NULL, &pool));
    status = gc_pool_get_memory(graph == NULL ? NULL : pool, (gc_pool_memory *)memory);
    CHECK_OK(gc_pool_destroy(pool));
    return status;
}

static gc_status ask_apply(const gc_graph *graph, void *report) {
    gc_graph_exec_apply_report *told = (gc_graph_exec_apply_report *)report;
    gc_graph_exec *exec = NULL;
    gc_status status = GRAPHCAP_ERROR_INVALID_HANDLE;
    if (graph == NULL)
        return gc_graph_exec_apply(NULL, NULL, NULL, told);
    if (gc_graph_instantiate(filled.graph, NULL, &exec) == GRAPHCAP_SUCCESS)
        status = gc_graph_exec_apply(exec, filled.graph, NULL, told);
    /* No two calls take as long. */
    if (status == GRAPHCAP_SUCCESS && told->struct_size > offsetof(gc_graph_exec_apply_report, nanoseconds)) {
        const size_t known = told->struct_size - offsetof(gc_graph_exec_apply_report, nanoseconds);
        memset(&told->nanoseconds, 0, known < sizeof told->nanoseconds ? known : sizeof told->nanoseconds);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    return status;
}

static gc_status ask_stats(const gc_graph *graph, void *stats) {
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    gc_graph_cache *cache = NULL;
    gc_status status;
    options.record = record_word;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &options, &cache));
    CHECK_OK(gc_graph_cache_launch(cache, "a", 1, rig.stream, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    status = gc_graph_cache_get_stats(graph == NULL ? NULL : cache, (gc_graph_cache_stats *)stats);
    CHECK_OK(gc_graph_cache_destroy(cache));
    return status;
}

static gc_status fail_record(const gc_record_context *context, void *user_data) {
    (void)context;
    (void)user_data;
    return GRAPHCAP_ERROR_SEALED;
}

/* An answer that is written where the call fails. */
static gc_status ask_script_failure(const gc_graph *graph, void *failure) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_script *script = open_script();
    gc_graph *recorded = NULL;
    gc_status status;
    vtable.record = fail_record;
    REQUIRE_OK(gc_script_push_op(script, &vtable, NULL));
    status = gc_script_record(graph == NULL ? NULL : script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED,
                              (gc_script_failure *)failure, &recorded);
    CHECK_OK(gc_script_destroy(script));
    return status == GRAPHCAP_ERROR_SEALED ? GRAPHCAP_SUCCESS : status;
}

static gc_status ask_update(const gc_graph *graph, void *info) {
    gc_graph_exec *exec = NULL;
    gc_status status = GRAPHCAP_ERROR_INVALID_HANDLE;
    if (graph == NULL)
        return gc_graph_exec_update(NULL, NULL, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, (gc_graph_exec_update_info *)info);
    if (gc_graph_instantiate(filled.graph, NULL, &exec) == GRAPHCAP_SUCCESS)
        status = gc_graph_exec_update(exec, filled.graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, (gc_graph_exec_update_info *)info);
    CHECK_OK(gc_graph_exec_destroy(exec));
    return status;
}

static gc_status ask_check(const gc_graph *graph, void *info) {
    gc_graph_exec *exec = NULL;
    gc_status status = GRAPHCAP_ERROR_INVALID_HANDLE;
    if (graph == NULL)
        return gc_graph_exec_check(NULL, (gc_graph_exec_check_info *)info);
    if (gc_graph_instantiate(filled.graph, NULL, &exec) == GRAPHCAP_SUCCESS)
        status = gc_graph_exec_check(exec, (gc_graph_exec_check_info *)info);
    CHECK_OK(gc_graph_exec_destroy(exec));
    return status;
}

static void open_filled(void) {
    const uint32_t number = 7;
    const uint64_t count = 3;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(2, 32);
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(number),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 32, buffer, 0, 16);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, 2, 2, 16);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 0, 0, 0), GRAPHCAP_MEM_OP_INIT_WRITE64(buffer, 8, 5, 0)};
    gc_buffer *allocated = NULL;
    gc_condition condition = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &filled.graph));
    REQUIRE_OK(gc_graph_add_mem_alloc_node(filled.graph, NULL, 0, 64, &filled.alloc, &allocated));
    REQUIRE_OK(gc_graph_add_mem_free_node(filled.graph, &filled.alloc, 1, allocated, &filled.freed));
    CHECK_OK(gc_buffer_destroy(allocated));
    REQUIRE_OK(gc_graph_add_kernel_node(filled.graph, NULL, 0, rig.fill, &config, arguments, 3, &filled.kernel));
    REQUIRE_OK(gc_graph_add_memcpy_node(filled.graph, NULL, 0, &copy, &filled.copy));
    REQUIRE_OK(gc_graph_add_memset_node(filled.graph, NULL, 0, &set, &filled.set));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(filled.graph, NULL, 0, operations, 2, &filled.values));
    REQUIRE_OK(gc_graph_add_host_node(filled.graph, NULL, 0, count_call, &filled, NULL, &filled.host));
    REQUIRE_OK(gc_graph_create_condition(filled.graph, 0, 0, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(filled.graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_WHILE, 1,
                                             &filled.conditional));
}

/* No byte behind the size that the caller states is touched, and what an older library does not know is 0. */
static void is_filled_as_far_as_the_caller_knows(const char *function, uint32_t size,
                                                 gc_status (*ask)(const gc_graph *graph, void *params)) {
    const uint32_t not_a_size[] = {0, 1, 3, UINT32_MAX};
    union padded given, whole;
    uint32_t stated;
    size_t i, k;
    memset(&whole, 0, sizeof whole);
    whole.struct_size = size;
    CHECK_OK(ask(filled.graph, &whole));
    for (stated = 4; stated <= size + 16; stated += 4) {
        memset(&given, 0xa5, sizeof given);
        given.struct_size = stated;
        CHECK_OK(ask(filled.graph, &given));
        CHECK(given.struct_size == stated);
        CHECK(memcmp(given.bytes + 4, whole.bytes + 4, stated - 4) == 0);
        for (k = stated; k < sizeof given; k++)
            CHECK(given.bytes[k] == 0xa5);
    }
    for (i = 0; i < LENGTH_OF(not_a_size); i++) {
        memset(&given, 0xa5, sizeof given);
        given.struct_size = not_a_size[i];
        check_message(__FILE__, __LINE__, function, ask(filled.graph, &given), GRAPHCAP_ERROR_INVALID_VALUE, "start from GRAPHCAP_");
        CHECK(given.bytes[4] == 0xa5);
    }
    /* Cleared when the call fails, as far as the caller knows. */
    given.struct_size = 8;
    CHECK_STATUS(ask(NULL, &given), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(given.bytes[4] == 0 && given.bytes[7] == 0 && given.bytes[8] == 0xa5);
}

static void outputs_are_filled_as_far_as_the_caller_knows(void) {
    gc_graph *graph = NULL;
    open_filled();
    is_filled_as_far_as_the_caller_knows("gc_node_get_kernel_params", sizeof(gc_kernel_node_params), ask_kernel);
    is_filled_as_far_as_the_caller_knows("gc_node_get_memcpy_params", sizeof(gc_memcpy_node_params), ask_copy);
    is_filled_as_far_as_the_caller_knows("gc_node_get_memset_params", sizeof(gc_memset_node_params), ask_set);
    is_filled_as_far_as_the_caller_knows("gc_node_get_mem_op_params", sizeof(gc_mem_op_node_params), ask_values);
    is_filled_as_far_as_the_caller_knows("gc_node_get_mem_alloc_params", sizeof(gc_mem_alloc_node_params), ask_alloc);
    is_filled_as_far_as_the_caller_knows("gc_node_get_mem_free_params", sizeof(gc_mem_free_node_params), ask_free);
    is_filled_as_far_as_the_caller_knows("gc_node_get_host_params", sizeof(gc_host_node_params), ask_host);
    is_filled_as_far_as_the_caller_knows("gc_node_get_conditional_params", sizeof(gc_conditional_node_params), ask_conditional);
    is_filled_as_far_as_the_caller_knows("gc_graph_exec_update", sizeof(gc_graph_exec_update_info), ask_update);
    is_filled_as_far_as_the_caller_knows("gc_graph_exec_check", sizeof(gc_graph_exec_check_info), ask_check);
    is_filled_as_far_as_the_caller_knows("gc_graph_exec_apply", sizeof(gc_graph_exec_apply_report), ask_apply);
    is_filled_as_far_as_the_caller_knows("gc_graph_optimize", sizeof(gc_optimize_report), ask_optimize);
    is_filled_as_far_as_the_caller_knows("gc_graph_exec_progress", sizeof(gc_graph_exec_progress_info), ask_progress);
    is_filled_as_far_as_the_caller_knows("gc_graph_verify", sizeof(gc_verify_report), ask_verify);
    is_filled_as_far_as_the_caller_knows("gc_graph_step", sizeof(gc_step_report), ask_step);
    is_filled_as_far_as_the_caller_knows("gc_graph_bisect", sizeof(gc_bisect_report), ask_bisect);
    is_filled_as_far_as_the_caller_knows("gc_script_record", sizeof(gc_script_failure), ask_script_failure);
    is_filled_as_far_as_the_caller_knows("gc_graph_cache_get_stats", sizeof(gc_graph_cache_stats), ask_stats);
    is_filled_as_far_as_the_caller_knows("gc_pool_get_memory", sizeof(gc_pool_memory), ask_pool);
    is_filled_as_far_as_the_caller_knows("gc_context_get_info", sizeof(gc_context_info), ask_context);
    is_filled_as_far_as_the_caller_knows("gc_graph_exec_get_info", sizeof(gc_graph_exec_info), ask_exec);
    is_filled_as_far_as_the_caller_knows("gc_context_graph_memory", sizeof(gc_graph_memory), ask_memory);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    REQUIRE_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    is_filled_as_far_as_the_caller_knows("gc_stream_capture_info", sizeof(gc_capture_info), ask_info);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(filled.graph));
}

static void reserved_members_must_be_zero(void) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(buffer);
    gc_stream *stream = NULL;
    options.reserved = 1;
    CHECK_MESSAGE(gc_stream_create(rig.context, &options, &stream), GRAPHCAP_ERROR_INVALID_VALUE, "reserved");
    CHECK(stream == NULL);
    options.struct_size = 3;
    CHECK_MESSAGE(gc_stream_create(rig.context, &options, &stream), GRAPHCAP_ERROR_INVALID_VALUE,
                  "start from GRAPHCAP_STREAM_OPTIONS_INIT, or set it to the size of the struct");
    config.reserved = 1;
    check_message(__FILE__, __LINE__, "gc_stream_launch_kernel", use_launch_config(&config), GRAPHCAP_ERROR_INVALID_VALUE,
                  "reserved");
    {
        uint32_t word = 0;
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, &word, sizeof word);
        gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, 2, 2, 16);
        copy.reserved = set.reserved = 1;
        CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "params.reserved");
        CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, &set), GRAPHCAP_ERROR_INVALID_VALUE, "params.reserved");
    }
    argument.reserved = 1;
    check_message(__FILE__, __LINE__, "gc_stream_launch_kernel", use_kernel_arg(&argument), GRAPHCAP_ERROR_INVALID_VALUE,
                  "reserved");
}

/* The first element's size is the stride of an array. */
static void arrays_have_one_stride(void) {
    struct later_arg {
        gc_kernel_arg argument;
        uint64_t tail;
    };
    uint32_t value = 77;
    uint64_t count = 2;
    gc_kernel_arg plain[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    struct later_arg later[3];
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 2);
    size_t i;
    memset(later, 0, sizeof later);
    for (i = 0; i < 3; i++) {
        later[i].argument = plain[i];
        later[i].argument.struct_size = (uint32_t)sizeof later[i];
    }
    CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.fill, &config, &later[0].argument, 3));
    CHECK(read_u32(rig.stream, buffer, 1) == 77);
    later[2].tail = 1;
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, &later[0].argument, 3),
                  GRAPHCAP_ERROR_INVALID_VALUE, "newer");
    later[2].tail = 0;
    later[1].argument.struct_size = (uint32_t)sizeof(gc_kernel_arg);
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, &later[0].argument, 3),
                  GRAPHCAP_ERROR_INVALID_VALUE, "struct_size");
}

static void what_an_argument_does_not_use_is_zero(void) {
    const uint32_t number = 5;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel_arg arguments[3] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(number),
                                  GRAPHCAP_ARG_INIT_VALUE(number)};
    arguments[0].value = &number;
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "arguments.value");
    arguments[0].value = NULL;
    arguments[0].value_size = 4;
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "arguments.value_size");
    arguments[0].value_size = 0;
    arguments[1].buffer = buffer;
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "arguments.buffer");
    arguments[1].buffer = NULL;
    arguments[1].offset = 1;
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "arguments.offset");
}

/* A struct of zeros, but for its size, is what the macro sets. It is valid where all members are options. */
static void zero_is_the_default_of_every_option(void) {
    static const gc_context_options context = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    static const gc_stream_options stream = GRAPHCAP_STREAM_OPTIONS_INIT;
    static const gc_event_options event = GRAPHCAP_EVENT_OPTIONS_INIT;
    static const gc_instantiate_options instantiate = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    static const gc_capture_options capture = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    static const gc_pool_options pool = GRAPHCAP_POOL_OPTIONS_INIT;
    static const gc_actor_options actor = GRAPHCAP_ACTOR_OPTIONS_INIT;
    static const gc_graph_exec_apply_options apply = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    static const gc_optimize_options optimize = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    static const gc_verify_options verify = GRAPHCAP_VERIFY_OPTIONS_INIT;
    static const gc_step_options step = GRAPHCAP_STEP_OPTIONS_INIT;
    static const gc_bisect_options bisect = GRAPHCAP_BISECT_OPTIONS_INIT;
    static const gc_graph_cache_options cache = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    /* A cache is nothing without the function that records for it. */
    const struct {
        size_t size;
        const void *by_macro;
        gc_status (*use)(const void *options);
        gc_status status;
    } options[] = {
        {sizeof context, &context, use_context_options, GRAPHCAP_SUCCESS},
        {sizeof stream, &stream, use_stream_options, GRAPHCAP_SUCCESS},
        {sizeof event, &event, use_event_options, GRAPHCAP_SUCCESS},
        {sizeof instantiate, &instantiate, use_instantiate_options, GRAPHCAP_SUCCESS},
        {sizeof capture, &capture, use_capture_options, GRAPHCAP_SUCCESS},
        {sizeof pool, &pool, use_pool_options, GRAPHCAP_SUCCESS},
        {sizeof actor, &actor, use_actor_options, GRAPHCAP_SUCCESS},
        {sizeof apply, &apply, use_apply_options, GRAPHCAP_SUCCESS},
        {sizeof optimize, &optimize, use_optimize_options, GRAPHCAP_SUCCESS},
        {sizeof verify, &verify, use_verify_options, GRAPHCAP_SUCCESS},
        {sizeof step, &step, use_step_options, GRAPHCAP_SUCCESS},
        {sizeof bisect, &bisect, use_bisect_options, GRAPHCAP_SUCCESS},
        {sizeof cache, &cache, use_cache_options, GRAPHCAP_ERROR_INVALID_VALUE},
    };
    size_t i;
    for (i = 0; i < LENGTH_OF(options); i++) {
        union padded zeros;
        memset(&zeros, 0, sizeof zeros);
        zeros.struct_size = (uint32_t)options[i].size;
        CHECK(memcmp(&zeros, options[i].by_macro, options[i].size) == 0);
        CHECK_STATUS(options[i].use(&zeros), options[i].status);
    }
}

/* The sizes of a launch describe it. A struct of zeros is refused, and the message names the macro that sets them. */
static void a_launch_has_no_default_shape(void) {
    gc_launch_config config;
    gc_node node = 0;
    gc_graph *graph = open_graph();
    memset(&config, 0, sizeof config);
    config.struct_size = (uint32_t)sizeof config;
    check_message(__FILE__, __LINE__, "gc_stream_launch_kernel", use_launch_config(&config), GRAPHCAP_ERROR_INVALID_VALUE,
                  "GRAPHCAP_LAUNCH_CONFIG(");
    check_message(__FILE__, __LINE__, "gc_graph_add_kernel_node", add_launch(graph, &config, &node), GRAPHCAP_ERROR_INVALID_VALUE,
                  "GRAPHCAP_LAUNCH_CONFIG(");
    config.grid_dim[0] = config.grid_dim[1] = config.grid_dim[2] = 1;
    config.block_dim[0] = config.block_dim[1] = 1;
    check_message(__FILE__, __LINE__, "gc_stream_launch_kernel", use_launch_config(&config), GRAPHCAP_ERROR_INVALID_VALUE,
                  "GRAPHCAP_LAUNCH_CONFIG(");
    config.block_dim[2] = 1;
    CHECK_OK(use_launch_config(&config));
    CHECK_OK(add_launch(graph, &config, &node));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Whether a struct is zeros but for its size. */
static int only_size(const void *object, size_t size) {
    const unsigned char *bytes = (const unsigned char *)object;
    uint32_t stated;
    size_t at;
    memcpy(&stated, object, sizeof stated);
    for (at = sizeof stated; at < size; at++) {
        if (bytes[at] != 0) {
            return 0;
        }
    }
    return stated == size;
}

static void macros_set_the_size_and_zeros(void) {
#define IS_ZEROS(type, macro)                            \
    do {                                                 \
        const type filled = macro;                       \
        CHECK(only_size(&filled, sizeof filled));        \
    } while (0)
    IS_ZEROS(gc_context_options, GRAPHCAP_CONTEXT_OPTIONS_INIT);
    IS_ZEROS(gc_stream_options, GRAPHCAP_STREAM_OPTIONS_INIT);
    IS_ZEROS(gc_event_options, GRAPHCAP_EVENT_OPTIONS_INIT);
    IS_ZEROS(gc_instantiate_options, GRAPHCAP_INSTANTIATE_OPTIONS_INIT);
    IS_ZEROS(gc_capture_options, GRAPHCAP_CAPTURE_OPTIONS_INIT);
    IS_ZEROS(gc_pool_options, GRAPHCAP_POOL_OPTIONS_INIT);
    IS_ZEROS(gc_pool_memory, GRAPHCAP_POOL_MEMORY_INIT);
    IS_ZEROS(gc_graph_memory, GRAPHCAP_GRAPH_MEMORY_INIT);
    IS_ZEROS(gc_module_description, GRAPHCAP_MODULE_DESCRIPTION_INIT);
    IS_ZEROS(gc_host_kernel, GRAPHCAP_HOST_KERNEL_INIT);
    IS_ZEROS(gc_host_global, GRAPHCAP_HOST_GLOBAL_INIT);
    IS_ZEROS(gc_capture_info, GRAPHCAP_CAPTURE_INFO_INIT);
    IS_ZEROS(gc_context_info, GRAPHCAP_CONTEXT_INFO_INIT);
    IS_ZEROS(gc_graph_exec_info, GRAPHCAP_GRAPH_EXEC_INFO_INIT);
    IS_ZEROS(gc_kernel_arg, GRAPHCAP_KERNEL_ARG_INIT);
    IS_ZEROS(gc_mem_op, GRAPHCAP_MEM_OP_INIT);
    IS_ZEROS(gc_graph_binding, GRAPHCAP_GRAPH_BINDING_INIT);
    IS_ZEROS(gc_optimize_options, GRAPHCAP_OPTIMIZE_OPTIONS_INIT);
    IS_ZEROS(gc_optimize_report, GRAPHCAP_OPTIMIZE_REPORT_INIT);
    IS_ZEROS(gc_verify_options, GRAPHCAP_VERIFY_OPTIONS_INIT);
    IS_ZEROS(gc_verify_report, GRAPHCAP_VERIFY_REPORT_INIT);
    IS_ZEROS(gc_step_options, GRAPHCAP_STEP_OPTIONS_INIT);
    IS_ZEROS(gc_step_report, GRAPHCAP_STEP_REPORT_INIT);
    IS_ZEROS(gc_bisect_options, GRAPHCAP_BISECT_OPTIONS_INIT);
    IS_ZEROS(gc_bisect_report, GRAPHCAP_BISECT_REPORT_INIT);
    IS_ZEROS(gc_graph_exec_progress_info, GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT);
    IS_ZEROS(gc_graph_exec_apply_options, GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT);
    IS_ZEROS(gc_graph_exec_apply_report, GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT);
    IS_ZEROS(gc_graph_exec_check_info, GRAPHCAP_GRAPH_EXEC_CHECK_INFO_INIT);
    IS_ZEROS(gc_graph_exec_update_info, GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT);
    IS_ZEROS(gc_graph_cache_options, GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT);
    IS_ZEROS(gc_graph_cache_stats, GRAPHCAP_GRAPH_CACHE_STATS_INIT);
    IS_ZEROS(gc_op_vtable, GRAPHCAP_OP_VTABLE_INIT);
    IS_ZEROS(gc_work, GRAPHCAP_WORK_INIT);
    IS_ZEROS(gc_rng_uniform_params, GRAPHCAP_RNG_UNIFORM_PARAMS_INIT);
    IS_ZEROS(gc_sgemm_params, GRAPHCAP_SGEMM_PARAMS_INIT);
    IS_ZEROS(gc_fft_params, GRAPHCAP_FFT_PARAMS_INIT);
    IS_ZEROS(gc_fft_plan_params, GRAPHCAP_FFT_PLAN_PARAMS_INIT);
    IS_ZEROS(gc_script_failure, GRAPHCAP_SCRIPT_FAILURE_INIT);
    IS_ZEROS(gc_actor_options, GRAPHCAP_ACTOR_OPTIONS_INIT);
    IS_ZEROS(gc_kernel_node_params, GRAPHCAP_KERNEL_NODE_PARAMS_INIT);
    IS_ZEROS(gc_memcpy_node_params, GRAPHCAP_MEMCPY_NODE_PARAMS_INIT);
    IS_ZEROS(gc_memset_node_params, GRAPHCAP_MEMSET_NODE_PARAMS_INIT);
    IS_ZEROS(gc_mem_op_node_params, GRAPHCAP_MEM_OP_NODE_PARAMS_INIT);
    IS_ZEROS(gc_mem_alloc_node_params, GRAPHCAP_MEM_ALLOC_NODE_PARAMS_INIT);
    IS_ZEROS(gc_mem_free_node_params, GRAPHCAP_MEM_FREE_NODE_PARAMS_INIT);
    IS_ZEROS(gc_host_node_params, GRAPHCAP_HOST_NODE_PARAMS_INIT);
    IS_ZEROS(gc_conditional_node_params, GRAPHCAP_CONDITIONAL_NODE_PARAMS_INIT);
#undef IS_ZEROS
}

static void macros_set_what_has_no_default(void) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    gc_memset_params set = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_launch_attribute attribute = GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY);
    CHECK(config.grid_dim[0] == 1 && config.grid_dim[1] == 1 && config.grid_dim[2] == 1);
    CHECK(config.block_dim[0] == 1 && config.block_dim[1] == 1 && config.block_dim[2] == 1);
    memset(config.grid_dim, 0, sizeof config.grid_dim);
    memset(config.block_dim, 0, sizeof config.block_dim);
    CHECK(only_size(&config, sizeof config));
    CHECK(copy.height == 1 && copy.depth == 1 && set.height == 1);
    copy.height = copy.depth = set.height = 0;
    CHECK(only_size(&copy, sizeof copy) && only_size(&set, sizeof set));
    CHECK(attribute.id == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY);
    attribute.id = 0;
    CHECK(only_size(&attribute, sizeof attribute));
    memset(&attribute, 0xff, sizeof attribute);
    gc_launch_attribute_init_number(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -3);
    CHECK(attribute.struct_size == sizeof attribute && attribute.id == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY);
    CHECK(attribute.value.number == -3 && attribute.value.bytes[4] == 0 && attribute.value.bytes[63] == 0);
    gc_launch_attribute_init_dimensions(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 3, 4);
    CHECK(attribute.value.dimensions[0] == 2 && attribute.value.dimensions[2] == 4 && attribute.value.bytes[12] == 0);
    gc_launch_attribute_init_number(NULL, 0, 0);
    gc_launch_attribute_init_dimensions(NULL, 0, 0, 0, 0);
}

/* A published layout never changes. */
static void layouts_are_as_published(void) {
    CHECK(sizeof(gc_context_options) == 16 && sizeof(gc_stream_options) == 16 && sizeof(gc_event_options) == 8);
    CHECK(sizeof(gc_launch_attribute_value) == 64 && sizeof(gc_edge_data) == 8);
    CHECK(sizeof(gc_instantiate_options) == 24 && sizeof(gc_launch_config) == 56);
    CHECK(offsetof(gc_launch_config, grid_dim) == 4 && offsetof(gc_launch_config, block_dim) == 16);
    CHECK(offsetof(gc_launch_config, shared_mem_bytes) == 28 && offsetof(gc_launch_config, flags) == 32);
    CHECK(offsetof(gc_kernel_arg, buffer) == 16);
    CHECK(offsetof(gc_capture_info, status) == 4 && offsetof(gc_capture_info, id) == 8);
    CHECK(offsetof(gc_capture_info, node_count) == 16);
    CHECK(offsetof(gc_host_block, grid_dim) == 8 && offsetof(gc_host_block, block_dim) == 20);
    CHECK(offsetof(gc_host_block, block_index) == 32 && offsetof(gc_host_block, shared_mem) == 48);
    CHECK(offsetof(gc_kernel_node_params, grid_dim) == 4 && offsetof(gc_kernel_node_params, block_dim) == 16);
    CHECK(offsetof(gc_kernel_node_params, shared_mem_bytes) == 28 && offsetof(gc_kernel_node_params, argument_layout) == 32);
    CHECK(offsetof(gc_memcpy_node_params, direction) == 4 && offsetof(gc_memcpy_node_params, destination) == 8);
    CHECK(offsetof(gc_memcpy_node_params, source) == 16 && offsetof(gc_memset_node_params, element_size) == 4);
    CHECK(offsetof(gc_memset_node_params, address) == 8 && offsetof(gc_memset_node_params, value) == 16);
    CHECK(sizeof(gc_mem_op_node_params) == 32 && offsetof(gc_mem_op_node_params, kind) == 4);
    CHECK(offsetof(gc_mem_op_node_params, address) == 8 && offsetof(gc_mem_op_node_params, value) == 16);
    CHECK(offsetof(gc_mem_op_node_params, flags) == 24);
    CHECK(sizeof(gc_stream_attribute_value) == 64 && sizeof(gc_memory_sync_domain_map) == 2);
    CHECK(sizeof(gc_ipc_handle) == 64);
    if (sizeof(void *) == 8) {
        CHECK(sizeof(gc_kernel_arg) == 64 && sizeof(gc_host_block) == 56);
        CHECK(sizeof(gc_launch_attribute) == 72 && offsetof(gc_launch_attribute, value) == 8);
        CHECK(sizeof(gc_graph_exec_apply_options) == 24 && offsetof(gc_graph_exec_apply_options, upload_stream) == 8);
        CHECK(sizeof(gc_graph_exec_progress_info) == 88 && offsetof(gc_graph_exec_progress_info, turn) == 72);
        CHECK(sizeof(gc_graph_exec_apply_report) == 88 && offsetof(gc_graph_exec_apply_report, node_count) == 48);
        CHECK(sizeof(gc_graph_exec_check_info) == 104 && offsetof(gc_graph_exec_check_info, allocation_size) == 96);
        CHECK(sizeof(gc_graph_exec_update_info) == 48 && offsetof(gc_graph_exec_update_info, graph_node) == 24);
        CHECK(sizeof(gc_op_vtable) == 40 && sizeof(gc_work) == 208 && offsetof(gc_work, bodies) == 128);
        CHECK(sizeof(gc_rng_uniform_params) == 48 && offsetof(gc_rng_uniform_params, first) == 40);
        CHECK(offsetof(gc_work, sgemm_params) == 144 && offsetof(gc_work, fft_params) == 152);
        CHECK(sizeof(gc_sgemm_params) == 176 && offsetof(gc_sgemm_params, alpha_scalar) == 144);
        CHECK(sizeof(gc_fft_params) == 56 && sizeof(gc_fft_plan_params) == 40);
        CHECK(sizeof(gc_script_failure) == 88 && offsetof(gc_script_failure, op_name) == 24);
        CHECK(sizeof(gc_actor_options) == 40 && offsetof(gc_actor_options, stall_limit_ns) == 32);
        CHECK(sizeof(gc_graph_cache_options) == 48 && offsetof(gc_graph_cache_options, max_bytes) == 16);
        CHECK(offsetof(gc_graph_cache_options, record) == 24 && offsetof(gc_graph_cache_options, destroy) == 40);
        CHECK(sizeof(gc_graph_cache_stats) == 80 && offsetof(gc_graph_cache_stats, device_bytes) == 72);
        CHECK(sizeof(gc_context_info) == 24 && sizeof(gc_graph_exec_info) == 40 && offsetof(gc_graph_exec_info, is_uploaded) == 32);
        CHECK(sizeof(gc_capture_info) == 56 && offsetof(gc_capture_info, native_graph) == 40);
        CHECK(offsetof(gc_capture_info, work_outside) == 48);
        CHECK(sizeof(gc_host_kernel) == 56 && offsetof(gc_host_kernel, accesses) == 40 && sizeof(gc_module_description) == 56);
        CHECK(sizeof(gc_host_global) == 32 && offsetof(gc_module_description, host_globals) == 40);
        CHECK(sizeof(gc_mem_op) == 48 && offsetof(gc_mem_op, buffer) == 8 && offsetof(gc_mem_op, value) == 24);
        CHECK(offsetof(gc_mem_op, flags) == 32 && offsetof(gc_mem_op, host_buffer) == 40);
        CHECK(sizeof(gc_capture_options) == 56 && sizeof(gc_pool_options) == 24 && offsetof(gc_pool_options, reuse) == 16 && sizeof(gc_memcpy_params) == 136 && sizeof(gc_memset_params) == 64);
        CHECK(offsetof(gc_memcpy_params, flags) == 64 && offsetof(gc_memcpy_params, height) == 88);
        CHECK(offsetof(gc_memset_params, value) == 24 && offsetof(gc_memset_params, pitch) == 48);
        CHECK(offsetof(gc_memset_params, host_buffer) == 56);
        CHECK(sizeof(gc_access_policy_window) == 32 && offsetof(gc_access_policy_window, hit_ratio) == 16);
        CHECK(sizeof(gc_kernel_node_params) == 48 && offsetof(gc_kernel_node_params, argument_count) == 40);
        CHECK(sizeof(gc_memcpy_node_params) == 80 && offsetof(gc_memcpy_node_params, size) == 24);
        CHECK(offsetof(gc_memcpy_node_params, destination_pitch) == 48);
        CHECK(offsetof(gc_memcpy_node_params, source_slice_pitch) == 72);
        CHECK(sizeof(gc_graph_binding) == 64 && offsetof(gc_graph_binding, name) == 8);
        CHECK(offsetof(gc_graph_binding, handle) == 16 && offsetof(gc_graph_binding, size) == 56);
        CHECK(sizeof(gc_mem_alloc_node_params) == 24 && offsetof(gc_mem_alloc_node_params, size) == 16);
        CHECK(sizeof(gc_mem_free_node_params) == 16 && offsetof(gc_mem_free_node_params, address) == 8);
        CHECK(sizeof(gc_host_node_params) == 24 && offsetof(gc_host_node_params, user_data) == 16);
        CHECK(sizeof(gc_conditional_node_params) == 24 && offsetof(gc_conditional_node_params, body_count) == 16);
        CHECK(sizeof(gc_pool_memory) == 40 && offsetof(gc_pool_memory, used_high) == 32);
        CHECK(sizeof(gc_graph_memory) == 40 && offsetof(gc_graph_memory, reserved_high) == 32);
        CHECK(sizeof(gc_memset_node_params) == 48 && offsetof(gc_memset_node_params, width) == 24);
        CHECK(offsetof(gc_memcpy_params, source) == 32 && offsetof(gc_memcpy_params, source_host) == 48);
    }
}

int main(void) {
    rig_open(&rig);
    buffer = open_waitable(rig.context, 64);
    RUN(sizes_follow_the_rules);
    RUN(outputs_are_filled_as_far_as_the_caller_knows);
    RUN(reserved_members_must_be_zero);
    RUN(arrays_have_one_stride);
    RUN(what_an_argument_does_not_use_is_zero);
    RUN(zero_is_the_default_of_every_option);
    RUN(a_launch_has_no_default_shape);
    RUN(macros_set_the_size_and_zeros);
    RUN(macros_set_what_has_no_default);
    RUN(layouts_are_as_published);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
