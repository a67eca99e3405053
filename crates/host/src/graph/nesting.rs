//! Graphs within nodes of others: children, and the bodies of conditionals. They lie in the definition of the outermost graph,
//! which execs share, and are found from there by a path of nodes.

use std::collections::hash_map::Entry;
use std::collections::{HashSet, VecDeque};
use std::ops::Range;
use std::sync::Arc;

use super::condition::Condition;
use super::node::{Definition, Node};
use super::{Action, Fate, Graph, Inner, Registered};
use crate::memory::node_memory::{Freed, NodeMemory};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{rank, Mutex};
use graphcap_driver::ids::{lost_graph, no_such};
use graphcap_driver::{Address, EdgeData, GraphId, NodeId, Side};

/// Limit of graphs that lie within each other. What goes through them all needs stack for each.
const DEEPEST: usize = 128;

/// Number of nodes before a new allocation that are looked at for one that frees as much.
const FAR: usize = 256;

/// Target of a graph's id.
pub(crate) struct Located {
    /// The outermost graph.
    pub(crate) root: Arc<Mutex<Graph, rank::HostGraph>>,
    /// From there; of no step for the outermost graph itself.
    pub(crate) path: Box<[Inner]>,
}

/// Objects that go with a node that is removed, where no lock is held.
pub(crate) struct Removed {
    #[allow(dead_code, reason = "held to be dropped")]
    action: Action,
    /// Ids that lead nowhere any more.
    pub(crate) graphs: Vec<GraphId>,
}

impl Graph {
    /// The definition at the end of a path.
    ///
    /// # Errors
    /// `INVALID_HANDLE` where the path leads nowhere any more.
    pub(crate) fn at(&self, path: &[Inner]) -> Result<&Arc<Definition>> {
        path.iter()
            .try_fold(&self.definition, |definition, &inner| definition.inner(inner))
            .ok_or_else(|| no_such("graph"))
    }

    /// Returns what an edit changes, at the end of a path. An exec that was made before holds the definitions as they were then: the
    /// first edit after that copies those on the path, and later ones find the copies.
    ///
    /// # Errors
    /// As [`Graph::at`]; `ILLEGAL_STATE` while a capture goes into that graph and it is within a node: what the capture has recorded
    /// takes its place at the end.
    pub(crate) fn edit(&mut self, path: &[Inner]) -> Result<&mut Definition> {
        self.check_is_open(path)?;
        self.edit_captured(path)
    }

    /// Fails where [`Graph::edit`] fails because of a capture.
    ///
    /// # Errors
    /// `ILLEGAL_STATE`.
    pub(crate) fn check_is_open(&self, path: &[Inner]) -> Result<()> {
        match path {
            [] => Ok(()),
            path => self.check_not_captured(path, "what is in a graph within a node", "changed"),
        }
    }

    /// The nodes on one side of a node at the end of a path, as [`Definition::before`] gives them.
    ///
    /// # Errors
    /// As [`Graph::at`]; `INVALID_VALUE` when there is no such node.
    pub(crate) fn neighbours(&mut self, path: &[Inner], node: NodeId, side: Side) -> Result<Vec<(NodeId, EdgeData)>> {
        match side {
            Side::Before => self.at(path)?.before(node),
            Side::After => {
                // A definition that an exec shares is copied once, and not again until the next exec.
                self.edit_captured(path)?.after(node)
            }
        }
    }

    fn edit_captured(&mut self, path: &[Inner]) -> Result<&mut Definition> {
        let outermost = Arc::make_mut(&mut self.definition);
        path.iter()
            .try_fold(outermost, |definition, &inner| definition.inner_mut(inner))
            .ok_or_else(|| no_such("graph"))
    }

    /// Returns how the graph at the end of a path stands to captures into it.
    pub(crate) fn fate(&self, path: &[Inner]) -> Fate {
        match path.last() {
            None => self.fate,
            Some(inner) => self.inner.get(inner).map_or(Fate::Settled, |registered| registered.fate),
        }
    }

    /// A capture into the graph at the end of a path begins.
    pub(crate) fn begin_capture(&mut self, path: &[Inner]) {
        self.set_fate(path, Fate::Captured);
    }

    /// The capture into the outermost graph is over.
    pub(crate) fn end_capture(&mut self, succeeded: bool) {
        self.fate = if succeeded { Fate::Settled } else { Fate::Lost };
    }

    /// The capture into the graph at the end of a path, which is within a node, is over: it becomes what was recorded, or stays as
    /// it is. What changed meanwhile in graphs of its nodes stays. Gives what it was, to be dropped where no lock is held.
    ///
    /// # Errors
    /// That of `recorded`; as [`Graph::at`].
    pub(crate) fn end_capture_within(&mut self, path: &[Inner], recorded: Result<Definition>) -> Result<Definition> {
        self.set_fate(path, Fate::Settled);
        let mut recorded = recorded?;
        let before = self.edit_captured(path)?;
        recorded.exchange_graphs_with(before);
        Ok(std::mem::replace(before, recorded))
    }

    fn set_fate(&mut self, path: &[Inner], fate: Fate) {
        match path.last() {
            None => self.fate = fate,
            Some(inner) => {
                if let Some(registered) = self.inner.get_mut(inner) {
                    registered.fate = fate;
                }
            }
        }
    }

    /// Fails where a capture into the graph failed.
    ///
    /// # Errors
    /// `INVALID_VALUE`.
    pub(crate) fn check_whole(&self) -> Result<()> {
        match self.fate {
            Fate::Lost => Err(lost_graph()),
            Fate::Settled | Fate::Captured => Ok(()),
        }
    }

    /// The ids of the graphs of a node at the end of a path; `enter` makes those that are asked for the first time.
    ///
    /// # Errors
    /// `INVALID_VALUE` for a node without graphs, and for no node of that graph; what `enter` answers.
    pub(crate) fn ids_within(
        &mut self,
        path: &[Inner],
        node: NodeId,
        enter: impl Fn(Box<[Inner]>) -> Result<GraphId>,
    ) -> Result<Vec<GraphId>> {
        let action = self.at(path)?.action(node)?;
        let bodies = action.graphs().len() as u32;
        if bodies == 0 {
            return Err(Error::invalid_value(format!(
                "a node of the kind {} has no graphs; children and conditionals have some",
                action.kind()
            )));
        }
        let id_of = |body| {
            let inner = Inner { node, body };
            match self.inner.entry(inner) {
                Entry::Occupied(known) => Ok(known.get().id),
                Entry::Vacant(unknown) => {
                    let id = enter(path.iter().copied().chain([inner]).collect())?;
                    Ok(unknown.insert(Registered { id, fate: Fate::Settled }).id)
                }
            }
        };
        (0..bodies).map(id_of).collect()
    }

    /// The ids of all graphs within, which lead nowhere any more.
    pub(crate) fn forget_all_within(&mut self) -> Vec<GraphId> {
        self.inner.drain().map(|(_, registered)| registered.id).collect()
    }

    /// Removes a node at the end of a path with all its edges. Its id is none of a node from then on.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` while a capture goes into its graph, whose streams may depend on the node, or into a graph of the
    /// node's; `INVALID_VALUE` when there is no such node.
    pub(crate) fn remove(&mut self, path: &[Inner], node: NodeId) -> Result<Removed> {
        self.check_not_captured(path, "a node", "removed")?;
        self.check_allocates_nothing(path)?;
        if self.definition.is_nested() {
            self.check_not_captured_within(path, node)?;
        }
        if self.at(path)?.action(node)?.is_updatable() {
            return Err(Error::new(
                Status::NOT_SUPPORTED,
                "a node that kernels can change is not removed; build another graph without it",
            ));
        }
        let action = self.edit(path)?.remove(node)?;
        let mut graphs = Vec::new();
        self.forget_within(node, &action, &mut graphs);
        Ok(Removed { action, graphs })
    }

    /// Removes edges at the end of a path.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` as [`Graph::remove`]; otherwise as [`Definition::remove_edges`].
    pub(crate) fn remove_edges(&mut self, path: &[Inner], edges: &[(NodeId, NodeId)]) -> Result<()> {
        self.check_not_captured(path, "an edge", "removed")?;
        if !edges.is_empty() {
            self.check_allocates_nothing(path)?;
        }
        self.edit(path)?.remove_edges(edges)
    }

    /// Makes a node at the end of a path do something else of the same kind, for which `action` is exchanged. Gives ids of graphs
    /// that lead nowhere any more.
    ///
    /// # Errors
    /// `ILLEGAL_STATE` while a capture goes into a graph of the node's; `INVALID_VALUE` when there is no such node, or when
    /// `action` is of another kind.
    pub(crate) fn set(&mut self, path: &[Inner], node: NodeId, action: &mut Action) -> Result<Vec<GraphId>> {
        if self.definition.is_nested() {
            self.check_not_captured_within(path, node)?;
        }
        self.edit(path)?.exchange(node, action)?;
        let mut graphs = Vec::new();
        // The node's own graph is another one now.
        self.forget_within(node, action, &mut graphs);
        Ok(graphs)
    }

    /// Adds a node that allocates memory at the end of a path. It is given what a node that it comes after has freed, where the
    /// size is that.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` in a child; `INVALID_VALUE` for no bytes; `OUT_OF_MEMORY`.
    pub(crate) fn allocation(&self, path: &[Inner], dependencies: &[u32], bytes: usize) -> Result<Action> {
        self.check_not_child(path)?;
        let again = self.at(path)?.freed_before(dependencies, |freed, slot| freed.memory.allocate_again(bytes, slot));
        let memory = again.map_or_else(|| NodeMemory::new(bytes, self.definition.number()), Ok)?;
        Ok(Action::MemAlloc(memory))
    }

    /// A node that frees, at the end of a path, what one allocates at an address.
    ///
    /// # Errors
    /// `NOT_SUPPORTED` in a child; `INVALID_VALUE` where no node allocates at that address, or where one frees it already.
    pub(crate) fn free(&self, path: &[Inner], address: Address) -> Result<Action> {
        self.check_not_child(path)?;
        NodeMemory::find(address)?.free_by(self.definition.number()).map(|freed| Action::MemFree(Arc::new(freed)))
    }

    fn check_not_child(&self, path: &[Inner]) -> Result<()> {
        let Some((last, before)) = path.split_last() else { return Ok(()) };
        match self.at(before)?.action(last.node)? {
            Action::Child(_) => Err(Error::new(
                Status::NOT_SUPPORTED,
                "the graph of a child node cannot allocate or free memory; add the node to the outermost graph",
            )),
            _ => Ok(()),
        }
    }

    /// Returns whether the graph at the end of a path is the body of a conditional node.
    pub(crate) fn is_body(&self, path: &[Inner]) -> bool {
        let Some((last, before)) = path.split_last() else { return false };
        let action = self.at(before).and_then(|definition| definition.action(last.node));
        action.is_ok_and(|action| matches!(action, Action::Conditional(..)))
    }

    fn check_allocates_nothing(&self, path: &[Inner]) -> Result<()> {
        if self.at(path)?.memory_nodes == 0 {
            return Ok(());
        }
        Err(Error::new(
            Status::NOT_SUPPORTED,
            "a graph that allocates or frees memory keeps its nodes and edges; build another graph without them",
        ))
    }

    /// Fails where graphs would lie deeper within each other than they can, if one of that height came into a node at the end
    /// of a path.
    ///
    /// # Errors
    /// `NOT_SUPPORTED`.
    pub(crate) fn check_depth(path: &[Inner], height: usize) -> Result<()> {
        if path.len() + height < DEEPEST {
            return Ok(());
        }
        Err(Error::new(
            Status::NOT_SUPPORTED,
            format!(
                "graphs would lie within each other {} deep, and can {DEEPEST} deep at most",
                path.len() + height + 1
            ),
        ))
    }

    fn check_not_captured(&self, path: &[Inner], what: &str, done: &str) -> Result<()> {
        if self.fate(path) != Fate::Captured {
            return Ok(());
        }
        Err(Error::new(
            Status::ILLEGAL_STATE,
            format!("{what} cannot be {done} while a capture goes into the graph; end the capture first"),
        ))
    }

    fn check_not_captured_within(&self, path: &[Inner], node: NodeId) -> Result<()> {
        if self.inner.values().all(|registered| registered.fate != Fate::Captured) {
            return Ok(());
        }
        let mut is_captured = false;
        each_within(node, &self.at(path)?.action(node)?, &mut |inner, _| {
            is_captured |= self.fate(std::slice::from_ref(&inner)) == Fate::Captured;
        });
        if !is_captured {
            return Ok(());
        }
        Err(Error::new(
            Status::ILLEGAL_STATE,
            "a node cannot be removed or changed while a capture goes into a graph of it; end the capture first",
        ))
    }

    /// Forgets the graphs within a node that did `action`, and gives the conditions of the node and of the nodes in them back.
    fn forget_within(&mut self, node: NodeId, action: &Action, graphs: &mut Vec<GraphId>) {
        action.condition().into_iter().for_each(|condition| condition.give_back());
        each_within(node, action, &mut |inner, definition| {
            graphs.extend(self.inner.remove(&inner).map(|registered| registered.id));
            if definition.is_nested() {
                definition.actions().filter_map(Action::condition).for_each(|condition| condition.give_back());
            }
        });
    }
}

/// Calls `see` with each graph that lies within a node which does `action`, at whatever depth.
fn each_within(node: NodeId, action: &Action, see: &mut dyn FnMut(Inner, &Definition)) {
    for (body, definition) in action.graphs().iter().enumerate() {
        see(Inner { node, body: body as u32 }, definition);
        if definition.is_nested() {
            for (node, action) in definition.nested_nodes() {
                each_within(node, action, see);
            }
        }
    }
}

/// Graphs within the nodes of a definition.
impl Definition {
    /// The graph that a step leads to.
    pub(super) fn inner(&self, Inner { node, body }: Inner) -> Option<&Arc<Definition>> {
        let slot = self.find(node)?;
        self.node(slot)?.action.graphs().get(body as usize)
    }

    /// The conditions of the nodes in these slots.
    pub(crate) fn conditions_of<'a>(&'a self, slots: &'a [Range<u32>]) -> impl Iterator<Item = &'a Arc<Condition>> {
        slots.iter().cloned().flatten().filter_map(|slot| self.node(slot)?.action.condition())
    }

    /// Exchanges the graphs of the nodes that both definitions have. The one goes on from the other: a node is in one slot in both.
    fn exchange_graphs_with(&mut self, other: &mut Definition) {
        if !other.is_nested() {
            return;
        }
        let both =
            self.nodes.iter_mut().zip(&mut other.nodes).filter_map(|(own, other)| own.as_mut().zip(other.as_mut()));
        for (own, other) in both.filter(|(_, other)| !other.action.graphs().is_empty()) {
            std::mem::swap(&mut own.action, &mut other.action);
        }
    }

    fn inner_mut(&mut self, Inner { node, body }: Inner) -> Option<&mut Definition> {
        let slot = self.find(node)?;
        let node = self.nodes.get_mut(slot as usize)?.as_mut()?;
        node.action.graphs_mut().get_mut(body as usize).map(Arc::make_mut)
    }

    /// Returns what a node frees that comes before a new one, as far as `is_it` says yes. A few nodes are looked at, the nearest first.
    fn freed_before(&self, dependencies: &[u32], is_it: impl Fn(&Freed, u32) -> bool) -> Option<Arc<NodeMemory>> {
        if self.memory_nodes == 0 {
            return None;
        }
        let mut near: VecDeque<u32> = dependencies.iter().copied().collect();
        let mut seen: HashSet<u32> = near.iter().copied().collect();
        while let Some(slot) = near.pop_front() {
            let node = self.node(slot)?;
            if let Action::MemFree(freed) = &node.action {
                if is_it(freed, slot) {
                    return Some(Arc::clone(&freed.memory));
                }
            }
            let unseen = node.dependencies.iter().copied().filter(|&slot| seen.len() < FAR && seen.insert(slot));
            near.extend(unseen);
        }
        None
    }

    fn actions(&self) -> impl Iterator<Item = &Action> {
        self.nodes.iter().flatten().map(|node| &node.action)
    }

    /// The nodes that have graphs.
    fn nested_nodes(&self) -> impl Iterator<Item = (NodeId, &Action)> {
        let nested = |(slot, node): (usize, &'_ Option<Node>)| {
            node.as_ref().is_some_and(|node| !node.action.graphs().is_empty()).then_some(slot as u32)
        };
        let slots: Vec<u32> = self.nodes.iter().enumerate().filter_map(nested).collect();
        slots.into_iter().filter_map(|slot| Some((self.id(slot), &self.node(slot)?.action)))
    }

    /// Returns how many graphs lie within each other, this one counted.
    pub(crate) fn height(&self) -> usize {
        if !self.is_nested() {
            return 1;
        }
        let within = self.actions().flat_map(|action| action.graphs());
        1 + within.map(|definition| definition.height()).max().unwrap_or(0)
    }

    /// Returns whether it has nodes, at whatever depth, that a graph alone can own, so that it cannot be copied.
    pub(crate) fn is_owner(&self) -> bool {
        self.allocates()
            || self.is_nested()
                && self.actions().any(|action| {
                    matches!(action, Action::Conditional(_))
                        || action.graphs().iter().any(|definition| definition.is_owner())
                })
    }
}
