//! Memory that the driver takes back only when all work of the device is done: pinned memory of the host's, memory of the
//! device that value operations take, and managed memory. `deferred.rs` has what of it is to be given back.

use std::collections::BTreeMap;
use std::ffi::{c_uint, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use cudarc::driver::sys::CUstream_flags;

use crate::api::{Api, DriverError, Handle};
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{callbacks, Address, Attach, HostMemoryOptions};

/// `CU_MEMHOSTALLOC_PORTABLE` and `CU_MEMHOSTREGISTER_PORTABLE`
const PORTABLE: c_uint = 1;
/// `CU_MEMHOSTALLOC_DEVICEMAP` and `CU_MEMHOSTREGISTER_DEVICEMAP`
const MAPPED: c_uint = 2;
/// `CU_MEMHOSTALLOC_WRITECOMBINED`
const WRITE_COMBINED: c_uint = 4;

/// Memory whose release waits for all work of the device.
pub(crate) struct BlockingMemory {
    address: Address,
    kind: BlockingKind,
    class: Class,
}

/// Memory of one class is as good as any other of it. Allocations have all the bytes of their class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Class {
    sort: Sort,
    bytes: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sort {
    Waitable,
    /// A block of a pool that lies apart, with as many bytes as were asked for; never used again, so that tools see its end.
    Apart,
    /// Attached so at first: one of [`Attach`], as a number.
    Managed(c_uint),
    /// As [`Sort::Managed`], and attached to a stream or to none since. None is allocated so.
    Attached(c_uint),
    /// Pinned with these flags of the driver's.
    Pinned(c_uint),
    /// Of the caller's; never used again.
    Registered,
}

/// Bytes that allocations are multiples of at least.
const CLASS_GRAIN: usize = 64;

impl Class {
    /// At most an eighth more than what is asked for, from 512 bytes on.
    fn new(sort: Sort, bytes: usize) -> Class {
        let largest_power = 1 << bytes.max(1).ilog2();
        let bytes = bytes.checked_next_multiple_of(CLASS_GRAIN.max(largest_power / 8)).unwrap_or(bytes);
        Class { sort, bytes }
    }

    /// Memory for value operations.
    pub(crate) fn waitable(bytes: usize) -> Class {
        Class::new(Sort::Waitable, bytes)
    }

    /// A block of a pool, where blocks lie apart.
    pub(crate) fn apart(bytes: usize) -> Class {
        Class { sort: Sort::Apart, bytes }
    }

    /// Managed memory, attached so at first.
    pub(crate) fn managed(bytes: usize, attach: Attach) -> Class {
        Class::new(Sort::Managed(attach as c_uint), bytes)
    }

    /// The classes that memory of this one may be taken from; none where it is never used again.
    pub(crate) fn alike(self) -> impl Iterator<Item = Class> {
        let classes = match self.sort {
            Sort::Apart | Sort::Registered => [None, None],
            Sort::Managed(attach) => [Some(self), Some(Class { sort: Sort::Attached(attach), ..self })],
            Sort::Waitable | Sort::Attached(_) | Sort::Pinned(_) => [Some(self), None],
        };
        classes.into_iter().flatten()
    }

    /// Pinned memory of the host's.
    pub(crate) fn pinned(bytes: usize, options: HostMemoryOptions) -> Class {
        Class::new(Sort::Pinned(flags(options)), bytes)
    }
}

enum BlockingKind {
    /// Memory of the host's, allocated pinned.
    Pinned,
    /// Memory of the caller's, pinned; what to run when it is pinned no longer.
    Registered(Box<dyn FnOnce() + Send>),
    /// Memory of the device's, managed or not.
    Device,
}

/// Use by work of memory which everybody let go of.
#[derive(Default)]
pub(crate) struct Use {
    is_over: AtomicBool,
}

impl Use {
    /// No work uses the memory any more.
    pub(crate) fn ends(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// Returns whether no work uses the memory any more.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Use of memory which no work ever used: it is over.
    pub(crate) fn ended() -> Arc<Use> {
        Arc::new(Use { is_over: AtomicBool::new(true) })
    }
}

/// Managed memory by its address, and whether it was attached since, which makes it unlike others of its class.
static MANAGED: Mutex<BTreeMap<Address, bool>, rank::ManagedMemory> = Mutex::new(BTreeMap::new());

fn flags(options: HostMemoryOptions) -> c_uint {
    let flag = |is_set: bool, flag: c_uint| if is_set { flag } else { 0 };
    flag(options.portable, PORTABLE) | flag(options.mapped, MAPPED) | flag(options.write_combined, WRITE_COMBINED)
}

fn pointer(address: Address) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

impl BlockingMemory {
    /// Allocates memory of a class. The context must be current, the mode relaxed.
    pub(crate) fn allocate(api: &Api, class: Class) -> Result<BlockingMemory, DriverError> {
        let mut address = 0;
        let kind = match class.sort {
            Sort::Waitable | Sort::Apart | Sort::Registered => {
                // SAFETY: `address` is writable.
                unsafe { api.cuMemAlloc_v2(&mut address, class.bytes) }?;
                BlockingKind::Device
            }
            Sort::Managed(attach) | Sort::Attached(attach) => {
                // SAFETY: `address` is writable.
                unsafe { api.cuMemAllocManaged(&mut address, class.bytes, attach) }?;
                lock(&MANAGED).insert(address, false);
                BlockingKind::Device
            }
            Sort::Pinned(flags) => {
                let mut memory = std::ptr::null_mut();
                // SAFETY: `memory` is writable.
                unsafe { api.cuMemHostAlloc(&mut memory, class.bytes, flags) }?;
                address = memory.expose_provenance() as Address;
                BlockingKind::Pinned
            }
        };
        Ok(BlockingMemory { address, kind, class })
    }

    /// Pins memory of the caller's. The context must be current, the mode relaxed.
    pub(crate) fn register(
        api: &Api,
        address: Address,
        bytes: usize,
        options: HostMemoryOptions,
        on_release: Box<dyn FnOnce() + Send>,
    ) -> Result<BlockingMemory, DriverError> {
        // SAFETY: the caller of `gc_host_buffer_register` promises the memory until `on_release` runs.
        unsafe { api.cuMemHostRegister_v2(pointer(address), bytes, flags(options)) }?;
        Ok(BlockingMemory {
            address,
            kind: BlockingKind::Registered(on_release),
            class: Class { sort: Sort::Registered, bytes },
        })
    }

    /// The first byte.
    pub(crate) fn address(&self) -> Address {
        self.address
    }

    /// The first byte of pinned memory as kernels see it. The context must be current.
    pub(crate) fn device_address(&self, api: &Api) -> Result<Address, DriverError> {
        let mut address = 0;
        // SAFETY: `address` is writable; the memory is pinned.
        unsafe { api.cuMemHostGetDevicePointer_v2(&mut address, pointer(self.address), 0) }?;
        Ok(address)
    }

    /// Makes managed memory that was attached since be as it was allocated. Waits for no work. The context must be current, the mode
    /// relaxed.
    pub(crate) fn make_as_allocated(&self, api: &Api) -> Result<(), DriverError> {
        let Sort::Managed(attach) = self.class.sort else { return Ok(()) };
        if lock(&MANAGED).get(&self.address) != Some(&true) {
            return Ok(());
        }
        let mut stream = Handle::NULL;
        // SAFETY: `stream` is writable.
        unsafe { api.cuStreamCreateWithPriority(&mut stream, CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint, 0) }?;
        // SAFETY: the stream lives and is given back once, nothing uses the memory, and the number is a way to attach.
        let attached = unsafe {
            let attached = api.cuStreamAttachMemAsync(stream, self.address, 0, attach);
            let attached = attached.and_then(|()| api.cuStreamSynchronize(stream));
            attached.and(api.cuStreamDestroy_v2(stream))
        };
        attached?;
        lock(&MANAGED).insert(self.address, false);
        Ok(())
    }

    /// The class that it is of when it is let go of.
    pub(crate) fn unused_class(&self) -> Class {
        match self.class.sort {
            // Apart from the others, so that it is in the way of none that can be taken as it is.
            Sort::Managed(attach) if lock(&MANAGED).get(&self.address) == Some(&true) => {
                Class { sort: Sort::Attached(attach), ..self.class }
            }
            _ => self.class,
        }
    }

    /// Returns whether it is memory of the caller's, and shares a byte with this range.
    pub(crate) fn is_registered_in(&self, address: Address, bytes: usize) -> bool {
        self.class.sort == Sort::Registered
            && self.address < address.saturating_add(bytes as u64)
            && address < self.address.saturating_add(self.class.bytes as u64)
    }

    /// Gives it back; without an `api` it is gone already. The context must be current, the mode relaxed. May wait for all work of the
    /// device. The caller whose memory it is is told that it is pinned no longer.
    pub(crate) fn release(self, api: Option<&Api>) -> Result<(), DriverError> {
        lock(&MANAGED).remove(&self.address);
        // SAFETY: made by the call that this one answers to, nothing uses it, and it is given back once.
        let released = api.map_or(Ok(()), |api| unsafe {
            match self.kind {
                BlockingKind::Pinned => api.cuMemFreeHost(pointer(self.address)),
                BlockingKind::Registered(_) => api.cuMemHostUnregister(pointer(self.address)),
                BlockingKind::Device => api.cuMemFree_v2(self.address),
            }
        });
        if let BlockingKind::Registered(on_release) = self.kind {
            callbacks::run(on_release);
        }
        released
    }
}

/// Waits for all work of the device, without harm to a capture, as giving memory back does. The context must be current, the
/// mode relaxed.
pub(crate) fn wait_for_all(api: &Api) -> Result<(), DriverError> {
    BlockingMemory::allocate(api, Class::waitable(1))?.release(Some(api))
}

/// Managed memory that starts at `address` was attached to a stream, or is about to be.
pub(crate) fn attached(address: Address) {
    if let Some(was_attached) = lock(&MANAGED).get_mut(&address) {
        *was_attached = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_room_for_its_sizes_and_little_more() {
        for bytes in (1..5000).chain([(1 << 20) + 1, (3 << 30) + 5]) {
            let class = Class::waitable(bytes);
            assert!(class.bytes >= bytes, "{bytes}");
            assert!(class.bytes - bytes < CLASS_GRAIN.max(bytes / 8 + 1), "{bytes}");
            assert_eq!(Class::waitable(class.bytes), class);
        }
        assert_eq!(Class::waitable(usize::MAX).bytes, usize::MAX);
        assert_eq!(Class::waitable(256).bytes, 256);
        assert_eq!((Class::apart(1001).bytes, Class::apart(1).bytes), (1001, 1));
        assert_ne!(Class::managed(64, Attach::Global), Class::managed(64, Attach::Host));
        let mapped = HostMemoryOptions { mapped: true, ..HostMemoryOptions::default() };
        assert_ne!(Class::pinned(64, HostMemoryOptions::default()), Class::pinned(64, mapped));
    }
}
