/* graphcap beside raw calls of the driver, as a program has them that uses PyTorch or cuBLAS too: one context, streams,
 * captures, graphs and memory that both sides use, and a current context that graphcap leaves as it was. */
#include "cuda_driver.h"

/* The first words of a buffer, through a raw stream; the work that writes them must be over or in that stream. */
static uint32_t raw_word(void *stream, uint64_t address) {
    uint32_t word = 0xdeadbeefu;
    CU_OK(cu.copy_out(&word, address, sizeof word, stream));
    CU_OK(cu.stream_synchronize(stream));
    return word;
}

/* Takes the memory that was given back and overwrites it: what was freed too early shows. */
static void churn(const gc_context *context, size_t size) {
    gc_stream *stream = open_stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_buffer *buffers[8];
    unsigned i;
    for (i = 0; i < LENGTH_OF(buffers); i++) {
        REQUIRE_OK(gc_buffer_allocate(context, size, &buffers[i]));
        CHECK_OK(gc_stream_memset(stream, buffers[i], 0, 0xee, 1, size));
    }
    CHECK_OK(gc_stream_synchronize(stream));
    for (i = 0; i < LENGTH_OF(buffers); i++)
        CHECK_OK(gc_buffer_destroy(buffers[i]));
    CHECK_OK(gc_stream_destroy(stream));
}

static void contexts_are_the_primary_one(void) {
    gc_context *first = open_context(), *second = open_context();
    void *native = NULL;
    CHECK_OK(gc_context_native(first, &native));
    CHECK(native == cu.primary);
    native = NULL;
    CHECK_OK(gc_context_native(second, &native));
    CHECK(native == cu.primary);
    CHECK_OK(gc_context_destroy(first));
    CHECK_OK(gc_context_destroy(second));
}

/* What must be current after each call; told with the call when it is not. */
static void *expected_current;

static void check_current(int line, const char *call) {
    void *current = NULL;
    CU_OK(cu.context_current(&current));
    if (check_failed(current == expected_current)) {
        fprintf(stderr, "%s:%d: in %s: after %s the current context is %p, was %p\n", __FILE__, line, check_test, call,
                current, expected_current);
        cu.context_set(expected_current);
    }
}

#define LEAVES_AS(call, status)               \
    do {                                      \
        CHECK_STATUS(call, status);           \
        check_current(__LINE__, #call);       \
    } while (0)
#define LEAVES(call) LEAVES_AS(call, GRAPHCAP_SUCCESS)
#define LEAVES_AND_NEEDS(call)                \
    do {                                      \
        REQUIRE_OK(call);                     \
        check_current(__LINE__, #call);       \
    } while (0)

static void submit_everything(const gc_context *context, const gc_stream *stream, const gc_kernel *add,
                              const gc_buffer *buffer, int captured) {
    uint32_t value = 1, words[4] = {0, 0, 0, 0};
    uint64_t count = 4;
    int32_t complete = 0;
    unsigned calls = 0;
    gc_event *event = NULL, *second = NULL;
    gc_launch_config config = GRAPHCAP_LAUNCH_CONFIG_INIT, impossible = GRAPHCAP_LAUNCH_CONFIG(1, 5000);
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    config.block_dim[0] = 32;
    LEAVES_AND_NEEDS(gc_event_create(context, NULL, &event));
    LEAVES_AND_NEEDS(gc_event_create(context, NULL, &second));
    LEAVES(gc_event_record(event, stream, 0));
    LEAVES(gc_stream_memset(stream, buffer, 0, 0, 4, 4));
    LEAVES(gc_stream_memcpy_htod(stream, buffer, 0, words, sizeof words));
    LEAVES(gc_stream_memcpy_dtod(stream, buffer, 0, buffer, 16, 16));
    LEAVES(gc_stream_launch_kernel(stream, add, &config, arguments, 3));
    LEAVES(gc_stream_launch_host_func(stream, count_call, &calls, NULL));
    LEAVES(gc_stream_memcpy_dtoh(stream, words, buffer, 0, sizeof words));
    LEAVES(gc_event_record(second, stream, 0));
    LEAVES(gc_stream_wait_event(stream, second, 0));
    if (!captured) {
        float milliseconds = -1;
        gc_status status;
        LEAVES_AS(gc_stream_launch_kernel(stream, add, &impossible, arguments, 3), GRAPHCAP_ERROR_INVALID_VALUE);
        status = gc_stream_is_complete(stream, &complete);
        CHECK(status == GRAPHCAP_SUCCESS);
        check_current(__LINE__, "gc_stream_is_complete");
        LEAVES(gc_event_is_complete(event, &complete));
        LEAVES(gc_event_synchronize(second));
        LEAVES(gc_stream_synchronize(stream));
        LEAVES(gc_event_elapsed_time(event, second, &milliseconds));
        CHECK(milliseconds >= 0 && calls == 1);
    }
    LEAVES(gc_event_destroy(event));
    LEAVES(gc_event_destroy(second));
}

static void call_everything(void *native_stream_of_others) {
    char text[512];
    void *native = NULL;
    uint32_t number = 0;
    size_t size = 0;
    uint64_t address = 0;
    int32_t flag = 0;
    gc_device_kind kind = 0;
    gc_capture_state state = 0;
    unsigned released = 0, i;
    gc_context *context = NULL;
    gc_stream *streams[5] = {NULL, NULL, NULL, NULL, NULL};
    gc_stream_options apart = GRAPHCAP_STREAM_OPTIONS_INIT;
    gc_module_description code = test_module(), garbage = test_module();
    gc_module *module = NULL;
    gc_kernel *add = NULL, *none = NULL;
    gc_buffer *buffer = NULL, *wrapped = NULL;
    gc_graph *graph = NULL;
    gc_graph_exec *exec = NULL;
    gc_event *event = NULL;
    apart.flags = GRAPHCAP_STREAM_NON_BLOCKING;
    garbage.image = "nonsense";
    garbage.image_size = 8;

    LEAVES(gc_device_count(GRAPHCAP_DEVICE_CUDA, &number));
    LEAVES(gc_device_name(GRAPHCAP_DEVICE_CUDA, 0, text, sizeof text, NULL));
    LEAVES(gc_device_auto_reason(text, sizeof text, NULL));
    LEAVES_AND_NEEDS(gc_context_create(NULL, &context));
    LEAVES(gc_context_device_kind(context, &kind));
    LEAVES(gc_context_device_name(context, text, sizeof text, NULL));
    LEAVES(gc_context_native(context, &native));
    LEAVES_AND_NEEDS(gc_stream_create(context, NULL, &streams[0]));
    LEAVES_AND_NEEDS(gc_stream_create(context, &apart, &streams[1]));
    LEAVES_AND_NEEDS(gc_stream_wrap(context, native_stream_of_others, &streams[2]));
    LEAVES_AND_NEEDS(gc_context_legacy_stream(context, &streams[3]));
    LEAVES_AND_NEEDS(gc_context_per_thread_stream(context, &streams[4]));
    LEAVES_AS(gc_module_load(context, &garbage, &module), GRAPHCAP_ERROR_INVALID_IMAGE);
    LEAVES_AND_NEEDS(gc_module_load(context, &code, &module));
    LEAVES_AND_NEEDS(gc_module_get_kernel(module, "add", &add));
    LEAVES_AS(gc_module_get_kernel(module, "absent", &none), GRAPHCAP_ERROR_NOT_FOUND);
    LEAVES(gc_kernel_name(add, text, sizeof text, NULL));
    LEAVES(gc_kernel_parameter_count(add, &size));
    LEAVES(gc_kernel_parameter_size(add, 0, &size));
    LEAVES(gc_module_native(module, &native));
    LEAVES(gc_kernel_native(add, &native));
    LEAVES_AND_NEEDS(gc_buffer_allocate(context, 64, &buffer));
    LEAVES_AS(gc_buffer_allocate(context, (size_t)1 << 50, &wrapped), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    LEAVES(gc_buffer_size(buffer, &size));
    LEAVES(gc_buffer_address(buffer, &address));
    LEAVES_AND_NEEDS(gc_buffer_wrap(context, (void *)(uintptr_t)address, 64, &released, count_call, &wrapped));
    LEAVES_AND_NEEDS(gc_event_create(context, NULL, &event));
    LEAVES(gc_event_native(event, &native));
    for (i = 0; i < LENGTH_OF(streams); i++) {
        submit_everything(context, streams[i], add, i % 2 ? wrapped : buffer, 0);
        LEAVES(gc_stream_native(streams[i], &native));
        submit_everything(context, streams[i], add, i % 2 ? wrapped : buffer, 0);
    }
    for (i = 0; i < LENGTH_OF(streams); i++) {
        if (i == 3) {
            LEAVES_AS(gc_stream_begin_capture(streams[i], GRAPHCAP_CAPTURE_MODE_RELAXED),
                      GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
            continue;
        }
        LEAVES(gc_stream_begin_capture(streams[i], (gc_capture_mode)(i % 3)));
        submit_everything(context, streams[i], add, i % 2 ? wrapped : buffer, 1);
        LEAVES(gc_stream_capture_status(streams[i], &state));
        LEAVES(gc_stream_is_capturing(streams[i], &flag));
        CHECK(state == GRAPHCAP_CAPTURE_STATUS_ACTIVE && flag == 1);
        LEAVES_AND_NEEDS(gc_stream_end_capture(streams[i], &graph));
        LEAVES(gc_graph_node_count(graph, &size));
        LEAVES(gc_graph_edge_count(graph, &size));
        LEAVES_AS(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL),
                  GRAPHCAP_ERROR_BUFFER_TOO_SMALL);
        LEAVES(gc_graph_native(graph, &native));
        LEAVES_AND_NEEDS(gc_graph_instantiate(graph, NULL, &exec));
        LEAVES(gc_graph_exec_native(exec, &native));
        LEAVES(gc_graph_exec_node_count(exec, &size));
        LEAVES(gc_graph_destroy(graph));
        /* What submit_everything() recorded points to memory of a call that is over: it is never launched. */
        LEAVES(gc_graph_upload(exec, streams[1]));
        LEAVES(gc_graph_exec_destroy(exec));
        LEAVES(gc_stream_begin_capture(streams[i], GRAPHCAP_CAPTURE_MODE_RELAXED));
        LEAVES(gc_stream_memset(streams[i], buffer, 0, 7, 4, 4));
        LEAVES_AND_NEEDS(gc_stream_end_capture(streams[i], &graph));
        LEAVES_AND_NEEDS(gc_graph_instantiate(graph, NULL, &exec));
        LEAVES(gc_graph_launch(exec, streams[i]));
        LEAVES(gc_stream_synchronize(streams[i]));
        LEAVES(gc_graph_exec_num_replays(exec, &address));
        LEAVES(gc_graph_exec_is_uploaded(exec, &flag));
        LEAVES(gc_graph_launch(exec, streams[3]));
        LEAVES(gc_graph_exec_destroy(exec));
        LEAVES(gc_graph_destroy(graph));
    }
    LEAVES(gc_stream_begin_capture(streams[0], GRAPHCAP_CAPTURE_MODE_RELAXED));
    LEAVES_AS(gc_stream_synchronize(streams[0]), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    LEAVES_AS(gc_stream_end_capture(streams[0], &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    LEAVES(gc_context_synchronize(context));
    LEAVES(gc_context_collect(context));
    for (i = 0; i < LENGTH_OF(streams); i++)
        LEAVES(gc_stream_destroy(streams[i]));
    LEAVES(gc_event_destroy(event));
    LEAVES(gc_buffer_destroy(wrapped));
    LEAVES(gc_buffer_destroy(buffer));
    LEAVES(gc_kernel_destroy(add));
    LEAVES(gc_module_destroy(module));
    LEAVES(gc_context_destroy(context));
    CHECK(await_count(&released, 1));
}

/* Whatever is current, none included, is current after every call, and the stack below it is as it was. */
static void the_current_context_stays_as_it_was(void) {
    static const char *const names[] = {"no context", "the primary context", "another context"};
    void *other = NULL, *stream = raw_stream(CU_STREAM_APART), *popped = NULL, *contexts[3];
    unsigned i;
    REQUIRE_CU(cu.context_create(&other, 0, cu.device));
    REQUIRE_CU(cu.context_pop(&popped));
    contexts[0] = NULL, contexts[1] = cu.primary, contexts[2] = other;
    for (i = 0; i < LENGTH_OF(contexts); i++) {
        fprintf(stderr, "with %s current\n", names[i]);
        if (contexts[i] == NULL) {
            REQUIRE_CU(cu.context_pop(&popped));
        } else {
            /* Two more on the stack; a push without a pop, or the other way round, would show below. */
            REQUIRE_CU(cu.context_push(other));
            REQUIRE_CU(cu.context_push(contexts[i]));
        }
        REQUIRE_CU(cu.context_current(&expected_current));
        CHECK(expected_current == contexts[i]);
        call_everything(stream);
        if (contexts[i] != NULL) {
            CU_OK(cu.context_pop(&popped));
            CHECK(popped == contexts[i]);
            CU_OK(cu.context_pop(&popped));
            CHECK(popped == other);
        }
        REQUIRE_CU(cu.context_set(cu.primary));
    }
    CU_OK(cu.stream_destroy(stream));
    CU_OK(cu.context_destroy(other));
    CU_OK(cu.context_set(cu.primary));
}

/* Launches by graphcap and by the driver take turns on one stream; each needs the result of the one before. */
static void check_order(const struct rig *rig, const gc_stream *stream, void *native, const char *what) {
    gc_buffer *buffer = open_buffer(rig->context, 16);
    uint64_t base = address_of(buffer);
    void *mix = native_kernel(rig->mix);
    uint32_t a = 0, b = 1, i, words[2] = {0, 0};
    CHECK_OK(gc_stream_memset(stream, buffer, 4, 1, 4, 1));
    for (i = 0; i < 200; i++) {
        /* word 0 from both, then word 1 from both */
        CHECK_OK(launch_mix(rig, stream, buffer, 0, 0, 1, i));
        a = mixed(a, b, i);
        CU_OK(raw_mix(native, mix, base, 1, 1, 0, i));
        b = mixed(b, a, i);
        if (i % 20 == 0) {
            CU_OK(cu.fill_bytes(base, (unsigned char)i, 4, native));
            a = i * 0x01010101u;
            CHECK_OK(gc_stream_memcpy_dtod(stream, buffer, 4, buffer, 0, 4));
            b = a;
        }
    }
    CU_OK(cu.copy_out(&words[0], base, 4, native));
    CHECK_OK(gc_stream_memcpy_dtoh(stream, &words[1], buffer, 4, 4));
    CHECK_OK(gc_stream_synchronize(stream));
    if (words[0] != a || words[1] != b)
        fprintf(stderr, "the stream is %s\n", what);
    CHECK_EQUAL(words[0], a);
    CHECK_EQUAL(words[1], b);
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void raw_and_gc_work_keep_their_order(void) {
    struct rig rig;
    gc_stream *stream = NULL;
    void *native = NULL;
    rig_open(&rig);

    native = raw_stream(CU_STREAM_APART);
    stream = wrap_stream(rig.context, native);
    CHECK(native_stream(stream) == native);
    check_order(&rig, stream, native, "a wrapped non-blocking one");
    CHECK_OK(gc_stream_destroy(stream));
    /* The handle is gone, the stream is not. */
    CU_OK(cu.stream_synchronize(native));
    CU_OK(cu.stream_destroy(native));

    native = raw_stream(CU_STREAM_BLOCKING);
    stream = wrap_stream(rig.context, native);
    check_order(&rig, stream, native, "a wrapped blocking one");
    CHECK_OK(gc_stream_destroy(stream));
    CU_OK(cu.stream_destroy(native));

    check_order(&rig, rig.stream, native_stream(rig.stream), "graphcap's own");

    stream = wrap_stream(rig.context, NULL);
    CHECK(native_stream(stream) == CU_LEGACY);
    check_order(&rig, stream, NULL, "the legacy one, as NULL");
    CHECK_MESSAGE(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED,
                  "legacy");
    CHECK_OK(gc_stream_destroy(stream));

    stream = wrap_stream(rig.context, CU_LEGACY);
    CHECK(native_stream(stream) == CU_LEGACY);
    check_order(&rig, stream, CU_LEGACY, "the legacy one, as CU_STREAM_LEGACY");
    CHECK_OK(gc_stream_destroy(stream));

    stream = wrap_stream(rig.context, CU_PER_THREAD);
    CHECK(native_stream(stream) == CU_PER_THREAD);
    check_order(&rig, stream, CU_PER_THREAD, "the per-thread one");
    CHECK_OK(gc_stream_destroy(stream));
    rig_close(&rig);
}

/* Where a capture happens that both sides record into. */
enum place { WRAPPED, WRAPPED_BLOCKING, OWN, OWN_SHARED_MIDWAY, PER_THREAD, PLACES };
static const char *const place_names[] = {"a wrapped stream", "a wrapped blocking stream", "an own stream",
                                          "an own stream, shared midway", "the per-thread stream"};

struct both {
    struct rig rig;
    gc_stream *stream;
    gc_buffer *buffer, *wrapped;
    void *native, *mix, *replayer;
    /* What the wrapped buffer wraps. */
    uint64_t memory;
    struct pinned result;
    unsigned calls, dropped, released;
    enum place place;
};

static void both_open(struct both *s, enum place place) {
    memset(s, 0, sizeof *s);
    rig_open(&s->rig);
    s->place = place;
    s->replayer = raw_stream(CU_STREAM_APART);
    if (place == WRAPPED || place == WRAPPED_BLOCKING) {
        s->native = raw_stream(place == WRAPPED ? CU_STREAM_APART : CU_STREAM_BLOCKING);
        s->stream = wrap_stream(s->rig.context, s->native);
    } else if (place == PER_THREAD) {
        REQUIRE_OK(gc_context_per_thread_stream(s->rig.context, &s->stream));
        s->native = CU_PER_THREAD;
    } else {
        s->stream = open_stream(s->rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
        if (place == OWN)
            s->native = native_stream(s->stream);
    }
    s->mix = native_kernel(s->rig.mix);
    s->buffer = open_buffer(s->rig.context, 4096);
    REQUIRE_CU(cu.memory_allocate(&s->memory, 4096));
    s->wrapped = wrap_memory(s->rig.context, s->memory, 4096, &s->released);
    pinned_open(&s->result, 4);
}

enum { BOTH_NODES = 8 };

/* Eight nodes in a row, four by graphcap and four by raw calls; each needs the one before. */
static void both_record(struct both *s) {
    uint64_t base = address_of(s->buffer);
    CHECK_OK(gc_stream_memset(s->stream, s->buffer, 0, 1, 4, 4));
    CHECK_OK(launch_mix(&s->rig, s->stream, s->buffer, 0, 0, 1, 5));
    if (s->place == OWN_SHARED_MIDWAY)
        s->native = native_stream(s->stream);
    CU_OK(raw_mix(s->native, s->mix, base, 1, 0, 1, 7));
    CU_OK(cu.fill_words(base + 8, 4, 1, s->native));
    CHECK_OK(gc_stream_launch_host_func(s->stream, count_call, &s->calls, NULL));
    CU_OK(cu.copy(s->memory, base, 12, s->native));
    CHECK_OK(gc_stream_memset(s->stream, s->wrapped, 12, 0xab, 4, 1));
    CU_OK(cu.copy_out((void *)(uintptr_t)s->result.words, s->memory, 16, s->native));
}

static void both_check(const struct both *s) {
    CHECK_EQUAL(s->result.words[0], mixed(1, 1, 5));
    CHECK_EQUAL(s->result.words[1], mixed(mixed(1, 1, 5), 1, 7));
    CHECK_EQUAL(s->result.words[2], 4);
    CHECK_EQUAL(s->result.words[3], 0xab);
    memset((void *)(uintptr_t)s->result.words, 0, 16);
}

/* One capture: begun and ended by graphcap or by raw calls, work of both inside, all gc_ handles destroyed, then
 * replayed by raw calls until the raw graph and exec are destroyed. */
static void capture_both(enum place place, int raw_begin, int raw_end, gc_capture_mode mode, int keep_context) {
    struct both s;
    gc_graph *graph = NULL;
    void *raw_graph = NULL, *exec = NULL;
    unsigned replays, failures = check_failures;
    uint64_t handles = gc_live_handles();
    gc_context *fresh;
    both_open(&s, place);
    if (raw_begin)
        REQUIRE_CU(cu.begin_capture(s.native, (unsigned)mode));
    else
        REQUIRE_OK(gc_stream_begin_capture(s.stream, mode));
    CHECK(capture_state(s.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    both_record(&s);
    CHECK_OK(gc_stream_launch_host_func(s.stream, told_call, told_open(&s.calls, &s.dropped), told_drop));
    if (raw_end) {
        REQUIRE_CU(cu.end_capture(s.native, &raw_graph));
    } else {
        char text[8192] = "";
        size_t nodes = 0, edges = 0;
        REQUIRE_OK(gc_stream_end_capture(s.stream, &graph));
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK_OK(gc_graph_edge_count(graph, &edges));
        CHECK_EQUAL(nodes, BOTH_NODES + 1);
        CHECK_EQUAL(edges, BOTH_NODES);
        CHECK_OK(gc_graph_export_dot(graph, GRAPHCAP_DOT_VERBOSE, text, sizeof text, NULL));
        CHECK(check_contains(text, "mix") && check_contains(text, "memset") && check_contains(text, "memcpy") &&
              check_contains(text, "host"));
        CHECK(check_contains(text, "device to host") && check_contains(text, "n8"));
        REQUIRE_OK(gc_graph_native(graph, &raw_graph));
    }
    CHECK(capture_state(s.stream) == GRAPHCAP_CAPTURE_STATUS_NONE);
    CHECK_EQUAL(raw_node_count(raw_graph), BOTH_NODES + 1);
    CHECK_EQUAL(s.calls, 0);

    CHECK_OK(gc_buffer_destroy(s.buffer));
    CHECK_OK(gc_buffer_destroy(s.wrapped));
    CHECK_OK(gc_stream_destroy(s.stream));
    fresh = s.rig.context;
    if (keep_context)
        s.rig.context = NULL;
    else
        fresh = open_context();
    rig_close(&s.rig);
    REQUIRE_CU(cu.graph_instantiate(&exec, raw_graph, 0));
    CHECK_OK(gc_context_collect(fresh));
    churn(fresh, 4096);
    for (replays = 1; replays <= 3; replays++) {
        CU_OK(cu.graph_launch(exec, s.replayer));
        CU_OK(cu.stream_synchronize(s.replayer));
        both_check(&s);
        churn(fresh, 4096);
        if (replays == 2) {
            /* From here on the exec alone holds everything. */
            if (graph != NULL)
                CHECK_OK(gc_graph_destroy(graph));
            else
                CU_OK(cu.graph_destroy(raw_graph));
            CHECK_OK(gc_context_collect(fresh));
        }
        CHECK_EQUAL(count_of(&s.calls), 2 * replays);
        CHECK(count_of(&s.dropped) == 0 && count_of(&s.released) == 0);
    }
    CU_OK(cu.exec_destroy(exec));
    CU_OK(cu.stream_synchronize(s.replayer));
    CHECK(await_count(&s.dropped, 1));
    CHECK(await_count(&s.released, 1));
    CHECK_OK(gc_context_destroy(fresh));
    CHECK_EQUAL(gc_live_handles(), handles);
    CHECK(count_of(&s.dropped) == 1 && count_of(&s.released) == 1);
    CU_OK(cu.stream_destroy(s.replayer));
    if (place == WRAPPED || place == WRAPPED_BLOCKING)
        CU_OK(cu.stream_destroy(s.native));
    CU_OK(cu.memory_free(s.memory));
    pinned_close(&s.result);
    if (check_failures != failures)
        fprintf(stderr, "that was on %s, begun by %s, ended by %s, mode %d, context %s\n", place_names[place],
                raw_begin ? "raw calls" : "graphcap", raw_end ? "raw calls" : "graphcap", (int)mode,
                keep_context ? "kept" : "destroyed");
}

/* The driver was seen to give the handle of a removed node to the next one. */
static void nodes_that_others_remove_lose_their_names(void) {
    enum { NODES = 64 };
    struct rig rig;
    gc_buffer *buffer;
    gc_graph *graph = NULL;
    gc_node nodes[NODES] = {0}, now[NODES] = {0};
    void *raw = NULL, *natives[NODES] = {NULL}, *native, *added;
    size_t count = 0, i, k, reused = 0;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 4);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    for (i = 0; i < NODES; i++)
        CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_get_nodes(graph, nodes, NODES, &count));
    for (i = 0; i < NODES; i++)
        CHECK_OK(gc_node_native(graph, nodes[i], &natives[i]));
    REQUIRE_OK(gc_graph_native(graph, &raw));
    for (i = 0; i < NODES; i += 2) {
        CU_OK(cu.node_destroy(natives[i]));
        native = graph;
        CHECK_MESSAGE(gc_node_native(graph, nodes[i], &native), GRAPHCAP_ERROR_INVALID_VALUE, "no node");
        CHECK(native == NULL);
        CU_OK(cu.graph_add_empty(&added, raw, NULL, 0));
        reused += added == natives[i];
        CHECK(gc_node_native(graph, nodes[i], &native) == GRAPHCAP_ERROR_INVALID_VALUE);
        CHECK_OK(gc_node_native(graph, nodes[i + 1], &native));
        CHECK(native == natives[i + 1]);
    }
    CHECK_OK(gc_graph_get_nodes(graph, now, NODES, &count));
    CHECK_EQUAL(count, NODES);
    for (i = 0; i < NODES; i += 2)
        for (k = 0; k < count; k++)
            CHECK(now[k] != 0 && now[k] != nodes[i]);
    fprintf(stderr, "%u of %u handles were given to the next node\n", (unsigned)reused, NODES / 2);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

static void captures_hold_the_work_of_both_sides(void) {
    int place, raw_begin, raw_end, mode;
    for (place = 0; place < PLACES; place++)
        for (raw_begin = 0; raw_begin <= (place != OWN_SHARED_MIDWAY); raw_begin++)
            for (raw_end = 0; raw_end <= 1; raw_end++)
                for (mode = GRAPHCAP_CAPTURE_MODE_GLOBAL; mode <= GRAPHCAP_CAPTURE_MODE_RELAXED; mode++)
                    capture_both((enum place)place, raw_begin, raw_end, mode, (mode + raw_begin + raw_end) % 2);
}

/* A gc_ stream gets into a capture that others began, by an event, and out of it again when they end it. */
static void a_gc_stream_joins_a_capture_of_others(void) {
    unsigned way;
    for (way = 0; way < 4; way++) {
        struct rig rig;
        gc_stream *theirs, *own;
        gc_event *fork, *join;
        gc_buffer *buffer, *eager;
        unsigned calls = 0, dropped = 0, replay;
        void *native = raw_stream(CU_STREAM_APART), *raw_fork = NULL, *raw_join = NULL, *graph = NULL, *exec = NULL;
        struct pinned result;
        uint64_t base;
        rig_open(&rig);
        pinned_open(&result, 1);
        theirs = wrap_stream(rig.context, native);
        own = open_stream(rig.context, way & 1 ? GRAPHCAP_STREAM_NON_BLOCKING : 0);
        fork = open_event(rig.context);
        join = open_event(rig.context);
        buffer = open_buffer(rig.context, 64);
        eager = open_buffer(rig.context, 64);
        base = address_of(buffer);
        if (way & 1)
            CHECK_OK(gc_event_native(fork, &raw_fork));
        if (way & 2)
            CHECK_OK(gc_event_native(join, &raw_join));

        REQUIRE_CU(cu.begin_capture(native, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CU_OK(cu.fill_words(base, 10, 1, native));
        if (way & 1)
            CU_OK(cu.event_record(raw_fork, native));
        else
            CHECK_OK(gc_event_record(fork, theirs, 0));
        CHECK_OK(gc_stream_wait_event(own, fork, 0));
        CHECK(capture_state(own) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        CHECK_OK(launch_add(&rig, own, buffer, 0, 5, 1));
        CHECK_OK(gc_stream_launch_host_func(own, told_call, told_open(&calls, &dropped), told_drop));
        CHECK_OK(gc_event_record(join, own, 0));
        if (way & 2)
            CU_OK(cu.stream_wait_event(native, raw_join, 0));
        else
            CHECK_OK(gc_stream_wait_event(theirs, join, 0));
        CU_OK(cu.copy_out((void *)(uintptr_t)result.words, base, 4, native));
        REQUIRE_CU(cu.end_capture(native, &graph));
        CHECK_EQUAL(raw_node_count(graph), 4);
        CHECK(calls == 0 && capture_state(own) == GRAPHCAP_CAPTURE_STATUS_NONE);

        /* The gc_ stream executes again. */
        CHECK_OK(launch_add(&rig, own, eager, 0, 3, 1));
        CHECK(read_u32(own, eager, 0) == 3);

        CHECK_OK(gc_stream_destroy(theirs));
        CHECK_OK(gc_stream_destroy(own));
        CHECK_OK(gc_event_destroy(fork));
        CHECK_OK(gc_event_destroy(join));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_buffer_destroy(eager));
        CHECK_OK(gc_context_collect(rig.context));
        churn(rig.context, 64);
        rig_close(&rig);
        REQUIRE_CU(cu.graph_instantiate(&exec, graph, 0));
        CU_OK(cu.graph_destroy(graph));
        for (replay = 1; replay <= 3; replay++) {
            CU_OK(cu.graph_launch(exec, native));
            CU_OK(cu.stream_synchronize(native));
            CHECK_EQUAL(result.words[0], 15);
            CHECK_EQUAL(count_of(&calls), replay);
            result.words[0] = 0;
        }
        CHECK(count_of(&dropped) == 0);
        CU_OK(cu.exec_destroy(exec));
        CHECK(await_count(&dropped, 1));
        CU_OK(cu.stream_destroy(native));
        pinned_close(&result);
        CHECK_EQUAL(count_of(&dropped), 1);
    }
}

/* The driver alone knows on which stream others began a capture into a graph of graphcap's. On a fork it refuses the end and
 * breaks the capture, with which the graph is lost. On the origin it gives the graph that there is. */
static void ends_of_captures_that_others_began_into_graphs_are_the_drivers(void) {
    int (*begin_into)(void *stream, void *graph, void *const *nodes, const void *data, size_t count, unsigned mode);
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *found = library != NULL ? dlsym(library, "cuStreamBeginCaptureToGraph") : NULL;
    struct rig rig;
    int on_fork;
    if (found == NULL) /* before 12.3 */
        return;
    memcpy(&begin_into, &found, sizeof begin_into);
    rig_open(&rig);
    for (on_fork = 0; on_fork < 2; on_fork++) {
        gc_buffer *buffer = open_buffer(rig.context, 64);
        gc_stream *theirs = NULL, *fork = open_stream(rig.context, 0);
        gc_event *event = open_event(rig.context);
        gc_graph *graph = NULL, *same = NULL;
        void *native = raw_stream(CU_STREAM_APART), *native_graph = NULL, *none = NULL;
        size_t count = 99;
        REQUIRE_OK(gc_stream_wrap(rig.context, native, &theirs));
        REQUIRE_OK(gc_graph_create(rig.context, &graph));
        REQUIRE_OK(gc_graph_native(graph, &native_graph));
        REQUIRE_CU(begin_into(native, native_graph, NULL, NULL, 0, GRAPHCAP_CAPTURE_MODE_RELAXED));
        CHECK_OK(gc_stream_memset(theirs, buffer, 0, 7, 4, 1));
        CHECK_OK(gc_event_record(event, theirs, 0));
        CHECK_OK(gc_stream_wait_event(fork, event, 0));
        if (on_fork) {
            CHECK_STATUS(gc_stream_end_capture(fork, &same), GRAPHCAP_ERROR_CAPTURE_UNMATCHED);
            CHECK(same == NULL && capture_state(theirs) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
            CHECK_STATUS(gc_graph_node_count(graph, &count), GRAPHCAP_ERROR_INVALID_VALUE);
            CHECK_CU(cu.end_capture(native, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
        } else {
            REQUIRE_OK(gc_stream_end_capture(theirs, &same));
            CHECK_OK(gc_graph_destroy(graph));
            graph = NULL;
            CHECK_OK(gc_graph_node_count(same, &count));
            CHECK_EQUAL(count, 1);
        }
        CHECK(capture_state(theirs) == GRAPHCAP_CAPTURE_STATUS_NONE);
        CHECK(capture_state(fork) == GRAPHCAP_CAPTURE_STATUS_NONE);
        CHECK_OK(gc_graph_destroy(same));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_event_destroy(event));
        CHECK_OK(gc_stream_destroy(fork));
        CHECK_OK(gc_stream_destroy(theirs));
        CU_OK(cu.stream_destroy(native));
        CHECK_OK(gc_buffer_destroy(buffer));
    }
    rig_close(&rig);
}

static void a_stream_of_another_context_is_refused(void) {
    gc_context *context = open_context();
    gc_stream *stream = (gc_stream *)context;
    void *other = NULL, *native = NULL, *popped = NULL;
    REQUIRE_CU(cu.context_create(&other, 0, cu.device));
    native = raw_stream(CU_STREAM_APART);
    /* With that context current, and with the primary one. */
    CHECK_MESSAGE(gc_stream_wrap(context, native, &stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "context");
    CHECK(stream == NULL);
    CU_OK(cu.context_pop(&popped));
    CHECK_MESSAGE(gc_stream_wrap(context, native, &stream), GRAPHCAP_ERROR_INVALID_CONTEXT, "primary");
    CHECK(stream == NULL);
    CU_OK(cu.stream_destroy(native));
    CU_OK(cu.context_destroy(other));
    CU_OK(cu.context_set(cu.primary));
    CHECK_OK(gc_context_destroy(context));
}

static uint32_t kind_of_node(const gc_graph *graph, gc_node node) {
    uint32_t kind = 0;
    CHECK_OK(gc_node_kind(graph, node, &kind));
    return kind;
}

/* graph, exec, event, module and kernel are the driver's, and raw calls on them do what they say. */
static void native_objects_work_in_raw_calls(void) {
    struct rig rig;
    gc_buffer *buffer;
    gc_graph *graph = NULL;
    gc_graph_exec *exec;
    gc_event *event;
    gc_host_node_params told = GRAPHCAP_HOST_NODE_PARAMS_INIT;
    gc_node found[4] = {0};
    unsigned calls = 0;
    struct cuda_host_node host = {count_call, &calls};
    size_t i;
    void *native = NULL, *raw_exec = NULL, *raw_event = NULL, *function = NULL, *node = NULL, *stream;
    size_t nodes = 0, edges = 0, raw_edges = 0;
    uint64_t replays = 0;
    int32_t complete = 0;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 64);
    stream = raw_stream(CU_STREAM_APART);
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 2, 1));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 3, 1));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_graph_native(graph, &native));
    CHECK_OK(gc_graph_node_count(graph, &nodes));
    CHECK_OK(gc_graph_edge_count(graph, &edges));
    CU_OK(cu.graph_edges(native, NULL, NULL, &raw_edges));
    CHECK_EQUAL(nodes, 3);
    CHECK_EQUAL(raw_node_count(native), nodes);
    CHECK_EQUAL(edges, 2);
    CHECK_EQUAL(raw_edges, edges);
    /* What others add is there for both. */
    CU_OK(cu.graph_add_host(&node, native, NULL, 0, &host));
    CHECK_OK(gc_graph_get_nodes(graph, found, 4, &nodes));
    CHECK_EQUAL(nodes, 4);
    for (i = 0; i < 4 && kind_of_node(graph, found[i]) != GRAPHCAP_NODE_HOST; i++)
        continue;
    CHECK_OK(gc_node_get_host_params(graph, found[i % 4], &told));
    CHECK(told.is_foreign == 1 && told.function == NULL && told.user_data == NULL);
    REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK_OK(gc_graph_exec_node_count(exec, &nodes));
    CHECK_EQUAL(nodes, 4);
    CHECK_OK(gc_graph_exec_native(exec, &raw_exec));
    CU_OK(cu.graph_launch(raw_exec, stream));
    CU_OK(cu.stream_synchronize(stream));
    CHECK_EQUAL(read_u32(rig.stream, buffer, 0), 6);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK_EQUAL(read_u32(rig.stream, buffer, 0), 12);
    /* graphcap counts its own. */
    CHECK_OK(gc_graph_exec_num_replays(exec, &replays));
    CHECK_EQUAL(replays, 1);
    CHECK_EQUAL(calls, 2);

    event = open_event(rig.context);
    CHECK_OK(gc_event_native(event, &raw_event));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, 0, 1, 1));
    CHECK_OK(gc_event_record(event, rig.stream, 0));
    CU_OK(cu.stream_wait_event(stream, raw_event, 0));
    CHECK_EQUAL(raw_word(stream, address_of(buffer)), 13);
    CU_OK(raw_add(stream, native_kernel(rig.add), address_of(buffer), 7, 1));
    CU_OK(cu.event_record(raw_event, stream));
    CHECK_OK(gc_event_synchronize(event));
    CHECK_OK(gc_event_is_complete(event, &complete));
    CHECK(complete == 1);
    CHECK_EQUAL(read_u32(rig.stream, buffer, 0), 20);

    CHECK_OK(gc_module_native(rig.module, &native));
    CU_OK(cu.module_function(&function, native, "add"));
    CU_OK(raw_add(stream, function, address_of(buffer), 10, 1));
    CHECK_EQUAL(raw_word(stream, address_of(buffer)), 30);
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
    CU_OK(cu.stream_destroy(stream));
    rig_close(&rig);
}

enum { WRAPPED_BYTES = 1 << 20 };

/* Wraps memory, uses it eagerly and in a graph, and gives the handle up while work is held. */
static void check_wrapped_memory(uint64_t address, const char *kind) {
    struct rig rig;
    struct pinned gate;
    gc_buffer *buffer;
    gc_stream *stream;
    gc_graph_exec *exec;
    void *native = raw_stream(CU_STREAM_APART), *reader = raw_stream(CU_STREAM_APART);
    unsigned released = 0, failures = check_failures;
    rig_open(&rig);
    pinned_open(&gate, 2);
    stream = wrap_stream(rig.context, native);
    CU_OK(cu.fill_words(address, 0, WRAPPED_BYTES / 4, reader));
    CU_OK(cu.stream_synchronize(reader));

    /* From the middle of the allocation to its end. */
    buffer = wrap_memory(rig.context, address + 1024, WRAPPED_BYTES - 1024, &released);
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 5, 4, 2));
    CHECK_OK(launch_add(&rig, rig.stream, buffer, WRAPPED_BYTES - 1024 - 4, 9, 1));
    CHECK_EQUAL(read_u32(rig.stream, buffer, 0), 5);
    raw_hold(native, &gate, 0);
    CHECK_OK(launch_add(&rig, stream, buffer, 4, 6, 1));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_EQUAL(count_of(&released), 0);
    raw_let_go(&gate, 0);
    CHECK(await_count(&released, 1));
    CHECK_EQUAL(raw_word(reader, address + 1024), 5);
    CHECK_EQUAL(raw_word(reader, address + 1028), 11);
    CHECK_EQUAL(raw_word(reader, address + WRAPPED_BYTES - 4), 9);
    CHECK_EQUAL(raw_word(reader, address), 0);

    /* In a graph, until its last launch is over. */
    buffer = wrap_memory(rig.context, address, WRAPPED_BYTES, &released);
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 3, 1));
    exec = finish_capture(stream);
    CHECK_OK(gc_buffer_destroy(buffer));
    raw_hold(native, &gate, 1);
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_graph_launch(exec, stream));
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_EQUAL(count_of(&released), 1);
    raw_let_go(&gate, 1);
    CHECK(await_count(&released, 2));
    CHECK_EQUAL(raw_word(reader, address), 6);
    CHECK_OK(gc_stream_destroy(stream));
    rig_close(&rig);
    CHECK_EQUAL(count_of(&released), 2);
    CU_OK(cu.stream_destroy(native));
    CU_OK(cu.stream_destroy(reader));
    pinned_close(&gate);
    if (check_failures != failures)
        fprintf(stderr, "that was with %s memory\n", kind);
}

static void memory_of_others_is_used_and_given_back(void) {
    uint64_t address = 0;
    struct pinned pinned;
    REQUIRE_CU(cu.memory_allocate(&address, WRAPPED_BYTES));
    check_wrapped_memory(address, "device");
    CU_OK(cu.memory_free(address));
    REQUIRE_CU(cu.memory_allocate_managed(&address, WRAPPED_BYTES, CU_MANAGED_GLOBAL));
    check_wrapped_memory(address, "managed");
    CU_OK(cu.memory_free(address));
    pinned_open(&pinned, WRAPPED_BYTES / 4);
    check_wrapped_memory(pinned.address, "pinned");
    pinned_close(&pinned);
}

/* Refused, and the callback runs all the same, once. */
static void refuse_range(const gc_context *context, uint64_t address, size_t size, const char *what) {
    gc_buffer *buffer = (gc_buffer *)context;
    unsigned released = 0, failures = check_failures;
    CHECK_MESSAGE(gc_buffer_wrap(context, (void *)(uintptr_t)address, size, &released, count_call, &buffer),
                  GRAPHCAP_ERROR_INVALID_VALUE, "allocation");
    CHECK(buffer == NULL && await_count(&released, 1));
    CHECK_EQUAL(count_of(&released), 1);
    if (check_failures != failures)
        fprintf(stderr, "that was %s\n", what);
}

static void ranges_that_are_no_memory_are_refused(void) {
    gc_context *context = open_context();
    gc_buffer *buffer = NULL;
    uint64_t address = 0;
    unsigned released = 0;
    refuse_range(context, 0x1000, 16, "a low address");
    refuse_range(context, UINT64_C(0x7fffffff0000), 16, "a high address");
    REQUIRE_CU(cu.memory_allocate(&address, WRAPPED_BYTES));
    refuse_range(context, address, WRAPPED_BYTES + 1, "one byte more than the allocation has");
    refuse_range(context, address + 16, WRAPPED_BYTES, "the whole size from the middle");
    refuse_range(context, address, SIZE_MAX - (size_t)address, "nearly the whole address space");
    CHECK_STATUS(gc_buffer_wrap(context, (void *)(uintptr_t)address, SIZE_MAX, &released, count_call, &buffer),
                 GRAPHCAP_ERROR_INVALID_VALUE);
    CHECK(buffer == NULL && await_count(&released, 1));
    CU_OK(cu.memory_free(address));
    refuse_range(context, address, WRAPPED_BYTES, "memory that was freed");
    CHECK_OK(gc_context_destroy(context));
}

/* Pinned memory is copied when the stream gets there, and the calls return at once. The driver need not do so with
 * memory that the CPU can page out, so buffer.c and stream.c test this on the host device alone. */
static void copies_of_pinned_memory_are_asynchronous(void) {
    struct rig rig;
    struct pinned pinned;
    gc_stream *stream;
    gc_buffer *buffer, *given_up;
    rig_open(&rig);
    pinned_open(&pinned, 4);
    stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    buffer = open_buffer(rig.context, 4);
    given_up = open_buffer(rig.context, 4);
    pinned.words[1] = 1;
    pinned.words[2] = 99;
    raw_hold(native_stream(stream), &pinned, 0);
    SOON(gc_stream_memcpy_htod(stream, buffer, 0, (void *)(uintptr_t)&pinned.words[1], 4));
    CHECK_OK(launch_add(&rig, stream, buffer, 0, 5, 1));
    SOON(gc_stream_memcpy_dtoh(stream, (void *)(uintptr_t)&pinned.words[2], buffer, 0, 4));
    CHECK_OK(gc_stream_memset(stream, given_up, 0, 31, 4, 1));
    SOON(gc_stream_memcpy_dtoh(stream, (void *)(uintptr_t)&pinned.words[3], given_up, 0, 4));
    SOON(gc_buffer_destroy(given_up));
    churn(rig.context, 4);
    CHECK_EQUAL(pinned.words[2], 99);
    pinned.words[1] = 2;
    raw_let_go(&pinned, 0);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_EQUAL(pinned.words[2], 7);
    CHECK_EQUAL(pinned.words[3], 31);
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    rig_close(&rig);
    pinned_close(&pinned);
}

struct written_note {
    volatile struct journal *journal;
    uint32_t entry;
};

static void note_down(void *user_data) {
    struct written_note *note = (struct written_note *)user_data;
    uint32_t at = note->journal->length;
    note->journal->entries[at] = note->entry;
    note->journal->length = at + 1;
}

/* In memory that both can write kernels and host functions are seen to run in one order, eagerly and in a replay. */
static void kernels_and_host_functions_keep_one_order(void) {
    enum { ENTRIES = 200 };
    struct rig rig;
    struct pinned pinned;
    struct written_note notes[ENTRIES];
    volatile struct journal *journal;
    gc_buffer *buffer;
    unsigned released = 0, replay;
    uint32_t i;
    rig_open(&rig);
    pinned_open(&pinned, sizeof(struct journal) / 4);
    journal = (volatile struct journal *)pinned.words;
    buffer = wrap_memory(rig.context, pinned.address, sizeof(struct journal), &released);
    for (replay = 0; replay < 2; replay++) {
        gc_graph_exec *exec = NULL;
        journal->length = 0;
        if (replay)
            REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        for (i = 0; i < ENTRIES; i++) {
            notes[i].journal = journal;
            notes[i].entry = i;
            if (i % 3 == 1)
                CHECK_OK(gc_stream_launch_host_func(rig.stream, note_down, &notes[i], NULL));
            else
                CHECK_OK(launch_note(&rig, rig.stream, buffer, i));
        }
        if (replay) {
            exec = finish_capture(rig.stream);
            CHECK_EQUAL(journal->length, 0);
            CHECK_OK(gc_graph_launch(exec, rig.stream));
        }
        CHECK_OK(gc_stream_synchronize(rig.stream));
        CHECK_EQUAL(journal->length, ENTRIES);
        for (i = 0; i < ENTRIES && journal->entries[i] == i; i++) {
        }
        CHECK_EQUAL(i, ENTRIES);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK(await_count(&released, 1));
    rig_close(&rig);
    pinned_close(&pinned);
}

/* All contexts of a GPU are its primary one: what is forbidden during a capture is so through any of them. The host
 * device has contexts that are apart; conformance.c tests those. */
static void contexts_of_one_gpu_share_their_captures(void) {
    struct rig here;
    gc_context *there = open_context();
    gc_stream *legacy = NULL;
    gc_graph *graph = NULL;
    gc_buffer *buffer = open_buffer(there, 4);
    rig_open(&here);
    CHECK_OK(gc_stream_begin_capture(here.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_context_synchronize(there), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK(capture_state(here.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_STATUS(gc_stream_end_capture(here.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    REQUIRE_OK(gc_context_legacy_stream(there, &legacy));
    CHECK_OK(gc_stream_begin_capture(here.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_memset(legacy, buffer, 0, 0, 4, 1), GRAPHCAP_ERROR_CAPTURE_IMPLICIT);
    CHECK(capture_state(here.stream) == GRAPHCAP_CAPTURE_STATUS_INVALIDATED);
    CHECK_STATUS(gc_stream_end_capture(here.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK_OK(gc_stream_memset(legacy, buffer, 0, 0, 4, 1));
    CHECK_OK(gc_stream_synchronize(legacy));
    CHECK_OK(gc_stream_destroy(legacy));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_context_destroy(there));
    rig_close(&here);
}

enum { THREADS = 8 };

struct worker {
    const struct rig *rig;
    uint32_t number, rounds;
};

/* Captures on a stream of its own and on the per-thread stream, with raw work inside, again and again. */
static void *work(void *argument) {
    struct worker *worker = (struct worker *)argument;
    const struct rig *rig = worker->rig;
    void *native, *mix = native_kernel(rig->mix);
    gc_stream *wrapped, *own_default = NULL;
    uint32_t round;
    REQUIRE_CU(cu.context_set(cu.primary));
    native = raw_stream(CU_STREAM_APART);
    wrapped = wrap_stream(rig->context, native);
    REQUIRE_OK(gc_context_per_thread_stream(rig->context, &own_default));
    for (round = 0; round < worker->rounds; round++) {
        int on_default = round % 2, raw_begin = round / 2 % 2;
        const gc_stream *stream = on_default ? own_default : wrapped;
        void *raw = on_default ? CU_PER_THREAD : native;
        uint32_t start = worker->number * 1000 + round, words[2] = {0, 0};
        gc_buffer *buffer = NULL;
        gc_graph_exec *exec;
        uint64_t base;
        gc_capture_mode mode = round % 3 ? GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL : GRAPHCAP_CAPTURE_MODE_RELAXED;
        REQUIRE_OK(gc_buffer_allocate(rig->context, 64, &buffer));
        base = address_of(buffer);
        if (raw_begin)
            REQUIRE_CU(cu.begin_capture(raw, (unsigned)mode));
        else
            REQUIRE_OK(gc_stream_begin_capture(stream, mode));
        CHECK_OK(gc_stream_memset(stream, buffer, 0, start, 4, 2));
        CU_OK(raw_mix(raw, mix, base, 0, 0, 1, 1));
        CHECK_OK(launch_mix(rig, stream, buffer, 1, 1, 0, 2));
        exec = finish_capture(stream);
        CHECK_OK(gc_graph_launch(exec, stream));
        CU_OK(cu.copy_out(words, base, 8, raw));
        CHECK_OK(gc_stream_synchronize(stream));
        CHECK_EQUAL(words[0], mixed(start, start, 1));
        CHECK_EQUAL(words[1], mixed(start, mixed(start, start, 1), 2));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_stream_destroy(own_default));
    CHECK_OK(gc_stream_destroy(wrapped));
    CU_OK(cu.stream_synchronize(native));
    CU_OK(cu.stream_destroy(native));
    return NULL;
}

static void threads_capture_side_by_side(void) {
    struct rig rig;
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    uint32_t i;
    rig_open(&rig);
    for (i = 0; i < THREADS; i++) {
        workers[i].rig = &rig;
        workers[i].number = i;
        workers[i].rounds = soak(60, 2000);
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
            exit(EXIT_FAILURE);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    rig_close(&rig);
}

int main(void) {
    cuda_open();
    RUN(contexts_are_the_primary_one);
    RUN(the_current_context_stays_as_it_was);
    RUN(raw_and_gc_work_keep_their_order);
    RUN(nodes_that_others_remove_lose_their_names);
    RUN(captures_hold_the_work_of_both_sides);
    RUN(a_gc_stream_joins_a_capture_of_others);
    RUN(ends_of_captures_that_others_began_into_graphs_are_the_drivers);
    RUN(a_stream_of_another_context_is_refused);
    RUN(native_objects_work_in_raw_calls);
    RUN(memory_of_others_is_used_and_given_back);
    RUN(ranges_that_are_no_memory_are_refused);
    RUN(copies_of_pinned_memory_are_asynchronous);
    RUN(kernels_and_host_functions_keep_one_order);
    RUN(contexts_of_one_gpu_share_their_captures);
    RUN(threads_capture_side_by_side);
    return cuda_finish();
}
