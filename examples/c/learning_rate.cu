/* The kernel of learning_rate.c for a GPU. scripts/device_code.sh makes learning_rate.ptx and learning_rate_ptx.h of this file. */
#include <stdint.h>

extern "C" __global__ void descend(float *weights, const float *targets, const float *rate, uint32_t count) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        weights[i] = weights[i] - *rate * (weights[i] - targets[i]);
}
