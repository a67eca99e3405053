/* Works: graphs of nodes that depend on each other, in the order in which a program records them. */
#ifndef BENCH_OPTIMIZE_WORK_H
#define BENCH_OPTIMIZE_WORK_H

#include "../shape.h"
#include "rig.h"

typedef struct work work;
struct work {
    const char *name;      /* of files too: letters, digits and dashes */
    const char *what;      /* for people */
    shape shape;           /* which node has to wait for which */
    size_t *order;         /* the nodes in the order in which they are recorded */
    uint32_t flags;        /* that gc_graph_optimize() needs to know what the nodes touch */
    double most_us;        /* of a measured replay on an H200, as promised; 0 for none */
    double most_launch_us; /* the same of the CPU's time for a launch */
    bool has_stamps;       /* its nodes can tell when they ran */
    const rig *rig;
    void *data;
    /* Records a node. */
    void (*submit)(const work *w, const gc_stream *stream, size_t node);
    /* Clears what the nodes write, so that a node that does not run, or runs too early, is found. */
    void (*reset)(const work *w);
    /* Whether a replay wrote what the nodes write in their order. */
    bool (*is_right)(const work *w);
    /* From the next recording on the nodes write their times, or no more; only with has_stamps. */
    void (*set_stamps)(const work *w, bool wanted);
    /* Begin and end of each node in ns, two numbers for each. */
    void (*read_stamps)(const work *w, uint64_t *stamps);
    void (*close)(work *w);
};

enum { MOST_WORKS = 16 };

/* The works of kernels that spin, at most MOST_WORKS. How many there are. `quick`: small ones. */
int works_of_spins(const rig *r, bool quick, work *all);

/* Products of matrices by graphcap's own ops. False, after saying why, where the device's library cannot be loaded. */
bool work_of_products(const rig *r, bool quick, bool own, work *w);

/* From now on the nodes are recorded in a random order in which each comes behind those it depends on. Always the same. */
void work_shuffle(work *w);
void work_close(work *w);

#endif
