//! Execs that are updated by a graph: all nodes do other work at once.
//!
//! An update exchanges what the exec keeps for what the graph keeps, in one piece. What single edits of the exec keep afterwards
//! is held beside that, since the nodes of the graph need not have the places of the exec's own.

use std::sync::Arc;

use super::changes::Changes;
use super::exec::{ExecEdits, GraphExec, Made};
use super::exec_work::{ExecWork, SetNodes};
use super::graph::Graph;
use super::retention::held_apart;
use crate::objects::home::Home;
use crate::pools::within;
use crate::state::Edits;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::lock;
use graphcap_driver::{check_caller, Differing, Lists, Update, UpdateReport};

/// Answer of an update: the numbers, and whether it was refused.
pub struct Updated {
    /// Answer of the driver.
    pub report: UpdateReport,
    /// The refusal.
    pub outcome: Result<()>,
}

/// Objects that an exec kept before an update. Its launches may still use it.
pub(crate) struct Superseded {
    made: Arc<Made>,
    superseded: Lists,
}

impl Superseded {
    /// Lets it go, behind the launches that were made. Can run code of the program's, so no lock is held.
    pub(crate) fn let_go(self) {
        self.made.let_go(self.superseded);
    }
}

impl GraphExec {
    /// Makes each node of the exec do what its pair in `graph` does. The driver pairs nodes by their edges; kinds and numbers of nodes
    /// and their edges must be the same. What is refused changes nothing. Launches that were made before run as they were, and what
    /// the exec used is let go of when they are over, unless its native handle was given out. Nodes of the exec go by the ids that
    /// they had, and stay enabled or disabled; kernels keep the launch attributes that the exec has.
    ///
    /// With `compares_attributes` the report tells of the first launch attribute that differs, which takes time for each node.
    ///
    /// # Errors
    /// `INVALID_CONTEXT` for a graph of another context; `INVALID_VALUE` for a graph of a node; `NOT_SUPPORTED` for a watched exec;
    /// `OUT_OF_MEMORY`; the status of a context that faulted. A refusal is no error of the call: [`Updated::outcome`] is
    /// `GRAPH_EXEC_UPDATE_FAILURE` then, or
    /// `NOT_SUPPORTED`.
    ///
    /// # Examples
    /// A graph of the same nodes with other work:
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use std::sync::Arc;
    ///
    /// use graphcap::core::{Context, Graph, NodeWork, Stream};
    /// use graphcap::driver::{DeviceChoice, DeviceKind, HostFunction, StreamOptions};
    /// use graphcap::rules::exec_update::UpdateResult;
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let stream = Stream::create(&context, StreamOptions::default())?;
    /// let sum = Arc::new(AtomicU32::new(0));
    /// let adding = |number: u32| -> graphcap::error::Result<Graph> {
    ///     let (graph, sum) = (Graph::create(&context)?, Arc::clone(&sum));
    ///     let add: HostFunction = Arc::new(move || {
    ///         sum.fetch_add(number, Ordering::Relaxed);
    ///     });
    ///     graph.add_node(&[], &NodeWork::Host(&add))?;
    ///     Ok(graph)
    /// };
    ///
    /// let exec = adding(1)?.instantiate()?;
    /// exec.launch(&stream)?;
    /// exec.update(&adding(10)?, false)?.outcome?;
    /// exec.launch(&stream)?;
    /// stream.synchronize()?;
    /// assert_eq!(sum.load(Ordering::Relaxed), 1 + 10);
    ///
    /// let larger = adding(100)?;
    /// larger.add_node(&[], &NodeWork::Empty)?;
    /// assert_eq!(exec.update(&larger, false)?.report.result, UpdateResult::TopologyChanged);
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn update(&self, graph: &Graph, compares_attributes: bool) -> Result<Updated> {
        let (updated, superseded) = self.update_holding(graph, compares_attributes)?;
        superseded.let_go();
        Ok(updated)
    }

    /// Updates it as [`GraphExec::update`], for a caller that holds a lock: what is superseded stays until the caller lets it go,
    /// which can run code of the program's.
    pub(crate) fn update_holding(&self, graph: &Graph, compares_attributes: bool) -> Result<(Updated, Superseded)> {
        check_caller()?;
        self.check_source(graph)?;
        let differing = if compares_attributes { Differing::Told } else { Differing::Kept };
        let made = self.made();
        let updated = made.update(graph, |edits, _| {
            let update = made.context().driver()?.exec_update(made.id(), graph.id(), differing)?;
            edits.attributes_agree = compares_attributes && update.report.kept_attribute.is_none();
            Ok(Some(update))
        });
        let updated_one = Arc::clone(&made);
        drop(made);
        let (updated, superseded) = updated_one.told(graph, updated?.unwrap_or_default());
        Ok((Updated { outcome: updated.outcome.map_err(or_apply), ..updated }, superseded))
    }

    /// Returns whether [`GraphExec::update`] would succeed, without trying; attributes are compared. Takes time for each node.
    ///
    /// # Errors
    /// As [`GraphExec::update`]; `INVALID_VALUE` also where it is not known any more what the exec was made from.
    pub fn can_update(&self, graph: &Graph) -> Result<Updated> {
        check_caller()?;
        self.check_source(graph)?;
        let made = Arc::clone(&self.made());
        let source = graph.0.root().lock()?;
        graph.0.noted_memory(&source)?;
        let asked = self.context().driver()?.exec_can_update(made.id(), graph.id());
        drop(source);
        Ok(made.told(graph, (asked?, Lists::new())).0)
    }

    /// Refuses a graph that no exec of this context can do the work of.
    pub(crate) fn check_source(&self, graph: &Graph) -> Result<()> {
        Home::exec(self.context()).check_own(graph.context(), "the graph")?;
        self.check_changeable()?;
        match graph.0.is_within() {
            true => Err(Error::invalid_value(
                "an exec is not updated by a graph of a node; take the outermost graph, or a copy of this one",
            )),
            false => Ok(()),
        }
    }
}

impl Made {
    /// Makes `update`, which has the exec do what `graph` does, with the locks of the edits of both: so that the exec keeps what the
    /// nodes use, also where another thread adds or changes one. It gives nothing where there is nothing to do. It is told the edits
    /// of the exec, and says there whether all launch attributes agree; and those of the graph.
    pub(crate) fn update(
        &self,
        graph: &Graph,
        update: impl FnOnce(&mut ExecEdits, &Edits) -> Result<Option<Update>>,
    ) -> Result<Option<(Update, Lists)>> {
        let mut edits = lock(self.edits());
        // Afterwards, since it may be the lock of the graph that the exec was made from.
        let source = graph.0.root().lock()?;
        let memory = graph.0.noted_memory(&source)?;
        // Before a launch can do what the graph does.
        let driver = self.context().driver()?;
        within::check(driver, graph.id(), || graph.0.kept(), None)?;
        self.launch_orders().follow(|| graph.0.kept());
        let updated = update(&mut edits, &source)?;
        let mut superseded = Lists::new();
        if matches!(&updated, Some(Update { refused: None, .. })) {
            superseded = std::mem::replace(&mut edits.kept, held_apart(&graph.0.kept()));
            edits.is_updated = !std::ptr::eq(self.origin().as_ptr(), Arc::as_ptr(&graph.0));
            edits.holdings = None;
            edits.source = graph.0.as_it_is(&source);
            *lock(self.work()) = ExecWork::of(edits.source.clone());
            edits.set = SetNodes::default();
            edits.changes = Changes::default();
            edits.memory = memory;
        }
        Ok(updated.map(|updated| (updated, superseded)))
    }

    /// The answer, with the names of the nodes in the message, and what was superseded.
    pub(crate) fn told(self: Arc<Self>, graph: &Graph, (update, superseded): (Update, Lists)) -> (Updated, Superseded) {
        let Update { report, refused, .. } = update;
        let named = |error: Error| {
            let error = match report.graph_node {
                Some(node) => graph.naming(node, error),
                None => error,
            };
            match (report.exec_node, self.origin().upgrade()) {
                (Some(node), Some(origin)) => Graph(origin).naming(node, error),
                _ => error,
            }
        };
        let updated = Updated { report, outcome: refused.map_or(Ok(()), |error| Err(named(error))) };
        (updated, Superseded { made: self, superseded })
    }
}

/// The refusal of an update, with the way round.
#[cold]
fn or_apply(error: Error) -> Error {
    Error::new(
        error.status,
        format!("{}; gc_graph_exec_apply() makes the exec anew where an update is refused", error.message),
    )
}

#[cfg(test)]
#[path = "exec_update_tests.rs"]
mod tests;
