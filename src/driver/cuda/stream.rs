//! Streams and events as graphcap knows them beside the driver.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

use smallvec::SmallVec;

use super::api;
use super::history::History;
use super::lock;

/// Where a stream comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// Made here, and destroyed here.
    Made,
    /// Of someone else, who destroys it.
    Wrapped,
    /// The legacy or the per-thread stream. Its handle means a stream of the current context.
    Special,
}

/// A stream.
pub(super) struct Stream {
    pub(super) native: api::Stream,
    pub(super) origin: Origin,
    pub(super) history: History,
    /// The captures that were begun on it through graphcap and may go on: who began them, and their number.
    begun: Mutex<SmallVec<[(u64, u64); 1]>>,
    /// Whether others can use it too.
    shared: AtomicBool,
    /// Held over calls that can take the stream into a capture, and over those that must know that it is in none.
    transition: Mutex<()>,
}

impl Stream {
    pub(super) fn new(native: api::Stream, origin: Origin) -> Stream {
        Stream {
            native,
            origin,
            history: History::default(),
            begun: Mutex::default(),
            shared: AtomicBool::new(origin != Origin::Made),
            transition: Mutex::new(()),
        }
    }

    /// Notes that `thread` began the capture `number` on it, and what it had begun before is over.
    pub(super) fn note_begun(&self, thread: u64, number: u64) {
        let mut begun = lock(&self.begun);
        begun.retain(|(by, _)| *by != thread && self.origin == Origin::Special);
        begun.push((thread, number));
    }

    /// Whether the capture `number` was begun on it through graphcap; of the per-thread stream, by `thread`.
    pub(super) fn has_begun(&self, thread: u64, number: u64) -> bool {
        let by_it = |by: u64| self.origin != Origin::Special || by == thread;
        lock(&self.begun).iter().any(|&(by, begun)| by_it(by) && (begun == number || begun == 0))
    }

    /// From here on others can use it too.
    pub(super) fn share(&self) {
        self.shared.store(true, Ordering::Release);
    }

    /// Whether others can use it too.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.load(Ordering::Acquire)
    }

    /// As [`Stream::settled`]; `None` when a call that takes it into a capture is in progress.
    pub(super) fn try_settled<T>(&self, call: impl FnOnce() -> T) -> Option<T> {
        let _transition = self.transition.try_lock().ok()?;
        Some(call())
    }

    /// Makes `call` while no gc_ call takes the stream into a capture.
    pub(super) fn settled<T>(&self, call: impl FnOnce() -> T) -> T {
        let _transition = lock(&self.transition);
        call()
    }
}

/// An event.
pub(super) struct Event {
    pub(super) native: api::Event,
    pub(super) context: u64,
}
