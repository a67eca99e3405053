//! Nodes of a graph that take their grids from memory. The driver knows nothing of it.

use std::collections::BTreeMap;

use super::nodes::NodeTable;
use graphcap_driver::{GridSources, NodeId};

/// Of the nodes of one graph that take their grids from memory, where from.
pub(super) type OfGraph = BTreeMap<NodeId, GridSources>;

/// As [`OfGraph`], of an outermost graph and of the graphs of its child nodes.
#[derive(Default)]
pub(super) struct Grids {
    pub(super) own: OfGraph,
    /// By the child nodes.
    pub(super) within: BTreeMap<NodeId, OfGraph>,
}

/// Place of a graph of whose nodes it may be kept where they take their grids from.
#[derive(Clone, Copy)]
pub(super) enum Level {
    Outermost,
    /// The graph of a child node of the outermost graph.
    OfChild(NodeId),
}

impl Grids {
    pub(super) fn is_empty(&self) -> bool {
        self.own.is_empty() && self.within.is_empty()
    }

    pub(super) fn of(&self, level: Level) -> Option<&OfGraph> {
        match level {
            Level::Outermost => Some(&self.own),
            Level::OfChild(owner) => self.within.get(&owner),
        }
    }

    pub(super) fn set(&mut self, level: Level, node: NodeId, from: GridSources) {
        let nodes = match level {
            Level::Outermost => &mut self.own,
            Level::OfChild(owner) => self.within.entry(owner).or_default(),
        };
        nodes.insert(node, from);
    }

    pub(super) fn forget(&mut self, level: Level, node: NodeId) {
        match level {
            Level::Outermost => drop(self.own.remove(&node)),
            Level::OfChild(owner) => {
                if let Some(nodes) = self.within.get_mut(&owner) {
                    nodes.remove(&node);
                    if nodes.is_empty() {
                        self.within.remove(&owner);
                    }
                }
            }
        }
    }

    /// The graph of a child node is another one, whose nodes take their grids from there.
    pub(super) fn replace(&mut self, owner: NodeId, nodes: OfGraph) {
        match nodes.is_empty() {
            true => drop(self.within.remove(&owner)),
            false => drop(self.within.insert(owner, nodes)),
        }
    }
}

/// The nodes of a copy, which has the names `copy`, with what those of its original have.
pub(super) fn copied(nodes: &OfGraph, copy: &NodeTable) -> OfGraph {
    nodes.iter().map(|(&node, &from)| (copy.copy_in_place(node), from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_go_with_their_nodes_and_with_the_child_that_has_them() {
        let (mut grids, owner, node) = (Grids::default(), NodeId(10), NodeId(20));
        let from = [Some(8), None, None];
        let of = |grids: &Grids, level, node| grids.of(level).and_then(|nodes| nodes.get(&node).copied());
        grids.set(Level::Outermost, node, from);
        grids.set(Level::OfChild(owner), node, from);
        assert_eq!(of(&grids, Level::OfChild(owner), node), Some(from));
        grids.forget(Level::Outermost, node);
        assert_eq!((of(&grids, Level::Outermost, node), grids.is_empty()), (None, false));
        grids.forget(Level::OfChild(NodeId(11)), node);
        grids.forget(Level::OfChild(owner), node);
        assert!(grids.is_empty());
        grids.set(Level::OfChild(owner), node, from);
        grids.replace(owner, OfGraph::new());
        assert!(grids.is_empty());
    }
}
