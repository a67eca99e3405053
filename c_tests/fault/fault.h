/* What the programs share that let a GPU fault, each in a process of its own: everything that there is in a context,
 * what every call answers after the fault, and the host device, which goes on in the same process. */
#ifndef GRAPHCAP_TESTS_FAULT_H
#define GRAPHCAP_TESTS_FAULT_H

#include "cuda_driver.h"

/* Callbacks may come late: keep it in static memory. */
struct faulty {
    struct rig rig;
    /* The rig's stream and `stream` have launches that nothing waited for, `waited` none. */
    gc_stream *stream, *waited, *captured, *wrapped_stream;
    gc_event *event;
    gc_kernel *fail;
    gc_buffer *buffer, *wrapped;
    gc_graph *graph;
    gc_graph_exec *exec;
    unsigned recorded_calls, dropped, released;
    gc_context *other;
    /* From "one of" on: what the first message listed. */
    char list[1024];
};

/* The same on the host device, before and after the fault. */
struct bystander {
    gc_context *context;
    gc_module *module;
    gc_kernel *add;
    gc_stream *stream;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    uint32_t replays;
};

static inline void bystander_open(struct bystander *host) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    uint32_t value = 2;
    uint64_t count = 1;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    memset(host, 0, sizeof *host);
    REQUIRE_OK(gc_context_create(&options, &host->context));
    host->module = load_kernels(host->context);
    host->add = get_kernel(host->module, "add");
    host->stream = open_stream(host->context, 0);
    host->buffer = open_buffer(host->context, 4);
    REQUIRE_OK(gc_stream_begin_capture(host->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(host->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(count)};
        CHECK_OK(launch(host->stream, host->add, 1, 1, arguments, 3));
    }
    host->exec = finish_capture(host->stream);
}

static inline void bystander_replay(struct bystander *host) {
    host->replays++;
    CHECK_OK(gc_graph_launch(host->exec, host->stream));
    CHECK_EQUAL(read_u32(host->stream, host->buffer, 0), 2 * host->replays);
}

static inline void bystander_close(struct bystander *host) {
    CHECK_OK(gc_graph_exec_destroy(host->exec));
    CHECK_OK(gc_buffer_destroy(host->buffer));
    CHECK_OK(gc_stream_destroy(host->stream));
    CHECK_OK(gc_kernel_destroy(host->add));
    CHECK_OK(gc_module_destroy(host->module));
    CHECK_OK(gc_context_destroy(host->context));
}

/* Opens everything and leaves launches of add pending on the rig's stream. `wrapped` is backed by pinned memory, which
 * is left to the end of the process: after a fault nothing can free it. */
static inline void faulty_open(struct faulty *s) {
    struct pinned pinned;
    memset(s, 0, sizeof *s);
    rig_open(&s->rig);
    s->other = open_context();
    s->stream = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    s->waited = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    s->captured = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    s->wrapped_stream = wrap_stream(s->rig.context, raw_stream(CU_STREAM_APART));
    s->event = open_event(s->rig.context);
    s->fail = get_kernel(s->rig.module, "fail");
    s->buffer = open_buffer(s->rig.context, 64);
    pinned_open(&pinned, 16);
    s->wrapped = wrap_memory(s->rig.context, pinned.address, 64, &s->released);
    REQUIRE_OK(gc_stream_begin_capture(s->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&s->rig, s->stream, s->buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(s->stream, &s->graph));
    REQUIRE_OK(gc_graph_instantiate(s->graph, NULL, &s->exec));
    CHECK_OK(launch_mix(&s->rig, s->waited, s->buffer, 8, 8, 8, 0));
    CHECK_OK(gc_stream_synchronize(s->waited));
    CHECK_OK(gc_event_record(s->event, s->waited, 0));
    CHECK_OK(launch_add(&s->rig, s->rig.stream, s->wrapped, 0, 1, 1));
    /* A capture that is going on when the fault comes. */
    REQUIRE_OK(gc_stream_begin_capture(s->captured, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&s->rig, s->captured, s->buffer, 0, 1, 1));
    CHECK_OK(gc_stream_launch_host_func(s->captured, told_call, told_open(&s->recorded_calls, &s->dropped), told_drop));
}

/* Notes the message of the call that was the first to notice: it must list what was pending, and nothing else. */
static inline void faulty_note(struct faulty *s, const char *suspect) {
    char message[1024] = "";
    const char *list;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "the first message: %s\n", message);
    list = strstr(message, "one of");
    CHECK(list != NULL);
    if (list != NULL)
        memcpy(s->list, list, strlen(list) + 1);
    CHECK(check_contains(s->list, suspect));
    CHECK(check_contains(s->list, "stream") && check_contains(s->list, "'add'"));
    /* The launch that was waited for is not suspected. */
    CHECK(!check_contains(s->list, "'mix'"));
    CHECK(check_contains(message, "process"));
}

/* Every call has that status and the message lists the same. */
static inline void check_faulty(const struct faulty *s, int line, const char *call, gc_status got, gc_status expected) {
    char message[1024] = "";
    const char *list;
    if (!check_status(__FILE__, line, call, got, expected))
        return;
    gc_last_error_message(message, sizeof message, NULL);
    list = strstr(message, "one of");
    if (check_failed(list != NULL && strcmp(list, s->list) == 0))
        fprintf(stderr, "%s:%d: in %s: %s\n    says: %s\n    and not, as the first: %s\n", __FILE__, line, check_test,
                call, message, s->list);
}

#define FAULTY(call)                                            \
    do {                                                        \
        watch_begin(#call);                                     \
        check_faulty(s, __LINE__, #call, (call), expected);     \
        watch_end();                                            \
    } while (0)

static inline void everything_gives_the_fault(struct faulty *s, gc_status expected) {
    struct rig *rig = &s->rig;
    gc_module_description code = test_module();
    gc_buffer *no_buffer = NULL;
    gc_stream *no_stream = NULL;
    gc_event *no_event = NULL;
    gc_module *no_module = NULL;
    gc_graph *no_graph = NULL;
    gc_graph_exec *no_exec = NULL;
    gc_context *no_context = NULL;
    uint32_t word = 0;
    int32_t complete = 0;
    size_t size = 0;
    unsigned calls = 0, dropped = 0;
    FAULTY(gc_stream_end_capture(s->captured, &no_graph));
    FAULTY(gc_stream_synchronize(s->stream));
    FAULTY(gc_stream_synchronize(rig->stream));
    FAULTY(gc_stream_synchronize(s->waited));
    FAULTY(gc_stream_synchronize(s->wrapped_stream));
    FAULTY(gc_stream_is_complete(rig->stream, &complete));
    FAULTY(gc_context_synchronize(rig->context));
    FAULTY(gc_context_collect(rig->context));
    FAULTY(gc_context_reset(rig->context));
    FAULTY(launch_add(rig, rig->stream, s->buffer, 0, 1, 1));
    FAULTY(launch_add(rig, s->wrapped_stream, s->buffer, 0, 1, 1));
    FAULTY(gc_stream_memset(s->waited, s->buffer, 0, 0, 1, 4));
    FAULTY(gc_stream_memcpy_htod(s->waited, s->buffer, 0, &word, 4));
    FAULTY(gc_stream_memcpy_dtoh(s->waited, &word, s->buffer, 0, 4));
    FAULTY(gc_stream_memcpy_dtod(s->waited, s->buffer, 0, s->buffer, 8, 4));
    FAULTY(gc_stream_launch_host_func(s->waited, count_call, &calls, NULL));
    FAULTY(gc_stream_launch_host_func(s->waited, count_call, &dropped, count_call));
    FAULTY(gc_event_record(s->event, s->waited, 0));
    FAULTY(gc_event_synchronize(s->event));
    FAULTY(gc_stream_begin_capture(s->waited, GRAPHCAP_CAPTURE_MODE_RELAXED));
    FAULTY(gc_graph_instantiate(s->graph, NULL, &no_exec));
    FAULTY(gc_graph_launch(s->exec, s->waited));
    FAULTY(gc_graph_upload(s->exec, s->waited));
    FAULTY(gc_buffer_allocate(rig->context, 64, &no_buffer));
    FAULTY(gc_stream_create(rig->context, NULL, &no_stream));
    FAULTY(gc_event_create(rig->context, NULL, &no_event));
    FAULTY(gc_module_load(rig->context, &code, &no_module));
    CHECK(no_buffer == NULL && no_stream == NULL && no_event == NULL && no_module == NULL && no_graph == NULL &&
          no_exec == NULL);
    CHECK(calls == 0 && await_count(&dropped, 1));
    /* Another context of the same GPU, and a new one, are no way out. */
    CHECK_STATUS(gc_context_synchronize(s->other), expected);
    CHECK_STATUS(gc_context_create(NULL, &no_context), expected);
    CHECK(no_context == NULL);
    /* What needs no device is still told. */
    CHECK_OK(gc_buffer_size(s->buffer, &size));
    CHECK(size == 64);
}

/* Everything is destroyed without waiting, and callbacks run exactly once. */
static inline void faulty_close(struct faulty *s) {
    SOON(gc_graph_exec_destroy(s->exec));
    SOON(gc_graph_destroy(s->graph));
    SOON(gc_buffer_destroy(s->wrapped));
    SOON(gc_buffer_destroy(s->buffer));
    SOON(gc_event_destroy(s->event));
    SOON(gc_kernel_destroy(s->fail));
    SOON(gc_stream_destroy(s->captured));
    SOON(gc_stream_destroy(s->stream));
    SOON(gc_stream_destroy(s->waited));
    SOON(gc_stream_destroy(s->wrapped_stream));
    watch_begin("rig_close()");
    rig_close(&s->rig);
    watch_end();
    SOON(gc_context_destroy(s->other));
    CHECK(await_count(&s->released, 1));
    /* What was recorded the driver holds, and after a fault it lets go of nothing. */
    CHECK(count_of(&s->released) == 1 && count_of(&s->dropped) <= 1 && count_of(&s->recorded_calls) == 0);
}

#endif
