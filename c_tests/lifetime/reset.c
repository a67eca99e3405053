/* Resets: everything older is stale, what it kept is released behind the work that uses it, new work runs in the same context,
 * and nothing grows. What boundary.c tries of every function is not tried here. */
#include "kernels.h"

#include <malloc.h>
#include <unistd.h>

static struct rig rig;

/* What a rig has, made anew in a context that was reset; the old handles are destroyed first. */
static void rig_renew(void) {
    gc_context *context = rig.context;
    CHECK_OK(gc_kernel_destroy(rig.note));
    CHECK_OK(gc_kernel_destroy(rig.mix));
    CHECK_OK(gc_kernel_destroy(rig.hold));
    CHECK_OK(gc_kernel_destroy(rig.fill));
    CHECK_OK(gc_kernel_destroy(rig.add));
    CHECK_OK(gc_stream_destroy(rig.stream));
    CHECK_OK(gc_module_destroy(rig.module));
    rig_open_in(&rig, context);
}

static void reset(void) {
    REQUIRE_OK(gc_context_reset(rig.context));
    rig_renew();
}

static uint64_t generation(void) {
    uint64_t number = 0;
    CHECK_OK(gc_context_generation(rig.context, &number));
    return number;
}

/* Captures two streams, replays twice, and leaves work and an open capture behind; the handles are still to be destroyed. */
struct cycle {
    gc_stream *side, *captured;
    gc_buffer *buffer, *wrapped;
    struct foreign foreign;
    unsigned released;
    gc_event *fork, *join;
    gc_graph_exec *exec;
};

static void cycle_run(struct cycle *cycle) {
    uint64_t of_exec = 0;
    cycle->side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    cycle->captured = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    cycle->buffer = open_buffer(rig.context, 1 << 16);
    cycle->released = 0;
    cycle->wrapped = wrap_foreign(rig.context, &cycle->foreign, &cycle->released);
    cycle->fork = open_event(rig.context);
    cycle->join = open_event(rig.context);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, cycle->buffer, 0, 1, 4));
    CHECK_OK(gc_event_record(cycle->fork, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(cycle->side, cycle->fork, 0));
    CHECK_OK(launch_add(&rig, cycle->side, cycle->buffer, 16, 2, 4));
    CHECK_OK(gc_event_record(cycle->join, cycle->side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, cycle->join, 0));
    cycle->exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_exec_generation(cycle->exec, &of_exec));
    CHECK(of_exec == generation());
    CHECK_OK(gc_graph_launch(cycle->exec, rig.stream));
    CHECK_OK(gc_graph_launch(cycle->exec, rig.stream));
    CHECK(read_u32(rig.stream, cycle->buffer, 0) == 2 && read_u32(rig.stream, cycle->buffer, 7) == 4);
    CHECK_OK(gc_graph_launch(cycle->exec, cycle->side));
    CHECK_OK(launch_add(&rig, cycle->side, cycle->wrapped, 0, 1, 1));
    CHECK_OK(gc_stream_begin_capture(cycle->captured, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, cycle->captured, cycle->buffer, 0, 1, 1));
}

static void cycle_destroy(struct cycle *cycle) {
    CHECK_OK(gc_graph_exec_destroy(cycle->exec));
    CHECK_OK(gc_event_destroy(cycle->join));
    CHECK_OK(gc_event_destroy(cycle->fork));
    CHECK_OK(gc_buffer_destroy(cycle->wrapped));
    CHECK_OK(gc_buffer_destroy(cycle->buffer));
    CHECK_OK(gc_stream_destroy(cycle->captured));
    CHECK_OK(gc_stream_destroy(cycle->side));
}

/* What the process has allocated; 0 under valgrind, which does not tell. */
static long long allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return (long long)(info.uordblks + info.hblkhd);
}

/* Begins the program anew without caches of threads, where allocated() tells something: what these hold counts as allocated, and they fill
 * for as long as one of graphcap's threads comes to do for the first time what others have done before. */
static void do_without_caches(char **argv) {
    void *piece = malloc(64);
    const int is_told = piece != NULL && allocated() > 0;
    free(piece);
    if (is_told && getenv("GLIBC_TUNABLES") == NULL && setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1) == 0)
        execv("/proc/self/exe", argv);
}

/* The least of some looks, since threads of graphcap's come and go. */
static void note_least(long long *least) {
    long long now = allocated();
    if (now < *least)
        *least = now;
}

static void a_context_is_reset_again_and_again(void) {
    enum { ROUNDS = 100, EARLY = 30, LATE = 20, PATIENCE_MS = 20000 };
    struct cycle cycle;
    long long before = INT64_MAX, after = INT64_MAX;
    uint64_t handles, first = generation();
    unsigned round;
    foreign_open(&cycle.foreign);
    handles = gc_live_handles();
    for (round = 0; round < ROUNDS; round++) {
        cycle_run(&cycle);
        REQUIRE_OK(gc_context_reset(rig.context));
        CHECK(generation() == first + round + 1);
        CHECK_STATUS(gc_graph_launch(cycle.exec, rig.stream), GRAPHCAP_ERROR_STALE);
        rig_renew();
        CHECK_STATUS(gc_graph_launch(cycle.exec, rig.stream), GRAPHCAP_ERROR_STALE);
        /* What was left on that stream is over, and what it used is released, whatever handles there are. */
        CHECK(collect_until(rig.context, &cycle.released, 1));
        cycle_destroy(&cycle);
        CHECK(gc_live_handles() == handles);
        CHECK_OK(gc_context_synchronize(rig.context));
        if (round >= EARLY - LATE && round < EARLY)
            note_least(&before);
        if (round >= ROUNDS - LATE)
            note_least(&after);
    }
    /* The buffers of a cycle alone are as much, and threads of graphcap's that give them back may get a core late. On a CUDA device
     * this is the driver's memory. */
    for (round = 0; !on_cuda() && round < PATIENCE_MS && after - before >= 64 * 1024; round++) {
        pause_ms(1);
        note_least(&after);
    }
    if (!on_cuda() && check_failed(after - before < 64 * 1024))
        fprintf(stderr, "    %lld bytes were allocated, and %lld are after %d more resets\n", before, after, ROUNDS - EARLY);
    foreign_close(&cycle.foreign);
}

/* Handles that nobody destroys keep nothing: memory, functions and what nodes kept go at the reset, behind the work. */
static void what_stale_handles_kept_is_released(void) {
    struct foreign foreign;
    struct gate gate;
    unsigned released = 0, called = 0, recorded = 0;
    gc_buffer *wrapped;
    gc_graph *graph = NULL;
    gc_node node = 0;
    uint64_t handles;
    gate_init(&gate);
    foreign_open(&foreign);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    foreign_clear(&foreign);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &recorded, count_call, &node));
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch_add(&rig, rig.stream, wrapped, 0, 7, 1));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &called, NULL));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    gate_await(&gate, 1);
    handles = gc_live_handles();
    CHECK_OK(gc_context_reset(rig.context));
    CHECK(gc_live_handles() == handles);
    CHECK(count_of(&released) == 0 && count_of(&called) == 0);
    gate_open(&gate);
    /* The destroy of a function that only a graph had is one more call of the same counter. */
    CHECK(collect_until(rig.context, &released, 1) && await_count(&called, 1) && await_count(&recorded, 1));
    CHECK(count_of(&released) == 1 && count_of(&recorded) == 1);
    CHECK(foreign_word(&foreign, 0) == 7);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK(count_of(&released) == 1);
    rig_renew();
    foreign_close(&foreign);
    gate_free(&gate);
}

/* Handles of default streams, of a graph within a node and of the graph of a capture. All handles of the context are renewed. */
static void further_handles_are_stale(void) {
    gc_stream *defaults[2] = {NULL, NULL}, *captured = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL, *child = NULL, *within = NULL, *going_on = NULL;
    gc_context *again = NULL, *from_stale = NULL;
    gc_capture *capture = NULL;
    gc_event *event = NULL;
    gc_node node = 0, empty = 0;
    size_t count = 0;
    uint64_t number = 0;
    int i;
    REQUIRE_OK(gc_stream_get_context(captured, &again));
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &defaults[0]));
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &defaults[1]));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_create(rig.context, &child));
    REQUIRE_OK(gc_graph_add_empty_node(child, NULL, 0, &empty));
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &within));
    REQUIRE_OK(gc_capture_begin(captured, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    REQUIRE_OK(gc_stream_capture_graph(captured, &going_on));
    CHECK_OK(gc_context_reset(again));
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(gc_stream_synchronize(defaults[i]), GRAPHCAP_ERROR_STALE);
        CHECK_OK(gc_stream_destroy(defaults[i]));
        CHECK_STATUS(gc_stream_destroy(defaults[i]), GRAPHCAP_ERROR_INVALID_HANDLE);
    }
    CHECK_MESSAGE(gc_graph_node_count(within, &count), GRAPHCAP_ERROR_STALE, "reset");
    CHECK_STATUS(gc_graph_node_count(going_on, &count), GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(gc_capture_recorded_count(capture, &number), GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(gc_capture_abort(capture), GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(gc_stream_get_context(captured, &from_stale), GRAPHCAP_ERROR_STALE);
    CHECK(from_stale == NULL);
    /* Both are the context as it is now. */
    CHECK_OK(gc_context_generation(again, &number));
    CHECK(number == generation());
    CHECK_OK(gc_event_create(again, NULL, &event));
    rig_renew();
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_event_synchronize(event));
    /* In the new generation as in a new context. */
    CHECK_OK(gc_context_per_thread_stream(rig.context, &defaults[1]));
    CHECK_OK(gc_stream_begin_capture(defaults[1], GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(gc_graph_exec_destroy(finish_capture(defaults[1])));
    CHECK_OK(gc_stream_destroy(defaults[1]));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_destroy(going_on));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_destroy(again));
    CHECK_OK(gc_stream_destroy(captured));
}

/* What a function of the caller's is called for that resets the context. */
struct resetting {
    gc_status answer;
};

static gc_status reset_while_recording(const gc_stream *stream, void *user_data) {
    struct resetting *it = (struct resetting *)user_data;
    (void)stream;
    it->answer = gc_context_reset(rig.context);
    return GRAPHCAP_SUCCESS;
}

static gc_status reset_for_cache(const gc_stream *stream, const void *key, size_t key_size, void *user_data,
                                 void *launch_data) {
    (void)key;
    (void)key_size;
    (void)launch_data;
    return reset_while_recording(stream, user_data);
}

/* The capture is gone when the function returns, and the call that began it says why. */
static void a_reset_inside_a_capture_discards_it(void) {
    gc_graph_cache_options options = GRAPHCAP_GRAPH_CACHE_OPTIONS_INIT;
    struct resetting it = {GRAPHCAP_ERROR_UNKNOWN};
    gc_graph_cache *cache = NULL;
    gc_graph *graph = NULL;
    gc_buffer *buffer;
    CHECK_STATUS(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, reset_while_recording, &it, NULL, &graph),
                 GRAPHCAP_ERROR_STALE);
    CHECK_OK(it.answer);
    CHECK(graph == NULL);
    rig_renew();
    options.record = reset_for_cache;
    options.user_data = &it;
    REQUIRE_OK(gc_graph_cache_create(rig.context, &options, &cache));
    it.answer = GRAPHCAP_ERROR_UNKNOWN;
    CHECK_STATUS(gc_graph_cache_launch(cache, "key", 3, rig.stream, NULL), GRAPHCAP_ERROR_STALE);
    CHECK_OK(it.answer);
    CHECK_OK(gc_graph_cache_destroy(cache));
    rig_renew();
    /* No capture is left that bars anything. */
    buffer = open_buffer(rig.context, 4);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Another context of the device, which work of the old generation reached into, and which borrowed from it. */
static void other_contexts_go_on(void) {
    struct rig other;
    struct gate gate;
    struct foreign foreign;
    unsigned released = 0;
    gc_buffer *there, *lent;
    gc_graph_exec *theirs, *ours;
    uint64_t number = 0;
    gate_init(&gate);
    foreign_open(&foreign);
    rig_open(&other);
    there = open_buffer(other.context, 64);
    lent = wrap_foreign(rig.context, &foreign, &released);
    foreign_clear(&foreign);
    CHECK_OK(gc_stream_begin_capture(other.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&other, other.stream, there, 0, 1, 1));
    theirs = finish_capture(other.stream);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, lent, 0, 5, 1));
    ours = finish_capture(rig.stream);
    CHECK_OK(launch_hold(&other, other.stream, &gate));
    CHECK_OK(gc_graph_launch(ours, other.stream));
    CHECK_OK(gc_stream_memcpy_peer(other.stream, there, 4, lent, 0, 4));
    CHECK_OK(gc_graph_launch(theirs, other.stream));
    CHECK_OK(gc_context_reset(rig.context));
    CHECK_STATUS(gc_graph_launch(ours, other.stream), GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(gc_stream_memcpy_peer(other.stream, there, 4, lent, 0, 4), GRAPHCAP_ERROR_STALE);
    CHECK_OK(gc_graph_launch(theirs, other.stream));
    CHECK_OK(gc_context_generation(other.context, &number));
    CHECK(number == 1 && count_of(&released) == 0);
    gate_open(&gate);
    CHECK(read_u32(other.stream, there, 0) == 2 && read_u32(other.stream, there, 1) == 5);
    CHECK(collect_until(rig.context, &released, 1));
    CHECK(foreign_word(&foreign, 0) == 5);
    CHECK_OK(gc_graph_exec_destroy(ours));
    CHECK_OK(gc_buffer_destroy(lent));
    rig_renew();
    CHECK_OK(gc_graph_exec_destroy(theirs));
    CHECK_OK(gc_buffer_destroy(there));
    rig_close(&other);
    foreign_close(&foreign);
    gate_free(&gate);
}

static void a_capture_over_two_contexts_is_discarded(void) {
    struct rig other;
    gc_event *fork = open_event(rig.context);
    rig_open(&other);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(fork, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(other.stream, fork, 0));
    CHECK(capture_state(other.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_context_reset(rig.context));
    CHECK(capture_state(other.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_stream_synchronize(other.stream));
    CHECK_OK(gc_event_destroy(fork));
    rig_close(&other);
    rig_renew();
}

/* Several contexts, and the handle of a context that was destroyed. */
static void a_context_without_a_handle_is_not_reset(void) {
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0);
    CHECK_OK(gc_context_destroy(context));
    CHECK_STATUS(gc_context_reset(context), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
}

/* The last handle of the context is destroyed while stale handles are left. */
static void stale_handles_outlive_the_context(void) {
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *buffer = open_buffer(context, 64);
    uint64_t handles = gc_live_handles();
    CHECK_OK(gc_context_reset(context));
    CHECK_OK(gc_context_reset(context));
    CHECK_OK(gc_context_destroy(context));
    CHECK(gc_live_handles() == handles - 1);
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_STALE);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(gc_live_handles() == handles - 3);
}

int main(int argc, char **argv) {
    (void)argc;
    do_without_caches(argv);
    rig_open(&rig);
    CHECK(generation() == 1);
    RUN(a_context_is_reset_again_and_again);
    RUN(what_stale_handles_kept_is_released);
    RUN(further_handles_are_stale);
    RUN(a_reset_inside_a_capture_discards_it);
    RUN(other_contexts_go_on);
    RUN(a_capture_over_two_contexts_is_discarded);
    RUN(a_context_without_a_handle_is_not_reset);
    RUN(stale_handles_outlive_the_context);
    reset();
    rig_close(&rig);
    return check_finish();
}
