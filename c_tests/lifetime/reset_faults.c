/* Resets of a context on the host device that faulted, or whose work never ends: the new generation works, what was stuck is
 * abandoned, and memory stays while code of the caller's still runs in it. What a GPU does after a fault is in fault/. */
#include "kernels.h"

/* hold_and_look(struct gate *gate, uint32_t *memory): passes the gate, and then writes what it was given. */
static gc_status range_status = GRAPHCAP_ERROR_UNKNOWN;
static unsigned has_looked;

static int32_t kernel_hold_and_look(const gc_host_block *block, const void *const *arguments) {
    uint32_t *memory = PARAMETER(uint32_t *, 1);
    (void)block;
    gate_hold(PARAMETER(struct gate *, 0));
    range_status = gc_host_check_range(memory, 4096);
    if (range_status == GRAPHCAP_SUCCESS)
        memset(memory, 1, 4096);
    count_call(&has_looked);
    return 0;
}

static gc_status launch_fail(const struct rig *rig, const gc_stream *stream) {
    gc_kernel *fail = get_kernel(rig->module, "fail");
    uint32_t number = 700;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    gc_status status = launch(stream, fail, 1, 1, arguments, 1);
    CHECK_OK(gc_kernel_destroy(fail));
    return status;
}

/* A graph whose loop never ends. */
static gc_graph_exec *endless_loop(const gc_context *context) {
    gc_graph *graph = NULL, *body = NULL;
    gc_graph_exec *exec = NULL;
    gc_condition condition = 0;
    gc_node node = 0, empty = 0;
    REQUIRE_OK(gc_graph_create(context, &graph));
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    REQUIRE_OK(gc_graph_add_empty_node(body, NULL, 0, &empty));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
    return exec;
}

static void check_works(const gc_context *context) {
    gc_module *module = load_kernels(context);
    gc_kernel *add = get_kernel(module, "add");
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *buffer = open_buffer(context, 4);
    uint32_t value = 3;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_graph_exec *exec;
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch(stream, add, 1, 1, arguments, 3));
    exec = finish_capture(stream);
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK(read_u32(stream, buffer, 0) == 6);
    CHECK_OK(gc_context_synchronize(context));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_kernel_destroy(add));
    CHECK_OK(gc_module_destroy(module));
}

/* A fault in an eager launch and in a replay by turns; a capture is open, memory is in use and other streams have work. */
static void a_faulted_context_recovers_again_and_again(void) {
    gc_context *context = open_context();
    unsigned round, released = 0;
    for (round = 0; round < 100; round++) {
        struct rig rig;
        uint32_t memory[16];
        gc_stream *side = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_stream *captured = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_buffer *wrapped = NULL, *refused = NULL;
        gc_graph_exec *exec = NULL;
        memset(memory, 0, sizeof memory);
        rig_open_in(&rig, context);
        REQUIRE_OK(gc_buffer_wrap(context, memory, sizeof memory, &released, count_call, &wrapped));
        CHECK_OK(launch_add(&rig, side, wrapped, 0, 1, 4));
        CHECK_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(launch_add(&rig, captured, wrapped, 0, 1, 4));
        if (round % 2 == 0) {
            CHECK_OK(launch_fail(&rig, rig.stream));
        } else {
            CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(launch_add(&rig, rig.stream, wrapped, 0, 1, 4));
            CHECK_OK(launch_fail(&rig, rig.stream));
            exec = finish_capture(rig.stream);
            CHECK_OK(gc_graph_launch(exec, rig.stream));
        }
        CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        CHECK_STATUS(gc_buffer_allocate(context, 64, &refused), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        CHECK_OK(gc_context_reset(context));
        CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_STALE);
        check_works(context);
        CHECK(await_count(&released, round + 1));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK_OK(gc_stream_destroy(captured));
        CHECK_OK(gc_stream_destroy(side));
        CHECK_OK(gc_kernel_destroy(rig.note));
        CHECK_OK(gc_kernel_destroy(rig.mix));
        CHECK_OK(gc_kernel_destroy(rig.hold));
        CHECK_OK(gc_kernel_destroy(rig.fill));
        CHECK_OK(gc_kernel_destroy(rig.add));
        CHECK_OK(gc_stream_destroy(rig.stream));
        CHECK_OK(gc_module_destroy(rig.module));
    }
    CHECK(count_of(&released) == 100);
    CHECK_OK(gc_context_destroy(context));
    CHECK(gc_live_handles() == 0);
}

/* A kernel of the caller's runs while its context faults, is reset, and loses its handles. */
static void memory_stays_while_a_kernel_runs_in_it(void) {
    static const size_t sizes[] = {sizeof(void *), sizeof(void *)};
    static const gc_host_kernel kernels[] = {
        {(uint32_t)sizeof(gc_host_kernel), 0, "hold_and_look", kernel_hold_and_look, sizes, 2, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    struct rig rig;
    struct gate gate, *gate_address = &gate;
    gc_module *module = NULL;
    gc_kernel *kernel;
    gc_stream *side;
    gc_buffer *buffer;
    uint64_t address = 0;
    gate_init(&gate);
    rig_open(&rig);
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    kernel = get_kernel(module, "hold_and_look");
    side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    buffer = open_buffer(rig.context, 4096);
    CHECK_OK(gc_buffer_address(buffer, &address));
    {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(gate_address), GRAPHCAP_ARG_INIT_BUFFER(buffer)};
        CHECK_OK(launch(side, kernel, 1, 1, arguments, 2));
    }
    gate_await(&gate, 1);
    CHECK_OK(launch_fail(&rig, rig.stream));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_OK(gc_context_reset(rig.context));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    check_works(rig.context);
    CHECK_OK(gc_host_check_range((void *)(uintptr_t)address, 4096));
    gate_open(&gate);
    CHECK(await_count(&has_looked, 1));
    CHECK_OK(range_status);
    rig_close(&rig);
    gate_free(&gate);
}

static void *await_stream(void *stream) {
    CHECK_STATUS(gc_stream_synchronize((const gc_stream *)stream), GRAPHCAP_ERROR_STALE);
    return NULL;
}

/* A wait for what never ends returns when the reset has given it up. Work behind it does not run. */
static void work_that_never_ends_is_abandoned(void) {
    enum { LOOP, VALUE, KINDS };
    int kind;
    for (kind = 0; kind < KINDS; kind++) {
        gc_context *context = open_context();
        gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_buffer *word = open_waitable(context, 8);
        gc_graph_exec *exec = endless_loop(context);
        unsigned called = 0, dropped = 0;
        pthread_t waiter;
        if (kind == LOOP)
            CHECK_OK(gc_graph_launch(exec, stream));
        else
            CHECK_OK(gc_stream_wait_value32(stream, word, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_stream_launch_host_func(stream, count_call, &called, NULL));
        CHECK_OK(gc_stream_launch_host_func(stream, gate_hold, &dropped, count_call));
        if (pthread_create(&waiter, NULL, await_stream, stream) != 0)
            exit(EXIT_FAILURE);
        pause_ms(5);
        CHECK_OK(gc_context_reset(context));
        check_works(context);
        pthread_join(waiter, NULL);
        CHECK(await_count(&dropped, 1) && count_of(&called) == 0);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_buffer_destroy(word));
        CHECK_OK(gc_stream_destroy(stream));
        CHECK_OK(gc_context_destroy(context));
    }
}

/* Another context waits for what the reset abandons. */
static void a_stream_of_another_context_goes_on(void) {
    struct rig other;
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_buffer *word = open_waitable(context, 8), *buffer;
    gc_event *event = open_event(context);
    rig_open(&other);
    buffer = open_buffer(other.context, 4);
    CHECK_OK(gc_stream_wait_value32(stream, word, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(other.stream, event, 0));
    CHECK_OK(launch_add(&other, other.stream, buffer, 0, 9, 1));
    CHECK_OK(gc_context_reset(context));
    CHECK(read_u32(other.stream, buffer, 0) == 9);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&other);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(word));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* The fault of old work, which ends after the reset, is none of the new generation. */
static void a_late_fault_stays_in_its_generation(void) {
    struct rig rig;
    struct gate gate;
    gc_context *context;
    gate_init(&gate);
    rig_open(&rig);
    context = rig.context;
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch_fail(&rig, rig.stream));
    gate_await(&gate, 1);
    CHECK_OK(gc_context_reset(context));
    gate_open(&gate);
    check_works(context);
    pause_ms(5);
    check_works(context);
    rig_close(&rig);
    gate_free(&gate);
}

int main(void) {
    if (on_cuda()) {
        fprintf(stderr, "skipped: a GPU does not recover, see fault/\n");
        return EXIT_SKIPPED;
    }
    RUN(a_faulted_context_recovers_again_and_again);
    RUN(memory_stays_while_a_kernel_runs_in_it);
    RUN(work_that_never_ends_is_abandoned);
    RUN(a_stream_of_another_context_goes_on);
    RUN(a_late_fault_stays_in_its_generation);
    return check_finish();
}
