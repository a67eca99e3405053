//! What belongs to a thread: its capture mode.

use crate::driver;
use crate::ffi::guard::guard;
use crate::ffi::output::InOut;
use crate::ffi::status::gc_status;
use crate::ffi::stream::{self, gc_capture_mode};

/// Sets the calling thread's own capture mode and gives the one before, to be put back in the same way.
///
/// An unsafe call is barred by a capture of the same thread when neither that capture nor the thread is relaxed, and by
/// a capture of another thread when both that capture and the thread are global. A thread that has to make such a call
/// beside captures, and knows that it harms none, makes itself relaxed for the time of the call. What is illegal on
/// a capturing stream itself, and work on the legacy stream beside a blocking one, stays barred in every mode.
///
/// Threads begin with GRAPHCAP_CAPTURE_MODE_GLOBAL. The mode counts on all devices. It is also CUDA's mode of the
/// thread, as cuThreadExchangeStreamCaptureMode() and the CUDA runtime know it; a thread that sets it before the driver
/// is loaded, which the first gc_ call that needs it does, passes it on with its first gc_ call that the mode bears on.
///
/// @param[in,out] mode  in: one of the GRAPHCAP_CAPTURE_MODE_ numbers; out: the thread's mode before, unchanged on
///                      failure
/// @retval GRAPHCAP_SUCCESS              the modes were exchanged
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  mode is NULL, or points to no mode
/// @retval GRAPHCAP_ERROR_NOT_PERMITTED  the call was made inside a host function
#[no_mangle]
pub unsafe extern "C" fn gc_thread_exchange_capture_mode(mode: *mut gc_capture_mode) -> gc_status {
    // SAFETY: C promises that `mode` is NULL, or readable and writable.
    let mode = unsafe { InOut::new(mode, "mode") };
    guard("gc_thread_exchange_capture_mode", [], || {
        let place = mode?;
        let mode = stream::capture_mode(place.read())?;
        place.write(driver::exchange_capture_mode(mode)? as gc_capture_mode);
        Ok(())
    })
}
