//! gc_stream_capture: a capture for the time of a callback.

use std::ffi::c_void;

use super::capture::{gc_capture_options, Chosen};
use crate::ffi::boundary::{
    called, gc_destroy_fn, gc_graph, gc_status, gc_stream, guard, handle, Failure, Out, Output, Token, UserData,
};
use crate::ffi::objects::stream::{self, gc_capture_mode};

/// A function that gc_stream_capture() calls while the stream is being captured. It submits the work to record, to the
/// stream that it gets or to streams that it forks to and joins.
///
/// It runs once, on the thread that called gc_stream_capture(), and may make any gc_ and CUDA call that a capture
/// allows.
///
/// @return GRAPHCAP_SUCCESS, or any other number to discard the capture, which gc_stream_capture() then returns
pub type gc_capture_fn =
    Option<unsafe extern "C-unwind" fn(stream: *const gc_stream, user_data: *mut c_void) -> gc_status>;

/// Captures what a function submits to a stream: begins a capture, calls the function, and ends the capture in any
/// case. A graph is made only if all of this succeeded.
///
/// If the function fails, this call returns the function's status, whatever state the capture is in by then. The
/// message names that status, and the last call that failed inside the function. If the function succeeds although a
/// call in it broke the capture, this call returns GRAPHCAP_ERROR_CAPTURE_INVALIDATED. The stream is usable again in
/// any case.
///
/// The function has to end the captures that it begins itself. Beginning another capture of this stream inside it gives
/// GRAPHCAP_ERROR_ILLEGAL_STATE. Captures of other streams can be nested, also with gc_stream_capture().
///
/// @param[in]  stream     the stream; not the legacy stream
/// @param[in]  mode       one of the GRAPHCAP_CAPTURE_MODE_ numbers
/// @param[in]  options    NULL for the defaults: no pool, not strict, a new graph. Modules are kept while the capture goes on, and
///                        have no other effect
/// @param[in]  function   the function that submits; not NULL. It is not called if the capture cannot begin
/// @param[in]  user_data  passed to function and to destroy; may be NULL
/// @param[in]  destroy    called exactly once, on this thread and before this call returns, also when it fails; may be
///                        NULL
/// @param[out] graph_out  the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        function or graph_out is NULL, the mode or a flag is unknown, modules is
///                                             NULL and module_count is not 0, or the struct_size of the options is not
///                                             valid
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      a module, or the pool, belongs to a context other than the stream's
/// @retval GRAPHCAP_ERROR_SEALED               the pool is sealed
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured already
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is the legacy stream
/// @retval GRAPHCAP_ERROR_CALLBACK             the function is written in Rust and panicked
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED    the function ended the capture itself
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  a call broke the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED     a stream that joined the capture was not joined back
/// @return any other number: what function returned
#[no_mangle]
pub unsafe extern "C" fn gc_stream_capture(
    stream: *const gc_stream,
    mode: gc_capture_mode,
    options: *const gc_capture_options,
    function: gc_capture_fn,
    user_data: *mut c_void,
    destroy: gc_destroy_fn,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
    let user_data = unsafe { UserData::new(user_data, destroy) };
    guard("gc_stream_capture", [Token::of(stream)], move || {
        // Not pinned: the function may take long, and destroy what it likes.
        let captured = handle::clone(stream, "stream")?;
        out.answer(|| {
            let mode = stream::capture_mode(mode)?;
            // SAFETY: C promises valid options.
            let chosen = unsafe { Chosen::read(options, &handle::pin()) }?;
            let Some(function) = function else {
                return Err(Failure::Null("function"));
            };
            let graph = captured.capture_with(mode, chosen.options(), |_| {
                // SAFETY: C promises that `function` may be called once with the stream and `user_data`.
                called(|| unsafe { function(stream, user_data.pointer()) })
            })?;
            handle::insert(graph)
        })
    })
}
