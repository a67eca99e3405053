/* Edit: what it costs to change what an exec does between two launches. Each figure is the time of a change, a launch and the wait
 * for it; the replay beside it is a launch and the wait alone. */
#include "bench.h"
#include "timing.h"

enum { REPLAY, SET_COPY, SET_KERNEL, ENABLE, UPDATE, EAGER, WAYS };
enum { SMALL = 4, LARGE = 1024, BRANCHES = 16, BYTES = 64 };

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

typedef struct {
    const bench_device *device;
    const gc_buffer *memory;
    gc_kernel_arg arguments[3];
    gc_graph *graphs[2]; /* alike; the exec is of the first, and updated by each in turn */
    gc_node copy, kernel;
    gc_node kernels[LARGE]; /* all kernels of the graph that the exec is of */
    gc_graph_exec *exec;
    size_t nodes;
} subject;

static gc_memcpy_params copy_to(const subject *s, size_t offset) {
    gc_memcpy_params params = GRAPHCAP_MEMCPY_PARAMS_INIT;
    params.direction = GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE;
    params.destination = s->memory;
    params.destination_offset = offset;
    params.source = s->memory;
    params.size = BYTES;
    return params;
}

/* One copy and kernels, in chains behind each other's heads. */
static gc_graph *build(subject *s, size_t branches) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_memcpy_params params = copy_to(s, BYTES);
    gc_graph *graph;
    gc_node last[BRANCHES];
    CHECK(gc_graph_create(s->device->context, &graph));
    CHECK(gc_graph_add_memcpy_node(graph, NULL, 0, &params, &s->copy));
    for (size_t branch = 0; branch < branches; branch++) last[branch] = s->copy;
    for (size_t i = 1; i < s->nodes; i++) {
        gc_node *before = &last[i % branches];
        CHECK(gc_graph_add_kernel_node(graph, before, 1, s->device->kernel, &one, s->arguments, 3, before));
        if (i == s->nodes / 2) s->kernel = *before;
        s->kernels[i - 1] = *before;
    }
    return graph;
}

static void submit(const subject *s) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    CHECK(gc_stream_memcpy_dtod(s->device->stream, s->memory, BYTES, s->memory, 0, BYTES));
    for (size_t i = 1; i < s->nodes; i++) {
        CHECK(gc_stream_launch_kernel(s->device->stream, s->device->kernel, &one, s->arguments, 3));
    }
}

/* Does one thing `count` times; gives the ns that one took. */
static double run(subject *s, int way, size_t count) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_memcpy_params copies[] = {copy_to(s, BYTES), copy_to(s, 2 * BYTES)};
    const double start = now_ns();
    for (size_t i = 0; i < count; i++) {
        switch (way) {
        case SET_COPY: CHECK(gc_graph_exec_set_memcpy_node(s->exec, s->copy, &copies[i % 2])); break;
        case SET_KERNEL: CHECK(gc_graph_exec_set_kernel_node(s->exec, s->kernel, s->device->kernel, &one, s->arguments, 3)); break;
        case ENABLE: CHECK(gc_graph_exec_set_node_enabled(s->exec, s->kernel, (int32_t)(i % 2))); break;
        case UPDATE: CHECK(gc_graph_exec_update(s->exec, s->graphs[i % 2], 0, NULL)); break;
        default: break;
        }
        if (way == EAGER) submit(s);
        else CHECK(gc_graph_launch(s->exec, s->device->stream));
        CHECK(gc_stream_synchronize(s->device->stream));
    }
    return (now_ns() - start) / (double)count;
}

/* The ns of an exec's making, launch and end. */
static double instantiate(const subject *s, size_t count) {
    const double start = now_ns();
    for (size_t i = 0; i < count; i++) {
        gc_graph_exec *exec;
        CHECK(gc_graph_instantiate(s->graphs[0], NULL, &exec));
        CHECK(gc_graph_launch(exec, s->device->stream));
        CHECK(gc_stream_synchronize(s->device->stream));
        CHECK(gc_graph_exec_destroy(exec));
    }
    return (now_ns() - start) / (double)count;
}

/* The ns of one of many sets between two launches. */
static double set_many(const subject *s, size_t count) {
    const gc_memcpy_params copies[] = {copy_to(s, BYTES), copy_to(s, 2 * BYTES)};
    const double start = now_ns();
    for (size_t i = 0; i < count; i++) CHECK(gc_graph_exec_set_memcpy_node(s->exec, s->copy, &copies[i % 2]));
    const double took = now_ns() - start;
    CHECK(gc_graph_launch(s->exec, s->device->stream));
    CHECK(gc_stream_synchronize(s->device->stream));
    return took / (double)count;
}

/* The ns of one of the sets of all kernels by one call between two launches. */
static double set_together(const subject *s) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    static gc_work works[LARGE];
    const size_t count = s->nodes - 1;
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = s->device->kernel;
    work.config = &one;
    work.arguments = s->arguments;
    work.argument_count = 3;
    for (size_t i = 0; i < count; i++) works[i] = work;
    const double start = now_ns();
    CHECK(gc_graph_exec_set_nodes(s->exec, s->kernels, works, count, NULL));
    const double took = now_ns() - start;
    CHECK(gc_graph_launch(s->exec, s->device->stream));
    CHECK(gc_stream_synchronize(s->device->stream));
    return took / (double)count;
}

static void measure(subject *s, size_t branches, const bench_options *options) {
    double ways[WAYS][MAX_ROUNDS], anew[MAX_ROUNDS], many[MAX_ROUNDS], together[MAX_ROUNDS], us[WAYS];
    const size_t count = (options->quick ? 20000 : 400000) / (s->nodes + 100);
    for (int i = 0; i < 2; i++) s->graphs[1 - i] = build(s, branches);
    CHECK(gc_graph_instantiate(s->graphs[0], NULL, &s->exec));
    for (int round = 0; round < options->rounds; round++) {
        for (int way = 0; way < WAYS; way++) ways[way][round] = run(s, way, count);
        anew[round] = instantiate(s, count / 8 + 1);
        many[round] = set_many(s, LARGE);
        together[round] = set_together(s);
    }
    for (int way = 0; way < WAYS; way++) us[way] = median(ways[way], options->rounds) / 1000;
    printf("%6zu %9zu %8.2f %9.2f %11.2f %8.2f %8.2f %13.2f %8.2f %9.0f %8.0f\n", s->nodes, branches, us[REPLAY], us[SET_COPY],
           us[SET_KERNEL], us[ENABLE], us[UPDATE], median(anew, options->rounds) / 1000, us[EAGER], median(many, options->rounds),
           median(together, options->rounds));
    printf("%6s %9s %8.2f %9.2f %11.2f %8.2f %8.2f %13.2f %8.2f   times a replay\n", "", "", 1.0, us[SET_COPY] / us[REPLAY],
           us[SET_KERNEL] / us[REPLAY], us[ENABLE] / us[REPLAY], us[UPDATE] / us[REPLAY],
           median(anew, options->rounds) / 1000 / us[REPLAY], us[EAGER] / us[REPLAY]);
    CHECK(gc_graph_exec_destroy(s->exec));
    for (int i = 0; i < 2; i++) CHECK(gc_graph_destroy(s->graphs[i]));
}

void bench_edit(const bench_options *options) {
    static const size_t parameter_sizes[] = {8, 4, 8};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, parameter_sizes, 3, NULL, 0};
    const uint32_t length = 256;
    const double factor = 2.0;
    bench_device device = open_device(&kernel);
    gc_buffer *buffer;
    CHECK(gc_buffer_allocate(device.context, 1024, &buffer));
    const subject rig = {.device = &device,
                         .memory = buffer,
                         .arguments = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(length), GRAPHCAP_ARG_INIT_VALUE(factor)}};
    static const size_t nodes[] = {SMALL, LARGE, LARGE}, branches[] = {1, 1, BRANCHES};
    printf("\nEdit: us for a change of an exec of short kernels and a copy, a launch and the wait for it; ns for one of %d sets of\n"
           "the copy, and for one of the sets of all kernels at once, by one call\n\n",
           LARGE);
    printf("%6s %9s %8s %9s %11s %8s %8s %13s %8s %9s %8s\n", "nodes", "branches", "replay", "set copy", "set kernel", "enable", "update",
           "instantiate", "eager", "many sets", "at once");
    for (int i = 0; i < 3; i++) {
        subject s = rig;
        fprintf(stderr, "edit: %zu nodes in %zu branches\n", nodes[i], branches[i]);
        s.nodes = nodes[i];
        measure(&s, branches[i], options);
    }
    CHECK(gc_buffer_destroy(buffer));
    close_device(&device);
}
