// oneTBB's side of the comparison: continue_nodes that call the same function through a pointer, arguments and all.
#include "flow_graph.h"

#ifdef BENCH_WITH_TBB

#include <deque>
#include <string>

#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/version.h>

namespace flow = oneapi::tbb::flow;

// What graphcap keeps per kernel node as well: the code, the block and the arguments.
struct flow_node {
    gc_host_kernel_fn function;
    gc_host_block block;
    uint64_t *counter;
    uint64_t increment;
    const void *arguments[2];
};

struct flow_graph {
    flow::graph graph;
    std::deque<flow_node> work;
    std::deque<flow::continue_node<flow::continue_msg>> nodes;
};

const char *flow_graph_library(void) {
    static const std::string name =
        "oneTBB " + std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR);
    return name.c_str();
}

flow_graph *flow_graph_create(const shape *s, gc_host_kernel_fn function, uint64_t *counters) {
    auto *out = new flow_graph;
    for (size_t i = 0; i < s->nodes; i++) {
        gc_host_block block{};
        block.struct_size = static_cast<uint32_t>(sizeof block);
        for (int axis = 0; axis < 3; axis++) block.grid_dim[axis] = block.block_dim[axis] = 1;
        out->work.push_back({function, block, &counters[i], 1, {nullptr, nullptr}});
        flow_node *node = &out->work.back();
        node->arguments[0] = &node->counter;
        node->arguments[1] = &node->increment;
        out->nodes.emplace_back(out->graph, [node](const flow::continue_msg &) {
            node->function(&node->block, node->arguments);
            return flow::continue_msg();
        });
        for (size_t edge = s->first[i]; edge < s->first[i + 1]; edge++) {
            flow::make_edge(out->nodes[s->predecessors[edge]], out->nodes[i]);
        }
    }
    return out;
}

void flow_graph_run(flow_graph *graph, size_t runs, bool wait_for_each) {
    for (size_t run = 0; run < runs; run++) {
        graph->nodes.front().try_put(flow::continue_msg());
        if (wait_for_each) graph->graph.wait_for_all();
    }
    graph->graph.wait_for_all();
}

void flow_graph_destroy(flow_graph *graph) {
    delete graph;
}

#else

const char *flow_graph_library(void) {
    return nullptr;
}

flow_graph *flow_graph_create(const shape *, gc_host_kernel_fn, uint64_t *) {
    return nullptr;
}

void flow_graph_run(flow_graph *, size_t, bool) {}

void flow_graph_destroy(flow_graph *) {}

#endif
