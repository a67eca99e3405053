/* Takes numbers of a generator for the fills of a replay: puts the number of the first one where the fills read it. */
extern "C" __global__ void graphcap_rng_reserve(unsigned long long *state, unsigned long long *first,
                                                unsigned long long count) {
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *first = atomicAdd(&state[2], count);
}
