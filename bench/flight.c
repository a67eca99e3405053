/* Launches in flight: us a launch where so many are made before the first is waited for, of work that takes nothing and of work that
 * takes about 15 us. The last column is many launches with one wait. */
#include "bench.h"
#include "timing.h"
#include "work.h"

/* Who is waited for: the stream once a group, the event behind each launch, or the future of each message to an actor. */
enum way { STREAM, EVENTS, ACTOR_EVENT, ACTOR_FUNCTION, ACTOR_SYNCHRONIZE, WAYS };
enum { GROUPS = 5, MANY = 1000 };

static const size_t groups[GROUPS] = {1, 2, 4, 16, MANY};
static const char *const names[WAYS] = {"synchronize", "event behind each", "actor, EVENT", "actor, HOST_FUNC", "actor, SYNCHRONIZE"};
static const uint32_t completions[WAYS] = {
    [ACTOR_EVENT] = GRAPHCAP_ACTOR_COMPLETION_EVENT,
    [ACTOR_FUNCTION] = GRAPHCAP_ACTOR_COMPLETION_HOST_FUNCTION,
    [ACTOR_SYNCHRONIZE] = GRAPHCAP_ACTOR_COMPLETION_SYNCHRONIZE,
};

typedef struct {
    const bench_device *device;
    gc_graph_exec *exec;
    gc_event *events[MANY];
    gc_actor *actors[WAYS]; /* NULL for the first two */
} rig;

/* Makes `size` launches and waits for them. */
static void fly(rig *r, enum way way, size_t size) {
    gc_future *futures[MANY];
    for (size_t i = 0; i < size; i++) {
        if (r->actors[way]) CHECK(gc_actor_launch(r->actors[way], r->exec, &futures[i]));
        else CHECK(gc_graph_launch(r->exec, r->device->stream));
        if (way == EVENTS) CHECK(gc_event_record(r->events[i], r->device->stream, 0));
    }
    if (way == STREAM) CHECK(gc_stream_synchronize(r->device->stream));
    for (size_t i = 0; i < size; i++) {
        if (way == EVENTS) CHECK(gc_event_synchronize(r->events[i]));
        if (!r->actors[way]) continue;
        CHECK(gc_future_wait(futures[i], UINT64_MAX, NULL));
        CHECK(gc_future_destroy(futures[i]));
    }
}

/* us of one of about `launches` launches in groups of `size`. */
static double time_of_one(rig *r, enum way way, size_t size, size_t launches) {
    const size_t count = launches / size ? launches / size : 1;
    const double start = now_ns();
    for (size_t i = 0; i < count; i++) fly(r, way, size);
    return (now_ns() - start) / (double)(count * size) / 1000;
}

static gc_graph_exec *exec_of_one(const bench_device *device, uint64_t steps) {
    const work_launch launch = {device->kernel, steps};
    gc_graph *graph;
    gc_graph_exec *exec;
    CHECK(gc_stream_begin_capture(device->stream, GRAPHCAP_CAPTURE_MODE_RELAXED));
    submit_work(device->stream, 0, (void *)&launch);
    CHECK(gc_stream_end_capture(device->stream, &graph));
    CHECK(gc_graph_instantiate(graph, NULL, &exec));
    CHECK(gc_graph_destroy(graph));
    return exec;
}

static void measure(rig *r, const char *work_name, size_t launches, const bench_options *options) {
    double us[WAYS][GROUPS][MAX_ROUNDS];
    for (int round = 0; round < options->rounds; round++) {
        for (int way = 0; way < WAYS; way++) {
            for (int group = 0; group < GROUPS; group++) us[way][group][round] = time_of_one(r, (enum way)way, groups[group], launches);
        }
    }
    for (int way = 0; way < WAYS; way++) {
        printf("%8s  %-20s", way ? "" : work_name, names[way]);
        for (int group = 0; group < GROUPS; group++) printf(" %8.2f", median(us[way][group], options->rounds));
        printf("\n");
    }
}

void bench_flight(const bench_options *options) {
    static const size_t sizes[] = {sizeof(uint64_t)};
    const gc_host_kernel kernel = {sizeof(gc_host_kernel), 0, "work", work, sizes, 1, NULL, 0};
    static rig r;
    bench_device device = open_device(&kernel);
    r.device = &device;
    for (int i = 0; i < MANY; i++) CHECK(gc_event_create(device.context, NULL, &r.events[i]));
    for (int way = ACTOR_EVENT; way < WAYS; way++) {
        gc_actor_options actor = GRAPHCAP_ACTOR_OPTIONS_INIT;
        actor.completion = completions[way];
        CHECK(gc_actor_create(device.context, &actor, &r.actors[way]));
    }
    printf("\nLaunches in flight: us a launch, by how many are made before the first is waited for\n\n%8s  %-20s", "work", "waits for");
    for (int group = 0; group < GROUPS; group++) printf(" %8zu", groups[group]);
    printf("\n");
    static const double lengths[] = {0, 15000};
    static const char *const work_names[] = {"nothing", "15 us"};
    for (int length = 0; length < 2; length++) {
        fprintf(stderr, "flight: work of %s\n", work_names[length]);
        r.exec = exec_of_one(&device, lengths[length] > 0 ? steps_for(lengths[length]) : 0);
        measure(&r, work_names[length], (options->quick ? 200 : 4000) / (length ? 4 : 1), options);
        CHECK(gc_graph_exec_destroy(r.exec));
    }
    for (int way = ACTOR_EVENT; way < WAYS; way++) {
        CHECK(gc_actor_close(r.actors[way], UINT64_MAX));
        CHECK(gc_actor_destroy(r.actors[way]));
    }
    for (int i = 0; i < MANY; i++) CHECK(gc_event_destroy(r.events[i]));
    close_device(&device);
}
