/* Each call of the driver fails once: a graph is built by hand, copied, written as text and read back. */
#include "built.h"

static void prepare(struct program *it) {
    make_objects(it);
    make_events(it);
}

/* As text and back, and copied with the names of its nodes. */
static void write_and_read(struct program *it, const gc_graph *graph) {
    gc_graph_binding bindings[] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "buffer 0", it->copy),
                                   GRAPHCAP_BINDING_INIT_HOST_FUNCTION("none", be_called, it, be_destroyed)};
    gc_graph *again = NULL, *clone = NULL;
    static char json[4096];
    it->given++;
    STEP(gc_graph_export_json(graph, json, sizeof json, NULL));
    STEP(gc_graph_import_json(it->context, json, strlen(json), bindings, 2, &again));
    STEP(gc_graph_clone(graph, &clone));
    STEP(gc_graph_diff(again, clone, json, sizeof json, NULL));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(again));
}

static void use_graph(struct program *it) {
    gc_graph *clone = NULL;
    gc_node found = 0;
    build_child(it);
    write_and_read(it, it->child);
    build_graph(it);
    it->given++;
    STEP(gc_graph_add_dependencies(it->graph, &it->nodes[MEMSET], &it->nodes[EMPTY], NULL, 1));
    STEP(gc_graph_remove_dependencies(it->graph, &it->nodes[MEMSET], &it->nodes[EMPTY], 1));
    STEP(gc_graph_retain_callback(it->graph, it, be_destroyed));
    STEP(gc_graph_clone(it->graph, &clone));
    STEP(gc_node_find_in_clone(it->graph, it->nodes[KERNEL], clone, &found));
    CHECK_OK(gc_graph_destroy(it->graph));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(it->child));
    it->graph = it->child = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject building = {prepare, use_graph, give_back, 115, 115};
    return fail_calls_of(&building);
}
