/* Apply: a graph of which some kernels were set since comes to be what an exec does, with the launch that follows. The column of
 * the driver is the cheaper one of two ways, which gc_graph_exec_apply() is told to go: to set the kernels, or to update. */
#include "../timing.h"
#include "report.h"

#include <stdlib.h>

enum { PERCENTS = 4, MOST_REPEATS = 20, APPLIED_SIZES = 4 };

typedef struct {
    work *w;
    size_t nodes, repeats;
} apply_state;

static const unsigned percents[PERCENTS] = {0, 1, 10, 100};
static const char *const measures[PERCENTS] = {"apply, 0 % changed", "apply, 1 % changed", "apply, 10 % changed",
                                               "apply, 100 % changed"};

/* Sets some of the kernels of the graph, spread over it, as they were: that counts as changed. */
static void change(const work *w, const gc_graph *graph, const gc_node *nodes, size_t count, size_t changed) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    for (size_t i = 0; i < changed; i++)
        CHECK(gc_node_set_kernel(graph, nodes[i * count / changed], w->device->kernel, &one, w->arguments, 3));
}

/* What it takes with these flags, the median of some repeats. */
static double take_with(const apply_state *s, const gc_graph *graph, const gc_node *nodes, const gc_graph_exec *exec,
                        unsigned percent, uint32_t flags) {
    gc_graph_exec_apply_options options = GRAPHCAP_GRAPH_EXEC_APPLY_OPTIONS_INIT;
    double ns[MOST_REPEATS];
    options.flags = flags;
    for (size_t i = 0; i < s->repeats; i++) {
        change(s->w, graph, nodes, s->nodes, (s->nodes * percent + 99) / 100);
        const double begin = now_ns();
        CHECK(gc_graph_exec_apply(exec, graph, &options, NULL));
        CHECK(gc_graph_launch(exec, s->w->stream));
        ns[i] = now_ns() - begin;
        work_synchronize(s->w, GRAPHCAP);
    }
    return median(ns, (int)s->repeats);
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const apply_state *s = user_data;
    gc_node *nodes = calloc(s->nodes, sizeof *nodes);
    gc_graph *graph;
    gc_graph_exec *exec;
    size_t count = 0;
    work_enter(s->w, GRAPHCAP);
    graph = work_capture_graphcap(s->w, s->nodes);
    CHECK(gc_graph_get_nodes(graph, nodes, s->nodes, &count));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_launch(exec, s->w->stream));
    work_synchronize(s->w, GRAPHCAP);
    s->w->runs += s->nodes;
    for (int i = 0; i < PERCENTS; i++) {
        /* The first edit of a graph that has an exec writes down what that was made of. */
        change(s->w, graph, nodes, s->nodes, 1);
        CHECK(gc_graph_exec_apply(exec, graph, NULL, NULL));
        if (who == GRAPHCAP) {
            ns[i] = take_with(s, graph, nodes, exec, percents[i], 0);
            s->w->runs += s->nodes * s->repeats;
            continue;
        }
        const double set = take_with(s, graph, nodes, exec, percents[i], GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE);
        const double update = take_with(s, graph, nodes, exec, percents[i], GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET);
        s->w->runs += 2 * s->nodes * s->repeats;
        ns[i] = set < update ? set : update;
    }
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_graph_destroy(graph));
    free(nodes);
}

void bench_apply(report *r, work *w) {
    static const size_t counts[APPLIED_SIZES] = {10, 100, 1000, 10000};
    static const size_t repeats[APPLIED_SIZES] = {MOST_REPEATS, MOST_REPEATS, 10, 4};
    const int sizes = r->quick ? 2 : APPLIED_SIZES;
    if (w->whose != OWN) return;
    for (int i = 0; i < sizes; i++) {
        apply_state s = {w, counts[i], repeats[i]};
        figure ns[PERCENTS];
        report_compare(r, take, &s, PERCENTS, ns);
        for (int k = 0; k < PERCENTS; k++) report_add(r, measures[k], work_name(w), s.nodes, ns[k], 1.10);
    }
}
