/* Runs the parts of programs that pages show. fragments.py takes them from the pages; what comes before them here is what the page says that
 * the reader has. A name that is declared here and set by a part is the reader's. Handles are left to the end of the process. */
#include "check.h"

static gc_context *context;
static gc_kernel *kernel, *step;

/* combine(uint32_t *out, const uint32_t *in, uint32_t count): adds. */
static int32_t combine(const gc_host_block *block, const void *const *arguments) {
    uint32_t i, *out = *(uint32_t *const *)arguments[0];
    const uint32_t *in = *(const uint32_t *const *)arguments[1];
    for (i = 0; block->block_index[0] == 0 && i < *(const uint32_t *)arguments[2]; i++)
        out[i] += in[i];
    return 0;
}

/* scale(uint32_t *data): each block adds 1 to its element. */
static int32_t add_one(const gc_host_block *block, const void *const *arguments) {
    (*(uint32_t *const *)arguments[0])[block->block_index[0]]++;
    return 0;
}

static void open_device(void) {
    static const size_t sizes[] = {8, 8, 4};
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_host_kernel kernels[] = {GRAPHCAP_HOST_KERNEL_INIT, GRAPHCAP_HOST_KERNEL_INIT};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_module *module;
    options.device_kind = GRAPHCAP_DEVICE_HOST;
    kernels[0].name = "combine", kernels[0].function = combine, kernels[0].parameter_sizes = sizes, kernels[0].parameter_count = 3;
    kernels[1].name = "scale", kernels[1].function = add_one, kernels[1].parameter_sizes = sizes, kernels[1].parameter_count = 1;
    code.host_kernels = kernels, code.host_kernel_count = 2;
    REQUIRE_OK(gc_context_create(&options, &context));
    REQUIRE_OK(gc_module_load(context, &code, &module));
    REQUIRE_OK(gc_module_get_kernel(module, "combine", &kernel));
    REQUIRE_OK(gc_module_get_kernel(module, "scale", &step));
}

static gc_stream *new_stream(void) {
    gc_stream *stream = NULL;
    REQUIRE_OK(gc_stream_create(context, NULL, &stream));
    return stream;
}

/* Holds zeroes. */
static gc_buffer *new_buffer(void) {
    gc_stream *stream = new_stream();
    gc_buffer *buffer = NULL;
    REQUIRE_OK(gc_buffer_allocate(context, 4096, &buffer));
    REQUIRE_OK(gc_stream_memset(stream, buffer, 0, 0, 4, 1024));
    REQUIRE_OK(gc_stream_synchronize(stream));
    return buffer;
}

static gc_status launch_step(const gc_stream *stream, const gc_buffer *buffer, uint32_t blocks) {
    gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER(buffer);
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(blocks, 1);
    return gc_stream_launch_kernel(stream, step, &config, &argument, 1);
}

/* A graph of two steps on the buffer. */
static gc_graph *recorded_graph(const gc_stream *stream, const gc_buffer *buffer) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch_step(stream, buffer, 1));
    REQUIRE_OK(launch_step(stream, buffer, 1));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    return graph;
}

static gc_graph_exec *exec_of(const gc_graph *graph) {
    gc_graph_exec *exec = NULL;
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    return exec;
}

static size_t nodes_of(const gc_graph *graph) {
    size_t count = 0;
    CHECK_OK(gc_graph_node_count(graph, &count));
    return count;
}

struct shape {
    uint32_t rows;
};

static unsigned recordings;
static gc_buffer *shaped;

static gc_status submit_shape(const gc_stream *stream, const struct shape *shape) {
    recordings++;
    return launch_step(stream, shaped, shape->rows);
}

#include "fragments/cache_1.h"

static void cache(void) {
    gc_graph_cache *cache;
    gc_stream *stream = new_stream();
    struct shape shape = {3};
    shaped = new_buffer();
#include "fragments/cache_2.h"
    CHECK_OK(gc_graph_cache_launch(cache, &shape, sizeof shape, stream, NULL));
    CHECK(recordings == 1);
}

static void capture_forks(void) {
    gc_stream *a = new_stream(), *b = new_stream();
    gc_event *fork, *join;
    gc_buffer *load = new_buffer(), *blur = new_buffer(), *edges = new_buffer(), *combine = new_buffer();
    gc_graph *graph;
    size_t count = 0;
    REQUIRE_OK(gc_event_create(context, NULL, &fork));
    REQUIRE_OK(gc_event_create(context, NULL, &join));
    REQUIRE_OK(gc_stream_begin_capture(a, GRAPHCAP_CAPTURE_MODE_GLOBAL));
#define launch(work, stream) CHECK_OK(launch_step(stream, work, 1))
#include "fragments/capture_1.h"
#undef launch
    REQUIRE_OK(gc_stream_end_capture(a, &graph));
    CHECK_OK(gc_graph_edge_count(graph, &count));
    CHECK(nodes_of(graph) == 4 && count == 4);
}

static void capture_exchanges_the_mode(void) {
    gc_stream *stream = new_stream();
    gc_graph *other = recorded_graph(stream, new_buffer());
    gc_graph_exec *exec;
    gc_status status = GRAPHCAP_SUCCESS;
#include "fragments/capture_2.h"
    CHECK(status == GRAPHCAP_SUCCESS && mode == GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(gc_graph_launch(exec, stream));
}

static void checking(void) {
    gc_graph *graph = recorded_graph(new_stream(), new_buffer());
#include "fragments/checking_1.h"
    CHECK(text[0] == 0);
}

static void edit_graphs(void) {
    gc_stream *stream = new_stream();
    gc_buffer *input = new_buffer(), *next_input = new_buffer();
    gc_graph_exec *exec = exec_of(recorded_graph(stream, input));
#include "fragments/edit_graphs_1.h"
    CHECK(changed == 2);
}

static void count_report(void *user_data) {
    ++*(unsigned *)user_data;
}

static void graph_texts(void) {
    gc_stream *stream = new_stream();
    gc_buffer *weights = new_buffer();
    gc_kernel *scale = step;
    gc_node report_node;
    gc_graph *graph = recorded_graph(stream, weights);
    static char text[1 << 16];
    unsigned progress = 0;
    REQUIRE_OK(gc_set_name(weights, "weights"));
    REQUIRE_OK(gc_graph_add_host_node(graph, NULL, 0, count_report, &progress, NULL, &report_node));
    REQUIRE_OK(gc_node_set_name(graph, report_node, "report"));
    REQUIRE_OK(gc_graph_export_json(graph, text, sizeof text, NULL));
#define report count_report
#include "fragments/graph_texts_1.h"
#undef report
    CHECK_OK(gc_graph_launch(exec_of(graph), stream));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(nodes_of(graph) == 3 && progress == 1);
}

static void graphs_are_built(void) {
    gc_buffer *one = new_buffer(), *other = new_buffer();
    uint32_t words[4] = {1, 2, 3, 4}, count = 4;
    gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_memcpy_params copy_in = GRAPHCAP_MEMCPY_INIT_HTOD(one, 0, words, sizeof words);
    gc_kernel_arg left[] = {GRAPHCAP_ARG_INIT_BUFFER(other), GRAPHCAP_ARG_INIT_BUFFER(one), GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_kernel_arg right[] = {GRAPHCAP_ARG_INIT_BUFFER_AT(other, 64), GRAPHCAP_ARG_INIT_BUFFER(one), GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_kernel_arg sum[] = {GRAPHCAP_ARG_INIT_BUFFER(other), GRAPHCAP_ARG_INIT_BUFFER_AT(other, 64), GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_graph *graph;
    gc_graph_exec *exec;
#include "fragments/graphs_1.h"
    CHECK(nodes_of(graph) == 4);
    CHECK_OK(gc_graph_launch(exec, new_stream()));
    CHECK_OK(gc_context_synchronize(context));
}

static void graphs_mix_both(void) {
    gc_stream *stream = new_stream();
    gc_buffer *buffer = new_buffer();
    gc_event *event;
    gc_graph *graph;
    gc_node last, node;
    REQUIRE_OK(gc_event_create(context, NULL, &event));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch_step(stream, buffer, 1));
#include "fragments/graphs_2.h"
    REQUIRE_OK(launch_step(stream, buffer, 1));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    CHECK(nodes_of(graph) == 3);
}

static void graphs_have_conditionals_within_bodies(void) {
    gc_stream *stream = new_stream();
    gc_buffer *buffer = new_buffer();
    const size_t offset = 8;
    gc_graph *graph, *body, *ended, *inner;
    gc_condition outer, condition;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL;
    gc_node node;
    REQUIRE_OK(gc_graph_create(context, &graph));
    REQUIRE_OK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &outer));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, NULL, 0, outer, GRAPHCAP_CONDITIONAL_IF, 1, &node));
    REQUIRE_OK(gc_node_get_graph(graph, node, 0, &body));
#include "fragments/graphs_3.h"
    CHECK(nodes_of(body) == 2 && nodes_of(inner) == 0);
}

static void graphs_are_watched(void) {
    gc_stream *stream = new_stream();
    gc_graph *graph = recorded_graph(stream, new_buffer());
    gc_graph_exec *exec;
#include "fragments/graphs_4.h"
    CHECK_OK(gc_stream_synchronize(stream));
}

static void input_per_request(void) {
    gc_stream *stream = new_stream();
    gc_buffer *input = new_buffer();
    gc_graph_exec *exec = exec_of(recorded_graph(stream, input));
    gc_scalar *position;
    uint32_t request = 3, seen = 0;
    REQUIRE_OK(gc_scalar_create(stream, GRAPHCAP_SCALAR_U32, &request, &position));
    request = 7;
#include "fragments/input_per_request_1.h"
    CHECK_OK(gc_scalar_read(position, stream, GRAPHCAP_SCALAR_U32, &seen));
    CHECK(seen == 7);
#include "fragments/input_per_request_2.h"
    request = 0;
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &seen, input, 0, sizeof seen));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(seen == 9);
}

static void kit_scripts_and_actors(void) {
    gc_stream *stream = new_stream();
    gc_buffer *buffer = new_buffer();
    gc_graph *graph;
    uint32_t seen = 0;
#include "fragments/kit_1.h"
    CHECK(nodes_of(graph) == 1);
    {
#include "fragments/kit_2.h"
        CHECK_OK(gc_future_wait(launched, UINT64_MAX, NULL));
    }
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &seen, buffer, 4092, sizeof seen));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(seen == 7);
}

static void math(void) {
    gc_buffer *a, *b, *c;
    gc_script *script;
    REQUIRE_OK(gc_buffer_allocate(context, sizeof(float) * 256 * 512, &a));
    REQUIRE_OK(gc_buffer_allocate(context, sizeof(float) * 512 * 128, &b));
    REQUIRE_OK(gc_buffer_allocate(context, sizeof(float) * 256 * 128, &c));
    REQUIRE_OK(gc_script_create(context, &script));
#include "fragments/math_1.h"
    CHECK_OK(gc_script_submit(script, new_stream(), NULL));
    CHECK_OK(gc_context_synchronize(context));
}

static gc_graph *combined_graph(void) {
    gc_buffer *out = new_buffer(), *in = new_buffer();
    uint32_t count = 4;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(out), GRAPHCAP_ARG_INIT_BUFFER(in), GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG(1, 1);
    gc_stream *stream = new_stream();
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(gc_stream_launch_kernel(stream, kernel, &blocks, arguments, 3));
    REQUIRE_OK(gc_stream_end_capture(stream, &graph));
    return graph;
}

static void optimize(void) {
    gc_graph *recorded = combined_graph(), *optimized;
#include "fragments/optimize_1.h"
    CHECK(nodes_of(optimized) == 1);
}

static void optimize_by_measuring(void) {
    gc_graph *recorded = combined_graph(), *optimized;
    gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
#include "fragments/optimize_2.h"
    CHECK(nodes_of(optimized) == 1);
}

static void optimize_verifies(void) {
    gc_graph *recorded = combined_graph();
#include "fragments/optimize_3.h"
    CHECK(report.finding == GRAPHCAP_VERIFY_NOTHING);
}

static void pool_sharing(void) {
    gc_pool *pool;
#include "fragments/pool_sharing_1.h"
    CHECK_OK(gc_pool_destroy(pool));
}

static uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    CHECK_OK(gc_buffer_address(buffer, &address));
    return address;
}

static void pools(void) {
    gc_stream *stream = new_stream();
    gc_pool *pool;
    gc_buffer *scratch, *other;
    gc_graph *graph;
    const size_t size = 4096;
    uint64_t first = 0;
    REQUIRE_OK(gc_pool_create(context, NULL, &pool));
#define gc_buffer_destroy_on_stream(buffer, on) (first = address_of(buffer), gc_buffer_destroy_on_stream(buffer, on))
#include "fragments/pools_1.h"
#undef gc_buffer_destroy_on_stream
    CHECK(first == address_of(other));
    CHECK_OK(gc_buffer_destroy_on_stream(other, stream));
    CHECK_OK(gc_stream_end_capture(stream, &graph));
}

static void random_numbers(void) {
    gc_stream *stream = new_stream();
    gc_buffer *noise = new_buffer();
    gc_rng_uniform_params fill = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    gc_graph *graph;
    gc_graph_exec *exec;
    gc_rng *rng;
    float seen = 0;
#include "fragments/random_1.h"
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &seen, noise, 0, sizeof seen));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(seen > 0 && seen <= 1);
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    {
#include "fragments/random_2.h"
        CHECK(argument.value_size == 32);
    }
    CHECK_OK(gc_stream_end_capture(stream, &graph));
}

static void scalars(void) {
    gc_stream *stream = new_stream();
    gc_buffer *weights = new_buffer(), *memory;
    gc_scalar *rate;
    gc_graph_exec *exec = exec_of(recorded_graph(stream, weights));
    float value = 0.1f, result = 0;
    size_t offset;
#include "fragments/scalars_1.h"
    CHECK(arguments[1].buffer == memory && result == 0.05f);
}

static void scalars_of_grids(void) {
    gc_stream *stream = new_stream();
    gc_buffer *buffer = new_buffer();
    gc_graph *graph = recorded_graph(stream, buffer);
    gc_node node, nodes[2];
    gc_scalar *blocks;
    gc_graph_exec *exec;
    uint32_t batch = 1, seen = 0;
    CHECK_OK(gc_graph_get_nodes(graph, nodes, 2, NULL));
    node = nodes[1];
    REQUIRE_OK(gc_scalar_create(stream, GRAPHCAP_SCALAR_U32, &batch, &blocks));
    batch = 5;
#define gc_scalar_update(scalar, on, type, value) (exec = exec_of(graph), gc_scalar_update(scalar, on, type, value))
#include "fragments/scalars_2.h"
#undef gc_scalar_update
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &seen, buffer, 16, sizeof seen));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK(seen == 1);
}

static void submit_model(const gc_stream *stream, size_t batch, const gc_buffer *hidden, const gc_buffer *result) {
    CHECK_OK(launch_step(stream, hidden, (uint32_t)batch));
    CHECK_OK(launch_step(stream, result, (uint32_t)batch));
}

static void small_memory(void) {
    gc_stream *stream = new_stream();
    gc_buffer *result = new_buffer(), *hidden;
    gc_pool *pool;
    gc_graph *graph;
    gc_graph_exec *execs[20];
    size_t i;
#include "fragments/small_memory_1.h"
    for (i = 0; i < 20; i++)
        CHECK_OK(gc_graph_launch(execs[i], stream));
    CHECK_OK(gc_stream_synchronize(stream));
}

/* The last one: nothing of the context is left behind it. */
static void resets(void) {
    gc_stream *old_stream = new_stream(), *stream;
    gc_graph_exec *old_exec = exec_of(recorded_graph(old_stream, new_buffer()));
#include "fragments/resets_1.h"
    CHECK_OK(gc_stream_synchronize(stream));
}

int main(void) {
    open_device();
    RUN(cache);
    RUN(capture_forks);
    RUN(capture_exchanges_the_mode);
    RUN(checking);
    RUN(edit_graphs);
    RUN(graph_texts);
    RUN(graphs_are_built);
    RUN(graphs_mix_both);
    RUN(graphs_have_conditionals_within_bodies);
    RUN(graphs_are_watched);
    RUN(input_per_request);
    RUN(kit_scripts_and_actors);
    RUN(math);
    RUN(optimize);
    RUN(optimize_by_measuring);
    RUN(optimize_verifies);
    RUN(pool_sharing);
    RUN(pools);
    RUN(random_numbers);
    RUN(scalars);
    RUN(scalars_of_grids);
    RUN(small_memory);
    RUN(resets);
    printf("%u parts of pages ran, %u checks, %u failed\n", check_tests, check_count, check_failures);
    return check_failures != 0;
}
