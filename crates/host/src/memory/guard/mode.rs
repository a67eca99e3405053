//! The modes of memory: whether it is guarded, and accesses are checked.

use std::sync::atomic::{AtomicU8, Ordering};

/// Memory is not guarded.
const OFF: u8 = 0;
/// Memory is guarded.
const ON: u8 = 1;
/// Memory is guarded, and accesses are checked.
const CHECKED: u8 = 2;

static MODE: AtomicU8 = AtomicU8::new(OFF);

/// Returns whether memory is guarded.
#[inline]
pub(crate) fn is_on() -> bool {
    MODE.load(Ordering::Relaxed) != OFF
}

/// Returns whether it is checked that kernels touch what they declare. Memory is guarded then.
#[inline]
pub(crate) fn checks() -> bool {
    MODE.load(Ordering::Relaxed) == CHECKED
}

/// Memory is guarded from here on, and accesses are checked if so.
pub(super) fn turn_on(checks: bool) {
    MODE.store(if checks { CHECKED } else { ON }, Ordering::Relaxed);
}
