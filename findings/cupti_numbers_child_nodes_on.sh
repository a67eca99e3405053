#!/usr/bin/env bash
# CUPTI: the lower half of graphNodeId in the record of a kernel is the place of a node in its graph only for nodes of the outermost graph. Nodes
# of a child graph are told by numbers that go on behind those of the outermost graph, and do not begin at 0 again. So a tool that looks a
# kernel up by that number in the child graph finds another node, or none.
#
# Seen with CUPTI of CUDA 13.0 and driver 580.159. graphcap's trace finds the nodes by the order in which children are counted
# (docs/architecture/trace-file.md).
#
# Needs a GPU, a C compiler and CUPTI's headers; without them it is skipped. No package is installed: the toolkit's CUPTI is asked.
set -euo pipefail
toolkit=${CUDA_HOME:-/usr/local/cuda}
headers=$(find -L "$toolkit" -name cupti.h -printf '%h\n' 2>/dev/null | head -1 || true)
library=$(find -L "$toolkit" -name libcupti.so -printf '%h\n' 2>/dev/null | head -1 || true)
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
[[ -n $headers && -n $library ]] || { echo "skipped: no CUPTI in $toolkit"; exit 0; }
[[ -e /dev/nvidiactl ]] || { echo "skipped: no GPU"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.c" <<'C'
#include <cuda.h>
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) do { int got = (int)(call); if (got != 0) { printf("%s: %d\n", #call, got); exit(2); } } while (0)
enum { OUTER = 2, INNER = 3 };

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry outer() { ret; }\n.visible .entry inner() { ret; }\n";
static unsigned told[OUTER + INNER], count;

static void CUPTIAPI lend(uint8_t **buffer, size_t *size, size_t *most) {
    *size = 1 << 20;
    *most = 0;
    if (posix_memalign((void **)buffer, 8, *size) != 0) exit(2);
}

static void CUPTIAPI take(CUcontext context, uint32_t of_stream, uint8_t *buffer, size_t size, size_t valid) {
    CUpti_Activity *record = NULL;
    (void)context, (void)of_stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        const CUpti_ActivityKernel9 *kernel = (const void *)record; /* its first members are those of newer versions */
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && count < OUTER + INNER) {
            printf("  %s: number %u\n", kernel->name, (unsigned)kernel->graphNodeId);
            told[count++] = (unsigned)kernel->graphNodeId;
        }
    }
    free(buffer);
}

static void CUPTIAPI hear(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    (void)unused, (void)domain, (void)id, (void)data;
}

int main(void) {
    CUDA_KERNEL_NODE_PARAMS outer, inner;
    CUpti_SubscriberHandle subscriber;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUstream stream;
    CUgraph graph, child;
    CUgraphNode node = NULL, within[INNER];
    CUgraphExec exec;
    uint32_t version;
    unsigned on = 0;
    memset(&outer, 0, sizeof outer);
    outer.gridDimX = outer.gridDimY = outer.gridDimZ = outer.blockDimX = outer.blockDimY = outer.blockDimZ = 1;
    inner = outer;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&outer.func, module, "outer"));
    CHECK(cuModuleGetFunction(&inner.func, module, "inner"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuGraphCreate(&child, 0));
    for (int i = 0; i < INNER; i++) CHECK(cuGraphAddKernelNode(&within[i], child, i ? &within[i - 1] : NULL, i > 0, &inner));
    CHECK(cuGraphCreate(&graph, 0));
    CHECK(cuGraphAddKernelNode(&node, graph, NULL, 0, &outer));
    CHECK(cuGraphAddChildGraphNode(&node, graph, (CUgraphNode[]){node}, 1, child));
    CHECK(cuGraphAddKernelNode(&node, graph, (CUgraphNode[]){node}, 1, &outer));
    CHECK(cuptiGetVersion(&version));
    CHECK(cuptiSubscribe(&subscriber, hear, NULL));
    CHECK(cuptiActivityRegisterCallbacks(lend, take));
    CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    printf("CUPTI API version %u; a kernel, a child graph of %d kernels, a kernel:\n", version, INNER);
    CHECK(cuptiActivityFlushAll(1));
    for (unsigned i = 0; i < count; i++) on += told[i] > 2; /* the outermost graph has the numbers 0 to 2 */
    return count == OUTER + INNER && on == INNER ? 0 : 1;
}
C
cc -O1 -I"$headers" -I"$toolkit/include" "$work/ask.c" -o "$work/ask" -L"$library" -Wl,-rpath,"$library" -lcupti -l:libcuda.so.1
"$work/ask" || { echo "changed: kernels of child graphs are told by other numbers"; exit 1; }
