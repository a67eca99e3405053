/* A kernel that takes a known time, and what the tables of lanes do with it. */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include "bench.h"

/* Works arguments[0] steps (uint64_t), not until a time: two that share a core must not both seem to make progress. */
int32_t work(const gc_host_block *block, const void *const *arguments);
/* ns of one kernel of `steps` steps, called directly. */
double time_of(uint64_t steps);
/* How many steps take about `ns`. */
uint64_t steps_for(double ns);

typedef struct {
    const gc_kernel *kernel;
    uint64_t steps;
} work_launch;

/* Submits one node of a shape: a kernel of `user_data->steps` steps (work_launch). */
void submit_work(const gc_stream *stream, size_t node, void *user_data);
/* ns of one replay: launch and synchronise. */
double time_replay(const bench_device *device, const gc_graph_exec *exec);

#endif
