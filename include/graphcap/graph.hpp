/**
 * @file graphcap/graph.hpp
 * Graphs: built, looked at, edited, made executable, written as text. graphcap.hpp includes this file; a program
 * includes graphcap.hpp.
 */
#ifndef GRAPHCAP_GRAPH_HPP
#define GRAPHCAP_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "binding.hpp"
#include "bisect.hpp"
#include "context.hpp"
#include "error.hpp"
#include "event.hpp"
#include "graph_exec.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"
#include "node.hpp"
#include "shape.hpp"
#include "typed_kernel.hpp"
#include "step.hpp"
#include "verify.hpp"

namespace graphcap {

class Plan;

/**
 * The definition of a graph.
 *
 * Functions that add a node take the nodes that it waits for first: `{}`, `{a, b}`, or a vector of Node. The graph keeps
 * alive what its nodes use: buffers, modules, events, callables.
 *
 *     const auto in = graph.add_memcpy({}, graphcap::copy_htod(data, source, size));
 *     const auto run = graph.add_kernel({in}, scale, {1024}, data, 2.0f);
 */
class Graph : public detail::Handle<gc_graph, gc_graph_destroy> {
public:
    using Handle::Handle;

    /** Makes a graph without nodes, to build or to capture into. */
    explicit Graph(const Context& context)
        : Handle(detail::make<gc_graph>([&](gc_graph** out) { return gc_graph_create(context.get(), out); })) {}

    /** Uses a CUgraph that others made, and makes graphcap its owner if `ownership` says so. */
    static Graph wrap(const Context& context, void* native_graph, gc_ownership ownership = GRAPHCAP_OWNERSHIP_BORROWED) {
        return Graph(detail::make<gc_graph>(
            [&](gc_graph** out) { return gc_graph_wrap(context.get(), native_graph, ownership, out); }));
    }

    /** The context that the graph belongs to. */
    Context context() const { return detail::context_of(get()); }
    /** The graph that has the node: this one, or one within it. */
    Graph containing(Node node) const { return object_of<Graph>(node, gc_node_get_containing_graph); }

    /** Adds a node with the work that a struct describes; start from work_of(). */
    Node add(Nodes dependencies, const gc_work& work) const {
        return Node(detail::ask<gc_node>([&](gc_node* out) {
            return gc_graph_add_node(get(), dependencies.data(), nullptr, dependencies.size(), &work, out);
        }));
    }
    /** Adds nodes with their works, one after another. `dependencies` has for each one the nodes that it waits for, as ids in the
     *  caller's memory, which may be those of `ids`; it is empty where none waits. `ids` has room for as many. When it throws, `failed`
     *  is set to the index of the node that failed, or to SIZE_MAX; those before it are added. */
    void add_nodes(const std::vector<gc_work>& works, gc_node* ids, const std::vector<std::pair<const gc_node*, std::size_t>>& dependencies = {},
                   std::size_t* failed = nullptr) const {
        if (!dependencies.empty() && dependencies.size() != works.size()) {
            throw std::invalid_argument("dependencies has another length than works");
        }
        std::vector<const gc_node*> lists;
        std::vector<std::size_t> counts;
        for (const auto& list : dependencies) {
            lists.push_back(list.first);
            counts.push_back(list.second);
        }
        const bool waits = !dependencies.empty();
        check(gc_graph_add_nodes(get(), waits ? lists.data() : nullptr, waits ? counts.data() : nullptr, works.data(), works.size(), ids,
                                 failed));
    }
    /** Adds a node that does nothing. */
    EmptyNode add_empty(Nodes dependencies) const {
        return added<EmptyNode>(gc_graph_add_empty_node, dependencies);
    }
    /** Adds a node that launches a kernel; arguments as for Stream::launch(). */
    template <class... Arguments>
    KernelNode add_kernel(Nodes dependencies, const Kernel& kernel, const Shape& shape,
                          const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        return add_call(dependencies, kernel, call);
    }
    /** As above, for a kernel whose signature is known: arguments that do not fit do not compile. */
    template <class... Parameters>
    KernelNode add_kernel(Nodes dependencies, const TypedKernel<void(Parameters...)>& kernel, const Shape& shape,
                          const detail::ArgumentFor<Parameters>&... arguments) const {
        const detail::Call<sizeof...(Parameters)> call{shape, arguments.get()...};
        return add_call(dependencies, kernel.untyped(), call);
    }
    /** Adds a node that copies; copy_htod(), copy_dtoh(), copy_dtod() and copy_htoh() make the params. */
    MemcpyNode add_memcpy(Nodes dependencies, const gc_memcpy_params& params) const {
        return added<MemcpyNode>(gc_graph_add_memcpy_node, dependencies, &params);
    }
    /** Adds a node that sets rows of elements; fill_with() makes the params of one row. */
    MemsetNode add_memset(Nodes dependencies, const gc_memset_params& params) const {
        return added<MemsetNode>(gc_graph_add_memset_node, dependencies, &params);
    }
    /** Adds a node that runs `function()` on a thread of the library's, as Stream::launch_host_func() does. */
    template <class F>
    HostNode add_host(Nodes dependencies, F&& function) const {
        gc_node node = 0;
        detail::give_host_function(std::forward<F>(function), [&](gc_host_fn run, void* data, gc_destroy_fn destroy) {
            return gc_graph_add_host_node(get(), dependencies.data(), dependencies.size(), run, data, destroy, &node);
        });
        return HostNode(node);
    }
    /** Adds a node that does value operations one after another. */
    MemOpNode add_batch_mem_op(Nodes dependencies, const std::vector<gc_mem_op>& operations) const {
        return added<MemOpNode>(gc_graph_add_batch_mem_op_node, dependencies, operations.data(), operations.size());
    }
    /** Adds a node that records an event. */
    EventRecordNode add_event_record(Nodes dependencies, const Event& event) const {
        return added<EventRecordNode>(gc_graph_add_event_record_node, dependencies, event.get());
    }
    /** Adds a node that waits for an event. */
    EventWaitNode add_event_wait(Nodes dependencies, const Event& event) const {
        return added<EventWaitNode>(gc_graph_add_event_wait_node, dependencies, event.get());
    }
    /** Adds a node that allocates `size` bytes, and gives the memory; see gc_graph_add_mem_alloc_node(). */
    std::pair<MemAllocNode, Buffer> add_mem_alloc(Nodes dependencies, std::size_t size) const {
        gc_node node = 0;
        Buffer memory(detail::make<gc_buffer>([&](gc_buffer** out) {
            return gc_graph_add_mem_alloc_node(get(), dependencies.data(), dependencies.size(), size, &node, out);
        }));
        return {MemAllocNode(node), std::move(memory)};
    }
    /** Adds a node that frees what a node allocates. */
    MemFreeNode add_mem_free(Nodes dependencies, const Buffer& memory) const {
        return added<MemFreeNode>(gc_graph_add_mem_free_node, dependencies, memory.get());
    }
    /** Adds a node that runs a copy of `child` as it is now. */
    ChildNode add_child(Nodes dependencies, const Graph& child) const {
        return added<ChildNode>(gc_graph_add_child_node, dependencies, child.get());
    }
    /** Makes a condition that has `value` when a launch begins. */
    Condition create_condition(std::uint32_t value = 0) const {
        return {detail::ask<gc_condition>([&](gc_condition* out) {
            return gc_graph_create_condition(get(), value, GRAPHCAP_CONDITION_ASSIGN_DEFAULT, out);
        })};
    }
    /** Adds a node that sets a condition of the graph to the 4 bytes at `offset` of the buffer, as they are then. */
    KernelNode add_set_condition(Nodes dependencies, Condition condition, const Buffer& buffer,
                                 std::size_t offset = 0) const {
        return added<KernelNode>(gc_graph_add_set_condition_node, dependencies, condition.id, buffer.get(), offset);
    }
    /** Adds a node that sets the condition to the value of a scalar of 32 bits, as it is when the node runs. Takes a
     *  Scalar<std::uint32_t> or a Scalar<std::int32_t>. */
    KernelNode add_set_condition(Nodes dependencies, Condition condition,
                                 const detail::Handle<gc_scalar, gc_scalar_destroy>& scalar) const {
        return added<KernelNode>(gc_graph_add_scalar_condition_node, dependencies, condition.id, scalar.get());
    }
    /** Adds a node that runs its first body once unless the value is 0, and the second body, if there is one, if it
     *  is. */
    ConditionalNode add_if(Nodes dependencies, Condition condition, std::uint32_t bodies = 1) const {
        return add_conditional(dependencies, condition, GRAPHCAP_CONDITIONAL_IF, bodies);
    }
    /** Adds a node that runs its body again and again as long as the value is not 0. */
    ConditionalNode add_while(Nodes dependencies, Condition condition) const {
        return add_conditional(dependencies, condition, GRAPHCAP_CONDITIONAL_WHILE, 1);
    }
    /** Adds a node that runs the body of which the value is the index; none if there is no such body. */
    ConditionalNode add_switch(Nodes dependencies, Condition condition, std::uint32_t bodies) const {
        return add_conditional(dependencies, condition, GRAPHCAP_CONDITIONAL_SWITCH, bodies);
    }
    /** Adds edges: all of them or none. */
    void add_dependencies(const std::vector<Edge>& edges) const {
        change_edges(edges, [](const gc_graph* graph, const gc_node* from, const gc_node* to, std::size_t count) {
            return gc_graph_add_dependencies(graph, from, to, nullptr, count);
        });
    }
    /** Adds edges that carry something: all of them or none. */
    void add_dependencies_with_data(const std::vector<EdgeWithData>& edges) const {
        std::vector<gc_node> from, to;
        std::vector<gc_edge_data> data;
        for (const EdgeWithData& edge : edges) {
            from.push_back(edge.from.id());
            to.push_back(edge.to.id());
            data.push_back(edge.data);
        }
        check(gc_graph_add_dependencies(get(), from.data(), to.data(), data.data(), edges.size()));
    }
    /** Removes edges: all of them or none. */
    void remove_dependencies(const std::vector<Edge>& edges) const {
        change_edges(edges, gc_graph_remove_dependencies);
    }
    /** Removes a node with its edges. Execs that were made before still run it. */
    void remove(Node node) const { check(gc_graph_remove_node(get(), node.id())); }
    /** Makes all nodes, those of graphs within nodes too, use `to` where they use `from`: all of them or none. Gives
     *  how many nodes were changed. Execs that were made before go on as they were. */
    std::size_t replace_buffer(const Buffer& from, const Buffer& to) const {
        return detail::ask<std::size_t>(
            [&](std::size_t* out) { return gc_graph_replace_buffer(get(), from.get(), to.get(), out); });
    }
    /** Keeps an object of any type. It is destroyed when the graph, its copies, the execs made of them and their
     *  launches are gone, on any thread, or when this call fails. */
    template <class T>
    void retain(T&& object) const {
        using Object = std::decay_t<T>;
        Object* const kept = new Object(std::forward<T>(object));
        check(gc_graph_retain_callback(get(), kept, detail::drop_callable<Object>));
    }
    /** Makes a copy of the graph as it is now. */
    Graph clone() const {
        return Graph(detail::make<gc_graph>([&](gc_graph** out) { return gc_graph_clone(get(), out); }));
    }
    /** The node of `clone`, which clone() made, that is the copy of a node of this graph. */
    template <class N>
    N find_in_clone(N node, const Graph& clone) const {
        return N(detail::ask<gc_node>(
            [&](gc_node* out) { return gc_node_find_in_clone(get(), node.id(), clone.get(), out); }));
    }

    /** Makes a node do the work that a struct describes. Execs made before are not changed. */
    void set(Node node, const gc_work& work) const { check(gc_node_set(get(), node.id(), &work)); }
    /** Makes each node do its work. When it throws, `failed` is set to the index of the node that failed, or to SIZE_MAX; those
     *  before it are set. */
    void set_nodes(Nodes nodes, const std::vector<gc_work>& works, std::size_t* failed = nullptr) const {
        if (works.size() != nodes.size()) throw std::invalid_argument("works has another length than nodes");
        check(gc_graph_set_nodes(get(), nodes.data(), works.data(), works.size(), failed));
    }
    /** Changes what a kernel node launches; arguments as for Stream::launch(). Execs made before are not changed. */
    template <class... Arguments>
    void set_kernel(KernelNode node, const Kernel& kernel, const Shape& shape, const Arguments&... arguments) const {
        const detail::Call<sizeof...(Arguments)> call{shape, detail::argument(arguments)...};
        check(gc_node_set_kernel(get(), node.id(), kernel.get(), &call.config, call.data(), call.size()));
    }
    /** As above, for a kernel whose signature is known: arguments that do not fit do not compile. */
    template <class... Parameters>
    void set_kernel(KernelNode node, const TypedKernel<void(Parameters...)>& kernel, const Shape& shape,
                    const detail::ArgumentFor<Parameters>&... arguments) const {
        const detail::Call<sizeof...(Parameters)> call{shape, arguments.get()...};
        check(gc_node_set_kernel(get(), node.id(), kernel.untyped().get(), &call.config, call.data(), call.size()));
    }
    /** Changes what a copy node copies. */
    void set_memcpy(MemcpyNode node, const gc_memcpy_params& params) const {
        check(gc_node_set_memcpy(get(), node.id(), &params));
    }
    /** Changes what a memset node sets. */
    void set_memset(MemsetNode node, const gc_memset_params& params) const {
        check(gc_node_set_memset(get(), node.id(), &params));
    }
    /** Changes which function a host node runs. */
    template <class F>
    void set_host(HostNode node, F&& function) const {
        detail::give_host_function(std::forward<F>(function), [&](gc_host_fn run, void* data, gc_destroy_fn destroy) {
            return gc_node_set_host(get(), node.id(), run, data, destroy);
        });
    }
    /** Changes the value operations of a node. */
    void set_batch_mem_op(MemOpNode node, const std::vector<gc_mem_op>& operations) const {
        check(gc_node_set_batch_mem_op(get(), node.id(), operations.data(), operations.size()));
    }
    /** Changes which event a node records. */
    void set_event_record(EventRecordNode node, const Event& event) const {
        check(gc_node_set_event_record(get(), node.id(), event.get()));
    }
    /** Changes which event a node waits for. */
    void set_event_wait(EventWaitNode node, const Event& event) const {
        check(gc_node_set_event_wait(get(), node.id(), event.get()));
    }

    /** Makes a child node run a copy of another graph. What `child()` gave of the node before is gone. */
    void set_child(ChildNode node, const Graph& child) const {
        check(gc_node_set_child(get(), node.id(), child.get()));
    }

    /** The kind of a node: one of the GRAPHCAP_NODE_ numbers. */
    std::uint32_t kind(Node node) const {
        return detail::ask<std::uint32_t>([&](std::uint32_t* out) { return gc_node_kind(get(), node.id(), out); });
    }
    /** A node as one of its kind: `as<KernelNode>(node)`. Throws GRAPHCAP_ERROR_INVALID_VALUE if it is of another
     *  kind. */
    template <class N>
    N as(Node node) const {
        const std::uint32_t found = kind(node);
        if (found == N::kind) return N(node.id());
        throw Error(GRAPHCAP_ERROR_INVALID_VALUE, "the node " + std::to_string(node.id()) + " is of the kind " +
                                                      std::to_string(found) + ", not " + std::to_string(N::kind));
    }
    /** Gives a node a name, which messages and texts of the graph call it by. */
    void set_name(Node node, const std::string& name) const {
        check(gc_node_set_name(get(), node.id(), name.c_str()));
    }
    /** The name of a node, or else that of the kernel that it launches. */
    std::string name(Node node) const { return text(gc_node_get_name, node.id()); }
    /** The nodes, in the order in which they were recorded. */
    std::vector<Node> nodes() const { return list(gc_graph_get_nodes); }
    /** The nodes that wait for no other. */
    std::vector<Node> roots() const { return list(gc_graph_get_roots); }
    /** The nodes, each after those that it waits for. Graphs that are built alike have the same order. */
    std::vector<Node> order() const { return list(gc_graph_get_order); }
    /** The nodes that a node waits for. */
    std::vector<Node> dependencies(Node node) const { return list(gc_node_get_dependencies, node); }
    /** The nodes that wait for a node. */
    std::vector<Node> dependents(Node node) const { return list(gc_node_get_dependents, node); }
    /** The edges, in no order. */
    std::vector<Edge> edges() const {
        std::vector<gc_node> to;
        const std::vector<Node> from =
            detail::read_nodes([&](gc_node* from_out, std::size_t capacity, std::size_t* needed) {
                to.resize(capacity);
                return gc_graph_get_edges(get(), from_out, to.data(), nullptr, capacity, needed);
            });
        std::vector<Edge> edges;
        edges.reserve(from.size());
        for (std::size_t i = 0; i < from.size(); i++) edges.push_back({from[i], Node(to[i])});
        return edges;
    }
    /** The edges with what they carry, in no order. */
    std::vector<EdgeWithData> edges_with_data() const {
        std::vector<gc_node> to;
        std::vector<gc_edge_data> data;
        const std::vector<Node> from =
            detail::read_nodes([&](gc_node* from_out, std::size_t capacity, std::size_t* needed) {
                to.resize(capacity);
                data.resize(capacity);
                return gc_graph_get_edges(get(), from_out, to.data(), data.data(), capacity, needed);
            });
        std::vector<EdgeWithData> edges;
        edges.reserve(from.size());
        for (std::size_t i = 0; i < from.size(); i++) edges.push_back({from[i], Node(to[i]), data[i]});
        return edges;
    }
    /** The pointers in arguments of kernels that lie in memory which the graph does not keep: see
     *  gc_graph_unresolved_pointers(). */
    std::vector<gc_unresolved_pointer> unresolved_pointers() const {
        return detail::ask_list<gc_unresolved_pointer>(
            [&](gc_unresolved_pointer* out, std::size_t capacity, std::size_t* needed) {
                return gc_graph_unresolved_pointers(get(), out, capacity, needed);
            });
    }
    /** Returns the data of an edge; std::invalid_argument when there is no such edge. */
    gc_edge_data edge_data(Node from, Node to) const {
        for (const EdgeWithData& edge : edges_with_data())
            if (edge.from == from && edge.to == to) return edge.data;
        throw std::invalid_argument("the graph has no such edge");
    }
    /** A launch attribute of a kernel node; `attribute` is a GRAPHCAP_LAUNCH_ATTRIBUTE_ number. */
    gc_launch_attribute_value attribute(KernelNode node, gc_launch_attribute_id attribute) const {
        gc_launch_attribute_value value;
        check(gc_node_get_attribute(get(), node.id(), attribute, &value));
        return value;
    }
    /** The launch attributes of a kernel node that are set. */
    std::vector<gc_launch_attribute_id> attributes(KernelNode node) const {
        return detail::ask_list<gc_launch_attribute_id>(
            [&](gc_launch_attribute_id* to, std::size_t capacity, std::size_t* needed) {
                return gc_node_get_attributes(get(), node.id(), to, capacity, needed);
            });
    }
    /** Sets a launch attribute of a kernel node. */
    void set_attribute(KernelNode node, const gc_launch_attribute& attribute) const {
        check(gc_node_set_attribute(get(), node.id(), attribute.id, &attribute.value));
    }
    /**
     * Has each replay take the size of a kernel node's grid along an axis (0 for x, 1 for y, 2 for z) from a
     * Scalar<std::uint32_t>, where a 0 means that the node does nothing.
     */
    void set_grid(KernelNode node, std::uint32_t axis,
                  const detail::Handle<gc_scalar, gc_scalar_destroy>& scalar) const {
        check(gc_node_set_grid_scalar(get(), node.id(), axis, scalar.get()));
    }
    /** Sets the launch attributes of a kernel node to those of a node of `source`, which may be this graph. */
    void copy_attributes(KernelNode node, const Graph& source, KernelNode source_node) const {
        check(gc_node_copy_attributes(get(), node.id(), source.get(), source_node.id()));
    }
    /** Number of nodes. */
    std::size_t node_count() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_graph_node_count(get(), out); });
    }
    /** Number of edges. */
    std::size_t edge_count() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_graph_edge_count(get(), out); });
    }
    /** The shape of a kernel node, and how many arguments it has. */
    gc_kernel_node_params kernel_params(KernelNode node) const {
        return params_of(node, gc_node_get_kernel_params);
    }
    /** The name of the kernel that a node launches. */
    std::string kernel_name(KernelNode node) const { return text(gc_node_kernel_name, node.id()); }
    /** The kernel that a node launches. */
    Kernel kernel(KernelNode node) const {
        return object_of<Kernel>(node, gc_node_get_kernel);
    }
    /** The bytes of an argument of a kernel node. A buffer is its address; see Context::find_buffer(). */
    std::vector<unsigned char> argument(KernelNode node, std::size_t index) const {
        return detail::ask_list<unsigned char>([&](unsigned char* to, std::size_t capacity, std::size_t* needed) {
            return gc_node_get_argument(get(), node.id(), index, to, capacity, needed);
        });
    }
    /** An argument of a kernel node as a value of type T. Throws GRAPHCAP_ERROR_INVALID_VALUE if it has another size. */
    template <class T>
    T argument(KernelNode node, std::size_t index) const {
        static_assert(std::is_trivially_copyable_v<T>, "a kernel argument is copied byte by byte");
        const std::vector<unsigned char> bytes = argument(node, index);
        if (bytes.size() != sizeof(T)) {
            throw Error(GRAPHCAP_ERROR_INVALID_VALUE, "argument " + std::to_string(index) + " has " +
                                                          std::to_string(bytes.size()) + " bytes, not " +
                                                          std::to_string(sizeof(T)));
        }
        return detail::read_argument<T>(bytes.data());
    }
    /** Returns the copy of a copy node. */
    gc_memcpy_node_params memcpy_params(MemcpyNode node) const {
        return params_of(node, gc_node_get_memcpy_params);
    }
    /** Returns the memset of a memset node. */
    gc_memset_node_params memset_params(MemsetNode node) const {
        return params_of(node, gc_node_get_memset_params);
    }
    /** The value operations of a node, in their order. */
    std::vector<gc_mem_op_node_params> mem_ops(MemOpNode node) const {
        std::vector<gc_mem_op_node_params> operations;
        std::size_t count = 0;
        do {
            operations.push_back(detail::ask_params<gc_mem_op_node_params>([&](gc_mem_op_node_params* out) {
                return gc_node_get_mem_op_params(get(), node.id(), operations.size(), out, &count);
            }));
        } while (operations.size() < count);
        return operations;
    }
    /** Returns the allocation of a node. */
    gc_mem_alloc_node_params mem_alloc_params(MemAllocNode node) const {
        return params_of(node, gc_node_get_mem_alloc_params);
    }
    /** Returns the memory that a node frees. */
    gc_mem_free_node_params mem_free_params(MemFreeNode node) const {
        return params_of(node, gc_node_get_mem_free_params);
    }
    /** Returns the function and data of a host node. For a callable of this layer these are a function and data of
     *  its own. */
    gc_host_node_params host_params(HostNode node) const { return params_of(node, gc_node_get_host_params); }
    /** Returns the condition of a conditional node, and its kind. */
    gc_conditional_node_params conditional_params(ConditionalNode node) const {
        return params_of(node, gc_node_get_conditional_params);
    }
    /** The memory that a node allocates. */
    Buffer buffer(MemAllocNode node) const { return object_of<Buffer>(node, gc_node_get_buffer); }
    /** The memory that a node frees. */
    Buffer buffer(MemFreeNode node) const { return object_of<Buffer>(node, gc_node_get_buffer); }
    /** The event that a node records. */
    Event event(EventRecordNode node) const { return object_of<Event>(node, gc_node_get_event); }
    /** The event that a node waits for. */
    Event event(EventWaitNode node) const { return object_of<Event>(node, gc_node_get_event); }
    /** The graph that a child node runs. It can be looked at and edited as long as the node is there. */
    Graph child(ChildNode node) const { return graph_of(node, 0); }
    /** A body of a conditional node, which has no nodes at first. It can be built as long as the node is there. */
    Graph body(ConditionalNode node, std::size_t index = 0) const { return graph_of(node, index); }
    /** The graph as Graphviz DOT text; `flags` are GRAPHCAP_DOT_ flags. */
    std::string dot(std::uint32_t flags = 0) const { return text(gc_graph_export_dot, flags); }
    /** The graph as JSON text, with everything that its nodes do. import_json() makes a graph of it. */
    std::string json() const { return text(gc_graph_export_json); }
    /** Makes a graph of the text that json() gave. bind() makes the bindings of the names in it, which go to the
     *  graph. */
    template <class... Bindings, class = std::enable_if_t<(std::is_same_v<Bindings, Binding> && ...)>>
    static Graph import_json(const Context& context, const std::string& json, Bindings&&... bindings) {
        std::vector<Binding> list;
        list.reserve(sizeof...(bindings));
        (list.push_back(std::move(bindings)), ...);
        return import_json(context, json, std::move(list));
    }
    /** As above, with the bindings in a vector. */
    static Graph import_json(const Context& context, const std::string& json, std::vector<Binding> bindings) {
        std::vector<gc_graph_binding> list(bindings.size());
        for (std::size_t i = 0; i < list.size(); i++) list[i] = bindings[i].release();
        return Graph(detail::make<gc_graph>([&](gc_graph** out) {
            return gc_graph_import_json(context.get(), json.data(), json.size(), list.data(), list.size(), out);
        }));
    }
    /** Returns the differences from `other`, as text; empty if it differs in nothing. */
    std::string diff(const Graph& other) const { return text(gc_graph_diff, other.get()); }
    /** A graph that does the same, and runs at once what need not run one after another. `report` gets what was made. */
    Graph optimize(const gc_optimize_options& options, gc_optimize_report* report = nullptr) const;
    Graph optimize(gc_optimize_report* report = nullptr) const;
    /** As optimize(), and sets `plan` to what was made, to be made of later graphs. */
    Graph optimize(Plan& plan, const gc_optimize_options& options, gc_optimize_report* report = nullptr) const;
    Graph optimize(Plan& plan, gc_optimize_report* report = nullptr) const;
    /** Makes the graph itself run at once what need not run one after another: one with conditions, or one within a
     *  node. */
    void optimize_in_place(gc_optimize_options options = detail::versioned<gc_optimize_options>(),
                           gc_optimize_report* report = nullptr) const;
    /** Returns a report of what optimize() makes of the graph, which nodes keep their place and why, as text. */
    std::string optimize_text(const gc_optimize_options& options) const;
    std::string optimize_text() const;
    /** Returns the reasons for which optimize() leaves nodes in order: see gc_graph_optimize_reasons(). */
    std::vector<gc_optimize_reason> optimize_reasons(const gc_optimize_options& options) const;
    std::vector<gc_optimize_reason> optimize_reasons() const;
    /** Returns what is wrong with the graph, or may be, without running it: see gc_graph_check(). */
    std::vector<gc_finding> findings(gc_severity least = GRAPHCAP_SEVERITY_WARNING) const {
        return detail::ask_list<gc_finding>([&](gc_finding* out, std::size_t capacity, std::size_t* needed) {
            return gc_graph_check(get(), least, out, capacity, needed);
        });
    }
    /** Returns the findings in words, a line each. */
    std::string findings_text(gc_severity least = GRAPHCAP_SEVERITY_WARNING) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_graph_check_text(get(), least, to, capacity, needed);
        });
    }
    /** Returns the findings as JSON: see gc_graph_check_json(). */
    std::string findings_json(gc_severity least = GRAPHCAP_SEVERITY_WARNING) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_graph_check_json(get(), least, to, capacity, needed);
        });
    }
    /** Checks by trial whether what is declared of the graph's kernels is true. `text` gets the report in words. */
    gc_verify_report verify(std::string* text = nullptr) const {
        return verify(detail::versioned<gc_verify_options>(), text);
    }
    gc_verify_report verify(const gc_verify_options& options, std::string* text = nullptr) const {
        return verify_with(options, [](std::uint64_t, std::uint64_t) { return true; }, text);
    }
    /** As above; `progress` is called before each step with how many are done, of how many, and ends the check by
     *  false. If it throws, the check ends, and the exception goes on. The functions of the options are not called. */
    template <class F>
    gc_verify_report verify_with(gc_verify_options options, F&& progress, std::string* text = nullptr) const {
        return detail::verify(get(), options, progress, text);
    }
    /** Replays the graph node by node: see gc_graph_step(). `each` is called before and after each node with a gc_step, and ends the
     *  replay by false. If it throws, the replay ends, and the exception goes on. The functions of the options are not called. */
    template <class F>
    StepReport step(const gc_step_options& options, F&& each) const {
        return detail::step(get(), options, each);
    }
    StepReport step(const gc_step_options& options = detail::versioned<gc_step_options>()) const {
        return step(options, [](const gc_step&) { return true; });
    }
    /** Finds the nodes, or the missing edges, that make replays bad: see gc_graph_bisect(). `is_good` tells of each whether it is good. If
     *  it throws, the search ends, and the exception goes on. The functions of the options are not called. */
    template <class F>
    BisectReport bisect(const gc_bisect_options& options, F&& is_good) const {
        return detail::bisect(get(), options, is_good);
    }
    template <class F>
    BisectReport bisect(F&& is_good) const {
        return bisect(detail::versioned<gc_bisect_options>(), std::forward<F>(is_good));
    }
    /** Makes an executable graph from the current state of the graph. It may outlive the graph. `flags` are
     *  GRAPHCAP_INSTANTIATE_ flags, but for the one of an upload. */
    GraphExec instantiate(std::uint32_t flags = 0) const {
        return instantiate_with(flags, nullptr);
    }
    /** Makes an executable graph as above, and uploads it on a stream. */
    GraphExec instantiate(const Stream& upload, std::uint32_t flags = 0) const;
    /** Makes an executable graph as `options` say, which begin as GRAPHCAP_INSTANTIATE_OPTIONS_INIT. */
    GraphExec instantiate(const gc_instantiate_options& options) const {
        return GraphExec(detail::make<gc_graph_exec>(
            [&](gc_graph_exec** out) { return gc_graph_instantiate(get(), &options, out); }));
    }
    /** The CUgraph. */
    void* native() const { return detail::native(get()); }
    /** The CUgraphNode of a node. */
    void* native(Node node) const {
        void* out = nullptr;
        check(gc_node_native(get(), node.id(), &out));
        return out;
    }

private:
    GraphExec instantiate_with(std::uint32_t flags, const gc_stream* upload_stream) const {
        auto options = detail::versioned<gc_instantiate_options>();
        options.flags = flags;
        options.upload_stream = upload_stream;
        return instantiate(options);
    }
    /** The node that `add` adds behind its dependencies; `more` is what the function takes besides. */
    template <class N, class Adder, class... More>
    N added(Adder adder, Nodes dependencies, More... more) const {
        return N(detail::ask<gc_node>(
            [&](gc_node* out) { return adder(get(), dependencies.data(), dependencies.size(), more..., out); }));
    }
    template <std::size_t Count>
    KernelNode add_call(Nodes dependencies, const Kernel& kernel, const detail::Call<Count>& call) const {
        return added<KernelNode>(gc_graph_add_kernel_node, dependencies, kernel.get(), &call.config, call.data(),
                                 call.size());
    }
    ConditionalNode add_conditional(Nodes dependencies, Condition condition, std::uint32_t kind,
                                    std::uint32_t bodies) const {
        return added<ConditionalNode>(gc_graph_add_conditional_node, dependencies, condition.id, kind, bodies);
    }
    Graph graph_of(Node node, std::size_t index) const {
        return Graph(
            detail::make<gc_graph>([&](gc_graph** out) { return gc_node_get_graph(get(), node.id(), index, out); }));
    }
    template <class Change>
    void change_edges(const std::vector<Edge>& edges, Change change) const {
        std::vector<gc_node> from, to;
        for (const Edge& edge : edges) {
            from.push_back(edge.from.id());
            to.push_back(edge.to.id());
        }
        check(change(get(), from.data(), to.data(), edges.size()));
    }
    /** Reads a text of the graph, or of what `of` names in it. */
    template <class Get, class... Of>
    std::string text(Get get_text, Of... of) const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return get_text(get(), of..., to, capacity, needed);
        });
    }
    /** Reads a list of nodes of the graph, or of one of its nodes. */
    template <class Get, class... Of>
    std::vector<Node> list(Get get_nodes, Of... of) const {
        return detail::read_nodes([&](gc_node* to, std::size_t capacity, std::size_t* needed) {
            return get_nodes(get(), of.id()..., to, capacity, needed);
        });
    }
    /** An object of this layer that a node uses, which `query` gives. */
    template <class Object, class T>
    Object object_of(Node node, gc_status (*query)(const gc_graph*, gc_node, T**)) const {
        return Object(detail::make<T>([&](T** out) { return query(get(), node.id(), out); }));
    }
    /** Returns the work of a node, as `query` tells it. */
    template <class Params>
    Params params_of(Node node, gc_status (*query)(const gc_graph*, gc_node, Params*)) const {
        return detail::ask_params<Params>([&](Params* out) { return query(get(), node.id(), out); });
    }
};

inline Binding bind_rest(const Graph& graph) noexcept {
    return detail::bind_handle({}, GRAPHCAP_BINDING_GRAPH, graph.get());
}

inline GraphExec GraphExec::wrap(const Context& context, void* native_exec, const Graph& graph, gc_ownership ownership) {
    return GraphExec(detail::make<gc_graph_exec>([&](gc_graph_exec** out) {
        return gc_graph_exec_wrap(context.get(), native_exec, ownership, graph.get(), out);
    }));
}

} // namespace graphcap

#endif
