/* Capture: what it costs to record, end, instantiate and destroy chains of kernel nodes with three arguments. */
#include "bench.h"
#include "timing.h"

enum { RECORD, END, INSTANTIATE, DESTROY, STEPS };

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

/* One capture of `nodes` nodes; adds the ns that each step took to `ns`. */
static void run(const bench_device *device, const gc_buffer *buffer, size_t nodes, double ns[STEPS]) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const uint32_t length = 256;
    const double factor = 2.0;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(length),
                                       GRAPHCAP_ARG_INIT_VALUE(factor)};
    gc_graph *graph;
    gc_graph_exec *exec;
    const double start = now_ns();
    CHECK(gc_stream_begin_capture(device->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (size_t i = 0; i < nodes; i++) {
        CHECK(gc_stream_launch_kernel(device->stream, device->kernel, &config, arguments, 3));
    }
    const double recorded = now_ns();
    CHECK(gc_stream_end_capture(device->stream, &graph));
    const double ended = now_ns();
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    const double instantiated = now_ns();
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_graph_destroy(graph));
    const double destroyed = now_ns();
    ns[RECORD] += recorded - start;
    ns[END] += ended - recorded;
    ns[INSTANTIATE] += instantiated - ended;
    ns[DESTROY] += destroyed - instantiated;
}

enum { ALLOCATE, USE, FREE, CALLS };

/* In a capture, `count` times a memset of one element: of `buffer`, or, with a pool, of memory that is allocated for that and freed
 * behind it. With `others` so many blocks are free that nothing can be used of. Sets `ns` to what one call of each takes. */
static void run_pool(const bench_device *device, const gc_pool *pool, const gc_buffer *buffer, int others, size_t count,
                     double ns[CALLS]) {
    gc_buffer *block, *small[1000];
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(device->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < others; i++) {
        CHECK(gc_pool_allocate_on_stream(pool, device->stream, 256, &small[i]));
        CHECK(gc_stream_memset(device->stream, small[i], 0, 0, 4, 1));
    }
    for (int i = 0; i < others; i++) CHECK(gc_buffer_destroy_on_stream(small[i], device->stream));
    if (pool) { /* the pool grows here, if it does */
        CHECK(gc_pool_allocate(pool, 4096 * count, &block));
        CHECK(gc_buffer_destroy(block));
    }
    for (int call = 0; call < CALLS; call++) ns[call] = 0;
    for (size_t i = 0; i < count; i++) {
        const double start = now_ns();
        if (pool) CHECK(gc_pool_allocate_on_stream(pool, device->stream, 4096, &block));
        const double allocated = now_ns();
        CHECK(gc_stream_memset(device->stream, pool ? block : buffer, 0, 0, 4, 1));
        const double used = now_ns();
        if (pool) CHECK(gc_buffer_destroy_on_stream(block, device->stream));
        ns[ALLOCATE] += (allocated - start) / (double)count;
        ns[USE] += (used - allocated) / (double)count;
        ns[FREE] += (now_ns() - used) / (double)count;
    }
    CHECK(gc_stream_end_capture(device->stream, &graph));
    CHECK(gc_graph_destroy(graph));
}

static void bench_pool(const bench_device *device, const gc_buffer *buffer, const bench_options *options) {
    static const struct {
        const char *name;
        int32_t reuse; /* -1 for no pool */
        int others;
    } rows[] = {{"a buffer that is there", -1, 0},
                {"new memory of a pool", GRAPHCAP_POOL_REUSE_NEVER, 0},
                {"memory that is used again", GRAPHCAP_POOL_REUSE_ORDERED, 0},
                {"the same, beside 1000 free blocks", GRAPHCAP_POOL_REUSE_ORDERED, 1000}};
    const size_t count = options->quick ? 200 : 5000;
    printf("\nMemory of pools: ns to allocate it in a capture, to record a memset of it, and to free it behind that;\n");
    printf("each with a look at the clock, as where nothing is allocated and freed\n\n");
    printf("%-36s %9s %9s %9s\n", "", "allocate", "memset", "free");
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        double of_call[CALLS][MAX_ROUNDS];
        gc_pool *pool = NULL;
        gc_pool_options with = GRAPHCAP_POOL_OPTIONS_INIT;
        with.reuse = rows[row].reuse;
        if (with.reuse >= 0) CHECK(gc_pool_create(device->context, &with, &pool));
        for (int round = 0; round < options->rounds; round++) {
            double ns[CALLS];
            run_pool(device, pool, buffer, rows[row].others, count, ns);
            for (int call = 0; call < CALLS; call++) of_call[call][round] = ns[call];
        }
        printf("%-36s %9.1f %9.1f %9.1f\n", rows[row].name, median(of_call[ALLOCATE], options->rounds),
               median(of_call[USE], options->rounds), median(of_call[FREE], options->rounds));
        CHECK(gc_pool_destroy(pool));
    }
}

void bench_capture(const bench_options *options) {
    static const size_t parameter_sizes[] = {8, 4, 8};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, parameter_sizes, 3, NULL, 0};
    bench_device device = open_device(&kernel);
    gc_buffer *buffer;
    CHECK(gc_buffer_allocate(device.context, 1024, &buffer));
    printf("\nCapture: ns per kernel node with three arguments, in a chain\n\n");
    printf("%8s %9s %9s %13s %9s\n", "nodes", "record", "end", "instantiate", "destroy");
    for (size_t nodes = 10; nodes <= (options->quick ? 1000u : 100000u); nodes *= 10) {
        fprintf(stderr, "capture: %zu nodes\n", nodes);
        const size_t wanted = (options->quick ? 2000 : 20000) / nodes, repeats = wanted ? wanted : 1;
        double steps[STEPS][MAX_ROUNDS];
        for (int round = 0; round < options->rounds; round++) {
            double ns[STEPS] = {0};
            for (size_t i = 0; i < repeats; i++) run(&device, buffer, nodes, ns);
            for (int step = 0; step < STEPS; step++) steps[step][round] = ns[step] / (double)(nodes * repeats);
        }
        printf("%8zu %9.1f %9.1f %13.1f %9.1f\n", nodes, median(steps[RECORD], options->rounds),
               median(steps[END], options->rounds), median(steps[INSTANTIATE], options->rounds),
               median(steps[DESTROY], options->rounds));
    }
    bench_pool(&device, buffer, options);
    CHECK(gc_buffer_destroy(buffer));
    close_device(&device);
}
