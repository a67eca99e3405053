//! Kernels and kernel nodes: their attributes, and how many blocks run at once.

use std::sync::Arc;

use super::HostContext;
use crate::code::kernel::{self, Kernel};
use crate::code::launch_attributes::{self, Of};
use crate::code::occupancy;
use crate::shared::OBJECTS;
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::ids::{key_of, no_such};
use graphcap_driver::launch_attributes::CLUSTER_DIMENSION;
use graphcap_driver::{
    Access, AttributeValue, GraphId, GridSources, KernelId, Kernels, LaunchAttribute, LaunchShape, NodeAttributes,
    NodeId, StatedMemory, SuggestedBlock,
};

impl Kernels for HostContext {
    fn kernel_attribute(&self, kernel: KernelId, attribute: u32) -> Result<i32> {
        self.kernel(kernel)?.attributes.get(attribute)
    }

    fn kernel_set_attribute(&self, kernel: KernelId, attribute: u32, value: i32) -> Result<()> {
        self.kernel(kernel)?.attributes.set(attribute, value)
    }

    fn max_active_blocks(&self, kernel: KernelId, threads: u32, shared_mem_bytes: usize) -> Result<u32> {
        self.kernel(kernel)?;
        occupancy::active_blocks(threads, shared_mem_bytes)
    }

    fn suggested_block(&self, kernel: KernelId, shared_mem_bytes: usize, most: u32) -> Result<SuggestedBlock> {
        self.kernel(kernel)?;
        Ok(occupancy::suggested_block(shared_mem_bytes, most))
    }

    fn available_shared_memory(&self, kernel: KernelId, blocks: u32, threads: u32) -> Result<usize> {
        self.kernel(kernel)?;
        occupancy::available_shared_memory(blocks, threads)
    }

    fn max_active_clusters(&self, kernel: KernelId, shape: LaunchShape, attributes: &[LaunchAttribute]) -> Result<u32> {
        let found = self.kernel(kernel)?;
        kernel::check_shape(&shape)?;
        let is_any_allowed = found.attributes.is_any_cluster_allowed();
        let kept = launch_attributes::kept(Of::Launch, &shape, &found.attributes, attributes)?;
        let cluster = kept.iter().find(|attribute| attribute.id == CLUSTER_DIMENSION);
        occupancy::active_clusters(&shape, cluster.map(|attribute| &attribute.value), is_any_allowed)
    }

    fn kernel_accesses_stated(&self, kernel: KernelId, accesses: Option<Arc<[Option<Access>]>>) {
        if let Ok(kernel) = self.kernel(kernel) {
            let before = std::mem::replace(&mut *lock(&kernel.accesses), accesses);
            drop(before);
        }
    }

    fn kernel_memory_stated(&self, kernel: KernelId, memory: Arc<[StatedMemory]>) {
        if let Ok(kernel) = self.kernel(kernel) {
            let before = std::mem::replace(&mut *lock(&kernel.touched), memory);
            drop(before);
        }
    }

    fn max_cluster_size(&self, kernel: KernelId, shape: LaunchShape, _: &[LaunchAttribute]) -> Result<u32> {
        let found = self.kernel(kernel)?;
        kernel::check_shape(&shape)?;
        Ok(occupancy::most_in_cluster(&shape, found.attributes.is_any_cluster_allowed()))
    }
}

impl NodeAttributes for HostContext {
    fn node_attribute(&self, graph: GraphId, node: NodeId, attribute: u32) -> Result<AttributeValue> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.at(path)?.attribute(node, attribute))
    }

    fn may_have_attributes(&self, graph: GraphId) -> Result<bool> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| Ok(graph.at(path)?.has_attributes()))
    }

    fn node_set_attribute(&self, graph: GraphId, node: NodeId, attribute: &LaunchAttribute) -> Result<()> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.edit(path)?.set_attribute(node, attribute))
    }

    fn node_set_grid(&self, graph: GraphId, node: NodeId, from: GridSources) -> Result<()> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.edit(path)?.set_grid(node, from))
    }

    fn node_grid(&self, graph: GraphId, node: NodeId) -> Result<GridSources> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.at(path)?.grid(node))
    }

    fn node_copy_attributes(&self, graph: GraphId, node: NodeId, source: GraphId, from: NodeId) -> Result<()> {
        self.check_call()?;
        let (device, attributes) = self.graph_at(source, |graph, path| graph.at(path)?.all_attributes(from))?;
        self.graph_at(graph, |graph, path| graph.edit(path)?.set_all_attributes(node, device, attributes))
    }
}

impl HostContext {
    pub(super) fn kernel(&self, id: KernelId) -> Result<Arc<Kernel>> {
        self.check_call()?;
        OBJECTS.kernels.get(key_of(id.0)).map(|kernel| Arc::clone(&kernel)).ok_or_else(|| no_such("kernel"))
    }
}
