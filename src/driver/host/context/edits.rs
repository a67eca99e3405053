//! Edits of graphs, by the ids of their nodes.

use super::HostContext;
use crate::driver::graphs::held_apart;
use crate::driver::host::graph::Definition;
use crate::driver::{ConditionId, GraphEdits, GraphId, NodeId, Work};
use crate::error::{Error, Result, Status};

impl GraphEdits for HostContext {
    fn graph_add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        self.check_call()?;
        // Taken out under the lock only where the node is added: else it may be the last to have a host function.
        let mut action = Some(self.node_action(work)?);
        self.graph(graph, |graph| {
            let dependencies = graph.definition.new_dependencies(dependencies)?;
            let definition = graph.edit();
            let slot = action.take().and_then(|action| definition.add(action, dependencies)).ok_or_else(no_room)?;
            Ok(definition.id(slot))
        })?
    }

    fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        self.check_call()?;
        let removed = self.graph(graph, |graph| graph.remove(node))??;
        // Where no lock is held: it may be the last to have a host function.
        drop(removed);
        Ok(())
    }

    fn graph_add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.check_call()?;
        self.graph(graph, |graph| graph.edit().add_edges(edges))?
    }

    fn graph_remove_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.check_call()?;
        self.graph(graph, |graph| graph.remove_edges(edges))?
    }

    fn node_set(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.check_call()?;
        // What it is exchanged for goes where no lock is held.
        let mut action = self.node_action(work)?;
        self.graph(graph, |graph| graph.edit().exchange(node, &mut action))?
    }

    fn node_graphs(&self, _: GraphId, _: NodeId) -> Result<Vec<GraphId>> {
        Err(unwritten())
    }

    fn condition_create(&self, _: GraphId, _: Option<u32>) -> Result<ConditionId> {
        Err(unwritten())
    }

    fn graph_clone(&self, graph: GraphId) -> Result<GraphId> {
        self.check_call()?;
        let copy = |definition: &Definition| definition.copy();
        let (copy, retained) = self.graph(graph, |graph| (copy(&graph.definition), held_apart(&graph.retained)))?;
        let clone = self.enter_graph(copy)?;
        self.graph(clone, |clone| clone.retained = retained)?;
        Ok(clone)
    }

    fn node_in_clone(&self, graph: GraphId, node: NodeId, clone: GraphId) -> Result<NodeId> {
        self.check_call()?;
        let copied = self.graph(graph, |graph| graph.definition.copied(node))??;
        self.graph(clone, |clone| clone.definition.copy_of(copied))?
    }
}

#[cold]
fn no_room() -> Error {
    Error::new(Status::OUT_OF_MEMORY, "the graph has as many nodes as a graph can have, or as there is memory for")
}

fn unwritten() -> Error {
    Error::new(Status::NOT_SUPPORTED, "not written yet")
}
