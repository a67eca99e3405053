//! Work that is to be a node of a graph, on objects of the graph's context: checked as work of a stream is.

use smallvec::SmallVec;

use super::copy::Copy;
use super::launch_events::check_no_events;
use super::memset::Fill;
use super::operands::Operand;
use super::values::{self, StreamValue};
use crate::graphs::graph::Graph;
use crate::keep::{Kepts, Needs};
use crate::objects::access::LaunchAccesses;
use crate::objects::buffer::Buffer;
use crate::objects::event::Event;
use crate::objects::home::Home;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::state::Context;
use crate::state::GraphInner;
use graphcap_base::error::{Error, Result};
use graphcap_driver::{
    Arguments, Conditional, ConditionalKind, HostFunction, Launch, LaunchAttribute, LaunchShape, Work,
};

/// Work that a node is to do.
#[derive(Clone, Copy)]
pub enum NodeWork<'a> {
    /// Nothing: a node where edges meet.
    Empty,
    /// Launch a kernel.
    Kernel {
        /// The kernel.
        kernel: &'a Kernel,
        /// Blocks, threads and shared memory.
        shape: LaunchShape,
        /// One argument for each parameter.
        arguments: &'a [KernelArgument<'a>],
        /// Attributes of the launch.
        attributes: &'a [LaunchAttribute],
    },
    /// Copy.
    Memcpy(Copy<'a>),
    /// Set elements of a buffer.
    Memset(Fill<'a>),
    /// Call a function on the host.
    Host(&'a HostFunction),
    /// Write values and wait for values, one after another.
    Values(&'a [StreamValue<'a>]),
    /// Record an event.
    EventRecord(&'a Event),
    /// Wait for the record that an event holds when the graph is launched.
    EventWait(&'a Event),
    /// Free what a node of a graph allocates.
    Free(&'a Buffer),
    /// Run a graph, which is copied as it is now.
    Child(&'a Graph),
    /// Run bodies depending on a condition of the graph. The bodies are without nodes at first.
    Conditional(Conditional),
}

impl NodeWork<'_> {
    /// The graph that is copied.
    pub(crate) fn graph(&self) -> Option<&GraphInner> {
        match self {
            NodeWork::Child(graph) => Some(&graph.0),
            _ => None,
        }
    }

    /// The launch attributes of a kernel.
    pub(crate) fn attributes(&self) -> &[LaunchAttribute] {
        match self {
            NodeWork::Kernel { attributes, .. } => attributes,
            _ => &[],
        }
    }

    /// Finds what is wrong with the work for a node of a graph of `context`, before host memory is read.
    ///
    /// # Errors
    /// As [`Graph::add_node`], but for what the device says.
    pub fn check(&self, context: &Context) -> Result<()> {
        self.resolve(Home::graph(context), |_, _| Ok(()))
    }

    /// Calls `take` with the work by ids and addresses, and with what it needs alive.
    ///
    /// # Errors
    /// As the functions of [`Stream`](crate::Stream) for such work, but `INVALID_VALUE` for work on no bytes and for no
    /// operations: a node of it would do nothing.
    pub(crate) fn resolve<T>(
        &self,
        home: Home<'_>,
        take: impl FnOnce(&Work<'_>, &dyn Needs) -> Result<T>,
    ) -> Result<T> {
        match *self {
            NodeWork::Empty => take(&Work::Empty, &Kepts::new()),
            NodeWork::Kernel { kernel, shape, arguments, attributes } => {
                check_no_events(attributes)?;
                let mut passed = SmallVec::new();
                let stated = kernel.resolve(home, arguments, &mut passed)?;
                let launch = Launch {
                    kernel: kernel.id(),
                    name: kernel.name(),
                    shape,
                    arguments: Arguments::Separate(&passed),
                    attributes,
                    stated: stated.as_deref().map(LaunchAccesses::as_stated),
                };
                take(&Work::Kernel(launch), &(kernel, arguments))
            }
            NodeWork::Memcpy(copy) => {
                let rows = copy.resolve(home)?.ok_or_else(|| nothing("a copy of 0 bytes, rows or slices"))?;
                take(&Work::Memcpy { rows, snapshot: copy.snapshot() }, &copy.operands())
            }
            NodeWork::Memset(fill) => {
                let set = fill.resolve(home, "width")?.ok_or_else(|| nothing("a memset of 0 elements or rows"))?;
                take(&Work::Memset(set), &Operand::Buffer(fill.buffer))
            }
            NodeWork::Host(function) => take(&Work::Host(function), &Operand::HostFunction(function)),
            NodeWork::Values(operations) => {
                if operations.is_empty() {
                    return Err(nothing("a batch of 0 operations"));
                }
                let submitted = values::resolve_batch(operations, home)?;
                take(&Work::Values(&submitted), &operations)
            }
            NodeWork::EventRecord(event) => {
                home.check(event.context(), "the event")?;
                event.note_node();
                take(&Work::EventRecord(event.id()), &Operand::Event(event))
            }
            NodeWork::EventWait(event) => {
                home.check(event.context(), "the event")?;
                take(&Work::EventWait(event.id()), &Operand::Event(event))
            }
            NodeWork::Free(buffer) => {
                home.check_own(buffer.context(), "the buffer")?;
                take(&Work::MemFree(buffer.freed_in_graphs()?), &Operand::Buffer(buffer))
            }
            NodeWork::Conditional(conditional) => {
                check_bodies(&conditional)?;
                take(&Work::Conditional(conditional), &Kepts::new())
            }
            NodeWork::Child(graph) => {
                home.check_own(graph.context(), "the child graph")?;
                graph.to_be_child(|kept| take(&Work::Child(graph.id()), &kept))
            }
        }
    }
}

/// Each kind of conditional node has its number of bodies.
fn check_bodies(Conditional { kind, bodies, .. }: &Conditional) -> Result<()> {
    let (most, told) = match kind {
        ConditionalKind::If => (2, "1 body, or 2 with the one for 0"),
        ConditionalKind::While => (1, "1 body"),
        ConditionalKind::Switch => (u32::MAX, "at least 1 body"),
    };
    if (1..=most).contains(bodies) {
        return Ok(());
    }
    Err(Error::invalid_value(format!("a conditional node of this kind has {told}, not {bodies}")))
}

#[cold]
fn nothing(what: &str) -> Error {
    Error::invalid_value(format!("a node cannot be {what}; leave the node out, or add an empty node"))
}
