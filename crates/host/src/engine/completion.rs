//! A point in a stream that is reached once: what events stand for, and what streams and threads wait on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::waiter::Waiter;
use graphcap_base::lock::{lock, rank, Condvar, Mutex, MutexGuard};

/// The point.
#[derive(Default)]
pub(crate) struct Completion {
    reached: AtomicBool,
    has_run: AtomicBool,
    waiting: Mutex<Waiting, rank::Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    waiters: Vec<Waiter>,
    reached_at: Option<Instant>,
}

impl Completion {
    /// Returns whether the point was reached.
    pub(crate) fn is_reached(&self) -> bool {
        self.reached.load(Ordering::Acquire)
    }

    /// Returns whether the point was reached with all work before it done, none skipped.
    pub(crate) fn has_run(&self) -> bool {
        self.has_run.load(Ordering::Acquire)
    }

    /// Notes, before the point is reached, that all work before it was done.
    pub(crate) fn note_run(&self) {
        self.has_run.store(true, Ordering::Release);
    }

    /// Returns when the point was reached; `None` while it was not.
    pub(crate) fn reached_at(&self) -> Option<Instant> {
        self.lock().reached_at
    }

    /// Marks the point as reached and lets go of everyone who waits. The first call counts.
    pub(crate) fn reach(&self) {
        let waiters = {
            let mut waiting = self.lock();
            waiting.reached_at.get_or_insert_with(Instant::now);
            self.reached.store(true, Ordering::Release);
            waiting.waiters.iter().for_each(|waiter| waiter.stream.activity().wake());
            std::mem::take(&mut waiting.waiters)
        };
        self.changed.notify_all();
        waiters.into_iter().for_each(Waiter::go_on);
    }

    /// Lets `waiter`, which is parked, go on when the point is reached. False when it was reached already; nothing is resumed
    /// then.
    pub(crate) fn resumes(&self, waiter: Waiter) -> bool {
        let mut waiting = self.lock();
        if self.is_reached() {
            return false;
        }
        waiter.stream.activity().rest();
        waiting.waiters.push(waiter);
        true
    }

    /// Blocks the calling thread until the point is reached, or until `deadline`; whether it was reached.
    pub(crate) fn wait(&self, deadline: Option<Instant>) -> bool {
        let mut waiting = self.lock();
        while !self.is_reached() {
            waiting = match deadline {
                None => self.changed.wait(waiting),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return false;
                    }
                    self.changed.wait_timeout(waiting, left)
                }
            };
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }
}
