#!/usr/bin/env bash
# NVIDIA's driver: an executable graph of many kernels whose grids were changed by cuGraphExecUpdate_v2() replays slower for good, though
# a new one of the same graph does not. Updating it back to the old grids does not mend it.
#
# Seen with driver 580.159 (CUDA 13.0): 0.105 us for each changed kernel on an H200, 0.08 on an H100, in chains of 192 kernels and more.
# gc_graph_exec_apply_options::expected_replays has graphcap make the graph exec anew where that pays (crates/driver/src/rules/apply_route.rs).
#
# Needs a GPU and a C compiler; without them it is skipped. No package is installed: the driver is what is asked.
set -euo pipefail
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 1000, ROUNDS = 41, REPLAYS = 10 };
typedef struct { void *function; unsigned grid[3], block[3], shared; void **arguments, **extra; void *kernel, *context; } kernel_node;
typedef struct { int result; void *node, *from; } update_result;

static void *driver, *function, *stream, *begin, *end;
static void *find(const char *name) {
    void *found = dlsym(driver, name);
    if (found == NULL) { printf("skipped: the driver lacks %s\n", name); exit(0); }
    return found;
}
#define DRIVER(name, ...) ((int (*)(__VA_ARGS__))find(#name))
#define OK(call) do { int answer_ = (call); if (answer_ != 0) { printf("%s: %d\n", #call, answer_); exit(1); } } while (0)

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry work() { ret; }\n";

static void *chain(unsigned blocks) {
    void *graph, *last = NULL, *node;
    kernel_node work;
    int i;
    memset(&work, 0, sizeof work);
    work.function = function;
    work.grid[0] = blocks;
    work.grid[1] = work.grid[2] = work.block[0] = work.block[1] = work.block[2] = 1;
    OK(DRIVER(cuGraphCreate, void **, unsigned)(&graph, 0));
    for (i = 0; i < KERNELS; i++, last = node)
        OK(DRIVER(cuGraphAddKernelNode_v2, void **, void *, void *const *, size_t, const kernel_node *)(&node, graph, &last, last != NULL, &work));
    return graph;
}

static void *instantiate(void *graph) {
    void *exec;
    OK(DRIVER(cuGraphInstantiateWithFlags, void **, void *, unsigned long long)(&exec, graph, 0));
    OK(DRIVER(cuGraphUpload, void *, void *)(exec, stream));
    return exec;
}

static void update(void *exec, void *graph) {
    update_result result;
    OK(DRIVER(cuGraphExecUpdate_v2, void *, void *, update_result *)(exec, graph, &result));
}

static int compare(const void *a, const void *b) {
    const float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

/* The median of a replay, in microseconds of the device. */
static float replay(const char *what, void *exec) {
    float times[ROUNDS];
    int i, k;
    for (i = 0; i < ROUNDS; i++) {
        OK(DRIVER(cuEventRecord, void *, void *)(begin, stream));
        for (k = 0; k < REPLAYS; k++)
            OK(DRIVER(cuGraphLaunch, void *, void *)(exec, stream));
        OK(DRIVER(cuEventRecord, void *, void *)(end, stream));
        OK(DRIVER(cuStreamSynchronize, void *)(stream));
        OK(DRIVER(cuEventElapsedTime, float *, void *, void *)(&times[i], begin, end));
    }
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("%-44s %8.1f us\n", what, times[ROUNDS / 2] * 1000 / REPLAYS);
    return times[ROUNDS / 2];
}

int main(void) {
    int devices = 0, version;
    void *context, *module, *one, *two, *exec;
    float fresh, changed, back, anew;
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL || DRIVER(cuInit, unsigned)(0) != 0 || DRIVER(cuDeviceGetCount, int *)(&devices) != 0 || devices == 0) {
        puts("skipped: no GPU");
        return 0;
    }
    OK(DRIVER(cuDriverGetVersion, int *)(&version));
    printf("driver for CUDA %d.%d; a chain of %d kernels\n", version / 1000, version % 1000 / 10, KERNELS);
    OK(DRIVER(cuDevicePrimaryCtxRetain, void **, int)(&context, 0));
    OK(DRIVER(cuCtxSetCurrent, void *)(context));
    OK(DRIVER(cuModuleLoadData, void **, const void *)(&module, ptx));
    OK(DRIVER(cuModuleGetFunction, void **, void *, const char *)(&function, module, "work"));
    OK(DRIVER(cuStreamCreate, void **, unsigned)(&stream, 1));
    OK(DRIVER(cuEventCreate, void **, unsigned)(&begin, 0));
    OK(DRIVER(cuEventCreate, void **, unsigned)(&end, 0));
    one = chain(1), two = chain(2);
    exec = instantiate(one);
    fresh = replay("as it was made, one block each", exec);
    update(exec, two);
    changed = replay("updated to two blocks each", exec);
    update(exec, one);
    back = replay("updated back to one block each", exec);
    anew = replay("a new one of two blocks each", instantiate(two));
    if (changed < anew * 1.05f || back < fresh * 1.05f) {
        puts("this has changed: it replays as fast as a new one");
        return 1;
    }
    return 0;
}
C
cc -std=gnu11 -O1 -o "$work/ask" "$work/ask.c" -ldl
"$work/ask"
