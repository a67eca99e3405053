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
    size_t nodes[PLOT_MAX_POINTS];
    double ns[PLOT_MAX_POINTS];
} plot_series;

/* A title, and how far the axes reach: powers of ten. */
typedef struct {
    const char *title;
    double nodes_min, nodes_max, ns_min, ns_max;
} plot_frame;

/* Writes ns against nodes, both axes logarithmic. False when the file cannot be written. */
bool plot_write(const char *path, const plot_frame *frame, const plot_series *series, int count);

#endif
