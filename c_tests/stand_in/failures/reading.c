/* Each call of the driver fails once: the nodes and edges of a graph that was built by hand are read. */
#include "built.h"

static void read_back(struct program *it) {
    const gc_graph *graph = it->graph;
    const gc_node *nodes = it->nodes;
    gc_kernel_node_params kernel_params;
    gc_memcpy_node_params memcpy_params;
    gc_memset_node_params memset_params;
    gc_mem_op_node_params values;
    gc_host_node_params host = GRAPHCAP_HOST_NODE_PARAMS_INIT;
    gc_kernel *kernel = NULL;
    gc_event *event = NULL;
    gc_node list[16];
    char name[16];
    uint32_t kind;
    size_t count;
    kernel_params.struct_size = sizeof kernel_params;
    memcpy_params.struct_size = sizeof memcpy_params;
    memset_params.struct_size = sizeof memset_params;
    values.struct_size = sizeof values;
    STEP(gc_node_kind(graph, nodes[KERNEL], &kind));
    STEP(gc_node_set_name(graph, nodes[KERNEL], "first"));
    STEP(gc_node_get_name(graph, nodes[KERNEL], name, sizeof name, NULL));
    STEP(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, NULL, 0, &count));
    STEP(gc_graph_export_json(graph, NULL, 0, &count));
    STEP(gc_context_memory_report(it->context, GRAPHCAP_MEMORY_REPORT_JSON, NULL, 0, &count));
    STEP(gc_node_get_kernel_params(graph, nodes[KERNEL], &kernel_params));
    STEP(gc_node_kernel_name(graph, nodes[KERNEL], name, sizeof name, NULL));
    STEP(gc_node_get_kernel(graph, nodes[KERNEL], &kernel));
    STEP(gc_node_get_memcpy_params(graph, nodes[MEMCPY], &memcpy_params));
    STEP(gc_node_get_memset_params(graph, nodes[MEMSET], &memset_params));
    STEP(gc_node_get_mem_op_params(graph, nodes[MEM_OP], 0, &values, NULL));
    STEP(gc_node_get_host_params(graph, nodes[HOST], &host));
    STEP(gc_node_get_event(graph, nodes[EVENT_RECORD], &event));
    STEP(gc_node_get_dependencies(graph, nodes[MEMCPY], list, 16, &count));
    STEP(gc_graph_get_roots(graph, list, 16, &count));
    STEP(gc_graph_get_order(graph, list, 16, &count));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_event_destroy(event));
}

int main(void) {
    static const struct subject reading = {make_and_build, read_back, give_back, 110, 125};
    return fail_calls_of(&reading);
}
