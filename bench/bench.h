/* What the tables of graphcap-bench share: options, the error check, the device, and the entry of each table. */
#ifndef BENCH_H
#define BENCH_H

#include <graphcap.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    bool quick;           /* a smoke run of seconds: small sizes, few rounds; its figures mean nothing */
    int rounds;           /* at most MAX_ROUNDS; every figure is the median of so many */
    const char *svg_path; /* where the plot of the replay table goes */
} bench_options;

/* Ends the program with the library's message when a call failed: a benchmark has nothing to recover. */
#define CHECK(call) bench_check((call), #call)
static inline void bench_check(gc_status status, const char *call) {
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "graphcap-bench: %s\n  %s: %s\n", call, gc_status_name(status), message);
    exit(1);
}

static inline void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "graphcap-bench: out of memory\n");
        exit(1);
    }
    return memory;
}

/* A context on the host device with a stream and one kernel: all that a table needs. */
typedef struct {
    gc_context *context;
    gc_stream *stream;
    gc_module *module;
    gc_kernel *kernel;
} bench_device;

bench_device open_device(const gc_host_kernel *kernel);
void close_device(bench_device *device);

/* How many times sooner than one thread two threads without any library get their work done, just now. */
double bare_threads_gain(void);

/* The tables. Each prints itself on stdout, its progress on stderr, and exits 1 when a result is wrong. */
void bench_replay(const bench_options *options);
void bench_capture(const bench_options *options);
void bench_calls(const bench_options *options);
void bench_branches(const bench_options *options);
void bench_memory(const bench_options *options);

#endif
