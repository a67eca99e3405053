/* The figures of a run: compared, printed as a table, kept for the CSV file and the picture. */
#ifndef BENCH_GPU_REPORT_H
#define BENCH_GPU_REPORT_H

#include "work.h"

enum { SIZES = 4, MOST_ROWS = 400, MOST_FIGURES = 9 };
extern const size_t chain_sizes[SIZES];

/* Medians in ns. `noise` is one half of the driver's figures over the other half, of the same rounds. */
typedef struct {
    double raw, graphcap, noise;
} figure;

typedef struct {
    const char *measure, *stream;
    size_t nodes; /* 0 where there is no graph */
    figure ns;
    double bar; /* the ratio that is promised; 0 for none */
} report_row;

typedef struct {
    bool quick;
    int rounds;
    int sizes;    /* how many of chain_sizes are measured */
    double clock; /* ns that reading the clock takes; taken off where it counts */
    report_row rows[MOST_ROWS];
    int row_count;
} report;

/* Measures one side once: makes what it needs, reads the clock around the calls, cleans up. Answers ns. */
typedef void (*sample)(void *state, side who, double ns[MOST_FIGURES]);

/* Takes `figures` figures of both sides in each round, twice. */
void report_compare(const report *r, sample take, void *state, int figures, figure *medians);

void report_begin(report *r, bool quick, int rounds);
void report_title(const char *title);
void report_add(report *r, const char *measure, const char *stream, size_t nodes, figure ns, double bar);
/* Says how many rows keep what is promised. */
void report_end(const report *r);
/* graphcap-bench-gpu.csv and .svg in `folder`. False, after saying why, when one cannot be written. */
bool report_write(const report *r, const char *folder);

/* The tables. Each measures on one stream, of whichever ownership. */
void bench_launch(report *r, work *w);
void bench_capture(report *r, work *w);
void bench_instantiate(report *r, work *w);
void bench_build(report *r, work *w);
void bench_update(report *r, work *w);
void bench_apply(report *r, work *w);
void bench_calls(report *r, work *w);
void bench_watch(report *r, work *w);
void bench_foreign(report *r, work *w);
void bench_checks(report *r, work *w);
void bench_step(report *r, work *w);

#endif
