/* What works have in common: the order in which they are recorded, and their end. */
#include "work.h"

void work_shuffle(work *w) {
    const shape *s = &w->shape;
    size_t *missing = allocate(s->nodes, sizeof *missing), *ready = allocate(s->nodes, sizeof *ready), count = 0;
    uint64_t state = 88172645463325252u;
    for (size_t node = 0; node < s->nodes; node++) {
        missing[node] = s->first[node + 1] - s->first[node];
        if (missing[node] == 0) ready[count++] = node;
    }
    for (size_t place = 0; place < s->nodes; place++) {
        const size_t at = shape_random_number(&state, count), node = ready[at];
        ready[at] = ready[--count];
        w->order[place] = node;
        for (size_t other = node + 1; other < s->nodes; other++) {
            for (size_t edge = s->first[other]; edge < s->first[other + 1]; edge++) {
                if (s->predecessors[edge] == node && --missing[other] == 0) ready[count++] = other;
            }
        }
    }
    free(missing);
    free(ready);
}

void work_close(work *w) {
    w->close(w);
    shape_free(&w->shape);
    free(w->order);
    *w = (work){0};
}
