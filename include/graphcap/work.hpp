/**
 * @file graphcap/work.hpp
 * What describes copies, fills and value operations, for streams, captures and nodes. graphcap.hpp includes this file;
 * a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_WORK_HPP
#define GRAPHCAP_WORK_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "../graphcap.h"
#include "handle.hpp"
#include "memory.hpp"

namespace graphcap {

namespace detail {

inline gc_memcpy_params copy_params(std::uint32_t direction, std::size_t size) noexcept {
    auto params = versioned<gc_memcpy_params>();
    params.direction = direction;
    params.size = size;
    params.height = params.depth = 1;
    return params;
}

} // namespace detail

/** Work of a kind, one of the GRAPHCAP_WORK_ numbers, whose members are to be set: for Stream::submit(),
 *  Capture::record(), Graph::add(), Graph::set(), GraphExec::set() and Script::push(). The calls read it; it keeps
 *  nothing alive. */
inline gc_work work_of(std::uint32_t kind) noexcept {
    auto work = detail::versioned<gc_work>();
    work.kind = kind;
    return work;
}

/** Copies `size` bytes from host memory into a buffer. Like the other makers of gc_memcpy_params and
 *  gc_memset_params, for Stream::copy(), Capture::record_copy(), Graph::add_memcpy(), Graph::set_memcpy() and
 *  GraphExec::set_memcpy(). */
inline gc_memcpy_params copy_htod(const Buffer& destination, const void* source, std::size_t size,
                                  std::size_t destination_offset = 0) noexcept {
    gc_memcpy_params params = detail::copy_params(GRAPHCAP_MEMCPY_HOST_TO_DEVICE, size);
    params.destination = destination.get();
    params.destination_offset = destination_offset;
    params.source_host = source;
    return params;
}
/** Copies `size` bytes from a host buffer into a buffer. A graph keeps the host buffer alive. Like the others of a host
 *  buffer, it throws GRAPHCAP_ERROR_INVALID_HANDLE if that is empty. */
inline gc_memcpy_params copy_htod(const Buffer& destination, const HostBuffer& source, std::size_t size,
                                  std::size_t destination_offset = 0, std::size_t source_offset = 0) {
    gc_memcpy_params params = copy_htod(destination, nullptr, size, destination_offset);
    params.source_host_buffer = detail::live(source, "source");
    params.source_offset = source_offset;
    return params;
}
/** Copies `size` bytes from a buffer into host memory. */
inline gc_memcpy_params copy_dtoh(void* destination, const Buffer& source, std::size_t size,
                                  std::size_t source_offset = 0) noexcept {
    gc_memcpy_params params = detail::copy_params(GRAPHCAP_MEMCPY_DEVICE_TO_HOST, size);
    params.destination_host = destination;
    params.source = source.get();
    params.source_offset = source_offset;
    return params;
}
/** Copies `size` bytes from a buffer into a host buffer. A graph keeps the host buffer alive. */
inline gc_memcpy_params copy_dtoh(const HostBuffer& destination, const Buffer& source, std::size_t size,
                                  std::size_t destination_offset = 0, std::size_t source_offset = 0) {
    gc_memcpy_params params = copy_dtoh(nullptr, source, size, source_offset);
    params.destination_host_buffer = detail::live(destination, "destination");
    params.destination_offset = destination_offset;
    return params;
}
/** Copies `size` bytes between buffers. */
inline gc_memcpy_params copy_dtod(const Buffer& destination, const Buffer& source, std::size_t size,
                                  std::size_t destination_offset = 0, std::size_t source_offset = 0) noexcept {
    gc_memcpy_params params = detail::copy_params(GRAPHCAP_MEMCPY_DEVICE_TO_DEVICE, size);
    params.destination = destination.get();
    params.destination_offset = destination_offset;
    params.source = source.get();
    params.source_offset = source_offset;
    return params;
}
/** Copies `size` bytes from host memory to host memory, in the order of a stream's work. */
inline gc_memcpy_params copy_htoh(void* destination, const void* source, std::size_t size) noexcept {
    gc_memcpy_params params = detail::copy_params(GRAPHCAP_MEMCPY_HOST_TO_HOST, size);
    params.destination_host = destination;
    params.source_host = source;
    return params;
}
/** A copy into a host buffer, which a graph keeps alive. */
inline gc_memcpy_params copy_htoh(const HostBuffer& destination, const void* source, std::size_t size,
                                  std::size_t destination_offset = 0) {
    gc_memcpy_params params = copy_htoh(nullptr, source, size);
    params.destination_host_buffer = detail::live(destination, "destination");
    params.destination_offset = destination_offset;
    return params;
}
/** A copy from a host buffer, which a graph keeps alive. */
inline gc_memcpy_params copy_htoh(void* destination, const HostBuffer& source, std::size_t size,
                                  std::size_t source_offset = 0) {
    gc_memcpy_params params = copy_htoh(destination, nullptr, size);
    params.source_host_buffer = detail::live(source, "source");
    params.source_offset = source_offset;
    return params;
}
/** A copy between host buffers, which a graph keeps alive. */
inline gc_memcpy_params copy_htoh(const HostBuffer& destination, const HostBuffer& source, std::size_t size,
                                  std::size_t destination_offset = 0, std::size_t source_offset = 0) {
    gc_memcpy_params params = copy_htoh(nullptr, source, size, source_offset);
    params.destination_host_buffer = detail::live(destination, "destination");
    params.destination_offset = destination_offset;
    return params;
}

namespace detail {

/** The bits of an element that memory is filled with. */
template <class T>
auto element_bits(T value) noexcept {
    static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4),
                  "an element to fill with has 1, 2 or 4 bytes");
    using Wide = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, Wide>;
    Bits bits;
    std::memcpy(&bits, std::addressof(value), sizeof bits);
    return bits;
}

template <class T>
gc_memset_params fill_params(T value, std::size_t count, std::size_t offset) noexcept {
    const auto bits = element_bits(value);
    auto params = versioned<gc_memset_params>();
    params.element_size = static_cast<std::uint32_t>(sizeof bits);
    params.offset = offset;
    params.value = bits;
    params.width = count;
    params.height = 1;
    return params;
}

} // namespace detail

/** Sets `count` elements of 1, 2 or 4 bytes to `value`, from `offset` bytes into the buffer. For Stream::fill(),
 *  Capture::record_fill(), Graph::add_memset(), Graph::set_memset() and GraphExec::set_memset(). */
template <class T>
gc_memset_params fill_with(const Buffer& buffer, T value, std::size_t count, std::size_t offset = 0) noexcept {
    gc_memset_params params = detail::fill_params(value, count, offset);
    params.buffer = buffer.get();
    return params;
}
/** As above, for a host buffer, which was made with GRAPHCAP_HOST_BUFFER_MAPPED. */
template <class T>
gc_memset_params fill_with(const HostBuffer& buffer, T value, std::size_t count, std::size_t offset = 0) noexcept {
    gc_memset_params params = detail::fill_params(value, count, offset);
    params.host_buffer = buffer.get();
    return params;
}

namespace detail {

/** A value operation of 32 or 64 bits, by the width of the value. */
template <class T>
gc_mem_op mem_op(std::uint32_t narrow, std::uint32_t wide, T value, std::uint32_t flags, std::size_t offset) noexcept {
    static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "a value has 32 or 64 bits");
    auto operation = versioned<gc_mem_op>();
    operation.kind = sizeof(T) == 4 ? narrow : wide;
    operation.value = static_cast<std::make_unsigned_t<T>>(value);
    operation.flags = flags;
    operation.offset = offset;
    return operation;
}

inline void set_memory(gc_mem_op& operation, const Buffer& buffer) noexcept { operation.buffer = buffer.get(); }
inline void set_memory(gc_mem_op& operation, const HostBuffer& buffer) noexcept { operation.host_buffer = buffer.get(); }

} // namespace detail

/** Writes an integer of 32 or 64 bits into a Buffer or a HostBuffer. For Stream::batch_mem_op(),
 *  Capture::record_batch_mem_op(), Graph::add_batch_mem_op() and what changes such nodes. */
template <class Memory, class T>
gc_mem_op write_op(const Memory& memory, T value, std::size_t offset = 0,
                   std::uint32_t flags = GRAPHCAP_WRITE_VALUE_DEFAULT) noexcept {
    gc_mem_op operation =
        detail::mem_op(GRAPHCAP_MEM_OP_WRITE_VALUE32, GRAPHCAP_MEM_OP_WRITE_VALUE64, value, flags, offset);
    detail::set_memory(operation, memory);
    return operation;
}
/** Waits until an integer in a Buffer or a HostBuffer and `value` meet the condition that `flags` states, which are
 *  GRAPHCAP_WAIT_VALUE_ numbers. */
template <class Memory, class T>
gc_mem_op wait_op(const Memory& memory, T value, std::uint32_t flags, std::size_t offset = 0) noexcept {
    gc_mem_op operation = detail::mem_op(GRAPHCAP_MEM_OP_WAIT_VALUE32, GRAPHCAP_MEM_OP_WAIT_VALUE64, value, flags, offset);
    detail::set_memory(operation, memory);
    return operation;
}

} // namespace graphcap

#endif
