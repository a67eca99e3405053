//! The devices that there are: counted, chosen, opened. And the capture mode of a thread, which counts on all of them.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

use std::ffi::OsStr;
use std::sync::Arc;

use graphcap_driver::{callbacks, mode, threads, DeviceChoice, DeviceInfo, DeviceKind, Driver};
use {graphcap_cuda as cuda, graphcap_host as host};

mod built_in;

pub use built_in::{BuiltInKernel, SET_CONDITION};
use graphcap_base::error::Result;
use graphcap_base::switch::{malformed, variable};
pub use graphcap_cuda::{seek_libraries, trace_began, SoughtLibrary};
use graphcap_driver::rules::CaptureMode;
use graphcap_observe::log::{log, Level, Subject};

/// Settles `Auto`.
///
/// # Errors
/// `INVALID_VALUE` when `GRAPHCAP_DEVICE` is none of `auto`, `cuda` and `host`.
pub fn resolve(choice: DeviceChoice) -> Result<DeviceKind> {
    match choice {
        DeviceChoice::Kind(kind) => Ok(kind),
        DeviceChoice::Auto => {
            let (kind, reason) = settle_auto()?;
            log(Level::Info, Subject::Fallback, || format!("GRAPHCAP_DEVICE_AUTO is {reason}"));
            Ok(kind)
        }
    }
}

/// The kind of device that [`DeviceChoice::Auto`] means now, and why, as a sentence.
///
/// # Errors
/// `INVALID_VALUE` when `GRAPHCAP_DEVICE` is none of `auto`, `cuda` and `host`; `NOT_PERMITTED` on a thread on which work
/// runs.
pub fn settle_auto() -> Result<(DeviceKind, String)> {
    callbacks::check_caller()?;
    match variable("GRAPHCAP_DEVICE").as_deref().map(OsStr::to_str) {
        Some(Some("cuda")) => {
            Ok((DeviceKind::Cuda, "CUDA, because the environment variable GRAPHCAP_DEVICE says cuda".into()))
        }
        Some(Some("host")) => {
            Ok((DeviceKind::Host, "the host device, because the environment variable GRAPHCAP_DEVICE says host".into()))
        }
        None | Some(Some("auto" | "")) => Ok(match cuda::describe() {
            Ok(found) => (DeviceKind::Cuda, format!("CUDA, because it works: {found}")),
            Err(error) => {
                (DeviceKind::Host, format!("the host device, because CUDA cannot be used: {}", error.message))
            }
        }),
        _ => Err(malformed("GRAPHCAP_DEVICE", "auto, cuda or host")),
    }
}

/// Number of devices of a kind.
///
/// # Errors
/// For CUDA: `LIBRARY` when no driver is installed, `NOT_SUPPORTED` when it is older than 12.0, `STUB_LIBRARY`,
/// `NO_DEVICE`, `NOT_INITIALIZED`. `INVALID_VALUE` for a malformed environment. `NOT_PERMITTED` on a thread on which work
/// runs, since the first such call loads and initialises NVIDIA's driver.
pub fn device_count(kind: DeviceKind) -> Result<u32> {
    callbacks::check_caller()?;
    match kind {
        DeviceKind::Host => host::device_count(),
        DeviceKind::Cuda => cuda::device_count(),
    }
}

/// Describes one device.
///
/// # Errors
/// As [`device_count`]; `INVALID_DEVICE` for an ordinal that is not below the count.
pub fn device_info(kind: DeviceKind, ordinal: u32) -> Result<DeviceInfo> {
    callbacks::check_caller()?;
    match kind {
        DeviceKind::Host => host::device_info(ordinal),
        DeviceKind::Cuda => cuda::device_info(ordinal),
    }
}

/// Opens a context on a device.
///
/// # Errors
/// As [`device_info`]; `OUT_OF_MEMORY` when memory or threads are missing.
pub fn open(kind: DeviceKind, ordinal: u32) -> Result<Arc<dyn Driver>> {
    callbacks::check_caller()?;
    match kind {
        DeviceKind::Host => host::open(ordinal),
        DeviceKind::Cuda => cuda::open(ordinal),
    }
}

/// Sets the calling thread's mode, which decides with that of a capture whether an unsafe call is barred, and gives the
/// one before. Threads begin with the global one.
///
/// # Errors
/// `NOT_PERMITTED` on a thread on which work runs; what NVIDIA's driver answers, where it is loaded.
pub fn exchange_capture_mode(mode: CaptureMode) -> Result<CaptureMode> {
    callbacks::check_caller()?;
    let theirs = cuda::exchange_capture_mode(mode)?;
    Ok(mode::exchange(mode, theirs))
}

/// For the end of the process: has threads of graphcap's end that have nothing to do. Whether none is left; never
/// waits.
pub fn have_threads_ended() -> bool {
    threads::end();
    callbacks::wake_idle();
    let are_over = threads::are_all_over();
    if are_over {
        host::forget_ended_lanes();
    }
    are_over
}
