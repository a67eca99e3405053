//! An event as graphs know it: which one it is, and what it was last recorded as.

use std::sync::{Arc, OnceLock};

use super::completion::Completion;
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::EventId;

/// The part of an event that nodes hold.
pub(crate) struct EventPoint {
    /// The number of its device among those of the kind.
    device: u32,
    /// Set when the event is entered into the table of events.
    id: OnceLock<EventId>,
    latest: Mutex<Latest, rank::Latest>,
}

/// Record of the event, the last one.
pub(crate) enum Latest {
    Never,
    Recorded(Arc<Completion>),
    /// A place in a capture, which the event knows.
    Captured,
}

impl Latest {
    /// The record, if it was not reached yet.
    pub(crate) fn pending(&self) -> Option<Arc<Completion>> {
        match self {
            Latest::Recorded(point) if !point.is_reached() => Some(Arc::clone(point)),
            _ => None,
        }
    }
}

impl EventPoint {
    pub(crate) fn new(device: u32) -> EventPoint {
        EventPoint { device, id: OnceLock::new(), latest: Mutex::new(Latest::Never) }
    }

    /// Tells the event the id that it was entered under.
    pub(crate) fn entered(&self, id: EventId) {
        let _ = self.id.set(id);
    }

    /// The id that the event was entered under.
    pub(crate) fn id(&self) -> EventId {
        self.id.get().copied().unwrap_or(EventId(0))
    }

    /// The number of its device.
    pub(crate) fn device(&self) -> u32 {
        self.device
    }

    /// Locks what the event was last recorded as. Several are locked in the order of their addresses.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Latest> {
        lock(&self.latest)
    }
}
