/* Checks of graphs that do not run: each fault is found with its node, and graphs without one have no finding. */
#include "kernels.h"

static struct rig rig;
static gc_finding findings[16];
static char text[4096];

/* The number of findings of a graph from a severity on. */
static size_t check_graph(const gc_graph *graph, gc_severity least) {
    size_t count = 0;
    memset(findings, 0xff, sizeof findings);
    CHECK_OK(gc_graph_check(graph, least, findings, LENGTH_OF(findings), &count));
    CHECK_OK(gc_graph_check_text(graph, least, text, sizeof text, NULL));
    return count;
}

static uint64_t address_of_buffer(const gc_buffer *buffer) {
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(buffer, &address));
    return address;
}

static gc_graph *open_graph(void) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    return graph;
}

static gc_node add_memset(gc_graph *graph, const gc_node *after, const gc_buffer *buffer, size_t offset, size_t words) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, offset, 1, 4, words, 1, 0);
    gc_node node = 0;
    CHECK_OK(gc_graph_add_memset_node(graph, after, after != NULL, &set, &node));
    return node;
}

static void work_in_order_has_no_finding(void) {
    gc_buffer *buffer = open_buffer(rig.context, 256);
    gc_host_buffer *host = NULL;
    gc_graph *graph = NULL;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    CHECK_OK(gc_host_buffer_allocate(rig.context, 256, 0, &host));
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 64));
    copy.direction = GRAPHCAP_MEMCPY_DEVICE_TO_HOST;
    copy.source = buffer;
    copy.destination_host_buffer = host;
    copy.size = 256;
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0 && text[0] == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(host));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void nodes_that_nothing_orders_are_found_once(void) {
    gc_buffer *buffer = open_buffer(rig.context, 256);
    gc_graph *graph = open_graph();
    CHECK_OK(gc_set_name(buffer, "weights"));
    const gc_node first = add_memset(graph, NULL, buffer, 0, 32);
    const gc_node second = add_memset(graph, NULL, buffer, 64, 32);
    add_memset(graph, &second, buffer, 192, 16);
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_UNORDERED && findings[0].severity == GRAPHCAP_SEVERITY_ERROR);
    CHECK((findings[0].node == first && findings[0].other == second) || (findings[0].node == second && findings[0].other == first));
    CHECK(findings[0].address == address_of_buffer(buffer) + 64 && findings[0].bytes == 64 && findings[0].beyond == 0);
    CHECK(strncmp(text, "error: node ", 12) == 0 && check_contains(text, "both write 64 bytes"));
    CHECK(check_contains(text, "byte 64 of buffer \"weights\""));
    CHECK_OK(gc_graph_check_json(graph, GRAPHCAP_SEVERITY_WARNING, text, sizeof text, NULL));
    CHECK(check_contains(text, "\"kind\": \"unordered\"") && check_contains(text, "\"bytes\": \"64\""));
    /* An edge mends it. */
    CHECK_OK(gc_graph_add_dependencies(graph, &first, &second, NULL, 1));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Two branches that read the same memory, and of which each writes its own. */
static void branches_of_their_own_memory_have_no_finding(void) {
    gc_buffer *buffer[3];
    gc_graph *graph = open_graph();
    gc_node first, node;
    size_t i;
    for (i = 0; i < 3; i++)
        buffer[i] = open_buffer(rig.context, 64);
    first = add_memset(graph, NULL, buffer[0], 0, 16);
    for (i = 1; i < 3; i++) {
        const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer[i], 0, buffer[0], 0, 64);
        CHECK_OK(gc_graph_add_memcpy_node(graph, &first, 1, &copy, &node));
    }
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_buffer_destroy(buffer[i]));
}

/* The left and the right half of a matrix, of so many rows that no list of them is made. */
static void halves_of_many_rows_have_no_finding(void) {
    gc_buffer *buffer = open_buffer(rig.context, 2048 * 64);
    gc_graph *graph = open_graph();
    gc_node node;
    size_t half;
    for (half = 0; half < 2; half++) {
        const gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, half * 32, 1, 4, 8, 2048, 64);
        CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    }
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* What is only stated of a kernel weighs less, and less still where events may order the two. */
static void kernels_are_judged_by_what_is_stated(void) {
    const uint32_t writes[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = NULL;
    gc_event *event = NULL;
    gc_node node;
    size_t parameters = 0;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    add_memset(graph, NULL, buffer, 0, 16);
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0); /* nothing is stated */
    if (gc_kernel_parameter_count(rig.add, &parameters) == GRAPHCAP_SUCCESS && parameters <= LENGTH_OF(writes)) {
        CHECK_OK(gc_kernel_set_accesses(rig.add, writes, parameters));
        CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
        CHECK(findings[0].kind == GRAPHCAP_FINDING_UNORDERED && findings[0].severity == GRAPHCAP_SEVERITY_WARNING);
        CHECK_OK(gc_event_create(rig.context, 0, &event));
        CHECK_OK(gc_graph_add_event_record_node(graph, NULL, 0, event, &node));
        CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 1);
        CHECK_OK(gc_graph_add_event_wait_node(graph, NULL, 0, event, &node));
        CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 0 && check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
        CHECK(check_contains(text, "unless a wait orders them"));
        CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
        CHECK_OK(gc_event_destroy(event));
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void memory_that_no_graph_keeps_is_a_note(void) {
    static char bytes[64];
    gc_buffer *buffer = open_buffer(rig.context, 64), *result = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph();
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, bytes, sizeof bytes);
    const gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, buffer, 0, sizeof bytes);
    gc_node node, first, read;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &first));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &first, 1, &out, &read));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 0);
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_HOST_MEMORY && findings[0].severity == GRAPHCAP_SEVERITY_NOTE);
    CHECK(findings[0].node == first && findings[0].place == GRAPHCAP_ADDRESS_COPY_SOURCE);
    CHECK(findings[0].address == (uint64_t)(uintptr_t)bytes && findings[0].bytes == sizeof bytes);
    /* A snapshot is the graph's own. */
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    CHECK_OK(gc_graph_add_memcpy_node(graph, &read, 1, &copy, &node));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(result));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A copy of `size` bytes from a host buffer to a place in memory. */
static gc_memcpy_params input_to(const gc_host_buffer *host, const gc_buffer *buffer, size_t offset, size_t size) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_PARAMS_INIT;
    copy.direction = GRAPHCAP_MEMCPY_HOST_TO_DEVICE;
    copy.source_host_buffer = host;
    copy.destination = buffer;
    copy.destination_offset = offset;
    copy.size = size;
    return copy;
}

/* Bytes 64 to 127 of memory of the graph come from the CPU, and other bytes are read until a node reads a part of them. */
static void inputs_that_nobody_reads_are_notes(void) {
    gc_buffer *memory = NULL, *result = open_buffer(rig.context, 256);
    gc_graph *graph = open_graph(), *outer, *part = NULL;
    gc_host_buffer *host = NULL;
    gc_memcpy_params copy, read;
    gc_node allocated, input, reader, freed, node;
    uint64_t address;
    CHECK_OK(gc_host_buffer_allocate(rig.context, 256, 0, &host));
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 256, &allocated, &memory));
    CHECK_OK(gc_set_name(memory, "input"));
    address = address_of_buffer(memory);
    copy = input_to(host, memory, 64, 64);
    read = (gc_memcpy_params)GRAPHCAP_MEMCPY_INIT_DTOD(result, 0, memory, 0, 64);
    CHECK_OK(gc_graph_add_memcpy_node(graph, &allocated, 1, &copy, &input));
    CHECK_OK(gc_graph_add_memcpy_node(graph, &input, 1, &read, &reader));
    /* Memory that stays is handed out, and others may read it. */
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1 && findings[0].kind == GRAPHCAP_FINDING_NOT_FREED);
    CHECK_OK(gc_graph_add_mem_free_node(graph, &reader, 1, memory, &freed));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 0 && check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_UNREAD && findings[0].node == input && findings[0].bytes == 64);
    CHECK(findings[0].address == address + 64 && check_contains(text, "byte 64 of buffer \"input\""));
    CHECK_OK(gc_graph_check_json(graph, GRAPHCAP_SEVERITY_NOTE, text, sizeof text, NULL));
    CHECK(check_contains(text, "\"kind\": \"unread\""));
    /* One byte of them is enough. */
    read.source_offset = 127;
    read.size = 1;
    CHECK_OK(gc_node_set_memcpy(graph, reader, &read));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    /* Two rows of 16 bytes, 64 apart, of which other bytes between are read. */
    copy.destination_offset = 0;
    copy.size = 16;
    copy.height = 2;
    copy.destination_pitch = copy.source_pitch = 64;
    CHECK_OK(gc_node_set_memcpy(graph, input, &copy));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1 && findings[0].kind == GRAPHCAP_FINDING_UNREAD);
    CHECK(findings[0].address == address && findings[0].bytes == 32);
    CHECK_OK(gc_graph_destroy(graph));
    /* A graph around it may read what a graph within brings. */
    graph = open_graph();
    copy = input_to(host, result, 0, 64);
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &input));
    add_memset(graph, &input, result, 0, 16);
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
    outer = open_graph();
    CHECK_OK(gc_graph_add_child_node(outer, NULL, 0, graph, &node));
    CHECK_OK(gc_node_get_graph(outer, node, 0, &part));
    CHECK(check_graph(outer, GRAPHCAP_SEVERITY_NOTE) == 0 && check_graph(part, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_graph_destroy(part));
    CHECK_OK(gc_graph_destroy(outer));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(host));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_buffer_destroy(result));
}

/* An allocation behind a free may get the memory of that, and no node frees it. */
static void a_free_is_of_the_allocation_before_it(void) {
    gc_buffer *first = NULL, *second = NULL;
    gc_graph *graph = open_graph();
    gc_host_buffer *host = NULL;
    gc_memcpy_params copy;
    gc_node allocated, freed, again, input;
    CHECK_OK(gc_host_buffer_allocate(rig.context, 64, 0, &host));
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &allocated, &first));
    CHECK_OK(gc_graph_add_mem_free_node(graph, &allocated, 1, first, &freed));
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, &freed, 1, 64, &again, &second));
    copy = input_to(host, second, 0, 64);
    CHECK_OK(gc_graph_add_memcpy_node(graph, &again, 1, &copy, &input));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1 && findings[0].kind == GRAPHCAP_FINDING_NOT_FREED);
    CHECK(findings[0].node == again);
    CHECK_OK(gc_graph_add_mem_free_node(graph, &input, 1, second, &freed));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1 && findings[0].kind == GRAPHCAP_FINDING_UNREAD);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(host));
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_buffer_destroy(second));
}

/* Another graph, or a stream, reads a buffer behind the graph, and the CPU reads managed memory at any time. */
static void inputs_that_others_may_read_have_no_finding(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64), *managed = NULL;
    gc_graph *graph = open_graph();
    gc_host_buffer *host = NULL;
    gc_memcpy_params copy = input_to(NULL, buffer, 0, 64);
    gc_node input, half;
    gc_status status;
    CHECK_OK(gc_host_buffer_allocate(rig.context, 64, 0, &host));
    copy.source_host_buffer = host;
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &input));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    /* A half of it stays, and then nothing. */
    half = add_memset(graph, &input, buffer, 0, 8);
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    add_memset(graph, &half, buffer, 32, 8);
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1 && findings[0].kind == GRAPHCAP_FINDING_UNREAD);
    CHECK(findings[0].node == input && findings[0].bytes == 64);
    CHECK_OK(gc_graph_destroy(graph));
    status = gc_buffer_allocate_managed(rig.context, 64, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed);
    CHECK(status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_NOT_SUPPORTED);
    if (status == GRAPHCAP_SUCCESS) {
        graph = open_graph();
        copy.destination = managed;
        CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &input));
        add_memset(graph, &input, managed, 0, 16);
        CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(managed));
    }
    CHECK_OK(gc_host_buffer_destroy(host));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A kernel of which nothing is stated may read all that any address leads to. */
static void a_kernel_of_which_nothing_is_stated_may_read_an_input(void) {
    const uint32_t writes[] = {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    gc_buffer *buffer = open_buffer(rig.context, 64), *other = open_buffer(rig.context, 64);
    gc_host_buffer *host = NULL;
    gc_graph *graph = NULL;
    gc_memcpy_params copy;
    CHECK_OK(gc_host_buffer_allocate(rig.context, 64, 0, &host));
    copy = input_to(host, buffer, 0, 64);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    CHECK_OK(launch_add(&rig, rig.stream, other, 0, 1, 1));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 16));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    /* It reads another buffer, as is stated now. */
    CHECK_OK(gc_kernel_set_accesses(rig.add, writes, LENGTH_OF(writes)));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1 && findings[0].kind == GRAPHCAP_FINDING_UNREAD);
    CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_host_buffer_destroy(host));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void memory_that_is_gone_is_found_by_its_node(void) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    const uint64_t address = address_of_buffer(buffer);
    const uint32_t number = 1;
    const uint64_t pause = 0;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(number),
                                       GRAPHCAP_ARG_INIT_VALUE(pause)};
    options.flags = GRAPHCAP_CAPTURE_NOTE_MEMORY;
    CHECK_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &capture));
    CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.add, &one, arguments, 3));
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_ERROR) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_MEMORY_GONE && findings[0].place == GRAPHCAP_ADDRESS_ARGUMENT);
    CHECK(findings[0].index == 0 && findings[0].offset == 0 && findings[0].address == address && findings[0].bytes >= 64);
    CHECK(check_contains(text, "that was freed since the capture"));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A block within memory that lives is gone when its allocator takes it back, and another one may have its place. */
static void blocks_of_allocators_are_told_from_each_other(void) {
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_buffer *buffer = open_buffer(rig.context, 4096);
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_finding found;
    size_t count;
    char id[64];
    const uint64_t start = address_of_buffer(buffer), address = start + 64;
    const uint32_t number = 1;
    const uint64_t pause = 0;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(number),
                                       GRAPHCAP_ARG_INIT_VALUE(pause)};
    CHECK_OK(gc_memory_block_begin(start, 1024, "activations", 5));
    options.flags = GRAPHCAP_CAPTURE_NOTE_MEMORY;
    CHECK_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &capture));
    CHECK_OK(gc_stream_launch_kernel(rig.stream, rig.add, &one, arguments, 3));
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_memory_block_begin(start, 2048, "grown", 5));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_memory_block_end(start, 4));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_exec_check(exec, NULL));
    CHECK_OK(gc_memory_block_end(start, 5));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_ERROR) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_MEMORY_GONE && findings[0].address == address && findings[0].bytes == 1024);
    CHECK(check_contains(text, "activations") && check_contains(text, "no block lies there now"));
    CHECK_OK(gc_memory_block_begin(start + 64, 32, "logits", 6));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_ERROR) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_MEMORY_EXCHANGED && check_contains(text, "logits"));
    CHECK_MESSAGE(gc_graph_exec_check(exec, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "activations");
    found = findings[0];
    count = 0;
    CHECK_OK(gc_graph_exec_check_findings(exec, GRAPHCAP_SEVERITY_NOTE, findings, LENGTH_OF(findings), &count));
    CHECK(count == 1 && memcmp(&found, &findings[0], sizeof found) == 0);
    CHECK_OK(gc_graph_exec_check_text(exec, GRAPHCAP_SEVERITY_ERROR, text, sizeof text, NULL));
    CHECK(strncmp(text, "error: node 0x", 14) == 0 && check_contains(text, "activations") && check_contains(text, "logits"));
    CHECK_OK(gc_graph_exec_check_json(exec, GRAPHCAP_SEVERITY_ERROR, text, sizeof text, NULL));
    (void)snprintf(id, sizeof id, "\"id\": \"%llu\"", (unsigned long long)found.node);
    CHECK(check_contains(text, "\"kind\": \"memory_exchanged\"") && check_contains(text, id));
    CHECK_OK(gc_memory_block_end(start + 64, 6));
    CHECK_MESSAGE(gc_memory_block_begin(start, 0, NULL, 1), GRAPHCAP_ERROR_INVALID_VALUE, "0 bytes");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void conditions_that_nothing_sets_are_found(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(), *body = NULL;
    gc_condition condition = 0;
    gc_node node, set;
    gc_status status = gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition);
    if (status == GRAPHCAP_SUCCESS) {
        CHECK_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &node));
        CHECK_OK(gc_node_get_graph(graph, node, 0, &body));
        add_memset(body, NULL, buffer, 0, 16);
        CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 1);
        CHECK(findings[0].kind == GRAPHCAP_FINDING_CONDITION_UNSET && findings[0].node == node && findings[0].value == 1);
        CHECK(check_contains(text, "runs for ever"));
        CHECK_OK(gc_graph_add_set_condition_node(body, NULL, 0, condition, buffer, 0, &set));
        CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 0);
        CHECK_OK(gc_graph_destroy(body));
    } else {
        CHECK(status == GRAPHCAP_ERROR_NOT_SUPPORTED);
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void memory_that_no_node_frees_is_a_note(void) {
    gc_graph *graph = open_graph();
    gc_buffer *memory = NULL;
    gc_node node, freed;
    CHECK_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &node, &memory));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_WARNING) == 0 && check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 1);
    CHECK(findings[0].kind == GRAPHCAP_FINDING_NOT_FREED && findings[0].node == node);
    CHECK(findings[0].address == address_of_buffer(memory) && findings[0].bytes >= 64);
    CHECK_OK(gc_graph_add_mem_free_node(graph, &node, 1, memory, &freed));
    CHECK(check_graph(graph, GRAPHCAP_SEVERITY_NOTE) == 0);
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

static void severities_are_checked(void) {
    gc_graph *graph = open_graph();
    size_t count = 7;
    CHECK_MESSAGE(gc_graph_check(graph, 0, findings, 1, &count), GRAPHCAP_ERROR_INVALID_VALUE, "least");
    CHECK(count == 0);
    CHECK_MESSAGE(gc_graph_check_text(graph, 4, text, sizeof text, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "least");
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    RUN(work_in_order_has_no_finding);
    RUN(nodes_that_nothing_orders_are_found_once);
    RUN(branches_of_their_own_memory_have_no_finding);
    RUN(halves_of_many_rows_have_no_finding);
    RUN(kernels_are_judged_by_what_is_stated);
    RUN(memory_that_no_graph_keeps_is_a_note);
    RUN(inputs_that_nobody_reads_are_notes);
    RUN(a_free_is_of_the_allocation_before_it);
    RUN(inputs_that_others_may_read_have_no_finding);
    RUN(a_kernel_of_which_nothing_is_stated_may_read_an_input);
    RUN(memory_that_is_gone_is_found_by_its_node);
    RUN(blocks_of_allocators_are_told_from_each_other);
    RUN(conditions_that_nothing_sets_are_found);
    RUN(memory_that_no_node_frees_is_a_note);
    RUN(severities_are_checked);
    rig_close(&rig);
    return check_finish();
}
