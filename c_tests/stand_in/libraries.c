/* NVIDIA's libraries, by stand-ins that write down how they are called: which are loaded, that no two pieces of work which may run at
 * the same time share memory, and when handles and plans go. */
#include "loaded.h"

static struct library_facts *blas, *fft;

/* A script of one product of the 4 x 4 matrices in a buffer. */
static gc_script *a_product_in(const gc_context *context, const gc_buffer *buffer, const gc_scalar *alpha, uint32_t mode,
                               uint64_t workspace_bytes) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_sgemm_params params = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_script *script = NULL;
    params.m = params.n = params.k = 4;
    params.a = params.b = params.c = buffer;
    params.b_offset = 64;
    params.c_offset = 128;
    params.beta = 1;
    params.alpha = alpha == NULL ? 2.0f : 0.0f;
    params.alpha_scalar = alpha;
    params.math_mode = mode;
    params.workspace_bytes = workspace_bytes;
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = &params;
    REQUIRE_OK(gc_script_create(context, &script));
    REQUIRE_OK(gc_script_push(script, &desc));
    return script;
}

static gc_script *a_product(const gc_context *context, const gc_buffer *buffer, const gc_scalar *alpha, uint32_t mode) {
    return a_product_in(context, buffer, alpha, mode, 0);
}

/* A script of one transform by a plan, from one half of a buffer to the other. */
static gc_script *a_transform(const gc_context *context, const gc_buffer *buffer, const gc_fft_plan *plan) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_fft_params params = GRAPHCAP_FFT_PARAMS_INIT;
    gc_script *script = NULL;
    params.plan = plan;
    params.input = params.output = buffer;
    params.output_offset = 128;
    desc.kind = GRAPHCAP_WORK_FFT_R2C;
    desc.fft_params = &params;
    REQUIRE_OK(gc_script_create(context, &script));
    REQUIRE_OK(gc_script_push(script, &desc));
    return script;
}

static gc_fft_plan *open_plan(const gc_context *context) {
    gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_plan *plan = NULL;
    params.length = 8;
    params.batch_count = 2;
    REQUIRE_OK(gc_fft_plan_create(context, &params, &plan));
    return plan;
}

static void products_of_branches_have_workspaces_of_their_own(void) {
    gc_context *context = open_cuda();
    gc_buffer *buffers[4];
    gc_script *scripts[4];
    gc_graph *graphs[2];
    gc_graph_exec *exec = NULL;
    gc_stream *stream = open_stream(context, 0);
    size_t i, k;
    for (i = 0; i < 4; i++) {
        buffers[i] = open_buffer(context, 256);
        scripts[i] = a_product(context, buffers[i], NULL, GRAPHCAP_MATH_FLOAT32);
    }
    blas->count = 0;
    graphs[0] = in_branches(context, scripts, 4);
    CHECK(blas->count == 8);
    for (i = 0; i < 8; i++) {
        CHECK(blas->calls[i].workspace_bytes >= (4u << 20));
        CHECK(blas->calls[i].mode == 0 && blas->calls[i].math_mode == 0);
        for (k = 0; k < 8; k++)
            CHECK((blas->calls[i].workspace == blas->calls[k].workspace) == (blas->calls[i].stream == blas->calls[k].stream));
    }
    CHECK(blas->live == 1);
    /* What the same stream records in another capture may run beside the first graph. */
    blas->count = 0;
    for (i = 0; i < 2; i++) {
        gc_graph *graph = NULL;
        CHECK_OK(gc_script_submit(scripts[0], stream, NULL));
        REQUIRE_OK(gc_script_record(scripts[0], stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
        graphs[1] = i == 0 ? graph : graphs[1];
        if (i == 1)
            CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK(blas->count == 4);
    CHECK(blas->calls[1].workspace != blas->calls[0].workspace && blas->calls[3].workspace != blas->calls[1].workspace);
    CHECK(blas->calls[2].workspace != blas->calls[1].workspace);
    /* Graphs keep them, whatever else is let go of. */
    REQUIRE_OK(gc_graph_instantiate(graphs[0], NULL, &exec));
    for (i = 0; i < 4; i++) {
        CHECK_OK(gc_script_destroy(scripts[i]));
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    }
    CHECK_OK(gc_graph_destroy(graphs[0]));
    CHECK_OK(gc_context_collect(context));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_destroy(graphs[1]));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(blas->live == 1);
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("products");
    CHECK(blas->live == 0);
    expect_rules_kept(blas);
}

/* What an op is lent: by whom, for which stream, and where it works. */
struct lent {
    const gc_context *context;
    const gc_buffer *buffer;
    void *handles[2], *stream;
};

typedef int (*multiply)(void *handle, int transpose_a, int transpose_b, int m, int n, int k, const float *alpha, uint64_t a, int lda,
                        long long stride_a, uint64_t b, int ldb, long long stride_b, const float *beta, uint64_t c, int ldc,
                        long long stride_c, int batch);

static gc_status multiply_by_oneself(const gc_record_context *context, void *user_data) {
    const float one = 1;
    struct lent *lent = (struct lent *)user_data;
    const gc_stream *stream = NULL;
    gc_capture_mode mode;
    uint64_t address = 0;
    void *found;
    multiply multiplies = NULL;
    gc_status status = gc_record_context_native_blas(context, &lent->handles[0]);
    if (status != GRAPHCAP_SUCCESS)
        return status;
    CHECK_OK(gc_record_context_native_blas(context, &lent->handles[1]));
    CHECK_OK(gc_record_context_stream(context, &stream));
    CHECK_OK(gc_stream_native(stream, &lent->stream));
    CHECK_OK(gc_buffer_address(lent->buffer, &address));
    found = library_function("13.0/libcublas.so.13", "cublasSgemmStridedBatched");
    memcpy(&multiplies, &found, sizeof multiplies);
    mode = enter(lent->context);
    CHECK(multiplies(lent->handles[0], 0, 0, 4, 4, 4, &one, address, 4, 0, address + 64, 4, 0, &one, address + 128, 4, 0, 1) == 0);
    leave(mode);
    return GRAPHCAP_SUCCESS;
}

/* Ops may record products by themselves: by a handle that is theirs while they do, in a workspace that the graph keeps. */
static void ops_are_lent_handles_of_their_own(void) {
    gc_context *context = open_cuda();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *buffer = open_buffer(context, 256);
    gc_script *own = a_product(context, buffer, NULL, GRAPHCAP_MATH_TF32), *script = NULL;
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    struct lent lent = {context, buffer, {NULL, NULL}, NULL};
    REQUIRE_OK(gc_script_create(context, &script));
    vtable.record = multiply_by_oneself;
    REQUIRE_OK(gc_script_push_op(script, &vtable, &lent));
    blas->count = 0;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_script_submit(own, stream, NULL));
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK_OK(gc_script_submit(own, stream, NULL));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK(blas->count == 4 && blas->live == 2 && lent.handles[0] == lent.handles[1]);
    CHECK(blas->calls[2].object == (uint64_t)(uintptr_t)lent.handles[0] && blas->calls[0].object == blas->calls[2].object);
    CHECK(blas->calls[1].object != blas->calls[2].object && blas->calls[1].object == blas->calls[3].object);
    CHECK(blas->calls[2].stream == lent.stream && blas->calls[2].mode == 0 && blas->calls[2].math_mode == 0);
    CHECK(blas->calls[2].workspace_bytes == blas->calls[1].workspace_bytes);
    CHECK(blas->calls[2].workspace == blas->calls[1].workspace && blas->calls[2].workspace != blas->calls[0].workspace);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_script_destroy(own));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_collect(context));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("lent handles");
    CHECK(blas->live == 0);
    expect_rules_kept(blas);
}

/* Records products of several buffers on one stream. */
static gc_graph *on_one_stream(const gc_stream *stream, gc_script *const *scripts, size_t count) {
    gc_graph *graph = NULL;
    size_t i;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < count; i++)
        CHECK_OK(gc_script_submit(scripts[i], stream, NULL));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    return graph;
}

static int tells_of_workspaces(const gc_graph *graph) {
    static char text[1 << 14];
    gc_optimize_reason reasons[32];
    size_t count = 0, i, shared = 0;
    CHECK_OK(gc_graph_optimize_reasons(graph, NULL, reasons, LENGTH_OF(reasons), &count));
    for (i = 0; i < count && i < LENGTH_OF(reasons); i++)
        shared += reasons[i].kind == GRAPHCAP_OPTIMIZE_REASON_SHARED_WORKSPACE && reasons[i].count > 1 && reasons[i].bytes > 0;
    CHECK_OK(gc_graph_optimize_text(graph, NULL, text, sizeof text, NULL));
    if (shared == 0)
        return 0;
    return strstr(text, "share the workspace") != NULL && strstr(text, "gc_sgemm_params::workspace_bytes") != NULL;
}

/* The check names both products when an edit takes away an edge between two that share a workspace. */
static void expect_shared_workspace_found(const gc_graph *graph) {
    gc_node from[64], to[64];
    gc_finding findings[16];
    static char text[1 << 16];
    size_t count = 0, found = 0;
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_WARNING, NULL, 0, &found));
    CHECK(found == 0);
    REQUIRE_OK(gc_graph_get_edges(graph, from, to, NULL, LENGTH_OF(from), &count));
    /* Each product has two nodes: the second edge of the chain is between two products. */
    CHECK_OK(gc_graph_remove_dependencies(graph, &from[1], &to[1], 1));
    memset(findings, 0, sizeof findings);
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_WARNING, findings, LENGTH_OF(findings), &found));
    CHECK_OK(gc_graph_check_text(graph, GRAPHCAP_SEVERITY_WARNING, text, sizeof text, NULL));
    CHECK(found >= 1 && findings[0].kind == GRAPHCAP_FINDING_SHARED_WORKSPACE && check_contains(text, "share a workspace"));
    /* So that the tool finds it in a saved graph. */
    CHECK_OK(gc_graph_export_json(graph, text, sizeof text, NULL));
    CHECK(check_contains(text, "\"workspace\":true"));
    CHECK_OK(gc_graph_add_dependencies(graph, &from[1], &to[1], NULL, 1));
}

/* Products of one stream run one after another as long as they share its workspace, and the report tells so. With one for each they
 * run side by side. The graph keeps these; what is executed uses the stream's. */
static void products_of_one_stream_run_at_once_in_workspaces_of_their_own(void) {
    static const uint64_t sizes[] = {0, UINT64_MAX, 100000};
    gc_context *context = open_cuda();
    gc_stream *stream = open_stream(context, 0);
    size_t way, i, k;
    for (way = 0; way < 3; way++) {
        gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
        gc_buffer *buffers[8];
        gc_script *scripts[8];
        gc_graph *graph, *result = NULL;
        gc_graph_exec *exec = NULL;
        size_t usual;
        for (i = 0; i < 8; i++) {
            buffers[i] = open_buffer(context, 256);
            scripts[i] = a_product_in(context, buffers[i], NULL, GRAPHCAP_MATH_FLOAT32, sizes[way]);
        }
        blas->count = 0;
        graph = on_one_stream(stream, scripts, 8);
        CHECK_OK(gc_script_submit(scripts[0], stream, NULL));
        CHECK_OK(gc_script_submit(scripts[1], stream, NULL));
        CHECK(blas->count == 10);
        usual = blas->calls[0].workspace_bytes;
        CHECK(way == 2 ? usual >= 100000 && usual < 100000 + 256 : usual >= (4u << 20));
        for (i = 0; i < 8; i++)
            for (k = 0; k < i; k++)
                CHECK((blas->calls[i].workspace == blas->calls[k].workspace) == (way == 0));
        CHECK(blas->calls[8].workspace == blas->calls[9].workspace && blas->calls[8].workspace_bytes == usual);
        REQUIRE_OK(gc_graph_optimize(graph, NULL, &result, NULL, &report));
        CHECK(report.barrier_count == 0);
        /* The stand-in's product is two memsets. */
        CHECK(way == 0 ? report.path_after >= 8 : report.lanes == 16 && report.path_after == 1);
        CHECK(tells_of_workspaces(graph) == (way == 0));
        if (way == 0)
            expect_shared_workspace_found(graph);
        REQUIRE_OK(gc_graph_instantiate(result, NULL, &exec));
        for (i = 0; i < 8; i++) {
            CHECK_OK(gc_script_destroy(scripts[i]));
            CHECK_OK(gc_buffer_destroy(buffers[i]));
        }
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_context_collect(context));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_stream_synchronize(stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("workspaces of their own");
    expect_rules_kept(blas);
}

/* Nodes that the caller orders anew are not ordered behind the work of their stream. */
static void a_stream_whose_dependencies_are_set_has_another_workspace(void) {
    gc_context *context = open_cuda();
    gc_buffer *buffer = open_buffer(context, 256);
    gc_script *script = a_product(context, buffer, NULL, GRAPHCAP_MATH_FLOAT32);
    gc_stream *stream = open_stream(context, 0);
    gc_graph *graph = NULL;
    blas->count = 0;
    REQUIRE_OK(gc_script_prepare(script, NULL));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK_OK(gc_stream_update_capture_dependencies(stream, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK_OK(gc_script_submit(script, stream, NULL));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK(blas->count == 2 && blas->calls[0].workspace != blas->calls[1].workspace);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("dependencies");
}

/* A factor in memory and one that is a value are both read from memory, where the graph writes the value at each launch. */
static void factors_in_memory_are_read_there(void) {
    const float two = 2;
    gc_context *context = open_cuda();
    gc_buffer *buffer = open_buffer(context, 256);
    gc_stream *stream = open_stream(context, 0);
    gc_scalar *alpha = NULL;
    gc_script *script;
    gc_graph *graph = NULL;
    size_t nodes = 0;
    REQUIRE_OK(gc_scalar_create(stream, GRAPHCAP_SCALAR_F32, &two, &alpha));
    script = a_product(context, buffer, alpha, GRAPHCAP_MATH_TF32);
    blas->count = 0;
    REQUIRE_OK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    CHECK(blas->count == 1 && blas->calls[0].mode == 1 && blas->calls[0].math_mode == 3);
    /* The value, and what the stand-in does. */
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 3);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_scalar_destroy(alpha));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("factors");
}

static void each_use_of_a_plan_has_a_work_area(void) {
    gc_context *context = open_cuda();
    gc_buffer *buffers[4];
    gc_script *scripts[4];
    gc_fft_plan *plan = open_plan(context);
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    gc_stream *stream = open_stream(context, 0);
    size_t i, k;
    for (i = 0; i < 4; i++) {
        buffers[i] = open_buffer(context, 256);
        scripts[i] = a_transform(context, buffers[i], plan);
    }
    CHECK_OK(gc_fft_plan_destroy(plan));
    fft->count = 0;
    graph = in_branches(context, scripts, 4);
    CHECK(fft->count == 8 && fft->live == 1);
    for (i = 0; i < 8; i++)
        for (k = 0; k < i; k++)
            CHECK(fft->calls[i].workspace != fft->calls[k].workspace && fft->calls[i].object == fft->calls[k].object);
    for (i = 0; i < 4; i++)
        CHECK_OK(gc_script_destroy(scripts[i]));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    /* The exec keeps the plan, also while a launch runs after the exec is gone. */
    CHECK_OK(gc_context_collect(context));
    CHECK(fft->live == 1);
    CHECK_OK(gc_graph_launch(exec, stream));
    stand_in.hold(1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_collect(context));
    CHECK(fft->live == 1);
    stand_in.hold(0);
    CHECK_OK(gc_stream_synchronize(stream));
    /* Then it goes, but in a call that may wait alone. */
    CHECK(fft->live == 1);
    CHECK_OK(gc_context_collect(context));
    CHECK(fft->live == 0);
    for (i = 0; i < 4; i++)
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("transforms");
    expect_rules_kept(fft);
}

static void follow_the_rules(const char *version) {
    use_stand_in(version);
    name_library("GRAPHCAP_CUBLAS_LIBRARY", "13.0/libcublas.so.13");
    name_library("GRAPHCAP_CUFFT_LIBRARY", "13.0/libcufft.so.12");
    blas = load_library("13.0/libcublas.so.13");
    fft = load_library("13.0/libcufft.so.12");
    RUN(products_of_branches_have_workspaces_of_their_own);
    RUN(products_of_one_stream_run_at_once_in_workspaces_of_their_own);
    RUN(a_stream_whose_dependencies_are_set_has_another_workspace);
    RUN(ops_are_lent_handles_of_their_own);
    RUN(factors_in_memory_are_read_there);
    RUN(each_use_of_a_plan_has_a_work_area);
}

/* A library that cannot be loaded is told by all names that were tried, and leaves no capture behind. */
static void miss(const char *variable) {
    gc_context *context;
    gc_buffer *buffer;
    gc_stream *stream;
    gc_script *script;
    gc_graph *graph = NULL;
    gc_fft_plan *plan = NULL;
    gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    int32_t is_capturing = 1;
    use_stand_in("13.0");
    setenv("GRAPHCAP_CUBLAS_LIBRARY", "/nowhere/libcublas.so.99", 1);
    name_library("GRAPHCAP_CUFFT_LIBRARY", "13.0/libcublas.so.13"); /* which has none of its functions */
    context = open_cuda();
    buffer = open_buffer(context, 256);
    stream = open_stream(context, 0);
    script = a_product(context, buffer, NULL, GRAPHCAP_MATH_FLOAT32);
    CHECK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &failure, &graph) == GRAPHCAP_ERROR_LIBRARY);
    CHECK(graph == NULL && failure.has_op == 1 && strcmp(failure.op_name, "sgemm") == 0);
    CHECK(check_contains(last_message(), "/nowhere/libcublas.so.99") && check_contains(last_message(), variable));
    CHECK_OK(gc_stream_is_capturing(stream, &is_capturing));
    CHECK(is_capturing == 0);
    params.length = 8;
    CHECK_MESSAGE(gc_fft_plan_create(context, &params, &plan), GRAPHCAP_ERROR_LIBRARY, "cufftCreate");
    /* Once it can be found the next call finds it. */
    name_library("GRAPHCAP_CUBLAS_LIBRARY", "13.0/libcublas.so.13");
    CHECK_OK(gc_script_prepare(script, NULL));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("a missing library");
}

/* One that the process has is used, by its name, wherever it lies. */
static void use_the_one_that_is_loaded(const char *version) {
    gc_context *context;
    gc_buffer *buffer;
    gc_script *script;
    use_stand_in(version);
    unsetenv("GRAPHCAP_CUBLAS_LIBRARY");
    blas = load_library("13.0/libcublas.so.13");
    context = open_cuda();
    buffer = open_buffer(context, 256);
    script = a_product(context, buffer, NULL, GRAPHCAP_MATH_FLOAT32);
    CHECK_OK(gc_script_prepare(script, NULL));
    CHECK(blas->live == 1);
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("a loaded library");
}

static void libraries_are_called_by_their_rules(void) {
    in_child(follow_the_rules, "13.0");
}

static void missing_libraries_are_told(void) {
    in_child(miss, "GRAPHCAP_CUBLAS_LIBRARY");
}

static void loaded_libraries_are_found(void) {
    in_child(use_the_one_that_is_loaded, "13.0");
}

int main(void) {
    RUN(libraries_are_called_by_their_rules);
    RUN(missing_libraries_are_told);
    RUN(loaded_libraries_are_found);
    return check_finish();
}
