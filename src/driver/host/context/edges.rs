//! Edges with what they carry.

use super::HostContext;
use crate::driver::host::capture;
use crate::driver::{DependencyUpdate, EdgeData, Edges, GraphId, NodeId, StreamId};
use crate::error::Result;

impl Edges for HostContext {
    fn edge_data(&self, graph: GraphId, from: NodeId, to: NodeId) -> Result<Option<EdgeData>> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.at(path)?.edge_data(from, to))
    }

    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        self.check_call()?;
        capture::update_dependencies(&*self.stream(stream)?, nodes, update)
    }
}
