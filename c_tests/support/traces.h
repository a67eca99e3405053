/* The file of a trace that a test writes, and what is in it. */
#ifndef GRAPHCAP_TESTS_TRACES_H
#define GRAPHCAP_TESTS_TRACES_H

#include "check.h"

#include <unistd.h>

static char trace_path[256];

static inline void name_trace(const char *test) {
    snprintf(trace_path, sizeof trace_path, "/tmp/graphcap-%s-%d", test, (int)getpid());
}

/* Whether the file has the text. */
static inline int trace_has(const char *text) {
    static char bytes[1 << 20];
    size_t length = strlen(text), size, at;
    FILE *file = fopen(trace_path, "rb");
    if (file == NULL)
        return 0;
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (at = 0; at + length <= size; at++)
        if (memcmp(bytes + at, text, length) == 0)
            return 1;
    return 0;
}

#endif
