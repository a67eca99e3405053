/* Each call of the driver fails once while pools are used: every gc_ call answers, no object of the caller's is lost or told
 * twice, nothing is left mapped or reserved, and the next program in the same process works. */
#include "harness.h"

enum { OBJECTS = 3 };

struct program {
    gc_context *context, *elsewhere;
    gc_module *module;
    gc_kernel *add;
    gc_stream *stream;
    gc_pool *pool, *found;
    gc_buffer *small, *large, *wrapped, *copy;
    gc_graph *graph, *other;
    gc_graph_exec *exec;
    uint32_t word;
    uint64_t number;
    unsigned told, objects, copies_told;
};

static int code, has_failed;

/* Whether the call worked. */
static int check_step(const char *call, int line, gc_status status) {
    const char *function = code != 0 ? stand_in.failed() : NULL;
    int clean = status == GRAPHCAP_SUCCESS;
    /* The driver's answer is passed on; what fails later lacks what could not be made. */
    if (!clean && function != NULL)
        clean = has_failed ? status != GRAPHCAP_ERROR_PANIC
                           : status == code && check_contains(last_message(), function);
    if (check_failed(clean))
        fprintf(stderr, "%s:%d: %s gave %d, when %s was to answer %d: %s\n", __FILE__, line, call, (int)status,
                function != NULL ? function : "nothing", code, last_message());
    has_failed = function != NULL;
    return status == GRAPHCAP_SUCCESS;
}

#define STEP(call) check_step(#call, __LINE__, (call))

static void make_objects(struct program *it) {
    gc_module_description description = test_module();
    gc_context_options elsewhere = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    uint64_t address = 0;
    unsigned i;
    size_t index;
    elsewhere.device_ordinal = 1;
    options.capacity = (size_t)64 << 20;
    STEP(gc_context_create(NULL, &it->context));
    STEP(gc_context_create(&elsewhere, &it->elsewhere));
    STEP(gc_module_load(it->context, &description, &it->module));
    STEP(gc_module_get_kernel(it->module, "add", &it->add));
    STEP(gc_stream_create(it->context, NULL, &it->stream));
    STEP(gc_pool_create(it->context, &options, &it->pool));
    STEP(gc_buffer_allocate_waitable(it->context, 64, &it->copy));
    if (it->copy != NULL && STEP(gc_buffer_address(it->copy, &address))) {
        it->copies_told = 1;
        STEP(gc_buffer_wrap(it->context, (void *)(uintptr_t)address, 4, &it->told, count_call, &it->wrapped));
    }
    for (i = 0; i < OBJECTS && it->pool != NULL; i++) {
        it->objects++;
        STEP(gc_pool_add_object(it->pool, &it->told, count_call, &index));
    }
    if (it->wrapped != NULL && it->pool != NULL)
        STEP(gc_pool_add_buffer(it->pool, it->wrapped, &index));
    STEP(gc_pool_handle_new(it->pool, &it->number));
}

/* A launch of the kernel "add" with the first word of a buffer. */
static void launch_on(const struct program *it, const gc_buffer *buffer) {
    uint32_t number = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(number),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    STEP(gc_stream_launch_kernel(it->stream, it->add, &config, arguments, 3));
}

static void use_memory(struct program *it) {
    gc_buffer *lent = NULL, *again = NULL;
    STEP(gc_pool_allocate(it->pool, 1024, &it->small));
    /* The pool is lent to the other device, with what is mapped behind its addresses, and grows afterwards. */
    STEP(gc_buffer_allocate(it->elsewhere, 64, &lent));
    STEP(gc_stream_memset(it->stream, it->small, 0, 0, 4, 256));
    STEP(gc_stream_synchronize(it->stream));
    STEP(gc_context_memcpy_peer(it->elsewhere, lent, 0, it->small, 0, 64));
    STEP(gc_pool_allocate(it->pool, (size_t)5 << 20, &it->large));
    STEP(gc_stream_memset(it->stream, it->large, 0, 0, 4, (5 << 20) / 4));
    STEP(gc_stream_write_value32(it->stream, it->small, 4, 7, 0));
    STEP(gc_pool_allocate(it->pool, 4096, &again));
    CHECK_OK(gc_buffer_destroy(again));
    CHECK_OK(gc_buffer_destroy(lent));
}

static void capture_and_replay(struct program *it) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    if (STEP(gc_stream_begin_capture_with_pool(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, it->pool))) {
        launch_on(it, it->small);
        STEP(gc_stream_memcpy_dtod(it->stream, it->large, 0, it->small, 0, 4));
        STEP(gc_stream_end_capture(it->stream, &it->graph));
    }
    if (STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_RELAXED))) {
        launch_on(it, it->small);
        STEP(gc_stream_end_capture_with_pool(it->stream, it->pool, &it->other));
    }
    STEP(gc_graph_instantiate(it->graph, &options, &it->exec));
    STEP(gc_graph_exec_pool(it->exec, &it->found));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_stream_memcpy_dtoh(it->stream, &it->word, it->large, 0, 4));
    STEP(gc_stream_synchronize(it->stream));
}

static void give_back(struct program *it) {
    CHECK_OK(gc_pool_handle_release(it->number));
    CHECK_OK(gc_pool_destroy(it->pool));
    CHECK_OK(gc_pool_destroy(it->found));
    CHECK_OK(gc_graph_destroy(it->other));
    CHECK_OK(gc_buffer_destroy(it->wrapped));
    CHECK_OK(gc_buffer_destroy(it->small));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    CHECK_OK(gc_buffer_destroy(it->large));
    CHECK_OK(gc_buffer_destroy(it->copy));
    CHECK_OK(gc_kernel_destroy(it->add));
    CHECK_OK(gc_module_destroy(it->module));
    CHECK_OK(gc_stream_destroy(it->stream));
    STEP(gc_context_collect(it->context));
    CHECK_OK(gc_context_destroy(it->elsewhere));
    CHECK_OK(gc_context_destroy(it->context));
}

/* Runs the program, of which the `call`th call of the driver is to answer `answer`. */
static const char *run_program(uint64_t call, int answer) {
    struct program it;
    char what[256];
    const char *failed;
    memset(&it, 0, sizeof it);
    code = answer;
    has_failed = 0;
    stand_in.fail(call, answer);
    make_objects(&it);
    use_memory(&it);
    capture_and_replay(&it);
    if (answer == 0)
        CHECK(it.word == 1 && it.objects == OBJECTS);
    /* A number that nothing was registered under is refused. */
    if (it.number == 0)
        it.number = 1;
    give_back(&it);
    snprintf(what, sizeof what, "call %llu answered %d", (unsigned long long)call, answer);
    expect_nothing_left(what);
    CHECK(await_count(&it.told, it.objects + it.copies_told) && count_of(&it.told) == it.objects + it.copies_told);
    CHECK(gc_live_handles() == 0);
    failed = stand_in.failed();
    stand_in.fail(0, 0);
    return failed;
}

static const char *const mapping[] = {"cuMemGetAllocationGranularity", "cuMemAddressReserve", "cuMemCreate", "cuMemMap",
                                      "cuMemSetAccess", "cuMemRelease", "cuMemUnmap", "cuMemAddressFree"};

/* Which of these functions failed so far; whether all did. */
static int note_failure(const char *failed) {
    static unsigned met;
    size_t i;
    for (i = 0; i < LENGTH_OF(mapping); i++)
        if (failed != NULL && strcmp(failed, mapping[i]) == 0)
            met |= 1u << i;
    return met == (1u << LENGTH_OF(mapping)) - 1;
}

/* A thread of graphcap's makes calls, too, so one pass may miss a function that the next one finds. */
static void fail_each_call_once(int answer) {
    const char *failed;
    uint64_t call, count = 0;
    unsigned passes = 0;
    int have_all = 0;
    run_program(0, 0);
    do {
        for (call = 1, failed = ""; failed != NULL && check_failures == 0; call++) {
            failed = run_program(call, answer);
            count += failed != NULL;
            have_all = note_failure(failed);
            run_program(0, 0);
        }
    } while (!have_all && ++passes < 10 && check_failures == 0);
    CHECK(have_all);
    fprintf(stderr, "%llu calls failed\n", (unsigned long long)count);
}

static void out_of_memory(const char *version) {
    use_stand_in(version);
    fail_each_call_once(GRAPHCAP_ERROR_OUT_OF_MEMORY);
}

static void unknown_error(const char *version) {
    use_stand_in(version);
    fail_each_call_once(999);
}

static void each_call_fails_once(void) {
    pid_t memory = start_child(out_of_memory, "12.0"), unknown = start_child(unknown_error, "13.0");
    end_child(memory, "12.0");
    end_child(unknown, "13.0");
}

int main(void) {
    RUN(each_call_fails_once);
    return check_finish();
}
