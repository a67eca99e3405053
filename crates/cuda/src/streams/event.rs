//! Events: what graphcap knows of them beside the driver.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::api;
use crate::captures::epoch;
use crate::captures::gate::{self, GateRead};

/// An event.
pub(crate) struct Event {
    pub(crate) native: api::EventHandle,
    /// The number of its context.
    pub(crate) context: u64,
    /// Tells whether a stream of another context, or others, may have recorded it.
    pub(crate) was_abroad: AtomicBool,
    /// Tells whether it was recorded last in a capture, as far as is known.
    pub(crate) is_captured: AtomicBool,
}

impl Event {
    /// The handle, for others.
    pub(crate) fn give_out(&self) -> usize {
        self.goes_abroad();
        self.native.number()
    }

    /// For one call of the driver's on the event, which does not block where the event is of a capture: no capture ends meanwhile, and
    /// no thread records the event in one.
    pub(crate) fn beside(&self) -> Option<GateRead> {
        self.is_captured.load(Ordering::Acquire).then(gate::read).flatten()
    }

    pub(crate) fn goes_abroad(&self) {
        self.was_abroad.store(true, Ordering::Release);
        epoch::note_attributed();
    }

    /// Returns whether a stream of context number `context` that waits for it can get into a capture of another context.
    pub(crate) fn can_be_of_another(&self, context: u64) -> bool {
        self.context != context || self.was_abroad.load(Ordering::Acquire)
    }
}
