//! A stream as those know it who run its work, hold it up, or wait for it. So these need not know what a stream's work is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use super::activity::Activity;
use super::context_state::ContextState;
use graphcap_base::lock::{lock, rank, Mutex};

/// A stream that can be parked, and resumed by whoever brings what it waits for.
pub(crate) trait Resumable: Send + Sync {
    /// The state of its context.
    fn context(&self) -> &Arc<ContextState>;

    /// Tells whether anything of it goes on without others.
    fn activity(&self) -> &Activity;

    /// The number that traces know it by.
    fn number_in_trace(&self) -> u32;

    /// Tells whether its waits and loops were cancelled.
    fn cancellation(&self) -> &Cancellation;

    /// Returns whether the first `submitted` submissions have completed.
    fn has_completed(&self, submitted: u64) -> bool;

    /// Marks the stream as waiting for something else than a lane. Called by its lane before it tells anyone
    /// to resume the stream.
    fn park(&self);

    /// Takes [`Resumable::park`] back, where nobody was told to resume the stream after all.
    fn unpark(&self);

    /// Queues a parked stream again.
    fn resume(self: Arc<Self>);

    /// Queues a parked stream again. The calling thread is a lane that looks for work next, so no other one is called.
    fn resume_on_this_lane(self: Arc<Self>);

    /// Returns whether work is let go without being run: after a fault, and behind a wait or a loop that was cancelled.
    #[inline]
    fn skips_work(&self) -> bool {
        self.context().error().is_some() || self.cancellation().is_cancelled()
    }
}

/// Other streams, and how much of what was submitted to each may bring a value.
pub(crate) type Writers = Vec<(Weak<dyn Resumable>, u64)>;

/// Cancellation of the waits for values of a stream that is destroyed, and of its loops.
#[derive(Default)]
pub(crate) struct Cancellation {
    /// Tells whether a wait was ever submitted to it.
    may_wait: AtomicBool,
    /// Set when the stream is destroyed.
    writers: Mutex<Option<Writers>, rank::Writers>,
    is_cancelled: AtomicBool,
}

impl Cancellation {
    /// A wait is about to be submitted.
    pub(crate) fn will_wait(&self) {
        self.may_wait.store(true, Ordering::Relaxed);
    }

    /// Returns whether a wait was ever submitted.
    pub(crate) fn may_wait(&self) -> bool {
        self.may_wait.load(Ordering::Relaxed)
    }

    /// The stream is being destroyed. Its waits are cancelled when none of `writers` can bring their values any more.
    pub(super) fn set_writers(&self, writers: Writers) {
        *lock(&self.writers) = Some(writers);
    }

    /// Returns whether the stream was destroyed.
    pub(super) fn is_destroyed(&self) -> bool {
        lock(&self.writers).is_some()
    }

    /// The streams that may bring values, but for those that are gone; `None` where the stream was not destroyed.
    pub(super) fn writers(&self) -> Option<Vec<(Arc<dyn Resumable>, u64)>> {
        let writers = lock(&self.writers);
        let alive = |(stream, until): &(Weak<dyn Resumable>, u64)| Some((stream.upgrade()?, *until));
        writers.as_ref().map(|writers| writers.iter().filter_map(alive).collect())
    }

    /// A wait is lost, or a loop was abandoned: nothing behind it runs.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::SeqCst);
    }

    /// Returns whether a wait or a loop was cancelled.
    #[inline]
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}
