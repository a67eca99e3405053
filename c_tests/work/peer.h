/* What the tests of copies between contexts share: contexts on up to two devices, each with a stream and a buffer, and
 * buffers that tell when they are given back. */
#ifndef GRAPHCAP_TESTS_PEER_H
#define GRAPHCAP_TESTS_PEER_H

#include "kernels.h"

enum { SPACE = 4096, SIDES = 3 };

struct side {
    gc_context *context;
    gc_stream *stream;
    gc_buffer *buffer;
};

/* Two contexts of one device, and one between them on another, where there is one. */
static struct side sides[SIDES];

/* A context on a device of the kind that is tested; numbers beyond the last one begin again. */
static inline gc_context *open_context_with(uint32_t number, uint32_t flags) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    uint32_t count = 0;
    options.device_kind = tested_device();
    REQUIRE_OK(gc_device_count(options.device_kind, &count));
    options.device_ordinal = number % (count < 2 ? 1 : 2);
    options.flags = flags;
    REQUIRE_OK(gc_context_create(&options, &context));
    return context;
}

static inline gc_context *open_context_on(uint32_t number) {
    return open_context_with(number, 0);
}

static inline void open_side_with(struct side *side, uint32_t number, uint32_t flags) {
    side->context = open_context_with(number, flags);
    side->stream = open_stream(side->context, 0);
    /* Of both kinds of memory. */
    side->buffer = number == 2 ? open_waitable(side->context, SPACE) : open_buffer(side->context, SPACE);
}

static inline void open_side(struct side *side, uint32_t number) {
    open_side_with(side, number, 0);
}

static inline void close_side(struct side *side) {
    CHECK_OK(gc_buffer_destroy(side->buffer));
    CHECK_OK(gc_stream_destroy(side->stream));
    CHECK_OK(gc_context_destroy(side->context));
}

/* What main() begins and ends with. */
static inline void open_sides(void) {
    uint32_t i;
    setenv("GRAPHCAP_HOST_DEVICES", "2", 0);
    for (i = 0; i < SIDES; i++)
        open_side(&sides[i], i);
}

static inline void close_sides(void) {
    int i;
    /* All of them first: each uses the buffers of the others, and would outlive this program otherwise. */
    for (i = 0; i < SIDES; i++)
        CHECK_OK(gc_context_synchronize(sides[i].context));
    for (i = 0; i < SIDES; i++)
        close_side(&sides[i]);
}

static inline void write_side(const struct side *side, const unsigned char *bytes) {
    REQUIRE_OK(gc_stream_memcpy_htod(side->stream, side->buffer, 0, bytes, SPACE));
    REQUIRE_OK(gc_stream_synchronize(side->stream));
}

static inline void read_side(const struct side *side, unsigned char *bytes) {
    REQUIRE_OK(gc_stream_memcpy_dtoh(side->stream, bytes, side->buffer, 0, SPACE));
    REQUIRE_OK(gc_stream_synchronize(side->stream));
}

/* Zero bytes of a context, wrapped there once more: `released` counts when nothing uses the wrapped buffer any more. */
struct lent {
    gc_buffer *owner, *wrapped;
    unsigned released;
};

static inline void lend_memory(struct lent *lent, const struct side *side, size_t bytes) {
    uint64_t address = 0;
    lent->released = 0;
    lent->owner = open_buffer(side->context, bytes);
    REQUIRE_OK(gc_buffer_address(lent->owner, &address));
    REQUIRE_OK(gc_buffer_wrap(side->context, (void *)(uintptr_t)address, bytes, &lent->released, count_call,
                              &lent->wrapped));
}

/* Waits for what a context gives back late on its own, so that what is kept wrongly short shows: a buffer that was lent as
 * the others were, and that nothing keeps, goes. */
static inline void await_witness(const gc_context *borrower, const struct side *lender) {
    gc_stream *stream = open_stream(borrower, GRAPHCAP_STREAM_NON_BLOCKING);
    struct lent witness;
    lend_memory(&witness, lender, 64);
    CHECK_OK(gc_stream_memcpy_peer(stream, witness.wrapped, 0, witness.wrapped, 32, 32));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_buffer_destroy(witness.wrapped));
    CHECK(await_count(&witness.released, 1));
    CHECK_OK(gc_buffer_destroy(witness.owner));
    CHECK_OK(gc_stream_destroy(stream));
}

#endif
