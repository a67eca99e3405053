/* An exec that takes the place of another one runs behind the launches of that one: the driver, which knows nothing of the two, is given waits. */
#include "harness.h"

#include <pthread.h>

static struct rig rig;

static gc_graph_exec_apply_route route_to(const gc_graph_exec *exec, const gc_graph *graph) {
    gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, &report));
    return report.route;
}

/* One that was never launched hands on what it was to run behind. */
static void what_is_never_launched_hands_on_what_it_runs_behind(void) {
    gc_buffer *buffer = open_buffer(rig.context, 16);
    gc_stream *first = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *second = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 8, 4);
    gc_graph *adding, *copying = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node = 0;
    uint64_t waits;
    REQUIRE_OK(gc_stream_begin_capture(first, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, first, buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(first, &adding));
    REQUIRE_OK(gc_graph_create(rig.context, &copying));
    REQUIRE_OK(gc_graph_add_memcpy_node(copying, NULL, 0, &copy, &node));
    REQUIRE_OK(gc_graph_instantiate(adding, NULL, &exec));
    stand_in.hold(1);
    CHECK_OK(gc_graph_launch(exec, first));
    CHECK(route_to(exec, copying) == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW);
    CHECK(route_to(exec, adding) == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW);
    stand_in.count(1);
    waits = calls_of("cuStreamWaitEvent");
    CHECK_OK(gc_graph_launch(exec, second));
    CHECK(calls_of("cuStreamWaitEvent") == waits + 1);
    CHECK_OK(gc_graph_launch(exec, second));
    CHECK(calls_of("cuStreamWaitEvent") == waits + 1);
    stand_in.count(0);
    stand_in.hold(0);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(adding));
    CHECK_OK(gc_graph_destroy(copying));
    CHECK_OK(gc_stream_destroy(first));
    CHECK_OK(gc_stream_destroy(second));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A launch by another thread, which the driver holds. */
struct held {
    gc_graph_exec *exec;
    gc_stream *stream;
};

static void *launch_held(void *argument) {
    const struct held *held = (const struct held *)argument;
    CHECK_OK(gc_graph_launch(held->exec, held->stream));
    return NULL;
}

struct applied {
    gc_graph_exec *exec;
    gc_graph *graph;
};

static void *apply_anew(void *argument) {
    const struct applied *applied = (const struct applied *)argument;
    CHECK(route_to(applied->exec, applied->graph) == GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW);
    return NULL;
}

/* A call of another thread on a stream that launched the exec is waited for. */
static void a_call_in_progress_is_waited_for(void) {
    gc_buffer *buffer = open_buffer(rig.context, 16);
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 8, 4);
    gc_graph *empty = NULL, *copying = NULL, *other = NULL;
    struct applied applied = {NULL, NULL};
    struct held held = {NULL, open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING)};
    pthread_t launching, applying;
    gc_node node = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &empty));
    REQUIRE_OK(gc_graph_create(rig.context, &other));
    REQUIRE_OK(gc_graph_create(rig.context, &copying));
    CHECK_OK(gc_graph_add_memcpy_node(copying, NULL, 0, &copy, &node));
    REQUIRE_OK(gc_graph_instantiate(empty, NULL, &applied.exec));
    REQUIRE_OK(gc_graph_instantiate(other, NULL, &held.exec));
    CHECK_OK(gc_graph_launch(applied.exec, held.stream));
    applied.graph = copying;
    stand_in.block("cuGraphLaunch");
    REQUIRE_OK(pthread_create(&launching, NULL, launch_held, &held));
    while (stand_in.blocked() == 0)
        pause_ms(1);
    REQUIRE_OK(pthread_create(&applying, NULL, apply_anew, &applied));
    pause_ms(20);
    stand_in.block(NULL);
    pthread_join(launching, NULL);
    pthread_join(applying, NULL);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_graph_exec_destroy(applied.exec));
    CHECK_OK(gc_graph_exec_destroy(held.exec));
    CHECK_OK(gc_graph_destroy(empty));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(copying));
    CHECK_OK(gc_stream_destroy(held.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void try_driver(const char *version) {
    use_stand_in(version);
    look_up_driver();
    rig_open(&rig);
    RUN(what_is_never_launched_hands_on_what_it_runs_behind);
    RUN(a_call_in_progress_is_waited_for);
    CHECK_OK(gc_context_synchronize(rig.context));
    rig_close(&rig);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_driver);
    return check_finish();
}
