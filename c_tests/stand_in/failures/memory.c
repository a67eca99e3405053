/* Each call of the driver fails once: copies and memsets of rows, variables of modules, and graphs that allocate. */
#include "failures.h"

/* Submitted, recorded and at once. */
static void work_on_rows(struct program *it) {
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(it->copy, 0, it->words, 4);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, it->copy, 0, 4);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 0, 2, 2, 4, 8);
    gc_graph *graph = NULL;
    in.height = out.height = 3;
    in.destination_pitch = 8;
    in.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    out.destination_host_buffer = it->pinned;
    out.source_pitch = 16;
    STEP(gc_stream_memcpy(it->stream, &in));
    STEP(gc_stream_memset_2d(it->special, &set));
    STEP(gc_context_memset(it->context, &set));
    STEP(gc_context_memcpy(it->context, &out));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_memcpy(it->stream, &in));
    STEP(gc_stream_memcpy(it->stream, &out));
    STEP(gc_stream_end_capture(it->stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Together: at once, and recorded. */
static void copy_together(struct program *it) {
    gc_memcpy_params copies[] = {GRAPHCAP_MEMCPY_INIT_DTOD(it->copy, 0, it->buffer, 0, 8), GRAPHCAP_MEMCPY_INIT_DTOH(NULL, it->buffer, 8, 8),
                                 GRAPHCAP_MEMCPY_INIT_HTOD(it->copy, 16, it->words, 4), GRAPHCAP_MEMCPY_INIT_HTOD(it->copy, 20, it->words, 4)};
    gc_graph *graph = NULL;
    copies[1].destination_host_buffer = it->pinned;
    copies[3].flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    STEP(gc_stream_memcpy_batch(it->stream, copies, LENGTH_OF(copies), NULL));
    STEP(gc_stream_memcpy_batch(it->special, copies, 2, NULL));
    STEP(gc_stream_memcpy_batch(it->wrapped, copies, LENGTH_OF(copies), NULL));
    STEP(gc_stream_begin_capture(it->stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    STEP(gc_stream_memcpy_batch(it->stream, copies, LENGTH_OF(copies), NULL));
    STEP(gc_stream_end_capture(it->stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
}

/* A variable of a module, and copies that no device memory is part of. */
static void use_globals(struct program *it) {
    static const char image[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .global .align 4 .u32 number;\n";
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_HTOH(it->words, it->words + 2, 8);
    gc_module *module = NULL;
    gc_buffer *global = NULL;
    gc_context *told = NULL;
    description.image = image;
    description.image_size = sizeof image;
    STEP(gc_module_load(it->context, &description, &module));
    STEP(gc_module_get_global(module, "number", &global));
    CHECK_OK(gc_module_destroy(module));
    STEP(gc_stream_memset(it->stream, global, 0, 1, 4, 1));
    STEP(gc_buffer_get_context(global, &told));
    CHECK_OK(gc_context_destroy(told));
    CHECK_OK(gc_buffer_destroy(global));
    STEP(gc_stream_memcpy(it->stream, &within));
    STEP(gc_context_synchronize(it->context));
}

/* A graph that allocates, what it leaves, and a graph that frees it. */
static void allocate_in_graphs(struct program *it) {
    gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
    gc_mem_alloc_node_params alloc = {sizeof alloc, 0, 0, 0};
    gc_mem_free_node_params freed = {sizeof freed, 0, 0};
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(NULL, 0, 1, 4, 4, 1, 0);
    gc_graph *graph = NULL, *other = NULL;
    gc_graph_exec *exec = NULL, *frees = NULL;
    gc_buffer *left = NULL, *named = NULL;
    gc_node nodes[3] = {0};
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &other));
    STEP(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &nodes[0], &left));
    set.buffer = left;
    STEP(gc_graph_add_memset_node(graph, nodes, 1, &set, &nodes[1]));
    STEP(gc_graph_add_mem_free_node(other, NULL, 0, left, &nodes[2]));
    STEP(gc_node_get_mem_alloc_params(graph, nodes[0], &alloc));
    STEP(gc_node_get_mem_free_params(other, nodes[2], &freed));
    STEP(gc_node_get_buffer(other, nodes[2], &named));
    STEP(gc_graph_instantiate(graph, NULL, &exec));
    STEP(gc_graph_instantiate(other, NULL, &frees));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_graph_launch(frees, it->stream));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_stream_mem_free(it->stream, left));
    STEP(gc_graph_launch(exec, it->stream));
    STEP(gc_context_graph_memory(it->context, &memory));
    STEP(gc_context_graph_memory_reset_high(it->context));
    STEP(gc_context_graph_memory_trim(it->context));
    /* What the last launch left goes with the last who could name it. */
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_exec_destroy(frees));
    CHECK_OK(gc_buffer_destroy(named));
    CHECK_OK(gc_buffer_destroy(left));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void use_memory(struct program *it) {
    work_on_rows(it);
    copy_together(it);
    use_globals(it);
    allocate_in_graphs(it);
}

int main(void) {
    static const struct subject memory = {make_all, use_memory, give_back, 120, 120};
    return fail_calls_of(&memory);
}
