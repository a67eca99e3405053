// What the tests of graphcap.hpp share: assertions that count, and the kernels, which hpp.cu has for a GPU.
// A failure is printed and counted, so that one run shows everything that is wrong. The tests run on the device that
// GRAPHCAP_DEVICE chooses.
#ifndef HPP_CHECK_H
#define HPP_CHECK_H

#include "hpp_ptx.h"

#include <graphcap.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

namespace {

int failures = 0;

void fail(const char* what) {
    std::fprintf(stderr, "failed: %s\n", what);
    failures++;
}

void expect(bool holds, const char* what) {
    if (!holds) fail(what);
}

int skips = 0;

// Whether the test is to be skipped, since it cannot apply to a GPU.
[[maybe_unused]] bool skipped_on_cuda(const graphcap::Context& context, const char* test, const char* reason) {
    if (context.device_kind() != GRAPHCAP_DEVICE_CUDA) return false;
    std::fprintf(stderr, "skipped on cuda: %s: %s\n", test, reason);
    skips++;
    return true;
}

// Whether `call` throws graphcap::Error of the status, with a message.
template <class F>
bool throws(gc_status status, F&& call) {
    try {
        call();
    } catch (const graphcap::Error& error) {
        return error.status() == status && std::string(error.what()).find(gc_status_name(status)) == 0;
    }
    return false;
}

// The text of the exception that `call` throws; empty where it throws none.
template <class F>
std::string thrown(F&& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

// Releases happen on threads of the library's: waits for one, for as long as a busy machine may need.
template <class F>
bool eventually(F&& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!holds() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return holds();
}

struct Line {
    float slope, offset;
};

void apply(const gc_host_block& block, float* out, const float* in, Line line) {
    const std::uint32_t i = block.block_index[0];
    out[i] = line.slope * in[i] + line.offset;
}

std::int32_t negate(const gc_host_block& block, float* data) noexcept {
    data[block.block_index[0]] *= -1.0f;
    return 0;
}

[[maybe_unused]] graphcap::Module load(const graphcap::Context& context) {
    return graphcap::Module(context, hpp_ptx, sizeof hpp_ptx,
                            {graphcap::host_kernel<apply>("apply"), graphcap::host_kernel<negate>("negate")});
}

// Runs a graph once, to the end.
[[maybe_unused]] void run(const graphcap::Graph& graph, const graphcap::Stream& stream) {
    graph.instantiate().launch(stream);
    stream.synchronize();
}

// An object of the caller's that counts how many of it are alive.
struct Counted {
    explicit Counted(std::atomic<int>& alive_) : alive(&alive_) { ++*alive; }
    Counted(Counted&& other) noexcept : alive(other.alive) { ++*alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    Counted& operator=(Counted&&) = delete;
    ~Counted() { --*alive; }
    std::atomic<int>* alive;
};

// The exit status of the program, which leaves no handle.
int check_finish() {
    expect(graphcap::live_handles() == 0, "no handle is left");
    std::fprintf(stderr, "%d failed, %d skipped\n", failures, skips);
    return failures == 0 ? 0 : 1;
}

} // namespace

#endif
