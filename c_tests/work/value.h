/* What the tests of value operations share: slots of memory, and two streams that work on them. */
#ifndef GRAPHCAP_TESTS_VALUE_H
#define GRAPHCAP_TESTS_VALUE_H

#include "kernels.h"

enum { SLOTS = 64 };

static struct rig rig;
/* Two streams that nothing orders; what is held is on the first. */
static gc_stream *a, *b;
/* Slots of 8 bytes each. */
static gc_buffer *slots;

static inline gc_status write_value(const gc_stream *stream, unsigned slot, int bits, uint64_t value) {
    if (bits == 32)
        return gc_stream_write_value32(stream, slots, slot * 8, (uint32_t)value, GRAPHCAP_WRITE_VALUE_DEFAULT);
    return gc_stream_write_value64(stream, slots, slot * 8, value, GRAPHCAP_WRITE_VALUE_DEFAULT);
}

static inline gc_status wait_value(const gc_stream *stream, unsigned slot, int bits, uint64_t value, uint32_t flags) {
    if (bits == 32)
        return gc_stream_wait_value32(stream, slots, slot * 8, (uint32_t)value, flags);
    return gc_stream_wait_value64(stream, slots, slot * 8, value, flags);
}

/* What a slot holds once `stream` is there. */
static inline uint64_t read_slot(const gc_stream *stream, unsigned slot) {
    uint64_t value = 0;
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &value, slots, slot * 8, sizeof value));
    CHECK_OK(gc_stream_synchronize(stream));
    return value;
}

static inline void clear_slots(void) {
    CHECK_OK(gc_stream_memset(b, slots, 0, 0, 4, SLOTS * 2));
    CHECK_OK(gc_stream_synchronize(b));
}

static inline int is_complete(const gc_stream *stream) {
    int32_t complete = -1;
    CHECK_OK(gc_stream_is_complete(stream, &complete));
    return complete;
}

static inline int is_event_complete(const gc_event *event) {
    int32_t complete = -1;
    CHECK_OK(gc_event_is_complete(event, &complete));
    return complete;
}

static inline void slots_open(void) {
    rig_open(&rig);
    a = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    b = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    slots = open_waitable(rig.context, SLOTS * 8);
}

static inline void slots_close(void) {
    CHECK_OK(gc_buffer_destroy(slots));
    CHECK_OK(gc_stream_destroy(b));
    CHECK_OK(gc_stream_destroy(a));
    rig_close(&rig);
}

#endif
