/* Captures of work that others record: a chain of the driver's own launches on a stream that graphcap wraps, ended, instantiated and
 * destroyed by graphcap, beside the driver alone. In a context without memory, and in that of all other tables, which has some. */
#include "../timing.h"
#include "report.h"

enum { END, INSTANTIATE, DESTROY, FIGURES };

typedef struct {
    work *w;
    gc_stream *stream; /* wraps w->native, in either context */
    size_t nodes;
} foreign_state;

static void tell(const double times[4], double ns[MOST_FIGURES]) {
    for (int i = 0; i < FIGURES; i++) ns[i] = times[i + 1] - times[i];
}

static void record(work *w, size_t nodes) {
    for (size_t i = 0; i < nodes; i++) work_launch_raw(w);
}

static void take_raw(const foreign_state *s, double times[4]) {
    void *graph, *exec;
    CU_CHECK(cu.cuStreamBeginCapture_v2(s->w->native, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    record(s->w, s->nodes);
    times[0] = now_ns();
    CU_CHECK(cu.cuStreamEndCapture(s->w->native, &graph));
    times[1] = now_ns();
    CU_CHECK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
    times[2] = now_ns();
    CU_CHECK(cu.cuGraphDestroy(graph));
    CU_CHECK(cu.cuGraphExecDestroy(exec));
    times[3] = now_ns();
}

static void take_graphcap(const foreign_state *s, double times[4]) {
    gc_graph *graph;
    gc_graph_exec *exec;
    CHECK(gc_stream_begin_capture(s->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    record(s->w, s->nodes);
    times[0] = now_ns();
    CHECK(gc_stream_end_capture(s->stream, &graph));
    times[1] = now_ns();
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    times[2] = now_ns();
    CHECK(gc_graph_destroy(graph));
    CHECK(gc_graph_exec_destroy(exec));
    times[3] = now_ns();
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const foreign_state *s = user_data;
    double times[4];
    work_enter(s->w, RAW);
    if (who == RAW) take_raw(s, times);
    else take_graphcap(s, times);
    tell(times, ns);
}

static void measure(report *r, work *w, gc_stream *stream, const char *where) {
    static const char *const names[FIGURES] = {"foreign, end", "foreign, instantiate", "foreign, destroy both"};
    for (int i = 0; i < r->sizes; i++) {
        foreign_state s = {w, stream, chain_sizes[i]};
        figure ns[FIGURES];
        report_compare(r, take, &s, FIGURES, ns);
        for (int f = 0; f < FIGURES; f++) report_add(r, names[f], where, s.nodes, ns[f], 0.0);
    }
}

void bench_foreign(report *r, work *w) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *empty;
    gc_stream *stream;
    if (w->whose != WRAPPED) return;
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    CHECK(gc_context_create(&options, &empty));
    CHECK(gc_stream_wrap(empty, w->native, &stream));
    measure(r, w, stream, "no memory");
    CHECK(gc_stream_destroy(stream));
    CHECK(gc_context_destroy(empty));
    measure(r, w, w->stream, "memory");
}
