/**
 * @file graphcap/pool.hpp
 * Pools: objects and memory that graphs share. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_POOL_HPP
#define GRAPHCAP_POOL_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "../graphcap_allocators.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "memory.hpp"

namespace graphcap {

/** Objects and memory that graphs share. A capture with a pool keeps it, and so do its graph, the graph execs made of
 *  that and their launches. When the last of them and the last handle are gone, the objects go in the order in which
 *  they were added. */
class Pool : public detail::Handle<gc_pool, gc_pool_destroy> {
public:
    using Handle::Handle;

    /** Makes a pool without objects, of which at most `capacity` bytes can be allocated; 0 for as many as the device
     *  has memory. With GRAPHCAP_POOL_SHARED its graphs, which never run at once, share memory. `reuse` is one of the
     *  GRAPHCAP_POOL_REUSE_ numbers. */
    explicit Pool(const Context& context, std::size_t capacity = 0, std::uint32_t flags = 0,
                  std::int32_t reuse = GRAPHCAP_POOL_REUSE_ORDERED)
        : Handle(detail::make<gc_pool>([&](gc_pool** out) {
              auto options = detail::versioned<gc_pool_options>();
              options.capacity = capacity;
              options.flags = flags;
              options.reuse = reuse;
              return gc_pool_create(context.get(), &options, out);
          })) {}

    /** The pool that was registered under a number. */
    static Pool lookup(std::uint64_t id) {
        return Pool(detail::make<gc_pool>([&](gc_pool** out) { return gc_pool_handle_lookup(id, out); }));
    }
    /** Makes lookup() find and keep the pool, until unregister(). Returns id(). */
    std::uint64_t register_id() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_pool_handle_new(get(), out); });
    }
    /** Takes register_id() back. */
    static void unregister(std::uint64_t id) { check(gc_pool_handle_release(id)); }

    /** Makes gc_pool_torch_allocate() allocate from the pool for its device, until another one is bound or unbind(). */
    void bind(std::int32_t device) const { check(gc_pool_bind(get(), device)); }
    /** Takes bind() back, whatever pool is bound. */
    static void unbind(std::int32_t device) { check(gc_pool_unbind(device)); }

    /** The number of the pool, which all its handles have and no other pool has. */
    std::uint64_t id() const {
        return detail::ask<std::uint64_t>([&](std::uint64_t* out) { return gc_pool_id(get(), out); });
    }
    /** Keeps a buffer. Returns how many objects the pool had before. */
    std::size_t add(const Buffer& buffer) const {
        return detail::ask<std::size_t>(
            [&](std::size_t* out) { return gc_pool_add_buffer(get(), buffer.get(), out); });
    }
    /** Keeps an object of any type. It is destroyed on any thread when it goes, or when this call fails. Returns how
     *  many objects the pool had before. */
    template <class T>
    std::size_t add_object(T&& object) const {
        using Object = std::decay_t<T>;
        Object* const kept = new Object(std::forward<T>(object));
        return detail::ask<std::size_t>([&](std::size_t* out) {
            return gc_pool_add_object(get(), kept, detail::drop_callable<Object>, out);
        });
    }
    /** Allocates `size` bytes, not cleared, which value operations take too. */
    Buffer allocate(std::size_t size) const {
        return Buffer(
            detail::make<gc_buffer>([&](gc_buffer** out) { return gc_pool_allocate(get(), size, out); }));
    }
    /** Returns the memory of the pool. */
    gc_pool_memory memory() const {
        return detail::ask_params<gc_pool_memory>(
            [&](gc_pool_memory* out) { return gc_pool_get_memory(get(), out); });
    }
    /** Returns to the device what nothing uses at the end of the pool's memory. */
    void trim() const { check(gc_pool_trim(get())); }
    /** Returns the number of objects that were added since the pool was cleared. */
    std::size_t buffer_count() const {
        return detail::ask<std::size_t>([&](std::size_t* out) { return gc_pool_buffer_count(get(), out); });
    }
    /** Makes the pool refuse objects, allocations, and captures that begin. */
    void seal() const { check(gc_pool_seal(get())); }
    /** Takes seal() back. */
    void unseal() const { check(gc_pool_unseal(get())); }
    /** Returns whether the pool is sealed. */
    bool is_sealed() const {
        return detail::ask<std::int32_t>([&](std::int32_t* out) { return gc_pool_is_sealed(get(), out); }) != 0;
    }
    /** Lets go of all objects. Throws while a capture, a graph or a graph exec keeps the pool. */
    void clear() const { check(gc_pool_clear(get())); }
    /** The context that the pool belongs to. */
    Context context() const { return detail::context_of(get()); }
};

}  // namespace graphcap

#endif
