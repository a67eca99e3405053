//! Kernels of nodes that a stream runs without an exec, which costs less than to make one.

use super::graph::Graph;
use crate::captures::guarded;
use crate::state::Stream;
use graphcap_base::error::Result;
use graphcap_driver::rules::Violated;
use graphcap_driver::{check_caller, NodeId};

impl Graph {
    /// Returns whether [`Graph::launch_node`] runs a node: a kernel that does on a stream what it does in a graph, on a device that launches
    /// it so.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn can_launch_node(&self, node: NodeId) -> Result<bool> {
        check_caller()?;
        self.context().driver()?.can_launch_node(self.id(), node)
    }

    /// Queues the kernel of a node, which [`Graph::can_launch_node`] tells of. The graph and what its nodes use have to live until it has run.
    ///
    /// # Errors
    /// As [`Graph::can_launch_node`], and as for launches of kernels; `ILLEGAL_STATE` when the stream is being captured.
    pub fn launch_node(&self, node: NodeId, stream: &Stream) -> Result<()> {
        stream.context().check_same("the stream", self.context(), "the graph")?;
        guarded::not_recorded(stream, Violated::Launch)?;
        stream.driver()?.launch_node(stream.id(), self.id(), node)
    }
}
