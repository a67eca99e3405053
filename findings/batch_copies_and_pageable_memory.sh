#!/usr/bin/env bash
# NVIDIA's driver: copies in a batch (cuMemcpyBatchAsync) differ from single ones. A batch that reads pageable memory waits until the
# stream comes to it, and one that writes pageable memory returns at once; single copies do the opposite. And a copy of 0 bytes, which is
# no work in a single call, makes a batch fail (1). One expects a batch to be several single copies.
#
# Seen with driver 580.159 (CUDA 13.0) on an H200. graphcap leaves copies of nothing out of a batch, and its header says which side waits.
#
# Needs a GPU and a C compiler; without them it is skipped. No package is installed: the driver is what is asked.
set -euo pipefail
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.c" <<'C'
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COPIES = 2, BYTES = 4096, ASLEEP_MS = 400 };

typedef struct { int source_order, source_place[2], destination_place[2]; unsigned flags; } copy_attributes;

static void *driver, *stream;
static void *look_up(const char *name) { return dlsym(driver, name); }
static void *find(const char *name) {
    void *function = look_up(name);
    if (function == NULL) { printf("skipped: the driver lacks %s\n", name); exit(0); }
    return function;
}
#define DRIVER(name, ...) ((int (*)(__VA_ARGS__))find(#name))
#define OK(call) do { int answer_ = (call); if (answer_ != 0) { printf("%s: %d\n", #call, answer_); exit(1); } } while (0)

static void sleep_a_while(void *data) {
    struct timespec time = {0, ASLEEP_MS * 1000000L};
    (void)data;
    nanosleep(&time, NULL);
}

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int batch(uint64_t *to, uint64_t *from, size_t *sizes) {
    copy_attributes attributes;
    size_t first = 0, failed = 0;
    void *newer = look_up("cuMemcpyBatchAsync_v2");
    memset(&attributes, 0, sizeof attributes);
    attributes.source_order = 1; /* in the order of the stream */
    if (newer != NULL)
        return ((int (*)(uint64_t *, uint64_t *, size_t *, size_t, copy_attributes *, size_t *, size_t, void *))newer)(
            to, from, sizes, COPIES, &attributes, &first, 1, stream);
    return DRIVER(cuMemcpyBatchAsync, uint64_t *, uint64_t *, size_t *, size_t, copy_attributes *, size_t *, size_t, size_t *, void *)(
        to, from, sizes, COPIES, &attributes, &first, 1, &failed, stream);
}

/* Whether copies behind work that sleeps return before it wakes. */
static int waits(const char *what, int in_batch, uint64_t to, uint64_t from) {
    uint64_t destinations[COPIES], sources[COPIES];
    size_t sizes[COPIES], i;
    double began, took;
    for (i = 0; i < COPIES; i++)
        destinations[i] = to + i * BYTES, sources[i] = from + i * BYTES, sizes[i] = BYTES;
    OK(DRIVER(cuLaunchHostFunc, void *, void (*)(void *), void *)(stream, sleep_a_while, NULL));
    began = now_ms();
    if (in_batch)
        OK(batch(destinations, sources, sizes));
    else
        for (i = 0; i < COPIES; i++)
            OK(DRIVER(cuMemcpyAsync, uint64_t, uint64_t, size_t, void *)(destinations[i], sources[i], sizes[i], stream));
    took = now_ms() - began;
    OK(DRIVER(cuStreamSynchronize, void *)(stream));
    printf("%-42s %s\n", what, took > ASLEEP_MS / 2 ? "waits for the stream" : "returns at once");
    return took > ASLEEP_MS / 2;
}

int main(void) {
    int devices = 0, version, single_reads, single_writes, batch_reads, batch_writes, nothing, nothing_in_batch;
    void *context, *pageable;
    uint64_t memory, both[COPIES], others[COPIES];
    size_t sizes[COPIES] = {0, BYTES};
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL || DRIVER(cuInit, unsigned)(0) != 0 || DRIVER(cuDeviceGetCount, int *)(&devices) != 0 || devices == 0) {
        puts("skipped: no GPU");
        return 0;
    }
    OK(DRIVER(cuDriverGetVersion, int *)(&version));
    if (version < 12080) {
        puts("skipped: needs CUDA 12.8");
        return 0;
    }
    printf("driver for CUDA %d.%d\n", version / 1000, version % 1000 / 10);
    OK(DRIVER(cuDevicePrimaryCtxRetain, void **, int)(&context, 0));
    OK(DRIVER(cuCtxSetCurrent, void *)(context));
    OK(DRIVER(cuStreamCreate, void **, unsigned)(&stream, 1));
    OK(DRIVER(cuMemAlloc_v2, uint64_t *, size_t)(&memory, 2 * COPIES * BYTES));
    pageable = calloc(COPIES, BYTES);
    if (pageable == NULL)
        return 1;
    single_reads = waits("single copies from pageable memory", 0, memory, (uint64_t)(uintptr_t)pageable);
    batch_reads = waits("a batch from pageable memory", 1, memory, (uint64_t)(uintptr_t)pageable);
    single_writes = waits("single copies to pageable memory", 0, (uint64_t)(uintptr_t)pageable, memory);
    batch_writes = waits("a batch to pageable memory", 1, (uint64_t)(uintptr_t)pageable, memory);

    both[0] = memory, both[1] = memory + BYTES;
    others[0] = memory + COPIES * BYTES, others[1] = others[0] + BYTES;
    nothing = DRIVER(cuMemcpyAsync, uint64_t, uint64_t, size_t, void *)(others[0], both[0], 0, stream);
    nothing_in_batch = batch(others, both, sizes);
    OK(DRIVER(cuStreamSynchronize, void *)(stream));
    printf("a copy of 0 bytes: alone %d, in a batch %d\n", nothing, nothing_in_batch);
    free(pageable);

    if (single_reads || !batch_reads || !single_writes || batch_writes || nothing != 0 || nothing_in_batch != 1) {
        puts("this has changed");
        return 1;
    }
    return 0;
}
C
cc -std=gnu11 -O1 -o "$work/ask" "$work/ask.c" -ldl
"$work/ask"
