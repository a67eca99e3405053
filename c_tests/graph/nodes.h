/* What the tests of graphs that are built by hand share: kernel nodes with their arguments, and replays. */
#ifndef GRAPHCAP_TESTS_NODES_H
#define GRAPHCAP_TESTS_NODES_H

#include "kernels.h"

/* A kernel with its arguments, to be added, set, or set in an exec. It points into itself, so it is not to be copied. */
struct kernel_call {
    const gc_kernel *kernel;
    gc_launch_config config;
    gc_kernel_arg arguments[4];
    size_t count;
    uint32_t number;
    uint64_t words;
};

static inline void set_argument(struct kernel_call *call, size_t index, gc_kernel_arg argument) {
    call->arguments[index] = argument;
}

/* buffer[index] += value, for one word or more. */
static inline const struct kernel_call *call_add(struct kernel_call *call, const struct rig *rig, const gc_buffer *buffer,
                                                 unsigned index, uint32_t value) {
    const gc_launch_config one_block = GRAPHCAP_LAUNCH_CONFIG(1, 64);
    const gc_kernel_arg address = GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, index * sizeof(uint32_t));
    const gc_kernel_arg number = GRAPHCAP_ARG_INIT_VALUE(call->number), words = GRAPHCAP_ARG_INIT_VALUE(call->words);
    call->kernel = rig->add;
    call->config = one_block;
    call->number = value;
    call->words = 1;
    call->count = 3;
    set_argument(call, 0, address);
    set_argument(call, 1, number);
    set_argument(call, 2, words);
    return call;
}

/* buffer[index] = value. */
static inline const struct kernel_call *call_fill(struct kernel_call *call, const struct rig *rig, const gc_buffer *buffer,
                                                  unsigned index, uint32_t value) {
    call_add(call, rig, buffer, index, value);
    call->kernel = rig->fill;
    return call;
}

/* buffer[result] = mixed(buffer[a], buffer[b], c). */
static inline const struct kernel_call *call_mix(struct kernel_call *call, const struct rig *rig, const gc_buffer *buffer,
                                                 unsigned result, unsigned a, unsigned b, uint32_t c) {
    const gc_launch_config one_thread = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    const gc_kernel_arg to = GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, result * sizeof(uint32_t));
    const gc_kernel_arg first = GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, a * sizeof(uint32_t));
    const gc_kernel_arg second = GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, b * sizeof(uint32_t));
    const gc_kernel_arg number = GRAPHCAP_ARG_INIT_VALUE(call->number);
    call->kernel = rig->mix;
    call->config = one_thread;
    call->number = c;
    call->count = 4;
    set_argument(call, 0, to);
    set_argument(call, 1, first);
    set_argument(call, 2, second);
    set_argument(call, 3, number);
    return call;
}

static inline gc_status add_kernel(const gc_graph *graph, const gc_node *dependencies, size_t count,
                                   const struct kernel_call *call, gc_node *node_out) {
    return gc_graph_add_kernel_node(graph, dependencies, count, call->kernel, &call->config, call->arguments, call->count,
                                    node_out);
}

static inline gc_status set_kernel(const gc_graph *graph, gc_node node, const struct kernel_call *call) {
    return gc_node_set_kernel(graph, node, call->kernel, &call->config, call->arguments, call->count);
}

static inline gc_status exec_set_kernel(const gc_graph_exec *exec, gc_node node, const struct kernel_call *call) {
    return gc_graph_exec_set_kernel_node(exec, node, call->kernel, &call->config, call->arguments, call->count);
}

/* A node that is required: buffer[index] += value. */
static inline gc_node add_node(const struct rig *rig, const gc_graph *graph, const gc_node *dependencies, size_t count,
                               const gc_buffer *buffer, unsigned index, uint32_t value) {
    struct kernel_call call;
    gc_node node = 0;
    REQUIRE_OK(add_kernel(graph, dependencies, count, call_add(&call, rig, buffer, index, value), &node));
    CHECK(node != 0);
    return node;
}

static inline gc_node fill_node(const struct rig *rig, const gc_graph *graph, const gc_node *dependencies, size_t count,
                                const gc_buffer *buffer, unsigned index, uint32_t value) {
    struct kernel_call call;
    gc_node node = 0;
    REQUIRE_OK(add_kernel(graph, dependencies, count, call_fill(&call, rig, buffer, index, value), &node));
    CHECK(node != 0);
    return node;
}

static inline gc_graph *open_graph(const gc_context *context) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_graph_create(context, &graph));
    return graph;
}

static inline gc_graph_exec *open_exec(const gc_graph *graph) {
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    return exec;
}

/* Launches, and waits. */
static inline void replay(const struct rig *rig, const gc_graph_exec *exec) {
    CHECK_OK(gc_graph_launch(exec, rig->stream));
    CHECK_OK(gc_stream_synchronize(rig->stream));
}

/* Runs a graph once. */
static inline void run_graph(const struct rig *rig, const gc_graph *graph) {
    gc_graph_exec *exec = open_exec(graph);
    replay(rig, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static inline size_t nodes_of(const gc_graph *graph) {
    size_t count = SIZE_MAX;
    CHECK_OK(gc_graph_node_count(graph, &count));
    return count;
}

static inline size_t edges_of(const gc_graph *graph) {
    size_t count = SIZE_MAX;
    CHECK_OK(gc_graph_edge_count(graph, &count));
    return count;
}

/* Writes what the edge between two nodes carries, and tells whether there is such an edge. */
static inline int edge_between(const gc_graph *graph, gc_node from, gc_node to, gc_edge_data *data) {
    gc_node froms[16], tos[16];
    gc_edge_data all[16];
    size_t count = 0, i;
    CHECK_OK(gc_graph_get_edges(graph, froms, tos, all, 16, &count));
    for (i = 0; i < count && i < 16; i++) {
        if (froms[i] != from || tos[i] != to) continue;
        *data = all[i];
        return 1;
    }
    return 0;
}

static inline uint32_t kind_of(const gc_graph *graph, gc_node node) {
    uint32_t kind = 77;
    CHECK_OK(gc_node_kind(graph, node, &kind));
    return kind;
}

/* All words of a buffer become 0. */
static inline void clear_words(const struct rig *rig, const gc_buffer *buffer) {
    clear_buffer(rig->context, buffer);
}

#endif
