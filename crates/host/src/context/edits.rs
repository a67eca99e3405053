//! Edits of graphs, by the ids of their nodes.

use std::sync::Arc;

use super::nodes::not_copied;
use super::HostContext;
use crate::graph::condition::{self, Condition};
use crate::graph::nesting::Located;
use crate::graph::Inner;
use crate::graph::{Action, Graph};
use crate::memory;
use crate::shared::OBJECTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::{enter, key_of, not_an_allocation};
use graphcap_driver::refusals::not_added_so;
use graphcap_driver::{Allocated, ConditionId, EdgeData, ExecNames, GraphEdits, GraphId, MemAlloc, NodeId, Work};

impl GraphEdits for HostContext {
    fn graph_add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        self.check_call()?;
        match work {
            Work::MemAlloc(_) => Err(not_added_so()),
            _ => self.add_node(graph, dependencies, work),
        }
    }

    fn graph_add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated> {
        self.check_call()?;
        let node = self.add_node(graph, dependencies, &Work::MemAlloc(MemAlloc { bytes, address: 0 }))?;
        self.node_allocation(graph, node)
    }

    fn node_allocation(&self, graph: GraphId, node: NodeId) -> Result<Allocated> {
        self.check_call()?;
        match self.graph_at(graph, |graph, path| graph.at(path)?.action(node))? {
            Action::MemAlloc(memory) => {
                let (address, bytes) = (memory.address(), memory.bytes());
                Ok(Allocated { node, memory: memory::name_kept(memory), address, bytes })
            }
            other => Err(not_an_allocation(other.kind())),
        }
    }

    fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        self.check_call()?;
        // What it did goes where no lock is held: it may be the last to have a host function.
        let removed = self.graph_at(graph, |graph, path| graph.remove(path, node))?;
        forget(&removed.graphs);
        Ok(())
    }

    fn graph_add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.edit(path)?.add_edges_with_data(edges))
    }

    fn graph_remove_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.remove_edges(path, edges))
    }

    fn node_set(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.check_call()?;
        // It goes where no lock is held, and so does what it is exchanged for.
        let mut action = self.settable_action(work, Some(graph))?;
        forget(&self.graph_at(graph, |graph, path| graph.set(path, node, &mut action))?);
        Ok(())
    }

    fn node_graphs(&self, graph: GraphId, node: NodeId) -> Result<Vec<GraphId>> {
        self.check_call()?;
        let located = Arc::clone(&*self.located(graph)?);
        self.graph_at(graph, |graph, path| {
            graph.ids_within(path, node, |path| {
                let within = Located { root: Arc::clone(&located.root), path };
                enter(&OBJECTS.graphs, Arc::new(within), "graphs").map(GraphId)
            })
        })
    }

    fn are_conditions_marked(&self) -> bool {
        true
    }

    fn condition_create(&self, graph: GraphId, default: u32) -> Result<ConditionId> {
        self.check_call()?;
        let context = Arc::clone(&self.state);
        let fault = Box::new(move |error| context.fault(error));
        self.graph_at(graph, |graph, _| {
            let condition = Condition::new(default, fault)?;
            let id = condition.id();
            graph.conditions.push(Arc::new(condition));
            Ok(id)
        })
    }

    fn condition_call_by(&self, condition: ConditionId, names: Arc<dyn ExecNames>) {
        condition::call_by(condition, names);
    }

    fn graph_clone(&self, graph: GraphId) -> Result<GraphId> {
        self.copy_graph(graph, |graph, path| {
            let owns_conditions = path.is_empty() && !graph.conditions.is_empty();
            graph.at(path).is_ok_and(|definition| definition.is_owner()) || owns_conditions
        })
        .map(|(copy, _)| copy)
    }

    fn graph_copy_to_watch(&self, graph: GraphId) -> Result<(GraphId, Vec<(NodeId, NodeId)>)> {
        self.copy_graph(graph, |graph, path| match path {
            [] => graph.definition.allocates(),
            _ => graph.at(path).is_ok_and(|definition| definition.is_owner()),
        })
    }

    fn node_in_clone(&self, graph: GraphId, node: NodeId, clone: GraphId) -> Result<NodeId> {
        self.check_call()?;
        let copied = self.graph_at(graph, |graph, path| graph.at(path)?.copied(node))?;
        self.graph_at(clone, |clone, path| clone.at(path)?.copy_of(copied))
    }
}

impl HostContext {
    /// Copies a graph, unless what it owns bars that. The copy has the conditions of the graph. Gives the nodes of graphs within nodes of
    /// the copy too, each with the one that it is a copy of.
    fn copy_graph(
        &self,
        graph: GraphId,
        is_barred: impl FnOnce(&Graph, &[Inner]) -> bool,
    ) -> Result<(GraphId, Vec<(NodeId, NodeId)>)> {
        self.check_call()?;
        let (clone, inner) = self.graph_at(graph, |graph, path| {
            graph.check_whole()?;
            let definition = graph.at(path)?;
            if definition.has_updatable() || graph.is_body(path) || is_barred(graph, path) {
                return Err(not_copied());
            }
            let (copy, inner) = definition.copy_with_inner();
            Ok((graph.copy_of(copy, path, self.number()), inner))
        })?;
        Ok((self.enter_graph(clone)?, inner))
    }

    fn add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        // Taken out under the lock only where the node is added: else it may be the last to have a host function.
        let mut action = match work {
            Work::MemAlloc(_) | Work::MemFree(_) => None,
            _ => Some(self.node_action(work, Some(graph))?),
        };
        self.graph_at(graph, |graph, path| {
            // What a capture has recorded into it so far is none of its nodes.
            graph.check_is_open(path)?;
            let dependencies = graph.at(path)?.new_dependencies(dependencies)?;
            match work {
                Work::MemAlloc(alloc) => action = Some(graph.allocation(path, &dependencies, alloc.bytes)?),
                Work::MemFree(freed) => action = Some(graph.free(path, freed.address)?),
                _ => {}
            }
            let definition = graph.edit(path)?;
            let claimed = action.as_ref().ok_or_else(no_room)?.claim()?;
            match definition.add_any(&mut action, dependencies) {
                Some(slot) => {
                    claimed.added(slot);
                    Ok(definition.id(slot))
                }
                None => {
                    claimed.give_back();
                    Err(no_room())
                }
            }
        })
    }
}

/// Forgets the ids of graphs that lie in no node any more.
fn forget(graphs: &[GraphId]) {
    graphs.iter().for_each(|graph| drop(OBJECTS.graphs.remove(key_of(graph.0))));
}

#[cold]
fn no_room() -> Error {
    Error::new(Status::OUT_OF_MEMORY, "the graph has as many nodes as a graph can have, or as there is memory for")
}
