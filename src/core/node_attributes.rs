//! The launch attributes of kernel nodes.

use super::graph::Graph;
use super::launch_events::check_no_events;
use crate::driver::launch_attributes::OF_NODES;
use crate::driver::{check_caller, AttributeValue, Driver, GraphId, LaunchAttribute, NodeId};
use crate::error::Result;

impl Graph {
    /// An attribute of a kernel node, by CUDA's number for it (`CUlaunchAttributeID`).
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no kernel node of the graph, and for an attribute that nodes do not have; the status of a
    /// context that faulted.
    pub fn node_attribute(&self, node: NodeId, attribute: u32) -> Result<AttributeValue> {
        check_caller()?;
        self.context().driver().node_attribute(self.id(), node, attribute)
    }

    /// The attributes of a kernel node that are set: those whose value is another one than 0, but for the usual map of
    /// memory-sync domains.
    ///
    /// # Errors
    /// As [`Graph::node_attribute`].
    pub fn node_attributes(&self, node: NodeId) -> Result<Vec<LaunchAttribute>> {
        check_caller()?;
        read(self.context().driver(), self.id(), node)
    }

    /// Sets an attribute of a kernel node. Execs that were made before go on as they were.
    ///
    /// # Errors
    /// As [`Graph::node_attribute`]; `INVALID_VALUE` also for a value that the attribute cannot have; `INVALID_CLUSTER_SIZE` for a
    /// cluster that does not fit the node's grid.
    pub fn set_node_attribute(&self, node: NodeId, attribute: &LaunchAttribute) -> Result<()> {
        check_caller()?;
        check_no_events(std::slice::from_ref(attribute))?;
        let _edits = self.0.root().lock()?;
        self.context().driver().node_set_attribute(self.id(), node, attribute)
    }

    /// Sets the attributes of a kernel node to those of a node of `source`, which may be this graph.
    ///
    /// # Errors
    /// As [`Graph::set_node_attribute`]; `INVALID_CONTEXT` for a graph of another context.
    pub fn copy_node_attributes(&self, node: NodeId, source: &Graph, from: NodeId) -> Result<()> {
        check_caller()?;
        self.context().check_same("the graph", source.context(), "the source graph")?;
        let _locked = self.0.lock_with(Some(&source.0))?;
        self.context().driver().node_copy_attributes(self.id(), node, source.id(), from)
    }
}

/// The attributes of a kernel node that are set, as [`Graph::node_attributes`] tells them.
pub(super) fn read(driver: &dyn Driver, graph: GraphId, node: NodeId) -> Result<Vec<LaunchAttribute>> {
    let mut set = driver.node_attributes(graph, node, &OF_NODES)?;
    set.retain(|attribute| !attribute.is_usual());
    Ok(set)
}
