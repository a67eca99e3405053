/* Objects that graphs keep for captures and edits: they go with a capture that fails, and with the edit that is the last to use them. */
#include "kernels.h"

static struct rig rig;
static struct foreign foreign[2];
static unsigned released[2];

static void memset_of(gc_memset_params *set, const gc_buffer *buffer) {
    const gc_memset_params zero = GRAPHCAP_MEMSET_PARAMS_INIT;
    *set = zero;
    set->buffer = buffer;
    set->element_size = 4;
    set->width = 4;
    set->height = 1;
}

/* The graph keeps nothing once a capture into it has failed; its handle is still there. */
static void a_capture_that_fails_lets_go(void) {
    int by_stream;
    for (by_stream = 0; by_stream < 2; by_stream++) {
        gc_buffer *wrapped = wrap_foreign(rig.context, &foreign[0], &released[0]);
        gc_stream *stream = open_stream(rig.context, 0);
        gc_graph *graph = NULL, *same = NULL;
        gc_graph_exec *exec = NULL;
        gc_status begun;
        released[0] = 0;
        REQUIRE_OK(gc_graph_create(rig.context, &graph));
        begun = gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED);
        if (begun != GRAPHCAP_ERROR_NOT_SUPPORTED) {
            REQUIRE_OK(begun);
            CHECK_OK(gc_stream_memset(stream, wrapped, 0, 0, 4, 1));
            REQUIRE_OK(gc_stream_end_capture(stream, &same));
            CHECK_OK(gc_graph_destroy(same));
            same = NULL;
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
            REQUIRE_OK(gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
            if (by_stream) {
                CHECK_OK(gc_stream_destroy(stream));
                stream = NULL;
            } else {
                CHECK_STATUS(gc_stream_end_capture(stream, &same), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
            }
        }
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        if (exec != NULL) {
            CHECK(count_of(&released[0]) == 0);
            CHECK_OK(gc_graph_launch(exec, rig.stream));
            CHECK_OK(gc_stream_synchronize(rig.stream));
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
        CHECK(await_count(&released[0], 1));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_stream_destroy(stream));
    }
}

/* Edits of a captured graph in turn use one of two buffers. An exec that was made in between keeps its own. */
static void many_edits_keep_one_buffer(void) {
    enum { EDITS = 2000 };
    gc_buffer *wrapped = wrap_foreign(rig.context, &foreign[0], &released[0]), *own;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_memset_params set;
    gc_node node;
    size_t count = 1;
    unsigned edit, of_exec = 0;
    struct foreign third;
    foreign_open(&third);
    released[0] = released[1] = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(rig.stream, wrapped, 0, 0, 4, 4));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_buffer_destroy(wrapped));
    REQUIRE_OK(gc_graph_get_nodes(graph, &node, 1, &count));
    for (edit = 1; edit <= EDITS; edit++) {
        wrapped = wrap_foreign(rig.context, &foreign[edit % 2], &released[edit % 2]);
        memset_of(&set, wrapped);
        CHECK_OK(gc_node_set_memset(graph, node, &set));
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK(await_count(&released[(edit + 1) % 2], (edit + 1) / 2) && count_of(&released[edit % 2]) == edit / 2);
        if (edit == EDITS / 2) {
            own = wrap_foreign(rig.context, &third, &of_exec);
            memset_of(&set, own);
            CHECK_OK(gc_node_set_memset(graph, node, &set));
            CHECK_OK(gc_buffer_destroy(own));
            CHECK(await_count(&released[edit % 2], edit / 2 + 1));
            REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        }
    }
    CHECK(count_of(&of_exec) == 0);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(await_count(&of_exec, 1));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(await_count(&released[EDITS % 2], EDITS / 2 + 1));
    foreign_close(&third);
}

int main(void) {
    foreign_open(&foreign[0]);
    foreign_open(&foreign[1]);
    rig_open(&rig);
    RUN(a_capture_that_fails_lets_go);
    RUN(many_edits_keep_one_buffer);
    rig_close(&rig);
    foreign_close(&foreign[0]);
    foreign_close(&foreign[1]);
    return check_finish();
}
