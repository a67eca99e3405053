/* What the programs share in which each call of the driver fails once, one after the other: whatever fails, every gc_
 * call answers, nothing is left alive in the driver or as a handle, and the next program in the same process works.
 * Each file of the folder is such a program and has a subject, since a program runs as often as it calls the driver. */
#ifndef GRAPHCAP_STAND_IN_FAILURES_H
#define GRAPHCAP_STAND_IN_FAILURES_H

#include "../harness.h"

/* What the driver answers where it fails; OK in a run in which nothing is to fail. */
static int code;
/* Whether the failure had come already when the last step was done. */
static int has_failed;
/* Whether the driver can capture into a graph. */
static int is_new;

static inline void check_step(const char *file, int line, const char *call, gc_status status) {
    const char *function = code != 0 ? stand_in.failed() : NULL;
    int clean = status == GRAPHCAP_SUCCESS;
    /* The driver's answer is passed on, or does not matter; what fails later lacks what could not be made. */
    if (!clean && function != NULL)
        clean = has_failed ? status != GRAPHCAP_ERROR_PANIC
                           : status == code && check_contains(last_message(), function);
    if (check_failed(clean))
        fprintf(stderr, "%s:%d: %s gave %d, when %s was to answer %d: %s\n", file, line, call, (int)status,
                function != NULL ? function : "nothing", code, last_message());
    has_failed = function != NULL;
}

#define STEP(call) check_step(__FILE__, __LINE__, #call, (call))

/* What a program uses; each makes what it needs of it. */
struct program {
    gc_context *context, *elsewhere;
    gc_module *module;
    gc_kernel *add;
    gc_stream *stream, *side, *special, *wrapped;
    gc_event *fork_event, *join_event, *mark;
    gc_buffer *buffer, *copy, *lent;
    gc_host_buffer *pinned;
    gc_graph *graph, *child;
    gc_graph_exec *exec;
    gc_node nodes[9];
    uint32_t words[4];
    /* A function that is given to graphcap: how often, how often it is to be called where nothing fails, and how often
     * it was called and destroyed. */
    unsigned given, to_call, called, destroyed;
};

static inline void be_called(void *user_data) {
    count_call(&((struct program *)user_data)->called);
}

static inline void be_destroyed(void *user_data) {
    count_call(&((struct program *)user_data)->destroyed);
}

/* A program: what is there before, what is done, of which each call of the driver fails once, and what gives the rest
 * back. Without give_back() the calls fail until nothing is left. */
struct subject {
    void (*prepare)(struct program *it);
    void (*use)(struct program *it);
    void (*give_back)(struct program *it);
    /* How often the driver is called at least, with the old driver too; 0 for what only the new one has. */
    unsigned least, least_of_new;
};

/* ---- Objects ---- */

static inline void make_objects(struct program *it) {
    gc_module_description description = test_module();
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    options.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    STEP(gc_context_create(NULL, &it->context));
    STEP(gc_module_load(it->context, &description, &it->module));
    STEP(gc_module_get_kernel(it->module, "add", &it->add));
    STEP(gc_stream_create(it->context, NULL, &it->stream));
    STEP(gc_stream_create(it->context, &options, &it->side));
    STEP(gc_buffer_allocate(it->context, 64, &it->buffer));
    STEP(gc_buffer_allocate_waitable(it->context, 64, &it->copy));
}

static inline void make_events(struct program *it) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    options.flags = GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING;
    STEP(gc_event_create(it->context, NULL, &it->fork_event));
    STEP(gc_event_create(it->context, NULL, &it->join_event));
    STEP(gc_event_create(it->context, &options, &it->mark));
}

/* A default stream, and one that is shared with others. */
static inline void make_shared_streams(struct program *it) {
    void *native = NULL;
    STEP(gc_context_legacy_stream(it->context, &it->special));
    STEP(gc_stream_native(it->stream, &native));
    if (native != NULL)
        STEP(gc_stream_wrap(it->context, native, &it->wrapped));
}

/* Memory of another device. */
static inline void make_elsewhere(struct program *it) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    options.device_ordinal = 1;
    STEP(gc_context_create(&options, &it->elsewhere));
    STEP(gc_buffer_allocate(it->elsewhere, 64, &it->lent));
}

static inline void make_all(struct program *it) {
    make_objects(it);
    make_events(it);
    make_shared_streams(it);
    make_elsewhere(it);
    STEP(gc_host_buffer_allocate(it->context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &it->pinned));
}

static inline void give_back(struct program *it) {
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_destroy(it->child));
    CHECK_OK(gc_host_buffer_destroy(it->pinned));
    CHECK_OK(gc_buffer_destroy(it->lent));
    CHECK_OK(gc_context_destroy(it->elsewhere));
    CHECK_OK(gc_buffer_destroy(it->copy));
    CHECK_OK(gc_buffer_destroy(it->buffer));
    CHECK_OK(gc_event_destroy(it->mark));
    CHECK_OK(gc_event_destroy(it->join_event));
    CHECK_OK(gc_event_destroy(it->fork_event));
    CHECK_OK(gc_stream_destroy(it->wrapped));
    CHECK_OK(gc_stream_destroy(it->special));
    CHECK_OK(gc_stream_destroy(it->side));
    CHECK_OK(gc_stream_destroy(it->stream));
    CHECK_OK(gc_kernel_destroy(it->add));
    CHECK_OK(gc_module_destroy(it->module));
    CHECK_OK(gc_context_destroy(it->context));
}

/* ---- Work ---- */

/* A launch of the kernel "add", and work of other kinds, for a stream, a capture or a node. */
struct work {
    uint32_t number;
    uint64_t count;
    gc_kernel_arg arguments[3];
    gc_launch_config config;
    gc_memcpy_params copy;
    gc_memset_params set;
    gc_mem_op operation;
};

/* The kernel adds `number`, and the others write it, from `offset` bytes into the copy on. */
static inline void work_fill(struct work *work, const struct program *it, uint32_t number, size_t offset) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(it->buffer), GRAPHCAP_ARG_INIT_VALUE(work->number),
                                 GRAPHCAP_ARG_INIT_VALUE(work->count)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 4);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(it->copy, offset, it->buffer, 0, 16);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, number, 4, 2, 1, 0);
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(it->copy, 32 + offset, number, 0);
    work->number = number;
    work->count = 4;
    memcpy(work->arguments, arguments, sizeof arguments);
    work->config = config;
    work->copy = copy;
    work->set = set;
    work->operation = operation;
}

/* A capture over two streams, with work of each kind, up to its end. */
static inline void record(struct program *it) {
    struct work work;
    work_fill(&work, it, 1, 0);
    it->given++;
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    STEP(gc_event_record(it->fork_event, it->stream, 0));
    STEP(gc_stream_wait_event(it->side, it->fork_event, 0));
    STEP(gc_stream_memcpy_peer(it->side, it->copy, 0, it->lent, 0, 16));
    STEP(gc_stream_memcpy_dtod(it->side, it->copy, 0, it->buffer, 0, 16));
    STEP(gc_stream_batch_mem_op(it->side, &work.operation, 1, 0));
    STEP(gc_event_record(it->join_event, it->side, 0));
    STEP(gc_stream_wait_event(it->stream, it->join_event, 0));
    STEP(gc_stream_memcpy_dtoh(it->wrapped, it->words, it->copy, 0, sizeof it->words));
    STEP(gc_stream_launch_host_func(it->stream, be_called, it, be_destroyed));
    STEP(gc_stream_wait_event(it->stream, it->mark, GRAPHCAP_EVENT_WAIT_EXTERNAL));
    STEP(gc_event_record(it->mark, it->stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
}

/* Waits for what graphcap's own threads give back of a graph that was destroyed, so that their calls fail too. */
static inline void await_destroys(const struct program *it) {
    CHECK(await_count(&it->destroyed, it->given));
}

/* ---- Failures ---- */

/* The functions of the driver that a program calls, and how often at most in the runs so far: what graphcap's own threads
 * call comes sooner or later, so that not each run makes as many calls. */
static struct {
    const char *function;
    uint64_t calls;
} called[256];
static size_t called_functions;

static inline void note_calls(void) {
    const char *function;
    uint64_t calls;
    size_t index, i;
    for (index = 0; (function = stand_in.counted(index, &calls)) != NULL; index++) {
        for (i = 0; i < called_functions && called[i].function != function; i++)
            ;
        if (i == called_functions) {
            called[called_functions++].calls = 0;
            called[i].function = function;
        }
        if (called[i].calls < calls)
            called[i].calls = calls;
    }
}

/* From here on the `call`th call of a function answers `code`; or all are counted, where nothing is to fail. */
static inline void begin_failing(const char *function, uint64_t call) {
    if (function != NULL)
        stand_in.fail_function(function, call, code);
    else
        stand_in.count(1);
}

/* Whether a call failed. */
static inline int end_failing(void) {
    int failed = stand_in.failed() != NULL;
    stand_in.fail_function(NULL, 0, 0);
    if (code == 0) {
        stand_in.count(0);
        note_calls();
    }
    return failed;
}

/* Runs the program, in which the `call`th call of a function of the driver is to answer `answer`; none with NULL. */
static inline int run_program(const struct subject *subject, const char *function, uint64_t call, int answer) {
    struct program it;
    char what[256];
    int failed = 0;
    memset(&it, 0, sizeof it);
    code = answer;
    has_failed = 0;
    if (subject->prepare != NULL)
        subject->prepare(&it);
    begin_failing(function, call);
    subject->use(&it);
    if (subject->give_back != NULL) {
        failed = end_failing();
        subject->give_back(&it);
    }
    snprintf(what, sizeof what, "call %llu of %s answered %d", (unsigned long long)call,
             function != NULL ? function : "nothing", answer);
    expect_nothing_left(what);
    /* What was given to graphcap comes back once for each time that it was given, whether the call worked or not. */
    CHECK(await_count(&it.destroyed, it.given) && count_of(&it.destroyed) == it.given);
    CHECK(answer != 0 || count_of(&it.called) == it.to_call);
    CHECK(gc_live_handles() == 0);
    if (subject->give_back == NULL)
        failed = end_failing();
    return failed;
}

/* What the calls answer: one of two, or both in turn. Under memcheck every fourth call fails, others with each version of the
 * driver, and what a failure left behind is looked for once per function. */
static inline void fail_each_call_once(const struct subject *subject, int answer, int other) {
    const int fewer = is_under_memcheck();
    unsigned failed = 0, tries = 0, seen = 0;
    uint64_t call;
    size_t i;
    run_program(subject, NULL, 0, 0);
    for (i = 0; i < called_functions; i++) {
        const unsigned before = failed;
        for (call = 1; call <= called[i].calls && check_failures == 0; call++) {
            if (fewer && seen++ % 4 != 2 * (unsigned)is_new)
                continue;
            if (run_program(subject, called[i].function, call, tries++ % 2 == 0 ? answer : other)) {
                failed++;
                if (!fewer)
                    run_program(subject, NULL, 0, 0);
            }
        }
        if (fewer && failed > before)
            run_program(subject, NULL, 0, 0);
    }
    fprintf(stderr, "%u calls of %u functions failed\n", failed, (unsigned)called_functions);
    CHECK(failed >= (is_new ? subject->least_of_new : subject->least) / (fewer ? 6 : 1));
}

static const struct subject *tried;

static inline void out_of_memory(void) {
    fail_each_call_once(tried, GRAPHCAP_ERROR_OUT_OF_MEMORY, GRAPHCAP_ERROR_OUT_OF_MEMORY);
}

static inline void unknown_error(void) {
    fail_each_call_once(tried, 999, 999);
}

static inline void either_error(void) {
    fail_each_call_once(tried, GRAPHCAP_ERROR_OUT_OF_MEMORY, 999);
}

static inline void try_driver(const char *version) {
    use_stand_in(version);
    is_new = strcmp(version, "12.0") != 0;
}

static inline void out_of_memory_with(const char *version) {
    try_driver(version);
    RUN(out_of_memory);
}

static inline void unknown_error_with(const char *version) {
    try_driver(version);
    RUN(unknown_error);
}

static inline void either_error_with(const char *version) {
    try_driver(version);
    RUN(either_error);
}

/* With the oldest driver and a newer one. All at once: each program ends with waits for threads, not for the CPU. Under memcheck
 * each call fails in one of the two ways. */
static inline void each_call_fails_once(void) {
    static const struct attempt {
        void (*run)(const char *version);
        const char *version;
    } all[] = {
        {out_of_memory_with, "13.0"},
        {unknown_error_with, "13.0"},
        {out_of_memory_with, "12.0"},
        {unknown_error_with, "12.0"},
    }, fewer[] = {
        {either_error_with, "13.0"},
        {either_error_with, "12.0"},
    };
    const struct attempt *tries = is_under_memcheck() ? fewer : all;
    pid_t children[LENGTH_OF(all)];
    const size_t most = is_under_memcheck() ? LENGTH_OF(fewer) : LENGTH_OF(all);
    size_t i, count = tried->least > 0 ? most : most / 2;
    for (i = 0; i < count; i++)
        children[i] = start_child(tries[i].run, tries[i].version);
    for (i = 0; i < count; i++)
        end_child(children[i], tries[i].version);
}

/* The main() of the programs. */
static inline int fail_calls_of(const struct subject *subject) {
    tried = subject;
    RUN(each_call_fails_once);
    return check_finish();
}

#endif
