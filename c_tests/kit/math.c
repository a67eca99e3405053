/* Products of matrices and Fourier transforms against sums of doubles, for random sizes; unordered branches of one graph against
 * the serial order, bit for bit. GRAPHCAP_SOAK=1 tries 2,000 of each on the host device, and 200 on a GPU. Skipped on a GPU
 * where cuBLAS and cuFFT are not installed. */
#include "../support/kernels.h"

#include <math.h>

enum { BRANCHES = 4, REPLAYS = 300 };

static struct rig rig;
static uint64_t state = 88172645463325252u;

static uint64_t below(uint64_t end) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % end;
}

static float *random_numbers(size_t count) {
    float *numbers = (float *)malloc((count + 1) * sizeof *numbers);
    size_t i;
    for (i = 0; i < count; i++)
        numbers[i] = (float)below(1 << 24) / (float)(1 << 23) - 1.0f;
    return numbers;
}

static gc_buffer *upload(const float *numbers, size_t count) {
    gc_buffer *buffer = open_buffer(rig.context, count * sizeof *numbers);
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, numbers, count * sizeof *numbers));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    return buffer;
}

static float *download(const gc_buffer *buffer, size_t count) {
    float *numbers = (float *)malloc((count + 1) * sizeof *numbers);
    REQUIRE_OK(gc_stream_memcpy_dtoh(rig.stream, numbers, buffer, 0, count * sizeof *numbers));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    return numbers;
}

static void push_sgemm(const gc_script *script, const gc_sgemm_params *params) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = params;
    REQUIRE_OK(gc_script_push(script, &desc));
}

static void push_fft(const gc_script *script, uint32_t kind, const gc_fft_params *params) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = kind;
    desc.fft_params = params;
    REQUIRE_OK(gc_script_push(script, &desc));
}

static gc_script *open_script(void) {
    gc_script *script = NULL;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    return script;
}

/* Records a script, and launches it once. */
static void run_script(gc_script *script) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_script_destroy(script));
}

static uint64_t random_size(uint64_t most) {
    return below(8) == 0 ? 1 : 1 + below(most);
}

/* One random product; the elements of C that differ count. */
static unsigned try_product(uint64_t most) {
    gc_sgemm_params params = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_scalar *scalar = NULL;
    uint64_t rows_a, columns_a, rows_b, columns_b, row, column, inner, batch, count_a, count_b, count_c;
    float *a, *b, *c, *result, alpha = (float)below(5) / 2.0f - 1.0f, beta = (float)below(3) / 2.0f;
    gc_buffer *buffers[3];
    gc_script *script = open_script();
    unsigned wrong = 0, by_scalar = below(3) == 0;
    params.m = random_size(most), params.n = random_size(most), params.k = random_size(most);
    params.transpose_a = (uint32_t)below(2), params.transpose_b = (uint32_t)below(2);
    params.batch_count = below(3) == 0 ? 1 + below(4) : 1;
    rows_a = params.transpose_a ? params.k : params.m, columns_a = params.transpose_a ? params.m : params.k;
    rows_b = params.transpose_b ? params.n : params.k, columns_b = params.transpose_b ? params.k : params.n;
    params.lda = rows_a + below(3), params.ldb = rows_b + below(3), params.ldc = params.m + below(3);
    params.stride_a = below(3) == 0 ? 0 : params.lda * columns_a;
    params.stride_b = params.ldb * columns_b;
    params.stride_c = params.ldc * params.n + below(3);
    count_a = params.stride_a * (params.batch_count - 1) + params.lda * columns_a;
    count_b = params.stride_b * params.batch_count;
    count_c = params.stride_c * params.batch_count;
    a = random_numbers(count_a), b = random_numbers(count_b), c = random_numbers(count_c);
    params.a = buffers[0] = upload(a, count_a);
    params.b = buffers[1] = upload(b, count_b);
    params.c = buffers[2] = upload(c, count_c);
    params.beta = beta;
    if (by_scalar)
        REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_F32, &alpha, &scalar));
    else
        params.alpha = alpha;
    params.alpha_scalar = scalar;
    push_sgemm(script, &params);
    run_script(script);
    result = download(buffers[2], count_c);
    for (batch = 0; batch < params.batch_count; batch++)
        for (column = 0; column < params.n; column++)
            for (row = 0; row < params.m; row++) {
                const float *in_a = a + batch * params.stride_a, *in_b = b + batch * params.stride_b;
                uint64_t at = batch * params.stride_c + column * params.ldc + row;
                double sum = 0, size = 0;
                for (inner = 0; inner < params.k; inner++) {
                    double product = (double)in_a[params.transpose_a ? row * params.lda + inner : inner * params.lda + row] *
                                     in_b[params.transpose_b ? inner * params.ldb + column : column * params.ldb + inner];
                    sum += product;
                    size += fabs(product);
                }
                sum = alpha * sum + (double)beta * c[at];
                size = fabs(alpha * size) + fabs((double)beta * c[at]);
                wrong += !(fabs(result[at] - sum) <= 2e-6 * size + 1e-30);
                c[at] = result[at];
            }
    /* Nothing beside the columns was written. */
    wrong += memcmp(c, result, count_c * sizeof *c) != 0;
    if (wrong > 0)
        fprintf(stderr, "%u elements of %llu x %llu x %llu, transposed %u %u, batch %llu, are wrong\n", wrong,
                (unsigned long long)params.m, (unsigned long long)params.n, (unsigned long long)params.k,
                params.transpose_a, params.transpose_b, (unsigned long long)params.batch_count);
    free(a), free(b), free(c), free(result);
    CHECK_OK(gc_scalar_destroy(scalar));
    for (row = 0; row < 3; row++)
        CHECK_OK(gc_buffer_destroy(buffers[row]));
    return wrong;
}

/* One random batch of transforms there and back; the numbers that differ count. */
static unsigned try_transform(uint64_t most) {
    const double pi = 3.14159265358979323846;
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT, shape_back;
    gc_fft_params forth = GRAPHCAP_FFT_PARAMS_INIT, back = GRAPHCAP_FFT_PARAMS_INIT;
    uint64_t length = random_size(most), half = length / 2 + 1, batch = 1 + below(3), i, k, t;
    size_t reals = length * batch, complexes = 2 * half * batch;
    float *input = random_numbers(reals), *zeros = random_numbers(complexes), *spectrum, *kept, *again;
    gc_buffer *from = upload(input, reals), *to = upload(zeros, complexes), *end = upload(input, reals);
    gc_script *script = open_script();
    unsigned wrong = 0;
    shape.length = length;
    shape.batch_count = batch;
    shape_back = shape;
    shape_back.direction = GRAPHCAP_FFT_DIRECTION_C2R;
    forth.plan_params = &shape, forth.input = from, forth.output = to;
    back.plan_params = &shape_back, back.input = to, back.output = end;
    push_fft(script, GRAPHCAP_WORK_FFT_R2C, &forth);
    push_fft(script, GRAPHCAP_WORK_FFT_C2R, &back);
    run_script(script);
    spectrum = download(to, complexes);
    kept = download(from, reals);
    again = download(end, reals);
    wrong += memcmp(kept, input, reals * sizeof *input) != 0;
    for (t = 0; t < batch; t++) {
        double size = 0;
        for (i = 0; i < length; i++)
            size += (double)input[t * length + i] * input[t * length + i];
        size = sqrt(size * (double)length);
        for (k = 0; k < half; k++) {
            double real = 0, imaginary = 0;
            for (i = 0; i < length; i++) {
                double angle = 2 * pi * (double)(i * k % length) / (double)length;
                real += input[t * length + i] * cos(angle);
                imaginary -= input[t * length + i] * sin(angle);
            }
            wrong += !(fabs(spectrum[2 * (t * half + k)] - real) <= 2e-6 * size);
            wrong += !(fabs(spectrum[2 * (t * half + k) + 1] - imaginary) <= 2e-6 * size);
        }
        for (i = 0; i < length; i++)
            wrong += !(fabs(again[t * length + i] - (double)length * input[t * length + i]) <= 4e-6 * size * sqrt((double)length));
    }
    if (wrong > 0)
        fprintf(stderr, "%u numbers of %llu transforms of length %llu are wrong\n", wrong, (unsigned long long)batch,
                (unsigned long long)length);
    free(input), free(zeros), free(spectrum), free(kept), free(again);
    CHECK_OK(gc_buffer_destroy(from));
    CHECK_OK(gc_buffer_destroy(to));
    CHECK_OK(gc_buffer_destroy(end));
    return wrong;
}

static unsigned cases(void) {
    return on_cuda() ? soak(40, 200) : soak(60, 2000);
}

static void products_are_those_of_doubles(void) {
    unsigned i;
    for (i = 0; i < cases(); i++)
        CHECK(try_product(i % 20 == 19 ? 150 : 40) == 0);
}

static void transforms_are_those_of_doubles(void) {
    unsigned i;
    for (i = 0; i < cases(); i++)
        CHECK(try_transform(i % 20 == 19 ? 600 : 130) == 0);
}

/* Imaginary parts that no transform of real numbers has are ignored. */
static void imaginary_parts_of_the_ends_are_ignored(void) {
    static const float plain[] = {4, 0, 1, 2, 3, 0}, odd[] = {4, 99, 1, 2, 3, -99};
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_buffer *from[2], *to[2];
    float *results[2];
    unsigned i;
    shape.length = 4;
    shape.direction = GRAPHCAP_FFT_DIRECTION_C2R;
    for (i = 0; i < 2; i++) {
        gc_fft_params params = GRAPHCAP_FFT_PARAMS_INIT;
        gc_script *script = open_script();
        from[i] = upload(i == 0 ? plain : odd, 6);
        to[i] = upload(plain, 4);
        params.plan_params = &shape;
        params.input = from[i];
        params.output = to[i];
        push_fft(script, GRAPHCAP_WORK_FFT_C2R, &params);
        run_script(script);
        results[i] = download(to[i], 4);
    }
    CHECK(memcmp(results[0], results[1], 4 * sizeof(float)) == 0 && results[0][0] == 9.0f);
    for (i = 0; i < 2; i++) {
        free(results[i]);
        CHECK_OK(gc_buffer_destroy(from[i]));
        CHECK_OK(gc_buffer_destroy(to[i]));
    }
}

/* Submits each script to a stream of its own, so that they are not ordered. */
static gc_graph *in_branches(gc_script *const *scripts) {
    gc_event *fork = open_event(rig.context);
    gc_graph *graph = NULL;
    gc_stream *branches[BRANCHES];
    unsigned i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_event_record(fork, rig.stream, 0));
    for (i = 0; i < BRANCHES; i++) {
        gc_event *join = open_event(rig.context);
        branches[i] = open_stream(rig.context, 0);
        REQUIRE_OK(gc_stream_wait_event(branches[i], fork, 0));
        REQUIRE_OK(gc_script_submit(scripts[i], branches[i], NULL));
        REQUIRE_OK(gc_event_record(join, branches[i], 0));
        REQUIRE_OK(gc_stream_wait_event(rig.stream, join, 0));
        CHECK_OK(gc_event_destroy(join));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    for (i = 0; i < BRANCHES; i++)
        CHECK_OK(gc_stream_destroy(branches[i]));
    CHECK_OK(gc_event_destroy(fork));
    return graph;
}

/* Replays of unordered branches give the bits of the serial order. */
static void branches_are_as_in_order(gc_script *const *scripts, gc_buffer *const *outputs, size_t count) {
    float *expected[BRANCHES];
    gc_graph *graph;
    gc_graph_exec *exec = NULL;
    unsigned i, replay, wrong = 0;
    for (i = 0; i < BRANCHES; i++)
        CHECK_OK(gc_script_submit(scripts[i], rig.stream, NULL));
    for (i = 0; i < BRANCHES; i++)
        expected[i] = download(outputs[i], count);
    graph = in_branches(scripts);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    for (replay = 0; replay < REPLAYS; replay++) {
        for (i = 0; i < BRANCHES; i++)
            CHECK_OK(gc_stream_memset(rig.stream, outputs[i], 0, 0xff, 1, count * sizeof(float)));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        for (i = 0; i < BRANCHES; i++) {
            float *result = download(outputs[i], count);
            wrong += memcmp(result, expected[i], count * sizeof(float)) != 0;
            free(result);
        }
    }
    if (check_failed(wrong == 0))
        fprintf(stderr, "%s: %u of %u results differ\n", check_test, wrong, REPLAYS * BRANCHES);
    for (i = 0; i < BRANCHES; i++)
        free(expected[i]);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Long and narrow, which cuBLAS splits along k and so needs its workspace for. */
static void products_of_unordered_branches(void) {
    enum { ROWS = 32, INNER = 4096 };
    gc_script *scripts[BRANCHES];
    gc_buffer *buffers[BRANCHES][3], *outputs[BRANCHES];
    unsigned i, k;
    uint64_t inner = on_cuda() ? INNER : INNER / 8;
    for (i = 0; i < BRANCHES; i++) {
        gc_sgemm_params params = GRAPHCAP_SGEMM_PARAMS_INIT;
        for (k = 0; k < 3; k++) {
            size_t count = k == 2 ? ROWS * ROWS : ROWS * inner;
            float *numbers = random_numbers(count);
            buffers[i][k] = upload(numbers, count);
            free(numbers);
        }
        params.m = params.n = ROWS;
        params.k = inner;
        params.a = buffers[i][0], params.b = buffers[i][1], params.c = outputs[i] = buffers[i][2];
        params.alpha = 1;
        scripts[i] = open_script();
        push_sgemm(scripts[i], &params);
    }
    branches_are_as_in_order(scripts, outputs, ROWS * ROWS);
    for (i = 0; i < BRANCHES; i++) {
        CHECK_OK(gc_script_destroy(scripts[i]));
        for (k = 0; k < 3; k++)
            CHECK_OK(gc_buffer_destroy(buffers[i][k]));
    }
}

/* All branches share one plan. */
static void transforms_of_unordered_branches(void) {
    enum { LENGTH = 3000, HALF = LENGTH / 2 + 1, BATCH = 4 };
    gc_script *scripts[BRANCHES];
    gc_buffer *inputs[BRANCHES], *outputs[BRANCHES];
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_plan *plan = NULL;
    unsigned i;
    shape.length = LENGTH;
    shape.batch_count = BATCH;
    REQUIRE_OK(gc_fft_plan_create(rig.context, &shape, &plan));
    for (i = 0; i < BRANCHES; i++) {
        gc_fft_params params = GRAPHCAP_FFT_PARAMS_INIT;
        float *numbers = random_numbers(2 * HALF * BATCH);
        params.plan = plan;
        params.input = inputs[i] = upload(numbers, LENGTH * BATCH);
        params.output = outputs[i] = upload(numbers, 2 * HALF * BATCH);
        free(numbers);
        scripts[i] = open_script();
        push_fft(scripts[i], GRAPHCAP_WORK_FFT_R2C, &params);
    }
    CHECK_OK(gc_fft_plan_destroy(plan));
    branches_are_as_in_order(scripts, outputs, 2 * HALF * BATCH);
    for (i = 0; i < BRANCHES; i++) {
        CHECK_OK(gc_script_destroy(scripts[i]));
        CHECK_OK(gc_buffer_destroy(inputs[i]));
        CHECK_OK(gc_buffer_destroy(outputs[i]));
    }
}

static void refused(gc_sgemm_params params, const char *part) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_script *script = open_script();
    gc_graph *graph = NULL;
    gc_status status;
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = &params;
    status = gc_script_push(script, &desc);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph);
    check_message(__FILE__, __LINE__, "gc_script", status, GRAPHCAP_ERROR_INVALID_VALUE, part);
    CHECK_OK(gc_script_destroy(script));
}

/* Handles of other kinds are refused as such. */
static void check_handles(const gc_sgemm_params *good) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_sgemm_params product = *good;
    gc_fft_params transform = GRAPHCAP_FFT_PARAMS_INIT;
    gc_script *script = open_script();
    desc.kind = GRAPHCAP_WORK_SGEMM;
    desc.sgemm_params = &product;
    product.a = (const gc_buffer *)rig.stream;
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_HANDLE);
    product = *good;
    product.beta_scalar = (const gc_scalar *)rig.stream;
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_HANDLE);
    desc.kind = GRAPHCAP_WORK_FFT_C2R;
    desc.sgemm_params = NULL;
    desc.fft_params = &transform;
    transform.plan = (const gc_fft_plan *)rig.stream;
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_HANDLE);
    /* And what the kind does not name. */
    desc.sgemm_params = &product;
    CHECK_STATUS(gc_script_push(script, &desc), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_script_destroy(script));
}

static void operands_that_do_not_fit_are_refused(void) {
    const uint32_t one = 1;
    gc_sgemm_params good = GRAPHCAP_SGEMM_PARAMS_INIT, params;
    gc_buffer *buffers[3];
    gc_scalar *integer = NULL;
    unsigned i;
    for (i = 0; i < 3; i++)
        buffers[i] = open_buffer(rig.context, 64);
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &one, &integer));
    good.m = good.n = good.k = 4;
    good.a = buffers[0], good.b = buffers[1], good.c = buffers[2];
    good.alpha = 1;
    params = good, params.lda = 5, refused(params, "overrun");
    params = good, params.lda = 3, refused(params, "leading dimension of A");
    params = good, params.c = buffers[1], refused(params, "overlaps B");
    params = good, params.m = 2, params.ldc = 2, params.c_offset = 2, refused(params, "no multiple of 4");
    params = good, params.alpha = 0, params.alpha_scalar = integer, refused(params, "alpha");
    params = good, params.alpha_scalar = integer, refused(params, "alpha");
    params = good, params.math_mode = 7, refused(params, "math_mode");
    params = good, params.transpose_b = 2, refused(params, "transpose_b");
    params = good, params.workspace_bytes = 16383, refused(params, "workspace");
    params = good, params.workspace_bytes = UINT64_MAX - 1, refused(params, "workspace");
    params = good, params.k = UINT64_MAX, refused(params, "k is");
    CHECK_OK(gc_scalar_destroy(integer));
    check_handles(&good);
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_buffer_destroy(buffers[i]));
}

/* Whether the device can calculate. */
static int has_libraries(void) {
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_sgemm_params params = GRAPHCAP_SGEMM_PARAMS_INIT;
    gc_fft_plan *plan = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_script *script = open_script();
    gc_status products, transforms;
    shape.length = 4;
    params.m = params.n = params.k = 1;
    params.a = params.b = params.c = buffer;
    params.c_offset = 8;
    push_sgemm(script, &params);
    products = gc_script_prepare(script, NULL);
    transforms = gc_fft_plan_create(rig.context, &shape, &plan);
    CHECK(on_cuda() || (products == GRAPHCAP_SUCCESS && transforms == GRAPHCAP_SUCCESS));
    CHECK_OK(gc_fft_plan_destroy(plan));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(buffer));
    return products != GRAPHCAP_ERROR_LIBRARY && transforms != GRAPHCAP_ERROR_LIBRARY;
}

int main(void) {
    rig_open(&rig);
    if (!has_libraries()) {
        fprintf(stderr, "skipped: cuBLAS or cuFFT is not installed\n");
        rig_close(&rig);
        return EXIT_SKIPPED;
    }
    RUN(products_are_those_of_doubles);
    RUN(transforms_are_those_of_doubles);
    RUN(imaginary_parts_of_the_ends_are_ignored);
    RUN(products_of_unordered_branches);
    RUN(transforms_of_unordered_branches);
    RUN(operands_that_do_not_fit_are_refused);
    rig_close(&rig);
    return check_finish();
}
