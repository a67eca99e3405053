/* Pictures of replays as lanes over time. */
#ifndef BENCH_OPTIMIZE_PICTURE_H
#define BENCH_OPTIMIZE_PICTURE_H

#include "work.h"

/* Replays a work as it was recorded on one stream, and as gc_graph_optimize() makes it by measuring, with kernels that write down
 * when they ran, and draws both: `folder`/replay-NAME.svg. False, after saying why, when it cannot be written. */
bool picture_write(const work *w, const char *folder);

#endif
