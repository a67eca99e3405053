/* GRAPHCAP_HOST_MEMORY=guard: touches of memory that is freed, or of what is not a buffer's, end the process, with a message that
 * names buffer, place and what ran. Each case is a child process. */
#include "child.h"
#include "kernels.h"

enum { SIZE = 4096 };

static struct rig rig;
static gc_buffer *buffer;
static gc_host_buffer *pinned;
static unsigned char *bytes; /* of the pinned buffer */

static void allocate(size_t size) {
    REQUIRE_OK(gc_buffer_allocate(rig.context, size, &buffer));
    REQUIRE_OK(gc_set_name(buffer, "weights"));
}

static void allocate_pinned(size_t size) {
    void *pointer = NULL;
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, size, 0, &pinned));
    REQUIRE_OK(gc_set_name(pinned, "staging"));
    REQUIRE_OK(gc_host_buffer_pointer(pinned, &pointer));
    bytes = (unsigned char *)pointer;
}

static uint64_t address_of(const gc_buffer *of) {
    uint64_t address = 0;
    REQUIRE_OK(gc_buffer_address(of, &address));
    return address;
}

/* Writes `count` words, of which graphcap knows nothing. */
static void fill(uint64_t address, uint64_t count, uint32_t blocks) {
    uint32_t value = 7;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    REQUIRE_OK(launch(rig.stream, rig.fill, blocks, (uint32_t)((count + blocks - 1) / blocks), arguments, 3));
}

static void wait_for_all(void) {
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

static void kernel_after_free(void) {
    uint64_t address;
    allocate(SIZE);
    address = address_of(buffer);
    REQUIRE_OK(gc_buffer_destroy(buffer));
    fill(address, 4, 1);
    wait_for_all();
}

static void replay_after_free(void) {
    uint64_t address;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    allocate(SIZE);
    address = address_of(buffer);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    fill(address + 64, 4, 4);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    wait_for_all();
    printf("replayed once\n");
    fflush(stdout);
    REQUIRE_OK(gc_buffer_destroy(buffer));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    wait_for_all();
}

static void touch(void *user_data) {
    /* Read back, so that a compiler that knows the address does not warn of it. */
    unsigned char *volatile place = (unsigned char *)user_data;
    *(volatile unsigned char *)place = 1;
}

/* Launches a graph "solver" with a child in it once, frees the buffer that the child touches, and launches it again. The child's node is
 * called "halo"; it is a host function or a kernel. */
static void named_replay_after_free(int is_host_function) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 4);
    gc_graph *graph = NULL, *child = NULL;
    gc_graph_exec *exec = NULL;
    gc_node parent = 0, node = 0;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_create(rig.context, &child));
    if (is_host_function) {
        allocate_pinned(SIZE);
        REQUIRE_OK(gc_graph_add_host_node(child, NULL, 0, touch, bytes, NULL, &node));
    } else {
        uint64_t address, count = 4;
        uint32_t value = 7;
        allocate(SIZE);
        address = address_of(buffer);
        {
            const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(address), GRAPHCAP_ARG_INIT_VALUE(value),
                                               GRAPHCAP_ARG_INIT_VALUE(count)};
            REQUIRE_OK(gc_graph_add_kernel_node(child, NULL, 0, rig.fill, &config, arguments, 3, &node));
        }
    }
    REQUIRE_OK(gc_node_set_name(child, node, "halo"));
    REQUIRE_OK(gc_graph_add_child_node(graph, NULL, 0, child, &parent));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    REQUIRE_OK(gc_set_name(graph, "solver"));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    wait_for_all();
    if (is_host_function)
        REQUIRE_OK(gc_host_buffer_destroy(pinned));
    else
        REQUIRE_OK(gc_buffer_destroy(buffer));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    wait_for_all();
}

static void named_kernel_after_free(void) {
    named_replay_after_free(0);
}

static void named_function_after_free(void) {
    named_replay_after_free(1);
}

static void kernel_past_the_end(void) {
    allocate(SIZE);
    fill(address_of(buffer), SIZE / 4 + 1, 41);
    wait_for_all();
}

static void kernel_into_the_slack(void) {
    allocate(1000);
    fill(address_of(buffer), 251, 1);
    wait_for_all();
}

static void cpu_into_the_slack(void) {
    allocate_pinned(1000);
    bytes[-1] = 1;
    REQUIRE_OK(gc_host_buffer_destroy(pinned));
}

static void cpu_after_free(void) {
    allocate_pinned(SIZE);
    bytes[5] = 1;
    REQUIRE_OK(gc_host_buffer_destroy(pinned));
    printf("%u\n", bytes[5]);
}

static void host_function_after_free(void) {
    allocate_pinned(SIZE);
    REQUIRE_OK(gc_host_buffer_destroy(pinned));
    REQUIRE_OK(gc_stream_launch_host_func(rig.stream, touch, bytes, NULL));
    wait_for_all();
}

static void copy_after_free(void) {
    allocate(SIZE);
    allocate_pinned(SIZE);
    REQUIRE_OK(gc_host_buffer_destroy(pinned));
    REQUIRE_OK(gc_stream_memcpy_dtoh(rig.stream, bytes, buffer, 0, 16));
    wait_for_all();
}

static void managed_after_free(void) {
    volatile unsigned char *place;
    REQUIRE_OK(gc_buffer_allocate_managed(rig.context, SIZE, GRAPHCAP_MEM_ATTACH_GLOBAL, &buffer));
    place = (volatile unsigned char *)(uintptr_t)address_of(buffer);
    place[SIZE - 1] = 1;
    REQUIRE_OK(gc_buffer_destroy(buffer));
    place[SIZE - 1] = 2;
}

static void memory_of_a_graph(void) {
    uint64_t address;
    uint32_t value = 1;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_node alloc = 0, set = 0, freed = 0;
    gc_memset_params params;
    int i;
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_add_mem_alloc_node(graph, NULL, 0, SIZE, &alloc, &buffer));
    REQUIRE_OK(gc_set_name(buffer, "scratch"));
    {
        gc_memset_params given = GRAPHCAP_MEMSET_INIT(buffer, 0, value, 4, SIZE / 4, 1, 0);
        params = given;
    }
    REQUIRE_OK(gc_graph_add_memset_node(graph, &alloc, 1, &params, &set));
    REQUIRE_OK(gc_graph_add_mem_free_node(graph, &set, 1, buffer, &freed));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    for (i = 0; i < 3; i++)
        REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    wait_for_all();
    address = address_of(buffer);
    printf("replayed\n");
    fflush(stdout);
    fill(address, 1, 1);
    wait_for_all();
}

static gc_pool *open_pool(void) {
    gc_pool *pool = NULL;
    gc_pool_options options = GRAPHCAP_POOL_OPTIONS_INIT;
    options.capacity = 1 << 20;
    REQUIRE_OK(gc_pool_create(rig.context, &options, &pool));
    return pool;
}

/* The pool lives, and allocates what it had anew, elsewhere. */
static void pool_after_free(void) {
    gc_pool *pool = open_pool();
    gc_buffer *again = NULL;
    uint64_t address;
    REQUIRE_OK(gc_pool_allocate(pool, SIZE, &buffer));
    REQUIRE_OK(gc_set_name(buffer, "activations"));
    address = address_of(buffer);
    fill(address, SIZE / 4, 4);
    wait_for_all();
    REQUIRE_OK(gc_buffer_destroy(buffer));
    REQUIRE_OK(gc_pool_allocate(pool, SIZE, &again));
    CHECK(address_of(again) != address);
    printf("allocated again\n");
    fflush(stdout);
    fill(address + 64, 4, 1);
    wait_for_all();
}

/* Blocks that lie side by side elsewhere are guarded from each other here. */
static void past_a_block_of_a_pool(void) {
    gc_pool *pool = open_pool();
    gc_buffer *next = NULL;
    REQUIRE_OK(gc_pool_allocate(pool, SIZE, &buffer));
    REQUIRE_OK(gc_pool_allocate(pool, SIZE, &next));
    fill(address_of(buffer), SIZE / 4 + 1, 41);
    wait_for_all();
}

static void handled(int signal, siginfo_t *info, void *context) {
    static const char text[] = "the program's handler\n";
    (void)signal;
    (void)info;
    (void)context;
    _exit(write(STDOUT_FILENO, text, sizeof text - 1) > 0 ? 3 : 4);
}

/* The child's handler is there before graphcap's. */
static void install_handler(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handled;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
}

static void touch_nothing_of_graphcap(void) {
    touch((void *)(uintptr_t)16);
}

struct scene {
    const char *name;
    void (*run)(void);
    int handles;
    int signal; /* that ends it; 0 where it exits with 3 */
    const char *words[4];
};

static const struct scene scenes[] = {
    {"kernel_after_free", kernel_after_free, 0, SIGSEGV,
     {"GRAPHCAP_HOST_MEMORY=guard: kernel \"fill\"", " byte 0 of buffer \"weights\" of 4096 bytes at 0x", ", which is freed", NULL}},
    {"replay_after_free", replay_after_free, 0, SIGSEGV,
     {"kernel \"fill\" at node 0x", " of a graph ", " byte 64 of buffer \"weights\"", NULL}},
    {"named_kernel_after_free", named_kernel_after_free, 0, SIGSEGV,
     {"kernel \"fill\" at node 0x", " \"halo\" of graph \"solver\" ", " byte 0 of buffer \"weights\"", NULL}},
    {"named_function_after_free", named_function_after_free, 0, SIGSEGV,
     {"a host function at node 0x", " \"halo\" of graph \"solver\" ", " byte 0 of buffer \"staging\"", NULL}},
    {"kernel_past_the_end", kernel_past_the_end, 0, SIGSEGV,
     {"kernel \"fill\"", " byte 4096 of buffer \"weights\"", ", 0 bytes past its end", NULL}},
    {"kernel_into_the_slack", kernel_into_the_slack, 0, SIGABRT,
     {"byte 1000 of buffer \"weights\" of 1000 bytes", ", 0 bytes past its end", "found when work was waited for", NULL}},
    {"cpu_into_the_slack", cpu_into_the_slack, 0, SIGABRT,
     {"the byte 1 bytes before the start of buffer \"staging\"", "found when it was freed", NULL, NULL}},
    {"cpu_after_free", cpu_after_free, 0, SIGSEGV,
     {"code that graphcap does not run", " byte 5 of buffer \"staging\"", ", which is freed", NULL}},
    {"host_function_after_free", host_function_after_free, 0, SIGSEGV,
     {"a host function", " byte 0 of buffer \"staging\"", ", which is freed", NULL}},
    {"copy_after_free", copy_after_free, 0, SIGSEGV, {"a copy", " of buffer \"staging\"", ", which is freed", NULL}},
    {"managed_after_free", managed_after_free, 0, SIGSEGV, {" byte 4095 of an unnamed buffer of 4096 bytes", ", which is freed", NULL, NULL}},
    {"memory_of_a_graph", memory_of_a_graph, 0, SIGSEGV,
     {"kernel \"fill\"", " byte 0 of buffer \"scratch\"", "which a graph allocates and which is not allocated now", NULL}},
    {"pool_after_free", pool_after_free, 0, SIGSEGV,
     {"kernel \"fill\"", " byte 64 of buffer \"activations\" of 4096 bytes", ", which is freed", NULL}},
    {"past_a_block_of_a_pool", past_a_block_of_a_pool, 0, SIGSEGV,
     {"kernel \"fill\"", " byte 4096 of buffer \"a block of pool 1\" of 4096 bytes", ", 0 bytes past its end", NULL}},
    {"chained", kernel_after_free, 1, 0, {"kernel \"fill\"", "byte 0 of buffer \"weights\"", NULL, NULL}},
    {"others", touch_nothing_of_graphcap, 1, 0, {NULL, NULL, NULL, NULL}},
};

static int child_main(const char *name, const char *mode) {
    size_t i;
    dup2(STDOUT_FILENO, STDERR_FILENO);
    setenv("GRAPHCAP_DEVICE", "host", 1);
    setenv("GRAPHCAP_HOST_MEMORY", mode, 1);
    if (strcmp(mode, "guard") != 0) {
        gc_context *context = NULL;
        char text[1024] = "", found[80];
        CHECK_MESSAGE(gc_context_create(NULL, &context), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_HOST_MEMORY must be");
        gc_last_error_message(text, sizeof text, NULL);
        snprintf(found, sizeof found, "it is \"%s\"", mode);
        CHECK(check_contains(text, found));
        return check_failures == 0 ? 0 : 1;
    }
    for (i = 0; i < LENGTH_OF(scenes); i++)
        if (strcmp(scenes[i].name, name) == 0) {
            if (scenes[i].handles)
                install_handler();
            rig_open(&rig);
            scenes[i].run();
        }
    printf("nothing happened\n");
    return 0;
}

static void bad_touches_end_the_process_with_a_message(void) {
    size_t i, k;
    for (i = 0; i < LENGTH_OF(scenes); i++) {
        const struct scene *scene = &scenes[i];
        struct child child;
        const char *line;
        char message[8192] = "";
        int status = 0, was_handled = 0;
        child_start(&child, scene->name, "guard");
        while ((line = child_line(&child, 60)) != NULL) {
            if (strncmp(line, "graphcap: ", 10) == 0)
                snprintf(message, sizeof message, "%s", line);
            was_handled |= strcmp(line, "the program's handler") == 0;
            CHECK(strcmp(line, "nothing happened") != 0);
        }
        close(child.output);
        CHECK(waitpid(child.process, &status, 0) == child.process);
        fprintf(stderr, "%s: %s\n", scene->name, message);
        if (scene->signal != 0)
            CHECK(WIFSIGNALED(status) && WTERMSIG(status) == scene->signal);
        else
            CHECK(was_handled && WIFEXITED(status) && WEXITSTATUS(status) == 3);
        CHECK((message[0] == '\0') == (scene->words[0] == NULL));
        for (k = 0; k < LENGTH_OF(scene->words) && scene->words[k] != NULL; k++)
            CHECK(strstr(message, scene->words[k]) != NULL);
    }
}

static void other_words_are_refused(void) {
    struct child child;
    child_start(&child, "none", "guards");
    CHECK(child_end(&child, 60) == 0);
}

int main(int argc, char **argv) {
    if (argc == 3)
        return child_main(argv[1], argv[2]);
    RUN(bad_touches_end_the_process_with_a_message);
    RUN(other_words_are_refused);
    return check_finish();
}
