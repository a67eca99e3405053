/* Step: gc_graph_step(), which replays a chain node by node, beside a replay of the driver's exec that is waited for. The whole call, with
 * what it prepares, saves and restores; and the time of the nodes alone, as its report tells it. */
#include "../timing.h"
#include "report.h"

enum { PLAIN, HASHED, CHECKED, WAYS, FIGURES = 2 * WAYS, NODES = 586, MOST_ROUNDS = 31 };

typedef struct {
    work *w;
    gc_graph *graph;
    void *exec;
} step_state;

static double replay(const step_state *s) {
    const double start = now_ns();
    CU_CHECK(cu.cuGraphLaunch(s->exec, s->w->native));
    work_synchronize(s->w, RAW);
    s->w->runs += NODES;
    return now_ns() - start;
}

/* The two figures of a way. Memory is as before afterwards, so that the kernels did not run as far as the work knows. */
static void step(const step_state *s, int way, double ns[2]) {
    const gc_typed_memory memory = {s->w->out_address, sizeof(uint32_t), GRAPHCAP_ELEMENT_F32, 0};
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    if (way != PLAIN) options.flags = GRAPHCAP_STEP_SUMMARIZE;
    if (way == CHECKED) options.memory = &memory;
    options.memory_count = way == CHECKED;
    const double start = now_ns();
    CHECK(gc_graph_step(s->graph, &options, NULL, 0, &report));
    ns[0] = now_ns() - start;
    ns[1] = (double)report.time_ns;
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const step_state *s = user_data;
    work_enter(s->w, who);
    for (int way = 0; way < WAYS; way++) {
        if (who == RAW) ns[2 * way] = ns[2 * way + 1] = replay(s);
        else step(s, way, &ns[2 * way]);
    }
}

void bench_step(report *r, work *w) {
    static const char *const names[FIGURES] = {"step", "step, nodes", "hashes", "hashes, nodes", "NaNs", "NaNs, nodes"};
    const report few = {.rounds = r->rounds < MOST_ROUNDS ? r->rounds : MOST_ROUNDS};
    step_state s = {w, work_capture_graphcap(w, NODES), work_instantiate_raw(w, work_capture_raw(w, NODES))};
    figure ns[FIGURES];
    report_compare(&few, take, &s, FIGURES, ns);
    for (int i = 0; i < FIGURES; i++) report_add(r, names[i], work_name(w), NODES, ns[i], 0.0);
    work_enter(w, RAW);
    CU_CHECK(cu.cuGraphExecDestroy(s.exec));
    CHECK(gc_graph_destroy(s.graph));
}
