//! What a node does, as data: read back from the device, for captured, added and foreign nodes alike.

use super::graph::Graph;
use super::retention;
use crate::core::keep::Kept;
use crate::core::objects::event::{Event, EventInner};
use crate::core::objects::kernel::Kernel;
use crate::core::objects::module::{Module, ModuleInner};
use crate::driver::{
    Address, Argument, Arguments, Conditional, EventId, GivenFunction, GraphRef, KernelId, LaunchShape, MemAlloc,
    MemcpyRows, Memset, NodeId, NodeKind, ValueOperation, Work,
};
use crate::error::{Error, Result, Status};

/// What a node does.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeParams {
    /// A kernel launch.
    Kernel(KernelParams),
    /// A copy.
    Memcpy(MemcpyRows),
    /// A memset.
    Memset(Memset),
    /// Value operations.
    Values(Vec<ValueOperation>),
    /// An allocation.
    MemAlloc(MemAlloc),
    /// The end of an allocation, by its address.
    MemFree(Address),
    /// A host function, as C gave it; `None` for one that C did not give to graphcap.
    Host(Option<GivenFunction>),
    /// Bodies that run depending on a condition.
    Conditional(Conditional),
    /// Work without numbers, or that cannot be read.
    Other(NodeKind),
}

/// A kernel launch of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct KernelParams {
    /// The kernel's name; empty where the device does not tell it.
    pub name: String,
    /// Blocks, threads and shared memory.
    pub shape: LaunchShape,
    /// What the kernel is given.
    pub arguments: OwnedArguments,
    id: KernelId,
}

impl KernelParams {
    /// The kernel, by what the device calls it.
    pub(crate) fn id(&self) -> KernelId {
        self.id
    }
}

/// The bytes of arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OwnedArguments {
    /// One by one, in the order of the kernel's parameters.
    Separate(Vec<Vec<u8>>),
    /// In one block, laid out as the kernel's parameters are.
    Packed(Vec<u8>),
    /// The device does not tell them.
    Unknown,
}

impl OwnedArguments {
    pub(in crate::core) fn of(arguments: &Arguments<'_>) -> OwnedArguments {
        let bytes = |argument: &Argument<'_>| match argument {
            Argument::Address(address) => address.to_ne_bytes().to_vec(),
            Argument::Value(bytes) => bytes.to_vec(),
        };
        match arguments {
            Arguments::Separate(arguments) => OwnedArguments::Separate(arguments.iter().map(bytes).collect()),
            Arguments::Packed(block) => OwnedArguments::Packed(block.to_vec()),
            Arguments::Unknown => OwnedArguments::Unknown,
        }
    }
}

impl NodeParams {
    fn of(work: &Work<'_>) -> NodeParams {
        match work {
            Work::Kernel(launch) => NodeParams::Kernel(KernelParams {
                name: launch.name.to_owned(),
                shape: launch.shape,
                arguments: OwnedArguments::of(&launch.arguments),
                id: launch.kernel,
            }),
            Work::Memcpy { rows, .. } => NodeParams::Memcpy(*rows),
            Work::Memset(set) => NodeParams::Memset(*set),
            Work::Values(operations) => NodeParams::Values(operations.to_vec()),
            Work::MemAlloc(alloc) => NodeParams::MemAlloc(*alloc),
            Work::MemFree(freed) => NodeParams::MemFree(freed.address),
            Work::Host(function) => NodeParams::Host(function.given()),
            Work::Opaque(NodeKind::Host) => NodeParams::Host(None),
            Work::Conditional(conditional) => NodeParams::Conditional(*conditional),
            _ => NodeParams::Other(work.kind()),
        }
    }

    /// The kind of node.
    pub fn kind(&self) -> NodeKind {
        match self {
            NodeParams::Kernel(_) => NodeKind::Kernel,
            NodeParams::Memcpy(_) => NodeKind::Memcpy,
            NodeParams::Memset(_) => NodeKind::Memset,
            NodeParams::Values(_) => NodeKind::BatchMemOp,
            NodeParams::MemAlloc(_) => NodeKind::MemAlloc,
            NodeParams::MemFree(_) => NodeKind::MemFree,
            NodeParams::Host(_) => NodeKind::Host,
            NodeParams::Conditional(_) => NodeKind::Conditional,
            NodeParams::Other(kind) => *kind,
        }
    }
}

impl Graph {
    /// What a node does.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; the status of a context that faulted.
    pub fn node_params(&self, node: NodeId) -> Result<NodeParams> {
        let mut params = NodeParams::Other(NodeKind::Other);
        let read = &mut |work: &Work<'_>| params = NodeParams::of(work);
        self.context().driver().node_work(GraphRef::Known(self.id()), node, read)?;
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
            let name = module.name_of(params.id)?;
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
        let mut read = None;
        self.context().driver().node_work(GraphRef::Known(self.id()), node, &mut |work| read = event_of(work))?;
        let wanted = "an event node with an event that graphcap knows";
        let id = read.ok_or_else(|| self.naming(node, not_of_kind(node, wanted)))?;
        let found = self.find_kept(node, |kept| {
            kept.object::<EventInner>().map(Event::from_kept).filter(|event| event.id() == id)
        })?;
        found.ok_or_else(|| self.naming(node, not_known(node, "event")))
    }

    /// The first of what the graph keeps for `node` that `pick` picks.
    pub(in crate::core) fn find_kept<T>(&self, node: NodeId, pick: impl Fn(&Kept) -> Option<T>) -> Result<Option<T>> {
        let mut edits = self.0.root().lock()?;
        let holdings = self.0.holdings(&mut edits)?;
        if let Some(found) = holdings.find(self.0.outermost_node(node), &|kept| retention::find_in(kept, &pick)) {
            return Ok(Some(found));
        }
        let lists = self.context().driver().graph_retained(self.0.root().id)?;
        Ok(lists.iter().find_map(|list| retention::find(list, &pick)))
    }
}

fn event_of(work: &Work<'_>) -> Option<EventId> {
    match work {
        Work::EventRecord(event) | Work::EventWait(event) => Some(*event),
        _ => None,
    }
}

#[cold]
pub(in crate::core) fn not_of_kind(node: NodeId, wanted: &str) -> Error {
    Error::invalid_value(format!("node {:#x} is not {wanted}; gc_node_kind() tells what it is", node.0))
}

#[cold]
pub(in crate::core) fn not_known(node: NodeId, what: &str) -> Error {
    Error::new(Status::NOT_FOUND, format!("the {what} of node {:#x} is none of graphcap's", node.0))
}
