/* The stand-in driver, as the stand-ins for NVIDIA's libraries reach it. */
#ifndef GRAPHCAP_STAND_IN_DRIVER_H
#define GRAPHCAP_STAND_IN_DRIVER_H

#include "../stand_in.h"

#include <dlfcn.h>
#include <stdlib.h>

/* A function of the stand-in driver, which the process has loaded by the path that the environment names. */
static void *library_driver(const char *name) {
    const char *path = getenv("GRAPHCAP_CUDA_LIBRARY");
    void *driver = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    void *found = driver == NULL ? NULL : dlsym(driver, name);
    if (driver != NULL)
        dlclose(driver);
    return found;
}

#endif
