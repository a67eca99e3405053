//! A point in a stream that is reached once: what events stand for, and what streams and threads wait on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::waiter::Waiter;
use graphcap_base::lock::{lock, rank, Condvar, Mutex, MutexGuard};
use graphcap_driver::Submissions;

/// Time that a thread which waits looks before it sleeps.
const PATIENCE: Duration = Duration::from_micros(5);

/// The point.
#[derive(Default)]
pub(crate) struct Completion {
    /// The stream whose op it is, if a thread that waits may run what comes before it there.
    stream: Option<Weak<dyn Submissions>>,
    /// The number of that op among the stream's submissions.
    submission: AtomicU64,
    reached: AtomicBool,
    has_run: AtomicBool,
    waiting: Mutex<Waiting, rank::Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    waiters: Vec<Waiter>,
    /// Number of threads that sleep.
    sleepers: usize,
    reached_at: Option<Instant>,
}

/// Looks for a while; whether `is_reached` became true.
#[inline]
pub(super) fn spin_until(is_reached: impl Fn() -> bool) -> bool {
    let since = Instant::now();
    while !is_reached() {
        if since.elapsed() >= PATIENCE {
            return false;
        }
        for _ in 0..32 {
            std::hint::spin_loop();
        }
    }
    true
}

impl Completion {
    /// A point that a stream is about to be given.
    pub(super) fn of_stream(stream: &Arc<impl Submissions + 'static>) -> Completion {
        let stream: Weak<dyn Submissions> = Arc::downgrade(stream) as _;
        Completion { stream: Some(stream), ..Completion::default() }
    }

    /// It is the stream's submission of that number.
    #[inline]
    pub(super) fn submitted_as(&self, submission: u64) {
        self.submission.store(submission, Ordering::Release);
    }

    /// Runs what comes before the point on its stream, and the point, as far as no lane has begun with it.
    pub(crate) fn help(&self) {
        if let Some(stream) = self.stream.as_ref().and_then(Weak::upgrade) {
            stream.help(self.submission.load(Ordering::Acquire));
        }
    }

    /// Looks for a while before the calling thread sleeps; whether the point was reached.
    pub(crate) fn spin(&self) -> bool {
        spin_until(|| self.is_reached())
    }

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
        let (waiters, sleepers) = {
            let mut waiting = self.lock();
            waiting.reached_at.get_or_insert_with(Instant::now);
            self.reached.store(true, Ordering::Release);
            waiting.waiters.iter().for_each(|waiter| waiter.stream.activity().wake());
            (std::mem::take(&mut waiting.waiters), waiting.sleepers)
        };
        if sleepers > 0 {
            self.changed.notify_all();
        }
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
            if deadline.is_some_and(|deadline| deadline <= Instant::now()) {
                return false;
            }
            waiting.sleepers += 1;
            waiting = self.changed.wait_until(waiting, deadline);
            waiting.sleepers -= 1;
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        lock(&self.waiting)
    }
}
