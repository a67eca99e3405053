// Tests what graphcap.hpp has for random numbers: fills, in streams, graphs and scripts, seeds and offsets.
#include "hpp_check.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace {

using graphcap::Buffer;
using graphcap::Rng;
using graphcap::Stream;

constexpr std::size_t COUNT = 6;

std::vector<float> floats_of(const Stream& stream, const Buffer& buffer) {
    std::vector<float> floats(COUNT);
    stream.memcpy_dtoh(floats.data(), buffer, COUNT * sizeof(float));
    stream.synchronize();
    return floats;
}

void replays_draw_on(const graphcap::Context& context) {
    const Stream stream(context);
    const Rng rng(stream, 0);
    const Buffer buffer(context, COUNT * sizeof(float));
    rng.fill_uniform(stream, buffer, COUNT);
    const auto first = floats_of(stream, buffer);
    // Random123's answer for counter and key 0 begins with 6627e8d5.
    expect(first[0] == static_cast<float>(0x6627e8) / 16777216.0f, "the first number is the known one");
    const auto graph =
        graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] { rng.fill_uniform(stream, buffer, COUNT); });
    const auto exec = graph.instantiate();
    exec.launch(stream);
    expect(floats_of(stream, buffer) != first && rng.offset(stream) == 2 * COUNT, "a replay draws the next numbers");
    rng.set_offset(stream, 0);
    exec.launch(stream);
    expect(floats_of(stream, buffer) == first && rng.offset(stream) == COUNT, "an offset is gone back to");
    rng.set_seed(stream, 5);
    exec.launch(stream);
    expect(floats_of(stream, buffer) != first && rng.seed(stream) == 5, "another seed has other numbers");
}

void scripts_draw_and_repeat(const graphcap::Context& context) {
    const Stream stream(context);
    const Rng rng(stream, 1, 9);
    const Buffer next(context, COUNT * sizeof(float)), same(context, COUNT * sizeof(float));
    const graphcap::Script script(context);
    script.push_uniform(rng.uniform(next, COUNT));
    script.push_uniform(rng.repeating(same, COUNT, 3));
    const auto exec = script.record(stream).instantiate();
    exec.launch(stream);
    const auto drawn = floats_of(stream, next), repeated = floats_of(stream, same);
    exec.launch(stream);
    expect(floats_of(stream, next) != drawn, "the next numbers are drawn");
    expect(floats_of(stream, same) == repeated && drawn[3] == repeated[0], "a repeated fill has the same numbers");
    rng.fill_uniform_repeating(stream, next, COUNT);
    expect(floats_of(stream, next) == drawn && rng.offset(stream) == 2 * COUNT, "repeating draws nothing");
    expect(rng.subsequence() == 9 && rng.context(), "a generator tells where it is from");
    std::array<std::uint64_t, 4> state{};
    const auto graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL,
                                         [&] { state = rng.torch_state(stream, GRAPHCAP_TORCH_STATE_32, 4); });
    expect(state[0] != 0 && state[1] != 0 && state[2] == 0 && state[3] == 1, "a state points to where a replay writes");
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_STATE, [&] { (void)rng.torch_state(stream, GRAPHCAP_TORCH_STATE_24, 4); }),
           "a state is for a kernel of a graph");
    Rng moved;
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { moved.set_seed(stream, 1); }), "an empty generator is refused");
    moved = Rng(stream, 2);
    expect(moved.seed(stream) == 2, "a generator can be moved");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { moved.fill_uniform(stream, next, COUNT + 1); }),
           "an overrun is refused");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        replays_draw_on(context);
        scripts_draw_and_repeat(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
