/* cuRAND's generators, lent to ops that record by them: what replays draw, on branches too, and that nothing of them stays. */
#include "cuda_driver.h"

enum { WORDS = 100003, BRANCHES = 4, REPLAYS = 300 };

/* cuRAND's functions. */
static int (*set_seed)(void *generator, unsigned long long seed);
static int (*generate)(void *generator, uint32_t *words, size_t count);

static gc_context *context;
static gc_stream *stream;
static uint32_t first[BRANCHES][WORDS], seen[WORDS];

/* What an op draws, and where to. */
struct drawing {
    gc_buffer *buffer;
    unsigned long long seed;
};

static gc_status draw(const gc_record_context *at, void *user_data) {
    const struct drawing *drawing = (const struct drawing *)user_data;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    void *generator = NULL;
    int answers[2] = {-1, -1};
    gc_status status = gc_record_context_native_rand(at, &generator);
    if (status != GRAPHCAP_SUCCESS)
        return status;
    /* The primary context is current. */
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    answers[0] = set_seed(generator, drawing->seed);
    answers[1] = generate(generator, (uint32_t *)(uintptr_t)address_of(drawing->buffer), WORDS);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK_EQUAL(answers[0], 0);
    CHECK_EQUAL(answers[1], 0);
    return answers[0] == 0 && answers[1] == 0 ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_UNKNOWN;
}

static gc_script *a_drawing(struct drawing *drawing) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_script *script = NULL;
    vtable.record = draw;
    REQUIRE_OK(gc_script_create(context, &script));
    REQUIRE_OK(gc_script_push_op(script, &vtable, drawing));
    return script;
}

static gc_buffer *open_words(void) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate(context, sizeof seen, &buffer));
    return buffer;
}

/* Reads a buffer, and leaves nothing of it. */
static void take(const gc_buffer *buffer, uint32_t *words) {
    CHECK_OK(gc_stream_memcpy_dtoh(stream, words, buffer, 0, sizeof seen));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, WORDS));
    CHECK_OK(gc_stream_synchronize(stream));
}

static int are_seen(const gc_buffer *buffer, const uint32_t *words) {
    take(buffer, seen);
    return memcmp(seen, words, sizeof seen) == 0;
}

static void replays_draw_what_is_drawn_at_once(void) {
    struct drawing drawing = {open_words(), 42};
    gc_script *script = a_drawing(&drawing);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i, zeros = 0;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    take(drawing.buffer, first[0]);
    for (i = 0; i < WORDS; i++)
        zeros += first[0][i] == 0;
    CHECK(zeros < 3);
    drawing.seed = 43;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(!are_seen(drawing.buffer, first[0]));
    drawing.seed = 42;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(are_seen(drawing.buffer, first[0]));
    REQUIRE_OK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    for (i = 0; i < 20; i++) {
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK(are_seen(drawing.buffer, first[0]));
        CHECK_OK(gc_context_collect(context));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(drawing.buffer));
}

/* Nothing was made or loaded before in this process where this runs first. */
static void a_global_capture_may_be_the_first_that_needs_one(void) {
    struct drawing drawing = {open_words(), 7};
    gc_script *script = a_drawing(&drawing);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, stream));
    take(drawing.buffer, first[0]);
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK(are_seen(drawing.buffer, first[0]));
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(are_seen(drawing.buffer, first[0]));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(drawing.buffer));
}

static void branches_do_not_meet(void) {
    struct drawing drawings[BRANCHES];
    gc_script *scripts[BRANCHES];
    gc_event *fork = open_event(context);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i, replay, wrong = 0;
    for (i = 0; i < BRANCHES; i++) {
        drawings[i].buffer = open_words();
        drawings[i].seed = 100 + i;
        scripts[i] = a_drawing(&drawings[i]);
        CHECK_OK(gc_script_submit(scripts[i], stream, NULL));
        take(drawings[i].buffer, first[i]);
    }
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_event_record(fork, stream));
    for (i = 0; i < BRANCHES; i++) {
        gc_stream *branch = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_event *join = open_event(context);
        REQUIRE_OK(gc_stream_wait_event(branch, fork, 0));
        REQUIRE_OK(gc_script_submit(scripts[i], branch, NULL));
        REQUIRE_OK(gc_event_record(join, branch));
        REQUIRE_OK(gc_stream_wait_event(stream, join, 0));
        CHECK_OK(gc_event_destroy(join));
        CHECK_OK(gc_stream_destroy(branch));
    }
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    for (replay = 0; replay < REPLAYS; replay++) {
        CHECK_OK(gc_graph_launch(exec, stream));
        for (i = 0; i < BRANCHES; i++)
            wrong += !are_seen(drawings[i].buffer, first[i]);
    }
    CHECK_EQUAL(wrong, 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(fork));
    for (i = 0; i < BRANCHES; i++) {
        CHECK_OK(gc_script_destroy(scripts[i]));
        CHECK_OK(gc_buffer_destroy(drawings[i].buffer));
    }
}

/* Generators that nothing needs are lent again, and go in a collect. */
static void nothing_stays(void) {
    struct drawing drawing = {open_words(), 5};
    gc_script *script = a_drawing(&drawing);
    size_t before = 0;
    unsigned round, i;
    for (round = 0; round < 8; round++) {
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        for (i = 0; i < 16; i++)
            CHECK_OK(gc_script_submit(script, stream, NULL));
        REQUIRE_OK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_stream_synchronize(stream));
        CHECK_OK(gc_context_collect(context));
        if (round == 0)
            before = free_memory();
    }
    check_memory(before, "generators that were let go of");
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(drawing.buffer));
}

/* The file that graphcap loads too. */
static void open_library(void) {
    const char *file = getenv("GRAPHCAP_CURAND_LIBRARY");
    void *library = dlopen(file != NULL && file[0] != '\0' ? file : "libcurand.so.10", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        cuda_skip("cuda", dlerror());
    cuda_find(library, "curandSetPseudoRandomGeneratorSeed", &set_seed);
    cuda_find(library, "curandGenerate", &generate);
}

int main(void) {
    cuda_open();
    open_library();
    context = open_context();
    stream = open_stream(context, 0);
    RUN(a_global_capture_may_be_the_first_that_needs_one);
    RUN(replays_draw_what_is_drawn_at_once);
    RUN(branches_do_not_meet);
    RUN(nothing_stays);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    return cuda_finish();
}
