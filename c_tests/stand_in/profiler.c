/* The trace of a GPU by CUPTI, which a stand-in tells: each node of each launch by its name, and what is told where CUPTI cannot be had. */
#include "../support/traces.h"
#include "loaded.h"

static size_t times_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* An exec of a kernel, a copy and a memset, which wait for each other. */
struct traced {
    struct rig rig;
    gc_buffer *buffers[2];
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_node nodes[3];
    gc_memset_params fill;
};

static void open_traced(struct traced *traced) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const gc_memset_params fill = GRAPHCAP_MEMSET_PARAMS_INIT;
    rig_open_in(&traced->rig, open_cuda());
    traced->buffers[0] = open_buffer(traced->rig.context, 64);
    traced->buffers[1] = open_buffer(traced->rig.context, 64);
    const uint32_t value = 1;
    const uint64_t count = 1;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(traced->buffers[0]), GRAPHCAP_ARG_INIT_VALUE(value),
                                       GRAPHCAP_ARG_INIT_VALUE(count)};
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(traced->buffers[1], 0, traced->buffers[0], 0, 64);
    REQUIRE_OK(gc_graph_create(traced->rig.context, &traced->graph));
    CHECK_OK(gc_graph_add_kernel_node(traced->graph, NULL, 0, traced->rig.add, &config, arguments, 3, traced->nodes));
    CHECK_OK(gc_graph_add_memcpy_node(traced->graph, traced->nodes, 1, &copy, traced->nodes + 1));
    traced->fill = fill;
    traced->fill.buffer = traced->buffers[1];
    traced->fill.element_size = 1;
    traced->fill.width = 64;
    traced->fill.height = 1;
    CHECK_OK(gc_graph_add_memset_node(traced->graph, traced->nodes + 1, 1, &traced->fill, traced->nodes + 2));
    CHECK_OK(gc_node_set_name(traced->graph, traced->nodes[0], "the first"));
    CHECK_OK(gc_node_set_name(traced->graph, traced->nodes[2], "the third"));
    REQUIRE_OK(gc_graph_instantiate(traced->graph, NULL, &traced->exec));
    CHECK_OK(gc_graph_launch(traced->exec, traced->rig.stream));
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
}

/* Makes the exec anew, in the trace that goes on. */
static void make_anew(struct traced *traced) {
    CHECK_OK(gc_graph_exec_destroy(traced->exec));
    REQUIRE_OK(gc_graph_instantiate(traced->graph, NULL, &traced->exec));
}

static void replay(const struct traced *traced, int launches) {
    while (launches-- > 0)
        CHECK_OK(gc_graph_launch(traced->exec, traced->rig.stream));
    CHECK_OK(gc_stream_synchronize(traced->rig.stream));
}

static void close_traced(struct traced *traced) {
    CHECK_OK(gc_graph_exec_destroy(traced->exec));
    CHECK_OK(gc_graph_destroy(traced->graph));
    CHECK_OK(gc_buffer_destroy(traced->buffers[0]));
    CHECK_OK(gc_buffer_destroy(traced->buffers[1]));
    rig_close(&traced->rig);
}

/* Gives the times of two of three replays in a trace. */
static void replay_traced(char *times, size_t room) {
    struct traced traced;
    open_traced(&traced);
    CHECK_OK(gc_graph_exec_times(traced.exec, 2, times, room, NULL));
    replay(&traced, 3);
    CHECK_OK(gc_graph_exec_times(traced.exec, 2, times, room, NULL));
    CHECK_OK(gc_trace_stop(NULL));
    close_traced(&traced);
}

static void each_node_is_told_by_its_name(void) {
    char times[8192];
    replay_traced(times, sizeof times);
    CHECK(times_of(times, "\"launch\":") == 2 && times_of(times, "\"after\":0") == 2);
    CHECK(times_of(times, "\"name\":\"the first\",\"kernel\":\"add\",\"kind\":\"kernel\",\"lane\":1099511631104,") == 2);
    CHECK(times_of(times, "\"name\":\"\",\"kernel\":\"\",\"kind\":\"memcpy\",\"lane\":1099511631104,") == 2);
    CHECK(times_of(times, "\"name\":\"the third\",\"kernel\":\"\",\"kind\":\"memset\",\"lane\":1099511631104,") == 2);
    CHECK(times_of(times, "\"is_critical\":true") == 6 && !trace_has("CUPTI tells nothing of"));
}

static void a_copy_between_devices_has_a_line_of_its_own(void) {
    char times[8192];
    setenv("STAND_IN_CUPTI_PEERS", "1", 1);
    replay_traced(times, sizeof times);
    unsetenv("STAND_IN_CUPTI_PEERS");
    CHECK(times_of(times, "\"kind\":\"memcpy\",\"lane\":1103806598400,") == 2);
    CHECK(times_of(times, "\"lane\":1099511631104,") == 4 && times_of(times, "\"is_critical\":true") == 6);
}

static size_t replays_told(const gc_graph_exec *exec) {
    char times[8192];
    CHECK_OK(gc_graph_exec_times(exec, 9, times, sizeof times, NULL));
    return times_of(times, "\"launch\":");
}

static void replays_before_a_change_are_left_out(void) {
    struct traced traced;
    open_traced(&traced);
    replay(&traced, 2);
    CHECK(replays_told(traced.exec) == 2);
    CHECK_OK(gc_graph_exec_set_memset_node(traced.exec, traced.nodes[2], &traced.fill));
    CHECK(replays_told(traced.exec) == 0);
    replay(&traced, 1);
    CHECK(replays_told(traced.exec) == 1);
    CHECK_OK(gc_graph_exec_update(traced.exec, traced.graph, 0, NULL));
    replay(&traced, 3);
    CHECK(replays_told(traced.exec) == 3);
    CHECK_OK(gc_graph_exec_set_node_enabled(traced.exec, traced.nodes[0], 0));
    CHECK(replays_told(traced.exec) == 0);
    CHECK_OK(gc_trace_stop(NULL));
    close_traced(&traced);
}

/* CUPTI waits for all work as it is subscribed to. So that is not left to the first exec: work may wait for the thread that makes one. */
static void cupti_is_subscribed_to_before_there_is_work(void) {
    gc_context *context;
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    context = open_cuda();
    CHECK_OK(gc_trace_stop(NULL));
    CHECK(trace_has("CUPTI tells what"));
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    CHECK_OK(gc_trace_stop(NULL));
    CHECK(trace_has("CUPTI tells what"));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    CHECK_OK(gc_trace_stop(NULL));
    CHECK(!trace_has("CUPTI"));
}

static void *begin_trace(void *unused) {
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    return unused;
}

/* The work that CUPTI waits for may wait for another thread, which makes and launches an exec. */
static void execs_are_made_and_launched_while_cupti_waits(void) {
    struct traced traced;
    pthread_t beginning;
    open_traced(&traced);
    CHECK_OK(gc_trace_stop(NULL));
    stand_in.block("cuCtxSynchronize");
    REQUIRE_OK(pthread_create(&beginning, NULL, begin_trace, NULL));
    while (stand_in.blocked() == 0)
        pause_ms(1);
    make_anew(&traced);
    CHECK_OK(gc_graph_launch(traced.exec, traced.rig.stream));
    CHECK(stand_in.blocked() == 1);
    stand_in.block(NULL);
    pthread_join(beginning, NULL);
    replay(&traced, 1);
    CHECK_OK(gc_trace_stop(NULL));
    CHECK(trace_has("CUPTI tells what"));
    close_traced(&traced);
}

/* A thread that makes and launches execs all the time. */
struct launching {
    const struct traced *traced;
    int is_over;
};

static void *launch_on(void *argument) {
    struct launching *launching = (struct launching *)argument;
    while (!__atomic_load_n(&launching->is_over, __ATOMIC_ACQUIRE)) {
        gc_graph_exec *exec = NULL;
        CHECK_OK(gc_graph_instantiate(launching->traced->graph, NULL, &exec));
        CHECK_OK(gc_graph_launch(exec, launching->traced->rig.stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    return NULL;
}

/* So the thread that begins the trace subscribes, and no other one, which the work may wait for. */
static void the_thread_that_begins_a_trace_subscribes(void) {
    struct traced traced;
    struct launching launching;
    pthread_t thread, (*subscribed_by)(void) = NULL;
    void *found = library_function("13.0/libcupti.so.13", "stand_in_subscribed_by");
    const unsigned rounds = is_under_memcheck() ? 20 : 3000;
    unsigned round, others = 0;
    memcpy(&subscribed_by, &found, sizeof subscribed_by);
    open_traced(&traced);
    CHECK_OK(gc_trace_stop(NULL));
    launching.traced = &traced;
    launching.is_over = 0;
    REQUIRE_OK(pthread_create(&thread, NULL, launch_on, &launching));
    for (round = 0; round < rounds; round++) {
        CHECK_OK(gc_trace_start(trace_path, 1 << 20));
        others += !pthread_equal(subscribed_by(), pthread_self());
        CHECK_OK(gc_trace_stop(NULL));
    }
    __atomic_store_n(&launching.is_over, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    CHECK(others == 0);
    CHECK_OK(gc_stream_synchronize(traced.rig.stream));
    close_traced(&traced);
}

static void leave_without_an_end(const char *unused) {
    struct traced traced;
    (void)unused;
    open_traced(&traced);
    replay(&traced, 1);
    close_traced(&traced);
}

static void what_ran_is_told_as_the_process_exits(void) {
    in_child(leave_without_an_end, "");
    CHECK(trace_has("gc_graph_launch") && trace_has("memcpy") && trace_has("memset"));
}

static void an_exec_from_before_the_trace_is_not_told_without_cupti(void) {
    char times[8192];
    setenv("STAND_IN_CUPTI_TAKEN", "1", 1);
    replay_traced(times, sizeof times);
    unsetenv("STAND_IN_CUPTI_TAKEN");
    CHECK(strstr(times, "\"replays\":[]") != NULL && trace_has("CUPTI tells nothing of"));
}

/* A node that is off did not run, and no kernel is told by the name of another one. */
static void what_changed_is_told_as_it_is(const struct traced *traced) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(2, 1);
    const uint32_t value = 1;
    const uint64_t count = 1;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(traced->buffers[0]), GRAPHCAP_ARG_INIT_VALUE(value),
                                       GRAPHCAP_ARG_INIT_VALUE(count)};
    char times[8192];
    CHECK_OK(gc_graph_exec_set_node_enabled(traced->exec, traced->nodes[0], 0));
    replay(traced, 1);
    CHECK_OK(gc_graph_exec_times(traced->exec, 1, times, sizeof times, NULL));
    CHECK(times_of(times, "the first") == 0 && times_of(times, "the third") == 1);
    CHECK_OK(gc_graph_exec_set_node_enabled(traced->exec, traced->nodes[0], 1));
    CHECK_OK(gc_graph_exec_set_kernel_node(traced->exec, traced->nodes[0], traced->rig.add, &config, arguments, 3));
    replay(traced, 1);
    CHECK_OK(gc_graph_exec_times(traced->exec, 1, times, sizeof times, NULL));
    CHECK(times_of(times, "\"name\":\"the first\",\"kernel\":\"\",\"kind\":\"kernel\"") == 1);
}

static void shaped_execs_are_timed_too(struct traced *traced) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *timed = traced->exec;
    gc_node node;
    options.flags = GRAPHCAP_INSTANTIATE_SHAPE;
    CHECK_OK(gc_graph_add_memset_node(traced->graph, NULL, 0, &traced->fill, &node));
    REQUIRE_OK(gc_graph_instantiate(traced->graph, &options, &traced->exec));
    CHECK_OK(gc_graph_exec_update(traced->exec, traced->graph, 0, NULL));
    replay(traced, 1);
    CHECK(replays_told(traced->exec) == 1);
    CHECK_OK(gc_graph_exec_destroy(traced->exec));
    traced->exec = timed;
}

/* Nanoseconds from the begin of the first replay that is told to that of a node; -1 where none is of that name. */
static long begin_of(const char *times, const char *node) {
    const char *found = strstr(times, node);
    found = found == NULL ? NULL : strstr(found, "\"begin_ns\":");
    return found == NULL ? -1 : atol(found + strlen("\"begin_ns\":"));
}

/* As it does an exec without events. The nodes of the copy that gets the events are found, in whatever order they come. */
static void a_graph_that_a_capture_goes_into_updates_it(const struct traced *traced) {
    gc_graph *graph = NULL;
    size_t count = 0;
    char times[8192];
    setenv("STAND_IN_CLONES_BACKWARD", "1", 1);
    CHECK_OK(gc_stream_begin_capture_to_graph(traced->rig.stream, traced->graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_graph_exec_update(traced->exec, traced->graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    CHECK_OK(gc_graph_exec_update(traced->exec, traced->graph, 0, NULL));
    CHECK_OK(gc_stream_end_capture(traced->rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_node_count(traced->graph, &count));
    CHECK(count == 3 && replays_told(traced->exec) == 0);
    replay(traced, 2);
    CHECK(replays_told(traced->exec) == 2);
    CHECK_OK(gc_graph_exec_times(traced->exec, 1, times, sizeof times, NULL));
    CHECK(begin_of(times, "the first") == 0 && begin_of(times, "the third") > 0);
    unsetenv("STAND_IN_CLONES_BACKWARD");
}

/* The driver copies no graph with conditions, so that such a graph cannot get events while a capture goes into it. */
static void a_graph_with_conditions_updates_it_at_the_end_of_the_capture(void) {
    struct traced traced;
    gc_graph *graph = NULL;
    gc_condition condition = 0;
    gc_node node;
    setenv("STAND_IN_CUPTI_TAKEN", "1", 1);
    open_traced(&traced);
    CHECK_OK(gc_graph_create_condition(traced.graph, 0, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    CHECK_OK(gc_graph_add_conditional_node(traced.graph, traced.nodes + 2, 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    make_anew(&traced);
    CHECK_OK(gc_stream_begin_capture_to_graph(traced.rig.stream, traced.graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_graph_exec_update(traced.exec, traced.graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL),
                  GRAPHCAP_ERROR_ILLEGAL_STATE, "the exec has events");
    CHECK_MESSAGE(gc_graph_exec_update(traced.exec, traced.graph, 0, NULL), GRAPHCAP_ERROR_ILLEGAL_STATE, "the exec has events");
    CHECK_OK(gc_stream_end_capture(traced.rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_update(traced.exec, traced.graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    CHECK_OK(gc_graph_exec_update(traced.exec, traced.graph, 0, NULL));
    replay(&traced, 1);
    CHECK(replays_told(traced.exec) == 1);
    CHECK_OK(gc_trace_stop(NULL));
    close_traced(&traced);
    unsetenv("STAND_IN_CUPTI_TAKEN");
}

static void an_update_that_is_refused_leaves_the_names_of_kernels(const struct traced *traced) {
    gc_graph *other = NULL;
    gc_node node = 0, last = 0;
    char times[8192];
    REQUIRE_OK(gc_graph_create(traced->rig.context, &other));
    for (int i = 0; i < 3; i++, last = node)
        CHECK_OK(gc_graph_add_memset_node(other, &last, i > 0, &traced->fill, &node));
    CHECK_STATUS(gc_graph_exec_update(traced->exec, other, 0, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_OK(gc_graph_destroy(other));
    replay(traced, 1);
    CHECK_OK(gc_graph_exec_times(traced->exec, 1, times, sizeof times, NULL));
    CHECK(times_of(times, "\"name\":\"the first\",\"kernel\":\"add\",\"kind\":\"kernel\"") == 1);
}

/* Where another tool has CUPTI, events tell of the same nodes, by the same names, also after changes. */
static void events_tell_where_another_tool_has_cupti(void) {
    struct traced traced;
    char times[8192];
    size_t count = 0;
    setenv("STAND_IN_CUPTI_TAKEN", "1", 1);
    open_traced(&traced);
    make_anew(&traced);
    CHECK_OK(gc_graph_node_count(traced.graph, &count));
    CHECK(count == 3);
    CHECK_OK(gc_graph_exec_node_count(traced.exec, &count));
    CHECK(count == 3);
    replay(&traced, 1);
    replay(&traced, 2);
    CHECK_OK(gc_graph_exec_times(traced.exec, 2, times, sizeof times, NULL));
    CHECK(times_of(times, "\"launch\":") == 2 && times_of(times, "perturbed") == 1);
    CHECK(times_of(times, "\"name\":\"the first\",\"kernel\":\"add\",\"kind\":\"kernel\"") == 2);
    CHECK(times_of(times, "\"name\":\"\",\"kernel\":\"\",\"kind\":\"memcpy\"") == 2);
    CHECK(times_of(times, "\"name\":\"the third\",\"kernel\":\"\",\"kind\":\"memset\"") == 2);
    CHECK(times_of(times, "\"is_critical\":true") == 6);
    CHECK_OK(gc_graph_exec_set_memset_node(traced.exec, traced.nodes[2], &traced.fill));
    CHECK(replays_told(traced.exec) == 0);
    replay(&traced, 1);
    CHECK(replays_told(traced.exec) == 1);
    CHECK_OK(gc_graph_exec_update(traced.exec, traced.graph, 0, NULL));
    replay(&traced, 1);
    replay(&traced, 1);
    CHECK(replays_told(traced.exec) == 2);
    an_update_that_is_refused_leaves_the_names_of_kernels(&traced);
    a_graph_that_a_capture_goes_into_updates_it(&traced);
    shaped_execs_are_timed_too(&traced);
    CHECK_OK(gc_trace_stop(NULL));
    replay(&traced, 1);
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    replay(&traced, 1);
    CHECK(replays_told(traced.exec) == 1);
    what_changed_is_told_as_it_is(&traced);
    CHECK_OK(gc_trace_stop(NULL));
    close_traced(&traced);
    unsetenv("STAND_IN_CUPTI_TAKEN");
}

static void records_of_an_unknown_version_are_not_read(void) {
    char times[8192];
    setenv("STAND_IN_CUPTI_VERSION", "140000", 1);
    replay_traced(times, sizeof times);
    unsetenv("STAND_IN_CUPTI_VERSION");
    CHECK(strstr(times, "\"replays\":[]") != NULL && trace_has("CUPTI tells nothing of"));
}

int main(void) {
    use_stand_in("13.0");
    name_library("GRAPHCAP_CUPTI_LIBRARY", "13.0/libcupti.so.13");
    name_trace("profiler");
    RUN(what_ran_is_told_as_the_process_exits);
    RUN(cupti_is_subscribed_to_before_there_is_work);
    RUN(execs_are_made_and_launched_while_cupti_waits);
    RUN(the_thread_that_begins_a_trace_subscribes);
    RUN(each_node_is_told_by_its_name);
    RUN(a_copy_between_devices_has_a_line_of_its_own);
    RUN(replays_before_a_change_are_left_out);
    RUN(an_exec_from_before_the_trace_is_not_told_without_cupti);
    RUN(events_tell_where_another_tool_has_cupti);
    RUN(a_graph_with_conditions_updates_it_at_the_end_of_the_capture);
    RUN(records_of_an_unknown_version_are_not_read);
    RUN(each_node_is_told_by_its_name);
    remove(trace_path);
    return check_finish();
}
