//! Execs that are changed by hand: nodes that do other work, or nothing.
//!
//! Launches that were queued before run as they were; later ones run what was changed.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use super::exec::{ExecEdits, GraphExec, Made, OwnNodes};
use super::graph::Graph;
use super::holdings::Holdings;
use super::retention;
use crate::keep::Kepts;
use crate::objects::home::Home;
use crate::operations::node_work::NodeWork;
use crate::pools::within::{self, Set};
use crate::state::GraphInner;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::{check_caller, Driver, Lists, NodeId, Retained};

impl GraphExec {
    /// Makes a node of the exec do other work of the same kind. The graph that the exec was made from is not changed; it must be
    /// there, and have the node. What the node used before is let go of when the launches that were made before are over, unless
    /// the native handle of the exec was given out.
    ///
    /// # Errors
    /// `INVALID_VALUE` when `node` is no node of the graph, or was added after the exec was made, when the graph is gone, and for
    /// work of another kind or that the driver does not change in an exec; `NOT_SUPPORTED` for a watched exec, and on a CUDA device for
    /// one with grids that come from scalars; `INVALID_CONTEXT` for objects of devices of another kind; `OUT_OF_MEMORY`; the status of a
    /// context that faulted.
    ///
    /// # Examples
    /// The node of the exec calls another function; that of the graph does not:
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use std::sync::Arc;
    ///
    /// use graphcap::core::{Context, Graph, NodeWork, Stream};
    /// use graphcap::driver::{DeviceChoice, DeviceKind, HostFunction, StreamOptions};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let stream = Stream::create(&context, StreamOptions::default())?;
    /// let sum = Arc::new(AtomicU32::new(0));
    /// let add = |number: u32| -> HostFunction {
    ///     let sum = Arc::clone(&sum);
    ///     Arc::new(move || {
    ///         sum.fetch_add(number, Ordering::Relaxed);
    ///     })
    /// };
    ///
    /// let graph = Graph::create(&context)?;
    /// let node = graph.add_node(&[], &NodeWork::Host(&add(1)))?;
    /// let exec = graph.instantiate()?;
    /// exec.launch(&stream)?;
    /// exec.set_node(node, &NodeWork::Host(&add(10)))?;
    /// exec.launch(&stream)?;
    /// graph.instantiate()?.launch(&stream)?;
    /// stream.synchronize()?;
    /// assert_eq!(sum.load(Ordering::Relaxed), 1 + 10 + 1);
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn set_node(&self, node: NodeId, work: &NodeWork<'_>) -> Result<()> {
        check_caller()?;
        self.check_changeable()?;
        // Dropped where no lock is held: this can run code of the caller's.
        let (mut lists, mut superseded, mut graph) = (Lists::new(), Kepts::new(), None);
        let made = self.made();
        let set = made.check_graph();
        let set = set.and_then(|()| self.set_locked((&made, &mut graph), node, work, &mut lists, &mut superseded));
        let superseding = (set.is_ok() && !superseded.is_empty()).then(|| Arc::clone(&made));
        drop(made);
        if let Some(made) = superseding {
            made.let_go_of(std::mem::take(&mut superseded));
        }
        set.map_err(|error| self.naming(node, error))
    }

    /// As [`GraphExec::set_node`]. Puts what is to be dropped where no lock is held into `graph` and `lists`, and what the node does not
    /// use any more, or was not set to use, into `let_go`.
    #[inline]
    fn set_locked(
        &self,
        (made, graph): (&Made, &mut Option<Arc<GraphInner>>),
        node: NodeId,
        work: &NodeWork<'_>,
        lists: &mut Lists,
        let_go: &mut Kepts,
    ) -> Result<()> {
        let driver = self.context().driver()?;
        let mut edits = lock(made.edits());
        let ExecEdits { kept, holdings, own_nodes, is_updated, changes, set: noted, .. } = &mut *edits;
        let holdings = match holdings {
            Some(known) => known,
            unknown => unknown.insert(made.first_holdings(made.origin_in(graph)?, (kept, *is_updated), lists)),
        };
        let mut _child = None;
        if let Some(child) = work.graph() {
            let graph = made.origin_in(graph)?;
            // Before the lock of the child, which may be that of the graph.
            let is_as_graph = !*is_updated && made.is_as_its_graph(graph)?;
            _child = Some(child.root().lock()?);
            let lists = child.kept();
            let own = driver.graph_has_node(graph.id(), node).then_some(node);
            let set = Set { node: own, lists: &lists, is_as_graph };
            within::check(driver, graph.id(), || kept.clone(), Some(set))?;
            made.launch_orders().follow(|| lists);
        }
        if !own_nodes.has(node) {
            own_nodes.note(node, driver.graph_has_node(made.origin_in(graph)?.id(), node));
        }
        let stated = match work {
            NodeWork::Kernel { kernel, arguments, .. } => kernel.stated(arguments),
            _ => None,
        };
        work.resolve(Home::exec(self.context()), |work, needs| {
            let mut set = || {
                driver.exec_set(made.id(), node, work)?;
                noted.note_work(node, work, stated.clone());
                Ok(())
            };
            if own_nodes.has(node) {
                changes.note(node);
                return holdings.exchange(node.into(), needs, (true, let_go), || Ok(()), set);
            }
            changes.note_other();
            // A node within a child has the place of another one; what it gets to use is kept as long as the exec.
            let before = holdings.add_for_all(needs);
            set().inspect_err(|_| *let_go = holdings.take_of_all_but(before))
        })
    }

    /// Makes a node do nothing, or do again what it does. Nodes that depend on it wait all the same for what it depends on.
    ///
    /// # Errors
    /// `INVALID_VALUE` as for [`GraphExec::set_node`], and when the node is none of a kernel, a copy or a memset, or cannot be
    /// disabled, as a cooperative kernel; `NOT_SUPPORTED` as for [`GraphExec::set_node`]; the status of a context that faulted.
    pub fn enable_node(&self, node: NodeId, is_enabled: bool) -> Result<()> {
        check_caller()?;
        self.check_changeable()?;
        let made = self.made();
        made.check_graph()?;
        let mut edits = lock(made.edits());
        let enabled = self.context().driver()?.exec_enable(made.id(), node, is_enabled);
        match (&enabled, is_enabled) {
            (Ok(()), true) => drop(edits.disabled.remove(&node)),
            (Ok(()), false) => drop(edits.disabled.insert(node)),
            (Err(_), _) => {}
        }
        drop(edits);
        drop(made);
        enabled.map_err(|error| self.naming(node, error))
    }

    /// Returns whether a node does what it does in launches from now on.
    ///
    /// # Errors
    /// As [`GraphExec::enable_node`].
    pub fn is_node_enabled(&self, node: NodeId) -> Result<bool> {
        check_caller()?;
        self.check_changeable()?;
        let made = self.made();
        made.check_graph()?;
        let is_enabled = self.context().driver()?.exec_is_enabled(made.id(), node);
        drop(made);
        is_enabled.map_err(|error| self.naming(node, error))
    }

    /// The error of a call on a node of the graph that the exec was made from, with the name of the node.
    #[cold]
    pub(super) fn naming(&self, node: NodeId, error: Error) -> Error {
        let Some(graph) = self.made().origin().upgrade().map(Graph) else { return error };
        let is_unknown = |answer: Result<_>| answer.is_err_and(|answer| answer.status == Status::INVALID_VALUE);
        let message = match error.status == Status::INVALID_VALUE && is_unknown(graph.node_kind(node)) {
            true => format!("{}; a graph exec goes by the nodes of the graph that it was made from", error.message),
            false => return graph.naming(node, error),
        };
        graph.naming(node, Error::new(error.status, message))
    }
}

impl Made {
    /// Refuses edits where the graph is gone that the exec was made from. One that goes meanwhile the driver refuses.
    #[inline]
    pub(super) fn check_graph(&self) -> Result<()> {
        match self.origin().strong_count() {
            0 => Err(self.no_graph()),
            _ => Ok(()),
        }
    }

    /// Returns why the exec has no graph by which its nodes go.
    #[cold]
    fn no_graph(&self) -> Error {
        match self.is_of_copy.load(Ordering::Acquire) {
            true => Error::new(
                Status::NOT_SUPPORTED,
                "a node of the graph takes its grid from a scalar, and this device does not change the nodes of such a graph exec; \
                 change those of the graph, and apply the graph to the exec or make another one",
            ),
            false if self.origin().ptr_eq(&Weak::new()) => Error::invalid_value(
                "the graph exec of others was wrapped without the graph that it was made from, by which its nodes go; pass that to \
                 gc_graph_exec_wrap()",
            ),
            false => Error::invalid_value(
                "the graph that the graph exec was made from is destroyed, and its nodes with it; keep the graph as long as the exec \
                 is edited",
            ),
        }
    }

    /// The holdings of the nodes of the exec, which was made from `graph`. They are made when the first node is changed. The lists that
    /// were parted for it go into `lists`, to be dropped where no lock is held.
    #[inline]
    pub(super) fn holdings(&self, graph: &GraphInner, edits: &mut ExecEdits, lists: &mut Lists) -> Arc<Holdings> {
        let ExecEdits { kept, holdings, is_updated, .. } = edits;
        Arc::clone(match holdings {
            Some(known) => known,
            unknown => unknown.insert(self.first_holdings(graph, (kept, *is_updated), lists)),
        })
    }

    /// As [`Made::holdings`], where there are none yet.
    #[cold]
    fn first_holdings(
        &self,
        graph: &GraphInner,
        (kept, is_updated): (&mut Lists, bool),
        lists: &mut Lists,
    ) -> Arc<Holdings> {
        match is_updated {
            true => new_holdings(kept),
            // Before the first edit it is parted what captures listed for all nodes together.
            false => self.find_holdings(graph, kept, lists),
        }
    }

    /// Lets go of what nodes kept that were set.
    pub(super) fn let_go_of(&self, superseded: Kepts) {
        self.let_go(Lists::from_elem(Arc::new(Holdings::of(superseded)), 1));
    }

    /// The graph that the exec was made from.
    pub(super) fn graph(&self) -> Result<Arc<GraphInner>> {
        self.origin().upgrade().ok_or_else(|| self.no_graph())
    }

    /// The graph that the exec was made from, held by `graph`: others may destroy it meanwhile.
    fn origin_in<'a>(&self, graph: &'a mut Option<Arc<GraphInner>>) -> Result<&'a GraphInner> {
        Ok(match graph {
            Some(held) => held,
            none => none.insert(self.graph()?),
        })
    }

    /// Finds that nodes are of the graph itself that the exec was made from, which `graph` comes to hold. `None` where one is not.
    #[cold]
    pub(super) fn find_own(
        &self,
        driver: &dyn Driver,
        graph: &mut Option<Arc<GraphInner>>,
        own_nodes: &mut OwnNodes,
        nodes: &[NodeId],
    ) -> Option<()> {
        let graph = self.origin_in(graph).ok()?.id();
        let mut each = nodes.iter();
        each.all(|&node| own_nodes.has(node) || own_nodes.note(node, driver.graph_has_node(graph, node))).then_some(())
    }

    /// Returns whether the graph that it was made from has the nodes and edges that it had then, as far as is known.
    fn is_as_its_graph(&self, graph: &GraphInner) -> Result<bool> {
        let edits = graph.root().lock()?;
        Ok(self.born().is_some_and(|born| graph.changed_since(born, &edits).is_some()))
    }

    /// Returns what the nodes of the exec keep, of which none was changed yet, beside the rest of what is `kept`. Puts the lists that were
    /// parted into `lists`, to be dropped where no lock is held.
    #[cold]
    fn find_holdings(&self, graph: &GraphInner, kept: &mut Lists, lists: &mut Lists) -> Arc<Holdings> {
        let known = kept.iter().cloned().find_map(retention::holdings);
        let holdings = known.unwrap_or_else(|| new_holdings(kept));
        lists.extend(graph.part_for_exec());
        if !self.is_given_out() {
            lists.extend(retention::part_of_exec(kept, &holdings));
        }
        holdings
    }
}

/// Returns what the nodes of an exec keep from here on beside what is `kept` for it.
fn new_holdings(kept: &mut Lists) -> Arc<Holdings> {
    let holdings = Arc::new(Holdings::default());
    kept.push(Arc::clone(&holdings) as Retained);
    holdings
}
