//! What an object belongs to: its context.

use crate::driver::check_caller;
use crate::ffi::guard::guard;
use crate::ffi::handle::{self, Token};
use crate::ffi::objects::{gc_buffer, gc_context, gc_event, gc_graph, gc_stream};
use crate::ffi::output::Out;
use crate::ffi::status::gc_status;

/// Returns the context that a stream belongs to.
///
/// @param[in]  stream       the stream
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
/// @retval GRAPHCAP_SUCCESS               context_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  stream is not a live stream
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   context_out is NULL
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_get_context(
    stream: *const gc_stream,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_stream_get_context", [Token::of(stream)], || {
        let stream = handle::clone(stream, "stream")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(stream.context().clone())?);
        Ok(())
    })
}

/// Returns the context that an event belongs to.
///
/// @param[in]  event        the event
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
/// @retval GRAPHCAP_SUCCESS               context_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  event is not a live event
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   context_out is NULL
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_event_get_context(event: *const gc_event, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_event_get_context", [Token::of(event)], || {
        let event = handle::clone(event, "event")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(event.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a buffer belongs to.
///
/// @param[in]  buffer       the buffer
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
/// @retval GRAPHCAP_SUCCESS               context_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  buffer is not a live buffer
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   context_out is NULL
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_get_context(
    buffer: *const gc_buffer,
    context_out: *mut *mut gc_context,
) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_buffer_get_context", [Token::of(buffer)], || {
        let buffer = handle::clone(buffer, "buffer")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(buffer.context().clone())?);
        Ok(())
    })
}

/// Returns the context that a graph belongs to.
///
/// @param[in]  graph        the graph
/// @param[out] context_out  another handle of the context, owned by the caller until gc_context_destroy(); NULL on
///                          failure
/// @retval GRAPHCAP_SUCCESS               context_out was written
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  graph is not a live graph
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   context_out is NULL
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_graph_get_context(graph: *const gc_graph, context_out: *mut *mut gc_context) -> gc_status {
    // SAFETY: C promises that `context_out` is NULL or writable.
    let out = unsafe { Out::handle(context_out, "context_out") };
    guard("gc_graph_get_context", [Token::of(graph)], || {
        let graph = handle::clone(graph, "graph")?;
        let out = out.required()?;
        check_caller()?;
        out.write(handle::insert(graph.context().clone())?);
        Ok(())
    })
}
