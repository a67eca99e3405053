/* What others record on a stream that they have too: the end of the capture by a gc_ call has the graph keep the buffers whose
 * addresses are in it, and gc_graph_unresolved_pointers lists the addresses that are in no buffer. Memory that is gone is told, where
 * the capture noted it. */
#include "kernels.h"

#include <dlfcn.h>

/* The driver's functions, as others call them: member, symbol, parameters. */
#define RAW_FUNCTIONS(F)                                                                                          \
    F(push, cuCtxPushCurrent_v2, (void *context))                                                                 \
    F(pop, cuCtxPopCurrent_v2, (void **context))                                                                  \
    F(stream_create, cuStreamCreateWithPriority, (void **stream, unsigned flags, int priority))                   \
    F(stream_destroy, cuStreamDestroy_v2, (void *stream))                                                         \
    F(begin, cuStreamBeginCapture_v2, (void *stream, unsigned mode))                                              \
    F(allocate, cuMemAlloc_v2, (uint64_t *address, size_t size))                                                  \
    F(release, cuMemFree_v2, (uint64_t address))                                                                  \
    F(fill_words, cuMemsetD32Async, (uint64_t address, unsigned value, size_t count, void *stream))               \
    F(launch_kernel, cuLaunchKernel,                                                                              \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,     \
       unsigned block_z, unsigned shared_bytes, void *stream, void **parameters, void **extra))

#define RAW_MEMBER(member, symbol, parameters) int(*member) parameters;
static struct {
    RAW_FUNCTIONS(RAW_MEMBER)
} raw;
#undef RAW_MEMBER

enum { BYTES = 64 };

/* Ends the program where the condition does not hold. */
static void require(int holds, const char *what) {
    CHECK(holds);
    if (!holds) {
        fprintf(stderr, "in %s: %s\n", check_test, what);
        exit(EXIT_FAILURE);
    }
}
#define REQUIRE(condition) require((condition) ? 1 : 0, #condition)

static struct rig rig;
static void *native_context, *native, *add, *mix;
static gc_stream *theirs;

static void find(void *library, const char *symbol, void *member) {
    void *found = dlsym(library, symbol);
    REQUIRE(found != NULL);
    memcpy(member, &found, sizeof found);
}

/* A stream of others, and the driver's functions for it. */
static void open_theirs(void) {
    void *library;
    if (!on_cuda())
        return;
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != NULL);
#define RAW_FIND(member, symbol, parameters) find(library, #symbol, &raw.member);
    RAW_FUNCTIONS(RAW_FIND)
#undef RAW_FIND
    REQUIRE_OK(gc_context_native(rig.context, &native_context));
    REQUIRE(raw.push(native_context) == 0);
    REQUIRE(raw.stream_create(&native, GRAPHCAP_STREAM_NON_BLOCKING, 0) == 0);
    REQUIRE_OK(gc_stream_wrap(rig.context, native, &theirs));
    REQUIRE_OK(gc_kernel_native(rig.add, &add));
    REQUIRE_OK(gc_kernel_native(rig.mix, &mix));
}

static void close_theirs(void) {
    if (!on_cuda())
        return;
    CHECK_OK(gc_stream_destroy(theirs));
    CHECK(raw.stream_destroy(native) == 0);
    CHECK(raw.pop(&native_context) == 0);
}

/* Others add 5 to the word at an address. */
static void launch_theirs(uint64_t address) {
    uint32_t value = 5;
    uint64_t count = 1;
    void *parameters[3];
    parameters[0] = &address;
    parameters[1] = &value;
    parameters[2] = &count;
    CHECK(raw.launch_kernel(add, 1, 1, 1, 64, 1, 1, 0, native, parameters, NULL) == 0);
}

static uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    return address;
}

/* Memory that tells when it is given back. */
struct memory {
    struct foreign foreign;
    unsigned released;
    gc_buffer *buffer;
    uint64_t address;
};

static void memory_open(struct memory *memory) {
    memset(memory, 0, sizeof *memory);
    foreign_open(&memory->foreign);
    memory->buffer = wrap_foreign(rig.context, &memory->foreign, &memory->released);
    memory->address = address_of(memory->buffer);
}

static void memory_drop(struct memory *memory) {
    CHECK_OK(gc_buffer_destroy(memory->buffer));
    memory->buffer = NULL;
}

/* It was given back by now. */
static void memory_close(struct memory *memory) {
    CHECK(await_count(&memory->released, 1));
    foreign_close(&memory->foreign);
}

static void not_released(const struct memory *memory) {
    CHECK_OK(gc_context_synchronize(rig.context));
    pause_ms(20);
    CHECK(count_of(&memory->released) == 0);
}

static gc_graph *end_theirs(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_end_capture(theirs, &graph));
    return graph;
}

static size_t unresolved(const gc_graph *graph) {
    size_t count = 99;
    CHECK_OK(gc_graph_unresolved_pointers(graph, NULL, 0, &count));
    return count;
}

/* How others record: on a wrapped stream that a gc_ call captures, on one that they capture themselves, and on one that joins a
 * capture of a stream of graphcap's own. */
static void buffers_of_recorded_kernels_are_kept(void) {
    int way;
    NOT_ON_HOST("others record on streams of a driver");
    for (way = 0; way < 3; way++) {
        struct memory memory;
        gc_stream *own = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_event *fork = open_event(rig.context), *join = open_event(rig.context);
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        memory_open(&memory);
        if (way == 0) {
            REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
        } else if (way == 1) {
            REQUIRE(raw.begin(native, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
        } else {
            REQUIRE_OK(gc_stream_begin_capture(own, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(gc_event_record(fork, own, 0));
            CHECK_OK(gc_stream_wait_event(theirs, fork, 0));
        }
        launch_theirs(memory.address + 8);
        if (way == 2) {
            CHECK_OK(gc_event_record(join, theirs, 0));
            CHECK_OK(gc_stream_wait_event(own, join, 0));
            REQUIRE_OK(gc_stream_end_capture(own, &graph));
        } else {
            graph = end_theirs();
        }
        CHECK(unresolved(graph) == 0);
        memory_drop(&memory);
        not_released(&memory);
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        not_released(&memory);
        CHECK(foreign_word(&memory.foreign, 2) == 5);
        CHECK_OK(gc_graph_exec_destroy(exec));
        memory_close(&memory);
        CHECK_OK(gc_event_destroy(fork));
        CHECK_OK(gc_event_destroy(join));
        CHECK_OK(gc_stream_destroy(own));
    }
}

/* Each pointer of a kernel, the end of a buffer, and what a memset of others writes. */
static void every_address_of_a_graph_counts(void) {
    struct memory memories[4];
    uint64_t addresses[3];
    uint32_t value = 1;
    void *parameters[4];
    gc_graph *graph;
    size_t i;
    NOT_ON_HOST("others record on streams of a driver");
    for (i = 0; i < LENGTH_OF(memories); i++)
        memory_open(&memories[i]);
    for (i = 0; i < LENGTH_OF(addresses); i++) {
        addresses[i] = memories[i].address;
        parameters[i] = &addresses[i];
    }
    parameters[3] = &value;
    addresses[2] += sizeof memories[2].foreign.memory;
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK(raw.launch_kernel(mix, 1, 1, 1, 1, 1, 1, 0, native, parameters, NULL) == 0);
    CHECK(raw.fill_words(memories[3].address, 1, 4, native) == 0);
    graph = end_theirs();
    for (i = 0; i < LENGTH_OF(memories); i++)
        memory_drop(&memories[i]);
    for (i = 0; i < LENGTH_OF(memories); i++)
        not_released(&memories[i]);
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < LENGTH_OF(memories); i++)
        memory_close(&memories[i]);
}

/* An edit lets go of what the node used that it removes, and of nothing else. */
static void what_is_kept_goes_with_its_node(void) {
    struct memory first, second;
    gc_graph *graph;
    gc_node nodes[2];
    size_t count = 0;
    NOT_ON_HOST("others record on streams of a driver");
    memory_open(&first);
    memory_open(&second);
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    launch_theirs(first.address);
    launch_theirs(second.address);
    graph = end_theirs();
    memory_drop(&first);
    memory_drop(&second);
    REQUIRE_OK(gc_graph_get_order(graph, nodes, 2, &count));
    CHECK_OK(gc_graph_remove_node(graph, nodes[0]));
    memory_close(&first);
    not_released(&second);
    CHECK_OK(gc_graph_destroy(graph));
    memory_close(&second);
}

static void pointers_to_memory_of_others_are_listed(void) {
    uint64_t address = 0;
    unsigned released = 0;
    gc_unresolved_pointer pointers[4], one;
    gc_buffer *buffer, *wrapped = NULL;
    gc_graph *graph;
    gc_node nodes[3];
    size_t count = 0;
    NOT_ON_HOST("others record on streams of a driver");
    REQUIRE(raw.allocate(&address, 4096) == 0);
    buffer = open_buffer(rig.context, BYTES);
    REQUIRE_OK(gc_stream_begin_capture(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, theirs, buffer, 0, 1, 1));
    launch_theirs(address + 64);
    {
        uint64_t end = address_of(buffer), third = address;
        uint32_t value = 1;
        void *parameters[4];
        parameters[0] = &third;
        parameters[1] = &end;
        parameters[2] = &address;
        parameters[3] = &value;
        CHECK(raw.launch_kernel(mix, 1, 1, 1, 1, 1, 1, 0, native, parameters, NULL) == 0);
    }
    graph = end_theirs();
    REQUIRE_OK(gc_graph_get_order(graph, nodes, 3, &count));
    memset(pointers, 0xff, sizeof pointers);
    REQUIRE_OK(gc_graph_unresolved_pointers(graph, pointers, 4, &count));
    CHECK(count == 3);
    CHECK(pointers[0].node == nodes[1] && pointers[0].parameter == 0 && pointers[0].offset == 0);
    CHECK(pointers[0].address == address + 64);
    CHECK(pointers[1].node == nodes[2] && pointers[1].parameter == 0 && pointers[1].address == address);
    CHECK(pointers[2].node == nodes[2] && pointers[2].parameter == 2 && pointers[2].address == address);
    CHECK(pointers[3].node == 0 && pointers[3].address == 0);
    one.node = 1;
    CHECK_STATUS(gc_graph_unresolved_pointers(graph, &one, 1, &count), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(count == 3 && one.node == nodes[1] && one.address == address + 64);
    CHECK_MESSAGE(gc_graph_unresolved_pointers(graph, NULL, 1, &count), GRAPHCAP_ERROR_INVALID_VALUE, "pointers_out");
    CHECK_MESSAGE(gc_graph_unresolved_pointers(graph, NULL, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "needed");
    /* A buffer that wraps the memory resolves them. */
    REQUIRE_OK(gc_buffer_wrap(rig.context, (void *)(uintptr_t)address, 4096, &released, count_call, &wrapped));
    CHECK(unresolved(graph) == 0);
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK(await_count(&released, 1));
    CHECK(unresolved(graph) == 3);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK(raw.release(address) == 0);
}

/* Buffers of gc_ calls are resolved, whichever context of the device they are of. */
static void pointers_of_gc_calls_are_resolved(void) {
    gc_context *other = open_context();
    gc_buffer *buffer = open_buffer(rig.context, BYTES), *lent = open_buffer(other, BYTES);
    gc_unresolved_pointer pointer;
    gc_graph *graph = NULL;
    gc_node node = 0;
    size_t count = 9;
    const gc_buffer *buffers[2];
    size_t i;
    buffers[0] = buffer;
    buffers[1] = lent;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    for (i = 0; i < 2; i++) {
        uint32_t value = 1;
        uint64_t words = 1;
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffers[i]), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(words)};
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
        CHECK_OK(gc_graph_add_kernel_node(graph, NULL, 0, rig.add, &config, arguments, 3, &node));
    }
    memset(&pointer, 0xff, sizeof pointer);
    CHECK_OK(gc_graph_unresolved_pointers(graph, &pointer, 1, &count));
    CHECK(count == 0 && pointer.node == 0 && pointer.address == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_buffer_destroy(lent));
    CHECK_OK(gc_context_destroy(other));
}

/* Memory that no graph keeps: on CUDA of the driver's, on the host device a buffer that is named by its address alone. */
struct block {
    uint64_t address;
    gc_buffer *buffer;
};

enum { BLOCK = 1 << 22 };

static void block_open(struct block *block) {
    memset(block, 0, sizeof *block);
    if (on_cuda()) {
        REQUIRE(raw.allocate(&block->address, BLOCK) == 0);
    } else {
        block->buffer = open_buffer(rig.context, BLOCK);
        block->address = address_of(block->buffer);
    }
}

static void block_close(struct block *block) {
    if (on_cuda())
        CHECK(raw.release(block->address) == 0);
    else
        CHECK_OK(gc_buffer_destroy(block->buffer));
}

/* Records an addition to the word at an address, which the graph does not know as memory of a buffer. */
static void add_at(const gc_stream *stream, uint64_t address) {
    uint32_t value = 5;
    uint64_t words = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(words)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    CHECK_OK(gc_stream_launch_kernel(stream, rig.add, &config, arguments, 3));
}

/* A graph of additions at these addresses. */
static gc_graph *capture_adds(const uint64_t *addresses, size_t count, uint32_t flags) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    size_t i;
    options.flags = flags;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    for (i = 0; i < count; i++)
        add_at(rig.stream, addresses[i]);
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    return graph;
}

static gc_graph_exec_check_info checked(const gc_graph_exec *exec, gc_status expected) {
    gc_graph_exec_check_info info = GRAPHCAP_GRAPH_EXEC_CHECK_INFO_INIT;
    CHECK_STATUS(gc_graph_exec_check(exec, &info), expected);
    return info;
}

static void memory_that_is_gone_is_told(void) {
    struct block kept, gone, again;
    uint64_t addresses[3];
    char told[64], clone_told[64];
    gc_graph *graph, *clone = NULL, *parent = NULL, *without;
    gc_graph_exec *exec = NULL, *updated = NULL, *refused = NULL, *of_parent = NULL;
    gc_graph_exec_check_info info;
    gc_node nodes[3], child = 0;
    size_t count = 0;
    block_open(&kept);
    block_open(&gone);
    addresses[0] = kept.address;
    addresses[1] = kept.address + 64;
    addresses[2] = gone.address + 8;
    graph = capture_adds(addresses, 3, GRAPHCAP_CAPTURE_NOTE_MEMORY);
    without = capture_adds(addresses, 3, 0);
    REQUIRE_OK(gc_graph_get_order(graph, nodes, 3, &count));
    CHECK_OK(gc_node_set_name(graph, nodes[2], "decode"));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_graph_instantiate(without, NULL, &updated));
    CHECK(checked(updated, GRAPHCAP_SUCCESS).is_noted == 0);
    CHECK_OK(gc_graph_exec_update(updated, graph, 0, NULL));
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    REQUIRE_OK(gc_graph_create(rig.context, &parent));
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &child));
    REQUIRE_OK(gc_graph_instantiate(parent, NULL, &of_parent));
    info = checked(exec, GRAPHCAP_SUCCESS);
    CHECK(info.is_noted == 1 && info.node_count == 3 && info.address_count == 3 && info.allocation_count == 2);
    CHECK(info.unread_count == 0 && info.gone_count == 0 && info.node == 0 && info.address == 0);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));

    block_close(&gone);
    info = checked(exec, GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(info.is_noted == 1 && info.gone_count == 1 && info.node == nodes[2] && info.is_exchanged == 0);
    CHECK(info.place == GRAPHCAP_ADDRESS_ARGUMENT && info.index == 0 && info.offset == 0);
    CHECK(info.address == gone.address + 8 && info.allocation_address == gone.address && info.allocation_size >= BLOCK);
    snprintf(told, sizeof told, "0x%llx \"decode\": parameter 0 of kernel \"", (unsigned long long)nodes[2]);
    CHECK_MESSAGE(gc_graph_exec_check(exec, NULL), GRAPHCAP_ERROR_INVALID_VALUE, told);
    CHECK_MESSAGE(gc_graph_instantiate(graph, NULL, &refused), GRAPHCAP_ERROR_INVALID_VALUE, told);
    snprintf(clone_told, sizeof clone_told, "has the address 0x%llx", (unsigned long long)(gone.address + 8));
    CHECK_MESSAGE(gc_graph_exec_check(updated, NULL), GRAPHCAP_ERROR_INVALID_VALUE, clone_told);
    CHECK_MESSAGE(gc_graph_exec_check(of_parent, NULL), GRAPHCAP_ERROR_INVALID_VALUE, clone_told);
    CHECK_MESSAGE(gc_graph_instantiate(clone, NULL, &refused), GRAPHCAP_ERROR_INVALID_VALUE, clone_told);
    CHECK_MESSAGE(gc_graph_instantiate(parent, NULL, &refused), GRAPHCAP_ERROR_INVALID_VALUE, clone_told);
    CHECK_MESSAGE(gc_graph_exec_update(exec, graph, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE, clone_told);
    CHECK_MESSAGE(gc_graph_exec_apply(exec, graph, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE, clone_told);
    CHECK(refused == NULL);

    /* Other memory in its place is told apart. */
    block_open(&again);
    info = checked(exec, GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(info.is_exchanged == (again.address <= gone.address && gone.address < again.address + BLOCK ? 1u : 0u));

    /* The node gets other memory: in the exec, in the graph. */
    {
        uint32_t value = 5;
        uint64_t words = 1;
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(again.address), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(words)};
        gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
        CHECK_OK(gc_graph_exec_set_kernel_node(exec, nodes[2], rig.add, &config, arguments, 3));
        CHECK(checked(exec, GRAPHCAP_SUCCESS).is_noted == 1);
        CHECK_OK(gc_node_set_kernel(graph, nodes[2], rig.add, &config, arguments, 3));
    }
    CHECK_OK(gc_graph_exec_update(updated, graph, 0, NULL));
    CHECK_OK(gc_graph_launch(updated, rig.stream));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_exec_destroy(updated));
    CHECK_OK(gc_graph_exec_destroy(of_parent));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(without));
    block_close(&kept);
    block_close(&again);
}

/* What others recorded is noted, each kind of node, and what gc_ calls recorded of buffers counts too. */
static void memory_that_others_name_is_noted(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_graph_exec_check_info info;
    struct block set, launched;
    NOT_ON_HOST("others record on streams of a driver");
    block_open(&set);
    block_open(&launched);
    options.flags = GRAPHCAP_CAPTURE_NOTE_MEMORY;
    REQUIRE_OK(gc_capture_begin(theirs, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    CHECK(raw.fill_words(set.address + 16, 7, 4, native) == 0);
    launch_theirs(launched.address + 24);
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    info = checked(exec, GRAPHCAP_SUCCESS);
    CHECK(info.node_count == 2 && info.address_count == 2 && info.allocation_count == 2);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    block_close(&set);
    info = checked(exec, GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(info.gone_count == 1 && info.place == GRAPHCAP_ADDRESS_MEMSET && info.address == set.address + 16);
    block_close(&launched);
    CHECK(checked(exec, GRAPHCAP_ERROR_INVALID_VALUE).gone_count == 2);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    open_theirs();
    RUN(buffers_of_recorded_kernels_are_kept);
    RUN(every_address_of_a_graph_counts);
    RUN(what_is_kept_goes_with_its_node);
    RUN(pointers_to_memory_of_others_are_listed);
    RUN(pointers_of_gc_calls_are_resolved);
    RUN(memory_that_is_gone_is_told);
    RUN(memory_that_others_name_is_noted);
    close_theirs();
    rig_close(&rig);
    return check_finish();
}
