//! The rules of stream capture as pure functions: which call by which thread harms which capture.
//!
//! They state what NVIDIA's driver was measured to do, for every device and every layer above. Nothing here
//! knows a device or keeps state.

pub mod apply_route;
pub mod ends;
pub mod exec_update;
pub mod free_list;
pub mod lanes;
pub mod legal_orders;
pub mod order;
pub mod outline;
pub mod philox;
pub mod random;
#[cfg(test)]
mod random_graphs;
pub mod ranges;
pub mod reuse;
pub mod smallest;
pub mod summary;
pub mod switching_off;
pub mod torch_state;
pub mod unordered;

use graphcap_base::error::Status;
use graphcap_base::thread::ThreadNumber;

/// Threads whose unsafe calls a capture bars, and who may end it; also the mode that a thread has when it makes such a call.
/// The numbers are CUDA's; the default is CUDA's and PyTorch's.
///
/// The mode governs calls that may wait for or free what work outside the capture uses ([`bars_unsafe_call`]), and
/// [`may_end`]. It does not govern what is captured, which is the stream and those that join it, in every mode; nor
/// what is illegal on a captured stream, in its context, or on the legacy stream, which stays illegal in every mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CaptureMode {
    /// Bars unsafe calls of every thread whose own mode is global, and of the thread that began the capture unless its
    /// mode is relaxed.
    #[default]
    Global = 0,
    /// Bars unsafe calls of the thread that began the capture, unless its own mode is relaxed.
    ThreadLocal = 1,
    /// Bars no unsafe calls, and lets any thread end the capture. What is illegal on the capturing stream itself stays
    /// illegal.
    Relaxed = 2,
}

impl CaptureMode {
    /// The mode with CUDA's number `number`.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            0 => Some(CaptureMode::Global),
            1 => Some(CaptureMode::ThreadLocal),
            2 => Some(CaptureMode::Relaxed),
            _ => None,
        }
    }
}

/// Facts about an ongoing capture that the first rule needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ongoing {
    /// The mode it was begun with.
    pub mode: CaptureMode,
    /// The thread that began it.
    pub began_by: ThreadNumber,
}

/// Rule R1: whether an unsafe call of thread `caller`, whose own mode is `caller_mode`, is barred by `capture`.
///
/// A barred call fails with [`BARRED`] and invalidates every capture for which this is true, in whatever
/// context it runs.
pub fn bars_unsafe_call(capture: Ongoing, caller: ThreadNumber, caller_mode: CaptureMode) -> bool {
    if capture.began_by == caller {
        capture.mode != CaptureMode::Relaxed && caller_mode != CaptureMode::Relaxed
    } else {
        capture.mode == CaptureMode::Global && caller_mode == CaptureMode::Global
    }
}

/// Answer of an unsafe call (R1), or of an illegal call on the capturing stream (R2). The latter gives it whether the
/// capture was whole or broken.
pub const BARRED: Status = Status::CAPTURE_UNSUPPORTED;

/// Rule R2 for events: what a query or a wait of the host on a captured event answers. The capture is invalidated.
pub const CAPTURED_EVENT: Status = Status::CAPTURED_EVENT;

/// Rule R3: what work on the legacy stream answers while a blocking stream of its context is captured, and what a begin or
/// an end there does. The capture is invalidated, except where the call only asks for the capture's state. A blocking
/// stream that is destroyed counts no longer.
pub const LEGACY_BARRED: Status = Status::CAPTURE_IMPLICIT;

/// Returns whether a capture begun with `mode` by `began_by` may be ended by `caller`. If not, the end of a capture that is whole and
/// joined answers 908, and the capture is gone.
pub fn may_end(mode: CaptureMode, began_by: ThreadNumber, caller: ThreadNumber) -> bool {
    mode == CaptureMode::Relaxed || began_by == caller
}

/// Returns whether a capture goes on after an end on one of its streams failed with `status`. `began_there` tells whether the
/// capture was begun on that stream.
pub fn goes_on_after_end(status: Status, began_there: bool) -> bool {
    match status {
        // An end that is forbidden where it was called, inside a host function, never reached the capture.
        Status::CAPTURE_UNMATCHED | Status::CAPTURE_IMPLICIT | Status::NOT_PERMITTED => true,
        // The stream is in no capture. If it had joined one, the other streams may still be in it.
        Status::ILLEGAL_STATE => !began_there,
        _ => false,
    }
}

/// Rule that a call broke which broke a capture. The numbers are those of graphcap.h.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Violated {
    /// R1: an unsafe call that the capture bars.
    Unsafe = 1,
    /// R2: a call that a stream in a capture does not take.
    OnCapturing = 2,
    /// R2: a wait for the whole context.
    WholeContext = 3,
    /// R2: a question about, or a wait for, an event that was recorded in the capture.
    CapturedEvent = 4,
    /// R3: work on the legacy stream.
    Legacy = 5,
    /// The capture would depend on work from outside it.
    Isolation = 6,
    /// Two captures would depend on each other.
    Merge = 7,
    /// An end on a stream that joined.
    Unmatched = 8,
    /// An end with work that was not joined.
    Unjoined = 9,
    /// An end by another thread.
    WrongThread = 10,
    /// A launch with a shape that no device has.
    Shape = 11,
    /// A call that was none of graphcap's.
    Outside = 12,
    /// Work of the capturing thread that went past a strict capture, which is whole.
    WorkOutside = 13,
    /// The last call that was to record into a strict capture failed, and so did the end.
    LastFailed = 14,
    /// R2: a launch of a graph.
    Launch = 15,
}

impl Violated {
    /// The rule, in words that go behind "the capture was broken by ...:".
    pub fn explanation(self) -> &'static str {
        match self {
            Violated::Unsafe => "it may wait for, or order against, work outside the capture, which its mode bars",
            Violated::OnCapturing => "recorded work does not run, so that it cannot be waited for or asked about",
            Violated::Launch => "a stream in a capture records work and launches no graph",
            Violated::WholeContext => "it waits for all streams of the context, of which one is being captured",
            Violated::CapturedEvent => "the event stands for recorded work, which does not run",
            Violated::Legacy => {
                "the legacy stream orders itself against all blocking streams, of which one is captured"
            }
            Violated::Isolation => "recorded work cannot wait for what was submitted outside the capture",
            Violated::Merge => "one capture cannot wait for another",
            Violated::Unmatched => "a capture is ended on the stream that it was begun on",
            Violated::Unjoined => "work of forked streams was not joined to the stream that the capture was begun on",
            Violated::WrongThread => "only the thread that began the capture may end it, unless its mode is relaxed",
            Violated::Shape => "no device has the shape of the launch",
            Violated::Outside => "no call of graphcap's is known to have done it",
            Violated::WorkOutside => {
                "the thread that began the capture submitted it to a stream outside of the capture, where work runs once, and no \
                 replay repeats it"
            }
            Violated::LastFailed => {
                "it failed, and nothing was recorded afterwards, so that the graph would lack what it was to record"
            }
        }
    }

    /// Returns what to do instead.
    pub fn remedy(self) -> &'static str {
        match self {
            Violated::Unsafe => {
                "make the call before the capture or after it, begin the capture in a more relaxed mode, or see \
                 gc_thread_exchange_capture_mode()"
            }
            Violated::OnCapturing | Violated::WholeContext => "end the capture first",
            Violated::Launch => "put the graph into the capture as a child, by gc_stream_capture_child_node()",
            Violated::CapturedEvent => {
                "record the event again: behind a launch of the graph to ask about it, in a capture to wait for it there"
            }
            Violated::Legacy => "give the work a stream of its own, or capture non-blocking streams",
            Violated::Isolation => {
                "record the event inside the capture, wait for it before the capture begins, or wait EXTERNAL, which makes \
                 a node"
            }
            Violated::Merge => "end one of the two first",
            Violated::Unmatched => {
                "record an event on this stream and let the first one wait for it, then end that one"
            }
            Violated::Unjoined => "record an event on each of them and let the first stream wait for it before the end",
            Violated::WrongThread => "end captures on the thread that begins them, or begin them in the relaxed mode",
            Violated::Shape => "keep grid and block within the device's limits",
            Violated::Outside => {
                "look for synchronisation, allocation and the legacy stream in the libraries called meanwhile"
            }
            Violated::LastFailed => "record again what it was to record, or abort the capture",
            Violated::WorkOutside => "give the work to a stream of the capture, or submit it before the capture begins",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaptureMode::{Global, Relaxed, ThreadLocal};

    #[test]
    fn unsafe_calls_are_barred_as_measured() {
        // Begin mode, the caller's mode, barred for the thread itself, barred for another thread.
        let measured = [
            (Global, Global, true, true),
            (Global, ThreadLocal, true, false),
            (Global, Relaxed, false, false),
            (ThreadLocal, Global, true, false),
            (ThreadLocal, ThreadLocal, true, false),
            (ThreadLocal, Relaxed, false, false),
            (Relaxed, Global, false, false),
            (Relaxed, ThreadLocal, false, false),
            (Relaxed, Relaxed, false, false),
        ];
        for (mode, caller_mode, own, other) in measured {
            let capture = Ongoing { mode, began_by: ThreadNumber(1) };
            assert_eq!(bars_unsafe_call(capture, ThreadNumber(1), caller_mode), own, "{mode:?} {caller_mode:?} own");
            assert_eq!(
                bars_unsafe_call(capture, ThreadNumber(2), caller_mode),
                other,
                "{mode:?} {caller_mode:?} other"
            );
        }
    }

    #[test]
    fn only_relaxed_captures_end_on_another_thread() {
        assert!(may_end(Relaxed, ThreadNumber(1), ThreadNumber(2)));
        assert!(!may_end(Global, ThreadNumber(1), ThreadNumber(2)));
        assert!(!may_end(ThreadLocal, ThreadNumber(1), ThreadNumber(2)));
        assert!(may_end(Global, ThreadNumber(1), ThreadNumber(1)));
    }

    #[test]
    fn modes_have_cudas_numbers() {
        for mode in [Global, ThreadLocal, Relaxed] {
            assert_eq!(CaptureMode::from_number(mode as i32), Some(mode));
        }
        assert_eq!(CaptureMode::from_number(3), None);
        assert_eq!(CaptureMode::from_number(-1), None);
    }
}
