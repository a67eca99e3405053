/* What both benchmark programs do when a call fails: they say which, and end. A benchmark has nothing to recover. */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

#include <graphcap.h>
#include <stdio.h>
#include <stdlib.h>

/* The program's name, in front of what it says on stderr. */
extern const char *const bench_program;

#define CHECK(call) bench_check((call), #call)
static inline void bench_check(gc_status status, const char *call) {
    char message[512];
    if (status == GRAPHCAP_SUCCESS) return;
    gc_last_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n  %s: %s\n", bench_program, call, gc_status_name(status), message);
    exit(1);
}

static inline void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fprintf(stderr, "%s: out of memory\n", bench_program);
        exit(1);
    }
    return memory;
}

#endif
