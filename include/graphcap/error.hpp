/**
 * @file graphcap/error.hpp
 * Errors, and the texts that the library copies out. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_ERROR_HPP
#define GRAPHCAP_ERROR_HPP

#include <cstddef>
#include <stdexcept>
#include <string>

#include "../graphcap.h"

namespace graphcap {

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

namespace detail {

/** The text that `copy(text, capacity, needed)` copies out. */
template <class Copy>
std::string ask_text(Copy&& copy) {
    std::string text;
    check(read_text(text, copy));
    return text;
}

} // namespace detail

} // namespace graphcap

#endif
