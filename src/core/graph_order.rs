//! What is asked about a graph's nodes: their kinds, what orders them, and an order in which they can run.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::edges::carries_something;
use super::graph::Graph;
use crate::driver::{GraphNodes, GraphRef, NodeId, NodeKind};
use crate::error::{Error, Result};

impl Graph {
    /// What kind of work a node does.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn node_kind(&self, node: NodeId) -> Result<NodeKind> {
        let mut kind = NodeKind::Other;
        self.context().driver().node_work(GraphRef::Known(self.id()), node, &mut |work| kind = work.kind())?;
        Ok(kind)
    }

    /// The nodes that `node` waits for, in the order in which they were made.
    ///
    /// # Errors
    /// As [`Graph::node_kind`]; `LOSSY_QUERY` when one of the edges carries something.
    pub fn dependencies(&self, node: NodeId) -> Result<Vec<NodeId>> {
        self.neighbours(node, |(from, to)| (to == node).then_some(from))
    }

    /// The nodes that wait for `node`, in the order in which they were made.
    ///
    /// # Errors
    /// As [`Graph::dependencies`].
    pub fn dependents(&self, node: NodeId) -> Result<Vec<NodeId>> {
        self.neighbours(node, |(from, to)| (from == node).then_some(to))
    }

    fn neighbours(&self, node: NodeId, pick: impl Fn((NodeId, NodeId)) -> Option<NodeId>) -> Result<Vec<NodeId>> {
        let GraphNodes { nodes, edges, carrying } = self.nodes()?;
        if !nodes.contains(&node) {
            return Err(Error::invalid_value(format!("the graph has no node {:#x}", node.0)));
        }
        if carrying.into_iter().any(|(from, to, _)| pick((from, to)).is_some()) {
            return Err(carries_something());
        }
        let mut picked: Vec<NodeId> = edges.into_iter().filter_map(pick).collect();
        let places: HashMap<NodeId, usize> = nodes.into_iter().zip(0..).collect();
        picked.sort_unstable_by_key(|node| places.get(node).copied());
        Ok(picked)
    }

    /// The nodes that wait for no other node, in the order in which they were made.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn roots(&self) -> Result<Vec<NodeId>> {
        let GraphNodes { mut nodes, edges, .. } = self.nodes()?;
        let waiting: std::collections::HashSet<NodeId> = edges.into_iter().map(|(_, to)| to).collect();
        nodes.retain(|node| !waiting.contains(node));
        Ok(nodes)
    }

    /// The nodes, each after those that it waits for; of those that can come next the one that was made first.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the edges form a cycle; the status of a context that faulted.
    pub fn order(&self) -> Result<Vec<NodeId>> {
        in_order(&self.nodes()?).ok_or_else(|| {
            Error::invalid_value(
                "the edges of the graph form a cycle, so that no order runs all nodes; remove an edge of it",
            )
        })
    }
}

/// The nodes in the order that [`Graph::order`] tells; `None` where there is none.
fn in_order(GraphNodes { nodes, edges, .. }: &GraphNodes) -> Option<Vec<NodeId>> {
    let places: HashMap<NodeId, usize> = nodes.iter().copied().zip(0..).collect();
    let mut waits = vec![0usize; nodes.len()];
    let mut dependents = vec![Vec::new(); nodes.len()];
    for (from, to) in edges {
        let (from, to) = (*places.get(from)?, *places.get(to)?);
        waits[to] += 1;
        dependents[from].push(to);
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..nodes.len()).filter(|&place| waits[place] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse(place)) = ready.pop() {
        order.push(nodes[place]);
        for &dependent in &dependents[place] {
            waits[dependent] -= 1;
            if waits[dependent] == 0 {
                ready.push(Reverse(dependent));
            }
        }
    }
    (order.len() == nodes.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(count: u64, edges: &[(u64, u64)]) -> GraphNodes {
        GraphNodes {
            nodes: (1..=count).map(NodeId).collect(),
            edges: edges.iter().map(|&(from, to)| (NodeId(from), NodeId(to))).collect(),
            carrying: Vec::new(),
        }
    }

    #[test]
    fn an_order_follows_the_edges_and_else_the_age_of_nodes() {
        let order =
            |graph: &GraphNodes| in_order(graph).map(|order| order.into_iter().map(|node| node.0).collect::<Vec<_>>());
        assert_eq!(order(&graph(0, &[])), Some(vec![]));
        assert_eq!(order(&graph(4, &[])), Some(vec![1, 2, 3, 4]));
        assert_eq!(order(&graph(4, &[(4, 1), (1, 2)])), Some(vec![3, 4, 1, 2]));
        assert_eq!(order(&graph(4, &[(2, 1), (3, 1), (1, 4), (3, 4)])), Some(vec![2, 3, 1, 4]));
        assert_eq!(order(&graph(3, &[(1, 2), (2, 3), (3, 2)])), None);
    }
}
