/* Captures that others break, begin, end or take part in through the driver, on an old driver and on a newer one. */
#include "drivers.h"

/* cuStreamBeginCaptureToGraph, of the newer driver alone. */
static int (*begin_into)(void *stream, void *graph, void *const *nodes, const void *data, size_t count, unsigned mode);

/* A capture that others broke: graphcap names its own calls before and after, and the driver's log the culprit. */
static void what_others_break_is_told(void) {
    int shares;
    for (shares = 0; shares < 2; shares++) {
        gc_stream *stream = open_stream(rig.context, 0);
        gc_buffer *buffer = open_buffer(rig.context, 64);
        gc_graph *graph = NULL;
        gc_violation violation = -1;
        char text[1024] = "";
        void *native;
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
        CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
        native = native_stream(stream);
        if (shares)
            CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
        CHECK(raw.is_complete(native) == GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
        CHECK(violation == GRAPHCAP_VIOLATION_NONE);
        CHECK_MESSAGE(gc_stream_memset(stream, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                      shares ? "between gc_stream_memset and gc_stream_memset"
                             : "between gc_stream_launch_kernel and gc_stream_memset");
        CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
        CHECK(violation == GRAPHCAP_VIOLATION_OUTSIDE);
        CHECK(check_contains(text, "cuStreamQuery") == !is_old);
        CHECK_MESSAGE(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, text);
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_stream_destroy(stream));
    }
}

/* A graph of graphcap's that others end the capture into, or keep from ending, is neither lost nor destroyed twice. */
static void captures_into_graphs_that_others_take_part_in(void) {
    gc_buffer *buffer;
    void *context = NULL;
    int ended_by_others, special;
    if (is_old)
        return;
    buffer = open_buffer(rig.context, 16);
    REQUIRE_OK(gc_context_native(rig.context, &context));
    CHECK(raw.push(context) == 0);
    for (special = 0; special < 3; special++)
        for (ended_by_others = 0; ended_by_others < 2; ended_by_others++) {
            gc_stream *stream = NULL;
            gc_graph *graph = NULL, *same = NULL;
            void *native = NULL, *theirs = NULL, *native_graph = NULL;
            size_t count = 0;
            if (special == 1)
                REQUIRE_OK(gc_context_per_thread_stream(rig.context, &stream));
            else
                stream = open_stream(rig.context, 0);
            native = native_stream(stream);
            if (special == 2) {
                REQUIRE_OK(gc_stream_destroy(stream));
                CHECK(raw.stream_create(&native, 0, 0) == 0);
                REQUIRE_OK(gc_stream_wrap(rig.context, native, &stream));
            }
            CHECK_OK(gc_graph_create(rig.context, &graph));
            CHECK_OK(gc_graph_native(graph, &native_graph));
            CHECK_OK(gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
            CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, 1));
            if (ended_by_others) {
                CHECK(raw.end(native, &theirs) == 0 && theirs == native_graph);
                CHECK_OK(gc_graph_node_count(graph, &count));
                CHECK(count == 1);
                /* Another capture of the stream is not taken for the one before. */
                CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
                CHECK_OK(gc_stream_end_capture(stream, &same));
                CHECK_OK(gc_graph_node_count(same, &count));
                CHECK(count == 0);
            } else {
                CHECK_OK(gc_graph_destroy(graph));
                graph = NULL;
                CHECK_OK(gc_stream_end_capture(stream, &same));
                CHECK_OK(gc_graph_node_count(same, &count));
                CHECK(count == 1);
                /* One that is not ended. */
                CHECK_OK(gc_stream_begin_capture_to_graph(stream, same, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
            }
            CHECK_OK(gc_stream_destroy(stream));
            if (special == 2) {
                /* With the handle goes the capture that it was begun through. */
                CHECK(raw.end(native, &theirs) == GRAPHCAP_ERROR_ILLEGAL_STATE);
                CHECK_OK(gc_graph_node_count(same, &count));
                CHECK(count == (ended_by_others ? 0 : 1));
                CHECK(raw.stream_destroy(native) == 0);
            }
            CHECK_OK(gc_graph_destroy(graph));
            CHECK_OK(gc_graph_destroy(same));
        }
    CHECK(raw.pop(&context) == 0);
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Who ends a capture into a graph of graphcap's has the graph: execs of theirs keep what it had before, too, and what is
 * captured into it later. The capture is on a stream that was theirs from the start, or is given out midway, or a node is added by hand
 * while it goes on. */
static void graphs_that_others_get_by_an_end_keep_what_they_had(void) {
    void *context = NULL;
    int way;
    if (is_old)
        return;
    REQUIRE_OK(gc_context_native(rig.context, &context));
    CHECK(raw.push(context) == 0);
    for (way = 0; way < 4; way++) {
        int midway = way == 1, again = way == 2, by_hand = way == 3;
        struct foreign foreign;
        unsigned released = 0;
        gc_buffer *wrapped, *other = open_buffer(rig.context, 16), *later;
        gc_stream *own = open_stream(rig.context, 0), *theirs = NULL;
        gc_graph *graph = NULL, *same = NULL;
        void *native = NULL, *native_graph = NULL, *exec = NULL;
        unsigned long long parameters[4]; /* CUDA_GRAPH_INSTANTIATE_PARAMS */
        foreign_open(&foreign);
        wrapped = wrap_foreign(rig.context, &foreign, &released);
        /* Two buffers of the same memory, to be given back one by one. */
        later = again ? wrap_foreign(rig.context, &foreign, &released) : NULL;
        REQUIRE_OK(gc_graph_create(rig.context, &graph));
        REQUIRE_OK(gc_stream_begin_capture_to_graph(own, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_memset(own, by_hand ? other : wrapped, 0, 0, 4, 1));
        if (midway) {
            native = native_stream(own);
        } else {
            REQUIRE_OK(gc_stream_end_capture(own, &same));
            CHECK_OK(gc_graph_destroy(same));
            CHECK(raw.stream_create(&native, 0, 0) == 0);
            REQUIRE_OK(gc_stream_wrap(rig.context, native, &theirs));
            REQUIRE_OK(gc_stream_begin_capture_to_graph(theirs, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
            CHECK_OK(gc_stream_memset(theirs, other, 0, 0, 4, 1));
        }
        if (by_hand) {
            gc_memset_params set = GRAPHCAP_MEMSET_INIT(wrapped, 0, 0, 4, 1, 1, 0);
            gc_node node;
            CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
        }
        CHECK(raw.end(native, &native_graph) == 0);
        if (again) {
            REQUIRE_OK(gc_stream_begin_capture_to_graph(own, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
            CHECK_OK(gc_stream_memset(own, later, 0, 0, 4, 1));
            REQUIRE_OK(gc_stream_end_capture(own, &same));
            CHECK_OK(gc_graph_destroy(same));
        }
        memset(parameters, 0, sizeof parameters);
        CHECK(raw.instantiate(&exec, native_graph, parameters) == 0);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK_OK(gc_buffer_destroy(other));
        CHECK_OK(gc_buffer_destroy(later));
        /* A stream keeps the graph that the latest capture on it went into. */
        CHECK_OK(gc_stream_destroy(own));
        CHECK_OK(gc_stream_destroy(theirs));
        pause_ms(20);
        CHECK(count_of(&released) == 0);
        CHECK(raw.exec_destroy(exec) == 0);
        CHECK(await_count(&released, again ? 2 : 1));
        if (!midway)
            CHECK(raw.stream_destroy(native) == 0);
        foreign_close(&foreign);
    }
    CHECK(raw.pop(&context) == 0);
}

/* A stream of others, which two contexts have handles of, and a graph of graphcap's, which they capture into. */
struct theirs {
    void *context, *native, *native_graph;
    gc_stream *stream;
    gc_graph *graph;
};

static void theirs_open(struct theirs *s) {
    REQUIRE_OK(gc_context_native(rig.context, &s->context));
    CHECK(raw.push(s->context) == 0);
    CHECK(raw.stream_create(&s->native, 0, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(rig.context, s->native, &s->stream));
    REQUIRE_OK(gc_graph_create(rig.context, &s->graph));
    REQUIRE_OK(gc_graph_native(s->graph, &s->native_graph));
}

static void theirs_close(struct theirs *s) {
    CHECK_OK(gc_graph_destroy(s->graph));
    CHECK_OK(gc_stream_destroy(s->stream));
    CHECK(raw.stream_destroy(s->native) == 0);
    CHECK(raw.pop(&s->context) == 0);
}

static void theirs_begin(const struct theirs *s, gc_buffer *buffer) {
    CHECK(begin_into(s->native, s->native_graph, NULL, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    CHECK_OK(gc_stream_memset(s->stream, buffer, 0, 1, 4, 1));
}

static size_t node_count(const gc_graph *graph) {
    size_t count = 99;
    CHECK_OK(gc_graph_node_count(graph, &count));
    return count;
}

/* With the last handle of a stream goes the capture that was begun by it. Of what the driver's graph held for the capture nothing stays:
 * the graph has what was recorded, and lets go of it with the node. */
static void a_discarded_capture_leaves_nothing_on_its_graph(void) {
    void *context = NULL, *native = NULL, *nothing = NULL;
    gc_stream *stream = NULL;
    gc_graph *graph = NULL;
    struct foreign foreign;
    unsigned released = 0, rounds;
    gc_buffer *wrapped;
    gc_node node = 0;
    size_t count = 0;
    long objects;
    if (is_old)
        return;
    REQUIRE_OK(gc_context_native(rig.context, &context));
    CHECK(raw.push(context) == 0);
    CHECK(raw.stream_create(&native, 0, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(rig.context, native, &stream));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    foreign_open(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    objects = stand_in.live(STAND_IN_USER_OBJECTS);
    REQUIRE_OK(gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(stream, wrapped, 0, 1, 4, 1));
    CHECK(stand_in.live(STAND_IN_USER_OBJECTS) > objects);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(raw.end(native, &nothing) == GRAPHCAP_ERROR_ILLEGAL_STATE && nothing == NULL);
    CHECK(node_count(graph) == 1);
    for (rounds = 0; rounds < 20000 && stand_in.live(STAND_IN_USER_OBJECTS) > objects; rounds++)
        pause_ms(1);
    CHECK(stand_in.live(STAND_IN_USER_OBJECTS) == objects);
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK(count_of(&released) == 0);
    CHECK_OK(gc_graph_get_nodes(graph, &node, 1, &count));
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK(await_count(&released, 1));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(raw.stream_destroy(native) == 0);
    CHECK(raw.pop(&context) == 0);
    foreign_close(&foreign);
}

/* What is recorded in a capture of others into a graph that they have, the graph of graphcap's keeps as well: an exec that takes over
 * its work needs it when the graph is gone. */
static void execs_keep_what_others_had_captured_into_a_graph_of_theirs(void) {
    struct foreign foreign;
    unsigned released = 0;
    gc_buffer *wrapped, *other;
    gc_graph *same = NULL;
    gc_graph_exec *exec;
    struct theirs s;
    if (is_old)
        return;
    theirs_open(&s);
    foreign_open(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    other = open_buffer(rig.context, 16);
    theirs_begin(&s, wrapped);
    REQUIRE_OK(gc_stream_end_capture(s.stream, &same));
    REQUIRE_OK(gc_stream_begin_capture(s.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(s.stream, other, 0, 1, 4, 1));
    exec = finish_capture(s.stream);
    CHECK_OK(gc_graph_exec_update(exec, same, 0, NULL));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_graph_destroy(same));
    theirs_close(&s);
    stand_in.settle();
    pause_ms(20);
    CHECK(count_of(&released) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
}

/* Where others began a capture into a graph of graphcap's, the driver alone knows on which stream. On a fork it refuses the
 * end and breaks the capture, with which the graph is lost. */
static void a_fork_of_a_capture_that_others_began_into_a_graph_breaks_it(void) {
    gc_buffer *buffer;
    gc_stream *fork;
    gc_event *event;
    gc_graph *none = NULL;
    void *nothing = NULL;
    size_t count = 99;
    struct foreign foreign;
    unsigned released = 0;
    gc_buffer *wrapped;
    struct theirs s;
    if (is_old)
        return;
    theirs_open(&s);
    foreign_open(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    buffer = open_buffer(rig.context, 16);
    fork = open_stream(rig.context, 0);
    REQUIRE_OK(gc_stream_begin_capture_to_graph(fork, s.graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(fork, wrapped, 0, 1, 4, 1));
    REQUIRE_OK(gc_stream_end_capture(fork, &none));
    CHECK_OK(gc_graph_destroy(none));
    CHECK_OK(gc_buffer_destroy(wrapped));
    none = NULL;
    event = open_event(rig.context);
    theirs_begin(&s, buffer);
    CHECK_OK(gc_event_record(event, s.stream, 0));
    CHECK_OK(gc_stream_wait_event(fork, event, 0));
    CHECK_MESSAGE(gc_stream_end_capture(fork, &none), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "cuStreamEndCapture answered");
    CHECK(none == NULL && capture_state(s.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK(capture_state(fork) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_MESSAGE(gc_graph_node_count(s.graph, &count), GRAPHCAP_ERROR_INVALID_VALUE, "the end of the graph");
    CHECK(raw.end(s.native, &nothing) == GRAPHCAP_ERROR_CAPTURE_INVALIDATED && nothing == NULL);
    CHECK(capture_state(fork) == GRAPHCAP_CAPTURE_STATUS_NONE);
    /* A graph that is lost keeps nothing any more. */
    CHECK(await_count(&released, 1));
    CHECK_OK(gc_stream_memset(fork, buffer, 0, 1, 4, 1));
    theirs_close(&s);
    foreign_close(&foreign);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* On its origin the driver ends it, and gives the graph that there is: another handle of the same graph. */
static void a_capture_that_others_began_into_a_graph_can_be_ended(void) {
    gc_buffer *buffer;
    gc_graph *same = NULL;
    gc_graph_exec *exec = NULL;
    unsigned round;
    struct theirs s;
    if (is_old)
        return;
    theirs_open(&s);
    buffer = open_buffer(rig.context, 16);
    for (round = 1; round <= 4; round++) {
        /* What graphcap began and ended there before does not matter. */
        if (round % 2 == 0) {
            REQUIRE_OK(gc_stream_begin_capture_to_graph(s.stream, s.graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(gc_stream_memset(s.stream, buffer, 0, 1, 4, 1));
        } else {
            theirs_begin(&s, buffer);
        }
        REQUIRE_OK(gc_stream_end_capture(s.stream, &same));
        CHECK(node_count(same) == round && node_count(s.graph) == round);
        CHECK_OK(gc_graph_destroy(same));
        CHECK(node_count(s.graph) == round);
    }
    /* The other handle is as good as the first. */
    theirs_begin(&s, buffer);
    REQUIRE_OK(gc_stream_end_capture(s.stream, &same));
    CHECK_OK(gc_graph_destroy(s.graph));
    s.graph = NULL;
    CHECK(node_count(same) == 5);
    REQUIRE_OK(gc_graph_instantiate(same, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, s.stream));
    CHECK_OK(gc_stream_synchronize(s.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(same));
    theirs_close(&s);
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A handle of another context ends it as well. The graph belongs to its own context. */
static void a_graph_stays_with_its_context_when_another_one_ends_a_capture(void) {
    gc_buffer *buffer;
    gc_context *other;
    gc_stream *by_other = NULL;
    gc_graph *none = NULL;
    struct theirs s;
    if (is_old)
        return;
    theirs_open(&s);
    buffer = open_buffer(rig.context, 16);
    other = open_context();
    REQUIRE_OK(gc_stream_wrap(other, s.native, &by_other));
    theirs_begin(&s, buffer);
    CHECK_MESSAGE(gc_stream_end_capture(by_other, &none), GRAPHCAP_ERROR_INVALID_CONTEXT, "another context");
    CHECK(none == NULL && capture_state(s.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK(node_count(s.graph) == 1);
    CHECK_OK(gc_stream_destroy(by_other));
    CHECK_OK(gc_context_destroy(other));
    theirs_close(&s);
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* How often the driver was called while that was counted, by functions that read nodes and ask about addresses. */
static uint64_t readings(void) {
    static const char *const functions[] = {"cuGraphNodeGetType", "cuGraphKernelNodeGetParams_v2", "cuFuncGetParamInfo",
                                            "cuPointerGetAttributes", "cuGraphGetEdges"};
    const char *function;
    uint64_t calls, sum = 0;
    size_t index, i;
    stand_in.count(0);
    for (index = 0; (function = stand_in.counted(index, &calls)) != NULL; index++)
        for (i = 0; i < LENGTH_OF(functions); i++)
            if (strncmp(function, functions[i], strlen(functions[i])) == 0)
                sum += calls;
    return sum;
}

/* No node is read where gc_ calls recorded all, also where others could have recorded, and the device is asked about no address. */
static void captures_of_gc_calls_alone_are_not_read(void) {
    int way;
    for (way = 0; way < 3; way++) {
        gc_stream *own = open_stream(rig.context, 0), *fork = open_stream(rig.context, 0);
        gc_event *event = open_event(rig.context), *join = open_event(rig.context);
        gc_buffer *buffer = open_buffer(rig.context, 64);
        gc_graph *graph = NULL;
        gc_unresolved_pointer pointer;
        size_t count = 99;
        int others = way == 2, is_forked = way > 0;
        if (others)
            CHECK(native_stream(fork) != NULL);
        stand_in.count(1);
        CHECK_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch_add(&rig, own, buffer, 0, 1, 1));
        if (is_forked) {
            CHECK_OK(gc_event_record(event, own, 0));
            CHECK_OK(gc_stream_wait_event(fork, event, 0));
            CHECK_OK(launch_add(&rig, fork, buffer, 16, 1, 1));
            CHECK_OK(gc_event_record(join, fork, 0));
            CHECK_OK(gc_stream_wait_event(own, join, 0));
        }
        CHECK_OK(gc_stream_end_capture(own, &graph));
        CHECK(readings() == 0);
        if (is_old) {
            CHECK_MESSAGE(gc_graph_unresolved_pointers(graph, &pointer, 1, &count), GRAPHCAP_ERROR_NOT_SUPPORTED, "12.4");
            CHECK(count == 0);
        } else {
            CHECK_OK(gc_graph_unresolved_pointers(graph, &pointer, 1, &count));
            CHECK(count == 0);
        }
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_event_destroy(event));
        CHECK_OK(gc_event_destroy(join));
        CHECK_OK(gc_stream_destroy(fork));
        CHECK_OK(gc_stream_destroy(own));
    }
}

/* A memset of others that goes on behind the end of a buffer is found by its node. */
static void work_of_others_behind_the_end_of_a_buffer_is_found(void) {
    gc_stream *stream = open_stream(rig.context, 0);
    gc_buffer *buffer = open_buffer(rig.context, 4096);
    gc_graph *graph = NULL;
    gc_finding found[2];
    size_t count = 0;
    uint64_t address = 0;
    void *native = native_stream(stream);
    int (*fill_bytes)(uint64_t address, unsigned char value, size_t count, void *stream) = NULL;
    look_up("cuMemsetD8Async", &fill_bytes);
    CHECK_OK(gc_buffer_address(buffer, &address));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(fill_bytes(address + 4000, 1, 100, native) == 0);
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_check(graph, GRAPHCAP_SEVERITY_ERROR, found, 2, &count));
    CHECK(count == 1 && found[0].kind == GRAPHCAP_FINDING_OVERRUN && found[0].place == GRAPHCAP_ADDRESS_MEMSET);
    CHECK(found[0].address == address + 4000 && found[0].bytes == 100 && found[0].beyond == 4);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
}

static void try_driver(const char *version) {
    open_driver(version);
    if (!is_old)
        look_up("cuStreamBeginCaptureToGraph", &begin_into);
    rig_open(&rig);
    RUN(captures_into_graphs_that_others_take_part_in);
    RUN(graphs_that_others_get_by_an_end_keep_what_they_had);
    RUN(a_discarded_capture_leaves_nothing_on_its_graph);
    RUN(execs_keep_what_others_had_captured_into_a_graph_of_theirs);
    RUN(a_fork_of_a_capture_that_others_began_into_a_graph_breaks_it);
    RUN(a_capture_that_others_began_into_a_graph_can_be_ended);
    RUN(a_graph_stays_with_its_context_when_another_one_ends_a_capture);
    RUN(what_others_break_is_told);
    RUN(captures_of_gc_calls_alone_are_not_read);
    RUN(work_of_others_behind_the_end_of_a_buffer_is_found);
    rig_close(&rig);
    check_test = "the end";
    expect_nothing_left(version);
}

static void the_oldest_driver_bears_with_others(void) {
    in_child(try_driver, "12.0");
}

static void a_newer_driver_does_too(void) {
    in_child(try_driver, "13.0");
}

int main(void) {
    RUN(the_oldest_driver_bears_with_others);
    RUN(a_newer_driver_does_too);
    return check_finish();
}
