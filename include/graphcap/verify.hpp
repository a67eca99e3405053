/**
 * @file graphcap/verify.hpp
 * The check by trial of what is declared of the kernels of a graph. graphcap.hpp includes this file; a program includes
 * graphcap.hpp.
 */
#ifndef GRAPHCAP_VERIFY_HPP
#define GRAPHCAP_VERIFY_HPP

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "../graphcap.h"
#include "error.hpp"
#include "handle.hpp"

namespace graphcap {
namespace detail {

/** Checks a graph as Graph::verify_with() does. */
template <class F>
gc_verify_report verify(const gc_graph* graph, gc_verify_options options, F& progress, std::string* text) {
    struct Call {
        F* progress;
        std::string* text;
        std::exception_ptr thrown;
    };
    Call call{std::addressof(progress), text, nullptr};
    // No exception may pass through C: `call` holds it until the check has ended.
    options.progress = [](std::uint64_t done, std::uint64_t total, void* user_data) noexcept -> std::int32_t {
        Call& given = *static_cast<Call*>(user_data);
        try {
            return (*given.progress)(done, total) ? 0 : 1;
        } catch (...) {
            given.thrown = std::current_exception();
            return 1;
        }
    };
    options.text = [](const char* told, void* user_data) noexcept {
        Call& given = *static_cast<Call*>(user_data);
        try {
            if (given.text != nullptr) *given.text = told;
        } catch (...) {
            given.thrown = std::current_exception();
        }
    };
    options.user_data = &call;
    auto report = detail::versioned<gc_verify_report>();
    const gc_status status = gc_graph_verify(graph, &options, &report);
    if (call.thrown) std::rethrow_exception(call.thrown);
    check(status);
    return report;
}

} // namespace detail
} // namespace graphcap

#endif
