/* Makes the graphs of a work, replays them in turn, and takes medians. */
#include "measure.h"

#include "../timing.h"
#include "lanes.h"

const size_t hands[HANDS] = {16, 32, 64, 128};

enum { LEAST_REPLAYS = 3, MOST_REPLAYS = 50, SINGLES = 5 };
static const double BATCH_NS = 10e6; /* what the replays of a batch take, if their number is not at a limit */

const char *way_name(way w) {
    static const char *const names[] = {"recorded", "by hand", "by hand, ends", "shape only", "estimated", "measured"};
    return names[w];
}

gc_graph *make_graph(const work *w, way how, size_t streams, gc_optimize_report *report) {
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_graph *graph = lanes_record(w, streams, how == HAND_ENDS), *result;
    if (how == RECORDED || how == HAND || how == HAND_ENDS) return graph;
    options.flags = how == SHAPE ? GRAPHCAP_OPTIMIZE_SHAPE_ONLY : w->flags;
    if (how == MEASURED) options.flags |= GRAPHCAP_OPTIMIZE_MEASURE;
    CHECK(gc_graph_optimize(graph, &options, &result, NULL, report));
    CHECK(gc_graph_destroy(graph));
    return result;
}

void check_replay(const work *w, const gc_graph_exec *exec, const char *what) {
    w->reset(w);
    CHECK(gc_graph_launch(exec, w->rig->lanes[0]));
    CHECK(gc_stream_synchronize(w->rig->lanes[0]));
    if (w->is_right(w)) return;
    fprintf(stderr, "%s: %s, %s: a replay does not write what the nodes write in their order\n", bench_program, w->name, what);
    exit(1);
}

/* A graph of the work, ready to be launched, and checked. */
static gc_graph_exec *prepare(const work *w, figure *f, size_t *barriers) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *graph = make_graph(w, f->way, f->streams, &report);
    gc_graph_exec *exec;
    f->lanes = report.lanes;
    if (f->way == ESTIMATED) *barriers = report.barrier_count;
    CHECK(gc_graph_node_count(graph, &f->nodes));
    CHECK(gc_graph_edge_count(graph, &f->edges));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_upload(exec, w->rig->lanes[0]));
    CHECK(gc_graph_destroy(graph));
    check_replay(w, exec, way_name(f->way));
    return exec;
}

static double run(const work *w, const gc_graph_exec *exec, int replays) {
    const double start = now_ns();
    for (int i = 0; i < replays; i++) CHECK(gc_graph_launch(exec, w->rig->lanes[0]));
    CHECK(gc_stream_synchronize(w->rig->lanes[0]));
    return (now_ns() - start) / replays;
}

static void run_single(const work *w, const gc_graph_exec *exec, double *single, double *launch) {
    double singles[SINGLES], launches[SINGLES];
    for (int i = 0; i < SINGLES; i++) {
        const double start = now_ns();
        CHECK(gc_graph_launch(exec, w->rig->lanes[0]));
        launches[i] = now_ns() - start;
        CHECK(gc_stream_synchronize(w->rig->lanes[0]));
        singles[i] = now_ns() - start;
    }
    *single = median(singles, SINGLES);
    *launch = median(launches, SINGLES);
}

static int replays_for(double ns, bool quick) {
    if (quick || ns * LEAST_REPLAYS > BATCH_NS) return LEAST_REPLAYS;
    return ns * MOST_REPLAYS < BATCH_NS ? MOST_REPLAYS : (int)(BATCH_NS / ns);
}

/* All of them in each round, so that what changes with time changes for all. */
static void time_all(const work *w, bool quick, int rounds, row *r, gc_graph_exec **execs) {
    double pipelined[MOST_FIGURES][MAX_ROUNDS], single[MOST_FIGURES][MAX_ROUNDS], launch[MOST_FIGURES][MAX_ROUNDS];
    int replays[MOST_FIGURES];
    for (int i = 0; i < r->count; i++) replays[i] = replays_for(run(w, execs[i], 2), quick);
    for (int round = 0; round < rounds; round++) {
        fprintf(stderr, "%s: round %d of %d\n", w->name, round + 1, rounds);
        for (int i = 0; i < r->count; i++) {
            pipelined[i][round] = run(w, execs[i], replays[i]);
            run_single(w, execs[i], &single[i][round], &launch[i][round]);
        }
    }
    for (int i = 0; i < r->count; i++) {
        r->figures[i].pipelined = median(pipelined[i], rounds) / 1e3;
        r->figures[i].single = median(single[i], rounds) / 1e3;
        r->figures[i].launch = median(launch[i], rounds) / 1e3;
    }
}

static void add(row *r, way how, size_t streams) {
    r->figures[r->count++] = (figure){.way = how, .streams = streams};
}

row measure_work(const work *w, bool quick, int rounds) {
    row r = {.name = w->name, .what = w->what, .work_nodes = w->shape.nodes};
    gc_graph_exec *execs[MOST_FIGURES];
    r.most_us = w->most_us, r.most_launch_us = w->most_launch_us;
    add(&r, RECORDED, 1);
    for (way how = HAND; how <= SHAPE; how++) {
        for (int i = 0; i < (quick ? 1 : HANDS); i++) add(&r, how, hands[i]);
    }
    add(&r, ESTIMATED, 1);
    add(&r, MEASURED, 1);
    for (int i = 0; i < r.count; i++) {
        fprintf(stderr, "%s: graph %d of %d, %s, on %zu\n", w->name, i + 1, r.count, way_name(r.figures[i].way), r.figures[i].streams);
        execs[i] = prepare(w, &r.figures[i], &r.barriers);
    }
    time_all(w, quick, rounds, &r, execs);
    for (int i = 0; i < r.count; i++) CHECK(gc_graph_exec_destroy(execs[i]));
    return r;
}

const figure *best_of(const row *r, way w) {
    const figure *best = NULL;
    for (int i = 0; i < r->count; i++) {
        const figure *f = &r->figures[i];
        if (f->way == w && (!best || f->pipelined < best->pipelined)) best = f;
    }
    return best;
}

const figure *figure_of(const row *r, way w, size_t streams) {
    for (int i = 0; i < r->count; i++) {
        if (r->figures[i].way == w && r->figures[i].streams == streams) return &r->figures[i];
    }
    return NULL;
}
