/**
 * @file graphcap/update.hpp
 * Graph execs that take the work of a graph. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_UPDATE_HPP
#define GRAPHCAP_UPDATE_HPP

#include <cstdint>

#include "../graphcap.h"
#include "error.hpp"
#include "graph.hpp"
#include "graph_exec.hpp"
#include "handle.hpp"
#include "node.hpp"

namespace graphcap {

inline void GraphExec::set_child(ChildNode node, const Graph& child) const {
    check(gc_graph_exec_set_child_node(get(), node.id(), child.get()));
}

inline gc_graph_exec_update_info GraphExec::update(const Graph& graph, std::uint32_t flags) const {
    auto info = detail::versioned<gc_graph_exec_update_info>();
    check(gc_graph_exec_update(get(), graph.get(), flags, &info));
    return info;
}

inline gc_graph_exec_apply_report GraphExec::apply(const Graph& graph) const {
    return apply(graph, detail::versioned<gc_graph_exec_apply_options>());
}

inline gc_graph_exec_apply_report GraphExec::apply(const Graph& graph, const gc_graph_exec_apply_options& options) const {
    auto report = detail::versioned<gc_graph_exec_apply_report>();
    check(gc_graph_exec_apply(get(), graph.get(), &options, &report));
    return report;
}

inline gc_graph_exec_update_info GraphExec::can_update(const Graph& graph) const {
    auto info = detail::versioned<gc_graph_exec_update_info>();
    const gc_status status = gc_graph_exec_update(get(), graph.get(), GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, &info);
    if (status != info.status) check(status);
    return info;
}

} // namespace graphcap

#endif
