//! Where memory comes from and how it is let go: device memory of the pool's, waitable and managed memory, pinned memory
//! of the host's, and memory of others. `memory.rs` and `lingering.rs` then know when it goes back.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::atomic::Ordering;
use std::sync::Arc;

use cudarc::driver::sys::CUpointer_attribute;

use super::api::{Api, Refusal};
use super::current::Relaxed;
use super::function;
use super::lingering::{self, Lingering};
use super::lock;
use super::memory::Resource;
use super::shared::Shared;
use crate::driver::{callbacks, Address, AddressOrigin, HostMemory, HostMemoryOptions, MemoryId, MemoryKind, StreamId};
use crate::error::{Error, Result, Status};

/// Memory that core knows by an id.
pub(super) enum Owned {
    Device(Resource),
    Lingering(Lingering),
}

/// The allocation that the byte at an address belongs to, of all that the driver knows in the process.
fn origin_of(api: &Api, address: Address) -> std::result::Result<Option<AddressOrigin>, Refusal> {
    let mut attributes = [
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR as c_uint,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_SIZE as c_uint,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_BUFFER_ID as c_uint,
    ];
    // For an address that it does not know the driver answers success, and leaves the first two as they are.
    let (mut base, mut bytes, mut id): (u64, usize, u64) = (0, 0, 0);
    let mut values: [*mut c_void; 3] = [(&raw mut base).cast(), (&raw mut bytes).cast(), (&raw mut id).cast()];
    // SAFETY: each value has the type of its attribute.
    unsafe { api.cuPointerGetAttributes(3, attributes.as_mut_ptr(), values.as_mut_ptr(), address) }?;
    let origin = AddressOrigin { base, bytes, id };
    Ok((base != 0 && origin.holds(address)).then_some(origin))
}

impl Shared {
    pub(super) fn allocate(&self, bytes: usize, kind: MemoryKind) -> Result<(MemoryId, Address)> {
        callbacks::check_caller()?;
        let told = |memory: Lingering| {
            let address = memory.address();
            (memory, address)
        };
        match kind {
            MemoryKind::Pooled => {}
            MemoryKind::Waitable => return self.enter_lingering(|api| Lingering::allocate(api, bytes).map(told)),
            MemoryKind::Managed(attach) => {
                return self.enter_lingering(|api| Lingering::allocate_managed(api, bytes, attach).map(told));
            }
        }
        let address = self.memory.allocate(bytes, &|id, see| self.find(id, see)).map_err(|refusal| {
            let error = self.error(refusal);
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
        })?;
        Ok((self.enter_memory(Owned::Device(Resource::Allocated(address))), address))
    }

    pub(super) fn adopt(
        &self,
        address: Address,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<MemoryId> {
        callbacks::check_caller()?;
        let origin = self.told(origin_of(self.api(), address))?;
        let rest = origin.and_then(|origin| (origin.bytes as u64).checked_sub(address - origin.base));
        if rest.is_none_or(|rest| bytes as u64 > rest) {
            return Err(Error::invalid_value(format!(
                "the {bytes} bytes at {address:#x} are not inside one allocation that the CUDA driver knows; wrap device, managed \
                 or pinned memory"
            )));
        }
        Ok(self.enter_memory(Owned::Device(Resource::Adopted(on_release))))
    }

    pub(super) fn address_origin(&self, address: Address) -> Result<Option<AddressOrigin>> {
        callbacks::check_caller()?;
        self.told(origin_of(self.api(), address))
    }

    pub(super) fn lend(&self, ordinal: u32) -> Result<()> {
        callbacks::check_caller()?;
        if ordinal == self.info.ordinal {
            return Ok(());
        }
        self.told(self.memory.pool.let_reach(ordinal as c_int))
    }

    pub(super) fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        Ok(self.enter_memory(Owned::Device(Resource::Adopted(on_release))))
    }

    fn enter_memory(&self, owned: Owned) -> MemoryId {
        let id = MemoryId(self.last_memory.fetch_add(1, Ordering::Relaxed) + 1);
        lock(&self.owned).insert(id, owned);
        id
    }

    pub(super) fn host_allocate(&self, bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
        callbacks::check_caller()?;
        self.pin(options, |api| Lingering::allocate_pinned(api, bytes, options))
    }

    pub(super) fn host_register(
        &self,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<HostMemory> {
        callbacks::check_caller()?;
        self.pin(options, |api| Lingering::register(api, address, bytes, options, on_release))
    }

    pub(super) fn release(self: &Arc<Self>, memory: MemoryId, used_by: &[StreamId]) {
        let owned = lock(&self.owned).remove(&memory);
        let resource = match owned {
            None => return,
            Some(Owned::Device(resource)) => resource,
            // Giving it back waits for all work of the device, so nobody has to look whose work is complete.
            Some(Owned::Lingering(memory)) => return lingering::leave(memory, self.place),
        };
        if function::on_driver_thread() {
            let used_by = used_by.to_vec();
            return self.outside_driver(move |shared| shared.release_resource(resource, &used_by));
        }
        self.release_resource(resource, used_by);
    }

    /// Enters the memory that `make` makes, and gives what that tells of it.
    fn enter_lingering<T>(
        &self,
        make: impl FnOnce(&Api) -> std::result::Result<(Lingering, T), Refusal>,
    ) -> Result<(MemoryId, T)> {
        let _current = self.told(self.device.enter())?;
        let _relaxed = self.told(Relaxed::enter(self.api()))?;
        let (memory, told) = self.told(make(self.api()))?;
        Ok((self.enter_memory(Owned::Lingering(memory)), told))
    }

    /// Enters the host memory that `make` pins.
    fn pin(
        &self,
        options: HostMemoryOptions,
        make: impl FnOnce(&Api) -> std::result::Result<Lingering, Refusal>,
    ) -> Result<HostMemory> {
        let (memory, (address, mapped)) = self.enter_lingering(|api| {
            let pinned = make(api)?;
            let address = pinned.address();
            if !options.mapped {
                return Ok((pinned, (address, None)));
            }
            match pinned.device_address(api) {
                Ok(mapped) => Ok((pinned, (address, Some(mapped)))),
                Err(refusal) => {
                    lingering::leave(pinned, self.place);
                    Err(refusal)
                }
            }
        })?;
        Ok(HostMemory { memory, address, mapped })
    }

    /// Gives something back when the work submitted so far to `used_by` is complete.
    pub(super) fn release_resource(&self, resource: Resource, used_by: &[StreamId]) {
        self.memory.release(resource, used_by, &|id, see| self.find(id, see));
        self.ask_for_looks();
    }
}
