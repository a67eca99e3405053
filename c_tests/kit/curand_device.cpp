/* gc_rng's numbers beside those of cuRAND's device functions, for random seeds, subsequences and offsets, eager and replayed.
 *
 * Built as any test, it compares with a model of curand_init(), curand() and curand4() on the CPU, on either device. Built by nvcc, it
 * calls these functions in kernels, and holds the model against them too, all 32 bits of each word:
 *
 *     nvcc -x cu -std=c++17 -O2 -I include -I c_tests/support c_tests/kit/curand_device.cpp -L FOLDER_OF_LIBGRAPHCAP -lgraphcap
 *         -Xlinker -rpath=FOLDER_OF_LIBGRAPHCAP -o curand_device
 *
 * The exit status is 0 when all bits agree; what was compared is printed. GRAPHCAP_SOAK=1 tries ten times as many. */
#include "check.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <curand_kernel.h>
#endif

namespace {

/* Words that one state draws by curand4(), and those with what it draws by curand() behind them. */
constexpr unsigned IN_FOURS = 64, IN_TURN = 71;

struct Sequence {
    std::uint64_t seed, subsequence, offset;
};

/* Philox 4x32-10, by the published algorithm. */
void philox(const std::uint32_t counter[4], const std::uint32_t key[2], std::uint32_t out[4]) {
    std::uint32_t x[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        const std::uint64_t even = std::uint64_t{0xd2511f53} * x[0], odd = std::uint64_t{0xcd9e8d57} * x[2];
        x[0] = static_cast<std::uint32_t>(odd >> 32) ^ x[1] ^ k[0], x[1] = static_cast<std::uint32_t>(odd);
        x[2] = static_cast<std::uint32_t>(even >> 32) ^ x[3] ^ k[1], x[3] = static_cast<std::uint32_t>(even);
        k[0] += 0x9e3779b9u, k[1] += 0xbb67ae85u;
    }
    std::memcpy(out, x, sizeof x);
}

/* What graphcap states: element i is word i mod 4 of counter i / 4, whose upper half is the subsequence. */
std::uint32_t element_of(const Sequence& of, std::uint64_t element) {
    const std::uint64_t group = element / 4;
    const std::uint32_t counter[4] = {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(group >> 32),
                                      static_cast<std::uint32_t>(of.subsequence),
                                      static_cast<std::uint32_t>(of.subsequence >> 32)};
    const std::uint32_t key[2] = {static_cast<std::uint32_t>(of.seed), static_cast<std::uint32_t>(of.seed >> 32)};
    std::uint32_t words[4];
    philox(counter, key, words);
    return words[element % 4];
}

/* cuRAND's state: a counter of 128 bits, and how many words of its output were drawn. */
struct State {
    std::uint64_t low, high;
    std::uint32_t key[2], drawn;
};

/* curand_init(): the subsequence is added to the counter's upper half, and the offset counts words. */
State init(const Sequence& of) {
    return {of.offset / 4, of.subsequence,
            {static_cast<std::uint32_t>(of.seed), static_cast<std::uint32_t>(of.seed >> 32)},
            static_cast<std::uint32_t>(of.offset % 4)};
}

/* curand(). */
std::uint32_t next(State& state) {
    const std::uint32_t counter[4] = {static_cast<std::uint32_t>(state.low), static_cast<std::uint32_t>(state.low >> 32),
                                      static_cast<std::uint32_t>(state.high), static_cast<std::uint32_t>(state.high >> 32)};
    std::uint32_t words[4];
    philox(counter, state.key, words);
    const std::uint32_t word = words[state.drawn++];
    if (state.drawn == 4) {
        state.drawn = 0;
        if (++state.low == 0) ++state.high;
    }
    return word;
}

/* The conversion of graphcap, and that of curand_uniform(). */
float as_graphcap(std::uint32_t word) {
    return static_cast<float>(word >> 8) / 16777216.0f;
}

float as_curand(std::uint32_t word) {
    return static_cast<float>(word) * 0x1p-32f + 0x1p-33f;
}

bool is_same(float one, float other) {
    return std::memcmp(&one, &other, sizeof one) == 0;
}

/* What cuRAND draws: `words` by states that each stand 4 elements further, with the floats of curand_uniform4() from the same states;
 * and `in_turn` from one state. */
struct Drawn {
    std::vector<std::uint32_t> words, in_turn;
    std::vector<float> uniforms;
};

#ifdef __CUDACC__

constexpr const char *REFERENCE = "cuRAND's device functions";

__global__ void draw_apart(Sequence of, unsigned groups, uint4 *words, float4 *uniforms) {
    const unsigned group = blockIdx.x * blockDim.x + threadIdx.x;
    if (group >= groups) return;
    curandStatePhilox4_32_10_t state;
    curand_init(of.seed, of.subsequence, of.offset + 4ull * group, &state);
    words[group] = curand4(&state);
    curand_init(of.seed, of.subsequence, of.offset + 4ull * group, &state);
    uniforms[group] = curand_uniform4(&state);
}

__global__ void draw_in_turn(Sequence of, unsigned *words) {
    curandStatePhilox4_32_10_t state;
    curand_init(of.seed, of.subsequence, of.offset, &state);
    for (unsigned i = 0; i < IN_FOURS; i += 4) {
        const uint4 four = curand4(&state);
        words[i] = four.x, words[i + 1] = four.y, words[i + 2] = four.z, words[i + 3] = four.w;
    }
    for (unsigned i = IN_FOURS; i < IN_TURN; i++) words[i] = curand(&state);
}

void require_cuda(cudaError_t answer) {
    if (answer == cudaSuccess) return;
    std::fprintf(stderr, "CUDA answered %d: %s\n", static_cast<int>(answer), cudaGetErrorString(answer));
    std::exit(EXIT_FAILURE);
}

Drawn draw(const Sequence& of, unsigned count) {
    const unsigned groups = (count + 3) / 4;
    static void *memory[3] = {nullptr, nullptr, nullptr};
    static unsigned room = 0;
    if (room < groups) {
        for (void *&place : memory) require_cuda(cudaFree(place));
        room = groups;
        require_cuda(cudaMalloc(&memory[0], room * sizeof(uint4)));
        require_cuda(cudaMalloc(&memory[1], room * sizeof(float4)));
        require_cuda(cudaMalloc(&memory[2], IN_TURN * sizeof(unsigned)));
    }
    Drawn result;
    result.words.resize(4 * groups), result.uniforms.resize(4 * groups), result.in_turn.resize(IN_TURN);
    draw_apart<<<(groups + 127) / 128, 128>>>(of, groups, static_cast<uint4 *>(memory[0]), static_cast<float4 *>(memory[1]));
    draw_in_turn<<<1, 1>>>(of, static_cast<unsigned *>(memory[2]));
    require_cuda(cudaGetLastError());
    require_cuda(cudaMemcpy(result.words.data(), memory[0], groups * sizeof(uint4), cudaMemcpyDeviceToHost));
    require_cuda(cudaMemcpy(result.uniforms.data(), memory[1], groups * sizeof(float4), cudaMemcpyDeviceToHost));
    require_cuda(cudaMemcpy(result.in_turn.data(), memory[2], IN_TURN * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return result;
}

#else

constexpr const char *REFERENCE = "a model of cuRAND's device functions on the CPU";

Drawn draw(const Sequence& of, unsigned count) {
    const unsigned groups = (count + 3) / 4;
    Drawn result;
    for (unsigned group = 0; group < groups; group++) {
        State state = init({of.seed, of.subsequence, of.offset + 4ull * group});
        for (int i = 0; i < 4; i++) {
            result.words.push_back(next(state));
            result.uniforms.push_back(as_curand(result.words.back()));
        }
    }
    State state = init(of);
    for (unsigned i = 0; i < IN_TURN; i++) result.in_turn.push_back(next(state));
    return result;
}

#endif

gc_context *context;
gc_stream *stream;
/* How much was compared. */
unsigned long long sequences, floats, words;

std::uint64_t random_number() {
    static std::uint64_t last = 0x2545f4914f6cdd1d;
    last ^= last << 13, last ^= last >> 7, last ^= last << 17;
    return last * 0x9e3779b97f4a7c15;
}

/* A number of 64 bits, often one at which something carries. */
std::uint64_t edgy_number() {
    const std::uint64_t number = random_number();
    switch (random_number() % 4) {
        case 0: return number % 16;
        case 1: return (std::uint64_t{1} << (random_number() % 64)) - number % 16;
        default: return number;
    }
}

enum class Way { EAGER, SEEDED_LATER, REPLAYED };

/* What graphcap draws from there. */
std::vector<float> draw_by_graphcap(const Sequence& of, unsigned count, Way way) {
    gc_rng *rng = nullptr;
    gc_buffer *buffer = nullptr;
    gc_rng_uniform_params fill = GRAPHCAP_RNG_UNIFORM_PARAMS_INIT;
    std::vector<float> result(count);
    REQUIRE_OK(gc_buffer_allocate(context, count * sizeof(float), &buffer));
    if (way == Way::SEEDED_LATER) {
        REQUIRE_OK(gc_rng_create(stream, ~of.seed, of.subsequence, &rng));
        REQUIRE_OK(gc_rng_set_seed(rng, stream, of.seed));
    } else {
        REQUIRE_OK(gc_rng_create(stream, of.seed, of.subsequence, &rng));
    }
    REQUIRE_OK(gc_rng_set_offset(rng, stream, of.offset));
    fill.rng = rng, fill.buffer = buffer, fill.count = count;
    if (way != Way::REPLAYED) {
        REQUIRE_OK(gc_stream_fill_uniform(stream, &fill));
    } else {
        /* Two fills, and two replays: the second one begins where the first one ended, so it begins again at the offset by hand. */
        gc_graph *graph = nullptr;
        gc_graph_exec *exec = nullptr;
        REQUIRE_OK(gc_stream_begin_capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL));
        fill.count = count / 2;
        REQUIRE_OK(gc_stream_fill_uniform(stream, &fill));
        fill.offset = fill.count * sizeof(float), fill.count = count - fill.count;
        REQUIRE_OK(gc_stream_fill_uniform(stream, &fill));
        REQUIRE_OK(gc_stream_end_capture(stream, &graph));
        REQUIRE_OK(gc_graph_instantiate(graph, nullptr, &exec));
        REQUIRE_OK(gc_rng_set_offset(rng, stream, of.offset - count));
        REQUIRE_OK(gc_graph_launch(exec, stream));
        REQUIRE_OK(gc_graph_launch(exec, stream));
        CHECK_OK(gc_graph_exec_destroy(exec));
        CHECK_OK(gc_graph_destroy(graph));
    }
    REQUIRE_OK(gc_stream_memcpy_dtoh(stream, result.data(), buffer, 0, count * sizeof(float)));
    REQUIRE_OK(gc_stream_synchronize(stream));
    CHECK_OK(gc_rng_destroy(rng));
    CHECK_OK(gc_buffer_destroy(buffer));
    return result;
}

void compare(const Sequence& of, unsigned count, Way way) {
    const Drawn reference = draw(of, count);
    const std::vector<float> ours = draw_by_graphcap(of, count, way);
    unsigned wrong = 0;
    State apart = init(of);
    for (unsigned i = 0; i < count; i++) {
        if (i % 4 == 0) apart = init({of.seed, of.subsequence, of.offset + i});
        const std::uint32_t word = reference.words[i], element = element_of(of, of.offset + i);
        const float above = ours[i] + 0x1p-24f, uniform = reference.uniforms[i];
        wrong += word != next(apart) || !is_same(ours[i], as_graphcap(element)) || !is_same(uniform, as_curand(word));
        /* Behind element 2^64 - 1 graphcap begins again, as curand_init() does there, and a state of cuRAND's goes on. */
        if (of.offset + i >= of.offset + i / 4 * 4)
            wrong += word != element || !(uniform > 0 && ours[i] <= uniform && uniform <= above);
    }
    State state = init(of);
    for (unsigned i = 0; i < IN_TURN; i++) wrong += reference.in_turn[i] != next(state);
    sequences++, floats += count, words += count + IN_TURN;
    if (check_failed(wrong == 0))
        std::fprintf(stderr, "%u of %u numbers differ: seed %#llx, subsequence %#llx, offset %#llx, way %d\n", wrong, count,
                     static_cast<unsigned long long>(of.seed), static_cast<unsigned long long>(of.subsequence),
                     static_cast<unsigned long long>(of.offset), static_cast<int>(way));
}

/* Random123's answers for counter and key 0, and for those of pi, show that the reference itself is right. */
void known_answers_hold() {
    const std::uint32_t none[4] = {0, 0, 0, 0}, pi[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
    const std::uint32_t key[2] = {0xa4093822, 0x299f31d0};
    const std::uint32_t of_none[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const std::uint32_t of_pi[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    std::uint32_t words[4];
    philox(none, none, words);
    CHECK(std::memcmp(words, of_none, sizeof words) == 0);
    philox(pi, key, words);
    CHECK(std::memcmp(words, of_pi, sizeof words) == 0);
}

void sequences_are_those_of_curand() {
    const unsigned count = soak(2000, 20000);
    for (unsigned i = 0; i < count; i++)
        compare({edgy_number(), edgy_number(), edgy_number()}, 1 + static_cast<unsigned>(random_number() % 300),
                static_cast<Way>(i % 3));
}

void long_ones_too() {
    for (unsigned i = 0; i < 3; i++)
        compare({random_number(), random_number(), random_number()}, 40000 + i, static_cast<Way>(i % 3));
}

void ends_are_where_they_are_stated() {
    for (unsigned i = 0; i < 24; i++)
        compare({random_number(), i % 2 == 0 ? random_number() : ~std::uint64_t{0}, ~std::uint64_t{i}}, 64, static_cast<Way>(i % 3));
}

} // namespace

int main() {
    context = open_context();
#ifdef __CUDACC__
    if (!on_cuda()) {
        std::fprintf(stderr, "graphcap chose the host device, where cuRAND is not compared with; set GRAPHCAP_DEVICE=cuda\n");
        return EXIT_FAILURE;
    }
#endif
    REQUIRE_OK(gc_stream_create(context, nullptr, &stream));
    RUN(known_answers_hold);
    RUN(sequences_are_those_of_curand);
    RUN(long_ones_too);
    RUN(ends_are_where_they_are_stated);
    CHECK_OK(gc_stream_destroy(stream));
    CHECK_OK(gc_context_destroy(context));
    std::fprintf(stderr, "%llu sequences: %llu floats of graphcap and %llu words beside %s\n", sequences, floats, words,
                 REFERENCE);
    return check_finish();
}
