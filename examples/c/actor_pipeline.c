/* An actor replays a pipeline: a script of two kernels and a copy is recorded once, on the actor's thread, and launched by messages,
 * many of which are in flight. The program waits for the oldest, and tells how far it is. At the end the actor writes the graph.
 * Usage: actor_pipeline [FILE.dot], then: dot -Tsvg FILE.dot -o FILE.svg */
#include <graphcap.h>

#include <stdio.h>
#include <stdlib.h>

#include "update_loop_ptx.h" /* the kernel for a GPU, made of update_loop.cu */

enum { COUNT = 1000, THREADS = 256, LAUNCHES = 2000, IN_FLIGHT = 64 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "actor_pipeline: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* The kernel for the host device: each output is max(0, weight * input + bias). */
static int32_t layer(const gc_host_block *block, const void *const *arguments) {
    const float *in = *(const float *const *)arguments[0];
    float *out = *(float *const *)arguments[1];
    const float weight = *(const float *)arguments[2], bias = *(const float *)arguments[3];
    const uint32_t count = *(const uint32_t *)arguments[4];
    uint32_t i = block->block_index[0] * THREADS;
    const uint32_t end = i + THREADS < count ? i + THREADS : count;
    for (; i < end; i++) out[i] = weight * in[i] + bias > 0 ? weight * in[i] + bias : 0;
    return 0;
}

/* Adds 1 to each number, on the way from one buffer to the other. */
static void push_layer(const gc_script *script, const gc_kernel *kernel, const gc_buffer *from, const gc_buffer *to) {
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG((COUNT + THREADS - 1) / THREADS, THREADS);
    const float weight = 1, bias = 1;
    const uint32_t count = COUNT;
    const gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(from), GRAPHCAP_ARG_INIT_BUFFER(to),
                                       GRAPHCAP_ARG_INIT_VALUE(weight), GRAPHCAP_ARG_INIT_VALUE(bias),
                                       GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_work op = GRAPHCAP_WORK_INIT;
    op.kind = GRAPHCAP_WORK_KERNEL;
    op.kernel = kernel;
    op.config = &blocks;
    op.arguments = arguments;
    op.argument_count = 5;
    CHECK(gc_script_push(script, &op));
}

static void push_copy(const gc_script *script, const gc_memcpy_params *copy) {
    gc_work op = GRAPHCAP_WORK_INIT;
    op.kind = GRAPHCAP_WORK_MEMCPY;
    op.memcpy_params = copy;
    CHECK(gc_script_push(script, &op));
}

/* Waits for the answer, which is destroyed. */
static void finish(gc_future *future) {
    CHECK(gc_future_wait(future, UINT64_MAX, NULL));
    gc_future_destroy(future);
}

static void write_picture(const gc_actor *actor, const gc_graph_exec *exec, const char *path) {
    gc_future *written;
    size_t size;
    char *text;
    FILE *file;
    CHECK(gc_actor_export_dot(actor, exec, 0, &written));
    CHECK(gc_future_wait(written, UINT64_MAX, NULL));
    CHECK(gc_future_text(written, NULL, 0, &size));
    text = malloc(size);
    file = fopen(path, "w");
    if (text == NULL || file == NULL) {
        fprintf(stderr, "actor_pipeline: %s cannot be written\n", path);
        exit(1);
    }
    CHECK(gc_future_text(written, text, size, NULL));
    fputs(text, file);
    fclose(file);
    free(text);
    gc_future_destroy(written);
    printf("%s has the graph\n", path);
}

int main(int argc, char **argv) {
    const size_t sizes[] = {8, 8, sizeof(float), sizeof(float), sizeof(uint32_t)}, bytes = COUNT * sizeof(float);
    const gc_host_kernel host_kernel = {sizeof(gc_host_kernel), 0, "layer", layer, sizes, 5, NULL, 0};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_future *flying[IN_FLIGHT], *recorded;
    gc_context *context;
    gc_module *module;
    gc_kernel *kernel;
    gc_buffer *a, *b;
    gc_host_buffer *pinned;
    gc_script *script;
    gc_actor *actor;
    gc_graph_exec *exec;
    void *seen;
    int wrong = 0;

    CHECK(gc_context_create(NULL, &context));
    code.image = update_loop_ptx;
    code.image_size = sizeof update_loop_ptx;
    code.host_kernels = &host_kernel;
    code.host_kernel_count = 1;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "layer", &kernel));
    CHECK(gc_buffer_allocate(context, bytes, &a));
    CHECK(gc_buffer_allocate(context, bytes, &b));
    CHECK(gc_host_buffer_allocate(context, bytes, 0, &pinned));
    {
        const gc_memset_params clear = GRAPHCAP_MEMSET_INIT(a, 0, 0, 4, COUNT, 1, 0);
        CHECK(gc_context_memset(context, &clear));
    }

    /* What one launch does. The actor records it, so that this thread captures nothing. */
    CHECK(gc_script_create(context, &script));
    push_layer(script, kernel, a, b);
    push_layer(script, kernel, b, a);
    {
        gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(NULL, a, 0, bytes);
        out.destination_host_buffer = pinned;
        push_copy(script, &out);
    }
    CHECK(gc_actor_create(context, NULL, &actor));
    CHECK(gc_actor_record(actor, script, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, 0, &recorded));
    CHECK(gc_future_wait(recorded, UINT64_MAX, NULL));
    CHECK(gc_future_take_exec(recorded, &exec));
    gc_future_destroy(recorded);
    gc_script_destroy(script); /* the graph exec keeps what it needs */

    for (int i = 0; i < LAUNCHES + IN_FLIGHT; i++) {
        if (i >= IN_FLIGHT) finish(flying[i % IN_FLIGHT]);
        if (i < LAUNCHES) CHECK(gc_actor_launch(actor, exec, &flying[i % IN_FLIGHT]));
        if (i >= IN_FLIGHT && (i - IN_FLIGHT + 1) % (LAUNCHES / 20) == 0) {
            printf("\r%d of %d launches have completed", i - IN_FLIGHT + 1, LAUNCHES);
            fflush(stdout);
        }
    }
    printf("\n");
    write_picture(actor, exec, argc > 1 ? argv[1] : "actor_pipeline.dot");
    CHECK(gc_actor_close(actor, UINT64_MAX));

    /* Each launch has added 2. */
    CHECK(gc_host_buffer_pointer(pinned, &seen));
    for (int i = 0; i < COUNT; i++) wrong += ((const float *)seen)[i] != 2.0f * LAUNCHES;
    printf("%d numbers are wrong\n", wrong);

    gc_actor_destroy(actor);
    gc_graph_exec_destroy(exec);
    gc_host_buffer_destroy(pinned);
    gc_buffer_destroy(b);
    gc_buffer_destroy(a);
    gc_kernel_destroy(kernel);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return wrong != 0;
}
