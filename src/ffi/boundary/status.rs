//! Statuses as C sees them, the last message of a thread, and the count of live handles.

use std::ffi::{c_char, CStr};

use super::handle;
use super::message;
use super::output::TextOut;
use graphcap_base::error::Status;

/// The result of a call: GRAPHCAP_SUCCESS, or the reason why it failed.
///
/// Positive numbers are the CUDA driver's own, on every device; negative ones are graphcap's. A later version, or
/// NVIDIA's driver behind a CUDA device, may return numbers that this header does not have.
pub type gc_status = i32;

/// The call did what it says.
pub const GRAPHCAP_SUCCESS: gc_status = 0;
/// An argument is NULL, out of range or inconsistent with another.
pub const GRAPHCAP_ERROR_INVALID_VALUE: gc_status = 1;
/// The device or the host has not enough memory.
pub const GRAPHCAP_ERROR_OUT_OF_MEMORY: gc_status = 2;
/// The driver could not be initialised.
pub const GRAPHCAP_ERROR_NOT_INITIALIZED: gc_status = 3;
/// The driver library that was loaded is a stub without a driver behind it.
pub const GRAPHCAP_ERROR_STUB_LIBRARY: gc_status = 34;
/// There is no device of the kind asked for.
pub const GRAPHCAP_ERROR_NO_DEVICE: gc_status = 100;
/// The device ordinal is not below the number of devices.
pub const GRAPHCAP_ERROR_INVALID_DEVICE: gc_status = 101;
/// The module image is damaged or of no known kind.
pub const GRAPHCAP_ERROR_INVALID_IMAGE: gc_status = 200;
/// The context is not valid, or objects of different contexts were mixed.
pub const GRAPHCAP_ERROR_INVALID_CONTEXT: gc_status = 201;
/// The module holds no code for this device.
pub const GRAPHCAP_ERROR_NO_BINARY_FOR_GPU: gc_status = 209;
/// The PTX of the module could not be compiled.
pub const GRAPHCAP_ERROR_INVALID_PTX: gc_status = 218;
/// The PTX of the module is newer than the driver.
pub const GRAPHCAP_ERROR_UNSUPPORTED_PTX_VERSION: gc_status = 222;
/// A handle is NULL, destroyed, of another kind, or was never one.
pub const GRAPHCAP_ERROR_INVALID_HANDLE: gc_status = 400;
/// The object is in a state in which the call is not allowed.
pub const GRAPHCAP_ERROR_ILLEGAL_STATE: gc_status = 401;
/// The answer has no room for what edges carry; ask the call that gives edge data.
pub const GRAPHCAP_ERROR_LOSSY_QUERY: gc_status = 402;
/// Nothing of that name or number exists.
pub const GRAPHCAP_ERROR_NOT_FOUND: gc_status = 500;
/// The work asked about has not completed yet.
pub const GRAPHCAP_ERROR_NOT_READY: gc_status = 600;
/// A kernel faulted; the context can run nothing any more.
pub const GRAPHCAP_ERROR_ILLEGAL_ADDRESS: gc_status = 700;
/// A launch needs more than the device has.
pub const GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES: gc_status = 701;
/// The host memory is pinned already, in part at least.
pub const GRAPHCAP_ERROR_HOST_MEMORY_ALREADY_REGISTERED: gc_status = 712;
/// Work failed while it ran; the context can run nothing any more.
pub const GRAPHCAP_ERROR_LAUNCH_FAILED: gc_status = 719;
/// A cooperative launch has more blocks than the device runs at once.
pub const GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: gc_status = 720;
/// The call is not allowed here, for example inside a callback.
pub const GRAPHCAP_ERROR_NOT_PERMITTED: gc_status = 800;
/// The device or its driver does not offer this.
pub const GRAPHCAP_ERROR_NOT_SUPPORTED: gc_status = 801;
/// The call is not allowed while a stream is being captured.
pub const GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED: gc_status = 900;
/// An earlier call broke the capture.
pub const GRAPHCAP_ERROR_CAPTURE_INVALIDATED: gc_status = 901;
/// The call would have merged two captures.
pub const GRAPHCAP_ERROR_CAPTURE_MERGE: gc_status = 902;
/// The capture was not begun on this stream.
pub const GRAPHCAP_ERROR_CAPTURE_UNMATCHED: gc_status = 903;
/// Work of a forked stream was not joined to the stream that began the capture.
pub const GRAPHCAP_ERROR_CAPTURE_UNJOINED: gc_status = 904;
/// A capture would have depended on work from outside it.
pub const GRAPHCAP_ERROR_CAPTURE_ISOLATION: gc_status = 905;
/// The call would have depended on a capture through the legacy stream.
pub const GRAPHCAP_ERROR_CAPTURE_IMPLICIT: gc_status = 906;
/// The event was last recorded in a capture, which has no completion to ask about.
pub const GRAPHCAP_ERROR_CAPTURED_EVENT: gc_status = 907;
/// The capture was ended by a thread other than the one that began it.
pub const GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD: gc_status = 908;
/// The time allowed has passed.
pub const GRAPHCAP_ERROR_TIMEOUT: gc_status = 909;
/// The graph exec cannot be updated to this graph; it is unchanged.
pub const GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE: gc_status = 910;
/// A cluster has too many blocks, or does not divide the grid.
pub const GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE: gc_status = 912;
/// The driver failed without saying why.
pub const GRAPHCAP_ERROR_UNKNOWN: gc_status = 999;
/// The object is older than the last reset of its context.
pub const GRAPHCAP_ERROR_STALE: gc_status = -1;
/// The pool is sealed.
pub const GRAPHCAP_ERROR_SEALED: gc_status = -2;
/// Another thread, a graph or an earlier call is using the object.
pub const GRAPHCAP_ERROR_BUSY: gc_status = -3;
/// graphcap failed internally; the object can no longer be used.
pub const GRAPHCAP_ERROR_PANIC: gc_status = -4;
/// A callback of the caller reported a failure.
pub const GRAPHCAP_ERROR_CALLBACK: gc_status = -5;
/// The memory offered for the answer is too small; the size needed was written.
pub const GRAPHCAP_ERROR_BUFFER_TOO_SMALL: gc_status = -6;
/// A library could not be loaded or lacks what is needed.
pub const GRAPHCAP_ERROR_LIBRARY: gc_status = -7;
/// The process was forked after graphcap was first used; only the parent can use it.
pub const GRAPHCAP_ERROR_FORKED: gc_status = -8;
/// The actor was closed before it came to the message.
pub const GRAPHCAP_ERROR_CANCELLED: gc_status = -9;

/// Returns the name of a status, such as "GRAPHCAP_ERROR_INVALID_VALUE".
///
/// @param[in] status  any number
/// @return a static text, never NULL; "GRAPHCAP_ERROR_UNRECOGNIZED" for a number that this version does not have. Never
///         fails, not even in a forked child.
#[no_mangle]
pub extern "C" fn gc_status_name(status: gc_status) -> *const c_char {
    Status(status).name().unwrap_or(c"GRAPHCAP_ERROR_UNRECOGNIZED").as_ptr()
}

/// Returns a sentence that says what a status means. gc_last_error_message() says what happened in a particular call.
///
/// @param[in] status  any number
/// @return a static text, never NULL. Never fails, not even in a forked child.
#[no_mangle]
pub extern "C" fn gc_status_description(status: gc_status) -> *const c_char {
    const UNRECOGNIZED: &CStr = c"This version of graphcap does not know the status.";
    Status(status).description().unwrap_or(UNRECOGNIZED).as_ptr()
}

/// Copies the message of the last failed call of the calling thread: which function failed, why, and what to
/// do.
///
/// A call that succeeds does not change the message. This function does not change it either, even when it
/// fails. The text is empty while no call of the thread has failed. Works in a forked child too.
///
/// @param[out] text      where to copy the text to; it ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the text was cut to fit, between two characters
#[no_mangle]
pub unsafe extern "C" fn gc_last_error_message(text: *mut c_char, capacity: usize, needed: *mut usize) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    match message::with_last(|last| out.write(last)) {
        Ok(()) => GRAPHCAP_SUCCESS,
        Err(failure) => failure.status().0,
    }
}

/// Returns the number of handles of all kinds in the process that are not yet destroyed. For leak tests; handles that callbacks get for
/// the time of their call do not count.
///
/// @return the count. Never fails, not even in a forked child.
#[no_mangle]
pub extern "C" fn gc_live_handles() -> u64 {
    handle::live()
}
