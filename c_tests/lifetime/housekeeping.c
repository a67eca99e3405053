/* What graphcap does for itself harms no capture: while one thread captures, others make, launch and destroy objects of
 * all kinds all the time, with work pending on them, so that releases are put off. They keep to the rules: some call
 * what a capture bars only while none is open, the others have put themselves into the relaxed mode. */
#include "kernels.h"

#include "../stand_in/stand_in.h"

#include <dlfcn.h>

enum { BUSY = 4, STOCK = 4, ADDITIONS = 4, PAGE = 4096 };

static struct rig rig;

/* Written over a capture; read by the careful threads over calls that it would bar. */
static pthread_rwlock_t capturing = PTHREAD_RWLOCK_INITIALIZER;
/* Written while work is held up. Calls that may wait for all work of the device read it: on a GPU they would keep all
 * other calls from coming through, the one that lets the work go on included. */
static pthread_rwlock_t held_up = PTHREAD_RWLOCK_INITIALIZER;
static unsigned stopping;

/* The stand-in for NVIDIA's driver runs work within the call that submits it, so it cannot be held up. But it can be
 * told to call nothing complete. */
static struct {
    void (*hold)(int held);
    void (*settle)(void);
    long (*live)(int kind);
    unsigned (*violations)(char *text, size_t capacity);
} stand_in;

static void look_up(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

static void find_stand_in(void) {
    const char *path = getenv("GRAPHCAP_CUDA_LIBRARY");
    void *library = on_cuda() && path != NULL ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    if (library == NULL || dlsym(library, "stand_in_hold") == NULL)
        return;
    look_up(library, "stand_in_hold", &stand_in.hold);
    look_up(library, "stand_in_settle", &stand_in.settle);
    look_up(library, "stand_in_live", &stand_in.live);
    look_up(library, "stand_in_violations", &stand_in.violations);
}

/* A thread that is never idle. */
struct busy {
    pthread_t thread;
    /* Whether it has put itself into the relaxed mode; else it is careful. */
    int relaxed;
    unsigned rounds;
    /* How often it could call what captures bar. */
    unsigned turns;
    /* Execs of the shared context, for the time in which none can be made. */
    gc_graph_exec *stock[STOCK];
    unsigned stocked;
    /* Functions that it gave to graphs, and those of them that were let go. */
    unsigned given, let_go;
    /* Memory that it wraps again when it was given back, and such that it pins again then. */
    struct foreign foreign;
    unsigned wrapped, given_back;
    void *own;
    unsigned pinned, unpinned;
};

static struct busy busy_threads[BUSY];

/* Whether the thread may call now what a capture bars; if so, called() follows. */
static int may_call(const struct busy *busy) {
    return busy->relaxed || pthread_rwlock_tryrdlock(&capturing) == 0;
}

static void called(const struct busy *busy) {
    if (!busy->relaxed)
        pthread_rwlock_unlock(&capturing);
}

struct objects {
    gc_context *own;
    const gc_context *context;
    gc_module *module;
    gc_kernel *add;
    gc_stream *stream, *other, *per_thread;
    gc_buffer *buffer, *wrapped;
    gc_host_buffer *allocated, *pinned;
    gc_event *event;
    gc_graph *graph;
    gc_graph_exec *exec;
};

static gc_status add_one(const gc_stream *stream, const gc_kernel *add, const gc_buffer *buffer) {
    uint32_t value = 1;
    uint64_t count = 1;
    gc_kernel_arg arguments[] = {GRAPHCAP_ARG_INIT_BUFFER(buffer), GRAPHCAP_ARG_INIT_VALUE(value),
                                 GRAPHCAP_ARG_INIT_VALUE(count)};
    return launch(stream, add, 1, 1, arguments, 3);
}

static void run_nothing(void *user_data) {
    (void)user_data;
}

/* A graph of the thread's own, and captures that come to nothing. They bar nobody and leave the legacy stream open. */
static void record_graph(struct busy *busy, struct objects *made) {
    gc_stream *stream = open_stream(made->context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph *none = NULL;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(add_one(stream, made->add, made->buffer));
    CHECK_OK(gc_stream_memset(stream, made->buffer, 4, 1, 4, 1));
    busy->given++;
    CHECK_OK(gc_stream_launch_host_func(stream, run_nothing, &busy->let_go, count_call));
    REQUIRE_OK(gc_stream_end_capture(stream, &made->graph));
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_STATUS(gc_stream_synchronize(stream), GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED);
    CHECK_STATUS(gc_stream_end_capture(stream, &none), GRAPHCAP_ERROR_CAPTURE_INVALIDATED);
    /* One that goes with its stream. */
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(add_one(stream, made->add, made->buffer));
    CHECK_OK(gc_stream_destroy(stream));
}

static void make(struct busy *busy, struct objects *made) {
    memset(made, 0, sizeof *made);
    made->own = open_context();
    made->context = busy->rounds % 2 ? made->own : rig.context;
    made->module = load_kernels(made->context);
    made->add = get_kernel(made->module, "add");
    made->stream = open_stream(made->context, busy->rounds / 2 % 2 ? GRAPHCAP_STREAM_NON_BLOCKING : 0);
    made->other = open_stream(made->context, GRAPHCAP_STREAM_NON_BLOCKING);
    made->event = open_event(made->context);
    REQUIRE_OK(gc_context_per_thread_stream(made->context, &made->per_thread));
    REQUIRE_OK(gc_buffer_allocate(made->context, 64, &made->buffer));
    if (busy->wrapped == count_of(&busy->given_back)) {
        busy->wrapped++;
        made->wrapped = wrap_foreign(made->context, &busy->foreign, &busy->given_back);
    }
    REQUIRE_OK(gc_host_buffer_allocate(made->context, PAGE, GRAPHCAP_HOST_BUFFER_MAPPED, &made->allocated));
    if (busy->pinned == count_of(&busy->unpinned)) {
        busy->pinned++;
        REQUIRE_OK(gc_host_buffer_register(made->context, busy->own, PAGE, 0, &busy->unpinned, count_call,
                                           &made->pinned));
    }
    record_graph(busy, made);
    if (may_call(busy)) {
        REQUIRE_OK(gc_graph_instantiate(made->graph, NULL, &made->exec));
        while (made->context == rig.context && busy->stocked < STOCK)
            REQUIRE_OK(gc_graph_instantiate(made->graph, NULL, &busy->stock[busy->stocked++]));
        called(busy);
    } else if (made->context == rig.context && busy->stocked > 0) {
        made->exec = busy->stock[--busy->stocked];
    }
}

static void copy_in(const gc_stream *stream, const gc_buffer *buffer, const gc_host_buffer *memory) {
    gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_HTOD(buffer, 32, NULL, 4);
    copy.source_host_buffer = memory;
    CHECK_OK(gc_stream_memcpy(stream, &copy));
}

/* Work on all streams, which may still run when everything is destroyed. */
static void submit(const struct objects *made) {
    CHECK_OK(add_one(made->stream, made->add, made->buffer));
    CHECK_OK(gc_event_record(made->event, made->stream, 0));
    CHECK_OK(gc_stream_wait_event(made->other, made->event, 0));
    CHECK_OK(gc_stream_memset(made->other, made->buffer, 8, 1, 4, 1));
    CHECK_OK(gc_stream_memset(made->per_thread, made->buffer, 12, 1, 4, 1));
    if (made->wrapped != NULL)
        CHECK_OK(gc_stream_memset(made->other, made->wrapped, 0, 1, 4, 1));
    copy_in(made->stream, made->buffer, made->allocated);
    if (made->pinned != NULL)
        copy_in(made->other, made->buffer, made->pinned);
    if (made->exec != NULL) {
        CHECK_OK(gc_graph_launch(made->exec, made->stream));
        CHECK_OK(gc_graph_launch(made->exec, made->other));
    }
}

/* What a capture bars, where the thread may: waiting and asking. */
static void wait_and_ask(struct busy *busy, const struct objects *made) {
    int32_t complete;
    if (may_call(busy)) {
        CHECK_OK(gc_event_is_complete(made->event, &complete));
        CHECK_OK(gc_stream_is_complete(made->other, &complete));
        CHECK_OK(gc_event_synchronize(made->event));
        CHECK_OK(gc_stream_synchronize(made->stream));
        called(busy);
        count_call(&busy->turns);
    }
    /* The legacy stream is closed beside captures of blocking streams, to everyone. */
    if (pthread_rwlock_tryrdlock(&capturing) == 0) {
        gc_stream *legacy = NULL;
        gc_memset_params set = GRAPHCAP_MEMSET_INIT(made->buffer, 16, 1, 4, 1, 1, 0);
        REQUIRE_OK(gc_context_legacy_stream(made->context, &legacy));
        CHECK_OK(gc_stream_memset(legacy, made->buffer, 16, 1, 4, 1));
        CHECK_OK(gc_context_memset(made->context, &set));
        CHECK_OK(gc_stream_destroy(legacy));
        pthread_rwlock_unlock(&capturing);
    }
}

static void destroy(const struct objects *made) {
    CHECK_OK(gc_buffer_destroy(made->buffer));
    CHECK_OK(gc_buffer_destroy(made->wrapped));
    CHECK_OK(gc_host_buffer_destroy(made->allocated));
    CHECK_OK(gc_host_buffer_destroy(made->pinned));
    CHECK_OK(gc_graph_exec_destroy(made->exec));
    CHECK_OK(gc_graph_destroy(made->graph));
    CHECK_OK(gc_event_destroy(made->event));
    CHECK_OK(gc_stream_destroy(made->stream));
    CHECK_OK(gc_stream_destroy(made->other));
    CHECK_OK(gc_stream_destroy(made->per_thread));
    CHECK_OK(gc_kernel_destroy(made->add));
    CHECK_OK(gc_module_destroy(made->module));
    CHECK_OK(gc_context_destroy(made->own));
}

struct hold {
    struct gate gate;
    unsigned let_go;
};

static void pass_gate(void *user_data) {
    gate_hold(&((struct hold *)user_data)->gate);
}

static void let_hold_go(void *user_data) {
    count_call(&((struct hold *)user_data)->let_go);
}

/* Destroys everything while its work waits. */
static void destroy_behind_a_gate(const struct objects *made) {
    struct hold hold;
    if (stand_in.hold != NULL) {
        stand_in.hold(1);
        submit(made);
        destroy(made);
        stand_in.hold(0);
        return;
    }
    gate_init(&hold.gate);
    hold.let_go = 0;
    CHECK_OK(gc_stream_launch_host_func(made->stream, pass_gate, &hold, let_hold_go));
    submit(made);
    destroy(made);
    gate_open(&hold.gate);
    CHECK(await_count(&hold.let_go, 1));
    gate_free(&hold.gate);
}

static void *keeps_busy(void *argument) {
    struct busy *busy = (struct busy *)argument;
    gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_RELAXED;
    if (busy->relaxed)
        CHECK_OK(gc_thread_exchange_capture_mode(&mode));
    while (!count_of(&stopping)) {
        struct objects made;
        pthread_rwlock_rdlock(&held_up);
        make(busy, &made);
        submit(&made);
        wait_and_ask(busy, &made);
        CHECK_OK(gc_context_collect(made.context));
        pthread_rwlock_unlock(&held_up);
        pthread_rwlock_wrlock(&held_up);
        destroy_behind_a_gate(&made);
        pthread_rwlock_unlock(&held_up);
        count_call(&busy->rounds);
    }
    while (busy->stocked > 0)
        CHECK_OK(gc_graph_exec_destroy(busy->stock[--busy->stocked]));
    return NULL;
}

/* Waits until each thread has begun and ended a round from here on. */
static void await_rounds(void) {
    unsigned i, from[BUSY];
    for (i = 0; i < BUSY; i++)
        from[i] = count_of(&busy_threads[i].rounds);
    for (i = 0; i < BUSY; i++)
        CHECK(await_count(&busy_threads[i].rounds, from[i] + 2));
}

/* Waits until each thread has called again what captures bar. */
static void await_turns(void) {
    unsigned i, from[BUSY];
    for (i = 0; i < BUSY; i++)
        from[i] = count_of(&busy_threads[i].turns);
    for (i = 0; i < BUSY; i++)
        CHECK(await_count(&busy_threads[i].turns, from[i] + 2));
}

/* The capturing thread itself may do the same, in the middle of its capture. */
static void keep_house(gc_graph_exec *exec) {
    struct objects made;
    pthread_rwlock_rdlock(&held_up);
    memset(&made, 0, sizeof made);
    made.own = open_context();
    made.context = made.own;
    made.exec = exec;
    made.module = load_kernels(made.context);
    made.add = get_kernel(made.module, "add");
    made.stream = open_stream(made.context, 0);
    made.other = open_stream(made.context, GRAPHCAP_STREAM_NON_BLOCKING);
    made.event = open_event(made.context);
    REQUIRE_OK(gc_buffer_allocate(made.context, 64, &made.buffer));
    REQUIRE_OK(gc_host_buffer_allocate(made.context, PAGE, 0, &made.allocated));
    CHECK_OK(add_one(made.stream, made.add, made.buffer));
    copy_in(made.stream, made.buffer, made.allocated);
    CHECK_OK(gc_event_record(made.event, made.stream, 0));
    CHECK_OK(gc_stream_wait_event(made.other, made.event, 0));
    CHECK_OK(gc_stream_memset(made.other, made.buffer, 8, 1, 4, 1));
    destroy(&made);
    CHECK_OK(gc_context_collect(rig.context));
    pthread_rwlock_unlock(&held_up);
}

static gc_graph_exec *make_exec(const gc_buffer *buffer) {
    gc_stream *stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    gc_graph_exec *exec;
    REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    CHECK_OK(add_one(stream, rig.add, buffer));
    exec = finish_capture(stream);
    CHECK_OK(gc_stream_destroy(stream));
    return exec;
}

/* A capture of known nodes, beside all of this. */
static void capture_beside_others(const gc_stream *stream, gc_capture_mode mode, int is_blocking) {
    gc_buffer *buffer = open_buffer(rig.context, 64);
    gc_graph_exec *spare = make_exec(buffer), *exec = NULL;
    gc_stream *fork_stream;
    gc_event *event;
    gc_graph *graph = NULL;
    size_t nodes = 0;
    unsigned i;
    /* One of a thread alone bars nobody else, but the legacy stream is closed by any. */
    int bars = mode == GRAPHCAP_CAPTURE_MODE_GLOBAL || is_blocking;
    if (bars)
        pthread_rwlock_wrlock(&capturing);
    REQUIRE_OK(gc_stream_begin_capture(stream, mode));
    CHECK_OK(gc_stream_memset(stream, buffer, 0, 0, 4, 1));
    for (i = 0; i < ADDITIONS; i++) {
        CHECK_OK(launch_add(&rig, stream, buffer, 0, 1, 1));
        await_rounds();
        CHECK(capture_state(stream) == GRAPHCAP_CAPTURE_STATUS_ACTIVE);
        if (i == 1)
            keep_house(spare);
    }
    fork_stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    event = open_event(rig.context);
    CHECK_OK(gc_event_record(event, stream, 0));
    CHECK_OK(gc_stream_wait_event(fork_stream, event, 0));
    CHECK_OK(launch_add(&rig, fork_stream, buffer, 4, 1, 1));
    CHECK_OK(gc_event_record(event, fork_stream, 0));
    CHECK_OK(gc_stream_wait_event(stream, event, 0));
    CHECK_OK(gc_event_destroy(event));
    CHECK_OK(gc_stream_destroy(fork_stream));
    await_rounds();
    CHECK_OK(gc_stream_end_capture(stream, &graph));
    if (bars)
        pthread_rwlock_unlock(&capturing);
    if (graph != NULL) {
        CHECK_OK(gc_graph_node_count(graph, &nodes));
        CHECK(nodes == 1 + ADDITIONS + 1);
        pthread_rwlock_rdlock(&held_up);
        REQUIRE_OK(gc_graph_instantiate(graph, NULL, &exec));
        pthread_rwlock_unlock(&held_up);
        CHECK_OK(gc_graph_destroy(graph));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_graph_launch(exec, stream));
        CHECK(read_u32(stream, buffer, 0) == ADDITIONS && read_u32(stream, buffer, 1) == 2);
        CHECK_OK(gc_graph_exec_destroy(exec));
    }
    CHECK_OK(gc_buffer_destroy(buffer));
    /* The careful threads get new execs. */
    await_turns();
}

static void housekeeping_harms_no_capture(void) {
    static const gc_capture_mode modes[] = {GRAPHCAP_CAPTURE_MODE_GLOBAL, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL,
                                            GRAPHCAP_CAPTURE_MODE_RELAXED};
    gc_stream *streams[3] = {NULL, NULL, NULL};
    unsigned round, rounds = soak(6, 300), mode, i;
    streams[0] = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    streams[1] = open_stream(rig.context, 0);
    REQUIRE_OK(gc_context_per_thread_stream(rig.context, &streams[2]));
    for (i = 0; i < BUSY; i++) {
        busy_threads[i].relaxed = i % 2 == 1;
        foreign_open(&busy_threads[i].foreign);
        if (posix_memalign(&busy_threads[i].own, PAGE, PAGE) != 0)
            exit(EXIT_FAILURE);
    }
    for (i = 0; i < BUSY; i++)
        if (pthread_create(&busy_threads[i].thread, NULL, keeps_busy, &busy_threads[i]) != 0)
            exit(EXIT_FAILURE);
    for (round = 0; round < rounds; round++)
        for (mode = 0; mode < LENGTH_OF(modes); mode++)
            for (i = 0; i < LENGTH_OF(streams); i++)
                capture_beside_others(streams[i], modes[mode], i > 0);
    count_call(&stopping);
    for (i = 0; i < BUSY; i++)
        pthread_join(busy_threads[i].thread, NULL);
    for (i = 0; i < LENGTH_OF(streams); i++)
        CHECK_OK(gc_stream_destroy(streams[i]));
    CHECK_OK(gc_context_synchronize(rig.context));
    CHECK_OK(gc_context_collect(rig.context));
    for (i = 0; i < BUSY; i++) {
        CHECK(await_count(&busy_threads[i].let_go, busy_threads[i].given));
        CHECK(await_count(&busy_threads[i].given_back, busy_threads[i].wrapped));
        CHECK(await_count(&busy_threads[i].unpinned, busy_threads[i].pinned));
        CHECK(busy_threads[i].let_go == busy_threads[i].given && busy_threads[i].given_back == busy_threads[i].wrapped);
        CHECK(busy_threads[i].unpinned == busy_threads[i].pinned);
        foreign_close(&busy_threads[i].foreign);
        free(busy_threads[i].own);
    }
}

/* The stand-in was used as the driver must be, and has nothing left. */
static void check_stand_in(void) {
    char text[256] = "";
    long live = 0;
    int rounds, kind;
    if (stand_in.live == NULL)
        return;
    for (rounds = 0; rounds < 20000; rounds++) {
        stand_in.settle();
        for (live = 0, kind = 0; kind < STAND_IN_KINDS; kind++)
            live += stand_in.live(kind);
        if (live == 0)
            break;
        pause_ms(1);
    }
    CHECK(live == 0);
    if (check_failed(stand_in.violations(text, sizeof text) == 0))
        fprintf(stderr, "the driver was used wrongly: %s\n", text);
}

int main(void) {
    rig_open(&rig);
    find_stand_in();
    RUN(housekeeping_harms_no_capture);
    rig_close(&rig);
    check_stand_in();
    return check_finish();
}
