/* A library without its features, as `make demo` builds it: all functions are exported; those of a feature answer
 * NOT_SUPPORTED and name it, set their outputs to nothing, and destroy what a callback owns. */
#include "check.h"

#include <dlfcn.h>

/* A handle that the call has to replace by NULL. */
#define STALE(type) ((type *)(uintptr_t)1)
#define LEFT_OUT(feature, call) CHECK_MESSAGE(call, GRAPHCAP_ERROR_NOT_SUPPORTED, "without the feature \"" feature "\"")
/* The same, of a call that has a handle to give. */
#define GIVES_NOTHING(feature, type, output, call) \
    do {                                           \
        type *output = STALE(type);                \
        LEFT_OUT(feature, call);                   \
        CHECK(output == NULL);                     \
    } while (0)

static gc_context *context;

static gc_status record_nothing(const gc_record_context *recorded, void *user_data) {
    (void)recorded, (void)user_data;
    return GRAPHCAP_SUCCESS;
}

static gc_status record_no_key(const gc_stream *stream, const void *key, size_t key_size, void *user_data, void *launch_data) {
    (void)stream, (void)key, (void)key_size, (void)user_data, (void)launch_data;
    return GRAPHCAP_SUCCESS;
}

static void answered(const gc_future *future, void *user_data) {
    (void)future, (void)user_data;
}

static void all_functions_are_exported(void) {
    char name[128];
    FILE *symbols = fopen(SYMBOLS, "r");
    unsigned functions = 0;
    if (symbols == NULL) {
        perror(SYMBOLS);
        exit(EXIT_FAILURE);
    }
    while (fscanf(symbols, "%127s", name) == 1) {
        functions++;
        if (check_failed(dlsym(RTLD_DEFAULT, name) != NULL))
            fprintf(stderr, "%s is not exported\n", name);
    }
    CHECK(functions > 200);
    fclose(symbols);
}

static void ops_and_scripts(void) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_work work = GRAPHCAP_WORK_INIT;
    unsigned destroyed = 0;
    vtable.record = record_nothing;
    vtable.destroy = count_call;
    GIVES_NOTHING("kit", gc_script, script, gc_script_create(context, &script));
    LEFT_OUT("kit", gc_script_push_op(NULL, &vtable, &destroyed));
    CHECK(destroyed == 1);
    LEFT_OUT("kit", gc_script_push(NULL, NULL));
    work.kind = GRAPHCAP_WORK_HOST;
    work.function = count_call;
    work.user_data = &destroyed;
    work.destroy = count_call;
    LEFT_OUT("kit", gc_script_push(NULL, &work));
    CHECK(destroyed == 2);
    LEFT_OUT("kit", gc_script_prepare(NULL, NULL));
    GIVES_NOTHING("kit", gc_graph, graph,
                  gc_script_record(NULL, NULL, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    LEFT_OUT("kit", gc_script_submit(NULL, NULL, NULL));
    GIVES_NOTHING("kit", const gc_stream, stream, gc_record_context_stream(NULL, &stream));
    GIVES_NOTHING("kit", gc_graph, graph, gc_record_context_graph(NULL, &graph));
    GIVES_NOTHING("kit", gc_pool, pool, gc_record_context_pool(NULL, &pool));
    GIVES_NOTHING("kit", void, native, gc_record_context_native_blas(NULL, &native));
    GIVES_NOTHING("kit", void, native, gc_record_context_native_rand(NULL, &native));
    CHECK_OK(gc_script_destroy(NULL));
}

static void actors_and_futures(void) {
    unsigned destroyed = 0;
    uint32_t is_done = 7;
    int32_t descriptor = 7;
    size_t needed = 7;
    GIVES_NOTHING("kit", gc_actor, actor, gc_actor_create(context, NULL, &actor));
    GIVES_NOTHING("kit", gc_future, future,
                  gc_actor_record(NULL, NULL, GRAPHCAP_CAPTURE_MODE_GLOBAL, 0, &future));
    GIVES_NOTHING("kit", gc_future, future, gc_actor_adopt(NULL, NULL, 0, &future));
    GIVES_NOTHING("kit", gc_future, future, gc_actor_launch(NULL, NULL, &future));
    GIVES_NOTHING("kit", gc_future, future, gc_actor_update(NULL, NULL, NULL, &future));
    GIVES_NOTHING("kit", gc_future, future, gc_actor_set_fft_plan(NULL, NULL, 0, NULL, &future));
    GIVES_NOTHING("kit", gc_future, future, gc_actor_export_dot(NULL, NULL, 0, &future));
    GIVES_NOTHING("kit", gc_future, future, gc_actor_next_completed(NULL, &future));
    LEFT_OUT("kit", gc_actor_close(NULL, 0));
    LEFT_OUT("kit", gc_actor_event_fd(NULL, &descriptor));
    LEFT_OUT("kit", gc_future_poll(NULL, &is_done));
    CHECK(is_done == 0);
    LEFT_OUT("kit", gc_future_wait(NULL, 0, NULL));
    LEFT_OUT("kit", gc_future_on_done(NULL, answered, &destroyed, count_call));
    CHECK(destroyed == 1);
    LEFT_OUT("kit", gc_future_on_stall(NULL, answered, &destroyed, count_call));
    CHECK(destroyed == 2);
    LEFT_OUT("kit", gc_future_stall_report(NULL, NULL, NULL, 0, &needed));
    GIVES_NOTHING("kit", gc_graph_exec, exec, gc_future_take_exec(NULL, &exec));
    LEFT_OUT("kit", gc_future_text(NULL, NULL, 0, &needed));
    LEFT_OUT("kit", gc_future_event_fd(NULL, &descriptor));
    CHECK_OK(gc_actor_destroy(NULL));
    CHECK_OK(gc_future_destroy(NULL));
}

static void caches_of_graphs(void) {
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    unsigned destroyed = 0;
    options.record = record_no_key;
    options.user_data = &destroyed;
    options.destroy = count_call;
    GIVES_NOTHING("kit", gc_graph_cache, cache, gc_graph_cache_create(context, &options, &cache));
    CHECK(destroyed == 1);
    LEFT_OUT("kit", gc_graph_cache_launch(NULL, NULL, 0, NULL, NULL));
    LEFT_OUT("kit", gc_graph_cache_remove(NULL, NULL, 0));
    LEFT_OUT("kit", gc_graph_cache_clear(NULL));
    LEFT_OUT("kit", gc_graph_cache_get_stats(NULL, NULL));
    CHECK_OK(gc_graph_cache_destroy(NULL));
}

static void optimized_and_verified_graphs(void) {
    size_t needed = 7;
    gc_graph *graph;
    REQUIRE_OK(gc_graph_create(context, &graph));
    GIVES_NOTHING("optimising", gc_graph, optimized, gc_graph_optimize(graph, NULL, &optimized, NULL, NULL));
    LEFT_OUT("optimising", gc_graph_optimize_text(graph, NULL, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_optimize_reasons(graph, NULL, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_check(graph, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_check_json(graph, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_check_text(graph, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_exec_check_findings(NULL, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_exec_check_text(NULL, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_exec_check_json(NULL, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &needed));
    LEFT_OUT("optimising", gc_graph_verify(graph, NULL, NULL));
    LEFT_OUT("optimising", gc_graph_step(graph, NULL, NULL, 0, NULL));
    LEFT_OUT("optimising", gc_graph_bisect(graph, NULL, NULL, NULL, NULL, 0, NULL));
    GIVES_NOTHING("optimising", gc_graph, applied, gc_plan_apply(NULL, graph, 0, &applied, NULL));
    CHECK_OK(gc_plan_destroy(NULL));
    CHECK_OK(gc_graph_destroy(graph));
}

static void transforms(void) {
    gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    params.length = 8;
    params.batch_count = 1;
    NOT_ON_CUDA("cuFFT transforms there");
    GIVES_NOTHING("transforms", gc_fft_plan, plan, gc_fft_plan_create(context, &params, &plan));
}

int main(void) {
    context = open_context();
    RUN(all_functions_are_exported);
    RUN(ops_and_scripts);
    RUN(actors_and_futures);
    RUN(caches_of_graphs);
    RUN(optimized_and_verified_graphs);
    RUN(transforms);
    CHECK_OK(gc_context_destroy(context));
    return check_finish();
}
