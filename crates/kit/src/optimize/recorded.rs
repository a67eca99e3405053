//! A graph as it was recorded.

use graphcap_base::error::Result;
use graphcap_core::{Graph, NodeParams};
use graphcap_driver::{EdgeData, NodeId, NodeKind, NodeMap};

/// Work of the nodes of a graph.
pub(crate) type Works = NodeMap<NodeParams>;

/// A graph whose nodes have places.
pub(crate) struct Recorded {
    /// Each behind those that it waits for.
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) kinds: Vec<NodeKind>,
    pub(crate) edges: Vec<(NodeId, NodeId, EdgeData)>,
    /// For each node the places of those that it waits for, ascending.
    pub(crate) after: Vec<Vec<u32>>,
}

impl Recorded {
    /// Returns whether an edge carries something.
    pub(super) fn carries(&self) -> bool {
        self.edges.iter().any(|(_, _, data)| *data != EdgeData::NONE)
    }

    /// Returns whether each node waits for the one before it.
    pub(crate) fn is_chain(&self) -> bool {
        (1..).zip(self.after.iter().skip(1)).all(|(place, after): (u32, _)| after.contains(&(place - 1)))
    }

    pub(crate) fn read(graph: &Graph) -> Result<Recorded> {
        Recorded::with_kinds(graph, |node| graph.node_kind(node))
    }

    /// As [`Recorded::read`], with what is known of the kinds.
    pub(crate) fn with_kinds(graph: &Graph, kind: impl Fn(NodeId) -> Result<NodeKind>) -> Result<Recorded> {
        let nodes = graph.order()?;
        let places: NodeMap<u32> = nodes.iter().copied().zip(0..).collect();
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
        let kinds = nodes.iter().map(|&node| kind(node)).collect::<Result<_>>()?;
        Ok(Recorded { nodes, kinds, edges, after })
    }

    /// The nodes and edges of `copy`, in the places that they have in the recorded graph, of which it is a copy.
    pub(crate) fn in_copy(&self, graph: &Graph, copy: &Graph) -> Result<Recorded> {
        let found = |&node: &NodeId| graph.node_in_copy(node, copy);
        let nodes = self.nodes.iter().map(found).collect::<Result<Vec<_>>>()?;
        let names: NodeMap<NodeId> = self.nodes.iter().copied().zip(nodes.iter().copied()).collect();
        let edge = |&(from, to, data): &(NodeId, NodeId, EdgeData)| Some((*names.get(&from)?, *names.get(&to)?, data));
        let edges = self.edges.iter().filter_map(edge).collect();
        Ok(Recorded { nodes, kinds: self.kinds.clone(), edges, after: self.after.clone() })
    }
}
