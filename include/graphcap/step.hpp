/**
 * @file graphcap/step.hpp
 * The replay of a graph node by node. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_STEP_HPP
#define GRAPHCAP_STEP_HPP

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

/** Report of Graph::step(). */
struct StepReport {
    gc_step_report report;
    /** In the order in which the nodes ran, up to 256. */
    std::vector<gc_finding> findings;
    /** The report in words. */
    std::string text;
};

namespace detail {

/** Steps a graph as Graph::step() does. */
template <class F>
StepReport step(const gc_graph* graph, gc_step_options options, F& each) {
    struct Call {
        F* each;
        std::string text;
        std::exception_ptr thrown;
    };
    Call call{std::addressof(each), std::string(), nullptr};
    // No exception may pass through C: `call` holds it until the replay has ended.
    options.each = [](const gc_step* step, void* user_data) noexcept -> std::int32_t {
        Call& given = *static_cast<Call*>(user_data);
        try {
            return (*given.each)(*step) ? 0 : 1;
        } catch (...) {
            given.thrown = std::current_exception();
            return 1;
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
    options.user_data = &call;
    StepReport made{versioned<gc_step_report>(), std::vector<gc_finding>(256), std::string()};
    const gc_status status = gc_graph_step(graph, &options, made.findings.data(), made.findings.size(), &made.report);
    if (call.thrown) std::rethrow_exception(call.thrown);
    check(status);
    if (made.report.finding_count < made.findings.size()) made.findings.resize(made.report.finding_count);
    made.text = std::move(call.text);
    return made;
}

} // namespace detail
} // namespace graphcap

#endif
