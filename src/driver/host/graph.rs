//! Graphs of the host device: what nodes do, and a graph as captures and execs share it.

pub(super) mod changes;
mod copies;
mod definition;
mod edit;
pub(super) mod plan;

use std::sync::Arc;

pub(super) use self::definition::{Definition, Dependencies, Names};
use super::event::Event;
use super::kernel::KernelCall;
use crate::driver::{
    HostFunction, Memcpy, MemcpyRows, Memset, NodeId, NodeKind, Retained, Snapshot, ValueAction, ValueOperation, Work,
};
use crate::error::{Error, Result, Status};

/// What a stream or a node does.
#[derive(Clone)]
pub(super) enum Action {
    /// Nothing; of nodes alone.
    Empty,
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
            Action::Empty => NodeKind::Empty,
            Action::Kernel(_) => NodeKind::Kernel,
            Action::Memcpy(_) | Action::MemcpyRows(_) => NodeKind::Memcpy,
            Action::Memset(_) => NodeKind::Memset,
            Action::Host(_) => NodeKind::Host,
            Action::Values(_) => NodeKind::BatchMemOp,
            Action::RecordEvent(_) => NodeKind::EventRecord,
            Action::WaitEvent(_) => NodeKind::EventWait,
        }
    }

    /// Is about to become what a node does that did `before`, which is of the same kind. A kernel node keeps its attributes, but
    /// for those that are given anew.
    pub(super) fn takes_over(&mut self, before: &Action) {
        if let (Action::Kernel(call), Action::Kernel(before)) = (self, before) {
            call.keep_attributes(&before.attributes);
        }
    }

    /// Tells `read` the work that this was made of.
    pub(super) fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
        match self {
            Action::Empty => read(&Work::Empty),
            Action::Kernel(call) => call.read(read),
            Action::Memcpy(row) => read(&Work::Memcpy { rows: MemcpyRows::one(*row), snapshot: None }),
            Action::MemcpyRows(call) => read(&Work::Memcpy { rows: call.copy, snapshot: None }),
            Action::Memset(set) => read(&Work::Memset(*set)),
            Action::Host(function) => read(&Work::Host(function)),
            Action::Values(operations) => read(&Work::Values(operations)),
            Action::RecordEvent(event) => read(&Work::EventRecord(event.id())),
            Action::WaitEvent(event) => read(&Work::EventWait(event.id())),
        }
    }
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
impl Graph {
    /// Removes a node with all its edges. Gives what the node did, to be dropped where no lock is held.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` while a capture into the graph goes on, whose streams may depend on the node; `INVALID_VALUE` when
    /// there is no such node.
    pub(super) fn remove(&mut self, node: NodeId) -> Result<Action> {
        self.check_not_captured("a node")?;
        self.edit().remove(node)
    }

    /// Removes edges.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` as [`Graph::remove`]; otherwise as [`Definition::remove_edges`].
    pub(super) fn remove_edges(&mut self, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.check_not_captured("an edge")?;
        self.edit().remove_edges(edges)
    }

    /// What an edit changes. An exec that was made before holds the definition as it was then: the first edit after that copies
    /// it, and later ones find the copy.
    pub(super) fn edit(&mut self) -> &mut Definition {
        Arc::make_mut(&mut self.definition)
    }

    fn check_not_captured(&self, what: &str) -> Result<()> {
        if self.fate != Fate::Captured {
            return Ok(());
        }
        Err(Error::new(
            Status::ILLEGAL_STATE,
            format!("{what} cannot be removed while a capture goes into its graph; end the capture first"),
        ))
    }
}
