/* Instantiate and upload: execs made from a chain that the same side has just captured, and their first upload. And what the
 * driver alone takes longer where the graph holds a user object. */
#include "../timing.h"
#include "report.h"

enum { INSTANTIATE, UPLOAD, FIGURES, MOST_REPEATS = 20 };

/* The chain is captured anew for each sample: where it lies in memory bears on what the driver takes, and would else be the
 * luck of one side. */
typedef struct {
    work *w;
    size_t nodes, repeats;
} instantiate_state;

static void take_raw(const instantiate_state *s, void *graph, double times[3]) {
    void *execs[MOST_REPEATS];
    times[0] = now_ns();
    for (size_t i = 0; i < s->repeats; i++) CU_CHECK(cu.cuGraphInstantiateWithFlags(&execs[i], graph, 0));
    times[1] = now_ns();
    for (size_t i = 0; i < s->repeats; i++) CU_CHECK(cu.cuGraphUpload(execs[i], s->w->native));
    times[2] = now_ns();
    work_synchronize(s->w, RAW);
    for (size_t i = 0; i < s->repeats; i++) CU_CHECK(cu.cuGraphExecDestroy(execs[i]));
    CU_CHECK(cu.cuGraphDestroy(graph));
}

static void take_graphcap(const instantiate_state *s, gc_graph *graph, double times[3]) {
    gc_graph_exec *execs[MOST_REPEATS];
    times[0] = now_ns();
    for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_instantiate(graph, NULL, &execs[i]));
    times[1] = now_ns();
    for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_upload(execs[i], s->w->stream));
    times[2] = now_ns();
    work_synchronize(s->w, GRAPHCAP);
    for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_exec_destroy(execs[i]));
    CHECK(gc_graph_destroy(graph));
}

static void tell(const instantiate_state *s, const double times[3], double ns[MOST_FIGURES]) {
    ns[INSTANTIATE] = (times[1] - times[0]) / (double)s->repeats;
    ns[UPLOAD] = (times[2] - times[1]) / (double)s->repeats;
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const instantiate_state *s = user_data;
    double times[3];
    work_enter(s->w, who);
    if (who == RAW) take_raw(s, work_capture_raw(s->w, s->nodes), times);
    else take_graphcap(s, work_capture_graphcap(s->w, s->nodes), times);
    tell(s, times, ns);
}

/* The driver on both sides. */
static void take_kept(void *user_data, side who, double ns[MOST_FIGURES]) {
    const instantiate_state *s = user_data;
    double times[3];
    work_enter(s->w, RAW);
    take_raw(s, who == RAW ? work_capture_raw(s->w, s->nodes) : work_capture_kept(s->w, s->nodes), times);
    tell(s, times, ns);
}

void bench_instantiate(report *r, work *w) {
    static const size_t repeats[SIZES] = {MOST_REPEATS, MOST_REPEATS, 5, 2};
    for (int i = 0; i < r->sizes; i++) {
        instantiate_state s = {w, chain_sizes[i], repeats[i]};
        figure ns[FIGURES];
        report_compare(r, take, &s, FIGURES, ns);
        report_add(r, "instantiate", work_name(w), s.nodes, ns[INSTANTIATE], 1.10);
        report_add(r, "upload", work_name(w), s.nodes, ns[UPLOAD], 1.10);
        report_compare(r, take_kept, &s, FIGURES, ns);
        report_add(r, "instantiate, +user object", work_name(w), s.nodes, ns[INSTANTIATE], 0.0);
        report_add(r, "upload, +user object", work_name(w), s.nodes, ns[UPLOAD], 0.0);
    }
}
