/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from src/ffi of graphcap by `make header`. Do not edit. */
#ifndef GRAPHCAP_ALLOCATORS_H
#define GRAPHCAP_ALLOCATORS_H

/// @file graphcap_allocators.h
///
/// What is said of all functions of graphcap.h is true of these.

#include "graphcap.h"

#ifdef __cplusplus
extern "C" {
#endif

/// @defgroup graphcap_allocators Allocators of PyTorch and RMM
///
/// Functions with the signatures that PyTorch's pluggable allocator and RMM's resource of callbacks ask for, and the
/// choice of the pool that gives them memory. They know memory by its address, and streams by the driver's handles.
///
/// @{

/// Makes gc_pool_torch_allocate() take memory for a device from a pool, until another one is bound to the device, or
/// gc_pool_unbind(). The pool is kept for that, also when its handle is destroyed. A stream that is in a capture which
/// was begun with a pool allocates from that pool. A reset of the pool's context unbinds the pool.
///
/// @param[in] device  the ordinal of the device that the pool is of
/// @retval GRAPHCAP_ERROR_INVALID_VALUE device is negative, or not that of the pool
GRAPHCAP_NODISCARD gc_status gc_pool_bind(const gc_pool *pool, int32_t device);

/// Takes gc_pool_bind() back, whichever pool is bound to the device. What was allocated stays as long as the pool.
///
/// @param[in] device  the ordinal of the device
/// @retval GRAPHCAP_ERROR_INVALID_VALUE device is negative
GRAPHCAP_NODISCARD gc_status gc_pool_unbind(int32_t device);

/// Allocates memory for PyTorch: its address is what `torch.cuda.memory.CUDAPluggableAllocator` takes as `alloc_fn`.
/// The memory comes from the pool of the capture that the stream is in, if that was begun with a pool, else from the
/// pool that gc_pool_bind() has bound to the device. At least 256-byte aligned, not cleared. Allowed during captures.
///
/// What was freed on the stream is used again on that stream alone: within the capture that allocated it, or where it
/// was allocated and freed while no capture was met. Memory of a capture that was begun with the pool goes back to the
/// pool when it was freed and the graph, its execs and their launches are gone. Memory that was allocated and freed
/// outside of captures goes back by gc_pool_trim(), and where the pool has no other. All other memory stays allocated
/// until the pool goes, so that no graph replays into memory of others. Graphs that were captured with the pool keep
/// it. For graphs of others, such as PyTorch's, the caller keeps the pool, and what they read that was allocated
/// before.
///
/// PyTorch does not look at NULL: the next kernel faults. examples/python/torch_allocator.cpp turns it into PyTorch's
/// exception. gc_last_error_message() tells the cause.
///
/// @param[in] size    bytes; 0 allocates nothing and returns NULL
/// @param[in] device  the ordinal of the device
/// @param[in] stream  the CUDA stream, a live one or a default one
/// @return the address, or NULL. The causes: GRAPHCAP_ERROR_NOT_FOUND without a pool; GRAPHCAP_ERROR_SEALED;
///     GRAPHCAP_ERROR_OUT_OF_MEMORY; GRAPHCAP_ERROR_INVALID_VALUE for a negative size or device;
///     GRAPHCAP_ERROR_NOT_SUPPORTED where the device cannot map memory to addresses; GRAPHCAP_ERROR_STALE for a pool
///     that is older than a reset; GRAPHCAP_ERROR_NOT_PERMITTED inside a host function
void *gc_pool_torch_allocate(ptrdiff_t size, int32_t device, void *stream);

/// Frees memory of gc_pool_torch_allocate() behind the work of the stream, and behind that of the streams that
/// gc_pool_torch_record_stream() named: PyTorch's `free_fn`. An address that is not one is left alone;
/// gc_last_error_message() tells that. Does not wait.
///
/// @param[in] address  the address; NULL has no effect
/// @param[in] size     what was allocated; not looked at
/// @param[in] device   the ordinal of the device; not looked at
/// @param[in] stream   the CUDA stream, a live one or a default one, as each stream that was named
void gc_pool_torch_free(void *address, ptrdiff_t size, int32_t device, void *stream);

/// Says that work on another stream uses memory of gc_pool_torch_allocate() too: PyTorch's hook for
/// `Tensor.record_stream`, which is set by `set_record_stream_fn` of its allocator. The memory is not used again before
/// that work is over. Without the hook PyTorch frees the memory while that stream may still use it.
///
/// @param[in] address  the address; NULL has no effect, and one that is none is left alone, which
///     gc_last_error_message() tells
/// @param[in] stream   the CUDA stream, a live one or a default one until the memory is freed
void gc_pool_torch_record_stream(void *address, void *stream);

/// Allocates memory of a pool for RMM: `allocate_func` of its `CallbackMemoryResource`, with the pool as `user_data`.
/// As gc_pool_torch_allocate(), of that pool alone.
///
/// @param[in] size       bytes; 0 allocates nothing and returns NULL
/// @param[in] stream     the CUDA stream, a live one or a default one
/// @param[in] user_data  a gc_pool, which lives at least until the call returns
/// @return the address, or NULL. The causes are those of gc_pool_torch_allocate(), and GRAPHCAP_ERROR_INVALID_HANDLE
///     where user_data is not a live pool
void *gc_pool_rmm_allocate(size_t size, void *stream, void *user_data);

/// Frees memory of gc_pool_rmm_allocate(): `deallocate_func` of RMM's `CallbackMemoryResource`. As
/// gc_pool_torch_free().
///
/// @param[in] address    the address; NULL has no effect
/// @param[in] size       what was allocated; not looked at
/// @param[in] stream     the CUDA stream, a live one or a default one
/// @param[in] user_data  not looked at: the address tells the pool
void gc_pool_rmm_free(void *address, size_t size, void *stream, void *user_data);

/// @}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* GRAPHCAP_ALLOCATORS_H */
