//! Another buffer in the place of one, in all nodes of a graph or of an exec.
//!
//! All nodes are read first, and what does not fit is refused before anything is changed. Where the device refuses a node after
//! that, those that were set before are set back.

use std::sync::Arc;

use super::buffer_swap::Swap;
use super::exec::{ExecEdits, ExecInner, GraphExec, Made};
use super::exec_work::SetNodes;
use super::graph::Graph;
use super::holdings::Holdings;
use super::node_data::NodeParams;
use crate::keep::Kepts;
use crate::objects::buffer::Buffer;
use crate::objects::home::Home;
use crate::operations::operands::Operand;
use crate::state::{Edits, GraphInner};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::{check_caller, Driver, GraphId, GraphRef, GridSources, Lists, NodeId, NodeKind, Work};

/// A node, and where it is.
#[derive(Clone, Copy)]
struct Site {
    graph: GraphId,
    node: NodeId,
    kind: NodeKind,
    /// The node of the graph that the call was made on, or that node itself.
    outermost: NodeId,
}

impl Site {
    fn is_within(&self) -> bool {
        self.node != self.outermost
    }
}

/// Work of a node, now and to be.
struct Change {
    site: Site,
    before: NodeParams,
    after: NodeParams,
    /// Memory that the node takes its grid from now, and is to, if some of that comes from memory.
    grids: Option<(GridSources, GridSources)>,
}

impl Change {
    /// The change of a node that does `before` with a grid that comes from `now`, if it uses the buffer.
    fn of(swap: &Swap<'_>, site: Site, before: NodeParams, now: GridSources) -> Result<Option<Change>> {
        let (mut next, mut is_moved) = (now, false);
        for source in next.iter_mut().flatten() {
            is_moved |= swap.move_address(source, Some(size_of::<u32>()), size_of::<u32>())?;
        }
        let grids = now.iter().any(Option::is_some).then_some((now, next));
        let after = match swap.of_work(&before)? {
            None if is_moved => Some(before.clone()),
            after => after,
        };
        Ok(after.map(|after| Change { site, before, after, grids }))
    }
}

/// The nodes of a graph and of the graphs within it, in their order.
fn list_sites(driver: &dyn Driver, graph: GraphId, outermost: Option<NodeId>, list: &mut Vec<Site>) -> Result<()> {
    for node in driver.graph_nodes(GraphRef::Known(graph))?.nodes {
        let (outermost, kind) = (outermost.unwrap_or(node), driver.node_kind(graph, node)?);
        list.push(Site { graph, node, kind, outermost });
        if matches!(kind, NodeKind::Child | NodeKind::Conditional) {
            for within in driver.node_graphs(graph, node)? {
                list_sites(driver, within, Some(outermost), list)?;
            }
        }
    }
    Ok(())
}

/// Changes that are to be made.
struct ReplacementPlan {
    changes: Vec<Change>,
    /// The nodes of the graph that the call was made on of which it is not seen whether they use the buffer, nor those within them.
    unread: Vec<NodeId>,
}

impl ReplacementPlan {
    /// The changes of the nodes of a graph and of those within. `read` gives a copy of a node's work if the work is one that it is
    /// asked for: most nodes do not use the buffer, and a copy of each would cost more than all else here. An error comes with its
    /// node.
    fn of(
        swap: &Swap<'_>,
        driver: &dyn Driver,
        graph: GraphId,
        read: impl Fn(Site, &dyn Fn(&Work<'_>) -> bool) -> Result<Option<NodeParams>>,
    ) -> Result<ReplacementPlan, (Option<NodeId>, Error)> {
        let (mut sites, mut plan) = (Vec::new(), ReplacementPlan { changes: Vec::new(), unread: Vec::new() });
        list_sites(driver, graph, None, &mut sites).map_err(|error| (None, error))?;
        for site in sites {
            let of_node = |error| (Some(site.node), error);
            let grid = match site.kind {
                NodeKind::Kernel => driver.node_grid(site.graph, site.node).map_err(of_node)?,
                _ => GridSources::default(),
            };
            let is_grid = grid.iter().flatten().any(|source| swap.covers(*source));
            let is_asked_for = |work: &Work<'_>| is_grid || swap.may_change(work);
            let Some(before) = read(site, &is_asked_for).map_err(of_node)? else { continue };
            if before.is_unread() {
                plan.unread.push(site.outermost);
            }
            plan.changes.extend(Change::of(swap, site, before, grid).map_err(of_node)?);
        }
        Ok(plan)
    }
}

/// Returns what a node of a graph does, whose lock is held, if that is asked for.
fn read(
    driver: &dyn Driver,
    edits: &Edits,
    site: Site,
    is_asked_for: &dyn Fn(&Work<'_>) -> bool,
) -> Result<Option<NodeParams>> {
    let mut params = None;
    driver.node_work(GraphRef::Known(site.graph), site.node, &mut |work| {
        let accesses = || edits.notes.accesses(site.node);
        params = Some(is_asked_for(work).then(|| NodeParams::with_noted(work, accesses())));
    })?;
    params.ok_or_else(|| Error::new(Status::UNKNOWN, "the device does not tell what the node does"))
}

/// Makes the nodes keep the new buffer beside what they keep. Gives how much each kept before.
fn keep(changes: &[Change], holdings: &Holdings, keeper: impl Fn(&Change) -> NodeId, swap: &Swap<'_>) -> Vec<usize> {
    changes.iter().map(|change| holdings.add(keeper(change), &Operand::Buffer(swap.to))).collect()
}

/// Sets one node after the other by `set`, or all of them back where one fails.
fn set_all(
    changes: &[Change],
    mut set: impl FnMut(&Change, &NodeParams, Option<GridSources>) -> Result<()>,
) -> Result<(), (NodeId, Error)> {
    for (index, change) in changes.iter().enumerate() {
        let grid = change.grids.map(|(_, next)| next);
        if let Err(error) = set(change, &change.after, grid) {
            // The failed one too: it may have been set, and its grid not.
            for change in changes.iter().take(index + 1).rev() {
                let _ = set(change, &change.before, change.grids.map(|(now, _)| now));
            }
            return Err((change.site.node, error));
        }
    }
    Ok(())
}

impl Graph {
    /// Puts the buffer `to` in the place of `from` in all nodes of the graph and of the graphs within it: in the arguments of kernels,
    /// where each aligned word of 8 bytes in the buffer counts as an address of it, in copies, memsets and value operations, and in
    /// grids that come from memory. Offsets stay. Execs and copies that were made before go on as they were. The graph keeps `to`; it
    /// lets go of `from` as [`Graph::set_node`] does. Gives how many nodes were changed.
    ///
    /// Pointers that lie in memory are not seen, nor arguments that the driver does not tell.
    ///
    /// # Errors
    /// Nothing is changed then. `INVALID_VALUE` where `to` is smaller than what a node uses of `from`, which for a kernel is all of it
    /// unless the launch states the bytes, where its elements would not be aligned, and where one buffer is memory of the host and the
    /// other is not; `INVALID_CONTEXT` where `to` is of another context than `from`, or that is of a device of another kind;
    /// `NOT_SUPPORTED` for memory that a node allocates, and for kernels that were not found through graphcap; what
    /// [`Graph::set_node`] answers.
    ///
    /// # Examples
    /// ```
    /// use graphcap::core::{Buffer, Context, Fill, Graph, NodeParams, NodeWork};
    /// use graphcap::driver::{DeviceChoice, DeviceKind};
    ///
    /// let context = Context::create(DeviceChoice::Kind(DeviceKind::Host), 0)?;
    /// let (one, other) = (Buffer::allocate(&context, 64)?, Buffer::allocate(&context, 64)?);
    /// let fill = Fill { buffer: &one, offset: 16, value: 1, element_size: 4, width: 4, height: 1, pitch: 0 };
    /// let graph = Graph::create(&context)?;
    /// let node = graph.add_node(&[], &NodeWork::Memset(fill))?;
    /// assert_eq!(graph.replace_buffer(&one, &other)?, 1);
    /// assert!(matches!(graph.node_params(node)?, NodeParams::Memset(set) if set.address == other.address() + 16));
    /// # Ok::<(), graphcap::Error>(())
    /// ```
    pub fn replace_buffer(&self, from: &Buffer, to: &Buffer) -> Result<usize> {
        check_caller()?;
        let swap = Swap::new(Home::graph(self.context()), from, to)?;
        if Arc::ptr_eq(&from.inner(), &to.inner()) {
            return Ok(0);
        }
        // Before the graph's lock, and dropped where no lock is held, as the rest: this can run code of the caller's.
        let execs = self.execs();
        let (mut parted, mut let_go) = (Lists::new(), Vec::new());
        let replaced = self.replace_locked(&swap, &execs, &mut parted, &mut let_go);
        replaced.map_err(|(node, error)| match node {
            Some(node) => self.naming(node, at(node, &error)),
            None => error,
        })
    }

    /// The driver's execs that were made from graphs of the outermost one, and those graphs.
    fn execs(&self) -> Vec<(Arc<Made>, Arc<GraphInner>)> {
        let execs = self.context().execs().live::<ExecInner>().into_iter().map(GraphExec::from_inner);
        let of_graphs = execs.filter_map(|exec| {
            let made = Arc::clone(&exec.made());
            let origin = made.origin().upgrade()?;
            Arc::ptr_eq(origin.root(), self.0.root()).then_some((made, origin))
        });
        of_graphs.collect()
    }

    /// As [`Graph::replace_buffer`]. An error comes with the node that it is about.
    fn replace_locked(
        &self,
        swap: &Swap<'_>,
        execs: &[(Arc<Made>, Arc<GraphInner>)],
        parted: &mut Lists,
        let_go: &mut Vec<Kepts>,
    ) -> Result<usize, (Option<NodeId>, Error)> {
        let of_all = |error: Error| (None, error);
        let (graph, driver) = (&*self.0, self.context().driver().map_err(of_all)?);
        let mut edits = graph.root().lock().map_err(of_all)?;
        let ReplacementPlan { changes, unread } =
            ReplacementPlan::of(swap, driver, graph.id(), |site, asked| read(driver, &edits, site, asked))?;
        if changes.is_empty() {
            return Ok(0);
        }
        // Before the nodes change: execs that were made before keep what they used.
        *parted = graph.part(&mut edits, false);
        let holdings = Arc::clone(graph.holdings(&mut edits).map_err(of_all)?);
        let keeper = |change: &Change| graph.outermost_node(change.site.outermost);
        let kept = keep(&changes, &holdings, keeper, swap);
        let set = set_all(&changes, |change, work, grid| {
            let Site { graph, node, .. } = change.site;
            work.lend(|work| driver.node_set(graph, node, work))?;
            grid.map_or(Ok(()), |grid| driver.node_set_grid(graph, node, grid))
        });
        if let Err((node, error)) = set {
            let last_first = changes.iter().zip(kept).rev();
            let_go.extend(last_first.map(|(change, count)| holdings.take_all_but(keeper(change), count)));
            return Err((Some(node), error));
        }
        for (made, origin) in execs {
            made.keep_work_before(origin, &edits, &changes);
        }
        for change in &changes {
            let Site { node, outermost, .. } = change.site;
            edits.notes.set_accesses(node, change.after.accesses());
            edits.notes.forget_memory(node);
            // Grids are no part of what single nodes are set to.
            match graph.is_within() || change.site.is_within() || change.grids.is_some() {
                false => edits.changes.note(node),
                true => edits.changes.note_told(),
            }
            if !graph.is_within() && graph.lets_go() && !unread.contains(&outermost) {
                let_go.push(holdings.lessen(outermost, |kept| swap.without_old(kept)));
            }
        }
        Ok(changes.len())
    }
}

impl Made {
    /// Nodes of the graph that the exec was made from, or of others of the same outermost graph, were changed: those of the exec go on
    /// to do what they did.
    fn keep_work_before(&self, origin: &GraphInner, edits: &Edits, changes: &[Change]) {
        let mut work = lock(self.work());
        let Some(changed) = work.source().and_then(|source| origin.untold_since(source, edits)) else { return };
        for change in changes {
            let node = change.site.node;
            if work.get(node).is_none() && !changed.contains(&node) {
                work.note(node, change.before.clone());
            }
        }
    }
}

impl GraphExec {
    /// Puts the buffer `to` in the place of `from` in all nodes of the exec, as [`Graph::replace_buffer`] does in those of a graph. The
    /// graph that it was made from is not changed; it must be there. Launches that were made before run as they were. The exec keeps
    /// `to`, and lets go of `from` when the launches that were made before are over.
    ///
    /// # Errors
    /// As [`Graph::replace_buffer`] and [`GraphExec::set_node`]: an exec bars more changes than a graph does. `ILLEGAL_STATE` where it
    /// is not known what the nodes of the exec do: nodes of the graph were set, added or removed since the exec came to do the work of
    /// the graph, which is not so for [`Graph::replace_buffer`]; another graph updated the exec; or a child graph was set in it.
    pub fn replace_buffer(&self, from: &Buffer, to: &Buffer) -> Result<usize> {
        check_caller()?;
        self.check_changeable()?;
        let swap = Swap::new(Home::exec(self.context()), from, to)?;
        if Arc::ptr_eq(&from.inner(), &to.inner()) {
            return Ok(0);
        }
        // Dropped where no lock is held: this can run code of the caller's.
        let (mut lists, mut let_go) = (Lists::new(), Kepts::new());
        let made = self.made();
        let graph = made.graph()?;
        let replaced = made.replace_locked(&graph, &swap, &mut lists, &mut let_go);
        let superseding = (replaced.is_ok() && !let_go.is_empty()).then(|| Arc::clone(&made));
        drop(made);
        if let Some(made) = superseding {
            made.let_go_of(std::mem::take(&mut let_go));
        }
        replaced.map_err(|(node, error)| match node {
            Some(node) => self.naming(node, at(node, &error)),
            None => error,
        })
    }
}

impl Made {
    /// As [`GraphExec::replace_buffer`]. An error comes with the node that it is about.
    fn replace_locked(
        &self,
        graph: &GraphInner,
        swap: &Swap<'_>,
        lists: &mut Lists,
        let_go: &mut Kepts,
    ) -> Result<usize, (Option<NodeId>, Error)> {
        let of_all = |error: Error| (None, error);
        let driver = self.context().driver().map_err(of_all)?;
        let mut edits = lock(self.edits());
        let ReplacementPlan { changes, unread } = self.plan(graph, &edits.set, swap)?;
        if changes.is_empty() {
            return Ok(0);
        }
        let holdings = self.holdings(graph, &mut edits, lists);
        let ExecEdits { own_nodes, changes: noted, set: now, .. } = &mut *edits;
        let keeper = |change: &Change| change.site.outermost;
        let kept = keep(&changes, &holdings, keeper, swap);
        let set =
            set_all(&changes, |change, work, _| work.lend(|work| driver.exec_set(self.id(), change.site.node, work)));
        if let Err((node, error)) = set {
            let last_first = changes.iter().zip(kept).rev();
            let_go.extend(last_first.flat_map(|(change, count)| holdings.take_all_but(keeper(change), count)));
            return Err((Some(node), error));
        }
        let count = changes.len();
        for change in changes {
            let Site { node, outermost, .. } = change.site;
            match change.site.is_within() {
                true => noted.note_other(),
                false => {
                    own_nodes.note(node, true);
                    noted.note(node);
                }
            }
            if !unread.contains(&outermost) {
                let_go.extend(holdings.lessen(outermost, |kept| swap.without_old(kept)));
            }
            now.note(node, change.after);
        }
        Ok(count)
    }

    /// The changes of the nodes of the exec, which was made from `graph`, and of which some were `set`.
    fn plan(
        &self,
        graph: &GraphInner,
        set: &SetNodes,
        swap: &Swap<'_>,
    ) -> Result<ReplacementPlan, (Option<NodeId>, Error)> {
        let driver = self.context().driver().map_err(|error| (None, error))?;
        let of_graph = graph.root().lock().map_err(|error| (None, error))?;
        let work = lock(self.work());
        let changed = work.source().and_then(|source| graph.untold_since(source, &of_graph));
        let changed = changed.ok_or_else(|| (None, not_known()))?;
        let plan = ReplacementPlan::of(swap, driver, graph.id(), |site, is_asked_for| {
            match set.get(site.node).as_deref().or_else(|| work.get(site.node)) {
                Some(NodeParams::Other(NodeKind::Child)) => Err(not_known()),
                Some(
                    done @ (NodeParams::Kernel(_)
                    | NodeParams::Memcpy { .. }
                    | NodeParams::Memset(_)
                    | NodeParams::Values(_)),
                ) => done.lend(|work| Ok(is_asked_for(work).then(|| done.clone()))),
                Some(done) => Ok(Some(done.clone())),
                None if changed.contains(&site.node) => Err(not_known()),
                None => read(driver, &of_graph, site, is_asked_for),
            }
        })?;
        match plan.changes.iter().find(|change| change.grids.is_some()) {
            Some(change) => Err((Some(change.site.node), grid_stays())),
            None => Ok(plan),
        }
    }
}

/// The error of a call on a graph, of one of its nodes.
#[cold]
fn at(node: NodeId, error: &Error) -> Error {
    match error.message.contains(&format!("node {:#x}", node.0)) {
        true => error.clone(),
        false => Error::new(error.status, format!("node {:#x}: {}", node.0, error.message)),
    }
}

#[cold]
fn grid_stays() -> Error {
    Error::new(
        Status::NOT_SUPPORTED,
        "the node takes its grid from memory, and is not set in a graph exec; replace the buffer in the graph, and call \
         gc_graph_exec_apply()",
    )
}

#[cold]
fn not_known() -> Error {
    Error::new(
        Status::ILLEGAL_STATE,
        "it is not known what the nodes of the graph exec do, since its graph was changed or another one updated it; replace the buffer \
         in the graph, and call gc_graph_exec_apply()",
    )
}

#[cfg(test)]
#[path = "replace_buffer_tests.rs"]
mod tests;
