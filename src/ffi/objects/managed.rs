//! Managed memory, which the CPU and the device use by the same addresses.

use crate::ffi::boundary::{
    answer_clone, gc_buffer, gc_context, gc_status, gc_stream, handle, with_two_borrowed, Failure, Out,
};
use graphcap_core::Buffer;
use graphcap_driver::{Attach, MemoryKind};

/// Every stream may use the memory. The GRAPHCAP_MEM_ATTACH_ numbers are CUDA's.
pub const GRAPHCAP_MEM_ATTACH_GLOBAL: u32 = 1;
/// The CPU alone may use the memory.
pub const GRAPHCAP_MEM_ATTACH_HOST: u32 = 2;
/// The stream that the memory is attached to may use it, and the CPU may while that stream has no work.
pub const GRAPHCAP_MEM_ATTACH_SINGLE: u32 = 4;

/// Allocates managed memory. The CPU and the device use it by one address, which gc_buffer_address() returns. Its
/// content is undefined. May be called while streams are captured.
///
/// While submitted work that uses the memory has not been waited for, the CPU must not touch the memory, unless the
/// device supports that (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS). Value operations refuse managed memory. On a
/// host device it is ordinary memory of the device. On a CUDA device it is freed as that of
/// gc_buffer_allocate_waitable() is.
///
/// @param[in]  context     the context that the memory belongs to
/// @param[in]  size        bytes, not 0
/// @param[in]  flags       GRAPHCAP_MEM_ATTACH_GLOBAL, or GRAPHCAP_MEM_ATTACH_HOST for memory that streams may use only
///                         after gc_stream_attach_mem_async() allows it
/// @param[out] buffer_out  the new buffer, owned by the caller until gc_buffer_destroy(); NULL on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  size is 0 or flags is neither of the two
#[no_mangle]
pub unsafe extern "C" fn gc_buffer_allocate_managed(
    context: *const gc_context,
    size: usize,
    flags: u32,
    buffer_out: *mut *mut gc_buffer,
) -> gc_status {
    // SAFETY: C promises that `buffer_out` is NULL or writable.
    let out = unsafe { Out::handle(buffer_out, "buffer_out") };
    answer_clone("gc_buffer_allocate_managed", (context, "context"), out, |context| {
        let attach = match attach(flags) {
            Some(attach @ (Attach::Global | Attach::Host)) => attach,
            _ => return Err(unknown(flags, "1 (GRAPHCAP_MEM_ATTACH_GLOBAL) or 2 (GRAPHCAP_MEM_ATTACH_HOST)")),
        };
        handle::insert(Buffer::allocate_as(&context, size, MemoryKind::Managed(attach))?)
    })
}

/// Sets who may use a managed buffer: every stream, the CPU alone, or this stream alone. The change is work of the
/// stream: it takes effect when the work that was submitted to the stream before has completed.
///
/// The change cannot be recorded into a graph. On a host device everyone may use all memory; there the call has no
/// effect beyond the rules of captures.
///
/// @param[in] stream  the stream; with GRAPHCAP_MEM_ATTACH_SINGLE it is the stream that may use the memory
/// @param[in] buffer  a buffer of gc_buffer_allocate_managed(), or wrapped managed memory, of the same context
/// @param[in] flags   one of the GRAPHCAP_MEM_ATTACH_ numbers
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        flags is not a GRAPHCAP_MEM_ATTACH_ number, or the memory is not managed
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT      the stream and the buffer belong to different contexts
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the stream is being captured; the capture is invalidated
#[no_mangle]
pub unsafe extern "C" fn gc_stream_attach_mem_async(
    stream: *const gc_stream,
    buffer: *const gc_buffer,
    flags: u32,
) -> gc_status {
    with_two_borrowed("gc_stream_attach_mem_async", (stream, "stream"), (buffer, "buffer"), |stream, buffer| {
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
