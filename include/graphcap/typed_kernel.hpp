/**
 * @file graphcap/typed_kernel.hpp
 * Kernels whose signature the compiler knows: a launch or a node with a wrong argument does not compile. graphcap.hpp
 * includes this file; a program includes graphcap.hpp.
 *
 *     const auto scale = module.kernel<void(float*, float)>("scale");
 *     const graphcap::TypedBuffer<float> data(context, 1024);
 *     stream.launch(scale, {1024}, data, 2.0f);   // compiles
 *     stream.launch(scale, {1024}, data, 2);      // does not: an int is no float
 *     stream.launch(scale, {1024}, 2.0, 2.0f);    // does not: a double is no pointer
 *
 * What a parameter takes:
 *
 * - A value takes its own type. A number also takes a number of another type that always fits, as float does in double.
 * - An unsigned number of 64 bits also takes a Condition.
 * - A pointer `T*` or `const T*` takes a TypedBuffer<T>, a place in a buffer made by TypedBuffer<T>::at() or at<T>(),
 *   device_address<T>(), and nullptr. A `T*` does not take what is const.
 * - A `void*` or `const void*` takes these for any T, and a Buffer and a place made by at() as well.
 * - A pointer to const is passed with GRAPHCAP_ACCESS_READ, unless the argument states another access.
 *
 * A Kernel without a type checks only the number and the sizes of the arguments, when the program runs.
 */
#ifndef GRAPHCAP_TYPED_KERNEL_HPP
#define GRAPHCAP_TYPED_KERNEL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "kernel.hpp"
#include "memory.hpp"
#include "node.hpp"

namespace graphcap {

/** A place in a buffer where elements of type T begin, as a kernel argument; made by at<T>() and TypedBuffer::at(). */
template <class T>
struct Place {
    BufferArgument bytes;
};

/** Passes the address `offset` bytes into `buffer`, where elements of type T begin, to a kernel. `access` is a
 *  GRAPHCAP_ACCESS_ number: how the kernel uses the buffer. */
template <class T>
Place<T> at(const Buffer& buffer, std::size_t offset = 0, std::uint32_t access = GRAPHCAP_ACCESS_DEFAULT) noexcept {
    return Place<T>{BufferArgument{buffer.get(), offset, access}};
}

/** An address on the device where elements of type T begin. It is passed as it is. Graphs keep no memory alive for it,
 *  and nothing checks it. */
template <class T>
struct DeviceAddress {
    std::uint64_t address;
};

/** Passes an address on the device to a kernel that takes a pointer to T. Prefer a buffer, which graphs keep alive. */
template <class T>
constexpr DeviceAddress<T> device_address(std::uint64_t address) noexcept {
    return DeviceAddress<T>{address};
}

/** Device memory for elements of type T. */
template <class T>
class TypedBuffer : public Buffer {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>, "elements are copied byte by byte");

public:
    TypedBuffer() noexcept = default;
    /** Allocates `count` elements, not cleared. */
    TypedBuffer(const Context& context, std::size_t count) : Buffer(context, bytes(count)) {}
    /** Takes over a buffer, for example Buffer::managed() or Buffer::wrap(). */
    explicit TypedBuffer(Buffer&& buffer) noexcept : Buffer(std::move(buffer)) {}

    /** Number of whole elements. */
    std::size_t count() const { return size() / sizeof(T); }
    /** The element of that index and those after it, as a kernel argument. `access` is a GRAPHCAP_ACCESS_ number. */
    Place<T> at(std::size_t index, std::uint32_t access = GRAPHCAP_ACCESS_DEFAULT) const noexcept {
        return graphcap::at<T>(*this, bytes(index), access);
    }

private:
    // More elements than there are addresses become a size that no buffer has.
    static constexpr std::size_t bytes(std::size_t count) noexcept {
        constexpr std::size_t most = ~std::size_t{0};
        return count > most / sizeof(T) ? most : count * sizeof(T);
    }
};

namespace detail {

// A launch without types takes typed places too. More specialised than argument() of a value.
template <class T>
gc_kernel_arg argument(const TypedBuffer<T>& buffer) noexcept {
    return argument(graphcap::at(buffer));
}
template <class T>
gc_kernel_arg argument(const Place<T>& place) noexcept {
    return argument(place.bytes);
}

/** Tells whether a parameter of type To takes a value of type From: the same type, or a number that always fits. */
template <class From, class To, class = void>
struct ValueFits : std::is_same<From, To> {};
template <class From, class To>
struct ValueFits<From, To, std::void_t<decltype(To{std::declval<const From&>()})>>
    : std::bool_constant<std::is_same_v<From, To> ||
                         (std::is_arithmetic_v<From> && std::is_arithmetic_v<To> && !std::is_same_v<From, bool> &&
                          !std::is_same_v<To, bool>)> {};

/** Tells whether a pointer to To takes elements of type From: the same type and no less const, or any type for void. */
template <class From, class To>
inline constexpr bool points_to = std::is_convertible_v<From*, To*> &&
                                  (std::is_void_v<To> || std::is_same_v<std::remove_cv_t<From>, std::remove_cv_t<To>>);

/** Tells whether a pointer to T takes memory without a type. */
template <class From, class T>
inline constexpr bool is_bytes_for =
    std::is_void_v<T> && (std::is_same_v<From, Buffer> || std::is_same_v<From, BufferArgument>);

/** Tells whether a parameter of type T takes a condition: the number of 64 bits that kernels set it by. */
template <class From, class T>
inline constexpr bool takes_condition = std::is_same_v<From, Condition> && std::is_integral_v<T> && std::is_unsigned_v<T> &&
                                        sizeof(T) == sizeof(gc_condition);

} // namespace detail

/** Argument for a parameter of type T. It converts from what fits, and from nothing else. */
template <class T>
class KernelArgument {
    static_assert(!std::is_reference_v<T>, "a kernel parameter is a pointer or a value");
    static_assert(std::is_trivially_copyable_v<T>, "a kernel argument is copied byte by byte");

public:
    template <class From, class = std::enable_if_t<detail::ValueFits<From, T>::value>>
    KernelArgument(const From& value) noexcept : value_(static_cast<T>(value)) {}
    template <class From, class = std::enable_if_t<detail::takes_condition<From, T>>, class = void>
    KernelArgument(const From& condition) noexcept : value_(condition.id) {}

    /** The argument for graphcap.h, valid as long as this object. */
    gc_kernel_arg get() const noexcept { return detail::argument(value_); }

private:
    T value_;
};

/** Argument for a pointer parameter. */
template <class T>
class KernelArgument<T*> {
public:
    template <class From, class = std::enable_if_t<detail::points_to<From, T>>>
    KernelArgument(const TypedBuffer<From>& buffer) noexcept : KernelArgument(graphcap::at(buffer), 0) {}
    template <class From, class = std::enable_if_t<detail::points_to<From, T>>>
    KernelArgument(const Place<From>& place) noexcept : KernelArgument(place.bytes, 0) {}
    template <class From, class = std::enable_if_t<detail::is_bytes_for<From, T>>, class = void>
    KernelArgument(const From& bytes) noexcept : KernelArgument(place(bytes), 0) {}
    template <class From, class = std::enable_if_t<detail::points_to<From, T>>>
    KernelArgument(const DeviceAddress<From>& raw) noexcept : address_(raw.address) {}
    KernelArgument(std::nullptr_t) noexcept {}

    /** The argument for graphcap.h, valid as long as this object. */
    gc_kernel_arg get() const noexcept { return in_buffer_ ? detail::argument(place_) : detail::argument(address_); }

private:
    KernelArgument(const BufferArgument& where, int) noexcept : in_buffer_(true), place_(where) {
        // A pointer to const says what the kernel does with the buffer.
        if (std::is_const_v<T> && place_.access == GRAPHCAP_ACCESS_DEFAULT) place_.access = GRAPHCAP_ACCESS_READ;
    }
    static BufferArgument place(const Buffer& buffer) noexcept { return graphcap::at(buffer); }
    static BufferArgument place(const BufferArgument& where) noexcept { return where; }

    bool in_buffer_ = false;
    BufferArgument place_{};
    std::uint64_t address_ = 0;
};

namespace detail {

// Parameter types come from the kernel alone, so that arguments are converted to them.
template <class T>
struct Converted {
    using type = KernelArgument<T>;
};
template <class T>
using ArgumentFor = typename Converted<T>::type;

} // namespace detail

/** A kernel with a known signature, `void(Parameters...)`; made by Module::kernel<Signature>(). */
template <class Signature>
class TypedKernel;

template <class... Parameters>
class TypedKernel<void(Parameters...)> {
public:
    TypedKernel() noexcept = default;
    /** Takes over a kernel. Throws GRAPHCAP_ERROR_INVALID_VALUE if the number or the sizes of its parameters are others
     *  than those of the signature. A driver for a CUDA version before 12.4 does not tell them. */
    explicit TypedKernel(Kernel kernel) : kernel_(std::move(kernel)) {
        constexpr std::array<std::size_t, sizeof...(Parameters) + 1> sizes{{sizeof(Parameters)..., 0}};
        std::size_t count = 0;
        const gc_status status = gc_kernel_parameter_count(kernel_.get(), &count);
        if (status == GRAPHCAP_ERROR_NOT_SUPPORTED) return;
        check(status);
        if (count != sizeof...(Parameters)) {
            refuse("has " + std::to_string(count) + " parameters, its signature has " +
                   std::to_string(sizeof...(Parameters)));
        }
        for (std::size_t i = 0; i < count; i++) {
            const std::size_t size = kernel_.parameter_size(i);
            if (size == sizes[i]) continue;
            refuse("takes " + std::to_string(size) + " bytes as parameter " + std::to_string(i) +
                   ", its signature has " + std::to_string(sizes[i]));
        }
    }

    /** The kernel, without its type. */
    const Kernel& untyped() const noexcept { return kernel_; }
    /** Returns whether there is a kernel. */
    explicit operator bool() const noexcept { return static_cast<bool>(kernel_); }

private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(GRAPHCAP_ERROR_INVALID_VALUE, "the kernel \"" + kernel_.name() + "\" " + why);
    }

    Kernel kernel_;
};

} // namespace graphcap

#endif
