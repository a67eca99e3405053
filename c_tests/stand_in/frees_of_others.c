/* Execs of a graph that frees memory of another graph: which updates the driver is asked for. The stand-in counts one that the
 * driver must not be asked for. */
#include "../graph/nodes.h"
#include "harness.h"

static struct rig rig;
static gc_graph *owner;
static gc_buffer *memory;

/* A graph that sets the memory of the other graph to a value and frees it. */
static gc_graph *open_freeing(uint32_t value) {
    gc_graph *graph = open_graph(rig.context);
    gc_node fill = fill_node(&rig, graph, NULL, 0, memory, 0, value), freed = 0;
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &fill, 1, memory, &freed));
    return graph;
}

static void run_both(gc_graph_exec *allocating, gc_graph_exec *freeing) {
    CHECK_OK(gc_graph_launch(allocating, rig.stream));
    CHECK_OK(gc_graph_launch(freeing, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void expect_refusal(gc_graph_exec *exec, const gc_graph *graph) {
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    CHECK_MESSAGE(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED,
                  "frees memory that another graph allocates");
    CHECK_MESSAGE(gc_graph_exec_update(exec, graph, 0, &info), GRAPHCAP_ERROR_NOT_SUPPORTED,
                  "frees memory that another graph allocates");
    CHECK(info.result == GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS && info.graph_node == 0);
}

static void only_another_graph_updates_the_exec(void) {
    gc_graph *graph, *other;
    gc_graph_exec *allocating, *freeing;
    gc_node node = 0;
    owner = open_graph(rig.context);
    REQUIRE_OK(gc_graph_add_mem_alloc_node(owner, NULL, 0, 256, &node, &memory));
    graph = open_freeing(1);
    other = open_freeing(2);
    allocating = open_exec(owner);
    freeing = open_exec(graph);
    expect_refusal(freeing, graph);
    run_both(allocating, freeing);
    /* What allocates may be updated by its own graph. */
    CHECK_OK(gc_graph_exec_update(allocating, owner, 0, NULL));
    CHECK_OK(gc_graph_exec_update(freeing, other, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    CHECK_OK(gc_graph_exec_update(freeing, other, 0, NULL));
    expect_refusal(freeing, other);
    run_both(allocating, freeing);
    CHECK_OK(gc_graph_exec_update(freeing, graph, 0, NULL));
    expect_refusal(freeing, graph);
    run_both(allocating, freeing);
    CHECK_OK(gc_graph_exec_destroy(freeing));
    CHECK_OK(gc_graph_exec_destroy(allocating));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(owner));
}

static void applied_as_it_is_the_exec_goes_on(void) {
    gc_graph *graph;
    gc_graph_exec *allocating, *freeing;
    gc_node node = 0;
    owner = open_graph(rig.context);
    REQUIRE_OK(gc_graph_add_mem_alloc_node(owner, NULL, 0, 256, &node, &memory));
    graph = open_freeing(1);
    allocating = open_exec(owner);
    freeing = open_exec(graph);
    CHECK_OK(gc_graph_exec_apply(freeing, graph, NULL, NULL));
    run_both(allocating, freeing);
    /* One more node: the graph can have but one exec. */
    fill_node(&rig, graph, NULL, 0, memory, 1, 3);
    CHECK_STATUS(gc_graph_exec_apply(freeing, graph, NULL, NULL), GRAPHCAP_ERROR_NOT_SUPPORTED);
    run_both(allocating, freeing);
    CHECK_OK(gc_graph_exec_destroy(freeing));
    CHECK_OK(gc_graph_exec_destroy(allocating));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(owner));
}

static void a_free_that_was_captured_counts(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *allocating, *freeing;
    gc_node node = 0;
    owner = open_graph(rig.context);
    REQUIRE_OK(gc_graph_add_mem_alloc_node(owner, NULL, 0, 256, &node, &memory));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_mem_free(rig.stream, memory));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    allocating = open_exec(owner);
    freeing = open_exec(graph);
    expect_refusal(freeing, graph);
    run_both(allocating, freeing);
    CHECK_OK(gc_graph_exec_update(allocating, owner, 0, NULL));
    run_both(allocating, freeing);
    CHECK_OK(gc_graph_exec_destroy(freeing));
    CHECK_OK(gc_graph_exec_destroy(allocating));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(owner));
}

static void try_driver(const char *version) {
    use_stand_in(version);
    rig_open(&rig);
    RUN(only_another_graph_updates_the_exec);
    RUN(a_free_that_was_captured_counts);
    RUN(applied_as_it_is_the_exec_goes_on);
    rig_close(&rig);
    expect_nothing_left(version);
}

int main(void) {
    RUN_ON_BOTH_DRIVERS(try_driver);
    return check_finish();
}
