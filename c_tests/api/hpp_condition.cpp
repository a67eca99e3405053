// Tests what graphcap.hpp has for conditional nodes: their bodies, and kernels and host functions that set conditions.
#include "hpp_check.h"

#include <exception>
#include <vector>

namespace {

using graphcap::copy_dtoh;
using graphcap::fill_with;
using graphcap::Graph;
using graphcap::Node;
using graphcap::TypedBuffer;

constexpr std::size_t COUNT = 4, BYTES = COUNT * sizeof(float);
using Floats = std::vector<float>;

// Bodies that run by the value that a launch begins with.
void conditionals(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const TypedBuffer<float> data(context, COUNT);
    Floats result(COUNT);
    const Graph graph(context);
    graphcap::Condition yes, no, second;
    try {
        yes = graph.create_condition(1);
        no = graph.create_condition();
        second = graph.create_condition(1);
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "an old driver has no conditions");
        return;
    }
    // The element `at` becomes `value` where a body runs.
    const auto fill = [&](const Graph& body, float value, std::size_t at) {
        body.add_memset({}, fill_with(data, value, 1, at * sizeof(float)));
    };
    const auto clear = graph.add_memset({}, fill_with(data, 0.0f, COUNT));
    const auto taken = graph.add_if({clear}, yes);
    fill(graph.body(taken), 1.0f, 0);
    const auto loop = graph.add_while({clear}, no);
    fill(graph.body(loop), 1.0f, 1);
    const auto told = graph.conditional_params(loop);
    expect(told.kind == GRAPHCAP_CONDITIONAL_WHILE && told.condition == no.id && told.body_count == 1,
           "a conditional is read");
    std::vector<Node> last{taken, loop};
    try {
        const auto choice = graph.add_switch({clear}, second, 2);
        fill(graph.body(choice, 0), 5.0f, 2);
        fill(graph.body(choice, 1), 6.0f, 3);
        const auto other = graph.add_if({clear}, graph.create_condition(0), 2);
        expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.body(other, 2); }), "an if has two bodies");
        last.insert(last.end(), {choice, other});
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "a driver before 12.8 has no switch");
    }
    const bool has_switch = last.size() == 4;
    graph.add_memcpy(last, copy_dtoh(result.data(), data, BYTES));
    expect(graph.kind(taken) == GRAPHCAP_NODE_CONDITIONAL && graph.body(taken).node_count() == 1, "bodies are read");
    const auto in_body = graph.body(taken).nodes().front();
    expect(graph.containing(in_body).nodes() == graph.body(taken).nodes(), "a node tells the graph that has it");
    graph.instantiate().launch(stream);
    stream.synchronize();
    expect(result == Floats({1, 0, 0, has_switch ? 6.0f : 0.0f}), "bodies run where the value says so");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graph.add_if({}, yes); }), "a condition is for one node");
}

// A recorded call has the body run, which decides anew at its end.
void set_by_a_recorded_call(const graphcap::Context& context) {
    const graphcap::Stream stream(context), within(context);
    const TypedBuffer<std::uint32_t> turns(context, 2);
    stream.begin_capture(GRAPHCAP_CAPTURE_MODE_RELAXED);
    const Graph graph = stream.capture_graph();
    try {
        const graphcap::Condition again = graph.create_condition();
        stream.fill(turns, std::uint32_t{1}, 2);
        stream.set_condition(again, turns);
        const auto loop = stream.capture_while(again);
        within.begin_capture_to_graph(graph.body(loop), {}, GRAPHCAP_CAPTURE_MODE_RELAXED);
        within.fill(turns, std::uint32_t{0}, 1);
        within.set_condition(again, turns, 0);
        (void)within.end_capture();
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "an old driver has no conditions");
        return;
    }
    stream.end_capture().instantiate().launch(stream);
    std::vector<std::uint32_t> left(2);
    stream.memcpy_dtoh(left.data(), turns, 2 * sizeof left[0]);
    stream.synchronize();
    expect(left[0] == 0 && left[1] == 1, "the loop ended after a turn");
}

// Counts down; a number that is not 0 has the body run once more.
void count_down(const gc_host_block&, unsigned long long condition, float* number) {
    graphcap::host_check_range(number, sizeof *number);
    *number -= 1.0f;
    graphcap::host_set_conditional({condition}, *number > 0.0f);
}

// The same with a type of the layer's own as the parameter.
void clear_condition(const gc_host_block&, graphcap::Condition condition) {
    graphcap::host_set_conditional(condition, 0);
}

void overrun(const gc_host_block&, float* number) { graphcap::host_check_range(number, std::size_t{1} << 40); }

// On the host device, also where there is a GPU: host kernels and host functions set conditions there alone.
void set_on_the_host() {
    const graphcap::Context context(GRAPHCAP_DEVICE_HOST);
    const graphcap::Stream stream(context);
    const graphcap::Module module(context, {graphcap::host_kernel<count_down>("count_down"),
                                            graphcap::host_kernel<clear_condition>("clear_condition"),
                                            graphcap::host_kernel<overrun>("overrun")});
    const auto kernel = module.kernel<void(unsigned long long, float*)>("count_down");
    const TypedBuffer<float> number(context, 2);
    Floats result(2, 9.0f);
    const Graph graph(context);
    const graphcap::Condition again = graph.create_condition(1), never = graph.create_condition(1),
                              chosen = graph.create_condition();
    const auto five = graph.add_memset({}, fill_with(number, 5.0f, 2));
    const auto loop = graph.add_while({five}, again);
    graph.body(loop).add_kernel({}, kernel, {1}, again, number);
    const auto cleared = graph.add_kernel({}, module.kernel<clear_condition>("clear_condition"), {1}, never);
    const auto skipped = graph.add_if({cleared, loop}, never);
    graph.body(skipped).add_memset({}, fill_with(number, 7.0f, 1));
    const auto called = graph.add_host({skipped}, [chosen] { graphcap::host_set_conditional(chosen, 1); });
    const auto choice = graph.add_if({called}, chosen);
    graph.body(choice).add_memset({}, fill_with(number, 1.0f, 1, sizeof(float)));
    graph.add_memcpy({choice}, copy_dtoh(result.data(), number, 2 * sizeof(float)));
    graph.instantiate().launch(stream);
    stream.synchronize();
    expect(result == Floats({0, 1}), "kernels and host functions set conditions");
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_ADDRESS, [&] { graphcap::host_set_conditional(chosen, 1); }) &&
               throws(GRAPHCAP_ERROR_INVALID_HANDLE, [] { graphcap::host_set_conditional({}, 1); }),
           "no condition is set while its graph does not run");

    graphcap::host_check_range(reinterpret_cast<const void*>(number.address()), sizeof(float));
    stream.launch(module.kernel<overrun>("overrun"), {1}, number);
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_ADDRESS, [&] { stream.synchronize(); }), "a range that is too long faults");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        conditionals(context);
        set_by_a_recorded_call(context);
        set_on_the_host();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
