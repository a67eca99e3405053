/**
 * @file graphcap/context.hpp
 * Contexts. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_CONTEXT_HPP
#define GRAPHCAP_CONTEXT_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../graphcap.h"
#include "error.hpp"
#include "handle.hpp"

namespace graphcap {

class Buffer;
class Stream;
struct BufferAtAddress;

/** One device, opened. */
class Context : public detail::Handle<gc_context, gc_context_destroy> {
public:
    using Handle::Handle;

    /** Opens a device. GRAPHCAP_DEVICE_AUTO takes the kind that the environment variable GRAPHCAP_DEVICE names, else
     *  CUDA if it works, else the host device. `flags` are GRAPHCAP_CONTEXT_ flags. */
    explicit Context(gc_device_kind kind, std::uint32_t ordinal = 0, std::uint32_t flags = 0)
        : Handle(detail::make<gc_context>([&](gc_context** out) {
              auto options = detail::versioned<gc_context_options>();
              options.device_kind = kind;
              options.device_ordinal = ordinal;
              options.flags = flags;
              return gc_context_create(&options, out);
          })) {}

    /** Waits for all work of the context. */
    void synchronize() const { check(gc_context_synchronize(get())); }
    /** Waits for all work of the context, but no longer than `limit`. Returns whether all work has completed. */
    bool synchronize_for(std::chrono::nanoseconds limit) const {
        return detail::in_time(gc_context_synchronize_for(get(), detail::nanoseconds(limit)));
    }
    /** The priorities of streams: the least urgent one, and the most urgent one, which is a lower number. */
    std::pair<std::int32_t, std::int32_t> stream_priority_range() const {
        std::pair<std::int32_t, std::int32_t> range{0, 0};
        check(gc_context_stream_priority_range(get(), &range.first, &range.second));
        return range;
    }
    /** Returns the memory that the device holds for the allocations of graphs. */
    gc_graph_memory graph_memory() const {
        return detail::ask_params<gc_graph_memory>(
            [&](gc_graph_memory* out) { return gc_context_graph_memory(get(), out); });
    }
    /** Returns a report of the memory of buffers, graphs and execs, and of who keeps what: as text, or as JSON. */
    std::string memory_report(std::uint32_t format = GRAPHCAP_MEMORY_REPORT_TEXT) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_context_memory_report(get(), format, to, capacity, needed);
        });
    }
    /** Resets the highest numbers of graph_memory(). */
    void reset_graph_memory_high() const { check(gc_context_graph_memory_reset_high(get())); }
    /** Returns what no graph uses to the device. */
    void trim_graph_memory() const { check(gc_context_graph_memory_trim(get())); }
    /** Releases what destroyed objects left because releasing it has to wait; see gc_context_collect(). */
    void collect() const { check(gc_context_collect(get())); }
    /** Makes the primary context of a CUDA device current on the calling thread; see gc_context_make_current(). */
    void make_current() const { check(gc_context_make_current(get())); }
    /** Begins the context anew: everything that was made in it before is stale, and each call on it throws
     *  GRAPHCAP_ERROR_STALE. This object stays valid, and new objects can be made in it. See gc_context_reset(). */
    void reset_context() const { check(gc_context_reset(get())); }
    /** 1, and 1 more after each reset_context(). */
    std::uint64_t generation() const {
        return info().generation;
    }
    /** Copies as Stream::copy() does, and returns when the copy has run. */
    void copy(const gc_memcpy_params& params) const { check(gc_context_memcpy(get(), &params)); }
    /** Copies as Stream::memcpy_peer() does, and returns when the copy has run. */
    void memcpy_peer(const Buffer& destination, const Buffer& source, std::size_t size,
                     std::size_t destination_offset = 0, std::size_t source_offset = 0) const;
    /** Sets rows as Stream::fill() does, and returns when the memset has run. */
    void fill(const gc_memset_params& params) const { check(gc_context_memset(get(), &params)); }
    /** Finds the live buffer or host buffer that an address is in. Throws GRAPHCAP_ERROR_NOT_FOUND if there is none. */
    BufferAtAddress find_buffer(std::uint64_t address) const;
    /** The CUcontext. */
    void* native() const { return detail::native(get()); }
    /** The device and the generation. */
    gc_context_info info() const {
        auto info = detail::versioned<gc_context_info>();
        check(gc_context_get_info(get(), &info));
        return info;
    }
    /** GRAPHCAP_DEVICE_CUDA or GRAPHCAP_DEVICE_HOST. */
    gc_device_kind device_kind() const {
        return info().device_kind;
    }
    /** The number of the device among those of its kind. */
    std::uint32_t device_ordinal() const {
        return info().device_ordinal;
    }
    /** Name of the device. */
    std::string device_name() const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_context_device_name(get(), to, capacity, needed);
        });
    }
    /** The legacy default stream. It and all blocking streams wait for each other. */
    Stream legacy_stream() const;
    /** The per-thread default stream: in each call, the default stream of the calling thread. */
    Stream per_thread_stream() const;
};

namespace detail {

/** The context of an object. */
inline Context context_of(const void* handle) {
    return Context(make<gc_context>([&](gc_context** out) { return gc_object_context(handle, out); }));
}

} // namespace detail

} // namespace graphcap

#endif
