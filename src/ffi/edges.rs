//! The edges of graphs with what they carry: ports and types.

use crate::driver::{EdgeData, NodeId};
use crate::ffi::failure::{Failure, Result};
use crate::ffi::graph::gc_node;
use crate::ffi::graph_nodes::edges;
use crate::ffi::guard::guard;
use crate::ffi::handle::{self, Token};
use crate::ffi::objects::{gc_graph, gc_stream};
use crate::ffi::options;
use crate::ffi::output::{ArrayOut, Out};
use crate::ffi::recording::{dependency_update, node_ids};
use crate::ffi::status::gc_status;

/// gc_edge_data::from_port: the edge begins where the node ends.
pub const GRAPHCAP_PORT_DEFAULT: u8 = 0;
/// gc_edge_data::from_port: the edge begins where all blocks of the kernel have triggered, or ended. Together with
/// GRAPHCAP_EDGE_TYPE_PROGRAMMATIC.
pub const GRAPHCAP_PORT_PROGRAMMATIC: u8 = 1;
/// gc_edge_data::from_port: the edge begins where all blocks of the kernel have begun.
pub const GRAPHCAP_PORT_LAUNCH_ORDER: u8 = 2;

/// gc_edge_data::edge_type: the node begins when the edge says so.
pub const GRAPHCAP_EDGE_TYPE_DEFAULT: u8 = 0;
/// gc_edge_data::edge_type: the kernel may begin early, and waits by itself (griddepcontrol.wait) for what it needs.
pub const GRAPHCAP_EDGE_TYPE_PROGRAMMATIC: u8 = 1;

/// What an edge carries. All 0 is an edge as gc_graph_add_dependencies() makes it. Only an edge between two kernel nodes
/// carries something. It has the layout of CUDA's type, 8 bytes, and therefore no struct_size.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct gc_edge_data {
    /// One of the GRAPHCAP_PORT_ numbers.
    pub from_port: u8,
    /// 0.
    pub to_port: u8,
    /// One of the GRAPHCAP_EDGE_TYPE_ numbers.
    pub edge_type: u8,
    /// 0.
    pub reserved: [u8; 5],
}

impl From<EdgeData> for gc_edge_data {
    fn from(EdgeData { from_port, to_port, kind }: EdgeData) -> gc_edge_data {
        gc_edge_data { from_port, to_port, edge_type: kind, reserved: [0; 5] }
    }
}

/// What each of `count` edges carries: nothing for NULL.
///
/// # Safety
/// `data` is NULL or points to `count` elements.
unsafe fn read_data(data: *const gc_edge_data, count: usize) -> Result<Vec<EdgeData>> {
    if data.is_null() {
        return Ok(vec![EdgeData::NONE; count]);
    }
    // SAFETY: the caller's promise is the one that is asked for.
    let data = unsafe { options::elements(data, count, "data") }?.unwrap_or_default();
    let convert = |(index, data): (usize, &gc_edge_data)| match data.reserved.iter().max() {
        Some(&number) if number > 0 => {
            let number = u32::from(number).into();
            Err(Failure::Unknown { argument: "data.reserved", number, known: "0" }.of_element(index))
        }
        _ => Ok(EdgeData { from_port: data.from_port, to_port: data.to_port, kind: data.edge_type }),
    };
    data.iter().enumerate().map(convert).collect()
}

/// Adds edges that carry something to a graph: node to[i] waits for node from[i] as data[i] says. Either all edges are added
/// or none.
///
/// A host device runs each edge as one that carries nothing: the second kernel begins when the first one is over.
///
/// @param[in] graph  the graph
/// @param[in] from   the first node of each edge; may be NULL when count is 0
/// @param[in] to     the second node of each edge; may be NULL when count is 0
/// @param[in] data   what each edge carries; NULL for nothing
/// @param[in] count  the number of edges; 0 has no effect
/// @retval GRAPHCAP_SUCCESS               the edges were added
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is not a live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   from or to is NULL and count is not 0, a node is no node of the graph, an edge leads
///                                        from a node to itself, is there already or is listed twice, or the nodes of an
///                                        edge cannot have what it is to carry
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   an edge is to carry something, and the driver is older than 12.3
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   there is not enough memory
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_dependencies_with_data(
    graph: *const gc_graph,
    from: *const gc_node,
    to: *const gc_node,
    data: *const gc_edge_data,
    count: usize,
) -> gc_status {
    guard("gc_graph_add_dependencies_with_data", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        // SAFETY: C promises `count` nodes in both arrays, and data for each edge, not changed during the call.
        let (edges, data) = unsafe { (edges(from, to, count)?, read_data(data, count)?) };
        let edges: Vec<_> = edges.into_iter().zip(data).map(|((from, to), data)| (from, to, data)).collect();
        Ok(graph.add_dependencies_with_data(&edges)?)
    })
}

/// Lists the edges of a graph with what they carry: node to_out[i] waits for node from_out[i]. The order of the edges has no
/// meaning.
///
/// @param[in]  graph     the graph
/// @param[out] from_out  where to write the first node of each edge; may be NULL when capacity is 0
/// @param[out] to_out    where to write the second node of each edge; may be NULL when capacity is 0
/// @param[out] data_out  where to write what each edge carries; may be NULL when capacity is 0
/// @param[in]  capacity  how many edges fit; 0 asks only for the number of edges
/// @param[out] needed    the number of edges; may be NULL
/// @retval GRAPHCAP_SUCCESS                 all edges were written, or capacity is 0
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  as many were written as fit
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE    graph is not a live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     from_out, to_out or data_out is NULL and capacity is not 0, or capacity is 0 and
///                                          needed is NULL
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED     the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_edges_with_data(
    graph: *const gc_graph,
    from_out: *mut gc_node,
    to_out: *mut gc_node,
    data_out: *mut gc_edge_data,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    let mut counted = 0;
    // SAFETY: C promises that all arrays have `capacity` writable elements, and that `needed` is NULL or writable.
    let outs = unsafe {
        (
            ArrayOut::new([(from_out, "from_out"), (to_out, "to_out")], capacity, needed),
            ArrayOut::new([(data_out, "data_out")], capacity, &mut counted),
        )
    };
    guard("gc_graph_get_edges_with_data", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let edges = graph.edges_with_data()?;
        match outs.1.write(edges.iter().map(|&(.., data)| [gc_edge_data::from(data)])) {
            // Told by the other arrays.
            Ok(()) | Err(Failure::ArrayTooSmall { .. }) => {}
            Err(failure) => return Err(failure),
        }
        outs.0.write(edges.iter().map(|&(NodeId(from), NodeId(to), _)| [from, to]))
    })
}

/// Returns what an edge carries.
///
/// @param[in]  graph     the graph
/// @param[in]  from      the first node of the edge
/// @param[in]  to        the second node of the edge
/// @param[out] data_out  what it carries; 0 on failure
/// @retval GRAPHCAP_SUCCESS               data_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is not a live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   data_out is NULL, or the graph has no such edge
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_edge_data(
    graph: *const gc_graph,
    from: gc_node,
    to: gc_node,
    data_out: *mut gc_edge_data,
) -> gc_status {
    // SAFETY: C promises that `data_out` is NULL or writable.
    let out = unsafe { Out::number(data_out, "data_out") };
    guard("gc_graph_get_edge_data", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        out.write(graph.edge_data(NodeId(from), NodeId(to))?.into());
        Ok(())
    })
}

/// Sets the nodes that the next work recorded on a stream depends on, with what the edges from them carry. Otherwise the call
/// is as gc_stream_update_capture_dependencies(). Of a node that is listed twice the first entry counts. If that work is no
/// kernel, a host device makes edges that carry nothing.
///
/// @param[in] stream  a stream that is being captured
/// @param[in] nodes   nodes of the graph that is captured into; may be NULL when count is 0
/// @param[in] data    what the edge from each node carries; NULL for nothing
/// @param[in] count   the number of nodes
/// @param[in] flags   GRAPHCAP_CAPTURE_DEPENDENCIES_ADD or GRAPHCAP_CAPTURE_DEPENDENCIES_SET
/// @retval GRAPHCAP_SUCCESS                    the dependencies are set
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream is not a live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the flags are unknown, nodes is NULL or cannot be an array of that size, an
///                                             element is not a node of the graph, or an edge from it cannot carry that;
///                                             the capture goes on as it was
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is not being captured
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED        an edge is to carry something, and the driver is older than 12.3
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture was broken before
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream of the context is being
///                                             captured; the capture goes on
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_update_capture_dependencies_with_data(
    stream: *const gc_stream,
    nodes: *const gc_node,
    data: *const gc_edge_data,
    count: usize,
    flags: u32,
) -> gc_status {
    guard("gc_stream_update_capture_dependencies_with_data", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let update = dependency_update(flags)?;
        // SAFETY: C promises that `nodes` has `count` elements, and `data` as many unless it is NULL.
        let (nodes, data) = unsafe { (node_ids(nodes, count, "nodes")?, read_data(data, count)?) };
        let nodes: Vec<_> = nodes.into_iter().zip(data).collect();
        Ok(stream.update_capture_dependencies_with_data(&nodes, update)?)
    })
}
