/* Checks of graphs that others made: the driver's own launches, in a chain or in two branches, are wrapped, checked, instantiated by
 * graphcap. The kernels are of a module that the driver alone has, with two addresses of its memory, or none. Beside it what the driver
 * alone takes to list the nodes and to read each. At severity warning a check of a chain reads no kernel; of branches, and at severity
 * note, it reads each. */
#include "../timing.h"
#include "kernel_ptx.h"
#include "report.h"

enum { OPEN, CHECK_GRAPH, CHECK_NOTES, INSTANTIATE, CHECK_EXEC, FIGURES };
enum { BRANCHES = 2 };
/* Of the checks per node: 0.6 us a node, and 80 ns an address. */
enum { NS_OF_NODE = 600, NS_OF_ADDRESS = 80, ADDRESSES = 2 };

typedef struct {
    const work *w;
    void *graph;
    void **nodes; /* room for those of the graph */
    size_t count;
} check_state;

static void list_raw(const check_state *s) {
    size_t count = s->count;
    CU_CHECK(cu.cuGraphGetNodes(s->graph, s->nodes, &count));
}

static void take_raw(const check_state *s, double ns[MOST_FIGURES]) {
    kernel_node_params params;
    void *exec;
    double start = now_ns();
    list_raw(s);
    ns[OPEN] = now_ns() - start;
    start = now_ns();
    list_raw(s);
    for (size_t i = 0; i < s->count; i++) CU_CHECK(cu.cuGraphKernelNodeGetParams_v2(s->nodes[i], &params));
    ns[CHECK_GRAPH] = now_ns() - start;
    /* The driver has one way to read, and no check of an exec. */
    ns[CHECK_EXEC] = ns[CHECK_NOTES] = ns[CHECK_GRAPH];
    start = now_ns();
    CU_CHECK(cu.cuGraphInstantiateWithFlags(&exec, s->graph, 0));
    ns[INSTANTIATE] = now_ns() - start;
    CU_CHECK(cu.cuGraphExecDestroy(exec));
}

static void take_graphcap(const check_state *s, double ns[MOST_FIGURES]) {
    gc_graph *graph;
    gc_graph_exec *exec;
    size_t found, notes;
    double start = now_ns();
    CHECK(gc_graph_wrap(s->w->device->context, s->graph, GRAPHCAP_OWNERSHIP_BORROWED, &graph));
    ns[OPEN] = now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_check(graph, GRAPHCAP_SEVERITY_WARNING, NULL, 0, &found));
    ns[CHECK_GRAPH] = now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_check(graph, GRAPHCAP_SEVERITY_NOTE, NULL, 0, &notes));
    ns[CHECK_NOTES] = now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    ns[INSTANTIATE] = now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_exec_check(exec, NULL));
    ns[CHECK_EXEC] = now_ns() - start;
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_graph_destroy(graph));
    if (found + notes != 0) {
        fprintf(stderr, "%s: %zu findings in a graph without faults\n", bench_program, found + notes);
        exit(1);
    }
}

static void take(void *user_data, side who, double ns[MOST_FIGURES]) {
    const check_state *s = user_data;
    work_enter(s->w, RAW);
    if (who == RAW) take_raw(s, ns);
    else take_graphcap(s, ns);
    ns[CHECK_GRAPH] /= (double)s->count;
    ns[CHECK_NOTES] /= (double)s->count;
    ns[CHECK_EXEC] /= (double)s->count;
}

/* Kernels of others, each behind the one that is so many branches before it. */
static void *build(work *w, void *function, size_t nodes, size_t branches, void **made) {
    const kernel_node_params params = {
        .function = function, .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = w->parameters};
    void *graph;
    CU_CHECK(cu.cuGraphCreate(&graph, 0));
    for (size_t i = 0; i < nodes; i++) {
        const bool waits = i >= branches;
        CU_CHECK(cu.cuGraphAddKernelNode_v2(&made[i], graph, waits ? &made[i - branches] : NULL, waits, &params));
    }
    return graph;
}

static void measure_shape(report *r, work *w, void *function, int addresses, size_t branches, const char *where) {
    static const char *const names[FIGURES] = {"check, open", "check, a node", "check with notes, a node", "check, instantiate",
                                               "check of exec, a node"};
    const double most = NS_OF_NODE + addresses * NS_OF_ADDRESS;
    for (int i = 0; i < r->sizes; i++) {
        const size_t nodes = chain_sizes[i];
        void **made = allocate(nodes, sizeof(void *));
        check_state s = {w, build(w, function, nodes, branches, made), made, nodes};
        figure ns[FIGURES];
        report_compare(r, take, &s, FIGURES, ns);
        for (int f = 0; f < FIGURES; f++) {
            const bool is_promised = (f == CHECK_GRAPH || f == CHECK_NOTES) && s.count == chain_sizes[SIZES - 1];
            report_add(r, names[f], where, s.count, ns[f], is_promised ? most / ns[f].raw : 0.0);
        }
        CU_CHECK(cu.cuGraphDestroy(s.graph));
        free(s.nodes);
    }
}

static void measure(report *r, work *w, void *function, int addresses, const char *chain, const char *branches) {
    measure_shape(r, w, function, addresses, 1, chain);
    measure_shape(r, w, function, addresses, BRANCHES, branches);
}

void bench_checks(report *r, work *w) {
    void *const parameters[] = {w->parameters[0], w->parameters[1]};
    uint64_t memory[ADDRESSES] = {0}, none = 0;
    void *module, *function;
    if (w->whose != WRAPPED) return;
    work_enter(w, RAW);
    CU_CHECK(cu.cuModuleLoadData(&module, kernel_ptx));
    CU_CHECK(cu.cuModuleGetFunction(&function, module, "bump"));
    w->parameters[0] = w->parameters[1] = &none;
    measure(r, w, function, 0, "values", "values 2");
    for (int i = 0; i < ADDRESSES; i++) {
        CU_CHECK(cu.cuMemAlloc_v2(&memory[i], sizeof(uint32_t)));
        w->parameters[i] = &memory[i];
    }
    measure(r, w, function, ADDRESSES, "memory", "memory 2");
    for (int i = 0; i < ADDRESSES; i++) {
        w->parameters[i] = parameters[i];
        CU_CHECK(cu.cuMemFree_v2(memory[i]));
    }
    CU_CHECK(cu.cuModuleUnload(module));
}
