/* What several tests share: kernels for both devices, a gate to hold work with, a journal of what ran, memory to wrap,
 * and a rig of context, module and stream. The kernels for a GPU are in kernels.cu, under the same names. */
#ifndef GRAPHCAP_TESTS_KERNELS_H
#define GRAPHCAP_TESTS_KERNELS_H

#include "check.h"
#include "kernels_ptx.h"

#include <pthread.h>

#define LENGTH_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Holds whatever passes through it until the test opens it: order is proved by holding, never by time. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned entered;
    int open;
};

static inline void gate_init(struct gate *gate) {
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->changed, NULL);
    gate->entered = 0;
    gate->open = 0;
}

static inline void gate_hold(void *user_data) {
    struct gate *gate = (struct gate *)user_data;
    pthread_mutex_lock(&gate->lock);
    gate->entered++;
    pthread_cond_broadcast(&gate->changed);
    while (!gate->open)
        pthread_cond_wait(&gate->changed, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static inline void gate_open(struct gate *gate) {
    pthread_mutex_lock(&gate->lock);
    gate->open = 1;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

/* Waits until `count` calls of gate_hold have begun. */
static inline void gate_await(struct gate *gate, unsigned count) {
    pthread_mutex_lock(&gate->lock);
    while (gate->entered < count)
        pthread_cond_wait(&gate->changed, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static inline void gate_free(struct gate *gate) {
    pthread_cond_destroy(&gate->changed);
    pthread_mutex_destroy(&gate->lock);
}

/* The order in which things ran, as the kernel note writes it into a buffer. */
struct journal {
    uint32_t length;
    uint32_t entries[4095];
};

static inline void journal_add(struct journal *journal, uint32_t entry) {
    uint32_t at = __atomic_fetch_add(&journal->length, 1, __ATOMIC_ACQ_REL);
    if (at < LENGTH_OF(journal->entries))
        journal->entries[at] = entry;
}

#define PARAMETER(type, index) (*(type const *)arguments[index])

static inline uint64_t linear_block(const gc_host_block *block) {
    return block->block_index[0] +
           (uint64_t)block->grid_dim[0] * (block->block_index[1] + (uint64_t)block->grid_dim[1] * block->block_index[2]);
}

/* fill(uint32_t *destination, uint32_t value, uint64_t count): one element per thread. */
static inline int32_t kernel_fill(const gc_host_block *block, const void *const *arguments) {
    uint32_t *destination = PARAMETER(uint32_t *, 0);
    uint64_t i, first = linear_block(block) * block->block_dim[0];
    for (i = first; i < first + block->block_dim[0] && i < PARAMETER(uint64_t, 2); i++)
        destination[i] = PARAMETER(uint32_t, 1);
    return 0;
}

/* add(uint32_t *data, uint32_t value, uint64_t count): adds the value to each element. */
static inline int32_t kernel_add(const gc_host_block *block, const void *const *arguments) {
    uint32_t *data = PARAMETER(uint32_t *, 0);
    uint64_t i, first = linear_block(block) * block->block_dim[0];
    for (i = first; i < first + block->block_dim[0] && i < PARAMETER(uint64_t, 2); i++)
        data[i] += PARAMETER(uint32_t, 1);
    return 0;
}

/* saxpy(float a, const float *x, float *y, uint64_t count) */
static inline int32_t kernel_saxpy(const gc_host_block *block, const void *const *arguments) {
    const float *x = PARAMETER(const float *, 1);
    float *y = PARAMETER(float *, 2);
    uint64_t i, first = linear_block(block) * block->block_dim[0];
    for (i = first; i < first + block->block_dim[0] && i < PARAMETER(uint64_t, 3); i++)
        y[i] = PARAMETER(float, 0) * x[i] + y[i];
    return 0;
}

/* mix(uint32_t *result, const uint32_t *a, const uint32_t *b, uint32_t c): *result = 3 * *a + *b + c. Not commutative, so
 * that a wrong order gives a wrong number. */
static inline uint32_t mixed(uint32_t a, uint32_t b, uint32_t c) {
    return 3 * a + b + c;
}

static inline int32_t kernel_mix(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    *PARAMETER(uint32_t *, 0) =
        mixed(*PARAMETER(const uint32_t *, 1), *PARAMETER(const uint32_t *, 2), PARAMETER(uint32_t, 3));
    return 0;
}

/* count_blocks(uint32_t *counts): counts the visits of each block. */
static inline int32_t kernel_count_blocks(const gc_host_block *block, const void *const *arguments) {
    __atomic_fetch_add(&PARAMETER(uint32_t *, 0)[linear_block(block)], 1, __ATOMIC_RELAXED);
    return 0;
}

/* block_sum(uint32_t *sums): fills the shared memory of the block with numbers of its own and adds them up. Fails
 * when the shared memory is not as promised. */
static inline int32_t kernel_block_sum(const gc_host_block *block, const void *const *arguments) {
    uint32_t *shared = (uint32_t *)block->shared_mem;
    uint32_t i, sum = 0, number = (uint32_t)linear_block(block);
    uint32_t count = block->shared_mem_bytes / (uint32_t)sizeof(uint32_t);
    if (shared == NULL || (uintptr_t)shared % 64 != 0)
        return 1;
    for (i = 0; i < count; i++)
        shared[i] = number + i;
    for (i = 0; i < count; i++)
        sum += shared[i];
    PARAMETER(uint32_t *, 0)[number] = sum;
    return 0;
}

/* checked_store(uint32_t *destination, uint32_t value): stores only where the device owns the memory, else faults. */
static inline int32_t kernel_checked_store(const gc_host_block *block, const void *const *arguments) {
    uint32_t *destination = PARAMETER(uint32_t *, 0);
    gc_status status = gc_host_check_range(destination, sizeof *destination);
    (void)block;
    if (status != GRAPHCAP_SUCCESS)
        return status;
    *destination = PARAMETER(uint32_t, 1);
    return 0;
}

/* fail(uint32_t number): a fault. */
static inline int32_t kernel_fail(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    return (int32_t)PARAMETER(uint32_t, 0);
}

/* hold(struct gate *gate): occupies the stream until the gate opens; for the host device, see launch_hold(). */
static inline int32_t kernel_hold(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    gate_hold(PARAMETER(struct gate *, 0));
    return 0;
}

/* note(struct journal *journal, uint32_t entry) */
static inline int32_t kernel_note(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    journal_add(PARAMETER(struct journal *, 0), PARAMETER(uint32_t, 1));
    return 0;
}

/* nap(uint32_t milliseconds): takes a while. */
static inline int32_t kernel_nap(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    pause_ms((long)PARAMETER(uint32_t, 0));
    return 0;
}

/* A parameter of many bytes. */
struct wide {
    unsigned char bytes[3000];
};

/* copy_wide(struct wide *destination, struct wide value) */
static inline int32_t kernel_copy_wide(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    memcpy(PARAMETER(struct wide *, 0), arguments[1], sizeof(struct wide));
    return 0;
}

/* nothing(): no parameters. */
static inline int32_t kernel_nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    (void)arguments;
    return 0;
}

static const size_t sizes_fill[] = {sizeof(void *), sizeof(uint32_t), sizeof(uint64_t)};
static const size_t sizes_saxpy[] = {sizeof(float), sizeof(void *), sizeof(void *), sizeof(uint64_t)};
static const size_t sizes_mix[] = {sizeof(void *), sizeof(void *), sizeof(void *), sizeof(uint32_t)};
static const size_t sizes_address[] = {sizeof(void *)};
static const size_t sizes_address_u32[] = {sizeof(void *), sizeof(uint32_t)};
static const size_t sizes_u32[] = {sizeof(uint32_t)};
static const size_t sizes_address_wide[] = {sizeof(void *), sizeof(struct wide)};

#define HOST_KERNEL(name, sizes) \
    { (uint32_t)sizeof(gc_host_kernel), 0, #name, kernel_##name, sizes, LENGTH_OF(sizes), NULL, 0 }

/* unchecked is fill without sizes stated in this table, nothing has none to state. */
static const gc_host_kernel test_kernels[] = {
    HOST_KERNEL(fill, sizes_fill),
    HOST_KERNEL(add, sizes_fill),
    HOST_KERNEL(saxpy, sizes_saxpy),
    HOST_KERNEL(mix, sizes_mix),
    HOST_KERNEL(count_blocks, sizes_address),
    HOST_KERNEL(block_sum, sizes_address),
    HOST_KERNEL(checked_store, sizes_address_u32),
    HOST_KERNEL(fail, sizes_u32),
    HOST_KERNEL(hold, sizes_address),
    HOST_KERNEL(note, sizes_address_u32),
    HOST_KERNEL(nap, sizes_u32),
    HOST_KERNEL(copy_wide, sizes_address_wide),
    {(uint32_t)sizeof(gc_host_kernel), 0, "nothing", kernel_nothing, sizes_u32, 0, NULL, 0},
    {(uint32_t)sizeof(gc_host_kernel), 0, "unchecked", kernel_fill, NULL, 0, NULL, 0},
};

static inline gc_module_description test_module(void) {
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.image = kernels_ptx;
    description.image_size = sizeof kernels_ptx;
    description.host_kernels = test_kernels;
    description.host_kernel_count = LENGTH_OF(test_kernels);
    return description;
}

static inline gc_module *load_kernels(const gc_context *context) {
    gc_module_description description = test_module();
    gc_module *module = NULL;
    REQUIRE_OK(gc_module_load(context, &description, &module));
    return module;
}

static inline gc_kernel *get_kernel(const gc_module *module, const char *name) {
    gc_kernel *kernel = NULL;
    REQUIRE_OK(gc_module_get_kernel(module, name, &kernel));
    return kernel;
}

static inline gc_stream *open_stream(const gc_context *context, uint32_t flags) {
    gc_stream_options options = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_stream *stream = NULL;
    options.flags = flags;
    REQUIRE_OK(gc_stream_create(context, &options, &stream));
    return stream;
}

static inline gc_event *open_event(const gc_context *context) {
    gc_event *event = NULL;
    REQUIRE_OK(gc_event_create(context, NULL, &event));
    return event;
}

static inline void clear_buffer(const gc_context *context, const gc_buffer *buffer) {
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    size_t size = 0;
    REQUIRE_OK(gc_buffer_size(buffer, &size));
    REQUIRE_OK(gc_stream_memset(stream, buffer, 0, 0, 1, size));
    REQUIRE_OK(gc_stream_synchronize(stream));
    REQUIRE_OK(gc_stream_destroy(stream));
}

/* A buffer of `size` zero bytes. */
static inline gc_buffer *open_buffer(const gc_context *context, size_t size) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate(context, size, &buffer));
    clear_buffer(context, buffer);
    return buffer;
}

/* The same, for value operations too. */
static inline gc_buffer *open_waitable(const gc_context *context, size_t size) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate_waitable(context, size, &buffer));
    clear_buffer(context, buffer);
    return buffer;
}

static inline gc_status launch(const gc_stream *stream, const gc_kernel *kernel, uint32_t blocks, uint32_t threads,
                               const gc_kernel_arg *arguments, size_t count) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    config.grid_dim[0] = blocks;
    config.block_dim[0] = threads;
    return gc_stream_launch_kernel(stream, kernel, &config, arguments, count);
}

/* Most tests need these; the kernels are those that they launch most. */
struct rig {
    gc_context *context;
    gc_module *module;
    gc_stream *stream;
    gc_kernel *add, *fill, *hold, *mix, *note;
};

/* Whether gc_node_set_grid_scalar(), which answered `status` just now, was refused by a driver before CUDA 12.4. No other refusal is
 * expected. */
static inline int is_of_older_driver(gc_status status) {
    char message[512] = "";
    if (status == GRAPHCAP_SUCCESS)
        return 0;
    gc_last_error_message(message, sizeof message, NULL);
    CHECK(on_cuda() && status == GRAPHCAP_ERROR_NOT_SUPPORTED && check_contains(message, "CUDA 12.4"));
    return 1;
}

/* Takes over the context. */
static inline void rig_open_in(struct rig *rig, gc_context *context) {
    rig->context = context;
    rig->module = load_kernels(rig->context);
    rig->stream = open_stream(rig->context, 0);
    rig->add = get_kernel(rig->module, "add");
    rig->fill = get_kernel(rig->module, "fill");
    rig->hold = get_kernel(rig->module, "hold");
    rig->mix = get_kernel(rig->module, "mix");
    rig->note = get_kernel(rig->module, "note");
}

static inline void rig_open(struct rig *rig) {
    rig_open_in(rig, open_context());
}

static inline void rig_close(struct rig *rig) {
    CHECK_OK(gc_kernel_destroy(rig->note));
    CHECK_OK(gc_kernel_destroy(rig->mix));
    CHECK_OK(gc_kernel_destroy(rig->hold));
    CHECK_OK(gc_kernel_destroy(rig->fill));
    CHECK_OK(gc_kernel_destroy(rig->add));
    CHECK_OK(gc_stream_destroy(rig->stream));
    CHECK_OK(gc_module_destroy(rig->module));
    CHECK_OK(gc_context_destroy(rig->context));
}

static inline gc_status launch_add(const struct rig *rig, const gc_stream *stream, const gc_buffer *buffer, size_t offset,
                                   uint32_t value, uint64_t count) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, offset), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(stream, rig->add, (uint32_t)((count + 63) / 64), 64, arguments, 3);
}

static inline gc_status launch_mix(const struct rig *rig, const gc_stream *stream, const gc_buffer *buffer, unsigned result,
                                   unsigned a, unsigned b, uint32_t c) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, result * sizeof(uint32_t)),
                                 GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, a * sizeof(uint32_t)),
                                 GRAPHCAP_ARG_INIT_BUFFER_AT(buffer, b * sizeof(uint32_t)), GRAPHCAP_ARG_INIT_VALUE(c)};
    return launch(stream, rig->mix, 1, 1, arguments, 4);
}

/* Occupies the stream until the gate opens: on the host device with a kernel, on a GPU, where none can wait for a lock
 * of the CPU's, with a host function. The driver may run those one after another, so one gate is held at a time. */
static inline gc_status launch_hold(const struct rig *rig, const gc_stream *stream, struct gate *gate) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(gate)};
    if (on_cuda())
        return gc_stream_launch_host_func(stream, gate_hold, gate, NULL);
    return launch(stream, rig->hold, 1, 1, arguments, 1);
}

static inline gc_buffer *open_journal(const gc_context *context) {
    return open_buffer(context, sizeof(struct journal));
}

static inline gc_status launch_note(const struct rig *rig, const gc_stream *stream, const gc_buffer *journal,
                                    uint32_t entry) {
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(journal), GRAPHCAP_ARG_INIT_VALUE(entry)};
    return launch(stream, rig->note, 1, 1, arguments, 2);
}

/* Reads a journal, whatever other streams do or wait for. */
static inline void read_journal(const gc_context *context, const gc_buffer *journal, struct journal *seen) {
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    memset(seen, 0, sizeof *seen);
    CHECK_OK(gc_stream_memcpy_dtoh(stream, seen, journal, 0, sizeof *seen));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
}

/* Waits until a journal has `wanted` entries, and reads it. */
static inline int await_journal(const gc_context *context, const gc_buffer *journal, uint32_t wanted,
                                struct journal *seen) {
    int rounds;
    for (rounds = 0; rounds < 20000; rounds++) {
        read_journal(context, journal, seen);
        if (seen->length >= wanted)
            return 1;
        pause_ms(1);
    }
    return 0;
}

/* The journal has `length` entries, which count up from 0 and start again after `period` of them. */
static inline void check_counts_up(const struct journal *seen, uint32_t length, uint32_t period) {
    uint32_t i;
    CHECK(seen->length == length);
    for (i = 0; i < length; i++)
        if (seen->entries[i] != i % period)
            break;
    CHECK(i == length);
}

/* Reads element `index` of a buffer of uint32_t through a stream, after everything in it. */
static inline uint32_t read_u32(const gc_stream *stream, const gc_buffer *buffer, size_t index) {
    uint32_t value = 0xffffffffu;
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &value, buffer, index * sizeof value, sizeof value));
    CHECK_OK(gc_stream_synchronize(stream));
    return value;
}

/* Memory that is not graphcap's, to be wrapped: the CPU's for the host device, for a GPU that of another context. Not
 * to be moved while it is open. */
struct foreign {
    uint32_t memory[16];
    void *address;
    gc_context *context;
    gc_stream *stream;
    gc_buffer *buffer;
};

static inline void foreign_open(struct foreign *foreign) {
    uint64_t address = 0;
    memset(foreign, 0, sizeof *foreign);
    foreign->address = foreign->memory;
    if (!on_cuda())
        return;
    foreign->context = open_context();
    foreign->stream = open_stream(foreign->context, GRAPHCAP_STREAM_NON_BLOCKING);
    foreign->buffer = open_waitable(foreign->context, sizeof foreign->memory);
    REQUIRE_OK(gc_buffer_address(foreign->buffer, &address));
    foreign->address = (void *)(uintptr_t)address;
}

/* Its word `index` now; the work that writes it must be over. */
static inline uint32_t foreign_word(const struct foreign *foreign, size_t index) {
    if (foreign->buffer != NULL)
        return read_u32(foreign->stream, foreign->buffer, index);
    return *(const volatile uint32_t *)&foreign->memory[index];
}

static inline void foreign_clear(struct foreign *foreign) {
    memset(foreign->memory, 0, sizeof foreign->memory);
    if (foreign->buffer == NULL)
        return;
    CHECK_OK(gc_stream_memset(foreign->stream, foreign->buffer, 0, 0, 1, sizeof foreign->memory));
    CHECK_OK(gc_stream_synchronize(foreign->stream));
}

static inline void foreign_close(struct foreign *foreign) {
    CHECK_OK(gc_buffer_destroy(foreign->buffer));
    CHECK_OK(gc_stream_destroy(foreign->stream));
    CHECK_OK(gc_context_destroy(foreign->context));
}

/* Wraps all of it; `released` counts how often it is given back. */
static inline gc_buffer *wrap_foreign(const gc_context *context, struct foreign *foreign, unsigned *released) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_wrap(context, foreign->address, sizeof foreign->memory, released, count_call, &buffer));
    return buffer;
}

/* A context that is made now works. */
static inline void check_new_context_works(void) {
    struct rig rig;
    gc_buffer *buffer;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 4);
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    CHECK(read_u32(rig.stream, buffer, 0) == 3);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

/* Ends the capture of `stream`, which must work, and instantiates the graph, which it gives up. */
static inline gc_graph_exec *finish_capture(const gc_stream *stream) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_graph_destroy(graph));
    return exec;
}

static inline gc_capture_state capture_state(const gc_stream *stream) {
    gc_capture_state state = -1;
    CHECK_OK(gc_stream_capture_status(stream, &state));
    return state;
}

/* Runs `body(argument)` on another thread and waits for its end. */
static inline void on_another_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument) != 0)
        exit(EXIT_FAILURE);
    pthread_join(thread, NULL);
}

#endif
