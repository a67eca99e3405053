//! Kernel nodes that take their grid from scalars.

use super::graph::gc_node;
use crate::driver::NodeId;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_graph, gc_scalar};
use crate::ffi::boundary::status::gc_status;

/// Has each replay take the size of a kernel node's grid along one axis from a scalar, as it is when the node runs:
/// gc_scalar_update() between two replays decides how many blocks the later one has. A node whose grid has a 0 then does
/// nothing, and the nodes behind it run. A grid that no launch can have faults the context with
/// GRAPHCAP_ERROR_LAUNCH_FAILED.
///
/// On the host device. It holds for execs that are made, or updated, from then on, and in clones, child graphs and the text
/// of gc_graph_export_json(), until gc_node_set_kernel(), or gc_graph_exec_set_kernel_node() in an exec, gives the node a
/// grid of its own along all axes; the graph keeps the scalar until then.
///
/// @param[in] graph   the graph
/// @param[in] node    one of its nodes, a kernel node
/// @param[in] axis    0 for x, 1 for y, 2 for z; the sizes along the other axes stay what they are
/// @param[in] scalar  the scalar, of type GRAPHCAP_SCALAR_U32
/// @retval GRAPHCAP_SUCCESS                the grid comes from the scalar
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE   graph or scalar is not a live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no kernel node of the graph, axis is above 2, or the scalar is of another
///                                         type
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the scalar belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    on a CUDA device, and for a kernel that is cooperative or has clusters
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_grid_scalar(
    graph: *const gc_graph,
    node: gc_node,
    axis: u32,
    scalar: *const gc_scalar,
) -> gc_status {
    guard("gc_node_set_grid_scalar", [Token::of(graph), Token::of(scalar)], || {
        let graph = handle::clone(graph, "graph")?;
        let scalar = handle::clone(scalar, "scalar")?;
        graph.set_node_grid(NodeId(node), axis, &scalar)?;
        Ok(())
    })
}
