/* gc_stream_capture: the capture ends whatever the function does, its failure wins, and a graph is made only when all
 * of it succeeded. */
#include "kernels.h"

static struct rig rig;
static gc_stream *fork_stream;
static gc_event *event;
static gc_buffer *buffer;

/* What a function is to do, and what was seen of it. */
struct scope {
    const gc_stream *expected;
    pthread_t thread;
    gc_status (*submit)(const gc_stream *stream, struct scope *scope);
    gc_status answer;
    unsigned calls, destroyed;
    gc_stream *stream;
    gc_graph *graph;
};

static gc_status run_scope(const gc_stream *stream, void *user_data) {
    struct scope *scope = (struct scope *)user_data;
    scope->calls++;
    CHECK(stream == scope->expected && pthread_equal(pthread_self(), scope->thread) && scope->destroyed == 0);
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    return scope->submit(stream, scope);
}

static void destroy_scope(void *user_data) {
    struct scope *scope = (struct scope *)user_data;
    CHECK(pthread_equal(pthread_self(), scope->thread));
    scope->destroyed++;
}

static struct scope scope_of(gc_status (*submit)(const gc_stream *, struct scope *), gc_status answer) {
    struct scope scope;
    memset(&scope, 0, sizeof scope);
    scope.expected = rig.stream;
    scope.thread = pthread_self();
    scope.submit = submit;
    scope.answer = answer;
    return scope;
}

/* Captures on the stream of the scope; the status is the answer, a graph comes with success alone. */
static gc_status capture_on(struct scope *scope, gc_capture_mode mode) {
    gc_status status;
    scope->graph = (gc_graph *)&rig;
    status = gc_stream_capture(scope->expected, mode, NULL, run_scope, scope, destroy_scope, &scope->graph);
    CHECK(scope->destroyed == 1 && (status == GRAPHCAP_SUCCESS) == (scope->graph != NULL));
    return status;
}

static gc_status capture(struct scope *scope) {
    return capture_on(scope, GRAPHCAP_CAPTURE_MODE_GLOBAL);
}

/* The message begins with the name of the function and has `word` in it. */
static void expect_status(gc_status got, gc_status expected, const char *word) {
    check_message(__FILE__, __LINE__, "gc_stream_capture", got, expected, word);
}

static void expect_nodes(struct scope *scope, size_t nodes) {
    size_t got = 99;
    CHECK_OK(gc_graph_node_count(scope->graph, &got));
    CHECK(got == nodes);
    CHECK_OK(gc_graph_destroy(scope->graph));
}

static gc_status add_on(const gc_stream *stream) {
    return launch_add(&rig, stream, buffer, 0, 1, 1);
}

/* Answers what it was told to, after having recorded something. */
static gc_status records(const gc_stream *stream, struct scope *scope) {
    CHECK_OK(add_on(stream));
    CHECK_OK(gc_stream_memset(stream, buffer, 4, 7, 4, 1));
    return scope->answer;
}

/* The stream runs its work at once, nothing that was recorded has run, and it can be captured. */
static void expect_usable(const gc_stream *stream) {
    struct scope scope = scope_of(records, GRAPHCAP_SUCCESS);
    scope.expected = stream;
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK(read_u32(stream, buffer, 0) == 0 && read_u32(stream, buffer, 1) == 0);
    CHECK_OK(gc_context_synchronize(rig.context));
    if (CHECK_OK(capture(&scope)))
        expect_nodes(&scope, 2);
}

static void a_graph_is_what_was_submitted(void) {
    int mode;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++) {
        struct scope scope = scope_of(records, GRAPHCAP_SUCCESS);
        gc_graph_exec *exec = NULL;
        CHECK_OK(capture_on(&scope, (gc_capture_mode)mode));
        CHECK(scope.calls == 1 && read_u32(rig.stream, buffer, 1) == 0);
        REQUIRE_OK(gc_graph_instantiate(scope.graph, NULL, &exec));
        expect_nodes(&scope, 2);
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(read_u32(rig.stream, buffer, 0) == 1 && read_u32(rig.stream, buffer, 1) == 7);
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 2));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    expect_usable(rig.stream);
}

static void the_failure_of_the_function_wins(void) {
    const gc_status answers[] = {1, -1, 77, 900, 901, GRAPHCAP_ERROR_CALLBACK, INT32_MAX, INT32_MIN};
    char word[32];
    size_t i;
    for (i = 0; i < LENGTH_OF(answers); i++) {
        struct scope scope = scope_of(records, answers[i]);
        snprintf(word, sizeof word, "returned %d", (int)answers[i]);
        expect_status(capture(&scope), answers[i], word);
        CHECK(scope.calls == 1);
        expect_usable(rig.stream);
    }
}

static gc_status breaks(const gc_stream *stream, struct scope *scope) {
    CHECK_OK(add_on(stream));
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(add_on(stream), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    return scope->answer;
}

static gc_status passes_on_what_breaks(const gc_stream *stream, struct scope *scope) {
    CHECK_OK(add_on(stream));
    (void)scope;
    return gc_stream_synchronize(stream);
}

static gc_status leaves_work_unjoined(const gc_stream *stream, struct scope *scope) {
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
    CHECK_OK(add_on(fork_stream));
    return scope->answer;
}

static void a_capture_that_went_wrong_is_ended(void) {
    struct scope broken = scope_of(breaks, GRAPHCAP_SUCCESS), failed = scope_of(breaks, 77);
    struct scope passed_on = scope_of(passes_on_what_breaks, 0);
    struct scope unjoined = scope_of(leaves_work_unjoined, GRAPHCAP_SUCCESS);
    struct scope failed_unjoined = scope_of(leaves_work_unjoined, 78);
    expect_status(capture(&broken), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "gc_stream_synchronize");
    expect_usable(rig.stream);
    expect_status(capture(&failed), 77, "returned 77");
    expect_usable(rig.stream);
    /* The message has that of the call that failed inside. */
    expect_status(capture(&passed_on), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "gc_stream_synchronize");
    expect_usable(rig.stream);
    expect_status(capture(&unjoined), GRAPHCAP_ERROR_CAPTURE_UNJOINED, "fork");
    expect_usable(fork_stream);
    expect_status(capture(&failed_unjoined), 78, "78");
    expect_usable(fork_stream);
    expect_usable(rig.stream);
}

static gc_status ends_it(const gc_stream *stream, struct scope *scope) {
    gc_graph *graph = NULL;
    CHECK_OK(add_on(stream));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    return scope->answer;
}

static gc_status ends_it_and_begins_another(const gc_stream *stream, struct scope *scope) {
    CHECK_OK(ends_it(stream, scope));
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(add_on(stream));
    return scope->answer;
}

static void *ends_elsewhere(void *argument) {
    gc_graph *graph = NULL;
    CHECK_STATUS(gc_stream_end_capture((const gc_stream *)argument, &graph), GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD);
    return NULL;
}

static gc_status lets_another_thread_end_it(const gc_stream *stream, struct scope *scope) {
    on_another_thread(ends_elsewhere, scope->stream);
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    return scope->answer;
}

static void a_function_that_ends_the_capture_itself_fails(void) {
    struct scope ended = scope_of(ends_it, GRAPHCAP_SUCCESS), failed = scope_of(ends_it, 77);
    struct scope begun = scope_of(ends_it_and_begins_another, GRAPHCAP_SUCCESS);
    struct scope elsewhere = scope_of(lets_another_thread_end_it, GRAPHCAP_SUCCESS);
    gc_graph *graph = NULL;
    size_t nodes = 0;
    expect_status(capture(&ended), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "before");
    expect_usable(rig.stream);
    expect_status(capture(&failed), 77, "77");
    expect_usable(rig.stream);
    elsewhere.stream = rig.stream;
    expect_status(capture(&elsewhere), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "before");
    expect_usable(rig.stream);
    /* What it began is its own. */
    expect_status(capture(&begun), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "before");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 1);
    CHECK_OK(gc_graph_destroy(graph));
    expect_usable(rig.stream);
}

static gc_status nests(const gc_stream *stream, struct scope *scope) {
    struct scope same = scope_of(records, GRAPHCAP_SUCCESS), other = scope_of(records, GRAPHCAP_SUCCESS);
    gc_capture *object = (gc_capture *)&rig;
    same.expected = stream;
    expect_status(capture(&same), GRAPHCAP_ERROR_ILLEGAL_STATE, "captured already");
    CHECK(same.calls == 0);
    CHECK_STATUS(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_STATUS(gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &object), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(object == NULL);
    CHECK_OK(add_on(stream));
    other.expected = fork_stream;
    CHECK_OK(capture(&other));
    expect_nodes(&other, 2);
    CHECK_OK(add_on(stream));
    return scope->answer;
}

static void captures_of_other_streams_nest(void) {
    struct scope scope = scope_of(nests, GRAPHCAP_SUCCESS);
    CHECK_OK(capture(&scope));
    expect_nodes(&scope, 2);
}

static void *submits_elsewhere(void *argument) {
    CHECK_OK(add_on((const gc_stream *)argument));
    return NULL;
}

static gc_status forks_and_joins(const gc_stream *stream, struct scope *scope) {
    gc_event *joined = open_event(rig.context);
    CHECK_OK(add_on(stream));
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
    CHECK_OK(add_on(fork_stream));
    on_another_thread(submits_elsewhere, scope->stream);
    CHECK_OK(gc_event_record(joined, fork_stream, 0));
    CHECK_OK(gc_stream_wait_event(stream, joined, 0));
    CHECK_OK(gc_event_destroy(joined));
    return GRAPHCAP_SUCCESS;
}

static void other_streams_and_threads_take_part(void) {
    struct scope scope = scope_of(forks_and_joins, GRAPHCAP_SUCCESS);
    scope.stream = rig.stream;
    CHECK_OK(capture(&scope));
    expect_nodes(&scope, 3);
    expect_usable(fork_stream);
    expect_usable(rig.stream);
}

static gc_status destroys_the_stream(const gc_stream *stream, struct scope *scope) {
    CHECK_OK(add_on(stream));
    CHECK_OK(gc_stream_destroy(scope->stream));
    CHECK_STATUS(add_on(stream), GRAPHCAP_ERROR_INVALID_HANDLE);
    return scope->answer;
}

static void the_stream_is_kept_while_it_is_captured(void) {
    struct scope scope = scope_of(destroys_the_stream, GRAPHCAP_SUCCESS), failed = scope_of(destroys_the_stream, 77);
    scope.stream = open_stream(rig.context, 0);
    scope.expected = scope.stream;
    CHECK_OK(capture(&scope));
    expect_nodes(&scope, 1);
    failed.stream = open_stream(rig.context, 0);
    failed.expected = failed.stream;
    CHECK_STATUS(capture(&failed), 77);
    /* No capture is left that would bar this. */
    CHECK_OK(gc_context_synchronize(rig.context));
}

/* The function is not called, its data is destroyed, and the stream stays as it was. */
static void captures_that_cannot_begin_call_nothing(void) {
    struct scope scope = scope_of(records, GRAPHCAP_SUCCESS);
    gc_stream *legacy = NULL;
    gc_graph *graph = (gc_graph *)&rig;
    const gc_capture_mode bad[] = {3, -1, INT32_MAX};
    size_t i;
    for (i = 0; i < LENGTH_OF(bad); i++) {
        scope.destroyed = 0;
        expect_status(capture_on(&scope, bad[i]), GRAPHCAP_ERROR_INVALID_VALUE, "mode");
    }
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
    scope.destroyed = 0;
    scope.expected = legacy;
    expect_status(capture(&scope), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "legacy");
    scope.destroyed = 0;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    expect_status(capture(&scope), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "legacy");
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_destroy(legacy));
    scope.destroyed = 0;
    expect_status(capture(&scope), GRAPHCAP_ERROR_INVALID_HANDLE, "stream");
    scope.expected = rig.stream;
    scope.destroyed = 0;
    expect_status(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, NULL, &scope, destroy_scope, &graph),
                  GRAPHCAP_ERROR_INVALID_VALUE, "function");
    CHECK(graph == NULL && scope.destroyed == 1);
    expect_status(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, run_scope, &scope, destroy_scope, NULL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "graph_out");
    CHECK(scope.calls == 0 && scope.destroyed == 2);
    expect_usable(rig.stream);
    /* A capture that was there goes on. */
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(add_on(rig.stream));
    scope.destroyed = 0;
    expect_status(capture(&scope), GRAPHCAP_ERROR_ILLEGAL_STATE, "captured already");
    CHECK(scope.calls == 0 && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &scope.graph));
    expect_nodes(&scope, 1);
    expect_usable(rig.stream);
}

static gc_status fills_given(const gc_stream *stream, void *user_data) {
    return gc_stream_memset(stream, (const gc_buffer *)user_data, 0, 9, 4, 1);
}

static void destroy_buffer(void *user_data) {
    CHECK_OK(gc_buffer_destroy((gc_buffer *)user_data));
}

/* User data and its destroy may be handles and what destroys them; the graph keeps what it uses. */
static void destroy_may_destroy_handles(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    CHECK_OK(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, fills_given, open_buffer(rig.context, 4),
                               destroy_buffer, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    /* Neither is there anything to destroy. */
    CHECK_OK(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, fills_given, buffer, NULL, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

static void *captures_by_itself(void *argument) {
    gc_stream *own = NULL;
    unsigned i, rounds = soak(100, 5000);
    (void)argument;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    for (i = 0; i < rounds; i++) {
        struct scope scope = scope_of(records, i % 3 == 0 ? 77 : GRAPHCAP_SUCCESS);
        scope.expected = own;
        CHECK_STATUS(capture_on(&scope, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL), scope.answer);
        if (scope.graph != NULL)
            expect_nodes(&scope, 2);
    }
    CHECK(capture_state(own) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_stream_destroy(own));
    return NULL;
}

static void threads_capture_on_their_own_streams(void) {
    pthread_t threads[3];
    gc_stream *kept = NULL;
    size_t i;
    /* The last handle of the per-thread stream ends the captures of all threads on it. */
    CHECK_OK(gc_context_per_thread_stream(rig.context, &kept));
    for (i = 0; i < LENGTH_OF(threads); i++)
        if (pthread_create(&threads[i], NULL, captures_by_itself, NULL) != 0)
            exit(EXIT_FAILURE);
    for (i = 0; i < LENGTH_OF(threads); i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_stream_destroy(kept));
}

int main(void) {
    rig_open(&rig);
    fork_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(rig.context);
    buffer = open_buffer(rig.context, 64);
    RUN(a_graph_is_what_was_submitted);
    RUN(the_failure_of_the_function_wins);
    RUN(a_capture_that_went_wrong_is_ended);
    RUN(a_function_that_ends_the_capture_itself_fails);
    RUN(captures_of_other_streams_nest);
    RUN(other_streams_and_threads_take_part);
    RUN(the_stream_is_kept_while_it_is_captured);
    RUN(captures_that_cannot_begin_call_nothing);
    RUN(destroy_may_destroy_handles);
    RUN(threads_capture_on_their_own_streams);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork_stream));
    rig_close(&rig);
    return check_finish();
}
