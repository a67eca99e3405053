//! Nodes that work on memory of another device than their graph's: the driver is told the context of the memory.

use std::ffi::c_int;

use cudarc::driver::sys::CUpointer_attribute;

use crate::api::device::Device;
use crate::api::{Api, DriverError};
use crate::memory::managed::attribute;
use crate::shared::Shared;
use graphcap_base::error::Result;
use graphcap_driver::{Address, MemcpyKind, Work};

impl Shared {
    /// The device with the context that a node of this one's graphs does `work` in: where the memory is, if that is on one device.
    /// Asks the driver only where the process has contexts on several devices.
    #[inline]
    pub(crate) fn device_of(&self, work: &Work<'_>) -> Result<Device> {
        match self.are_devices_several() {
            false => Ok(self.device),
            true => self.device_of_memory(work),
        }
    }

    #[cold]
    fn device_of_memory(&self, work: &Work<'_>) -> Result<Device> {
        let address = match work {
            Work::Memset(set) => set.address,
            Work::Values([first, ..]) => first.address,
            Work::Memcpy { rows, .. } => match rows.row.kind {
                MemcpyKind::HostToDevice | MemcpyKind::DeviceToDevice => rows.row.destination,
                MemcpyKind::DeviceToHost => rows.row.source,
                MemcpyKind::HostToHost | MemcpyKind::BetweenContexts => return Ok(self.device),
            },
            _ => return Ok(self.device),
        };
        let ordinal = self.map_error(ordinal_of(self.api(), address))?;
        let other = ordinal.filter(|&ordinal| ordinal != self.primary.ordinal);
        Ok(other.and_then(|ordinal| self.device_with(ordinal)).unwrap_or(self.device))
    }
}

/// The number of the device that memory is on; `None` where the driver knows no memory there.
fn ordinal_of(api: &Api, address: Address) -> Result<Option<c_int>, DriverError> {
    let ordinal = attribute(api, CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address, -1)?;
    Ok((ordinal >= 0).then_some(ordinal))
}
