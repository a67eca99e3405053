//! Work: the table of everything that a stream can be given to do or that a node of a graph can do.
//!
//! The same value is submitted to a stream, read back from a node, and compared or drawn by the layers above.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Address, AttributeValue, BatchError, ConditionId, EventId, GraphId, KernelId, MemcpyRows, MemoryId, Memset, NodeId,
    Snapshot, Stated, StreamId, ValueOperation,
};
use crate::{HostFunction, LaunchShape};
use graphcap_base::error::{Error, Result, Status};

/// One piece of work. It borrows what it names; whoever takes it copies what has to stay.
#[derive(Clone, Copy)]
pub enum Work<'a> {
    /// Nothing: a node where edges meet.
    Empty,
    /// A kernel launch.
    Kernel(Launch<'a>),
    /// A copy of one row or more.
    Memcpy {
        /// The sides of the copy, by rows.
        rows: MemcpyRows,
        /// Bytes that the source lies in. Whoever submits keeps them alive where the copy is recorded; the device keeps
        /// them until a copy that is queued has run. `None` in what is read back from a node.
        snapshot: Option<&'a Snapshot>,
    },
    /// A memset.
    Memset(Memset),
    /// A function of the caller's that runs on the host.
    Host(&'a HostFunction),
    /// Writes of values, and waits for them, one after another: at least 1 and at most 255.
    Values(&'a [ValueOperation]),
    /// A record of an event that other streams see; each launch of the graph is a record.
    EventRecord(EventId),
    /// A wait for the record that the event holds when the graph is launched.
    EventWait(EventId),
    /// A graph that runs as one node. Added is a copy of the graph as it is then. What is read back is the graph of the node
    /// itself, which lives as long as the node. A node alone.
    Child(GraphId),
    /// Graphs of the node's own, its bodies, that run depending on a value. Added are bodies without nodes. A node alone.
    Conditional(Conditional),
    /// An allocation that lives from here until it is freed. What is read back from a node: one is added by
    /// [`GraphEdits::graph_add_allocation`](super::GraphEdits::graph_add_allocation).
    MemAlloc(MemAlloc),
    /// The end of an allocation that a node made. A stream frees it when it comes to it; later work must not use
    /// the memory. `INVALID_VALUE` on a stream for what is not allocated. An unsafe call under the capture rules where it is not
    /// recorded.
    MemFree(MemFree),
    /// Work that graphcap cannot tell: a kind that it does not know, or one with contents that others made.
    /// It cannot be submitted.
    Opaque(NodeKind),
}

impl Work<'_> {
    /// The kind of node that it is.
    pub fn kind(&self) -> NodeKind {
        match self {
            Work::Empty => NodeKind::Empty,
            Work::Kernel(_) => NodeKind::Kernel,
            Work::Memcpy { .. } => NodeKind::Memcpy,
            Work::Memset(_) => NodeKind::Memset,
            Work::Host(_) => NodeKind::Host,
            Work::Values(_) => NodeKind::BatchMemOp,
            Work::EventRecord(_) => NodeKind::EventRecord,
            Work::EventWait(_) => NodeKind::EventWait,
            Work::Child(_) => NodeKind::Child,
            Work::Conditional(_) => NodeKind::Conditional,
            Work::MemAlloc(_) => NodeKind::MemAlloc,
            Work::MemFree(_) => NodeKind::MemFree,
            Work::Opaque(kind) => *kind,
        }
    }

    /// Tells `note` each address of memory that it names; of a kernel's arguments by [`Arguments::each_address`].
    pub fn each_address(&self, note: &mut dyn FnMut(Address)) {
        match self {
            Work::Kernel(launch) => launch.arguments.each_address(note),
            Work::Memcpy { rows, .. } => [rows.row.destination, rows.row.source].into_iter().for_each(note),
            Work::Memset(set) => note(set.address),
            Work::Values(operations) => operations.iter().for_each(|operation| note(operation.address)),
            Work::MemAlloc(MemAlloc { address, .. }) | Work::MemFree(MemFree { address, .. }) => note(*address),
            Work::Empty | Work::Host(_) | Work::EventRecord(_) | Work::EventWait(_) => {}
            Work::Child(_) | Work::Conditional(_) | Work::Opaque(_) => {}
        }
    }
}

/// Kind of a node of a graph, with the number that C has for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// A kernel launch.
    Kernel = 0,
    /// A copy.
    Memcpy = 1,
    /// A memset.
    Memset = 2,
    /// A host function.
    Host = 3,
    /// A graph of its own.
    Child = 4,
    /// Nothing: a place for edges to meet.
    Empty = 5,
    /// A wait for an event from outside.
    EventWait = 6,
    /// A record of an event for the outside.
    EventRecord = 7,
    /// An allocation.
    MemAlloc = 10,
    /// The end of an allocation.
    MemFree = 11,
    /// Writes of values, and waits for them.
    #[serde(rename = "value_operations")]
    BatchMemOp = 12,
    /// Graphs that run depending on a value.
    Conditional = 13,
    /// A kind that graphcap does not know, which C has another number for.
    #[serde(rename = "opaque")]
    Other,
}

impl NodeKind {
    /// All kinds, in their order.
    pub const ALL: [NodeKind; 13] = [
        NodeKind::Kernel,
        NodeKind::Memcpy,
        NodeKind::Memset,
        NodeKind::Host,
        NodeKind::Empty,
        NodeKind::Child,
        NodeKind::EventWait,
        NodeKind::EventRecord,
        NodeKind::MemAlloc,
        NodeKind::MemFree,
        NodeKind::BatchMemOp,
        NodeKind::Conditional,
        NodeKind::Other,
    ];

    /// Returns what it is called in texts.
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Kernel => "kernel",
            NodeKind::Memcpy => "memcpy",
            NodeKind::Memset => "memset",
            NodeKind::Host => "host function",
            NodeKind::Empty => "empty",
            NodeKind::Child => "child graph",
            NodeKind::EventWait => "event wait",
            NodeKind::EventRecord => "event record",
            NodeKind::MemAlloc => "allocation",
            NodeKind::MemFree => "free",
            NodeKind::BatchMemOp => "value operations",
            NodeKind::Conditional => "conditional",
            NodeKind::Other => "other",
        }
    }
}

/// Writes its name.
impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The condition of a node with bodies, and how it decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conditional {
    /// The condition, of the same graph; no other node has it.
    pub condition: ConditionId,
    /// Way in which its value decides.
    pub kind: ConditionalKind,
    /// Number of bodies: 1 or 2 of [`ConditionalKind::If`], 1 of [`ConditionalKind::While`], at least 1 of
    /// [`ConditionalKind::Switch`].
    pub bodies: u32,
}

/// Way in which the value of a condition decides about bodies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConditionalKind {
    /// The first body runs once unless the value is 0; the second one if it is.
    If = 0,
    /// The body runs as long as the value is not 0.
    While = 1,
    /// The body runs of which the value is the index; none if there is no such body.
    Switch = 2,
}

impl ConditionalKind {
    /// Returns what it is called in texts.
    pub fn name(self) -> &'static str {
        match self {
            ConditionalKind::If => "if",
            ConditionalKind::While => "while",
            ConditionalKind::Switch => "switch",
        }
    }
}

/// Writes its name.
impl fmt::Display for ConditionalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An allocation by a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemAlloc {
    /// Its size.
    pub bytes: usize,
    /// Its address; 0 in what is added, where the device chooses.
    pub address: Address,
}

/// The end of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemFree {
    /// Its address.
    pub address: Address,
    /// Number of the memory: another one can come to the address when the graph is gone that allocated it. `None` in what is read back
    /// from a node.
    pub memory: Option<MemoryId>,
}

impl MemFree {
    /// The end of whatever is allocated at an address.
    pub fn at(address: Address) -> MemFree {
        MemFree { address, memory: None }
    }
}

/// A launch of a kernel.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    /// The kernel; [`KernelId::FOREIGN`] in what is read back of a kernel that was not found through graphcap.
    pub kernel: KernelId,
    /// Its name; empty where the device does not tell it.
    pub name: &'a str,
    /// Blocks, threads and shared memory.
    pub shape: LaunchShape,
    /// Arguments of the kernel.
    pub arguments: Arguments<'a>,
    /// Attributes of the launch beyond its shape. Empty in what is read back: a driver is asked for attributes apart.
    pub attributes: &'a [LaunchAttribute],
    /// Statements about its arguments, for a device that checks it. `None` in what is read back.
    pub stated: Option<Stated<'a>>,
}

/// The arguments of a launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arguments<'a> {
    /// One by one, in the order of the kernel's parameters.
    Separate(&'a [Argument<'a>]),
    /// In one block, laid out as the kernel's parameters are.
    Packed(&'a [u8]),
    /// Not known: a driver before 12.4 does not tell how large parameters are. It cannot be submitted.
    Unknown,
}

impl Arguments<'_> {
    /// Tells `note` each address. Of bytes each aligned word of 8 counts, which may be one.
    pub fn each_address(&self, note: &mut dyn FnMut(Address)) {
        let mut words = |bytes: &[u8]| {
            bytes.as_chunks().0.iter().for_each(|word| note(Address::from_ne_bytes(*word)));
        };
        match self {
            Arguments::Packed(block) => words(block),
            Arguments::Separate(arguments) => arguments.iter().for_each(|argument| match argument {
                Argument::Address(address) => words(&address.to_ne_bytes()),
                Argument::Value(bytes) => words(bytes),
            }),
            Arguments::Unknown => {}
        }
    }
}

/// One kernel argument, by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument<'a> {
    /// A device address.
    Address(Address),
    /// The bytes of a value, as the kernel's parameter has them.
    Value(&'a [u8]),
}

impl Argument<'_> {
    /// Size of the parameter that it fills, in bytes.
    pub fn size(&self) -> usize {
        match self {
            Argument::Address(_) => std::mem::size_of::<Address>(),
            Argument::Value(bytes) => bytes.len(),
        }
    }
}

/// An attribute of a launch: a number and a value as CUDA's `CUlaunchAttribute` has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchAttribute {
    /// CUDA's number of the attribute (`CUlaunchAttributeID`).
    pub id: u32,
    /// Its value, laid out as CUDA has it for that attribute.
    pub value: AttributeValue,
}

/// One of the copies that a stream is given together.
#[derive(Clone, Copy)]
pub struct BatchCopy<'a> {
    /// As [`Work::Memcpy`] has it.
    pub rows: MemcpyRows,
    /// As [`Work::Memcpy`] has it.
    pub snapshot: Option<&'a Snapshot>,
}

impl BatchCopy<'_> {
    /// The copy as work of its own.
    #[inline]
    pub fn work(&self) -> Work<'_> {
        Work::Memcpy { rows: self.rows, snapshot: self.snapshot }
    }
}

/// Gives streams work to do. The rules of [`Driver`](super::Driver) hold.
pub trait Submit: Send + Sync {
    /// Queues work or, while the stream is captured, records it as a node. What `work` borrows is copied before this
    /// returns. `ILLEGAL_STATE` for [`Work::EventRecord`] and [`Work::EventWait`] on a stream that is not captured, since
    /// they are nodes alone; `INVALID_VALUE` for work that cannot be submitted; `NOT_SUPPORTED` for what the device cannot do.
    fn submit(&self, stream: StreamId, work: &Work<'_>) -> Result<()>;

    /// Returns whether [`Submit::launch_node`] runs a node of a graph: a kernel that does on a stream what it does in a graph.
    fn can_launch_node(&self, _graph: GraphId, _node: NodeId) -> Result<bool> {
        Ok(false)
    }

    /// Queues the launch of such a node's kernel, with the arguments that the node has, on a stream that is not captured.
    fn launch_node(&self, _stream: StreamId, _graph: GraphId, _node: NodeId) -> Result<()> {
        Err(Error::new(
            Status::NOT_SUPPORTED,
            "the device runs the node by an exec alone; make one of a graph of that node",
        ))
    }

    /// Queues copies that are in no order among themselves, behind the earlier work of the stream and before the later. While the
    /// stream is captured each of them is recorded as a node, in their order. Of a failure see [`Submit::submit`]; copies before
    /// the one that failed may be queued or recorded.
    fn submit_copies(&self, stream: StreamId, copies: &[BatchCopy<'_>]) -> std::result::Result<(), BatchError> {
        let submit = |(index, copy): (usize, &BatchCopy<'_>)| {
            self.submit(stream, &copy.work()).map_err(|error| BatchError::at(index, error))
        };
        copies.iter().enumerate().try_for_each(submit)
    }
}
