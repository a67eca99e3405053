/* The same shapes in oneTBB's flow graph, for comparison. */
#ifndef BENCH_FLOW_GRAPH_H
#define BENCH_FLOW_GRAPH_H

#include <stdbool.h>
#include <graphcap.h>

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct flow_graph flow_graph;

/* "oneTBB 2021.8", or NULL when the benchmark was built without it. */
const char *flow_graph_library(void);
/* One continue_node per node; node i calls `function` through the pointer with the arguments {&counters[i], 1}. The
 * shape must have node 0 as its only root. NULL without oneTBB. */
flow_graph *flow_graph_create(const shape *s, gc_host_kernel_fn function, uint64_t *counters);
/* Runs all nodes `runs` times, waiting after each run or once at the end. oneTBB does not order runs that are not waited
 * for: they overlap. Each node still runs `runs` times. */
void flow_graph_run(flow_graph *graph, size_t runs, bool wait_for_each);
void flow_graph_destroy(flow_graph *graph);

#ifdef __cplusplus
}
#endif

#endif
