//! Number of nodes of each kind that a graph has, with those of the graphs within it, and the bytes that follow from that.

use super::graph::Graph;
use graphcap_base::error::Result;
use graphcap_driver::{ByteModel, Bytes, NodeKind};

/// Numbers that kinds have, and some that they have not.
const KINDS: usize = NodeKind::Other as usize + 1;

/// The nodes of a graph by their kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Census {
    kinds: [u32; KINDS],
    /// Of the graph and of those within it.
    graphs: u32,
    edges: usize,
}

impl Census {
    /// Counts the nodes of `graph`.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub(crate) fn of(graph: &Graph) -> Result<Census> {
        let mut census = Census::default();
        // Not by calls of themselves, since graphs can be within each other to any depth.
        let mut uncounted = vec![graph.clone()];
        while let Some(graph) = uncounted.pop() {
            let nodes = graph.nodes()?;
            census.graphs += 1;
            census.edges += nodes.edges.len();
            for node in nodes.nodes {
                let kind = graph.context().driver()?.node_kind(graph.id(), node)?;
                if let Some(count) = census.kinds.get_mut(kind as usize) {
                    *count += 1;
                }
                if matches!(kind, NodeKind::Child | NodeKind::Conditional) {
                    uncounted.extend(graph.node_graphs(node)?);
                }
            }
        }
        Ok(census)
    }

    /// Returns whether there are no nodes.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds == [0; KINDS]
    }

    /// Returns whether the graph has nodes of a kind.
    pub(crate) fn has(&self, kind: NodeKind) -> bool {
        self.count(kind) > 0
    }

    fn count(&self, kind: NodeKind) -> u32 {
        self.kinds.get(kind as usize).copied().unwrap_or(0)
    }

    /// Returns what an exec of the graph takes.
    pub(crate) fn exec_bytes(&self, model: ByteModel) -> Bytes {
        self.nodes(|kind| model.exec_node(kind)) + model.exec()
    }

    /// Returns what the graph itself takes.
    pub(crate) fn graph_bytes(&self, model: ByteModel) -> Bytes {
        self.nodes(|kind| model.graph_node(kind)) + model.graph().times(self.graphs.into())
    }

    fn nodes(&self, node: impl Fn(NodeKind) -> Bytes) -> Bytes {
        NodeKind::ALL.iter().map(|&kind| node(kind).times(self.count(kind).into())).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{Context, NodeWork};
    use graphcap_driver::{Conditional, ConditionalKind, DeviceChoice, DeviceKind};

    #[test]
    fn nodes_of_graphs_within_are_counted() {
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let child = Graph::create(&context).unwrap();
        child.add_node(&[], &NodeWork::Empty).unwrap();
        let graph = Graph::create(&context).unwrap();
        assert!(Census::of(&graph).unwrap().is_empty());
        let first = graph.add_node(&[], &NodeWork::Child(&child)).unwrap();
        let condition = graph.create_condition(0).unwrap();
        let conditional = Conditional { condition, kind: ConditionalKind::If, bodies: 2 };
        let second = graph.add_node(&[first], &NodeWork::Conditional(conditional)).unwrap();
        graph.node_graphs(second).unwrap()[1].add_node(&[], &NodeWork::Empty).unwrap();
        let census = Census::of(&graph).unwrap();
        assert_eq!((census.graphs, census.edges, census.kinds.iter().sum::<u32>()), (4, 1, 4));
        assert!(census.has(NodeKind::Conditional) && census.has(NodeKind::Empty) && !census.has(NodeKind::Kernel));
        let model = ByteModel::Cuda;
        let nodes = [NodeKind::Child, NodeKind::Conditional, NodeKind::Empty, NodeKind::Empty];
        let exec: Bytes = nodes.into_iter().map(|kind| model.exec_node(kind)).sum();
        assert_eq!(census.exec_bytes(model), exec + model.exec());
        assert_eq!(census.graph_bytes(model), model.graph_node(NodeKind::Empty).times(4) + model.graph().times(4));
    }

    #[test]
    fn each_kind_has_a_number_of_its_own() {
        let numbers: BTreeSet<_> = NodeKind::ALL.iter().map(|&kind| kind as usize).collect();
        assert!(numbers.len() == NodeKind::ALL.len() && numbers.iter().all(|&number| number < KINDS));
    }
}
