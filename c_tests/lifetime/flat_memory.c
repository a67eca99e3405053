/* The heap stays as it is while captures, edits and pools go on and on: what a graph used before an edit, and all that belongs to a
 * graph that is gone, is let go. GRAPHCAP_SOAK=1 goes on a million times. */
#include "../graph/loop.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define HEAP_BYTES() (mallinfo2().uordblks + mallinfo2().hblkhd)
#else
#define HEAP_BYTES() ((size_t)0)
#endif

enum {
    SIZE = 64,
    /* A multiple of what the driver maps at a time. */
    BLOCK = 2 * 1024 * 1024,
    BATCH = 64,
    /* A growth that is none: tables that are doubled, caches of threads. A leak of one byte a round is more in a soak. */
    SLACK = 512 * 1024,
};

static struct rig rig;

/* Calls `round` again and again. The heap after a quarter of the rounds is that of the end. */
static void stay_flat(const char *what, void (*round)(void *state, unsigned number), void *state) {
    const unsigned rounds = soak(4096, 1000000);
    size_t before = 0, after;
    unsigned i;
    for (i = 0; i < rounds; i++) {
        if (i == rounds / 4)
            before = HEAP_BYTES();
        round(state, i);
        if (i % BATCH == 0)
            CHECK_OK(gc_context_synchronize(rig.context));
    }
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_collect(rig.context));
    after = HEAP_BYTES();
    if (check_failed(after <= before + SLACK))
        fprintf(stderr, "%s: the heap grew from %zu to %zu bytes in %u rounds\n", what, before, after, rounds - rounds / 4);
}

static gc_buffer *plain_buffer(void) {
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate(rig.context, SIZE, &buffer));
    return buffer;
}

static void capture_round(void *state, unsigned number) {
    gc_buffer *buffer = plain_buffer();
    gc_graph_exec *exec;
    (void)state;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, number, 1));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void captures(void) {
    stay_flat("captures", capture_round, NULL);
}

/* A graph with a node that each round changes to another buffer, and its exec. */
struct edited {
    gc_graph *graph;
    gc_node node;
    gc_graph_exec *exec;
};

static void edit_round(void *state, unsigned number) {
    const struct edited *edited = (const struct edited *)state;
    gc_buffer *buffer = plain_buffer();
    struct kernel_call call;
    CHECK_OK(set_kernel(edited->graph, edited->node, call_add(&call, &rig, buffer, 0, number)));
    CHECK_OK(exec_set_kernel(edited->exec, edited->node, &call));
    CHECK_OK(gc_graph_launch(edited->exec, rig.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void edits_of_a_plain_graph(void) {
    gc_buffer *buffer = plain_buffer();
    struct edited edited;
    edited.graph = open_graph(rig.context);
    edited.node = add_node(&rig, edited.graph, NULL, 0, buffer, 0, 1);
    edited.exec = open_exec(edited.graph);
    CHECK_OK(gc_buffer_destroy(buffer));
    stay_flat("edits of a plain graph", edit_round, &edited);
    CHECK_OK(gc_graph_exec_destroy(edited.exec));
    CHECK_OK(gc_graph_destroy(edited.graph));
}

/* A graph with a loop, of whose body each round changes a node, and with a child, which each round exchanges. */
struct nested {
    gc_graph *graph, *body;
    gc_node in_body, child;
};

static void nested_round(void *state, unsigned number) {
    const struct nested *nested = (const struct nested *)state;
    gc_buffer *buffer = plain_buffer();
    gc_graph *child = open_graph(rig.context);
    struct kernel_call call;
    add_node(&rig, child, NULL, 0, buffer, 0, number);
    CHECK_OK(set_kernel(nested->body, nested->in_body, call_add(&call, &rig, buffer, 0, number)));
    CHECK_OK(gc_node_set_child(nested->graph, nested->child, child));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void edits_of_a_loop_and_a_child(void) {
    gc_buffer *buffer = plain_buffer();
    gc_graph *child = open_graph(rig.context);
    struct nested nested;
    gc_condition condition = 0;
    gc_node loop = 0;
    gc_status status;
    nested.graph = open_graph(rig.context);
    status = gc_graph_create_condition(nested.graph, 0, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition);
    if (status == GRAPHCAP_ERROR_NOT_SUPPORTED) {
        check_skips++;
        printf("edits of a loop: the driver has no conditions\n");
    } else {
        CHECK_OK(status);
        REQUIRE_OK(gc_graph_add_conditional_node(nested.graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_WHILE, 1, &loop));
        REQUIRE_OK(gc_node_get_graph(nested.graph, loop, 0, &nested.body));
        nested.in_body = add_node(&rig, nested.body, NULL, 0, buffer, 0, 1);
        add_node(&rig, child, NULL, 0, buffer, 0, 1);
        REQUIRE_OK(gc_graph_add_child_node(nested.graph, NULL, 0, child, &nested.child));
        stay_flat("edits of a loop and a child", nested_round, &nested);
        CHECK_OK(gc_graph_destroy(nested.body));
    }
    CHECK_OK(gc_graph_destroy(nested.graph));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* A pool with room for two buffers, and a graph that uses one of them. */
struct pooled {
    struct edited edited;
    gc_pool *pool;
};

static void pool_round(void *state, unsigned number) {
    const struct pooled *pooled = (const struct pooled *)state;
    gc_buffer *buffer = NULL;
    struct kernel_call call;
    REQUIRE_OK(gc_pool_allocate(pooled->pool, BLOCK, &buffer));
    CHECK_OK(set_kernel(pooled->edited.graph, pooled->edited.node, call_add(&call, &rig, buffer, 0, number)));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void edits_with_a_pool_for_two(void) {
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    gc_buffer *buffer = NULL;
    struct pooled pooled;
    options.capacity = 2 * BLOCK;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pooled.pool));
    REQUIRE_OK(gc_pool_allocate(pooled.pool, BLOCK, &buffer));
    pooled.edited.graph = open_graph(rig.context);
    pooled.edited.node = add_node(&rig, pooled.edited.graph, NULL, 0, buffer, 0, 1);
    CHECK_OK(gc_buffer_destroy(buffer));
    stay_flat("edits with a pool for two", pool_round, &pooled);
    CHECK_OK(gc_graph_destroy(pooled.edited.graph));
    CHECK_OK(gc_pool_destroy(pooled.pool));
}

int main(void) {
    rig_open(&rig);
    RUN(captures);
    RUN(edits_of_a_plain_graph);
    RUN(edits_of_a_loop_and_a_child);
    RUN(edits_with_a_pool_for_two);
    rig_close(&rig);
    return check_finish();
}
