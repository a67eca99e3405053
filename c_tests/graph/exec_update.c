/* Execs that are updated by graphs: which differences are accepted and how the others are refused, what later launches do, what
 * queued ones do, and that the question beforehand answers as the update. */
#include "nodes.h"

#include <pthread.h>

enum { WORDS = 64 };

static struct rig rig;
static gc_buffer *buffer, *other_buffer;
static gc_event *event;
static unsigned calls[2];

static uint32_t word(unsigned index) {
    return read_u32(rig.stream, buffer, index);
}

/* Asks and then updates: both answer with that result, and name that node of the graph, or none for 0. */
static void check_update(int line, const gc_graph_exec *exec, const gc_graph *graph, gc_graph_exec_update_result result,
                         gc_node node) {
    const gc_status expected = result == 0 ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    gc_graph_exec_update_info asked = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT, told = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    check_status(__FILE__, line, "gc_graph_exec_update", gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &asked), expected);
    check_status(__FILE__, line, "gc_graph_exec_update", gc_graph_exec_update(exec, graph, 0, &told), expected);
    check_condition(__FILE__, line, "the result", told.result == result && asked.result == result);
    check_condition(__FILE__, line, "the status", told.status == expected && asked.status == expected);
    check_condition(__FILE__, line, "the node", told.graph_node == node && asked.graph_node == node);
    check_condition(__FILE__, line, "no attribute", told.kept_attribute == 0);
    if (told.result != result || asked.result != result)
        fprintf(stderr, "    the update answered %d, the question %d\n", (int)told.result, (int)asked.result);
}

#define CHECK_UPDATE(exec, graph, result, node) check_update(__LINE__, exec, graph, result, node)

/* A chain of two nodes that add, of which the second one has to see the first. */
static gc_graph *open_chain(uint32_t first, uint32_t second, gc_node *nodes) {
    gc_graph *graph = open_graph(rig.context);
    nodes[0] = fill_node(&rig, graph, NULL, 0, buffer, 0, first);
    nodes[1] = add_node(&rig, graph, nodes, 1, buffer, 0, second);
    return graph;
}

static void launches_do_the_work_of_the_graph(void) {
    gc_node nodes[2], others[2];
    gc_graph *graph = open_chain(1, 2, nodes), *other = open_chain(10, 20, others);
    gc_graph_exec *exec = open_exec(graph);
    uint64_t replays = 0;
    replay(&rig, exec);
    CHECK(word(0) == 3);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 30);
    /* The graph itself is as it was, and the source can go. */
    CHECK_OK(gc_graph_destroy(other));
    replay(&rig, exec);
    CHECK(word(0) == 30);
    CHECK_UPDATE(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    CHECK_OK(gc_graph_destroy(graph));
    replay(&rig, exec);
    CHECK(word(0) == 3);
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK(replays == 4);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void an_exec_without_its_graph_is_updated(void) {
    gc_node nodes[2], others[2];
    gc_graph *graph = open_chain(1, 2, nodes), *other = open_chain(10, 20, others);
    gc_graph_exec *exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_update(exec, other, 0, NULL));
    replay(&rig, exec);
    CHECK(word(0) == 30);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
}

static void nodes_are_paired_by_their_edges(void) {
    gc_node nodes[3];
    gc_graph *graph = open_chain(1, 2, nodes), *backwards = open_graph(rig.context);
    gc_graph_exec *exec = open_exec(graph);
    nodes[1] = add_node(&rig, backwards, NULL, 0, buffer, 0, 20);
    nodes[0] = fill_node(&rig, backwards, NULL, 0, buffer, 0, 10);
    REQUIRE_OK(gc_graph_add_dependencies(backwards, &nodes[0], &nodes[1], NULL, 1));
    CHECK_UPDATE(exec, backwards, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 30);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(backwards));
    CHECK_OK(gc_graph_destroy(graph));
}

static void another_topology_is_refused(void) {
    gc_node nodes[2], others[3];
    gc_graph *graph = open_chain(1, 2, nodes), *other = open_chain(10, 20, others);
    gc_graph_exec *exec = open_exec(graph);
    char message[1024];
    others[2] = add_node(&rig, other, &others[1], 1, buffer, 0, 5);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, 0);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(check_contains(message, "nodes"));
    CHECK_OK(gc_graph_remove_node(other, others[2]));
    CHECK_OK(gc_graph_remove_dependencies(other, &others[0], &others[1], 1));
    CHECK_STATUS(gc_graph_exec_update(exec, other, 0, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_STATUS(gc_graph_exec_update(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    CHECK_OK(gc_graph_add_dependencies(other, &others[0], &others[1], NULL, 1));
    replay(&rig, exec);
    CHECK(word(0) == 3);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 30);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Graphs of one node ---- */

enum single {
    KERNEL,
    KERNEL_ELSEWHERE,
    COPY,
    COPY_MORE,
    COPY_TO_HOST,
    COPY_ROWS,
    COPY_OTHER_ROWS,
    SET,
    SET_WIDER,
    SET_ROWS,
    SET_ROWS_ELSEWHERE,
    SET_OTHER_ROWS,
    HOST,
    HOST_OTHER,
    WRITE,
    WRITE_OTHER,
    WRITE_TWO,
    WRITE_WIDE,
    EMPTY,
    RECORD,
    WAIT,
    SINGLES
};

static uint32_t host_words[WORDS];

static gc_node add_single(const gc_graph *graph, enum single single) {
    struct kernel_call call;
    gc_node node = 0;
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 16, other_buffer, 0, 4);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 32, 7, 4, 1, 1, 0);
    gc_mem_op operations[] = {GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 64, 7, 0), GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 72, 8, 0)};
    const gc_mem_op other_write = GRAPHCAP_MEM_OP_INIT_WRITE32(buffer, 72, 9, 0);
    const gc_mem_op wide = GRAPHCAP_MEM_OP_INIT_WRITE64(buffer, 64, 7, 0);
    const gc_memcpy_params to_host = GRAPHCAP_MEMCPY_INIT_DTOH(host_words, buffer, 0, 4);
    switch (single) {
    case KERNEL: call_fill(&call, &rig, buffer, 0, 7); break;
    case KERNEL_ELSEWHERE: call_add(&call, &rig, buffer, 1, 9); break;
    case COPY: break;
    case COPY_MORE: copy.destination_offset = 20, copy.size = 8; break;
    case COPY_TO_HOST: copy = to_host; break;
    case COPY_ROWS:
    case COPY_OTHER_ROWS:
        copy.height = 2;
        copy.depth = 1;
        copy.destination_pitch = copy.source_pitch = single == COPY_ROWS ? 8 : 16;
        break;
    case SET: break;
    case SET_WIDER: set.width = 3, set.value = 9, set.offset = 36; break;
    case SET_ROWS: set.height = 2, set.pitch = 8; break;
    case SET_ROWS_ELSEWHERE: set.height = 2, set.pitch = 8, set.value = 9, set.offset = 48; break;
    case SET_OTHER_ROWS: set.height = 2, set.pitch = 16; break;
    case WRITE_OTHER: operations[0] = other_write; break;
    case WRITE_WIDE: operations[0] = wide; break;
    default: break;
    }
    switch (single) {
    case KERNEL:
    case KERNEL_ELSEWHERE: REQUIRE_OK(add_kernel(graph, NULL, 0, &call, &node)); break;
    case COPY:
    case COPY_MORE:
    case COPY_TO_HOST:
    case COPY_ROWS:
    case COPY_OTHER_ROWS: REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node)); break;
    case SET:
    case SET_WIDER:
    case SET_ROWS:
    case SET_ROWS_ELSEWHERE:
    case SET_OTHER_ROWS: REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node)); break;
    case HOST:
    case HOST_OTHER:
        REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls[single == HOST_OTHER], NULL, &node));
        break;
    case WRITE:
    case WRITE_OTHER:
    case WRITE_TWO:
    case WRITE_WIDE:
        REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, operations, single == WRITE_TWO ? 2 : 1, &node));
        break;
    case EMPTY: REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &node)); break;
    case RECORD: REQUIRE_OK(gc_graph_add_event_record_node(graph, NULL, 0, event, &node)); break;
    default: REQUIRE_OK(gc_graph_add_event_wait_node(graph, NULL, 0, event, &node)); break;
    }
    return node;
}

/* Singles of which each accepts the others of its group, and none besides. */
static unsigned group_of(enum single single) {
    switch (single) {
    case KERNEL_ELSEWHERE: return KERNEL;
    case COPY_MORE: return COPY;
    case SET_WIDER: return SET;
    case SET_ROWS_ELSEWHERE: return SET_ROWS;
    case HOST_OTHER: return HOST;
    case WRITE_OTHER: return WRITE;
    default: return single;
    }
}

static uint32_t single_kind(enum single single) {
    gc_graph *graph = open_graph(rig.context);
    const uint32_t kind = kind_of(graph, add_single(graph, single));
    CHECK_OK(gc_graph_destroy(graph));
    return kind;
}

static void every_single_node_becomes_what_it_can(void) {
    int from, to;
    for (from = 0; from < SINGLES; from++)
        for (to = 0; to < SINGLES; to++) {
            gc_graph *graph = open_graph(rig.context), *other = open_graph(rig.context);
            gc_graph_exec_update_result result = GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS;
            gc_graph_exec *exec;
            gc_node node;
            add_single(graph, (enum single)from);
            node = add_single(other, (enum single)to);
            exec = open_exec(graph);
            if (single_kind((enum single)from) != single_kind((enum single)to))
                result = GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED;
            else if (group_of((enum single)from) != group_of((enum single)to))
                result = GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED;
            CHECK_UPDATE(exec, other, result, result == 0 ? 0 : node);
            CHECK_OK(gc_graph_exec_destroy(exec));
            CHECK_OK(gc_graph_destroy(other));
            CHECK_OK(gc_graph_destroy(graph));
        }
}

/* All in one graph, so that one refusal follows another. */
static void accepted_changes_are_made_and_refused_ones_are_not(void) {
    static const enum single before[] = {KERNEL, COPY, SET, SET_ROWS, HOST, WRITE};
    static const enum single after[] = {KERNEL_ELSEWHERE, COPY_MORE, SET_WIDER, SET_ROWS_ELSEWHERE, HOST_OTHER, WRITE_OTHER};
    static const enum single wrong[] = {EMPTY, COPY_TO_HOST, SET_ROWS, SET_OTHER_ROWS, EMPTY, WRITE_TWO};
    gc_graph *graph = open_graph(rig.context), *good = open_graph(rig.context);
    gc_graph_exec *exec;
    size_t i, at;
    for (i = 0; i < LENGTH_OF(before); i++) {
        add_single(graph, before[i]);
        add_single(good, after[i]);
    }
    exec = open_exec(graph);
    clear_buffer(rig.context, buffer);
    replay(&rig, exec);
    for (at = 0; at < LENGTH_OF(before); at++) {
        gc_graph *bad = open_graph(rig.context);
        for (i = 0; i < LENGTH_OF(before); i++)
            add_single(bad, i == at ? wrong[i] : after[i]);
        CHECK_STATUS(gc_graph_exec_update(exec, bad, 0, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
        CHECK_OK(gc_graph_destroy(bad));
    }
    clear_buffer(rig.context, buffer);
    calls[0] = calls[1] = 0;
    replay(&rig, exec);
    CHECK(word(0) == 7 && word(1) == 0 && word(8) == 7 && word(9) == 0 && word(10) == 7 && word(16) == 7 && word(18) == 0);
    CHECK(calls[0] == 1 && calls[1] == 0);
    CHECK_UPDATE(exec, good, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    clear_buffer(rig.context, buffer);
    replay(&rig, exec);
    CHECK(word(0) == 0 && word(1) == 9 && word(8) == 0 && word(9) == 9 && word(11) == 9 && word(12) == 9 && word(14) == 9);
    CHECK(word(16) == 0 && word(18) == 9 && calls[0] == 1 && calls[1] == 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(good));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_graph *open_parent(uint32_t value, int backwards, int is_longer) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context);
    gc_node nodes[3], node = 0;
    nodes[backwards != 0] = backwards ? add_node(&rig, child, NULL, 0, buffer, 0, 1) : fill_node(&rig, child, NULL, 0, buffer, 0, value);
    nodes[backwards == 0] = backwards ? fill_node(&rig, child, NULL, 0, buffer, 0, value) : add_node(&rig, child, NULL, 0, buffer, 0, 1);
    REQUIRE_OK(gc_graph_add_dependencies(child, &nodes[0], &nodes[1], NULL, 1));
    if (is_longer)
        add_node(&rig, child, &nodes[1], 1, buffer, 0, 1);
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    add_node(&rig, graph, &node, 1, buffer, 0, 100);
    CHECK_OK(gc_graph_destroy(child));
    return graph;
}

static void children_are_updated_too(void) {
    gc_graph *graph = open_parent(1, 0, 0), *other = open_parent(10, 0, 0), *backwards = open_parent(20, 1, 0);
    gc_graph *longer = open_parent(30, 0, 1);
    gc_graph_exec *exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(word(0) == 102);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 111);
    CHECK_UPDATE(exec, longer, GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, 0);
    replay(&rig, exec);
    CHECK(word(0) == 111);
    CHECK_UPDATE(exec, backwards, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 121);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(longer));
    CHECK_OK(gc_graph_destroy(backwards));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A body that runs by the default value of its condition. */
static gc_graph *open_conditional(uint32_t kind, unsigned bodies, uint32_t initial, uint32_t value, unsigned nodes) {
    gc_graph *graph = open_graph(rig.context), *body = NULL;
    gc_condition condition = 0;
    gc_node node = 0;
    unsigned i;
    REQUIRE_OK(gc_graph_create_condition(graph, initial, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, kind, bodies, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    for (i = 0; i < nodes; i++)
        fill_node(&rig, body, NULL, 0, buffer, i, value);
    CHECK_OK(gc_graph_destroy(body));
    return graph;
}

static void conditionals_are_updated_too(void) {
    gc_graph *graph = open_conditional(GRAPHCAP_CONDITIONAL_IF, 1, 1, 5, 1);
    gc_graph *other = open_conditional(GRAPHCAP_CONDITIONAL_IF, 1, 1, 6, 1), *off = open_conditional(GRAPHCAP_CONDITIONAL_IF, 1, 0, 7, 1);
    gc_graph *longer = open_conditional(GRAPHCAP_CONDITIONAL_IF, 1, 1, 8, 2);
    gc_graph_exec *exec = open_exec(graph);
    clear_buffer(rig.context, buffer);
    replay(&rig, exec);
    CHECK(word(0) == 5);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 6);
    CHECK_UPDATE(exec, longer, GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, 0);
    CHECK_UPDATE(exec, off, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    clear_buffer(rig.context, buffer);
    replay(&rig, exec);
    CHECK(word(0) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(longer));
    CHECK_OK(gc_graph_destroy(off));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_graph *open_allocating(size_t bytes, uint32_t value) {
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    gc_node node = 0, last;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, bytes, &node, &memory));
    last = fill_node(&rig, graph, &node, 1, memory, 0, value);
    {
        const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, memory, 0, 4);
        REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &copy, &node));
    }
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &node, 1, memory, &last));
    CHECK_OK(gc_buffer_destroy(memory));
    return graph;
}

static void graphs_that_allocate_update_execs(void) {
    gc_graph *graph = open_allocating(256, 5), *other = open_allocating(4096, 6);
    gc_graph_exec *exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(word(0) == 5);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    replay(&rig, exec);
    CHECK(word(0) == 6);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void disabled_nodes_stay_so_and_nodes_keep_their_names(void) {
    gc_node nodes[2], others[2];
    gc_graph *graph = open_chain(1, 2, nodes), *other = open_chain(10, 20, others);
    gc_graph_exec *exec = open_exec(graph);
    struct kernel_call call;
    int32_t enabled = 1;
    replay(&rig, exec);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, nodes[1], 0));
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    CHECK_OK(gc_graph_exec_is_node_enabled(exec, nodes[1], &enabled));
    CHECK(!enabled);
    replay(&rig, exec);
    CHECK(word(0) == 10);
    CHECK_STATUS(gc_graph_exec_set_node_enabled(exec, others[1], 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, nodes[1], 1));
    CHECK_OK(exec_set_kernel(exec, nodes[0], call_fill(&call, &rig, buffer, 0, 100)));
    CHECK_STATUS(exec_set_kernel(exec, others[0], &call), GRAPHCAP_ERROR_INVALID_VALUE);
    replay(&rig, exec);
    CHECK(word(0) == 120);
    CHECK_UPDATE(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(word(0) == 3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void an_edited_graph_is_not_what_the_exec_was_made_from(void) {
    gc_node nodes[2], others[2];
    gc_graph *graph = open_chain(1, 2, nodes), *other = open_chain(10, 20, others);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec *longer;
    add_node(&rig, graph, &nodes[1], 1, buffer, 0, 1000);
    longer = open_exec(graph);
    CHECK_UPDATE(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, 0);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    CHECK_UPDATE(longer, other, GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, 0);
    CHECK_OK(gc_graph_remove_node(graph, nodes[0]));
    CHECK_UPDATE(longer, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED, 0);
    replay(&rig, exec);
    CHECK(word(0) == 30);
    CHECK_OK(gc_graph_exec_destroy(longer));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void an_attribute_that_differs_is_named(void) {
    gc_node nodes[2], others[2];
    gc_graph *graph = open_chain(1, 2, nodes), *other = open_chain(10, 20, others);
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_launch_attribute_value value;
    memset(&value, 0, sizeof value);
    value.number = -1;
    CHECK_OK(gc_node_set_attribute(other, others[1], GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    CHECK_OK(gc_graph_exec_update(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info));
    CHECK(info.kept_attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY && info.result == GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS);
    CHECK(info.exec_node == nodes[1] && info.graph_node == others[1]);
    CHECK_OK(gc_graph_exec_update(exec, other, 0, &info));
    CHECK(info.kept_attribute == 0);
    CHECK_OK(gc_graph_exec_update(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES, &info));
    CHECK(info.kept_attribute == GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY && info.graph_node == others[1]);
    replay(&rig, exec);
    CHECK(word(0) == 30);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void captures_update_execs(void) {
    gc_graph *graph = NULL, *other = NULL;
    gc_graph_exec *exec;
    gc_graph **graphs[] = {&graph, &other};
    unsigned i;
    for (i = 0; i < 2; i++) {
        CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, i + 1, 4, 1));
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 10 * (i + 1), 1));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, graphs[i]));
    }
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(word(0) == 11);
    CHECK_UPDATE(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    CHECK_OK(gc_graph_destroy(other));
    replay(&rig, exec);
    CHECK(word(0) == 22);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A memset of the stream, a host function of a stream that it waits for, and a memset behind both. Which of the first two is made
 * first does not matter. */
static gc_graph *captured_join(int is_own_first) {
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *forked = open_event(rig.context), *joined = open_event(rig.context);
    gc_graph *graph = NULL;
    int step;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_event_record(forked, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(other, forked, 0));
    for (step = 0; step < 2; step++) {
        if ((step == 0) == is_own_first)
            CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, 1));
        else
            CHECK_OK(gc_stream_launch_host_func(other, count_call, &calls[0], NULL));
    }
    CHECK_OK(gc_event_record(joined, other, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 1, 4, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(forked));
    CHECK_OK(gc_stream_destroy(other));
    return graph;
}

/* A joined stream's node comes behind the stream's own one, as an H200 was measured to have it (driver 580). */
static void a_captured_join_has_the_own_node_first(void) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 2, 4, 1, 1, 0), last = GRAPHCAP_MEMSET_INIT(buffer, 4, 3, 4, 1, 1, 0);
    int is_own_first, leads;
    for (is_own_first = 0; is_own_first < 2; is_own_first++) {
        gc_graph *captured = captured_join(is_own_first);
        gc_graph_exec *exec = open_exec(captured);
        for (leads = 0; leads < 2; leads++) {
            gc_graph *graph = open_graph(rig.context);
            gc_node before[2] = {0, 0}, join = 0;
            REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &before[!leads]));
            REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_call, &calls[0], NULL, &before[leads]));
            REQUIRE_OK(gc_graph_add_memset_node(graph, before, 2, &last, &join));
            CHECK_UPDATE(exec, graph, leads ? GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS : GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED,
                         leads ? 0 : before[0]);
            CHECK_OK(gc_graph_destroy(graph));
        }
        replay(&rig, exec);
        CHECK(word(0) == 2 && word(1) == 3);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(captured));
    }
}

/* NVIDIA's driver crashes in the second launch if it recorded the copies without a current context, and the buffer's memory comes
 * from its pool. */
static void updated_copies_from_and_to_the_host_run(void) {
    uint32_t from[2] = {5, 0}, to[2] = {0, 0};
    gc_graph *graph[2] = {NULL, NULL};
    gc_graph_exec *exec;
    unsigned i;
    for (i = 0; i < 2; i++) {
        CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_memcpy_htod(rig.stream, other_buffer, 0, &from[i], sizeof from[i]));
        CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &to[i], other_buffer, 0, sizeof to[i]));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph[i]));
    }
    exec = open_exec(graph[0]);
    replay(&rig, exec);
    CHECK(to[0] == 5);
    CHECK_UPDATE(exec, graph[1], GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    from[1] = 7;
    replay(&rig, exec);
    CHECK(to[0] == 5 && to[1] == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph[0]));
    CHECK_OK(gc_graph_destroy(graph[1]));
}

/* A node that was set to a copy of a pool's memory without a current context crashes NVIDIA's driver in the same way. */
static void an_exec_of_a_copy_that_was_set_is_updated_and_runs(void) {
    uint32_t from = 11, to = 0;
    gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_DTOD(other_buffer, 4, other_buffer, 0, sizeof from);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(&to, other_buffer, 0, sizeof to);
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    gc_node node = 0;
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, other_buffer, 0, &from, sizeof from));
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &within, &node));
    CHECK_OK(gc_node_set_memcpy(graph, node, &out));
    exec = open_exec(graph);
    CHECK_UPDATE(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS, 0);
    replay(&rig, exec);
    CHECK(to == 11);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void wrong_arguments_are_refused(void) {
    gc_node nodes[2], node = 0;
    gc_graph *graph = open_chain(1, 2, nodes), *parent = open_parent(1, 0, 0), *child = NULL, *foreign_graph;
    gc_graph_exec *exec = open_exec(graph);
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_context *context = open_context();
    size_t count = 0;
    foreign_graph = open_graph(context);
    CHECK_STATUS(gc_graph_exec_update(exec, foreign_graph, 0, &info), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK(info.status == GRAPHCAP_ERROR_INVALID_CONTEXT && info.result == GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS);
    CHECK_OK(gc_graph_exec_update(exec, graph, 0, &info));
    CHECK(info.status == GRAPHCAP_SUCCESS);
    CHECK_STATUS(gc_graph_exec_update(exec, foreign_graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK(info.status == GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_graph_exec_update(NULL, graph, 0, &info), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(info.status == GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_STATUS(gc_graph_exec_update(exec, NULL, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK(info.status == GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_graph_get_roots(parent, &node, 1, &count));
    REQUIRE_OK(gc_node_get_graph(parent, node, 0, &child));
    CHECK_STATUS(gc_graph_exec_update(exec, child, 0, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_update(exec, child, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_exec_update(exec, graph, 4, &info), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(info.status == GRAPHCAP_ERROR_INVALID_VALUE);
    info.struct_size = 3;
    CHECK_STATUS(gc_graph_exec_update(exec, graph, 0, &info), GRAPHCAP_ERROR_INVALID_VALUE);
    replay(&rig, exec);
    CHECK(word(0) == 3);
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(foreign_graph));
    CHECK_OK(gc_context_destroy(context));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- Launches that are queued, and threads ---- */

static void queued_launches_keep_what_they_were_made_with(void) {
    gc_node nodes[2], others[2];
    gc_graph *graph = open_chain(1, 2, nodes), *other;
    gc_graph_exec *exec = open_exec(graph);
    const gc_memcpy_params keep = GRAPHCAP_MEMCPY_INIT_DTOD(other_buffer, 0, buffer, 0, 4);
    struct gate gate;
    unsigned round;
    gate_init(&gate);
    replay(&rig, exec);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    for (round = 0; round < 3; round++) {
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        if (round == 0)
            CHECK_OK(gc_stream_memcpy(rig.stream, &keep));
        other = open_chain(10 * (round + 1), 20, others);
        CHECK_OK(gc_graph_exec_update(exec, other, 0, NULL));
        CHECK_OK(gc_graph_destroy(other));
    }
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(read_u32(rig.stream, other_buffer, 0) == 3 && word(0) == 40);
    replay(&rig, exec);
    CHECK(word(0) == 50);
    gate_free(&gate);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

enum { THREADS = 8, ROUNDS = 200 };

static gc_graph *variants[4];
static gc_graph_exec *shared_exec;

/* Every launch runs one of the variants as a whole: the sum of what the two nodes of one add. */
static void *launch_and_update(void *number) {
    const unsigned own = (unsigned)(size_t)number;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        if ((round + own) % 3 == 0)
            CHECK_OK(gc_graph_exec_update(shared_exec, variants[(round + own) % LENGTH_OF(variants)], 0, NULL));
        else if ((round + own) % 7 == 0)
            CHECK_OK(gc_graph_exec_update(shared_exec, variants[round % LENGTH_OF(variants)], GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
        CHECK_OK(gc_graph_launch(shared_exec, stream));
    }
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_launch_and_update(void) {
    pthread_t threads[THREADS];
    uint64_t replays = 0;
    size_t i;
    uint32_t sum;
    for (i = 0; i < LENGTH_OF(variants); i++) {
        gc_node first;
        variants[i] = open_graph(rig.context);
        first = add_node(&rig, variants[i], NULL, 0, buffer, 0, (uint32_t)(i + 1));
        add_node(&rig, variants[i], &first, 1, buffer, 1, (uint32_t)(i + 1));
    }
    shared_exec = open_exec(variants[0]);
    clear_buffer(rig.context, buffer);
    for (i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, launch_and_update, (void *)i) == 0);
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_OK(gc_context_synchronize(rig.context));
    sum = word(0);
    /* No launch ran half of one variant and half of another. */
    CHECK(sum == word(1) && sum >= THREADS * ROUNDS && sum <= 4 * THREADS * ROUNDS);
    CHECK_OK(gc_graph_exec_num_replays(shared_exec, &replays));
    CHECK(replays == THREADS * ROUNDS);
    CHECK_OK(gc_graph_exec_destroy(shared_exec));
    for (i = 0; i < LENGTH_OF(variants); i++)
        CHECK_OK(gc_graph_destroy(variants[i]));
}

static gc_actor *actor;
static int is_released, is_actor_gone;

static void *end_actor(void *argument) {
    while (!__atomic_load_n(&is_released, __ATOMIC_ACQUIRE))
        pause_ms(1);
    CHECK_OK(gc_actor_destroy(actor));
    __atomic_store_n(&is_actor_gone, 1, __ATOMIC_RELEASE);
    return argument;
}

static void await_end_of_actor(void *user_data) {
    unsigned looks = 0;
    (void)user_data;
    __atomic_store_n(&is_released, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&is_actor_gone, __ATOMIC_ACQUIRE) && looks++ < 10000)
        pause_ms(1);
    CHECK(looks < 10000);
}

static void count_nothing(void *user_data) {
    (void)user_data;
}

/* What an update lets go of runs code of the program's, which may wait for destroys of other threads. */
static void what_is_superseded_may_wait_for_destroys(void) {
    gc_graph *first = open_graph(rig.context), *second = open_graph(rig.context);
    gc_graph_exec *exec = NULL;
    pthread_t thread;
    gc_node node;
    REQUIRE_OK(gc_actor_create(rig.context, NULL, &actor));
    REQUIRE_OK(gc_graph_add_host_node(first, NULL, 0, count_nothing, NULL, await_end_of_actor, &node));
    REQUIRE_OK(gc_graph_add_host_node(second, NULL, 0, count_nothing, NULL, NULL, &node));
    REQUIRE_OK(gc_graph_instantiate(first, NULL, &exec));
    CHECK_OK(gc_graph_destroy(first));
    if (pthread_create(&thread, NULL, end_actor, NULL) != 0)
        exit(EXIT_FAILURE);
    CHECK_OK(gc_graph_exec_update(exec, second, 0, NULL));
    /* On a CUDA device it may go with the exec. */
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(second));
    CHECK_OK(gc_context_synchronize(rig.context));
    pthread_join(thread, NULL);
}

int main(void) {
    rig_open(&rig);
    buffer = open_waitable(rig.context, WORDS * sizeof(uint32_t));
    other_buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    event = open_event(rig.context);
    RUN(what_is_superseded_may_wait_for_destroys);
    RUN(launches_do_the_work_of_the_graph);
    RUN(an_exec_without_its_graph_is_updated);
    RUN(nodes_are_paired_by_their_edges);
    RUN(another_topology_is_refused);
    RUN(every_single_node_becomes_what_it_can);
    RUN(accepted_changes_are_made_and_refused_ones_are_not);
    RUN(children_are_updated_too);
    RUN(conditionals_are_updated_too);
    RUN(graphs_that_allocate_update_execs);
    RUN(disabled_nodes_stay_so_and_nodes_keep_their_names);
    RUN(an_edited_graph_is_not_what_the_exec_was_made_from);
    RUN(an_attribute_that_differs_is_named);
    RUN(captures_update_execs);
    RUN(a_captured_join_has_the_own_node_first);
    RUN(updated_copies_from_and_to_the_host_run);
    RUN(an_exec_of_a_copy_that_was_set_is_updated_and_runs);
    RUN(wrong_arguments_are_refused);
    RUN(threads_launch_and_update);
    RUN(queued_launches_keep_what_they_were_made_with);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(other_buffer));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
