//! Graphs: what they keep alive, and what is told of their nodes.

use std::sync::Arc;

use super::{NodeId, Snapshot, StreamId};

/// Something that a graph keeps alive, and each exec made from it.
pub type Retained = Arc<dyn Retain>;

/// What can be kept by a graph.
pub trait Retain: Send + Sync {
    /// Whether dropping it may run code of the caller's, which may block.
    fn calls_out(&self) -> bool;

    /// Tells what is kept that work of `streams` may still use it: that of an exec which is about to let go of it. Memory and
    /// events then go with those streams for their users. Gives what goes with its last reference, which is to be held until
    /// that work is complete. `is_over` is the device's [`Driver::stream_is_over`](super::Driver::stream_is_over).
    fn used_by(&self, streams: &[StreamId], is_over: &dyn Fn(StreamId) -> bool) -> Vec<Snapshot>;
}

/// The nodes of a graph and what orders them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphNodes {
    /// In the order in which they were made.
    pub nodes: Vec<NodeId>,
    /// From and to.
    pub edges: Vec<(NodeId, NodeId)>,
}

/// What a node of a graph does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// A kernel launch.
    Kernel,
    /// A copy.
    Memcpy,
    /// A memset.
    Memset,
    /// A host function.
    Host,
    /// Nothing: a place for edges to meet.
    Empty,
    /// A graph of its own.
    Child,
    /// A wait for an event from outside.
    EventWait,
    /// A record of an event for the outside.
    EventRecord,
    /// An allocation.
    MemAlloc,
    /// The end of an allocation.
    MemFree,
    /// Writes of values, and waits for them.
    BatchMemOp,
    /// Graphs that run depending on a value.
    Conditional,
    /// A kind that graphcap does not know.
    Other,
}

/// A node, as a person would want to see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeDescription {
    /// What it does.
    pub kind: NodeKind,
    /// The kernel's name; empty for other kinds.
    pub name: String,
    /// Its parameters in words.
    pub detail: String,
}

/// A graph, as a person would want to see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GraphDescription {
    /// The nodes in the order in which they were made.
    pub nodes: Vec<NodeDescription>,
    /// From and to, as indices into `nodes`.
    pub edges: Vec<(usize, usize)>,
}
