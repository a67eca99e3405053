/* Graphs whose declared accesses are checked by trial: true ones are confirmed, wrong ones are named, and memory is as before. */
#include "nodes.h"

enum { CELLS = 6, OPERATIONS = 14, MODEL_ORDERS = 400 };

static struct rig rig;
static gc_buffer *cells[CELLS];
static uint32_t seed;
static char told[1 << 14];

static unsigned random_below(unsigned limit) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % limit;
}

/* What is declared: mix(to, a, b, number), add(to, number, words), fill(to, value, words). */
static uint32_t declared[3][4];

static void declare(void) {
    CHECK_OK(gc_kernel_set_accesses(rig.mix, declared[0], 4));
    CHECK_OK(gc_kernel_set_accesses(rig.add, declared[1], 3));
    CHECK_OK(gc_kernel_set_accesses(rig.fill, declared[2], 3));
}

static void declare_truth(void) {
    static const uint32_t truth[3][4] = {
        {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_READ, GRAPHCAP_ACCESS_NONE},
        {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE, 0},
        {GRAPHCAP_ACCESS_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE, 0},
    };
    memcpy(declared, truth, sizeof truth);
    declare();
}

static void take_all_back(void) {
    CHECK_OK(gc_kernel_set_accesses(rig.mix, NULL, 0));
    CHECK_OK(gc_kernel_set_accesses(rig.add, NULL, 0));
    CHECK_OK(gc_kernel_set_accesses(rig.fill, NULL, 0));
}

static void take_text(const char *text, void *user_data) {
    ++*(unsigned *)user_data;
    CHECK(strlen(text) < sizeof told);
    strncpy(told, text, sizeof told - 1);
}

/* Whether the message of the last failed call has these words. */
static int message_has(const char *words) {
    char message[1024] = "";
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    return strstr(message, words) != NULL;
}

static gc_verify_report verified(const gc_graph *graph, uint32_t permits) {
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    unsigned calls = 0;
    options.permits = permits;
    options.text = take_text;
    options.user_data = &calls;
    CHECK_OK(gc_graph_verify(graph, &options, &report));
    CHECK(calls == 1);
    return report;
}

static gc_status status_of(const gc_graph *graph, uint32_t permits, uint64_t max_bytes) {
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    options.permits = permits;
    options.max_bytes = max_bytes;
    options.orders = 1;
    return gc_graph_verify(graph, &options, &report);
}

static void set_cells(const uint32_t *words) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_stream_memcpy_htod(rig.stream, cells[i], 0, &words[i], 4));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void cells_are(const uint32_t *words) {
    unsigned i;
    for (i = 0; i < CELLS; i++)
        CHECK(read_u32(rig.stream, cells[i], 0) == words[i]);
}

static gc_node mix_node(gc_graph *graph, const gc_node *dependencies, size_t count, const unsigned *places, uint32_t c) {
    const gc_kernel_arg a = GRAPHCAP_ARG_INIT_BUFFER(cells[places[1]]), b = GRAPHCAP_ARG_INIT_BUFFER(cells[places[2]]);
    struct kernel_call call;
    gc_node node = 0;
    call_mix(&call, &rig, cells[places[0]], 0, 0, 0, c);
    set_argument(&call, 1, a);
    set_argument(&call, 2, b);
    REQUIRE_OK(add_kernel(graph, dependencies, count, &call, &node));
    return node;
}

static const uint32_t numbers[CELLS] = {11, 22, 33, 44, 55, 66};

static void what_is_true_is_confirmed(void) {
    static const unsigned places[] = {1, 0, 2};
    gc_graph *graph = open_graph(rig.context);
    gc_verify_report report;
    gc_node nodes[3];
    declare_truth();
    set_cells(numbers);
    nodes[0] = fill_node(&rig, graph, NULL, 0, cells[0], 0, 7);
    nodes[1] = mix_node(graph, nodes, 1, places, 5);
    nodes[2] = add_node(&rig, graph, &nodes[1], 1, cells[3], 0, 100);
    report = verified(graph, 0);
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING && report.finding_count == 0 && report.stopped == 0);
    CHECK(report.first == 0 && report.second == 0 && report.node_count == 3);
    /* The last one is free of both others. */
    CHECK(report.pair_count == 2 && report.pairs_tried == 2 && report.lanes == 2);
    CHECK(report.order_count > 0 && report.replay_count > report.order_count);
    CHECK(report.bytes_excluded == 0 && report.bytes_unwatched == 0 && report.bytes_compared == 4 * 16);
    CHECK(strstr(told, "nothing wrong was found") != NULL);
    cells_are(numbers);
    CHECK_OK(gc_graph_destroy(graph));
    graph = open_graph(rig.context);
    report = verified(graph, 0);
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING && report.node_count == 0 && report.bytes_compared == 0);
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

static void the_two_nodes_are_named_whose_order_matters(void) {
    static const unsigned places[] = {1, 0, 2};
    gc_graph *graph = open_graph(rig.context);
    gc_verify_report report;
    gc_node nodes[4];
    uint64_t address = 0;
    declare_truth();
    declared[0][1] = GRAPHCAP_ACCESS_NONE;
    declare();
    set_cells(numbers);
    nodes[0] = add_node(&rig, graph, NULL, 0, cells[4], 0, 1);
    nodes[1] = fill_node(&rig, graph, nodes, 1, cells[0], 0, 7);
    nodes[2] = add_node(&rig, graph, &nodes[1], 1, cells[5], 0, 1);
    nodes[3] = mix_node(graph, &nodes[2], 1, places, 5);
    report = verified(graph, 0);
    CHECK_OK(gc_buffer_address(cells[1], &address));
    CHECK(report.finding == GRAPHCAP_VERIFY_ORDER && report.finding_count == 1);
    CHECK(report.first == nodes[1] && report.second == nodes[3]);
    CHECK(report.address >= address && report.address < address + 4);
    if (strstr(told, "the order of node") == NULL || strstr(told, "(\"fill\")") == NULL) {
        fprintf(stderr, "    %s\n", told);
        CHECK(0);
    }
    cells_are(numbers);
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

static void writes_that_are_not_declared_are_named(void) {
    static const unsigned places[] = {1, 0, 2};
    gc_graph *graph = open_graph(rig.context);
    gc_verify_report report;
    gc_node nodes[2];
    uint64_t address = 0;
    declare_truth();
    declared[0][0] = GRAPHCAP_ACCESS_READ;
    declare();
    set_cells(numbers);
    CHECK_OK(gc_set_name(cells[1], "the sums"));
    nodes[0] = mix_node(graph, NULL, 0, places, 5);
    CHECK_OK(gc_buffer_address(cells[1], &address));
    report = verified(graph, 0);
    CHECK(report.finding == GRAPHCAP_VERIFY_UNDECLARED && report.first == nodes[0] && report.second == 0);
    CHECK(report.address >= address && report.address < address + 4 && report.finding_count == 1);
    CHECK(strstr(told, "not declared to write") != NULL);
    CHECK(strstr(told, " of buffer \"the sums\")") != NULL);
    CHECK_OK(gc_set_name(cells[1], ""));
    cells_are(numbers);
    /* With another one that writes there, in whatever order. */
    nodes[1] = mix_node(graph, nodes, 1, places, 9);
    report = verified(graph, 0);
    CHECK(report.finding == GRAPHCAP_VERIFY_ORDER && report.first == nodes[0] && report.second == nodes[1]);
    CHECK(strstr(told, "nothing orders them") != NULL);
    cells_are(numbers);
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

static uint32_t ticks;

static int32_t tick(uint64_t done, uint64_t total, void *user_data) {
    unsigned *left = (unsigned *)user_data;
    CHECK(done <= total && total > 0);
    ticks++;
    return left != NULL && (*left)-- == 0;
}

static void what_differs_from_replay_to_replay_is_left_out(void) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(cells[0], 0, &ticks, 4);
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_graph *graph = open_graph(rig.context);
    gc_node node = 0;
    unsigned left;
    declare_truth();
    set_cells(numbers);
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node));
    add_node(&rig, graph, &node, 1, cells[1], 0, 1);
    options.progress = tick;
    CHECK_OK(gc_graph_verify(graph, &options, &report));
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING && report.stopped == 0);
    CHECK(report.bytes_excluded >= 1 && report.bytes_excluded <= 4);
    CHECK(report.bytes_compared == 4 + 16 - report.bytes_excluded);
    cells_are(numbers);
    /* The caller ends it: early, and amid the orders. */
    for (left = 0; left < 12; left += 3) {
        unsigned rest = left;
        options.user_data = &rest;
        CHECK_OK(gc_graph_verify(graph, &options, &report));
        CHECK(report.stopped == 1 && report.finding == GRAPHCAP_VERIFY_NOTHING);
        cells_are(numbers);
    }
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

static void call_back(void *user_data) {
    ++*(unsigned *)user_data;
}

static void graphs_that_must_not_be_replayed_are_refused(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context);
    gc_verify_report report = GRAPHCAP_VERIFY_REPORT_INIT;
    gc_verify_options options = GRAPHCAP_VERIFY_OPTIONS_INIT;
    gc_event *event = open_event(rig.context);
    gc_node first, node = 0;
    unsigned calls = 0;
    set_cells(numbers);
    first = add_node(&rig, graph, NULL, 0, cells[0], 0, 1);
    CHECK_STATUS(status_of(graph, 0, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK(message_has("nothing is stated of what kernel") && message_has("gc_kernel_set_accesses()"));
    {
        /* Something is stated, and it is not enough. */
        gc_graph *stated = open_graph(rig.context);
        struct kernel_call call;
        call_add(&call, &rig, cells[0], 0, 1);
        call.arguments[0].access = GRAPHCAP_ACCESS_READ;
        REQUIRE_OK(add_kernel(stated, NULL, 0, &call, &node));
        CHECK_STATUS(status_of(stated, 0, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK(message_has("states of its buffers that they are read alone") && !message_has("nothing is stated"));
        CHECK_OK(gc_graph_destroy(stated));
        node = 0;
    }
    options.flags = GRAPHCAP_VERIFY_TRUST_PARAMETERS;
    CHECK_OK(gc_graph_verify(graph, &options, &report));
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING);
    declare_truth();
    CHECK_STATUS(status_of(graph, 0, 15), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK(message_has("16 bytes"));
    CHECK_OK(status_of(graph, 0, 16));
    CHECK_OK(gc_graph_add_host_node(graph, &first, 1, call_back, &calls, NULL, &node));
    CHECK_STATUS(status_of(graph, 0, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK(message_has("permit host functions") && calls == 0);
    CHECK_OK(status_of(graph, GRAPHCAP_PERMIT_HOST_FUNCTIONS, 0));
    CHECK(calls > 5);
    CHECK_OK(gc_graph_remove_node(graph, node));
    CHECK_OK(gc_graph_add_event_record_node(graph, &first, 1, event, &node));
    CHECK_STATUS(status_of(graph, GRAPHCAP_PERMIT_HOST_FUNCTIONS, 0), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(status_of(graph, GRAPHCAP_PERMIT_EVENTS, 0));
    CHECK_OK(gc_graph_remove_node(graph, node));
    /* What a child graph writes is known by its nodes. */
    first = add_node(&rig, child, NULL, 0, cells[1], 0, 1);
    CHECK_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    CHECK_OK(status_of(graph, 0, 32));
    CHECK_STATUS(status_of(graph, 0, 31), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    cells_are(numbers);
    options.flags = 8;
    CHECK_STATUS(gc_graph_verify(graph, &options, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(status_of(graph, 16, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_verify(graph, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    report.struct_size = 3;
    CHECK_STATUS(gc_graph_verify(graph, NULL, &report), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_event_destroy(event));
    take_all_back();
}

/* Copies to the CPU's memory are undone as well. */
static void host_memory_is_as_before(void) {
    uint32_t seen = 99;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(&seen, cells[0], 0, 4);
    gc_graph *graph = open_graph(rig.context);
    gc_verify_report report;
    gc_node node;
    declare_truth();
    set_cells(numbers);
    node = add_node(&rig, graph, NULL, 0, cells[0], 0, 1);
    CHECK_OK(gc_graph_add_memcpy_node(graph, &node, 1, &copy, &node));
    report = verified(graph, 0);
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING && report.bytes_compared == 16 + 4);
    CHECK(seen == 99);
    cells_are(numbers);
    CHECK_OK(gc_graph_destroy(graph));
    take_all_back();
}

/* Nodes of one graph may work in the memory of another context of the device. */
static void memory_of_another_context_is_as_before(void) {
    gc_context *other = open_context();
    gc_buffer *theirs = open_buffer(other, 64);
    gc_graph *graph = open_graph(rig.context);
    gc_memset_params fill = GRAPHCAP_MEMSET_INIT(theirs, 0, 0xabababab, 4, 16, 1, 0);
    gc_stream *stream;
    gc_verify_report report;
    gc_node node;
    declare_truth();
    set_cells(numbers);
    clear_buffer(other, theirs);
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &fill, &node));
    add_node(&rig, graph, &node, 1, cells[0], 0, 1);
    report = verified(graph, 0);
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING && report.bytes_compared == 64 + 16);
    cells_are(numbers);
    stream = open_stream(other, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK(read_u32(stream, theirs, 15) == 0);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(theirs));
    CHECK_OK(gc_context_destroy(other));
    take_all_back();
}

/* Whoever captures meanwhile, in whatever mode. */
static void captures_go_on(void) {
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = open_graph(rig.context), *captured = NULL, *result = NULL;
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_node node;
    declare_truth();
    set_cells(numbers);
    node = add_node(&rig, graph, NULL, 0, cells[0], 0, 1);
    add_node(&rig, graph, &node, 1, cells[1], 0, 1);
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(stream, cells[2], 0, 1, 4, 1));
    CHECK(verified(graph, 0).finding == GRAPHCAP_VERIFY_NOTHING);
    options.flags = GRAPHCAP_OPTIMIZE_MEASURE;
    CHECK_OK(gc_graph_optimize(graph, &options, &result, NULL, &report));
    CHECK(report.candidate_count == 2);
    CHECK_OK(gc_stream_end_capture(stream, &captured));
    CHECK(nodes_of(captured) == 1);
    cells_are(numbers);
    CHECK_OK(gc_graph_destroy(captured));
    CHECK_OK(gc_graph_destroy(result));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(stream));
    take_all_back();
}

struct operation {
    unsigned kind, places[3];
    uint32_t constant;
};

static void work_out(const struct operation *o, uint32_t *words) {
    uint32_t *to = &words[o->places[0]];
    switch (o->kind) {
    case 0: *to = mixed(words[o->places[1]], words[o->places[2]], o->constant); break;
    case 1: *to += o->constant; break;
    case 2: *to = o->constant; break;
    case 3: *to = words[o->places[1]]; break;
    default: *to = o->constant; break;
    }
}

/* What an operation touches: bit c for cell c, by the accesses of its kernel. */
static void touches(const struct operation *o, uint32_t access[3][4], unsigned *reads, unsigned *writes) {
    unsigned i;
    *reads = *writes = 0;
    if (o->kind >= 3) {
        *writes = 1u << o->places[0];
        *reads = o->kind == 3 ? 1u << o->places[1] : 0;
        return;
    }
    for (i = 0; i < (o->kind == 0 ? 3u : 1u); i++) {
        if (access[o->kind][i] & GRAPHCAP_ACCESS_READ)
            *reads |= 1u << o->places[i];
        if (access[o->kind][i] & GRAPHCAP_ACCESS_WRITE)
            *writes |= 1u << o->places[i];
    }
}

static int conflict(const struct operation *a, const struct operation *b, uint32_t access[3][4]) {
    unsigned reads[2], writes[2];
    touches(a, access, &reads[0], &writes[0]);
    touches(b, access, &reads[1], &writes[1]);
    return (writes[0] & (reads[1] | writes[1])) != 0 || (writes[1] & reads[0]) != 0;
}

/* Whether one of many orders that the declared accesses allow gives another result. */
static int it_matters(const struct operation *operations, unsigned length, const uint32_t *start, const uint32_t *words) {
    unsigned round, i, k;
    for (round = 0; round < MODEL_ORDERS; round++) {
        uint32_t result[CELLS];
        char is_done[OPERATIONS] = {0};
        unsigned left = length;
        memcpy(result, start, sizeof result);
        while (left > 0) {
            const unsigned next = random_below(length);
            int is_ready = !is_done[next];
            for (k = 0; k < next && is_ready; k++)
                is_ready = is_done[k] || !conflict(&operations[k], &operations[next], declared);
            if (is_ready) {
                work_out(&operations[next], result);
                is_done[next] = 1;
                left--;
            }
        }
        for (i = 0; i < CELLS; i++)
            if (result[i] != words[i])
                return 1;
    }
    return 0;
}

static gc_node add_operation(gc_graph *graph, const struct operation *o, const gc_node *last, size_t count) {
    gc_node node = 0;
    if (o->kind == 0)
        return mix_node(graph, last, count, o->places, o->constant);
    if (o->kind == 1)
        return add_node(&rig, graph, last, count, cells[o->places[0]], 0, o->constant);
    if (o->kind == 2)
        return fill_node(&rig, graph, last, count, cells[o->places[0]], 0, o->constant);
    if (o->kind == 3) {
        const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(cells[o->places[0]], 0, cells[o->places[1]], 0, 4);
        REQUIRE_OK(gc_graph_add_memcpy_node(graph, last, count, &copy, &node));
    } else {
        const gc_memset_params set = GRAPHCAP_MEMSET_INIT(cells[o->places[0]], 0, o->constant, 4, 1, 1, 0);
        REQUIRE_OK(gc_graph_add_memset_node(graph, last, count, &set, &node));
    }
    return node;
}

/* Random programs as chains. What is true is confirmed. With one access left out, or half of one, verify finds it in at least 99 of
 * 100 programs in which it matters; the two nodes that it names conflict, and it was not declared. */
static void wrong_declarations_are_found(void) {
    static const unsigned parameters[][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}};
    const unsigned rounds = soak(60, 4000);
    unsigned round, matters = 0, found = 0, named = 0;
    for (round = 0; round < rounds; round++) {
        struct operation operations[OPERATIONS];
        gc_node nodes[OPERATIONS];
        uint32_t truth[3][4], words[CELLS], start[CELLS];
        gc_graph *graph = open_graph(rig.context);
        gc_verify_report report;
        unsigned length, i, k;
        const unsigned *left_out;
        int does_matter;
        seed = round * 7919 + 1;
        length = 2 + random_below(OPERATIONS - 1);
        for (i = 0; i < CELLS; i++)
            words[i] = start[i] = 1 + random_below(100000);
        for (i = 0; i < length; i++) {
            struct operation *o = &operations[i];
            o->kind = random_below(5);
            for (k = 0; k < 3; k++)
                o->places[k] = random_below(CELLS);
            o->constant = 1 + random_below(100000);
            /* To copy onto itself is no copy that graphs take. */
            if (o->kind == 3 && o->places[0] == o->places[1])
                o->kind = 1;
            work_out(o, words);
            nodes[i] = add_operation(graph, o, i == 0 ? NULL : &nodes[i - 1], i != 0);
        }
        set_cells(start);
        declare_truth();
        report = verified(graph, 0);
        if (report.finding != GRAPHCAP_VERIFY_NOTHING) {
            fprintf(stderr, "    round %u: %s\n", round, told);
            CHECK(0);
        }
        cells_are(start);
        memcpy(truth, declared, sizeof truth);
        left_out = parameters[random_below(5)];
        declared[left_out[0]][left_out[1]] = GRAPHCAP_ACCESS_NONE;
        if (truth[left_out[0]][left_out[1]] & GRAPHCAP_ACCESS_WRITE && random_below(2) == 0)
            declared[left_out[0]][left_out[1]] = GRAPHCAP_ACCESS_READ;
        declare();
        report = verified(graph, 0);
        cells_are(start);
        does_matter = it_matters(operations, length, start, words);
        matters += does_matter;
        found += does_matter && report.finding != GRAPHCAP_VERIFY_NOTHING;
        if (does_matter && report.finding == GRAPHCAP_VERIFY_NOTHING)
            fprintf(stderr, "    round %u: not found\n", round);
        if (report.finding == GRAPHCAP_VERIFY_ORDER || report.finding == GRAPHCAP_VERIFY_BOTH_WRITE) {
            for (i = 0; i < length && nodes[i] != report.first; i++)
                continue;
            for (k = 0; k < length && nodes[k] != report.second; k++)
                continue;
            CHECK(i < k && k < length);
            CHECK(conflict(&operations[i], &operations[k], truth));
            CHECK(!conflict(&operations[i], &operations[k], declared));
            named++;
        }
        CHECK_OK(gc_graph_destroy(graph));
    }
    fprintf(stderr, "    found %u of %u that matter\n", found, matters);
    CHECK(matters > rounds / 4 && named > rounds / 5);
    CHECK(found * 100 >= matters * 99);
    take_all_back();
}

int main(void) {
    unsigned i;
    rig_open(&rig);
    for (i = 0; i < CELLS; i++)
        cells[i] = open_buffer(rig.context, 16);
    RUN(what_is_true_is_confirmed);
    RUN(the_two_nodes_are_named_whose_order_matters);
    RUN(writes_that_are_not_declared_are_named);
    RUN(what_differs_from_replay_to_replay_is_left_out);
    RUN(graphs_that_must_not_be_replayed_are_refused);
    RUN(host_memory_is_as_before);
    RUN(memory_of_another_context_is_as_before);
    RUN(captures_go_on);
    RUN(wrong_declarations_are_found);
    for (i = 0; i < CELLS; i++)
        CHECK_OK(gc_buffer_destroy(cells[i]));
    rig_close(&rig);
    return check_finish();
}
