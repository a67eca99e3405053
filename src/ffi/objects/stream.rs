//! gc_stream: a queue of work on a device, and its capture into a graph. What it is given to do is in `stream_work.rs`.

use std::ffi::c_void;
use std::time::Duration;

use crate::ffi::boundary::{
    answer_borrowed, check_flags, gc_context, gc_graph, gc_status, gc_stream, guard, handle, options, with_borrowed,
    with_clone, Failure, Out, Result, Versioned,
};
use graphcap_core::Stream;
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{CaptureStatus, StreamOptions};

/// The stream does not wait for the legacy default stream, and the legacy default stream does not wait for it.
pub const GRAPHCAP_STREAM_NON_BLOCKING: u32 = 1;

/// Options of a new stream. With all members 0 it is a blocking stream of normal priority.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_stream_options {
    /// sizeof(gc_stream_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_STREAM_NON_BLOCKING.
    pub flags: u32,
    /// Lower is more urgent. Clamped to the range that gc_context_stream_priority_range() returns.
    pub priority: i32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_stream_options {}

/// Determines whose unsafe calls a capture bars, and who may end the capture. One of the GRAPHCAP_CAPTURE_MODE_
/// numbers, which are CUDA's. If in doubt, use GRAPHCAP_CAPTURE_MODE_GLOBAL, which is 0: it finds most mistakes, and is
/// the default of CUDA and of PyTorch.
///
/// The mode does not determine what is captured. In every mode a capture records the stream that it was begun on and
/// the streams that join it, whichever threads submit to them.
///
/// Unsafe calls are calls that may wait for, or free, what work outside the capture uses. In graphcap these are waiting
/// for another stream or for an event, asking whether they are complete, and instantiating a graph. Outside graphcap
/// they are cudaMalloc(), cudaFree(), unloading a module and the like. Each thread has a mode as well, which is global
/// unless gc_thread_exchange_capture_mode() changed it. A capture bars the unsafe calls of
///  - the thread that began it, unless the capture's mode or the thread's mode is relaxed;
///  - other threads, if the capture's mode and the thread's mode are both global.
///
/// A barred call fails with GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED and breaks every capture that bars it, in any context.
/// The end of a broken capture returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED.
///
/// The relaxed mode still has rules. In every mode, and from every thread, these calls break a capture: waiting for a
/// stream that is part of it, asking whether that stream is complete, and launching or uploading a graph on it; waiting
/// for the whole context; waiting for, or asking about, an event that was recorded in it; work on the legacy stream
/// while a blocking stream is part of it; waiting in it for an event from outside; merging it with another capture;
/// ending it on a stream other than the one that it was begun on, or with work that was not joined.
///
/// In no mode do these calls break a capture: destroying graphcap objects, except the stream that the capture was begun
/// on; making objects, except graph execs; submitting work to other streams; and calls that are refused for wrong
/// arguments, except a launch of an impossible shape. What graphcap does for itself breaks no capture either.
pub type gc_capture_mode = i32;

/// Bars the unsafe calls of all threads. Only the thread that began the capture may end it.
pub const GRAPHCAP_CAPTURE_MODE_GLOBAL: gc_capture_mode = 0;
/// Bars the unsafe calls of the thread that began the capture; other threads may wait, query and free as they like.
/// Only the thread that began the capture may end it.
pub const GRAPHCAP_CAPTURE_MODE_THREAD_LOCAL: gc_capture_mode = 1;
/// Bars no unsafe calls. Any thread may end the capture.
pub const GRAPHCAP_CAPTURE_MODE_RELAXED: gc_capture_mode = 2;

/// State of the capture of a stream: one of the GRAPHCAP_CAPTURE_STATUS_ numbers.
pub type gc_capture_state = i32;

/// The stream executes its work.
pub const GRAPHCAP_CAPTURE_STATUS_NONE: gc_capture_state = 0;
/// The stream records its work.
pub const GRAPHCAP_CAPTURE_STATUS_ACTIVE: gc_capture_state = 1;
/// An earlier call broke the capture. It must still be ended.
pub const GRAPHCAP_CAPTURE_STATUS_INVALIDATED: gc_capture_state = 2;

/// The mode that C means by a number.
pub(crate) fn capture_mode(mode: gc_capture_mode) -> Result<CaptureMode> {
    let known = "one of the GRAPHCAP_CAPTURE_MODE_ numbers";
    CaptureMode::from_number(mode).ok_or(Failure::Unknown { argument: "mode", number: mode.into(), known })
}

/// Makes a stream.
///
/// @param[in]  context     the context that the stream belongs to
/// @param[in]  options     NULL for the defaults
/// @param[out] stream_out  the new stream, owned by the caller until gc_stream_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a flag is unknown, reserved is not 0, or the struct_size of the options is not
///                                       valid
#[no_mangle]
pub unsafe extern "C" fn gc_stream_create(
    context: *const gc_context,
    options: *const gc_stream_options,
    stream_out: *mut *mut gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out, "stream_out") };
    answer_borrowed("gc_stream_create", (context, "context"), out, |context| {
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { options::read_or_default(options, "options") }?;
        check_flags(options.flags, GRAPHCAP_STREAM_NON_BLOCKING, "flags", "0 or GRAPHCAP_STREAM_NON_BLOCKING")?;
        check_flags(options.reserved, 0, "reserved", "0")?;
        let options = StreamOptions {
            non_blocking: options.flags & GRAPHCAP_STREAM_NON_BLOCKING != 0,
            priority: options.priority,
        };
        let stream = Stream::create(context, options)?;
        handle::insert(stream)
    })
}

/// Makes a handle for a stream that others made: the CUDA runtime, PyTorch or a library.
///
/// graphcap uses the stream as it is. While the stream is captured, what others submit to it is captured too. graphcap
/// or others may capture it; in both cases the graph keeps alive what gc_ calls recorded. Each call asks the driver
/// which capture the stream is in, which costs about 20 ns.
///
/// The stream must be a live CUstream of the primary context. It must outlive the handle and the calls in progress with
/// the handle, so destroy the handle first. Unlike for a gc_ handle, a value that is not a live CUstream is undefined
/// behaviour. NULL means the legacy stream, also in programs built with --default-stream per-thread: pass
/// CU_STREAM_PER_THREAD there.
///
/// @param[in]  context     a context on the device of the stream
/// @param[in]  native      the stream; NULL and CU_STREAM_LEGACY mean the legacy default stream, CU_STREAM_PER_THREAD
///                         the per-thread default stream
/// @param[out] stream_out  a handle owned by the caller until gc_stream_destroy(), which leaves the stream itself alone;
///                         NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream belongs to a context other than the device's primary context
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device is the host device, which has no native handles
#[no_mangle]
pub unsafe extern "C" fn gc_stream_wrap(
    context: *const gc_context,
    native: *mut c_void,
    stream_out: *mut *mut gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out, "stream_out") };
    answer_borrowed("gc_stream_wrap", (context, "context"), out, |context| {
        // SAFETY: C promises a live stream of the driver's.
        let stream = unsafe { Stream::wrap(context, native.addr()) }?;
        handle::insert(stream)
    })
}

/// Destroys a stream. Submitted work still runs. Does not wait. A capture that was begun on the stream is discarded,
/// unless a gc_capture owns it; a gc_capture keeps the stream until the capture is over.
///
/// On a host device, destroying a stream gives up a wait for a value if the value is not there and no work that was
/// submitted to other streams before brings it. The work behind the wait, on the stream or in the replay, is then
/// discarded without being run. The waits of a default stream are given up in the same way when the context is gone. A
/// CUDA device goes on waiting.
///
/// For a wrapped stream only the handle is destroyed. The stream stays as it is, and so does a capture that it is in,
/// unless gc_stream_begin_capture_to_graph() began the capture. The call waits for the calls of other threads, see
/// "What ends at once". Inside a host function it does not wait: there the stream must live until they have returned.
///
/// @param[in] stream  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_stream_destroy(stream: *mut gc_stream) -> gc_status {
    guard("gc_stream_destroy", [], || {
        handle::destroy(stream, "stream")?;
        graphcap_core::await_examiners();
        Ok(())
    })
}

/// Waits until everything submitted to the stream so far has completed.
///
/// @param[in] stream  the stream
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from
///                                             waiting; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_stream_synchronize(stream: *const gc_stream) -> gc_status {
    with_clone("gc_stream_synchronize", (stream, "stream"), |stream| Ok(stream.synchronize()?))
}

/// Waits as gc_stream_synchronize() does, but no longer than a given time.
///
/// The rules of captures treat both calls alike. The driver of a CUDA device has no such wait, so graphcap polls it,
/// less and less often the longer the wait takes. There the call also waits for work that others submit meanwhile. If
/// another thread begins to capture the stream meanwhile, the capture is left alone, and the work counts as not
/// complete until the capture is over.
///
/// When the time passes, the message tells of the launches of the context that go on, as far as is known: of graph execs that were
/// made with GRAPHCAP_INSTANTIATE_WATCH the nodes that could run and have not completed, and on the host device the turn of a
/// loop and the node of its body that runs.
///
/// @param[in] stream       the stream
/// @param[in] nanoseconds  the longest time to wait; 0 checks once, UINT64_MAX waits for ever
/// @retval GRAPHCAP_ERROR_TIMEOUT              the time passed before the work completed; the work goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from
///                                             waiting; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_stream_synchronize_for(stream: *const gc_stream, nanoseconds: u64) -> gc_status {
    with_clone("gc_stream_synchronize_for", (stream, "stream"), |stream| {
        let limit = Duration::from_nanos(nanoseconds);
        let waited = stream.synchronize_for(limit);
        Ok(waited.map_err(|error| stream.context().with_what_runs(limit, error))?)
    })
}

/// Returns whether everything submitted to the stream so far has completed. Does not wait.
///
/// @param[in]  stream        the stream
/// @param[out] complete_out  1 if it has completed, else 0
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured, or a capture bars this thread from asking;
///                                             the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_stream_is_complete(stream: *const gc_stream, complete_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `complete_out` is NULL or writable.
    let out = unsafe { Out::number(complete_out, "complete_out") };
    answer_borrowed("gc_stream_is_complete", (stream, "stream"), out, |stream| Ok(i32::from(stream.is_complete()?)))
}

/// Returns the number by which messages name a stream. It is graphcap's own number: no other stream of the process has
/// it or had it.
///
/// @param[in]  stream  the stream
/// @param[out] id_out  the number, at least 1
#[no_mangle]
pub unsafe extern "C" fn gc_stream_id(stream: *const gc_stream, id_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `id_out` is NULL or writable.
    let out = unsafe { Out::number(id_out, "id_out") };
    answer_borrowed("gc_stream_id", (stream, "stream"), out, |stream| Ok(stream.number()))
}

/// Begins a capture: from now on the stream records its work instead of running it.
///
/// Other streams join the capture when they wait for an event that was recorded in it. They must be joined back before
/// the capture ends. The graph keeps alive all objects that gc_ calls use while recording. It does not keep memory that
/// a copy gets as a plain host pointer: each replay reads or writes that memory, which must be valid then.
/// docs/capture.md has all rules of captures, and tells what to do when a capture broke.
///
/// @param[in] stream  the stream; not the legacy stream
/// @param[in] mode    one of the GRAPHCAP_CAPTURE_MODE_ numbers
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the mode is unknown
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured already
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is the legacy stream
#[no_mangle]
pub unsafe extern "C" fn gc_stream_begin_capture(stream: *const gc_stream, mode: gc_capture_mode) -> gc_status {
    with_borrowed(
        "gc_stream_begin_capture",
        (stream, "stream"),
        |stream| Ok(stream.begin_capture(capture_mode(mode)?)?),
    )
}

/// Ends a capture and returns the graph that it recorded. A capture that a gc_capture owns can be ended here too; it is
/// then over for the gc_capture. After a capture into an existing graph, graph_out is another handle to that graph, and
/// each handle is destroyed on its own. This includes a capture that code outside graphcap began into a graph whose
/// native handle was given out.
///
/// If the call fails, the capture is over too, and an existing graph that it recorded into is lost. There are exceptions. After
/// GRAPHCAP_ERROR_INVALID_HANDLE, GRAPHCAP_ERROR_INVALID_VALUE and GRAPHCAP_ERROR_NOT_PERMITTED the capture goes on. After
/// GRAPHCAP_ERROR_CAPTURE_UNMATCHED it is invalidated, and must still be ended on the stream that it was begun on. After
/// GRAPHCAP_ERROR_INVALID_CONTEXT the graph has what was recorded. In a guarded context the capture goes on, unharmed, also after
/// GRAPHCAP_ERROR_CAPTURE_UNMATCHED, GRAPHCAP_ERROR_CAPTURE_UNJOINED and GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD.
///
/// @param[in]  stream     the stream that the capture was begun on
/// @param[out] graph_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT       code outside graphcap began the capture, into a graph of another
///                                              context
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE         the stream is not being captured
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED     the stream joined a capture that was begun on another stream; the
///                                              capture is invalidated. Or the capture goes into a graph, and another
///                                              handle of the stream began it, of another context or wrapped; the
///                                              capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED      a stream that joined the capture was not joined back
/// @retval GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD  another thread began the capture, in a mode other than relaxed
#[no_mangle]
pub unsafe extern "C" fn gc_stream_end_capture(stream: *const gc_stream, graph_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    answer_borrowed("gc_stream_end_capture", (stream, "stream"), out, |stream| {
        let graph = stream.end_capture()?;
        handle::insert(graph)
    })
}

/// Returns whether a stream records its work.
///
/// @param[in]  stream         the stream
/// @param[out] capturing_out  1 while a capture is active, 0 when there is no capture or it was broken
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_is_capturing(stream: *const gc_stream, capturing_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `capturing_out` is NULL or writable.
    let out = unsafe { Out::number(capturing_out, "capturing_out") };
    answer_borrowed("gc_stream_is_capturing", (stream, "stream"), out, |stream| {
        Ok(i32::from(stream.capture_info()?.status == CaptureStatus::Active))
    })
}

/// Returns the state of a stream's capture.
///
/// @param[in]  stream      the stream
/// @param[out] status_out  one of the GRAPHCAP_CAPTURE_STATUS_ numbers
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture_status(
    stream: *const gc_stream,
    status_out: *mut gc_capture_state,
) -> gc_status {
    // SAFETY: C promises that `status_out` is NULL or writable.
    let out = unsafe { Out::number(status_out, "status_out") };
    answer_borrowed("gc_stream_capture_status", (stream, "stream"), out, |stream| {
        Ok(stream.capture_info()?.status as gc_capture_state)
    })
}
