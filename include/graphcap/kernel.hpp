/**
 * @file graphcap/kernel.hpp
 * Modules, their kernels, and what kernels are called with. graphcap.hpp includes this file; a program includes
 * graphcap.hpp.
 */
#ifndef GRAPHCAP_KERNEL_HPP
#define GRAPHCAP_KERNEL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "memory.hpp"
#include "shape.hpp"

namespace graphcap {

/** A place in a buffer, as a kernel argument; made by at(). */
struct BufferArgument {
    const gc_buffer* buffer;
    std::size_t offset;
    std::uint32_t access;
    /** The bytes of the buffer that `access` is about: the first one, and how many; 0 for the whole buffer. */
    std::size_t access_offset = 0;
    std::size_t access_size = 0;
};

/** Passes the address `offset` bytes into `buffer` to a kernel. `access` is a GRAPHCAP_ACCESS_ number: how the
 *  kernel uses the buffer. */
inline BufferArgument at(const Buffer& buffer, std::size_t offset = 0,
                         std::uint32_t access = GRAPHCAP_ACCESS_DEFAULT) noexcept {
    return BufferArgument{buffer.get(), offset, access, 0, 0};
}

/** Passes the address `offset` bytes into `buffer`, and states that the kernel uses `access_size` bytes from
 *  `access_offset` of the buffer on, and no others. */
inline BufferArgument at(const Buffer& buffer, std::size_t offset, std::uint32_t access, std::size_t access_offset,
                         std::size_t access_size) noexcept {
    return BufferArgument{buffer.get(), offset, access, access_offset, access_size};
}

namespace detail {

inline gc_kernel_arg argument(const BufferArgument& place) noexcept {
    auto out = versioned<gc_kernel_arg>();
    out.kind = GRAPHCAP_ARG_BUFFER;
    out.access = place.access;
    out.buffer = place.buffer;
    out.offset = place.offset;
    out.access_offset = place.access_offset;
    out.access_size = place.access_size;
    return out;
}

inline gc_kernel_arg argument(const Buffer& buffer) noexcept { return argument(at(buffer)); }

template <class T>
gc_kernel_arg argument(const T& value) noexcept {
    static_assert(!std::is_pointer_v<T> && !std::is_null_pointer_v<T>,
                  "pass a Buffer, which the graph keeps alive; other addresses go in as std::uint64_t");
    static_assert(std::is_trivially_copyable_v<T>, "a kernel argument is copied byte by byte");
    auto out = versioned<gc_kernel_arg>();
    out.kind = GRAPHCAP_ARG_VALUE;
    out.value = std::addressof(value);
    out.value_size = sizeof value;
    return out;
}

/** Reader of a parameter of a typed host kernel: a pointer from a device address, anything else by value. */
template <class T>
T read_argument(const void* place) noexcept {
    static_assert(std::is_trivially_copyable_v<T>, "a kernel parameter is a pointer or a trivially copyable value");
    static_assert(!std::is_pointer_v<T> || sizeof(T) == sizeof(std::uint64_t), "a device address has 64 bits");
    std::remove_const_t<T> value;
    std::memcpy(std::addressof(value), place, sizeof value);
    return value;
}

/** Turns `Result function(const gc_host_block&, Parameters...)` into what graphcap.h calls. */
template <auto Function>
struct HostKernel;

template <class Result, class... Parameters, Result (*Function)(const gc_host_block&, Parameters...)>
struct HostKernel<Function> {
    static_assert(std::is_void_v<Result> || std::is_same_v<Result, std::int32_t>,
                  "a host kernel returns nothing, or a std::int32_t that is not 0 when it faults");

    using Signature = void(std::decay_t<Parameters>...);
    static constexpr std::array<std::size_t, sizeof...(Parameters) + 1> sizes{{sizeof(Parameters)..., 0}};
    static constexpr std::size_t count = sizeof...(Parameters);

    static std::int32_t call(const gc_host_block* block, const void* const* arguments) {
        return call(*block, arguments, std::index_sequence_for<Parameters...>());
    }

private:
    template <std::size_t... Index>
    static std::int32_t call(const gc_host_block& block, [[maybe_unused]] const void* const* arguments,
                             std::index_sequence<Index...>) {
        try {
            if constexpr (std::is_void_v<Result>) {
                Function(block, read_argument<std::decay_t<Parameters>>(arguments[Index])...);
                return 0;
            } else {
                return Function(block, read_argument<std::decay_t<Parameters>>(arguments[Index])...);
            }
        }
#ifdef __GLIBCXX__
        catch (abi::__forced_unwind&) {
            // As for host functions.
            throw;
        }
#endif
        catch (const Error& error) {
            // What host_check_range() throws is a fault as of a GPU.
            if (error.status() != GRAPHCAP_ERROR_ILLEGAL_ADDRESS)
                fail_host_function(error.what());
        } catch (const std::exception& error) {
            fail_host_function(error.what());
        } catch (...) {
            fail_host_function("an exception that is no std::exception");
        }
        return 1;
    }
};

} // namespace detail

/**
 * Describes a host kernel, for Module: `host_kernel<scale>("scale")` for a function
 * `void scale(const gc_host_block& block, float* data, float factor)`.
 *
 * The function is called once per block, by several threads at once. Pointer parameters receive the addresses of
 * buffers. Other parameters, which must be trivially copyable, receive the bytes of values. Launches are checked
 * against the number and the sizes of the parameters.
 *
 * The function returns nothing, or a std::int32_t; a number other than 0 faults the context. An exception that leaves
 * the function faults the context as well. `name` must stay valid until the Module is made.
 */
template <auto Function>
gc_host_kernel host_kernel(const char* name) noexcept {
    using Kernel = detail::HostKernel<Function>;
    auto out = detail::versioned<gc_host_kernel>();
    out.name = name;
    out.function = &Kernel::call;
    out.parameter_sizes = Kernel::sizes.data();
    out.parameter_count = Kernel::count;
    return out;
}

/** As above, with what the kernel does with the memory that its parameters point to: a GRAPHCAP_ACCESS_ number for
 *  each, which must stay until the Module is made. */
template <auto Function, std::size_t Count>
gc_host_kernel host_kernel(const char* name, const std::uint32_t (&accesses)[Count]) noexcept {
    static_assert(Count == detail::HostKernel<Function>::count, "state an access for each parameter");
    auto out = host_kernel<Function>(name);
    out.accesses = accesses;
    out.access_count = Count;
    return out;
}

/** A global variable of the host device, for Module. */
template <class T>
gc_host_global host_global(const char* name, T& variable) noexcept {
    static_assert(std::is_trivially_copyable_v<T>, "a variable that streams write is copied byte by byte");
    auto out = detail::versioned<gc_host_global>();
    out.name = name;
    out.address = std::addressof(variable);
    out.size = sizeof variable;
    return out;
}

/** Answer of Kernel::suggested_block_size(). */
struct SuggestedBlock {
    std::uint32_t block_size, grid_size;
};

class Module;

/** A function of a module that streams can launch. Keeps its module loaded. */
class Kernel : public detail::Handle<gc_kernel, gc_kernel_destroy> {
public:
    using Handle::Handle;

    /** The module that the kernel is of. */
    Module module() const;
    /** The name of the kernel. */
    std::string name() const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_kernel_name(get(), to, capacity, needed);
        });
    }
    /** Number of parameters. Throws GRAPHCAP_ERROR_NOT_SUPPORTED if they are not known. */
    std::size_t parameter_count() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_kernel_parameter_count(get(), out); });
    }
    /** Size of a parameter in bytes. */
    std::size_t parameter_size(std::size_t index) const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_kernel_parameter_size(get(), index, out); });
    }
    /** States what the kernel does with the memory that its parameters point to: a GRAPHCAP_ACCESS_ number for each,
     *  of which GRAPHCAP_ACCESS_NONE is for a parameter that is no pointer. Graph::optimize() goes by that. */
    void set_accesses(std::initializer_list<std::uint32_t> accesses) const {
        check(gc_kernel_set_accesses(get(), accesses.begin(), accesses.size()));
    }
    /** States what the kernel does with a buffer that none of its arguments points to, as with a variable of its
     *  module: a GRAPHCAP_ACCESS_ number, of which GRAPHCAP_ACCESS_NONE takes the statement back. */
    void set_buffer_access(const Buffer& buffer, std::uint32_t access) const {
        check(gc_kernel_set_buffer_access(get(), buffer.get(), access));
    }
    /** States how launches run beside other nodes of a graph that Graph::optimize() makes: a GRAPHCAP_CONCURRENCY_
     *  number. */
    void set_concurrency(gc_kernel_concurrency concurrency) const { check(gc_kernel_set_concurrency(get(), concurrency)); }
    /** An attribute; `attribute` is a GRAPHCAP_KERNEL_ATTRIBUTE_ number. */
    std::int32_t attribute(gc_kernel_attribute attribute) const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_kernel_get_attribute(get(), attribute, out); });
    }
    /** Sets an attribute for the launches and nodes that are made from here on. */
    void set_attribute(gc_kernel_attribute attribute, std::int32_t value) const {
        check(gc_kernel_set_attribute(get(), attribute, value));
    }
    /** Returns the number of blocks that one multiprocessor runs at once. */
    std::uint32_t max_active_blocks(std::uint32_t block_size, std::size_t shared_mem_bytes = 0) const {
        return detail::ask<std::uint32_t>(
            [&](std::uint32_t* out) { return gc_kernel_max_active_blocks(get(), block_size, shared_mem_bytes, out); });
    }
    /** The block size with the highest occupancy, and the number of such blocks that gives the device the highest
     *  one. */
    SuggestedBlock suggested_block_size(std::size_t shared_mem_bytes = 0, std::uint32_t limit = 0) const {
        SuggestedBlock suggested{};
        check(gc_kernel_suggested_block_size(get(), shared_mem_bytes, limit, &suggested.block_size, &suggested.grid_size));
        return suggested;
    }
    /** Returns the dynamic shared memory that each block can have while one multiprocessor runs so many at once. */
    std::size_t available_shared_mem(std::uint32_t blocks, std::uint32_t block_size) const {
        return detail::ask<std::size_t>(
            [&](std::size_t* out) { return gc_kernel_available_shared_mem(get(), blocks, block_size, out); });
    }
    /** Returns the number of clusters of a launch that the device runs at once. */
    std::uint32_t max_active_clusters(const Shape& shape) const {
        const gc_launch_config config = detail::launch_config(shape);
        return detail::ask<std::uint32_t>(
            [&](std::uint32_t* out) { return gc_kernel_max_active_clusters(get(), &config, out); });
    }
    /** Returns the largest number of blocks that a cluster of a launch can have. */
    std::uint32_t max_cluster_size(const Shape& shape) const {
        const gc_launch_config config = detail::launch_config(shape);
        return detail::ask<std::uint32_t>(
            [&](std::uint32_t* out) { return gc_kernel_max_cluster_size(get(), &config, out); });
    }
    /** The CUfunction. */
    void* native() const { return detail::native(get()); }
};

namespace detail {

/** Some elements of type T, for the time of a call. */
template <class T>
class Elements {
public:
    Elements() noexcept = default;
    Elements(std::initializer_list<T> elements) noexcept : size_(elements.size()) {
        data_ = elements.begin(); // as an initialiser, GCC warns that the list lives no longer than the call
    }
    template <class Container, class = std::enable_if_t<std::is_same_v<
                                   decltype(std::data(std::declval<const Container&>())), const T*>>>
    Elements(const Container& elements) noexcept : data_(std::data(elements)), size_(std::size(elements)) {}

    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

private:
    const T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace detail

/** Kernels and globals that Module loads for a host device; host_kernel() and host_global() describe one each. */
using HostKernels = detail::Elements<gc_host_kernel>;
using HostGlobals = detail::Elements<gc_host_global>;

template <class Signature>
class TypedKernel;

/** Loaded code. */
class Module : public detail::Handle<gc_module, gc_module_destroy> {
public:
    using Handle::Handle;

    /** Loads host kernels, and names variables that they use. Like the lists of the next one, each is `{}`, `{a, b}`, a
     *  vector, an array or another contiguous container. */
    Module(const Context& context, HostKernels host_kernels, HostGlobals host_globals = {})
        : Module(context, nullptr, 0, host_kernels, host_globals) {}
    /** Loads a device image (PTX, cubin, fatbin) of `image_size` bytes, host kernels, or both under the same names. */
    Module(const Context& context, const void* image, std::size_t image_size, HostKernels host_kernels = {},
           HostGlobals host_globals = {})
        : Handle(detail::make<gc_module>([&](gc_module** out) {
              auto description = detail::versioned<gc_module_description>();
              description.image = image;
              description.image_size = image_size;
              description.host_kernels = host_kernels.data();
              description.host_kernel_count = host_kernels.size();
              description.host_globals = host_globals.data();
              description.host_global_count = host_globals.size();
              return gc_module_load(context.get(), &description, out);
          })) {}

    /** The context that the module belongs to. */
    Context context() const { return detail::context_of(get()); }
    /** Finds a kernel by its exact name. Throws GRAPHCAP_ERROR_NOT_FOUND. */
    Kernel kernel(const char* name) const {
        return Kernel(detail::make<gc_kernel>([&](gc_kernel** out) { return gc_module_get_kernel(get(), name, out); }));
    }
    /** Finds a kernel whose arguments the compiler checks: `kernel<void(float*, float)>("scale")`. Throws if the
     *  kernel has other parameters; see TypedKernel. */
    template <class Signature>
    TypedKernel<Signature> kernel(const char* name) const {
        return TypedKernel<Signature>(kernel(name));
    }
    /** As above, with the signature of a host kernel: `kernel<scale>("scale")`; see host_kernel(). */
    template <auto Function>
    TypedKernel<typename detail::HostKernel<Function>::Signature> kernel(const char* name) const {
        return TypedKernel<typename detail::HostKernel<Function>::Signature>(kernel(name));
    }
    /** Finds a global variable by its exact name. The buffer keeps the module loaded. Throws
     *  GRAPHCAP_ERROR_NOT_FOUND. */
    Buffer global(const char* name) const {
        return Buffer(detail::make<gc_buffer>([&](gc_buffer** out) { return gc_module_get_global(get(), name, out); }));
    }
    /** The CUmodule. */
    void* native() const { return detail::native(get()); }
};

inline Module Kernel::module() const {
    return Module(detail::make<gc_module>([&](gc_module** out) { return gc_kernel_get_module(get(), out); }));
}

} // namespace graphcap

#endif
