// graphcap.hpp: caches of graph execs.
#include "hpp_check.h"

#include <memory>
#include <stdexcept>

using graphcap::GraphCache;

namespace {

struct Shape {
    std::uint32_t index;
    std::uint32_t value;
};

// Writes the value of the shape to its place.
void record(const graphcap::Buffer& buffer, const graphcap::Stream& stream, const Shape& shape) {
    stream.fill(buffer, shape.value, 1, shape.index * sizeof shape.value);
}

std::uint32_t word(const graphcap::Stream& stream, const graphcap::Buffer& buffer, std::size_t index) {
    std::uint32_t found = 0;
    stream.memcpy_dtoh(&found, buffer, sizeof found, index * sizeof found);
    stream.synchronize();
    return found;
}

void shapes(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 64);
    auto calls = std::make_shared<int>(0);
    {
        const GraphCache<Shape> cache(
            context,
            [&buffer, calls](const graphcap::Stream& captured, const Shape& shape) {
                ++*calls;
                record(buffer, captured, shape);
            },
            GRAPHCAP_GRAPH_CACHE_SHARE_EXECS);
        expect(cache.context().get() != nullptr, "a cache tells its context");
        for (std::uint32_t round = 0; round < 3; round++) {
            for (std::uint32_t index = 0; index < 4; index++) {
                stream.fill(buffer, 0u, 1, index * sizeof(std::uint32_t));
                cache.launch({index, 10 + index}, stream);
                expect(word(stream, buffer, index) == 10 + index, "a launch does the work of its key");
            }
        }
        auto stats = cache.stats();
        expect(*calls == 4 && stats.recordings == 4 && stats.instantiations == 1, "the keys share an exec");
        expect(stats.updates == 11 && stats.keys == 4 && stats.execs == 1, "which is updated");
        cache.remove({0, 10});
        cache.launch({1, 11}, stream);
        cache.launch({0, 10}, stream);
        expect(*calls == 5, "a key that was removed is recorded anew");
        cache.clear();
        stats = cache.stats();
        expect(stats.keys == 0 && stats.bytes == 0, "no key is left");
        stream.synchronize();
    }
    expect(eventually([&] { return calls.use_count() == 1; }), "the callable is destroyed with the cache");
}

void texts(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 64);
    std::string recorded;
    const GraphCache<std::string> cache(context, [&](const graphcap::Stream& captured, const std::string& key) {
        recorded += key + ";";
        captured.fill(buffer, static_cast<std::uint32_t>(key.size()), 1);
    });
    for (const char* key : {"a", "abc", "", "a"}) cache.launch(key, stream);
    expect(recorded == "a;abc;;", "a key is a text");
    expect(word(stream, buffer, 0) == 1, "the last launch is the last one");
}

void exceptions(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 64);
    const GraphCache<Shape> cache(context, [](const graphcap::Stream&, const Shape&) { throw std::runtime_error("none"); });
    bool caught = false;
    try {
        cache.launch({0, 1}, stream);
    } catch (const std::runtime_error& error) {
        caught = std::string(error.what()) == "none";
    }
    expect(caught && cache.stats().keys == 0, "an exception leaves the launch");
    // A function of the launch takes the place of that of the cache.
    cache.launch({0, 7}, stream, [&](const graphcap::Stream& captured, const Shape& shape) { record(buffer, captured, shape); });
    cache.launch({0, 7}, stream);
    expect(word(stream, buffer, 0) == 7, "the work was recorded");
    const auto nothing = [](const graphcap::Stream&, const Shape&) {};
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, [&] { cache.launch({1, 7}, stream, nothing); }), "nothing was recorded");
    const auto nested = [&](const graphcap::Stream& captured, const Shape& shape) {
        expect(throws(GRAPHCAP_ERROR_BUSY, [&] { cache.launch({0, 7}, stream); }), "a cache is busy in its function");
        record(buffer, captured, shape);
    };
    cache.launch({2, 7}, stream, nested);
    const GraphCache<Shape> empty;
    expect(throws(GRAPHCAP_ERROR_INVALID_HANDLE, [&] { empty.launch({0, 7}, stream); }), "an empty cache is refused");
    const auto too_many = [&] { GraphCache<Shape>(context, nothing, 1u << 30); };
    expect(throws(GRAPHCAP_ERROR_INVALID_VALUE, too_many), "unknown flags are refused");
    stream.synchronize();
}

void budget(const graphcap::Context& context) {
    const graphcap::Stream stream(context);
    const graphcap::Buffer buffer(context, 64);
    const GraphCache<Shape> cache(
        context, [&](const graphcap::Stream& captured, const Shape& shape) { record(buffer, captured, shape); }, 0, 1);
    for (int round = 0; round < 2; round++) cache.launch({0, 7}, stream);
    expect(word(stream, buffer, 0) == 7, "what is too large to be kept is launched");
    expect(cache.stats().keys == 0 && cache.stats().evictions == 2, "and is not kept");
}

} // namespace

int main() {
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        shapes(context);
        texts(context);
        exceptions(context);
        budget(context);
    } catch (const std::exception& error) {
        fail(error.what());
    }
    return check_finish();
}
