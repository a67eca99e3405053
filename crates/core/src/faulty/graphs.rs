//! Graphs and their nodes.

use std::sync::Arc;

use super::forward::{forward, plain};
use super::{Faulty, State};
use graphcap_base::error::Result;
use graphcap_driver::*;

impl Faulty {
    pub(crate) fn graphs(&self) -> usize {
        self.state().graphs.len()
    }

    /// Others end a capture into the graph, and have it from here on.
    pub(crate) fn take_graph(&self, graph: GraphId) {
        self.state().taken.insert(graph);
    }

    /// The end of a capture into the graph fails, which is the end of the graph.
    pub(crate) fn lose_graph(&self, graph: GraphId) {
        self.state().lost.insert(graph);
    }

    /// A node calls a kernel from here on that was not found through graphcap.
    pub(crate) fn call_foreign_kernel(&self, graph: GraphId, node: NodeId) {
        self.hide(graph, node, NodeKind::Other);
    }

    /// The work of a node of a graph can be told no longer.
    pub(crate) fn hide(&self, graph: GraphId, node: NodeId, kind: NodeKind) {
        self.state().changed.insert((graph, node), kind);
    }

    /// Lists that the driver's graph holds for others.
    pub(crate) fn held_by_graph(&self, graph: GraphId) -> Lists {
        self.state().retained.get(&graph).cloned().unwrap_or_default()
    }

    /// Tells `read` the work of a node, as it is after what others did.
    fn read(&self, graph: GraphRef, node: NodeId, work: &Work<'_>, read: &mut dyn FnMut(&Work<'_>)) {
        let GraphRef::Known(graph) = graph else { return read(work) };
        let changed = self.state().changed.get(&(graph, node)).copied();
        match (changed, work) {
            (None, work) => read(work),
            (Some(NodeKind::Other), &Work::Kernel(launch)) => {
                let arguments = Arguments::Separate(&[]);
                read(&Work::Kernel(Launch { kernel: KernelId::FOREIGN, name: "", arguments, ..launch }));
            }
            (Some(NodeKind::Kernel), &Work::Kernel(launch)) => {
                read(&Work::Kernel(Launch { arguments: Arguments::Unknown, ..launch }))
            }
            (Some(kind), _) => read(&Work::Opaque(kind)),
        }
    }
}

impl Graphs for Faulty {
    fn graph_create(&self) -> Result<GraphId> {
        let note = |state: &mut State, graph| _ = state.graphs.insert(graph);
        self.call_noting("graph_create", || self.host.graph_create(), note)
    }
    fn graph_retain(&self, graph: GraphId, lists: &[Retained]) -> Result<()> {
        let note = |state: &mut State, ()| state.retained.entry(graph).or_default().extend(lists.iter().cloned());
        self.call_noting("graph_retain", || self.host.graph_retain(graph, lists), note)
    }
    fn graph_was_taken(&self, graph: GraphId) -> bool {
        self.state().taken.contains(&graph)
    }
    fn graph_is_lost(&self, graph: GraphId) -> bool {
        self.state().lost.contains(&graph) || self.host.graph_is_lost(graph)
    }
    fn graph_destroy_with(&self, graph: GraphId, kept: Lists) {
        let retained = self.call("graph_destroy", || {
            let state = &mut *self.state();
            if !state.graphs.remove(&graph) {
                state.violation(format!("{graph:?} destroyed twice"));
            }
            Ok(state.retained.remove(&graph))
        });
        self.host.graph_destroy_with(graph, kept);
        drop(retained);
    }
    fn node_work(&self, graph: GraphRef, node: NodeId, read: &mut dyn FnMut(&Work<'_>)) -> Result<()> {
        self.call("node_work", || self.host.node_work(graph, node, &mut |work| self.read(graph, node, work, read)))
    }
    fn graph_work(&self, graph: GraphId, kernels: ReadKernels, read: &mut dyn FnMut(NodeId, &Work<'_>)) -> Result<()> {
        self.call("node_work", || {
            self.host.graph_work(graph, kernels, &mut |node, work| {
                self.read(GraphRef::Known(graph), node, work, &mut |work| read(node, work));
            })
        })
    }
    forward! {
        fn graph_node_count(&self, graph: GraphId) -> Result<usize>;
        fn graph_edge_count(&self, graph: GraphId) -> Result<usize>;
        fn graph_nodes(&self, graph: GraphRef) -> Result<GraphNodes>;
        fn node_neighbours(&self, graph: GraphId, node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>>;
        fn node_waits(&self, graph: GraphId, node: NodeId) -> Result<Vec<NodeId>>;
        fn graph_addresses(&self, graph: GraphId, note: &mut dyn FnMut(Address)) -> Result<()>;
        fn node_kind(&self, graph: GraphId, node: NodeId) -> Result<NodeKind>;
    }
    plain! {
        fn graph_has_node(&self, graph: GraphId, node: NodeId) -> bool;
        fn graph_begin_reading(&self, graph: GraphId) -> Result<bool>;
        fn graph_end_reading(&self, graph: GraphId);
    }
}

impl GraphEdits for Faulty {
    fn graph_add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated> {
        let note = |state: &mut State, made: Allocated| state.allocated(made.memory, made.address, made.bytes);
        let effect = || self.host.graph_add_allocation(graph, dependencies, bytes);
        self.call_noting("graph_add_allocation", effect, note)
    }
    fn graph_clone(&self, graph: GraphId) -> Result<GraphId> {
        let note = |state: &mut State, clone| _ = state.graphs.insert(clone);
        self.call_noting("graph_clone", || self.host.graph_clone(graph), note)
    }
    fn graph_copy_to_watch(&self, graph: GraphId) -> Result<(GraphId, Vec<(NodeId, NodeId)>)> {
        self.call("graph_copy_to_watch", || {
            let (copy, nodes) = self.host.graph_copy_to_watch(graph)?;
            self.state().graphs.insert(copy);
            Ok((copy, nodes))
        })
    }
    forward! {
        fn graph_add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId>;
        fn node_allocation(&self, graph: GraphId, node: NodeId) -> Result<Allocated>;
        fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()>;
        fn graph_add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()>;
        fn graph_remove_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()>;
        fn node_set(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()>;
        fn node_graphs(&self, graph: GraphId, node: NodeId) -> Result<Vec<GraphId>>;
        fn condition_create(&self, graph: GraphId, default: u32) -> Result<ConditionId>;
        fn node_in_clone(&self, graph: GraphId, node: NodeId, clone: GraphId) -> Result<NodeId>;
    }
    plain! {
        fn condition_call_by(&self, condition: ConditionId, names: Arc<dyn ExecNames>);
        fn are_conditions_marked(&self) -> bool;
    }
}

impl NodeAttributes for Faulty {
    forward! {
        fn node_attribute(&self, graph: GraphId, node: NodeId, attribute: u32) -> Result<AttributeValue>;
        fn may_have_attributes(&self, graph: GraphId) -> Result<bool>;
        fn node_set_attribute(&self, graph: GraphId, node: NodeId, attribute: &LaunchAttribute) -> Result<()>;
        fn node_set_grid(&self, graph: GraphId, node: NodeId, from: GridSources) -> Result<()>;
        fn node_grid(&self, graph: GraphId, node: NodeId) -> Result<GridSources>;
        fn graph_needs_setters(&self, graph: GraphId) -> Result<bool>;
        fn node_let_kernels_change(&self, graph: GraphId, node: NodeId) -> Result<u64>;
        fn node_copy_attributes(&self, graph: GraphId, node: NodeId, source: GraphId, from: NodeId) -> Result<()>;
    }
}
