/* Graphs: counts, DOT text, instantiation, and that a definition is independent of its execs. */
#include "kernels.h"

static struct rig rig;
static gc_buffer *buffer;

/* A diamond of an add, a memset and a copy on two branches, and a host function. */
static gc_graph *record_diamond(unsigned *calls) {
    gc_stream *side = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_event *event = open_event(rig.context);
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(side, event, 0));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 4, 7, 4, 1));
    CHECK_OK(gc_stream_memcpy_dtod(side, buffer, 8, buffer, 0, 4));
    CHECK_OK(gc_event_record(event, side, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, event, 0));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, calls, NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(side));
    return graph;
}

static unsigned occurrences(const char *text, const char *word) {
    unsigned count = 0;
    for (text = strstr(text, word); text != NULL; text = strstr(text + 1, word))
        count++;
    return count;
}

static void dot_text_is_well_formed(void) {
    unsigned calls = 0, lines = 0, edges = 0, quotes = 0;
    static char text[16384], verbose[16384];
    size_t needed = 0, again = 0, i;
    gc_graph *graph = record_diamond(&calls);
    const char *line;
    CHECK_OK(gc_graph_export_dot(graph, 0, NULL, 0, &needed));
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, &again));
    CHECK(needed == again && needed == strlen(text) + 1);
    CHECK(strncmp(text, "digraph", 7) == 0);
    CHECK(occurrences(text, "{") == occurrences(text, "}"));
    for (line = text; line != NULL && *line != '\0'; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t length = strcspn(line, "\n");
        char copy[512];
        CHECK(length < sizeof copy);
        if (length >= sizeof copy)
            break;
        memcpy(copy, line, length);
        copy[length] = '\0';
        if (strstr(copy, "->") != NULL)
            edges++;
        else if (strstr(copy, "label=") != NULL)
            lines++;
    }
    for (i = 0; text[i] != '\0'; i++)
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
            quotes++;
    CHECK(lines == 4 && edges == 4 && quotes % 2 == 0);
    CHECK(check_contains(text, "add") && check_contains(text, "memset") && check_contains(text, "memcpy") &&
          check_contains(text, "host"));
    CHECK(text[strlen(text) - 1] == '\n' && text[strlen(text) - 2] == '}');
    /* The same graph gives the same text, with more to it when asked. */
    CHECK_OK(gc_graph_export_dot(graph, 0, verbose, sizeof verbose, NULL));
    CHECK(strcmp(text, verbose) == 0);
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, verbose, sizeof verbose, NULL));
    CHECK(strlen(verbose) > strlen(text) && occurrences(verbose, "->") == 4);

    CHECK_MESSAGE(gc_graph_export_dot(graph, 0, verbose, 10, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL, "capacity");
    CHECK(strlen(verbose) == 9 && strncmp(verbose, text, 9) == 0 && needed == again);
    CHECK_MESSAGE(gc_graph_export_dot(graph, 65536, verbose, sizeof verbose, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(calls == 0);
}

/* Names from outside cannot break the text. */
static void names_are_escaped_in_dot_text(void) {
    gc_host_kernel kernels[1] = {GRAPHCAP_HOST_KERNEL_INIT};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    gc_kernel *kernel;
    gc_graph *graph = NULL;
    char text[2048] = "";
    NOT_ON_CUDA("no kernel of an image has such a name");
    kernels[0].name = "a\"b\\c\n]";
    kernels[0].function = kernel_nothing;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, &module));
    kernel = get_kernel(module, kernels[0].name);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch(rig.stream, kernel, 1, 1, NULL, 0));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    CHECK(check_contains(text, "a\\\"b\\\\c\\n]"));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
}

static void an_empty_graph_is_a_graph(void) {
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    char text[256] = "";
    size_t nodes = 9, edges = 9;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CHECK(nodes == 0 && edges == 0);
    CHECK_OK(gc_graph_export_dot(graph, 0, text, sizeof text, NULL));
    CHECK(strncmp(text, "digraph", 7) == 0 && strstr(text, "->") == NULL);
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_exec_node_count(exec, &nodes));
    CHECK(nodes == 0);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

static void one_graph_makes_many_execs(void) {
    unsigned calls = 0, i;
    size_t nodes = 0;
    gc_graph *graph = record_diamond(&calls);
    gc_graph_exec *execs[10];
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 0, 4, 4));
    for (i = 0; i < 10; i++) {
        CHECK_OK(gc_graph_instantiate(graph, &options, &execs[i]));
        CHECK_OK(gc_graph_exec_node_count(execs[i], &nodes));
        CHECK(nodes == 4);
    }
    CHECK_OK(gc_graph_destroy(graph));
    for (i = 0; i < 10; i++)
        CHECK_OK(gc_graph_launch(execs[i], rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 10 && read_u32(rig.stream, buffer, 1) == 7);
    CHECK(read_u32(rig.stream, buffer, 2) == 10 && calls == 10);
    for (i = 0; i < 10; i++)
        CHECK_OK(gc_graph_exec_destroy(execs[i * 3 % 10]));
    options.flags = 16;
    graph = record_diamond(&calls);
    CHECK_MESSAGE(gc_graph_instantiate(graph, &options, &execs[0]), GRAPHCAP_ERROR_INVALID_VALUE, "flags");
    CHECK(execs[0] == NULL);
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    RUN(dot_text_is_well_formed);
    RUN(names_are_escaped_in_dot_text);
    RUN(an_empty_graph_is_a_graph);
    RUN(one_graph_makes_many_execs);
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
