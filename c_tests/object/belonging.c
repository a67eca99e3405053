/* Which context or module an object belongs to, and which device a context is on. */
#include "kernels.h"

static struct rig rig;
static void *native;

/* Another handle of the rig's context: what is made of it works with the rig's stream, which it would not with another one. */
static void is_of_the_rig(gc_context *context) {
    gc_buffer *buffer = open_buffer(context, 4);
    CHECK(context != rig.context);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    CHECK(read_u32(rig.stream, buffer, 0) == 3);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(context));
}

static void objects_tell_their_context(void) {
    gc_event *event = open_event(rig.context);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_stream *legacy = NULL, *per_thread = NULL;
    gc_context *context = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_host_buffer *host_buffer = NULL;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_script *script = NULL;
    gc_actor *actor = NULL;
    gc_future *future = NULL;
    gc_graph *optimized = NULL;
    gc_plan *plan = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 4, 0, &host_buffer));
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &per_thread));
    REQUIRE_OK(gc_stream_get_context(rig.stream, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_stream_get_context(legacy, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_stream_get_context(per_thread, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_event_get_context(event, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_buffer_get_context(buffer, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_graph_get_context(graph, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_graph_exec_get_context(exec, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_host_buffer_get_context(host_buffer, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_module_get_context(rig.module, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_kernel_get_module(rig.add, &module));
    CHECK(module != rig.module);
    REQUIRE_OK(gc_module_get_kernel(module, "fill", &kernel));
    REQUIRE_OK(gc_module_get_context(module, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_script_create(rig.context, &script));
    REQUIRE_OK(gc_script_get_context(script, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_actor_create(rig.context, NULL, &actor));
    REQUIRE_OK(gc_actor_get_context(actor, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_actor_adopt(actor, graph, 0, &future));
    REQUIRE_OK(gc_future_get_context(future, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_future_wait(future, UINT64_MAX, NULL));
    REQUIRE_OK(gc_graph_optimize(graph, NULL, &optimized, &plan, NULL));
    REQUIRE_OK(gc_plan_get_context(plan, &context));
    is_of_the_rig(context);
    CHECK_OK(gc_plan_destroy(plan));
    CHECK_OK(gc_graph_destroy(optimized));
    CHECK_OK(gc_future_destroy(future));
    CHECK_OK(gc_actor_destroy(actor));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_host_buffer_destroy(host_buffer));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(per_thread));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
}

/* A kernel, a plan of transforms and a context itself tell it too. Handles of nothing are refused, whichever kind they say. */
static void any_handle_tells_its_context(void) {
    gc_context *context = NULL, *again = NULL;
    gc_capture *capture = NULL;
    gc_fft_plan *plan = NULL;
    gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_event *event = open_event(rig.context);
    gc_buffer *buffer = open_buffer(rig.context, 4);
    gc_status status;
    REQUIRE_OK(gc_object_context(rig.add, &context));
    is_of_the_rig(context);
    REQUIRE_OK(gc_object_context(rig.context, &context));
    REQUIRE_OK(gc_object_context(context, &again));
    CHECK_OK(gc_context_destroy(context));
    is_of_the_rig(again);
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &capture));
    REQUIRE_OK(gc_object_context(capture, &context));
    CHECK_OK(gc_capture_destroy(capture));
    is_of_the_rig(context);
    params.length = 8;
    params.batch_count = 1;
    status = gc_fft_plan_create(rig.context, &params, &plan);
    if (status == GRAPHCAP_SUCCESS) {
        REQUIRE_OK(gc_object_context(plan, &context));
        CHECK_OK(gc_fft_plan_destroy(plan));
        is_of_the_rig(context);
    }
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_MESSAGE(gc_object_context(event, &context), GRAPHCAP_ERROR_INVALID_HANDLE, "'object' is a gc_event that was destroyed");
    CHECK(context == NULL);
    CHECK_MESSAGE(gc_object_native(event, &native), GRAPHCAP_ERROR_INVALID_HANDLE, "gc_event that was destroyed");
    CHECK_MESSAGE(gc_object_context(buffer, &context), GRAPHCAP_ERROR_INVALID_HANDLE, "gc_buffer that was destroyed");
    CHECK_MESSAGE(gc_object_native(buffer, &native), GRAPHCAP_ERROR_INVALID_HANDLE, "no handle of the driver's");
    CHECK_MESSAGE(gc_object_context(NULL, &context), GRAPHCAP_ERROR_INVALID_HANDLE, "'object' is NULL");
    CHECK_MESSAGE(gc_object_native(NULL, &native), GRAPHCAP_ERROR_INVALID_HANDLE, "'object' is NULL");
    CHECK_MESSAGE(gc_object_context(&rig, &context), GRAPHCAP_ERROR_INVALID_HANDLE, "was never a handle");
    CHECK_MESSAGE(gc_object_native(&rig, &native), GRAPHCAP_ERROR_INVALID_HANDLE, "was never a handle");
    CHECK(context == NULL && native == NULL);
}

/* Any bit of a handle may be wrong, and the context may have been reset. */
static void damaged_and_stale_handles_are_refused(void) {
    gc_context *own = open_context(), *context = NULL;
    gc_stream *stream = open_stream(own, 0);
    unsigned bit;
    for (bit = 0; bit < 8 * sizeof(void *); bit++) {
        const void *damaged = (const void *)((uintptr_t)stream ^ (uintptr_t)1 << bit);
        gc_status status = gc_object_context(damaged, &context);
        /* The kind may have become that of another live object. */
        if (status == GRAPHCAP_SUCCESS) {
            CHECK(bit >= 56);
            CHECK_OK(gc_context_destroy(context));
        } else
            CHECK(status == GRAPHCAP_ERROR_INVALID_HANDLE && context == NULL);
    }
    REQUIRE_OK(gc_context_reset(own));
    CHECK_STATUS(gc_object_context(stream, &context), GRAPHCAP_ERROR_STALE);
    CHECK_STATUS(gc_object_native(stream, &native), GRAPHCAP_ERROR_STALE);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(own));
}

/* The handle that the context was made with may be gone. */
static void the_context_is_told_when_its_handle_is_gone(void) {
    gc_context *context = open_context(), *again = NULL;
    gc_buffer *buffer = open_buffer(context, 4);
    gc_stream *stream;
    CHECK_OK(gc_context_destroy(context));
    REQUIRE_OK(gc_buffer_get_context(buffer, &again));
    stream = open_stream(again, 0);
    CHECK(read_u32(stream, buffer, 0) == 0);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(again));
    CHECK_OK(gc_context_destroy(again));
}

/* A context that is made with the kind and the number is on the same device. */
static void a_context_tells_the_number_of_its_device(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    uint32_t count = 0;
    REQUIRE_OK(gc_device_count(tested_device(), &count));
    options.device_kind = tested_device();
    for (options.device_ordinal = 0; options.device_ordinal < count; options.device_ordinal++) {
        uint32_t ordinal = 77;
        REQUIRE_OK(gc_context_create(&options, &context));
        CHECK_OK(gc_context_device_ordinal(context, &ordinal));
        CHECK(ordinal == options.device_ordinal);
        CHECK_OK(gc_context_destroy(context));
    }
}

int main(void) {
    rig_open(&rig);
    RUN(objects_tell_their_context);
    RUN(any_handle_tells_its_context);
    RUN(damaged_and_stale_handles_are_refused);
    RUN(the_context_is_told_when_its_handle_is_gone);
    RUN(a_context_tells_the_number_of_its_device);
    rig_close(&rig);
    return check_finish();
}
