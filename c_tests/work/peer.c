/* Copies between contexts: against a plain reference, eagerly, at once, under capture and in replay, between any of three
 * contexts on up to two devices; what they keep alive; bad input; captures that they break and that they do not. What has
 * to be held is in peer_held.c, since work on the stand-in for a driver is never pending. */
#include "peer.h"

static uint64_t random_state = 20260301;

static size_t random_below(size_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % end;
}

static void randomise(unsigned char *bytes) {
    size_t i;
    for (i = 0; i < SPACE; i++)
        bytes[i] = (unsigned char)random_below(256);
}

/* A copy, by the numbers of the sides. */
struct copy {
    size_t by, to, from, destination, source, size;
};

static struct copy random_copy(void) {
    struct copy copy;
    size_t swapped, most = random_below(2) ? 16 : SPACE;
    copy.by = random_below(SIDES);
    copy.to = random_below(SIDES);
    copy.from = random_below(SIDES);
    if (copy.to == copy.from && most > SPACE / 2)
        most = SPACE / 2;
    copy.size = 1 + random_below(most);
    if (copy.to != copy.from) {
        copy.destination = random_below(SPACE - copy.size + 1);
        copy.source = random_below(SPACE - copy.size + 1);
        return copy;
    }
    /* Side by side. */
    copy.source = random_below(SPACE - 2 * copy.size + 1);
    copy.destination = copy.source + copy.size + random_below(SPACE - 2 * copy.size - copy.source + 1);
    if (random_below(2)) {
        swapped = copy.source;
        copy.source = copy.destination;
        copy.destination = swapped;
    }
    return copy;
}

enum way { EAGER, AT_ONCE, REPLAYED, WAYS };

static gc_status submit(enum way way, const struct copy *copy) {
    const struct side *by = &sides[copy->by];
    const gc_buffer *to = sides[copy->to].buffer, *from = sides[copy->from].buffer;
    return way == AT_ONCE ? gc_context_memcpy_peer(by->context, to, copy->destination, from, copy->source, copy->size)
                          : gc_stream_memcpy_peer(by->stream, to, copy->destination, from, copy->source, copy->size);
}

/* Fills both buffers, has the copy run, and compares all of both with what a plain copy gives. The other bytes are the
 * guard. */
static int runs_as_expected(enum way way, const struct copy *copy, const gc_graph_exec *exec) {
    static unsigned char from[SPACE], to[SPACE], got[SPACE];
    const struct side *by = &sides[copy->by];
    randomise(from);
    write_side(&sides[copy->from], from);
    if (copy->to == copy->from) {
        memcpy(to, from, SPACE);
    } else {
        randomise(to);
        write_side(&sides[copy->to], to);
    }
    memcpy(to + copy->destination, from + copy->source, copy->size);
    if (exec != NULL)
        REQUIRE_OK(gc_graph_launch(exec, by->stream));
    else
        REQUIRE_OK(submit(way, copy));
    if (way != AT_ONCE)
        REQUIRE_OK(gc_stream_synchronize(by->stream));
    read_side(&sides[copy->to], got);
    if (memcmp(got, to, SPACE) != 0)
        return 0;
    read_side(&sides[copy->from], got);
    return memcmp(got, copy->to == copy->from ? to : from, SPACE) == 0;
}

static int copies_as_expected(enum way way) {
    const struct copy copy = random_copy();
    gc_graph_exec *exec;
    int replay, as_expected = 1;
    if (way != REPLAYED)
        return runs_as_expected(way, &copy, NULL);
    REQUIRE_OK(gc_stream_begin_capture(sides[copy.by].stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(submit(way, &copy));
    exec = finish_capture(sides[copy.by].stream);
    for (replay = 0; replay < 2 && as_expected; replay++)
        as_expected = runs_as_expected(way, &copy, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    return as_expected;
}

static void copies_are_as_plain_ones(void) {
    const unsigned rounds = soak(200, 10000);
    unsigned round;
    int way;
    for (way = 0; way < WAYS; way++)
        for (round = 0; round < rounds; round++)
            if (check_failed(copies_as_expected((enum way)way))) {
                fprintf(stderr, "a copy (way %d, round %u) is wrong\n", way, round);
                return;
            }
}

/* A graph that goes through three contexts, replayed when all handles of two of them are gone. */
static void an_exec_needs_no_handle_of_other_contexts(void) {
    struct rig rig;
    struct side far[2];
    struct lent lent[2];
    gc_buffer *buffer;
    gc_graph_exec *exec;
    uint32_t i;
    rig_open_in(&rig, open_context_on(0));
    buffer = open_buffer(rig.context, 8);
    for (i = 0; i < 2; i++) {
        open_side(&far[i], 1 + i);
        lend_memory(&lent[i], &far[i], 64);
    }
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_memcpy_peer(rig.stream, lent[0].wrapped, 60, buffer, 0, 4));
    CHECK_OK(gc_stream_memcpy_peer(rig.stream, lent[1].wrapped, 8, lent[0].wrapped, 60, 4));
    CHECK_OK(gc_stream_memcpy_peer(rig.stream, buffer, 4, lent[1].wrapped, 8, 4));
    exec = finish_capture(rig.stream);
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_buffer_destroy(lent[i].wrapped));
    for (i = 1; i <= soak(100, 1000); i++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        if (i % 10 == 0)
            CHECK(read_u32(rig.stream, buffer, 0) == i && read_u32(rig.stream, buffer, 1) == i);
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < 2; i++)
        await_witness(rig.context, &far[i]);
    CHECK(count_of(&lent[0].released) == 0 && count_of(&lent[1].released) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (i = 0; i < 2; i++) {
        CHECK(await_count(&lent[i].released, 1));
        CHECK_OK(gc_buffer_destroy(lent[i].owner));
        close_side(&far[i]);
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    CHECK(count_of(&lent[0].released) == 1 && count_of(&lent[1].released) == 1);
}

/* A graph keeps buffers, and with them their context, of which no handle is left. */
static void a_graph_keeps_the_context_of_its_buffers(void) {
    struct side far;
    gc_graph_exec *exec;
    uint32_t word = 77, got = 0;
    open_side(&far, 1);
    REQUIRE_OK(gc_stream_memcpy_htod(far.stream, far.buffer, 0, &word, 4));
    REQUIRE_OK(gc_stream_synchronize(far.stream));
    REQUIRE_OK(gc_stream_begin_capture(sides[0].stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memcpy_peer(sides[0].stream, far.buffer, 100, far.buffer, 0, 4));
    CHECK_OK(gc_stream_memcpy_peer(sides[0].stream, sides[0].buffer, 8, far.buffer, 100, 4));
    exec = finish_capture(sides[0].stream);
    close_side(&far);
    CHECK_OK(gc_stream_memset(sides[0].stream, sides[0].buffer, 0, 0, 4, 4));
    CHECK_OK(gc_graph_launch(exec, sides[0].stream));
    CHECK_OK(gc_stream_memcpy_dtoh(sides[0].stream, &got, sides[0].buffer, 8, 4));
    CHECK_OK(gc_stream_synchronize(sides[0].stream));
    CHECK(got == 77);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* A capture that gives no graph lets go of what it would have kept. */
static void a_broken_capture_keeps_nothing(void) {
    struct lent lent;
    gc_graph *graph = NULL;
    lend_memory(&lent, &sides[1], 64);
    REQUIRE_OK(gc_stream_begin_capture(sides[0].stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memcpy_peer(sides[0].stream, sides[0].buffer, 0, lent.wrapped, 0, 64));
    CHECK_OK(gc_buffer_destroy(lent.wrapped));
    await_witness(sides[2].context, &sides[1]);
    CHECK(count_of(&lent.released) == 0);
    CHECK_STATUS(gc_stream_synchronize(sides[0].stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(sides[0].stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(await_count(&lent.released, 1));
    CHECK_OK(gc_buffer_destroy(lent.owner));
}

/* The handles of a buffer, its stream and its context go right behind the copy, whichever way that goes. */
static void handles_go_right_behind_the_copy(void) {
    const unsigned rounds = soak(40, 2000);
    unsigned round;
    for (round = 0; round < rounds; round++) {
        struct side far;
        struct lent lent;
        uint32_t word = round + 1, got = 0;
        gc_buffer *owner;
        open_side(&far, round);
        lend_memory(&lent, &far, 64);
        owner = lent.owner;
        REQUIRE_OK(gc_stream_memcpy_htod(far.stream, owner, 16, &word, 4));
        REQUIRE_OK(gc_stream_synchronize(far.stream));
        CHECK_OK(gc_stream_memcpy_peer(sides[0].stream, sides[0].buffer, 4, lent.wrapped, 16, 4));
        CHECK_OK(gc_stream_memcpy_peer(sides[0].stream, lent.wrapped, 32, sides[0].buffer, 4, 4));
        CHECK_OK(gc_buffer_destroy(lent.wrapped));
        close_side(&far);
        CHECK(await_count(&lent.released, 1));
        /* What the copies wrote is there when nothing uses the memory any more. */
        CHECK_OK(gc_context_memcpy_peer(sides[0].context, sides[0].buffer, 8, owner, 32, 4));
        CHECK_OK(gc_stream_memcpy_dtoh(sides[0].stream, &got, sides[0].buffer, 8, 4));
        CHECK_OK(gc_stream_synchronize(sides[0].stream));
        CHECK(got == round + 1);
        CHECK_OK(gc_buffer_destroy(owner));
        CHECK(count_of(&lent.released) == 1);
    }
}

/* The borrowing context goes first, while the buffer lives on, many times. */
static void contexts_that_borrow_come_and_go(void) {
    struct lent lent;
    unsigned round;
    lend_memory(&lent, &sides[0], 64);
    for (round = 0; round < soak(20, 1000); round++) {
        struct side near;
        open_side(&near, round);
        CHECK_OK(gc_stream_memcpy_peer(near.stream, near.buffer, 0, lent.wrapped, 0, 64));
        CHECK_OK(gc_stream_memcpy_peer(near.stream, lent.wrapped, 0, near.buffer, 64, 64));
        close_side(&near);
    }
    CHECK(count_of(&lent.released) == 0);
    CHECK_OK(gc_buffer_destroy(lent.wrapped));
    CHECK(await_count(&lent.released, 1));
    CHECK_OK(gc_buffer_destroy(lent.owner));
}

enum { THREADS = 4 };

struct crowd {
    gc_buffer *shared;
    unsigned rounds;
};

static void *copy_in_a_crowd(void *argument) {
    const struct crowd *crowd = (const struct crowd *)argument;
    struct side own;
    gc_stream *per_thread = NULL;
    unsigned i;
    open_side(&own, 1);
    REQUIRE_OK(gc_context_per_thread_stream(sides[0].context, &per_thread));
    for (i = 0; i < crowd->rounds; i++) {
        CHECK_OK(gc_stream_memcpy_peer(own.stream, own.buffer, 0, crowd->shared, 0, 64));
        CHECK_OK(gc_stream_memcpy_peer(per_thread, own.buffer, 64, crowd->shared, 0, 64));
        if (i % 50 != 0)
            continue;
        CHECK_OK(gc_stream_synchronize(own.stream));
        CHECK_OK(gc_stream_synchronize(per_thread));
        CHECK(read_u32(own.stream, own.buffer, 15) == 5 && read_u32(own.stream, own.buffer, 16) == 5);
    }
    CHECK_OK(gc_stream_synchronize(per_thread));
    CHECK_OK(gc_stream_destroy(per_thread));
    close_side(&own);
    return NULL;
}

/* Threads of contexts of their own read one buffer, and use one more context together. */
static void threads_borrow_one_buffer(void) {
    struct crowd crowd;
    struct lent lent;
    pthread_t threads[THREADS];
    int i;
    lend_memory(&lent, &sides[1], 64);
    CHECK_OK(gc_stream_memset(sides[1].stream, lent.owner, 0, 5, 4, 16));
    CHECK_OK(gc_stream_synchronize(sides[1].stream));
    crowd.shared = lent.wrapped;
    crowd.rounds = soak(200, 10000);
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, copy_in_a_crowd, &crowd) != 0)
            exit(EXIT_FAILURE);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK(count_of(&lent.released) == 0);
    CHECK_OK(gc_buffer_destroy(lent.wrapped));
    CHECK_OK(gc_context_synchronize(sides[0].context));
    CHECK(await_count(&lent.released, 1));
    CHECK_OK(gc_buffer_destroy(lent.owner));
}

/* A context on the other kind of device; NULL where there is none. */
static gc_context *open_other_kind(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    options.device_kind = on_cuda() ? GRAPHCAP_DEVICE_HOST : GRAPHCAP_DEVICE_CUDA;
    if (gc_context_create(&options, &context) != GRAPHCAP_SUCCESS)
        return NULL;
    return context;
}

/* Each wrong thing has its name in the message, harms no capture, and touches no byte. */
static void bad_copies_are_named(void) {
    static unsigned char before[2][SPACE], after[SPACE];
    gc_context *other_kind = open_other_kind();
    gc_buffer *other = other_kind != NULL ? open_buffer(other_kind, 64) : NULL, *same_memory = NULL;
    gc_stream *stream = sides[0].stream;
    uint64_t address = 0;
    int capturing, i;
    for (i = 0; i < 2; i++) {
        randomise(before[i]);
        write_side(&sides[i], before[i]);
    }
    /* Memory of the side of the stream, as another context may know it too. */
    REQUIRE_OK(gc_buffer_address(sides[0].buffer, &address));
    REQUIRE_OK(gc_buffer_wrap(sides[2].context, (void *)(uintptr_t)address, SPACE, NULL, NULL, &same_memory));
#define BAD(to, destination, from, source, size, status, word)                                                   \
    do {                                                                                                         \
        CHECK_MESSAGE(gc_stream_memcpy_peer(stream, to, destination, from, source, size), status, word);         \
        if (!capturing)                                                                                          \
            CHECK_MESSAGE(gc_context_memcpy_peer(sides[0].context, to, destination, from, source, size), status, \
                          word);                                                                                 \
    } while (0)
#define WRONG(to, destination, from, source, size, word) \
    BAD(to, destination, from, source, size, GRAPHCAP_ERROR_INVALID_VALUE, word)
    for (capturing = 0; capturing < 2; capturing++) {
        const gc_buffer *near = sides[0].buffer, *far = sides[1].buffer;
        gc_graph *graph = NULL;
        size_t nodes = 1;
        if (capturing)
            REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        BAD(NULL, 0, far, 0, 1, GRAPHCAP_ERROR_INVALID_HANDLE, "destination");
        BAD(near, 0, NULL, 0, 1, GRAPHCAP_ERROR_INVALID_HANDLE, "source");
        BAD((const gc_buffer *)sides[0].context, 0, far, 0, 1, GRAPHCAP_ERROR_INVALID_HANDLE, "destination");
        WRONG(near, 1, far, 0, SPACE, "destination");
        WRONG(far, 1, near, 0, SPACE, "destination");
        WRONG(near, SPACE, far, 0, 1, "destination");
        WRONG(near, SPACE + 1, far, 0, 1, "destination");
        WRONG(near, SIZE_MAX, far, 0, 1, "destination");
        WRONG(near, 0, far, 1, SPACE, "source");
        WRONG(near, 0, far, SIZE_MAX, 2, "source");
        WRONG(near, 0, far, 0, SPACE + 1, "destination");
        WRONG(near, 0, far, 0, SIZE_MAX, "destination");
        WRONG(near, 0, near, 15, 16, "overlaps");
        WRONG(far, 15, far, 0, 16, "overlaps");
        WRONG(near, 0, same_memory, 15, 16, "overlaps");
        if (other != NULL) {
            BAD(other, 0, near, 0, 16, GRAPHCAP_ERROR_INVALID_CONTEXT, "the destination buffer belongs to a context");
            BAD(near, 0, other, 0, 16, GRAPHCAP_ERROR_INVALID_CONTEXT, "the source buffer belongs to a context");
            BAD(near, 0, other, 0, 0, GRAPHCAP_ERROR_INVALID_CONTEXT, "host device");
            BAD(far, 0, other, 0, 16, GRAPHCAP_ERROR_INVALID_CONTEXT, "CUDA");
        }
        /* The other copies are of one context, as before. */
        CHECK_MESSAGE(gc_stream_memcpy_dtod(stream, near, 0, far, 0, 16), GRAPHCAP_ERROR_INVALID_CONTEXT, "source");
        /* Nothing to do is no error, wherever it is. */
        CHECK_OK(gc_stream_memcpy_peer(stream, near, SIZE_MAX, far, SIZE_MAX, 0));
        if (!capturing)
            continue;
        CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        REQUIRE_OK(gc_stream_end_capture(stream, &graph));
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK(nodes == 0);
        CHECK_OK(gc_graph_destroy(graph));
    }
    for (i = 0; i < 2; i++) {
        read_side(&sides[i], after);
        CHECK(memcmp(before[i], after, SPACE) == 0);
    }
    /* The last that fits, and side by side. */
    CHECK_OK(gc_stream_memcpy_peer(stream, sides[0].buffer, SPACE - 1, sides[1].buffer, SPACE - 1, 1));
    CHECK_OK(gc_stream_memcpy_peer(stream, sides[0].buffer, 0, same_memory, 16, 16));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_buffer_destroy(same_memory));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_context_destroy(other_kind));
}

static void call_inside(void *user_data) {
    gc_status *answers = (gc_status *)user_data;
    answers[0] = gc_stream_memcpy_peer(sides[0].stream, sides[0].buffer, 0, sides[1].buffer, 0, 4);
    answers[1] = gc_context_memcpy_peer(sides[0].context, sides[0].buffer, 0, sides[1].buffer, 0, 4);
}

static void host_functions_must_not_copy(void) {
    gc_status answers[2] = {0, 0};
    CHECK_OK(gc_stream_launch_host_func(sides[0].stream, call_inside, answers, NULL));
    CHECK_OK(gc_stream_synchronize(sides[0].stream));
    CHECK(answers[0] == GRAPHCAP_ERROR_NOT_PERMITTED && answers[1] == GRAPHCAP_ERROR_NOT_PERMITTED);
}

/* A graph tells of the copy as of any; of a recorded one, where nothing failed, nobody complains. */
static void graphs_tell_of_them(void) {
    static char text[4096];
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(sides[0].stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy_peer(sides[0].stream, sides[1].buffer, 0, sides[0].buffer, 0, 123));
    REQUIRE_OK(gc_stream_end_capture(sides[0].stream, &graph));
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    CHECK(check_contains(text, "device to device, 123 bytes"));
    CHECK_OK(gc_graph_destroy(graph));
}

/* On the legacy stream it is as any work there: it breaks the capture of a blocking stream, is named for it, and is
 * refused in a guarded context. */
static void captures_know_who_broke_them(void) {
    struct side guarded;
    gc_stream *legacy = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    char text[1024] = "";
    gc_violation violation = 0;
    const struct side *side = &sides[0];
    REQUIRE_OK(gc_context_legacy_stream(side->context, &legacy));
    REQUIRE_OK(gc_stream_begin_capture(side->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_stream_memcpy_peer(legacy, sides[1].buffer, 0, side->buffer, 0, 4), GRAPHCAP_ERROR_CAPTURE_IMPLICIT,
                  "legacy");
    CHECK_OK(gc_stream_capture_violation(side->stream, &violation, text, sizeof text, NULL));
    CHECK(violation == GRAPHCAP_VIOLATION_LEGACY_STREAM && check_contains(text, "gc_stream_submit(MEMCPY)"));
    CHECK_MESSAGE(gc_stream_memcpy_peer(side->stream, sides[1].buffer, 0, side->buffer, 0, 4),
                  GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "gc_stream_submit(MEMCPY)");
    CHECK_STATUS(gc_stream_end_capture(side->stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    REQUIRE_OK(gc_stream_begin_capture(side->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_context_memcpy_peer(side->context, sides[1].buffer, 0, side->buffer, 0, 4),
                  GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "legacy");
    CHECK_STATUS(gc_stream_end_capture(side->stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_destroy(legacy));

    open_side_with(&guarded, 0, GRAPHCAP_CONTEXT_GUARDED);
    REQUIRE_OK(gc_context_legacy_stream(guarded.context, &legacy));
    REQUIRE_OK(gc_stream_begin_capture(guarded.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_memcpy_peer(legacy, sides[1].buffer, 0, guarded.buffer, 0, 4),
                 GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
    CHECK_OK(gc_stream_memcpy_peer(guarded.stream, sides[1].buffer, 0, guarded.buffer, 0, 4));
    exec = finish_capture(guarded.stream);
    CHECK_OK(gc_graph_launch(exec, guarded.stream));
    CHECK_OK(gc_stream_synchronize(guarded.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(legacy));
    close_side(&guarded);
}

/* By way of default streams: their work is over, and the contexts that copied from each other, and are gone, let go of what
 * was lent though nobody waits. */
static void default_streams_that_lend_each_other_end(void) {
    struct side pair[2];
    struct lent lent;
    gc_stream *legacy = NULL;
    uint64_t address = 0;
    int i;
    for (i = 0; i < 2; i++)
        open_side(&pair[i], 0);
    /* The memory is of a context that stays, so that it outlives the copies. */
    lent.released = 0;
    lent.owner = open_buffer(sides[0].context, 64);
    REQUIRE_OK(gc_buffer_address(lent.owner, &address));
    REQUIRE_OK(gc_buffer_wrap(pair[0].context, (void *)(uintptr_t)address, 64, &lent.released, count_call, &lent.wrapped));
    CHECK_OK(gc_context_memcpy_peer(pair[1].context, pair[0].buffer, 0, lent.wrapped, 0, 64));
    REQUIRE_OK(gc_context_legacy_stream(pair[0].context, &legacy));
    CHECK_OK(gc_stream_memcpy_peer(legacy, pair[1].buffer, 0, lent.wrapped, 0, 64));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_buffer_destroy(lent.wrapped));
    for (i = 0; i < 2; i++)
        close_side(&pair[i]);
    CHECK(await_count(&lent.released, 1));
    CHECK_OK(gc_buffer_destroy(lent.owner));
}

int main(void) {
    open_sides();
    RUN(default_streams_that_lend_each_other_end);
    RUN(copies_are_as_plain_ones);
    RUN(an_exec_needs_no_handle_of_other_contexts);
    RUN(a_graph_keeps_the_context_of_its_buffers);
    RUN(a_broken_capture_keeps_nothing);
    RUN(handles_go_right_behind_the_copy);
    RUN(contexts_that_borrow_come_and_go);
    RUN(threads_borrow_one_buffer);
    RUN(bad_copies_are_named);
    RUN(host_functions_must_not_copy);
    RUN(graphs_tell_of_them);
    RUN(captures_know_who_broke_them);
    close_sides();
    return check_finish();
}
