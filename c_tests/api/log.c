/* The log: messages by level and subject, to a function and to standard error. */
#include "kernels.h"

#include <unistd.h>

struct taken {
    unsigned count, destroyed;
    uint64_t dropped;
    gc_log_level level;
    uint32_t subject;
    const gc_context *context; /* to make messages with; may be NULL */
    char text[2048];
};

static void take(gc_log_level level, uint32_t subject, const char *text, uint64_t thread, uint64_t time_ns, uint64_t dropped,
                 void *user_data) {
    struct taken *taken = (struct taken *)user_data;
    CHECK(thread != 0 && time_ns != 0);
    taken->level = level;
    taken->subject = subject;
    taken->dropped = dropped;
    snprintf(taken->text, sizeof taken->text, "%s", text);
    taken->count++;
    if (taken->context != NULL)
        CHECK_STATUS(gc_context_get_info(taken->context, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
}

static void destroy(void *user_data) { ((struct taken *)user_data)->destroyed++; }

static struct taken taken;

static void listen(gc_log_level level, uint32_t subjects) {
    memset(&taken, 0, sizeof taken);
    CHECK_OK(gc_log_set_callback(level, subjects, take, &taken, destroy));
}

static void silence(void) {
    CHECK_OK(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, NULL, NULL, NULL));
    CHECK(taken.destroyed == 1);
}

static void contexts_are_told_with_their_device(void) {
    char name[256];
    listen(GRAPHCAP_LOG_LEVEL_INFO, GRAPHCAP_LOG_CONTEXT);
    gc_context *context = open_context();
    CHECK_OK(gc_context_device_name(context, name, sizeof name, NULL));
    CHECK(taken.count == 1 && taken.level == GRAPHCAP_LOG_LEVEL_INFO && taken.subject == GRAPHCAP_LOG_CONTEXT);
    CHECK(strstr(taken.text, name) != NULL);
    silence();
    CHECK_OK(gc_context_destroy(context));
    CHECK(taken.count == 1);
}

static void a_broken_capture_is_told_as_the_black_box_tells_it(void) {
    struct rig rig;
    char text[1024];
    gc_violation violation = 0;
    gc_graph *graph = NULL;
    rig_open(&rig);
    listen(GRAPHCAP_LOG_LEVEL_WARNING, 0);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(taken.count == 1 && taken.subject == GRAPHCAP_LOG_CAPTURE && taken.level == GRAPHCAP_LOG_LEVEL_WARNING);
    CHECK_OK(gc_stream_capture_violation(rig.stream, &violation, text, sizeof text, NULL));
    CHECK(strstr(taken.text, text) != NULL);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(taken.count == 1);
    silence();
    rig_close(&rig);
}

static void pools_and_execs_are_told(void) {
    struct rig rig;
    gc_pool *pool = NULL;
    gc_buffer *buffer = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_node node;
    rig_open(&rig);
    CHECK_OK(gc_pool_create(rig.context, NULL, &pool));
    listen(GRAPHCAP_LOG_LEVEL_INFO, GRAPHCAP_LOG_POOL | GRAPHCAP_LOG_EXEC);
    gc_status status = gc_pool_allocate(pool, 1000, &buffer);
    if (status != GRAPHCAP_ERROR_NOT_SUPPORTED) {
        CHECK(status == GRAPHCAP_SUCCESS && taken.count == 1 && taken.subject == GRAPHCAP_LOG_POOL);
        CHECK(strstr(taken.text, "grew by") != NULL);
        CHECK_OK(gc_buffer_destroy(buffer));
    }
    CHECK_OK(gc_graph_create(rig.context, &graph));
    CHECK_OK(gc_graph_add_empty_node(graph, NULL, 0, &node));
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_add_empty_node(graph, &node, 1, &node));
    taken.count = 0;
    CHECK_OK(gc_graph_exec_apply(exec, graph, NULL, NULL));
    CHECK(taken.count == 1 && taken.subject == GRAPHCAP_LOG_EXEC);
    CHECK(strstr(taken.text, "of 2 nodes was made anew: ") != NULL);
    silence();
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_pool_destroy(pool));
    rig_close(&rig);
}

static void messages_of_the_function_itself_are_dropped_and_counted(void) {
    gc_context *context = open_context();
    char text[1024];
    listen(GRAPHCAP_LOG_LEVEL_DEBUG, GRAPHCAP_LOG_CALL);
    taken.context = context;
    CHECK_STATUS(gc_device_count(77, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(taken.count == 1 && taken.dropped == 0 && taken.level == GRAPHCAP_LOG_LEVEL_DEBUG);
    CHECK(strstr(taken.text, "gc_device_count: ") == taken.text);
    CHECK_STATUS(gc_device_count(77, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(taken.count == 2 && taken.dropped == 1);
    CHECK_OK(gc_last_error_message(text, sizeof text, NULL));
    silence();
    CHECK_OK(gc_context_destroy(context));
}

static void what_cannot_be_meant_is_refused(void) {
    memset(&taken, 0, sizeof taken);
    CHECK_MESSAGE(gc_log_set_callback(5, 0, take, &taken, destroy), GRAPHCAP_ERROR_INVALID_VALUE, "level");
    CHECK_MESSAGE(gc_log_set_callback(-1, 0, take, &taken, destroy), GRAPHCAP_ERROR_INVALID_VALUE, "level");
    CHECK_MESSAGE(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_INFO, 128, take, &taken, destroy), GRAPHCAP_ERROR_INVALID_VALUE,
                  "subjects");
    CHECK_MESSAGE(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_INFO, 0, NULL, &taken, destroy), GRAPHCAP_ERROR_INVALID_VALUE,
                  "function");
    CHECK(taken.destroyed == 4);
}

/* Opens a context in a process of its own, with the variable set, and gives the first line of that process's standard error. The rest
   is read too: a process whose reader has gone dies of SIGPIPE. */
static void first_line_with(const char *variable, const char *program, char *line, size_t size) {
    char command[1024], rest[1024];
    snprintf(command, sizeof command, "GRAPHCAP_LOG=%s $GRAPHCAP_TEST_EMULATOR '%s' child 2>&1", variable, program);
    FILE *told = popen(command, "r");
    CHECK(told != NULL && fgets(line, (int)size, told) != NULL);
    while (told != NULL && fgets(rest, sizeof rest, told) != NULL)
        ;
    CHECK(told != NULL && pclose(told) == 0);
}

static void the_environment_asks_for_messages_on_standard_error(const char *program) {
    char line[1024] = "";
    first_line_with("info,context,fallback", program, line, sizeof line);
    CHECK(strncmp(line, "graphcap ", 9) == 0 && strstr(line, "] info ") != NULL);
    first_line_with("loud", program, line, sizeof line);
    CHECK(strncmp(line, "graphcap: GRAPHCAP_LOG must be", 30) == 0);
}

int main(int count, char **arguments) {
    if (count > 1) {
        gc_context *context = NULL;
        return gc_context_create(NULL, &context) != GRAPHCAP_SUCCESS || gc_context_destroy(context) != GRAPHCAP_SUCCESS;
    }
    RUN(contexts_are_told_with_their_device);
    RUN(a_broken_capture_is_told_as_the_black_box_tells_it);
    RUN(pools_and_execs_are_told);
    RUN(messages_of_the_function_itself_are_dropped_and_counted);
    RUN(what_cannot_be_meant_is_refused);
    check_test = "the_environment_asks_for_messages_on_standard_error";
    the_environment_asks_for_messages_on_standard_error(arguments[0]);
    return check_finish();
}
