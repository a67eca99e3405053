/**
 * @file graphcap/node.hpp
 * Nodes of graphs, which are numbers, and edges. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_NODE_HPP
#define GRAPHCAP_NODE_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "handle.hpp"

namespace graphcap {

/** A node of a graph: the number by which the graph names it. No other node of the graph ever has that number. A
 *  default-made one names no node. */
class Node {
public:
    constexpr Node() noexcept = default;
    /** The node of a number that came from graphcap.h. */
    constexpr explicit Node(gc_node id) noexcept : id_(id) {}

    /** The number, for calls of graphcap.h. */
    constexpr gc_node id() const noexcept { return id_; }
    /** Returns whether a node is named. */
    constexpr explicit operator bool() const noexcept { return id_ != 0; }
    friend constexpr bool operator==(Node a, Node b) noexcept { return a.id_ == b.id_; }
    friend constexpr bool operator!=(Node a, Node b) noexcept { return a.id_ != b.id_; }
    friend constexpr bool operator<(Node a, Node b) noexcept { return a.id_ < b.id_; }

private:
    gc_node id_ = 0;
};

/** A node of a known kind, one of the GRAPHCAP_NODE_ numbers. Functions that add a node return one, and functions that
 *  change a node take one. Graph::as() makes one of a Node. */
template <std::uint32_t Kind>
class NodeOf : public Node {
public:
    using Node::Node;
    static constexpr std::uint32_t kind = Kind;
};

using EmptyNode = NodeOf<GRAPHCAP_NODE_EMPTY>;
using KernelNode = NodeOf<GRAPHCAP_NODE_KERNEL>;
using MemcpyNode = NodeOf<GRAPHCAP_NODE_MEMCPY>;
using MemsetNode = NodeOf<GRAPHCAP_NODE_MEMSET>;
using HostNode = NodeOf<GRAPHCAP_NODE_HOST>;
using MemOpNode = NodeOf<GRAPHCAP_NODE_BATCH_MEM_OP>;
using EventRecordNode = NodeOf<GRAPHCAP_NODE_EVENT_RECORD>;
using EventWaitNode = NodeOf<GRAPHCAP_NODE_EVENT_WAIT>;
using MemAllocNode = NodeOf<GRAPHCAP_NODE_MEM_ALLOC>;
using MemFreeNode = NodeOf<GRAPHCAP_NODE_MEM_FREE>;
using ChildNode = NodeOf<GRAPHCAP_NODE_CHILD>;
using ConditionalNode = NodeOf<GRAPHCAP_NODE_CONDITIONAL>;

/** A value of 32 bits that decides about the bodies of one conditional node; made by Graph::create_condition(). Kernels
 *  that set it take its number as an argument. It goes with its graph. */
struct Condition {
    gc_condition id = 0;
};

/** Two nodes of a graph: the second waits for the first. */
struct Edge {
    Node from, to;
};

/** An edge with what it carries. */
struct EdgeWithData {
    Node from, to;
    gc_edge_data data;
};

/** Some nodes, for the time of a call: `{}`, `{a, b}`, one node, a vector or an array of Node. */
class Nodes {
public:
    Nodes() noexcept = default;
    Nodes(const Node& node) noexcept : nodes_(&node), size_(1) {}
    Nodes(std::initializer_list<Node> nodes) noexcept : size_(nodes.size()) {
        nodes_ = nodes.begin(); // as an initialiser, GCC warns that the list lives no longer than the call
    }
    template <class Container, class = std::enable_if_t<std::is_convertible_v<
                                   decltype(std::data(std::declval<const Container&>())), const Node*>>,
              class = std::enable_if_t<
                  std::is_same_v<std::decay_t<decltype(*std::data(std::declval<const Container&>()))>, Node>>>
    Nodes(const Container& nodes) noexcept : nodes_(std::data(nodes)), size_(std::size(nodes)) {}

    /** The numbers of the nodes, one after another. */
    const gc_node* data() const noexcept {
        static_assert(sizeof(Node) == sizeof(gc_node) && std::is_standard_layout_v<Node>, "a node is its number");
        return reinterpret_cast<const gc_node*>(nodes_);
    }
    std::size_t size() const noexcept { return size_; }

private:
    const Node* nodes_ = nullptr;
    std::size_t size_ = 0;
};

namespace detail {

/** The nodes that `copy(nodes, capacity, needed)` copies out. */
template <class Copy>
std::vector<Node> read_nodes(Copy&& copy) {
    const std::vector<gc_node> ids = ask_list<gc_node>(copy);
    std::vector<Node> nodes;
    nodes.reserve(ids.size());
    for (const gc_node id : ids) nodes.emplace_back(id);
    return nodes;
}

} // namespace detail

} // namespace graphcap

/** Nodes as keys of unordered containers. */
template <>
struct std::hash<graphcap::Node> {
    std::size_t operator()(graphcap::Node node) const noexcept { return std::hash<gc_node>()(node.id()); }
};
template <std::uint32_t Kind>
struct std::hash<graphcap::NodeOf<Kind>> : std::hash<graphcap::Node> {};

#endif
