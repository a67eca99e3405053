/* Text: what it costs to draw a graph, to write it, to read it back and to compare it. 10,000 nodes are to take less than a
 * second each. */
#include <string.h>

#include "bench.h"
#include "timing.h"

enum { DOT, JSON, READ, DIFF, STEPS };
enum { LEAST = 100, MOST = 10000 };

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

/* A text of whichever size. */
static char *text_of(const gc_graph *graph, int step, size_t *size) {
    const uint32_t flags = GRAPHCAP_DOT_VERBOSE;
    CHECK(step == DOT ? gc_graph_export_dot(graph, flags, NULL, 0, size) : gc_graph_export_json(graph, NULL, 0, size));
    char *text = allocate(*size, 1);
    CHECK(step == DOT ? gc_graph_export_dot(graph, flags, text, *size, NULL) : gc_graph_export_json(graph, text, *size, NULL));
    return text;
}

/* Adds the ns that each step took to `ns`, and gives the bytes of the JSON text. */
static size_t run(const bench_device *device, const gc_buffer *buffer, const gc_graph *graph, double ns[STEPS]) {
    const gc_graph_binding bindings[] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer),
                                         GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "nothing", device->kernel)};
    size_t size, json_size;
    gc_graph *again;
    double start = now_ns();
    free(text_of(graph, DOT, &size));
    ns[DOT] += (now_ns() - start) / 2; /* it is written twice: for the size, and for the text */
    start = now_ns();
    char *json = text_of(graph, JSON, &json_size);
    ns[JSON] += (now_ns() - start) / 2;
    start = now_ns();
    CHECK(gc_graph_import_json(device->context, json, json_size - 1, bindings, 2, &again));
    ns[READ] += now_ns() - start;
    start = now_ns();
    CHECK(gc_graph_diff(graph, again, NULL, 0, &size));
    ns[DIFF] += now_ns() - start;
    if (size != 1) {
        fprintf(stderr, "%s: the graph that was read back differs\n", bench_program);
        exit(1);
    }
    CHECK(gc_graph_destroy(again));
    free(json);
    return json_size;
}

void bench_text(const bench_options *options) {
    static const size_t parameter_sizes[] = {8, 4, 8};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, parameter_sizes, 3, NULL, 0};
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const uint32_t length = 256;
    const size_t most = options->quick ? LEAST : MOST;
    bench_device device = open_device(&kernel);
    gc_buffer *buffer;
    CHECK(gc_buffer_allocate(device.context, 1024, &buffer));
    CHECK(gc_set_name(buffer, "words"));
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(length),
                                       GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, 512)};
    printf("\nText: ms for a chain of kernel nodes with three arguments\n\n");
    printf("%8s %9s %9s %9s %9s %12s\n", "nodes", "DOT", "JSON", "import", "diff", "JSON bytes");
    for (size_t nodes = LEAST; nodes <= most; nodes *= 10) {
        fprintf(stderr, "text: %zu nodes\n", nodes);
        gc_graph *graph;
        gc_node last = 0;
        CHECK(gc_graph_create(device.context, &graph));
        for (size_t i = 0; i < nodes; i++) {
            const gc_node before = last;
            CHECK(gc_graph_add_kernel_node(graph, &before, i ? 1 : 0, device.kernel, &one, arguments, 3, &last));
        }
        double steps[STEPS][MAX_ROUNDS], medians[STEPS];
        size_t size = 0;
        for (int round = 0; round < options->rounds; round++) {
            double ns[STEPS] = {0};
            size = run(&device, buffer, graph, ns);
            for (int step = 0; step < STEPS; step++) steps[step][round] = ns[step] / 1e6;
        }
        for (int step = 0; step < STEPS; step++) medians[step] = median(steps[step], options->rounds);
        printf("%8zu %9.2f %9.2f %9.2f %9.2f %12zu\n", nodes, medians[DOT], medians[JSON], medians[READ], medians[DIFF], size);
        CHECK(gc_graph_destroy(graph));
    }
    CHECK(gc_buffer_destroy(buffer));
    close_device(&device);
}
