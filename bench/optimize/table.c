/* Prints the figures of works, says what the optimizer gains, and writes the CSV file and the chart. */
#include "table.h"

#include <math.h>

/* A measured result is never slower than the recorded graph, but for what two measurements of one graph differ by. */
static const double LEAST_OF_RECORDED = 0.98, MOST_OF_BEST_BY_HAND = 1.05;

void table_print_head(void) {
    printf("\nus per replay: pipelined, launched one behind another; single, launched and waited for; launch, the CPU's time for one\n");
    printf("launch. 'by hand' is recorded on so many streams with the edges that the work needs, 'ends' has one kernel before all and\n");
    printf("one behind. All others are made by gc_graph_optimize(): 'shape only' of what was recorded on so many streams, 'estimated'\n");
    printf("and 'measured' of what was recorded on one.\n");
}

void table_print_row(const row *r) {
    printf("\n%s (%s, %zu nodes)\n\n", r->what, r->name, r->work_nodes);
    printf("  %-14s %7s %6s %6s %6s %10s %10s %9s\n", "graph", "streams", "lanes", "nodes", "edges", "pipelined", "single", "launch");
    for (int i = 0; i < r->count; i++) {
        const figure *f = &r->figures[i];
        printf("  %-14s %7zu ", way_name(f->way), f->streams);
        if (f->lanes) printf("%6zu", f->lanes);
        else printf("%6s", "");
        printf(" %6zu %6zu %10.1f %10.1f %9.1f\n", f->nodes, f->edges, f->pipelined, f->single, f->launch);
    }
    if (r->barriers) printf("  %zu of %zu nodes keep their place when one stream is optimized\n", r->barriers, r->work_nodes);
}

static const char *word(bool is_kept) {
    return is_kept ? "within" : "OVER";
}

/* What the shape alone gains on graphs that were recorded on 32 streams. */
static double shape_gain(const row *r) {
    const figure *bare = figure_of(r, HAND, 32), *shaped = figure_of(r, SHAPE, 32);
    return bare && shaped ? bare->pipelined / shaped->pipelined : NAN;
}

void table_print_summary(const row *rows, int count, bool promises_times) {
    int kept[2] = {0, 0};
    printf("\nus per replay, pipelined; 'by hand' has the best of all numbers of streams. The gain is recorded / measured, promised is %.2f;\n"
           "'of best' is measured / by hand with ends, promised is %.2f; 'shape' is what the shape alone gains on 32 streams\n\n",
           LEAST_OF_RECORDED, MOST_OF_BEST_BY_HAND);
    printf("%-16s %9s %9s %9s %9s %9s %7s %7s %7s %7s %7s\n", "work", "recorded", "by hand", "with ends", "estimated", "measured",
           "gain", "", "of best", "", "shape");
    for (int i = 0; i < count; i++) {
        const row *r = &rows[i];
        const double recorded = best_of(r, RECORDED)->pipelined, measured = best_of(r, MEASURED)->pipelined;
        const double hand = best_of(r, HAND_ENDS)->pipelined, gain = recorded / measured, of_best = measured / hand;
        kept[0] += gain >= LEAST_OF_RECORDED;
        kept[1] += of_best <= MOST_OF_BEST_BY_HAND;
        printf("%-16s %9.1f %9.1f %9.1f %9.1f %9.1f %7.2f %7s %7.3f %7s ", r->name, recorded, best_of(r, HAND)->pipelined, hand,
               best_of(r, ESTIMATED)->pipelined, measured, gain, word(gain >= LEAST_OF_RECORDED), of_best,
               word(of_best <= MOST_OF_BEST_BY_HAND));
        if (isnan(shape_gain(r))) printf("%7s\n", "");
        else printf("%7.2f\n", shape_gain(r));
    }
    printf("\n%d of %d are not slower than recorded, %d of %d as fast as by hand\n", kept[0], count, kept[1], count);
    for (int i = 0; i < count && promises_times; i++) {
        const figure *measured = best_of(&rows[i], MEASURED);
        if (rows[i].most_us == 0.0) continue;
        printf("%s: %.1f us of at most %.0f: %s; the launch %.1f of at most %.0f: %s\n", rows[i].name, measured->pipelined,
               rows[i].most_us, word(measured->pipelined <= rows[i].most_us), measured->launch, rows[i].most_launch_us,
               word(measured->launch <= rows[i].most_launch_us));
    }
}

static bool write_csv(const row *rows, int count, int rounds, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "work,nodes,graph,streams,lanes,graph_nodes,graph_edges,pipelined_us,single_us,launch_us,rounds\n");
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < rows[i].count; k++) {
            const figure *f = &rows[i].figures[k];
            fprintf(file, "%s,%zu,\"%s\",%zu,%zu,%zu,%zu,%.2f,%.2f,%.2f,%d\n", rows[i].name, rows[i].work_nodes, way_name(f->way),
                    f->streams, f->lanes, f->nodes, f->edges, f->pipelined, f->single, f->launch, rounds);
        }
    }
    return fclose(file) == 0;
}

/* ---- The chart: a line for each work, a mark for each way, on a logarithmic axis of time ---- */

static const struct {
    way way;
    const char *colour, *name;
} marks[] = {{RECORDED, "#888888", "recorded on one stream"},
             {HAND, "#c8553d", "by hand, best number of streams"},
             {SHAPE, "#d9a441", "the same with the shape alone"},
             {HAND_ENDS, "#7b4fa3", "by hand with one kernel before and one behind"},
             {ESTIMATED, "#3a7d44", "gc_graph_optimize(), estimated"},
             {MEASURED, "#1b6ca8", "gc_graph_optimize(), measured"}};
enum { MARKS = sizeof marks / sizeof marks[0], LINE = 26, LEFT = 160, WIDTH = 640, TOP = 60 };

static double x_of(double us, double least, double most) {
    return LEFT + WIDTH * log10(us / least) / log10(most / least);
}

/* The powers of ten around all figures. */
static void reach(const row *rows, int count, double *least, double *most) {
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < rows[i].count; k++) {
            low = fmin(low, rows[i].figures[k].pipelined);
            high = fmax(high, rows[i].figures[k].pipelined);
        }
    }
    *least = pow(10.0, floor(log10(low)));
    *most = pow(10.0, ceil(log10(high)));
    if (*most <= *least) *most = 10.0 * *least;
}

static void draw(FILE *file, const row *rows, int count, const char *device) {
    const int bottom = TOP + LINE * count, height = bottom + 50 + 20 * MARKS;
    double least, most;
    reach(rows, count, &least, &most);
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                  "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", LEFT + WIDTH + 40, height);
    fprintf(file, "<text x=\"20\" y=\"28\" font-size=\"16\">us per replay, pipelined, on %s</text>\n", device);
    for (double us = least; us <= most * 1.001; us *= 10.0) {
        const double x = x_of(us, least, most);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", x, TOP - 10, x, bottom);
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x, bottom + 18, us);
    }
    for (int i = 0; i < count; i++) {
        const int y = TOP + LINE * i + LINE / 2;
        fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", LEFT - 10, y + 4, rows[i].name);
        fprintf(file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#eee\"/>\n", LEFT, y, LEFT + WIDTH, y);
        for (int m = 0; m < MARKS; m++) {
            const figure *f = best_of(&rows[i], marks[m].way);
            if (!f) continue;
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\" fill=\"%s\" fill-opacity=\"0.8\"><title>%s: %.1f us</title></circle>\n",
                    x_of(f->pipelined, least, most), y, marks[m].colour, marks[m].name, f->pipelined);
        }
    }
    for (int m = 0; m < MARKS; m++) {
        const int y = bottom + 46 + 20 * m;
        fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"%s\"/>", LEFT, y, marks[m].colour);
        fprintf(file, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT + 14, y + 4, marks[m].name);
    }
    fprintf(file, "</svg>\n");
}

static bool write_chart(const row *rows, int count, const char *device, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    draw(file, rows, count, device);
    return fclose(file) == 0;
}

bool table_write(const row *rows, int count, int rounds, const char *device, const char *folder) {
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/graphcap-bench-optimize.%s", folder, i == 0 ? "csv" : "svg");
        if (!(i == 0 ? write_csv(rows, count, rounds, path) : write_chart(rows, count, device, path))) {
            fprintf(stderr, "%s: cannot write %s\n", bench_program, path);
            return false;
        }
        printf("wrote %s\n", path);
    }
    return true;
}
