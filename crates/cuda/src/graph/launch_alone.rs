//! Kernels of a graph's nodes that run on a stream, without an exec.

use super::failure::Edited;
use super::locked::Locked;
use super::parameters::attribute_of;
use super::read::{kernel_parameters, kind};
use crate::api::{Handle, Node};
use crate::shared::Shared;
use graphcap_base::error::Result;
use graphcap_driver::ids::no_such;
use graphcap_driver::launch_attributes::{CLUSTER_DIMENSION, COOPERATIVE, DEVICE_UPDATABLE};
use graphcap_driver::{GraphId, NodeId, NodeKind, StreamId};

/// Attributes of kernels that run by an exec alone.
const OF_EXECS: [u32; 3] = [COOPERATIVE, CLUSTER_DIMENSION, DEVICE_UPDATABLE];

impl Shared {
    /// Returns whether [`Shared::launch_node`] runs a node as an exec does.
    pub(crate) fn can_launch_node(&self, graph: GraphId, node: NodeId) -> Result<bool> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            unsafe { self.is_plain_kernel(graph, node, handle) }
        })
    }

    /// Returns whether a node is a kernel of this context whose grid the driver knows and which has no attribute that an exec alone gives.
    ///
    /// # Safety
    /// `handle` is a node of the graph, whose lock is held.
    unsafe fn is_plain_kernel(&self, graph: &Locked<'_>, node: NodeId, handle: Node) -> Edited<bool> {
        // SAFETY: passed on to the caller.
        if unsafe { kind(graph.api, handle) }? != NodeKind::Kernel || graph.takes_grid(node) {
            return Ok(false);
        }
        // SAFETY: as above.
        let context = unsafe { kernel_parameters(graph.api, handle) }?.ctx;
        if !context.is_null() && Handle(context) != self.device.context {
            return Ok(false);
        }
        // SAFETY: as above.
        let known = OF_EXECS.iter().filter_map(|&id| unsafe { attribute_of(self.device, handle, id) });
        Ok(!graph.state.may_have_attributes() || known.into_iter().all(|attribute| attribute.is_usual()))
    }

    /// Launches the kernel of a node on a stream that is not captured.
    pub(crate) fn launch_node(&self, stream: StreamId, graph: GraphId, node: NodeId) -> Result<()> {
        let graph = self.find_graph(graph).ok_or_else(|| no_such("graph"))?;
        let stream = self.stream(stream);
        let launched = stream.recorded(self.device, || {
            self.lock_graph(&graph, |graph| {
                let handle = graph.find_one(node)?;
                // SAFETY: the graph's lock is held, and the node is of the graph. The driver has the arguments as long as the node is not
                // changed, and reads them before it returns. The stream lives.
                unsafe {
                    let kernel = kernel_parameters(graph.api, handle)?;
                    // A launch takes either kind of handle.
                    let function = if kernel.func.is_null() { kernel.kern.cast() } else { kernel.func };
                    graph.api.cuLaunchKernel(
                        Handle(function),
                        kernel.gridDimX,
                        kernel.gridDimY,
                        kernel.gridDimZ,
                        kernel.blockDimX,
                        kernel.blockDimY,
                        kernel.blockDimZ,
                        kernel.sharedMemBytes,
                        stream.native,
                        kernel.kernelParams,
                        kernel.extra,
                    )?;
                }
                Ok(())
            })
        });
        self.made(launched)
    }
}
