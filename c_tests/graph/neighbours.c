/* The neighbours of nodes, held against the lists of all nodes and edges: in graphs that were built, edited, captured into and
 * copied, so that the order in which nodes were made is another one than that of their places. */
#include "nodes.h"

enum { MOST = 96, EDGES = 1024 };

static struct rig rig;
static gc_buffer *buffer;

static uint64_t random_state = 7;

static unsigned below(unsigned limit) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % limit;
}

/* Each node's lists are those of the edges, in the order of the nodes. */
static void check_neighbours(const gc_graph *graph) {
    static gc_node nodes[MOST], from[EDGES], to[EDGES], found[MOST], expected[MOST];
    size_t count = 0, edges = 0, i, k, e, needed, side;
    REQUIRE_OK(gc_graph_get_nodes(graph, nodes, MOST, &count));
    REQUIRE_OK(gc_graph_get_edges(graph, from, to, NULL, EDGES, &edges));
    for (i = 0; i < count; i++)
        for (side = 0; side < 2; side++) {
            size_t wanted = 0;
            for (k = 0; k < count; k++)
                for (e = 0; e < edges; e++)
                    if ((side == 0 ? to : from)[e] == nodes[i] && (side == 0 ? from : to)[e] == nodes[k])
                        expected[wanted++] = nodes[k];
            needed = 77;
            CHECK_OK((side == 0 ? gc_node_get_dependencies : gc_node_get_dependents)(graph, nodes[i], found, MOST, &needed));
            CHECK(needed == wanted && (wanted == 0 || memcmp(found, expected, wanted * sizeof *found) == 0));
        }
}

static void grow(const gc_graph *graph, unsigned nodes) {
    static gc_node known[MOST];
    size_t count = 0;
    unsigned i;
    for (i = 0; i < nodes; i++) {
        gc_node dependencies[3], node = 0;
        size_t wanted = 0, k;
        REQUIRE_OK(gc_graph_get_nodes(graph, known, MOST, &count));
        for (k = 0; k < 3 && count > 0; k++) {
            const gc_node one = known[below((unsigned)count)];
            if ((wanted < 1 || dependencies[0] != one) && (wanted < 2 || dependencies[1] != one))
                dependencies[wanted++] = one;
        }
        REQUIRE_OK(gc_graph_add_empty_node(graph, dependencies, wanted, &node));
    }
}

static void shrink(const gc_graph *graph, unsigned nodes) {
    static gc_node known[MOST];
    size_t count = 0;
    while (nodes-- > 0) {
        REQUIRE_OK(gc_graph_get_nodes(graph, known, MOST, &count));
        CHECK_OK(gc_graph_remove_node(graph, known[below((unsigned)count)]));
    }
}

static void capture_into(gc_graph *graph, unsigned nodes) {
    gc_graph *ended = NULL;
    gc_node known[MOST];
    REQUIRE_OK(gc_graph_get_nodes(graph, known, MOST, NULL));
    REQUIRE_OK(gc_stream_begin_capture_to_graph(rig.stream, graph, known, 1, GRAPHCAP_CAPTURE_MODE_RELAXED));
    while (nodes-- > 0)
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(rig.stream, &ended));
    CHECK_OK(gc_graph_destroy(ended));
}

static void lists_are_those_of_the_edges(void) {
    unsigned round;
    for (round = 0; round < 20; round++) {
        gc_graph *graph = open_graph(rig.context), *clone = NULL;
        gc_graph_exec *exec;
        grow(graph, 12);
        check_neighbours(graph);
        if (round % 2 == 0)
            shrink(graph, 5);
        if (round % 3 == 0)
            capture_into(graph, 4);
        grow(graph, 9);
        if (round % 4 == 0)
            check_neighbours(graph);
        exec = open_exec(graph);
        check_neighbours(graph);
        CHECK_OK(gc_graph_clone(graph, &clone));
        grow(clone, 4);
        check_neighbours(clone);
        shrink(clone, 3);
        grow(clone, 2);
        check_neighbours(clone);
        check_neighbours(graph);
        /* The exec is as it was. */
        replay(&rig, exec);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(clone));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void captures_are_read_while_they_go_on(void) {
    gc_graph *graph = NULL, *ended = NULL;
    gc_node known[MOST], more = 0;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_capture_graph(rig.stream, &graph));
    check_neighbours(graph);
    REQUIRE_OK(gc_graph_get_nodes(graph, known, MOST, NULL));
    CHECK_OK(gc_graph_add_empty_node(graph, known, 1, &more));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    check_neighbours(graph);
    CHECK_OK(gc_stream_end_capture(rig.stream, &ended));
    check_neighbours(ended);
    run_graph(&rig, ended);
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(lists_are_those_of_the_edges);
    RUN(captures_are_read_while_they_go_on);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
