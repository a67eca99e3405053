/* A feed-forward block of a transformer and what draws the next token: logits = W2 gelu(W1 X + bias), then each token is drawn by the
 * softmax of its logits. A script describes the block, an actor records and replays it. Each replay draws new random numbers.
 * Usage: transformer_block, which writes the graph as transformer_block.dot, and as .svg where graphviz is installed */
#include <graphcap.h>

#include "transformer_block.h"
#include "transformer_block_ptx.h" /* the kernels for a GPU, made of transformer_block.cu */

enum { LAUNCHES = 1000, IN_FLIGHT = 50 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "transformer_block: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(status == GRAPHCAP_ERROR_LIBRARY ? 77 : 1); /* 77: there is no cuBLAS here */
}

/* The kernels for the host device. */
static int32_t bias_gelu(const gc_host_block *block, const void *const *arguments) {
    float *hidden = *(float *const *)arguments[0];
    const float *added = *(const float *const *)arguments[1];
    const uint32_t rows = *(const uint32_t *)arguments[2], count = *(const uint32_t *)arguments[3];
    const uint32_t first = block->block_index[0] * THREADS, end = first + THREADS < count ? first + THREADS : count;
    for (uint32_t i = first; i < end; i++) hidden[i] = gelu(hidden[i] + added[i % rows]);
    return 0;
}

static int32_t sample(const gc_host_block *block, const void *const *arguments) {
    const uint32_t token = block->block_index[0], choices = *(const uint32_t *)arguments[3];
    const float *logits = *(const float *const *)arguments[0] + (size_t)token * choices;
    (*(uint32_t *const *)arguments[2])[token] = drawn(logits, (*(const float *const *)arguments[1])[token], choices);
    return 0;
}

/* Adds an op. What is not named is 0. */
#define PUSH(...) CHECK(gc_script_push(script, &(gc_work){.struct_size = sizeof(gc_work), __VA_ARGS__}))

/* C = A B, with `m` rows, and a column for each token; the operands by their places in the memory. */
static void push_product(const gc_script *script, gc_buffer *memory, uint64_t m, uint64_t k, size_t a, size_t b, size_t c) {
    gc_sgemm_params product = GRAPHCAP_SGEMM_PARAMS_INIT;
    product.m = m, product.n = TOKENS, product.k = k, product.alpha = 1;
    product.a = product.b = product.c = memory;
    product.a_offset = a, product.b_offset = b, product.c_offset = c;
    PUSH(.kind = GRAPHCAP_WORK_SGEMM, .sgemm_params = &product);
}

static void push_kernel(const gc_script *script, const gc_module *module, const char *name, uint32_t blocks,
                        const gc_kernel_arg *arguments) {
    const gc_launch_config shape = GRAPHCAP_LAUNCH_CONFIG(blocks, THREADS);
    gc_kernel *kernel;
    CHECK(gc_module_get_kernel(module, name, &kernel));
    PUSH(.kind = GRAPHCAP_WORK_KERNEL, .kernel = kernel, .config = &shape, .arguments = arguments, .argument_count = 4);
    gc_kernel_destroy(kernel); /* the script keeps it */
}

#define PLACE(member) offsetof(block_memory, member)
#define ARGUMENT(member) GRAPHCAP_ARG_INIT_BUFFER_AT(memory, PLACE(member))
static void push_block(const gc_script *script, const gc_module *module, const gc_rng *rng, gc_buffer *memory,
                       gc_host_buffer *seen) {
    const uint32_t rows = HIDDEN, count = HIDDEN * TOKENS, choices = CHOICES;
    const gc_kernel_arg to_bias_gelu[] = {ARGUMENT(hidden), ARGUMENT(bias), GRAPHCAP_ARG_INIT_VALUE(rows),
                                          GRAPHCAP_ARG_INIT_VALUE(count)};
    const gc_kernel_arg to_sample[] = {ARGUMENT(results.logits), ARGUMENT(results.uniform), ARGUMENT(results.choice),
                                       GRAPHCAP_ARG_INIT_VALUE(choices)};
    const gc_rng_uniform_params draw = {sizeof draw, 0, rng, memory, PLACE(results.uniform), TOKENS, 0};
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, memory, PLACE(results), sizeof(block_results));
    copy.destination_host_buffer = seen;
    push_product(script, memory, HIDDEN, WIDTH, PLACE(w1), PLACE(x), PLACE(hidden));
    push_kernel(script, module, "bias_gelu", (HIDDEN * TOKENS + THREADS - 1) / THREADS, to_bias_gelu);
    push_product(script, memory, CHOICES, HIDDEN, PLACE(w2), PLACE(hidden), PLACE(results.logits));
    PUSH(.kind = GRAPHCAP_WORK_RNG_UNIFORM, .rng_uniform_params = &draw);
    push_kernel(script, module, "sample", TOKENS, to_sample);
    PUSH(.kind = GRAPHCAP_WORK_MEMCPY, .memcpy_params = &copy);
}

static void write_picture(const gc_actor *actor, const gc_graph_exec *exec) {
    static char text[65536];
    gc_future *written;
    CHECK(gc_actor_export_dot(actor, exec, 0, &written));
    CHECK(gc_future_wait(written, UINT64_MAX, NULL));
    CHECK(gc_future_text(written, text, sizeof text, NULL));
    gc_future_destroy(written);
    write_graph("transformer_block", text);
}

int main(void) {
    const size_t sizes[2][4] = {{8, 8, 4, 4}, {8, 8, 8, 4}};
    const gc_host_kernel host_kernels[] = {{sizeof(gc_host_kernel), 0, "bias_gelu", bias_gelu, sizes[0], 4, NULL, 0},
                                           {sizeof(gc_host_kernel), 0, "sample", sample, sizes[1], 4, NULL, 0}};
    const gc_module_description code = {sizeof code, 0, transformer_block_ptx, sizeof transformer_block_ptx, host_kernels, 2,
                                        NULL, 0};
    gc_future *flying[IN_FLIGHT], *recorded;
    gc_context *context;
    gc_stream *stream;
    gc_module *module;
    gc_rng *rng;
    gc_buffer *memory;
    gc_host_buffer *pinned;
    gc_script *script;
    gc_actor *actor;
    gc_graph_exec *exec;
    void *seen;
    int wrong = 0;

    make_up();
    CHECK(gc_context_create(NULL, &context));
    CHECK(gc_stream_create(context, NULL, &stream));
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_rng_create(stream, 17, 0, &rng));
    CHECK(gc_buffer_allocate(context, sizeof given, &memory));
    CHECK(gc_stream_memcpy_htod(stream, memory, 0, &given, sizeof given));
    CHECK(gc_stream_synchronize(stream));
    CHECK(gc_host_buffer_allocate(context, sizeof(block_results), 0, &pinned));
    CHECK(gc_host_buffer_pointer(pinned, &seen));

    CHECK(gc_script_create(context, &script));
    push_block(script, module, rng, memory, pinned);
    CHECK(gc_actor_create(context, NULL, &actor));
    CHECK(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, 0, &recorded));
    CHECK(gc_future_wait(recorded, UINT64_MAX, NULL));
    CHECK(gc_future_take_exec(recorded, &exec)); /* keeps what it needs */
    write_picture(actor, exec);
    for (int done = 0; done < LAUNCHES;) {
        for (int i = 0; i < IN_FLIGHT; i++) CHECK(gc_actor_launch(actor, exec, &flying[i]));
        for (int i = 0; i < IN_FLIGHT; i++, done++) {
            CHECK(gc_future_wait(flying[i], UINT64_MAX, NULL));
            gc_future_destroy(flying[i]);
        }
        wrong += wrong_results((const block_results *)seen);
        show_progress(done, LAUNCHES, wrong);
    }
    CHECK(gc_actor_close(actor, UINT64_MAX));

    gc_future_destroy(recorded);
    gc_actor_destroy(actor);
    gc_graph_exec_destroy(exec);
    gc_script_destroy(script);
    gc_host_buffer_destroy(pinned);
    gc_buffer_destroy(memory);
    gc_rng_destroy(rng);
    gc_module_destroy(module);
    gc_stream_destroy(stream);
    gc_context_destroy(context);
    return wrong != 0;
}
