//! What broke a capture, as graphcap's black box has it.

use std::ffi::c_char;

use crate::ffi::failure::Failure;
use crate::ffi::guard::guard;
use crate::ffi::handle::{self, Token};
use crate::ffi::output::{Out, TextOut};
use crate::ffi::status::gc_status;
use crate::ffi::stream::gc_stream;

/// What a call that broke a capture was against: one of the GRAPHCAP_VIOLATION_ numbers. Later versions may have more.
pub type gc_violation = i32;

/// Nothing broke the capture, as far as graphcap has met.
pub const GRAPHCAP_VIOLATION_NONE: gc_violation = 0;
/// An unsafe call that the mode of the capture bars for that thread.
pub const GRAPHCAP_VIOLATION_UNSAFE_CALL: gc_violation = 1;
/// A call that a stream in a capture does not take: waiting for it, asking whether it is complete, launching a graph.
pub const GRAPHCAP_VIOLATION_ON_CAPTURING_STREAM: gc_violation = 2;
/// A wait for a whole context with a stream that is being captured.
pub const GRAPHCAP_VIOLATION_WHOLE_CONTEXT: gc_violation = 3;
/// A question about, or a wait for, an event that was recorded in the capture; a wait in it for one of a capture
/// that is over.
pub const GRAPHCAP_VIOLATION_CAPTURED_EVENT: gc_violation = 4;
/// Work on the legacy stream while a blocking stream was being captured.
pub const GRAPHCAP_VIOLATION_LEGACY_STREAM: gc_violation = 5;
/// A stream of the capture was to wait for work from outside it.
pub const GRAPHCAP_VIOLATION_ISOLATION: gc_violation = 6;
/// A stream of one capture was to wait for another capture.
pub const GRAPHCAP_VIOLATION_MERGE: gc_violation = 7;
/// The capture was ended on a stream that had joined it.
pub const GRAPHCAP_VIOLATION_UNMATCHED_END: gc_violation = 8;
/// The capture was ended while work of forked streams was not joined.
pub const GRAPHCAP_VIOLATION_UNJOINED: gc_violation = 9;
/// The capture was ended by a thread that may not.
pub const GRAPHCAP_VIOLATION_WRONG_THREAD: gc_violation = 10;
/// A launch on the capturing stream with a shape that no device has.
pub const GRAPHCAP_VIOLATION_SHAPE: gc_violation = 11;
/// A call that was none of graphcap's, as far as these have returned.
pub const GRAPHCAP_VIOLATION_OUTSIDE: gc_violation = 12;

/// Tells what broke the capture that a stream is in, or, when it is in none, the latest one that was begun or ended on it.
///
/// The text names the call, its stream by the number that gc_stream_id() tells, its thread by the number of the
/// operating system, the time since the begin of the capture, the rule, and what to do instead; for work that was not
/// joined the streams and the events that forked them, by gc_event_id(). A call from outside graphcap is named by those
/// of graphcap's before and after it, and by the driver's log where the driver keeps one (CUDA 12.9). The message of
/// each later failure of the capture holds the same text, which may be cut there.
///
/// It is found when a call of graphcap's fails, so that a capture that was broken from outside can be invalidated and
/// this still tell nothing. Where another thread's call broke the capture and has not returned yet, one from outside is
/// named at first. Of a capture on the per-thread stream the thread itself is told.
///
/// @param[in]  stream         the stream
/// @param[out] violation_out  one of the GRAPHCAP_VIOLATION_ numbers
/// @param[out] text           what happened, in words; empty for GRAPHCAP_VIOLATION_NONE; may be NULL when capacity is 0
/// @param[in]  capacity       bytes at text
/// @param[out] needed         bytes of the whole text with its NUL; may be NULL when capacity is not 0
/// @retval GRAPHCAP_SUCCESS                 violation_out and text were written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    stream is no live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     violation_out is NULL, text is NULL and capacity is not 0, or capacity is 0
///                                          and needed is NULL
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
    guard("gc_stream_capture_violation", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
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
