/* GRAPHCAP_CUDA_MEMORY=guard on a GPU: kernels write beside a buffer and into one that is freed. Each case is a child process. */
#include "../graph/nodes.h"
#include "child.h"
#include "cuda_driver.h"

enum { SIZE = 1000, END = 1024 };

static struct rig rig;
static gc_buffer *weights;
static uint64_t address;

static void set_up(void) {
    setenv("GRAPHCAP_CUDA_MEMORY", "guard", 1);
    rig_open(&rig);
    REQUIRE_OK(gc_buffer_allocate(rig.context, SIZE, &weights));
    REQUIRE_OK(gc_set_name(weights, "weights"));
    REQUIRE_OK(gc_buffer_address(weights, &address));
}

/* Writes words of which graphcap knows nothing. */
static void fill(uint64_t from, uint64_t count) {
    const uint32_t value = 7;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(from), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
    REQUIRE_OK(launch(rig.stream, rig.fill, 1, 256, arguments, 3));
}

static void inside(void) {
    fill(address, SIZE / 4);
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    REQUIRE_OK(gc_buffer_destroy(weights));
}

static void past_the_mapping(void) {
    fill(address + END, 1);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
}

static void freed(void) {
    gc_buffer *next = NULL;
    REQUIRE_OK(gc_buffer_destroy(weights));
    REQUIRE_OK(gc_buffer_allocate(rig.context, SIZE, &next));
    fill(address, 1);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
}

static void stepped(void) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 64);
    const uint64_t places[] = {address, address + END, address}, count = 1;
    const uint32_t value = 7;
    gc_step_options options = GRAPHCAP_STEP_OPTIONS_INIT;
    gc_step_report report = GRAPHCAP_STEP_REPORT_INIT;
    gc_graph *graph = open_graph(rig.context);
    gc_node nodes[3];
    char message[2048] = "", node[64];
    size_t i;
    for (i = 0; i < LENGTH_OF(nodes); i++) {
        const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_VALUE(places[i]), GRAPHCAP_ARG_INIT_VALUE(value), GRAPHCAP_ARG_INIT_VALUE(count)};
        REQUIRE_OK(gc_graph_add_kernel_node(graph, i > 0 ? &nodes[i - 1] : NULL, i > 0, rig.fill, &config, arguments, 3, &nodes[i]));
    }
    CHECK_STATUS(gc_graph_step(graph, &options, NULL, 0, &report), GRAPHCAP_ERROR_ILLEGAL_ADDRESS);
    gc_last_error_message(message, sizeof message, NULL);
    snprintf(node, sizeof node, "node 0x%llx (kernel \"fill\"", (unsigned long long)nodes[1]);
    CHECK(check_contains(message, node));
    CHECK(check_contains(message, "24 bytes behind the end of buffer \"weights\" of 1000 bytes"));
}

static void into_the_slack(void) {
    fill(address + SIZE, 1);
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static void before_the_start(void) {
    fill(address - 4, 1);
    CHECK_OK(gc_stream_synchronize(rig.stream));
}

static const struct scene {
    const char *name;
    void (*run)(void);
    const char *words; /* of the message that ends the process; NULL where it goes on */
} scenes[] = {{"inside", inside, NULL},
              {"past_the_mapping", past_the_mapping, NULL},
              {"freed", freed, NULL},
              {"stepped", stepped, NULL},
              {"into_the_slack", into_the_slack, "byte 1000 of buffer \"weights\" of 1000 bytes"},
              {"before_the_start", before_the_start, "the byte 4 bytes before the start of buffer \"weights\""}};

static int scene_main(const char *name) {
    size_t i;
    dup2(STDOUT_FILENO, STDERR_FILENO);
    set_up();
    for (i = 0; i < LENGTH_OF(scenes); i++)
        if (strcmp(scenes[i].name, name) == 0)
            scenes[i].run();
    fflush(stdout);
    _exit(check_failures == 0 ? 3 : 1);
}

static void bad_touches_are_found(void) {
    size_t i;
    for (i = 0; i < LENGTH_OF(scenes); i++) {
        struct child child;
        const char *line;
        int status = 0, is_told = 0;
        child_start(&child, scenes[i].name, "guard");
        while ((line = child_line(&child, 60)) != NULL) {
            fprintf(stderr, "%s: %s\n", scenes[i].name, line);
            is_told |= scenes[i].words != NULL && strstr(line, scenes[i].words) != NULL;
        }
        close(child.output);
        CHECK(waitpid(child.process, &status, 0) == child.process);
        CHECK(is_told == (scenes[i].words != NULL));
        CHECK(is_told ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT : WIFEXITED(status) && WEXITSTATUS(status) == 3);
    }
}

int main(int argc, char **argv) {
    if (argc == 3)
        return scene_main(argv[1]);
    cuda_open();
    RUN(bad_touches_are_found);
    return check_finish();
}
