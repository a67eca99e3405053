/* Random sequences of captures, launches and destroys of any handle, pools too, in any order at any time. No replay may touch freed memory: under
 * GRAPHCAP_HOST_MEMORY=guard, as CTest's guard.random_lifetimes runs it, a touch would end the program. Kernels write all bytes of
 * their buffers, and look at nothing before. What each buffer holds in the end is compared with what the launches must have done.
 * --seed 7 --count 1 runs one sequence. */
#include "kernels.h"

enum { BUFFERS = 5, GRAPHS = 3, EXECS = 4, STREAMS = 2, STEPS = 30, WORKS = 4, POOLS = 2 };

/* A sequence's objects; NULL where there is none. Each launch adds what its graph says to buffers, which commutes. */
struct sequence {
    uint64_t random;
    gc_context *context;
    gc_module *module;
    gc_kernel *add;
    gc_stream *streams[STREAMS];
    gc_buffer *buffers[BUFFERS];
    uint32_t names[BUFFERS]; /* which buffer of all that there were is in that place */
    uint32_t words[BUFFERS];
    gc_pool *pools[POOLS]; /* the second one is shared by its graphs */
    gc_graph *graphs[GRAPHS];
    gc_graph_exec *execs[EXECS];
    /* What a launch adds to the buffer that has the name. */
    uint32_t adds_of_graph[GRAPHS][STEPS + BUFFERS], adds_of_exec[EXECS][STEPS + BUFFERS];
    uint32_t sums[STEPS + BUFFERS];
    uint32_t last_name;
};

static unsigned long long replays, destroys, compared;

static uint32_t pick(struct sequence *s, uint32_t below) {
    s->random = s->random * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(s->random >> 33) % below;
}

static void make_buffer(struct sequence *s, uint32_t at) {
    gc_buffer *made = NULL;
    /* Sizes on either side of a page, and of an alignment. */
    s->words[at] = 1 + pick(s, pick(s, 2) == 0 ? 80 : 2100);
    switch (pick(s, 4)) {
    case 0:
        REQUIRE_OK(gc_buffer_allocate_waitable(s->context, s->words[at] * 4, &made));
        break;
    case 1:
        /* No capture goes on, so that nobody shares it. */
        if (s->pools[at % POOLS] != NULL)
            REQUIRE_OK(gc_pool_allocate(s->pools[at % POOLS], s->words[at] * 4, &made));
        break;
    }
    if (made == NULL)
        REQUIRE_OK(gc_buffer_allocate(s->context, s->words[at] * 4, &made));
    s->buffers[at] = made;
    s->names[at] = s->last_name++;
    /* The set comes first on whichever stream uses it. */
    clear_buffer(s->context, made);
}

static void open_sequence(struct sequence *s, uint64_t seed) {
    uint32_t i;
    memset(s, 0, sizeof *s);
    s->random = seed * 0x9e3779b97f4a7c15ull + 1;
    s->context = open_context();
    s->module = load_kernels(s->context);
    s->add = get_kernel(s->module, "add");
    for (i = 0; i < STREAMS; i++)
        s->streams[i] = open_stream(s->context, GRAPHCAP_STREAM_NON_BLOCKING);
    for (i = 0; i < POOLS; i++) {
        gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
        options.capacity = (size_t)4 << 20;
        options.flags = i == 1 ? GRAPHCAP_POOL_SHARED : 0;
        REQUIRE_OK(gc_pool_create(s->context, &options, &s->pools[i]));
    }
    for (i = 0; i < BUFFERS; i++)
        make_buffer(s, i);
}

/* Destroys one handle, if it is there. */
#define DESTROY(handle, destroy)     \
    do {                             \
        if ((handle) != NULL) {      \
            CHECK_OK(destroy(handle)); \
            (handle) = NULL;         \
            destroys++;              \
        }                            \
    } while (0)

/* Compares a buffer with what was added to it; all launches that use it are waited for. */
static void compare(struct sequence *s, uint32_t at) {
    uint32_t i, *got = (uint32_t *)malloc(s->words[at] * 4);
    gc_stream *stream;
    if (got == NULL)
        exit(EXIT_FAILURE);
    stream = open_stream(s->context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_stream_memcpy_dtoh(stream, got, s->buffers[at], 0, s->words[at] * 4));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    for (i = 0; i < s->words[at]; i++)
        if (got[i] != s->sums[s->names[at]])
            break;
    CHECK(i == s->words[at]);
    compared++;
    free(got);
}

static void destroy_something(struct sequence *s) {
    uint32_t kind = pick(s, 26), at;
    if (kind < 10) {
        at = pick(s, BUFFERS);
        DESTROY(s->buffers[at], gc_buffer_destroy);
    } else if (kind < 15) {
        at = pick(s, GRAPHS);
        DESTROY(s->graphs[at], gc_graph_destroy);
    } else if (kind < 19) {
        at = pick(s, EXECS);
        DESTROY(s->execs[at], gc_graph_exec_destroy);
    } else if (kind < 21) {
        at = pick(s, STREAMS);
        DESTROY(s->streams[at], gc_stream_destroy);
    } else if (kind == 21) {
        DESTROY(s->module, gc_module_destroy);
    } else if (kind == 22 && pick(s, 3) == 0) {
        DESTROY(s->add, gc_kernel_destroy);
    } else if (kind == 23 && pick(s, 3) == 0) {
        DESTROY(s->context, gc_context_destroy);
    } else if (kind == 24 && pick(s, 2) == 0) {
        at = pick(s, POOLS);
        DESTROY(s->pools[at], gc_pool_destroy);
    } else if (kind == 25) {
        at = pick(s, POOLS);
        if (s->pools[at] != NULL)
            CHECK_OK(gc_pool_trim(s->pools[at]));
    }
}

/* Records a memset of memory that nobody has any more when the call returns, and that graphs share. */
static void use_scratch(struct sequence *s, const gc_stream *stream, const gc_pool *pool) {
    gc_buffer *scratch = NULL;
    size_t words = 1 + pick(s, 3000);
    REQUIRE_OK(gc_pool_allocate(pool, words * 4, &scratch));
    CHECK_OK(gc_stream_memset(stream, scratch, 0, 0xa5a5a5a5u, 4, words));
    CHECK_OK(gc_buffer_destroy(scratch));
}

/* Records some additions, while handles go. The stream alone is not destroyed. */
static void capture(struct sequence *s) {
    uint32_t at = pick(s, GRAPHS), which = pick(s, STREAMS), works = 1 + pick(s, WORKS), i;
    gc_stream *stream = s->streams[which];
    gc_pool *pool = s->pools[pick(s, POOLS)];
    if (stream == NULL || s->add == NULL || s->graphs[at] != NULL)
        return;
    memset(s->adds_of_graph[at], 0, sizeof s->adds_of_graph[at]);
    if (pool != NULL && pick(s, 3) != 0) {
        REQUIRE_OK(gc_stream_begin_capture_with_pool(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, pool));
        use_scratch(s, stream, pool);
    } else {
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    }
    for (i = 0; i < works; i++) {
        uint32_t of = pick(s, BUFFERS), value = 1 + pick(s, 9);
        uint64_t count = s->words[of];
        if (s->buffers[of] != NULL && s->add != NULL) {
            gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(s->buffers[of]), GRAPHCAP_ARG_INIT_VALUE(value),
                                         GRAPHCAP_ARG_INIT_VALUE(count)};
            CHECK_OK(launch(stream, s->add, (uint32_t)((count + 63) / 64), 64, arguments, 3));
            s->adds_of_graph[at][s->names[of]] += value;
        }
        s->streams[which] = NULL;
        if (pick(s, 4) == 0)
            destroy_something(s);
        s->streams[which] = stream;
    }
    CHECK_OK(gc_stream_end_capture(stream, &s->graphs[at]));
}

static void instantiate(struct sequence *s) {
    uint32_t from = pick(s, GRAPHS), to = pick(s, EXECS);
    if (s->graphs[from] == NULL || s->execs[to] != NULL)
        return;
    CHECK_OK(gc_graph_instantiate(s->graphs[from], NULL, &s->execs[to]));
    memcpy(s->adds_of_exec[to], s->adds_of_graph[from], sizeof s->adds_of_exec[to]);
}

static void replay(struct sequence *s) {
    uint32_t which = pick(s, EXECS), on = pick(s, STREAMS), times = 1 + pick(s, 3), i, k;
    if (s->execs[which] == NULL || s->streams[on] == NULL)
        return;
    for (i = 0; i < times; i++, replays++) {
        CHECK_OK(gc_graph_launch(s->execs[which], s->streams[on]));
        for (k = 0; k < s->last_name; k++)
            s->sums[k] += s->adds_of_exec[which][k];
    }
    /* Adds on two streams at once would race. A stream that is destroyed goes on by itself, so the wait comes now. */
    if (pick(s, 4) != 0 && s->context != NULL)
        CHECK_OK(gc_context_synchronize(s->context));
    else
        CHECK_OK(gc_stream_synchronize(s->streams[on]));
}

static void run_sequence(uint64_t seed) {
    static struct sequence sequence;
    struct sequence *s = &sequence;
    uint32_t step, at;
    open_sequence(s, seed);
    for (step = 0; step < STEPS; step++) {
        uint32_t what = pick(s, 16);
        at = pick(s, BUFFERS);
        if (what < 4)
            capture(s);
        else if (what < 7)
            instantiate(s);
        else if (what < 12)
            replay(s);
        else if (what == 12 && s->buffers[at] == NULL && s->context != NULL)
            make_buffer(s, at);
        else
            destroy_something(s);
    }
    if (s->context != NULL)
        for (at = 0; at < BUFFERS; at++)
            if (s->buffers[at] != NULL)
                compare(s, at);
    /* The last launches are in flight while all goes, in an order of chance. */
    for (at = 0; at < EXECS; at++)
        if (s->execs[at] != NULL && s->streams[at % STREAMS] != NULL) {
            CHECK_OK(gc_graph_launch(s->execs[at], s->streams[at % STREAMS]));
            replays++;
        }
    for (step = 0; step < 40; step++)
        destroy_something(s);
    DESTROY(s->context, gc_context_destroy);
    for (at = 0; at < BUFFERS; at++)
        DESTROY(s->buffers[at], gc_buffer_destroy);
    for (at = 0; at < POOLS; at++)
        DESTROY(s->pools[at], gc_pool_destroy);
    for (at = 0; at < STREAMS; at++)
        DESTROY(s->streams[at], gc_stream_destroy);
    for (at = 0; at < GRAPHS; at++)
        DESTROY(s->graphs[at], gc_graph_destroy);
    DESTROY(s->add, gc_kernel_destroy);
    DESTROY(s->module, gc_module_destroy);
    for (at = 0; at < EXECS; at++)
        DESTROY(s->execs[at], gc_graph_exec_destroy);
}

static uint64_t first_seed = 1;
static unsigned count;

static void handles_go_in_any_order_and_replays_touch_what_lives(void) {
    /* One context stays open, so that threads and the device's own state do, too. */
    gc_context *open = open_context();
    unsigned i, failed = check_failures;
    for (i = 0; i < count; i++) {
        run_sequence(first_seed + i);
        if (check_failures != failed) {
            fprintf(stderr, "again with --seed %llu --count 1\n", (unsigned long long)(first_seed + i));
            break;
        }
    }
    CHECK_OK(gc_context_destroy(open));
    fprintf(stderr, "%llu replays, %llu destroys, %llu buffers compared\n", replays, destroys, compared);
    if (count >= 100)
        CHECK(replays > count && destroys > 10ull * count && compared > count / 4);
}

int main(int argc, char **argv) {
    int i;
    count = soak(400, 100000);
    for (i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            first_seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--count") == 0)
            count = (unsigned)strtoul(argv[i + 1], NULL, 10);
    }
    RUN(handles_go_in_any_order_and_replays_touch_what_lives);
    return check_finish();
}
