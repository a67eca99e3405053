/* Kernel launches: shapes, blocks, shared memory, arguments, failures. */
#include "kernels.h"

static struct rig rig;
static gc_buffer *buffer;

static void every_block_runs_once(void) {
    static const uint32_t shapes[][3] = {{1, 1, 1}, {1000, 1, 1}, {1, 300, 1}, {1, 1, 50}, {7, 11, 13}, {65536, 1, 1}};
    gc_kernel *kernel = get_kernel(rig.module, "count_blocks");
    static uint32_t counts[65536 + 1];
    gc_buffer *visits = NULL;
    size_t i, k;
    CHECK_OK(gc_buffer_allocate(rig.context, sizeof counts, &visits));
    for (i = 0; i < LENGTH_OF(shapes); i++) {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(visits)};
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
        size_t blocks = (size_t)shapes[i][0] * shapes[i][1] * shapes[i][2];
        memcpy(config.grid_dim, shapes[i], sizeof config.grid_dim);
        CHECK_OK(gc_stream_memset(rig.stream, visits, 0, 0, 1, sizeof counts));
        CHECK_OK(gc_stream_launch_kernel(rig.stream, kernel, &config, arguments, 1));
        CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, counts, visits, 0, sizeof counts));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        for (k = 0; k < blocks; k++)
            if (counts[k] != 1)
                break;
        CHECK(k == blocks && counts[blocks] == 0);
    }
    CHECK_OK(gc_buffer_destroy(visits));
    CHECK_OK(gc_kernel_destroy(kernel));
}

static void each_block_has_shared_memory_of_its_own(void) {
    enum { BLOCKS = 500, WORDS = 1000 };
    gc_kernel *kernel = get_kernel(rig.module, "block_sum");
    gc_buffer *sums = open_buffer(rig.context, BLOCKS * 4);
    uint32_t got[BLOCKS], i;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(sums)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(BLOCKS, 1);
    config.shared_mem_bytes = WORDS * 4;
    CHECK_OK(gc_stream_launch_kernel(rig.stream, kernel, &config, arguments, 1));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got, sums, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < BLOCKS; i++)
        if (got[i] != i * WORDS + WORDS * (WORDS - 1) / 2)
            break;
    CHECK(i == BLOCKS);
    CHECK_OK(gc_buffer_destroy(sums));
    CHECK_OK(gc_kernel_destroy(kernel));
}

static void arguments_are_copied_at_the_call(void) {
    struct gate gate;
    uint32_t value = 5;
    uint64_t count = 3;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, 8), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gate_init(&gate);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 16));
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch(rig.stream, rig.fill, 1, 64, arguments, 3));
    value = 6;
    count = 1;
    memset(arguments, 0xff, sizeof arguments);
    gate_open(&gate);
    CHECK(read_u32(rig.stream, buffer, 1) == 0);
    CHECK(read_u32(rig.stream, buffer, 2) == 5 && read_u32(rig.stream, buffer, 4) == 5);
    CHECK(read_u32(rig.stream, buffer, 5) == 0);
    CHECK(value == 6 && count == 1);
    gate_free(&gate);
}

static void saxpy_is_right(void) {
    enum { COUNT = 1000 };
    gc_kernel *kernel = get_kernel(rig.module, "saxpy");
    gc_buffer *x = open_buffer(rig.context, COUNT * 4), *y = open_buffer(rig.context, COUNT * 4);
    float host_x[COUNT], host_y[COUNT], got[COUNT], a = 0.5f;
    uint64_t count = COUNT;
    unsigned i;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(a), GRAPHCAP_ARG_INIT_BUFFER(x), GRAPHCAP_ARG_INIT_BUFFER(y),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    arguments[1].access = GRAPHCAP_ACCESS_READ;
    arguments[2].access = GRAPHCAP_ACCESS_READ_WRITE;
    for (i = 0; i < COUNT; i++) {
        host_x[i] = (float)i;
        host_y[i] = 1000.0f - (float)i;
    }
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, x, 0, host_x, sizeof host_x));
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, y, 0, host_y, sizeof host_y));
    CHECK_OK(launch(rig.stream, kernel, (COUNT + 127) / 128, 128, arguments, 4));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, got, y, 0, sizeof got));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < COUNT; i++)
        if (got[i] != 0.5f * host_x[i] + host_y[i])
            break;
    CHECK(i == COUNT);
    CHECK_OK(gc_buffer_destroy(x));
    CHECK_OK(gc_buffer_destroy(y));
    CHECK_OK(gc_kernel_destroy(kernel));
}

static void impossible_shapes_are_refused(void) {
    gc_kernel *nothing = get_kernel(rig.module, "nothing");
    unsigned i;
    for (i = 0; i < 3; i++) {
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
        config.grid_dim[i] = 0;
        CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE, "grid");
        config.grid_dim[i] = 1;
        config.block_dim[i] = 0;
        CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE, "block");
        config.block_dim[i] = 2000;
        CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE, "2000");
        config.block_dim[i] = 1;
        config.flags = 1;
        CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    }
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, NULL, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE, "config");
    {
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1024);
        CHECK_OK(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0));
        config.block_dim[1] = 2;
        CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE, "block");
    }
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_kernel_destroy(nothing));
}

static void wrong_arguments_are_refused(void) {
    uint32_t value = 1;
    uint64_t count = 1;
    const gc_kernel_arg good[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_kernel_arg arguments[4];
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_kernel *nothing = get_kernel(rig.module, "nothing");
#define RESET() (memcpy(arguments, good, sizeof good), arguments[3] = good[2])
#define REFUSES(number, word)                                                                             \
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, number),               \
                  GRAPHCAP_ERROR_INVALID_VALUE, word)
    RESET();
    CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, 3));
    REFUSES(2, "3");
    REFUSES(4, "3");
    REFUSES(0, "3");
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, rig.fill, &config, NULL, 3), GRAPHCAP_ERROR_INVALID_VALUE, "arguments");
    CHECK_MESSAGE(gc_stream_launch_kernel(rig.stream, nothing, &config, arguments, 1), GRAPHCAP_ERROR_INVALID_VALUE, "0");
    arguments[1].value_size = 8;
    REFUSES(3, "8");
    arguments[1].value_size = 0;
    REFUSES(3, "size");
    RESET();
    arguments[1].value = NULL;
    REFUSES(3, "value");
    RESET();
    arguments[1].kind = 0;
    REFUSES(3, "kind");
    arguments[1].kind = 3;
    REFUSES(3, "kind");
    RESET();
    arguments[0].access = 4;
    REFUSES(3, "access");
    RESET();
    arguments[0].offset = 65;
    REFUSES(3, "65");
    arguments[0].offset = SIZE_MAX;
    REFUSES(3, "offset");
    RESET();
    /* A buffer where the kernel takes four bytes. */
    arguments[1] = good[0];
    REFUSES(3, "4");
#undef REFUSES
#undef RESET
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_kernel_destroy(nothing));
}

/* Where a module did not state sizes, arguments are taken as they come. */
static void unstated_sizes_are_not_checked(void) {
    gc_kernel *kernel;
    uint32_t value = 9;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    NOT_ON_CUDA("an image states the parameters of all its kernels");
    kernel = get_kernel(rig.module, "unchecked");
    CHECK_OK(launch(rig.stream, kernel, 1, 1, arguments, 4));
    CHECK(read_u32(rig.stream, buffer, 0) == 9);
    CHECK_OK(gc_kernel_destroy(kernel));
}

/* Parameters may be structs of many bytes. */
static void wide_arguments_arrive_whole(void) {
    gc_kernel *kernel = get_kernel(rig.module, "copy_wide");
    gc_buffer *copy = open_buffer(rig.context, sizeof(struct wide));
    static struct wide sent, seen;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(copy), GRAPHCAP_ARG_INIT_VALUE(sent)};
    size_t i;
    for (i = 0; i < sizeof sent; i++)
        sent.bytes[i] = (unsigned char)(i * 7);
    CHECK_OK(launch(rig.stream, kernel, 1, 1, arguments, 2));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &seen, copy, 0, sizeof seen));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(memcmp(&sent, &seen, sizeof sent) == 0);
    CHECK_OK(gc_buffer_destroy(copy));
    CHECK_OK(gc_kernel_destroy(kernel));
}

/* A kernel that asks before it stores turns a wrong address into a fault that names it. */
static void a_refused_store_is_a_fault(void) {
    struct rig doomed;
    gc_kernel *kernel;
    gc_buffer *valid;
    uint32_t value = 3;
    void *nowhere = &value;
    gc_kernel_arg arguments[2] = {GRAPHCAP_ARG_INIT_VALUE(nowhere), GRAPHCAP_ARG_INIT_VALUE(value)};
    NOT_ON_CUDA(FAULTS_STAY);
    rig_open(&doomed);
    valid = open_buffer(doomed.context, 4);
    kernel = get_kernel(doomed.module, "checked_store");
    {
        gc_kernel_arg good[] = {GRAPHCAP_ARG_INIT_BUFFER(valid), GRAPHCAP_ARG_INIT_VALUE(value)};
        CHECK_OK(launch(doomed.stream, kernel, 1, 1, good, 2));
    }
    CHECK(read_u32(doomed.stream, valid, 0) == 3);
    CHECK_OK(launch(doomed.stream, kernel, 1, 1, arguments, 2));
    CHECK_MESSAGE(gc_stream_synchronize(doomed.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, "checked_store");
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_buffer_destroy(valid));
    rig_close(&doomed);
}

/* Memory is the device's as long as submitted work uses it, also for a kernel that asks. */
static void memory_given_up_is_valid_for_submitted_kernels(void) {
    struct gate gate;
    gc_kernel *kernel = get_kernel(rig.module, "checked_store");
    gc_buffer *given_up = open_buffer(rig.context, 4);
    uint32_t value = 3;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(given_up), GRAPHCAP_ARG_INIT_VALUE(value)};
    gate_init(&gate);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(launch(rig.stream, kernel, 1, 1, arguments, 2));
    CHECK_OK(gc_buffer_destroy(given_up));
    CHECK_STATUS(launch(rig.stream, kernel, 1, 1, arguments, 2), GRAPHCAP_ERROR_INVALID_HANDLE);
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_kernel_destroy(kernel));
    gate_free(&gate);
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(every_block_runs_once);
    RUN(each_block_has_shared_memory_of_its_own);
    RUN(arguments_are_copied_at_the_call);
    RUN(saxpy_is_right);
    RUN(impossible_shapes_are_refused);
    RUN(wrong_arguments_are_refused);
    RUN(unstated_sizes_are_not_checked);
    RUN(wide_arguments_arrive_whole);
    RUN(memory_given_up_is_valid_for_submitted_kernels);
    RUN(a_refused_store_is_a_fault);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
