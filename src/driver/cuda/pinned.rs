//! Pinned memory of the host's, and what of it is to be given back.

use std::ffi::{c_int, c_uint, c_void};
use std::sync::Mutex;

use super::api::{Api, Refusal};
use super::lock;
use super::module::Place;
use crate::driver::{callbacks, Address, HostMemoryOptions};

/// `CU_MEMHOSTALLOC_PORTABLE` and `CU_MEMHOSTREGISTER_PORTABLE`
const PORTABLE: c_uint = 1;
/// `CU_MEMHOSTALLOC_DEVICEMAP` and `CU_MEMHOSTREGISTER_DEVICEMAP`
const MAPPED: c_uint = 2;
/// `CU_MEMHOSTALLOC_WRITECOMBINED`
const WRITE_COMBINED: c_uint = 4;

/// Host memory that the driver has pinned.
pub(super) struct Pinned {
    address: Address,
    /// What to run when it is pinned no longer, for memory of the caller's.
    on_release: Option<Box<dyn FnOnce() + Send>>,
}

/// Memory that core, all graphs and all handles let go of. To give it back waits for all work of the device, and whoever
/// calls the driver meanwhile waits too; so it lies here until somebody waits for all work anyway.
struct Unused {
    pinned: Pinned,
    place: Place,
}

static UNUSED: Mutex<Vec<Unused>> = Mutex::new(Vec::new());

fn flags(options: HostMemoryOptions) -> c_uint {
    let flag = |is_set: bool, flag: c_uint| if is_set { flag } else { 0 };
    flag(options.portable, PORTABLE) | flag(options.mapped, MAPPED) | flag(options.write_combined, WRITE_COMBINED)
}

fn pointer(address: Address) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

impl Pinned {
    /// Allocates. The context must be current, the mode relaxed.
    pub(super) fn allocate(api: &Api, bytes: usize, options: HostMemoryOptions) -> Result<Pinned, Refusal> {
        let mut memory = std::ptr::null_mut();
        // SAFETY: `memory` is writable.
        unsafe { api.cuMemHostAlloc(&mut memory, bytes, flags(options)) }?;
        Ok(Pinned { address: memory.expose_provenance() as Address, on_release: None })
    }

    /// Pins memory of the caller's. The context must be current, the mode relaxed.
    pub(super) fn register(
        api: &Api,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<Pinned, Refusal> {
        // SAFETY: the caller of `gc_host_buffer_register` promises the memory until `on_release` runs.
        unsafe { api.cuMemHostRegister_v2(pointer(address), bytes, flags(options)) }?;
        Ok(Pinned { address, on_release: Some(on_release) })
    }

    /// The first byte.
    pub(super) fn address(&self) -> Address {
        self.address
    }

    /// The first byte as kernels see it. The context must be current.
    pub(super) fn device_address(&self, api: &Api) -> Result<Address, Refusal> {
        let mut address = 0;
        // SAFETY: `address` is writable; the memory is pinned.
        unsafe { api.cuMemHostGetDevicePointer_v2(&mut address, pointer(self.address), 0) }?;
        Ok(address)
    }

    /// Gives it back. The context must be current, the mode relaxed. May wait for all work of the device.
    fn free(&self, api: &Api) {
        // SAFETY: pinned by the call that this one answers to, nothing uses it, and it is given back once.
        let _ = unsafe {
            match self.on_release {
                Some(_) => api.cuMemHostUnregister(pointer(self.address)),
                None => api.cuMemFreeHost(pointer(self.address)),
            }
        };
    }

    /// Tells the caller whose memory it is that it is pinned no longer.
    fn hand_back(self) {
        if let Some(on_release) = self.on_release {
            callbacks::run(on_release);
        }
    }
}

/// Takes memory over that is to be given back.
pub(super) fn leave(pinned: Pinned, place: Place) {
    lock(&UNUSED).push(Unused { pinned, place });
}

/// Forgets the memory of a device whose primary context is gone, and it with that, or beyond use after a fault.
pub(super) fn forget(ordinal: c_int) {
    let gone: Vec<Unused> = lock(&UNUSED).extract_if(.., |unused| unused.place.ordinal == ordinal).collect();
    gone.into_iter().for_each(|unused| unused.pinned.hand_back());
}

/// Gives back the memory of `place` that nothing uses. Its context must be current, the mode relaxed. May wait for all work
/// of the device.
pub(super) fn free_unused(api: &Api, place: Place) {
    // What an earlier primary context of the device had went with it.
    let here: Vec<Unused> = lock(&UNUSED).extract_if(.., |unused| unused.place.ordinal == place.ordinal).collect();
    for Unused { pinned, place: of } in here {
        if of == place {
            pinned.free(api);
        }
        pinned.hand_back();
    }
}
