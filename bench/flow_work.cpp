// oneTBB's side of the table by cores: continue_nodes with any number of roots, and parallel_for over blocks.
#include "flow_work.h"

#ifdef BENCH_WITH_TBB

#include <deque>
#include <vector>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/parallel_for.h>

namespace flow = oneapi::tbb::flow;

struct flow_work {
    flow::graph graph;
    std::deque<flow::continue_node<flow::continue_msg>> nodes;
    std::vector<size_t> roots;
};

static gc_host_block one_block() {
    gc_host_block block{};
    block.struct_size = static_cast<uint32_t>(sizeof block);
    for (int axis = 0; axis < 3; axis++) block.grid_dim[axis] = block.block_dim[axis] = 1;
    return block;
}

flow_work *flow_work_create(const shape *s, gc_host_kernel_fn function, const void *const *arguments) {
    auto *out = new flow_work;
    for (size_t i = 0; i < s->nodes; i++) {
        const gc_host_block block = one_block();
        out->nodes.emplace_back(out->graph, [block, function, arguments](const flow::continue_msg &) {
            function(&block, arguments);
            return flow::continue_msg();
        });
        if (s->first[i] == s->first[i + 1]) out->roots.push_back(i);
        for (size_t edge = s->first[i]; edge < s->first[i + 1]; edge++) {
            flow::make_edge(out->nodes[s->predecessors[edge]], out->nodes[i]);
        }
    }
    return out;
}

void flow_work_run(flow_work *graph) {
    for (const size_t root : graph->roots) graph->nodes[root].try_put(flow::continue_msg());
    graph->graph.wait_for_all();
}

void flow_work_destroy(flow_work *graph) {
    delete graph;
}

void flow_blocks_run(uint32_t blocks, gc_host_kernel_fn function, const void *const *arguments) {
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<uint32_t>(0, blocks), [&](const auto &range) {
        gc_host_block block = one_block();
        block.grid_dim[0] = blocks;
        for (uint32_t i = range.begin(); i != range.end(); i++) {
            block.block_index[0] = i;
            function(&block, arguments);
        }
    });
}

#else

flow_work *flow_work_create(const shape *, gc_host_kernel_fn, const void *const *) {
    return nullptr;
}

void flow_work_run(flow_work *) {}

void flow_work_destroy(flow_work *) {}

void flow_blocks_run(uint32_t, gc_host_kernel_fn, const void *const *) {}

#endif
