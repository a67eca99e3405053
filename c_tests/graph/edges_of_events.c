/* Edges of captures that lead from launches which record events. What waits for such an event need not wait for the whole kernel, and
 * the edge tells that. All answers are those of a driver (580, on an H200). */
#include "nodes.h"

enum { WORDS = 16 };

static struct rig rig;
static gc_buffer *buffer;
static gc_stream *second, *third;

/* A way to record an event by a launch, and what the edges from it carry. */
static const struct way {
    gc_launch_attribute_id id;
    int32_t trigger_at_block_start;
    uint8_t from_port, type;
} ways[] = {
    {GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 0, 1, 1},
    {GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 1, 2, 1},
    {GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT, 0, 2, 0},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Events of one capture. */
struct events {
    gc_event *launch, *fork, *join;
};

static gc_event *open_untimed(void) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event = NULL;
    options.flags = GRAPHCAP_EVENT_DISABLE_TIMING;
    REQUIRE_OK(gc_event_create(rig.context, &options, &event));
    return event;
}

static struct events begin(void) {
    struct events events;
    events.launch = open_untimed();
    events.fork = open_untimed();
    events.join = open_untimed();
    clear_words(&rig, buffer);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    return events;
}

/* Adds 1 to a word in a kernel with attributes. */
static void launch_with(const gc_stream *stream, const gc_launch_attribute *attributes, size_t count, unsigned index) {
    struct kernel_call call;
    call_add(&call, &rig, buffer, index, 1);
    call.config.attributes = attributes;
    call.config.attribute_count = count;
    CHECK_OK(gc_stream_launch_kernel(stream, call.kernel, &call.config, call.arguments, call.count));
}

static void launch_recording(const gc_stream *stream, const struct way *way, const gc_event *event, unsigned index) {
    gc_launch_attribute attribute;
    gc_launch_attribute_init_number(&attribute, way->id, 0);
    attribute.value.event.event = event;
    attribute.value.event.trigger_at_block_start = way->trigger_at_block_start;
    launch_with(stream, &attribute, 1, index);
}

/* Begins with a kernel that records an event, for which the second stream waits. */
static struct events begin_waiting(const struct way *way) {
    const struct events events = begin();
    launch_recording(rig.stream, way, events.launch, 0);
    CHECK_OK(gc_stream_wait_event(second, events.launch, 0));
    return events;
}

static void let_wait(const gc_stream *stream, const gc_stream *behind, const gc_event *event) {
    CHECK_OK(gc_event_record(event, behind, 0));
    CHECK_OK(gc_stream_wait_event(stream, event, 0));
}

/* Joins `last`, unless it is the stream that began, and ends. */
static gc_graph *end(struct events *events, const gc_stream *last) {
    gc_graph *graph = NULL;
    if (last != rig.stream)
        let_wait(rig.stream, last, events->join);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_event_destroy(events->launch));
    CHECK_OK(gc_event_destroy(events->fork));
    CHECK_OK(gc_event_destroy(events->join));
    return graph;
}

/* Whether the edge between two nodes, by their numbers, carries that, and lists without data are refused where it carries something. */
static int carries(const gc_graph *graph, unsigned from, unsigned to, uint8_t from_port, uint8_t type) {
    const gc_status plain = from_port == 0 ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_LOSSY_QUERY;
    gc_node nodes[4] = {0}, ends[2][4];
    gc_edge_data data = {0, 0, 0, {0, 0, 0, 0, 0}};
    size_t count = 0;
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 4, &count));
    CHECK(edge_between(graph, nodes[from], nodes[to], &data));
    CHECK_STATUS(gc_graph_get_edges(graph, ends[0], ends[1], NULL, 4, &count), plain);
    CHECK_STATUS(gc_node_get_dependencies(graph, nodes[to], ends[0], 4, &count), plain);
    CHECK_STATUS(gc_node_get_dependents(graph, nodes[from], ends[0], 4, &count), plain);
    return data.from_port == from_port && data.to_port == 0 && data.edge_type == type;
}

static void end_of(gc_graph *graph) {
    CHECK_OK(gc_graph_destroy(graph));
}

/* Row `capture.programmatic_event_info`. */
static void what_waits_for_the_event_may_begin_early(void) {
    unsigned i;
    for (i = 0; i < WAYS; i++) {
        struct events events = begin_waiting(&ways[i]);
        gc_graph *graph;
        launch_with(second, NULL, 0, 1);
        graph = end(&events, second);
        CHECK(nodes_of(graph) == 2 && edges_of(graph) == 1 && carries(graph, 0, 1, ways[i].from_port, ways[i].type));
        run_graph(&rig, graph);
        CHECK(read_u32(rig.stream, buffer, 0) == 1 && read_u32(rig.stream, buffer, 1) == 1);
        end_of(graph);
    }
}

/* An upload before the first launch, asked for and with the exec, of graphs that end with another node than a kernel. */
static void execs_are_uploaded(void) {
    unsigned i, with_exec;
    for (i = 0; i < WAYS; i++)
        for (with_exec = 0; with_exec < 2; with_exec++) {
            struct events events = begin_waiting(&ways[i]);
            gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
            gc_graph *graph;
            gc_graph_exec *exec = NULL;
            CHECK_OK(gc_stream_memset(second, buffer, 4, 7, 4, 1));
            graph = end(&events, second);
            options.flags = with_exec ? GRAPHCAP_INSTANTIATE_UPLOAD : 0;
            options.upload_stream = with_exec ? rig.stream : NULL;
            REQUIRE_OK(gc_graph_instantiate(graph, &options, &exec));
            CHECK_OK(gc_graph_upload(exec, rig.stream));
            replay(&rig, exec);
            CHECK(read_u32(rig.stream, buffer, 0) == 1 && read_u32(rig.stream, buffer, 1) == 7);
            CHECK_OK(gc_graph_exec_destroy(exec));
            end_of(graph);
        }
}

/* By hand no edge of that kind can be added to another node than a kernel. */
static void nodes_of_all_kinds_may_begin_early(void) {
    unsigned i;
    for (i = 0; i < WAYS; i++) {
        struct events events = begin_waiting(&ways[i]);
        gc_graph *graph, *clone = NULL;
        gc_graph_exec *exec;
        CHECK_OK(gc_stream_memset(second, buffer, 4, 7, 4, 1));
        graph = end(&events, second);
        CHECK(carries(graph, 0, 1, ways[i].from_port, ways[i].type));
        REQUIRE_OK(gc_graph_clone(graph, &clone));
        CHECK(carries(clone, 0, 1, ways[i].from_port, ways[i].type));
        exec = open_exec(graph);
        CHECK_OK(gc_graph_exec_update(exec, clone, 0, NULL));
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, buffer, 0) == 1 && read_u32(rig.stream, buffer, 1) == 7);
        CHECK_OK(gc_graph_exec_destroy(exec));
        end_of(clone);
        end_of(graph);
    }
}

/* The stream of the kernel waits for all of it, and so does what waits for a record behind the kernel as well. */
static void who_waits_for_the_kernel_too_waits_for_all_of_it(void) {
    enum { OWN_STREAM, BACK_AGAIN, RECORD_FIRST, RECORD_LAST, PLACES };
    unsigned i, place;
    for (i = 0; i < WAYS; i++)
        for (place = 0; place < PLACES; place++) {
            struct events events = begin();
            const gc_stream *last = place == OWN_STREAM || place == BACK_AGAIN ? rig.stream : second;
            gc_graph *graph;
            launch_recording(rig.stream, &ways[i], events.launch, 0);
            if (place == RECORD_FIRST)
                let_wait(second, rig.stream, events.fork);
            CHECK_OK(gc_stream_wait_event(place == OWN_STREAM ? rig.stream : second, events.launch, 0));
            if (place == RECORD_LAST)
                let_wait(second, rig.stream, events.fork);
            if (place == BACK_AGAIN)
                let_wait(rig.stream, second, events.fork);
            launch_with(last, NULL, 0, 1);
            graph = end(&events, last);
            CHECK(edges_of(graph) == 1 && carries(graph, 0, 1, 0, 0));
            end_of(graph);
        }
}

static void other_events_and_other_nodes_change_nothing(void) {
    unsigned i;
    for (i = 0; i < WAYS; i++) {
        struct events events = begin_waiting(&ways[i]);
        gc_graph *graph;
        /* By a record of the stream that waited. */
        let_wait(third, second, events.fork);
        launch_with(third, NULL, 0, 1);
        graph = end(&events, third);
        CHECK(edges_of(graph) == 1 && carries(graph, 0, 1, ways[i].from_port, ways[i].type));
        end_of(graph);
        /* Behind a node of the stream's own. */
        events = begin();
        let_wait(second, rig.stream, events.fork);
        launch_with(second, NULL, 0, 0);
        launch_recording(rig.stream, &ways[i], events.launch, 0);
        CHECK_OK(gc_stream_wait_event(second, events.launch, 0));
        launch_with(second, NULL, 0, 1);
        graph = end(&events, second);
        CHECK(edges_of(graph) == 2);
        {
            gc_node nodes[4] = {0};
            gc_edge_data data = {0, 0, 0, {0, 0, 0, 0, 0}};
            CHECK_OK(gc_graph_get_nodes(graph, nodes, 4, NULL));
            CHECK(edge_between(graph, nodes[0], nodes[2], &data));
            CHECK(data.from_port == 0 && data.edge_type == 0);
            CHECK(edge_between(graph, nodes[1], nodes[2], &data));
            CHECK(data.from_port == ways[i].from_port && data.edge_type == ways[i].type);
        }
        end_of(graph);
    }
}

/* Programmatic serialization says where in the kernel before; of the two events of a launch that one counts which comes last. */
static void one_edge_carries_one_thing(void) {
    unsigned i, order;
    for (i = 0; i < WAYS; i++) {
        struct events events = begin_waiting(&ways[i]);
        gc_launch_attribute serialized;
        gc_graph *graph;
        gc_launch_attribute_init_number(&serialized, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
        launch_with(second, &serialized, 1, 1);
        graph = end(&events, second);
        CHECK(carries(graph, 0, 1, 1, 1));
        end_of(graph);
    }
    for (order = 0; order < 2; order++) {
        struct events events = begin();
        gc_launch_attribute both[2];
        gc_graph *graph;
        for (i = 0; i < 2; i++) {
            gc_launch_attribute_init_number(&both[i], ways[2 * i].id, 0);
            both[i].value.event.event = i == 0 ? events.launch : events.fork;
        }
        launch_with(rig.stream, both, 2, 0);
        CHECK_OK(gc_stream_wait_event(second, order == 0 ? events.launch : events.fork, 0));
        CHECK_OK(gc_stream_wait_event(second, order == 0 ? events.fork : events.launch, 0));
        launch_with(second, NULL, 0, 1);
        graph = end(&events, second);
        CHECK(carries(graph, 0, 1, 1, 1));
        end_of(graph);
    }
}

static void a_capture_that_is_told_of_its_edges_does_the_same(void) {
    const gc_edge_data data = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    unsigned is_set;
    for (is_set = 0; is_set < 2; is_set++) {
        struct events events = begin();
        gc_node kernel = 0;
        gc_graph *graph;
        launch_with(rig.stream, NULL, 0, 0);
        CHECK_OK(gc_stream_capture_frontier(rig.stream, &kernel, 1, NULL));
        CHECK_OK(gc_stream_update_capture_dependencies(
            rig.stream, &kernel, &data, 1, is_set ? GRAPHCAP_CAPTURE_DEPENDENCIES_SET : GRAPHCAP_CAPTURE_DEPENDENCIES_ADD));
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 7, 4, 1));
        graph = end(&events, rig.stream);
        /* The stream waits for the kernel already where it is added. */
        CHECK(edges_of(graph) == 1 && carries(graph, 0, 1, is_set ? 1 : 0, is_set ? 1 : 0));
        end_of(graph);
    }
}

/* By hand, as a text is read, such an edge can only lead to a kernel. To another node it becomes one that waits for all of the kernel. */
static void texts_keep_what_can_be_added(void) {
    unsigned to_memset;
    for (to_memset = 0; to_memset < 2; to_memset++) {
        struct events events = begin_waiting(&ways[1]);
        const gc_graph_binding bindings[2] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_KERNEL, "add", rig.add),
                                              GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "words", buffer)};
        static char text[16384];
        gc_graph *graph, *read = NULL;
        if (to_memset)
            CHECK_OK(gc_stream_memset(second, buffer, 4, 1, 4, 1));
        else
            launch_with(second, NULL, 0, 1);
        graph = end(&events, second);
        REQUIRE_OK(gc_graph_export_json(graph, text, sizeof text, NULL));
        REQUIRE_OK(gc_graph_import_json(rig.context, text, strlen(text), bindings, 2, &read));
        CHECK(carries(read, 0, 1, to_memset ? 0 : 2, to_memset ? 0 : 1));
        run_graph(&rig, read);
        CHECK(read_u32(rig.stream, buffer, 0) == 1 && read_u32(rig.stream, buffer, 1) == 1);
        end_of(read);
        end_of(graph);
    }
}

/* A graph that allocates gives back no node that was added, so the edges are looked at before. */
static void a_refused_edge_leaves_no_node(void) {
    static const gc_edge_data good = {2, 0, 0, {0}}, wrong = {7, 0, 0, {0}};
    gc_edge_data data[2];
    gc_graph *graph = NULL;
    gc_buffer *memory = NULL;
    gc_node allocation, kernel, dependencies[2], node;
    gc_work work = GRAPHCAP_WORK_INIT;
    struct kernel_call call;
    size_t count = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, 64, &allocation, &memory));
    call_add(&call, &rig, buffer, 0, 1);
    work.kind = GRAPHCAP_WORK_KERNEL;
    work.kernel = call.kernel;
    work.config = &call.config;
    work.arguments = call.arguments;
    work.argument_count = call.count;
    REQUIRE_OK(gc_graph_add_node(graph, NULL, NULL, 0, &work, &kernel));

    CHECK_STATUS(gc_graph_add_node(graph, &kernel, &wrong, 1, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_graph_add_node(graph, &allocation, &good, 1, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    dependencies[0] = dependencies[1] = kernel;
    data[0] = data[1] = good;
    CHECK_STATUS(gc_graph_add_node(graph, dependencies, data, 2, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    dependencies[1] = 12345;
    CHECK_STATUS(gc_graph_add_node(graph, dependencies, data, 2, &work, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_node_count(graph, &count));
    CHECK(count == 2);
    CHECK_OK(gc_graph_add_node(graph, &kernel, &good, 1, &work, &node));
    CHECK_OK(gc_buffer_destroy(memory));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    CHECK_OK(gc_set_name(buffer, "words"));
    second = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    third = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    RUN(what_waits_for_the_event_may_begin_early);
    RUN(execs_are_uploaded);
    RUN(nodes_of_all_kinds_may_begin_early);
    RUN(who_waits_for_the_kernel_too_waits_for_all_of_it);
    RUN(other_events_and_other_nodes_change_nothing);
    RUN(one_edge_carries_one_thing);
    RUN(a_capture_that_is_told_of_its_edges_does_the_same);
    RUN(texts_keep_what_can_be_added);
    RUN(a_refused_edge_leaves_no_node);
    CHECK_OK(gc_stream_destroy(third));
    CHECK_OK(gc_stream_destroy(second));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
