/* Each call of the driver fails once: a captured graph is told of, written as text, compared with itself and replayed. */
#include "failures.h"

static void prepare(struct program *it) {
    make_all(it);
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
    record(it);
    STEP(gc_stream_end_capture(it->stream, &it->graph));
}

static void replay(struct program *it) {
    static char text[4096];
    size_t number;
    STEP(gc_graph_node_count(it->graph, &number));
    STEP(gc_graph_edge_count(it->graph, &number));
    STEP(gc_graph_export_dot(it->graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    STEP(gc_graph_export_json(it->graph, NULL, 0, &number));
    STEP(gc_graph_diff(it->graph, it->graph, NULL, 0, &number));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    STEP(gc_graph_upload(it->exec, it->stream));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_graph_launch(it->exec, it->wrapped));
    STEP(gc_stream_synchronize(it->stream));
    STEP(gc_graph_launch(it->exec, it->special));
    STEP(gc_context_synchronize(it->context));
    it->to_call += 3;
    if (code == 0)
        CHECK(it->words[0] == 3 && it->words[3] == 3);
    /* The streams stay: graphcap's own threads ask them how far the work with the memory is. */
    CHECK_OK(gc_buffer_destroy(it->buffer));
    CHECK_OK(gc_buffer_destroy(it->copy));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_exec_destroy(it->exec));
    it->buffer = it->copy = NULL;
    it->graph = NULL;
    it->exec = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject replays = {prepare, replay, give_back, 140, 160};
    return fail_calls_of(&replays);
}
