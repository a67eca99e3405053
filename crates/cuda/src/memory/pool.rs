//! The pool that a context's device memory comes from, one of graphcap's own.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Arc;

use cudarc::driver::sys::{
    CUmemAllocationHandleType, CUmemAllocationType, CUmemLocation, CUmemLocationType, CUmemPoolProps,
    CUmemPool_attribute, CUpointer_attribute, CUstream_flags,
};

use super::reserved::{Range, Reach};

use crate::api::answers::is_fault;
use crate::api::current::relax;
use crate::api::device::Device;
use crate::api::{self, DriverError, Handle};
use graphcap_base::error::Error;

/// A pool, and the stream that allocations are ordered on.
pub(crate) struct Pool {
    device: Device,
    native: api::PoolHandle,
    /// It never waits for anything.
    allocating: api::StreamHandle,
    ordinal: c_int,
    reach: Arc<Reach>,
}

/// Memory of a device as the driver's pools and allocation nodes have it.
pub(crate) fn properties(ordinal: c_int) -> CUmemPoolProps {
    CUmemPoolProps {
        allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        handleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: CUmemLocation { type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: ordinal },
        win32SecurityAttributes: std::ptr::null_mut(),
        maxSize: 0,
        usage: 0,
        reserved: [0; 54],
    }
}

impl Pool {
    /// Makes the pool. The context must be current.
    pub(crate) fn new(device: Device, ordinal: c_int) -> Result<Pool, DriverError> {
        let api = device.api;
        let _relaxed = relax(api)?;
        let properties = properties(ordinal);
        let mut native = Handle::NULL;
        // SAFETY: the properties are whole, and `native` is writable.
        unsafe { api.cuMemPoolCreate(&mut native, &properties) }?;
        let made = Self::set_up(device, native, ordinal);
        if made.is_err() {
            // SAFETY: nothing was allocated from the pool.
            let _ = unsafe { api.cuMemPoolDestroy(native) };
        }
        made
    }

    fn set_up(device: Device, native: api::PoolHandle, ordinal: c_int) -> Result<Pool, DriverError> {
        let api = device.api;
        // What is freed stays with the pool until it is trimmed. A block may be used again when its free has run, and
        // never by making the next user wait for that: an allocation would hang behind a stuck stream.
        let mut keep = u64::MAX;
        let mut wait_for_others: c_int = 0;
        let (threshold, dependencies) = (
            CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as c_uint,
            CUmemPool_attribute::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES as c_uint,
        );
        // SAFETY: the pool lives, and each attribute has the type that the driver's manual states.
        unsafe {
            api.cuMemPoolSetAttribute(native, threshold, (&raw mut keep).cast())?;
            api.cuMemPoolSetAttribute(native, dependencies, (&raw mut wait_for_others).cast())?;
        }
        let mut allocating = Handle::NULL;
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
        // SAFETY: `allocating` is writable; the context is current.
        unsafe { api.cuStreamCreateWithPriority(&mut allocating, flags, 0) }?;
        Ok(Pool { device, native, allocating, ordinal, reach: Arc::default() })
    }

    /// Lets another device reach the memory, that of allocations there are too. Of a pool nobody else can unless told so.
    pub(crate) fn let_reach(&self, ordinal: c_int) -> Result<(), DriverError> {
        let api = self.device.api;
        self.reach.let_reach(self.device, ordinal, |access| {
            // SAFETY: the pool lives, and one description is told.
            unsafe { api.cuMemPoolSetAccess(self.native, access, 1) }
        })
    }

    /// Reserves addresses, as many as the device has memory where none are asked for; or stands for them where blocks lie apart, and are
    /// told of as those of an owner.
    pub(crate) fn reserve(&self, bytes: Option<usize>, apart_of: Option<&str>) -> Result<Range, DriverError> {
        let bytes = bytes.or_else(|| self.info().map(|(_, total)| total)).unwrap_or(1 << 30);
        let reach = Arc::clone(&self.reach);
        match apart_of {
            Some(owner) => Range::apart(self.device, self.ordinal, bytes, reach, owner),
            None => Range::reserve(self.device, self.ordinal, bytes, reach),
        }
    }

    /// Allocates memory that every stream can use at once.
    pub(crate) fn allocate(&self, bytes: usize) -> Result<u64, DriverError> {
        let api = self.device.api;
        let _relaxed = relax(api)?;
        let _current = self.device.enter()?;
        let mut address = 0;
        // SAFETY: the pool and the stream live as long as `self`; `address` is writable. The stream waits for nothing, so
        // that waiting for it takes no longer than the allocation.
        unsafe {
            api.cuMemAllocFromPoolAsync(&mut address, bytes, self.native, self.allocating)?;
            // Mostly it is complete already, and to ask takes half as long as to wait.
            if api.cuStreamQuery(self.allocating).is_err() {
                api.cuStreamSynchronize(self.allocating).inspect_err(|_| {
                    let _ = api.cuMemFreeAsync(address, self.allocating);
                })?;
            }
        }
        Ok(address)
    }

    /// Writes a byte to each of these addresses, behind which there is memory that nothing uses yet.
    pub(crate) fn fill(&self, addresses: std::ops::Range<u64>, byte: u8) -> Result<(), DriverError> {
        let api = self.device.api;
        let _relaxed = relax(api)?;
        let _current = self.device.enter()?;
        // SAFETY: the caller promises the memory; the stream lives as long as `self`, and waits for nothing.
        unsafe {
            api.cuMemsetD8Async(addresses.start, byte, (addresses.end - addresses.start) as usize, self.allocating)?;
            api.cuStreamSynchronize(self.allocating)
        }
    }

    /// Reads memory of the device's that work may write meanwhile: these ranges, one behind the other. Waits for no work.
    pub(crate) fn read(&self, ranges: &[std::ops::Range<u64>]) -> Result<Vec<u8>, DriverError> {
        let bytes = |range: &std::ops::Range<u64>| (range.end - range.start) as usize;
        let mut read = vec![0; ranges.iter().map(bytes).sum()];
        if read.is_empty() {
            return Ok(read);
        }
        let api = self.device.api;
        let _relaxed = relax(api)?;
        let _current = self.device.enter()?;
        // Gathered on the device first, since a copy to the CPU takes ten times as long.
        let gathered = self.allocate(read.len())?;
        let mut end = gathered;
        let copied = ranges.iter().try_for_each(|range| {
            let to = end;
            end += bytes(range) as u64;
            // SAFETY: the caller promises the ranges; there is room for all of them, and the stream lives as long as `self`.
            unsafe { api.cuMemcpyDtoDAsync_v2(to, range.start, bytes(range), self.allocating) }
        });
        // SAFETY: as above, and what is read to lives until it is waited for.
        let copied = copied.and_then(|()| unsafe {
            api.cuMemcpyDtoHAsync_v2(read.as_mut_ptr().cast(), gathered, read.len(), self.allocating)
        });
        // SAFETY: the stream lives, and waits for nothing.
        let waited = unsafe { api.cuStreamSynchronize(self.allocating) };
        self.free(gathered);
        copied.and(waited).map(|()| read)
    }

    /// Returns a refusal as graphcap answers it.
    #[cold]
    pub(crate) fn error(&self, refusal: DriverError) -> Error {
        self.device.api.error(refusal)
    }

    /// Free and total bytes of the device.
    pub(crate) fn info(&self) -> Option<(usize, usize)> {
        let _current = self.device.enter().ok()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both outputs are writable; the context is current.
        unsafe { self.device.api.cuMemGetInfo_v2(&mut free, &mut total) }.ok()?;
        Some((free, total))
    }

    /// Returns whether `bytes` bytes at `address` belong to an allocation that the driver knows.
    pub(crate) fn knows(&self, address: u64, bytes: usize) -> Result<bool, DriverError> {
        let mut attributes = [
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR as c_uint,
            CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE as c_uint,
        ];
        let (mut start, mut size): (u64, usize) = (0, 0);
        let mut values: [*mut c_void; 2] = [(&raw mut start).cast(), (&raw mut size).cast()];
        // SAFETY: each value has the type of its attribute. Of an address that it does not know the driver leaves both at 0.
        unsafe { self.device.api.cuPointerGetAttributes(2, attributes.as_mut_ptr(), values.as_mut_ptr(), address) }?;
        let is_inside = address >= start && bytes as u64 <= (start + size as u64).saturating_sub(address);
        Ok(start != 0 && is_inside)
    }

    /// Gives an allocation back, which nothing uses any more.
    pub(crate) fn free(&self, address: u64) {
        // SAFETY: the address is of the pool, and is freed once; the stream is ours. A driver that refuses keeps it.
        let _ = unsafe { self.device.api.cuMemFreeAsync(address, self.allocating) };
    }

    /// Gives unused memory of the pool back to the device.
    pub(crate) fn trim(&self) -> Result<(), DriverError> {
        let _relaxed = relax(self.device.api)?;
        // SAFETY: the pool and the stream live as long as `self`. The stream waits for nothing; what was freed on it is unused behind
        // the wait alone.
        unsafe {
            self.device.api.cuStreamSynchronize(self.allocating)?;
            self.device.api.cuMemPoolTrimTo(self.native, 0)
        }
    }

    /// The fault that ended all work of the context, if there was one.
    pub(crate) fn fault(&self) -> Option<DriverError> {
        // SAFETY: the stream is ours and lives.
        let asked = unsafe { self.device.api.cuStreamQuery(self.allocating) };
        asked.err().filter(|refusal| is_fault(refusal.status))
    }

    /// Destroys the pool. The context must be current, the mode relaxed, and nothing may use the memory.
    pub(crate) fn destroy(&self) {
        let api = self.device.api;
        // SAFETY: both are ours and are destroyed once; the caller promises that nothing uses them.
        unsafe {
            let _ = api.cuStreamDestroy_v2(self.allocating);
            let _ = api.cuMemPoolDestroy(self.native);
        }
    }
}
