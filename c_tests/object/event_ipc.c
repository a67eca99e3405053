/* Events of another process, on a GPU: this program once more opens one that this one made. The host device has none, and
 * says so. */
#include "child.h"
#include "kernels.h"

enum { CHILD_SECONDS = 60 };
static const char variable[] = "GRAPHCAP_TEST_IPC_HANDLE";

static gc_event *open_interprocess(const gc_context *context) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event = NULL;
    options.flags = GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING;
    REQUIRE_OK(gc_event_create(context, &options, &event));
    return event;
}

static void the_host_device_has_none(void) {
    gc_context *context;
    gc_event *event, *opened = NULL;
    gc_ipc_handle handle;
    NOT_ON_CUDA("it has such events");
    context = open_context();
    event = open_interprocess(context);
    memset(&handle, 0xa5, sizeof handle);
    CHECK_MESSAGE(gc_event_ipc_handle(event, &handle), GRAPHCAP_ERROR_NOT_SUPPORTED, "process");
    CHECK(handle.bytes[0] == 0 && handle.bytes[63] == 0);
    CHECK_MESSAGE(gc_event_open_ipc_handle(context, &handle, &opened), GRAPHCAP_ERROR_NOT_SUPPORTED, "process");
    CHECK(opened == NULL);
    CHECK_MESSAGE(gc_event_open_ipc_handle(context, NULL, &opened), GRAPHCAP_ERROR_INVALID_VALUE, "ipc_handle");
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_context_destroy(context));
}

static void another_process_waits_for_an_event(void) {
    gc_context *context;
    gc_stream *stream;
    gc_event *event, *plain;
    gc_ipc_handle handle;
    char text[2 * sizeof handle + 1] = "";
    const char *line;
    static struct child child;
    size_t i;
    NOT_ON_HOST("its events are of one process");
    context = open_context();
    stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_interprocess(context);
    plain = open_event(context);
    CHECK(gc_event_ipc_handle(plain, &handle) != GRAPHCAP_SUCCESS);
    REQUIRE_OK(gc_event_ipc_handle(event, &handle));
    CHECK_OK(gc_event_record(event, stream, 0));
    for (i = 0; i < sizeof handle.bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", handle.bytes[i]);
    setenv(variable, text, 1);
    child_start(&child, "--open", "event");
    line = child_line(&child, CHILD_SECONDS);
    CHECK(line != NULL && strcmp(line, "opened and waited for") == 0);
    CHECK(child_end(&child, CHILD_SECONDS) == EXIT_SUCCESS);
    CHECK_OK(gc_event_destroy(plain));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* A wait for such an event breaks the capture, wherever the event was recorded. Its record is refused alone. */
static void captures_have_none(void) {
    static const gc_capture_mode modes[] = {GRAPHCAP_CAPTURE_MODE_GLOBAL, GRAPHCAP_CAPTURE_MODE_RELAXED};
    gc_context *context;
    gc_stream *stream;
    gc_event *event;
    gc_graph *graph = NULL;
    size_t i, k;
    NOT_ON_HOST("its events are of one process");
    context = open_context();
    stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_interprocess(context);
    for (i = 0; i < LENGTH_OF(modes); i++) {
        for (k = 0; k < 2; k++) {
            REQUIRE_OK(gc_stream_begin_capture(stream, modes[i]));
            CHECK_MESSAGE(gc_stream_wait_event(stream, event, 0), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "cuStreamWaitEvent");
            CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
            CHECK_STATUS(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
            CHECK_OK(gc_event_record(event, stream, 0));
            CHECK_OK(gc_stream_synchronize(stream));
        }
        REQUIRE_OK(gc_stream_begin_capture(stream, modes[i]));
        CHECK_MESSAGE(gc_event_record(event, stream, 0), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "cuEventRecord");
        CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        CHECK_OK(gc_stream_end_capture(stream, &graph));
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* The other process. */
static int open_and_wait(void) {
    const char *text = getenv(variable);
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = NULL;
    gc_ipc_handle handle;
    size_t i;
    memset(&handle, 0, sizeof handle);
    for (i = 0; text != NULL && i < sizeof handle.bytes; i++) {
        unsigned byte = 0;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1)
            return EXIT_FAILURE;
        handle.bytes[i] = (uint8_t)byte;
    }
    REQUIRE_OK(gc_event_open_ipc_handle(context, &handle, &event));
    REQUIRE_OK(gc_stream_wait_event(stream, event, 0));
    REQUIRE_OK(gc_stream_synchronize(stream));
    REQUIRE_OK(gc_event_synchronize(event));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    printf("opened and waited for\n");
    return check_finish() == EXIT_FAILURE ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--open") == 0)
        return open_and_wait();
    RUN(the_host_device_has_none);
    RUN(another_process_waits_for_an_event);
    RUN(captures_have_none);
    return check_finish();
}
