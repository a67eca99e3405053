/* Contexts: making them, waiting for all of their work, keeping objects of two contexts apart, faults. */
#include "kernels.h"

static void contexts_tell_their_device(void) {
    gc_context *context = open_context();
    gc_device_kind kind = GRAPHCAP_DEVICE_AUTO;
    const char *wanted = getenv("GRAPHCAP_DEVICE");
    char text[256] = "", part[5];
    size_t needed = 0;
    CHECK_OK(gc_context_device_kind(context, &kind));
    CHECK(kind == GRAPHCAP_DEVICE_HOST || kind == GRAPHCAP_DEVICE_CUDA);
    if (wanted != NULL && strcmp(wanted, "auto") != 0)
        CHECK(kind == (strcmp(wanted, "cuda") == 0 ? GRAPHCAP_DEVICE_CUDA : GRAPHCAP_DEVICE_HOST));
    CHECK_OK(gc_context_device_name(context, text, sizeof text, &needed));
    CHECK(needed == strlen(text) + 1 && needed > sizeof part);
    CHECK_STATUS(gc_context_device_name(context, part, sizeof part, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(strncmp(part, text, 4) == 0 && part[4] == '\0' && needed == strlen(text) + 1);
    CHECK_OK(gc_context_destroy(context));
}

static void the_host_device_is_there_beside_any_other(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_device_kind kind = GRAPHCAP_DEVICE_AUTO;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    CHECK_OK(gc_context_create(&options, &context));
    CHECK_OK(gc_context_device_kind(context, &kind));
    CHECK(kind == GRAPHCAP_DEVICE_HOST);
    CHECK_OK(gc_context_destroy(context));
}

static void bad_options_are_refused(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    options.device_kind = 3;
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_VALUE, "device_kind");
    options.device_kind = -1;
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_VALUE, "device_kind");
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    options.flags = GRAPHCAP_CONTEXT_STRICT << 1;
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    options.flags = 0;
    options.device_ordinal = 4000000000u;
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_DEVICE, "4000000000");
    CHECK(context == NULL && gc_live_handles() == 0);
}

static void synchronize_waits_for_all_streams(void) {
    struct rig rig;
    gc_stream *free_stream, *legacy = NULL;
    gc_buffer *buffer;
    unsigned k;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    free_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    for (k = 0; k < 20; k++) {
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
        CHECK_OK(launch_add(&rig, free_stream, buffer, 4, 1, 1));
        CHECK_OK(launch_add(&rig, legacy, buffer, 8, 1, 1));
    }
    CHECK_OK(gc_context_synchronize(rig.context));
    {
        const gc_stream *streams[3];
        int32_t complete;
        streams[0] = rig.stream, streams[1] = free_stream, streams[2] = legacy;
        for (k = 0; k < 3; k++) {
            complete = -1;
            CHECK_OK(gc_stream_is_complete(streams[k], &complete));
            CHECK(complete == 1);
            CHECK(read_u32(rig.stream, buffer, k) == 20);
        }
    }
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(free_stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

static void *collect(void *context) {
    CHECK_OK(gc_context_collect((gc_context *)context));
    return NULL;
}

/* Collecting is for memory: whatever was destroyed, and however often it is called, nothing else changes. */
static void collecting_disturbs_nothing(void) {
    struct rig rig;
    gc_module *module;
    gc_buffer *buffer, *given_up = NULL;
    gc_graph_exec *exec;
    gc_stream *captured;
    int mode;
    rig_open(&rig);
    captured = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    buffer = open_buffer(rig.context, 4);
    collect(rig.context);
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++) {
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        module = load_kernels(rig.context);
        REQUIRE_OK(gc_buffer_allocate(rig.context, 1 << 20, &given_up));
        CHECK_OK(gc_stream_begin_capture(captured, mode));
        CHECK_OK(launch_add(&rig, captured, buffer, 0, 1, 1));
        CHECK_OK(gc_stream_memset(captured, given_up, 0, 0, 1, 1 << 20));
        CHECK_OK(gc_module_destroy(module));
        CHECK_OK(gc_buffer_destroy(given_up));
        /* No capture minds, of whatever mode, by this or another thread. */
        collect(rig.context);
        on_another_thread(collect, rig.context);
        CHECK(capture_state(captured) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        CHECK_OK(launch_add(&rig, captured, buffer, 0, 2, 1));
        exec = finish_capture(captured);
        collect(rig.context);
        CHECK_OK(gc_graph_launch(exec, captured));
        CHECK_OK(gc_graph_launch(exec, captured));
        collect(rig.context);
        CHECK(read_u32(captured, buffer, 0) == 6);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_stream_destroy(captured));
    CHECK_OK(gc_buffer_destroy(buffer));
    collect(rig.context);
    rig_close(&rig);
}

static void objects_of_two_contexts_do_not_mix(void) {
    struct rig here, there;
    gc_buffer *near_buffer, *far_buffer;
    gc_event *far_event;
    gc_graph_exec *far_exec;
    uint32_t value = 0;
    rig_open(&here);
    rig_open(&there);
    near_buffer = open_buffer(here.context, 64);
    far_buffer = open_buffer(there.context, 64);
    far_event = open_event(there.context);
    CHECK_OK(gc_stream_begin_capture(there.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    far_exec = finish_capture(there.stream);

    CHECK_MESSAGE(gc_stream_memset(here.stream, far_buffer, 0, 0, 1, 4), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK_MESSAGE(gc_stream_memcpy_htod(here.stream, far_buffer, 0, &value, 4), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK_MESSAGE(gc_stream_memcpy_dtoh(here.stream, &value, far_buffer, 0, 4), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK_MESSAGE(gc_stream_memcpy_dtod(here.stream, far_buffer, 0, near_buffer, 0, 4), GRAPHCAP_ERROR_INVALID_CONTEXT,
                  "context");
    CHECK_MESSAGE(gc_stream_memcpy_dtod(here.stream, near_buffer, 0, far_buffer, 0, 4), GRAPHCAP_ERROR_INVALID_CONTEXT,
                  "context");
    /* Events and execs may be of any context; contexts.c has more of that. */
    CHECK_OK(gc_stream_wait_event(here.stream, far_event, 0));
    CHECK_OK(gc_event_record(far_event, here.stream, 0));
    CHECK_OK(gc_graph_launch(far_exec, here.stream));
    CHECK_OK(gc_graph_upload(far_exec, here.stream));
    {
        uint64_t count = 1;
        gc_kernel_arg far_argument[] = {GRAPHCAP_ARG_INIT_BUFFER(far_buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                        GRAPHCAP_ARG_INIT_VALUE(count)};
        gc_kernel_arg near_argument[] = {GRAPHCAP_ARG_INIT_BUFFER(near_buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                         GRAPHCAP_ARG_INIT_VALUE(count)};
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
        CHECK_MESSAGE(gc_stream_launch_kernel(here.stream, here.fill, &config, far_argument, 3),
                      GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
        CHECK_MESSAGE(gc_stream_launch_kernel(here.stream, there.fill, &config, near_argument, 3),
                      GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    }
    /* Nothing of that ran or harmed anything. */
    CHECK(read_u32(here.stream, near_buffer, 0) == 0);
    CHECK(read_u32(there.stream, far_buffer, 0) == 0);

    CHECK_OK(gc_graph_exec_destroy(far_exec));
    CHECK_OK(gc_event_destroy(far_event));
    CHECK_OK(gc_buffer_destroy(far_buffer));
    CHECK_OK(gc_buffer_destroy(near_buffer));
    rig_close(&there);
    rig_close(&here);
}

static void a_context_lives_as_long_as_its_children(void) {
    struct rig rig;
    gc_buffer *buffer;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 4);
    CHECK_OK(gc_context_destroy(rig.context));
    CHECK_STATUS(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 5, 1));
    CHECK(read_u32(rig.stream, buffer, 0) == 5);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig.context = NULL;
    rig_close(&rig);
}

/* Submits a kernel that fails, on a context whose work is held until all is submitted. */
static void a_fault_ends_its_context_and_no_other(void) {
    struct rig bad, good;
    gc_kernel *fail;
    gc_buffer *bad_buffer, *good_buffer;
    gc_event *event;
    gc_graph_exec *exec;
    gc_module *module = NULL;
    gc_module_description description = test_module();
    uint32_t number = 42, word = 0;
    int32_t complete = 0;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    NOT_ON_CUDA(FAULTS_STAY);
    rig_open(&bad);
    rig_open(&good);
    fail = get_kernel(bad.module, "fail");
    bad_buffer = open_buffer(bad.context, 64);
    good_buffer = open_buffer(good.context, 64);
    event = open_event(bad.context);
    CHECK_OK(gc_stream_begin_capture(bad.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&bad, bad.stream, bad_buffer, 0, 1, 1));
    exec = finish_capture(bad.stream);

    CHECK_OK(launch(bad.stream, fail, 1, 1, arguments, 1));
    CHECK_MESSAGE(gc_stream_synchronize(bad.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "fail");
    CHECK_MESSAGE(gc_stream_synchronize(bad.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "fail");
    CHECK_MESSAGE(gc_context_synchronize(bad.context), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "fail");
    CHECK_STATUS(gc_stream_is_complete(bad.stream, &complete), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(launch_add(&bad, bad.stream, bad_buffer, 0, 1, 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_memset(bad.stream, bad_buffer, 0, 0, 1, 4), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_memcpy_htod(bad.stream, bad_buffer, 0, &word, 4), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_memcpy_dtoh(bad.stream, &word, bad_buffer, 0, 4), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_event_record(event, bad.stream, 0), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_event_synchronize(event), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_graph_launch(exec, bad.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_begin_capture(bad.stream, GRAPHCAP_CAPTURE_MODE_RELAXED), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_module_load(bad.context, &description, &module), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    {
        gc_buffer *none = NULL;
        gc_stream *no_stream = NULL;
        CHECK_STATUS(gc_buffer_allocate(bad.context, 16, &none), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        CHECK_STATUS(gc_stream_create(bad.context, NULL, &no_stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
        CHECK(none == NULL && no_stream == NULL && module == NULL);
    }

    CHECK_OK(launch_add(&good, good.stream, good_buffer, 0, 3, 1));
    CHECK(read_u32(good.stream, good_buffer, 0) == 3);

    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(bad_buffer));
    CHECK_OK(gc_buffer_destroy(good_buffer));
    CHECK_OK(gc_kernel_destroy(fail));
    rig_close(&good);
    rig_close(&bad);
    /* A new context on the same device works. */
    check_new_context_works();
}

/* Work behind a fault does not run. */
static void nothing_runs_after_a_fault(void) {
    struct rig rig;
    struct gate gate;
    static struct foreign foreign;
    unsigned released = 0;
    gc_kernel *fail;
    gc_buffer *buffer;
    uint32_t number = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    NOT_ON_CUDA(FAULTS_STAY);
    rig_open(&rig);
    gate_init(&gate);
    foreign_open(&foreign);
    buffer = wrap_foreign(rig.context, &foreign, &released);
    fail = get_kernel(rig.module, "fail");
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(launch(rig.stream, fail, 1, 1, arguments, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 2, 1));
    gate_open(&gate);
    CHECK_MESSAGE(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "fail");
    /* A faulted context copies nothing, but the memory is the CPU's. */
    CHECK(foreign_word(&foreign, 0) == 1);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_kernel_destroy(fail));
    rig_close(&rig);
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
    gate_free(&gate);
}

int main(void) {
    RUN(contexts_tell_their_device);
    RUN(the_host_device_is_there_beside_any_other);
    RUN(bad_options_are_refused);
    RUN(synchronize_waits_for_all_streams);
    RUN(collecting_disturbs_nothing);
    RUN(objects_of_two_contexts_do_not_mix);
    RUN(a_context_lives_as_long_as_its_children);
    RUN(a_fault_ends_its_context_and_no_other);
    RUN(nothing_runs_after_a_fault);
    return check_finish();
}
