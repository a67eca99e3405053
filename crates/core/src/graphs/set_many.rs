//! Kernel nodes of a graph or of an exec that are set or added together, one or many.
//!
//! Each lock is taken once for all of them. What a first set or a refusal asks for goes node by node.

use smallvec::SmallVec;

use super::exec::GraphExec;
use super::graph::Graph;
use crate::keep::Kepts;
use crate::operations::usual_launch::UsualLaunch;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::lock;
use graphcap_driver::{check_caller, BatchError, Launch, NodeId, Work};

/// Number of nodes that are set or added together at most.
pub const SET_TOGETHER: usize = 16;

/// The launches as a device is given them.
type Launches<'a> = SmallVec<[(NodeId, Launch<'a>); SET_TOGETHER]>;

impl GraphExec {
    /// Makes kernel nodes of the exec make other launches, one after another, as [`GraphExec::set_node`] does: [`SET_TOGETHER`] of them at
    /// most. Those before the first one that fails are set, and those behind it are not. `None`, and nothing is set, where each is to be
    /// set by that function.
    pub fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>> {
        check_caller().and_then(|()| self.check_changeable()).ok()?;
        // Dropped where no lock is held: this can run code of the caller's.
        let mut superseded = Kepts::new();
        let made = self.made();
        let driver = made.check_graph().and_then(|()| self.context().driver()).ok()?;
        let mut edits = lock(made.edits());
        let holdings = edits.holdings.as_deref().filter(|_| nodes.iter().all(|&node| edits.own_nodes.has(node)))?;
        // In place: the list is too large to be moved.
        let mut passed = Launches::new();
        nodes.iter().zip(launches).for_each(|(&node, launch)| passed.push((node, launch.launch())));
        let (done, set) = holdings
            .exchange_all((nodes, launches), (true, &mut superseded), || driver.exec_set_kernels(made.id(), &passed))?;
        let mut work = lock(made.work());
        for (node, launch) in passed.iter().take(done) {
            edits.changes.note(*node);
            work.note_set(*node, &Work::Kernel(*launch), None);
        }
        drop(work);
        drop(edits);
        let superseding = (!superseded.is_empty()).then(|| made.clone());
        drop(made);
        if let Some(made) = superseding {
            made.let_go_of(superseded);
        }
        Some(told(nodes, (done, set), |node, error| self.naming(node, error)))
    }
}

impl Graph {
    /// Makes kernel nodes make other launches, one after another, as [`Graph::set_node`] does: [`SET_TOGETHER`] of them at most. Those before
    /// the first one that fails are set, and those behind it are not. `None`, and nothing is set, where each is to be set by that function.
    pub fn set_launches(
        &self,
        nodes: &[NodeId],
        launches: &[UsualLaunch<'_>],
    ) -> Option<std::result::Result<(), BatchError>> {
        let graph = &*self.0;
        if graph.is_within() || graph.has_lists() {
            return None;
        }
        // Dropped where no lock is held: this can run code of the caller's.
        let mut let_go = Kepts::new();
        let driver = self.context().driver().ok()?;
        let mut edits = graph.root().lock().ok()?;
        let holdings = edits.holdings.as_deref()?;
        // In place: the list is too large to be moved.
        let mut passed = Launches::new();
        nodes.iter().zip(launches).for_each(|(&node, launch)| passed.push((node, launch.launch())));
        let lets_go = (graph.lets_go(), &mut let_go);
        let (done, set) =
            holdings.exchange_all((nodes, launches), lets_go, || driver.graph_set_kernels(graph.id(), &passed))?;
        for &node in nodes.iter().take(done) {
            graph.note_launch(&mut edits, node);
        }
        drop(edits);
        Some(told(nodes, (done, set), |node, error| self.naming(node, error)))
    }
}

impl Graph {
    /// Adds kernel nodes, one after another, as [`Graph::add_node`] does: [`SET_TOGETHER`] of them at most. `told` is told each node that was
    /// added, with its index, before `dependencies` is asked which nodes the next one waits for. With the first one that fails it ends;
    /// those before it stay. `None`, and nothing is added, where each is to be added by that function.
    pub fn add_launches<'a>(
        &self,
        launches: &'a [UsualLaunch<'a>],
        mut told: impl FnMut(usize, NodeId),
        mut dependencies: impl FnMut(usize) -> &'a [NodeId],
    ) -> Option<std::result::Result<(), BatchError>> {
        check_caller().ok()?;
        let graph = &*self.0;
        let driver = self.context().driver().ok()?;
        let mut edits = graph.root().lock().ok()?;
        // First, since it can fail.
        graph.holdings(&mut edits).ok()?;
        let (mut nodes, mut last) = (SmallVec::<[NodeId; SET_TOGETHER]>::new(), &[][..]);
        let mut rest = launches.iter();
        let added = driver.graph_add_kernels(graph.id(), &mut |added| {
            if let Some(node) = added {
                told(nodes.len(), node);
                nodes.push(node);
            }
            let launch = rest.next()?.launch();
            last = dependencies(nodes.len());
            Some((last, launch))
        });
        if let Some(holdings) = &edits.holdings {
            holdings.add_each(nodes.iter().map(|&node| graph.keeper(node)).zip(launches));
        }
        if !nodes.is_empty() {
            edits.changes.note_other();
        }
        Some(added.map_err(|error| BatchError::at(nodes.len(), graph.naming(&edits, last, error))))
    }
}

/// Tells what became of the nodes, of which the first `done` are set. An error has the name of the next one.
#[inline]
fn told(
    nodes: &[NodeId],
    (done, set): (usize, Result<()>),
    naming: impl Fn(NodeId, Error) -> Error,
) -> std::result::Result<(), BatchError> {
    set.map_err(|error| match nodes.get(done) {
        Some(&node) => BatchError::at(done, naming(node, error)),
        None => BatchError::at(done, error),
    })
}

#[cfg(test)]
#[path = "set_many_tests.rs"]
mod tests;
