/* Calls that a thread makes while it ends: in destructors of thread-specific data, which the C library calls after those of
 * a language's own thread-locals. Everything works there as before, and what others share stays usable. */
#include "kernels.h"

static struct rig rig;

/* What a thread does as it ends, and what it uses. */
struct last_words {
    void (*body)(struct last_words *words);
    gc_stream *shared;
    gc_buffer *buffer;
    gc_graph_exec *exec;
    gc_event *event;
    unsigned destroyed, rounds;
};

/* The C library calls destructors in rounds, as long as they set data again: in the second one all that a language's runtime
 * keeps in thread-specific data is gone as well. */
enum { ROUNDS = 2 };

static pthread_key_t at_end;

static void ends(void *argument) {
    struct last_words *words = (struct last_words *)argument;
    words->body(words);
    if (++words->rounds % ROUNDS != 0)
        pthread_setspecific(at_end, argument);
}

/* A thread that has used graphcap before it ends, by all that leaves something with the thread. */
static void *uses_graphcap(void *argument) {
    struct last_words *words = (struct last_words *)argument;
    gc_stream *own = NULL;
    gc_graph *graph = NULL;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    CHECK_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&rig, own, words->buffer, 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(own, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(launch_add(&rig, own, words->buffer, 4, 1, 1));
    CHECK_OK(gc_stream_synchronize(own));
    CHECK_OK(gc_stream_destroy(own));
    CHECK_STATUS(gc_stream_synchronize(NULL), GRAPHCAP_ERROR_INVALID_HANDLE);
    pthread_setspecific(at_end, argument);
    return NULL;
}

/* A thread whose first call is made as it ends. */
static void *uses_nothing(void *argument) {
    pthread_setspecific(at_end, argument);
    return NULL;
}

static void run_in_both(void (*body)(struct last_words *words), struct last_words *words) {
    words->body = body;
    on_another_thread(uses_graphcap, words);
    on_another_thread(uses_nothing, words);
    CHECK(words->rounds == 2 * ROUNDS);
}

static void words_open(struct last_words *words) {
    memset(words, 0, sizeof *words);
    words->shared = open_stream(rig.context, 0);
    words->buffer = open_buffer(rig.context, 16 * 4);
    words->event = open_event(rig.context);
    CHECK_OK(gc_stream_begin_capture(words->shared, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, words->shared, words->buffer, 0, 1, 1));
    words->exec = finish_capture(words->shared);
}

/* All that threads shared is as good as before. */
static void words_close(struct last_words *words) {
    uint32_t before = read_u32(words->shared, words->buffer, 0);
    CHECK_OK(gc_stream_begin_capture(words->shared, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, words->shared, words->buffer, 0, 1, 1));
    CHECK_OK(gc_graph_exec_destroy(words->exec));
    words->exec = finish_capture(words->shared);
    CHECK_OK(gc_event_record(words->event, words->shared, 0));
    CHECK_OK(gc_graph_launch(words->exec, words->shared));
    CHECK(read_u32(words->shared, words->buffer, 0) == before + 1);
    CHECK_OK(gc_graph_exec_destroy(words->exec));
    CHECK_OK(gc_event_destroy(words->event));
    CHECK_OK(gc_buffer_destroy(words->buffer));
    CHECK_OK(gc_stream_destroy(words->shared));
}

static void captures_a_shared_stream(struct last_words *words) {
    gc_stream *forked = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph_exec *exec;
    CHECK_OK(gc_stream_begin_capture(words->shared, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&rig, words->shared, words->buffer, 0, 1, 1));
    CHECK_OK(gc_event_record(words->event, words->shared, 0));
    CHECK_OK(gc_stream_wait_event(forked, words->event, 0));
    CHECK_OK(gc_stream_memset(forked, words->buffer, 8, 7, 4, 1));
    CHECK_OK(gc_event_record(words->event, forked, 0));
    CHECK_OK(gc_stream_wait_event(words->shared, words->event, 0));
    exec = finish_capture(words->shared);
    CHECK_OK(gc_graph_launch(exec, words->shared));
    CHECK_OK(gc_stream_synchronize(words->shared));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(forked));
}

static void shared_streams_can_be_captured(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(captures_a_shared_stream, &words);
    CHECK(read_u32(words.shared, words.buffer, 0) == 2 * ROUNDS && read_u32(words.shared, words.buffer, 2) == 7);
    words_close(&words);
}

/* Which call broke it may have been forgotten, as the thread's notes are gone. */
static void breaks_a_capture(struct last_words *words) {
    gc_graph *graph = NULL;
    char message[1024] = "";
    gc_violation violation = GRAPHCAP_VIOLATION_NONE;
    CHECK_OK(gc_stream_begin_capture(words->shared, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_stream_synchronize(words->shared), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "captur");
    CHECK_MESSAGE(gc_stream_end_capture(words->shared, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "broke");
    CHECK_OK(gc_stream_capture_violation(words->shared, &violation, message, sizeof message, NULL));
    CHECK(violation != GRAPHCAP_VIOLATION_NONE);
}

static void broken_captures_are_told(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(breaks_a_capture, &words);
    words_close(&words);
}

/* Another thread may not end it, and the thread itself may. */
static void *ends_the_shared(void *argument) {
    struct last_words *words = (struct last_words *)argument;
    gc_graph *graph = NULL;
    CHECK_STATUS(gc_stream_end_capture(words->shared, &graph), GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD);
    return NULL;
}

static void is_told_from_others(struct last_words *words) {
    CHECK_OK(gc_stream_begin_capture(words->shared, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    on_another_thread(ends_the_shared, words);
    CHECK(capture_state(words->shared) == GRAPHCAP_CAPTURE_STATUS_NONE);
}

static void threads_are_told_apart(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(is_told_from_others, &words);
    words_close(&words);
}

static void uses_its_default_stream(struct last_words *words) {
    gc_stream *own = NULL;
    gc_graph_exec *exec;
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    uint64_t recorded = 0;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    CHECK_OK(launch_add(&rig, own, words->buffer, 0, 1, 1));
    CHECK_OK(gc_stream_synchronize(own));
    CHECK_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&rig, own, words->buffer, 0, 1, 1));
    exec = finish_capture(own);
    CHECK_OK(gc_graph_launch(exec, own));
    CHECK_OK(gc_stream_synchronize(own));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_capture_begin(own, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    CHECK_OK(gc_capture_record_memset(capture, words->buffer, 4, 5, 4, 1));
    CHECK_OK(gc_capture_recorded_count(capture, &recorded));
    CHECK(recorded == 1);
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(own));
}

static void default_streams_work(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(uses_its_default_stream, &words);
    CHECK(read_u32(words.shared, words.buffer, 0) == 2 * 2 * ROUNDS);
    words_close(&words);
}

/* Makes one of everything, fails once, and destroys all. */
static void uses_everything(struct last_words *words) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    gc_context *context = open_context();
    gc_module *module = load_kernels(context);
    gc_kernel *kernel = get_kernel(module, "fill");
    gc_stream *stream = open_stream(context, 0);
    gc_event *event = open_event(context);
    gc_buffer *buffer = open_buffer(context, 64), *wrapped;
    gc_host_buffer *host_buffer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    char text[4096] = "";
    uint32_t value = 9;
    uint64_t count = 1;
    struct foreign foreign;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    foreign_open(&foreign);
    wrapped = wrap_foreign(context, &foreign, &words->destroyed);
    CHECK_OK(gc_host_buffer_allocate(context, 64, 0, &host_buffer));
    CHECK_OK(launch(stream, kernel, 1, 1, arguments, 3));
    CHECK_OK(gc_stream_launch_host_func(stream, count_call, &words->destroyed, NULL));
    CHECK_OK(gc_stream_memset(stream, wrapped, 0, 1, 4, 1));
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_event_synchronize(event));
    CHECK(read_u32(stream, buffer, 0) == 9);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch(stream, kernel, 1, 1, arguments, 3));
    CHECK_OK(gc_stream_launch_host_func(stream, count_call, &words->destroyed, NULL));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_upload(exec, stream));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_graph_launch(words->exec, words->shared));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_context_synchronize(context));
    CHECK_MESSAGE(gc_stream_memset(stream, buffer, 64, 0, 1, 1), GRAPHCAP_ERROR_INVALID_VALUE, "64");
    CHECK_MESSAGE(gc_kernel_destroy((gc_kernel *)module), GRAPHCAP_ERROR_INVALID_HANDLE, "kernel");
    CHECK_OK(gc_context_collect(context));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(host_buffer));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    foreign_close(&foreign);
    CHECK_OK(gc_context_destroy(context));
}

static void all_calls_work(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(uses_everything, &words);
    /* Each time two host functions and the destroy of the wrapped memory. */
    CHECK(await_count(&words.destroyed, 3 * 2 * ROUNDS) && count_of(&words.destroyed) == 3 * 2 * ROUNDS);
    words_close(&words);
}

/* What a thread left on its default stream as it ended goes with the context. */
static void leaves_a_capture(struct last_words *words) {
    gc_stream *own = NULL;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    CHECK_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_launch_host_func(own, count_call, &words->destroyed, count_call));
    CHECK_OK(gc_stream_destroy(own));
}

/* Nothing but the capture keeps the graph that it goes into, which lives until the capture is discarded. */
static void leaves_a_capture_into_a_graph(struct last_words *words) {
    gc_stream *own = NULL;
    gc_graph *graph = NULL;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    CHECK_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_stream_begin_capture_to_graph(own, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_launch_host_func(own, count_call, &words->destroyed, count_call));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(own));
}

static void a_capture_that_is_left_keeps_its_graph(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(leaves_a_capture_into_a_graph, &words);
    CHECK(await_count(&words.destroyed, 2 * ROUNDS) && count_of(&words.destroyed) == 2 * ROUNDS);
    words_close(&words);
}

static void captures_that_are_left_are_discarded_with_their_stream(void) {
    struct last_words words;
    words_open(&words);
    run_in_both(leaves_a_capture, &words);
    CHECK(await_count(&words.destroyed, 2 * ROUNDS) && count_of(&words.destroyed) == 2 * ROUNDS);
    words_close(&words);
}

int main(void) {
    if (pthread_key_create(&at_end, ends) != 0)
        return EXIT_FAILURE;
    rig_open(&rig);
    RUN(shared_streams_can_be_captured);
    RUN(broken_captures_are_told);
    RUN(threads_are_told_apart);
    RUN(default_streams_work);
    RUN(all_calls_work);
    RUN(captures_that_are_left_are_discarded_with_their_stream);
    RUN(a_capture_that_is_left_keeps_its_graph);
    rig_close(&rig);
    return check_finish();
}
