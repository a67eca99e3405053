/**
 * @file graphcap/plan.hpp
 * Optimized graphs, and plans of them. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_PLAN_HPP
#define GRAPHCAP_PLAN_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "graph.hpp"
#include "handle.hpp"

namespace graphcap {

/** Result of Graph::optimize() for a graph, to be made of later graphs that are recorded alike. Keeps alive nothing
 *  of the graph. */
class Plan : public detail::Handle<gc_plan, gc_plan_destroy> {
public:
    using Handle::Handle;

    /** Another handle of the context of the graph that the plan was made of. */
    Context context() const { return detail::context_of(get()); }
    /** Makes of a graph what was made of the one that the plan is of, so that execs of both update each other. Throws
     *  Error with GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE where that is wrong for the graph, and with
     *  GRAPHCAP_ERROR_INVALID_VALUE for a graph of other nodes or edges. */
    Graph apply(const Graph& graph, gc_optimize_report* report = nullptr) const {
        auto told = detail::versioned<gc_optimize_report>();
        Graph made(detail::make<gc_graph>([&](gc_graph** out) { return gc_plan_apply(get(), graph.get(), 0, out, &told); }));
        if (report != nullptr) *report = told;
        return made;
    }
    /** As above, and changes the graph itself. */
    void apply_in_place(const Graph& graph, gc_optimize_report* report = nullptr) const {
        auto told = detail::versioned<gc_optimize_report>();
        check(gc_plan_apply(get(), graph.get(), GRAPHCAP_OPTIMIZE_IN_PLACE, nullptr, &told));
        if (report != nullptr) *report = told;
    }
};

inline Graph Graph::optimize(const gc_optimize_options& options, gc_optimize_report* report) const {
    auto told = detail::versioned<gc_optimize_report>();
    Graph optimized(detail::make<gc_graph>([&](gc_graph** out) { return gc_graph_optimize(get(), &options, out, nullptr, &told); }));
    if (report != nullptr) *report = told;
    return optimized;
}

inline Graph Graph::optimize(gc_optimize_report* report) const {
    return optimize(detail::versioned<gc_optimize_options>(), report);
}

inline Graph Graph::optimize(Plan& plan, const gc_optimize_options& options, gc_optimize_report* report) const {
    auto told = detail::versioned<gc_optimize_report>();
    gc_plan* made = nullptr;
    Graph optimized(detail::make<gc_graph>([&](gc_graph** out) {
        return gc_graph_optimize(get(), &options, out, &made, &told);
    }));
    plan = Plan(made);
    if (report != nullptr) *report = told;
    return optimized;
}

inline Graph Graph::optimize(Plan& plan, gc_optimize_report* report) const {
    return optimize(plan, detail::versioned<gc_optimize_options>(), report);
}

inline void Graph::optimize_in_place(gc_optimize_options options, gc_optimize_report* report) const {
    auto told = detail::versioned<gc_optimize_report>();
    options.flags |= GRAPHCAP_OPTIMIZE_IN_PLACE;
    check(gc_graph_optimize(get(), &options, nullptr, nullptr, &told));
    if (report != nullptr) *report = told;
}

inline std::string Graph::optimize_text(const gc_optimize_options& options) const {
    return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
        return gc_graph_optimize_text(get(), &options, to, capacity, needed);
    });
}

inline std::string Graph::optimize_text() const {
    return optimize_text(detail::versioned<gc_optimize_options>());
}

inline std::vector<gc_optimize_reason> Graph::optimize_reasons(const gc_optimize_options& options) const {
    return detail::ask_list<gc_optimize_reason>(
        [&](gc_optimize_reason* out, std::size_t capacity, std::size_t* needed) {
            return gc_graph_optimize_reasons(get(), &options, out, capacity, needed);
        });
}

inline std::vector<gc_optimize_reason> Graph::optimize_reasons() const {
    return optimize_reasons(detail::versioned<gc_optimize_options>());
}

} // namespace graphcap

#endif
