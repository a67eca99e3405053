/* Sets a condition of the graph that runs to a value in device memory. In a module of its own: a driver before 12.3 does not
 * have the function. */
#include "../../../../include/graphcap/device.cuh"

extern "C" __global__ void graphcap_set_condition_from(unsigned long long condition, const unsigned int *value) {
    if (threadIdx.x == 0 && blockIdx.x == 0)
        graphcap_set_condition(condition, *value);
}
