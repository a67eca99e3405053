//! Captures of streams with a pool.

use crate::ffi::boundary::{gc_graph, gc_pool, gc_status, gc_stream, handle, with_two_clones, Out, Output};
use crate::ffi::objects::stream::{self, gc_capture_mode};

/// Begins a capture of a stream, as gc_stream_begin_capture() does. The capture keeps a pool, and so do its graph and
/// the graph execs made of that.
///
/// @param[in] stream  the stream; not the legacy stream
/// @param[in] mode    one of the GRAPHCAP_CAPTURE_MODE_ numbers
/// @param[in] pool    a pool of the stream's context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the mode is unknown
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the stream and the pool belong to different contexts
/// @retval GRAPHCAP_ERROR_SEALED               the pool is sealed
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured already
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is the legacy stream
#[no_mangle]
pub unsafe extern "C" fn gc_stream_begin_capture_with_pool(
    stream: *const gc_stream,
    mode: gc_capture_mode,
    pool: *const gc_pool,
) -> gc_status {
    with_two_clones("gc_stream_begin_capture_with_pool", (stream, "stream"), (pool, "pool"), |stream, pool| {
        Ok(stream.begin_capture_with_pool(stream::capture_mode(mode)?, &pool)?)
    })
}

/// Ends the capture of a stream, as gc_stream_end_capture() does. The graph keeps a pool, and so do the graph execs made
/// of it. The capture need not have been begun with a pool, and the pool may be sealed.
///
/// @param[in]  stream     the stream that the capture was begun on
/// @param[in]  pool       a pool of the stream's context; if the capture was begun with a pool, that one
/// @param[out] graph_out  the graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE         the capture was begun with another pool; it goes on
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT       the stream and the pool belong to different contexts; the capture goes
///                                              on
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE         the stream is not being captured
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED     as gc_stream_end_capture() has it
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED      a stream that joined the capture was not joined back
/// @retval GRAPHCAP_ERROR_CAPTURE_WRONG_THREAD  another thread began the capture, in a mode other than relaxed
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT      as gc_stream_end_capture() has it
#[no_mangle]
pub unsafe extern "C" fn gc_stream_end_capture_with_pool(
    stream: *const gc_stream,
    pool: *const gc_pool,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    with_two_clones("gc_stream_end_capture_with_pool", (stream, "stream"), (pool, "pool"), |stream, pool| {
        out.answer(|| handle::insert(stream.end_capture_with_pool(&pool)?))
    })
}
