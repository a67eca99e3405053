/**
 * @file graphcap/process.hpp
 * The capture mode of the calling thread, the handles of the process, and the devices. graphcap.hpp includes this file;
 * a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_PROCESS_HPP
#define GRAPHCAP_PROCESS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "error.hpp"

namespace graphcap {

/**
 * Sets the capture mode of the calling thread for the lifetime of this object, and then restores the previous mode.
 * With GRAPHCAP_CAPTURE_MODE_RELAXED, captures do not bar the thread's unsafe calls. Not to be moved to another thread.
 */
class ThreadCaptureMode {
public:
    explicit ThreadCaptureMode(gc_capture_mode mode) : before_(mode) {
        check(gc_thread_exchange_capture_mode(&before_));
    }
    ThreadCaptureMode(const ThreadCaptureMode&) = delete;
    ThreadCaptureMode& operator=(const ThreadCaptureMode&) = delete;
    // A destructor cannot report a failure; the mode was valid when it was taken.
    ~ThreadCaptureMode() { static_cast<void>(gc_thread_exchange_capture_mode(&before_)); }

    /** The previous mode of the thread. */
    gc_capture_mode before() const noexcept { return before_; }

private:
    gc_capture_mode before_;
};

/** Number of handles of all kinds that are not yet destroyed, in the whole process. For leak tests; handles that callbacks get for the
    time of their call do not count. */
inline std::uint64_t live_handles() noexcept { return gc_live_handles(); }

/** Number of devices of a kind. Throws with the reason if the kind cannot be used; see gc_device_count(). */
inline std::uint32_t device_count(gc_device_kind kind = GRAPHCAP_DEVICE_AUTO) {
    std::uint32_t count = 0;
    check(gc_device_count(kind, &count));
    return count;
}

/** Name of a device. */
inline std::string device_name(gc_device_kind kind, std::uint32_t ordinal) {
    return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
        return gc_device_name(kind, ordinal, to, capacity, needed);
    });
}

/** Which kind of device GRAPHCAP_DEVICE_AUTO means now, and why: a sentence. */
inline std::string device_auto_reason() {
    return detail::ask_text(gc_device_auto_reason);
}

/** A message of the log. */
struct LogMessage {
    gc_log_level level;
    std::uint32_t subject;
    const char* text;
    std::uint64_t thread;
    std::uint64_t time_ns;
    std::uint64_t dropped;
};

/**
 * Has `function(const LogMessage&)` take the messages of the log; see gc_log_set_callback(). An exception that leaves it ends the
 * process.
 */
template <class F>
void log_to(gc_log_level level, std::uint32_t subjects, F&& function) {
    using Function = std::decay_t<F>;
    const gc_log_fn take = [](gc_log_level of, std::uint32_t subject, const char* text, std::uint64_t thread,
                              std::uint64_t time_ns, std::uint64_t dropped, void* data) {
        (*static_cast<Function*>(data))(LogMessage{of, subject, text, thread, time_ns, dropped});
    };
    auto* data = new Function(std::forward<F>(function));
    check(gc_log_set_callback(level, subjects, take, data, [](void* own) { delete static_cast<Function*>(own); }));
}

/** Begins a trace in a file of at most `limit` bytes; 0 for 1 GiB. See gc_trace_start(). */
inline void trace_start(const std::string& path, std::uint64_t limit = 0) { check(gc_trace_start(path.c_str(), limit)); }

/** Ends the trace. Returns how many records found no room. */
inline std::uint64_t trace_stop() {
    std::uint64_t dropped = 0;
    check(gc_trace_stop(&dropped));
    return dropped;
}

/** Puts a mark into the trace, if one goes on. */
inline void trace_mark(const std::string& name) { check(gc_trace_mark(name.c_str())); }

/** Ends what log_to() began. */
inline void log_to_none() { check(gc_log_set_callback(GRAPHCAP_LOG_LEVEL_OFF, 0, nullptr, nullptr, nullptr)); }

} // namespace graphcap

#endif
