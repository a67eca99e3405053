/* The global variables and the kernels of module_global.c for a GPU. */
#include <stdint.h>

extern "C" {
__device__ uint32_t numbers[4] = {1, 2, 3, 4};
__constant__ uint32_t factor = 10;
__device__ uint64_t unused;
}

/* Each number grows by value * factor. */
extern "C" __global__ void tally(uint32_t value) {
    if (threadIdx.x < 4)
        numbers[threadIdx.x] += value * factor;
}
