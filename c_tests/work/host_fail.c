/* Host functions and host kernels that fail and say why: whoever waits is told. */
#include "kernels.h"

static struct rig rig;
static gc_module *module;
static gc_kernel *failing;

/* How a kernel fails. */
enum { RETURNS_IT, RETURNS_0, FAILS_TWICE };

/* The block fails whose number is the first parameter. */
static int32_t kernel_failing(const gc_host_block *block, const void *const *arguments) {
    gc_status status;
    if (block->block_index[0] != PARAMETER(uint32_t, 0))
        return 0;
    status = gc_host_fail("the halo is empty");
    if (PARAMETER(uint32_t, 1) == FAILS_TWICE)
        gc_host_fail("for another reason");
    return PARAMETER(uint32_t, 1) == RETURNS_0 ? 0 : status;
}

static const size_t sizes[] = {sizeof(uint32_t), sizeof(uint32_t)};
static const gc_host_kernel failing_kernel = {(uint32_t)sizeof(gc_host_kernel), 0, "failing", kernel_failing, sizes, 2, NULL, 0};

static void setup(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.host_kernels = &failing_kernel;
    description.host_kernel_count = 1;
    rig_open(&rig);
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    failing = get_kernel(module, "failing");
}

static void teardown(void) {
    CHECK_OK(gc_kernel_destroy(failing));
    CHECK_OK(gc_module_destroy(module));
    rig_close(&rig);
}

static gc_status launch_failing(uint32_t blocks, uint32_t block, uint32_t how) {
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(block), GRAPHCAP_ARG_INIT_VALUE(how)};
    return launch(rig.stream, failing, blocks, 1, arguments, 2);
}

static void fail(void *user_data) {
    const gc_status status = gc_host_fail((const char *)user_data);
    CHECK(status == GRAPHCAP_ERROR_CALLBACK);
}

static void fail_without_reason(void *unused) {
    (void)unused;
    CHECK(gc_host_fail(NULL) == GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(gc_host_fail("\xff") == GRAPHCAP_ERROR_INVALID_VALUE);
}

static void only_work_can_fail(void) {
    rig_open(&rig);
    CHECK_MESSAGE(gc_host_fail("no work"), GRAPHCAP_ERROR_NOT_PERMITTED, "host functions and host kernels");
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, fail_without_reason, NULL, NULL));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    rig_close(&rig);
}

/* On the host device the context has faulted, until it is reset. On a CUDA device the failure is told once, and work goes on. */
static void expect_failure(gc_status status, const char *reason, const unsigned *calls) {
    char message[1024] = "";
    CHECK_STATUS(status, GRAPHCAP_ERROR_CALLBACK);
    gc_last_error_message(message, sizeof message, NULL);
    CHECK(check_contains(message, reason));
    if (on_cuda()) {
        CHECK(calls == NULL || *calls == 1);
        CHECK_OK(gc_stream_synchronize(rig.stream));
    } else {
        CHECK(check_contains(message, "gc_context_reset()"));
        CHECK_MESSAGE(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_CALLBACK, reason);
    }
}

static void host_functions_fail(void) {
    char reason[] = "the disk is full";
    unsigned calls = 0;
    struct gate gate;
    rig_open(&rig);
    /* A context that has faulted takes nothing more: it fails once all is queued. */
    gate_init(&gate);
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, fail, reason, NULL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    gate_open(&gate);
    expect_failure(gc_stream_synchronize(rig.stream), "a host function failed: the disk is full", &calls);
    gate_free(&gate);
    rig_close(&rig);
    check_new_context_works();
}

static void recorded_functions_fail(void) {
    char reason[] = "the disk is full";
    gc_graph_exec *exec;
    gc_event *event;
    unsigned calls = 0;
    struct gate gate;
    rig_open(&rig);
    gate_init(&gate);
    event = open_event(rig.context);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, fail, reason, NULL));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    exec = finish_capture(rig.stream);
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    REQUIRE_OK(gc_event_record(event, rig.stream, 0));
    gate_open(&gate);
    expect_failure(gc_event_synchronize(event), reason, &calls);
    gate_free(&gate);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    rig_close(&rig);
}

static void kernels_fail(void) {
    uint32_t how, blocks;
    NOT_ON_CUDA("its kernels run on the GPU");
    for (how = RETURNS_IT; how <= FAILS_TWICE; how++) {
        for (blocks = 1; blocks <= 9; blocks += 8) {
            setup();
            REQUIRE_OK(launch_failing(blocks, blocks / 2, how));
            expect_failure(gc_stream_synchronize(rig.stream), "kernel 'failing' failed in block (", NULL);
            CHECK_MESSAGE(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CALLBACK, "the halo is empty");
            teardown();
        }
    }
}

static void nodes_fail(void) {
    gc_graph_exec *exec;
    uint32_t how, blocks;
    NOT_ON_CUDA("its kernels run on the GPU");
    for (how = RETURNS_IT; how <= FAILS_TWICE; how++) {
        for (blocks = 1; blocks <= 9; blocks += 8) {
            setup();
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
            REQUIRE_OK(launch_failing(1, 1, RETURNS_IT));
            REQUIRE_OK(launch_failing(blocks, blocks / 2, how));
            exec = finish_capture(rig.stream);
            REQUIRE_OK(gc_graph_launch(exec, rig.stream));
            expect_failure(gc_stream_synchronize(rig.stream), "the halo is empty", NULL);
            CHECK_OK(gc_graph_exec_destroy(exec));
            teardown();
        }
    }
}

/* A reset begins such a context anew. */
static void a_reset_mends_the_context(void) {
    char reason[] = "once";
    unsigned calls = 0;
    gc_stream *stream;
    NOT_ON_CUDA("the context has not faulted");
    rig_open(&rig);
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, fail, reason, NULL));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CALLBACK);
    REQUIRE_OK(gc_context_reset(rig.context));
    stream = open_stream(rig.context, 0);
    REQUIRE_OK(gc_stream_launch_host_func(stream, count_call, &calls, NULL));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(calls == 1);
    CHECK_OK(gc_stream_destroy(stream));
    rig_close(&rig);
}

/* Called with the count of the calls: what it says belongs to no work. */
static void fail_and_count(void *user_data) {
    gc_host_fail("a destroy function");
    __atomic_fetch_add((unsigned *)user_data, 1, __ATOMIC_RELEASE);
}

static void a_destroy_cannot_fail(void) {
    unsigned calls = 0, i;
    rig_open(&rig);
    for (i = 0; i < 10; i++)
        REQUIRE_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, fail_and_count));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    while (__atomic_load_n(&calls, __ATOMIC_ACQUIRE) < 20)
        pause_ms(1);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    rig_close(&rig);
}

int main(void) {
    RUN(only_work_can_fail);
    RUN(host_functions_fail);
    RUN(recorded_functions_fail);
    RUN(kernels_fail);
    RUN(nodes_fail);
    RUN(a_reset_mends_the_context);
    RUN(a_destroy_cannot_fail);
    return check_finish();
}
