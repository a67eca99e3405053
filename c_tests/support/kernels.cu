/* The kernels of kernels.h for a GPU: the same names, parameters and results. scripts/device_code.sh makes kernels.ptx
 * and kernels_ptx.h of this file. Where a host kernel works once per block, the first thread of the block does it. */
#include <stdint.h>

static __device__ uint64_t linear_block() {
    return blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
}

static __device__ uint64_t element() {
    return linear_block() * blockDim.x + threadIdx.x;
}

static __device__ bool first_thread() {
    return threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
}

extern "C" __global__ void fill(uint32_t *destination, uint32_t value, uint64_t count) {
    uint64_t i = element();
    if (i < count)
        destination[i] = value;
}

extern "C" __global__ void add(uint32_t *data, uint32_t value, uint64_t count) {
    uint64_t i = element();
    if (i < count)
        data[i] += value;
}

extern "C" __global__ void saxpy(float a, const float *x, float *y, uint64_t count) {
    uint64_t i = element();
    if (i < count)
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void mix(uint32_t *result, const uint32_t *a, const uint32_t *b, uint32_t c) {
    if (first_thread())
        *result = 3 * *a + *b + c;
}

extern "C" __global__ void count_blocks(uint32_t *counts) {
    if (first_thread())
        atomicAdd(&counts[linear_block()], 1);
}

extern __shared__ uint32_t shared_words[];

extern "C" __global__ void block_sum(uint32_t *sums) {
    uint32_t i, bytes, sum = 0, number = (uint32_t)linear_block();
    if (!first_thread())
        return;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    for (i = 0; i < bytes / sizeof(uint32_t); i++)
        shared_words[i] = number + i;
    for (i = 0; i < bytes / sizeof(uint32_t); i++)
        sum += shared_words[i];
    sums[number] = sum;
}

/* A GPU checks every store by itself. */
extern "C" __global__ void checked_store(uint32_t *destination, uint32_t value) {
    if (first_thread())
        *destination = value;
}

/* Nothing is mapped at such a low address: storing to it faults. */
extern "C" __global__ void fail(uint32_t number) {
    if (number != 0)
        *(volatile uint32_t *)(uintptr_t)256 = number;
}

/* The host kernel waits for a lock of the CPU's, which a GPU cannot; there launch_hold() takes a host function. */
extern "C" __global__ void hold(void *gate) {
    (void)gate;
}

/* `journal` is a struct journal: the number of entries, and the entries. */
extern "C" __global__ void note(uint32_t *journal, uint32_t entry) {
    if (first_thread()) {
        uint32_t at = atomicAdd(journal, 1);
        if (at < 4095)
            journal[1 + at] = entry;
    }
}

static __device__ uint64_t nanoseconds() {
    uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}

extern "C" __global__ void nap(uint32_t milliseconds) {
    uint64_t start = nanoseconds();
    while (nanoseconds() - start < milliseconds * (uint64_t)1000000) {
    }
}

extern "C" __global__ void nothing() {
}

extern "C" __global__ void unchecked(uint32_t *destination, uint32_t value, uint64_t count) {
    uint64_t i = element();
    if (i < count)
        destination[i] = value;
}

struct wide {
    unsigned char bytes[3000];
};

extern "C" __global__ void copy_wide(struct wide *destination, struct wide value) {
    if (first_thread())
        for (unsigned i = 0; i < sizeof value.bytes; i++)
            destination->bytes[i] = value.bytes[i];
}
