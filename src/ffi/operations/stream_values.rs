//! Value operations of a stream: writes of a value into a buffer, waits until one is there, and batches of both.

use super::launch::check_unused;
use crate::ffi::boundary::{
    check_flags, gc_buffer, gc_host_buffer, gc_status, gc_stream, guard, handle, one_of, options, Failure, Pinned,
    Result, Token, Versioned,
};
use graphcap_base::room;
use graphcap_core::StreamValue;
use graphcap_driver::{Comparison, Value, ValueAction, MOST_IN_A_BATCH};

/// The wait ends when the value in memory is greater than or equal to the value of the wait. The comparison is cyclic:
/// their difference, which wraps, is not negative as a signed number. It therefore works with counters that wrap.
pub const GRAPHCAP_WAIT_VALUE_GEQ: u32 = 0;
/// The wait ends when the two values are equal.
pub const GRAPHCAP_WAIT_VALUE_EQ: u32 = 1;
/// The wait ends when the two values have a bit in common.
pub const GRAPHCAP_WAIT_VALUE_AND: u32 = 2;
/// The wait ends when some bit is set in neither of the two values.
pub const GRAPHCAP_WAIT_VALUE_NOR: u32 = 3;
/// After the wait, the work that follows also sees the writes of other devices that had arrived at this device. For a
/// GPU that supports it; no effect on a host device.
pub const GRAPHCAP_WAIT_VALUE_FLUSH: u32 = 1073741824;

/// Whoever sees the value also sees all that the stream wrote before.
pub const GRAPHCAP_WRITE_VALUE_DEFAULT: u32 = 0;
/// The value may be seen before earlier writes of the stream. The flag is accepted and has no effect at present,
/// because the driver's functions for such writes do not take it.
pub const GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER: u32 = 1;

/// gc_mem_op::kind: a wait for a value of 32 bits, see gc_stream_wait_value32(). The GRAPHCAP_MEM_OP_ numbers are
/// CUDA's.
pub const GRAPHCAP_MEM_OP_WAIT_VALUE32: u32 = 1;
/// gc_mem_op::kind: a write of a value of 32 bits, see gc_stream_write_value32().
pub const GRAPHCAP_MEM_OP_WRITE_VALUE32: u32 = 2;
/// gc_mem_op::kind: a wait for a value of 64 bits, see gc_stream_wait_value64().
pub const GRAPHCAP_MEM_OP_WAIT_VALUE64: u32 = 4;
/// gc_mem_op::kind: a write of a value of 64 bits, see gc_stream_write_value64().
pub const GRAPHCAP_MEM_OP_WRITE_VALUE64: u32 = 5;

/// One operation of a batch. Start from GRAPHCAP_MEM_OP_INIT_WAIT32(buffer, offset, value, flags), _WRITE32, _WAIT64 or
/// _WRITE64.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gc_mem_op {
    /// sizeof(gc_mem_op).
    pub struct_size: u32,
    /// One of the GRAPHCAP_MEM_OP_ numbers.
    pub kind: u32,
    /// The buffer to write or to read, waitable; NULL with a host_buffer.
    pub buffer: *const gc_buffer,
    /// The offset of the value in the buffer, or in the host buffer, in bytes. The value's address must be a multiple of its size.
    pub offset: usize,
    /// The value to write or to compare with; at most 0xffffffff for 32 bits.
    pub value: u64,
    /// GRAPHCAP_WRITE_VALUE_ or GRAPHCAP_WAIT_VALUE_ flags, as the function for a single operation takes them.
    pub flags: u32,
    /// 0.
    pub reserved: u32,
    /// The host buffer to write or to read in the place of buffer; or NULL. It was made with
    /// GRAPHCAP_HOST_BUFFER_MAPPED. A graph keeps it alive.
    pub host_buffer: *const gc_host_buffer,
}
// SAFETY: repr(C), starts with its size, and holds integers and pointers, which may be NULL.
unsafe impl Versioned for gc_mem_op {
    const LEAST_SIZE: usize = std::mem::offset_of!(gc_mem_op, flags);
}

/// Writes a value of 32 bits into a buffer when the earlier work of the stream has completed.
///
/// The write ends a wait for the value on any stream. Kernels and the CPU may see the value too. A recorded write is
/// done at each replay.
///
/// @param[in] stream  the stream
/// @param[in] buffer  the buffer to write, waitable, of the same context
/// @param[in] offset  the first byte written, counted from the start of the buffer; its address must be a multiple of
///                    4
/// @param[in] value   the value
/// @param[in] flags   GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a flag is unknown, value operations refuse the buffer, the value does not
///                                         lie within it, or its address is not a multiple of 4
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the GPU does not support the write
#[no_mangle]
pub unsafe extern "C" fn gc_stream_write_value32(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: u32,
    flags: u32,
) -> gc_status {
    guard("gc_stream_write_value32", [Token::of(stream), Token::of(buffer)], || {
        submit(stream, buffer, offset, Value::U32(value), write_action(flags, "flags"))
    })
}

/// Writes a value of 64 bits into a buffer when the earlier work of the stream has completed, as
/// gc_stream_write_value32() does.
///
/// @param[in] stream  the stream
/// @param[in] buffer  the buffer to write, waitable, of the same context
/// @param[in] offset  the first byte written, counted from the start of the buffer; its address must be a multiple of
///                    8
/// @param[in] value   the value
/// @param[in] flags   GRAPHCAP_WRITE_VALUE_DEFAULT or GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    a flag is unknown, value operations refuse the buffer, the value does not
///                                         lie within it, or its address is not a multiple of 8
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the GPU does not support the write
#[no_mangle]
pub unsafe extern "C" fn gc_stream_write_value64(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: u64,
    flags: u32,
) -> gc_status {
    guard("gc_stream_write_value64", [Token::of(stream), Token::of(buffer)], || {
        submit(stream, buffer, offset, Value::U64(value), write_action(flags, "flags"))
    })
}

/// Makes the later work of a stream wait until a value of 32 bits in a buffer meets the condition that flags state.
///
/// The value may be written by gc_stream_write_value32() on another stream, by kernels, copies and memsets, and by the
/// CPU if it can reach the buffer. Other streams go on meanwhile; for a recorded wait, other branches of the replay go
/// on too. A wait may miss a value that is there only for a moment. On a host device a wait takes no thread. It sees a
/// value of a gc_ value write at once, and any other value within some milliseconds.
///
/// A call that waits for the stream waits for the value too. Destroying the stream does not wait, see
/// gc_stream_destroy().
///
/// @param[in] stream  the stream
/// @param[in] buffer  the buffer to read, waitable, of the same context
/// @param[in] offset  the first byte read, counted from the start of the buffer; its address must be a multiple of 4
/// @param[in] value   the value to compare the value in the buffer with
/// @param[in] flags   GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by
///                    |
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the flags are unknown, value operations refuse the buffer, the value does
///                                         not lie within it, or its address is not a multiple of 4
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH
#[no_mangle]
pub unsafe extern "C" fn gc_stream_wait_value32(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: u32,
    flags: u32,
) -> gc_status {
    guard("gc_stream_wait_value32", [Token::of(stream), Token::of(buffer)], || {
        submit(stream, buffer, offset, Value::U32(value), wait_action(flags, "flags"))
    })
}

/// Makes the later work of a stream wait until a value of 64 bits in a buffer meets a condition, as
/// gc_stream_wait_value32() does.
///
/// @param[in] stream  the stream
/// @param[in] buffer  the buffer to read, waitable, of the same context
/// @param[in] offset  the first byte read, counted from the start of the buffer; its address must be a multiple of 8
/// @param[in] value   the value to compare the value in the buffer with
/// @param[in] flags   GRAPHCAP_WAIT_VALUE_GEQ, _EQ, _AND or _NOR; GRAPHCAP_WAIT_VALUE_FLUSH may be combined with it by
///                    |
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    the flags are unknown, value operations refuse the buffer, the value does
///                                         not lie within it, or its address is not a multiple of 8
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the GPU does not support the wait or the flag GRAPHCAP_WAIT_VALUE_FLUSH
#[no_mangle]
pub unsafe extern "C" fn gc_stream_wait_value64(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: u64,
    flags: u32,
) -> gc_status {
    guard("gc_stream_wait_value64", [Token::of(stream), Token::of(buffer)], || {
        submit(stream, buffer, offset, Value::U64(value), wait_action(flags, "flags"))
    })
}

/// Does several value writes and value waits one after another, as one piece of work. Either all of them are queued or
/// recorded, or none. Recorded, they are one node.
///
/// Each operation works as the function for a single operation does. A wait therefore holds the operations behind it
/// too.
///
/// @param[in] stream      the stream
/// @param[in] operations  the operations, in this order; may be NULL when count is 0
/// @param[in] count       the number of operations, at most 255; 0 has no effect
/// @param[in] flags       0
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    value operations refuse a buffer, or an operation is not as gc_mem_op says
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  the objects belong to different contexts
/// @retval GRAPHCAP_ERROR_NOT_SUPPORTED    the GPU does not support an operation or the flag GRAPHCAP_WAIT_VALUE_FLUSH
#[no_mangle]
pub unsafe extern "C" fn gc_stream_batch_mem_op(
    stream: *const gc_stream,
    operations: *const gc_mem_op,
    count: usize,
    flags: u32,
) -> gc_status {
    guard("gc_stream_batch_mem_op", [Token::of(stream)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        check_flags(flags, 0, "flags", "0")?;
        // SAFETY: C promises `count` operations, not changed during the call.
        let batch = unsafe { batch(operations, count, &pinned) }?;
        Ok(stream.value_batch(&batch)?)
    })
}

/// Submits one operation.
fn submit(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    offset: usize,
    value: Value,
    action: Result<ValueAction>,
) -> Result<()> {
    let pinned = handle::pin();
    let stream = handle::borrow(stream, "stream", &pinned)?;
    let buffer = handle::borrow(buffer, "buffer", &pinned)?;
    Ok(stream.value_operation(&StreamValue { buffer, offset, value, action: action? })?)
}

/// The operations of a batch.
///
/// # Safety
/// `operations` is NULL or points to `count` operations that are not changed meanwhile.
pub(crate) unsafe fn batch<'a>(
    operations: *const gc_mem_op,
    count: usize,
    pinned: &'a Pinned,
) -> Result<Vec<StreamValue<'a>>> {
    options::check_count(count, MOST_IN_A_BATCH, "count", "at most 255")?;
    let mut batch = room::list(count)?;
    let read_one = |_, operation: &gc_mem_op| {
        batch.push(convert(operation, pinned)?);
        Ok(())
    };
    // SAFETY: the caller promises `count` operations.
    unsafe { options::for_each(operations, count, "operations", read_one) }?;
    Ok(batch)
}

/// Converts one operation of a batch.
fn convert<'a>(operation: &gc_mem_op, pinned: &'a Pinned) -> Result<StreamValue<'a>> {
    let gc_mem_op { kind, flags, offset, .. } = *operation;
    let wide = Value::U64(operation.value);
    let narrow = || {
        let refused = |_| Failure::Unknown {
            argument: "operations.value",
            number: operation.value.into(),
            known: "a number of 32 bits",
        };
        u32::try_from(operation.value).map(Value::U32).map_err(refused)
    };
    check_flags(operation.reserved, 0, "operations.reserved", "0")?;
    let kinds = [
        (GRAPHCAP_MEM_OP_WRITE_VALUE32, (true, false)),
        (GRAPHCAP_MEM_OP_WRITE_VALUE64, (true, true)),
        (GRAPHCAP_MEM_OP_WAIT_VALUE32, (false, false)),
        (GRAPHCAP_MEM_OP_WAIT_VALUE64, (false, true)),
    ];
    let known = "one of the GRAPHCAP_MEM_OP_ numbers";
    let (is_write, is_wide) = one_of(kinds, kind, "operations.kind", known)?;
    let action = if is_write { write_action } else { wait_action };
    let action = action(flags, "operations.flags")?;
    let value = if is_wide { wide } else { narrow()? };
    let buffer = if operation.host_buffer.is_null() {
        handle::borrow(operation.buffer, "operations.buffer", pinned)?
    } else {
        let host_buffer = handle::borrow(operation.host_buffer, "operations.host_buffer", pinned)?;
        check_unused(operation.buffer.addr(), "operations.buffer", "NULL beside a host buffer")?;
        host_buffer.memory()
    };
    Ok(StreamValue { buffer, offset, value, action })
}

/// The flags that mean `action`.
pub(crate) fn flags(action: ValueAction) -> u32 {
    match action {
        ValueAction::Write { barrier: true } => GRAPHCAP_WRITE_VALUE_DEFAULT,
        ValueAction::Write { barrier: false } => GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER,
        ValueAction::Wait { comparison, flush } => {
            comparison as u32 | if flush { GRAPHCAP_WAIT_VALUE_FLUSH } else { 0 }
        }
    }
}

/// The write that C means by flags.
fn write_action(flags: u32, argument: &'static str) -> Result<ValueAction> {
    let known = GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER;
    check_flags(flags, known, argument, "one of the GRAPHCAP_WRITE_VALUE_ numbers")?;
    Ok(ValueAction::Write { barrier: flags & GRAPHCAP_WRITE_VALUE_NO_MEMORY_BARRIER == 0 })
}

/// The wait that C means by flags.
fn wait_action(flags: u32, argument: &'static str) -> Result<ValueAction> {
    let comparison = match flags & !GRAPHCAP_WAIT_VALUE_FLUSH {
        GRAPHCAP_WAIT_VALUE_GEQ => Comparison::GreaterOrEqual,
        GRAPHCAP_WAIT_VALUE_EQ => Comparison::Equal,
        GRAPHCAP_WAIT_VALUE_AND => Comparison::And,
        GRAPHCAP_WAIT_VALUE_NOR => Comparison::Nor,
        _ => {
            let known = "a GRAPHCAP_WAIT_VALUE_ comparison, with or without GRAPHCAP_WAIT_VALUE_FLUSH";
            return Err(Failure::Unknown { argument, number: flags.into(), known });
        }
    };
    Ok(ValueAction::Wait { comparison, flush: flags & GRAPHCAP_WAIT_VALUE_FLUSH != 0 })
}
