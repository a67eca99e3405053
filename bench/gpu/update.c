/* Update: an exec that two captured chains of the same kernels update in turn, and the launch after each update. The exec was
 * launched before, and its launches are complete at each update. Each kernel has another argument in the other chain: where
 * nothing differs the driver has next to nothing to do, which is measured beside it. */
#include "../timing.h"
#include "report.h"

enum { UPDATE, LAUNCH, FIGURES, MOST_REPEATS = 20, UPDATED_SIZES = 5 };

typedef struct {
    work *w;
    size_t nodes, repeats;
    bool differs;
} update_state;

/* CUgraphExecUpdateResultInfo */
typedef struct {
    unsigned result;
    void *node, *from;
} update_info;

/* How many steps each kernel of a chain takes. */
static uint32_t times_of(const update_state *s, int chain) {
    return s->differs && chain == 1 ? 2 : 1;
}

static void take_raw(const update_state *s, double ns[FIGURES]) {
    void *graphs[2], *exec;
    update_info info;
    double update = 0.0, launch = 0.0;
    for (int i = 0; i < 2; i++) {
        s->w->by = times_of(s, i);
        graphs[i] = work_capture_raw(s->w, s->nodes);
    }
    CU_CHECK(cu.cuGraphInstantiateWithFlags(&exec, graphs[0], 0));
    CU_CHECK(cu.cuGraphLaunch(exec, s->w->native));
    work_synchronize(s->w, RAW);
    for (size_t i = 0; i < s->repeats; i++) {
        const double begin = now_ns();
        CU_CHECK(cu.cuGraphExecUpdate_v2(exec, graphs[(i + 1) % 2], &info));
        const double updated = now_ns();
        CU_CHECK(cu.cuGraphLaunch(exec, s->w->native));
        launch += now_ns() - updated;
        update += updated - begin;
        work_synchronize(s->w, RAW);
    }
    CU_CHECK(cu.cuGraphExecDestroy(exec));
    for (int i = 0; i < 2; i++) CU_CHECK(cu.cuGraphDestroy(graphs[i]));
    ns[UPDATE] = update / (double)s->repeats;
    ns[LAUNCH] = launch / (double)s->repeats;
}

static void take_graphcap(const update_state *s, double ns[FIGURES]) {
    gc_graph *graphs[2];
    gc_graph_exec *exec;
    double update = 0.0, launch = 0.0;
    for (int i = 0; i < 2; i++) {
        s->w->by = times_of(s, i);
        graphs[i] = work_capture_graphcap(s->w, s->nodes);
    }
    CHECK(gc_graph_instantiate(graphs[0], NULL, &exec));
    CHECK(gc_graph_launch(exec, s->w->stream));
    work_synchronize(s->w, GRAPHCAP);
    for (size_t i = 0; i < s->repeats; i++) {
        const double begin = now_ns();
        CHECK(gc_graph_exec_update(exec, graphs[(i + 1) % 2], 0, NULL));
        const double updated = now_ns();
        CHECK(gc_graph_launch(exec, s->w->stream));
        launch += now_ns() - updated;
        update += updated - begin;
        work_synchronize(s->w, GRAPHCAP);
    }
    CHECK(gc_graph_exec_destroy(exec));
    for (int i = 0; i < 2; i++) CHECK(gc_graph_destroy(graphs[i]));
    ns[UPDATE] = update / (double)s->repeats;
    ns[LAUNCH] = launch / (double)s->repeats;
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const update_state *s = user_data;
    work_enter(s->w, who);
    if (who == RAW) take_raw(s, ns);
    else take_graphcap(s, ns);
    s->w->by = 1;
    s->w->runs += s->nodes;
    for (size_t i = 0; i < s->repeats; i++) s->w->runs += s->nodes * times_of(s, (int)((i + 1) % 2));
}

/* What is promised begins at ten nodes. */
void bench_update(report *r, work *w) {
    static const size_t counts[UPDATED_SIZES] = {1, 10, 100, 1000, 10000};
    static const size_t repeats[UPDATED_SIZES] = {MOST_REPEATS, MOST_REPEATS, 10, 5, 2};
    const int sizes = r->quick ? 2 : UPDATED_SIZES;
    if (w->whose != OWN) return;
    for (int i = 0; i < sizes; i++) {
        update_state s = {w, counts[i], repeats[i], true};
        figure ns[FIGURES];
        report_compare(r, take, &s, FIGURES, ns);
        report_add(r, "update", work_name(w), s.nodes, ns[UPDATE], s.nodes >= 10 ? 1.10 : 0.0);
        report_add(r, "launch after update", work_name(w), s.nodes, ns[LAUNCH], 0.0);
        s.differs = false;
        report_compare(r, take, &s, FIGURES, ns);
        report_add(r, "update, nothing differs", work_name(w), s.nodes, ns[UPDATE], 0.0);
    }
}
