/* What gc_graph_optimize() itself costs. */
#ifndef BENCH_OPTIMIZE_SCALE_H
#define BENCH_OPTIMIZE_SCALE_H

#include "rig.h"

/* Prints what a node costs in graphs of 1,000 to 100,000 nodes. With a folder also optimize-cost.csv and .svg; false, after saying
 * why, when one cannot be written. */
bool scale_measure(const rig *r, bool quick, const char *folder);

#endif
