//! The data of graphs: actions, nodes, and definitions, which hold each other; the data of their edges; and the glance of an
//! update at a node, a number that tells whether two nodes are alike.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::condition::Condition;
use crate::code::kernel::KernelCall;
use crate::code::launch_attributes;
use crate::engine::event_point::EventPoint;
use crate::memory::guard::{self, What};
use crate::memory::node_memory::{Freed, NodeMemory};
use graphcap_base::error::Result;
use graphcap_driver::{
    Conditional, ConditionalKind, EdgeData, HostFunction, MemAlloc, MemFree, Memcpy, MemcpyRows, Memset, NodeKind,
    Snapshot, ValueAction, ValueOperation, Work,
};

/// Nodes that a node depends on, as slots.
pub(crate) type Dependencies = SmallVec<[u32; 4]>;

/// A node.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) action: Action,
    pub(crate) dependencies: Dependencies,
}

/// Nodes and edges.
#[derive(Clone)]
pub(crate) struct Definition {
    /// By slot. A slot is empty after its node was removed.
    pub(super) nodes: Vec<Option<Node>>,
    /// Tells its nodes from those of other definitions.
    pub(super) number: u64,
    pub(super) edited: Option<Box<Edited>>,
    /// Number of nodes that have graphs of their own.
    pub(super) nested: u32,
    /// Number of nodes that allocate or free memory.
    pub(super) memory_nodes: u32,
    /// Definition that it is a copy of, where it is one.
    pub(super) original: Option<Original>,
    /// Data of its edges.
    pub(super) ports: Ports,
    /// By slot, as long as nodes and edges are added alone.
    pub(super) glances: Vec<Glance>,
}

/// Original of a copied definition.
#[derive(Clone, Copy)]
pub(super) struct Original {
    /// Its number.
    pub(super) number: u64,
    /// Number of slots that it had.
    pub(super) slots: u32,
    /// The number that the copy got, which is greater than the stamp of any node that the original had then.
    pub(super) copy: u64,
}

/// State of the slots of an edited definition.
#[derive(Clone)]
pub(super) struct Edited {
    /// As many as there are slots.
    pub(super) slots: Vec<Slot>,
    /// Slots that can be filled again, the oldest first.
    pub(super) vacant: VecDeque<u32>,
    /// Number of slots that hold a node.
    pub(super) filled: usize,
    /// Number of the next node in the order in which nodes are made.
    pub(super) births: u64,
    /// Tells whether a slot was filled again, so that the order of slots is not the one in which nodes were made.
    pub(super) is_shuffled: bool,
}

/// A slot of an edited definition.
#[derive(Clone)]
pub(super) struct Slot {
    /// The upper half of its node's id.
    pub(super) stamp: u32,
    /// Time at which its node was made, as a number that grows from node to node.
    pub(super) birth: u64,
    /// The nodes that depend on its node, in no order.
    pub(super) dependents: Dependencies,
}

/// The work of a stream or a node.
#[derive(Clone)]
pub(crate) enum Action {
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
    RecordEvent(Arc<EventPoint>),
    WaitEvent(Arc<EventPoint>),
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
    pub(crate) fn runs(&self, node: Option<guard::RunningNode>) -> guard::Turn<'_> {
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

impl Action {
    /// Returns whether the step that this compiles to runs `other` too. Steps of event nodes and conditionals have numbers, and run no other.
    #[inline]
    pub(super) fn runs_as(&self, other: &Action) -> bool {
        match (self, other) {
            (Action::Kernel(call), Action::Kernel(other)) => call.runs_as(other),
            (Action::Kernel(_) | Action::RecordEvent(_) | Action::WaitEvent(_) | Action::Branch(_), _) => false,
            _ => self.kind() == other.kind(),
        }
    }
}

/// The condition and the bodies of a conditional node.
#[derive(Clone)]
pub(crate) struct Bodies {
    pub(crate) condition: Arc<Condition>,
    pub(crate) kind: ConditionalKind,
    pub(crate) graphs: Vec<Arc<Definition>>,
}

/// A conditional of an exec.
pub(crate) struct Branch {
    pub(crate) condition: Arc<Condition>,
    pub(crate) kind: ConditionalKind,
    /// Definitions of the exec that are its bodies.
    pub(crate) bodies: Range<u32>,
}

/// A copy of several rows, or of one with what was given of its steps, and the bytes that it reads where these are its own.
pub(crate) struct RowsCall {
    pub(crate) copy: MemcpyRows,
    /// Its bytes are read through the address in `copy`.
    pub(crate) snapshot: Option<Snapshot>,
}

impl Action {
    /// Returns whether it may hold what comes after it until somebody writes a value.
    pub(crate) fn waits_for_values(&self) -> bool {
        let is_wait = |operation: &ValueOperation| matches!(operation.action, ValueAction::Wait { .. });
        matches!(self, Action::Values(operations) if operations.iter().any(is_wait))
    }

    /// Returns what kind of node it makes.
    pub(crate) fn kind(&self) -> NodeKind {
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

    /// Returns whether it allocates or frees.
    pub(super) fn is_of_memory(&self) -> bool {
        matches!(self, Action::MemAlloc(_) | Action::MemFree(_))
    }

    /// Returns whether a launch of it means something to others when it is made.
    pub(super) fn is_bound(&self) -> bool {
        self.is_of_memory() || matches!(self, Action::RecordEvent(_) | Action::WaitEvent(_))
    }

    /// Returns whether it is a kernel all of whose blocks run at once.
    pub(crate) fn is_cooperative(&self) -> bool {
        matches!(self, Action::Kernel(call) if launch_attributes::is_cooperative(&call.attributes))
    }

    /// Returns what of it bears on an update, where that is little.
    #[inline]
    pub(super) fn plain(&self) -> Option<Plain> {
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

    /// Returns whether it is a kernel that other kernels can change.
    pub(crate) fn is_updatable(&self) -> bool {
        matches!(self, Action::Kernel(call) if launch_attributes::is_updatable(&call.attributes))
    }

    /// Returns whether it is a kernel that may begin before the work before it is over.
    pub(crate) fn is_programmatic(&self) -> bool {
        matches!(self, Action::Kernel(call) if call.is_programmatic)
    }

    /// The condition of a conditional node.
    pub(crate) fn condition(&self) -> Option<&Arc<Condition>> {
        match self {
            Action::Conditional(bodies) => Some(&bodies.condition),
            _ => None,
        }
    }

    /// The graphs of the node.
    pub(crate) fn graphs(&self) -> &[Arc<Definition>] {
        match self {
            Action::Child(graph) => std::slice::from_ref(graph),
            Action::Conditional(bodies) => &bodies.graphs,
            _ => &[],
        }
    }

    /// The graphs of the node, to be changed.
    pub(super) fn graphs_mut(&mut self) -> &mut [Arc<Definition>] {
        match self {
            Action::Child(graph) => std::slice::from_mut(graph),
            Action::Conditional(bodies) => &mut Arc::make_mut(bodies).graphs,
            _ => &mut [],
        }
    }

    /// Is about to become what a node does that did `before`, which is of the same kind. A kernel node keeps its attributes, but
    /// for those that are given anew.
    pub(crate) fn takes_over(&mut self, before: &Action) {
        if let (Action::Kernel(call), Action::Kernel(before)) = (self, before) {
            call.keep_attributes(&before.attributes);
        }
    }

    /// Returns whether a kernel node's shape fits its attributes.
    ///
    /// # Errors
    /// `INVALID_CLUSTER_SIZE`.
    pub(super) fn check_shape(&self) -> Result<()> {
        match self {
            Action::Kernel(call) => {
                launch_attributes::check_shape(&call.shape, &call.kernel.attributes, &call.attributes)
            }
            _ => Ok(()),
        }
    }

    /// Tells `read` the work that this was made of. Of a child that is its kind alone: its graph has an id elsewhere.
    pub(crate) fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
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

/// All of a node that bears on an update: nodes of the same number may be exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glance(u64);

/// Facts of an action that bear on an update, of those that have little.
pub(super) enum Plain {
    Empty,
    HostFunction,
    /// A kernel of a device, without attributes.
    Kernel(u32),
    /// A row that is copied, and whether its destination and its source are memory of the host's.
    Copy(bool, bool),
    /// A row that is set.
    Memset,
}

/// Most devices that a number has room for.
const DEVICES: u32 = 1 << 24;

impl Glance {
    /// The node has to be looked at.
    pub(super) const UNCLEAR: Glance = Glance(0);

    /// Of a node in a slot of its own, after the nodes in these slots.
    #[inline]
    pub(super) fn of(action: Option<Plain>, dependencies: &[u32]) -> Glance {
        let (kind, detail) = match action {
            Some(Plain::Kernel(device)) if device < DEVICES => (1, device),
            Some(Plain::Memset) => (2, 0),
            Some(Plain::Copy(destination, source)) => (3, u32::from(destination) << 1 | u32::from(source)),
            Some(Plain::Empty) => (4, 0),
            Some(Plain::HostFunction) => (5, 0),
            _ => return Glance::UNCLEAR,
        };
        // Most nodes wait for one.
        let before = match dependencies {
            [] => 0,
            &[before] => u64::from(before) + 1,
            _ => return Glance::UNCLEAR,
        };
        Glance(before << 32 | u64::from(kind * DEVICES + detail))
    }
}

/// Returns whether as many nodes are alike at a glance.
pub(super) fn are_alike(these: &[Glance], those: &[Glance], count: usize) -> bool {
    these.len() == count && these == those && !these.contains(&Glance::UNCLEAR)
}

/// By the slots of the nodes that an edge leads from and to; edges that carry nothing are left out.
#[derive(Clone, Default)]
pub(super) struct Ports(BTreeMap<(u32, u32), EdgeData>);

impl Ports {
    /// Returns whether no edge carries something.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// An edge is gone.
    pub(super) fn forget(&mut self, from: u32, to: u32) {
        self.0.remove(&(from, to));
    }

    /// A node is gone, and with it its edges: from `dependencies`, and to `dependents`.
    pub(super) fn forget_node(&mut self, slot: u32, dependencies: &[u32], dependents: &[u32]) {
        if self.0.is_empty() {
            return;
        }
        dependencies.iter().for_each(|&from| self.forget(from, slot));
        dependents.iter().for_each(|&to| self.forget(slot, to));
    }

    pub(super) fn set(&mut self, from: u32, to: u32, data: EdgeData) {
        if !data.is_none() {
            self.0.insert((from, to), data);
        }
    }

    /// Returns what an edge carries.
    pub(super) fn of(&self, from: u32, to: u32) -> EdgeData {
        self.0.get(&(from, to)).copied().unwrap_or(EdgeData::NONE)
    }

    /// The edges that carry something.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, u32, EdgeData)> + '_ {
        self.0.iter().map(|(&(from, to), &data)| (from, to, data))
    }
}
