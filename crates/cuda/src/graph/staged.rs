//! Captures that go into graphs of their own in the place of graphs within nodes, see [`within`](super::within), as the outermost graph
//! knows them.

use super::nested::NestedRef;
use super::nodes::NodeTable;
use crate::api;
use graphcap_driver::{ConditionId, Conditional, NodeId};

/// A capture that is to go into a graph within a node.
pub(super) struct Captured {
    /// The graph within a node.
    pub(super) place: NestedRef,
    /// The graph that it goes into.
    stage: api::GraphHandle,
    /// Nodes that were put into it by hand, in that order.
    pub(super) put: Vec<Put>,
}

/// A node that the graph within is to have at the end.
pub(super) struct Put {
    /// The name that it will have, which the empty node has that stands for it.
    pub(super) node: NodeId,
    pub(super) work: PutWork,
}

/// Work that such a node will do.
pub(crate) enum PutWork {
    /// Run a copy of the graph, which lives as it is until then, and of which nobody else knows; its nodes will have these names.
    Child(api::GraphHandle, Box<NodeTable>),
    Conditional(Conditional),
    /// The graph does not get the node.
    Nothing,
}

impl Captured {
    pub(super) fn new(place: NestedRef, stage: api::GraphHandle) -> Captured {
        Captured { place, stage, put: Vec::new() }
    }

    /// Returns whether it goes into `stage` in the place of that graph.
    pub(super) fn is(&self, place: Option<NestedRef>, stage: api::GraphHandle) -> bool {
        Some(self.place) == place && self.stage == stage
    }

    /// Returns whether a node was put into it that has the condition.
    pub(super) fn has(&self, condition: ConditionId) -> bool {
        self.put.iter().any(|put| matches!(&put.work, PutWork::Conditional(put) if put.condition == condition))
    }
}
