/* Branches: how much sooner independent kernels finish side by side, and how near a random graph comes to its bound. */
#include <pthread.h>

#include "bench.h"
#include "record.h"
#include "timing.h"
#include "work.h"

/* The control: what two bare threads gain on this machine at this moment, which is what a busy neighbour leaves. */
typedef struct {
    uint64_t steps;
    int kernels;
} bare_share;

static void *run_bare(void *user_data) {
    const bare_share *share = user_data;
    const gc_host_block block = {.struct_size = sizeof block};
    const void *const arguments[] = {&share->steps};
    for (int i = 0; i < share->kernels; i++) work(&block, arguments);
    return NULL;
}

static double time_bare_threads(uint64_t steps, int kernels) {
    bare_share share = {steps, kernels / 2};
    pthread_t other;
    const double start = now_ns();
    if (pthread_create(&other, NULL, run_bare, &share) != 0) exit(1);
    run_bare(&share);
    pthread_join(other, NULL);
    return now_ns() - start;
}

double bare_threads_gain(void) {
    enum { KERNELS = 400, ROUNDS = 3 }; /* 20 ms: a new thread may take milliseconds to reach a core of its own */
    const uint64_t steps = steps_for(50e3);
    double gains[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        bare_share all = {steps, KERNELS};
        const double start = now_ns();
        run_bare(&all);
        gains[round] = (now_ns() - start) / time_bare_threads(steps, KERNELS);
    }
    return median(gains, ROUNDS);
}

static void side_by_side(const bench_options *options, const bench_device *device) {
    enum { KERNELS = 64, WARM_UPS = 3 };
    work_launch launch = {device->kernel, steps_for(100e3)};
    shape wide = shape_independent(KERNELS), chain = shape_chain(KERNELS);
    gc_graph_exec *wide_exec = record_shape(device->context, &wide, submit_work, &launch);
    gc_graph_exec *chain_exec = record_shape(device->context, &chain, submit_work, &launch);
    double wide_ns[MAX_ROUNDS], chain_ns[MAX_ROUNDS], bare_ns[MAX_ROUNDS];
    for (int i = 0; i < WARM_UPS; i++) time_replay(device, wide_exec);
    for (int round = 0; round < options->rounds; round++) {
        chain_ns[round] = time_replay(device, chain_exec);
        wide_ns[round] = time_replay(device, wide_exec);
        bare_ns[round] = time_bare_threads(launch.steps, KERNELS);
    }
    const double chained = median(chain_ns, options->rounds), beside = median(wide_ns, options->rounds);
    printf("%d kernels of 100 us: %.0f us as a chain, %.0f us independent: %.2f times sooner\n", KERNELS, chained / 1e3,
           beside / 1e3, chained / beside);
    printf("two bare threads in the same rounds: %.2f times sooner\n", chained / median(bare_ns, options->rounds));
    CHECK(gc_graph_exec_destroy(wide_exec));
    CHECK(gc_graph_exec_destroy(chain_exec));
    shape_free(&wide);
    shape_free(&chain);
}

static void against_bound(const bench_options *options, const bench_device *device, double kernel_us, size_t nodes) {
    enum { WINDOW = 64, WARM_UPS = 3 };
    const double cores = cores_allowed();
    work_launch launch = {device->kernel, steps_for(kernel_us * 1e3)};
    shape s = shape_random(nodes, WINDOW);
    gc_graph_exec *exec = record_shape(device->context, &s, submit_work, &launch);
    double ns[MAX_ROUNDS], ratio[MAX_ROUNDS];
    for (int i = 0; i < WARM_UPS; i++) time_replay(device, exec);
    for (int round = 0; round < options->rounds; round++) { /* each with a bound of its own: clock rates change */
        const double single = time_of(launch.steps), all = single * (double)nodes / cores;
        const double path = single * (double)shape_depth(&s), bound = all > path ? all : path;
        ns[round] = time_replay(device, exec);
        ratio[round] = ns[round] / bound;
    }
    printf("random graph of %zu kernels of %.0f us (%zu deep): %.0f us, %.3f of max(work / %.0f, critical path)\n",
           nodes, kernel_us, shape_depth(&s), median(ns, options->rounds) / 1e3, median(ratio, options->rounds), cores);
    CHECK(gc_graph_exec_destroy(exec));
    shape_free(&s);
}

void bench_branches(const bench_options *options) {
    static const size_t parameter_sizes[] = {8};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "work", work, parameter_sizes, 1, NULL, 0};
    bench_device device = open_device(&kernel);
    fprintf(stderr, "branches\n");
    printf("\nBranches: launch and synchronise\n\n");
    side_by_side(options, &device);
    against_bound(options, &device, 50, options->quick ? 50 : 1000);
    against_bound(options, &device, 1, options->quick ? 500 : 20000);
    close_device(&device);
}
