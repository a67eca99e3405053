/* Finds the edges in a picture, with a graph that is captured once and replayed for every frame of a film.
 * Usage: quickstart PICTURE(.ppm or .pgm) [NAME]    writes NAME.pgm, the edges, and NAME.dot, the graph; NAME: "edges"
 * The pipeline: copy in -> grey -> blur -> blur -> (gradient along x, beside it along y) -> magnitude -> copy out */
#include "quickstart_kernels.h"
#include "quickstart_picture.h"

#include <string.h>
#include <time.h>

enum { FRAMES = 200, TILE_WIDTH = 64, TILE_HEIGHT = 4 }; /* a block has a tile of the picture */
enum { PICTURE, BRIGHTNESS, BLURRED, ALONG_X, ALONG_Y, EDGES, BUFFERS };
static const char *const names[BUFFERS] = {"picture", "brightness", "blurred", "along x", "along y", "edges"};

typedef struct {
    shape picture;
    gc_stream *stream, *side;   /* the pipeline runs on one stream, and on a second one where it forks */
    gc_event *forked, *joined;
    gc_buffer *buffers[BUFFERS];
    gc_kernel *kernels[KERNELS];
} pipeline;

#define CHECK(call) check((call), #call)
static void check(gc_status status, const char *call) { /* each failed call leaves a message that says what to do */
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "quickstart: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}
static double microseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static void launch(const pipeline *p, gc_stream *stream, int kernel, const gc_kernel_arg *arguments, size_t count) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    config.grid_dim[0] = ((uint32_t)p->picture.width + TILE_WIDTH - 1) / TILE_WIDTH;
    config.grid_dim[1] = ((uint32_t)p->picture.height + TILE_HEIGHT - 1) / TILE_HEIGHT;
    config.block_dim[0] = TILE_WIDTH;
    config.block_dim[1] = TILE_HEIGHT;
    CHECK(gc_stream_launch_kernel(stream, p->kernels[kernel], &config, arguments, count));
}
/* Submits the pipeline. Whether that runs it now or records it is up to the stream: this one function does both. */
static void submit(const pipeline *p, const uint8_t *frame, size_t frame_size, uint8_t *edges, size_t edges_size) {
    const direction along_x = {1, 0}, along_y = {0, 1};
#define BUFFER(index) GRAPHCAP_ARG_INIT_BUFFER(p->buffers[index])
    const gc_kernel_arg picture = GRAPHCAP_ARG_INIT_VALUE(p->picture);
    const gc_kernel_arg x = GRAPHCAP_ARG_INIT_VALUE(along_x), y = GRAPHCAP_ARG_INIT_VALUE(along_y);
    const gc_kernel_arg to_grey[] = {BUFFER(PICTURE), BUFFER(BRIGHTNESS), picture};
    const gc_kernel_arg blur_x[] = {BUFFER(BRIGHTNESS), BUFFER(BLURRED), picture, x};
    const gc_kernel_arg blur_y[] = {BUFFER(BLURRED), BUFFER(BRIGHTNESS), picture, y};
    const gc_kernel_arg gradient_x[] = {BUFFER(BRIGHTNESS), BUFFER(ALONG_X), picture, x};
    const gc_kernel_arg gradient_y[] = {BUFFER(BRIGHTNESS), BUFFER(ALONG_Y), picture, y};
    const gc_kernel_arg steepness[] = {BUFFER(ALONG_X), BUFFER(ALONG_Y), BUFFER(EDGES), picture};

    CHECK(gc_stream_memcpy_htod(p->stream, p->buffers[PICTURE], 0, frame, frame_size));
    launch(p, p->stream, GREY, to_grey, 3);
    launch(p, p->stream, BLUR, blur_x, 4);
    launch(p, p->stream, BLUR, blur_y, 4);
    CHECK(gc_event_record(p->forked, p->stream, 0));           /* fork: the side stream goes on from here ... */
    CHECK(gc_stream_wait_event(p->side, p->forked, 0));
    launch(p, p->stream, GRADIENT, gradient_x, 4);
    launch(p, p->side, GRADIENT, gradient_y, 4);            /* ... beside the first ... */
    CHECK(gc_event_record(p->joined, p->side, 0));
    CHECK(gc_stream_wait_event(p->stream, p->joined, 0));   /* ... and joins it again */
    launch(p, p->stream, MAGNITUDE, steepness, 4);
    CHECK(gc_stream_memcpy_dtoh(p->stream, edges, p->buffers[EDGES], 0, edges_size));
}

int main(int argc, char **argv) {
    require(argc == 2 || argc == 3, "usage: quickstart PICTURE(.ppm or .pgm) [NAME]");
    const char *name = argc == 3 ? argv[2] : "edges";
    pipeline p = {0};
    size_t size, nodes, edges;
    uint8_t *picture = read_picture(argv[1], &p.picture, &size);
    const size_t pixels = (size_t)p.picture.width * (size_t)p.picture.height;
    uint8_t *frame = malloc(size), *replayed = malloc(pixels), *eager = malloc(pixels);
    require(frame && replayed && eager, "out of memory");

    gc_context *context;
    gc_module *module;
    gc_module_description code = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    code.image = quickstart_kernels_ptx; /* for a GPU ... */
    code.image_size = sizeof quickstart_kernels_ptx;
    code.host_kernels = kernel_table; /* ... and for the host device, under the same names */
    code.host_kernel_count = KERNELS;
    const size_t sizes[BUFFERS] = {size, pixels, pixels, 2 * pixels, 2 * pixels, pixels};
    CHECK(gc_context_create(NULL, &context)); /* NULL: a GPU where one works, else the host device */
    CHECK(gc_module_load(context, &code, &module));
    for (int i = 0; i < KERNELS; i++) CHECK(gc_module_get_kernel(module, kernel_table[i].name, &p.kernels[i]));
    for (int i = 0; i < BUFFERS; i++) {
        CHECK(gc_buffer_allocate(context, sizes[i], &p.buffers[i]));
        CHECK(gc_set_name(p.buffers[i], names[i])); /* for the picture of the graph, and for messages */
    }
    CHECK(gc_stream_create(context, NULL, &p.stream));
    CHECK(gc_stream_create(context, NULL, &p.side));
    CHECK(gc_event_create(context, NULL, &p.forked));
    CHECK(gc_event_create(context, NULL, &p.joined));

    gc_graph *graph; /* Capture: what the streams are given is recorded, not run. */
    gc_graph_exec *exec;
    CHECK(gc_stream_begin_capture(p.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    submit(&p, frame, size, replayed, pixels);
    CHECK(gc_stream_end_capture(p.stream, &graph));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_upload(exec, p.stream));

    double replay_time = 0, eager_time = 0;
    int wrong = 0;
    for (int index = 0; index < FRAMES; index++) {
        make_frame(frame, picture, size, p.picture.channels, FRAMES - 1 - index); /* the last: the picture itself */
        double start = microseconds(); /* A replay is one call: its copies read `frame` and write `replayed`. */
        CHECK(gc_graph_launch(exec, p.stream));
        CHECK(gc_stream_synchronize(p.stream));
        double middle = microseconds(); /* The same eagerly: call by call. */
        submit(&p, frame, size, eager, pixels);
        CHECK(gc_stream_synchronize(p.stream));
        eager_time += microseconds() - middle;
        replay_time += middle - start;
        wrong += memcmp(replayed, eager, pixels) != 0;
    }

    char device[128], dot[8192]; /* a text that does not fit is cut, and the call says so */
    CHECK(gc_context_device_name(context, device, sizeof device, NULL));
    CHECK(gc_graph_export_dot(graph, GRAPHCAP_DOT_KERNEL_NODE_PARAMS | GRAPHCAP_DOT_MEMCPY_NODE_PARAMS, dot, sizeof dot, NULL));
    CHECK(gc_graph_node_count(graph, &nodes));
    CHECK(gc_graph_edge_count(graph, &edges));
    printf("device                %s\n", device);
    printf("picture               %d x %d, %d channel(s)\n", p.picture.width, p.picture.height, p.picture.channels);
    printf("graph                 %zu nodes, %zu edges\n", nodes, edges);
    printf("replays               %d, each with a new frame\n", FRAMES);
    printf("time per replay       %.0f us\n", replay_time / FRAMES);
    printf("time per eager frame  %.0f us\n", eager_time / FRAMES);
    printf("mismatching frames    %d\n", wrong);
    write_file(name, ".pgm", replayed, pixels, &p.picture);
    write_file(name, ".dot", dot, strlen(dot), NULL);

    /* Any order of destruction is legal: what is still needed stays alive. */
    gc_context_destroy(context);
    gc_module_destroy(module);
    for (int i = 0; i < KERNELS; i++) gc_kernel_destroy(p.kernels[i]);
    for (int i = 0; i < BUFFERS; i++) gc_buffer_destroy(p.buffers[i]);
    gc_stream_destroy(p.stream), gc_stream_destroy(p.side);
    gc_event_destroy(p.forked), gc_event_destroy(p.joined);
    gc_graph_destroy(graph), gc_graph_exec_destroy(exec);
    free(picture), free(frame), free(replayed), free(eager);
    return wrong == 0 && gc_live_handles() == 0 ? 0 : 1;
}
