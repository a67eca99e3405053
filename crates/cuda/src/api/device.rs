//! Basis of every call of the driver: its functions, and the primary context of a GPU.

use std::ffi::c_int;

use crate::api::{Api, Ctx};

/// Basis of every call of the driver.
#[derive(Clone, Copy)]
pub(crate) struct Device {
    pub(crate) api: &'static Api,
    /// The primary context.
    pub(crate) context: Ctx,
}

/// The primary context of a GPU, told apart from those that the GPU had before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct PrimaryContext {
    pub(crate) ordinal: c_int,
    /// The driver's number of it, which no other one gets later.
    pub(crate) instance: u64,
}
