//! Findings about a graph: as data, and in words.

use std::fmt::Write;

use crate::optimize::{byte_of_buffer, called};
use graphcap_base::error::Result;
use graphcap_core::{AddressPlace, Context, GoneAddress, Graph};
use graphcap_driver::rules::order::Conflict;
use graphcap_driver::{Address, NodeId};

/// Weight of a finding, with the number that C has for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// It is right in many programs.
    Note = 1,
    /// It is wrong unless the program knows more than the graph.
    Warning = 2,
    /// A replay does wrong.
    Error = 3,
}

/// A finding about a node.
#[derive(Clone, Debug)]
pub struct GraphFinding {
    /// The node; of two that no path orders the one that comes later in the order of the report.
    pub node: NodeId,
    /// The kind of the finding, with what belongs to it.
    pub flaw: Flaw,
}

/// Kind of a finding.
#[derive(Clone, Debug)]
pub enum Flaw {
    /// The memory of an address was freed.
    Gone(GoneAddress),
    /// The node touches bytes behind the end of the memory that it begins in.
    Overrun {
        /// The part of the node that has the address.
        place: AddressPlace,
        /// The first byte.
        address: Address,
        /// The number of bytes from the first to the last one.
        bytes: usize,
        /// The number of them that lie behind the end.
        beyond: u64,
    },
    /// No path orders the node and another one, both touch the same bytes, and one of them writes these.
    Unordered {
        /// The other node.
        other: NodeId,
        /// The first bytes that both touch.
        bytes: Conflict,
        /// Tells whether one of them is a kernel, of which it is only stated what it touches.
        is_stated: bool,
        /// Tells whether the graph has nodes that wait for what others do, which may order the two.
        may_wait: bool,
    },
    /// No path orders the node and another one, and both use the workspace of one stream's products.
    SharedWorkspace {
        /// The other node.
        other: NodeId,
        /// The bytes of the workspace that both touch.
        bytes: Conflict,
    },
    /// No path orders the node and another one, and both record one event.
    EventReused {
        /// The other node.
        other: NodeId,
    },
    /// A copy from or to memory of the CPU's that no graph keeps.
    PlainHostMemory {
        /// The side of the copy.
        place: AddressPlace,
        /// The first byte.
        address: Address,
        /// The number of bytes from the first to the last one.
        bytes: usize,
    },
    /// No node sets the condition of the node.
    ConditionUnset {
        /// The value that it has therefore.
        default: u32,
        /// Tells whether the body runs again and again.
        is_loop: bool,
    },
    /// The node copies bytes from the CPU to where nobody reads one of them.
    Unread {
        /// The first byte.
        address: Address,
        /// The number of bytes of all rows.
        bytes: u64,
    },
    /// The node reads memory that graphs of a pool share, and that the graph did not write before.
    Overwritten {
        /// The first byte.
        address: Address,
        /// The number of bytes.
        bytes: u64,
    },
    /// The node allocates memory that no node frees.
    NotFreed {
        /// The first byte.
        address: Address,
        /// The size in bytes.
        bytes: usize,
    },
}

impl GraphFinding {
    pub(super) fn gone(gone: GoneAddress) -> GraphFinding {
        GraphFinding { node: gone.node, flaw: Flaw::Gone(gone) }
    }

    /// The weight of the finding.
    pub fn severity(&self) -> Severity {
        match self.flaw {
            Flaw::Gone(_) | Flaw::Overrun { .. } => Severity::Error,
            Flaw::Unordered { may_wait: true, .. } => Severity::Note,
            Flaw::Unordered { is_stated: true, .. } => Severity::Warning,
            Flaw::Unordered { .. } => Severity::Error,
            Flaw::SharedWorkspace { .. } | Flaw::ConditionUnset { .. } | Flaw::Overwritten { .. } => Severity::Warning,
            Flaw::EventReused { .. } | Flaw::PlainHostMemory { .. } | Flaw::Unread { .. } | Flaw::NotFreed { .. } => {
                Severity::Note
            }
        }
    }

    /// Returns the finding in words: a line with its severity, the node, what is wrong, and what to do.
    ///
    /// # Errors
    /// `INVALID_VALUE` when the graph does not have the node any more; the status of a context that faulted.
    pub fn text(&self, graph: &Graph) -> Result<String> {
        let text = self.text_by(graph.context(), &|node| called(graph, node))?;
        Ok(format!("{}: {text}", self.severity().name()))
    }

    /// As [`GraphFinding::text`] without the severity, where `called` calls the nodes.
    pub(super) fn text_by(&self, context: &Context, called: &dyn Fn(NodeId) -> Result<String>) -> Result<String> {
        let mut text = called(self.node)?;
        let _ = match &self.flaw {
            Flaw::Gone(gone) => write!(text, ": {}; keep memory as long as a graph names it", gone.text()),
            Flaw::Overrun { place, address, bytes, beyond } => write!(
                text,
                ": {} has {bytes} bytes at {address:#x}{}, and {beyond} of them lie behind the end of the memory; make the work smaller \
                 or the memory larger",
                words(*place),
                byte(context, *address)
            ),
            Flaw::Unordered { other, bytes, is_stated, may_wait } => write!(
                text,
                " and {} run in any order{}: {} {} bytes at {:#x}{}; add an edge between them{}",
                called(*other)?,
                if *may_wait { " unless a wait orders them" } else { "" },
                how(bytes.writes),
                bytes.end - bytes.start,
                bytes.start,
                byte(context, bytes.start),
                if *is_stated { ", or state which bytes each kernel touches" } else { "" }
            ),
            Flaw::SharedWorkspace { other, bytes } => write!(
                text,
                " and {} run in any order and share a workspace of {} bytes at {:#x}; add an edge between them, or give each product a \
                 workspace of its own",
                called(*other)?,
                bytes.end - bytes.start,
                bytes.start
            ),
            Flaw::EventReused { other } => write!(
                text,
                " and {} run in any order and record one event, which tells of either; add an edge between them, or use two events",
                called(*other)?
            ),
            Flaw::PlainHostMemory { place, address, bytes } => write!(
                text,
                ": {} has {bytes} bytes of the CPU's at {address:#x} that no graph keeps; keep them until the last replay, or use a host \
                 buffer{}",
                words(*place),
                if *place == AddressPlace::CopySource { ", or record a snapshot" } else { "" }
            ),
            Flaw::ConditionUnset { default, is_loop } => write!(
                text,
                ": no node sets its condition, which is {default} in every replay{}; set it by a kernel, or by a node that sets \
                 conditions",
                match (is_loop, default) {
                    (true, 0) => ", so that the body never runs",
                    (true, _) => ", so that the body runs for ever",
                    (false, _) => "",
                }
            ),
            Flaw::Unread { address, bytes } => write!(
                text,
                " copies {bytes} bytes from the CPU to {address:#x}{}, and nobody reads one of them before they are freed or written \
                 again; let a node read the memory that is written, or leave the copy out",
                byte(context, *address)
            ),
            Flaw::Overwritten { address, bytes } => write!(
                text,
                " reads {bytes} bytes at {address:#x}{}, in memory that graphs of a pool share, and no earlier node of the graph writes them: \
                 a launch of another graph of the pool overwrites them; copy results out at the end of the graph that makes them, and \
                 allocate inputs outside of captures",
                byte(context, *address)
            ),
            Flaw::NotFreed { address, bytes } => write!(
                text,
                ": no node frees the {bytes} bytes at {address:#x} that it allocates; free them before the next launch, or instantiate \
                 with GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH"
            ),
        };
        Ok(text)
    }
}

fn byte(context: &Context, address: Address) -> String {
    byte_of_buffer(context, address).map(|byte| format!(", {byte}")).unwrap_or_default()
}

fn how(writes: (bool, bool)) -> &'static str {
    match writes {
        (true, true) => "both write",
        (true, false) => "the first reads and the second writes",
        _ => "the first writes and the second reads",
    }
}

fn words(place: AddressPlace) -> String {
    match place {
        AddressPlace::Argument { parameter, .. } => format!("parameter {parameter}"),
        AddressPlace::CopyDestination => String::from("the destination of the copy"),
        AddressPlace::CopySource => String::from("the source of the copy"),
        AddressPlace::Memset => String::from("the memset"),
        AddressPlace::Value { operation } => format!("value operation {operation}"),
    }
}
