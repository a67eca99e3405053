/* Many nodes that are added by one call: in their order, behind others of the call too, up to the first one that fails. */
#include "nodes.h"

enum { NODES = 40, WRONG = 21 };

static struct rig rig;
static gc_buffer *first;

/* Kernel i adds its value to word 0, or makes it that. */
struct calls {
    struct kernel_call kernels[NODES];
    gc_work works[NODES];
};

static gc_work work_of(const struct kernel_call *call) {
    gc_work work = GRAPHCAP_WORK_INIT;
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = call->kernel;
    work.config = &call->config;
    work.arguments = call->arguments;
    work.argument_count = call->count;
    return work;
}

/* The last one of a chain that is run in its order decides. */
static void make_calls(struct calls *calls, const gc_buffer *buffer, uint32_t base) {
    unsigned i;
    for (i = 0; i < NODES; i++)
        calls->works[i] = work_of(call_fill(&calls->kernels[i], &rig, buffer, 0, base + i));
}

/* What each node waits for: the one before it in the list that the call fills. */
struct chain {
    gc_node nodes[NODES];
    const gc_node *lists[NODES];
    size_t counts[NODES];
};

static void make_chain(struct chain *chain) {
    unsigned i;
    for (i = 0; i < NODES; i++) {
        chain->nodes[i] = 7;
        chain->lists[i] = i == 0 ? NULL : &chain->nodes[i - 1];
        chain->counts[i] = i == 0 ? 0 : 1;
    }
}

static uint32_t run(const gc_graph *graph, const gc_buffer *buffer) {
    uint32_t word = 0;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &word, buffer, 0, sizeof word));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    return word;
}

static void a_chain_is_added_and_kept(void) {
    gc_buffer *own = open_buffer(rig.context, sizeof(uint32_t));
    gc_graph *graph, *clone;
    struct calls calls;
    struct chain chain;
    gc_node before[NODES];
    size_t failed = 0, count = 0, i;
    make_calls(&calls, own, 500);
    make_chain(&chain);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_nodes(graph, chain.lists, chain.counts, calls.works, NODES, chain.nodes, &failed));
    CHECK(failed == SIZE_MAX);
    CHECK_OK(gc_graph_node_count(graph, &count));
    CHECK(count == NODES);
    for (i = 1; i < NODES; i++) {
        CHECK_OK(gc_node_get_dependencies(graph, chain.nodes[i], before, NODES, &count));
        CHECK(count == 1 && before[0] == chain.nodes[i - 1]);
    }
    CHECK(run(graph, own) == 500 + NODES - 1);
    /* The nodes keep what they use, each for itself. */
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    for (i = 1; i < NODES; i++)
        CHECK_OK(gc_graph_remove_node(graph, chain.nodes[i]));
    CHECK(run(graph, own) == 500);
    CHECK_OK(gc_buffer_destroy(own));
    {
        gc_graph_exec *exec;
        REQUIRE_OK(gc_graph_instantiate(clone, NULL, &exec));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A node that cannot be added: its grid is 0, a dependency of it is none, it has a list and no nodes, its struct has another size. */
enum wrong { WRONG_GRID, WRONG_DEPENDENCY, NO_DEPENDENCY, LISTED_TWICE, WRONG_SIZE, WRONGS };

static void those_before_the_one_that_fails_are_added(void) {
    int wrong;
    for (wrong = WRONG_GRID; wrong < WRONGS; wrong++) {
        gc_graph *graph;
        struct calls calls;
        struct chain chain;
        gc_node stranger = 12345, twice[2];
        size_t failed = 0, count = 0, i;
        make_calls(&calls, first, 100);
        make_chain(&chain);
        REQUIRE_OK(gc_graph_create(rig.context, &graph));
        REQUIRE_OK(add_kernel(graph, NULL, 0, &calls.kernels[0], &twice[0]));
        twice[1] = twice[0];
        switch ((enum wrong)wrong) {
        case WRONG_GRID: calls.kernels[WRONG].config.grid_dim[0] = 0; break;
        case WRONG_DEPENDENCY: chain.lists[WRONG] = &stranger; break;
        case NO_DEPENDENCY: chain.lists[WRONG] = NULL; break;
        case LISTED_TWICE:
            chain.lists[WRONG] = twice;
            chain.counts[WRONG] = 2;
            break;
        default: calls.works[WRONG].struct_size -= 8;
        }
        CHECK_STATUS(gc_graph_add_nodes(graph, chain.lists, chain.counts, calls.works, NODES, chain.nodes, &failed),
                     GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(failed == WRONG);
        CHECK_OK(gc_graph_node_count(graph, &count));
        CHECK(count == WRONG + 1);
        for (i = 0; i < NODES; i++)
            CHECK((chain.nodes[i] != 0) == (i < WRONG));
        CHECK_OK(gc_graph_remove_node(graph, twice[0]));
        CHECK(run(graph, first) == 100 + WRONG - 1);
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void works_of_each_kind_are_added(void) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(first, 0, 77, 4, 1, 1, 0);
    gc_work works[4] = {GRAPHCAP_WORK_INIT, GRAPHCAP_WORK_INIT, GRAPHCAP_WORK_INIT, GRAPHCAP_WORK_INIT};
    unsigned ran = 0, gone = 0;
    size_t counts[4] = {0, 1, 1, 2};
    gc_node nodes[4] = {0, 0, 0, 0};
    const gc_node *lists[4];
    gc_graph *graph;
    struct kernel_call call;
    gc_buffer *word;
    lists[0] = NULL;
    lists[1] = lists[2] = lists[3] = nodes;
    works[0].kind = GRAPHCAP_WORK_MEMSET;
    works[0].memset_params = &set;
    works[1].kind = GRAPHCAP_WORK_HOST;
    works[1].name = "counts";
    works[1].function = count_call;
    works[1].user_data = &ran;
    works[2] = work_of(call_add(&call, &rig, first, 0, 3));
    works[3].kind = GRAPHCAP_WORK_HOST;
    works[3].function = count_call;
    works[3].user_data = &gone;
    works[3].destroy = count_call;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_nodes(graph, lists, counts, works, 4, nodes, NULL));
    word = first;
    CHECK(run(graph, word) == 80);
    CHECK(ran == 1);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(await_count(&gone, 2));
}

static void nothing_is_added_where_nothing_is_given(void) {
    gc_graph *graph;
    struct calls calls;
    gc_node nodes[NODES];
    size_t failed = 0, count = 1, counts[NODES] = {0};
    make_calls(&calls, first, 1);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_nodes(graph, NULL, NULL, NULL, 0, NULL, &failed));
    CHECK(failed == SIZE_MAX);
    nodes[0] = nodes[1] = 5;
    CHECK_MESSAGE(gc_graph_add_nodes(graph, NULL, NULL, NULL, 2, nodes, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "works");
    CHECK(nodes[0] == 0 && nodes[1] == 0);
    CHECK_MESSAGE(gc_graph_add_nodes(graph, NULL, NULL, calls.works, 2, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "nodes_out");
    CHECK_MESSAGE(gc_graph_add_nodes(graph, NULL, counts, calls.works, 2, nodes, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "dependencies");
    CHECK_OK(gc_graph_node_count(graph, &count));
    CHECK(count == 0);
    CHECK_OK(gc_graph_add_nodes(graph, NULL, NULL, calls.works, NODES, nodes, &failed));
    CHECK_OK(gc_graph_node_count(graph, &count));
    CHECK(count == NODES);
    CHECK_OK(gc_graph_edge_count(graph, &count));
    CHECK(count == 0);
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    first = open_buffer(rig.context, sizeof(uint32_t));
    RUN(a_chain_is_added_and_kept);
    RUN(those_before_the_one_that_fails_are_added);
    RUN(works_of_each_kind_are_added);
    RUN(nothing_is_added_where_nothing_is_given);
    CHECK_OK(gc_buffer_destroy(first));
    rig_close(&rig);
    return check_finish();
}
