/* What the tables of graphcap-bench share: options, the device, and the entry of each table. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>

#include "check.h"

typedef struct {
    bool quick;           /* a smoke run of seconds: small sizes, few rounds; its figures mean nothing */
    int rounds;           /* at most MAX_ROUNDS; every figure is the median of so many */
    const char *svg_path; /* where the plot of the replay table goes */
    const char *out;      /* the folder of the other plots */
    const char *columns;  /* the numbers of cores of the table by cores, such as "8,16"; NULL for all */
    bool account;         /* whether the table by cores also says where the time goes */
} bench_options;

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
/* How many cores this process may use, which may be fewer than there are. */
int cores_allowed(void);

/* The tables. Each prints itself on stdout, its progress on stderr, and exits 1 when a result is wrong. */
void bench_replay(const bench_options *options);
void bench_capture(const bench_options *options);
void bench_build(const bench_options *options);
void bench_edit(const bench_options *options);
void bench_input(const bench_options *options);
void bench_text(const bench_options *options);
void bench_calls(const bench_options *options);
void bench_flight(const bench_options *options);
void bench_branches(const bench_options *options);
void bench_memory(const bench_options *options);
void bench_copy(const bench_options *options);
void bench_cores(const bench_options *options);
/* One column of bench_cores, in a process that may use so many cores only. */
void bench_cores_child(const bench_options *options, int cores, double steps_per_us);

#endif
