//! The names of nodes of captures that go on: of each capture with its graph, or until it has one with the capture.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::nodes::NodeTable;
use super::Root;
use graphcap_base::lock::{lock, rank, Mutex};

/// Where the names of the nodes are that a capture records.
#[derive(Clone)]
enum Home {
    /// With the capture, which makes a graph of its own or is someone else's.
    Own(Arc<Mutex<NodeTable, rank::CapturedNames>>),
    /// With the graph that the capture goes into.
    Graph(Root),
}

/// The names of nodes of captures that go on, by the driver's number of the capture. A capture gets an entry when its nodes are
/// first asked about.
#[derive(Default)]
pub(crate) struct CapturedNodes(Mutex<BTreeMap<u64, Home>, rank::CapturedNodes>);

/// How many captures have names at most. Captures that others end stay among them; the oldest makes room, and its nodes lose
/// their names.
const MOST_CAPTURES: usize = 256;

/// The names of nodes of captures that go on, by the driver's numbers of the captures. Streams of several contexts may be in one.
pub(crate) static CAPTURED_NODES: CapturedNodes = CapturedNodes(Mutex::new(BTreeMap::new()));

impl CapturedNodes {
    /// The capture `number` goes into a graph that has names already.
    pub(crate) fn go_into(&self, number: u64, graph: Root) {
        self.enter(number, Home::Graph(graph));
    }

    /// The nodes of the capture `number`, which makes a graph of its own, have the names of that table.
    pub(crate) fn begin_with(&self, number: u64, table: NodeTable) {
        self.enter(number, Home::Own(Arc::new(Mutex::new(table))));
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
    pub(crate) fn with<T>(&self, number: u64, call: impl FnOnce(&mut NodeTable) -> T) -> T {
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

    /// Returns whether no capture has names.
    pub(crate) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// The names of a capture that is over; none where its graph has them.
    pub(crate) fn take(&self, number: u64) -> NodeTable {
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
    use crate::api::{Handle, Node};

    fn handle(number: usize) -> Node {
        Handle::from_number(number)
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
