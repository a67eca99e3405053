/* Watched execs, which tell how far a launch is, beside the driver's exec of the same graph: the CPU time of one launch, and the
 * whole of a launch with its synchronize. */
#include "../timing.h"
#include "report.h"

typedef struct {
    work *w;
    const gc_graph_exec *exec;
    void *native;
    size_t nodes;
} watch_state;

static void launch(const watch_state *s, side who) {
    if (who == RAW) CU_CHECK(cu.cuGraphLaunch(s->native, s->w->native));
    else CHECK(gc_graph_launch(s->exec, s->w->stream));
    s->w->runs += s->nodes;
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const watch_state *s = user_data;
    double start, launched, end;
    work_enter(s->w, who);
    /* Not counted: it finds the caches as the other side left them. */
    launch(s, who);
    work_synchronize(s->w, who);
    start = now_ns();
    launch(s, who);
    launched = now_ns();
    work_synchronize(s->w, who);
    end = now_ns();
    ns[0] = launched - start;
    ns[1] = end - start;
}

void bench_watch(report *r, work *w) {
    static const struct {
        const char *launch, *replay;
        uint32_t flags;
    } kinds[] = {
        {"launch, not watched", "replay, not watched", 0},
        {"launch, kernels", "replay, kernels", GRAPHCAP_INSTANTIATE_WATCH},
        {"launch, events", "replay, events", GRAPHCAP_INSTANTIATE_WATCH | GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS},
    };
    if (w->whose != OWN) return; /* whose stream it is makes no difference */
    for (int i = 0; i < r->sizes; i++) {
        const size_t nodes = chain_sizes[i];
        gc_graph *graph = work_capture_graphcap(w, nodes);
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
            gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
            watch_state s = {.w = w, .nodes = nodes};
            gc_graph_exec *exec;
            figure ns[2];
            options.flags = kinds[kind].flags;
            CHECK(gc_graph_instantiate(graph, &options, &exec));
            CHECK(gc_graph_upload(exec, w->stream));
            s.exec = exec;
            s.native = work_instantiate_raw(w, work_capture_raw(w, nodes));
            report_compare(r, take, &s, 2, ns);
            report_add(r, kinds[kind].launch, work_name(w), nodes, ns[0], 0.0);
            report_add(r, kinds[kind].replay, work_name(w), nodes, ns[1], 0.0);
            CU_CHECK(cu.cuGraphExecDestroy(s.native));
            CHECK(gc_graph_exec_destroy(exec));
        }
        CHECK(gc_graph_destroy(graph));
    }
}
