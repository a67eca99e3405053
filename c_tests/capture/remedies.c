/* Refusals about captures tell what to do next. */
#include "kernels.h"

static struct rig rig;

static void a_time_between_captured_events_tells_of_external_records(void) {
    gc_event *start = open_event(rig.context), *end = open_event(rig.context);
    gc_graph *graph = NULL;
    float milliseconds = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_event_record(start, rig.stream, 0));
    CHECK_OK(gc_event_record(end, rig.stream, 0));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_MESSAGE(gc_event_elapsed_time(start, end, &milliseconds), GRAPHCAP_ERROR_INVALID_VALUE,
                  "GRAPHCAP_EVENT_RECORD_EXTERNAL");
    CHECK_MESSAGE(gc_event_synchronize(end), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_EVENT_RECORD_EXTERNAL");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(start));
    CHECK_OK(gc_event_destroy(end));
}

static void a_time_before_the_first_launch_tells_to_launch(void) {
    gc_event *start = open_event(rig.context), *end = open_event(rig.context);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    float milliseconds = -1;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_event_record(start, rig.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    CHECK_OK(gc_event_record(end, rig.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_MESSAGE(gc_event_elapsed_time(start, end, &milliseconds), GRAPHCAP_ERROR_INVALID_HANDLE,
                  "launch the graph first");
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_event_elapsed_time(start, end, &milliseconds));
    CHECK(milliseconds >= 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(start));
    CHECK_OK(gc_event_destroy(end));
}

static void a_launch_on_a_captured_stream_tells_of_children(void) {
    gc_graph *graph = NULL, *broken = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_MESSAGE(gc_graph_launch(exec, rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED,
                  "gc_stream_capture_child_node()");
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &broken), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void an_impossible_shape_tells_that_the_capture_is_broken(void) {
    gc_launch_config impossible = GRAPHCAP_LAUNCH_CONFIG(0, 1);
    gc_buffer *buffer = open_buffer(rig.context, 64);
    const uint32_t entry = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(entry)};
    gc_graph *broken = NULL;
    const gc_status refused = gc_stream_launch_kernel(rig.stream, rig.note, &impossible, arguments, 2);
    char text[1024] = "";
    CHECK(refused == GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    CHECK(strstr(text, "capture") == NULL);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.note, &impossible, arguments, 2), GRAPHCAP_ERROR_INVALID_VALUE,
                  "the capture is now invalid");
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &broken), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(a_time_between_captured_events_tells_of_external_records);
    RUN(a_time_before_the_first_launch_tells_to_launch);
    RUN(a_launch_on_a_captured_stream_tells_of_children);
    RUN(an_impossible_shape_tells_that_the_capture_is_broken);
    rig_close(&rig);
    return check_finish();
}
