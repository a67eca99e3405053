/* What a driver holds for graphcap goes back: by whom, and after what, on an old driver and on a newer one. */
#include "drivers.h"

/* Work that is never complete: nothing that is destroyed meanwhile waits for it, and all of it goes back in the end. */
static void what_is_destroyed_before_its_work_is_complete_goes_back(void) {
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *buffer = open_buffer(context, 64);
    struct foreign foreign;
    unsigned released = 0;
    gc_buffer *wrapped;
    foreign_open(&foreign);
    wrapped = wrap_foreign(context, &foreign, &released);
    stand_in.hold(1);
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
    CHECK_OK(gc_stream_memset(stream, wrapped, 0, 1, 4, 1));
    CHECK_OK(gc_buffer_destroy(buffer));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK_OK(gc_context_destroy(context));
    pause_ms(20);
    CHECK(stand_in.live(STAND_IN_RETAINS) > 2);
    stand_in.hold(0);
    CHECK(await_count(&released, 1));
    foreign_close(&foreign);
}

/* Handles of memory that nothing used. */
struct unused {
    gc_buffer *device, *waitable;
    gc_host_buffer *pinned, *registered;
};

static void destroy_unused(void *user_data) {
    struct unused *unused = (struct unused *)user_data;
    CHECK_OK(gc_buffer_destroy(unused->device));
    CHECK_OK(gc_buffer_destroy(unused->waitable));
    CHECK_OK(gc_host_buffer_destroy(unused->pinned));
    CHECK_OK(gc_host_buffer_destroy(unused->registered));
}

/* A host function may destroy handles. The driver must not be called on its thread: that is left to another one, and who collects
 * afterwards waits for that. */
static void what_a_host_function_destroys_goes_back_elsewhere(void) {
    static unsigned char memory[4096];
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0);
    struct unused unused = {NULL, NULL, NULL, NULL};
    unsigned released = 0;
    char text[256] = "";
    unused.device = open_buffer(context, 64);
    unused.waitable = open_waitable(context, 64);
    REQUIRE_OK(gc_host_buffer_allocate(context, 64, 0, &unused.pinned));
    REQUIRE_OK(gc_host_buffer_register(context, memory, sizeof memory, 0, &released, count_call, &unused.registered));
    CHECK_OK(gc_stream_launch_host_func(stream, destroy_unused, &unused, NULL));
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_synchronize(context));
    CHECK_OK(gc_context_collect(context));
    CHECK(await_count(&released, 1));
    CHECK_OK(gc_context_destroy(context));
    CHECK(stand_in.violations(text, sizeof text) == 0);
    CHECK(text[0] == '\0');
}

struct per_thread_use {
    gc_context *context;
    gc_buffer *buffer;
};

static void *use_per_thread_stream(void *argument) {
    const struct per_thread_use *use = (const struct per_thread_use *)argument;
    gc_stream *stream = NULL;
    REQUIRE_OK(gc_context_per_thread_stream(use->context, &stream));
    CHECK_OK(gc_stream_memset(stream, use->buffer, 0, 1, 4, 1));
    CHECK_OK(gc_buffer_destroy(use->buffer));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

/* How far the default stream of a thread is that is over nobody can ask: what it used waits for who waits for all of them,
 * in a context that has ended too. When the thread destroyed the last handle it is known. */
static void what_the_default_stream_of_a_thread_used_goes_back(void) {
    int how;
    for (how = 0; how < 8; how++) {
        int ends = how & 1, collects = how & 2, is_known = how & 4;
        struct per_thread_use use;
        struct foreign foreign;
        unsigned released = 0;
        const gc_context *waits;
        gc_stream *stream = NULL;
        foreign_open(&foreign);
        use.context = open_context();
        use.buffer = wrap_foreign(use.context, &foreign, &released);
        if (!is_known)
            REQUIRE_OK(gc_context_per_thread_stream(use.context, &stream));
        on_another_thread(use_per_thread_stream, &use);
        waits = ends ? rig.context : use.context;
        if (ends)
            CHECK_OK(gc_context_destroy(use.context));
        CHECK_OK(gc_stream_destroy(stream));
        if (!is_known) {
            pause_ms(20);
            CHECK(count_of(&released) == 0);
            CHECK_OK(collects ? gc_context_collect(waits) : gc_context_synchronize(waits));
        }
        CHECK(await_count(&released, 1));
        if (!ends)
            CHECK_OK(gc_context_destroy(use.context));
        foreign_close(&foreign);
    }
}

/* Lets the work go on that is held, once a thread has begun to wait for it. */
static void *let_go_on(void *argument) {
    while (stand_in.blocked() == 0)
        pause_ms(1);
    stand_in.hold(0);
    stand_in.block(NULL);
    return argument;
}

struct per_thread_call {
    gc_context *context;
    unsigned *count;
};

static void *call_on_per_thread_stream(void *argument) {
    const struct per_thread_call *call = (const struct per_thread_call *)argument;
    gc_stream *stream = NULL;
    REQUIRE_OK(gc_context_per_thread_stream(call->context, &stream));
    CHECK_OK(gc_stream_launch_host_func(stream, count_call, call->count, NULL));
    CHECK_OK(gc_stream_destroy(stream));
    return NULL;
}

/* Who waits for the device waits for a context, too, that has ended and whose streams are not done yet when the wait begins: also
 * where it holds no memory. */
static void a_wait_is_for_contexts_that_are_about_to_go(void) {
    unsigned called = 0;
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0), *per_thread = NULL;
    struct per_thread_call call;
    pthread_t thread;
    long retains;
    int rounds;
    REQUIRE_OK(gc_context_per_thread_stream(context, &per_thread));
    call.context = context;
    call.count = &called;
    on_another_thread(call_on_per_thread_stream, &call);
    stand_in.hold(1);
    CHECK_OK(gc_stream_launch_host_func(stream, count_call, &called, NULL));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_stream_destroy(per_thread));
    retains = stand_in.live(STAND_IN_RETAINS);
    CHECK_OK(gc_context_destroy(context));
    stand_in.block("cuCtxSynchronize");
    CHECK(pthread_create(&thread, NULL, let_go_on, NULL) == 0);
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(await_count(&called, 2));
    for (rounds = 0; rounds < 20000 && stand_in.live(STAND_IN_RETAINS) == retains; rounds++)
        pause_ms(1);
    CHECK(stand_in.live(STAND_IN_RETAINS) == retains - 1);
}

/* Of the legacy stream, and of the default stream of its own thread, a collect takes what is complete. It does not wait. */
static void a_collect_takes_what_is_complete(void) {
    int per_thread;
    for (per_thread = 0; per_thread < 2; per_thread++) {
        struct foreign foreign;
        unsigned released = 0;
        gc_stream *stream = NULL;
        gc_buffer *buffer;
        foreign_open(&foreign);
        buffer = wrap_foreign(rig.context, &foreign, &released);
        if (per_thread)
            REQUIRE_OK(gc_context_per_thread_stream(rig.context, &stream));
        else
            REQUIRE_OK(gc_context_legacy_stream(rig.context, &stream));
        stand_in.hold(1);
        CHECK_OK(gc_stream_memset(stream, buffer, 0, 1, 4, 1));
        CHECK_OK(gc_buffer_destroy(buffer));
        CHECK_OK(gc_context_collect(rig.context));
        stand_in.hold(0);
        /* Nobody else asks for these streams. */
        pause_ms(100);
        CHECK(count_of(&released) == 0);
        CHECK_OK(gc_context_collect(rig.context));
        CHECK(await_count(&released, 1));
        CHECK_OK(gc_stream_destroy(stream));
        foreign_close(&foreign);
    }
}

/* Unloading waits for all work of the device, in which it may not be alone: so it is left to calls that wait. */
static void code_of_an_ended_context_is_unloaded_by_who_waits(void) {
    int collects;
    for (collects = 0; collects < 2; collects++) {
        gc_context *context = open_context();
        gc_module *module = load_kernels(context);
        long before = stand_in.live(STAND_IN_MODULES);
        CHECK_OK(gc_module_destroy(module));
        CHECK_OK(gc_context_destroy(context));
        pause_ms(20);
        CHECK(stand_in.live(STAND_IN_MODULES) == before);
        if (collects)
            CHECK_OK(gc_context_collect(rig.context));
        else
            CHECK_OK(gc_context_synchronize(rig.context));
        CHECK(stand_in.live(STAND_IN_MODULES) == before - 1);
    }
}

/* Pinned memory too: giving it back waits. Registered memory is the caller's again then, and no sooner. */
static void pinned_memory_goes_back_by_who_waits(void) {
    static uint32_t memory[WORDS];
    long before = stand_in.live(STAND_IN_PINNED);
    int way;
    for (way = 0; way < 3; way++) {
        gc_context *context = open_context();
        gc_stream *stream = open_stream(context, 0);
        gc_buffer *buffer = open_buffer(context, sizeof memory);
        gc_host_buffer *allocated = NULL, *registered = NULL;
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 0, NULL, 8);
        gc_memset_params rows = GRAPHCAP_MEMSET_INIT(buffer, 0, 7, 4, 1, 2, 16);
        unsigned released = 0;
        REQUIRE_OK(gc_host_buffer_allocate(context, 64, GRAPHCAP_HOST_BUFFER_MAPPED, &allocated));
        REQUIRE_OK(gc_host_buffer_register(context, memory, sizeof memory, 0, &released, count_call, &registered));
        copy.source_host_buffer = registered;
        copy.height = 2;
        copy.source_pitch = copy.destination_pitch = 16;
        memory[0] = memory[5] = 1;
        CHECK_OK(gc_stream_memcpy(stream, &copy));
        CHECK_OK(gc_stream_memset_2d(stream, &rows));
        CHECK(read_u32(stream, buffer, 0) == 7 && read_u32(stream, buffer, 5) == 1 && read_u32(stream, buffer, 1) == 0);
        CHECK_OK(gc_host_buffer_destroy(allocated));
        CHECK_OK(gc_host_buffer_destroy(registered));
        CHECK_OK(gc_stream_destroy(stream));
        CHECK_OK(gc_buffer_destroy(buffer));
        if (way < 2)
            CHECK_OK(gc_context_destroy(context));
        pause_ms(20);
        CHECK(stand_in.live(STAND_IN_PINNED) == before + 2 && count_of(&released) == 0);
        if (way == 0)
            CHECK_OK(gc_context_collect(rig.context));
        else if (way == 1)
            CHECK_OK(gc_context_synchronize(rig.context));
        else
            CHECK_OK(gc_context_synchronize(context));
        CHECK(stand_in.live(STAND_IN_PINNED) == before && await_count(&released, 1));
        if (way == 2)
            CHECK_OK(gc_context_destroy(context));
    }
}

/* With the primary context goes what is pinned in it; its owner is told. */
static void pinned_memory_goes_with_its_device(void) {
    static uint32_t memory[WORDS];
    static unsigned released;
    gc_context *context = open_context();
    gc_host_buffer *registered = NULL;
    REQUIRE_OK(gc_host_buffer_register(context, memory, sizeof memory, 0, &released, count_call, &registered));
    CHECK_OK(gc_host_buffer_destroy(registered));
    CHECK_OK(gc_context_destroy(context));
    CHECK(await_count(&released, 1));
    expect_nothing_left("an ended context");
}

static uint64_t address_of(const gc_buffer *buffer) {
    uint64_t address = 0;
    REQUIRE_OK(gc_buffer_address(buffer, &address));
    return address;
}

/* A program that makes such memory, uses it and drops it for ever, and never waits, has no more of it than at the begin. */
static void memory_that_lingers_is_used_again(void) {
    static uint32_t zeros[300];
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *target = open_buffer(context, sizeof zeros);
    /* The stand-in counts waitable and managed memory with the pinned ranges. */
    long pinned = stand_in.live(STAND_IN_PINNED);
    unsigned i;
    for (i = 0; i < 2000; i++) {
        size_t size = 700 + i * 37 % 500; /* of several classes */
        gc_buffer *waitable = NULL, *managed = NULL;
        gc_host_buffer *staging = NULL;
        gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(target, 0, NULL, 64);
        void *pointer = NULL;
        REQUIRE_OK(gc_buffer_allocate_waitable(context, size, &waitable));
        REQUIRE_OK(gc_buffer_allocate_managed(context, size, i % 2 ? GRAPHCAP_MEM_ATTACH_GLOBAL : GRAPHCAP_MEM_ATTACH_HOST, &managed));
        REQUIRE_OK(gc_host_buffer_allocate(context, size, i % 2 ? GRAPHCAP_HOST_BUFFER_MAPPED : 0, &staging));
        REQUIRE_OK(gc_host_buffer_pointer(staging, &pointer));
        memset(pointer, (int)i, size);
        copy.source_host_buffer = staging;
        CHECK_OK(gc_stream_memset(stream, waitable, 0, i, 4, size / 4));
        CHECK_OK(gc_stream_write_value32(stream, waitable, 0, i, 0));
        if (i % 3 == 0)
            CHECK_OK(gc_stream_attach_mem_async(stream, managed, i % 2 ? GRAPHCAP_MEM_ATTACH_SINGLE : GRAPHCAP_MEM_ATTACH_GLOBAL));
        CHECK_OK(gc_stream_memset(stream, managed, 0, i, 4, size / 4));
        CHECK_OK(gc_stream_memcpy(stream, &copy));
        CHECK_OK(gc_buffer_destroy(waitable));
        CHECK_OK(gc_buffer_destroy(managed));
        CHECK_OK(gc_host_buffer_destroy(staging));
    }
    /* As many as there are classes and ways to attach and to pin, and some whose end nobody has looked at. */
    CHECK(stand_in.live(STAND_IN_PINNED) <= pinned + 64);
    CHECK_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_context_synchronize(context));
    CHECK(stand_in.live(STAND_IN_PINNED) == pinned);
    CHECK_OK(gc_buffer_destroy(target));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* Not before the work that uses it is complete, and not where it is unlike others. */
static void memory_that_lingers_is_used_again_when_its_work_is_complete(void) {
    gc_context *context = open_context();
    gc_stream *stream = open_stream(context, 0);
    gc_buffer *first = NULL, *second = NULL, *third = NULL, *other = NULL;
    uint64_t address;
    REQUIRE_OK(gc_buffer_allocate_waitable(context, 5000, &first));
    address = address_of(first);
    stand_in.hold(1);
    CHECK_OK(gc_stream_memset(stream, first, 0, 1, 4, 1));
    CHECK_OK(gc_buffer_destroy(first));
    REQUIRE_OK(gc_buffer_allocate_waitable(context, 5000, &second));
    CHECK(address_of(second) != address);
    stand_in.hold(0);
    /* The first looks at what is held find it complete. */
    REQUIRE_OK(gc_buffer_allocate_waitable(context, 5001, &third));
    CHECK(address_of(third) == address);
    REQUIRE_OK(gc_buffer_allocate_waitable(context, 5000, &other));
    CHECK(address_of(other) != address && address_of(other) != address_of(second));
    CHECK_OK(gc_buffer_destroy(other));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_buffer_destroy(third));
    /* Managed memory that was attached comes after what was not, and is attached as at first. */
    REQUIRE_OK(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &first));
    address = address_of(first);
    CHECK_OK(gc_buffer_destroy(first));
    REQUIRE_OK(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &first));
    CHECK(address_of(first) == address);
    REQUIRE_OK(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &second));
    CHECK_OK(gc_stream_attach_mem_async(stream, first, GRAPHCAP_MEM_ATTACH_SINGLE));
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_buffer_destroy(second));
    REQUIRE_OK(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &second));
    CHECK(address_of(second) != address);
    stand_in.fail_function("cuStreamAttachMemAsync", 1, GRAPHCAP_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &first), GRAPHCAP_ERROR_OUT_OF_MEMORY);
    stand_in.count(1);
    REQUIRE_OK(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &first));
    CHECK(address_of(first) == address);
    CHECK_OK(gc_buffer_destroy(first));
    REQUIRE_OK(gc_buffer_allocate_managed(context, 5000, GRAPHCAP_MEM_ATTACH_GLOBAL, &first));
    stand_in.count(0);
    CHECK(address_of(first) == address && calls_of("cuStreamAttachMemAsync") == 1);
    CHECK_OK(gc_buffer_destroy(first));
    CHECK_OK(gc_buffer_destroy(second));
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
}

/* Eight objects that need each other, destroyed in an order that the round makes up. */
static void any_order_of_destruction_leaves_nothing(void) {
    unsigned round, i, seed = 12345, failures = check_failures;
    for (round = 0; round < 200; round++) {
        unsigned order[8] = {0, 1, 2, 3, 4, 5, 6, 7}, calls = 0;
        gc_context *context = open_context();
        gc_module *module = load_kernels(context);
        gc_kernel *kernel = get_kernel(module, "fill");
        gc_stream *stream = open_stream(context, round % 2 == 0 ? 0 : GRAPHCAP_STREAM_NON_BLOCKING);
        gc_event *event = open_event(context);
        gc_buffer *buffer = open_buffer(context, 64);
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        uint32_t value = round;
        uint64_t count = 16;
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(count)};
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch(stream, kernel, 1, 16, arguments, 3));
        CHECK_OK(gc_stream_launch_host_func(stream, count_call, &calls, count_call));
        REQUIRE_OK(gc_stream_end_capture(stream, &graph));
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_event_record(event, stream, 0));
        /* Some rounds end in the middle of a capture. */
        if (round % 3 == 0) {
            CHECK_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
            CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, 1));
        }
        for (i = 8; i-- > 1;) {
            unsigned other, kept = order[i];
            seed = seed * 1664525u + 1013904223u;
            other = (seed >> 16) % (i + 1);
            order[i] = order[other];
            order[other] = kept;
        }
        for (i = 0; i < 8; i++)
            switch (order[i]) {
            case 0: CHECK_OK(gc_context_destroy(context)); break;
            case 1: CHECK_OK(gc_module_destroy(module)); break;
            case 2: CHECK_OK(gc_kernel_destroy(kernel)); break;
            case 3: CHECK_OK(gc_stream_destroy(stream)); break;
            case 4: CHECK_OK(gc_event_destroy(event)); break;
            case 5: CHECK_OK(gc_buffer_destroy(buffer)); break;
            case 6: CHECK_OK(gc_graph_destroy(graph)); break;
            default: CHECK_OK(gc_graph_exec_destroy(exec)); break;
            }
        CHECK(await_count(&calls, 2));
        expect_nothing_left("a round");
        if (check_failures > failures) {
            fprintf(stderr, "in round %u\n", round);
            return;
        }
    }
}

/* An exec that was launched, and what tells that its launches are over. */
enum launch_of { LAUNCHED, ON_LEGACY, ON_PER_THREAD, BY_OTHERS, BY_OTHERS_COLLECTED, BY_OTHERS_ENDED, OF_GIVEN_GRAPH, LAUNCHES };

static void what_execs_kept_waits_for_their_launches(void) {
    int way;
    for (way = 0; way < LAUNCHES; way++) {
        struct foreign foreign;
        unsigned released = 0;
        gc_context *context = open_context();
        gc_stream *stream = open_stream(context, 0), *defaults = NULL;
        const gc_stream *launches = stream;
        gc_buffer *wrapped;
        gc_graph *graph = NULL;
        gc_graph_exec *exec = NULL;
        void *native = NULL, *native_graph = NULL;
        foreign_open(&foreign);
        wrapped = wrap_foreign(context, &foreign, &released);
        if (way == ON_LEGACY)
            REQUIRE_OK(gc_context_legacy_stream(context, &defaults));
        if (way == ON_PER_THREAD)
            REQUIRE_OK(gc_context_per_thread_stream(context, &defaults));
        if (defaults != NULL)
            launches = defaults;
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL));
        CHECK_OK(gc_stream_memset(stream, wrapped, 0, 0, 4, 1));
        REQUIRE_OK(gc_stream_end_capture(stream, &graph));
        if (way == OF_GIVEN_GRAPH)
            CHECK_OK(gc_graph_native(graph, &native_graph));
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        stand_in.hold(1);
        if (way == BY_OTHERS || way == BY_OTHERS_COLLECTED || way == BY_OTHERS_ENDED) {
            CHECK_OK(gc_graph_exec_native(exec, &native));
            CHECK(raw.launch(native, native_stream(stream)) == 0);
        } else {
            CHECK_OK(gc_graph_launch(exec, launches));
        }
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_buffer_destroy(wrapped));
        pause_ms(20);
        /* Also of a graph that was given out: the stand-in lets go of user objects with the exec, and graphcap does not. */
        CHECK(count_of(&released) == 0);
        stand_in.hold(0);
        if (way >= ON_LEGACY && way < OF_GIVEN_GRAPH) {
            pause_ms(20);
            CHECK(count_of(&released) == 0);
        }
        switch ((enum launch_of)way) {
        case ON_LEGACY:
        case ON_PER_THREAD: CHECK_OK(gc_stream_synchronize(defaults)); break;
        case BY_OTHERS: CHECK_OK(gc_context_synchronize(context)); break;
        case BY_OTHERS_COLLECTED: CHECK_OK(gc_context_collect(context)); break;
        default: break;
        }
        /* While the context is there: its end would give back what can be given back. */
        if (way != BY_OTHERS_ENDED && check_failed(await_count(&released, 1)))
            fprintf(stderr, "in %s: in way %d nothing is given back\n", check_test, way);
        CHECK_OK(gc_stream_destroy(stream));
        CHECK_OK(gc_stream_destroy(defaults));
        CHECK_OK(gc_context_destroy(context));
        if (way == BY_OTHERS_ENDED) {
            pause_ms(50);
            CHECK(count_of(&released) == 0);
            CHECK_OK(gc_context_collect(rig.context));
        }
        CHECK(await_count(&released, 1));
        foreign_close(&foreign);
    }
}

static size_t free_memory(void) {
    void *native = NULL;
    size_t free_bytes = 0, total = 0;
    CHECK(raw.retain(&native, 0) == 0 && raw.push(native) == 0);
    CHECK(raw.memory_info(&free_bytes, &total) == 0);
    CHECK(raw.pop(&native) == 0 && raw.release(0) == 0);
    return free_bytes;
}

/* The copy of what a graph writes is no memory that the program would allocate again. */
static void measuring_gives_its_memory_back(void) {
    static const uint32_t flags[] = {GRAPHCAP_OPTIMIZE_MEASURE, GRAPHCAP_OPTIMIZE_OBSERVE,
                                     GRAPHCAP_OPTIMIZE_MEASURE_SINGLE | GRAPHCAP_OPTIMIZE_OBSERVE};
    enum { BYTES = 1 << 20 };
    gc_buffer *buffer = open_buffer(rig.context, BYTES);
    gc_graph *graph = NULL;
    size_t before;
    unsigned i;
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 1, 4, BYTES / 4));
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, 0, 2, 4, BYTES / 8));
    CHECK_OK(gc_stream_memset(rig.stream, buffer, BYTES / 2, 3, 4, BYTES / 8));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    CHECK_OK(gc_context_collect(rig.context));
    before = free_memory();
    for (i = 0; i < LENGTH_OF(flags); i++) {
        gc_optimize_options options = GRAPHCAP_OPTIMIZE_OPTIONS_INIT;
        gc_optimize_report report = GRAPHCAP_OPTIMIZE_REPORT_INIT;
        gc_graph *optimized = NULL;
        options.flags = flags[i];
        REQUIRE_OK(gc_graph_optimize(graph, &options, &optimized, NULL, &report));
        CHECK((report.candidate_count > 1) == (i != 1));
        CHECK(free_memory() == before);
        CHECK_OK(gc_graph_destroy(optimized));
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_buffer_destroy(buffer));
}

static void try_driver(const char *version) {
    unsigned round;
    open_driver(version);
    rig_open(&rig);
    RUN(what_execs_kept_waits_for_their_launches);
    RUN(what_is_destroyed_before_its_work_is_complete_goes_back);
    for (round = 0; round < 50; round++)
        RUN(what_a_host_function_destroys_goes_back_elsewhere);
    RUN(what_the_default_stream_of_a_thread_used_goes_back);
    RUN(a_wait_is_for_contexts_that_are_about_to_go);
    RUN(a_collect_takes_what_is_complete);
    RUN(measuring_gives_its_memory_back);
    RUN(code_of_an_ended_context_is_unloaded_by_who_waits);
    RUN(pinned_memory_goes_back_by_who_waits);
    RUN(memory_that_lingers_is_used_again);
    RUN(memory_that_lingers_is_used_again_when_its_work_is_complete);
    rig_close(&rig);
    check_test = "the end";
    expect_nothing_left(version);
    RUN(any_order_of_destruction_leaves_nothing);
    RUN(pinned_memory_goes_with_its_device);
}

static void the_oldest_driver_gets_all_back(void) {
    in_child(try_driver, "12.0");
}

static void a_newer_driver_does_too(void) {
    in_child(try_driver, "13.0");
}

int main(void) {
    RUN(the_oldest_driver_gets_all_back);
    RUN(a_newer_driver_does_too);
    return check_finish();
}
