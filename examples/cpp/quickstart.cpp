// The quickstart in C++17: the edges of a picture, by a graph that is captured once and replayed for each frame.
// Usage: quickstart-cpp PICTURE.pgm|.ppm [NAME]    writes NAME.pgm, the edges, and NAME.dot, the graph; NAME: "edges"
#include "quickstart_ptx.h"

#include <graphcap.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

using Bytes = std::vector<std::uint8_t>;
struct Size { int width, height, channels; };
struct Direction { int x, y; };

// ---- Kernels for the host device: functions that are called once per block, several at a time. Here a block is a row.
// ---- Those for a GPU are in quickstart.cu, under the same names; there the threads of a block share the row.

static int pixel(const std::uint8_t* image, Size s, int x, int y) {
    return image[std::clamp(y, 0, s.height - 1) * s.width + std::clamp(x, 0, s.width - 1)];
}

static void grey(const gc_host_block& block, const std::uint8_t* in, std::uint8_t* out, Size s) {
    const int row = static_cast<int>(block.block_index[0]) * s.width;
    for (int i = row; i < row + s.width; i++) {
        const std::uint8_t* p = in + i * s.channels;
        out[i] = s.channels == 1 ? p[0] : static_cast<std::uint8_t>((77 * p[0] + 150 * p[1] + 29 * p[2]) / 256);
    }
}

static void blur(const gc_host_block& block, const std::uint8_t* in, std::uint8_t* out, Size s, Direction d) {
    const int y = static_cast<int>(block.block_index[0]);
    for (int x = 0; x < s.width; x++) {
        const int sides = pixel(in, s, x - d.x, y - d.y) + pixel(in, s, x + d.x, y + d.y);
        out[y * s.width + x] = static_cast<std::uint8_t>((sides + 2 * pixel(in, s, x, y)) / 4);
    }
}

static void gradient(const gc_host_block& block, const std::uint8_t* in, std::int16_t* out, Size s, Direction d) {
    const int y = static_cast<int>(block.block_index[0]);
    for (int x = 0; x < s.width; x++) {
        int sum = 0;
        for (int k = -1; k <= 1; k++) {
            sum += (2 - std::abs(k)) * (pixel(in, s, x + d.x + k * d.y, y + d.y + k * d.x) -
                                        pixel(in, s, x - d.x + k * d.y, y - d.y + k * d.x));
        }
        out[y * s.width + x] = static_cast<std::int16_t>(sum);
    }
}

static void magnitude(const gc_host_block& block, const std::int16_t* a, const std::int16_t* b, std::uint8_t* out,
                      Size s) {
    const int row = static_cast<int>(block.block_index[0]) * s.width;
    for (int i = row; i < row + s.width; i++) {
        out[i] = static_cast<std::uint8_t>(std::min(std::abs(a[i]) + std::abs(b[i]), 255));
    }
}

static Bytes read_picture(const char* path, Size& s) {
    std::ifstream file(path, std::ios::binary);
    std::string kind;
    file >> kind;
    const auto number = [&] { // the next one of the header, past comments
        while ((file >> std::ws).peek() == '#') file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
        int value = 0;
        file >> value;
        return value;
    };
    s.width = number();
    s.height = number();
    const int maximum = number();
    if (!file || (kind != "P5" && kind != "P6") || maximum != 255 || s.width < 1 || s.height < 1 || s.width > 8192 ||
        s.height > 8192) {
        throw std::runtime_error("the picture must be a binary PGM or PPM of 8 bits per sample");
    }
    s.channels = kind == "P6" ? 3 : 1;
    Bytes samples(static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height * s.channels));
    file.get();
    if (!file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size()))) {
        throw std::runtime_error("the picture is cut short");
    }
    return samples;
}

static int run(const char* path, const std::string& name) {
    Size size{};
    const Bytes picture = read_picture(path, size);
    const std::size_t pixels = picture.size() / static_cast<std::size_t>(size.channels);
    Bytes frame(picture), replayed(pixels), eager(pixels);

    const graphcap::Context context(GRAPHCAP_DEVICE_AUTO);
    const graphcap::Module module(context, quickstart_ptx, sizeof quickstart_ptx,
                                  {graphcap::host_kernel<grey>("grey"), graphcap::host_kernel<blur>("blur"),
                                   graphcap::host_kernel<gradient>("gradient"),
                                   graphcap::host_kernel<magnitude>("magnitude")});
    // Typed by the functions above: a launch with a wrong argument does not compile.
    const auto to_grey = module.kernel<grey>("grey");
    const auto blurred = module.kernel<blur>("blur");
    const auto derived = module.kernel<gradient>("gradient");
    const auto combined = module.kernel<magnitude>("magnitude");
    const graphcap::TypedBuffer<std::uint8_t> colour(context, picture.size()), edges(context, pixels);
    const graphcap::TypedBuffer<std::uint8_t> bright(context, pixels), smooth(context, pixels);
    const graphcap::TypedBuffer<std::int16_t> along_x(context, pixels), along_y(context, pixels);
    const graphcap::Stream stream(context), side(context);
    const graphcap::Event forked(context), joined(context);

    // Submits the pipeline. Whether that runs it now or records it is up to the stream: this one function does both.
    const auto submit = [&](Bytes& result) {
        const graphcap::Shape rows{static_cast<std::uint32_t>(size.height), 128};
        stream.memcpy_htod(colour, frame.data(), frame.size());
        stream.launch(to_grey, rows, colour, bright, size);
        stream.launch(blurred, rows, bright, smooth, size, Direction{1, 0});
        stream.launch(blurred, rows, smooth, bright, size, Direction{0, 1});
        forked.record(stream); // fork: the side stream goes on from here ...
        side.wait_event(forked);
        stream.launch(derived, rows, bright, along_x, size, Direction{1, 0});
        side.launch(derived, rows, bright, along_y, size, Direction{0, 1}); // ... beside the first ...
        joined.record(side);
        stream.wait_event(joined); // ... and joins it again
        stream.launch(combined, rows, along_x, along_y, edges, size);
        stream.memcpy_dtoh(result.data(), edges, pixels);
    };
    const graphcap::Graph graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL, [&] { submit(replayed); });
    const graphcap::GraphExec exec = graph.instantiate();
    exec.upload(stream);

    int wrong = 0;
    std::chrono::duration<double, std::micro> time{0};
    const int frames = 200;
    for (int index = frames - 1; index >= 0; index--) { // a film that ends with the picture itself
        const int moved = index % size.width * size.channels;
        std::rotate_copy(picture.begin(), picture.begin() + moved, picture.end(), frame.begin());
        const auto start = std::chrono::steady_clock::now();
        exec.launch(stream);
        stream.synchronize();
        time += std::chrono::steady_clock::now() - start;
        submit(eager);
        stream.synchronize();
        wrong += replayed != eager;
    }
    std::printf("%s: %zu nodes, %zu edges, %d replays of %.0f us, %d mismatching frames\n",
                context.device_name().c_str(), graph.node_count(), graph.edge_count(), frames, time.count() / frames,
                wrong);
    std::ofstream(name + ".dot") << graph.dot();
    std::ofstream(name + ".pgm", std::ios::binary)
        << "P5\n" << size.width << ' ' << size.height << "\n255\n" << std::string(replayed.begin(), replayed.end());
    return wrong == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
    try {
        if (argc == 2 || argc == 3) return run(argv[1], argc == 3 ? argv[2] : "edges");
        std::fprintf(stderr, "usage: quickstart-cpp PICTURE.pgm|.ppm [NAME]\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "quickstart-cpp: %s\n", error.what());
    }
    return 1;
}
