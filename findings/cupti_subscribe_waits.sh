#!/usr/bin/env bash
# CUPTI: cuptiSubscribe() waits for the work of the process's contexts, also for host functions that wait for something on the CPU. Its manual
# speaks of no wait. A profiler that subscribes late, in a call of the program, so waits there for work that may wait for that very call.
#
# Seen with CUPTI of CUDA 13.0 and driver 580.159: a host function of 400 ms in a stream held up a first cuptiSubscribe() in the same process for
# about as long. graphcap subscribes as a trace begins, or with the first context that is opened in one, and says that the call waits.
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
#include <unistd.h>

#define CHECK(call) do { int got = (int)(call); if (got != 0) { printf("%s: %d\n", #call, got); exit(2); } } while (0)
enum { WORK_MS = 400 };

static double now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static void CUPTIAPI hear(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    (void)unused, (void)domain, (void)id, (void)data;
}

static void CUDA_CB rest(void *unused) {
    (void)unused;
    usleep(WORK_MS * 1000);
}

/* Milliseconds that cuptiSubscribe() takes, and that a wait for the stream takes behind it. */
int main(int count, char **arguments) {
    const int works = count > 1 && strcmp(arguments[1], "works") == 0;
    CUpti_SubscriberHandle subscriber;
    CUdevice device;
    CUcontext context;
    CUstream stream;
    uint32_t version;
    int driver;
    double begin, subscribed, waited;
    CHECK(cuInit(0));
    CHECK(cuDriverGetVersion(&driver));
    CHECK(cuptiGetVersion(&version));
    CHECK(cuDeviceGet(&device, 0));
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    if (works) {
        CHECK(cuLaunchHostFunc(stream, rest, NULL));
        usleep(50000);
    }
    begin = now_ms();
    CHECK(cuptiSubscribe(&subscriber, (CUpti_CallbackFunc)hear, NULL));
    subscribed = now_ms();
    CHECK(cuStreamSynchronize(stream));
    waited = now_ms();
    printf("CUPTI %u, driver's CUDA %d, %s: cuptiSubscribe() %.0f ms, the wait behind it %.0f ms\n", version, driver,
           works ? "a host function of 400 ms runs" : "the GPU is idle", subscribed - begin, waited - subscribed);
    /* What was waited for is no longer there to wait for. */
    return works ? subscribed - begin < 250 || waited - subscribed > 100 : subscribed - begin > 250;
}
C
cc -O1 -I"$headers" -I"$toolkit/include" "$work/ask.c" -o "$work/ask" -L"$library" -Wl,-rpath,"$library" -lcupti -l:libcuda.so.1
"$work/ask" idle && "$work/ask" works || { echo "changed: cuptiSubscribe() does not wait for what streams were given"; exit 1; }
