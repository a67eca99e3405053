/* A log of which thread ran which kernel when. The kernel writes it, so it is the same for every library, and costs
 * nothing where another kernel is used. */
#ifndef BENCH_LANE_LOG_H
#define BENCH_LANE_LOG_H

#include <graphcap.h>

#include "shape.h"

/* Like `work`, and notes thread, core, begin and end. */
int32_t logged_work(const gc_host_block *block, const void *const *arguments);
/* Forgets what was noted. No kernel may run. */
void lane_log_clear(void);
/* What a round was like that went from `start` to `end` (ns of now_ns) on `cores` cores. All in us, but for the counts. */
typedef struct {
    double threads;     /* how many ran a kernel */
    double first[4];    /* from the start to the first kernel of the 1st, the 2nd, the middle and the last thread */
    double gaps;        /* between one kernel and the next, added up over the threads, per core */
    double tail;        /* from the end of a thread's last kernel to the end, added up, per core */
    double late;        /* from the start to each thread's first kernel, absent threads as long as the round, per core */
    double busy;        /* within kernels, added up, per core */
    double longest;     /* the longest kernel: two threads that share a core make it long */
    double shares;      /* the most kernels that one thread ran, times the cores, by all kernels: 1 is even */
    double cores;       /* how many cores were used */
} lane_account;
lane_account lane_log_account(double start, double end, int cores);

#endif
