/* Works of kernels that spin. Node i reads the cells of those it depends on and writes cell i. Each launch states its accesses to the
 * byte, so the order that the cells need is that of the shape. */
#include <string.h>

#include "work.h"

typedef struct {
    gc_buffer *cells, *stamps;
    uint64_t steps;
    bool writes_stamps;
    gc_kernel *kernel;
} spins;

/* Cells that lie one behind another, which a node reads. */
typedef struct {
    size_t first, count;
} run;

enum { CELL = sizeof(uint32_t), STAMPS = 2 * sizeof(uint64_t) };

static uint32_t seed_of(size_t node) {
    return (uint32_t)(node * 2654435761u + 1);
}

/* The cells that a node reads as at most INPUTS runs. */
static void runs_of(const shape *s, size_t node, run runs[INPUTS]) {
    int count = 0;
    memset(runs, 0, INPUTS * sizeof *runs);
    for (size_t edge = s->first[node]; edge < s->first[node + 1]; edge++) {
        const size_t cell = s->predecessors[edge];
        if (count > 0 && runs[count - 1].first + runs[count - 1].count == cell) {
            runs[count - 1].count++;
            continue;
        }
        if (count == INPUTS) {
            fprintf(stderr, "%s: node %zu reads more than %d runs of cells\n", bench_program, node, INPUTS);
            exit(1);
        }
        runs[count++] = (run){cell, 1};
    }
}

/* The bytes of a buffer that a launch touches by an argument. */
static gc_kernel_arg stated(const gc_buffer *buffer, size_t offset, size_t size, uint32_t access) {
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset);
    argument.access = access;
    argument.access_offset = offset;
    argument.access_size = size;
    return argument;
}

static void submit(const work *w, const gc_stream *stream, size_t node) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const spins *s = w->data;
    const void *none = NULL;
    const uint32_t seed = seed_of(node);
    uint32_t counts[INPUTS];
    run runs[INPUTS];
    gc_kernel_arg arguments[PARAMETERS];
    runs_of(&w->shape, node, runs);
    arguments[0] = stated(s->cells, node * CELL, CELL, GRAPHCAP_ACCESS_WRITE);
    for (int i = 0; i < INPUTS; i++) {
        counts[i] = (uint32_t)runs[i].count;
        arguments[1 + i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(none);
        if (counts[i]) arguments[1 + i] = stated(s->cells, runs[i].first * CELL, runs[i].count * CELL, GRAPHCAP_ACCESS_READ);
        arguments[1 + INPUTS + i] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(counts[i]);
    }
    arguments[9] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(seed);
    arguments[10] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(s->steps);
    arguments[11] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(none);
    if (s->writes_stamps) arguments[11] = stated(s->stamps, node * STAMPS, STAMPS, GRAPHCAP_ACCESS_WRITE);
    CHECK(gc_stream_launch_kernel(stream, s->kernel, &one, arguments, PARAMETERS));
}

static void reset(const work *w) {
    const spins *s = w->data;
    CHECK(gc_stream_memset(w->rig->lanes[0], s->cells, 0, 0, 4, w->shape.nodes));
}

static bool is_right(const work *w) {
    const spins *s = w->data;
    const size_t nodes = w->shape.nodes;
    uint32_t *found = allocate(nodes, sizeof *found), *wanted = allocate(nodes, sizeof *wanted);
    bool is_equal = true;
    CHECK(gc_stream_memcpy_dtoh(w->rig->lanes[0], found, s->cells, 0, nodes * CELL));
    CHECK(gc_stream_synchronize(w->rig->lanes[0]));
    for (size_t node = 0; node < nodes; node++) { /* each depends on nodes of smaller numbers */
        wanted[node] = s->kernel == w->rig->idle ? 0 : seed_of(node);
        for (size_t edge = w->shape.first[node]; edge < w->shape.first[node + 1]; edge++)
            wanted[node] = wanted[node] * 31 + wanted[w->shape.predecessors[edge]];
        is_equal &= found[node] == wanted[node];
    }
    free(found);
    free(wanted);
    return is_equal;
}

static void set_stamps(const work *w, bool wanted) {
    ((spins *)w->data)->writes_stamps = wanted;
}

static void read_stamps(const work *w, uint64_t *stamps) {
    const spins *s = w->data;
    CHECK(gc_stream_memcpy_dtoh(w->rig->lanes[0], stamps, s->stamps, 0, w->shape.nodes * STAMPS));
    CHECK(gc_stream_synchronize(w->rig->lanes[0]));
}

static void close_spins(work *w) {
    spins *s = w->data;
    CHECK(gc_buffer_destroy(s->cells));
    CHECK(gc_buffer_destroy(s->stamps));
    free(s);
}

/* A work of kernels of so many microseconds, recorded in the order of their numbers. */
static work make(const rig *r, const char *name, const char *what, shape s, double us) {
    spins *data = allocate(1, sizeof *data);
    work w = {.name = name, .what = what, .shape = s, .rig = r, .data = data, .has_stamps = us > 0.0};
    w.submit = submit, w.reset = reset, w.is_right = is_right;
    w.set_stamps = set_stamps, w.read_stamps = read_stamps, w.close = close_spins;
    w.order = allocate(s.nodes, sizeof *w.order);
    for (size_t i = 0; i < s.nodes; i++) w.order[i] = i;
    data->steps = (uint64_t)(us * 1e3 * r->steps_per_ns);
    data->kernel = us > 0.0 ? r->spin : r->idle;
    CHECK(gc_buffer_allocate(r->context, s.nodes * CELL, &data->cells));
    CHECK(gc_buffer_allocate(r->context, s.nodes * STAMPS, &data->stamps));
    return w;
}

static work attention(const rig *r, size_t heads, size_t layers) {
    work w = make(r, "attention", "attention of 32 heads, 2 layers, kernels of 4 us", shape_attention(heads, layers), 4.0);
    for (size_t place = 0; place < w.shape.nodes; place++) w.order[place] = attention_order(heads, place);
    return w;
}

int works_of_spins(const rig *r, bool quick, work *all) {
    const size_t wide = quick ? 24 : 512;
    int n = 0;
    all[n++] = make(r, "empty", "512 kernels that do nothing", shape_independent(wide), 0.0);
    all[n - 1].most_us = 100.0, all[n - 1].most_launch_us = 15.0;
    all[n++] = make(r, "independent-2us", "512 kernels of 1.8 us", shape_independent(wide), 1.8);
    all[n - 1].most_us = 105.0, all[n - 1].most_launch_us = 15.0;
    all[n++] = make(r, "independent-9us", "512 kernels of 9.1 us", shape_independent(wide), 9.1);
    all[n - 1].most_us = 115.0, all[n - 1].most_launch_us = 15.0;
    all[n++] = make(r, "independent-50us", "512 kernels of 50 us", shape_independent(wide), 50.0);
    all[n++] = make(r, "chains-of-3", "170 chains of 3 kernels of 1.8 us", shape_chains(quick ? 8 : 170, 3), 1.8);
    all[n++] = make(r, "chain", "one true chain of 512 kernels of 1.8 us", shape_chain(wide), 1.8);
    all[n++] = make(r, "chains-of-64", "8 true chains of 64 kernels of 1.8 us", shape_chains(8, quick ? 4 : 64), 1.8);
    all[n++] = make(r, "stencil", "stencil of 32 cells, 16 steps, kernels of 5 us",
                    shape_stencil(quick ? 8 : 32, quick ? 4 : 16), 5.0);
    all[n++] = make(r, "dag-9us", "random DAG of 512 kernels of 9.1 us, recorded in random order", shape_random(wide, 64), 9.1);
    work_shuffle(&all[n - 1]);
    all[n++] = make(r, "dag-50us", "random DAG of 512 kernels of 50 us, recorded in random order", shape_random(wide, 64), 50.0);
    work_shuffle(&all[n - 1]);
    all[n++] = make(r, "tree", "tree of 256 leaves, kernels of 2.8 us", shape_tree(quick ? 16 : 256), 2.8);
    all[n++] = attention(r, quick ? 4 : 32, 2);
    return n;
}
