/* A self-made plot: a few lines of SVG need no plotting library on the machine that is measured. */
#include "plot.h"

#include <math.h>
#include <stdio.h>

static const double left = 80, right = 560, top = 50, bottom = 400; /* of the axes, in pixels */

static double x_of(const plot_frame *frame, double nodes) {
    return left + (right - left) * log10(nodes / frame->nodes_min) / log10(frame->nodes_max / frame->nodes_min);
}

static double y_of(const plot_frame *frame, double ns) {
    const double shown = fmin(fmax(ns, frame->ns_min), frame->ns_max);
    return bottom - (bottom - top) * log10(shown / frame->ns_min) / log10(frame->ns_max / frame->ns_min);
}

bool plot_write(const char *path, const plot_frame *frame, const plot_series *series, int count) {
    const bool times = frame->kind == PLOT_TIMES;
    const double step = times ? 10 : 2;
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"460\" font-family=\"sans-serif\" "
                  "font-size=\"13\">\n<rect width=\"860\" height=\"460\" fill=\"white\"/>\n");
    fprintf(file, "<text x=\"%g\" y=\"28\" font-size=\"16\">%s</text>\n", left, frame->title);
    for (double nodes = frame->nodes_min; nodes <= frame->nodes_max; nodes *= step) {
        const double x = x_of(frame, nodes);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%g\" x2=\"%.1f\" y2=\"%g\" stroke=\"#ddd\"/>\n", x, top, x, bottom);
        fprintf(file, "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%.0f</text>\n", x, bottom + 20, nodes);
    }
    for (double ns = frame->ns_min; ns <= frame->ns_max; ns *= step) {
        const double y = y_of(frame, ns);
        fprintf(file, "<line x1=\"%g\" y1=\"%.1f\" x2=\"%g\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", left, y, right, y);
        const char *unit = !times ? "times" : ns < 1e3 ? "ns" : ns < 1e6 ? "us" : "ms";
        const double shown = !times || ns < 1e3 ? ns : ns < 1e6 ? ns / 1e3 : ns / 1e6;
        fprintf(file, "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%.0f %s</text>\n", left - 8, y + 4, shown, unit);
    }
    fprintf(file, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n", (left + right) / 2, bottom + 44,
            times ? "nodes" : "cores");
    for (int i = 0; i < count; i++) {
        const plot_series *s = &series[i];
        const char *dashes = s->dashed ? " stroke-dasharray=\"6 4\"" : "";
        fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", s->colour, dashes);
        for (int p = 0; p < s->points; p++) {
            fprintf(file, "%.1f,%.1f ", x_of(frame, (double)s->nodes[p]), y_of(frame, s->ns[p]));
        }
        const double y = top + 10 + 24 * i;
        fprintf(file, "\"/>\n<line x1=\"580\" y1=\"%g\" x2=\"616\" y2=\"%g\" ", y, y);
        fprintf(file, "stroke=\"%s\" stroke-width=\"2\"%s/>\n", s->colour, dashes);
        fprintf(file, "<text x=\"624\" y=\"%g\">%s</text>\n", y + 4, s->name);
    }
    fprintf(file, "</svg>\n");
    return fclose(file) == 0;
}
