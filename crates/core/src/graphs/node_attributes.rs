//! The launch attributes of kernel nodes.

use super::graph::Graph;
use crate::operations::launch_events::check_no_events;
use graphcap_base::error::Result;
use graphcap_driver::launch_attributes::OF_NODES;
use graphcap_driver::{check_caller, AttributeValue, Driver, GraphId, LaunchAttribute, NodeId};

impl Graph {
    /// An attribute of a kernel node, by CUDA's number for it (`CUlaunchAttributeID`).
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no kernel node of the graph, and for an attribute that nodes do not have; the status of a
    /// context that faulted.
    pub fn node_attribute(&self, node: NodeId, attribute: u32) -> Result<AttributeValue> {
        check_caller()?;
        self.context().driver()?.node_attribute(self.id(), node, attribute)
    }

    /// Returns whether a kernel node may have an attribute or take its grid from memory, as far as the device knows without reading nodes.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn may_have_attributes(&self) -> Result<bool> {
        self.context().driver()?.may_have_attributes(self.id())
    }

    /// The attributes of a kernel node that are set: those whose value is another one than 0, but for the usual map of
    /// memory-sync domains.
    ///
    /// # Errors
    /// As [`Graph::node_attribute`].
    pub fn node_attributes(&self, node: NodeId) -> Result<Vec<LaunchAttribute>> {
        check_caller()?;
        read(self.context().driver()?, self.id(), node)
    }

    /// Sets an attribute of a kernel node. Execs that were made before go on as they were.
    ///
    /// # Errors
    /// As [`Graph::node_attribute`]; `INVALID_VALUE` also for a value that the attribute cannot have; `INVALID_CLUSTER_SIZE` for a
    /// cluster that does not fit the node's grid.
    pub fn set_node_attribute(&self, node: NodeId, attribute: &LaunchAttribute) -> Result<()> {
        check_caller()?;
        check_no_events(std::slice::from_ref(attribute))?;
        let mut edits = self.0.root().lock()?;
        self.context().driver()?.node_set_attribute(self.id(), node, attribute)?;
        edits.changes.note_other();
        Ok(())
    }

    /// Sets the attributes of a kernel node to those of a node of `source`, which may be this graph.
    ///
    /// # Errors
    /// As [`Graph::set_node_attribute`]; `INVALID_CONTEXT` for a graph of another context.
    pub fn copy_node_attributes(&self, node: NodeId, source: &Graph, from: NodeId) -> Result<()> {
        check_caller()?;
        self.context().check_same("the graph", source.context(), "the source graph")?;
        let (mut edits, _source) = self.0.lock_with(Some(&source.0))?;
        self.context().driver()?.node_copy_attributes(self.id(), node, source.id(), from)?;
        edits.changes.note_other();
        Ok(())
    }
}

/// The attributes of a kernel node that are set, as [`Graph::node_attributes`] tells them.
pub(crate) fn read(driver: &dyn Driver, graph: GraphId, node: NodeId) -> Result<Vec<LaunchAttribute>> {
    let mut set = driver.node_attributes(graph, node, &OF_NODES)?;
    set.retain(|attribute| !attribute.is_usual());
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faulty::Faulty;
    use crate::{Graph, NodeWork};
    use graphcap_base::error::Status;
    use graphcap_driver::launch_attributes::{
        COMPLETION_EVENT, COOPERATIVE, MEMORY_SYNC_DOMAIN, MEMORY_SYNC_DOMAIN_MAP,
    };
    use graphcap_driver::{LaunchShape, ModuleSource};

    fn attribute(id: u32, first: u8) -> LaunchAttribute {
        let mut value = [0; 64];
        value[0] = first;
        LaunchAttribute { id, value }
    }

    #[test]
    fn the_attributes_of_a_node_are_those_that_are_set() {
        let (driver, context) = Faulty::context();
        let graph = Graph::create(&context).unwrap();
        let kernel = Faulty::load(&context, ModuleSource::default()).kernel("k-any").unwrap();
        let shape = LaunchShape::ONE_THREAD;
        let launch = NodeWork::Kernel { kernel: &kernel, shape, arguments: &[], attributes: &[] };
        let [node, other] = [(); 2].map(|()| graph.add_node(&[], &launch).unwrap());
        let mut usual = attribute(MEMORY_SYNC_DOMAIN_MAP, 0);
        usual.value[1] = 1;
        let set = [attribute(COOPERATIVE, 1), attribute(MEMORY_SYNC_DOMAIN, 1)];
        for attribute in [&set[0], &set[1], &usual] {
            graph.set_node_attribute(node, attribute).unwrap();
        }
        let told = graph.node_attributes(node).unwrap();
        assert_eq!(
            told.iter().map(|told| (told.id, told.value)).collect::<Vec<_>>(),
            set.map(|one| (one.id, one.value))
        );
        // A driver may know fewer attributes, but not none.
        driver.fail("node_attribute", Status::INVALID_VALUE);
        assert_eq!(graph.node_attributes(node).unwrap_err().status, Status::INVALID_VALUE);
        graph.copy_node_attributes(other, &graph, node).unwrap();
        assert_eq!(graph.node_attribute(other, MEMORY_SYNC_DOMAIN).unwrap(), set[1].value);
    }

    #[test]
    fn no_node_takes_an_event_or_attributes_of_another_context() {
        let ((driver, context), (_, other)) = (Faulty::context(), Faulty::context());
        let [graph, stranger] = [&context, &other].map(|context| Graph::create(context).unwrap());
        let [node, theirs] = [&graph, &stranger].map(|graph| graph.add_node(&[], &NodeWork::Empty).unwrap());
        let calls = driver.calls();
        let error = graph.set_node_attribute(node, &attribute(COMPLETION_EVENT, 1)).unwrap_err();
        assert!(error.status == Status::INVALID_VALUE && error.message.contains("event record node"), "{error}");
        let error = graph.copy_node_attributes(node, &stranger, theirs).unwrap_err();
        assert_eq!(error.status, Status::INVALID_CONTEXT);
        assert_eq!(driver.calls(), calls, "the driver is not asked");
    }
}
