//! The launch attributes of kernel nodes.

use super::graph::gc_node;
use crate::ffi::boundary::{answer_clone, gc_graph, gc_status, read_bytes, with_clone, with_two_clones, ArrayOut, Out};
use crate::ffi::operations::launch_attributes::{gc_launch_attribute_id, gc_launch_attribute_value};
use graphcap_driver::{LaunchAttribute, NodeId};

/// Returns a launch attribute of a kernel node.
///
/// @param[in]  graph      the graph
/// @param[in]  node       one of its nodes, a kernel node
/// @param[in]  attribute  one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have
/// @param[out] value_out  the value; all 64 bytes are written, 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no kernel node of the graph, or nodes have no such attribute
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_attribute(
    graph: *const gc_graph,
    node: gc_node,
    attribute: gc_launch_attribute_id,
    value_out: *mut gc_launch_attribute_value,
) -> gc_status {
    // SAFETY: C promises that `value_out` is NULL or writable.
    let out = unsafe { Out::bytes(value_out, "value_out") };
    answer_clone("gc_node_get_attribute", (graph, "graph"), out, |graph| {
        Ok(graph.node_attribute(NodeId(node), attribute)?)
    })
}

/// Lists the launch attributes of a kernel node that are set: those whose value is not the one that a node begins with.
/// gc_node_get_attribute() returns their values.
///
/// @param[in]  graph           the graph
/// @param[in]  node            one of its nodes, a kernel node
/// @param[out] attributes_out  where to write GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, in their order; may be NULL when capacity
///                             is 0
/// @param[in]  capacity        how many attributes fit; 0 asks only for the number
/// @param[out] needed          the number of attributes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no kernel node of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_attributes(
    graph: *const gc_graph,
    node: gc_node,
    attributes_out: *mut gc_launch_attribute_id,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `attributes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(attributes_out, "attributes_out")], capacity, needed) };
    with_clone("gc_node_get_attributes", (graph, "graph"), |graph| {
        out.write(graph.node_attributes(NodeId(node))?.into_iter().map(|LaunchAttribute { id, .. }| [id]))
    })
}

/// Sets a launch attribute of a kernel node, for graph execs that are made from now on. gc_node_set_kernel() leaves it as it
/// is.
///
/// A host device stores the value, and runs the kernel as before. It refuses the values that a GPU refuses.
///
/// @param[in] graph      the graph
/// @param[in] node       one of its nodes, a kernel node
/// @param[in] attribute  one of the GRAPHCAP_LAUNCH_ATTRIBUTE_ numbers, of an attribute that nodes have
/// @param[in] value      the value, not NULL; bytes that the attribute does not use are ignored
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 value is NULL, node is no kernel node of the graph, nodes have
///                                                      no such attribute, or it cannot have that value
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster does not divide the grid of the node, or is too
///                                                      large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  the kernel is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED                 the driver does not take back
///                                                      GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_attribute(
    graph: *const gc_graph,
    node: gc_node,
    attribute: gc_launch_attribute_id,
    value: *const gc_launch_attribute_value,
) -> gc_status {
    with_clone("gc_node_set_attribute", (graph, "graph"), |graph| {
        // SAFETY: C promises that `value` is NULL or points to a value.
        let value = unsafe { read_bytes(value, "value") }?;
        Ok(graph.set_node_attribute(NodeId(node), &LaunchAttribute { id: attribute, value })?)
    })
}

/// Sets the launch attributes of a kernel node to those of another one.
///
/// @param[in] graph        the graph of the node whose attributes are set
/// @param[in] node         one of its nodes, a kernel node
/// @param[in] source       the graph of the node whose attributes are read, of the same context; it may be the same graph
/// @param[in] source_node  one of its nodes, a kernel node
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 the kernels of the nodes belong to two devices
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               the two graphs belong to different contexts
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster does not divide the grid of the node
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  the kernel is cooperative and has more blocks than the device
///                                                      runs at once
#[no_mangle]
pub unsafe extern "C" fn gc_node_copy_attributes(
    graph: *const gc_graph,
    node: gc_node,
    source: *const gc_graph,
    source_node: gc_node,
) -> gc_status {
    with_two_clones("gc_node_copy_attributes", (graph, "graph"), (source, "source"), |graph, source| {
        Ok(graph.copy_node_attributes(NodeId(node), &source, NodeId(source_node))?)
    })
}
