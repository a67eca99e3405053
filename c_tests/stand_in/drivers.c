/* The whole C API on the oldest driver that graphcap takes, and on a newer one: what 12.0 had is offered on both,
 * nothing is left in the driver, and it is never used as it must not be. */
#include "drivers.h"

static uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    return address;
}

static void devices_are_counted_and_named(void) {
    uint32_t count = 0;
    char text[256] = "";
    CHECK_OK(gc_device_count(GRAPHCAP_DEVICE_CUDA, &count));
    CHECK(count == 2);
    CHECK_OK(gc_device_name(GRAPHCAP_DEVICE_CUDA, 1, text, sizeof text, NULL));
    CHECK(strcmp(text, "stand-in 1") == 0);
    CHECK_MESSAGE(gc_device_name(GRAPHCAP_DEVICE_CUDA, 2, text, sizeof text, NULL), GRAPHCAP_ERROR_INVALID_DEVICE,
                  "0 to 1");
    CHECK_OK(gc_device_auto_reason(text, sizeof text, NULL));
    CHECK(check_contains(text, "GRAPHCAP_DEVICE says cuda"));
    setenv("GRAPHCAP_DEVICE", "auto", 1);
    CHECK_OK(gc_device_auto_reason(text, sizeof text, NULL));
    CHECK(check_contains(text, is_old ? "CUDA 12.0 and has 2 devices" : "CUDA 13.0 and has 2 devices"));
    setenv("GRAPHCAP_DEVICE", "cuda", 1);
}

static void eager_work_runs(void) {
    gc_buffer *buffer = open_buffer(rig.context, WORDS * 4), *copy = open_buffer(rig.context, WORDS * 4);
    gc_event *start = open_event(rig.context), *end = open_event(rig.context);
    uint32_t words[WORDS], back[WORDS];
    unsigned calls = 0, i;
    int32_t complete = 0;
    float milliseconds = -1;
    for (i = 0; i < WORDS; i++)
        words[i] = i;
    CHECK_OK(gc_event_record(start, rig.stream, 0));
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, words, sizeof words));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 100, WORDS));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, copy, 0, buffer, 0, sizeof words));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 0xabcd, 2, 2));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 8, 0x7f, 1, 4));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, back, copy, 0, sizeof back));
    CHECK_OK(gc_event_record(end, rig.stream, 0));
    CHECK_OK(gc_stream_is_complete(rig.stream, &complete));
    CHECK_OK(gc_event_is_complete(end, &complete));
    CHECK_OK(gc_event_synchronize(end));
    CHECK_OK(gc_event_elapsed_time(start, end, &milliseconds));
    CHECK(complete && milliseconds >= 0 && calls == 1);
    for (i = 0; i < WORDS; i++)
        CHECK(back[i] == 100 + i);
    CHECK(read_u32(rig.stream, buffer, 0) == 100);
    CHECK(read_u32(rig.stream, buffer, 1) == 0xabcdabcd);
    CHECK(read_u32(rig.stream, buffer, 2) == 0x7f7f7f7f);
    CHECK_OK(gc_event_destroy(start));
    CHECK_OK(gc_event_destroy(end));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_buffer_destroy(copy));
}

/* Value operations of each kind, executed and recorded; none has to wait, since the stand-in cannot. */
static void value_operations_run(void) {
    gc_buffer *buffer = open_waitable(rig.context, WORDS * 4);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 16, 5, GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER),
                              GRAPHCAP_MEM_OP_INIT_WAIT32(buffer, 16, 4, GRAPHCAP_WAIT_VALUE_AND),
                              GRAPHCAP_MEM_OP_INIT_WRITE64(buffer, 24, UINT64_MAX, GRAPHCAP_WRITE_VALUE_DEFAULT),
                              GRAPHCAP_MEM_OP_INIT_WAIT64(buffer, 24, 1, GRAPHCAP_WAIT_VALUE_AND)};
    int captured;
    for (captured = 0; captured < 2; captured++) {
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        size_t nodes = 0;
        static char text[4096];
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, WORDS));
        if (captured)
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(gc_stream_write_value32(rig.stream, buffer, 4, 0x80000001u, GRAPHCAP_WRITE_VALUE_DEFAULT));
        CHECK_OK(gc_stream_wait_value32(rig.stream, buffer, 4, 0x80000000u, GRAPHCAP_WAIT_VALUE_GEQ));
        CHECK_OK(gc_stream_wait_value32(rig.stream, buffer, 4, 0x7fffffffu, GRAPHCAP_WAIT_VALUE_GEQ));
        CHECK_OK(gc_stream_write_value64(rig.stream, buffer, 8, 0x123456789abcu,
                                         GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER));
        CHECK_OK(gc_stream_wait_value64(rig.stream, buffer, 8, 0x123456789abcu,
                                        GRAPHCAP_WAIT_VALUE_EQ | GRAPHCAP_WAIT_VALUE_FLUSH));
        CHECK_OK(gc_stream_wait_value64(rig.stream, buffer, 8, 1, GRAPHCAP_WAIT_VALUE_NOR));
        CHECK_OK(gc_stream_batch_mem_op(rig.stream, operations, LENGTH_OF(operations), 0));
        if (captured) {
            REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
            CHECK_OK(gc_graph_node_count(graph, &nodes));
            CHECK(nodes == 7);
            CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
            CHECK(check_contains(text, "value operations") && check_contains(text, "wait for nor 0x1, 64 bits") &&
                  check_contains(text, "write 0x80000001, 32 bits") && check_contains(text, "wait for & 0x4, 32 bits"));
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
            CHECK_OK(gc_graph_destroy(graph));
            CHECK(read_u32(rig.stream, buffer, 1) == 0);
            CHECK_OK(gc_graph_launch(exec, rig.stream));
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
        CHECK(read_u32(rig.stream, buffer, 1) == 0x80000001u && read_u32(rig.stream, buffer, 2) == 0x56789abc);
        CHECK(read_u32(rig.stream, buffer, 3) == 0x1234 && read_u32(rig.stream, buffer, 4) == 5);
        CHECK(read_u32(rig.stream, buffer, 6) == UINT32_MAX && read_u32(rig.stream, buffer, 7) == UINT32_MAX);
    }
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Records a diamond: an add, then on one branch a memset and on the other a copy and a host function, then a mix. */
static gc_graph *record_diamond(const gc_stream *stream, const gc_buffer *buffer, unsigned *calls) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork_event = open_event(rig.context), *join_event = open_event(rig.context);
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
    CHECK_OK(gc_event_record(fork_event, stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork_event, 0));
    CHECK(capture_state(side) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_memset(stream, buffer, 4, 5, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(side, buffer, 8, buffer, 0, 4));
    CHECK_OK(gc_stream_launch_host_func(side, count_call, calls, NULL));
    CHECK_OK(gc_event_record(join_event, side, 0));
    CHECK_OK(gc_stream_wait_event(stream, join_event, 0));
    CHECK_OK(launch_mix(&rig, stream, buffer, 3, 1, 2, 1000));
    CHECK_OK(gc_stream_launch_host_func(stream, count_call, calls, count_call));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    /* What the capture needed may go at once. */
    CHECK_OK(gc_event_destroy(fork_event));
    CHECK_OK(gc_event_destroy(join_event));
    CHECK_OK(gc_stream_destroy(side));
    return graph;
}

static void captures_fork_and_join(void) {
    gc_buffer *buffer = open_buffer(rig.context, WORDS * 4);
    gc_graph_exec *exec = NULL;
    gc_graph *graph;
    static char text[8192];
    unsigned calls = 0, replay;
    size_t nodes = 0, edges = 0;
    uint64_t replays = 0;
    int32_t uploaded = 0;
    graph = record_diamond(rig.stream, buffer, &calls);
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(nodes == 6 && edges == 6);
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    CHECK(check_contains(text, "memset") && check_contains(text, "memcpy") && check_contains(text, "grid 1x1x1"));
    CHECK(check_contains(text, "host") && check_contains(text, "add") && check_contains(text, "mix"));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_exec_node_count(exec, &nodes));
    CHECK_OK(gc_graph_upload(exec, rig.stream));
    CHECK_OK(gc_graph_exec_is_uploaded(exec, &uploaded));
    CHECK(nodes == 6 && uploaded);
    CHECK(calls == 0 && read_u32(rig.stream, buffer, 0) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    for (replay = 1; replay <= 3; replay++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(read_u32(rig.stream, buffer, 0) == replay);
        CHECK(read_u32(rig.stream, buffer, 3) == 3 * 5 + replay + 1000);
        CHECK(count_of(&calls) == 2 * replay);
    }
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK(replays == 3);
    /* The exec holds the buffer and the module. */
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    /* The destroy callback of the recorded function counts once more. */
    CHECK(await_count(&calls, 9));
}

static void captures_are_refused_as_ever(void) {
    gc_buffer *buffer = open_buffer(rig.context, WORDS * 4);
    gc_stream *legacy = NULL, *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_MESSAGE(gc_stream_begin_capture(legacy, GRAPHCAP_CAPTURE_MODE_RELAXED),
                  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "legacy");
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, event, 0));
    CHECK_OK(gc_stream_memset(side, buffer, 0, 0, 4, 1));
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    CHECK(graph == NULL && capture_state(side) == GRAPHCAP_CAPTURE_STATUS_NONE);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_STATUS(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(graph == NULL);
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Nothing that is given back meanwhile harms a capture in the strictest mode. */
static void destroys_harm_no_capture(void) {
    gc_buffer *recorded = open_buffer(rig.context, 64), *other = open_buffer(rig.context, 64);
    gc_stream *side = open_stream(rig.context, 0), *unused = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_module *module = load_kernels(rig.context);
    gc_kernel *kernel = get_kernel(module, "nothing");
    gc_graph *graph = NULL, *side_graph = NULL;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_stream_begin_capture(side, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch(side, kernel, 1, 1, NULL, 0));
    CHECK_OK(gc_stream_memset(side, other, 0, 0, 4, 1));
    exec = finish_capture(side);
    REQUIRE_OK(gc_stream_begin_capture(side, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(gc_stream_end_capture(side, &side_graph));
    CHECK_OK(gc_stream_memset(unused, other, 0, 0, 4, 1));

    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, recorded, 0, 7, 4, 1));
    CHECK_OK(gc_buffer_destroy(recorded));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(side_graph));
    CHECK_OK(gc_stream_destroy(unused));
    CHECK_OK(gc_stream_destroy(side));
    recorded = NULL;
    CHECK_OK(gc_buffer_allocate(rig.context, 64, &recorded));
    CHECK_OK(gc_buffer_destroy(recorded));
    stand_in.settle();
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

/* By what the driver tells of a kernel, or else by what the module's description states. */
/* A graph records an event and waits for it, keeps it, and is kept apart from captures by waits with a limit. */
static void events_are_nodes_of_graphs(void) {
    gc_event *mark = open_event(rig.context), *other = open_event(rig.context);
    gc_graph_exec *exec;
    int32_t complete = 0;
    float milliseconds = -1;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_wait_event(rig.stream, other, GRAPHCAP_EVENT_WAIT_EXTERNAL));
    CHECK_OK(gc_event_record(mark, rig.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    CHECK_OK(gc_event_record(other, rig.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_event_is_complete(mark, &complete));
    CHECK_OK(gc_event_elapsed_time(mark, other, &milliseconds));
    CHECK(complete && milliseconds >= 0);
    CHECK_OK(gc_event_destroy(other));
    CHECK_OK(gc_event_destroy(mark));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void *let_go_later(void *argument) {
    (void)argument;
    pause_ms(3);
    stand_in.hold(0);
    return NULL;
}

/* While the driver says that work is not complete. */
static void waits_with_a_limit_end(void) {
    enum { KINDS = 3 };
    gc_event *event = open_event(rig.context);
    gc_stream *legacy = NULL;
    gc_status when_held = GRAPHCAP_ERROR_TIMEOUT, when_done = GRAPHCAP_SUCCESS;
    unsigned kind;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    for (kind = 0; kind < KINDS; kind++) {
        const uint64_t limits[] = {0, 100000, UINT64_MAX};
        size_t i;
        stand_in.hold(1);
        for (i = 0; i < LENGTH_OF(limits); i++) {
            pthread_t thread;
            int ends = limits[i] == UINT64_MAX;
            gc_status status;
            if (ends && pthread_create(&thread, NULL, let_go_later, NULL) != 0)
                exit(EXIT_FAILURE);
            status = kind == 0   ? gc_stream_synchronize_for(rig.stream, limits[i])
                     : kind == 1 ? gc_event_synchronize_for(event, limits[i])
                                 : gc_stream_synchronize_for(legacy, limits[i]);
            CHECK(status == (ends ? when_done : when_held));
            if (ends)
                pthread_join(thread, NULL);
        }
    }
    /* Of a whole context the driver tells since 12.5. */
    stand_in.hold(1);
    if (is_old) {
        CHECK_MESSAGE(gc_context_synchronize_for(rig.context, 0), GRAPHCAP_ERROR_NOT_SUPPORTED, "CUDA 12.5");
    } else {
        CHECK_STATUS(gc_context_synchronize_for(rig.context, 1000), GRAPHCAP_ERROR_TIMEOUT);
    }
    stand_in.hold(0);
    if (!is_old)
        CHECK_OK(gc_context_synchronize_for(rig.context, 0));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_event_destroy(event));
}

/* A wait with a limit that has begun does not break a capture that begins afterwards, as a question of the driver's
 * would. Whether it has is told by its answer: one that begins during the capture is refused as ever. */
struct waiter {
    const gc_stream *stream;
    const gc_event *event;
    gc_status status;
};

static void *wait_a_while(void *argument) {
    struct waiter *waiter = (struct waiter *)argument;
    const uint64_t limit = 20000000;
    waiter->status = waiter->stream != NULL ? gc_stream_synchronize_for(waiter->stream, limit)
                                            : gc_event_synchronize_for(waiter->event, limit);
    return NULL;
}

static void waits_with_a_limit_break_no_later_capture(void) {
    gc_event *event = open_event(rig.context);
    int of_event, round;
    for (of_event = 0; of_event < 2; of_event++) {
        int seen = 0;
        for (round = 0; round < 50 && !seen; round++) {
            struct waiter waiter = {NULL, NULL, GRAPHCAP_SUCCESS};
            gc_graph *graph = NULL;
            pthread_t thread;
            gc_status recorded;
            if (of_event)
                waiter.event = event;
            else
                waiter.stream = rig.stream;
            CHECK_OK(gc_event_record(event, rig.stream, 0));
            stand_in.hold(1);
            if (pthread_create(&thread, NULL, wait_a_while, &waiter) != 0)
                exit(EXIT_FAILURE);
            pause_ms(3);
            CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
            recorded = gc_event_record(event, rig.stream, 0);
            pthread_join(thread, NULL);
            seen = waiter.status == GRAPHCAP_ERROR_TIMEOUT;
            CHECK(recorded == GRAPHCAP_SUCCESS || (!seen && recorded == GRAPHCAP_ERROR_CAPTURE_INVALIDATED));
            CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph),
                         seen ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
            CHECK_OK(gc_graph_destroy(graph));
            stand_in.hold(0);
        }
        CHECK(seen);
    }
    CHECK_OK(gc_event_destroy(event));
}

static void events_go_to_other_processes(void) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event = NULL, *plain = open_event(rig.context), *opened = NULL;
    gc_ipc_handle handle, garbage;
    options.flags = GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING;
    REQUIRE_OK(gc_event_create(rig.context, &options, &event));
    CHECK_STATUS(gc_event_ipc_handle(plain, &handle), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_event_ipc_handle(event, &handle));
    /* The stand-in takes its own handles, which the driver does not. */
    CHECK_OK(gc_event_open_ipc_handle(rig.context, &handle, &opened));
    CHECK_OK(gc_event_record(opened, rig.stream, 0));
    CHECK_OK(gc_event_synchronize(opened));
    CHECK_OK(gc_event_destroy(opened));
    memset(&garbage, 0, sizeof garbage);
    CHECK_STATUS(gc_event_open_ipc_handle(rig.context, &garbage, &opened), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(opened == NULL);
    CHECK_OK(gc_event_destroy(plain));
    CHECK_OK(gc_event_destroy(event));
}

static void arguments_are_checked(void) {
    gc_buffer *buffer = open_buffer(rig.context, WORDS * 4);
    gc_kernel *wide_kernel = get_kernel(rig.module, "copy_wide");
    gc_buffer *wide_buffer = open_buffer(rig.context, sizeof(struct wide));
    static struct wide wide, back;
    uint32_t value = 3;
    uint64_t count = WORDS;
    size_t parameters = 0, size = 0;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_kernel_arg wide_arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(wide_buffer), GRAPHCAP_ARG_INIT_VALUE(wide)};
    CHECK_OK(launch(rig.stream, rig.add, 1, 64, arguments, 3));
    CHECK(read_u32(rig.stream, buffer, WORDS - 1) == 3);
    memset(&wide, 0x5a, sizeof wide);
    CHECK_OK(launch(rig.stream, wide_kernel, 1, 1, wide_arguments, 2));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &back, wide_buffer, 0, sizeof back));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(memcmp(&wide, &back, sizeof wide) == 0);
    CHECK_OK(gc_kernel_parameter_count(rig.add, &parameters));
    CHECK_OK(gc_kernel_parameter_size(rig.add, 1, &size));
    CHECK(parameters == 3 && size == sizeof value);
    CHECK_MESSAGE(launch(rig.stream, rig.add, 1, 64, arguments, 2), GRAPHCAP_ERROR_INVALID_VALUE, "3");
    arguments[1].value_size = 2;
    CHECK_MESSAGE(launch(rig.stream, rig.add, 1, 64, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE, "4");
    arguments[1].value_size = sizeof value;
    CHECK_MESSAGE(launch(rig.stream, rig.add, 0, 64, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE, "grid");
    CHECK_OK(gc_kernel_destroy(wide_kernel));
    CHECK_OK(gc_buffer_destroy(wide_buffer));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* With an image alone nobody says on an old driver what the parameters are: they are passed on. */
static void an_image_alone_is_enough(void) {
    gc_module_description description = test_module();
    gc_buffer *buffer = open_buffer(rig.context, WORDS * 4);
    gc_module *module = NULL;
    gc_kernel *kernel;
    uint32_t value = 9;
    uint64_t count = WORDS;
    size_t parameters = 0;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    description.host_kernels = NULL;
    description.host_kernel_count = 0;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    kernel = get_kernel(module, "fill");
    CHECK_OK(launch(rig.stream, kernel, 1, 64, arguments, 3));
    CHECK(read_u32(rig.stream, buffer, WORDS - 1) == 9);
    if (is_old)
        CHECK_MESSAGE(gc_kernel_parameter_count(kernel, &parameters), GRAPHCAP_ERROR_NOT_SUPPORTED, "fill");
    else
        CHECK_OK(gc_kernel_parameter_count(kernel, &parameters));
    CHECK_OK(gc_kernel_destroy(kernel));
    kernel = NULL;
    CHECK_MESSAGE(gc_module_get_kernel(module, "fil", &kernel), GRAPHCAP_ERROR_NOT_FOUND, is_old ? "'fil'" : "fill");
    CHECK(kernel == NULL);
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void images_are_refused_with_what_the_compiler_says(void) {
    static const char newer[] = ".version 12.3\n.target sm_50\n", broken[] = ".version 6.0\n.address_size 64\n";
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    description.image = newer;
    description.image_size = sizeof newer;
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION,
                  "UNSUPPORTED_PTX_VERSION");
    description.image = broken;
    description.image_size = sizeof broken;
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_PTX, "finds no .target");
    CHECK(module == NULL);
}

/* A stream of someone else's, who captures on it and submits to it by calls of the driver's. */
static void streams_of_others_are_used(void) {
    gc_buffer *buffer = open_buffer(rig.context, WORDS * 4), *held = open_buffer(rig.context, WORDS * 4);
    gc_stream *stream = NULL, *special = NULL;
    gc_graph_exec *exec;
    gc_graph *graph = NULL;
    void *native = NULL, *context = NULL, *other = NULL, *foreign_graph = NULL, *current = &native;
    size_t nodes = 0;
    long retained;
    stand_in.settle();
    retained = stand_in.live(STAND_IN_USER_OBJECTS);
    CHECK_OK(gc_context_native(rig.context, &context));
    CHECK(raw.push(context) == 0);
    CHECK(raw.stream_create(&native, 1, 0) == 0);
    CHECK(raw.pop(&other) == 0 && other == context);
    REQUIRE_OK(gc_stream_wrap(rig.context, native, &stream));
    CHECK(native_stream(stream) == native);

    /* graphcap's capture, others' work in it. */
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK(raw.memset_words(address_of(buffer), 40, 1, native) == 0);
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 2, 1));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 2);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK(read_u32(stream, buffer, 0) == 42);
    CHECK_OK(gc_graph_exec_destroy(exec));

    /* Others' capture, graphcap's work in it, which their graph holds. */
    CHECK(raw.begin(native, 1) == 0);
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_memset(stream, held, 0, 1, 4, 1));
    CHECK_OK(gc_buffer_destroy(held));
    CHECK(raw.end(native, &foreign_graph) == 0);
    stand_in.settle();
    CHECK(stand_in.live(STAND_IN_USER_OBJECTS) > retained);
    CHECK(raw.graph_destroy(foreign_graph) == 0);

    CHECK_OK(gc_stream_destroy(stream));
    CHECK(raw.stream_destroy(native) == 0);
    /* The numbers of the special streams, and a stream of the other device. */
    CHECK_OK(gc_stream_wrap(rig.context, NULL, &special));
    CHECK_OK(gc_stream_memset(special, buffer, 0, 6, 4, 1));
    CHECK(read_u32(special, buffer, 0) == 6);
    CHECK_OK(gc_stream_destroy(special));
    CHECK_OK(gc_context_per_thread_stream(rig.context, &special));
    CHECK_OK(gc_stream_begin_capture(special, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(special, buffer, 0, 8, 4, 1));
    exec = finish_capture(special);
    CHECK_OK(gc_graph_launch(exec, special));
    CHECK(read_u32(special, buffer, 0) == 8);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(special));
    CHECK(raw.retain(&other, 1) == 0 && raw.push(other) == 0 && raw.stream_create(&native, 1, 0) == 0);
    CHECK_MESSAGE(gc_stream_wrap(rig.context, native, &stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "another context");
    /* Whatever was called meanwhile, the caller's current context is the caller's. */
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(raw.current(&current) == 0 && current == other);
    CHECK(raw.stream_destroy(native) == 0 && raw.pop(&other) == 0 && raw.release(1) == 0);
    CHECK(raw.current(&current) == 0 && current == NULL);
}

static void nodes_have_names_until_they_are_removed(void) {
    enum { NODES = 4 };
    gc_buffer *buffer = open_buffer(rig.context, 16);
    gc_node nodes[NODES] = {0}, left[NODES] = {0}, frontier = 0;
    void *natives[NODES] = {NULL}, *native, *raw = NULL;
    gc_graph *graph = NULL, *other = NULL;
    size_t count = 0, i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < NODES; i++)
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    CHECK_OK(gc_stream_capture_frontier(rig.stream, &frontier, 1, &count));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_create(rig.context, &other));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, NODES, &count));
    CHECK(count == NODES && frontier == nodes[NODES - 1]);
    for (i = 0; i < NODES; i++) {
        CHECK_OK(gc_node_native(graph, nodes[i], &natives[i]));
        native = graph;
        CHECK_MESSAGE(gc_node_native(other, nodes[i], &native), GRAPHCAP_ERROR_INVALID_VALUE, "no node");
        CHECK(native == NULL && nodes[i] != 0 && natives[i] != NULL);
    }
    REQUIRE_OK(gc_graph_native(graph, &raw));
    stand_in.remove_node(raw, natives[1]);
    native = graph;
    CHECK_MESSAGE(gc_node_native(graph, nodes[1], &native), GRAPHCAP_ERROR_INVALID_VALUE, "no node");
    CHECK(native == NULL);
    CHECK_OK(gc_graph_get_nodes(graph, left, NODES, &count));
    CHECK(count == 3 && left[0] == nodes[0] && left[1] == nodes[2] && left[2] == nodes[3]);
    for (i = 0; i < NODES; i++)
        if (i != 1) {
            CHECK_OK(gc_node_native(graph, nodes[i], &native));
            CHECK(native == natives[i]);
        }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Whatever handle the driver gives to the next node. */
static void a_name_of_a_node_is_not_used_again(void) {
    enum { TURNS = 8 };
    gc_buffer *buffer = open_buffer(rig.context, 16);
    gc_node names[TURNS] = {0};
    void *raw = NULL, *native = NULL;
    gc_graph *graph = NULL, *ended = NULL;
    size_t i, k;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    for (i = 0; i < TURNS; i++) {
        REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &ended));
        CHECK_OK(gc_graph_destroy(ended));
        CHECK_OK(gc_graph_get_nodes(graph, &names[i], 1, NULL));
        CHECK_OK(gc_node_native(graph, names[i], &native));
        for (k = 0; k < i; k++)
            CHECK(names[k] != names[i]);
        REQUIRE_OK(gc_graph_native(graph, &raw));
        stand_in.remove_node(raw, native);
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void natives_are_given_out(void) {
    gc_event *event = open_event(rig.context);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    void *natives[7] = {NULL};
    size_t i, k;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_context_native(rig.context, &natives[0]));
    CHECK_OK(gc_stream_native(rig.stream, &natives[1]));
    CHECK_OK(gc_event_native(event, &natives[2]));
    CHECK_OK(gc_module_native(rig.module, &natives[3]));
    CHECK_OK(gc_kernel_native(rig.add, &natives[4]));
    CHECK_OK(gc_graph_native(graph, &natives[5]));
    CHECK_OK(gc_graph_exec_native(exec, &natives[6]));
    for (i = 0; i < LENGTH_OF(natives); i++)
        for (k = 0; k < i; k++)
            CHECK(natives[i] != NULL && natives[i] != natives[k]);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(event));
}

static void memory_of_others_is_wrapped(void) {
    struct foreign foreign;
    unsigned released = 0;
    int on_the_stack = 0;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    foreign_open(&foreign);
    buffer = wrap_foreign(rig.context, &foreign, &released);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(foreign_word(&foreign, 0) == 3 && count_of(&released) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
    buffer = NULL;
    CHECK_MESSAGE(gc_buffer_wrap(rig.context, &on_the_stack, sizeof on_the_stack, NULL, NULL, &buffer),
                  GRAPHCAP_ERROR_INVALID_VALUE, "not inside one allocation");
    CHECK(buffer == NULL);
    CHECK_STATUS(gc_buffer_allocate(rig.context, (size_t)1 << 40, &buffer), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK(check_contains(last_message(), "1099511627776 bytes") && check_contains(last_message(), "1073741824"));
}

enum { EARLY_THREADS = 5 };

struct early {
    unsigned *ready;
    const unsigned *go_on;
    int call;
};

/* Sets its mode before graphcap has loaded the driver, which another thread has it do then. */
static void *exchange_early(void *argument) {
    const struct early *early = (const struct early *)argument;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    gc_stream *captured, *other;
    gc_event *event;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned raw_mode = GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL;
    int32_t complete;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_GLOBAL);
    count_call(early->ready);
    CHECK(await_count(early->go_on, 1));
    captured = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(rig.context);
    CHECK_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    /* Each of these may be the first call that the mode bears on. */
    switch (early->call) {
    case 0: CHECK_OK(gc_stream_synchronize(other)); break;
    case 1: CHECK_OK(gc_stream_is_complete(other, &complete)); break;
    case 2: CHECK_OK(gc_event_is_complete(event, &complete)); break;
    case 3: CHECK_OK(gc_event_synchronize(event)); break;
    default: CHECK_OK(gc_graph_instantiate(graph, NULL, &exec)); break;
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_end_capture(captured, &graph));
    /* The driver has it too, for what others call; and what they set with it is what is given back. */
    CHECK(raw.exchange_mode(&raw_mode) == 0 && raw_mode == GRAPHCAP_CAPTURE_MODE_RELAXED);
    mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(captured));
    return NULL;
}

static void a_mode_set_before_the_driver_is_loaded_reaches_it(void) {
    struct early early[EARLY_THREADS];
    pthread_t threads[EARLY_THREADS];
    unsigned ready = 0, go_on = 0;
    int i;
    for (i = 0; i < EARLY_THREADS; i++) {
        early[i].ready = &ready;
        early[i].go_on = &go_on;
        early[i].call = i;
        REQUIRE_OK(pthread_create(&threads[i], NULL, exchange_early, &early[i]));
    }
    CHECK(await_count(&ready, EARLY_THREADS));
    rig_open(&rig);
    count_call(&go_on);
    for (i = 0; i < EARLY_THREADS; i++)
        pthread_join(threads[i], NULL);
    rig_close(&rig);
}

static void try_driver(const char *version) {
    open_driver(version);
    RUN(a_mode_set_before_the_driver_is_loaded_reaches_it);
    RUN(devices_are_counted_and_named);
    rig_open(&rig);
    RUN(eager_work_runs);
    RUN(value_operations_run);
    RUN(captures_fork_and_join);
    RUN(captures_are_refused_as_ever);
    RUN(destroys_harm_no_capture);
    RUN(events_are_nodes_of_graphs);
    RUN(waits_with_a_limit_end);
    RUN(waits_with_a_limit_break_no_later_capture);
    RUN(events_go_to_other_processes);
    RUN(arguments_are_checked);
    RUN(an_image_alone_is_enough);
    RUN(images_are_refused_with_what_the_compiler_says);
    RUN(streams_of_others_are_used);
    RUN(natives_are_given_out);
    RUN(nodes_have_names_until_they_are_removed);
    if (!is_old)
        RUN(a_name_of_a_node_is_not_used_again);
    RUN(memory_of_others_is_wrapped);
    rig_close(&rig);
    check_test = "the end";
    expect_nothing_left(version);
}

static void the_oldest_driver_offers_all_that_it_had(void) {
    in_child(try_driver, "12.0");
}

static void a_newer_driver_does_too(void) {
    in_child(try_driver, "13.0");
}

int main(void) {
    RUN(the_oldest_driver_offers_all_that_it_had);
    RUN(a_newer_driver_does_too);
    return check_finish();
}
