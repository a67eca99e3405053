//! Nodes by the kind of work that they do: setting one to work of another kind does not compile.
//!
//! ```
//! use graphcap::core::typed::{kind, Node};
//! use graphcap::core::{Buffer, Context, Fill, Graph};
//! use graphcap::driver::{DeviceChoice, DeviceKind};
//!
//! let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
//! let buffer = Buffer::allocate(&context, 64)?;
//! let ones = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 16, height: 1, pitch: 0 };
//!
//! let graph = Graph::create(&context)?;
//! let node: Node<kind::Memset> = graph.add(&[], ones)?;
//! let exec = graph.instantiate()?;
//! graph.set(node, Fill { value: 2, ..ones })?;
//! exec.set(node, Fill { value: 3, ..ones })?;
//! // A node that was captured, or that others made, has its type once it was looked at.
//! assert_eq!(graph.typed::<kind::Memset>(node.id())?, node);
//! assert!(graph.typed::<kind::Kernel>(node.id()).is_err());
//! # Ok::<(), graphcap::Error>(())
//! ```
//!
//! ```compile_fail
//! use graphcap::core::typed::{kind, Node, Record};
//! use graphcap::core::{Event, Graph};
//!
//! fn wrong(graph: &Graph, node: Node<kind::Memset>, event: &Event) -> graphcap::Result<()> {
//!     graph.set(node, Record(event))
//! }
//! ```

use std::fmt;
use std::marker::PhantomData;

use super::exec::GraphExec;
use super::graph::Graph;
use super::node_params::not_of_kind;
use crate::objects::event::Event;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::operations::copy::Copy;
use crate::operations::memset::Fill;
use crate::operations::node_work::NodeWork;
use crate::operations::values::StreamValue;
use graphcap_base::error::Result;
use graphcap_driver::{HostFunction, LaunchAttribute, LaunchShape, NodeId, NodeKind};

/// The kinds of nodes that can be set to other work.
pub mod kind {
    use graphcap_driver::NodeKind;

    /// A kind of node.
    pub trait Kind: sealed::Sealed {
        /// The kind as a value.
        const KIND: NodeKind;
    }

    mod sealed {
        pub trait Sealed {}
    }

    macro_rules! kinds {
        ($($(#[doc = $doc:literal])+ $kind:ident)+) => {$(
            $(#[doc = $doc])+
            #[derive(Debug)]
            pub enum $kind {}
            impl sealed::Sealed for $kind {}
            impl Kind for $kind {
                const KIND: NodeKind = NodeKind::$kind;
            }
        )+};
    }

    kinds! {
        /// Launches a kernel.
        Kernel
        /// Copies.
        Memcpy
        /// Sets memory.
        Memset
        /// Calls a function on the host.
        Host
        /// Writes values and waits for values.
        BatchMemOp
        /// Records an event.
        EventRecord
        /// Waits for an event.
        EventWait
        /// Runs another graph.
        Child
    }
}

use kind::Kind;

/// A node of one kind.
pub struct Node<K>(NodeId, PhantomData<fn() -> K>);

impl<K: Kind> Node<K> {
    /// The node as nodes of all kinds are named.
    pub fn id(self) -> NodeId {
        self.0
    }
}

impl<K> Clone for Node<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> std::marker::Copy for Node<K> {}

impl<K> PartialEq for Node<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K> Eq for Node<K> {}

impl<K: Kind> fmt::Debug for Node<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} node {:#x}", K::KIND, self.0 .0)
    }
}

impl<K: Kind> From<Node<K>> for NodeId {
    fn from(node: Node<K>) -> NodeId {
        node.0
    }
}

/// Work of nodes of one kind.
pub trait Work {
    /// The kind.
    type Kind: Kind;
    /// The work as that of a node of any kind.
    fn node_work(&self) -> NodeWork<'_>;
}

/// A kernel launch.
#[derive(Clone, std::marker::Copy)]
pub struct Launch<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Blocks, threads and shared memory.
    pub shape: LaunchShape,
    /// One argument for each parameter.
    pub arguments: &'a [KernelArgument<'a>],
    /// How the kernel is launched, beyond its shape.
    pub attributes: &'a [LaunchAttribute],
}

/// A call of a function on the host.
#[derive(Clone, std::marker::Copy)]
pub struct Call<'a>(pub &'a HostFunction);

/// Values that are written and waited for, one after another.
#[derive(Clone, std::marker::Copy)]
pub struct Values<'a>(pub &'a [StreamValue<'a>]);

/// The record of an event.
#[derive(Clone, std::marker::Copy)]
pub struct Record<'a>(pub &'a Event);

/// The wait for an event.
#[derive(Clone, std::marker::Copy)]
pub struct Wait<'a>(pub &'a Event);

/// A graph, which is copied as it is.
#[derive(Clone, std::marker::Copy)]
pub struct Child<'a>(pub &'a Graph);

impl Work for Launch<'_> {
    type Kind = kind::Kernel;
    fn node_work(&self) -> NodeWork<'_> {
        let Launch { kernel, shape, arguments, attributes } = *self;
        NodeWork::Kernel { kernel, shape, arguments, attributes }
    }
}

impl Work for Copy<'_> {
    type Kind = kind::Memcpy;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::Memcpy(*self)
    }
}

impl Work for Fill<'_> {
    type Kind = kind::Memset;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::Memset(*self)
    }
}

impl Work for Call<'_> {
    type Kind = kind::Host;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::Host(self.0)
    }
}

impl Work for Values<'_> {
    type Kind = kind::BatchMemOp;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::Values(self.0)
    }
}

impl Work for Record<'_> {
    type Kind = kind::EventRecord;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::EventRecord(self.0)
    }
}

impl Work for Wait<'_> {
    type Kind = kind::EventWait;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::EventWait(self.0)
    }
}

impl Work for Child<'_> {
    type Kind = kind::Child;
    fn node_work(&self) -> NodeWork<'_> {
        NodeWork::Child(self.0)
    }
}

impl Graph {
    /// Adds a node that does `work`, as [`Graph::add_node`] does.
    ///
    /// # Errors
    /// As [`Graph::add_node`].
    pub fn add<W: Work>(&self, dependencies: &[NodeId], work: W) -> Result<Node<W::Kind>> {
        self.add_node(dependencies, &work.node_work()).map(|node| Node(node, PhantomData))
    }

    /// Has a node do other work of its kind, in execs that are made from then on, as [`Graph::set_node`] does.
    ///
    /// # Errors
    /// As [`Graph::set_node`].
    pub fn set<W: Work>(&self, node: Node<W::Kind>, work: W) -> Result<()> {
        self.set_node(node.0, &work.node_work())
    }

    /// A node of the graph by its kind.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph, or is one of another kind; the status of a context that faulted.
    pub fn typed<K: Kind>(&self, node: NodeId) -> Result<Node<K>> {
        match self.node_params(node)?.kind() {
            kind if kind == K::KIND => Ok(Node(node, PhantomData)),
            _ => Err(self.naming(node, not_of_kind(node, kind_of(K::KIND)))),
        }
    }
}

impl GraphExec {
    /// Has a node of the exec do other work of its kind, as [`GraphExec::set_node`] does.
    ///
    /// # Errors
    /// As [`GraphExec::set_node`].
    pub fn set<W: Work>(&self, node: Node<W::Kind>, work: W) -> Result<()> {
        self.set_node(node.0, &work.node_work())
    }
}

/// What a node of a kind is called.
fn kind_of(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Kernel => "a kernel node",
        NodeKind::Memcpy => "a copy node",
        NodeKind::Memset => "a memset node",
        NodeKind::Host => "a host node",
        NodeKind::BatchMemOp => "a node of value operations",
        NodeKind::EventRecord => "a node that records an event",
        NodeKind::EventWait => "a node that waits for an event",
        NodeKind::Child => "a child node",
        _ => "a node of that kind",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Buffer, Context, NodeParams, Pitch, Place, Stream};
    use graphcap_base::error::Status;
    use graphcap_driver::rules::CaptureMode;
    use graphcap_driver::{DeviceChoice, DeviceKind, EventOptions, MemoryKind, StreamOptions, Value, ValueAction};

    fn context() -> Context {
        Context::create(DeviceChoice::Kind(DeviceKind::Host), 0).unwrap()
    }

    #[test]
    fn work_makes_nodes_of_its_kind() {
        let context = context();
        let graph = Graph::create(&context).unwrap();
        let buffer = Buffer::allocate_as(&context, 64, MemoryKind::Waitable).unwrap();
        let event = Event::create(&context, EventOptions::default()).unwrap();
        let function: HostFunction = Arc::new(|| ());
        let write = ValueAction::Write { barrier: true };
        let values = [StreamValue { buffer: &buffer, offset: 0, value: Value::U32(7), action: write }];
        let fill = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 4, height: 1, pitch: 0 };
        let pitch = Pitch::default();
        let (from, to) = (Place::Buffer(&buffer, 0), Place::Buffer(&buffer, 32));
        let copy = Copy {
            destination: to,
            destination_pitch: pitch,
            source: from,
            source_pitch: pitch,
            width: 8,
            height: 1,
            depth: 1,
        };
        let other = Graph::create(&context).unwrap();
        let made = [
            (graph.add(&[], fill).unwrap().id(), kind::Memset::KIND),
            (graph.add(&[], copy).unwrap().id(), kind::Memcpy::KIND),
            (graph.add(&[], Call(&function)).unwrap().id(), kind::Host::KIND),
            (graph.add(&[], Values(&values)).unwrap().id(), kind::BatchMemOp::KIND),
            (graph.add(&[], Record(&event)).unwrap().id(), kind::EventRecord::KIND),
            (graph.add(&[], Wait(&event)).unwrap().id(), kind::EventWait::KIND),
            (graph.add(&[], Child(&other)).unwrap().id(), kind::Child::KIND),
        ];
        for (node, kind) in made {
            assert_eq!(graph.node_params(node).unwrap().kind(), kind);
        }
    }

    #[test]
    fn nodes_that_were_captured_are_typed_and_set() {
        let context = context();
        let stream = Stream::create(&context, StreamOptions::default()).unwrap();
        let buffer = Buffer::allocate(&context, 64).unwrap();
        stream.begin_capture(CaptureMode::Relaxed).unwrap();
        stream.memset(&buffer, 0, 1, 4, 16).unwrap();
        let graph = stream.end_capture().unwrap();
        let id = graph.nodes().unwrap().nodes[0];
        let refused = graph.typed::<kind::Child>(id).unwrap_err();
        assert!(refused.status == Status::INVALID_VALUE && refused.message.contains("is not a child node"));
        let node = graph.typed::<kind::Memset>(id).unwrap();
        graph
            .set(node, Fill { buffer: &buffer, offset: 0, value: 9, element_size: 4, width: 16, height: 1, pitch: 0 })
            .unwrap();
        assert!(matches!(graph.node_params(id).unwrap(), NodeParams::Memset(set) if set.value == 9));
    }
}
