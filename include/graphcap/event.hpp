/**
 * @file graphcap/event.hpp
 * Events. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_EVENT_HPP
#define GRAPHCAP_EVENT_HPP

#include <chrono>
#include <cstdint>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"

namespace graphcap {

/** A marker in a stream's work. */
class Event : public detail::Handle<gc_event, gc_event_destroy> {
public:
    using Handle::Handle;

    /** Makes an event; `flags` are GRAPHCAP_EVENT_ flags. */
    explicit Event(const Context& context, std::uint32_t flags = 0)
        : Handle(detail::make<gc_event>([&](gc_event** out) {
              auto options = detail::versioned<gc_event_options>();
              options.flags = flags;
              return gc_event_create(context.get(), &options, out);
          })) {}

    /** Opens an event of another process by its `handle`. */
    static Event open_ipc(const Context& context, const gc_ipc_handle& handle) {
        return Event(detail::make<gc_event>(
            [&](gc_event** out) { return gc_event_open_ipc_handle(context.get(), &handle, out); }));
    }

    /** Marks the point that the stream has reached; in a capture, the nodes that its next work would depend on. */
    void record(const Stream& stream) const;
    /** Records a node. Each launch of the graph that is being captured then records the event. */
    void record_external(const Stream& stream) const;
    /** Returns whether the latest record was reached; true if the event was never recorded. */
    bool is_complete() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_event_is_complete(get(), out); }) != 0;
    }
    /** Waits until the latest record is reached. */
    void synchronize() const { check(gc_event_synchronize(get())); }
    /** Waits until the latest record is reached, but no longer than `limit`. Returns whether it was reached. */
    bool synchronize_for(std::chrono::nanoseconds limit) const {
        return detail::in_time(gc_event_synchronize_for(get(), detail::nanoseconds(limit)));
    }
    /** The handle by which another process opens the event. */
    gc_ipc_handle ipc_handle() const {
        gc_ipc_handle handle{};
        check(gc_event_ipc_handle(get(), &handle));
        return handle;
    }
    /** The number by which messages name the event. */
    std::uint64_t id() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_event_id(get(), out); });
    }
    /** The context that the event belongs to. */
    Context context() const { return detail::context_of(get()); }
    /** The CUevent. */
    void* native() const { return detail::native(get()); }
};

/** Milliseconds between two completed records. */
inline float elapsed_time(const Event& start, const Event& end) {
    return detail::ask<float>([&](float* out) { return gc_event_elapsed_time(start.get(), end.get(), out); });
}

} // namespace graphcap

#endif
