/* Captures: what is recorded, begin and end, forks and joins, events, and that streams recover from every failure. */
#include "kernels.h"

#include <sched.h>

static struct rig rig;
static gc_stream *fork_stream, *third;
static gc_event *event, *joined;
static gc_buffer *buffer;

static void expect_shape(const gc_graph *graph, size_t nodes, size_t edges) {
    size_t got_nodes = 99, got_edges = 99;
    CHECK_OK(gc_graph_node_count(graph, &got_nodes));
    CHECK_OK(gc_graph_edge_count(graph, &got_edges));
    if (check_failed(got_nodes == nodes && got_edges == edges))
        fprintf(stderr, "%s: %zu nodes and %zu edges, expected %zu and %zu\n", check_test, got_nodes, got_edges, nodes, edges);
}

static void end_with_shape(const gc_stream *stream, size_t nodes, size_t edges) {
    gc_graph *graph = NULL;
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    if (graph != NULL)
        expect_shape(graph, nodes, edges);
    CHECK_OK(gc_graph_destroy(graph));
}

static void end_fails(const gc_stream *stream, gc_status status, const char *word) {
    gc_graph *graph = (gc_graph *)&rig;
    check_message(__FILE__, __LINE__, "gc_stream_end_capture", gc_stream_end_capture(stream, &graph), status, word);
    CHECK(graph == NULL);
}

static gc_status add_on(const gc_stream *stream) {
    return launch_add(&rig, stream, buffer, 0, 1, 1);
}

/* The stream runs its work at once and can be captured. */
static void expect_usable(const gc_stream *stream) {
    int32_t capturing = -1;
    CHECK_OK(gc_stream_is_capturing(stream, &capturing));
    CHECK(capturing == 0 && capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_stream_memset(stream, buffer, 60, 0xabcd, 4, 1));
    CHECK(read_u32(stream, buffer, 15) == 0xabcd);
    CHECK_OK(gc_stream_memset(stream, buffer, 60, 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    end_with_shape(stream, 0, 0);
}

static void all_usable(void) {
    expect_usable(rig.stream);
    expect_usable(fork_stream);
    expect_usable(third);
}

static void fork_to(const gc_stream *stream) {
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(stream, event, 0));
}

static void join_from(const gc_stream *stream) {
    CHECK_OK(gc_event_record(joined, stream, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
}

static void begin(gc_capture_mode mode) {
    CHECK_OK(gc_stream_begin_capture(rig.stream, mode));
}

static void nothing_runs_while_capturing(void) {
    unsigned calls = 0;
    uint32_t word = 5, got = 99;
    int32_t capturing = -1;
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_stream_is_capturing(rig.stream, &capturing));
    CHECK(capturing == 1 && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, &word, 4));
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &calls, NULL));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 1, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, buffer, 8, buffer, 0, 4));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &got, buffer, 0, 4));
    end_with_shape(rig.stream, 6, 5);
    CHECK(read_u32(rig.stream, buffer, 0) == 0 && read_u32(rig.stream, buffer, 1) == 0);
    CHECK(calls == 0 && got == 99);
}

static void a_chain_has_an_edge_less_than_nodes(void) {
    unsigned lengths[] = {0, 1, 2, 10, 1000}, i, k;
    for (i = 0; i < LENGTH_OF(lengths); i++) {
        begin(GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
        for (k = 0; k < lengths[i]; k++)
            CHECK_OK(add_on(rig.stream));
        end_with_shape(rig.stream, lengths[i], lengths[i] > 0 ? lengths[i] - 1 : 0);
    }
}

static void work_of_nothing_is_not_recorded(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 0));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, buffer, 0, buffer, 0, 0));
    end_with_shape(rig.stream, 0, 0);
}

/* a -> (b on the origin, c on a fork) -> d */
static void two_streams_make_a_diamond(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    CHECK(capture_state(fork_stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(add_on(fork_stream));
    join_from(fork_stream);
    CHECK_OK(add_on(rig.stream));
    end_with_shape(rig.stream, 4, 4);
    all_usable();
}

static void three_streams_fork_from_each_other(void) {
    begin(GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    /* The third joins from the second, not from the origin. */
    CHECK_OK(gc_event_record(joined, fork_stream, 0));
    CHECK_OK(gc_stream_wait_event(third, joined, 0));
    CHECK(capture_state(third) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(add_on(third));
    CHECK_OK(add_on(fork_stream));
    CHECK_OK(add_on(rig.stream));
    join_from(third);
    join_from(fork_stream);
    CHECK_OK(add_on(rig.stream));
    /* 1 to 2, 2 to 3 and 4, 1 to 5, and 3, 4, 5 to 6. */
    end_with_shape(rig.stream, 6, 7);
    all_usable();
}

static void roots_can_fork(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    fork_to(fork_stream);
    CHECK(capture_state(fork_stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(add_on(fork_stream));
    CHECK_OK(add_on(rig.stream));
    join_from(fork_stream);
    CHECK_OK(add_on(rig.stream));
    end_with_shape(rig.stream, 3, 2);
}

/* A join that nothing follows leaves two leaves. */
static void the_last_join_needs_no_node(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    CHECK_OK(add_on(rig.stream));
    join_from(fork_stream);
    end_with_shape(rig.stream, 3, 2);
}

static void waiting_twice_adds_no_second_edge(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    join_from(fork_stream);
    join_from(fork_stream);
    CHECK_OK(gc_event_record(joined, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
    CHECK_OK(add_on(rig.stream));
    end_with_shape(rig.stream, 3, 3);
}

/* While only non-blocking streams are captured, legacy work runs at once and is not recorded. */
static void legacy_work_runs_beside_a_non_blocking_capture(void) {
    gc_stream *legacy = NULL;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_stream_begin_capture(fork_stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(add_on(legacy));
    CHECK_OK(add_on(fork_stream));
    CHECK_OK(gc_stream_synchronize(legacy));
    CHECK(read_u32(legacy, buffer, 0) == 1);
    end_with_shape(fork_stream, 1, 0);
    CHECK(read_u32(legacy, buffer, 0) == 1);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_stream_destroy(legacy));
}

static void a_fork_that_recorded_nothing_needs_no_join(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    end_with_shape(rig.stream, 1, 0);
    all_usable();
}

static void the_legacy_stream_cannot_be_captured(void) {
    gc_stream *legacy = NULL, *own = NULL;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    CHECK_MESSAGE(gc_stream_begin_capture(legacy, GRAPHCAP_CAPTURE_MODE_GLOBAL), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "legacy");
    CHECK(capture_state(legacy) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(add_on(own));
    end_with_shape(own, 1, 0);
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_stream_destroy(legacy));
}

static void begin_and_end_keep_their_order(void) {
    gc_graph *graph = NULL;
    const gc_capture_mode bad[] = {3, -1, INT32_MAX, INT32_MIN};
    size_t i;
    for (i = 0; i < LENGTH_OF(bad); i++) {
        CHECK_MESSAGE(gc_stream_begin_capture(rig.stream, bad[i]), GRAPHCAP_ERROR_INVALID_VALUE, "mode");
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    }
    end_fails(rig.stream, GRAPHCAP_ERROR_ILLEGAL_STATE, "begin");
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_MESSAGE(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED), GRAPHCAP_ERROR_ILLEGAL_STATE, "captur");
    CHECK_OK(add_on(rig.stream));
    /* A missing output does not end the capture. */
    CHECK_MESSAGE(gc_stream_end_capture(rig.stream, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "graph_out");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    end_fails(rig.stream, GRAPHCAP_ERROR_ILLEGAL_STATE, "begin");
    all_usable();
}

static void *ends_too_late(void *argument) {
    (void)argument;
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD, "thread");
    return NULL;
}

static void *ends_rightly(void *argument) {
    (void)argument;
    end_with_shape(rig.stream, 2, 1);
    return NULL;
}

static void *records_one(void *argument) {
    (void)argument;
    CHECK_OK(add_on(rig.stream));
    return NULL;
}

static void threads_may_record_and_only_relaxed_ones_end(void) {
    int mode;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL; mode++) {
        begin((gc_capture_mode)mode);
        CHECK_OK(add_on(rig.stream));
        on_another_thread(records_one, NULL);
        on_another_thread(ends_too_late, NULL);
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
        end_fails(rig.stream, GRAPHCAP_ERROR_ILLEGAL_STATE, "begin");
        all_usable();
    }
    begin(GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(add_on(rig.stream));
    on_another_thread(records_one, NULL);
    on_another_thread(ends_rightly, NULL);
    all_usable();
}

static void a_fork_cannot_end_the_capture(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    end_fails(fork_stream, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "stream");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK(capture_state(fork_stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    all_usable();
}

static void unjoined_work_spoils_the_end(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_UNJOINED, "forked");
    all_usable();
    /* Joined, but then more was recorded. */
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    join_from(fork_stream);
    CHECK_OK(add_on(fork_stream));
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_UNJOINED, "forked");
    all_usable();
}

/* The messages say which rule was broken and what to do instead. */
static void broken_rules_are_explained(void) {
    gc_stream *legacy = NULL;
    gc_event *before = open_event(rig.context);
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_event_record(before, third, 0));
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_MESSAGE(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "captur");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "end");
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_MESSAGE(gc_stream_memset(legacy, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "legacy");
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_MESSAGE(gc_stream_wait_event(rig.stream, before, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "before");
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    CHECK_OK(gc_event_destroy(before));
    CHECK_OK(gc_stream_destroy(legacy));
}

static void an_invalidated_capture_refuses_until_it_ends(void) {
    int32_t answer = -1;
    begin(GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(add_on(rig.stream));
    fork_to(fork_stream);
    CHECK_OK(add_on(fork_stream));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK(capture_state(fork_stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_OK(gc_stream_is_capturing(rig.stream, &answer));
    CHECK_STATUS(add_on(rig.stream), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(add_on(fork_stream), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_STATUS(gc_stream_wait_event(third, event, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_event_is_complete(event, &answer), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(capture_state(third) == GRAPHCAP_CAPTURE_STATUS_NONE);
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    all_usable();
}

static void captures_do_not_merge(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_stream_begin_capture(third, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(add_on(third));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_MESSAGE(gc_stream_wait_event(third, event, 0), GRAPHCAP_ERROR_CAPTURE_MERGE, "captur");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK(capture_state(third) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    end_fails(third, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    all_usable();
}

static void two_captures_run_side_by_side(void) {
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_stream_begin_capture(third, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(add_on(third));
    CHECK_OK(add_on(third));
    end_with_shape(rig.stream, 1, 0);
    end_with_shape(third, 2, 1);
}

/* After its capture has ended an event tells nothing, until it is recorded again. */
static void captured_events_are_spent_after_the_end(void) {
    gc_graph *graph = NULL;
    int32_t complete = -1;
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_STATUS(gc_event_is_complete(event, &complete), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_event_synchronize(event), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_wait_event(third, event, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_MESSAGE(gc_event_synchronize(event), GRAPHCAP_ERROR_INVALID_VALUE, "event");
    begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_STATUS(gc_stream_wait_event(rig.stream, event, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    end_fails(rig.stream, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_event_synchronize(event));
    all_usable();
}

/* Destroying the origin ends its capture; what had joined it runs work again. */
static void destroying_the_origin_frees_its_forks(void) {
    gc_stream *origin = open_stream(rig.context, 0);
    CHECK_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(add_on(origin));
    CHECK_OK(gc_event_record(event, origin, 0));
    CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
    CHECK_OK(add_on(fork_stream));
    CHECK_OK(gc_stream_destroy(origin));
    CHECK(capture_state(fork_stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    end_fails(fork_stream, GRAPHCAP_ERROR_ILLEGAL_STATE, "begin");
    all_usable();
}

typedef struct {
    gc_stream *stream;
    int begun, leave;
} own_capture;

/* Begins a capture on its own default stream, and stays until it is told to leave. */
static void *begin_on_own(void *user_data) {
    own_capture *own = (own_capture *)user_data;
    CHECK_OK(gc_stream_begin_capture(own->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    __atomic_store_n(&own->begun, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&own->leave, __ATOMIC_SEQ_CST)) sched_yield();
    return NULL;
}

/* With the last handle nobody could end them any more, and everybody would stay barred. */
static void the_last_per_thread_handle_discards_captures_of_all_threads(void) {
    own_capture own = {NULL, 0, 0};
    pthread_t thread;
    NOT_ON_CUDA("the driver lets only the thread itself end a capture of its default stream");
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own.stream));
    CHECK(pthread_create(&thread, NULL, begin_on_own, &own) == 0);
    while (!__atomic_load_n(&own.begun, __ATOMIC_SEQ_CST)) sched_yield();
    CHECK_STATUS(gc_stream_synchronize(third), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_OK(gc_stream_destroy(own.stream));
    CHECK_OK(gc_stream_synchronize(third));
    __atomic_store_n(&own.leave, 1, __ATOMIC_SEQ_CST);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void a_thread_that_ends_takes_its_capture_along(void) {
    own_capture own = {NULL, 0, 1};
    pthread_t thread;
    NOT_ON_CUDA("what becomes of such a capture is the driver's affair, and it could bar all that follows");
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own.stream));
    CHECK(pthread_create(&thread, NULL, begin_on_own, &own) == 0 && pthread_join(thread, NULL) == 0);
    CHECK_OK(gc_stream_synchronize(third));
    CHECK_OK(gc_stream_destroy(own.stream));
}

static int32_t faults(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    (void)arguments;
    return 1;
}

/* A capture of a faulted context ends too, else it would bar all other contexts. */
static void a_capture_of_a_faulted_context_ends(void) {
    gc_host_kernel entry = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_context *doomed;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_stream *captured, *faulting;
    gc_graph *graph = NULL;
    int32_t capturing;
    NOT_ON_CUDA(FAULTS_STAY);
    entry.name = "faults";
    entry.function = faults;
    description.host_kernels = &entry;
    description.host_kernel_count = 1;
    doomed = open_context();
    CHECK_OK(gc_module_load(doomed, &description, &module));
    CHECK_OK(gc_module_get_kernel(module, "faults", &kernel));
    captured = open_stream(doomed, GRAPHCAP_STREAM_NON_BLOCKING);
    faulting = open_stream(doomed, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_stream_begin_capture(captured, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_launch_kernel(faulting, kernel, &config, NULL, 0));
    /* Waiting is barred, so the fault is asked for. */
    while (gc_stream_is_capturing(captured, &capturing) == GRAPHCAP_SUCCESS)
        sched_yield();
    CHECK_STATUS(gc_stream_end_capture(captured, &graph), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_OK(gc_stream_synchronize(third));
    CHECK_OK(gc_stream_destroy(faulting));
    CHECK_OK(gc_stream_destroy(captured));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_context_destroy(doomed));
}

int main(void) {
    rig_open(&rig);
    fork_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    third = open_stream(rig.context, 0);
    event = open_event(rig.context);
    joined = open_event(rig.context);
    buffer = open_buffer(rig.context, 64);
    RUN(nothing_runs_while_capturing);
    RUN(a_chain_has_an_edge_less_than_nodes);
    RUN(work_of_nothing_is_not_recorded);
    RUN(two_streams_make_a_diamond);
    RUN(three_streams_fork_from_each_other);
    RUN(roots_can_fork);
    RUN(the_last_join_needs_no_node);
    RUN(waiting_twice_adds_no_second_edge);
    RUN(a_fork_that_recorded_nothing_needs_no_join);
    RUN(legacy_work_runs_beside_a_non_blocking_capture);
    RUN(the_legacy_stream_cannot_be_captured);
    RUN(begin_and_end_keep_their_order);
    RUN(threads_may_record_and_only_relaxed_ones_end);
    RUN(a_fork_cannot_end_the_capture);
    RUN(unjoined_work_spoils_the_end);
    RUN(broken_rules_are_explained);
    RUN(an_invalidated_capture_refuses_until_it_ends);
    RUN(captures_do_not_merge);
    RUN(two_captures_run_side_by_side);
    RUN(captured_events_are_spent_after_the_end);
    RUN(destroying_the_origin_frees_its_forks);
    RUN(the_last_per_thread_handle_discards_captures_of_all_threads);
    RUN(a_thread_that_ends_takes_its_capture_along);
    RUN(a_capture_of_a_faulted_context_ends);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(third));
    CHECK_OK(gc_stream_destroy(fork_stream));
    rig_close(&rig);
    return check_finish();
}
