//! Graphs of the host device: nodes and what they depend on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use smallvec::SmallVec;

use super::event::Event;
use super::kernel::KernelCall;
use crate::driver::ids::not_of_graph;
use crate::driver::{
    GraphNodes, HostFunction, Memcpy, MemcpyRows, Memset, NodeId, Retained, Snapshot, ValueAction, ValueOperation, Work,
};
use crate::error::Result;
use crate::room;

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

/// Nodes that a node depends on, as indices.
pub(super) type Dependencies = SmallVec<[u32; 4]>;

/// A node.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) action: Action,
    pub(super) dependencies: Dependencies,
}

/// Nodes in the order in which they were made; each depends on earlier ones.
#[derive(Clone)]
pub(super) struct Definition {
    pub(super) nodes: Vec<Node>,
    /// Tells its nodes from those of other definitions.
    number: u64,
}

impl Definition {
    /// Without nodes.
    pub(super) fn new() -> Definition {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Definition { nodes: Vec::new(), number: LAST.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    /// Grows from one to the next; at least 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The id of the node with an index.
    pub(super) fn id(&self, index: u32) -> NodeId {
        NodeId(self.number << 32 | u64::from(index + 1))
    }

    /// The index of the node with an id; `None` when it is of another definition, or of none.
    fn index(&self, NodeId(id): NodeId) -> Option<u32> {
        let index = (id as u32).checked_sub(1)?;
        ((id >> 32) as u32 == self.number as u32 && (index as usize) < self.nodes.len()).then_some(index)
    }

    /// The indices of nodes.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an id that is none of a node here.
    pub(super) fn indices(&self, ids: &[NodeId]) -> Result<Dependencies> {
        ids.iter().map(|&id| self.index(id).ok_or_else(|| not_of_graph(id))).collect()
    }

    /// The ids of all nodes and edges.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`.
    pub(super) fn ids(&self) -> Result<GraphNodes> {
        let (mut nodes, mut edges) = (room::list(self.nodes.len())?, room::list(self.edge_count())?);
        let ids = (0..self.nodes.len() as u32).map(|index| self.id(index));
        nodes.extend(ids.clone());
        for (to, node) in ids.zip(&self.nodes) {
            edges.extend(node.dependencies.iter().map(|&from| (self.id(from), to)));
        }
        Ok(GraphNodes { nodes, edges })
    }

    /// Adds a node after the nodes `dependencies` and gives its index; `None` when no index is left, or no memory.
    pub(super) fn add(&mut self, action: Action, dependencies: Dependencies) -> Option<u32> {
        let index = u32::try_from(self.nodes.len()).ok().filter(|&index| index < u32::MAX)?;
        self.nodes.try_reserve(1).ok()?;
        self.nodes.push(Node { action, dependencies });
        Some(index)
    }

    /// Number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.nodes.iter().map(|node| node.dependencies.len()).sum()
    }

    /// Which nodes no other node depends on.
    pub(super) fn sinks(&self) -> Vec<bool> {
        let mut sinks = vec![true; self.nodes.len()];
        for dependency in self.nodes.iter().flat_map(|node| &node.dependencies) {
            sinks[*dependency as usize] = false;
        }
        sinks
    }

    /// What the node with an id does.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an id that is none of a node here.
    pub(super) fn action(&self, id: NodeId) -> Result<Action> {
        let index = self.index(id).ok_or_else(|| not_of_graph(id))?;
        Ok(self.nodes[index as usize].action.clone())
    }
}

impl Action {
    /// Whether it may hold what comes after it until somebody writes a value.
    pub(super) fn waits_for_values(&self) -> bool {
        let is_wait = |operation: &ValueOperation| matches!(operation.action, ValueAction::Wait { .. });
        matches!(self, Action::Values(operations) if operations.iter().any(is_wait))
    }

    /// Tells `read` the work that this was made of.
    pub(super) fn read(&self, read: &mut dyn FnMut(&Work<'_>)) {
        match self {
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
