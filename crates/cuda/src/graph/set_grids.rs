//! Kernel nodes that take their grids from memory. An exec is made of a copy of the graph, in which the driver lets kernels change
//! these nodes, and a kernel sets the grid of each.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::ops::Range;

use super::attributes::check_kernel;
use super::failure::Edited;
use super::grids::{copied, Grids, Level, OfGraph};
use super::locked::Locked;
use super::nested::NestedRef;
use super::nodes::NodeTable;
use super::parameters::attribute_of;
use crate::api::device::Device;
use crate::api::{Node, StreamAttribute, Version};
use crate::context::CudaContext;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::launch_attributes::{CLUSTER_DIMENSION, COOPERATIVE, DEVICE_UPDATABLE};
use graphcap_driver::refusals::blocks_run_together;
use graphcap_driver::{AttributeValue, GraphId, GridSources, LaunchAttribute, NodeId};

/// The driver that came with nodes which kernels can change.
const WITH_CHANGES_BY_KERNELS: c_int = 12040;

/// The bytes of `CUlaunchAttributeValue::deviceUpdatableKernelNode` that say whether kernels change the node, and those that tell
/// what they know it by.
const IS_CHANGED_BY_KERNELS: Range<usize> = 0..4;
const KNOWN_AS: Range<usize> = 8..16;

impl Locked<'_> {
    /// Returns the level of a graph; `None` for a body, and for a graph within the graph of a node.
    fn level(&self, place: Option<NestedRef>) -> Option<Level> {
        let Some(place) = place else { return Some(Level::Outermost) };
        let inner = self.state.inner.get(place)?;
        let is_child = inner.within.is_none() && !self.state.conditionals.contains_key(&inner.owner);
        is_child.then_some(Level::OfChild(inner.owner))
    }

    fn grids(&self) -> Option<&OfGraph> {
        self.level(self.place).and_then(|level| self.state.grids.of(level)).filter(|nodes| !nodes.is_empty())
    }

    /// Tells where a node takes its grid from.
    fn grid(&self, node: NodeId) -> GridSources {
        self.grids().and_then(|nodes| nodes.get(&node)).copied().unwrap_or_default()
    }

    /// Returns whether a node takes its grid from memory.
    pub(super) fn takes_grid(&self, node: NodeId) -> bool {
        self.grids().is_some_and(|nodes| nodes.contains_key(&node))
    }

    /// A node has a grid of its own from here on.
    pub(super) fn forget_grid(&mut self, node: NodeId) {
        if !self.state.grids.is_empty() {
            if let Some(level) = self.level(self.place) {
                self.state.grids.forget(level, node);
            }
        }
    }

    /// A node was removed, and with it the graph that it may have had.
    pub(super) fn forget_grids_of(&mut self, node: NodeId) {
        self.forget_grid(node);
        self.state.grids.replace(node, OfGraph::new());
    }

    /// Refuses to become a child, of a graph within a node where it `is_deep`, where it would not be known where nodes take their grids
    /// from.
    pub(super) fn check_grids_as_child(&self, is_deep: bool) -> Result<()> {
        let has_deep = self.place.is_none() && !self.state.grids.within.is_empty();
        match has_deep || (self.grids().is_some() && is_deep) {
            true => Err(Error::new(
                Status::NOT_SUPPORTED,
                "nodes take their grids from scalars in an outermost graph and in the graphs of its child nodes, and not in a graph \
                 that lies deeper; give the nodes grids of their own",
            )),
            false => Ok(()),
        }
    }

    /// The child node `owner` has a copy of `child` from here on, whose nodes have the names `copy`.
    pub(super) fn take_grids(&mut self, owner: NodeId, child: &Locked<'_>, copy: &NodeTable) {
        let nodes = child.grids().map(|nodes| copied(nodes, copy)).unwrap_or_default();
        if self.place.is_none() {
            self.state.grids.replace(owner, nodes);
        }
    }

    /// Refuses to be the child of an exec, of which nobody sets grids.
    pub(super) fn check_has_no_grids(&self) -> Result<()> {
        match self.state.grids.is_empty() {
            true => Ok(()),
            false => Err(Error::new(
                Status::NOT_SUPPORTED,
                "a graph whose nodes take their grids from scalars does not become the child of an exec; set the child in the graph, \
                 and make another exec",
            )),
        }
    }

    /// The child nodes whose graphs have nodes that take their grids from memory.
    pub(super) fn owners_of_grids(&self) -> Vec<NodeId> {
        match self.place {
            None => self.state.grids.within.keys().copied().collect(),
            Some(_) => Vec::new(),
        }
    }

    /// Tells where the nodes of a copy take their grids from, whose nodes have the names `copy`, and those of its child nodes `children`.
    pub(super) fn copied_grids(&self, copy: &NodeTable, children: &BTreeMap<NodeId, NodeTable>) -> Result<Grids> {
        let own = self.grids().map(|nodes| copied(nodes, copy)).unwrap_or_default();
        let mut within = BTreeMap::new();
        for owner in self.owners_of_grids() {
            let (owner_in_copy, nodes) = (copy.copy_in_place(owner), self.state.grids.within.get(&owner));
            let (Some(nodes), Some(table)) = (nodes, children.get(&owner_in_copy)) else {
                return Err(Error::new(
                    Status::NOT_SUPPORTED,
                    "a node within a child node takes its grid from a scalar, and others have the graph's native handle, so that it is \
                     not known which node of a copy that is; build the graph anew",
                ));
            };
            within.insert(owner_in_copy, copied(nodes, table));
        }
        Ok(Grids { own, within })
    }
}

impl CudaContext {
    pub(super) fn set_grid(&self, graph: GraphId, node: NodeId, from: GridSources) -> Result<()> {
        self.change_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            let _current = self.device.enter()?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            unsafe { check_kernel(graph.api, handle) }?;
            if from.iter().all(Option::is_none) {
                graph.forget_grid(node);
                return Ok(());
            }
            self.check_changes_by_kernels()?;
            let level = graph.level(graph.place).ok_or_else(too_deep)?;
            // SAFETY: as above; the node is a kernel.
            let context = unsafe {
                check_blocks(self.device, handle)?;
                self.context_of_kernel(handle)
            }?;
            let own = self.device.context.number() as u64;
            if context.is_some_and(|context| context != own) {
                return Err(of_other_context().into());
            }
            graph.state.grids.set(level, node, from);
            Ok(())
        })
    }

    pub(super) fn grid_of(&self, graph: GraphId, node: NodeId) -> Result<GridSources> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            unsafe { check_kernel(graph.api, handle) }?;
            Ok(graph.grid(node))
        })
    }

    pub(super) fn needs_setters(&self, graph: GraphId) -> Result<bool> {
        self.edit_graph(graph, |graph| Ok(graph.place.is_none() && !graph.state.grids.is_empty()))
    }

    pub(super) fn let_kernels_change(&self, graph: GraphId, node: NodeId) -> Result<u64> {
        self.change_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            let _current = self.device.enter()?;
            let mut value = StreamAttribute([0; size_of::<AttributeValue>()]);
            value.0[IS_CHANGED_BY_KERNELS].copy_from_slice(&c_int::from(true).to_ne_bytes());
            // SAFETY: the graph's lock is held, and the node is of the graph. The value is as large as any; the driver writes into it.
            unsafe {
                check_kernel(graph.api, handle)?;
                check_blocks(self.device, handle)?;
                graph.api.cuGraphKernelNodeSetAttribute(handle, DEVICE_UPDATABLE, &raw mut value)
            }?;
            graph.state.note_attributes();
            let mut known_as = [0; size_of::<u64>()];
            known_as.copy_from_slice(&value.0[KNOWN_AS]);
            Ok(u64::from_ne_bytes(known_as))
        })
    }

    fn check_changes_by_kernels(&self) -> Result<()> {
        match (1..WITH_CHANGES_BY_KERNELS).contains(&self.facts.driver_version) {
            true => Err(Error::new(
                Status::NOT_SUPPORTED,
                format!(
                    "this driver supports CUDA {}; grids that come from scalars came with CUDA {}; install a newer driver, or have the \
                     kernel read the scalar, and let the blocks beyond it return",
                    Version(self.facts.driver_version),
                    Version(WITH_CHANGES_BY_KERNELS)
                ),
            )),
            false => Ok(()),
        }
    }
}

/// Refuses a kernel whose blocks run together.
///
/// # Safety
/// `node` is a kernel node of a live graph that no other thread uses, and the context is current.
unsafe fn check_blocks(device: Device, node: Node) -> Edited<()> {
    let runs_together = |id: &u32| {
        // SAFETY: passed on to the caller.
        unsafe { attribute_of(device, node, *id) }.as_ref().map_or(0, LaunchAttribute::number) != 0
    };
    match [COOPERATIVE, CLUSTER_DIMENSION].iter().any(runs_together) {
        true => Err(blocks_run_together().into()),
        false => Ok(()),
    }
}

#[cold]
fn too_deep() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "on a CUDA device the nodes of a conditional's body, and of a graph within the graph of a node, do not take their grids from \
         scalars; have the kernel read the scalar, and let the blocks beyond it return",
    )
}

#[cold]
fn of_other_context() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the kernel is of another context than the graph, whose kernels do not set its grid; have it read the scalar, and let the \
         blocks beyond it return",
    )
}
