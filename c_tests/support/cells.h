/* Buffers of known words, of which a test sees that a call restored them. */
#ifndef GRAPHCAP_TESTS_CELLS_H
#define GRAPHCAP_TESTS_CELLS_H

#include "kernels.h"

enum { CELLS = 4, WORDS = 16 };

static inline void open_cells(const struct rig *rig, gc_buffer **cells) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        cells[i] = open_buffer(rig->context, WORDS * 4);
}

static inline void close_cells(gc_buffer **cells) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
}

/* All words of the cells are 11, 22, and so on. */
static inline void set_cells(const struct rig *rig, gc_buffer *const *cells) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_stream_memset(rig->stream, cells[i], 0, 11 * (i + 1), 4, WORDS));
    CHECK_OK(gc_stream_synchronize(rig->stream));
}

static inline void cells_are_as_before(const struct rig *rig, gc_buffer *const *cells) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig->stream, cells[i], 0) == 11 * (i + 1) && read_u32(rig->stream, cells[i], WORDS - 1) == 11 * (i + 1));
}

#endif
