/* What the stand-ins for NVIDIA's libraries write down, for the tests. */
#ifndef GRAPHCAP_STAND_IN_FACTS_H
#define GRAPHCAP_STAND_IN_FACTS_H

#include <stddef.h>
#include <stdint.h>

/* A piece of work that a library gave a stream. */
struct library_call {
    void *stream;
    uint64_t workspace; /* of cuRAND the seed */
    size_t workspace_bytes;
    uint64_t object; /* the handle, the plan or the generator */
    int mode;        /* of cuBLAS: where alpha and beta are, and how exact it is to be; of cuRAND the order and the offset */
    int math_mode;
};

/* What a library tells of itself. */
struct library_facts {
    long live;           /* handles, plans or generators */
    unsigned violations; /* calls that the real one would suffer from */
    const char *violation;
    size_t count;
    struct library_call calls[64];
};

#endif
