//! A graph while its lock is held, for edits.

use super::nodes::Nodes;
use super::{find_nodes, parameters, Graph, State};
use crate::driver::cuda::api::{self, Api, Node, Refusal};
use crate::driver::cuda::shared::{Device, Shared};
use crate::driver::ids::{lost_graph, no_such, not_of_graph};
use crate::driver::{callbacks, GraphId, LaunchAttribute, NodeId};
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
    pub(in crate::driver::cuda) state: &'a mut State,
}

impl Locked<'_> {
    /// The handles of named nodes.
    pub(in crate::driver::cuda) fn find(&mut self, ids: &[NodeId]) -> Edited<Nodes> {
        // SAFETY: the graph's lock is held, and the names are of its nodes.
        let found = unsafe { find_nodes(self.api, self.native, &mut self.state.nodes, self.state.given_out, ids) }?;
        found.map_err(|stranger| not_of_graph(stranger).into())
    }

    /// The handle of a named node.
    pub(in crate::driver::cuda) fn find_one(&mut self, id: NodeId) -> Edited<Node> {
        self.find(&[id])?.first().copied().ok_or_else(|| not_of_graph(id).into())
    }
}

/// A node of a graph whose lock is held, for an exec that was made from the graph.
pub(in crate::driver::cuda) struct Found<'a> {
    graph: Locked<'a>,
    id: NodeId,
    pub(in crate::driver::cuda) handle: Node,
}

impl<'a> Found<'a> {
    /// The node `id`, which was there when `next_stamp` was the stamp of the next node.
    pub(in crate::driver::cuda) fn of(mut graph: Locked<'a>, id: NodeId, next_stamp: u64) -> Edited<Found<'a>> {
        let handle = graph.find_one(id)?;
        match graph.state.nodes.is_older(id, next_stamp) {
            true => Ok(Found { graph, id, handle }),
            // The driver would take it for a node that had its handle before.
            false => Err(too_new(id).into()),
        }
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

    /// Makes `edit` with a graph while no other call uses it.
    pub(in crate::driver::cuda) fn lock_graph<T>(
        &self,
        graph: &Graph,
        edit: impl FnOnce(&mut Locked<'_>) -> Edited<T>,
    ) -> Edited<T> {
        let edited = graph.with_state(|native, state| edit(&mut Locked { api: self.api(), native, state }));
        edited.unwrap_or_else(|| Err(lost_graph().into()))
    }

    /// What an edit gave, as graphcap answers it. To be called where no lock is held.
    pub(in crate::driver::cuda) fn made<T>(&self, edited: Edited<T>) -> Result<T> {
        edited.map_err(|failure| match failure {
            Failure::Refused(refusal) => self.error(refusal),
            Failure::Wrong(error) => error,
        })
    }
}
