/* The device that the calls are made on: memory to wrap, what must be left of it, and that it still works. */
#include "fuzz.h"

#include "../stand_in/stand_in.h"

#include <dlfcn.h>

unsigned char *device_flags, *device_memory;
uint64_t baseline_handles;

/* Of CUDA devices: the first one's has the memory that is wrapped. There is one on each device, as only a wait for a device tells how
 * far the streams of others are there, and contexts that ended wait for that. */
enum { MOST_DEVICES = 8 };
static gc_context *base_contexts[MOST_DEVICES];
static gc_host_buffer *base_buffer;

/* The stand-in for the CUDA driver, where that is the driver: it counts what is alive in it, and wrong uses. */
static long (*stand_in_count)(int kind);
static unsigned (*stand_in_wrong)(char *text, size_t capacity);

/* ---- What is left ---- */

static void find_stand_in(void) {
    const char *path = getenv("GRAPHCAP_CUDA_LIBRARY");
    void *library = options.cuda && path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL, *found;
    if (library == NULL || (found = dlsym(library, "stand_in_live")) == NULL)
        return;
    memcpy(&stand_in_count, &found, sizeof found);
    found = dlsym(library, "stand_in_violations");
    memcpy(&stand_in_wrong, &found, sizeof found);
}

/* Has CUDA devices give back what they do only where something waits anyway. */
gc_status device_collect(void) {
    gc_status status = GRAPHCAP_SUCCESS;
    unsigned i;
    for (i = 0; i < MOST_DEVICES && base_contexts[i] != NULL && status == GRAPHCAP_SUCCESS; i++) {
        status = gc_context_synchronize(base_contexts[i]);
        if (status == GRAPHCAP_SUCCESS)
            status = gc_context_collect(base_contexts[i]);
    }
    return status;
}

/* Ends what the calling thread captures on its default streams of CUDA devices. */
void device_end_captures(void) {
    unsigned i;
    for (i = 0; i < MOST_DEVICES && base_contexts[i] != NULL; i++) {
        gc_stream *stream = NULL;
        gc_graph *graph = NULL;
        if (gc_context_per_thread_stream(base_contexts[i], &stream) != GRAPHCAP_SUCCESS)
            continue;
        if (gc_stream_end_capture(stream, &graph) == GRAPHCAP_SUCCESS)
            gc_graph_destroy(graph);
        gc_stream_destroy(stream);
    }
}

void check_driver_use(void) {
    char text[256] = "";
    if (stand_in_wrong != NULL && stand_in_wrong(text, sizeof text) != 0)
        fail("wrong use of the driver", "wrong use of the driver: %s", text);
}

static _Atomic int has_parted;

void parted(void) {
    atomic_store(&has_parted, 1);
}

/* All handles are destroyed, contexts too: nothing is alive in the driver, but for what graphs allocated and others may free. */
static void check_driver_is_empty(void) {
    static const char *const names[] = {"retains of contexts", "streams", "events", "graphs",      "graph execs",
                                        "user objects",        "modules", "pools",  "allocations", "pinned ranges"};
    char key[64];
    int kind, rounds;
    for (kind = 0; stand_in_count != NULL && kind < STAND_IN_KINDS; kind++) {
        if (kind == STAND_IN_ALLOCATIONS && atomic_load(&has_parted))
            continue;
        for (rounds = 0; rounds < patience_ms && stand_in_count(kind) > 0; rounds++)
            pause_ms(1);
        if (stand_in_count(kind) <= 0)
            continue;
        snprintf(key, sizeof key, "left in the driver %d", kind);
        fail(key, "%ld %s are left in the driver", stand_in_count(kind), names[kind]);
    }
}

/* ---- The device ---- */

static void require(gc_status status, const char *what) {
    char message[512] = "";
    if (status == GRAPHCAP_SUCCESS)
        return;
    gc_last_error_message(message, sizeof message, NULL);
    fail("unusable", "%s answered %d: %s", what, (int)status, message);
}

static void open_base_contexts(void) {
    gc_context_options where = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    uint32_t count = 0;
    require(gc_device_count(GRAPHCAP_DEVICE_CUDA, &count), "gc_device_count");
    where.device_kind = GRAPHCAP_DEVICE_CUDA;
    for (; where.device_ordinal < count && where.device_ordinal < MOST_DEVICES; where.device_ordinal++)
        require(gc_context_create(&where, &base_contexts[where.device_ordinal]), "gc_context_create");
}

/* Memory to wrap: the process's own on a host device; on a CUDA device pinned memory, as contexts of the host device may be given
 * its address too, of a context that lives all the time. */
void device_open(void) {
    static _Alignas(4096) unsigned char memory[FLAGS_SIZE + 4096 + MEMORY_SIZE];
    unsigned char *first = memory;
    if (options.cuda) {
        void *address = NULL;
        open_base_contexts();
        require(gc_host_buffer_allocate(base_contexts[0], sizeof memory, 0, &base_buffer), "gc_host_buffer_allocate");
        require(gc_host_buffer_pointer(base_buffer, &address), "gc_host_buffer_pointer");
        first = (unsigned char *)memset(address, 0, sizeof memory);
    }
    device_flags = first;
    device_memory = first + 4096;
    baseline_handles = gc_live_handles();
    find_stand_in();
}

void device_close(void) {
    unsigned i;
    require(gc_host_buffer_destroy(base_buffer), "gc_host_buffer_destroy");
    for (i = 0; i < MOST_DEVICES; i++) {
        require(gc_context_destroy(base_contexts[i]), "gc_context_destroy");
        base_contexts[i] = NULL;
    }
    base_buffer = NULL;
    if (gc_live_handles() != 0)
        fail("handles left", "gc_live_handles() tells %llu at the end", (unsigned long long)gc_live_handles());
    check_driver_is_empty();
}

/* The library still does its work after all that: what is captured and replayed arrives. */
void check_usable(void) {
    static unsigned char read[64];
    gc_context *context = NULL;
    gc_stream *stream = NULL;
    gc_buffer *buffer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    size_t i;
    require(gc_context_create(NULL, &context), "gc_context_create");
    require(gc_stream_create(context, NULL, &stream), "gc_stream_create");
    require(gc_buffer_allocate(context, sizeof read, &buffer), "gc_buffer_allocate");
    require(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), "gc_stream_begin_capture");
    require(gc_stream_memset(stream, buffer, 0, 0x5c, 1, sizeof read), "gc_stream_memset");
    require(gc_stream_memcpy_dtoh(stream, read, buffer, 0, sizeof read), "gc_stream_memcpy_dtoh");
    require(gc_stream_end_capture(stream, &graph), "gc_stream_end_capture");
    require(gc_graph_instantiate(graph, NULL, &exec), "gc_graph_instantiate");
    memset(read, 0, sizeof read);
    require(gc_graph_launch(exec, stream), "gc_graph_launch");
    require(gc_stream_synchronize(stream), "gc_stream_synchronize");
    for (i = 0; i < sizeof read; i++)
        if (read[i] != 0x5c)
            fail("unusable", "a replay did not do its work");
    require(gc_graph_exec_destroy(exec), "gc_graph_exec_destroy");
    require(gc_graph_destroy(graph), "gc_graph_destroy");
    require(gc_buffer_destroy(buffer), "gc_buffer_destroy");
    require(gc_stream_destroy(stream), "gc_stream_destroy");
    require(gc_context_destroy(context), "gc_context_destroy");
}
