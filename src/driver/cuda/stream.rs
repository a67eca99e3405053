//! Streams and events as graphcap knows them beside the driver.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock};

use smallvec::SmallVec;

use super::api;
use super::history::History;
use super::lock;
use crate::driver::GraphId;

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

/// A capture that was begun through graphcap.
struct Begun {
    by: u64,
    number: u64,
    /// The graph that it was to go into.
    graph: Option<GraphId>,
}

/// A stream.
pub(super) struct Stream {
    pub(super) native: api::Stream,
    pub(super) origin: Origin,
    pub(super) history: History,
    /// Whether it runs without regard to the legacy stream, once that is known: the driver must not be asked while the
    /// stream is captured.
    pub(super) non_blocking: OnceLock<bool>,
    /// As the driver told it last.
    pub(super) priority: AtomicI32,
    /// The captures that were begun on it through graphcap and may go on.
    begun: Mutex<SmallVec<[Begun; 1]>>,
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
            non_blocking: OnceLock::new(),
            priority: AtomicI32::new(0),
            begun: Mutex::default(),
            shared: AtomicBool::new(origin != Origin::Made),
            transition: Mutex::new(()),
        }
    }

    /// Notes that `thread` began the capture `number` on it, into `graph` if that was there before; what it had begun
    /// earlier is over.
    pub(super) fn note_begun(&self, thread: u64, number: u64, graph: Option<GraphId>) {
        let mut begun = lock(&self.begun);
        begun.retain(|begun| begun.by != thread && self.origin == Origin::Special);
        begun.push(Begun { by: thread, number, graph });
    }

    /// The graph that the capture was to go into which was begun on it last; of the per-thread stream, by `thread`.
    pub(super) fn begun_into(&self, thread: u64) -> Option<GraphId> {
        lock(&self.begun).iter().find(|begun| self.is_of(begun, thread)).and_then(|begun| begun.graph)
    }

    /// What was begun on it through graphcap is over; of the per-thread stream, what `thread` began.
    pub(super) fn note_ended(&self, thread: u64) {
        lock(&self.begun).retain(|begun| !self.is_of(begun, thread));
    }

    fn is_of(&self, begun: &Begun, thread: u64) -> bool {
        self.origin != Origin::Special || begun.by == thread
    }

    /// Whether the capture `number` was begun on it through graphcap; of the per-thread stream, by `thread`. The driver calls
    /// every broken one 0.
    pub(super) fn has_begun(&self, thread: u64, number: u64) -> bool {
        let is_it = |begun: &Begun| begun.number == number || begun.number == 0 || number == 0;
        lock(&self.begun).iter().any(|begun| self.is_of(begun, thread) && is_it(begun))
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
