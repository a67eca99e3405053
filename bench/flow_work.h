/* Work of many lanes in oneTBB, for comparison: graphs with any number of roots, and one loop over blocks. */
#ifndef BENCH_FLOW_WORK_H
#define BENCH_FLOW_WORK_H

#include <graphcap.h>

#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct flow_work flow_work;

/* One continue_node per node; each calls `function` with `arguments`, which must outlive the graph. NULL without oneTBB. */
flow_work *flow_work_create(const shape *s, gc_host_kernel_fn function, const void *const *arguments);
/* Runs all nodes once and waits. */
void flow_work_run(flow_work *graph);
void flow_work_destroy(flow_work *graph);
/* Calls `function` once for each of `blocks` blocks by oneTBB's parallel_for, and waits. */
void flow_blocks_run(uint32_t blocks, gc_host_kernel_fn function, const void *const *arguments);

#ifdef __cplusplus
}
#endif

#endif
