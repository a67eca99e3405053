//! Graphs built by hand: the nodes that are added, each kind by its function.

use super::graph::gc_node;
use super::node::nodes;
use crate::ffi::boundary::{gc_graph, gc_status, with_two_clones, Out, Output};
use graphcap_core::NodeWork;

/// Adds a child node to a graph: a node that runs the nodes of a graph as one node.
///
/// The node has a copy of the child graph as it is now, and keeps alive what that uses. gc_node_get_graph() gives the
/// copy. Child nodes whose graphs share memory of a pool have to be ordered by edges when the graph is instantiated.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  child             a graph of the same context
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is listed twice, or the graph would contain itself
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    child is the graph of a node itself, or has allocation nodes or conditions;
///     or, on a CUDA device, a node with GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_child_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    child: *const gc_graph,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    with_two_clones("gc_graph_add_child_node", (graph, "graph"), (child, "child"), |graph, child| {
        out.answer(|| {
            // SAFETY: C promises `dependency_count` nodes, not changed during the call.
            let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
            let work = NodeWork::Child(&child);
            Ok(graph.add_node(&dependencies, &work)?.0)
        })
    })
}
