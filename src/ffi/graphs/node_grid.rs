//! Kernel nodes that take their grid from scalars.

use super::graph::gc_node;
use crate::ffi::boundary::{gc_graph, gc_scalar, gc_status, with_two_clones};
use graphcap_driver::NodeId;

/// Makes each replay take the size of a kernel node's grid along one axis from a scalar, as it is when the node runs:
/// gc_scalar_update() between two replays decides how many blocks the later one has. A node whose grid has a 0 then does
/// nothing, and the nodes behind it run. A grid that no launch can have faults the context with
/// GRAPHCAP_ERROR_LAUNCH_FAILED.
///
/// It holds for execs that are made from then on, and in clones, child graphs and the text of gc_graph_export_json(), until
/// gc_node_set_kernel() gives the node a grid of its own along all axes; the graph keeps the scalar until then. On the host
/// device also for execs that are updated, until gc_graph_exec_set_kernel_node() gives the node of an exec such a grid.
///
/// On a CUDA device an exec is made of a copy of the graph, in which a kernel of one thread sets the grid in front of the
/// node. gc_graph_exec_apply() makes such an exec anew where something changed. It cannot be updated, and its nodes cannot be
/// set or disabled. gc_graph_instantiate() answers GRAPHCAP_ERROR_NOT_SUPPORTED for a graph that also has conditions or
/// allocations, and with GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH.
///
/// @param[in] graph   the graph
/// @param[in] node    one of its nodes, a kernel node
/// @param[in] axis    0 for x, 1 for y, 2 for z; the sizes along the other axes stay what they are
/// @param[in] scalar  the scalar, of type GRAPHCAP_SCALAR_U32
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no kernel node of the graph, axis is above 2, or the scalar is of
///                                         another type
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the scalar belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the kernel is cooperative or has clusters; on a CUDA device also: the driver
///                                         is older than CUDA 12.4, the kernel is of another context than the graph, or
///                                         the graph is the body of a conditional or within the graph of a node
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_grid_scalar(
    graph: *const gc_graph,
    node: gc_node,
    axis: u32,
    scalar: *const gc_scalar,
) -> gc_status {
    with_two_clones("gc_node_set_grid_scalar", (graph, "graph"), (scalar, "scalar"), |graph, scalar| {
        graph.set_node_grid(NodeId(node), axis, &scalar)?;
        Ok(())
    })
}
