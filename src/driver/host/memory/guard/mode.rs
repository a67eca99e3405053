//! Whether memory is guarded.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether memory is guarded.
#[inline]
pub(in crate::driver::host) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Memory is guarded from here on.
pub(super) fn turn_on() {
    IS_ON.store(true, Ordering::Relaxed);
}
