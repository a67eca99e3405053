/* Streams: order within one, independence of several, the legacy and the per-thread default stream. */
#include "kernels.h"

static struct rig rig;

/* Whether all of the stream's work is done. */
static int is_complete(const gc_stream *stream) {
    int32_t complete = -1;
    CHECK_OK(gc_stream_is_complete(stream, &complete));
    CHECK(complete == 0 || complete == 1);
    return complete;
}

/* A held host function occupies a stream without occupying one of the device's workers. */
static void hold(const gc_stream *stream, struct gate *gate) {
    gate_init(gate);
    CHECK_OK(gc_stream_launch_host_func(stream, gate_hold, gate, NULL));
}

static void bad_options_are_refused(void) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_stream *stream = NULL;
    options.flags = 2;
    CHECK_MESSAGE(gc_stream_create(rig.context, &options, &stream), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK(stream == NULL);
    CHECK_OK(gc_stream_create(rig.context, NULL, &stream));
    CHECK_OK(gc_stream_destroy(stream));
    /* Priorities are clamped to what the device has. */
    options.flags = 0;
    options.priority = -1000;
    CHECK_OK(gc_stream_create(rig.context, &options, &stream));
    CHECK_OK(gc_stream_destroy(stream));
}

static void calls_return_before_the_work_runs(void) {
    struct gate gate;
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 7, 1));
    gate_await(&gate, 1);
    CHECK(!is_complete(rig.stream));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(is_complete(rig.stream) && read_u32(rig.stream, buffer, 0) == 7);
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_free(&gate);
}

static void copies_out_return_before_they_run(void) {
    struct gate gate;
    gc_buffer *buffer;
    uint32_t got = 99;
    NOT_ON_CUDA("a copy to pageable memory returns after the work before it");
    buffer = open_buffer(rig.context, 4);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 7, 1));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &got, buffer, 0, 4));
    gate_await(&gate, 1);
    CHECK(*(volatile uint32_t *)&got == 99);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(is_complete(rig.stream) && got == 7);
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_free(&gate);
}

static void one_stream_runs_in_order(void) {
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    unsigned i;
    for (i = 0; i < 1000; i++)
        CHECK_OK(launch_note(&rig, rig.stream, journal, i));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    read_journal(rig.context, journal, &seen);
    check_counts_up(&seen, 1000, 1000);
    CHECK_OK(gc_buffer_destroy(journal));
}

/* A host function's user data that adds an entry to a journal in memory of the CPU. */
struct written_note {
    struct journal *journal;
    uint32_t entry;
};

static void note_down(void *user_data) {
    struct written_note *note = (struct written_note *)user_data;
    journal_add(note->journal, note->entry);
}

static void host_functions_run_in_order(void) {
    static struct journal journal;
    struct written_note notes[100];
    unsigned i;
    for (i = 0; i < 100; i++) {
        notes[i].journal = &journal;
        notes[i].entry = i;
        CHECK_OK(gc_stream_launch_host_func(rig.stream, note_down, &notes[i], NULL));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_counts_up(&journal, 100, 100);
}

static void kernels_and_host_functions_keep_one_order(void) {
    static struct journal seen;
    struct written_note notes[100];
    gc_buffer *journal;
    uint64_t address = 0;
    unsigned i;
    NOT_ON_CUDA("a host function cannot write into the memory of a GPU");
    journal = open_journal(rig.context);
    CHECK_OK(gc_buffer_address(journal, &address));
    for (i = 0; i < 1000; i++) {
        if (i % 10 == 3) {
            notes[i / 10].journal = (struct journal *)(uintptr_t)address;
            notes[i / 10].entry = i;
            CHECK_OK(gc_stream_launch_host_func(rig.stream, note_down, &notes[i / 10], NULL));
        } else {
            CHECK_OK(launch_note(&rig, rig.stream, journal, i));
        }
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    read_journal(rig.context, journal, &seen);
    check_counts_up(&seen, 1000, 1000);
    CHECK_OK(gc_buffer_destroy(journal));
}

static void streams_do_not_wait_for_each_other(void) {
    struct gate gate;
    gc_stream *other = open_stream(rig.context, 0);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    hold(rig.stream, &gate);
    gate_await(&gate, 1);
    CHECK_OK(launch_add(&rig, other, buffer, 0, 3, 1));
    CHECK(read_u32(other, buffer, 0) == 3);
    CHECK(!is_complete(rig.stream) && is_complete(other));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(other));
    gate_free(&gate);
}

static void the_legacy_stream_waits_for_blocking_streams(void) {
    struct gate gate;
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *legacy = NULL, *other = open_stream(rig.context, 0);
    gc_stream *apart = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    hold(rig.stream, &gate);
    CHECK_OK(launch_note(&rig, legacy, journal, 1));
    /* A blocking stream waits for the legacy work before it, a non-blocking one does not. */
    CHECK_OK(launch_note(&rig, other, journal, 2));
    CHECK_OK(launch_note(&rig, apart, journal, 0));
    CHECK_OK(gc_stream_synchronize(apart));
    gate_await(&gate, 1);
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 1 && seen.entries[0] == 0);
    CHECK(!is_complete(legacy) && !is_complete(other));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(other));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 3 && seen.entries[1] == 1 && seen.entries[2] == 2);
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(apart));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_buffer_destroy(journal));
    gate_free(&gate);
}

static void non_blocking_streams_ignore_the_legacy_stream(void) {
    struct gate gate, second;
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *legacy = NULL, *apart = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    hold(legacy, &gate);
    gate_await(&gate, 1);
    CHECK_OK(launch_note(&rig, apart, journal, 1));
    CHECK_OK(gc_stream_synchronize(apart));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 1 && !is_complete(legacy));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(legacy));

    hold(apart, &second);
    gate_await(&second, 1);
    CHECK_OK(launch_note(&rig, legacy, journal, 2));
    CHECK_OK(gc_stream_synchronize(legacy));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 2 && !is_complete(apart));
    gate_open(&second);
    CHECK_OK(gc_stream_synchronize(apart));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(apart));
    CHECK_OK(gc_buffer_destroy(journal));
    gate_free(&gate);
    gate_free(&second);
}

/* Destroying a handle of a default stream gives up the handle; the stream exists as long as its context. */
static void default_streams_outlive_their_handles(void) {
    gc_stream *first = NULL, *second = NULL;
    gc_buffer *buffer = open_buffer(rig.context, 4);
    CHECK_OK(gc_context_legacy_stream(rig.context, &first));
    CHECK_OK(gc_context_legacy_stream(rig.context, &second));
    CHECK_OK(gc_stream_destroy(first));
    CHECK_STATUS(gc_stream_synchronize(first), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(launch_add(&rig, second, buffer, 0, 2, 1));
    CHECK(read_u32(second, buffer, 0) == 2);
    CHECK_OK(gc_stream_destroy(second));
    CHECK_OK(gc_buffer_destroy(buffer));
}

struct per_thread {
    gc_stream *stream;
    gc_buffer *buffer;
};

static void *works_in_its_own_default_stream(void *argument) {
    struct per_thread *shared = (struct per_thread *)argument;
    CHECK(is_complete(shared->stream));
    CHECK_OK(launch_add(&rig, shared->stream, shared->buffer, 0, 5, 1));
    CHECK(read_u32(shared->stream, shared->buffer, 0) == 5);
    return NULL;
}

static void the_per_thread_stream_is_each_threads_own(void) {
    struct gate gate;
    struct per_thread shared;
    shared.stream = NULL;
    shared.buffer = open_buffer(rig.context, 4);
    CHECK_OK(gc_context_per_thread_stream(rig.context, &shared.stream));
    hold(shared.stream, &gate);
    gate_await(&gate, 1);
    CHECK(!is_complete(shared.stream));
    on_another_thread(works_in_its_own_default_stream, &shared);
    CHECK(!is_complete(shared.stream));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(shared.stream));
    CHECK(read_u32(shared.stream, shared.buffer, 0) == 5);
    CHECK_OK(gc_stream_destroy(shared.stream));
    CHECK_OK(gc_buffer_destroy(shared.buffer));
    gate_free(&gate);
}

static void the_per_thread_stream_waits_for_the_legacy_stream(void) {
    struct gate gate;
    static struct journal seen;
    gc_buffer *journal = open_journal(rig.context);
    gc_stream *legacy = NULL, *own = NULL;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    hold(legacy, &gate);
    CHECK_OK(launch_note(&rig, own, journal, 1));
    gate_await(&gate, 1);
    CHECK(!is_complete(own));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(own));
    read_journal(rig.context, journal, &seen);
    CHECK(seen.length == 1);
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_buffer_destroy(journal));
    gate_free(&gate);
}

static void a_destroyed_stream_still_runs_its_work(void) {
    struct gate gate;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    hold(stream, &gate);
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 4, 1));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_INVALID_HANDLE);
    gate_open(&gate);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(read_u32(rig.stream, buffer, 0) == 4);
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_free(&gate);
}

static void many_streams_come_and_go(void) {
    gc_stream *streams[64];
    gc_buffer *buffer = open_buffer(rig.context, 64 * 4);
    unsigned round, i;
    for (round = 0; round < soak(5, 200); round++) {
        for (i = 0; i < 64; i++) {
            streams[i] = open_stream(rig.context, i % 2 ? GRAPHCAP_STREAM_NON_BLOCKING : 0);
            CHECK_OK(launch_add(&rig, streams[i], buffer, i * 4, 1, 1));
        }
        for (i = 0; i < 64; i++)
            CHECK_OK(gc_stream_destroy(streams[63 - i]));
        CHECK_OK(gc_context_synchronize(rig.context));
    }
    for (i = 0; i < 64; i++)
        CHECK(read_u32(rig.stream, buffer, i) == round);
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(bad_options_are_refused);
    RUN(calls_return_before_the_work_runs);
    RUN(copies_out_return_before_they_run);
    RUN(one_stream_runs_in_order);
    RUN(host_functions_run_in_order);
    RUN(kernels_and_host_functions_keep_one_order);
    RUN(streams_do_not_wait_for_each_other);
    RUN(the_legacy_stream_waits_for_blocking_streams);
    RUN(non_blocking_streams_ignore_the_legacy_stream);
    RUN(default_streams_outlive_their_handles);
    RUN(the_per_thread_stream_is_each_threads_own);
    RUN(the_per_thread_stream_waits_for_the_legacy_stream);
    RUN(a_destroyed_stream_still_runs_its_work);
    RUN(many_streams_come_and_go);
    rig_close(&rig);
    return check_finish();
}
