/* Calls that need more memory than there is: where the caller decides how much that is they answer
 * GRAPHCAP_ERROR_OUT_OF_MEMORY, and work when there is memory again. */
#include "refuse_memory.h"

#include "kernels.h"

enum {
    NODES = 20000,
    /* Each of the lists of such a graph is larger. */
    LARGE = 64 << 10
};

static struct rig rig;
static gc_buffer *buffer;
static gc_graph *graph;

/* On a GPU the driver would be refused memory too. The stand-in for it takes little. */
#define NOT_ON_A_GPU()                                                                       \
    do {                                                                                     \
        if (getenv("GRAPHCAP_CUDA_LIBRARY") == NULL)                                         \
            NOT_ON_CUDA("what the driver does without memory is not graphcap's to decide");  \
    } while (0)

/* The call is refused while large pieces of memory are, and nothing is made. */
#define CHECK_NO_MEMORY(call)                                          \
    do {                                                               \
        uint64_t handles_before = gc_live_handles();                   \
        gc_status answer;                                              \
        refuse_from(LARGE);                                            \
        answer = (call);                                               \
        refused_size = 0;                                              \
        check_message(__FILE__, __LINE__, #call, answer, GRAPHCAP_ERROR_OUT_OF_MEMORY, "memory"); \
        CHECK(refused_count > 0 && gc_live_handles() == handles_before); \
    } while (0)

static void record_many(void) {
    unsigned i;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    for (i = 0; i < NODES; i++)
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
}

static void graphs_are_instantiated_when_there_is_memory_again(void) {
    gc_graph_exec *exec = NULL;
    uint32_t before;
    NOT_ON_CUDA("the driver makes the exec");
    before = read_u32(rig.stream, buffer, 0);
    CHECK_NO_MEMORY(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(exec == NULL);
    CHECK_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == before + NODES);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void nodes_and_edges_are_listed_when_there_is_memory_again(void) {
    size_t size = (size_t)NODES * sizeof(gc_node), needed = 0;
    gc_node *nodes, *others;
    NOT_ON_A_GPU();
    nodes = (gc_node *)malloc(size);
    others = (gc_node *)malloc(size);
    CHECK_NO_MEMORY(gc_graph_get_nodes(graph, nodes, NODES, &needed));
    CHECK(needed == 0);
    CHECK_OK(gc_graph_get_nodes(graph, nodes, NODES, &needed));
    CHECK(needed == NODES);
    CHECK_NO_MEMORY(gc_graph_get_edges(graph, nodes, others, NULL, NODES, &needed));
    CHECK_OK(gc_graph_get_edges(graph, nodes, others, NULL, NODES, &needed));
    CHECK(needed == NODES - 1);
    free(nodes);
    free(others);
}

static void texts_are_written_when_there_is_memory_again(void) {
    char text[64];
    size_t needed = 0;
    NOT_ON_A_GPU();
    CHECK_NO_MEMORY(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, &needed));
    CHECK(needed == 0);
    CHECK_STATUS(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, &needed),
                 GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed > NODES);
    CHECK_NO_MEMORY(gc_graph_export_json(graph, text, sizeof text, &needed));
    CHECK(needed == 0);
    CHECK_STATUS(gc_graph_export_json(graph, text, sizeof text, &needed), GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    CHECK(needed > NODES);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    refuse_from(LARGE);
    CHECK_STATUS(gc_stream_export_capture_dot(rig.stream, 0, text, sizeof text, &needed),
                 GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
    refuse_from(0);
    CHECK_OK(gc_graph_exec_destroy(finish_capture(rig.stream)));
}

/* A capture that cannot grow is broken, as by any other work that cannot be recorded, and the stream goes on. */
static void captures_that_cannot_grow_are_broken(void) {
    gc_graph *broken = NULL;
    gc_status status = GRAPHCAP_SUCCESS;
    unsigned i;
    NOT_ON_CUDA("the driver records");
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    refuse_from(4 * LARGE);
    for (i = 0; i < NODES && status == GRAPHCAP_SUCCESS; i++)
        status = gc_stream_memset(rig.stream, buffer, 0, 0, 4, 1);
    refuse_from(0);
    CHECK_STATUS(status, GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &broken), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
}

static void arguments_are_read_when_there_is_memory_again(void) {
    enum { MANY = 30000 };
    gc_kernel_arg *arguments = (gc_kernel_arg *)calloc(MANY, sizeof *arguments);
    gc_host_kernel *kernels = (gc_host_kernel *)calloc(MANY, sizeof *kernels);
    gc_node *nodes = (gc_node *)calloc(MANY, sizeof *nodes);
    size_t *sizes = (size_t *)calloc(MANY, sizeof *sizes);
    const gc_module **modules = (const gc_module **)calloc(MANY, sizeof *modules);
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_module *module = NULL;
    gc_capture *capture = NULL;
    uint32_t value = 1;
    unsigned i;
    for (i = 0; i < MANY; i++) {
        const gc_kernel_arg argument = GRAPHCAP_ARG_INIT_VALUE(value);
        arguments[i] = argument;
        kernels[i] = test_kernels[0];
        sizes[i] = 4;
        modules[i] = rig.module;
    }
    CHECK_NO_MEMORY(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, MANY));
    CHECK_STATUS(gc_stream_launch_kernel(rig.stream, rig.fill, &config, arguments, MANY), GRAPHCAP_ERROR_INVALID_VALUE);
    description.host_kernels = kernels;
    description.host_kernel_count = MANY;
    CHECK_NO_MEMORY(gc_module_load(rig.context, &description, &module));
    CHECK_STATUS(gc_module_load(rig.context, &description, &module), GRAPHCAP_ERROR_INVALID_VALUE);
    kernels[0].parameter_sizes = sizes;
    kernels[0].parameter_count = MANY;
    description.host_kernel_count = 1;
    CHECK_NO_MEMORY(gc_module_load(rig.context, &description, &module));
    options.modules = modules;
    options.module_count = MANY;
    CHECK_NO_MEMORY(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    options.module_count = 0;
    options.graph = graph;
    options.dependencies = nodes;
    options.dependency_count = MANY;
    CHECK_NO_MEMORY(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, NULL));
    CHECK_NO_MEMORY(gc_stream_update_capture_dependencies(rig.stream, nodes, NULL, MANY, GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    /* So many that the lists of nodes are not large, but those of nodes or edges with data are. */
    CHECK_NO_MEMORY(gc_graph_add_dependencies(graph, nodes, nodes, NULL, 3000));
    CHECK_NO_MEMORY(gc_stream_update_capture_dependencies(rig.stream, nodes, NULL, 5000,
                                                                    GRAPHCAP_CAPTURE_DEPENDENCIES_SET));
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    free(modules);
    free(sizes);
    free(nodes);
    free(kernels);
    free(arguments);
}

/* The planner of the host device ends the process where memory is missing, so that it is asked for before. */
static void transforms_are_planned_when_there_is_memory_again(void) {
    enum { LENGTH = 1 << 14 };
    gc_fft_plan_params params = GRAPHCAP_FFT_PLAN_PARAMS_INIT;
    gc_fft_params transform = GRAPHCAP_FFT_PARAMS_INIT;
    gc_work op = GRAPHCAP_WORK_INIT;
    gc_fft_plan *plan = NULL;
    gc_script *script = NULL;
    gc_graph *recorded = NULL;
    gc_buffer *input, *output;
    NOT_ON_CUDA("cuFFT makes the plan");
    params.length = LENGTH;
    CHECK_NO_MEMORY(gc_fft_plan_create(rig.context, &params, &plan));
    CHECK(plan == NULL);
    input = open_buffer(rig.context, LENGTH * sizeof(float));
    output = open_buffer(rig.context, (LENGTH / 2 + 1) * 2 * sizeof(float));
    transform.plan_params = &params;
    transform.input = input;
    transform.output = output;
    op.kind = GRAPHCAP_WORK_FFT_R2C;
    op.fft_params = &transform;
    CHECK_OK(gc_script_create(rig.context, &script));
    CHECK_OK(gc_script_push(script, &op));
    CHECK_NO_MEMORY(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &recorded));
    CHECK_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, &recorded));
    CHECK_OK(gc_fft_plan_create(rig.context, &params, &plan));
    CHECK_OK(gc_fft_plan_destroy(plan));
    CHECK_OK(gc_graph_destroy(recorded));
    CHECK_OK(gc_script_destroy(script));
    CHECK_OK(gc_buffer_destroy(input));
    CHECK_OK(gc_buffer_destroy(output));
}

static void images_are_copied_when_there_is_memory_again(void) {
    enum { SIZE = 1 << 20 };
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module = NULL;
    char *image;
    NOT_ON_HOST("the host device uses no image");
    image = (char *)calloc(SIZE, 1);
    memset(image, ' ', SIZE - 1);
    memcpy(image, kernels_ptx, sizeof kernels_ptx - 1);
    description.image = image;
    description.image_size = SIZE;
    CHECK_NO_MEMORY(gc_module_load(rig.context, &description, &module));
    free(image);
}

int main(void) {
    rig_open(&rig);
    buffer = open_buffer(rig.context, 16);
    record_many();
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    RUN(graphs_are_instantiated_when_there_is_memory_again);
    RUN(nodes_and_edges_are_listed_when_there_is_memory_again);
    RUN(texts_are_written_when_there_is_memory_again);
    RUN(captures_that_cannot_grow_are_broken);
    RUN(arguments_are_read_when_there_is_memory_again);
    RUN(transforms_are_planned_when_there_is_memory_again);
    RUN(images_are_copied_when_there_is_memory_again);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
