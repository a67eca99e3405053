//! Nodes of graph execs that are changed, disabled and enabled.

use super::graph::gc_node;
use crate::ffi::boundary::{answer_clone, gc_graph_exec, gc_status, with_clone, Out};
use graphcap_driver::NodeId;

/// Disables or enables a node of a graph exec, in later launches. A disabled node does nothing; nodes that depend on it
/// wait for what it depends on.
///
/// @param[in] exec     the graph exec
/// @param[in] node     a kernel, copy or memset node of the graph that the exec was made from; the graph must not be
///                     destroyed, nor the node removed
/// @param[in] enabled  0 disables the node, any other number enables it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the node was added after the exec was made or is a cooperative kernel, or the
///     graph is destroyed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH; or, on a CUDA device,
///     a memset of one row is to be disabled in an exec of several branches, or with nothing that executes between it
///     and a conditional before it
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_node_enabled(
    exec: *const gc_graph_exec,
    node: gc_node,
    enabled: i32,
) -> gc_status {
    with_clone("gc_graph_exec_set_node_enabled", (exec, "exec"), |exec| {
        Ok(exec.enable_node(NodeId(node), enabled != 0)?)
    })
}

/// Tells whether later launches of a graph exec run a node.
///
/// @param[in]  exec         the graph exec
/// @param[in]  node         a node that gc_graph_exec_set_node_enabled() takes
/// @param[out] enabled_out  1 if the node is enabled, else 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the graph that the exec was made from is destroyed
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_is_node_enabled(
    exec: *const gc_graph_exec,
    node: gc_node,
    enabled_out: *mut i32,
) -> gc_status {
    // SAFETY: C promises that `enabled_out` is NULL or writable.
    let out = unsafe { Out::number(enabled_out, "enabled_out") };
    answer_clone("gc_graph_exec_is_node_enabled", (exec, "exec"), out, |exec| {
        Ok(i32::from(exec.is_node_enabled(NodeId(node))?))
    })
}
