// Tests graphcap.hpp: ownership, exceptions, texts, work that runs at once, streams and events.
// Counts failures and exits non-zero, so that one run shows everything that is wrong. Runs on the device that
// GRAPHCAP_DEVICE chooses; the kernels for a GPU are in hpp.cu.
#include "hpp_check.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

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
        int some = 0;
        expect(none([&] { graphcap::Graph::wrap(context, &some); }) && none([&] { graphcap::GraphExec::wrap(context, &some); }) &&
                   none([&] { graphcap::GraphExec::wrap(context, &some, graph); }),
               "neither graphs nor execs");
        return;
    }
    expect(context.native() && event.native() && module.native() && kernel.native() && graph.native() && exec.native(),
           "a GPU has native handles");
    const graphcap::Stream same = graphcap::Stream::wrap(context, stream.native());
    expect(same.native() == stream.native(), "a wrapped stream is the same stream");
    const auto other = graphcap::Graph::wrap(context, graph.native());
    expect(other.native() == graph.native() && other.node_count() == graph.node_count(), "a wrapped graph is the same graph");
    expect(graphcap::GraphExec::wrap(context, exec.native(), graph).native() == exec.native(), "a wrapped exec is the same exec");
    expect(graphcap::GraphExec::wrap(context, exec.native()).native() == exec.native(), "an exec without its graph too");
    const graphcap::Buffer buffer(context, 16);
    std::vector<std::uint32_t> words(4);
    stream.fill(buffer, std::uint32_t{1}, 4);
    same.fill(buffer, std::uint32_t{2}, 2);
    stream.memcpy_dtoh(words.data(), buffer, 16);
    same.synchronize();
    expect(words == std::vector<std::uint32_t>({2, 2, 1, 1}), "both handles of a stream keep one order");
}

void contexts(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Event event(context);
    const graphcap::Buffer buffer(context, 64);
    const graphcap::HostBuffer pinned(context, 64);
    const graphcap::Graph graph(context);
    const graphcap::GraphExec exec = graph.instantiate();
    for (const graphcap::Context& told : {stream.context(), event.context(), buffer.context(), graph.context(),
                                          pinned.context(), exec.context()})
        expect(told.device_kind() == context.device_kind() && told.device_ordinal() == context.device_ordinal(),
               "an object tells its context");
    const graphcap::Buffer another(buffer.context(), 64);
    stream.memcpy_dtod(another, buffer, 64);
    stream.synchronize();
}

void resets() {
    const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
    const graphcap::Stream stream(context);
    const graphcap::Graph graph(context);
    const graphcap::GraphExec exec = graph.instantiate();
    expect(context.generation() == 1 && exec.generation() == 1, "a context begins with its first generation");
    context.reset_context();
    expect(context.generation() == 2, "a reset begins another one");
    expect(throws(GRAPHCAP_ERROR_STALE, [&] { exec.launch(stream); }), "what is older is stale");
    expect(throws(GRAPHCAP_ERROR_STALE, [&] { exec.generation(); }), "a stale exec tells nothing");
    const graphcap::Stream another(context);
    another.synchronize();
    expect(graphcap::Graph(context).instantiate().generation() == 2, "the context goes on");
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
        events_and_streams(context);
        native_handles(context);
        contexts(context);
        resets();
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
