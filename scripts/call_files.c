/* call_files CALL: makes one of four calls once within way(), in the third of three rounds of captures, updates and launches. call_files.py runs it by callgrind,
 * and lists the source files of what ran. */
#include <graphcap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check(call, #call)

static void check(gc_status status, const char *call) {
    char message[512] = "";
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", call, message);
    exit(EXIT_FAILURE);
}

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

static const char *const ptx = ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry nothing(.param .u64 at)\n{\n ret;\n}\n";
static gc_context *context;
static gc_stream *stream;
static gc_module *module;
static gc_kernel *kernel;
static gc_buffer *buffer;
static gc_graph *graph;
static gc_graph_exec *exec;

static void open(void) {
    static const size_t sizes[] = {sizeof(void *)};
    static const gc_host_kernel kernels[] = {{(uint32_t)sizeof(gc_host_kernel), 0, "nothing", nothing, sizes, 1, NULL, 0}};
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    description.image = ptx;
    description.image_size = strlen(ptx) + 1;
    description.host_kernels = kernels;
    description.host_kernel_count = 1;
    CHECK(gc_context_create(NULL, &context));
    CHECK(gc_stream_create(context, NULL, &stream));
    CHECK(gc_module_load(context, &description, &module));
    CHECK(gc_module_get_kernel(module, "nothing", &kernel));
    CHECK(gc_buffer_allocate(context, 64, &buffer));
}

static void launch_kernel(void) {
    const gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(buffer);
    CHECK(gc_stream_launch_kernel(stream, kernel, &config, &argument, 1));
}

static void begin(void) {
    CHECK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
}

/* The call that is looked at, with what it needs and no other call of graphcap's. */
__attribute__((noinline)) void way(const char *call) {
    if (strcmp(call, "gc_stream_launch_kernel") == 0) launch_kernel();
    else if (strcmp(call, "gc_graph_launch") == 0) CHECK(gc_graph_launch(exec, stream));
    else if (strcmp(call, "gc_stream_end_capture") == 0) CHECK(gc_stream_end_capture(stream, &graph));
    else CHECK(gc_graph_exec_update(exec, graph, 0, NULL));
}

/* Whether the call is the one that is looked at: then it is made within way(). */
static int is_the_one(const char *call, const char *name) {
    if (strcmp(call, name) != 0) return 0;
    way(name);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 2) return EXIT_FAILURE;
    open();
    for (int round = 0; round < 3; round++) {
        const char *call = round == 2 ? argv[1] : "";
        begin();
        launch_kernel();
        if (!is_the_one(call, "gc_stream_launch_kernel")) launch_kernel();
        if (!is_the_one(call, "gc_stream_end_capture")) CHECK(gc_stream_end_capture(stream, &graph));
        if (exec == NULL) CHECK(gc_graph_instantiate(graph, NULL, &exec));
        else if (!is_the_one(call, "gc_graph_exec_update")) CHECK(gc_graph_exec_update(exec, graph, 0, NULL));
        /* The first launch behind an update compiles the exec of a host device anew. */
        CHECK(gc_graph_launch(exec, stream));
        if (!is_the_one(call, "gc_graph_launch")) CHECK(gc_graph_launch(exec, stream));
        CHECK(gc_stream_synchronize(stream));
        CHECK(gc_graph_destroy(graph));
    }
    CHECK(gc_graph_exec_destroy(exec));
    CHECK(gc_buffer_destroy(buffer));
    CHECK(gc_kernel_destroy(kernel));
    CHECK(gc_module_destroy(module));
    CHECK(gc_stream_destroy(stream));
    CHECK(gc_context_destroy(context));
    return EXIT_SUCCESS;
}
