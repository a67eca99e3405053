/* Names: of objects, of nodes, in clones and child graphs, and in messages. */
#include "nodes.h"

static struct rig rig;
static gc_buffer *buffer;

static int is_named(const void *handle, const char *expected) {
    char text[64] = "?";
    size_t needed = 0;
    CHECK_OK(gc_get_name(handle, text, sizeof text, &needed));
    CHECK(needed == strlen(text) + 1);
    return strcmp(text, expected) == 0;
}

static int node_is_named(const gc_graph *graph, gc_node node, const char *expected) {
    char text[64] = "?";
    size_t needed = 0;
    CHECK_OK(gc_node_get_name(graph, node, text, sizeof text, &needed));
    CHECK(needed == strlen(text) + 1);
    return strcmp(text, expected) == 0;
}

static gc_node empty_node(const gc_graph *graph, const char *name) {
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    CHECK_OK(gc_node_set_name(graph, node, name));
    return node;
}

static void objects_keep_their_names(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_event *event = open_event(rig.context);
    gc_host_buffer *host = NULL;
    void *objects[5];
    char most[1026], text[1026];
    size_t i;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, 0, &host));
    memset(most, 'n', sizeof most);
    most[1025] = '\0';
    objects[0] = buffer;
    objects[1] = host;
    objects[2] = rig.stream;
    objects[3] = event;
    objects[4] = graph;
    for (i = 0; i < 5; i++) {
        CHECK(is_named(objects[i], ""));
        CHECK_OK(gc_set_name(objects[i], "first"));
        CHECK_MESSAGE(gc_set_name(objects[i], most), GRAPHCAP_ERROR_INVALID_VALUE, "1024");
        CHECK_MESSAGE(gc_set_name(objects[i], "\xff"), GRAPHCAP_ERROR_INVALID_VALUE, "UTF-8");
        CHECK(is_named(objects[i], "first"));
        CHECK_OK(gc_set_name(objects[i], most + 1));
        CHECK_OK(gc_get_name(objects[i], text, sizeof text, NULL));
        CHECK(strcmp(text, most + 1) == 0);
        CHECK_OK(gc_set_name(objects[i], "sl\xc3\xa4wchen \"2\""));
        CHECK_STATUS(gc_get_name(objects[i], text, 4, NULL), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
        CHECK(strcmp(text, "sl") == 0);
        CHECK(is_named(objects[i], "sl\xc3\xa4wchen \"2\""));
        CHECK_OK(gc_set_name(objects[i], i % 2 == 0 ? NULL : ""));
        CHECK(is_named(objects[i], ""));
    }
    CHECK(is_named(rig.add, "add"));
    CHECK_MESSAGE(gc_set_name(rig.add, "other"), GRAPHCAP_ERROR_NOT_SUPPORTED, "add");
    CHECK_OK(gc_host_buffer_destroy(host));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_graph_destroy(graph));
}

static void what_has_no_name_is_refused(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_graph_exec *exec = open_exec(graph);
    gc_stream *stream = NULL;
    char local = 0, text[16] = "full";
    const struct {
        const void *handle;
        const char *word;
    } wrong[] = {{NULL, "NULL"},          {&local, "never"},      {(const void *)(uintptr_t)0xc400000000000001u, "destroyed"},
                 {rig.context, "gc_context"}, {exec, "gc_graph_exec"}, {(const void *)UINTPTR_MAX, "never"}};
    size_t i;
    for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CHECK_MESSAGE(gc_set_name(wrong[i].handle, "name"), GRAPHCAP_ERROR_INVALID_HANDLE, wrong[i].word);
        memcpy(text, "full", 5);
        CHECK_MESSAGE(gc_get_name(wrong[i].handle, text, sizeof text, NULL), GRAPHCAP_ERROR_INVALID_HANDLE, wrong[i].word);
        CHECK(text[0] == '\0');
    }
    CHECK_MESSAGE(gc_set_name(exec, "name"), GRAPHCAP_ERROR_INVALID_HANDLE, "an event or a graph");
    CHECK_MESSAGE(gc_get_name(exec, text, sizeof text, NULL), GRAPHCAP_ERROR_INVALID_HANDLE, "a graph or a kernel");
    CHECK_OK(gc_context_legacy_stream(rig.context, &stream));
    CHECK_STATUS(gc_set_name(stream, "name"), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK(is_named(stream, ""));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_set_name(graph, "name"), GRAPHCAP_ERROR_INVALID_HANDLE);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* Of another handle too. */
static void handles_of_one_object_share_its_name(void) {
    gc_buffer *found = NULL;
    gc_host_buffer *none = NULL;
    uint64_t address = 0;
    CHECK_OK(gc_set_name(buffer, "words"));
    CHECK_OK(gc_buffer_address(buffer, &address));
    CHECK_OK(gc_context_find_buffer(rig.context, address, &found, &none, NULL));
    CHECK(found != NULL && is_named(found, "words"));
    CHECK_OK(gc_set_name(found, "other"));
    CHECK(is_named(buffer, "other"));
    CHECK_OK(gc_buffer_destroy(found));
    CHECK_OK(gc_set_name(buffer, NULL));
}

static void nodes_keep_their_names_and_kernels_give_theirs(void) {
    gc_graph *graph = open_graph(rig.context), *other = open_graph(rig.context);
    gc_node node = add_node(&rig, graph, NULL, 0, buffer, 0, 1), empty = empty_node(graph, "here");
    CHECK(node_is_named(graph, node, "add"));
    CHECK_OK(gc_node_set_name(graph, node, "step 1"));
    CHECK(node_is_named(graph, node, "step 1") && node_is_named(graph, empty, "here"));
    CHECK_OK(gc_node_set_name(graph, node, NULL));
    CHECK(node_is_named(graph, node, "add"));
    CHECK_OK(gc_node_set_name(graph, empty, ""));
    CHECK(node_is_named(graph, empty, ""));
    CHECK_STATUS(gc_node_set_name(graph, 0, "none"), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_set_name(other, node, "none"), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_node_set_name(graph, node, "\xff"), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_graph_remove_node(graph, empty));
    CHECK_STATUS(gc_node_set_name(graph, empty, "gone"), GRAPHCAP_ERROR_INVALID_VALUE);
    /* The driver gives a new node the handle of the removed one. */
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &empty));
    CHECK(node_is_named(graph, empty, ""));
    CHECK_OK(gc_graph_destroy(other));
    CHECK_OK(gc_graph_destroy(graph));
}

static void names_survive_clones_and_children(void) {
    gc_graph *inner = open_graph(rig.context), *graph = open_graph(rig.context), *clone = NULL, *within = NULL;
    gc_node deep = empty_node(inner, "deep"), removed = empty_node(graph, "removed"), child = 0, cloned = 0, node = 0;
    gc_node plain = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    CHECK_OK(gc_graph_add_child_node(graph, &plain, 1, inner, &child));
    CHECK_OK(gc_node_set_name(graph, child, "child"));
    CHECK_OK(gc_set_name(graph, "whole"));
    CHECK_OK(gc_graph_remove_node(graph, removed));
    REQUIRE_OK(gc_graph_clone(graph, &clone));
    /* What is renamed now is not renamed in the clone. */
    CHECK_OK(gc_node_set_name(graph, child, "renamed"));
    CHECK_OK(gc_node_set_name(inner, deep, "renamed"));
    CHECK(is_named(clone, "whole"));
    CHECK_OK(gc_node_find_in_clone(graph, child, clone, &cloned));
    CHECK(node_is_named(clone, cloned, "child"));
    CHECK_OK(gc_node_find_in_clone(graph, plain, clone, &node));
    CHECK(node_is_named(clone, node, "add"));
    CHECK_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_node_get_graph(clone, cloned, 0, &within));
    CHECK_OK(gc_graph_get_nodes(within, &node, 1, NULL));
    CHECK(node_is_named(within, node, "deep"));
    CHECK_STATUS(gc_set_name(within, "within"), GRAPHCAP_ERROR_NOT_SUPPORTED);
    CHECK_OK(gc_graph_destroy(within));
    CHECK_OK(gc_graph_destroy(clone));
    CHECK_OK(gc_graph_destroy(inner));
}

static void messages_tell_the_names(void) {
    gc_graph *graph = open_graph(rig.context);
    gc_node first = empty_node(graph, "first step"), second = empty_node(graph, "second step"), twice[2];
    gc_node kernel = add_node(&rig, graph, NULL, 0, buffer, 0, 1), node = 0;
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(buffer, 4, 0, 1, SIZE_MAX / 2, 1, 0);
    gc_memset_node_params params = {sizeof params, 0, 0, 0, 0, 0, 0, 0};
    twice[0] = twice[1] = second;
    CHECK_OK(gc_graph_add_dependencies(graph, &first, &second, NULL, 1));
    CHECK_MESSAGE(gc_graph_add_dependencies(graph, &first, &second, NULL, 1), GRAPHCAP_ERROR_INVALID_VALUE, "\"first step\"");
    CHECK_MESSAGE(gc_graph_add_dependencies(graph, &first, &second, NULL, 1), GRAPHCAP_ERROR_INVALID_VALUE, "\"second step\"");
    CHECK_MESSAGE(gc_graph_add_empty_node(graph, twice, 2, &node), GRAPHCAP_ERROR_INVALID_VALUE, "\"second step\"");
    CHECK_MESSAGE(gc_node_set_host(graph, first, count_call, NULL, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "\"first step\"");
    CHECK_MESSAGE(gc_node_get_memset_params(graph, kernel, &params), GRAPHCAP_ERROR_INVALID_VALUE, "\"add\"");
    CHECK_OK(gc_set_name(buffer, "weights"));
    CHECK_MESSAGE(gc_graph_add_memset_node(graph, NULL, 0, &set, &node), GRAPHCAP_ERROR_INVALID_VALUE, "\"weights\"");
    CHECK_OK(gc_set_name(buffer, NULL));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What cannot be launched is told with the names of the nodes that bar it, also of those of a graph within a node. */
static void a_graph_that_cannot_be_launched_tells_the_names(void) {
    gc_graph *graph = open_graph(rig.context), *parent = open_graph(rig.context);
    gc_graph_exec *exec = NULL;
    gc_node first = empty_node(graph, "first step"), second = empty_node(graph, "second step"), child = 0;
    CHECK_OK(gc_graph_add_dependencies(graph, &first, &second, NULL, 1));
    CHECK_OK(gc_graph_add_dependencies(graph, &second, &first, NULL, 1));
    CHECK_MESSAGE(gc_graph_instantiate(graph, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, " step\"");
    CHECK_OK(gc_graph_add_child_node(parent, NULL, 0, graph, &child));
    CHECK_OK(gc_node_set_name(parent, child, "whole"));
    CHECK_MESSAGE(gc_graph_instantiate(parent, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, on_cuda() ? "node" : " step\"");
    /* A node that was moved keeps its name. */
    CHECK_OK(gc_graph_remove_node(graph, first));
    first = empty_node(graph, "third step");
    CHECK_OK(gc_graph_add_dependencies(graph, &first, &second, NULL, 1));
    CHECK_OK(gc_graph_add_dependencies(graph, &second, &first, NULL, 1));
    CHECK_MESSAGE(gc_graph_instantiate(graph, NULL, &exec), GRAPHCAP_ERROR_INVALID_VALUE, on_cuda() ? " step\"" : "third step\"");
    CHECK_OK(gc_graph_destroy(parent));
    CHECK_OK(gc_graph_destroy(graph));
}

/* What broke a capture is told with the name of its stream. */
static void violations_tell_the_name_of_the_stream(void) {
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *graph = NULL;
    CHECK_OK(gc_set_name(stream, "training"));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_MESSAGE(gc_stream_end_capture(stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "\"training\"");
    CHECK_OK(gc_stream_destroy(stream));
}

/* The last message contains a text. */
static void check_told(const char *text) {
    char message[1024] = "";
    gc_last_error_message(message, sizeof message, NULL);
    if (strstr(message, text) == NULL)
        fprintf(stderr, "\"%s\" is not in: %s\n", text, message);
    CHECK(strstr(message, text) != NULL);
}

static void messages_of_captures_tell_the_names(void) {
    gc_stream *origin = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *forked = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *fork = open_event(rig.context), *before = open_event(rig.context);
    gc_graph *graph = NULL;
    CHECK_OK(gc_set_name(origin, "main stream"));
    CHECK_OK(gc_set_name(forked, "halo stream"));
    CHECK_OK(gc_set_name(fork, "halo fork"));
    CHECK_OK(gc_set_name(before, "last step"));
    CHECK_OK(gc_event_record(before, forked, 0));
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_event_record(fork, origin, 0));
    REQUIRE_OK(gc_stream_wait_event(forked, fork, 0));
    REQUIRE_OK(launch_add(&rig, forked, buffer, 0, 1, 1));
    CHECK_STATUS(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    check_told("\"halo stream\"");
    check_told("\"halo fork\"");
    REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_wait_event(origin, before, 0), GRAPHCAP_ERROR_CAPTURE_ISOLATION);
    check_told("\"last step\"");
    CHECK_STATUS(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    check_told("\"main stream\"");
    REQUIRE_OK(gc_stream_begin_capture(forked, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_synchronize(forked), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    check_told("\"halo stream\"");
    CHECK_STATUS(gc_stream_end_capture(forked, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_event_destroy(before));
    CHECK_OK(gc_event_destroy(fork));
    CHECK_OK(gc_stream_destroy(forked));
    CHECK_OK(gc_stream_destroy(origin));
}

/* The objects that a failed call was given, and the graph of an exec, also when that is gone. */
static void messages_name_what_a_call_was_given(void) {
    gc_graph *graph = open_graph(rig.context), *within = NULL;
    gc_node first = empty_node(graph, "first step"), second = add_node(&rig, graph, NULL, 0, buffer, 0, 1);
    gc_graph_exec_progress_info progress = GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT;
    gc_graph_exec *exec = NULL;
    gc_buffer *memory = NULL;
    size_t needed = 0;
    CHECK_OK(gc_set_name(graph, "time step"));
    CHECK_STATUS(gc_graph_remove_dependencies(graph, &first, &second, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    check_told("\"first step\"");
    CHECK_STATUS(gc_node_get_buffer(graph, first, &memory), GRAPHCAP_ERROR_INVALID_VALUE);
    check_told("\"first step\"");
    CHECK_STATUS(gc_node_get_containing_graph(graph, 77, &within), GRAPHCAP_ERROR_INVALID_VALUE);
    check_told("; the graph is \"time step\"");
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(gc_graph_exec_progress(exec, &progress, NULL, 0, &needed), GRAPHCAP_ERROR_NOT_FOUND);
    check_told("; the graph of the graph exec is \"time step\"");
    CHECK_STATUS(gc_graph_relaunch(exec), GRAPHCAP_ERROR_ILLEGAL_STATE);
    check_told("; the graph of the graph exec is \"time step\"");
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* The message of a launch without arguments, of a kernel with that name. */
static void refuse_a_launch_of(const char *name) {
    static const size_t sizes[] = {8, 8};
    gc_host_kernel description = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description module_of = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_kernel *kernel;
    description.name = name;
    description.function = kernel_nothing;
    description.parameter_sizes = sizes;
    description.parameter_count = 2;
    module_of.host_kernels = &description;
    module_of.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &module_of, &module));
    kernel = get_kernel(module, name);
    CHECK_STATUS(launch(rig.stream, kernel, 1, 1, NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

/* A long name leaves room for the reason, and one of C++ is told as in the source. */
static void names_of_kernels_can_be_read(void) {
    char name[1400];
    NOT_ON_CUDA("images have no such kernels");
    memset(name, 'x', sizeof name);
    memcpy(name, "step", 4);
    memcpy(name + sizeof name - 4, "end", 4);
    refuse_a_launch_of(name);
    check_told("\"stepxx");
    check_told("xxx...xxx");
    check_told("xxend\" takes 2 arguments and was given 0");
    refuse_a_launch_of("_ZN4flow4stepIfLi3EEEvPKT_i");
    check_told("\"flow::step<float, 3>(float const*, int)\"");
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(objects_keep_their_names);
    RUN(what_has_no_name_is_refused);
    RUN(handles_of_one_object_share_its_name);
    RUN(nodes_keep_their_names_and_kernels_give_theirs);
    RUN(names_survive_clones_and_children);
    RUN(messages_tell_the_names);
    RUN(a_graph_that_cannot_be_launched_tells_the_names);
    RUN(violations_tell_the_name_of_the_stream);
    RUN(messages_of_captures_tell_the_names);
    RUN(messages_name_what_a_call_was_given);
    RUN(names_of_kernels_can_be_read);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
