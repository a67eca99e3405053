//! Graphs built by hand: the nodes that are added, each kind by its function.

use std::ffi::c_void;

use super::graph::gc_node;
use super::node::nodes;
use crate::core::NodeWork;
use crate::ffi::boundary::callback::{gc_destroy_fn, gc_host_fn, UserData};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::{self, Token};
use crate::ffi::boundary::handle_types::{gc_event, gc_graph, gc_kernel};
use crate::ffi::boundary::options;
use crate::ffi::boundary::output::Out;
use crate::ffi::boundary::status::gc_status;
use crate::ffi::operations::copy::{self, gc_memcpy_params, gc_memset_params};
use crate::ffi::operations::launch::{self, gc_kernel_arg, gc_launch_config, Arguments};
use crate::ffi::operations::stream_values::{self, gc_mem_op};

/// Adds an empty node to a graph: a node that does nothing, where edges meet.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a dependency is no node of the graph or is listed twice
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_empty_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_empty_node", [Token::of(graph)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        out.write(graph.add_node(&dependencies, &NodeWork::Empty)?.0);
        Ok(())
    })
}

/// Adds a kernel node to a graph: a node that launches a kernel.
///
/// The arguments are checked and copied as gc_stream_launch_kernel() does. The graph keeps the buffers among them and
/// the kernel's module alive.
///
/// Nodes of one graph may have kernels, buffers and events of several contexts, on one device or on several devices of one
/// kind. A kernel or a copy uses memory of other devices, but not memory that graphs allocate; kernels also not that of
/// gc_buffer_allocate_waitable(): GRAPHCAP_ERROR_NOT_SUPPORTED.
///
/// The node has the attributes of gc_launch_config::attributes that nodes can have; others, and those that cannot have
/// their value, are GRAPHCAP_ERROR_INVALID_VALUE.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  kernel            a kernel of any context on a device of the same kind
/// @param[in]  config            the shape of the launch, not NULL; copied
/// @param[in]  arguments         one per parameter of the kernel, all of the same struct_size; copied. May be NULL
///                               when argument_count is 0
/// @param[in]  argument_count    the number of arguments
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 a dependency is no node of the graph or is listed twice, config
///                                                      is NULL, a dimension is 0 or too large, the device does not
///                                                      have that much shared memory, a kind, an access or a flag is
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
pub unsafe extern "C" fn gc_graph_add_kernel_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    kernel: *const gc_kernel,
    config: *const gc_launch_config,
    arguments: *const gc_kernel_arg,
    argument_count: usize,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_kernel_node", [Token::of(graph), Token::of(kernel)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let kernel = handle::borrow(kernel, "kernel", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        // SAFETY: C promises that `config` is NULL or points to as many bytes as its struct_size states.
        let (shape, attributes) = unsafe { launch::shape(config, &pinned) }?;
        let mut held = Arguments::new();
        // SAFETY: C promises `argument_count` arguments, and that each value has as many bytes as it states.
        unsafe { held.read(arguments, argument_count, &pinned) }?;
        let work = NodeWork::Kernel { kernel, shape, arguments: held.list(), attributes: attributes.of_node()? };
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}

/// Adds a copy node to a graph: a node that copies between buffers, host buffers and host memory, in one, two or
/// three dimensions.
///
/// Each replay reads and writes plain host memory at its address; the memory must be valid then. The graph keeps
/// buffers and host buffers alive, and the saved bytes of a source with GRAPHCAP_MEMCPY_SNAPSHOT.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  params            the copy, not NULL; copied
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, params is NULL or
///                                         its struct_size is not valid, size is 0, a direction or a flag is unknown, a
///                                         member that the direction does not use is not 0, a range does not lie within
///                                         its buffer, a pitch is too small, or the two sides overlap
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_memcpy_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    params: *const gc_memcpy_params,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_memcpy_node", [Token::of(graph)], || {
        let graph = &handle::clone(graph, "graph")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let sides = copy::sides(&params, handle::clone, handle::clone)?;
        // SAFETY: C promises the host memory at each replay, and that of a snapshot during the call.
        let done = unsafe {
            sides.with_copy(
                &params,
                |copy| NodeWork::Memcpy(*copy).check(graph.context()),
                |copy| graph.add_node(&dependencies, &NodeWork::Memcpy(*copy)),
            )
        }?;
        out.write(done.0);
        Ok(())
    })
}

/// Adds a memset node to a graph: a node that sets rows of elements of a buffer to a value.
///
/// The graph keeps the buffer alive.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  params            the rows, not NULL; copied
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, params is NULL or
///                                         its struct_size is not valid, width is 0, element_size is not 1, 2 or 4, an
///                                         address is not a multiple of element_size, the pitch is too small, or the
///                                         rows do not lie within the buffer
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_memset_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    params: *const gc_memset_params,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_memset_node", [Token::of(graph)], || {
        let graph = &handle::clone(graph, "graph")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        // SAFETY: C promises that `params` is NULL or points to as many bytes as its struct_size states.
        let params = unsafe { options::read(params, "params") }?;
        let memory = copy::filled(&params, handle::clone, handle::clone)?;
        let work = NodeWork::Memset(copy::fill(&params, memory.buffer())?);
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}

/// Adds a host node to a graph: a node that runs a function on the CPU.
///
/// See gc_host_fn for how the function runs and what it may call. It runs once per launch of the graph.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  function          the function, not NULL
/// @param[in]  user_data         passed to function and to destroy; may be NULL
/// @param[in]  destroy           called exactly once; may be NULL. It is called after the graph, its copies and all
///                               graph execs that run the node are gone; or when this call fails. After a fault of a
///                               CUDA device it may never be called
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  a dependency is no node of the graph or is listed twice, or function is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_host_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    function: gc_host_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_graph_add_host_node", [Token::of(graph)], move || {
        let graph = &handle::clone(graph, "graph")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        // SAFETY: C promises that `function` may be called once per launch with `user_data`, on any thread.
        let function = unsafe { user_data.into_host_function(function) }?;
        let work = NodeWork::Host(&function);
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}

/// Adds a node of value operations to a graph: a node that writes values into buffers and waits for values there, one
/// after another.
///
/// The operations are those of gc_stream_batch_mem_op(). The graph keeps their buffers alive.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  operations        the operations, in this order, all of the same struct_size; copied
/// @param[in]  count             the number of operations, 1 to 255
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, operations is NULL,
///                                         count is 0 or more than 255, a kind or a flag is unknown, value operations
///                                         refuse a buffer, a value has more bits than its kind, a value does not lie
///                                         within its buffer, or the address of a value is not a multiple of its size
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer is on a device of another kind, or the buffers are on several
///                                         devices
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_batch_mem_op_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    operations: *const gc_mem_op,
    count: usize,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_batch_mem_op_node", [Token::of(graph)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        // SAFETY: C promises `count` operations, not changed during the call.
        let batch = unsafe { stream_values::batch(operations, count, &pinned) }?;
        let work = NodeWork::Values(&batch);
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}

/// Adds an event record node to a graph: a node that records an event at each launch.
///
/// Other streams wait for the record with gc_stream_wait_event(), outside the graph. The graph keeps the event alive.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  event             an event of a context on a device of the kind of the graph
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, or the event cannot
///                                         be recorded by a graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_event_record_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    event: *const gc_event,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_event_record_node", [Token::of(graph), Token::of(event)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        let work = NodeWork::EventRecord(event);
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}

/// Adds an event wait node to a graph: a node that waits for the record that an event holds when the graph is
/// launched.
///
/// The graph keeps the event alive.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  event             an event of a context on a device of the kind of the graph
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, or a graph cannot
///                                         wait for the event
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  an object belongs to a device of another kind
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the device or its driver is too old for such a node, or cannot do the work
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_event_wait_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    event: *const gc_event,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_event_wait_node", [Token::of(graph), Token::of(event)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let event = handle::borrow(event, "event", &pinned)?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        let work = NodeWork::EventWait(event);
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}

/// Adds a child node to a graph: a node that runs the nodes of a graph as one node.
///
/// The node has a copy of the child graph as it is now, and keeps alive what that uses. gc_node_get_graph() gives the
/// copy. Child nodes whose graphs share memory of a pool have to be ordered by edges when the graph is instantiated.
///
/// @param[in]  graph             the graph
/// @param[in]  dependencies      the nodes that the new node waits for; may be NULL when dependency_count is 0
/// @param[in]  dependency_count  the number of dependencies
/// @param[in]  child             a graph of the same context
/// @param[out] node_out          the new node; 0 on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a dependency is no node of the graph or is listed twice, child is the graph
///                                         itself, or is within it in a way that would make the graph contain itself
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    child is the graph of a node itself, or has allocation nodes or conditions;
///                                         or, on a CUDA device, a node with
///                                         GRAPHCAP_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE, since the driver would crash as
///                                         both graphs go
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_child_node(
    graph: *const gc_graph,
    dependencies: *const gc_node,
    dependency_count: usize,
    child: *const gc_graph,
    node_out: *mut gc_node,
) -> gc_status {
    // SAFETY: C promises that `node_out` is NULL or writable.
    let out = unsafe { Out::number(node_out, "node_out") };
    guard("gc_graph_add_child_node", [Token::of(graph), Token::of(child)], || {
        let graph = &handle::clone(graph, "graph")?;
        let child = handle::clone(child, "child")?;
        let out = out.required()?;
        // SAFETY: C promises `dependency_count` nodes, not changed during the call.
        let dependencies = unsafe { nodes(dependencies, dependency_count, "dependencies") }?;
        let work = NodeWork::Child(&child);
        out.write(graph.add_node(&dependencies, &work)?.0);
        Ok(())
    })
}
