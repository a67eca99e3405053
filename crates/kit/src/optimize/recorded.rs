//! A graph as it was recorded.

use graphcap_base::error::Result;
use graphcap_core::{Graph, NodeParams};
use graphcap_driver::{EdgeData, NodeId, NodeKind, NodeMap, NodeValues, ReadKernels};

/// Work of the nodes of a graph.
pub(crate) type Works = NodeValues<NodeParams>;

/// Reads what the nodes of a graph do, which is quicker than one by one; of a kernel that is not among `kernels` its kind alone.
pub(crate) fn works_of(graph: &Graph, kernels: ReadKernels) -> Result<Works> {
    Ok(NodeValues::new(graph.all_node_params_of(kernels)?))
}

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
        let recorded = Recorded::without_kinds(graph)?;
        Ok(recorded.with_kinds(&works_of(graph, ReadKernels::None)?))
    }

    /// As [`Recorded::read`], of which the kinds are still to be told.
    pub(crate) fn without_kinds(graph: &Graph) -> Result<Recorded> {
        let read = graph.nodes_in_order()?;
        let edges = read.edges_with_data();
        let nodes = read.nodes;
        let places = NodeValues::new(nodes.iter().copied().zip(0..).collect());
        let mut after = vec![Vec::new(); nodes.len()];
        for (from, to, _) in &edges {
            if let (Some(&from), Some(after)) =
                (places.get(*from), places.get(*to).and_then(|&to: &u32| after.get_mut(to as usize)))
            {
                after.push(from);
            }
        }
        after.iter_mut().for_each(|after| after.sort_unstable());
        Ok(Recorded { nodes, kinds: Vec::new(), edges, after })
    }

    /// Takes the kinds from what the nodes do.
    pub(crate) fn with_kinds(self, works: &Works) -> Recorded {
        let kind = |node: &NodeId| works.get(*node).map_or(NodeKind::Other, NodeParams::kind);
        Recorded { kinds: self.nodes.iter().map(kind).collect(), ..self }
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
