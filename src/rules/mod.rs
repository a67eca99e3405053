//! The rules of stream capture as pure functions: which call by which thread harms which capture.
//!
//! They state what NVIDIA's driver was measured to do, for every device and every layer above. Nothing here
//! knows a device or keeps state.

use crate::error::Status;

/// How far a capture's ban on unsafe calls reaches. The numbers are CUDA's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CaptureMode {
    /// Bars unsafe calls of every thread whose own mode is global, and of the thread that began the capture.
    #[default]
    Global = 0,
    /// Bars unsafe calls of the thread that began the capture.
    ThreadLocal = 1,
    /// Bars no unsafe calls. What is illegal on the capturing stream itself stays illegal.
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

/// Names a thread of the process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadNumber(pub u64);

/// What the first rule needs to know of an ongoing capture.
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

/// What an unsafe call (R1), or an illegal call on the capturing stream (R2), answers.
pub const BARRED: Status = Status::CAPTURE_UNSUPPORTED;

/// Rule R2 for events: what a query or a wait of the host on a captured event answers. The capture is invalidated.
pub const CAPTURED_EVENT: Status = Status::CAPTURED_EVENT;

/// Rule R3: what work on the legacy stream answers while a blocking stream of its context is captured. The
/// capture is invalidated, except where the call only asks for the capture's state.
pub const LEGACY_BARRED: Status = Status::CAPTURE_IMPLICIT;

/// Whether a capture begun with `mode` by `began_by` may be ended by `caller`. If not, the end answers 908
/// and the capture is gone.
pub fn may_end(mode: CaptureMode, began_by: ThreadNumber, caller: ThreadNumber) -> bool {
    mode == CaptureMode::Relaxed || began_by == caller
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
