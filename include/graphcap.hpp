/**
 * @file graphcap.hpp
 * The C++17 layer over graphcap.h: owning classes, exceptions, typed kernels. Header only, no macros, no state.
 *
 * Two parts are files of their own, which this one includes: graphcap/typed_kernel.hpp, kernels whose arguments the
 * compiler checks, and graphcap/graph.hpp, graphs and their nodes. The sections of this file are: errors; the calling
 * thread, the process and its devices; handles; the shape of launches; contexts; events; memory; kernel arguments;
 * kernels and modules; streams; captures. These name each other, so parts of them could not be included alone.
 *
 * Ownership. Context, Stream, Event, Buffer, HostBuffer, Module, Kernel, Graph, GraphExec and Capture own one handle
 * each. They can be moved, not copied. A default-constructed or moved-from object is empty; calling it throws an Error
 * with GRAPHCAP_ERROR_INVALID_HANDLE. Any order of destruction is legal: objects that are still used stay alive.
 * A Node owns nothing: it is a number that names a node of a graph, and is copied like one.
 *
 * Errors. Every call that fails throws Error, which carries the status and the library's message.
 *
 * Threads. As in graphcap.h: an object may be used by several threads at once. Moving, resetting and destroying an
 * object while another thread uses it is a race on the C++ object and not allowed.
 *
 * Exceptions never cross into C. An exception that leaves the function given to capture() ends the capture, and then
 * leaves capture(). An exception that leaves a host function ends the program (std::terminate), as one that leaves a
 * thread does. An exception that leaves a host kernel faults the context like an illegal address on a GPU: the next
 * synchronisation throws Error with GRAPHCAP_ERROR_ILLEGAL_ADDRESS.
 */
#ifndef GRAPHCAP_HPP
#define GRAPHCAP_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "graphcap.h"

namespace graphcap {

// ---- Errors ----

/** A call that failed. what() holds the library's message, with the name of the status in front. */
class Error : public std::runtime_error {
public:
    Error(gc_status status, const std::string& message)
        : std::runtime_error(std::string(gc_status_name(status)) + ": " + message), status_(status) {}

    /** The status that the call returned: one of the GRAPHCAP_ERROR_ numbers. */
    gc_status status() const noexcept { return status_; }

private:
    gc_status status_;
};

namespace detail {

/** Reads a text that the library copies out. Calls `copy(text, capacity, needed)` again while the text grows. */
template <class Copy>
gc_status read_text(std::string& text, Copy&& copy) {
    text.resize(128);
    for (;;) {
        std::size_t needed = 0;
        const gc_status status = copy(&text[0], text.size(), &needed);
        if (status == GRAPHCAP_ERROR_BUFFER_TOO_SMALL && needed > text.size()) {
            text.resize(needed);
            continue;
        }
        text.resize(status == GRAPHCAP_SUCCESS && needed > 0 ? needed - 1 : 0);
        return status;
    }
}

} // namespace detail

/** The message of the last failed call of this thread; empty when no call failed. */
inline std::string last_error_message() {
    std::string text;
    detail::read_text(text, gc_last_error_message);
    return text;
}

/** Throws Error unless `status` is GRAPHCAP_SUCCESS. For calls of graphcap.h that this layer does not wrap. */
inline void check(gc_status status) {
    if (status != GRAPHCAP_SUCCESS) throw Error(status, last_error_message());
}

// ---- The calling thread, the process and its devices ----

/**
 * Sets the capture mode of the calling thread for the lifetime of this object, and then restores the previous mode.
 * With GRAPHCAP_CAPTURE_MODE_RELAXED, captures do not bar the thread's unsafe calls. Not to be moved to another thread.
 */
class ThreadCaptureMode {
public:
    explicit ThreadCaptureMode(gc_capture_mode mode) : before_(mode) {
        check(gc_thread_exchange_capture_mode(&before_));
    }
    ThreadCaptureMode(const ThreadCaptureMode&) = delete;
    ThreadCaptureMode& operator=(const ThreadCaptureMode&) = delete;
    // A destructor cannot report a failure; the mode was valid when it was taken.
    ~ThreadCaptureMode() { static_cast<void>(gc_thread_exchange_capture_mode(&before_)); }

    /** The previous mode of the thread. */
    gc_capture_mode before() const noexcept { return before_; }

private:
    gc_capture_mode before_;
};

/** Number of handles of all kinds that are not yet destroyed, in the whole process. For leak tests. */
inline std::uint64_t live_handles() noexcept { return gc_live_handles(); }

/** Number of devices of a kind. Throws with the reason if the kind cannot be used; see gc_device_count(). */
inline std::uint32_t device_count(gc_device_kind kind = GRAPHCAP_DEVICE_AUTO) {
    std::uint32_t count = 0;
    check(gc_device_count(kind, &count));
    return count;
}

/** Name of a device. */
inline std::string device_name(gc_device_kind kind, std::uint32_t ordinal) {
    std::string text;
    check(detail::read_text(text, [&](char* to, std::size_t capacity, std::size_t* needed) {
        return gc_device_name(kind, ordinal, to, capacity, needed);
    }));
    return text;
}

/** Which kind of device GRAPHCAP_DEVICE_AUTO means now, and why: a sentence. */
inline std::string device_auto_reason() {
    std::string text;
    check(detail::read_text(text, gc_device_auto_reason));
    return text;
}

// ---- Handles ----

namespace detail {

/** Owns one handle of type T, which Destroy destroys. The base of all object classes. */
template <class T, gc_status (*Destroy)(T*)>
class Handle {
public:
    Handle() noexcept = default;
    /** Takes over a handle that came from graphcap.h. */
    explicit Handle(T* handle) noexcept : handle_(handle) {}
    Handle(Handle&& other) noexcept : handle_(other.release()) {}
    Handle& operator=(Handle&& other) noexcept {
        reset(other.release());
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { reset(); }

    /** The handle, for calls of graphcap.h; still owned by this object. NULL when empty. */
    T* get() const noexcept { return handle_; }
    /** Gives the handle to the caller, who destroys it. This object is empty afterwards. */
    T* release() noexcept { return std::exchange(handle_, nullptr); }
    /** Destroys the handle and takes over another one, if given. */
    void reset(T* handle = nullptr) noexcept {
        T* const old = std::exchange(handle_, handle);
        if (old != nullptr) Destroy(old);
    }
    /** Whether a handle is owned. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    T* handle_ = nullptr;
};

/** Calls `create(&handle)` and returns the handle that it wrote. */
template <class T, class Create>
T* make(Create&& create) {
    T* handle = nullptr;
    check(create(&handle));
    return handle;
}

/** Calls `query(&value)` and returns the value that it wrote. */
template <class T, class Query>
T ask(Query&& query) {
    T value{};
    check(query(&value));
    return value;
}

/** The text that `copy(text, capacity, needed)` copies out. */
template <class Copy>
std::string ask_text(Copy&& copy) {
    std::string text;
    check(read_text(text, copy));
    return text;
}

/** The driver's own handle of an object of this layer, which `query(handle, &native)` returns. */
template <class T>
void* native(T* handle, gc_status (*query)(const T*, void**)) {
    return ask<void*>([&](void** out) { return query(handle, out); });
}

/** Whether a wait with a limit ended before the limit. */
inline bool in_time(gc_status status) {
    if (status == GRAPHCAP_ERROR_TIMEOUT)
        return false;
    check(status);
    return true;
}

/** A limit as C takes it; a limit that has passed already is 0. */
inline std::uint64_t nanoseconds(std::chrono::nanoseconds limit) {
    return limit.count() < 0 ? 0 : static_cast<std::uint64_t>(limit.count());
}

/** Destroys a callable that went to C as user data. */
template <class F>
void drop_callable(void* callable) noexcept {
    delete static_cast<F*>(callable);
}

/** Calls a callable that went to C as user data. noexcept: an exception ends the program. */
template <class F>
void run_callable(void* callable) noexcept {
    (*static_cast<F*>(callable))();
}

/** Hands a callable to C as a host function: calls `take(function, user_data, destroy)`, which owns it from then on. */
template <class F, class Take>
void give_host_function(F&& function, Take&& take) {
    using Callable = std::decay_t<F>;
    static_assert(std::is_invocable_v<Callable&>, "a host function takes no arguments");
    Callable* const callable = new Callable(std::forward<F>(function));
    check(take(run_callable<Callable>, callable, drop_callable<Callable>));
}

} // namespace detail

// ---- Names ----

/** Gives a buffer, host buffer, stream, event or graph a name, which messages and texts of graphs call it by. */
template <class Object>
void set_name(const Object& object, const std::string& name) {
    check(gc_set_name(object.get(), name.c_str()));
}

/** The name of a buffer, host buffer, stream, event, graph or kernel; empty for an object without one. */
template <class Object>
std::string name_of(const Object& object) {
    return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
        return gc_get_name(object.get(), to, capacity, needed);
    });
}

// ---- The shape of launches ----

/** A number of blocks or threads in up to three dimensions. */
struct Dim3 {
    constexpr Dim3(std::uint32_t x_ = 1, std::uint32_t y_ = 1, std::uint32_t z_ = 1) noexcept : x(x_), y(y_), z(z_) {}
    std::uint32_t x, y, z;
};

/** A launch attribute whose value is a number; `id` is a GRAPHCAP_LAUNCH_ATTRIBUTE_ number. */
inline gc_launch_attribute launch_attribute(gc_launch_attribute_id id, std::int32_t number) noexcept {
    gc_launch_attribute attribute;
    gc_launch_attribute_init_number(&attribute, id, number);
    return attribute;
}
/** The launch attribute of clusters of so many blocks. */
inline gc_launch_attribute cluster_dimension(Dim3 blocks) noexcept {
    gc_launch_attribute attribute;
    gc_launch_attribute_init_dimensions(&attribute, GRAPHCAP_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, blocks.x, blocks.y, blocks.z);
    return attribute;
}

/** The shape of a launch: blocks in the grid, threads in a block, bytes of shared memory per block. */
struct Shape {
    constexpr Shape(Dim3 grid_ = {}, Dim3 block_ = {}, std::uint32_t shared_mem_bytes_ = 0) noexcept
        : grid(grid_), block(block_), shared_mem_bytes(shared_mem_bytes_) {}
    /** The same shape with launch attributes, which must live until the launch. */
    Shape with(const std::vector<gc_launch_attribute>& attributes_) const noexcept {
        Shape shape = *this;
        shape.attributes = attributes_.data();
        shape.attribute_count = attributes_.size();
        return shape;
    }
    Dim3 grid, block;
    std::uint32_t shared_mem_bytes;
    const gc_launch_attribute* attributes = nullptr;
    std::size_t attribute_count = 0;
};

namespace detail {

inline gc_launch_config launch_config(const Shape& shape) noexcept {
    gc_launch_config config{};
    config.struct_size = static_cast<std::uint32_t>(sizeof config);
    const auto set = [](std::uint32_t(&out)[3], const Dim3& dim) {
        out[0] = dim.x;
        out[1] = dim.y;
        out[2] = dim.z;
    };
    set(config.grid_dim, shape.grid);
    set(config.block_dim, shape.block);
    config.shared_mem_bytes = shape.shared_mem_bytes;
    config.attributes = shape.attributes;
    config.attribute_count = shape.attribute_count;
    return config;
}

/** What a kernel is launched with, as graphcap.h takes it. Valid as long as the values that the arguments point to. */
template <std::size_t Count>
struct Call {
    template <class... Arguments>
    explicit Call(const Shape& shape, const Arguments&... list) noexcept
        : config(launch_config(shape)), arguments{{list...}} {}
    const gc_kernel_arg* data() const noexcept { return arguments.data(); }
    std::size_t size() const noexcept { return Count; }

    gc_launch_config config;
    std::array<gc_kernel_arg, Count> arguments;
};

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

} // namespace detail

// ---- Contexts ----

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
              gc_context_options options{};
              options.struct_size = static_cast<std::uint32_t>(sizeof options);
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
    /** How much memory the device holds for the allocations of graphs. */
    gc_graph_memory graph_memory() const {
        gc_graph_memory memory = GRAPHCAP_GRAPH_MEMORY_INIT;
        check(gc_context_graph_memory(get(), &memory));
        return memory;
    }
    /** Has the highest numbers of graph_memory() begin anew. */
    void reset_graph_memory_high() const { check(gc_context_graph_memory_reset_high(get())); }
    /** Returns what no graph uses to the device. */
    void trim_graph_memory() const { check(gc_context_graph_memory_trim(get())); }
    /** Releases what destroyed objects left because releasing it has to wait; see gc_context_collect(). */
    void collect() const { check(gc_context_collect(get())); }
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
    void* native() const { return detail::native(get(), gc_context_native); }
    /** GRAPHCAP_DEVICE_CUDA or GRAPHCAP_DEVICE_HOST. */
    gc_device_kind device_kind() const {
        return detail::ask<gc_device_kind>([&](gc_device_kind* out) { return gc_context_device_kind(get(), out); });
    }
    /** The number of the device among those of its kind. */
    std::uint32_t device_ordinal() const {
        return detail::ask<std::uint32_t>([&](std::uint32_t* out) { return gc_context_device_ordinal(get(), out); });
    }
    /** Name of the device. */
    std::string device_name() const {
        std::string text;
        check(detail::read_text(text, [&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_context_device_name(get(), to, capacity, needed);
        }));
        return text;
    }
    /** The legacy default stream. It and all blocking streams wait for each other. */
    Stream legacy_stream() const;
    /** The per-thread default stream: in each call, the default stream of the calling thread. */
    Stream per_thread_stream() const;
};

namespace detail {

/** The context of an object, which `query(handle, &context)` gives. */
template <class H>
Context context_of(H* handle, gc_status (*query)(const H*, gc_context**)) {
    return Context(make<gc_context>([&](gc_context** out) { return query(handle, out); }));
}

} // namespace detail

// ---- Events ----

/** A marker in a stream's work. */
class Event : public detail::Handle<gc_event, gc_event_destroy> {
public:
    using Handle::Handle;

    /** Makes an event; `flags` are GRAPHCAP_EVENT_ flags. */
    explicit Event(const Context& context, std::uint32_t flags = 0)
        : Handle(detail::make<gc_event>([&](gc_event** out) {
              gc_event_options options{};
              options.struct_size = static_cast<std::uint32_t>(sizeof options);
              options.flags = flags;
              return gc_event_create(context.get(), &options, out);
          })) {}

    /** Opens an event of another process by its `handle`. */
    static Event open_ipc(const Context& context, const gc_ipc_handle& handle) {
        return Event(detail::make<gc_event>(
            [&](gc_event** out) { return gc_event_open_ipc_handle(context.get(), &handle, out); }));
    }

    /** Marks the point that the stream has reached; in a capture, the nodes that its next work would depend on. */
    void record(const Stream& stream) const;
    /** Records a node. Each launch of the graph that is being captured then records the event. */
    void record_external(const Stream& stream) const;
    /** Whether the latest record was reached; true if the event was never recorded. */
    bool is_complete() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_event_is_complete(get(), out); }) != 0;
    }
    /** Waits until the latest record is reached. */
    void synchronize() const { check(gc_event_synchronize(get())); }
    /** Waits until the latest record is reached, but no longer than `limit`. Returns whether it was reached. */
    bool synchronize_for(std::chrono::nanoseconds limit) const {
        return detail::in_time(gc_event_synchronize_for(get(), detail::nanoseconds(limit)));
    }
    /** The handle by which another process opens the event. */
    gc_ipc_handle ipc_handle() const {
        gc_ipc_handle handle{};
        check(gc_event_ipc_handle(get(), &handle));
        return handle;
    }
    /** The number by which messages name the event. */
    std::uint64_t id() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_event_id(get(), out); });
    }
    /** The context that the event belongs to. */
    Context context() const { return detail::context_of(get(), gc_event_get_context); }
    /** The CUevent. */
    void* native() const { return detail::native(get(), gc_event_native); }
};

/** Milliseconds between two completed records. */
inline float elapsed_time(const Event& start, const Event& end) {
    return detail::ask<float>([&](float* out) { return gc_event_elapsed_time(start.get(), end.get(), out); });
}

// ---- Memory ----

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
        const gc_destroy_fn release = [](void* user_data) noexcept {
            const std::unique_ptr<Callable> owned(static_cast<Callable*>(user_data));
            (*owned)();
        };
        return Buffer(detail::make<gc_buffer>([&](gc_buffer** out) {
            return gc_buffer_wrap(context.get(), address, size, callable, release, out);
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
    Context context() const { return detail::context_of(get(), gc_buffer_get_context); }
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
        const gc_destroy_fn release = [](void* user_data) noexcept {
            const std::unique_ptr<Callable> owned(static_cast<Callable*>(user_data));
            (*owned)();
        };
        return HostBuffer(detail::make<gc_host_buffer>([&](gc_host_buffer** out) {
            return gc_host_buffer_register(context.get(), address, size, flags, callable, release, out);
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
    Context context() const { return detail::context_of(get(), gc_host_buffer_get_context); }
};

/** A global variable of the host device, for Module. */
template <class T>
gc_host_global host_global(const char* name, T& variable) noexcept {
    static_assert(std::is_trivially_copyable_v<T>, "a variable that streams write is copied byte by byte");
    gc_host_global out{};
    out.struct_size = static_cast<std::uint32_t>(sizeof out);
    out.name = name;
    out.address = std::addressof(variable);
    out.size = sizeof variable;
    return out;
}

/** What Context::find_buffer() found: a buffer or a host buffer, and how many bytes the address is into it. */
struct BufferAtAddress {
    Buffer buffer;
    HostBuffer host_buffer;
    std::size_t offset;
};

inline BufferAtAddress Context::find_buffer(std::uint64_t address) const {
    gc_buffer* buffer = nullptr;
    gc_host_buffer* host_buffer = nullptr;
    std::size_t offset = 0;
    check(gc_context_find_buffer(get(), address, &buffer, &host_buffer, &offset));
    return {Buffer(buffer), HostBuffer(host_buffer), offset};
}

namespace detail {

inline gc_memcpy_params copy_params(std::uint32_t direction, std::size_t size) noexcept {
    gc_memcpy_params params{};
    params.struct_size = static_cast<std::uint32_t>(sizeof params);
    params.direction = direction;
    params.size = size;
    return params;
}

} // namespace detail

/** Copies `size` bytes from host memory into a buffer. Like the other makers of gc_memcpy_params and gc_memset_params, for
 *  Stream::copy(), Capture::record_copy(), Graph::add_memcpy(), Graph::set_memcpy() and GraphExec::set_memcpy(). */
inline gc_memcpy_params copy_htod(const Buffer& destination, const void* source, std::size_t size,
                                  std::size_t destination_offset = 0) noexcept {
    gc_memcpy_params params = detail::copy_params(GRAPHCAP_MEMCPY_HOST_TO_DEVICE, size);
    params.destination = destination.get();
    params.destination_offset = destination_offset;
    params.source_host = source;
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

namespace detail {

template <class T>
gc_memset_params fill_params(T value, std::size_t count, std::size_t offset) noexcept {
    const auto bits = element_bits(value);
    gc_memset_params params{};
    params.struct_size = static_cast<std::uint32_t>(sizeof params);
    params.element_size = static_cast<std::uint32_t>(sizeof bits);
    params.offset = offset;
    params.value = bits;
    params.width = count;
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
/** The same for a host buffer, which was made with GRAPHCAP_HOST_BUFFER_MAPPED. */
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
    gc_mem_op operation{};
    operation.struct_size = static_cast<std::uint32_t>(sizeof operation);
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

// ---- Kernel arguments ----

/** A place in a buffer, as a kernel argument; made by at(). */
struct BufferArgument {
    const gc_buffer* buffer;
    std::size_t offset;
    std::uint32_t access;
};

/** Passes the address `offset` bytes into `buffer` to a kernel. `access` is a GRAPHCAP_ACCESS_ number: how the
 *  kernel uses the buffer. */
inline BufferArgument at(const Buffer& buffer, std::size_t offset = 0,
                         std::uint32_t access = GRAPHCAP_ACCESS_DEFAULT) noexcept {
    return BufferArgument{buffer.get(), offset, access};
}

namespace detail {

inline gc_kernel_arg argument(const BufferArgument& place) noexcept {
    gc_kernel_arg out{};
    out.struct_size = static_cast<std::uint32_t>(sizeof out);
    out.kind = GRAPHCAP_ARG_BUFFER;
    out.access = place.access;
    out.buffer = place.buffer;
    out.offset = place.offset;
    return out;
}

inline gc_kernel_arg argument(const Buffer& buffer) noexcept { return argument(at(buffer)); }

template <class T>
gc_kernel_arg argument(const T& value) noexcept {
    static_assert(!std::is_pointer_v<T> && !std::is_null_pointer_v<T>,
                  "pass a Buffer, which the graph keeps alive; other addresses go in as std::uint64_t");
    static_assert(std::is_trivially_copyable_v<T>, "a kernel argument is copied byte by byte");
    gc_kernel_arg out{};
    out.struct_size = static_cast<std::uint32_t>(sizeof out);
    out.kind = GRAPHCAP_ARG_VALUE;
    out.value = std::addressof(value);
    out.value_size = sizeof value;
    return out;
}

/** How the parameter of a typed host kernel is read: a pointer from a device address, anything else by value. */
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

    static std::int32_t call(const gc_host_block* block, const void* const* arguments) noexcept {
        return call(*block, arguments, std::index_sequence_for<Parameters...>());
    }

private:
    template <std::size_t... Index>
    static std::int32_t call(const gc_host_block& block, [[maybe_unused]] const void* const* arguments,
                             std::index_sequence<Index...>) noexcept {
        try {
            if constexpr (std::is_void_v<Result>) {
                Function(block, read_argument<std::decay_t<Parameters>>(arguments[Index])...);
                return 0;
            } else {
                return Function(block, read_argument<std::decay_t<Parameters>>(arguments[Index])...);
            }
        } catch (...) {
            return 1;
        }
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
    gc_host_kernel out{};
    out.struct_size = static_cast<std::uint32_t>(sizeof out);
    out.name = name;
    out.function = &Kernel::call;
    out.parameter_sizes = Kernel::sizes.data();
    out.parameter_count = Kernel::count;
    return out;
}

// ---- Kernels and modules ----

class Module;

/** What Kernel::suggested_block_size() tells. */
struct SuggestedBlock {
    std::uint32_t block_size, grid_size;
};

/** A function of a module that streams can launch. Keeps its module loaded. */
class Kernel : public detail::Handle<gc_kernel, gc_kernel_destroy> {
public:
    using Handle::Handle;

    /** The module that the kernel is of. */
    Module module() const;
    /** The name of the kernel. */
    std::string name() const {
        std::string text;
        check(detail::read_text(text, [&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_kernel_name(get(), to, capacity, needed);
        }));
        return text;
    }
    /** Number of parameters. Throws GRAPHCAP_ERROR_NOT_SUPPORTED if they are not known. */
    std::size_t parameter_count() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_kernel_parameter_count(get(), out); });
    }
    /** Size of a parameter in bytes. */
    std::size_t parameter_size(std::size_t index) const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_kernel_parameter_size(get(), index, out); });
    }
    /** An attribute; `attribute` is a GRAPHCAP_KERNEL_ATTRIBUTE_ number. */
    std::int32_t attribute(gc_kernel_attribute attribute) const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_kernel_get_attribute(get(), attribute, out); });
    }
    /** Sets an attribute for the launches and nodes that are made from here on. */
    void set_attribute(gc_kernel_attribute attribute, std::int32_t value) const {
        check(gc_kernel_set_attribute(get(), attribute, value));
    }
    /** How many blocks one multiprocessor runs at once. */
    std::uint32_t max_active_blocks(std::uint32_t block_size, std::size_t shared_mem_bytes = 0) const {
        return detail::ask<std::uint32_t>(
            [&](std::uint32_t* out) { return gc_kernel_max_active_blocks(get(), block_size, shared_mem_bytes, out); });
    }
    /** The block size with the highest occupancy, and the number of such blocks that gives the device the highest one. */
    SuggestedBlock suggested_block_size(std::size_t shared_mem_bytes = 0, std::uint32_t limit = 0) const {
        SuggestedBlock suggested{};
        check(gc_kernel_suggested_block_size(get(), shared_mem_bytes, limit, &suggested.block_size, &suggested.grid_size));
        return suggested;
    }
    /** How much dynamic shared memory each block can have while one multiprocessor runs so many at once. */
    std::size_t available_shared_mem(std::uint32_t blocks, std::uint32_t block_size) const {
        return detail::ask<std::size_t>(
            [&](std::size_t* out) { return gc_kernel_available_shared_mem(get(), blocks, block_size, out); });
    }
    /** How many clusters of a launch the device runs at once. */
    std::uint32_t max_active_clusters(const Shape& shape) const {
        const gc_launch_config config = detail::launch_config(shape);
        return detail::ask<std::uint32_t>(
            [&](std::uint32_t* out) { return gc_kernel_max_active_clusters(get(), &config, out); });
    }
    /** How many blocks a cluster of a launch can have at most. */
    std::uint32_t max_cluster_size(const Shape& shape) const {
        const gc_launch_config config = detail::launch_config(shape);
        return detail::ask<std::uint32_t>(
            [&](std::uint32_t* out) { return gc_kernel_max_cluster_size(get(), &config, out); });
    }
    /** The CUfunction. */
    void* native() const { return detail::native(get(), gc_kernel_native); }
};

template <class Signature>
class TypedKernel;

/** Loaded code. */
class Module : public detail::Handle<gc_module, gc_module_destroy> {
public:
    using Handle::Handle;

    /** Loads host kernels. */
    Module(const Context& context, std::initializer_list<gc_host_kernel> host_kernels)
        : Module(context, nullptr, 0, host_kernels.begin(), host_kernels.size()) {}
    /** Loads the host kernels of a vector, an array or another contiguous container. */
    template <class Kernels, class = std::enable_if_t<std::is_same_v<
                                 decltype(std::data(std::declval<const Kernels&>())), const gc_host_kernel*>>>
    Module(const Context& context, const Kernels& host_kernels)
        : Module(context, nullptr, 0, std::data(host_kernels), std::size(host_kernels)) {}
    /** Loads a device image (PTX, cubin, fatbin) of `image_size` bytes, host kernels, or both under the same names. */
    Module(const Context& context, const void* image, std::size_t image_size,
           std::initializer_list<gc_host_kernel> host_kernels = {}, std::initializer_list<gc_host_global> host_globals = {})
        : Module(context, image, image_size, host_kernels.begin(), host_kernels.size(), host_globals) {}

    /** The context that the module belongs to. */
    Context context() const { return detail::context_of(get(), gc_module_get_context); }
    /** Finds a kernel by its exact name. Throws GRAPHCAP_ERROR_NOT_FOUND. */
    Kernel kernel(const char* name) const {
        return Kernel(detail::make<gc_kernel>([&](gc_kernel** out) { return gc_module_get_kernel(get(), name, out); }));
    }
    /** Finds a kernel whose arguments the compiler checks: `kernel<void(float*, float)>("scale")`. Throws if the kernel has
     *  other parameters; see TypedKernel. */
    template <class Signature>
    TypedKernel<Signature> kernel(const char* name) const {
        return TypedKernel<Signature>(kernel(name));
    }
    /** The same with the signature of a host kernel: `kernel<scale>("scale")`; see host_kernel(). */
    template <auto Function>
    TypedKernel<typename detail::HostKernel<Function>::Signature> kernel(const char* name) const {
        return TypedKernel<typename detail::HostKernel<Function>::Signature>(kernel(name));
    }
    /** Finds a global variable by its exact name. The buffer keeps the module loaded. Throws GRAPHCAP_ERROR_NOT_FOUND. */
    Buffer global(const char* name) const {
        return Buffer(detail::make<gc_buffer>([&](gc_buffer** out) { return gc_module_get_global(get(), name, out); }));
    }
    /** The CUmodule. */
    void* native() const { return detail::native(get(), gc_module_native); }

private:
    Module(const Context& context, const void* image, std::size_t image_size, const gc_host_kernel* host_kernels,
           std::size_t host_kernel_count, std::initializer_list<gc_host_global> host_globals = {})
        : Handle(detail::make<gc_module>([&](gc_module** out) {
              gc_module_description description{};
              description.struct_size = static_cast<std::uint32_t>(sizeof description);
              description.image = image;
              description.image_size = image_size;
              description.host_kernels = host_kernels;
              description.host_kernel_count = host_kernel_count;
              description.host_globals = host_globals.begin();
              description.host_global_count = host_globals.size();
              return gc_module_load(context.get(), &description, out);
          })) {}
};

inline Module Kernel::module() const {
    return Module(detail::make<gc_module>([&](gc_module** out) { return gc_kernel_get_module(get(), out); }));
}

// ---- Typed kernels, and graphs: in files of their own ----

} // namespace graphcap

#include "graphcap/typed_kernel.hpp"
#include "graphcap/graph.hpp"

namespace graphcap {

// ---- Streams ----

/** A queue of work. While it is captured, work is recorded into a graph and not run. */
class Stream : public detail::Handle<gc_stream, gc_stream_destroy> {
public:
    using Handle::Handle;

    /** Makes a stream; `flags` are GRAPHCAP_STREAM_ flags, a lower `priority` is more urgent. */
    explicit Stream(const Context& context, std::uint32_t flags = 0, std::int32_t priority = 0)
        : Handle(detail::make<gc_stream>([&](gc_stream** out) {
              gc_stream_options options{};
              options.struct_size = static_cast<std::uint32_t>(sizeof options);
              options.flags = flags;
              options.priority = priority;
              return gc_stream_create(context.get(), &options, out);
          })) {}

    /** Uses a CUstream that others made: the CUDA runtime or a library. The CUstream must outlive this object. */
    static Stream wrap(const Context& context, void* native_stream) {
        return Stream(detail::make<gc_stream>(
            [&](gc_stream** out) { return gc_stream_wrap(context.get(), native_stream, out); }));
    }
    /** The CUstream. Others may submit work to it, even while it is captured. */
    void* native() const { return detail::native(get(), gc_stream_native); }

    /** The context that the stream belongs to. */
    Context context() const { return detail::context_of(get(), gc_stream_get_context); }
    /** Waits until everything submitted so far has completed. */
    void synchronize() const { check(gc_stream_synchronize(get())); }
    /** Frees what a launch of a graph allocated and left; see gc_stream_free_buffer(). */
    void free(const Buffer& memory) const { check(gc_stream_free_buffer(get(), memory.get())); }
    /** Waits until everything submitted so far has completed, but no longer than `limit`. Returns whether it has. */
    bool synchronize_for(std::chrono::nanoseconds limit) const {
        return detail::in_time(gc_stream_synchronize_for(get(), detail::nanoseconds(limit)));
    }
    /** Whether everything submitted so far has completed. */
    bool is_complete() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_stream_is_complete(get(), out); }) != 0;
    }
    /** Orders later work after the event's latest record; in a capture, joins this stream to it. */
    void wait_event(const Event& event) const { check(gc_stream_wait_event(get(), event.get(), 0)); }
    /** Records a node. Each replay of the graph that is being captured waits there for the event. */
    void wait_event_external(const Event& event) const {
        check(gc_stream_wait_event(get(), event.get(), GRAPHCAP_EVENT_WAIT_EXTERNAL));
    }

    /** 0 or GRAPHCAP_STREAM_NON_BLOCKING. */
    std::uint32_t flags() const {
        return detail::ask<std::uint32_t>([&](std::uint32_t* out) { return gc_stream_flags(get(), out); });
    }
    /** The priority; lower is more urgent. */
    std::int32_t priority() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_stream_priority(get(), out); });
    }
    /** The value of an attribute, one of the GRAPHCAP_STREAM_ATTRIBUTE_ numbers. */
    gc_stream_attribute_value attribute(gc_stream_attribute attribute) const {
        gc_stream_attribute_value value{};
        check(gc_stream_get_attribute(get(), attribute, &value));
        return value;
    }
    /** Sets an attribute for the work that is submitted from here on. */
    void set_attribute(gc_stream_attribute attribute, const gc_stream_attribute_value& value) const {
        check(gc_stream_set_attribute(get(), attribute, &value));
    }
    /** Sets how threads wait for the stream: one of the GRAPHCAP_SYNCHRONIZATION_POLICY_ numbers. */
    void set_synchronization_policy(std::int32_t policy) const {
        gc_stream_attribute_value value{};
        value.synchronization_policy = policy;
        set_attribute(GRAPHCAP_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, value);
    }
    /** Sets the priority, cut to the range of the context. */
    void set_priority(std::int32_t priority) const {
        gc_stream_attribute_value value{};
        value.priority = priority;
        set_attribute(GRAPHCAP_STREAM_ATTRIBUTE_PRIORITY, value);
    }
    /** Sets the memory-sync domain: one of the GRAPHCAP_MEMORY_SYNC_DOMAIN_ numbers. */
    void set_memory_sync_domain(std::int32_t domain) const {
        gc_stream_attribute_value value{};
        value.memory_sync_domain = domain;
        set_attribute(GRAPHCAP_STREAM_ATTRIBUTE_MEMORY_SYNC_DOMAIN, value);
    }
    /** Sets which addresses the caches should keep. */
    void set_access_policy_window(const gc_access_policy_window& window) const {
        gc_stream_attribute_value value{};
        value.access_policy_window = window;
        set_attribute(GRAPHCAP_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, value);
    }
    /** Sets the attributes to those of another stream. */
    void copy_attributes(const Stream& source) const { check(gc_stream_copy_attributes(get(), source.get())); }

    /** Begins a capture. Prefer capture(), which ends the capture in any case. */
    void begin_capture(gc_capture_mode mode) const { check(gc_stream_begin_capture(get(), mode)); }
    /** Begins a capture into an existing graph. The first work depends on `dependencies`, which are nodes of the graph.
     *  end_capture() returns another handle to the graph. */
    void begin_capture_to_graph(const Graph& graph, Nodes dependencies, gc_capture_mode mode) const {
        check(gc_stream_begin_capture_to_graph(get(), graph.get(), dependencies.data(), dependencies.size(), mode));
    }
    /** Ends the capture and returns the graph. */
    Graph end_capture() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_stream_end_capture(get(), out); }));
    }
    /** Whether the stream is being captured. */
    bool is_capturing() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_stream_is_capturing(get(), out); }) != 0;
    }
    /** One of the GRAPHCAP_CAPTURE_STATUS_ numbers. */
    gc_capture_state capture_status() const {
        return detail::ask<gc_capture_state>(
            [&](gc_capture_state* out) { return gc_stream_capture_status(get(), out); });
    }
    /** What broke the capture that the stream is in, or the latest one that was begun on it; empty if nothing did. */
    std::string capture_violation() const {
        std::string text;
        gc_violation violation = GRAPHCAP_VIOLATION_NONE;
        check(detail::read_text(text, [&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_stream_capture_violation(get(), &violation, to, capacity, needed);
        }));
        return text;
    }
    /** The number by which messages name the stream. */
    std::uint64_t id() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_stream_id(get(), out); });
    }
    /** Describes the capture that the stream is in. */
    gc_capture_info capture_info() const {
        gc_capture_info info{};
        info.struct_size = static_cast<std::uint32_t>(sizeof info);
        check(gc_stream_capture_info(get(), &info));
        return info;
    }
    /** The nodes that the next work recorded will depend on. */
    std::vector<Node> capture_frontier() const {
        return detail::read_nodes([&](gc_node* to, std::size_t capacity, std::size_t* needed) {
            return gc_stream_capture_frontier(get(), to, capacity, needed);
        });
    }
    /** The graph that the capture goes into. Nodes can be added to it; update_capture_dependencies() has the capture go on
     *  from them. end_capture() returns another handle to it. */
    Graph capture_graph() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_stream_capture_graph(get(), out); }));
    }
    /** Puts a copy of `child` into the capture, between what was recorded and what is recorded next. */
    ChildNode capture_child(const Graph& child) const {
        return ChildNode(detail::ask<gc_node>(
            [&](gc_node* out) { return gc_stream_capture_child_node(get(), child.get(), out); }));
    }
    /** Puts a conditional node into the capture, as Graph::add_if() adds one. The condition is one of capture_graph(). */
    ConditionalNode capture_if(Condition condition, std::uint32_t bodies = 1) const {
        return capture_conditional(condition, GRAPHCAP_CONDITIONAL_IF, bodies);
    }
    /** The same, as Graph::add_while(). */
    ConditionalNode capture_while(Condition condition) const {
        return capture_conditional(condition, GRAPHCAP_CONDITIONAL_WHILE, 1);
    }
    /** The same, as Graph::add_switch(). */
    ConditionalNode capture_switch(Condition condition, std::uint32_t bodies) const {
        return capture_conditional(condition, GRAPHCAP_CONDITIONAL_SWITCH, bodies);
    }
    /** What was recorded so far as Graphviz DOT text; `flags` are GRAPHCAP_DOT_ flags. */
    std::string capture_dot(std::uint32_t flags = 0) const {
        std::string text;
        check(detail::read_text(text, [&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_stream_export_capture_dot(get(), flags, to, capacity, needed);
        }));
        return text;
    }
    /** Sets the nodes that the next recorded work depends on; `flags` is a GRAPHCAP_CAPTURE_DEPENDENCIES_ number. */
    void update_capture_dependencies(Nodes nodes, std::uint32_t flags) const {
        check(gc_stream_update_capture_dependencies(get(), nodes.data(), nodes.size(), flags));
    }
    /** The same, with what the edge from each node carries: `data` has an element for each. */
    void update_capture_dependencies(Nodes nodes, const std::vector<gc_edge_data>& data, std::uint32_t flags) const {
        if (data.size() != nodes.size()) throw std::invalid_argument("data has another length than nodes");
        check(gc_stream_update_capture_dependencies_with_data(get(), nodes.data(), data.data(), nodes.size(), flags));
    }

    /** Copies `size` bytes from host memory, which is read when the copy runs: at each replay, if recorded. */
    void memcpy_htod(const Buffer& destination, const void* source, std::size_t size,
                     std::size_t destination_offset = 0) const {
        check(gc_stream_memcpy_htod(get(), destination.get(), destination_offset, source, size));
    }
    /** Copies `size` bytes into host memory, which is written when the copy runs: at each replay, if recorded. */
    void memcpy_dtoh(void* destination, const Buffer& source, std::size_t size, std::size_t source_offset = 0) const {
        check(gc_stream_memcpy_dtoh(get(), destination, source.get(), source_offset, size));
    }
    /** Copies `size` bytes between buffers. */
    void memcpy_dtod(const Buffer& destination, const Buffer& source, std::size_t size,
                     std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        check(gc_stream_memcpy_dtod(get(), destination.get(), destination_offset, source.get(), source_offset, size));
    }
    /** Copies `size` bytes between buffers of any contexts on devices of one kind. */
    void memcpy_peer(const Buffer& destination, const Buffer& source, std::size_t size,
                     std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        check(gc_stream_memcpy_peer(get(), destination.get(), destination_offset, source.get(), source_offset, size));
    }
    /** Copies from or to a host buffer, or rows in two or three dimensions; params.struct_size must be set, as the
     *  GRAPHCAP_MEMCPY_INIT macros do.
     *  Not named after gc_stream_memcpy because some C libraries make memcpy a macro. */
    void copy(const gc_memcpy_params& params) const { check(gc_stream_memcpy(get(), &params)); }
    /** Sets `count` elements of 1, 2 or 4 bytes to `value`, from `offset` bytes into the buffer. Not named after
     *  gc_stream_memset because some C libraries make memset a macro. */
    template <class T>
    void fill(const Buffer& buffer, T value, std::size_t count, std::size_t offset = 0) const {
        const auto bits = detail::element_bits(value);
        check(gc_stream_memset(get(), buffer.get(), offset, bits, static_cast<std::uint32_t>(sizeof bits), count));
    }
    /** Sets rows of elements; params.struct_size must be set, as GRAPHCAP_MEMSET_INIT does. */
    void fill(const gc_memset_params& params) const { check(gc_stream_memset_2d(get(), &params)); }

    /** Sets who may use a managed buffer: one of the GRAPHCAP_MEM_ATTACH_ numbers. */
    void attach(const Buffer& buffer, std::uint32_t flags) const {
        check(gc_stream_attach_mem_async(get(), buffer.get(), flags));
    }

    /** Writes an integer of 32 or 64 bits, `offset` bytes into the buffer; `flags` is a GRAPHCAP_WRITE_VALUE_ number. */
    template <class T>
    void write_value(const Buffer& buffer, T value, std::size_t offset = 0,
                     std::uint32_t flags = GRAPHCAP_WRITE_VALUE_DEFAULT) const {
        static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "a value has 32 or 64 bits");
        if constexpr (sizeof(T) == 4) {
            check(gc_stream_write_value32(get(), buffer.get(), offset, static_cast<std::uint32_t>(value), flags));
        } else {
            check(gc_stream_write_value64(get(), buffer.get(), offset, static_cast<std::uint64_t>(value), flags));
        }
    }
    /** Makes later work wait until the integer in the buffer and `value` meet the condition that `flags` states.
     *  `flags` are GRAPHCAP_WAIT_VALUE_ numbers. */
    template <class T>
    void wait_value(const Buffer& buffer, T value, std::uint32_t flags, std::size_t offset = 0) const {
        static_assert(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8), "a value has 32 or 64 bits");
        if constexpr (sizeof(T) == 4) {
            check(gc_stream_wait_value32(get(), buffer.get(), offset, static_cast<std::uint32_t>(value), flags));
        } else {
            check(gc_stream_wait_value64(get(), buffer.get(), offset, static_cast<std::uint64_t>(value), flags));
        }
    }
    /** Does writes and waits one after another, as one piece of work; write_op() and wait_op() make them. */
    void batch_mem_op(const std::vector<gc_mem_op>& operations) const {
        check(gc_stream_batch_mem_op(get(), operations.data(), operations.size(), 0));
    }

    /** Runs `function()` on a thread of the library's when the earlier work of the stream has completed; if recorded,
     *  at each replay. The callable is destroyed when nothing can run it any more. It must make no gc_ or CUDA calls.
     *  An exception that leaves it ends the program. */
    template <class F>
    void launch_host_func(F&& function) const {
        detail::give_host_function(std::forward<F>(function), [&](gc_host_fn run, void* data, gc_destroy_fn destroy) {
            return gc_stream_launch_host_func(get(), run, data, destroy);
        });
    }

    /** Launches a kernel. Arguments are Buffers, places in Buffers (see at()) and trivially copyable values. A value
     *  must have the type of the kernel's parameter. Values are copied before the call returns. */
    template <class... Arguments>
    void launch(const Kernel& kernel, const Shape& shape, const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        check(gc_stream_launch_kernel(get(), kernel.get(), &call.config, call.data(), call.size()));
    }
    /** Launches a kernel whose signature is known: arguments that do not fit do not compile. */
    template <class... Parameters>
    void launch(const TypedKernel<void(Parameters...)>& kernel, const Shape& shape,
                const detail::ArgumentFor<Parameters>&... arguments) const {
        const detail::Call<sizeof...(Parameters)> call{shape, arguments.get()...};
        check(gc_stream_launch_kernel(get(), kernel.untyped().get(), &call.config, call.data(), call.size()));
    }

private:
    ConditionalNode capture_conditional(Condition condition, std::uint32_t kind, std::uint32_t bodies) const {
        return ConditionalNode(detail::ask<gc_node>([&](gc_node* out) {
            return gc_stream_capture_conditional_node(get(), condition.id, kind, bodies, out);
        }));
    }
};

inline void Context::memcpy_peer(const Buffer& destination, const Buffer& source, std::size_t size,
                                 std::size_t destination_offset, std::size_t source_offset) const {
    check(gc_context_memcpy_peer(get(), destination.get(), destination_offset, source.get(), source_offset, size));
}
inline Stream Context::legacy_stream() const {
    return Stream(detail::make<gc_stream>([&](gc_stream** out) { return gc_context_legacy_stream(get(), out); }));
}
inline Stream Context::per_thread_stream() const {
    return Stream(detail::make<gc_stream>([&](gc_stream** out) { return gc_context_per_thread_stream(get(), out); }));
}
inline void Event::record(const Stream& stream) const { check(gc_event_record(get(), stream.get())); }
inline void Event::record_external(const Stream& stream) const {
    check(gc_event_record_with_flags(get(), stream.get(), GRAPHCAP_EVENT_RECORD_EXTERNAL));
}
inline std::pair<MemAllocNode, Buffer> Graph::add_mem_alloc(Nodes dependencies, std::size_t size) const {
    gc_node node = 0;
    Buffer memory(detail::make<gc_buffer>([&](gc_buffer** out) {
        return gc_graph_add_mem_alloc_node(get(), dependencies.data(), dependencies.size(), size, &node, out);
    }));
    return {MemAllocNode(node), std::move(memory)};
}
inline MemFreeNode Graph::add_mem_free(Nodes dependencies, const Buffer& memory) const {
    return added<MemFreeNode>([&](gc_node* out) {
        return gc_graph_add_mem_free_node(get(), dependencies.data(), dependencies.size(), memory.get(), out);
    });
}
inline Buffer Graph::buffer_of(Node node) const {
    return Buffer(detail::make<gc_buffer>([&](gc_buffer** out) { return gc_node_get_buffer(get(), node.id(), out); }));
}
inline GraphExec Graph::instantiate(const Stream& upload, std::uint32_t flags) const {
    gc_instantiate_options options = GRAPHCAP_INSTANTIATE_OPTIONS_INIT;
    options.flags = flags | GRAPHCAP_INSTANTIATE_UPLOAD;
    options.upload_stream = upload.get();
    return instantiate_with(options);
}
inline void GraphExec::launch(const Stream& stream) const { check(gc_graph_launch(get(), stream.get())); }
inline void GraphExec::upload(const Stream& stream) const { check(gc_graph_upload(get(), stream.get())); }

// ---- Captures ----

/**
 * Captures what `submit` submits to `stream`, and to streams that it forks to and joins, as a graph. `submit` is
 * anything that can be called without arguments. Its result is ignored.
 *
 * The capture always ends. If `submit` throws, the capture is ended, what was recorded is discarded, and the exception
 * goes on. Throws Error if the capture cannot begin, was broken, or was ended by `submit` itself.
 */
template <class F>
Graph capture(const Stream& stream, gc_capture_mode mode, F&& submit) {
    struct Call {
        std::remove_reference_t<F>* submit;
        std::exception_ptr thrown;
    };
    Call call{std::addressof(submit), nullptr};
    // No exception may pass through C: `call` holds it until the capture was ended.
    const gc_capture_fn run = [](const gc_stream*, void* user_data) noexcept -> gc_status {
        Call& call = *static_cast<Call*>(user_data);
        try {
            std::invoke(std::forward<F>(*call.submit));
            return GRAPHCAP_SUCCESS;
        } catch (...) {
            call.thrown = std::current_exception();
            return GRAPHCAP_ERROR_CALLBACK;
        }
    };
    gc_graph* graph = nullptr;
    const gc_status status = gc_stream_capture(stream.get(), mode, run, &call, nullptr, &graph);
    if (call.thrown) std::rethrow_exception(call.thrown);
    check(status);
    return Graph(graph);
}

/** Owns a capture of a stream, and ends or aborts it once. The destructor ends a capture that goes on, and discards
 *  what was recorded. One thread at a time may use the object; others get GRAPHCAP_ERROR_BUSY. */
class Capture : public detail::Handle<gc_capture, gc_capture_destroy> {
public:
    using Handle::Handle;

    /** Begins a capture. record_kernel() searches `modules` for kernels by name, in this order. */
    explicit Capture(const Stream& stream, gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_GLOBAL,
                     std::initializer_list<std::reference_wrapper<const Module>> modules = {})
        : Handle(detail::make<gc_capture>([&](gc_capture** out) {
              std::vector<const gc_module*> handles;
              for (const Module& module : modules) handles.push_back(module.get());
              gc_capture_options options{};
              options.struct_size = static_cast<std::uint32_t>(sizeof options);
              options.modules = handles.data();
              options.module_count = handles.size();
              return gc_capture_begin(stream.get(), mode, &options, out);
          })) {}

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
    /** Records a copy of `size` bytes into host memory, which is written at each replay. */
    void record_memcpy_dtoh(void* destination, const Buffer& source, std::size_t size,
                            std::size_t source_offset = 0) const {
        record_copy(copy_dtoh(destination, source, size, source_offset));
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
    /** Has the event mark what was recorded so far, where other streams can join. */
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
    /** Whether the capture goes on and is not broken. */
    bool is_active() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_capture_is_active(get(), out); }) != 0;
    }
    /** Ends the capture and returns the graph. Throws GRAPHCAP_ERROR_CAPTURE_UNMATCHED if it was ended before. */
    Graph end() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_capture_end(get(), out); }));
    }
    /** Ends the capture and discards what was recorded. */
    void abort() const { check(gc_capture_abort(get())); }
};

} // namespace graphcap

#endif
