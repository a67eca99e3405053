//! gc_scalar: typed values in device memory that streams update between replays.

use std::ffi::c_void;

use crate::ffi::boundary::{
    answer_borrowed, answer_clone, gc_buffer, gc_scalar, gc_status, gc_stream, guard, handle, options, with_clone,
    with_two_borrowed, with_two_clones, ArrayOut, Failure, Out, Output, Result, Token,
};
use graphcap_base::room;
use graphcap_core::{Scalar, ScalarType, ScalarValue};
use graphcap_driver::{check_caller, MOST_IN_A_BATCH};

/// A scalar of type int32_t.
pub const GRAPHCAP_SCALAR_I32: u32 = 1;
/// A scalar of type uint32_t.
pub const GRAPHCAP_SCALAR_U32: u32 = 2;
/// A scalar of type int64_t.
pub const GRAPHCAP_SCALAR_I64: u32 = 3;
/// A scalar of type uint64_t.
pub const GRAPHCAP_SCALAR_U64: u32 = 4;
/// A scalar of type float.
pub const GRAPHCAP_SCALAR_F32: u32 = 5;
/// A scalar of type double.
pub const GRAPHCAP_SCALAR_F64: u32 = 6;

/// The type that C means by a number.
fn type_of(number: u32) -> Option<ScalarType> {
    ScalarType::ALL.into_iter().find(|&of| of as u32 == number)
}

#[cold]
fn unknown(argument: &'static str, number: u32) -> Failure {
    Failure::Unknown { argument, number: number.into(), known: "one of the GRAPHCAP_SCALAR_ numbers" }
}

/// The value that C passed, of the type that it means by a number.
///
/// # Safety
/// `value` is NULL or points to a value of that type.
unsafe fn value_of(
    (number, type_argument): (u32, &'static str),
    (value, argument): (*const c_void, &'static str),
) -> Result<ScalarValue> {
    let of = type_of(number).ok_or_else(|| unknown(type_argument, number))?;
    if value.is_null() {
        return Err(Failure::Null(argument));
    }
    // SAFETY: the caller promises a value of the type, which has so many bytes; alignment is not assumed.
    let bits = unsafe {
        match of.bytes() {
            4 => u64::from(value.cast::<u32>().read_unaligned()),
            _ => value.cast::<u64>().read_unaligned(),
        }
    };
    Ok(ScalarValue::from_bits(of, bits))
}

/// The values that C passed as two arrays.
///
/// # Safety
/// Each array is NULL or has `count` aligned elements, and each value is NULL or of the type beside it.
unsafe fn values_of(
    types: *const u32,
    (values, argument): (*const *const c_void, &'static str),
    count: usize,
) -> Result<Vec<ScalarValue>> {
    options::check_count(count, MOST_IN_A_BATCH, "count", "at most 255")?;
    // SAFETY: the caller promises the arrays, which are not changed during the call.
    let (types, values) =
        unsafe { (options::elements(types, count, "types")?, options::elements(values, count, argument)?) };
    let mut list = room::list(count)?;
    for (&of, &value) in types.unwrap_or_default().iter().zip(values.unwrap_or_default()) {
        // SAFETY: the caller promises a value of the type.
        list.push(unsafe { value_of((of, "types"), (value, argument)) }?);
    }
    Ok(list)
}

/// Place that a value is written to, whose size the type decides.
enum ValueOut {
    Narrow(Out<u32>),
    Wide(Out<u64>),
    /// The number is none of a type, so the size is not known.
    Unknown(u32),
}

impl ValueOut {
    /// Takes the output.
    ///
    /// # Safety
    /// `value_out` is NULL or writable for as many bytes as the type has.
    unsafe fn new(of: u32, value_out: *mut c_void) -> ValueOut {
        // SAFETY: passed on to the caller.
        unsafe {
            match type_of(of).map(ScalarType::bytes) {
                Some(4) => ValueOut::Narrow(Out::number(value_out.cast(), "value_out")),
                Some(_) => ValueOut::Wide(Out::number(value_out.cast(), "value_out")),
                None => ValueOut::Unknown(of),
            }
        }
    }
}

impl Output for ValueOut {
    type Value = ScalarValue;

    fn answer(self, value: impl FnOnce() -> Result<ScalarValue>) -> Result<()> {
        match self {
            ValueOut::Narrow(out) => out.answer(|| Ok(value()?.bits() as u32)),
            ValueOut::Wide(out) => out.answer(|| Ok(value()?.bits())),
            ValueOut::Unknown(of) => Err(unknown("scalar_type", of)),
        }
    }
}

/// Makes a scalar: a typed value in device memory of its own. Graphs use it by its address, and gc_scalar_update()
/// changes it between their replays.
///
/// The first value is written in the order of the stream. Work of other streams sees it when the caller has ordered that
/// work behind, by an event or by a wait. The stream is not used otherwise.
///
/// The memory is as that of gc_buffer_allocate_waitable(). Graphs, graph execs and submitted work that use the scalar keep
/// it alive. Make the scalars of one graph by gc_scalar_create_block(), so that one call updates them.
///
/// @param[in]  stream       the stream that writes the first value; the scalar belongs to its context
/// @param[in]  scalar_type  one of the GRAPHCAP_SCALAR_ numbers
/// @param[in]  initial      the first value, of that type; copied
/// @param[out] scalar_out   the new scalar, owned by the caller until gc_scalar_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     scalar_type is not a GRAPHCAP_SCALAR_ number, or initial or scalar_out is
///                                          NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     the GPU does not support value writes of that size
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY     the device does not have enough memory
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_create(
    stream: *const gc_stream,
    scalar_type: u32,
    initial: *const c_void,
    scalar_out: *mut *mut gc_scalar,
) -> gc_status {
    // SAFETY: C promises that `scalar_out` is NULL or writable.
    let out = unsafe { Out::handle(scalar_out, "scalar_out") };
    answer_clone("gc_scalar_create", (stream, "stream"), out, |stream| {
        // SAFETY: C promises that `initial` is NULL or a value of the type.
        let initial = unsafe { value_of((scalar_type, "scalar_type"), (initial, "initial")) }?;
        let reserved = handle::reserve()?;
        Ok(reserved.enter(Scalar::create(&stream, initial)?))
    })
}

/// Makes several scalars that share one buffer. They lie in it as the members of a C struct of their types do, in this
/// order: a kernel may be given the address of the first one, and use all of them as a struct or, if they are of one type,
/// as an array. Either all scalars are made, or none.
///
/// What keeps one of them alive keeps all alive. The first values are written by one command; see gc_scalar_create() for
/// all else.
///
/// @param[in]  stream       the stream that writes the first values; the scalars belong to its context
/// @param[in]  types        for each scalar one of the GRAPHCAP_SCALAR_ numbers
/// @param[in]  initial      for each scalar a pointer to its first value, of its type; copied
/// @param[in]  count        the number of scalars, 1 to 255
/// @param[out] scalars_out  the new scalars, as many as count, each owned by the caller until gc_scalar_destroy(); NULLs on
///                          failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     count is 0 or more than 255, a type is not a GRAPHCAP_SCALAR_ number, or an
///                                          array or a pointer in initial is NULL
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED     the GPU does not support value writes of that size
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY     the device does not have enough memory
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_create_block(
    stream: *const gc_stream,
    types: *const u32,
    initial: *const *const c_void,
    count: usize,
    scalars_out: *mut *mut gc_scalar,
) -> gc_status {
    let cleared = if count <= MOST_IN_A_BATCH { count } else { 0 };
    // SAFETY: C promises that `scalars_out` is NULL or has `count` writable elements, each as large as a pointer.
    let out = unsafe { ArrayOut::new([(scalars_out.cast::<usize>(), "scalars_out")], cleared, std::ptr::null_mut()) };
    with_clone("gc_scalar_create_block", (stream, "stream"), |stream| {
        if count == 0 {
            return Err(Failure::Unknown { argument: "count", number: count as i128, known: "1 to 255" });
        }
        // SAFETY: C promises `count` types and values, not changed during the call.
        let initial = unsafe { values_of(types, (initial, "initial"), count) }?;
        out.check()?;
        let mut reserved = room::list(count)?;
        for _ in 0..count {
            reserved.push(handle::reserve::<gc_scalar>()?);
        }
        let scalars = Scalar::create_block(&stream, &initial)?;
        let handles: Vec<_> =
            reserved.into_iter().zip(scalars).map(|(place, scalar)| [place.enter(scalar).addr()]).collect();
        out.write(handles.into_iter())
    })
}

/// Changes the value of a scalar when the earlier work of the stream has completed.
///
/// Replays and other work that are submitted to the stream after the call see the new value, and those before see the old
/// one, also while they still wait to run. Work of other streams is the caller's to order, by events. The value is copied
/// by the call and travels within the command: no memory of the caller's is read later. The call cannot be recorded.
///
/// @param[in] scalar       the scalar
/// @param[in] stream       the stream, of the same context
/// @param[in] scalar_type  the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers
/// @param[in] value        the value, of that type; copied
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     value is NULL, or the scalar is of another type
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   the scalar and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_update(
    scalar: *const gc_scalar,
    stream: *const gc_stream,
    scalar_type: u32,
    value: *const c_void,
) -> gc_status {
    with_two_borrowed("gc_scalar_update", (scalar, "scalar"), (stream, "stream"), |scalar, stream| {
        // SAFETY: C promises that `value` is NULL or a value of the type.
        let value = unsafe { value_of((scalar_type, "scalar_type"), (value, "value")) }?;
        Ok(scalar.update(stream, value)?)
    })
}

/// Changes the values of several scalars by one command, when the earlier work of the stream has completed. Either all
/// updates are queued, or none. Of several updates of one scalar the last one holds.
///
/// The scalars may be of several blocks. See gc_scalar_update() for all else.
///
/// @param[in] stream   the stream, of the same context as the scalars
/// @param[in] scalars  the scalars; may be NULL when count is 0
/// @param[in] types    for each scalar its type, one of the GRAPHCAP_SCALAR_ numbers; may be NULL when count is 0
/// @param[in] values   for each scalar a pointer to its value, of its type; copied; may be NULL when count is 0
/// @param[in] count    the number of updates, at most 255; 0 has no effect
/// @retval GRAPHCAP_ERROR_INVALID_VALUE     an array or a pointer in values is NULL, count is more than 255, or a
///                                          scalar is of another type
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT   a scalar and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE     the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT  the stream is the legacy stream and a blocking stream is being captured;
///                                          the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_update_many(
    stream: *const gc_stream,
    scalars: *const *const gc_scalar,
    types: *const u32,
    values: *const *const c_void,
    count: usize,
) -> gc_status {
    guard("gc_scalar_update_many", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        options::check_count(count, MOST_IN_A_BATCH, "count", "at most 255")?;
        let mut borrowed = room::list(count)?;
        // SAFETY: C promises `count` scalars, not changed during the call.
        for &scalar in unsafe { options::elements(scalars, count, "scalars") }?.unwrap_or_default() {
            borrowed.push(handle::borrow(scalar, "scalars", &pinned)?);
        }
        // SAFETY: C promises `count` types and values, not changed during the call.
        let values = unsafe { values_of(types, (values, "values"), count) }?;
        let updates: Vec<_> = borrowed.into_iter().zip(values).collect();
        Ok(Scalar::update_many(stream, &updates)?)
    })
}

/// Reads the value of a scalar as it is when the earlier work of the stream has completed, and waits for that.
///
/// The call waits by the same rules as gc_stream_synchronize(): a capture that forbids that wait is invalidated, unless the
/// context is guarded. To read without waiting, copy from the buffer of gc_scalar_buffer() to a gc_host_buffer; such a copy
/// can be recorded.
///
/// @param[in]  scalar       the scalar
/// @param[in]  stream       the stream, of the same context
/// @param[in]  scalar_type  the type of the scalar, one of the GRAPHCAP_SCALAR_ numbers
/// @param[out] value_out    the value, of that type; 0 on failure. It is left alone if scalar_type is not a
///                          GRAPHCAP_SCALAR_ number
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        the scalar is of another type
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the scalar and the stream belong to different contexts
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the stream is being captured; the capture goes on
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  another capture forbids the wait
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being captured;
///                                             the capture goes on
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_read(
    scalar: *const gc_scalar,
    stream: *const gc_stream,
    scalar_type: u32,
    value_out: *mut c_void,
) -> gc_status {
    // SAFETY: C promises that `value_out` is NULL or writable for a value of the type.
    let out = unsafe { ValueOut::new(scalar_type, value_out) };
    with_two_clones("gc_scalar_read", (scalar, "scalar"), (stream, "stream"), |scalar, stream| {
        out.answer(|| {
            if let Some(of) = type_of(scalar_type) {
                scalar.check_type(of)?;
            }
            Ok(scalar.read(&stream)?)
        })
    })
}

/// Destroys a scalar. Its memory is freed as that of gc_buffer_allocate_waitable(): when all scalars of its block are
/// destroyed, no graph or graph exec uses them any more, and the work submitted with them has completed. Does not wait.
///
/// @param[in] scalar  NULL has no effect
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_destroy(scalar: *mut gc_scalar) -> gc_status {
    guard("gc_scalar_destroy", [], || handle::destroy(scalar, "scalar"))
}

/// Returns the type of a scalar.
///
/// @param[in]  scalar    the scalar
/// @param[out] type_out  one of the GRAPHCAP_SCALAR_ numbers; 0 on failure
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_type(scalar: *const gc_scalar, type_out: *mut u32) -> gc_status {
    // SAFETY: C promises that `type_out` is NULL or writable.
    let out = unsafe { Out::number(type_out, "type_out") };
    answer_borrowed("gc_scalar_type", (scalar, "scalar"), out, |scalar| Ok(scalar.scalar_type() as u32))
}

/// Returns the device address of a scalar, as a number: what a kernel gets as a pointer to the scalar. It is valid as long
/// as the scalar is, and while a graph keeps it alive.
///
/// A kernel argument that is to keep the scalar alive names it: GRAPHCAP_ARG_INIT_BUFFER_AT() with the buffer and the offset
/// that gc_scalar_buffer() returns.
///
/// @param[in]  scalar       the scalar
/// @param[out] address_out  the address of its first byte, a multiple of its size; 0 on failure
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_address(scalar: *const gc_scalar, address_out: *mut u64) -> gc_status {
    // SAFETY: C promises that `address_out` is NULL or writable.
    let out = unsafe { Out::number(address_out, "address_out") };
    answer_borrowed("gc_scalar_address", (scalar, "scalar"), out, |scalar| Ok(scalar.address()))
}

/// Returns the buffer that a scalar lies in, and where in it: for arguments of kernels, copies, conditions and all else that
/// takes buffers. The scalars of a block have one buffer, and its name; a scalar of gc_scalar_create() has one of its own,
/// at offset 0.
///
/// What writes the buffer changes the scalars in it, also kernels. Value operations accept the buffer.
///
/// @param[in]  scalar      the scalar
/// @param[out] buffer_out  another handle of the buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @param[out] offset_out  where the scalar starts in the buffer, in bytes; 0 on failure
#[no_mangle]
pub unsafe extern "C" fn gc_scalar_buffer(
    scalar: *const gc_scalar,
    buffer_out: *mut *mut gc_buffer,
    offset_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    // SAFETY: C promises that `offset_out` is NULL or writable.
    let offset = unsafe { Out::number(offset_out, "offset_out") };
    with_clone("gc_scalar_buffer", (scalar, "scalar"), |scalar| {
        let (out, offset) = (out.required()?, offset.required()?);
        check_caller()?;
        out.write(handle::insert(scalar.buffer().clone())?);
        offset.write(scalar.offset());
        Ok(())
    })
}
