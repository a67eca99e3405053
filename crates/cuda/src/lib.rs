//! NVIDIA's driver: loaded at run time, so that nothing of CUDA is needed to build, link or start.
//!
//! This file tells which CUDA devices there are; `context/` implements [`Driver`] on one of them.

#![cfg_attr(test, allow(clippy::disallowed_types))]

mod api;
pub mod built_in;
mod captures;
mod code;
mod context;
mod deferred;
mod exec;
mod graph;
mod library;
mod math;
mod memory;
mod profiler;
mod retention;
mod shared;
#[cfg(test)]
mod stand_in_tests;
mod streams;
mod teardown;

use std::ffi::{c_char, c_int, CStr};
use std::sync::Arc;

use self::api::library::Loaded;
use self::api::Version;
use self::context::CudaContext;
use self::library::Named;
pub use self::library::SoughtLibrary;
use self::shared::CONTEXTS;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::rules::CaptureMode;
use graphcap_driver::{DeviceInfo, DeviceKind, Driver};

/// Number of CUDA devices, at least 1.
///
/// # Errors
/// `LIBRARY`, `NOT_SUPPORTED`, `STUB_LIBRARY`, `NO_DEVICE` and `NOT_INITIALIZED`: why CUDA cannot be used.
pub fn device_count() -> Result<u32> {
    let Loaded { api, .. } = api::library::driver()?;
    let mut count = 0;
    // SAFETY: `count` is writable.
    unsafe { api.cuDeviceGetCount(&mut count) }.map_err(|refusal| api.error(refusal))?;
    match u32::try_from(count) {
        Ok(1..) => Ok(count as u32),
        _ => Err(Error::new(
            Status::NO_DEVICE,
            "the NVIDIA driver finds no GPU; look at what nvidia-smi and CUDA_VISIBLE_DEVICES say",
        )),
    }
}

/// Describes a CUDA device.
///
/// # Errors
/// As [`device_count`]; `INVALID_DEVICE` for an ordinal that is not below the count.
pub fn device_info(ordinal: u32) -> Result<DeviceInfo> {
    find(ordinal).map(|(_, info)| info)
}

/// The driver and its devices in words.
///
/// # Errors
/// As [`device_count`].
pub fn describe() -> Result<String> {
    let count = device_count()?;
    let version = api::library::driver()?.version;
    let devices = if count == 1 { "1 device".to_owned() } else { format!("{count} devices") };
    Ok(format!("the NVIDIA driver supports CUDA {} and has {devices}", Version(version)))
}

/// Loads NVIDIA's driver, which comes first, and the libraries that graphcap uses if they are there.
pub fn seek_libraries() -> Vec<SoughtLibrary> {
    let driver = api::library::driver().map(|_| api::library::NAMED.file());
    let Named { what, variable, .. } = api::library::NAMED;
    let mut sought = vec![SoughtLibrary { what, variable, found: driver }];
    sought.extend(math::seek_libraries());
    sought.push(profiler::seek_library());
    sought
}

/// Opens a context on a CUDA device: its primary one, which the CUDA runtime and the libraries on it use too.
///
/// # Errors
/// As [`device_info`]; `OUT_OF_MEMORY`; `NOT_SUPPORTED` for a device without memory pools; the status of a fault
/// that happened in this process before.
pub fn open(ordinal: u32) -> Result<Arc<dyn Driver>> {
    let (device, info) = find(ordinal)?;
    let context = Arc::new(CudaContext::open(api::library::driver()?, device, info)?);
    profiler::attend();
    Ok(context)
}

/// Makes the trace that has begun tell what runs on GPUs, if a context of one is open. Waits for the work of all of them.
pub fn trace_began() {
    if !CONTEXTS.live().is_empty() {
        profiler::attend();
    }
}

/// Sets the driver's capture mode of the calling thread and gives the one before; `None` where no driver is loaded yet.
///
/// # Errors
/// What the driver answers, but for a fault: the mode goes on to count on host devices then.
pub fn exchange_capture_mode(mode: CaptureMode) -> Result<Option<CaptureMode>> {
    let Some(Loaded { api, .. }) = api::library::loaded() else { return Ok(None) };
    match api::current::exchange_mode(api, mode) {
        Ok(before) => Ok(Some(before)),
        Err(refusal) if api::answers::is_fault(refusal.status) => Ok(None),
        Err(refusal) => Err(api.error(refusal)),
    }
}

/// The driver's number of a device, and its description.
fn find(ordinal: u32) -> Result<(c_int, DeviceInfo)> {
    let count = device_count()?;
    let Loaded { api, .. } = api::library::driver()?;
    if ordinal >= count {
        let message = format!("there is no CUDA device {ordinal}: they are numbered from 0 to {}", count - 1);
        return Err(Error::new(Status::INVALID_DEVICE, message));
    }
    let (mut device, mut name) = (0, [0 as c_char; 128]);
    // SAFETY: both outputs are writable, the name for as many bytes as are told.
    unsafe {
        api.cuDeviceGet(&mut device, ordinal as c_int)
            .and_then(|()| api.cuDeviceGetName(name.as_mut_ptr(), name.len() as c_int - 1, device))
    }
    .map_err(|refusal| api.error(refusal))?;
    // SAFETY: the last byte of `name` is 0, whatever the driver wrote before it.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) }.to_string_lossy().into_owned();
    Ok((device, DeviceInfo { kind: DeviceKind::Cuda, ordinal, name }))
}
