//! The names of a graph's nodes. The driver does not check its node handles, and reuses one for the next node; so graphcap gives
//! each node a name of its own and keeps which handle it stands for.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::Root;
use crate::driver::cuda::api::Node;
use crate::driver::cuda::lock;
use crate::driver::NodeId;

/// Bits of a name that are the node's place in the table. The stamp above them tells the node from all others that any table
/// of the process had or has.
const PLACE_BITS: u32 = 28;

/// Names by handle, and handles by name.
#[derive(Default)]
pub(in crate::driver::cuda) struct NodeTable {
    slots: Vec<Slot>,
    places: HashMap<Node, usize>,
    vacant: Vec<usize>,
    /// The handles as the driver listed them last.
    listed: Vec<Node>,
}

struct Slot {
    stamp: u64,
    /// `None` when the node was removed.
    node: Option<Node>,
}

impl NodeTable {
    /// The name of a node that the graph has. A node that has none yet gets one. 0, which names none, where the table is full.
    pub(in crate::driver::cuda) fn name(&mut self, node: Node) -> NodeId {
        static STAMPS: AtomicU64 = AtomicU64::new(1);
        if let Some(&place) = self.places.get(&node) {
            return self.id(place);
        }
        let place = self.vacant.pop().unwrap_or(self.slots.len());
        if place >> PLACE_BITS != 0 {
            return NodeId(0);
        }
        let slot = Slot { stamp: STAMPS.fetch_add(1, Ordering::Relaxed), node: Some(node) };
        match self.slots.get_mut(place) {
            Some(vacant) => *vacant = slot,
            None => self.slots.push(slot),
        }
        self.places.insert(node, place);
        self.id(place)
    }

    fn id(&self, place: usize) -> NodeId {
        NodeId(self.slots[place].stamp << PLACE_BITS | place as u64)
    }

    /// The handle of a named node; `None` for a node that was removed, or that is not of this graph.
    pub(in crate::driver::cuda) fn node(&self, NodeId(id): NodeId) -> Option<Node> {
        let slot = self.slots.get((id & ((1 << PLACE_BITS) - 1)) as usize)?;
        slot.node.filter(|_| slot.stamp == id >> PLACE_BITS)
    }

    /// The handles of named nodes; the first name that stands for none as the error.
    pub(in crate::driver::cuda) fn nodes(&self, ids: &[NodeId]) -> Result<Vec<Node>, NodeId> {
        ids.iter().map(|&id| self.node(id).ok_or(id)).collect()
    }

    /// A node was removed: its name stands for none from here on, also where the driver gives its handle to the next node.
    pub(in crate::driver::cuda) fn forget(&mut self, node: Node) {
        if let Some(place) = self.places.remove(&node) {
            self.slots[place].node = None;
            self.vacant.push(place);
        }
        self.listed.retain(|&listed| listed != node);
    }

    /// Takes note of the nodes that the driver lists: names the new ones and forgets those that are gone.
    pub(in crate::driver::cuda) fn update(&mut self, listed: Vec<Node>) {
        if self.listed == listed {
            return;
        }
        for &node in &listed {
            self.name(node);
        }
        if self.places.len() > listed.len() {
            let present: HashSet<Node> = listed.iter().copied().collect();
            let gone: Vec<Node> = self.places.keys().copied().filter(|node| !present.contains(node)).collect();
            self.listed.clear();
            for node in gone {
                self.forget(node);
            }
        }
        self.listed = listed;
    }
}

/// Where the names of the nodes are that a capture records.
#[derive(Clone)]
enum Home {
    /// With the capture, which makes a graph of its own or is someone else's.
    Own(Arc<Mutex<NodeTable>>),
    /// With the graph that the capture goes into.
    Graph(Root),
}

/// The names of nodes of captures that go on, by the driver's number of the capture. A capture gets an entry when its nodes are
/// first asked about.
#[derive(Default)]
pub(in crate::driver::cuda) struct CapturedNodes(Mutex<BTreeMap<u64, Home>>);

/// How many captures have names at most. Captures that others end stay among them; the oldest makes room, and its nodes lose
/// their names.
const MOST_CAPTURES: usize = 256;

impl CapturedNodes {
    /// The capture `number` goes into a graph that has names already.
    pub(in crate::driver::cuda) fn go_into(&self, number: u64, graph: Root) {
        self.enter(number, Home::Graph(graph));
    }

    fn enter(&self, number: u64, home: Home) {
        let displaced = {
            let mut captures = lock(&self.0);
            let displaced = if captures.len() >= MOST_CAPTURES { captures.pop_first() } else { None };
            (captures.insert(number, home), displaced)
        };
        // Where the lock is not held: they may be the last references.
        drop(displaced);
    }

    /// Makes `call` with the names of the nodes of the capture `number`, while no other call uses them.
    pub(in crate::driver::cuda) fn with<T>(&self, number: u64, call: impl FnOnce(&mut NodeTable) -> T) -> T {
        let known = lock(&self.0).get(&number).cloned();
        let home = known.unwrap_or_else(|| {
            let home = Home::Own(Arc::default());
            self.enter(number, home.clone());
            home
        });
        match home {
            Home::Own(table) => call(&mut lock(&table)),
            Home::Graph(root) => call(lock(&root).nodes()),
        }
    }

    /// Whether no capture has names.
    pub(in crate::driver::cuda) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// The names of a capture that is over; none where its graph has them.
    pub(in crate::driver::cuda) fn take(&self, number: u64) -> NodeTable {
        let taken = lock(&self.0).remove(&number);
        match taken {
            Some(Home::Own(table)) => std::mem::take(&mut *lock(&table)),
            _ => NodeTable::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::cuda::api::Handle;

    fn handle(number: usize) -> Node {
        Handle::from_number(number)
    }

    #[test]
    fn a_name_stays_with_its_node_and_dies_with_it() {
        let mut table = NodeTable::default();
        table.update(vec![handle(8), handle(16), handle(24)]);
        let names = [8, 16, 24].map(|number| table.name(handle(number)));
        assert_eq!(table.nodes(&names), Ok(vec![handle(8), handle(16), handle(24)]));
        table.update(vec![handle(8), handle(24)]);
        assert_eq!(table.nodes(&names), Err(names[1]));
        // The driver gives the handle of the removed node to the next one.
        table.update(vec![handle(8), handle(24), handle(16)]);
        let reused = table.name(handle(16));
        assert_ne!(reused, names[1]);
        assert_eq!((table.node(names[1]), table.node(reused)), (None, Some(handle(16))));
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
    fn tables_do_not_know_each_others_names() {
        let (mut first, mut second) = (NodeTable::default(), NodeTable::default());
        let name = first.name(handle(8));
        second.name(handle(8));
        assert_eq!(second.node(name), None);
        assert_eq!(first.node(NodeId(0)), None);
        assert_eq!(first.node(NodeId(u64::MAX)), None);
    }

    #[test]
    fn captures_hand_their_names_over_once_and_the_oldest_makes_room() {
        let captured = CapturedNodes::default();
        assert!(captured.is_empty());
        let name = captured.with(7, |table| table.name(handle(8)));
        let table = captured.take(7);
        assert_eq!(table.node(name), Some(handle(8)));
        assert!(captured.is_empty());
        assert_eq!(captured.take(7).node(name), None);
        for number in 1..=MOST_CAPTURES as u64 + 1 {
            captured.with(number, |table| table.name(handle(8)));
        }
        assert_eq!(lock(&captured.0).len(), MOST_CAPTURES);
        assert!(!lock(&captured.0).contains_key(&1));
    }
}
