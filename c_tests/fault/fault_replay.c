/* A kernel that faults in a replay of a graph: the message lists the launch of the graph, and all else is as after the
 * fault of a kernel that was launched by itself. */
#include "fault.h"

static void a_replay_that_faults(void) {
    static struct faulty s;
    struct bystander host;
    gc_graph_exec *exec;
    uint32_t number = 1;
    int32_t complete = 0;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    bystander_open(&host);
    faulty_open(&s);
    REQUIRE_OK(gc_stream_begin_capture(s.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&s.rig, s.stream, s.buffer, 0, 1, 1));
    CHECK_OK(launch(s.stream, s.fail, 1, 1, arguments, 1));
    CHECK_OK(gc_stream_memset(s.stream, s.buffer, 0, 0, 4, 1));
    exec = finish_capture(s.stream);
    CHECK_OK(gc_graph_launch(exec, s.stream));
    /* An event behind it notices too. */
    CHECK_OK(gc_event_record(s.event, s.stream, 0));
    CHECK_MESSAGE(gc_event_synchronize(s.event), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "graph of 3 nodes");
    faulty_note(&s, "graph of 3 nodes");
    CHECK_STATUS(gc_event_is_complete(s.event, &complete), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_graph_launch(exec, s.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    everything_gives_the_fault(&s, GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    bystander_replay(&host);
    SOON(gc_graph_exec_destroy(exec));
    faulty_close(&s);
    bystander_replay(&host);
    bystander_close(&host);
}

int main(void) {
    cuda_open();
    RUN(a_replay_that_faults);
    return check_finish();
}
