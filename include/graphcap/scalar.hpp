/**
 * @file graphcap/scalar.hpp
 * Scalars: typed values in device memory that streams update between replays. graphcap.hpp includes this file; a program
 * includes graphcap.hpp.
 *
 *     const graphcap::Scalar<float> rate(stream, 0.1f);
 *     const auto graph = graphcap::capture(stream, GRAPHCAP_CAPTURE_MODE_GLOBAL,
 *                                          [&] { stream.launch(step, {1024}, weights, rate.at()); });
 *     const auto exec = graph.instantiate();
 *     for (int i = 0; i < 100; i++) {
 *         exec.launch(stream);
 *         rate.update(stream, 0.1f / (i + 2)); // the next replay sees it, those before do not
 *     }
 */
#ifndef GRAPHCAP_SCALAR_HPP
#define GRAPHCAP_SCALAR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "memory.hpp"
#include "stream.hpp"
#include "typed_kernel.hpp"

namespace graphcap {

namespace detail {

/** The number of a type of scalars. There is none for other types. */
template <class T>
struct ScalarNumber;
template <>
struct ScalarNumber<std::int32_t> {
    static constexpr std::uint32_t value = GRAPHCAP_SCALAR_I32;
};
template <>
struct ScalarNumber<std::uint32_t> {
    static constexpr std::uint32_t value = GRAPHCAP_SCALAR_U32;
};
template <>
struct ScalarNumber<std::int64_t> {
    static constexpr std::uint32_t value = GRAPHCAP_SCALAR_I64;
};
template <>
struct ScalarNumber<std::uint64_t> {
    static constexpr std::uint32_t value = GRAPHCAP_SCALAR_U64;
};
template <>
struct ScalarNumber<float> {
    static constexpr std::uint32_t value = GRAPHCAP_SCALAR_F32;
};
template <>
struct ScalarNumber<double> {
    static constexpr std::uint32_t value = GRAPHCAP_SCALAR_F64;
};

/** A handle of a scalar of any type. */
using ScalarHandle = Handle<gc_scalar, gc_scalar_destroy>;

} // namespace detail

/** A value of type T in device memory: one of std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float and
 *  double. Graphs that use it keep it alive. */
template <class T>
class Scalar : public detail::ScalarHandle {
    static constexpr std::uint32_t number = detail::ScalarNumber<T>::value;

public:
    Scalar() noexcept = default;
    /** Makes a scalar whose first value is written in the order of the stream. */
    Scalar(const Stream& stream, T initial)
        : Scalar(detail::make<gc_scalar>(
              [&](gc_scalar** out) { return gc_scalar_create(stream.get(), number, &initial, out); })) {}
    /** Takes over a handle. Throws if the scalar is of another type; the handle is destroyed then. */
    explicit Scalar(gc_scalar* handle) : detail::ScalarHandle(handle) {
        const auto told = detail::ask<std::uint32_t>([&](std::uint32_t* out) { return gc_scalar_type(handle, out); });
        if (told != number) throw Error(GRAPHCAP_ERROR_INVALID_VALUE, "the scalar is of another type");
        gc_buffer* buffer = nullptr;
        check(gc_scalar_buffer(handle, &buffer, &offset_));
        buffer_ = Buffer(buffer);
    }

    /** Changes the value for all that is submitted to the stream from here on. Throws while the stream is captured; the
     *  capture goes on. */
    void update(const Stream& stream, T value) const { check(gc_scalar_update(get(), stream.get(), number, &value)); }
    /** Waits for the earlier work of the stream, and reads the value. */
    T read(const Stream& stream) const {
        return detail::ask<T>([&](T* out) { return gc_scalar_read(get(), stream.get(), number, out); });
    }
    /** The scalar as an argument of a kernel that takes a pointer to T. `access` is a GRAPHCAP_ACCESS_ number. */
    Place<T> at(std::uint32_t access = GRAPHCAP_ACCESS_DEFAULT) const noexcept {
        return graphcap::at<T>(buffer_, offset_, access);
    }
    /** The buffer that it lies in, with the other scalars of its block. */
    const Buffer& buffer() const noexcept { return buffer_; }
    /** Returns its offset in its buffer, in bytes. */
    std::size_t offset() const noexcept { return offset_; }
    /** Device address, as a number. */
    std::uint64_t address() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_scalar_address(get(), out); });
    }
    /** The context that the scalar belongs to. */
    Context context() const { return detail::context_of(get()); }

private:
    Buffer buffer_;
    std::size_t offset_ = 0;
};

/** A new value for a scalar; see update_scalars(). */
template <class T>
struct ScalarUpdate {
    const Scalar<T>& scalar;
    T value;
};
template <class T, class V>
ScalarUpdate(const Scalar<T>&, V) -> ScalarUpdate<T>;

/** Changes several scalars by one command: update_scalars(stream, ScalarUpdate{rate, 0.1f}, ScalarUpdate{step, 7}).
 *  Either all updates are queued, or none. */
template <class... T>
void update_scalars(const Stream& stream, const ScalarUpdate<T>&... updates) {
    const std::array<const gc_scalar*, sizeof...(T)> scalars{{updates.scalar.get()...}};
    const std::array<std::uint32_t, sizeof...(T)> types{{detail::ScalarNumber<T>::value...}};
    const std::array<const void*, sizeof...(T)> values{{&updates.value...}};
    check(gc_scalar_update_many(stream.get(), scalars.data(), types.data(), values.data(), sizeof...(T)));
}

namespace detail {

template <class... T, std::size_t... Index>
std::tuple<Scalar<T>...> typed_scalars(std::array<ScalarHandle, sizeof...(T)>& scalars, std::index_sequence<Index...>) {
    return std::tuple<Scalar<T>...>{Scalar<T>(scalars[Index].release())...};
}

} // namespace detail

/** Makes scalars that share one buffer, in which they lie as the members of a struct do: a std::tuple of Scalar<T>. */
template <class... T>
std::tuple<Scalar<T>...> make_scalars(const Stream& stream, T... initial) {
    const std::array<std::uint32_t, sizeof...(T)> types{{detail::ScalarNumber<T>::value...}};
    const std::array<const void*, sizeof...(T)> values{{&initial...}};
    std::array<gc_scalar*, sizeof...(T)> made{};
    check(gc_scalar_create_block(stream.get(), types.data(), values.data(), sizeof...(T), made.data()));
    std::array<detail::ScalarHandle, sizeof...(T)> owned;
    for (std::size_t i = 0; i < made.size(); i++) owned[i] = detail::ScalarHandle(made[i]);
    return detail::typed_scalars<T...>(owned, std::index_sequence_for<T...>());
}

} // namespace graphcap

#endif
