/* The work that is measured: a stream with two buffers and the one kernel, launched by graphcap or by the driver. */
#ifndef BENCH_GPU_WORK_H
#define BENCH_GPU_WORK_H

#include <stdbool.h>

#include "../check.h"
#include "driver.h"

/* A context on a GPU and the kernel, as graphcap and as the driver name them. */
typedef struct {
    gc_context *context;
    gc_module *module;
    gc_kernel *kernel;
    void *native_context, *function;
} gpu;

/* False, after saying why, when this machine has no GPU that can be used. */
bool gpu_open(gpu *device);
void gpu_close(gpu *device);

typedef enum { RAW, GRAPHCAP } side;

/* Whose a stream is: only graphcap's; graphcap's, with its native handle given out; the driver's, wrapped by graphcap. Where
 * others use a stream too, graphcap asks the driver at each recording which capture it is in. */
typedef enum { OWN, SHARED, WRAPPED, OWNERSHIPS } ownership;

typedef struct {
    const gpu *device;
    ownership whose;
    gc_stream *stream;
    void *native; /* the driver's handle of the stream; beside graphcap's own, that of one like it */
    gc_buffer *out, *in;
    uint64_t out_address, in_address;
    uint32_t by;
    gc_kernel_arg arguments[3]; /* for graphcap */
    void *parameters[3];        /* the same for the driver */
    uint64_t runs;              /* of the kernel, that were submitted */
} work;

/* The work points into itself: it must stay where it is. */
void work_open(work *w, const gpu *device, ownership whose);
/* Ends the program unless the kernel has run as often as it was submitted. */
void work_close(work *w);

const char *work_name(const work *w);

/* Sets the scene for one side. The driver needs a current context. A program that has a stream to wrap has one as well;
 * one that uses graphcap alone has none, so graphcap is measured without on a stream of its own. */
void work_enter(const work *w, side who);
void work_synchronize(const work *w, side who);

static inline void work_launch_graphcap(const work *w) {
    static const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    CHECK(gc_stream_launch_kernel(w->stream, w->device->kernel, &one, w->arguments, 3));
}

static inline void work_launch_raw(work *w) {
    CU_CHECK(cu.cuLaunchKernel(w->device->function, 1, 1, 1, 1, 1, 1, 0, w->native, w->parameters, NULL));
}

/* A chain of `nodes` kernels, captured. Thread-local: what other threads do must not break it. */
gc_graph *work_capture_graphcap(const work *w, size_t nodes);
void *work_capture_raw(work *w, size_t nodes);
/* The same, and the graph holds a user object. */
void *work_capture_kept(work *w, size_t nodes);
/* The driver's exec of a graph, uploaded. The graph goes. */
void *work_instantiate_raw(work *w, void *graph);

#endif
