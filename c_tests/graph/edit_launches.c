/* Edits between launches of an exec that has more nodes than are changed at once: each launch runs what the nodes were set to when it
 * was made, whichever of them were changed, and however many launches are pending. */
#include "nodes.h"

enum { THREADS = 8, ROUNDS = 256, APART = 40, QUEUED = 100 };

static struct rig rig;
/* Word i of the first is value_of(i). */
static gc_buffer *values, *results;

static uint32_t value_of(unsigned index) {
    return 7 * index + 1;
}

/* results[index] = value_of(index). */
static gc_memcpy_params copy_of(unsigned index) {
    gc_memcpy_params params = GRAPHCAP_MEMCPY_PARAMS_INIT;
    params.direction = GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE;
    params.destination = results;
    params.destination_offset = index * sizeof(uint32_t);
    params.source = values;
    params.source_offset = index * sizeof(uint32_t);
    params.size = sizeof(uint32_t);
    return params;
}

static void fill_values(void) {
    static uint32_t words[THREADS * ROUNDS];
    unsigned i;
    for (i = 0; i < LENGTH_OF(words); i++)
        words[i] = value_of(i);
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, values, 0, words, sizeof words));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

/* Checks the first `count` words of the results, of which those are 0 that are not `expected`. */
static void check_results(unsigned count, int (*expected)(unsigned index)) {
    static uint32_t words[THREADS * ROUNDS];
    unsigned i, wrong = 0;
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, words, results, 0, count * sizeof(uint32_t)));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < count; i++) {
        if (words[i] == (expected(i) ? value_of(i) : 0))
            continue;
        if (wrong++ == 0)
            fprintf(stderr, "    word %u is %u\n", i, (unsigned)words[i]);
    }
    CHECK(wrong == 0);
}

static int every(unsigned index) {
    (void)index;
    return 1;
}

/* So many kernels in a chain behind a node; gives the last. */
static gc_node add_fillers(const gc_graph *graph, gc_node before, unsigned count) {
    for (; count > 0; count--)
        before = add_node(&rig, graph, &before, before ? 1 : 0, values, THREADS * ROUNDS, 1);
    return before;
}

struct editor {
    gc_graph_exec *exec;
    gc_node node;
    unsigned number;
};

/* Each round is a word of its own, so that one which is not as expected tells of a launch that ran something else. */
static void *edit_and_launch(void *argument) {
    const struct editor *editor = (const struct editor *)argument;
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    unsigned round;
    for (round = 0; round < ROUNDS; round++) {
        const gc_memcpy_params copy = copy_of(editor->number * ROUNDS + round);
        CHECK_OK(gc_graph_exec_set_memcpy_node(editor->exec, editor->node, &copy));
        CHECK_OK(gc_graph_launch(editor->exec, stream));
        /* With none pending, and with many. */
        if (round % 32 >= 24)
            CHECK_OK(gc_stream_synchronize(stream));
    }
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

static void threads_edit_one_exec(void) {
    pthread_t threads[THREADS];
    struct editor editors[THREADS];
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec;
    gc_node last = 0;
    unsigned i;
    clear_buffer(rig.context, results);
    for (i = 0; i < THREADS; i++) {
        const gc_memcpy_params copy = copy_of(i * ROUNDS);
        const gc_node before = add_fillers(graph, last, APART);
        REQUIRE_OK(gc_graph_add_memcpy_node(graph, &before, 1, &copy, &editors[i].node));
        last = editors[i].node;
    }
    exec = open_exec(graph);
    for (i = 0; i < THREADS; i++) {
        editors[i].exec = exec;
        editors[i].number = i;
        CHECK(pthread_create(&threads[i], NULL, edit_and_launch, &editors[i]) == 0);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_results(THREADS * ROUNDS, every);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void *edit_and_launch_own(void *argument) {
    struct editor *editor = (struct editor *)argument;
    gc_graph *graph = open_graph(rig.context);
    const gc_memcpy_params copy = copy_of(editor->number * ROUNDS);
    const gc_node first = add_fillers(graph, 0, APART);
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &first, 1, &copy, &editor->node));
    (void)add_fillers(graph, editor->node, APART);
    editor->exec = open_exec(graph);
    edit_and_launch(editor);
    CHECK_OK(gc_graph_exec_destroy(editor->exec));
    CHECK_OK(gc_graph_destroy(graph));
    return NULL;
}

static void threads_edit_execs_of_their_own(void) {
    pthread_t threads[THREADS];
    struct editor editors[THREADS];
    unsigned i;
    clear_buffer(rig.context, results);
    for (i = 0; i < THREADS; i++) {
        editors[i].number = i;
        CHECK(pthread_create(&threads[i], NULL, edit_and_launch_own, &editors[i]) == 0);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    check_results(THREADS * ROUNDS, every);
}

static int is_enabled(unsigned index) {
    return index < QUEUED || index % 3 != 1;
}

/* A kernel and a copy of one exec, of which the copy is disabled in some launches, all of which are pending. */
static void queued_launches_run_what_was_set(void) {
    struct gate gate;
    struct kernel_call call;
    gc_graph *graph = open_graph(rig.context);
    const gc_memcpy_params copy = copy_of(QUEUED);
    gc_node kernel, copying, before = add_fillers(graph, 0, APART);
    gc_graph_exec *exec;
    unsigned i;
    clear_buffer(rig.context, results);
    kernel = fill_node(&rig, graph, &before, 1, results, 0, value_of(0));
    before = add_fillers(graph, kernel, APART);
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, &before, 1, &copy, &copying));
    exec = open_exec(graph);
    gate_init(&gate);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    for (i = 0; i < QUEUED; i++) {
        const gc_memcpy_params next = copy_of(QUEUED + i);
        (void)call_fill(&call, &rig, results, i, value_of(i));
        /* Another grid, now and then. */
        call.config.grid_dim[0] = i % 5 == 4 ? 2 : 1;
        CHECK_OK(exec_set_kernel(exec, kernel, &call));
        CHECK_OK(gc_graph_exec_set_node_enabled(exec, copying, is_enabled(QUEUED + i)));
        CHECK_OK(gc_graph_exec_set_memcpy_node(exec, copying, &next));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
    }
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_results(2 * QUEUED, is_enabled);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    gate_free(&gate);
}

static int is_before_copy(unsigned index) {
    return index < QUEUED;
}

/* Updates and single edits follow each other. What is disabled stays so. */
static void queued_launches_run_what_was_updated(void) {
    struct gate gate;
    gc_graph *graphs[2];
    gc_node kernels[2], copies[2];
    gc_graph_exec *exec;
    unsigned i;
    clear_buffer(rig.context, results);
    for (i = 0; i < 2; i++) {
        const gc_memcpy_params copy = copy_of(QUEUED);
        gc_node before;
        graphs[i] = open_graph(rig.context);
        before = add_fillers(graphs[i], 0, APART);
        kernels[i] = fill_node(&rig, graphs[i], &before, 1, results, i, value_of(i));
        before = add_fillers(graphs[i], kernels[i], APART);
        REQUIRE_OK(gc_graph_add_memcpy_node(graphs[i], &before, 1, &copy, &copies[i]));
    }
    exec = open_exec(graphs[0]);
    gate_init(&gate);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, copies[0], 0));
    for (i = 0; i < QUEUED; i++) {
        struct kernel_call call;
        (void)call_fill(&call, &rig, results, i, value_of(i));
        if (i % 2 == 0) {
            CHECK_OK(exec_set_kernel(exec, kernels[0], &call));
        } else {
            CHECK_OK(set_kernel(graphs[i / 2 % 2], kernels[i / 2 % 2], &call));
            CHECK_OK(gc_graph_exec_update(exec, graphs[i / 2 % 2], 0, NULL));
        }
        CHECK_OK(gc_graph_launch(exec, rig.stream));
    }
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_results(QUEUED + 1, is_before_copy);
    CHECK_OK(gc_graph_exec_set_node_enabled(exec, copies[0], 1));
    replay(&rig, exec);
    check_results(QUEUED + 1, every);
    CHECK_OK(gc_graph_exec_destroy(exec));
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_graph_destroy(graphs[i]));
    gate_free(&gate);
}

/* A kernel within a child, and one within a body. */
static void nodes_within_are_set_between_queued_launches(void) {
    struct gate gate;
    struct kernel_call call;
    gc_graph *graph, *child, *within = NULL, *body = NULL;
    gc_node last, inner, node, conditional, in_body, copied = 0;
    gc_condition condition = 0;
    gc_graph_exec *exec;
    unsigned i;
    NOT_ON_CUDA("the driver sets no node of a body in an exec");
    graph = open_graph(rig.context);
    child = open_graph(rig.context);
    clear_buffer(rig.context, results);
    last = add_fillers(child, 0, APART);
    inner = fill_node(&rig, child, &last, 1, results, 0, value_of(0));
    last = add_fillers(graph, 0, APART);
    REQUIRE_OK(gc_graph_add_child_node(graph, &last, 1, child, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &within));
    REQUIRE_OK(gc_node_find_in_clone(child, inner, within, &copied));
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &node, 1, condition, GRAPHCAP_CONDITIONAL_IF, 1, &conditional));
    REQUIRE_OK(gc_node_get_graph(graph, conditional, 0, &body));
    last = add_fillers(body, 0, 2 * APART);
    in_body = fill_node(&rig, body, &last, 1, results, QUEUED, value_of(QUEUED));
    exec = open_exec(graph);
    gate_init(&gate);
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    for (i = 0; i < QUEUED; i++) {
        (void)call_fill(&call, &rig, results, i, value_of(i));
        CHECK_OK(exec_set_kernel(exec, copied, &call));
        (void)call_fill(&call, &rig, results, QUEUED + i, value_of(QUEUED + i));
        CHECK_OK(exec_set_kernel(exec, in_body, &call));
        CHECK_OK(gc_graph_launch(exec, rig.stream));
    }
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(rig.stream));
    check_results(2 * QUEUED, every);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    gate_free(&gate);
}

int main(void) {
    rig_open(&rig);
    values = open_buffer(rig.context, (THREADS * ROUNDS + 1) * sizeof(uint32_t));
    results = open_buffer(rig.context, THREADS * ROUNDS * sizeof(uint32_t));
    fill_values();
    RUN(threads_edit_one_exec);
    RUN(threads_edit_execs_of_their_own);
    RUN(queued_launches_run_what_was_set);
    RUN(queued_launches_run_what_was_updated);
    RUN(nodes_within_are_set_between_queued_launches);
    CHECK_OK(gc_buffer_destroy(results));
    CHECK_OK(gc_buffer_destroy(values));
    rig_close(&rig);
    return check_finish();
}
