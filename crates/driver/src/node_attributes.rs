//! Attributes of kernel nodes, by CUDA's numbers for them.

use super::{Address, AttributeValue, GraphId, LaunchAttribute, NodeId};
use graphcap_base::error::{Error, Result, Status};

/// Addresses of the sizes of a grid in x, y and z, for those that come from memory.
pub type GridSources = [Option<Address>; 3];

/// The attributes of the kernel nodes of a context's graphs. The rules of [`Driver`](super::Driver) hold. No method is an unsafe
/// call under the capture rules.
///
/// A method answers `INVALID_VALUE` for an id of no node of the graph in question, for a node that is no kernel, and for an
/// attribute that nodes do not have.
pub trait NodeAttributes: Send + Sync {
    /// An attribute of a node.
    fn node_attribute(&self, graph: GraphId, node: NodeId, attribute: u32) -> Result<AttributeValue>;
    /// Those of some attributes of a node that the device knows; the first of them all devices know.
    fn node_attributes(&self, graph: GraphId, node: NodeId, attributes: &[u32]) -> Result<Vec<LaunchAttribute>> {
        let mut known = Vec::with_capacity(attributes.len());
        for (at, &id) in attributes.iter().enumerate() {
            match self.node_attribute(graph, node, id) {
                Ok(value) => known.push(LaunchAttribute { id, value }),
                Err(error) if at > 0 && error.status == Status::INVALID_VALUE => {}
                Err(error) => return Err(error),
            }
        }
        Ok(known)
    }
    /// Returns whether a kernel node of the graph may have an attribute or take its grid from memory, as far as the device knows without
    /// reading nodes.
    fn may_have_attributes(&self, _graph: GraphId) -> Result<bool> {
        Ok(true)
    }
    /// Sets an attribute of a node, for execs that are made from here on. `INVALID_VALUE` also for a value that cannot be;
    /// `INVALID_CLUSTER_SIZE` for a cluster that does not fit the node's grid.
    fn node_set_attribute(&self, graph: GraphId, node: NodeId, attribute: &LaunchAttribute) -> Result<()>;
    /// Makes each replay take the grid of a node from the numbers of 32 bits at these addresses, as they are when the node runs; where
    /// there is none for an axis, the node's own counts. A node whose grid has a 0 then does nothing. For execs that are made from
    /// here on, until the node does other work. The addresses are multiples of 4, in memory that the graph keeps. `NOT_SUPPORTED`
    /// where the device cannot, and for a kernel whose blocks run together.
    fn node_set_grid(&self, graph: GraphId, node: NodeId, from: GridSources) -> Result<()>;
    /// Tells where a node takes its grid from.
    fn node_grid(&self, graph: GraphId, node: NodeId) -> Result<GridSources>;
    /// Returns whether an exec of an outermost graph is to be made of a copy in which a kernel sets the grid of each node that takes it
    /// from memory, as the device does not do that by itself.
    fn graph_needs_setters(&self, _graph: GraphId) -> Result<bool> {
        Ok(false)
    }
    /// Lets kernels of the execs that are made from here on change a node which takes its grid from memory. Gives the number that they
    /// know it by. From then on the graph is not copied and has one exec, and the node is not removed. `NOT_SUPPORTED` where the
    /// device cannot, and for a kernel whose blocks run together.
    fn node_let_kernels_change(&self, _graph: GraphId, _node: NodeId) -> Result<u64> {
        Err(Error::new(Status::NOT_SUPPORTED, "kernels cannot change nodes on this device"))
    }
    /// Sets the attributes of a node of `graph` to those of a node of the graph `source`, which may be the same one.
    fn node_copy_attributes(&self, graph: GraphId, node: NodeId, source: GraphId, from: NodeId) -> Result<()>;
}
