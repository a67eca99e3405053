//! Work of a node, read back from the device, for captured, added and foreign nodes alike.

use super::graph::Graph;
use super::node_data::NodeParams;
use super::retention;
use crate::keep::Kept;
use crate::objects::event::{Event, EventInner};
use crate::objects::kernel::Kernel;
use crate::objects::module::{Module, ModuleInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{check_caller, Address, Driver, GraphId, GraphRef, NodeId, NodeKind, ReadKernels, Work};

/// The time in which one call reads a graph, whose nodes are listed once.
pub(crate) struct Reading<'a> {
    driver: &'a dyn Driver,
    graph: GraphId,
    is_begun: bool,
}

impl<'a> Reading<'a> {
    pub(crate) fn begin(driver: &'a dyn Driver, graph: GraphId) -> Result<Reading<'a>> {
        let is_begun = driver.graph_begin_reading(graph)?;
        Ok(Reading { driver, graph, is_begun })
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        if self.is_begun {
            self.driver.graph_end_reading(self.graph);
        }
    }
}

impl Graph {
    /// Begins to read the graph: until what is given is dropped, the calling thread takes its nodes for those of now, where others may
    /// change the graph. Otherwise each question about a node lists them all.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn reading(&self) -> Result<impl Drop + '_> {
        Reading::begin(self.context().driver()?, self.id())
    }

    /// Returns what each node does, which is quicker than one by one.
    ///
    /// # Errors
    /// The status of a context that faulted; what the driver says where it does not tell the nodes.
    pub fn all_node_params(&self) -> Result<Vec<(NodeId, NodeParams)>> {
        self.all_node_params_of(ReadKernels::All)
    }

    /// As [`Graph::all_node_params`], where of a kernel that is not among `kernels` its kind alone is told: most of the time goes into
    /// copies of arguments.
    ///
    /// # Errors
    /// As [`Graph::all_node_params`].
    pub fn all_node_params_of(&self, kernels: ReadKernels) -> Result<Vec<(NodeId, NodeParams)>> {
        check_caller()?;
        let mut nodes = Vec::new();
        let read = &mut |node, work: &Work<'_>| nodes.push((node, NodeParams::of(work)));
        self.context().driver()?.graph_work(self.id(), kernels, read)?;
        Ok(nodes)
    }

    /// Returns what a node does.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn node_params(&self, node: NodeId) -> Result<NodeParams> {
        let mut params = NodeParams::Other(NodeKind::Other);
        let read = &mut |work: &Work<'_>| params = NodeParams::of(work);
        self.context().driver()?.node_work(GraphRef::Known(self.id()), node, read)?;
        Ok(params)
    }

    /// The kernel that a node launches.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no kernel node of the graph; `NOT_FOUND` for a kernel that was not found through graphcap,
    /// or of a node that others changed; the status of a context that faulted.
    pub fn node_kernel(&self, node: NodeId) -> Result<Kernel> {
        let NodeParams::Kernel(params) = self.node_params(node)? else {
            return Err(self.naming(node, not_of_kind(node, "a kernel node")));
        };
        let found = self.find_kept(node, |kept| {
            let module = kept.object::<ModuleInner>()?;
            let name = module.name_of(params.id())?;
            Some((module, name))
        })?;
        let (module, name) = found.ok_or_else(|| self.naming(node, not_known(node, "kernel")))?;
        Module(module).kernel(&name)
    }

    /// The event that a node records or waits for.
    ///
    /// # Errors
    /// As [`Graph::node_kernel`], for event nodes.
    pub fn node_event(&self, node: NodeId) -> Result<Event> {
        let (NodeParams::EventRecord(id) | NodeParams::EventWait(id)) = self.node_params(node)? else {
            return Err(self.naming(node, not_of_kind(node, "an event node with an event that graphcap knows")));
        };
        let found = self.find_kept(node, |kept| {
            kept.object::<EventInner>().map(Event::from_kept).filter(|event| event.id() == id)
        })?;
        found.ok_or_else(|| self.naming(node, not_known(node, "event")))
    }

    /// Returns whether an address is that of bytes that a copy node keeps as its source.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn is_snapshot_of(&self, node: NodeId, address: Address) -> Result<bool> {
        let is_at = |kept: &Kept| match kept {
            Kept::Snapshot(bytes) if bytes.as_ptr().addr() as Address == address => Some(()),
            _ => None,
        };
        Ok(self.find_kept(node, is_at)?.is_some())
    }

    /// The first of what the graph keeps for `node` that `pick` picks.
    pub(crate) fn find_kept<T>(&self, node: NodeId, pick: impl Fn(&Kept) -> Option<T>) -> Result<Option<T>> {
        let mut edits = self.0.root().lock()?;
        let holdings = self.0.holdings(&mut edits)?;
        if let Some(found) = holdings.find(self.0.outermost_node(node), &|kept| retention::find_in(kept, &pick)) {
            return Ok(Some(found));
        }
        Ok(self.0.kept().iter().find_map(|list| retention::find(list, &pick)))
    }
}

#[cold]
pub(crate) fn not_of_kind(node: NodeId, wanted: &str) -> Error {
    Error::invalid_value(format!("node {:#x} is not {wanted}; gc_node_kind() tells what it is", node.0))
}

#[cold]
pub(crate) fn not_known(node: NodeId, what: &str) -> Error {
    Error::new(Status::NOT_FOUND, format!("the {what} of node {:#x} is none of graphcap's", node.0))
}
