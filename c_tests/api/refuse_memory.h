/* malloc() and its relatives as the tests of missing memory have them: a thread can have large pieces refused. Included by
 * one file of a program, before all else, since it takes the place of the C library's functions in the whole program. */
#ifndef GRAPHCAP_TESTS_REFUSE_MEMORY_H
#define GRAPHCAP_TESTS_REFUSE_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What is as large or larger is refused to this thread; 0 refuses nothing. */
static __thread size_t refused_size;
/* How often that happened. */
static __thread unsigned refused_count;

static inline void refuse_from(size_t size) {
    refused_size = size;
    refused_count = 0;
}

static inline int refuse_this(size_t size) {
    if (refused_size == 0 || size < refused_size)
        return 0;
    refused_count++;
    errno = ENOMEM;
    return 1;
}

/* The C library's function of that name. */
static inline void next_function(const char *name, void *function) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

#ifdef __cplusplus
#define REPLACES extern "C" __attribute__((visibility("default")))
#define THROWS_NOT noexcept(true)
#else
#define REPLACES __attribute__((visibility("default")))
#define THROWS_NOT
#endif

REPLACES void *malloc(size_t size) THROWS_NOT {
    static void *(*next)(size_t);
    if (next == NULL)
        next_function("malloc", &next);
    return refuse_this(size) ? NULL : next(size);
}

REPLACES void *realloc(void *memory, size_t size) THROWS_NOT {
    static void *(*next)(void *, size_t);
    if (next == NULL)
        next_function("realloc", &next);
    return refuse_this(size) ? NULL : next(memory, size);
}

REPLACES void *calloc(size_t count, size_t size) THROWS_NOT {
    static void *(*next)(size_t, size_t);
    if (next == NULL)
        next_function("calloc", &next);
    return refuse_this(size == 0 || count <= SIZE_MAX / size ? count * size : SIZE_MAX) ? NULL : next(count, size);
}

REPLACES int posix_memalign(void **memory, size_t alignment, size_t size) THROWS_NOT {
    static int (*next)(void **, size_t, size_t);
    if (next == NULL)
        next_function("posix_memalign", &next);
    return refuse_this(size) ? ENOMEM : next(memory, alignment, size);
}

#endif
