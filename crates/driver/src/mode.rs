//! The capture mode of a thread: one for all devices.
//!
//! The host device reads it here. NVIDIA's driver has one of its own, which is set beside it. A thread may set its mode
//! before the driver is loaded; the driver is told then before the thread's first call that the mode bears on.

use std::cell::Cell;

use crate::rules::CaptureMode;

thread_local! {
    /// The mode, and whether the driver was not loaded when the thread set it, and has not been told since.
    static MODE: Cell<(CaptureMode, bool)> = const { Cell::new((CaptureMode::Global, false)) };
}

/// Sets the calling thread's mode and gives the one before. `theirs` is what NVIDIA's driver had before it was told; `None`
/// where no driver is loaded yet.
pub fn exchange(mode: CaptureMode, theirs: Option<CaptureMode>) -> CaptureMode {
    let (before, untold) = MODE.replace((mode, theirs.is_none() && mode != CaptureMode::Global));
    // Others may have set it with the driver itself.
    theirs.filter(|_| !untold).unwrap_or(before)
}

/// The calling thread's mode.
pub fn current() -> CaptureMode {
    MODE.get().0
}

/// The calling thread's mode, if the driver has to be told of it.
#[inline]
pub fn untold() -> Option<CaptureMode> {
    let (mode, untold) = MODE.get();
    untold.then_some(mode)
}

/// The driver was told.
pub fn was_told() {
    MODE.set((current(), false));
}
