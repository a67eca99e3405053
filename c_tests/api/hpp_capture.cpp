// Tests graphcap/capture.hpp and the captures of graphcap/stream.hpp: captures that end whatever happens, that record through
// an object, and what they tell while they go on.
#include "hpp_check.h"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

using graphcap::Graph;

constexpr std::size_t WORDS = 16, BYTES = WORDS * sizeof(std::uint32_t);

void capture_and_replay(const graphcap::Context& context) {
    const graphcap::Stream stream(context), side(context);
    const graphcap::Event forked(context), joined(context);
    auto calls = std::make_shared<std::atomic<int>>(0);
    std::vector<float> source{1, 2, 3, 4}, result(8);
    graphcap::GraphExec exec;
    {
        const graphcap::Module module = load(context);
        const graphcap::Kernel apply_kernel = module.kernel("apply");
        const graphcap::Buffer in(context, 4 * sizeof(float)), out(context, 8 * sizeof(float));
        const graphcap::Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] {
            expect(stream.is_capturing() && stream.capture_status() == GRAPHCAP_CAPTURE_STATUS_ACTIVE,
                   "the stream is captured");
            stream.memcpy_htod(in, source.data(), 4 * sizeof(float));
            forked.record(stream);
            side.wait_event(forked);
            stream.launch(apply_kernel, {4}, out, in, Line{10.0f, 0.0f});
            side.launch(apply_kernel, {4}, graphcap::at(out, 4 * sizeof(float)), in, Line{1.0f, 0.5f});
            joined.record(side);
            stream.wait_event(joined);
            stream.memcpy_dtoh(result.data(), out, 8 * sizeof(float));
            stream.launch_host_func([calls] { ++*calls; });
        });
        expect(!stream.is_capturing() && *calls == 0, "recording runs nothing");
        expect(graph.node_count() == 5 && graph.edge_count() == 5, "the graph has the shape that was submitted");
        expect(graph.dot().find("digraph") != std::string::npos && graph.dot().find("apply") != std::string::npos,
               "the graph can be drawn");
        exec = graph.instantiate();
    }
    exec.upload(stream);
    expect(exec.is_uploaded() && exec.node_count() == 5, "the exec is uploaded");
    for (int replay = 1; replay <= 3; replay++) {
        source[0] = static_cast<float>(replay);
        exec.launch(stream);
        stream.synchronize();
        expect(result[0] == 10.0f * static_cast<float>(replay) && result[3] == 40.0f && result[5] == 2.5f,
               "a replay reads its input anew, with module and buffers gone");
    }
    expect(exec.num_replays() == 3 && *calls == 3, "the host function runs once per replay");
    exec.reset();
    expect(eventually([&] { return calls.use_count() == 1; }),
           "a host function is destroyed with the last that can run it");
}

void guarded_context(const graphcap::Context& like) {
    const graphcap::Context context(like.device_kind(), 0, GRAPHCAP_CONTEXT_GUARDED);
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 16);
    const graphcap::Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] {
        expect(throws(GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED, [&] { stream.synchronize(); }), "the wait is refused");
        stream.fill(buffer, 1, 4);
    });
    expect(graph.node_count() == 1, "the capture went on");
}

void strict_captures(const graphcap::Context& like) {
    const graphcap::Context context(like.device_kind(), 0, GRAPHCAP_CONTEXT_STRICT);
    for (const graphcap::Context* of : {&context, &like}) {
        const graphcap::Stream stream(*of), other(*of);
        const graphcap::Buffer buffer(*of, 16);
        const graphcap::Pool pool(*of);
        const std::uint32_t flags = of == &context ? 0 : GRAPHCAP_CAPTURE_STRICT;
        float plain[4] = {};
        const auto submit = [&] {
            expect(throws(GRAPHCAP_ERROR_NOT_PERMITTED, [&] { stream.memcpy_htod(buffer, plain, sizeof plain); }),
                   "plain host memory is refused");
            stream.fill(buffer, 1, 4);
            const std::uint64_t outside = stream.capture_info().work_outside;
            other.fill(buffer, 1, 4);
            expect(outside == 0 && stream.capture_info().work_outside == 1, "work outside is counted");
        };
        const graphcap::Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, flags, submit);
        const graphcap::Graph pooled = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool, flags, submit);
        const graphcap::Capture object(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, {}, flags);
        submit();
        const graphcap::Graph owned = object.end();
        const graphcap::Capture with_pool(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool, {}, flags);
        submit();
        expect(with_pool.end().node_count() == 1 && owned.node_count() == 1 && pooled.node_count() == 1 && graph.node_count() == 1,
               "strict captures go on");
    }
}

void capture_that_throws(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 16);
    const std::uint64_t before = graphcap::live_handles();
    bool caught = false;
    try {
        graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL, [&] {
            stream.fill(buffer, 1, 4);
            throw std::logic_error("in the middle");
        });
    } catch (const std::logic_error&) {
        caught = true;
    }
    expect(caught && !stream.is_capturing() && graphcap::live_handles() == before,
           "an exception ends the capture and goes on");
    expect(stream.capture_violation().empty(), "nothing broke that capture");
    expect(throws(GRAPHCAP_ERROR_CAPTURE_INVALIDATED,
                  [&] {
                      graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] {
                          try {
                              stream.synchronize();
                          } catch (const graphcap::Error&) {
                          }
                      });
                  }),
           "a broken capture throws at its end");
    const std::string told = stream.capture_violation();
    expect(told.find("gc_stream_synchronize on stream " + std::to_string(stream.id())) != std::string::npos,
           "the call that broke it is known");
    const auto record = [&] { stream.fill(buffer, 1, 4); };
    expect(graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, record).node_count() == 1,
           "the stream can be captured again");
}

struct Submitter {
    const graphcap::Stream& stream;
    const graphcap::Buffer& buffer;
    int operator()() & { return submit(1); }
    int operator()() && { return submit(2); }
    int submit(std::size_t nodes) const {
        for (std::size_t i = 0; i < nodes; i++) stream.fill(buffer, 1, 4);
        return 5;
    }
};

// Whatever is called, and however it leaves.
void captures_by_any_callable(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 16);
    const auto nodes = [&](auto&& submit) {
        using F = decltype(submit);
        return graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, std::forward<F>(submit)).node_count();
    };
    Submitter submitter{stream, buffer};
    const std::function<void()> function = [&] { stream.fill(buffer, 1, 4); };
    expect(nodes(submitter) == 1 && nodes(Submitter{stream, buffer}) == 2, "a callable is called as it was given");
    expect(nodes(function) == 1, "a const function object is called");
    expect(nodes([owned = std::make_unique<int>(1)]() mutable { owned.reset(); }) == 0,
           "what cannot be copied is called");
    int caught = 0;
    try {
        nodes([&]() -> void {
            stream.end_capture();
            throw 77;
        });
    } catch (int thrown) {
        caught = thrown;
    }
    expect(caught == 77 && !stream.is_capturing(), "an exception wins over what became of the capture");
    expect(throws(GRAPHCAP_ERROR_CAPTURE_UNMATCHED, [&] { nodes([&] { stream.end_capture(); }); }),
           "a callable that ends the capture fails");
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { nodes([&] { load(context).kernel("absent"); }); }),
           "an error inside goes on as it is");
    bool called = false;
    expect(throws(GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED,
                  [&] {
                      const graphcap::Stream legacy = context.legacy_stream();
                      graphcap::capture(legacy, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] { called = true; });
                  }) &&
               !called,
           "a capture that cannot begin calls nothing");
}

void capture_objects(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Module module = load(context);
    const graphcap::Buffer in(context, 4 * sizeof(float)), out(context, 8 * sizeof(float));
    std::vector<float> source{1, 2, 3, 4}, result(8);
    graphcap::Capture capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, {module});
    expect(capture.is_active() && stream.is_capturing(), "the stream is captured");
    capture.record_memcpy_htod(in, source.data(), 4 * sizeof(float));
    capture.record_kernel("apply", {4}, out, in, Line{10.0f, 1.0f});
    capture.record_kernel(module.kernel("negate"), {4}, in);
    capture.record_memcpy_dtod(out, in, 2 * sizeof(float), 4 * sizeof(float), 2 * sizeof(float));
    capture.record_fill(out, 9.0f, 2, 6 * sizeof(float));
    capture.record_memcpy_dtoh(result.data(), out, 8 * sizeof(float));
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { capture.record_kernel("absent", {1}); }) &&
               throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { capture.record_kernel("negate", {{0, 1, 1}}, in); }) &&
               capture.is_active() && capture.recorded_count() == 6,
           "a mistake leaves the capture as it is");
    const graphcap::Graph graph = capture.end();
    expect(graph.node_count() == 6 && graph.edge_count() == 5 && !capture.is_active(), "n nodes have n - 1 edges");
    expect(throws(GRAPHCAP_ERROR_CAPTURE_UNMATCHED, [&] { capture.end(); }) &&
               throws(GRAPHCAP_ERROR_CAPTURE_UNMATCHED, [&] { capture.abort(); }),
           "a capture ends once");
    graph.instantiate().launch(stream);
    stream.synchronize();
    expect(result == std::vector<float>({11, 21, 31, 41, -3, -4, 9, 9}), "a replay does what was recorded");

    capture = graphcap::Capture(stream);
    capture.record_fill(out, 1.0f, 8);
    capture.abort();
    expect(!stream.is_capturing(), "an abort ends the capture");
    try {
        const graphcap::Capture dropped(stream, GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL);
        dropped.record_fill(out, 1.0f, 8);
        throw std::runtime_error("in the middle");
    } catch (const std::runtime_error&) {
        expect(!stream.is_capturing(), "what goes out of scope ends and discards");
    }
}

void capture_whose_stream_is_moved(const graphcap::Context& context) {
    graphcap::Stream stream(context), kept;
    const graphcap::Graph graph =
        graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] { kept = std::move(stream); });
    expect(graph.node_count() == 0, "the capture ended");
    kept.synchronize();
}

void captures_under_way(const graphcap::Context& context) {
    const graphcap::Stream stream(context), other(context);
    const graphcap::Buffer buffer(context, 4);
    stream.begin_capture(GRAPHCAP_CAPTURE_MODE_GLOBAL);
    expect(stream.capture_frontier().empty(), "nothing was recorded yet");
    stream.fill(buffer, std::uint32_t{1}, 1);
    const std::vector<graphcap::Node> first = stream.capture_frontier();
    stream.fill(buffer, std::uint32_t{2}, 1);
    stream.update_capture_dependencies(first, GRAPHCAP_CAPTURE_DEPENDENCIES_SET);
    for (std::uint32_t i = 0; i < 40; i++) stream.fill(buffer, i, 1);
    const gc_capture_info info = stream.capture_info();
    expect(info.status == GRAPHCAP_CAPTURE_STATUS_ACTIVE && info.id != 0 && info.node_count == 42, "the info is right");
    expect(stream.capture_dot().find("digraph") == 0, "a capture under way has a picture");
    {
        const graphcap::ThreadCaptureMode relaxed(GRAPHCAP_CAPTURE_MODE_RELAXED);
        expect(relaxed.before() == GRAPHCAP_CAPTURE_MODE_GLOBAL, "the mode before is told");
        other.synchronize();
    }
    const graphcap::Graph graph = stream.end_capture();
    const std::vector<graphcap::Node> nodes = graph.nodes();
    const std::vector<graphcap::Edge> edges = graph.edges();
    expect(nodes.size() == 42 && edges.size() == 41 && nodes.front() == first.front(), "nodes and edges are told");
    int branches = 0;
    for (const graphcap::Edge& edge : edges) branches += edge.from == first.front();
    expect(branches == 2, "two nodes follow the first");

    const graphcap::Graph built(context);
    try {
        stream.begin_capture_to_graph(built, {}, GRAPHCAP_CAPTURE_MODE_GLOBAL);
    } catch (const graphcap::Error& error) {
        expect(error.status() == GRAPHCAP_ERROR_NOT_SUPPORTED, "an old driver cannot capture into a graph");
        return;
    }
    stream.fill(buffer, std::uint32_t{1}, 1);
    expect(stream.end_capture().node_count() == 1 && built.node_count() == 1, "the end gives the same graph");
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
        capture_and_replay(context);
        capture_that_throws(context);
        guarded_context(context);
    strict_captures(context);
        capture_whose_stream_is_moved(context);
        captures_under_way(context);
        captures_by_any_callable(context);
        capture_objects(context);
        recording(context);
        graph_of_a_capture(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
