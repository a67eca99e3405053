//! The capture that a stream is in, while it goes on: what is told of it, and what its next node depends
//! on.

use std::ffi::{c_char, c_void};
use std::mem::size_of;
use std::ptr;

use crate::ffi::boundary::{
    answer_borrowed, check_flags, gc_status, gc_stream, with_borrowed, with_clone, ArrayOut, Failure, Result,
    StructOut, TextOut, Versioned,
};
use crate::ffi::graphs::edges::{gc_edge_data, with_data};
use crate::ffi::graphs::graph::{gc_node, DOT_FLAGS, KNOWN_DOT_FLAGS};
use crate::ffi::graphs::node;
use crate::ffi::objects::stream::gc_capture_state;
use graphcap_core::DotFlags;
use graphcap_driver::{CaptureProgress, CaptureStatus, DependencyUpdate, NodeId};

/// The answer of gc_stream_capture_info(). If status is not GRAPHCAP_CAPTURE_STATUS_ACTIVE, the members after status
/// are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_capture_info {
    /// sizeof(gc_capture_info). Set it before the call.
    pub struct_size: u32,
    /// One of the GRAPHCAP_CAPTURE_STATUS_ numbers.
    pub status: gc_capture_state,
    /// The number of the capture. All streams in a capture have the same number. The numbers grow from capture to
    /// capture on one device. All captures into one existing graph have the number of that graph.
    pub id: u64,
    /// The number of nodes in the graph so far.
    pub node_count: usize,
    /// The number of edges in the graph so far.
    pub edge_count: usize,
    /// The number of nodes that the next recorded work of the stream will depend on. gc_stream_capture_frontier() lists
    /// them.
    pub frontier_count: usize,
    /// On a CUDA device the CUgraph, valid until the capture ends. Nodes may be added and edited. The graph and its
    /// nodes must not be destroyed. NULL on the host device.
    pub native_graph: *mut c_void,
    /// In a strict capture, the number of calls by which the thread that began it had work executed on streams outside
    /// of it, or was refused that in a guarded context; see GRAPHCAP_CAPTURE_STRICT. 0 in other captures.
    pub work_outside: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers and a pointer that may be NULL.
unsafe impl Versioned for gc_capture_info {}

/// The nodes are added to the nodes that the next work depends on.
pub const GRAPHCAP_CAPTURE_DEPENDENCIES_ADD: u32 = 0;
/// The nodes replace the nodes that the next work depends on.
pub const GRAPHCAP_CAPTURE_DEPENDENCIES_SET: u32 = 1;

/// Describes the capture that a stream is in: its status, its number, and the size of its graph so far.
///
/// @param[in]     stream    the stream
/// @param[in,out] info_out  in: struct_size; out: the description
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture_info(stream: *const gc_stream, info_out: *mut gc_capture_info) -> gc_status {
    // SAFETY: C promises that `info_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(info_out, "info_out") };
    answer_borrowed("gc_stream_capture_info", (stream, "stream"), out, |stream| {
        let (info, progress) = stream.capture_progress()?;
        let is_active = info.status == CaptureStatus::Active;
        let CaptureProgress { nodes, edges, frontier, native } = progress.unwrap_or_default();
        Ok(gc_capture_info {
            struct_size: size_of::<gc_capture_info>() as u32,
            status: info.status as gc_capture_state,
            id: if is_active { info.id } else { 0 },
            node_count: nodes,
            edge_count: edges,
            frontier_count: frontier.len(),
            native_graph: ptr::without_provenance_mut(native),
            work_outside: if is_active { stream.work_outside_capture() } else { 0 },
        })
    })
}

/// Lists the nodes that the next work recorded on a stream will depend on. There are none before the first work of a
/// capture, and none if the stream is not being captured or its capture was broken.
///
/// @param[in]  stream     the stream
/// @param[out] nodes_out  where to write; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture_frontier(
    stream: *const gc_stream,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_borrowed("gc_stream_capture_frontier", (stream, "stream"), |stream| {
        let (_, progress) = stream.capture_progress()?;
        out.write(progress.unwrap_or_default().frontier.into_iter().map(|NodeId(node)| [node]))
    })
}

/// Writes the graph that a stream's capture has recorded so far in Graphviz's DOT language, as gc_graph_export_dot()
/// does, without the names of nodes and events and without what lies within child nodes and conditional nodes.
///
/// @param[in]  stream    a stream that is being captured
/// @param[in]  flags     0 or GRAPHCAP_DOT_ flags
/// @param[out] text      where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     a flag is unknown
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is not being captured
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_export_capture_dot(
    stream: *const gc_stream,
    flags: u32,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_clone("gc_stream_export_capture_dot", (stream, "stream"), |stream| {
        check_flags(flags, DOT_FLAGS, "flags", KNOWN_DOT_FLAGS)?;
        let dot = stream.export_capture_dot(DotFlags(flags))?;
        out.write(&dot)
    })
}

/// Returns what the flags of an update of dependencies mean.
fn dependency_update(flags: u32) -> Result<DependencyUpdate> {
    match flags {
        GRAPHCAP_CAPTURE_DEPENDENCIES_ADD => Ok(DependencyUpdate::Add),
        GRAPHCAP_CAPTURE_DEPENDENCIES_SET => Ok(DependencyUpdate::Set),
        _ => {
            let known = "GRAPHCAP_CAPTURE_DEPENDENCIES_ADD or GRAPHCAP_CAPTURE_DEPENDENCIES_SET";
            Err(Failure::Unknown { argument: "flags", number: flags.into(), known })
        }
    }
}

/// Sets the nodes that the next work recorded on a stream depends on, and what the edges from them carry.
///
/// With GRAPHCAP_CAPTURE_DEPENDENCIES_SET and no nodes, the next work depends on nothing and starts a branch of its
/// own. Nodes that GRAPHCAP_CAPTURE_DEPENDENCIES_SET takes away need not be joined before the end of the capture. Of a
/// node that is listed twice the first entry counts. If the next work is no kernel, a host device makes edges that
/// carry nothing. On a CUDA device a node may also be one that others added to the graph, by the name that
/// gc_stream_capture_frontier() or gc_graph_get_nodes() lists.
///
/// @param[in] stream  a stream that is being captured
/// @param[in] nodes   nodes of the graph that is captured into; may be NULL when count is 0
/// @param[in] data    what the edge from each node carries; NULL for nothing
/// @param[in] count   the number of nodes
/// @param[in] flags   GRAPHCAP_CAPTURE_DEPENDENCIES_ADD or GRAPHCAP_CAPTURE_DEPENDENCIES_SET
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     an edge cannot carry its data; the capture goes on as it was
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is not being captured
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     an edge is to carry something, and the driver is older than 12.3
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_stream_update_capture_dependencies(
    stream: *const gc_stream,
    nodes: *const gc_node,
    data: *const gc_edge_data,
    count: usize,
    flags: u32,
) -> gc_status {
    with_borrowed("gc_stream_update_capture_dependencies", (stream, "stream"), |stream| {
        let update = dependency_update(flags)?;
        // SAFETY: C promises that `nodes` has `count` elements, and `data` as many unless it is NULL.
        let nodes =
            unsafe { with_data(node::nodes(nodes, count, "nodes")?.into_iter(), data, |node, data| (node, data)) }?;
        Ok(stream.update_capture_dependencies_with_data(&nodes, update)?)
    })
}
