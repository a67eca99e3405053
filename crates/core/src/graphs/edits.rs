//! Graphs built and changed by hand: nodes and edges added, removed and changed, copies, graphs within nodes.
//!
//! Each edit is made wholly or, where it fails, not at all. It harms no capture. A host function is refused before a lock is taken,
//! since whoever holds that one may wait for the function.

use std::sync::Arc;

use super::graph::Graph;
use super::holdings::Holdings;
use super::node_names::NestedGraphs;
use super::retention;
use super::uses::{self, Uses};
use crate::keep::{Kept, Kepts};
use crate::objects::device_object::{DeviceId, DeviceObject};
use crate::objects::home::Home;
use crate::objects::note::NodeNotes;
use crate::operations::node_work::NodeWork;
use crate::pools::within;
use crate::state::{Edits, GraphInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::MutexGuard;
use graphcap_driver::{
    check_caller, plain, ConditionId, Driver, GraphId, GraphRef, HostFunction, Lists, NodeId, Retained, Work,
};

/// The lock of a graph that is edited and, if another one becomes a node of it, the lock of that one.
type Locked<'a> = (MutexGuard<'a, Edits>, Option<MutexGuard<'a, Edits>>);

impl GraphInner {
    /// Locks the graph for an edit that reads `other` as well.
    #[inline]
    pub(crate) fn lock_with<'a>(&'a self, other: Option<&'a GraphInner>) -> Result<Locked<'a>> {
        match other {
            None => Ok((self.root().lock()?, None)),
            Some(other) => self.lock_both(other),
        }
    }

    /// Locks both graphs, of which the one at the lower address goes first.
    fn lock_both<'a>(&'a self, other: &'a GraphInner) -> Result<Locked<'a>> {
        let (own, other) = (self.root(), other.root());
        if Arc::ptr_eq(own, other) {
            return Ok((own.lock()?, None));
        }
        if Arc::as_ptr(other) < Arc::as_ptr(own) {
            let others = other.lock()?;
            return Ok((own.lock()?, Some(others)));
        }
        let owns = own.lock()?;
        Ok((owns, Some(other.lock()?)))
    }

    /// Returns what the nodes of the outermost graph keep, whose lock is held.
    pub(crate) fn holdings<'a>(&self, edits: &'a mut Edits) -> Result<&'a Arc<Holdings>> {
        Ok(match edits.holdings {
            Some(ref known) => known,
            ref mut unknown => unknown.insert(self.find_holdings()?),
        })
    }

    fn find_holdings(&self) -> Result<Arc<Holdings>> {
        // A copy of a graph begins with what that kept.
        if let Some(known) = self.kept().into_iter().find_map(retention::holdings) {
            return Ok(known);
        }
        let holdings = Arc::new(Holdings::default());
        self.retain(Arc::clone(&holdings) as Retained)?;
        Ok(holdings)
    }

    /// Parts among the nodes what captures into the graph, which are over, listed for all nodes together. While `is_again`, also
    /// what stayed then because of nodes that could not be read. Where the nodes cannot be read, all stays. Gives what is to be
    /// dropped where no lock is held.
    #[cold]
    pub(crate) fn part(&self, edits: &mut Edits, is_again: bool) -> Lists {
        if !self.has_lists() || !self.lets_go() {
            return Lists::new();
        }
        let Ok(driver) = self.context().driver() else { return Lists::new() };
        let lists = retention::lists(self.kept(), is_again);
        // Asked afterwards: a capture that begins now has another list.
        if lists.is_empty() || self.is_captured_into() {
            return lists;
        }
        let Ok(uses) = Uses::of(driver, self.id()) else { return lists };
        let Ok(holdings) = self.holdings(edits) else { return lists };
        for list in &lists {
            if let Some(rest) = retention::part(list, &uses, holdings) {
                self.exchange(list, rest);
            }
        }
        lists
    }

    /// As `part`, for an exec that is edited.
    pub(crate) fn part_for_exec(&self) -> Lists {
        let parted = self.root().lock().map(|mut edits| self.part(&mut edits, false));
        parted.unwrap_or_default()
    }

    /// A node was set to do `work`, with the graph's lock held.
    #[inline]
    pub(crate) fn note_changed(&self, edits: &mut Edits, node: NodeId, work: &NodeWork<'_>) {
        edits.notes.forget_memory(node);
        match self.is_within() || work.graph().is_some() || !work.attributes().is_empty() {
            false => edits.changes.note(node),
            true => edits.changes.note_other(),
        }
    }

    /// A kernel node of the graph, which is within no other one, was set to another launch, that states nothing.
    #[inline]
    pub(crate) fn note_launch(&self, edits: &mut Edits, node: NodeId) {
        edits.notes.forget_launch(node);
        edits.changes.note(node);
    }

    /// Returns whether `node` may use what cannot be read of it. Not told of a graph that keeps nothing of captures.
    fn is_unread(&self, node: NodeId) -> bool {
        let mut is_unread = false;
        if self.has_lists() {
            let read = &mut |work: &Work<'_>| is_unread = uses::is_unread(work);
            let _ = self.context().driver().and_then(|driver| driver.node_work(GraphRef::Known(self.id()), node, read));
        }
        is_unread
    }
}

impl Graph {
    fn home(&self) -> Home<'_> {
        Home::graph(self.context())
    }

    /// Adds a node that does `work` once `dependencies` are done.
    ///
    /// # Errors
    /// `INVALID_VALUE` when one of `dependencies` is no node of the graph or is listed twice, and for work that the device cannot
    /// do; `INVALID_CONTEXT` for objects of devices of another kind; `NOT_SUPPORTED` for work that the device can never do;
    /// `OUT_OF_MEMORY`; the status of a context that faulted.
    ///
    /// # Examples
    /// Two functions, the second after the first:
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use graphcap::core::{Context, Graph, NodeWork, Stream};
    /// use graphcap::driver::{DeviceChoice, DeviceKind, HostFunction, StreamOptions};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let stream = Stream::create(&context, StreamOptions::default())?;
    /// let said = Arc::new(Mutex::new(String::new()));
    /// let say = |word: &'static str| -> HostFunction {
    ///     let said = Arc::clone(&said);
    ///     Arc::new(move || said.lock().unwrap().push_str(word))
    /// };
    ///
    /// let graph = Graph::create(&context)?;
    /// let first = graph.add_node(&[], &NodeWork::Host(&say("first, ")))?;
    /// graph.add_node(&[first], &NodeWork::Host(&say("second")))?;
    ///
    /// // The graph keeps both functions alive, and so does the exec.
    /// let exec = graph.instantiate()?;
    /// drop(graph);
    /// exec.launch(&stream)?;
    /// stream.synchronize()?;
    /// assert_eq!(*said.lock().unwrap(), "first, second");
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn add_node(&self, dependencies: &[NodeId], work: &NodeWork<'_>) -> Result<NodeId> {
        check_caller()?;
        let (mut edits, other) = self.0.lock_with(work.graph())?;
        let added = work.resolve(self.home(), |work, needs| {
            let is_nothing = needs.is_nothing();
            // First, since it can fail.
            if !is_nothing {
                self.0.holdings(&mut edits)?;
            }
            let added = self.context().driver()?.graph_add_node(self.id(), dependencies, work);
            let node = added.map_err(|error| self.0.naming(&edits, dependencies, error))?;
            if let Some(holdings) = edits.holdings.as_ref().filter(|_| !is_nothing) {
                holdings.add(self.0.keeper(node), needs);
            }
            edits.changes.note_other();
            Ok(node)
        });
        match (&added, work) {
            (Ok(node), NodeWork::Child(child)) => self.0.note_child(&mut edits, *node, &child.0, other.as_deref()),
            (Ok(node), NodeWork::Kernel { kernel, arguments, .. }) => {
                edits.notes.set_accesses(*node, kernel.stated(arguments));
            }
            _ => {}
        }
        added.map_err(|error| match work {
            NodeWork::Free(buffer) => buffer.naming(error),
            NodeWork::Child(child) => match other.as_deref() {
                Some(edits) => child.0.naming_uncopied(edits, error),
                None => error,
            },
            _ => error,
        })
    }

    /// Makes a node do other work of the same kind. Execs that were made before go on as they were. The graph lets go of what the
    /// node used and no longer uses, as [`Graph::remove_node`] does.
    ///
    /// # Errors
    /// As [`Graph::add_node`]; `INVALID_VALUE` also when `node` is no node of the graph, or does work of another kind.
    ///
    /// # Examples
    /// A memset that sets another value in execs that are made from then on:
    ///
    /// ```
    /// use graphcap::core::{Buffer, Context, Fill, Graph, NodeParams, NodeWork};
    /// use graphcap::driver::{DeviceChoice, DeviceKind};
    /// use graphcap::Status;
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let buffer = Buffer::allocate(&context, 64)?;
    /// let ones = Fill { buffer: &buffer, offset: 0, value: 1, element_size: 4, width: 16, height: 1, pitch: 0 };
    ///
    /// let graph = Graph::create(&context)?;
    /// let node = graph.add_node(&[], &NodeWork::Memset(ones))?;
    /// graph.set_node(node, &NodeWork::Memset(Fill { value: 2, ..ones }))?;
    /// assert!(matches!(graph.node_params(node)?, NodeParams::Memset(set) if set.value == 2));
    ///
    /// // A node stays of its kind.
    /// let refused = graph.set_node(node, &NodeWork::Empty).unwrap_err();
    /// assert_eq!(refused.status, Status::INVALID_VALUE);
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn set_node(&self, node: NodeId, work: &NodeWork<'_>) -> Result<()> {
        check_caller()?;
        // Dropped where no lock is held: this can run code of the caller's.
        let (mut parted, mut let_go) = (Lists::new(), Kepts::new());
        let set = self.set_locked(node, work, &mut parted, &mut let_go);
        set.map_err(|error| self.naming(node, error))
    }

    /// As [`Graph::set_node`]. Puts what is to be dropped where no lock is held into `parted` and `let_go`.
    #[inline]
    fn set_locked(&self, node: NodeId, work: &NodeWork<'_>, parted: &mut Lists, let_go: &mut Kepts) -> Result<()> {
        let graph = &*self.0;
        let (mut edits, other) = graph.lock_with(work.graph())?;
        let gone = work.graph().map_or_else(NestedGraphs::default, |_| graph.noted_within(&edits, node));
        work.resolve(self.home(), |work, needs| {
            let driver = self.context().driver()?;
            let was_unread = graph.has_lists() && {
                // Before the node changes: execs that were made before keep what it used.
                *parted = graph.part(&mut edits, false);
                graph.is_unread(node)
            };
            let holdings = graph.holdings(&mut edits)?;
            let check = || driver.node_work(GraphRef::Known(graph.id()), node, &mut |_| ());
            let set = || driver.node_set(graph.id(), node, work);
            holdings.exchange(graph.keeper(node), needs, (graph.lets_go(), let_go), check, set)?;
            if was_unread {
                parted.extend(graph.part(&mut edits, true));
            }
            Ok(())
        })?;
        graph.note_changed(&mut edits, node, work);
        if let NodeWork::Kernel { kernel, arguments, .. } = work {
            edits.notes.set_accesses(node, kernel.stated(arguments));
        }
        if let Some(child) = work.graph() {
            gone.forget(&mut edits.notes);
            graph.note_child(&mut edits, node, child, other.as_deref());
        }
        Ok(())
    }

    /// Removes a node with all its edges. Execs that were made before still run it. The graph lets go of the buffers, code,
    /// events, host functions and snapshots that none of the remaining nodes can use; it keeps those of which that cannot be
    /// told, and everything once the native handle of the graph or of one of its nodes was given out.
    ///
    /// The first edit of a graph that was captured takes time for each node of the graph.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph; `ILLEGAL_STATE` while a capture goes into the graph;
    /// `NOT_SUPPORTED` for a node that the driver does not remove, as of an allocation; the status of a context that faulted.
    pub fn remove_node(&self, node: NodeId) -> Result<()> {
        check_caller()?;
        // Dropped behind the lock of the edits, also where the removal fails: this can run code of the caller's.
        let mut parted;
        let mut edits = self.0.root().lock()?;
        // Before the node goes: execs that were made before keep what it used.
        parted = self.0.part(&mut edits, false);
        let was_unread = self.0.is_unread(node);
        let lets_go = self.0.lets_go();
        let remove = || self.context().driver()?.graph_remove_node(self.id(), node);
        let removed = self.0.forget_notes(&mut edits, node, remove);
        removed.map_err(|error| self.0.naming(&edits, &[node], error))?;
        edits.changes.note_other();
        let kept = match &edits.holdings {
            Some(holdings) if lets_go => holdings.remove(self.0.keeper(node)),
            _ => Kepts::new(),
        };
        if was_unread {
            parted.extend(self.0.part(&mut edits, true));
        }
        // Where no lock is held: this can run code of the caller's.
        drop(edits);
        drop((parted, kept));
        Ok(())
    }

    /// Keeps `object` alive until the graph, its copies, the execs made from them, and their launches are gone. Of a graph within
    /// a node that is until the node of the outermost graph is removed, or gets another graph.
    ///
    /// # Errors
    /// `INVALID_HANDLE` when the node is gone that has the graph; `INVALID_VALUE` for a graph that a failed capture was the end of; the
    /// status of a context that faulted.
    pub fn retain(&self, object: HostFunction) -> Result<()> {
        check_caller()?;
        // It goes behind all launches, as memory does.
        let entrusted = self.context().driver()?.entrust(Box::new(move || drop(object)))?;
        let entrusted = DeviceObject::new(self.context(), DeviceId::Entrusted(entrusted));
        let kept: Kepts = smallvec::smallvec![Kept::Object(entrusted)];
        let mut edits = self.0.root().lock()?;
        // Fails where the graph is lost, or where the node is gone that has it, whose place another one may have.
        self.node_count()?;
        let holdings = self.0.holdings(&mut edits)?;
        match self.0.within() {
            None => holdings.add_for_all(&kept),
            Some(node) => holdings.add(node, &kept),
        };
        Ok(())
    }

    /// Adds edges, each from a node to one that then waits for it.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an edge of what is no node of the graph, for one from a node to itself, and for one that is there or
    /// is listed twice; the status of a context that faulted. A cycle of edges is found when an exec is made.
    pub fn add_dependencies(&self, edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.add_dependencies_with_data(&plain(edges))
    }

    /// Removes edges.
    ///
    /// # Errors
    /// `INVALID_VALUE` for an edge that is not there or is listed twice; `ILLEGAL_STATE` while a capture goes into the graph; the
    /// status of a context that faulted.
    pub fn remove_dependencies(&self, edges: &[(NodeId, NodeId)]) -> Result<()> {
        check_caller()?;
        let mut edits = self.0.root().lock()?;
        let removed = self.context().driver()?.graph_remove_edges(self.id(), edges);
        removed.map_err(|error| self.0.naming(&edits, &ends(edges), error))?;
        edits.changes.note_other();
        Ok(())
    }

    /// Copies the graph as it is now. The copy keeps alive what its nodes use.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` for a graph with allocations or conditions; `OUT_OF_MEMORY`; the status of a context that faulted.
    pub fn duplicate(&self) -> Result<Graph> {
        check_caller()?;
        let copied =
            self.copied(|driver, graph| driver.graph_clone(graph).map(|copy| (copy, ())), GraphInner::naming_uncopied);
        copied.map(|(copy, ())| copy)
    }

    /// Copies the graph as `copy` has the driver do it, which tells something more. `naming` tells more of the driver's error.
    pub(super) fn copied<T>(
        &self,
        copy: impl FnOnce(&dyn Driver, GraphId) -> Result<(GraphId, T)>,
        naming: impl FnOnce(&GraphInner, &Edits, Error) -> Error,
    ) -> Result<(Graph, T)> {
        let edits = self.0.root().lock()?;
        let copied = copy(self.context().driver()?, self.id());
        let (id, told) = copied.map_err(|error| naming(&self.0, &edits, error))?;
        let copy = Graph(GraphInner::copy(&self.0, id));
        let mut notes = NodeNotes::default();
        let noted = self.0.copy_notes(&edits.notes, id, &mut notes);
        // First, as the copy goes where nothing could be noted of it.
        drop(edits);
        noted?;
        copy.0.root().lock()?.notes.extend(notes);
        Ok((copy, told))
    }

    /// The node of `copy` that was copied of `node` of this graph.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph, and when `copy` was not made of the graph, or no longer has the node.
    pub fn node_in_copy(&self, node: NodeId, copy: &Graph) -> Result<NodeId> {
        check_caller()?;
        self.home().check_own(copy.context(), "the copy")?;
        let (edits, _copy) = self.0.lock_with(Some(&copy.0))?;
        let found = self.context().driver()?.node_in_clone(self.id(), node, copy.id());
        found.map_err(|error| self.0.naming(&edits, &[node], error))
    }

    /// As [`Graph::node_in_copy`], of several nodes.
    ///
    /// # Errors
    /// As [`Graph::node_in_copy`].
    pub fn nodes_in_copy(&self, nodes: &[NodeId], copy: &Graph) -> Result<Vec<NodeId>> {
        check_caller()?;
        self.home().check_own(copy.context(), "the copy")?;
        let (edits, _copy) = self.0.lock_with(Some(&copy.0))?;
        let found = self.context().driver()?.nodes_in_clone(self.id(), nodes, copy.id());
        found.map_err(|error| self.0.naming(&edits, nodes, error))
    }

    /// The graph of a child node, or the bodies of a conditional one. They can be looked at and edited as long as the node is
    /// there; execs that were made before do not change.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph, or of another kind.
    pub fn node_graphs(&self, node: NodeId) -> Result<Vec<Graph>> {
        check_caller()?;
        let edits = self.0.root().lock()?;
        let ids = self.context().driver()?.node_graphs(self.id(), node);
        let ids =
            ids.map_err(|error| self.0.naming(&edits, &[node], error)).map_err(|error| self.not_yet_there(error))?;
        Ok(ids.into_iter().map(|id| Graph(GraphInner::of_node(&self.0, node, id))).collect())
    }

    /// Returns whether a node of another graph has it: a body of a conditional, or the graph of a child.
    pub fn is_of_node(&self) -> bool {
        self.0.is_within()
    }

    /// `error` of a call that asks for the graphs of a node, which a body has only when the capture into it has ended.
    #[cold]
    fn not_yet_there(&self, error: Error) -> Error {
        if !self.0.is_within() || error.status != Status::INVALID_VALUE {
            return error;
        }
        let told =
            "this graph belongs to a node, and has what is captured into it when the capture has ended; ask after \
                    gc_stream_end_capture()";
        Error::new(error.status, format!("{}; {told}", error.message))
    }

    /// Makes a condition for a conditional node of the graph. Each launch of the outermost graph begins with the value `default`.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` where the driver is too old; the status of a context that faulted.
    pub fn create_condition(&self, default: u32) -> Result<ConditionId> {
        check_caller()?;
        let mut edits = self.0.root().lock()?;
        let driver = self.context().driver()?;
        let condition = driver.condition_create(self.id(), default)?;
        driver.condition_call_by(condition, self.0.exec_names());
        edits.conditions.insert(condition, default);
        edits.changes.note_other();
        Ok(condition)
    }

    /// Returns the value that launches begin with, of a condition that [`Graph::create_condition`] made in the graph or in one around it.
    ///
    /// # Errors
    /// `INVALID_HANDLE` when the graph was within one that is destroyed.
    pub fn condition_default(&self, condition: ConditionId) -> Result<Option<u32>> {
        check_caller()?;
        Ok(self.0.root().lock()?.conditions.get(&condition).copied())
    }

    /// Calls `take` with what a graph has to keep of which this one, whose lock is held, becomes a node.
    pub(crate) fn to_be_child<T>(&self, take: impl FnOnce(Kepts) -> Result<T>) -> Result<T> {
        let lists = self.0.kept();
        within::check(self.context().driver()?, self.id(), || lists.clone(), None)?;
        let lists = retention::held_apart(&lists);
        take(if lists.is_empty() { Kepts::new() } else { smallvec::smallvec![Kept::Graph(lists.to_vec().into())] })
    }
}

/// The nodes that edges connect.
#[cold]
fn ends(edges: &[(NodeId, NodeId)]) -> Vec<NodeId> {
    edges.iter().flat_map(|&(from, to)| [from, to]).collect()
}

#[cfg(test)]
#[path = "edits_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "nodes_of_contexts_tests.rs"]
mod nodes_of_contexts_tests;
