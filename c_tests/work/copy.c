/* Copies and memsets of several rows, in up to three dimensions: against a plain reference, eagerly, under capture and
 * in replay, with random sizes, offsets and pitches, and guard bytes around everything; bad input; copies at once. */
#include "kernels.h"

enum { SPACE = 8192 };

static struct rig rig;
static gc_buffer *first, *second;
static gc_host_buffer *pinned;
static unsigned char *pinned_bytes;

static uint64_t random_state = 20260101;

static size_t random_below(size_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % end;
}

/* Where the rows of one side are, in bytes. */
struct region {
    size_t offset, pitch, slice_height;
};

struct extent {
    size_t width, height, depth;
};

static struct extent random_extent(void) {
    static const size_t most[3][3] = {{2000, 1, 1}, {60, 12, 1}, {24, 6, 5}};
    const size_t *limits = most[random_below(3)];
    struct extent extent;
    extent.width = 1 + random_below(limits[0]);
    extent.height = 1 + random_below(limits[1]);
    extent.depth = 1 + random_below(limits[2]);
    return extent;
}

static size_t span_of(struct extent extent, struct region region) {
    return ((extent.depth - 1) * region.slice_height + extent.height - 1) * region.pitch + extent.width;
}

/* Rows that fit SPACE bytes, sometimes without anything between them. */
static struct region random_region(struct extent extent) {
    struct region region;
    region.pitch = extent.width + (random_below(2) ? random_below(20) : 0);
    region.slice_height = extent.height + (random_below(2) ? random_below(3) : 0);
    region.offset = random_below(SPACE - span_of(extent, region) + 1);
    return region;
}

/* What the library is told of a region: 0 says as much where nothing is between the rows. */
static void tell(struct extent extent, struct region region, size_t *pitch, size_t *slice_height) {
    *pitch = region.pitch == extent.width && random_below(2) ? 0 : region.pitch;
    *slice_height = region.slice_height == extent.height && random_below(2) ? 0 : region.slice_height;
}

static void copy_plainly(unsigned char *to, struct region destination, const unsigned char *from, struct region source,
                         struct extent extent) {
    size_t z, y;
    for (z = 0; z < extent.depth; z++)
        for (y = 0; y < extent.height; y++)
            memcpy(to + destination.offset + (z * destination.slice_height + y) * destination.pitch,
                   from + source.offset + (z * source.slice_height + y) * source.pitch, extent.width);
}

static void randomise(unsigned char *bytes) {
    size_t i;
    for (i = 0; i < SPACE; i++)
        bytes[i] = (unsigned char)random_below(256);
}

static void write_buffer(const gc_buffer *buffer, const unsigned char *bytes) {
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, bytes, SPACE));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

static void read_buffer(const gc_buffer *buffer, unsigned char *bytes) {
    REQUIRE_OK(gc_stream_memcpy_dtoh(rig.stream, bytes, buffer, 0, SPACE));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

/* The ways in which work comes to run. */
enum way { EAGER, AT_ONCE, REPLAYED, THROUGH_AN_OBJECT, WAYS };

/* Has `submit` submit `params`, and waits for it. */
static void run_in(enum way way, const void *params, gc_status (*submit)(enum way, gc_capture *, const void *)) {
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    size_t nodes = 0;
    if (way == EAGER || way == AT_ONCE) {
        REQUIRE_OK(submit(way, NULL, params));
        REQUIRE_OK(gc_stream_synchronize(rig.stream));
        return;
    }
    if (way == REPLAYED)
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    else
        REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &capture));
    REQUIRE_OK(submit(way, capture, params));
    if (way == REPLAYED)
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    else
        REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 1);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_graph_launch(exec, rig.stream));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static gc_status submit_copy(enum way way, gc_capture *capture, const void *params) {
    const gc_memcpy_params *copy = (const gc_memcpy_params *)params;
    if (way == AT_ONCE)
        return gc_context_memcpy(rig.context, copy);
    return capture != NULL ? gc_capture_record_memcpy(capture, copy) : gc_stream_memcpy(rig.stream, copy);
}

static gc_status submit_set(enum way way, gc_capture *capture, const void *params) {
    const gc_memset_params *set = (const gc_memset_params *)params;
    if (way == AT_ONCE)
        return gc_context_memset(rig.context, set);
    return capture != NULL ? gc_capture_record_memset_2d(capture, set) : gc_stream_memset_2d(rig.stream, set);
}

/* How the sides of a copy are given. */
enum sides {
    PLAIN_TO_DEVICE,
    SNAPSHOT_TO_DEVICE,
    PINNED_TO_DEVICE,
    DEVICE_TO_PLAIN,
    DEVICE_TO_PINNED,
    ON_DEVICE,
    SIDES
};

static const char *const sides_names[SIDES] = {"plain to device",  "snapshot to device", "pinned to device",
                                               "device to plain",  "device to pinned",   "on the device"};

/* Copies once, and compares all of the destination with what a plain copy gives. The other bytes are the guard. */
static int copies_as_expected(enum sides sides, enum way way) {
    static unsigned char from[SPACE], to[SPACE], expected[SPACE], untouched[SPACE];
    struct extent extent = random_extent();
    struct region source = random_region(extent), destination = random_region(extent);
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(NULL, 0, NULL, 0, 0);
    const gc_buffer *buffer = first;
    randomise(from);
    randomise(expected);
    memcpy(to, expected, SPACE);
    copy_plainly(expected, destination, from, source, extent);
    copy.size = extent.width;
    copy.height = extent.height;
    copy.depth = extent.depth;
    tell(extent, destination, &copy.destination_pitch, &copy.destination_slice_height);
    tell(extent, source, &copy.source_pitch, &copy.source_slice_height);
    if (sides < DEVICE_TO_PLAIN) {
        copy.direction = GRAPHCAP_MEMCPY_HOST_TO_DEVICE;
        write_buffer(first, to);
    } else {
        copy.direction = sides == ON_DEVICE ? GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE : GRAPHCAP_MEMCPY_DEVICE_TO_HOST;
        write_buffer(second, from);
        copy.source = second;
        copy.source_offset = source.offset;
    }
    if (sides < DEVICE_TO_PLAIN || sides == ON_DEVICE) {
        copy.destination = first;
        copy.destination_offset = destination.offset;
    }
    switch (sides) {
    case SNAPSHOT_TO_DEVICE:
        copy.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
        copy.source_host = from + source.offset;
        break;
    case PLAIN_TO_DEVICE:
        copy.source_host = from + source.offset;
        break;
    case PINNED_TO_DEVICE:
        memcpy(pinned_bytes, from, SPACE);
        copy.source_host_buffer = pinned;
        copy.source_offset = source.offset;
        break;
    case DEVICE_TO_PLAIN:
        copy.destination_host = to + destination.offset;
        break;
    case DEVICE_TO_PINNED:
        memcpy(pinned_bytes, to, SPACE);
        copy.destination_host_buffer = pinned;
        copy.destination_offset = destination.offset;
        break;
    default:
        write_buffer(first, to);
    }
    run_in(way, &copy, submit_copy);
    if (sides == DEVICE_TO_PINNED)
        memcpy(to, pinned_bytes, SPACE);
    else if (sides != DEVICE_TO_PLAIN)
        read_buffer(buffer, to);
    /* What was read is as it was. */
    if (sides >= DEVICE_TO_PLAIN) {
        read_buffer(second, untouched);
        if (memcmp(untouched, from, SPACE) != 0)
            return 0;
    }
    return memcmp(to, expected, SPACE) == 0;
}

static void copies_are_as_plain_ones(void) {
    const unsigned rounds = soak(200, 10000);
    int sides, way;
    unsigned round;
    for (sides = 0; sides < SIDES; sides++)
        for (way = 0; way < WAYS; way++)
            for (round = 0; round < rounds; round++)
                if (check_failed(copies_as_expected((enum sides)sides, (enum way)way))) {
                    fprintf(stderr, "a copy %s (way %d, round %u) is wrong\n", sides_names[sides], way, round);
                    return;
                }
}

static void set_plainly(unsigned char *to, const gc_memset_params *set, size_t pitch) {
    size_t x, y;
    for (y = 0; y < set->height; y++)
        for (x = 0; x < set->width; x++) {
            const uint8_t byte = (uint8_t)set->value;
            const uint16_t half = (uint16_t)set->value;
            const void *element = set->element_size == 1   ? (const void *)&byte
                                  : set->element_size == 2 ? (const void *)&half
                                                           : (const void *)&set->value;
            memcpy(to + set->offset + y * pitch + x * set->element_size, element, set->element_size);
        }
}

static int sets_as_expected(unsigned element_size, enum way way) {
    static unsigned char got[SPACE], expected[SPACE];
    size_t width = 1 + random_below(40), height = 1 + random_below(12), row = width * element_size, span;
    size_t pitch = row + (random_below(2) ? element_size * random_below(9) : 0);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(first, 0, 0, element_size, width, height, 0);
    span = (height - 1) * pitch + row;
    set.offset = random_below((SPACE - span) / element_size + 1) * element_size;
    set.value = (uint32_t)random_below(0x7fffffff) * 5u;
    set.pitch = pitch == row && random_below(2) ? 0 : pitch;
    randomise(expected);
    write_buffer(first, expected);
    set_plainly(expected, &set, pitch);
    run_in(way, &set, submit_set);
    read_buffer(first, got);
    return memcmp(got, expected, SPACE) == 0;
}

static void memsets_are_as_plain_ones(void) {
    const unsigned rounds = soak(200, 10000);
    unsigned element_size, round;
    int way;
    for (element_size = 1; element_size <= 4; element_size *= 2)
        for (way = 0; way < WAYS; way++)
            for (round = 0; round < rounds; round++)
                if (check_failed(sets_as_expected(element_size, (enum way)way))) {
                    fprintf(stderr, "a memset of %u bytes (way %d, round %u) is wrong\n", element_size, way, round);
                    return;
                }
}

/* The rows or the slices of a neighbour that is not there: no byte is touched, and nothing is recorded. A node that does
 * nothing, and an edit to one, are refused. */
static void no_rows_and_no_slices_are_no_work(void) {
    static unsigned char before[SPACE], after[SPACE];
    static const size_t extents[][3] = {{16, 0, 1}, {16, 1, 0}, {16, 0, 0}, {16, 0, 2}, {16, 2, 0}, {0, 2, 2}, {0, 0, 0}};
    gc_memcpy_params good = GRAPHCAP_MEMCPY_INIT_DTOD(first, 0, second, 0, 16), copy;
    gc_memset_params fine = GRAPHCAP_MEMSET_INIT(first, 0, 0xff, 4, 4, 1, 0), set;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_node copied = 0, filled = 0, none = 0;
    size_t i, nodes = 9;
    int capturing;
    randomise(before);
    write_buffer(first, before);
    REQUIRE_OK(gc_graph_create(rig.context, &graph));
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &good, &copied));
    REQUIRE_OK(gc_graph_add_memset_node(graph, &copied, 1, &fine, &filled));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    for (i = 0; i < LENGTH_OF(extents); i++) {
        copy = good, set = fine;
        copy.size = extents[i][0], copy.height = extents[i][1], copy.depth = extents[i][2];
        set.width = extents[i][0], set.height = extents[i][2];
        if (copy.size > 0 && copy.depth > 0)
            set.height = 0;
        for (capturing = 0; capturing < 2; capturing++) {
            gc_graph *recorded = NULL;
            if (capturing)
                REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
            CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
            CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
            if (!capturing)
                continue;
            REQUIRE_OK(gc_stream_end_capture(rig.stream, &recorded));
            CHECK_OK(gc_graph_node_count(recorded, &nodes));
            CHECK(nodes == 0);
            CHECK_OK(gc_graph_destroy(recorded));
        }
        CHECK_MESSAGE(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &none), GRAPHCAP_ERROR_INVALID_VALUE, "rows");
        CHECK_MESSAGE(gc_node_set_memcpy(graph, copied, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "rows");
        CHECK_MESSAGE(gc_graph_exec_set_memcpy_node(exec, copied, &copy), GRAPHCAP_ERROR_INVALID_VALUE, "rows");
        CHECK_MESSAGE(gc_graph_add_memset_node(graph, NULL, 0, &set, &none), GRAPHCAP_ERROR_INVALID_VALUE, "rows");
        CHECK_MESSAGE(gc_node_set_memset(graph, filled, &set), GRAPHCAP_ERROR_INVALID_VALUE, "rows");
        CHECK_MESSAGE(gc_graph_exec_set_memset_node(exec, filled, &set), GRAPHCAP_ERROR_INVALID_VALUE, "rows");
    }
    read_buffer(first, after);
    CHECK(memcmp(before, after, SPACE) == 0);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
}

/* Each wrong thing has its name in the message, harms no capture, and touches no byte. */
static void bad_copies_are_named(void) {
    static unsigned char before[SPACE], after[SPACE], host[SPACE], host_after[SPACE];
    gc_memcpy_params in = GRAPHCAP_MEMCPY_PARAMS_INIT, out = GRAPHCAP_MEMCPY_PARAMS_INIT, across = GRAPHCAP_MEMCPY_PARAMS_INIT, bad;
    gc_context *other = open_context();
    gc_buffer *foreign = open_buffer(other, 64);
    gc_host_buffer *foreign_host = NULL;
    int capturing;
    REQUIRE_OK(gc_host_buffer_allocate(other, 64, 0, &foreign_host));
    in.direction = GRAPHCAP_MEMCPY_HOST_TO_DEVICE;
    in.destination = first;
    in.source_host = host;
    in.size = 100;
    in.height = 4;
    in.depth = 2;
    in.destination_pitch = in.source_pitch = 128;
    out.direction = GRAPHCAP_MEMCPY_DEVICE_TO_HOST;
    out.source = second;
    out.destination_host_buffer = pinned;
    out.size = 100;
    out.height = 4;
    across.direction = GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE;
    across.destination = across.source = first;
    across.source_offset = 4000;
    across.size = 100;
    across.height = 4;
    across.source_pitch = across.destination_pitch = 200;
    randomise(before);
    randomise(host);
    memcpy(host_after, host, SPACE);
    write_buffer(first, before);

#define BAD(good, member, wrong, status, word)                                                    \
    do {                                                                                          \
        bad = good;                                                                               \
        bad.member = wrong;                                                                       \
        CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &bad), status, word);                          \
        if (!capturing)                                                                           \
            CHECK_MESSAGE(gc_context_memcpy(rig.context, &bad), status, word);                    \
    } while (0)
#define WRONG(good, member, wrong, word) BAD(good, member, wrong, GRAPHCAP_ERROR_INVALID_VALUE, word)
    for (capturing = 0; capturing < 2; capturing++) {
        gc_graph *graph = NULL;
        size_t nodes = 1;
        if (capturing)
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_MESSAGE(gc_stream_memcpy(rig.stream, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "params");
        WRONG(in, direction, 0, "direction");
        WRONG(in, direction, 4, "params.direction");
        WRONG(in, flags, 2, "params.flags");
        WRONG(out, flags, GRAPHCAP_MEMCPY_SNAPSHOT, "params.flags");
        WRONG(across, flags, GRAPHCAP_MEMCPY_SNAPSHOT, "params.flags");
        WRONG(in, reserved, 1, "params.reserved");
        WRONG(in, source_host, NULL, "params.source_host");
        WRONG(in, source_host_buffer, pinned, "params.source_host");
        WRONG(in, source_offset, 1, "params.source_offset");
        WRONG(in, source, second, "params.source");
        WRONG(in, destination_host, host, "params.destination_host");
        WRONG(in, destination_host_buffer, pinned, "params.destination_host_buffer");
        WRONG(out, destination_host, host, "params.destination_host");
        WRONG(out, destination_host_buffer, NULL, "params.destination_host");
        WRONG(out, destination, first, "params.destination");
        WRONG(out, source_host_buffer, pinned, "params.source_host_buffer");
        WRONG(across, source_host, host, "params.source_host");
        WRONG(across, destination_host_buffer, pinned, "params.destination_host_buffer");
        WRONG(in, destination_pitch, 99, "destination_pitch");
        WRONG(in, source_pitch, 99, "source_pitch");
        WRONG(in, destination_slice_height, 3, "destination_slice_height");
        WRONG(in, source_slice_height, 3, "source_slice_height");
        WRONG(in, destination_offset, SPACE, "destination");
        WRONG(in, destination_offset, SPACE - 996 + 1, "destination");
        WRONG(in, destination_offset, SIZE_MAX, "destination");
        WRONG(in, size, SIZE_MAX, "destination");
        WRONG(in, height, SIZE_MAX, "destination");
        WRONG(in, depth, SIZE_MAX, "destination");
        WRONG(in, depth, SIZE_MAX / 512 + 2, "destination");
        WRONG(in, destination_pitch, SIZE_MAX, "destination");
        WRONG(in, source_pitch, SIZE_MAX / 2, "source");
        WRONG(in, source_slice_height, SIZE_MAX, "source");
        WRONG(in, source_host, (const void *)(UINTPTR_MAX - 500), "source");
        WRONG(out, destination_offset, SPACE - 399, "destination");
        WRONG(out, source_offset, SPACE - 399, "source");
        WRONG(across, source_offset, 99, "overlaps");
        WRONG(across, source_offset, 0, "overlaps");
        WRONG(across, source_offset, 501, "overlaps");
        BAD(in, destination, foreign, GRAPHCAP_ERROR_INVALID_CONTEXT, "destination");
        bad = out;
        bad.destination_host_buffer = foreign_host;
        CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &bad), GRAPHCAP_ERROR_INVALID_CONTEXT, "destination host buffer");
        if (!capturing)
            continue;
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK(nodes == 0);
        CHECK_OK(gc_graph_destroy(graph));
    }
    read_buffer(first, after);
    CHECK(memcmp(before, after, SPACE) == 0 && memcmp(host, host_after, SPACE) == 0);
    /* The last that fits, and side by side within one buffer. */
    in.destination_offset = SPACE - 996;
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    across.source_offset = 100;
    CHECK_OK(gc_stream_memcpy(rig.stream, &across));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    /* Nothing to do is no error, whatever else is said. */
    in.size = 0;
    in.source_host = NULL;
    in.height = SIZE_MAX;
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    in.size = 100;
    in.depth = 0;
    in.destination_pitch = 1;
    in.flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    CHECK_OK(gc_context_memcpy(rig.context, &in));
    CHECK_OK(gc_host_buffer_destroy(foreign_host));
    CHECK_OK(gc_buffer_destroy(foreign));
    CHECK_OK(gc_context_destroy(other));
}

static void bad_memsets_are_named(void) {
    static unsigned char before[SPACE], after[SPACE];
    gc_memset_params good = GRAPHCAP_MEMSET_INIT(first, 0, 7, 4, 10, 5, 64), bad;
    randomise(before);
    write_buffer(first, before);
#define BAD_SET(member, wrong, word)                                                                           \
    do {                                                                                                       \
        bad = good;                                                                                            \
        bad.member = wrong;                                                                                    \
        CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, &bad), GRAPHCAP_ERROR_INVALID_VALUE, word);              \
        CHECK_MESSAGE(gc_context_memset(rig.context, &bad), GRAPHCAP_ERROR_INVALID_VALUE, word);               \
    } while (0)
    CHECK_MESSAGE(gc_stream_memset_2d(rig.stream, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "params");
    BAD_SET(element_size, 0, "element_size");
    BAD_SET(element_size, 3, "element_size");
    BAD_SET(element_size, 260, "element_size");
    BAD_SET(reserved, 1, "params.reserved");
    BAD_SET(pitch, 36, "pitch");
    BAD_SET(pitch, 66, "pitch");
    BAD_SET(offset, 2, "offset");
    BAD_SET(offset, SPACE - 4 * 64 - 40 + 4, "offset");
    BAD_SET(offset, SIZE_MAX, "offset");
    BAD_SET(height, SIZE_MAX, "width 10");
    BAD_SET(width, SIZE_MAX, "width");
    BAD_SET(width, SIZE_MAX / 4 + 2, "width");
    BAD_SET(pitch, SIZE_MAX - 3, "width 10");
    read_buffer(first, after);
    CHECK(memcmp(before, after, SPACE) == 0);
    good.width = 0;
    CHECK_OK(gc_stream_memset_2d(rig.stream, &good));
    good.width = SIZE_MAX;
    good.height = 0;
    CHECK_OK(gc_stream_memset_2d(rig.stream, &good));
    CHECK_OK(gc_context_memset(rig.context, &good));
}

/* The CPU and the device know managed memory by the same addresses, so a pointer may lead into the other side. */
static void a_pointer_into_the_other_side_is_an_overlap(void) {
    gc_buffer *managed = NULL;
    gc_memcpy_params in = GRAPHCAP_MEMCPY_PARAMS_INIT, out = GRAPHCAP_MEMCPY_PARAMS_INIT;
    uint64_t address = 0;
    char *bytes;
    REQUIRE_OK(gc_buffer_allocate_managed(rig.context, 4096, GRAPHCAP_MEM_ATTACH_GLOBAL, &managed));
    CHECK_OK(gc_buffer_address(managed, &address));
    bytes = (char *)(uintptr_t)address;
    in.direction = GRAPHCAP_MEMCPY_HOST_TO_DEVICE;
    in.destination = managed;
    in.source_host = bytes + 99;
    in.size = 100;
    out.direction = GRAPHCAP_MEMCPY_DEVICE_TO_HOST;
    out.source = managed;
    out.destination_host = bytes + 99;
    out.size = 100;
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &in), GRAPHCAP_ERROR_INVALID_VALUE, "overlaps");
    CHECK_MESSAGE(gc_stream_memcpy(rig.stream, &out), GRAPHCAP_ERROR_INVALID_VALUE, "overlaps");
    CHECK_MESSAGE(gc_stream_memcpy_htod(rig.stream, managed, 99, bytes, 100), GRAPHCAP_ERROR_INVALID_VALUE, "overlaps");
    CHECK_MESSAGE(gc_stream_memcpy_dtoh(rig.stream, bytes, managed, 99, 100), GRAPHCAP_ERROR_INVALID_VALUE, "overlaps");
    in.source_host = bytes + 100;
    CHECK_OK(gc_stream_memcpy(rig.stream, &in));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(managed));
}

/* A copy at once comes after the blocking streams, harms no capture of a non-blocking one, and breaks one of a blocking
 * one, as any work on the legacy stream. */
static void copies_at_once_keep_to_the_legacy_stream(void) {
    gc_stream *apart = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(first, 0, 9, 4, 1, 1, 0);
    gc_graph *graph = NULL;
    uint32_t word = 0;
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(&word, first, 0, 4);
    CHECK_OK(gc_stream_memset(rig.stream, first, 0, 8, 4, 1));
    CHECK_OK(gc_context_memcpy(rig.context, &out));
    CHECK(word == 8);
    REQUIRE_OK(gc_stream_begin_capture(apart, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_context_memset(rig.context, &set));
    CHECK_OK(gc_context_memcpy(rig.context, &out));
    CHECK(word == 9);
    CHECK_OK(gc_stream_end_capture(apart, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    /* Nothing to do waits for nothing. */
    out.size = set.width = 0;
    CHECK_OK(gc_context_memcpy(rig.context, &out));
    CHECK_OK(gc_context_memset(rig.context, &set));
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    out.size = 4;
    CHECK_MESSAGE(gc_context_memcpy(rig.context, &out), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "gc_context_memcpy");
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_destroy(apart));
}

/* A capture of copies tells of them. */
static void graphs_tell_of_rows(void) {
    static char text[4096];
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(first, 0, second, 0, 10);
    gc_memset_params set = GRAPHCAP_MEMSET_INIT(first, 0, 1, 2, 7, 3, 64);
    gc_graph *graph = NULL;
    copy.height = 3;
    copy.depth = 2;
    copy.destination_pitch = 32;
    copy.source_slice_height = 4;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
    CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    CHECK(check_contains(text, "device to device, 10 bytes x 3 x 2"));
    CHECK(check_contains(text, "7 x 3 x 2 bytes"));
    CHECK_OK(gc_graph_destroy(graph));
}

int main(void) {
    void *pointer = NULL;
    rig_open(&rig);
    first = open_buffer(rig.context, SPACE);
    second = open_buffer(rig.context, SPACE);
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, SPACE, 0, &pinned));
    REQUIRE_OK(gc_host_buffer_pointer(pinned, &pointer));
    pinned_bytes = (unsigned char *)pointer;
    RUN(copies_are_as_plain_ones);
    RUN(memsets_are_as_plain_ones);
    RUN(no_rows_and_no_slices_are_no_work);
    RUN(bad_copies_are_named);
    RUN(bad_memsets_are_named);
    RUN(a_pointer_into_the_other_side_is_an_overlap);
    RUN(copies_at_once_keep_to_the_legacy_stream);
    RUN(graphs_tell_of_rows);
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_buffer_destroy(first));
    rig_close(&rig);
    return check_finish();
}
