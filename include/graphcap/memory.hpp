/**
 * @file graphcap/memory.hpp
 * Device memory, pinned host memory, and which of them an address is in. graphcap.hpp includes this file; a program
 * includes graphcap.hpp.
 */
#ifndef GRAPHCAP_MEMORY_HPP
#define GRAPHCAP_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"

namespace graphcap {

/** Device memory. */
class Buffer : public detail::Handle<gc_buffer, gc_buffer_destroy> {
public:
    using Handle::Handle;

    /** Allocates `size` bytes, not cleared. */
    Buffer(const Context& context, std::size_t size)
        : Handle(detail::make<gc_buffer>(
              [&](gc_buffer** out) { return gc_buffer_allocate(context.get(), size, out); })) {}

    /** Allocates `size` bytes that value operations take too, not cleared. */
    static Buffer waitable(const Context& context, std::size_t size) {
        return Buffer(detail::make<gc_buffer>(
            [&](gc_buffer** out) { return gc_buffer_allocate_waitable(context.get(), size, out); }));
    }
    /** Allocates `size` bytes that the CPU and the device use by the same addresses, not cleared. `flags` is one of
     *  GRAPHCAP_MEM_ATTACH_GLOBAL and GRAPHCAP_MEM_ATTACH_HOST. */
    static Buffer managed(const Context& context, std::size_t size,
                          std::uint32_t flags = GRAPHCAP_MEM_ATTACH_GLOBAL) {
        return Buffer(detail::make<gc_buffer>(
            [&](gc_buffer** out) { return gc_buffer_allocate_managed(context.get(), size, flags, out); }));
    }

    /** Makes `size` bytes of the caller's at `address` usable as a buffer. The caller keeps them valid while anything
     *  uses the buffer. */
    static Buffer wrap(const Context& context, void* address, std::size_t size) {
        return Buffer(detail::make<gc_buffer>([&](gc_buffer** out) {
            return gc_buffer_wrap(context.get(), address, size, nullptr, nullptr, out);
        }));
    }
    /** Makes `size` bytes of the caller's at `address` usable as a buffer. `on_release()` runs exactly once, on any
     *  thread, when nothing uses the memory any more or when wrapping fails. An exception that leaves it ends the
     *  program. */
    template <class F>
    static Buffer wrap(const Context& context, void* address, std::size_t size, F&& on_release) {
        using Callable = std::decay_t<F>;
        Callable* const callable = new Callable(std::forward<F>(on_release));
        return Buffer(detail::make<gc_buffer>([&](gc_buffer** out) {
            return gc_buffer_wrap(context.get(), address, size, callable, detail::finish_callable<Callable>, out);
        }));
    }

    /** Size in bytes. */
    std::size_t size() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_buffer_size(get(), out); });
    }
    /** Device address, as a number. */
    std::uint64_t address() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_buffer_address(get(), out); });
    }
    /** The context that the buffer belongs to. */
    Context context() const { return detail::context_of(get()); }
};

/** Pinned host memory. A graph that copies from or to it keeps it alive. */
class HostBuffer : public detail::Handle<gc_host_buffer, gc_host_buffer_destroy> {
public:
    using Handle::Handle;

    /** Allocates `size` bytes, not cleared; `flags` are GRAPHCAP_HOST_BUFFER_ flags. */
    HostBuffer(const Context& context, std::size_t size, std::uint32_t flags = 0)
        : Handle(detail::make<gc_host_buffer>(
              [&](gc_host_buffer** out) { return gc_host_buffer_allocate(context.get(), size, flags, out); })) {}

    /** Pins `size` bytes of the caller's at `address`. `on_release()` runs exactly once, on any thread, when they are
     *  pinned no longer or when this call fails. An exception that leaves it ends the program. */
    template <class F>
    static HostBuffer pin(const Context& context, void* address, std::size_t size, std::uint32_t flags,
                          F&& on_release) {
        using Callable = std::decay_t<F>;
        Callable* const callable = new Callable(std::forward<F>(on_release));
        return HostBuffer(detail::make<gc_host_buffer>([&](gc_host_buffer** out) {
            return gc_host_buffer_register(context.get(), address, size, flags, callable,
                                           detail::finish_callable<Callable>, out);
        }));
    }

    /** Size in bytes. */
    std::size_t size() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_host_buffer_size(get(), out); });
    }
    /** The memory, for the CPU. */
    void* data() const {
        return detail::ask<void*>([&](void** out) { return gc_host_buffer_pointer(get(), out); });
    }
    /** The address by which kernels use the memory. Throws unless it was made with GRAPHCAP_HOST_BUFFER_MAPPED. */
    std::uint64_t device_address() const {
        return detail::ask<std::uint64_t>(
            [&](std::uint64_t* out) { return gc_host_buffer_device_address(get(), out); });
    }
    /** The context that the host buffer belongs to. */
    Context context() const { return detail::context_of(get()); }
};

/** Answer of Context::find_buffer(): a buffer or a host buffer, and how many bytes the address is into it. */
struct BufferAtAddress {
    Buffer buffer;
    HostBuffer host_buffer;
    std::size_t offset;
};

/** Tells that an allocator of the program gave out a block, so that checks of graphs find when it is gone. */
inline void begin_memory_block(std::uint64_t address, std::size_t size, const std::string& name,
                               std::uint64_t generation) {
    check(gc_memory_block_begin(address, size, name.c_str(), generation));
}
/** Tells that it was taken back. */
inline void end_memory_block(std::uint64_t address, std::uint64_t generation) {
    check(gc_memory_block_end(address, generation));
}

inline BufferAtAddress Context::find_buffer(std::uint64_t address) const {
    gc_buffer* buffer = nullptr;
    gc_host_buffer* host_buffer = nullptr;
    std::size_t offset = 0;
    check(gc_context_find_buffer(get(), address, &buffer, &host_buffer, &offset));
    return {Buffer(buffer), HostBuffer(host_buffer), offset};
}
inline void Context::memcpy_peer(const Buffer& destination, const Buffer& source, std::size_t size,
                                 std::size_t destination_offset, std::size_t source_offset) const {
    check(gc_context_memcpy_peer(get(), destination.get(), destination_offset, source.get(), source_offset, size));
}

} // namespace graphcap

#endif
