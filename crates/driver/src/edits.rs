//! Edits of graphs and of their executables: nodes and edges that are added, removed and changed by hand.
//!
//! An edit is made wholly or, where it fails, not at all.

use std::sync::Arc;

use super::{Address, ConditionId, EdgeData, ExecId, ExecNames, GraphId, Launch, Lists, MemoryId, NodeId, Work};
use graphcap_base::error::Result;

/// Sets kernel nodes one by one.
fn set_each(launches: &[(NodeId, Launch<'_>)], set: impl Fn(NodeId, &Work<'_>) -> Result<()>) -> (usize, Result<()>) {
    for (done, (node, launch)) in launches.iter().enumerate() {
        if let Err(error) = set(*node, &Work::Kernel(*launch)) {
            return (done, Err(error));
        }
    }
    (launches.len(), Ok(()))
}

/// Tells which nodes the kernel at a place of a list waits for.
pub type DependenciesOf<'a> = dyn FnMut(usize) -> &'a [NodeId] + 'a;

/// Graphs that are built and changed by hand. The rules of [`Driver`](super::Driver) hold. No edit is an unsafe call under the
/// capture rules.
///
/// A method answers `INVALID_VALUE` for an id of no node of the graph in question, and `ILLEGAL_STATE` for what would take a
/// node or an edge from under a capture that goes into the graph, as far as graphcap knows of it.
pub trait GraphEdits: Send + Sync {
    /// Adds a node that does `work` after `dependencies`. What `work` borrows is copied before this returns; what the node needs
    /// is kept by whoever adds it. `INVALID_VALUE` for a
    /// dependency that is listed twice, and for work that the device cannot do; `NOT_SUPPORTED` for work that it can never do.
    fn graph_add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId>;
    /// Adds kernel nodes, one after another, as [`GraphEdits::graph_add_node`]. `told` is told each node before `dependencies` is asked of the
    /// next one. The launches have no attributes. Fails with the first one that is not added; those before it stay.
    fn graph_add_kernels(
        &self,
        graph: GraphId,
        launches: &[Launch<'_>],
        dependencies: &mut DependenciesOf<'_>,
        told: &mut dyn FnMut(NodeId),
    ) -> Result<()> {
        let mut each = launches.iter().enumerate();
        each.try_for_each(|(index, launch)| {
            self.graph_add_node(graph, dependencies(index), &Work::Kernel(*launch)).map(&mut *told)
        })
    }
    /// Adds a node that allocates memory, as [`GraphEdits::graph_add_node`], and names the memory, as
    /// [`GraphEdits::node_allocation`].
    fn graph_add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated>;
    /// Names the memory of a node that allocates. The name is given back by [`Memory::release`](super::Memory::release). With the last
    /// one goes what launches have left allocated, where no node frees it and graphcap knows of every launch. Work that is given the
    /// address while the name is held harms nothing on a host device, whether the memory is allocated or not. `INVALID_VALUE` for a node
    /// of another kind.
    fn node_allocation(&self, graph: GraphId, node: NodeId) -> Result<Allocated>;
    /// Removes a node with all its edges. Its id is none of a node from then on; execs that were made before still have it.
    fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()>;
    /// Adds edges, each from a node to one that then depends on it, with what they carry. `INVALID_VALUE` for an edge that is
    /// there, is listed twice, leads from a node to itself, or cannot carry what it is to; `NOT_SUPPORTED` for one that is to
    /// carry something where the driver has no such edges. Edges may form a cycle, which
    /// [`Execs::graph_instantiate`](super::Execs::graph_instantiate) refuses.
    fn graph_add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()>;
    /// Removes edges. `INVALID_VALUE` for one that is not there or is listed twice.
    fn graph_remove_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()>;
    /// Makes a node do other work of the same kind. As [`GraphEdits::graph_add_node`]; `INVALID_VALUE` also for work of another
    /// kind.
    fn node_set(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()>;
    /// Makes kernel nodes launch these, one after another, as [`GraphEdits::node_set`]. Gives how many were set, the first ones, and why the
    /// next one was not. The launches have no attributes.
    fn graph_set_kernels(&self, graph: GraphId, launches: &[(NodeId, Launch<'_>)]) -> (usize, Result<()>) {
        set_each(launches, |node, work| self.node_set(graph, node, work))
    }
    /// The graph of a child node, or the bodies of a conditional one, in their order. Each id holds until the node is removed or
    /// gets another graph, or the outermost graph is destroyed; after that it is `INVALID_HANDLE`. Such a graph can do what others can,
    /// but for: being destroyed, which does nothing; being instantiated or added as a child, which is `NOT_SUPPORTED`; and being kept for,
    /// which is `INVALID_VALUE`. No other call
    /// uses the outermost graph or any graph within it while one goes on. `INVALID_VALUE` for a node of another kind.
    fn node_graphs(&self, graph: GraphId, node: NodeId) -> Result<Vec<GraphId>>;
    /// Makes a condition for one node of the graph. Each launch of the outermost graph begins with the value `default`.
    fn condition_create(&self, graph: GraphId, default: u32) -> Result<ConditionId>;
    /// Makes messages call the graph of a condition by these names. A device that does not tell when a condition is set wrongly needs none.
    fn condition_call_by(&self, _condition: ConditionId, _names: Arc<dyn ExecNames>) {}
    /// Returns whether ids of conditions look like no number that a program uses, so that an argument of a kernel which equals one is one.
    fn are_conditions_marked(&self) -> bool;
    /// Copies a graph as it is now: nodes and edges. Each node of
    /// the copy has the same [place](NodeId::place) as the node that it is a copy of. `NOT_SUPPORTED` for a graph with nodes
    /// that a graph alone can own: allocations, and conditions.
    fn graph_clone(&self, graph: GraphId) -> Result<GraphId>;
    /// As [`GraphEdits::graph_clone`], to mark how far launches of the graph are. A device that can do so copies a graph with conditions
    /// too: the copy shares them with the graph, and either one has an exec at a time. Gives the nodes of graphs within nodes of the
    /// copy, each with the one that it is a copy of, on a device that tells which node of an exec runs.
    fn graph_copy_to_watch(&self, graph: GraphId) -> Result<(GraphId, Vec<(NodeId, NodeId)>)> {
        Ok((self.graph_clone(graph)?, Vec::new()))
    }
    /// The node of `clone` that is a copy of `node` of `graph`. `INVALID_VALUE` also where `clone` is no copy of the graph, or
    /// where its node was removed.
    fn node_in_clone(&self, graph: GraphId, node: NodeId, clone: GraphId) -> Result<NodeId>;
    /// As [`GraphEdits::node_in_clone`], of several nodes.
    fn nodes_in_clone(&self, graph: GraphId, nodes: &[NodeId], clone: GraphId) -> Result<Vec<NodeId>> {
        nodes.iter().map(|&node| self.node_in_clone(graph, node, clone)).collect()
    }
}

/// The memory of a node that allocates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocated {
    /// The node.
    pub node: NodeId,
    /// The name of the memory.
    pub memory: MemoryId,
    /// Its address while it is allocated.
    pub address: Address,
    /// Its size.
    pub bytes: usize,
}

/// Execs that are changed by hand. The nodes are those of the graph that the exec was made from, which must live. Launches that
/// were queued before run as they were; later ones run what was changed. `INVALID_VALUE` for an id of no node of that graph, for
/// a node that the graph got after the exec was made, and where the graph is gone.
pub trait ExecEdits: Send + Sync {
    /// Makes a node do other work of the same kind. The driver bars more changes than of a graph: it tells with `INVALID_VALUE`.
    fn exec_set(&self, exec: ExecId, node: NodeId, work: &Work<'_>) -> Result<()>;
    /// Makes kernel nodes launch these, one after another, as [`ExecEdits::exec_set`]. Gives how many were set, the first ones, and why the
    /// next one was not. The launches have no attributes.
    fn exec_set_kernels(&self, exec: ExecId, launches: &[(NodeId, Launch<'_>)]) -> (usize, Result<()>) {
        set_each(launches, |node, work| self.exec_set(exec, node, work))
    }
    /// Makes a node do nothing, or do again what it does. What depends on it waits all the same for what it depends on.
    /// `INVALID_VALUE` for a node that is none of a kernel, a copy or a memset.
    fn exec_enable(&self, exec: ExecId, node: NodeId, is_enabled: bool) -> Result<()>;
    /// Returns whether a node does what it does in launches from now on. As [`ExecEdits::exec_enable`].
    fn exec_is_enabled(&self, exec: ExecId, node: NodeId) -> Result<bool>;
    /// Tells `superseded` of the streams of the launches that were made of the exec ([`Retain::used_by`](super::Retain::used_by)),
    /// since these may go on to use it, and drops it. Later launches do not use it. Called where no lock is held.
    fn exec_let_go(&self, exec: ExecId, superseded: Lists);
}
