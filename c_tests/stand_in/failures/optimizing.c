/* Each call of the driver fails once: a chain is optimized to lanes, with kernels before all and behind all, and in shape alone. */
#include "built.h"

static void prepare(struct program *it) {
    make_objects(it);
    make_events(it);
}

/* A chain of nodes that have nothing to do with each other. */
static void build_chain(struct program *it) {
    struct work work;
    gc_node node = 0, last = 0;
    work_fill(&work, it, 1, 0);
    STEP(gc_graph_create(it->context, &it->child));
    STEP(gc_graph_add_kernel_node(it->child, NULL, 0, it->add, &work.config, work.arguments, 3, &last));
    STEP(gc_graph_add_empty_node(it->child, &last, 1, &node));
    STEP(gc_graph_add_empty_node(it->child, &node, 1, &last));
}

static void use_graph(struct program *it) {
    static const uint32_t accesses[] = {GRAPHCAP_ACCESS_READ_WRITE, GRAPHCAP_ACCESS_NONE, GRAPHCAP_ACCESS_NONE};
    static char text[1024];
    gc_optimize_reason reasons[4];
    gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
    gc_graph *optimized = NULL, *shaped = NULL;
    gc_graph_exec *exec = NULL;
    build_chain(it);
    STEP(gc_kernel_set_accesses(it->add, accesses, 3));
    STEP(gc_graph_optimize(it->child, &options, &optimized, NULL, &report));
    /* Before 12.4 the driver does not tell what a kernel is given, which keeps its place then. */
    CHECK(has_failed || report.path_after == 1 + report.barrier_count);
    STEP(gc_graph_instantiate(optimized, NULL, &exec));
    STEP(gc_graph_launch(exec, it->stream));
    options.flags = GRAPHCAP_OPTIMIZE_SHAPE_ONLY;
    STEP(gc_graph_optimize(optimized, &options, &shaped, NULL, NULL));
    STEP(gc_graph_optimize_reasons(it->child, NULL, reasons, LENGTH_OF(reasons), NULL));
    STEP(gc_graph_optimize_text(it->child, NULL, text, sizeof text, NULL));
    STEP(gc_graph_check_text(it->child, GRAPHCAP_SEVERITY_NOTE, text, sizeof text, NULL));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(shaped));
    CHECK_OK(gc_graph_destroy(optimized));
    CHECK_OK(gc_graph_destroy(it->child));
    it->child = NULL;
    await_destroys(it);
}

int main(void) {
    static const struct subject optimizing = {prepare, use_graph, give_back, 90, 130};
    return fail_calls_of(&optimizing);
}
