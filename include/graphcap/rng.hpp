/**
 * @file graphcap/rng.hpp
 * Random numbers that work draws when it runs. graphcap.hpp includes this file; a program includes graphcap.hpp.
 *
 *     const graphcap::Rng rng(stream, 42);
 *     const auto graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL,
 *                                          [&] { rng.fill_uniform(stream, noise, 1024); });
 *     const auto exec = graph.instantiate();
 *     for (int i = 0; i < 100; i++) exec.launch(stream); // each draws the next 1,024 numbers
 */
#ifndef GRAPHCAP_RNG_HPP
#define GRAPHCAP_RNG_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "memory.hpp"
#include "stream.hpp"

namespace graphcap {

/** A generator of random numbers. Graphs that draw from it keep its state alive. */
class Rng : public detail::Handle<gc_rng, gc_rng_destroy> {
public:
    using Handle::Handle;

    /** Makes a generator, whose state is written in the order of the stream. */
    explicit Rng(const Stream& stream, std::uint64_t seed, std::uint64_t subsequence = 0)
        : Handle(detail::make<gc_rng>(
              [&](gc_rng** out) { return gc_rng_create(stream.get(), seed, subsequence, out); })) {}

    /** Fills `count` floats from byte `offset` of the buffer on with the next numbers, whenever this runs. */
    void fill_uniform(const Stream& stream, const Buffer& buffer, std::size_t count, std::size_t offset = 0) const {
        const gc_rng_uniform_params params = uniform(buffer, count, offset);
        check(gc_stream_fill_uniform(stream.get(), &params));
    }
    /** As fill_uniform(), but with the numbers from element `first` of the sequence on each time. */
    void fill_uniform_repeating(const Stream& stream, const Buffer& buffer, std::size_t count, std::uint64_t first = 0,
                                std::size_t offset = 0) const {
        const gc_rng_uniform_params params = repeating(buffer, count, first, offset);
        check(gc_stream_fill_uniform(stream.get(), &params));
    }
    /** Describes a fill of fill_uniform() as a struct: for Script::push_uniform(). */
    gc_rng_uniform_params uniform(const Buffer& buffer, std::size_t count, std::size_t offset = 0) const {
        auto params = detail::versioned<gc_rng_uniform_params>();
        params.rng = get();
        params.buffer = buffer.get();
        params.offset = offset;
        params.count = count;
        return params;
    }
    /** Describes a fill of fill_uniform_repeating() as a struct. */
    gc_rng_uniform_params repeating(const Buffer& buffer, std::size_t count, std::uint64_t first = 0,
                                    std::size_t offset = 0) const {
        auto params = uniform(buffer, count, offset);
        params.flags = GRAPHCAP_RNG_REPEAT;
        params.first = first;
        return params;
    }

    /** Begins the sequence of another seed, for all that is submitted to the stream from here on. */
    void set_seed(const Stream& stream, std::uint64_t seed) const { check(gc_rng_set_seed(get(), stream.get(), seed)); }
    /** Waits for the earlier work of the stream, and tells the seed. */
    std::uint64_t seed(const Stream& stream) const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_rng_get_seed(get(), stream.get(), out); });
    }
    /** Goes on from an element of the sequence, for all that is submitted to the stream from here on. */
    void set_offset(const Stream& stream, std::uint64_t offset) const {
        check(gc_rng_set_offset(get(), stream.get(), offset));
    }
    /** Waits for the earlier work of the stream, and tells the number of the element that is drawn next. */
    std::uint64_t offset(const Stream& stream) const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_rng_get_offset(get(), stream.get(), out); });
    }
    /** A state for a kernel that was written for PyTorch and is recorded next on the stream: an at::PhiloxCudaState
     *  in the first 24 or 32 bytes, as the GRAPHCAP_TORCH_STATE_ number says. Each thread draws up to `increment`
     *  numbers at each replay. See gc_rng_torch_state(). */
    std::array<std::uint64_t, 4> torch_state(const Stream& stream, std::uint32_t layout, std::uint64_t increment) const {
        return detail::ask<std::array<std::uint64_t, 4>>([&](std::array<std::uint64_t, 4>* out) {
            return gc_rng_torch_state(get(), stream.get(), layout, increment, out->data());
        });
    }

    /** Which subsequence of its seed it draws. */
    std::uint64_t subsequence() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_rng_subsequence(get(), out); });
    }
    /** The context that the generator belongs to. */
    Context context() const { return detail::context_of(get()); }
};

} // namespace graphcap

#endif
