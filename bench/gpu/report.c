/* Alternates the sides, takes medians, and writes table, CSV and picture. */
#include "report.h"

#include <string.h>

#include "../plot.h"
#include "../timing.h"

const size_t chain_sizes[SIZES] = {1, 10, 100, 1000};

/* In each round both sides are measured twice, in turn, so that each one always follows the other: who came last has its
 * memory in the caches. */
enum { TURNS = 4, ORDERS = 4, WARM_UPS = ORDERS };
static const side sides[TURNS] = {RAW, RAW, GRAPHCAP, GRAPHCAP};
static const int orders[ORDERS][TURNS] = {{0, 2, 1, 3}, {3, 1, 2, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}};

void report_compare(const report *r, sample take, void *state, int figures, figure *medians) {
    double *values = allocate((size_t)(figures * TURNS * r->rounds), sizeof *values);
    for (int round = -WARM_UPS; round < r->rounds; round++) {
        const int *order = orders[(round + WARM_UPS) % ORDERS];
        for (int turn = 0; turn < TURNS; turn++) {
            double ns[MOST_FIGURES];
            take(state, sides[order[turn]], ns);
            if (round < 0) continue;
            for (int i = 0; i < figures; i++) values[(i * TURNS + order[turn]) * r->rounds + round] = ns[i];
        }
    }
    for (int i = 0; i < figures; i++) {
        double *raw = values + i * TURNS * r->rounds, *again = raw + r->rounds, *graphcap = again + r->rounds;
        medians[i].noise = median(again, r->rounds) / median(raw, r->rounds);
        medians[i].raw = median(raw, 2 * r->rounds);
        medians[i].graphcap = median(graphcap, 2 * r->rounds);
    }
    free(values);
}

static double clock_cost(void) {
    enum { READS = 1001 };
    double cost[READS];
    for (int i = 0; i < READS; i++) {
        const double before = now_ns();
        cost[i] = now_ns() - before;
    }
    return median(cost, READS);
}

void report_begin(report *r, bool quick, int rounds) {
    *r = (report){.quick = quick, .rounds = rounds, .sizes = quick ? 2 : SIZES, .clock = clock_cost()};
}

void report_title(const char *title) {
    printf("\n%s\n\n", title);
    printf("%-28s %-8s %6s %12s %12s %7s %6s %7s %10s\n", "measure", "stream", "nodes", "raw ns", "graphcap ns",
           "ratio", "bar", "", "noise");
}

static double ratio(const report_row *row) {
    return row->ns.graphcap / row->ns.raw;
}

static bool within(const report_row *row) {
    return row->bar == 0.0 || ratio(row) <= row->bar;
}

void report_add(report *r, const char *measure, const char *stream, size_t nodes, figure ns, double bar) {
    if (r->row_count == MOST_ROWS) {
        fprintf(stderr, "%s: more than %d rows\n", bench_program, MOST_ROWS);
        exit(1);
    }
    report_row *row = &r->rows[r->row_count++];
    *row = (report_row){measure, stream, nodes, ns, bar};
    printf("%-28s %-8s ", measure, stream);
    if (nodes) printf("%6zu", nodes);
    else printf("%6s", "");
    printf(" %12.1f %12.1f %7.3f ", ns.raw, ns.graphcap, ratio(row));
    if (bar > 0.0) printf("%6.2f %7s", bar, within(row) ? "within" : "OVER");
    else printf("%6s %7s", "", "");
    printf(" %10.3f\n", ns.noise);
}

void report_end(const report *r) {
    int promised = 0, kept = 0;
    for (int i = 0; i < r->row_count; i++) {
        promised += r->rows[i].bar > 0.0;
        kept += r->rows[i].bar > 0.0 && within(&r->rows[i]);
    }
    printf("\n%d of %d rows with a bar are within it\n", kept, promised);
}

static bool write_csv(const report *r, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "measure,stream,nodes,raw_ns,graphcap_ns,ratio,bar,noise,rounds\n");
    for (int i = 0; i < r->row_count; i++) {
        const report_row *row = &r->rows[i];
        fprintf(file, "\"%s\",%s,%zu,%.1f,%.1f,%.4f,%.2f,%.4f,%d\n", row->measure, row->stream, row->nodes, row->ns.raw,
                row->ns.graphcap, ratio(row), row->bar, row->ns.noise, r->rounds);
    }
    return fclose(file) == 0;
}

/* What is measured on the own stream for each size of graph; raw figures are dashed. */
static bool write_plot(const report *r, const char *path) {
    static const char *const measures[] = {"launch", "capture per node", "instantiate", "upload"};
    static const char *const raw_names[] = {"launch, raw", "capture per node, raw", "instantiate, raw", "upload, raw"};
    static const char *const colours[] = {"#1b6ca8", "#c8553d", "#3a7d44", "#7b4fa3"};
    enum { MEASURES = 4 };
    const plot_frame frame = {"CPU time per call (capture: per node), the raw driver dashed", 1, 1000, 100, 1e7, PLOT_TIMES};
    plot_series series[2 * MEASURES] = {{0}};
    for (int m = 0; m < MEASURES; m++) {
        plot_series *graphcap = &series[m], *raw = &series[MEASURES + m];
        *graphcap = (plot_series){.name = measures[m], .colour = colours[m]};
        *raw = (plot_series){.name = raw_names[m], .colour = colours[m], .dashed = true};
        for (int i = 0; i < r->row_count && graphcap->points < PLOT_MAX_POINTS; i++) {
            const report_row *row = &r->rows[i];
            if (strcmp(row->measure, measures[m]) != 0 || strcmp(row->stream, "own") != 0) continue;
            graphcap->nodes[graphcap->points] = raw->nodes[raw->points] = row->nodes;
            graphcap->ns[graphcap->points++] = row->ns.graphcap;
            raw->ns[raw->points++] = row->ns.raw;
        }
    }
    return plot_write(path, &frame, series, 2 * MEASURES);
}

bool report_write(const report *r, const char *folder) {
    static const char *const endings[] = {"csv", "svg"};
    static bool (*const writers[])(const report *, const char *) = {write_csv, write_plot};
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/graphcap-bench-gpu.%s", folder, endings[i]);
        if (!writers[i](r, path)) {
            fprintf(stderr, "%s: cannot write %s\n", bench_program, path);
            return false;
        }
        printf("wrote %s\n", path);
    }
    return true;
}
