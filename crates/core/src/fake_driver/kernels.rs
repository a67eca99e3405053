//! The fake driver's attributes of kernels, which it does not keep, and of nodes; what its edges carry.

use super::FakeDriver;
use graphcap_base::error::Result;
use graphcap_driver::*;

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
    fn node_attribute(&self, graph: GraphId, node: NodeId, attribute: u32) -> Result<AttributeValue> {
        self.call("node_attribute", |state| {
            state.has(graph, [node])?;
            Ok(state.graphs[&graph].attributes.get(&(node, attribute)).copied().unwrap_or([0; 64]))
        })
    }
    fn node_set_attribute(&self, graph: GraphId, node: NodeId, attribute: &LaunchAttribute) -> Result<()> {
        self.call("node_set_attribute", |state| {
            state.has(graph, [node])?;
            let known = &mut state.graphs.get_mut(&graph).unwrap().attributes;
            known.insert((node, attribute.id), attribute.value);
            Ok(())
        })
    }
    fn node_set_grid(&self, graph: GraphId, node: NodeId, _: GridSources) -> Result<()> {
        self.call("node_set_grid", |state| state.has(graph, [node]))
    }
    fn node_grid(&self, _: GraphId, _: NodeId) -> Result<GridSources> {
        Ok(GridSources::default())
    }
    fn node_copy_attributes(&self, graph: GraphId, node: NodeId, source: GraphId, from: NodeId) -> Result<()> {
        self.call("node_copy_attributes", |state| {
            state.has(graph, [node])?;
            state.has(source, [from])?;
            let theirs = state.graphs[&source].attributes.clone();
            let own = &mut state.graphs.get_mut(&graph).unwrap().attributes;
            own.retain(|(of, _), _| *of != node);
            own.extend(
                theirs.into_iter().filter(|((of, _), _)| *of == from).map(|((_, id), value)| ((node, id), value)),
            );
            Ok(())
        })
    }
}

impl Edges for FakeDriver {
    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        _: DependencyUpdate,
    ) -> Result<()> {
        self.call_on("update_capture_dependencies", stream, |state| {
            state.updates.push(nodes.to_vec());
            Ok(())
        })
    }
}
