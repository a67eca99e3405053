/* Builds the shapes of graphs that the tables measure. */
#include "shape.h"

#include "bench.h"

static shape make(size_t nodes, size_t most_edges) {
    shape s = {.nodes = nodes};
    s.first = allocate(nodes + 1, sizeof *s.first);
    s.predecessors = allocate(most_edges, sizeof *s.predecessors);
    return s;
}

static void depend_on(shape *s, size_t predecessor) {
    s->predecessors[s->edges++] = (uint32_t)predecessor;
}

shape shape_chain(size_t nodes) {
    shape s = make(nodes, nodes);
    for (size_t node = 0; node < nodes; node++) {
        if (node > 0) depend_on(&s, node - 1);
        s.first[node + 1] = s.edges;
    }
    return s;
}

shape shape_fan(size_t nodes) {
    shape s = make(nodes, 2 * nodes);
    for (size_t node = 0; node < nodes; node++) {
        if (node + 1 == nodes) {
            for (size_t leaf = 1; leaf < node; leaf++) depend_on(&s, leaf);
        } else if (node > 0) {
            depend_on(&s, 0);
        }
        s.first[node + 1] = s.edges;
    }
    return s;
}

/* Marsaglia's xorshift: the same numbers everywhere. */
size_t shape_random_number(uint64_t *state, size_t below) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (size_t)(*state % below);
}

shape shape_random(size_t nodes, size_t window) {
    shape s = make(nodes, 3 * nodes);
    uint64_t state = 88172645463325252u;
    for (size_t node = 0; node < nodes; node++) {
        const size_t reach = node < window ? node : window, wanted = node ? 1 + shape_random_number(&state, 3) : 0;
        for (size_t i = 0; i < wanted; i++) {
            const size_t candidate = node - 1 - shape_random_number(&state, reach);
            bool known = false;
            for (size_t edge = s.first[node]; edge < s.edges; edge++) known |= s.predecessors[edge] == candidate;
            if (!known) depend_on(&s, candidate);
        }
        s.first[node + 1] = s.edges;
    }
    return s;
}

shape shape_independent(size_t nodes) {
    return make(nodes, 0);
}

shape shape_chains(size_t chains, size_t length) {
    shape s = make(chains * length, chains * length);
    for (size_t node = 0; node < s.nodes; node++) {
        if (node % length > 0) depend_on(&s, node - 1);
        s.first[node + 1] = s.edges;
    }
    return s;
}

shape shape_stencil(size_t width, size_t steps) {
    shape s = make(width * steps, 3 * width * steps);
    for (size_t node = 0; node < s.nodes; node++) {
        const size_t place = node % width;
        if (node >= width) {
            if (place > 0) depend_on(&s, node - width - 1);
            depend_on(&s, node - width);
            if (place + 1 < width) depend_on(&s, node - width + 1);
        }
        s.first[node + 1] = s.edges;
    }
    return s;
}

shape shape_tree(size_t leaves) {
    shape s = make(2 * leaves - 1, 2 * leaves);
    for (size_t node = 0; node < s.nodes; node++) {
        if (node >= leaves) { /* the next two that nobody has taken */
            depend_on(&s, 2 * (node - leaves));
            depend_on(&s, 2 * (node - leaves) + 1);
        }
        s.first[node + 1] = s.edges;
    }
    return s;
}

shape shape_attention(size_t heads, size_t layers) {
    enum { Q, K, V, SCORES, SOFTMAX, OUTPUT };
    const size_t size = ATTENTION_KINDS * heads + 1;
    shape s = make(layers * size, layers * 9 * heads);
    for (size_t node = 0; node < s.nodes; node++) {
        const size_t layer = node / size, kind = node % size / heads, head = node % size % heads, first = layer * size;
        if (kind == ATTENTION_KINDS) {
            for (size_t i = 0; i < heads; i++) depend_on(&s, first + OUTPUT * heads + i);
        } else if (kind <= V) {
            if (layer > 0) depend_on(&s, first - 1);
        } else {
            depend_on(&s, first + (kind == SCORES ? Q : kind == SOFTMAX ? SCORES : V) * heads + head);
            if (kind == SCORES) depend_on(&s, first + K * heads + head);
            if (kind == OUTPUT) depend_on(&s, first + SOFTMAX * heads + head);
        }
        s.first[node + 1] = s.edges;
    }
    return s;
}

size_t attention_order(size_t heads, size_t place) {
    const size_t size = ATTENTION_KINDS * heads + 1, layer = place / size, within = place % size;
    if (within == size - 1) return place;
    return layer * size + within % ATTENTION_KINDS * heads + within / ATTENTION_KINDS;
}

void shape_free(shape *s) {
    free(s->first);
    free(s->predecessors);
    *s = (shape){0};
}

size_t shape_depth(const shape *s) {
    size_t *depth = allocate(s->nodes, sizeof *depth), deepest = 0;
    for (size_t node = 0; node < s->nodes; node++) {
        for (size_t edge = s->first[node]; edge < s->first[node + 1]; edge++) {
            if (depth[s->predecessors[edge]] > depth[node]) depth[node] = depth[s->predecessors[edge]];
        }
        depth[node]++;
        if (depth[node] > deepest) deepest = depth[node];
    }
    free(depth);
    return deepest;
}
