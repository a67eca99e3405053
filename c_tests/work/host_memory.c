/* Work on memory of the host's alone: copies from host memory to host memory, memsets and value operations on pinned host
 * buffers. Each eagerly, captured, and in nodes that are built by hand and set. */
#include "../graph/nodes.h"

enum { WORDS = 64, BYTES = 4 * WORDS };

static struct rig rig;

static gc_host_buffer *open_pinned(uint32_t flags, uint32_t **words_out) {
    gc_host_buffer *host_buffer = NULL;
    void *pointer = NULL;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, BYTES, flags, &host_buffer));
    REQUIRE_OK(gc_host_buffer_pointer(host_buffer, &pointer));
    memset(pointer, 0, BYTES);
    *words_out = (uint32_t *)pointer;
    return host_buffer;
}

static void count_up(uint32_t *words, uint32_t first) {
    uint32_t i;
    for (i = 0; i < WORDS; i++)
        words[i] = first + i;
}

static int counts_up(const uint32_t *words, uint32_t first) {
    uint32_t i;
    for (i = 0; i < WORDS && words[i] == first + i; i++) {
    }
    return i == WORDS;
}

static int are_all(const uint32_t *words, size_t count, uint32_t value) {
    size_t i;
    for (i = 0; i < count && words[i] == value; i++) {
    }
    return i == count;
}

/* ---- Copies ---- */

/* Each side is plain memory or a host buffer. */
static void host_memory_is_copied_to_host_memory(void) {
    static uint32_t plain_from[WORDS], plain_to[WORDS];
    uint32_t *pinned_from, *pinned_to, side;
    gc_host_buffer *from = open_pinned(0, &pinned_from), *to = open_pinned(0, &pinned_to);
    for (side = 0; side < 4; side++) {
        uint32_t *source = side & 1 ? pinned_from : plain_from, *destination = side & 2 ? pinned_to : plain_to;
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOH(side & 2 ? NULL : plain_to, side & 1 ? NULL : plain_from, BYTES);
        gc_graph_exec *exec;
        if (side & 1)
            copy.source_host_buffer = from;
        if (side & 2)
            copy.destination_host_buffer = to;
        count_up(source, 100 + side);
        CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(counts_up(destination, 100 + side));
        count_up(source, 200 + side);
        CHECK_OK(gc_context_memcpy(rig.context, &copy));
        CHECK(counts_up(destination, 200 + side));
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
        exec = finish_capture(rig.stream);
        CHECK(counts_up(destination, 200 + side));
        count_up(source, 300 + side); /* read at the replay */
        replay(&rig, exec);
        CHECK(counts_up(destination, 300 + side));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_host_buffer_destroy(from));
    CHECK_OK(gc_host_buffer_destroy(to));
}

static void rows_and_offsets_within_the_host(void) {
    uint32_t *from, *to, row;
    gc_host_buffer *source = open_pinned(0, &from), *destination = open_pinned(0, &to);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOH(NULL, NULL, 8);
    count_up(from, 0);
    copy.source_host_buffer = source;
    copy.destination_host_buffer = destination;
    copy.source_offset = 4;
    copy.destination_offset = 8;
    copy.height = 3;
    copy.source_pitch = 16;
    copy.destination_pitch = 32;
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (row = 0; row < 3; row++)
        CHECK(to[2 + 8 * row] == 1 + 4 * row && to[3 + 8 * row] == 2 + 4 * row && to[4 + 8 * row] == 0);
    copy.source_offset = BYTES - 8;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "source offset");
    copy.source_offset = copy.destination_offset = 0;
    copy.destination_host_buffer = source;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "overlaps");
    CHECK_OK(gc_host_buffer_destroy(source));
    CHECK_OK(gc_host_buffer_destroy(destination));
}

static void copies_within_the_host_in_nodes(void) {
    static uint32_t plain[WORDS];
    uint32_t *from, *to;
    gc_host_buffer *source = open_pinned(0, &from), *destination = open_pinned(0, &to);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOH(NULL, NULL, BYTES);
    gc_memcpy_node_params told;
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node node = 0;
    copy.source_host_buffer = source;
    copy.destination_host_buffer = destination;
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node));
    memset(&told, 0, sizeof told);
    told.struct_size = sizeof told;
    CHECK_OK(gc_node_get_memcpy_params(graph, node, &told));
    CHECK(told.direction == GRAPHCAP_MEMCPY_HOST_TO_HOST && told.size == BYTES);
    CHECK(told.destination == (uint64_t)(uintptr_t)to && told.source == (uint64_t)(uintptr_t)from);
    count_up(from, 5);
    run_graph(&rig, graph);
    CHECK(counts_up(to, 5));
    copy.source_host_buffer = NULL;
    copy.source_host = plain;
    CHECK_OK(gc_node_set_memcpy(graph, node, &copy));
    count_up(plain, 9);
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(counts_up(to, 9));
    /* An exec keeps the kinds of memory. */
    copy.source_host = NULL;
    copy.source_host_buffer = source;
    CHECK_OK(gc_host_buffer_destroy(destination));
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(counts_up(to, 9));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_host_buffer_destroy(source));
}

/* The bytes are saved at the call. */
static void a_snapshot_is_copied_to_host_memory(void) {
    static uint32_t from[WORDS], to[WORDS];
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOH(to, from, BYTES);
    gc_graph_exec *exec;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    count_up(from, 70);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    exec = finish_capture(rig.stream);
    count_up(from, 0);
    replay(&rig, exec);
    CHECK(counts_up(to, 70));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void wrong_copies_within_the_host_are_refused(void) {
    static uint32_t memory[2 * WORDS];
    gc_buffer *buffer = open_buffer(rig.context, BYTES);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOH(memory, memory + WORDS, BYTES), wrong = copy;
    wrong.source = buffer;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &wrong), GRAPHCAP_ERROR_INVALID_VALUE, "params.source");
    wrong = copy;
    wrong.destination = buffer;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &wrong), GRAPHCAP_ERROR_INVALID_VALUE, "params.destination");
    wrong = copy;
    wrong.source_host = NULL;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &wrong), GRAPHCAP_ERROR_INVALID_VALUE, "params.source_host");
    wrong = copy;
    wrong.destination_host = NULL;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &wrong), GRAPHCAP_ERROR_INVALID_VALUE, "params.destination_host");
    wrong = copy;
    wrong.source_host = memory + 1;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &wrong), GRAPHCAP_ERROR_INVALID_VALUE, "overlaps");
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* ---- Memsets ---- */

static void pinned_memory_is_set(void) {
    uint32_t *words;
    gc_host_buffer *pinned = open_pinned(GRAPHCAP_HOST_BUFFER_MAPPED, &words);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(NULL, 0, 7, 4, WORDS, 1, 0);
    gc_memset_node_params told;
    gc_graph_exec *exec;
    gc_graph *graph;
    gc_node node = 0;
    uint64_t address = 0;
    set.host_buffer = pinned;
    CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(are_all(words, WORDS, 7));
    set.value = 8;
    CHECK_OK(gc_context_memset(rig.context, &set));
    CHECK(are_all(words, WORDS, 8));
    set.value = 9;
    set.width = 2;
    set.height = 4;
    set.pitch = 16;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
    exec = finish_capture(rig.stream);
    CHECK(are_all(words, WORDS, 8));
    replay(&rig, exec);
    CHECK(words[0] == 9 && words[1] == 9 && words[2] == 8 && words[13] == 9 && are_all(words + 14, WORDS - 14, 8));
    CHECK_OK(gc_graph_exec_destroy(exec));
    graph = open_graph(rig.context);
    set.width = WORDS;
    set.height = 1;
    set.pitch = 0;
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    memset(&told, 0, sizeof told);
    told.struct_size = sizeof told;
    CHECK_OK(gc_node_get_memset_params(graph, node, &told));
    CHECK_OK(gc_host_buffer_device_address(pinned, &address));
    CHECK(told.address == address && told.value == 9);
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(are_all(words, WORDS, 9));
    set.value = 10;
    CHECK_OK(gc_graph_exec_set_memset_node(exec, node, &set));
    set.value = 11;
    CHECK_OK(gc_node_set_memset(graph, node, &set));
    CHECK_OK(gc_host_buffer_destroy(pinned)); /* the graph and the exec keep it */
    replay(&rig, exec);
    CHECK(are_all(words, WORDS, 10));
    run_graph(&rig, graph);
    CHECK(are_all(words, WORDS, 11));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void wrong_memsets_of_pinned_memory_are_refused(void) {
    uint32_t *words;
    gc_host_buffer *plain = open_pinned(0, &words), *mapped = open_pinned(GRAPHCAP_HOST_BUFFER_MAPPED, &words);
    gc_buffer *buffer = open_buffer(rig.context, BYTES);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, WORDS, 1, 0);
    set.host_buffer = mapped;
    CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, &set), GRAPHCAP_ERROR_INVALID_VALUE, "params.buffer");
    set.buffer = NULL;
    set.host_buffer = plain;
    CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, &set), GRAPHCAP_ERROR_INVALID_VALUE, "mapped");
    set.host_buffer = mapped;
    set.offset = 4;
    CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, &set), GRAPHCAP_ERROR_INVALID_VALUE, "offset 4");
    set.host_buffer = (const gc_host_buffer *)buffer;
    CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, &set), GRAPHCAP_ERROR_INVALID_HANDLE, "params.host_buffer");
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_host_buffer_destroy(plain));
    CHECK_OK(gc_host_buffer_destroy(mapped));
}

/* ---- Value operations ---- */

static gc_mem_op on(const gc_host_buffer *pinned, uint32_t kind, size_t offset, uint64_t value) {
    gc_mem_op operation = GRAPHCAP_MEM_OP_INIT_WRITE32(NULL, offset, 0, 0);
    operation.kind = kind;
    operation.host_buffer = pinned;
    operation.value = value;
    return operation;
}

static void values_are_written_to_pinned_memory_and_waited_for(void) {
    uint32_t *words;
    gc_host_buffer *pinned = open_pinned(GRAPHCAP_HOST_BUFFER_MAPPED, &words);
    gc_mem_op operations[2];
    gc_mem_op_node_params told;
    gc_graph_exec *exec;
    gc_graph *graph;
    gc_node node = 0;
    uint64_t address = 0;
    /* The wait finds what the write before it wrote. */
    operations[0] = on(pinned, GRAPHCAP_MEM_OP_WRITE_VALUE32, 4, 5);
    operations[1] = on(pinned, GRAPHCAP_MEM_OP_WAIT_VALUE32, 4, 5);
    CHECK_OK(gc_stream_batch_mem_op(rig.stream, operations, 2, 0));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(words[1] == 5);
    operations[0].value = operations[1].value = 6;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_batch_mem_op(rig.stream, operations, 2, 0));
    exec = finish_capture(rig.stream);
    CHECK(words[1] == 5);
    replay(&rig, exec);
    CHECK(words[1] == 6);
    CHECK_OK(gc_graph_exec_destroy(exec));
    graph = open_graph(rig.context);
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, operations, 2, &node));
    memset(&told, 0, sizeof told);
    told.struct_size = sizeof told;
    CHECK_OK(gc_node_get_mem_op_params(graph, node, 0, &told, NULL));
    CHECK_OK(gc_host_buffer_device_address(pinned, &address));
    CHECK(told.address == address + 4 && told.value == 6);
    operations[0].value = operations[1].value = 7;
    CHECK_OK(gc_node_set_batch_mem_op(graph, node, operations, 2));
    exec = open_exec(graph);
    operations[0].value = operations[1].value = 8;
    CHECK_OK(gc_graph_exec_set_batch_mem_op_node(exec, node, operations, 2));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    run_graph(&rig, graph);
    CHECK(words[1] == 7);
    replay(&rig, exec);
    CHECK(words[1] == 8);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A host buffer is a mailbox: the CPU writes what the stream waits for. */
static void a_stream_waits_for_what_the_cpu_writes(void) {
    uint32_t *words;
    gc_host_buffer *pinned = open_pinned(GRAPHCAP_HOST_BUFFER_MAPPED, &words);
    gc_mem_op wait = on(pinned, GRAPHCAP_MEM_OP_WAIT_VALUE32, 0, 3), write = on(pinned, GRAPHCAP_MEM_OP_WRITE_VALUE32, 8, 1);
    CHECK_OK(gc_stream_batch_mem_op(rig.stream, &wait, 1, 0));
    CHECK_OK(gc_stream_batch_mem_op(rig.stream, &write, 1, 0));
    CHECK_STATUS(gc_stream_synchronize_for(rig.stream, 2000000), GRAPHCAP_ERROR_TIMEOUT);
    CHECK(*(volatile uint32_t *)&words[2] == 0);
    *(volatile uint32_t *)&words[0] = 3;
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(words[2] == 1);
    CHECK_OK(gc_host_buffer_destroy(pinned));
}

static void wrong_values_on_pinned_memory_are_refused(void) {
    uint32_t *words;
    gc_host_buffer *plain = open_pinned(0, &words), *mapped = open_pinned(GRAPHCAP_HOST_BUFFER_MAPPED, &words);
    gc_buffer *buffer = open_waitable(rig.context, BYTES);
    gc_mem_op operation = on(plain, GRAPHCAP_MEM_OP_WRITE_VALUE32, 0, 1);
    CHECK_MESSAGE(gc_stream_batch_mem_op(rig.stream, &operation, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "mapped");
    operation = on(mapped, GRAPHCAP_MEM_OP_WRITE_VALUE32, 2, 1);
    CHECK_MESSAGE(gc_stream_batch_mem_op(rig.stream, &operation, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "offset 2");
    operation = on(mapped, GRAPHCAP_MEM_OP_WRITE_VALUE64, BYTES, 1);
    CHECK_MESSAGE(gc_stream_batch_mem_op(rig.stream, &operation, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "overrun");
    operation = on(mapped, GRAPHCAP_MEM_OP_WRITE_VALUE32, 0, 1);
    operation.buffer = buffer;
    CHECK_MESSAGE(gc_stream_batch_mem_op(rig.stream, &operation, 1, 0), GRAPHCAP_ERROR_INVALID_VALUE, "operations.buffer");
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_host_buffer_destroy(plain));
    CHECK_OK(gc_host_buffer_destroy(mapped));
}

int main(void) {
    rig_open(&rig);
    RUN(host_memory_is_copied_to_host_memory);
    RUN(rows_and_offsets_within_the_host);
    RUN(copies_within_the_host_in_nodes);
    RUN(a_snapshot_is_copied_to_host_memory);
    RUN(wrong_copies_within_the_host_are_refused);
    RUN(pinned_memory_is_set);
    RUN(wrong_memsets_of_pinned_memory_are_refused);
    RUN(values_are_written_to_pinned_memory_and_waited_for);
    RUN(a_stream_waits_for_what_the_cpu_writes);
    RUN(wrong_values_on_pinned_memory_are_refused);
    rig_close(&rig);
    return check_finish();
}
