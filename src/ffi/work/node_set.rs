//! gc_node_set: other work of a node of a graph.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::target::{set_any, set_plain};
use super::usual;
use crate::ffi::boundary::{gc_graph, gc_status, guard, Token};
use crate::ffi::graphs::graph::gc_node;

/// Makes a node of a graph do other work of its kind. Graph execs that were made before are not changed.
///
/// The graph keeps alive what the new work uses, and lets go of what the node used before, unless the native handle of the graph or
/// of one of its nodes was given out. An edge keeps the data that it carries, so a set of a kernel node is refused where the new
/// work cannot have it. Handles of the graph that a child node had before are stale; on a CUDA device a child node needs a driver
/// for 12.2 or newer.
///
/// Work of GRAPHCAP_WORK_SGEMM, of transforms and of random numbers sets a child node. Allocation nodes, free nodes, conditional
/// nodes, empty nodes and setters of conditions cannot be set.
///
/// @param[in] graph  the graph
/// @param[in] node   the node
/// @param[in] work   the work, not NULL; read and copied during the call. With a name the node is named so
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the node cannot be set, or the work is wrong
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  a capture goes into a graph within the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_set(graph: *const gc_graph, node: gc_node, work: *const gc_work) -> gc_status {
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states.
    if let Some(work) = unsafe { usual::plain(work) } {
        return guard("gc_node_set(KERNEL)", [Token::of(graph), Token::of(work.kernel)], || {
            // SAFETY: C promises what the members point to; there is no user data.
            unsafe { set_plain((graph, "graph"), node, work) }
        });
    }
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_node_set", work), [Token::of(graph), data::subject(&work)], move || {
        // SAFETY: C promises what the members point to.
        unsafe { set_any((graph, "graph"), node, work) }
    })
}
