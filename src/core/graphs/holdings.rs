//! What each node of a graph or of an exec keeps alive, where nodes are added or changed by hand.
//!
//! Captures list what they use for all nodes together ([`retention`](super::retention)); the first edit parts such a list among
//! the nodes. A graph shares its holdings with the execs made from it and with its copies until one of them is edited.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use crate::core::keep::{Kept, Kepts, Needs};
use crate::driver::{NodeId, Retain, Retained, Snapshot, StreamId};
use crate::error::{Error, Result};
use crate::lock::{lock, rank, Mutex};

/// What nodes keep, by their places.
pub(in crate::core) type ByPlace = Vec<Kepts>;

/// What the nodes of one graph or exec keep.
#[derive(Default)]
pub(in crate::core) struct Holdings {
    by_place: Mutex<Arc<ByPlace>, rank::ByPlace>,
    /// What is kept for none of the nodes.
    whole: Mutex<Kepts, rank::Whole>,
    /// Whether a host function was ever among it.
    calls_out: AtomicBool,
}

impl Holdings {
    /// What an edit of an exec has superseded.
    pub(in crate::core) fn of(kept: Kepts) -> Holdings {
        let holdings = Holdings::default();
        holdings.note(&kept);
        *lock(&holdings.by_place) = Arc::new(vec![kept]);
        holdings
    }

    fn note(&self, kept: &[Kept]) {
        if kept.iter().any(Kept::calls_out) {
            self.calls_out.store(true, Ordering::Release);
        }
    }

    /// Has a node keep `more` beside what it keeps. Gives how many objects it kept before.
    pub(in crate::core) fn add(&self, node: NodeId, more: Kepts) -> usize {
        self.note(&more);
        let mut by_place = lock(&self.by_place);
        let by_place = Arc::make_mut(&mut by_place);
        if by_place.len() <= node.place() {
            by_place.resize_with(node.place() + 1, Kepts::new);
        }
        let Some(kept) = by_place.get_mut(node.place()) else { return 0 };
        let before = kept.len();
        match before {
            0 => *kept = more,
            _ => kept.extend(more),
        }
        before
    }

    /// Has a node keep what it `needs` beside what it keeps while `set` is made. Afterwards it keeps that alone where the graph
    /// `lets_go`, or what it kept before where `set` fails. Gives what it keeps no more.
    pub(in crate::core) fn exchange(
        &self,
        node: NodeId,
        needs: &dyn Needs,
        lets_go: bool,
        set: impl FnOnce() -> Result<()>,
    ) -> std::result::Result<Kepts, (Error, Kepts)> {
        // The list stays as it is, which may be shared with execs and would be copied.
        if self.keeps(node, needs) {
            return set().map(|()| Kepts::new()).map_err(|error| (error, Kepts::new()));
        }
        let before = self.add(node, needs.to_keep());
        match set() {
            Ok(()) if lets_go => Ok(self.take_first(node, before)),
            Ok(()) => Ok(Kepts::new()),
            Err(error) => Err((error, self.take_all_but(node, before))),
        }
    }

    /// Whether a node keeps what it `needs`, and nothing else.
    fn keeps(&self, node: NodeId, needs: &dyn Needs) -> bool {
        lock(&self.by_place).get(node.place()).is_some_and(|kept| needs.are_kept(kept))
    }

    /// Whether it has room for what a node keeps. Else `add` makes room, for which the node has to be one of the graph: a number that
    /// is none can stand for a place that no memory reaches.
    pub(in crate::core) fn has_place(&self, node: NodeId) -> bool {
        node.place() < lock(&self.by_place).len()
    }

    /// Keeps objects for none of the nodes. Gives how many it kept so before.
    pub(in crate::core) fn add_for_all(&self, kept: Kepts) -> usize {
        self.note(&kept);
        let mut whole = lock(&self.whole);
        let before = whole.len();
        whole.extend(kept);
        before
    }

    /// Takes the objects that it kept last for none of the nodes, all but so many.
    pub(in crate::core) fn take_of_all_but(&self, count: usize) -> Kepts {
        let mut whole = lock(&self.whole);
        let count = count.min(whole.len());
        whole.drain(count..).collect()
    }

    /// Takes the objects from a node that it kept first, so many of them, to be dropped where no lock is held.
    fn take_first(&self, node: NodeId, count: usize) -> Kepts {
        self.change(node, |kept| kept.drain(..count.min(kept.len())).collect())
    }

    /// Takes the objects from a node that it kept last, all but so many.
    pub(in crate::core) fn take_all_but(&self, node: NodeId, count: usize) -> Kepts {
        self.change(node, |kept| kept.drain(count.min(kept.len())..).collect())
    }

    fn change(&self, node: NodeId, call: impl FnOnce(&mut Kepts) -> Kepts) -> Kepts {
        let mut by_place = lock(&self.by_place);
        match by_place.get(node.place()) {
            Some(kept) if !kept.is_empty() => {}
            _ => return Kepts::new(),
        }
        Arc::make_mut(&mut by_place).get_mut(node.place()).map(call).unwrap_or_default()
    }

    /// The first that `pick` picks of what a node keeps.
    pub(in crate::core) fn find<T>(&self, node: NodeId, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
        let by_place = Arc::clone(&lock(&self.by_place));
        by_place.get(node.place())?.iter().find_map(pick)
    }

    /// The first that `pick` picks of what all nodes keep.
    pub(in crate::core) fn find_any<T>(&self, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
        let by_place = Arc::clone(&lock(&self.by_place));
        by_place.iter().flatten().find_map(pick)
    }

    /// Has nodes keep `more` beside what they keep.
    pub(in crate::core) fn merge(&self, more: &ByPlace) {
        more.iter().for_each(|kept| self.note(kept));
        let mut by_place = lock(&self.by_place);
        let by_place = Arc::make_mut(&mut by_place);
        if by_place.len() < more.len() {
            by_place.resize_with(more.len(), Kepts::new);
        }
        for (kept, more) in by_place.iter_mut().zip(more) {
            kept.extend(more.iter().cloned());
        }
    }
}

impl Retain for Holdings {
    fn calls_out(&self) -> bool {
        self.calls_out.load(Ordering::Acquire)
    }

    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        let (by_place, whole) = (Arc::clone(&lock(&self.by_place)), lock(&self.whole).clone());
        let mut held = Vec::new();
        for kept in by_place.iter().flatten().chain(&whole) {
            kept.note_uses(streams, is_over, &mut held);
        }
        held
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        let apart = Holdings {
            by_place: Mutex::new(Arc::clone(&lock(&self.by_place))),
            whole: Mutex::new(lock(&self.whole).clone()),
            calls_out: AtomicBool::new(self.calls_out()),
        };
        Arc::new(apart)
    }
}
