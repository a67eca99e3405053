/* Draws the figures of a table as an SVG picture. */
#ifndef BENCH_PLOT_H
#define BENCH_PLOT_H

#include <stdbool.h>
#include <stddef.h>

enum { PLOT_MAX_POINTS = 8 };

typedef struct {
    const char *name;
    const char *colour;
    bool dashed;
    int points;
    size_t nodes[PLOT_MAX_POINTS]; /* or cores */
    double ns[PLOT_MAX_POINTS];    /* or speed-ups */
} plot_series;

/* What is drawn: ns against nodes, in powers of ten; or a speed-up against cores, in powers of two. */
typedef enum { PLOT_TIMES, PLOT_SPEED_UP } plot_kind;

/* A title, and how far the axes reach: powers of ten or of two. */
typedef struct {
    const char *title;
    double nodes_min, nodes_max, ns_min, ns_max;
    plot_kind kind;
} plot_frame;

/* Writes the series, both axes logarithmic. False when the file cannot be written. */
bool plot_write(const char *path, const plot_frame *frame, const plot_series *series, int count);

#endif
