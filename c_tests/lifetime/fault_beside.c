/* One exec is launched on a context that it faults, and at once on another one: that one runs all of it and stays well. */
#include "kernels.h"

enum { WIDTH = 48 };

static int to_fail;
static long runs;

static int32_t work(const gc_host_block *block, const void *const *arguments) {
    volatile int turn;
    int expected = 1;
    (void)block, (void)arguments;
    for (turn = 0; turn < 3000; turn++)
        continue;
    if (__atomic_compare_exchange_n(&to_fail, &expected, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return 1;
    __atomic_fetch_add(&runs, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void do_nothing(void *user_data) {
    (void)user_data;
}

/* A host function beside kernels, all side by side. */
static gc_graph_exec *open_wide(const gc_context *context, const gc_kernel *kernel) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node;
    int i;
    REQUIRE_OK(gc_graph_create(context, &graph));
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, do_nothing, NULL, NULL, &node));
    for (i = 1; i < WIDTH; i++)
        REQUIRE_OK(gc_graph_add_kernel_node(graph, NULL, 0, kernel, &config, NULL, 0, &node));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    return exec;
}

static void a_fault_stays_with_the_context_of_its_launch(void) {
    const gc_host_kernel description = {sizeof(gc_host_kernel), 0, "work", work, NULL, 0, NULL, 0};
    gc_module_description of_module = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_context *home = open_context(), *other = open_context();
    gc_stream *stream = open_stream(other, 0);
    const unsigned rounds = soak(1500, 60000);
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_graph_exec *exec;
    unsigned round;
    of_module.host_kernels = &description;
    of_module.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(home, &of_module, &module));
    REQUIRE_OK(gc_module_get_kernel(module, "work", &kernel));
    exec = open_wide(home, kernel);
    for (round = 0; round < rounds && check_failures == 0; round++) {
        gc_context *faulty = open_context();
        gc_stream *faulted = open_stream(faulty, 0);
        __atomic_store_n(&runs, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&to_fail, 1, __ATOMIC_SEQ_CST);
        CHECK_OK(gc_graph_launch(exec, faulted));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_STATUS(gc_stream_synchronize(faulted), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        CHECK_OK(gc_stream_synchronize(stream));
        CHECK(__atomic_load_n(&runs, __ATOMIC_SEQ_CST) >= WIDTH - 1);
        CHECK_OK(gc_stream_destroy(faulted));
        CHECK_OK(gc_context_destroy(faulty));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(other));
    CHECK_OK(gc_context_destroy(home));
}

int main(void) {
    if (on_cuda())
        return 77;
    RUN(a_fault_stays_with_the_context_of_its_launch);
    return check_finish();
}
