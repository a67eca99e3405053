//! Nodes of graph execs that are changed, disabled and enabled.

use std::ffi::c_void;

use super::graph::gc_node;
use crate::core::NodeWork;
use crate::driver::NodeId;
use crate::ffi::boundary::callback::{gc_destroy_fn, gc_host_fn, UserData};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_event, gc_graph, gc_graph_exec, gc_kernel};
use crate::ffi::boundary::options;
use crate::ffi::boundary::output::Out;
use crate::ffi::boundary::status::gc_status;
use crate::ffi::operations::copy::{self, gc_memcpy_params, gc_memset_params};
use crate::ffi::operations::launch::{self, gc_kernel_arg, gc_launch_config, Arguments};
use crate::ffi::operations::stream_values::{self, gc_mem_op};

/// Changes what a kernel node of a graph exec does, in later launches. The graph is not changed.
///
/// The arguments are checked and copied as gc_stream_launch_kernel() does. The exec keeps the buffers among them and
/// the kernel's module alive. It lets go of what the node used before when the earlier launches are complete, unless
/// the native handle of the exec was given out.
///
/// The launch attributes of the node stay. gc_launch_config::attributes can only say what they are; another value is
/// GRAPHCAP_ERROR_INVALID_VALUE.
///
/// @param[in] exec            the graph exec
/// @param[in] node            a kernel node of the graph that the exec was made from; the graph must not be
///                            destroyed, nor the node removed
/// @param[in] kernel          a kernel of any context on the device of the graph
/// @param[in] config          the shape of the launch, not NULL; copied
/// @param[in] arguments       one per parameter of the kernel, all of the same struct_size; copied. May be NULL when
///                            argument_count is 0
/// @param[in] argument_count  the number of arguments
/// @retval GRAPHCAP_SUCCESS                             later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 node is no node of that graph, was added after the exec was
///                                                      made or is of another kind, the graph is destroyed, config is
///                                                      NULL, a dimension is 0 or too large, the device does not have
///                                                      that much shared memory, a kind, an access or a flag is
///                                                      unknown, or the number of the arguments, or the size of one,
///                                                      does not match the kernel's parameters, or the kernel is of
///                                                      another device than the node's was
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster of the attributes does not divide the grid, or is
///                                                      too large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  the launch is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED                 the device or its driver is too old for such a node, or cannot
///                                                      do the work; or the graph exec was made with
///                                                      GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_kernel_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    arguments: *const gc_kernel_arg,
    argument_count: usize,
) -> gc_status {
    guard("gc_graph_exec_set_kernel_node", [Token::of(exec), Token::of(kernel)], || {
        let pinned = handle::pin();
        let exec = handle::borrow(exec, "exec", &pinned)?;
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
        let (shape, attributes) = unsafe { launch::shape(config, &pinned) }?;
        let mut held = Arguments::new();
        // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
        unsafe { held.read(arguments, argument_count, &pinned) }?;
        let work = NodeWork::Kernel { kernel, shape, arguments: held.list(), attributes: attributes.of_node()? };
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a copy node of a graph exec does, in later launches. The graph is not changed.
///
/// Each replay reads and writes plain host memory at its address; the memory must be valid then. The exec keeps
/// buffers and host buffers alive, and the saved bytes of a source with GRAPHCAP_MEMCPY_SNAPSHOT. It lets go of what
/// the node used before when the earlier launches are complete, unless the native handle of the exec was given out.
///
/// @param[in] exec    the graph exec
/// @param[in] node    a copy node of the graph that the exec was made from; the graph must not be destroyed, nor the
///                    node removed
/// @param[in] params  the copy, not NULL; copied
/// @retval GRAPHCAP_SUCCESS                later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of that graph, was added after the exec was made or is of
///                                         another kind, the graph is destroyed, params is NULL or its struct_size is
///                                         not valid, size is 0, a direction or a flag is unknown, a member that the
///                                         direction does not use is not 0, a range does not lie within its buffer, a
///                                         pitch is too small, or the two sides overlap, or the new copy has another
///                                         direction, or another extent in two or three dimensions, than the driver can
///                                         change in an exec, or uses memory of another device than the node does; or,
///                                         on a CUDA device, the node copies between managed and pinned memory, and the
///                                         new copy uses pageable memory, with which the launch would fault
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_memcpy_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    params: *const gc_memcpy_params,
) -> gc_status {
    guard("gc_graph_exec_set_memcpy_node", [Token::of(exec)], || {
        let exec = &handle::clone(exec, "exec")?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let sides = copy::sides(&params, handle::clone, handle::clone)?;
        // SAFETY: C promises the host memory at each replay, and that of a snapshot during the call.
        unsafe {
            sides.with_copy(
                &params,
                |copy| NodeWork::Memcpy(*copy).check(exec.context()),
                |copy| exec.set_node(NodeId(node), &NodeWork::Memcpy(*copy)),
            )
        }
    })
}

/// Changes what a memset node of a graph exec does, in later launches. The graph is not changed.
///
/// The exec keeps the buffer alive. It lets go of what the node used before when the earlier launches are complete,
/// unless the native handle of the exec was given out.
///
/// @param[in] exec    the graph exec
/// @param[in] node    a memset node of the graph that the exec was made from; the graph must not be destroyed, nor
///                    the node removed
/// @param[in] params  the rows, not NULL; copied
/// @retval GRAPHCAP_SUCCESS                later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of that graph, was added after the exec was made or is of
///                                         another kind, the graph is destroyed, params is NULL or its struct_size is
///                                         not valid, width is 0, element_size is not 1, 2 or 4, an address is not a
///                                         multiple of element_size, the pitch is too small, or the rows do not lie
///                                         within the buffer, or the new memset has several rows, or replaces one of
///                                         several rows, and differs in its extent, or sets memory of another device
///                                         than the node does
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_memset_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    params: *const gc_memset_params,
) -> gc_status {
    guard("gc_graph_exec_set_memset_node", [Token::of(exec)], || {
        let exec = &handle::clone(exec, "exec")?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let memory = copy::filled(&params, handle::clone, handle::clone)?;
        let work = NodeWork::Memset(copy::fill(&params, memory.buffer())?);
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a host node of a graph exec does, in later launches. The graph is not changed.
///
/// See gc_host_fn for how the function runs and what it may call. It runs once per launch of the exec. It lets go of
/// the function that the node called before when the earlier launches are complete, unless the native handle of the
/// exec was given out. On a CUDA device a function that came from the graph is released when the exec is destroyed.
///
/// @param[in] exec       the graph exec
/// @param[in] node       a host node of the graph that the exec was made from; the graph must not be destroyed, nor
///                       the node removed
/// @param[in] function   the function, not NULL
/// @param[in] user_data  passed to function and to destroy; may be NULL
/// @param[in] destroy    called exactly once; may be NULL. It is called when nothing runs function any more: after
///                       the graph, or the node, or the next change of the node; or when this call fails. After a
///                       fault of a CUDA device it may never be called
/// @retval GRAPHCAP_SUCCESS              later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of that graph, was added after the exec was made or is of
///                                       another kind, the graph is destroyed, function is NULL
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_host_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    function: gc_host_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
) -> gc_status {
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_graph_exec_set_host_node", [Token::of(exec)], move || {
        let exec = &handle::clone(exec, "exec")?;
        // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
        let function = unsafe { user_data.into_host_function(function) }?;
        let work = NodeWork::Host(&function);
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a node of value operations of a graph exec does, in later launches. The graph is not changed.
///
/// The operations are those of gc_stream_batch_mem_op(). The exec keeps their buffers alive. It lets go of what the
/// node used before when the earlier launches are complete, unless the native handle of the exec was given out.
///
/// @param[in] exec        the graph exec
/// @param[in] node        a node of value operations of the graph that the exec was made from; the graph must not be
///                        destroyed, nor the node removed
/// @param[in] operations  the operations, in this order, all of the same struct_size; copied
/// @param[in] count       the number of operations, 1 to 255
/// @retval GRAPHCAP_SUCCESS                later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of that graph, was added after the exec was made or is of
///                                         another kind, the graph is destroyed, operations is NULL, count is 0 or more
///                                         than 255, a kind or a flag is unknown, value operations refuse a buffer, a
///                                         value has more bits than its kind, a value does not lie within its buffer,
///                                         or the address of a value is not a multiple of its size
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer is on a device of another kind, or the buffers are on several
///                                         devices
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work;
///                                         or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_batch_mem_op_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    operations: *const gc_mem_op,
    count: usize,
) -> gc_status {
    guard("gc_graph_exec_set_batch_mem_op_node", [Token::of(exec)], || {
        let pinned = handle::pin();
        let exec = handle::borrow(exec, "exec", &pinned)?;
        // SAFETY: C promises `count` operations, not changed during the call.
        let batch = unsafe { stream_values::batch(operations, count, &pinned) }?;
        let work = NodeWork::Values(&batch);
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Changes what an event record node of a graph exec does, in later launches. The graph is not changed.
///
/// Other streams wait for the record with gc_stream_wait_event(), outside the graph. The exec keeps the event alive.
/// It lets go of what the node used before when the earlier launches are complete, unless the native handle of the
/// exec was given out.
///
/// @param[in] exec   the graph exec
/// @param[in] node   an event record node of the graph that the exec was made from; the graph must not be destroyed,
///                   nor the node removed
/// @param[in] event  an event of a context on the device of the node's event
/// @retval GRAPHCAP_SUCCESS                later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of that graph, was added after the exec was made or is of
///                                         another kind, the graph is destroyed, the event cannot be recorded by a
///                                         graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work;
///                                         or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_event_record_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    event: *const gc_event,
) -> gc_status {
    guard("gc_graph_exec_set_event_record_node", [Token::of(exec), Token::of(event)], || {
        let pinned = handle::pin();
        let exec = handle::borrow(exec, "exec", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        let work = NodeWork::EventRecord(event);
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Changes what an event wait node of a graph exec does, in later launches. The graph is not changed.
///
/// The exec keeps the event alive. It lets go of what the node used before when the earlier launches are complete,
/// unless the native handle of the exec was given out.
///
/// @param[in] exec   the graph exec
/// @param[in] node   an event wait node of the graph that the exec was made from; the graph must not be destroyed,
///                   nor the node removed
/// @param[in] event  an event of a context on the device of the node's event
/// @retval GRAPHCAP_SUCCESS                later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    node is no node of that graph, was added after the exec was made or is of
///                                         another kind, the graph is destroyed, a graph cannot wait for the event
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work;
///                                         or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_event_wait_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    event: *const gc_event,
) -> gc_status {
    guard("gc_graph_exec_set_event_wait_node", [Token::of(exec), Token::of(event)], || {
        let pinned = handle::pin();
        let exec = handle::borrow(exec, "exec", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        let work = NodeWork::EventWait(event);
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Changes what a child node of a graph exec does, in later launches. The graph is not changed.
///
/// The node then runs a copy of the child graph as it is now, and keeps alive what that uses. It lets go of what the
/// node used before when the earlier launches are complete, unless the native handle of the exec was given out.
///
/// @param[in] exec   the graph exec
/// @param[in] node   a child node of the graph that the exec was made from; the graph must not be destroyed, nor the
///                   node removed
/// @param[in] child  a graph of the same context, with nodes of the same kinds, in the same order, with the same edges
/// @retval GRAPHCAP_SUCCESS                          later launches do the new work
/// @retval GRAPHCAP_ERROR_INVALID_VALUE              node is no node of that graph, was added after the exec was made
///                                                   or is of another kind, or the graph is destroyed
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT            the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED              child has allocation nodes or conditions, or, on a CUDA device, a
///                                                   node that kernels can change; or the graph exec was made with
///                                                   GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE  child copies pageable memory, on a CUDA device, where the exec was
///                                                   made with a child that copies between managed and pinned memory;
///                                                   or child does not have the same nodes and edges as the graph of
///                                                   the node, or one of its nodes cannot be changed so in an exec; the
///                                                   exec is as it was
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_child_node(
    exec: *const gc_graph_exec,
    node: gc_node,
    child: *const gc_graph,
) -> gc_status {
    guard("gc_graph_exec_set_child_node", [Token::of(exec), Token::of(child)], || {
        let exec = &handle::clone(exec, "exec")?;
        let child = handle::clone(child, "child")?;
        let work = NodeWork::Child(&child);
        Ok(exec.set_node(NodeId(node), &work)?)
    })
}

/// Disables or enables a node of a graph exec, in later launches. A disabled node does nothing; nodes that depend on it
/// wait for what it depends on.
///
/// @param[in] exec     the graph exec
/// @param[in] node     a kernel, copy or memset node of the graph that the exec was made from; the graph must not be
///                     destroyed, nor the node removed
/// @param[in] enabled  0 disables the node, any other number enables it
/// @retval GRAPHCAP_SUCCESS              later launches skip the node or run it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of that graph or was added after the exec was made, the graph
///                                       is destroyed, or the node is of a kind that cannot be disabled or is a
///                                       cooperative kernel
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the device is a CUDA device, and a memset of one row is to be disabled in an
///                                       exec of several branches, or with nothing that executes between it and a
///                                       conditional before it: driver 580 would let what comes behind the memset begin
///                                       too early; or the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_set_node_enabled(
    exec: *const gc_graph_exec,
    node: gc_node,
    enabled: i32,
) -> gc_status {
    guard("gc_graph_exec_set_node_enabled", [Token::of(exec)], || {
        let exec = handle::clone(exec, "exec")?;
        Ok(exec.enable_node(NodeId(node), enabled != 0)?)
    })
}

/// Tells whether later launches of a graph exec run a node.
///
/// @param[in]  exec         the graph exec
/// @param[in]  node         a node that gc_graph_exec_set_node_enabled() takes
/// @param[out] enabled_out  1 if the node is enabled, else 0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph that the exec was made from, the graph is
///                                       destroyed, or the node is of a kind that cannot be disabled
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph exec was made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_is_node_enabled(
    exec: *const gc_graph_exec,
    node: gc_node,
    enabled_out: *mut i32,
) -> gc_status {
    // SAFETY: C promises that `enabled_out` is NULL or writable.
    let out = unsafe { Out::number(enabled_out, "enabled_out") };
    guard("gc_graph_exec_is_node_enabled", [Token::of(exec)], || {
        let exec = handle::clone(exec, "exec")?;
        let out = out.required()?;
        out.write(i32::from(exec.is_node_enabled(NodeId(node))?));
        Ok(())
    })
}
