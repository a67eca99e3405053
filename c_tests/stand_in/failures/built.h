/* A graph with a node of each kind, which several of the programs build, read or edit, and what they set in it. */
#ifndef GRAPHCAP_STAND_IN_FAILURES_BUILT_H
#define GRAPHCAP_STAND_IN_FAILURES_BUILT_H

#include "failures.h"

/* The nodes of the graph by their kinds. */
enum { KERNEL, MEMCPY, MEMSET, HOST, MEM_OP, EVENT_RECORD, EVENT_WAIT, CHILD, EMPTY };

static inline void build_child(struct program *it) {
    struct work work;
    gc_node node = 0;
    work_fill(&work, it, 1, 0);
    STEP(gc_graph_create(it->context, &it->child));
    STEP(gc_graph_add_memset_node(it->child, NULL, 0, &work.set, &node));
    STEP(gc_node_set_name(it->child, node, "set"));
}

static inline void build_graph(struct program *it) {
    struct work work;
    gc_graph *graph = NULL;
    gc_node *nodes = it->nodes;
    work_fill(&work, it, 1, 0);
    it->given++;
    STEP(gc_graph_create(it->context, &graph));
    it->graph = graph;
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &work.config, work.arguments, 3, &nodes[KERNEL]));
    STEP(gc_graph_add_memcpy_node(graph, nodes, 1, &work.copy, &nodes[MEMCPY]));
    STEP(gc_graph_add_memset_node(graph, &nodes[MEMCPY], 1, &work.set, &nodes[MEMSET]));
    STEP(gc_graph_add_host_node(graph, NULL, 0, be_called, it, be_destroyed, &nodes[HOST]));
    STEP(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &work.operation, 1, &nodes[MEM_OP]));
    STEP(gc_graph_add_event_record_node(graph, NULL, 0, it->fork_event, &nodes[EVENT_RECORD]));
    STEP(gc_graph_add_event_wait_node(graph, NULL, 0, it->fork_event, &nodes[EVENT_WAIT]));
    STEP(gc_graph_add_child_node(graph, NULL, 0, it->child, &nodes[CHILD]));
    STEP(gc_graph_add_empty_node(graph, NULL, 0, &nodes[EMPTY]));
}

static inline void make_and_build(struct program *it) {
    make_objects(it);
    make_events(it);
    build_child(it);
    build_graph(it);
}

#endif
