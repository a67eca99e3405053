//! The graph of a capture that goes on, and nodes that are put into the capture by hand.

use crate::ffi::boundary::{answer_clone, gc_buffer, gc_graph, gc_status, gc_stream, handle, with_two_clones, Out};
use crate::ffi::graphs::conditional::gc_condition;
use graphcap_driver::ConditionId;

/// Returns the graph that a stream's capture goes into, while the capture goes on.
///
/// The graph can be looked at, instantiated, and edited: nodes and edges can be added to it, and conditions made. Nothing
/// can be taken away from it until the capture is over. What the stream records next depends on an added node only after
/// gc_stream_update_capture_dependencies(). Added nodes need not be joined before the end of the capture. From this call
/// on the capture is as one of gc_stream_begin_capture_to_graph(): gc_stream_end_capture() returns another handle to the
/// graph, a capture that fails destroys the graph, and every later call on it then answers GRAPHCAP_ERROR_INVALID_VALUE.
///
/// Of a capture into a body or the graph of a child node this is that graph. Nothing can be added to it before the end of
/// the capture, which puts the recorded nodes into it: calls that would change it return GRAPHCAP_ERROR_ILLEGAL_STATE.
///
/// All streams of one capture give the same graph, which belongs to the context of the stream that the capture was
/// begun on. Other calls return other handles to it. Where that stream is a per-thread stream, only the thread that
/// began the capture can ask for the graph, on whichever of the capture's streams. On a CUDA device no other thread may
/// use the graph while work is recorded.
///
/// @param[in]  stream     a stream that is being captured
/// @param[out] graph_out  the graph, owned by the caller until gc_graph_destroy(); NULL on failure. A graph whose handles
///                        were all destroyed lives until the capture is over
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is not being captured
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   code outside graphcap began the capture, into a gc_graph of another context
///                                          than that of the stream that it was begun on
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     code outside graphcap began the capture; gc_stream_capture_info() has the
///                                          native graph
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY     there is not enough memory; the capture goes on
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED     another thread began the capture on its per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture_graph(stream: *const gc_stream, graph_out: *mut *mut gc_graph) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    answer_clone("gc_stream_capture_graph", (stream, "stream"), out, |stream| handle::insert(stream.capture_graph()?))
}

/// Records that a condition is set to the 4 bytes at an offset of a buffer, as they are when the launch comes to it. It may be
/// recorded anywhere in the graph of the condition: ahead of the conditional node, in a body of it, and in the bodies of nodes
/// within it. A while is decided anew by what its body sets last. See GRAPHCAP_WORK_SET_CONDITION for all else.
///
/// In a capture into a body, or into the graph of a child node, the call is recorded as a kernel launch is. Elsewhere rules for
/// threads, and what a call that fails leaves, are as for gc_stream_submit().
///
/// @param[in] stream     a stream that is being captured
/// @param[in] condition  a condition of the graph that gc_stream_capture_graph() gives, or of the outermost graph of a body
/// @param[in] buffer     the buffer with the value, of a context on a device of the kind of the graph; the graph keeps it alive
/// @param[in] offset     the first byte of the value; its address must be a multiple of 4
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     condition is none of the graph, the value does not lie within the buffer,
///                                          or its address is not a multiple of 4
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   the buffer belongs to a device of another kind; or as
///                                          gc_stream_capture_graph()
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is not being captured
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream of the context is
///                                          being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     code outside graphcap began the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED     another thread began the capture on its per-thread stream
#[no_mangle]
pub unsafe extern "C" fn gc_stream_set_condition(
    stream: *const gc_stream,
    condition: gc_condition,
    buffer: *const gc_buffer,
    offset: usize,
) -> gc_status {
    with_two_clones("gc_stream_set_condition", (stream, "stream"), (buffer, "buffer"), |stream, buffer| {
        Ok(stream.capture_condition_setter(ConditionId(condition), &buffer, offset)?)
    })
}
