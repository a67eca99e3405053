//! Nodes and edges of a graph, as the driver lists them.

use cudarc::driver::sys::CUgraphEdgeData;

use super::edge_data::carried;
use super::nodes::{NodeTable, Nodes};
use crate::api::{self, Api, DriverError, Handle, Node};
use graphcap_base::error::{Result, Status};
use graphcap_base::room;
use graphcap_driver::{EdgeData, NodeId};

/// Returns what `older` answers where the driver does not have the function that was called.
pub(super) fn or_older(
    result: Result<(), DriverError>,
    older: impl FnOnce() -> Result<(), DriverError>,
) -> Result<(), DriverError> {
    match result {
        Err(refusal) if refusal.since.is_some() => older(),
        other => other,
    }
}

/// Number of nodes.
///
/// # Safety
/// `graph` is a live graph that no other thread uses.
pub(crate) unsafe fn node_count(api: &Api, graph: api::GraphHandle) -> Result<usize, DriverError> {
    let mut count = 0;
    // SAFETY: the caller promises the graph; without room for nodes the driver counts only.
    unsafe { api.cuGraphGetNodes(graph, std::ptr::null_mut(), &mut count) }?;
    Ok(count)
}

/// Number of edges.
///
/// # Safety
/// As [`node_count`].
pub(crate) unsafe fn edge_count(api: &Api, graph: api::GraphHandle) -> Result<usize, DriverError> {
    use std::ptr::null_mut;
    let mut count = 0;
    // SAFETY: the caller promises the graph; without room for edges the driver counts only.
    let counted = unsafe { api.cuGraphGetEdges_v2(graph, null_mut(), null_mut(), null_mut(), &mut count) };
    // A driver without it has no edges that carry data, which the older function refuses.
    // SAFETY: as above.
    or_older(counted, || unsafe { api.cuGraphGetEdges(graph, null_mut(), null_mut(), &mut count) })?;
    Ok(count)
}

/// The data of an edge that has none.
pub(super) const NO_DATA: CUgraphEdgeData = CUgraphEdgeData { from_port: 0, to_port: 0, type_: 0, reserved: [0; 5] };

/// The nodes.
///
/// # Safety
/// As [`node_count`].
pub(crate) unsafe fn nodes(api: &Api, graph: api::GraphHandle) -> Result<Vec<Node>, DriverError> {
    // SAFETY: passed on to the caller.
    unsafe { list(api, graph, node_count(api, graph)?) }
}

/// The nodes, of which there are mostly as many as expected: then one call is made. None is expected where there is none.
///
/// # Safety
/// As [`node_count`].
pub(crate) unsafe fn list(api: &Api, graph: api::GraphHandle, expected: usize) -> Result<Vec<Node>, DriverError> {
    if expected == 0 {
        return Ok(Vec::new());
    }
    // One more, to see whether there are more.
    let mut count = expected + 1;
    loop {
        let room = count;
        let mut nodes = vec![Handle::NULL; room];
        // SAFETY: the caller promises the graph; there is room for as many nodes as are told.
        unsafe { api.cuGraphGetNodes(graph, nodes.as_mut_ptr(), &mut count) }?;
        if count < room {
            nodes.truncate(count);
            return Ok(nodes);
        }
        // SAFETY: passed on to the caller.
        count = unsafe { node_count(api, graph) }?.max(room) + 1;
    }
}

/// The edges, from and to, with what they carry.
///
/// # Safety
/// As [`node_count`].
pub(crate) unsafe fn all_edges(api: &Api, graph: api::GraphHandle) -> Result<Vec<(Node, Node, EdgeData)>, DriverError> {
    // SAFETY: passed on to the caller.
    unsafe { list_edges(api, graph, edge_count(api, graph)?) }
}

/// As [`all_edges`], which are as many as [`edge_count`] told just now.
///
/// # Safety
/// As [`node_count`].
pub(crate) unsafe fn list_edges(
    api: &Api,
    graph: api::GraphHandle,
    mut count: usize,
) -> Result<Vec<(Node, Node, EdgeData)>, DriverError> {
    let (mut from, mut to) = (vec![Handle::NULL; count], vec![Handle::NULL; count]);
    let mut data = vec![NO_DATA; count];
    if count > 0 {
        let (from, to) = (from.as_mut_ptr(), to.as_mut_ptr());
        // SAFETY: there is room for as many edges as are told.
        let got = unsafe { api.cuGraphGetEdges_v2(graph, from, to, data.as_mut_ptr(), &mut count) };
        // SAFETY: as above.
        or_older(got, || unsafe { api.cuGraphGetEdges(graph, from, to, &mut count) })?;
    }
    Ok(from.into_iter().zip(to).zip(&data).take(count).map(|((from, to), data)| (from, to, carried(data))).collect())
}

/// The handles of named nodes of a graph; the first name that stands for none as the inner error. Where others may have
/// changed the graph, its nodes are listed anew first; those of a copy when they are first asked for.
///
/// # Safety
/// As [`node_count`]; `table` has the names of its nodes.
pub(crate) unsafe fn find_nodes(
    api: &Api,
    graph: api::GraphHandle,
    table: &mut NodeTable,
    are_others_there: bool,
    ids: &[NodeId],
) -> Result<Result<Nodes, NodeId>, DriverError> {
    // SAFETY: passed on to the caller.
    unsafe { look(api, graph, table, are_others_there) }?;
    Ok(table.nodes(ids))
}

/// Lists the nodes of a graph where its table may not know of all changes.
///
/// # Safety
/// As [`find_nodes`].
pub(super) unsafe fn look(
    api: &Api,
    graph: api::GraphHandle,
    table: &mut NodeTable,
    are_others_there: bool,
) -> Result<(), DriverError> {
    // SAFETY: passed on to the caller.
    unsafe { list_copy(api, graph, table) }?;
    if are_others_there {
        // SAFETY: passed on to the caller.
        let listed = match table.listed() {
            // SAFETY: passed on to the caller.
            0 => unsafe { nodes(api, graph) },
            // Mostly nobody changed it: then one call is made.
            // SAFETY: as above.
            known => unsafe { list(api, graph, known) },
        };
        table.update(listed?);
    }
    Ok(())
}

/// Lists the nodes of a graph that is a copy, unless that was done, before anything changes it.
///
/// # Safety
/// As [`find_nodes`].
pub(crate) unsafe fn list_copy(api: &Api, graph: api::GraphHandle, table: &mut NodeTable) -> Result<(), DriverError> {
    let copies = table.copies_to_list();
    // SAFETY: passed on to the caller.
    if copies > 0 && !table.list_copy(unsafe { list(api, graph, copies) }?) {
        let function = "cuGraphGetNodes, which tells another number of nodes of a copy than of its original,";
        return Err(DriverError { function, status: Status::UNKNOWN, since: None });
    }
    Ok(())
}

/// Returns whether there is memory for lists of so many nodes and edges: the driver's, and those that are made of them.
pub(crate) fn ask_room((nodes, edges): (usize, usize)) -> Result<()> {
    const OF_NODE: usize = 6 * size_of::<(Node, Node)>();
    const OF_EDGE: usize = 4 * size_of::<(Node, Node)>() + size_of::<CUgraphEdgeData>();
    room::ask(nodes.saturating_mul(OF_NODE).saturating_add(edges.saturating_mul(OF_EDGE)))
}
