//! Graph execs that come to do what a graph does, by the cheapest way that is right.

use std::ffi::{c_char, CStr};
use std::time::Duration;

use super::exec_update::gc_graph_exec_update_result;
use super::graph::gc_node;
use crate::ffi::boundary::{
    check_flags, gc_graph, gc_graph_exec, gc_status, gc_stream, guard, handle, options, Result, StructOut, StructPlace,
    Token, Versioned,
};
use graphcap_core::{Applied, ApplyOptions, Reason, Stream};
use graphcap_driver::rules::apply_route::{Route, Routes};
use graphcap_driver::NodeId;
use graphcap_kit::log_findings;

/// gc_graph_exec_apply_options::flags: do not set single nodes.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET: u32 = 1;
/// gc_graph_exec_apply_options::flags: do not update the graph exec as a whole.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE: u32 = 2;
/// gc_graph_exec_apply_options::flags: do not instantiate the graph. The call then waits for no work of the device.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW: u32 = 4;
/// gc_graph_exec_apply_options::flags: the kernels may keep the launch attributes that they have in the graph exec, even if those
/// of the graph differ.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES: u32 = 8;

/// Options of gc_graph_exec_apply(). 0 is the default of every member.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_exec_apply_options {
    /// sizeof(gc_graph_exec_apply_options).
    pub struct_size: u32,
    /// 0 or GRAPHCAP_GRAPH_EXEC_APPLY_ flags.
    pub flags: u32,
    /// The stream that the graph exec is uploaded on if the graph is instantiated: one of a context on a device of its kind. NULL for
    /// no upload.
    pub upload_stream: *const gc_stream,
    /// The number of replays that are expected before the graph exec is changed again; 0 where only the time of the call
    /// counts, and of the launch behind it. See gc_graph_exec_apply().
    pub expected_replays: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers and a pointer, which may be NULL.
unsafe impl Versioned for gc_graph_exec_apply_options {}

/// The way in which a graph exec came to do what a graph does: one of the GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ numbers.
pub type gc_graph_exec_apply_route = i32;

/// Nothing was done: the graph exec does what the graph does.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING: gc_graph_exec_apply_route = 0;
/// Single nodes of the graph exec were set.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_SET: gc_graph_exec_apply_route = 1;
/// The graph exec was updated as a whole, as gc_graph_exec_update() does.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_UPDATE: gc_graph_exec_apply_route = 2;
/// The graph was instantiated, and took the place of what the graph exec was.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ANEW: gc_graph_exec_apply_route = 3;

/// The reason for the route that gc_graph_exec_apply() took: one of the GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ numbers.
/// gc_graph_exec_apply_reason_description() tells them in words.
pub type gc_graph_exec_apply_reason = i32;

/// The graph exec does what the graph does.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_UNCHANGED: gc_graph_exec_apply_reason = 0;
/// It is known which nodes were changed, and to set them costs less than an update.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FEW_NODES: gc_graph_exec_apply_reason = 1;
/// It is known which nodes were changed, and an update costs less than to set them.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_NODES: gc_graph_exec_apply_reason = 2;
/// It is not known which nodes differ: the graph exec does the work of another graph, more was changed than the work of
/// nodes, a capture went into the graph, or its native handle was given out.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_NOT_KNOWN: gc_graph_exec_apply_reason = 3;
/// The graph exec cannot be updated by the graph. update_result tells why.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_REFUSED: gc_graph_exec_apply_reason = 4;
/// A launch attribute differs, and an update would keep that of the graph exec.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ATTRIBUTE: gc_graph_exec_apply_reason = 5;
/// The flags allow no cheaper way.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ONLY_ALLOWED: gc_graph_exec_apply_reason = 6;

/// The call failed before it looked for a way. gc_graph_exec_apply_report::status tells why.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED: gc_graph_exec_apply_reason = 7;

/// So many replays are expected that a new graph exec takes less time in all, as it replays faster than one that was changed.
pub const GRAPHCAP_GRAPH_EXEC_APPLY_REASON_MANY_REPLAYS: gc_graph_exec_apply_reason = 8;

/// Report of gc_graph_exec_apply(): its way, the reason, and the cost. Members that do not apply are 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_exec_apply_report {
    /// sizeof(gc_graph_exec_apply_report). Set it before the call.
    pub struct_size: u32,
    /// One of the GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_ numbers. If the call fails, the way that was tried last;
    /// GRAPHCAP_GRAPH_EXEC_APPLY_ROUTE_NOTHING if none was.
    pub route: gc_graph_exec_apply_route,
    /// One of the GRAPHCAP_GRAPH_EXEC_APPLY_REASON_ numbers.
    pub reason: gc_graph_exec_apply_reason,
    /// The status that the call returns.
    pub status: gc_status,
    /// The answer of the driver to an update, if one was tried: one of the GRAPHCAP_GRAPH_EXEC_UPDATE_ numbers.
    pub update_result: gc_graph_exec_update_result,
    /// The number of the launch attribute (CUlaunchAttributeID) because of which the graph was instantiated; 0 if none
    /// differs.
    pub kept_attribute: u32,
    /// The node of the graph exec that a refused update or the attribute is about, as far as it is known.
    pub exec_node: gc_node,
    /// The node of the graph that it is about.
    pub graph_node: gc_node,
    /// A node that graph_node depends on and that does not fit.
    pub from_node: gc_node,
    /// Number of nodes that the graph exec has now.
    pub node_count: u64,
    /// Number of them that did something else than those of the graph; UINT64_MAX where that is not known.
    pub changed_count: u64,
    /// Time that the call took, in nanoseconds.
    pub nanoseconds: u64,
    /// Time that the next launch takes longer than usual on the calling thread, in nanoseconds. This is an estimate from
    /// measurements of such a device.
    pub next_launch_nanoseconds: u64,
    /// The number of kernels of the graph exec that replay slower from here on than those of a new one, as far as it is known.
    /// It is counted where so many replays are expected that a new graph exec could pay. Kernels of child graphs and of bodies
    /// are not counted. 0 on the host device.
    pub slower_count: u64,
}
// SAFETY: repr(C), starts with its size, and holds integers.
unsafe impl Versioned for gc_graph_exec_apply_report {}

/// Makes a graph exec do what a graph does, in later launches, by the cheapest way that is right. Launches that were made
/// before run as they were. Later launches run behind them, on whatever streams. If the call fails, the graph exec is
/// as it was. docs/edit-graphs.md has the costs. The call goes one of four ways:
/// - Nothing: it is known that the graph exec does what the graph does.
/// - Set: the graph is the one that the graph exec was made from, and single nodes were changed since, in the graph or
///   in the graph exec. They are set, which costs time for each changed node alone.
/// - Update: as gc_graph_exec_update() does, which costs time for each node. A new capture is applied this way.
/// - Anew: the graph is instantiated with the flags that the graph exec was made with, and takes the place of what the
///   graph exec was, behind the same handle. The call does this where an update is refused, or would keep a launch
///   attribute that differs. Disabled nodes stay disabled, and the counter of replays goes on. From then on functions
///   that change nodes of the graph exec take the nodes of this graph.
///
/// Anew may wait for all work of the device, and calls of other threads to the driver may wait meanwhile;
/// GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW bars it. So may the first call on a graph exec that was neither uploaded nor launched,
/// since it uploads it.
///
/// NVIDIA's driver replays a graph exec of about 190 nodes and more slower for good where kernels were changed in it;
/// gc_graph_exec_apply_options::expected_replays has the call weigh that. Launch attributes are compared where kernels may have
/// some, which takes time for each kernel node; GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES saves it.
///
/// Several threads may call this, launch and change the graph exec at once. Each launch runs the work of before or
/// after a call, never parts of both.
///
/// @param[in]     exec        the graph exec
/// @param[in]     graph       a graph of the same context, not within a node
/// @param[in]     options     NULL for the defaults
/// @param[in,out] report_out  in: struct_size; out: what was done, also when the call is refused; may be NULL
/// @retval GRAPHCAP_ERROR_GRAPH_EXEC_UPDATE_FAILURE  an update is refused, and the flags keep the graph from being
///                                                   instantiated
/// @retval GRAPHCAP_ERROR_INVALID_VALUE              the graph cannot be launched, or memory of it is gone that
///     GRAPHCAP_CAPTURE_NOTE_MEMORY noted
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT            exec and graph belong to different contexts, or upload_stream is
///                                                   of a device of another kind
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE              as for gc_graph_exec_update(); or the graph would have to be
///                                                   instantiated, and one of these is so: the native handle of the
///                                                   graph exec was given out; nodes of the graph exec are disabled and
///                                                   it is not known which nodes of the graph they are; or the driver
///                                                   cannot tell how far a stream is on which the graph exec was
///                                                   launched, because that stream is being captured, is the per-thread
///                                                   stream of another thread, was destroyed, is of another device, or
///                                                   has for a second had a call of another thread in progress
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED              the graph would have to be instantiated and can have only one
///                                                   graph exec at a time; or the flags allow no way; or the graph exec
///                                                   was made with GRAPHCAP_INSTANTIATE_WATCH
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED        as gc_graph_instantiate() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT           as gc_graph_instantiate() has it
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_apply(
    exec: *const gc_graph_exec,
    graph: *const gc_graph,
    options: *const gc_graph_exec_apply_options,
    report_out: *mut gc_graph_exec_apply_report,
) -> gc_status {
    // SAFETY: C promises that `report_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = (!report_out.is_null()).then(|| unsafe { StructOut::new(report_out, "report_out") });
    let place = out.as_ref().and_then(StructOut::place);
    let mut applied = None;
    let status = guard("gc_graph_exec_apply", [Token::of(exec), Token::of(graph)], || {
        let exec = handle::clone(exec, "exec")?;
        let graph = handle::clone(graph, "graph")?;
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let (options, upload) = unsafe { read(options) }?;
        out.map(StructOut::required).transpose()?;
        let told = applied.insert(exec.apply(&graph, &ApplyOptions { upload: upload.as_ref(), ..options })?);
        std::mem::replace(&mut told.outcome, Ok(()))?;
        if cfg!(feature = "optimising") && told.reason != Reason::Unchanged {
            log_findings(&graph);
        }
        Ok(())
    });
    tell(applied.as_ref(), status, place);
    status
}

/// Returns a sentence that says what a reason means.
///
/// @param[in] reason  any number
/// @return a static text, never NULL. Never fails, not even in a forked child.
#[no_mangle]
pub extern "C" fn gc_graph_exec_apply_reason_description(reason: gc_graph_exec_apply_reason) -> *const c_char {
    const FAILED: &CStr = c"The call failed before it looked for a way.";
    const UNRECOGNIZED: &CStr = c"This version of graphcap does not know the reason.";
    if reason == GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED {
        return FAILED.as_ptr();
    }
    let reason = Reason::ALL.into_iter().find(|&known| known as gc_graph_exec_apply_reason == reason);
    reason.map_or(UNRECOGNIZED, |reason| reason.description()).as_ptr()
}

/// Reads and checks the options.
///
/// # Safety
/// `options` is NULL or points to as many readable bytes as its struct_size states.
unsafe fn read(options: *const gc_graph_exec_apply_options) -> Result<(ApplyOptions<'static>, Option<Stream>)> {
    const KNOWN: u32 = GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET
        | GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE
        | GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW
        | GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES;
    // SAFETY: passed on to the caller.
    let options = unsafe { options::read_or_default(options, "options") }?;
    check_flags(options.flags, KNOWN, "options.flags", "0 or GRAPHCAP_GRAPH_EXEC_APPLY_ flags")?;
    let has = |flag| options.flags & flag != 0;
    let upload = handle::optional(options.upload_stream, "options.upload_stream")?;
    let routes = Routes {
        set_nodes: !has(GRAPHCAP_GRAPH_EXEC_APPLY_NO_SET),
        update: !has(GRAPHCAP_GRAPH_EXEC_APPLY_NO_UPDATE),
        anew: !has(GRAPHCAP_GRAPH_EXEC_APPLY_NO_ANEW),
    };
    let ignores_attributes = has(GRAPHCAP_GRAPH_EXEC_APPLY_IGNORE_ATTRIBUTES);
    Ok((ApplyOptions { routes, ignores_attributes, upload: None, expected_replays: options.expected_replays }, upload))
}

/// Writes what the call that ended with `status` did, where C gave room for that. Nothing was done where `applied` is `None`.
fn tell(applied: Option<&Applied>, status: gc_status, place: Option<StructPlace<gc_graph_exec_apply_report>>) {
    let Some(place) = place else { return };
    let report = applied.map(|applied| applied.report).unwrap_or_default();
    let name = |node: Option<NodeId>| node.map_or(0, |node| node.0);
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    place.write(gc_graph_exec_apply_report {
        struct_size: size_of::<gc_graph_exec_apply_report>() as u32,
        route: applied.map_or(Route::Nothing, |applied| applied.route) as gc_graph_exec_apply_route,
        reason: applied
            .map_or(GRAPHCAP_GRAPH_EXEC_APPLY_REASON_FAILED, |applied| applied.reason as gc_graph_exec_apply_reason),
        status,
        update_result: report.result as gc_graph_exec_update_result,
        kept_attribute: report.kept_attribute.unwrap_or(0),
        exec_node: name(report.exec_node),
        graph_node: name(report.graph_node),
        from_node: name(report.from_node),
        node_count: applied.map_or(0, |applied| applied.nodes as u64),
        changed_count: applied.map_or(0, |applied| applied.changed.map_or(u64::MAX, |changed| changed as u64)),
        nanoseconds: applied.map_or(0, |applied| nanoseconds(applied.took)),
        next_launch_nanoseconds: applied.map_or(0, |applied| nanoseconds(applied.next_launch)),
        slower_count: report.slower as u64,
    });
}
