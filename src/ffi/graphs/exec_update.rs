//! Updates of graph execs by graphs.

use super::graph::gc_node;
use crate::ffi::boundary::{
    check_flags, gc_graph, gc_graph_exec, gc_status, guard, handle, StructOut, StructPlace, Token, Versioned,
};
use graphcap_driver::{NodeId, UpdateReport};
use graphcap_kit::log_findings;

/// The answer of the driver to an update: one of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers, which are those of
/// CUgraphExecUpdateResult.
pub type gc_graph_exec_update_result = i32;

/// The update was made or, with GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN, can be made. Also the answer of a call that fails before the
/// driver compares anything.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_SUCCESS: gc_graph_exec_update_result = 0;
/// The driver refused the update for a reason that no other number tells.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_ERROR: gc_graph_exec_update_result = 1;
/// The number of nodes or the edges differ, or the order in which the edges of a node were added.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_TOPOLOGY_CHANGED: gc_graph_exec_update_result = 2;
/// A node is of another kind.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_NODE_TYPE_CHANGED: gc_graph_exec_update_result = 3;
/// A kernel node launches another function. Drivers since CUDA 11.2 allow that and do not answer this number.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_FUNCTION_CHANGED: gc_graph_exec_update_result = 4;
/// The parameters of a node differ in a way that an exec does not allow.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_PARAMETERS_CHANGED: gc_graph_exec_update_result = 5;
/// Something of a node cannot be updated: the kind of a conditional, or the number of its bodies.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_NOT_SUPPORTED: gc_graph_exec_update_result = 6;
/// A kernel node launches a function of another context.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_UNSUPPORTED_FUNCTION_CHANGE: gc_graph_exec_update_result = 7;
/// A launch attribute differs that an exec does not allow to differ: whether a kernel is cooperative, or its priority in
/// an exec made with GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_ATTRIBUTES_CHANGED: gc_graph_exec_update_result = 8;

/// gc_graph_exec_update(): compare the launch attributes of the kernel nodes, and tell of the first one that differs.
/// This takes time for each node: on a CUDA device more than the update itself.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES: u32 = 1;
/// gc_graph_exec_update(): answer what the update would answer, and change nothing.
pub const GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN: u32 = 2;

/// The answer of gc_graph_exec_update(). Members that do not apply are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_exec_update_info {
    /// sizeof(gc_graph_exec_update_info). Set it before the call.
    pub struct_size: u32,
    /// One of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers.
    pub result: gc_graph_exec_update_result,
    /// The status that the call returns.
    pub status: gc_status,
    /// The number of the first launch attribute (CUlaunchAttributeID) that differs and of which the exec keeps its own;
    /// 0 if none differs, or attributes were not compared.
    pub kept_attribute: u32,
    /// The node that the refusal, or the attribute, is about, as far as it is known: a node of the graph that the exec
    /// was made from.
    pub exec_node: gc_node,
    /// The node of the updating graph that it is about. CUDA calls it the error node.
    pub graph_node: gc_node,
    /// A node that graph_node depends on and that does not fit. CUDA calls it the error from-node.
    pub from_node: gc_node,
    /// The number of kernels of the exec that replay slower for good with the update than those of a new one, as far as it is
    /// known, as gc_graph_exec_apply() says. It is counted where attributes are compared. 0 on the host device.
    pub slower_count: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_graph_exec_update_info {}

/// Makes each node of a graph exec do what the matching node of a graph does, in later launches. This costs much less
/// than a new exec. Launches that were made before run as they were. A refused update changes nothing; the message
/// tells what differs, and names the nodes.
///
/// The driver matches nodes by their edges. It begins with the nodes that no other node depends on, the newest first,
/// and goes on from each node to those that it depends on, in the order in which the edges were added. Graphs that are
/// built or captured by the same calls in the same order match. The graph must have as many nodes as the exec, of the
/// same kinds and with the same edges, also within nodes.
///
/// What a node does may differ; its kind, the context of its kernel, the number of rows and the kinds of memory of its copy may
/// not. docs/edit-graphs.md lists what may differ.
///
/// After an update the exec keeps alive what the graph keeps alive. It lets go of what it kept before when the earlier
/// launches are complete, unless the native handle of the exec was given out. The graph may be changed or destroyed
/// afterwards. Functions that change nodes of the exec take the nodes of the graph that it was made from, as before.
/// Disabled nodes stay disabled, and the counter of replays goes on.
///
/// The exec keeps the launch attributes of its own kernel nodes, even if those of the graph differ: the driver does so,
/// and answers success. With GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES the call tells of it in
/// gc_graph_exec_update_info::kept_attribute.
///
/// The first call on a graph exec that was neither uploaded nor launched uploads it. On a CUDA device an upload may
/// wait for work of the device. The call harms no capture. A capture may be going into the graph: the exec gets what
/// was recorded so far.
///
/// With GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN the call tells whether the update would be made, without trying: it returns the same status,
/// with the same message and the same info_out. The launch attributes are compared. This takes time for each node; nothing is
/// changed or uploaded. On a CUDA device it returns GRAPHCAP_ERROR_INVALID_VALUE if the graph that the exec was made from was
/// destroyed before it was read. The call does not see what others do to a graph whose native handle was given out.
///
/// @param[in]     exec      the graph exec
/// @param[in]     graph     a graph of the same context, not within a node. The graph that the exec was made from is
///                          allowed
/// @param[in]     flags     0 or GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES and GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN combined with |
/// @param[in,out] info_out  in: struct_size; out: what was answered, also when the update is refused; may be NULL
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE  the update is refused; the exec is as it was
/// @retval GRAPHCAP_ERROR_INVALID_VALUE              memory of the graph is gone that GRAPHCAP_CAPTURE_NOTE_MEMORY
///     noted, or, with GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN on a CUDA device, it is not known any more what the exec was
///     made from
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE              the graph exec was made with GRAPHCAP_INSTANTIATE_SHAPE, on a CUDA
///                                                   device, and a capture goes into the graph
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT            exec and graph belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED              the exec or the graph has a node that kernels can change; on a CUDA
///                                                   device, the graph frees memory that another graph allocates, and
///                                                   the exec was made of that graph, or updated by it last: update
///                                                   by another one; the exec is as it was; or the graph exec was
///                                                   made with GRAPHCAP_INSTANTIATE_WATCH
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_update(
    exec: *const gc_graph_exec,
    graph: *const gc_graph,
    flags: u32,
    info_out: *mut gc_graph_exec_update_info,
) -> gc_status {
    // SAFETY: C promises that `info_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = (!info_out.is_null()).then(|| unsafe { StructOut::new(info_out, "info_out") });
    let place = out.as_ref().and_then(StructOut::place);
    let mut report = UpdateReport::default();
    let status = guard("gc_graph_exec_update", [Token::of(exec), Token::of(graph)], || {
        // Not borrowed: code of the caller's may run for what is superseded.
        let exec = handle::clone(exec, "exec")?;
        let graph = handle::clone(graph, "graph")?;
        let known = GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES | GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN;
        check_flags(
            flags,
            known,
            "flags",
            "0 or GRAPHCAP_GRAPH_EXEC_UPDATE_COMPARE_ATTRIBUTES and GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN",
        )?;
        out.map(StructOut::required).transpose()?;
        let updated = match flags & GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN {
            0 => exec.update(&graph, flags != 0)?,
            _ => exec.can_update(&graph)?,
        };
        report = updated.report;
        updated.outcome?;
        if cfg!(feature = "optimising") && flags & GRAPHCAP_GRAPH_EXEC_UPDATE_DRY_RUN == 0 {
            log_findings(&graph);
        }
        Ok(())
    });
    tell(&report, status, place);
    status
}

/// Writes what the call that ended with `status` answers, where C gave room for that.
fn tell(report: &UpdateReport, status: gc_status, place: Option<StructPlace<gc_graph_exec_update_info>>) {
    let Some(place) = place else { return };
    let name = |node: Option<NodeId>| node.map_or(0, |node| node.0);
    place.write(gc_graph_exec_update_info {
        struct_size: size_of::<gc_graph_exec_update_info>() as u32,
        result: report.result as gc_graph_exec_update_result,
        status,
        kept_attribute: report.kept_attribute.unwrap_or(0),
        exec_node: name(report.exec_node),
        graph_node: name(report.graph_node),
        from_node: name(report.from_node),
        slower_count: report.slower as u64,
    });
}
