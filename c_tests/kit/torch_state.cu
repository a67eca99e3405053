/* The kernels of torch_state.c for a GPU. They unpack a state as at::cuda::philox::unpack() does, in the layout of 32 bytes and in
 * the one of 24, and tell the seed and the offset. */
typedef unsigned long long u64;

union payload {
    u64 number;
    const u64 *place;
};
struct wide {
    payload seed, offset;
    u64 within;
    bool is_captured;
};
struct narrow {
    payload seed, offset;
    unsigned within;
    bool is_captured;
};

template <class State>
static __device__ void tell(State state, u64 *seen) {
    seen[0] = state.is_captured ? *state.seed.place : state.seed.number;
    seen[1] = state.is_captured ? *state.offset.place + state.within : state.offset.number;
}

extern "C" __global__ void torch_wide(wide state, u64 *seen) { tell(state, seen); }
extern "C" __global__ void torch_narrow(narrow state, u64 *seen) { tell(state, seen); }
