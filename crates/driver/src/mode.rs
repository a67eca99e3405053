//! The capture mode of a thread: one for all devices.
//!
//! The host device reads it here. NVIDIA's driver has one of its own, which is set beside it. A thread may set its mode
//! before the driver is loaded; the driver is told then before the thread's first call that the mode bears on.

use std::cell::Cell;

use crate::rules::CaptureMode;

thread_local! {
    static MODE: Cell<CaptureMode> = const { Cell::new(CaptureMode::Global) };
    /// Tells whether the driver was not loaded when the thread set its mode, and has not been told since.
    static UNTOLD: Cell<bool> = const { Cell::new(false) };
}

/// Sets the calling thread's mode and gives the one before. `theirs` is what NVIDIA's driver had before it was told; `None`
/// where no driver is loaded yet.
pub fn exchange(mode: CaptureMode, theirs: Option<CaptureMode>) -> CaptureMode {
    let before = match theirs {
        // Others may have set it with the driver itself.
        Some(theirs) if !UNTOLD.get() => theirs,
        _ => MODE.get(),
    };
    MODE.set(mode);
    UNTOLD.set(theirs.is_none() && mode != CaptureMode::Global);
    before
}

/// The calling thread's mode.
pub fn current() -> CaptureMode {
    MODE.get()
}

/// The calling thread's mode, if the driver has to be told of it.
#[inline]
pub fn untold() -> Option<CaptureMode> {
    UNTOLD.get().then(current)
}

/// The driver was told.
pub fn was_told() {
    UNTOLD.set(false);
}
