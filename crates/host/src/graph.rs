//! Graphs of the host device: what nodes do, and a graph as captures and execs share it.

mod attributes;
mod bodies;
pub(super) mod changes;
mod claims;
pub(super) mod condition;
mod copies;
mod definition;
mod describe;
mod edge_data;
mod edit;
pub(super) mod flat;
mod glance;
pub(super) mod merge;
pub(super) mod nesting;
mod order;
pub(super) mod origin;
pub(super) mod plan;
mod ports;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

pub(super) use self::definition::{Definition, Dependencies};
use self::glance::Plain;
use self::nesting::{Inner, Registered};
use super::code::kernel::KernelCall;
use super::code::launch_attributes;
use super::engine::event::Event;
use super::graph::condition::Condition;
use super::memory::guard::{self, What};
use super::memory::node_memory::{Freed, NodeMemory};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::graphs::held_apart;
use graphcap_driver::{
    Conditional, ConditionalKind, ExecId, HostFunction, MemAlloc, MemFree, Memcpy, MemcpyRows, Memset, NodeKind,
    Retained, Snapshot, ValueAction, ValueOperation, Work,
};

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
    /// A graph of the node's own.
    Child(Arc<Definition>),
    Conditional(Arc<Bodies>),
    MemAlloc(Arc<NodeMemory>),
    MemFree(Arc<Freed>),
    /// In an exec, the begin of a child's nodes, or their end.
    Boundary,
    /// In an exec, a conditional.
    Branch(Arc<Branch>),
}

impl Action {
    /// Notes that this thread runs it, for the message of a trap; in a replay as that node.
    pub(super) fn runs(&self, node: Option<guard::RunningNode>) -> guard::Turn<'_> {
        let (what, name) = match self {
            Action::Kernel(call) => (What::Kernel, call.kernel.name.as_str()),
            Action::Memcpy(_) | Action::MemcpyRows(_) => (What::Copy, ""),
            Action::Memset(_) => (What::Memset, ""),
            Action::Values(_) => (What::Values, ""),
            Action::Host(_) => (What::HostFunction, ""),
            _ => (What::Node, ""),
        };
        let turn = guard::runs(what, name, node);
        match self {
            Action::Kernel(call) if guard::checks() => turn.checking(call.declared()),
            _ => turn,
        }
    }
}

/// What a conditional node of a graph has.
#[derive(Clone)]
pub(super) struct Bodies {
    pub(super) condition: Arc<Condition>,
    pub(super) kind: ConditionalKind,
    pub(super) graphs: Vec<Arc<Definition>>,
}

/// A conditional of an exec.
pub(super) struct Branch {
    pub(super) condition: Arc<Condition>,
    pub(super) kind: ConditionalKind,
    /// Which of the exec's definitions are its bodies.
    pub(super) bodies: Range<u32>,
}

/// A copy of several rows, or of one with what was given of its steps, and the bytes that it reads where these are its own.
pub(super) struct RowsCall {
    pub(super) copy: MemcpyRows,
    /// Its bytes are read through the address in `copy`.
    pub(super) snapshot: Option<Snapshot>,
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
            Action::Child(_) | Action::Boundary => NodeKind::Child,
            Action::Conditional(_) | Action::Branch(_) => NodeKind::Conditional,
            Action::MemAlloc(_) => NodeKind::MemAlloc,
            Action::MemFree(_) => NodeKind::MemFree,
        }
    }

    /// Whether it allocates or frees.
    fn is_of_memory(&self) -> bool {
        matches!(self, Action::MemAlloc(_) | Action::MemFree(_))
    }

    /// Whether it is a kernel all of whose blocks run at once.
    pub(super) fn is_cooperative(&self) -> bool {
        matches!(self, Action::Kernel(call) if launch_attributes::is_cooperative(&call.attributes))
    }

    /// What of it bears on an update, where that is little.
    #[inline]
    fn plain(&self) -> Option<Plain> {
        match self {
            Action::Empty => Some(Plain::Empty),
            Action::Host(_) => Some(Plain::HostFunction),
            Action::Kernel(call) => call.attributes.is_empty().then_some(Plain::Kernel(call.kernel.device)),
            Action::Memset(set) => (set.rows <= 1).then_some(Plain::Memset),
            Action::Memcpy(row) => {
                let (destination, source) = row.kind.host_sides();
                Some(Plain::Copy(destination, source))
            }
            _ => None,
        }
    }

    /// Whether it is a kernel that other kernels can change.
    pub(super) fn is_updatable(&self) -> bool {
        matches!(self, Action::Kernel(call) if launch_attributes::is_updatable(&call.attributes))
    }

    /// Whether it is a kernel that may begin before the work before it is over.
    pub(super) fn is_programmatic(&self) -> bool {
        matches!(self, Action::Kernel(call) if call.is_programmatic)
    }

    /// The condition of a conditional node.
    pub(super) fn condition(&self) -> Option<&Arc<Condition>> {
        match self {
            Action::Conditional(bodies) => Some(&bodies.condition),
            _ => None,
        }
    }

    /// The graphs of the node.
    pub(super) fn graphs(&self) -> &[Arc<Definition>] {
        match self {
            Action::Child(graph) => std::slice::from_ref(graph),
            Action::Conditional(bodies) => &bodies.graphs,
            _ => &[],
        }
    }

    /// The graphs of the node, to be changed.
    fn graphs_mut(&mut self) -> &mut [Arc<Definition>] {
        match self {
            Action::Child(graph) => std::slice::from_mut(graph),
            Action::Conditional(bodies) => &mut Arc::make_mut(bodies).graphs,
            _ => &mut [],
        }
    }

    /// Is about to become what a node does that did `before`, which is of the same kind. A kernel node keeps its attributes, but
    /// for those that are given anew.
    pub(super) fn takes_over(&mut self, before: &Action) {
        if let (Action::Kernel(call), Action::Kernel(before)) = (self, before) {
            call.keep_attributes(&before.attributes);
        }
    }

    /// Whether a kernel node's shape fits its attributes.
    ///
    /// # Errors
    /// `INVALID_CLUSTER_SIZE`.
    fn check_shape(&self) -> Result<()> {
        match self {
            Action::Kernel(call) => {
                launch_attributes::check_shape(&call.shape, &call.kernel.attributes, &call.attributes)
            }
            _ => Ok(()),
        }
    }

    /// Tells `read` the work that this was made of. Of a child that is its kind alone: its graph has an id elsewhere.
    pub(super) fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
        match self {
            Action::Empty => read(&Work::Empty),
            Action::Kernel(call) => call.read(read),
            Action::Memcpy(row) => read(&Work::Memcpy { rows: MemcpyRows::one(*row), snapshot: None }),
            Action::MemcpyRows(call) => read(&Work::Memcpy { rows: call.copy, snapshot: call.snapshot.as_ref() }),
            Action::Memset(set) => read(&Work::Memset(*set)),
            Action::Host(function) => read(&Work::Host(function)),
            Action::Values(operations) => read(&Work::Values(operations)),
            Action::RecordEvent(event) => read(&Work::EventRecord(event.id())),
            Action::WaitEvent(event) => read(&Work::EventWait(event.id())),
            Action::Conditional(bodies) => read(&Work::Conditional(Conditional {
                condition: bodies.condition.id(),
                kind: bodies.kind,
                bodies: bodies.graphs.len() as u32,
            })),
            Action::MemAlloc(memory) => {
                read(&Work::MemAlloc(MemAlloc { bytes: memory.bytes(), address: memory.address() }));
            }
            Action::MemFree(freed) => read(&Work::MemFree(MemFree::at(freed.memory.address()))),
            Action::Child(_) | Action::Boundary | Action::Branch(_) => read(&Work::Opaque(self.kind())),
        }
    }
}

/// An outermost graph: its definition, shared with the execs made from it, and what it keeps alive.
pub(super) struct Graph {
    pub(super) definition: Arc<Definition>,
    pub(super) retained: Vec<Retained>,
    pub(super) context: u64,
    /// How it stands to captures into it.
    fate: Fate,
    /// The graphs within that have ids.
    inner: HashMap<Inner, Registered>,
    pub(super) conditions: Vec<Arc<Condition>>,
    /// Shared with the copies that have the conditions of the graph.
    sole_exec: Arc<SoleExec>,
}

/// The exec of a graph that can have only one at a time: its id, [`SoleExec::NONE`], or [`SoleExec::COMING`]. It may be destroyed meanwhile.
#[derive(Default)]
struct SoleExec(AtomicU64);

impl SoleExec {
    /// None was made.
    const NONE: u64 = 0;
    /// One is being made.
    const COMING: u64 = u64::MAX;

    /// One is about to be made. False where another one is, or is alive.
    fn begin(&self, is_alive: impl Fn(ExecId) -> bool) -> bool {
        let begun = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |exec| match exec {
            SoleExec::NONE => Some(SoleExec::COMING),
            SoleExec::COMING => None,
            made => (!is_alive(ExecId(made))).then_some(SoleExec::COMING),
        });
        begun.is_ok()
    }

    /// That one was made, or could not be.
    fn end(&self, made: Option<ExecId>) {
        let made = made.map_or(SoleExec::NONE, |exec| exec.0);
        let _ = self.0.compare_exchange(SoleExec::COMING, made, Ordering::Relaxed, Ordering::Relaxed);
    }
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
        Graph {
            definition: Arc::new(definition),
            retained: Vec::new(),
            context,
            fate: Fate::Settled,
            inner: HashMap::new(),
            conditions: Vec::new(),
            sole_exec: Arc::default(),
        }
    }

    /// A graph of the context with that number, of a copy of the definition at the end of a path. It has the conditions of this graph where
    /// that is the graph itself, and keeps what this one does.
    pub(super) fn copy_of(&self, copy: Definition, path: &[Inner], context: u64) -> Graph {
        let mut graph = Graph { retained: held_apart(&self.retained), ..Graph::new(copy, context) };
        if path.is_empty() && !self.conditions.is_empty() {
            graph.conditions = self.conditions.clone();
            graph.sole_exec = Arc::clone(&self.sole_exec);
        }
        graph
    }

    /// An exec of the graph is about to be made. `is_alive` tells whether one that was made before still is.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` where the graph has an exec and can have but one; `INVALID_VALUE` where a condition is of no node.
    pub(super) fn begin_instantiate(&mut self, is_alive: impl Fn(ExecId) -> bool) -> Result<()> {
        if let Some(unused) = self.conditions.iter().find(|condition| !condition.is_used()) {
            return Err(Error::invalid_value(format!(
                "no node of the graph has its condition {:#x}; add a conditional node for each condition",
                unused.id().0
            )));
        }
        if !self.definition.is_owner() && !self.definition.has_updatable() {
            return Ok(());
        }
        if !self.sole_exec.begin(is_alive) {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "a graph with conditionals, allocations or nodes that kernels can change has one exec at a time; destroy that one first",
            ));
        }
        Ok(())
    }

    /// That exec was made, or could not be.
    pub(super) fn end_instantiate(&mut self, made: Option<ExecId>) {
        self.sole_exec.end(made);
    }
}
