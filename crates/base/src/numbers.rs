//! Numbers of things that are told apart for as long as the process lives.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that nobody got before. It is at least 1, and larger than earlier ones.
#[inline]
pub fn fresh_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}
