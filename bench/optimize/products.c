/* 64 experts: products of matrices by graphcap's own ops, one after another as a script has them. */
#include <string.h>

#include "work.h"

/* As cuBLAS takes before Hopper: 64 of the usual size there would be 2 GiB. */
enum { EXPERTS = 64, OWN_BYTES = 4 << 20 };

typedef struct {
    size_t rows, width;
    uint64_t workspace_bytes;
    gc_buffer *in[EXPERTS], *weights[EXPERTS], *out[EXPERTS];
    gc_script *scripts[EXPERTS];
} products;

/* Of few bits, so that sums of products are exact in any order. */
static float value_of(size_t expert) {
    return 0.25f + (float)expert / 64.0f;
}

static void fill(const rig *r, const gc_buffer *buffer, float value, size_t count) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    CHECK(gc_stream_memset(r->lanes[0], buffer, 0, bits, 4, count));
}

static void submit(const work *w, const gc_stream *stream, size_t node) {
    const products *p = w->data;
    CHECK(gc_script_submit(p->scripts[node], stream, NULL));
}

static void reset(const work *w) {
    const products *p = w->data;
    for (int i = 0; i < EXPERTS; i++) fill(w->rig, p->out[i], 0.0f, p->rows * p->width);
}

static bool is_right(const work *w) {
    const products *p = w->data;
    const size_t count = p->rows * p->width;
    float *found = allocate(count, sizeof *found);
    bool is_equal = true;
    for (size_t i = 0; i < EXPERTS; i++) {
        CHECK(gc_stream_memcpy_dtoh(w->rig->lanes[0], found, p->out[i], 0, count * sizeof *found));
        CHECK(gc_stream_synchronize(w->rig->lanes[0]));
        for (size_t k = 0; k < count; k++) is_equal &= found[k] == 0.5f * value_of(i) * (float)p->width;
    }
    free(found);
    return is_equal;
}

static void close_products(work *w) {
    products *p = w->data;
    for (int i = 0; i < EXPERTS; i++) {
        CHECK(gc_script_destroy(p->scripts[i]));
        CHECK(gc_buffer_destroy(p->in[i]));
        CHECK(gc_buffer_destroy(p->weights[i]));
        CHECK(gc_buffer_destroy(p->out[i]));
    }
    free(p);
}

static void make_expert(const rig *r, products *p, size_t i) {
    gc_work op = GRAPHCAP_WORK_INIT;
    gc_sgemm_params product = GRAPHCAP_SGEMM_PARAMS_INIT;
    const size_t small = p->rows * p->width, large = p->width * p->width;
    CHECK(gc_buffer_allocate(r->context, small * sizeof(float), &p->in[i]));
    CHECK(gc_buffer_allocate(r->context, large * sizeof(float), &p->weights[i]));
    CHECK(gc_buffer_allocate(r->context, small * sizeof(float), &p->out[i]));
    fill(r, p->in[i], value_of(i), small);
    fill(r, p->weights[i], 0.5f, large);
    product.m = p->rows, product.n = p->width, product.k = p->width;
    product.a = p->in[i], product.b = p->weights[i], product.c = p->out[i];
    product.alpha = 1.0f;
    product.workspace_bytes = p->workspace_bytes;
    op.kind = GRAPHCAP_WORK_SGEMM;
    op.sgemm_params = &product;
    CHECK(gc_script_create(r->context, &p->scripts[i]));
    CHECK(gc_script_push(p->scripts[i], &op));
}

bool work_of_products(const rig *r, bool quick, bool own, work *w) {
    products *p = allocate(1, sizeof *p);
    char why[1024];
    *p = (products){.rows = 16, .width = quick ? 128 : 1024, .workspace_bytes = own ? OWN_BYTES : 0};
    *w = (work){.name = "experts", .what = "64 experts: sgemm of 16 x 1024 x 1024 by graphcap's op", .rig = r, .data = p};
    if (own) {
        w->name = "experts_own";
        w->what = "64 experts: the same, each product with a workspace of its own";
    }
    w->flags = GRAPHCAP_OPTIMIZE_TRUST_PARAMETERS;
    w->submit = submit, w->reset = reset, w->is_right = is_right, w->close = close_products;
    w->shape = shape_independent(EXPERTS);
    w->order = allocate(EXPERTS, sizeof *w->order);
    for (size_t i = 0; i < EXPERTS; i++) {
        w->order[i] = i;
        make_expert(r, p, i);
        if (gc_script_prepare(p->scripts[i], NULL) == GRAPHCAP_SUCCESS) continue;
        gc_last_error_message(why, sizeof why, NULL);
        printf("\n%s: skipped: %s\n", w->what, why);
        work_close(w);
        return false;
    }
    CHECK(gc_stream_synchronize(r->lanes[0]));
    return true;
}
