//! gc_script: a list of ops that is recorded as a graph, or submitted.

use std::ffi::{c_char, c_void};

use super::op::{gc_op_vtable, CustomOp};
use crate::ffi::boundary::{
    gc_context, gc_graph, gc_script, gc_status, gc_stream, guard, handle, kit_guard, message::prefix, options, Failure,
    Out, Output, StructOut, StructPlace, Token, UserData, Versioned,
};
use crate::ffi::objects::stream::{self, gc_capture_mode};
use graphcap_driver::check_caller;
use graphcap_kit::{Script, ScriptError};

/// Reason why a script could not be prepared, recorded or submitted. Start from GRAPHCAP_SCRIPT_FAILURE_INIT. All members but
/// struct_size are 0 after a call that succeeded, and after one that found a wrong argument.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_script_failure {
    /// sizeof(gc_script_failure).
    pub struct_size: u32,
    /// Status that the call returned.
    pub status: gc_status,
    /// 1 if an op failed; 0 if the capture could not begin or end.
    pub has_op: u32,
    /// 0.
    pub reserved: u32,
    /// The place of the op that failed among the ops of the script, from 0.
    pub op_index: usize,
    /// Its name, UTF-8, cut to fit; ends with a NUL.
    pub op_name: [c_char; 64],
}
// SAFETY: repr(C), starts with its size, and holds integers only.
unsafe impl Versioned for gc_script_failure {}

impl gc_script_failure {
    fn of(error: &ScriptError) -> gc_script_failure {
        let mut op_name = [0; 64];
        let name = error.op.as_ref().map_or("", |op| op.name.as_str());
        let cut = prefix(name, op_name.len() - 1);
        for (place, byte) in op_name.iter_mut().zip(cut.bytes()) {
            *place = byte as c_char;
        }
        gc_script_failure {
            struct_size: 0,
            status: error.error.status.0,
            has_op: u32::from(error.op.is_some()),
            reserved: 0,
            op_index: error.op.as_ref().map_or(0, |op| op.index),
            op_name,
        }
    }
}

/// Writes why a script failed, where C wants that told, and gives what the call returns.
pub(super) fn tell_failure(place: Option<StructPlace<gc_script_failure>>, failed: ScriptError) -> Failure {
    if let Some(place) = place {
        place.write(gc_script_failure::of(&failed));
    }
    failed.error.into()
}

/// Runs what may fail, and writes why it did. The place for that is checked before anything is done.
fn around<T>(
    failure: StructOut<gc_script_failure>,
    run: impl FnOnce() -> Result<T, ScriptError>,
) -> Result<T, Failure> {
    let place = failure.optional()?;
    run().map_err(|failed| tell_failure(place, failed))
}

/// Makes a script without ops.
///
/// Any thread may use a script, also to record it while another thread does. Calls that record or submit see the ops that
/// it had when they began.
///
/// @param[in]  context     the context that its ops are prepared for, and on whose streams it is recorded
/// @param[out] script_out  the new script, owned by the caller until gc_script_destroy(); NULL on failure
#[no_mangle]
pub unsafe extern "C" fn gc_script_create(context: *const gc_context, script_out: *mut *mut gc_script) -> gc_status {
    // SAFETY: C promises that `script_out` is NULL or writable.
    let out = unsafe { Out::handle(script_out, "script_out") };
    kit_guard("gc_script_create", [Token::of(context)], || {
        let context = handle::clone(context, "context")?;
        out.answer(|| {
            check_caller()?;
            handle::insert(Script::create(&context))
        })
    })
}

/// Adds an op of the caller's at the end of a script.
///
/// @param[in] script     the script
/// @param[in] vtable     the functions of the op, not NULL; copied
/// @param[in] user_data  passed to the functions; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  vtable is NULL, its struct_size is not valid, or gc_op_vtable::record is NULL
/// @retval GRAPHCAP_ERROR_CALLBACK       gc_op_vtable::name is written in Rust and panicked
#[no_mangle]
pub unsafe extern "C" fn gc_script_push_op(
    script: *const gc_script,
    vtable: *const gc_op_vtable,
    user_data: *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `vtable` is NULL or points to as many bytes as its struct_size states.
    let vtable = unsafe { options::read(vtable, "vtable") }.map(|vtable| {
        // SAFETY: C promises that `destroy` may be called once with `user_data`, on any thread.
        (vtable, unsafe { UserData::new(user_data, vtable.destroy) })
    });
    kit_guard("gc_script_push_op", [Token::of(script)], move || {
        let script = handle::clone(script, "script")?;
        let (vtable, user_data) = vtable?;
        check_caller()?;
        // SAFETY: C promises that the functions may be called with the user data.
        let op = unsafe { CustomOp::new(&vtable, user_data) }?;
        Ok(script.push(op)?)
    })
}

/// Does beforehand what must not happen inside a capture: prepares the ops of a script that are not prepared yet.
/// gc_script_record() and gc_script_submit() do so too, before they record anything.
///
/// @param[in]     script       the script
/// @param[in,out] failure_out  in: struct_size; out: the op that failed; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a Fourier transform does not fit its buffers
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer of a Fourier transform belongs to another context
/// @retval GRAPHCAP_ERROR_CALLBACK         the function of an op is written in Rust and panicked
/// @retval GRAPHCAP_ERROR_LIBRARY          a library of NVIDIA's that an op needs could not be loaded
/// @return any other number: what gc_op_vtable::prepare of the first op that failed returned, or what the device answered
#[no_mangle]
pub unsafe extern "C" fn gc_script_prepare(script: *const gc_script, failure_out: *mut gc_script_failure) -> gc_status {
    // SAFETY: C promises that `failure_out` is NULL, or has as many writable bytes as its struct_size states.
    let failure = unsafe { StructOut::new(failure_out, "failure_out") };
    kit_guard("gc_script_prepare", [Token::of(script)], || {
        let script = handle::clone(script, "script")?;
        around(failure, || script.prepare())
    })
}

/// Records a script as a graph: begins a capture of a stream, records the ops in order, and ends the capture in any case.
///
/// The first op that fails ends the recording. The capture is discarded, the stream is as before, the message names the op
/// by index and name, and so does failure_out. An op that succeeds although it broke or ended the capture counts as one
/// that failed. A script can be recorded any number of times.
///
/// @param[in]     script       the script
/// @param[in]     stream       a stream of the script's context; not the legacy stream
/// @param[in]     mode         one of the GRAPHCAP_CAPTURE_MODE_ numbers
/// @param[in,out] failure_out  in: struct_size; out: the op that failed; may be NULL
/// @param[out]    graph_out    the new graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 the work of an op is wrong
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               the stream, or an object that an op uses, belongs to another
///                                                      context
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE                 the stream is being captured already
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED           the stream is the legacy stream, or a capture bars this thread
///                                                      from what an op needs
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED             an op ended the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED           an op broke the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_UNJOINED              an op forked to a stream and did not join it
/// @retval GRAPHCAP_ERROR_CALLBACK                      the function of an op is written in Rust and panicked
/// @retval GRAPHCAP_ERROR_LIBRARY                       a library of NVIDIA's that an op needs could not be loaded
/// @retval GRAPHCAP_ERROR_UNKNOWN                       a library of NVIDIA's failed, as it may while other threads
///     capture
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED                 the device or its driver cannot do the work of an op
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster of a launch does not divide the grid, or is too
///                                                      large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  a launch is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES       a CUDA device lacks resources for a launch
/// @return any other number: what a function of the first op that failed returned
#[no_mangle]
pub unsafe extern "C" fn gc_script_record(
    script: *const gc_script,
    stream: *const gc_stream,
    mode: gc_capture_mode,
    failure_out: *mut gc_script_failure,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    // SAFETY: C promises that `failure_out` is NULL, or has as many writable bytes as its struct_size states.
    let failure = unsafe { StructOut::new(failure_out, "failure_out") };
    kit_guard("gc_script_record", [Token::of(stream)], || {
        let script = handle::clone(script, "script")?;
        let stream = handle::clone(stream, "stream")?;
        out.answer(|| {
            let mode = stream::capture_mode(mode)?;
            let graph = around(failure, || script.record(&stream, mode))?;
            handle::insert(graph)
        })
    })
}

/// Submits the ops of a script to a stream, in order. They run, or are recorded if the stream is being captured.
///
/// Where an op fails, the ops before it stay submitted. A capture goes on, unless the failure broke it.
///
/// @param[in]     script       the script
/// @param[in]     stream       a stream of the script's context
/// @param[in,out] failure_out  in: struct_size; out: the op that failed; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE                 the work of an op is wrong
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT               the stream, or an object that an op uses, belongs to another
///                                                      context
/// @retval GRAPHCAP_ERROR_CAPTURE_ISOLATION             an op of a captured stream waits for work outside the capture
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE                 another thread ended the capture meanwhile
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED           a capture bars this thread from what an op needs
/// @retval GRAPHCAP_ERROR_CAPTURE_UNMATCHED             an op ended the capture
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED           the capture was broken, by an op or before
/// @retval GRAPHCAP_ERROR_CALLBACK                      the function of an op is written in Rust and panicked
/// @retval GRAPHCAP_ERROR_LIBRARY                       a library of NVIDIA's that an op needs could not be loaded
/// @retval GRAPHCAP_ERROR_UNKNOWN                       a library of NVIDIA's failed, as it may while other threads
///     capture
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED                 the device or its driver cannot do the work of an op
/// @retval GRAPHCAP_ERROR_INVALID_CLUSTER_SIZE          the cluster of a launch does not divide the grid, or is too
///                                                      large
/// @retval GRAPHCAP_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE  a launch is cooperative and has more blocks than the device
///                                                      runs at once
/// @retval GRAPHCAP_ERROR_LAUNCH_OUT_OF_RESOURCES       a CUDA device lacks resources for a launch
/// @return any other number: what a function of the first op that failed returned
#[no_mangle]
pub unsafe extern "C" fn gc_script_submit(
    script: *const gc_script,
    stream: *const gc_stream,
    failure_out: *mut gc_script_failure,
) -> gc_status {
    // SAFETY: C promises that `failure_out` is NULL, or has as many writable bytes as its struct_size states.
    let failure = unsafe { StructOut::new(failure_out, "failure_out") };
    kit_guard("gc_script_submit", [Token::of(stream)], || {
        let script = handle::clone(script, "script")?;
        let stream = handle::clone(stream, "stream")?;
        around(failure, || script.submit(&stream))
    })
}

/// Destroys a script. Graphs that were recorded from it keep what they use, and calls that use the script go on.
///
/// @param[in] script  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_script_destroy(script: *mut gc_script) -> gc_status {
    guard("gc_script_destroy", [], || handle::destroy(script, "script"))
}
