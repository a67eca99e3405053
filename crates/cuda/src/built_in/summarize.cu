/* Summarizes pieces of memory, one in each block, as the host device does: a hash of its bytes, which tells the words by their places;
 * and, where its elements are floats, how many are not numbers, how many are infinite, the number of the first of those, and the least,
 * the greatest and the sum of the others. A kind is 0 for none, 1 for float, 2 for half, 3 for bfloat16, 4 for double. */
typedef unsigned long long u64;

struct piece {
    u64 address, bytes, kind;
};

struct summary {
    u64 hash, nans, infinities, first;
    double least, greatest, sum;
};

enum { THREADS = 128 };

static __device__ u64 mixed(u64 word, u64 place) {
    u64 x = word + (place + 1) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

static __device__ double of_bits(u64 bits) {
    double number;
    __builtin_memcpy(&number, &bits, 8);
    return number;
}

/* The bits of a double that has the value of an element with so many bits of exponent and of fraction. */
static __device__ u64 widened(u64 bits, unsigned exponent_bits, unsigned fraction_bits) {
    u64 sign = bits >> (exponent_bits + fraction_bits) & 1, most = (1ull << exponent_bits) - 1;
    u64 exponent = bits >> fraction_bits & most, fraction = bits & ((1ull << fraction_bits) - 1);
    u64 wide = exponent == most ? 2047 : exponent + 1023 - (most >> 1);
    if (exponent == 0 && exponent_bits != 11) {
        if (fraction == 0)
            return sign << 63;
        wide++;
        while (!(fraction >> fraction_bits)) {
            fraction <<= 1;
            wide--;
        }
        fraction &= (1ull << fraction_bits) - 1;
    }
    return exponent_bits == 11 ? bits : sign << 63 | wide << 52 | fraction << (52 - fraction_bits);
}

static __device__ void join(summary *one, const summary *other) {
    one->hash += other->hash;
    one->nans += other->nans;
    one->infinities += other->infinities;
    one->sum += other->sum;
    if (other->first < one->first)
        one->first = other->first;
    if (other->least < one->least)
        one->least = other->least;
    if (other->greatest > one->greatest)
        one->greatest = other->greatest;
}

/* Member by member: clang has no copy of a whole struct for GPUs. */
static __device__ void put(volatile summary *to, const summary *from) {
    to->hash = from->hash;
    to->nans = from->nans;
    to->infinities = from->infinities;
    to->first = from->first;
    to->least = from->least;
    to->greatest = from->greatest;
    to->sum = from->sum;
}

extern "C" __global__ void graphcap_summarize(const piece *pieces, summary *summaries) {
    __shared__ summary all[THREADS];
    const piece &it = pieces[blockIdx.x];
    summary own = {0, 0, 0, ~0ull, of_bits(0x7FF0000000000000ull), of_bits(0xFFF0000000000000ull), 0};
    if (((it.address | it.bytes) & 3) == 0) {
        for (u64 i = threadIdx.x; i < it.bytes / 4; i += THREADS)
            own.hash += mixed(((const unsigned *)it.address)[i], i);
    } else {
        for (u64 i = threadIdx.x; i < it.bytes; i += THREADS)
            own.hash += mixed(((const unsigned char *)it.address)[i], i);
    }
    unsigned size = it.kind == 0 ? 0 : it.kind == 4 ? 8 : it.kind == 1 ? 4 : 2;
    for (u64 i = threadIdx.x; size != 0 && i < it.bytes / size; i += THREADS) {
        u64 bits = it.kind == 4   ? ((const u64 *)it.address)[i]
                   : it.kind == 1 ? widened(((const unsigned *)it.address)[i], 8, 23)
                   : it.kind == 2 ? widened(((const unsigned short *)it.address)[i], 5, 10)
                                  : widened(((const unsigned short *)it.address)[i], 8, 7);
        if ((bits >> 52 & 2047) == 2047) {
            if (bits << 12)
                own.nans++;
            else
                own.infinities++;
            if (i < own.first)
                own.first = i;
            continue;
        }
        double number = of_bits(bits);
        own.sum += number;
        if (number < own.least)
            own.least = number;
        if (number > own.greatest)
            own.greatest = number;
    }
    put(&all[threadIdx.x], &own);
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            join(&all[threadIdx.x], &all[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        put(&summaries[blockIdx.x], &all[0]);
}
