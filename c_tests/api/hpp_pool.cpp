// Tests graphcap/pool.hpp, and captures with pools in graphcap/capture.hpp and graphcap/stream.hpp.
#include "hpp_check.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace {

#define CHECK(condition) expect((condition), #condition)
#define CHECK_THROWS(status, ...) expect(throws(status, [&] { (void)(__VA_ARGS__); }), #__VA_ARGS__)

bool await(const std::atomic<int>& alive, int wanted) {
    return eventually([&] { return alive == wanted; });
}

void a_pool_keeps_objects_for_its_graphs(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    std::atomic<int> alive{0};
    graphcap::GraphExec exec;
    std::uint64_t id = 0;
    {
        const graphcap::Pool pool(context);
        graphcap::Buffer buffer(context, 16);
        CHECK(pool.add(buffer) == 0);
        CHECK(pool.add_object(Counted(alive)) == 1);
        exec = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool, [&] { stream.fill(buffer, 1u, 4); })
                   .instantiate();
        id = pool.id();
        CHECK(pool.buffer_count() == 2 && id > 0);
        CHECK_THROWS(GRAPHCAP_ERROR_BUSY, pool.clear());
        CHECK(graphcap::Stream(pool.context()).get() != nullptr);
    }
    CHECK(exec.has_pool() && exec.pool_buffer_count() == 2 && exec.pool().id() == id);
    exec.launch(stream);
    stream.synchronize();
    CHECK(alive == 1);
    exec = graphcap::GraphExec();
    CHECK(await(alive, 0));
}

void every_capture_takes_a_pool(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Pool pool(context, std::size_t{4} << 20);
    const graphcap::Buffer buffer = pool.allocate(64);
    const auto submit = [&] { stream.fill(buffer, 7u, 16); };
    std::vector<graphcap::Graph> graphs;
    stream.begin_capture(GRAPHCAP_CAPTURE_MODE_RELAXED, pool);
    submit();
    graphs.push_back(stream.end_capture());
    stream.begin_capture(GRAPHCAP_CAPTURE_MODE_RELAXED);
    submit();
    graphs.push_back(stream.end_capture(pool));
    graphcap::Capture capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool);
    submit();
    graphs.push_back(capture.end());
    for (const graphcap::Graph& graph : graphs) CHECK(graph.instantiate().pool().id() == pool.id());
    const graphcap::Graph plain = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, submit);
    const graphcap::GraphExec exec = plain.instantiate();
    CHECK(!exec.has_pool() && exec.pool_buffer_count() == 0);
    CHECK_THROWS(GRAPHCAP_ERROR_NOT_FOUND, exec.pool());
    CHECK_THROWS(GRAPHCAP_ERROR_OUT_OF_MEMORY, pool.allocate(std::size_t{4} << 20));
}

void a_sealed_pool_refuses(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Pool pool(context);
    std::atomic<int> alive{0};
    pool.seal();
    CHECK(pool.is_sealed());
    CHECK_THROWS(GRAPHCAP_ERROR_SEALED, pool.add_object(Counted(alive)));
    CHECK(alive == 0);
    CHECK_THROWS(GRAPHCAP_ERROR_SEALED, stream.begin_capture(GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    CHECK_THROWS(GRAPHCAP_ERROR_SEALED, graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool, [] {}));
    CHECK_THROWS(GRAPHCAP_ERROR_SEALED, graphcap::Capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool));
    pool.unseal();
    CHECK(!pool.is_sealed());
    CHECK(pool.add_object(Counted(alive)) == 0);
    CHECK(alive == 1);
    pool.clear();
    CHECK(await(alive, 0));
}

void a_pool_returns_its_memory(const graphcap::Context& context) {
    const graphcap::Pool pool(context, std::size_t{1} << 20);
    graphcap::Buffer buffer = pool.allocate(1000);
    const gc_pool_memory memory = pool.memory();
    CHECK(memory.capacity >= (1u << 20) && memory.reserved_bytes >= 1024);
    CHECK(memory.used_bytes == 1024 && memory.used_high == 1024);
    buffer = graphcap::Buffer();
    context.collect();
    pool.trim();
    CHECK(pool.memory().reserved_bytes == 0 && pool.memory().used_bytes == 0 && pool.memory().used_high == 1024);
}

// Whether each block of a pool is an allocation of its own, as where memory is guarded. Such memory is not used again.
bool blocks_lie_apart() {
    const auto is = [](const char* name, const char* value) {
        const char* text = std::getenv(name);
        return text != nullptr && std::string(text) == value;
    };
    return is("GRAPHCAP_HOST_MEMORY", "guard") || is("GRAPHCAP_CUDA_MEMORY", "guard") || is("GRAPHCAP_POOL_DIRECT", "1") ||
           is("GRAPHCAP_CHECK_ACCESS", "1") || is("GRAPHCAP_CHECK_ACCESS", "pages");
}

void captures_use_memory_again(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    for (const std::int32_t reuse : {GRAPHCAP_POOL_REUSE_ORDERED, GRAPHCAP_POOL_REUSE_NEVER}) {
        const graphcap::Pool pool(context, std::size_t{1} << 20, 0, reuse);
        stream.begin_capture(GRAPHCAP_CAPTURE_MODE_GLOBAL);
        graphcap::Buffer first = stream.allocate(pool, 1024);
        stream.fill(first, std::uint32_t{1}, 1);
        const std::uint64_t at = first.address();
        stream.free_from_pool(first);
        CHECK(first.get() == nullptr);
        const graphcap::Buffer second = stream.allocate(pool, 1024);
        CHECK((second.address() == at) == (reuse == GRAPHCAP_POOL_REUSE_ORDERED && !blocks_lie_apart()));
        const graphcap::Graph graph = stream.end_capture();
        graphcap::Buffer empty;
        CHECK_THROWS(GRAPHCAP_ERROR_INVALID_HANDLE, stream.free_from_pool(empty));
    }
}

void pools_are_looked_up(const graphcap::Context& context) {
    graphcap::Pool pool(context);
    const std::uint64_t id = pool.register_id();
    CHECK(id == pool.id());
    pool = graphcap::Pool();
    CHECK(graphcap::Pool::lookup(id).id() == id);
    graphcap::Pool::unregister(id);
    CHECK_THROWS(GRAPHCAP_ERROR_NOT_FOUND, graphcap::Pool::lookup(id));
}

void graphs_share_memory(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Pool pool(context, std::size_t{1} << 20, GRAPHCAP_POOL_SHARED);
    std::vector<graphcap::GraphExec> execs;
    for (std::uint32_t value : {1u, 2u}) {
        const auto submit = [&] { stream.fill(pool.allocate(4096), value, 1024); };
        execs.push_back(graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, pool, submit).instantiate());
    }
    CHECK(pool.memory().used_bytes == (blocks_lie_apart() ? 8192u : 4096u));
    for (const graphcap::GraphExec& exec : execs) exec.launch(stream);
    stream.synchronize();
    CHECK(context.memory_report().find(", shared by its graphs, 0 objects") != std::string::npos);
    CHECK_THROWS(GRAPHCAP_ERROR_INVALID_VALUE, graphcap::Pool(context, 0, 2));
}

}  // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        a_pool_keeps_objects_for_its_graphs(context);
        every_capture_takes_a_pool(context);
        a_sealed_pool_refuses(context);
        a_pool_returns_its_memory(context);
        captures_use_memory_again(context);
        pools_are_looked_up(context);
        graphs_share_memory(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
