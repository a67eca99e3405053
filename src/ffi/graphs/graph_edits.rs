//! Graphs changed by hand as a whole: nodes removed, objects kept, copies.

use std::ffi::c_void;

use super::graph::gc_node;
use crate::ffi::boundary::{
    gc_destroy_fn, gc_graph, gc_status, handle, with_clone, with_two_clones, Failure, Out, Output, UserData,
};
use graphcap_driver::NodeId;

/// Removes a node from a graph, with all its edges. Graph execs that were made before still run it.
///
/// The graph lets go of the buffers, modules, events and callbacks that no other node can use. It keeps everything once
/// the native handle of the graph or of one of its nodes was given out. The first change of a graph that was captured
/// reads all its nodes.
///
/// @param[in] graph  the graph
/// @param[in] node   one of its nodes
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  a capture goes into the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the device does not remove such a node
#[no_mangle]
pub unsafe extern "C" fn gc_graph_remove_node(graph: *const gc_graph, node: gc_node) -> gc_status {
    with_clone("gc_graph_remove_node", (graph, "graph"), |graph| Ok(graph.remove_node(NodeId(node))?))
}

/// Makes a graph keep an object of the caller's: destroy is called when the graph, its copies, the graph execs made from
/// them, and their launches are gone. A graph of a node is gone when the node of the outermost graph that it is within is
/// removed, or gets another graph.
///
/// @param[in] graph      the graph
/// @param[in] user_data  passed to destroy; may be NULL
/// @param[in] destroy    called exactly once, also when this call fails; not NULL. After a fault of a CUDA device it may
///                       never be called
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  destroy is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_retain_callback(
    graph: *const gc_graph,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    with_clone("gc_graph_retain_callback", (graph, "graph"), move |graph| {
        if destroy.is_none() {
            return Err(Failure::Null("destroy"));
        }
        Ok(graph.retain(user_data.into_object())?)
    })
}

/// Makes a copy of a graph as it is now. The copy keeps alive what its nodes use.
///
/// @param[in]  graph      the graph
/// @param[out] clone_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph has allocation nodes or conditions, or, on a CUDA device, a node
///                                       that kernels can change
#[no_mangle]
pub unsafe extern "C" fn gc_graph_clone(graph: *const gc_graph, clone_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `clone_out` is NULL or writable.
    let out = unsafe { Out::handle(clone_out, "clone_out") };
    with_clone("gc_graph_clone", (graph, "graph"), |graph| out.answer(|| handle::insert(graph.duplicate()?)))
}

/// Finds the node of a clone that is a copy of a node of the original.
///
/// @param[in]  graph     the original graph
/// @param[in]  node      one of its nodes
/// @param[in]  clone     a graph that gc_graph_clone() made of graph
/// @param[out] node_out  the node of the clone; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the node was added after the clone was made, or was removed from the clone
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the graphs belong to different contexts
#[no_mangle]
pub unsafe extern "C" fn gc_node_find_in_clone(
    graph: *const gc_graph,
    node: gc_node,
    clone: *const gc_graph,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    with_two_clones("gc_node_find_in_clone", (graph, "graph"), (clone, "clone"), |graph, clone| {
        out.answer(|| Ok(graph.node_in_copy(NodeId(node), &clone)?.0))
    })
}
