/* The kernels of graphcap-bench-optimize for a GPU; those for the host device are in rig.c, under the same names.
 * scripts/device_code.sh makes spin.ptx of this file. */
#include <stdint.h>

static inline __device__ uint64_t cycles() {
    uint64_t now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

static inline __device__ uint64_t nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    return now;
}

/* The loads do not wait for each other. */
static inline __device__ uint32_t fold(uint32_t sum, const uint32_t *cells, uint32_t count) {
#pragma unroll 4
    for (uint32_t i = 0; i < count; i++) sum = sum * 31 + cells[i];
    return sum;
}

/* Reads cells, works for so many cycles, and writes a cell that tells what it read. Where stamps is not NULL it gets the times of
 * begin and end. */
extern "C" __global__ void spin(uint32_t *out, const uint32_t *in0, const uint32_t *in1, const uint32_t *in2,
                                const uint32_t *in3, uint32_t count0, uint32_t count1, uint32_t count2, uint32_t count3,
                                uint32_t seed, uint64_t steps, uint64_t *stamps) {
    const uint64_t begin = cycles();
    uint64_t stamp = 0;
    if (stamps) stamp = nanoseconds();
    uint32_t sum = fold(fold(fold(fold(seed, in0, count0), in1, count1), in2, count2), in3, count3);
    while (cycles() - begin < steps) {
    }
    *out = sum;
    if (stamps) {
        stamps[0] = stamp;
        stamps[1] = nanoseconds();
    }
}

/* Does nothing, with the parameters of spin. */
extern "C" __global__ void idle(uint32_t *, const uint32_t *, const uint32_t *, const uint32_t *, const uint32_t *, uint32_t,
                                uint32_t, uint32_t, uint32_t, uint32_t, uint64_t, uint64_t *) {
}

/* Does nothing, with no parameters: what a graph has before and behind all by hand. */
extern "C" __global__ void nothing() {
}
