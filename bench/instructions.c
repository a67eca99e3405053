/* graphcap-bench-instructions JOB COUNT: does one job COUNT times on the host device, for callgrind, which counts instructions.
 * Counts do not depend on what else the machine does. instructions.sh runs all jobs, and takes away what start and end cost. */
#include <string.h>

#include "check.h"

const char *const bench_program = "graphcap-bench-instructions";

enum { MOST_NODES = 64, LAUNCHES = 32, LARGE = 1024, BYTES = 32 };

typedef struct {
    gc_context *context;
    gc_stream *stream;
    gc_module *module;
    gc_kernel *kernel;
    gc_buffer *buffer;
} rig;

/* A node that does nothing: what is counted is graphcap's part. */
static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

static void called(void *user_data) {
    (void)user_data;
}

static void launch_kernel(const rig *r) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(r->buffer), GRAPHCAP_ARG_INIT_BUFFER(r->buffer)};
    CHECK(gc_stream_launch_kernel(r->stream, r->kernel, &config, arguments, 2));
}

static gc_graph *record(const rig *r, int nodes, int are_functions) {
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(r->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (int node = 0; node < nodes; node++) {
        if (are_functions) CHECK(gc_stream_launch_host_func(r->stream, called, NULL, NULL));
        else launch_kernel(r);
    }
    CHECK(gc_stream_end_capture(r->stream, &graph));
    return graph;
}

/* The lane does one launch after another, so that it looks for work, and sleeps, as rarely as can be. */
static void replay(const rig *r, int nodes, int are_functions, size_t count) {
    gc_graph *graph = record(r, nodes, are_functions);
    gc_graph_exec *exec;
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    for (size_t done = 0; done < count; done++) {
        CHECK(gc_graph_launch(exec, r->stream));
        if (done % LAUNCHES == LAUNCHES - 1) CHECK(gc_stream_synchronize(r->stream));
    }
    CHECK(gc_stream_synchronize(r->stream));
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_graph_destroy(graph));
}

/* A graph of kernels in a chain, and a copy behind them. */
static gc_graph *record_copying(const rig *r, int nodes) {
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(r->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (int node = 1; node < nodes; node++) launch_kernel(r);
    CHECK(gc_stream_memcpy_dtod(r->stream, r->buffer, BYTES, r->buffer, 0, BYTES));
    CHECK(gc_stream_end_capture(r->stream, &graph));
    return graph;
}

enum edit { SET_COPY, SET_KERNEL, UPDATE, INSTANTIATE };

/* Changes an exec, launches it and waits, again and again. */
static void edit(const rig *r, int nodes, enum edit edit, size_t count) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(r->buffer), GRAPHCAP_ARG_INIT_BUFFER(r->buffer)};
    gc_graph *graphs[2] = {record_copying(r, nodes), record_copying(r, nodes)};
    gc_node *all = allocate((size_t)nodes, sizeof *all);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    gc_graph_exec *exec;
    copy.direction = GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE;
    copy.destination = copy.source = r->buffer;
    copy.destination_offset = copy.size = BYTES;
    CHECK(gc_graph_get_nodes(graphs[0], all, (size_t)nodes, NULL));
    CHECK(gc_graph_instantiate(graphs[0], NULL, &exec));
    for (size_t done = 0; done < count; done++) {
        switch (edit) {
        case SET_COPY: CHECK(gc_graph_exec_set_memcpy_node(exec, all[nodes - 1], &copy)); break;
        case SET_KERNEL: CHECK(gc_graph_exec_set_kernel_node(exec, all[0], r->kernel, &config, arguments, 2)); break;
        case UPDATE: CHECK(gc_graph_exec_update(exec, graphs[(done + 1) % 2], 0, NULL)); break;
        case INSTANTIATE:
            CHECK(gc_graph_exec_destroy(exec));
            CHECK(gc_graph_instantiate(graphs[0], NULL, &exec));
            break;
        }
        CHECK(gc_graph_launch(exec, r->stream));
        CHECK(gc_stream_synchronize(r->stream));
    }
    CHECK(gc_graph_exec_destroy(exec));
    for (int graph = 0; graph < 2; graph++) CHECK(gc_graph_destroy(graphs[graph]));
    free(all);
}

static void look_up(const rig *r, size_t count) {
    size_t size;
    for (size_t done = 0; done < count; done++) CHECK(gc_buffer_size(r->buffer, &size));
}

static void submit(const rig *r, size_t count) {
    for (size_t done = 0; done < count; done++) {
        launch_kernel(r);
        if (done % LAUNCHES == LAUNCHES - 1) CHECK(gc_stream_synchronize(r->stream));
    }
}

static void capture(const rig *r, size_t count) {
    for (size_t done = 0; done < count; done++) CHECK(gc_graph_destroy(record(r, MOST_NODES, 0)));
}

static void launch_1(const rig *r, size_t count) { replay(r, 1, 1, count); }
static void launch_8(const rig *r, size_t count) { replay(r, 8, 1, count); }
static void set_copy(const rig *r, size_t count) { edit(r, LARGE, SET_COPY, count); }
static void set_copy_4(const rig *r, size_t count) { edit(r, 4, SET_COPY, count); }
static void set_kernel_4(const rig *r, size_t count) { edit(r, 4, SET_KERNEL, count); }
static void update(const rig *r, size_t count) { edit(r, LARGE, UPDATE, count); }
static void instantiate(const rig *r, size_t count) { edit(r, LARGE, INSTANTIATE, count); }
static void short_64(const rig *r, size_t count) { replay(r, MOST_NODES, 0, count); }

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(const rig *r, size_t count);
    } jobs[] = {{"look_up", look_up},   {"submit", submit},     {"capture_64", capture},
                {"launch_1", launch_1}, {"launch_8", launch_8}, {"replay_64", short_64},
                {"set_copy", set_copy}, {"set_copy_4", set_copy_4}, {"set_kernel_4", set_kernel_4},
                {"update", update},     {"instantiate", instantiate}};
    static const size_t sizes[] = {sizeof(void *), sizeof(void *)};
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_host_kernel kernel = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    rig r;
    size_t job = 0;
    while (argc == 3 && job < sizeof jobs / sizeof *jobs && strcmp(argv[1], jobs[job].name) != 0) job++;
    if (argc != 3 || job == sizeof jobs / sizeof *jobs) {
        fprintf(stderr,
                "usage: %s JOB COUNT    JOB: look_up, submit, capture_64, launch_1, launch_8, replay_64, set_copy, set_copy_4, set_kernel_4,"
                " update, instantiate\n",
                bench_program);
        return 2;
    }
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    kernel.name = "nothing";
    kernel.function = nothing;
    kernel.parameter_count = 2;
    kernel.parameter_sizes = sizes;
    description.host_kernels = &kernel;
    description.host_kernel_count = 1;
    CHECK(gc_context_create(&options, &r.context));
    CHECK(gc_stream_create(r.context, NULL, &r.stream));
    CHECK(gc_buffer_allocate(r.context, 64, &r.buffer));
    CHECK(gc_module_load(r.context, &description, &r.module));
    CHECK(gc_module_get_kernel(r.module, "nothing", &r.kernel));
    jobs[job].run(&r, strtoul(argv[2], NULL, 10));
    CHECK(gc_kernel_destroy(r.kernel));
    CHECK(gc_module_destroy(r.module));
    CHECK(gc_buffer_destroy(r.buffer));
    CHECK(gc_stream_destroy(r.stream));
    CHECK(gc_context_destroy(r.context));
    return 0;
}
