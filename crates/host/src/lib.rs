//! The built-in device: it executes streams, events, captures and graphs on the CPU, by the driver's rules.
//!
//! `device.rs` tells which host devices there are; `context/mod.rs` implements [`Driver`] on one of them.

#![deny(unsafe_code)]
#![cfg_attr(test, allow(clippy::disallowed_types))]

mod capture;
mod code;
mod context;
mod device;
mod engine;
mod exec;
mod graph;
mod memory;
#[allow(unsafe_code)]
mod raw;
mod settings;
mod shared;
#[cfg(test)]
#[allow(unsafe_code)]
mod tests;

use std::sync::Arc;

use self::context::HostContext;
pub use self::device::{device_count, device_info};
pub use self::engine::lanes::forget_ended as forget_ended_lanes;
pub use self::graph::condition::set_condition;
use graphcap_base::error::Result;
use graphcap_driver::{Address, Driver, HostKernelFunction};

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
/// The kernel that summarizes memory.
pub const SUMMARIZE: HostKernelFunction = code::summarize::summarize;
/// The kernel that multiplies matrices, and the sizes of its parameters.
pub const SGEMM: HostKernelFunction = code::sgemm::run;
pub use self::code::sgemm::PARAMETERS as SGEMM_PARAMETERS;
/// The kernel that transforms rows of numbers, and the sizes of its parameters.
pub const FFT: HostKernelFunction = code::fft::run;
pub use self::code::fft::PARAMETERS as FFT_PARAMETERS;

/// Returns whether the `bytes` bytes at `address` lie in one live allocation of a host device: for kernels that
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
