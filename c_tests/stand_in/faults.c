/* Work that faults, and a device that does: the call that notices names the launches that it may come from, all later
 * ones answer the same, the host device goes on, everything can be destroyed, and the process ends. */
#include "harness.h"

static struct rig rig;

/* fill(address, 1, 1) at an address that is no memory of the device's. */
static gc_status launch_bad_fill(const gc_stream *stream) {
    uint64_t address = 0x40, count = 1;
    uint32_t value = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(stream, rig.fill, 1, 1, arguments, 3);
}

static void write_stream_name(const gc_stream *stream, char *text, size_t capacity) {
    void *native = NULL;
    REQUIRE_OK(gc_stream_native(stream, &native));
    snprintf(text, capacity, "stream %p: ", native);
}

/* What follows `word` in the message, up to the end of that stream's list. */
static const char *list_of(const char *message, const char *word) {
    static char list[256];
    const char *start = strstr(message, word);
    list[0] = '\0';
    if (start != NULL)
        snprintf(list, sizeof list, "%.*s", (int)strcspn(start, ";)"), start);
    return list;
}

static void host_device_goes_on(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_stream *stream;
    gc_buffer *buffer;
    gc_module *module;
    gc_kernel *kernel;
    uint32_t value = 21;
    uint64_t count = 1;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    REQUIRE_OK(gc_context_create(&options, &context));
    stream = open_stream(context, 0);
    buffer = open_buffer(context, 4);
    module = load_kernels(context);
    kernel = get_kernel(module, "add");
    {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(count)};
        gc_graph_exec *exec;
        CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch(stream, kernel, 1, 1, arguments, 3));
        exec = finish_capture(stream);
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK(read_u32(stream, buffer, 0) == 42);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

static void later_calls_answer(gc_status status) {
    static const char over[] = "cannot use CUDA any more";
    gc_module_description description = test_module();
    gc_stream *stream = NULL;
    gc_event *event = NULL;
    gc_buffer *buffer = NULL;
    gc_module *module = NULL;
    gc_context *context = NULL;
    int on_the_stack = 0;
    CHECK_MESSAGE(gc_stream_create(rig.context, NULL, &stream), status, over);
    CHECK_MESSAGE(gc_event_create(rig.context, NULL, &event), status, over);
    CHECK_MESSAGE(gc_buffer_allocate(rig.context, 64, &buffer), status, over);
    CHECK_MESSAGE(gc_module_load(rig.context, &description, &module), status, over);
    CHECK_MESSAGE(gc_buffer_wrap(rig.context, &on_the_stack, 4, NULL, NULL, &buffer), status, over);
    CHECK_MESSAGE(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), status, over);
    CHECK_STATUS(launch_bad_fill(rig.stream), status);
    CHECK(check_contains(last_message(), over));
    CHECK_MESSAGE(gc_context_synchronize(rig.context), status, over);
    CHECK_STATUS(gc_context_create(NULL, &context), status);
    CHECK(stream == NULL && event == NULL && buffer == NULL && module == NULL && context == NULL);
}

/* One kernel faults; what was launched on other streams and was not waited for is named as well. */
static void a_kernel_that_faults_is_among_those_named(void) {
    gc_stream *waited = open_stream(rig.context, 0), *graphs = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *special = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph_exec *exec;
    char name[3][64], message[4096];
    unsigned i;
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &special));
    write_stream_name(rig.stream, name[0], sizeof name[0]);
    write_stream_name(waited, name[1], sizeof name[1]);
    write_stream_name(graphs, name[2], sizeof name[2]);
    REQUIRE_OK(gc_stream_begin_capture(graphs, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, graphs, buffer, 0, 1, 1));
    CHECK_OK(launch_add(&rig, graphs, buffer, 0, 1, 1));
    exec = finish_capture(graphs);
    CHECK_OK(gc_stream_synchronize(graphs));

    CHECK_OK(launch_add(&rig, waited, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_synchronize(waited));
    CHECK_OK(gc_graph_launch(exec, graphs));
    for (i = 0; i < 10; i++)
        CHECK_OK(launch_mix(&rig, special, buffer, 0, 1, 2, 3));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(launch_bad_fill(rig.stream));
    /* The launch itself works; who waits is told, on whichever stream. */
    CHECK_STATUS(gc_stream_synchronize(waited), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    snprintf(message, sizeof message, "%s", last_message());
    CHECK(check_contains(list_of(message, name[0]), "kernel 'add', kernel 'fill'"));
    CHECK(check_contains(list_of(message, name[2]), "a graph of 2 nodes"));
    CHECK(check_contains(list_of(message, "legacy stream: "), "2 older launches, kernel 'mix', kernel 'mix'"));
    CHECK(strstr(message, name[1]) == NULL);
    CHECK(check_contains(message, "illegal memory access") && check_contains(message, "one of"));
    /* Who asks later is told the same. */
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK(strcmp(message, last_message()) == 0);
    later_calls_answer(GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    host_device_goes_on();
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(special));
    CHECK_OK(gc_stream_destroy(graphs));
    CHECK_OK(gc_stream_destroy(waited));
}

/* A fault that no launch of graphcap's can have caused, in the middle of a capture and with memory that is in use. */
static void a_fault_of_others_is_told(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_stream *special = NULL;
    struct foreign foreign;
    unsigned released = 0;
    gc_buffer *wrapped;
    foreign_open(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &special));
    CHECK_OK(gc_stream_memset(special, wrapped, 0, 0, 4, 1));
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    stand_in.fault(GRAPHCAP_ERROR_LAUNCH_FAILED);
    CHECK_MESSAGE(gc_stream_synchronize(special), GRAPHCAP_ERROR_LAUNCH_FAILED, "or from work of others");
    CHECK(check_contains(last_message(), "cuStreamSynchronize answered 719"));
    later_calls_answer(GRAPHCAP_ERROR_LAUNCH_FAILED);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(gc_stream_destroy(special));
    CHECK_OK(gc_buffer_destroy(foreign.buffer));
    CHECK_OK(gc_stream_destroy(foreign.stream));
    CHECK_OK(gc_context_destroy(foreign.context));
    rig_close(&rig);
    /* What was adopted is given back, since nothing uses it any more. */
    CHECK(await_count(&released, 1));
    host_device_goes_on();
}

static void try_kernel(const char *version) {
    use_stand_in(version);
    rig_open(&rig);
    RUN(a_kernel_that_faults_is_among_those_named);
    rig_close(&rig);
    expect_nothing_left(version);
}

static void try_others(const char *version) {
    use_stand_in(version);
    rig_open(&rig);
    RUN(a_fault_of_others_is_told);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_kernel);
    RUN_ON_BOTH_DRIVERS(try_others);
    return check_finish();
}
