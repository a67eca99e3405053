/**
 * @file graphcap/actor.hpp
 * Actors: threads that record, launch and update graph execs by message, and answer by futures. graphcap.hpp includes this
 * file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_ACTOR_HPP
#define GRAPHCAP_ACTOR_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "graph.hpp"
#include "graph_exec.hpp"
#include "handle.hpp"
#include "script.hpp"

namespace graphcap {

/** The answer of an actor to one message. It can be moved, not copied. Any thread may use it. */
class Future : public detail::Handle<gc_future, gc_future_destroy> {
public:
    using Handle::Handle;

    /** Another handle of the actor's context. */
    Context context() const { return detail::context_of(get()); }
    /** Returns whether the answer is there. */
    bool is_done() const {
        return detail::ask<std::uint32_t>([&](std::uint32_t* out) { return gc_future_poll(get(), out); }) != 0;
    }
    /** Waits for the answer. Throws Error if it is an error, and ScriptError if an op of a script failed. */
    void wait() const { (void)wait_until(UINT64_MAX); }
    /** Waits for the answer, but no longer than `limit`. Returns whether it is there. Throws as wait(). */
    bool wait_for(std::chrono::nanoseconds limit) const { return wait_until(detail::nanoseconds(limit)); }
    /** Registers `function()`, which is called once when the answer is there: on the actor's thread, or on this one
     *  if it is there already. An exception that leaves it ends the program. */
    template <class F>
    void on_done(F&& function) const {
        using Callable = std::decay_t<F>;
        static_assert(std::is_invocable_v<Callable&>, "the function of a future takes no arguments");
        auto callable = std::make_unique<Callable>(std::forward<F>(function));
        check(gc_future_on_done(get(), run_answered<Callable>, callable.release(), detail::drop_callable<Callable>));
    }
    /** Registers `function()`, which is called once when a launch has not completed within
     *  gc_actor_options::stall_limit_ns: on a thread of the actor's, or on this one if it was reported already. It is
     *  destroyed uncalled if the answer comes before that. An exception that leaves it ends the program. */
    template <class F>
    void on_stall(F&& function) const {
        using Callable = std::decay_t<F>;
        static_assert(std::is_invocable_v<Callable&>, "the function of a future takes no arguments");
        auto callable = std::make_unique<Callable>(std::forward<F>(function));
        check(gc_future_on_stall(get(), run_answered<Callable>, callable.release(), detail::drop_callable<Callable>));
    }
    /** Returns the progress of a launch when it was reported as late, in words; empty if it was not. `progress` gets
     *  it in numbers, unless it is null; all of them are 0 for a graph exec that was made without
     *  GRAPHCAP_INSTANTIATE_WATCH. */
    std::string stall_report(gc_graph_exec_progress_info* progress = nullptr) const {
        auto far = detail::versioned<gc_graph_exec_progress_info>();
        std::string words;
        try {
            words = detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
                return gc_future_stall_report(get(), &far, to, capacity, needed);
            });
        } catch (const Error& error) {
            if (error.status() != GRAPHCAP_ERROR_NOT_FOUND) throw;
        }
        if (progress != nullptr) *progress = far;
        return words;
    }
    /** Takes the graph exec from the answer to Actor::record() and Actor::adopt(), once. */
    GraphExec take_exec() const {
        return GraphExec(detail::make<gc_graph_exec>([&](gc_graph_exec** out) { return gc_future_take_exec(get(), out); }));
    }
    /** The text of the answer to Actor::export_dot(). */
    std::string text() const {
        return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
            return gc_future_text(get(), to, capacity, needed);
        });
    }
    /** A descriptor that is readable once the answer is there; see gc_future_event_fd(). */
    int event_fd() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_future_event_fd(get(), out); });
    }

private:
    bool wait_until(std::uint64_t nanoseconds) const {
        auto failure = detail::versioned<gc_script_failure>();
        const gc_status status = gc_future_wait(get(), nanoseconds, &failure);
        if (status == GRAPHCAP_ERROR_TIMEOUT && failure.status == GRAPHCAP_SUCCESS) return false;
        try {
            check(status);
        } catch (const Error& error) {
            if (failure.has_op == 0) throw;
            throw ScriptError(error, failure);
        }
        return true;
    }
    template <class F>
    static void run_answered(const gc_future*, void* callable) noexcept {
        (*static_cast<F*>(callable))();
    }
};

/** A thread that owns a stream, and records, launches and updates graph execs by message. Destroying it closes it: launches that
 *  it made finish, and messages that it has not come to are answered with GRAPHCAP_ERROR_CANCELLED. Any thread may use it.
 *
 *  An exception that leaves an Op on the actor's thread is answered as GRAPHCAP_ERROR_CALLBACK. */
class Actor : public detail::Handle<gc_actor, gc_actor_destroy> {
public:
    using Handle::Handle;

    /** Starts an actor with the default options. */
    explicit Actor(const Context& context) : Actor(context, detail::versioned<gc_actor_options>()) {}
    /** Starts an actor; gc_actor_options says how it works. */
    Actor(const Context& context, const gc_actor_options& options)
        : Handle(detail::make<gc_actor>([&](gc_actor** out) { return gc_actor_create(context.get(), &options, out); })) {}

    /** Another handle of the context that the actor works in. */
    Context context() const { return detail::context_of(get()); }
    /** Makes the actor record a script. Future::take_exec() gets the graph exec. */
    Future record(const Script& script, gc_capture_mode mode = GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL,
                  std::uint32_t flags = 0) const {
        return asked([&](gc_future** out) { return gc_actor_record(get(), script.get(), mode, flags, out); });
    }
    /** Makes the actor make a graph exec of a graph. Future::take_exec() gets it. */
    Future adopt(const Graph& graph, std::uint32_t flags = 0) const {
        return asked([&](gc_future** out) { return gc_actor_adopt(get(), graph.get(), flags, out); });
    }
    /** Makes the actor launch a graph exec. The answer comes when the launch has completed. */
    Future launch(const GraphExec& exec) const {
        return asked([&](gc_future** out) { return gc_actor_launch(get(), exec.get(), out); });
    }
    /** Makes the actor update a graph exec to do the work of a graph. */
    Future update(const GraphExec& exec, const Graph& graph) const {
        return asked([&](gc_future** out) { return gc_actor_update(get(), exec.get(), graph.get(), out); });
    }
    /** Exchanges the plan of the Fourier transforms that the op of that index has in the script which an actor
     *  recorded as the graph exec; see gc_actor_set_fft_plan(). */
    Future set_fft_plan(const GraphExec& exec, std::size_t op_index, const FftPlan& plan) const {
        return asked([&](gc_future** out) { return gc_actor_set_fft_plan(get(), exec.get(), op_index, plan.get(), out); });
    }
    /** Makes the actor write the graph of a graph exec in the DOT language. Future::text() has it. */
    Future export_dot(const GraphExec& exec, std::uint32_t flags = 0) const {
        return asked([&](gc_future** out) { return gc_actor_export_dot(get(), exec.get(), flags, out); });
    }
    /** Closes the actor. Does not wait. */
    void close() const { check(gc_actor_close(get(), 0)); }
    /** Closes the actor, and waits until everything is answered, but no longer than `limit`. Returns whether it is. */
    bool close_and_wait(std::chrono::nanoseconds limit) const {
        const std::uint64_t given = detail::nanoseconds(limit);
        return detail::in_time(gc_actor_close(get(), given == 0 ? 1 : given));
    }
    /** A descriptor that is readable while next_completed() has something to return; see gc_actor_event_fd(). */
    int event_fd() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_actor_event_fd(get(), out); });
    }
    /** The handle of the next future that was answered, to be compared with Future::get(), or nullptr. It is owned by
     *  its Future. */
    const gc_future* next_completed() const {
        gc_future* future = nullptr;
        const gc_status status = gc_actor_next_completed(get(), &future);
        if (status != GRAPHCAP_ERROR_NOT_READY) check(status);
        return future;
    }

private:
    template <class Ask>
    static Future asked(Ask&& ask) {
        return Future(detail::make<gc_future>(std::forward<Ask>(ask)));
    }
};

} // namespace graphcap

#endif
