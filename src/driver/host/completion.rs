//! A point in a stream that is reached once: what events stand for, and what streams and threads wait on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::stream::Stream;

/// The point.
#[derive(Default)]
pub(super) struct Completion {
    reached: AtomicBool,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    streams: Vec<Arc<Stream>>,
    reached_at: Option<Instant>,
}

impl Completion {
    /// Whether the point was reached.
    pub(super) fn is_reached(&self) -> bool {
        self.reached.load(Ordering::Acquire)
    }

    /// When the point was reached; `None` while it was not.
    pub(super) fn reached_at(&self) -> Option<Instant> {
        self.lock().reached_at
    }

    /// Marks the point as reached and lets go of everyone who waits.
    pub(super) fn reach(&self) {
        let streams = {
            let mut waiting = self.lock();
            waiting.reached_at = Some(Instant::now());
            self.reached.store(true, Ordering::Release);
            std::mem::take(&mut waiting.streams)
        };
        self.changed.notify_all();
        for stream in streams {
            stream.resume();
        }
    }

    /// Resumes `stream`, which is parked, when the point is reached. False when it was reached already; the
    /// stream is then not resumed.
    pub(super) fn resume_when_reached(&self, stream: &Arc<Stream>) -> bool {
        let mut waiting = self.lock();
        if self.is_reached() {
            return false;
        }
        waiting.streams.push(Arc::clone(stream));
        true
    }

    /// Blocks the calling thread until the point is reached.
    pub(super) fn wait(&self) {
        let mut waiting = self.lock();
        while !self.is_reached() {
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
