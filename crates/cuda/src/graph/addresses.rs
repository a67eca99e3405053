//! Addresses that the nodes of a graph name, read at once.

use super::listing::nodes;
use super::read::{
    child_graph, kernel_parameters, kind, read_allocation, read_free, read_memcpy, read_memset, read_values,
    told_or_not, with_arguments, Codes,
};
use crate::api::{Api, DriverError, GraphHandle, Node};
use graphcap_driver::{Address, NodeKind, Work};

/// Reads a graph, and those of its child nodes.
pub(crate) struct AddressReader<'a> {
    api: &'a Api,
    codes: Codes,
    note: &'a mut dyn FnMut(Address),
}

impl<'a> AddressReader<'a> {
    pub(crate) fn new(api: &'a Api, note: &'a mut dyn FnMut(Address)) -> AddressReader<'a> {
        AddressReader { api, codes: Codes::default(), note }
    }

    /// Tells the addresses of a graph. Graphs within conditionals the driver does not tell.
    ///
    /// # Safety
    /// The graph lives, and no other thread uses it.
    pub(crate) unsafe fn read(&mut self, graph: GraphHandle) -> Result<(), DriverError> {
        // SAFETY: passed on to the caller; the nodes are of the graph.
        unsafe { nodes(self.api, graph)?.into_iter().try_for_each(|node| self.read_node(node)) }
    }

    /// # Safety
    /// `node` is a node of a live graph that no other thread uses.
    unsafe fn read_node(&mut self, node: Node) -> Result<(), DriverError> {
        let api = self.api;
        // SAFETY: passed on to the caller.
        let kind = unsafe { kind(api, node) }?;
        let mut read = |work: &Work<'_>| work.each_address(self.note);
        // SAFETY: as above; each is asked of a node of its kind. The graph of a child lives as long as its node.
        let told = unsafe {
            match kind {
                NodeKind::Kernel => self.read_kernel(node),
                NodeKind::Memcpy => read_memcpy(api, node, &mut read),
                NodeKind::Memset => read_memset(api, node, &mut read),
                NodeKind::BatchMemOp => read_values(api, node, &mut read),
                NodeKind::MemAlloc => read_allocation(api, node, &mut read),
                NodeKind::MemFree => read_free(api, node, &mut read),
                NodeKind::Child => {
                    child_graph(api, node).and_then(|child| child.map_or(Ok(()), |child| self.read(child)))
                }
                NodeKind::Empty | NodeKind::Host | NodeKind::EventRecord | NodeKind::EventWait => Ok(()),
                NodeKind::Conditional | NodeKind::Other => Ok(()),
            }
        };
        told_or_not(told)
    }

    /// # Safety
    /// As [`AddressReader::read_node`]; the node is a kernel.
    unsafe fn read_kernel(&mut self, node: Node) -> Result<(), DriverError> {
        let api = self.api;
        // SAFETY: passed on to the caller.
        let parameters = unsafe { kernel_parameters(api, node) }?;
        let layout = self.codes.layout(api, parameters.func, parameters.kern);
        // SAFETY: the driver's parameters of the node, which it keeps as long as the node is not changed.
        unsafe {
            with_arguments(layout, parameters.kernelParams, parameters.extra, |arguments| {
                arguments.each_address(self.note);
            });
        }
        Ok(())
    }
}
