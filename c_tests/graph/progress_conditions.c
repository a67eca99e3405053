/* GRAPHCAP_INSTANTIATE_WATCH for graphs with conditions: on the host device the report and the message of a wait that takes too long tell
 * the node that hangs, the body and the turn. A GPU refuses it. */
#include "nodes.h"

static struct rig rig;
static gc_module *module;
static gc_kernel *turning;

/* What the kernels have counted, and the word that lets the one go which hangs. */
static uint32_t turns, word;

/* turn(gc_condition condition, uint32_t last): counts the turns. In turn 3 it hangs until the word is 1, or fails if it is 2. */
static int32_t kernel_turn(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    if (++turns == 3) {
        while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 0)
            pause_ms(1);
        if (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 2)
            gc_host_fail("it does not converge");
    }
    return gc_host_set_conditional(PARAMETER(gc_condition, 0), turns < PARAMETER(uint32_t, 1));
}

/* A graph "solver": "before"; a child, in which a conditional "if it is due" has a loop "until it is done" in its body, in which
 * "culprit" runs behind another node; "behind". */
struct nest {
    gc_graph *graph, *child, *due_body, *loop_body;
    gc_buffer *buffer;
    gc_node before, part, due, loop, culprit, behind;
};

static gc_graph *body_of(const gc_graph *graph, gc_node node) {
    gc_graph *body = NULL;
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
    return body;
}

static gc_node add_conditional(const gc_graph *graph, gc_condition condition, uint32_t kind, const char *name) {
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, kind, 1, &node));
    REQUIRE_OK(gc_node_set_name(graph, node, name));
    return node;
}

static void nest_open(struct nest *nest, uint32_t last_turn) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_condition due = 0, goes_on = 0;
    gc_graph *empty = open_graph(rig.context);
    nest->graph = open_graph(rig.context);
    nest->buffer = open_buffer(rig.context, 64);
    REQUIRE_OK(gc_set_name(nest->graph, "solver"));
    REQUIRE_OK(gc_graph_create_condition(nest->graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &due));
    REQUIRE_OK(gc_graph_create_condition(nest->graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &goes_on));
    nest->before = add_node(&rig, nest->graph, NULL, 0, nest->buffer, 0, 1);
    REQUIRE_OK(gc_graph_add_child_node(nest->graph, &nest->before, 1, empty, &nest->part));
    CHECK_OK(gc_graph_destroy(empty));
    nest->child = body_of(nest->graph, nest->part);
    nest->due = add_conditional(nest->child, due, GRAPHCAP_CONDITIONAL_IF, "if it is due");
    nest->due_body = body_of(nest->child, nest->due);
    nest->loop = add_conditional(nest->due_body, goes_on, GRAPHCAP_CONDITIONAL_WHILE, "until it is done");
    nest->loop_body = body_of(nest->due_body, nest->loop);
    {
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(goes_on), GRAPHCAP_ARG_INIT_VALUE(last_turn)};
        const gc_node first = add_node(&rig, nest->loop_body, NULL, 0, nest->buffer, 2, 1);
        REQUIRE_OK(gc_graph_add_kernel_node(nest->loop_body, &first, 1, turning, &config, arguments, 2, &nest->culprit));
    }
    REQUIRE_OK(gc_node_set_name(nest->loop_body, nest->culprit, "culprit"));
    nest->behind = add_node(&rig, nest->graph, &nest->part, 1, nest->buffer, 1, 1);
    turns = 0;
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
}

/* Destroys the graphs, which the exec does not need. */
static void nest_drop(struct nest *nest) {
    CHECK_OK(gc_graph_destroy(nest->loop_body));
    CHECK_OK(gc_graph_destroy(nest->due_body));
    CHECK_OK(gc_graph_destroy(nest->child));
    CHECK_OK(gc_graph_destroy(nest->graph));
}

static gc_status instantiate(const gc_graph *graph, uint32_t flags, gc_graph_exec **exec) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = flags;
    return gc_graph_instantiate(graph, &options, exec);
}

/* What is told of the node that hangs, in the graph's own numbers. */
static void words_of(const struct nest *nest, char *words, size_t size) {
    snprintf(words, size,
             "it is in body 0 of node 0x%llx (conditional \"if it is due\"), at node 0x%llx (conditional \"until it is done\"), and is in "
             "turn 3 of body 0 of node 0x%llx (conditional \"until it is done\"), at node 0x%llx (kernel \"turn\" named \"culprit\")",
             (unsigned long long)nest->due, (unsigned long long)nest->loop, (unsigned long long)nest->loop,
             (unsigned long long)nest->culprit);
}

/* Whether the report comes to say so, and the message of a wait that takes too long too. */
static int comes_to_tell(const gc_graph_exec *exec, const char *words) {
    char text[4096] = "", message[4096] = "";
    unsigned i;
    for (i = 0; i < 20000; i++) {
        gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
        CHECK_OK(gc_graph_exec_progress(exec, &progress, text, sizeof text, NULL));
        if (strstr(text, words) != NULL) {
            CHECK_STATUS(gc_stream_synchronize_for(rig.stream, 1000000), GRAPHCAP_ERROR_TIMEOUT);
            gc_last_error_message(message, sizeof message, NULL);
            return strstr(message, words) != NULL && progress.is_running == 1;
        }
        pause_ms(1);
    }
    fprintf(stderr, "%s\n%s\n%s\n", words, text, message);
    return 0;
}

static void let_go(uint32_t how) {
    __atomic_store_n(&word, how, __ATOMIC_RELEASE);
}

static void check_through(const gc_graph_exec *exec, uint64_t launches) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    char text[1024];
    CHECK_OK(gc_graph_exec_progress(exec, &progress, text, sizeof text, NULL));
    CHECK(progress.is_running == 0 && progress.begun_count == launches && progress.completed_count == 3);
    CHECK(strstr(text, "turn") == NULL);
    CHECK(progress.conditional == 0 && progress.body_node == 0 && progress.turn == 0 && progress.body == 0);
}

static void the_turn_is_told(void) {
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    gc_graph_exec *exec = NULL;
    char words[1024], text[4096];
    struct nest nest;
    uint32_t flags = 0;
    size_t count = 0;
    NOT_ON_CUDA("a GPU does not tell which turn of a loop runs");
    nest_open(&nest, 5);
    words_of(&nest, words, sizeof words);
    REQUIRE_OK(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH, &exec));
    CHECK_OK(gc_graph_exec_flags(exec, &flags));
    CHECK(flags == GRAPHCAP_INSTANTIATE_WATCH);
    CHECK_OK(gc_graph_node_count(nest.graph, &count));
    CHECK(count == 3);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(comes_to_tell(exec, words));
    CHECK_OK(gc_graph_exec_progress(exec, &progress, text, sizeof text, NULL));
    CHECK(progress.launch_count == 2 && progress.begun_count == 1 && progress.node_count == 3);
    CHECK(progress.completed_count == 1 && progress.ready_count == 1 && progress.first_ready == nest.part);
    CHECK(progress.conditional == nest.loop && progress.body_node == nest.culprit && progress.turn == 3 && progress.body == 0);
    let_go(1);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* The second launch began with 5 turns made, and ended with the sixth. */
    CHECK(turns == 6);
    CHECK(read_u32(rig.stream, nest.buffer, 0) == 2 && read_u32(rig.stream, nest.buffer, 1) == 2);
    CHECK(read_u32(rig.stream, nest.buffer, 2) == 6);
    check_through(exec, 2);
    nest_drop(&nest);
    replay(&rig, exec);
    check_through(exec, 3);
    CHECK(turns == 7);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(nest.buffer));
}

/* The numbers and names are left of the nodes. */
static void the_turn_is_told_without_the_graph(void) {
    gc_graph_exec *exec = NULL;
    char words[1024];
    struct nest nest;
    NOT_ON_CUDA("a GPU does not tell which turn of a loop runs");
    nest_open(&nest, 4);
    REQUIRE_OK(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH, &exec));
    snprintf(words, sizeof words, "is in turn 3 of body 0 of node 0x%llx (\"until it is done\"), at node 0x%llx (\"culprit\")",
             (unsigned long long)nest.loop, (unsigned long long)nest.culprit);
    nest_drop(&nest);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(comes_to_tell(exec, words));
    let_go(1);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_through(exec, 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(nest.buffer));
}

/* It has the conditions of the graph, which one exec at a time can have. */
static void a_watched_exec_is_the_only_one(void) {
    gc_graph_exec *exec = NULL, *other = NULL;
    struct nest nest;
    NOT_ON_CUDA("a GPU refuses to watch graphs with conditions");
    nest_open(&nest, 3);
    let_go(1);
    REQUIRE_OK(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH, &exec));
    CHECK_MESSAGE(instantiate(nest.graph, 0, &other), GRAPHCAP_ERROR_NOT_SUPPORTED, "one exec at a time");
    CHECK_MESSAGE(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH, &other), GRAPHCAP_ERROR_NOT_SUPPORTED, "one exec at a time");
    replay(&rig, exec);
    check_through(exec, 1);
    CHECK_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(instantiate(nest.graph, 0, &exec));
    CHECK_MESSAGE(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH, &other), GRAPHCAP_ERROR_NOT_SUPPORTED, "one exec at a time");
    replay(&rig, exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
    REQUIRE_OK(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH | GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS, &exec));
    replay(&rig, exec);
    check_through(exec, 1);
    CHECK(read_u32(rig.stream, nest.buffer, 0) == 3 && read_u32(rig.stream, nest.buffer, 1) == 3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    nest_drop(&nest);
    CHECK_OK(gc_buffer_destroy(nest.buffer));
}

/* The message of the fault calls the nodes as the graph does. The context is of no use behind it. */
static void a_fault_names_the_nodes_of_the_graph(void) {
    gc_graph_exec *exec = NULL;
    char words[1024];
    struct nest nest;
    NOT_ON_CUDA("its kernels run on the GPU");
    nest_open(&nest, 5);
    let_go(2);
    snprintf(words, sizeof words,
             "node 0x%llx \"culprit\" of graph \"solver\" failed, in turn 3 of body 0 of node 0x%llx \"until it is done\", in body 0 of node "
             "0x%llx \"if it is due\"",
             (unsigned long long)nest.culprit, (unsigned long long)nest.loop, (unsigned long long)nest.due);
    REQUIRE_OK(instantiate(nest.graph, GRAPHCAP_INSTANTIATE_WATCH, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_MESSAGE(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CALLBACK, words);
    CHECK_OK(gc_graph_exec_destroy(exec));
    nest_drop(&nest);
    CHECK_OK(gc_buffer_destroy(nest.buffer));
}

/* Where a graph cannot be watched, it is told which node bars it, and what to do. */
static void what_cannot_be_watched_is_named(void) {
    gc_graph *graph = open_graph(rig.context), *body;
    gc_graph_exec *exec = NULL;
    gc_condition condition = 0;
    gc_buffer *allocated = NULL;
    gc_node node = 0;
    char words[128];
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &node, &allocated));
    snprintf(words, sizeof words, "node 0x%llx of the graph does. Instantiate it without the flag", (unsigned long long)node);
    CHECK_MESSAGE(instantiate(graph, GRAPHCAP_INSTANTIATE_WATCH, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, words);
    CHECK_OK(gc_buffer_destroy(allocated));
    CHECK_OK(gc_graph_destroy(graph));
    if (!on_cuda())
        return;
    graph = open_graph(rig.context);
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    node = add_conditional(graph, condition, GRAPHCAP_CONDITIONAL_IF, "if it is due");
    body = body_of(graph, node);
    snprintf(words, sizeof words, "node 0x%llx \"if it is due\" of the graph is a conditional node. Instantiate it", (unsigned long long)node);
    CHECK_MESSAGE(instantiate(graph, GRAPHCAP_INSTANTIATE_WATCH, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, words);
    CHECK_MESSAGE(instantiate(graph, GRAPHCAP_INSTANTIATE_WATCH, &exec), GRAPHCAP_ERROR_NOT_SUPPORTED, "GRAPHCAP_INSTANTIATE_WATCH marks");
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    if (!on_cuda()) {
        static const size_t sizes[] = {sizeof(gc_condition), sizeof(uint32_t)};
        static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "turn", kernel_turn, sizes, 2, NULL, 0}};
        gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
        description.host_kernels = kernels;
        description.host_kernel_count = 1;
        REQUIRE_OK(gc_module_load(rig.context, &description, &module));
        turning = get_kernel(module, "turn");
    }
    RUN(what_cannot_be_watched_is_named);
    RUN(the_turn_is_told);
    RUN(the_turn_is_told_without_the_graph);
    RUN(a_watched_exec_is_the_only_one);
    RUN(a_fault_names_the_nodes_of_the_graph);
    if (!on_cuda()) {
        CHECK_OK(gc_kernel_destroy(turning));
        CHECK_OK(gc_module_destroy(module));
    }
    rig_close(&rig);
    return check_finish();
}
