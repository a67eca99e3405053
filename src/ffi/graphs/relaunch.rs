//! From a capture to a graph exec in one call, and launches on the stream that it was captured on.

use super::graph::{gc_instantiate_options, Instantiation};
use crate::ffi::boundary::{answer_clone, gc_graph_exec, gc_status, gc_stream, handle, with_borrowed, Out};

/// Ends the capture of a stream and makes a graph exec of what was recorded: gc_stream_end_capture(),
/// gc_graph_instantiate() and gc_graph_destroy() in one call. The graph exec remembers the stream, and
/// gc_graph_relaunch() launches it there. It does not keep the stream alive.
///
/// The capture is over as it is after gc_stream_end_capture(). Where that succeeds and no graph exec can be made, the graph
/// is destroyed. The options are checked first; where they are not valid, the capture goes on.
///
/// Calls that change a graph exec, as gc_graph_exec_set_kernel_node(), need its graph: a program that makes them calls the three
/// functions itself.
///
/// @param[in]  stream    the stream that the capture was begun on
/// @param[in]  options   how to make the graph exec; NULL for the defaults
/// @param[out] exec_out  the new graph exec, owned by the caller until gc_graph_exec_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE         as gc_graph_instantiate() has it
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE         the stream is not being captured
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT       upload_stream is of a device of another kind; or as
///                                              gc_stream_end_capture() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED   an earlier call broke the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED     as gc_stream_end_capture() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED      a stream that joined the capture was not joined back
/// @retval GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD  another thread began the capture, in a mode other than relaxed
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT      as gc_stream_end_capture() and gc_graph_instantiate() have it
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED   another capture bars this thread from instantiating, or the stream of
///                                              the upload is being captured; that capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED         as gc_graph_instantiate() has it
#[no_mangle]
pub unsafe extern "C" fn gc_stream_end_capture_exec(
    stream: *const gc_stream,
    options: *const gc_instantiate_options,
    exec_out: *mut *mut gc_graph_exec,
) -> gc_status {
    // SAFETY: C promises that `exec_out` is NULL or writable.
    let out = unsafe { Out::handle(exec_out, "exec_out") };
    answer_clone("gc_stream_end_capture_exec", (stream, "stream"), out, |stream| {
        // SAFETY: C promises that `options` is NULL or points to as many bytes as its struct_size states.
        let instantiation = unsafe { Instantiation::read(options, stream.context()) }?;
        let exec = stream.end_capture_exec(|graph| instantiation.make(graph))?;
        handle::insert(exec)
    })
}

/// Launches a graph exec once on the stream that it remembers, as gc_graph_launch() does. gc_stream_end_capture_exec() makes
/// graph execs that remember a stream.
///
/// @param[in] exec  the graph exec
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the graph exec remembers no stream, or the stream was destroyed
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the graph allocates memory that an earlier launch left allocated, or
///                                             frees memory that is not allocated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being captured;
///                                             the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_BUSY                 as gc_graph_launch() has it
#[no_mangle]
pub unsafe extern "C" fn gc_graph_relaunch(exec: *const gc_graph_exec) -> gc_status {
    with_borrowed("gc_graph_relaunch", (exec, "exec"), |exec| Ok(exec.relaunch()?))
}
