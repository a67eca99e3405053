//! gc_event: a point in a stream that others can wait for.

use std::time::Duration;

use crate::ffi::boundary::{
    answer_borrowed, check_flags, gc_context, gc_event, gc_status, gc_stream, guard, handle, options, read_bytes,
    with_clone, with_two_borrowed, Out, Output, Token, Versioned,
};
use graphcap_core::Event;
use graphcap_driver::EventOptions;

/// Threads that wait for the event sleep rather than spin.
pub const GRAPHCAP_EVENT_BLOCKING_SYNC: u32 = 1;
/// The event takes no time stamps; gc_event_elapsed_time() refuses it.
pub const GRAPHCAP_EVENT_DISABLE_TIMING: u32 = 2;
/// Other processes can open the event, see gc_event_ipc_handle(). Requires GRAPHCAP_EVENT_DISABLE_TIMING.
pub const GRAPHCAP_EVENT_INTERPROCESS: u32 = 4;

/// gc_event_record(): the record is a node of the graph that is being captured. Each launch of the graph
/// records the event for work outside the graph.
pub const GRAPHCAP_EVENT_RECORD_EXTERNAL: u32 = 1;
/// gc_stream_wait_event(): the wait is a node of the graph that is being captured. Each replay waits there for the
/// record that the event holds when the graph is launched.
pub const GRAPHCAP_EVENT_WAIT_EXTERNAL: u32 = 1;

/// The handle by which another process opens an event: 64 bytes that only the driver understands. Copy them to that
/// process unchanged.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_ipc_handle {
    /// The bytes.
    pub bytes: [u8; 64],
}

/// Options of a new event. With all members 0 it takes time stamps.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_event_options {
    /// sizeof(gc_event_options).
    pub struct_size: u32,
    /// 0, or GRAPHCAP_EVENT_ flags combined with |.
    pub flags: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_event_options {}

/// Makes an event. It counts as complete until it is first recorded.
///
/// @param[in]  context    the context that the event belongs to
/// @param[in]  options    NULL for the defaults
/// @param[out] event_out  the new event, owned by the caller until gc_event_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  GRAPHCAP_EVENT_INTERPROCESS comes without GRAPHCAP_EVENT_DISABLE_TIMING
#[no_mangle]
pub unsafe extern "C" fn gc_event_create(
    context: *const gc_context,
    options: *const gc_event_options,
    event_out: *mut *mut gc_event,
) -> gc_status {
    // SAFETY: C promises that `event_out` is NULL or writable.
    let out = unsafe { Out::handle(event_out, "event_out") };
    answer_borrowed("gc_event_create", (context, "context"), out, |context| {
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { options::read_or_default(options, "options") }?;
        let known = GRAPHCAP_EVENT_BLOCKING_SYNC | GRAPHCAP_EVENT_DISABLE_TIMING | GRAPHCAP_EVENT_INTERPROCESS;
        check_flags(options.flags, known, "flags", "0 or GRAPHCAP_EVENT_ flags")?;
        let options = EventOptions {
            blocking_sync: options.flags & GRAPHCAP_EVENT_BLOCKING_SYNC != 0,
            disable_timing: options.flags & GRAPHCAP_EVENT_DISABLE_TIMING != 0,
            interprocess: options.flags & GRAPHCAP_EVENT_INTERPROCESS != 0,
        };
        let event = Event::create(context, options)?;
        handle::insert(event)
    })
}

/// Destroys an event. Stream waits for the event that were submitted before stay in effect.
///
/// @param[in] event  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_event_destroy(event: *mut gc_event) -> gc_status {
    guard("gc_event_destroy", [], || handle::destroy(event, "event"))
}

/// Records an event: the event marks the point that the stream has reached. The event forgets the point that
/// it marked before.
///
/// While the stream is captured the event marks a point in the capture: another stream that waits for it
/// joins the capture, and the CPU cannot wait for it.
///
/// With GRAPHCAP_EVENT_RECORD_EXTERNAL, on a stream that is being captured, the record becomes a node of the graph. The
/// call leaves the event as it is, and the event does not mark a point of the capture. Each launch of the graph records
/// the event as this call does outside of captures, and the event is reached when the replay comes to the node.
/// This measures times inside a graph, with gc_event_elapsed_time(), and lets other streams and the CPU wait for a part
/// of a graph. The graph and the graph execs made from it keep the event.
///
/// @param[in] event   the event
/// @param[in] stream  a stream of any context on the event's device
/// @param[in] flags   0 or GRAPHCAP_EVENT_RECORD_EXTERNAL
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       event and stream belong to two devices of one kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        a flag is unknown
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the event and the stream belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        GRAPHCAP_EVENT_RECORD_EXTERNAL is set, and the stream is in no capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured by a CUDA device, and the event was made
///                                             with GRAPHCAP_EVENT_INTERPROCESS
#[no_mangle]
pub unsafe extern "C" fn gc_event_record(event: *const gc_event, stream: *const gc_stream, flags: u32) -> gc_status {
    guard("gc_event_record", [Token::of(event), Token::of(stream)], || {
        let pinned = handle::pin();
        let event = handle::borrow(event, "event", &pinned)?;
        let stream = handle::borrow(stream, "stream", &pinned)?;
        check_flags(flags, GRAPHCAP_EVENT_RECORD_EXTERNAL, "flags", "0 or GRAPHCAP_EVENT_RECORD_EXTERNAL")?;
        match flags {
            0 => event.record(stream)?,
            _ => event.record_external(stream)?,
        }
        Ok(())
    })
}

/// Returns whether the point that the event marks was reached. Does not wait.
///
/// @param[in]  event         the event
/// @param[out] complete_out  1 if it was reached or the event was never recorded, else 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the event was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT       the event was last recorded in a capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a capture bars this thread from asking; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_event_is_complete(event: *const gc_event, complete_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `complete_out` is NULL or writable.
    let out = unsafe { Out::number(complete_out, "complete_out") };
    answer_borrowed("gc_event_is_complete", (event, "event"), out, |event| Ok(i32::from(event.is_complete()?)))
}

/// Waits until the point that the event marks is reached. Returns at once if it was never recorded.
///
/// @param[in] event  the event
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the event was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT       the event was last recorded in a capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a capture bars this thread from waiting; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_event_synchronize(event: *const gc_event) -> gc_status {
    with_clone("gc_event_synchronize", (event, "event"), |event| Ok(event.synchronize()?))
}

/// Waits as gc_event_synchronize() does, but no longer than a given time. When that has passed, the message tells what
/// goes on, as that of gc_stream_synchronize_for() does.
///
/// The rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it,
/// less and less often the longer the wait takes. There, if the event is recorded again meanwhile, the call waits for
/// the new record. If the new record is in a capture, the capture is left alone, and the event counts as not reached
/// until the capture is over.
///
/// @param[in] event        the event
/// @param[in] nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT              the time passed before the point was reached; the work goes on
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the event was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT       the event was last recorded in a capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a capture bars this thread from waiting; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_event_synchronize_for(event: *const gc_event, nanoseconds: u64) -> gc_status {
    with_clone("gc_event_synchronize_for", (event, "event"), |event| {
        let limit = Duration::from_nanos(nanoseconds);
        let waited = event.synchronize_for(limit);
        Ok(waited.map_err(|error| event.context().with_what_runs(limit, error))?)
    })
}

/// Returns the time between two events. Events that a graph records (GRAPHCAP_EVENT_RECORD_EXTERNAL) have times too.
///
/// @param[in]  start             the earlier event
/// @param[in]  end               the later event, of any context on the device of start
/// @param[out] milliseconds_out  the time in milliseconds
/// @retval GRAPHCAP_ERROR_NOT_READY        start or end was not reached yet
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE   start or end was never recorded, or was made with
///     GRAPHCAP_EVENT_DISABLE_TIMING, or they belong to two devices of one kind
/// @retval GRAPHCAP_ERROR_CAPTURED_EVENT   start or end was last recorded in a capture; the capture goes on
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    start or end was last recorded in a capture that is over or invalid
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the two events belong to devices of different kinds
#[no_mangle]
pub unsafe extern "C" fn gc_event_elapsed_time(
    start: *const gc_event,
    end: *const gc_event,
    milliseconds_out: *mut f32,
) -> gc_status {
    // SAFETY: C promises that `milliseconds_out` is NULL or writable.
    let out = unsafe { Out::number(milliseconds_out, "milliseconds_out") };
    with_two_borrowed("gc_event_elapsed_time", (start, "start"), (end, "end"), |start, end| {
        out.answer(|| Ok(start.elapsed_ms(end)?))
    })
}

/// Returns the handle by which another process opens an event. The event must have been made with
/// GRAPHCAP_EVENT_INTERPROCESS, and must live while others open it.
///
/// @param[in]  event       the event
/// @param[out] handle_out  64 bytes for the other process; all 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  the event was not made for other processes
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   the event was not made for other processes
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the device is a host device
#[no_mangle]
pub unsafe extern "C" fn gc_event_ipc_handle(event: *const gc_event, handle_out: *mut gc_ipc_handle) -> gc_status {
    // SAFETY: C promises that `handle_out` is NULL or writable.
    let out = unsafe { Out::bytes(handle_out, "handle_out") };
    answer_borrowed("gc_event_ipc_handle", (event, "event"), out, |event| Ok(event.ipc_handle()?))
}

/// Opens an event of another process. Both processes can record it and wait for it. The event takes no time stamps.
///
/// @param[in]  context     a context on the same device
/// @param[in]  ipc_handle  the handle that gc_event_ipc_handle() returned in the other process; not NULL. The driver
///                         refuses a handle of the calling process
/// @param[out] event_out   the new event, owned by the caller until gc_event_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  the bytes are not the handle of an event
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   ipc_handle or event_out is NULL
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the device is a host device
#[no_mangle]
pub unsafe extern "C" fn gc_event_open_ipc_handle(
    context: *const gc_context,
    ipc_handle: *const gc_ipc_handle,
    event_out: *mut *mut gc_event,
) -> gc_status {
    // SAFETY: C promises that `event_out` is NULL or writable.
    let out = unsafe { Out::handle(event_out, "event_out") };
    answer_borrowed("gc_event_open_ipc_handle", (context, "context"), out, |context| {
        // SAFETY: C promises that `ipc_handle` is NULL or points to a handle.
        let ipc_handle = unsafe { read_bytes(ipc_handle, "ipc_handle") }?;
        handle::insert(Event::open_ipc(context, &ipc_handle)?)
    })
}

/// Returns the number by which messages name an event. No other event of the process has it or had it.
///
/// @param[in]  event   the event
/// @param[out] id_out  the number, at least 1
#[no_mangle]
pub unsafe extern "C" fn gc_event_id(event: *const gc_event, id_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `id_out` is NULL or writable.
    let out = unsafe { Out::number(id_out, "id_out") };
    answer_borrowed("gc_event_id", (event, "event"), out, |event| Ok(event.number()))
}
