/* Capture: begin, a chain of kernel launches, end. */
#include "../timing.h"
#include "report.h"

enum { PER_NODE, WHOLE, FIGURES, MOST_REPEATS = 50 };

typedef struct {
    work *w;
    size_t nodes, repeats;
    double clock;
} capture_state;

/* Fills `graphs`; answers the ns that the launches alone took. */
static double capture_raw(const capture_state *s, void **graphs) {
    double launches = 0;
    for (size_t i = 0; i < s->repeats; i++) {
        CU_CHECK(cu.cuStreamBeginCapture_v2(s->w->native, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        const double begun = now_ns();
        for (size_t node = 0; node < s->nodes; node++) work_launch_raw(s->w);
        launches += now_ns() - begun;
        CU_CHECK(cu.cuStreamEndCapture(s->w->native, &graphs[i]));
    }
    return launches;
}

static double capture_graphcap(const capture_state *s, gc_graph **graphs) {
    double launches = 0;
    for (size_t i = 0; i < s->repeats; i++) {
        CHECK(gc_stream_begin_capture(s->w->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        const double begun = now_ns();
        for (size_t node = 0; node < s->nodes; node++) work_launch_graphcap(s->w);
        launches += now_ns() - begun;
        CHECK(gc_stream_end_capture(s->w->stream, &graphs[i]));
    }
    return launches;
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const capture_state *s = user_data;
    const double repeats = (double)s->repeats;
    double start, end, launches;
    void *raw[MOST_REPEATS];
    gc_graph *graphs[MOST_REPEATS];
    work_enter(s->w, who);
    if (who == RAW) {
        start = now_ns();
        launches = capture_raw(s, raw);
        end = now_ns();
        for (size_t i = 0; i < s->repeats; i++) CU_CHECK(cu.cuGraphDestroy(raw[i]));
    } else {
        start = now_ns();
        launches = capture_graphcap(s, graphs);
        end = now_ns();
        for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_destroy(graphs[i]));
    }
    ns[PER_NODE] = (launches / repeats - s->clock) / (double)s->nodes;
    ns[WHOLE] = (end - start - s->clock) / repeats - 2 * s->clock;
}

/* Both sides must record the same, or the comparison is of nothing. */
static void check_chain(work *w, size_t nodes) {
    size_t found_nodes, found_edges;
    gc_graph *graph = work_capture_graphcap(w, nodes);
    CHECK(gc_graph_node_count(graph, &found_nodes));
    CHECK(gc_graph_edge_count(graph, &found_edges));
    CHECK(gc_graph_destroy(graph));
    if (found_nodes == nodes && found_edges == nodes - 1) return;
    fprintf(stderr, "%s: a chain of %zu kernels was captured as %zu nodes and %zu edges\n", bench_program, nodes,
            found_nodes, found_edges);
    exit(1);
}

void bench_capture(report *r, work *w) {
    static const size_t repeats[SIZES] = {MOST_REPEATS, 20, 5, 1};
    for (int i = 0; i < r->sizes; i++) {
        capture_state s = {w, chain_sizes[i], repeats[i], r->clock};
        figure ns[FIGURES];
        check_chain(w, s.nodes);
        report_compare(r, take, &s, FIGURES, ns);
        report_add(r, "capture per node", work_name(w), s.nodes, ns[PER_NODE], 1.5);
        report_add(r, "capture begin to end", work_name(w), s.nodes, ns[WHOLE], 1.5);
    }
}
