/* External events: records and waits that are nodes of a graph, for times inside of it and for its order against work
 * outside. Order is proved by holding; that what should go on does so is awaited, and no time is measured. */
#include "kernels.h"

static struct rig rig;

enum { EXTERNAL_RECORD = GRAPHCAP_EVENT_RECORD_EXTERNAL, EXTERNAL_WAIT = GRAPHCAP_EVENT_WAIT_EXTERNAL };

/* In nanoseconds: keeps a wait that has gone wrong from hanging the test. */
static const uint64_t limit = 60000000000u;

static int is_complete(const gc_stream *stream) {
    int32_t complete = -1;
    CHECK_OK(gc_stream_is_complete(stream, &complete));
    return complete;
}

static void begin(const gc_stream *stream) {
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
}

/* Launches an exec once, and destroys it. */
static void run_exec(gc_graph_exec *exec) {
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void a_graph_takes_times_inside_of_it(void) {
    enum { MARKS = 3 };
    gc_event *marks[MARKS];
    gc_kernel *nap = get_kernel(rig.module, "nap");
    uint32_t milliseconds = 5;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(milliseconds)};
    gc_graph_exec *exec;
    float first = -1, second = -1, both = -1;
    int32_t complete = 0;
    unsigned i, replay;
    begin(rig.stream);
    for (i = 0; i < MARKS; i++) {
        marks[i] = open_event(rig.context);
        if (i > 0)
            CHECK_OK(launch(rig.stream, nap, 1, 1, arguments, 1));
        CHECK_OK(gc_event_record(marks[i], rig.stream, EXTERNAL_RECORD));
    }
    exec = finish_capture(rig.stream);
    /* The capture has recorded none of them. */
    CHECK_OK(gc_event_is_complete(marks[0], &complete));
    CHECK(complete);
    CHECK_STATUS(gc_event_elapsed_time(marks[0], marks[1], &first), GRAPHCAP_ERROR_INVALID_HANDLE);
    for (replay = 0; replay < 3; replay++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_event_synchronize_for(marks[MARKS - 1], limit));
        CHECK_OK(gc_event_elapsed_time(marks[0], marks[1], &first));
        CHECK_OK(gc_event_elapsed_time(marks[1], marks[2], &second));
        CHECK_OK(gc_event_elapsed_time(marks[0], marks[2], &both));
        /* A nap of 5 ms takes at least that. */
        CHECK(first >= 4.9f && second >= 4.9f && both > first + second - 0.01f && both < first + second + 0.01f);
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < MARKS; i++)
        CHECK_OK(gc_event_destroy(marks[i]));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(nap));
}

/* A part of a replay is waited for, by the CPU and by another stream, while the rest is held. */
static void others_wait_for_a_part_of_a_graph(void) {
    struct gate gate;
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *part = open_event(rig.context);
    gc_graph_exec *exec;
    gate_init(&gate);
    begin(rig.stream);
    CHECK_OK(launch_note(&rig, rig.stream, journal, 1));
    CHECK_OK(gc_event_record(part, rig.stream, EXTERNAL_RECORD));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 3));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_wait_event(other, part, 0));
    CHECK_OK(launch_note(&rig, other, journal, 2));
    CHECK_OK(gc_event_synchronize_for(part, limit));
    CHECK_OK(gc_stream_synchronize_for(other, limit));
    gate_await(&gate, 1);
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 2 && seen.entries[0] == 1 && seen.entries[1] == 2);
    CHECK(!is_complete(rig.stream));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 3 && seen.entries[2] == 3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(part));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_buffer_destroy(journal));
    gate_free(&gate);
}

/* One branch of a replay waits for outside work, the other one does not. */
static void a_branch_waits_for_work_outside(void) {
    struct gate gate;
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *outside = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *outer = open_event(rig.context), *fork_event = open_event(rig.context);
    gc_event *join_event = open_event(rig.context);
    gc_graph_exec *exec;
    gate_init(&gate);
    begin(rig.stream);
    CHECK_OK(gc_event_record(fork_event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork_event, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, outer, EXTERNAL_WAIT));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 3));
    CHECK_OK(launch_note(&rig, side, journal, 1));
    CHECK_OK(gc_event_record(join_event, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, join_event, 0));
    CHECK_OK(launch_note(&rig, rig.stream, journal, 4));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_stream_launch_host_func(outside, gate_hold, &gate, NULL));
    CHECK_OK(launch_note(&rig, outside, journal, 2));
    CHECK_OK(gc_event_record(outer, outside, 0));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(await_journal(rig.context, journal, 1, &seen));
    gate_await(&gate, 1);
    CHECK(seen.length == 1 && seen.entries[0] == 1 && !is_complete(rig.stream));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize_for(rig.stream, limit));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 4 && seen.entries[1] == 2 && seen.entries[2] == 3 && seen.entries[3] == 4);
    /* What the event was recorded as is complete, so that a replay has nothing to wait for. */
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize_for(rig.stream, limit));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(join_event));
    CHECK_OK(gc_event_destroy(fork_event));
    CHECK_OK(gc_event_destroy(outer));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_stream_destroy(outside));
    CHECK_OK(gc_buffer_destroy(journal));
    gate_free(&gate);
}

/* A replay waits for what the event was recorded as when the graph was launched. */
static void a_later_record_does_not_move_the_wait_of_a_replay(void) {
    struct gate first, second;
    gc_stream *outside = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph_exec *exec;
    gate_init(&first);
    gate_init(&second);
    begin(rig.stream);
    CHECK_OK(gc_stream_wait_event(rig.stream, event, EXTERNAL_WAIT));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_stream_launch_host_func(outside, gate_hold, &first, NULL));
    CHECK_OK(gc_event_record(event, outside, 0));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_launch_host_func(outside, gate_hold, &second, NULL));
    CHECK_OK(gc_event_record(event, outside, 0));
    gate_await(&first, 1);
    CHECK(!is_complete(rig.stream));
    gate_open(&first);
    CHECK_OK(gc_stream_synchronize_for(rig.stream, limit));
    gate_await(&second, 1);
    CHECK(!is_complete(outside));
    gate_open(&second);
    CHECK_OK(gc_stream_synchronize(outside));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(outside));
    gate_free(&first);
    gate_free(&second);
}

/* Two graphs on two streams that wait for each other's records run in turns. */
static void two_graphs_take_turns(void) {
    enum { GRAPHS = 2 };
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *streams[GRAPHS];
    gc_event *events[GRAPHS];
    gc_graph_exec *execs[GRAPHS];
    unsigned i, rounds = soak(200, 2000);
    for (i = 0; i < GRAPHS; i++) {
        streams[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        events[i] = open_event(rig.context);
    }
    for (i = 0; i < GRAPHS; i++) {
        begin(streams[i]);
        CHECK_OK(gc_stream_wait_event(streams[i], events[1 - i], EXTERNAL_WAIT));
        CHECK_OK(launch_note(&rig, streams[i], journal, i));
        CHECK_OK(gc_event_record(events[i], streams[i], EXTERNAL_RECORD));
        execs[i] = finish_capture(streams[i]);
    }
    for (i = 0; i < rounds; i++)
        CHECK_OK(gc_graph_launch(execs[i % GRAPHS], streams[i % GRAPHS]));
    CHECK_OK(gc_event_synchronize_for(events[(rounds - 1) % GRAPHS], limit));
    CHECK_OK(gc_context_synchronize(rig.context));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == rounds);
    for (i = 0; i < rounds && seen.entries[i] == i % GRAPHS; i++) {
    }
    CHECK(i == rounds);
    for (i = 0; i < GRAPHS; i++) {
        CHECK_OK(gc_graph_exec_destroy(execs[i]));
        CHECK_OK(gc_event_destroy(events[i]));
        CHECK_OK(gc_stream_destroy(streams[i]));
    }
    CHECK_OK(gc_buffer_destroy(journal));
}

/* One exec on several streams, each launch after a record of the one before, and on the legacy stream. */
static void launches_of_one_graph_on_any_stream_pass_a_record_on(void) {
    enum { STREAMS = 3 };
    gc_stream *streams[STREAMS];
    gc_buffer *buffer = open_buffer(rig.context, 8);
    gc_event *event = open_event(rig.context);
    gc_graph_exec *exec;
    unsigned i, rounds = soak(150, 3000);
    int32_t complete = 0;
    streams[0] = open_stream(rig.context, 0);
    streams[1] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_context_legacy_stream(rig.context, &streams[2]));
    begin(rig.stream);
    CHECK_OK(gc_stream_wait_event(rig.stream, event, EXTERNAL_WAIT));
    CHECK_OK(launch_mix(&rig, rig.stream, buffer, 0, 0, 1, 1));
    CHECK_OK(gc_event_record(event, rig.stream, EXTERNAL_RECORD));
    exec = finish_capture(rig.stream);
    /* The graph and what was made of it keep the event. */
    for (i = 0; i < rounds; i++)
        CHECK_OK(gc_graph_launch(exec, streams[i % STREAMS]));
    CHECK_OK(gc_event_synchronize_for(event, limit));
    CHECK_OK(gc_event_is_complete(event, &complete));
    CHECK(complete);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_graph_launch(exec, streams[0]));
    CHECK_OK(gc_stream_synchronize_for(streams[0], limit));
    {
        uint32_t expected = 0;
        for (i = 0; i <= rounds; i++)
            expected = mixed(expected, 0, 1);
        CHECK(read_u32(rig.stream, buffer, 0) == expected);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (i = 0; i < STREAMS; i++)
        CHECK_OK(gc_stream_destroy(streams[i]));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void nodes_tell_what_they_are(void) {
    static char text[4096];
    gc_event *event = open_event(rig.context);
    gc_graph *graph = NULL;
    size_t nodes = 0, edges = 0;
    begin(rig.stream);
    CHECK_OK(gc_stream_wait_event(rig.stream, event, EXTERNAL_WAIT));
    CHECK_OK(gc_event_record(event, rig.stream, EXTERNAL_RECORD));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(nodes == 2 && edges == 1);
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    CHECK(check_contains(text, "event wait") && check_contains(text, "event record"));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(event));
}

/* A graph whose launches record the event. */
static gc_graph_exec *recorder_of(const gc_event *event) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_add_event_record_node(graph, NULL, 0, event, &node));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    return exec;
}

/* Who waits for the event then does not join that capture, and may begin another one, while the first goes on. */
static void a_launch_takes_its_event_out_of_a_capture(void) {
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph_exec *exec = recorder_of(event);
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *into = NULL, *graph = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &into));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, into, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_graph_destroy(into));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_graph_launch(exec, other));
    CHECK_OK(gc_stream_wait_event(other, event, 0));
    CHECK(capture_state(other) == GRAPHCAP_CAPTURE_STATUS_NONE);
    begin(other);
    CHECK_OK(gc_stream_memset(other, buffer, 0, 1, 4, 4));
    REQUIRE_OK(gc_stream_end_capture(other, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 1));
    run_exec(finish_capture(rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(other));
}

/* A stream that waited in a capture for such an event executes again afterwards. */
static void after_a_wait_in_a_capture_the_stream_executes_again(void) {
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph_exec *exec = recorder_of(event);
    gc_buffer *buffer = open_buffer(rig.context, 64);
    unsigned round;
    for (round = 0; round < 3; round++) {
        begin(stream);
        CHECK_OK(gc_stream_memset(stream, buffer, 0, 10 + round, 4, 1));
        CHECK_OK(gc_stream_wait_event(stream, event, 0));
        CHECK_OK(gc_stream_memset(stream, buffer, 4, 20 + round, 4, 1));
        run_exec(finish_capture(stream));
        CHECK(read_u32(stream, buffer, 0) == 10 + round && read_u32(stream, buffer, 1) == 20 + round);
        CHECK_OK(gc_stream_memset(stream, buffer, 8, 30 + round, 4, 1));
        CHECK(read_u32(stream, buffer, 2) == 30 + round);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
}

static void outside_of_captures_they_are_refused(void) {
    gc_event *event = open_event(rig.context), *foreign_event;
    gc_context *context = open_context();
    foreign_event = open_event(context);
    CHECK_MESSAGE(gc_event_record(event, rig.stream, EXTERNAL_RECORD), GRAPHCAP_ERROR_ILLEGAL_STATE,
                  "EXTERNAL");
    CHECK_MESSAGE(gc_stream_wait_event(rig.stream, event, EXTERNAL_WAIT), GRAPHCAP_ERROR_ILLEGAL_STATE, "EXTERNAL");
    CHECK_MESSAGE(gc_event_record(foreign_event, rig.stream, EXTERNAL_RECORD), GRAPHCAP_ERROR_ILLEGAL_STATE,
                  "EXTERNAL");
    CHECK_MESSAGE(gc_stream_wait_event(rig.stream, foreign_event, EXTERNAL_WAIT), GRAPHCAP_ERROR_ILLEGAL_STATE,
                  "EXTERNAL");
    CHECK_OK(gc_event_destroy(foreign_event));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_event_destroy(event));
}

/* What a guarded context refuses it refuses without the flag alone. */
static void guarded_contexts_let_them_pass(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_stream *stream, *other;
    gc_event *event;
    gc_graph_exec *exec;
    options.flags = GRAPHCAP_CONTEXT_GUARDED;
    REQUIRE_OK(gc_context_create(&options, &context));
    stream = open_stream(context, 0);
    other = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(context);
    CHECK_OK(gc_event_record(event, other, 0));
    begin(stream);
    CHECK_MESSAGE(gc_stream_wait_event(stream, event, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "EXTERNAL");
    CHECK_OK(gc_stream_wait_event(stream, event, EXTERNAL_WAIT));
    CHECK_OK(gc_event_record(event, stream, EXTERNAL_RECORD));
    /* Launches take the event out of captures, never into one. */
    CHECK_MESSAGE(gc_stream_wait_event(stream, event, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "EXTERNAL");
    CHECK_OK(gc_stream_wait_event(other, event, 0));
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE && capture_state(other) == GRAPHCAP_CAPTURE_STATUS_NONE);
    exec = finish_capture(stream);
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_event_synchronize_for(event, limit));
    CHECK_OK(gc_event_record(event, other, 0));
    begin(stream);
    CHECK_MESSAGE(gc_stream_wait_event(stream, event, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "EXTERNAL");
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    exec = finish_capture(stream);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* Who waits for a record of a replay that fails before it goes on. */
static void a_fault_lets_those_go_who_wait(void) {
    gc_context *context;
    gc_stream *stream, *other;
    gc_event *event;
    gc_module *module;
    gc_kernel *fail;
    gc_graph_exec *exec;
    gc_status status;
    uint32_t number = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    NOT_ON_CUDA(FAULTS_STAY);
    context = open_context();
    stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    other = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(context);
    module = load_kernels(context);
    fail = get_kernel(module, "fail");
    begin(stream);
    CHECK_OK(launch(stream, fail, 1, 1, arguments, 1));
    CHECK_OK(gc_event_record(event, stream, EXTERNAL_RECORD));
    exec = finish_capture(stream);
    CHECK_OK(gc_graph_launch(exec, stream));
    /* Both may come after the fault. */
    status = gc_graph_launch(exec, stream);
    CHECK(status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    status = gc_stream_wait_event(other, event, 0);
    CHECK(status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_event_synchronize_for(event, limit), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_synchronize_for(other, limit), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(fail));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

struct branch {
    struct gate gate;
    unsigned left;
};

static void hold_branch(void *user_data) {
    struct branch *branch = (struct branch *)user_data;
    gate_hold(&branch->gate);
    count_call(&branch->left);
}

/* Also while another branch of the replay goes on. */
static void a_fault_lets_those_go_who_wait_for_one_branch(void) {
    struct branch branch;
    struct gate before;
    gc_context *context;
    gc_stream *stream, *side;
    gc_event *fork_event, *join_event, *event;
    gc_module *module;
    gc_kernel *hold, *fail;
    gc_graph_exec *exec;
    struct gate *at = &before;
    uint32_t number = 1;
    gc_kernel_arg held[] = {GRAPHCAP_ARG_INIT_VALUE(at)}, arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    NOT_ON_CUDA(FAULTS_STAY);
    gate_init(&branch.gate);
    branch.left = 0;
    gate_init(&before);
    context = open_context();
    stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    side = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    fork_event = open_event(context);
    join_event = open_event(context);
    event = open_event(context);
    module = load_kernels(context);
    hold = get_kernel(module, "hold");
    fail = get_kernel(module, "fail");
    begin(stream);
    CHECK_OK(gc_event_record(fork_event, stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork_event, 0));
    CHECK_OK(gc_stream_launch_host_func(side, hold_branch, &branch, NULL));
    CHECK_OK(gc_event_record(join_event, side, 0));
    CHECK_OK(launch(stream, hold, 1, 1, held, 1));
    CHECK_OK(launch(stream, fail, 1, 1, arguments, 1));
    CHECK_OK(gc_event_record(event, stream, EXTERNAL_RECORD));
    CHECK_OK(gc_stream_wait_event(stream, join_event, 0));
    exec = finish_capture(stream);
    CHECK_OK(gc_graph_launch(exec, stream));
    gate_await(&branch.gate, 1);
    gate_open(&before);
    CHECK_STATUS(gc_event_synchronize_for(event, limit), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    gate_open(&branch.gate);
    CHECK(await_count(&branch.left, 1));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(fail));
    CHECK_OK(gc_kernel_destroy(hold));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_event_destroy(join_event));
    CHECK_OK(gc_event_destroy(fork_event));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    gate_free(&before);
    gate_free(&branch.gate);
}

int main(void) {
    rig_open(&rig);
    /* First, as nobody waits for a context that faulted: it is let go while the others run. */
    RUN(a_fault_lets_those_go_who_wait);
    RUN(a_fault_lets_those_go_who_wait_for_one_branch);
    RUN(a_graph_takes_times_inside_of_it);
    RUN(others_wait_for_a_part_of_a_graph);
    RUN(a_branch_waits_for_work_outside);
    RUN(a_later_record_does_not_move_the_wait_of_a_replay);
    RUN(two_graphs_take_turns);
    RUN(launches_of_one_graph_on_any_stream_pass_a_record_on);
    RUN(nodes_tell_what_they_are);
    RUN(a_launch_takes_its_event_out_of_a_capture);
    RUN(after_a_wait_in_a_capture_the_stream_executes_again);
    RUN(outside_of_captures_they_are_refused);
    RUN(guarded_contexts_let_them_pass);
    rig_close(&rig);
    return check_finish();
}
