//! Where memory comes from and how it is let go: device memory of the pool's, waitable and managed memory, pinned memory
//! of the host's, and memory of others. `memory.rs` and `lingering.rs` then know when it goes back.

use std::ffi::c_int;
use std::sync::{Arc, Mutex};

use super::api::{Api, Refusal};
use super::current::Relaxed;
use super::function;
use super::lingering::{self, Lingering};
use super::lock;
use super::memory::Range;
use super::shared::Shared;
use crate::driver::ids::{enter, key_of, no_such};
use crate::driver::{callbacks, Address, HostMemory, HostMemoryOptions, MemoryId, MemoryKind, StreamId};
use crate::error::{Error, Result, Status};
use crate::slots::Slots;

/// Memory that core knows by an id.
enum Owned {
    Device(Range),
    Lingering(Lingering),
}

static MEMORY: Slots<Mutex<Option<Owned>>> = Slots::new();

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
        match enter(&MEMORY, Mutex::new(Some(Owned::Device(Range::Allocated(address)))), "buffers") {
            Ok(id) => Ok((MemoryId(id), address)),
            Err(error) => {
                self.release_range(Range::Allocated(address), &[]);
                Err(error)
            }
        }
    }

    pub(super) fn adopt(
        &self,
        address: Address,
        bytes: usize,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<MemoryId> {
        callbacks::check_caller()?;
        if !self.told(self.memory.pool.knows(address, bytes))? {
            return Err(Error::invalid_value(format!(
                "the {bytes} bytes at {address:#x} are not inside one allocation that the CUDA driver knows; wrap device, managed \
                 or pinned memory"
            )));
        }
        enter(&MEMORY, Mutex::new(Some(Owned::Device(Range::Adopted(on_release)))), "buffers").map(MemoryId)
    }

    pub(super) fn lend(&self, ordinal: u32) -> Result<()> {
        callbacks::check_caller()?;
        if ordinal == self.info.ordinal {
            return Ok(());
        }
        self.told(self.memory.pool.let_reach(ordinal as c_int))
    }

    pub(super) fn borrow(&self, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
        enter(&MEMORY, Mutex::new(Some(Owned::Device(Range::Adopted(on_release)))), "buffers").map(MemoryId)
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
        let owned = MEMORY.remove(key_of(memory.0)).and_then(|owned| lock(&owned).take());
        let range = match owned {
            None => return,
            Some(Owned::Device(range)) => range,
            // Giving it back waits for all work of the device, so nobody has to look whose work is complete.
            Some(Owned::Lingering(memory)) => return lingering::leave(memory, self.place),
        };
        if function::on_driver_thread() {
            let used_by = used_by.to_vec();
            return self.outside_driver(move |shared| shared.release_range(range, &used_by));
        }
        self.release_range(range, used_by);
    }

    /// Enters the memory that `make` makes, and gives what that tells of it.
    fn enter_lingering<T>(
        &self,
        make: impl FnOnce(&Api) -> std::result::Result<(Lingering, T), Refusal>,
    ) -> Result<(MemoryId, T)> {
        let _current = self.told(self.device.enter())?;
        let _relaxed = self.told(Relaxed::enter(self.api()))?;
        // The place first: such memory cannot be given back here.
        let id = enter(&MEMORY, Mutex::new(None), "buffers")?;
        match (make(self.api()), MEMORY.get(key_of(id))) {
            (Ok((memory, told)), Some(place)) => {
                *lock(&place) = Some(Owned::Lingering(memory));
                Ok((MemoryId(id), told))
            }
            (Ok(_), None) => Err(no_such("buffer")),
            (Err(refusal), _) => {
                MEMORY.remove(key_of(id));
                Err(self.error(refusal))
            }
        }
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

    fn release_range(&self, range: Range, used_by: &[StreamId]) {
        self.memory.release(range, used_by, &|id, see| self.find(id, see));
        self.ask_for_looks();
    }
}
