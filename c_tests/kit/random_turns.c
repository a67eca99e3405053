/* Graph execs of one recording that draws random numbers share the place where the numbers of a replay are told: on several streams
 * their replays take turns, so that each draws numbers of its own. */
#include "../graph/nodes.h"

enum { FLOATS = 256, EXECS = 3, ROUNDS = 40, REPLAYS = EXECS * ROUNDS };

static struct rig rig;
static gc_rng *rng;

/* What a replay drew, copied to the host while it was the only one. */
struct drawn {
    gc_buffer *buffers[2];
    float now[2][FLOATS];
    float all[REPLAYS][2][FLOATS];
    unsigned replays;
    struct gate gate;
    int is_held;
};

static struct drawn drawn;
static float expected[REPLAYS][2][FLOATS];

static void hold(void *user_data) {
    if (drawn.is_held)
        gate_hold(user_data);
}

static void note(void *user_data) {
    const unsigned at = __atomic_fetch_add(&drawn.replays, 1, __ATOMIC_ACQ_REL);
    (void)user_data;
    if (at < REPLAYS)
        memcpy(drawn.all[at], drawn.now, sizeof drawn.now);
}

static void push(const gc_script *script, gc_work desc) {
    REQUIRE_OK(gc_script_push(script, &desc));
}

static void push_fill(const gc_script *script, const gc_buffer *buffer) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    params.rng = rng;
    params.buffer = buffer;
    params.count = FLOATS;
    desc.kind = GRAPHCAP_WORK_RNG_UNIFORM;
    desc.rng_uniform_params = &params;
    push(script, desc);
}

static void push_host(const gc_script *script, gc_host_fn function) {
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_HOST;
    desc.function = function;
    desc.user_data = &drawn.gate;
    push(script, desc);
}

static void push_copy(const gc_script *script, int which) {
    const gc_memcpy_params copy = GRAPHCAP_MEMCPY_INIT_DTOH(drawn.now[which], drawn.buffers[which], 0, sizeof drawn.now[which]);
    gc_work desc = GRAPHCAP_WORK_INIT;
    desc.kind = GRAPHCAP_WORK_MEMCPY;
    desc.memcpy_params = &copy;
    push(script, desc);
}

/* Two fills with a function between, of which the second begins where the first ends. */
static gc_graph *record(void) {
    gc_script *script = NULL;
    gc_graph *graph = NULL;
    int i;
    REQUIRE_OK(gc_script_create(rig.context, &script));
    push_fill(script, drawn.buffers[0]);
    push_host(script, hold);
    push_fill(script, drawn.buffers[1]);
    for (i = 0; i < 2; i++)
        push_copy(script, i);
    push_host(script, note);
    REQUIRE_OK(gc_script_record(script, rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, NULL, &graph));
    CHECK_OK(gc_script_destroy(script));
    return graph;
}

static void open_drawn(int is_held) {
    int i;
    memset(&drawn, 0, sizeof drawn);
    drawn.is_held = is_held;
    gate_init(&drawn.gate);
    REQUIRE_OK(gc_rng_create(rig.stream, 7, 0, &rng));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    for (i = 0; i < 2; i++)
        REQUIRE_OK(gc_buffer_allocate(rig.context, FLOATS * sizeof(float), &drawn.buffers[i]));
}

static void close_drawn(void) {
    int i;
    for (i = 0; i < 2; i++)
        CHECK_OK(gc_buffer_destroy(drawn.buffers[i]));
    CHECK_OK(gc_rng_destroy(rng));
    gate_free(&drawn.gate);
}

/* The numbers of so many replays, one after another. */
static void draw_expected(void) {
    gc_buffer *buffer = NULL;
    gc_rng_uniform_params params = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    REQUIRE_OK(gc_buffer_allocate(rig.context, sizeof expected, &buffer));
    params.rng = rng;
    params.buffer = buffer;
    params.count = sizeof expected / sizeof(float);
    params.flags = GRAPHCAP_RNG_REPEAT;
    CHECK_OK(gc_stream_fill_uniform(rig.stream, &params));
    CHECK_OK(gc_stream_memcpy_dtoh(rig.stream, expected, buffer, 0, sizeof expected));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK_OK(gc_buffer_destroy(buffer));
}

/* Each of the replays drew its own block, in whatever order. */
static void check_drawn(unsigned replays) {
    unsigned times[REPLAYS] = {0}, i, k;
    uint64_t offset = 0;
    draw_expected();
    CHECK(drawn.replays == replays);
    for (i = 0; i < replays; i++) {
        for (k = 0; k < replays && memcmp(drawn.all[i], expected[k], sizeof expected[k]) != 0; k++) {
        }
        CHECK(k < replays);
        times[k < replays ? k : 0]++;
    }
    for (k = 0; k < replays; k++)
        CHECK(times[k] == 1);
    CHECK_OK(gc_rng_get_offset(rng, rig.stream, &offset));
    CHECK(offset == (uint64_t)replays * 2 * FLOATS);
}

struct launcher {
    gc_graph_exec *exec;
    gc_stream *stream;
    pthread_t thread;
};

static void *launch_often(void *argument) {
    const struct launcher *launcher = (const struct launcher *)argument;
    int round;
    for (round = 0; round < ROUNDS; round++)
        CHECK_OK(gc_graph_launch(launcher->exec, launcher->stream));
    return NULL;
}

/* The third one is of a copy of the graph. */
static void replays_on_several_streams_draw_numbers_of_their_own(void) {
    struct launcher launchers[EXECS];
    gc_graph *graph, *copy = NULL;
    int i;
    open_drawn(0);
    graph = record();
    REQUIRE_OK(gc_graph_clone(graph, &copy));
    for (i = 0; i < EXECS; i++) {
        launchers[i].exec = open_exec(i < 2 ? graph : copy);
        launchers[i].stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    }
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_destroy(copy));
    for (i = 0; i < EXECS; i++)
        CHECK(pthread_create(&launchers[i].thread, NULL, launch_often, &launchers[i]) == 0);
    for (i = 0; i < EXECS; i++)
        CHECK(pthread_join(launchers[i].thread, NULL) == 0);
    for (i = 0; i < EXECS; i++)
        CHECK_OK(gc_stream_synchronize(launchers[i].stream));
    check_drawn(REPLAYS);
    for (i = 0; i < EXECS; i++) {
        CHECK_OK(gc_stream_destroy(launchers[i].stream));
        CHECK_OK(gc_graph_exec_destroy(launchers[i].exec));
    }
    close_drawn();
}

static void *launch_one(void *argument) {
    const struct launcher *launcher = (const struct launcher *)argument;
    CHECK_OK(gc_graph_launch(launcher->exec, launcher->stream));
    return NULL;
}

/* A replay is held between its fills while another exec is launched: one that was there all the time, or one that is made when the
 * first one and its stream are destroyed already. */
static void a_replay_keeps_its_numbers_until_it_ends(int is_first_gone) {
    struct launcher first, second;
    gc_graph *graph;
    open_drawn(1);
    graph = record();
    first.exec = open_exec(graph);
    first.stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    second.exec = is_first_gone ? NULL : open_exec(graph);
    second.stream = open_stream(rig.context, GRAPHCAP_STREAM_NON_BLOCKING);
    /* A stand-in for the driver runs a launch within the call. */
    CHECK(pthread_create(&first.thread, NULL, launch_one, &first) == 0);
    gate_await(&drawn.gate, 1);
    if (is_first_gone) {
        CHECK(pthread_join(first.thread, NULL) == 0);
        CHECK_OK(gc_graph_exec_destroy(first.exec));
        CHECK_OK(gc_stream_destroy(first.stream));
        second.exec = open_exec(graph);
    }
    CHECK(pthread_create(&second.thread, NULL, launch_one, &second) == 0);
    pause_ms(50);
    CHECK(drawn.gate.entered == 1);
    gate_open(&drawn.gate);
    CHECK(pthread_join(second.thread, NULL) == 0);
    if (!is_first_gone) {
        CHECK(pthread_join(first.thread, NULL) == 0);
        CHECK_OK(gc_graph_exec_destroy(first.exec));
        CHECK_OK(gc_stream_destroy(first.stream));
    }
    CHECK_OK(gc_stream_synchronize(second.stream));
    check_drawn(2);
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_graph_exec_destroy(second.exec));
    CHECK_OK(gc_stream_destroy(second.stream));
    close_drawn();
}

static void a_replay_on_another_stream_waits(void) {
    a_replay_keeps_its_numbers_until_it_ends(0);
}

static void a_replay_of_an_exec_that_is_gone_is_waited_for(void) {
    if (check_skipped(GRAPHCAP_DEVICE_CUDA, "an exec is made beside a replay that is held, for which a driver may wait"))
        return;
    a_replay_keeps_its_numbers_until_it_ends(1);
}

/* A graph exec, and what a host function is answered that launches it. */
struct relaunch {
    gc_graph_exec *exec;
    gc_status answer;
};

static void launch_again(void *user_data) {
    struct relaunch *relaunch = (struct relaunch *)user_data;
    relaunch->answer = gc_graph_launch(relaunch->exec, rig.stream);
}

/* A host function of a replay is refused at once, whatever the launch that it runs in holds. */
static void host_functions_launch_none(void) {
    struct relaunch relaunch = {NULL, GRAPHCAP_SUCCESS};
    gc_rng_uniform_params fill = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    gc_buffer *buffer = open_buffer(rig.context, FLOATS * sizeof(float));
    gc_graph *graph = NULL;
    REQUIRE_OK(gc_rng_create(rig.stream, 1, 0, &rng));
    fill.rng = rng;
    fill.buffer = buffer;
    fill.count = FLOATS;
    REQUIRE_OK(gc_stream_begin_capture(rig.stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
    CHECK_OK(gc_stream_fill_uniform(rig.stream, &fill));
    CHECK_OK(gc_stream_launch_host_func(rig.stream, launch_again, &relaunch, NULL));
    REQUIRE_OK(gc_stream_end_capture(rig.stream, &graph));
    relaunch.exec = open_exec(graph);
    CHECK_OK(gc_graph_launch(relaunch.exec, rig.stream));
    CHECK_OK(gc_stream_synchronize(rig.stream));
    CHECK(relaunch.answer == GRAPHCAP_ERROR_NOT_PERMITTED);
    CHECK_OK(gc_graph_exec_destroy(relaunch.exec));
    CHECK_OK(gc_graph_destroy(graph));
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_buffer_destroy(buffer));
}

int main(void) {
    rig_open(&rig);
    RUN(replays_on_several_streams_draw_numbers_of_their_own);
    RUN(a_replay_on_another_stream_waits);
    RUN(a_replay_of_an_exec_that_is_gone_is_waited_for);
    RUN(host_functions_launch_none);
    rig_close(&rig);
    return check_finish();
}
