/* Graphs as text: DOT with its flags, JSON written and read back, differences. */
#include "nodes.h"

enum { WORDS = 64, ROOM = 1 << 16 };

static struct rig rig;
static gc_buffer *buffer, *values;
static gc_host_buffer *pinned;
static gc_event *event;
static unsigned calls, destroyed;
static char first[ROOM], second[ROOM];

static void let_go(void *user_data) {
    (void)user_data;
    count_call(&destroyed);
}

/* A graph with one node of each kind, and a child within. */
static gc_graph *open_all(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 32, buffer, 0, 16);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, buffer, 4, 8);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 8, 0x12345678, 4, 3, 1, 0);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(values, 4, 7, GRAPHCAP_WRITE_VALUE_DEFAULT),
                              GRAPHCAP_MEM_OP_INIT_WRITE64(values, 16, UINT64_C(0x123456789abc), 0)};
    gc_node last = 0, node = 0;
    out.destination_host_buffer = pinned;
    last = add_node(&rig, graph, NULL, 0, buffer, 2, 77);
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &copy, &node));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &node, 1, &out, &last));
    REQUIRE_OK(gc_graph_add_memset_node(graph, &last, 1, &set, &node));
    CHECK_OK(gc_node_set_name(graph, node, "clear \"it\""));
    REQUIRE_OK(gc_graph_add_host_node(graph, &node, 1, count_call, &calls, NULL, &last));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, &last, 1, operations, 2, &node));
    REQUIRE_OK(gc_graph_add_event_record_node(graph, &node, 1, event, &last));
    REQUIRE_OK(gc_graph_add_event_wait_node(graph, &last, 1, event, &node));
    fill_node(&rig, child, NULL, 0, buffer, 9, 5);
    REQUIRE_OK(gc_graph_add_child_node(graph, &node, 1, child, &last));
    REQUIRE_OK(gc_graph_add_empty_node(graph, &last, 1, &node));
    CHECK_OK(gc_graph_destroy(child));
    return graph;
}

static void dot_flags_add_lines(void) {
    gc_graph *graph = open_all();
    const struct {
        uint32_t flag;
        const char *text;
    } rows[] = {{GRAPHCAP_DOT_KERNEL_NODE_PARAMS, "grid 1x1x1, block 64x1x1\\nwords + 8, 77, 1"},
                {GRAPHCAP_DOT_MEMCPY_NODE_PARAMS, "device to device, 16 bytes\\nfrom words\\nto words + 32"},
                {GRAPHCAP_DOT_MEMCPY_NODE_PARAMS, "device to host, 8 bytes\\nfrom words + 4\\nto pinned"},
                {GRAPHCAP_DOT_MEMSET_NODE_PARAMS, "clear \\\"it\\\"\\nmemset\\n3 x 4 bytes\\nat words + 8 to 0x12345678"},
                {GRAPHCAP_DOT_HOST_NODE_PARAMS, "host function\\nfunction 0"},
                {GRAPHCAP_DOT_BATCH_MEM_OP_NODE_PARAMS, "write 0x7, 32 bits at values + 4"},
                {GRAPHCAP_DOT_EVENT_NODE_PARAMS, "event record\\ndone"},
                {GRAPHCAP_DOT_HANDLES, "\\nnode 0x"},
                {GRAPHCAP_DOT_RUNTIME_TYPES, "cudaGraphNodeTypeMemset"},
                {GRAPHCAP_DOT_EXTRA_TOPO_INFO, "n0 -> n1 [label=\"0\"]"}};
    size_t i;
    CHECK_OK(gc_graph_export_dot(graph, 0, first, ROOM, NULL));
    CHECK(check_contains(first, "subgraph cluster_n8_0") && check_contains(first, "n8_0_0 [label=\"0: fill\""));
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_OK(gc_graph_export_dot(graph, rows[i].flag, second, ROOM, NULL));
        CHECK(check_contains(second, rows[i].text) && strstr(first, rows[i].text) == NULL);
        CHECK_OK(gc_graph_export_dot(graph, 0xffff & ~(rows[i].flag | GRAPHCAP_DOT_VERBOSE | GRAPHCAP_DOT_RUNTIME_TYPES), second,
                                     ROOM, NULL));
        CHECK(strstr(second, rows[i].text) == NULL);
    }
    for (i = 0; i < 16; i++)
        CHECK_OK(gc_graph_export_dot(graph, UINT32_C(1) << i, second, ROOM, NULL));
    CHECK_STATUS(gc_graph_export_dot(graph, UINT32_C(1) << 16, second, ROOM, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(graph));
}

static void all_bindings(gc_graph_binding bindings[7]) {
    const gc_graph_binding all[7] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer),
                                     GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "values", values),
                                     GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_HOST_BUFFER, "pinned", pinned),
                                     GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "add", rig.add),
                                     GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "fill", rig.fill),
                                     GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_EVENT, "done", event),
                                     GRAPHCAP_BINDING_INIT_HOST_FUNCTION("function 0", count_call, &calls, let_go)};
    memcpy(bindings, all, sizeof all);
}

static gc_graph *read_back(const char *json, gc_status expected) {
    gc_graph_binding bindings[7];
    gc_graph *graph = NULL;
    all_bindings(bindings);
    CHECK_STATUS(gc_graph_import_json(rig.context, json, strlen(json), bindings, 7, &graph), expected);
    CHECK((graph != NULL) == (expected == GRAPHCAP_SUCCESS));
    return graph;
}

static void a_graph_is_written_read_back_and_runs(void) {
    gc_graph *graph = open_all(), *again;
    gc_graph_exec *exec;
    size_t needed = 0, written = 0;
    unsigned before = count_of(&destroyed);
    CHECK_OK(gc_set_name(graph, "whole"));
    CHECK_OK(gc_graph_export_json(graph, NULL, 0, &needed));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, &written));
    CHECK(needed == written && needed == strlen(first) + 1);
    CHECK_STATUS(gc_graph_export_json(graph, second, 10, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed == written && strncmp(first, second, 9) == 0);
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    /* The function that was bound has the address and the data of the other one. */
    CHECK_OK(gc_graph_diff(graph, again, second, ROOM, NULL));
    CHECK(second[0] == '\0');
    CHECK_OK(gc_graph_destroy(graph));
    /* The graph that was read keeps what it uses, and runs. */
    clear_words(&rig, buffer);
    exec = open_exec(again);
    CHECK_OK(gc_graph_destroy(again));
    CHECK(count_of(&destroyed) == before);
    calls = 0;
    replay(&rig, exec);
    CHECK(count_of(&calls) == 1);
    CHECK(read_u32(rig.stream, buffer, 3) == 0x12345678 && read_u32(rig.stream, buffer, 9) == 5);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK(collect_until(rig.context, &destroyed, before + 1));
}

static gc_graph_binding bind_rest(const gc_graph *graph) {
    const gc_graph_binding binding = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_GRAPH, NULL, graph);
    return binding;
}

/* What nothing else is bound to is taken from a graph: named or not, also for the graphs within. */
static void the_rest_is_taken_from_a_graph(void) {
    gc_graph *graph = open_all(), *copy = NULL, *other = open_graph(rig.context);
    gc_buffer *next = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    gc_graph_binding bindings[3] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", next)};
    unsigned before;
    size_t size = 0;
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, &size));
    bindings[1] = bind_rest(other);
    CHECK_STATUS(gc_graph_import_json(rig.context, first, size - 1, bindings, 2, &copy), GRAPHCAP_ERROR_NOT_FOUND);
    bindings[1] = bindings[2] = bind_rest(graph);
    CHECK_MESSAGE(gc_graph_import_json(rig.context, first, size - 1, bindings, 3, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "two graphs");
    bindings[2] = bind_rest(NULL);
    CHECK_STATUS(gc_graph_import_json(rig.context, first, size - 1, bindings, 3, &copy), GRAPHCAP_ERROR_INVALID_HANDLE);
    bindings[2] = bind_rest((const gc_graph *)next);
    CHECK_STATUS(gc_graph_import_json(rig.context, first, size - 1, bindings, 3, &copy), GRAPHCAP_ERROR_INVALID_HANDLE);
    /* All of it. */
    REQUIRE_OK(gc_graph_import_json(rig.context, first, size - 1, &bindings[1], 1, &copy));
    CHECK_OK(gc_graph_diff(graph, copy, second, ROOM, NULL));
    CHECK(second[0] == 0);
    CHECK_OK(gc_graph_destroy(copy));
    /* All but what is bound. */
    REQUIRE_OK(gc_graph_import_json(rig.context, first, size - 1, bindings, 2, &copy));
    CHECK_OK(gc_graph_destroy(graph));
    clear_buffer(rig.context, buffer);
    before = count_of(&calls);
    run_graph(&rig, copy);
    CHECK(count_of(&calls) == before + 1);
    CHECK(read_u32(rig.stream, next, 9) == 5 && read_u32(rig.stream, next, 2) == 0x12345678 && read_u32(rig.stream, buffer, 9) == 0);
    CHECK_OK(gc_graph_destroy(copy));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_buffer_destroy(next));
}

/* A text that is no graph is told of by line and column, in words of JSON, and with what describes the format. */
static void other_texts_are_refused(void) {
    static const char *const texts[] = {"{", "[]", "{\"format\": 7}", "{\"format\": \"graphcap graph\", \"version\": []}"};
    char text[1024];
    gc_graph *graph = NULL;
    size_t i;
    for (i = 0; i < LENGTH_OF(texts); i++) {
        CHECK_MESSAGE(gc_graph_import_json(rig.context, texts[i], strlen(texts[i]), NULL, 0, &graph), GRAPHCAP_ERROR_INVALID_VALUE,
                      "docs/graph.schema.json");
        gc_last_error_message(text, sizeof text, NULL);
        CHECK(check_contains(text, "at line 1 column"));
        CHECK(strstr(text, "struct ") == NULL && strstr(text, "u32") == NULL && strstr(text, "Head") == NULL);
    }
    CHECK(graph == NULL);
}

static void captured_graphs_are_written_and_read_back(void) {
    const uint32_t word = 7;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, &word, sizeof word);
    gc_graph *graph = NULL, *again;
    copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK(check_contains(first, "\"snapshot\"") && check_contains(first, "\"07000000\""));
    CHECK_OK(gc_graph_destroy(graph));
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    run_graph(&rig, again);
    CHECK(read_u32(rig.stream, buffer, 0) == 10);
    CHECK_OK(gc_graph_destroy(again));
}

static void captured_nodes_tell_their_streams(void) {
    gc_stream *other = open_stream(rig.context, 0);
    gc_event *forked = open_event(rig.context), *joined = open_event(rig.context);
    gc_graph *graph = NULL, *clone = NULL, *again;
    const char *at;
    CHECK_OK(gc_set_name(other, "side"));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_event_record(forked, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(other, forked, 0));
    CHECK_OK(launch_add(&rig, other, buffer, 4, 1, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 8, 1, 1));
    CHECK_OK(gc_event_record(joined, other, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    CHECK_OK(gc_graph_export_dot(clone, GRAPHCAP_DOT_EXTRA_TOPO_INFO, first, ROOM, NULL));
    CHECK(check_contains(first, "n0 [label=\"0: add\\nrecorded on stream 0\""));
    CHECK(check_contains(first, "n1 [label=\"1: add\\nrecorded on side\""));
    CHECK(check_contains(first, "n2 [label=\"2: add\\nrecorded on stream 0\""));
    CHECK_OK(gc_graph_export_json(clone, first, ROOM, NULL));
    at = strstr(first, "\"side\"");
    CHECK(at != NULL && strstr(at + 1, "\"side\"") == NULL && check_contains(first, "\"stream 0\""));
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    CHECK_OK(gc_graph_diff(graph, again, second, ROOM, NULL));
    CHECK(second[0] == '\0');
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(forked));
    CHECK_OK(gc_stream_destroy(other));
}

static void what_is_not_bound_is_refused(void) {
    gc_graph *graph = open_all();
    gc_graph_binding bindings[7];
    unsigned before;
    size_t i;
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 7; i++) {
        all_bindings(bindings);
        before = count_of(&destroyed);
        bindings[i].name = "another";
        graph = NULL;
        CHECK_MESSAGE(gc_graph_import_json(rig.context, first, strlen(first), bindings, 7, &graph), GRAPHCAP_ERROR_NOT_FOUND,
                      "graph.nodes[");
        CHECK(graph == NULL);
        CHECK(await_count(&destroyed, before + 1));
    }
    /* A destroy is called once, whatever is wrong. */
    for (i = 0; i < 5; i++) {
        all_bindings(bindings);
        before = count_of(&destroyed);
        switch (i) {
        case 0: bindings[0].handle = NULL; break;
        case 1: bindings[1].kind = 77; break;
        case 2: bindings[2].name = NULL; break;
        case 3: bindings[3].user_data = &before; break;
        default: bindings[6].function = NULL; break;
        }
        CHECK(gc_graph_import_json(rig.context, first, strlen(first), bindings, 7, &graph) != GRAPHCAP_SUCCESS);
        CHECK(await_count(&destroyed, before + 1));
    }
    before = count_of(&destroyed);
    all_bindings(bindings);
    CHECK_STATUS(gc_graph_import_json(NULL, first, strlen(first), bindings, 7, &graph), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(await_count(&destroyed, before + 1));
}

/* A number that is an address of the process is none that a text can give a kernel, whoever has the memory. */
static void addresses_of_the_process_are_refused(void) {
    static uint64_t of_nobody;
    const uint64_t address = (uint64_t)(uintptr_t)&of_nobody;
    struct kernel_call call;
    gc_graph_binding binding = GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer), bindings[2];
    gc_graph *graph = open_graph(rig.context), *again = NULL;
    gc_node node = 0;
    bindings[0] = binding;
    binding.name = "fill";
    binding.kind = GRAPHCAP_BINDING_KERNEL;
    binding.handle = rig.fill;
    bindings[1] = binding;
    call_fill(&call, &rig, buffer, 0, 1);
    call.words = address;
    CHECK_OK(add_kernel(graph, NULL, 0, &call, &node));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    if (address >> 32 != 0)
        CHECK_MESSAGE(gc_graph_import_json(rig.context, first, strlen(first), bindings, 2, &again),
                      GRAPHCAP_ERROR_INVALID_VALUE, "address of this process");
    CHECK(again == NULL || address >> 32 == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Of the functions of an array all are destroyed, or none where the array cannot be read. */
static void arrays_that_cannot_be_read_are_left_alone(void) {
    struct {
        gc_graph_binding binding;
        uint64_t later;
    } longer[2];
    gc_graph_binding bindings[7];
    gc_graph *graph = NULL;
    const unsigned before = count_of(&destroyed);
    size_t i;
    for (i = 0; i < 2; i++) {
        const gc_graph_binding binding = GRAPHCAP_BINDING_INIT_HOST_FUNCTION("f", count_call, &calls, let_go);
        longer[i].binding = binding;
        longer[i].binding.struct_size = (uint32_t)sizeof longer[i];
        longer[i].later = i;
    }
    CHECK_MESSAGE(gc_graph_import_json(rig.context, "", 0, &longer[0].binding, 2, &graph), GRAPHCAP_ERROR_INVALID_VALUE,
                  "element 1");
    all_bindings(bindings);
    bindings[0] = bindings[6];
    bindings[5].struct_size -= 8;
    CHECK_MESSAGE(gc_graph_import_json(rig.context, "", 0, bindings, 7, &graph), GRAPHCAP_ERROR_INVALID_VALUE, "element 5");
    CHECK_MESSAGE(gc_graph_import_json(rig.context, "", 0, bindings, (1 << 20) + 1, &graph), GRAPHCAP_ERROR_INVALID_VALUE,
                  "at most 1048576");
    CHECK(count_of(&destroyed) == before);
    bindings[5].struct_size += 8;
    bindings[3].handle = NULL;
    CHECK_MESSAGE(gc_graph_import_json(rig.context, "", 0, bindings, 7, &graph), GRAPHCAP_ERROR_INVALID_HANDLE, "element 3");
    CHECK(await_count(&destroyed, before + 2));
    CHECK(count_of(&destroyed) == before + 2 && graph == NULL);
}

/* The text with the first `from` replaced by `to`. */
static const char *with(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    REQUIRE_OK(at != NULL ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_NOT_FOUND);
    snprintf(second, sizeof second, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return second;
}

/* A text can have any offset. */
static void copies_end_where_the_host_memory_ends(void) {
    static const char *const beyond[] = {"4", "16", "4096", "18446744073709551600", "18446744073709551615"};
    uint32_t there[4] = {0, 0, 0, 0};
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(there, buffer, 0, sizeof there);
    const gc_graph_binding bindings[] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer),
                                         GRAPHCAP_BINDING_INIT_HOST_MEMORY("host memory 0", there, sizeof there)};
    gc_graph_binding small[2];
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 0;
    char offset[64];
    size_t i;
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &out, &node));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK_OK(gc_graph_destroy(graph));
    graph = NULL;
    memcpy(small, bindings, sizeof small);
    for (i = 0; i < sizeof there; i += 5) {
        small[1].size = i;
        CHECK_MESSAGE(gc_graph_import_json(rig.context, first, strlen(first), small, 2, &graph), GRAPHCAP_ERROR_INVALID_VALUE,
                      "host memory that is bound");
    }
    for (i = 0; i < LENGTH_OF(beyond); i++) {
        snprintf(offset, sizeof offset, "\"destination\":{\"memory\":0,\"offset\":\"%s\"", beyond[i]);
        with(first, "\"destination\":{\"memory\":0,\"offset\":\"0\"", offset);
        CHECK_MESSAGE(gc_graph_import_json(rig.context, second, strlen(second), bindings, 2, &graph),
                      GRAPHCAP_ERROR_INVALID_VALUE, "graph.nodes[0].destination");
    }
    small[0].size = 1;
    small[1].size = sizeof there;
    CHECK_MESSAGE(gc_graph_import_json(rig.context, first, strlen(first), small, 2, &graph), GRAPHCAP_ERROR_INVALID_VALUE,
                  "bindings.size");
    CHECK(graph == NULL);
    REQUIRE_OK(gc_graph_import_json(rig.context, first, strlen(first), bindings, 2, &graph));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 9, 4, 4));
    run_graph(&rig, graph);
    CHECK(there[0] == 9 && there[3] == 9);
    CHECK_OK(gc_graph_destroy(graph));
}

static void attributes_and_what_edges_carry_are_kept(void) {
    const gc_edge_data early = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    gc_graph *graph = open_graph(rig.context), *plain = NULL, *again;
    gc_node nodes[2], from = 0, to = 0;
    gc_launch_attribute_value value;
    gc_edge_data told;
    size_t count = 0;
    memset(&value, 0, sizeof value);
    value.number = -1;
    nodes[0] = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    nodes[1] = add_node(&rig, graph, NULL, 0, buffer, 4, 1);
    REQUIRE_OK(gc_graph_clone(graph, &plain));
    CHECK_OK(gc_graph_add_dependencies(graph, &nodes[0], &nodes[1], &early, 1));
    CHECK_OK(gc_node_set_attribute(graph, nodes[1], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK(check_contains(first, "[[0,1,{\"from_port\":1,\"to_port\":0,\"type\":1}]]"));
    CHECK(check_contains(first, "\"attributes\":[{\"id\":8,\"value\":\"ffffffff0"));
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    CHECK_OK(gc_graph_diff(graph, again, second, ROOM, NULL));
    CHECK(second[0] == '\0');
    CHECK_OK(gc_graph_get_edges(again, &from, &to, &told, 1, &count));
    CHECK(count == 1 && memcmp(&told, &early, sizeof told) == 0);
    memset(&value, 0, sizeof value);
    CHECK_OK(gc_node_get_attribute(again, to, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    CHECK(value.number == -1);
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_KERNEL_NODE_ATTRIBUTES, second, ROOM, NULL));
    CHECK(check_contains(second, "\\npriority -1") && check_contains(second, "[label=\"from port 1, type 1\"]"));
    CHECK_OK(gc_graph_remove_dependencies(graph, &nodes[0], &nodes[1], 1));
    CHECK_OK(gc_graph_diff(plain, graph, second, ROOM, NULL));
    CHECK(strcmp(second, "~ node 1: attribute priority none -> -1\n") == 0);
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_graph_destroy(plain));
    CHECK_OK(gc_graph_destroy(graph));
}

/* As in another process: nothing is bound to the kernel that sets conditions. */
/* Edges of one call are added in its order, whether they carry something or not. */
static void edges_that_carry_keep_their_place(void) {
    const gc_edge_data data[3] = {{0, 0, 0, {0, 0, 0, 0, 0}},
                                  {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}},
                                  {0, 0, 0, {0, 0, 0, 0, 0}}};
    gc_graph *graph = open_graph(rig.context), *again;
    gc_node from[3], to[3];
    unsigned i;
    for (i = 0; i < 3; i++)
        from[i] = add_node(&rig, graph, NULL, 0, buffer, i, 1);
    to[0] = to[1] = to[2] = add_node(&rig, graph, NULL, 0, buffer, 3, 1);
    CHECK_OK(gc_graph_add_dependencies(graph, from, to, data, 3));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK(check_contains(first, "\"edges\": [[0,3],[1,3,{\"from_port\":1,\"to_port\":0,\"type\":1}],[2,3]]"));
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A graph that is read back is paired by an update as its original is, whatever the order in which its edges were added. */
static void an_imported_graph_updates_as_its_original(void) {
    gc_graph *graph = open_graph(rig.context), *again;
    gc_graph_exec *exec;
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_node from[4], behind[3], join = 0;
    /* The one that is disabled was made first, and comes second among the dependencies. */
    from[0] = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    from[1] = add_node(&rig, graph, NULL, 0, buffer, 1, 2);
    from[2] = fill_node(&rig, graph, NULL, 0, buffer, 2, 3);
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &from[3]));
    behind[0] = from[3];
    behind[1] = from[1];
    behind[2] = from[0];
    REQUIRE_OK(gc_graph_add_empty_node(graph, behind, 3, &join));
    CHECK_OK(gc_graph_add_dependencies(graph, &from[2], &join, NULL, 1));
    /* A node that waits for one that was made later. */
    CHECK_OK(gc_graph_add_dependencies(graph, &from[2], &from[0], NULL, 1));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK(check_contains(first, "\"edges\": [[2,0],[3,4],[1,4],[0,4],[2,4]]"));
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    CHECK_OK(gc_graph_diff(graph, again, second, ROOM, NULL));
    CHECK(second[0] == '\0');
    exec = open_exec(graph);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, from[0], 0));
    CHECK_OK(gc_graph_exec_update(exec, again, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info));
    CHECK_OK(gc_graph_exec_update(exec, again, 0, &info));
    CHECK(info.result == GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS);
    clear_words(&rig, buffer);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, buffer, 0) == 0);
    CHECK(read_u32(rig.stream, buffer, 1) == 2);
    CHECK(read_u32(rig.stream, buffer, 2) == 3);
    CHECK_OK(gc_graph_destroy(again));
    /* A text that tells the edges in another order is read too: it tells of a graph whose edges were added in that order. */
    again = read_back(with(first, "[[2,0],[3,4],[1,4],[0,4],[2,4]]", "[[0,4],[1,4],[2,0],[2,4],[3,4]]"), GRAPHCAP_SUCCESS);
    CHECK_STATUS(gc_graph_exec_update(exec, again, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(again));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A stream that waits for another one within a capture makes a node with two dependencies, in the order that the device has. */
static void a_captured_join_updates_what_it_was_made_of(void) {
    int made_first;
    for (made_first = 0; made_first < 2; made_first++) {
        gc_stream *other = open_stream(rig.context, 0);
        gc_event *forked = open_event(rig.context), *joined = open_event(rig.context);
        gc_graph *graph = NULL, *again;
        gc_graph_exec *exec;
        gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
        int step;
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_event_record(forked, rig.stream, 0));
        CHECK_OK(gc_stream_wait_event(other, forked, 0));
        for (step = 0; step < 2; step++) {
            if (step == made_first)
                CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
            else
                CHECK_OK(gc_stream_launch_host_func(other, count_call, &calls, NULL));
        }
        CHECK_OK(gc_event_record(joined, other, 0));
        CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 8, 1, 1));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
        again = read_back(first, GRAPHCAP_SUCCESS);
        exec = open_exec(graph);
        CHECK_OK(gc_graph_exec_update(exec, again, 0, &info));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(again));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_event_destroy(joined));
        CHECK_OK(gc_event_destroy(forked));
        CHECK_OK(gc_stream_destroy(other));
    }
}

static void a_graph_that_decides_is_read_back(void) {
    gc_graph *graph = open_graph(rig.context), *body = NULL, *again;
    gc_condition condition = 0;
    gc_node set = 0, decision = 0;
    gc_graph_exec *exec;
    uint32_t i;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    REQUIRE_OK(gc_graph_add_set_condition_node(graph, NULL, 0, condition, values, 4, &set));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &decision));
    REQUIRE_OK(gc_node_get_graph(graph, decision, 0, &body));
    add_node(&rig, body, NULL, 0, buffer, 0, 5);
    set = add_node(&rig, body, NULL, 0, values, 1, UINT32_MAX);
    REQUIRE_OK(gc_graph_add_set_condition_node(body, &set, 1, condition, values, 4, &set));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_export_json(graph, first, ROOM, NULL));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(check_contains(first, "\"to\":{\"condition\":0}"));
    again = read_back(first, GRAPHCAP_SUCCESS);
    CHECK_OK(gc_graph_export_json(again, second, ROOM, NULL));
    CHECK(strcmp(first, second) == 0);
    exec = open_exec(again);
    for (i = 0; i < 4; i++) {
        clear_words(&rig, buffer);
        CHECK_OK(gc_stream_memset(rig.stream, values, 4, i, 4, 1));
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, buffer, 0) == 5 * i);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(again));
    with(first, "{\"condition\":0}", "{\"memory\":{\"memory\":0,\"offset\":\"0\"}}");
    read_back(second, GRAPHCAP_ERROR_INVALID_VALUE);
}

static void bad_texts_are_told_with_their_place(void) {
    const struct {
        const char *text;
        const char *place;
    } rows[] = {{"", "line 1 column 0"},
                {"{\"format\":\"graphcap graph\",\n\"version\":1,}", "line 2 column 13"},
                {"{\"format\":\"graphcap graph\",\"version\":7}", "version 7"},
                {"{\"format\":\"else\",\"version\":1}", "\"else\""}};
    gc_graph *graph = NULL;
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_MESSAGE(gc_graph_import_json(rig.context, rows[i].text, strlen(rows[i].text), NULL, 0, &graph),
                      GRAPHCAP_ERROR_INVALID_VALUE, rows[i].place);
    CHECK_MESSAGE(gc_graph_import_json(rig.context, NULL, 0, NULL, 0, &graph), GRAPHCAP_ERROR_INVALID_VALUE, "json");
    CHECK(graph == NULL);
}

static void differences_are_told(void) {
    gc_graph *graph = open_graph(rig.context), *other = NULL;
    gc_node node = add_node(&rig, graph, NULL, 0, buffer, 0, 1), more = 0, found = 0;
    struct kernel_call call;
    char text[512];
    CHECK_OK(gc_graph_add_empty_node(graph, &node, 1, &more));
    REQUIRE_OK(gc_graph_clone(graph, &other));
    CHECK_OK(gc_graph_diff(graph, other, text, sizeof text, NULL));
    CHECK(text[0] == '\0');
    CHECK_OK(gc_node_find_in_clone(graph, node, other, &found));
    CHECK_OK(set_kernel(other, found, call_add(&call, &rig, buffer, 1, 9)));
    CHECK_OK(gc_node_set_name(graph, more, "join"));
    add_node(&rig, other, NULL, 0, buffer, 4, 4);
    CHECK_OK(gc_graph_diff(graph, other, text, sizeof text, NULL));
    CHECK(check_contains(text, "~ node 0: argument 0 words -> words + 4\n") && check_contains(text, "argument 1 1 -> 9\n"));
    CHECK(check_contains(text, "~ node 1: name \"join\" -> \"\"\n") && check_contains(text, "+ node 2: kernel add\n"));
    CHECK_OK(gc_graph_diff(other, graph, text, sizeof text, NULL));
    CHECK(check_contains(text, "- node 2: kernel add\n"));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Two branches, recorded one after the other in that order or in the other one. */
static gc_graph *open_branches(int is_reversed, uint32_t number) {
    gc_stream *other = open_stream(rig.context, 0);
    gc_event *forked = open_event(rig.context), *joined = open_event(rig.context);
    gc_graph *graph = NULL;
    int i;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(forked, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(other, forked, 0));
    for (i = 0; i < 2; i++) {
        if (i == is_reversed) {
            CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, number, 1));
            CHECK_OK(gc_stream_memset(rig.stream, buffer, 16, 1, 4, 2));
        } else {
            CHECK_OK(gc_stream_memset(other, buffer, 32, 1, 4, 2));
            CHECK_OK(launch_add(&rig, other, buffer, 8, 4, 1));
        }
    }
    CHECK_OK(gc_event_record(joined, other, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 16, 4, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(forked));
    CHECK_OK(gc_stream_destroy(other));
    return graph;
}

/* Two nodes, and one that waits for them, with the edges added in that order or the other one. */
static gc_graph *open_join(int is_reversed, uint32_t first_number, uint32_t second_number) {
    gc_graph *graph = open_graph(rig.context);
    gc_node from[2], join = 0;
    int i;
    from[0] = add_node(&rig, graph, NULL, 0, buffer, 0, first_number);
    from[1] = add_node(&rig, graph, NULL, 0, buffer, 0, second_number);
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &join));
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_graph_add_dependencies(graph, &from[i ^ is_reversed], &join, NULL, 1));
    return graph;
}

static void nodes_are_paired_as_by_updates_or_by_their_work(void) {
    gc_graph *graph = open_branches(0, 3), *other = open_branches(1, 3);
    char text[512];
    CHECK_OK(gc_graph_diff(graph, other, text, sizeof text, NULL));
    CHECK(text[0] == '\0');
    CHECK_OK(gc_graph_destroy(other));
    other = open_branches(1, 9);
    CHECK_OK(gc_graph_diff(graph, other, text, sizeof text, NULL));
    CHECK(strcmp(text, "~ node 0 / 2: argument 1 3 -> 9\n") == 0);
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
    graph = open_join(0, 1, 2);
    other = open_join(1, 3, 4);
    CHECK_OK(gc_graph_diff(graph, other, text, sizeof text, NULL));
    CHECK(strcmp(text, "~ node 0 / 1: argument 1 1 -> 4\n~ node 1 / 0: argument 1 2 -> 3\n") == 0);
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    values = open_waitable(rig.context, WORDS * sizeof(uint32_t));
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 256, 0, &pinned));
    event = open_event(rig.context);
    CHECK_OK(gc_set_name(buffer, "words"));
    CHECK_OK(gc_set_name(values, "values"));
    CHECK_OK(gc_set_name(pinned, "pinned"));
    CHECK_OK(gc_set_name(event, "done"));
    RUN(dot_flags_add_lines);
    RUN(a_graph_is_written_read_back_and_runs);
    RUN(the_rest_is_taken_from_a_graph);
    RUN(other_texts_are_refused);
    RUN(captured_graphs_are_written_and_read_back);
    RUN(captured_nodes_tell_their_streams);
    RUN(what_is_not_bound_is_refused);
    RUN(addresses_of_the_process_are_refused);
    RUN(arrays_that_cannot_be_read_are_left_alone);
    RUN(copies_end_where_the_host_memory_ends);
    RUN(attributes_and_what_edges_carry_are_kept);
    RUN(edges_that_carry_keep_their_place);
    RUN(an_imported_graph_updates_as_its_original);
    RUN(a_captured_join_updates_what_it_was_made_of);
    RUN(a_graph_that_decides_is_read_back);
    RUN(bad_texts_are_told_with_their_place);
    RUN(differences_are_told);
    RUN(nodes_are_paired_as_by_updates_or_by_their_work);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(values));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
