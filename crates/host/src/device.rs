//! The host devices that there are.

use crate::engine::lanes::lanes;
use crate::settings::{lanes_asked_for, number_asked_for};
use graphcap_base::error::{Error, Result, Status};
use graphcap_driver::{DeviceInfo, DeviceKind};

/// Number of host devices: 1, or what the environment variable `GRAPHCAP_HOST_DEVICES` says.
///
/// # Errors
/// `INVALID_VALUE` when the variable is not a number from 1 to 64.
pub fn device_count() -> Result<u32> {
    Ok(number_asked_for("GRAPHCAP_HOST_DEVICES", 64)?.map_or(1, |count| count as u32))
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
