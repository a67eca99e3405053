// Tests graphcap.hpp: ownership, exceptions, typed kernels, captures that end whatever happens.
// Counts failures and exits non-zero, so that one run shows everything that is wrong. Runs on the device that
// GRAPHCAP_DEVICE chooses; the kernels for a GPU are in hpp.cu.
#include "hpp_check.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

std::int32_t refuse(const gc_host_block&, std::int32_t answer) { return answer; }

void complain(const gc_host_block&) { throw std::runtime_error("a kernel's exception"); }

template <class T>
constexpr bool owns_uniquely = !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T> &&
                               std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>;
static_assert(owns_uniquely<graphcap::Context> && owns_uniquely<graphcap::Stream> && owns_uniquely<graphcap::Event> &&
                  owns_uniquely<graphcap::Buffer> && owns_uniquely<graphcap::Module> &&
                  owns_uniquely<graphcap::Kernel> && owns_uniquely<graphcap::Graph> &&
                  owns_uniquely<graphcap::GraphExec> && owns_uniquely<graphcap::Capture>,
              "handles have one owner");

void ownership(const graphcap::Context& context) {
    const std::uint64_t before = graphcap::live_handles();
    graphcap::Buffer buffer(context, 64);
    expect(buffer && graphcap::live_handles() == before + 1, "a buffer is one live handle");
    graphcap::Buffer moved(std::move(buffer));
    expect(!buffer && buffer.get() == nullptr && moved.size() == 64, "a move empties the source");
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { buffer.size(); }), "an empty object throws");
    buffer = std::move(moved);
    buffer = graphcap::Buffer(context, 32);
    expect(buffer.size() == 32 && graphcap::live_handles() == before + 1, "assignment destroys what it replaces");
    gc_buffer* raw = buffer.release();
    expect(!buffer && graphcap::live_handles() == before + 1, "release keeps the handle alive");
    graphcap::Buffer adopted(raw);
    expect(adopted.size() == 32, "a released handle can be adopted");
    adopted.reset();
    expect(!adopted && graphcap::live_handles() == before, "reset destroys");
}

void errors(const graphcap::Context& context) {
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graphcap::Buffer(context, 0); }), "allocating 0 bytes throws");
    expect(!graphcap::last_error_message().empty(), "a failure leaves a message");
    const graphcap::Module module = load(context);
    expect(throws(GRAPHCAP_ERROR_NOT_FOUND, [&] { module.kernel("absent"); }), "an absent kernel throws");
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 16);
    const graphcap::Kernel negate_kernel = module.kernel("negate");
    expect(negate_kernel.module().kernel("apply").name() == "apply", "a kernel tells its module");
    expect(module.context().device_kind() == context.device_kind(), "a module tells its context");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { stream.launch(negate_kernel, {1}, buffer, 1); }),
           "too many arguments throw");
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { stream.launch(negate_kernel, {1}, 1.0f); }),
           "an argument of the wrong size throws");
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_STATE, [&] { stream.end_capture(); }), "ending no capture throws");
}

void texts(const graphcap::Context& context) {
    expect(!context.device_name().empty(), "the device has a name");
    expect(context.device_name() == graphcap::device_name(context.device_kind(), 0), "the context is on device 0");
    expect(graphcap::device_count(context.device_kind()) >= 1, "there is a device");
    expect(graphcap::device_auto_reason().find("because") != std::string::npos, "it is told why the device is taken");
    const graphcap::Kernel kernel = load(context).kernel("apply");
    expect(kernel.name() == "apply", "a kernel has a name");
    expect(kernel.parameter_count() == 3 && kernel.parameter_size(2) == sizeof(Line),
           "parameters come from the signature");
}

void long_texts(const graphcap::Context& context) {
    if (skipped_on_cuda(context, "long_texts", "no kernel of an image has so long a name")) return;
    const std::string name(300, 'k');
    const graphcap::Module module(context, {graphcap::host_kernel<apply>(name.c_str())});
    expect(module.kernel(name.c_str()).name() == name, "a long text arrives whole");
}

void eager_work(const graphcap::Context& context) {
    const graphcap::Stream stream(context, GRAPHCAP_STREAM_NON_BLOCKING);
    const graphcap::Module module = load(context);
    const graphcap::Buffer in(context, 4 * sizeof(float)), out(context, 8 * sizeof(float));
    std::vector<float> result(8);
    stream.fill(in, 3.0f, 4);
    stream.fill(in, std::uint8_t{0}, 4, 3 * sizeof(float));
    stream.fill(out, 9.0f, 8);
    stream.launch(module.kernel("apply"), {4}, graphcap::at(out, 4 * sizeof(float), GRAPHCAP_ACCESS_WRITE), in,
                  Line{2.0f, 1.0f});
    stream.memcpy_dtod(out, out, sizeof(float), 0, 4 * sizeof(float));
    stream.memcpy_dtoh(result.data(), out, 8 * sizeof(float));
    stream.synchronize();
    expect(result == std::vector<float>({7, 9, 9, 9, 7, 7, 7, 1}), "typed arguments, offsets, fills and copies arrive");
    expect(stream.is_complete(), "a synchronised stream is complete");

    const graphcap::Context elsewhere(context.device_kind());
    const graphcap::Buffer lent(elsewhere, 8 * sizeof(float));
    stream.memcpy_peer(lent, out, 2 * sizeof(float), 0, 3 * sizeof(float));
    stream.synchronize();
    context.memcpy_peer(out, lent, 2 * sizeof(float), 6 * sizeof(float));
    stream.memcpy_dtoh(result.data(), out, 8 * sizeof(float));
    stream.synchronize();
    expect(result == std::vector<float>({7, 9, 9, 9, 7, 7, 9, 7}), "copies between contexts arrive");

    const graphcap::Stream other(context, GRAPHCAP_STREAM_NON_BLOCKING);
    const graphcap::Buffer values = graphcap::Buffer::waitable(context, 32);
    std::vector<std::uint64_t> seen(4);
    stream.fill(values, std::uint8_t{0}, 32);
    stream.synchronize();
    stream.wait_value(values, 1, GRAPHCAP_WAIT_VALUE_GEQ);
    stream.wait_value(values, std::uint64_t{5} << 32, GRAPHCAP_WAIT_VALUE_EQ, 8);
    stream.write_value(values, 2, 16, GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER);
    expect(!stream.is_complete(), "a wait holds its stream");
    other.write_value(values, 1);
    other.batch_mem_op({GRAPHCAP_MEM_OP_INIT_WAIT32(values.get(), 0, 1, GRAPHCAP_WAIT_VALUE_EQ),
                        GRAPHCAP_MEM_OP_INIT_WRITE64(values.get(), 24, 3, GRAPHCAP_WRITE_VALUE_DEFAULT)});
    other.write_value(values, std::uint64_t{5} << 32, 8);
    stream.synchronize();
    other.synchronize();
    stream.memcpy_dtoh(seen.data(), values, 32);
    stream.synchronize();
    expect(seen == std::vector<std::uint64_t>({1, std::uint64_t{5} << 32, 2, 3}), "values are written and waited for");
    const graphcap::Buffer managed = graphcap::Buffer::managed(context, 8);
    stream.attach(managed, GRAPHCAP_MEM_ATTACH_SINGLE);
    stream.fill(managed, std::uint32_t{7}, 2);
    stream.synchronize();
    const auto* const words = reinterpret_cast<const std::uint32_t*>(managed.address());
    expect(words[0] == 7 && words[1] == 7, "the CPU sees managed memory");

    const graphcap::Event start(context), end(context);
    start.record(stream);
    end.record(stream);
    end.synchronize();
    expect(end.is_complete() && graphcap::elapsed_time(start, end) >= 0.0f, "events take the time");
    context.legacy_stream().synchronize();
    context.per_thread_stream().synchronize();
    context.synchronize();
    context.collect();
}

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

// Times inside of a graph, waits with a limit, and what streams tell of themselves.
void events_and_streams(const graphcap::Context& context) {
    const auto [least, greatest] = context.stream_priority_range();
    const graphcap::Stream stream(context, GRAPHCAP_STREAM_NON_BLOCKING, greatest);
    const graphcap::Stream other(context);
    const graphcap::Event start(context), end(context);
    const graphcap::Buffer buffer(context, 16);
    const graphcap::Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_RELAXED, [&] {
        stream.wait_event_external(end);
        start.record_external(stream);
        stream.fill(buffer, 1, 4);
        end.record_external(stream);
    });
    expect(graph.node_count() == 4, "external records and waits are nodes");
    const auto exec = graph.instantiate();
    exec.launch(stream);
    const auto minute = std::chrono::minutes(1);
    expect(end.synchronize_for(minute) && stream.synchronize_for(minute), "a replay records events");
    expect(graphcap::elapsed_time(start, end) >= 0, "which have times");
    expect(context.synchronize_for(minute), "a context is waited for");
    expect(least >= greatest && stream.priority() == greatest, "a priority is remembered");
    expect(stream.flags() == GRAPHCAP_STREAM_NON_BLOCKING && other.flags() == 0, "and so are flags");
    stream.set_synchronization_policy(GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD);
    stream.set_memory_sync_domain(GRAPHCAP_MEMORY_SYNC_DOMAIN_DEFAULT);
    gc_access_policy_window window{};
    stream.set_access_policy_window(window);
    other.set_priority(least);
    other.copy_attributes(stream);
    expect(other.attribute(GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY).synchronization_policy ==
               GRAPHCAP_SYNCHRONIZATION_POLICY_YIELD,
           "attributes are copied");
    const graphcap::Event shared(context, GRAPHCAP_EVENT_INTERPROCESS | GRAPHCAP_EVENT_DISABLE_TIMING);
    if (context.device_kind() == GRAPHCAP_DEVICE_HOST) {
        expect(throws(GRAPHCAP_ERROR_NOT_SUPPORTED, [&] { shared.ipc_handle(); }) &&
                   throws(GRAPHCAP_ERROR_NOT_SUPPORTED, [&] { graphcap::Event::open_ipc(context, {}); }),
               "events of the host device are of one process");
    }
    const graphcap::Stream held(context, GRAPHCAP_STREAM_NON_BLOCKING);
    std::atomic<bool> open{false};
    held.launch_host_func([&] {
        while (!open) std::this_thread::yield();
    });
    expect(!held.synchronize_for(std::chrono::milliseconds(1)), "held work is not waited for any longer");
    open = true;
    expect(held.synchronize_for(minute), "and then it is complete");
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

// Memory to wrap, four words: the CPU's for the host device, for a GPU that of another buffer.
struct Foreign {
    explicit Foreign(const graphcap::Context& context) : backing(context, 16), stream(context) {
        if (context.device_kind() == GRAPHCAP_DEVICE_CUDA) address = reinterpret_cast<void*>(backing.address());
    }
    std::vector<std::uint32_t> read() {
        if (address != words.data()) {
            stream.memcpy_dtoh(words.data(), backing, 16);
            stream.synchronize();
        }
        return words;
    }
    std::vector<std::uint32_t> words = std::vector<std::uint32_t>(4, 0);
    void* address = words.data();
    graphcap::Buffer backing;
    graphcap::Stream stream;
};

void pinned_memory_and_rows(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 64);
    const graphcap::HostBuffer pinned(context, 64, GRAPHCAP_HOST_BUFFER_MAPPED);
    int released = 0;
    std::vector<unsigned char> memory(64, 3);
    auto* const bytes = static_cast<unsigned char*>(pinned.data());
    expect(pinned.size() == 64 && pinned.device_address() != 0, "a host buffer tells its size and address");
    std::memset(bytes, 0, 64);
    gc_memcpy_params out = GRAPHCAP_MEMCPY_INIT_DTOH(nullptr, buffer.get(), 0, 4);
    out.destination_host_buffer = pinned.get();
    out.height = 2;
    out.source_pitch = out.destination_pitch = 16;
    const gc_memset_params nines = GRAPHCAP_MEMSET_INIT(buffer.get(), 0, 9, 1, 4, 4, 16);
    context.fill(nines);
    context.copy(out);
    expect(bytes[0] == 9 && bytes[3] == 9 && bytes[4] == 0 && bytes[16] == 9 && bytes[32] == 0, "rows are copied");
    {
        const graphcap::HostBuffer own =
            graphcap::HostBuffer::pin(context, memory.data(), memory.size(), 0, [&] { released++; });
        gc_memcpy_params in = GRAPHCAP_MEMCPY_INIT_HTOD(buffer.get(), 0, nullptr, 64);
        in.source_host_buffer = own.get();
        stream.copy(in);
        stream.fill(nines);
        stream.copy(out);
    }
    context.synchronize();
    expect(bytes[0] == 9 && eventually([&] { return released == 1; }), "pinned memory is handed back");
    graphcap::Capture capture(stream);
    capture.record_fill(nines);
    capture.record_copy(out);
    expect(capture.end().node_count() == 2, "copies and fills of rows are recorded");
}

void native_handles(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Event event(context);
    const graphcap::Module module = load(context);
    const graphcap::Kernel kernel = module.kernel("negate");
    const graphcap::Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [] {});
    const graphcap::GraphExec exec = graph.instantiate();
    if (context.device_kind() == GRAPHCAP_DEVICE_HOST) {
        const auto none = [](auto&& call) { return throws(GRAPHCAP_ERROR_NOT_SUPPORTED, call); };
        expect(none([&] { context.native(); }) && none([&] { stream.native(); }) && none([&] { event.native(); }) &&
                   none([&] { module.native(); }) && none([&] { kernel.native(); }) && none([&] { graph.native(); }) &&
                   none([&] { exec.native(); }),
               "the host device has no native handles");
        expect(none([&] { graphcap::Stream::wrap(context, nullptr); }), "the host device has nothing to wrap");
        return;
    }
    expect(context.native() && event.native() && module.native() && kernel.native() && graph.native() && exec.native(),
           "a GPU has native handles");
    const graphcap::Stream same = graphcap::Stream::wrap(context, stream.native());
    expect(same.native() == stream.native(), "a wrapped stream is the same stream");
    const graphcap::Buffer buffer(context, 16);
    std::vector<std::uint32_t> words(4);
    stream.fill(buffer, std::uint32_t{1}, 4);
    same.fill(buffer, std::uint32_t{2}, 2);
    stream.memcpy_dtoh(words.data(), buffer, 16);
    same.synchronize();
    expect(words == std::vector<std::uint32_t>({2, 2, 1, 1}), "both handles of a stream keep one order");
}

void wrapped_memory(const graphcap::Context& context) {
    Foreign foreign(context);
    std::atomic<int> releases{0};
    const graphcap::Stream stream(context);
    graphcap::Buffer buffer = graphcap::Buffer::wrap(context, foreign.address, 16, [&] { ++releases; });
    stream.fill(buffer, std::uint32_t{7}, 4);
    stream.synchronize();
    expect(foreign.read() == std::vector<std::uint32_t>(4, 7) && releases == 0, "wrapped memory is written");
    buffer.reset();
    expect(eventually([&] { return releases == 1; }), "wrapped memory is released");
    const auto wrap_nothing = [&] { graphcap::Buffer::wrap(context, nullptr, 16, [&] { ++releases; }); };
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, wrap_nothing) && eventually([&] { return releases == 2; }),
           "a wrap that fails releases as well");
    const graphcap::Buffer plain = graphcap::Buffer::wrap(context, foreign.address, 16);
    expect(plain.size() == 16, "memory can be wrapped without a callback");
}

// On the host device, also where there is a GPU: these are ways in which a host kernel faults.
void faults(const char* kernel_name, bool with_answer) {
    const graphcap::Context context(GRAPHCAP_DEVICE_HOST);
    const graphcap::Stream stream(context);
    const graphcap::Module module(
        context, {graphcap::host_kernel<refuse>("refuse"), graphcap::host_kernel<complain>("complain")});
    const graphcap::Kernel kernel = module.kernel(kernel_name);
    if (with_answer) {
        stream.launch(kernel, {1}, std::int32_t{0});
        stream.synchronize();
        stream.launch(kernel, {1}, std::int32_t{5});
    } else {
        stream.launch(kernel, {1});
    }
    expect(throws(GRAPHCAP_ERROR_ILLEGAL_ADDRESS, [&] { stream.synchronize(); }), kernel_name);
}

void kernels_from_a_vector(const graphcap::Context& context) {
    if (skipped_on_cuda(context, "kernels_from_a_vector", "a GPU needs an image")) return;
    const std::vector<gc_host_kernel> kernels{graphcap::host_kernel<apply>("apply"), graphcap::host_kernel<negate>("negate")};
    const graphcap::Module module(context, kernels);
    expect(module.kernel("negate").name() == "negate", "a module loads kernels from a vector");
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

} // namespace

int main() {
    try {
        graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        ownership(context);
        errors(context);
        texts(context);
        long_texts(context);
        eager_work(context);
        capture_and_replay(context);
        capture_that_throws(context);
        guarded_context(context);
        capture_whose_stream_is_moved(context);
        captures_under_way(context);
        events_and_streams(context);
        captures_by_any_callable(context);
        capture_objects(context);
        pinned_memory_and_rows(context);
        kernels_from_a_vector(context);
        native_handles(context);
        wrapped_memory(context);
        faults("complain", false);
        faults("refuse", true);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
