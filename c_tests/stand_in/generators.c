/* Generators of cuRAND, by a stand-in that writes down how it is called: each op is lent one of its own, which its graph keeps, and
 * which is lent again or goes when nothing needs it. */
#include "loaded.h"

static struct library_facts *rand_library;

/* What an op draws, and what it is lent. */
struct drawing {
    const gc_context *context;
    const gc_buffer *buffer;
    unsigned long long seed; /* 0: the op sets none */
    int answer;              /* the library's */
    void *generators[2], *stream;
};

typedef int (*set_seed)(void *generator, unsigned long long seed);
typedef int (*generate)(void *generator, uint64_t output, size_t count);

static gc_status draw_by_oneself(const gc_record_context *context, void *user_data) {
    struct drawing *drawing = (struct drawing *)user_data;
    const gc_stream *stream = NULL;
    gc_capture_mode mode;
    uint64_t address = 0;
    void *found;
    set_seed sets = NULL;
    generate generates = NULL;
    gc_status status = gc_record_context_native_rand(context, &drawing->generators[0]);
    if (status != GRAPHCAP_SUCCESS) {
        CHECK(drawing->generators[0] == NULL);
        return status;
    }
    CHECK_OK(gc_record_context_native_rand(context, &drawing->generators[1]));
    CHECK_OK(gc_record_context_stream(context, &stream));
    CHECK_OK(gc_stream_native(stream, &drawing->stream));
    CHECK_OK(gc_buffer_address(drawing->buffer, &address));
    found = library_function("13.0/libcurand.so.10", "curandSetPseudoRandomGeneratorSeed");
    memcpy(&sets, &found, sizeof sets);
    found = library_function("13.0/libcurand.so.10", "curandGenerate");
    memcpy(&generates, &found, sizeof generates);
    mode = enter(drawing->context);
    if (drawing->seed != 0)
        CHECK(sets(drawing->generators[0], drawing->seed) == 0);
    drawing->answer = generates(drawing->generators[0], address, 4);
    leave(mode);
    return drawing->answer == 0 ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_UNKNOWN;
}

static gc_script *a_drawing(const gc_context *context, struct drawing *drawing) {
    gc_op_vtable vtable = GRAPHCAP_OP_VTABLE_INIT;
    gc_script *script = NULL;
    REQUIRE_OK(gc_script_create(context, &script));
    vtable.record = draw_by_oneself;
    REQUIRE_OK(gc_script_push_op(script, &vtable, drawing));
    return script;
}

/* What was drawn by the call of that number. */
static uint64_t drawn_by(size_t call) {
    return rand_library->calls[call].object;
}

/* Collects until no generator is left. The driver tells of the end of graphs that others may know on a thread of its own. */
static void collect_all(const gc_context *context) {
    int rounds;
    for (rounds = 0; rounds < 20000 && rand_library->live > 0; rounds++) {
        CHECK_OK(gc_context_collect(context));
        pause_ms(1);
    }
    CHECK(rand_library->live == 0);
}

static void graphs_keep_generators_and_others_are_lent_again(void) {
    gc_context *context = open_cuda();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *buffer = open_buffer(context, 256);
    struct drawing drawing = {context, buffer, 7, 0, {NULL, NULL}, NULL};
    gc_script *script = a_drawing(context, &drawing);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    size_t nodes = 0, i;
    rand_library->count = 0;
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(drawing.generators[0] == drawing.generators[1] && rand_library->live == 1);
    CHECK(drawn_by(0) == (uint64_t)(uintptr_t)drawing.generators[0] && rand_library->calls[0].workspace == 7);
    /* Two ops of one capture, of which neither knows what the other one drew; nor does one know of what went before. */
    drawing.seed = 0;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK_OK(gc_script_submit(script, stream, NULL));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK(rand_library->count == 3 && rand_library->live == 2);
    CHECK(drawn_by(1) == drawn_by(0) && drawn_by(2) != drawn_by(1));
    for (i = 1; i < 3; i++) {
        const struct library_call *call = &rand_library->calls[i];
        CHECK(call->stream == drawing.stream && call->workspace == 0 && call->mode == 101 && call->math_mode == 0);
    }
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 2);
    /* What is submitted meanwhile gets another one. */
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(rand_library->live == 3 && drawn_by(3) != drawn_by(1) && drawn_by(3) != drawn_by(2));
    CHECK_OK(gc_context_collect(context));
    CHECK(rand_library->live == 2);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_context_collect(context));
    CHECK(rand_library->live == 2);
    /* The exec keeps them, also while a launch runs after the exec is gone. */
    CHECK_OK(gc_graph_launch(exec, stream));
    stand_in.hold(1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_context_collect(context));
    CHECK(rand_library->live == 2);
    stand_in.hold(0);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(rand_library->live == 2);
    collect_all(context);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("generators");
    expect_rules_kept(rand_library);
}

/* One whose work is pending is not lent again. */
static void pending_work_keeps_its_generator(void) {
    gc_context *context = open_cuda();
    gc_stream *streams[2];
    gc_buffer *buffer = open_buffer(context, 256);
    struct drawing drawing = {context, buffer, 1, 0, {NULL, NULL}, NULL};
    gc_script *script = a_drawing(context, &drawing);
    unsigned i;
    streams[0] = open_stream(context, 0);
    streams[1] = open_stream(context, 0);
    rand_library->count = 0;
    stand_in.hold(1);
    CHECK_OK(gc_script_submit(script, streams[0], NULL));
    CHECK_OK(gc_script_submit(script, streams[1], NULL));
    CHECK(drawn_by(0) != drawn_by(1) && rand_library->live == 2);
    stand_in.hold(0);
    CHECK_OK(gc_stream_synchronize(streams[0]));
    CHECK_OK(gc_stream_synchronize(streams[1]));
    /* What is complete is found when another one is let go of. */
    for (i = 0; i < 8; i++)
        CHECK_OK(gc_script_submit(script, streams[0], NULL));
    CHECK(rand_library->live == 3);
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_destroy(streams[0]));
    CHECK_OK(gc_stream_destroy(streams[1]));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("pending work");
    CHECK(rand_library->live == 0);
    expect_rules_kept(rand_library);
}

static void branches_have_generators_of_their_own(void) {
    gc_context *context = open_cuda();
    gc_buffer *buffers[4];
    struct drawing drawings[4];
    gc_script *scripts[4];
    gc_graph *graph;
    size_t i, k;
    for (i = 0; i < 4; i++) {
        const struct drawing drawing = {context, buffers[i] = open_buffer(context, 256), i + 1, 0, {NULL, NULL}, NULL};
        drawings[i] = drawing;
        scripts[i] = a_drawing(context, &drawings[i]);
    }
    rand_library->count = 0;
    graph = in_branches(context, scripts, 4);
    CHECK(rand_library->count == 8 && rand_library->live == 8);
    for (i = 0; i < 8; i++)
        for (k = 0; k < i; k++)
            CHECK(drawn_by(i) != drawn_by(k));
    CHECK_OK(gc_graph_destroy(graph));
    collect_all(context);
    for (i = 0; i < 4; i++) {
        CHECK_OK(gc_script_destroy(scripts[i]));
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    }
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("branches");
    expect_rules_kept(rand_library);
}

/* Records a script, which fails, and looks that the stream is as it was. */
static void expect_failure(const gc_script *script, const gc_stream *stream, gc_status status) {
    gc_script_failure failure = GRAPHCAP_SCRIPT_FAILURE_INIT;
    gc_graph *graph = NULL;
    int32_t is_capturing = 1;
    CHECK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &failure, &graph) == status);
    CHECK(graph == NULL && failure.has_op == 1 && failure.op_index == 0);
    CHECK_OK(gc_stream_is_capturing(stream, &is_capturing));
    CHECK(is_capturing == 0);
}

/* A call that the library refuses fails the op, with the library's answer, and nothing is lost. */
static void refused_calls_are_told(void) {
    static const char *const functions[] = {"curandCreateGenerator", "curandSetPseudoRandomGeneratorSeed", "curandSetStream"};
    gc_context *context = open_cuda();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *buffer = open_buffer(context, 256);
    struct drawing drawing = {context, buffer, 1, 0, {NULL, NULL}, NULL};
    gc_script *script = a_drawing(context, &drawing);
    gc_graph *graph = NULL;
    size_t i;
    for (i = 0; i < LENGTH_OF(functions); i++) {
        setenv("STAND_IN_CURAND_REFUSES", functions[i], 1);
        expect_failure(script, stream, GRAPHCAP_ERROR_OUT_OF_MEMORY);
        CHECK(check_contains(last_message(), functions[i]) && check_contains(last_message(), "answered 102"));
        CHECK(rand_library->live == (i == 0 ? 0 : 1));
    }
    /* One that the op calls is the op's. */
    setenv("STAND_IN_CURAND_REFUSES", "curandGenerate", 1);
    expect_failure(script, stream, GRAPHCAP_ERROR_UNKNOWN);
    CHECK(drawing.answer == 102);
    unsetenv("STAND_IN_CURAND_REFUSES");
    collect_all(context);
    REQUIRE_OK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    CHECK(rand_library->live == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("refused calls");
    CHECK(rand_library->live == 0);
    expect_rules_kept(rand_library);
}

static void follow_the_rules(const char *version) {
    use_stand_in(version);
    name_library("GRAPHCAP_CURAND_LIBRARY", "13.0/libcurand.so.10");
    rand_library = load_library("13.0/libcurand.so.10");
    RUN(graphs_keep_generators_and_others_are_lent_again);
    RUN(pending_work_keeps_its_generator);
    RUN(branches_have_generators_of_their_own);
    RUN(refused_calls_are_told);
}

/* A library that cannot be loaded is told by all names that were tried, and leaves no capture behind. */
static void miss(const char *variable) {
    static const char nowhere[] = "/nowhere/libcurand.so.99";
    gc_context *context;
    gc_stream *stream;
    gc_buffer *buffer;
    gc_script *script;
    struct drawing drawing = {NULL, NULL, 0, 0, {NULL, NULL}, NULL};
    gc_graph *graph = NULL;
    use_stand_in("13.0");
    setenv(variable, nowhere, 1);
    drawing.context = context = open_cuda();
    drawing.buffer = buffer = open_buffer(context, 256);
    stream = open_stream(context, 0);
    script = a_drawing(context, &drawing);
    expect_failure(script, stream, GRAPHCAP_ERROR_LIBRARY);
    CHECK(check_contains(last_message(), nowhere) && check_contains(last_message(), variable));
    name_library(variable, "13.0/libcublas.so.13"); /* which has none of its functions */
    expect_failure(script, stream, GRAPHCAP_ERROR_LIBRARY);
    CHECK(check_contains(last_message(), "curandCreateGenerator"));
    /* Once it can be found the next call finds it. */
    name_library(variable, "13.0/libcurand.so.10");
    REQUIRE_OK(gc_script_record(script, stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("a missing library");
}

/* Without a file that is named, the versioned name is tried. */
static void miss_all(const char *name) {
    gc_context *context;
    gc_stream *stream;
    gc_script *script;
    struct drawing drawing = {NULL, NULL, 0, 0, {NULL, NULL}, NULL};
    void *installed = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    use_stand_in("13.0");
    unsetenv("GRAPHCAP_CURAND_LIBRARY");
    drawing.context = context = open_cuda();
    stream = open_stream(context, 0);
    script = a_drawing(context, &drawing);
    if (installed == NULL) {
        expect_failure(script, stream, GRAPHCAP_ERROR_LIBRARY);
        CHECK(check_contains(last_message(), name));
    }
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("a library that is not installed");
}

/* One that the process has is used, by its name, wherever it lies. */
static void use_the_one_that_is_loaded(const char *version) {
    gc_context *context;
    gc_stream *stream;
    gc_buffer *buffer;
    gc_script *script;
    struct drawing drawing = {NULL, NULL, 0, 0, {NULL, NULL}, NULL};
    use_stand_in(version);
    unsetenv("GRAPHCAP_CURAND_LIBRARY");
    rand_library = load_library("13.0/libcurand.so.10");
    drawing.context = context = open_cuda();
    drawing.buffer = buffer = open_buffer(context, 256);
    stream = open_stream(context, 0);
    script = a_drawing(context, &drawing);
    CHECK_OK(gc_script_submit(script, stream, NULL));
    CHECK(rand_library->live == 1);
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
    expect_nothing_left("a loaded library");
    CHECK(rand_library->live == 0);
}

static void generators_follow_the_rules(void) {
    in_child(follow_the_rules, "12.0");
    in_child(follow_the_rules, "13.0");
}

static void missing_libraries_are_told(void) {
    in_child(miss, "GRAPHCAP_CURAND_LIBRARY");
    in_child(miss_all, "libcurand.so.10");
}

static void loaded_libraries_are_found(void) {
    in_child(use_the_one_that_is_loaded, "13.0");
}

int main(void) {
    RUN(generators_follow_the_rules);
    RUN(missing_libraries_are_told);
    RUN(loaded_libraries_are_found);
    return check_finish();
}
