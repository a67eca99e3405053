/* gc_capture: what is recorded through it, that it ends or aborts exactly once and never another owner's capture, and
 * that mistakes leave it as it is. */
#include "kernels.h"

#include <sched.h>

enum { WORDS = 16 };

static struct rig rig;
static gc_stream *fork_stream;
static gc_event *event;
static gc_buffer *buffer;

static gc_capture *begin_on(const gc_stream *stream, gc_capture_mode mode) {
    const gc_module *modules[1];
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = NULL;
    modules[0] = rig.module;
    options.modules = modules;
    options.module_count = 1;
    REQUIRE_OK(gc_capture_begin(stream, mode, &options, &capture));
    /* Read for the last time. */
    modules[0] = NULL;
    return capture;
}

static gc_capture *begin(gc_capture_mode mode) {
    return begin_on(rig.stream, mode);
}

/* Adds `value` to the first word, by the name of the kernel. */
static gc_status record_add(const gc_capture *capture, const char *name, uint32_t value,
                            const gc_launch_config *config) {
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return gc_capture_record_kernel(capture, name, config, arguments, 3);
}

/* A launch by name answers so, and says why. */
static void expect_refused(gc_status got, gc_status expected, const char *word) {
    check_message(__FILE__, __LINE__, "gc_capture_record_kernel", got, expected, word);
}

static gc_status add_one(const gc_capture *capture) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    return record_add(capture, "add", 1, &config);
}

static int is_active(const gc_capture *capture) {
    int32_t active = -1;
    CHECK_OK(gc_capture_is_active(capture, &active));
    return active;
}

static uint64_t recorded(const gc_capture *capture) {
    uint64_t count = UINT64_MAX;
    CHECK_OK(gc_capture_recorded_count(capture, &count));
    return count;
}

static void expect_shape(gc_graph *graph, size_t nodes, size_t edges) {
    size_t got_nodes = 99, got_edges = 99;
    CHECK_OK(gc_graph_node_count(graph, &got_nodes));
    CHECK_OK(gc_graph_edge_count(graph, &got_edges));
    if (check_failed(got_nodes == nodes && got_edges == edges))
        fprintf(stderr, "%s: %zu nodes and %zu edges, expected %zu and %zu\n", check_test, got_nodes, got_edges, nodes,
                edges);
    CHECK_OK(gc_graph_destroy(graph));
}

/* Ends the capture, which must give a graph of that shape, and destroys it. */
static void end_with_shape(gc_capture *capture, size_t nodes, size_t edges) {
    gc_graph *graph = NULL;
    if (CHECK_OK(gc_capture_end(capture, &graph)))
        expect_shape(graph, nodes, edges);
    CHECK(!is_active(capture));
    CHECK_OK(gc_capture_destroy(capture));
}

static void end_fails(const gc_capture *capture, gc_status status, const char *word) {
    gc_graph *graph = (gc_graph *)&rig;
    check_message(__FILE__, __LINE__, "gc_capture_end", gc_capture_end(capture, &graph), status, word);
    CHECK(graph == NULL && !is_active(capture));
}

/* The stream runs its work at once, and can be captured. */
static void expect_usable(const gc_stream *stream) {
    CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_OK(gc_stream_memset(stream, buffer, 60, 0xabcd, 4, 1));
    CHECK(read_u32(stream, buffer, 15) == 0xabcd);
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, WORDS));
    CHECK_OK(gc_stream_synchronize(stream));
    end_with_shape(begin_on(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), 0, 0);
}

static void what_is_recorded_runs_at_each_replay_and_not_before(void) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG(1, 64);
    uint32_t words[WORDS], back[WORDS], value = 5, i;
    uint64_t count = WORDS;
    gc_buffer *copied = open_buffer(rig.context, sizeof words), *read = open_buffer(rig.context, sizeof words);
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(copied), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(copied, 0, words, sizeof words);
    gc_memcpy_params across = GRAPHCAP_MEMCPY_INIT_DTOD(read, 4, copied, 0, sizeof words - 4);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(back, read, 0, sizeof back);
    gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    memset(words, 0, sizeof words);
    memset(back, 0xff, sizeof back);
    CHECK(is_active(capture) && recorded(capture) == 0);
    CHECK_OK(gc_capture_record_memcpy(capture, &in));
    CHECK_OK(gc_capture_record_kernel(capture, "add", &config, arguments, 3));
    CHECK_OK(gc_capture_record_kernel_handle(capture, rig.add, &config, arguments, 3));
    CHECK_OK(gc_capture_record_memcpy(capture, &across));
    CHECK_OK(gc_capture_record_memset(capture, read, 0, 7, 4, 1));
    CHECK_OK(gc_capture_record_memset(capture, read, 4, 0xffff1234, 2, 2));
    CHECK_OK(gc_capture_record_memcpy(capture, &out));
    /* The values were copied, and the graph keeps the buffers. */
    value = 1000;
    CHECK_OK(gc_buffer_destroy(copied));
    CHECK_OK(gc_buffer_destroy(read));
    CHECK(is_active(capture) && recorded(capture) == 7 && back[0] == 0xffffffffu);
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK(recorded(capture) == 7);
    CHECK_OK(gc_capture_destroy(capture));
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    expect_shape(graph, 7, 6);
    for (i = 0; i < 3; i++) {
        words[1] = i;
        CHECK_OK(gc_graph_launch(exec, rig.stream));
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK(back[0] == 7 && back[1] == 0x12341234 && back[2] == 10 + i && back[WORDS - 1] == 10);
    }
    CHECK_OK(gc_graph_exec_destroy(exec));
}

static void a_chain_has_an_edge_less_than_nodes(void) {
    unsigned lengths[] = {0, 1, 2, 500}, i, k;
    for (i = 0; i < LENGTH_OF(lengths); i++) {
        gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
        for (k = 0; k < lengths[i]; k++)
            CHECK_OK(add_one(capture));
        CHECK(recorded(capture) == lengths[i]);
        end_with_shape(capture, lengths[i], lengths[i] > 0 ? lengths[i] - 1 : 0);
    }
}

static void what_is_nothing_or_comes_otherwise_is_not_counted(void) {
    gc_memcpy_params nothing = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, NULL, 0);
    gc_event *joined = open_event(rig.context);
    gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_capture_record_memcpy(capture, &nothing));
    CHECK_OK(gc_capture_record_memset(capture, buffer, 0, 0, 4, 0));
    CHECK(recorded(capture) == 0);
    CHECK_OK(add_one(capture));
    /* A diamond with work of the program's own on both branches. */
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
    CHECK_OK(gc_stream_memset(fork_stream, buffer, 4, 0, 4, 1));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 8, 0, 4, 1));
    CHECK_OK(gc_event_record(joined, fork_stream, 0));
    CHECK_OK(gc_stream_wait_event(rig.stream, joined, 0));
    CHECK_OK(add_one(capture));
    CHECK(recorded(capture) == 2);
    end_with_shape(capture, 4, 4);
    expect_usable(fork_stream);
    CHECK_OK(gc_event_destroy(joined));
}

static void it_ends_or_aborts_once(void) {
    int aborts;
    for (aborts = 0; aborts < 2; aborts++) {
        gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
        gc_graph *graph = NULL;
        CHECK_OK(add_one(capture));
        /* A missing output does not end it. */
        CHECK_MESSAGE(gc_capture_end(capture, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "graph_out");
        CHECK(is_active(capture));
        if (aborts) {
            CHECK_OK(gc_capture_abort(capture));
        } else {
            CHECK_OK(gc_capture_end(capture, &graph));
            CHECK_OK(gc_graph_destroy(graph));
        }
        CHECK(!is_active(capture) && recorded(capture) == 1);
        end_fails(capture, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "once");
        CHECK_MESSAGE(gc_capture_abort(capture), GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "once");
        expect_refused(add_one(capture), GRAPHCAP_ERROR_ILLEGAL_STATE, "gc_capture_record_kernel");
        CHECK_MESSAGE(gc_capture_record_memset(capture, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_ILLEGAL_STATE, "over");
        expect_usable(rig.stream);
        CHECK(read_u32(rig.stream, buffer, 0) == 0);
        CHECK_OK(gc_capture_destroy(capture));
        expect_usable(rig.stream);
    }
}

static void kernels_are_found_by_name_in_all_modules(void) {
    static const char ptx[] =
        ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry only_here()\n{\n    ret;\n}\n";
    gc_host_kernel kernel = GRAPHCAP_HOST_KERNEL_INIT;
    gc_module_description description = GRAPHCAP_MODULE_DESCRIPTION_INIT;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_capture *capture = NULL;
    gc_module *second = NULL;
    gc_kernel *nothing;
    const gc_module *modules[2];
    kernel.name = "only_here";
    kernel.function = kernel_nothing;
    description.image = ptx;
    description.image_size = sizeof ptx;
    description.host_kernels = &kernel;
    description.host_kernel_count = 1;
    REQUIRE_OK(gc_module_load(rig.context, &description, &second));
    modules[0] = rig.module;
    modules[1] = second;
    options.modules = modules;
    options.module_count = 2;
    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, &capture));
    /* The capture keeps it. */
    CHECK_OK(gc_module_destroy(second));
    CHECK_OK(gc_capture_record_kernel(capture, "only_here", &config, NULL, 0));
    CHECK_OK(gc_capture_record_kernel(capture, "only_here", &config, NULL, 0));
    CHECK_OK(add_one(capture));
    expect_refused(record_add(capture, "nowhere", 1, &config), GRAPHCAP_ERROR_NOT_FOUND, "'nowhere'");
    expect_refused(record_add(capture, "", 1, &config), GRAPHCAP_ERROR_NOT_FOUND, "2 modules");
    expect_refused(record_add(capture, NULL, 1, &config), GRAPHCAP_ERROR_INVALID_VALUE, "name");
    expect_refused(record_add(capture, "\xff", 1, &config), GRAPHCAP_ERROR_INVALID_VALUE, "UTF-8");
    CHECK(is_active(capture) && recorded(capture) == 3);
    end_with_shape(capture, 3, 2);

    REQUIRE_OK(gc_capture_begin(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &capture));
    expect_refused(add_one(capture), GRAPHCAP_ERROR_NOT_FOUND, "no modules");
    nothing = get_kernel(rig.module, "nothing");
    CHECK_OK(gc_capture_record_kernel_handle(capture, nothing, &config, NULL, 0));
    CHECK_OK(gc_kernel_destroy(nothing));
    end_with_shape(capture, 1, 0);
}

/* Through the stream an impossible shape breaks the capture; through the object it never gets that far. */
static void impossible_launches_leave_the_capture_as_it_is(void) {
    static const gc_launch_config impossible[] = {
        {(uint32_t)sizeof(gc_launch_config), {0, 1, 1}, {1, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 0, 1}, {1, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 0}, {1, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {0, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {1, 0, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {1, 1, 0}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {2000, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {1024, 2, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {1, 1, 65}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {0x80000000u, 1, 1}, {1, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 65536, 1}, {1, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, UINT32_MAX}, {1, 1, 1}, 0, 0, 0, NULL, 0},
        {(uint32_t)sizeof(gc_launch_config), {1, 1, 1}, {1, 1, 1}, 0x7fffffff, 0, 0, NULL, 0},
    };
    gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    gc_kernel *nothing = get_kernel(rig.module, "nothing");
    size_t i;
    CHECK_OK(add_one(capture));
    for (i = 0; i < LENGTH_OF(impossible); i++) {
        CHECK_STATUS(record_add(capture, "add", 1, &impossible[i]), GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_MESSAGE(gc_capture_record_kernel_handle(capture, nothing, &impossible[i], NULL, 0),
                      GRAPHCAP_ERROR_INVALID_VALUE, i < 12 ? "[" : "shared memory");
        CHECK(is_active(capture) && recorded(capture) == 1);
    }
    expect_refused(record_add(capture, "add", 1, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "config");
    CHECK_OK(add_one(capture));
    end_with_shape(capture, 2, 1);

    capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_STATUS(gc_stream_launch_kernel(rig.stream, nothing, &impossible[0], NULL, 0), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(!is_active(capture));
    end_fails(capture, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "captur");
    CHECK_OK(gc_capture_destroy(capture));
    CHECK_OK(gc_kernel_destroy(nothing));
    expect_usable(rig.stream);
}

static void wrong_arguments_leave_the_capture_as_it_is(void) {
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT;
    uint32_t value = 1, word = 0;
    uint64_t count = 1;
    gc_context *other = open_context();
    gc_buffer *foreign = open_buffer(other, 64);
    gc_module *foreign_module = load_kernels(other);
    gc_kernel *foreign_kernel = get_kernel(foreign_module, "nothing");
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, &word, 4);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(&word, buffer, 0, 4);
    gc_memcpy_params across = GRAPHCAP_MEMCPY_INIT_DTOD(buffer, 0, buffer, 8, 4), bad;
    gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_STATUS(gc_capture_record_kernel(capture, "add", &config, arguments, 2), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_capture_record_kernel(capture, "add", &config, NULL, 3), GRAPHCAP_ERROR_INVALID_VALUE);
    arguments[0].offset = 65;
    CHECK_MESSAGE(gc_capture_record_kernel(capture, "add", &config, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE,
                  "offset 65");
    arguments[0].offset = 0;
    arguments[0].buffer = foreign;
    CHECK_STATUS(gc_capture_record_kernel(capture, "add", &config, arguments, 3), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK_STATUS(gc_capture_record_kernel_handle(capture, foreign_kernel, &config, NULL, 0),
                 GRAPHCAP_ERROR_INVALID_CONTEXT);

#define BAD_COPY(good, member, wrong, status, word_told)                                \
    do {                                                                                \
        bad = good;                                                                     \
        bad.member = wrong;                                                             \
        CHECK_MESSAGE(gc_capture_record_memcpy(capture, &bad), status, word_told);      \
    } while (0)
    CHECK_MESSAGE(gc_capture_record_memcpy(capture, NULL), GRAPHCAP_ERROR_INVALID_VALUE, "params");
    BAD_COPY(in, direction, 0, GRAPHCAP_ERROR_INVALID_VALUE, "direction");
    BAD_COPY(in, direction, 4, GRAPHCAP_ERROR_INVALID_VALUE, "direction");
    BAD_COPY(in, direction, GRAPHCAP_MEMCPY_DEVICE_TO_HOST, GRAPHCAP_ERROR_INVALID_HANDLE, "source");
    BAD_COPY(in, direction, GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE, GRAPHCAP_ERROR_INVALID_HANDLE, "source");
    BAD_COPY(out, direction, GRAPHCAP_MEMCPY_HOST_TO_DEVICE, GRAPHCAP_ERROR_INVALID_HANDLE, "destination");
    BAD_COPY(across, direction, GRAPHCAP_MEMCPY_HOST_TO_DEVICE, GRAPHCAP_ERROR_INVALID_VALUE, "params.source");
    BAD_COPY(across, direction, GRAPHCAP_MEMCPY_DEVICE_TO_HOST, GRAPHCAP_ERROR_INVALID_VALUE, "params.destination");
    BAD_COPY(in, source_offset, 4, GRAPHCAP_ERROR_INVALID_VALUE, "params.source_offset");
    BAD_COPY(in, destination_host, &word, GRAPHCAP_ERROR_INVALID_VALUE, "params.destination_host");
    BAD_COPY(in, source_host, NULL, GRAPHCAP_ERROR_INVALID_VALUE, "params.source_host");
    BAD_COPY(in, destination_offset, 61, GRAPHCAP_ERROR_INVALID_VALUE, "61");
    BAD_COPY(in, size, SIZE_MAX, GRAPHCAP_ERROR_INVALID_VALUE, "64 bytes");
    BAD_COPY(in, destination, foreign, GRAPHCAP_ERROR_INVALID_CONTEXT, "destination");
    BAD_COPY(out, destination_offset, 4, GRAPHCAP_ERROR_INVALID_VALUE, "params.destination_offset");
    BAD_COPY(out, source_host, &word, GRAPHCAP_ERROR_INVALID_VALUE, "params.source_host");
    BAD_COPY(out, destination_host, NULL, GRAPHCAP_ERROR_INVALID_VALUE, "params.destination_host");
    BAD_COPY(out, source, foreign, GRAPHCAP_ERROR_INVALID_CONTEXT, "source");
    BAD_COPY(across, destination_host, &word, GRAPHCAP_ERROR_INVALID_VALUE, "params.destination_host");
    BAD_COPY(across, source_host, &word, GRAPHCAP_ERROR_INVALID_VALUE, "params.source_host");
    BAD_COPY(across, source_offset, 61, GRAPHCAP_ERROR_INVALID_VALUE, "61");
#undef BAD_COPY
    CHECK_MESSAGE(gc_capture_record_memset(capture, buffer, 0, 0, 3, 1), GRAPHCAP_ERROR_INVALID_VALUE, "element_size");
    CHECK_STATUS(gc_capture_record_memset(capture, buffer, 2, 0, 4, 1), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_capture_record_memset(capture, buffer, 60, 0, 4, 2), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_STATUS(gc_capture_record_memset(capture, foreign, 0, 0, 4, 1), GRAPHCAP_ERROR_INVALID_CONTEXT);
    CHECK(is_active(capture) && recorded(capture) == 0);
    CHECK_OK(gc_capture_record_memcpy(capture, &in));
    CHECK_OK(gc_capture_record_memcpy(capture, &out));
    CHECK_OK(gc_capture_record_memcpy(capture, &across));
    end_with_shape(capture, 3, 2);
    CHECK_OK(gc_kernel_destroy(foreign_kernel));
    CHECK_OK(gc_module_destroy(foreign_module));
    CHECK_OK(gc_buffer_destroy(foreign));
    CHECK_OK(gc_context_destroy(other));
}

static void captures_that_cannot_begin_make_no_object(void) {
    const gc_capture_mode bad[] = {3, -1, INT32_MAX, INT32_MIN};
    gc_capture_options options = GRAPHCAP_CAPTURE_OPTIONS_INIT;
    gc_context *other = open_context();
    gc_module *foreign = load_kernels(other);
    const gc_module *modules[3];
    gc_stream *legacy = NULL;
    gc_capture *capture = NULL, *first;
    size_t i;
    CHECK_OK(gc_context_legacy_stream(rig.context, &legacy));
#define REFUSED(stream, mode, given, status, word)                                         \
    do {                                                                                   \
        capture = (gc_capture *)&rig;                                                      \
        CHECK_MESSAGE(gc_capture_begin(stream, mode, given, &capture), status, word);      \
        CHECK(capture == NULL);                                                            \
    } while (0)
    for (i = 0; i < LENGTH_OF(bad); i++)
        REFUSED(rig.stream, bad[i], NULL, GRAPHCAP_ERROR_INVALID_VALUE, "mode");
    REFUSED(legacy, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, "legacy");
    first = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    REFUSED(legacy, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, GRAPHCAP_ERROR_CAPTURE_IMPLICIT, "legacy");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_OK(gc_capture_destroy(first));
    options.module_count = 1;
    REFUSED(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, GRAPHCAP_ERROR_INVALID_VALUE, "modules");
    modules[0] = modules[1] = rig.module;
    modules[2] = NULL;
    options.modules = modules;
    options.module_count = 3;
    REFUSED(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, GRAPHCAP_ERROR_INVALID_HANDLE, "element 2");
    modules[2] = foreign;
    REFUSED(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, GRAPHCAP_ERROR_INVALID_CONTEXT, "module 2");
    options.module_count = SIZE_MAX;
    REFUSED(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, &options, GRAPHCAP_ERROR_INVALID_VALUE, "modules");
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    first = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    REFUSED(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, GRAPHCAP_ERROR_ILLEGAL_STATE, "captured already");
#undef REFUSED
    CHECK_STATUS(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(is_active(first));
    end_with_shape(first, 0, 0);
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_module_destroy(foreign));
    CHECK_OK(gc_context_destroy(other));
}

/* How a capture that is not to give a graph is got rid of. */
enum way { DESTROY, ABORT, ABORT_LATE, WAYS };

static void get_rid_of(gc_capture *capture, int way) {
    if (way == ABORT || way == ABORT_LATE)
        CHECK_OK(gc_capture_abort(capture));
    CHECK_OK(gc_capture_destroy(capture));
}

static void what_is_not_ended_is_discarded(void) {
    int way;
    for (way = DESTROY; way < WAYS; way++) {
        struct foreign foreign;
        unsigned released = 0, destroyed = 0;
        gc_buffer *wrapped;
        gc_capture *capture;
        foreign_open(&foreign);
        wrapped = wrap_foreign(rig.context, &foreign, &released);
        capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
        CHECK_OK(gc_capture_record_memset(capture, wrapped, 0, 1, 4, 1));
        CHECK_OK(gc_stream_launch_host_func(rig.stream, count_call, &destroyed, count_call));
        CHECK_OK(gc_buffer_destroy(wrapped));
        CHECK(count_of(&released) == 0 && count_of(&destroyed) == 0);
        if (way == ABORT_LATE) {
            /* Broken, which is told to nobody but who asks. */
            CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
            CHECK(!is_active(capture) && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
        }
        get_rid_of(capture, way);
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
        CHECK(await_count(&released, 1) && await_count(&destroyed, 1));
        CHECK(foreign_word(&foreign, 0) == 0);
        expect_usable(rig.stream);
        foreign_close(&foreign);
    }
}

/* A capture that is got rid of is no matter of later calls. */
static void expect_no_talk_of(const char *culprit) {
    char message[1024] = "";
    gc_buffer *none = NULL;
    CHECK_STATUS(gc_buffer_wrap(rig.context, NULL, 4, NULL, NULL, &none), GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK_OK(gc_last_error_message(message, sizeof message, NULL));
    CHECK(check_contains(message, "gc_buffer_wrap") && !check_contains(message, culprit));
}

static void a_broken_capture_ends_with_901(void) {
    int way;
    for (way = DESTROY; way < WAYS; way++) {
        gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_RELAXED);
        int32_t complete;
        CHECK_OK(add_one(capture));
        CHECK_STATUS(gc_stream_is_complete(rig.stream, &complete), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
        CHECK(!is_active(capture));
        CHECK_STATUS(add_one(capture), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK_STATUS(gc_capture_record_memset(capture, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        CHECK(recorded(capture) == 1 && capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
        if (way == ABORT_LATE) {
            end_fails(capture, GRAPHCAP_ERROR_CAPTURE_INVALIDATED, "gc_stream_is_complete");
            CHECK_STATUS(gc_capture_abort(capture), GRAPHCAP_ERROR_CAPTURE_UNMATCHED);
            CHECK_OK(gc_capture_destroy(capture));
        } else {
            get_rid_of(capture, way);
        }
        expect_no_talk_of("gc_stream_is_complete");
        expect_usable(rig.stream);
    }
}

static void unjoined_work_gives_no_graph(void) {
    int way;
    for (way = DESTROY; way < WAYS; way++) {
        gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
        CHECK_OK(add_one(capture));
        CHECK_OK(gc_event_record(event, rig.stream, 0));
        CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
        CHECK_OK(gc_stream_memset(fork_stream, buffer, 4, 0, 4, 1));
        CHECK(is_active(capture));
        if (way == ABORT_LATE) {
            end_fails(capture, GRAPHCAP_ERROR_CAPTURE_UNJOINED, "fork");
            CHECK_OK(gc_capture_destroy(capture));
        } else {
            get_rid_of(capture, way);
        }
        expect_usable(fork_stream);
        expect_usable(rig.stream);
    }
}

/* Destroys an object that has lost its capture, after what `way` says, which is refused. */
static void destroy_lost(gc_capture *lost, int way) {
    if (way == ABORT)
        CHECK_STATUS(gc_capture_abort(lost), GRAPHCAP_ERROR_CAPTURE_UNMATCHED);
    if (way == ABORT_LATE) {
        expect_refused(add_one(lost), GRAPHCAP_ERROR_ILLEGAL_STATE, "over");
        end_fails(lost, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "before");
    }
    CHECK_OK(gc_capture_destroy(lost));
}

/* Ended through its stream the capture is lost to the object, which leaves the next capture of that stream alone. */
static void it_ends_no_capture_but_its_own(void) {
    int way;
    for (way = DESTROY; way < WAYS; way++) {
        gc_capture *lost = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL), *next;
        gc_graph *graph = NULL;
        CHECK_OK(add_one(lost));
        CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
        expect_shape(graph, 1, 0);
        CHECK(!is_active(lost) && recorded(lost) == 1);
        next = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
        CHECK_OK(add_one(next));
        CHECK(!is_active(lost) && is_active(next));
        destroy_lost(lost, way);
        CHECK(is_active(next));
        CHECK_OK(add_one(next));
        end_with_shape(next, 2, 1);
    }
}

/* Nor the next one into the same graph, which has the same number. */
static void it_ends_no_later_capture_into_its_graph(void) {
    int way;
    for (way = DESTROY; way < WAYS; way++) {
        gc_capture *lost = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
        gc_graph *graph = NULL, *same = NULL;
        gc_status status;
        CHECK_OK(add_one(lost));
        REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
        status = gc_stream_begin_capture_to_graph(rig.stream, graph, NULL, 0, GRAPHCAP_CAPTURE_MODE_GLOBAL);
        if (status != GRAPHCAP_ERROR_NOT_SUPPORTED) {
            REQUIRE_OK(status);
            CHECK(!is_active(lost));
            destroy_lost(lost, way);
            CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
            CHECK_OK(gc_stream_end_capture(rig.stream, &same));
            CHECK_OK(gc_graph_destroy(same));
        } else {
            CHECK_OK(gc_capture_destroy(lost));
        }
        expect_shape(graph, 1, 0);
    }
}

/* Where the capture is over, what was to be recorded must not run instead. */
static void a_lost_capture_runs_nothing(void) {
    gc_capture *lost = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    gc_graph *graph = NULL;
    CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_STATUS(add_one(lost), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK_STATUS(gc_capture_record_memset(lost, buffer, 0, 1, 4, 1), GRAPHCAP_ERROR_ILLEGAL_STATE);
    CHECK(read_u32(rig.stream, buffer, 0) == 0);
    CHECK_OK(gc_capture_destroy(lost));
}

static void it_keeps_its_stream(void) {
    gc_stream *stream = open_stream(rig.context, 0), *still;
    gc_capture *capture = begin_on(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(add_one(capture));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK(is_active(capture));
    CHECK_OK(add_one(capture));
    end_with_shape(capture, 2, 1);
    still = open_stream(rig.context, 0);
    capture = begin_on(still, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    CHECK_OK(gc_stream_destroy(still));
    CHECK_OK(gc_capture_destroy(capture));
    /* Neither capture bars anything any more. */
    CHECK_OK(gc_context_synchronize(rig.context));
}

/* Calls that another thread makes on a capture. */
static gc_status end(gc_capture *capture) {
    gc_graph *graph = NULL;
    gc_status status = gc_capture_end(capture, &graph);
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status end_through_the_stream(gc_capture *capture) {
    gc_graph *graph = NULL;
    gc_status status = gc_stream_end_capture(rig.stream, &graph);
    (void)capture;
    CHECK_OK(gc_graph_destroy(graph));
    return status;
}

static gc_status abort_it(gc_capture *capture) {
    return gc_capture_abort(capture);
}

static gc_status add(gc_capture *capture) {
    return add_one(capture);
}

static gc_status ask(gc_capture *capture) {
    int32_t active = -1;
    gc_status status = gc_capture_is_active(capture, &active);
    CHECK(recorded(capture) == 1);
    return status;
}

struct call {
    gc_status (*make)(gc_capture *capture);
    gc_capture *capture;
    gc_status status;
};

static void *makes(void *argument) {
    struct call *call = (struct call *)argument;
    call->status = call->make(call->capture);
    return NULL;
}

static gc_status elsewhere(gc_status (*make)(gc_capture *capture), gc_capture *capture) {
    struct call call;
    call.make = make;
    call.capture = capture;
    call.status = -999;
    on_another_thread(makes, &call);
    return call.status;
}

static void threads_record_and_the_mode_says_who_ends(void) {
    int mode;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++) {
        int relaxed = mode == GRAPHCAP_CAPTURE_MODE_RELAXED;
        gc_capture *capture = begin((gc_capture_mode)mode);
        CHECK_OK(elsewhere(add, capture));
        CHECK_OK(elsewhere(ask, capture));
        CHECK_STATUS(elsewhere(end, capture), relaxed ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD);
        /* Gone either way. */
        end_fails(capture, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "once");
        CHECK_OK(gc_capture_destroy(capture));
        expect_usable(rig.stream);

        capture = begin((gc_capture_mode)mode);
        CHECK_STATUS(elsewhere(end_through_the_stream, capture),
                     relaxed ? GRAPHCAP_SUCCESS : GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD);
        CHECK(!is_active(capture));
        end_fails(capture, GRAPHCAP_ERROR_CAPTURE_UNMATCHED, "once");
        CHECK_OK(gc_capture_destroy(capture));

        capture = begin((gc_capture_mode)mode);
        CHECK_OK(elsewhere(abort_it, capture));
        CHECK(!is_active(capture));
        CHECK_OK(gc_capture_destroy(capture));
        expect_usable(rig.stream);

        capture = begin((gc_capture_mode)mode);
        CHECK_OK(elsewhere(gc_capture_destroy, capture));
        expect_usable(rig.stream);
    }
}

/* The per-thread stream is another one for every thread. */
static void a_capture_of_the_per_thread_stream_is_its_threads(void) {
    gc_stream *own = NULL;
    gc_graph *graph = NULL;
    gc_capture *capture;
    CHECK_OK(gc_context_per_thread_stream(rig.context, &own));
    capture = begin_on(own, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(add_one(capture));
    CHECK_STATUS(elsewhere(add, capture), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(elsewhere(ask, capture), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(elsewhere(end, capture), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_STATUS(elsewhere(abort_it, capture), GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK(is_active(capture));
    CHECK_OK(add_one(capture));
    end_with_shape(capture, 2, 1);
    capture = begin_on(own, GRAPHCAP_CAPTURE_MODE_RELAXED);
    CHECK_OK(elsewhere(gc_capture_destroy, capture));
    CHECK(capture_state(own) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(gc_stream_end_capture(own, &graph));
    expect_shape(graph, 0, 0);
    CHECK_OK(gc_stream_destroy(own));
}

enum { RACERS = 3 };

struct racer {
    pthread_t thread;
    gc_capture *capture;
    unsigned recorded, busy;
};

static void *races(void *argument) {
    struct racer *racer = (struct racer *)argument;
    unsigned i, rounds = soak(2000, 100000);
    for (i = 0; i < rounds; i++) {
        gc_status status =
            i % 2 == 0 ? gc_capture_record_memset(racer->capture, buffer, 0, 1, 4, 1) : add_one(racer->capture);
        if (status == GRAPHCAP_SUCCESS)
            racer->recorded++;
        else if (CHECK_STATUS(status, GRAPHCAP_ERROR_BUSY))
            racer->busy++;
        if (i % 64 == 0)
            CHECK(is_active(racer->capture));
    }
    return NULL;
}

/* Whoever comes second is refused, and nothing is recorded twice, lost or counted wrong. */
static void racing_threads_take_turns_or_are_refused(void) {
    struct racer racers[RACERS];
    gc_capture *capture = begin(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    gc_graph *graph = NULL;
    size_t nodes = 0;
    unsigned i, total = 0;
    memset(racers, 0, sizeof racers);
    for (i = 0; i < RACERS; i++) {
        racers[i].capture = capture;
        if (pthread_create(&racers[i].thread, NULL, races, &racers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (i = 0; i < RACERS; i++) {
        pthread_join(racers[i].thread, NULL);
        total += racers[i].recorded;
    }
    CHECK(total > 0 && recorded(capture) == total);
    CHECK_OK(gc_capture_end(capture, &graph));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK(nodes == total);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_capture_destroy(capture));
}

static void *records_until_it_is_gone(void *argument) {
    struct racer *racer = (struct racer *)argument;
    gc_status status = GRAPHCAP_SUCCESS;
    while (status == GRAPHCAP_SUCCESS || status == GRAPHCAP_ERROR_BUSY) {
        status = gc_capture_record_memset(racer->capture, buffer, 0, 0, 4, 1);
        if (status == GRAPHCAP_SUCCESS)
            __atomic_fetch_add(&racer->recorded, 1, __ATOMIC_RELAXED);
        /* The other thread is to get its turn soon. */
        sched_yield();
    }
    CHECK(status == GRAPHCAP_ERROR_ILLEGAL_STATE || status == GRAPHCAP_ERROR_INVALID_HANDLE);
    return NULL;
}

/* Destroyed, aborted or ended while another thread records: one of them is refused, and the stream is free. */
static void it_may_go_while_others_record(void) {
    unsigned i, rounds = soak(60, 5000);
    for (i = 0; i < rounds; i++) {
        struct racer racer;
        gc_graph *graph = NULL;
        gc_status status;
        memset(&racer, 0, sizeof racer);
        racer.capture = begin(GRAPHCAP_CAPTURE_MODE_RELAXED);
        if (pthread_create(&racer.thread, NULL, records_until_it_is_gone, &racer) != 0)
            exit(EXIT_FAILURE);
        while (count_of(&racer.recorded) < 3)
            sched_yield();
        if (i % 3 == 0) {
            CHECK_OK(gc_capture_destroy(racer.capture));
        } else {
            do
                status = i % 3 == 1 ? gc_capture_abort(racer.capture) : gc_capture_end(racer.capture, &graph);
            while (status == GRAPHCAP_ERROR_BUSY);
            CHECK_OK(status);
        }
        CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
        pthread_join(racer.thread, NULL);
        if (i % 3 != 0)
            CHECK_OK(gc_capture_destroy(racer.capture));
        if (graph != NULL)
            expect_shape(graph, racer.recorded, racer.recorded - 1);
    }
    expect_usable(rig.stream);
}

static void destroy_capture(void *user_data) {
    CHECK_OK(gc_capture_destroy((gc_capture *)user_data));
}

/* Nothing can be ended on a thread that runs work; destroying is allowed there all the same. */
static void a_host_function_may_destroy_it(void) {
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    int mode, rounds;
    for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++) {
        gc_capture *capture = begin((gc_capture_mode)mode);
        CHECK_OK(add_one(capture));
        CHECK_OK(gc_stream_launch_host_func(other, destroy_capture, capture, NULL));
        for (rounds = 0; rounds < 20000 && capture_state(rig.stream) != GRAPHCAP_CAPTURE_STATUS_NONE; rounds++)
            pause_ms(1);
        CHECK_OK(gc_stream_synchronize(other));
        expect_usable(rig.stream);
    }
    CHECK_OK(gc_stream_destroy(other));
}

/* A host function that destroys a capture while a call of another thread is running, which may have to wait for it. */
struct meeting {
    gc_capture *capture;
    gc_stream *other;
    int begun, ending;
};

static gc_status is_ending(const gc_stream *stream, void *user_data) {
    (void)stream;
    __atomic_store_n(&((struct meeting *)user_data)->ending, 1, __ATOMIC_RELEASE);
    return GRAPHCAP_SUCCESS;
}

/* Ends a capture of another stream, or a later one of the stream whose capture is destroyed. */
static void *end_meanwhile(void *argument) {
    struct meeting *meeting = (struct meeting *)argument;
    gc_graph *graph = NULL;
    while (!__atomic_load_n(&meeting->begun, __ATOMIC_ACQUIRE))
        sched_yield();
    if (meeting->other != NULL) {
        is_ending(meeting->other, meeting);
        CHECK_OK(gc_stream_end_capture(meeting->other, &graph));
    } else {
        CHECK_OK(gc_stream_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED, NULL, is_ending, meeting, NULL, &graph));
    }
    CHECK_OK(gc_graph_destroy(graph));
    return NULL;
}

static void destroy_meanwhile(void *user_data) {
    struct meeting *meeting = (struct meeting *)user_data;
    __atomic_store_n(&meeting->begun, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&meeting->ending, __ATOMIC_ACQUIRE))
        sched_yield();
    /* Lets the other thread get into its end; whether it is there yet is not to be seen. */
    pause_ms(20);
    CHECK_OK(gc_capture_destroy(meeting->capture));
}

/* On the stand-in for a driver work runs within the call that submits it, as if the queue were full. */
static void a_host_function_waits_for_no_call(void) {
    gc_stream *runs = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_stream *other = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    int same;
    for (same = 0; same < 2; same++) {
        struct meeting meeting;
        gc_graph *graph = NULL;
        pthread_t thread;
        memset(&meeting, 0, sizeof meeting);
        meeting.capture = begin(GRAPHCAP_CAPTURE_MODE_RELAXED);
        meeting.other = same ? NULL : other;
        if (same)
            CHECK_OK(gc_stream_end_capture(rig.stream, &graph));
        else
            REQUIRE_OK(gc_stream_begin_capture(other, GRAPHCAP_CAPTURE_MODE_RELAXED));
        if (pthread_create(&thread, NULL, end_meanwhile, &meeting) != 0)
            exit(EXIT_FAILURE);
        CHECK_OK(gc_stream_launch_host_func(runs, destroy_meanwhile, &meeting, NULL));
        pthread_join(thread, NULL);
        CHECK_OK(gc_stream_synchronize(runs));
        while (capture_state(rig.stream) != GRAPHCAP_CAPTURE_STATUS_NONE)
            pause_ms(1);
        CHECK_OK(gc_graph_destroy(graph));
    }
    CHECK_OK(gc_stream_destroy(other));
    CHECK_OK(gc_stream_destroy(runs));
}

int main(void) {
    rig_open(&rig);
    fork_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(rig.context);
    buffer = open_buffer(rig.context, WORDS * sizeof(uint32_t));
    RUN(what_is_recorded_runs_at_each_replay_and_not_before);
    RUN(a_chain_has_an_edge_less_than_nodes);
    RUN(what_is_nothing_or_comes_otherwise_is_not_counted);
    RUN(it_ends_or_aborts_once);
    RUN(kernels_are_found_by_name_in_all_modules);
    RUN(impossible_launches_leave_the_capture_as_it_is);
    RUN(wrong_arguments_leave_the_capture_as_it_is);
    RUN(captures_that_cannot_begin_make_no_object);
    RUN(what_is_not_ended_is_discarded);
    RUN(a_broken_capture_ends_with_901);
    RUN(unjoined_work_gives_no_graph);
    RUN(it_ends_no_capture_but_its_own);
    RUN(it_ends_no_later_capture_into_its_graph);
    RUN(a_lost_capture_runs_nothing);
    RUN(it_keeps_its_stream);
    RUN(threads_record_and_the_mode_says_who_ends);
    RUN(a_capture_of_the_per_thread_stream_is_its_threads);
    RUN(racing_threads_take_turns_or_are_refused);
    RUN(it_may_go_while_others_record);
    RUN(a_host_function_may_destroy_it);
    RUN(a_host_function_waits_for_no_call);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork_stream));
    rig_close(&rig);
    return check_finish();
}
