/* Whether the tests run on the stand-in for the driver, which runs a launch within its call, node by node. */
#ifndef GRAPHCAP_TESTS_STANDS_IN_H
#define GRAPHCAP_TESTS_STANDS_IN_H

#include "check.h"

#include <dlfcn.h>

static inline int on_stand_in(void) {
    const char *path = getenv("GRAPHCAP_CUDA_LIBRARY");
    void *library = on_cuda() && path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return library != NULL && dlsym(library, "stand_in_live") != NULL;
}

#endif
