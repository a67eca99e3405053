/* Gives a kernel node of the graph that runs, which kernels can change, a grid of sizes in device memory, before the node runs. A
 * size whose address is 0 is the one that is given. The node does nothing where a size is 0. A grid that no launch can have ends the
 * context: the driver would run the grid that the node had. In a module of its own: a driver before 12.4 lacks the functions. */
struct graphcap_grid {
    unsigned x, y, z;
};

extern "C" __device__ int cudaGraphKernelNodeSetGridDim(unsigned long long node, graphcap_grid grid);
extern "C" __device__ int cudaGraphKernelNodeSetEnabled(unsigned long long node, bool is_enabled);

static inline __device__ unsigned size_at(const volatile unsigned *address, unsigned otherwise) {
    return address != nullptr ? *address : otherwise;
}

extern "C" __global__ void graphcap_set_grid(unsigned long long node, const volatile unsigned *x, const volatile unsigned *y,
                                             const volatile unsigned *z, unsigned width, unsigned height, unsigned depth) {
    if (threadIdx.x != 0 || blockIdx.x != 0)
        return;
    const graphcap_grid grid = {size_at(x, width), size_at(y, height), size_at(z, depth)};
    const bool is_any = grid.x != 0 && grid.y != 0 && grid.z != 0;
    if (cudaGraphKernelNodeSetEnabled(node, is_any) != 0 || (is_any && cudaGraphKernelNodeSetGridDim(node, grid) != 0))
        asm volatile("trap;");
}
