/**
 * @file graphcap/graph_cache.hpp
 * Caches of graph execs by keys. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_GRAPH_CACHE_HPP
#define GRAPHCAP_GRAPH_CACHE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../graphcap.h"
#include "context.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "stream.hpp"

namespace graphcap {

namespace detail {

/** The bytes of a key, and the key that bytes are. */
template <class Key>
struct KeyBytes {
    static_assert(std::is_trivially_copyable_v<Key> && std::has_unique_object_representations_v<Key>,
                  "a key is a std::string, or a type whose equal values have equal bytes: without pointers to its parts, padding "
                  "and floating-point members");
    static const void* data(const Key& key) noexcept { return std::addressof(key); }
    static std::size_t size(const Key&) noexcept { return sizeof(Key); }
    static Key of(const void* bytes, std::size_t) noexcept {
        Key key;
        std::memcpy(std::addressof(key), bytes, sizeof key);
        return key;
    }
};

template <>
struct KeyBytes<std::string> {
    static const void* data(const std::string& key) noexcept { return key.data(); }
    static std::size_t size(const std::string& key) noexcept { return key.size(); }
    static std::string of(const void* bytes, std::size_t size) { return {static_cast<const char*>(bytes), size}; }
};

} // namespace detail

/** Maps keys to graph execs, has a function record the work of keys that it does not have, and launches. Any thread may
 *  use it. The destructor lets queued launches finish. */
template <class Key>
class GraphCache : public detail::Handle<gc_graph_cache, gc_graph_cache_destroy> {
public:
    /** Submits the work of a key to a stream that is being captured. */
    using Record = std::function<void(const Stream& stream, const Key& key)>;

    GraphCache() noexcept = default;
    /** Makes a cache that has `record` record the work of keys; gc_graph_cache_record_fn tells what it may do.
     *  Several threads may call it at the same time. An exception that leaves it leaves launch(). `flags` are
     *  GRAPHCAP_GRAPH_CACHE_ flags, `instantiate_flags` GRAPHCAP_INSTANTIATE_ flags; a `max_bytes` of 0 is no limit. */
    explicit GraphCache(const Context& context, Record record, std::uint32_t flags = 0, std::uint64_t max_bytes = 0,
                        std::uint32_t instantiate_flags = 0)
        : Handle(detail::make<gc_graph_cache>([&](gc_graph_cache** out) {
              auto options = detail::versioned<gc_graph_cache_options>();
              options.flags = flags;
              options.instantiate_flags = instantiate_flags;
              options.max_bytes = max_bytes;
              options.record = run;
              options.user_data = new Record(std::move(record));
              options.destroy = detail::drop_callable<Record>;
              return gc_graph_cache_create(context.get(), &options, out);
          })) {}

    /** Launches the work of `key`. If the cache does not have it, it is recorded first. */
    void launch(const Key& key, const Stream& stream) const { launch_by(key, stream, nullptr); }
    /** As above, with a function of this call in the place of the one that the cache was made with. */
    void launch(const Key& key, const Stream& stream, const Record& record) const { launch_by(key, stream, &record); }
    /** Drops the work of `key`. */
    void remove(const Key& key) const {
        check(gc_graph_cache_remove(get(), detail::KeyBytes<Key>::data(key), detail::KeyBytes<Key>::size(key)));
    }
    /** Drops the work of all keys. */
    void clear() const { check(gc_graph_cache_clear(get())); }
    /** Returns counters of the cache, and its contents. */
    gc_graph_cache_stats stats() const {
        return detail::ask_params<gc_graph_cache_stats>(
            [&](gc_graph_cache_stats* out) { return gc_graph_cache_get_stats(get(), out); });
    }
    /** The context that the cache belongs to. */
    Context context() const { return detail::context_of(get()); }

private:
    /** Argument of the function that C calls for a launch. */
    struct Launch {
        const Record* record;
        std::exception_ptr thrown;
    };

    void launch_by(const Key& key, const Stream& stream, const Record* record) const {
        Launch launch{record, nullptr};
        const gc_status status = gc_graph_cache_launch(get(), detail::KeyBytes<Key>::data(key),
                                                       detail::KeyBytes<Key>::size(key), stream.get(), &launch);
        if (launch.thrown) std::rethrow_exception(launch.thrown);
        check(status);
    }

    /** No exception may pass through C: the launch holds it until the call has returned. */
    static gc_status run(const gc_stream* stream, const void* key, std::size_t key_size, void* user_data,
                         void* launch_data) noexcept {
        Launch& launch = *static_cast<Launch*>(launch_data);
        const Record& record = launch.record != nullptr ? *launch.record : *static_cast<const Record*>(user_data);
        Stream given(const_cast<gc_stream*>(stream));
        gc_status status = GRAPHCAP_SUCCESS;
        try {
            record(given, detail::KeyBytes<Key>::of(key, key_size));
        } catch (...) {
            launch.thrown = std::current_exception();
            status = GRAPHCAP_ERROR_CALLBACK;
        }
        // The stream is the cache's.
        given.release();
        return status;
    }
};

} // namespace graphcap

#endif
