/* Opens the GPU, and makes streams, buffers and chains on it. */
#include "work.h"

#include "kernel_ptx.h"

static bool no_gpu(gc_status status) {
    return status == GRAPHCAP_ERROR_LIBRARY || status == GRAPHCAP_ERROR_STUB_LIBRARY ||
           status == GRAPHCAP_ERROR_NO_DEVICE || status == GRAPHCAP_ERROR_NOT_INITIALIZED ||
           status == GRAPHCAP_ERROR_NOT_SUPPORTED;
}

bool gpu_open(gpu *device) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    char why[1024];
    options.device_kind = GRAPHCAP_DEVICE_CUDA;
    const gc_status status = gc_context_create(&options, &device->context);
    if (no_gpu(status)) {
        gc_last_error_message(why, sizeof why, NULL);
        printf("skipped, there is no GPU to measure: %s\n", why);
        return false;
    }
    CHECK(status);
    description.image = kernel_ptx;
    description.image_size = sizeof kernel_ptx;
    CHECK(gc_module_load(device->context, &description, &device->module));
    CHECK(gc_module_get_kernel(device->module, "bump", &device->kernel));
    CHECK(gc_context_native(device->context, &device->native_context));
    CHECK(gc_kernel_native(device->kernel, &device->function));
    driver_load();
    return true;
}

void gpu_close(gpu *device) {
    CHECK(gc_kernel_destroy(device->kernel));
    CHECK(gc_module_destroy(device->module));
    CHECK(gc_context_destroy(device->context));
}

void work_open(work *w, const gpu *device, ownership whose) {
    static const uint32_t zero = 0, one = 1;
    w->device = device;
    w->whose = whose;
    if (whose == OWN) {
        CU_CHECK(cu.cuCtxSetCurrent(device->native_context));
        CU_CHECK(cu.cuStreamCreate(&w->native, 0)); /* blocking, as graphcap's are by default */
        CHECK(gc_stream_create(device->context, NULL, &w->stream));
    } else if (whose == WRAPPED) {
        CU_CHECK(cu.cuCtxSetCurrent(device->native_context));
        CU_CHECK(cu.cuStreamCreate(&w->native, 1)); /* non-blocking, as PyTorch's side streams are */
        CHECK(gc_stream_wrap(device->context, w->native, &w->stream));
    } else {
        CHECK(gc_stream_create(device->context, NULL, &w->stream));
        CHECK(gc_stream_native(w->stream, &w->native));
    }
    CHECK(gc_buffer_allocate(device->context, sizeof(uint32_t), &w->out));
    CHECK(gc_buffer_allocate(device->context, sizeof(uint32_t), &w->in));
    CHECK(gc_buffer_address(w->out, &w->out_address));
    CHECK(gc_buffer_address(w->in, &w->in_address));
    w->by = 1;
    w->arguments[0] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_BUFFER(w->out);
    w->arguments[1] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_BUFFER(w->in);
    w->arguments[2] = (gc_kernel_arg)GRAPHCAP_ARG_INIT_VALUE(w->by);
    w->parameters[0] = &w->out_address;
    w->parameters[1] = &w->in_address;
    w->parameters[2] = &w->by;
    w->runs = 0;
    CHECK(gc_stream_memcpy_htod(w->stream, w->out, 0, &zero, sizeof zero));
    CHECK(gc_stream_memcpy_htod(w->stream, w->in, 0, &one, sizeof one));
    CHECK(gc_stream_synchronize(w->stream));
}

void work_close(work *w) {
    uint32_t counted = 0;
    CHECK(gc_stream_memcpy_dtoh(w->stream, &counted, w->out, 0, sizeof counted));
    CHECK(gc_stream_synchronize(w->stream));
    if (counted != (uint32_t)w->runs) {
        fprintf(stderr, "%s: the kernel ran %lu times on the %s stream, not %lu\n", bench_program,
                (unsigned long)counted, work_name(w), (unsigned long)(uint32_t)w->runs);
        exit(1);
    }
    CHECK(gc_buffer_destroy(w->out));
    CHECK(gc_buffer_destroy(w->in));
    CHECK(gc_stream_destroy(w->stream));
    if (w->whose == SHARED) return;
    CU_CHECK(cu.cuCtxSetCurrent(w->device->native_context));
    CU_CHECK(cu.cuStreamDestroy_v2(w->native));
}

const char *work_name(const work *w) {
    static const char *const names[OWNERSHIPS] = {"own", "shared", "wrapped"};
    return names[w->whose];
}

void work_enter(const work *w, side who) {
    CU_CHECK(cu.cuCtxSetCurrent(who == RAW || w->whose == WRAPPED ? w->device->native_context : NULL));
}

void work_synchronize(const work *w, side who) {
    if (who == RAW) CU_CHECK(cu.cuStreamSynchronize(w->native));
    else CHECK(gc_stream_synchronize(w->stream));
}

gc_graph *work_capture_graphcap(const work *w, size_t nodes) {
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(w->stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (size_t i = 0; i < nodes; i++) work_launch_graphcap(w);
    CHECK(gc_stream_end_capture(w->stream, &graph));
    return graph;
}

static void let_go(void *data) {
    (void)data;
}

void *work_capture_kept(work *w, size_t nodes) {
    enum { NO_DESTRUCTOR_SYNC = 1, MOVE = 1 };
    void *object, *graph = work_capture_raw(w, nodes);
    CU_CHECK(cu.cuUserObjectCreate(&object, NULL, let_go, 1, NO_DESTRUCTOR_SYNC));
    CU_CHECK(cu.cuGraphRetainUserObject(graph, object, 1, MOVE));
    return graph;
}

void *work_capture_raw(work *w, size_t nodes) {
    void *graph;
    CU_CHECK(cu.cuStreamBeginCapture_v2(w->native, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL)); /* the numbers are CUDA's */
    for (size_t i = 0; i < nodes; i++) work_launch_raw(w);
    CU_CHECK(cu.cuStreamEndCapture(w->native, &graph));
    return graph;
}

void *work_instantiate_raw(work *w, void *graph) {
    void *exec;
    work_enter(w, RAW);
    CU_CHECK(cu.cuGraphInstantiateWithFlags(&exec, graph, 0));
    CU_CHECK(cu.cuGraphUpload(exec, w->native));
    CU_CHECK(cu.cuGraphDestroy(graph));
    return exec;
}
