//! Violations: what broke a capture, as graphcap's black box has it.

use std::ffi::c_char;

use crate::ffi::boundary::{gc_status, gc_stream, with_borrowed, Failure, Out, TextOut};

/// The rule that a call violated when it broke a capture: one of the GRAPHCAP_VIOLATION_ numbers. Later versions may
/// have more.
pub type gc_violation = i32;

/// graphcap has found nothing that broke the capture.
pub const GRAPHCAP_VIOLATION_NONE: gc_violation = 0;
/// An unsafe call that the mode of the capture bars for the calling thread.
pub const GRAPHCAP_VIOLATION_UNSAFE_CALL: gc_violation = 1;
/// A call that is not allowed on a stream in a capture: waiting for it, asking whether it is complete.
pub const GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM: gc_violation = 2;
/// A wait for a whole context that has a stream in a capture.
pub const GRAPHCAP_VIOLATION_WHOLE_CONTEXT: gc_violation = 3;
/// A query of, or a wait for, an event that was recorded in the capture; or a wait in the capture for an event of a
/// capture that is over.
pub const GRAPHCAP_VIOLATION_CAPTURED_EVENT: gc_violation = 4;
/// Work on the legacy stream while a blocking stream was being captured.
pub const GRAPHCAP_VIOLATION_LEGACY_STREAM: gc_violation = 5;
/// A call that would have made a stream of the capture wait for work from outside the capture.
pub const GRAPHCAP_VIOLATION_ISOLATION: gc_violation = 6;
/// A call that would have made a stream of one capture wait for another capture.
pub const GRAPHCAP_VIOLATION_MERGE: gc_violation = 7;
/// The capture was ended on a stream that had joined it.
pub const GRAPHCAP_VIOLATION_UNMATCHED_END: gc_violation = 8;
/// The capture was ended while work of forked streams was not joined.
pub const GRAPHCAP_VIOLATION_UNJOINED: gc_violation = 9;
/// The capture was ended by a thread that may not end it.
pub const GRAPHCAP_VIOLATION_WRONG_THREAD: gc_violation = 10;
/// A launch of an impossible shape on a stream of the capture.
pub const GRAPHCAP_VIOLATION_SHAPE: gc_violation = 11;
/// A call outside graphcap, as far as the graphcap calls that have returned show.
pub const GRAPHCAP_VIOLATION_OUTSIDE: gc_violation = 12;
/// The capture is strict and is not broken, but work went past it: the thread that began it had work executed on
/// streams outside of the capture, or was refused that in a guarded context. See GRAPHCAP_CAPTURE_STRICT.
pub const GRAPHCAP_VIOLATION_WORK_OUTSIDE: gc_violation = 13;
/// The capture is strict, and the last call that was to record into it before its end failed. See
/// GRAPHCAP_CAPTURE_STRICT.
pub const GRAPHCAP_VIOLATION_LAST_FAILED: gc_violation = 14;
/// A launch of a graph on a stream of the capture.
pub const GRAPHCAP_VIOLATION_GRAPH_LAUNCH: gc_violation = 15;

/// Reports what broke the capture that a stream is in, or what went past it if it is strict. If the stream is in no capture,
/// reports on the latest capture that was begun or ended on it.
///
/// The text names the call, its stream (by gc_stream_id()), its thread (by the operating system's number), the time
/// since the capture began, the rule, and what to do instead. For work that was not joined it names the streams, and
/// the events that forked them (by gc_event_id()). For a call outside graphcap it names the graphcap calls before and
/// after it, and quotes the driver's log if the driver keeps one (CUDA 12.9). The message of each later failure of the
/// capture holds the same text, which may be cut there.
///
/// For GRAPHCAP_VIOLATION_WORK_OUTSIDE the text names the first call by which work went past the capture, its stream,
/// and how many calls followed. It is reported while nothing broke the capture, also after its end.
///
/// graphcap finds another violation when one of its own calls fails. A capture that was broken from outside can therefore be
/// invalidated while this function still reports GRAPHCAP_VIOLATION_NONE. If the call that broke the capture runs on
/// another thread and has not returned yet, this function reports GRAPHCAP_VIOLATION_OUTSIDE at first. A capture of a
/// per-thread stream is reported to its own thread only.
///
/// @param[in]  stream         the stream
/// @param[out] violation_out  one of the GRAPHCAP_VIOLATION_ numbers
/// @param[out] text           what happened, in words; empty for GRAPHCAP_VIOLATION_NONE; may be NULL when capacity is 0
/// @param[in]  capacity       bytes at text; 0 asks only for the size
/// @param[out] needed         the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the text did not fit and was cut; violation_out was written
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture_violation(
    stream: *const gc_stream,
    violation_out: *mut gc_violation,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `violation_out` is NULL or writable.
    let out = unsafe { Out::number(violation_out, "violation_out") };
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let text = unsafe { TextOut::new(text, capacity, needed) };
    with_borrowed("gc_stream_capture_violation", (stream, "stream"), |stream| {
        let out = out.required()?;
        let violation = stream.capture_violation();
        let rule = violation.as_ref().map_or(GRAPHCAP_VIOLATION_NONE, |violation| violation.rule as gc_violation);
        let told = text.write(&violation.map(|violation| violation.to_string()).unwrap_or_default());
        // A text that was cut is the one failure with outputs.
        if matches!(told, Ok(()) | Err(Failure::TextTooSmall { .. })) {
            out.write(rule);
        }
        told
    })
}
