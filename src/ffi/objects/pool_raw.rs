//! Memory of pools for the allocators of others: PyTorch's pluggable allocator, and RMM's resource of callbacks.

use std::ffi::c_void;

use crate::ffi::boundary::{gc_pool, gc_status, guard, handle, with_clone, Failure, Result, Token};
use graphcap_core::Pool;

/// Makes gc_pool_torch_allocate() take memory for a device from a pool, until another one is bound to the device, or
/// gc_pool_unbind(). The pool is kept for that, also when its handle is destroyed. A stream that is in a capture which was begun with a
/// pool allocates from that pool. A reset of the pool's context unbinds the pool.
///
/// @param[in] pool    the pool
/// @param[in] device  the ordinal of the device that the pool is of
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  device is negative, or not that of the pool
#[no_mangle]
pub unsafe extern "C" fn gc_pool_bind(pool: *const gc_pool, device: i32) -> gc_status {
    with_clone("gc_pool_bind", (pool, "pool"), |pool| Ok(pool.bind(ordinal(device)?)?))
}

/// Takes gc_pool_bind() back, whichever pool is bound to the device. What was allocated stays as long as the pool.
///
/// @param[in] device  the ordinal of the device
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  device is negative
#[no_mangle]
pub extern "C" fn gc_pool_unbind(device: i32) -> gc_status {
    guard("gc_pool_unbind", [], || Ok(Pool::unbind(ordinal(device)?)?))
}

/// Allocates memory for PyTorch: its address is what `torch.cuda.memory.CUDAPluggableAllocator` takes as `alloc_fn`. The memory comes
/// from the pool of the capture that the stream is in, if that was begun with a pool, else from the pool that gc_pool_bind() has bound
/// to the device. At least 256-byte aligned, not cleared. Allowed during captures.
///
/// What was freed on the stream is used again on that stream alone: within the capture that allocated it, or where it was allocated
/// and freed while no capture was met. Memory of a capture that was begun with the pool goes back to the pool when it was freed and the
/// graph, its execs and their launches are gone. Memory that was allocated and freed outside of captures goes back by gc_pool_trim(), and
/// where the pool has no other. All other memory stays allocated until the pool goes, so that no graph replays into memory of others.
/// Graphs that were captured with the pool keep it. For graphs of others, such as PyTorch's, the caller keeps the pool, and what they
/// read that was allocated before.
///
/// PyTorch does not look at NULL: the next kernel faults. examples/python/torch_allocator.cpp turns it into PyTorch's exception.
/// gc_last_error_message() tells the cause.
///
/// @param[in] size    bytes; 0 allocates nothing and returns NULL
/// @param[in] device  the ordinal of the device
/// @param[in] stream  the CUDA stream, a live one or a default one
/// @return the address, or NULL. The causes: GRAPHCAP_ERROR_NOT_FOUND without a pool; GRAPHCAP_ERROR_SEALED;
///         GRAPHCAP_ERROR_OUT_OF_MEMORY; GRAPHCAP_ERROR_INVALID_VALUE for a negative size or device; GRAPHCAP_ERROR_NOT_SUPPORTED
///         where the device cannot map memory to addresses; GRAPHCAP_ERROR_STALE for a pool that is older than a reset;
///         GRAPHCAP_ERROR_NOT_PERMITTED inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_pool_torch_allocate(size: isize, device: i32, stream: *mut c_void) -> *mut c_void {
    allocated("gc_pool_torch_allocate", [], || {
        let device = ordinal(device)?;
        let size = usize::try_from(size).map_err(|_| negative("size", size as i64))?;
        if size == 0 {
            return Ok(0);
        }
        // SAFETY: C promises a live stream of the driver's.
        let pool = unsafe { Pool::of_stream(device, stream.addr()) }?;
        // SAFETY: as above.
        Ok(unsafe { pool.allocate_raw(size, stream.addr()) }?)
    })
}

/// Frees memory of gc_pool_torch_allocate() behind the work of the stream, and behind that of the streams that
/// gc_pool_torch_record_stream() named: PyTorch's `free_fn`. An address that is not one is left alone; gc_last_error_message() tells
/// that. Does not wait.
///
/// @param[in] address  the address; NULL has no effect
/// @param[in] size     what was allocated; not looked at
/// @param[in] device   the ordinal of the device; not looked at
/// @param[in] stream   the CUDA stream, a live one or a default one, as each stream that was named
#[no_mangle]
pub unsafe extern "C" fn gc_pool_torch_free(address: *mut c_void, size: isize, device: i32, stream: *mut c_void) {
    let _ = (size, device);
    // SAFETY: C promises live streams of the driver's.
    unsafe { free("gc_pool_torch_free", address, stream) };
}

/// Says that work on another stream uses memory of gc_pool_torch_allocate() too: PyTorch's hook for `Tensor.record_stream`, which is
/// set by `set_record_stream_fn` of its allocator. The memory is not used again before that work is over. Without the hook PyTorch
/// frees the memory while that stream may still use it.
///
/// @param[in] address  the address; NULL has no effect, and one that is none is left alone, which gc_last_error_message() tells
/// @param[in] stream   the CUDA stream, a live one or a default one until the memory is freed
#[no_mangle]
pub unsafe extern "C" fn gc_pool_torch_record_stream(address: *mut c_void, stream: *mut c_void) {
    let _told = guard("gc_pool_torch_record_stream", [], || {
        if !address.is_null() {
            Pool::note_raw_use(address.addr() as u64, stream.addr())?;
        }
        Ok(())
    });
}

/// Allocates memory of a pool for RMM: `allocate_func` of its `CallbackMemoryResource`, with the pool as `user_data`. As
/// gc_pool_torch_allocate(), of that pool alone.
///
/// @param[in] size       bytes; 0 allocates nothing and returns NULL
/// @param[in] stream     the CUDA stream, a live one or a default one
/// @param[in] user_data  a gc_pool, which lives at least until the call returns
/// @return the address, or NULL. The causes are those of gc_pool_torch_allocate(), and GRAPHCAP_ERROR_INVALID_HANDLE where user_data
///         is not a live pool
#[no_mangle]
pub unsafe extern "C" fn gc_pool_rmm_allocate(size: usize, stream: *mut c_void, user_data: *mut c_void) -> *mut c_void {
    let pool = user_data.cast_const().cast::<gc_pool>();
    allocated("gc_pool_rmm_allocate", [Token::of(pool)], || {
        let pool = handle::clone(pool, "user_data")?;
        match size {
            0 => Ok(0),
            // SAFETY: C promises a live stream of the driver's.
            size => Ok(unsafe { pool.allocate_raw(size, stream.addr()) }?),
        }
    })
}

/// Frees memory of gc_pool_rmm_allocate(): `deallocate_func` of RMM's `CallbackMemoryResource`. As gc_pool_torch_free().
///
/// @param[in] address    the address; NULL has no effect
/// @param[in] size       what was allocated; not looked at
/// @param[in] stream     the CUDA stream, a live one or a default one
/// @param[in] user_data  not looked at: the address tells the pool
#[no_mangle]
pub unsafe extern "C" fn gc_pool_rmm_free(
    address: *mut c_void,
    size: usize,
    stream: *mut c_void,
    user_data: *mut c_void,
) {
    let _ = (size, user_data);
    // SAFETY: as in `gc_pool_torch_free`.
    unsafe { free("gc_pool_rmm_free", address, stream) };
}

/// Returns what `allocate` allocates, as an address for C; NULL where it fails.
fn allocated<const N: usize>(
    function: &'static str,
    involved: [Token; N],
    allocate: impl FnOnce() -> Result<u64>,
) -> *mut c_void {
    let mut address = 0;
    // The thread's message tells why there is none.
    let _told = guard(function, involved, || {
        address = allocate()?;
        Ok(())
    });
    std::ptr::without_provenance_mut(address as usize)
}

/// # Safety
/// The stream is a live one of the driver's, as is each that was named for the address.
unsafe fn free(function: &'static str, address: *mut c_void, stream: *mut c_void) {
    // Nobody can be told of a failure but by the thread's message.
    let _told = guard(function, [], || {
        if !address.is_null() {
            // SAFETY: the caller's promise.
            unsafe { Pool::free_raw(address.addr() as u64, stream.addr()) }?;
        }
        Ok(())
    });
}

fn ordinal(device: i32) -> Result<u32> {
    u32::try_from(device).map_err(|_| negative("device", device.into()))
}

#[cold]
fn negative(argument: &'static str, number: i64) -> Failure {
    let known = "a number that is not negative";
    Failure::Unknown { argument, number: number.into(), known }
}
