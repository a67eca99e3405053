/* The raw CUDA driver beside graphcap, for the tests that only a GPU can answer: its functions found at run time and
 * declared with integers and void pointers, so that no CUDA header is needed. Where there is no GPU to test on,
 * cuda_open() says why and ends the program as skipped. */
#ifndef GRAPHCAP_TESTS_CUDA_DRIVER_H
#define GRAPHCAP_TESTS_CUDA_DRIVER_H

#include "kernels.h"

#include <dlfcn.h>

/* CUDA_HOST_NODE_PARAMS. */
struct cuda_host_node {
    void (*function)(void *user_data);
    void *user_data;
};

/* Member, the driver's symbol, parameters. The symbols are those that a 12.0 driver has. */
#define CUDA_FUNCTIONS(F)                                                                                             \
    F(error_name, cuGetErrorName, (int code, const char **name))                                                      \
    F(device_get, cuDeviceGet, (int *device, int ordinal))                                                            \
    F(primary_retain, cuDevicePrimaryCtxRetain, (void **context, int device))                                         \
    F(primary_release, cuDevicePrimaryCtxRelease_v2, (int device))                                                    \
    F(context_create, cuCtxCreate_v2, (void **context, unsigned flags, int device))                                   \
    F(context_destroy, cuCtxDestroy_v2, (void *context))                                                              \
    F(context_push, cuCtxPushCurrent_v2, (void *context))                                                             \
    F(context_pop, cuCtxPopCurrent_v2, (void **context))                                                              \
    F(context_current, cuCtxGetCurrent, (void **context))                                                             \
    F(context_set, cuCtxSetCurrent, (void *context))                                                                  \
    F(context_synchronize, cuCtxSynchronize, (void))                                                                  \
    F(stream_create, cuStreamCreate, (void **stream, unsigned flags))                                                 \
    F(stream_destroy, cuStreamDestroy_v2, (void *stream))                                                             \
    F(stream_synchronize, cuStreamSynchronize, (void *stream))                                                        \
    F(stream_query, cuStreamQuery, (void *stream))                                                                    \
    F(stream_wait_event, cuStreamWaitEvent, (void *stream, void *event, unsigned flags))                              \
    F(stream_wait_value, cuStreamWaitValue32_v2, (void *stream, uint64_t address, uint32_t value, unsigned flags))    \
    F(begin_capture, cuStreamBeginCapture_v2, (void *stream, unsigned mode))                                          \
    F(end_capture, cuStreamEndCapture, (void *stream, void **graph))                                                  \
    F(is_capturing, cuStreamIsCapturing, (void *stream, int *state))                                                  \
    F(event_create, cuEventCreate, (void **event, unsigned flags))                                                    \
    F(event_destroy, cuEventDestroy_v2, (void *event))                                                                \
    F(event_record, cuEventRecord, (void *event, void *stream))                                                       \
    F(event_synchronize, cuEventSynchronize, (void *event))                                                           \
    F(memory_allocate, cuMemAlloc_v2, (uint64_t *address, size_t size))                                               \
    F(memory_allocate_managed, cuMemAllocManaged, (uint64_t *address, size_t size, unsigned flags))                   \
    F(memory_free, cuMemFree_v2, (uint64_t address))                                                                  \
    F(memory_info, cuMemGetInfo_v2, (size_t *free_bytes, size_t *total))                                              \
    F(host_allocate, cuMemHostAlloc, (void **memory, size_t size, unsigned flags))                                    \
    F(host_free, cuMemFreeHost, (void *memory))                                                                       \
    F(host_address, cuMemHostGetDevicePointer_v2, (uint64_t *address, void *memory, unsigned flags))                  \
    F(copy_in, cuMemcpyHtoDAsync_v2, (uint64_t destination, const void *source, size_t size, void *stream))           \
    F(copy_out, cuMemcpyDtoHAsync_v2, (void *destination, uint64_t source, size_t size, void *stream))                \
    F(copy, cuMemcpyDtoDAsync_v2, (uint64_t destination, uint64_t source, size_t size, void *stream))                 \
    F(fill_bytes, cuMemsetD8Async, (uint64_t address, unsigned char value, size_t count, void *stream))               \
    F(fill_words, cuMemsetD32Async, (uint64_t address, unsigned value, size_t count, void *stream))                   \
    F(link_create, cuLinkCreate_v2, (unsigned count, int *options, void **values, void **link))                       \
    F(link_add, cuLinkAddData_v2,                                                                                     \
      (void *link, int kind, void *data, size_t size, const char *name, unsigned count, int *options, void **values)) \
    F(link_complete, cuLinkComplete, (void *link, void **image, size_t *size))                                        \
    F(link_destroy, cuLinkDestroy, (void *link))                                                                      \
    F(module_function, cuModuleGetFunction, (void **function, void *module, const char *name))                        \
    F(launch_kernel, cuLaunchKernel,                                                                                  \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,         \
       unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra))                       \
    F(graph_nodes, cuGraphGetNodes, (void *graph, void **nodes, size_t *count))                                       \
    F(graph_edges, cuGraphGetEdges, (void *graph, void **from, void **to, size_t *count))                             \
    F(node_destroy, cuGraphDestroyNode, (void *node))                                                                 \
    F(graph_add_empty, cuGraphAddEmptyNode, (void **node, void *graph, void *const *dependencies, size_t count))      \
    F(graph_add_host, cuGraphAddHostNode,                                                                             \
      (void **node, void *graph, void *const *dependencies, size_t count, const struct cuda_host_node *host))         \
    F(graph_instantiate, cuGraphInstantiateWithFlags, (void **exec, void *graph, unsigned long long flags))           \
    F(graph_launch, cuGraphLaunch, (void *exec, void *stream))                                                        \
    F(graph_destroy, cuGraphDestroy, (void *graph))                                                                   \
    F(exec_destroy, cuGraphExecDestroy, (void *exec))

#define CUDA_MEMBER(member, symbol, parameters) int(*member) parameters;
struct cuda {
    CUDA_FUNCTIONS(CUDA_MEMBER)
    /* The primary context of the device, and the device. */
    void *primary;
    int device;
};
#undef CUDA_MEMBER

static struct cuda cu;

/* Numbers of the driver's. */
enum {
    CU_STREAM_BLOCKING = 0,
    CU_STREAM_APART = 1,
    CU_EVENT_NO_TIMING = 2,
    CU_HOST_MAPPED = 3, /* portable and mapped */
    CU_MANAGED_GLOBAL = 1,
    CU_WAIT_AT_LEAST = 0,
    CU_NOT_READY = 600,
    CU_LINK_PTX = 1
};

/* The handles that mean default streams. */
#define CU_LEGACY ((void *)(uintptr_t)1)
#define CU_PER_THREAD ((void *)(uintptr_t)2)

/* Returns whether the driver's answer is the expected one. */
static inline int check_raw(const char *file, int line, const char *call, int got, int expected) {
    const char *name = NULL;
    if (!check_failed(got == expected))
        return 1;
    if (cu.error_name(got, &name) != 0 || name == NULL)
        name = "?";
    fprintf(stderr, "%s:%d: in %s: raw driver: %s\n    gave %s (%d), expected %d\n", file, line, check_test, call, name,
            got, expected);
    return 0;
}

#define CHECK_CU(call, expected) check_raw(__FILE__, __LINE__, #call, (call), (expected))
#define CU_OK(call) CHECK_CU(call, 0)
#define REQUIRE_CU(call)         \
    do {                         \
        if (!CU_OK(call))        \
            exit(EXIT_FAILURE);  \
    } while (0)

/* Both numbers are told when they differ. */
static inline void check_equal(const char *file, int line, const char *text, uint64_t got, uint64_t expected) {
    if (check_failed(got == expected))
        fprintf(stderr, "%s:%d: in %s: %s\n    is %llu (%#llx), expected %llu (%#llx)\n", file, line, check_test, text,
                (unsigned long long)got, (unsigned long long)got, (unsigned long long)expected,
                (unsigned long long)expected);
}

#define CHECK_EQUAL(got, expected) \
    check_equal(__FILE__, __LINE__, #got " == " #expected, (uint64_t)(got), (uint64_t)(expected))

static inline void cuda_skip(const char *device, const char *why) {
    fprintf(stderr, "skipped on %s: the whole program: it tests what only a GPU has: %s\n", device, why);
    exit(EXIT_SKIPPED);
}

static inline void cuda_find(void *library, const char *symbol, void *member) {
    void *found = dlsym(library, symbol);
    if (found == NULL) {
        fprintf(stderr, "libcuda.so.1 has no %s\n", symbol);
        exit(EXIT_FAILURE);
    }
    memcpy(member, &found, sizeof found);
}

/* First in main(): loads the driver and leaves the primary context current on this thread, or skips the program. */
static inline void cuda_open(void) {
    char why[512] = "";
    uint32_t count = 0;
    void *library;
    if (gc_device_count(GRAPHCAP_DEVICE_CUDA, &count) != GRAPHCAP_SUCCESS) {
        gc_last_error_message(why, sizeof why, NULL);
        cuda_skip("any device", why);
    }
    if (!on_cuda()) {
        if (gc_device_auto_reason(why, sizeof why, NULL) != GRAPHCAP_SUCCESS)
            gc_last_error_message(why, sizeof why, NULL);
        cuda_skip("host", why);
    }
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "graphcap found a CUDA driver, and this program did not: %s\n", dlerror());
        exit(EXIT_FAILURE);
    }
#define CUDA_FIND(member, symbol, parameters) cuda_find(library, #symbol, &cu.member);
    CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
    REQUIRE_CU(cu.device_get(&cu.device, 0));
    REQUIRE_CU(cu.primary_retain(&cu.primary, cu.device));
    REQUIRE_CU(cu.context_set(cu.primary));
}

/* Last in main(). */
static inline int cuda_finish(void) {
    int status = check_finish();
    cu.primary_release(cu.device);
    return status;
}

static inline void *raw_stream(unsigned flags) {
    void *stream = NULL;
    REQUIRE_CU(cu.stream_create(&stream, flags));
    return stream;
}

static inline gc_stream *wrap_stream(const gc_context *context, void *native) {
    gc_stream *stream = NULL;
    REQUIRE_OK(gc_stream_wrap(context, native, &stream));
    return stream;
}

static inline void *native_stream(const gc_stream *stream) {
    void *native = NULL;
    REQUIRE_OK(gc_stream_native(stream, &native));
    return native;
}

static inline void *native_kernel(const gc_kernel *kernel) {
    void *native = NULL;
    REQUIRE_OK(gc_kernel_native(kernel, &native));
    return native;
}

static inline uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    return address;
}

static inline size_t free_memory(void) {
    size_t free_bytes = 0, total = 0;
    CU_OK(cu.memory_info(&free_bytes, &total));
    return free_bytes;
}

/* Waits until as much memory is free as before. */
static inline void check_memory(size_t before, const char *what) {
    int rounds;
    size_t now = free_memory();
    for (rounds = 0; now < before && rounds < 2000; rounds++) {
        pause_ms(10);
        now = free_memory();
    }
    if (check_failed(now >= before))
        fprintf(stderr, "in %s: after %s %llu bytes of %llu are missing\n", check_test, what,
                (unsigned long long)(before - now), (unsigned long long)before);
}

/* Makes a buffer of memory that is not graphcap's; `released` counts how often it is given back. */
static inline gc_buffer *wrap_memory(const gc_context *context, uint64_t address, size_t size, unsigned *released) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_wrap(context, (void *)(uintptr_t)address, size, released, count_call, &buffer));
    return buffer;
}

/* The user data of a host function that counts its calls, and that it is dropped. */
struct told {
    unsigned *calls, *dropped;
};

static inline void told_call(void *user_data) {
    count_call(((struct told *)user_data)->calls);
}

static inline void told_drop(void *user_data) {
    unsigned *dropped = ((struct told *)user_data)->dropped;
    memset(user_data, 0, sizeof(struct told));
    free(user_data);
    count_call(dropped);
}

static inline struct told *told_open(unsigned *calls, unsigned *dropped) {
    struct told *told = (struct told *)malloc(sizeof *told);
    if (told == NULL)
        exit(EXIT_FAILURE);
    told->calls = calls;
    told->dropped = dropped;
    return told;
}

/* What must not take for ever: a thread ends the program, saying what hung, when it takes 20 seconds. */
static const char *watched_what;
static int64_t watched_since;

static inline int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void *watch(void *unused) {
    (void)unused;
    for (;;) {
        int64_t since = __atomic_load_n(&watched_since, __ATOMIC_SEQ_CST);
        if (since != 0 && now_ms() - since > 20000) {
            fprintf(stderr, "in %s: hangs: %s\n", check_test, __atomic_load_n(&watched_what, __ATOMIC_SEQ_CST));
            abort();
        }
        pause_ms(20);
    }
    return NULL;
}

static inline void watch_begin(const char *what) {
    static int started;
    pthread_t thread;
    __atomic_store_n(&watched_what, what, __ATOMIC_SEQ_CST);
    __atomic_store_n(&watched_since, now_ms(), __ATOMIC_SEQ_CST);
    if (!__atomic_exchange_n(&started, 1, __ATOMIC_SEQ_CST)) {
        if (pthread_create(&thread, NULL, watch, NULL) != 0)
            exit(EXIT_FAILURE);
        pthread_detach(thread);
    }
}

static inline void watch_end(void) {
    __atomic_store_n(&watched_since, 0, __ATOMIC_SEQ_CST);
}

/* Makes a call that must return soon. */
#define SOON(call)            \
    do {                      \
        watch_begin(#call);   \
        CHECK_OK(call);       \
        watch_end();          \
    } while (0)

/* Pinned memory that the device sees too. */
struct pinned {
    volatile uint32_t *words;
    uint64_t address;
};

static inline void pinned_open(struct pinned *pinned, size_t words) {
    void *memory = NULL;
    REQUIRE_CU(cu.host_allocate(&memory, words * sizeof(uint32_t), CU_HOST_MAPPED));
    REQUIRE_CU(cu.host_address(&pinned->address, memory, 0));
    memset(memory, 0, words * sizeof(uint32_t));
    pinned->words = (volatile uint32_t *)memory;
}

static inline void pinned_close(struct pinned *pinned) {
    CU_OK(cu.host_free((void *)(uintptr_t)pinned->words));
}

/* Holds a stream until the CPU writes the word: what the driver waits for itself, with no host function. */
static inline void raw_hold(void *stream, const struct pinned *pinned, size_t word) {
    REQUIRE_CU(cu.stream_wait_value(stream, pinned->address + word * sizeof(uint32_t), 1, CU_WAIT_AT_LEAST));
}

static inline void raw_let_go(const struct pinned *pinned, size_t word) {
    __atomic_store_n(&pinned->words[word], 1, __ATOMIC_SEQ_CST);
}

/* Launches the test kernels by the driver's own function, on words of the memory at `base`. */
static inline int raw_mix(void *stream, void *function, uint64_t base, unsigned result, unsigned a, unsigned b,
                          uint32_t c) {
    uint64_t result_at = base + result * 4, a_at = base + a * 4, b_at = base + b * 4;
    void *parameters[] = {&result_at, &a_at, &b_at, &c};
    return cu.launch_kernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
}

static inline int raw_add(void *stream, void *function, uint64_t address, uint32_t value, uint64_t count) {
    void *parameters[] = {&address, &value, &count};
    return cu.launch_kernel(function, (unsigned)((count + 63) / 64), 1, 1, 64, 1, 1, 0, stream, parameters, NULL);
}

static inline size_t raw_node_count(void *graph) {
    size_t count = 0;
    CU_OK(cu.graph_nodes(graph, NULL, &count));
    return count;
}

#endif
