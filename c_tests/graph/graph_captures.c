/* Holds the device that is tested against what NVIDIA's driver was measured to answer about captures into graphs of the caller's,
 * and about the nodes that a capture goes on from. */
#include "works.h"

static gc_status begin_into(const gc_stream *stream, const gc_graph *graph, const gc_node *nodes, size_t count) {
    return gc_stream_begin_capture_to_graph((gc_stream *)stream, graph, nodes, count, GRAPHCAP_CAPTURE_MODE_RELAXED);
}

/* word[0] += number */
static gc_status add_on(const gc_stream *stream, uint32_t number) {
    return launch_add(&bed.rig, stream, bed.target, 0, number, 1);
}

/* The node that the stream recorded last. */
static gc_node last_on(const gc_stream *stream) {
    gc_node node = 0;
    size_t count = 0;
    CHECK_OK(gc_stream_capture_frontier(stream, &node, 1, &count));
    CHECK(count == 1);
    return node;
}

/* Ends the capture of the rig's stream. */
static gc_status end(gc_graph **graph) {
    return gc_stream_end_capture(bed.rig.stream, graph);
}

/* "edges=x>y,y>new", by the letters of nodes in the order in which they were made. */
static void answer_edges(const gc_graph *graph, const char *letters) {
    gc_node nodes[8], from[8], to[8];
    gc_edge_data data[8];
    size_t count = 0, edges = 0, a, b, i;
    char text[64] = "";
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 8, &count));
    CHECK(count == strlen(letters));
    CHECK_OK(gc_graph_get_edges(graph, from, to, data, 8, &edges));
    for (a = 0; a < count; a++)
        for (b = 0; b < count; b++)
            for (i = 0; i < edges; i++)
                if (from[i] == nodes[a] && to[i] == nodes[b])
                    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%c>%c", text[0] != '\0' ? "," : "", letters[a],
                             letters[b]);
    answer("edges=%s", text);
}

/* ---- capture_to.*: where a capture into a graph begins ---- */

static void capture_to_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *other = open_graph(bed.rig.context), *ended = NULL;
    gc_graph_exec *exec = NULL;
    gc_node x = adds(graph, NULL, 0, 0, 1), y = adds(graph, &x, 1, 0, 2), from[2];
    /* What nothing orders may not add to one word. */
    const unsigned own_word = is(name, "no_deps");
    size_t count = own_word ? 0 : is(name, "both_deps") || is(name, "duplicate_deps") ? 2 : 1;
    gc_status begun;
    from[0] = is(name, "both_deps") ? x : y;
    from[1] = y;
    if (is(name, "foreign_dep"))
        from[0] = adds(other, NULL, 0, 0, 1);
    if (is(name, "null_dep"))
        from[0] = 0;
    begun = is(name, "graph_null") ? begin_into(bed.rig.stream, NULL, from, count)
            : is(name, "mode_9")
                ? gc_stream_begin_capture_to_graph(bed.rig.stream, graph, from, count, (gc_capture_mode)9)
                : begin_into(bed.rig.stream, graph, is(name, "null_array_count1") ? NULL : from, count);
    answer("begin=%d", (int)begun);
    if (is(name, "dep_destroyed_midway"))
        answer("destroy_dep=%d", (int)gc_graph_remove_node(graph, y));
    answer("launch=%d", (int)launch_add(&bed.rig, bed.rig.stream, bed.target, own_word * sizeof(uint32_t), 30, 1));
    answer("end=%d", (int)end(&ended));
    CHECK_OK(gc_stream_synchronize(bed.rig.stream));
    answer_edges(graph, begun == GRAPHCAP_SUCCESS ? "xyn" : "xy");
    answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &exec));
    if (exec != NULL) {
        clear_words(&bed.rig, bed.target);
        replay(&bed.rig, exec);
        answer("val=%u", word_of(bed.target, 0) + word_of(bed.target, 1));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

/* ---- update_deps.*: from which nodes a capture goes on ---- */

static void update_deps_row(const char *name) {
    const gc_edge_data programmatic = {GRAPHCAP_PORT_PROGRAMMATIC, 0, GRAPHCAP_EDGE_TYPE_PROGRAMMATIC, {0, 0, 0, 0, 0}};
    const int is_memset = is(name, "programmatic_from_memset");
    const uint32_t how = is(name, "add_one")  ? GRAPHCAP_CAPTURE_DEPENDENCIES_ADD
                         : is(name, "flag_2") ? 2
                                              : GRAPHCAP_CAPTURE_DEPENDENCIES_SET;
    gc_graph *graph = NULL, *other = open_graph(bed.rig.context), *ended = NULL;
    gc_node current, x, used, listed[4], foreign = adds(other, NULL, 0, 0, 1);
    gc_stream *stream = bed.rig.stream;
    size_t count = 0;
    if (is(name, "destroyed_stream_state_none")) {
        answer("update=%d", (int)gc_stream_update_capture_dependencies(stream, NULL, NULL, 0, how));
        CHECK_OK(gc_graph_destroy(other));
        return;
    }
    CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(is_memset ? gc_stream_memset(stream, bed.target, 0, 1, 4, 1) : add_on(stream, 1));
    current = last_on(stream);
    CHECK_OK(gc_stream_capture_graph(stream, &graph));
    x = adds(graph, NULL, 0, 1, 1);
    used = is(name, "foreign_node") ? foreign : is(name, "null_node") ? 0 : is(name, "edge_data_port1") || is_memset ? current : x;
    if (is(name, "edge_data_port1") || is_memset)
        answer("update=%d", (int)gc_stream_update_capture_dependencies(stream, &used, &programmatic, 1, how));
    else if (is(name, "set_none"))
        answer("update=%d", (int)gc_stream_update_capture_dependencies(stream, NULL, NULL, 0, how));
    else
        answer("update=%d",
               (int)gc_stream_update_capture_dependencies(stream, is(name, "null_array_count1") ? NULL : &used, NULL, 1, how));
    answer("info=%d", (int)gc_stream_capture_frontier(stream, listed, 4, &count));
    answer("launch=%d", (int)add_on(stream, 1));
    answer("end=%d", (int)end(&ended));
    answer_edges(ended, "cxn");
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(other));
}

/* ---- capture.*: several captures, and captures that fail ---- */

static int nodes_or_gone(const gc_graph *graph) {
    size_t count = 0;
    const gc_status status = gc_graph_node_count(graph, &count);
    return status == GRAPHCAP_SUCCESS ? (int)count : -(int)status;
}

static void several_row(const char *name) {
    const int is_second = is(name, "into_graph_being_captured");
    gc_graph *graph = open_graph(bed.rig.context), *going = NULL, *ended = NULL, *none = NULL;
    gc_stream *second = open_stream(bed.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    if (is_second) {
        CHECK_OK(gc_stream_begin_capture(bed.rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(add_on(bed.rig.stream, 1));
        CHECK_OK(gc_stream_capture_graph(bed.rig.stream, &going));
    } else {
        answer("begin1=%d", (int)begin_into(bed.rig.stream, graph, NULL, 0));
        CHECK_OK(add_on(bed.rig.stream, 1));
    }
    answer("begin2=%d", (int)begin_into(second, is_second ? going : graph, NULL, 0));
    answer("end2=%d", (int)gc_stream_end_capture(second, &none));
    answer("end1=%d", (int)end(&ended));
    answer("nodes=%d", nodes_or_gone(ended));
    if (!is_second)
        run_and_answer(graph, 1);
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(going));
    CHECK_OK(gc_stream_destroy(second));
    CHECK_OK(gc_graph_destroy(graph));
}

static void failing_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *ended = NULL;
    gc_graph_exec *exec = NULL, *none = NULL;
    gc_stream *stream = open_stream(bed.rig.context, GRAPHCAP_STREAM_NON_BLOCKING),
              *side = open_stream(bed.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(bed.rig.context);
    gc_node node = 0;
    if (is(name, "to_graph_exec_survives_failed_capture")) {
        stores(graph, NULL, 0, 0, 7);
        exec = open_exec(graph);
    }
    CHECK_OK(begin_into(stream, graph, NULL, 0));
    if (is(name, "to_graph_bad_launch")) {
        const uint32_t number = 1;
        const uint64_t words = 1;
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(bed.target), GRAPHCAP_ARG_INIT_VALUE(number),
                                     GRAPHCAP_ARG_INIT_VALUE(words)};
        answer("launch=%d", (int)launch(stream, bed.rig.add, 0, 1, arguments, 3));
    } else {
        CHECK_OK(add_on(stream, 1));
        if (is(name, "to_graph_unjoined")) {
            CHECK_OK(gc_event_record(event, stream, 0));
            CHECK_OK(gc_stream_wait_event(side, event, 0));
            CHECK_OK(add_on(side, 1));
        } else if (!is(name, "to_graph_stream_destroyed")) {
            answer("violation=%d", (int)gc_stream_synchronize(stream));
        }
    }
    if (is(name, "to_graph_before_end_after_invalidation"))
        answer("nodes_before_end=%d", nodes_or_gone(graph));
    if (is(name, "to_graph_stream_destroyed")) {
        answer("destroy_stream=%d", (int)gc_stream_destroy(stream));
        stream = NULL;
    } else {
        answer("end=%d", (int)gc_stream_end_capture(stream, &ended));
    }
    if (exec != NULL) {
        bed_clear();
        replay(&bed.rig, exec);
        answer_words(1);
    } else {
        answer("nodes=%d", nodes_or_gone(graph));
    }
    if (is(name, "to_graph_invalidated_keeps_nodes")) {
        answer("inst=%d", (int)gc_graph_instantiate(graph, NULL, &none));
        answer("add_after=%d", (int)gc_graph_add_empty_node(graph, NULL, 0, &node));
    }
    if (is(name, "to_graph_before_end_after_invalidation")) {
        answer("destroy=%d", (int)gc_graph_destroy(graph));
        graph = NULL;
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(side));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Adds 1 to a word, by a launch with an attribute. */
static gc_status launch_with(const gc_launch_attribute *attribute) {
    const uint32_t number = 1;
    const uint64_t words = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(bed.target), GRAPHCAP_ARG_INIT_VALUE(number),
                                 GRAPHCAP_ARG_INIT_VALUE(words)};
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    config.attributes = attribute;
    config.attribute_count = 1;
    return gc_stream_launch_kernel(bed.rig.stream, bed.rig.add, &config, arguments, 3);
}

/* A kernel that records a programmatic event, and one on another stream that waits for it. */
static void event_info_row(const char *name) {
    gc_event_options options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_event *event = NULL, *back = open_event(bed.rig.context);
    int begun;
    (void)name;
    options.flags = GRAPHCAP_EVENT_DISABLE_TIMING;
    REQUIRE_OK(gc_event_create(bed.rig.context, &options, &event));
    for (begun = 0; begun < 2; begun++) {
        gc_stream *side = open_stream(bed.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        gc_launch_attribute attribute;
        gc_graph *ended = NULL;
        gc_node from = 0, to = 0;
        gc_edge_data data = {0, 0, 0, {0, 0, 0, 0, 0}};
        size_t count = 0;
        gc_launch_attribute_init_number(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT, 0);
        attribute.value.event.event = event;
        attribute.value.event.trigger_at_block_start = begun;
        CHECK_OK(gc_stream_begin_capture(bed.rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(launch_with(&attribute));
        CHECK_OK(gc_stream_wait_event(side, event, 0));
        CHECK_OK(add_on(side, 1));
        CHECK_OK(gc_event_record(back, side, 0));
        CHECK_OK(gc_stream_wait_event(bed.rig.stream, back, 0));
        CHECK_OK(end(&ended));
        CHECK_OK(gc_graph_get_edges(ended, &from, &to, &data, 1, &count));
        answer(begun ? "begun=%u.%u.%u" : "data=%u.%u.%u", data.from_port, data.to_port, data.edge_type);
        answer("edges_nodata=%d", (int)gc_graph_get_edges(ended, &from, &to, NULL, 1, &count));
        run_graph(&bed.rig, ended);
        CHECK_OK(gc_graph_destroy(ended));
        CHECK_OK(gc_stream_destroy(side));
    }
    CHECK_OK(gc_event_destroy(back));
    CHECK_OK(gc_event_destroy(event));
}

static void going_row(const char *name) {
    gc_graph *graph = open_graph(bed.rig.context), *going = NULL, *ended = NULL;
    gc_graph_exec *exec = NULL;
    gc_event *event = open_event(bed.rig.context), *found = NULL;
    gc_node node = 0, nodes[4], from = 0, to = 0;
    gc_edge_data data = {0, 0, 0, {0, 0, 0, 0, 0}};
    size_t count = 0;
    if (is(name, "to_graph_destroyed_midway")) {
        CHECK_OK(begin_into(bed.rig.stream, graph, NULL, 0));
        answer("destroy=%d", (int)gc_graph_destroy(graph));
        graph = NULL;
        answer("status=%d", (int)capture_state(bed.rig.stream));
        answer("launch=%d", (int)add_on(bed.rig.stream, 1));
        answer("end=%d", (int)end(&ended));
    } else if (is(name, "graph_reused_after_end")) {
        const char *const turns[] = {"begin", "begin_again"};
        unsigned turn;
        for (turn = 0; turn < 2; turn++) {
            answer("%s=%d", turns[turn], (int)begin_into(bed.rig.stream, graph, NULL, 0));
            CHECK_OK(launch_add(&bed.rig, bed.rig.stream, bed.target, 4 * turn, turn + 1, 1));
            answer("end=%d", (int)end(&ended));
            CHECK_OK(gc_graph_destroy(ended));
            ended = NULL;
            if (turn == 0)
                adds(graph, NULL, 0, 2, 3);
        }
        answer("nodes=%d", nodes_or_gone(graph));
        run_and_answer(graph, 2);
    } else {
        CHECK_OK(gc_stream_begin_capture(bed.rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        if (is(name, "graph_destroyed_midway")) {
            CHECK_OK(add_on(bed.rig.stream, 1));
            CHECK_OK(gc_stream_capture_graph(bed.rig.stream, &going));
            answer("destroy=%d", (int)gc_graph_destroy(going));
            going = NULL;
            answer("status=%d", (int)capture_state(bed.rig.stream));
            answer("end=%d", (int)end(&ended));
        } else if (is(name, "add_child_and_update_deps")) {
            CHECK_OK(add_on(bed.rig.stream, 1));
            node = last_on(bed.rig.stream);
            CHECK_OK(gc_stream_capture_graph(bed.rig.stream, &going));
            from = adds(graph, NULL, 0, 0, 2);
            answer("add=%d", (int)gc_graph_add_child_node(going, &node, 1, graph, &to));
            answer("update=%d", (int)gc_stream_update_capture_dependencies(bed.rig.stream, &to, NULL, 1, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
            CHECK_OK(add_on(bed.rig.stream, 30));
            answer("end=%d", (int)end(&ended));
            answer("nodes=%d", nodes_or_gone(ended));
            answer_edges(ended, "abc");
            run_and_answer(ended, 1);
        } else if (is(name, "launch_graph")) {
            CHECK_OK(gc_stream_begin_capture(bed.other.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(gc_stream_end_capture(bed.other.stream, &going));
            CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
            answer("launch=%d", (int)gc_graph_launch(exec, bed.rig.stream));
            answer("status=%d", (int)capture_state(bed.rig.stream));
            answer("end=%d", (int)end(&ended));
        } else if (is(name, "external_events")) {
            answer("record=%d", (int)gc_event_record(event, bed.rig.stream, GRAPHCAP_EVENT_RECORD_EXTERNAL));
            answer("wait=%d", (int)gc_stream_wait_event(bed.rig.stream, event, GRAPHCAP_EVENT_WAIT_EXTERNAL));
            answer("end=%d", (int)end(&ended));
            CHECK_OK(gc_graph_get_nodes(ended, nodes, 4, &count));
            answer("nodes=%u", (unsigned)count);
            answer("get_record=%d", (int)gc_node_get_event(ended, nodes[0], &found));
            CHECK_OK(gc_event_destroy(found));
            answer("get_wait=%d", (int)gc_node_get_event(ended, nodes[1], &found));
            run_graph(&bed.rig, ended);
            CHECK_OK(gc_event_synchronize(event));
        } else {
            gc_launch_attribute programmatic;
            gc_launch_attribute_init_number(&programmatic, GRAPHCAP_LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION, 1);
            CHECK_OK(add_on(bed.rig.stream, 1));
            answer("launch_pss=%d", (int)launch_with(&programmatic));
            answer("end=%d", (int)end(&ended));
            answer("edges=%d", (int)gc_graph_get_edges(ended, &from, &to, &data, 1, &count));
            answer("data=%u.%u.%u", data.from_port, data.to_port, data.edge_type);
            answer("edges_nodata=%d", (int)gc_graph_get_edges(ended, &from, &to, NULL, 1, &count));
            answer("inst=%d", (int)gc_graph_instantiate(ended, NULL, &exec));
            replay(&bed.rig, exec);
        }
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_event_destroy(found));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_graph_destroy(ended));
    CHECK_OK(gc_graph_destroy(going));
    CHECK_OK(gc_graph_destroy(graph));
}

#define ALIKE NULL, NULL, NULL
#define BEGUN(edges) "begin=0 launch=0 end=0 edges=" edges " inst=0 val=33"
#define NOT_BEGUN "begin=1 launch=0 end=401 edges=x>y inst=0 val=3"
#define UPDATED(code, edges) "update=" code " info=0 launch=0 end=0 edges=" edges
#define KEEPS_GRAPH "the handle ends; the graph lives as long as the capture"
#define GRAPH_IS_LOST "the handle stays, and tells that the graph is lost"

static const struct row rows[] = {
    {"capture_to.dep_last", capture_to_row, BEGUN("x>y,y>n"), ALIKE},
    {"capture_to.no_deps", capture_to_row, BEGUN("x>y"), ALIKE},
    {"capture_to.both_deps", capture_to_row, BEGUN("x>y,x>n,y>n"), ALIKE},
    {"capture_to.duplicate_deps", capture_to_row, BEGUN("x>y,y>n"), ALIKE},
    {"capture_to.foreign_dep", capture_to_row, NOT_BEGUN, ALIKE},
    {"capture_to.null_dep", capture_to_row, NOT_BEGUN, ALIKE},
    {"capture_to.null_array_count1", capture_to_row, NOT_BEGUN, ALIKE},
    {"capture_to.graph_null", capture_to_row, NOT_BEGUN, "begin=400 launch=0 end=401 edges=x>y inst=0 val=3", STALE, NULL},
    {"capture_to.mode_9", capture_to_row, NOT_BEGUN, ALIKE},
    {"capture_to.dep_destroyed_midway", capture_to_row, "begin=0 destroy_dep=401 launch=0 end=0 edges=x>y,y>n inst=0 val=33", ALIKE},

    {"update_deps.set_one", update_deps_row, UPDATED("0", "x>n"), ALIKE},
    {"update_deps.add_one", update_deps_row, UPDATED("0", "c>n,x>n"), ALIKE},
    {"update_deps.set_none", update_deps_row, UPDATED("0", ""), ALIKE},
    {"update_deps.flag_2", update_deps_row, UPDATED("1", "c>n"), ALIKE},
    {"update_deps.foreign_node", update_deps_row, UPDATED("1", "c>n"), ALIKE},
    {"update_deps.null_node", update_deps_row, UPDATED("1", "c>n"), ALIKE},
    {"update_deps.null_array_count1", update_deps_row, UPDATED("1", "c>n"), ALIKE},
    {"update_deps.edge_data_port1", update_deps_row, "update=0 info=402 launch=0 end=0 edges=c>n",
     UPDATED("0", "c>n"), "the frontier lists nodes; what leads from them is no part of it", NULL},
    {"update_deps.destroyed_stream_state_none", update_deps_row, "update=401", ALIKE},
    {"update_deps.programmatic_from_memset", update_deps_row, UPDATED("1", "c>n"), ALIKE},

    {"capture.two_streams_into_one_graph", several_row, "begin1=0 begin2=401 end2=401 end1=0 nodes=1 inst=0 val=1", ALIKE},
    {"capture.into_graph_being_captured", several_row, "begin2=401 end2=401 end1=0 nodes=1", ALIKE},
    {"capture.to_graph_invalidated_keeps_nodes", failing_row, "violation=900 end=901 nodes=-1 inst=1 add_after=1", ALIKE},
    {"capture.to_graph_bad_launch", failing_row, "launch=1 end=901 nodes=-1", ALIKE},
    {"capture.to_graph_before_end_after_invalidation", failing_row, "violation=900 nodes_before_end=1 end=901 nodes=-1 destroy=1",
     "violation=900 nodes_before_end=1 end=901 nodes=-1 destroy=0", GRAPH_IS_LOST, NULL},
    {"capture.to_graph_exec_survives_failed_capture", failing_row, "violation=900 end=901 val=7", ALIKE},
    {"capture.to_graph_stream_destroyed", failing_row, "destroy_stream=0 nodes=-1", "destroy_stream=0 nodes=1",
     "graphcap ends the capture before the stream goes", NULL},
    {"capture.to_graph_unjoined", failing_row, "end=904 nodes=-1", ALIKE},
    {"capture.to_graph_destroyed_midway", going_row, "destroy=401 status=1 launch=0 end=0", "destroy=0 status=1 launch=0 end=0",
     KEEPS_GRAPH, NULL},
    {"capture.graph_destroyed_midway", going_row, "destroy=401 status=1 end=0", "destroy=0 status=1 end=0", KEEPS_GRAPH, NULL},
    {"capture.add_child_and_update_deps", going_row, "add=0 update=0 end=0 nodes=3 edges=a>b,b>c inst=0 val=33", ALIKE},
    {"capture.launch_graph", going_row, "launch=900 status=2 end=901", ALIKE},
    {"capture.external_events", going_row, "record=0 wait=0 end=0 nodes=2 get_record=0 get_wait=0", ALIKE},
    {"capture.programmatic_launch", going_row, "launch_pss=0 end=0 edges=0 data=1.0.1 edges_nodata=402 inst=0", ALIKE},
    {"capture.programmatic_event_info", event_info_row, "data=1.0.1 edges_nodata=402 begun=2.0.1 edges_nodata=402", ALIKE},
    {"capture.graph_reused_after_end", going_row, "begin=0 end=0 begin_again=0 end=0 nodes=3 inst=0 val=1,2", ALIKE},
};

static void rows_answer_as_measured(void) {
    try_rows(rows, LENGTH_OF(rows));
    tell_counts();
    CHECK(tried == LENGTH_OF(rows));
}

int main(void) {
    bed_open();
    RUN(rows_answer_as_measured);
    bed_close();
    return check_finish();
}
