/* The kernels of the transformer_block examples for a GPU. scripts/device_code.sh makes transformer_block.ptx and
 * transformer_block_ptx.h of this file. */
#include <stdint.h>

#define THREADS 128 /* of a block of sample */

/* 2 to the power of x. */
static __device__ float power_of_2(float x) {
    float power;
    asm("ex2.approx.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

static __device__ float exponential(float x) { return power_of_2(1.44269504f * x); }

/* Adds its bias to each number of a column, and applies GELU by its usual approximation: x / (1 + exp(-2 sqrt(2 / pi) (x + 0.044715
 * x^3))). */
extern "C" __global__ void bias_gelu(float *hidden, const float *bias, uint32_t rows, uint32_t count) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float x = hidden[i] + bias[i % rows];
        hidden[i] = x / (1.0f + exponential(-1.59576912f * (x + 0.044715f * x * x * x)));
    }
}

/* Draws one of `choices` for the token of the block, each with its probability by the softmax of the token's logits. A thread has
 * some choices in a row; the sums of the threads before tell whether the number drawn falls among them. */
extern "C" __global__ void sample(const float *logits, const float *uniform, uint32_t *choice, uint32_t choices) {
    __shared__ float part[THREADS];
    const uint32_t t = threadIdx.x, each = (choices + THREADS - 1) / THREADS;
    const uint32_t first = t * each < choices ? t * each : choices, end = first + each < choices ? first + each : choices;
    float largest = -3.4e38f, sum = 0.0f;
    logits += blockIdx.x * choices;

    for (uint32_t i = first; i < end; i++) largest = logits[i] > largest ? logits[i] : largest;
    part[t] = largest;
    for (uint32_t half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] = part[t + half] > part[t] ? part[t + half] : part[t];
    }
    __syncthreads();
    largest = part[0];
    __syncthreads();

    for (uint32_t i = first; i < end; i++) sum += exponential(logits[i] - largest);
    part[t] = sum;
    for (uint32_t distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();
        float before = t >= distance ? part[t - distance] : 0.0f;
        __syncthreads();
        part[t] += before;
    }
    __syncthreads();

    const float wanted = uniform[blockIdx.x] * part[THREADS - 1];
    float passed = t > 0 ? part[t - 1] : 0.0f;
    if (wanted < passed || wanted >= part[t]) return; /* one thread goes on; two where sums are rounded apart, and either is right */
    uint32_t i = first;
    for (; i + 1 < end; i++) { /* rounding may leave nothing beyond the last one */
        passed += exponential(logits[i] - largest);
        if (passed > wanted) break;
    }
    choice[blockIdx.x] = i;
}
