/* What rows of updates are tried with: the graph that an exec is made of, the one that it is updated by, and nodes for both. */
#ifndef GRAPHCAP_TESTS_UPDATING_H
#define GRAPHCAP_TESTS_UPDATING_H

#include "works.h"

/* What a row is tried with: the exec is made of `graph` and updated by `source`, whose nodes have names. */
static struct {
    gc_graph *graph, *source;
    gc_graph_exec *exec;
    gc_node x, y, z;
    uint32_t flags;
} up;

static const gc_node *const none = NULL;

static inline void try_begin(void) {
    memset(&up, 0, sizeof up);
    up.graph = open_graph(bed.rig.context);
    up.source = open_graph(bed.rig.context);
    bed_clear();
}

static inline void make_exec(void) {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = up.flags;
    REQUIRE_OK(gc_graph_instantiate(up.graph, &options, &up.exec));
}

static inline const char *name_of(gc_node node) {
    return node == 0 ? "0" : node == up.x ? "x" : node == up.y ? "y" : node == up.z ? "z" : "?";
}

/* Asks and then updates, which answer the same. */
static inline gc_status update_and_answer(void) {
    gc_graph_exec_update_info asked = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT, told = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    const gc_status question = gc_graph_exec_update(up.exec, up.source, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &asked);
    const gc_status status = gc_graph_exec_update(up.exec, up.source, 0, &told);
    CHECK(question == status && asked.result == told.result && told.from_node == 0);
    /* Without a result the question names the node of an attribute that the exec keeps, or of what the driver does not update. */
    CHECK(told.result == 0 || asked.graph_node == told.graph_node);
    answer("update=%d/%d/%s", (int)status, (int)told.result, name_of(told.graph_node));
    return status;
}

static inline void words_after(const char *key) {
    clear_words(&bed.rig, bed.target);
    replay(&bed.rig, up.exec);
    answer("%s=%u,%u,%u", key, word_of(bed.target, 0), word_of(bed.target, 1), word_of(bed.target, 2));
}

/* Runs the exec before and after the source is gone, which makes no difference. */
static inline void run_and_end(void) {
    char before[sizeof answers];
    words_after("val");
    strcpy(before, answers);
    CHECK_OK(gc_graph_destroy(up.source));
    *strrchr(answers, ' ') = '\0';
    words_after("val");
    CHECK(strcmp(before, answers) == 0);
    CHECK_OK(gc_graph_exec_destroy(up.exec));
    CHECK_OK(gc_graph_destroy(up.graph));
}

static inline void finish_row(void) {
    make_exec();
    update_and_answer();
    run_and_end();
}

static inline gc_node sets(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned index, uint32_t number,
                    size_t width, size_t height) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(bed.target, 4 * index, number, 4, width, height, 0);
    gc_node node = 0;
    set.pitch = height > 1 ? 8 : 0;
    REQUIRE_OK(gc_graph_add_memset_node(graph, dependencies, count, &set, &node));
    return node;
}

static inline gc_node foreign_stores(const gc_graph *graph, const gc_node *dependencies, size_t count, unsigned index, uint32_t number) {
    return fill_node(&bed.other, graph, dependencies, count, bed.target, index, number);
}

static inline gc_node records(const gc_graph *graph, const gc_node *dependencies, size_t count, const gc_event *event) {
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_event_record_node(graph, dependencies, count, event, &node));
    return node;
}

static inline void depends(const gc_graph *graph, gc_node from, gc_node to) {
    REQUIRE_OK(gc_graph_add_dependencies(graph, &from, &to, NULL, 1));
}

static inline void set_attribute(const gc_graph *graph, gc_node node, uint32_t id, int32_t number) {
    gc_launch_attribute_value value;
    memset(&value, 0, sizeof value);
    if (id == GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
        value.dimensions[0] = (uint32_t)number, value.dimensions[1] = value.dimensions[2] = 1;
    else
        value.number = number;
    CHECK_OK(gc_node_set_attribute(graph, node, id, &value));
}

/* x stores at 0, and y behind it at 1. */
static inline void two(const gc_graph *graph, uint32_t number) {
    up.x = stores(graph, none, 0, 0, number);
    up.y = stores(graph, &up.x, 1, 1, number);
}

#endif
