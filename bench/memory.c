/* Memory: what stays resident after a million replays of a small graph. */
#include <unistd.h>

#include "bench.h"
#include "record.h"
#include "timing.h"

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

static void submit_nothing(const gc_stream *stream, size_t node, void *user_data) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const bench_device *device = user_data;
    (void)node;
    CHECK(gc_stream_launch_kernel(stream, device->kernel, &config, NULL, 0));
}

/* Resident memory in KiB; 0 where the system does not tell. */
static long resident_kib(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void bench_memory(const bench_options *options) {
    enum { NODES = 10, BATCH = 1000 };
    const long replays = options->quick ? 20000 : 1000000;
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, NULL, 0, NULL, 0};
    bench_device device = open_device(&kernel);
    shape s = shape_random(NODES, NODES);
    gc_graph_exec *exec = record_shape(device.context, &s, submit_nothing, &device);
    long first = 0;
    uint64_t counted;
    fprintf(stderr, "memory\n");
    const double start = now_ns();
    for (long done = 0; done < replays; done += BATCH) {
        for (int i = 0; i < BATCH; i++) CHECK(gc_graph_launch(exec, device.stream));
        CHECK(gc_stream_synchronize(device.stream));
        if (done == 0) first = resident_kib();
    }
    const double seconds = (now_ns() - start) / 1e9;
    CHECK(gc_graph_exec_num_replays(exec, &counted));
    printf("\nMemory: %llu replays of a graph of %d nodes in %.1f s\n\n", (unsigned long long)counted, NODES, seconds);
    printf("resident after the first %d: %ld KiB; at the end: %+ld KiB\n", BATCH, first, resident_kib() - first);
    CHECK(gc_graph_exec_destroy(exec));
    shape_free(&s);
    close_device(&device);
}
