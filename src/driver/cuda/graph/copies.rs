//! Copies of graphs.

use super::{nodes, Graph};
use crate::driver::cuda::api::Handle;
use crate::driver::cuda::retention::Lists;
use crate::driver::cuda::shared::Shared;
use crate::driver::{GraphId, NodeId};
use crate::error::{Error, Result, Status};

impl Shared {
    pub(super) fn copy_graph(&self, graph: GraphId) -> Result<GraphId> {
        let copied = self.edit_graph(graph, |graph| {
            graph.find(&[])?;
            // SAFETY: the graph's lock is held.
            let listed = unsafe { nodes(graph.api, graph.native) }?;
            graph.state.nodes.update(listed);
            let mut copy = Handle::NULL;
            let _current = self.device.enter()?;
            // SAFETY: as above; `copy` is writable.
            unsafe { graph.api.cuGraphClone(&mut copy, graph.native) }?;
            // What hangs on the driver's graph hangs on its copy, too.
            let kept: Lists = graph.state.held_apart();
            Ok(Graph::copied(copy, graph.state.nodes.copy(), kept))
        });
        copied.map(|copy| self.enter_graph(copy)).map_err(|error| match error.status {
            Status::NOT_SUPPORTED => Error::new(
                error.status,
                format!("a graph that allocates, frees or has conditions cannot be copied; {}", error.message),
            ),
            _ => error,
        })
    }

    pub(super) fn find_in_copy(&self, graph: GraphId, node: NodeId, copy: GraphId) -> Result<NodeId> {
        let original = self.edit_graph(graph, |graph| {
            graph.find_one(node)?;
            Ok(graph.state.nodes.number())
        })?;
        let found = self.edit_graph(copy, |copy| {
            copy.find(&[])?;
            Ok(copy.state.nodes.copy_of(node, original))
        })?;
        found.ok_or_else(|| no_copy(node))
    }
}

#[cold]
fn no_copy(NodeId(node): NodeId) -> Error {
    Error::invalid_value(format!(
        "the other graph has no copy of node {node:#x}: it is no copy of the graph, was copied before the node was added, or its \
         node was removed"
    ))
}
