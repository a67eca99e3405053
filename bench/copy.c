/* Copies and memsets: how many bytes a second, beside memcpy() and memset() on the same memory. */
#include <string.h>

#include "bench.h"
#include "timing.h"

enum { WAYS = 6 };
static const char *const ways[WAYS] = {"memcpy()",      "to the device", "on the device",
                                       "rows of 4 KiB", "memset()",      "memset"};

static int32_t nothing(const gc_host_block *block, const void *const *arguments) {
    (void)block, (void)arguments;
    return 0;
}

typedef struct {
    bench_device device;
    gc_buffer *to, *from;
    unsigned char *source, *destination;
    size_t bytes;
} copies;

static void run(const copies *c, int way) {
    enum { ROW = 4096 };
    gc_memcpy_params rows = GRAPHCAP_MEMCPY_INIT_DTOD(c->to, 0, c->from, 0, ROW);
    switch (way) {
    case 0:
        memcpy(c->destination, c->source, c->bytes);
        return;
    case 1:
        CHECK(gc_stream_memcpy_htod(c->device.stream, c->to, 0, c->source, c->bytes));
        break;
    case 2:
        CHECK(gc_stream_memcpy_dtod(c->device.stream, c->to, 0, c->from, 0, c->bytes));
        break;
    case 3:
        rows.height = c->bytes / ROW;
        rows.source_pitch = ROW + 64;
        CHECK(gc_stream_memcpy(c->device.stream, &rows));
        break;
    case 4:
        memset(c->destination, 7, c->bytes);
        return;
    default:
        CHECK(gc_stream_memset(c->device.stream, c->to, 0, 7, 1, c->bytes));
    }
    CHECK(gc_stream_synchronize(c->device.stream));
}

void bench_copy(const bench_options *options) {
    const size_t smallest = (size_t)1 << 20, largest = options->quick ? smallest : (size_t)64 << 20;
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "nothing", nothing, NULL, 0, NULL, 0};
    copies c = {.device = open_device(&kernel)};
    fprintf(stderr, "copy\n");
    printf("\nCopies and memsets, submitted and waited for: GiB a second\n\n| MiB |");
    for (int way = 0; way < WAYS; way++) printf(" %s |", ways[way]);
    printf("\n|---|---|---|---|---|---|---|\n");
    for (c.bytes = smallest; c.bytes <= largest; c.bytes *= 8) {
        double figures[WAYS][MAX_ROUNDS];
        const size_t room = c.bytes + c.bytes / 64;
        CHECK(gc_buffer_allocate(c.device.context, room, &c.to));
        CHECK(gc_buffer_allocate(c.device.context, room, &c.from));
        c.source = malloc(room);
        c.destination = malloc(room);
        /* Memory that was never written is one page again and again. */
        memset(c.source, 1, room);
        CHECK(gc_stream_memset(c.device.stream, c.from, 0, 1, 1, room));
        for (int way = 0; way < WAYS; way++) run(&c, way);
        /* In turns, so that what disturbs one way disturbs all. */
        for (int round = 0; round < options->rounds; round++)
            for (int way = 0; way < WAYS; way++) {
                const double start = now_ns();
                run(&c, way);
                figures[way][round] = (double)c.bytes / (now_ns() - start) * 1e9 / (double)(1 << 30);
            }
        printf("| %zu |", c.bytes >> 20);
        for (int way = 0; way < WAYS; way++) printf(" %.1f |", median(figures[way], options->rounds));
        printf("\n");
        free(c.source);
        free(c.destination);
        CHECK(gc_buffer_destroy(c.to));
        CHECK(gc_buffer_destroy(c.from));
    }
    close_device(&c.device);
}
