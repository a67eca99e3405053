//! Memory that the driver takes back only when all work of the device is done: pinned memory of the host's, memory of the
//! device that value operations take, and managed memory; and what of it is to be given back.

use std::ffi::{c_int, c_uint, c_void};

use crate::driver::cuda::api::{Api, Refusal};
use crate::driver::cuda::code::module::Place;
use crate::driver::{callbacks, Address, Attach, HostMemoryOptions};
use crate::lock::{lock, rank, Mutex};

/// `CU_MEMHOSTALLOC_PORTABLE` and `CU_MEMHOSTREGISTER_PORTABLE`
const PORTABLE: c_uint = 1;
/// `CU_MEMHOSTALLOC_DEVICEMAP` and `CU_MEMHOSTREGISTER_DEVICEMAP`
const MAPPED: c_uint = 2;
/// `CU_MEMHOSTALLOC_WRITECOMBINED`
const WRITE_COMBINED: c_uint = 4;

/// Such memory.
pub(in crate::driver::cuda) struct Lingering {
    address: Address,
    kind: Kind,
}

enum Kind {
    /// Memory of the host's, allocated pinned.
    Pinned,
    /// Memory of the caller's, pinned; what to run when it is pinned no longer.
    Registered(Box<dyn FnOnce() + Send>),
    /// Memory of the device's, managed or not.
    Device,
}

/// Memory that core, all graphs and all handles let go of. To give it back waits for all work of the device, and whoever
/// calls the driver meanwhile waits too; so it lies here until somebody waits for all work anyway.
struct Unused {
    memory: Lingering,
    place: Place,
}

static UNUSED: Mutex<Vec<Unused>, rank::UnusedMemory> = Mutex::new(Vec::new());

fn flags(options: HostMemoryOptions) -> c_uint {
    let flag = |is_set: bool, flag: c_uint| if is_set { flag } else { 0 };
    flag(options.portable, PORTABLE) | flag(options.mapped, MAPPED) | flag(options.write_combined, WRITE_COMBINED)
}

fn pointer(address: Address) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

impl Lingering {
    /// Allocates memory of the device's that value operations take, which they do not of a pool's. The context must be
    /// current, the mode relaxed.
    pub(in crate::driver::cuda) fn allocate(api: &Api, bytes: usize) -> Result<Lingering, Refusal> {
        let mut address = 0;
        // SAFETY: `address` is writable.
        unsafe { api.cuMemAlloc_v2(&mut address, bytes) }?;
        Ok(Lingering { address, kind: Kind::Device })
    }

    /// Allocates managed memory, attached so at first. The context must be current, the mode relaxed.
    pub(in crate::driver::cuda) fn allocate_managed(
        api: &Api,
        bytes: usize,
        attach: Attach,
    ) -> Result<Lingering, Refusal> {
        let mut address = 0;
        // SAFETY: `address` is writable.
        unsafe { api.cuMemAllocManaged(&mut address, bytes, attach as c_uint) }?;
        Ok(Lingering { address, kind: Kind::Device })
    }

    /// Allocates pinned memory of the host's. The context must be current, the mode relaxed.
    pub(in crate::driver::cuda) fn allocate_pinned(
        api: &Api,
        bytes: usize,
        options: HostMemoryOptions,
    ) -> Result<Lingering, Refusal> {
        let mut memory = std::ptr::null_mut();
        // SAFETY: `memory` is writable.
        unsafe { api.cuMemHostAlloc(&mut memory, bytes, flags(options)) }?;
        Ok(Lingering { address: memory.expose_provenance() as Address, kind: Kind::Pinned })
    }

    /// Pins memory of the caller's. The context must be current, the mode relaxed.
    pub(in crate::driver::cuda) fn register(
        api: &Api,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<Lingering, Refusal> {
        // SAFETY: the caller of `gc_host_buffer_register` promises the memory until `on_release` runs.
        unsafe { api.cuMemHostRegister_v2(pointer(address), bytes, flags(options)) }?;
        Ok(Lingering { address, kind: Kind::Registered(on_release) })
    }

    /// The first byte.
    pub(in crate::driver::cuda) fn address(&self) -> Address {
        self.address
    }

    /// The first byte of pinned memory as kernels see it. The context must be current.
    pub(in crate::driver::cuda) fn device_address(&self, api: &Api) -> Result<Address, Refusal> {
        let mut address = 0;
        // SAFETY: `address` is writable; the memory is pinned.
        unsafe { api.cuMemHostGetDevicePointer_v2(&mut address, pointer(self.address), 0) }?;
        Ok(address)
    }

    /// Gives it back. The context must be current, the mode relaxed. May wait for all work of the device.
    fn free(&self, api: &Api) -> Result<(), Refusal> {
        // SAFETY: made by the call that this one answers to, nothing uses it, and it is given back once.
        unsafe {
            match self.kind {
                Kind::Pinned => api.cuMemFreeHost(pointer(self.address)),
                Kind::Registered(_) => api.cuMemHostUnregister(pointer(self.address)),
                Kind::Device => api.cuMemFree_v2(self.address),
            }
        }
    }

    /// Tells the caller whose memory it is that it is pinned no longer.
    fn hand_back(self) {
        if let Kind::Registered(on_release) = self.kind {
            callbacks::run(on_release);
        }
    }
}

/// Waits for all work of the device, without harm to a capture, as giving memory back does. The context must be current, the
/// mode relaxed.
pub(in crate::driver::cuda) fn wait_for_all(api: &Api) -> Result<(), Refusal> {
    Lingering::allocate(api, 1)?.free(api)
}

/// Takes memory over that is to be given back.
pub(in crate::driver::cuda) fn leave(memory: Lingering, place: Place) {
    lock(&UNUSED).push(Unused { memory, place });
}

/// Forgets the memory of a device whose primary context is gone, and it with that, or beyond use after a fault.
pub(in crate::driver::cuda) fn forget(ordinal: c_int) {
    let gone: Vec<Unused> = lock(&UNUSED).extract_if(.., |unused| unused.place.ordinal == ordinal).collect();
    gone.into_iter().for_each(|unused| unused.memory.hand_back());
}

/// Gives back the memory of `place` that nothing uses. Its context must be current, the mode relaxed. May wait for all work
/// of the device.
pub(in crate::driver::cuda) fn free_unused(api: &Api, place: Place) {
    // What an earlier primary context of the device had went with it.
    let here: Vec<Unused> = lock(&UNUSED).extract_if(.., |unused| unused.place.ordinal == place.ordinal).collect();
    for Unused { memory, place: of } in here {
        if of == place {
            let _ = memory.free(api);
        }
        memory.hand_back();
    }
}
