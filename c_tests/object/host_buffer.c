/* Pinned host memory: allocated and registered, its flags, copies that never keep their caller, what graphs keep of it,
 * and snapshots of plain host memory. */
#include "kernels.h"

#include <sys/resource.h>

enum { WORDS = 256, BYTES = 4 * WORDS };

static struct rig rig;
static gc_buffer *buffer;

static gc_host_buffer *allocate(uint32_t flags) {
    gc_host_buffer *host_buffer = NULL;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, BYTES, flags, &host_buffer));
    return host_buffer;
}

static uint32_t *words_of(const gc_host_buffer *host_buffer) {
    void *pointer = NULL;
    REQUIRE_OK(gc_host_buffer_pointer(host_buffer, &pointer));
    return (uint32_t *)pointer;
}

static void set_words(uint32_t *words, uint32_t value) {
    size_t i;
    for (i = 0; i < WORDS; i++)
        words[i] = value;
}

/* From a host buffer to the buffer, or back. */
static gc_memcpy_params to_device(const gc_host_buffer *host_buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, NULL, BYTES);
    copy.source_host_buffer = host_buffer;
    return copy;
}

static gc_memcpy_params to_host(const gc_host_buffer *host_buffer) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, buffer, 0, BYTES);
    copy.destination_host_buffer = host_buffer;
    return copy;
}

static void every_combination_of_flags_gives_memory(void) {
    uint32_t flags;
    for (flags = 0; flags < 8; flags++) {
        gc_host_buffer *host_buffer = allocate(flags);
        gc_memcpy_params in = to_device(host_buffer), out = to_host(host_buffer);
        uint32_t *words = words_of(host_buffer);
        uint64_t address = 1;
        size_t size = 0;
        CHECK_OK(gc_host_buffer_size(host_buffer, &size));
        CHECK(size == BYTES && (uintptr_t)words % 256 == 0);
        set_words(words, flags + 100);
        CHECK_OK(gc_stream_memcpy(rig.stream, &in));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, WORDS));
        CHECK_OK(gc_stream_memcpy(rig.stream, &out));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(words[0] == flags + 101 && words[WORDS - 1] == flags + 101);
        if (flags & GRAPHCAP_HOST_BUFFER_MAPPED) {
            CHECK_OK(gc_host_buffer_device_address(host_buffer, &address));
            CHECK(address != 0);
        } else {
            CHECK_MESSAGE(gc_host_buffer_device_address(host_buffer, &address), GRAPHCAP_ERROR_INVALID_VALUE, "mapped");
            CHECK(address == 0);
        }
        CHECK_OK(gc_host_buffer_destroy(host_buffer));
    }
    CHECK_OK(gc_context_collect(rig.context));
}

static void wrong_arguments_are_refused(void) {
    static uint32_t memory[WORDS];
    gc_host_buffer *host_buffer = NULL;
    unsigned released = 0;
    CHECK_MESSAGE(gc_host_buffer_allocate(rig.context, 0, 0, &host_buffer), GRAPHCAP_ERROR_INVALID_VALUE, "size");
    CHECK_MESSAGE(gc_host_buffer_allocate(rig.context, 8, 8, &host_buffer), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_STATUS(gc_host_buffer_allocate(rig.context, (size_t)1 << 60, 0, &host_buffer), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK(host_buffer == NULL);
#define REGISTER(address, size, flags) \
    gc_host_buffer_register(rig.context, address, size, flags, &released, count_call, &host_buffer)
    CHECK_MESSAGE(REGISTER(NULL, 8, 0), GRAPHCAP_ERROR_INVALID_VALUE, "address");
    CHECK_MESSAGE(REGISTER(memory, 0, 0), GRAPHCAP_ERROR_INVALID_VALUE, "0 bytes");
    CHECK_MESSAGE(REGISTER(memory, SIZE_MAX, 0), GRAPHCAP_ERROR_INVALID_VALUE, "address space");
    CHECK_MESSAGE(REGISTER(memory, 8, GRAPHCAP_HOST_BUFFER_WRITE_COMBINED), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK(host_buffer == NULL && count_of(&released) == 4);
}

/* Memory of the caller's is handed back once, when it is pinned no longer, and can be pinned again then. */
static void registered_memory_is_handed_back_once(void) {
    static uint32_t *memory;
    unsigned released = 0, refused = 0;
    unsigned round;
    memory = (uint32_t *)malloc(BYTES);
    for (round = 1; round <= 3; round++) {
        gc_host_buffer *host_buffer = NULL, *twice = NULL;
        gc_memcpy_params in, out;
        REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, GRAPHCAP_HOST_BUFFER_MAPPED, &released,
                                           count_call, &host_buffer));
        CHECK(words_of(host_buffer) == memory);
        CHECK_STATUS(gc_host_buffer_register(rig.context, memory, BYTES, 0, &refused, count_call, &twice),
                     GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        CHECK(twice == NULL && count_of(&refused) == round);
        set_words(memory, round);
        in = to_device(host_buffer);
        out = to_host(host_buffer);
        CHECK_OK(gc_stream_memcpy(rig.stream, &in));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 5, WORDS));
        CHECK_OK(gc_stream_memcpy(rig.stream, &out));
        CHECK_OK(gc_host_buffer_destroy(host_buffer));
        CHECK_OK(gc_context_synchronize(rig.context));
        CHECK(await_count(&released, round));
        CHECK(memory[0] == round + 5 && memory[WORDS - 1] == round + 5);
    }
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(count_of(&released) == 3 && count_of(&refused) == 3);
    free(memory);
}

/* What was allocated pinned is another refusal than what was registered: so the driver (580) tells them apart. */
static void pinned_memory_is_not_registered(void) {
    gc_host_buffer *allocated = allocate(0), *registered = NULL;
    unsigned char *bytes = (unsigned char *)words_of(allocated);
    unsigned refused = 0;
    CHECK_STATUS(gc_host_buffer_register(rig.context, bytes + BYTES - 1, 1, 0, &refused, count_call, &registered),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_host_buffer_register(rig.context, bytes, BYTES, 0, &refused, count_call, &registered),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(registered == NULL && count_of(&refused) == 2);
    CHECK_OK(gc_host_buffer_destroy(allocated));
}

/* Copies from and to pinned memory return at once, whatever their stream waits for; they use it when they run. */
static void copies_of_pinned_memory_never_keep_their_caller(void) {
    gc_host_buffer *in_memory = allocate(0), *out_memory = allocate(0);
    gc_memcpy_params in = to_device(in_memory), out = to_host(out_memory);
    struct gate gate;
    gate_init(&gate);
    in.size = out.size = 16;
    in.height = out.height = 4;
    in.source_pitch = out.destination_pitch = 64;
    set_words(words_of(in_memory), 1);
    set_words(words_of(out_memory), 2);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    CHECK_OK(gc_stream_memcpy(rig.stream, &out));
    gate_await(&gate, 1);
    CHECK(words_of(out_memory)[0] == 2);
    words_of(in_memory)[0] = 3;
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(words_of(out_memory)[0] == 3 && words_of(out_memory)[1] == 1 && words_of(out_memory)[4] == 2);
    CHECK(words_of(out_memory)[48 + 3] == 1 && words_of(out_memory)[48 + 4] == 2);
    CHECK_OK(gc_host_buffer_destroy(in_memory));
    CHECK_OK(gc_host_buffer_destroy(out_memory));
    gate_free(&gate);
}

/* Destroying neither waits nor takes the memory from work that was submitted. */
static void submitted_copies_keep_their_memory(void) {
    gc_host_buffer *memory = allocate(0);
    gc_memcpy_params in = to_device(memory);
    struct gate gate;
    gate_init(&gate);
    set_words(words_of(memory), 77);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    CHECK_OK(gc_host_buffer_destroy(memory));
    gate_await(&gate, 1);
    gate_open(&gate);
    CHECK(read_u32(rig.stream, buffer, WORDS - 1) == 77);
    gate_free(&gate);
}

/* A graph, and then its exec, keep host buffers: the handle and the graph may go, and all that waits may run. */
static void graphs_keep_host_buffers(void) {
    static uint32_t memory[WORDS];
    gc_host_buffer *in_memory = NULL, *out_memory = allocate(0);
    gc_memcpy_params in, out = to_host(out_memory);
    gc_graph_exec *exec;
    unsigned released = 0, replay;
    REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, &released, count_call, &in_memory));
    in = to_device(in_memory);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, WORDS));
    CHECK_OK(gc_stream_memcpy(rig.stream, &out));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_host_buffer_destroy(in_memory));
    for (replay = 1; replay <= 3; replay++) {
        CHECK_OK(gc_context_collect(rig.context));
        CHECK_OK(gc_context_synchronize(rig.context));
        CHECK(count_of(&released) == 0);
        set_words(memory, 10 * replay);
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(words_of(out_memory)[0] == 10 * replay + 1 && words_of(out_memory)[WORDS - 1] == 10 * replay + 1);
    }
    CHECK_OK(gc_host_buffer_destroy(out_memory));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(collect_until(rig.context, &released, 1));
    CHECK(count_of(&released) == 1);
}

/* Neither making nor destroying harms a capture in the strictest mode. */
static void captures_are_not_harmed(void) {
    static uint32_t memory[WORDS];
    gc_host_buffer *registered = NULL, *allocated;
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    allocated = allocate(GRAPHCAP_HOST_BUFFER_PORTABLE | GRAPHCAP_HOST_BUFFER_MAPPED);
    REQUIRE_OK(gc_host_buffer_register(rig.context, memory, BYTES, 0, NULL, NULL, &registered));
    CHECK_OK(gc_host_buffer_destroy(allocated));
    CHECK_OK(gc_host_buffer_destroy(registered));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Kernels use mapped memory by its device address. */
static void kernels_use_mapped_memory(void) {
    gc_host_buffer *host_buffer = allocate(GRAPHCAP_HOST_BUFFER_MAPPED);
    uint32_t value = 6;
    uint64_t address = 0, count = WORDS;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    set_words(words_of(host_buffer), 4);
    CHECK_OK(gc_host_buffer_device_address(host_buffer, &address));
    CHECK_OK(launch(rig.stream, rig.add, WORDS / 64, 64, arguments, 3));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(words_of(host_buffer)[0] == 10 && words_of(host_buffer)[WORDS - 1] == 10);
    CHECK_OK(gc_host_buffer_destroy(host_buffer));
}

/* A snapshot is what the memory was at the call: replays read it when that is changed and freed. */
static void snapshots_live_with_the_graph(void) {
    uint32_t *words = (uint32_t *)malloc(BYTES);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, words, 16);
    gc_graph_exec *exec;
    unsigned replay;
    set_words(words, 5);
    words[16] = 6;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    copy.height = 2;
    copy.source_pitch = 64;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    memset(words, 0xff, BYTES);
    free(words);
    exec = finish_capture(rig.stream);
    for (replay = 0; replay < 3; replay++) {
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 16));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK(read_u32(rig.stream, buffer, 0) == 5 && read_u32(rig.stream, buffer, 4) == 6);
        CHECK(read_u32(rig.stream, buffer, 7) == 5 && read_u32(rig.stream, buffer, 8) == 0);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* The same for a copy that runs: what is copied later is what was there at the call. */
static void snapshots_live_until_an_eager_copy_has_run(void) {
    uint32_t *words;
    gc_memcpy_params copy;
    struct gate gate;
    NOT_ON_CUDA("a copy of pageable memory keeps its caller until the work before it has run");
    words = (uint32_t *)malloc(BYTES);
    copy = to_device(NULL);
    copy.source_host = words;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    gate_init(&gate);
    set_words(words, 21);
    CHECK_OK(launch_hold(&rig, rig.stream, &gate));
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    memset(words, 0xff, BYTES);
    free(words);
    gate_await(&gate, 1);
    gate_open(&gate);
    CHECK(read_u32(rig.stream, buffer, 0) == 21 && read_u32(rig.stream, buffer, WORDS - 1) == 21);
    gate_free(&gate);
}

/* A snapshot for which there is room, but not twice. Where the limit has no effect, as under valgrind, there is room
 * anyway. */
static void snapshots_take_their_size_once(void) {
    enum { MIB = 1 << 20, SIZE = 128 * MIB };
    struct rlimit before, limit;
    unsigned long in_use = 0;
    char line[256], *bytes;
    gc_buffer *large;
    gc_memcpy_params copy;
    FILE *status;
    NOT_ON_CUDA("a limit for the process is one for the driver, too");
    large = open_buffer(rig.context, SIZE);
    bytes = (char *)calloc(1, SIZE);
    copy = to_device(NULL);
    copy.destination = large;
    copy.source_host = bytes;
    copy.size = SIZE;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmData: %lu", &in_use) == 1)
            break;
    if (status != NULL)
        fclose(status);
    CHECK(getrlimit(RLIMIT_DATA, &before) == 0);
    limit = before;
    limit.rlim_cur = (rlim_t)in_use * 1024 + SIZE + SIZE / 2;
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    CHECK(setrlimit(RLIMIT_DATA, &before) == 0);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(large));
    free(bytes);
}

/* One for which there is none. Its memory is not looked at, since the host has not as much. */
static void there_may_be_no_memory_for_a_snapshot(void) {
    const size_t size = (size_t)1 << 50;
    gc_buffer *impossible = NULL;
    gc_memcpy_params copy;
    NOT_ON_CUDA("it wraps no memory that the driver does not know");
    REQUIRE_OK(gc_buffer_wrap(rig.context, (void *)(uintptr_t)(1ull << 60), size, NULL, NULL, &impossible));
    copy = to_device(NULL);
    copy.destination = impossible;
    copy.source_host = &copy;
    copy.size = size;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &copy), GRAPHCAP_ERROR_OUT_OF_MEMORY, "snapshot");
    CHECK_MESSAGE(gc_context_memcpy(rig.context, &copy), GRAPHCAP_ERROR_OUT_OF_MEMORY, "snapshot");
    CHECK_OK(gc_buffer_destroy(impossible));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, BYTES);
    RUN(every_combination_of_flags_gives_memory);
    RUN(wrong_arguments_are_refused);
    RUN(registered_memory_is_handed_back_once);
    RUN(pinned_memory_is_not_registered);
    RUN(copies_of_pinned_memory_never_keep_their_caller);
    RUN(submitted_copies_keep_their_memory);
    RUN(graphs_keep_host_buffers);
    RUN(captures_are_not_harmed);
    RUN(kernels_use_mapped_memory);
    RUN(snapshots_live_with_the_graph);
    RUN(snapshots_live_until_an_eager_copy_has_run);
    RUN(snapshots_take_their_size_once);
    RUN(there_may_be_no_memory_for_a_snapshot);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
