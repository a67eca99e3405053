//! The fake driver's attributes of kernels and nodes, and what its edges carry. It keeps none of them.

use super::FakeDriver;
use crate::driver::*;
use crate::error::Result;

impl Kernels for FakeDriver {
    fn kernel_attribute(&self, _: KernelId, attribute: u32) -> Result<i32> {
        self.call("kernel_attribute", |_| Ok(attribute as i32))
    }
    fn kernel_set_attribute(&self, _: KernelId, _: u32, _: i32) -> Result<()> {
        self.call("kernel_set_attribute", |_| Ok(()))
    }
    fn max_active_blocks(&self, _: KernelId, _: u32, _: usize) -> Result<u32> {
        self.call("max_active_blocks", |_| Ok(1))
    }
    fn suggested_block(&self, _: KernelId, _: usize, most: u32) -> Result<SuggestedBlock> {
        self.call("suggested_block", |_| Ok(SuggestedBlock { threads: most, blocks: 1 }))
    }
    fn available_shared_memory(&self, _: KernelId, _: u32, _: u32) -> Result<usize> {
        self.call("available_shared_memory", |_| Ok(0))
    }
    fn max_active_clusters(&self, _: KernelId, _: LaunchShape, _: &[LaunchAttribute]) -> Result<u32> {
        self.call("max_active_clusters", |_| Ok(1))
    }
    fn max_cluster_size(&self, _: KernelId, _: LaunchShape, _: &[LaunchAttribute]) -> Result<u32> {
        self.call("max_cluster_size", |_| Ok(1))
    }
}

impl NodeAttributes for FakeDriver {
    fn node_attribute(&self, graph: GraphId, node: NodeId, _: u32) -> Result<AttributeValue> {
        self.call("node_attribute", |state| state.has(graph, [node]).map(|()| [0; 64]))
    }
    fn node_set_attribute(&self, graph: GraphId, node: NodeId, _: &LaunchAttribute) -> Result<()> {
        self.call("node_set_attribute", |state| state.has(graph, [node]))
    }
    fn node_copy_attributes(&self, graph: GraphId, node: NodeId, source: GraphId, from: NodeId) -> Result<()> {
        self.call("node_copy_attributes", |state| {
            state.has(graph, [node])?;
            state.has(source, [from])
        })
    }
}

impl Edges for FakeDriver {
    fn graph_edge_data(&self, _: GraphRef) -> Result<Vec<(NodeId, NodeId, EdgeData)>> {
        self.call("graph_edge_data", |_| Ok(Vec::new()))
    }
    fn graph_add_edges_with_data(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        let ends = edges.iter().flat_map(|&(from, to, _)| [from, to]);
        self.call("graph_add_edges_with_data", |state| state.has(graph, ends))
    }
    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        let nodes: Vec<NodeId> = nodes.iter().map(|&(node, _)| node).collect();
        self.update_capture_dependencies(stream, &nodes, update)
    }
}
