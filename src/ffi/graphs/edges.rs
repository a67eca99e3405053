//! The edges of graphs: added, removed, listed, and what they carry: ports and types.

use super::graph::gc_node;
use super::node::nodes;
use crate::ffi::boundary::{gc_graph, gc_status, options, with_clone, ArrayOut, Failure, Result};
use graphcap_base::room;
use graphcap_driver::{EdgeData, NodeId};

/// gc_edge_data::from_port: the edge begins where the node ends.
pub const GRAPHCAP_PORT_DEFAULT: u8 = 0;
/// gc_edge_data::from_port: the edge begins where all blocks of the kernel have triggered, or ended. Together with
/// GRAPHCAP_EDGE_TYPE_PROGRAMMATIC.
pub const GRAPHCAP_PORT_PROGRAMMATIC: u8 = 1;
/// gc_edge_data::from_port: the edge begins where all blocks of the kernel have begun.
pub const GRAPHCAP_PORT_LAUNCH_ORDER: u8 = 2;

/// gc_edge_data::edge_type: the second node begins when the point that from_port names is reached.
pub const GRAPHCAP_EDGE_TYPE_DEFAULT: u8 = 0;
/// gc_edge_data::edge_type: the kernel may begin early, and waits by itself (griddepcontrol.wait) for what it needs.
pub const GRAPHCAP_EDGE_TYPE_PROGRAMMATIC: u8 = 1;

/// Data that an edge carries. All 0 is an edge as gc_graph_add_dependencies() makes it. Only an edge between two kernel nodes
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

/// The edges that C passed as two arrays.
///
/// # Safety
/// As [`nodes`], for both arrays.
unsafe fn edges(from: *const gc_node, to: *const gc_node, count: usize) -> Result<Vec<(NodeId, NodeId)>> {
    // SAFETY: passed on to the caller.
    let (from, to) = unsafe { (nodes(from, count, "from")?, nodes(to, count, "to")?) };
    let mut edges = room::list(count)?;
    edges.extend(from.into_iter().zip(to));
    Ok(edges)
}

/// Returns what each of `given` edges or nodes carries, as C passed it: nothing for NULL.
///
/// # Safety
/// `data` is NULL or points to as many elements as `given` has, which are not changed meanwhile.
pub(crate) unsafe fn with_data<G, T>(
    given: impl ExactSizeIterator<Item = G>,
    data: *const gc_edge_data,
    join: impl Fn(G, EdgeData) -> T,
) -> Result<Vec<T>> {
    let count = given.len();
    // Without data any count of nodes will do, with data that of its elements.
    let read = if data.is_null() { 0 } else { count };
    // SAFETY: passed on to the caller.
    let mut data = unsafe { options::elements(data, read, "data") }?.unwrap_or_default().iter().enumerate();
    let mut list = room::list(count)?;
    for given in given {
        let data = data.next().map_or(Ok(EdgeData::NONE), |(index, data)| edge_data(index, data))?;
        list.push(join(given, data));
    }
    Ok(list)
}

/// Returns what the element `index` of an array says.
fn edge_data(index: usize, data: &gc_edge_data) -> Result<EdgeData> {
    match data.reserved.iter().max() {
        Some(&number) if number > 0 => {
            let number = u32::from(number).into();
            Err(Failure::Unknown { argument: "data.reserved", number, known: "0" }.of_element(index))
        }
        _ => Ok(EdgeData { from_port: data.from_port, to_port: data.to_port, kind: data.edge_type }),
    }
}

/// Adds edges to a graph: node to[i] waits for node from[i], as data[i] says. Either all edges are added or none.
///
/// A cycle of edges is found when the graph is instantiated. A host device runs each edge as one that carries nothing: the
/// second kernel begins when the first one is over.
///
/// @param[in] graph  the graph
/// @param[in] from   the first node of each edge; may be NULL when count is 0
/// @param[in] to     the second node of each edge; may be NULL when count is 0
/// @param[in] data   what each edge carries; NULL for nothing
/// @param[in] count  the number of edges; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   an edge leads from a node to itself, is there already, is listed twice, or
///     cannot carry its data
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED   an edge is to carry something, and the driver is older than 12.3
#[no_mangle]
pub unsafe extern "C" fn gc_graph_add_dependencies(
    graph: *const gc_graph,
    from: *const gc_node,
    to: *const gc_node,
    data: *const gc_edge_data,
    count: usize,
) -> gc_status {
    with_clone("gc_graph_add_dependencies", (graph, "graph"), |graph| {
        // SAFETY: C promises `count` nodes in both arrays, and data for each edge, not changed during the call.
        let edges = unsafe {
            let edges = edges(from, to, count)?;
            with_data(edges.into_iter(), data, |(from, to), data| (from, to, data))?
        };
        Ok(graph.add_dependencies_with_data(&edges)?)
    })
}

/// Removes edges from a graph. Either all edges are removed or none.
///
/// @param[in] graph  the graph
/// @param[in] from   the first node of each edge; may be NULL when count is 0
/// @param[in] to     the second node of each edge; may be NULL when count is 0
/// @param[in] count  the number of edges; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  an edge is not there or is listed twice
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  a capture goes into the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the graph allocates or frees memory
#[no_mangle]
pub unsafe extern "C" fn gc_graph_remove_dependencies(
    graph: *const gc_graph,
    from: *const gc_node,
    to: *const gc_node,
    count: usize,
) -> gc_status {
    with_clone("gc_graph_remove_dependencies", (graph, "graph"), |graph| {
        // SAFETY: C promises `count` nodes in both arrays, not changed during the call.
        Ok(graph.remove_dependencies(&unsafe { edges(from, to, count) }?)?)
    })
}

/// Lists the edges of a graph: node to_out[i] waits for node from_out[i], as data_out[i] says. The order of the edges has no
/// meaning.
///
/// @param[in]  graph     the graph
/// @param[out] from_out  where to write the first node of each edge; may be NULL when capacity is 0
/// @param[out] to_out    where to write the second node of each edge; may be NULL when capacity is 0
/// @param[out] data_out  where to write what each edge carries; may be NULL, and edges must then carry nothing
/// @param[in]  capacity  how many edges fit; 0 asks only for the number of edges
/// @param[out] needed    the number of edges; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  from_out or to_out is NULL and capacity is not 0, or capacity is 0 and needed
///                                       is NULL
/// @retval GRAPHCAP_ERROR_LOSSY_QUERY    data_out is NULL, capacity is not 0, and an edge carries something
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_edges(
    graph: *const gc_graph,
    from_out: *mut gc_node,
    to_out: *mut gc_node,
    data_out: *mut gc_edge_data,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that the arrays have `capacity` writable elements, and that `needed` is NULL or writable.
    let (out, data_out) = unsafe {
        let data_out = (!data_out.is_null()).then(|| ArrayOut::new([(data_out, "data_out")], capacity, needed));
        (ArrayOut::new([(from_out, "from_out"), (to_out, "to_out")], capacity, needed), data_out)
    };
    with_clone("gc_graph_get_edges", (graph, "graph"), |graph| {
        let edges = match &data_out {
            None if capacity > 0 => graph.edges()?.into_iter().map(|(from, to)| (from, to, EdgeData::NONE)).collect(),
            _ => graph.edges_with_data()?,
        };
        // All arrays, before one is written.
        out.check()?;
        let data = data_out.map(|data| data.write(edges.iter().map(|&(.., data)| [gc_edge_data::from(data)])));
        out.write(edges.iter().map(|&(NodeId(from), NodeId(to), _)| [from, to])).and(data.unwrap_or(Ok(())))
    })
}
