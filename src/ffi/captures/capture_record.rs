//! What is recorded through a gc_capture beside kernels, copies and memsets: host functions, events, value operations.

use std::ffi::c_void;

use crate::ffi::boundary::callback::{gc_destroy_fn, gc_host_fn, UserData};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_capture, gc_event};
use crate::ffi::boundary::options::check_flags;
use crate::ffi::boundary::status::gc_status;
use crate::ffi::objects::event::{GRAPHCAP_EVENT_RECORD_EXTERNAL, GRAPHCAP_EVENT_WAIT_EXTERNAL};
use crate::ffi::operations::stream_values::{self, gc_mem_op};

/// Records a function that runs on the CPU, as gc_stream_launch_host_func() does. It runs once per launch of the graph.
///
/// @param[in] capture    the capture
/// @param[in] function   the function, not NULL; see gc_host_fn
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once; may be NULL. It is called after the graph and all graph execs made from it
///                       are gone, or when this call fails. After a fault of a CUDA device it may never be called
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  function is NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the capture is over
/// @retval GRAPHCAP_ERROR_BUSY           another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED  the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_host_func(
    capture: *const gc_capture,
    function: gc_host_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_capture_record_host_func", [Token::of(capture)], move || {
        let capture = handle::clone(capture, "capture")?;
        // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
        let function = unsafe { user_data.into_host_function(function) }?;
        Ok(capture.record_host_function(function)?)
    })
}

/// Records an event, as gc_event_record_with_flags() does.
///
/// Without a flag the event marks what the stream has recorded so far, and another stream that waits for it joins the
/// capture. That is no operation of the graph, and gc_capture_recorded_count() does not count it. With
/// GRAPHCAP_EVENT_RECORD_EXTERNAL the record becomes a node: each launch of the graph records the event.
///
/// @param[in] capture  the capture
/// @param[in] event    an event of any context on the device of the capture's stream
/// @param[in] flags    0 or GRAPHCAP_EVENT_RECORD_EXTERNAL
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       capture or event is not a live handle of its kind, or the event and the
///                                             stream belong to two devices of one kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        a flag is unknown
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the event and the stream belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the device is a CUDA device, and the event was made with
///                                             GRAPHCAP_EVENT_INTERPROCESS
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the capture is over
/// @retval GRAPHCAP_ERROR_BUSY                 another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_event(
    capture: *const gc_capture,
    event: *const gc_event,
    flags: u32,
) -> gc_status {
    guard("gc_capture_record_event", [Token::of(capture), Token::of(event)], || {
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        check_flags(flags, GRAPHCAP_EVENT_RECORD_EXTERNAL, "flags", "0 or GRAPHCAP_EVENT_RECORD_EXTERNAL")?;
        match flags {
            0 => capture.record_event(event)?,
            _ => capture.record_external_event(event)?,
        }
        Ok(())
    })
}

/// Records a wait for an event, as gc_stream_wait_event() does.
///
/// Without a flag the event was recorded in the same capture, and what is recorded next comes after what it marks; this
/// joins streams that the capture forked to. That is no operation of the graph, and gc_capture_recorded_count() does not
/// count it. With GRAPHCAP_EVENT_WAIT_EXTERNAL the wait becomes a node: each replay waits for the record that the event
/// holds when the graph is launched.
///
/// @param[in] capture  the capture
/// @param[in] event    an event of a context on a device of the same kind as the stream's
/// @param[in] flags    0 or GRAPHCAP_EVENT_WAIT_EXTERNAL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        a flag is unknown, or the event was recorded in a capture that is over;
///                                             the capture is invalidated by the latter
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the event and the stream belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_CAPTURE_ISOLATION    the event was recorded outside of captures; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_MERGE        the event was recorded in another capture; both are invalidated
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the capture is over
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the event is one for several processes (GRAPHCAP_EVENT_INTERPROCESS);
///                                             the capture is invalidated
/// @retval GRAPHCAP_ERROR_BUSY                 another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_wait_event(
    capture: *const gc_capture,
    event: *const gc_event,
    flags: u32,
) -> gc_status {
    guard("gc_capture_record_wait_event", [Token::of(capture), Token::of(event)], || {
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        check_flags(flags, GRAPHCAP_EVENT_WAIT_EXTERNAL, "flags", "0 or GRAPHCAP_EVENT_WAIT_EXTERNAL")?;
        match flags {
            0 => capture.record_wait(event)?,
            _ => capture.record_external_wait(event)?,
        }
        Ok(())
    })
}

/// Records value writes and value waits as one node, as gc_stream_batch_mem_op() does. One write or one wait is a batch
/// of 1.
///
/// @param[in] capture     the capture
/// @param[in] operations  the operations, in this order, all of the same struct_size; may be NULL when count is 0
/// @param[in] count       the number of operations, at most 255; 0 records nothing
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    see gc_stream_batch_mem_op()
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer belongs to another context
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the GPU does not support an operation or the flag GRAPHCAP_WAIT_VALUE_FLUSH
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE    the capture is over
/// @retval GRAPHCAP_ERROR_BUSY             another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    the capture is of another thread's per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record_batch_mem_op(
    capture: *const gc_capture,
    operations: *const gc_mem_op,
    count: usize,
) -> gc_status {
    guard("gc_capture_record_batch_mem_op", [Token::of(capture)], || {
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        // SAFETY: C promises `count` operations, not changed during the call.
        let batch = unsafe { stream_values::batch(operations, count, &pinned) }?;
        Ok(capture.record_values(&batch)?)
    })
}
