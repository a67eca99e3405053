//! Many kernel nodes of a graph or of an exec that are set by one call.
//!
//! They are set some at a time, with each lock taken once for all of them. What a first set or a refusal asks for goes node by node.

use smallvec::SmallVec;

use super::exec::GraphExec;
use super::graph::Graph;
use crate::keep::Kepts;
use crate::objects::home::Home;
use crate::objects::kernel::{Kernel, KernelArgument};
use crate::operations::node_work::NodeWork;
use crate::operations::operands::Operands;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::lock;
use graphcap_driver::{check_caller, Argument, Arguments, BatchError, Launch, LaunchShape, NodeId, Work};

/// Number of nodes that are set together at most.
pub const SET_TOGETHER: usize = 16;

/// A launch that a kernel node is to make: the node, the kernel, its shape, and one argument for each parameter.
pub type NodeLaunch<'a> = (NodeId, &'a Kernel, LaunchShape, &'a [KernelArgument<'a>]);

/// The launch as the work of a node.
fn work_of<'a>(&(_, kernel, shape, arguments): &NodeLaunch<'a>) -> NodeWork<'a> {
    NodeWork::Kernel { kernel, shape, arguments, attributes: &[] }
}

impl GraphExec {
    /// Makes kernel nodes of the exec make other launches, one after another, as [`GraphExec::set_node`] does. Those before the first one
    /// that fails are set, and those behind it are not.
    ///
    /// # Errors
    /// As [`GraphExec::set_node`], with the index of the node.
    pub fn set_kernels(&self, sets: &[NodeLaunch<'_>]) -> std::result::Result<(), BatchError> {
        set_all(sets, |together| self.set_together(together), |set| self.set_node(set.0, &work_of(set)))
    }

    /// Sets kernels together. Gives how many were set, the first ones, and why the next one was not; `None` where they have to be set one by
    /// one.
    fn set_together(&self, sets: &[NodeLaunch<'_>]) -> Option<(usize, Result<()>)> {
        let mut passed: [SmallVec<[Argument<'_>; 16]>; SET_TOGETHER] = Default::default();
        let launches = resolve(Home::exec(self.context()), sets, &mut passed)?;
        check_caller().and_then(|()| self.check_changeable()).ok()?;
        // Dropped where no lock is held: this can run code of the caller's.
        let mut superseded = Kepts::new();
        let made = self.made();
        let driver = made.check_graph().and_then(|()| self.context().driver()).ok()?;
        let mut edits = lock(made.edits());
        let holdings = edits.holdings.as_deref().filter(|_| sets.iter().all(|set| edits.own_nodes.has(set.0)))?;
        let needs: SmallVec<[_; SET_TOGETHER]> = sets.iter().map(operands).collect();
        let (done, set) =
            holdings.exchange_all(&needs, (true, &mut superseded), || driver.exec_set_kernels(made.id(), &launches))?;
        let mut work = lock(made.work());
        for (node, launch) in launches.iter().take(done) {
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
        Some((done, naming(sets, done, set, |node, error| self.naming(node, error))))
    }
}

impl Graph {
    /// Makes kernel nodes make other launches, one after another, as [`Graph::set_node`] does. Those before the first one that fails are set,
    /// and those behind it are not.
    ///
    /// # Errors
    /// As [`Graph::set_node`], with the index of the node.
    pub fn set_kernels(&self, sets: &[NodeLaunch<'_>]) -> std::result::Result<(), BatchError> {
        set_all(sets, |together| self.set_together(together), |set| self.set_node(set.0, &work_of(set)))
    }

    /// Sets kernels together. Gives how many were set, the first ones, and why the next one was not; `None` where they have to be set one by
    /// one.
    fn set_together(&self, sets: &[NodeLaunch<'_>]) -> Option<(usize, Result<()>)> {
        let mut passed: [SmallVec<[Argument<'_>; 16]>; SET_TOGETHER] = Default::default();
        let launches = resolve(Home::graph(self.context()), sets, &mut passed)?;
        check_caller().ok()?;
        let graph = &*self.0;
        if graph.is_within() || graph.has_lists() {
            return None;
        }
        // Dropped where no lock is held: this can run code of the caller's.
        let mut let_go = Kepts::new();
        let driver = self.context().driver().ok()?;
        let mut edits = graph.root().lock().ok()?;
        let holdings = edits.holdings.as_deref()?;
        let needs: SmallVec<[_; SET_TOGETHER]> = sets.iter().map(operands).collect();
        let lets_go = (graph.lets_go(), &mut let_go);
        let (done, set) = holdings.exchange_all(&needs, lets_go, || driver.graph_set_kernels(graph.id(), &launches))?;
        for set in sets.iter().take(done) {
            graph.note_launch(&mut edits, set.0);
        }
        drop(edits);
        drop(let_go);
        Some((done, naming(sets, done, set, |node, error| self.naming(node, error))))
    }
}

/// Sets nodes in their order, by `together` where that can, else by `one`.
fn set_all(
    sets: &[NodeLaunch<'_>],
    together: impl Fn(&[NodeLaunch<'_>]) -> Option<(usize, Result<()>)>,
    one: impl Fn(&NodeLaunch<'_>) -> Result<()>,
) -> std::result::Result<(), BatchError> {
    for (number, sets) in sets.chunks(SET_TOGETHER).enumerate() {
        let (done, set) = together(sets).unwrap_or_else(|| one_by_one(sets, &one));
        set.map_err(|error| BatchError::at(number * SET_TOGETHER + done, error))?;
    }
    Ok(())
}

#[cold]
fn one_by_one(sets: &[NodeLaunch<'_>], one: impl Fn(&NodeLaunch<'_>) -> Result<()>) -> (usize, Result<()>) {
    for (index, set) in sets.iter().enumerate() {
        if let Err(error) = one(set) {
            return (index, Err(error));
        }
    }
    (sets.len(), Ok(()))
}

/// The launches, with their arguments in `passed`; `None` where one is wrong, or states accesses.
fn resolve<'l, 'a: 'l>(
    home: Home<'_>,
    sets: &'l [NodeLaunch<'a>],
    passed: &'l mut [SmallVec<[Argument<'a>; 16]>],
) -> Option<SmallVec<[(NodeId, Launch<'l>); SET_TOGETHER]>> {
    for (set, passed) in sets.iter().zip(passed.iter_mut()) {
        if set.1.resolve(home, set.3, passed).ok()?.is_some() {
            return None;
        }
    }
    let passed: &'l [SmallVec<[Argument<'a>; 16]>] = passed;
    let launches = sets.iter().zip(passed).map(|(set, passed)| {
        let (node, kernel, shape, _) = *set;
        let arguments = Arguments::Separate(passed);
        (node, Launch { kernel: kernel.id(), name: kernel.name(), shape, arguments, attributes: &[], stated: None })
    });
    Some(launches.collect())
}

/// Objects that a launch needs, by its node.
fn operands<'a>(set: &NodeLaunch<'a>) -> (NodeId, impl Operands + 'a) {
    (set.0, (set.1, set.3))
}

/// Returns what became of the nodes, of which so many are set. An error has the name of the next one.
fn naming(
    sets: &[NodeLaunch<'_>],
    done: usize,
    set: Result<()>,
    naming: impl Fn(NodeId, Error) -> Error,
) -> Result<()> {
    set.map_err(|error| match sets.get(done) {
        Some(set) => naming(set.0, error),
        None => error,
    })
}

#[cfg(test)]
#[path = "set_many_tests.rs"]
mod tests;
