//! Attributes of kernel nodes. The driver crashes on a missing value, which there is none of here.

use super::failure::Failure;
use super::parameters::attribute_of;
use super::read::kind;
use super::refused::because;
use super::{Edited, Locked};
use crate::api::{Api, DriverError, Node, StreamAttribute};
use crate::context::CudaContext;
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::ids::lost_graph;
use graphcap_driver::launch_attributes::{DEVICE_UPDATABLE, OF_NODES};
use graphcap_driver::refusals::{no_kernel, NO_SUCH_CLUSTER};
use graphcap_driver::{
    callbacks, AttributeValue, GraphId, GridSources, LaunchAttribute, NodeAttributes, NodeId, NodeKind,
};

impl NodeAttributes for CudaContext {
    fn node_attribute(&self, graph: GraphId, node: NodeId, attribute: u32) -> Result<AttributeValue> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            unsafe { check_kernel(graph.api, handle) }?;
            let mut value = StreamAttribute([0; size_of::<AttributeValue>()]);
            // SAFETY: as above; the value is as large as any.
            unsafe { graph.api.cuGraphKernelNodeGetAttribute(handle, attribute, &mut value) }
                .map_err(|refusal| refused(graph.api, refusal, attribute))?;
            Ok(value.0)
        })
    }

    fn node_attributes(&self, graph: GraphId, node: NodeId, attributes: &[u32]) -> Result<Vec<LaunchAttribute>> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            unsafe { check_kernel(graph.api, handle) }?;
            let mut known = Vec::with_capacity(attributes.len());
            for (at, &id) in attributes.iter().enumerate() {
                let mut value = StreamAttribute([0; size_of::<AttributeValue>()]);
                // SAFETY: as above; the value is as large as any.
                match unsafe { graph.api.cuGraphKernelNodeGetAttribute(handle, id, &mut value) } {
                    Ok(()) => known.push(LaunchAttribute { id, value: value.0 }),
                    Err(refusal) if at > 0 && refusal.status == Status::INVALID_VALUE => {}
                    Err(refusal) => return Err(refusal.into()),
                }
            }
            Ok(known)
        })
    }

    fn node_set_grid(&self, graph: GraphId, node: NodeId, from: GridSources) -> Result<()> {
        self.set_grid(graph, node, from)
    }

    fn may_have_attributes(&self, graph: GraphId) -> Result<bool> {
        self.edit_graph(graph, |graph| Ok(graph.state.may_have_attributes() || graph.state.has_grids()))
    }

    fn node_grid(&self, graph: GraphId, node: NodeId) -> Result<GridSources> {
        self.grid_of(graph, node)
    }

    fn graph_needs_setters(&self, graph: GraphId) -> Result<bool> {
        self.needs_setters(graph)
    }

    fn node_let_kernels_change(&self, graph: GraphId, node: NodeId) -> Result<u64> {
        self.let_kernels_change(graph, node)
    }

    fn node_set_attribute(&self, graph: GraphId, node: NodeId, attribute: &LaunchAttribute) -> Result<()> {
        self.change_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            unsafe { check_kernel(graph.api, handle) }?;
            // The driver writes to the value of one that kernels can change.
            let mut value = StreamAttribute(attribute.value);
            let _current = self.device.enter()?;
            if attribute.id == DEVICE_UPDATABLE && attribute.number() != 0 {
                // SAFETY: as above.
                let known = unsafe { attribute_of(self.device, handle, DEVICE_UPDATABLE) };
                // The driver takes it again where the value does not tell what it gave the first time.
                if known.is_some_and(|known| known.number() != 0) {
                    return Err(Error::invalid_value("kernels can change the node already").into());
                }
            }
            let set = |graph: &mut Locked<'_>| {
                // SAFETY: as above; the value is as large as any.
                unsafe { graph.api.cuGraphKernelNodeSetAttribute(handle, attribute.id, &raw mut value) }
                    .map_err(|refusal| refused(graph.api, refusal, attribute.id))
            };
            // SAFETY: as above.
            unsafe { graph.changing(self.device, (node, handle), &[attribute.id], set) }
        })
    }

    fn node_copy_attributes(&self, graph: GraphId, node: NodeId, source: GraphId, from: NodeId) -> Result<()> {
        callbacks::check_caller()?;
        let [graph, source] = self.find_two(graph, source)?;
        let copied = if graph.is(&source) {
            // Core lets no other edit of the graph, or of those within it, come between.
            self.lock_graph(&source, |source| source.find_one(from))
                .and_then(|from| self.lock_graph(&graph, |graph| self.copy_attributes(graph, node, from)))
        } else {
            self.lock_two((&graph.root, graph.place), &source, lost_graph, |graph, source| {
                let from = source.find_one(from)?;
                self.copy_attributes(graph, node, from)
            })
        };
        self.made(copied)
    }
}

impl Shared {
    /// Sets the attributes of a node to those of the node `from`, which is of a graph whose lock is held, or of one under the
    /// same lock.
    fn copy_attributes(&self, graph: &mut Locked<'_>, node: NodeId, from: Node) -> Edited<()> {
        graph.check_is_open()?;
        self.remember(graph);
        let handle = graph.find_one(node)?;
        // SAFETY: the locks of both graphs are held, and the nodes are of them.
        unsafe {
            check_kernel(graph.api, handle)?;
            check_kernel(graph.api, from)?;
        }
        let _current = self.device.enter()?;
        // SAFETY: as above.
        let copy = |graph: &mut Locked<'_>| Ok(unsafe { graph.api.cuGraphKernelNodeCopyAttributes(handle, from) }?);
        // SAFETY: as above.
        unsafe { graph.changing(self.device, (node, handle), &OF_NODES, copy) }
    }
}

/// Refuses a node that is no kernel.
///
/// # Safety
/// `node` is of a live graph that no other thread uses.
pub(super) unsafe fn check_kernel(api: &Api, node: Node) -> Edited<()> {
    // SAFETY: passed on to the caller.
    match unsafe { kind(api, node) }? {
        NodeKind::Kernel => Ok(()),
        _ => Err(no_kernel().into()),
    }
}

/// Returns what the driver's refusal of an attribute means.
#[cold]
fn refused(api: &Api, refusal: DriverError, attribute: u32) -> Failure {
    match refusal.status {
        Status::INVALID_VALUE => Failure::Wrong(Error::invalid_value(format!(
            "launch attribute {attribute} of a kernel node: nodes do not have it, or it cannot have that value; {}",
            api.error(refusal).message
        ))),
        Status::INVALID_CLUSTER_SIZE => because(api, refusal, NO_SUCH_CLUSTER),
        _ => Failure::Refused(refusal),
    }
}
