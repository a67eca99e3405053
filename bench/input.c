/* Input: what it costs to give a replay an input of its own, by each of the ways in docs/input-per-request.md. Each figure is the time
 * of the way, a launch and the wait for it; the replay beside it is a launch and the wait alone. */
#include <string.h>

#include "bench.h"
#include "timing.h"

enum { REPLAY, SCALAR, COPY, SNAPSHOT, STAGING, SET_NODE, SET_NODES, REPLACE, UPDATE, WAYS };
enum { READERS = 16, MOST_NODES = 256, MOST_BYTES = 1 << 20, WORD = 4 };

typedef struct {
    const bench_device *device;
    size_t bytes, nodes;
    gc_buffer *inputs[2]; /* requests that are in buffers already */
    gc_buffer *weights;
    unsigned char *request, *pinned;
    gc_host_buffer *staging;
    gc_scalar *scalar;
    gc_graph *graphs[2];      /* alike, one of each buffer */
    gc_graph *staged;         /* begins with the copy from the staging buffer */
    gc_node kernels[READERS]; /* those of the first graph that read the input */
    gc_graph_exec *exec, *staged_exec;
} subject;

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

/* A chain of kernels, of which the first ones read the input. */
static gc_graph *record(const subject *s, const gc_buffer *input, bool is_staged) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(s->device->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    if (is_staged) CHECK(gc_stream_memcpy_htod(s->device->stream, input, 0, s->pinned, s->bytes));
    for (size_t i = 0; i < s->nodes; i++) {
        const gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(i < READERS ? input : s->weights);
        CHECK(gc_stream_launch_kernel(s->device->stream, s->device->kernel, &one, &argument, 1));
    }
    CHECK(gc_stream_end_capture(s->device->stream, &graph));
    return graph;
}

/* Has kernels read the input from a buffer. */
static void set(const subject *s, const gc_buffer *input, size_t count) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(input);
    gc_work works[READERS], work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = s->device->kernel;
    work.config = &one;
    work.arguments = &argument;
    work.argument_count = 1;
    for (size_t i = 0; i < count; i++) works[i] = work;
    if (count == 1) CHECK(gc_graph_exec_set_node(s->exec, s->kernels[0], works));
    else CHECK(gc_graph_exec_set_nodes(s->exec, s->kernels, works, count, NULL));
}

static void copy(const subject *s, uint32_t flags) {
    gc_memcpy_params params = GRAPHCAP_MEMCPY_INIT_HTOD(s->inputs[0], 0, s->request, s->bytes);
    params.flags = flags;
    CHECK(gc_stream_memcpy(s->device->stream, &params));
}

/* Gives `count` requests to replays; returns the ns that one took. */
static double run(const subject *s, int way, uint32_t count) {
    const double start = now_ns();
    for (uint32_t i = 0; i < count; i++) {
        size_t changed;
        switch (way) {
        case SCALAR: CHECK(gc_scalar_update(s->scalar, s->device->stream, GRAPHCAP_SCALAR_U32, &i)); break;
        case COPY: copy(s, 0); break;
        case SNAPSHOT: copy(s, GRAPHCAP_MEMCPY_SNAPSHOT); break;
        case STAGING: memcpy(s->pinned, s->request, s->bytes); break;
        case SET_NODE: set(s, s->inputs[i % 2], 1); break;
        case SET_NODES: set(s, s->inputs[i % 2], READERS); break;
        case REPLACE: CHECK(gc_graph_exec_replace_buffer(s->exec, s->inputs[i % 2], s->inputs[1 - i % 2], &changed)); break;
        case UPDATE: CHECK(gc_graph_exec_update(s->exec, s->graphs[i % 2], 0, NULL)); break;
        default: break;
        }
        CHECK(gc_graph_launch(way == STAGING ? s->staged_exec : s->exec, s->device->stream));
        CHECK(gc_stream_synchronize(s->device->stream));
    }
    return (now_ns() - start) / count;
}

/* Whether the way is measured with an input of the size: some move no bytes, and a scalar is small. */
static bool is_of_size(const subject *s, int way) {
    return s->bytes == WORD || way == REPLAY || way == COPY || way == SNAPSHOT || way == STAGING;
}

static void prepare(subject *s) {
    gc_node nodes[MOST_NODES];
    size_t count;
    for (int i = 0; i < 2; i++) s->graphs[i] = record(s, s->inputs[i], false);
    s->staged = record(s, s->inputs[0], true);
    CHECK(gc_graph_instantiate(s->graphs[0], NULL, &s->exec));
    CHECK(gc_graph_instantiate(s->staged, NULL, &s->staged_exec));
    CHECK(gc_graph_get_nodes(s->graphs[0], nodes, MOST_NODES, &count));
    memcpy(s->kernels, nodes, sizeof s->kernels);
}

static void measure(subject *s, const bench_options *options) {
    static const char *const names[] = {"replay", "scalar", "copy", "snapshot", "staging", "set 1", "set 16", "replace", "update"};
    double ns[WAYS][MAX_ROUNDS];
    const uint32_t count = options->quick ? 20 : (uint32_t)(60000 / (s->nodes + 100));
    prepare(s);
    for (int round = 0; round < options->rounds; round++) {
        for (int way = 0; way < WAYS; way++) {
            if (!is_of_size(s, way)) continue;
            /* To replace swaps the buffers of the exec, which begins with the first one. */
            CHECK(gc_graph_exec_update(s->exec, s->graphs[0], 0, NULL));
            ns[way][round] = run(s, way, count);
        }
    }
    printf("%6zu %8zu", s->nodes, s->bytes);
    for (int way = 0; way < WAYS; way++) {
        const int width = (int)strlen(names[way]) + 2;
        if (is_of_size(s, way)) printf(" %*.2f", width, median(ns[way], options->rounds) / 1000);
        else printf(" %*s", width, "");
    }
    printf("\n");
    CHECK(gc_graph_exec_destroy(s->staged_exec));
    CHECK(gc_graph_exec_destroy(s->exec));
    CHECK(gc_graph_destroy(s->staged));
    for (int i = 0; i < 2; i++) CHECK(gc_graph_destroy(s->graphs[i]));
}

void bench_input(const bench_options *options) {
    static const size_t size = 8, nodes[] = {16, 256}, bytes[] = {WORD, 1 << 14, MOST_BYTES};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, &size, 1, NULL, 0};
    const uint32_t zero = 0;
    bench_device device = open_device(&kernel);
    subject s = {.device = &device};
    void *pinned;
    for (int i = 0; i < 2; i++) CHECK(gc_buffer_allocate(device.context, MOST_BYTES, &s.inputs[i]));
    CHECK(gc_buffer_allocate(device.context, 256, &s.weights));
    CHECK(gc_host_buffer_allocate(device.context, MOST_BYTES, 0, &s.staging));
    CHECK(gc_host_buffer_pointer(s.staging, &pinned));
    CHECK(gc_scalar_create(device.stream, GRAPHCAP_SCALAR_U32, &zero, &s.scalar));
    s.pinned = pinned;
    s.request = calloc(MOST_BYTES, 1);
    printf("\nInput: us for an input of a replay's own, the launch and the wait for it; 16 short kernels read the input\n\n");
    printf("%6s %8s   replay   scalar   copy   snapshot   staging   set 1   set 16   replace   update\n", "nodes", "bytes");
    for (int n = 0; n < 2; n++) {
        for (int b = 0; b < 3; b++) {
            fprintf(stderr, "input: %zu nodes, %zu bytes\n", nodes[n], bytes[b]);
            s.nodes = nodes[n];
            s.bytes = bytes[b];
            measure(&s, options);
        }
    }
    free(s.request);
    CHECK(gc_scalar_destroy(s.scalar));
    CHECK(gc_host_buffer_destroy(s.staging));
    CHECK(gc_buffer_destroy(s.weights));
    for (int i = 0; i < 2; i++) CHECK(gc_buffer_destroy(s.inputs[i]));
    close_device(&device);
}
