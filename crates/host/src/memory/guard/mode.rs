//! The modes of memory: whether it is guarded, and accesses are checked.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);
static CHECKS: AtomicBool = AtomicBool::new(false);

/// Returns whether memory is guarded.
#[inline]
pub(crate) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Returns whether it is checked that kernels touch what they declare. Memory is guarded then.
#[inline]
pub(crate) fn checks() -> bool {
    CHECKS.load(Ordering::Relaxed)
}

/// Memory is guarded from here on, and accesses are checked if so.
pub(super) fn turn_on(checks: bool) {
    CHECKS.store(checks, Ordering::Relaxed);
    IS_ON.store(true, Ordering::Relaxed);
}
