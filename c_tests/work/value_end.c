/* What becomes of waits for values that nothing ends: when their stream is destroyed, when their context ends, and when work of
 * their context faults. On a host device: a driver goes on waiting. */
#include "value.h"

static void never(void *user_data) {
    *(volatile unsigned *)user_data = 1;
}

/* What is behind a wait of a stream that is destroyed is let go: nothing of it runs, nobody waits for it any more. */
static void destroying_a_stream_gives_its_waits_up(void) {
    unsigned i, rounds = soak(100, 5000);
    NOT_ON_CUDA("a driver goes on waiting, see cuda_held.c");
    for (i = 0; i < rounds; i++) {
        gc_stream *held = open_stream(rig.context, i % 2 ? GRAPHCAP_STREAM_NON_BLOCKING : 0);
        gc_buffer *wrapped = NULL;
        gc_event *behind = open_event(rig.context);
        gc_graph_exec *exec = NULL;
        static uint64_t words[8];
        unsigned released = 0, called = 0;
        words[0] = words[1] = 0;
        REQUIRE_OK(gc_buffer_wrap(rig.context, words, sizeof words, &released, count_call, &wrapped));
        if (i % 3 == 0) {
            REQUIRE_OK(gc_stream_begin_capture(held, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
            CHECK_OK(gc_stream_wait_value64(held, wrapped, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
            CHECK_OK(gc_stream_write_value64(held, wrapped, 8, 1, 0));
            CHECK_OK(gc_stream_launch_host_func(held, never, &called, NULL));
            exec = finish_capture(held);
            CHECK_OK(gc_graph_launch(exec, held));
            CHECK_OK(gc_graph_launch(exec, held));
        } else {
            CHECK_OK(gc_stream_wait_value64(held, wrapped, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
            CHECK_OK(gc_stream_write_value64(held, wrapped, 8, 1, 0));
        }
        CHECK_OK(gc_stream_launch_host_func(held, never, &called, NULL));
        CHECK_OK(gc_event_record(behind, held, 0));
        CHECK_OK(gc_stream_wait_event(a, behind, 0));
        if (i % 4 == 0)
            CHECK_OK(gc_stream_synchronize(b));
        CHECK(!is_event_complete(behind));
        CHECK_OK(gc_stream_launch_host_func(held, never, &called, NULL));
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_stream_destroy(held));
        CHECK_OK(gc_event_synchronize(behind));
        CHECK_OK(gc_stream_synchronize(a));
        CHECK_OK(gc_context_synchronize(rig.context));
        CHECK(await_count(&released, 1));
        CHECK(words[1] == 0 && called == 0);
        CHECK_OK(gc_event_destroy(behind));
    }
}

/* The destroy functions of what was not run are called all the same, and once. */
static void what_was_given_up_is_let_go(void) {
    gc_stream *held;
    unsigned destroyed = 0;
    NOT_ON_CUDA("a driver goes on waiting, see cuda_held.c");
    held = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    clear_slots();
    CHECK_OK(wait_value(held, 0, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
    CHECK_OK(gc_stream_launch_host_func(held, gate_hold, &destroyed, count_call));
    CHECK_OK(gc_stream_launch_host_func(held, gate_hold, &destroyed, count_call));
    CHECK(count_of(&destroyed) == 0);
    CHECK_OK(gc_stream_destroy(held));
    CHECK(await_count(&destroyed, 2));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(count_of(&destroyed) == 2);
}

/* Many streams that wait are destroyed at once, some of whose values are yet to be written. Whoever destroys must not look
 * through all that wait: each look took the longer, and this did not end. */
static void *destroy_waiting_streams(void *unused) {
    const unsigned rounds = soak(600, 6000);
    unsigned i;
    (void)unused;
    for (i = 0; i < rounds; i++) {
        gc_stream *held = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        CHECK_OK(wait_value(held, i % 2, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(wait_value(other, 2, 32, i % 3, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(write_value(other, 3, 32, i));
        CHECK_OK(gc_stream_destroy(held));
        CHECK_OK(gc_stream_destroy(other));
    }
    return NULL;
}

static void many_waiting_streams_are_destroyed_at_once(void) {
    pthread_t threads[4];
    size_t i;
    NOT_ON_CUDA("a driver goes on waiting, see cuda_held.c");
    clear_slots();
    for (i = 0; i < LENGTH_OF(threads); i++)
        if (pthread_create(&threads[i], NULL, destroy_waiting_streams, NULL) != 0)
            exit(EXIT_FAILURE);
    for (i = 0; i < LENGTH_OF(threads); i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_context_synchronize(rig.context));
}

/* As long as work that was submitted before may write the value the wait goes on, and is served. */
static void a_destroyed_stream_still_gets_what_was_submitted_before(void) {
    unsigned i, rounds = soak(100, 5000);
    NOT_ON_CUDA("a driver goes on waiting in any case");
    for (i = 1; i <= rounds; i++) {
        gc_stream *held = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_stream *middle = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_stream *writer = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_event *event = open_event(rig.context);
        struct gate gate;
        gate_init(&gate);
        clear_slots();
        CHECK_OK(wait_value(held, 0, 32, i, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(write_value(held, 1, 32, i));
        if (i % 2)
            CHECK_OK(gc_stream_launch_host_func(writer, gate_hold, &gate, NULL));
        else
            CHECK_OK(launch_hold(&rig, writer, &gate));
        CHECK_OK(gc_event_record(event, writer, 0));
        CHECK_OK(gc_stream_wait_event(middle, event, 0));
        CHECK_OK(wait_value(middle, 2, 32, 0, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(write_value(middle, 0, 32, i));
        CHECK_OK(gc_event_destroy(event));
        CHECK_OK(gc_stream_destroy(held));
        CHECK_OK(gc_stream_destroy(middle));
        CHECK_OK(gc_stream_destroy(writer));
        if (i % 10 == 0)
            pause_ms(3);
        CHECK(read_slot(b, 1) == 0);
        gate_open(&gate);
        CHECK_OK(gc_context_synchronize(rig.context));
        CHECK(read_slot(b, 1) == i);
        gate_free(&gate);
    }
}

/* Two branches of a replay on `stream`: one waits for slot `waits`, the other one runs a host function and then writes 1
 * into slot `writes`. Where both meet 1 is written into slot `ends`. */
static gc_graph_exec *capture_branches(gc_stream *stream, struct gate *gate, size_t waits, size_t writes, size_t ends) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork_event = open_event(rig.context), *join_event = open_event(rig.context);
    gc_graph_exec *exec;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_event_record(fork_event, stream, 0));
    CHECK_OK(gc_stream_wait_event(side, fork_event, 0));
    CHECK_OK(gc_stream_launch_host_func(side, gate_hold, gate, NULL));
    CHECK_OK(write_value(side, writes, 32, 1));
    CHECK_OK(gc_event_record(join_event, side, 0));
    CHECK_OK(wait_value(stream, waits, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
    CHECK_OK(gc_stream_wait_event(stream, join_event, 0));
    CHECK_OK(write_value(stream, ends, 32, 1));
    exec = finish_capture(stream);
    CHECK_OK(gc_event_destroy(join_event));
    CHECK_OK(gc_event_destroy(fork_event));
    CHECK_OK(gc_stream_destroy(side));
    return exec;
}

/* The same where a branch of a replay writes the value, of the destroyed stream's own or of one that waits as well. */
static void a_destroyed_stream_still_gets_what_a_branch_writes(void) {
    enum { AWAITED, ENDS, OTHERS, BEHIND };
    unsigned i, rounds = soak(100, 5000);
    NOT_ON_CUDA("a driver goes on waiting in any case");
    for (i = 0; i < rounds; i++) {
        gc_stream *held = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        int is_own = i % 2;
        struct gate gate;
        gc_graph_exec *exec;
        gate_init(&gate);
        clear_slots();
        exec = capture_branches(other, &gate, is_own ? AWAITED : OTHERS, AWAITED, ENDS);
        if (!is_own)
            CHECK_OK(wait_value(held, AWAITED, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_graph_launch(exec, is_own ? held : other));
        CHECK_OK(write_value(held, BEHIND, 32, 1));
        gate_await(&gate, 1);
        CHECK_OK(gc_stream_destroy(held));
        if (i % 10 < 2)
            pause_ms(3);
        CHECK(read_slot(b, BEHIND) == 0);
        gate_open(&gate);
        if (!is_own)
            CHECK_OK(write_value(b, OTHERS, 32, 1));
        CHECK_OK(gc_context_synchronize(rig.context));
        CHECK(read_slot(b, BEHIND) == 1 && read_slot(b, ENDS) == 1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_stream_destroy(other));
        gate_free(&gate);
    }
}

/* A replay that itself waits for what is behind the wait brings no value, however it waits. */
static void replays_that_wait_for_a_destroyed_stream_bring_no_value(void) {
    unsigned i, rounds = soak(100, 5000);
    NOT_ON_CUDA("a driver goes on waiting, see cuda_held.c");
    for (i = 0; i < rounds; i++) {
        gc_stream *held = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_event *behind = open_event(rig.context);
        gc_graph_exec *exec;
        clear_slots();
        REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(write_value(a, 1, 32, 1));
        CHECK_OK(gc_stream_wait_event(a, behind, GRAPHCAP_EVENT_WAIT_EXTERNAL));
        CHECK_OK(write_value(a, 0, 32, 1));
        exec = finish_capture(a);
        CHECK_OK(wait_value(held, 0, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(write_value(held, 2, 32, 1));
        CHECK_OK(gc_event_record(behind, held, 0));
        CHECK_OK(gc_graph_launch(exec, a));
        if (i % 3 == 0)
            pause_ms(1);
        CHECK_OK(gc_stream_destroy(held));
        CHECK_OK(gc_stream_synchronize(a));
        CHECK(read_slot(b, 0) == 1 && read_slot(b, 1) == 1 && read_slot(b, 2) == 0);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_event_destroy(behind));
    }
}

/* Streams that wait for each other, and default streams when their context goes. */
static void the_end_of_a_context_gives_waits_up(void) {
    unsigned i, released = 0;
    static uint32_t words[4];
    NOT_ON_CUDA("a driver goes on waiting, see cuda_held.c");
    for (i = 0; i < 30; i++) {
        gc_context *context = open_context();
        gc_stream *streams[3] = {NULL, NULL, NULL};
        gc_buffer *buffer = NULL;
        gc_event *event = open_event(context);
        REQUIRE_OK(gc_buffer_wrap(context, words, sizeof words, &released, count_call, &buffer));
        streams[0] = open_stream(context, 0);
        REQUIRE_OK(gc_context_per_thread_stream(context, &streams[1]));
        REQUIRE_OK(gc_context_legacy_stream(context, &streams[2]));
        CHECK_OK(gc_stream_wait_value32(streams[0], buffer, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_stream_wait_value32(streams[1], buffer, 4, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_event_record(event, streams[1], 0));
        CHECK_OK(gc_stream_wait_event(streams[0], event, 0));
        CHECK_OK(gc_stream_write_value32(streams[0], buffer, 4, 1, 0));
        if (i % 2)
            CHECK_OK(gc_stream_wait_value32(streams[2], buffer, 8, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_event_destroy(event));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_stream_destroy(streams[i % 3]));
        CHECK_OK(gc_stream_destroy(streams[(i + 1) % 3]));
        CHECK_OK(gc_stream_destroy(streams[(i + 2) % 3]));
        CHECK_OK(gc_context_destroy(context));
        CHECK(await_count(&released, i + 1));
        CHECK(words[1] == 0);
    }
}

/* What a graph uses that a default stream replays. */
enum used { USES_BUFFER, USES_KERNEL, USES_EVENT, USES_HOST_FUNCTION, USES };

static gc_graph_exec *capture_use(gc_context *context, enum used used, unsigned *released, unsigned *called) {
    static uint32_t words[4];
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph_exec *exec;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    if (used == USES_BUFFER) {
        gc_buffer *buffer = NULL;
        REQUIRE_OK(gc_buffer_wrap(context, words, sizeof words, released, count_call, &buffer));
        CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 4));
        CHECK_OK(gc_buffer_destroy(buffer));
    } else if (used == USES_KERNEL) {
        gc_module *module = load_kernels(context);
        gc_kernel *fail = get_kernel(module, "fail");
        uint32_t number = 1;
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
        CHECK_OK(launch(stream, fail, 1, 1, arguments, 1));
        CHECK_OK(gc_kernel_destroy(fail));
        CHECK_OK(gc_module_destroy(module));
    } else if (used == USES_EVENT) {
        gc_event *event = open_event(context);
        CHECK_OK(gc_event_record(event, stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
        CHECK_OK(gc_event_destroy(event));
    } else {
        CHECK_OK(gc_stream_launch_host_func(stream, never, called, NULL));
    }
    exec = finish_capture(stream);
    CHECK_OK(gc_stream_destroy(stream));
    return exec;
}

/* Replays behind a wait of a default stream do not keep their context, whatever they use. */
static void replays_behind_a_wait_keep_no_context(void) {
    unsigned i;
    NOT_ON_CUDA("a driver goes on waiting, see cuda_held.c");
    for (i = 0; i < 4 * USES; i++) {
        enum used used = (enum used)(i % USES);
        gc_context *context = open_context();
        gc_stream *held = NULL;
        gc_buffer *awaited = NULL;
        gc_graph_exec *exec;
        static uint32_t words[4];
        unsigned released = 0, called = 0, expected = used == USES_BUFFER ? 2 : 1;
        REQUIRE_OK(gc_buffer_wrap(context, words, sizeof words, &released, count_call, &awaited));
        if (i / USES % 2)
            REQUIRE_OK(gc_context_per_thread_stream(context, &held));
        else
            REQUIRE_OK(gc_context_legacy_stream(context, &held));
        exec = capture_use(context, used, &released, &called);
        CHECK_OK(gc_stream_wait_value32(held, awaited, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_graph_launch(exec, held));
        if (i / USES / 2)
            CHECK_OK(gc_graph_launch(exec, held));
        CHECK_OK(gc_buffer_destroy(awaited));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_stream_destroy(held));
        CHECK(count_of(&released) == 0);
        CHECK_OK(gc_context_destroy(context));
        CHECK(await_count(&released, expected));
        CHECK(called == 0);
    }
}

/* The memory that such replays use stays for them as long as the wait may end. */
static void replays_behind_a_wait_keep_their_memory(void) {
    unsigned i;
    NOT_ON_CUDA("the CPU cannot read a GPU's memory");
    for (i = 0; i < 2; i++) {
        gc_stream *held = NULL;
        gc_graph_exec *exec;
        gc_buffer *wrapped = NULL;
        static uint32_t words[4];
        unsigned released = 0;
        clear_slots();
        words[0] = 0;
        REQUIRE_OK(gc_buffer_wrap(rig.context, words, sizeof words, &released, count_call, &wrapped));
        REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(launch_add(&rig, a, wrapped, 0, 1, 1));
        exec = finish_capture(a);
        CHECK_OK(gc_buffer_destroy(wrapped));
        if (i)
            REQUIRE_OK(gc_context_per_thread_stream(rig.context, &held));
        else
            REQUIRE_OK(gc_context_legacy_stream(rig.context, &held));
        CHECK_OK(wait_value(held, 0, 32, 1, GRAPHCAP_WAIT_VALUE_EQ));
        CHECK_OK(gc_graph_launch(exec, held));
        CHECK_OK(gc_graph_launch(exec, held));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK(count_of(&released) == 0 && words[0] == 0);
        CHECK_OK(write_value(b, 0, 32, 1));
        CHECK_OK(gc_stream_synchronize(held));
        CHECK(await_count(&released, 1));
        CHECK(words[0] == 2);
        CHECK_OK(gc_stream_destroy(held));
    }
}

/* A fault elsewhere in the context ends the waits too. */
static void a_fault_ends_waits(void) {
    gc_context *context;
    gc_module *module;
    gc_kernel *fail;
    gc_stream *held, *other;
    gc_buffer *buffer;
    unsigned called = 0;
    uint32_t number = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    NOT_ON_CUDA(FAULTS_STAY);
    context = open_context();
    module = load_kernels(context);
    fail = get_kernel(module, "fail");
    held = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    other = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    buffer = open_waitable(context, 8);
    CHECK_OK(gc_stream_wait_value32(held, buffer, 0, 1, GRAPHCAP_WAIT_VALUE_EQ));
    CHECK_OK(gc_stream_launch_host_func(held, never, &called, count_call));
    CHECK_OK(launch(other, fail, 1, 1, arguments, 1));
    CHECK_STATUS(gc_stream_synchronize(other), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK(await_count(&called, 1));
    CHECK_STATUS(gc_stream_synchronize(held), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(held));
    CHECK_OK(gc_kernel_destroy(fail));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_context_destroy(context));
}

int main(void) {
    slots_open();
    RUN(destroying_a_stream_gives_its_waits_up);
    RUN(what_was_given_up_is_let_go);
    RUN(many_waiting_streams_are_destroyed_at_once);
    RUN(a_destroyed_stream_still_gets_what_was_submitted_before);
    RUN(a_destroyed_stream_still_gets_what_a_branch_writes);
    RUN(replays_that_wait_for_a_destroyed_stream_bring_no_value);
    RUN(the_end_of_a_context_gives_waits_up);
    RUN(replays_behind_a_wait_keep_no_context);
    RUN(replays_behind_a_wait_keep_their_memory);
    RUN(a_fault_ends_waits);
    slots_close();
    return check_finish();
}
