/* What refusals of graphs and execs tell: the cause, and the object by its name, on both devices. */
#include "nodes.h"

enum { WORDS = 64 };

static struct rig rig;
static gc_buffer *buffer;

static const char *told(void) {
    static char message[1024];
    gc_last_error_message(message, sizeof message, NULL);
    return message;
}

static void a_node_of_another_kind_is_named(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, 4, 1, 0);
    struct kernel_call call;
    gc_graph_exec *exec;
    gc_node empty = 0, kernel = 0;
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &empty));
    kernel = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    CHECK_OK(gc_node_set_name(graph, empty, "join"));
    call_add(&call, &rig, buffer, 0, 1);
    CHECK_MESSAGE(set_kernel(graph, empty, &call), GRAPHCAP_ERROR_INVALID_VALUE, "of the kind empty");
    CHECK(strstr(told(), "cannot be launched") == NULL && check_contains(told(), "\"join\""));
    CHECK_MESSAGE(gc_node_set_memset(graph, kernel, &set), GRAPHCAP_ERROR_INVALID_VALUE, "of the kind kernel");
    exec = open_exec(graph);
    CHECK_MESSAGE(exec_set_kernel(exec, empty, &call), GRAPHCAP_ERROR_INVALID_VALUE, "of the kind empty");
    CHECK_MESSAGE(gc_graph_exec_set_memset_node(exec, kernel, &set), GRAPHCAP_ERROR_INVALID_VALUE, "of the kind kernel");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_an_exec_does_not_change_is_told(void) {
    gc_graph *graph = open_graph(rig.context), *child = open_graph(rig.context), *other = open_graph(rig.context);
    gc_memset_params rows = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, 4, 2, 32), more = GRAPHCAP_MEMSET_INIT(buffer, 0, 1, 4, 2, 3, 32);
    gc_buffer *values = open_waitable(rig.context, 64);
    gc_mem_op writes[2] = {GRAPHCAP_MEM_OP_INIT_WRITE32(values, 0, 1, 0), GRAPHCAP_MEM_OP_INIT_WRITE32(values, 4, 1, 0)};
    uint32_t words[4] = {0, 0, 0, 0};
    gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 64, 16);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(words, buffer, 0, sizeof words);
    gc_graph_exec *exec;
    gc_node set = 0, batch = 0, copy = 0, nested = 0, newer = 0, foreign;
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &rows, &set));
    REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, writes, 1, &batch));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &within, &copy));
    add_node(&rig, child, NULL, 0, buffer, 0, 1);
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &nested));
    CHECK_OK(gc_node_set_name(graph, set, "clear"));
    exec = open_exec(graph);
    CHECK_MESSAGE(gc_graph_exec_set_memset_node(exec, set, &more), GRAPHCAP_ERROR_INVALID_VALUE, "does not allow this change");
    CHECK(check_contains(told(), "\"clear\"") && check_contains(told(), "instantiate it anew"));
    CHECK_MESSAGE(gc_graph_exec_set_batch_mem_op_node(exec, batch, writes, 2), GRAPHCAP_ERROR_INVALID_VALUE, "keep their number");
    CHECK_MESSAGE(gc_graph_exec_set_memcpy_node(exec, copy, &out), GRAPHCAP_ERROR_INVALID_VALUE, "kinds of memory");
    CHECK_MESSAGE(gc_graph_exec_set_child_node(exec, nested, other), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "edges");
    CHECK(check_contains(told(), "gc_graph_exec_apply()"));
    CHECK_MESSAGE(gc_graph_exec_update(exec, other, 0, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "gc_graph_exec_apply()");
    foreign = add_node(&rig, other, NULL, 0, buffer, 0, 1);
    CHECK_MESSAGE(gc_graph_exec_set_memset_node(exec, foreign, &more), GRAPHCAP_ERROR_INVALID_VALUE, "the graph that it was made from");
    CHECK_MESSAGE(gc_graph_exec_set_node_enabled(exec, foreign, 0), GRAPHCAP_ERROR_INVALID_VALUE, "the graph that it was made from");
    newer = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    CHECK_MESSAGE(gc_graph_exec_set_memset_node(exec, newer, &more), GRAPHCAP_ERROR_INVALID_VALUE, "added after the exec was made");
    CHECK_MESSAGE(gc_graph_exec_set_node_enabled(exec, newer, 0), GRAPHCAP_ERROR_INVALID_VALUE, "added after the exec was made");
    CHECK(strstr(told(), "is no node") == NULL);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(values));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

static gc_graph *open_copy_graph(const gc_memcpy_params *copy, gc_node *node) {
    gc_graph *graph = open_graph(rig.context);
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, copy, node));
    return graph;
}

/* An exec of a graph with a copy between managed and pinned memory, in one direction or the other, and what can be set and updated
 * then: on a GPU the launch would fault behind a copy of pageable memory. */
static void try_managed_copies(gc_buffer *managed, char *pinned, int to_host) {
    static uint32_t pageable;
    gc_memcpy_params copies[3];
    gc_node copy = 0, other = 0, nested = 0, within = 0;
    gc_graph *graph, *source, *parent = open_graph(rig.context), *inner = NULL;
    gc_graph_exec *exec, *orphan, *outer;
    const gc_status set = on_cuda() ? GRAPHCAP_ERROR_INVALID_VALUE : GRAPHCAP_SUCCESS;
    const gc_status updated = on_cuda() ? GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE : GRAPHCAP_SUCCESS;
    char *const hosts[] = {pinned, pinned + 4, (char *)&pageable};
    int i;
    for (i = 0; i < 3; i++) {
        const gc_memcpy_params down = GRAPHCAP_MEMCPY_INIT_DTOH(hosts[i], managed, 0, 4);
        const gc_memcpy_params up = GRAPHCAP_MEMCPY_INIT_HTOD(managed, 0, hosts[i], 4);
        copies[i] = to_host ? down : up;
    }
    graph = open_copy_graph(&copies[0], &copy);
    source = open_copy_graph(&copies[2], &other);
    REQUIRE_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &nested));
    REQUIRE_OK(gc_node_get_graph(parent, nested, 0, &inner));
    REQUIRE_OK(gc_graph_get_nodes(inner, &within, 1, NULL));
    exec = open_exec(graph);
    orphan = open_exec(graph);
    outer = open_exec(parent);
    CHECK_STATUS(gc_graph_exec_set_memcpy_node(exec, copy, &copies[2]), set);
    CHECK(!on_cuda() || check_contains(told(), "pageable"));
    CHECK_OK(gc_graph_exec_set_memcpy_node(exec, copy, &copies[1]));
    CHECK_STATUS(gc_graph_exec_set_memcpy_node(exec, copy, &copies[2]), set);
    CHECK_STATUS(gc_graph_exec_update(exec, source, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL), updated);
    CHECK_STATUS(gc_graph_exec_update(exec, source, 0, NULL), updated);
    CHECK(!on_cuda() || check_contains(told(), "pageable"));
    CHECK_STATUS(gc_graph_exec_set_memcpy_node(outer, within, &copies[2]), set);
    CHECK_OK(gc_graph_exec_set_memcpy_node(outer, within, &copies[1]));
    CHECK_STATUS(gc_graph_exec_set_child_node(outer, nested, source), updated);
    /* Another exec can. */
    CHECK_OK(gc_graph_exec_apply(exec, source, NULL, NULL));
    pageable = 5;
    CHECK_OK(gc_stream_memset(rig.stream, managed, 0, 7, 4, 1));
    replay(&rig, exec);
    CHECK(pageable == (to_host ? 7U : 5U) && read_u32(rig.stream, managed, 0) == (to_host ? 7U : 5U));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_graph_exec_update(orphan, source, 0, NULL), updated);
    CHECK_OK(gc_graph_exec_destroy(outer));
    CHECK_OK(gc_graph_exec_destroy(orphan));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(source));
    CHECK_OK(gc_graph_destroy(inner));
    CHECK_OK(gc_graph_destroy(parent));
}

/* An exec that is made later, of the graph with other copies. */
static void try_later_exec(gc_buffer *managed, char *pinned) {
    static uint32_t pageable;
    const gc_memcpy_params to_pinned = GRAPHCAP_MEMCPY_INIT_DTOH(pinned, managed, 0, 4);
    const gc_memcpy_params to_pageable = GRAPHCAP_MEMCPY_INIT_DTOH(&pageable, managed, 0, 4);
    const gc_status set = on_cuda() ? GRAPHCAP_ERROR_INVALID_VALUE : GRAPHCAP_SUCCESS;
    gc_node first = 0, second = 0;
    gc_graph *graph = open_copy_graph(&to_pinned, &first);
    gc_graph_exec *exec = open_exec(graph);
    CHECK_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &to_pinned, &second));
    exec = open_exec(graph);
    CHECK_STATUS(gc_graph_exec_set_memcpy_node(exec, second, &to_pageable), set);
    CHECK_OK(gc_graph_exec_update(exec, graph, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, NULL));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_node_set_memcpy(graph, first, &to_pageable));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_exec_set_memcpy_node(exec, first, &to_pageable));
    CHECK_STATUS(gc_graph_exec_set_memcpy_node(exec, second, &to_pageable), set);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_copy_of_managed_memory_stays_in_pinned_memory(void) {
    gc_host_buffer *pinned = NULL;
    gc_buffer *managed = NULL;
    void *at = NULL;
    if (gc_buffer_allocate_managed(rig.context, 4, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed) != GRAPHCAP_SUCCESS)
        return;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 8, 0, &pinned));
    REQUIRE_OK(gc_host_buffer_pointer(pinned, &at));
    try_managed_copies(managed, (char *)at, 1);
    try_managed_copies(managed, (char *)at, 0);
    try_later_exec(managed, (char *)at);
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(managed));
}

static void refusals_of_graph_memory_tell_why(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL;
    gc_graph_exec *exec, *second = NULL;
    gc_buffer *memory = NULL;
    gc_node alloc = 0, node = 0;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &alloc, &memory));
    REQUIRE_OK(gc_graph_add_empty_node(graph, &alloc, 1, &node));
    CHECK_OK(gc_node_set_name(graph, alloc, "scratch node"));
    CHECK_OK(gc_set_name(memory, "scratch"));
    exec = open_exec(graph);
    CHECK_MESSAGE(gc_graph_instantiate(graph, NULL, &second), GRAPHCAP_ERROR_NOT_SUPPORTED, "\"scratch node\"");
    CHECK_MESSAGE(gc_graph_clone(graph, &clone), GRAPHCAP_ERROR_NOT_SUPPORTED, "\"scratch node\"");
    CHECK_MESSAGE(gc_graph_remove_node(graph, node), GRAPHCAP_ERROR_NOT_SUPPORTED, "keeps its nodes");
    CHECK_MESSAGE(gc_graph_remove_dependencies(graph, &alloc, &node, 1), GRAPHCAP_ERROR_NOT_SUPPORTED, "keeps its nodes");
    CHECK_MESSAGE(gc_stream_mem_free(rig.stream, memory), GRAPHCAP_ERROR_INVALID_VALUE, "\"scratch\"");
    replay(&rig, exec);
    CHECK_MESSAGE(gc_graph_launch(exec, rig.stream), GRAPHCAP_ERROR_INVALID_VALUE, "earlier launch");
    if (!on_cuda())
        CHECK(check_contains(told(), "\"scratch\""));
    CHECK_OK(gc_stream_mem_free(rig.stream, memory));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

static void memory_of_a_graph_is_freed_once(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    gc_node alloc = 0, freed = 0;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &alloc, &memory));
    CHECK_OK(gc_set_name(memory, "scratch"));
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &alloc, 1, memory, &freed));
    CHECK_MESSAGE(gc_graph_add_mem_free_node(graph, &alloc, 1, memory, &freed), GRAPHCAP_ERROR_INVALID_VALUE, "it is freed once");
    CHECK(check_contains(told(), "\"scratch\""));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_condition_is_of_one_node(void) {
    gc_graph *graph = open_graph(rig.context), *clone = NULL;
    gc_condition condition = 0;
    gc_node node = 0, other = 0;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    CHECK_MESSAGE(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &other),
                  GRAPHCAP_ERROR_INVALID_VALUE, "for each node");
    CHECK_OK(gc_node_set_name(graph, node, "decision"));
    CHECK_MESSAGE(gc_graph_clone(graph, &clone), GRAPHCAP_ERROR_NOT_SUPPORTED, "\"decision\"");
    CHECK_OK(gc_graph_destroy(graph));
}

/* The condition, and its graph by the name that it has then. */
static void a_condition_of_a_graph_that_does_not_run_is_named(void) {
    gc_graph *graph;
    gc_condition condition = 0;
    char words[96];
    NOT_ON_CUDA("conditions are set on the GPU");
    graph = open_graph(rig.context);
    REQUIRE_OK(gc_graph_create_condition(graph, 0, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    snprintf(words, sizeof words, "condition 0x%llx was set while its graph did not run", (unsigned long long)condition);
    CHECK_MESSAGE(gc_host_set_conditional(condition, 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, words);
    CHECK_OK(gc_set_name(graph, "solver"));
    snprintf(words, sizeof words, "condition 0x%llx of graph \"solver\" was set", (unsigned long long)condition);
    CHECK_MESSAGE(gc_host_set_conditional(condition, 1), GRAPHCAP_ERROR_ILLEGAL_ADDRESS, words);
    CHECK_OK(gc_graph_destroy(graph));
}

static void a_cluster_that_does_not_fit_is_told(void) {
    gc_graph *graph = open_graph(rig.context);
    struct kernel_call call;
    gc_launch_attribute cluster = GRAPHCAP_LAUNCH_ATTRIBUTE_INIT(GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    gc_node node = 0;
    cluster.value.dimensions[0] = 3;
    cluster.value.dimensions[1] = 1;
    cluster.value.dimensions[2] = 1;
    call_add(&call, &rig, buffer, 0, 1);
    call.config.grid_dim[0] = 4;
    call.config.attributes = &cluster;
    call.config.attribute_count = 1;
    CHECK_MESSAGE(add_kernel(graph, NULL, 0, &call, &node), GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE, "divides that of the grid");
    CHECK_OK(gc_graph_destroy(graph));
}

static void an_update_tells_when_the_graph_of_the_exec_is_gone(void) {
    gc_graph *graph = open_graph(rig.context), *other = open_graph(rig.context);
    gc_graph_exec *exec;
    add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    add_node(&rig, other, NULL, 0, buffer, 0, 1);
    add_node(&rig, other, NULL, 0, buffer, 0, 1);
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_MESSAGE(gc_graph_exec_update(exec, other, 0, NULL), GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
                  on_cuda() ? "is gone" : "nodes");
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(other));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    RUN(a_node_of_another_kind_is_named);
    RUN(what_an_exec_does_not_change_is_told);
    RUN(a_copy_of_managed_memory_stays_in_pinned_memory);
    RUN(refusals_of_graph_memory_tell_why);
    RUN(memory_of_a_graph_is_freed_once);
    RUN(a_condition_is_of_one_node);
    RUN(a_condition_of_a_graph_that_does_not_run_is_named);
    RUN(a_cluster_that_does_not_fit_is_told);
    RUN(an_update_tells_when_the_graph_of_the_exec_is_gone);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
