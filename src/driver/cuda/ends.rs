//! The ends of captures. The end of a capture may be the end of its graph, so nothing may be done to the graph meanwhile: not by
//! the context that the capture was begun in, nor by another one of which a stream is in the capture.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use smallvec::SmallVec;

/// A lock for each context, or for a few: read by who uses a graph that is captured into, so that contexts do not wait for each
/// other; written by an end, all of them in their order.
static LOCKS: [RwLock<()>; 8] = [const { RwLock::new(()) }; 8];

/// Whether there ever were several contexts at a time. Until then an end writes the lock of its context alone.
static ARE_SEVERAL: AtomicBool = AtomicBool::new(false);

/// An end that goes on.
pub(super) struct Ending {
    _locks: SmallVec<[RwLockWriteGuard<'static, ()>; 1]>,
}

fn of(context: u64) -> &'static RwLock<()> {
    &LOCKS[context as usize % LOCKS.len()]
}

fn write(lock: &'static RwLock<()>) -> RwLockWriteGuard<'static, ()> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

/// No capture ends that a stream of context number `context` is in.
pub(super) fn none(context: u64) -> RwLockReadGuard<'static, ()> {
    of(context).read().unwrap_or_else(PoisonError::into_inner)
}

/// A capture that was begun in context number `context` ends.
pub(super) fn one(context: u64) -> Ending {
    match ARE_SEVERAL.load(Ordering::Acquire) {
        true => all(),
        false => Ending { _locks: [write(of(context))].into_iter().collect() },
    }
}

/// There are several contexts from here on, so that streams of one can be in captures of another.
pub(super) fn reach_all() {
    if !ARE_SEVERAL.load(Ordering::Acquire) {
        // No end that began before goes on beside the new context.
        let _ends = all();
        ARE_SEVERAL.store(true, Ordering::Release);
    }
}

fn all() -> Ending {
    Ending { _locks: LOCKS.iter().map(write).collect() }
}

/// Whether there ever were several contexts at a time.
#[inline]
pub(super) fn are_contexts_several() -> bool {
    ARE_SEVERAL.load(Ordering::Acquire)
}
