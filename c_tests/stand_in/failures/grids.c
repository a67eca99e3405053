/* Each call of the driver fails once: nodes take their grids from scalars, in a graph, in a copy and in a child, and execs of these
 * run, and come to do what another graph does. */
#include "failures.h"

static void add_sized(struct program *it, gc_graph *graph, const gc_scalar *scalar) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(3, 1);
    const uint32_t value = 1;
    const uint64_t count = 4;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(it->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                       GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_node node = 0;
    STEP(gc_graph_add_kernel_node(graph, NULL, 0, it->add, &config, arguments, 3, &node));
    STEP(gc_node_set_grid_scalar(graph, node, 0, scalar));
}

static void run(struct program *it, const gc_graph *graph, uint32_t blocks) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    gc_graph_exec *exec = NULL, *uploaded = NULL;
    uint32_t i;
    options.flags = GRAPHCAP_INSTANTIATE_UPLOAD;
    options.upload_stream = it->stream;
    STEP(gc_stream_memset(it->stream, it->buffer, 0, 0, 4, 4));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_graph_instantiate(graph, &options, &uploaded));
    STEP(gc_graph_launch(uploaded, it->stream));
    STEP(gc_stream_memcpy_dtoh(it->stream, it->words, it->buffer, 0, sizeof it->words));
    STEP(gc_stream_synchronize(it->stream));
    for (i = 0; i < 4; i++)
        CHECK(has_failed || it->words[i] == (i < blocks ? 2u : 0u));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_exec_destroy(uploaded));
}

static void use_grids(struct program *it) {
    const uint32_t two = 2;
    uint32_t three = 3;
    gc_scalar *scalar = NULL;
    gc_graph *graph = NULL, *clone = NULL, *parent = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node = 0;
    STEP(gc_scalar_create(it->stream, GRAPHCAP_SCALAR_U32, &two, &scalar));
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &parent));
    add_sized(it, graph, scalar);
    run(it, graph, 2);
    STEP(gc_graph_add_child_node(parent, NULL, 0, graph, &node));
    STEP(gc_graph_clone(parent, &clone));
    STEP(gc_scalar_update(scalar, it->stream, GRAPHCAP_SCALAR_U32, &three));
    run(it, clone, 3);
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_exec_apply(exec, parent, NULL, NULL));
    STEP(gc_graph_launch(exec, it->stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
}

int main(void) {
    static const struct subject grids = {make_objects, use_grids, give_back, 0, 60};
    return fail_calls_of(&grids);
}
