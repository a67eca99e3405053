//! Allocation and release of memory: device memory of the pool's, waitable and managed memory, pinned memory
//! of the host's, and memory of others. The implementation of [`Memory`]; `memory/` knows when it goes back.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::Arc;

use cudarc::driver::sys::CUpointer_attribute;

use super::CudaContext;
use crate::api::current::relax;
use crate::api::driver_thread;
use crate::api::{Api, DriverError};
use crate::deferred::{self, OnRequest};
use crate::memory::blocking::{BlockingMemory, Class, Use};
use crate::memory::graph_memory;
use crate::memory::managed;
use crate::memory::node_memory::NodeMemory;
use crate::memory::reserved::Range;
use crate::memory::{OwnedMemory, Resource};
use crate::shared::Shared;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::blocks_apart;
use graphcap_driver::{
    callbacks, Address, AddressOrigin, GraphMemory, HostMemory, HostMemoryOptions, Memory, MemoryId, MemoryKind,
    Reserved, StreamId,
};

/// The allocation that the byte at an address belongs to, of all that the driver knows in the process.
fn origin_of(api: &Api, address: Address) -> std::result::Result<Option<AddressOrigin>, DriverError> {
    let mut attributes = [
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR as c_uint,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE as c_uint,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR as c_uint,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_MAPPING_SIZE as c_uint,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID as c_uint,
    ];
    // Of an address that it does not know the driver answers success, and leaves the first two at 0.
    let mut told = [0u64; 5];
    let mut values = [std::ptr::null_mut::<c_void>(); 5];
    values.iter_mut().zip(&mut told).for_each(|(value, told)| *value = (&raw mut *told).cast());
    // SAFETY: each value has the size of its attribute, 8 bytes.
    unsafe { api.cuPointerGetAttributes(5, attributes.as_mut_ptr(), values.as_mut_ptr(), address) }?;
    let [start, size, mapping_start, mapping_size, id] = told;
    Ok(told_allocation((start, size), (mapping_start, mapping_size), id).filter(|origin| origin.holds(address)))
}

/// The allocation of which the driver tells a range, a mapping and a number. The range of an allocation lies in a mapping,
/// which several share. The range of memory that was mapped into reserved addresses is all that were reserved; each of the
/// mappings in it is an allocation, and what lies between them has no number.
fn told_allocation(range: (u64, u64), mapping: (u64, u64), id: u64) -> Option<AddressOrigin> {
    let end = |(start, size): (u64, u64)| start.saturating_add(size);
    let (base, end) = match mapping {
        (_, 0) => (range.0, end(range)),
        mapping => (range.0.max(mapping.0), end(range).min(end(mapping))),
    };
    let bytes = end.checked_sub(base)? as usize;
    (id != 0 && base != 0).then_some(AddressOrigin { base, bytes, id })
}

impl Memory for CudaContext {
    fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)> {
        callbacks::check_caller()?;
        let class = match kind {
            MemoryKind::Pooled => None,
            // Memory that is mapped takes value operations.
            MemoryKind::Waitable if self.memory.guard.is_some() => None,
            MemoryKind::Waitable => Some(Class::waitable(bytes)),
            MemoryKind::Managed(attach) => Some(Class::managed(bytes, attach)),
        };
        if matches!(kind, MemoryKind::Managed(_)) {
            managed::note();
        }
        if let Some(class) = class {
            return self.enter_blocking(|api| {
                let memory = self.blocking_memory(api, class)?;
                let address = memory.address();
                Ok((memory, address))
            });
        }
        let address = self.allocate_memory(bytes)?;
        Ok((self.enter_memory(OwnedMemory::Device(Resource::Allocated(address))), address))
    }

    fn adopt(&self, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        callbacks::check_caller()?;
        if self.memory.is_gone(address, bytes) {
            return Err(Error::invalid_value(format!(
                "no buffer of guarded memory has the {bytes} bytes at {address:#x}: it was freed, or it is smaller; wrap memory that lives"
            )));
        }
        if !self.map_error(self.memory.pool.knows(address, bytes))? {
            return Err(Error::invalid_value(format!(
                "the {bytes} bytes at {address:#x} are not inside one allocation that the CUDA driver knows; wrap device, managed \
                 or pinned memory"
            )));
        }
        if !managed::is_known() {
            let _current = self.map_error(self.device.enter())?;
            managed::note_lent(self.api(), address);
        }
        Ok(self.enter_memory(OwnedMemory::Device(Resource::Adopted(on_release))))
    }

    fn lend(&self, ordinal: u32) -> Result<()> {
        callbacks::check_caller()?;
        if ordinal == self.facts.info.ordinal {
            return Ok(());
        }
        self.map_error(self.memory.pool.let_reach(ordinal as c_int))
    }

    fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        Ok(self.enter_memory(OwnedMemory::Device(Resource::Adopted(on_release))))
    }

    fn entrust(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        callbacks::check_caller()?;
        Ok(self.enter_memory(OwnedMemory::Device(Resource::Adopted(on_release))))
    }

    fn release(&self, memory: MemoryId, used_by: &[StreamId]) {
        let owned = lock(&self.objects.owned).remove(&memory);
        let resource = match owned {
            None => return,
            Some(OwnedMemory::OfNode(memory)) if memory.is_to_be_freed() => Resource::Allocated(memory.address),
            Some(OwnedMemory::OfNode(_)) => return,
            Some(OwnedMemory::Device(resource)) => resource,
            Some(OwnedMemory::Blocking(memory, on_release)) => {
                return self.release_blocking(memory, used_by, on_release)
            }
        };
        if driver_thread::on_driver_thread() {
            let used_by = used_by.to_vec();
            return self.outside_driver(move |shared| shared.release_resource(resource, &used_by));
        }
        self.release_resource(resource, used_by);
    }

    fn reserve(&self, bytes: Option<usize>, owner: &str) -> Result<Reserved> {
        callbacks::check_caller()?;
        let apart = blocks_apart::are_wanted()? || self.memory.guard.is_some();
        let range = Arc::new(self.map_error(self.memory.pool.reserve(bytes, apart.then_some(owner)))?);
        let Range { address, bytes, page, is_apart, .. } = *range;
        let memory = self.enter_memory(OwnedMemory::Device(Resource::Reserved(range)));
        Ok(Reserved { memory, address, bytes, page, is_apart })
    }

    fn back(&self, reserved: MemoryId, offset: usize, bytes: usize) -> Result<()> {
        callbacks::check_caller()?;
        let range = self.reserved(reserved)?;
        let mapped = self.memory.map(&range, offset, bytes, &|id, see| self.find(id, see));
        mapped.map_err(|refusal| self.with_room(bytes, self.error(refusal)))
    }

    fn unback(&self, reserved: MemoryId, from: usize, end: usize) -> Result<usize> {
        callbacks::check_caller()?;
        self.map_error(self.reserved(reserved)?.unmap(from, end))
    }

    fn carve(
        &self,
        reserved: MemoryId,
        offset: usize,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<(MemoryId, Address)> {
        callbacks::check_caller()?;
        let range = self.reserved(reserved)?;
        if !range.is_apart {
            let address = range.address + offset as u64;
            return Ok((self.enter_memory(OwnedMemory::Device(Resource::Carved(range, on_release))), address));
        }
        if let Some(guard) = &self.memory.guard {
            let address = self.allocate_memory(bytes)?;
            guard.name(address, &format!("a block of {}", range.owner));
            return Ok((self.enter_memory(OwnedMemory::Device(Resource::Block(address, on_release))), address));
        }
        let _current = self.map_error(self.device.enter())?;
        let _relaxed = self.map_error(relax(self.api()))?;
        let memory = self.blocking_memory(self.api(), Class::apart(bytes));
        let memory = memory.map_err(|refusal| self.with_room(bytes, self.error(refusal)))?;
        let address = memory.address();
        Ok((self.enter_memory(OwnedMemory::Blocking(memory, Some(on_release))), address))
    }

    fn memory_named(&self, address: Address, name: &str) {
        // NVIDIA's driver has no names for memory.
        if let Some(guard) = &self.memory.guard {
            guard.name(address, name);
        }
    }

    fn check_guarded(&self) {
        self.memory.check_guarded("when a graph was checked");
    }

    fn graph_memory(&self) -> Result<GraphMemory> {
        callbacks::check_caller()?;
        self.map_error(graph_memory::of(self.api(), self.primary.ordinal))
    }

    fn graph_memory_reset_high(&self) -> Result<()> {
        callbacks::check_caller()?;
        self.map_error(graph_memory::reset_high(self.api(), self.primary.ordinal))
    }

    fn trim(&self) -> Result<()> {
        callbacks::check_caller()?;
        let _current = self.map_error(self.device.enter())?;
        self.look_at_memory(true);
        self.map_error(self.memory.pool.trim())
    }

    fn graph_memory_trim(&self) -> Result<()> {
        callbacks::check_caller()?;
        self.map_error(graph_memory::trim(self.api(), self.primary.ordinal))
    }

    fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        callbacks::check_caller()?;
        self.map_error(origin_of(self.api(), address))
    }

    fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        callbacks::check_caller()?;
        self.pin(options, |api| self.blocking_memory(api, Class::pinned(bytes, options)))
    }

    fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        callbacks::check_caller()?;
        self.pin(options, |api| BlockingMemory::register(api, address, bytes, options, on_release))
    }

    fn leaves_pinned(&self, address: Address, bytes: usize) -> bool {
        deferred::has_registered(self.primary.ordinal, address, bytes)
    }

    fn host_number(&self, address: Address, bytes: usize) -> u64 {
        let place = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        // SAFETY: core holds the pinned memory, and passes a multiple of the number's size. Work that writes it meanwhile writes
        // it as a whole.
        unsafe {
            match bytes {
                4 => u64::from(AtomicU32::from_ptr(place.cast()).load(Ordering::SeqCst)),
                _ => AtomicU64::from_ptr(place.cast()).load(Ordering::SeqCst),
            }
        }
    }

    fn host_set_number(&self, address: Address, number: u64) {
        let place = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
        // SAFETY: core holds the pinned memory, and passes a multiple of the number's size.
        unsafe { AtomicU64::from_ptr(place.cast()) }.store(number, Ordering::SeqCst);
    }

    fn host_bytes(&self, address: Address, to: &mut [u8]) {
        let place = std::ptr::with_exposed_provenance::<u8>(address as usize);
        // SAFETY: core holds the pinned memory, which has as many bytes. The work that wrote it has been waited for.
        unsafe { std::ptr::copy_nonoverlapping(place, to.as_mut_ptr(), to.len()) }
    }
}

impl CudaContext {
    /// Makes memory be released on request, behind the work of `used_by` on other devices; tells `on_release` of the end of its use.
    fn release_blocking(
        &self,
        memory: BlockingMemory,
        used_by: &[StreamId],
        on_release: Option<Box<dyn FnOnce() + Send>>,
    ) {
        let use_of = Arc::new(Use::default());
        let until = Resource::Use(Arc::clone(&use_of), on_release);
        // Giving it back waits for all work of the device, so nobody has to look for that whose work there is complete. To
        // allocate it again waits for nothing.
        let leave = move |owner: &Shared| deferred::on_request(owner.primary, OnRequest::Memory(memory, use_of));
        if used_by.is_empty() && !driver_thread::on_driver_thread() {
            leave(self);
            return self.release_resource(until, &[]);
        }
        let used_by = used_by.to_vec();
        self.outside_driver(move |shared| {
            shared.behind_other_devices(&used_by, leave);
            shared.release_resource(until, &used_by);
        });
    }
}

impl Shared {
    /// An error, with how much memory there is where it says that there is too little for `bytes` bytes.
    #[cold]
    fn with_room(&self, bytes: usize, error: Error) -> Error {
        match self.memory.pool.info().filter(|_| error.status == Status::OUT_OF_MEMORY) {
            Some((free, total)) => Error::new(
                error.status,
                format!(
                    "{bytes} bytes cannot be allocated: {free} of the device's {total} bytes are free; {}",
                    error.message
                ),
            ),
            None => error,
        }
    }

    /// Memory that every stream can use at once.
    fn allocate_memory(&self, bytes: usize) -> Result<Address> {
        let address = self.memory.allocate(bytes, &|id, see| self.find(id, see));
        address.map_err(|refusal| self.with_room(bytes, self.error(refusal)))
    }

    /// The reserved addresses of that name.
    fn reserved(&self, memory: MemoryId) -> Result<Arc<Range>> {
        match lock(&self.objects.owned).get(&memory) {
            Some(OwnedMemory::Device(Resource::Reserved(range))) => Ok(Arc::clone(range)),
            _ => Err(Error::invalid_value("the addresses are not reserved")),
        }
    }

    /// Names what a node of a graph allocates.
    pub(crate) fn name_memory_of_node(&self, memory: Arc<NodeMemory>) -> MemoryId {
        memory.name();
        self.enter_memory(OwnedMemory::OfNode(memory))
    }

    /// Returns what a node of a graph allocates, by its name.
    pub(crate) fn named_memory_of_node(&self, memory: MemoryId) -> Option<Arc<NodeMemory>> {
        match lock(&self.objects.owned).get(&memory) {
            Some(OwnedMemory::OfNode(memory)) => Some(Arc::clone(memory)),
            _ => None,
        }
    }

    fn enter_memory(&self, owned: OwnedMemory) -> MemoryId {
        let id = MemoryId(self.objects.last_memory.fetch_add(1, Ordering::Relaxed) + 1);
        lock(&self.objects.owned).insert(id, owned);
        id
    }

    /// Memory of a class: some that was let go of and that no work uses any more, else new memory. The context must be current, the
    /// mode relaxed.
    fn blocking_memory(&self, api: &Api, class: Class) -> std::result::Result<BlockingMemory, DriverError> {
        self.look_at_memory(false);
        let Some(memory) = deferred::take_memory(self.primary, class) else {
            return BlockingMemory::allocate(api, class);
        };
        let ready = self.memory.pool.fault().map_or_else(|| memory.make_as_allocated(api), Err);
        match ready {
            Ok(()) => Ok(memory),
            Err(refusal) => {
                deferred::on_request(self.primary, OnRequest::Memory(memory, Use::ended()));
                Err(refusal)
            }
        }
    }

    /// Enters the memory that `make` makes, and gives what that tells of it.
    fn enter_blocking<T>(
        &self,
        make: impl FnOnce(&Api) -> std::result::Result<(BlockingMemory, T), DriverError>,
    ) -> Result<(MemoryId, T)> {
        let _current = self.map_error(self.device.enter())?;
        let _relaxed = self.map_error(relax(self.api()))?;
        let (memory, told) = self.map_error(make(self.api()))?;
        Ok((self.enter_memory(OwnedMemory::Blocking(memory, None)), told))
    }

    /// Enters the host memory that `make` pins.
    fn pin(
        &self,
        options: HostMemoryOptions,
        make: impl FnOnce(&Api) -> std::result::Result<BlockingMemory, DriverError>,
    ) -> Result<HostMemory> {
        let (memory, (address, mapped)) = self.enter_blocking(|api| {
            let pinned = make(api)?;
            let address = pinned.address();
            if !options.mapped {
                return Ok((pinned, (address, None)));
            }
            match pinned.device_address(api) {
                Ok(mapped) => Ok((pinned, (address, Some(mapped)))),
                Err(refusal) => {
                    deferred::on_request(self.primary, OnRequest::Memory(pinned, Use::ended()));
                    Err(refusal)
                }
            }
        })?;
        Ok(HostMemory { memory, address, mapped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As driver 580 told of them.
    #[test]
    fn an_allocation_is_what_range_and_mapping_have_in_common() {
        let origin = |base, bytes, id| Some(AddressOrigin { base, bytes, id });
        let (page, reserved) = (2 << 20, (0x7f02_d0a0_0000, 16 << 20));
        // One of several in a page, host memory that was registered, two mappings in reserved addresses, and a gap.
        for (range, mapping, id, expected) in [
            ((0x7f02_cbe0_1000, 4096), (0x7f02_cbe0_0000, page), 928, origin(0x7f02_cbe0_1000, 4096, 928)),
            ((0x3a25_e000, 5000), (0x3a25_e000, 8192), 943, origin(0x3a25_e000, 5000, 943)),
            (reserved, (0x7f02_d0a0_0000, page), 945, origin(0x7f02_d0a0_0000, 2 << 20, 945)),
            (reserved, (0x7f02_d0c0_0000, 2 * page), 946, origin(0x7f02_d0c0_0000, 4 << 20, 946)),
            (reserved, (0, 0), 0, None),
            ((0, 0), (0, 0), 0, None),
            // Of a driver that tells of no mappings.
            ((0x1000, 64), (0, 0), 5, origin(0x1000, 64, 5)),
            // Of none that is known; not to be relied on.
            ((0x1000, 64), (0x2000, 64), 5, None),
            ((u64::MAX, 64), (u64::MAX, 64), 5, origin(u64::MAX, 0, 5)),
        ] {
            assert_eq!(told_allocation(range, mapping, id), expected, "{range:x?} {mapping:x?}");
        }
    }
}
