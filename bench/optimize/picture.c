/* Draws each kernel of a replay as a bar from its begin to its end. A lane of the picture has kernels that ran one behind another;
 * there are as many as kernels ran at once. */
#include "picture.h"

#include <string.h>

#include "measure.h"

enum { LEFT = 20, WIDTH = 960, PANEL = 240, GAP = 70, TOP = 84, HUES = 12 };

typedef struct {
    uint64_t begin, end;
    size_t node, lane;
} bar;

/* The bars of one replay in the order of their begins. */
typedef struct {
    const char *title;
    bar *bars;
    size_t count, lanes;
    double us;
} panel;

static int by_begin(const void *a, const void *b) {
    const bar *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Each bar gets the first lane that is free when it begins. */
static void give_lanes(panel *p) {
    uint64_t *ends = allocate(p->count, sizeof *ends);
    for (size_t i = 0; i < p->count; i++) {
        size_t lane = 0;
        while (lane < p->lanes && ends[lane] > p->bars[i].begin) lane++;
        if (lane == p->lanes) p->lanes++;
        ends[lane] = p->bars[i].end;
        p->bars[i].lane = lane;
    }
    free(ends);
}

/* From the first begin to the last end. */
static uint64_t length_of(const uint64_t *stamps, size_t nodes) {
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t node = 0; node < nodes; node++) {
        if (stamps[2 * node] < first) first = stamps[2 * node];
        if (stamps[2 * node + 1] > last) last = stamps[2 * node + 1];
    }
    return last - first;
}

/* Writes down the shortest of some replays. */
static void replay(const work *w, const gc_graph_exec *exec, const char *title, uint64_t *stamps) {
    enum { REPLAYS = 7 };
    const size_t nodes = w->shape.nodes;
    uint64_t *last = allocate(nodes, 2 * sizeof *last);
    for (int i = 0; i < REPLAYS; i++) {
        check_replay(w, exec, title);
        w->read_stamps(w, last);
        if (i == 0 || length_of(last, nodes) < length_of(stamps, nodes)) memcpy(stamps, last, nodes * 2 * sizeof *last);
    }
    free(last);
}

static panel take(const work *w, way how, const char *title) {
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    const size_t nodes = w->shape.nodes;
    panel p = {.title = title, .count = nodes};
    uint64_t *stamps = allocate(nodes, 2 * sizeof *stamps);
    gc_graph *graph = make_graph(w, how, 1, &report);
    gc_graph_exec *exec;
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_upload(exec, w->rig->lanes[0]));
    replay(w, exec, title, stamps);
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_graph_destroy(graph));
    p.bars = allocate(nodes, sizeof *p.bars);
    for (size_t node = 0; node < nodes; node++) p.bars[node] = (bar){stamps[2 * node], stamps[2 * node + 1], node, 0};
    p.us = (double)length_of(stamps, nodes) / 1e3;
    free(stamps);
    qsort(p.bars, nodes, sizeof *p.bars, by_begin);
    const uint64_t first = p.bars[0].begin;
    for (size_t i = 0; i < nodes; i++) {
        p.bars[i].begin -= first;
        p.bars[i].end -= first;
    }
    give_lanes(&p);
    return p;
}

/* How many nodes come before each one at least: nodes of one depth get one colour. */
static size_t *depths_of(const shape *s) {
    size_t *depths = allocate(s->nodes, sizeof *depths);
    for (size_t node = 0; node < s->nodes; node++) {
        for (size_t edge = s->first[node]; edge < s->first[node + 1]; edge++) {
            const size_t before = depths[s->predecessors[edge]];
            if (before + 1 > depths[node]) depths[node] = before + 1;
        }
    }
    return depths;
}

/* A round distance between lines of the axis: 1, 2 or 5 times a power of ten, at most eight lines. */
static double tick_of(double us) {
    static const double steps[] = {1.0, 2.0, 5.0};
    double power = 0.001;
    for (int i = 0;; i++) {
        const double tick = power * steps[i % 3];
        if (us / tick <= 8.0) return tick;
        if (i % 3 == 2) power *= 10.0;
    }
}

static void draw_panel(FILE *file, const panel *p, const size_t *depths, double us, double top) {
    const double height = (double)PANEL / (double)(p->lanes < 4 ? 4 : p->lanes), scale = WIDTH / us, tick = tick_of(us);
    fprintf(file, "<text x=\"%d\" y=\"%.0f\">%s: %.1f us from the first begin to the last end, at most %zu kernel%s at once</text>\n",
            LEFT, top - 10, p->title, p->us, p->lanes, p->lanes == 1 ? "" : "s");
    for (double at = 0.0; at <= us; at += tick) {
        const double x = LEFT + at * scale;
        fprintf(file, "<line x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" y2=\"%.0f\" stroke=\"#ddd\"/>\n", x, top, x, top + PANEL);
        fprintf(file, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\" font-size=\"11\">%g</text>\n", x, top + PANEL + 14, at);
    }
    for (size_t i = 0; i < p->count; i++) {
        const bar *b = &p->bars[i];
        fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"hsl(%zu,55%%,50%%)\"><title>node %zu: %.1f to "
                      "%.1f us</title></rect>\n",
                LEFT + (double)b->begin / 1e3 * scale, top + height * (double)b->lane, (double)(b->end - b->begin) / 1e3 * scale,
                height * 0.9, depths[b->node] % HUES * (360 / HUES), b->node, (double)b->begin / 1e3, (double)b->end / 1e3);
    }
}

static bool draw(const work *w, const char *path, const panel *panels, int count) {
    FILE *file = fopen(path, "w");
    size_t *depths = depths_of(&w->shape);
    if (!file) {
        fprintf(stderr, "%s: cannot write %s\n", bench_program, path);
        free(depths);
        return false;
    }
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                  "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            LEFT + WIDTH + 20, TOP + count * (PANEL + GAP) + PANEL + 30);
    fprintf(file, "<text x=\"%d\" y=\"26\" font-size=\"16\">%s</text>\n", LEFT, w->what);
    fprintf(file, "<text x=\"%d\" y=\"42\" font-size=\"11\">%zu kernels on %s; lanes over time in us; one colour for each depth</text>\n",
            LEFT, w->shape.nodes, w->rig->name);
    for (int i = 0; i < count; i++) draw_panel(file, &panels[i], depths, panels[0].us, TOP + i * (PANEL + GAP));
    /* The second one again, as wide as the first. */
    panel closer = panels[count - 1];
    closer.title = "optimized, closer";
    draw_panel(file, &closer, depths, closer.us, TOP + count * (PANEL + GAP));
    fprintf(file, "</svg>\n");
    free(depths);
    return fclose(file) == 0;
}

bool picture_write(const work *w, const char *folder) {
    char path[4096];
    fprintf(stderr, "%s: picture\n", w->name);
    w->set_stamps(w, true);
    panel panels[2] = {take(w, RECORDED, "recorded"), take(w, MEASURED, "optimized")};
    w->set_stamps(w, false);
    snprintf(path, sizeof path, "%s/replay-%s.svg", folder, w->name);
    const bool is_written = draw(w, path, panels, 2);
    if (is_written) printf("wrote %s\n", path);
    free(panels[0].bars);
    free(panels[1].bars);
    return is_written;
}
