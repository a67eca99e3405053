//! The nodes of graphs: as C passes them, and questions about them and about the order of a graph.

use smallvec::SmallVec;

use super::graph::gc_node;
use crate::ffi::boundary::{
    answer_clone, gc_graph, gc_status, handle, options, with_clone, ArrayOut, Failure, Out, Result,
};
use graphcap_base::room;
use graphcap_core::Graph;
use graphcap_driver::{NodeId, NodeKind};

/// gc_node_kind(): a kernel launch.
pub const GRAPHCAP_NODE_KERNEL: u32 = 0;
/// gc_node_kind(): a copy.
pub const GRAPHCAP_NODE_MEMCPY: u32 = 1;
/// gc_node_kind(): a memset.
pub const GRAPHCAP_NODE_MEMSET: u32 = 2;
/// gc_node_kind(): a host function.
pub const GRAPHCAP_NODE_HOST: u32 = 3;
/// gc_node_kind(): a graph that runs as one node.
pub const GRAPHCAP_NODE_CHILD: u32 = 4;
/// gc_node_kind(): nothing; a node where edges meet.
pub const GRAPHCAP_NODE_EMPTY: u32 = 5;
/// gc_node_kind(): a wait for an event.
pub const GRAPHCAP_NODE_EVENT_WAIT: u32 = 6;
/// gc_node_kind(): a record of an event.
pub const GRAPHCAP_NODE_EVENT_RECORD: u32 = 7;
/// gc_node_kind(): an allocation.
pub const GRAPHCAP_NODE_MEM_ALLOC: u32 = 10;
/// gc_node_kind(): the end of an allocation.
pub const GRAPHCAP_NODE_MEM_FREE: u32 = 11;
/// gc_node_kind(): value operations.
pub const GRAPHCAP_NODE_BATCH_MEM_OP: u32 = 12;
/// gc_node_kind(): graphs that run depending on a value.
pub const GRAPHCAP_NODE_CONDITIONAL: u32 = 13;
/// gc_node_kind(): a kind of the driver's that graphcap does not know.
pub const GRAPHCAP_NODE_OTHER: u32 = 2147483647;

/// The nodes that C passed as `argument`.
///
/// # Safety
/// `nodes` is NULL or points to `count` nodes that are not changed meanwhile.
pub(crate) unsafe fn nodes(
    nodes: *const gc_node,
    count: usize,
    argument: &'static str,
) -> Result<SmallVec<[NodeId; 8]>> {
    // SAFETY: passed on to the caller.
    let given = unsafe { options::elements(nodes, count, argument) }?.unwrap_or_default();
    let mut list = SmallVec::new();
    list.try_reserve(given.len()).map_err(|_| room::missing())?;
    list.extend(given.iter().copied().map(NodeId));
    Ok(list)
}

fn number_of(kind: NodeKind) -> u32 {
    match kind {
        NodeKind::Other => GRAPHCAP_NODE_OTHER,
        known => known as u32,
    }
}

/// Returns what kind of work a node does. Captured and added nodes, and nodes that others added, have kinds alike.
///
/// @param[in]  graph     the graph
/// @param[in]  node      one of its nodes
/// @param[out] kind_out  one of the GRAPHCAP_NODE_ numbers, which are those of CUgraphNodeType
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph
#[no_mangle]
pub unsafe extern "C" fn gc_node_kind(graph: *const gc_graph, node: gc_node, kind_out: *mut u32) -> gc_status {
    // SAFETY: C promises that `kind_out` is NULL or writable.
    let out = unsafe { Out::number(kind_out, "kind_out") };
    answer_clone("gc_node_kind", (graph, "graph"), out, |graph| Ok(number_of(graph.node_kind(NodeId(node))?)))
}

/// Lists the nodes that a node waits for, in the order in which they were made.
///
/// @param[in]  graph      the graph
/// @param[in]  node       one of its nodes
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph
/// @retval GRAPHCAP_ERROR_LOSSY_QUERY    capacity is not 0, and an edge to the node carries data;
///                                       gc_graph_get_edges() lists it
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_dependencies(
    graph: *const gc_graph,
    node: gc_node,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_clone("gc_node_get_dependencies", (graph, "graph"), |graph| {
        let node = NodeId(node);
        let nodes = if capacity == 0 { graph.all_dependencies(node)? } else { graph.dependencies(node)? };
        out.write(nodes.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Lists the nodes that wait for a node, in the order in which they were made.
///
/// @param[in]  graph      the graph
/// @param[in]  node       one of its nodes
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph
/// @retval GRAPHCAP_ERROR_LOSSY_QUERY    capacity is not 0, and an edge from the node carries data;
///                                       gc_graph_get_edges() lists it
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_dependents(
    graph: *const gc_graph,
    node: gc_node,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_clone("gc_node_get_dependents", (graph, "graph"), |graph| {
        let node = NodeId(node);
        let nodes = if capacity == 0 { graph.all_dependents(node)? } else { graph.dependents(node)? };
        out.write(nodes.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Lists the nodes of a graph that wait for no other node, in the order in which they were made.
///
/// @param[in]  graph      the graph
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_roots(
    graph: *const gc_graph,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_clone("gc_graph_get_roots", (graph, "graph"), |graph| {
        out.write(graph.roots()?.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Lists the nodes of a graph so that each node comes after the nodes that it waits for. Of the nodes that can come
/// next, the one that was made first comes first, so the order is always that of a graph with the same nodes and edges.
///
/// @param[in]  graph      the graph
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  the edges of the graph form a cycle
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_order(
    graph: *const gc_graph,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_clone("gc_graph_get_order", (graph, "graph"), |graph| {
        out.write(graph.order()?.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Returns the graph that a child node runs, or a body of a conditional node. The graph can be looked at, edited and
/// captured into like other graphs, for execs that are made later. It cannot be instantiated or become a child node; a
/// clone of the graph of a child node can. The body of a conditional node cannot be cloned.
///
/// @param[in]  graph      the graph that has the node
/// @param[in]  node       a child node, or a conditional node
/// @param[in]  index      0 for a child node; the index of the body for a conditional node
/// @param[out] graph_out  a handle of the graph, owned by the caller until gc_graph_destroy(); NULL on failure. When
///                        the node is removed, or the outermost graph destroyed, functions return
///                        GRAPHCAP_ERROR_INVALID_HANDLE for it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph or has no graph, or there is no body of that
///                                       index
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_graph(
    graph: *const gc_graph,
    node: gc_node,
    index: usize,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    answer_clone("gc_node_get_graph", (graph, "graph"), out, |graph| {
        handle::insert(body(graph.node_graphs(NodeId(node))?, index)?)
    })
}

/// One of the graphs of a node.
fn body(graphs: Vec<Graph>, index: usize) -> Result<Graph> {
    let unknown =
        || Failure::Unknown { argument: "index", number: index as i128, known: "less than the number of bodies" };
    graphs.into_iter().nth(index).ok_or_else(unknown)
}

/// Returns the graph that has a node: a graph, or one that lies within its nodes, at any depth.
///
/// @param[in]  graph      the graph to search
/// @param[in]  node       a node of the graph, or of a graph within it
/// @param[out] graph_out  a handle of the graph that has the node, owned by the caller until gc_graph_destroy(); NULL on
///                        failure. One of a graph within a node is as gc_node_get_graph() gives it
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  node is no node of the graph or of one within it
#[no_mangle]
pub unsafe extern "C" fn gc_node_get_containing_graph(
    graph: *const gc_graph,
    node: gc_node,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    answer_clone("gc_node_get_containing_graph", (graph, "graph"), out, |graph| {
        handle::insert(graph.containing(NodeId(node))?)
    })
}
