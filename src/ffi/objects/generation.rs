//! Generations of a context, and the reset that begins one.

use crate::ffi::boundary::failure::Failure;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::gc_context;
use crate::ffi::boundary::status::gc_status;
use graphcap_base::error::Status;
use graphcap_driver::check_caller;

/// Begins a context anew. Every object that was made in it before is stale from then on: every function returns
/// GRAPHCAP_ERROR_STALE for it, except those that destroy a handle, which succeed. All handles of the context itself
/// stay valid and name the new generation, in which new objects can be made at once. docs/resets.md lists what happens
/// to what.
///
/// Handles that were destroyed before stay invalid. A stale handle counts in gc_live_handles() until it is destroyed.
/// gc_last_error_message() names it. Numbers of gc_pool_handle_new() find their pools no more. The call treats all
/// objects as if their handles were destroyed one after another:
/// - Captures that were begun on their streams are discarded. So is a capture that gc_stream_begin_capture() or
///   gc_capture_begin() began on a wrapped stream, but not one that others began there. On a CUDA device a capture of
///   the per-thread stream of another thread goes on until that thread ends. A stream of another context that had
///   joined such a capture has left it.
/// - Submitted work goes on, launches of graph execs on streams of other contexts among it. What it uses is released
///   behind it, with the destroy functions of wrapped memory and of callbacks; the call does not wait for that. Memory
///   also stays while code of the caller's still runs that was given it.
/// - Addresses of buffers, pointers of host buffers and native handles are invalid.
///
/// The device is not reset, and neither is the primary context of a GPU. Wrapped streams and wrapped memory stay the
/// caller's. Other contexts go on, also those that borrowed memory from this one; they can use no object of the old
/// generation from then on.
///
/// On a host device a while loop of the old generation that does not end is abandoned after a second, a wait for a
/// value when nothing that was submitted can bring it. Work behind them does not run. On a CUDA device they go on.
///
/// After a fault on a host device the new generation works as a new context does. NVIDIA's driver does not recover from
/// a fault. There the call returns the status of the fault and changes nothing: the message lists the launches that the
/// fault may come from and says that the process must be started anew. A fault of work that was submitted before a
/// reset, and that nobody has met, appears after it.
///
/// A call that another thread makes on an old object at the same time either takes effect as if it had been made before
/// the reset, or returns GRAPHCAP_ERROR_STALE. An object that such a call returns is stale. A wait that a reset
/// overtakes returns GRAPHCAP_ERROR_STALE when what it waits for is complete or abandoned; so does a call that runs a
/// function of the caller's, in which the reset is made, when the function has returned. The reset of a context by two
/// threads at once is refused for one of them.
///
/// @param[in] context  the context
/// @retval GRAPHCAP_SUCCESS                the context has a new generation
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
