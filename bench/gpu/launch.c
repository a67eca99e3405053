/* Launch: the CPU time of one launch. graphcap launches an exec of its own; the driver launches the same one, then one that it
 * captured and instantiated itself. The first launch of each batch is not counted: it finds the caches as the other side left
 * them. And what the driver alone takes longer where the graph held a user object. */
#include "../timing.h"
#include "report.h"

typedef struct {
    work *w;
    const gc_graph_exec *exec;
    /* What the driver launches in the place of the driver, and in that of graphcap; the latter NULL for `exec`. */
    void *native, *native_instead;
    size_t nodes, batch;
} launch_state;

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const launch_state *s = user_data;
    void *native = who == RAW ? s->native : s->native_instead;
    double start, end;
    work_enter(s->w, native ? RAW : GRAPHCAP);
    if (native) {
        CU_CHECK(cu.cuGraphLaunch(native, s->w->native));
        start = now_ns();
        for (size_t i = 0; i < s->batch; i++) CU_CHECK(cu.cuGraphLaunch(native, s->w->native));
        end = now_ns();
    } else {
        CHECK(gc_graph_launch(s->exec, s->w->stream));
        start = now_ns();
        for (size_t i = 0; i < s->batch; i++) CHECK(gc_graph_launch(s->exec, s->w->stream));
        end = now_ns();
    }
    work_synchronize(s->w, native ? RAW : GRAPHCAP); /* so that no batch finds the driver's queue filled by the one before */
    s->w->runs += (s->batch + 1) * s->nodes;
    ns[0] = (end - start) / (double)s->batch;
}

void bench_launch(report *r, work *w) {
    static const size_t batches[SIZES] = {50, 50, 20, 10}; /* few enough that the driver's queue never fills */
    for (int i = 0; i < r->sizes; i++) {
        const size_t nodes = chain_sizes[i];
        const double bar = nodes < 100 ? 1.10 : 1.05;
        launch_state s = {.w = w, .nodes = nodes, .batch = batches[i]};
        gc_graph *graph = work_capture_graphcap(w, nodes);
        void *raw = work_instantiate_raw(w, work_capture_raw(w, nodes));
        void *kept = work_instantiate_raw(w, work_capture_kept(w, nodes));
        void *same;
        gc_graph_exec *exec;
        figure ns;
        CHECK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK(gc_graph_upload(exec, w->stream));
        s.exec = exec;
        s.native = raw;
        report_compare(r, take, &s, 1, &ns);
        report_add(r, "launch, each side's exec", work_name(w), nodes, ns, bar);
        CHECK(gc_graph_exec_native(exec, &same));
        s.native = same;
        report_compare(r, take, &s, 1, &ns);
        report_add(r, "launch", work_name(w), nodes, ns, bar);
        s.native = raw;
        s.native_instead = kept;
        report_compare(r, take, &s, 1, &ns);
        report_add(r, "launch, +user object", work_name(w), nodes, ns, 0.0);
        CU_CHECK(cu.cuGraphExecDestroy(raw));
        CU_CHECK(cu.cuGraphExecDestroy(kept));
        CHECK(gc_graph_exec_destroy(exec));
        CHECK(gc_graph_destroy(graph));
    }
}
