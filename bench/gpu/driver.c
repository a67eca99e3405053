/* Loads the raw CUDA driver. */
#include "driver.h"

#include <dlfcn.h>
#include <string.h>

#include "../check.h"

driver_functions cu;

static void find(void *library, const char *name, void *slot) {
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "%s: the driver has no %s\n", bench_program, name);
        exit(1);
    }
    memcpy(slot, &symbol, sizeof symbol); /* POSIX: a symbol's address fits a pointer to function */
}

void driver_load(void) {
    const char *chosen = getenv("GRAPHCAP_CUDA_LIBRARY"), *file = chosen && *chosen ? chosen : "libcuda.so.1";
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s: %s\n", bench_program, dlerror());
        exit(1);
    }
#define FIND(name, parameters) find(library, #name, &cu.name);
    DRIVER_FUNCTIONS(FIND)
#undef FIND
}

void driver_failed(int result, const char *call) {
    const char *name = NULL;
    if (cu.cuGetErrorName(result, &name) != 0 || !name) name = "unknown";
    fprintf(stderr, "%s: %s\n  %d, %s\n", bench_program, call, result, name);
    exit(1);
}
