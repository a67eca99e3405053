/**
 * @file graphcap/handle.hpp
 * What all classes of objects have in common: a handle that is owned, questions to it, names. graphcap.hpp includes
 * this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_HANDLE_HPP
#define GRAPHCAP_HANDLE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "../graphcap.h"
#include "error.hpp"

namespace graphcap {

namespace detail {

/** Owns one handle of type T, which Destroy destroys. The base of all object classes. */
template <class T, gc_status (*Destroy)(T*)>
class Handle {
public:
    Handle() noexcept = default;
    /** Takes over a handle that came from graphcap.h. */
    explicit Handle(T* handle) noexcept : handle_(handle) {}
    Handle(Handle&& other) noexcept : handle_(other.release()) {}
    Handle& operator=(Handle&& other) noexcept {
        reset(other.release());
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { reset(); }

    /** The handle, for calls of graphcap.h; still owned by this object. NULL when empty. */
    T* get() const noexcept { return handle_; }
    /** Gives the handle to the caller, who destroys it. This object is empty afterwards. */
    T* release() noexcept { return std::exchange(handle_, nullptr); }
    /** Destroys the handle and takes over another one, if given. */
    void reset(T* handle = nullptr) noexcept {
        T* const old = std::exchange(handle_, handle);
        if (old != nullptr) Destroy(old);
    }
    /** Returns whether a handle is owned. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    T* handle_ = nullptr;
};

/** Calls `create(&handle)` and returns the handle that it wrote. */
template <class T, class Create>
T* make(Create&& create) {
    T* handle = nullptr;
    check(create(&handle));
    return handle;
}

/** Calls `query(&value)` and returns the value that it wrote. */
template <class T, class Query>
T ask(Query&& query) {
    T value{};
    check(query(&value));
    return value;
}

/** The driver's own handle of an object. */
inline void* native(const void* handle) {
    return ask<void*>([&](void** out) { return gc_object_native(handle, out); });
}

/** Tells whether a wait with a limit ended before the limit. */
inline bool in_time(gc_status status) {
    if (status == GRAPHCAP_ERROR_TIMEOUT)
        return false;
    check(status);
    return true;
}

/** A limit as C takes it; a limit that has passed already is 0. */
inline std::uint64_t nanoseconds(std::chrono::nanoseconds limit) {
    return limit.count() < 0 ? 0 : static_cast<std::uint64_t>(limit.count());
}

/** Destroys a callable that went to C as user data. */
template <class F>
void drop_callable(void* callable) noexcept {
    delete static_cast<F*>(callable);
}

/** Makes the host function fail that runs on this thread. */
inline void fail_host_function(const char* reason) noexcept {
    if (gc_host_fail(reason) == GRAPHCAP_ERROR_INVALID_VALUE)
        gc_host_fail("an exception whose text is not UTF-8");
}

/** Calls a callable that went to C as user data. It fails by an exception. */
template <class F>
void run_callable(void* callable) {
    try {
        (*static_cast<F*>(callable))();
    }
#ifdef __GLIBCXX__
    catch (abi::__forced_unwind&) {
        // The thread ends, and whoever catches that has to pass it on.
        throw;
    }
#endif
    catch (const std::exception& error) {
        fail_host_function(error.what());
    } catch (...) {
        fail_host_function("an exception that is no std::exception");
    }
}

/** Calls a callable that went to C as user data, and destroys it. An exception ends the program. */
template <class F>
void finish_callable(void* callable) {
    const std::unique_ptr<F> owned(static_cast<F*>(callable));
    (*owned)();
}

/** Hands a callable to C as a host function: calls `take(function, user_data, destroy)`, which owns it from then on. */
template <class F, class Take>
void give_host_function(F&& function, Take&& take) {
    using Callable = std::decay_t<F>;
    static_assert(std::is_invocable_v<Callable&>, "a host function takes no arguments");
    Callable* const callable = new Callable(std::forward<F>(function));
    check(take(run_callable<Callable>, callable, drop_callable<Callable>));
}

/** A versioned struct of graphcap.h, all 0 but for its struct_size. */
template <class Struct>
Struct versioned() noexcept {
    Struct out{};
    out.struct_size = static_cast<std::uint32_t>(sizeof out);
    return out;
}

/** Calls `query(params)` with a versioned struct and returns what it filled in. */
template <class Params, class Query>
Params ask_params(Query&& query) {
    auto params = versioned<Params>();
    check(query(&params));
    return params;
}

/** The list that `copy(elements, capacity, needed)` copies out. Calls it again while the list grows. */
template <class T, class Copy>
std::vector<T> ask_list(Copy&& copy) {
    std::vector<T> list(16);
    for (;;) {
        std::size_t needed = 0;
        const gc_status status = copy(list.data(), list.size(), &needed);
        if (status != GRAPHCAP_ERROR_BUFFER_TOO_SMALL) check(status);
        const bool whole = needed <= list.size();
        list.resize(needed);
        if (whole) return list;
    }
}

/** The handle of an argument for which C would take NULL as well. Throws GRAPHCAP_ERROR_INVALID_HANDLE if it is
 *  empty. */
template <class Object>
auto* live(const Object& object, const char* what) {
    if (!object) throw Error(GRAPHCAP_ERROR_INVALID_HANDLE, std::string(what) + " is empty");
    return object.get();
}

} // namespace detail

namespace detail {

/** Tells whether Object owns a handle of one of these types. */
template <class Object, class... Handles>
inline constexpr bool has_handle =
    (std::is_same_v<decltype(std::declval<const Object&>().get()), Handles*> || ...);

template <class Object>
using IfNamed = std::enable_if_t<has_handle<Object, gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event, gc_graph>>;
template <class Object>
using IfHasName = std::enable_if_t<has_handle<Object, gc_buffer, gc_host_buffer, gc_scalar, gc_stream, gc_event, gc_graph, gc_kernel>>;

} // namespace detail

/** Gives a buffer, host buffer, scalar, stream, event or graph a name, which messages and texts of graphs call it by. */
template <class Object, class = detail::IfNamed<Object>>
void set_name(const Object& object, const std::string& name) {
    check(gc_set_name(object.get(), name.c_str()));
}

/** The name of a buffer, host buffer, scalar, stream, event, graph or kernel; empty for an object without one. */
template <class Object, class = detail::IfHasName<Object>>
std::string name_of(const Object& object) {
    return detail::ask_text([&](char* to, std::size_t capacity, std::size_t* needed) {
        return gc_get_name(object.get(), to, capacity, needed);
    });
}

} // namespace graphcap

#endif
