//! Kernel nodes of a graph or of an exec that are set or added together, one or many.
//!
//! Each lock is taken once for all of them. What a first set or a refusal asks for goes node by node.

use smallvec::SmallVec;

use super::exec::{ExecEdits, GraphExec};
use super::graph::Graph;
use crate::operations::usual_launch::UsualLaunch;
use crate::state::Edits;
use graphcap_base::error::Error;
use graphcap_base::lock::lock;
use graphcap_driver::{check_caller, BatchError, Launch, NodeId};

/// Number of nodes that are set or added together at most.
pub const SET_TOGETHER: usize = 16;

/// Calls `call` with the launches as a device is given them, each as `each` makes it with its index. That of a single one is in no list.
#[inline(always)]
fn lend<'a, L, T>(
    launches: &'a [UsualLaunch<'a>],
    each: impl Fn(usize, Launch<'a>) -> L,
    call: impl FnOnce(&[L]) -> T,
) -> T {
    let mut many;
    let one;
    let lent = match launches {
        [launch] => {
            one = [each(0, launch.launch())];
            &one[..]
        }
        _ => {
            // In place: the list is too large to be moved.
            many = SmallVec::<[L; SET_TOGETHER]>::new();
            launches.iter().enumerate().for_each(|(index, launch)| many.push(each(index, launch.launch())));
            &many
        }
    };
    call(lent)
}

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
        let (mut superseded, mut graph) = (None, None);
        let made = self.made();
        let driver = made.check_graph().and_then(|()| self.context().driver()).ok()?;
        let mut edits = lock(made.edits());
        let ExecEdits { holdings, seen, own_nodes, changes, set: noted, .. } = &mut *edits;
        let holdings = holdings.as_ref()?;
        if !nodes.iter().all(|&node| own_nodes.has(node)) {
            made.find_own(driver, &mut graph, own_nodes, nodes)?;
        }
        let set = |passed: &[(NodeId, Launch<'_>)]| {
            let (done, set) = driver.exec_set_kernels(made.id(), passed);
            for (node, launch) in passed.iter().take(done) {
                noted.note_launch(*node, launch);
                changes.note(*node);
            }
            (done, set)
        };
        let (done, set) = holdings.exchange_all(seen, (nodes, launches), (true, &mut superseded), || {
            lend(launches, |index, launch| (nodes[index], launch), set)
        })?;
        drop(edits);
        let superseding = superseded.map(|superseded| (made.clone(), superseded));
        drop(made);
        if let Some((made, superseded)) = superseding {
            made.let_go_of(superseded);
        }
        Some(set.map_err(|error| told(nodes, done, error, |node, error| self.naming(node, error))))
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
        check_caller().ok()?;
        let graph = &*self.0;
        if graph.is_within() || graph.has_lists() {
            return None;
        }
        // Dropped where no lock is held: this can run code of the caller's.
        let mut let_go = None;
        let driver = self.context().driver().ok()?;
        let mut edits = graph.root().lock().ok()?;
        let Edits { holdings, seen, .. } = &mut *edits;
        let holdings = holdings.as_ref()?;
        let lets_go = (graph.lets_go(), &mut let_go);
        let set = |passed: &[(NodeId, Launch<'_>)]| driver.graph_set_kernels(graph.id(), passed);
        let (done, set) = holdings.exchange_all(seen, (nodes, launches), lets_go, || {
            lend(launches, |index, launch| (nodes[index], launch), set)
        })?;
        for &node in nodes.iter().take(done) {
            graph.note_launch(&mut edits, node);
        }
        drop(edits);
        Some(set.map_err(|error| told(nodes, done, error, |node, error| self.naming(node, error))))
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
        mut dependencies: impl FnMut(usize) -> &'a [NodeId] + 'a,
    ) -> Option<std::result::Result<(), BatchError>> {
        check_caller().ok()?;
        let graph = &*self.0;
        let driver = self.context().driver().ok()?;
        let mut edits = graph.root().lock().ok()?;
        // First, since it can fail.
        graph.holdings(&mut edits).ok()?;
        let mut nodes = SmallVec::<[NodeId; SET_TOGETHER]>::new();
        let mut told = |node| {
            told(nodes.len(), node);
            nodes.push(node);
        };
        let add =
            |launches: &[Launch<'_>]| driver.graph_add_kernels(graph.id(), launches, &mut dependencies, &mut told);
        let added = lend(launches, |_, launch| launch, add);
        if let Some(holdings) = &edits.holdings {
            holdings.add_each(nodes.iter().map(|&node| graph.keeper(node)).zip(launches));
        }
        if !nodes.is_empty() {
            edits.changes.note_other();
        }
        Some(added.map_err(|error| {
            let index = nodes.len();
            BatchError::at(index, graph.naming(&edits, dependencies(index), error))
        }))
    }
}

/// Tells why only the first `done` of the nodes are set. The error has the name of the next one.
#[cold]
fn told(nodes: &[NodeId], done: usize, error: Error, naming: impl Fn(NodeId, Error) -> Error) -> BatchError {
    match nodes.get(done) {
        Some(&node) => BatchError::at(done, naming(node, error)),
        None => BatchError::at(done, error),
    }
}

#[cfg(test)]
#[path = "set_many_tests.rs"]
mod tests;
