#!/usr/bin/env bash
# NVIDIA's driver: it starts threads in cuInit(), in the first use of a context and at the first host function, and they have the signal
# mask of the thread that made that call. A daemon that blocks SIGTERM behind its first CUDA call, to wait for it by sigwait(), loses it
# to a thread of the driver's, and ends. Libraries usually block all signals in the threads that they start.
#
# Seen with driver 580.159 (CUDA 13.0). docs/limits.md tells to block signals before the first context is made.
#
# Needs a GPU and a C compiler; without them it is skipped. No package is installed: the driver is what is asked.
set -euo pipefail
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/ask.c" <<'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void *driver;

static void *find(const char *name) {
    void *found = dlsym(driver, name);
    if (found == NULL) {
        printf("skipped: the driver lacks %s\n", name);
        exit(0);
    }
    return found;
}
#define DRIVER(name, ...) ((int (*)(__VA_ARGS__))find(#name))

/* How many threads the process has, and how many of them take SIGTERM. */
static void count(const char *behind, unsigned *threads, unsigned *takers) {
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *task;
    *threads = *takers = 0;
    while ((task = readdir(tasks)) != NULL) {
        char path[300], line[200];
        unsigned long long mask;
        FILE *status;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        if (task->d_name[0] == '.' || (status = fopen(path, "r")) == NULL)
            continue;
        while (fgets(line, sizeof line, status) != NULL)
            if (sscanf(line, "SigBlk: %llx", &mask) == 1) {
                ++*threads;
                *takers += !(mask >> (SIGTERM - 1) & 1);
            }
        fclose(status);
    }
    closedir(tasks);
    printf("%-24s %u threads, %u of which take SIGTERM\n", behind, *threads, *takers);
}

static void do_nothing(void *unused) { (void)unused; }

int main(int argc, char **argv) {
    const int blocks_first = argc > 1 && argv[1][0] == 'f';
    unsigned threads, takers, first;
    sigset_t term;
    int device, version = 0;
    void *context, *stream;
    driver = dlopen("libcuda.so.1", RTLD_NOW);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    if (blocks_first)
        pthread_sigmask(SIG_BLOCK, &term, NULL);
    if (driver == NULL || DRIVER(cuInit, unsigned)(0) != 0 || DRIVER(cuDeviceGet, int *, int)(&device, 0) != 0) {
        printf("skipped: no GPU\n");
        return 0;
    }
    DRIVER(cuDriverGetVersion, int *)(&version);
    printf("driver of CUDA %d.%d, SIGTERM is blocked %s\n", version / 1000, version % 1000 / 10, blocks_first ? "before cuInit()" : "at the end");
    count("cuInit", &first, &takers);
    DRIVER(cuDevicePrimaryCtxRetain, void **, int)(&context, device);
    DRIVER(cuCtxSetCurrent, void *)(context);
    DRIVER(cuStreamCreate, void **, unsigned)(&stream, 1);
    count("a context", &threads, &takers);
    DRIVER(cuLaunchHostFunc, void *, void (*)(void *), void *)(stream, do_nothing, NULL);
    DRIVER(cuStreamSynchronize, void *)(stream);
    pthread_sigmask(SIG_BLOCK, &term, NULL);
    count("a host function, block", &threads, &takers);
    return first > 1 && threads > first && takers == (blocks_first ? 0 : threads - 1) ? 0 : 1;
}
C
cc -std=gnu11 -O1 -o "$work/ask" "$work/ask.c" -ldl -lpthread
"$work/ask" last || { echo "CHANGED: the driver's threads no longer take the signals of whoever calls"; exit 1; }
"$work/ask" first || { echo "CHANGED: the driver's threads no longer have the mask of whoever calls"; exit 1; }
