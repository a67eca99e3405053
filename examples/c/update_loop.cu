/* The kernel of update_loop.c for a GPU. scripts/device_code.sh makes update_loop.ptx and update_loop_ptx.h of this file. */
#include <stdint.h>

extern "C" __global__ void layer(const float *in, float *out, float weight, float bias, uint32_t count) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float sum = weight * in[i] + bias;
        out[i] = sum > 0.0f ? sum : 0.0f;
    }
}
