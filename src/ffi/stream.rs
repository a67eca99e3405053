//! gc_stream: a queue of work on a device, and its capture into a graph.

use std::ffi::c_void;
use std::mem::size_of;
use std::ptr;
use std::time::Duration;

use crate::core::{self, Stream};
use crate::driver::{CaptureStatus, StreamOptions};
use crate::ffi::buffer::gc_buffer;
use crate::ffi::callback::{gc_destroy_fn, gc_host_fn, UserData};
use crate::ffi::context::gc_context;
use crate::ffi::event::{gc_event, GRAPHCAP_EVENT_WAIT_EXTERNAL};
use crate::ffi::failure::{Failure, Result};
use crate::ffi::graph::gc_graph;
use crate::ffi::guard::guard;
use crate::ffi::handle::{self, handle, Token};
use crate::ffi::kernel::gc_kernel;
use crate::ffi::launch::{self, gc_kernel_arg, gc_launch_config, Arguments};
use crate::ffi::options::{self, check_flags, Versioned};
use crate::ffi::output::Out;
use crate::ffi::status::gc_status;
use crate::rules::CaptureMode;

/// A queue of work on a device. Its work runs in the order of the calls and asynchronously to the caller.
///
/// While a stream is captured its work is not run but recorded into a graph.
pub struct gc_stream {
    _opaque: (),
}
handle!(gc_stream, Stream, Stream, Stream::ends_at_once);

/// The stream runs without regard to the legacy default stream.
pub const GRAPHCAP_STREAM_NON_BLOCKING: u32 = 1;

/// How a stream is made. All members 0: a blocking stream of normal priority.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_stream_options {
    /// sizeof(gc_stream_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_STREAM_NON_BLOCKING.
    pub flags: u32,
    /// Lower is more urgent; cut to the range that gc_context_stream_priority_range() tells.
    pub priority: i32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_stream_options {}

/// Whose unsafe calls a capture bars, and who may end it: one of the GRAPHCAP_CAPTURE_MODE_ numbers, which are CUDA's.
/// 0, GRAPHCAP_CAPTURE_MODE_GLOBAL, is the default of CUDA and of PyTorch, and the choice where in doubt: it finds most
/// mistakes.
///
/// The mode does not say what is captured. That is the stream that the capture was begun on and those that join it, in
/// every mode, whichever threads submit to them.
///
/// Unsafe calls are those that may wait for, or free, what work outside the capture uses: waiting for another stream or
/// for an event, asking whether they are complete, instantiating a graph; and outside graphcap cudaMalloc(),
/// cudaFree(), unloading a module and the like. A thread has a mode of its own as well, which is global unless
/// gc_thread_exchange_capture_mode() changed it. A capture bars the unsafe calls of
///  - the thread that began it, unless the capture's mode or the thread's is relaxed;
///  - other threads, if the capture's mode and the thread's are both global.
///
/// A barred call fails with GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED and breaks every capture that bars it, in whatever
/// context: its end gives GRAPHCAP_ERROR_CAPTURE_INVALIDATED.
///
/// Relaxed is not "no rules". In every mode, by every thread, these break a capture: waiting for a stream that is part
/// of it, asking whether that stream is complete, and launching or uploading a graph on it; waiting for the whole
/// context; waiting for, or asking about, an event that was recorded in it; work on the legacy stream while a blocking
/// stream is part of it; waiting in it for an event from outside; merging it with another capture; ending it on another
/// stream than the one that it was begun on, or with work that was not joined.
///
/// In no mode do these: destroying objects of graphcap, making any but graph execs, and submitting work to other
/// streams. What graphcap does for itself breaks none either.
pub type gc_capture_mode = i32;

/// Bars the unsafe calls of all threads. Ended by the thread that began it.
pub const GRAPHCAP_CAPTURE_MODE_GLOBAL: gc_capture_mode = 0;
/// Bars the unsafe calls of the thread that began it; others may wait, ask and free as they like. Ended by the thread
/// that began it.
pub const GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL: gc_capture_mode = 1;
/// Bars nobody's unsafe calls. Ended by any thread.
pub const GRAPHCAP_CAPTURE_MODE_RELAXED: gc_capture_mode = 2;

/// Whether a stream is being captured: one of the GRAPHCAP_CAPTURE_STATUS_ numbers.
pub type gc_capture_state = i32;

/// The stream executes its work.
pub const GRAPHCAP_CAPTURE_STATUS_NONE: gc_capture_state = 0;
/// The stream records its work.
pub const GRAPHCAP_CAPTURE_STATUS_ACTIVE: gc_capture_state = 1;
/// The capture was broken by an earlier call; it must still be ended.
pub const GRAPHCAP_CAPTURE_STATUS_INVALIDATED: gc_capture_state = 2;

/// The mode that C means by a number.
pub(crate) fn capture_mode(mode: gc_capture_mode) -> Result<CaptureMode> {
    let known = "one of the GRAPHCAP_CAPTURE_MODE_ numbers";
    CaptureMode::from_number(mode).ok_or(Failure::Unknown { argument: "mode", number: mode.into(), known })
}

/// The size of the elements of a memset.
pub(crate) fn element_size(element_size: u32) -> Result<u8> {
    match element_size {
        1 => Ok(1),
        2 => Ok(2),
        4 => Ok(4),
        _ => {
            let known = "1, 2 or 4";
            Err(Failure::Unknown { argument: "element_size", number: element_size.into(), known })
        }
    }
}

/// Sets options to their defaults, as GRAPHCAP_STREAM_OPTIONS_INIT does.
///
/// @param[out] options  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_stream_options_init(options: *mut gc_stream_options) {
    let defaults =
        gc_stream_options { struct_size: size_of::<gc_stream_options>() as u32, flags: 0, priority: 0, reserved: 0 };
    if !options.is_null() {
        // SAFETY: C promises that options that are not NULL may be written.
        unsafe { options.write_unaligned(defaults) };
    }
}

/// Makes a stream.
///
/// @param[in]  context     the context that the stream belongs to
/// @param[in]  options     NULL for the defaults
/// @param[out] stream_out  the new stream, owned by the caller until gc_stream_destroy(); NULL on failure
/// @retval GRAPHCAP_SUCCESS               the stream was made
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  context is no live context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   stream_out is NULL, a flag is unknown, reserved is not 0, or the options
///                                        have a size that cannot be
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   memory is missing
#[no_mangle]
pub unsafe extern "C" fn gc_stream_create(
    context: *const gc_context,
    options: *const gc_stream_options,
    stream_out: *mut *mut gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out, "stream_out") };
    guard("gc_stream_create", [Token::of(context)], || {
        let pinned = handle::pin();
        let context = handle::borrow(context, "context", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { options::read_or_default(options, "options") }?;
        check_flags(options.flags, GRAPHCAP_STREAM_NON_BLOCKING, "flags", "0 or GRAPHCAP_STREAM_NON_BLOCKING")?;
        check_flags(options.reserved, 0, "reserved", "0")?;
        let options = StreamOptions {
            non_blocking: options.flags & GRAPHCAP_STREAM_NON_BLOCKING != 0,
            priority: options.priority,
        };
        let stream = Stream::create(context, options)?;
        out.write(handle::insert(stream)?);
        Ok(())
    })
}

/// Makes a handle for a stream of someone else: of the CUDA runtime, of PyTorch, of a library.
///
/// The stream is used as it is. What others submit to it while it is captured is captured too. It may be captured by
/// graphcap or by others; in both cases the graph keeps what gc_ calls recorded. graphcap asks the driver at each call
/// which capture the stream is in, which costs some 20 ns.
///
/// It must be a live CUstream of the primary context, which must outlive the handle and the calls that are in
/// progress with it: destroy the handle first. A value that is no live CUstream is undefined behaviour, unlike a gc_
/// handle. NULL means the legacy stream also in programs built with --default-stream per-thread: pass
/// CU_STREAM_PER_THREAD there.
///
/// @param[in]  context     a context on the device of the stream
/// @param[in]  native      the stream; NULL and CU_STREAM_LEGACY mean the legacy default stream, CU_STREAM_PER_THREAD
///                         the per-thread one
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone;
///                         NULL on failure
/// @retval GRAPHCAP_SUCCESS                stream_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE   context is no live context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    stream_out is NULL
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream belongs to another context than the device's primary one
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device is the host device, which has no native handles
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY    memory is missing
#[no_mangle]
pub unsafe extern "C" fn gc_stream_wrap(
    context: *const gc_context,
    native: *mut c_void,
    stream_out: *mut *mut gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out, "stream_out") };
    guard("gc_stream_wrap", [Token::of(context)], || {
        let pinned = handle::pin();
        let context = handle::borrow(context, "context", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises a live stream of the driver's.
        let stream = unsafe { Stream::wrap(context, native.addr()) }?;
        out.write(handle::insert(stream)?);
        Ok(())
    })
}

/// Destroys a stream. Work that was submitted to it still runs; nothing is waited for. A capture that was
/// begun on it is discarded, unless a gc_capture owns it, which keeps the stream until the capture is over.
///
/// On a host device a wait for a value that comes neither now nor by work that was submitted to other streams before is
/// given up: what is behind it, on the stream or in the replay, is let go without being run. So it is with the waits of the
/// default streams when their context is gone. A CUDA device goes on waiting.
///
/// Of a wrapped stream only the handle goes: the stream, and a capture that it is in, stay as they are, but for one that
/// gc_stream_begin_capture_to_graph() began. This waits for calls of other threads that are running, so that none uses
/// the stream any more when it returns.
///
/// @param[in] stream  NULL is fine
/// @retval GRAPHCAP_SUCCESS               the handle is dead
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  it was no live stream
#[no_mangle]
pub unsafe extern "C" fn gc_stream_destroy(stream: *mut gc_stream) -> gc_status {
    guard("gc_stream_destroy", [], || {
        handle::destroy(stream, "stream")?;
        core::await_examiners();
        Ok(())
    })
}

/// Waits until everything submitted to the stream so far has completed.
///
/// @param[in] stream  the stream
/// @retval GRAPHCAP_SUCCESS                    the work has completed
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream is no live stream
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from
///                                             waiting; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS      a kernel faulted; so do all later calls of the context
#[no_mangle]
pub unsafe extern "C" fn gc_stream_synchronize(stream: *const gc_stream) -> gc_status {
    guard("gc_stream_synchronize", [Token::of(stream)], || {
        let stream = handle::clone(stream, "stream")?;
        Ok(stream.synchronize()?)
    })
}

/// Waits as gc_stream_synchronize() does, but no longer than a given time.
///
/// By the rules of captures it is the same call. On a CUDA device the driver has no such wait and is asked again and
/// again, the more seldom the longer it takes. There work that others submit meanwhile is waited for too; and when another
/// thread begins to capture the stream meanwhile, the capture is left alone, and the work counts as not complete while it
/// goes on.
///
/// @param[in] stream       the stream
/// @param[in] nanoseconds  how long to wait at most; 0 asks once, UINT64_MAX is for ever
/// @retval GRAPHCAP_SUCCESS                    the work has completed
/// @retval GRAPHCAP_ERROR_TIMEOUT              it has not, and the time has passed; the work goes on
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream is no live stream
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from
///                                             waiting; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS      a kernel faulted; so do all later calls of the context
#[no_mangle]
pub unsafe extern "C" fn gc_stream_synchronize_for(stream: *const gc_stream, nanoseconds: u64) -> gc_status {
    guard("gc_stream_synchronize_for", [Token::of(stream)], || {
        let stream = handle::clone(stream, "stream")?;
        Ok(stream.synchronize_for(Duration::from_nanos(nanoseconds))?)
    })
}

/// Tells whether everything submitted to the stream so far has completed. Does not wait.
///
/// @param[in]  stream        the stream
/// @param[out] complete_out  1 if it has, else 0
/// @retval GRAPHCAP_SUCCESS                    complete_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        complete_out is NULL
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from
///                                             asking; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS      a kernel faulted; so do all later calls of the context
#[no_mangle]
pub unsafe extern "C" fn gc_stream_is_complete(stream: *const gc_stream, complete_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `complete_out` is NULL or writable.
    let out = unsafe { Out::number(complete_out, "complete_out") };
    guard("gc_stream_is_complete", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let out = out.required()?;
        out.write(i32::from(stream.is_complete()?));
        Ok(())
    })
}

/// Tells the number of a stream, by which messages call it. It is graphcap's own: no other stream of the process has or
/// had it.
///
/// @param[in]  stream  the stream
/// @param[out] id_out  the number, at least 1
/// @retval GRAPHCAP_SUCCESS               id_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   id_out is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_stream_id(stream: *const gc_stream, id_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `id_out` is NULL or writable.
    let out = unsafe { Out::number(id_out, "id_out") };
    guard("gc_stream_id", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        out.required()?.write(stream.number());
        Ok(())
    })
}

/// Starts to record the work of a stream instead of running it.
///
/// Other streams join the capture when they wait for an event that was recorded in it, and must be joined
/// back before it ends. All handles that go through a gc_ call while recording are kept alive by the graph.
/// Memory that a copy gets as a plain host pointer is not: it is read or written at each replay and must be
/// valid then. docs/capture.md has all rules of captures, and what to do when one broke.
///
/// @param[in] stream  the stream; not the legacy stream
/// @param[in] mode    one of the GRAPHCAP_CAPTURE_MODE_ numbers
/// @retval GRAPHCAP_SUCCESS                    the stream is being captured
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the mode is unknown
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured already
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is the legacy stream
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the same, while a blocking stream is captured, which is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_begin_capture(stream: *const gc_stream, mode: gc_capture_mode) -> gc_status {
    guard("gc_stream_begin_capture", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        Ok(stream.begin_capture(capture_mode(mode)?)?)
    })
}

/// Stops recording and gives the graph of what was recorded. A capture that a gc_capture owns can be ended here too, and
/// is over for that object then. Of a capture into a graph that there was before it is a further handle to that graph;
/// both are destroyed on their own.
///
/// When it fails the capture is over all the same, and a graph that it went into is lost, except for
/// GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE and GRAPHCAP_ERROR_NOT_PERMITTED, after which it goes on,
/// and GRAPHCAP_ERROR_CAPTURE_UNMATCHED, after which it must still be ended on the stream that it was begun on.
///
/// @param[in]  stream     the stream that the capture was begun on
/// @param[out] graph_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_SUCCESS                     the graph was made
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE        stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE         graph_out is NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE         the stream is not being captured
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED   an earlier call broke the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED     the stream joined the capture; it was begun on another one; it is
///                                              invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED      a stream that joined was not joined back
/// @retval GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD  another thread began it, in a mode other than relaxed
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT      the stream is the legacy stream, and a blocking stream is captured, which
///                                              is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED         the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_end_capture(stream: *const gc_stream, graph_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    guard("gc_stream_end_capture", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let out = out.required()?;
        let graph = stream.end_capture()?;
        out.write(handle::insert(graph)?);
        Ok(())
    })
}

/// Tells whether a stream records its work.
///
/// @param[in]  stream         the stream
/// @param[out] capturing_out  1 while a capture is active, 0 when there is none and when it was broken
/// @retval GRAPHCAP_SUCCESS                 capturing_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     capturing_out is NULL
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_is_capturing(stream: *const gc_stream, capturing_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `capturing_out` is NULL or writable.
    let out = unsafe { Out::number(capturing_out, "capturing_out") };
    guard("gc_stream_is_capturing", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let out = out.required()?;
        out.write(i32::from(stream.capture_info()?.status == CaptureStatus::Active));
        Ok(())
    })
}

/// Tells the state of a stream's capture.
///
/// @param[in]  stream      the stream
/// @param[out] status_out  one of the GRAPHCAP_CAPTURE_STATUS_ numbers
/// @retval GRAPHCAP_SUCCESS                 status_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     status_out is NULL
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture_status(
    stream: *const gc_stream,
    status_out: *mut gc_capture_state,
) -> gc_status {
    // SAFETY: C promises that `status_out` is NULL or writable.
    let out = unsafe { Out::number(status_out, "status_out") };
    guard("gc_stream_capture_status", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let out = out.required()?;
        out.write(state_number(stream.capture_info()?.status));
        Ok(())
    })
}

/// The number that C knows a state by.
pub(crate) fn state_number(status: CaptureStatus) -> gc_capture_state {
    match status {
        CaptureStatus::None => GRAPHCAP_CAPTURE_STATUS_NONE,
        CaptureStatus::Active => GRAPHCAP_CAPTURE_STATUS_ACTIVE,
        CaptureStatus::Invalidated => GRAPHCAP_CAPTURE_STATUS_INVALIDATED,
    }
}

/// Orders the later work of a stream after the point that an event marks. The CPU does not wait. An event
/// that was never recorded has no effect.
///
/// If the event was recorded in a capture, the stream joins that capture.
///
/// With GRAPHCAP_EVENT_WAIT_EXTERNAL, on a stream that is being captured, the wait becomes a node of the graph, whatever
/// the event was recorded in: each replay waits there for the record that the event holds when the graph is launched, and
/// for nothing if there is none. That orders a graph after work outside of it. The graph, and the graph execs made from
/// it, keep the event.
///
/// @param[in] stream  the stream
/// @param[in] event   an event of the same context
/// @param[in] flags   0 or GRAPHCAP_EVENT_WAIT_EXTERNAL
/// @retval GRAPHCAP_SUCCESS                    the order is set
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream or event is no live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        a flag is unknown, or the event was last recorded in a capture that is
///                                             over or invalid; a capture of the stream is invalidated
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the two belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the flag is GRAPHCAP_EVENT_WAIT_EXTERNAL and the stream is not being
///                                             captured
/// @retval GRAPHCAP_ERROR_CAPTURE_ISOLATION    the stream is being captured and the event was recorded outside of
///                                             the capture; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_MERGE        the stream and the event are in different captures; both are
///                                             invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  a capture that takes part was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_wait_event(
    stream: *const gc_stream,
    event: *const gc_event,
    flags: u32,
) -> gc_status {
    guard("gc_stream_wait_event", [Token::of(stream), Token::of(event)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        check_flags(flags, GRAPHCAP_EVENT_WAIT_EXTERNAL, "flags", "0 or GRAPHCAP_EVENT_WAIT_EXTERNAL")?;
        match flags {
            0 => stream.wait_event(event)?,
            _ => stream.wait_event_external(event)?,
        }
        Ok(())
    })
}

/// Copies from host memory into a buffer.
///
/// The host memory must stay valid and unchanged until the copy has run. While the stream is captured only the
/// pointer is recorded: the memory is read at each replay. From pageable memory a CUDA device may copy at the call, see
/// Asynchrony above.
///
/// @param[in] stream              the stream
/// @param[in] destination         the buffer to write, of the same context
/// @param[in] destination_offset  the first byte written, counted from the start of the buffer
/// @param[in] source              the first byte read; may be NULL when size is 0
/// @param[in] size                bytes; 0 has no effect
/// @retval GRAPHCAP_SUCCESS                    the copy is queued or recorded
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream or destination is no live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the range does not lie within the buffer, or source is NULL
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the two belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_htod(
    stream: *const gc_stream,
    destination: *const gc_buffer,
    destination_offset: usize,
    source: *const c_void,
    size: usize,
) -> gc_status {
    guard("gc_stream_memcpy_htod", [Token::of(stream), Token::of(destination)], || {
        let stream = handle::clone(stream, "stream")?;
        let destination = handle::clone(destination, "destination")?;
        if source.is_null() && size > 0 {
            return Err(Failure::Null("source"));
        }
        // SAFETY: C promises that `source` has `size` readable bytes until the copy has run, at each replay.
        Ok(unsafe { stream.memcpy_htod(&destination, destination_offset, source, size) }?)
    })
}

/// Copies from a buffer into host memory.
///
/// The host memory must stay valid until the copy has run. While the stream is captured only the pointer is
/// recorded: the memory is written at each replay. To pageable memory the call may return on a CUDA device when the
/// copy has run, see Asynchrony above.
///
/// @param[in]  stream         the stream
/// @param[out] destination    the first byte written; may be NULL when size is 0
/// @param[in]  source         the buffer to read, of the same context
/// @param[in]  source_offset  the first byte read, counted from the start of the buffer
/// @param[in]  size           bytes; 0 has no effect
/// @retval GRAPHCAP_SUCCESS                    the copy is queued or recorded
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream or source is no live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the range does not lie within the buffer, or destination is NULL
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the two belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_dtoh(
    stream: *const gc_stream,
    destination: *mut c_void,
    source: *const gc_buffer,
    source_offset: usize,
    size: usize,
) -> gc_status {
    guard("gc_stream_memcpy_dtoh", [Token::of(stream), Token::of(source)], || {
        let stream = handle::clone(stream, "stream")?;
        let source = handle::clone(source, "source")?;
        if destination.is_null() && size > 0 {
            return Err(Failure::Null("destination"));
        }
        // SAFETY: C promises that `destination` has `size` writable bytes until the copy has run, at each replay.
        Ok(unsafe { stream.memcpy_dtoh(destination, &source, source_offset, size) }?)
    })
}

/// Copies between two buffers, or within one, where the ranges must not overlap.
///
/// @param[in] stream              the stream
/// @param[in] destination         the buffer to write, of the same context
/// @param[in] destination_offset  the first byte written, counted from the start of the buffer
/// @param[in] source              the buffer to read, of the same context
/// @param[in] source_offset       the first byte read, counted from the start of the buffer
/// @param[in] size                bytes; 0 has no effect
/// @retval GRAPHCAP_SUCCESS                    the copy is queued or recorded
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream, destination or source is no live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        a range does not lie within its buffer, or the two overlap
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the three belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_dtod(
    stream: *const gc_stream,
    destination: *const gc_buffer,
    destination_offset: usize,
    source: *const gc_buffer,
    source_offset: usize,
    size: usize,
) -> gc_status {
    guard("gc_stream_memcpy_dtod", [Token::of(stream), Token::of(destination), Token::of(source)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let destination = handle::borrow(destination, "destination", &pinned)?;
        let source = handle::borrow(source, "source", &pinned)?;
        Ok(stream.memcpy_dtod(destination, destination_offset, source, source_offset, size)?)
    })
}

/// Sets elements of a buffer to a value.
///
/// @param[in] stream        the stream
/// @param[in] buffer        the buffer to write, of the same context
/// @param[in] offset        the first byte written, counted from the start of the buffer; its address must be a
///                          multiple of element_size
/// @param[in] value         the value; bits that do not fit an element are ignored
/// @param[in] element_size  1, 2 or 4 bytes
/// @param[in] count         how many elements; 0 has no effect
/// @retval GRAPHCAP_SUCCESS                    the memset is queued or recorded
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream or buffer is no live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        element_size is none of 1, 2 and 4, the first address is no multiple
///                                             of it, or the range does not lie within the buffer
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the two belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memset(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: u32,
    element_size: u32,
    count: usize,
) -> gc_status {
    guard("gc_stream_memset", [Token::of(stream), Token::of(buffer)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let buffer = handle::borrow(buffer, "buffer", &pinned)?;
        Ok(stream.memset(buffer, offset, value, self::element_size(element_size)?, count)?)
    })
}

/// Runs a function on the CPU when the work before it has completed; later work waits for it.
///
/// It runs on a thread of graphcap's or of the driver's, may block, and must not make gc_ calls other than destroys, nor
/// CUDA calls; GRAPHCAP_ERROR_NOT_PERMITTED is the answer to those that submit or wait. While the stream is captured
/// it is recorded: it runs once per launch of the graph, and never at the capture itself.
///
/// On a CUDA device the driver may run one host function at a time, whatever their streams: none may wait for another.
///
/// @param[in] stream     the stream
/// @param[in] function   the function, not NULL
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once: after function has run, or, when it was recorded, after the graph and
///                       all graph execs made from it are gone, or when this call fails; may be NULL. After a
///                       fault of a CUDA device the driver keeps what it holds, and this may not be called any more
/// @retval GRAPHCAP_SUCCESS                    the function is queued or recorded
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        function is NULL
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_launch_host_func(
    stream: *const gc_stream,
    function: gc_host_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_stream_launch_host_func", [Token::of(stream)], move || {
        let stream = handle::clone(stream, "stream")?;
        // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
        let function = unsafe { user_data.into_host_function(function) }?;
        Ok(stream.launch_host_function(function)?)
    })
}

/// Launches a kernel.
///
/// A shape that the device cannot run breaks the capture of the stream, unlike other wrong arguments. A host device
/// runs up to 1024 threads in a block (1024, 1024 and 64 in x, y and z), 2147483647, 65535 and 65535 blocks in x, y
/// and z, and 232448 bytes of shared memory.
///
/// The arguments and the values that they point to are copied before the call returns. Buffers among them are
/// kept alive until the launch has run, or by the graph that it is recorded into. Their number and sizes are checked
/// against the kernel's parameters where these are known, see gc_kernel_parameter_count(). On a CUDA device they are
/// what the image says, with a driver for 12.4 or newer; with an older one what the module's description states for the
/// host kernel of that name.
///
/// @param[in] stream          the stream
/// @param[in] kernel          a kernel of the same context
/// @param[in] config          the shape of the launch, not NULL
/// @param[in] arguments       one per parameter of the kernel, all of the same struct_size; may be NULL when
///                            argument_count is 0
/// @param[in] argument_count  how many
/// @retval GRAPHCAP_SUCCESS                    the launch is queued or recorded
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream, kernel or a buffer among the arguments is no live handle of
///                                             its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        config is NULL, a dimension is 0 or too large, a kind, an access or a
///                                             flag is unknown, or number or size of the arguments are not those of
///                                             the kernel
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture of the stream was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES  a CUDA device lacks what the launch needs, registers for so many
///                                             threads in a block for example
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
/// @retval GRAPHCAP_ERROR_ILLEGAL_ADDRESS      a kernel faulted before; so do all later calls of the context
#[no_mangle]
pub unsafe extern "C" fn gc_stream_launch_kernel(
    stream: *const gc_stream,
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    arguments: *const gc_kernel_arg,
    argument_count: usize,
) -> gc_status {
    guard("gc_stream_launch_kernel", [Token::of(stream), Token::of(kernel)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
        let shape = unsafe { launch::shape(config) }?;
        let mut held = Arguments::new();
        // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
        unsafe { held.read(arguments, argument_count, &pinned) }?;
        // SAFETY: C promises that the kernel may be run with these arguments.
        Ok(unsafe { stream.launch_kernel(kernel, shape, held.list()) }?)
    })
}

/// Tells the CUstream, for libraries that submit work to it. They may do so while it is captured.
///
/// From then on graphcap asks the driver at each call which capture the stream is in, which costs some 20 ns, because
/// others may begin and end captures on it.
///
/// @param[in]  stream      the stream
/// @param[out] native_out  the driver's handle, valid until the handle is destroyed; never destroy it yourself. For a
///                         default stream it is CU_STREAM_LEGACY or CU_STREAM_PER_THREAD, which mean a stream of the
///                         context that is current. NULL on failure
/// @retval GRAPHCAP_SUCCESS               native_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   native_out is NULL
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the device is the host device, which has no native handles
#[no_mangle]
pub unsafe extern "C" fn gc_stream_native(stream: *const gc_stream, native_out: *mut *mut c_void) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    guard("gc_stream_native", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let out = out.required()?;
        out.write(ptr::without_provenance_mut(stream.native()?));
        Ok(())
    })
}
