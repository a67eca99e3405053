/* What a gc_capture records beside kernels, copies and memsets: host functions, events and value operations. */
#include "../graph/nodes.h"

static struct rig rig;

static gc_capture *begin(const gc_stream *stream) {
    gc_capture *capture = NULL;
    REQUIRE_OK(gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    return capture;
}

static uint64_t recorded(const gc_capture *capture) {
    uint64_t count = UINT64_MAX;
    CHECK_OK(gc_capture_recorded_count(capture, &count));
    return count;
}

/* Ends a capture, of which the object and the graph go. */
static gc_graph_exec *finish(gc_capture *capture, size_t nodes) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK(nodes_of(graph) == nodes);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_capture_destroy(capture));
    return exec;
}

static void host_functions_run_at_each_replay(void) {
    unsigned calls = 0, released = 0;
    gc_capture *capture = begin(rig.stream);
    gc_graph_exec *exec;
    CHECK_OK(gc_capture_record_host_func(capture, count_call, &calls, NULL));
    CHECK_OK(gc_capture_record_host_func(capture, count_call, &released, count_call));
    CHECK(recorded(capture) == 2);
    exec = finish(capture, 2);
    CHECK(count_of(&calls) == 0);
    replay(&rig, exec);
    replay(&rig, exec);
    CHECK(count_of(&calls) == 2 && count_of(&released) == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&released, 3) && count_of(&released) == 3);
}

static void a_refused_host_function_is_destroyed_once(void) {
    unsigned released = 0;
    gc_capture *capture = begin(rig.stream);
    CHECK_MESSAGE(gc_capture_record_host_func(capture, NULL, &released, count_call), GRAPHCAP_ERROR_INVALID_VALUE,
                  "function");
    CHECK(await_count(&released, 1));
    CHECK_OK(gc_capture_abort(capture));
    CHECK_MESSAGE(gc_capture_record_host_func(capture, count_call, &released, count_call), GRAPHCAP_ERROR_ILLEGAL_STATE,
                  "over");
    CHECK(await_count(&released, 2) && count_of(&released) == 2);
    CHECK_OK(gc_capture_destroy(capture));
}

/* A fork and a join, through the object: neither is a node, nor counted. */
static void events_fork_and_join(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork = open_event(rig.context), *join = open_event(rig.context);
    gc_capture *capture = begin(rig.stream);
    gc_graph *graph = NULL;
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_capture_record_event(capture, fork, 0));
    CHECK_OK(gc_stream_wait_event(side, fork, 0));
    CHECK(capture_state(side) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(launch_add(&rig, side, buffer, 4, 2, 1));
    CHECK_OK(gc_event_record(join, side, 0));
    CHECK_OK(gc_capture_record_wait_event(capture, join, 0));
    CHECK(recorded(capture) == 0);
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 0, 1, 5));
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK(nodes_of(graph) == 3 && edges_of(graph) == 3);
    run_graph(&rig, graph);
    CHECK(read_u32(rig.stream, buffer, 2) == mixed(1, 2, 5));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_event_destroy(join));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void external_events_are_nodes(void) {
    gc_event *first = open_event(rig.context), *second = open_event(rig.context);
    gc_capture *capture = begin(rig.stream);
    gc_graph_exec *exec;
    float milliseconds = -1;
    int32_t complete = 0;
    CHECK_OK(gc_capture_record_event(capture, first, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    CHECK_OK(gc_capture_record_wait_event(capture, first, GRAPHCAP_EVENT_WAIT_EXTERNAL));
    CHECK_OK(gc_capture_record_event(capture, second, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    CHECK(recorded(capture) == 3);
    CHECK_MESSAGE(gc_capture_record_event(capture, first, 2), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_MESSAGE(gc_capture_record_wait_event(capture, first, 2), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    exec = finish(capture, 3);
    replay(&rig, exec);
    CHECK_OK(gc_event_is_complete(second, &complete));
    CHECK(complete == 1);
    CHECK_OK(gc_event_elapsed_time(first, second, &milliseconds));
    CHECK(milliseconds >= 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(first));
    CHECK_OK(gc_event_destroy(second));
}

/* An event from outside breaks the capture, as it does through the stream. */
static void a_wait_for_an_event_of_the_outside_breaks_the_capture(void) {
    gc_event *outside = open_event(rig.context);
    gc_capture *capture;
    gc_graph *graph = NULL;
    CHECK_OK(gc_event_record(outside, rig.stream, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    capture = begin(rig.stream);
    CHECK_MESSAGE(gc_capture_record_wait_event(capture, outside, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "event");
    CHECK_MESSAGE(gc_capture_end(capture, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "gc_capture_record(EVENT_WAIT)");
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_event_destroy(outside));
}

static void value_operations_are_one_node(void) {
    gc_buffer *buffer = open_waitable(rig.context, 64);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 4, 7, 0), GRAPHCAP_MEM_OP_INIT_WAIT32(buffer, 4, 7, 0),
                              GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 8, 9, 0)};
    gc_capture *capture = begin(rig.stream);
    gc_graph_exec *exec;
    CHECK_OK(gc_capture_record_batch_mem_op(capture, NULL, 0));
    CHECK(recorded(capture) == 0);
    CHECK_OK(gc_capture_record_batch_mem_op(capture, operations, 3));
    CHECK_OK(gc_capture_record_batch_mem_op(capture, operations, 1));
    CHECK(recorded(capture) == 2);
    operations[2].offset = 64;
    CHECK_MESSAGE(gc_capture_record_batch_mem_op(capture, operations, 3), GRAPHCAP_ERROR_INVALID_VALUE, "operation 2");
    exec = finish(capture, 2);
    CHECK(read_u32(rig.stream, buffer, 1) == 0);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 1) == 7 && read_u32(rig.stream, buffer, 2) == 9);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Contexts on one device are as one. */
static void events_of_another_context_are_recorded(void) {
    gc_context *other = open_context();
    gc_event *event = open_event(other);
    gc_capture *capture = begin(rig.stream);
    CHECK_OK(gc_capture_record_event(capture, event, GRAPHCAP_EVENT_RECORD_EXTERNAL));
    CHECK_OK(gc_capture_record_wait_event(capture, event, GRAPHCAP_EVENT_WAIT_EXTERNAL));
    CHECK(recorded(capture) == 2);
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_context_destroy(other));
}

int main(void) {
    rig_open(&rig);
    RUN(host_functions_run_at_each_replay);
    RUN(a_refused_host_function_is_destroyed_once);
    RUN(events_fork_and_join);
    RUN(external_events_are_nodes);
    RUN(a_wait_for_an_event_of_the_outside_breaks_the_capture);
    RUN(value_operations_are_one_node);
    RUN(events_of_another_context_are_recorded);
    rig_close(&rig);
    return check_finish();
}
