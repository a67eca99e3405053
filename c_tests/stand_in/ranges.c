/* Ranges and marks by NVTX: a tool gets them by the names of the trace, on both kinds of device, with a trace in a file and without. */
#include "loaded.h"

#include <unistd.h>

static const char *(*written)(void);
static size_t seen;

/* Counts what the tool was told since the last forget(). */
static size_t told(const char *what) {
    const char *at = written() + seen;
    size_t count = 0;
    for (; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static void forget(void) { seen = strlen(written()); }

/* Each thread ends what it begins. */
static void check_ends(void) {
    int open[64] = {0}, thread = 0;
    const char *line = written();
    for (; *line != '\0'; line = strchr(line, '\n') + 1) {
        const char what = line[strspn(line, "0123456789")];
        thread = atoi(line) % 64;
        open[thread] += what == '<' ? 1 : what == '>' ? -1 : 0;
        CHECK(open[thread] >= 0);
    }
    for (thread = 0; thread < 64; thread++)
        CHECK(open[thread] == 0);
    CHECK(strstr(written(), "wrong") == NULL);
}

static void launch_twice(gc_device_kind kind) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_stream *stream = NULL;
    gc_buffer *buffer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_memset_params fill = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_node nodes[2];
    options.device_kind = kind;
    CHECK_OK(gc_context_create(&options, &context));
    CHECK_OK(gc_stream_create(context, NULL, &stream));
    CHECK_OK(gc_buffer_allocate(context, 64, &buffer));
    CHECK_OK(gc_graph_create(context, &graph));
    CHECK_OK(gc_set_name(graph, "decode"));
    fill.buffer = buffer;
    fill.element_size = 1;
    fill.width = 64;
    fill.height = 1;
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &fill, &nodes[0]));
    CHECK_OK(gc_graph_add_memset_node(graph, nodes, 1, &fill, &nodes[1]));
    CHECK_OK(gc_node_set_name(graph, nodes[1], "the second"));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

static void check_told(size_t launches, size_t nodes) {
    CHECK(told("<gc_graph_launch\n") == launches && told("<replay of graph \"decode\"\n") == launches);
    CHECK(told("<the second\n") == nodes && told("<memset\n") == nodes);
    check_ends();
    forget();
}

static void calls_replays_and_nodes_are_ranges(void) {
    launch_twice(GRAPHCAP_DEVICE_HOST);
    check_told(2, 2);
    launch_twice(GRAPHCAP_DEVICE_CUDA);
    check_told(2, 0);
}

static void marks_are_told(void) {
    CHECK_OK(gc_trace_mark("step 7"));
    CHECK(told("!step 7\n") == 1);
    forget();
}

static void a_trace_in_a_file_changes_nothing(void) {
    char path[256];
    snprintf(path, sizeof path, "/tmp/graphcap-ranges-%d", (int)getpid());
    CHECK_STATUS(gc_trace_stop(NULL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_OK(gc_trace_start(path, 1 << 20));
    CHECK_STATUS(gc_trace_start(path, 1 << 20), GRAPHCAP_ERROR_ILLEGAL_STATE);
    launch_twice(GRAPHCAP_DEVICE_HOST);
    check_told(2, 2);
    CHECK_OK(gc_trace_stop(NULL));
    CHECK_STATUS(gc_trace_stop(NULL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    launch_twice(GRAPHCAP_DEVICE_HOST);
    check_told(2, 2);
    remove(path);
}

static void without_a_tool(void) {
    launch_twice(GRAPHCAP_DEVICE_HOST);
    CHECK(told("<") == 0);
}

static void run_refused(const char *variable) {
    setenv(variable, "1", 1);
    without_a_tool();
}

static void run_missing(const char *path) {
    setenv("NVTX_INJECTION64_PATH", path, 1);
    without_a_tool();
}

static void tools_that_cannot_be_had_do_no_harm(void) {
    in_child(run_refused, "STAND_IN_NVTX_REFUSES");
    in_child(run_missing, "/nowhere/tool.so");
}

int main(void) {
    void *found;
    use_stand_in("13.0");
    name_library("NVTX_INJECTION64_PATH", "13.0/libnvtx.so.3");
    found = library_function("13.0/libnvtx.so.3", "stand_in_ranges");
    memcpy(&written, &found, sizeof written);
    RUN(tools_that_cannot_be_had_do_no_harm);
    RUN(calls_replays_and_nodes_are_ranges);
    RUN(marks_are_told);
    RUN(a_trace_in_a_file_changes_nothing);
    return check_finish();
}
