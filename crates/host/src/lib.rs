//! The built-in device: it executes streams, events, captures and graphs on the CPU, by the driver's rules.
//!
//! This file tells which host devices there are; `context.rs` implements [`Driver`] on one of them.

#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

mod capture;
mod code;
mod context;
mod engine;
mod exec;
mod graph;
mod memory;
#[allow(unsafe_code)]
mod raw;
mod shared;
#[cfg(test)]
#[allow(unsafe_code)]
mod tests;

use std::sync::Arc;

use self::context::HostContext;
pub use self::engine::lanes::forget_ended as forget_ended_lanes;
use self::engine::lanes::lanes;
pub use self::graph::condition::set_condition;
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{Address, DeviceInfo, DeviceKind, Driver, HostKernelFunction};

/// The kernel that sets a condition to a value in memory.
pub const SET_CONDITION: HostKernelFunction = code::set_condition::set_condition;
/// The kernel that does nothing.
pub const NOTHING: HostKernelFunction = code::nothing::nothing;
/// The kernel that takes numbers of a generator.
pub const RNG_RESERVE: HostKernelFunction = code::random::reserve;
/// The kernel that fills memory with random floats.
pub const RNG_UNIFORM: HostKernelFunction = code::random::uniform;
/// The kernel that marks how far a launch is.
pub const MARK: HostKernelFunction = code::mark::mark;
/// The kernel that multiplies matrices, and the sizes of its parameters.
pub const SGEMM: HostKernelFunction = code::sgemm::run;
pub use self::code::sgemm::PARAMETERS as SGEMM_PARAMETERS;
/// The kernel that transforms rows of numbers, and the sizes of its parameters.
pub const FFT: HostKernelFunction = code::fft::run;
pub use self::code::fft::PARAMETERS as FFT_PARAMETERS;

/// Most host devices that `GRAPHCAP_HOST_DEVICES` can ask for.
const MOST_DEVICES: u32 = 64;
/// Most lanes that `GRAPHCAP_HOST_THREADS` can ask for.
const MOST_LANES: usize = 1024;

/// Number of host devices: 1, or what the environment variable `GRAPHCAP_HOST_DEVICES` says.
///
/// # Errors
/// `INVALID_VALUE` when the variable is not a number from 1 to 64.
pub fn device_count() -> Result<u32> {
    match std::env::var("GRAPHCAP_HOST_DEVICES") {
        Err(std::env::VarError::NotPresent) => Ok(1),
        text => {
            text.ok().and_then(|text| text.parse().ok()).filter(|count| (1..=MOST_DEVICES).contains(count)).ok_or_else(
                || Error::invalid_value("the environment variable GRAPHCAP_HOST_DEVICES must be a number from 1 to 64"),
            )
        }
    }
}

/// How many lanes the environment variable `GRAPHCAP_HOST_THREADS` asks for, if it is there.
///
/// # Errors
/// `INVALID_VALUE` when the variable is not a number from 1 to 1024.
fn lanes_asked_for() -> Result<Option<usize>> {
    match std::env::var("GRAPHCAP_HOST_THREADS") {
        Err(std::env::VarError::NotPresent) => Ok(None),
        text => text.ok().and_then(|text| text.parse().ok()).filter(|count| (1..=MOST_LANES).contains(count)).map_or_else(
            || {
                Err(Error::invalid_value(
                    "the environment variable GRAPHCAP_HOST_THREADS must be a number from 1 to 1024; without it there is one \
                     thread for each core",
                ))
            },
            |count| Ok(Some(count)),
        ),
    }
}

/// Describes a host device.
///
/// # Errors
/// As [`device_count`]; `INVALID_VALUE` when `GRAPHCAP_HOST_THREADS` is not a number from 1 to 1024; `INVALID_DEVICE` for an
/// ordinal that is not below the count.
pub fn device_info(ordinal: u32) -> Result<DeviceInfo> {
    let count = device_count()?;
    lanes_asked_for()?;
    if ordinal >= count {
        return Err(Error::new(
            Status::INVALID_DEVICE,
            format!(
                "there is no host device {ordinal}: they are numbered from 0 to {}; GRAPHCAP_HOST_DEVICES makes more",
                count - 1
            ),
        ));
    }
    let name = format!("graphcap host device ({} lanes)", lanes().count);
    Ok(DeviceInfo { kind: DeviceKind::Host, ordinal, name })
}

/// Whether the `bytes` bytes at `address` lie in one live allocation of a host device: for kernels that
/// want to fault where a GPU would. May be called from kernels.
///
/// # Errors
/// `ILLEGAL_ADDRESS` when they do not.
pub fn check_range(address: Address, bytes: usize) -> Result<()> {
    memory::check_range(address, bytes)
}

/// Opens a context on a host device.
///
/// # Errors
/// As [`device_info`]; `OUT_OF_MEMORY` when threads cannot be started.
pub fn open(ordinal: u32) -> Result<Arc<dyn Driver>> {
    Ok(Arc::new(HostContext::new(ordinal)?))
}

/// Runs `last` when the value is dropped.
fn defer<F: FnOnce()>(last: F) -> impl Drop {
    struct Deferred<F: FnOnce()>(Option<F>);
    impl<F: FnOnce()> Drop for Deferred<F> {
        fn drop(&mut self) {
            if let Some(last) = self.0.take() {
                last();
            }
        }
    }
    Deferred(Some(last))
}
