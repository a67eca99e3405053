//! Descriptions of graphs that the driver refuses to instantiate: nodes in words, of which it gave a handle, and what binds a graph.

use super::failure::Edited;
use super::listing::{look, nodes};
use super::parameters::is_changeable;
use super::temporary_nodes;
use super::{read, GraphState};
use crate::api::device::Device;
use crate::api::{self, Api, Node};
use graphcap_driver::{NodeKind, Work};

impl GraphState {
    /// A node by its name and kind, whose handle the driver gave, in words.
    ///
    /// # Safety
    /// `graph` is the state's graph, which no other thread uses.
    pub(crate) unsafe fn describe(&mut self, api: &Api, graph: api::GraphHandle, node: Node) -> String {
        if node.is_null() {
            return "one of its nodes".to_owned();
        }
        let own = (graph, &mut self.nodes, "");
        // Where others may have changed the graph, those within may be gone with their nodes.
        let inner = if self.given_out { None } else { Some(self.inner.all()) };
        let inner =
            inner.into_iter().flatten().map(|inner| (inner.native, &mut inner.nodes, " of a graph within a node"));
        for (graph, table, within) in std::iter::once(own).chain(inner) {
            // SAFETY: the caller promises the graph, and that nobody uses those within.
            let Ok(()) = (unsafe { look(api, graph, table, false) }) else { continue };
            // SAFETY: as above.
            let Ok(listed) = (unsafe { nodes(api, graph) }) else { continue };
            if listed.contains(&node) {
                // SAFETY: the graph has the node.
                let kind = unsafe { read::kind(api, node) }.unwrap_or(NodeKind::Other);
                return format!("node {:#x} ({kind}){within}", table.name(node).0);
            }
        }
        "a node of a graph within one of its nodes".to_owned()
    }

    /// Returns whether the graph can get nodes that go again: the driver lets none go of one that allocates or frees.
    ///
    /// # Safety
    /// `graph` is the graph of the state, whose lock is held.
    pub(crate) unsafe fn can_have_ends(&self, api: &Api, graph: api::GraphHandle) -> Edited<bool> {
        if self.is_captured_into() {
            return Err(temporary_nodes::captured().into());
        }
        if !self.memory.is_empty() {
            return Ok(false);
        }
        // SAFETY: passed on to the caller.
        for node in unsafe { nodes(api, graph) }? {
            // SAFETY: as above; the graph has the node.
            if matches!(unsafe { read::kind(api, node) }?, NodeKind::MemAlloc | NodeKind::MemFree) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the graph frees memory that another one allocates. Frees that were captured are known to the driver alone.
    ///
    /// # Safety
    /// As [`GraphState::can_have_ends`].
    pub(crate) unsafe fn frees_memory_of_others(&self, api: &Api, graph: api::GraphHandle) -> Edited<bool> {
        if self.memory.values().any(|(_, excess)| *excess < 0) {
            return Ok(true);
        }
        let (mut allocated, mut freed) = (Vec::new(), Vec::new());
        let mut note = |work: &Work<'_>| match work {
            Work::MemAlloc(allocation) => allocated.push(allocation.address),
            Work::MemFree(free) => freed.push(free.address),
            _ => {}
        };
        // SAFETY: passed on to the caller.
        for node in unsafe { nodes(api, graph) }? {
            // SAFETY: as above; the graph has the node.
            match unsafe { read::kind(api, node) }? {
                // SAFETY: as above; the node allocates.
                NodeKind::MemAlloc => unsafe { read::read_allocation(api, node, &mut note) }?,
                // SAFETY: as above; the node frees.
                NodeKind::MemFree => unsafe { read::read_free(api, node, &mut note) }?,
                _ => {}
            }
        }
        Ok(freed.iter().any(|address| !allocated.contains(address)))
    }

    /// Returns whether the graph has nodes that allow one exec at a time.
    ///
    /// # Safety
    /// As [`GraphState::describe`].
    pub(crate) unsafe fn has_one_exec(&self, device: Device, graph: api::GraphHandle) -> bool {
        // SAFETY: passed on to the caller.
        let listed = unsafe { nodes(device.api, graph) }.unwrap_or_default();
        listed.into_iter().any(|node| {
            // SAFETY: as above; the graph has the node.
            let kind = unsafe { read::kind(device.api, node) };
            match kind {
                Ok(NodeKind::MemAlloc | NodeKind::MemFree | NodeKind::Conditional) => true,
                // SAFETY: as above; the node is a kernel.
                Ok(NodeKind::Kernel) => unsafe { is_changeable(device, node) },
                _ => false,
            }
        })
    }
}
