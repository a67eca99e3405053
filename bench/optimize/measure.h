/* The ways in which a work is made a graph, and what a replay of each takes. */
#ifndef BENCH_OPTIMIZE_MEASURE_H
#define BENCH_OPTIMIZE_MEASURE_H

#include "work.h"

/* The numbers of streams that works are recorded on by hand. */
enum { HANDS = 4 };
extern const size_t hands[HANDS];

typedef enum {
    RECORDED,  /* on one stream */
    HAND,      /* on many streams */
    HAND_ENDS, /* the same, with a kernel before all and one behind all */
    SHAPE,     /* on many streams, and then gc_graph_optimize() with GRAPHCAP_OPTIMIZE_SHAPE_ONLY */
    ESTIMATED, /* on one stream, and then gc_graph_optimize() */
    MEASURED   /* the same with GRAPHCAP_OPTIMIZE_MEASURE */
} way;

/* A graph of a work, and what its replays take in us: the medians of all rounds. */
typedef struct {
    way way;
    size_t streams; /* it was recorded on */
    size_t lanes;   /* that gc_graph_optimize() chose; 0 where it keeps the edges */
    size_t nodes, edges;
    double pipelined; /* launched one behind another */
    double single;    /* launched and waited for */
    double launch;    /* the CPU's time for a launch while the device is idle */
} figure;

enum { MOST_FIGURES = 3 + 3 * HANDS };

typedef struct {
    const char *name, *what;
    size_t work_nodes;
    double most_us, most_launch_us;
    size_t barriers; /* nodes that keep their place when one stream is optimized */
    figure figures[MOST_FIGURES];
    int count;
} row;

const char *way_name(way w);

/* Measures all ways of a work. Ends the program when a replay is wrong. */
row measure_work(const work *w, bool quick, int rounds);

/* The figure of a way with the shortest pipelined replay; of all streams. NULL where there is none. */
const figure *best_of(const row *r, way w);
/* The same of so many streams. */
const figure *figure_of(const row *r, way w, size_t streams);

/* A graph of the work made in that way. Only gc_graph_optimize() fills the report. */
gc_graph *make_graph(const work *w, way how, size_t streams, gc_optimize_report *report);
/* Replays it once from cleared memory. Ends the program when what the nodes wrote is wrong. */
void check_replay(const work *w, const gc_graph_exec *exec, const char *what);

#endif
