/* Shapes of graphs as data: which earlier nodes each node depends on. graphcap and oneTBB build from the same. */
#ifndef BENCH_SHAPE_H
#define BENCH_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    size_t nodes, edges;
    size_t *first;          /* node i depends on predecessors[first[i]] up to predecessors[first[i + 1] - 1] */
    uint32_t *predecessors; /* always smaller than the node's own number, and distinct */
} shape;

shape shape_chain(size_t nodes);
/* One root, nodes - 2 leaves, one join. */
shape shape_fan(size_t nodes);
/* Node 0 is the root; each other node depends on 1 to 3 random ones of the `window` before it. Always the same. */
shape shape_random(size_t nodes, size_t window);
/* No edges. */
shape shape_independent(size_t nodes);
/* Chains side by side, one numbered after another. */
shape shape_chains(size_t chains, size_t length);
/* Each node of a step depends on its like of the step before, and on the neighbours of that. */
shape shape_stencil(size_t width, size_t steps);
/* A power of two of leaves; each further node depends on two, up to one root. */
shape shape_tree(size_t leaves);
/* Layers of attention: each head has projections q, k and v, scores of q and k, a softmax of these, and an output of that and v;
 * a join of all heads ends the layer. Numbered by kind and head; attention_order has them head by head. */
shape shape_attention(size_t heads, size_t layers);
enum { ATTENTION_KINDS = 6 };
/* The node that is written in the place `place` where each head is written as a whole. */
size_t attention_order(size_t heads, size_t place);
void shape_free(shape *s);

/* A number below `below`, which is not 0; `state` begins as any number but 0. */
size_t shape_random_number(uint64_t *state, size_t below);

/* Nodes on the longest path. */
size_t shape_depth(const shape *s);

#ifdef __cplusplus
}
#endif

#endif
