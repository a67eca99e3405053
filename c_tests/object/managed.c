/* Managed memory: the CPU and the device use it by the same addresses, and streams are told who may. */
#include "kernels.h"

static struct rig rig;

static gc_buffer *managed(size_t size, uint32_t flags) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate_managed(rig.context, size, flags, &buffer));
    return buffer;
}

static uint32_t *words_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    return (uint32_t *)(uintptr_t)address;
}

/* The CPU and kernels take turns, eagerly and in replays. */
static void the_cpu_and_the_device_share_it(void) {
    enum { WORDS = 1000 };
    gc_buffer *buffer = managed(WORDS * 4, GRAPHCAP_MEM_ATTACH_GLOBAL);
    uint32_t *words = words_of(buffer), seen[WORDS];
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i, round, rounds = soak(20, 1000);
    int same = 1;
    for (i = 0; i < WORDS; i++)
        words[i] = i;
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 5, WORDS));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < WORDS; i++)
        same &= words[i] == i + 5;
    CHECK(same);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, WORDS));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    for (round = 0; round < rounds; round++) {
        unsigned at = 1 + round * 7 % (WORDS - 1);
        uint32_t value = 0x9e3779b9u * round;
        words[at] = value;
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(words[at] == value + 1 && words[0] == 7);
    }
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, seen, buffer, 0, sizeof seen));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(memcmp(seen, words, sizeof seen) == 0);
    /* The exec keeps the memory. */
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(words[0] == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void it_is_attached_and_let_go(void) {
    gc_buffer *buffer = managed(64, GRAPHCAP_MEM_ATTACH_HOST);
    gc_stream *legacy = NULL, *own = NULL, *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    uint32_t *words = words_of(buffer);
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &own));
    words[0] = 1;
    CHECK_OK(gc_stream_attach_mem_async(stream, buffer, GRAPHCAP_MEM_ATTACH_SINGLE));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_attach_mem_async(stream, buffer, GRAPHCAP_MEM_ATTACH_HOST));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(words[0] == 2);
    CHECK_OK(gc_stream_attach_mem_async(legacy, buffer, GRAPHCAP_MEM_ATTACH_GLOBAL));
    CHECK_OK(gc_stream_synchronize(legacy));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_stream_attach_mem_async(own, buffer, GRAPHCAP_MEM_ATTACH_GLOBAL));
    /* Destroyed while a stream still has something to do with it. */
    CHECK_OK(gc_stream_attach_mem_async(stream, buffer, GRAPHCAP_MEM_ATTACH_GLOBAL));
    CHECK(words[0] == 3);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(own));
    CHECK_OK(gc_context_synchronize(rig.context));
}

static void bad_input_is_refused(void) {
    static const uint32_t no_ways[] = {0, 3, 5, 6, 7, 8, UINT32_MAX};
    gc_buffer *buffer = managed(64, GRAPHCAP_MEM_ATTACH_GLOBAL), *none = NULL;
    gc_buffer *pooled = open_buffer(rig.context, 64), *waitable = open_waitable(rig.context, 64), *foreign;
    gc_context *other = open_context();
    size_t i;
    REQUIRE_OK(gc_buffer_allocate_managed(other, 8, GRAPHCAP_MEM_ATTACH_GLOBAL, &foreign));
    for (i = 0; i < LENGTH_OF(no_ways); i++) {
        CHECK_MESSAGE(gc_stream_attach_mem_async(rig.stream, buffer, no_ways[i]), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
        CHECK_MESSAGE(gc_buffer_allocate_managed(rig.context, 64, no_ways[i], &none), GRAPHCAP_ERROR_INVALID_VALUE,
                      "flags");
    }
    CHECK_MESSAGE(gc_buffer_allocate_managed(rig.context, 64, GRAPHCAP_MEM_ATTACH_SINGLE, &none),
                  GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_MESSAGE(gc_buffer_allocate_managed(rig.context, 0, GRAPHCAP_MEM_ATTACH_GLOBAL, &none),
                  GRAPHCAP_ERROR_INVALID_VALUE, "0 bytes");
    CHECK_MESSAGE(gc_buffer_allocate_waitable(rig.context, 0, &none), GRAPHCAP_ERROR_INVALID_VALUE, "0 bytes");
    CHECK_STATUS(gc_buffer_allocate_managed(rig.context, (size_t)1 << 60, GRAPHCAP_MEM_ATTACH_GLOBAL, &none),
                 GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(gc_buffer_allocate_waitable(rig.context, (size_t)1 << 60, &none), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK(none == NULL);
    CHECK_MESSAGE(gc_stream_attach_mem_async(rig.stream, pooled, GRAPHCAP_MEM_ATTACH_GLOBAL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "managed");
    CHECK_MESSAGE(gc_stream_attach_mem_async(rig.stream, waitable, GRAPHCAP_MEM_ATTACH_GLOBAL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "managed");
    CHECK_STATUS(gc_stream_attach_mem_async(rig.stream, foreign, GRAPHCAP_MEM_ATTACH_GLOBAL),
                 GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_STATUS(gc_stream_attach_mem_async(rig.stream, buffer, GRAPHCAP_MEM_ATTACH_GLOBAL),
                 GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_buffer_destroy(pooled));
    CHECK_OK(gc_buffer_destroy(waitable));
    CHECK_OK(gc_buffer_destroy(foreign));
    CHECK_OK(gc_context_destroy(other));
}

/* It is no work that can be recorded. */
static void captures_do_not_take_it(void) {
    gc_buffer *buffer = managed(64, GRAPHCAP_MEM_ATTACH_GLOBAL), *during = NULL;
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    /* To allocate harms nothing. */
    CHECK_OK(gc_buffer_allocate_managed(rig.context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &during));
    CHECK_OK(gc_buffer_destroy(during));
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_STATUS(gc_stream_attach_mem_async(rig.stream, buffer, GRAPHCAP_MEM_ATTACH_SINGLE),
                 GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_MESSAGE(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                  "gc_stream_attach_mem_async");
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(the_cpu_and_the_device_share_it);
    RUN(it_is_attached_and_let_go);
    RUN(bad_input_is_refused);
    RUN(captures_do_not_take_it);
    rig_close(&rig);
    return check_finish();
}
