// Tests what graphcap.hpp has for scalars: made, updated between replays, read, in blocks, as arguments, conditions and grids.
#include "hpp_check.h"

#include <cstdint>
#include <exception>
#include <string>
#include <tuple>
#include <utility>

namespace {

using graphcap::Buffer;
using graphcap::Graph;
using graphcap::Scalar;
using graphcap::ScalarUpdate;
using graphcap::Stream;
using graphcap::TypedBuffer;

void values_are_updated_between_replays(const graphcap::Context& context) {
    const Stream stream(context);
    const Scalar<float> rate(stream, 0.5f);
    expect(rate.read(stream) == 0.5f && rate.offset() == 0 && rate.buffer().size() == sizeof(float),
           "a scalar has its first value");
    expect(rate.address() == rate.buffer().address() && rate.context(), "a scalar lies at the start of its buffer");
    const TypedBuffer<float> seen(context, 1);
    const Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, 
        [&] { stream.memcpy_dtod(seen, rate.buffer(), sizeof(float), 0, rate.offset()); });
    const auto exec = graph.instantiate();
    for (const float value : {0.25f, -1.0f}) {
        rate.update(stream, value);
        exec.launch(stream);
        float result = 0;
        stream.memcpy_dtoh(&result, seen, sizeof result);
        stream.synchronize();
        expect(result == value, "a replay sees the update before it");
    }
    graphcap::set_name(rate, "rate");
    expect(graphcap::name_of(rate) == "rate" && graphcap::name_of(rate.buffer()) == "rate", "a scalar has a name");
    Scalar<float> moved;
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { moved.update(stream, 1.0f); }), "an empty scalar is refused");
    moved = Scalar<float>(stream, 2.0f);
    expect(moved.read(stream) == 2.0f, "a scalar can be moved");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { Scalar<double> other(moved.release()); }),
           "a handle of another type is refused");
}

void captures_refuse_updates_and_go_on(const graphcap::Context& context) {
    const Stream stream(context);
    const Scalar<std::uint32_t> number(stream, 1u);
    const Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] {
        expect(throws(GRAPHCAP_ERROR_ILLEGAL_STATE, [&] { number.update(stream, 2u); }), "an update is not recorded");
    });
    expect(graph.node_count() == 0 && number.read(stream) == 1, "the capture went on");
}

void blocks(const graphcap::Context& context) {
    const Stream stream(context);
    const auto settings = graphcap::make_scalars(stream, 0.5f, std::int64_t{-3}, std::uint32_t{7});
    const auto& rate = std::get<0>(settings);
    const auto& step = std::get<1>(settings);
    const auto& flags = std::get<2>(settings);
    expect(rate.offset() == 0 && step.offset() == 8 && flags.offset() == 16 && flags.buffer().size() == 20,
           "a block is laid out as a struct");
    expect(rate.read(stream) == 0.5f && step.read(stream) == -3 && flags.read(stream) == 7, "each has its first value");
    graphcap::update_scalars(stream, ScalarUpdate{rate, 2.0f}, ScalarUpdate{flags, 9u});
    expect(rate.read(stream) == 2.0f && step.read(stream) == -3 && flags.read(stream) == 9, "some are updated at once");
    graphcap::update_scalars(stream);
}

void conditions(const graphcap::Context& context) {
    const Stream stream(context);
    const Scalar<std::uint32_t> taken(stream, 0u);
    const Scalar<double> wide(stream, 1.0);
    const TypedBuffer<std::uint32_t> seen(context, 1);
    const Graph graph(context);
    graphcap::Condition condition;
    try {
        condition = graph.create_condition(0);
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "an old driver has no conditions");
        return;
    }
    const auto clear = graph.add_memset({}, graphcap::fill_with(seen, 0u, 1));
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.add_set_condition({clear}, condition, wide); }),
           "a condition has 32 bits");
    const auto set = graph.add_set_condition({clear}, condition, taken);
    const auto decision = graph.add_if({set}, condition);
    graph.body(decision).add_memset({}, graphcap::fill_with(seen, 5u, 1));
    const auto exec = graph.instantiate();
    for (const std::uint32_t value : {1u, 0u}) {
        taken.update(stream, value);
        exec.launch(stream);
        std::uint32_t result = 9;
        stream.memcpy_dtoh(&result, seen, sizeof result);
        stream.synchronize();
        expect(result == (value != 0 ? 5u : 0u), "a scalar decides about an if");
    }
}

void grids(const graphcap::Context& context) {
    const Stream stream(context);
    const Scalar<std::uint32_t> blocks(stream, 2u);
    const TypedBuffer<float> data(context, 3);
    const graphcap::Module module = load(context);
    const Graph graph(context);
    const auto clear = graph.add_memset({}, graphcap::fill_with(data, 1.0f, 3));
    const auto negate_some = graph.add_kernel({clear}, module.kernel("negate"), {3}, data);
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.set_grid(negate_some, 3, blocks); }), "a grid has three axes");
    try {
        graph.set_grid(negate_some, 0, blocks);
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED && context.device_kind() == GRAPHCAP_DEVICE_CUDA,
               "a driver before CUDA 12.4 takes no grid from a scalar");
        return;
    }
    const auto exec = graph.instantiate();
    for (const std::uint32_t count : {2u, 0u, 3u}) {
        blocks.update(stream, count);
        exec.launch(stream);
        float results[3] = {};
        stream.memcpy_dtoh(results, data, sizeof results);
        stream.synchronize();
        for (std::uint32_t i = 0; i < 3; i++) {
            expect(results[i] == (i < count ? -1.0f : 1.0f), "a replay has as many blocks as the scalar says");
        }
    }
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        values_are_updated_between_replays(context);
        captures_refuse_updates_and_go_on(context);
        blocks(context);
        conditions(context);
        grids(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
