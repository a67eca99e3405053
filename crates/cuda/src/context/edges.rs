//! Edges of the driver's graphs with what they carry, which drivers for 12.3 and newer know.

use std::ffi::c_uint;

use cudarc::driver::sys::CUgraphEdgeData;

use super::CudaContext;
use crate::api::Node;
use crate::graph::adjacency::neighbours;
use crate::graph::edge_data::{carried, native};
use crate::shared::Shared;
use graphcap_base::error::Result;
use graphcap_driver::{callbacks, Captures, DependencyUpdate, EdgeData, Edges, GraphId, NodeId, Side, StreamId};

impl Edges for CudaContext {
    fn update_capture_dependencies_with_data(
        &self,
        stream: StreamId,
        nodes: &[(NodeId, EdgeData)],
        update: DependencyUpdate,
    ) -> Result<()> {
        callbacks::check_caller()?;
        let ids: Vec<NodeId> = nodes.iter().map(|&(node, _)| node).collect();
        if nodes.iter().all(|(_, data)| data.is_none()) {
            // Which older drivers know too.
            return self.update_capture_dependencies(stream, &ids, update);
        }
        let data: Vec<CUgraphEdgeData> = nodes.iter().map(|&(_, data)| native(data)).collect();
        // SAFETY: the stream lives; the nodes are of the graph, with data for each.
        self.update_dependencies(stream, &ids, |stream, first, count| unsafe {
            self.api().cuStreamUpdateCaptureDependencies_v2(stream, first, data.as_ptr(), count, update as c_uint)
        })
    }
}

impl Shared {
    /// The nodes on one side of a node, in the order in which they were made. `None` where their names do not tell that order.
    pub(crate) fn named_neighbours(
        &self,
        graph: GraphId,
        node: NodeId,
        side: Side,
    ) -> Result<Option<Vec<(NodeId, EdgeData)>>> {
        self.edit_graph(graph, |graph| {
            let handle = graph.find_one(node)?;
            // SAFETY: the graph's lock is held, and the node is of the graph.
            let found: Vec<_> = unsafe { neighbours(graph.api, handle, side) }?.collect();
            let handles: Vec<Node> = found.iter().map(|(node, _)| *node).collect();
            let Some(names) = graph.nodes().names_in_order(&handles) else { return Ok(None) };
            let mut named: Vec<_> =
                names.into_iter().zip(&found).map(|(name, (_, data))| (name, carried(data))).collect();
            named.sort_unstable_by_key(|(name, _)| name.0);
            Ok(Some(named))
        })
    }
}
