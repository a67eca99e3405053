/* Each call of the driver fails once: captures by objects and functions, into graphs that are there, and into nodes. */
#include "failures.h"

/* The graph of a capture, which is built while the capture goes on. */
static void build_within_a_capture(struct program *it) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 1, 4, 1, 1, 0);
    gc_graph *graph = NULL, *child = NULL, *ended = NULL;
    gc_node node = 0, put = 0;
    STEP(gc_graph_create(it->context, &child));
    STEP(gc_stream_begin_capture(it->side, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 1, 4, 1));
    STEP(gc_stream_capture_graph(it->side, &graph));
    STEP(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    STEP(gc_stream_update_capture_dependencies(it->side, &node, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    STEP(gc_stream_capture_child_node(it->side, child, &put));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 2, 4, 1));
    STEP(gc_stream_end_capture(it->side, &ended));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(ended));
}

/* A capture into a graph that was there before, where the driver has that. */
static void capture_into_a_graph(struct program *it) {
    gc_graph *graph = NULL, *same = NULL;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_thread_exchange_capture_mode(&mode));
    if (is_new) {
        STEP(gc_stream_begin_capture_to_graph(it->side, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        STEP(gc_stream_memset(it->side, it->buffer, 0, 0, 4, 4));
        STEP(gc_stream_end_capture(it->side, &same));
    }
    mode = GRAPHCAP_CAPTURE_MODE_GLOBAL;
    STEP(gc_thread_exchange_capture_mode(&mode));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(same));
}

/* What a capture records is put into the graph of a node at the end, edges that carry something and edges that do not as well. Where
 * a call fails, the graph is as it was. */
static void capture_within_a_node(struct program *it) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 1, 4, 1, 1, 0);
    uint32_t value = 1;
    uint64_t words = 1;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(it->buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(words)};
    gc_launch_attribute early;
    gc_graph *graph = NULL, *child = NULL, *within = NULL, *same = NULL;
    gc_node first = 0, node = 0;
    size_t count = 0;
    if (!is_new)
        return;
    it->given++;
    gc_launch_attribute_init_number(&early, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &child));
    STEP(gc_graph_add_memset_node(child, NULL, 0, &set, &first));
    STEP(gc_graph_add_child_node(graph, NULL, 0, child, &node));
    STEP(gc_node_get_graph(graph, node, 0, &within));
    STEP(gc_stream_begin_capture_to_graph(it->side, within, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_launch_kernel(it->side, it->add, &config, arguments, 3));
    config.attributes = &early;
    config.attribute_count = 1;
    STEP(gc_stream_launch_kernel(it->side, it->add, &config, arguments, 3));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 0, 4, 4));
    STEP(gc_stream_launch_host_func(it->side, be_called, it, be_destroyed));
    STEP(gc_stream_end_capture(it->side, &same));
    if (same == NULL && within != NULL) {
        CHECK_OK(gc_graph_get_nodes(within, NULL, 0, &count));
        CHECK(count == (first != 0));
    }
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(same));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What is put into such a capture by hand comes to the graph of the node at the end, too. */
static void nest_within_a_capture(struct program *it) {
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(it->copy, 0, 1, 4, 1, 1, 0);
    gc_graph *graph = NULL, *child = NULL, *body = NULL, *same = NULL;
    gc_condition outer = 0, inner = 0;
    gc_node first = 0, node = 0, put = 0;
    if (!is_new)
        return;
    it->given++;
    STEP(gc_graph_create(it->context, &graph));
    STEP(gc_graph_create(it->context, &child));
    STEP(gc_graph_add_memset_node(child, NULL, 0, &set, &first));
    STEP(gc_graph_add_host_node(child, &first, 1, be_called, it, be_destroyed, &node));
    STEP(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &outer));
    STEP(gc_graph_add_conditional_node(graph, NULL, 0, outer, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    STEP(gc_node_get_graph(graph, node, 0, &body));
    STEP(gc_graph_create_condition(body, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &inner));
    STEP(gc_stream_begin_capture_to_graph(it->side, body, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 0, 4, 4));
    STEP(gc_stream_capture_child_node(it->side, child, &put));
    STEP(gc_stream_capture_conditional_node(it->side, inner, GRAPHCAP_CONDITIONAL_IF, 1, &put));
    STEP(gc_stream_memset(it->side, it->buffer, 0, 1, 4, 4));
    STEP(gc_stream_end_capture(it->side, &same));
    CHECK_OK(gc_graph_destroy(body));
    CHECK_OK(gc_graph_destroy(same));
    CHECK_OK(gc_graph_destroy(child));
    CHECK_OK(gc_graph_destroy(graph));
}

/* The same by a capture object, which is dropped or ended, and by a function. */
static gc_status submit_memset(const gc_stream *stream, void *user_data) {
    const struct program *it = (const struct program *)user_data;
    return gc_stream_memset(stream, it->buffer, 0, 1, 1, 4);
}

static void capture_by_objects(struct program *it) {
    struct work work;
    const gc_module *modules[1];
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    int end;
    work_fill(&work, it, 1, 0);
    modules[0] = it->module;
    options.modules = modules;
    options.module_count = 1;
    for (end = 0; end < 2; end++) {
        gc_capture *recording = NULL;
        gc_graph *graph = NULL;
        int32_t active;
        STEP(gc_capture_begin(it->side, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &recording));
        STEP(gc_capture_record_kernel(recording, "add", &work.config, work.arguments, 3));
        STEP(gc_capture_record_memcpy(recording, &work.copy));
        STEP(gc_capture_record_memset(recording, it->buffer, 0, 1, 1, 4));
        STEP(gc_capture_is_active(recording, &active));
        if (end)
            STEP(gc_capture_end(recording, &graph));
        CHECK_OK(gc_capture_destroy(recording));
        CHECK_OK(gc_graph_destroy(graph));
        graph = NULL;
        STEP(gc_stream_capture(it->side, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, submit_memset, it, NULL, &graph));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void use_captures(struct program *it) {
    build_within_a_capture(it);
    capture_into_a_graph(it);
    capture_within_a_node(it);
    nest_within_a_capture(it);
    capture_by_objects(it);
}

int main(void) {
    static const struct subject captures = {make_objects, use_captures, give_back, 80, 250};
    return fail_calls_of(&captures);
}
