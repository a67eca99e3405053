/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/**
 * @file graphcap/device.cuh
 * What kernels for a GPU call: setting a condition of the graph that runs them. For nvcc and for clang as a CUDA compiler.
 * Nothing has to be linked, since the driver has the function.
 *
 * Put kernels that set conditions into a module of their own. A driver for a version of CUDA before 12.3 does not have
 * the function, and loads no module that calls it. Kernels of the host device call gc_host_set_conditional().
 *
 *     extern "C" __global__ void judge(unsigned long long condition, const float *error) {
 *         graphcap_set_condition(condition, *error > 1e-6f);
 *     }
 */
#ifndef GRAPHCAP_DEVICE_CUH
#define GRAPHCAP_DEVICE_CUH

/* The toolkits from 12.3 on declare it. */
#if !defined(CUDART_VERSION) || CUDART_VERSION < 12030
extern "C" __device__ void cudaGraphSetConditional(unsigned long long condition, unsigned int value);
#endif

/**
 * Sets the value of a condition, for the conditional node that comes later in the graph.
 *
 * @param[in] condition  the gc_condition, passed to the kernel as a value of 64 bits; of the graph that runs the kernel, else
 *                       the GPU faults
 * @param[in] value      the value
 */
static inline __device__ void graphcap_set_condition(unsigned long long condition, unsigned int value) {
    cudaGraphSetConditional(condition, value);
}

#endif
