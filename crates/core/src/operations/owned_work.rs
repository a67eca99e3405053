//! Work that is to be a node of a graph, with the objects that it uses.

use super::copy::OwnedCopy;
use super::memset::FillOf;
use super::node_work::NodeWork;
use crate::graphs::graph::Graph;
use crate::objects::buffer::Buffer;
use crate::objects::event::Event;
use crate::objects::kernel::{Kernel, KernelArgument, OwnedArgument};
use graphcap_driver::{Conditional, HostFunction, LaunchAttribute, LaunchShape};

/// Work of a node that keeps alive what it uses; each kind as [`NodeWork`] has it, but value operations.
#[derive(Clone)]
pub enum OwnedWork {
    /// Nothing.
    Empty,
    /// Launch a kernel.
    Kernel {
        /// The kernel.
        kernel: Kernel,
        /// Blocks, threads and shared memory.
        shape: LaunchShape,
        /// One argument for each parameter.
        arguments: Vec<OwnedArgument>,
        /// Attributes of the launch; none that records an event.
        attributes: Vec<LaunchAttribute>,
    },
    /// Copy.
    Memcpy(OwnedCopy),
    /// Set elements of a buffer.
    Memset(FillOf<Buffer>),
    /// Call a function on the host.
    Host(HostFunction),
    /// Record an event.
    EventRecord(Event),
    /// Wait for an event.
    EventWait(Event),
    /// Free what a node allocates.
    Free(Buffer),
    /// Run a graph, which is copied when the node is made.
    Child(Graph),
    /// Run bodies depending on a condition.
    Conditional(Conditional),
}

impl OwnedWork {
    /// Calls `take` with the work, its objects borrowed.
    #[inline]
    pub fn lend<T>(&self, take: impl FnOnce(&NodeWork<'_>) -> T) -> T {
        let lent: Vec<KernelArgument<'_>>;
        take(&match self {
            OwnedWork::Kernel { kernel, shape, arguments, attributes } => {
                lent = arguments.iter().map(OwnedArgument::lend).collect();
                NodeWork::Kernel { kernel, shape: *shape, arguments: &lent, attributes }
            }
            OwnedWork::Empty => NodeWork::Empty,
            OwnedWork::Memcpy(copy) => NodeWork::Memcpy(copy.lend()),
            OwnedWork::Memset(fill) => NodeWork::Memset(fill.lend()),
            OwnedWork::Host(function) => NodeWork::Host(function),
            OwnedWork::EventRecord(event) => NodeWork::EventRecord(event),
            OwnedWork::EventWait(event) => NodeWork::EventWait(event),
            OwnedWork::Free(buffer) => NodeWork::Free(buffer),
            OwnedWork::Child(graph) => NodeWork::Child(graph),
            OwnedWork::Conditional(conditional) => NodeWork::Conditional(*conditional),
        })
    }
}
