//! The log of a strict capture, and the count of those that go on.

use std::sync::atomic::{AtomicU64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::violation::Violation;
use graphcap_base::lock::{lock, rank, Mutex};

/// Number of strict captures that go on, as far as is known.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Log of a strict capture.
#[derive(Default)]
pub(crate) struct StrictLog {
    /// By how many calls the thread that began it had work executed outside of it, or was refused that.
    work_outside: AtomicU64,
    /// The first of them.
    first: OnceLock<Violation>,
    /// The latest call that was to record and failed.
    failed: Mutex<Option<Arc<Violation>>, rank::StrictFailed>,
    /// The number of the latest call before that one which worked.
    worked: AtomicU8,
}

impl StrictLog {
    /// Notes a call by which work was executed outside, or would have been; `describe` tells of it.
    pub(super) fn note_outside(&self, describe: impl FnOnce() -> Violation) {
        self.first.get_or_init(describe);
        self.work_outside.fetch_add(1, Ordering::Release);
    }

    /// By how many calls work was executed outside, or refused.
    pub(crate) fn work_outside(&self) -> u64 {
        self.work_outside.load(Ordering::Acquire)
    }

    /// Notes a call that was to record and failed.
    pub(super) fn note_failed(&self, failed: Arc<Violation>) {
        let before = lock(&self.failed).replace(failed);
        drop(before);
    }

    /// The latest call that was to record and failed.
    pub(super) fn failed(&self) -> Option<Arc<Violation>> {
        lock(&self.failed).clone()
    }

    /// Notes the number of the latest call that worked before that one.
    pub(super) fn note_worked(&self, operation: u8) {
        self.worked.store(operation, Ordering::Relaxed);
    }

    /// The number of the latest call that worked before that one.
    pub(super) fn worked(&self) -> u8 {
        self.worked.load(Ordering::Relaxed)
    }

    /// Tells of the calls that went past the capture.
    pub(super) fn told_outside(&self) -> Option<Violation> {
        let work_outside = self.work_outside();
        self.first.get().filter(|_| work_outside > 0).map(|first| Violation { work_outside, ..first.clone() })
    }
}

/// True while a strict capture goes on that this thread has begun, or that it knows of from the one that has.
#[inline(always)]
pub fn any_open() -> bool {
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
