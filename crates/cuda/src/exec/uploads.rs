//! Uploads that graphcap makes for itself, on a stream of its own.

use std::ffi::c_uint;

use cudarc::driver::sys::CUstream_flags;

use crate::api::current::relax;
use crate::api::device::Device;
use crate::api::{self, DriverError, Handle};
use graphcap_base::lock::{lock, rank, Mutex};

/// The stream of such uploads, once there was one.
#[derive(Default)]
pub(crate) struct Uploads(Mutex<Option<api::StreamHandle>, rank::Uploads>);

impl Uploads {
    /// Uploads an exec, without harm to a capture.
    ///
    /// # Safety
    /// `exec` is a live exec that no other thread uses.
    pub(crate) unsafe fn upload(&self, device: Device, exec: api::ExecHandle) -> Result<(), DriverError> {
        let _relaxed = relax(device.api)?;
        let _current = device.enter()?;
        let mut known = lock(&self.0);
        let stream = match *known {
            Some(stream) => stream,
            None => {
                let mut made = Handle::NULL;
                let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
                // SAFETY: `made` is writable; the context is current.
                unsafe { device.api.cuStreamCreateWithPriority(&mut made, flags, 0) }?;
                *known.insert(made)
            }
        };
        // SAFETY: the caller promises the exec; the stream is ours and is captured by nobody.
        unsafe { device.api.cuGraphUpload(exec, stream) }
    }

    /// Destroys the stream. The context must be current.
    pub(crate) fn end(&self, device: Device) {
        if let Some(stream) = lock(&self.0).take() {
            // SAFETY: the stream is ours, and was taken out of its place, so that it is destroyed once.
            let _ = unsafe { device.api.cuStreamDestroy_v2(stream) };
        }
    }
}
