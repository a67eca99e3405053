//! What the edges of graphs carry.

use super::graph::Graph;
use super::recording::distinct_by;
use super::state::Stream;
use crate::driver::{check_caller, DependencyUpdate, EdgeData, GraphRef, NodeId};
use crate::error::{Error, Result, Status};

impl Graph {
    /// The edges, of which none carries anything.
    ///
    /// # Errors
    /// `LOSSY_QUERY` when an edge carries something; the status of a context that faulted.
    pub fn edges(&self) -> Result<Vec<(NodeId, NodeId)>> {
        let edges = self.nodes()?.edges;
        match self.carrying_edges()?.first() {
            None => Ok(edges),
            Some((from, to, _)) => Err(carries_data(&format!("the edge from node {:#x} to node {:#x}", from.0, to.0))),
        }
    }

    /// The edges with what they carry.
    ///
    /// # Errors
    /// The status of a context that faulted.
    pub fn edges_with_data(&self) -> Result<Vec<(NodeId, NodeId, EdgeData)>> {
        let mut carrying = self.carrying_edges()?;
        carrying.sort_unstable();
        let data = |from: NodeId, to: NodeId| {
            let found = carrying.binary_search_by_key(&(from, to), |&(from, to, _)| (from, to));
            found.ok().and_then(|at| carrying.get(at)).map_or(EdgeData::NONE, |&(.., data)| data)
        };
        Ok(self.nodes()?.edges.into_iter().map(|(from, to)| (from, to, data(from, to))).collect())
    }

    /// What an edge carries.
    ///
    /// # Errors
    /// `INVALID_VALUE` when there is no such edge; the status of a context that faulted.
    pub fn edge_data(&self, from: NodeId, to: NodeId) -> Result<EdgeData> {
        let found = self.edges_with_data()?.into_iter().find(|&(one, other, _)| (one, other) == (from, to));
        found.map(|(.., data)| data).ok_or_else(|| {
            Error::invalid_value(format!("the graph has no edge from node {:#x} to node {:#x}", from.0, to.0))
        })
    }

    /// Adds edges with what they carry, as [`Graph::add_dependencies`].
    ///
    /// # Errors
    /// As there; `INVALID_VALUE` also for what the nodes of an edge cannot have; `NOT_SUPPORTED` for a driver without such edges.
    pub fn add_dependencies_with_data(&self, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        check_caller()?;
        let _edits = self.0.root().lock()?;
        self.context().driver().graph_add_edges_with_data(self.id(), edges)
    }

    /// The edges that carry something.
    pub(super) fn carrying_edges(&self) -> Result<Vec<(NodeId, NodeId, EdgeData)>> {
        self.context().driver().graph_edge_data(GraphRef::Known(self.id()))
    }
}

impl Stream {
    /// Says what the next work that the stream records depends on, as [`Stream::update_capture_dependencies`](Stream), with what
    /// the edges from `nodes` carry. Of a node that is listed twice the first entry counts. Work that is no kernel gets edges that
    /// carry nothing.
    ///
    /// # Errors
    /// As there; `INVALID_VALUE` also for what an edge from the node cannot carry; `NOT_SUPPORTED` for a driver without such edges.
    pub fn update_capture_dependencies_with_data(
        &self,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        let nodes = distinct_by(nodes, |&(node, _)| node);
        self.driver().update_capture_dependencies_with_data(self.id(), &nodes, update)?;
        self.note_dependencies_changed();
        Ok(())
    }
}

/// What a question for edges answers that has no room for what they carry.
#[cold]
pub(super) fn carries_data(edge: &str) -> Error {
    Error::new(Status::LOSSY_QUERY, format!("{edge} carries data; gc_graph_get_edges_with_data() lists it"))
}
