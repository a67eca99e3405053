/* Buffers: allocated and wrapped memory, copies in all directions, memsets. */
#include "kernels.h"

static struct rig rig;

static void allocations_tell_size_and_address(void) {
    gc_buffer *one = NULL, *two = NULL;
    size_t size = 0;
    uint64_t a = 0, b = 0;
    CHECK_OK(gc_buffer_allocate(rig.context, 1000, &one));
    CHECK_OK(gc_buffer_allocate(rig.context, 1, &two));
    CHECK_OK(gc_buffer_size(one, &size));
    CHECK(size == 1000);
    CHECK_OK(gc_buffer_address(one, &a));
    CHECK_OK(gc_buffer_address(two, &b));
    CHECK(a != 0 && b != 0 && a % 256 == 0 && b % 256 == 0);
    CHECK(b >= a + 1000 || b + 1 <= a);
    CHECK_OK(gc_buffer_destroy(one));
    CHECK_OK(gc_buffer_destroy(two));
}

static void impossible_allocations_are_refused(void) {
    gc_buffer *buffer = (gc_buffer *)&rig;
    CHECK_MESSAGE(gc_buffer_allocate(rig.context, 0, &buffer), GRAPHCAP_ERROR_INVALID_VALUE, "size");
    CHECK(buffer == NULL);
    CHECK_MESSAGE(gc_buffer_allocate(rig.context, SIZE_MAX, &buffer), GRAPHCAP_ERROR_OUT_OF_MEMORY, "18446744073709551615");
    CHECK_MESSAGE(gc_buffer_allocate(rig.context, (size_t)1 << 60, &buffer), GRAPHCAP_ERROR_OUT_OF_MEMORY,
                  "1152921504606846976");
    CHECK(buffer == NULL);
}

static void copies_go_in_all_directions(void) {
    unsigned char source[256], got[256];
    gc_buffer *a = open_buffer(rig.context, 256), *b = open_buffer(rig.context, 256);
    unsigned i;
    for (i = 0; i < 256; i++)
        source[i] = (unsigned char)(255 - i);
    memset(got, 0, sizeof got);
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, a, 16, source, 100));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, b, 3, a, 10, 50));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got + 1, b, 0, 200));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < 200; i++) {
        unsigned in_a = i + 7;
        unsigned char expected = i >= 3 && i < 53 && in_a >= 16 ? source[in_a - 16] : 0;
        if (got[i + 1] != expected)
            break;
    }
    CHECK(i == 200 && got[0] == 0 && got[201] == 0);
    /* Within one buffer, side by side. */
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, a, 0, a, 16, 16));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got, a, 0, 16));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(memcmp(got, source, 16) == 0);
    CHECK_OK(gc_buffer_destroy(a));
    CHECK_OK(gc_buffer_destroy(b));
}

/* Host memory is read when the copy runs, not when it is submitted. */
static void copies_read_host_memory_when_they_run(void) {
    struct gate gate;
    gc_buffer *buffer;
    uint32_t value = 1;
    NOT_ON_CUDA("the driver may copy pageable memory aside at the call");
    buffer = open_buffer(rig.context, 4);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, &value, 4));
    gate_await(&gate, 1);
    value = 2;
    gate_open(&gate);
    CHECK(read_u32(rig.stream, buffer, 0) == 2);
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_free(&gate);
}

static void memsets_set_elements(void) {
    unsigned char got[32], expected[32];
    gc_buffer *buffer = open_buffer(rig.context, 32);
    memset(expected, 0, sizeof expected);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 1, 0xffffff11u, 1, 3));
    memset(expected + 1, 0x11, 3);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 6, 0xffff2233u, 2, 2));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 16, 0x44556677u, 4, 3));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got, buffer, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    {
        const uint16_t half = 0x2233;
        const uint32_t whole = 0x44556677u;
        unsigned i;
        for (i = 0; i < 2; i++)
            memcpy(expected + 6 + 2 * i, &half, 2);
        for (i = 0; i < 3; i++)
            memcpy(expected + 16 + 4 * i, &whole, 4);
    }
    CHECK(memcmp(got, expected, sizeof got) == 0);
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Every limit, from inside and from outside, with sums that overflow. */
static void ranges_are_checked(void) {
    gc_buffer *a = open_buffer(rig.context, 64), *b = open_buffer(rig.context, 32);
    unsigned char host[64] = {1};
    const struct {
        size_t offset, size;
    } outside[] = {{0, 65}, {64, 1}, {1, 64}, {SIZE_MAX, 1}, {SIZE_MAX, 2}, {2, SIZE_MAX}, {SIZE_MAX, SIZE_MAX}};
    size_t i;
    for (i = 0; i < LENGTH_OF(outside); i++) {
        size_t offset = outside[i].offset, size = outside[i].size;
        char number[24];
        snprintf(number, sizeof number, "%zu", offset);
        CHECK_MESSAGE(gc_stream_memcpy_htod(rig.stream, a, offset, host, size), GRAPHCAP_ERROR_INVALID_VALUE, number);
        CHECK_MESSAGE(gc_stream_memcpy_dtoh(rig.stream, host, a, offset, size), GRAPHCAP_ERROR_INVALID_VALUE, number);
        CHECK_MESSAGE(gc_stream_memcpy_dtod(rig.stream, a, offset, a, 0, size), GRAPHCAP_ERROR_INVALID_VALUE, "64");
        CHECK_MESSAGE(gc_stream_memset(rig.stream, a, offset, 0, 1, size), GRAPHCAP_ERROR_INVALID_VALUE, number);
    }
    CHECK_MESSAGE(gc_stream_memcpy_dtod(rig.stream, a, 0, b, 0, 33), GRAPHCAP_ERROR_INVALID_VALUE, "source");
    CHECK_MESSAGE(gc_stream_memcpy_dtod(rig.stream, b, 0, a, 0, 33), GRAPHCAP_ERROR_INVALID_VALUE, "destination");
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, a, 32, b, 0, 32));
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 0, 0, 4, 17), GRAPHCAP_ERROR_INVALID_VALUE, "64");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 0, 0, 4, SIZE_MAX / 4 + 2), GRAPHCAP_ERROR_INVALID_VALUE, "count");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 2, 0, 4, 1), GRAPHCAP_ERROR_INVALID_VALUE, "4");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 1, 0, 2, 1), GRAPHCAP_ERROR_INVALID_VALUE, "2");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 0, 0, 3, 1), GRAPHCAP_ERROR_INVALID_VALUE, "element_size");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 0, 0, 0, 1), GRAPHCAP_ERROR_INVALID_VALUE, "element_size");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 0, 0, 8, 1), GRAPHCAP_ERROR_INVALID_VALUE, "element_size");
    CHECK_MESSAGE(gc_stream_memset(rig.stream, a, 0, 0, 257, 1), GRAPHCAP_ERROR_INVALID_VALUE, "element_size");
    CHECK_MESSAGE(gc_stream_memcpy_htod(rig.stream, a, 0, NULL, 4), GRAPHCAP_ERROR_INVALID_VALUE, "source");
    CHECK_MESSAGE(gc_stream_memcpy_dtoh(rig.stream, NULL, a, 0, 4), GRAPHCAP_ERROR_INVALID_VALUE, "destination");
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, a, 0, host, 64));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, host, a, 0, 64));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(host[0] == 1);
    CHECK_OK(gc_buffer_destroy(a));
    CHECK_OK(gc_buffer_destroy(b));
}

static void nothing_to_do_is_no_error(void) {
    gc_buffer *buffer = open_buffer(rig.context, 8);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 8, 0, 4, 0));
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, buffer, 8, NULL, 0));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, NULL, buffer, 8, 0));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, buffer, 0, buffer, 0, 0));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void wrapped_memory_is_used_and_given_back_once(void) {
    unsigned released = 0;
    static struct foreign foreign;
    gc_buffer *buffer;
    size_t size = 0;
    uint64_t address = 0;
    struct gate gate;
    gate_init(&gate);
    foreign_open(&foreign);
    buffer = wrap_foreign(rig.context, &foreign, &released);
    CHECK_OK(gc_buffer_size(buffer, &size));
    CHECK_OK(gc_buffer_address(buffer, &address));
    CHECK(size == sizeof foreign.memory && address == (uint64_t)(uintptr_t)foreign.address);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 8, 6, 2));
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_await(&gate, 1);
    /* Work that was submitted still needs it. */
    CHECK(count_of(&released) == 0);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(await_count(&released, 1));
    CHECK(foreign_word(&foreign, 1) == 0 && foreign_word(&foreign, 2) == 6 && foreign_word(&foreign, 3) == 6);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(count_of(&released) == 1);
    foreign_close(&foreign);
    gate_free(&gate);
}

/* Copies and memsets that were submitted run on their memory, whatever becomes of its handle. */
static void submitted_work_keeps_its_memory(void) {
    struct gate gate;
    gc_buffer *a = open_buffer(rig.context, 4), *b = open_buffer(rig.context, 4), *c = open_buffer(rig.context, 4);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memset(rig.stream, a, 0, 31, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, b, 0, a, 0, 4));
    CHECK_OK(gc_stream_memcpy_dtod(rig.stream, c, 0, b, 0, 4));
    CHECK_OK(gc_buffer_destroy(a));
    CHECK_OK(gc_buffer_destroy(b));
    gate_open(&gate);
    CHECK(read_u32(rig.stream, c, 0) == 31);
    CHECK_OK(gc_buffer_destroy(c));
    gate_free(&gate);
}

/* A copy out, too. */
static void submitted_copies_out_keep_their_memory(void) {
    struct gate gate;
    uint32_t got = 0;
    gc_buffer *buffer;
    NOT_ON_CUDA("a copy to pageable memory returns after the work before it");
    buffer = open_buffer(rig.context, 4);
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 31, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &got, buffer, 0, 4));
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(got == 31);
    gate_free(&gate);
}

/* Also when the stream is destroyed before it. */
static void work_of_a_destroyed_stream_keeps_its_memory(void) {
    struct gate gate;
    static struct foreign foreign;
    unsigned released = 0;
    gc_buffer *buffer;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gate_init(&gate);
    foreign_open(&foreign);
    buffer = wrap_foreign(rig.context, &foreign, &released);
    CHECK_OK(gc_stream_launch_host_func(stream, gate_hold, &gate, NULL));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 8, 1));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(buffer));
    gate_await(&gate, 1);
    pause_ms(5);
    CHECK(count_of(&released) == 0);
    gate_open(&gate);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(await_count(&released, 1));
    CHECK(foreign_word(&foreign, 0) == 8);
    foreign_close(&foreign);
    gate_free(&gate);
}

/* The destroy callback runs once, also when wrapping fails. */
static void failed_wraps_give_the_memory_back(void) {
    unsigned released = 0, expected = 0;
    static struct foreign foreign;
    uint32_t memory[4];
    gc_buffer *buffer = (gc_buffer *)memory;
    void *const bad[] = {NULL, (void *)(uintptr_t)64, memory};
    size_t i;
    foreign_open(&foreign);
    for (i = 0; i < LENGTH_OF(bad); i++) {
        CHECK_MESSAGE(gc_buffer_wrap((gc_context *)bad[i], memory, sizeof memory, &released, count_call, &buffer),
                      GRAPHCAP_ERROR_INVALID_HANDLE, "context");
        CHECK(await_count(&released, ++expected) && count_of(&released) == expected && buffer == NULL);
    }
    CHECK_MESSAGE(gc_buffer_wrap(rig.context, NULL, 16, &released, count_call, &buffer), GRAPHCAP_ERROR_INVALID_VALUE,
                  "address");
    CHECK(await_count(&released, ++expected) && count_of(&released) == expected);
    CHECK_MESSAGE(gc_buffer_wrap(rig.context, memory, 0, &released, count_call, &buffer), GRAPHCAP_ERROR_INVALID_VALUE,
                  "0 bytes");
    CHECK(await_count(&released, ++expected) && count_of(&released) == expected);
    CHECK_MESSAGE(gc_buffer_wrap(rig.context, memory, SIZE_MAX, &released, count_call, &buffer),
                  GRAPHCAP_ERROR_INVALID_VALUE, "18446744073709551615");
    CHECK(await_count(&released, ++expected) && count_of(&released) == expected);
    CHECK_MESSAGE(gc_buffer_wrap(rig.context, memory, sizeof memory, &released, count_call, NULL),
                  GRAPHCAP_ERROR_INVALID_VALUE, "buffer_out");
    CHECK(await_count(&released, ++expected) && count_of(&released) == expected);
    CHECK_OK(gc_buffer_wrap(rig.context, foreign.address, sizeof memory, NULL, NULL, &buffer));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(count_of(&released) == expected);
    foreign_close(&foreign);
}

static void memory_of_the_cpu_is_no_memory_of_a_gpu(void) {
    unsigned released = 0;
    void *memory;
    gc_buffer *buffer = (gc_buffer *)&rig;
    NOT_ON_HOST("memory of the CPU is its own");
    memory = malloc(64);
    CHECK_STATUS(gc_buffer_wrap(rig.context, memory, 64, &released, count_call, &buffer), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(buffer == NULL && await_count(&released, 1));
    free(memory);
}

static void kernels_can_ask_whether_memory_is_the_devices(void) {
    uint64_t address = 0;
    gc_buffer *buffer;
    NOT_ON_CUDA("gc_host_check_range() knows the memory of host devices");
    buffer = open_buffer(rig.context, 64);
    CHECK_OK(gc_buffer_address(buffer, &address));
    CHECK_OK(gc_host_check_range((const void *)(uintptr_t)address, 64));
    CHECK_OK(gc_host_check_range((const void *)(uintptr_t)(address + 63), 1));
    CHECK_STATUS(gc_host_check_range((const void *)(uintptr_t)address, 65), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_host_check_range((const void *)(uintptr_t)(address + 64), 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_host_check_range((const void *)(uintptr_t)(address - 1), 2), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_host_check_range((const void *)(uintptr_t)address, SIZE_MAX), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_host_check_range(NULL, 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_STATUS(gc_host_check_range(&address, sizeof address), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_STATUS(gc_host_check_range((const void *)(uintptr_t)address, 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
}

static void many_buffers_come_and_go(void) {
    gc_buffer *buffers[64];
    unsigned round, i;
    for (round = 0; round < soak(20, 500); round++) {
        for (i = 0; i < 64; i++) {
            CHECK_OK(gc_buffer_allocate(rig.context, 4 + 8 * i, &buffers[i]));
            CHECK_OK(gc_stream_memset(rig.stream, buffers[i], 0, i, 4, 1 + 2 * i));
            if (i > 0)
                CHECK_OK(gc_stream_memcpy_dtod(rig.stream, buffers[i], 4, buffers[i - 1], 0, 4));
        }
        if (round % 7 == 0)
            CHECK(read_u32(rig.stream, buffers[63], 1) == 62);
        for (i = 0; i < 64; i++)
            CHECK_OK(gc_buffer_destroy(buffers[i * 37 % 64]));
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

int main(void) {
    rig_open(&rig);
    RUN(allocations_tell_size_and_address);
    RUN(impossible_allocations_are_refused);
    RUN(copies_go_in_all_directions);
    RUN(copies_read_host_memory_when_they_run);
    RUN(memsets_set_elements);
    RUN(ranges_are_checked);
    RUN(nothing_to_do_is_no_error);
    RUN(wrapped_memory_is_used_and_given_back_once);
    RUN(submitted_work_keeps_its_memory);
    RUN(submitted_copies_out_keep_their_memory);
    RUN(work_of_a_destroyed_stream_keeps_its_memory);
    RUN(failed_wraps_give_the_memory_back);
    RUN(memory_of_the_cpu_is_no_memory_of_a_gpu);
    RUN(kernels_can_ask_whether_memory_is_the_devices);
    RUN(many_buffers_come_and_go);
    rig_close(&rig);
    return check_finish();
}
