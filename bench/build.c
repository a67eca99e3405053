/* Build: what it costs to build graphs by hand, to change their nodes and those of their execs, to copy, check and instantiate them, and to
 * update an exec. A node must not cost more in a large graph than in a small one. */
#include "bench.h"
#include "timing.h"

enum { BUILD, SET, CLONE, FIND, FIND_NOTES, FIND_IN_BRANCHES, SET_IN_EXEC, ENABLE, INSTANTIATE, UPDATE, LAUNCH_BEHIND, STEPS };
enum { LEAST = 10, COMPARED = 1000, CHECKED = 10000, MOST = 100000, BRANCHES = 2, ARGUMENTS = 3 };
/* A check of CHECKED nodes, whose kernels state what they touch, is to take at most so long. */
static const double most_check_ms = 15.0;

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

typedef struct {
    const bench_device *device;
    const gc_kernel_arg (*arguments)[ARGUMENTS]; /* of each branch */
    gc_node *nodes; /* room for the nodes of one graph */
} builder;

/* Builds kernels, each behind the one that is so many branches before it. */
static gc_graph *build(const builder *b, size_t count, size_t branches) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_graph *graph;
    CHECK(gc_graph_create(b->device->context, &graph));
    for (size_t i = 0; i < count; i++) {
        const gc_node *before = i >= branches ? &b->nodes[i - branches] : NULL;
        CHECK(gc_graph_add_kernel_node(graph, before, before ? 1 : 0, b->device->kernel, &one, b->arguments[i % branches], ARGUMENTS,
                                       &b->nodes[i]));
    }
    return graph;
}

/* The ns that a check takes. It finds nothing. */
static double check(const gc_graph *graph, uint32_t least) {
    size_t found;
    const double start = now_ns();
    CHECK(gc_graph_check(graph, least, NULL, 0, &found));
    const double taken = now_ns() - start;
    if (found != 0) {
        fprintf(stderr, "%s: %zu findings in a graph without faults\n", bench_program, found);
        exit(1);
    }
    return taken;
}

/* Adds what checks take of a graph whose kernels state what they touch, and of one of branches. */
static void run_checks(const builder *b, const gc_graph *graph, size_t count, double ns[STEPS]) {
    static const uint32_t accesses[ARGUMENTS] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    const builder branches = {b->device, b->arguments, allocate(count, sizeof(gc_node))};
    gc_graph *branched = build(&branches, count, BRANCHES);
    CHECK(gc_kernel_set_accesses(b->device->kernel, accesses, ARGUMENTS));
    ns[FIND] += check(graph, GRAPHCAP_SEVERITY_WARNING);
    ns[FIND_NOTES] += check(graph, GRAPHCAP_SEVERITY_NOTE);
    ns[FIND_IN_BRANCHES] += check(branched, GRAPHCAP_SEVERITY_WARNING);
    CHECK(gc_kernel_set_accesses(b->device->kernel, NULL, 0));
    CHECK(gc_graph_destroy(branched));
    free(branches.nodes);
}

/* Builds a chain of `count` kernels, changes and copies it; adds the ns that each step took to `ns`. */
static void run(const builder *b, size_t count, double ns[STEPS]) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT, two = GRAPHCAP_LAUNCH_CONFIG(2, 1);
    const gc_kernel *kernel = b->device->kernel;
    gc_graph *graph, *clone;
    gc_graph_exec *exec;
    size_t known;
    double start = now_ns();
    graph = build(b, count, 1);
    ns[BUILD] += now_ns() - start;
    start = now_ns();
    for (size_t i = 0; i < count; i++) CHECK(gc_node_set_kernel(graph, b->nodes[i], kernel, &two, b->arguments[0], ARGUMENTS));
    ns[SET] += now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_clone(graph, &clone));
    ns[CLONE] += now_ns() - start;
    CHECK(gc_graph_node_count(clone, &known));
    if (known != count) {
        fprintf(stderr, "%s: the copy of %zu nodes has %zu\n", bench_program, count, known);
        exit(1);
    }
    run_checks(b, graph, count, ns);
    start = now_ns();
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    ns[INSTANTIATE] += now_ns() - start;
    CHECK(gc_graph_launch(exec, b->device->stream));
    CHECK(gc_stream_synchronize(b->device->stream));
    start = now_ns();
    CHECK(gc_graph_exec_update(exec, clone, 0, NULL));
    ns[UPDATE] += now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_launch(exec, b->device->stream));
    ns[LAUNCH_BEHIND] += now_ns() - start;
    CHECK(gc_stream_synchronize(b->device->stream));
    start = now_ns();
    for (size_t i = 0; i < count; i++) {
        CHECK(gc_graph_exec_set_kernel_node(exec, b->nodes[i], kernel, &one, b->arguments[0], ARGUMENTS));
    }
    ns[SET_IN_EXEC] += now_ns() - start;
    start = now_ns();
    for (int enabled = 0; enabled < 2; enabled++) {
        for (size_t i = 0; i < count; i++) CHECK(gc_graph_exec_set_node_enabled(exec, b->nodes[i], enabled));
    }
    ns[ENABLE] += (now_ns() - start) / 2;
    CHECK(gc_graph_launch(exec, b->device->stream));
    CHECK(gc_stream_synchronize(b->device->stream));
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_graph_destroy(clone));
    CHECK(gc_graph_destroy(graph));
}

void bench_build(const bench_options *options) {
    static const size_t parameter_sizes[] = {8, 4, 8};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, parameter_sizes, 3, NULL, 0};
    const uint32_t length = 256;
    const double factor = 2.0;
    const size_t most = options->quick ? COMPARED : MOST;
    bench_device device = open_device(&kernel);
    gc_buffer *buffers[BRANCHES];
    for (int i = 0; i < BRANCHES; i++) CHECK(gc_buffer_allocate(device.context, 1024, &buffers[i]));
    const gc_kernel_arg arguments[BRANCHES][ARGUMENTS] = {
        {GRAPHCAP_ARG_INIT_BUFFER(buffers[0]), GRAPHCAP_ARG_INIT_VALUE(length), GRAPHCAP_ARG_INIT_VALUE(factor)},
        {GRAPHCAP_ARG_INIT_BUFFER(buffers[1]), GRAPHCAP_ARG_INIT_VALUE(length), GRAPHCAP_ARG_INIT_VALUE(factor)}};
    const builder b = {&device, arguments, allocate(most, sizeof(gc_node))};
    double compared = 0, last = 0, updated = 0, launched = 0, checked_ms = 0;
    printf("\nBuild: ns per kernel node with three arguments, in a chain that is built by hand\n\n");
    printf("%8s %9s %13s %9s %9s %9s %9s %12s %9s %12s %9s %14s\n", "nodes", "build", "set in graph", "clone", "check", "notes",
           "branches", "set in exec", "enable", "instantiate", "update", "launch behind");
    for (size_t nodes = LEAST; nodes <= most; nodes *= 10) {
        fprintf(stderr, "build: %zu nodes\n", nodes);
        const size_t wanted = (options->quick ? 2000 : 20000) / nodes, repeats = wanted ? wanted : 1;
        double steps[STEPS][MAX_ROUNDS], medians[STEPS];
        for (int round = 0; round < options->rounds; round++) {
            double ns[STEPS] = {0};
            for (size_t i = 0; i < repeats; i++) run(&b, nodes, ns);
            for (int step = 0; step < STEPS; step++) steps[step][round] = ns[step] / (double)(nodes * repeats);
        }
        for (int step = 0; step < STEPS; step++) medians[step] = median(steps[step], options->rounds);
        printf("%8zu %9.1f %13.1f %9.1f %9.1f %9.1f %9.1f %12.1f %9.1f %12.1f %9.1f %14.1f\n", nodes, medians[BUILD], medians[SET],
               medians[CLONE], medians[FIND], medians[FIND_NOTES], medians[FIND_IN_BRANCHES], medians[SET_IN_EXEC],
               medians[ENABLE], medians[INSTANTIATE], medians[UPDATE], medians[LAUNCH_BEHIND]);
        if (nodes == COMPARED) {
            compared = medians[BUILD];
            updated = medians[UPDATE] / medians[INSTANTIATE];
            launched = (medians[UPDATE] + medians[LAUNCH_BEHIND]) / medians[INSTANTIATE];
        }
        last = medians[BUILD];
        if (nodes == CHECKED) {
            const double slowest = medians[FIND_NOTES] > medians[FIND_IN_BRANCHES] ? medians[FIND_NOTES] : medians[FIND_IN_BRANCHES];
            checked_ms = slowest * (double)nodes / 1e6;
        }
    }
    printf("\nan update of %d nodes: %.2f of instantiating them; with the launch behind it, which prepares the new work, %.2f\n", COMPARED,
           updated, launched);
    if (most > COMPARED) {
        printf("\nbuilding a node of %zu: %.2f of a node of %d; at most 1.50 is promised\n", most, last / compared, COMPARED);
    }
    if (most >= CHECKED) {
        printf("\na check of %d nodes with stated kernels, with notes or in %d branches: %.1f ms; at most %.0f is promised\n", CHECKED,
               BRANCHES, checked_ms, most_check_ms);
    }
    free(b.nodes);
    for (int i = 0; i < BRANCHES; i++) CHECK(gc_buffer_destroy(buffers[i]));
    close_device(&device);
}
