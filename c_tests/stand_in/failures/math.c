/* Each call of the driver fails once: products, transforms and an op that is lent a generator are prepared, recorded, launched and
 * submitted. The libraries are stand-ins that do not call the driver. */
#include "failures.h"

static void name_library(const char *variable, const char *file) {
    char path[4096];
    path_beside(file, path, sizeof path);
    setenv(variable, path, 1);
}

static gc_status draw_nothing(const gc_record_context *context, void *user_data) {
    void *generator = NULL;
    (void)user_data;
    return gc_record_context_native_rand(context, &generator);
}

static void push_all(struct program *it, const gc_script *script, const gc_scalar *alpha) {
    gc_sgemm_params product = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_params transform = GRAPHCAP_FFT_PARAMS_INIT;
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    product.m = product.n = product.k = 1;
    product.a = product.b = product.c = it->buffer;
    product.c_offset = 8;
    product.alpha_scalar = alpha;
    product.beta = 1;
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = &product;
    STEP(gc_script_push(script, &desc));
    product.workspace_bytes = 16384;
    STEP(gc_script_push(script, &desc));
    shape.length = 4;
    transform.plan_params = &shape;
    transform.input = transform.output = it->buffer;
    transform.output_offset = 32;
    desc.kind = GRAPHCAP_WORK_FFT_R2C;
    desc.sgemm_params = NULL;
    desc.fft_params = &transform;
    STEP(gc_script_push(script, &desc));
    vtable.record = draw_nothing;
    STEP(gc_script_push_op(script, &vtable, NULL));
}

static void prepare(struct program *it) {
    name_library("GRAPHCAP_CUBLAS_LIBRARY", "13.0/libcublas.so.13");
    name_library("GRAPHCAP_CUFFT_LIBRARY", "13.0/libcufft.so.12");
    name_library("GRAPHCAP_CURAND_LIBRARY", "13.0/libcurand.so.10");
    setenv("STAND_IN_LIBRARIES_QUIET", "1", 1);
    make_objects(it);
}

static void answered(gc_future *future) {
    STEP(gc_future_wait(future, UINT64_MAX, NULL));
    CHECK_OK(gc_future_destroy(future));
}

/* An actor replaces the plan of the transform. */
static void set_a_plan(struct program *it, const gc_script *script) {
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_plan *plan = NULL;
    gc_actor *actor = NULL;
    gc_future *future = NULL;
    gc_graph_exec *exec = NULL;
    shape.length = 2;
    STEP(gc_fft_plan_create(it->context, &shape, &plan));
    STEP(gc_actor_create(it->context, NULL, &actor));
    STEP(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, 0, &future));
    STEP(gc_future_wait(future, UINT64_MAX, NULL));
    STEP(gc_future_take_exec(future, &exec));
    CHECK_OK(gc_future_destroy(future));
    STEP(gc_actor_launch(actor, exec, &future));
    answered(future);
    STEP(gc_actor_set_fft_plan(actor, exec, 2, plan, &future));
    answered(future);
    STEP(gc_actor_launch(actor, exec, &future));
    answered(future);
    STEP(gc_actor_close(actor, UINT64_MAX));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_fft_plan_destroy(plan));
}

static void calculate(struct program *it) {
    const float two = 2;
    gc_scalar *alpha = NULL;
    gc_script *script = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    STEP(gc_scalar_create(it->stream, GRAPHCAP_SCALAR_F32, &two, &alpha));
    STEP(gc_script_create(it->context, &script));
    push_all(it, script, alpha);
    STEP(gc_script_prepare(script, NULL));
    STEP(gc_script_record(script, it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &graph));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_script_submit(script, it->stream, NULL));
    STEP(gc_stream_synchronize(it->stream));
    set_a_plan(it, script);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_scalar_destroy(alpha));
    STEP(gc_context_collect(it->context));
}

int main(void) {
    static const struct subject math = {prepare, calculate, give_back, 40, 40};
    return fail_calls_of(&math);
}
