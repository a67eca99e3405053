/* Retention and release on a GPU: with streams held by the driver's own wait for a value that nobody writes yet, all
 * handles are destroyed. Nothing hangs, nobody else is held up, no capture is harmed; when the value is written the
 * work gives its results, and all memory comes back. */
#include "cuda_driver.h"

enum { LARGE = 8 << 20 };

/* What stays open through the program: others who go on meanwhile. */
static struct rig alive;
static uint64_t alive_handles;

/* Words of the pinned memory: the gate, then the results, each 0 until its work has run. */
enum { GATE, PENDING, WRAPPED, FOLLOWER, IN_GRAPH, WRAPPED_STREAM, WORDS };

/* One of everything. */
struct scene {
    struct rig rig;
    gc_module *module;
    gc_kernel *add;
    /* `held` and `theirs` wait for the gate, `follower` for both. */
    gc_stream *held, *follower, *theirs;
    gc_event *behind, *joined, *unused;
    gc_buffer *complete, *pending, *untouched, *wrapped, *in_graph;
    gc_graph *graph;
    gc_graph_exec *exec;
    void *native;
    uint64_t memory;
    struct pinned pinned;
    unsigned calls, dropped, released;
};

static gc_status add_by(const struct scene *s, const gc_stream *stream, const gc_buffer *buffer, uint32_t value) {
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(stream, s->add, 1, 1, arguments, 3);
}

/* Opens everything, and runs it once. */
static void scene_open(struct scene *s) {
    memset(s, 0, sizeof *s);
    pinned_open(&s->pinned, WORDS);
    rig_open(&s->rig);
    s->module = load_kernels(s->rig.context);
    s->add = get_kernel(s->module, "add");
    s->held = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    s->follower = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    s->native = raw_stream(CU_STREAM_APART);
    s->theirs = wrap_stream(s->rig.context, s->native);
    s->behind = open_event(s->rig.context);
    s->joined = open_event(s->rig.context);
    s->unused = open_event(s->rig.context);
    s->complete = open_buffer(s->rig.context, LARGE);
    s->pending = open_buffer(s->rig.context, LARGE);
    s->untouched = open_buffer(s->rig.context, LARGE);
    s->in_graph = open_buffer(s->rig.context, LARGE);
    REQUIRE_CU(cu.memory_allocate(&s->memory, LARGE));
    s->wrapped = wrap_memory(s->rig.context, s->memory, LARGE, &s->released);
    CHECK_OK(gc_stream_memset(s->held, s->wrapped, 0, 0, 4, 2));

    REQUIRE_OK(gc_stream_begin_capture(s->held, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&s->rig, s->held, s->in_graph, 0, 5, 1));
    CHECK_OK(gc_stream_launch_host_func(s->held, told_call, told_open(&s->calls, &s->dropped), told_drop));
    REQUIRE_OK(gc_stream_end_capture(s->held, &s->graph));
    REQUIRE_OK(gc_graph_instantiate(s->graph, NULL, &s->exec));
    CHECK_OK(gc_graph_launch(s->exec, s->held));
    CHECK_OK(gc_graph_launch(s->exec, s->theirs));
    CHECK_OK(add_by(s, s->held, s->pending, 1));
    CHECK_OK(launch_add(&s->rig, s->held, s->complete, 0, 1, 1));
    CHECK_OK(gc_stream_synchronize(s->theirs));
    CHECK_OK(gc_stream_synchronize(s->held));
    CHECK_EQUAL(s->calls, 2);
}

static void *word_of(const struct scene *s, unsigned word) {
    return (void *)(uintptr_t)(s->pinned.words + word);
}

/* Holds the streams and queues work of all kinds behind, with copies of the results to pinned memory at the end. */
static void scene_hold(struct scene *s) {
    raw_hold(native_stream(s->held), &s->pinned, GATE);
    raw_hold(s->native, &s->pinned, GATE);
    CHECK_OK(add_by(s, s->held, s->pending, 10));
    CHECK_OK(gc_graph_launch(s->exec, s->held));
    CHECK_OK(launch_add(&s->rig, s->held, s->wrapped, 0, 7, 1));
    CHECK_OK(gc_stream_launch_host_func(s->held, told_call, told_open(&s->calls, &s->dropped), told_drop));
    CHECK_OK(gc_event_record(s->behind, s->held, 0));
    CHECK_OK(gc_stream_wait_event(s->follower, s->behind, 0));
    CHECK_OK(gc_graph_launch(s->exec, s->theirs));
    CHECK_OK(launch_add(&s->rig, s->theirs, s->wrapped, 4, 9, 1));
    CHECK_OK(gc_event_record(s->joined, s->theirs, 0));
    CHECK_OK(gc_stream_wait_event(s->follower, s->joined, 0));
    CHECK_OK(launch_add(&s->rig, s->follower, s->pending, 4, 3, 1));
    CHECK_OK(gc_stream_memcpy_dtoh(s->held, word_of(s, PENDING), s->pending, 0, 4));
    CU_OK(cu.copy_out(word_of(s, WRAPPED), s->memory, 4, native_stream(s->held)));
    CU_OK(cu.copy_out(word_of(s, WRAPPED_STREAM), s->memory + 4, 4, s->native));
    CHECK_OK(gc_stream_memcpy_dtoh(s->follower, word_of(s, FOLLOWER), s->pending, 4, 4));
    CHECK_OK(gc_stream_memcpy_dtoh(s->follower, word_of(s, IN_GRAPH), s->in_graph, 0, 4));
}

enum { STEPS = 19 };

static void destroy_step(struct scene *s, unsigned step) {
    switch (step) {
    case 0: SOON(gc_context_destroy(s->rig.context)); break;
    case 1: SOON(gc_module_destroy(s->rig.module)); break;
    case 2:
        SOON(gc_kernel_destroy(s->rig.add));
        SOON(gc_kernel_destroy(s->rig.fill));
        SOON(gc_kernel_destroy(s->rig.hold));
        SOON(gc_kernel_destroy(s->rig.mix));
        SOON(gc_kernel_destroy(s->rig.note));
        break;
    case 3: SOON(gc_stream_destroy(s->rig.stream)); break;
    case 4: SOON(gc_module_destroy(s->module)); break;
    case 5: SOON(gc_kernel_destroy(s->add)); break;
    case 6: SOON(gc_stream_destroy(s->held)); break;
    case 7: SOON(gc_stream_destroy(s->follower)); break;
    case 8: SOON(gc_stream_destroy(s->theirs)); break;
    case 9: SOON(gc_event_destroy(s->behind)); break;
    case 10: SOON(gc_event_destroy(s->joined)); break;
    case 11: SOON(gc_event_destroy(s->unused)); break;
    case 12: SOON(gc_buffer_destroy(s->complete)); break;
    case 13: SOON(gc_buffer_destroy(s->pending)); break;
    case 14: SOON(gc_buffer_destroy(s->untouched)); break;
    case 15: SOON(gc_buffer_destroy(s->wrapped)); break;
    case 16: SOON(gc_buffer_destroy(s->in_graph)); break;
    case 17: SOON(gc_graph_destroy(s->graph)); break;
    default: SOON(gc_graph_exec_destroy(s->exec)); break;
    }
}

struct destruction {
    struct scene *scene;
    unsigned step;
};

static void *destroy_on_thread(void *argument) {
    struct destruction *destruction = (struct destruction *)argument;
    destroy_step(destruction->scene, destruction->step);
    return NULL;
}

/* Who destroys. */
enum { THIS_THREAD, ANOTHER_THREAD, BOTH_THREADS };
static const char *const who_names[] = {"this thread", "another thread", "both threads"};

/* Destroys everything in an order of its own for each seed. `captured`, if any, must go on recording. */
static void destroy_everything(struct scene *s, unsigned who, uint32_t seed, const gc_stream *captured) {
    unsigned order[STEPS], i;
    for (i = 0; i < STEPS; i++)
        order[i] = i;
    for (i = STEPS - 1; i > 0 && seed != 0; i--) {
        unsigned k, swap = order[i];
        seed = seed * 1664525u + 1013904223u;
        k = (seed >> 8) % (i + 1);
        order[i] = order[k];
        order[k] = swap;
    }
    for (i = 0; i < STEPS; i++) {
        struct destruction destruction;
        destruction.scene = s;
        destruction.step = order[i];
        if (who == ANOTHER_THREAD || (who == BOTH_THREADS && i % 2))
            on_another_thread(destroy_on_thread, &destruction);
        else
            destroy_step(s, order[i]);
        if (captured != NULL && check_failed(capture_state(captured) == GRAPHCAP_CAPTURE_STATUS_ACTIVE))
            fprintf(stderr, "in %s: step %u of destroy_step() broke a capture\n", check_test, order[i]);
    }
}

/* Nothing has run, and nothing was given back. */
static void check_held(const struct scene *s) {
    unsigned word;
    for (word = PENDING; word < WORDS; word++)
        CHECK_EQUAL(s->pinned.words[word], 0);
    CHECK_EQUAL(count_of(&s->calls), 2);
    CHECK_EQUAL(count_of(&s->dropped), 0);
    CHECK_EQUAL(count_of(&s->released), 0);
}

/* Writes the value: everything runs and is given back, though no handle is left. Makes no call of the driver. */
static void scene_let_go(struct scene *s) {
    unsigned word, rounds = 0;
    raw_let_go(&s->pinned, GATE);
    for (word = PENDING; word < WORDS; word++)
        while (s->pinned.words[word] == 0 && rounds++ < 20000)
            pause_ms(1);
    CHECK_EQUAL(s->pinned.words[PENDING], 11);
    CHECK_EQUAL(s->pinned.words[WRAPPED], 7);
    CHECK_EQUAL(s->pinned.words[WRAPPED_STREAM], 9);
    CHECK_EQUAL(s->pinned.words[FOLLOWER], 3);
    CHECK_EQUAL(s->pinned.words[IN_GRAPH], 20);
    CHECK(await_count(&s->dropped, 2));
    CHECK(await_count(&s->released, 1));
    CHECK_EQUAL(count_of(&s->calls), 5);
}

static void scene_close(struct scene *s) {
    CU_OK(cu.stream_synchronize(s->native));
    CU_OK(cu.stream_destroy(s->native));
    CU_OK(cu.memory_free(s->memory));
    pinned_close(&s->pinned);
    CHECK_EQUAL(count_of(&s->dropped), 2);
    CHECK_EQUAL(count_of(&s->released), 1);
    CHECK_EQUAL(gc_live_handles(), alive_handles);
}

/* Others at work: allocate, launch, record, replay, wait and free. */
struct others {
    unsigned rounds, stop;
};

/* What a thread works on, and where its work writes what it comes to. The stream is there before any other is held, and a
 * kernel writes the outcome. The driver has few queues, and what is in one waits for what is before it: a new stream can
 * get the queue of a held one, and copies can meet in the queue for copies. Without graphcap it is the same. */
struct outcome {
    struct pinned pinned;
    gc_stream *stream;
    gc_buffer *buffer;
};

static void outcome_open(struct outcome *outcome) {
    pinned_open(&outcome->pinned, 1);
    outcome->stream = open_stream(alive.context, GRAPHCAP_STREAM_NON_BLOCKING);
    REQUIRE_OK(gc_buffer_wrap(alive.context, (void *)(uintptr_t)outcome->pinned.address, sizeof(uint32_t), NULL, NULL,
                              &outcome->buffer));
}

static void outcome_close(struct outcome *outcome) {
    CHECK_OK(gc_buffer_destroy(outcome->buffer));
    CHECK_OK(gc_stream_destroy(outcome->stream));
    pinned_close(&outcome->pinned);
}

static void work_once(const struct outcome *outcome, uint32_t number) {
    const gc_stream *stream = outcome->stream;
    gc_event *event = open_event(alive.context);
    gc_buffer *buffer = NULL;
    gc_graph_exec *exec;
    uint32_t one = 1;
    REQUIRE_OK(gc_buffer_allocate(alive.context, 1 << 20, &buffer));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, number, 4, 1));
    CHECK_OK(launch_add(&alive, stream, buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&alive, stream, buffer, 0, 2, 1));
    exec = finish_capture(stream);
    CHECK_OK(gc_graph_launch(exec, stream));
    {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(outcome->buffer), GRAPHCAP_ARG_INIT_BUFFER(buffer),
                                     GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(one)};
        CHECK_OK(launch(stream, alive.mix, 1, 1, arguments, 4));
    }
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_event_synchronize(event));
    CHECK_EQUAL(outcome->pinned.words[0], 4 * (number + 3) + 1);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_synchronize(stream));
}

static void *work_on(void *argument) {
    struct others *others = (struct others *)argument;
    struct outcome outcome;
    REQUIRE_CU(cu.context_set(cu.primary));
    outcome_open(&outcome);
    while (!__atomic_load_n(&others->stop, __ATOMIC_ACQUIRE)) {
        work_once(&outcome, count_of(&others->rounds));
        count_call(&others->rounds);
    }
    outcome_close(&outcome);
    return NULL;
}

/* The main scenario: everything destroyed behind a wait that nobody ends, while others go on. */
static void destroy_behind_a_wait(unsigned who, uint32_t seed) {
    static struct scene s;
    struct others others;
    struct outcome outcome;
    pthread_t thread;
    uint32_t i;
    others.rounds = others.stop = 0;
    outcome_open(&outcome);
    scene_open(&s);
    if (pthread_create(&thread, NULL, work_on, &others) != 0)
        exit(EXIT_FAILURE);
    CHECK(await_count(&others.rounds, 3));
    scene_hold(&s);
    destroy_everything(&s, who, seed, NULL);
    check_held(&s);
    /* Another thread goes on, and so does this one. */
    CHECK(await_count(&others.rounds, count_of(&others.rounds) + 10));
    watch_begin("work of this thread while another stream is held");
    for (i = 0; i < 10; i++)
        work_once(&outcome, i);
    watch_end();
    CHECK(await_count(&others.rounds, count_of(&others.rounds) + 10));
    check_held(&s);
    scene_let_go(&s);
    __atomic_store_n(&others.stop, 1, __ATOMIC_RELEASE);
    watch_begin("the end of the other thread");
    pthread_join(thread, NULL);
    watch_end();
    outcome_close(&outcome);
    scene_close(&s);
    CHECK_OK(gc_context_collect(alive.context));
}

static void everything_is_destroyed_behind_a_wait(void) {
    unsigned round, rounds = soak(6, 100);
    size_t before = 0;
    for (round = 0; round < rounds; round++) {
        destroy_behind_a_wait(round % 3, round);
        /* What the driver itself keeps is there after the first rounds, one for each kind of thread. */
        if (round < 3) {
            pause_ms(300);
            before = free_memory();
        } else {
            check_memory(before, "a round");
        }
    }
}

/* The same while a stream is captured. Nothing is asked of the driver meanwhile that the capture would bar. */
static void destroy_during_capture(gc_capture_mode mode, int raw_begin, uint32_t flags, unsigned who, uint32_t seed) {
    static struct scene s;
    gc_stream *captured = open_stream(alive.context, flags);
    gc_buffer *kept = open_buffer(alive.context, 64), *given_up = open_buffer(alive.context, 64);
    gc_graph_exec *exec;
    unsigned failures = check_failures;
    void *native = raw_begin ? native_stream(captured) : NULL;
    scene_open(&s);
    scene_hold(&s);
    if (raw_begin)
        REQUIRE_CU(cu.begin_capture(native, (unsigned)mode));
    else
        REQUIRE_OK(gc_stream_begin_capture(captured, mode));
    CHECK_OK(launch_add(&alive, captured, kept, 0, 1, 1));
    CHECK_OK(launch_add(&alive, captured, given_up, 0, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(captured, kept, 4, given_up, 0, 4));
    SOON(gc_buffer_destroy(given_up));
    destroy_everything(&s, who, seed, captured);
    check_held(&s);
    scene_let_go(&s);
    CHECK(capture_state(captured) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(launch_add(&alive, captured, kept, 0, 2, 1));
    exec = finish_capture(captured);
    CHECK_OK(gc_graph_launch(exec, captured));
    CHECK_EQUAL(read_u32(captured, kept, 0), 3);
    CHECK_EQUAL(read_u32(captured, kept, 1), 4);
    CHECK_OK(gc_graph_launch(exec, captured));
    CHECK_EQUAL(read_u32(captured, kept, 0), 6);
    CHECK_EQUAL(read_u32(captured, kept, 1), 8);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(kept));
    CHECK_OK(gc_stream_destroy(captured));
    scene_close(&s);
    if (check_failures != failures)
        fprintf(stderr, "that was in a capture of mode %d, begun by %s, on a %s stream, destroyed by %s\n", (int)mode,
                raw_begin ? "raw calls" : "graphcap", flags ? "non-blocking" : "blocking", who_names[who]);
}

static void destroying_harms_no_capture(void) {
    int mode, raw_begin;
    unsigned who, round = 0;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++)
        for (raw_begin = 0; raw_begin <= 1; raw_begin++)
            for (who = THIS_THREAD; who <= BOTH_THREADS; who++, round++)
                destroy_during_capture(mode, raw_begin, round % 2 ? GRAPHCAP_STREAM_NON_BLOCKING : 0, who, round);
}

static void *collect(void *context) {
    SOON(gc_context_collect((gc_context *)context));
    return NULL;
}

/* What was destroyed is collected while a stream is captured, by this and another thread: modules, memory, and what the
 * default streams used. */
static void collecting_harms_no_capture(void) {
    int mode;
    unsigned on_thread, flags;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++)
        for (on_thread = 0; on_thread < 2; on_thread++)
            for (flags = 0; flags <= GRAPHCAP_STREAM_NON_BLOCKING; flags += GRAPHCAP_STREAM_NON_BLOCKING) {
                gc_stream *captured = open_stream(alive.context, flags), *defaults[2] = {NULL, NULL};
                gc_buffer *kept = open_buffer(alive.context, 64), *buffer;
                gc_module *module = load_kernels(alive.context);
                gc_kernel *kernel = get_kernel(module, "nothing");
                gc_graph_exec *exec;
                unsigned i, released = 0;
                uint64_t memory[2] = {0, 0};
                REQUIRE_OK(gc_context_legacy_stream(alive.context, &defaults[0]));
                REQUIRE_OK(gc_context_per_thread_stream(alive.context, &defaults[1]));
                CHECK_OK(launch(captured, kernel, 1, 1, NULL, 0));
                CHECK_OK(gc_stream_synchronize(captured));
                for (i = 0; i < 2; i++) {
                    REQUIRE_CU(cu.memory_allocate(&memory[i], 64));
                    buffer = wrap_memory(alive.context, memory[i], 64, &released);
                    CHECK_OK(gc_stream_memset(defaults[i], buffer, 0, 1, 4, 1));
                    CHECK_OK(gc_buffer_destroy(buffer));
                }
                CHECK_OK(gc_kernel_destroy(kernel));
                REQUIRE_OK(gc_stream_begin_capture(captured, mode));
                CHECK_OK(launch_add(&alive, captured, kept, 0, 1, 1));
                CHECK_OK(gc_module_destroy(module));
                REQUIRE_OK(gc_buffer_allocate(alive.context, 1 << 20, &buffer));
                CHECK_OK(gc_buffer_destroy(buffer));
                if (on_thread)
                    on_another_thread(collect, alive.context);
                else
                    collect(alive.context);
                if (check_failed(capture_state(captured) == GRAPHCAP_CAPTURE_STATUS_ACTIVE))
                    fprintf(stderr, "in %s: mode %d, on %s thread, %s stream: broken\n", check_test, mode,
                            on_thread ? "another" : "this", flags ? "non-blocking" : "blocking");
                CHECK_OK(launch_add(&alive, captured, kept, 0, 2, 1));
                exec = finish_capture(captured);
                CHECK_OK(gc_graph_launch(exec, captured));
                CHECK_EQUAL(read_u32(captured, kept, 0), 3);
                /* With no capture in the way the default streams are no obstacle. */
                CHECK(collect_until(alive.context, &released, 2));
                CHECK_OK(gc_graph_exec_destroy(exec));
                CHECK_OK(gc_buffer_destroy(kept));
                CHECK_OK(gc_stream_destroy(captured));
                CHECK_OK(gc_stream_destroy(defaults[0]));
                CHECK_OK(gc_stream_destroy(defaults[1]));
                CU_OK(cu.memory_free(memory[0]));
                CU_OK(cu.memory_free(memory[1]));
                CHECK_EQUAL(count_of(&released), 2);
            }
    CHECK_EQUAL(gc_live_handles(), alive_handles);
}

/* Ways in which memory that a default stream used is given back. */
enum way { NEXT_WORK, SYNCHRONIZE, CONTEXT_SYNCHRONIZE, COLLECT, END_OF_CONTEXT, WAYS };
static const char *const way_names[] = {"the next work on it", "gc_stream_synchronize", "gc_context_synchronize",
                                        "gc_context_collect", "the end of the context"};

struct default_use {
    gc_context *context;
    gc_buffer *buffer;
    int per_thread;
};

static gc_stream *default_stream(const gc_context *context, int per_thread) {
    gc_stream *stream = NULL;
    if (per_thread)
        REQUIRE_OK(gc_context_per_thread_stream(context, &stream));
    else
        REQUIRE_OK(gc_context_legacy_stream(context, &stream));
    return stream;
}

static void *use_default_stream(void *argument) {
    struct default_use *use = (struct default_use *)argument;
    gc_stream *stream = default_stream(use->context, use->per_thread);
    CHECK_OK(gc_stream_memset(stream, use->buffer, 0, 1, 4, 1));
    CHECK_OK(gc_buffer_destroy(use->buffer));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

/* Of its own thread's default streams a collect asks whether their work is complete, which takes its time on a GPU that
 * others use as well. For those of other threads it waits. */
static void collect_what_was_used(const struct default_use *use, const unsigned *released, int on_thread) {
    if (use->per_thread && on_thread)
        CHECK_OK(gc_context_collect(use->context));
    else
        CHECK(collect_until(use->context, released, 1));
}

static void check_given_back(const unsigned *released, int way, int per_thread, int on_thread) {
    if (check_failed(await_count(released, 1)))
        fprintf(stderr, "in %s: a buffer used on the %s stream by %s thread is not given back by %s\n", check_test,
                per_thread ? "per-thread" : "legacy", on_thread ? "another" : "this", way_names[way]);
}

static void default_streams_give_back_what_they_used(void) {
    int way, per_thread, on_thread;
    for (way = 0; way < WAYS; way++)
        for (per_thread = 0; per_thread <= 1; per_thread++)
            for (on_thread = 0; on_thread <= 1; on_thread++) {
                struct default_use use;
                uint64_t memory = 0;
                unsigned released = 0;
                gc_stream *stream;
                gc_buffer *other;
                /* The per-thread stream of a thread that is over is reached through the whole context only. */
                if (per_thread && on_thread && (way == NEXT_WORK || way == SYNCHRONIZE))
                    continue;
                REQUIRE_CU(cu.memory_allocate(&memory, 64));
                use.context = open_context();
                use.per_thread = per_thread;
                use.buffer = wrap_memory(use.context, memory, 64, &released);
                other = open_buffer(use.context, 64);
                stream = default_stream(use.context, per_thread);
                if (on_thread)
                    on_another_thread(use_default_stream, &use);
                else
                    use_default_stream(&use);
                switch ((enum way)way) {
                case NEXT_WORK: CHECK_OK(gc_stream_memset(stream, other, 0, 1, 4, 1)); break;
                case SYNCHRONIZE: CHECK_OK(gc_stream_synchronize(stream)); break;
                case CONTEXT_SYNCHRONIZE: CHECK_OK(gc_context_synchronize(use.context)); break;
                case COLLECT: collect_what_was_used(&use, &released, on_thread); break;
                default: break;
                }
                if (way != END_OF_CONTEXT)
                    check_given_back(&released, way, per_thread, on_thread);
                CHECK_OK(gc_buffer_destroy(other));
                CHECK_OK(gc_stream_destroy(stream));
                CHECK_OK(gc_context_destroy(use.context));
                /* Whoever waits for all default streams tells how far that of a thread that is over is. */
                if (way == END_OF_CONTEXT && per_thread && on_thread) {
                    pause_ms(100);
                    CHECK_EQUAL(count_of(&released), 0);
                    CHECK_OK(gc_context_collect(alive.context));
                }
                check_given_back(&released, way, per_thread, on_thread);
                CU_OK(cu.memory_free(memory));
                CHECK_EQUAL(count_of(&released), 1);
            }
    CHECK_EQUAL(gc_live_handles(), alive_handles);
}

/* A default stream that is held holds nobody whom it did not hold before: releasing what it used, up to the end of its
 * context, puts nothing on a stream that others order against. */
static void a_held_per_thread_stream_holds_no_other(void) {
    struct pinned pinned;
    gc_context *context = open_context();
    gc_stream *stream = default_stream(context, 1);
    gc_buffer *allocated = open_buffer(context, LARGE), *wrapped;
    uint64_t memory = 0;
    unsigned released = 0, rounds = 0;
    void *blocking = raw_stream(CU_STREAM_BLOCKING);
    REQUIRE_CU(cu.memory_allocate(&memory, 64));
    pinned_open(&pinned, 1);
    wrapped = wrap_memory(context, memory, 64, &released);
    raw_hold(CU_PER_THREAD, &pinned, 0);
    CHECK_OK(gc_stream_memset(stream, wrapped, 0, 1, 4, 1));
    CHECK_OK(gc_stream_memset(stream, allocated, 0, 1, 4, 1));
    SOON(gc_buffer_destroy(wrapped));
    SOON(gc_buffer_destroy(allocated));
    SOON(gc_stream_destroy(stream));
    SOON(gc_context_destroy(context));
    /* Longer than graphcap waits between two looks at a context that has ended. */
    pause_ms(200);
    CU_OK(cu.fill_words(memory + 32, 1, 1, blocking));
    while (cu.stream_query(blocking) == CU_NOT_READY && rounds++ < 5000)
        pause_ms(1);
    CHECK_CU(cu.stream_query(blocking), 0);
    CHECK_EQUAL(count_of(&released), 0);
    raw_let_go(&pinned, 0);
    CHECK(await_count(&released, 1));
    CU_OK(cu.stream_synchronize(CU_PER_THREAD));
    CU_OK(cu.stream_destroy(blocking));
    CU_OK(cu.memory_free(memory));
    pinned_close(&pinned);
    CHECK_EQUAL(gc_live_handles(), alive_handles);
}

/* Memory that goes round and round on several streams does not grow, neither do the objects behind it. */
static void ten_thousand_buffers_come_and_go(void) {
    enum { STREAMS = 4, ROUNDS = 10000, WARM = 500, WRAP_EVERY = 10 };
    const size_t size = 1 << 20, allowed = (size_t)1 << 30;
    gc_stream *streams[STREAMS];
    void *native = raw_stream(CU_STREAM_APART);
    gc_buffer *buffer = NULL;
    uint64_t memory = 0;
    unsigned i, released = 0, wraps = 0;
    size_t before = 0;
    REQUIRE_CU(cu.memory_allocate(&memory, size));
    streams[0] = open_stream(alive.context, GRAPHCAP_STREAM_NON_BLOCKING);
    streams[1] = open_stream(alive.context, 0);
    streams[2] = wrap_stream(alive.context, native);
    streams[3] = default_stream(alive.context, 1);
    for (i = 0; i < ROUNDS; i++) {
        const gc_stream *stream = streams[i % STREAMS];
        if (i % WRAP_EVERY == 0) {
            buffer = wrap_memory(alive.context, memory, size, &released);
            wraps++;
        } else {
            REQUIRE_OK(gc_buffer_allocate(alive.context, size, &buffer));
        }
        CHECK_OK(gc_stream_memset(stream, buffer, 0, i, 4, size / 4));
        CHECK_OK(launch_add(&alive, stream, buffer, 0, 1, 256));
        /* The wrapped memory is used by two streams at once. */
        if (i % 61 == 0 && i % WRAP_EVERY != 0)
            CHECK_EQUAL(read_u32(stream, buffer, 255), i + 1);
        CHECK_OK(gc_buffer_destroy(buffer));
        if (i == WARM) {
            CHECK_OK(gc_context_synchronize(alive.context));
            CHECK_OK(gc_context_collect(alive.context));
            before = free_memory();
        } else if (i > WARM && i % 1000 == 0) {
            size_t now = free_memory();
            if (check_failed(now + allowed >= before))
                fprintf(stderr, "in %s: after %u buffers %llu bytes are taken\n", check_test, i,
                        (unsigned long long)(before - now));
        }
    }
    CHECK_OK(gc_context_synchronize(alive.context));
    CHECK(await_count(&released, wraps));
    CHECK_OK(gc_context_collect(alive.context));
    check_memory(before, "10,000 buffers");
    for (i = 0; i < STREAMS; i++)
        CHECK_OK(gc_stream_destroy(streams[i]));
    CU_OK(cu.stream_destroy(native));
    CU_OK(cu.memory_free(memory));
    CHECK_EQUAL(count_of(&released), wraps);
    CHECK_EQUAL(gc_live_handles(), alive_handles);
}

/* Contexts, modules, streams, graphs and execs that come and go leave nothing on the device. */
static void objects_come_and_go(void) {
    unsigned round, rounds = soak(40, 1000);
    size_t before = 0;
    for (round = 0; round < rounds; round++) {
        static struct scene s;
        scene_open(&s);
        scene_hold(&s);
        raw_let_go(&s.pinned, GATE);
        destroy_everything(&s, THIS_THREAD, round, NULL);
        scene_let_go(&s);
        scene_close(&s);
        /* Code is unloaded by calls that wait alone. */
        if (round == rounds / 2) {
            CHECK_OK(gc_context_collect(alive.context));
            before = free_memory();
        }
    }
    CHECK_OK(gc_context_collect(alive.context));
    check_memory(before, "scenes that came and went");
}

int main(void) {
    cuda_open();
    rig_open(&alive);
    alive_handles = gc_live_handles();
    RUN(everything_is_destroyed_behind_a_wait);
    RUN(destroying_harms_no_capture);
    RUN(collecting_harms_no_capture);
    RUN(default_streams_give_back_what_they_used);
    RUN(ten_thousand_buffers_come_and_go);
    RUN(objects_come_and_go);
    RUN(a_held_per_thread_stream_holds_no_other);
    rig_close(&alive);
    return cuda_finish();
}
