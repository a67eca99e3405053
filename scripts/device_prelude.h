/* What CUDA C takes from NVIDIA's headers, as far as graphcap's kernels use it, by clang's builtins.
 * scripts/device_code.sh includes it in front of every .cu file, so that no CUDA toolkit is needed; nvcc compiles the
 * files without it. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

struct graphcap_dim3 {
    unsigned x, y, z;
};

#define GRAPHCAP_DIM3(name)                                                                   \
    (graphcap_dim3{unsigned(__nvvm_read_ptx_sreg_##name##_x()),                               \
                   unsigned(__nvvm_read_ptx_sreg_##name##_y()), unsigned(__nvvm_read_ptx_sreg_##name##_z())})
#define threadIdx GRAPHCAP_DIM3(tid)
#define blockIdx GRAPHCAP_DIM3(ctaid)
#define blockDim GRAPHCAP_DIM3(ntid)
#define gridDim GRAPHCAP_DIM3(nctaid)

static inline __device__ unsigned atomicAdd(unsigned *address, unsigned value) {
    return __nvvm_atom_add_gen_i((int *)address, (int)value);
}

static inline __device__ unsigned long long atomicAdd(unsigned long long *address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)address, (long long)value);
}
