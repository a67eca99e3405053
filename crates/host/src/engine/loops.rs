//! The loops of a context, and whether they go on: `while` nodes, of which some never end by themselves.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Time that a loop may outlive its context.
const GRACE_TIME: Duration = Duration::from_secs(1);

/// Facts that each loop of a context looks at before a turn.
#[derive(Default)]
pub(crate) struct Loops {
    /// Tells whether there is something else to look at.
    is_ending: AtomicBool,
    /// Time at which the users of the context left it.
    left: OnceLock<Instant>,
    is_faulted: AtomicBool,
}

impl Loops {
    /// Nobody uses the context any more. A loop that goes on much longer is taken for one that never ends.
    pub(crate) fn leave(&self) {
        self.left.get_or_init(Instant::now);
        self.is_ending.store(true, Ordering::Release);
    }

    /// The context faulted: no loop goes on.
    pub(crate) fn stop(&self) {
        self.is_faulted.store(true, Ordering::Relaxed);
        self.is_ending.store(true, Ordering::Release);
    }

    /// Returns whether a loop ends before its next turn, whatever its condition says.
    #[inline]
    pub(crate) fn are_over(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed) && self.have_lasted()
    }

    #[cold]
    fn have_lasted(&self) -> bool {
        self.is_faulted.load(Ordering::Relaxed) || self.left.get().is_some_and(|left| left.elapsed() >= GRACE_TIME)
    }
}
