#!/usr/bin/env bash
# CUPTI: after records of kernels were switched off again, launches of a graph of 300 kernels stay 20 to 35 times slower until the process ends.
# Switching off and unsubscribing do not bring the old speed back, nor does an exec that is instantiated afterwards. So a service that
# profiles itself for a second pays for it ever after, in the time of cuGraphLaunch() on the CPU.
#
# Seen with CUPTI of CUDA 13.0 and driver 580.159. graphcap's trace says so in its log and in the file (docs/tracing.md).
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
#include <time.h>

#define CHECK(call) do { int got = (int)(call); if (got != 0) { printf("%s: %d\n", #call, got); exit(2); } } while (0)
enum { NODES = 300, LAUNCHES = 101 };

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry nothing() { ret; }\n";
static CUgraph graph;
static CUstream stream;

static void CUPTIAPI lend(uint8_t **buffer, size_t *size, size_t *most) {
    *size = 1 << 20;
    *most = 0;
    if (posix_memalign((void **)buffer, 8, *size) != 0) exit(2);
}

static void CUPTIAPI take(CUcontext context, uint32_t of_stream, uint8_t *buffer, size_t size, size_t valid) {
    (void)context, (void)of_stream, (void)size, (void)valid;
    free(buffer);
}

static void CUPTIAPI hear(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    (void)unused, (void)domain, (void)id, (void)data;
}

static int compare(const void *one, const void *other) {
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The median microseconds of cuGraphLaunch() on an idle stream. */
static double launch(CUgraphExec exec) {
    double us[LAUNCHES];
    for (int i = 0; i < LAUNCHES; i++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        CHECK(cuGraphLaunch(exec, stream));
        clock_gettime(CLOCK_MONOTONIC, &end);
        CHECK(cuStreamSynchronize(stream));
        us[i] = (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3;
    }
    qsort(us, LAUNCHES, sizeof *us, compare);
    return us[LAUNCHES / 2];
}

int main(void) {
    CUDA_KERNEL_NODE_PARAMS params;
    CUpti_SubscriberHandle subscriber;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUgraphNode node = NULL;
    CUgraphExec exec, later;
    uint32_t version;
    double before, during, behind, anew;
    memset(&params, 0, sizeof params);
    params.gridDimX = params.gridDimY = params.gridDimZ = params.blockDimX = params.blockDimY = params.blockDimZ = 1;
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&params.func, module, "nothing"));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuGraphCreate(&graph, 0));
    for (int i = 0; i < NODES; i++) {
        CUgraphNode last = node;
        CHECK(cuGraphAddKernelNode(&node, graph, &last, last != NULL, &params));
    }
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    (void)launch(exec);
    before = launch(exec);
    CHECK(cuptiGetVersion(&version));
    CHECK(cuptiSubscribe(&subscriber, hear, NULL));
    CHECK(cuptiActivityRegisterCallbacks(lend, take));
    CHECK(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    during = launch(exec);
    CHECK(cuptiActivityFlushAll(1));
    CHECK(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    CHECK(cuptiUnsubscribe(subscriber));
    (void)launch(exec);
    behind = launch(exec);
    CHECK(cuGraphInstantiate(&later, graph, 0));
    (void)launch(later);
    anew = launch(later);
    printf("CUPTI API version %u; microseconds of cuGraphLaunch() of %d kernels:\n", version, NODES);
    printf("before %.1f, records on %.1f, off and unsubscribed %.1f, an exec made after that %.1f\n", before, during, behind, anew);
    return behind > 2 * before && anew > 2 * before ? 0 : 1;
}
C
cc -O1 -I"$headers" -I"$toolkit/include" "$work/ask.c" -o "$work/ask" -L"$library" -Wl,-rpath,"$library" -lcupti -l:libcuda.so.1
"$work/ask" || { echo "changed: launches are as fast as before once CUPTI is off"; exit 1; }
