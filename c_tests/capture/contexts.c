/* Captures and graphs over several contexts, of one device and of two: streams that join the capture of another context,
 * events and launches across contexts, what fails as it does within one context, and contexts that go meanwhile. */
#include "neighbours.h"

static uint64_t capture_number(const gc_stream *stream) {
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    CHECK_OK(gc_stream_capture_info(stream, &info));
    return info.id;
}

static void streams_wait_for_events_of_other_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        unsigned i, calls = 0;
        pair_open(&pair, place);
        /* Never recorded: nothing to wait for. */
        CHECK_OK(gc_stream_wait_event(pair.other.stream, pair.mark, 0));
        for (i = 1; i <= 10; i++) {
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
            CHECK_OK(gc_event_record(pair.mark, pair.home.stream, 0));
            CHECK_OK(gc_stream_wait_event(pair.other.stream, pair.mark, 0));
            CHECK_OK(gc_stream_launch_host_func(pair.other.stream, count_call, &calls, NULL));
            CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
            CHECK_OK(gc_stream_wait_event(pair.home.stream, pair.answer, 0));
        }
        CHECK(read_u32(pair.home.stream, pair.here, 0) == 10);
        CHECK(count_of(&calls) == 10);
        pair_close(&pair);
    }
}

/* The event has to be of the stream's device, and the two events of one. */
static void events_are_recorded_and_timed_on_their_device(void) {
    int place;
    for (place = 0; place < places(); place++) {
        gc_status expected = place == SAME_DEVICE ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_HANDLE;
        struct pair pair;
        float milliseconds = -1;
        pair_open(&pair, place);
        CHECK_OK(gc_event_record(pair.mark, pair.home.stream, 0));
        CHECK_STATUS(gc_event_record(pair.mark, pair.other.stream, 0), expected);
        CHECK_OK(gc_event_synchronize(pair.mark));
        if (place == SAME_DEVICE)
            CHECK_OK(gc_event_record(pair.answer, pair.home.stream, 0));
        else
            CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
        CHECK_OK(gc_event_synchronize(pair.answer));
        CHECK_STATUS(gc_event_elapsed_time(pair.mark, pair.answer, &milliseconds), expected);
        CHECK(place == SAME_DEVICE ? milliseconds >= 0 : milliseconds == 0);
        /* An event of home marks a place in the capture of a stream of the other context, and home joins by it. */
        if (place == SAME_DEVICE) {
            gc_graph_exec *exec;
            REQUIRE_OK(gc_stream_begin_capture(pair.other.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 2, 1));
            CHECK_OK(gc_event_record(pair.mark, pair.other.stream, 0));
            CHECK_OK(gc_stream_wait_event(pair.home.stream, pair.mark, 0));
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 3, 1));
            CHECK_OK(gc_event_record(pair.answer, pair.home.stream, 0));
            CHECK_OK(gc_stream_wait_event(pair.other.stream, pair.answer, 0));
            exec = finish_capture(pair.other.stream);
            CHECK_OK(gc_graph_launch(exec, pair.home.stream));
            CHECK(read_u32(pair.home.stream, pair.here, 0) == 3);
            CHECK(read_u32(pair.other.stream, pair.there, 0) == 2);
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
        pair_close(&pair);
    }
}

static void a_capture_spans_contexts(void) {
    gc_capture_mode mode;
    int place;
    for (place = 0; place < places(); place++)
        for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++) {
            struct pair pair;
            gc_graph_exec *exec;
            unsigned calls = 0;
            uint64_t replays = 0;
            pair_open(&pair, place);
            pair_join(&pair, mode);
            CHECK(capture_number(pair.home.stream) == capture_number(pair.other.stream));
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 2, 1));
            CHECK_OK(gc_stream_memset(pair.other.stream, pair.there, 4, 7, 4, 1));
            CHECK_OK(gc_stream_launch_host_func(pair.other.stream, count_call, &calls, NULL));
            pair_meet(&pair);
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 4, 3, 1));
            exec = pair_finish(&pair);
            CHECK(capture_state(pair.other.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
            CHECK(read_u32(pair.home.stream, pair.here, 0) == 0 && read_u32(pair.other.stream, pair.there, 0) == 0);
            /* On streams of both contexts, in the order of these calls. */
            CHECK_OK(gc_graph_upload(exec, pair.other.stream));
            CHECK_OK(gc_graph_launch(exec, pair.home.stream));
            CHECK_OK(gc_graph_launch(exec, pair.other.stream));
            CHECK_OK(gc_graph_launch(exec, pair.home.stream));
            CHECK_OK(gc_stream_synchronize(pair.other.stream));
            CHECK_OK(gc_stream_synchronize(pair.home.stream));
            CHECK(read_u32(pair.home.stream, pair.here, 0) == 3 && read_u32(pair.home.stream, pair.here, 1) == 9);
            CHECK(read_u32(pair.other.stream, pair.there, 0) == 6 && read_u32(pair.other.stream, pair.there, 1) == 7);
            CHECK(count_of(&calls) == 3);
            CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
            CHECK(replays == 3);
            /* The other stream executes again. */
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
            CHECK(read_u32(pair.other.stream, pair.there, 0) == 7);
            CHECK_OK(gc_graph_exec_destroy(exec));
            pair_close(&pair);
        }
}

/* A third context joins through the second one. */
static void captures_are_joined_through_other_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        struct rig third;
        gc_event *last;
        gc_buffer *buffer;
        gc_graph_exec *exec;
        pair_open(&pair, place);
        rig_open_on(&third, tested_device(), 0);
        last = open_event(third.context);
        buffer = open_buffer(third.context, 4);
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
        CHECK_OK(gc_stream_wait_event(third.stream, pair.answer, 0));
        CHECK_OK(launch_add(&third, third.stream, buffer, 0, 1, 1));
        CHECK_OK(gc_event_record(last, third.stream, 0));
        CHECK_OK(gc_stream_wait_event(pair.home.stream, last, 0));
        exec = pair_finish(&pair);
        CHECK_OK(gc_graph_launch(exec, third.stream));
        CHECK(read_u32(third.stream, buffer, 0) == 1);
        CHECK(read_u32(pair.other.stream, pair.there, 0) == 1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_event_destroy(last));
        rig_close(&third);
        pair_close(&pair);
    }
}

/* The graph keeps the other context and all of it that its nodes use. */
static void graphs_keep_the_contexts_of_their_nodes(void) {
    int place, before;
    for (place = 0; place < places(); place++)
        for (before = 0; before < 2; before++) {
            struct pair pair;
            gc_graph *graph = NULL;
            gc_graph_exec *exec = NULL;
            unsigned calls = 0, ended = 0;
            pair_open(&pair, place);
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_GLOBAL);
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
            CHECK_OK(gc_stream_launch_host_func(pair.other.stream, count_call, &calls, NULL));
            pair_meet(&pair);
            CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
            /* While the capture goes on, or when it has ended. */
            if (before)
                pair_leave_other(&pair);
            REQUIRE_OK(gc_stream_end_capture(pair.home.stream, &graph));
            if (!before)
                pair_leave_other(&pair);
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
            CHECK_OK(gc_graph_destroy(graph));
            CHECK_OK(gc_graph_launch(exec, pair.home.stream));
            CHECK_OK(gc_graph_launch(exec, pair.home.stream));
            CHECK(read_u32(pair.home.stream, pair.here, 0) == 2);
            CHECK(count_of(&calls) == 2);
            CHECK_OK(gc_stream_launch_host_func(pair.home.stream, count_call, &ended, NULL));
            CHECK_OK(gc_graph_exec_destroy(exec));
            CHECK_OK(gc_stream_synchronize(pair.home.stream));
            CHECK(count_of(&ended) == 1);
            pair_close(&pair);
        }
}

/* The same answers as within one context. */
static void what_breaks_a_capture_breaks_it_across_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph = NULL;
        gc_graph_exec *exec;
        gc_event *elsewhere;
        pair_open(&pair, place);
        elsewhere = open_event(pair.other.context);
        REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        exec = finish_capture(pair.home.stream);

        /* The end is for the stream that began it. */
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_STATUS(gc_stream_end_capture(pair.other.stream, &graph), GRAPHCAP_ERROR_CAPTURE_UNMATCHED);
        CHECK(capture_state(pair.home.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
        CHECK_STATUS(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);

        /* Work that is not joined. */
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_UNJOINED);
        CHECK(capture_state(pair.other.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);

        /* An event that was recorded outside. */
        CHECK_OK(gc_event_record(elsewhere, pair.other.stream, 0));
        REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_STATUS(gc_stream_wait_event(pair.home.stream, elsewhere, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION);
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);

        /* An event of another capture. */
        REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        REQUIRE_OK(gc_stream_begin_capture(pair.other.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_event_record(elsewhere, pair.other.stream, 0));
        CHECK_STATUS(gc_stream_wait_event(pair.home.stream, elsewhere, 0), GRAPHCAP_ERROR_CAPTURE_MERGE);
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_STATUS(gc_stream_end_capture(pair.other.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_STATUS(gc_stream_wait_event(pair.home.stream, elsewhere, 0), GRAPHCAP_ERROR_INVALID_VALUE);

        /* A launch on a stream that joined. */
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_STATUS(gc_graph_launch(exec, pair.other.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);

        /* A question about a stream that joined, and about the event that it joined by. */
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_STATUS(gc_stream_synchronize(pair.other.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
        CHECK_STATUS(gc_event_synchronize(pair.answer), GRAPHCAP_ERROR_CAPTURED_EVENT);
        CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);

        /* Afterwards both work. */
        CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        CHECK(read_u32(pair.home.stream, pair.here, 0) == 1 && read_u32(pair.other.stream, pair.there, 0) == 1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_event_destroy(elsewhere));
        pair_close(&pair);
    }
}

static void a_capture_goes_with_its_origin_in_all_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph = NULL;
        pair_open(&pair, place);
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_GLOBAL);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        CHECK_OK(gc_stream_destroy(pair.home.stream));
        CHECK(capture_state(pair.other.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
        CHECK_STATUS(gc_stream_end_capture(pair.other.stream, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 5, 1));
        CHECK(read_u32(pair.other.stream, pair.there, 0) == 5);
        pair.home.stream = open_stream(pair.home.context, 0);
        pair_close(&pair);
    }
}

/* A stream that joined goes, joined again or not. */
static void streams_of_other_contexts_leave_captures(void) {
    int place, is_joined;
    for (place = 0; place < places(); place++)
        for (is_joined = 0; is_joined < 2; is_joined++) {
            struct pair pair;
            gc_graph *graph = NULL;
            pair_open(&pair, place);
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_GLOBAL);
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
            if (is_joined)
                pair_meet(&pair);
            pair_leave_other(&pair);
            CHECK_STATUS(gc_stream_end_capture(pair.home.stream, &graph),
                         is_joined ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_CAPTURE_UNJOINED);
            CHECK((graph != NULL) == is_joined);
            CHECK_OK(gc_graph_destroy(graph));
            pair_close(&pair);
        }
}

/* Nodes that record events and wait for them. */
static void event_nodes_are_of_any_context(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph_exec *exec;
        pair_open(&pair, place);
        CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
        REQUIRE_OK(gc_stream_begin_capture(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_wait_event(pair.home.stream, pair.answer, GRAPHCAP_EVENT_WAIT_EXTERNAL));
        CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
        if (place == SAME_DEVICE)
            CHECK_OK(gc_event_record(pair.answer, pair.home.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
        exec = pair_finish(&pair);
        CHECK_OK(gc_graph_launch(exec, pair.other.stream));
        CHECK_OK(gc_stream_wait_event(pair.other.stream, pair.answer, 0));
        CHECK_OK(gc_stream_synchronize(pair.other.stream));
        CHECK(read_u32(pair.home.stream, pair.here, 0) == 1);
        CHECK_OK(gc_graph_exec_destroy(exec));
        pair_close(&pair);
    }
}

/* Captures in several contexts at once, each with a stream of the other. */
static void two_captures_cross(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_stream *second_here, *second_there;
        gc_graph_exec *first, *second;
        gc_event *mark;
        unsigned i;
        pair_open(&pair, place);
        second_here = open_stream(pair.home.context, GRAPHCAP_STREAM_NON_BLOCKING);
        second_there = open_stream(pair.other.context, GRAPHCAP_STREAM_NON_BLOCKING);
        mark = open_event(pair.other.context);
        for (i = 1; i <= 3; i++) {
            pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
            REQUIRE_OK(gc_stream_begin_capture(second_there, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(gc_event_record(mark, second_there, 0));
            CHECK_OK(gc_stream_wait_event(second_here, mark, 0));
            CHECK(capture_number(second_here) == capture_number(second_there));
            CHECK(capture_number(second_here) != capture_number(pair.home.stream));
            CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
            CHECK_OK(launch_add(&pair.home, second_here, pair.here, 0, 10, 1));
            pair_meet(&pair);
            CHECK_OK(gc_event_destroy(pair.mark));
            pair.mark = open_event(pair.home.context);
            CHECK_OK(gc_event_record(pair.mark, second_here, 0));
            CHECK_OK(gc_stream_wait_event(second_there, pair.mark, 0));
            first = pair_finish(&pair);
            second = finish_capture(second_there);
            CHECK_OK(gc_graph_launch(first, second_here));
            CHECK_OK(gc_graph_launch(second, pair.other.stream));
            CHECK_OK(gc_stream_synchronize(second_here));
            CHECK_OK(gc_stream_synchronize(pair.other.stream));
            CHECK(read_u32(pair.other.stream, pair.there, 0) == i);
            CHECK(read_u32(pair.home.stream, pair.here, 0) == 10 * i);
            CHECK_OK(gc_graph_exec_destroy(first));
            CHECK_OK(gc_graph_exec_destroy(second));
        }
        CHECK_OK(gc_event_destroy(mark));
        CHECK_OK(gc_stream_destroy(second_there));
        CHECK_OK(gc_stream_destroy(second_here));
        pair_close(&pair);
    }
}

/* The nodes of a capture have the same names whichever of its streams is asked. */
static void nodes_keep_their_names_in_all_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph = NULL;
        gc_node asked[2] = {0, 0}, known[3];
        size_t count = 0, i;
        pair_open(&pair, place);
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        CHECK_OK(gc_stream_capture_frontier(pair.other.stream, &asked[0], 1, &count));
        CHECK(count == 1);
        pair_meet(&pair);
        CHECK_OK(gc_stream_capture_frontier(pair.home.stream, &asked[1], 1, &count));
        CHECK(count == 1 && asked[0] == asked[1]);
        CHECK_OK(launch_add(&pair.home, pair.home.stream, pair.here, 0, 1, 1));
        REQUIRE_OK(gc_stream_end_capture(pair.home.stream, &graph));
        CHECK_OK(gc_graph_get_nodes(graph, known, LENGTH_OF(known), &count));
        CHECK(count == 2);
        for (i = 0; i < count && known[i] != asked[0]; i++) {
        }
        CHECK(i < count);
        CHECK_OK(gc_graph_destroy(graph));
        pair_close(&pair);
    }
}

/* Whichever of its streams is asked, it is a graph of the context that the capture was begun in. */
static void a_capture_has_one_graph_for_all_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph = NULL, *same = NULL, *ended = NULL, *child = NULL, *stranger = NULL;
        gc_context *context = NULL;
        gc_graph_exec *exec = NULL;
        gc_node node = 0, put = 0;
        size_t count = 0;
        pair_open(&pair, place);
        REQUIRE_OK(gc_graph_create(pair.home.context, &child));
        REQUIRE_OK(gc_graph_create(pair.other.context, &stranger));
        REQUIRE_OK(gc_graph_add_empty_node(child, NULL, 0, &node));
        pair_join(&pair, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        CHECK_STATUS(gc_stream_capture_child_node(pair.other.stream, stranger, &put), GRAPHCAP_ERROR_INVALID_CONTEXT);
        CHECK(put == 0);
        REQUIRE_OK(gc_stream_capture_graph(pair.other.stream, &graph));
        REQUIRE_OK(gc_stream_capture_graph(pair.home.stream, &same));
        CHECK_OK(gc_graph_get_context(graph, &context));
        CHECK_OK(gc_context_destroy(context));
        CHECK_OK(gc_graph_node_count(same, &count));
        CHECK(count == 1);
        REQUIRE_OK(gc_stream_capture_child_node(pair.other.stream, child, &put));
        CHECK_OK(gc_graph_node_count(graph, &count));
        CHECK(put != 0 && count == 2);
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        pair_meet(&pair);
        REQUIRE_OK(gc_stream_end_capture(pair.home.stream, &ended));
        CHECK_OK(gc_graph_node_count(ended, &count));
        CHECK(count == 3);
        CHECK_OK(gc_graph_destroy(same));
        CHECK_OK(gc_graph_destroy(graph));
        REQUIRE_OK(gc_graph_instantiate(ended, NULL, &exec));
        CHECK_OK(gc_graph_destroy(ended));
        CHECK_OK(gc_graph_launch(exec, pair.other.stream));
        CHECK(read_u32(pair.other.stream, pair.there, 0) == 2);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(stranger));
        CHECK_OK(gc_graph_destroy(child));
        pair_close(&pair);
    }
}

static void *ask_for_graph(void *stream) {
    gc_graph *graph = NULL;
    CHECK_MESSAGE(gc_stream_capture_graph((const gc_stream *)stream, &graph), GRAPHCAP_ERROR_NOT_PERMITTED, "another thread");
    CHECK(graph == NULL);
    return NULL;
}

/* A per-thread stream is another one for each thread. */
static void the_graph_of_a_per_thread_capture_is_for_its_thread(void) {
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_stream *own = NULL;
        gc_graph *graph = NULL, *ended = NULL;
        size_t count = 0;
        pair_open(&pair, place);
        REQUIRE_OK(gc_context_per_thread_stream(pair.home.context, &own));
        REQUIRE_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_event_record(pair.mark, own, 0));
        CHECK_OK(gc_stream_wait_event(pair.other.stream, pair.mark, 0));
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 1, 1));
        on_another_thread(ask_for_graph, pair.other.stream);
        CHECK(capture_state(own) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        REQUIRE_OK(gc_stream_capture_graph(pair.other.stream, &graph));
        CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
        CHECK_OK(gc_stream_wait_event(own, pair.answer, 0));
        REQUIRE_OK(gc_stream_end_capture(own, &ended));
        CHECK_OK(gc_graph_node_count(graph, &count));
        CHECK(count == 1);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_graph_destroy(ended));
        CHECK_OK(gc_stream_destroy(own));
        pair_close(&pair);
    }
}

/* The event has to be of the stream's device to be recorded, and of a device of its kind to be waited for. */
static void captures_take_events_of_other_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        gc_status expected = place == SAME_DEVICE ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_HANDLE;
        struct pair pair;
        gc_capture *capture = NULL;
        gc_graph *graph = NULL;
        pair_open(&pair, place);
        CHECK_OK(gc_event_record(pair.answer, pair.other.stream, 0));
        REQUIRE_OK(gc_capture_begin(pair.home.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
        CHECK_OK(gc_capture_record_wait_event(capture, pair.answer, GRAPHCAP_EVENT_WAIT_EXTERNAL));
        CHECK_STATUS(gc_capture_record_event(capture, pair.answer, 0), expected);
        CHECK_OK(gc_capture_end(capture, &graph));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_capture_destroy(capture));
        pair_close(&pair);
    }
}

/* A host device and a GPU have nothing in common. */
static void devices_of_two_kinds_do_not_mix(void) {
    gc_device_kind other_kind = on_cuda() ? GRAPHCAP_DEVICE_HOST : GRAPHCAP_DEVICE_CUDA;
    uint32_t count = 0;
    struct rig home, other;
    gc_event *here, *there;
    gc_graph_exec *exec;
    float milliseconds;
    if (gc_device_count(other_kind, &count) != GRAPHCAP_SUCCESS || count == 0) {
        check_skips++;
        fprintf(stderr, "skipped: devices of two kinds, as there is one kind\n");
        return;
    }
    rig_open_on(&home, tested_device(), 0);
    rig_open_on(&other, other_kind, 0);
    here = open_event(home.context);
    there = open_event(other.context);
    REQUIRE_OK(gc_stream_begin_capture(other.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    exec = finish_capture(other.stream);
    CHECK_MESSAGE(gc_stream_wait_event(home.stream, there, 0), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    CHECK_MESSAGE(gc_event_record(there, home.stream, 0), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    CHECK_MESSAGE(gc_event_elapsed_time(here, there, &milliseconds), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    CHECK_MESSAGE(gc_graph_launch(exec, home.stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    CHECK_MESSAGE(gc_graph_upload(exec, home.stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(there));
    CHECK_OK(gc_event_destroy(here));
    rig_close(&other);
    rig_close(&home);
}

int main(void) {
    count_devices();
    RUN(streams_wait_for_events_of_other_contexts);
    RUN(events_are_recorded_and_timed_on_their_device);
    RUN(a_capture_spans_contexts);
    RUN(captures_are_joined_through_other_contexts);
    RUN(graphs_keep_the_contexts_of_their_nodes);
    RUN(what_breaks_a_capture_breaks_it_across_contexts);
    RUN(a_capture_goes_with_its_origin_in_all_contexts);
    RUN(streams_of_other_contexts_leave_captures);
    RUN(event_nodes_are_of_any_context);
    RUN(two_captures_cross);
    RUN(nodes_keep_their_names_in_all_contexts);
    RUN(a_capture_has_one_graph_for_all_contexts);
    RUN(the_graph_of_a_per_thread_capture_is_for_its_thread);
    RUN(captures_take_events_of_other_contexts);
    RUN(devices_of_two_kinds_do_not_mix);
    return check_finish();
}
