//! The capture mode of a thread.

use super::guard::guard;
use super::output::Out;
use super::status::gc_status;
use crate::ffi::objects::stream::{self, gc_capture_mode};

/// Exchanges the capture mode of the calling thread. A second call with the mode that this call returned restores it.
///
/// gc_capture_mode tells which unsafe calls captures bar. A thread that has to make an unsafe call beside captures, and
/// knows that the call harms none of them, makes itself relaxed for the time of the call.
///
/// Threads begin with GRAPHCAP_CAPTURE_MODE_GLOBAL. The mode applies to all devices. It is also CUDA's mode of the
/// thread, as cuThreadExchangeStreamCaptureMode() and the CUDA runtime know it. The first gc_ call that needs the
/// driver loads it. A thread that sets its mode before then passes the mode on to CUDA with its first gc_ call that the
/// mode affects.
///
/// @param[in,out] mode  in: one of the GRAPHCAP_CAPTURE_MODE_ numbers; out: the thread's mode before the call;
///                      unchanged on failure
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  mode is NULL, or *mode is not a capture mode
#[no_mangle]
pub unsafe extern "C" fn gc_thread_exchange_capture_mode(mode: *mut gc_capture_mode) -> gc_status {
    // SAFETY: C promises that `mode` is NULL, or readable and writable.
    let mode = unsafe { Out::in_out(mode, "mode") };
    guard("gc_thread_exchange_capture_mode", [], || {
        let place = mode.required()?;
        let mode = stream::capture_mode(place.given())?;
        place.write(graphcap_devices::exchange_capture_mode(mode)? as gc_capture_mode);
        Ok(())
    })
}
