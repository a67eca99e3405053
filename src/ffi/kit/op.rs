//! Ops of the caller's: a table of functions, and what they are given to record.

use std::borrow::Cow;
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::Arc;

use once_cell::sync::OnceCell;

use crate::ffi::boundary::{
    called_as, check_flags, gc_context, gc_destroy_fn, gc_graph, gc_pool, gc_record_context, gc_status, gc_stream,
    guard, handle, kit_guard, message, options, Failure, Lent, Out, Output, Result, Token, UserData, Versioned,
};
use graphcap_base::error::{Error, Status};
use graphcap_core::Context;
use graphcap_driver::check_caller;
use graphcap_kit::{GraphOp, RecordContext};

/// Records an op: submits its work to the stream of gc_record_context_stream(), or to streams that it forks to and joins.
///
/// It runs within gc_script_record() and gc_script_submit(), on the thread that called that, once for each of these
/// calls, also on several threads at the same time. It may make any gc_ and CUDA call that a capture allows. It does
/// not end the capture.
///
/// @param[in] context    where to record; dead when the function returns: later calls with it give
///                       GRAPHCAP_ERROR_INVALID_HANDLE
/// @param[in] user_data  the op's, see gc_script_push_op()
/// @return GRAPHCAP_SUCCESS, or any other number, which the call that records then returns
pub type gc_op_record_fn =
    Option<unsafe extern "C-unwind" fn(context: *const gc_record_context, user_data: *mut c_void) -> gc_status>;

/// Does beforehand what must not happen inside a capture, such as loading a module. It runs within gc_script_prepare(), or
/// before the first recording, until it has succeeded once. Several threads that use the script for the first time may run
/// it at the same time. Otherwise it is as gc_op_record_fn.
///
/// @param[in] context    a handle of the script's context; dead when the function returns
/// @param[in] user_data  the op's, see gc_script_push_op()
/// @return GRAPHCAP_SUCCESS, or any other number, which the call then returns
pub type gc_op_prepare_fn =
    Option<unsafe extern "C-unwind" fn(context: *const gc_context, user_data: *mut c_void) -> gc_status>;

/// Returns what messages call an op: a text that ends with a NUL, which is copied before the function's result is used
/// otherwise; NULL for none. It runs once, within gc_script_push_op().
pub type gc_op_name_fn = Option<unsafe extern "C-unwind" fn(user_data: *mut c_void) -> *const c_char>;

/// The functions of an op. Start from GRAPHCAP_OP_VTABLE_INIT, and set at least record.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_op_vtable {
    /// sizeof(gc_op_vtable).
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Records the op; not NULL.
    pub record: gc_op_record_fn,
    /// Prepares the op; may be NULL.
    pub prepare: gc_op_prepare_fn,
    /// Names the op; may be NULL.
    pub name: gc_op_name_fn,
    /// Called exactly once with the op's user data, when the script and all recordings that go on are gone, or when
    /// gc_script_push_op() fails after it has read this struct; may be NULL.
    pub destroy: gc_destroy_fn,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_op_vtable {
    const LEAST_SIZE: usize = 16;
}

/// An op of the caller's.
pub(super) struct CustomOp {
    name: String,
    record: unsafe extern "C-unwind" fn(context: *const gc_record_context, user_data: *mut c_void) -> gc_status,
    prepare: gc_op_prepare_fn,
    user_data: UserData,
}

impl CustomOp {
    /// Reads the functions of an op.
    ///
    /// # Safety
    /// The functions may be called with `user_data` as the header says.
    pub(super) unsafe fn new(vtable: &gc_op_vtable, user_data: UserData) -> Result<CustomOp> {
        check_flags(vtable.reserved, 0, "vtable.reserved", "0")?;
        let Some(record) = vtable.record else {
            return Err(Failure::Null("vtable.record"));
        };
        let mut name = "op".to_owned();
        if let Some(function) = vtable.name {
            called_as("the function that names the op", "", || {
                // SAFETY: the caller promises that it may be called with the user data.
                let text = unsafe { function(user_data.pointer()) };
                // SAFETY: C promises a text that ends with a NUL, or NULL.
                if let Ok(text) = unsafe { options::text(text, "name") } {
                    text.clone_into(&mut name);
                }
                0
            })?;
        }
        Ok(CustomOp { name, record, prepare: vtable.prepare, user_data })
    }
}

/// Returns what the layers below are told of a failure of the boundary.
fn told(failure: Failure) -> Error {
    match failure {
        Failure::Told(error) => error,
        other => Error::new(other.status(), other.to_string()),
    }
}

impl GraphOp for CustomOp {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn prepare(&self, context: &Context) -> graphcap_base::Result<()> {
        let Some(function) = self.prepare else { return Ok(()) };
        let (given, _ends) = handle::lend::<gc_context>(context.clone()).map_err(told)?;
        called_as("its function", "", || {
            // SAFETY: C promises that `function` may be called with a context and the user data.
            unsafe { function(given, self.user_data.pointer()) }
        })
        .map_err(told)
    }

    fn record(&self, at: &RecordContext) -> graphcap_base::Result<()> {
        let (stream, _stream_ends) = handle::lend::<gc_stream>(at.stream().clone()).map_err(told)?;
        let lent =
            Lent { context: at.for_call(), stream: Token::of(stream), blas: OnceCell::new(), rand: OnceCell::new() };
        let (given, _ends) = handle::lend::<gc_record_context>(Arc::new(lent)).map_err(told)?;
        called_as("its function", "", || {
            // SAFETY: C promises that the function may be called with such a context and the user data.
            unsafe { (self.record)(given, self.user_data.pointer()) }
        })
        .map_err(told)
    }
}

/// Returns the stream that an op submits to.
///
/// @param[in]  context     what the op was given
/// @param[out] stream_out  the stream; NULL on failure. The handle belongs to the context: the op does not destroy it, and it
///                         is dead when the op returns
#[no_mangle]
pub unsafe extern "C" fn gc_record_context_stream(
    context: *const gc_record_context,
    stream_out: *mut *const gc_stream,
) -> gc_status {
    // SAFETY: C promises that `stream_out` is NULL or writable.
    let out = unsafe { Out::handle(stream_out.cast::<*mut gc_stream>(), "stream_out") };
    kit_guard("gc_record_context_stream", [Token::of(context)], || {
        let pinned = handle::pin();
        let lent = handle::borrow(context, "context", &pinned)?;
        out.answer(|| Ok(lent.stream.pointer()))
    })
}

/// Returns the graph that an op is recorded into. It can be looked at, and nodes be added to it, as
/// gc_stream_capture_graph() tells.
///
/// @param[in]  context    what the op was given
/// @param[out] graph_out  the graph, owned by the caller until gc_graph_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE  the script is submitted to a stream that is not being captured, so that the
///                                       work runs and there is no graph; or the op ended the capture
/// @return otherwise as gc_stream_capture_graph()
#[no_mangle]
pub unsafe extern "C" fn gc_record_context_graph(
    context: *const gc_record_context,
    graph_out: *mut *mut gc_graph,
) -> gc_status {
    // SAFETY: C promises that `graph_out` is NULL or writable.
    let out = unsafe { Out::handle(graph_out, "graph_out") };
    kit_guard("gc_record_context_graph", [Token::of(context)], || {
        check_caller()?;
        let lent = handle::clone(context, "context")?;
        out.answer(|| handle::insert(lent.context.parent_graph()?))
    })
}

/// Returns the pool of the capture that an op is recorded into. gc_script_record() and actors begin captures without one;
/// gc_script_submit() records into whatever capture the stream is in, which may have been begun with a pool.
///
/// @param[in]  context   what the op was given
/// @param[out] pool_out  another handle of the pool, owned by the caller until gc_pool_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_NOT_FOUND  the capture was begun without a pool, or the work runs instead of being recorded
#[no_mangle]
pub unsafe extern "C" fn gc_record_context_pool(
    context: *const gc_record_context,
    pool_out: *mut *mut gc_pool,
) -> gc_status {
    // SAFETY: C promises that `pool_out` is NULL or writable.
    let out = unsafe { Out::handle(pool_out, "pool_out") };
    kit_guard("gc_record_context_pool", [Token::of(context)], || {
        check_caller()?;
        let lent = handle::clone(context, "context")?;
        out.answer(|| {
            let pool = lent.context.pool().ok_or_else(|| {
                Error::new(
                Status::NOT_FOUND,
                "the op is not recorded into a capture with a pool; begin a capture with one, and submit the script",
            )
            })?;
            handle::insert(pool)
        })
    })
}

/// Returns a handle of cuBLAS, a cublasHandle_t, for products that an op records by itself. It is set to the stream of
/// gc_record_context_stream(), in the workspace that graphcap's own products on that stream use, which the graph keeps; with factors
/// from memory of the host's and without TF32. Nobody else uses it until the op returns. The op does not destroy it, and leaves
/// stream and workspace as they are.
///
/// The library is called with the context current, and in the relaxed capture mode where it may allocate. The stream counts as
/// one that others use from then on, as after gc_stream_native().
///
/// @param[in]  context     what the op was given
/// @param[out] native_out  the library's handle, valid until the op returns; NULL on failure. Another call returns it again
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the device is the host device, which has no native handles
/// @retval GRAPHCAP_ERROR_LIBRARY        cuBLAS cannot be loaded; the message has the names that were tried
/// @return otherwise as gc_script_record(), for the work of an op
#[no_mangle]
pub unsafe extern "C" fn gc_record_context_native_blas(
    context: *const gc_record_context,
    native_out: *mut *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    kit_guard("gc_record_context_native_blas", [Token::of(context)], || {
        check_caller()?;
        let lent = handle::clone(context, "context")?;
        out.answer(|| {
            let blas = lent.blas.get_or_try_init(|| lent.context.lend_blas())?;
            Ok(ptr::without_provenance_mut(blas.native()))
        })
    })
}

/// Returns a generator of cuRAND, a curandGenerator_t of the type CURAND_RNG_PSEUDO_PHILOX4_32_10, for random numbers
/// that an op records by itself. It is set to the stream of gc_record_context_stream(), and is as a new one otherwise:
/// seed 0, offset 0 and CURAND_ORDERING_PSEUDO_DEFAULT. It is lent for one call of gc_op_vtable::record: the next call
/// gets another one. A graph that the op is recorded into keeps the generator, whose memory its nodes use; what is
/// executed keeps it until it is complete. The op does not destroy it, does not use it when it has returned, and leaves
/// its stream as it is. Generators that nothing needs any more are lent again, and are destroyed in
/// gc_context_collect() and gc_context_synchronize().
///
/// The generator is for work that is executed: in a capture its first numbers, and those after another seed or offset,
/// break the capture in any mode. A recorded op draws by a generator of its own that has drawn before the capture;
/// docs/math.md. cuRAND's numbers have another order than those of gc_rng.
///
/// The library is called with the context current, and in the relaxed capture mode. The stream counts as one that
/// others use from then on, as after gc_stream_native().
///
/// @param[in]  context     what the op was given
/// @param[out] native_out  the library's generator, valid until the op returns; NULL on failure. Until then another call returns it again
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED  the device is the host device, which has no native handles
/// @retval GRAPHCAP_ERROR_LIBRARY        cuRAND cannot be loaded; the message has the names that were tried
/// @return otherwise as gc_script_record(), for the work of an op
#[no_mangle]
pub unsafe extern "C" fn gc_record_context_native_rand(
    context: *const gc_record_context,
    native_out: *mut *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `native_out` is NULL or writable.
    let out = unsafe { Out::handle(native_out, "native_out") };
    kit_guard("gc_record_context_native_rand", [Token::of(context)], || {
        check_caller()?;
        let lent = handle::clone(context, "context")?;
        out.answer(|| {
            let rand = lent.rand.get_or_try_init(|| lent.context.lend_rand())?;
            Ok(ptr::without_provenance_mut(rand.native()))
        })
    })
}

/// Tells why a function of the program's is about to fail that graphcap calls on this thread: gc_op_vtable::record or prepare, or
/// a function that submits into a capture of graphcap's. The message of the call that runs it, or of the future that has its answer, has
/// the text if the function then returns a number other than GRAPHCAP_SUCCESS. Elsewhere it has no effect.
///
/// @param[in] text  UTF-8, not NULL; copied. What is behind the first 1024 bytes is left out
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  text is NULL or not valid UTF-8
#[no_mangle]
pub unsafe extern "C" fn gc_callback_set_message(text: *const c_char) -> gc_status {
    guard("gc_callback_set_message", [], || {
        // SAFETY: C promises a text that ends with a NUL, or NULL.
        message::set_of_callback(unsafe { options::text(text, "text") }?);
        Ok(())
    })
}
