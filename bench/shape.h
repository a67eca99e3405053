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
void shape_free(shape *s);

/* Nodes on the longest path. */
size_t shape_depth(const shape *s);

#ifdef __cplusplus
}
#endif

#endif
