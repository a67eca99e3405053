//! gc_capture_record: work that is recorded through a gc_capture.

use std::mem::MaybeUninit;

use super::data::{self, gc_work};
use super::read::{self, Brief, Owned, Read};
use super::stream::{submit_brief, Submitted};
use crate::ffi::boundary::{gc_capture, gc_status, guard, handle, Result, Token};
use crate::ffi::operations::launch::{check_unused, Arguments};
use graphcap_core::{OwnedWork, StreamCapture};

/// Records work in a capture, as gc_stream_submit() does on its stream.
///
/// Marks of events and waits for them are no operations of the graph: gc_capture_recorded_count() does not count them.
/// Nor does it count a copy of no bytes, a memset, product or fill of no elements, and a list of no value operations. A
/// shape that cannot be launched is refused before it breaks the capture.
///
/// @param[in] capture  the capture
/// @param[in] work     the work, not NULL; read and copied during the call. Its name is NULL: name a node with gc_stream_submit(), or
///                     afterwards
/// @retval GRAPHCAP_ERROR_INVALID_VALUE        as gc_stream_submit() says, or work has a name
/// @retval GRAPHCAP_ERROR_CAPTURE_UNSUPPORTED  the work cannot be captured; the capture is broken
/// @retval GRAPHCAP_ERROR_ILLEGAL_STATE        the capture is over
/// @retval GRAPHCAP_ERROR_CAPTURE_INVALIDATED  the capture was broken before
/// @retval GRAPHCAP_ERROR_BUSY                 another thread is using the capture
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED        the capture is of another thread's per-thread
///                                             stream
#[no_mangle]
pub unsafe extern "C" fn gc_capture_record(capture: *const gc_capture, work: *const gc_work) -> gc_status {
    let mut copy = MaybeUninit::uninit();
    // SAFETY: C promises that `work` is NULL or points to as many bytes as its struct_size states, and its user data.
    let work = unsafe { data::read(work, &mut copy) };
    guard(data::told!("gc_capture_record", work), [Token::of(capture), data::subject(&work)], move || {
        let mut arguments = Arguments::new();
        let pinned = handle::pin();
        let capture = handle::borrow(capture, "capture", &pinned)?;
        let (work, user_data) = work?;
        check_unused(work.name.addr(), "work.name", "NULL in a capture")?;
        // SAFETY: C promises what the members point to.
        match unsafe { read::read(work, user_data, &pinned, &mut arguments, |copy| capture.check_memcpy(copy)) }? {
            Read::Brief(brief) => Ok(record_brief(capture, &brief)?),
            Read::Owned(owned) => {
                let capture = capture.clone();
                drop(pinned);
                record_owned(&capture, &owned)
            }
        }
    })
}

#[inline]
fn record_brief(capture: &StreamCapture, work: &Brief<'_>) -> graphcap_base::Result<()> {
    match work {
        Brief::Kernel(launch) => {
            let (arguments, attributes) = (launch.arguments, &launch.attributes);
            // SAFETY: C promises that the kernel may be run with these arguments.
            unsafe {
                capture.record_kernel_handle(
                    launch.kernel,
                    launch.shape,
                    arguments,
                    attributes.list(),
                    attributes.events(),
                )
            }
        }
        Brief::Values(values) => capture.record_by(!values.is_empty(), |stream| submit_brief(stream, work)),
        Brief::EventRecord { is_external, .. } | Brief::EventWait { is_external, .. } => {
            capture.record_by(*is_external, |stream| submit_brief(stream, work))
        }
    }
}

fn record_owned(capture: &StreamCapture, work: &Owned) -> Result<()> {
    let submitted = Submitted::of(work)?;
    let is_something = match &submitted {
        Submitted::Node(OwnedWork::Memcpy(copy)) => copy.lend().width > 0,
        Submitted::Node(OwnedWork::Memset(fill)) => fill.lend().width > 0,
        Submitted::Peer(peer) => peer.bytes > 0,
        Submitted::Op(op) => !op.is_nothing(),
        Submitted::Node(_) | Submitted::SetCondition(..) => true,
    };
    Ok(capture.record_by(is_something, |stream| submitted.submit(stream))?)
}
