//! What captures keep, and then their graphs: which objects, and which capture has listed an object last.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::uses::Uses;
use crate::driver::{HostFunction, Snapshot, StreamId};

/// An object that captures keep alive.
pub(super) trait Keep: Send + Sync {
    /// Remembers that work of `stream` may go on to use it when nothing keeps it any more.
    fn note_use(&self, stream: StreamId);

    /// Whether a node can use it, of a graph whose nodes have these uses.
    fn may_be_of(&self, uses: &Uses) -> bool;
}

/// Something kept alive by a capture and then by its graph.
#[derive(Clone)]
pub(super) enum Kept {
    Object(Arc<dyn Keep>),
    HostFunction(HostFunction),
    Snapshot(Snapshot),
}

impl Kept {
    /// Tells it that work of `streams` may still use it when this reference is gone. Gives what would go all the same.
    pub(super) fn note_uses(&self, streams: &[StreamId]) -> Option<&Snapshot> {
        match self {
            Kept::Object(object) => streams.iter().for_each(|&stream| object.note_use(stream)),
            Kept::Snapshot(snapshot) => return Some(snapshot),
            // The driver lets go of functions that it calls when no work needs them.
            Kept::HostFunction(_) => {}
        }
        None
    }

    /// Whether a node can use it, of a graph whose nodes have these uses.
    pub(super) fn may_be_of(&self, uses: &Uses) -> bool {
        match self {
            Kept::Object(object) => object.may_be_of(uses),
            Kept::HostFunction(function) => uses.function(function),
            Kept::Snapshot(bytes) => uses.memory(bytes.as_ptr().addr() as _, bytes.len()),
        }
    }
}

/// In an object: the number of the capture that last took it into its list. An object that is used by many
/// nodes of a capture is listed once, and later uses need no lock.
pub(super) struct KeptBy(AtomicU64);

impl KeptBy {
    /// For an object that no capture has listed.
    pub(super) const fn none() -> Self {
        KeptBy(AtomicU64::new(0))
    }

    #[inline]
    pub(super) fn is(&self, capture: u64) -> bool {
        self.0.load(Ordering::Acquire) == capture
    }

    /// The capture of that number has listed the object.
    pub(super) fn set(&self, capture: u64) {
        self.0.store(capture, Ordering::Release);
    }
}
