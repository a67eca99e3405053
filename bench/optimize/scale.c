/* The cost of ordering and packing, which must grow with the nodes and no faster. Nothing is measured or instantiated here. All graphs
 * fill all lanes, since a node costs a look at each. */
#include "scale.h"

#include <math.h>

#include "../plot.h"
#include "../shape.h"
#include "../timing.h"

enum { KINDS = 3, SIZES = 3, ROUNDS = 5, CELL = sizeof(uint32_t) };
static const char *const kinds[KINDS] = {"independent", "chains of 6", "random DAG"};
static const size_t sizes[SIZES] = {1000, 10000, 100000};
/* Of a node in a graph of 100,000 over one of 1,000; of all 100,000. */
static const double MOST_GROWTH = 1.5, MOST_SECONDS = 1.0;

static shape make_shape(int kind, size_t nodes) {
    return kind == 0 ? shape_independent(nodes) : kind == 1 ? shape_chains(nodes / 6, 6) : shape_random(nodes, 64);
}

/* A chain of kernels that read and write the cells of a shape. */
static gc_graph *record(const rig *r, const shape *s, const gc_buffer *cells) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const void *none = NULL;
    const uint32_t number = 0;
    const uint64_t steps = 0;
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(r->lanes[0], GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (size_t node = 0; node < s->nodes; node++) {
        gc_kernel_arg arguments[PARAMETERS];
        for (size_t i = 0; i <= INPUTS; i++) {
            const size_t edge = s->first[node] + i - 1;
            arguments[i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(none);
            if (i > 0 && edge >= s->first[node + 1]) continue;
            const size_t offset = CELL * (i == 0 ? node : s->predecessors[edge]);
            arguments[i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_BUFFER_AT(cells, offset);
            arguments[i].access = i == 0 ? GRAPHCAP_ACCESS_WRITE : GRAPHCAP_ACCESS_READ;
            arguments[i].access_offset = offset;
            arguments[i].access_size = CELL;
        }
        for (int i = 0; i <= INPUTS; i++) arguments[1 + INPUTS + i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(number);
        arguments[10] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(steps);
        arguments[11] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(none);
        CHECK(gc_stream_launch_kernel(r->lanes[0], r->idle, &one, arguments, PARAMETERS));
    }
    CHECK(gc_stream_end_capture(r->lanes[0], &graph));
    return graph;
}

/* CPU time of this thread, which leaves out the time that other programs had the core. */
static double cpu_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* ns for each node, the median of some calls. */
static double cost(const rig *r, int kind, size_t nodes, int rounds) {
    shape s = make_shape(kind, nodes);
    double ns[ROUNDS];
    gc_buffer *cells;
    CHECK(gc_buffer_allocate(r->context, s.nodes * CELL, &cells));
    gc_graph *graph = record(r, &s, cells);
    for (int round = 0; round < rounds; round++) {
        gc_graph *result;
        const double start = cpu_ns();
        CHECK(gc_graph_optimize(graph, NULL, &result, NULL, NULL));
        ns[round] = (cpu_ns() - start) / (double)s.nodes;
        CHECK(gc_graph_destroy(result));
    }
    CHECK(gc_graph_destroy(graph));
    CHECK(gc_buffer_destroy(cells));
    shape_free(&s);
    return median(ns, rounds);
}

static bool write_csv(const char *path, const plot_series *series) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "graph,nodes,ns_per_node\n");
    for (int kind = 0; kind < KINDS; kind++) {
        for (int i = 0; i < series[kind].points; i++)
            fprintf(file, "\"%s\",%zu,%.1f\n", series[kind].name, series[kind].nodes[i], series[kind].ns[i]);
    }
    return fclose(file) == 0;
}

static bool write_all(const char *folder, const plot_series *series) {
    const plot_frame frame = {"gc_graph_optimize(), estimated: ns of CPU time for each node", 1e3, 1e5, 100, 1e5, PLOT_TIMES};
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/optimize-cost.%s", folder, i == 0 ? "csv" : "svg");
        if (!(i == 0 ? write_csv(path, series) : plot_write(path, &frame, series, KINDS))) {
            fprintf(stderr, "%s: cannot write %s\n", bench_program, path);
            return false;
        }
        printf("wrote %s\n", path);
    }
    return true;
}

bool scale_measure(const rig *r, bool quick, const char *folder) {
    static const char *const colours[KINDS] = {"#1b6ca8", "#c8553d", "#3a7d44"};
    const int size_count = quick ? 1 : SIZES, rounds = quick ? 1 : ROUNDS;
    plot_series series[KINDS];
    printf("\ngc_graph_optimize() of graphs that were recorded on one stream, estimated: ns of CPU time for each node. Promised: %.0f s for\n"
           "100,000 nodes; at 100,000 a node costs at most %.1f times what it costs at 1,000\n\n", MOST_SECONDS, MOST_GROWTH);
    printf("%-14s", "work");
    for (int i = 0; i < size_count; i++) printf(" %9zu", sizes[i]);
    printf("%s\n", quick ? "" : "    growth            seconds");
    for (int kind = 0; kind < KINDS; kind++) {
        series[kind] = (plot_series){.name = kinds[kind], .colour = colours[kind]};
        printf("%-14s", kinds[kind]);
        for (int i = 0; i < size_count; i++) {
            fprintf(stderr, "cost: %s of %zu nodes\n", kinds[kind], sizes[i]);
            series[kind].nodes[i] = sizes[i];
            series[kind].ns[i] = cost(r, kind, sizes[i], rounds);
            series[kind].points = i + 1;
            printf(" %9.0f", series[kind].ns[i]);
        }
        if (!quick) {
            const double all = series[kind].ns[SIZES - 1], growth = all / series[kind].ns[0], seconds = all * 1e-9 * (double)sizes[SIZES - 1];
            printf(" %9.2f %7s %9.2f %7s", growth, growth <= MOST_GROWTH ? "within" : "OVER", seconds,
                   seconds <= MOST_SECONDS ? "within" : "OVER");
        }
        printf("\n");
    }
    return !folder || quick || write_all(folder, series);
}
