/* How often the driver is asked which capture a stream is in: never for work on streams of graphcap's own while no capture
 * goes on, also when others ended the captures that graphcap had met. Where gc_ calls alone can end the capture, its begin asks, and the
 * first work of each stream that joins.
 * And when the end of a capture asks what is in its nodes. */
#include "harness.h"

enum { CALLS = 20, FORGOTTEN_AFTER = 200 };

static struct rig rig;
static gc_stream *own, *theirs;
static gc_buffer *buffer;
static void *native;

static void set(const gc_stream *stream) {
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
}

/* How many questions `count` calls on a stream ask. */
static unsigned long asked_by(const gc_stream *stream, int count) {
    const unsigned long before = stand_in.questions();
    int i;
    for (i = 0; i < count; i++)
        set(stream);
    return stand_in.questions() - before;
}

/* Until another one is made so, also behind calls that need another one, or it. */
static void a_context_that_is_made_current_stays_so(void) {
    void *before = NULL, *current = NULL, *own_context = NULL;
    gc_buffer *allocated;
    REQUIRE_OK(gc_context_native(rig.context, &own_context));
    CHECK(raw.pop(&before) == 0);
    allocated = open_buffer(rig.context, 64);
    CHECK(raw.current(&current) == 0 && current == NULL);
    CHECK_OK(gc_context_make_current(rig.context));
    CHECK(raw.current(&current) == 0 && current == own_context);
    CHECK_OK(gc_buffer_destroy(allocated));
    CHECK(raw.current(&current) == 0 && current == own_context);
    CHECK(raw.pop(&current) == 0 && raw.push(before) == 0);
}

static void begin_theirs(void) {
    CHECK(raw.begin(native, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    set(theirs);
}

static void end_theirs(void) {
    void *graph = NULL;
    CHECK(raw.end(native, &graph) == 0 && raw.graph_destroy(graph) == 0);
}

static void work_of_own_streams_asks_while_a_capture_goes_on(void) {
    gc_stream *other = open_stream(rig.context, 0);
    gc_graph *graph = NULL;
    unsigned long before;
    CHECK(asked_by(own, CALLS) == 0);
    CHECK(asked_by(theirs, CALLS) == CALLS);
    CHECK_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(asked_by(other, CALLS) == 0);
    CHECK(asked_by(own, CALLS) >= CALLS);
    before = stand_in.questions();
    CHECK_OK(gc_stream_end_capture(other, &graph));
    CHECK(stand_in.questions() == before);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(asked_by(own, CALLS) == 0);
    CHECK(asked_by(other, CALLS) == 0);
    CHECK_OK(gc_stream_destroy(other));
}

/* Others can end a capture of a stream that they have, and one into a graph has the number of an earlier one. */
static void captures_that_may_be_over_unseen_are_asked_about(void) {
    gc_stream *other = open_stream(rig.context, 0);
    gc_graph *graph = NULL, *again = NULL;
    void *handle = NULL;
    CHECK_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(asked_by(other, CALLS) == 0);
    CHECK_OK(gc_stream_end_capture(other, &graph));
    if (gc_stream_begin_capture_to_graph(other, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED) == GRAPHCAP_SUCCESS) {
        CHECK(asked_by(other, CALLS) >= CALLS);
        CHECK_OK(gc_stream_end_capture(other, &again));
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(asked_by(other, CALLS) == 0);
    CHECK_OK(gc_stream_native(other, &handle));
    CHECK(asked_by(other, CALLS) >= CALLS);
    CHECK(raw.end(handle, &handle) == 0 && raw.graph_destroy(handle) == 0);
    set(other);
    CHECK(asked_by(own, CALLS) == 0);
    CHECK_OK(gc_stream_destroy(other));
}

/* A stream was in a capture whose graph another stream is captured into now. That has the same number. */
static void a_stream_is_not_in_a_later_capture_into_the_graph(void) {
    gc_stream *origin = open_stream(rig.context, 0), *fork = open_stream(rig.context, 0);
    gc_event *event = open_event(rig.context);
    gc_buffer *executed = open_buffer(rig.context, 4);
    gc_graph *graph = NULL, *again = NULL;
    long allocations;
    CHECK_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(event, origin, 0));
    CHECK_OK(gc_stream_wait_event(fork, event, 0));
    CHECK(asked_by(fork, CALLS) == 1);
    CHECK_OK(gc_event_record(event, fork, 0));
    CHECK_OK(gc_stream_wait_event(origin, event, 0));
    CHECK_OK(gc_stream_end_capture(origin, &graph));
    if (gc_stream_begin_capture_to_graph(origin, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED) == GRAPHCAP_SUCCESS) {
        set(origin);
        set(origin);
        CHECK_OK(gc_stream_memset(fork, executed, 0, 1, 4, 1));
        CHECK_OK(gc_stream_end_capture(origin, &again));
    }
    allocations = stand_in.live(STAND_IN_ALLOCATIONS);
    CHECK_OK(gc_buffer_destroy(executed));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == allocations - 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork));
    CHECK_OK(gc_stream_destroy(origin));
}

static void a_capture_that_ends_with_its_stream_is_forgotten(void) {
    gc_stream *other = open_stream(rig.context, 0);
    CHECK_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED));
    set(other);
    CHECK_OK(gc_stream_destroy(other));
    CHECK(asked_by(own, CALLS) == 0);
}

static void a_capture_that_others_ended_is_closed_by_the_next_work_of_its_stream(void) {
    begin_theirs();
    CHECK(asked_by(own, CALLS) >= CALLS);
    end_theirs();
    set(theirs);
    CHECK(asked_by(own, CALLS) == 0);
    CHECK(asked_by(theirs, CALLS) == CALLS);
}

static void a_capture_that_others_ended_is_closed_by_work_of_other_streams(void) {
    begin_theirs();
    end_theirs();
    asked_by(own, FORGOTTEN_AFTER);
    CHECK(asked_by(own, CALLS) == 0);
}

static void a_capture_that_graphcap_began_and_others_ended_is_closed(void) {
    CHECK_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    set(theirs);
    end_theirs();
    asked_by(own, FORGOTTEN_AFTER);
    CHECK(asked_by(own, CALLS) == 0);
}

static void a_capture_of_others_is_forgotten_with_the_handle_of_its_stream(void) {
    void *graph = NULL, *another = NULL;
    gc_stream *wrapped = NULL;
    CHECK(raw.stream_create(&another, 1, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(rig.context, another, &wrapped));
    CHECK(raw.begin(another, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    set(wrapped);
    CHECK_OK(gc_stream_destroy(wrapped));
    CHECK(asked_by(own, CALLS) == 0);
    CHECK(raw.end(another, &graph) == 0 && raw.graph_destroy(graph) == 0);
    CHECK(raw.stream_destroy(another) == 0);
}

/* A stream of graphcap's own that joined goes on to ask while it is in the capture, also when the handle through which
 * graphcap met that has gone since, or before it joined; what it records is kept. */
static void a_stream_joins_and_asks_until_it_is_out(int goes_before) {
    gc_stream *fork = open_stream(rig.context, 0), *wrapped = NULL;
    gc_event *event = open_event(rig.context);
    gc_buffer *kept = open_buffer(rig.context, 4);
    void *graph = NULL, *another = NULL;
    const long allocations = stand_in.live(STAND_IN_ALLOCATIONS);
    gc_event *back = open_event(rig.context);
    int rounds;
    CHECK(raw.stream_create(&another, 1, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(rig.context, another, &wrapped));
    CHECK(raw.begin(another, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    CHECK_OK(gc_event_record(event, wrapped, 0));
    if (goes_before)
        CHECK_OK(gc_stream_destroy(wrapped));
    CHECK_OK(gc_stream_wait_event(fork, event, 0));
    if (!goes_before) {
        CHECK_OK(gc_stream_destroy(wrapped));
        CHECK(asked_by(own, CALLS) == 0);
    }
    CHECK_OK(gc_stream_memset(fork, kept, 0, 1, 4, 1));
    CHECK_OK(gc_buffer_destroy(kept));
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == allocations);
    CHECK_OK(gc_event_record(back, fork, 0));
    REQUIRE_OK(gc_stream_wrap(rig.context, another, &wrapped));
    CHECK_OK(gc_stream_wait_event(wrapped, back, 0));
    CHECK(raw.end(another, &graph) == 0);
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == allocations);
    CHECK(raw.graph_destroy(graph) == 0);
    set(fork);
    asked_by(own, FORGOTTEN_AFTER);
    CHECK(asked_by(fork, CALLS) == 0);
    CHECK_OK(gc_stream_destroy(wrapped));
    CHECK_OK(gc_stream_destroy(fork));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_event_destroy(back));
    CHECK(raw.stream_destroy(another) == 0);
    /* What the graph kept goes on a thread of graphcap's own. */
    for (rounds = 0; rounds < 20000 && stand_in.live(STAND_IN_ALLOCATIONS) >= allocations; rounds++) {
        pause_ms(1);
        CHECK_OK(gc_context_collect(rig.context));
    }
    CHECK(stand_in.live(STAND_IN_ALLOCATIONS) == allocations - 1);
}

static void a_stream_that_joined_asks_until_it_is_out(void) {
    a_stream_joins_and_asks_until_it_is_out(0);
    a_stream_joins_and_asks_until_it_is_out(1);
}

static void do_nothing(void *unused) {
    (void)unused;
}

/* Each kind of work, by its number. 0 when there are no more. */
static int record(int kind, const gc_stream *stream, const gc_buffer *other, const gc_buffer *value) {
    static const uint32_t words[4] = {1, 2, 3, 4};
    static uint32_t read[4];
    const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(value, 0, 1, 0);
    const gc_memset_params rows = GRAPHCAP_MEMSET_INIT(other, 0, 1, 4, 1, 2, 8);
    switch (kind) {
    case 0:
        CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
        return 1;
    case 1:
        CHECK_OK(gc_stream_memset(stream, other, 0, 1, 4, 4));
        return 1;
    case 2:
        CHECK_OK(gc_stream_memset_2d(stream, &rows));
        return 1;
    case 3:
        CHECK_OK(gc_stream_memcpy_htod(stream, other, 0, words, sizeof words));
        return 1;
    case 4:
        CHECK_OK(gc_stream_memcpy_dtoh(stream, read, other, 0, sizeof read));
        return 1;
    case 5:
        CHECK_OK(gc_stream_memcpy_dtod(stream, value, 0, other, 0, 16));
        return 1;
    case 6:
        CHECK_OK(gc_stream_launch_host_func(stream, do_nothing, NULL, NULL));
        return 1;
    case 7:
        CHECK_OK(gc_stream_write_value32(stream, value, 0, 1, 0));
        return 1;
    case 8:
        CHECK_OK(gc_stream_batch_mem_op(stream, &write, 1, 0));
        return 1;
    default:
        return 0;
    }
}

/* How many nodes the end of a capture on their stream reads. */
static uint64_t read_by_end(void) {
    static const char *const readers[] = {"cuGraphKernelNodeGetParams_v2", "cuGraphMemsetNodeGetParams",
                                          "cuGraphMemcpyNodeGetParams", "cuGraphHostNodeGetParams",
                                          "cuGraphBatchMemOpNodeGetParams", "cuGraphNodeGetType"};
    gc_graph *graph = NULL;
    uint64_t read = 0;
    size_t i;
    stand_in.count(1);
    CHECK_OK(gc_stream_end_capture(theirs, &graph));
    for (i = 0; i < sizeof readers / sizeof *readers; i++)
        read += calls_of(readers[i]);
    stand_in.count(0);
    CHECK_OK(gc_graph_destroy(graph));
    return read;
}

/* Where others recorded into a capture, its end reads the nodes for what they use. Where gc_ calls recorded all, it does not. */
static void the_end_of_a_capture_reads_nodes_that_others_recorded(void) {
    gc_buffer *other = open_buffer(rig.context, 16), *value = open_waitable(rig.context, 16);
    int kind;
    uint64_t address = 0;
    for (kind = 0;; kind++) {
        int is_kind;
        REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
        set(theirs);
        is_kind = record(kind, theirs, other, value);
        CHECK(read_by_end() == 0);
        if (!is_kind)
            break;
        REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
        record(kind, theirs, other, value);
        CHECK_OK(gc_buffer_address(other, &address));
        CHECK(raw.memset_words(address, 1, 4, native) == 0);
        CHECK(read_by_end() > 0);
    }
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(value));
}

/* What a guarded context asks before calls that could harm a capture. */
static void guarded_contexts_ask_no_more(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_stream *stream;
    unsigned long before;
    options.flags = GRAPHCAP_CONTEXT_GUARDED;
    REQUIRE_OK(gc_context_create(&options, &context));
    stream = open_stream(context, 0);
    begin_theirs();
    before = stand_in.questions();
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(stand_in.questions() > before);
    end_theirs();
    set(theirs);
    before = stand_in.questions();
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(stand_in.questions() == before);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

static void try_driver(const char *version) {
    void *context = NULL;
    use_stand_in(version);
    look_up_driver();
    rig_open(&rig);
    own = open_stream(rig.context, 0);
    buffer = open_buffer(rig.context, 4);
    REQUIRE_OK(gc_context_native(rig.context, &context));
    CHECK(raw.push(context) == 0);
    CHECK(raw.stream_create(&native, 1, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(rig.context, native, &theirs));
    RUN(work_of_own_streams_asks_while_a_capture_goes_on);
    RUN(captures_that_may_be_over_unseen_are_asked_about);
    RUN(a_stream_is_not_in_a_later_capture_into_the_graph);
    RUN(a_capture_that_ends_with_its_stream_is_forgotten);
    RUN(a_capture_that_others_ended_is_closed_by_the_next_work_of_its_stream);
    RUN(a_capture_that_others_ended_is_closed_by_work_of_other_streams);
    RUN(a_capture_that_graphcap_began_and_others_ended_is_closed);
    RUN(a_capture_of_others_is_forgotten_with_the_handle_of_its_stream);
    RUN(a_stream_that_joined_asks_until_it_is_out);
    RUN(the_end_of_a_capture_reads_nodes_that_others_recorded);
    RUN(guarded_contexts_ask_no_more);
    RUN(a_context_that_is_made_current_stays_so);
    CHECK_OK(gc_stream_destroy(theirs));
    CHECK(raw.stream_destroy(native) == 0);
    CHECK(raw.pop(&context) == 0);
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_buffer_destroy(buffer));
    /* For a stream that was destroyed in a capture nobody knows when its work is complete. */
    CHECK_OK(gc_context_synchronize(rig.context));
    rig_close(&rig);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_driver);
    return check_finish();
}
