/**
 * @file graphcap/bisect.hpp
 * The search for what makes replays of a graph bad. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_BISECT_HPP
#define GRAPHCAP_BISECT_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../graphcap.h"
#include "error.hpp"
#include "handle.hpp"

namespace graphcap {

/** Report of Graph::bisect(). */
struct BisectReport {
    gc_bisect_report report;
    /** In the order in which the nodes run, up to 256. */
    std::vector<gc_finding> findings;
    /** The report in words. */
    std::string text;
};

namespace detail {

/** Searches as Graph::bisect() does. */
template <class F>
BisectReport bisect(const gc_graph* graph, gc_bisect_options options, F& is_good) {
    struct Call {
        F* is_good;
        std::string text;
        std::exception_ptr thrown;
    };
    Call call{std::addressof(is_good), std::string(), nullptr};
    // No exception may pass through C: `call` holds it until the search has ended.
    const auto judge = [](std::uint64_t, std::uint64_t, void* user_data) noexcept -> std::int32_t {
        Call& given = *static_cast<Call*>(user_data);
        try {
            return (*given.is_good)() ? 1 : 0;
        } catch (...) {
            given.thrown = std::current_exception();
            return -1;
        }
    };
    options.text = [](const char* told, void* user_data) noexcept {
        Call& given = *static_cast<Call*>(user_data);
        try {
            given.text = told;
        } catch (...) {
            given.thrown = std::current_exception();
        }
    };
    BisectReport made{versioned<gc_bisect_report>(), std::vector<gc_finding>(256), std::string()};
    const gc_status status =
        gc_graph_bisect(graph, &options, judge, &call, made.findings.data(), made.findings.size(), &made.report);
    if (call.thrown) std::rethrow_exception(call.thrown);
    check(status);
    if (made.report.finding_count < made.findings.size()) made.findings.resize(made.report.finding_count);
    made.text = std::move(call.text);
    return made;
}

} // namespace detail
} // namespace graphcap

#endif
