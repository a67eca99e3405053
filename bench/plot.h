/* Draws the replay table as an SVG picture. */
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
    double ns_per_node[PLOT_MAX_POINTS];
} plot_series;

/* Writes ns per node against nodes, both axes logarithmic. False when the file cannot be written. */
bool plot_write(const char *path, const plot_series *series, int count);

#endif
