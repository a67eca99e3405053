// Tests graphcap/memory.hpp and graphcap/work.hpp: host buffers, memory of the caller's, and what copies and sets it.
#include "hpp_check.h"

#include <atomic>
#include <cstring>
#include <exception>
#include <vector>

namespace {

using graphcap::Graph;

constexpr std::size_t WORDS = 16, BYTES = WORDS * sizeof(std::uint32_t);

std::uint32_t* words_of(const graphcap::HostBuffer& buffer) { return static_cast<std::uint32_t*>(buffer.data()); }

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
    const gc_memcpy_params whole = graphcap::copy_dtoh(pinned, buffer, 4);
    expect(whole.height == 1 && whole.depth == 1 && graphcap::fill_with(buffer, 9, 1).height == 1, "copies and fills are of one row");
    context.synchronize();
    expect(bytes[0] == 9 && eventually([&] { return released == 1; }), "pinned memory is handed back");
    graphcap::Capture capture(stream);
    capture.record_fill(nines);
    capture.record_copy(out);
    expect(capture.end().node_count() == 2, "copies and fills of rows are recorded");
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
    graphcap::begin_memory_block(plain.address(), 16, "block", 1);
    graphcap::end_memory_block(plain.address(), 1);
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { graphcap::begin_memory_block(plain.address(), 0, "", 1); }),
           "a block has bytes");
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

void batches(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::HostBuffer pinned(context, BYTES);
    const graphcap::Buffer buffer(context, BYTES);
    const std::vector<std::uint32_t> from(WORDS, 3);
    std::size_t failed = 0;
    stream.copy_batch({});
    stream.copy_batch({graphcap::copy_htod(buffer, from.data(), 4), graphcap::copy_htod(buffer, from.data(), 4, 4)}, &failed);
    stream.copy_batch({graphcap::copy_dtoh(pinned, buffer, 4), graphcap::copy_dtoh(pinned, buffer, 4, 4, 4)});
    stream.synchronize();
    expect(failed == SIZE_MAX && words_of(pinned)[0] == 3 && words_of(pinned)[1] == 3, "copies are made together");
    const auto overrun = [&] {
        stream.copy_batch({graphcap::copy_dtoh(pinned, buffer, 4), graphcap::copy_dtoh(pinned, buffer, BYTES + 1)}, &failed);
    };
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, overrun) && failed == 1, "a batch tells which copy is wrong");
}

// A graph keeps the host buffers that it copies from and to, and copies at their offsets.
void kept_host_buffers(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer words(context, BYTES);
    const graphcap::HostBuffer last(context, BYTES);
    graphcap::GraphExec exec;
    std::vector<std::uint32_t> read(WORDS, 0);
    std::memset(last.data(), 0, BYTES);
    stream.fill(words, std::uint32_t{0}, WORDS);
    stream.synchronize();
    {
        const graphcap::HostBuffer in(context, BYTES), through(context, BYTES);
        for (std::uint32_t i = 0; i < WORDS; i++) words_of(in)[i] = i;
        const Graph graph(context);
        const auto first = graph.add_memcpy({}, graphcap::copy_htod(words, in, 8, 4, 8));
        const auto second = graph.add_memcpy(first, graphcap::copy_dtoh(through, words, 8, 12, 4));
        const auto third = graph.add_memcpy(second, graphcap::copy_htoh(last, through, 8, 16, 12));
        graph.add_memcpy(third, graphcap::copy_htoh(read.data(), through, 4, 16));
        exec = graph.instantiate();
    }
    // What takes the place of the buffers, were they gone.
    std::vector<graphcap::HostBuffer> others;
    for (int i = 0; i < 4; i++) {
        others.emplace_back(context, BYTES);
        std::memset(others.back().data(), 0xff, BYTES);
    }
    exec.launch(stream);
    stream.synchronize();
    expect(words_of(last)[3] == 0 && words_of(last)[4] == 2 && words_of(last)[5] == 3 && words_of(last)[6] == 0 && read[0] == 3,
           "a graph keeps host buffers");

    const graphcap::HostBuffer both(context, BYTES);
    words_of(both)[0] = 8, words_of(both)[1] = 9;
    stream.memcpy_htod(words, both, 4, 8, 4);
    stream.memcpy_dtoh(both, words, 4, 12, 8);
    stream.copy(graphcap::copy_htoh(both, read.data(), 4, 16));
    stream.synchronize();
    expect(words_of(both)[3] == 9 && words_of(both)[4] == 3, "streams copy from and to host buffers");
    const graphcap::Capture capture(stream);
    capture.record_memcpy_htod(words, both, 4, 0, 12);
    capture.record_memcpy_dtoh(both, words, 4, 20, 0);
    run(capture.end(), stream);
    expect(words_of(both)[5] == 9, "and captures record it");

    const graphcap::HostBuffer none;
    const auto refuses = [](auto&& make) { return throws(GRAPHCAP_ERROR_INVALID_HANDLE, make); };
    expect(refuses([&] { graphcap::copy_htod(words, none, 0); }) && refuses([&] { graphcap::copy_dtoh(none, words, 0); }) &&
               refuses([&] { graphcap::copy_htoh(none, none, 0); }) &&
               refuses([&] { graphcap::copy_htoh(none, read.data(), 0); }) &&
               refuses([&] { graphcap::copy_htoh(read.data(), none, 0); }),
           "an empty host buffer is no plain memory");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        pinned_memory_and_rows(context);
        wrapped_memory(context);
        host_memory(context);
        batches(context);
        kept_host_buffers(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
