/* Replay: what a no-op node costs in chains, fans and random graphs of 10 to 100,000 nodes, beside oneTBB's. */
#include <stdatomic.h>

#include "bench.h"
#include "flow_graph.h"
#include "plot.h"
#include "record.h"
#include "timing.h"

enum { SHAPES = 3, RANDOM_WINDOW = 64 };

static int32_t count(const gc_host_block *block, const void *const *arguments) {
    _Atomic uint64_t *counter = *(_Atomic uint64_t *const *)arguments[0];
    const uint64_t increment = *(const uint64_t *)arguments[1];
    (void)block;
    atomic_fetch_add_explicit(counter, increment, memory_order_relaxed);
    return 0;
}

typedef struct {
    const gc_kernel *kernel;
    const gc_buffer *counters;
} count_launch;

static void submit_count(const gc_stream *stream, size_t node, void *user_data) {
    const count_launch *launch = user_data;
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const uint64_t increment = 1;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(launch->counters, node * sizeof(uint64_t)),
                                       GRAPHCAP_ARG_INIT_VALUE(increment)};
    CHECK(gc_stream_launch_kernel(stream, launch->kernel, &config, arguments, 2));
}

typedef struct {
    double pipelined, synchronised;           /* ns per node */
    double flow_pipelined, flow_synchronised; /* the same of oneTBB; 0 without it */
} replay_row;

/* Every node counts its runs, so that a replay that leaves one out is not taken for a fast one. */
static void check_counters(const char *whose, const uint64_t *counters, size_t nodes, size_t runs) {
    for (size_t i = 0; i < nodes; i++) {
        if (counters[i] == runs) continue;
        fprintf(stderr, "graphcap-bench: %s ran node %zu %llu times, not %zu\n", whose, i,
                (unsigned long long)counters[i], runs);
        exit(1);
    }
}

static replay_row measure(const bench_options *options, const bench_device *device, const shape *s) {
    const size_t bytes = s->nodes * sizeof(uint64_t), wanted = (options->quick ? 20000 : 200000) / s->nodes;
    const size_t launches = wanted < 2 ? 2 : wanted > 2000 ? 2000 : wanted;
    uint64_t *counters = allocate(s->nodes, sizeof *counters);
    uint64_t *flow_counters = allocate(s->nodes, sizeof *flow_counters);
    gc_buffer *buffer;
    CHECK(gc_buffer_wrap(device->context, counters, bytes, NULL, NULL, &buffer));
    count_launch launch = {device->kernel, buffer};
    gc_graph_exec *exec = record_shape(device->context, s, submit_count, &launch);
    flow_graph *flow = flow_graph_create(s, count, flow_counters);

    double pipelined[MAX_ROUNDS], synchronised[MAX_ROUNDS], flow_pipelined[MAX_ROUNDS], flow_synchronised[MAX_ROUNDS];
    for (int round = -1; round < options->rounds; round++) { /* round -1 warms up; its figures are overwritten */
        const int slot = round < 0 ? 0 : round;
        const double start = now_ns();
        for (size_t i = 0; i < launches; i++) CHECK(gc_graph_launch(exec, device->stream));
        CHECK(gc_stream_synchronize(device->stream));
        const double queued = now_ns();
        if (flow) flow_graph_run(flow, launches, false);
        const double flow_queued = now_ns();
        for (size_t i = 0; i < launches; i++) {
            CHECK(gc_graph_launch(exec, device->stream));
            CHECK(gc_stream_synchronize(device->stream));
        }
        const double waited = now_ns();
        if (flow) flow_graph_run(flow, launches, true);
        const double end = now_ns(), node_runs = (double)(launches * s->nodes);
        pipelined[slot] = (queued - start) / node_runs;
        flow_pipelined[slot] = (flow_queued - queued) / node_runs;
        synchronised[slot] = (waited - flow_queued) / node_runs;
        flow_synchronised[slot] = (end - waited) / node_runs;
    }
    const size_t runs = launches * (size_t)(options->rounds + 1);
    check_counters("graphcap", counters, s->nodes, 2 * runs);
    if (flow) check_counters("oneTBB", flow_counters, s->nodes, 2 * runs);

    flow_graph_destroy(flow);
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_buffer_destroy(buffer));
    CHECK(gc_context_synchronize(device->context));
    free(flow_counters);
    return (replay_row){median(pipelined, options->rounds), median(synchronised, options->rounds),
                        flow ? median(flow_pipelined, options->rounds) : 0.0,
                        flow ? median(flow_synchronised, options->rounds) : 0.0};
}

static void print_beside(int width, double ours, double flow) {
    printf(" %*.1f", width, ours);
    if (flow > 0.0) printf(" %8.1f %6.3f", flow, ours / flow);
}

static shape make_shape(int kind, size_t nodes) {
    return kind == 0 ? shape_chain(nodes) : kind == 1 ? shape_fan(nodes) : shape_random(nodes, RANDOM_WINDOW);
}

void bench_replay(const bench_options *options) {
    static const char *const names[SHAPES] = {"chain", "fan", "random"};
    static const size_t sizes[] = {10, 100, 1000, 10000, 100000};
    static const size_t parameter_sizes[] = {8, 8};
    const int size_count = options->quick ? 2 : 5;
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "count", count, parameter_sizes, 2, NULL, 0};
    plot_series series[2 * SHAPES] = {
        {.name = "chain, graphcap", .colour = "#1b6ca8"},  {.name = "fan, graphcap", .colour = "#c8553d"},
        {.name = "random, graphcap", .colour = "#3a7d44"},
        {.name = "chain, oneTBB", .colour = "#1b6ca8", .dashed = true},
        {.name = "fan, oneTBB", .colour = "#c8553d", .dashed = true},
        {.name = "random, oneTBB", .colour = "#3a7d44", .dashed = true}};
    const plot_frame frame = {"Replay: ns per no-op node, launches queued", 10, 1e5, 1, 1e4, PLOT_TIMES};
    const char *library = flow_graph_library();
    bench_device device = open_device(&kernel);

    printf("\nReplay: ns per no-op node (one block, called through a pointer, one relaxed add)\n");
    printf("  pipelined: launches queued, one synchronise; synchronised: one after each launch. oneTBB does not order runs\n");
    printf("  that are not waited for: pipelined, they overlap\n");
    printf("  random: each node depends on 1 to 3 of the %d before it\n", RANDOM_WINDOW);
    if (library) printf("  compared in the same rounds with %s's flow graph (continue_node)\n\n", library);
    else printf("  oneTBB was not found when this was built: no comparison\n\n");
    printf("%-8s %8s | %9s %8s %6s | %12s %8s %6s\n", "shape", "nodes", "pipelined", "oneTBB", "ratio", "synchronised",
           "oneTBB", "ratio");
    for (int kind = 0; kind < SHAPES; kind++) {
        for (int i = 0; i < size_count; i++) {
            fprintf(stderr, "replay: %s of %zu nodes\n", names[kind], sizes[i]);
            shape s = make_shape(kind, sizes[i]);
            const replay_row row = measure(options, &device, &s);
            shape_free(&s);
            printf("%-8s %8zu |", names[kind], sizes[i]);
            print_beside(9, row.pipelined, row.flow_pipelined);
            printf(" |");
            print_beside(12, row.synchronised, row.flow_synchronised);
            printf("\n");
            series[kind].nodes[i] = series[SHAPES + kind].nodes[i] = sizes[i];
            series[kind].ns[i] = row.pipelined;
            series[SHAPES + kind].ns[i] = row.flow_pipelined;
            series[kind].points = series[SHAPES + kind].points = i + 1;
        }
    }
    close_device(&device);
    if (options->quick) return;
    const int shown = library ? 2 * SHAPES : SHAPES;
    if (plot_write(options->svg_path, &frame, series, shown)) printf("\nplot: %s\n", options->svg_path);
    else fprintf(stderr, "graphcap-bench: cannot write %s\n", options->svg_path);
}
