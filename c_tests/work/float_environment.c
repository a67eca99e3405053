/* Kernels and callbacks run in the default floating-point environment, whoever runs them; a caller keeps its own. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../kit/actors.h"

#include <fenv.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* What a thread computes, by which its environment can be told. */
struct seen {
    float third;
    float denormal;
    uint32_t is_long_third; /* whether a third, as a long double, is the one of the default environment */
};

static volatile float one = 1.0f, three = 3.0f, tiny = 1e-39f, zero = 0.0f;
static volatile long double long_one = 1.0L, long_three = 3.0L, long_third;

/* Looks at bits, since the caller may flush denormals when it compares them. */
static int is_default(const struct seen *seen) {
    uint32_t third, denormal;
    memcpy(&third, &seen->third, sizeof third);
    memcpy(&denormal, &seen->denormal, sizeof denormal);
    return third == 0x3eaaaaabu && denormal != 0 && seen->is_long_third;
}

static void see(void *user_data) {
    volatile struct seen *seen = (volatile struct seen *)user_data;
    long double third = long_one / long_three;
    seen->is_long_third = third == long_third;
    seen->denormal = tiny * one;
    seen->third = one / three;
}

static int32_t kernel_see(const gc_host_block *block, const void *const *arguments) {
    see(PARAMETER(struct seen *, 0) + linear_block(block));
    return 0;
}

/* Leaves the environment of its thread changed. */
static int32_t kernel_spoil(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    (void)arguments;
    fesetround(FE_UPWARD);
    return 0;
}

static int32_t kernel_divide(const gc_host_block *block, const void *const *arguments) {
    volatile float infinite = one / zero;
    (void)infinite;
    return kernel_see(block, arguments);
}

static const gc_host_kernel kernels[] = {
    HOST_KERNEL(see, sizes_address),
    HOST_KERNEL(divide, sizes_address),
    {(uint32_t)sizeof(gc_host_kernel), 0, "spoil", kernel_spoil, sizes_u32, 0, NULL, 0},
};

static gc_module *module;
static gc_kernel *seeing, *dividing, *spoiling;
static gc_buffer *results;

enum { BLOCKS = 64 };

static void setup(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.host_kernels = kernels;
    description.host_kernel_count = LENGTH_OF(kernels);
    rig_open(&rig);
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    seeing = get_kernel(module, "see");
    dividing = get_kernel(module, "divide");
    spoiling = get_kernel(module, "spoil");
    results = open_buffer(rig.context, BLOCKS * sizeof(struct seen));
}

static void teardown(void) {
    CHECK_OK(gc_buffer_destroy(results));
    CHECK_OK(gc_kernel_destroy(spoiling));
    CHECK_OK(gc_kernel_destroy(dividing));
    CHECK_OK(gc_kernel_destroy(seeing));
    CHECK_OK(gc_module_destroy(module));
    rig_close(&rig);
}

static void launch_seeing(const gc_kernel *kernel) {
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(results);
    CHECK_OK(gc_stream_memset(rig.stream, results, 0, 0, 1, BLOCKS * sizeof(struct seen)));
    CHECK_OK(launch(rig.stream, kernel, BLOCKS, 1, &argument, 1));
}

/* How many blocks saw another environment. The memory of the host device can be read once the stream is done. */
static unsigned others(void) {
    uint64_t address = 0;
    unsigned i, count = 0;
    CHECK_OK(gc_buffer_address(results, &address));
    for (i = 0; i < BLOCKS; i++)
        count += !is_default((const struct seen *)(uintptr_t)address + i);
    return count;
}

/* The environments of callers: by rounding, and by what else there is. */
static unsigned environment_count(void) {
#if defined(__x86_64__)
    return is_under_memcheck() ? 3 : 4; /* memcheck flushes nothing */
#else
    return 3;
#endif
}

static void enter(unsigned environment) {
    static const int roundings[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    if (environment < LENGTH_OF(roundings))
        fesetround(roundings[environment]);
#if defined(__x86_64__)
    else
        _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static void kernels_round_as_ever(void) {
    unsigned i;
    NOT_ON_CUDA("a GPU does not round as the CPU does");
    setup();
    for (i = 0; i < environment_count(); i++) {
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        unsigned eager, replayed;
        fenv_t before;
        fegetenv(&before);
        enter(i);
#if defined(__x86_64__)
        unsigned csr = _mm_getcsr();
#endif
        int rounding = fegetround(), flags = fetestexcept(FE_ALL_EXCEPT);
        launch_seeing(seeing);
        CHECK_OK(gc_stream_synchronize(rig.stream));
        eager = others();
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        launch_seeing(seeing);
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        replayed = others();
        CHECK(fegetround() == rounding && fetestexcept(FE_ALL_EXCEPT) == flags);
#if defined(__x86_64__)
        CHECK(_mm_getcsr() == csr);
#endif
        fesetenv(&before);
        CHECK(eager == 0 && replayed == 0);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
    }
    teardown();
}

static void lanes_do_not_round_as_who_started_them(void) {
    int32_t complete = 0;
    NOT_ON_CUDA("a GPU does not round as the CPU does");
    fesetround(FE_UPWARD);
    setup();
    launch_seeing(seeing);
    /* Asking does no work: the lanes do all. */
    while (!complete)
        if (!CHECK_OK(gc_stream_is_complete(rig.stream, &complete)))
            break;
    fesetround(FE_TONEAREST);
    CHECK(others() == 0);
    teardown();
}

static void a_kernel_leaves_nothing_to_the_next(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i, wrong = 0;
    uint64_t address = 0;
    NOT_ON_CUDA("a GPU does not round as the CPU does");
    setup();
    CHECK_OK(gc_buffer_address(results, &address));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < BLOCKS; i++) {
        gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER_AT(results, i * sizeof(struct seen));
        CHECK_OK(launch(rig.stream, spoiling, 1, 1, NULL, 0));
        CHECK_OK(launch(rig.stream, seeing, 1, 1, &argument, 1));
    }
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* The control of long double, and aarch64's, are set once for several kernels. */
#if defined(__x86_64__)
    for (i = 0; i < BLOCKS; i++) {
        struct seen seen = ((const struct seen *)(uintptr_t)address)[i];
        seen.is_long_third = 1;
        wrong += !is_default(&seen);
    }
#endif
    CHECK(wrong == 0 && fegetround() == FE_TONEAREST);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    teardown();
}

static void see_answer(const gc_future *future, void *user_data) {
    (void)future;
    see(user_data);
}

static void callbacks_round_as_ever(void) {
    struct seen function, destroyed, refused, answered, late;
    gc_graph_exec *exec;
    gc_future *future;
    gc_actor *actor;
    unsigned calls = 0;
    memset(&function, 0, sizeof function);
    destroyed = refused = answered = late = function;
    fesetround(FE_DOWNWARD);
    rig_open(&rig);
    actor = open_actor(NULL);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, see, &function, NULL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &destroyed, see));
    /* Destroyed before the call returns, on this thread. */
    CHECK_STATUS(gc_stream_launch_host_func(NULL, see, &refused, see), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(fegetround() == FE_DOWNWARD);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    exec = adopt_calling(actor, count_call, &calls);
    future = ask_launch(actor, exec);
    CHECK_OK(gc_future_on_done(future, see_answer, &answered, NULL));
    CHECK_OK(gc_future_wait(future, UINT64_MAX, NULL));
    /* Called here, as the answer is there. */
    CHECK_OK(gc_future_on_done(future, see_answer, &late, NULL));
    CHECK(fegetround() == FE_DOWNWARD);
    CHECK_OK(gc_future_destroy(future));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_actor_destroy(actor));
    rig_close(&rig);
    while (__atomic_load_n((uint32_t *)&answered.third, __ATOMIC_ACQUIRE) == 0 ||
           __atomic_load_n((uint32_t *)&destroyed.third, __ATOMIC_ACQUIRE) < 2)
        pause_ms(1);
    fesetround(FE_TONEAREST);
    CHECK(is_default(&function) && is_default(&destroyed) && is_default(&refused) && is_default(&answered) && is_default(&late));
}

enum { LENGTH = 1000 };

/* The bits of a transform whose plan is made by a thread that rounds so, and is gone afterwards. */
static void transform(int rounding, uint32_t *spectrum) {
    static float numbers[LENGTH];
    gc_fft_plan_params shape = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_params params = GRAPHCAP_FFT_PARAMS_INIT;
    gc_work desc = GRAPHCAP_WORK_INIT;
    size_t bytes = (LENGTH / 2 + 1) * 2 * sizeof(float), i;
    gc_buffer *input = open_buffer(rig.context, sizeof numbers), *output = open_buffer(rig.context, bytes);
    gc_fft_plan *plan = NULL;
    gc_script *script = NULL;
    for (i = 0; i < LENGTH; i++)
        numbers[i] = (float)(i * i % 97) - 48.0f;
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, input, 0, numbers, sizeof numbers));
    shape.length = LENGTH;
    fesetround(rounding);
    REQUIRE_OK(gc_fft_plan_create(rig.context, &shape, &plan));
    fesetround(FE_TONEAREST);
    params.plan = plan, params.input = input, params.output = output;
    desc.kind = GRAPHCAP_WORK_FFT_R2C;
    desc.fft_params = &params;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    REQUIRE_OK(gc_script_push(script, &desc));
    CHECK_OK(gc_script_submit(script, rig.stream, NULL));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, spectrum, output, 0, bytes));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_fft_plan_destroy(plan));
    CHECK_OK(gc_buffer_destroy(output));
    CHECK_OK(gc_buffer_destroy(input));
}

static void plans_are_the_same_whoever_makes_them(void) {
    static uint32_t downward[LENGTH + 2], upward[LENGTH + 2], nearest[LENGTH + 2];
    NOT_ON_CUDA("plans there are cuFFT's");
    rig_open(&rig);
    transform(FE_DOWNWARD, downward);
    transform(FE_UPWARD, upward);
    transform(FE_TONEAREST, nearest);
    CHECK(memcmp(downward, nearest, sizeof nearest) == 0 && memcmp(upward, nearest, sizeof nearest) == 0);
    rig_close(&rig);
}

static void traps_of_a_caller_are_not_a_kernels(void) {
#if defined(__GLIBC__)
    NOT_ON_CUDA("a GPU does not trap");
    setup();
    feclearexcept(FE_ALL_EXCEPT);
    if (feenableexcept(FE_DIVBYZERO | FE_INVALID) != -1) {
        launch_seeing(dividing);
        CHECK_OK(gc_stream_synchronize(rig.stream));
        if (!is_under_memcheck())
            CHECK(fegetexcept() == (FE_DIVBYZERO | FE_INVALID));
        CHECK(fetestexcept(FE_DIVBYZERO) == 0);
        fedisableexcept(FE_ALL_EXCEPT);
        CHECK(others() == 0);
    }
    teardown();
#endif
}

int main(void) {
    long_third = long_one / long_three;
    RUN(kernels_round_as_ever);
    RUN(lanes_do_not_round_as_who_started_them);
    RUN(a_kernel_leaves_nothing_to_the_next);
    RUN(callbacks_round_as_ever);
    RUN(plans_are_the_same_whoever_makes_them);
    RUN(traps_of_a_caller_are_not_a_kernels);
    return check_finish();
}
