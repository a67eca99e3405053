//! Graphs within another one: those of child nodes and the bodies of conditional ones, as far as they were asked for. They are
//! under the lock of the outermost graph, and go with their nodes.

use super::nodes::NodeTable;
use crate::api;
use graphcap_driver::{GraphId, NodeId};

/// Place of such a graph among those of its outermost graph.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct NestedRef {
    index: usize,
    id: GraphId,
}

/// The graphs within one outermost graph, at any depth.
#[derive(Default)]
pub(super) struct NestedGraphs(Vec<Inner>);

/// One of them.
pub(super) struct Inner {
    /// `None` when its node is gone.
    id: Option<GraphId>,
    pub(super) native: api::GraphHandle,
    pub(super) nodes: NodeTable,
    /// The node that it is of.
    pub(super) owner: NodeId,
    /// The graph that has that node; `None` where it is the outermost one.
    pub(super) within: Option<NestedRef>,
}

impl Inner {
    /// A graph of the node `owner`, which is of the graph `within`.
    pub(super) fn new(native: api::GraphHandle, nodes: NodeTable, owner: NodeId, within: Option<NestedRef>) -> Inner {
        Inner { id: None, native, nodes, owner, within }
    }
}

impl Inner {
    /// Its id; those of a node's graphs grow in their order.
    pub(super) fn id(&self) -> Option<GraphId> {
        self.id
    }
}

impl NestedGraphs {
    /// The graph of that place, if its node is there.
    pub(super) fn get(&self, place: NestedRef) -> Option<&Inner> {
        self.0.get(place.index).filter(|inner| inner.id == Some(place.id))
    }

    /// The names of the nodes of the graph of that place, whose node is there.
    pub(super) fn nodes(&mut self, place: NestedRef) -> &mut NodeTable {
        &mut self.0[place.index].nodes
    }

    /// Those whose nodes are there.
    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut Inner> {
        self.0.iter_mut().filter(|inner| inner.id.is_some())
    }

    /// The graphs of a node, in the order in which they were entered.
    pub(super) fn of(&self, owner: NodeId) -> Vec<GraphId> {
        let mut found: Vec<GraphId> =
            self.0.iter().filter(|inner| inner.owner == owner).filter_map(|inner| inner.id).collect();
        found.sort_unstable();
        found
    }

    /// Finds the one of them that has the node.
    pub(super) fn with_node(&self, node: NodeId) -> Option<NestedRef> {
        let has_it = |inner: &Inner| inner.id.filter(|_| inner.nodes.node(node).is_some());
        self.0.iter().enumerate().find_map(|(index, inner)| has_it(inner).map(|id| NestedRef { index, id }))
    }

    /// Enters a graph by the name that it has from here on.
    pub(super) fn enter(&mut self, id: GraphId, inner: Inner) -> NestedRef {
        let inner = Inner { id: Some(id), ..inner };
        let index = match self.0.iter().position(|vacant| vacant.id.is_none()) {
            Some(vacant) => {
                self.0[vacant] = inner;
                vacant
            }
            None => {
                self.0.push(inner);
                self.0.len() - 1
            }
        };
        NestedRef { index, id }
    }

    /// The graphs of a node are gone, and with them those within. Gives their names.
    pub(super) fn forget_of(&mut self, owner: NodeId) -> Vec<GraphId> {
        let mut gone = self.vacate(|inner| inner.owner == owner);
        let mut at = 0;
        while let Some(&outer) = gone.get(at) {
            gone.extend(self.vacate(|inner| inner.within.is_some_and(|within| within.id == outer)));
            at += 1;
        }
        gone
    }

    /// All of them are gone. Gives their names.
    pub(super) fn forget_all(&mut self) -> Vec<GraphId> {
        self.vacate(|_| true)
    }

    fn vacate(&mut self, is_gone: impl Fn(&Inner) -> bool) -> Vec<GraphId> {
        let gone = self.0.iter_mut().filter(|inner| inner.id.is_some() && is_gone(inner));
        gone.filter_map(|inner| {
            inner.nodes = NodeTable::default();
            inner.id.take()
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Handle;

    #[test]
    fn graphs_go_with_their_nodes_and_those_within_too() {
        let mut inner = NestedGraphs::default();
        let mut enter = |id, owner, within| {
            inner.enter(
                GraphId(id),
                Inner::new(Handle::from_number(id as usize), NodeTable::default(), NodeId(owner), within),
            )
        };
        let outer = enter(1, 10, None);
        let other = enter(2, 20, None);
        let middle = enter(3, 11, Some(outer));
        let deepest = enter(4, 12, Some(middle));
        assert_eq!(inner.of(NodeId(11)), [GraphId(3)]);
        let mut gone = inner.forget_of(NodeId(10));
        gone.sort_unstable();
        assert_eq!(gone, [1, 3, 4].map(GraphId));
        assert!([outer, middle, deepest].iter().all(|&place| inner.get(place).is_none()));
        assert_eq!(inner.get(other).map(|other| other.native), Some(Handle::from_number(2)));
        // A place that was left is taken by the next one, and the old name leads nowhere.
        let next = inner.enter(GraphId(5), Inner::new(Handle::NULL, NodeTable::default(), NodeId(30), None));
        assert!(inner.get(outer).is_none() && inner.get(next).is_some());
        assert_eq!(inner.forget_all().len(), 2);
    }
}
