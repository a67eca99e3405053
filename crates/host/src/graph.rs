//! Graphs of the host device, as captures and execs share them.

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
pub(super) mod merge;
pub(super) mod nesting;
mod node;
mod order;
pub(super) mod origin;
pub(super) mod plan;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use self::condition::Condition;
pub(super) use self::node::{Action, Bodies, Branch, Definition, Dependencies, RowsCall};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{ExecId, GraphId, NodeId};

/// One step of a path: into a graph of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Inner {
    pub(crate) node: NodeId,
    /// 0 for a child; for a conditional which of its bodies.
    pub(crate) body: u32,
}

/// Id and state of a graph within it that has an id.
struct Registered {
    id: GraphId,
    fate: Fate,
}

/// An outermost graph: its definition, shared with the execs made from it.
pub(super) struct Graph {
    pub(super) definition: Arc<Definition>,
    pub(super) context: u64,
    /// State of captures into it.
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

    /// The child was made, or could not be.
    fn end(&self, made: Option<ExecId>) {
        let made = made.map_or(SoleExec::NONE, |exec| exec.0);
        let _ = self.0.compare_exchange(SoleExec::COMING, made, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// State of captures into a graph.
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
            context,
            fate: Fate::Settled,
            inner: HashMap::new(),
            conditions: Vec::new(),
            sole_exec: Arc::default(),
        }
    }

    /// A graph of the context with that number, of a copy of the definition at the end of a path. It has the conditions of this graph where
    /// that is the graph itself.
    pub(super) fn copy_of(&self, copy: Definition, path: &[Inner], context: u64) -> Graph {
        let mut graph = Graph::new(copy, context);
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

    /// The exec was made, or could not be.
    pub(super) fn end_instantiate(&mut self, made: Option<ExecId>) {
        self.sole_exec.end(made);
    }
}
