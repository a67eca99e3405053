/* The kernel of many_small.c for a GPU. scripts/device_code.sh makes many_small.ptx and many_small_ptx.h of this file. */
#include <stdint.h>

extern "C" __global__ void step(float *place, float *speed, float stiffness, uint32_t times) {
    uint32_t i = threadIdx.x;
    float x = place[i], v = speed[i];
    for (uint32_t t = 0; t < times; t++) {
        v = v - 0.001f * stiffness * x;
        x = x + 0.001f * v;
    }
    place[i] = x;
    speed[i] = v;
}
