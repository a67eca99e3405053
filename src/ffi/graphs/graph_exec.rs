//! gc_graph_exec: the executable of a graph.

use super::graph::{
    GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH, GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH, GRAPHCAP_INSTANTIATE_SHAPE,
    GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY, GRAPHCAP_INSTANTIATE_WATCH, GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS,
};
use crate::ffi::boundary::{
    answer_borrowed, gc_graph_exec, gc_status, gc_stream, guard, handle, with_borrowed, with_two_clones, Out,
    StructOut, Token, Versioned,
};

/// Launches a graph exec once. The launch is called a replay. It runs in the stream's order, asynchronously to the
/// caller. The stream may be of any context on a device of the same kind. What the nodes use stays until the replay is
/// complete, whichever context it belongs to.
///
/// @param[in] exec    the graph exec
/// @param[in] stream  a stream of a context on a device of the same kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the graph allocates memory that an earlier launch left allocated, or
///                                             frees memory that is not allocated
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the graph exec and the stream belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured and the device cannot record the launch of
///                                             a graph; the capture is invalidated
/// @retval GRAPHCAP_ERROR_BUSY                 the graph exec shares memory (GRAPHCAP_POOL_SHARED) or random numbers
///     with other graph execs; the latest launch of these was on another stream, has no event behind it, and that
///     stream is being captured by now
#[no_mangle]
pub unsafe extern "C" fn gc_graph_launch(exec: *const gc_graph_exec, stream: *const gc_stream) -> gc_status {
    guard("gc_graph_launch", [Token::of(exec), Token::of(stream)], || {
        let pinned = handle::pin();
        let exec = handle::borrow(exec, "exec", &pinned)?;
        let stream = handle::borrow(stream, "stream", &pinned)?;
        Ok(exec.launch(stream)?)
    })
}

/// Prepares a graph exec for its first launch, which is faster then. The first upload that succeeds prepares
/// the graph exec. Later uploads have no effect, even on a stream that is being captured. An upload that
/// failed can be tried again.
///
/// A CUDA device leaves the upload to the first launch while a launch of an earlier exec has left memory of the graph
/// allocated, and if a node other than a kernel waits for a GRAPHCAP_LAUNCH_ATTRIBUTE_COMPLETION_EVENT.
///
/// @param[in] exec    the graph exec
/// @param[in] stream  a stream of a context on a device of the same kind; the upload runs in its order
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the graph exec and the stream belong to devices of different kinds
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_graph_upload(exec: *const gc_graph_exec, stream: *const gc_stream) -> gc_status {
    with_two_clones("gc_graph_upload", (exec, "exec"), (stream, "stream"), |exec, stream| Ok(exec.upload(&stream)?))
}

/// Counts the launches of a graph exec that succeeded, whether they have run yet or not.
///
/// @param[in]  exec       the graph exec
/// @param[out] count_out  the number of launches
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_num_replays(exec: *const gc_graph_exec, count_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `count_out` is NULL or writable.
    let out = unsafe { Out::number(count_out, "count_out") };
    answer_borrowed("gc_graph_exec_num_replays", (exec, "exec"), out, |exec| Ok(exec.num_replays()))
}

/// Returns whether an upload of a graph exec succeeded.
///
/// @param[in]  exec          the graph exec
/// @param[out] uploaded_out  1 if an upload succeeded, else 0
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_is_uploaded(exec: *const gc_graph_exec, uploaded_out: *mut i32) -> gc_status {
    // SAFETY: C promises that `uploaded_out` is NULL or writable.
    let out = unsafe { Out::number(uploaded_out, "uploaded_out") };
    answer_borrowed("gc_graph_exec_is_uploaded", (exec, "exec"), out, |exec| Ok(i32::from(exec.is_uploaded())))
}

/// Facts about a graph exec. Start from GRAPHCAP_GRAPH_EXEC_INFO_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_graph_exec_info {
    /// sizeof(gc_graph_exec_info). Set it before the call.
    pub struct_size: u32,
    /// The GRAPHCAP_INSTANTIATE_ flags that it was made with, as the driver tells them: GRAPHCAP_INSTANTIATE_UPLOAD and
    /// GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY are never among them.
    pub flags: u32,
    /// The generation of its context in which it was made. A program that keeps graph execs can compare it with
    /// gc_context_info::generation; graphcap itself refuses a graph exec of an older generation.
    pub generation: u64,
    /// The number of nodes that a launch runs, also those that GRAPHCAP_INSTANTIATE_WATCH adds, and on a CUDA device those that
    /// set grids (gc_node_set_grid_scalar()). Those that GRAPHCAP_INSTANTIATE_SHAPE adds are not counted.
    pub node_count: u64,
    /// As gc_graph_exec_num_replays().
    pub num_replays: u64,
    /// As gc_graph_exec_is_uploaded().
    pub is_uploaded: u32,
    /// 0.
    pub reserved: u32,
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_graph_exec_info {}

/// Describes a graph exec. The call may be made inside callbacks.
///
/// @param[in]     exec      the graph exec
/// @param[in,out] info_out  in: struct_size; out: the description
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_get_info(
    exec: *const gc_graph_exec,
    info_out: *mut gc_graph_exec_info,
) -> gc_status {
    // SAFETY: C promises that `info_out` is NULL, or has as many writable bytes as its struct_size states.
    let out = unsafe { StructOut::new(info_out, "info_out") };
    with_borrowed("gc_graph_exec_get_info", (exec, "exec"), |exec| {
        let flags = exec.known_flags();
        let bit = |is_set, flag| if is_set { flag } else { 0 };
        out.required()?.write(gc_graph_exec_info {
            struct_size: size_of::<gc_graph_exec_info>() as u32,
            flags: bit(flags.auto_free, GRAPHCAP_INSTANTIATE_AUTO_FREE_ON_LAUNCH)
                | bit(flags.device_launch, GRAPHCAP_INSTANTIATE_DEVICE_LAUNCH)
                | bit(flags.node_priorities, GRAPHCAP_INSTANTIATE_USE_NODE_PRIORITY)
                | bit(flags.watched, GRAPHCAP_INSTANTIATE_WATCH)
                | bit(flags.watched_by_events, GRAPHCAP_INSTANTIATE_WATCH_BY_EVENTS)
                | bit(flags.shaped, GRAPHCAP_INSTANTIATE_SHAPE),
            generation: exec.context().generation(),
            node_count: exec.node_count() as u64,
            num_replays: exec.num_replays(),
            is_uploaded: u32::from(exec.is_uploaded()),
            reserved: 0,
        });
        Ok(())
    })
}

/// Destroys a graph exec. Queued launches still run, and are not waited for. Memory that only this graph exec kept alive is
/// freed when the launches have completed, as gc_buffer_destroy() describes. The destroy of a graph exec that was wrapped as
/// borrowed waits, a second at most, for calls of other threads that may see it.
///
/// @param[in] exec  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_destroy(exec: *mut gc_graph_exec) -> gc_status {
    guard("gc_graph_exec_destroy", [], || handle::destroy(exec, "exec"))
}
