/**
 * @file graphcap/graph_exec.hpp
 * Executable graphs. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_GRAPH_EXEC_HPP
#define GRAPHCAP_GRAPH_EXEC_HPP

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "error.hpp"
#include "event.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"
#include "node.hpp"
#include "pool.hpp"
#include "shape.hpp"
#include "typed_kernel.hpp"

namespace graphcap {

class Stream;
class Graph;

/** An executable graph. Its nodes are named as those of the graph that it was made from, which must be alive when the
 *  exec is changed. Changes bear on later launches; launches that were queued before run as they were. */
class GraphExec : public detail::Handle<gc_graph_exec, gc_graph_exec_destroy> {
public:
    using Handle::Handle;

    /** Uses a CUgraphExec that others made of `graph`, which is unchanged since; see gc_graph_exec_wrap(). */
    static GraphExec wrap(const Context& context, void* native_exec, const Graph& graph,
                          gc_ownership ownership = GRAPHCAP_OWNERSHIP_BORROWED);
    /** Uses a CUgraphExec that others made, whose nodes are not set. */
    static GraphExec wrap(const Context& context, void* native_exec,
                          gc_ownership ownership = GRAPHCAP_OWNERSHIP_BORROWED) {
        return GraphExec(detail::make<gc_graph_exec>([&](gc_graph_exec** out) {
            return gc_graph_exec_wrap(context.get(), native_exec, ownership, nullptr, out);
        }));
    }

    /** Queues one replay. */
    void launch(const Stream& stream) const;
    /** Queues one replay on the stream that it remembers, which Stream::end_capture_exec() had it do. */
    void relaunch() const { check(gc_graph_relaunch(get())); }
    /** Prepares the first launch. After one call has succeeded, later calls have no effect. */
    void upload(const Stream& stream) const;
    /** The context that the graph exec belongs to. */
    Context context() const { return detail::context_of(get()); }
    /** The pool that the exec keeps. Throws if it keeps none. */
    Pool pool() const {
        return Pool(detail::make<gc_pool>([&](gc_pool** out) { return gc_graph_exec_pool(get(), out); }));
    }
    /** Returns whether the exec keeps a pool. */
    bool has_pool() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_graph_exec_has_pool(get(), out); }) != 0;
    }
    /** Returns the number of objects that the pool has at this moment; 0 without a pool. */
    std::size_t pool_buffer_count() const {
        return detail::ask<std::size_t>(
            [&](std::size_t* out) { return gc_graph_exec_pool_buffer_count(get(), out); });
    }
    /** Number of launches that succeeded. */
    std::uint64_t num_replays() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_graph_exec_num_replays(get(), out); });
    }
    /** Returns the flags and objects of its making, and the number of launches. */
    gc_graph_exec_info info() const {
        auto info = detail::versioned<gc_graph_exec_info>();
        check(gc_graph_exec_get_info(get(), &info));
        return info;
    }
    /** The generation of the context in which the graph exec was made. */
    std::uint64_t generation() const {
        return info().generation;
    }
    /** Returns whether upload() has succeeded. */
    bool is_uploaded() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_graph_exec_is_uploaded(get(), out); }) != 0;
    }
    /** The flags that it was made with, as the driver tells them. */
    std::uint32_t flags() const {
        return info().flags;
    }
    /** Number of nodes. */
    std::size_t node_count() const {
        return static_cast<std::size_t>(info().node_count);
    }

    /** Returns the progress of the launches of an exec that was made with GRAPHCAP_INSTANTIATE_WATCH; `text` gets it
     *  in words, unless it is null. */
    gc_graph_exec_progress_info progress(std::string* text = nullptr) const {
        auto progress = detail::versioned<gc_graph_exec_progress_info>();
        std::string words = detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_graph_exec_progress(get(), &progress, to, capacity, needed);
        });
        if (text != nullptr) *text = std::move(words);
        return progress;
    }
    /** Tells as JSON when each node ran in the last `replays` replays of the trace. See gc_graph_exec_times(). */
    std::string times(std::uint64_t replays) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_graph_exec_times(get(), replays, to, capacity, needed);
        });
    }
    /** The nodes of one state in the launch that progress() tells of: `state` is a GRAPHCAP_NODE_ number. */
    std::vector<Node> nodes_in_state(gc_node_state state) const {
        return detail::read_nodes([&](gc_node* out, std::size_t capacity, std::size_t* needed) {
            return gc_graph_exec_nodes_in_state(get(), state, out, capacity, needed);
        });
    }

    /** Makes a node do the work that a struct describes, in later launches. */
    void set(Node node, const gc_work& work) const { check(gc_graph_exec_set_node(get(), node.id(), &work)); }
    /** Makes each node do its work, in later launches. When it throws, `failed` is set to the index of the node that failed, or
     *  to SIZE_MAX; those before it are set. */
    void set_nodes(Nodes nodes, const std::vector<gc_work>& works, std::size_t* failed = nullptr) const {
        if (works.size() != nodes.size()) throw std::invalid_argument("works has another length than nodes");
        check(gc_graph_exec_set_nodes(get(), nodes.data(), works.data(), works.size(), failed));
    }
    /** Changes what a kernel node launches; arguments as for Stream::launch(). */
    template <class... Arguments>
    void set_kernel(KernelNode node, const Kernel& kernel, const Shape& shape, const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        check(gc_graph_exec_set_kernel_node(get(), node.id(), kernel.get(), &call.config, call.data(), call.size()));
    }
    /** As above, for a kernel whose signature is known: arguments that do not fit do not compile. */
    template <class... Parameters>
    void set_kernel(KernelNode node, const TypedKernel<void(Parameters...)>& kernel, const Shape& shape,
                    const detail::ArgumentFor<Parameters>&... arguments) const {
        const detail::Call<sizeof...(Parameters)> call{shape, arguments.get()...};
        check(gc_graph_exec_set_kernel_node(get(), node.id(), kernel.untyped().get(), &call.config, call.data(),
                                            call.size()));
    }
    /** Changes what a copy node copies. */
    void set_memcpy(MemcpyNode node, const gc_memcpy_params& params) const {
        check(gc_graph_exec_set_memcpy_node(get(), node.id(), &params));
    }
    /** Changes what a memset node sets. */
    void set_memset(MemsetNode node, const gc_memset_params& params) const {
        check(gc_graph_exec_set_memset_node(get(), node.id(), &params));
    }
    /** Changes which function a host node runs; `function` as for Stream::launch_host_func(). */
    template <class F>
    void set_host(HostNode node, F&& function) const {
        detail::give_host_function(std::forward<F>(function), [&](gc_host_fn run, void* data, gc_destroy_fn destroy) {
            return gc_graph_exec_set_host_node(get(), node.id(), run, data, destroy);
        });
    }
    /** Changes the value operations of a node. */
    void set_batch_mem_op(MemOpNode node, const std::vector<gc_mem_op>& operations) const {
        check(gc_graph_exec_set_batch_mem_op_node(get(), node.id(), operations.data(), operations.size()));
    }
    /** Changes which event a node records. */
    void set_event_record(EventRecordNode node, const Event& event) const {
        check(gc_graph_exec_set_event_record_node(get(), node.id(), event.get()));
    }
    /** Changes which event a node waits for. */
    void set_event_wait(EventWaitNode node, const Event& event) const {
        check(gc_graph_exec_set_event_wait_node(get(), node.id(), event.get()));
    }
    /** Changes which graph a child node runs: a copy of `child`, which has the same nodes and edges as the one
     *  before. */
    void set_child(ChildNode node, const Graph& child) const;
    /** Makes each node do what the matching node of `graph` does. Throws where the driver refuses that, and changes
     *  nothing then. `flags` are GRAPHCAP_GRAPH_EXEC_UPDATE_ flags. */
    gc_graph_exec_update_info update(const Graph& graph, std::uint32_t flags = 0) const;
    /** Returns the answer that update() would give: the status in it is GRAPHCAP_SUCCESS where the update would be
     *  made. Throws only where that cannot be told. */
    gc_graph_exec_update_info can_update(const Graph& graph) const;
    /** Throws where memory is gone that nodes name by addresses, as far as captures noted it: gc_graph_exec_check().
     *  Else gives what was noted. */
    gc_graph_exec_check_info check_memory() const {
        auto info = detail::versioned<gc_graph_exec_check_info>();
        check(gc_graph_exec_check(get(), &info));
        return info;
    }
    /** Returns all memory that is gone, as Graph::findings() does: see gc_graph_exec_check_findings(). */
    std::vector<gc_finding> findings(gc_severity least = GRAPHCAP_SEVERITY_WARNING) const {
        return detail::ask_list<gc_finding>([&](gc_finding* out, std::size_t capacity, std::size_t* needed) {
            return gc_graph_exec_check_findings(get(), least, out, capacity, needed);
        });
    }
    /** Returns the findings in words, a line each. */
    std::string findings_text(gc_severity least = GRAPHCAP_SEVERITY_WARNING) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_graph_exec_check_text(get(), least, to, capacity, needed);
        });
    }
    /** Returns the findings as JSON: see gc_graph_exec_check_json(). */
    std::string findings_json(gc_severity least = GRAPHCAP_SEVERITY_WARNING) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_graph_exec_check_json(get(), least, to, capacity, needed);
        });
    }
    /** Makes later launches do what `graph` does, by the cheapest way that is right, and tells which way that was.
     *  Throws where none is left, and changes nothing then. */
    gc_graph_exec_apply_report apply(const Graph& graph) const;
    /** As above, with options. */
    gc_graph_exec_apply_report apply(const Graph& graph, const gc_graph_exec_apply_options& options) const;
    /** Makes all nodes use `to` where they use `from`, in later launches: all of them or none. Gives how many nodes
     *  were changed. The graph is not changed. */
    std::size_t replace_buffer(const Buffer& from, const Buffer& to) const {
        return detail::ask<std::size_t>(
            [&](std::size_t* out) { return gc_graph_exec_replace_buffer(get(), from.get(), to.get(), out); });
    }
    /** Enables or disables a kernel, copy or memset node. A disabled node does nothing. */
    void set_enabled(Node node, bool enabled) const {
        check(gc_graph_exec_set_node_enabled(get(), node.id(), enabled ? 1 : 0));
    }
    /** Returns whether later launches run a node that can be disabled. */
    bool is_enabled(Node node) const {
        return detail::ask<std::int32_t>(
                   [&](std::int32_t* out) { return gc_graph_exec_is_node_enabled(get(), node.id(), out); }) != 0;
    }
    /** The CUgraphExec. */
    void* native() const { return detail::native(get()); }
};

} // namespace graphcap

#endif
