//! Edges with what they carry.

use super::HostContext;
use crate::driver::host::capture;
use crate::driver::{DependencyUpdate, EdgeData, Edges, GraphId, GraphRef, NodeId, StreamId};
use crate::error::Result;

impl Edges for HostContext {
    fn graph_edge_data(&self, graph: GraphRef) -> Result<Vec<(NodeId, NodeId, EdgeData)>> {
        self.check_call()?;
        match graph {
            GraphRef::Known(graph) => self.graph_at(graph, |graph, path| Ok(graph.at(path)?.edge_data())),
            GraphRef::Captured(stream) => {
                capture::with_definition(&*self.stream(stream)?, |definition| Ok(definition.edge_data()))
            }
        }
    }

    fn graph_add_edges_with_data(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        self.check_call()?;
        self.graph_at(graph, |graph, path| graph.edit(path)?.add_edges_with_data(edges))
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
