/* Marks in host memory how far a launch of a graph is. The one that begins a launch counts it; what the nodes of that launch mark
 * is its number, which they read in device memory, since to read host memory takes longer. */
extern "C" __global__ void graphcap_mark(volatile unsigned long long *launch, volatile unsigned long long *mark,
                                         unsigned long long begins) {
    if (threadIdx.x != 0 || blockIdx.x != 0)
        return;
    if (begins == 1)
        *launch = *mark + 1;
    *mark = *launch;
}
