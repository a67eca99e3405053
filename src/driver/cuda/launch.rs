//! Launches of kernels and of host functions on streams.

use std::ffi::c_void;

use smallvec::SmallVec;

use super::function::{self, HostCall};
use super::history::Launched;
use super::shared::Shared;
use crate::driver::{callbacks, Argument, CaptureStatus, HostFunction, KernelId, LaunchShape, StreamId};
use crate::error::{Error, Result, Status};

/// What an argument list is padded to where the driver does not tell how many parameters a kernel has: it reads as many
/// pointers as there are. No kernel has more.
const MOST_PARAMETERS: usize = 4096;
/// Where the padding points to: as many bytes as a parameter can have.
static NO_ARGUMENT: [u64; 4096] = [0; 4096];

impl Shared {
    pub(super) fn check_shape(&self, kernel: KernelId, shape: LaunchShape) -> Result<()> {
        callbacks::check_caller()?;
        let found = self.kernel(kernel);
        self.limits.check(&found.name, found.limits, &shape)
    }

    #[inline]
    pub(super) fn launch_kernel(
        &self,
        stream: StreamId,
        kernel: KernelId,
        shape: LaunchShape,
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        callbacks::check_caller()?;
        let found = self.kernel(kernel);
        let mut parameters = SmallVec::<[*mut c_void; 16]>::new();
        parameters.extend(arguments.iter().map(|argument| match argument {
            Argument::Address(address) => std::ptr::from_ref(address).cast_mut().cast(),
            Argument::Value(bytes) => bytes.as_ptr().cast_mut().cast(),
        }));
        if !found.are_sizes_told {
            parameters.resize(MOST_PARAMETERS, NO_ARGUMENT.as_ptr().cast_mut().cast());
        }
        let LaunchShape { grid: [gx, gy, gz], block: [bx, by, bz], shared_mem_bytes } = shape;
        found.allow_shared_memory(self.api(), shared_mem_bytes);
        self.submit(stream, |stream| {
            // SAFETY: stream and kernel live. There is a pointer for each parameter, each to as many bytes as it has: core
            // checked that where the sizes are known. The driver reads them only, and before it returns.
            unsafe {
                self.api().cuLaunchKernel(
                    found.native,
                    gx,
                    gy,
                    gz,
                    bx,
                    by,
                    bz,
                    shared_mem_bytes,
                    stream.native,
                    parameters.as_mut_ptr(),
                    std::ptr::null_mut(),
                )
            }?;
            stream.history.add(Launched::Kernel(kernel));
            Ok(())
        })
        .map_err(|error| match error.status {
            Status::INVALID_VALUE => Error::new(
                error.status,
                format!(
                    "kernel '{}' cannot be launched with the grid {:?}, the block {:?} and {shared_mem_bytes} bytes of shared memory: \
                     each must be at least 1 and within the limits of the device; {}",
                    found.name, shape.grid, shape.block, error.message
                ),
            ),
            _ => error,
        })
    }

    pub(super) fn launch_host_function(&self, id: StreamId, function: HostFunction) -> Result<()> {
        callbacks::check_caller()?;
        let is_legacy = id == StreamId::LEGACY;
        let _goes_on = self.capture_goes_on();
        self.submit(id, |stream| {
            stream.settled(|| {
                // The legacy stream is never captured, and the driver may refuse to say so.
                let capture = || if is_legacy { Ok(None) } else { self.device.ask_capture(stream.native) };
                let before = capture()?;
                let graph = before.as_ref().filter(|capture| capture.status == CaptureStatus::Active);
                // SAFETY: the stream lives, and it is in that capture, unless others interfere.
                let call = unsafe {
                    HostCall::submit(self.api(), stream.native, graph.map(|capture| capture.graph), function)
                }?;
                let after = capture()?;
                // The default stream of this thread nobody else uses meanwhile.
                let has_others = stream.is_shared() && id != StreamId::PER_THREAD;
                if !function::went_into(before.as_ref(), after.as_ref(), has_others) {
                    call.keep_for_ever();
                }
                Ok(())
            })
        })
    }
}
