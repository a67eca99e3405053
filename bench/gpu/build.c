/* Build: graphs built node by node, changed, copied, instantiated; execs changed node by node. Each side builds its own. */
#include "../timing.h"
#include "report.h"

enum { BUILD, ADD_MANY, SET, SET_MANY, CLONE, INSTANTIATE, SET_IN_EXEC, SET_MANY_IN_EXEC, ENABLE, FIGURES };
enum { MOST_REPEATS = 50, BUILT_SIZES = 5 };

/* What is measured of each: a call per node, or one call for the whole graph. `bar` is for a thread on which the context is current. */
static const struct {
    const char *name;
    bool per_node;
    double bar;
} measures[FIGURES] = {{"build, per node", true, 1.80},        {"add many", true, 1.30},
                       {"set in graph, per node", true, 2.60}, {"set many in graph", true, 1.60},
                       {"clone", false, 1.10},                 {"instantiate, built", false, 1.10},
                       {"set in exec, per node", true, 1.90},  {"set many in exec", true, 1.35},
                       {"disable, enable, per node", true, 0.0}};

typedef struct {
    work *w;
    size_t count, repeats;
    void **raw_nodes; /* room for the nodes of one graph, for either side */
    gc_node *nodes;
    gc_work *works;               /* the launches of many nodes */
    const gc_node **dependencies; /* of the nodes in a chain */
    size_t *dependency_counts;
} build_state;

/* Takes the time since the last lap. */
static double lap(double *since) {
    const double now = now_ns(), passed = now - *since;
    *since = now;
    return passed;
}

/* Adds the nodes to each graph. Those of the last one stay in raw_nodes. */
static void add_raw(const build_state *s, void **graphs, const kernel_node_params *params) {
    void **nodes = s->raw_nodes;
    for (size_t r = 0; r < s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) {
            CU_CHECK(cu.cuGraphAddKernelNode_v2(&nodes[i], graphs[r], i ? &nodes[i - 1] : NULL, i ? 1 : 0, params));
        }
    }
}

static void take_raw(const build_state *s, double ns[FIGURES]) {
    const kernel_node_params params = {
        .function = s->w->device->function, .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = s->w->parameters};
    void *graphs[MOST_REPEATS], *clones[MOST_REPEATS], *execs[MOST_REPEATS], **nodes = s->raw_nodes;
    for (size_t r = 0; r < s->repeats; r++) CU_CHECK(cu.cuGraphCreate(&graphs[r], 0));
    double clock = now_ns();
    add_raw(s, graphs, &params);
    ns[BUILD] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) {
        CU_CHECK(cu.cuGraphDestroy(graphs[r]));
        CU_CHECK(cu.cuGraphCreate(&graphs[r], 0));
    }
    clock = now_ns();
    add_raw(s, graphs, &params);
    ns[ADD_MANY] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) CU_CHECK(cu.cuGraphKernelNodeSetParams_v2(nodes[i], &params));
    }
    ns[SET] = ns[SET_MANY] = lap(&clock);
    void *graph = graphs[s->repeats - 1]; /* the nodes are of the last one */
    for (size_t r = 0; r < s->repeats; r++) CU_CHECK(cu.cuGraphClone(&clones[r], graph));
    ns[CLONE] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) CU_CHECK(cu.cuGraphInstantiateWithFlags(&execs[r], graph, 0));
    ns[INSTANTIATE] = lap(&clock);
    CU_CHECK(cu.cuGraphUpload(execs[0], s->w->native));
    work_synchronize(s->w, RAW);
    clock = now_ns();
    for (size_t r = 0; r < s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) CU_CHECK(cu.cuGraphExecKernelNodeSetParams_v2(execs[0], nodes[i], &params));
    }
    ns[SET_IN_EXEC] = ns[SET_MANY_IN_EXEC] = lap(&clock);
    for (unsigned r = 0; r < 2 * s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) CU_CHECK(cu.cuGraphNodeSetEnabled(execs[0], nodes[i], r % 2));
    }
    ns[ENABLE] = lap(&clock) / 2;
    CU_CHECK(cu.cuGraphLaunch(execs[0], s->w->native));
    work_synchronize(s->w, RAW);
    for (size_t r = 0; r < s->repeats; r++) {
        CU_CHECK(cu.cuGraphExecDestroy(execs[r]));
        CU_CHECK(cu.cuGraphDestroy(clones[r]));
        CU_CHECK(cu.cuGraphDestroy(graphs[r]));
    }
}

static void take_graphcap(const build_state *s, double ns[FIGURES]) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel *kernel = s->w->device->kernel;
    const gc_kernel_arg *arguments = s->w->arguments;
    gc_graph *graphs[MOST_REPEATS], *clones[MOST_REPEATS];
    gc_graph_exec *execs[MOST_REPEATS];
    gc_node *nodes = s->nodes;
    for (size_t r = 0; r < s->repeats; r++) CHECK(gc_graph_create(s->w->device->context, &graphs[r]));
    double clock = now_ns();
    for (size_t r = 0; r < s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) {
            const gc_node *before = i ? &nodes[i - 1] : NULL;
            CHECK(gc_graph_add_kernel_node(graphs[r], before, i ? 1 : 0, kernel, &one, arguments, 3, &nodes[i]));
        }
    }
    ns[BUILD] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) {
        CHECK(gc_graph_destroy(graphs[r]));
        CHECK(gc_graph_create(s->w->device->context, &graphs[r]));
    }
    clock = now_ns();
    for (size_t r = 0; r < s->repeats; r++) {
        CHECK(gc_graph_add_nodes(graphs[r], s->dependencies, s->dependency_counts, s->works, s->count, nodes, NULL));
    }
    ns[ADD_MANY] = lap(&clock);
    const gc_graph *graph = graphs[s->repeats - 1]; /* the nodes are of the last one */
    for (size_t r = 0; r < s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) CHECK(gc_node_set_kernel(graph, nodes[i], kernel, &one, arguments, 3));
    }
    ns[SET] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) CHECK(gc_graph_set_nodes(graph, nodes, s->works, s->count, NULL));
    ns[SET_MANY] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) CHECK(gc_graph_clone(graph, &clones[r]));
    ns[CLONE] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) CHECK(gc_graph_instantiate(graph, NULL, &execs[r]));
    ns[INSTANTIATE] = lap(&clock);
    CHECK(gc_graph_upload(execs[0], s->w->stream));
    work_synchronize(s->w, GRAPHCAP);
    clock = now_ns();
    for (size_t r = 0; r < s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) {
            CHECK(gc_graph_exec_set_kernel_node(execs[0], nodes[i], kernel, &one, arguments, 3));
        }
    }
    ns[SET_IN_EXEC] = lap(&clock);
    for (size_t r = 0; r < s->repeats; r++) CHECK(gc_graph_exec_set_nodes(execs[0], nodes, s->works, s->count, NULL));
    ns[SET_MANY_IN_EXEC] = lap(&clock);
    for (unsigned r = 0; r < 2 * s->repeats; r++) {
        for (size_t i = 0; i < s->count; i++) CHECK(gc_graph_exec_set_node_enabled(execs[0], nodes[i], r % 2));
    }
    ns[ENABLE] = lap(&clock) / 2;
    CHECK(gc_graph_launch(execs[0], s->w->stream));
    work_synchronize(s->w, GRAPHCAP);
    for (size_t r = 0; r < s->repeats; r++) {
        CHECK(gc_graph_exec_destroy(execs[r]));
        CHECK(gc_graph_destroy(clones[r]));
        CHECK(gc_graph_destroy(graphs[r]));
    }
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const build_state *s = user_data;
    work_enter(s->w, who);
    if (who == RAW) take_raw(s, ns);
    else take_graphcap(s, ns);
    s->w->runs += s->count; /* the launch; all nodes are enabled by then */
    for (int i = 0; i < FIGURES; i++) ns[i] /= (double)(s->repeats * (measures[i].per_node ? s->count : 1));
}

/* Graphs that are built have no stream. What is told apart is whether the context is current on the thread of graphcap's calls, as it is
 * where a stream is wrapped. */
void bench_build(report *r, work *w) {
    static const size_t counts[BUILT_SIZES] = {1, 10, 100, 1000, 10000}, repeats[BUILT_SIZES] = {MOST_REPEATS, 20, 5, 2, 1};
    const int sizes = r->quick ? 2 : BUILT_SIZES;
    if (w->whose == SHARED) return;
    const bool is_current = w->whose == WRAPPED;
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_work launch = GRAPHCAP_WORK_INIT;
    launch.kind = GRAPHCAP_WORK_KERNEL;
    launch.kernel = w->device->kernel;
    launch.config = &one;
    launch.arguments = w->arguments;
    launch.argument_count = 3;
    build_state s = {.w = w};
    s.raw_nodes = allocate(counts[BUILT_SIZES - 1], sizeof *s.raw_nodes);
    s.nodes = allocate(counts[BUILT_SIZES - 1], sizeof *s.nodes);
    s.works = allocate(counts[BUILT_SIZES - 1], sizeof *s.works);
    s.dependencies = allocate(counts[BUILT_SIZES - 1], sizeof *s.dependencies);
    s.dependency_counts = allocate(counts[BUILT_SIZES - 1], sizeof *s.dependency_counts);
    for (size_t i = 0; i < counts[BUILT_SIZES - 1]; i++) {
        s.works[i] = launch;
        s.dependencies[i] = i ? &s.nodes[i - 1] : NULL;
        s.dependency_counts[i] = i ? 1 : 0;
    }
    for (int size = 0; size < sizes; size++) {
        figure ns[FIGURES];
        s.count = counts[size];
        s.repeats = repeats[size];
        report_compare(r, take, &s, FIGURES, ns);
        for (int i = 0; i < FIGURES; i++) {
            const double bar = is_current || !measures[i].per_node ? measures[i].bar : 0.0;
            report_add(r, measures[i].name, is_current ? "current" : "own", s.count, ns[i], bar);
        }
    }
    free(s.raw_nodes);
    free(s.nodes);
    free(s.works);
    free(s.dependencies);
    free(s.dependency_counts);
}
