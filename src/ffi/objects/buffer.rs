//! gc_buffer: device memory.

use std::ffi::c_void;

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, gc_buffer, gc_context, gc_destroy_fn, gc_status, guard, handle, Failure, Out,
    UserData,
};
use graphcap_core::Buffer;
use graphcap_driver::MemoryKind;

/// Allocates device memory, aligned to at least 256 bytes. Its content is undefined. May be called while
/// streams are captured.
///
/// On a CUDA device the memory comes from a pool of the context's own. Value operations, such as
/// gc_stream_write_value32(), refuse this memory on every device; see gc_buffer_allocate_waitable() and
/// gc_pool_allocate().
///
/// @param[in]  context     the context that the memory belongs to
/// @param[in]  size        bytes, not 0
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  size is 0
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the device does not have enough memory
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_allocate(
    context: *const gc_context,
    size: usize,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    answer_borrowed("gc_buffer_allocate", (context, "context"), out, |context| {
        let buffer = Buffer::allocate(context, size)?;
        handle::insert(buffer)
    })
}

/// Allocates device memory that value operations accept, such as gc_stream_wait_value32(). Otherwise the memory is as
/// that of gc_buffer_allocate().
///
/// Use it for counters and flags. NVIDIA's driver refuses value operations on memory of pools. It can free the memory
/// that it accepts only in calls that wait for all work of the device. The memory of a destroyed buffer that nothing
/// uses any more is therefore freed when gc_context_synchronize() or gc_context_collect() waits for a context of that
/// device, or when the device's primary context ends.
///
/// @param[in]  context     the context that the memory belongs to
/// @param[in]  size        bytes, not 0
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  size is 0
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY  the device does not have enough memory
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_allocate_waitable(
    context: *const gc_context,
    size: usize,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    answer_clone("gc_buffer_allocate_waitable", (context, "context"), out, |context| {
        let buffer = Buffer::allocate_as(&context, size, MemoryKind::Waitable)?;
        handle::insert(buffer)
    })
}

/// Makes a buffer from memory that the caller allocated by other means.
///
/// On a host device the memory is ordinary memory of the process. On a CUDA device it is memory that the driver knows
/// and the device can use, given by its device address: device, managed or pinned memory, for example of the CUDA
/// runtime or of a library. Plain malloc() memory is refused. graphcap does not check whether this device can reach the
/// memory. The range must lie within one allocation. The caller keeps the memory valid until destroy is called. That
/// happens once the buffer is destroyed, no graph or graph exec uses it any more, and the work submitted with it
/// through gc_ calls has completed. On a host device that may be within gc_buffer_destroy(); see "What ends at once".
///
/// Do not call cudaFree() in destroy: it waits, and it breaks captures. Pass the address to a thread of your own
/// instead.
///
/// @param[in]  context     the context that the memory belongs to
/// @param[in]  address     the first byte of the memory, not NULL
/// @param[in]  size        bytes, not 0
/// @param[in]  user_data   passed to destroy; may be NULL
/// @param[in]  destroy     called exactly once, also when this call fails; may be NULL
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the range passes the end of the address space, or, on a CUDA device, does not
///     lie within one allocation that the driver knows
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_wrap(
    context: *const gc_context,
    address: *mut c_void,
    size: usize,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    answer_clone("gc_buffer_wrap", (context, "context"), out, move |context| {
        if address.is_null() {
            return Err(Failure::Null("address"));
        }
        let address = address.expose_provenance() as u64;
        // SAFETY: C promises that the memory is valid for `size` bytes until `destroy` is called.
        let buffer = unsafe { Buffer::wrap(&context, address, size, user_data.into_release()) }?;
        handle::insert(buffer)
    })
}

/// Destroys a buffer. Its memory is freed when no graph or graph exec uses the buffer any more and the work submitted
/// with it has completed. Does not wait for work.
///
/// On a CUDA device the memory goes back to the pool of the context, for later allocations. gc_context_collect()
/// returns the free memory of the pool to the device.
///
/// graphcap puts no work of its own on a default stream to learn when the stream's work has completed. Memory that was
/// used on a default stream is freed when the program has submitted to that stream again or waited for it, at
/// gc_context_synchronize(), or when gc_context_collect() finds the work complete. The progress of the per-thread
/// default stream of another thread becomes known only when that thread waits for the stream, or by
/// gc_context_synchronize() or gc_context_collect(). If neither happens, memory that was used on that stream stays
/// allocated until the process ends.
///
/// @param[in] buffer  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_destroy(buffer: *mut gc_buffer) -> gc_status {
    guard("gc_buffer_destroy", [], || handle::destroy(buffer, "buffer"))
}

/// Returns the size of a buffer.
///
/// @param[in]  buffer    the buffer
/// @param[out] size_out  bytes
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_size(buffer: *const gc_buffer, size_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `size_out` is NULL or writable.
    let out = unsafe { Out::number(size_out, "size_out") };
    answer_borrowed("gc_buffer_size", (buffer, "buffer"), out, |buffer| Ok(buffer.size()))
}

/// Returns the device address of a buffer, as a number. It is valid as long as the buffer is.
///
/// @param[in]  buffer       the buffer
/// @param[out] address_out  the address of its first byte
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_address(buffer: *const gc_buffer, address_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `address_out` is NULL or writable.
    let out = unsafe { Out::number(address_out, "address_out") };
    answer_borrowed("gc_buffer_address", (buffer, "buffer"), out, |buffer| Ok(buffer.address()))
}

/// Checks whether a range of memory lies within one live allocation of the host devices. For host kernels
/// that want to fault as a GPU would: they return the status.
///
/// @param[in] address  the first byte
/// @param[in] size     bytes
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS  the range does not lie within one live allocation
#[no_mangle]
pub unsafe extern "C" fn gc_host_check_range(address: *const c_void, size: usize) -> gc_status {
    guard("gc_host_check_range", [], || Ok(graphcap_host::check_range(address.addr() as u64, size)?))
}
