//! Graphs of the host device: what nodes do, and a graph as captures and execs share it.

mod definition;
mod edit;
pub(super) mod plan;

use std::sync::Arc;

pub(super) use self::definition::{Definition, Dependencies, Names};
use super::event::Event;
use super::kernel::KernelCall;
use crate::driver::values::describe_values;
use crate::driver::{
    HostFunction, Memcpy, MemcpyKind, MemcpyRows, Memset, NodeDescription, NodeId, NodeKind, Retained, Snapshot,
    ValueAction, ValueOperation,
};
use crate::error::{Error, Result, Status};

/// What a stream or a node does.
#[derive(Clone)]
pub(super) enum Action {
    Kernel(KernelCall),
    Memcpy(Memcpy),
    MemcpyRows(Arc<RowsCall>),
    Memset(Memset),
    Host(HostFunction),
    /// One after another.
    Values(Arc<[ValueOperation]>),
    /// Of nodes alone, as is the next one.
    RecordEvent(Arc<Event>),
    WaitEvent(Arc<Event>),
}

/// A copy of several rows, and the bytes that it reads where these are its own.
pub(super) struct RowsCall {
    pub(super) copy: MemcpyRows,
    /// Held to be read.
    pub(super) _snapshot: Option<Snapshot>,
}

impl Action {
    /// Whether it may hold what comes after it until somebody writes a value.
    pub(super) fn waits_for_values(&self) -> bool {
        let is_wait = |operation: &ValueOperation| matches!(operation.action, ValueAction::Wait { .. });
        matches!(self, Action::Values(operations) if operations.iter().any(is_wait))
    }

    /// What kind of node it makes.
    pub(super) fn kind(&self) -> NodeKind {
        match self {
            Action::Kernel(_) => NodeKind::Kernel,
            Action::Memcpy(_) | Action::MemcpyRows(_) => NodeKind::Memcpy,
            Action::Memset(_) => NodeKind::Memset,
            Action::Host(_) => NodeKind::Host,
            Action::Values(_) => NodeKind::BatchMemOp,
            Action::RecordEvent(_) => NodeKind::EventRecord,
            Action::WaitEvent(_) => NodeKind::EventWait,
        }
    }

    /// The node for a person.
    fn describe(&self) -> NodeDescription {
        let (name, detail) = match self {
            Action::Kernel(call) => {
                let [gx, gy, gz] = call.shape.grid;
                let [bx, by, bz] = call.shape.block;
                let shared = call.shape.shared_mem_bytes;
                let detail = format!("grid {gx}x{gy}x{gz}, block {bx}x{by}x{bz}, {shared} bytes shared");
                (call.kernel.name.clone(), detail)
            }
            Action::Memcpy(copy) => (String::new(), describe_copy(copy, 1, 1)),
            Action::MemcpyRows(call) => {
                let MemcpyRows { row, height, depth, .. } = &call.copy;
                (String::new(), describe_copy(row, *height, *depth))
            }
            Action::Memset(set) => {
                let Memset { address, value, element_size, count, rows, .. } = set;
                let rows = if *rows > 1 { format!(" x {rows}") } else { String::new() };
                let detail = format!("{count}{rows} x {element_size} bytes at {address:#x} to {value:#x}");
                (String::new(), detail)
            }
            Action::Values(operations) => (String::new(), describe_values(operations.iter().map(ToString::to_string))),
            Action::Host(_) | Action::RecordEvent(_) | Action::WaitEvent(_) => Default::default(),
        };
        NodeDescription { kind: self.kind(), name, detail }
    }
}

fn describe_copy(row: &Memcpy, height: usize, depth: usize) -> String {
    let way = match row.kind {
        MemcpyKind::HostToDevice => "host to device",
        MemcpyKind::DeviceToHost => "device to host",
        MemcpyKind::DeviceToDevice | MemcpyKind::BetweenContexts => "device to device",
    };
    let Memcpy { source, destination, bytes, .. } = row;
    let extent = match (height, depth) {
        (1, 1) => format!("{bytes} bytes"),
        (_, 1) => format!("{bytes} bytes x {height}"),
        _ => format!("{bytes} bytes x {height} x {depth}"),
    };
    format!("{way}, {extent}, {source:#x} to {destination:#x}")
}

/// A graph: its definition, shared with the execs made from it, and what it keeps alive.
pub(super) struct Graph {
    pub(super) definition: Arc<Definition>,
    pub(super) retained: Vec<Retained>,
    pub(super) context: u64,
    pub(super) fate: Fate,
}

/// How a graph stands to captures into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// None goes on.
    Settled,
    /// One goes on, and no other one may begin.
    Captured,
    /// One failed, which is the end of the graph.
    Lost,
}

impl Graph {
    /// Without nodes or with those of a capture.
    pub(super) fn new(definition: Definition, context: u64) -> Graph {
        Graph { definition: Arc::new(definition), retained: Vec::new(), context, fate: Fate::Settled }
    }

    /// The capture into it is over. Gives what a lost graph keeps no longer, to be dropped where no lock is held.
    #[must_use]
    pub(super) fn captured(&mut self, succeeded: bool) -> Vec<Retained> {
        if succeeded {
            self.fate = Fate::Settled;
            return Vec::new();
        }
        self.fate = Fate::Lost;
        std::mem::take(&mut self.retained)
    }
}

/// Edits that depend on whether a capture goes on.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the calls that edit graphs come with the next change of the interface")
)]
impl Graph {
    /// Removes a node with all its edges. Gives what the node did, to be dropped where no lock is held.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` while a capture into the graph goes on, whose streams may depend on the node; `INVALID_VALUE` when
    /// there is no such node.
    pub(super) fn remove(&mut self, node: NodeId) -> Result<Action> {
        if self.fate == Fate::Captured {
            return Err(Error::new(
                Status::ILLEGAL_STATE,
                "a node cannot be removed while a capture goes into its graph; end the capture first",
            ));
        }
        // An exec that was made before holds the definition as it was then.
        Arc::make_mut(&mut self.definition).remove(node)
    }
}
