//! Objects that each node of a graph or of an exec keeps alive, where nodes are added or changed by hand.
//!
//! Captures list what they use for all nodes together ([`retention`](super::retention)); the first edit parts such a list among
//! the nodes. A graph shares its holdings with the execs made from it and with its copies until one of them is edited.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use crate::keep::{Addresses, Kept, Kepts, Needs};
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{NodeId, Retain, Retained, Snapshot, StreamId};

/// Number of objects whose uses are not noted twice in a row.
const RECENTLY_NOTED: usize = 4;

/// Objects that nodes keep, by their places.
pub(crate) type ByPlace = Vec<Kepts>;

/// Objects that the nodes of one graph or exec keep.
#[derive(Default)]
pub(crate) struct Holdings {
    by_place: Mutex<Nodes, rank::ByPlace>,
    /// Number of changes of what nodes keep. Written under the lock of that.
    changes: AtomicU64,
    /// Objects that are kept for none of the nodes.
    whole: Mutex<Kepts, rank::Whole>,
    /// Tells whether a host function was ever among it.
    calls_out: AtomicBool,
}

/// A node that keeps objects: one of the outermost graph, or one of a graph within such a node.
#[derive(Clone, Copy)]
pub(crate) struct Keeper {
    pub(crate) outermost: NodeId,
    /// The node itself, where it is within `outermost`.
    pub(crate) within: Option<NodeId>,
}

/// A node of the outermost graph.
impl From<NodeId> for Keeper {
    fn from(outermost: NodeId) -> Keeper {
        Keeper { outermost, within: None }
    }
}

/// Objects that the nodes of a graph keep, and those of the graphs within its nodes.
#[derive(Clone, Default)]
struct NodeLists {
    by_place: ByPlace,
    /// Objects of nodes of graphs within, with the place of the outermost node.
    within: HashMap<NodeId, (usize, Kepts)>,
}

impl NodeLists {
    #[inline]
    fn get(&self, keeper: Keeper) -> Option<&Kepts> {
        match keeper.within {
            None => self.by_place.get(keeper.outermost.place()),
            Some(node) => self.within.get(&node).map(|(_, kept)| kept),
        }
    }

    #[inline]
    fn get_mut(&mut self, keeper: Keeper) -> Option<&mut Kepts> {
        match keeper.within {
            None => self.by_place.get_mut(keeper.outermost.place()),
            Some(node) => self.within.get_mut(&node).map(|(_, kept)| kept),
        }
    }

    /// The list of a node, which is made where there is none.
    fn entry(&mut self, keeper: Keeper) -> Option<&mut Kepts> {
        let place = keeper.outermost.place();
        match keeper.within {
            None => {
                if self.by_place.len() <= place {
                    self.by_place.resize_with(place + 1, Kepts::new);
                }
                self.by_place.get_mut(place)
            }
            Some(node) => Some(&mut self.within.entry(node).or_insert_with(|| (place, Kepts::new())).1),
        }
    }

    /// All lists, with the places of the outermost nodes.
    fn iter(&self) -> impl Iterator<Item = (usize, &Kepts)> {
        self.by_place.iter().enumerate().chain(self.within.values().map(|(place, kept)| (*place, kept)))
    }

    /// The lists of a node of the outermost graph, and of the nodes of graphs within it.
    fn of(&self, outermost: NodeId) -> impl Iterator<Item = &Kepts> {
        let within = self.within.values().filter(move |(place, _)| *place == outermost.place());
        self.by_place.get(outermost.place()).into_iter().chain(within.map(|(_, kept)| kept))
    }

    /// Takes the lists of the nodes of graphs within a node.
    fn take_within(&mut self, outermost: NodeId, taken: &mut Kepts) {
        self.within.retain(|_, (place, kept)| {
            let stays = *place != outermost.place();
            if !stays {
                taken.append(kept);
            }
            stays
        });
    }
}

/// Objects that nodes keep, alone or together with other holdings.
#[derive(Default)]
struct Nodes {
    /// Without anything while `shared` is there.
    own: NodeLists,
    shared: Option<Arc<NodeLists>>,
}

impl Nodes {
    #[inline]
    fn lists(&self) -> &NodeLists {
        self.shared.as_deref().unwrap_or(&self.own)
    }

    fn share(&mut self) -> Arc<NodeLists> {
        let own = &mut self.own;
        Arc::clone(self.shared.get_or_insert_with(|| Arc::new(std::mem::take(own))))
    }

    /// Returns what nodes keep, to be changed. Others that share it go on with what they have.
    #[inline]
    fn apart(&mut self) -> &mut NodeLists {
        if let Some(shared) = self.shared.take() {
            self.own = Arc::try_unwrap(shared).unwrap_or_else(|shared| NodeLists::clone(&shared));
        }
        &mut self.own
    }
}

impl Holdings {
    /// Returns what an edit of an exec has superseded.
    pub(crate) fn of(kept: Kepts) -> Holdings {
        let holdings = Holdings::default();
        holdings.note(&kept);
        lock(&holdings.by_place).own.by_place.push(kept);
        holdings
    }

    /// Number of changes so far of what nodes keep.
    #[inline]
    fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Returns what `nodes` keep, to be changed.
    #[inline]
    fn apart<'a>(&self, nodes: &'a mut Nodes) -> &'a mut NodeLists {
        self.changes.store(self.changes.load(Ordering::Relaxed) + 1, Ordering::Release);
        nodes.apart()
    }

    fn note(&self, kept: &[Kept]) {
        if kept.iter().any(Kept::calls_out) {
            self.calls_out.store(true, Ordering::Release);
        }
    }

    /// Makes a node keep what it `needs` beside what it keeps. Gives how many objects it kept before.
    pub(crate) fn add(&self, keeper: impl Into<Keeper>, needs: &dyn Needs) -> usize {
        // Looked at before the lock, as the lists of a graph that becomes a child have locks of their own.
        let mut added = Kepts::new();
        needs.keep_in(&mut added);
        self.note(&added);
        let mut nodes = lock(&self.by_place);
        let Some(kept) = self.apart(&mut nodes).entry(keeper.into()) else { return 0 };
        let before = kept.len();
        match before {
            0 => *kept = added,
            _ => kept.extend(added),
        }
        before
    }

    /// Makes nodes that were added keep what they need: objects none of which has a lock of its own, or calls a function of the caller's.
    pub(crate) fn add_each<'a, N: Needs + 'a>(&self, added: impl Iterator<Item = (Keeper, &'a N)>) {
        let mut nodes = lock(&self.by_place);
        let lists = self.apart(&mut nodes);
        for (keeper, needs) in added {
            if let Some(kept) = lists.entry(keeper) {
                needs.keep_in(kept);
            }
        }
    }

    /// Makes a node keep what it `needs` beside what it keeps while `set` is made. Afterwards it keeps that alone where the graph
    /// `lets_go`, and nothing is kept for graphs that were within it; or what it kept before where `set` fails. Puts what it keeps no more into `let_go`, to be dropped where no lock is
    /// held. `check` says whether the node is one of the graph, where nothing was ever kept for its place: a number that is none can
    /// stand for a place that no memory reaches.
    pub(crate) fn exchange(
        &self,
        keeper: Keeper,
        needs: &dyn Needs,
        (lets_go, let_go): (bool, &mut Kepts),
        check: impl FnOnce() -> Result<()>,
        set: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let has_place = {
            let nodes = lock(&self.by_place);
            let kept = nodes.lists().get(keeper);
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
        let before = self.add(keeper, needs);
        let set = set();
        match set {
            Ok(()) if lets_go => *let_go = self.take_before(keeper, before),
            Ok(()) => {}
            Err(_) => *let_go = self.take_all_but(keeper, before),
        }
        set
    }

    /// As [`Holdings::exchange`], for many nodes, all of which have places. `set` tells how many were set, the first ones, and why the next
    /// one was not. `None`, and nothing is set, where a node has no place, or comes again and is to keep something else. `seen` is remembered
    /// under the lock of the edits.
    #[inline]
    pub(crate) fn exchange_all<N: Needs>(
        self: &Arc<Self>,
        seen: &mut SeenKept,
        (owners, needs): (&[NodeId], &[N]),
        let_go: (bool, &mut Option<Kepts>),
        set: impl FnOnce() -> (usize, Result<()>),
    ) -> Option<(usize, Result<()>)> {
        let are_kept = match (owners, needs) {
            (&[owner], [needs]) => seen.is_kept(self, owner, needs) || self.look_at(seen, owner, needs),
            // They share the lock.
            _ => self.are_all_kept(owners, needs),
        };
        match are_kept {
            true => Some(set()),
            false => self.exchange_some((owners, needs), let_go, set),
        }
    }

    /// Returns whether each of the nodes keeps what it needs, and that alone.
    #[inline]
    fn are_all_kept<N: Needs>(&self, owners: &[NodeId], needs: &[N]) -> bool {
        let nodes = lock(&self.by_place);
        let lists = nodes.lists();
        let mut each = owners.iter().zip(needs);
        each.all(|(&node, needs)| lists.get(Keeper::from(node)).is_some_and(|kept| needs.are_kept(kept)))
    }

    /// Returns whether a node keeps what it needs, and that alone; then it was `seen`.
    #[inline(never)]
    fn look_at<N: Needs>(self: &Arc<Self>, seen: &mut SeenKept, owner: NodeId, needs: &N) -> bool {
        let nodes = lock(&self.by_place);
        let lists = nodes.lists();
        let is_kept = lists.get(Keeper::from(owner)).is_some_and(|kept| needs.are_kept(kept));
        if is_kept {
            seen.note(self, lists.by_place.len(), owner, needs);
        }
        is_kept
    }

    /// As [`Holdings::exchange_all`], where some are to keep something else.
    #[inline(never)]
    fn exchange_some<N: Needs>(
        &self,
        (owners, needs): (&[NodeId], &[N]),
        (lets_go, let_go): (bool, &mut Option<Kepts>),
        set: impl FnOnce() -> (usize, Result<()>),
    ) -> Option<(usize, Result<()>)> {
        let mut changed = SmallVec::<[usize; 16]>::new();
        let nodes = lock(&self.by_place);
        let lists = nodes.lists();
        for (index, (&node, needs)) in owners.iter().zip(needs).enumerate() {
            if !needs.are_kept(lists.get(Keeper::from(node))?) {
                changed.push(index);
            }
        }
        drop(nodes);
        let comes_again = |&index: &usize| owners.iter().filter(|&&node| node == owners[index]).count() > 1;
        if changed.iter().any(comes_again) {
            return None;
        }
        let kept: SmallVec<[usize; 16]> = changed.iter().map(|&index| self.add(owners[index], &needs[index])).collect();
        let (done, set) = set();
        let mut taken = Kepts::new();
        for (index, before) in changed.into_iter().zip(kept) {
            let node = owners[index];
            match index < done {
                true if lets_go => taken.extend(self.take_before(Keeper::from(node), before)),
                true => {}
                false => taken.extend(self.take_all_but(node, before)),
            }
        }
        *let_go = Some(taken).filter(|taken| !taken.is_empty());
        Some((done, set))
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

    /// Takes the objects from a node that it kept first, so many of them, and those of graphs within it, to be dropped where no lock
    /// is held.
    fn take_before(&self, keeper: Keeper, count: usize) -> Kepts {
        let mut taken = self.change(keeper, |kept| kept.drain(..count.min(kept.len())).collect());
        self.take_within(keeper, &mut taken);
        taken
    }

    /// Takes the objects from a node that it kept last, all but so many.
    pub(crate) fn take_all_but(&self, keeper: impl Into<Keeper>, count: usize) -> Kepts {
        self.change(keeper.into(), |kept| kept.drain(count.min(kept.len())..).collect())
    }

    /// Takes everything that is kept for a node which is removed, and for graphs within it, to be dropped where no lock is held.
    pub(crate) fn remove(&self, keeper: Keeper) -> Kepts {
        self.take_before(keeper, usize::MAX)
    }

    fn take_within(&self, keeper: Keeper, taken: &mut Kepts) {
        let mut nodes = lock(&self.by_place);
        match keeper.within {
            None if nodes.lists().within.is_empty() => {}
            None => self.apart(&mut nodes).take_within(keeper.outermost, taken),
            // An empty list says no more than none.
            Some(node) if nodes.lists().get(keeper).is_some_and(|kept| kept.is_empty()) => {
                self.apart(&mut nodes).within.remove(&node);
            }
            Some(_) => {}
        }
    }

    /// Makes a node, and each node of graphs within it, keep what `less` makes of what it keeps, if that is something else. Gives what
    /// they kept before, to be dropped where no lock is held. For callers that hold the lock of the edits.
    pub(crate) fn lessen(&self, node: NodeId, less: impl Fn(&Kepts) -> Option<Kepts>) -> Kepts {
        let lists = lock(&self.by_place).share();
        let within = lists.within.iter().filter(|(_, (place, _))| *place == node.place());
        let keepers = within.map(|(&inner, _)| Keeper { outermost: node, within: Some(inner) });
        let lessened: Vec<_> = std::iter::once(Keeper::from(node))
            .chain(keepers)
            .filter_map(|keeper| Some((keeper, less(lists.get(keeper)?)?)))
            .collect();
        drop(lists);
        let replaced =
            lessened.into_iter().map(|(keeper, left)| self.change(keeper, |kept| std::mem::replace(kept, left)));
        replaced.flatten().collect()
    }

    fn change(&self, keeper: Keeper, call: impl FnOnce(&mut Kepts) -> Kepts) -> Kepts {
        let mut nodes = lock(&self.by_place);
        match nodes.lists().get(keeper) {
            Some(kept) if !kept.is_empty() => {}
            _ => return Kepts::new(),
        }
        self.apart(&mut nodes).get_mut(keeper).map(call).unwrap_or_default()
    }

    /// The first that `pick` picks of what a node of the outermost graph keeps, or a graph within it.
    pub(crate) fn find<T>(&self, node: NodeId, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
        let lists = lock(&self.by_place).share();
        let found = lists.of(node).flatten().find_map(pick);
        found
    }

    /// Makes `see` see what each node keeps, with its place, and what is kept for none.
    pub(crate) fn each(&self, see: &mut dyn FnMut(Option<usize>, &Kept)) {
        let (lists, whole) = (lock(&self.by_place).share(), lock(&self.whole).clone());
        for (place, kept) in lists.iter() {
            kept.iter().for_each(|kept| see(Some(place), kept));
        }
        whole.iter().for_each(|kept| see(None, kept));
    }

    /// The first that `pick` picks of what all nodes keep.
    pub(crate) fn find_any<T>(&self, pick: &dyn Fn(&Kept) -> Option<T>) -> Option<T> {
        let (lists, whole) = (lock(&self.by_place).share(), lock(&self.whole).clone());
        let found = lists.iter().flat_map(|(_, kept)| kept).chain(&whole).find_map(pick);
        found
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

    /// Makes nodes keep `more` beside what they keep.
    pub(crate) fn merge(&self, more: &ByPlace) {
        more.iter().for_each(|kept| self.note(kept));
        let mut nodes = lock(&self.by_place);
        let by_place = &mut self.apart(&mut nodes).by_place;
        if by_place.len() < more.len() {
            by_place.resize_with(more.len(), Kepts::new);
        }
        for (kept, more) in by_place.iter_mut().zip(more) {
            kept.extend(more.iter().cloned());
        }
    }
}

/// Nodes that were seen to keep what they are set to need: remembered under the lock of the edits, so that the next set takes no other.
#[derive(Default)]
pub(crate) struct SeenKept {
    /// The holdings in which it was seen. Nothing else comes to lie at their address as long as this is here.
    holdings: Weak<Holdings>,
    /// By places.
    nodes: Vec<SeenNode>,
}

#[derive(Clone, Copy)]
struct SeenNode {
    node: NodeId,
    /// Number of changes of the holdings until then: as long as it stays, the node keeps the objects.
    changes: u64,
    objects: Addresses,
}

impl SeenKept {
    /// Returns whether a node was seen to keep what it needs, and that alone, and still does so.
    #[inline(always)]
    fn is_kept<N: Needs>(&self, holdings: &Arc<Holdings>, owner: NodeId, needs: &N) -> bool {
        self.holdings.as_ptr() == Arc::as_ptr(holdings)
            && self.nodes.get(owner.place()).is_some_and(|seen| {
                seen.node == owner && seen.changes == holdings.changes() && needs.are_at(&seen.objects)
            })
    }

    /// Remembers that a node, one of so many `places`, keeps what it needs, and that alone, for a caller that has the lock of what they keep.
    fn note<N: Needs>(&mut self, holdings: &Arc<Holdings>, places: usize, owner: NodeId, needs: &N) {
        if self.holdings.as_ptr() != Arc::as_ptr(holdings) {
            *self = SeenKept { holdings: Arc::downgrade(holdings), nodes: Vec::new() };
        }
        let Some(objects) = needs.addresses() else { return };
        let seen = SeenNode { node: owner, changes: holdings.changes(), objects };
        if self.nodes.len() <= owner.place() {
            let places = places.max(owner.place() + 1);
            // Without room nothing is remembered.
            if self.nodes.try_reserve_exact(places - self.nodes.len()).is_err() {
                return;
            }
            // Not the number of the place of any node.
            self.nodes.resize(places, SeenNode { node: NodeId(u64::MAX), ..seen });
        }
        if let Some(place) = self.nodes.get_mut(owner.place()) {
            *place = seen;
        }
    }
}

impl Retain for Holdings {
    fn calls_out(&self) -> bool {
        self.calls_out.load(Ordering::Acquire)
    }

    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot> {
        let (lists, whole) = (lock(&self.by_place).share(), lock(&self.whole).clone());
        let mut held = Vec::new();
        // Neighbours mostly use the same objects, which need no second note.
        let (mut noted, mut oldest) = ([std::ptr::null(); RECENTLY_NOTED], 0);
        for kept in lists.iter().flat_map(|(_, kept)| kept).chain(&whole) {
            if let Kept::Object(object) = kept {
                if streams.is_empty() {
                    continue;
                }
                let place = Arc::as_ptr(object).cast::<()>();
                if noted.contains(&place) {
                    continue;
                }
                noted[oldest] = place;
                oldest = (oldest + 1) % RECENTLY_NOTED;
            }
            kept.note_uses(streams, is_over, &mut held);
        }
        held
    }

    fn to_be_held_apart(self: Arc<Self>) -> Retained {
        let nodes = Nodes { own: NodeLists::default(), shared: Some(lock(&self.by_place).share()) };
        let apart = Holdings {
            by_place: Mutex::new(nodes),
            changes: AtomicU64::new(0),
            whole: Mutex::new(lock(&self.whole).clone()),
            calls_out: AtomicBool::new(self.calls_out()),
        };
        Arc::new(apart)
    }
}
