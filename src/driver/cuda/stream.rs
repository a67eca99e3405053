//! Streams and events as graphcap knows them beside the driver.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

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
    /// The thread that began a capture on it through graphcap; 0 for none.
    begun_by: AtomicU64,
    /// Held over calls that can take the stream into a capture, and over those that must know that it is in none.
    transition: Mutex<()>,
}

impl Stream {
    pub(super) fn new(native: api::Stream, origin: Origin) -> Stream {
        Stream { native, origin, history: History::default(), begun_by: AtomicU64::new(0), transition: Mutex::new(()) }
    }

    /// Notes that `thread` began a capture on it, or 0 that it is in none.
    pub(super) fn note_begun_by(&self, thread: u64) {
        self.begun_by.store(thread, Ordering::Relaxed);
    }

    /// Whether a capture that was begun on it through graphcap, of the per-thread stream by `thread`, may go on.
    pub(super) fn begun_here(&self, thread: u64) -> bool {
        match self.begun_by.load(Ordering::Relaxed) {
            0 => false,
            by => self.origin != Origin::Special || by == thread,
        }
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
