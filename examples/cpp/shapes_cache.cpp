// A server whose requests have several shapes: the work of each shape is recorded once, when it first comes, and replayed from
// a cache afterwards. Requests are pictures of six sizes, which are smoothed as often as the request says.
// Usage: shapes-cache [REQUESTS]
#include "quickstart_ptx.h"

#include <graphcap.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Bytes = std::vector<std::uint8_t>;
struct Size { int width, height, channels; };
struct Direction { int x, y; };

// What the work of a request depends on. Equal shapes have equal bytes, so a shape can be a key.
struct Shape { std::int32_t width, height, passes; };

// ---- The kernel, for the host device and for the check below. The one for a GPU is in quickstart.cu.

static int pixel(const std::uint8_t* image, Size s, int x, int y) {
    return image[std::clamp(y, 0, s.height - 1) * s.width + std::clamp(x, 0, s.width - 1)];
}

static void blur_row(const std::uint8_t* in, std::uint8_t* out, Size s, Direction d, int y) {
    for (int x = 0; x < s.width; x++) {
        const int sides = pixel(in, s, x - d.x, y - d.y) + pixel(in, s, x + d.x, y + d.y);
        out[y * s.width + x] = static_cast<std::uint8_t>((sides + 2 * pixel(in, s, x, y)) / 4);
    }
}

static void blur(const gc_host_block& block, const std::uint8_t* in, std::uint8_t* out, Size s, Direction d) {
    blur_row(in, out, s, d, static_cast<int>(block.block_index[0]));
}

static Bytes expected(Bytes picture, const Shape& shape) {
    const Size size{shape.width, shape.height, 1};
    Bytes other(picture.size());
    for (int pass = 0; pass < shape.passes; pass++) {
        for (int y = 0; y < size.height; y++) blur_row(picture.data(), other.data(), size, {1, 0}, y);
        for (int y = 0; y < size.height; y++) blur_row(other.data(), picture.data(), size, {0, 1}, y);
    }
    return picture;
}

// ---- The server

class Server {
public:
    // With `flags` keys can share execs; `max_bytes` is what graphs and execs may take, 0 for no limit.
    Server(const graphcap::Context& context, std::uint32_t flags, std::uint64_t max_bytes)
        : module_(context, quickstart_ptx, sizeof quickstart_ptx, {graphcap::host_kernel<blur>("blur")}),
          blur_(module_.kernel<blur>("blur")),
          stream_(context),
          picture_(context, LARGEST),
          other_(context, LARGEST),
          cache_(
              context, [this](const graphcap::Stream& stream, const Shape& shape) { record(stream, shape); }, flags,
              max_bytes) {}

    Bytes serve(const Bytes& picture, const Shape& shape) {
        Bytes result(picture.size());
        stream_.memcpy_htod(picture_, picture.data(), picture.size());
        cache_.launch(shape, stream_);
        stream_.memcpy_dtoh(result.data(), picture_, result.size());
        stream_.synchronize();
        return result;
    }

    gc_graph_cache_stats stats() const { return cache_.stats(); }

    static constexpr std::size_t LARGEST = 256 * 256;

private:
    // Called for a shape that the cache does not have.
    void record(const graphcap::Stream& stream, const Shape& shape) {
        const Size size{shape.width, shape.height, 1};
        const graphcap::Shape rows{static_cast<std::uint32_t>(shape.height), 128};
        for (int pass = 0; pass < shape.passes; pass++) {
            stream.launch(blur_, rows, picture_, other_, size, Direction{1, 0});
            stream.launch(blur_, rows, other_, picture_, size, Direction{0, 1});
        }
    }

    graphcap::Module module_;
    graphcap::TypedKernel<void(const std::uint8_t*, std::uint8_t*, Size, Direction)> blur_;
    graphcap::Stream stream_;
    graphcap::TypedBuffer<std::uint8_t> picture_, other_;
    graphcap::GraphCache<Shape> cache_;
};

static unsigned wrong_answers(Server& server, unsigned requests) {
    const Shape shapes[] = {{64, 64, 1}, {128, 96, 1}, {256, 256, 1}, {64, 64, 4}, {100, 30, 4}, {200, 150, 4}};
    unsigned wrong = 0, random = 1;
    for (unsigned request = 0; request < requests; request++) {
        random = random * 1664525 + 1013904223;
        const Shape& shape = shapes[(random >> 16) % 6];
        Bytes picture(static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.height));
        for (std::size_t i = 0; i < picture.size(); i++) picture[i] = static_cast<std::uint8_t>((i * 37 + request) % 251);
        wrong += server.serve(picture, shape) != expected(picture, shape);
    }
    return wrong;
}

int main(int argc, char** argv) {
    const unsigned requests = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 200;
    const struct { const char* name; std::uint32_t flags; bool is_limited; } ways[] = {
        {"an exec for each shape", 0, false},
        {"shapes of one topology share an exec", GRAPHCAP_GRAPH_CACHE_SHARE_EXECS, false},
        {"memory for half of the shapes", 0, true},
    };
    unsigned wrong = 0;
    std::uint64_t all = 0; // what an exec for each shape takes
    try {
        const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
        std::printf("%s, %u requests\n", context.device_name().c_str(), requests);
        for (const auto& way : ways) {
            Server server(context, way.flags, way.is_limited ? all / 2 : 0);
            const unsigned failed = wrong_answers(server, requests);
            const gc_graph_cache_stats stats = server.stats();
            std::printf("%s: %llu hits, %llu updates, %llu instantiations, %llu recordings, %llu evictions; %llu shapes in "
                        "%llu execs of %llu bytes; %u wrong answers\n",
                        way.name, static_cast<unsigned long long>(stats.hits), static_cast<unsigned long long>(stats.updates),
                        static_cast<unsigned long long>(stats.instantiations),
                        static_cast<unsigned long long>(stats.recordings), static_cast<unsigned long long>(stats.evictions),
                        static_cast<unsigned long long>(stats.keys), static_cast<unsigned long long>(stats.execs),
                        static_cast<unsigned long long>(stats.bytes), failed);
            wrong += failed;
            all = std::max<std::uint64_t>(all, stats.bytes);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shapes-cache: %s\n", error.what());
        return 1;
    }
    return wrong == 0 ? 0 : 1;
}
