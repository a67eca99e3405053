/* A scalar that gives a node a grid which no launch can have: the replay gives 719 instead of running the grid that the node had,
 * and all else is as after an illegal address. */
#include "fault.h"

static void a_grid_that_cannot_be(void) {
    static struct faulty s;
    struct bystander host;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_scalar *scalar = NULL;
    gc_node node = 0;
    const uint32_t most = 65536;
    uint32_t value = 1;
    uint64_t count = 1;
    bystander_open(&host);
    faulty_open(&s);
    REQUIRE_OK(gc_scalar_create(s.stream, GRAPHCAP_SCALAR_U32, &most, &scalar));
    REQUIRE_OK(gc_graph_create(s.rig.context, &graph));
    {
        const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(s.buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                           GRAPHCAP_ARG_INIT_VALUE(count)};
        REQUIRE_OK(gc_graph_add_kernel_node(graph, NULL, 0, s.rig.add, &one, arguments, 3, &node));
    }
    if (is_of_older_driver(gc_node_set_grid_scalar(graph, node, 1, scalar))) {
        fprintf(stderr, "skipped: the driver has no nodes that kernels change\n");
        exit(77);
    }
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, s.stream));
    CHECK_STATUS(gc_stream_synchronize(s.stream), GRAPHCAP_ERROR_LAUNCH_FAILED);
    faulty_note(&s, "a graph of 2 nodes");
    everything_gives_the_fault(&s, GRAPHCAP_ERROR_LAUNCH_FAILED);
    SOON(gc_graph_exec_destroy(exec));
    SOON(gc_graph_destroy(graph));
    SOON(gc_scalar_destroy(scalar));
    bystander_replay(&host);
    faulty_close(&s);
    bystander_replay(&host);
    bystander_close(&host);
}

int main(void) {
    cuda_open();
    RUN(a_grid_that_cannot_be);
    return check_finish();
}
