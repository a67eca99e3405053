/* Records a work by hand, on one stream or on many. */
#ifndef BENCH_OPTIMIZE_LANES_H
#define BENCH_OPTIMIZE_LANES_H

#include "work.h"

/* The graph of a work that is recorded on at most `lanes` streams, up to MOST_LANES, with an event for each order that the streams do
 * not give. With 1 it is a chain. With `ends` a kernel that does nothing is before all, and one behind all. */
gc_graph *lanes_record(const work *w, size_t lanes, bool ends);

#endif
