//! Progress of the launches of a watched graph exec.

use std::ffi::c_char;

use super::graph::gc_node;
use crate::ffi::boundary::{
    answer_clone, gc_graph_exec, gc_status, one_of, with_clone, ArrayOut, Result, StructOut, TextOut, Versioned,
};
use graphcap_core::{NodeState, Progress};

/// Progress of a node: GRAPHCAP_NODE_WAITS, GRAPHCAP_NODE_READY or GRAPHCAP_NODE_COMPLETED.
pub type gc_node_state = u32;

/// gc_node_state: it waits for a node that has not completed.
pub const GRAPHCAP_NODE_WAITS: gc_node_state = 0;
/// gc_node_state: all that it waits for has completed, and it has not: it runs, or is about to. If the launch hangs, one of
/// these nodes does.
pub const GRAPHCAP_NODE_READY: gc_node_state = 1;
/// gc_node_state: it has completed.
pub const GRAPHCAP_NODE_COMPLETED: gc_node_state = 2;

/// Progress of the launches of a graph exec. They run one after another, and the nodes are those of the one that began last.
/// Start from GRAPHCAP_GRAPH_EXEC_PROGRESS_INFO_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_exec_progress_info {
    /// sizeof(gc_graph_exec_progress_info). Set it before the call.
    pub struct_size: u32,
    /// 1 if a launch has begun and not completed all its nodes, else 0. If it is 1 while completed_count and ready_count are 0, it is
    /// not known which nodes have completed, see GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS.
    pub is_running: u32,
    /// Number of launches that succeeded, as gc_graph_exec_num_replays() counts them.
    pub launch_count: u64,
    /// Number of them that have begun to run.
    pub begun_count: u64,
    /// Number of nodes of the graph.
    pub node_count: u64,
    /// Number of them that have completed.
    pub completed_count: u64,
    /// Number of those that are GRAPHCAP_NODE_READY.
    pub ready_count: u64,
    /// The first of these, or 0.
    pub first_ready: gc_node,
    /// The innermost conditional node that the launch is within, also in a child graph, or 0. This member and those that follow are 0
    /// on a CUDA device.
    pub conditional: gc_node,
    /// The node of its body that runs, or 0.
    pub body_node: gc_node,
    /// The turn of the innermost loop that the launch is within, from 1 on; 0 within none.
    pub turn: u64,
    /// Number of the body of that conditional node; 0 also where conditional is 0.
    pub body: u32,
    /// Always 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_graph_exec_progress_info {}

/// Tells how far the launches of a graph exec are that was made with GRAPHCAP_INSTANTIATE_WATCH: in numbers, and in words.
/// The text names the nodes that could run and have not completed, those that wait for them, and those that have completed,
/// each by its number, its kind, and its name or that of its kernel.
///
/// The call reads memory of the host, or asks about events, and waits for nothing, so a thread can make it while a launch hangs. A
/// node of a child graph or of a body is not in the lists: the node that it is within has not completed. On the host device the
/// text tells the conditional nodes that the launch is within, also those in child graphs: the body that runs, its turn in a loop,
/// and the node of the body.
///
/// @param[in]     exec          the graph exec
/// @param[in,out] progress_out  in: struct_size; out: how far it is; empty on failure
/// @param[out]    text          where to write; the text ends with a NUL. May be NULL when capacity is 0
/// @param[in]     capacity      bytes at text; 0 asks only for the size
/// @param[out]    needed        the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_BUFFER_TOO_SMALL  the text was cut to fit; progress_out is empty
/// @retval GRAPHCAP_ERROR_NOT_FOUND         the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_progress(
    exec: *const gc_graph_exec,
    progress_out: *mut gc_graph_exec_progress_info,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `progress_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(progress_out, "progress_out") };
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let words = unsafe { TextOut::new(text, capacity, needed) };
    answer_clone("gc_graph_exec_progress", (exec, "exec"), out, |exec| {
        words.check()?;
        let progress = exec.progress()?;
        words.write(&progress.text())?;
        Ok(of_progress(&progress))
    })
}

/// Lists the nodes of one state in the launch that gc_graph_exec_progress() tells of, each behind those that it waits for.
///
/// @param[in]  exec       the graph exec
/// @param[in]  state      GRAPHCAP_NODE_WAITS, GRAPHCAP_NODE_READY or GRAPHCAP_NODE_COMPLETED
/// @param[out] nodes_out  where to write, as the graph calls them; may be NULL when capacity is 0
/// @param[in]  capacity   how many nodes fit; 0 asks only for the number of nodes
/// @param[out] needed     the number of nodes; may be NULL
/// @retval GRAPHCAP_ERROR_NOT_FOUND      the graph exec was made without GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  state is unknown
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_nodes_in_state(
    exec: *const gc_graph_exec,
    state: gc_node_state,
    nodes_out: *mut gc_node,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `nodes_out` has `capacity` writable elements, and that `needed` is NULL or writable.
    let out = unsafe { ArrayOut::new([(nodes_out, "nodes_out")], capacity, needed) };
    with_clone("gc_graph_exec_nodes_in_state", (exec, "exec"), |exec| {
        let state = node_state(state)?;
        out.check()?;
        let nodes = exec.progress()?.nodes;
        let of_state: Vec<_> = nodes.into_iter().filter(|node| node.state == state).map(|node| [node.id.0]).collect();
        out.write(of_state.into_iter())
    })
}

fn node_state(state: gc_node_state) -> Result<NodeState> {
    let states = [
        (GRAPHCAP_NODE_WAITS, NodeState::Waits),
        (GRAPHCAP_NODE_READY, NodeState::Ready),
        (GRAPHCAP_NODE_COMPLETED, NodeState::Completed),
    ];
    one_of(states, state, "state", "the GRAPHCAP_NODE_ numbers")
}

/// The struct that tells it.
pub(in crate::ffi) fn of_progress(progress: &Progress) -> gc_graph_exec_progress_info {
    let within = if progress.is_running() { progress.within.as_slice() } else { &[] };
    let innermost = within.last();
    gc_graph_exec_progress_info {
        struct_size: size_of::<gc_graph_exec_progress_info>() as u32,
        is_running: u32::from(progress.is_running()),
        launch_count: progress.launches,
        begun_count: progress.begun,
        node_count: progress.nodes.len() as u64,
        completed_count: progress.completed() as u64,
        ready_count: progress.suspects().count() as u64,
        first_ready: progress.suspects().next().map_or(0, |node| node.id.0),
        conditional: innermost.map_or(0, |one| one.conditional.0 .0),
        body_node: innermost.and_then(|one| one.runs.as_ref()).map_or(0, |(node, _)| node.0),
        turn: within.iter().rev().find_map(|one| one.turn).unwrap_or(0),
        body: innermost.map_or(0, |one| one.body),
        reserved: 0,
    }
}

/// Writes JSON that tells when each node ran in the last replays of a trace that goes on, what it waited for, the path of nodes that took longest,
/// and when nothing ran; docs/tracing.md describes it. The call reads the whole file of the trace.
///
/// @param[in]  exec      the graph exec; replays before it was last set or updated are left out
/// @param[in]  replays   how many replays
/// @param[out] text      where to write; may be NULL when capacity is 0
/// @param[in]  capacity  bytes at text; 0 asks only for the size
/// @param[out] needed    the size of the whole text in bytes with its NUL; may be NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  no trace goes on, or its file cannot be read
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_times(
    exec: *const gc_graph_exec,
    replays: u64,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `text` has `capacity` writable bytes, and that `needed` is NULL or writable.
    let out = unsafe { TextOut::new(text, capacity, needed) };
    with_clone("gc_graph_exec_times", (exec, "exec"), |exec| {
        out.check()?;
        out.write(&exec.times_json(usize::try_from(replays).unwrap_or(usize::MAX))?)
    })
}
