/* Captures under way: what is told of them, what their next node depends on, captures into a graph that there is, and
 * nodes by number. The begin modes, the caller's own mode and the calls they bar are in conformance_data.h. */
#include "kernels.h"

enum { MOST = 64 };

static struct rig rig;
static gc_stream *side;
static gc_event *event, *joined;
static gc_buffer *buffer;

/* The words of the buffer. Adds that nothing orders must not share one: on a GPU one of them could be lost. */
enum { WORDS = 16 };

static gc_status add_on(const gc_stream *stream) {
    static size_t word;
    word = (word + 1) % WORDS;
    return launch_add(&rig, stream, buffer, word * sizeof(uint32_t), 1, 1);
}

static gc_capture_info info_of(const gc_stream *stream) {
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    CHECK_OK(gc_stream_capture_info(stream, &info));
    return info;
}

struct nodes {
    gc_node at[MOST];
    size_t count;
};

static struct nodes frontier_of(const gc_stream *stream) {
    struct nodes nodes;
    size_t i, k;
    memset(&nodes, 0, sizeof nodes);
    CHECK_OK(gc_stream_capture_frontier(stream, nodes.at, MOST, &nodes.count));
    CHECK(nodes.count <= MOST && nodes.count == info_of(stream).frontier_count);
    for (i = 0; i < nodes.count; i++)
        for (k = 0; k <= i; k++)
            CHECK(nodes.at[i] != 0 && (nodes.at[i] == nodes.at[k]) == (i == k));
    return nodes;
}

/* The one node that the stream's next node will depend on. */
static gc_node last_on(const gc_stream *stream) {
    struct nodes nodes = frontier_of(stream);
    CHECK(nodes.count == 1);
    return nodes.at[0];
}

/* Records an add and names its node. */
static gc_node record_on(const gc_stream *stream) {
    CHECK_OK(add_on(stream));
    return last_on(stream);
}

static int holds(const struct nodes *nodes, gc_node node) {
    size_t i;
    for (i = 0; i < nodes->count; i++)
        if (nodes->at[i] == node)
            return 1;
    return 0;
}

static struct nodes nodes_of(const gc_graph *graph) {
    struct nodes nodes;
    size_t told = 99;
    memset(&nodes, 0, sizeof nodes);
    CHECK_OK(gc_graph_get_nodes(graph, nodes.at, MOST, &nodes.count));
    CHECK_OK(gc_graph_node_count(graph, &told));
    CHECK(nodes.count == told);
    return nodes;
}

static size_t edges_of(const gc_graph *graph) {
    size_t count = 99, told = 98;
    CHECK_OK(gc_graph_get_edges(graph, NULL, NULL, NULL, 0, &count));
    CHECK_OK(gc_graph_edge_count(graph, &told));
    CHECK(count == told);
    return count;
}

static int has_edge(const gc_graph *graph, gc_node first, gc_node second) {
    gc_node from[MOST], to[MOST];
    size_t count = 0, i;
    int found = 0;
    CHECK_OK(gc_graph_get_edges(graph, from, to, NULL, MOST, &count));
    for (i = 0; i < count; i++)
        found += from[i] == first && to[i] == second;
    return found;
}

static void begin(void) {
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
}

static gc_graph *end(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

static void end_fails(gc_status status) {
    gc_graph *graph = NULL;
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), status);
    CHECK(graph == NULL);
}

static gc_graph *new_graph(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    return graph;
}

static void fork_to_side(void) {
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, event, 0));
}

static void join_side(void) {
    CHECK_OK(gc_event_record(joined, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
}

static void depend_on(const gc_stream *stream, gc_node node) {
    CHECK_OK(gc_stream_update_capture_dependencies(stream, &node, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
}

/* How often the adds of the replayed graph ran. */
static uint32_t adds_of(const gc_graph_exec *exec) {
    uint32_t word, sum = 0;
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, WORDS));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    for (word = 0; word < WORDS; word++)
        sum += read_u32(rig.stream, buffer, word);
    return sum;
}

static uint32_t replayed(const gc_graph *graph) {
    gc_graph_exec *exec = NULL;
    uint32_t adds;
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    adds = adds_of(exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    return adds;
}

static void an_idle_stream_has_nothing_to_tell(void) {
    gc_capture_info info;
    size_t needed = 99;
    gc_node node = 99;
    memset(&info, 0xa5, sizeof info);
    info.struct_size = sizeof info;
    CHECK_OK(gc_stream_capture_info(rig.stream, &info));
    CHECK(info.status == GRAPHCAP_CAPTURE_STATUS_NONE && info.id == 0 && info.struct_size == sizeof info);
    CHECK(info.node_count == 0 && info.edge_count == 0 && info.frontier_count == 0 && info.native_graph == NULL);
    CHECK_OK(gc_stream_capture_frontier(rig.stream, &node, 1, &needed));
    CHECK(needed == 0);
    CHECK_MESSAGE(gc_stream_export_capture_dot(rig.stream, 0, NULL, 0, &needed), GRAPHCAP_ERROR_ILLEGAL_STATE,
                  "not being captured");
}

static void the_info_grows_with_the_capture(void) {
    gc_capture_info info;
    gc_graph *graph;
    begin();
    info = info_of(rig.stream);
    CHECK(info.status == GRAPHCAP_CAPTURE_STATUS_ACTIVE && info.id != 0);
    CHECK(info.node_count == 0 && info.edge_count == 0 && info.frontier_count == 0);
    CHECK(on_cuda() == (info.native_graph != NULL));
    CHECK_OK(add_on(rig.stream));
    info = info_of(rig.stream);
    CHECK(info.node_count == 1 && info.edge_count == 0 && info.frontier_count == 1);
    CHECK_OK(add_on(rig.stream));
    info = info_of(rig.stream);
    CHECK(info.node_count == 2 && info.edge_count == 1 && info.frontier_count == 1);
    graph = end();
    CHECK(info_of(rig.stream).status == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The same for all members; larger for later captures. */
static void ids_name_captures(void) {
    uint64_t first;
    int i;
    begin();
    first = info_of(rig.stream).id;
    CHECK(info_of(side).id == 0);
    fork_to_side();
    CHECK(info_of(side).id == first && info_of(side).status == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_graph_destroy(end()));
    CHECK(info_of(side).id == 0);
    for (i = 0; i < 3; i++) {
        gc_graph *graph = NULL;
        CHECK_OK(gc_stream_begin_capture(side, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK(info_of(side).id > first);
        first = info_of(side).id;
        CHECK_OK(gc_stream_end_capture(side, &graph));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void a_broken_capture_tells_its_status_alone(void) {
    gc_capture_info info;
    gc_node node;
    size_t needed = 99;
    begin();
    node = record_on(rig.stream);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    info = info_of(rig.stream);
    CHECK(info.status == GRAPHCAP_CAPTURE_STATUS_INVALIDATED && info.id == 0 && info.native_graph == NULL);
    CHECK(info.node_count == 0 && info.edge_count == 0 && info.frontier_count == 0);
    CHECK_OK(gc_stream_capture_frontier(rig.stream, NULL, 0, &needed));
    CHECK(needed == 0);
    CHECK_STATUS(gc_stream_export_capture_dot(rig.stream, 0, NULL, 0, &needed), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, &node, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET),
                 GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    end_fails(GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
}

static void questions_on_the_legacy_stream_are_barred_and_harmless(void) {
    gc_stream *legacy = NULL, *blocking = open_stream(rig.context, 0);
    gc_capture_info info = GRAPHCAP_CAPTURE_INFO_INIT;
    gc_graph *graph = NULL;
    size_t needed;
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_stream_begin_capture(blocking, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_capture_info(legacy, &info), GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
    CHECK(info.struct_size == sizeof info && info.status == 0);
    CHECK_STATUS(gc_stream_capture_frontier(legacy, NULL, 0, &needed), GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
    CHECK(capture_state(blocking) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(blocking, &graph));
    CHECK_OK(gc_stream_capture_info(legacy, &info));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(blocking));
    CHECK_OK(gc_stream_destroy(legacy));
}

/* The frontier is what the next node depends on, and its numbers are those of the graph that the end gives. */
static void the_frontier_names_nodes_of_the_graph(void) {
    gc_node first, left, right, last;
    struct nodes nodes;
    gc_graph *graph;
    begin();
    CHECK(frontier_of(rig.stream).count == 0);
    first = record_on(rig.stream);
    fork_to_side();
    CHECK(last_on(side) == first);
    left = record_on(rig.stream);
    CHECK(last_on(side) == first);
    right = record_on(side);
    join_side();
    nodes = frontier_of(rig.stream);
    CHECK(nodes.count == 2 && holds(&nodes, left) && holds(&nodes, right));
    last = record_on(rig.stream);
    graph = end();
    nodes = nodes_of(graph);
    CHECK(nodes.count == 4 && nodes.at[0] == first && nodes.at[3] == last);
    CHECK(holds(&nodes, left) && holds(&nodes, right));
    CHECK(edges_of(graph) == 4 && has_edge(graph, first, left) && has_edge(graph, first, right));
    CHECK(has_edge(graph, left, last) && has_edge(graph, right, last) && !has_edge(graph, first, last));
    CHECK_OK(gc_graph_destroy(graph));
}

static void arrays_that_are_too_small_get_what_fits(void) {
    gc_node from[4], to[4], nodes[4];
    struct nodes whole;
    size_t needed = 0;
    gc_graph *graph;
    begin();
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(add_on(rig.stream));
    graph = end();
    whole = nodes_of(graph);
    memset(nodes, 0xa5, sizeof nodes);
    CHECK_MESSAGE(gc_graph_get_nodes(graph, nodes, 2, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL, "3");
    CHECK(needed == 3 && nodes[0] == whole.at[0] && nodes[1] == whole.at[1] && nodes[2] == 0xa5a5a5a5a5a5a5a5u);
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 4, NULL));
    CHECK(nodes[2] == whole.at[2] && nodes[3] == 0);
    CHECK_MESSAGE(gc_graph_get_edges(graph, from, to, NULL, 1, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL, "2");
    CHECK(needed == 2 && from[0] != 0 && to[0] != 0);
    CHECK_MESSAGE(gc_graph_get_edges(graph, NULL, to, NULL, 4, &needed), GRAPHCAP_ERROR_INVALID_VALUE, "from_out");
    CHECK(needed == 0 && to[0] == 0);
    CHECK_MESSAGE(gc_graph_get_nodes(graph, NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "needed");
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_was_recorded_so_far_has_a_picture(void) {
    char text[4096];
    size_t needed = 0;
    begin();
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_stream_export_capture_dot(rig.stream, GRAPHCAP_DOT_VERBOSE, text, sizeof text, &needed));
    CHECK(needed == strlen(text) + 1 && check_contains(text, "add") && check_contains(text, "n0 -> n1"));
    CHECK_STATUS(gc_stream_export_capture_dot(rig.stream, 0, text, 8, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_stream_export_capture_dot(rig.stream, 0, text, sizeof text, NULL));
    CHECK(check_contains(text, "n1 -> n2"));
    CHECK_OK(gc_graph_destroy(end()));
}

static void dependencies_can_be_added(void) {
    gc_node first, second, third, fourth;
    struct nodes nodes;
    gc_graph *graph;
    begin();
    first = record_on(rig.stream);
    second = record_on(rig.stream);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &first, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD));
    nodes = frontier_of(rig.stream);
    CHECK(nodes.count == 2 && holds(&nodes, first) && holds(&nodes, second));
    third = record_on(rig.stream);
    /* What is there already stays there once; nothing is no change. */
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &third, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD));
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD));
    CHECK(last_on(rig.stream) == third);
    fourth = record_on(rig.stream);
    graph = end();
    CHECK(edges_of(graph) == 4 && has_edge(graph, first, second) && has_edge(graph, first, third));
    CHECK(has_edge(graph, second, third) && has_edge(graph, third, fourth));
    CHECK(replayed(graph) == 4);
    CHECK_OK(gc_graph_destroy(graph));
}

static void dependencies_can_be_set(void) {
    gc_node first, second, third, twice[2];
    gc_graph *graph;
    begin();
    first = record_on(rig.stream);
    second = record_on(rig.stream);
    twice[0] = twice[1] = first;
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, twice, NULL, 2, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK(last_on(rig.stream) == first);
    third = record_on(rig.stream);
    /* The second node was taken away, so it need not be joined. */
    graph = end();
    CHECK(nodes_of(graph).count == 3 && edges_of(graph) == 2);
    CHECK(has_edge(graph, first, second) && has_edge(graph, first, third));
    CHECK(replayed(graph) == 3);
    CHECK_OK(gc_graph_destroy(graph));
}

static void without_dependencies_there_is_a_second_root(void) {
    gc_graph *graph;
    begin();
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK(frontier_of(rig.stream).count == 0);
    CHECK_OK(add_on(rig.stream));
    graph = end();
    CHECK(nodes_of(graph).count == 2 && edges_of(graph) == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* A fork is joined by saying so, and what is taken from it need not be. */
static void updates_join_forks_and_let_them_go(void) {
    gc_node first, right;
    gc_graph *graph;
    begin();
    first = record_on(rig.stream);
    fork_to_side();
    right = record_on(side);
    CHECK_OK(gc_stream_update_capture_dependencies(rig.stream, &right, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD));
    graph = end();
    CHECK(nodes_of(graph).count == 2 && has_edge(graph, first, right));
    CHECK_OK(gc_graph_destroy(graph));

    begin();
    first = record_on(rig.stream);
    fork_to_side();
    CHECK_OK(add_on(side));
    depend_on(side, first);
    graph = end();
    CHECK(nodes_of(graph).count == 2);
    CHECK_OK(gc_graph_destroy(graph));

    /* What was taken away once need not be joined, also when it is given back. */
    begin();
    first = record_on(rig.stream);
    fork_to_side();
    right = record_on(side);
    depend_on(side, first);
    depend_on(side, right);
    graph = end();
    CHECK(nodes_of(graph).count == 2);
    CHECK_OK(gc_graph_destroy(graph));
}

static void updates_are_checked_and_harm_nothing(void) {
    gc_node first, of_another, made_up[3];
    gc_graph *other, *graph;
    size_t i;
    begin();
    of_another = record_on(rig.stream);
    other = end();
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, NULL, NULL, 0, GRAPHCAP_CAPTURE_DEPENDENCIES_SET),
                 GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_MESSAGE(gc_stream_update_capture_dependencies(rig.stream, &of_another, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD),
                  GRAPHCAP_ERROR_ILLEGAL_STATE, "not being captured");
    begin();
    first = record_on(rig.stream);
    made_up[0] = 0;
    made_up[1] = first + 1;
    made_up[2] = UINT64_MAX;
    for (i = 0; i < LENGTH_OF(made_up); i++)
        CHECK_MESSAGE(
            gc_stream_update_capture_dependencies(rig.stream, &made_up[i], NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET),
            GRAPHCAP_ERROR_INVALID_VALUE, "no node of the graph; take nodes of gc_stream_capture_frontier()");
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, &of_another, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_MESSAGE(gc_stream_update_capture_dependencies(rig.stream, &first, NULL, 1, 2), GRAPHCAP_ERROR_INVALID_VALUE,
                  "flags");
    CHECK_MESSAGE(gc_stream_update_capture_dependencies(rig.stream, NULL, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET),
                  GRAPHCAP_ERROR_INVALID_VALUE, "nodes");
    CHECK(last_on(rig.stream) == first);
    CHECK_OK(add_on(rig.stream));
    graph = end();
    CHECK(nodes_of(graph).count == 2 && edges_of(graph) == 1);
    /* A node dies with its graph. */
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(other));
    begin();
    CHECK_STATUS(gc_stream_update_capture_dependencies(rig.stream, &of_another, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_ADD),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(end()));
}

static void an_empty_graph_can_be_made(void) {
    gc_graph *graph = new_graph();
    gc_graph_exec *exec = NULL;
    CHECK(nodes_of(graph).count == 0 && edges_of(graph) == 0);
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

#define TO_GRAPH_NEEDS "capturing into a graph needs a driver for CUDA 12.3"

/* Whether the driver can capture into a graph; an older one says what it would take. */
static int can_capture_into_graphs(void) {
    gc_graph *graph = new_graph();
    gc_status status = gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    char message[1024] = "";
    if (status == GRAPHCAP_SUCCESS) {
        gc_graph *same = end();
        CHECK_OK(gc_graph_destroy(same));
    } else {
        gc_last_error_message(message, sizeof message, NULL);
        CHECK(status == GRAPHCAP_ERROR_NOT_SUPPORTED && on_cuda() && check_contains(message, "12.3"));
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
        fprintf(stderr, "skipped: %s: %s\n", check_test, TO_GRAPH_NEEDS);
        check_skips++;
    }
    CHECK_OK(gc_graph_destroy(graph));
    return status == GRAPHCAP_SUCCESS;
}

#define NEEDS_CAPTURE_TO_GRAPH()            \
    do {                                    \
        if (!can_capture_into_graphs())     \
            return;                         \
    } while (0)

static void begin_into(const gc_graph *graph, const gc_node *dependencies, size_t count, gc_capture_mode mode) {
    CHECK_OK(gc_stream_begin_capture_to_graph(rig.stream, graph, dependencies, count, mode));
}

/* Both handles name the same graph, and each is destroyed on its own. */
static void a_capture_goes_into_the_graph_given(void) {
    gc_graph *graph, *same;
    struct nodes nodes, again;
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(add_on(rig.stream));
    CHECK(nodes_of(graph).count == 2 && info_of(rig.stream).node_count == 2);
    same = end();
    CHECK(same != graph);
    nodes = nodes_of(graph);
    again = nodes_of(same);
    CHECK(nodes.count == 2 && memcmp(&nodes, &again, sizeof nodes) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(replayed(same) == 2);
    CHECK_OK(gc_graph_destroy(same));
}

static void several_captures_build_one_graph(void) {
    gc_graph *graph, *same;
    gc_node first, second, third, fourth, both[3];
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    first = record_on(rig.stream);
    second = record_on(rig.stream);
    CHECK_OK(gc_graph_destroy(end()));
    /* After the first: a branch beside the second, which this capture need not join. */
    begin_into(graph, &first, 1, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK(last_on(rig.stream) == first);
    third = record_on(rig.stream);
    CHECK_OK(gc_graph_destroy(end()));
    both[0] = second;
    both[1] = third;
    both[2] = second;
    begin_into(graph, both, 3, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK(frontier_of(rig.stream).count == 2);
    fourth = record_on(rig.stream);
    same = end();
    CHECK(nodes_of(same).count == 4 && edges_of(same) == 4);
    CHECK(has_edge(same, first, second) && has_edge(same, first, third));
    CHECK(has_edge(same, second, fourth) && has_edge(same, third, fourth));
    CHECK(replayed(same) == 4);
    CHECK_OK(gc_graph_destroy(same));
    /* A graph that a plain capture gave can be gone on with as well. */
    CHECK_OK(gc_graph_destroy(graph));
    begin();
    first = record_on(rig.stream);
    graph = end();
    begin_into(graph, &first, 1, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_graph_destroy(end()));
    CHECK(replayed(graph) == 2);
    CHECK_OK(gc_graph_destroy(graph));
}

/* The exec is of what was there when it was made, and keeps that. */
static void a_graph_can_be_instantiated_midway(void) {
    gc_buffer *kept;
    gc_graph *graph;
    gc_graph_exec *early = NULL, *whole = NULL;
    size_t count = 0;
    unsigned released = 0;
    struct foreign foreign;
    NEEDS_CAPTURE_TO_GRAPH();
    foreign_open(&foreign);
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(add_on(rig.stream));
    kept = wrap_foreign(rig.context, &foreign, &released);
    CHECK_OK(gc_stream_memset(rig.stream, kept, 0, 7, 4, 1));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &early));
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_graph_destroy(end()));
    CHECK_OK(gc_buffer_destroy(kept));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &whole));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_node_count(early, &count));
    CHECK(count == 2);
    CHECK_OK(gc_graph_exec_node_count(whole, &count));
    CHECK(count == 3);
    CHECK_OK(gc_graph_exec_destroy(whole));
    CHECK(adds_of(early) == 1 && foreign_word(&foreign, 0) == 7);
    CHECK(count_of(&released) == 0);
    CHECK_OK(gc_graph_exec_destroy(early));
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
}

static void the_graph_lives_as_long_as_the_capture(void) {
    gc_graph *graph, *same;
    gc_stream *stream;
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(add_on(rig.stream));
    same = end();
    CHECK(replayed(same) == 1);
    CHECK_OK(gc_graph_destroy(same));
    /* With the stream goes the capture, and then the graph. */
    stream = open_stream(rig.context, 0);
    graph = new_graph();
    CHECK_OK(gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(add_on(stream));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(stream));
    /* The other way round the graph stays, with what was recorded. */
    stream = open_stream(rig.context, 0);
    graph = new_graph();
    CHECK_OK(gc_stream_begin_capture_to_graph(stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(nodes_of(graph).count == 0 && replayed(graph) == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Forks record into the same graph, and must be joined as ever. */
static void forks_record_into_it_too(void) {
    gc_graph *graph, *same;
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    fork_to_side();
    CHECK_OK(add_on(side));
    CHECK_OK(add_on(rig.stream));
    join_side();
    CHECK_OK(add_on(rig.stream));
    same = end();
    CHECK(nodes_of(graph).count == 4 && edges_of(graph) == 4);
    CHECK_OK(gc_graph_destroy(same));
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    fork_to_side();
    CHECK_OK(add_on(side));
    end_fails(GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    CHECK(capture_state(side) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Every call on a graph that is lost; the handle is still to be destroyed. */
static void is_lost(gc_graph *graph) {
    static const char why[] = "a capture into this graph failed";
    gc_graph_exec *exec = NULL;
    size_t count = 0;
    void *native = NULL;
    char text[8];
    CHECK_MESSAGE(gc_graph_node_count(graph, &count), GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK_MESSAGE(gc_graph_edge_count(graph, &count), GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK_MESSAGE(gc_graph_get_nodes(graph, NULL, 0, &count), GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK_MESSAGE(gc_graph_get_edges(graph, NULL, NULL, NULL, 0, &count), GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK_MESSAGE(gc_graph_export_dot(graph, 0, text, sizeof text, &count), GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK_MESSAGE(gc_graph_instantiate(graph, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, why);
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                  GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK(exec == NULL && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    if (on_cuda())
        CHECK_MESSAGE(gc_object_native(graph, &native), GRAPHCAP_ERROR_INVALID_VALUE, why);
    CHECK_OK(gc_graph_destroy(graph));
}

/* What fails a capture into a graph is the end of that graph, whichever way it fails. */
static void a_capture_that_fails_takes_the_graph_with_it(void) {
    gc_graph *graph;
    gc_stream *origin;
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_on(rig.stream));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(nodes_of(graph).count == 1);
    end_fails(GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    is_lost(graph);

    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    fork_to_side();
    CHECK_OK(add_on(side));
    end_fails(GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    is_lost(graph);

    /* Destroying the origin ends the capture, which fails or not. */
    graph = new_graph();
    origin = open_stream(rig.context, 0);
    REQUIRE_OK(gc_stream_begin_capture_to_graph(origin, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(add_on(origin));
    CHECK_OK(gc_stream_destroy(origin));
    CHECK(nodes_of(graph).count == 1);
    origin = open_stream(rig.context, 0);
    REQUIRE_OK(gc_stream_begin_capture_to_graph(origin, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_synchronize(origin), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_OK(gc_stream_destroy(origin));
    is_lost(graph);
}

/* Execs keep what they need: the graph's share of it goes with the graph. */
static void execs_of_a_lost_graph_go_on(void) {
    gc_buffer *own = open_buffer(rig.context, 64), *all = buffer;
    gc_graph_exec *exec = NULL;
    gc_graph *graph;
    uint32_t count = 0;
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(launch_add(&rig, rig.stream, own, 0, 1, 1));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, all, 0, own, 0, 4));
    CHECK_OK(gc_graph_destroy(end()));
    CHECK_OK(gc_stream_memset(rig.stream, own, 0, 0, 4, 2));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_buffer_destroy(own));
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    end_fails(GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &count, all, 0, sizeof count));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(count == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    is_lost(graph);
}

static void a_graph_takes_one_capture_at_a_time(void) {
    gc_graph *graph;
    NEEDS_CAPTURE_TO_GRAPH();
    graph = new_graph();
    begin_into(graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED);
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(side, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED),
                  GRAPHCAP_ERROR_ILLEGAL_STATE, "another capture goes into");
    CHECK(capture_state(side) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_graph_destroy(end()));
    CHECK_OK(gc_stream_begin_capture_to_graph(side, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_destroy(side));
    side = open_stream(rig.context, 0);
    CHECK(nodes_of(graph).count == 1);
    CHECK_OK(gc_graph_destroy(graph));
}

/* On a CUDA device the handles of the per-thread stream, of all contexts on one GPU, and of a wrapped stream are of one
 * stream. The graph belongs to the handle that the capture was begun by: another one does not end it, and it goes on. */
static void a_capture_into_a_graph_ends_by_the_handle_that_began_it(void) {
    const gc_status refusal = on_cuda() ? GRAPHCAP_ERROR_CAPTURE_UNMATCHED : GRAPHCAP_ERROR_ILLEGAL_STATE;
    gc_context *context;
    gc_stream *origins[2], *others[2];
    gc_graph *graph, *same, *none = NULL;
    gc_graph_exec *exec = NULL;
    void *native;
    int i, count = on_cuda() ? 2 : 1;
    NEEDS_CAPTURE_TO_GRAPH();
    context = open_context();
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &origins[0]));
    REQUIRE_OK(gc_context_per_thread_stream(context, &others[0]));
    if (on_cuda()) {
        origins[1] = open_stream(rig.context, 0);
        REQUIRE_OK(gc_stream_native(origins[1], &native));
        REQUIRE_OK(gc_stream_wrap(context, native, &others[1]));
    }
    for (i = 0; i < count; i++) {
        graph = new_graph();
        REQUIRE_OK(gc_stream_begin_capture_to_graph(origins[i], graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(add_on(origins[i]));
        CHECK_STATUS(gc_stream_end_capture(others[i], &none), refusal);
        if (on_cuda())
            CHECK_MESSAGE(gc_stream_end_capture(others[i], &none), refusal, "another handle");
        CHECK(none == NULL && capture_state(origins[i]) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        CHECK_OK(add_on(origins[i]));
        REQUIRE_OK(gc_stream_end_capture(origins[i], &same));
        CHECK(nodes_of(same).count == 2 && replayed(graph) == 2);
        CHECK_OK(gc_graph_destroy(same));
        /* Nor does it end one that is broken, with which the graph is lost; neither when it began one before, which was ended
         * by the first handle. */
        if (on_cuda()) {
            REQUIRE_OK(gc_stream_begin_capture(others[i], GRAPHCAP_CAPTURE_MODE_RELAXED));
            REQUIRE_OK(gc_stream_end_capture(origins[i], &same));
            CHECK_OK(gc_graph_destroy(same));
        }
        REQUIRE_OK(gc_stream_begin_capture_to_graph(origins[i], graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_STATUS(gc_stream_synchronize(origins[i]), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK_STATUS(gc_stream_end_capture(others[i], &none), refusal);
        CHECK(none == NULL && capture_state(origins[i]) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
        CHECK_STATUS(gc_stream_end_capture(origins[i], &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_STATUS(gc_graph_instantiate(graph, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE);
        /* That is over: the other handle's own captures are as ever. */
        REQUIRE_OK(gc_stream_begin_capture(others[i], GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_STATUS(gc_stream_synchronize(others[i]), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK_STATUS(gc_stream_end_capture(others[i], &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_stream_destroy(others[i]));
        CHECK_OK(gc_stream_destroy(origins[i]));
    }
    CHECK_OK(gc_context_destroy(context));
}

static void begins_into_graphs_are_checked(void) {
    gc_stream *legacy = NULL;
    gc_context *context;
    gc_graph *graph, *foreign = NULL, *other;
    gc_node of_another, none = 0;
    NEEDS_CAPTURE_TO_GRAPH();
    context = open_context();
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    REQUIRE_OK(gc_graph_create(context, &foreign));
    begin();
    of_another = record_on(rig.stream);
    other = end();
    graph = new_graph();
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(rig.stream, foreign, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                  GRAPHCAP_ERROR_INVALID_CONTEXT, "graph");
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(rig.stream, graph, &of_another, 1, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "no node of the graph; take nodes of gc_stream_capture_frontier()");
    CHECK_STATUS(gc_stream_begin_capture_to_graph(rig.stream, graph, &none, 1, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 1, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "dependencies");
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "mode");
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(legacy, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                  GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "legacy");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    begin();
    check_message(__FILE__, __LINE__, "gc_capture_begin", gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL),
                  GRAPHCAP_ERROR_ILLEGAL_STATE, "already");
    CHECK_OK(add_on(rig.stream));
    CHECK_OK(gc_graph_destroy(end()));
    CHECK(nodes_of(graph).count == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(foreign));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_stream_destroy(legacy));
}

static void modes_are_exchanged(void) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_GLOBAL);
    mode = GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_RELAXED);
    mode = 3;
    CHECK_MESSAGE(gc_thread_exchange_capture_mode(&mode), GRAPHCAP_ERROR_INVALID_VALUE, "mode");
    CHECK(mode == 3);
    mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
}

static void *see_own_mode(void *seen) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    *(gc_capture_mode *)seen = mode;
    return NULL;
}

static void threads_have_modes_of_their_own(void) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED, seen = 99;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    on_another_thread(see_own_mode, &seen);
    CHECK(seen == GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_RELAXED);
}

/* A capture has its mode from its begin alone, and what graphcap does for itself leaves the thread's as it is. */
static void the_mode_outlasts_what_graphcap_does(void) {
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    gc_buffer *other;
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    begin();
    other = open_buffer(rig.context, 4096);
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK_OK(gc_stream_synchronize(side));
    CHECK_OK(gc_graph_destroy(end()));
    CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    CHECK(mode == GRAPHCAP_CAPTURE_MODE_RELAXED);
    begin();
    CHECK_STATUS(gc_stream_synchronize(side), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    end_fails(GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
}

int main(void) {
    rig_open(&rig);
    side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(rig.context);
    joined = open_event(rig.context);
    buffer = open_buffer(rig.context, 64);
    RUN(an_idle_stream_has_nothing_to_tell);
    RUN(the_info_grows_with_the_capture);
    RUN(ids_name_captures);
    RUN(a_broken_capture_tells_its_status_alone);
    RUN(questions_on_the_legacy_stream_are_barred_and_harmless);
    RUN(the_frontier_names_nodes_of_the_graph);
    RUN(arrays_that_are_too_small_get_what_fits);
    RUN(what_was_recorded_so_far_has_a_picture);
    RUN(dependencies_can_be_added);
    RUN(dependencies_can_be_set);
    RUN(without_dependencies_there_is_a_second_root);
    RUN(updates_join_forks_and_let_them_go);
    RUN(updates_are_checked_and_harm_nothing);
    RUN(an_empty_graph_can_be_made);
    RUN(a_capture_goes_into_the_graph_given);
    RUN(several_captures_build_one_graph);
    RUN(a_graph_can_be_instantiated_midway);
    RUN(the_graph_lives_as_long_as_the_capture);
    RUN(forks_record_into_it_too);
    RUN(a_capture_that_fails_takes_the_graph_with_it);
    RUN(execs_of_a_lost_graph_go_on);
    RUN(a_graph_takes_one_capture_at_a_time);
    RUN(a_capture_into_a_graph_ends_by_the_handle_that_began_it);
    RUN(begins_into_graphs_are_checked);
    RUN(modes_are_exchanged);
    RUN(threads_have_modes_of_their_own);
    RUN(the_mode_outlasts_what_graphcap_does);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(side));
    rig_close(&rig);
    return check_finish();
}
