#!/usr/bin/env bash
# CUDA driver: cuGraphExecKernelNodeSetParams() takes two to three times as long on an exec that was never uploaded or launched as on the
# same exec afterwards. Whoever instantiates a graph and edits all of its nodes before the first launch pays for it node by node, although
# nothing of the exec is on the GPU yet; cuGraphUpload() before the edits is the cheaper order.
#
# Seen with driver 580.159 on an H200: 416 ns a node before and 149 after with 1,000 nodes, 519 and 245 with 10,000. graphcap uploads an
# exec before its first edit (docs/edit-graphs.md).
#
# Needs a GPU, a C compiler and cuda.h; without them it is skipped. No package is installed: the driver is asked.
set -euo pipefail
toolkit=${CUDA_HOME:-/usr/local/cuda}
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
[[ -f $toolkit/include/cuda.h ]] || { echo "skipped: no cuda.h in $toolkit"; exit 0; }
[[ -e /dev/nvidiactl ]] || { echo "skipped: no GPU"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.c" <<'C'
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call) do { int got = (int)(call); if (got != 0) { printf("%s: %d\n", #call, got); exit(2); } } while (0)
enum { MOST = 10000, ROUNDS = 5 };

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry add(.param .u64 to, .param .u32 by) { ret; }\n";
static CUgraphNode nodes[MOST];
static CUDA_KERNEL_NODE_PARAMS params;

/* Nanoseconds for a node, of one set of each. */
static double set_all(CUgraphExec exec, size_t count) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (size_t i = 0; i < count; i++) CHECK(cuGraphExecKernelNodeSetParams(exec, nodes[i], &params));
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / count;
}

/* Fewest nanoseconds of some execs: [0] never uploaded, [1] uploaded before. */
static void measure(CUstream stream, CUgraph graph, size_t count, double ns[2]) {
    for (int uploaded = 0; uploaded < 2; uploaded++) {
        ns[uploaded] = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            CUgraphExec exec;
            double took;
            CHECK(cuGraphInstantiate(&exec, graph, 0));
            if (uploaded) CHECK(cuGraphUpload(exec, stream));
            CHECK(cuStreamSynchronize(stream));
            took = set_all(exec, count);
            if (took < ns[uploaded]) ns[uploaded] = took;
            CHECK(cuGraphExecDestroy(exec));
        }
    }
}

int main(void) {
    static const size_t sizes[] = {1000, MOST};
    CUdeviceptr to = 0;
    unsigned by = 1;
    void *arguments[] = {&to, &by};
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUstream stream;
    int version, slower = 0;
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = arguments;
    CHECK(cuInit(0));
    CHECK(cuDriverGetVersion(&version));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&params.func, module, "add"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAlloc(&to, 4));
    printf("driver for CUDA %d; nanoseconds of cuGraphExecKernelNodeSetParams():\n", version);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        CUgraph graph;
        double ns[2];
        CHECK(cuGraphCreate(&graph, 0));
        for (size_t i = 0; i < sizes[s]; i++) CHECK(cuGraphAddKernelNode(&nodes[i], graph, i ? &nodes[i - 1] : NULL, i > 0, &params));
        measure(stream, graph, sizes[s], ns);
        printf("%5zu nodes: never uploaded %.0f, uploaded %.0f\n", sizes[s], ns[0], ns[1]);
        slower += ns[0] > 1.5 * ns[1];
        CHECK(cuGraphDestroy(graph));
    }
    return slower == sizeof sizes / sizeof *sizes ? 0 : 1;
}
C
cc -O1 -I"$toolkit/include" "$work/ask.c" -o "$work/ask" -l:libcuda.so.1
"$work/ask" || { echo "changed: a set costs the same before and after an upload"; exit 1; }
