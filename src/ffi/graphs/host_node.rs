//! Functions of host nodes, read back.

use std::ffi::c_void;
use std::mem::transmute;
use std::ptr::{null_mut, with_exposed_provenance_mut};

use super::graph::gc_node;
use super::node_get::not_of_kind;
use crate::ffi::boundary::{answer_clone, gc_graph, gc_host_fn, gc_status, StructOut, Versioned};
use graphcap_core::NodeParams;
use graphcap_driver::NodeId;

/// Description of what a host node calls. Start from GRAPHCAP_HOST_NODE_PARAMS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_host_node_params {
    /// sizeof(gc_host_node_params).
    pub struct_size: u32,
    /// 1 if the function was not given to graphcap, as that of a node that other code made: function and user_data are
    /// NULL then. Else 0.
    pub is_foreign: u32,
    /// The function.
    pub function: gc_host_fn,
    /// Argument that it is called with. It is valid as long as the node calls the function: see the destroy of the call that
    /// gave it.
    pub user_data: *mut c_void,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers that may be NULL.
unsafe impl Versioned for gc_host_node_params {}

/// Returns the function that a host node calls, with its user data, as they were given to gc_graph_add_host_node(),
/// gc_node_set_host(), gc_stream_launch_host_func(), gc_capture_record_host_func() or gc_graph_import_json(). For a
/// callable of C++ that the node owns, they are graphcap.hpp's.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes, a host node
/// @param[out] params_out  the struct to fill
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  params_out is NULL or its struct_size is not valid, or node is no host node of
///                                       the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_host_params(
    graph: *const gc_graph,
    node: gc_node,
    params_out: *mut gc_host_node_params,
) -> gc_status {
    // SAFETY: C promises that `params_out` is NULL or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(params_out, "params_out") };
    answer_clone("gc_node_get_host_params", (graph, "graph"), out, |graph| {
        let NodeParams::Host(given) = graph.node_params(NodeId(node))? else {
            return Err(not_of_kind(&graph, node, "a host node"));
        };
        let function = given.map_or(0, |given| given.function);
        Ok(gc_host_node_params {
            struct_size: 0,
            is_foreign: given.is_none().into(),
            // SAFETY: NULL, or the address of a function of this type, which C gave.
            function: unsafe { transmute::<*mut c_void, gc_host_fn>(with_exposed_provenance_mut(function)) },
            user_data: given.map_or(null_mut(), |given| with_exposed_provenance_mut(given.user_data)),
        })
    })
}
