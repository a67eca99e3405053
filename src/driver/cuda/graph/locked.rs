//! A graph while its lock is held, for edits.

use std::sync::Arc;

use super::inner::Place;
use super::nodes::{NodeTable, Nodes};
use super::{find_nodes, nodes, parameters, read, Graph, Root, State};
use crate::driver::cuda::api::{self, Api, Node, Refusal};
use crate::driver::cuda::lock;
use crate::driver::cuda::shared::{Device, Shared};
use crate::driver::ids::{lost_graph, no_such, not_of_graph};
use crate::driver::{callbacks, GraphId, LaunchAttribute, NodeId, NodeKind};
use crate::error::{Error, Result};

/// Why an edit was not made: what the driver answered, or what graphcap says itself.
pub(in crate::driver::cuda) enum Failure {
    Refused(Refusal),
    Wrong(Error),
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Wrong(error)
    }
}

/// What an edit gives.
pub(in crate::driver::cuda) type Edited<T> = std::result::Result<T, Failure>;

/// A graph whose lock is held.
pub(in crate::driver::cuda) struct Locked<'a> {
    pub(in crate::driver::cuda) api: &'static Api,
    pub(in crate::driver::cuda) native: api::Graph,
    /// The graph that it is, or is within.
    pub(super) outermost: api::Graph,
    /// Where it is within that one.
    pub(super) place: Option<Place>,
    pub(super) root: &'a Root,
    pub(in crate::driver::cuda) state: &'a mut State,
}

impl Locked<'_> {
    /// The names of the nodes.
    pub(super) fn nodes(&mut self) -> &mut NodeTable {
        match self.place {
            None => &mut self.state.nodes,
            Some(place) => self.state.inner.nodes(place),
        }
    }

    /// The handles of named nodes.
    pub(in crate::driver::cuda) fn find(&mut self, ids: &[NodeId]) -> Edited<Nodes> {
        let (api, native, is_given_out) = (self.api, self.native, self.state.given_out);
        // SAFETY: the graph's lock is held, and the names are of its nodes.
        let found = unsafe { find_nodes(api, native, self.nodes(), is_given_out, ids) }?;
        found.map_err(|stranger| not_of_graph(stranger).into())
    }

    /// The handle of a named node.
    pub(in crate::driver::cuda) fn find_one(&mut self, id: NodeId) -> Edited<Node> {
        self.find(&[id])?.first().copied().ok_or_else(|| not_of_graph(id).into())
    }

    /// Has every node of the graph named.
    pub(super) fn name_all(&mut self) -> Edited<()> {
        self.find(&[])?;
        // SAFETY: the graph's lock is held.
        let listed = unsafe { nodes(self.api, self.native) }?;
        self.nodes().update(listed);
        Ok(())
    }

    /// The graph within the same outermost one that has that place. Where others may have changed graphs, it is looked whether
    /// its node is still there.
    fn enter(&mut self, place: Place) -> Edited<()> {
        let gone = || Failure::Wrong(no_such("graph"));
        let (native, owner, within) = {
            let inner = self.state.inner.get(place).ok_or_else(gone)?;
            (inner.native, inner.owner, inner.within)
        };
        if self.state.given_out {
            if let Some(within) = within {
                self.enter(within)?;
            }
            let handle = self.find_one(owner).map_err(|_| gone())?;
            // SAFETY: the lock is held, and the node is of the graph that was entered.
            if unsafe { read::child_graph(self.api, handle) }?.is_some_and(|child| child != native) {
                return Err(gone());
            }
        }
        (self.native, self.place) = (native, Some(place));
        Ok(())
    }
}

/// A node of a graph whose lock is held, for an exec that was made from the graph.
pub(in crate::driver::cuda) struct Found<'a, 'b> {
    graph: &'a mut Locked<'b>,
    id: NodeId,
    pub(in crate::driver::cuda) handle: Node,
}

impl<'a, 'b> Found<'a, 'b> {
    /// The node `id`, which was there when `next_stamp` was the stamp of the next node.
    pub(in crate::driver::cuda) fn of(graph: &'a mut Locked<'b>, id: NodeId, next_stamp: u64) -> Edited<Found<'a, 'b>> {
        if let Some(place) = graph.state.inner.with_node(id) {
            graph.enter(place)?;
        }
        let handle = graph.find_one(id)?;
        match graph.nodes().is_older(id, next_stamp) {
            true => Ok(Found { graph, id, handle }),
            // The driver would take it for a node that had its handle before.
            false => Err(too_new(id).into()),
        }
    }

    /// What kind the node is of.
    pub(in crate::driver::cuda) fn kind(&self) -> Edited<NodeKind> {
        // SAFETY: the graph's lock is held, and the node is of the graph.
        Ok(unsafe { read::kind(self.graph.api, self.handle) }?)
    }

    /// Whether the node is a kernel of the exec with these launch attributes; true where there are none.
    pub(in crate::driver::cuda) fn has_attributes(&self, device: Device, attributes: &[LaunchAttribute]) -> bool {
        // SAFETY: the graph's lock is held, and the node is of the graph.
        unsafe { parameters::has_attributes(device, self.handle, attributes) }
    }

    /// Whether the exec may have the node as a cooperative kernel.
    pub(in crate::driver::cuda) fn may_be_cooperative(&self, device: Device) -> Edited<bool> {
        // SAFETY: as above.
        let is_cooperative = unsafe { parameters::is_cooperative(device, self.handle) }?;
        Ok(is_cooperative || self.graph.state.were_cooperative.contains(&self.id))
    }
}

#[cold]
fn too_new(NodeId(id): NodeId) -> Error {
    Error::invalid_value(format!("node {id:#x} was added after the exec was made; make another exec of the graph"))
}

impl Shared {
    /// Makes `edit` with a graph while no other call uses it.
    pub(in crate::driver::cuda) fn edit_graph<T>(
        &self,
        id: GraphId,
        edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>,
    ) -> Result<T> {
        callbacks::check_caller()?;
        let graph = self.find_graph(id).ok_or_else(|| no_such("graph"))?;
        self.made(self.lock_graph(&graph, edit))
    }

    /// Makes `edit` with a graph while no other call uses it, or what it is within.
    pub(in crate::driver::cuda) fn lock_graph<T>(
        &self,
        graph: &Graph,
        edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        self.lock_or(graph, lost_graph, edit)
    }

    /// As [`Shared::lock_graph`]; `gone` where the driver's graph is no more.
    pub(in crate::driver::cuda) fn lock_or<T>(
        &self,
        graph: &Graph,
        gone: fn() -> Error,
        edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        let mut state = lock(&graph.root);
        let Some(native) = state.native else {
            return Err(if graph.place.is_some() { no_such("graph") } else { gone() }.into());
        };
        let (api, root) = (self.api(), &graph.root);
        let mut locked = Locked { api, native, outermost: native, place: None, root, state: &mut state };
        if let Some(place) = graph.place {
            locked.enter(place)?;
        }
        edit(&mut locked)
    }

    /// Makes `edit` with a graph, and another one that is to be put into it, while no other call uses either.
    pub(super) fn lock_graphs<T>(
        &self,
        graph: &Graph,
        child: &Graph,
        edit: impl FnOnce(&mut Locked<'_>, &mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        self.lock_graphs_or(graph, child, lost_graph, edit)
    }

    /// As [`Shared::lock_graphs`]; `gone` where the driver's graph of `graph` is no more.
    pub(super) fn lock_graphs_or<T>(
        &self,
        graph: &Graph,
        child: &Graph,
        gone: fn() -> Error,
        edit: impl FnOnce(&mut Locked<'_>, &mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        // By address, so that two threads do not wait for each other.
        match Arc::as_ptr(&graph.root) < Arc::as_ptr(&child.root) {
            true => self.lock_or(graph, gone, |graph| self.lock_graph(child, |child| edit(graph, child))),
            false => self.lock_graph(child, |child| self.lock_or(graph, gone, |graph| edit(graph, child))),
        }
    }

    /// What an edit gave, as graphcap answers it. To be called where no lock is held.
    pub(in crate::driver::cuda) fn made<T>(&self, edited: Edited<T>) -> Result<T> {
        edited.map_err(|failure| match failure {
            Failure::Refused(refusal) => self.error(refusal),
            Failure::Wrong(error) => error,
        })
    }
}
