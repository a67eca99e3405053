/* Launch: the CPU time of one launch of the same exec on the same stream. */
#include "../timing.h"
#include "report.h"

typedef struct {
    work *w;
    const gc_graph_exec *exec;
    void *native;
    size_t nodes, batch;
} launch_state;

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const launch_state *s = user_data;
    double start, end;
    work_enter(s->w, who);
    if (who == RAW) {
        start = now_ns();
        for (size_t i = 0; i < s->batch; i++) CU_CHECK(cu.cuGraphLaunch(s->native, s->w->native));
        end = now_ns();
    } else {
        start = now_ns();
        for (size_t i = 0; i < s->batch; i++) CHECK(gc_graph_launch(s->exec, s->w->stream));
        end = now_ns();
    }
    work_synchronize(s->w, who); /* so that no batch finds the driver's queue filled by the one before */
    s->w->runs += s->batch * s->nodes;
    ns[0] = (end - start) / (double)s->batch;
}

void bench_launch(report *r, work *w) {
    static const size_t batches[SIZES] = {50, 50, 20, 10}; /* few enough that the driver's queue never fills */
    for (int i = 0; i < r->sizes; i++) {
        launch_state s = {.w = w, .nodes = chain_sizes[i], .batch = batches[i]};
        gc_graph *graph = work_capture_graphcap(w, s.nodes);
        gc_graph_exec *exec;
        figure ns;
        CHECK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK(gc_graph_upload(exec, w->stream));
        CHECK(gc_graph_exec_native(exec, &s.native));
        s.exec = exec;
        report_compare(r, take, &s, 1, &ns);
        report_add(r, "launch", work_name(w), s.nodes, ns, s.nodes < 100 ? 1.10 : 1.05);
        CHECK(gc_graph_exec_destroy(exec));
        CHECK(gc_graph_destroy(graph));
    }
}
