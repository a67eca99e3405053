/* Which call by which thread harms which capture: the three prohibitions, for every begin mode, for blocking and
 * non-blocking capturing streams, from the capturing thread and from another, in every mode that the calling thread can
 * have of its own. */
#include "kernels.h"

struct scene {
    struct rig rig;
    gc_stream *capturing, *other, *other_blocking, *legacy, *per_thread;
    gc_event *never, *recorded, *captured;
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_buffer *buffer, *spare;
    gc_module *module;
    struct foreign foreign;
    uint32_t word;
};

enum rule {
    UNSAFE,            /* barred as the begin mode and the thread say */
    ON_CAPTURING,      /* barred always */
    ON_CAPTURED_EVENT, /* barred always, with a code of its own */
    LEGACY_WORK,       /* barred while a blocking stream is captured */
    LEGACY_WAIT,       /* as LEGACY_WORK, else UNSAFE */
    LEGACY_QUESTION,   /* barred while a blocking stream is captured, but harmless */
    SAFE,
    RECORDED,          /* makes a node */
    IMPOSSIBLE_SHAPE,  /* an argument error that harms */
    ISOLATION,         /* would depend on earlier work */
    BEGUN_ALREADY,
    NOT_CAPTURING,
    WRONG_ARGUMENT
};

static unsigned ignored_calls;

static gc_status create_and_destroy_stream(struct scene *s) {
    gc_stream *stream = NULL;
    gc_status status = gc_stream_create(s->rig.context, NULL, &stream);
    return status != GRAPHCAP_SUCCESS ? status : gc_stream_destroy(stream);
}

static gc_status create_and_destroy_event(struct scene *s) {
    gc_event *event = NULL;
    gc_status status = gc_event_create(s->rig.context, NULL, &event);
    return status != GRAPHCAP_SUCCESS ? status : gc_event_destroy(event);
}

static gc_status allocate_and_destroy_buffer(struct scene *s) {
    gc_buffer *buffer = NULL;
    gc_status status = gc_buffer_allocate(s->rig.context, 4096, &buffer);
    return status != GRAPHCAP_SUCCESS ? status : gc_buffer_destroy(buffer);
}

static gc_status wrap_and_destroy_buffer(struct scene *s) {
    gc_buffer *buffer = NULL;
    gc_status status = gc_buffer_wrap(s->rig.context, s->foreign.address, 4, NULL, NULL, &buffer);
    return status != GRAPHCAP_SUCCESS ? status : gc_buffer_destroy(buffer);
}

static gc_status load_and_destroy_module(struct scene *s) {
    gc_module_description description = test_module();
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_status status = gc_module_load(s->rig.context, &description, &module);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_module_get_kernel(module, "add", &kernel);
    gc_kernel_destroy(kernel);
    gc_module_destroy(module);
    return status;
}

static gc_status destroy_buffer_in_use(struct scene *s) {
    gc_status status = gc_buffer_destroy(s->spare);
    s->spare = NULL;
    return status;
}

static gc_status destroy_graph(struct scene *s) {
    gc_status status = gc_graph_destroy(s->graph);
    s->graph = NULL;
    return status;
}

static gc_status destroy_exec(struct scene *s) {
    gc_status status = gc_graph_exec_destroy(s->exec);
    s->exec = NULL;
    return status;
}

static gc_status destroy_other_stream(struct scene *s) {
    gc_status status = gc_stream_destroy(s->other_blocking);
    s->other_blocking = NULL;
    return status;
}

static gc_status instantiate(struct scene *s) {
    gc_graph_exec *exec = NULL;
    gc_status status = gc_graph_instantiate(s->graph, NULL, &exec);
    gc_graph_exec_destroy(exec);
    return status;
}

static gc_status ask_complete_stream(const gc_stream *stream) {
    int32_t complete;
    return gc_stream_is_complete(stream, &complete);
}

static gc_status ask_complete_event(const gc_event *event) {
    int32_t complete;
    return gc_event_is_complete(event, &complete);
}

static gc_status ask_capturing(const gc_stream *stream) {
    int32_t capturing;
    return gc_stream_is_capturing(stream, &capturing);
}

static gc_status ask_state(const gc_stream *stream) {
    gc_capture_state state;
    return gc_stream_capture_status(stream, &state);
}

static gc_status ask_info(const gc_stream *stream) {
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    size_t needed;
    gc_status status = gc_stream_capture_info(stream, &info);
    return status != GRAPHCAP_SUCCESS ? status : gc_stream_capture_frontier(stream, NULL, 0, &needed);
}

static gc_status depend_on_nothing(const gc_stream *stream, uint32_t flags) {
    return gc_stream_update_capture_dependencies(stream, NULL, 0, flags);
}

static gc_status create_and_destroy_graph(struct scene *s) {
    gc_graph *graph = NULL;
    gc_status status = gc_graph_create(s->rig.context, &graph);
    return status != GRAPHCAP_SUCCESS ? status : gc_graph_destroy(graph);
}

static gc_status ask_graph(struct scene *s) {
    size_t nodes, edges, needed;
    gc_status status = gc_graph_node_count(s->graph, &nodes);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_edge_count(s->graph, &edges);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_get_nodes(s->graph, NULL, 0, &needed);
    if (status == GRAPHCAP_SUCCESS)
        status = gc_graph_get_edges(s->graph, NULL, NULL, 0, &needed);
    return status != GRAPHCAP_SUCCESS ? status : gc_graph_export_dot(s->graph, 0, NULL, 0, &needed);
}

static gc_status ask_elapsed(struct scene *s) {
    float milliseconds;
    return gc_event_elapsed_time(s->recorded, s->recorded, &milliseconds);
}

static gc_status ask_streams(struct scene *s) {
    gc_stream *stream = NULL;
    gc_status status = gc_context_legacy_stream(s->rig.context, &stream);
    gc_stream_destroy(stream);
    return status;
}

static gc_status launch_shape(struct scene *s, uint32_t blocks, uint32_t threads) {
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(s->buffer), GRAPHCAP_ARG_INIT_VALUE(s->word),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(s->capturing, s->rig.fill, blocks, threads, arguments, 3);
}

/* Name, rule, call. */
#define CALLS(CALL)                                                                                                   \
    CALL(synchronize_other, UNSAFE, gc_stream_synchronize(s->other))                                                  \
    CALL(synchronize_other_blocking, UNSAFE, gc_stream_synchronize(s->other_blocking))                                \
    CALL(synchronize_per_thread, UNSAFE, gc_stream_synchronize(s->per_thread))                                        \
    CALL(is_complete_other, UNSAFE, ask_complete_stream(s->other))                                                    \
    CALL(is_complete_other_blocking, UNSAFE, ask_complete_stream(s->other_blocking))                                  \
    CALL(synchronize_event, UNSAFE, gc_event_synchronize(s->recorded))                                                \
    CALL(synchronize_event_never_recorded, UNSAFE, gc_event_synchronize(s->never))                                    \
    CALL(is_complete_event, UNSAFE, ask_complete_event(s->recorded))                                                  \
    CALL(is_complete_event_never_recorded, UNSAFE, ask_complete_event(s->never))                                      \
    CALL(instantiate_unrelated_graph, UNSAFE, instantiate(s))                                                         \
    CALL(synchronize_capturing, ON_CAPTURING, gc_stream_synchronize(s->capturing))                                    \
    CALL(is_complete_capturing, ON_CAPTURING, ask_complete_stream(s->capturing))                                      \
    CALL(launch_graph_on_capturing, ON_CAPTURING, gc_graph_launch(s->exec, s->capturing))                             \
    CALL(upload_graph_on_capturing, ON_CAPTURING, gc_graph_upload(s->exec, s->capturing))                             \
    CALL(synchronize_context, ON_CAPTURING, gc_context_synchronize(s->rig.context))                                   \
    CALL(is_complete_captured_event, ON_CAPTURED_EVENT, ask_complete_event(s->captured))                              \
    CALL(synchronize_captured_event, ON_CAPTURED_EVENT, gc_event_synchronize(s->captured))                            \
    CALL(launch_on_legacy, LEGACY_WORK, launch_add(&s->rig, s->legacy, s->buffer, 0, 1, 1))                           \
    CALL(memset_on_legacy, LEGACY_WORK, gc_stream_memset(s->legacy, s->buffer, 0, 0, 4, 1))                           \
    CALL(copy_in_on_legacy, LEGACY_WORK, gc_stream_memcpy_htod(s->legacy, s->buffer, 0, &s->word, 4))                 \
    CALL(copy_within_on_legacy, LEGACY_WORK, gc_stream_memcpy_dtod(s->legacy, s->buffer, 0, s->buffer, 8, 4))         \
    CALL(copy_out_on_legacy, LEGACY_WORK, gc_stream_memcpy_dtoh(s->legacy, &s->word, s->buffer, 0, 4))                \
    CALL(record_event_on_legacy, LEGACY_WORK, gc_event_record(s->recorded, s->legacy))                                \
    CALL(synchronize_legacy, LEGACY_WAIT, gc_stream_synchronize(s->legacy))                                           \
    CALL(is_complete_legacy, LEGACY_WAIT, ask_complete_stream(s->legacy))                                             \
    CALL(is_capturing_legacy, LEGACY_QUESTION, ask_capturing(s->legacy))                                              \
    CALL(capture_status_legacy, LEGACY_QUESTION, ask_state(s->legacy))                                                \
    CALL(capture_info_legacy, LEGACY_QUESTION, ask_info(s->legacy))                                                   \
    CALL(capture_info, SAFE, ask_info(s->capturing))                                                                  \
    CALL(capture_info_other, SAFE, ask_info(s->other))                                                                \
    CALL(update_dependencies, SAFE, depend_on_nothing(s->capturing, GRAPHCAP_CAPTURE_DEPENDENCIES_SET))               \
    CALL(update_dependencies_of_other, NOT_CAPTURING, depend_on_nothing(s->other, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD)) \
    CALL(update_dependencies_wrongly, WRONG_ARGUMENT, depend_on_nothing(s->capturing, 2))                             \
    CALL(create_graph, SAFE, create_and_destroy_graph(s))                                                             \
    CALL(is_capturing, SAFE, ask_capturing(s->capturing))                                                             \
    CALL(is_capturing_other, SAFE, ask_capturing(s->other))                                                           \
    CALL(create_stream, SAFE, create_and_destroy_stream(s))                                                           \
    CALL(create_event, SAFE, create_and_destroy_event(s))                                                             \
    CALL(allocate_buffer, SAFE, allocate_and_destroy_buffer(s))                                                       \
    CALL(wrap_buffer, SAFE, wrap_and_destroy_buffer(s))                                                               \
    CALL(load_module, SAFE, load_and_destroy_module(s))                                                               \
    CALL(destroy_buffer, SAFE, destroy_buffer_in_use(s))                                                              \
    CALL(destroy_graph, SAFE, destroy_graph(s))                                                                       \
    CALL(destroy_exec, SAFE, destroy_exec(s))                                                                         \
    CALL(destroy_stream, SAFE, destroy_other_stream(s))                                                               \
    CALL(launch_on_other, SAFE, launch_add(&s->rig, s->other, s->buffer, 0, 1, 1))                                    \
    CALL(launch_on_other_blocking, SAFE, launch_add(&s->rig, s->other_blocking, s->buffer, 0, 1, 1))                  \
    CALL(launch_on_per_thread, SAFE, launch_add(&s->rig, s->per_thread, s->buffer, 0, 1, 1))                          \
    CALL(copy_on_other, SAFE, gc_stream_memcpy_htod(s->other, s->buffer, 0, &s->word, 4))                             \
    CALL(launch_graph_on_other, SAFE, gc_graph_launch(s->exec, s->other))                                             \
    CALL(record_event_on_other, SAFE, gc_event_record(s->recorded, s->other))                                         \
    CALL(record_event_on_capturing, SAFE, gc_event_record(s->recorded, s->capturing))                                 \
    CALL(wait_for_event_never_recorded, SAFE, gc_stream_wait_event(s->capturing, s->never, 0))                        \
    CALL(elapsed_time, SAFE, ask_elapsed(s))                                                                          \
    CALL(graph_questions, SAFE, ask_graph(s))                                                                         \
    CALL(default_stream_handles, SAFE, ask_streams(s))                                                                \
    CALL(launch_on_capturing, RECORDED, launch_add(&s->rig, s->capturing, s->buffer, 0, 1, 1))                        \
    CALL(memset_on_capturing, RECORDED, gc_stream_memset(s->capturing, s->buffer, 0, 0, 4, 1))                        \
    CALL(copy_in_on_capturing, RECORDED, gc_stream_memcpy_htod(s->capturing, s->buffer, 0, &s->word, 4))              \
    CALL(copy_out_on_capturing, RECORDED, gc_stream_memcpy_dtoh(s->capturing, &s->word, s->buffer, 0, 4))             \
    CALL(host_function_on_capturing, RECORDED,                                                                        \
         gc_stream_launch_host_func(s->capturing, count_call, &ignored_calls, NULL))                                  \
    CALL(empty_grid_on_capturing, IMPOSSIBLE_SHAPE, launch_shape(s, 0, 1))                                            \
    CALL(large_block_on_capturing, IMPOSSIBLE_SHAPE, launch_shape(s, 1, 2000))                                        \
    CALL(wait_for_event_from_before, ISOLATION, gc_stream_wait_event(s->capturing, s->recorded, 0))                   \
    CALL(begin_again, BEGUN_ALREADY, gc_stream_begin_capture(s->capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL))             \
    CALL(begin_with_bad_mode, WRONG_ARGUMENT, gc_stream_begin_capture(s->other, 3))                                   \
    CALL(copy_beyond_the_end, WRONG_ARGUMENT, gc_stream_memcpy_htod(s->capturing, s->buffer, 63, &s->word, 4))        \
    CALL(memset_beyond_the_end, WRONG_ARGUMENT, gc_stream_memset(s->capturing, s->buffer, 0, 0, 4, 17))               \
    CALL(wrong_argument_count, WRONG_ARGUMENT, launch(s->capturing, s->rig.fill, 1, 1, NULL, 0))

#define DEFINE(name, rule, call)                     \
    static gc_status do_##name(struct scene *s) {    \
        return call;                                 \
    }
CALLS(DEFINE)

static const struct call {
    const char *name;
    enum rule rule;
    gc_status (*make)(struct scene *s);
} calls[] = {
#define ROW(name, rule, call) {#name, rule, do_##name},
    CALLS(ROW)};

static void open_scene(struct scene *s, uint32_t flags) {
    rig_open(&s->rig);
    foreign_open(&s->foreign);
    s->word = 1;
    s->capturing = open_stream(s->rig.context, flags);
    s->other = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    s->other_blocking = open_stream(s->rig.context, 0);
    s->legacy = s->per_thread = NULL;
    REQUIRE_OK(gc_context_legacy_stream(s->rig.context, &s->legacy));
    REQUIRE_OK(gc_context_per_thread_stream(s->rig.context, &s->per_thread));
    s->never = open_event(s->rig.context);
    s->recorded = open_event(s->rig.context);
    s->captured = open_event(s->rig.context);
    s->buffer = open_buffer(s->rig.context, 64);
    s->spare = open_buffer(s->rig.context, 64);
    REQUIRE_OK(gc_event_record(s->recorded, s->other));
    REQUIRE_OK(gc_event_synchronize(s->recorded));
    REQUIRE_OK(gc_stream_begin_capture(s->other, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(launch_add(&s->rig, s->other, s->buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(s->other, &s->graph));
    REQUIRE_OK(gc_graph_instantiate(s->graph, NULL, &s->exec));
}

static void close_scene(struct scene *s) {
    CHECK_OK(gc_context_synchronize(s->rig.context));
    CHECK_OK(gc_graph_exec_destroy(s->exec));
    CHECK_OK(gc_graph_destroy(s->graph));
    CHECK_OK(gc_buffer_destroy(s->spare));
    CHECK_OK(gc_buffer_destroy(s->buffer));
    CHECK_OK(gc_event_destroy(s->captured));
    CHECK_OK(gc_event_destroy(s->recorded));
    CHECK_OK(gc_event_destroy(s->never));
    CHECK_OK(gc_stream_destroy(s->per_thread));
    CHECK_OK(gc_stream_destroy(s->legacy));
    CHECK_OK(gc_stream_destroy(s->other_blocking));
    CHECK_OK(gc_stream_destroy(s->other));
    CHECK_OK(gc_stream_destroy(s->capturing));
    foreign_close(&s->foreign);
    rig_close(&s->rig);
}

/* What a call must answer, and what must become of the capture. */
struct outcome {
    gc_status status;
    int harmed;
    size_t nodes;
};

static struct outcome expected(enum rule rule, gc_capture_mode mode, int blocking, int elsewhere,
                               gc_capture_mode caller_mode) {
    struct outcome outcome = {GRAPHCAP_SUCCESS, 0, 1};
    int barred = elsewhere ? mode == GRAPHCAP_CAPTURE_MODE_GLOBAL && caller_mode == GRAPHCAP_CAPTURE_MODE_GLOBAL
                           : mode != GRAPHCAP_CAPTURE_MODE_RELAXED && caller_mode != GRAPHCAP_CAPTURE_MODE_RELAXED;
    switch (rule) {
    case UNSAFE:
        outcome.status = barred ? GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED : GRAPHCAP_SUCCESS;
        outcome.harmed = barred;
        break;
    case ON_CAPTURING:
        outcome.status = GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED;
        outcome.harmed = 1;
        break;
    case ON_CAPTURED_EVENT:
        outcome.status = GRAPHCAP_ERROR_CAPTURED_EVENT;
        outcome.harmed = 1;
        break;
    case LEGACY_WORK:
        outcome.status = blocking ? GRAPHCAP_ERROR_CAPTURE_IMPLICIT : GRAPHCAP_SUCCESS;
        outcome.harmed = blocking;
        break;
    case LEGACY_WAIT:
        if (!blocking)
            return expected(UNSAFE, mode, blocking, elsewhere, caller_mode);
        return expected(LEGACY_WORK, mode, blocking, elsewhere, caller_mode);
    case LEGACY_QUESTION:
        outcome.status = blocking ? GRAPHCAP_ERROR_CAPTURE_IMPLICIT : GRAPHCAP_SUCCESS;
        break;
    case SAFE:
        break;
    case RECORDED:
        outcome.nodes = 2;
        break;
    case IMPOSSIBLE_SHAPE:
        outcome.status = GRAPHCAP_ERROR_INVALID_VALUE;
        outcome.harmed = 1;
        break;
    case ISOLATION:
        outcome.status = GRAPHCAP_ERROR_CAPTURE_ISOLATION;
        outcome.harmed = 1;
        break;
    case BEGUN_ALREADY:
    case NOT_CAPTURING:
        outcome.status = GRAPHCAP_ERROR_ILLEGAL_STATE;
        break;
    case WRONG_ARGUMENT:
        outcome.status = GRAPHCAP_ERROR_INVALID_VALUE;
        break;
    }
    return outcome;
}

struct attempt {
    const struct call *call;
    struct scene *scene;
    struct outcome outcome;
    gc_capture_mode caller_mode;
    char label[160];
};

static void *make_call(void *argument) {
    struct attempt *attempt = (struct attempt *)argument;
    gc_capture_mode mode = attempt->caller_mode;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    check_status(__FILE__, __LINE__, attempt->label, attempt->call->make(attempt->scene), attempt->outcome.status);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == attempt->caller_mode);
    return NULL;
}

static void try_call(const struct call *call, gc_capture_mode mode, int blocking, int elsewhere,
                     gc_capture_mode caller_mode) {
    static const char *const modes[] = {"global", "thread-local", "relaxed"};
    struct scene scene;
    struct attempt attempt;
    gc_graph *graph = NULL;
    size_t nodes = 0;
    open_scene(&scene, blocking ? 0 : GRAPHCAP_STREAM_NON_BLOCKING);
    attempt.call = call;
    attempt.scene = &scene;
    attempt.outcome = expected(call->rule, mode, blocking, elsewhere, caller_mode);
    attempt.caller_mode = caller_mode;
    snprintf(attempt.label, sizeof attempt.label, "%s during a %s capture of a %sblocking stream, from %s %s thread",
             call->name, modes[mode], blocking ? "" : "non-", elsewhere ? "another" : "its own", modes[caller_mode]);
    check_test = attempt.label;
    CHECK_OK(gc_stream_begin_capture(scene.capturing, mode));
    CHECK_OK(gc_stream_memset(scene.capturing, scene.buffer, 0, 0, 4, 1));
    CHECK_OK(gc_event_record(scene.captured, scene.capturing));
    if (elsewhere)
        on_another_thread(make_call, &attempt);
    else
        make_call(&attempt);
    CHECK(capture_state(scene.capturing) ==
          (attempt.outcome.harmed ? GRAPHCAP_CAPTURE_STATUS_INVALIDATED : GRAPHCAP_CAPTURE_STATUS_ACTIVE));
    CHECK_STATUS(gc_stream_end_capture(scene.capturing, &graph),
                 attempt.outcome.harmed ? GRAPHCAP_ERROR_CAPTURE_INVALIDATED : GRAPHCAP_SUCCESS);
    CHECK((graph == NULL) == attempt.outcome.harmed);
    if (graph != NULL) {
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK(nodes == attempt.outcome.nodes);
        CHECK_OK(gc_graph_destroy(graph));
    }
    /* In either case the stream runs work again. */
    CHECK(capture_state(scene.capturing) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_stream_memset(scene.capturing, scene.buffer, 4, 17, 4, 1));
    CHECK(read_u32(scene.capturing, scene.buffer, 1) == 17);
    close_scene(&scene);
}

static void every_call_in_every_capture(void) {
    size_t i;
    gc_capture_mode mode, caller_mode;
    int blocking, elsewhere;
    for (i = 0; i < LENGTH_OF(calls); i++)
        for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++)
            for (caller_mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; caller_mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; caller_mode++)
                for (blocking = 0; blocking < 2; blocking++)
                    for (elsewhere = 0; elsewhere < 2; elsewhere++)
                        try_call(&calls[i], mode, blocking, elsewhere, caller_mode);
}

static void unsafe_calls_reach_captures_of_other_contexts(void) {
    struct scene here, there;
    gc_graph *graph = NULL;
    open_scene(&here, 0);
    open_scene(&there, 0);
    CHECK_OK(gc_stream_begin_capture(here.capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_synchronize(there.other), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(capture_state(here.capturing) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_STATUS(gc_stream_end_capture(here.capturing, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    close_scene(&there);
    close_scene(&here);
}

static void what_belongs_to_a_context_stays_in_it(void) {
    struct scene here, there;
    gc_graph *graph = NULL;
    NOT_ON_CUDA("all contexts of a GPU are its one primary context");
    open_scene(&here, 0);
    open_scene(&there, 0);
    CHECK_OK(gc_stream_begin_capture(here.capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&there.rig, there.legacy, there.buffer, 0, 1, 1));
    CHECK_OK(ask_state(there.legacy));
    CHECK_OK(gc_context_synchronize(there.rig.context));
    CHECK(capture_state(here.capturing) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(here.capturing, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    close_scene(&there);
    close_scene(&here);
}

/* Only the captures in conflict die. */
static void a_relaxed_capture_survives_its_neighbour(void) {
    struct scene scene;
    gc_graph *graph = NULL;
    open_scene(&scene, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_stream_begin_capture(scene.capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_begin_capture(scene.other_blocking, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_synchronize(scene.other), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(capture_state(scene.capturing) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK(capture_state(scene.other_blocking) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_STATUS(gc_stream_end_capture(scene.capturing, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_end_capture(scene.other_blocking, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    close_scene(&scene);
}

/* The messages say which rule was broken and what to do instead. */
static void broken_rules_are_explained(void) {
    struct scene scene;
    gc_graph *graph = NULL;
    open_scene(&scene, 0);
    CHECK_OK(gc_stream_begin_capture(scene.capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_stream_synchronize(scene.capturing), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "captur");
    CHECK_MESSAGE(gc_stream_memset(scene.capturing, scene.buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "end");
    CHECK_MESSAGE(gc_stream_end_capture(scene.capturing, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    CHECK_OK(gc_stream_begin_capture(scene.capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_stream_memset(scene.legacy, scene.buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "legacy");
    CHECK_STATUS(gc_stream_end_capture(scene.capturing, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_begin_capture(scene.capturing, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_MESSAGE(gc_stream_wait_event(scene.capturing, scene.recorded, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION, "before");
    CHECK_STATUS(gc_stream_end_capture(scene.capturing, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    close_scene(&scene);
}

int main(void) {
    /* A context that stays: opening the first one of a GPU takes long, and there are hundreds of scenes. */
    gc_context *context = open_context();
    RUN(every_call_in_every_capture);
    RUN(unsafe_calls_reach_captures_of_other_contexts);
    RUN(what_belongs_to_a_context_stays_in_it);
    RUN(a_relaxed_capture_survives_its_neighbour);
    RUN(broken_rules_are_explained);
    CHECK_OK(gc_context_destroy(context));
    return check_finish();
}
