//! Reserved addresses, behind which memory is mapped little by little.
//!
//! Unmapping waits for nothing, so addresses go only when no work uses what is behind them: they are a resource as
//! allocations are, and so is each part that was carved of them.
//!
//! Where the environment wants the blocks of pools apart, there are no addresses to map anything behind: each part is an allocation
//! of its own.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use cudarc::driver::sys::{
    CUmemAccessDesc, CUmemAccess_flags, CUmemAllocationGranularity_flags, CUmemAllocationHandleType,
    CUmemAllocationProp, CUmemAllocationProp_st__bindgen_ty_1, CUmemAllocationType, CUmemLocation, CUmemLocationType,
};

use crate::api::current::relax;
use crate::api::device::Device;
use crate::api::DriverError;
use graphcap_base::error::Status;
use graphcap_base::lock::{lock, rank, Mutex};

/// Unit in which parts that are allocations of their own are counted.
const GRAIN: usize = 256;

/// Devices that reach the memory of a context, and what of it is mapped.
#[derive(Default)]
pub(crate) struct Reach(Mutex<Reached, rank::ReachedBy>);

#[derive(Default)]
struct Reached {
    /// The other devices that do.
    by: Vec<c_int>,
    /// Pieces that were mapped at once, by addresses and sizes.
    mapped: Vec<(u64, usize)>,
}

/// Addresses that are reserved. They go, with what is behind them, when the last holder drops them: at once, so nothing may use
/// them then.
pub(crate) struct Range {
    device: Device,
    ordinal: c_int,
    pub(crate) address: u64,
    pub(crate) bytes: usize,
    /// Unit in which memory is mapped.
    pub(crate) page: usize,
    /// Tells whether nothing is reserved, since each part is an allocation of its own.
    pub(crate) is_apart: bool,
    /// Pool that they are of, as messages call it, where each part is an allocation of its own.
    pub(crate) owner: String,
    reach: Arc<Reach>,
}

fn location(ordinal: c_int) -> CUmemLocation {
    CUmemLocation { type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: ordinal }
}

fn access(ordinal: c_int) -> CUmemAccessDesc {
    CUmemAccessDesc { location: location(ordinal), flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE }
}

/// Memory of a device that nobody shares with other processes.
fn properties(ordinal: c_int) -> CUmemAllocationProp {
    CUmemAllocationProp {
        type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: location(ordinal),
        win32HandleMetaData: std::ptr::null_mut(),
        allocFlags: CUmemAllocationProp_st__bindgen_ty_1 {
            compressionType: 0,
            gpuDirectRDMACapable: 0,
            usage: 0,
            reserved: [0; 4],
        },
    }
}

fn refusal(function: &'static str, status: Status) -> DriverError {
    DriverError { function, status, since: None }
}

impl Reach {
    /// Lets another device reach what is mapped, and what will be. `also` has it reach the rest of the context's memory.
    pub(super) fn let_reach(
        &self,
        device: Device,
        ordinal: c_int,
        also: impl FnOnce(&CUmemAccessDesc) -> Result<(), DriverError>,
    ) -> Result<(), DriverError> {
        let mut reached = lock(&self.0);
        if reached.by.contains(&ordinal) {
            return Ok(());
        }
        let _relaxed = relax(device.api)?;
        let _current = device.enter()?;
        let access = access(ordinal);
        also(&access)?;
        for &(address, bytes) in &reached.mapped {
            // SAFETY: the range is mapped, and one description is told.
            unsafe { device.api.cuMemSetAccess(address, bytes, &access, 1) }?;
        }
        reached.by.push(ordinal);
        Ok(())
    }
}

impl Range {
    /// Reserves at least `bytes` bytes of addresses.
    pub(super) fn reserve(
        device: Device,
        ordinal: c_int,
        bytes: usize,
        reach: Arc<Reach>,
    ) -> Result<Range, DriverError> {
        let api = device.api;
        let _relaxed = relax(api)?;
        let _current = device.enter()?;
        let (mut page, properties) = (0, properties(ordinal));
        let smallest = CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM as c_uint;
        // SAFETY: the properties are whole, and `page` is writable.
        unsafe { api.cuMemGetAllocationGranularity(&mut page, &properties, smallest) }?;
        let too_many = || refusal("cuMemAddressReserve", Status::OUT_OF_MEMORY);
        if !page.is_power_of_two() {
            return Err(refusal("cuMemGetAllocationGranularity", Status::UNKNOWN));
        }
        let bytes = bytes.max(1).checked_next_multiple_of(page).ok_or_else(too_many)?;
        let mut address = 0;
        // SAFETY: `address` is writable.
        unsafe { api.cuMemAddressReserve(&mut address, bytes, page, 0, 0) }?;
        Ok(Range { device, ordinal, address, bytes, page, is_apart: false, owner: String::new(), reach })
    }

    /// Stands for addresses of which no part is used, since each is an allocation of its own.
    pub(super) fn apart(
        device: Device,
        ordinal: c_int,
        bytes: usize,
        reach: Arc<Reach>,
        owner: &str,
    ) -> Result<Range, DriverError> {
        let bytes = bytes.max(1).checked_next_multiple_of(GRAIN);
        let bytes = bytes.ok_or_else(|| refusal("cuMemAlloc_v2", Status::OUT_OF_MEMORY))?;
        Ok(Range { device, ordinal, address: 0, bytes, page: GRAIN, is_apart: true, owner: owner.into(), reach })
    }

    /// Maps memory behind `bytes` bytes at `offset`, multiples of the page behind which there is none. For every device that
    /// reaches the memory of the context.
    pub(crate) fn map(&self, offset: usize, bytes: usize) -> Result<(), DriverError> {
        let api = self.device.api;
        if self.is_apart {
            return Ok(());
        }
        if offset.checked_add(bytes).is_none_or(|end| end > self.bytes) {
            return Err(refusal("cuMemMap", Status::INVALID_VALUE));
        }
        let _relaxed = relax(api)?;
        let _current = self.device.enter()?;
        let (mut memory, properties) = (0, properties(self.ordinal));
        let address = self.address + offset as u64;
        let mut reached = lock(&self.reach.0);
        // SAFETY: the properties are whole and `memory` is writable. The addresses are reserved and nothing is mapped there: core
        // asks for each once. The handle is given back at once, as the mapping holds the memory by itself.
        unsafe {
            api.cuMemCreate(&mut memory, bytes, &properties, 0)?;
            let mapped = api.cuMemMap(address, bytes, 0, memory, 0);
            let _ = api.cuMemRelease(memory);
            mapped?;
        }
        let devices: Vec<CUmemAccessDesc> =
            [self.ordinal].into_iter().chain(reached.by.iter().copied()).map(access).collect();
        // SAFETY: the range was just mapped, and as many descriptions are told as there are.
        if let Err(refusal) = unsafe { api.cuMemSetAccess(address, bytes, devices.as_ptr(), devices.len()) } {
            // SAFETY: as above, and nobody has used it.
            let _ = unsafe { api.cuMemUnmap(address, bytes) };
            return Err(refusal);
        }
        reached.mapped.push((address, bytes));
        Ok(())
    }

    /// Takes what was mapped last from behind the addresses up to `end`, one mapping after the other, as long as it begins at `from`
    /// or later. Gives where the memory ends then.
    pub(crate) fn unmap(&self, from: usize, end: usize) -> Result<usize, DriverError> {
        let api = self.device.api;
        if self.is_apart {
            return Ok(from);
        }
        let _relaxed = relax(api)?;
        let _current = self.device.enter()?;
        let mut reached = lock(&self.reach.0);
        let (from, mut left) = (self.address + from as u64, end);
        loop {
            let last = self.address + left as u64;
            let ends_there = |&(address, bytes): &(u64, usize)| address >= from && address + bytes as u64 == last;
            let Some(place) = reached.mapped.iter().position(ends_there) else { return Ok(left) };
            let (address, bytes) = reached.mapped.swap_remove(place);
            // Unmapped whatever is answered, since that may be the error of an earlier call. Where it is not, the next call that maps
            // memory there is refused.
            // SAFETY: mapped so, at once, and unmapped once. Core promises that nothing uses it.
            let _ = unsafe { api.cuMemUnmap(address, bytes) };
            left -= bytes;
        }
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        let api = self.device.api;
        if self.is_apart {
            return;
        }
        let _relaxed = relax(api);
        let _current = self.device.enter();
        let mut reached = lock(&self.reach.0);
        let end = self.address + self.bytes as u64;
        let own = reached.mapped.extract_if(.., |(address, _)| (self.address..end).contains(address));
        for (address, bytes) in own {
            // SAFETY: mapped so, at once, and unmapped once. Who drops the range promises that nothing uses it.
            let _ = unsafe { api.cuMemUnmap(address, bytes) };
        }
        // Whatever was answered, since that may be the error of an earlier call.
        // SAFETY: reserved so, and given back once; nothing is mapped there.
        let _ = unsafe { api.cuMemAddressFree(self.address, self.bytes) };
    }
}
