/* A loop like that of an inference server: requests come with inputs of other sizes in other places, and now and then with another
 * model. Each request is captured anew; gc_graph_exec_apply() has one exec do it by the cheapest way, and tells which way that was.
 * Usage: update_loop */
#include <graphcap.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "update_loop_ptx.h" /* the kernel for a GPU, made of update_loop.cu */

enum { MOST = 4096, LAYERS = 6, REQUESTS = 8, THREADS = 256 };

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "update_loop: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

/* A layer of the model: each output is max(0, weight * input + bias). */
static float forward(float in, float weight, float bias) { return fmaxf(0.0f, weight * in + bias); }
static float weight_of(int layer) { return 1.0f + 0.125f * (float)layer; }

/* The kernel for the host device. */
static int32_t layer(const gc_host_block *block, const void *const *arguments) {
    const float *in = *(const float *const *)arguments[0];
    float *out = *(float *const *)arguments[1];
    const uint32_t count = *(const uint32_t *)arguments[4];
    uint32_t i = block->block_index[0] * THREADS;
    const uint32_t end = i + THREADS < count ? i + THREADS : count;
    for (; i < end; i++)
        out[i] = forward(in[i], *(const float *)arguments[2], *(const float *)arguments[3]);
    return 0;
}

struct model {
    const gc_kernel *layer;
    gc_buffer *between[2]; /* what the layers hand on */
};

struct request {
    int layers;
    uint32_t count;
    float bias;
    const gc_buffer *in, *out;
};

/* Records what a request needs. */
static gc_graph *capture(const gc_stream *stream, const struct model *model, const struct request *request) {
    const gc_launch_config blocks = GRAPHCAP_LAUNCH_CONFIG((request->count + THREADS - 1) / THREADS, THREADS);
    gc_graph *graph;
    CHECK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < request->layers; i++) {
        const float weight = weight_of(i);
        const gc_kernel_arg arguments[] = {
            GRAPHCAP_ARG_INIT_BUFFER(i == 0 ? request->in : model->between[i % 2]),
            GRAPHCAP_ARG_INIT_BUFFER(i == request->layers - 1 ? request->out : model->between[(i + 1) % 2]),
            GRAPHCAP_ARG_INIT_VALUE(weight), GRAPHCAP_ARG_INIT_VALUE(request->bias), GRAPHCAP_ARG_INIT_VALUE(request->count)};
        CHECK(gc_stream_launch_kernel(stream, model->layer, &blocks, arguments, 5));
    }
    CHECK(gc_stream_end_capture(stream, &graph));
    return graph;
}

/* Whether the output of a request is right. */
static int is_right(const gc_stream *stream, const struct request *request, const float *input) {
    static float output[MOST];
    CHECK(gc_stream_memcpy_dtoh(stream, output, request->out, 0, request->count * sizeof(float)));
    CHECK(gc_stream_synchronize(stream));
    for (uint32_t i = 0; i < request->count; i++) {
        float expected = input[i];
        for (int layer = 0; layer < request->layers; layer++)
            expected = forward(expected, weight_of(layer), request->bias);
        if (fabsf(output[i] - expected) > 1e-4f * (1.0f + fabsf(expected))) return 0;
    }
    return 1;
}

int main(void) {
    static const char *const routes[] = {"nothing", "set", "update", "anew"};
    const size_t sizes[] = {8, 8, sizeof(float), sizeof(float), sizeof(uint32_t)};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "layer", layer, sizes, 5, NULL, 0};
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    static float input[MOST];
    gc_context *context;
    gc_module *module;
    gc_kernel *launched;
    gc_stream *stream;
    gc_buffer *in[2], *out[2];
    gc_graph_exec *exec = NULL;
    struct model model;
    int wrong = 0;

    CHECK(gc_context_create(NULL, &context));
    code.image = update_loop_ptx;
    code.image_size = sizeof update_loop_ptx;
    code.host_kernels = &kernel;
    code.host_kernel_count = 1;
    CHECK(gc_module_load(context, &code, &module));
    CHECK(gc_module_get_kernel(module, "layer", &launched));
    model.layer = launched;
    CHECK(gc_stream_create(context, NULL, &stream));
    for (int i = 0; i < MOST; i++) input[i] = (float)(i % 100) / 10.0f - 5.0f;
    for (int i = 0; i < 2; i++) {
        CHECK(gc_buffer_allocate(context, sizeof input, &model.between[i]));
        CHECK(gc_buffer_allocate(context, sizeof input, &in[i]));
        CHECK(gc_buffer_allocate(context, sizeof input, &out[i]));
        CHECK(gc_stream_memcpy_htod(stream, in[i], 0, input, sizeof input));
    }

    printf("request  inputs  layers  way      us    why\n");
    for (int i = 0; i < REQUESTS; i++) {
        /* Every other place, sizes of all kinds, and from the sixth request on a model with fewer layers. */
        const struct request request = {i < 5 ? LAYERS : LAYERS - 2, 500u * (uint32_t)(1 + i % 4), 0.5f, in[i % 2], out[i % 2]};
        gc_graph_exec_apply_report report = GRAPHCAP_GRAPH_EXEC_APPLY_REPORT_INIT;
        gc_graph *graph = capture(stream, &model, &request);
        if (exec == NULL) CHECK(gc_graph_instantiate(graph, NULL, &exec));
        /* The first time there is nothing to do. A graph that is like the one before updates the exec, and another one makes it
         * anew, behind the same handle. */
        CHECK(gc_graph_exec_apply(exec, graph, NULL, &report));
        CHECK(gc_graph_launch(exec, stream));
        gc_graph_destroy(graph); /* the exec keeps what it needs */
        printf("%7d  %6u  %6d  %-7s  %4.0f  %s\n", i, request.count, request.layers, routes[report.route],
               (double)report.nanoseconds / 1000.0, gc_graph_exec_apply_reason_description(report.reason));
        wrong += !is_right(stream, &request, input);
    }
    printf("%d of %d requests are right\n", REQUESTS - wrong, REQUESTS);

    gc_graph_exec_destroy(exec);
    for (int i = 0; i < 2; i++) {
        gc_buffer_destroy(out[i]);
        gc_buffer_destroy(in[i]);
        gc_buffer_destroy(model.between[i]);
    }
    gc_stream_destroy(stream);
    gc_kernel_destroy(launched);
    gc_module_destroy(module);
    gc_context_destroy(context);
    return wrong;
}
