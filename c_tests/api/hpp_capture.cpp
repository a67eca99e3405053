// Tests what graphcap.hpp has for captures that record through an object, for work on host memory, and for asking an object
// for its context.
#include "hpp_check.h"

#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <vector>

namespace {

using graphcap::Graph;

constexpr std::size_t WORDS = 16, BYTES = WORDS * sizeof(std::uint32_t);

std::uint32_t* words_of(const graphcap::HostBuffer& buffer) { return static_cast<std::uint32_t*>(buffer.data()); }

void run(const Graph& graph, const graphcap::Stream& stream) {
    graph.instantiate().launch(stream);
    stream.synchronize();
}

void contexts(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Event event(context);
    const graphcap::Buffer buffer(context, BYTES);
    const graphcap::HostBuffer pinned(context, BYTES);
    const Graph graph(context);
    const graphcap::GraphExec exec = graph.instantiate();
    for (const graphcap::Context& told : {stream.context(), event.context(), buffer.context(), graph.context(),
                                          pinned.context(), exec.context()})
        expect(told.device_kind() == context.device_kind() && told.device_ordinal() == context.device_ordinal(),
               "an object tells its context");
    const graphcap::Buffer another(buffer.context(), BYTES);
    stream.memcpy_dtod(another, buffer, BYTES);
    stream.synchronize();
}

void host_memory(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::HostBuffer pinned(context, BYTES, GRAPHCAP_HOST_BUFFER_MAPPED);
    std::vector<std::uint32_t> from(WORDS, 3), to(WORDS, 0);
    stream.copy(graphcap::copy_htoh(to.data(), from.data(), BYTES));
    stream.synchronize();
    expect(to == from, "host memory is copied to host memory");
    stream.fill(graphcap::fill_with(pinned, std::uint32_t{5}, WORDS));
    stream.batch_mem_op({graphcap::write_op(pinned, std::uint32_t{6}, 4),
                         graphcap::wait_op(pinned, std::uint32_t{6}, GRAPHCAP_WAIT_VALUE_EQ, 4)});
    stream.synchronize();
    expect(words_of(pinned)[0] == 5 && words_of(pinned)[1] == 6, "a host buffer is set, and takes values");
    const Graph graph(context);
    const auto set = graph.add_memset({}, graphcap::fill_with(pinned, std::uint32_t{7}, WORDS));
    const auto write = graph.add_batch_mem_op(set, {graphcap::write_op(pinned, std::int32_t{-1}, 8)});
    graph.add_memcpy(write, graphcap::copy_htoh(to.data(), words_of(pinned), BYTES));
    run(graph, stream);
    expect(to[0] == 7 && to[2] == 0xffffffffu, "a graph's nodes work on host memory");
}

void globals(const graphcap::Context& context) {
    static std::uint32_t number = 0;
    static const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .global .align 4 .u32 number;\n";
    const graphcap::Stream stream(context);
    graphcap::Buffer buffer;
    {
        const graphcap::Module module(context, ptx, sizeof ptx, {}, {graphcap::host_global("number", number)});
        buffer = module.global("number");
        expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { (void)module.global("nix"); }), "a variable that is not there is not found");
    }
    stream.fill(buffer, std::uint32_t{5}, 1);
    std::uint32_t read = 0;
    stream.memcpy_dtoh(&read, buffer, sizeof read);
    stream.synchronize();
    expect(buffer.size() == sizeof number && read == 5, "a module's variable is a buffer");
}

void recording(const graphcap::Context& context) {
    const graphcap::Stream stream(context), side(context, GRAPHCAP_STREAM_NON_BLOCKING);
    const graphcap::Buffer values = graphcap::Buffer::waitable(context, BYTES);
    const graphcap::Event fork(context), join(context), outside(context);
    const auto calls = std::make_shared<std::atomic<int>>(0);
    std::vector<std::uint32_t> read(WORDS, 0);
    const graphcap::Capture capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED);
    capture.record_fill(values, std::uint32_t{1}, WORDS);
    capture.record_event(fork);
    side.wait_event(fork);
    side.fill(values, std::uint32_t{2}, 1);
    join.record(side);
    capture.record_wait_event(join);
    capture.record_host_func([calls] { ++*calls; });
    capture.record_batch_mem_op({graphcap::write_op(values, std::uint64_t{3}, 8)});
    capture.record_event_external(outside);
    capture.record_wait_event_external(outside);
    capture.record_memcpy_dtoh(read.data(), values, BYTES);
    expect(capture.recorded_count() == 6, "nodes are counted, and forks and joins are not");
    const Graph graph = capture.end();
    run(graph, stream);
    expect(graph.node_count() == 7 && *calls == 1 && outside.is_complete(), "what was recorded runs");
    expect(read[0] == 2 && read[2] == 3 && read[4] == 1, "in order");
}

void graph_of_a_capture(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer words(context, BYTES);
    std::vector<std::uint32_t> read(WORDS, 0);
    Graph child(context);
    child.add_memset({}, graphcap::fill_with(words, std::uint32_t{2}, 1, 4));
    stream.begin_capture(GRAPHCAP_CAPTURE_MODE_RELAXED);
    stream.fill(words, std::uint32_t{1}, WORDS);
    const Graph graph = stream.capture_graph();
    const auto by_hand = graph.add_memset(stream.capture_frontier(), graphcap::fill_with(words, std::uint32_t{3}, 1, 8));
    stream.update_capture_dependencies(by_hand, GRAPHCAP_CAPTURE_DEPENDENCIES_SET);
    stream.capture_child(child);
    const auto decision = stream.capture_if(graph.create_condition(1));
    graph.body(decision).add_memset({}, graphcap::fill_with(words, std::uint32_t{4}, 1, 12));
    const auto choice = stream.capture_switch(graph.create_condition(1), 2);
    graph.body(choice, 1).add_memset({}, graphcap::fill_with(words, std::uint32_t{5}, 1, 16));
    const graphcap::Condition loop = graph.create_condition();
    const auto set = graph.add_set_condition(stream.capture_frontier(), loop, words);
    stream.update_capture_dependencies(set, GRAPHCAP_CAPTURE_DEPENDENCIES_SET);
    const Graph body = graph.body(stream.capture_while(loop));
    const auto cleared = body.add_memset({}, graphcap::fill_with(words, std::uint32_t{0}, 1));
    body.add_set_condition(cleared, loop, words);
    stream.memcpy_dtoh(read.data(), words, BYTES);
    const Graph ended = stream.end_capture();
    run(ended, stream);
    expect(ended.node_count() == 8 && ended.edge_count() == 7, "the nodes follow each other");
    expect(read[0] == 0 && read[1] == 2 && read[2] == 3 && read[3] == 4 && read[4] == 5, "all of them ran");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        contexts(context);
        host_memory(context);
        globals(context);
        recording(context);
        graph_of_a_capture(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
