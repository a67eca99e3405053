/* The device that works are measured on, with its kernels, and how fast these are. */
#ifndef BENCH_OPTIMIZE_RIG_H
#define BENCH_OPTIMIZE_RIG_H

#include <stdbool.h>

#include "../check.h"

/* MOST_LANES: as many kernels as a GPU runs at once. */
enum { MOST_LANES = 128, INPUTS = 4, PARAMETERS = 2 * INPUTS + 4 };

typedef struct {
    gc_context *context;
    gc_device_kind kind;
    char name[128];
    gc_module *module;
    gc_kernel *spin, *idle, *nothing;
    gc_stream *lanes[MOST_LANES]; /* work is recorded on them; the first one replays */
    double steps_per_ns;          /* of `spin` */
} rig;

/* False, after saying why, where there is no device whose kernels can be measured. The device is the one that GRAPHCAP_DEVICE
 * chooses. */
bool rig_open(rig *r);
void rig_close(rig *r);

#endif
