/* Solves -u'' = 2 with u = 0 at both ends by Jacobi's method, until no value changes any more. One launch does it all: a while
 * in the graph goes on as long as a word in device memory says so, and the CPU looks at nothing in between.
 * Usage: while_solver */
#include <graphcap.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "while_solver_ptx.h" /* the kernels for a GPU, made of while_solver.cu */

enum { POINTS = 32, BYTES = (POINTS + 2) * sizeof(float) };
#define TOLERANCE 1e-7f

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "while_solver: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* The kernels for the host device. sweep: one point, a block each. */
static int32_t sweep(const gc_host_block *block, const void *const *arguments) {
    const float *from = *(const float *const *)arguments[0];
    float *to = *(float *const *)arguments[1];
    const uint32_t i = block->block_index[0] + 1;
    to[i] = 0.5f * (from[i - 1] + from[i + 1] + *(const float *)arguments[2]);
    return 0;
}
/* judge: state[0] is whether to go on, state[1] counts the sweeps. */
static int32_t judge(const gc_host_block *block, const void *const *arguments) {
    const float *a = *(const float *const *)arguments[0], *b = *(const float *const *)arguments[1];
    uint32_t *state = *(uint32_t *const *)arguments[2], goes_on = 0;
    (void)block;
    for (uint32_t i = 1; i <= *(const uint32_t *)arguments[3]; i++)
        goes_on |= fabsf(a[i] - b[i]) > *(const float *)arguments[4];
    state[0] = goes_on;
    state[1] += 2;
    return 0;
}

/* A sweep from one buffer to the other. */
static gc_node add_sweep(const gc_graph *body, const gc_node *after, const gc_kernel *kernel, const gc_buffer *from,
                         const gc_buffer *to) {
    const float h = 1.0f / (POINTS + 1), source = 2 * h * h;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(from), GRAPHCAP_ARG_INIT_BUFFER(to),
                                       GRAPHCAP_ARG_INIT_VALUE(source)};
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG(POINTS, 1);
    gc_node node;
    CHECK(gc_graph_add_kernel_node(body, after, after != NULL, kernel, &blocks, arguments, 3, &node));
    return node;
}

int main(void) {
    const size_t sweep_sizes[] = {8, 8, sizeof(float)}, judge_sizes[] = {8, 8, 8, sizeof(uint32_t), sizeof(float)};
    const gc_host_kernel kernels[] = {{sizeof(gc_host_kernel), 0, "sweep", sweep, sweep_sizes, 3, NULL, 0},
                                      {sizeof(gc_host_kernel), 0, "judge", judge, judge_sizes, 5, NULL, 0}};
    const gc_launch_config one = GRAPHCAP_LAUNCH_CONFIG_INIT;
    const float zeros[POINTS + 2] = {0}, tolerance = TOLERANCE;
    const uint32_t points = POINTS;
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_context *context;
    gc_module *module;
    gc_kernel *sweeping, *judging;
    gc_buffer *a, *b, *state;
    gc_stream *stream;
    gc_graph *graph, *body;
    gc_graph_exec *exec;
    gc_condition goes_on;
    gc_node loop, forth, back, judged, set;
    float u[POINTS + 2], worst = 0;
    uint32_t seen[2] = {0, 0};

    CHECK(gc_context_create(NULL, &context));
    code.image = while_solver_ptx;
    code.image_size = sizeof while_solver_ptx;
    code.host_kernels = kernels;
    code.host_kernel_count = 2;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "sweep", &sweeping));
    CHECK(gc_module_get_kernel(module, "judge", &judging));
    CHECK(gc_stream_create(context, NULL, &stream));
    CHECK(gc_buffer_allocate(context, BYTES, &a));
    CHECK(gc_buffer_allocate(context, BYTES, &b));
    CHECK(gc_buffer_allocate(context, sizeof seen, &state));
    CHECK(gc_stream_memcpy_htod(stream, a, 0, zeros, BYTES));
    CHECK(gc_stream_memcpy_htod(stream, b, 0, zeros, BYTES));
    CHECK(gc_stream_memset(stream, state, 0, 0, 4, 2));

    /* Each launch begins with a turn; each turn is a sweep forth and one back, and decides about the next turn. */
    CHECK(gc_graph_create(context, &graph));
    CHECK(gc_graph_create_condition(graph, 1, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, &goes_on));
    CHECK(gc_graph_add_conditional_node(graph, NULL, 0, goes_on, GRAPHCAP_CONDITIONAL_WHILE, 1, &loop));
    CHECK(gc_node_get_graph(graph, loop, 0, &body));
    forth = add_sweep(body, NULL, sweeping, a, b);
    back = add_sweep(body, &forth, sweeping, b, a);
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(a), GRAPHCAP_ARG_INIT_BUFFER(b),
                                       GRAPHCAP_ARG_INIT_BUFFER(state), GRAPHCAP_ARG_INIT_VALUE(points),
                                       GRAPHCAP_ARG_INIT_VALUE(tolerance)};
    CHECK(gc_graph_add_kernel_node(body, &back, 1, judging, &one, arguments, 5, &judged));
    CHECK(gc_graph_add_set_condition_node(body, &judged, 1, goes_on, state, 0, &set));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));

    CHECK(gc_graph_launch(exec, stream)); /* all of it */
    CHECK(gc_stream_memcpy_dtoh(stream, u, a, 0, BYTES));
    CHECK(gc_stream_memcpy_dtoh(stream, seen, state, 0, sizeof seen));
    CHECK(gc_stream_synchronize(stream));
    for (int i = 0; i < POINTS + 2; i++) {
        const float x = (float)i / (POINTS + 1);
        worst = fmaxf(worst, fabsf(u[i] - x * (1 - x)));
    }
    printf("%u sweeps, at most %g from the solution x (1 - x)\n", seen[1], (double)worst);

    gc_graph_exec_destroy(exec);
    gc_graph_destroy(body);
    gc_graph_destroy(graph);
    gc_buffer_destroy(state);
    gc_buffer_destroy(b);
    gc_buffer_destroy(a);
    gc_stream_destroy(stream);
    gc_kernel_destroy(judging);
    gc_kernel_destroy(sweeping);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return seen[0] == 0 && seen[1] > 2 && worst < 1e-3f ? 0 : 1;
}
