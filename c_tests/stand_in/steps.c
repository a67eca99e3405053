/* Nodes that gc_graph_step() runs: kernels are launched, and for other nodes execs are made. */
#include "../graph/nodes.h"
#include "drivers.h"

enum { NODES = 3 };

static gc_buffer *words;

/* Number of execs that are made for a graph, whose `launches` kernels are launched without one. */
static uint64_t execs_of(const gc_graph *graph, uint64_t launches) {
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    size_t count = 0;
    CHECK_OK(gc_graph_node_count(graph, &count));
    stand_in.count(1);
    CHECK_OK(gc_graph_step(graph, NULL, NULL, 0, &report));
    stand_in.count(0);
    CHECK(report.run_count == count && calls_of("cuLaunchKernel") == launches);
    /* A driver before 12.4 does not tell the arguments, so that it is not known what is written. */
    CHECK(is_old || read_u32(rig.stream, words, 0) == 0);
    return calls_of("cuGraphInstantiateWithParams");
}

static gc_graph *open_chain(gc_node nodes[NODES]) {
    gc_graph *graph = open_graph(rig.context);
    unsigned i;
    CHECK_OK(gc_stream_memset(rig.stream, words, 0, 0, 4, WORDS));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < NODES; i++)
        nodes[i] = add_node(&rig, graph, &nodes[i ? i - 1 : 0], i != 0, words, 0, 1);
    return graph;
}

static void kernels_need_no_exec(void) {
    gc_node nodes[NODES];
    gc_graph *graph = open_chain(nodes);
    CHECK(execs_of(graph, NODES) == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

static void other_nodes_need_one_each(void) {
    const gc_memset_params fill = GRAPHCAP_MEMSET_INIT(words, 0, 1, 4, WORDS, 1, 0);
    gc_launch_attribute_value value;
    gc_node nodes[NODES], node = 0;
    gc_graph *graph = open_chain(nodes);
    memset(&value, 0, sizeof value);
    value.number = 1;
    CHECK_OK(gc_graph_add_memset_node(graph, &nodes[2], 1, &fill, &node));
    CHECK(execs_of(graph, NODES) == 1);
    CHECK_OK(gc_node_set_attribute(graph, nodes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    CHECK(execs_of(graph, NODES - 1) == 2);
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_launch_that_fails_names_its_node(void) {
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    gc_node nodes[NODES];
    gc_graph *graph = open_chain(nodes);
    char number[32];
    stand_in.fail_function("cuLaunchKernel", 2, GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES);
    CHECK_STATUS(gc_graph_step(graph, NULL, NULL, 0, &report), GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES);
    snprintf(number, sizeof number, "node 0x%llx", (unsigned long long)nodes[1]);
    CHECK(check_contains(last_message(), number));
    CHECK(is_old || (check_contains(last_message(), "its arguments: 0: byte 0 of") && read_u32(rig.stream, words, 0) == 0));
    CHECK_OK(gc_graph_destroy(graph));
}

static void try_driver(const char *version) {
    open_driver(version);
    rig_open(&rig);
    words = open_buffer(rig.context, 4 * WORDS);
    RUN(kernels_need_no_exec);
    RUN(other_nodes_need_one_each);
    RUN(a_launch_that_fails_names_its_node);
    CHECK_OK(gc_buffer_destroy(words));
    rig_close(&rig);
    expect_nothing_left(version);
}

static void on_the_oldest_driver(void) {
    in_child(try_driver, "12.0");
}

static void on_a_newer_driver(void) {
    in_child(try_driver, "13.0");
}

int main(void) {
    RUN(on_the_oldest_driver);
    RUN(on_a_newer_driver);
    return check_finish();
}
