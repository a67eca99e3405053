/* How kernels run beside other nodes of an optimized graph, and memory that the CPU sees: what programs state of them. */
#include "nodes.h"

enum { CELLS = 6 };

static struct rig rig;
static gc_buffer *cells[CELLS];

static const uint32_t stated[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};

/* `add` and `fill` in turn, each with a cell of its own, as one stream records them. */
static gc_graph *open_chain(gc_node nodes[CELLS]) {
    gc_graph *graph = open_graph(rig.context);
    unsigned i;
    for (i = 0; i < CELLS; i++)
        nodes[i] = i % 2 == 0 ? add_node(&rig, graph, i == 0 ? NULL : &nodes[i - 1], i != 0, cells[i], 0, i + 1)
                              : fill_node(&rig, graph, &nodes[i - 1], 1, cells[i], 0, i + 1);
    return graph;
}

static gc_graph *optimized(const gc_graph *graph, uint32_t flags, gc_optimize_report *report) {
    const gc_optimize_report empty = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *result = NULL;
    options.flags = flags;
    *report = empty;
    REQUIRE_OK(gc_graph_optimize(graph, &options, &result, NULL, report));
    return result;
}

/* The number of nodes on the longest path of the optimized graph, which is run. */
static uint64_t path_of(const gc_graph *graph, uint32_t flags, gc_optimize_report *report) {
    gc_graph *result = optimized(graph, flags, report);
    unsigned i;
    for (i = 0; i < CELLS; i++)
        clear_words(&rig, cells[i]);
    run_graph(&rig, result);
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == i + 1);
    CHECK_OK(gc_graph_destroy(result));
    return report->path_after;
}

static void kernels_that_talk_to_others_keep_their_order(void) {
    gc_optimize_report report;
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_reason reasons[CELLS];
    gc_verify_report verified = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_plan *plan = NULL;
    gc_node nodes[CELLS];
    gc_graph *graph = open_chain(nodes), *result = NULL;
    size_t count = 7;
    CHECK_OK(gc_kernel_set_accesses(rig.add, stated, 3));
    CHECK_OK(gc_kernel_set_accesses(rig.fill, stated, 3));
    CHECK(path_of(graph, 0, &report) == 1 && report.lanes == CELLS);
    options.flags = 0;
    REQUIRE_OK(gc_graph_optimize(graph, &options, &result, &plan, NULL));
    CHECK_OK(gc_graph_destroy(result));
    /* Three of one kernel, and each of the other one beside them. */
    CHECK_OK(gc_kernel_set_concurrency(rig.add, GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME));
    CHECK(path_of(graph, 0, &report) == CELLS / 2 && report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES);
    CHECK(report.barrier_count == 0);
    CHECK_STATUS(gc_plan_apply(plan, graph, 0, &result, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    /* Both kernels are of one kind. */
    CHECK_OK(gc_kernel_set_concurrency(rig.fill, GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME));
    CHECK(path_of(graph, 0, &report) == CELLS && report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED);
    CHECK_OK(gc_kernel_set_concurrency(rig.fill, GRAPHCAP_CONCURRENCY_FREE));
    /* Nobody answers a replay that is made for a trial. */
    CHECK(path_of(graph, GRAPHCAP_OPTIMIZE_MEASURE, &report) == CELLS / 2 && report.candidate_count == 0);
    CHECK_MESSAGE(gc_graph_verify(graph, NULL, &verified), GRAPHCAP_ERROR_NOT_SUPPORTED, "talk");
    CHECK_STATUS(gc_kernel_set_concurrency(rig.add, 3), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(path_of(graph, 0, &report) == CELLS / 2);
    /* Of kernels of which nothing else is known. */
    CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
    CHECK_OK(gc_graph_optimize_reasons(graph, NULL, reasons, CELLS, &count));
    CHECK(count == CELLS / 2 && reasons[0].kind == GRAPHCAP_OPTIMIZE_REASON_UNKNOWN_KERNEL);
    CHECK_OK(gc_kernel_set_concurrency(rig.add, GRAPHCAP_CONCURRENCY_FREE));
    CHECK_OK(gc_kernel_set_accesses(rig.add, stated, 3));
    CHECK_OK(gc_plan_apply(plan, graph, 0, &result, NULL));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_plan_destroy(plan));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Two that were recorded on two streams. */
static void kernels_that_talk_to_others_never_run_at_once(void) {
    gc_optimize_report report;
    gc_node nodes[CELLS];
    gc_graph *graph = open_graph(rig.context);
    unsigned i;
    for (i = 0; i < CELLS; i++)
        nodes[i] = i < 2 ? add_node(&rig, graph, NULL, 0, cells[i], 0, i + 1)
                         : fill_node(&rig, graph, &nodes[i - 2], 1, cells[i], 0, i + 1);
    CHECK_OK(gc_kernel_set_concurrency(rig.add, GRAPHCAP_CONCURRENCY_ONE_AT_A_TIME));
    CHECK(path_of(graph, 0, &report) == 2 && report.edges == GRAPHCAP_OPTIMIZE_EDGES_LANES);
    CHECK_OK(gc_kernel_set_concurrency(rig.add, GRAPHCAP_CONCURRENCY_FREE));
    CHECK(path_of(graph, 0, &report) == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

static void kernels_that_need_the_device_run_beside_nothing(void) {
    gc_optimize_report report;
    gc_optimize_reason reasons[CELLS];
    gc_node nodes[CELLS];
    gc_graph *graph = open_chain(nodes);
    size_t count = 0;
    CHECK_OK(gc_kernel_set_concurrency(rig.add, GRAPHCAP_CONCURRENCY_ALONE));
    CHECK(path_of(graph, 0, &report) == CELLS && report.edges == GRAPHCAP_OPTIMIZE_EDGES_RECORDED);
    CHECK(report.barrier_count == CELLS / 2);
    CHECK_OK(gc_graph_optimize_reasons(graph, NULL, reasons, CELLS, &count));
    CHECK(count == CELLS / 2 && reasons[1].kind == GRAPHCAP_OPTIMIZE_REASON_COOPERATIVE && reasons[1].node == nodes[2]);
    CHECK_OK(gc_kernel_set_concurrency(rig.add, GRAPHCAP_CONCURRENCY_FREE));
    CHECK(path_of(graph, 0, &report) == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_nobody_observes_is_ordered_by_what_it_touches(void) {
    gc_optimize_report report;
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report verified = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_graph *graph = open_graph(rig.context), *result;
    gc_buffer *managed[4];
    gc_node nodes[4];
    unsigned i;
    for (i = 0; i < 4; i++) {
        REQUIRE_OK(gc_buffer_allocate_managed(rig.context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed[i]));
        /* What is compared later has to be something. */
        CHECK_OK(gc_stream_memset(rig.stream, managed[i], 0, 0, 4, 16));
        nodes[i] = fill_node(&rig, graph, i == 0 ? NULL : &nodes[i - 1], i != 0, managed[i], 0, i);
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    result = optimized(graph, 0, &report);
    CHECK(report.path_after == 4 && report.barrier_count == 4);
    CHECK_OK(gc_graph_destroy(result));
    result = optimized(graph, GRAPHCAP_OPTIMIZE_UNOBSERVED, &report);
    CHECK(report.path_after == 1 && report.barrier_count == 0);
    run_graph(&rig, result);
    for (i = 0; i < 4; i++)
        CHECK(read_u32(rig.stream, managed[i], 0) == i);
    options.flags = GRAPHCAP_VERIFY_UNOBSERVED;
    CHECK_OK(gc_graph_verify(graph, &options, &verified));
    CHECK(verified.finding == GRAPHCAP_VERIFY_NOTHING);
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 4; i++)
        CHECK_OK(gc_buffer_destroy(managed[i]));
}

/* A variable of a module, or what a pointer in memory leads to. */
static void buffers_that_no_argument_points_to_are_stated(void) {
    gc_optimize_report report;
    gc_optimize_reason reasons[CELLS];
    gc_verify_report verified = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_buffer *besides = open_buffer(rig.context, 64), *managed = NULL;
    gc_host_buffer *pinned = NULL;
    gc_node nodes[CELLS];
    gc_graph *graph = open_chain(nodes);
    uint64_t address = 0;
    size_t count = 0;
    clear_words(&rig, besides);
    CHECK_OK(gc_buffer_address(besides, &address));
    CHECK(path_of(graph, 0, &report) == 1);
    /* Each launch of `add` reads and writes it, and none of `fill`. */
    CHECK_OK(gc_kernel_set_buffer_access(rig.add, besides, GRAPHCAP_ACCESS_READ_WRITE));
    CHECK(path_of(graph, 0, &report) == CELLS / 2 && report.barrier_count == 0);
    CHECK_OK(gc_graph_optimize_reasons(graph, NULL, reasons, CELLS, &count));
    CHECK(count == CELLS / 2 - 1 && reasons[0].kind == GRAPHCAP_OPTIMIZE_REASON_CONFLICT);
    CHECK(reasons[0].earlier == nodes[0] && reasons[0].node == nodes[2] && reasons[0].address == address && reasons[0].bytes == 64);
    CHECK_OK(gc_graph_verify(graph, NULL, &verified));
    CHECK(verified.finding == GRAPHCAP_VERIFY_NOTHING);
    /* Launches that read it run beside each other, and not beside those that write it. */
    CHECK_OK(gc_kernel_set_buffer_access(rig.add, besides, GRAPHCAP_ACCESS_READ));
    CHECK(path_of(graph, 0, &report) == 1);
    CHECK_OK(gc_kernel_set_buffer_access(rig.fill, besides, GRAPHCAP_ACCESS_WRITE));
    CHECK(path_of(graph, 0, &report) == CELLS);
    CHECK_STATUS(gc_kernel_set_buffer_access(rig.fill, besides, 9), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(path_of(graph, 0, &report) == CELLS);
    /* The statement keeps the buffer, and is taken back by another handle of these bytes. */
    {
        gc_buffer *same = NULL;
        CHECK_OK(gc_buffer_destroy(besides));
        CHECK(path_of(graph, 0, &report) == CELLS);
        REQUIRE_OK(gc_context_find_buffer(rig.context, address, &same, &pinned, NULL));
        CHECK_OK(gc_kernel_set_buffer_access(rig.fill, same, GRAPHCAP_ACCESS_NONE));
        CHECK(path_of(graph, 0, &report) == 1);
        CHECK_OK(gc_kernel_set_buffer_access(rig.add, same, GRAPHCAP_ACCESS_NONE));
        CHECK_OK(gc_buffer_destroy(same));
    }
    CHECK_STATUS(gc_context_find_buffer(rig.context, address, &besides, &pinned, NULL), GRAPHCAP_ERROR_NOT_FOUND);
    /* The CPU may look at what is written. */
    REQUIRE_OK(gc_buffer_allocate_managed(rig.context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed));
    CHECK_OK(gc_kernel_set_buffer_access(rig.add, managed, GRAPHCAP_ACCESS_WRITE));
    CHECK_OK(gc_graph_optimize_reasons(graph, NULL, reasons, CELLS, &count));
    CHECK(count == CELLS / 2 && reasons[0].kind == GRAPHCAP_OPTIMIZE_REASON_SEEN_OUTSIDE && reasons[0].parameter == UINT32_MAX);
    CHECK_OK(gc_kernel_set_buffer_access(rig.add, managed, GRAPHCAP_ACCESS_NONE));
    CHECK_OK(gc_buffer_destroy(managed));
    /* It makes no kernel known. */
    CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
    CHECK_OK(gc_kernel_set_buffer_access(rig.add, cells[0], GRAPHCAP_ACCESS_READ));
    CHECK(path_of(graph, 0, &report) == CELLS && report.barrier_count == CELLS / 2);
    CHECK_OK(gc_kernel_set_buffer_access(rig.add, cells[0], GRAPHCAP_ACCESS_NONE));
    CHECK_OK(gc_kernel_set_accesses(rig.add, stated, 3));
    CHECK_OK(gc_graph_destroy(graph));
}

/* The description of a module states what a host kernel does, for the kernel of that name in its image as well. */
static void note_release(void *user_data) {
    __atomic_store_n((int *)user_data, 1, __ATOMIC_RELEASE);
}

/* A buffer of which the statement is the last to know stays as long as the work of the kernel. */
static void what_is_stated_stays_until_the_work_is_over(void) {
    static const int in_graph[] = {0, 1};
    size_t way;
    NOT_ON_CUDA("a kernel there cannot wait for the CPU");
    for (way = 0; way < LENGTH_OF(in_graph); way++) {
        static uint32_t memory[16];
        gc_module_description description = test_module();
        const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
        struct gate gate, *of_gate = &gate;
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(of_gate)};
        int is_released = 0, looks;
        gc_module *module = NULL;
        gc_kernel *kernel = NULL;
        gc_buffer *buffer = NULL;
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        gc_node node;
        gate_init(&gate);
        REQUIRE_OK(gc_module_load(rig.context, &description, &module));
        REQUIRE_OK(gc_module_get_kernel(module, "hold", &kernel));
        REQUIRE_OK(gc_buffer_wrap(rig.context, memory, sizeof memory, &is_released, note_release, &buffer));
        REQUIRE_OK(gc_kernel_set_buffer_access(kernel, buffer, GRAPHCAP_ACCESS_WRITE));
        if (in_graph[way]) {
            graph = open_graph(rig.context);
            REQUIRE_OK(gc_graph_add_kernel_node(graph, NULL, 0, kernel, &config, arguments, 1, &node));
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
            CHECK_OK(gc_graph_destroy(graph));
            REQUIRE_OK(gc_graph_launch(exec, rig.stream));
        } else {
            REQUIRE_OK(gc_stream_launch_kernel(rig.stream, kernel, &config, arguments, 1));
        }
        gate_await(&gate, 1);
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_kernel_destroy(kernel));
        CHECK_OK(gc_module_destroy(module));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK(!__atomic_load_n(&is_released, __ATOMIC_ACQUIRE));
        gate_open(&gate);
        REQUIRE_OK(gc_stream_synchronize(rig.stream));
        /* What a lane still has of the launch goes a moment later. */
        for (looks = 0; looks < 10000 && !__atomic_load_n(&is_released, __ATOMIC_ACQUIRE); looks++) {
            CHECK_OK(gc_context_synchronize(rig.context));
            pause_ms(1);
        }
        CHECK(__atomic_load_n(&is_released, __ATOMIC_ACQUIRE));
        gate_free(&gate);
    }
}

static void modules_state_what_their_kernels_do(void) {
    const uint32_t wrong[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_NONE};
    gc_host_kernel kernels[LENGTH_OF(test_kernels)];
    gc_module_description description = test_module();
    gc_optimize_report report;
    gc_graph *graph, *result;
    gc_module *module = NULL;
    gc_kernel *add = NULL;
    gc_kernel *const usual = rig.add;
    gc_node nodes[2];
    unsigned way;
    memcpy(kernels, test_kernels, sizeof kernels);
    description.host_kernels = kernels;
    CHECK(strcmp(kernels[1].name, "add") == 0);
    kernels[1].accesses = wrong;
    kernels[1].access_count = 3;
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE, "parameter 1");
    kernels[1].accesses = stated;
    kernels[1].access_count = 2;
    CHECK_STATUS(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE);
    kernels[1].accesses = NULL;
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE, "accesses");
    CHECK(module == NULL);
    /* With the statement, and without. */
    for (way = 0; way < 2; way++) {
        kernels[1].accesses = way == 0 ? stated : NULL;
        kernels[1].access_count = way == 0 ? 3 : 0;
        REQUIRE_OK(gc_module_load(rig.context, &description, &module));
        REQUIRE_OK(gc_module_get_kernel(module, "add", &add));
        rig.add = add;
        graph = open_graph(rig.context);
        nodes[0] = add_node(&rig, graph, NULL, 0, cells[0], 0, 1);
        nodes[1] = add_node(&rig, graph, nodes, 1, cells[1], 0, 1);
        result = optimized(graph, 0, &report);
        CHECK(report.path_after == (way == 0 ? 1 : 2) && report.barrier_count == (way == 0 ? 0 : 2));
        CHECK_OK(gc_graph_destroy(result));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_kernel_destroy(add));
        CHECK_OK(gc_module_destroy(module));
        module = NULL;
    }
    rig.add = usual;
}

int main(void) {
    unsigned i;
    rig_open(&rig);
    for (i = 0; i < CELLS; i++)
        cells[i] = open_buffer(rig.context, 64);
    RUN(kernels_that_talk_to_others_keep_their_order);
    RUN(kernels_that_talk_to_others_never_run_at_once);
    RUN(kernels_that_need_the_device_run_beside_nothing);
    RUN(what_nobody_observes_is_ordered_by_what_it_touches);
    RUN(buffers_that_no_argument_points_to_are_stated);
    RUN(what_is_stated_stays_until_the_work_is_over);
    RUN(modules_state_what_their_kernels_do);
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
    rig_close(&rig);
    return check_finish();
}
