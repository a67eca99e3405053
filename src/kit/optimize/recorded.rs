//! A graph as it was recorded.

use std::collections::HashMap;

use crate::core::Graph;
use crate::driver::{EdgeData, NodeId};
use crate::error::Result;

/// A graph whose nodes have places.
pub(super) struct Recorded {
    /// Each behind those that it waits for.
    pub(super) nodes: Vec<NodeId>,
    pub(super) edges: Vec<(NodeId, NodeId, EdgeData)>,
    /// For each node the places of those that it waits for, ascending.
    pub(super) after: Vec<Vec<u32>>,
}

impl Recorded {
    pub(super) fn read(graph: &Graph) -> Result<Recorded> {
        let nodes = graph.order()?;
        let places: HashMap<NodeId, u32> = nodes.iter().copied().zip(0..).collect();
        let edges = graph.edges_with_data()?;
        let mut after = vec![Vec::new(); nodes.len()];
        for (from, to, _) in &edges {
            if let (Some(&from), Some(after)) =
                (places.get(from), places.get(to).and_then(|&to| after.get_mut(to as usize)))
            {
                after.push(from);
            }
        }
        after.iter_mut().for_each(|after| after.sort_unstable());
        Ok(Recorded { nodes, edges, after })
    }
}
