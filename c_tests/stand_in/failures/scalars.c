/* Each call of the driver fails once: scalars are made, updated between replays, read, and decide about a conditional. */
#include "failures.h"

static void see(struct program *it, const gc_scalar *scalar) {
    gc_buffer *buffer = NULL;
    size_t offset = 0;
    STEP(gc_scalar_buffer(scalar, &buffer, &offset));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_memcpy_dtod(it->stream, it->copy, 0, buffer, offset, 4));
    STEP(gc_stream_end_capture(it->stream, &it->graph));
    STEP(gc_graph_instantiate(it->graph, NULL, &it->exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void use_scalars(struct program *it) {
    static const uint32_t types[] = {GRAPHCAP_SCALAR_F32, GRAPHCAP_SCALAR_U64};
    float rate = 0.5f;
    uint64_t seed = 7, seen = 0;
    uint32_t number = 1;
    const void *values[2];
    gc_scalar *one = NULL, *block[2] = {NULL, NULL};
    const gc_scalar *both[2];
    values[0] = &rate;
    values[1] = &seed;
    STEP(gc_scalar_create(it->stream, GRAPHCAP_SCALAR_U32, &number, &one));
    STEP(gc_scalar_create_block(it->stream, types, values, 2, block));
    both[0] = block[0];
    both[1] = block[1];
    see(it, one);
    STEP(gc_graph_launch(it->exec, it->stream));
    number = 2;
    STEP(gc_scalar_update(one, it->stream, GRAPHCAP_SCALAR_U32, &number));
    STEP(gc_graph_launch(it->exec, it->stream));
    STEP(gc_stream_memcpy_dtoh(it->stream, it->words, it->copy, 0, 4));
    seed = UINT64_C(0x123456789);
    STEP(gc_scalar_update_many(it->stream, both, types, values, 2));
    STEP(gc_scalar_read(block[1], it->stream, GRAPHCAP_SCALAR_U64, &seen));
    CHECK(has_failed || (seen == seed && it->words[0] == 2));
    /* Two more: what the one that failed may still write is not used again. */
    seen = 0;
    STEP(gc_scalar_read(block[1], it->stream, GRAPHCAP_SCALAR_U64, &seen));
    CHECK(has_failed || seen == seed);
    STEP(gc_scalar_read(block[0], it->special, GRAPHCAP_SCALAR_F32, &rate));
    CHECK(has_failed || rate == 0.5f);
    CHECK_OK(gc_scalar_destroy(one));
    CHECK_OK(gc_scalar_destroy(block[0]));
    CHECK_OK(gc_scalar_destroy(block[1]));
}

static void prepare(struct program *it) {
    make_objects(it);
    make_shared_streams(it);
}

int main(void) {
    static const struct subject scalars = {prepare, use_scalars, give_back, 30, 30};
    return fail_calls_of(&scalars);
}
