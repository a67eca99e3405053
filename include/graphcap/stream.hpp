/**
 * @file graphcap/stream.hpp
 * Streams. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_STREAM_HPP
#define GRAPHCAP_STREAM_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "event.hpp"
#include "graph.hpp"
#include "graph_exec.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"
#include "node.hpp"
#include "pool.hpp"
#include "shape.hpp"
#include "typed_kernel.hpp"
#include "work.hpp"

namespace graphcap {

/** A queue of work. While it is captured, work is recorded into a graph and not run. */
class Stream : public detail::Handle<gc_stream, gc_stream_destroy> {
public:
    using Handle::Handle;

    /** Makes a stream; `flags` are GRAPHCAP_STREAM_ flags, a lower `priority` is more urgent. */
    explicit Stream(const Context& context, std::uint32_t flags = 0, std::int32_t priority = 0)
        : Handle(detail::make<gc_stream>([&](gc_stream** out) {
              auto options = detail::versioned<gc_stream_options>();
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
    void* native() const { return detail::native(get()); }

    /** The context that the stream belongs to. */
    Context context() const { return detail::context_of(get()); }
    /** Waits until everything submitted so far has completed. */
    void synchronize() const { check(gc_stream_synchronize(get())); }
    /** Frees what a launch of a graph allocated and left; see gc_stream_mem_free(). */
    void free_buffer(const Buffer& memory) const { check(gc_stream_mem_free(get(), memory.get())); }
    /** Allocates `size` bytes of a pool for work that the stream is given from here on. While the stream is captured,
     *  memory is used again that free_from_pool() freed in the same capture. */
    Buffer allocate(const Pool& pool, std::size_t size) const {
        return Buffer(detail::make<gc_buffer>(
            [&](gc_buffer** out) { return gc_pool_allocate_on_stream(pool.get(), get(), size, out); }));
    }
    /** Lets go of a buffer behind all that uses it. If allocate() allocated it in the capture that the stream is in,
     *  that may use its memory again. Where this throws, the buffer stays. */
    void free_from_pool(Buffer& buffer) const {
        check(gc_buffer_destroy_on_stream(buffer.get(), get()));
        static_cast<void>(buffer.release());
    }
    /** Waits until everything submitted so far has completed, but no longer than `limit`. Returns whether it has. */
    bool synchronize_for(std::chrono::nanoseconds limit) const {
        return detail::in_time(gc_stream_synchronize_for(get(), detail::nanoseconds(limit)));
    }
    /** Returns whether everything submitted so far has completed. */
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
    /** Begins a capture that keeps a pool. */
    void begin_capture(gc_capture_mode mode, const Pool& pool) const {
        check(gc_stream_begin_capture_with_pool(get(), mode, pool.get()));
    }
    /** Begins a capture into an existing graph. The first work depends on `dependencies`, which are nodes of the graph.
     *  end_capture() returns another handle to the graph. */
    void begin_capture_to_graph(const Graph& graph, Nodes dependencies, gc_capture_mode mode) const {
        auto options = detail::versioned<gc_capture_options>();
        options.graph = graph.get();
        options.dependencies = dependencies.data();
        options.dependency_count = dependencies.size();
        check(gc_capture_begin(get(), mode, &options, nullptr));
    }
    /** Ends the capture and returns the graph. */
    Graph end_capture() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_stream_end_capture(get(), out); }));
    }
    /** Ends the capture and returns the graph, which keeps a pool. */
    Graph end_capture(const Pool& pool) const {
        return Graph(detail::make<gc_graph>(
            [&](gc_graph** out) { return gc_stream_end_capture_with_pool(get(), pool.get(), out); }));
    }
    /** Ends the capture and makes a graph exec of what was recorded, which GraphExec::relaunch() launches on this
     *  stream. `flags` are GRAPHCAP_INSTANTIATE_ flags; an upload is made on this stream. */
    GraphExec end_capture_exec(std::uint32_t flags = 0) const {
        auto options = detail::versioned<gc_instantiate_options>();
        options.flags = flags;
        options.upload_stream = (flags & GRAPHCAP_INSTANTIATE_UPLOAD) != 0 ? get() : nullptr;
        return GraphExec(detail::make<gc_graph_exec>(
            [&](gc_graph_exec** out) { return gc_stream_end_capture_exec(get(), &options, out); }));
    }
    /** Returns whether the stream is being captured. */
    bool is_capturing() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_stream_is_capturing(get(), out); }) != 0;
    }
    /** One of the GRAPHCAP_CAPTURE_STATUS_ numbers. */
    gc_capture_state capture_status() const {
        return detail::ask<gc_capture_state>(
            [&](gc_capture_state* out) { return gc_stream_capture_status(get(), out); });
    }
    /** Returns a report of what broke the capture that the stream is in, or the latest one that was begun on it;
     *  empty if nothing did. */
    std::string capture_violation() const {
        gc_violation violation = GRAPHCAP_VIOLATION_NONE;
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_stream_capture_violation(get(), &violation, to, capacity, needed);
        });
    }
    /** The number by which messages name the stream. */
    std::uint64_t id() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_stream_id(get(), out); });
    }
    /** Describes the capture that the stream is in. */
    gc_capture_info capture_info() const {
        return detail::ask_params<gc_capture_info>(
            [&](gc_capture_info* out) { return gc_stream_capture_info(get(), out); });
    }
    /** The nodes that the next work recorded will depend on. */
    std::vector<Node> capture_frontier() const {
        return detail::read_nodes([&](gc_node* to, std::size_t capacity, std::size_t* needed) {
            return gc_stream_capture_frontier(get(), to, capacity, needed);
        });
    }
    /** The graph that the capture goes into. Nodes can be added to it; update_capture_dependencies() has the capture
     *  go on from them. end_capture() returns another handle to it. */
    Graph capture_graph() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_stream_capture_graph(get(), out); }));
    }
    /** Puts a copy of `child` into the capture, between what was recorded and what is recorded next. */
    ChildNode capture_child(const Graph& child) const {
        return ChildNode(detail::ask<gc_node>(
            [&](gc_node* out) { return gc_stream_capture_child_node(get(), child.get(), out); }));
    }
    /** Puts a conditional node into the capture, as Graph::add_if() adds one. The condition is one of
     *  capture_graph(). */
    ConditionalNode capture_if(Condition condition, std::uint32_t bodies = 1) const {
        return capture_conditional(condition, GRAPHCAP_CONDITIONAL_IF, bodies);
    }
    /** As above, for Graph::add_while(). */
    ConditionalNode capture_while(Condition condition) const {
        return capture_conditional(condition, GRAPHCAP_CONDITIONAL_WHILE, 1);
    }
    /** As above, for Graph::add_switch(). */
    ConditionalNode capture_switch(Condition condition, std::uint32_t bodies) const {
        return capture_conditional(condition, GRAPHCAP_CONDITIONAL_SWITCH, bodies);
    }
    /** Records that a condition is set to the 4 bytes at `offset` of the buffer, as they are then; in bodies, too. */
    void set_condition(Condition condition, const Buffer& buffer, std::size_t offset = 0) const {
        check(gc_stream_set_condition(get(), condition.id, buffer.get(), offset));
    }
    /** Returns the graph that was recorded so far as Graphviz DOT text; `flags` are GRAPHCAP_DOT_ flags. */
    std::string capture_dot(std::uint32_t flags = 0) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_stream_export_capture_dot(get(), flags, to, capacity, needed);
        });
    }
    /** Sets the nodes that the next recorded work depends on; `flags` is a GRAPHCAP_CAPTURE_DEPENDENCIES_ number. */
    void update_capture_dependencies(Nodes nodes, std::uint32_t flags) const {
        check(gc_stream_update_capture_dependencies(get(), nodes.data(), nullptr, nodes.size(), flags));
    }
    /** As above, with what the edge from each node carries: `data` has an element for each. */
    void update_capture_dependencies(Nodes nodes, const std::vector<gc_edge_data>& data, std::uint32_t flags) const {
        if (data.size() != nodes.size()) throw std::invalid_argument("data has another length than nodes");
        check(gc_stream_update_capture_dependencies(get(), nodes.data(), data.data(), nodes.size(), flags));
    }

    /** Copies `size` bytes from host memory, which is read when the copy runs: at each replay, if recorded. */
    void memcpy_htod(const Buffer& destination, const void* source, std::size_t size,
                     std::size_t destination_offset = 0) const {
        check(gc_stream_memcpy_htod(get(), destination.get(), destination_offset, source, size));
    }
    /** Copies `size` bytes from a host buffer, which is read when the copy runs. A graph keeps it alive. */
    void memcpy_htod(const Buffer& destination, const HostBuffer& source, std::size_t size,
                     std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        copy(copy_htod(destination, source, size, destination_offset, source_offset));
    }
    /** Copies `size` bytes into host memory, which is written when the copy runs: at each replay, if recorded. */
    void memcpy_dtoh(void* destination, const Buffer& source, std::size_t size, std::size_t source_offset = 0) const {
        check(gc_stream_memcpy_dtoh(get(), destination, source.get(), source_offset, size));
    }
    /** Copies `size` bytes into a host buffer, which is written when the copy runs. A graph keeps it alive. */
    void memcpy_dtoh(const HostBuffer& destination, const Buffer& source, std::size_t size,
                     std::size_t destination_offset = 0, std::size_t source_offset = 0) const {
        copy(copy_dtoh(destination, source, size, destination_offset, source_offset));
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
    /** Submits work that a struct describes; start from work_of(). Gives the node that was recorded; its id() is 0
     *  where none was. */
    Node submit(const gc_work& work) const {
        return Node(detail::ask<gc_node>([&](gc_node* out) { return gc_stream_submit(get(), &work, out); }));
    }
    /** Copies what the params say; copy_htod(), copy_dtoh(), copy_dtod() and copy_htoh() make those of one row.
     *  Not named after gc_stream_memcpy because some C libraries make memcpy a macro. */
    void copy(const gc_memcpy_params& params) const { check(gc_stream_memcpy(get(), &params)); }
    /** Makes several copies, in no order among themselves. When it throws, `failed` is set to the index of the first
     *  copy that failed, or to SIZE_MAX. */
    void copy_batch(const std::vector<gc_memcpy_params>& copies, std::size_t* failed = nullptr) const {
        check(gc_stream_memcpy_batch(get(), copies.data(), copies.size(), failed));
    }
    /** Sets `count` elements of 1, 2 or 4 bytes to `value`, from `offset` bytes into the buffer. Not named after
     *  gc_stream_memset because some C libraries make memset a macro. */
    template <class T>
    void fill(const Buffer& buffer, T value, std::size_t count, std::size_t offset = 0) const {
        const auto bits = detail::element_bits(value);
        check(gc_stream_memset(get(), buffer.get(), offset, bits, static_cast<std::uint32_t>(sizeof bits), count));
    }
    /** Sets rows of elements; fill_with() makes the params of one row. */
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
     *  at each replay. The callable is destroyed when nothing can run it any more. gc_host_fn tells what it may call.
     *  It fails by an exception, as by host_fail(). */
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

inline Stream Context::legacy_stream() const {
    return Stream(detail::make<gc_stream>([&](gc_stream** out) { return gc_context_legacy_stream(get(), out); }));
}
inline Stream Context::per_thread_stream() const {
    return Stream(detail::make<gc_stream>([&](gc_stream** out) { return gc_context_per_thread_stream(get(), out); }));
}
inline void Event::record(const Stream& stream) const { check(gc_event_record(get(), stream.get(), 0)); }
inline void Event::record_external(const Stream& stream) const {
    check(gc_event_record(get(), stream.get(), GRAPHCAP_EVENT_RECORD_EXTERNAL));
}
inline GraphExec Graph::instantiate(const Stream& upload, std::uint32_t flags) const {
    return instantiate_with(flags | GRAPHCAP_INSTANTIATE_UPLOAD, detail::live(upload, "upload"));
}
inline void GraphExec::launch(const Stream& stream) const { check(gc_graph_launch(get(), stream.get())); }
inline void GraphExec::upload(const Stream& stream) const { check(gc_graph_upload(get(), stream.get())); }

} // namespace graphcap

#endif
