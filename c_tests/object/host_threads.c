/* GRAPHCAP_HOST_THREADS: how many threads execute the host devices' work. Each number is tried by a child, since the first use of a
 * host device settles it. */
#include "child.h"
#include "kernels.h"

#include <dirent.h>

enum { NODES = 64 };

static uint32_t at_work, most;

/* Naps, and notes how many do so at a time. */
static int32_t kernel_crowd(const gc_host_block *block, const void *const *arguments) {
    uint32_t here = __atomic_add_fetch(&at_work, 1, __ATOMIC_SEQ_CST), seen = __atomic_load_n(&most, __ATOMIC_SEQ_CST);
    (void)block;
    (void)arguments;
    while (seen < here && !__atomic_compare_exchange_n(&most, &seen, here, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    pause_ms(2);
    __atomic_sub_fetch(&at_work, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* The threads of the process that execute work. */
static unsigned lanes_alive(void) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    unsigned count = 0;
    while (tasks != NULL && (task = readdir(tasks)) != NULL) {
        char path[512], name[64] = "";
        FILE *file;
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
        file = fopen(path, "r");
        if (file == NULL)
            continue;
        if (fgets(name, sizeof name, file) != NULL && strcmp(name, "graphcap-lane\n") == 0)
            count++;
        fclose(file);
    }
    if (tasks != NULL)
        closedir(tasks);
    return count;
}

/* A thread has its name a moment after it was started. */
static int lanes_become(unsigned count) {
    int round;
    for (round = 0; round < 1000 && lanes_alive() != count; round++)
        pause_ms(10);
    return lanes_alive() == count;
}

static gc_graph_exec *exec_of_a_crowd(const gc_context *context, gc_module **module, gc_kernel **kernel) {
    static const gc_host_kernel crowd = {(uint32_t)sizeof crowd, 0, "crowd", kernel_crowd, NULL, 0, NULL, 0};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    unsigned i;
    description.host_kernels = &crowd;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(context, &description, module));
    *kernel = get_kernel(*module, "crowd");
    REQUIRE_OK(gc_graph_create(context, &graph));
    config.grid_dim[0] = config.block_dim[0] = 1;
    for (i = 0; i < NODES; i++) {
        gc_node node;
        REQUIRE_OK(gc_graph_add_kernel_node(graph, NULL, 0, *kernel, &config, NULL, 0, &node));
    }
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_graph_destroy(graph));
    return exec;
}

/* As many threads as were asked for, in the name of the device and in the process, and no more at work on one replay: whoever waits
 * for it takes the place of one. */
static void as_many_as_asked_for(const char *number) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_graph_exec *exec;
    gc_stream *stream;
    char wanted[64], name[256] = "";
    int round;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    setenv("GRAPHCAP_HOST_THREADS", number, 1);
    REQUIRE_OK(gc_context_create(&options, &context));
    snprintf(wanted, sizeof wanted, "(%s lanes)", number);
    CHECK_OK(gc_context_device_name(context, name, sizeof name, NULL));
    CHECK(check_contains(name, wanted));
    CHECK(lanes_become((unsigned)atoi(number)));
    exec = exec_of_a_crowd(context, &module, &kernel);
    stream = open_stream(context, 0);
    for (round = 0; round < 3; round++) {
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_stream_synchronize(stream));
    }
    CHECK(most >= 1 && most <= (uint32_t)atoi(number));
    /* The number is settled. */
    setenv("GRAPHCAP_HOST_THREADS", "7", 1);
    CHECK_OK(gc_device_name(GRAPHCAP_DEVICE_HOST, 0, name, sizeof name, NULL));
    CHECK(check_contains(name, wanted));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* What is no such number is refused, until it is mended. */
static void refused(const char *number) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    char name[256], found[256];
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    setenv("GRAPHCAP_HOST_THREADS", number, 1);
    snprintf(found, sizeof found, "GRAPHCAP_HOST_THREADS must be a number from 1 to 1024, or not set; it is \"%s\"", number);
    CHECK_MESSAGE(gc_context_create(&options, &context), GRAPHCAP_ERROR_INVALID_VALUE, found);
    CHECK(context == NULL && lanes_alive() == 0);
    CHECK_MESSAGE(gc_device_name(GRAPHCAP_DEVICE_HOST, 0, name, sizeof name, NULL), GRAPHCAP_ERROR_INVALID_VALUE,
                  "GRAPHCAP_HOST_THREADS");
    setenv("GRAPHCAP_HOST_THREADS", "2", 1);
    CHECK_OK(gc_context_create(&options, &context));
    CHECK(lanes_become(2));
    CHECK_OK(gc_context_destroy(context));
}

/* Keeps its thread until told. */
static int32_t kernel_stay(const gc_host_block *block, const void *const *arguments) {
    (void)block;
    (void)arguments;
    __atomic_store_n(&at_work, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&most, __ATOMIC_SEQ_CST) == 0)
        pause_ms(1);
    return 0;
}

/* A thread that waits for an event runs what comes before it, where no other thread has begun with it. */
static void helped(const char *flags) {
    static const gc_host_kernel stay = {(uint32_t)sizeof stay, 0, "stay", kernel_stay, NULL, 0, NULL, 0};
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_event_options event_options = GRAPHCAP_EVENT_OPTIONS_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_context *context = NULL;
    gc_module *module = NULL;
    gc_kernel *kernel = NULL;
    gc_buffer *buffer = NULL;
    gc_event *event = NULL;
    gc_stream *busy, *stream;
    unsigned char byte = 0;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    setenv("GRAPHCAP_HOST_THREADS", "1", 1);
    REQUIRE_OK(gc_context_create(&options, &context));
    description.host_kernels = &stay;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(context, &description, &module));
    REQUIRE_OK(gc_module_get_kernel(module, "stay", &kernel));
    REQUIRE_OK(gc_buffer_allocate(context, 64, &buffer));
    event_options.flags = (uint32_t)atoi(flags);
    REQUIRE_OK(gc_event_create(context, &event_options, &event));
    busy = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    CHECK_OK(gc_stream_launch_kernel(busy, kernel, &config, NULL, 0));
    while (__atomic_load_n(&at_work, __ATOMIC_SEQ_CST) == 0)
        pause_ms(1);
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 7, 1, 64));
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_STATUS(gc_event_synchronize_for(event, 1000), GRAPHCAP_ERROR_TIMEOUT);
    /* With BLOCKING_SYNC a thread only sleeps. */
    if ((event_options.flags & GRAPHCAP_EVENT_BLOCKING_SYNC) != 0)
        __atomic_store_n(&most, 1, __ATOMIC_SEQ_CST);
    CHECK_OK(gc_event_synchronize(event));
    __atomic_store_n(&most, 1, __ATOMIC_SEQ_CST);
    CHECK_OK(gc_stream_synchronize(busy));
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &byte, buffer, 63, 1));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(byte == 7);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_kernel_destroy(kernel));
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_stream_destroy(busy));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

static void each_in_a_child(const char *what, const char *const *numbers, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) {
        struct child child;
        child_start(&child, what, numbers[i]);
        if (check_failed(child_end(&child, 100) == EXIT_SUCCESS))
            fprintf(stderr, "in %s: GRAPHCAP_HOST_THREADS=%s\n", check_test, numbers[i]);
    }
}

static void the_environment_says_how_many(void) {
    static const char *const numbers[] = {"1", "2", "3", "16"};
    each_in_a_child("asked", numbers, LENGTH_OF(numbers));
}

static void what_is_no_number_of_threads_is_refused(void) {
    static const char *const numbers[] = {"0", "-1", "1025", "", "two", "2 ", "99999999999999999999"};
    each_in_a_child("refused", numbers, LENGTH_OF(numbers));
}

static void a_wait_for_an_event_helps(void) {
    static const char *const flags[] = {"0", "1"};
    each_in_a_child("helped", flags, LENGTH_OF(flags));
}

int main(int count, char **words) {
    if (count == 3) {
        check_test = words[1];
        if (strcmp(words[1], "asked") == 0)
            as_many_as_asked_for(words[2]);
        else if (strcmp(words[1], "helped") == 0)
            helped(words[2]);
        else
            refused(words[2]);
        return check_finish();
    }
    RUN(the_environment_says_how_many);
    RUN(what_is_no_number_of_threads_is_refused);
    RUN(a_wait_for_an_event_helps);
    return check_finish();
}
