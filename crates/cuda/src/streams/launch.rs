//! Launches of kernels and of host functions on streams.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use smallvec::SmallVec;

use super::history::Launched;
use super::launch_attributes::{config, native};
use super::submit::not_submitted;
use crate::captures::epoch;
use crate::code::function::{self, HostCall};
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::names::shown;
use graphcap_driver::refusals::{self, NO_SUCH_CLUSTER};
use graphcap_driver::{Argument, Arguments, CaptureStatus, HostFunction, KernelId, Launch, LaunchShape, StreamId};

/// Lists of so many arguments are made without an allocation.
const FEW_ARGUMENTS: usize = 16;
/// Length that an argument list is padded to where the driver does not tell how many parameters a kernel has: it reads as many
/// pointers as there are. No kernel has more.
const MOST_PARAMETERS: usize = 4096;
/// Memory that the padding points to: as many bytes as a parameter can have.
static NO_ARGUMENT: [u64; 4096] = [0; 4096];

// What the entries of a list that describes one block of arguments say, by CUDA's numbers (CU_LAUNCH_PARAM_*).
pub(crate) const LAUNCH_PARAM_END: usize = 0;
pub(crate) const LAUNCH_PARAM_BUFFER_POINTER: usize = 1;
pub(crate) const LAUNCH_PARAM_BUFFER_SIZE: usize = 2;

/// A pointer to each argument.
type Pointers = SmallVec<[*mut c_void; FEW_ARGUMENTS]>;

/// Makes `call` with the two pointers that the driver is told of a launch's arguments: to a pointer for each of them, and to the
/// description of one block that has all of them. `are_sizes_told`: whether the driver knows how many there are.
#[inline]
pub(crate) fn with_given<T>(
    arguments: &Arguments<'_>,
    are_sizes_told: bool,
    call: impl FnOnce(*mut *mut c_void, *mut *mut c_void) -> T,
) -> Result<T> {
    // Most launches have few arguments. These are pointed to in place: to move a list costs as much as to fill it.
    let mut few = [MaybeUninit::<*mut c_void>::uninit(); FEW_ARGUMENTS];
    let (mut many, mut size, mut extra);
    let (parameters, description) = match *arguments {
        Arguments::Separate(arguments) if are_sizes_told && arguments.len() <= FEW_ARGUMENTS => {
            for (place, argument) in few.iter_mut().zip(arguments) {
                place.write(pointer(argument));
            }
            (few.as_mut_ptr().cast(), null_mut())
        }
        Arguments::Separate(arguments) => {
            many = pointers(arguments, are_sizes_told);
            (many.as_mut_ptr(), null_mut())
        }
        Arguments::Packed(bytes) => {
            size = bytes.len();
            extra = [
                std::ptr::without_provenance_mut::<c_void>(LAUNCH_PARAM_BUFFER_POINTER),
                bytes.as_ptr().cast_mut().cast(),
                std::ptr::without_provenance_mut(LAUNCH_PARAM_BUFFER_SIZE),
                (&raw mut size).cast(),
                std::ptr::without_provenance_mut(LAUNCH_PARAM_END),
            ];
            (null_mut(), extra.as_mut_ptr())
        }
        Arguments::Unknown => return Err(not_submitted()),
    };
    Ok(call(parameters, description))
}

/// A pointer to an argument.
#[inline(always)]
fn pointer(argument: &Argument<'_>) -> *mut c_void {
    match argument {
        Argument::Address(address) => std::ptr::from_ref(address).cast_mut().cast(),
        Argument::Value(bytes) => bytes.as_ptr().cast_mut().cast(),
    }
}

/// A pointer to each argument, of any number.
fn pointers(arguments: &[Argument<'_>], are_sizes_told: bool) -> Pointers {
    let mut pointers: Pointers = arguments.iter().map(pointer).collect();
    if !are_sizes_told {
        pointers.resize(MOST_PARAMETERS, NO_ARGUMENT.as_ptr().cast_mut().cast());
    }
    pointers
}

/// Returns what the driver's refusal of a launch means.
#[cold]
pub(crate) fn launch_refused(name: &str, shape: LaunchShape, has_attributes: bool, error: Error) -> Error {
    let LaunchShape { grid, block, shared_mem_bytes } = shape;
    let name = shown(name);
    match error.status {
        Status::INVALID_VALUE => Error::new(
            error.status,
            format!(
                "kernel '{name}' cannot be launched with the grid {grid:?}, the block {block:?} and {shared_mem_bytes} bytes of \
                 shared memory: each must be at least 1 and within the limits of the device{}; {}{}",
                match has_attributes {
                    true => ", and each attribute one that launches have, with a value that it can have",
                    false => "",
                },
                error.message,
                shape.advice()
            ),
        ),
        Status::INVALID_CLUSTER_SIZE => Error::new(
            error.status,
            format!("kernel '{name}' cannot be launched with the grid {grid:?}: {NO_SUCH_CLUSTER}; {}", error.message),
        ),
        _ => error,
    }
}

impl Shared {
    #[inline(always)]
    pub(crate) fn launch_kernel(&self, stream: StreamId, launch: &Launch<'_>) -> Result<()> {
        let Arguments::Separate(arguments) = launch.arguments else { return self.launch_otherwise(stream, launch) };
        if launch.kernel == KernelId::FOREIGN || !launch.attributes.is_empty() {
            return self.launch_otherwise(stream, launch);
        }
        let found = self.kernel(launch.kernel);
        // Most launches have few arguments. These are pointed to in place: to move a list costs as much as to fill it.
        let mut few = [MaybeUninit::<*mut c_void>::uninit(); FEW_ARGUMENTS];
        let mut many;
        let parameters = if found.are_sizes_told && arguments.len() <= FEW_ARGUMENTS {
            for (place, argument) in few.iter_mut().zip(arguments) {
                place.write(pointer(argument));
            }
            few.as_mut_ptr().cast()
        } else {
            many = pointers(arguments, found.are_sizes_told);
            many.as_mut_ptr()
        };
        found.allow_shared_memory(self.api(), launch.shape.shared_mem_bytes);
        self.record_on_stream(stream, |stream| {
            let LaunchShape { grid: [gx, gy, gz], block: [bx, by, bz], shared_mem_bytes } = launch.shape;
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
                    parameters,
                    null_mut(),
                )
            }?;
            stream.history.add(Launched::Kernel(launch.kernel));
            Ok(())
        })
        .map_err(|error| self.launch_failed(stream, launch_refused(&found.name, launch.shape, false, error)))
    }

    /// Adds to the refusal of an impossible launch that the driver broke the capture of the stream for it.
    #[cold]
    fn launch_failed(&self, stream: StreamId, error: Error) -> Error {
        let is_captured = || {
            let info = self.device.ask_capture_info(self.stream(stream).native);
            info.is_ok_and(|info| info.status != CaptureStatus::None)
        };
        match error.status {
            Status::INVALID_VALUE if is_captured() => refusals::broke_capture(error),
            _ => error,
        }
    }

    /// A launch with attributes, or with arguments in one block.
    #[cold]
    fn launch_otherwise(&self, stream: StreamId, launch: &Launch<'_>) -> Result<()> {
        if launch.kernel == KernelId::FOREIGN {
            return Err(not_submitted());
        }
        let found = self.kernel(launch.kernel);
        if !launch.attributes.is_empty() {
            epoch::note_attributed();
        }
        let mut attributes = native(launch.attributes, |event| self.event(event).native);
        with_given(&launch.arguments, found.are_sizes_told, |parameters, extra| {
            found.allow_shared_memory(self.api(), launch.shape.shared_mem_bytes);
            self.record_on_stream(stream, |stream| {
                let config = config(launch.shape, stream.native, &mut attributes);
                // SAFETY: stream and kernel live. There is a pointer for each parameter, each to as many bytes as it has, or
                // one block of as many bytes as are told, and there are as many attributes as are told. The driver reads them
                // only, and before it returns.
                unsafe { self.api().cuLaunchKernelEx(&config, found.native, parameters, extra) }?;
                stream.history.add(Launched::Kernel(launch.kernel));
                Ok(())
            })
            .map_err(|error| {
                let refused = launch_refused(&found.name, launch.shape, !launch.attributes.is_empty(), error);
                self.launch_failed(stream, refused)
            })
        })?
    }

    pub(crate) fn launch_host_function(&self, id: StreamId, function: &HostFunction) -> Result<()> {
        let is_legacy = id == StreamId::LEGACY;
        let _goes_on = self.capture_goes_on();
        self.on_stream(id, |stream| {
            stream.settled(|| {
                // The legacy stream is never captured, and the driver may refuse to say so.
                let capture = || if is_legacy { Ok(None) } else { self.device.ask_capture(stream.native) };
                let before = capture()?;
                let graph = before.as_ref().filter(|capture| capture.status == CaptureStatus::Active);
                let launch = |run, data| {
                    // SAFETY: the stream lives, and so does the data until `run` was called.
                    stream.recorded(self.device, || unsafe { self.api().cuLaunchHostFunc(stream.native, run, data) })
                };
                // SAFETY: the stream is in that capture, unless others interfere.
                let call = unsafe {
                    HostCall::submit(
                        self.api(),
                        launch,
                        graph.map(|capture| capture.graph),
                        function.clone(),
                        &self.faults.failures,
                    )
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
