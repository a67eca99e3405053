/* Instantiate and upload: an exec made from a chain that the same side captured, and its first upload. And what the driver
 * alone takes longer where the graph holds a user object. */
#include "../timing.h"
#include "report.h"

enum { INSTANTIATE, UPLOAD, FIGURES, MOST_REPEATS = 20 };

typedef struct {
    work *w;
    const gc_graph *graph;
    /* Two alike, but the second holds a user object. */
    void *raw_graph, *kept_graph;
    size_t repeats;
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
}

static void take_graphcap(const instantiate_state *s, double times[3]) {
    gc_graph_exec *execs[MOST_REPEATS];
    times[0] = now_ns();
    for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_instantiate(s->graph, NULL, &execs[i]));
    times[1] = now_ns();
    for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_upload(execs[i], s->w->stream));
    times[2] = now_ns();
    work_synchronize(s->w, GRAPHCAP);
    for (size_t i = 0; i < s->repeats; i++) CHECK(gc_graph_exec_destroy(execs[i]));
}

static void tell(const instantiate_state *s, const double times[3], double ns[MOST_FIGURES]) {
    ns[INSTANTIATE] = (times[1] - times[0]) / (double)s->repeats;
    ns[UPLOAD] = (times[2] - times[1]) / (double)s->repeats;
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const instantiate_state *s = user_data;
    double times[3];
    work_enter(s->w, who);
    if (who == RAW) take_raw(s, s->raw_graph, times);
    else take_graphcap(s, times);
    tell(s, times, ns);
}

/* The driver on both sides. */
static void take_kept(void *user_data, side who, double ns[MOST_FIGURES]) {
    const instantiate_state *s = user_data;
    double times[3];
    work_enter(s->w, RAW);
    take_raw(s, who == RAW ? s->raw_graph : s->kept_graph, times);
    tell(s, times, ns);
}

void bench_instantiate(report *r, work *w) {
    static const size_t repeats[SIZES] = {MOST_REPEATS, MOST_REPEATS, 5, 2};
    for (int i = 0; i < r->sizes; i++) {
        const size_t nodes = chain_sizes[i];
        gc_graph *graph = work_capture_graphcap(w, nodes);
        instantiate_state s = {w, graph, work_capture_raw(w, nodes), work_capture_kept(w, nodes), repeats[i]};
        figure ns[FIGURES];
        report_compare(r, take, &s, FIGURES, ns);
        report_add(r, "instantiate", work_name(w), nodes, ns[INSTANTIATE], 1.10);
        report_add(r, "upload", work_name(w), nodes, ns[UPLOAD], 1.10);
        report_compare(r, take_kept, &s, FIGURES, ns);
        report_add(r, "instantiate, +user object", work_name(w), nodes, ns[INSTANTIATE], 0.0);
        report_add(r, "upload, +user object", work_name(w), nodes, ns[UPLOAD], 0.0);
        CU_CHECK(cu.cuGraphDestroy(s.raw_graph));
        CU_CHECK(cu.cuGraphDestroy(s.kept_graph));
        CHECK(gc_graph_destroy(graph));
    }
}
