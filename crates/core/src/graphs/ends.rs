//! Nodes that a graph gets so that it begins and ends with one: kernels that do nothing.

use super::graph::Graph;
use crate::operations::node_work::NodeWork;
use graphcap_base::error::Result;
use graphcap_devices::BuiltInKernel;
use graphcap_driver::{LaunchShape, NodeId};

impl Graph {
    /// Returns whether the device replays a graph much faster that begins and ends with one kernel.
    pub fn gains_by_ends(&self) -> bool {
        self.context().driver_even_if_stale().gains_by_ends()
    }

    /// Adds a kernel node that does nothing, on one thread.
    ///
    /// # Errors
    /// As [`Graph::add_node`].
    pub fn add_nothing(&self, dependencies: &[NodeId]) -> Result<NodeId> {
        let kernel = self.context().built_in(BuiltInKernel::Nothing)?;
        let shape = LaunchShape::ONE_THREAD;
        self.add_node(dependencies, &NodeWork::Kernel { kernel: &kernel, shape, arguments: &[], attributes: &[] })
    }
}
