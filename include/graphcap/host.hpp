/**
 * @file graphcap/host.hpp
 * What host kernels and host functions call. graphcap.hpp includes this file; a program includes graphcap.hpp.
 */
#ifndef GRAPHCAP_HOST_HPP
#define GRAPHCAP_HOST_HPP

#include <cstddef>
#include <cstdint>

#include "../graphcap.h"
#include "error.hpp"
#include "node.hpp"

namespace graphcap {

/** Sets a condition, from a host kernel or a host function of the graph that has it. Throws if that graph does not
 *  run. */
inline void host_set_conditional(Condition condition, std::uint32_t value) {
    check(gc_host_set_conditional(condition.id, value));
}

/** Throws GRAPHCAP_ERROR_ILLEGAL_ADDRESS unless `size` bytes from `address` on lie within one live allocation of the
 *  host devices. For host kernels, whose context then faults as that of a GPU would. */
inline void host_check_range(const void* address, std::size_t size) { check(gc_host_check_range(address, size)); }

/** Makes the calling host function or host kernel fail, with a reason: see gc_host_fail(). It returns what a kernel
 *  then returns. */
inline gc_status host_fail(const char* reason) noexcept { return gc_host_fail(reason); }

} // namespace graphcap

#endif
