//! The two things that a thread lends to a call of the driver and gets back: its current context, and its capture mode,
//! which its owner may also set.

use std::cell::Cell;
use std::ffi::c_uint;

use cudarc::driver::sys::CUstreamCaptureMode;

use crate::api::{Api, Ctx, DriverError, Handle};
use graphcap_base::{defer, Deferred};
use graphcap_driver::mode;
use graphcap_driver::rules::CaptureMode;

/// Number of times that a context is made current without a question, once it was found that it was not. To ask and then to make it current
/// all the same takes a third longer.
const UNASKED: u32 = 64;

thread_local! {
    /// The context that was not current when this thread last asked, and how often it is still made current unasked.
    static NOT_CURRENT: Cell<(Ctx, u32)> = const { Cell::new((Handle::NULL, 0)) };
}

/// Makes a context current until it is dropped; the caller's is current again then.
pub(crate) struct Current<'a> {
    api: &'a Api,
    pushed: bool,
}

impl<'a> Current<'a> {
    /// Makes `context` current, unless it is known to be so already.
    #[inline]
    pub(crate) fn enter(api: &'a Api, context: Ctx) -> Result<Self, DriverError> {
        match NOT_CURRENT.get() {
            (known, unasked @ 1..) if known == context => NOT_CURRENT.set((context, unasked - 1)),
            _ => {
                let mut current = Handle::NULL;
                // SAFETY: `current` is writable.
                unsafe { api.cuCtxGetCurrent(&mut current) }?;
                if current == context {
                    return Ok(Current { api, pushed: false });
                }
                NOT_CURRENT.set((context, UNASKED));
            }
        }
        // SAFETY: the context is retained by the CudaContext that calls.
        unsafe { api.cuCtxPushCurrent_v2(context) }?;
        Ok(Current { api, pushed: true })
    }
}

/// Makes `context` the thread's, until another one is made so.
pub(crate) fn set(api: &Api, context: Ctx) -> Result<(), DriverError> {
    NOT_CURRENT.set((Handle::NULL, 0));
    // SAFETY: the context is retained by the CudaContext that calls.
    unsafe { api.cuCtxSetCurrent(context) }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if self.pushed {
            let mut popped = Handle::NULL;
            // SAFETY: what `enter` pushed is on top: calls in between leave the stack as it was.
            if unsafe { self.api.cuCtxPopCurrent_v2(&mut popped) }.is_err() {
                // It may be current still.
                NOT_CURRENT.set((Handle::NULL, 0));
            }
        }
    }
}

/// Puts the thread into the relaxed mode until what it gives is dropped, so that what graphcap does for itself harms no capture.
pub(crate) fn relax(api: &Api) -> Result<Deferred<impl FnOnce() + '_>, DriverError> {
    let mut mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED as c_uint;
    // SAFETY: `mode` is a mode, and writable.
    unsafe { api.cuThreadExchangeStreamCaptureMode(&mut mode) }?;
    Ok(defer(move || {
        // SAFETY: `mode` is the one that the driver gave.
        let _ = unsafe { api.cuThreadExchangeStreamCaptureMode(&mut mode) };
    }))
}

/// Sets the driver's mode of the thread and gives the one before.
pub(crate) fn exchange_mode(api: &Api, mode: CaptureMode) -> Result<CaptureMode, DriverError> {
    let mut number = mode as c_uint;
    // SAFETY: `number` is a mode, and writable.
    unsafe { api.cuThreadExchangeStreamCaptureMode(&mut number) }?;
    Ok(CaptureMode::from_number(number as i32).unwrap_or_default())
}

/// To be called before what the thread's mode bears on: tells the driver a mode that was set before it was loaded.
#[inline]
pub(crate) fn tell_mode(api: &Api) -> Result<(), DriverError> {
    match mode::untold() {
        None => Ok(()),
        Some(mode) => exchange_mode(api, mode).map(|_| mode::was_told()),
    }
}
