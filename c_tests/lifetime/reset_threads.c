/* Resets beside other threads: each of their calls works or says that its object is stale, waits end, and one of several threads
 * that reset a context does it. */
#include "kernels.h"

static gc_context *context;
static gc_module_description code;
static int over;

static int is_over(void) {
    return __atomic_load_n(&over, __ATOMIC_ACQUIRE);
}

/* Works, or is stale; returns whether it worked. */
static int works(const char *call, gc_status status) {
    return status == GRAPHCAP_SUCCESS ||
           (check_status(__FILE__, __LINE__, call, status, GRAPHCAP_ERROR_STALE), 0);
}

#define WORKS(call) works(#call, (call))

/* A thread's objects. All are destroyed, whatever became of them. */
struct things {
    gc_stream *stream;
    gc_module *module;
    gc_kernel *add;
    gc_buffer *buffer;
    gc_graph *graph;
    gc_graph_exec *exec;
};

static gc_status add_to(const struct things *it) {
    uint32_t value = 1;
    uint64_t count = 4;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(it->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(it->stream, it->add, 1, 64, arguments, 3);
}

static int make(struct things *it) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    options.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    return WORKS(gc_stream_create(context, &options, &it->stream)) && WORKS(gc_module_load(context, &code, &it->module)) &&
           WORKS(gc_module_get_kernel(it->module, "add", &it->add)) &&
           WORKS(gc_buffer_allocate(context, 16, &it->buffer)) &&
           WORKS(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
}

/* Relaxed, since other threads make and instantiate meanwhile. */
static int record(struct things *it) {
    return WORKS(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED)) && WORKS(add_to(it)) &&
           WORKS(add_to(it)) && WORKS(gc_stream_end_capture(it->stream, &it->graph)) &&
           WORKS(gc_graph_instantiate(it->graph, NULL, &it->exec));
}

static void drop(const struct things *it) {
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_buffer_destroy(it->buffer));
    CHECK_OK(gc_kernel_destroy(it->add));
    CHECK_OK(gc_module_destroy(it->module));
    CHECK_OK(gc_stream_destroy(it->stream));
}

/* Where copies go: a copy of an old generation may come late, so that each round has a word of its own. */
static uint32_t words[1 << 20];
static unsigned words_taken;

/* Launches until it is told that its objects are stale. The result is right, as far as it can be read. */
static void *launch_beside_resets(void *argument) {
    unsigned *rounds = (unsigned *)argument;
    while (!is_over()) {
        struct things it;
        uint32_t *word = &words[__atomic_fetch_add(&words_taken, 1, __ATOMIC_RELAXED) % LENGTH_OF(words)], launches = 0;
        memset(&it, 0, sizeof it);
        if (make(&it) && record(&it)) {
            __atomic_fetch_add(rounds, 1, __ATOMIC_RELAXED);
            while (!is_over() && WORKS(gc_graph_launch(it.exec, it.stream))) {
                launches++;
                if (launches % 8 != 0)
                    continue;
                if (!WORKS(gc_stream_memcpy_dtoh(it.stream, word, it.buffer, 0, sizeof *word)) ||
                    !WORKS(gc_stream_synchronize(it.stream)))
                    break;
                CHECK(*word == 2 * launches);
            }
        }
        drop(&it);
    }
    return NULL;
}

static void threads_launch_while_another_resets(void) {
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    unsigned rounds = 0, resets = soak(60, 2000), i;
    uint64_t generation = 0;
    context = open_context();
    code = test_module();
    __atomic_store_n(&over, 0, __ATOMIC_RELEASE);
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, launch_beside_resets, &rounds) != 0)
            exit(EXIT_FAILURE);
    for (i = 0; i < resets; i++) {
        unsigned before = count_of(&rounds);
        REQUIRE_OK(gc_context_reset(context));
        /* Every other time as soon as can be, else when there is something to meet. */
        if (i % 2 == 0)
            await_count(&rounds, before + 1);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_context_generation(context, &generation));
    CHECK(generation == resets + 1);
    CHECK_OK(gc_context_synchronize(context));
    CHECK_OK(gc_context_destroy(context));
}

/* How often each of several threads resets a context. While another one does, it tries again. */
enum { RESETS = 20 };

static void *reset_some_times(void *argument) {
    unsigned *done = (unsigned *)argument, own = 0;
    while (own < RESETS) {
        gc_status status = gc_context_reset(context);
        if (status == GRAPHCAP_SUCCESS) {
            own++;
            __atomic_fetch_add(done, 1, __ATOMIC_ACQ_REL);
        } else if (!CHECK_STATUS(status, GRAPHCAP_ERROR_BUSY)) {
            break;
        }
    }
    return NULL;
}

static void several_threads_reset_one_context(void) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    unsigned done = 0, i;
    uint64_t generation = 0;
    gc_stream *stream;
    context = open_context();
    stream = open_stream(context, 0);
    for (i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, reset_some_times, &done) != 0)
            exit(EXIT_FAILURE);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_context_generation(context, &generation));
    CHECK(done == THREADS * RESETS && generation == done + 1);
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_STALE);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* A wait of each kind that is under way when the context is reset. */
struct waiter {
    const gc_stream *stream;
    const gc_event *event;
    const gc_context *of;
    gc_status status;
    unsigned begun;
};

static void *wait_for_it(void *argument) {
    struct waiter *it = (struct waiter *)argument;
    count_call(&it->begun);
    it->status = it->stream != NULL  ? gc_stream_synchronize(it->stream)
                 : it->event != NULL ? gc_event_synchronize(it->event)
                                     : gc_context_synchronize(it->of);
    return NULL;
}

/* What the wait for the context gave. One that begins behind the reset waits for the context as it is then, and succeeds. */
static gc_status status_of_overtaken_waits(void) {
    struct rig rig;
    struct gate gate;
    struct waiter waiters[3];
    pthread_t threads[3];
    gc_event *event;
    unsigned i;
    gate_init(&gate);
    memset(waiters, 0, sizeof waiters);
    rig_open(&rig);
    event = open_event(rig.context);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    waiters[0].stream = rig.stream;
    waiters[1].event = event;
    waiters[2].of = rig.context;
    for (i = 0; i < 3; i++) {
        if (pthread_create(&threads[i], NULL, wait_for_it, &waiters[i]) != 0)
            exit(EXIT_FAILURE);
        CHECK(await_count(&waiters[i].begun, 1));
    }
    gate_await(&gate, 1);
    pause_ms(20);
    CHECK_OK(gc_context_reset(rig.context));
    gate_open(&gate);
    for (i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    CHECK_STATUS(waiters[0].status, GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(waiters[1].status, GRAPHCAP_ERROR_STALE);
    CHECK_OK(gc_event_destroy(event));
    rig_close(&rig);
    gate_free(&gate);
    return waiters[2].status;
}

static void a_wait_that_a_reset_overtakes_is_stale(void) {
    gc_status status = GRAPHCAP_SUCCESS;
    unsigned tries;
    for (tries = 0; tries < 100 && status == GRAPHCAP_SUCCESS; tries++)
        status = status_of_overtaken_waits();
    CHECK_STATUS(status, GRAPHCAP_ERROR_STALE);
}

int main(void) {
    RUN(threads_launch_while_another_resets);
    RUN(several_threads_reset_one_context);
    RUN(a_wait_that_a_reset_overtakes_is_stale);
    return check_finish();
}
