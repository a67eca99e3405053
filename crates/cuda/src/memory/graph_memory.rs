//! Memory that the driver has for the allocations of graphs on a device.

use std::ffi::{c_int, c_uint};

use crate::api::current::relax;
use crate::api::{Api, DriverError};
use graphcap_driver::GraphMemory;

/// `CUgraphMem_attribute`.
const USED: c_uint = 0;
const USED_HIGH: c_uint = 1;
const RESERVED: c_uint = 2;
const RESERVED_HIGH: c_uint = 3;

/// Returns how much it is.
pub(crate) fn of(api: &Api, device: c_int) -> Result<GraphMemory, DriverError> {
    let _relaxed = relax(api)?;
    let ask = |attribute| {
        let mut bytes = 0u64;
        // SAFETY: the attributes have 8 bytes.
        unsafe { api.cuDeviceGetGraphMemAttribute(device, attribute, (&raw mut bytes).cast()) }.map(|()| bytes)
    };
    Ok(GraphMemory {
        used: ask(USED)?,
        used_high: ask(USED_HIGH)?,
        reserved: ask(RESERVED)?,
        reserved_high: ask(RESERVED_HIGH)?,
    })
}

/// Makes the highest numbers begin anew.
pub(crate) fn reset_high(api: &Api, device: c_int) -> Result<(), DriverError> {
    let _relaxed = relax(api)?;
    [USED_HIGH, RESERVED_HIGH].into_iter().try_for_each(|attribute| {
        // The driver takes nothing but 0.
        let mut bytes = 0u64;
        // SAFETY: the attributes have 8 bytes.
        unsafe { api.cuDeviceSetGraphMemAttribute(device, attribute, (&raw mut bytes).cast()) }
    })
}

/// Gives back what no graph uses.
pub(crate) fn trim(api: &Api, device: c_int) -> Result<(), DriverError> {
    let _relaxed = relax(api)?;
    // SAFETY: nothing that is in use goes.
    unsafe { api.cuDeviceGraphMemTrim(device) }
}
