/* Nodes of several contexts in one graph, added and changed by hand: contexts of one device, which are one of the driver's, and of
 * two. What they do, what execs let be changed, what the graph keeps, and what its texts tell. */
#include "neighbours.h"
#include "nodes.h"

static uint32_t there(const struct pair *pair, unsigned index) {
    return read_u32(pair->other.stream, pair->there, index);
}

static uint32_t here(const struct pair *pair, unsigned index) {
    return read_u32(pair->home.stream, pair->here, index);
}

/* One node of each kind, with objects of the other context, in a graph of home. */
static void nodes_work_with_objects_of_other_contexts(void) {
    const uint32_t number = 5;
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph;
        gc_graph_exec *exec;
        gc_buffer *waitable;
        gc_node node, last = 0;
        uint32_t back = 0;
        pair_open(&pair, place);
        graph = open_graph(pair.home.context);
        waitable = open_waitable(pair.other.context, 64);
        {
            const gc_memset_params set = GRAPHCAP_MEMSET_INIT(pair.there, 0, 7, 4, 1, 1, 0);
            const gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(pair.there, 4, &number, 4);
            const gc_memcpy_params within = GRAPHCAP_MEMCPY_INIT_DTOD(pair.there, 8, pair.there, 0, 4);
            const gc_memcpy_params home = GRAPHCAP_MEMCPY_INIT_DTOD(pair.here, 0, pair.there, 12, 4);
            const gc_memcpy_params away = GRAPHCAP_MEMCPY_INIT_DTOD(pair.there, 16, pair.here, 0, 4);
            const gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(&back, pair.there, 16, 4);
            const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(waitable, 0, 9, 0);
            REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, &node, 1, &in, &last));
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &within, &node));
            last = add_node(&pair.other, graph, &node, 1, pair.there, 3, 11);
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &home, &node));
            /* A kernel of either context reaches the memory of the other one. */
            last = add_node(&pair.other, graph, &node, 1, pair.here, 0, 100);
            node = add_node(&pair.home, graph, &last, 1, pair.there, 5, 200);
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, &node, 1, &away, &last));
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, &last, 1, &out, &node));
            REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, &node, 1, &write, 1, &last));
            REQUIRE_OK(gc_graph_add_event_record_node(graph, &last, 1, pair.answer, &node));
            REQUIRE_OK(gc_graph_add_event_wait_node(graph, &node, 1, pair.answer, &last));
        }
        exec = open_exec(graph);
        CHECK_OK(gc_graph_launch(exec, pair.home.stream));
        CHECK_OK(gc_graph_launch(exec, pair.other.stream));
        CHECK_OK(gc_stream_synchronize(pair.other.stream));
        CHECK_OK(gc_stream_synchronize(pair.home.stream));
        CHECK(there(&pair, 0) == 7 && there(&pair, 1) == 5 && there(&pair, 2) == 7);
        CHECK(there(&pair, 3) == 22 && here(&pair, 0) == 122 && there(&pair, 4) == 122 && back == 122);
        CHECK(there(&pair, 5) == 400 && read_u32(pair.other.stream, waitable, 0) == 9);
        CHECK_OK(gc_event_synchronize(pair.answer));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(waitable));
        pair_close(&pair);
    }
}

/* Nodes of the graph take objects of any context; a node of an exec keeps its device. */
static void nodes_and_execs_take_other_contexts(void) {
    int place;
    for (place = 0; place < places(); place++) {
        const gc_status stays = place == SAME_DEVICE ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE;
        struct pair pair;
        struct kernel_call call;
        gc_graph *graph;
        gc_graph_exec *exec;
        gc_buffer *own, *waitable;
        gc_node kernel, set, copy, batch = 0, record = 0;
        uint32_t words[] = {21, 31};
        pair_open(&pair, place);
        graph = open_graph(pair.home.context);
        own = open_waitable(pair.home.context, 64);
        waitable = open_waitable(pair.other.context, 64);
        {
            const gc_memset_params before = GRAPHCAP_MEMSET_INIT(pair.here, 4, 7, 4, 1, 1, 0);
            const gc_memset_params after = GRAPHCAP_MEMSET_INIT(pair.there, 4, 8, 4, 1, 1, 0);
            const gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(pair.here, 8, &words[0], 4);
            const gc_memcpy_params other = GRAPHCAP_MEMCPY_INIT_HTOD(pair.there, 8, &words[1], 4);
            const gc_mem_op write = GRAPHCAP_MEM_OP_INIT_WRITE32(own, 0, 9, 0);
            const gc_mem_op write_there = GRAPHCAP_MEM_OP_INIT_WRITE32(waitable, 0, 10, 0);
            kernel = fill_node(&pair.home, graph, NULL, 0, pair.here, 0, 1);
            REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &before, &set));
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &in, &copy));
            REQUIRE_OK(gc_graph_add_batch_mem_op_node(graph, NULL, 0, &write, 1, &batch));
            REQUIRE_OK(gc_graph_add_event_record_node(graph, NULL, 0, pair.mark, &record));
            exec = open_exec(graph);
            CHECK_STATUS(exec_set_kernel(exec, kernel, call_fill(&call, &pair.other, pair.there, 0, 2)), stays);
            CHECK_STATUS(gc_graph_exec_set_memset_node(exec, set, &after), stays);
            CHECK_STATUS(gc_graph_exec_set_memcpy_node(exec, copy, &other), stays);
            CHECK_STATUS(gc_graph_exec_set_batch_mem_op_node(exec, batch, &write_there, 1), stays);
            CHECK_STATUS(gc_graph_exec_set_event_record_node(exec, record, pair.answer), stays);
            replay(&pair.home, exec);
            CHECK((stays == GRAPHCAP_SUCCESS ? there(&pair, 0) : here(&pair, 0) + 1) == 2);
            if (stays == GRAPHCAP_SUCCESS)
                CHECK(there(&pair, 1) == 8 && there(&pair, 2) == 31 && here(&pair, 1) == 0 && here(&pair, 2) == 0);
            else
                CHECK(there(&pair, 1) == 0 && there(&pair, 2) == 0 && here(&pair, 1) == 7 && here(&pair, 2) == 21);
            CHECK(read_u32(pair.other.stream, waitable, 0) == (place == SAME_DEVICE ? 10u : 0u));
            CHECK_OK(gc_graph_exec_destroy(exec));

            clear_words(&pair.other, pair.there);
            CHECK_OK(set_kernel(graph, kernel, call_fill(&call, &pair.other, pair.there, 0, 3)));
            CHECK_OK(gc_node_set_memset(graph, set, &after));
            CHECK_OK(gc_node_set_memcpy(graph, copy, &other));
            CHECK_OK(gc_node_set_batch_mem_op(graph, batch, &write_there, 1));
            CHECK_OK(gc_node_set_event_record(graph, record, pair.answer));
            run_graph(&pair.home, graph);
            CHECK(there(&pair, 0) == 3 && there(&pair, 1) == 8 && there(&pair, 2) == 31);
            CHECK(read_u32(pair.other.stream, waitable, 0) == 10);
            /* And back. */
            CHECK_OK(set_kernel(graph, kernel, call_fill(&call, &pair.home, pair.here, 0, 4)));
            CHECK_OK(gc_node_set_memset(graph, set, &before));
            CHECK_OK(gc_node_set_memcpy(graph, copy, &in));
            CHECK_OK(gc_node_set_batch_mem_op(graph, batch, &write, 1));
            CHECK_OK(gc_node_set_event_record(graph, record, pair.mark));
            run_graph(&pair.other, graph);
            CHECK(here(&pair, 0) == 4 && here(&pair, 1) == 7 && here(&pair, 2) == 21);
        }
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(waitable));
        CHECK_OK(gc_buffer_destroy(own));
        pair_close(&pair);
    }
}

/* The other context and what is of it go when the last of graph, exec and launches does. */
static void graphs_keep_other_contexts_for_their_nodes(void) {
    unsigned destroyed;
    int place, with_exec;
    for (place = 0; place < places(); place++)
        for (with_exec = 0; with_exec < 2; with_exec++) {
            struct pair pair;
            gc_graph *graph;
            gc_graph_exec *exec = NULL;
            gc_buffer *wrapped;
            uint64_t address = 0;
            gc_node node = 0;
            pair_open(&pair, place);
            destroyed = 0;
            /* A buffer of the other context by memory that stays. */
            CHECK_OK(gc_buffer_address(pair.here, &address));
            REQUIRE_OK(gc_buffer_wrap(pair.other.context, (void *)(uintptr_t)address, 64, &destroyed, count_call, &wrapped));
            graph = open_graph(pair.home.context);
            {
                const gc_memset_params set = GRAPHCAP_MEMSET_INIT(wrapped, 0, 6, 4, 1, 1, 0);
                REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
                fill_node(&pair.other, graph, NULL, 0, pair.there, 0, 1);
                REQUIRE_OK(gc_graph_add_event_record_node(graph, NULL, 0, pair.answer, &node));
            }
            CHECK_OK(gc_buffer_destroy(wrapped));
            pair_leave_other(&pair);
            CHECK(count_of(&destroyed) == 0);
            if (with_exec) {
                exec = open_exec(graph);
                CHECK_OK(gc_graph_destroy(graph));
                replay(&pair.home, exec);
                CHECK(here(&pair, 0) == 6 && count_of(&destroyed) == 0);
                CHECK_OK(gc_graph_exec_destroy(exec));
            } else {
                CHECK_OK(gc_graph_destroy(graph));
            }
            CHECK_OK(gc_context_synchronize(pair.home.context));
            CHECK(collect_until(pair.home.context, &destroyed, 1));
            pair_close(&pair);
        }
}

static void what_cannot_be_reached_is_refused(void) {
    int place;
    for (place = 0; place < places(); place++) {
        const int is_same = place == SAME_DEVICE;
        struct pair pair;
        struct kernel_call call;
        gc_graph *graph, *body = NULL;
        gc_graph_exec *exec = NULL;
        gc_buffer *own, *waitable;
        gc_condition condition = 0;
        gc_node node = 0;
        gc_mem_op operations[2];
        pair_open(&pair, place);
        graph = open_graph(pair.home.context);
        own = open_waitable(pair.home.context, 64);
        waitable = open_waitable(pair.other.context, 64);
        {
            const gc_mem_op one = GRAPHCAP_MEM_OP_INIT_WRITE32(own, 0, 9, 0);
            const gc_mem_op two = GRAPHCAP_MEM_OP_INIT_WRITE32(waitable, 0, 9, 0);
            operations[0] = one;
            operations[1] = two;
        }
        CHECK_STATUS(gc_graph_add_batch_mem_op_node(graph, NULL, 0, operations, 2, &node),
                     is_same ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_CONTEXT);
        /* Another device does not reach memory for value operations. */
        CHECK_STATUS(add_kernel(graph, NULL, 0, call_fill(&call, &pair.home, waitable, 1, 5), &node),
                     is_same ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_NOT_SUPPORTED);
        CHECK_OK(add_kernel(graph, NULL, 0, call_fill(&call, &pair.other, waitable, 2, 6), &node));
        run_graph(&pair.home, graph);
        CHECK(read_u32(pair.other.stream, waitable, 2) == 6 && read_u32(pair.other.stream, waitable, 1) == (is_same ? 5u : 0u));
        CHECK_OK(gc_graph_destroy(graph));
        /* A body has kernels of its graph's device alone, which is found when the graph is instantiated. */
        graph = open_graph(pair.home.context);
        REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &condition));
        REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, condition, GRAPHCAP_CONDITIONAL_IF, 1, &node));
        REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
        CHECK_OK(add_kernel(body, NULL, 0, call_fill(&call, &pair.other, pair.there, 0, 7), &node));
        CHECK_STATUS(gc_graph_instantiate(graph, NULL, &exec), is_same ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE);
        if (exec != NULL) {
            replay(&pair.home, exec);
            CHECK(there(&pair, 0) == 7);
            CHECK_OK(gc_graph_exec_destroy(exec));
        }
        CHECK_OK(gc_graph_destroy(body));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(waitable));
        CHECK_OK(gc_buffer_destroy(own));
        pair_close(&pair);
    }
}

/* A graph and the devices of another kind have nothing in common. */
static void objects_of_another_kind_of_device_are_refused(void) {
    struct rig home, other;
    struct kernel_call call;
    gc_graph *graph;
    gc_buffer *theirs;
    gc_event *event;
    gc_node node = 7;
    if (tested_device() == GRAPHCAP_DEVICE_HOST)
        return;
    rig_open(&home);
    rig_open_on(&other, GRAPHCAP_DEVICE_HOST, 0);
    graph = open_graph(home.context);
    theirs = open_buffer(other.context, 64);
    event = open_event(other.context);
    {
        const gc_memset_params set = GRAPHCAP_MEMSET_INIT(theirs, 0, 0, 4, 1, 1, 0);
        CHECK_MESSAGE(gc_graph_add_memset_node(graph, NULL, 0, &set, &node), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    }
    CHECK_MESSAGE(add_kernel(graph, NULL, 0, call_fill(&call, &other, theirs, 0, 1), &node), GRAPHCAP_ERROR_INVALID_CONTEXT,
                  "kind of device");
    CHECK_MESSAGE(add_kernel(graph, NULL, 0, call_fill(&call, &home, theirs, 0, 1), &node), GRAPHCAP_ERROR_INVALID_CONTEXT,
                  "kind of device");
    CHECK_MESSAGE(gc_graph_add_event_wait_node(graph, NULL, 0, event, &node), GRAPHCAP_ERROR_INVALID_CONTEXT, "kind of device");
    CHECK(node == 0 && nodes_of(graph) == 0);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(theirs));
    CHECK_OK(gc_graph_destroy(graph));
    rig_close(&other);
    rig_close(&home);
}

static void texts_tell_the_names_of_other_contexts_objects(void) {
    enum { ROOM = 65536 };
    static char text[ROOM];
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph;
        gc_node node = 0;
        pair_open(&pair, place);
        graph = open_graph(pair.home.context);
        CHECK_OK(gc_set_name(pair.there, "faraway"));
        {
            const gc_memset_params set = GRAPHCAP_MEMSET_INIT(pair.there, 8, 7, 4, 1, 1, 0);
            REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
        }
        CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, ROOM, NULL));
        CHECK(strstr(text, "faraway + 8") != NULL);
        CHECK_OK(gc_graph_export_json(graph, text, ROOM, NULL));
        CHECK(strstr(text, "\"faraway\"") != NULL);
        CHECK_OK(gc_graph_destroy(graph));
        pair_close(&pair);
    }
}

static void copies_between_contexts_are_read_back(void) {
    enum { ROOM = 65536 };
    static char text[ROOM];
    int place;
    for (place = 0; place < places(); place++) {
        struct pair pair;
        gc_graph *graph, *read = NULL;
        gc_node node = 0;
        size_t length = 0;
        pair_open(&pair, place);
        CHECK_OK(gc_set_name(pair.here, "near"));
        CHECK_OK(gc_set_name(pair.there, "faraway"));
        CHECK_OK(launch_add(&pair.other, pair.other.stream, pair.there, 0, 17, 1));
        CHECK_OK(gc_stream_synchronize(pair.other.stream));
        graph = open_graph(pair.home.context);
        {
            const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(pair.here, 4, pair.there, 0, 4);
            const gc_graph_binding bindings[] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "near", pair.here),
                                                 GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "faraway", pair.there)};
            REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node));
            CHECK_OK(gc_graph_export_json(graph, text, ROOM, &length));
            REQUIRE_OK(gc_graph_import_json(pair.home.context, text, strlen(text), bindings, 2, &read));
        }
        run_graph(&pair.home, read);
        CHECK(here(&pair, 1) == 17);
        CHECK_OK(gc_graph_destroy(read));
        CHECK_OK(gc_graph_destroy(graph));
        pair_close(&pair);
    }
}

/* Row `attr.copy` with a kernel of another context: contexts of one device are one of the driver's. */
static void attributes_are_not_copied_from_device_to_device(void) {
    int place;
    for (place = 0; place < places(); place++) {
        const gc_status expected = place == OTHER_DEVICE ? GRAPHCAP_ERROR_INVALID_VALUE : GRAPHCAP_SUCCESS;
        struct pair pair;
        gc_graph *graph;
        gc_node near_by, far;
        gc_launch_attribute priority;
        gc_launch_attribute_value value;
        pair_open(&pair, place);
        graph = open_graph(pair.home.context);
        near_by = add_node(&pair.home, graph, NULL, 0, pair.here, 0, 1);
        far = add_node(&pair.other, graph, NULL, 0, pair.there, 0, 1);
        gc_launch_attribute_init_number(&priority, GRAPHCAP_LAUNCH_ATTRIBUTE_PRIORITY, -3);
        CHECK_OK(gc_node_set_attribute(graph, near_by, priority.id, &priority.value));
        CHECK_STATUS(gc_node_copy_attributes(graph, far, graph, near_by), expected);
        CHECK_OK(gc_node_get_attribute(graph, far, priority.id, &value));
        CHECK(value.number == (place == OTHER_DEVICE ? 0 : -3));
        CHECK_OK(gc_graph_destroy(graph));
        pair_close(&pair);
    }
}

int main(void) {
    count_devices();
    RUN(attributes_are_not_copied_from_device_to_device);
    RUN(nodes_work_with_objects_of_other_contexts);
    RUN(nodes_and_execs_take_other_contexts);
    RUN(graphs_keep_other_contexts_for_their_nodes);
    RUN(what_cannot_be_reached_is_refused);
    RUN(objects_of_another_kind_of_device_are_refused);
    RUN(texts_tell_the_names_of_other_contexts_objects);
    RUN(copies_between_contexts_are_read_back);
    return check_finish();
}
