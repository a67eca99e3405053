//! Edges of the driver's graphs with what they carry, which drivers for 12.3 and newer know.

use std::ffi::c_uint;

use cudarc::driver::sys::CUgraphEdgeData;

use super::context::CudaContext;
use super::edge_data::native;
use super::graph::edge_data;
use crate::driver::{callbacks, DependencyUpdate, EdgeData, Edges, GraphId, GraphRef, NodeId, StreamId};
use crate::error::Result;

impl Edges for CudaContext {
    fn graph_edge_data(&self, graph: GraphRef) -> Result<Vec<(NodeId, NodeId, EdgeData)>> {
        // SAFETY: the graph's lock is held, or it lives while it is captured into.
        self.with_nodes(graph, |native, table, _| unsafe { edge_data(self.api(), native, table) }.map(Ok))
    }

    fn graph_add_edges_with_data(&self, graph: GraphId, edges: &[(NodeId, NodeId, EdgeData)]) -> Result<()> {
        self.add_edges_with_data(graph, edges)
    }

    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        callbacks::check_caller()?;
        let ids: Vec<NodeId> = nodes.iter().map(|&(node, _)| node).collect();
        let data: Vec<CUgraphEdgeData> = nodes.iter().map(|&(_, data)| native(data)).collect();
        // SAFETY: the stream lives; the nodes are of the graph, with data for each.
        self.update_dependencies(stream, &ids, |stream, first, count| unsafe {
            self.api().cuStreamUpdateCaptureDependencies_v2(stream, first, data.as_ptr(), count, update as c_uint)
        })
    }
}
