//! A point in a stream that is reached once: what events stand for, and what streams and threads wait on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::spread::Spread;
use super::stream::Stream;

/// The point.
#[derive(Default)]
pub(super) struct Completion {
    reached: AtomicBool,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

/// Who goes on when the point is reached.
enum Waiter {
    /// A parked stream.
    Stream(Arc<Stream>),
    /// The segment of that number of a replay.
    Segment(Arc<Spread>, u32),
}

#[derive(Default)]
struct Waiting {
    waiters: Vec<Waiter>,
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

    /// Marks the point as reached and lets go of everyone who waits. The first call counts.
    pub(super) fn reach(&self) {
        let waiters = {
            let mut waiting = self.lock();
            waiting.reached_at.get_or_insert_with(Instant::now);
            self.reached.store(true, Ordering::Release);
            std::mem::take(&mut waiting.waiters)
        };
        self.changed.notify_all();
        for waiter in waiters {
            match waiter {
                Waiter::Stream(stream) => stream.resume(),
                Waiter::Segment(spread, segment) => spread.resume_segment(segment),
            }
        }
    }

    /// Resumes `stream`, which is parked, when the point is reached. False when it was reached already; the
    /// stream is then not resumed.
    pub(super) fn resume_when_reached(&self, stream: &Arc<Stream>) -> bool {
        self.add_waiter(|| Waiter::Stream(Arc::clone(stream)))
    }

    /// The same for segment number `segment` of a replay.
    pub(super) fn resume_segment_when_reached(&self, spread: &Arc<Spread>, segment: u32) -> bool {
        self.add_waiter(|| Waiter::Segment(Arc::clone(spread), segment))
    }

    fn add_waiter(&self, waiter: impl FnOnce() -> Waiter) -> bool {
        let mut waiting = self.lock();
        if self.is_reached() {
            return false;
        }
        waiting.waiters.push(waiter());
        true
    }

    /// Blocks the calling thread until the point is reached, or until `deadline`; whether it was reached.
    pub(super) fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut waiting = self.lock();
        while !self.is_reached() {
            waiting = match deadline {
                None => self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    self.changed.wait_timeout(waiting, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
