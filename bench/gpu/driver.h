/* The raw CUDA driver beside graphcap: the functions that the tables compare with, by their exported names.
 * No CUDA header is needed: a result is an int, a handle is a pointer, an enumeration is an int or unsigned. */
#ifndef BENCH_GPU_DRIVER_H
#define BENCH_GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define DRIVER_FUNCTIONS(X)                                                                                            \
    X(cuGetErrorName, (int result, const char **name))                                                                 \
    X(cuDriverGetVersion, (int *version))                                                                              \
    X(cuCtxSetCurrent, (void *context))                                                                                \
    X(cuStreamCreate, (void **stream, unsigned flags))                                                                 \
    X(cuStreamDestroy_v2, (void *stream))                                                                              \
    X(cuStreamSynchronize, (void *stream))                                                                             \
    X(cuStreamBeginCapture_v2, (void *stream, int mode))                                                               \
    X(cuStreamEndCapture, (void *stream, void **graph))                                                                \
    X(cuLaunchKernel, (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,            \
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **parameters,     \
                       void **extra))                                                                                  \
    X(cuEventRecord, (void *event, void *stream))                                                                      \
    X(cuMemAllocAsync, (uint64_t *address, size_t size, void *stream))                                                 \
    X(cuMemFreeAsync, (uint64_t address, void *stream))                                                                \
    X(cuMemAlloc_v2, (uint64_t *address, size_t size))                                                                 \
    X(cuModuleLoadData, (void **module, const void *image))                                                            \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))                                          \
    X(cuModuleUnload, (void *module))                                                                                  \
    X(cuMemFree_v2, (uint64_t address))                                                                                \
    X(cuGraphGetNodes, (void *graph, void **nodes, size_t *count))                                                     \
    X(cuGraphKernelNodeGetParams_v2, (void *node, void *parameters))                                                   \
    X(cuGraphInstantiateWithFlags, (void **exec, void *graph, unsigned long long flags))                               \
    X(cuGraphUpload, (void *exec, void *stream))                                                                       \
    X(cuGraphLaunch, (void *exec, void *stream))                                                                       \
    X(cuGraphExecDestroy, (void *exec))                                                                                \
    X(cuGraphExecUpdate_v2, (void *exec, void *graph, void *info))                                                     \
    X(cuUserObjectCreate, (void **object, void *data, void (*destroy)(void *), unsigned count, unsigned flags))        \
    X(cuGraphRetainUserObject, (void *graph, void *object, unsigned count, unsigned flags))                            \
    X(cuGraphCreate, (void **graph, unsigned flags))                                                                   \
    X(cuGraphAddKernelNode_v2, (void **node, void *graph, void *const *dependencies, size_t count,                     \
                                const void *parameters))                                                               \
    X(cuGraphKernelNodeSetParams_v2, (void *node, const void *parameters))                                             \
    X(cuGraphExecKernelNodeSetParams_v2, (void *exec, void *node, const void *parameters))                             \
    X(cuGraphNodeSetEnabled, (void *exec, void *node, unsigned enabled))                                               \
    X(cuGraphClone, (void **clone, void *graph))                                                                       \
    X(cuGraphDestroy, (void *graph))

/* CUDA_KERNEL_NODE_PARAMS, version 2. */
typedef struct {
    void *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra;
    void *kernel, *context;
} kernel_node_params;

typedef struct {
#define DECLARE(name, parameters) int(*name) parameters;
    DRIVER_FUNCTIONS(DECLARE)
#undef DECLARE
} driver_functions;

extern driver_functions cu;

/* Loads the file that graphcap loads, and finds every function. Ends the program when one is missing. */
void driver_load(void);

/* Ends the program when a driver call failed. */
#define CU_CHECK(call) driver_check((call), #call)
void driver_failed(int result, const char *call);
static inline void driver_check(int result, const char *call) {
    if (result != 0) driver_failed(result, call);
}

#endif
