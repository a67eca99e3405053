//! The events that a graph records for the outside, or waits for: nodes of an exec.
//!
//! A launch is what counts, as it is for CUDA: it records the events of its record nodes, which are reached when the
//! replay comes to the nodes, and its wait nodes wait for what their events were last recorded as at that moment.

use std::sync::Arc;

use crate::engine::completion::Completion;
use crate::engine::event_point::{EventPoint, Latest};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};

/// Point that each event node of one launch reaches or waits for; `None` for a wait that has nothing to wait for.
pub(crate) type Bound = Box<[Option<Arc<Completion>>]>;

/// The event nodes of an exec, in the order in which a replay on one lane comes to them.
#[derive(Default)]
pub(crate) struct EventNodes {
    /// Tells whether the node waits, and the index of its event.
    nodes: Box<[(bool, usize)]>,
    /// Each once, in the order in which they are locked.
    events: Box<[Arc<EventPoint>]>,
    /// Points of the replay that runs.
    current: Mutex<Bound, rank::EventNodes>,
}

/// The events of an exec, which nobody else records meanwhile, nor waits for.
pub(crate) struct Locked<'a> {
    nodes: &'a [(bool, usize)],
    latest: Vec<MutexGuard<'a, Latest>>,
}

impl EventNodes {
    /// Of nodes that wait, or that do not, for events.
    pub(crate) fn new(nodes: &[(bool, Arc<EventPoint>)]) -> EventNodes {
        let mut events: Vec<_> = nodes.iter().map(|(_, event)| Arc::clone(event)).collect();
        events.sort_by_key(Arc::as_ptr);
        events.dedup_by(|a, b| Arc::ptr_eq(a, b));
        let place = |event: &Arc<EventPoint>| events.partition_point(|other| Arc::as_ptr(other) < Arc::as_ptr(event));
        EventNodes {
            nodes: nodes.iter().map(|(waits, event)| (*waits, place(event))).collect(),
            events: events.into(),
            current: Mutex::default(),
        }
    }

    /// Returns whether there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Locks the events. A launch is queued before they are let go: nobody may wait for a record that is not queued yet.
    pub(crate) fn lock(&self) -> Locked<'_> {
        Locked { nodes: &self.nodes, latest: self.events.iter().map(|event| event.lock()).collect() }
    }

    /// The replay of a launch begins.
    pub(crate) fn begin(&self, bound: Bound) {
        *lock(&self.current) = bound;
    }

    /// The point of node number `index` in the replay that runs.
    pub(crate) fn point(&self, index: u32) -> Option<Arc<Completion>> {
        lock(&self.current).get(index as usize).cloned().flatten()
    }

    /// The replay comes to record node number `index`.
    pub(crate) fn reach(&self, index: u32) {
        if let Some(point) = self.point(index) {
            point.reach();
        }
    }

    /// The replay is over, or was skipped after a fault: whoever waits for its records goes on.
    pub(crate) fn end(&self) {
        let bound = std::mem::take(&mut *lock(&self.current));
        let records = self.nodes.iter().zip(&bound).filter(|((waits, _), _)| !waits);
        records.filter_map(|(_, point)| point.as_ref()).for_each(|point| point.reach());
    }
}

impl Locked<'_> {
    /// Returns what the nodes mean for a launch that is queued now.
    pub(crate) fn bind(&mut self) -> Bound {
        let mut bind = |&(waits, event): &(bool, usize)| {
            let latest = self.latest.get_mut(event)?;
            if waits {
                return latest.pending();
            }
            let point = Arc::default();
            **latest = Latest::Recorded(Arc::clone(&point));
            Some(point)
        };
        self.nodes.iter().map(&mut bind).collect()
    }
}
