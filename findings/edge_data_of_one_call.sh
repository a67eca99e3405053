#!/usr/bin/env bash
# NVIDIA's driver: one cuGraphAddDependencies_v2() that adds edges of different data gives all of them the data of the first. The data
# are an array, one for each edge, so one expects each edge to keep its own, as in cuGraphAddNode_v2().
#
# Seen with driver 580.159 (CUDA 13.0) on an H100 and an H200. graphcap makes one call for each run of equal data
# (crates/cuda/src/graph/within.rs).
#
# Needs a GPU of compute capability 9.0 and a C compiler; without them it is skipped. No package is installed: the driver is what is asked.
set -euo pipefail
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned char from_port, to_port, type, reserved[5]; } edge_data;
typedef struct { void *function; unsigned grid[3], block[3], shared; void **arguments, **extra; void *kernel, *context; } kernel_node;
typedef struct { int type, reserved[3]; union { long long words[29]; kernel_node kernel; } as; long long more; } any_node;

static void *driver;
static void *find(const char *name) {
    void *function = dlsym(driver, name);
    if (function == NULL) { printf("skipped: the driver lacks %s\n", name); exit(0); }
    return function;
}
#define DRIVER(name, ...) ((int (*)(__VA_ARGS__))find(#name))
#define OK(call) do { int answer_ = (call); if (answer_ != 0) { printf("%s: %d\n", #call, answer_); exit(1); } } while (0)

static const char ptx[] = ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry work() { griddepcontrol.wait; ret; }\n";
static void *function;

static void *add(void *graph) {
    kernel_node work;
    void *node;
    memset(&work, 0, sizeof work);
    work.function = function;
    work.grid[0] = work.grid[1] = work.grid[2] = work.block[0] = work.block[1] = work.block[2] = 1;
    OK(DRIVER(cuGraphAddKernelNode_v2, void **, void *, void *const *, size_t, const kernel_node *)(&node, graph, NULL, 0, &work));
    return node;
}

/* The data of the edges of a graph, in the order of the nodes that they come from. */
static void tell(const char *call, void *graph, void *const *before, char *text) {
    void *from[4], *to[4];
    edge_data data[4];
    size_t count = 4, i, k;
    OK(DRIVER(cuGraphGetEdges_v2, void *, void **, void **, edge_data *, size_t *)(graph, from, to, data, &count));
    text[0] = 0;
    for (i = 0; i < 4; i++)
        for (k = 0; k < count; k++)
            if (from[k] == before[i])
                sprintf(text + strlen(text), "%d/%d ", data[k].from_port, data[k].type);
    printf("%-24s given 1/1 0/0 0/0 0/0, read %s\n", call, text);
}

int main(void) {
    int devices = 0, version, major = 0;
    void *context, *module, *graph, *before[4], *last[4], *node;
    edge_data data[4];
    any_node more;
    char together[64], apart[64];
    unsigned i;
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL || DRIVER(cuInit, unsigned)(0) != 0 || DRIVER(cuDeviceGetCount, int *)(&devices) != 0 || devices == 0) {
        puts("skipped: no GPU");
        return 0;
    }
    OK(DRIVER(cuDeviceGetAttribute, int *, int, int)(&major, 75, 0));
    OK(DRIVER(cuDriverGetVersion, int *)(&version));
    if (major < 9 || version < 12030) {
        puts("skipped: needs compute capability 9.0 and CUDA 12.3");
        return 0;
    }
    printf("driver for CUDA %d.%d\n", version / 1000, version % 1000 / 10);
    OK(DRIVER(cuDevicePrimaryCtxRetain, void **, int)(&context, 0));
    OK(DRIVER(cuCtxSetCurrent, void *)(context));
    OK(DRIVER(cuModuleLoadData, void **, const void *)(&module, ptx));
    OK(DRIVER(cuModuleGetFunction, void **, void *, const char *)(&function, module, "work"));
    memset(data, 0, sizeof data);
    data[0].from_port = data[0].type = 1;

    OK(DRIVER(cuGraphCreate, void **, unsigned)(&graph, 0));
    for (i = 0; i < 4; i++)
        before[i] = add(graph);
    last[0] = last[1] = last[2] = last[3] = add(graph);
    OK(DRIVER(cuGraphAddDependencies_v2, void *, void *const *, void *const *, const edge_data *, size_t)(graph, before, last, data, 4));
    tell("cuGraphAddDependencies_v2", graph, before, together);
    OK(DRIVER(cuGraphDestroy, void *)(graph));

    OK(DRIVER(cuGraphCreate, void **, unsigned)(&graph, 0));
    for (i = 0; i < 4; i++)
        before[i] = add(graph);
    memset(&more, 0, sizeof more);
    more.as.kernel.function = function;
    for (i = 0; i < 3; i++)
        more.as.kernel.grid[i] = more.as.kernel.block[i] = 1;
    OK(DRIVER(cuGraphAddNode_v2, void **, void *, void *const *, const edge_data *, size_t, any_node *)(&node, graph, before, data, 4, &more));
    tell("cuGraphAddNode_v2", graph, before, apart);
    OK(DRIVER(cuGraphDestroy, void *)(graph));

    if (strcmp(together, "1/1 1/1 1/1 1/1 ") != 0 || strcmp(apart, "1/1 0/0 0/0 0/0 ") != 0) {
        puts("this has changed");
        return 1;
    }
    return 0;
}
C
cc -std=gnu11 -O1 -o "$work/ask" "$work/ask.c" -ldl
"$work/ask"
