//! Another buffer in the place of one, in all nodes of a graph or of a graph exec.

use crate::ffi::boundary::{gc_buffer, gc_graph, gc_graph_exec, gc_status, guard, handle, Out, Token};

/// Puts a buffer in the place of another one in all nodes of a graph, whether they were captured or added by hand, and of the
/// graphs within nodes. Graph execs and clones that were made before go on as they were; gc_graph_exec_replace_buffer()
/// changes a graph exec, and gc_graph_exec_apply() has one do what the changed graph does.
///
/// The addresses of the old buffer are replaced in copies, on both sides, in memsets and value operations, in grids that come
/// from memory, and in the arguments of kernels: those that were given as buffers, and each aligned word of 8 bytes in a
/// value that lies in the buffer, as a pointer in a struct. A number that looks like such an address is replaced as well.
/// Offsets in the buffer stay. Pointers that lie in memory are not seen, nor the arguments of kernels that the driver does
/// not tell, nor what host functions use.
///
/// The new buffer must have all bytes that the nodes use. Of a kernel those are the bytes that its launch states
/// (gc_kernel_arg::access_size), or else the whole old buffer.
///
/// The graph keeps the new buffer. It lets go of the old one as gc_graph_remove_node() does, where no node uses it any more.
/// If the call fails, the graph is as it was.
///
/// @param[in]  graph        the graph
/// @param[in]  from_buffer  the buffer to be replaced
/// @param[in]  to_buffer    the buffer that takes its place, of the same context; may be from_buffer, which changes nothing
/// @param[out] changed_out  how many nodes were changed, those of graphs within nodes among them; 0 if no node uses
///                          from_buffer, and on failure; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a node uses bytes that the new buffer does not have, or elements or values
///                                         would not be aligned in it, or it is not for value operations; the message
///                                         names the node. Or one buffer is memory of the host, and the other one is
///                                         not
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the buffers belong to different contexts, or to a device of another kind
///                                         than the graph
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    a node allocates one of the buffers, a kernel that uses from_buffer was not
///                                         found through graphcap, or the device does not change a node so
#[no_mangle]
pub unsafe extern "C" fn gc_graph_replace_buffer(
    graph: *const gc_graph,
    from_buffer: *const gc_buffer,
    to_buffer: *const gc_buffer,
    changed_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `changed_out` is NULL or writable.
    let out = (!changed_out.is_null()).then(|| unsafe { Out::number(changed_out, "changed_out") });
    guard("gc_graph_replace_buffer", [Token::of(graph), Token::of(from_buffer), Token::of(to_buffer)], || {
        let graph = handle::clone(graph, "graph")?;
        let from = handle::clone(from_buffer, "from_buffer")?;
        let to = handle::clone(to_buffer, "to_buffer")?;
        let nodes = graph.replace_buffer(&from, &to)?;
        if let Some(out) = out {
            out.required()?.write(nodes);
        }
        Ok(())
    })
}

/// Puts a buffer in the place of another one in all nodes of a graph exec, as gc_graph_replace_buffer() does in those
/// of a graph: for launches from now on. The graph that the graph exec was made from is not changed; it must not be
/// destroyed before. If the call fails, the graph exec is as it was.
///
/// The graph exec keeps the new buffer. It lets go of the old one when the launches that were made before are over,
/// unless its native handle was given out. A graph exec bars more changes than a graph, those of copies of several rows
/// among them: gc_graph_replace_buffer() and gc_graph_exec_apply() make these.
///
/// @param[in]  exec         the graph exec
/// @param[in]  from_buffer  the buffer to be replaced
/// @param[in]  to_buffer    the buffer that takes its place, of the same context; may be from_buffer, which changes nothing
/// @param[out] changed_out  how many nodes were changed, those of graphs within nodes among them; 0 if no node uses
///                          from_buffer, and on failure; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    as for gc_graph_replace_buffer(), and where a graph exec bars the change of
///                                         a node; or the graph is destroyed that the graph exec was made from
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  as for gc_graph_replace_buffer()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE    it is not known what the nodes of the graph exec do: nodes of its graph were
///     set, added or removed since, another graph updated the graph exec, a child graph was set in it, or others can
///     change the graph. gc_graph_replace_buffer() and gc_graph_exec_apply() do it then
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    as for gc_graph_replace_buffer(); or the graph exec was made with
///                                         GRAPHCAP_INSTANTIATE_WATCH; or a node that uses from_buffer takes its grid
///                                         from a scalar
#[no_mangle]
pub unsafe extern "C" fn gc_graph_exec_replace_buffer(
    exec: *const gc_graph_exec,
    from_buffer: *const gc_buffer,
    to_buffer: *const gc_buffer,
    changed_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `changed_out` is NULL or writable.
    let out = (!changed_out.is_null()).then(|| unsafe { Out::number(changed_out, "changed_out") });
    guard("gc_graph_exec_replace_buffer", [Token::of(exec), Token::of(from_buffer), Token::of(to_buffer)], || {
        let exec = handle::clone(exec, "exec")?;
        let from = handle::clone(from_buffer, "from_buffer")?;
        let to = handle::clone(to_buffer, "to_buffer")?;
        let nodes = exec.replace_buffer(&from, &to)?;
        if let Some(out) = out {
            out.required()?.write(nodes);
        }
        Ok(())
    })
}
