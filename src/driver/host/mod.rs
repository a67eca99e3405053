//! The built-in device: it executes streams, events, captures and graphs on the CPU.

use std::sync::Arc;

use crate::driver::{DeviceInfo, Driver};
use crate::error::{Error, Result, Status};

pub fn device_count() -> Result<u32> {
    Ok(1)
}
pub fn device_info(_: u32) -> Result<DeviceInfo> {
    Err(Error::new(Status::NO_DEVICE, "placeholder"))
}
pub fn open(_: u32) -> Result<Arc<dyn Driver>> {
    Err(Error::new(Status::NO_DEVICE, "placeholder"))
}
