//! Generations of a context, and the reset that begins one.

use crate::ffi::boundary::{gc_context, gc_status, guard, handle, Failure, Token};
use graphcap_base::error::Status;
use graphcap_driver::check_caller;

/// Begins a context anew. Every object that was made in it before is stale from then on: every function returns
/// GRAPHCAP_ERROR_STALE for it, except those that destroy a handle, which succeed. All handles of the context itself
/// stay valid and name the new generation, in which new objects can be made at once. docs/resets.md lists what happens
/// to what.
///
/// The call treats all objects as if their handles were destroyed one after another, and waits for nothing. Captures that were
/// begun on their streams are discarded. Submitted work goes on; what it uses is released behind it. Addresses of buffers, pointers
/// of host buffers and native handles are invalid. The device is not reset, and neither is the primary context of a GPU. Wrapped
/// streams and wrapped memory stay the caller's. Other contexts go on.
///
/// A stale handle counts in gc_live_handles() until it is destroyed. Numbers of gc_pool_handle_new() find their pools no more.
///
/// After a fault on a host device the new generation works as a new context does. NVIDIA's driver does not recover from
/// a fault. There the call returns the status of the fault and changes nothing.
///
/// A call that another thread makes on an old object at the same time either takes effect as if it had been made before
/// the reset, or returns GRAPHCAP_ERROR_STALE.
///
/// @param[in] context  the context
/// @retval GRAPHCAP_ERROR_BUSY             another thread is resetting the context
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY    there is not enough memory, or a thread cannot be started
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS  work on a GPU faulted before; this process cannot use CUDA any more
#[no_mangle]
pub unsafe extern "C" fn gc_context_reset(context: *const gc_context) -> gc_status {
    guard("gc_context_reset", [Token::of(context)], || {
        let mut current = handle::clone(context, "context")?;
        check_caller()?;
        loop {
            match handle::reset(&current) {
                // Another thread has reset it since. The handle names what is to be reset now.
                Err(Failure::Told(error)) if error.status == Status::STALE => {
                    current = handle::clone(context, "context")?;
                }
                reset => return reset,
            }
        }
    })
}
