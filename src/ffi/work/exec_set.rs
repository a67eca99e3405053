//! gc_graph_exec_set_node: other work of a node of a graph exec.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::target::{set_any, set_plain};
use super::usual;
use crate::ffi::boundary::{gc_graph_exec, gc_status, guard, Token};
use crate::ffi::graphs::graph::gc_node;

/// Makes a node of a graph exec do other work of its kind, in later launches. The graph is not changed.
///
/// The exec keeps alive what the new work uses. It lets go of what the node used before when the earlier launches are complete, unless the
/// native handle of the exec was given out. A child node gets a graph with nodes of the same kinds, in the same order, with the same
/// edges; so work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node that was made of such work.
///
/// @param[in] exec  the graph exec
/// @param[in] node  a node of the graph that the exec was made from; the graph must not be destroyed, nor the node removed
/// @param[in] work  the work, not NULL; read and copied during the call. Its name is NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE              the node was added after the exec was made or cannot be set, the
///     graph is destroyed, or work has a name, is wrong, or changes what its kind says must stay
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED              a child graph has allocation nodes or conditions, or, on a CUDA device, a node that
///                                                   kernels can change; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE  a child graph does not have the same nodes and edges as the graph of the node, or one
///                                                   of its nodes cannot be changed so in an exec; or, on a CUDA device, it copies pageable
///                                                   memory where the exec was made with a child that copies between managed and pinned
///                                                   memory. The exec is as it was
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    work: *const gc_work,
) -> gc_status {
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states.
    if let Some(work) = unsafe { usual::plain(work) } {
        return guard("gc_graph_exec_set_node(KERNEL)", [Token::of(exec), Token::of(work.kernel)], || {
            // SAFETY: C promises what the members point to; there is no user data.
            unsafe { set_plain((exec, "exec"), node, work) }
        });
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_graph_exec_set_node", work), [Token::of(exec), data::subject(&work)], move || {
        // SAFETY: C promises what the members point to.
        unsafe { set_any((exec, "exec"), node, work) }
    })
}
