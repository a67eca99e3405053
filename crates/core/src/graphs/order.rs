//! Questions about a graph's nodes: their kinds, what orders them, an order in which they can run, and which graph has them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::edges::carries_data;
use super::graph::Graph;
use crate::state::GraphInner;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::room;
use graphcap_driver::{check_caller, EdgeData, GraphNodes, GraphRef, NodeId, NodeKind, NodeValues, Side};

impl Graph {
    /// Returns what kind of work a node does.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn node_kind(&self, node: NodeId) -> Result<NodeKind> {
        self.context().driver()?.node_kind(self.id(), node)
    }

    /// The nodes that `node` waits for, in the order in which they were made.
    ///
    /// # Errors
    /// As [`Graph::node_kind`]; `LOSSY_QUERY` when one of the edges carries something.
    pub fn dependencies(&self, node: NodeId) -> Result<Vec<NodeId>> {
        self.without_data(node, "to", Side::Before)
    }

    /// As [`Graph::dependencies`], whatever the edges carry.
    ///
    /// # Errors
    /// As [`Graph::node_kind`].
    pub fn all_dependencies(&self, node: NodeId) -> Result<Vec<NodeId>> {
        Ok(self.neighbours(node, Side::Before)?.into_iter().map(|(node, _)| node).collect())
    }

    /// The nodes that wait for `node`, in the order in which they were made.
    ///
    /// # Errors
    /// As [`Graph::dependencies`].
    pub fn dependents(&self, node: NodeId) -> Result<Vec<NodeId>> {
        self.without_data(node, "from", Side::After)
    }

    /// As [`Graph::dependents`], whatever the edges carry.
    ///
    /// # Errors
    /// As [`Graph::node_kind`].
    pub fn all_dependents(&self, node: NodeId) -> Result<Vec<NodeId>> {
        Ok(self.neighbours(node, Side::After)?.into_iter().map(|(node, _)| node).collect())
    }

    /// The neighbours of a node, if none of the edges to them carries something.
    fn without_data(&self, node: NodeId, end: &str, side: Side) -> Result<Vec<NodeId>> {
        let found = self.neighbours(node, side)?;
        match found.iter().all(|(_, data)| data.is_none()) {
            true => Ok(found.into_iter().map(|(node, _)| node).collect()),
            false => Err(self.naming(node, carries_data(&format!("an edge {end} node {:#x}", node.0)))),
        }
    }

    fn neighbours(&self, node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>> {
        self.context().driver()?.node_neighbours(self.id(), node, side)
    }

    /// The graph that has `node`: this one, or one within its nodes, at whatever depth.
    ///
    /// # Errors
    /// `INVALID_VALUE` when no such graph has the node; the status of a context that faulted.
    pub fn containing(&self, node: NodeId) -> Result<Graph> {
        check_caller()?;
        let _edits = self.0.root().lock()?;
        let found = containing(&self.0, node)?;
        found.map(Graph).ok_or_else(|| {
            Error::invalid_value(format!("neither the graph nor a graph within it has a node {:#x}", node.0))
        })
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
        Ok(self.nodes_in_order()?.nodes)
    }

    /// The nodes and edges, where the nodes come as [`Graph::order`] has them.
    ///
    /// # Errors
    /// As [`Graph::order`].
    pub fn nodes_in_order(&self) -> Result<GraphNodes> {
        let mut read = self.nodes()?;
        let GraphNodes { nodes, edges, .. } = &mut read;
        let places = NodeValues::new(nodes.iter().copied().zip(0..).collect());
        let mut ends = room::list(edges.len())?;
        ends.extend(edges.iter().filter_map(|(from, to)| Some((*places.get(*from)?, *places.get(*to)?))));
        // Mostly each node was made behind those that it waits for.
        if ends.iter().any(|(from, to)| from >= to) {
            let order = in_order(nodes.len(), &ends)?.ok_or_else(|| {
                Error::invalid_value(
                    "the edges of the graph form a cycle, so that no order runs all nodes; remove an edge of it",
                )
            })?;
            *nodes = order.into_iter().filter_map(|place| nodes.get(place).copied()).collect();
        }
        Ok(read)
    }
}

/// The graph that has `node`: `graph`, or one within it. The outermost graph is locked.
fn containing(graph: &Arc<GraphInner>, node: NodeId) -> Result<Option<Arc<GraphInner>>> {
    let driver = graph.context().driver()?;
    match driver.node_kind(graph.id(), node) {
        Ok(_) => return Ok(Some(Arc::clone(graph))),
        // A graph that cannot be read says so when its nodes are listed.
        Err(error) if error.status == Status::INVALID_VALUE => {}
        Err(error) => return Err(error),
    }
    for own in driver.graph_nodes(GraphRef::Known(graph.id()))?.nodes {
        if matches!(driver.node_kind(graph.id(), own)?, NodeKind::Child | NodeKind::Conditional) {
            for id in driver.node_graphs(graph.id(), own)? {
                let found = containing(&GraphInner::of_node(graph, own, id), node)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
    }
    Ok(None)
}

/// The numbers below `count`, each after those that edges lead from to it; of those that can come next the lowest. `None` where
/// edges form a cycle. Edges lead from and to such numbers.
///
/// # Errors
/// `OUT_OF_MEMORY`.
pub(crate) fn in_order(count: usize, edges: &[(usize, usize)]) -> Result<Option<Vec<usize>>> {
    // What an edge from a number leads to stands in `ends`, up to where those of the next number begin.
    let (mut waits, mut starts) = (room::list(count)?, room::list(count + 1)?);
    waits.resize(count, 0usize);
    starts.resize(count + 1, 0usize);
    for &(from, to) in edges {
        waits[to] += 1;
        starts[from] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut ends = room::list(edges.len())?;
    ends.resize(edges.len(), 0usize);
    for &(from, to) in edges {
        starts[from] -= 1;
        ends[starts[from]] = to;
    }
    let mut ready = room::list(count)?;
    ready.extend((0..count).filter(|&place| waits[place] == 0).map(Reverse));
    let mut ready = BinaryHeap::from(ready);
    let mut order = room::list(count)?;
    while let Some(Reverse(place)) = ready.pop() {
        order.push(place);
        for &next in &ends[starts[place]..starts[place + 1]] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    Ok((order.len() == count).then_some(order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::node_work::NodeWork;
    use crate::Context;
    use graphcap_driver::{DeviceChoice, DeviceKind};

    #[test]
    fn a_node_is_found_in_the_graph_that_has_it() {
        // The driver for tests has no graphs within nodes.
        let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap();
        let [innermost, middle, outermost] = [(); 3].map(|()| Graph::create(&context).unwrap());
        innermost.add_node(&[], &NodeWork::Empty).unwrap();
        middle.add_node(&[], &NodeWork::Empty).unwrap();
        middle.add_node(&[], &NodeWork::Child(&innermost)).unwrap();
        let plain = outermost.add_node(&[], &NodeWork::Empty).unwrap();
        let child = outermost.add_node(&[], &NodeWork::Child(&middle)).unwrap();
        let within = outermost.node_graphs(child).unwrap().remove(0);
        let deepest = within.node_graphs(within.nodes().unwrap().nodes[1]).unwrap().remove(0);
        for (graph, node) in [(&outermost, plain), (&outermost, child)]
            .into_iter()
            .chain([&within, &deepest].map(|graph| (graph, graph.nodes().unwrap().nodes[0])))
        {
            assert_eq!(outermost.containing(node).unwrap().id(), graph.id());
        }
        let deep = deepest.nodes().unwrap().nodes[0];
        assert_eq!(within.containing(deep).unwrap().id(), deepest.id());
        for (graph, stranger) in
            [(&within, plain), (&deepest, child), (&outermost, NodeId(0)), (&outermost, NodeId(!0))]
        {
            assert_eq!(graph.containing(stranger).unwrap_err().status, Status::INVALID_VALUE);
        }
        drop(outermost);
        assert_eq!(within.containing(deep).unwrap_err().status, Status::INVALID_HANDLE);
    }

    #[test]
    fn an_order_follows_the_edges_and_else_the_numbers() {
        let order = |count, edges: &[(usize, usize)]| in_order(count, edges).unwrap();
        assert_eq!(order(0, &[]), Some(vec![]));
        assert_eq!(order(4, &[]), Some(vec![0, 1, 2, 3]));
        assert_eq!(order(4, &[(3, 0), (0, 1)]), Some(vec![2, 3, 0, 1]));
        assert_eq!(order(4, &[(1, 0), (2, 0), (0, 3), (2, 3)]), Some(vec![1, 2, 0, 3]));
        assert_eq!(order(3, &[(0, 1), (1, 2), (2, 1)]), None);
    }
}
