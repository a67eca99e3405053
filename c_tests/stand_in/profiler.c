/* The trace of a GPU by CUPTI, which a stand-in tells: each node of each launch by its name, and what is told where CUPTI cannot be had. */
#include "loaded.h"

#include <unistd.h>

static char path[256];

static int trace_has(const char *text) {
    static char bytes[1 << 20];
    size_t length = strlen(text), size, at;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (at = 0; at + length <= size; at++)
        if (memcmp(bytes + at, text, length) == 0)
            return 1;
    return 0;
}

static size_t times_of(const char *text, const char *part) {
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        count++;
    return count;
}

/* A graph of two memsets, of which the second one waits for the first, launched three times in a trace. Gives the times of two. */
static void replay_traced(char *times, size_t room) {
    gc_context *context = open_cuda();
    gc_stream *stream = NULL;
    gc_buffer *buffer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_memset_params fill = GRAPHCAP_MEMSET_PARAMS_INIT;
    gc_node nodes[2];
    int i;
    CHECK_OK(gc_stream_create(context, NULL, &stream));
    CHECK_OK(gc_buffer_allocate(context, 64, &buffer));
    CHECK_OK(gc_graph_create(context, &graph));
    fill.buffer = buffer;
    fill.element_size = 1;
    fill.width = 64;
    fill.height = 1;
    CHECK_OK(gc_graph_add_memset_node(graph, NULL, 0, &fill, &nodes[0]));
    CHECK_OK(gc_graph_add_memset_node(graph, nodes, 1, &fill, &nodes[1]));
    CHECK_OK(gc_node_set_name(graph, nodes[1], "the second"));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_trace_start(path, 1 << 20));
    CHECK_OK(gc_graph_exec_times(exec, 2, times, room, NULL));
    for (i = 0; i < 3; i++)
        CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_graph_exec_times(exec, 2, times, room, NULL));
    CHECK_OK(gc_trace_stop(NULL));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

static void each_node_is_told_by_its_name(void) {
    char times[8192];
    replay_traced(times, sizeof times);
    CHECK(times_of(times, "\"launch\":") == 2 && times_of(times, "\"name\":\"the second\"") == 2);
    CHECK(times_of(times, "\"after\":0") == 2 && times_of(times, "\"kind\":\"memset\"") == 4);
    CHECK(times_of(times, "\"is_critical\":true") == 4 && !trace_has("the trace has nothing of"));
}

static void another_tool_has_cupti(void) {
    char times[8192];
    setenv("STAND_IN_CUPTI_TAKEN", "1", 1);
    replay_traced(times, sizeof times);
    unsetenv("STAND_IN_CUPTI_TAKEN");
    CHECK(strstr(times, "\"replays\":[]") != NULL && trace_has("the trace has nothing of"));
}

static void records_of_an_unknown_version_are_not_read(void) {
    char times[8192];
    setenv("STAND_IN_CUPTI_VERSION", "140000", 1);
    replay_traced(times, sizeof times);
    unsetenv("STAND_IN_CUPTI_VERSION");
    CHECK(strstr(times, "\"replays\":[]") != NULL && trace_has("the trace has nothing of"));
}

int main(void) {
    use_stand_in("13.0");
    name_library("GRAPHCAP_CUPTI_LIBRARY", "13.0/libcupti.so.13");
    snprintf(path, sizeof path, "/tmp/graphcap-profiler-%d", (int)getpid());
    RUN(each_node_is_told_by_its_name);
    RUN(another_tool_has_cupti);
    RUN(records_of_an_unknown_version_are_not_read);
    RUN(each_node_is_told_by_its_name);
    remove(path);
    return check_finish();
}
