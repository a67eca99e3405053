/* The world of the programs that call every function: a good handle of each kind, what calls take beside handles, and a place
 * for answers. */
#ifndef GRAPHCAP_TESTS_WORLD_H
#define GRAPHCAP_TESTS_WORLD_H

#include "kernels.h"

/* One good handle of each kind; `captured` is the stream of `capture`. Calls read and write the members from `memory` to `ipc`,
 * and answer into `out`. */
struct world {
    gc_context *context;
    gc_stream *stream;
    gc_event *event;
    gc_buffer *buffer;
    gc_module *module;
    gc_kernel *kernel;
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_stream *captured;
    gc_capture *capture;
    gc_host_buffer *host_buffer;
    unsigned released;
    unsigned char memory[64];
    char text[64];
    gc_node nodes[4];
    int32_t priority;
    gc_stream_attribute_value attribute;
    gc_ipc_handle ipc;
    union output {
        void *pointer;
        gc_stream *stream;
        gc_event *event;
        gc_buffer *buffer;
        gc_module *module;
        gc_kernel *kernel;
        gc_graph *graph;
        gc_graph_exec *exec;
        gc_context *context;
        gc_capture *capture;
        gc_host_buffer *host_buffer;
        size_t size;
        uint64_t u64;
        gc_capture_info info;
        gc_stream_attribute_value attribute;
        gc_ipc_handle ipc;
        uint32_t u32;
        int32_t i32;
        float f32;
        unsigned char bytes[64];
    } out;
};

static const gc_launch_config one_thread = GRAPHCAP_LAUNCH_CONFIG_INIT;

static inline gc_status launch_fill(const gc_stream *stream, const gc_kernel *kernel, const gc_buffer *buffer) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    return gc_stream_launch_kernel(stream, kernel, &one_thread, arguments, 3);
}

/* By name where the kernel is NULL. */
static inline gc_status record_fill(const gc_capture *capture, const gc_kernel *kernel, const gc_buffer *buffer) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    return kernel == NULL ? gc_capture_record_kernel(capture, "fill", &one_thread, arguments, 3)
                          : gc_capture_record_kernel_handle(capture, kernel, &one_thread, arguments, 3);
}

static inline gc_status begin_capture(const gc_stream *stream, const gc_module *module, gc_capture **capture_out) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    options.modules = &module;
    options.module_count = 1;
    return gc_capture_begin(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, capture_out);
}

static inline gc_status record_nothing(const gc_stream *stream, void *user_data) {
    (void)stream;
    (void)user_data;
    return GRAPHCAP_SUCCESS;
}

static inline gc_status load_into(const gc_context *context, gc_module **module_out) {
    gc_module_description description = test_module();
    return gc_module_load(context, &description, module_out);
}

static inline void world_open(struct world *w) {
    memset(w, 0, sizeof *w);
    w->context = open_context();
    w->stream = open_stream(w->context, 0);
    w->event = open_event(w->context);
    w->buffer = open_buffer(w->context, 64);
    REQUIRE_OK(gc_host_buffer_allocate(w->context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &w->host_buffer));
    w->module = load_kernels(w->context);
    w->kernel = get_kernel(w->module, "fill");
    REQUIRE_OK(gc_stream_begin_capture(w->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch_fill(w->stream, w->kernel, w->buffer));
    REQUIRE_OK(gc_stream_end_capture(w->stream, &w->graph));
    REQUIRE_OK(gc_graph_instantiate(w->graph, NULL, &w->exec));
    /* It bars nobody, and no call that is refused may touch it. */
    w->captured = open_stream(w->context, GRAPHCAP_STREAM_NON_BLOCKING);
    REQUIRE_OK(begin_capture(w->captured, w->module, &w->capture));
}

/* No call may have recorded into the capture. */
static inline void world_close(struct world *w) {
    int32_t active = 0;
    uint64_t recorded = 1;
    CHECK_OK(gc_capture_is_active(w->capture, &active));
    CHECK_OK(gc_capture_recorded_count(w->capture, &recorded));
    CHECK(active == 1 && recorded == 0);
    CHECK_OK(gc_capture_destroy(w->capture));
    CHECK_OK(gc_stream_destroy(w->captured));
    CHECK_OK(gc_graph_exec_destroy(w->exec));
    CHECK_OK(gc_graph_destroy(w->graph));
    CHECK_OK(gc_kernel_destroy(w->kernel));
    CHECK_OK(gc_module_destroy(w->module));
    CHECK_OK(gc_host_buffer_destroy(w->host_buffer));
    CHECK_OK(gc_buffer_destroy(w->buffer));
    CHECK_OK(gc_event_destroy(w->event));
    CHECK_OK(gc_stream_destroy(w->stream));
    CHECK_OK(gc_context_destroy(w->context));
}

#endif
