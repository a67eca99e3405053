/* Retention: whatever a graph uses stays alive until the graph, all its execs and all their launches are gone, in
 * whatever order the handles are destroyed. */
#include "kernels.h"

struct scene {
    struct rig rig;
    gc_stream *side;
    gc_event *event;
    gc_buffer *buffer, *wrapped;
    unsigned released, calls;
    gc_graph *graph;
    gc_graph_exec *exec;
};

/* Two branches: one adds to the allocated, one to the wrapped buffer; then the sums meet in the wrapped one. */
static void record(struct scene *s) {
    REQUIRE_OK(gc_stream_begin_capture(s->rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_event_record(s->event, s->rig.stream, 0));
    CHECK_OK(gc_stream_wait_event(s->side, s->event, 0));
    CHECK_OK(launch_add(&s->rig, s->rig.stream, s->buffer, 0, 1, 1));
    CHECK_OK(launch_add(&s->rig, s->side, s->wrapped, 0, 2, 1));
    CHECK_OK(gc_stream_launch_host_func(s->side, count_call, &s->calls, NULL));
    CHECK_OK(gc_event_record(s->event, s->side, 0));
    CHECK_OK(gc_stream_wait_event(s->rig.stream, s->event, 0));
    CHECK_OK(gc_stream_memcpy_dtod(s->rig.stream, s->wrapped, 4, s->buffer, 0, 4));
    REQUIRE_OK(gc_stream_end_capture(s->rig.stream, &s->graph));
}

/* What the wrapped buffer wraps. It stays open, and with it a context: opening the first one of a GPU takes long. */
static struct foreign foreign;
static uint64_t handles_of_foreign;

static int sums_are(uint32_t wrapped, uint32_t allocated) {
    return foreign_word(&foreign, 0) == wrapped && foreign_word(&foreign, 1) == allocated;
}

static void open_scene(struct scene *s) {
    memset(s, 0, sizeof *s);
    rig_open(&s->rig);
    s->side = open_stream(s->rig.context, 0);
    s->event = open_event(s->rig.context);
    s->buffer = open_buffer(s->rig.context, 32);
    foreign_clear(&foreign);
    s->wrapped = wrap_foreign(s->rig.context, &foreign, &s->released);
    record(s);
    REQUIRE_OK(gc_graph_instantiate(s->graph, NULL, &s->exec));
}

static void an_exec_needs_no_other_handle(void) {
    struct scene s;
    gc_stream *fresh;
    unsigned i;
    open_scene(&s);
    CHECK_OK(gc_graph_destroy(s.graph));
    CHECK_OK(gc_buffer_destroy(s.buffer));
    CHECK_OK(gc_buffer_destroy(s.wrapped));
    CHECK_OK(gc_event_destroy(s.event));
    CHECK_OK(gc_stream_destroy(s.side));
    fresh = open_stream(s.rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    rig_close(&s.rig);
    CHECK(gc_live_handles() == handles_of_foreign + 2);
    for (i = 1; i <= 1000; i++) {
        CHECK_OK(gc_graph_launch(s.exec, fresh));
        if (i % 100 == 0) {
            CHECK_OK(gc_stream_synchronize(fresh));
            CHECK(sums_are(2 * i, i));
        }
    }
    CHECK(s.calls == 1000 && count_of(&s.released) == 0);
    CHECK_OK(gc_graph_exec_destroy(s.exec));
    CHECK(await_count(&s.released, 1));
    CHECK_OK(gc_stream_destroy(fresh));
    CHECK(count_of(&s.released) == 1);
}

/* A launch in flight holds what it uses after the last handle is gone. */
static void a_launch_in_flight_holds_its_memory(void) {
    struct scene s;
    struct gate gate;
    gate_init(&gate);
    open_scene(&s);
    CHECK_OK(gc_stream_launch_host_func(s.rig.stream, gate_hold, &gate, NULL));
    CHECK_OK(gc_graph_launch(s.exec, s.rig.stream));
    CHECK_OK(gc_graph_exec_destroy(s.exec));
    CHECK_OK(gc_graph_destroy(s.graph));
    CHECK_OK(gc_buffer_destroy(s.buffer));
    CHECK_OK(gc_buffer_destroy(s.wrapped));
    gate_await(&gate, 1);
    CHECK(count_of(&s.released) == 0 && sums_are(0, 0));
    gate_open(&gate);
    CHECK_OK(gc_stream_synchronize(s.rig.stream));
    CHECK(sums_are(2, 1));
    CHECK(await_count(&s.released, 1));
    CHECK_OK(gc_event_destroy(s.event));
    CHECK_OK(gc_stream_destroy(s.side));
    rig_close(&s.rig);
    CHECK(count_of(&s.released) == 1);
    gate_free(&gate);
}

static void a_graph_alone_holds_what_it_recorded(void) {
    struct scene s;
    open_scene(&s);
    CHECK_OK(gc_graph_exec_destroy(s.exec));
    CHECK_OK(gc_buffer_destroy(s.buffer));
    CHECK_OK(gc_buffer_destroy(s.wrapped));
    CHECK_OK(gc_context_synchronize(s.rig.context));
    CHECK(count_of(&s.released) == 0);
    CHECK_OK(gc_graph_instantiate(s.graph, NULL, &s.exec));
    CHECK_OK(gc_graph_destroy(s.graph));
    CHECK_OK(gc_graph_launch(s.exec, s.rig.stream));
    CHECK_OK(gc_stream_synchronize(s.rig.stream));
    CHECK(sums_are(2, 1) && count_of(&s.released) == 0);
    CHECK_OK(gc_graph_exec_destroy(s.exec));
    CHECK(await_count(&s.released, 1));
    CHECK_OK(gc_event_destroy(s.event));
    CHECK_OK(gc_stream_destroy(s.side));
    rig_close(&s.rig);
    CHECK(count_of(&s.released) == 1);
}

static void memory_lives_while_its_capture_goes_on(void) {
    struct rig rig;
    unsigned released = 0;
    gc_buffer *wrapped;
    gc_graph *graph = NULL;
    rig_open(&rig);
    wrapped = wrap_foreign(rig.context, &foreign, &released);
    CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(launch_add(&rig, rig.stream, wrapped, 0, 1, 1));
    CHECK_OK(gc_buffer_destroy(wrapped));
    CHECK(count_of(&released) == 0);
    CHECK(capture_state(rig.stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
    CHECK_STATUS(gc_stream_synchronize(rig.stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(rig.stream, &graph), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    CHECK(await_count(&released, 1));
    rig_close(&rig);
    CHECK(count_of(&released) == 1);
}

/* The destructions, as steps that can be made in any order. */
enum { STEPS = 12 };

static void destroy_step(struct scene *s, unsigned step) {
    switch (step) {
    case 0: CHECK_OK(gc_context_destroy(s->rig.context)); break;
    case 1: CHECK_OK(gc_module_destroy(s->rig.module)); break;
    case 2: CHECK_OK(gc_stream_destroy(s->rig.stream)); break;
    case 3: CHECK_OK(gc_stream_destroy(s->side)); break;
    case 4: CHECK_OK(gc_event_destroy(s->event)); break;
    case 5: CHECK_OK(gc_buffer_destroy(s->buffer)); break;
    case 6: CHECK_OK(gc_buffer_destroy(s->wrapped)); break;
    case 7: CHECK_OK(gc_graph_destroy(s->graph)); break;
    case 8: CHECK_OK(gc_graph_exec_destroy(s->exec)); break;
    case 9: CHECK_OK(gc_kernel_destroy(s->rig.add)); break;
    case 10:
        CHECK_OK(gc_kernel_destroy(s->rig.fill));
        CHECK_OK(gc_kernel_destroy(s->rig.hold));
        break;
    default:
        CHECK_OK(gc_kernel_destroy(s->rig.mix));
        CHECK_OK(gc_kernel_destroy(s->rig.note));
        break;
    }
}

static void any_order_of_destruction_works(void) {
    unsigned rounds = soak(200, 5000), round, i;
    uint32_t seed = 12345;
    for (round = 0; round < rounds; round++) {
        /* The callbacks may still be due when the scene is left. */
        static struct scene s;
        unsigned order[STEPS], launches = round % 4;
        open_scene(&s);
        for (i = 0; i < STEPS; i++)
            order[i] = i;
        for (i = STEPS - 1; i > 0; i--) {
            unsigned k, swap = order[i];
            seed = seed * 1664525u + 1013904223u;
            k = (seed >> 8) % (i + 1);
            order[i] = order[k];
            order[k] = swap;
        }
        for (i = 0; i < launches; i++)
            CHECK_OK(gc_graph_launch(s.exec, i % 2 ? s.rig.stream : s.side));
        for (i = 0; i < STEPS; i++)
            destroy_step(&s, order[i]);
        CHECK(gc_live_handles() == handles_of_foreign);
        CHECK(await_count(&s.released, 1));
        CHECK(count_of(&s.calls) == launches && sums_are(2 * launches, launches));
    }
}

/* A kernel's code, too: the module is destroyed first and used last. */
static void code_lives_as_long_as_the_exec(void) {
    struct rig rig;
    gc_module *module;
    gc_kernel *add;
    gc_graph_exec *exec;
    gc_buffer *buffer;
    uint32_t value = 3;
    uint64_t count = 1;
    rig_open(&rig);
    buffer = open_buffer(rig.context, 4);
    module = load_kernels(rig.context);
    add = get_kernel(module, "add");
    {
        gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                     GRAPHCAP_ARG_INIT_VALUE(count)};
        CHECK_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        CHECK_OK(launch(rig.stream, add, 1, 1, arguments, 3));
    }
    CHECK_OK(gc_module_destroy(module));
    CHECK_OK(gc_kernel_destroy(add));
    exec = finish_capture(rig.stream);
    CHECK_OK(gc_graph_launch(exec, rig.stream));
    CHECK(read_u32(rig.stream, buffer, 0) == 3);
    CHECK_OK(gc_graph_exec_destroy(exec));
    CHECK_OK(gc_buffer_destroy(buffer));
    rig_close(&rig);
}

int main(void) {
    foreign_open(&foreign);
    handles_of_foreign = gc_live_handles();
    RUN(an_exec_needs_no_other_handle);
    RUN(a_launch_in_flight_holds_its_memory);
    RUN(a_graph_alone_holds_what_it_recorded);
    RUN(memory_lives_while_its_capture_goes_on);
    RUN(any_order_of_destruction_works);
    RUN(code_lives_as_long_as_the_exec);
    foreign_close(&foreign);
    return check_finish();
}
