/* Calls: what one gc_ call costs, from one thread and from two, on the same handle and on different ones. */
#include <pthread.h>

#include "bench.h"
#include "timing.h"

typedef struct {
    const char *name;
    void (*repeat)(const void *handle, size_t calls);
} measured_call;

static void repeat_version(const void *handle, size_t calls) {
    (void)handle;
    for (size_t i = 0; i < calls; i++) gc_version();
}

static void repeat_buffer_size(const void *handle, size_t calls) {
    size_t size;
    for (size_t i = 0; i < calls; i++) CHECK(gc_buffer_size(handle, &size));
}

static void repeat_failure(const void *handle, size_t calls) { /* the handle is of another kind */
    size_t count;
    for (size_t i = 0; i < calls; i++) {
        if (gc_graph_node_count(handle, &count) == GRAPHCAP_ERROR_INVALID_HANDLE) continue;
        fprintf(stderr, "graphcap-bench: a buffer was taken for a graph\n");
        exit(1);
    }
}

typedef struct {
    const measured_call *call;
    const void *handle;
    size_t calls;
    pthread_barrier_t *barrier;
    double ns;
} caller;

static void *run_caller(void *argument) {
    caller *c = argument;
    pthread_barrier_wait(c->barrier);
    const double start = now_ns();
    c->call->repeat(c->handle, c->calls);
    c->ns = (now_ns() - start) / (double)c->calls;
    return NULL;
}

/* ns per call, of the slower thread. */
static double run_threads(const measured_call *call, const void *const *handles, int threads, size_t calls) {
    pthread_barrier_t barrier;
    pthread_t ids[2];
    caller callers[2];
    double slowest = 0;
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        callers[i] = (caller){call, handles[i], calls, &barrier, 0};
        if (pthread_create(&ids[i], NULL, run_caller, &callers[i]) != 0) exit(1);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        if (callers[i].ns > slowest) slowest = callers[i].ns;
    }
    pthread_barrier_destroy(&barrier);
    return slowest;
}

void bench_calls(const bench_options *options) {
    static const measured_call calls[] = {{"gc_version: no handle", repeat_version},
                                          {"gc_buffer_size: one look-up", repeat_buffer_size},
                                          {"a call that fails, with its message", repeat_failure}};
    const size_t repeats = options->quick ? 20000 : 1000000;
    gc_context *context;
    gc_buffer *first, *second;
    CHECK(gc_context_create(NULL, &context));
    CHECK(gc_buffer_allocate(context, 64, &first));
    CHECK(gc_buffer_allocate(context, 64, &second));
    const void *const same[] = {first, first}, *const different[] = {first, second};
    printf("\nCalls: ns per call\n\n");
    printf("%-38s %10s %22s %25s\n", "", "1 thread", "2 threads, one handle", "2 threads, two handles");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        fprintf(stderr, "calls: %s\n", calls[i].name);
        double one[MAX_ROUNDS], shared[MAX_ROUNDS], apart[MAX_ROUNDS];
        for (int round = 0; round < options->rounds; round++) {
            one[round] = run_threads(&calls[i], same, 1, repeats);
            shared[round] = run_threads(&calls[i], same, 2, repeats);
            apart[round] = run_threads(&calls[i], different, 2, repeats);
        }
        printf("%-38s %10.1f %22.1f %25.1f\n", calls[i].name, median(one, options->rounds),
               median(shared, options->rounds), median(apart, options->rounds));
    }
    CHECK(gc_buffer_destroy(first));
    CHECK(gc_buffer_destroy(second));
    CHECK(gc_context_destroy(context));
}
