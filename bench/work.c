/* The kernel of the tables that measure lanes. */
#include "work.h"

#include "timing.h"

int32_t work(const gc_host_block *block, const void *const *arguments) {
    const uint64_t steps = *(const uint64_t *)arguments[0];
    volatile uint64_t result;
    uint64_t value = block->struct_size;
    for (uint64_t i = 0; i < steps; i++) value = value * 6364136223846793005u + 1442695040888963407u;
    result = value;
    (void)result;
    return 0;
}

double time_of(uint64_t steps) {
    const gc_host_block block = {.struct_size = sizeof block};
    const void *const arguments[] = {&steps};
    double rounds[MAX_ROUNDS];
    const int calls = (int)(2000000 / (steps + 1)) + 1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const double start = now_ns();
        for (int i = 0; i < calls; i++) work(&block, arguments);
        rounds[round] = (now_ns() - start) / calls;
    }
    return median(rounds, MAX_ROUNDS);
}

uint64_t steps_for(double ns) {
    const uint64_t probe = 200000;
    return (uint64_t)(ns / time_of(probe) * (double)probe);
}

void submit_work(const gc_stream *stream, size_t node, void *user_data) {
    const work_launch *launch = user_data;
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(launch->steps)};
    (void)node;
    CHECK(gc_stream_launch_kernel(stream, launch->kernel, &config, arguments, 1));
}

double time_replay(const bench_device *device, const gc_graph_exec *exec) {
    const double start = now_ns();
    CHECK(gc_graph_launch(exec, device->stream));
    CHECK(gc_stream_synchronize(device->stream));
    return now_ns() - start;
}
