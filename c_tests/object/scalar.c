/* Scalars: values of each type, blocks, updates between replays, conditions, what is refused, what keeps them. */
#include "../graph/nodes.h"

#include <stddef.h>

static struct rig rig;

static gc_scalar *open_u32(uint32_t value) {
    gc_scalar *scalar = NULL;
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_U32, &value, &scalar));
    return scalar;
}

static void set_u32(const gc_scalar *scalar, uint32_t value) {
    CHECK_OK(gc_scalar_update(scalar, rig.stream, GRAPHCAP_SCALAR_U32, &value));
}

static uint32_t read_scalar(const gc_scalar *scalar) {
    uint32_t value = 0xa5a5a5a5u;
    CHECK_OK(gc_scalar_read(scalar, rig.stream, GRAPHCAP_SCALAR_U32, &value));
    return value;
}

/* Where a kernel gets a scalar as an argument; the buffer is to be destroyed. */
static gc_kernel_arg argument_of(const gc_scalar *scalar, gc_buffer **buffer) {
    size_t offset = 0;
    REQUIRE_OK(gc_scalar_buffer(scalar, buffer, &offset));
    {
        gc_kernel_arg argument = GRAPHCAP_ARG_INIT_BUFFER_AT(*buffer, offset);
        return argument;
    }
}

/* Launches seen[0] = mixed(seen[0], scalar, 5). */
static gc_status launch_see(const gc_buffer *seen, const gc_scalar *scalar) {
    gc_buffer *buffer = NULL;
    uint32_t c = 5;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(seen), GRAPHCAP_ARG_INIT_BUFFER(seen), argument_of(scalar, &buffer),
                                 GRAPHCAP_ARG_INIT_VALUE(c)};
    gc_status status = launch(rig.stream, rig.mix, 1, 1, arguments, 4);
    CHECK_OK(gc_buffer_destroy(buffer));
    return status;
}

static gc_graph *record_see(const gc_buffer *seen, const gc_scalar *scalar) {
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(launch_see(seen, scalar));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    return graph;
}

/* Made, read, updated and read again, of whichever type. */
static void check_type(uint32_t of, const void *first, const void *second, size_t size) {
    gc_scalar *scalar = NULL;
    unsigned char seen[8], untouched[8];
    uint32_t told = 0;
    uint64_t address = 0;
    memset(untouched, 0xa5, sizeof untouched);
    CHECK_OK(gc_scalar_create(rig.stream, of, first, &scalar));
    CHECK_OK(gc_scalar_type(scalar, &told));
    CHECK(told == of);
    CHECK_OK(gc_scalar_address(scalar, &address));
    CHECK(address != 0 && address % size == 0);
    memset(seen, 0xa5, sizeof seen);
    CHECK_OK(gc_scalar_read(scalar, rig.stream, of, seen));
    CHECK(memcmp(seen, first, size) == 0 && memcmp(seen + size, untouched, sizeof seen - size) == 0);
    CHECK_OK(gc_scalar_update(scalar, rig.stream, of, second));
    CHECK_OK(gc_scalar_read(scalar, rig.stream, of, seen));
    CHECK(memcmp(seen, second, size) == 0);
    CHECK_OK(gc_scalar_destroy(scalar));
}

static void values_of_each_type_are_kept(void) {
    const int32_t i32[] = {-5, INT32_MIN};
    const uint32_t u32[] = {7, UINT32_MAX};
    const int64_t i64[] = {-7, INT64_MIN};
    const uint64_t u64[] = {UINT64_C(0x0123456789abcdef), UINT64_MAX};
    const float f32[] = {0.1f, -3e38f};
    const double f64[] = {0.1, -1e300};
    const uint32_t nans[] = {0x7fa00001u, 0xffc12345u};
    check_type(GRAPHCAP_SCALAR_I32, &i32[0], &i32[1], 4);
    check_type(GRAPHCAP_SCALAR_U32, &u32[0], &u32[1], 4);
    check_type(GRAPHCAP_SCALAR_I64, &i64[0], &i64[1], 8);
    check_type(GRAPHCAP_SCALAR_U64, &u64[0], &u64[1], 8);
    check_type(GRAPHCAP_SCALAR_F32, &f32[0], &f32[1], 4);
    check_type(GRAPHCAP_SCALAR_F64, &f64[0], &f64[1], 8);
    check_type(GRAPHCAP_SCALAR_F32, &nans[0], &nans[1], 4);
}

struct settings {
    float rate;
    double scale;
    int32_t step;
    uint32_t flags;
    uint64_t seed;
    int64_t offset;
};

enum { SETTINGS = 6 };

static const uint32_t types_of_settings[SETTINGS] = {GRAPHCAP_SCALAR_F32, GRAPHCAP_SCALAR_F64, GRAPHCAP_SCALAR_I32,
                                                     GRAPHCAP_SCALAR_U32, GRAPHCAP_SCALAR_U64, GRAPHCAP_SCALAR_I64};

static void point_to_settings(const struct settings *settings, const void *values[SETTINGS]) {
    values[0] = &settings->rate;
    values[1] = &settings->scale;
    values[2] = &settings->step;
    values[3] = &settings->flags;
    values[4] = &settings->seed;
    values[5] = &settings->offset;
}

/* The memory of a block of `settings` is that of the struct. */
static void check_settings(const gc_buffer *buffer, const struct settings *expected) {
    struct settings seen;
    memset(&seen, 0, sizeof seen);
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, &seen, buffer, 0, sizeof seen));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(seen.rate == expected->rate && seen.scale == expected->scale && seen.step == expected->step);
    CHECK(seen.flags == expected->flags && seen.seed == expected->seed && seen.offset == expected->offset);
}

static void a_block_lies_as_a_struct_and_is_updated_at_once(void) {
    struct settings settings = {0.5f, 2.5, -3, 4, 5, -6};
    static const size_t offsets[SETTINGS] = {offsetof(struct settings, rate),  offsetof(struct settings, scale),
                                             offsetof(struct settings, step),  offsetof(struct settings, flags),
                                             offsetof(struct settings, seed),  offsetof(struct settings, offset)};
    gc_scalar *scalars[SETTINGS];
    const gc_scalar *some[3];
    const void *values[SETTINGS], *some_values[3];
    uint32_t some_types[3];
    gc_buffer *buffer = NULL, *other = NULL;
    uint64_t start = 0, address = 0;
    size_t i, size = 0, offset = 0;
    float rate = 0;
    point_to_settings(&settings, values);
    REQUIRE_OK(gc_scalar_create_block(rig.stream, types_of_settings, values, SETTINGS, scalars));
    REQUIRE_OK(gc_scalar_buffer(scalars[0], &buffer, &offset));
    CHECK_OK(gc_buffer_size(buffer, &size));
    CHECK_OK(gc_buffer_address(buffer, &start));
    CHECK(size == sizeof settings && offset == 0);
    for (i = 0; i < SETTINGS; i++) {
        CHECK_OK(gc_scalar_buffer(scalars[i], &other, &offset));
        CHECK_OK(gc_scalar_address(scalars[i], &address));
        CHECK(offset == offsets[i] && address == start + offset);
        CHECK_OK(gc_buffer_destroy(other));
    }
    check_settings(buffer, &settings);
    /* The values are copied by the call. */
    settings.rate = 0.25f;
    settings.flags = 40;
    settings.seed = UINT64_MAX;
    some[0] = scalars[0];
    some[1] = scalars[3];
    some[2] = scalars[4];
    some_values[0] = &settings.rate;
    some_values[1] = &settings.flags;
    some_values[2] = &settings.seed;
    some_types[0] = GRAPHCAP_SCALAR_F32;
    some_types[1] = GRAPHCAP_SCALAR_U32;
    some_types[2] = GRAPHCAP_SCALAR_U64;
    CHECK_OK(gc_scalar_update_many(rig.stream, some, some_types, some_values, 3));
    check_settings(buffer, &settings);
    /* One that is wrong: none is done. */
    some_types[2] = GRAPHCAP_SCALAR_F64;
    rate = settings.rate;
    settings.rate = 9;
    CHECK_MESSAGE(gc_scalar_update_many(rig.stream, some, some_types, some_values, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "update 2: the scalar is of type u64, not f64");
    settings.rate = rate;
    check_settings(buffer, &settings);
    /* The others go on, and so does the memory. */
    CHECK_OK(gc_scalar_destroy(scalars[0]));
    settings.step = 77;
    CHECK_OK(gc_scalar_update(scalars[2], rig.stream, GRAPHCAP_SCALAR_I32, &settings.step));
    check_settings(buffer, &settings);
    for (i = 1; i < SETTINGS; i++)
        CHECK_OK(gc_scalar_destroy(scalars[i]));
    check_settings(buffer, &settings);
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void a_block_has_at_most_255_scalars(void) {
    uint32_t types[256], numbers[256];
    const void *values[256];
    gc_scalar *scalars[256];
    const gc_scalar *same[256];
    size_t i;
    for (i = 0; i < 256; i++) {
        types[i] = GRAPHCAP_SCALAR_U32;
        numbers[i] = (uint32_t)i * 3;
        values[i] = &numbers[i];
    }
    CHECK_STATUS(gc_scalar_create_block(rig.stream, types, values, 256, scalars), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_scalar_create_block(rig.stream, types, values, 0, scalars), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_scalar_create_block(rig.stream, types, values, 255, scalars));
    CHECK(read_scalar(scalars[254]) == 254 * 3);
    /* The last update of one scalar holds. */
    for (i = 0; i < 256; i++)
        same[i] = scalars[1];
    CHECK_STATUS(gc_scalar_update_many(rig.stream, same, types, values, 256), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_scalar_update_many(rig.stream, same, types, values, 255));
    CHECK(read_scalar(scalars[1]) == 254 * 3 && read_scalar(scalars[0]) == 0);
    CHECK_OK(gc_scalar_update_many(rig.stream, NULL, NULL, NULL, 0));
    types[3] = 99;
    for (i = 0; i < 255; i++)
        CHECK_OK(gc_scalar_destroy(scalars[i]));
    CHECK_STATUS(gc_scalar_create_block(rig.stream, types, values, 4, scalars), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(scalars[0] == NULL && scalars[3] == NULL);
}

static void a_stream_that_is_captured_refuses_and_goes_on(void) {
    gc_buffer *seen = open_buffer(rig.context, 64);
    gc_scalar *scalar = open_u32(1), *made = NULL;
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING), *legacy = NULL;
    const gc_scalar *one = scalar;
    const uint32_t of = GRAPHCAP_SCALAR_U32;
    uint32_t value = 9;
    const void *pointer = &value;
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    REQUIRE_OK(launch_see(seen, scalar));
    CHECK_MESSAGE(gc_scalar_update(scalar, rig.stream, of, &value), GRAPHCAP_ERROR_ILLEGAL_STATE, "the capture goes on");
    CHECK_STATUS(gc_scalar_update_many(rig.stream, &one, &of, &pointer, 1), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_STATUS(gc_scalar_create(rig.stream, of, &value, &made), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(made == NULL);
    CHECK_STATUS(gc_scalar_create_block(rig.stream, &of, &pointer, 1, &made), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_STATUS(gc_scalar_read(scalar, rig.stream, of, &value), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(value == 0);
    value = 9;
    /* The stream that captures is a blocking one. */
    CHECK_STATUS(gc_scalar_update(scalar, legacy, of, &value), GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
    CHECK_STATUS(gc_scalar_read(scalar, legacy, of, &value), GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    /* Other streams take updates meanwhile, and make scalars. */
    value = 10;
    CHECK_OK(gc_scalar_update(scalar, other, of, &value));
    CHECK_OK(gc_scalar_create(other, of, &value, &made));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK(nodes_of(graph) == 1);
    CHECK_OK(gc_scalar_read(scalar, other, of, &value));
    CHECK(value == 10);
    CHECK_OK(gc_scalar_read(made, other, of, &value));
    CHECK(value == 10);
    CHECK_OK(gc_scalar_destroy(made));
    exec = open_exec(graph);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, seen, 0) == mixed(0, 10, 5));
    /* A capture that is broken. */
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_scalar_update(scalar, rig.stream, of, &value), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_STATUS(gc_scalar_read(scalar, rig.stream, of, &value), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    {
        gc_graph *none = NULL;
        CHECK_STATUS(gc_stream_end_capture(rig.stream, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    }
    set_u32(scalar, 11);
    CHECK(read_scalar(scalar) == 11);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(seen));
}

static void a_wrong_type_is_told(void) {
    const float rate = 0.5f;
    const double scale = 0.5;
    uint64_t seen = 0xa5a5a5a5a5a5a5a5u;
    gc_scalar *scalar = NULL;
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_F32, &rate, &scalar));
    CHECK_MESSAGE(gc_scalar_update(scalar, rig.stream, GRAPHCAP_SCALAR_F64, &scale), GRAPHCAP_ERROR_INVALID_VALUE,
                  "of type f32, not f64");
    CHECK_MESSAGE(gc_scalar_read(scalar, rig.stream, GRAPHCAP_SCALAR_I32, &seen), GRAPHCAP_ERROR_INVALID_VALUE,
                  "of type f32, not i32");
    CHECK(((unsigned char *)&seen)[0] == 0 && ((unsigned char *)&seen)[3] == 0 && ((unsigned char *)&seen)[4] == 0xa5);
    CHECK_MESSAGE(gc_scalar_update(scalar, rig.stream, 7, &scale), GRAPHCAP_ERROR_INVALID_VALUE, "GRAPHCAP_SCALAR_");
    CHECK_STATUS(gc_scalar_read(scalar, rig.stream, 0, &seen), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_scalar_update(scalar, rig.stream, GRAPHCAP_SCALAR_F32, NULL), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_scalar_destroy(scalar));
}

static void a_scalar_of_another_context_is_refused(void) {
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_scalar *scalar = open_u32(1);
    const gc_scalar *one = scalar;
    const uint32_t of = GRAPHCAP_SCALAR_U32;
    uint32_t value = 2;
    const void *pointer = &value;
    gc_context *told = NULL;
    CHECK_STATUS(gc_scalar_update(scalar, stream, of, &value), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_scalar_update_many(stream, &one, &of, &pointer, 1), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_scalar_read(scalar, stream, of, &value), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    CHECK(read_scalar(scalar) == 1);
    CHECK_OK(gc_scalar_get_context(scalar, &told));
    CHECK_OK(gc_context_destroy(told));
    CHECK_OK(gc_scalar_destroy(scalar));
}

/* The graph, its exec and queued work keep the memory. */
static void graphs_and_work_keep_a_scalar(void) {
    gc_buffer *seen = open_buffer(rig.context, 64);
    gc_scalar *scalar = open_u32(3);
    gc_graph *graph = record_see(seen, scalar);
    gc_graph_exec *exec;
    set_u32(scalar, 4);
    CHECK_OK(gc_scalar_destroy(scalar));
    exec = open_exec(graph);
    CHECK_OK(gc_graph_destroy(graph));
    scalar = open_u32(1000);
    replay(&rig, exec);
    CHECK(read_u32(rig.stream, seen, 0) == mixed(0, 4, 5));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(seen));
}

/* A node that changes the scalar, in a graph, and an update behind it. */
static void kernels_change_scalars_too(void) {
    gc_scalar *scalar = open_u32(100);
    gc_buffer *buffer = NULL;
    gc_graph_exec *exec;
    size_t offset = 0;
    REQUIRE_OK(gc_scalar_buffer(scalar, &buffer, &offset));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    REQUIRE_OK(launch_add(&rig, rig.stream, buffer, offset, 3, 1));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_scalar(scalar) == 106);
    set_u32(scalar, 5);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_scalar(scalar) == 8);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_scalar_destroy(scalar));
}

static void a_scalar_decides_about_a_switch(void) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph *graph = open_graph(rig.context);
    gc_scalar *scalar = open_u32(0), *rate = NULL;
    const float half = 0.5f;
    gc_condition condition = 0;
    gc_node set = 0, decision = 0, node = 0;
    struct kernel_call call;
    gc_graph_exec *exec;
    uint32_t i;
    REQUIRE_OK(gc_graph_create_condition(graph, 0, 0, &condition));
    REQUIRE_OK(gc_scalar_create(rig.stream, GRAPHCAP_SCALAR_F32, &half, &rate));
    CHECK_MESSAGE(gc_graph_add_scalar_condition_node(graph, NULL, 0, condition, rate, &node), GRAPHCAP_ERROR_INVALID_VALUE,
                  "of type f32");
    CHECK_STATUS(gc_graph_add_scalar_condition_node(graph, NULL, 0, condition + 1, scalar, &node), GRAPHCAP_ERROR_INVALID_VALUE);
    REQUIRE_OK(gc_graph_add_scalar_condition_node(graph, NULL, 0, condition, scalar, &set));
    REQUIRE_OK(gc_graph_add_conditional_node(graph, &set, 1, condition, GRAPHCAP_CONDITIONAL_SWITCH, 3, &decision));
    for (i = 0; i < 3; i++) {
        gc_graph *body = NULL;
        REQUIRE_OK(gc_node_get_graph(graph, decision, i, &body));
        REQUIRE_OK(add_kernel(body, NULL, 0, call_fill(&call, &rig, buffer, 0, 10 + i), &node));
        CHECK_OK(gc_graph_destroy(body));
    }
    exec = open_exec(graph);
    for (i = 0; i < 4; i++) {
        CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 7, 4, 1));
        set_u32(scalar, i);
        replay(&rig, exec);
        CHECK(read_u32(rig.stream, buffer, 0) == (i < 3 ? 10 + i : 7));
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(rate));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Texts of graphs, questions about addresses and names know the scalar by its buffer. */
static void a_scalar_is_found_and_named(void) {
    gc_buffer *seen = open_buffer(rig.context, 64), *found = NULL;
    gc_scalar *scalar = open_u32(3);
    gc_graph *graph = record_see(seen, scalar);
    gc_host_buffer *none = NULL;
    static char text[8192];
    uint64_t address = 0;
    size_t offset = 1;
    CHECK_OK(gc_set_name(scalar, "learning rate"));
    CHECK_OK(gc_get_name(scalar, text, sizeof text, NULL));
    CHECK(strcmp(text, "learning rate") == 0);
    CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
    CHECK(strstr(text, "learning rate") != NULL);
    CHECK_OK(gc_scalar_address(scalar, &address));
    CHECK_OK(gc_context_find_buffer(rig.context, address, &found, &none, &offset));
    CHECK(found != NULL && none == NULL && offset == 0);
    CHECK_OK(gc_get_name(found, text, sizeof text, NULL));
    CHECK(strcmp(text, "learning rate") == 0);
    CHECK_OK(gc_buffer_destroy(found));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_scalar_destroy(scalar));
    CHECK_OK(gc_buffer_destroy(seen));
}

int main(void) {
    rig_open(&rig);
    RUN(values_of_each_type_are_kept);
    RUN(a_block_lies_as_a_struct_and_is_updated_at_once);
    RUN(a_block_has_at_most_255_scalars);
    RUN(a_stream_that_is_captured_refuses_and_goes_on);
    RUN(a_wrong_type_is_told);
    RUN(a_scalar_of_another_context_is_refused);
    RUN(graphs_and_work_keep_a_scalar);
    RUN(kernels_change_scalars_too);
    RUN(a_scalar_decides_about_a_switch);
    RUN(a_scalar_is_found_and_named);
    rig_close(&rig);
    return check_finish();
}
