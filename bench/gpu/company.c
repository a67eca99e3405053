/* Idle objects of every kind, and threads that launch a graph every millisecond and capture a new one now and then. */
#include "company.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { STREAMS = 12, BUFFERS = 64, GRAPHS = 16, EVENTS = 8, THREADS = 4, CHAIN = 4, LAUNCHES_PER_CAPTURE = 32 };

const char *const company_text =
    "12 other streams, some of them shared or wrapped, 64 buffers, 16 graphs with execs, 8 events, and 4 threads that launch a "
    "graph each millisecond and capture a new one every 32";

typedef struct {
    work work;
    pthread_t thread;
    atomic_bool *stop;
} neighbour;

struct company {
    work streams[STREAMS];
    gc_buffer *buffers[BUFFERS];
    gc_graph *graphs[GRAPHS];
    gc_graph_exec *execs[GRAPHS];
    gc_event *events[EVENTS];
    neighbour neighbours[THREADS];
    atomic_bool stop;
};

static void *live(void *argument) {
    neighbour *n = argument;
    const struct timespec pause = {0, 1000000};
    work *w = &n->work;
    while (!atomic_load(n->stop)) {
        gc_graph *graph = work_capture_graphcap(w, CHAIN);
        gc_graph_exec *exec;
        CHECK(gc_graph_instantiate(graph, NULL, &exec));
        CHECK(gc_graph_destroy(graph));
        for (int i = 0; i < LAUNCHES_PER_CAPTURE && !atomic_load(n->stop); i++) {
            CHECK(gc_graph_launch(exec, w->stream));
            CHECK(gc_stream_synchronize(w->stream));
            w->runs += CHAIN;
            nanosleep(&pause, NULL);
        }
        CHECK(gc_graph_exec_destroy(exec));
    }
    return NULL;
}

company *company_start(const gpu *device) {
    company *c = allocate(1, sizeof *c);
    for (int i = 0; i < STREAMS; i++) work_open(&c->streams[i], device, (ownership)(i % OWNERSHIPS));
    for (int i = 0; i < BUFFERS; i++) CHECK(gc_buffer_allocate(device->context, 4096, &c->buffers[i]));
    for (int i = 0; i < GRAPHS; i++) {
        c->graphs[i] = work_capture_graphcap(&c->streams[i % STREAMS], CHAIN);
        CHECK(gc_graph_instantiate(c->graphs[i], NULL, &c->execs[i]));
    }
    for (int i = 0; i < EVENTS; i++) {
        CHECK(gc_event_create(device->context, NULL, &c->events[i]));
        CHECK(gc_event_record(c->events[i], c->streams[i % STREAMS].stream, 0));
    }
    atomic_init(&c->stop, false);
    for (int i = 0; i < THREADS; i++) {
        neighbour *n = &c->neighbours[i];
        n->stop = &c->stop;
        work_open(&n->work, device, i % 2 == 1);
        if (pthread_create(&n->thread, NULL, live, n) != 0) {
            fprintf(stderr, "%s: a thread cannot be made\n", bench_program);
            exit(1);
        }
    }
    return c;
}

void company_stop(company *c) {
    atomic_store(&c->stop, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(c->neighbours[i].thread, NULL);
        work_close(&c->neighbours[i].work);
    }
    for (int i = 0; i < EVENTS; i++) CHECK(gc_event_destroy(c->events[i]));
    for (int i = 0; i < GRAPHS; i++) {
        CHECK(gc_graph_exec_destroy(c->execs[i]));
        CHECK(gc_graph_destroy(c->graphs[i]));
    }
    for (int i = 0; i < BUFFERS; i++) CHECK(gc_buffer_destroy(c->buffers[i]));
    for (int i = 0; i < STREAMS; i++) work_close(&c->streams[i]);
    free(c);
}
