//! Objects that each node of a graph or of an exec keeps alive, where nodes are added or changed by hand.
//!
//! Captures list what they use for all nodes together ([`retention`](super::retention)); the first edit parts such a list among
//! the nodes. A graph shares its holdings with the execs made from it and with its copies until one of them is edited.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use crate::keep::{Kept, Kepts, Needs};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{NodeId, Retain, Retained, Snapshot, StreamId};

/// Objects that nodes keep, by their places.
pub(crate) type ByPlace = Vec<Kepts>;

/// Objects that the nodes of one graph or exec keep.
#[derive(Default)]
pub(crate) struct Holdings {
    by_place: Mutex<Nodes, rank::ByPlace>,
    /// Objects that are kept for none of the nodes.
    whole: Mutex<Kepts, rank::Whole>,
    /// Tells whether a host function was ever among it.
    calls_out: AtomicBool,
}

/// Objects that nodes keep, alone or together with other holdings.
#[derive(Default)]
struct Nodes {
    /// Without anything while `shared` is there.
    own: ByPlace,
    shared: Option<Arc<ByPlace>>,
}

impl Nodes {
    #[inline]
    fn get(&self, node: NodeId) -> Option<&Kepts> {
        match &self.shared {
            None => self.own.get(node.place()),
            Some(shared) => shared.get(node.place()),
        }
    }

    fn share(&mut self) -> Arc<ByPlace> {
        let own = &mut self.own;
        Arc::clone(self.shared.get_or_insert_with(|| Arc::new(std::mem::take(own))))
    }

    /// Returns what nodes keep, to be changed. Others that share it go on with what they have.
    #[inline]
    fn apart(&mut self) -> &mut ByPlace {
        if let Some(shared) = self.shared.take() {
            self.own = Arc::try_unwrap(shared).unwrap_or_else(|shared| ByPlace::clone(&shared));
        }
        &mut self.own
    }
}

impl Holdings {
    /// Returns what an edit of an exec has superseded.
    pub(crate) fn of(kept: Kepts) -> Holdings {
        let holdings = Holdings::default();
        holdings.note(&kept);
        lock(&holdings.by_place).own.push(kept);
        holdings
    }

    fn note(&self, kept: &[Kept]) {
        if kept.iter().any(Kept::calls_out) {
            self.calls_out.store(true, Ordering::Release);
        }
    }

    /// Has a node keep what it `needs` beside what it keeps. Gives how many objects it kept before.
    pub(crate) fn add(&self, node: NodeId, needs: &dyn Needs) -> usize {
        // Looked at before the lock, as the lists of a graph that becomes a child have locks of their own.
        let mut added = Kepts::new();
        needs.keep_in(&mut added);
        self.note(&added);
        let mut nodes = lock(&self.by_place);
        let by_place = nodes.apart();
        if by_place.len() <= node.place() {
            by_place.resize_with(node.place() + 1, Kepts::new);
        }
        let Some(kept) = by_place.get_mut(node.place()) else { return 0 };
        let before = kept.len();
        match before {
            0 => *kept = added,
            _ => kept.extend(added),
        }
        before
    }

    /// Has a node keep what it `needs` beside what it keeps while `set` is made. Afterwards it keeps that alone where the graph
    /// `lets_go`, or what it kept before where `set` fails. Puts what it keeps no more into `let_go`, to be dropped where no lock is
    /// held. `check` says whether the node is one of the graph, where nothing was ever kept for its place: a number that is none can
    /// stand for a place that no memory reaches.
    pub(crate) fn exchange(
        &self,
        node: NodeId,
        needs: &dyn Needs,
        (lets_go, let_go): (bool, &mut Kepts),
        check: impl FnOnce() -> Result<()>,
        set: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let has_place = {
            let nodes = lock(&self.by_place);
            let kept = nodes.get(node);
            if kept.is_some_and(|kept| needs.are_kept(kept)) {
                // The list stays as it is, which may be shared with execs and would be copied.
                drop(nodes);
                return set();
            }
            kept.is_some()
        };
        if !has_place {
            check()?;
        }
        let before = self.add(node, needs);
        let set = set();
        match set {
            Ok(()) if lets_go => *let_go = self.take_first(node, before),
            Ok(()) => {}
            Err(_) => *let_go = self.take_all_but(node, before),
        }
        set
    }

    /// Keeps what `needs` tells for none of the nodes. Gives how many objects it kept so before.
    pub(crate) fn add_for_all(&self, needs: &dyn Needs) -> usize {
        let mut added = Kepts::new();
        needs.keep_in(&mut added);
        self.note(&added);
        let mut whole = lock(&self.whole);
        let before = whole.len();
        whole.extend(added);
        before
    }

    /// Takes the objects that it kept last for none of the nodes, all but so many.
    pub(crate) fn take_of_all_but(&self, count: usize) -> Kepts {
        let mut whole = lock(&self.whole);
        let count = count.min(whole.len());
        whole.drain(count..).collect()
    }

    /// Takes the objects from a node that it kept first, so many of them, to be dropped where no lock is held.
    fn take_first(&self, node: NodeId, count: usize) -> Kepts {
        self.change(node, |kept| kept.drain(..count.min(kept.len())).collect())
    }

    /// Takes the objects from a node that it kept last, all but so many.
    pub(crate) fn take_all_but(&self, node: NodeId, count: usize) -> Kepts {
        self.change(node, |kept| kept.drain(count.min(kept.len())..).collect())
    }

    /// Has a node keep what `less` makes of what it keeps, if that is something else. Gives what it kept before, to be dropped where no
    /// lock is held. For callers that hold the lock of the edits.
    pub(crate) fn lessen(&self, node: NodeId, less: impl FnOnce(&Kepts) -> Option<Kepts>) -> Kepts {
        let by_place = lock(&self.by_place).share();
        let lessened = by_place.get(node.place()).and_then(less);
        drop(by_place);
        lessened.map(|left| self.change(node, |kept| std::mem::replace(kept, left))).unwrap_or_default()
    }

    fn change(&self, node: NodeId, call: impl FnOnce(&mut Kepts) -> Kepts) -> Kepts {
        let mut nodes = lock(&self.by_place);
        match nodes.get(node) {
            Some(kept) if !kept.is_empty() => {}
            _ => return Kepts::new(),
        }
        nodes.apart().get_mut(node.place()).map(call).unwrap_or_default()
    }

    /// The first that `pick` picks of what a node keeps.
    pub(crate) fn find<T>(&self, node: NodeId, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
        let by_place = lock(&self.by_place).share();
        by_place.get(node.place())?.iter().find_map(pick)
    }

    /// Has `see` see what each node keeps, with its place, and what is kept for none.
    pub(crate) fn each(&self, see: &mut dyn FnMut(Option<usize>, &Kept)) {
        let (by_place, whole) = (lock(&self.by_place).share(), lock(&self.whole).clone());
        for (place, kept) in by_place.iter().enumerate() {
            kept.iter().for_each(|kept| see(Some(place), kept));
        }
        whole.iter().for_each(|kept| see(None, kept));
    }

    /// The first that `pick` picks of what all nodes keep.
    pub(crate) fn find_any<T>(&self, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
        let (by_place, whole) = (lock(&self.by_place).share(), lock(&self.whole).clone());
        by_place.iter().flatten().chain(&whole).find_map(pick)
    }

    /// Keeps `more` for none of the nodes beside what it keeps so. It goes after what nodes keep.
    pub(crate) fn keep_whole(&self, more: &[Kept]) {
        self.note(more);
        let mut whole = lock(&self.whole);
        for kept in more {
            if !whole.iter().any(|known| known.is_same(kept)) {
                whole.push(kept.clone());
            }
        }
    }

    /// Has nodes keep `more` beside what they keep.
    pub(crate) fn merge(&self, more: &ByPlace) {
        more.iter().for_each(|kept| self.note(kept));
        let mut nodes = lock(&self.by_place);
        let by_place = nodes.apart();
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
        let (by_place, whole) = (lock(&self.by_place).share(), lock(&self.whole).clone());
        let mut held = Vec::new();
        for kept in by_place.iter().flatten().chain(&whole) {
            kept.note_uses(streams, is_over, &mut held);
        }
        held
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        let nodes = Nodes { own: ByPlace::new(), shared: Some(lock(&self.by_place).share()) };
        let apart = Holdings {
            by_place: Mutex::new(nodes),
            whole: Mutex::new(lock(&self.whole).clone()),
            calls_out: AtomicBool::new(self.calls_out()),
        };
        Arc::new(apart)
    }
}
