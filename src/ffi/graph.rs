//! gc_graph: the definition of a graph.

use std::ffi::{c_char, c_void};
use std::ptr;

use crate::core::{DotFlags, Graph};
use crate::driver::NodeId;
use crate::ffi::context::gc_context;
use crate::ffi::graph_exec::gc_graph_exec;
use crate::ffi::guard::guard;
use crate::ffi::handle::{self, handle, Token};
use crate::ffi::options::{self, check_flags, Versioned};
use crate::ffi::output::{ArrayOut, Out, TextOut};
use crate::ffi::status::gc_status;

/// A graph: nodes of work and the edges that order them. It keeps alive all that its nodes use.
///
/// Calls on one graph wait for each other.
pub struct gc_graph {
    _opaque: (),
}
handle!(gc_graph, Graph, Graph);

/// Names a node of a graph; 0 names none. The name needs no destroy. It holds from the moment that the node is recorded,
/// through the end of the capture, until the node is removed or the last handle of the graph is destroyed. It is never used
/// again for another node. Functions refuse a number that names no node of the graph in question with
/// GRAPHCAP_ERROR_INVALID_VALUE. gc_node_native() tells the CUgraphNode of a CUDA device.
pub type gc_node = u64;

/// The export tells the parameters of each node.
pub const GRAPHCAP_DOT_VERBOSE: u32 = 1;

/// How a graph is instantiated. All members 0: the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_instantiate_options {
    /// sizeof(gc_instantiate_options).
    pub struct_size: u32,
    /// 0.
    pub flags: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_instantiate_options {}

/// Sets options to their defaults, as GRAPHCAP_INSTANTIATE_OPTIONS_INIT does.
///
/// @param[out] options  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_instantiate_options_init(options: *mut gc_instantiate_options) {
    // SAFETY: C promises that `options` is NULL or writable.
    unsafe { options::init(options) };
}

/// Makes a graph without nodes, to capture into with gc_stream_begin_capture_to_graph().
///
/// @param[in]  context    the context that the graph belongs to
/// @param[out] graph_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_SUCCESS               the graph was made
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  context is no live context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   graph_out is NULL
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   memory is missing
#[no_mangle]
pub unsafe extern "C" fn gc_graph_create(context: *const gc_context, graph_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    guard("gc_graph_create", [Token::of(context)], || {
        let pinned = handle::pin();
        let context = handle::borrow(context, "context", &pinned)?;
        let out = out.required()?;
        out.write(handle::insert(Graph::create(context)?)?);
        Ok(())
    })
}

/// Destroys a graph. Graph execs made from it are not affected.
///
/// @param[in] graph  NULL is fine
/// @retval GRAPHCAP_SUCCESS               the handle is dead
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  it was no live graph
#[no_mangle]
pub unsafe extern "C" fn gc_graph_destroy(graph: *mut gc_graph) -> gc_status {
    guard("gc_graph_destroy", [], || handle::destroy(graph, "graph"))
}

/// Counts the nodes of a graph.
///
/// @param[in]  graph      the graph
/// @param[out] count_out  how many it has
/// @retval GRAPHCAP_SUCCESS               count_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   count_out is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_node_count(graph: *const gc_graph, count_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    guard("gc_graph_node_count", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        out.write(graph.node_count()?);
        Ok(())
    })
}

/// Counts the edges of a graph.
///
/// @param[in]  graph      the graph
/// @param[out] count_out  how many it has
/// @retval GRAPHCAP_SUCCESS               count_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   count_out is NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_edge_count(graph: *const gc_graph, count_out: *mut usize) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    guard("gc_graph_edge_count", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        out.write(graph.edge_count()?);
        Ok(())
    })
}

/// Names the nodes of a graph, in the order in which they were recorded.
///
/// @param[in]  graph      the graph
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks for their number only
/// @param[out] needed     how many there are; may be NULL
/// @retval GRAPHCAP_SUCCESS                 all nodes were written, or capacity is 0
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  as many were written as fit
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     nodes_out is NULL and capacity is not 0, or nothing was asked for
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_nodes(
    graph: *const gc_graph,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    guard("gc_graph_get_nodes", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        out.write(graph.nodes()?.nodes.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Names the edges of a graph: the node at a place of to_out waits for the node at the same place of from_out. Their
/// order says nothing.
///
/// @param[in]  graph     the graph
/// @param[out] from_out  where to write the first node of each edge; may be NULL when capacity is 0
/// @param[out] to_out    where to write the second; may be NULL when capacity is 0
/// @param[in]  capacity  how many edges fit; 0 asks for their number only
/// @param[out] needed    how many there are; may be NULL
/// @retval GRAPHCAP_SUCCESS                 all edges were written, or capacity is 0
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  as many were written as fit
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     from_out or to_out is NULL and capacity is not 0, or nothing was asked for
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_edges(
    graph: *const gc_graph,
    from_out: *mut gc_node,
    to_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that both arrays have `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(from_out, "from_out"), (to_out, "to_out")], capacity, needed) };
    guard("gc_graph_get_edges", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        out.write(graph.nodes()?.edges.into_iter().map(|(NodeId(from), NodeId(to))| [from, to]))
    })
}

/// Writes a graph in Graphviz's DOT language. The nodes are numbered in the order in which they were recorded. On a
/// CUDA device the names of kernels that others recorded need a driver for 12.3 or newer.
///
/// @param[in]  graph     the graph
/// @param[in]  flags     0 or GRAPHCAP_DOT_VERBOSE
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks for the size only
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_SUCCESS                 the whole text was written, or capacity is 0
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the text was cut to fit
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     a flag is unknown, text is NULL and capacity is not 0, or nothing was
///                                          asked for
#[no_mangle]
pub unsafe extern "C" fn gc_graph_export_dot(
    graph: *const gc_graph,
    flags: u32,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    guard("gc_graph_export_dot", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        check_flags(flags, GRAPHCAP_DOT_VERBOSE, "flags", "0 or GRAPHCAP_DOT_VERBOSE")?;
        let dot = graph.export_dot(DotFlags { verbose: flags & GRAPHCAP_DOT_VERBOSE != 0 })?;
        out.write(&dot)
    })
}

/// Makes an executable of a graph as it is now. It can be launched any number of times.
///
/// @param[in]  graph     the graph
/// @param[in]  options   NULL for the defaults
/// @param[out] exec_out  the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure
/// @retval GRAPHCAP_SUCCESS                    the graph exec was made
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        exec_out is NULL, a flag is unknown, or the options have a size that
///                                             cannot be
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  a capture bars this thread from it; the capture is invalidated
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY        memory is missing
#[no_mangle]
pub unsafe extern "C" fn gc_graph_instantiate(
    graph: *const gc_graph,
    options: *const gc_instantiate_options,
    exec_out: *mut *mut gc_graph_exec,
) -> gc_status {
    // SAFETY: C promises that `exec_out` is NULL or writable.
    let out = unsafe { Out::handle(exec_out, "exec_out") };
    guard("gc_graph_instantiate", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let options = unsafe { options::read_or_default(options, "options") }?;
        check_flags(options.flags, 0, "flags", "0")?;
        let exec = graph.instantiate()?;
        out.write(handle::insert(exec)?);
        Ok(())
    })
}

/// Tells the CUgraph. Nodes that others add are replayed like all others; what they use is not kept alive. Execs that others
/// make of the graph keep what it keeps. The driver sees to that, which makes launches of theirs, and of the execs that
/// gc_graph_instantiate() makes of it from here on, slower by half or more.
///
/// The driver's graphs must not be used by two threads at once; no gc_ call may use the graph while others do.
///
/// @param[in]  graph       the graph
/// @param[out] native_out  the driver's handle, valid until the handle is destroyed; never destroy it yourself; NULL on
///                         failure
/// @retval GRAPHCAP_SUCCESS               native_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   native_out is NULL, or a capture into the graph failed, which is its end
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   memory is missing
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the device is the host device, which has no native handles
#[no_mangle]
pub unsafe extern "C" fn gc_graph_native(graph: *const gc_graph, native_out: *mut *mut c_void) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    guard("gc_graph_native", [Token::of(graph)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let out = out.required()?;
        out.write(ptr::without_provenance_mut(graph.native()?));
        Ok(())
    })
}

/// Tells the CUgraphNode. Others may change the graph from here on, as after gc_graph_native(), with the same price for launches.
/// Once graphcap has looked at a graph after others removed a node, the name of that node is refused. Where others remove a
/// node and add one between two looks, the driver may give both the same handle; graphcap then takes the new node for the old.
///
/// @param[in]  graph       the graph
/// @param[in]  node        one of its nodes
/// @param[out] native_out  the driver's handle, valid until the node is removed or the graph destroyed; NULL on failure
/// @retval GRAPHCAP_SUCCESS               native_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is no live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   native_out is NULL, node names no node of the graph, or a capture into the graph
///                                        failed, which is its end
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   memory is missing
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   the device is the host device, which has no native handles
#[no_mangle]
pub unsafe extern "C" fn gc_node_native(
    graph: *const gc_graph,
    node: gc_node,
    native_out: *mut *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    guard("gc_node_native", [Token::of(graph)], || {
        let pinned = handle::pin();
        let graph = handle::borrow(graph, "graph", &pinned)?;
        let out = out.required()?;
        out.write(ptr::without_provenance_mut(graph.node_native(NodeId(node))?));
        Ok(())
    })
}
