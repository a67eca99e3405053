//! Copies that a stream is given together.

use super::copy::{self, gc_memcpy_params};
use crate::ffi::boundary::{gc_status, gc_stream, handle, options, with_clone, Failure, Out, Result};
use graphcap_base::room;
use graphcap_core::{OwnedCopy, Stream};

/// # Safety
/// Host memory that is saved is valid while this runs.
unsafe fn read(stream: &Stream, params: &gc_memcpy_params) -> Result<OwnedCopy> {
    let copy = copy::read(params, handle::clone, handle::clone)?;
    // Each one before the next is read, so that the first that is wrong is told.
    stream.check_memcpy(&copy.lend())?;
    // SAFETY: passed on to the caller.
    unsafe { copy::save(copy, params, |_| Ok(())) }
}

/// Makes several copies, as cuMemcpyBatchAsync does. All of them come after the earlier work of the stream and before
/// its later work. In which order the copies run, and whether several run at once, is not stated, so no copy may write
/// what another copy of the call reads or writes.
///
/// Each copy works as work of GRAPHCAP_WORK_MEMCPY does, and may have several rows. Plain host memory must not change until the
/// copies have run, unless GRAPHCAP_MEMCPY_SNAPSHOT is set. While the stream is captured each copy is recorded as a
/// node of its own, which depends on the node before it, in the order of the copies.
///
/// All copies are checked before the first one is queued. If one of them is wrong, nothing is done, and
/// failed_index_out is its index. If the device refuses a copy later, any of the others may be queued. If a capture is
/// broken meanwhile, the copies before it are recorded.
///
/// A CUDA device with a driver for CUDA 12.8 or newer queues the copies by one call of the driver. Queued one by one
/// are copies of several rows, snapshots, copies on the legacy stream, copies of host memory on devices that do not
/// take its addresses, and all copies with an older driver. A call with a source in pageable host memory may wait until
/// the stream comes to the copies. A call that writes pageable host memory may return before that: synchronize the
/// stream before the memory is read.
///
/// @param[in]  stream            the stream
/// @param[in]  params            the copies; may be NULL when count is 0
/// @param[in]  count             the number of copies; 0 has no effect
/// @param[out] failed_index_out  the index of the first copy that failed; SIZE_MAX if the call succeeds, the failure is
///                               not that of one copy, or the driver does not tell of which it is; may be NULL
/// @retval GRAPHCAP_ERROR_INVALID_VALUE    see GRAPHCAP_WORK_MEMCPY; a capture of the stream goes on
/// @retval GRAPHCAP_ERROR_INVALID_CONTEXT  a buffer belongs to a context other than the stream's
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED    a strict capture of the stream refuses plain host memory
///                                         (GRAPHCAP_CAPTURE_STRICT)
#[no_mangle]
pub unsafe extern "C" fn gc_stream_memcpy_batch(
    stream: *const gc_stream,
    params: *const gc_memcpy_params,
    count: usize,
    failed_index_out: *mut usize,
) -> gc_status {
    // SAFETY: C promises that `failed_index_out` is NULL or may be written.
    let failed = unsafe { Out::index(failed_index_out, "failed_index_out") };
    with_clone("gc_stream_memcpy_batch", (stream, "stream"), move |stream| {
        // SAFETY: C promises `count` copies, not changed during the call, and their host memory until the copies have run, at each
        // replay, or now where it is copied.
        let copied = unsafe { copy_all(&stream, params, count) };
        if let (Err(Failure::Element { index, .. }), Some(place)) = (&copied, failed.optional()) {
            place.write(*index);
        }
        copied
    })
}

/// Makes the copies of an array. A failure of one of them is told as that of an element.
///
/// # Safety
/// `params` is NULL or points to `count` copies that are not changed meanwhile. Their host memory is valid until they have run, at each
/// replay; for a snapshot, while this runs.
unsafe fn copy_all(stream: &Stream, params: *const gc_memcpy_params, count: usize) -> Result<()> {
    if !options::fits_memory(count, size_of::<gc_memcpy_params>()) {
        return Err(Failure::NoArray { argument: "params", count });
    }
    let mut elements = room::list(count)?;
    let read_one = |_, params: &gc_memcpy_params| {
        // SAFETY: passed on to the caller.
        elements.push(unsafe { read(stream, params) }?);
        Ok(())
    };
    // SAFETY: the caller promises `count` copies.
    unsafe { options::for_each(params, count, "params", read_one) }?;
    let mut copies = room::list(count)?;
    copies.extend(elements.iter().map(OwnedCopy::lend));
    Ok(stream.memcpy_batch(&copies)?)
}
