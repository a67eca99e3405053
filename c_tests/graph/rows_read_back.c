/* Memsets and copies of several rows, and of one that was given a pitch: nodes read back as they were made, also where rows follow each
 * other, and an exec takes no rows for one row. All answers are those of a driver (580, on an H200). */
#include "nodes.h"

enum { BYTES = 4096, ROOM = 16384 };

static struct rig rig;
static gc_buffer *buffer, *source;
static char text[ROOM], other_text[ROOM];

/* ---- Memsets ---- */

static const struct shape {
    uint32_t element_size;
    size_t width, height, pitch;
    /* Where none was given. */
    size_t read_pitch;
} shapes[] = {
    {4, 64, 1, 0, 0},     {4, 64, 1, 512, 512}, {4, 128, 1, 0, 0},    {4, 64, 2, 256, 256}, {4, 64, 2, 0, 256},
    {1, 512, 1, 512, 512}, {1, 256, 2, 256, 256}, {4, 32, 4, 128, 128}, {4, 64, 2, 512, 512},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static gc_memset_params set_of(const struct shape *shape) {
    const gc_memset_params set =
        GRAPHCAP_MEMSET_INIT(buffer, 0, 5, shape->element_size, shape->width, shape->height, shape->pitch);
    return set;
}

static gc_node only_node(const gc_graph *graph) {
    gc_node node = 0;
    CHECK_OK(gc_graph_get_nodes(graph, &node, 1, NULL));
    return node;
}

static gc_graph *open_set(const struct shape *shape) {
    gc_graph *graph = open_graph(rig.context);
    const gc_memset_params set = set_of(shape);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memset_node(graph, NULL, 0, &set, &node));
    return graph;
}

static int reads_back_as(const gc_graph *graph, const struct shape *shape) {
    gc_memset_node_params params = GRAPHCAP_MEMSET_NODE_PARAMS_INIT;
    CHECK_OK(gc_node_get_memset_params(graph, only_node(graph), &params));
    return params.element_size == shape->element_size && params.width == shape->width && params.height == shape->height &&
           params.pitch == shape->read_pitch;
}

/* Whether the bytes that the rows have are `value`, and all others 0. */
static int is_set(size_t row, size_t height, size_t pitch, unsigned value, unsigned element_size) {
    static unsigned char bytes[BYTES];
    const size_t step = height == 1 ? (size_t)BYTES : pitch;
    size_t i;
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(bytes, buffer, 0, BYTES);
    CHECK_OK(gc_context_memcpy(rig.context, &out));
    for (i = 0; i < BYTES; i++) {
        const int is_within = i / step < height && i % step < row;
        if (bytes[i] != (is_within && i % element_size == 0 ? value : 0))
            return 0;
    }
    return 1;
}

/* A graph that was written as text and read again is the same. */
static gc_graph *read_again(const gc_graph *graph) {
    const gc_graph_binding bindings[2] = {GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "written", buffer),
                                          GRAPHCAP_BINDING_INIT(GRAPHCAP_BINDING_BUFFER, "read", source)};
    gc_graph *again = NULL;
    REQUIRE_OK(gc_graph_export_json(graph, text, ROOM, NULL));
    REQUIRE_OK(gc_graph_import_json(rig.context, text, strlen(text), bindings, 2, &again));
    CHECK_OK(gc_graph_diff(graph, again, other_text, ROOM, NULL));
    CHECK(other_text[0] == '\0');
    return again;
}

static void memsets_are_read_back_as_they_were_made(void) {
    size_t i;
    for (i = 0; i < SHAPES; i++) {
        const struct shape *shape = &shapes[i];
        const gc_memset_params set = set_of(shape);
        gc_graph *graph = open_set(&shapes[(i + 1) % SHAPES]), *clone = NULL, *captured = NULL, *again;
        CHECK_OK(gc_node_set_memset(graph, only_node(graph), &set));
        CHECK(reads_back_as(graph, shape));
        REQUIRE_OK(gc_graph_clone(graph, &clone));
        CHECK(reads_back_as(clone, shape));
        again = read_again(graph);
        CHECK(reads_back_as(again, shape));
        CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
        CHECK(reads_back_as(captured, shape));
        CHECK_OK(gc_graph_diff(graph, captured, other_text, ROOM, NULL));
        CHECK(other_text[0] == '\0');
        clear_words(&rig, buffer);
        run_graph(&rig, captured);
        CHECK(is_set(shape->width * shape->element_size, shape->height, shape->read_pitch, 5, shape->element_size));
        CHECK_OK(gc_graph_destroy(again));
        CHECK_OK(gc_graph_destroy(captured));
        CHECK_OK(gc_graph_destroy(clone));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void a_memset_without_rows_is_one_of_one_row(void) {
    static const struct shape row = {2, 17, 1, 0, 0};
    gc_graph *captured = NULL;
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 5, 2, 17));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
    CHECK(reads_back_as(captured, &row));
    CHECK_OK(gc_graph_destroy(captured));
}

/* One row may become any other one, whatever pitch it was given. Several stay as they are. */
static int may_become(const struct shape *shape, const struct shape *other) {
    const int is_same = shape->element_size == other->element_size && shape->width == other->width &&
                        shape->height == other->height && shape->read_pitch == other->read_pitch;
    return is_same || (shape->height == 1 && other->height == 1);
}

static void check_update(const gc_graph *graph, const gc_graph *other, int is_taken) {
    const gc_status expected = is_taken ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    const gc_graph_exec_update_result result = is_taken ? GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS : GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED;
    gc_graph_exec_update_info info = GRAPHCAP_GRAPH_EXEC_UPDATE_INFO_INIT;
    gc_graph_exec *exec = open_exec(graph);
    CHECK_STATUS(gc_graph_exec_update(exec, other, GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info), expected);
    CHECK(info.result == result);
    CHECK_STATUS(gc_graph_exec_update(exec, other, 0, &info), expected);
    CHECK(info.result == result);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void an_exec_takes_no_rows_for_one_row(void) {
    size_t i, k;
    for (i = 0; i < SHAPES; i++)
        for (k = 0; k < SHAPES; k++) {
            const struct shape *shape = &shapes[i], *other = &shapes[k];
            const int is_taken = may_become(shape, other);
            const struct shape *now = is_taken ? other : shape;
            const gc_memset_params set = set_of(other);
            gc_graph *graph = open_set(shape), *next = open_set(other);
            gc_graph_exec *exec = open_exec(graph);
            CHECK_STATUS(gc_graph_exec_set_memset_node(exec, only_node(graph), &set),
                         is_taken ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE);
            clear_words(&rig, buffer);
            replay(&rig, exec);
            CHECK(is_set(now->width * now->element_size, now->height, now->read_pitch, 5, now->element_size));
            CHECK_OK(gc_graph_exec_destroy(exec));
            check_update(graph, next, is_taken);
            CHECK_OK(gc_graph_destroy(next));
            CHECK_OK(gc_graph_destroy(graph));
        }
}

/* ---- Copies ---- */

static const struct block {
    size_t size, height, depth, destination_pitch, source_pitch;
} blocks[] = {
    {64, 1, 1, 0, 0},   {64, 1, 1, 512, 512}, {256, 1, 1, 0, 0},  {64, 4, 1, 64, 64},
    {64, 4, 1, 64, 128}, {64, 2, 2, 64, 64},  {64, 1, 4, 64, 64}, {64, 4, 1, 0, 0},
};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static size_t pitch_of(const struct block *block, size_t pitch) {
    return pitch == 0 ? block->size : pitch;
}

static gc_memcpy_params copy_of(const struct block *block) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, source, 0, block->size);
    copy.height = block->height;
    copy.depth = block->depth;
    copy.destination_pitch = block->destination_pitch;
    copy.source_pitch = block->source_pitch;
    return copy;
}

static gc_graph *open_copy(const struct block *block) {
    gc_graph *graph = open_graph(rig.context);
    const gc_memcpy_params copy = copy_of(block);
    gc_node node = 0;
    REQUIRE_OK(gc_graph_add_memcpy_node(graph, NULL, 0, &copy, &node));
    return graph;
}

static int copies_as(const gc_graph *graph, const struct block *block) {
    gc_memcpy_node_params params = GRAPHCAP_MEMCPY_NODE_PARAMS_INIT;
    const size_t written = pitch_of(block, block->destination_pitch), read = pitch_of(block, block->source_pitch);
    CHECK_OK(gc_node_get_memcpy_params(graph, only_node(graph), &params));
    return params.size == block->size && params.height == block->height && params.depth == block->depth &&
           params.destination_pitch == written && params.source_pitch == read &&
           params.destination_slice_pitch == (block->depth == 1 ? 0 : written * block->height) &&
           params.source_slice_pitch == (block->depth == 1 ? 0 : read * block->height);
}

static int is_copied(const struct block *block) {
    return is_set(block->size, block->height * block->depth, pitch_of(block, block->destination_pitch), 9, 1);
}

static void copies_are_read_back_as_they_were_made(void) {
    size_t i;
    for (i = 0; i < BLOCKS; i++) {
        const struct block *block = &blocks[i];
        const gc_memcpy_params copy = copy_of(block);
        gc_graph *graph = open_copy(&blocks[(i + 1) % BLOCKS]), *clone = NULL, *captured = NULL, *again;
        CHECK_OK(gc_node_set_memcpy(graph, only_node(graph), &copy));
        CHECK(copies_as(graph, block));
        REQUIRE_OK(gc_graph_clone(graph, &clone));
        CHECK(copies_as(clone, block));
        again = read_again(graph);
        CHECK(copies_as(again, block));
        CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &captured));
        CHECK(copies_as(captured, block));
        clear_words(&rig, buffer);
        run_graph(&rig, captured);
        CHECK(is_copied(block));
        CHECK_OK(gc_graph_destroy(again));
        CHECK_OK(gc_graph_destroy(captured));
        CHECK_OK(gc_graph_destroy(clone));
        CHECK_OK(gc_graph_destroy(graph));
    }
}

static void an_exec_copies_no_rows_for_one_row(void) {
    size_t i, k;
    for (i = 0; i < BLOCKS; i++)
        for (k = 0; k < BLOCKS; k++) {
            const struct block *block = &blocks[i], *other = &blocks[k];
            const int are_one = block->height * block->depth == 1 && other->height * other->depth == 1;
            /* No pitch stands for rows that follow each other. */
            const int is_same = block->size == other->size && block->height == other->height && block->depth == other->depth &&
                                pitch_of(block, block->destination_pitch) == pitch_of(other, other->destination_pitch) &&
                                pitch_of(block, block->source_pitch) == pitch_of(other, other->source_pitch);
            const int is_taken = are_one || is_same;
            const gc_memcpy_params copy = copy_of(other);
            gc_graph *graph = open_copy(block), *next = open_copy(other);
            gc_graph_exec *exec = open_exec(graph);
            CHECK_STATUS(gc_graph_exec_set_memcpy_node(exec, only_node(graph), &copy),
                         is_taken ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_INVALID_VALUE);
            clear_words(&rig, buffer);
            replay(&rig, exec);
            CHECK(is_copied(is_taken ? other : block));
            CHECK_OK(gc_graph_exec_destroy(exec));
            check_update(graph, next, is_taken);
            CHECK_OK(gc_graph_destroy(next));
            CHECK_OK(gc_graph_destroy(graph));
        }
}

/* Work that no graph has is the same, however the device makes it. */
static void work_outside_of_captures_does_the_same(void) {
    size_t i;
    for (i = 0; i < SHAPES; i++) {
        const gc_memset_params set = set_of(&shapes[i]);
        clear_words(&rig, buffer);
        CHECK_OK(gc_stream_memset_2d(rig.stream, &set));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(is_set(set.width * set.element_size, set.height, shapes[i].read_pitch, 5, set.element_size));
    }
    for (i = 0; i < BLOCKS; i++) {
        const gc_memcpy_params copy = copy_of(&blocks[i]);
        clear_words(&rig, buffer);
        CHECK_OK(gc_stream_memcpy(rig.stream, &copy));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(is_copied(&blocks[i]));
    }
}

int main(void) {
    gc_memset_params all = GRAPHCAP_MEMSET_INIT(NULL, 0, 9, 1, BYTES, 1, 0);
    rig_open(&rig);
    buffer = open_buffer(rig.context, BYTES);
    source = open_buffer(rig.context, BYTES);
    CHECK_OK(gc_set_name(buffer, "written"));
    CHECK_OK(gc_set_name(source, "read"));
    all.buffer = source;
    CHECK_OK(gc_context_memset(rig.context, &all));
    RUN(memsets_are_read_back_as_they_were_made);
    RUN(a_memset_without_rows_is_one_of_one_row);
    RUN(an_exec_takes_no_rows_for_one_row);
    RUN(copies_are_read_back_as_they_were_made);
    RUN(an_exec_copies_no_rows_for_one_row);
    RUN(work_outside_of_captures_does_the_same);
    CHECK_OK(gc_buffer_destroy(source));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
    return check_finish();
}
