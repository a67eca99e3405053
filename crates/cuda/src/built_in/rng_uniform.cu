/* Fills memory with random floats of Philox 4x32-10, as src/rules/philox.rs says and the host device does, to the bit. */
typedef unsigned long long u64;

struct words {
    unsigned word[4];
};

static __device__ words philox(u64 group, u64 subsequence, u64 seed) {
    unsigned key0 = unsigned(seed), key1 = unsigned(seed >> 32);
    unsigned c0 = unsigned(group), c1 = unsigned(group >> 32);
    unsigned c2 = unsigned(subsequence), c3 = unsigned(subsequence >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 product0 = u64(0xD2511F53u) * c0, product1 = u64(0xCD9E8D57u) * c2;
        c0 = unsigned(product1 >> 32) ^ c1 ^ key0;
        c1 = unsigned(product1);
        c2 = unsigned(product0 >> 32) ^ c3 ^ key1;
        c3 = unsigned(product0);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return words{{c0, c1, c2, c3}};
}

/* base: where the number of the first element stands, or NULL. offset: what is added to that. */
extern "C" __global__ void graphcap_rng_uniform(const u64 *state, const u64 *base, u64 offset, float *floats, u64 count) {
    u64 seed = state[0], subsequence = state[1];
    u64 first = (base ? *base : 0) + offset;
    unsigned ahead = unsigned(first & 3);
    u64 groups = (count >> 2) + ((unsigned(count & 3) + ahead + 3) >> 2);
    u64 step = u64(gridDim.x) * blockDim.x;
    for (u64 group = u64(blockIdx.x) * blockDim.x + threadIdx.x; group < groups; group += step) {
        words four = philox(((first >> 2) + group) & ~0ull >> 2, subsequence, seed);
#pragma unroll
        for (unsigned i = 0; i < 4; i++) {
            u64 at = 4 * group + i - ahead;
            if (at < count)
                floats[at] = float(four.word[i] >> 8) * 0x1p-24f;
        }
    }
}
