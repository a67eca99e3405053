/* Copies between contexts that are held, by a host function or a value: the memory lives until they have run, whatever is
 * destroyed meanwhile, and work of the other context goes on. */
#include "peer.h"

/* How a copy comes to be held: as it is, and in the launch of a graph of which no handle is left. */
enum way { EAGER, REPLAYED, WAYS };

static void submit(enum way way, const gc_stream *stream, const gc_buffer *to, const gc_buffer *from) {
    gc_graph_exec *exec;
    if (way == EAGER) {
        REQUIRE_OK(gc_stream_memcpy_peer(stream, to, 0, from, 0, 64));
        return;
    }
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    REQUIRE_OK(gc_stream_memcpy_peer(stream, to, 0, from, 0, 64));
    exec = finish_capture(stream);
    REQUIRE_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Takes what the context has to give and fills it, so that memory that was given back too early shows. */
static void fill_the_rest(const struct side *side) {
    enum { MANY = 8 };
    gc_buffer *buffers[MANY];
    int i;
    for (i = 0; i < MANY; i++) {
        REQUIRE_OK(gc_buffer_allocate(side->context, 64, &buffers[i]));
        CHECK_OK(gc_stream_memset(side->stream, buffers[i], 0, 0xee, 1, 64));
    }
    CHECK_OK(gc_stream_synchronize(side->stream));
    for (i = 0; i < MANY; i++)
        CHECK_OK(gc_buffer_destroy(buffers[i]));
}

static void a_held_copy_holds_what_it_reads(void) {
    int way;
    for (way = 0; way < WAYS; way++) {
        const struct side *near = &sides[0], *far = &sides[1];
        struct gate gate;
        struct lent lent;
        gate_init(&gate);
        lend_memory(&lent, far, 64);
        CHECK_OK(gc_stream_memset(far->stream, lent.owner, 0, 7, 4, 16));
        CHECK_OK(gc_stream_synchronize(far->stream));
        CHECK_OK(gc_stream_memset(near->stream, near->buffer, 0, 0, 4, 16));
        CHECK_OK(gc_stream_launch_host_func(near->stream, gate_hold, &gate, NULL));
        submit((enum way)way, near->stream, near->buffer, lent.wrapped);
        CHECK_OK(gc_buffer_destroy(lent.wrapped));
        gate_await(&gate, 1);
        /* The other context is not held, and tells of nothing that it would have to wait for. */
        fill_the_rest(far);
        await_witness(near->context, far);
        CHECK(count_of(&lent.released) == 0);
        gate_open(&gate);
        CHECK_OK(gc_stream_synchronize(near->stream));
        CHECK(read_u32(near->stream, near->buffer, 0) == 7 && read_u32(near->stream, near->buffer, 15) == 7);
        CHECK(await_count(&lent.released, 1));
        CHECK_OK(gc_buffer_destroy(lent.owner));
        gate_free(&gate);
    }
}

/* Everything of the context that copies goes while it is held, and of the one whose memory it writes all but the owner of
 * that memory. */
static void a_held_copy_outlives_all_handles(void) {
    int way;
    for (way = 0; way < WAYS; way++) {
        struct side near, far;
        struct gate gate;
        struct lent lent;
        gc_buffer *owner;
        gate_init(&gate);
        open_side(&near, 0);
        open_side(&far, 1);
        lend_memory(&lent, &far, 64);
        owner = lent.owner;
        CHECK_OK(gc_stream_memset(near.stream, near.buffer, 0, 9, 4, 16));
        CHECK_OK(gc_stream_launch_host_func(near.stream, gate_hold, &gate, NULL));
        submit((enum way)way, near.stream, lent.wrapped, near.buffer);
        CHECK_OK(gc_buffer_destroy(lent.wrapped));
        gate_await(&gate, 1);
        close_side(&near);
        close_side(&far);
        await_witness(sides[0].context, &sides[1]);
        CHECK(count_of(&lent.released) == 0);
        gate_open(&gate);
        CHECK(await_count(&lent.released, 1));
        CHECK_OK(gc_context_memcpy_peer(sides[2].context, sides[2].buffer, 0, owner, 0, 64));
        CHECK(read_u32(sides[2].stream, sides[2].buffer, 0) == 9 && read_u32(sides[2].stream, sides[2].buffer, 15) == 9);
        CHECK_OK(gc_buffer_destroy(owner));
        gate_free(&gate);
    }
}

/* Both contexts copy from the other at once, and both are gone before either copy has run. */
static void contexts_that_lend_each_other_end(void) {
    unsigned round;
    for (round = 0; round < soak(5, 200); round++) {
        struct side pair[2];
        struct lent lent[2];
        struct gate gate;
        gc_buffer *owners[2];
        int i;
        gate_init(&gate);
        for (i = 0; i < 2; i++) {
            open_side(&pair[i], (uint32_t)i);
            lend_memory(&lent[i], &pair[i], 64);
            owners[i] = lent[i].owner;
        }
        CHECK_OK(gc_stream_launch_host_func(pair[0].stream, gate_hold, &gate, NULL));
        for (i = 0; i < 2; i++) {
            CHECK_OK(gc_stream_memcpy_peer(pair[0].stream, lent[i].wrapped, 0, lent[1 - i].wrapped, 32, 32));
            CHECK_OK(gc_stream_memcpy_peer(pair[1].stream, pair[i].buffer, 0, pair[1 - i].buffer, 32, 32));
        }
        gate_await(&gate, 1);
        for (i = 0; i < 2; i++) {
            CHECK_OK(gc_buffer_destroy(lent[i].wrapped));
            close_side(&pair[i]);
        }
        await_witness(sides[0].context, &sides[1]);
        CHECK(count_of(&lent[0].released) == 0 && count_of(&lent[1].released) == 0);
        gate_open(&gate);
        for (i = 0; i < 2; i++) {
            CHECK(await_count(&lent[i].released, 1));
            CHECK_OK(gc_buffer_destroy(owners[i]));
        }
        gate_free(&gate);
    }
}

/* Held by a value, of memory that is taken again at once if it is given back: many copies, each of a buffer that is
 * destroyed right behind it; of every second round in a graph. */
static void copies_behind_a_value_read_what_was_there(void) {
    enum { MOST = 16 };
    const unsigned rounds = soak(200, 10000);
    const struct side *near = &sides[0];
    gc_buffer *flag = open_waitable(near->context, 4);
    gc_stream *opener = open_stream(near->context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *held = open_stream(near->context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned round, i;
    for (round = 1; round <= rounds; round++) {
        const struct side *far = &sides[1 + round % 2];
        const unsigned count = 1 + round % MOST;
        gc_graph_exec *exec = NULL;
        uint32_t words[MOST * 16];
        int as_expected = 1;
        CHECK_OK(gc_stream_wait_value32(held, flag, 0, round, GRAPHCAP_WAIT_VALUE_GEQ));
        if (round / 2 % 2)
            REQUIRE_OK(gc_stream_begin_capture(held, GRAPHCAP_CAPTURE_MODE_RELAXED));
        for (i = 0; i < count; i++) {
            gc_buffer *gone = NULL;
            REQUIRE_OK(gc_buffer_allocate(far->context, 64, &gone));
            CHECK_OK(gc_stream_memset(far->stream, gone, 0, round * MOST + i, 4, 16));
            CHECK_OK(gc_stream_memcpy_peer(held, near->buffer, i * 64, gone, 0, 64));
            CHECK_OK(gc_buffer_destroy(gone));
        }
        if (round / 2 % 2) {
            exec = finish_capture(held);
            CHECK_OK(gc_graph_launch(exec, held));
        }
        /* What is copied was set before. */
        CHECK_OK(gc_stream_synchronize(far->stream));
        CHECK_OK(gc_stream_write_value32(opener, flag, 0, round, 0));
        CHECK_OK(gc_stream_synchronize(held));
        CHECK_OK(gc_stream_memcpy_dtoh(held, words, near->buffer, 0, (size_t)count * 64));
        CHECK_OK(gc_stream_synchronize(held));
        for (i = 0; i < count * 16; i++)
            as_expected = as_expected && words[i] == round * MOST + i / 16;
        CHECK_OK(gc_graph_exec_destroy(exec));
        if (check_failed(as_expected)) {
            fprintf(stderr, "a copy of round %u is wrong\n", round);
            break;
        }
    }
    CHECK_OK(gc_stream_synchronize(opener));
    CHECK_OK(gc_stream_destroy(held));
    CHECK_OK(gc_stream_destroy(opener));
    CHECK_OK(gc_buffer_destroy(flag));
}

struct leaver {
    gc_stream *per_thread;
    const struct lent *lent;
};

static void *copy_and_leave(void *argument) {
    const struct leaver *leaver = (const struct leaver *)argument;
    CHECK_OK(gc_stream_memcpy_peer(leaver->per_thread, sides[0].buffer, 0, leaver->lent->wrapped, 0, 64));
    return NULL;
}

/* Special streams are told from others in the borrowing context as in the buffer's own. */
static void default_streams_hold_what_they_borrow(void) {
    struct leaver leaver;
    struct gate gate;
    struct lent lent;
    gc_stream *legacy = NULL;
    gate_init(&gate);
    lend_memory(&lent, &sides[1], 64);
    leaver.lent = &lent;
    REQUIRE_OK(gc_context_per_thread_stream(sides[0].context, &leaver.per_thread));
    REQUIRE_OK(gc_context_legacy_stream(sides[0].context, &legacy));
    on_another_thread(copy_and_leave, &leaver);
    /* A blocking stream holds the legacy one. */
    CHECK_OK(gc_stream_launch_host_func(sides[0].stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_stream_memcpy_peer(legacy, sides[0].buffer, 64, lent.wrapped, 0, 64));
    gate_await(&gate, 1);
    CHECK_OK(gc_buffer_destroy(lent.wrapped));
    await_witness(sides[0].context, &sides[1]);
    CHECK(count_of(&lent.released) == 0);
    gate_open(&gate);
    CHECK_OK(gc_context_synchronize(sides[0].context));
    CHECK(await_count(&lent.released, 1));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(leaver.per_thread));
    CHECK_OK(gc_buffer_destroy(lent.owner));
    gate_free(&gate);
}

/* A fault is that of its context: the copy behind it does not run, and lets go of the other context's memory, which works
 * on. */
static void a_fault_lets_go_of_what_was_lent(void) {
    struct rig rig;
    struct lent lent;
    uint32_t number = 5, word = 3;
    gc_kernel *fail;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(number)};
    struct gate gate;
    gc_buffer *faulted;
    NOT_ON_CUDA(FAULTS_STAY);
    gate_init(&gate);
    rig_open_in(&rig, open_context_on(0));
    fail = get_kernel(rig.module, "fail");
    faulted = open_buffer(rig.context, 64);
    lend_memory(&lent, &sides[1], 64);
    CHECK_OK(gc_stream_memcpy_htod(sides[1].stream, lent.owner, 0, &word, 4));
    CHECK_OK(gc_stream_synchronize(sides[1].stream));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(launch(rig.stream, fail, 1, 1, arguments, 1));
    CHECK_OK(gc_stream_memcpy_peer(rig.stream, lent.wrapped, 0, faulted, 0, 64));
    CHECK_OK(gc_buffer_destroy(lent.wrapped));
    gate_open(&gate);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_stream_memcpy_peer(rig.stream, sides[1].buffer, 0, faulted, 0, 64), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK(await_count(&lent.released, 1));
    CHECK(read_u32(sides[1].stream, lent.owner, 0) == 3);
    /* Memory of a context that faulted is still there. */
    CHECK_OK(gc_stream_memcpy_peer(sides[1].stream, lent.owner, 0, faulted, 0, 64));
    CHECK(read_u32(sides[1].stream, lent.owner, 0) == 0);
    CHECK_OK(gc_buffer_destroy(lent.owner));
    CHECK_OK(gc_buffer_destroy(faulted));
    CHECK_OK(gc_kernel_destroy(fail));
    rig_close(&rig);
    gate_free(&gate);
}

int main(void) {
    open_sides();
    RUN(a_fault_lets_go_of_what_was_lent);
    RUN(a_held_copy_holds_what_it_reads);
    RUN(a_held_copy_outlives_all_handles);
    RUN(contexts_that_lend_each_other_end);
    RUN(copies_behind_a_value_read_what_was_there);
    RUN(default_streams_hold_what_they_borrow);
    close_sides();
    return check_finish();
}
