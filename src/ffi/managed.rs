//! Managed memory, which the CPU and the device use by the same addresses.

use crate::core::Buffer;
use crate::driver::{Attach, MemoryKind};
use crate::ffi::buffer::gc_buffer;
use crate::ffi::context::gc_context;
use crate::ffi::failure::Failure;
use crate::ffi::guard::guard;
use crate::ffi::handle::{self, Token};
use crate::ffi::output::Out;
use crate::ffi::status::gc_status;
use crate::ffi::stream::gc_stream;

/// Every stream may use the memory. CUDA's number, as the others.
pub const GRAPHCAP_MEM_ATTACH_GLOBAL: u32 = 1;
/// The CPU alone may use the memory.
pub const GRAPHCAP_MEM_ATTACH_HOST: u32 = 2;
/// The stream that it is attached to, and the CPU while that has no work, may use the memory.
pub const GRAPHCAP_MEM_ATTACH_SINGLE: u32 = 4;

/// Allocates managed memory: the CPU and the device use it, by the address that gc_buffer_address() tells. Its content
/// is undefined. May be called while streams are captured.
///
/// The CPU must not touch it while work uses it that was submitted and not waited for, unless the device can bear that
/// (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS). Value operations do not take it. On a host device it is memory as any
/// other there. On a CUDA device it is given back as that of gc_buffer_allocate_waitable().
///
/// @param[in]  context     the context that the memory belongs to
/// @param[in]  size        bytes, not 0
/// @param[in]  flags       GRAPHCAP_MEM_ATTACH_GLOBAL, or GRAPHCAP_MEM_ATTACH_HOST for memory that streams may use once
///                         gc_stream_attach_mem_async() said so
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_SUCCESS               the buffer was made
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE  context is no live context
/// @retval GRAPHCAP_ERROR_INVALID_VALUE   size is 0, flags is none of the two, or buffer_out is NULL
/// @retval GRAPHCAP_ERROR_OUT_OF_MEMORY   there is not enough memory
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED   the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_allocate_managed(
    context: *const gc_context,
    size: usize,
    flags: u32,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    guard("gc_buffer_allocate_managed", [Token::of(context)], || {
        let context = handle::clone(context, "context")?;
        let out = out.required()?;
        let attach = match attach(flags) {
            Some(attach @ (Attach::Global | Attach::Host)) => attach,
            _ => return Err(unknown(flags, "1 (GRAPHCAP_MEM_ATTACH_GLOBAL) or 2 (GRAPHCAP_MEM_ATTACH_HOST)")),
        };
        out.write(handle::insert(Buffer::allocate_as(&context, size, MemoryKind::Managed(attach))?)?);
        Ok(())
    })
}

/// Says who may use a managed buffer: every stream, the CPU alone, or this stream alone. It takes effect when the work that
/// was submitted to the stream before has completed, as work of the stream does.
///
/// It cannot be recorded. On a host device, where all may use all memory, it has no effect beyond the rules of captures.
///
/// @param[in] stream  the stream; for GRAPHCAP_MEM_ATTACH_SINGLE the one that may use the memory
/// @param[in] buffer  a buffer of gc_buffer_allocate_managed(), or wrapped managed memory, of the same context
/// @param[in] flags   one of the GRAPHCAP_MEM_ATTACH_ numbers
/// @retval GRAPHCAP_SUCCESS                    it is queued
/// @retval GRAPHCAP_ERROR_INVALID_HANDLE       stream or buffer is no live handle of its kind
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        flags is none of the numbers, or the memory is not managed
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the two belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_CAPTURE_IMPLICIT     the stream is the legacy stream and a blocking stream is being
///                                             captured; the capture is invalidated
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_stream_attach_mem_async(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    flags: u32,
) -> gc_status {
    guard("gc_stream_attach_mem_async", [Token::of(stream), Token::of(buffer)], || {
        let pinned = handle::pin();
        let stream = handle::borrow(stream, "stream", &pinned)?;
        let buffer = handle::borrow(buffer, "buffer", &pinned)?;
        let attach =
            attach(flags).ok_or_else(|| unknown(flags, "1, 2 or 4, one of the GRAPHCAP_MEM_ATTACH_ numbers"))?;
        Ok(stream.attach(buffer, attach)?)
    })
}

fn attach(flags: u32) -> Option<Attach> {
    match flags {
        GRAPHCAP_MEM_ATTACH_GLOBAL => Some(Attach::Global),
        GRAPHCAP_MEM_ATTACH_HOST => Some(Attach::Host),
        GRAPHCAP_MEM_ATTACH_SINGLE => Some(Attach::Single),
        _ => None,
    }
}

#[cold]
fn unknown(flags: u32, known: &'static str) -> Failure {
    Failure::Unknown { argument: "flags", number: flags.into(), known }
}
