/* How much memory an exec is counted for, that is launched and uploaded while a launch of it goes on. */
#include "nodes.h"

static const uint64_t step = (uint64_t)32 << 20;
static struct rig rig;

/* A graph that allocates memory, sets it and frees it. */
static gc_graph *open_allocating(void) {
    enum { BYTES = 3 << 20 };
    gc_graph *graph = open_graph(rig.context);
    gc_buffer *memory = NULL;
    gc_node allocated = 0, set = 0, freed = 0;
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, BYTES, &allocated, &memory));
    set = fill_node(&rig, graph, &allocated, 1, memory, 0, 1);
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &set, 1, memory, &freed));
    CHECK_OK(gc_buffer_destroy(memory));
    return graph;
}

static int has(uint64_t now, uint64_t high) {
    gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
    CHECK_OK(gc_context_graph_memory(rig.context, &memory));
    return memory.used_bytes == now && memory.used_high == high && memory.reserved_bytes == now && memory.reserved_high == high;
}

static void trim(void) {
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK_OK(gc_context_graph_memory_reset_high(rig.context));
    CHECK(has(0, 0));
}

/* Launches of one exec run one after another, and so share what its upload counted. Measured on an H200, driver 580. */
static void an_exec_has_its_memory_once(void) {
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_stream *side;
    struct gate gate;
    NOT_ON_CUDA("needs pending work, which a stand-in for the driver does not have");
    graph = open_allocating();
    exec = open_exec(graph);
    side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gate_init(&gate);
    trim();
    CHECK_OK(gc_stream_launch_host_func(rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(has(step, step));
    CHECK_OK(gc_graph_upload(exec, side));
    CHECK(has(step, step));
    CHECK_OK(gc_graph_launch(exec, side));
    CHECK(has(step, step));
    CHECK_OK(gc_context_graph_memory_trim(rig.context));
    CHECK(has(step, step));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(side));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    gate_free(&gate);
    trim();
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Measured on an H200, driver 580. */
static void execs_that_are_uploaded_share_what_is_free(void) {
    gc_graph *graphs[2] = {open_allocating(), open_allocating()};
    gc_graph_exec *execs[2] = {open_exec(graphs[0]), open_exec(graphs[1])};
    unsigned i;
    trim();
    for (i = 0; i < 2; i++) {
        CHECK_OK(gc_graph_upload(execs[i], rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(has(step, step));
    }
    trim();
    for (i = 0; i < 2; i++) {
        replay(&rig, execs[i]);
        CHECK(has(step, step));
    }
    trim();
    for (i = 0; i < 2; i++) {
        CHECK_OK(gc_graph_exec_destroy(execs[i]));
        CHECK_OK(gc_graph_destroy(graphs[i]));
    }
}

int main(void) {
    rig_open(&rig);
    RUN(an_exec_has_its_memory_once);
    RUN(execs_that_are_uploaded_share_what_is_free);
    rig_close(&rig);
    return check_finish();
}
