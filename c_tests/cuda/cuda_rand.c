/* cuRAND's generators, lent to ops: what they draw, what becomes of captures, and that nothing of them stays. */
#include "cuda_driver.h"

/* LAUNCH_FAILURE is CURAND_STATUS_LAUNCH_FAILURE. */
enum { WORDS = 100003, LAUNCH_FAILURE = 201 };

/* cuRAND's functions. */
static int (*set_seed)(void *generator, unsigned long long seed);
static int (*generate)(void *generator, uint32_t *words, size_t count);

static gc_context *context;
static gc_stream *stream;
static uint32_t first[WORDS], seen[WORDS];

/* What an op draws, where to, and what cuRAND answers. */
struct drawing {
    gc_buffer *buffer;
    unsigned long long seed;
    int answer;
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
    CHECK_EQUAL(answers[1], drawing->answer);
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

static void a_seed_has_its_numbers(void) {
    struct drawing drawing = {open_words(), 42, 0};
    gc_script *script = a_drawing(&drawing);
    unsigned i, zeros = 0;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    take(drawing.buffer, first);
    for (i = 0; i < WORDS; i++)
        zeros += first[i] == 0;
    CHECK(zeros < 3);
    drawing.seed = 43;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(!are_seen(drawing.buffer, first));
    drawing.seed = 42;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(are_seen(drawing.buffer, first));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(drawing.buffer));
}

/* cuRAND begins a sequence by calls that break captures, in whatever mode. The op fails, and all goes on. */
static void a_capture_begins_no_sequence(void) {
    struct drawing drawing = {open_words(), 7, LAUNCH_FAILURE};
    gc_script *script = a_drawing(&drawing);
    gc_graph *graph = NULL;
    CHECK_STATUS(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph), GRAPHCAP_ERROR_UNKNOWN);
    CHECK(graph == NULL);
    CHECK_OK(gc_stream_synchronize(stream));
    drawing.answer = 0;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    take(drawing.buffer, first);
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(are_seen(drawing.buffer, first));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(drawing.buffer));
}

/* Generators that nothing needs are lent again, and go in a collect. */
static void nothing_stays(void) {
    struct drawing drawing = {open_words(), 5, 0};
    gc_script *script = a_drawing(&drawing);
    size_t before = 0;
    unsigned round, i;
    for (round = 0; round < 8; round++) {
        for (i = 0; i < 16; i++)
            CHECK_OK(gc_script_submit(script, stream, NULL));
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
    RUN(a_capture_begins_no_sequence);
    RUN(a_seed_has_its_numbers);
    RUN(nothing_stays);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    return cuda_finish();
}
