/**
 * @file graphcap/binding.hpp
 * What the names of a JSON text are bound to, for Graph::import_json(). graphcap.hpp includes this file; a program
 * includes graphcap.hpp.
 */
#ifndef GRAPHCAP_BINDING_HPP
#define GRAPHCAP_BINDING_HPP

#include <cstdint>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "event.hpp"
#include "handle.hpp"
#include "kernel.hpp"
#include "memory.hpp"

namespace graphcap {

namespace detail {

inline gc_graph_binding binding(std::uint32_t kind, const char* name, const void* handle) noexcept {
    return GRAPHCAP_BINDING_INIT(kind, name, handle);
}

} // namespace detail

/** Binds a name of a JSON text to an object, for Graph::import_json(). The name and the object stay the caller's, and
 *  valid until the import. */
inline gc_graph_binding bind(const char* name, const Buffer& buffer) noexcept {
    return detail::binding(GRAPHCAP_BINDING_BUFFER, name, buffer.get());
}
inline gc_graph_binding bind(const char* name, const HostBuffer& buffer) noexcept {
    return detail::binding(GRAPHCAP_BINDING_HOST_BUFFER, name, buffer.get());
}
inline gc_graph_binding bind(const char* name, const Kernel& kernel) noexcept {
    return detail::binding(GRAPHCAP_BINDING_KERNEL, name, kernel.get());
}
inline gc_graph_binding bind(const char* name, const Event& event) noexcept {
    return detail::binding(GRAPHCAP_BINDING_EVENT, name, event.get());
}
/** Binds plain host memory, which stays valid as long as replays use it. */
inline gc_graph_binding bind_host_memory(const char* name, void* memory) noexcept {
    return GRAPHCAP_BINDING_INIT_HOST_MEMORY(name, memory);
}
/** Binds a callable that takes nothing, which host nodes call. The import that it is given to owns it, also if that fails;
 *  it is to be given to exactly one. */
template <class F>
gc_graph_binding bind_host_function(const char* name, F&& function) {
    using Callable = std::decay_t<F>;
    static_assert(std::is_invocable_v<Callable&>, "a host function takes no arguments");
    return GRAPHCAP_BINDING_INIT_HOST_FUNCTION(name, detail::run_callable<Callable>,
                                               new Callable(std::forward<F>(function)),
                                               detail::drop_callable<Callable>);
}

} // namespace graphcap

#endif
