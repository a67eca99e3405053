/* The black box: of each capture that broke, the message of every later call and gc_stream_capture_violation() name the
 * call that broke it, its stream and thread, the rule, and what to do. */
#include "kernels.h"

static struct rig rig;
static gc_stream *origin, *fork_stream;
static gc_buffer *buffer;
static gc_event *event;

/* What is told of the stream's capture. */
static gc_violation violation_of(const gc_stream *stream, char *text, size_t capacity) {
    gc_violation violation = -1;
    CHECK_OK(gc_stream_capture_violation(stream, &violation, text, capacity, NULL));
    return violation;
}

static void check_words(const char *text, const char *const *words, size_t count) {
    size_t i;
    for (i = 0; i < count; i++)
        if (check_failed(check_contains(text, words[i])))
            fprintf(stderr, "in %s: '%s' is not in: %s\n", check_test, words[i], text);
}

/* The text of the latest failure holds all words. */
static void check_told(const char *const *words, size_t count) {
    char text[1024] = "";
    gc_last_error_message(text, sizeof text, NULL);
    check_words(text, words, count);
}

#define TOLD(...)                                              \
    do {                                                       \
        static const char *const told[] = {__VA_ARGS__};       \
        check_told(told, sizeof told / sizeof told[0]);        \
    } while (0)

static gc_status record(const gc_stream *stream) {
    return gc_stream_memset(stream, buffer, 0, 1, 4, 1);
}

static void begin(const gc_stream *stream, gc_capture_mode mode) {
    gc_violation violation = -1;
    char text[8] = "x";
    REQUIRE_OK(gc_stream_begin_capture(stream, mode));
    CHECK_OK(gc_stream_capture_violation(stream, &violation, text, sizeof text, NULL));
    CHECK(violation == GRAPHCAP_VIOLATION_NONE && text[0] == '\0');
}

/* The stream is in a capture that `culprit` broke: recording says so, the end says so, and afterwards it can be asked. */
static void check_broken(const gc_stream *stream, gc_violation expected, const char *culprit, const char *where) {
    char text[1024] = "", again[1024] = "", tight[4];
    gc_violation violation = -1;
    size_t needed = 0;
    gc_graph *graph = NULL;
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK(violation_of(stream, text, sizeof text) == expected);
    CHECK(check_contains(text, culprit) && check_contains(text, where) && check_contains(text, "in thread"));
    CHECK_MESSAGE(gc_stream_memset(stream, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, text);
    CHECK_MESSAGE(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, text);
    CHECK(graph == NULL);
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK(violation_of(stream, again, sizeof again) == expected);
    CHECK(strcmp(text, again) == 0);
    CHECK_STATUS(gc_stream_capture_violation(stream, &violation, tight, sizeof tight, &needed),
                 GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(violation == expected && needed == strlen(text) + 1);
    CHECK_STATUS(gc_stream_capture_violation(stream, &violation, NULL, 1, &needed), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(violation == GRAPHCAP_VIOLATION_NONE && needed == 0);
    /* The next capture starts anew. */
    begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(record(stream));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK(violation_of(stream, text, sizeof text) == GRAPHCAP_VIOLATION_NONE);
    CHECK_OK(gc_graph_destroy(graph));
}

static const char *label_of(const gc_stream *stream) {
    static char label[2][40];
    static unsigned next;
    uint64_t id = 0;
    next = 1 - next;
    CHECK_OK(gc_stream_id(stream, &id));
    snprintf(label[next], sizeof label[next], "stream %llu", (unsigned long long)id);
    return label[next];
}

static void numbers_are_distinct(void) {
    uint64_t ids[4] = {0, 0, 0, 0};
    gc_event *other = open_event(rig.context);
    CHECK_OK(gc_stream_id(origin, &ids[0]));
    CHECK_OK(gc_stream_id(fork_stream, &ids[1]));
    CHECK_OK(gc_event_id(event, &ids[2]));
    CHECK_OK(gc_event_id(other, &ids[3]));
    CHECK(ids[0] != 0 && ids[1] != 0 && ids[0] != ids[1] && ids[2] != 0 && ids[3] != 0 && ids[2] != ids[3]);
    CHECK_STATUS(gc_stream_id(origin, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_event_id(event, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_id(NULL, &ids[0]), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_event_destroy(other));
}

static void *wait_for_event(void *status) {
    *(gc_status *)status = gc_event_synchronize(event);
    return NULL;
}

/* 900 by rule R1, of another thread. */
static void an_unsafe_call_is_named(void) {
    gc_status status = -1;
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    begin(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(record(origin));
    on_another_thread(wait_for_event, &status);
    CHECK(status == GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    check_broken(origin, GRAPHCAP_VIOLATION_UNSAFE_CALL, "gc_event_synchronize", "with 1 operation recorded");
}

/* 900 by rule R2. */
static void a_call_on_the_capturing_stream_is_named(void) {
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(record(origin));
    CHECK_OK(record(origin));
    CHECK_MESSAGE(gc_stream_synchronize(origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "gc_stream_synchronize");
    check_broken(origin, GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM, "gc_stream_synchronize", label_of(origin));
}

/* 900 by rule R2: a launch is told of as such, with what becomes part of a capture. */
static void a_launch_of_a_graph_is_named(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_MESSAGE(gc_graph_launch(exec, origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "gc_stream_capture_child_node()");
    check_broken(origin, GRAPHCAP_VIOLATION_GRAPH_LAUNCH, "gc_graph_launch", "gc_stream_capture_child_node()");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_wait_for_the_context_is_named(void) {
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_MESSAGE(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "gc_context_synchronize");
    check_broken(origin, GRAPHCAP_VIOLATION_WHOLE_CONTEXT, "gc_context_synchronize", "end the capture first");
}

/* 902: both captures are told the same. */
static void a_merge_is_named(void) {
    gc_graph *graph = NULL;
    char text[1024] = "";
    begin(origin, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
    begin(fork_stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
    CHECK_OK(gc_event_record(event, origin, 0));
    CHECK_MESSAGE(gc_stream_wait_event(fork_stream, event, 0), GRAPHCAP_ERROR_CAPTURE_MERGE, "gc_stream_wait_event");
    CHECK(violation_of(fork_stream, text, sizeof text) == GRAPHCAP_VIOLATION_MERGE);
    CHECK(check_contains(text, "gc_stream_wait_event"));
    CHECK_MESSAGE(gc_stream_end_capture(fork_stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, text);
    check_broken(origin, GRAPHCAP_VIOLATION_MERGE, "gc_stream_wait_event", label_of(fork_stream));
}

static void join_fork(void) {
    CHECK_OK(gc_event_record(event, origin, 0));
    CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
}

/* 903 */
static void an_end_on_a_fork_is_named(void) {
    gc_graph *graph = NULL;
    begin(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    join_fork();
    CHECK_MESSAGE(gc_stream_end_capture(fork_stream, &graph), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "gc_stream_end_capture");
    CHECK(capture_state(fork_stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_MESSAGE(gc_stream_memset(fork_stream, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                  "broken by gc_stream_end_capture");
    check_broken(origin, GRAPHCAP_VIOLATION_UNMATCHED_END, "gc_stream_end_capture", label_of(fork_stream));
}

/* 904: each open stream is told, with the event that forked it, and no other. */
static void unjoined_work_is_named(void) {
    gc_stream *joined = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *idle = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *deep = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *second = open_event(rig.context);
    gc_graph *graph = NULL;
    char open_one[80], open_two[80], text[1024] = "";
    uint64_t ids[4] = {0, 0, 0, 0};
    begin(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(record(origin));
    join_fork();
    CHECK_OK(record(fork_stream));
    /* A fork of the fork, by another event. */
    CHECK_OK(gc_event_record(second, fork_stream, 0));
    CHECK_OK(gc_stream_wait_event(deep, second, 0));
    CHECK_OK(record(deep));
    /* One that is joined, and one that has nothing to be joined. */
    CHECK_OK(gc_event_record(event, origin, 0));
    CHECK_OK(gc_stream_wait_event(joined, event, 0));
    CHECK_OK(gc_stream_wait_event(idle, event, 0));
    CHECK_OK(record(joined));
    CHECK_OK(gc_event_record(event, joined, 0));
    CHECK_OK(gc_stream_wait_event(origin, event, 0));
    /* What was on the fork by now is joined, what comes after is not. */
    CHECK_OK(gc_stream_wait_event(origin, second, 0));
    CHECK_OK(record(fork_stream));
    CHECK_OK(gc_stream_id(fork_stream, &ids[0]));
    CHECK_OK(gc_stream_id(deep, &ids[1]));
    CHECK_OK(gc_event_id(event, &ids[2]));
    CHECK_OK(gc_event_id(second, &ids[3]));
    snprintf(open_one, sizeof open_one, "stream %llu (forked by event %llu)", (unsigned long long)ids[0],
             (unsigned long long)ids[2]);
    snprintf(open_two, sizeof open_two, "stream %llu (forked by event %llu)", (unsigned long long)ids[1],
             (unsigned long long)ids[3]);
    CHECK_MESSAGE(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_CAPTURE_UNJOINED, "gc_stream_end_capture");
    gc_last_error_message(text, sizeof text, NULL);
    CHECK(check_contains(text, open_one) && check_contains(text, open_two));
    CHECK(!check_contains(text, label_of(joined)) && !check_contains(text, label_of(idle)));
    CHECK(violation_of(origin, text, sizeof text) == GRAPHCAP_VIOLATION_UNJOINED);
    CHECK(check_contains(text, open_one) && check_contains(text, open_two));
    CHECK_OK(gc_event_destroy(second));
    CHECK_OK(gc_stream_destroy(joined));
    CHECK_OK(gc_stream_destroy(idle));
    CHECK_OK(gc_stream_destroy(deep));
}

/* 905 */
static void a_wait_for_outside_work_is_named(void) {
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_MESSAGE(gc_stream_wait_event(origin, event, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "gc_stream_wait_event");
    TOLD("the capture is now invalid: end it");
    check_broken(origin, GRAPHCAP_VIOLATION_ISOLATION, "gc_stream_wait_event", label_of(origin));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

/* 906 */
static void work_on_the_legacy_stream_is_named(void) {
    gc_stream *blocking = open_stream(rig.context, 0), *legacy = NULL;
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    begin(blocking, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_MESSAGE(gc_stream_memset(legacy, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "legacy");
    check_broken(blocking, GRAPHCAP_VIOLATION_LEGACY_STREAM, "gc_stream_memset", "the legacy stream");
    CHECK_OK(gc_stream_destroy(blocking));
    CHECK_OK(gc_stream_destroy(legacy));
}

/* 907 */
static void a_question_about_a_captured_event_is_named(void) {
    int32_t complete;
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(gc_event_record(event, origin, 0));
    CHECK_MESSAGE(gc_event_is_complete(event, &complete), GRAPHCAP_ERROR_CAPTURED_EVENT, "gc_event_is_complete");
    check_broken(origin, GRAPHCAP_VIOLATION_CAPTURED_EVENT, "gc_event_is_complete", "the event stands for");
}

/* 1: the other wrong argument that harms, beside an impossible shape. */
static void a_wait_for_an_event_of_an_earlier_capture_is_named(void) {
    gc_graph *graph = NULL;
    begin(fork_stream, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(gc_event_record(event, fork_stream, 0));
    CHECK_OK(gc_stream_end_capture(fork_stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_STATUS(gc_stream_wait_event(origin, event, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    check_broken(origin, GRAPHCAP_VIOLATION_CAPTURED_EVENT, "gc_stream_wait_event", "record the event again");
}

static void *end_capture(void *status) {
    gc_graph *graph = NULL;
    *(gc_status *)status = gc_stream_end_capture(origin, &graph);
    CHECK(graph == NULL);
    TOLD("gc_stream_end_capture");
    return NULL;
}

/* 908: the capture is gone, and its owner, who finds none to end, is told. */
static void an_end_by_another_thread_is_named(void) {
    gc_status status = -1;
    gc_graph *graph = NULL;
    char text[1024] = "";
    begin(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(record(origin));
    on_another_thread(end_capture, &status);
    CHECK(status == GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD);
    CHECK(violation_of(origin, text, sizeof text) == GRAPHCAP_VIOLATION_WRONG_THREAD);
    CHECK(check_contains(text, "the capture is gone, ended by gc_stream_end_capture") && check_contains(text, label_of(origin)));
    CHECK_MESSAGE(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE, text);
}

static void an_impossible_shape_is_named(void) {
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_STATUS(launch(origin, rig.add, 0, 1, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    if (capture_state(origin) == GRAPHCAP_CAPTURE_STATUS_ACTIVE) {
        /* Refused before the driver saw it, because of the arguments: this one has some. */
        CHECK_STATUS(launch_add(&rig, origin, buffer, 0, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    }
    check_broken(origin, GRAPHCAP_VIOLATION_SHAPE, "gc_stream_launch_kernel", label_of(origin));
}

/* The message of a block that is too large names the call that tells the limit; a wrong grid has nothing to do with it. */
static void the_limit_of_a_block_is_told_of_blocks_alone(void) {
    static const char limit[] = "gc_kernel_get_attribute()";
    const uint32_t value = 1;
    const uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    char text[1024] = "";
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_MESSAGE(launch(origin, rig.add, 1, 2048, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE, limit);
    check_broken(origin, GRAPHCAP_VIOLATION_SHAPE, "gc_stream_launch_kernel", label_of(origin));
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_MESSAGE(launch(origin, rig.add, 0, 1, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE, "the capture is now invalid");
    gc_last_error_message(text, sizeof text, NULL);
    CHECK(strstr(text, limit) == NULL);
    check_broken(origin, GRAPHCAP_VIOLATION_SHAPE, "gc_stream_launch_kernel", label_of(origin));
}

/* An argument error harms no capture, and is not called what broke it. */
static void harmless_failures_are_not_blamed(void) {
    char text[1024] = "";
    int32_t complete;
    begin(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_STATUS(gc_stream_memset(origin, buffer, 1u << 20, 1, 4, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(violation_of(origin, text, sizeof text) == GRAPHCAP_VIOLATION_NONE);
    CHECK_MESSAGE(gc_stream_is_complete(origin, &complete), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "captured");
    /* The first one stays. */
    CHECK(gc_stream_synchronize(origin) != GRAPHCAP_SUCCESS);
    TOLD("gc_stream_synchronize:", "broken by gc_stream_is_complete");
    check_broken(origin, GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM, "gc_stream_is_complete", label_of(origin));
}

/* Captures that were not in the way are not told of. */
static void each_capture_is_told_its_own(void) {
    gc_stream *third = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    char text[1024] = "";
    gc_graph *graph = NULL;
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    begin(third, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_STATUS(gc_stream_synchronize(third), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(violation_of(origin, text, sizeof text) == GRAPHCAP_VIOLATION_NONE);
    CHECK_OK(record(origin));
    CHECK_OK(gc_stream_end_capture(origin, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    check_broken(third, GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM, "gc_stream_synchronize", label_of(third));
    CHECK_OK(gc_stream_destroy(third));
}

/* What broke a capture that is over is not told of calls that have nothing to do with it. */
static void old_violations_are_not_told_again(void) {
    char text[1024] = "";
    gc_graph *graph = NULL;
    begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_STATUS(gc_stream_synchronize(origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    begin(fork_stream, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_STATUS(gc_stream_synchronize(origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    gc_last_error_message(text, sizeof text, NULL);
    CHECK(!check_contains(text, "was broken by"));
    check_broken(fork_stream, GRAPHCAP_VIOLATION_UNSAFE_CALL, "gc_stream_synchronize", label_of(origin));
    CHECK_STATUS(launch_add(&rig, origin, buffer, 0, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    gc_last_error_message(text, sizeof text, NULL);
    CHECK(!check_contains(text, "was broken by"));
    CHECK_STATUS(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_ILLEGAL_STATE);
    gc_last_error_message(text, sizeof text, NULL);
    CHECK(!check_contains(text, "was broken by"));
}

/* A mode does not help against a wait for the context, so it is not what is advised. */
static void a_wait_for_the_context_is_told_as_such_in_all_modes(void) {
    begin(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_STATUS(gc_context_synchronize(rig.context), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    check_broken(origin, GRAPHCAP_VIOLATION_WHOLE_CONTEXT, "gc_context_synchronize", "end the capture first");
}

/* However many streams fork, those that were not joined are told, and what to do is not lost behind them. */
static void many_forks_are_told_apart(void) {
    enum { FORKS = 40, LEFT_OPEN = 30 };
    gc_stream *forks[FORKS];
    gc_event *joins = open_event(rig.context);
    gc_graph *graph = NULL;
    static char text[8192];
    char name[80];
    unsigned i, all;
    uint64_t id = 0;
    for (all = 0; all < 2; all++) {
        begin(origin, GRAPHCAP_CAPTURE_MODE_RELAXED);
        CHECK_OK(gc_event_record(event, origin, 0));
        for (i = 0; i < FORKS; i++) {
            forks[i] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
            CHECK_OK(gc_stream_wait_event(forks[i], event, 0));
            CHECK_OK(record(forks[i]));
        }
        for (i = 0; i < FORKS && !all; i++)
            if (i != LEFT_OPEN) {
                CHECK_OK(gc_event_record(joins, forks[i], 0));
                CHECK_OK(gc_stream_wait_event(origin, joins, 0));
            }
        CHECK_MESSAGE(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_CAPTURE_UNJOINED, "not joined");
        gc_last_error_message(text, sizeof text, NULL);
        CHECK(check_contains(text, all ? "and 32 others" : label_of(forks[LEFT_OPEN])));
        /* Asked for, all of them are. */
        CHECK(violation_of(origin, text, sizeof text) == GRAPHCAP_VIOLATION_UNJOINED);
        CHECK(check_contains(text, "let the first stream wait for it before the end"));
        for (i = 0; i < FORKS; i++) {
            CHECK_OK(gc_stream_id(forks[i], &id));
            snprintf(name, sizeof name, "stream %llu (forked", (unsigned long long)id);
            CHECK(check_contains(text, name) == (all || i == LEFT_OPEN));
            CHECK_OK(gc_stream_destroy(forks[i]));
        }
    }
    CHECK_OK(gc_event_destroy(joins));
}

/* Only the thread itself can ask the driver about its default stream; the call of another one is named all the same. */
static void a_break_of_a_per_thread_capture_is_named(void) {
    gc_stream *per_thread = NULL;
    gc_status status = -1;
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &per_thread));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    begin(per_thread, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(record(per_thread));
    on_another_thread(wait_for_event, &status);
    CHECK(status == GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_MESSAGE(gc_stream_memset(per_thread, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                  "broken by gc_event_synchronize");
    check_broken(per_thread, GRAPHCAP_VIOLATION_UNSAFE_CALL, "gc_event_synchronize", "with 1 operation recorded");
    CHECK_OK(gc_stream_destroy(per_thread));
}

static void bad_arguments_are_refused(void) {
    gc_violation violation;
    size_t needed = 9;
    CHECK_STATUS(gc_stream_capture_violation(NULL, &violation, NULL, 0, &needed), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_stream_capture_violation(origin, NULL, NULL, 0, &needed), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_stream_capture_violation(origin, &violation, NULL, 4, &needed), GRAPHCAP_ERROR_INVALID_VALUE);
}

int main(void) {
    rig_open(&rig);
    origin = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    fork_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    buffer = open_buffer(rig.context, 64);
    event = open_event(rig.context);
    RUN(numbers_are_distinct);
    RUN(an_unsafe_call_is_named);
    RUN(a_call_on_the_capturing_stream_is_named);
    RUN(a_launch_of_a_graph_is_named);
    RUN(a_wait_for_the_context_is_named);
    RUN(a_merge_is_named);
    RUN(an_end_on_a_fork_is_named);
    RUN(unjoined_work_is_named);
    RUN(a_wait_for_outside_work_is_named);
    RUN(work_on_the_legacy_stream_is_named);
    RUN(a_question_about_a_captured_event_is_named);
    RUN(a_wait_for_an_event_of_an_earlier_capture_is_named);
    RUN(an_end_by_another_thread_is_named);
    RUN(an_impossible_shape_is_named);
    RUN(the_limit_of_a_block_is_told_of_blocks_alone);
    RUN(harmless_failures_are_not_blamed);
    RUN(each_capture_is_told_its_own);
    RUN(old_violations_are_not_told_again);
    RUN(a_wait_for_the_context_is_told_as_such_in_all_modes);
    RUN(many_forks_are_told_apart);
    RUN(a_break_of_a_per_thread_capture_is_named);
    RUN(bad_arguments_are_refused);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(origin));
    CHECK_OK(gc_stream_destroy(fork_stream));
    rig_close(&rig);
    return check_finish();
}
