//! What a strict capture notes, and whether there is one.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many strict captures go on, as far as is known.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// What a strict capture notes.
#[derive(Default)]
pub(in crate::core) struct StrictLog {}

/// Whether a strict capture goes on that this thread has begun, or that it knows of from the one that has.
#[inline(always)]
pub(in crate::core) fn any_open() -> bool {
    OPEN.load(Ordering::Relaxed) != 0
}

/// A strict capture is about to begin.
pub(super) fn opened() {
    OPEN.fetch_add(1, Ordering::Relaxed);
}

/// A strict capture is over.
pub(super) fn closed() {
    OPEN.fetch_sub(1, Ordering::Relaxed);
}
