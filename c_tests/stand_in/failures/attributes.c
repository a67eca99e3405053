/* Each call of the driver fails once: attributes of kernels, launches and nodes, and edges that carry something, where the
 * driver has these. */
#include "failures.h"

static void prepare(struct program *it) {
    make_objects(it);
    make_events(it);
    make_shared_streams(it);
}

static void tune(struct program *it) {
    struct work work;
    uint32_t blocks, size;
    int32_t value;
    size_t bytes;
    gc_launch_attribute attributes[3];
    gc_launch_attribute_value told;
    gc_launch_attribute_id ids[4];
    gc_edge_data data[2];
    gc_graph *graph = NULL, *captured = NULL;
    gc_node nodes[3] = {0}, from[2], to[2];
    work_fill(&work, it, 1, 0);
    work.config.grid_dim[0] = 4;
    memset(data, 0, sizeof data);
    data[0].from_port = GRAPHCAP_PORT_PROGRAMMATIC;
    data[0].edge_type = GRAPHCAP_EDGE_TYPE_PROGRAMMATIC;
    gc_launch_attribute_init_dimensions(&attributes[0], GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 2, 1, 1);
    gc_launch_attribute_init_number(&attributes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -1);
    gc_launch_attribute_init_number(&attributes[2], GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 0);
    attributes[2].value.event.event = it->mark;
    work.config.attributes = attributes;
    work.config.attribute_count = 2;
    STEP(gc_kernel_get_attribute(it->add, GRAPHCAP_KERNEL_ATTRIBUTE_REGISTERS, &value));
    STEP(gc_kernel_set_attribute(it->add, GRAPHCAP_KERNEL_ATTRIBUTE_SHARED_MEMORY_CARVEOUT, 50));
    STEP(gc_kernel_set_attribute(it->add, GRAPHCAP_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, 65536));
    STEP(gc_kernel_max_active_blocks(it->add, 32, 0, &blocks));
    STEP(gc_kernel_max_active_blocks(it->add, 32, 70000, &blocks));
    STEP(gc_kernel_suggested_block_size(it->add, 0, 0, &size, &blocks));
    STEP(gc_kernel_available_shared_mem(it->add, 2, 32, &bytes));
    STEP(gc_kernel_max_active_clusters(it->add, &work.config, &blocks));
    STEP(gc_kernel_max_cluster_size(it->add, &work.config, &blocks));
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[0]));
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[1]));
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[2]));
    STEP(gc_node_set_kernel(graph, nodes[0], it->add, &work.config, work.arguments, 3));
    STEP(gc_node_set_attribute(graph, nodes[0], attributes[1].id, &attributes[1].value));
    STEP(gc_node_get_attribute(graph, nodes[0], attributes[1].id, &told));
    STEP(gc_node_get_attributes(graph, nodes[0], ids, 4, NULL));
    STEP(gc_node_copy_attributes(graph, nodes[1], graph, nodes[0]));
    from[0] = nodes[0], to[0] = from[1] = nodes[1], to[1] = nodes[2];
    if (is_new) {
        STEP(gc_graph_add_dependencies(graph, from, to, data, 2));
        STEP(gc_graph_get_edges(graph, from, to, data, 2, NULL));
    }
    work.config.attribute_count = 3;
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    gc_launch_attribute_init_number(&attributes[2], GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
    STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    if (is_new) {
        STEP(gc_stream_capture_frontier(it->stream, nodes, 1, NULL));
        if (!has_failed)
            STEP(gc_stream_update_capture_dependencies(it->stream, nodes, data, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
        STEP(gc_stream_launch_kernel(it->stream, it->add, &work.config, work.arguments, 3));
    }
    STEP(gc_stream_end_capture(it->stream, &captured));
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    static const struct subject attributes = {prepare, tune, give_back, 130, 150};
    return fail_calls_of(&attributes);
}
