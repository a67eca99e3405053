//! Nodes of graphs that are changed.

use std::ffi::c_void;

use super::graph::gc_node;
use crate::core::NodeWork;
use crate::driver::NodeId;
use crate::ffi::boundary::callback::{gc_destroy_fn, gc_host_fn, UserData};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_event, gc_graph, gc_kernel};
use crate::ffi::boundary::options;
use crate::ffi::boundary::status::gc_status;
use crate::ffi::operations::copy::{self, gc_memcpy_params, gc_memset_params};
use crate::ffi::operations::launch::{self, gc_kernel_arg, gc_launch_config, Arguments};
use crate::ffi::operations::stream_values::{self, gc_mem_op};

/// Changes what a kernel node of a graph does. Execs that were made before are not changed.
///
/// The arguments are checked and copied as gc_stream_launch_kernel() does. The graph keeps the buffers among them and
/// the kernel's module alive. It lets go of what the node used before, unless the native handle of the graph or of
/// one of its nodes was given out.
///
/// The node keeps its launch attributes, but for those of gc_launch_config::attributes. One that nodes do not have, or that
/// cannot have its value, is GRAPHCAP_ERROR_INVALID_VALUE.
///
/// @param[in] graph           the graph
/// @param[in] node            the node, a kernel node
/// @param[in] kernel          a kernel of any context on a device of the same kind
/// @param[in] config          the shape of the launch, not NULL; copied
/// @param[in] arguments       one per parameter of the kernel, all of the same struct_size; copied. May be NULL when
///                            argument_count is 0
/// @param[in] argument_count  the number of arguments
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 node is no node of the graph or is of another kind, config is
///                                                      NULL, a dimension is 0 or too large, the device does not have
///                                                      that much shared memory, a kind, an access or a flag is
///                                                      unknown, or the number of the arguments, or the size of one,
///                                                      does not match the kernel's parameters
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster of the attributes does not divide the grid, or is
///                                                      too large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  the kernel is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED                 the device or its driver is too old for such a node, or cannot
///                                                      do the work
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_kernel(
    graph: *const gc_graph,
    node: gc_node,
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    arguments: *const gc_kernel_arg,
    argument_count: usize,
) -> gc_status {
    guard("gc_node_set_kernel", [Token::of(graph), Token::of(kernel)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
        let (shape, attributes) = unsafe { launch::shape(config, &pinned) }?;
        let mut held = Arguments::new();
        // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
        unsafe { held.read(arguments, argument_count, &pinned) }?;
        let work = NodeWork::Kernel { kernel, shape, arguments: held.list(), attributes: attributes.of_node()? };
        Ok(graph.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a copy node of a graph does. Execs that were made before are not changed.
///
/// Each replay reads and writes plain host memory at its address; the memory must be valid then. The graph keeps
/// buffers and host buffers alive, and the saved bytes of a source with GRAPHCAP_MEMCPY_SNAPSHOT. It lets go of what
/// the node used before, unless the native handle of the graph or of one of its nodes was given out.
///
/// @param[in] graph   the graph
/// @param[in] node    the node, a copy node
/// @param[in] params  the copy, not NULL; copied
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of the graph or is of another kind, params is NULL or its
///                                         struct_size is not valid, size is 0, a direction or a flag is unknown, a
///                                         member that the direction does not use is not 0, a range does not lie within
///                                         its buffer, a pitch is too small, or the two sides overlap
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_memcpy(
    graph: *const gc_graph,
    node: gc_node,
    params: *const gc_memcpy_params,
) -> gc_status {
    guard("gc_node_set_memcpy", [Token::of(graph)], || {
        let graph = &handle::clone(graph, "graph")?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let sides = copy::sides(&params, handle::clone, handle::clone)?;
        // SAFETY: C promises the host memory at each replay, and that of a snapshot during the call.
        unsafe {
            sides.with_copy(
                &params,
                |copy| NodeWork::Memcpy(*copy).check(graph.context()),
                |copy| graph.set_node(NodeId(node), &NodeWork::Memcpy(*copy)),
            )
        }
    })
}

/// Changes what a memset node of a graph does. Execs that were made before are not changed.
///
/// The graph keeps the buffer alive. It lets go of what the node used before, unless the native handle of the graph
/// or of one of its nodes was given out.
///
/// @param[in] graph   the graph
/// @param[in] node    the node, a memset node
/// @param[in] params  the rows, not NULL; copied
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of the graph or is of another kind, params is NULL or its
///                                         struct_size is not valid, width is 0, element_size is not 1, 2 or 4, an
///                                         address is not a multiple of element_size, the pitch is too small, or the
///                                         rows do not lie within the buffer
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_memset(
    graph: *const gc_graph,
    node: gc_node,
    params: *const gc_memset_params,
) -> gc_status {
    guard("gc_node_set_memset", [Token::of(graph)], || {
        let graph = &handle::clone(graph, "graph")?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let memory = copy::filled(&params, handle::clone, handle::clone)?;
        let work = NodeWork::Memset(copy::fill(&params, memory.buffer())?);
        Ok(graph.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a host node of a graph does. Execs that were made before are not changed.
///
/// See gc_host_fn for how the function runs and what it may call. It runs once per launch of the graph. It lets go of
/// what the node used before, unless the native handle of the graph or of one of its nodes was given out.
///
/// @param[in] graph      the graph
/// @param[in] node       the node, a host node
/// @param[in] function   the function, not NULL
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once; may be NULL. It is called when nothing runs function any more: after
///                       the graph, or the node, or the next change of the node; or when this call fails. After a
///                       fault of a CUDA device it may never be called
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph or is of another kind, function is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_host(
    graph: *const gc_graph,
    node: gc_node,
    function: gc_host_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_node_set_host", [Token::of(graph)], move || {
        let graph = &handle::clone(graph, "graph")?;
        // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
        let function = unsafe { user_data.into_host_function(function) }?;
        let work = NodeWork::Host(&function);
        Ok(graph.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a node of value operations of a graph does. Execs that were made before are not changed.
///
/// The operations are those of gc_stream_batch_mem_op(). The graph keeps their buffers alive. It lets go of what the
/// node used before, unless the native handle of the graph or of one of its nodes was given out.
///
/// @param[in] graph       the graph
/// @param[in] node        the node, a node of value operations
/// @param[in] operations  the operations, in this order, all of the same struct_size; copied
/// @param[in] count       the number of operations, 1 to 255
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of the graph or is of another kind, operations is NULL,
///                                         count is 0 or more than 255, a kind or a flag is unknown, value operations
///                                         refuse a buffer, a value has more bits than its kind, a value does not lie
///                                         within its buffer, or the address of a value is not a multiple of its size
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer is on a device of another kind, or the buffers are on several
///                                         devices
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_batch_mem_op(
    graph: *const gc_graph,
    node: gc_node,
    operations: *const gc_mem_op,
    count: usize,
) -> gc_status {
    guard("gc_node_set_batch_mem_op", [Token::of(graph)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        // SAFETY: C promises `count` operations, not changed during the call.
        let batch = unsafe { stream_values::batch(operations, count, &pinned) }?;
        let work = NodeWork::Values(&batch);
        Ok(graph.set_node(NodeId(node), &work)?)
    })
}

/// Changes what an event record node of a graph does. Execs that were made before are not changed.
///
/// Other streams wait for the record with gc_stream_wait_event(), outside the graph. The graph keeps the event alive.
/// It lets go of what the node used before, unless the native handle of the graph or of one of its nodes was given
/// out.
///
/// @param[in] graph  the graph
/// @param[in] node   the node, an event record node
/// @param[in] event  an event of a context on a device of the kind of the graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of the graph or is of another kind, the event cannot be
///                                         recorded by a graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_event_record(
    graph: *const gc_graph,
    node: gc_node,
    event: *const gc_event,
) -> gc_status {
    guard("gc_node_set_event_record", [Token::of(graph), Token::of(event)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        let work = NodeWork::EventRecord(event);
        Ok(graph.set_node(NodeId(node), &work)?)
    })
}

/// Changes what an event wait node of a graph does. Execs that were made before are not changed.
///
/// The graph keeps the event alive. It lets go of what the node used before, unless the native handle of the graph or
/// of one of its nodes was given out.
///
/// @param[in] graph  the graph
/// @param[in] node   the node, an event wait node
/// @param[in] event  an event of a context on a device of the kind of the graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of the graph or is of another kind, a graph cannot wait for
///                                         the event
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_event_wait(
    graph: *const gc_graph,
    node: gc_node,
    event: *const gc_event,
) -> gc_status {
    guard("gc_node_set_event_wait", [Token::of(graph), Token::of(event)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        let work = NodeWork::EventWait(event);
        Ok(graph.set_node(NodeId(node), &work)?)
    })
}

/// Changes which graph a child node of a graph runs. Execs that were made before are not changed.
///
/// The node then has a copy of the child graph as it is now, of whatever nodes, and keeps alive what that uses. Handles of
/// the graph that the node had before are stale. The graph lets go of what the node used before, unless the native handle
/// of the graph or of one of its nodes was given out. On a CUDA device the call needs a driver for 12.2 or newer.
///
/// @param[in] graph  the graph
/// @param[in] node   the node, a child node
/// @param[in] child  a graph of the same context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of the graph or is of another kind, child is the graph
///                                         itself, the graph is within child, or graphs would be too deep within each
///                                         other
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE    a capture goes into a graph within the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    child is the graph of a node itself, or has allocation nodes or conditions,
///                                         or, on a CUDA device, a node that kernels can change; or the driver is too
///                                         old
#[no_mangle]
pub unsafe extern "C" fn gc_node_set_child(graph: *const gc_graph, node: gc_node, child: *const gc_graph) -> gc_status {
    guard("gc_node_set_child", [Token::of(graph), Token::of(child)], || {
        let graph = handle::clone(graph, "graph")?;
        let child = handle::clone(child, "child")?;
        Ok(graph.set_node(NodeId(node), &NodeWork::Child(&child))?)
    })
}
