//! A lane that sleeps, and how it is woken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

use crate::raw::Affinity;

/// A lane that sleeps.
pub(super) struct Sleeper {
    thread: Thread,
    place: Affinity,
    /// Tells whether it was called. It gets up without the lock of the sleepers, for which all that get up at once would queue.
    called: AtomicBool,
}

impl Sleeper {
    /// The calling thread, which is about to sleep.
    pub(super) fn this_thread() -> Sleeper {
        Sleeper { thread: std::thread::current(), place: Affinity::here(), called: AtomicBool::new(false) }
    }

    /// Wakes a lane that is off the list of sleepers, on another core than this one: a thread is often woken on the core of
    /// whoever wakes it, and would wait there for a time slice while its own core idles.
    pub(super) fn wake(&self) {
        self.place.leave_this_core();
        self.called.store(true, Ordering::Release);
        self.thread.unpark();
    }

    /// Sleeps until the thread, which this is, is called; false where it has woken for another reason.
    pub(super) fn sleep(&self) -> bool {
        std::thread::park();
        let is_called = self.called.load(Ordering::Acquire);
        if is_called {
            self.place.come_back();
        }
        is_called
    }
}
