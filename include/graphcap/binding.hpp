/**
 * @file graphcap/binding.hpp
 * What the names of a JSON text are bound to, for Graph::import_json(). graphcap.hpp includes this file; a program
 * includes graphcap.hpp.
 */
#ifndef GRAPHCAP_BINDING_HPP
#define GRAPHCAP_BINDING_HPP

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "event.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"

namespace graphcap {

class Graph;

/** An object for a name of a JSON text; made by bind(), bind_host_memory() and bind_host_function(), for
 *  Graph::import_json(). It owns the callable of a host function until an import takes it. An object that is bound by
 *  its handle stays the caller's, and valid until the import. */
class Binding {
public:
    /** Binds `name`, and not the one in `binding`. From here on this object calls the destroy function, if there is
     *  one. */
    Binding(std::string name, const gc_graph_binding& binding) noexcept : name_(std::move(name)), binding_(binding) {}
    Binding(Binding&& other) noexcept : name_(std::move(other.name_)), binding_(other.release()) {}
    Binding& operator=(Binding&& other) noexcept {
        if (this != &other) {
            drop();
            name_ = std::move(other.name_);
            binding_ = other.release();
        }
        return *this;
    }
    Binding(const Binding&) = delete;
    Binding& operator=(const Binding&) = delete;
    ~Binding() { drop(); }

    /** The binding for a call of graphcap.h, which then owns the callable. Its name is valid as long as this object,
     *  which binds nothing any more. */
    gc_graph_binding release() noexcept {
        gc_graph_binding out = std::exchange(binding_, detail::versioned<gc_graph_binding>());
        out.name = name_.c_str();
        return out;
    }

private:
    void drop() noexcept {
        const gc_graph_binding old = release();
        if (old.destroy != nullptr) old.destroy(old.user_data);
    }

    std::string name_;
    gc_graph_binding binding_;
};

namespace detail {

inline Binding bind_handle(std::string name, std::uint32_t kind, const void* handle) noexcept {
    auto binding = versioned<gc_graph_binding>();
    binding.kind = kind;
    binding.handle = handle;
    return Binding(std::move(name), binding);
}

} // namespace detail

/** Binds a name of a JSON text to an object. */
inline Binding bind(std::string name, const Buffer& buffer) noexcept {
    return detail::bind_handle(std::move(name), GRAPHCAP_BINDING_BUFFER, buffer.get());
}
inline Binding bind(std::string name, const HostBuffer& buffer) noexcept {
    return detail::bind_handle(std::move(name), GRAPHCAP_BINDING_HOST_BUFFER, buffer.get());
}
inline Binding bind(std::string name, const Kernel& kernel) noexcept {
    return detail::bind_handle(std::move(name), GRAPHCAP_BINDING_KERNEL, kernel.get());
}
inline Binding bind(std::string name, const Event& event) noexcept {
    return detail::bind_handle(std::move(name), GRAPHCAP_BINDING_EVENT, event.get());
}
/** Binds all that `graph` uses and nothing else is bound to, by the names that its text has: no plain host memory. */
Binding bind_rest(const Graph& graph) noexcept;
/** Binds what nothing else is bound to, of the process's objects of the context: by name, kind and size. No host
 *  functions and no plain host memory. */
inline Binding bind_process() noexcept { return detail::bind_handle({}, GRAPHCAP_BINDING_PROCESS, nullptr); }
/** Binds `size` bytes of plain host memory, which stays valid as long as replays use it. */
inline Binding bind_host_memory(std::string name, void* memory, std::size_t size) noexcept {
    auto binding = detail::versioned<gc_graph_binding>();
    binding.kind = GRAPHCAP_BINDING_HOST_MEMORY;
    binding.pointer = memory;
    binding.size = size;
    return Binding(std::move(name), binding);
}
/** Binds a callable that takes nothing, which host nodes call. It is destroyed when nothing can call it any more. */
template <class F>
Binding bind_host_function(std::string name, F&& function) {
    using Callable = std::decay_t<F>;
    static_assert(std::is_invocable_v<Callable&>, "a host function takes no arguments");
    auto binding = detail::versioned<gc_graph_binding>();
    binding.kind = GRAPHCAP_BINDING_HOST_FUNCTION;
    binding.function = detail::run_callable<Callable>;
    binding.destroy = detail::drop_callable<Callable>;
    binding.user_data = new Callable(std::forward<F>(function));
    return Binding(std::move(name), binding);
}

} // namespace graphcap

#endif
