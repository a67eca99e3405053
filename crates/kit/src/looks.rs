//! Looks for a short time before a thread sleeps, as long as that is of use.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Number of waits that sleep at once after one that looked in vain: then the wait is long, or the other thread has no core of its own.
const WITHOUT_LOOK: u32 = 15;

/// Looks of the threads that wait for one thing of an actor.
pub(super) struct Looks {
    limit: Duration,
    /// Number of waits to come that sleep at once.
    without: AtomicU32,
}

impl Looks {
    /// Looks that take no longer than `limit`.
    pub(super) fn of(limit: Duration) -> Looks {
        Looks { limit, without: AtomicU32::new(0) }
    }

    /// Returns whether there is time to look.
    pub(super) fn may_look(&self) -> bool {
        !self.limit.is_zero()
    }

    /// Looks until `is_over`, but no longer than the limit, nor than `left`; returns whether it is over. Does not yield: on a busy
    /// machine others may then run for milliseconds, and a thread that sleeps is woken at once.
    #[inline]
    pub(super) fn look(&self, left: Option<Duration>, is_over: impl Fn() -> bool) -> bool {
        if is_over() {
            return true;
        }
        let without = self.without.load(Ordering::Relaxed);
        if without > 0 {
            self.without.store(without - 1, Ordering::Relaxed);
            return false;
        }
        let limit = left.map_or(self.limit, |left| left.min(self.limit));
        let since = Instant::now();
        while since.elapsed() < limit {
            for _ in 0..32 {
                std::hint::spin_loop();
            }
            if is_over() {
                return true;
            }
        }
        self.without.store(WITHOUT_LOOK, Ordering::Relaxed);
        false
    }
}
