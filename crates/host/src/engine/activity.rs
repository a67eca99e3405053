//! Tells whether anything of a stream goes on without what others bring.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of parts of a stream's work that go on without what others bring: the stream itself, and segments of a replay that
/// may wait. A part says that it rests, and whoever lets it go on that it has woken, while they hold the lock of the list
/// that it waits in. So nothing is at rest that is about to go on.
pub(crate) struct Activity(
    /// In the low half how many, in the high half how often one was added.
    AtomicU64,
);

/// Of the low half.
const PARTS: u64 = u32::MAX as u64;

impl Activity {
    /// Of a stream of which nothing waits.
    pub(crate) fn new() -> Activity {
        Activity(AtomicU64::new(1))
    }

    /// One part waits for others from here on.
    pub(crate) fn rest(&self) {
        self.end(1);
    }

    /// One part has got what it waited for.
    pub(crate) fn wake(&self) {
        self.begin(1);
    }

    /// There are as many parts more.
    pub(crate) fn begin(&self, parts: u32) {
        self.0.fetch_add((1 << 32) + u64::from(parts), Ordering::SeqCst);
    }

    /// As many parts are through.
    pub(crate) fn end(&self, parts: u32) {
        self.0.fetch_sub(u64::from(parts), Ordering::SeqCst);
    }

    /// A number for the time in which all of it waits for others, one that stays the same as long as it does.
    pub(crate) fn at_rest(&self) -> Option<u64> {
        Some(self.0.load(Ordering::SeqCst)).filter(|number| number & PARTS == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rested_all_the_time_is_told_from_what_went_on_meanwhile() {
        let activity = Activity::new();
        assert_eq!(activity.at_rest(), None);
        activity.rest();
        let first = activity.at_rest();
        assert!(first.is_some() && activity.at_rest() == first);
        activity.wake();
        assert_eq!(activity.at_rest(), None);
        activity.begin(2);
        activity.end(3);
        assert!(activity.at_rest().is_some() && activity.at_rest() != first);
    }
}
