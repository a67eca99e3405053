//! Nodes that a graph has only while the driver makes or updates an exec of it: kernels before all and behind all, and records of events
//! around nodes. The exec has them then; the graph, whose nodes are what its user knows, does not.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use cudarc::driver::sys::CUDA_KERNEL_NODE_PARAMS_v2;

use super::listing::{all_edges, nodes};
use super::related::related;
use crate::api::device::Device;
use crate::api::{self, Api, DriverError, EventHandle, Function, Handle, Node};
use graphcap_base::error::{Error, Status};
use graphcap_driver::rules::ends;

/// The nodes that a graph has for a while. They go when this is dropped. Where the driver does not remove one, as after a fault, there is
/// one more node that does nothing.
pub(crate) struct TemporaryNodes {
    api: &'static Api,
    graph: api::GraphHandle,
    added: Vec<Node>,
    /// Set where the driver does not remove one: what the nodes use must stay.
    are_left: Arc<AtomicBool>,
}

/// A node that gets the record of an event before it and one behind it.
pub(crate) struct Timing {
    pub(crate) node: Node,
    pub(crate) before: EventHandle,
    pub(crate) behind: EventHandle,
}

/// A copy of a graph into which a capture goes, and which gets no nodes meanwhile.
pub(crate) struct TemporaryCopy {
    api: &'static Api,
    pub(crate) graph: api::GraphHandle,
}

impl TemporaryCopy {
    /// Copies a graph.
    ///
    /// # Safety
    /// No other thread uses `graph`.
    pub(crate) unsafe fn create(device: Device, graph: api::GraphHandle) -> Result<TemporaryCopy, DriverError> {
        let (api, mut copy) = (device.api, Handle::NULL);
        let _current = device.enter()?;
        let _alone = related();
        // SAFETY: the caller promises the graph; `copy` is writable.
        unsafe { api.cuGraphClone(&mut copy, graph) }?;
        Ok(TemporaryCopy { api, graph: copy })
    }

    /// Returns the copy of a node.
    ///
    /// # Safety
    /// The node is of the graph that was copied, as it was then, and lives. Callers hold [`related`].
    pub(crate) unsafe fn find(&self, node: Node) -> Result<Node, DriverError> {
        let mut found = Handle::NULL;
        // SAFETY: the caller promises the node; the copy is ours, and `found` is writable.
        unsafe { self.api.cuGraphNodeFindInClone(&mut found, node, self.graph) }?;
        Ok(found)
    }

    /// Returns the node among `nodes` of which `copy` is the copy; NULL where it is of none, as an added node is.
    ///
    /// # Safety
    /// As [`TemporaryCopy::find`], for all of them.
    pub(crate) unsafe fn original(&self, nodes: &[Node], copy: Node) -> Node {
        // SAFETY: passed on to the caller.
        let is_original = |node: &Node| unsafe { self.find(*node) }.is_ok_and(|found| found == copy);
        nodes.iter().copied().find(is_original).unwrap_or(Handle::NULL)
    }
}

impl Drop for TemporaryCopy {
    fn drop(&mut self) {
        let _alone = related();
        // SAFETY: the copy is ours, and nobody else knows it.
        let _ = unsafe { self.api.cuGraphDestroy(self.graph) };
    }
}

impl TemporaryNodes {
    /// Gives a graph one node before all, where it has several roots, and one behind all, where it has several leaves: launches of one
    /// thread of `kernel`, which takes no arguments. Leaves are taken in the order in which the driver pairs them for an update.
    ///
    /// # Safety
    /// No other thread uses `graph`, which lives until this is dropped; neither does one until then. The module of `kernel` is loaded.
    pub(crate) unsafe fn add_ends(
        device: Device,
        graph: api::GraphHandle,
        kernel: Function,
    ) -> Result<TemporaryNodes, DriverError> {
        let api = device.api;
        // SAFETY: the caller promises the graph.
        let (listed, edges) = unsafe { (nodes(api, graph)?, all_edges(api, graph)?) };
        let without = |taken: HashSet<Node>| -> Vec<Node> {
            listed.iter().rev().copied().filter(|node| !taken.contains(node)).collect()
        };
        let roots = without(edges.iter().map(|&(_, to, _)| to).collect());
        let leaves = without(edges.iter().map(|&(from, ..)| from).collect());
        let parameters = CUDA_KERNEL_NODE_PARAMS_v2 {
            func: kernel.0,
            gridDimX: 1,
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: 1,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: 0,
            kernelParams: std::ptr::null_mut(),
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        };
        let mut made = TemporaryNodes { api, graph, added: Vec::new(), are_left: Arc::default() };
        let _current = device.enter()?;
        let before = ends::add_ends(&roots, &leaves, |behind| {
            let mut node = Handle::NULL;
            // SAFETY: the caller promises graph and kernel; the nodes are of the graph, and `node` is writable.
            unsafe { api.cuGraphAddKernelNode_v2(&mut node, graph, behind.as_ptr(), behind.len(), &parameters) }?;
            made.added.push(node);
            Ok::<_, DriverError>(node)
        })?;
        let (from, to): (Vec<Node>, Vec<Node>) = before.into_iter().unzip();
        if !from.is_empty() {
            // SAFETY: as above; there are as many nodes of both.
            unsafe { api.cuGraphAddDependencies(graph, from.as_ptr(), to.as_ptr(), from.len()) }?;
        }
        Ok(made)
    }

    /// Gives nodes of a graph the records of their events. The record before a node waits for what the node waits for. `are_left` is set
    /// where the graph, and with it copies of it, may go on to have a record.
    ///
    /// # Safety
    /// As [`TemporaryNodes::add_ends`]. The nodes are of the graph, and the events live, for ever once `are_left` is set.
    pub(crate) unsafe fn add_timing(
        device: Device,
        graph: api::GraphHandle,
        timings: &[Timing],
        are_left: &Arc<AtomicBool>,
    ) -> Result<TemporaryNodes, DriverError> {
        let api = device.api;
        let mut waits_for = HashMap::<Node, Vec<Node>>::new();
        // SAFETY: the caller promises the graph.
        unsafe { all_edges(api, graph) }?
            .into_iter()
            .for_each(|(from, to, _)| waits_for.entry(to).or_default().push(from));
        let mut made = TemporaryNodes { api, graph, added: Vec::new(), are_left: Arc::clone(are_left) };
        let _current = device.enter()?;
        for Timing { node, before, behind } in timings {
            let mut record = |after: &[Node], event: EventHandle| {
                let mut record = Handle::NULL;
                // SAFETY: the caller promises graph, nodes and events; `record` is writable.
                unsafe { api.cuGraphAddEventRecordNode(&mut record, graph, after.as_ptr(), after.len(), event) }?;
                made.added.push(record);
                Ok::<_, DriverError>(record)
            };
            let before = record(waits_for.get(node).map_or(&[], Vec::as_slice), *before)?;
            record(&[*node], *behind)?;
            // SAFETY: as above; the record was just added to the graph.
            unsafe { api.cuGraphAddDependencies(graph, &before, node, 1) }?;
        }
        Ok(made)
    }

    /// Removes a node. A refusal may be that of other work, so it is looked what became of the node, and one that is there is removed again.
    /// Returns whether it is gone.
    ///
    /// # Safety
    /// The graph has the node, lives, and is used by no other thread.
    unsafe fn remove(&self, node: Node) -> bool {
        let _alone = related();
        // SAFETY: the caller promises graph and node, and the node is there still where this is called again.
        let remove = || unsafe { self.api.cuGraphDestroyNode(node) }.is_ok();
        // SAFETY: the caller promises the graph.
        remove() || unsafe { nodes(self.api, self.graph) }.is_ok_and(|listed| !listed.contains(&node) || remove())
    }
}

impl Drop for TemporaryNodes {
    fn drop(&mut self) {
        for &node in self.added.iter().rev() {
            // SAFETY: the node was added to a graph that lives, and that no other thread uses.
            if !unsafe { self.remove(node) } {
                self.are_left.store(true, Ordering::Release);
            }
        }
    }
}

/// The refusal for a graph that a capture goes into.
#[cold]
pub(crate) fn captured() -> Error {
    Error::new(
        Status::ILLEGAL_STATE,
        "with GRAPHCAP_INSTANTIATE_SHAPE a graph gets kernels and loses them again, which it cannot while a capture goes into it; end \
         the capture first",
    )
}

/// The refusal for a graph that cannot have them.
#[cold]
pub(crate) fn no_ends() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "a graph that allocates or frees memory gets no kernels before and behind all, as none of its nodes can be removed again; \
         leave GRAPHCAP_INSTANTIATE_SHAPE out",
    )
}
