//! The names of a graph's nodes. The driver does not check its node handles, and reuses one for the next node; so graphcap gives
//! each node a name of its own and keeps which handle it stands for.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use crate::api::{Handle, Node};
use graphcap_base::numbers::fresh_number;
use graphcap_base::thread::{this_thread, ThreadNumber};
use graphcap_driver::NodeId;

/// Bits of a name that are the node's place in the table. The stamp above them tells the node from all others that any table
/// of the process had or has.
const PLACE_BITS: u32 = NodeId::PLACE_BITS;

/// Handles of nodes, mostly few.
pub(crate) type Nodes = SmallVec<[Node; 4]>;

/// Names by handle, and handles by name.
#[derive(Default)]
pub(crate) struct NodeTable {
    slots: Vec<Slot>,
    /// Of every node but those whose places are in `unmapped`.
    places: HashMap<Node, usize, BuildHasherDefault<ByAddress>>,
    /// The places of nodes that were named since handles were looked up last.
    unmapped: Vec<usize>,
    vacant: Vec<usize>,
    /// The handles as the driver listed them last; nothing where nodes were added or removed since.
    listed: Vec<Node>,
    /// Nodes with stamps up to this one were there when the first node was named. How long before nobody knows.
    first: u64,
    /// The original, where the graph is a copy.
    original: Option<Original>,
    /// Tells the table from others, once it was copied.
    number: u64,
    /// Tells whether names may have another order than the one in which the nodes were made.
    is_shuffled: bool,
    /// Tells whether nodes were removed.
    has_removed: bool,
    /// The thread that reads the graph as it was listed.
    reader: Option<ThreadNumber>,
}

#[derive(Clone, Copy)]
struct Slot {
    stamp: u64,
    /// NULL when the node was removed.
    node: Node,
}

/// The table of a graph at the moment at which the graph was copied.
struct Original {
    number: u64,
    slots: Vec<Slot>,
    /// The nodes as the driver listed them then. Empty once the copy's own nodes were listed, which come in the same order.
    listed: Vec<Node>,
    /// The stamp of the copy's node in place 0. Those in later places have the stamps that follow.
    first_stamp: u64,
}

static STAMPS: AtomicU64 = AtomicU64::new(1);

/// The stamp that the next node gets which is named: those that have names already have lower ones.
pub(crate) fn next_stamp() -> u64 {
    STAMPS.load(Ordering::Relaxed)
}

/// A stamp that no node gets.
pub(crate) fn take_stamp() -> u64 {
    STAMPS.fetch_add(1, Ordering::Relaxed)
}

/// Hashes the driver's handles, which are addresses.
#[derive(Default)]
pub(super) struct ByAddress(u64);

impl Hasher for ByAddress {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        // The table takes its buckets from low bits and tells entries apart by the highest.
        let product = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ (product >> 32);
    }
}

impl NodeTable {
    /// The name of a node that the graph has. A node that has none yet gets one. 0, which names none, where the table is full.
    pub(crate) fn name(&mut self, node: Node) -> NodeId {
        self.map();
        if let Some(&place) = self.places.get(&node) {
            return self.id(place);
        }
        // It may be older than nodes with names.
        self.is_shuffled = true;
        self.add(node)
    }

    /// As [`NodeTable::name`], for nodes that mostly come in the order of their places: `next` is the place of the next one, as far as is
    /// known.
    pub(crate) fn name_next(&mut self, node: Node, next: &mut usize) -> NodeId {
        // As long as no node was added or removed since they were listed, no slot has the handle of a node that is gone.
        let is_next = |slot: &&Slot| !self.listed.is_empty() && slot.node == node;
        let id = match self.slots.get(*next).filter(is_next) {
            Some(_) => self.id(*next),
            None => self.name(node),
        };
        *next = id.place() + 1;
        id
    }

    /// The names of nodes that have some; `None` where one has none yet, or where names do not tell in which order nodes were made.
    pub(crate) fn names_in_order(&mut self, nodes: &[Node]) -> Option<Vec<NodeId>> {
        if self.is_shuffled {
            return None;
        }
        self.map();
        nodes.iter().map(|node| self.places.get(node).map(|&place| self.id(place))).collect()
    }

    /// Names a node that was added just now. 0, which names none, where the table is full.
    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        let place = self.vacant.pop().unwrap_or(self.slots.len());
        if place >> PLACE_BITS != 0 {
            return NodeId(0);
        }
        let slot = Slot { stamp: STAMPS.fetch_add(1, Ordering::Relaxed), node };
        match self.slots.get_mut(place) {
            Some(vacant) => *vacant = slot,
            None => self.slots.push(slot),
        }
        self.unmapped.push(place);
        self.listed.clear();
        self.id(place)
    }

    /// Makes room for the name of one more node. False where there is none.
    #[must_use]
    pub(crate) fn reserve(&mut self) -> bool {
        // At first for some, so that a small graph takes memory once.
        let more = if self.slots.is_empty() { 16 } else { 1 };
        let has_place = !self.vacant.is_empty() || self.slots.len() >> PLACE_BITS == 0;
        has_place && self.slots.try_reserve(more).is_ok() && self.unmapped.try_reserve(more).is_ok()
    }

    /// Returns whether a node was ever named.
    pub(crate) fn is_used(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Returns how many nodes have names.
    pub(crate) fn count(&self) -> usize {
        self.slots.len() - self.vacant.len()
    }

    fn id(&self, place: usize) -> NodeId {
        NodeId(self.slots[place].stamp << PLACE_BITS | place as u64)
    }

    /// Makes every node known by its handle.
    fn map(&mut self) {
        for place in std::mem::take(&mut self.unmapped) {
            let node = self.slots[place].node;
            if node.is_null() {
                continue;
            }
            // The driver gave the handle of a node that others removed to this one.
            if let Some(gone) = self.places.insert(node, place).filter(|&gone| gone != place) {
                self.vacate(gone);
            }
        }
    }

    fn vacate(&mut self, place: usize) {
        self.slots[place].node = Handle::NULL;
        self.vacant.push(place);
    }

    /// The handle of a named node; `None` for a node that was removed, or that is not of this graph.
    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> Option<Node> {
        let slot = self.slots.get(id.place())?;
        (!slot.node.is_null() && slot.stamp == id.0 >> PLACE_BITS).then_some(slot.node)
    }

    /// The handles of named nodes; the first name that stands for none as the error.
    #[inline]
    pub(crate) fn nodes(&self, ids: &[NodeId]) -> Result<Nodes, NodeId> {
        let mut nodes = Nodes::with_capacity(ids.len());
        for &id in ids {
            nodes.push(self.node(id).ok_or(id)?);
        }
        Ok(nodes)
    }

    /// Returns whether a node can have been there when `next` was the stamp of the next node: whether an exec that was made then can
    /// have it.
    pub(crate) fn is_older(&self, id: NodeId, next: u64) -> bool {
        let stamp = id.0 >> PLACE_BITS;
        stamp < next || stamp <= self.first
    }

    /// A node was removed: its name stands for none from here on, also where the driver gives its handle to the next node.
    pub(crate) fn forget(&mut self, node: Node) {
        self.map();
        self.has_removed = true;
        if let Some(place) = self.places.remove(&node) {
            self.vacate(place);
        }
        self.listed.clear();
    }

    /// Returns whether nodes of the graph were removed.
    pub(crate) fn has_removed(&self) -> bool {
        self.has_removed
    }

    /// Returns how many nodes were listed since nodes were added or removed last: all of them, unless a capture went into the graph or
    /// others changed it.
    pub(crate) fn listed(&self) -> usize {
        self.listed.len()
    }

    /// The nodes that were listed since nodes were added or removed last.
    pub(crate) fn all_listed(&self) -> &[Node] {
        &self.listed
    }

    /// Takes note of the nodes that the driver lists, all of which have names.
    pub(crate) fn list(&mut self, listed: Vec<Node>) {
        self.listed = listed;
    }

    /// Takes note of the nodes that the driver lists: names the new ones and forgets those that are gone.
    pub(crate) fn update(&mut self, listed: Vec<Node>) {
        if self.listed == listed {
            return;
        }
        if self.slots.is_empty() && listed.len() >> PLACE_BITS == 0 {
            let first = STAMPS.fetch_add(listed.len() as u64, Ordering::Relaxed);
            self.slots = (first..).zip(&listed).map(|(stamp, &node)| Slot { stamp, node }).collect();
            self.unmapped = (0..listed.len()).collect();
            self.first = first + listed.len() as u64 - u64::from(!listed.is_empty());
            self.listed = listed;
            return;
        }
        for &node in &listed {
            self.name(node);
        }
        self.map();
        if self.places.len() > listed.len() {
            let present: HashSet<Node> = listed.iter().copied().collect();
            let gone: Vec<Node> = self.places.keys().copied().filter(|node| !present.contains(node)).collect();
            for node in gone {
                self.forget(node);
            }
        }
        self.listed = listed;
    }

    /// The table of a copy of the graph, which is made now. All nodes were listed just before. Each node of the copy has the
    /// place of its original. The copy's handles are still to be [listed](NodeTable::list_copy).
    pub(crate) fn copy(&mut self) -> NodeTable {
        if self.number == 0 {
            self.number = fresh_number();
        }
        let first_stamp = STAMPS.fetch_add(self.slots.len() as u64, Ordering::Relaxed);
        let (slots, listed) = (self.slots.clone(), self.listed.clone());
        let original = Original { number: self.number, slots, listed, first_stamp };
        let stamps = self.slots.iter().filter(|slot| !slot.node.is_null()).map(|slot| slot.stamp);
        let is_shuffled = self.is_shuffled || !stamps.is_sorted();
        NodeTable { original: Some(original), is_shuffled, ..NodeTable::default() }
    }

    /// The table of a graph with a node in the place of each of this one's, which has its name. Nodes that it names further have
    /// no name or place in common with those of this table, as long as that names no other ones.
    pub(crate) fn with_stand_ins(&self, stand_in_of: impl Fn(Node) -> Node) -> NodeTable {
        let stand_in = |slot: &Slot| Slot {
            node: if slot.node.is_null() { Handle::NULL } else { stand_in_of(slot.node) },
            ..*slot
        };
        let slots: Vec<Slot> = self.slots.iter().map(stand_in).collect();
        let unmapped = (0..slots.len()).filter(|&place| !slots[place].node.is_null()).collect();
        NodeTable { slots, unmapped, vacant: self.vacant.clone(), is_shuffled: true, ..NodeTable::default() }
    }

    /// The nodes of this table with those that stand in for them: first the latter, which `other` has.
    pub(crate) fn pairs_with<'a>(&'a self, other: &'a NodeTable) -> impl Iterator<Item = (Node, Node)> + 'a {
        let pairs = self.slots.iter().zip(&other.slots);
        let named = pairs.filter(|(own, other)| own.stamp == other.stamp && !own.node.is_null());
        named.map(|(own, other)| (other.node, own.node))
    }

    /// Takes the names over that nodes got in a table made by [`NodeTable::with_stand_ins`], for the nodes that `node_of` gives.
    pub(crate) fn adopt(&mut self, other: &NodeTable, node_of: impl Fn(Node) -> Option<Node>) {
        self.is_shuffled = true;
        for (place, slot) in other.slots.iter().enumerate() {
            let Some(node) = node_of(slot.node).filter(|_| !slot.node.is_null()) else { continue };
            self.take_place(place, Slot { stamp: slot.stamp, node });
        }
        self.took_places();
    }

    /// Names a node as another one was named in a table made by [`NodeTable::with_stand_ins`].
    pub(crate) fn adopt_one(&mut self, id: NodeId, node: Node) {
        self.is_shuffled = true;
        self.take_place(id.place(), Slot { stamp: id.0 >> PLACE_BITS, node });
        self.took_places();
    }

    fn take_place(&mut self, place: usize, slot: Slot) {
        if self.slots.len() <= place {
            self.slots.resize(place + 1, Slot { stamp: 0, node: Handle::NULL });
        }
        self.slots[place] = slot;
        self.unmapped.push(place);
    }

    fn took_places(&mut self) {
        self.vacant = (0..self.slots.len()).filter(|&place| self.slots[place].node.is_null()).collect();
        self.listed.clear();
    }

    /// The calling thread reads the graph as it was listed just now, until [`NodeTable::end_reading`]; false where one does already.
    pub(crate) fn begin_reading(&mut self) -> bool {
        let is_first = self.reader.is_none();
        self.reader.get_or_insert_with(this_thread);
        is_first
    }

    pub(crate) fn end_reading(&mut self) {
        self.reader = None;
    }

    /// Returns whether the calling thread reads the graph as it was listed, and no nodes were added or removed through graphcap since.
    pub(crate) fn is_read_here(&self) -> bool {
        self.reader.is_some_and(|reader| reader == this_thread()) && !self.listed.is_empty()
    }

    /// Returns how many nodes a copy has that were not listed yet.
    pub(crate) fn copies_to_list(&self) -> usize {
        self.original.as_ref().map_or(0, |original| original.listed.len())
    }

    /// Takes the nodes of a copy that was not changed yet, as the driver lists them: in the order of their originals. False
    /// where these are not as many.
    #[must_use]
    pub(crate) fn list_copy(&mut self, listed: Vec<Node>) -> bool {
        let Some(original) = self.original.as_mut().filter(|original| original.listed.len() == listed.len()) else {
            return false;
        };
        let copies: HashMap<Node, Node, BuildHasherDefault<ByAddress>> =
            std::mem::take(&mut original.listed).into_iter().zip(listed.iter().copied()).collect();
        let copy_of = |(slot, stamp): (&Slot, u64)| {
            let node = copies.get(&slot.node).copied().unwrap_or(Handle::NULL);
            Slot { stamp, node }
        };
        self.slots = original.slots.iter().zip(original.first_stamp..).map(copy_of).collect();
        let is_vacant = |&place: &usize| self.slots[place].node.is_null();
        (self.vacant, self.unmapped) = (0..self.slots.len()).partition(is_vacant);
        self.listed = listed;
        true
    }

    /// The name that the copy of `node` has in this table, which is that of a copy.
    pub(crate) fn copy_in_place(&self, node: NodeId) -> NodeId {
        let first_stamp = self.original.as_ref().map_or(0, |original| original.first_stamp);
        NodeId(first_stamp.wrapping_add(node.place() as u64) << PLACE_BITS | node.place() as u64)
    }

    /// The node that is the copy of `node`, which the table `original` has; `None` where this is not the table of a copy of that
    /// one, where the node came later, and where its copy was removed. The nodes of the copy were listed.
    pub(crate) fn copy_of(&self, node: NodeId, original: u64) -> Option<NodeId> {
        let place = node.place();
        let from = self.original.as_ref().filter(|from| from.number == original)?;
        let had = from.slots.get(place).is_some_and(|slot| !slot.node.is_null() && slot.stamp == node.0 >> PLACE_BITS);
        let copy = self.copy_in_place(node);
        (had && self.node(copy).is_some()).then_some(copy)
    }

    /// Tells the table from others; 0 where it was never copied.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Handle;

    fn handle(number: usize) -> Node {
        Handle::from_number(number)
    }

    #[test]
    fn a_name_stays_with_its_node_and_dies_with_it() {
        let mut table = NodeTable::default();
        table.update(vec![handle(8), handle(16), handle(24)]);
        let names = [8, 16, 24].map(|number| table.name(handle(number)));
        assert_eq!(table.nodes(&names), Ok(Nodes::from_slice(&[handle(8), handle(16), handle(24)])));
        table.update(vec![handle(8), handle(24)]);
        assert_eq!(table.nodes(&names), Err(names[1]));
        // The driver gives the handle of the removed node to the next one.
        table.update(vec![handle(8), handle(24), handle(16)]);
        let reused = table.name(handle(16));
        assert_ne!(reused, names[1]);
        assert_eq!((table.node(names[1]), table.node(reused)), (None, Some(handle(16))));
        let mut next = 0;
        let in_turn = [8, 16, 24, 8].map(|number| table.name_next(handle(number), &mut next));
        assert_eq!(in_turn, [8, 16, 24, 8].map(|number| table.name(handle(number))));
        assert_eq!([8, 24].map(|number| table.name(handle(number))), [names[0], names[2]]);
    }

    #[test]
    fn a_forgotten_node_has_no_name_when_its_handle_comes_again() {
        let mut table = NodeTable::default();
        table.update(vec![handle(8), handle(16)]);
        let names = [8, 16].map(|number| table.name(handle(number)));
        table.forget(handle(16));
        assert_eq!((table.node(names[0]), table.node(names[1])), (Some(handle(8)), None));
        table.update(vec![handle(8), handle(16)]);
        assert_eq!(table.node(names[1]), None);
        assert_ne!(table.name(handle(16)), names[1]);
    }

    #[test]
    fn an_added_node_is_another_one_than_that_which_had_its_handle() {
        let mut table = NodeTable::default();
        assert!(table.reserve());
        let gone = table.add(handle(8));
        // Others removed it, which nobody has noticed yet.
        let next = table.add(handle(8));
        table.update(vec![handle(8)]);
        assert_eq!(table.name_next(handle(8), &mut gone.place()), next);
        assert_eq!((table.node(gone), table.node(next), table.name(handle(8))), (None, Some(handle(8)), next));
        assert_eq!(table.count(), 1);
        table.forget(handle(8));
        assert_eq!((table.node(next), table.count()), (None, 0));
        assert_eq!(table.add(handle(16)).place(), next.place(), "places are taken again");
    }

    #[test]
    fn nodes_are_older_than_an_exec_if_they_were_there_or_may_have_been() {
        let mut table = NodeTable::default();
        let before = next_stamp();
        table.update(vec![handle(8), handle(16)]);
        let first = table.name(handle(16));
        let late = table.add(handle(24));
        assert!(table.is_older(first, before), "it was named late, and may have been there");
        assert!(!table.is_older(late, before) && table.is_older(late, next_stamp()));
    }

    #[test]
    fn a_copy_has_the_places_of_its_original_and_names_of_its_own() {
        let mut table = NodeTable::default();
        let [first, gone, last] = [8, 16, 24].map(|number| table.add(handle(number)));
        table.forget(handle(16));
        table.update(vec![handle(24), handle(8)]);
        let mut copy = table.copy();
        assert_eq!((copy.copies_to_list(), copy.node(copy.copy_in_place(first))), (2, None));
        assert!(!copy.list_copy(vec![handle(40)]), "as many nodes as there were");
        assert!(copy.list_copy(vec![handle(40), handle(48)]));
        assert_eq!(copy.copies_to_list(), 0);
        for (original, twin) in [(last, 40), (first, 48)] {
            let found = copy.copy_of(original, table.number()).unwrap();
            assert_eq!((found.place(), copy.node(found)), (original.place(), Some(handle(twin))));
            assert_eq!((copy.name(handle(twin)), table.node(found)), (found, None));
        }
        assert_eq!(copy.copy_of(gone, table.number()), None);
        assert_eq!(copy.copy_of(first, table.number() + 1), None, "a copy of another graph");
        let added = copy.add(handle(56));
        assert_eq!((added.place(), copy.count()), (gone.place(), 3));
        assert_eq!(copy.copy_of(gone, table.number()), None);
        copy.forget(handle(48));
        assert_eq!(copy.copy_of(first, table.number()), None);
    }

    #[test]
    fn tables_do_not_know_each_others_names() {
        let (mut first, mut second) = (NodeTable::default(), NodeTable::default());
        let name = first.name(handle(8));
        second.name(handle(8));
        assert_eq!(second.node(name), None);
        assert_eq!(first.node(NodeId(0)), None);
        assert_eq!(first.node(NodeId(u64::MAX)), None);
    }
}
