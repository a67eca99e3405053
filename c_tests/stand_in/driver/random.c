/* The kernels of graphcap's own that draw random numbers, and those of a test that unpack a state of PyTorch's. */
#include "model.h"

#include <string.h>

/* Takes numbers of a generator: {seed, subsequence, next}. */
int run_rng_reserve_kernel(const struct launch *launch) {
    uint64_t state = parameter_u64(launch, 0), first = parameter_u64(launch, 1);
    if (!is_device_memory(state, 24) || !is_device_memory(first, 8))
        return ILLEGAL_ADDRESS;
    *(uint64_t *)(uintptr_t)first = ((uint64_t *)(uintptr_t)state)[2];
    ((uint64_t *)(uintptr_t)state)[2] += parameter_u64(launch, 2);
    return OK;
}

/* Word i of what Philox 4x32-10 gives for a counter. */
static uint32_t philox(uint64_t group, uint64_t subsequence, uint64_t seed, unsigned i) {
    uint32_t counter[4], key[2];
    unsigned round;
    counter[0] = (uint32_t)group, counter[1] = (uint32_t)(group >> 32);
    counter[2] = (uint32_t)subsequence, counter[3] = (uint32_t)(subsequence >> 32);
    key[0] = (uint32_t)seed, key[1] = (uint32_t)(seed >> 32);
    for (round = 0; round < 10; round++) {
        uint64_t even = (uint64_t)0xd2511f53u * counter[0], odd = (uint64_t)0xcd9e8d57u * counter[2];
        counter[0] = (uint32_t)(odd >> 32) ^ counter[1] ^ key[0];
        counter[1] = (uint32_t)odd;
        counter[2] = (uint32_t)(even >> 32) ^ counter[3] ^ key[1];
        counter[3] = (uint32_t)even;
        key[0] += 0x9e3779b9u, key[1] += 0xbb67ae85u;
    }
    return counter[i];
}

int run_rng_uniform_kernel(const struct launch *launch) {
    uint64_t state = parameter_u64(launch, 0), base = parameter_u64(launch, 1), first = parameter_u64(launch, 2);
    uint64_t floats = parameter_u64(launch, 3), count = parameter_u64(launch, 4), i;
    const uint64_t *words = (const uint64_t *)(uintptr_t)state;
    if (!is_device_memory(state, 24) || (base != 0 && !is_device_memory(base, 8)) || !is_device_memory(floats, 4 * count))
        return ILLEGAL_ADDRESS;
    first += base != 0 ? *(const uint64_t *)(uintptr_t)base : 0;
    for (i = 0; i < count; i++)
        ((float *)(uintptr_t)floats)[i] =
            (float)(philox((first + i) / 4, words[1], words[0], (unsigned)((first + i) % 4)) >> 8) / 16777216.0f;
    return OK;
}

static int tell_state(const struct launch *launch, size_t bytes) {
    uint64_t words[4] = {0, 0, 0, 0}, within, out = parameter_u64(launch, 1);
    unsigned char is_captured;
    memcpy(words, launch->parameters + launch->function->offsets[0], bytes);
    within = bytes == 32 ? words[2] : (uint32_t)words[2];
    is_captured = bytes == 32 ? (unsigned char)words[3] : (unsigned char)(words[2] >> 32);
    if (is_captured != 1 || !is_device_memory(words[0], 8) || !is_device_memory(words[1], 8) || !is_device_memory(out, 16))
        return ILLEGAL_ADDRESS;
    ((uint64_t *)(uintptr_t)out)[0] = *(const uint64_t *)(uintptr_t)words[0];
    ((uint64_t *)(uintptr_t)out)[1] = *(const uint64_t *)(uintptr_t)words[1] + within;
    return OK;
}

int run_torch_wide_kernel(const struct launch *launch) {
    return tell_state(launch, 32);
}

int run_torch_narrow_kernel(const struct launch *launch) {
    return tell_state(launch, 24);
}
