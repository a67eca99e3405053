//! Edits of graphs: the implementation of [`GraphEdits`].

use super::CudaContext;
use graphcap_base::error::Result;
use graphcap_driver::{Allocated, ConditionId, DependenciesOf, EdgeData, GraphEdits, GraphId, Launch, NodeId, Work};

impl GraphEdits for CudaContext {
    fn graph_add_node(&self, graph: GraphId, dependencies: &[NodeId], work: &Work<'_>) -> Result<NodeId> {
        self.add_node(graph, dependencies, work)
    }

    fn graph_add_kernels(
        &self,
        graph: GraphId,
        launches: &[Launch<'_>],
        dependencies: &mut DependenciesOf<'_>,
        told: &mut dyn FnMut(NodeId),
    ) -> Result<()> {
        self.add_kernels(graph, launches, dependencies, told)
    }

    fn graph_add_allocation(&self, graph: GraphId, dependencies: &[NodeId], bytes: usize) -> Result<Allocated> {
        self.add_allocation(graph, dependencies, bytes)
    }

    fn node_allocation(&self, graph: GraphId, node: NodeId) -> Result<Allocated> {
        self.allocation_of(graph, node)
    }

    fn graph_remove_node(&self, graph: GraphId, node: NodeId) -> Result<()> {
        self.remove_node(graph, node)
    }

    fn graph_add_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        self.add_edges(graph, edges)
    }

    fn graph_remove_edges(&self, graph: GraphId, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.remove_edges(graph, edges)
    }

    fn node_set(&self, graph: GraphId, node: NodeId, work: &Work<'_>) -> Result<()> {
        self.set_node(graph, node, work)
    }

    fn graph_set_kernels(&self, graph: GraphId, launches: &[(NodeId, Launch<'_>)]) -> (usize, Result<()>) {
        self.set_kernels(graph, launches.iter().map(|(node, launch)| (*node, launch)))
    }

    fn node_graphs(&self, graph: GraphId, node: NodeId) -> Result<Vec<GraphId>> {
        self.inner_graphs(graph, node)
    }

    fn condition_create(&self, graph: GraphId, default: u32) -> Result<ConditionId> {
        self.make_condition(graph, default)
    }

    /// They count from 1 in each graph.
    fn are_conditions_marked(&self) -> bool {
        false
    }

    fn graph_clone(&self, graph: GraphId) -> Result<GraphId> {
        self.copy_graph(graph)
    }

    fn node_in_clone(&self, graph: GraphId, node: NodeId, clone: GraphId) -> Result<NodeId> {
        self.find_in_copy(graph, node, clone)
    }

    fn nodes_in_clone(&self, graph: GraphId, nodes: &[NodeId], clone: GraphId) -> Result<Vec<NodeId>> {
        self.find_all_in_copy(graph, nodes, clone)
    }
}
