/* Copies that a stream is given together: of every kind of memory, eagerly and recorded; which one is wrong, and that nothing is done
 * then; their order beside other work; batches of captures that are strict or broken. */
#include "kernels.h"

enum { WORDS = 64, BYTES = WORDS * 4, MANY = 700 };

static struct rig rig;
static gc_buffer *first, *second;
static gc_host_buffer *pinned;
static uint32_t *pinned_words;

/* Kinds of streams that batches are given to. */
enum given { MADE, NON_BLOCKING, LEGACY, PER_THREAD, SHARED, GIVEN };

static gc_stream *give_stream(enum given given) {
    gc_stream *stream = NULL;
    void *native = NULL;
    switch (given) {
    case MADE: return open_stream(rig.context, 0);
    case LEGACY: REQUIRE_OK(gc_context_legacy_stream(rig.context, &stream)); break;
    case PER_THREAD: REQUIRE_OK(gc_context_per_thread_stream(rig.context, &stream)); break;
    case SHARED:
        stream = open_stream(rig.context, 0);
        /* The host device gives none out. */
        CHECK(gc_stream_native(stream, &native) == (on_cuda() ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_NOT_SUPPORTED));
        break;
    default: return open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    }
    return stream;
}

static gc_memcpy_params on_device(size_t to, size_t from, size_t words) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(second, to * 4, first, from * 4, words * 4);
    return copy;
}

static void write_words(const gc_buffer *buffer, const uint32_t *words) {
    REQUIRE_OK(gc_stream_memcpy_htod(rig.stream, buffer, 0, words, BYTES));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

static void read_words(const gc_buffer *buffer, uint32_t *words) {
    REQUIRE_OK(gc_stream_memcpy_dtoh(rig.stream, words, buffer, 0, BYTES));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
}

/* Fills both buffers: with numbers from 100 on, and with 0. */
static void reset_buffers(void) {
    uint32_t words[WORDS];
    unsigned i;
    for (i = 0; i < WORDS; i++)
        words[i] = 100 + i;
    write_words(first, words);
    memset(words, 0, sizeof words);
    write_words(second, words);
    memset(pinned_words, 0, BYTES);
}

static int second_is_untouched(void) {
    uint32_t words[WORDS];
    unsigned i;
    read_words(second, words);
    for (i = 0; i < WORDS && words[i] == 0; i++)
        ;
    return i == WORDS;
}

/* What a batch of every kind of copy works on beside the buffers. */
static struct plain {
    uint32_t source[4], saved[4], destination[4], within[4];
} plain;

enum { KINDS = 9 };

/* From host memory: plain, saved and pinned. On the device: a row, and rows. To host memory: plain and pinned. Within it. One of no
 * bytes. */
static void fill_batch(gc_memcpy_params *copies) {
    const gc_memcpy_params whole[KINDS] = {GRAPHCAP_MEMCPY_INIT_HTOD(second, 0, plain.source, 8),
                                           GRAPHCAP_MEMCPY_INIT_HTOD(second, 8, plain.saved, 8),
                                           GRAPHCAP_MEMCPY_INIT_HTOD(second, 16, NULL, 8),
                                           GRAPHCAP_MEMCPY_INIT_DTOD(second, 24, first, 40, 8),
                                           GRAPHCAP_MEMCPY_INIT_DTOD(second, 64, first, 0, 4),
                                           GRAPHCAP_MEMCPY_INIT_DTOH(plain.destination, first, 16, 8),
                                           GRAPHCAP_MEMCPY_INIT_DTOH(NULL, first, 24, 8),
                                           GRAPHCAP_MEMCPY_INIT_HTOH(plain.within, plain.source + 2, 8),
                                           GRAPHCAP_MEMCPY_INIT_HTOD(second, 0, NULL, 0)};
    memcpy(copies, whole, sizeof whole);
    copies[1].flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    copies[2].source_host_buffer = pinned;
    copies[2].source_offset = 32;
    copies[4].height = 3;
    copies[4].destination_pitch = 16;
    copies[4].source_pitch = 8;
    copies[6].destination_host_buffer = pinned;
}

static void set_plain(uint32_t from) {
    unsigned i;
    for (i = 0; i < 4; i++) {
        plain.source[i] = from + i;
        plain.saved[i] = from + 10 + i;
        plain.destination[i] = plain.within[i] = 0;
    }
    pinned_words[8] = from + 20;
    pinned_words[9] = from + 21;
}

/* After the batch has run, `from` as it was for set_plain() then, and `saved` as it was when the call was made. */
static void check_batch(uint32_t from, uint32_t saved) {
    const uint32_t expected[] = {from, from + 1, saved + 10, saved + 11, from + 20, from + 21, 110, 111, 0};
    uint32_t words[WORDS];
    read_words(second, words);
    CHECK(memcmp(words, expected, sizeof expected) == 0);
    CHECK(words[16] == 100 && words[20] == 102 && words[24] == 104 && words[17] == 0 && words[28] == 0);
    CHECK(plain.destination[0] == 104 && plain.destination[1] == 105 && plain.destination[2] == 0);
    CHECK(plain.within[0] == from + 2 && plain.within[1] == from + 3 && plain.within[2] == 0);
    CHECK(pinned_words[0] == 106 && pinned_words[1] == 107 && pinned_words[2] == 0);
}

static void every_kind_of_copy_is_made(void) {
    enum given given;
    for (given = MADE; given < GIVEN; given = (enum given)(given + 1)) {
        gc_stream *stream = give_stream(given);
        gc_memcpy_params copies[KINDS];
        size_t failed = 0;
        reset_buffers();
        set_plain(1000 * (given + 1));
        fill_batch(copies);
        CHECK_OK(gc_stream_memcpy_batch(stream, copies, KINDS, &failed));
        CHECK(failed == SIZE_MAX);
        memset(plain.saved, 0, sizeof plain.saved);
        REQUIRE_OK(gc_stream_synchronize(stream));
        check_batch(1000 * (given + 1), 1000 * (given + 1));
        CHECK_OK(gc_stream_destroy(stream));
    }
}

static void no_copies_are_no_work(void) {
    gc_memcpy_params copies[2];
    size_t failed = 0;
    reset_buffers();
    copies[0] = copies[1] = on_device(0, 0, 0);
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, NULL, 0, &failed));
    CHECK(failed == SIZE_MAX);
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 0, NULL));
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 2, NULL));
    copies[0] = on_device(0, 0, 1);
    copies[0].height = 0;
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 2, NULL));
    CHECK(second_is_untouched());
}

static void a_batch_stands_between_other_work(void) {
    gc_memcpy_params copies[4];
    uint32_t words[WORDS];
    unsigned i;
    reset_buffers();
    for (i = 0; i < 4; i++)
        copies[i] = on_device(i, i, 1);
    CHECK_OK(launch_add(&rig, rig.stream, first, 0, 7, WORDS));
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 4, NULL));
    CHECK_OK(launch_add(&rig, rig.stream, second, 0, 1000, 4));
    CHECK_OK(gc_stream_memset(rig.stream, first, 0, 0, 4, WORDS));
    read_words(second, words);
    for (i = 0; i < 4; i++)
        CHECK(words[i] == 1107 + i);
    CHECK(words[4] == 0);
}

static void many_copies_come_to_their_places(void) {
    gc_buffer *from = open_buffer(rig.context, MANY * 4), *to = open_buffer(rig.context, MANY * 4);
    gc_memcpy_params *copies = (gc_memcpy_params *)calloc(MANY, sizeof *copies);
    static uint32_t words[MANY], back[MANY];
    unsigned i;
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < MANY; i++) {
        /* MANY is no multiple of 11, so that each place has one. */
        const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOD(to, (i * 11 % MANY) * 4, from, i * 4, 4);
        words[i] = i + 1;
        copies[i] = copy;
    }
    CHECK_OK(gc_stream_memcpy_htod(rig.stream, from, 0, words, sizeof words));
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, MANY, NULL));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, back, to, 0, sizeof back));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < MANY; i++)
        CHECK(back[i * 11 % MANY] == i + 1);
    free(copies);
    CHECK_OK(gc_buffer_destroy(from));
    CHECK_OK(gc_buffer_destroy(to));
}

/* Ways in which a copy can be wrong. */
enum wrong { BEYOND, NO_MEMORY, OVERLAP, NO_DIRECTION, ANOTHER_SIZE, NO_HANDLE, NARROW, WRONGS };

static gc_memcpy_params wrong_copy(enum wrong wrong) {
    gc_memcpy_params copy = on_device(8, 8, 2);
    switch (wrong) {
    case BEYOND: copy.source_offset = BYTES - 4; break;
    case NO_MEMORY: copy.direction = GRAPHCAP_MEMCPY_HOST_TO_DEVICE; copy.source = NULL; copy.source_offset = 0; break;
    case OVERLAP: copy.source = second; copy.source_offset = 36; break;
    case NO_DIRECTION: copy.direction = 4; break;
    case ANOTHER_SIZE: copy.struct_size -= 8; break;
    case NO_HANDLE: copy.source = NULL; break;
    default: copy.height = 2; copy.source_pitch = 4; break;
    }
    return copy;
}

/* Has the copy at `at` of four be wrong. */
static void check_wrong(const gc_stream *stream, enum wrong wrong, unsigned at) {
    gc_memcpy_params copies[4];
    char element[32];
    size_t failed = 0;
    unsigned i;
    gc_status expected = wrong == NO_HANDLE ? GRAPHCAP_ERROR_INVALID_HANDLE : GRAPHCAP_ERROR_INVALID_VALUE;
    for (i = 0; i < 4; i++)
        copies[i] = on_device(i, i, 1);
    copies[at] = wrong_copy(wrong);
    /* The first one says how large all are. */
    if (wrong == ANOTHER_SIZE && at == 0)
        return;
    snprintf(element, sizeof element, "(element %u)", at);
    CHECK_MESSAGE(gc_stream_memcpy_batch(stream, copies, 4, &failed), expected, element);
    CHECK(failed == at);
    CHECK_STATUS(gc_stream_memcpy_batch(stream, copies, 4, NULL), expected);
    /* Of several wrong ones the first is told. */
    if (at < 3)
        copies[3] = wrong_copy(wrong == NO_HANDLE ? BEYOND : NO_HANDLE);
    CHECK_STATUS(gc_stream_memcpy_batch(stream, copies, 4, &failed), expected);
    CHECK(failed == at);
}

static void a_wrong_copy_is_told_and_nothing_is_done(void) {
    static const unsigned places[] = {0, 1, 3};
    enum wrong wrong;
    gc_graph *graph = NULL;
    size_t nodes = 1, failed = 0;
    unsigned i;
    int captured;
    reset_buffers();
    for (captured = 0; captured < 2; captured++) {
        if (captured)
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        for (wrong = BEYOND; wrong < WRONGS; wrong = (enum wrong)(wrong + 1))
            for (i = 0; i < LENGTH_OF(places); i++)
                check_wrong(rig.stream, wrong, places[i]);
        CHECK_MESSAGE(gc_stream_memcpy_batch(rig.stream, NULL, 2, &failed), GRAPHCAP_ERROR_INVALID_VALUE, "params");
        CHECK(failed == SIZE_MAX);
        failed = 0;
        CHECK_STATUS(gc_stream_memcpy_batch(NULL, NULL, 0, &failed), GRAPHCAP_ERROR_INVALID_HANDLE);
        CHECK(failed == SIZE_MAX);
    }
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 0);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK(second_is_untouched());
}

static void memory_of_another_context_is_refused(void) {
    gc_context *context = open_context();
    gc_buffer *foreign = open_buffer(context, BYTES);
    gc_memcpy_params copies[2];
    size_t failed = 0;
    copies[0] = copies[1] = on_device(0, 0, 1);
    copies[1].source = foreign;
    CHECK_MESSAGE(gc_stream_memcpy_batch(rig.stream, copies, 2, &failed), GRAPHCAP_ERROR_INVALID_CONTEXT, "(element 1)");
    CHECK(failed == 1);
    /* The stream is told by its name, as by single copies. */
    CHECK_OK(gc_set_name(rig.stream, "decode"));
    CHECK_MESSAGE(gc_stream_memcpy_batch(rig.stream, copies, 2, &failed), GRAPHCAP_ERROR_INVALID_CONTEXT, "the stream is \"decode\"");
    CHECK_OK(gc_set_name(rig.stream, NULL));
    CHECK_OK(gc_buffer_destroy(foreign));
    CHECK_OK(gc_context_destroy(context));
}

/* Each copy is a node behind the one before it, and each replay makes all of them. */
static void a_recorded_batch_is_replayed(void) {
    enum given given;
    for (given = MADE; given < GIVEN; given = (enum given)(given + 1)) {
        gc_stream *stream;
        gc_memcpy_params copies[KINDS];
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        size_t nodes = 0, edges = 0, failed = 0;
        if (given == LEGACY)
            continue;
        stream = give_stream(given);
        reset_buffers();
        set_plain(10);
        fill_batch(copies);
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch_add(&rig, stream, first, 0, 0, 1));
        CHECK_OK(gc_stream_memcpy_batch(stream, copies, KINDS, &failed));
        CHECK_OK(launch_add(&rig, stream, second, 0, 0, 1));
        REQUIRE_OK(gc_stream_end_capture(stream, &graph));
        CHECK(failed == SIZE_MAX);
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK_OK(gc_graph_edge_count(graph, &edges));
        CHECK(nodes == KINDS - 1 + 2 && edges == nodes - 1);
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK(second_is_untouched());
        set_plain(500);
        CHECK_OK(gc_graph_launch(exec, stream));
        REQUIRE_OK(gc_stream_synchronize(stream));
        check_batch(500, 10);
        set_plain(700);
        CHECK_OK(gc_graph_launch(exec, stream));
        REQUIRE_OK(gc_stream_synchronize(stream));
        check_batch(700, 10);
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_stream_destroy(stream));
    }
}

/* The graph keeps the buffers of all copies. */
static void a_recorded_batch_keeps_its_buffers(void) {
    gc_buffer *from = open_buffer(rig.context, 16), *to = open_buffer(rig.context, 16);
    gc_host_buffer *out = NULL;
    gc_graph_exec *exec;
    void *pointer = NULL;
    uint32_t seen[2];
    CHECK_OK(gc_stream_memset(rig.stream, from, 0, 0x01010101, 4, 4));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, 16, 0, &out));
    REQUIRE_OK(gc_host_buffer_pointer(out, &pointer));
    {
        gc_memcpy_params copies[] = {GRAPHCAP_MEMCPY_INIT_DTOD(to, 0, from, 0, 4), GRAPHCAP_MEMCPY_INIT_DTOH(NULL, from, 4, 8)};
        copies[1].destination_host_buffer = out;
        REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 2, NULL));
    }
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_buffer_destroy(from));
    CHECK_OK(gc_buffer_destroy(to));
    CHECK_OK(gc_host_buffer_destroy(out));
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    REQUIRE_OK(gc_stream_synchronize(rig.stream));
    memcpy(seen, pointer, sizeof seen);
    CHECK(seen[0] == 0x01010101 && seen[1] == 0x01010101);
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void a_strict_capture_refuses_plain_memory_of_any_copy(void) {
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_memcpy_params copies[3];
    gc_capture *capture = NULL;
    gc_graph *graph = NULL;
    size_t nodes = 0, failed = 0;
    const gc_memcpy_params from_host = GRAPHCAP_MEMCPY_INIT_HTOD(second, 8, plain.source, 4);
    options.flags = GRAPHCAP_CAPTURE_STRICT;
    copies[0] = on_device(0, 0, 1);
    copies[1] = on_device(1, 1, 1);
    copies[2] = from_host;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, &options, &capture));
    CHECK_MESSAGE(gc_stream_memcpy_batch(rig.stream, copies, 3, &failed), GRAPHCAP_ERROR_NOT_PERMITTED, "(element 2)");
    CHECK(failed == 2);
    copies[2].flags = GRAPHCAP_MEMCPY_SNAPSHOT;
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 3, &failed));
    CHECK(failed == SIZE_MAX);
    REQUIRE_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 3);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_capture_destroy(capture));
}

static void a_broken_capture_takes_no_batch(void) {
    gc_memcpy_params copies[2];
    gc_graph *graph = NULL;
    gc_stream *legacy = give_stream(LEGACY);
    size_t failed = 0;
    reset_buffers();
    copies[0] = on_device(0, 0, 1);
    copies[1] = on_device(1, 1, 1);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_MESSAGE(gc_stream_memcpy_batch(legacy, copies, 2, &failed), GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "gc_stream_memcpy_batch");
    CHECK(failed == 0);
    CHECK_STATUS(gc_stream_memcpy_batch(rig.stream, copies, 2, &failed), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_MESSAGE(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "gc_stream_memcpy_batch");
    CHECK(second_is_untouched());
    CHECK_OK(gc_stream_memcpy_batch(rig.stream, copies, 2, &failed));
    CHECK(failed == SIZE_MAX && read_u32(rig.stream, second, 1) == 101);
    CHECK_OK(gc_stream_destroy(legacy));
}

/* Of an open capture a batch on another stream is no part. */
static void beside_a_capture_a_batch_runs(void) {
    gc_stream *apart = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_memcpy_params copies[2];
    gc_graph *graph = NULL;
    size_t nodes = 1;
    reset_buffers();
    copies[0] = on_device(0, 0, 1);
    copies[1] = on_device(1, 1, 1);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(gc_stream_memcpy_batch(apart, copies, 2, NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    REQUIRE_OK(gc_stream_synchronize(apart));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == 0 && read_u32(rig.stream, second, 1) == 101);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_stream_destroy(apart));
}

/* Work of a forked stream that is not joined is known of as well as that of single copies. */
static void a_guarded_end_knows_of_a_batch_that_is_not_joined(void) {
    gc_context_options options = GRAPHCAP_CONTEXT_OPTIONS_INIT;
    gc_context *context = NULL;
    gc_stream *origin, *fork;
    gc_event *event, *joined;
    gc_buffer *buffer;
    gc_graph *graph = NULL;
    options.flags = GRAPHCAP_CONTEXT_GUARDED;
    REQUIRE_OK(gc_context_create(&options, &context));
    origin = open_stream(context, 0);
    fork = open_stream(context, 0);
    event = open_event(context);
    joined = open_event(context);
    buffer = open_buffer(context, 64);
    {
        const gc_memcpy_params copies[] = {GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 32, 4),
                                           GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 4, buffer, 36, 4)};
        REQUIRE_OK(gc_stream_begin_capture(origin, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(gc_event_record(event, origin, 0));
        CHECK_OK(gc_stream_wait_event(fork, event, 0));
        CHECK_OK(gc_stream_memcpy_batch(fork, copies, 2, NULL));
    }
    CHECK_STATUS(gc_stream_end_capture(origin, &graph), GRAPHCAP_ERROR_CAPTURE_UNJOINED);
    CHECK(capture_state(origin) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_event_record(joined, fork, 0));
    CHECK_OK(gc_stream_wait_event(origin, joined, 0));
    REQUIRE_OK(gc_stream_end_capture(origin, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(joined));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork));
    CHECK_OK(gc_stream_destroy(origin));
    CHECK_OK(gc_context_destroy(context));
}

int main(void) {
    void *pointer = NULL;
    rig_open(&rig);
    first = open_buffer(rig.context, BYTES);
    second = open_buffer(rig.context, BYTES);
    REQUIRE_OK(gc_host_buffer_allocate(rig.context, BYTES, 0, &pinned));
    REQUIRE_OK(gc_host_buffer_pointer(pinned, &pointer));
    pinned_words = (uint32_t *)pointer;
    RUN(every_kind_of_copy_is_made);
    RUN(no_copies_are_no_work);
    RUN(a_batch_stands_between_other_work);
    RUN(many_copies_come_to_their_places);
    RUN(a_wrong_copy_is_told_and_nothing_is_done);
    RUN(memory_of_another_context_is_refused);
    RUN(a_recorded_batch_is_replayed);
    RUN(a_recorded_batch_keeps_its_buffers);
    RUN(a_strict_capture_refuses_plain_memory_of_any_copy);
    RUN(a_broken_capture_takes_no_batch);
    RUN(beside_a_capture_a_batch_runs);
    RUN(a_guarded_end_knows_of_a_batch_that_is_not_joined);
    CHECK_OK(gc_host_buffer_destroy(pinned));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_buffer_destroy(first));
    rig_close(&rig);
    return check_finish();
}
