/* The trace: begun and ended by calls and by the environment, left by faults, and left alone by forked children. */
#include "kernels.h"
#include "traces.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Bytes of the file, and whether it begins as a trace does. */
static long trace_size(void) {
    char head[8] = "";
    struct stat found;
    FILE *file = fopen(trace_path, "rb");
    CHECK(file != NULL && stat(trace_path, &found) == 0);
    if (file == NULL)
        return 0;
    CHECK(fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "GCTRACE1", 8) == 0);
    fclose(file);
    return (long)found.st_size;
}

static void a_trace_is_begun_and_ended(void) {
    struct rig rig;
    char times[2048];
    size_t needed = 0;
    uint64_t dropped = 77;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    rig_open(&rig);
    gc_buffer *buffer = open_buffer(rig.context, 64);
    CHECK_MESSAGE(gc_trace_stop(&dropped), GRAPHCAP_ERROR_ILLEGAL_STATE, "no trace");
    CHECK(dropped == 0);
    CHECK_OK(gc_trace_mark("before"));
    CHECK_MESSAGE(gc_trace_start("/nonexistent/trace", 0), GRAPHCAP_ERROR_INVALID_VALUE, "/nonexistent/trace");
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    CHECK_MESSAGE(gc_trace_start(trace_path, 0), GRAPHCAP_ERROR_ILLEGAL_STATE, "goes on");
    CHECK_OK(gc_trace_mark("between"));
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_times(exec, 1, times, sizeof times, &needed));
    CHECK(strlen(times) + 1 == needed && strstr(times, "\"replays\":[") != NULL);
    int is_told = !trace_has("the trace has nothing of");
    CHECK(is_told || on_cuda());
    CHECK(!is_told || (strstr(times, "\"kernel\":\"add\"") != NULL && strstr(times, "\"idle_ns\":") != NULL));
    CHECK_OK(gc_trace_stop(&dropped));
    CHECK_MESSAGE(gc_graph_exec_times(exec, 1, times, sizeof times, NULL), GRAPHCAP_ERROR_ILLEGAL_STATE, "no trace");
    CHECK_OK(gc_trace_mark("after"));
    CHECK(dropped == 0 && trace_size() >= 2 * 65536);
    CHECK(trace_has("between") && trace_has("gc_graph_launch") && !trace_has("before") && !trace_has("after"));
    CHECK(!is_told || trace_has("add"));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

static void what_finds_no_room_is_counted(void) {
    uint64_t dropped = 0;
    unsigned i;
    CHECK_OK(gc_trace_start(trace_path, 131072));
    for (i = 0; i < 4000; i++)
        CHECK_OK(gc_trace_mark("many"));
    CHECK_OK(gc_trace_stop(&dropped));
    CHECK(dropped > 2000 && dropped < 4000 && trace_size() == 131072);
}

static void a_forked_child_writes_nothing(void) {
    int end = -1;
    CHECK_OK(gc_trace_start(trace_path, 1 << 20));
    pid_t child = fork();
    if (child == 0)
        _exit(gc_trace_mark("child") != GRAPHCAP_ERROR_FORKED || gc_trace_stop(NULL) != GRAPHCAP_ERROR_FORKED);
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    CHECK_OK(gc_trace_mark("parent"));
    CHECK_OK(gc_trace_stop(NULL));
    CHECK(trace_has("parent") && !trace_has("child"));
}

static void the_environment_asks_for_a_trace(const char *program) {
    char command[1024];
    snprintf(command, sizeof command, "GRAPHCAP_TRACE='%s' $GRAPHCAP_TEST_EMULATOR '%s' child", trace_path, program);
    CHECK(system(command) == 0);
    CHECK(trace_has("of the child"));
}

/* Without a standard error the next file that is opened takes its place. */
static void what_is_for_a_closed_stream_is_not_in_the_trace(const char *program) {
    char command[1024];
    snprintf(command, sizeof command, "GRAPHCAP_TRACE='%s' $GRAPHCAP_TEST_EMULATOR '%s' complain 2>&-", trace_path, program);
    CHECK(system(command) == 0);
    CHECK(trace_size() > 0 && trace_has("of the child") && !trace_has("of the program"));
}

static int complain(void) {
    gc_status marked = gc_trace_mark("of the child");
    fprintf(stderr, "an error of the program\n");
    return marked != GRAPHCAP_SUCCESS;
}

/* A file beyond that limit would end the program by a signal. */
static void a_trace_ends_at_the_limit_of_files(const char *program) {
    char command[1024];
    snprintf(command, sizeof command, "ulimit -f 1000; GRAPHCAP_TRACE='%s' $GRAPHCAP_TEST_EMULATOR '%s' many", trace_path, program);
    CHECK(system(command) == 0);
    CHECK(trace_size() <= 1000 * 1024 && trace_has("many"));
}

static int mark_often(void) {
    uint64_t dropped = 0;
    unsigned i;
    for (i = 0; i < 100000; i++)
        if (gc_trace_mark("many") != GRAPHCAP_SUCCESS)
            return 1;
    return gc_trace_stop(&dropped) != GRAPHCAP_SUCCESS || dropped == 0;
}

/* Faults, on the host device while a node hangs. It marks the trace where that tells of the node, which has not ended. On a CUDA device
 * none is held: the launch itself may run host functions. */
static int fault_in_a_hang(void) {
    struct rig rig;
    struct gate gate;
    char times[2048];
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    rig_open(&rig);
    gate_init(&gate);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    if (!on_cuda())
        REQUIRE_OK(launch_hold(&rig, rig.stream, &gate));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    if (!on_cuda())
        gate_await(&gate, 1);
    REQUIRE_OK(gc_graph_exec_times(exec, 1, times, sizeof times, NULL));
    if (on_cuda() || (strstr(times, "\"kernel\":\"hold\"") != NULL && strstr(times, "\"duration_ns\":null") != NULL))
        REQUIRE_OK(gc_trace_mark("it hangs"));
    return raise(SIGSEGV);
}

static void a_fault_leaves_what_was_told(const char *program) {
    char command[1024];
    snprintf(command, sizeof command, "GRAPHCAP_TRACE='%s' $GRAPHCAP_TEST_EMULATOR '%s' fault 2>/dev/null", trace_path, program);
    CHECK(system(command) != 0);
    CHECK(trace_has("it hangs") && trace_has("gc_graph_launch"));
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "fault") == 0)
        return fault_in_a_hang();
    if (count > 1 && strcmp(arguments[1], "complain") == 0)
        return complain();
    if (count > 1 && strcmp(arguments[1], "many") == 0)
        return mark_often();
    if (count > 1)
        return gc_trace_mark("of the child") != GRAPHCAP_SUCCESS;
    name_trace("trace");
    RUN(a_trace_is_begun_and_ended);
    RUN(what_finds_no_room_is_counted);
    RUN(a_forked_child_writes_nothing);
    check_test = "the_environment_asks_for_a_trace";
    the_environment_asks_for_a_trace(arguments[0]);
    check_test = "what_is_for_a_closed_stream_is_not_in_the_trace";
    what_is_for_a_closed_stream_is_not_in_the_trace(arguments[0]);
    check_test = "a_trace_ends_at_the_limit_of_files";
    a_trace_ends_at_the_limit_of_files(arguments[0]);
    check_test = "a_fault_leaves_what_was_told";
    a_fault_leaves_what_was_told(arguments[0]);
    remove(trace_path);
    return check_finish();
}
