/**
 * @file graphcap/capture.hpp
 * Captures: by a function that submits the work, and by an object that records it. graphcap.hpp includes this file; a
 * program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_CAPTURE_HPP
#define GRAPHCAP_CAPTURE_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <vector>

#include "../graphcap.h"
#include "error.hpp"
#include "event.hpp"
#include "graph.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"
#include "pool.hpp"
#include "shape.hpp"
#include "stream.hpp"
#include "typed_kernel.hpp"
#include "work.hpp"

namespace graphcap {

namespace detail {

/** capture(), with options. */
template <class F>
Graph capture_with(const Stream& stream, gc_capture_mode mode, const gc_pool* pool, std::uint32_t flags, F&& submit) {
    struct Call {
        std::remove_reference_t<F>* submit;
        std::exception_ptr thrown;
    };
    Call call{std::addressof(submit), nullptr};
    // No exception may pass through C: `call` holds it until the capture was ended.
    const gc_capture_fn run = [](const gc_stream*, void* user_data) noexcept -> gc_status {
        Call& given = *static_cast<Call*>(user_data);
        try {
            std::invoke(std::forward<F>(*given.submit));
            return GRAPHCAP_SUCCESS;
        } catch (...) {
            given.thrown = std::current_exception();
            return GRAPHCAP_ERROR_CALLBACK;
        }
    };
    auto options = versioned<gc_capture_options>();
    options.pool = pool;
    options.flags = flags;
    gc_graph* graph = nullptr;
    const gc_status status = gc_stream_capture(stream.get(), mode, &options, run, &call, nullptr, &graph);
    if (call.thrown) std::rethrow_exception(call.thrown);
    check(status);
    return Graph(graph);
}

}  // namespace detail

/**
 * Captures what `submit` submits to `stream`, and to streams that it forks to and joins, as a graph. `submit` is
 * anything that can be called without arguments. Its result is ignored.
 *
 * The capture always ends. If `submit` throws, the capture is ended, what was recorded is discarded, and the exception
 * goes on. Throws Error if the capture cannot begin, was broken, or was ended by `submit` itself.
 */
template <class F>
Graph capture(const Stream& stream, gc_capture_mode mode, F&& submit) {
    return detail::capture_with(stream, mode, nullptr, 0, std::forward<F>(submit));
}

/** Captures as capture() without flags. `flags` are any of the GRAPHCAP_CAPTURE_ flags. */
template <class F>
Graph capture(const Stream& stream, gc_capture_mode mode, std::uint32_t flags, F&& submit) {
    return detail::capture_with(stream, mode, nullptr, flags, std::forward<F>(submit));
}

/** Captures as capture() without a pool. The graph keeps `pool`. */
template <class F>
Graph capture(const Stream& stream, gc_capture_mode mode, const Pool& pool, F&& submit) {
    return detail::capture_with(stream, mode, detail::live(pool, "pool"), 0, std::forward<F>(submit));
}

/** Captures as capture() with a pool. `flags` are any of the GRAPHCAP_CAPTURE_ flags. */
template <class F>
Graph capture(const Stream& stream, gc_capture_mode mode, const Pool& pool, std::uint32_t flags, F&& submit) {
    return detail::capture_with(stream, mode, detail::live(pool, "pool"), flags, std::forward<F>(submit));
}

/** Owns a capture of a stream, and ends or aborts it once. The destructor ends a capture that goes on, and discards
 *  what was recorded. One thread at a time may use the object; others get GRAPHCAP_ERROR_BUSY. */
class Capture : public detail::Handle<gc_capture, gc_capture_destroy> {
public:
    using Handle::Handle;

    /** Begins a capture. record_kernel() searches `modules` for kernels by name, in this order. `flags` are
     *  any of the GRAPHCAP_CAPTURE_ flags. */
    explicit Capture(const Stream& stream, gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_GLOBAL,
                     std::initializer_list<std::reference_wrapper<const Module>> modules = {}, std::uint32_t flags = 0)
        : Handle(begin(stream, mode, nullptr, modules, flags)) {}
    /** Begins a capture that keeps a pool, otherwise as without one. */
    Capture(const Stream& stream, gc_capture_mode mode, const Pool& pool,
            std::initializer_list<std::reference_wrapper<const Module>> modules = {}, std::uint32_t flags = 0)
        : Handle(begin(stream, mode, detail::live(pool, "pool"), modules, flags)) {}

    /** Records a launch of a kernel that is found by its name; arguments as for Stream::launch(). For a shape that
     *  cannot be launched it throws and leaves the capture as it is. */
    template <class... Arguments>
    void record_kernel(const char* name, const Shape& shape, const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        check(gc_capture_record_kernel(get(), name, &call.config, call.data(), call.size()));
    }
    /** Records a launch of `kernel`; otherwise as record_kernel() with a name. */
    template <class... Arguments>
    void record_kernel(const Kernel& kernel, const Shape& shape, const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        check(gc_capture_record_kernel_handle(get(), kernel.get(), &call.config, call.data(), call.size()));
    }
    /** Records a launch of a kernel whose signature is known: arguments that do not fit do not compile. */
    template <class... Parameters>
    void record_kernel(const TypedKernel<void(Parameters...)>& kernel, const Shape& shape,
                       const detail::ArgumentFor<Parameters>&... arguments) const {
        const detail::Call<sizeof...(Parameters)> call{shape, arguments.get()...};
        check(gc_capture_record_kernel_handle(get(), kernel.untyped().get(), &call.config, call.data(), call.size()));
    }
    /** Records a copy of `size` bytes from host memory, which is read at each replay. */
    void record_memcpy_htod(const Buffer& destination, const void* source, std::size_t size,
                            std::size_t destination_offset = 0) const {
        record_copy(copy_htod(destination, source, size, destination_offset));
    }
    /** Records a copy of `size` bytes from a host buffer, which is read at each replay and kept alive. */
    void record_memcpy_htod(const Buffer& destination, const HostBuffer& source, std::size_t size,
                            std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        record_copy(copy_htod(destination, source, size, destination_offset, source_offset));
    }
    /** Records a copy of `size` bytes into host memory, which is written at each replay. */
    void record_memcpy_dtoh(void* destination, const Buffer& source, std::size_t size,
                            std::size_t source_offset = 0) const {
        record_copy(copy_dtoh(destination, source, size, source_offset));
    }
    /** Records a copy of `size` bytes into a host buffer, which is written at each replay and kept alive. */
    void record_memcpy_dtoh(const HostBuffer& destination, const Buffer& source, std::size_t size,
                            std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        record_copy(copy_dtoh(destination, source, size, destination_offset, source_offset));
    }
    /** Records a copy of `size` bytes between buffers. */
    void record_memcpy_dtod(const Buffer& destination, const Buffer& source, std::size_t size,
                            std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        record_copy(copy_dtod(destination, source, size, destination_offset, source_offset));
    }
    /** Records setting `count` elements of 1, 2 or 4 bytes to `value`, as Stream::fill() does. */
    template <class T>
    void record_fill(const Buffer& buffer, T value, std::size_t count, std::size_t offset = 0) const {
        const auto bits = detail::element_bits(value);
        const auto size = static_cast<std::uint32_t>(sizeof bits);
        check(gc_capture_record_memset(get(), buffer.get(), offset, bits, size, count));
    }

    /** Records work that a struct describes, as Stream::submit() does. */
    void record(const gc_work& work) const { check(gc_capture_record(get(), &work)); }
    /** Records a copy, as Stream::copy() does. */
    void record_copy(const gc_memcpy_params& params) const { check(gc_capture_record_memcpy(get(), &params)); }
    /** Records setting rows of elements. */
    void record_fill(const gc_memset_params& params) const { check(gc_capture_record_memset_2d(get(), &params)); }

    /** Records `function()`, which runs at each replay, as Stream::launch_host_func() does. */
    template <class F>
    void record_host_func(F&& function) const {
        detail::give_host_function(std::forward<F>(function), [&](gc_host_fn run, void* data, gc_destroy_fn destroy) {
            return gc_capture_record_host_func(get(), run, data, destroy);
        });
    }
    /** Makes the event mark what was recorded so far, where other streams can join. */
    void record_event(const Event& event) const { check(gc_capture_record_event(get(), event.get(), 0)); }
    /** Records a node that records the event at each replay. */
    void record_event_external(const Event& event) const {
        check(gc_capture_record_event(get(), event.get(), GRAPHCAP_EVENT_RECORD_EXTERNAL));
    }
    /** Joins what the event marks in the capture. */
    void record_wait_event(const Event& event) const { check(gc_capture_record_wait_event(get(), event.get(), 0)); }
    /** Records a node that waits for the event at each replay. */
    void record_wait_event_external(const Event& event) const {
        check(gc_capture_record_wait_event(get(), event.get(), GRAPHCAP_EVENT_WAIT_EXTERNAL));
    }
    /** Records value operations as one node; write_op() and wait_op() make them. */
    void record_batch_mem_op(const std::vector<gc_mem_op>& operations) const {
        check(gc_capture_record_batch_mem_op(get(), operations.data(), operations.size()));
    }

    /** The number of operations that were recorded through this object. */
    std::uint64_t recorded_count() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_capture_recorded_count(get(), out); });
    }
    /** Returns whether the capture goes on and is not broken. */
    bool is_active() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_capture_is_active(get(), out); }) != 0;
    }
    /** Ends the capture and returns the graph. Throws GRAPHCAP_ERROR_CAPTURE_UNMATCHED if it was ended before. */
    Graph end() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_capture_end(get(), out); }));
    }
    /** Ends the capture and discards what was recorded. */
    void abort() const { check(gc_capture_abort(get())); }

private:
    static gc_capture* begin(const Stream& stream, gc_capture_mode mode, const gc_pool* pool,
                             std::initializer_list<std::reference_wrapper<const Module>> modules, std::uint32_t flags) {
        return detail::make<gc_capture>([&](gc_capture** out) {
            std::vector<const gc_module*> handles;
            for (const Module& module : modules) handles.push_back(module.get());
            auto options = detail::versioned<gc_capture_options>();
            options.modules = handles.data();
            options.module_count = handles.size();
            options.pool = pool;
            options.flags = flags;
            return gc_capture_begin(stream.get(), mode, &options, out);
        });
    }
};

} // namespace graphcap

#endif
