/* Copies that are given together, by the calls of the driver's: one for all of them where the driver has it and takes them, else one
 * for each; and what is told when a call fails. */
#include "drivers.h"

static gc_buffer *first, *second;
static gc_host_buffer *pinned;
static uint32_t words[WORDS];

enum { COPIES = 4 };

/* What a batch came to. */
struct made {
    uint64_t batches, older, singles, rows;
};

/* The last two with host memory, if so wanted. */
static void fill(gc_memcpy_params *copies, int with_host) {
    const gc_memcpy_params some[COPIES] = {
        GRAPHCAP_MEMCPY_INIT_DTOD(second, 0, first, 0, 4), GRAPHCAP_MEMCPY_INIT_DTOD(second, 4, first, 4, 4),
        GRAPHCAP_MEMCPY_INIT_DTOD(second, 8, first, 8, 4), GRAPHCAP_MEMCPY_INIT_DTOD(second, 12, first, 12, 4)};
    const gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(second, 8, words + 2, 4);
    memcpy(copies, some, sizeof some);
    if (with_host) {
        copies[2] = in;
        copies[3] = in;
        copies[3].destination_offset = 12;
        copies[3].source_host = NULL;
        copies[3].source_host_buffer = pinned;
    }
}

static struct made give(const gc_stream *stream, const gc_memcpy_params *copies, size_t count) {
    struct made made;
    size_t failed = 0;
    stand_in.count(1);
    CHECK_OK(gc_stream_memcpy_batch(stream, copies, count, &failed));
    stand_in.count(0);
    CHECK(failed == SIZE_MAX);
    made.batches = calls_of("cuMemcpyBatchAsync_v2");
    made.older = calls_of("cuMemcpyBatchAsync");
    made.singles = calls_of("cuMemcpyDtoDAsync_v2") + calls_of("cuMemcpyHtoDAsync_v2");
    made.rows = calls_of("cuMemcpy3DAsync_v2");
    return made;
}

static void clear_second(void) {
    REQUIRE_OK(gc_stream_memset(rig.stream, second, 0, 0, 4, WORDS));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

static int is_copied(void) {
    unsigned i;
    for (i = 0; i < COPIES; i++)
        if (read_u32(rig.stream, second, i) != 50 + i)
            return 0;
    return 1;
}

static void copies_are_one_call_where_the_driver_has_it(void) {
    gc_stream *streams[4] = {NULL, NULL, NULL, NULL};
    gc_memcpy_params copies[COPIES];
    unsigned i, with_host;
    streams[0] = open_stream(rig.context, 0);
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &streams[1]));
    REQUIRE_OK(gc_stream_wrap(rig.context, native_stream(streams[0]), &streams[2]));
    streams[3] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    for (i = 0; i < LENGTH_OF(streams); i++) {
        for (with_host = 0; with_host < 2; with_host++) {
            struct made made;
            clear_second();
            fill(copies, with_host);
            made = give(streams[i], copies, COPIES);
            CHECK(made.batches == (is_old ? 0 : 1) && made.singles == (is_old ? COPIES : 0) && made.older == 0);
            CHECK(is_copied());
        }
        CHECK(give(streams[i], copies, 1).singles == 1);
    }
    for (i = LENGTH_OF(streams); i > 0; i--)
        CHECK_OK(gc_stream_destroy(streams[i - 1]));
}

static void the_legacy_stream_has_them_one_by_one(void) {
    gc_stream *legacy = NULL;
    gc_memcpy_params copies[COPIES];
    struct made made;
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    clear_second();
    fill(copies, 1);
    made = give(legacy, copies, COPIES);
    CHECK(made.batches == 0 && made.singles == COPIES);
    CHECK(is_copied());
    CHECK_OK(gc_stream_destroy(legacy));
}

static void rows_and_snapshots_go_alone(void) {
    gc_memcpy_params copies[COPIES];
    struct made made;
    clear_second();
    fill(copies, 1);
    copies[1].size = 2;
    copies[1].height = 2;
    copies[1].destination_pitch = 6;
    copies[1].source_pitch = 4;
    copies[2].flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    made = give(rig.stream, copies, COPIES);
    CHECK(made.rows == 1 && made.batches == (is_old ? 0 : 1) && made.singles == (is_old ? 3 : 1));
    CHECK(read_u32(rig.stream, second, 0) == 50 && read_u32(rig.stream, second, 2) == 52);
}

/* A driver of 12.8 has the function that came first. One that is in a capture by now refuses, and so does one that cannot. */
static void what_the_driver_does_not_take_together_it_is_given_otherwise(void) {
    gc_memcpy_params copies[COPIES];
    struct made made;
    if (is_old)
        return;
    fill(copies, 1);
    clear_second();
    stand_in.fail_function("cuMemcpyBatchAsync_v2", 1, GRAPHCAP_ERROR_NOT_SUPPORTED);
    made = give(rig.stream, copies, COPIES);
    CHECK(made.batches == 1 && made.older == 1 && made.singles == 0 && is_copied());
    clear_second();
    stand_in.fail_function("cuMemcpyBatchAsync_v2", 1, GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    made = give(rig.stream, copies, COPIES);
    CHECK(made.batches == 1 && made.older == 0 && made.singles == COPIES && is_copied());
    stand_in.fail_function(NULL, 0, 0);
}

static void a_capture_records_one_by_one(void) {
    gc_memcpy_params copies[COPIES];
    gc_graph_exec *exec;
    struct made made;
    clear_second();
    fill(copies, 1);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    made = give(rig.stream, copies, COPIES);
    CHECK(made.batches == 0 && made.singles == COPIES);
    exec = finish_capture(rig.stream);
    CHECK(read_u32(rig.stream, second, 0) == 0);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    CHECK(is_copied());
    CHECK_OK(gc_graph_exec_destroy(exec));
}

/* A capture that others began with a stream of theirs is asked for. */
static void a_capture_of_others_has_nodes_too(void) {
    gc_memcpy_params copies[COPIES];
    void *native = native_stream(rig.stream), *graph = NULL;
    struct made made;
    fill(copies, 0);
    CHECK(raw.begin(native, GRAPHCAP_CAPTURE_MODE_RELAXED) == 0);
    made = give(rig.stream, copies, COPIES);
    CHECK(made.batches == 0 && made.singles == COPIES);
    CHECK(raw.end(native, &graph) == 0 && raw.graph_destroy(graph) == 0);
}

static void a_call_that_fails_is_told(void) {
    gc_stream *legacy = NULL;
    gc_memcpy_params copies[COPIES];
    size_t failed = 0;
    fill(copies, 0);
    REQUIRE_OK(gc_context_legacy_stream(rig.context, &legacy));
    copies[1].size = 0;
    stand_in.fail_function("cuMemcpyDtoDAsync_v2", 2, 999);
    CHECK_MESSAGE(gc_stream_memcpy_batch(legacy, copies, COPIES, &failed), 999, "(element 2)");
    CHECK(failed == 2);
    if (!is_old) {
        stand_in.fail_function("cuMemcpyBatchAsync_v2", 1, 999);
        CHECK_MESSAGE(gc_stream_memcpy_batch(rig.stream, copies, COPIES, &failed), 999, "cuMemcpyBatchAsync_v2");
        CHECK(failed == SIZE_MAX);
    }
    /* As in a capture. */
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    stand_in.fail_function("cuMemcpyDtoDAsync_v2", 3, 999);
    CHECK_MESSAGE(gc_stream_memcpy_batch(rig.stream, copies, COPIES, &failed), 999, "(element 3)");
    CHECK(failed == 3);
    stand_in.fail_function(NULL, 0, 0);
    CHECK_OK(gc_graph_exec_destroy(finish_capture(rig.stream)));
    CHECK_OK(gc_stream_destroy(legacy));
}

static void open_rig(const char *version) {
    void *pointer = NULL;
    unsigned i;
    open_driver(version);
    rig_open(&rig);
    first = open_buffer(rig.context, WORDS * 4);
    second = open_buffer(rig.context, WORDS * 4);
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 64, 0, &pinned));
    REQUIRE_OK(gc_host_buffer_pointer(pinned, &pointer));
    for (i = 0; i < WORDS; i++)
        words[i] = 50 + i;
    memcpy(pointer, words + 3, 4);
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, first, 0, words, sizeof words));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

static void close_rig(const char *version) {
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_buffer_destroy(first));
    rig_close(&rig);
    check_test = "the end";
    expect_nothing_left(version);
}

static void try_driver(const char *version) {
    open_rig(version);
    RUN(copies_are_one_call_where_the_driver_has_it);
    RUN(the_legacy_stream_has_them_one_by_one);
    RUN(rows_and_snapshots_go_alone);
    RUN(what_the_driver_does_not_take_together_it_is_given_otherwise);
    RUN(a_capture_records_one_by_one);
    RUN(a_capture_of_others_has_nodes_too);
    RUN(a_call_that_fails_is_told);
    close_rig(version);
}

/* A device on which registered host memory has other addresses than the CPU knows, as some virtual ones. */
static void translate(const char *version) {
    gc_memcpy_params copies[COPIES];
    struct made made;
    setenv("STAND_IN_TRANSLATES", "1", 1);
    open_rig(version);
    clear_second();
    fill(copies, 1);
    made = give(rig.stream, copies, COPIES);
    CHECK(made.batches == 1 && made.singles == 2 && is_copied());
    close_rig(version);
}

static void the_oldest_driver_has_no_call_for_them(void) {
    in_child(try_driver, "12.0");
}

static void a_newer_driver_has_one(void) {
    in_child(try_driver, "13.0");
}

static void host_memory_that_has_to_be_translated_goes_alone(void) {
    in_child(translate, "13.0");
}

int main(void) {
    RUN(the_oldest_driver_has_no_call_for_them);
    RUN(a_newer_driver_has_one);
    RUN(host_memory_that_has_to_be_translated_goes_alone);
    return check_finish();
}
