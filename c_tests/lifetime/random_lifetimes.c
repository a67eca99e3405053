/* Random sequences of captures with forks, copies and updates of graphs, graphs of child nodes, launches, and destroys of any handle,
 * scalars, events and pools too, in any order at any time; some end by a reset. No replay may touch freed memory: under
 * GRAPHCAP_HOST_MEMORY=guard, as CTest's guard.random_lifetimes runs it, a touch would end the program. Kernels write all bytes of
 * their buffers, and look at nothing before. What each buffer holds in the end is compared with what the launches must have done.
 * --seed 7 --count 1 runs one sequence. */
#include "kernels.h"
#include "rounds.h"

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
    gc_event *event;
    gc_scalar *scalar;
    uint32_t scalar_value;
    gc_buffer *sink; /* to which graphs copy the scalar */
    int copies_of_graph[GRAPHS], copies_of_exec[EXECS];
    /* How often a host function is called by a launch, was called, and must have been. */
    uint32_t calls_of_graph[GRAPHS], calls_of_exec[EXECS], expected_calls;
    unsigned *called;
    int is_reset;
};

static unsigned long long replays, destroys, compared, updates, resets;
/* Host functions that were recorded, and those that were let go of. */
static unsigned recorded, released;

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

static void open_sequence(struct sequence *s, uint64_t seed, unsigned *called) {
    uint32_t i;
    memset(s, 0, sizeof *s);
    s->called = called;
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
    s->event = open_event(s->context);
    s->scalar_value = 1 + pick(s, 1000);
    REQUIRE_OK(gc_scalar_create(s->streams[0], GRAPHCAP_SCALAR_U32, &s->scalar_value, &s->scalar));
    s->sink = open_buffer(s->context, sizeof s->scalar_value);
    CHECK_OK(gc_stream_synchronize(s->streams[0]));
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
    uint32_t kind = pick(s, 29), at;
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
            CHECK_STATUS(gc_pool_trim(s->pools[at]), s->is_reset ? GRAPHCAP_ERROR_STALE : GRAPHCAP_SUCCESS);
    } else if (kind == 26) {
        DESTROY(s->event, gc_event_destroy);
    } else if (kind == 27) {
        DESTROY(s->scalar, gc_scalar_destroy);
    } else if (kind == 28 && pick(s, 2) == 0) {
        DESTROY(s->sink, gc_buffer_destroy);
    }
}

/* Records work on memory that nobody has any more when the call returns, and that graphs may share: by its handle, or by its address
 * in the argument of a kernel, where graphcap does not see it. */
static void use_scratch(struct sequence *s, const gc_stream *stream, const gc_pool *pool) {
    uint32_t count = 1 + pick(s, 3);
    while (count-- > 0) {
        gc_buffer *scratch = NULL;
        uint64_t words = 1 + pick(s, 3000), address = 0;
        int is_on_stream = pick(s, 3) != 0;
        if (is_on_stream)
            REQUIRE_OK(gc_pool_allocate_on_stream(pool, stream, words * 4, &scratch));
        else
            REQUIRE_OK(gc_pool_allocate(pool, words * 4, &scratch));
        CHECK_OK(gc_buffer_address(scratch, &address));
        if (pick(s, 2) == 0 || s->add == NULL) {
            CHECK_OK(gc_stream_memset(stream, scratch, 0, 0xa5a5a5a5u, 4, words));
        } else {
            uint32_t value = 1;
            gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value),
                                         GRAPHCAP_ARG_INIT_VALUE(words)};
            CHECK_OK(launch(stream, s->add, (uint32_t)((words + 63) / 64), 64, arguments, 3));
        }
        if (pick(s, 3) != 0)
            CHECK_OK(gc_buffer_destroy_on_stream(scratch, stream));
        else
            CHECK_OK(gc_buffer_destroy(scratch));
    }
}

static void let_go_of_call(void *user_data) {
    (void)user_data;
    __atomic_fetch_add(&released, 1, __ATOMIC_ACQ_REL);
}

/* Records an addition to a buffer. */
static void record_add(struct sequence *s, uint32_t graph, const gc_stream *stream) {
    uint32_t of = pick(s, BUFFERS), value = 1 + pick(s, 9);
    uint64_t count = s->words[of];
    if (s->buffers[of] != NULL && s->add != NULL) {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(s->buffers[of]), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(count)};
        CHECK_OK(launch(stream, s->add, (uint32_t)((count + 63) / 64), 64, arguments, 3));
        s->adds_of_graph[graph][s->names[of]] += value;
    }
}

/* Records what is between a fork and a join: a stream that nobody else knows. It goes with the capture. */
static gc_stream *fork_and_join(struct sequence *s, uint32_t graph, const gc_stream *stream) {
    gc_stream *side;
    if (s->context == NULL || s->event == NULL)
        return NULL;
    side = open_stream(s->context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_event_record(s->event, stream, 0));
    CHECK_OK(gc_stream_wait_event(side, s->event, 0));
    record_add(s, graph, side);
    CHECK_OK(gc_event_record(s->event, side, 0));
    CHECK_OK(gc_stream_wait_event(stream, s->event, 0));
    return side;
}

/* Records a copy of the scalar, or a host function. */
static void record_other(struct sequence *s, uint32_t graph, const gc_stream *stream) {
    gc_buffer *buffer = NULL;
    size_t offset = 0;
    if (pick(s, 2) == 0) {
        CHECK_OK(gc_stream_launch_host_func(stream, count_call, s->called, let_go_of_call));
        recorded++;
        s->calls_of_graph[graph]++;
    } else if (s->scalar != NULL && s->sink != NULL) {
        REQUIRE_OK(gc_scalar_buffer(s->scalar, &buffer, &offset));
        CHECK_OK(gc_stream_memcpy_dtod(stream, s->sink, 0, buffer, offset, sizeof s->scalar_value));
        CHECK_OK(gc_buffer_destroy(buffer));
        s->copies_of_graph[graph] = 1;
    }
}

/* Records some additions, while handles go. The stream alone is not destroyed. */
static void capture(struct sequence *s) {
    uint32_t at = pick(s, GRAPHS), which = pick(s, STREAMS), works = 1 + pick(s, WORKS), i;
    gc_stream *stream = s->streams[which];
    gc_pool *pool = s->pools[pick(s, POOLS)];
    gc_stream *side = NULL;
    if (stream == NULL || s->add == NULL || s->graphs[at] != NULL)
        return;
    memset(s->adds_of_graph[at], 0, sizeof s->adds_of_graph[at]);
    s->copies_of_graph[at] = 0;
    s->calls_of_graph[at] = 0;
    if (pool != NULL && pick(s, 3) != 0) {
        REQUIRE_OK(gc_stream_begin_capture_with_pool(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, pool));
        use_scratch(s, stream, pool);
    } else {
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    }
    for (i = 0; i < works; i++) {
        record_add(s, at, stream);
        if (pick(s, 3) == 0)
            record_other(s, at, stream);
        if (side == NULL && pick(s, 4) == 0)
            side = fork_and_join(s, at, stream);
        s->streams[which] = NULL;
        if (pick(s, 4) == 0)
            destroy_something(s);
        s->streams[which] = stream;
    }
    CHECK_OK(gc_stream_end_capture(stream, &s->graphs[at]));
    if (side != NULL)
        CHECK_OK(gc_stream_destroy(side));
}

/* What a launch of a graph does, a launch of another one does too. */
static void count_as(struct sequence *s, uint32_t to, uint32_t from) {
    uint32_t k;
    for (k = 0; k < STEPS + BUFFERS; k++)
        s->adds_of_graph[to][k] += s->adds_of_graph[from][k];
    s->copies_of_graph[to] |= s->copies_of_graph[from];
    s->calls_of_graph[to] += s->calls_of_graph[from];
}

/* Copies a graph, or makes one whose nodes are two graphs, of which one runs behind the other. */
static void combine(struct sequence *s) {
    uint32_t to = pick(s, GRAPHS), one = pick(s, GRAPHS), other = pick(s, GRAPHS);
    if (s->graphs[to] != NULL || s->graphs[one] == NULL || s->graphs[other] == NULL)
        return;
    memset(s->adds_of_graph[to], 0, sizeof s->adds_of_graph[to]);
    s->copies_of_graph[to] = 0;
    s->calls_of_graph[to] = 0;
    count_as(s, to, one);
    if (pick(s, 2) == 0) {
        CHECK_OK(gc_graph_clone(s->graphs[one], &s->graphs[to]));
    } else if (s->context != NULL) {
        gc_node first = 0, second = 0;
        REQUIRE_OK(gc_graph_create(s->context, &s->graphs[to]));
        CHECK_OK(gc_graph_add_child_node(s->graphs[to], NULL, 0, s->graphs[one], &first));
        CHECK_OK(gc_graph_add_child_node(s->graphs[to], &first, 1, s->graphs[other], &second));
        count_as(s, to, other);
    }
}

static void take_over(struct sequence *s, uint32_t exec, uint32_t graph) {
    memcpy(s->adds_of_exec[exec], s->adds_of_graph[graph], sizeof s->adds_of_exec[exec]);
    s->copies_of_exec[exec] = s->copies_of_graph[graph];
    s->calls_of_exec[exec] = s->calls_of_graph[graph];
}

/* Updates an exec, where that is possible, or a scalar. */
static void update(struct sequence *s) {
    uint32_t from = pick(s, GRAPHS), to = pick(s, EXECS), on = pick(s, STREAMS);
    if (pick(s, 4) == 0 && s->scalar != NULL && s->streams[on] != NULL) {
        s->scalar_value++;
        CHECK_OK(gc_scalar_update(s->scalar, s->streams[on], GRAPHCAP_SCALAR_U32, &s->scalar_value));
        CHECK_OK(gc_stream_synchronize(s->streams[on]));
    } else if (s->graphs[from] != NULL && s->execs[to] != NULL) {
        gc_status status = gc_graph_exec_update(s->execs[to], s->graphs[from], 0, NULL);
        CHECK(status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
        if (status == GRAPHCAP_SUCCESS) {
            take_over(s, to, from);
            updates++;
        }
    }
}

static void instantiate(struct sequence *s) {
    uint32_t from = pick(s, GRAPHS), to = pick(s, EXECS);
    if (s->graphs[from] == NULL || s->execs[to] != NULL)
        return;
    CHECK_OK(gc_graph_instantiate(s->graphs[from], NULL, &s->execs[to]));
    take_over(s, to, from);
}

static void replay(struct sequence *s) {
    uint32_t which = pick(s, EXECS), on = pick(s, STREAMS), times = 1 + pick(s, 3), i, k;
    if (s->execs[which] == NULL || s->streams[on] == NULL)
        return;
    for (i = 0; i < times; i++, replays++) {
        CHECK_OK(gc_graph_launch(s->execs[which], s->streams[on]));
        for (k = 0; k < s->last_name; k++)
            s->sums[k] += s->adds_of_exec[which][k];
        s->expected_calls += s->calls_of_exec[which];
    }
    /* Adds on two streams at once would race. A stream that is destroyed goes on by itself, so the wait comes now. */
    if (pick(s, 4) != 0 && s->context != NULL)
        CHECK_OK(gc_context_synchronize(s->context));
    else
        CHECK_OK(gc_stream_synchronize(s->streams[on]));
    CHECK(count_of(s->called) == s->expected_calls);
    if (s->copies_of_exec[which] && s->sink != NULL)
        CHECK(read_u32(s->streams[on], s->sink, 0) == s->scalar_value);
}

static void run_sequence(uint64_t seed, unsigned *called) {
    static struct sequence sequence;
    struct sequence *s = &sequence;
    uint32_t step, at;
    const gc_stream *launched = NULL;
    open_sequence(s, seed, called);
    for (step = 0; step < STEPS; step++) {
        uint32_t what = pick(s, 20);
        at = pick(s, BUFFERS);
        if (what < 4)
            capture(s);
        else if (what < 7)
            instantiate(s);
        else if (what < 12)
            replay(s);
        else if (what == 12 && s->buffers[at] == NULL && s->context != NULL)
            make_buffer(s, at);
        else if (what >= 18)
            combine(s);
        else if (what >= 16)
            update(s);
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
            launched = s->streams[at % STREAMS];
        }
    /* Everything is stale then, and goes behind those launches. */
    if (s->context != NULL && pick(s, 8) == 0) {
        CHECK_OK(gc_context_reset(s->context));
        s->is_reset = 1;
        if (launched != NULL)
            CHECK_STATUS(gc_stream_synchronize(launched), GRAPHCAP_ERROR_STALE);
        resets++;
    }
    for (step = 0; step < 40; step++)
        destroy_something(s);
    DESTROY(s->event, gc_event_destroy);
    DESTROY(s->scalar, gc_scalar_destroy);
    DESTROY(s->sink, gc_buffer_destroy);
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

static struct rounds rounds = {1, 0};

static void handles_go_in_any_order_and_replays_touch_what_lives(void) {
    /* One context stays open, so that threads and the device's own state do, too. */
    gc_context *open = open_context();
    unsigned i, failed = check_failures;
    /* Launches go on when their sequence is over. */
    unsigned *calls = (unsigned *)calloc(rounds.count, sizeof *calls);
    if (calls == NULL)
        exit(EXIT_FAILURE);
    for (i = 0; i < rounds.count; i++) {
        run_sequence(rounds.first + i, &calls[i]);
        if (check_failures != failed) {
            fprintf(stderr, "again with --seed %u --count 1\n", rounds.first + i);
            break;
        }
    }
    CHECK(await_count(&released, recorded));
    free(calls);
    CHECK_OK(gc_context_destroy(open));
    fprintf(stderr, "%llu replays, %llu destroys, %llu buffers compared, %llu updates, %llu resets, %u host functions\n", replays,
            destroys, compared, updates, resets, recorded);
    if (rounds.count >= 100) {
        CHECK(replays > rounds.count && destroys > 10ull * rounds.count && compared > rounds.count / 4);
        CHECK(updates > rounds.count / 20 && resets > rounds.count / 40 && recorded > rounds.count / 4);
    }
}

int main(int argc, char **argv) {
    rounds.count = soak(400, 100000);
    read_rounds(argc, argv, &rounds);
    RUN(handles_go_in_any_order_and_replays_touch_what_lives);
    return check_finish();
}
