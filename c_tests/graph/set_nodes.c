/* Many nodes that are set by one call, of a graph and of an exec: in their order, up to the first one that fails. */
#include "nodes.h"

enum { NODES = 40, WRONG = 21 };

static struct rig rig;
static gc_buffer *first, *second;
/* Sets nodes of an exec, else of its graph. */
static int is_exec;

/* Word i of a buffer becomes what its call says. */
struct calls {
    struct kernel_call kernels[NODES];
    gc_work works[NODES];
};

static void make_calls(struct calls *calls, const gc_buffer *buffer, uint32_t base) {
    const gc_work none = GRAPHCAP_WORK_INIT;
    unsigned i;
    for (i = 0; i < NODES; i++) {
        const struct kernel_call *call = call_fill(&calls->kernels[i], &rig, buffer, i, base + i);
        calls->works[i] = none;
        calls->works[i].kind = GRAPHCAP_WORK_KERNEL;
        calls->works[i].kernel = call->kernel;
        calls->works[i].config = &call->config;
        calls->works[i].arguments = call->arguments;
        calls->works[i].argument_count = call->count;
    }
}

/* A graph of kernels that wait for nothing, and an exec of it. */
struct subject {
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_node nodes[NODES];
};

static void open_subject(struct subject *subject) {
    struct calls calls;
    unsigned i;
    make_calls(&calls, first, 100);
    REQUIRE_OK(gc_graph_create(rig.context, &subject->graph));
    for (i = 0; i < NODES; i++)
        REQUIRE_OK(add_kernel(subject->graph, NULL, 0, &calls.kernels[i], &subject->nodes[i]));
    REQUIRE_OK(gc_graph_instantiate(subject->graph, NULL, &subject->exec));
}

static void close_subject(const struct subject *subject) {
    CHECK_OK(gc_graph_exec_destroy(subject->exec));
    CHECK_OK(gc_graph_destroy(subject->graph));
}

static gc_status set_many(const struct subject *subject, const gc_node *nodes, const gc_work *works, size_t count, size_t *failed) {
    return is_exec ? gc_graph_exec_set_nodes(subject->exec, nodes, works, count, failed)
                            : gc_graph_set_nodes(subject->graph, nodes, works, count, failed);
}

static void run_exec(const gc_graph_exec *exec) {
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

/* Runs the exec, or one that is made of the graph now. */
static void run(const struct subject *subject) {
    gc_graph_exec *exec;
    if (is_exec) {
        run_exec(subject->exec);
        return;
    }
    REQUIRE_OK(gc_graph_instantiate(subject->graph, NULL, &exec));
    run_exec(exec);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* The words of a buffer up to `changed` begin at `base`, and the others at `rest`. */
static void check_words(const gc_buffer *buffer, unsigned changed, uint32_t base, uint32_t rest) {
    uint32_t words[NODES];
    unsigned i, wrong = 0;
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, words, buffer, 0, sizeof words));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < NODES; i++)
        wrong += words[i] != (i < changed ? base : rest) + i;
    CHECK(wrong == 0);
}

/* As CHECK_MESSAGE, for set_many(), which no message names. */
static void check_says(int line, gc_status got, gc_status expected, const char *word) {
    char message[1024] = "";
    gc_last_error_message(message, sizeof message, NULL);
    if (check_status(__FILE__, line, word, got, expected) && check_failed(check_contains(message, word)))
        fprintf(stderr, "%s:%d: the message does not contain '%s': %s\n", __FILE__, line, word, message);
}

#define SAYS(call, expected, word) check_says(__LINE__, (call), (expected), (word))

static void all_are_set(void) {
    struct subject subject;
    struct calls calls;
    size_t failed = 0;
    unsigned turn;
    open_subject(&subject);
    /* Nodes that are set for the first time, and again, to the same memory and to other memory. */
    for (turn = 0; turn < 4; turn++) {
        gc_buffer *buffer = turn < 2 ? first : second;
        make_calls(&calls, buffer, 1000 * (turn + 1));
        CHECK_OK(set_many(&subject, subject.nodes, calls.works, NODES, &failed));
        CHECK(failed == SIZE_MAX);
        run(&subject);
        check_words(buffer, NODES, 1000 * (turn + 1), 0);
    }
    if (is_exec) {
        gc_graph_exec *anew;
        REQUIRE_OK(gc_graph_instantiate(subject.graph, NULL, &anew));
        run_exec(anew);
        check_words(first, NODES, 100, 0);
        CHECK_OK(gc_graph_exec_destroy(anew));
    } else {
        run_exec(subject.exec);
        check_words(first, NODES, 100, 0);
    }
    close_subject(&subject);
}

static void what_the_works_use_is_kept(void) {
    struct subject subject;
    struct calls calls;
    gc_buffer *short_lived;
    open_subject(&subject);
    make_calls(&calls, first, 200);
    CHECK_OK(set_many(&subject, subject.nodes, calls.works, NODES, NULL));
    short_lived = open_buffer(rig.context, NODES * sizeof(uint32_t));
    make_calls(&calls, short_lived, 300);
    CHECK_OK(set_many(&subject, subject.nodes, calls.works, NODES, NULL));
    CHECK_OK(gc_buffer_destroy(short_lived));
    run(&subject);
    close_subject(&subject);
}

static void those_before_the_one_that_fails_are_set(void) {
    struct subject subject;
    struct calls calls;
    int round;
    open_subject(&subject);
    /* Also where all nodes were set before. */
    for (round = 0; round < 2; round++) {
        size_t failed = 0;
        make_calls(&calls, first, 500);
        calls.works[WRONG].argument_count--;
        SAYS(set_many(&subject, subject.nodes, calls.works, NODES, &failed), GRAPHCAP_ERROR_INVALID_VALUE, "element 21");
        CHECK(failed == WRONG);
        run(&subject);
        check_words(first, WRONG, 500, round == 0 ? 100 : 600);
        make_calls(&calls, first, 600);
        CHECK_OK(set_many(&subject, subject.nodes, calls.works, NODES, &failed));
    }
    {
        gc_node nodes[NODES];
        size_t failed = 0;
        memcpy(nodes, subject.nodes, sizeof nodes);
        nodes[WRONG] = 7;
        make_calls(&calls, first, 700);
        CHECK_STATUS(set_many(&subject, nodes, calls.works, NODES, &failed), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(failed == WRONG);
        run(&subject);
        check_words(first, WRONG, 700, 600);
        /* The device refuses a block of no threads. */
        make_calls(&calls, first, 800);
        calls.kernels[WRONG].config.block_dim[0] = 0;
        CHECK_STATUS(set_many(&subject, subject.nodes, calls.works, NODES, &failed), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK(failed == WRONG);
        run(&subject);
        check_words(first, WRONG, 800, 600);
    }
    close_subject(&subject);
}

static void a_node_that_comes_again_does_the_last_work(void) {
    struct subject subject;
    struct calls calls;
    gc_node nodes[NODES];
    gc_work works[NODES];
    int round;
    unsigned i;
    open_subject(&subject);
    make_calls(&calls, first, 100);
    for (round = 0; round < 2; round++) {
        struct kernel_call to_first, to_second;
        run(&subject);
        call_fill(&to_first, &rig, first, 0, 901 + 10 * round);
        call_fill(&to_second, &rig, second, 0, 902 + 10 * round);
        for (i = 0; i < NODES; i++) {
            nodes[i] = subject.nodes[i % 3 ? i : 0];
            works[i] = calls.works[i % 3 ? i : 0];
            if (i % 3 == 0) {
                works[i].kernel = rig.fill;
                works[i].arguments = i % 2 ? to_first.arguments : to_second.arguments;
            }
        }
        CHECK_OK(set_many(&subject, nodes, works, NODES, NULL));
        run(&subject);
        {
            uint32_t word = 0;
            CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &word, first, 0, sizeof word));
            CHECK_OK(gc_stream_synchronize(rig.stream));
            CHECK(word == 901u + 10 * (unsigned)round);
        }
    }
    close_subject(&subject);
}

static void works_of_each_kind_are_set_and_let_go_of(void) {
    const gc_memset_params set = GRAPHCAP_MEMSET_INIT(first, 0, 77, 4, 1, 1, 0);
    const gc_memset_params clear = GRAPHCAP_MEMSET_INIT(first, 0, 0, 4, 1, 1, 0);
    const gc_work none = GRAPHCAP_WORK_INIT;
    unsigned ran[3] = {0, 0, 0}, gone[3] = {0, 0, 0}, i;
    size_t failed = 0;
    struct subject subject;
    struct calls calls;
    gc_node nodes[4];
    gc_work works[4];
    make_calls(&calls, first, 40);
    REQUIRE_OK(gc_graph_create(rig.context, &subject.graph));
    REQUIRE_OK(gc_graph_add_memset_node(subject.graph, NULL, 0, &clear, &nodes[0]));
    REQUIRE_OK(gc_graph_add_host_node(subject.graph, NULL, 0, count_call, &ran[0], NULL, &nodes[1]));
    REQUIRE_OK(add_kernel(subject.graph, NULL, 0, &calls.kernels[1], &nodes[2]));
    REQUIRE_OK(gc_graph_add_host_node(subject.graph, NULL, 0, count_call, &ran[0], NULL, &nodes[3]));
    REQUIRE_OK(gc_graph_instantiate(subject.graph, NULL, &subject.exec));
    for (i = 0; i < 4; i++)
        works[i] = none;
    works[0].kind = GRAPHCAP_WORK_MEMSET;
    works[0].memset_params = &set;
    works[2] = calls.works[1];
    for (i = 1; i < 4; i += 2) {
        works[i].kind = GRAPHCAP_WORK_HOST;
        works[i].function = count_call;
        works[i].user_data = &gone[i / 2];
        works[i].destroy = count_call;
    }
    works[2].flags = 1;
    CHECK_STATUS(set_many(&subject, nodes, works, 4, &failed), GRAPHCAP_ERROR_INVALID_VALUE);
    /* What is behind the failure was not read. */
    CHECK(failed == 2 && gone[1] == 0);
    works[2].flags = 0;
    works[1].user_data = &ran[1];
    works[1].destroy = NULL;
    CHECK_OK(set_many(&subject, nodes, works, 4, &failed));
    CHECK(failed == SIZE_MAX);
    run(&subject);
    CHECK(ran[0] == 0 && ran[1] == 1 && gone[1] == 1);
    {
        uint32_t words[2] = {0, 0};
        CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, words, first, 0, sizeof words));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(words[0] == 77 && words[1] == 41);
    }
    close_subject(&subject);
    CHECK_OK(gc_context_collect(rig.context));
    CHECK(await_count(&gone[0], 1) && await_count(&gone[1], 2));
}

static void nothing_is_set_where_nothing_is_given(void) {
    struct subject subject;
    struct calls calls;
    size_t failed = 0;
    open_subject(&subject);
    make_calls(&calls, first, 900);
    CHECK_OK(set_many(&subject, NULL, NULL, 0, &failed));
    CHECK(failed == SIZE_MAX);
    failed = 0;
    SAYS(set_many(&subject, NULL, calls.works, 1, &failed), GRAPHCAP_ERROR_INVALID_VALUE, "nodes");
    CHECK(failed == SIZE_MAX);
    SAYS(set_many(&subject, subject.nodes, NULL, 1, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "works");
    calls.works[2].struct_size -= 8;
    SAYS(set_many(&subject, subject.nodes, calls.works, NODES, &failed), GRAPHCAP_ERROR_INVALID_VALUE, "works");
    CHECK(failed == 2);
    run(&subject);
    check_words(first, 2, 900, 100);
    close_subject(&subject);
}

int main(void) {
    rig_open(&rig);
    first = open_buffer(rig.context, NODES * sizeof(uint32_t));
    second = open_buffer(rig.context, NODES * sizeof(uint32_t));
    for (is_exec = 0; is_exec < 2; is_exec++) {
        RUN(all_are_set);
        RUN(what_the_works_use_is_kept);
        RUN(those_before_the_one_that_fails_are_set);
        RUN(a_node_that_comes_again_does_the_last_work);
        RUN(works_of_each_kind_are_set_and_let_go_of);
        RUN(nothing_is_set_where_nothing_is_given);
    }
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_buffer_destroy(first));
    rig_close(&rig);
    return check_finish();
}
