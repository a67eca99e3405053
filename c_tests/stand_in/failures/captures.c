/* Each call of the driver fails once: a capture over several streams, what it tells, and one that another context joins. */
#include "failures.h"

/* The arguments of kernels that others may have recorded. An old driver does not tell them; a driver that fails to tell how many
 * parameters there are counts as one. */
static void list_pointers(const gc_graph *graph) {
    gc_unresolved_pointer pointers[4];
    size_t count = 0;
    gc_status status = gc_graph_unresolved_pointers(graph, pointers, LENGTH_OF(pointers), &count);
    const char *failed = stand_in.failed();
    if (status != GRAPHCAP_ERROR_NOT_SUPPORTED)
        STEP(status);
    else
        CHECK(!is_new || (failed != NULL && check_contains(failed, "ParamInfo")));
}

static void capture(struct program *it) {
    static char text[4096];
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    gc_node nodes[8] = {0};
    size_t number = 0;
    record(it);
    STEP(gc_stream_capture_info(it->side, &info));
    STEP(gc_stream_capture_frontier(it->stream, nodes, LENGTH_OF(nodes), &number));
    if (!has_failed)
        STEP(gc_stream_update_capture_dependencies(it->stream, nodes, NULL, number, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    STEP(gc_stream_export_capture_dot(it->stream, 0, text, sizeof text, NULL));
    STEP(gc_stream_end_capture(it->stream, &it->graph));
    if (it->graph != NULL)
        list_pointers(it->graph);
}

/* A capture that a stream of another context joins, and a replay on that stream. */
static void capture_elsewhere(struct program *it) {
    gc_stream *guest = NULL;
    gc_event *answer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    STEP(gc_stream_create(it->elsewhere, NULL, &guest));
    STEP(gc_event_create(it->elsewhere, NULL, &answer));
    STEP(gc_stream_begin_capture(it->side, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_event_record(it->fork_event, it->side, 0));
    STEP(gc_stream_wait_event(guest, it->fork_event, 0));
    STEP(gc_stream_memset(guest, it->lent, 0, 1, 4, 4));
    STEP(gc_event_record(answer, guest, 0));
    STEP(gc_stream_wait_event(it->side, answer, 0));
    STEP(gc_stream_end_capture(it->side, &graph));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, guest));
    STEP(gc_stream_synchronize(guest));
    STEP(gc_graph_launch(exec, it->side));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(answer));
    CHECK_OK(gc_stream_destroy(guest));
    graph = NULL;
    STEP(gc_graph_create(it->context, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

static void use_captures(struct program *it) {
    capture(it);
    capture_elsewhere(it);
}

int main(void) {
    static const struct subject captures = {make_all, use_captures, give_back, 130, 135};
    return fail_calls_of(&captures);
}
