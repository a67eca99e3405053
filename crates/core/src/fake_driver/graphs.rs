//! The fake driver's graphs, each a chain of nodes with edges beside it.

use std::collections::HashMap;

use super::work::{FakeNodes, FakeWork};
use super::{failure, key, FakeDriver, State};
use graphcap_base::error::{Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::*;

#[derive(Clone, Default)]
pub(super) struct Plan {
    pub(super) nodes: FakeNodes,
    pub(super) retained: Lists,
    /// Edges beside those of the chain.
    pub(super) edges: Vec<(NodeId, NodeId, EdgeData)>,
    pub(super) attributes: HashMap<(NodeId, u32), AttributeValue>,
}

impl State {
    fn nodes_of(&self, graph: GraphRef) -> &FakeNodes {
        match graph {
            GraphRef::Known(graph) => &self.graphs[&graph].nodes,
            GraphRef::Captured(stream) => &self.captures[&self.captured[&key(stream)]].nodes,
        }
    }
}

impl FakeDriver {
    pub(crate) fn graphs(&self) -> usize {
        lock(&self.state).graphs.len()
    }

    /// Others end a capture into the graph, and have it from here on.
    pub(crate) fn take_graph(&self, graph: GraphId) {
        lock(&self.state).taken.insert(graph);
    }

    /// The end of a capture into the graph fails, which is the end of the graph.
    pub(crate) fn lose_graph(&self, graph: GraphId) {
        lock(&self.state).lost.insert(graph);
    }

    /// A node calls a kernel from here on that was not found through graphcap.
    pub(crate) fn call_foreign_kernel(&self, graph: GraphId, node: NodeId) {
        let mut state = lock(&self.state);
        let node = state.graphs.get_mut(&graph).and_then(|plan| plan.nodes.nodes.get_mut(&node.0)).unwrap();
        node.work = FakeWork::Kernel(KernelId::FOREIGN, Some(Vec::new()));
    }

    /// The work of a node of a graph can be told no longer.
    pub(crate) fn hide(&self, graph: GraphId, node: NodeId, kind: NodeKind) {
        let mut state = lock(&self.state);
        let node = state.graphs.get_mut(&graph).and_then(|plan| plan.nodes.nodes.get_mut(&node.0)).unwrap();
        node.work = match &node.work {
            FakeWork::Kernel(kernel, _) if kind == NodeKind::Kernel => FakeWork::Kernel(*kernel, None),
            _ => FakeWork::Plain(Work::Opaque(kind)),
        };
    }

    /// Lists that the driver's graph holds for others.
    pub(crate) fn held_by_graph(&self, graph: GraphId) -> Lists {
        lock(&self.state).graphs[&graph].retained.clone()
    }
}

impl Graphs for FakeDriver {
    fn graph_create(&self) -> Result<GraphId> {
        self.call("graph_create", |state| {
            let graph = GraphId(state.id());
            state.graphs.insert(graph, Plan::default());
            Ok(graph)
        })
    }
    fn graph_retain(&self, graph: GraphId, lists: &[Retained]) -> Result<()> {
        self.call("graph_retain", |state| {
            state.graphs.get_mut(&graph).unwrap().retained.extend(lists.iter().cloned());
            Ok(())
        })
    }
    fn graph_was_taken(&self, graph: GraphId) -> bool {
        lock(&self.state).taken.contains(&graph)
    }
    fn graph_is_lost(&self, graph: GraphId) -> bool {
        lock(&self.state).lost.contains(&graph)
    }
    fn graph_destroy_with(&self, graph: GraphId, kept: Lists) {
        let destroyed = self.call("graph_destroy", |state| {
            let found = state.graphs.remove(&graph);
            if found.is_none() {
                state.violation(format!("{graph:?} destroyed twice"));
            }
            Ok(found)
        });
        drop(destroyed);
        drop(kept);
    }
    fn graph_node_count(&self, graph: GraphId) -> Result<usize> {
        self.call("graph_node_count", |state| Ok(state.graphs[&graph].nodes.len()))
    }
    fn graph_edge_count(&self, graph: GraphId) -> Result<usize> {
        self.call("graph_edge_count", |state| Ok(state.graphs[&graph].nodes.len().saturating_sub(1)))
    }
    fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes> {
        self.call("graph_nodes", |state| {
            let nodes = state.nodes_of(graph).ids();
            let mut edges = state.nodes_of(graph).chain();
            let added = match graph {
                GraphRef::Known(graph) => &state.graphs[&graph].edges[..],
                GraphRef::Captured(_) => &[],
            };
            edges.extend(added.iter().map(|&(from, to, _)| (from, to)));
            let carrying = added.iter().filter(|(_, _, data)| !data.is_none()).copied().collect();
            Ok(GraphNodes { nodes, edges, carrying })
        })
    }
    fn node_waits(&self, graph: GraphId, node: NodeId) -> Result<Vec<NodeId>> {
        let edges = self.graph_nodes(GraphRef::Known(graph))?.edges;
        Ok(edges.into_iter().filter(|&(_, to)| to == node).map(|(from, _)| from).collect())
    }
    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        self.call("node_work", |state| {
            let Some(node) = state.nodes_of(graph).nodes.get(&node.0) else {
                return failure(Status::INVALID_VALUE);
            };
            // With the lock, as a device may do it: a call from within would not return.
            node.work.read(read);
            Ok(())
        })
    }
}
