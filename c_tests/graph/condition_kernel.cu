/* The kernel of condition_kernel.c for a GPU. */
#include "../../include/graphcap/device.cuh"

/* Counts, and sets the condition to whether the count is below the limit. */
extern "C" __global__ void loop(unsigned long long condition, unsigned int *count, unsigned int limit) {
    graphcap_set_condition(condition, ++*count < limit);
}
