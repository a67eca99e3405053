/* Graph execs: replays with changing inputs, counters, upload, order between launches, faults in a replay. */
#include "kernels.h"

static struct rig rig;

static uint64_t replays_of(const gc_graph_exec *exec) {
    uint64_t count = UINT64_MAX;
    CHECK_OK(gc_graph_exec_num_replays(exec, &count));
    return count;
}

static int uploaded(const gc_graph_exec *exec) {
    int32_t answer = -1;
    CHECK_OK(gc_graph_exec_is_uploaded(exec, &answer));
    CHECK(answer == 0 || answer == 1);
    return answer;
}

/* Input is copied in, forked, mixed on two branches, joined and copied out, each time with another input. */
static void replays_follow_their_inputs(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph_exec *exec;
    uint32_t input[2] = {0, 0}, output = 0, i;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, input, sizeof input));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, event, 0));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 2, 0, 1, 5));
    CHECK_OK(launch_mix(&rig, side, buffer, 3, 1, 0, 6));
    CHECK_OK(gc_event_record(event, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, event, 0));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 4, 2, 3, 7));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &output, buffer, 16, 4));
    exec = finish_capture(rig.stream);
    CHECK(replays_of(exec) == 0);
    for (i = 0; i < 1000; i++) {
        uint32_t expected;
        input[0] = i * 17;
        input[1] = i ^ 0x5555;
        expected = mixed(mixed(input[0], input[1], 5), mixed(input[1], input[0], 6), 7);
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        if (output != expected)
            break;
    }
    CHECK(i == 1000);
    CHECK(replays_of(exec) == 1000);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static gc_graph_exec *record_add(gc_buffer *buffer) {
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    return finish_capture(rig.stream);
}

static void pipelined_replays_all_run(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph_exec *exec = record_add(buffer);
    uint32_t i, count = soak(10000, 1000000);
    for (i = 0; i < count; i++)
        if (gc_graph_launch(exec, rig.stream) != GRAPHCAP_SUCCESS)
            break;
    CHECK(i == count && read_u32(rig.stream, buffer, 0) == count && replays_of(exec) == count);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void uploading_is_done_once(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph_exec *exec = record_add(buffer), *other = record_add(buffer);
    gc_stream *capturing = open_stream(rig.context, 0);
    gc_graph *graph = NULL;
    CHECK(!uploaded(exec));
    /* A failure can be tried again. */
    CHECK_OK(gc_stream_begin_capture(capturing, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_graph_upload(exec, capturing), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(capturing, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(!uploaded(exec));
    CHECK_OK(gc_graph_upload(exec, rig.stream));
    CHECK(uploaded(exec) && !uploaded(other));
    CHECK_OK(gc_graph_upload(exec, rig.stream));
    CHECK_OK(gc_graph_upload(exec, capturing));
    CHECK(uploaded(exec) && replays_of(exec) == 0);
    CHECK(read_u32(rig.stream, buffer, 0) == 0);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(other, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 2);
    CHECK_OK(gc_stream_destroy(capturing));
    CHECK_OK(gc_graph_exec_destroy(other));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A launch that was refused is no replay. */
static void refused_launches_are_not_counted(void) {
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph_exec *exec = record_add(buffer);
    gc_graph *graph = NULL;
    CHECK_STATUS(gc_graph_launch(exec, NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_graph_launch(exec, rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "captur");
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(replays_of(exec) == 0 && read_u32(rig.stream, buffer, 0) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void launches_of_one_exec_run_one_after_another(void) {
    enum { STREAMS = 4, ROUNDS = 500 };
    gc_stream *streams[STREAMS];
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph_exec *exec;
    unsigned i;
    uint32_t x = 0;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < 5; i++)
        CHECK_OK(launch_mix(&rig, rig.stream, buffer, 0, 0, 1, i));
    exec = finish_capture(rig.stream);
    for (i = 0; i < STREAMS; i++)
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    for (i = 0; i < ROUNDS; i++) {
        unsigned k;
        CHECK_OK(gc_graph_launch(exec, streams[i % STREAMS]));
        for (k = 0; k < 5; k++)
            x = mixed(x, 0, k);
    }
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(read_u32(rig.stream, buffer, 0) == x && replays_of(exec) == ROUNDS);
    for (i = 0; i < STREAMS; i++)
        CHECK_OK(gc_stream_destroy(streams[i]));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* The second launch waits in its stream for the first, which is held. */
static void a_second_launch_waits_for_the_first(void) {
    struct gate gate;
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph_exec *exec;
    int32_t complete = -1;
    gate_init(&gate);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(exec, other));
    gate_await(&gate, 1);
    CHECK_OK(gc_stream_is_complete(other, &complete));
    CHECK(complete == 0 && gate.entered == 1);
    /* The work outlives the handle. */
    CHECK_OK(gc_graph_exec_destroy(exec));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(other));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(gate.entered == 2);
    CHECK_OK(gc_stream_destroy(other));
    gate_free(&gate);
}

static void another_exec_runs_beside_a_held_one(void) {
    struct gate gate;
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_graph_exec *held, *quick = record_add(buffer);
    int32_t complete = -1;
    gate_init(&gate);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    held = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(held, rig.stream));
    gate_await(&gate, 1);
    CHECK_OK(gc_graph_launch(quick, other));
    CHECK(read_u32(other, buffer, 0) == 1);
    CHECK_OK(gc_stream_is_complete(rig.stream, &complete));
    CHECK(complete == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(held));
    CHECK_OK(gc_graph_exec_destroy(quick));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(other));
    gate_free(&gate);
}

/* Branches do not wait for each other: one is held while the other must finish for it to be let go. */
static void branches_run_side_by_side(void) {
    struct gate gate;
    gc_stream *side = open_stream(rig.context, 0);
    gc_event *event = open_event(rig.context);
    gc_buffer *journal = open_journal(rig.context);
    static struct journal seen;
    gc_graph_exec *exec;
    unsigned rounds;
    gate_init(&gate);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, event, 0));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(launch_note(&rig, side, journal, 1));
    CHECK_OK(gc_event_record(event, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, event, 0));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 2));
    exec = finish_capture(rig.stream);
    for (rounds = 1; rounds <= 5; rounds++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        gate_await(&gate, rounds);
        CHECK(await_journal(rig.context, journal, 2 * rounds - 1, &seen));
        CHECK(seen.length == 2 * rounds - 1);
        gate_open(&gate);
        CHECK_OK(gc_stream_synchronize(rig.stream));
        read_journal(rig.context, journal, &seen);
        CHECK(seen.length == 2 * rounds);
        gate.open = 0;
    }
    CHECK_OK(gc_buffer_destroy(journal));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(side));
    gate_free(&gate);
}

/* A replay is ordered in its stream like any other work. */
static void replays_keep_their_place_in_the_stream(void) {
    gc_buffer *journal = open_journal(rig.context);
    static struct journal seen;
    gc_graph_exec *exec;
    unsigned i;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 1));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 2));
    exec = finish_capture(rig.stream);
    for (i = 0; i < 200; i++) {
        CHECK_OK(launch_note(&rig, rig.stream, journal, 0));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    read_journal(rig.context, journal, &seen);
    check_counts_up(&seen, 600, 3);
    CHECK_OK(gc_buffer_destroy(journal));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void a_fault_in_a_replay_names_the_kernel(void) {
    struct rig doomed;
    gc_kernel *fail;
    gc_graph_exec *exec;
    uint32_t number = 7;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    NOT_ON_CUDA(FAULTS_STAY);
    rig_open(&doomed);
    fail = get_kernel(doomed.module, "fail");
    CHECK_OK(gc_stream_begin_capture(doomed.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch(doomed.stream, fail, 1, 1, arguments, 1));
    exec = finish_capture(doomed.stream);
    CHECK_OK(gc_graph_launch(exec, doomed.stream));
    CHECK_MESSAGE(gc_stream_synchronize(doomed.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "fail");
    CHECK_STATUS(gc_graph_launch(exec, doomed.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK(replays_of(exec) == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(fail));
    rig_close(&doomed);
}

int main(void) {
    rig_open(&rig);
    RUN(replays_follow_their_inputs);
    RUN(pipelined_replays_all_run);
    RUN(uploading_is_done_once);
    RUN(refused_launches_are_not_counted);
    RUN(launches_of_one_exec_run_one_after_another);
    RUN(a_second_launch_waits_for_the_first);
    RUN(another_exec_runs_beside_a_held_one);
    RUN(branches_run_side_by_side);
    RUN(replays_keep_their_place_in_the_stream);
    RUN(a_fault_in_a_replay_names_the_kernel);
    rig_close(&rig);
    return check_finish();
}
