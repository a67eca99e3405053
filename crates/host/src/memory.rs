//! Device memory of the host device: which ranges are alive, and who owns them.
//!
//! All host devices of the process share one address space, as CUDA's unified addressing does.

pub(super) mod block;
pub(super) mod graph_memory;
#[allow(unsafe_code)]
pub(super) mod guard;
pub(super) mod held;
pub(super) mod node_memory;
mod piece;
pub(super) mod reserved;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use self::block::Block;
use self::piece::Piece;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{rank, Mutex, RwLock};
use graphcap_driver::callbacks;
use graphcap_driver::{Address, AddressOrigin, HostMemory, HostMemoryOptions, MemoryId};

/// Every allocation starts at a multiple of this, as cuMemAlloc promises.
const BUFFER_ALIGNMENT: usize = 256;

/// A live range. Its memory goes back when the last holder drops it.
pub(super) struct Allocation {
    memory: MemoryId,
    address: Address,
    bytes: usize,
    origin: Backing,
    /// Tells whether it is host memory that was pinned: allocated so, or the caller's.
    is_pinned: bool,
}

/// The number of the device that memory is of; `None` for memory of the host's.
type OfDevice = Option<u32>;

enum Backing {
    Own(#[allow(dead_code, reason = "held to be dropped")] Block, OfDevice),
    /// The caller's memory or object, given back by running the function on a thread where it may block.
    Adopted(Mutex<Option<Box<dyn FnOnce() + Send>>, rank::OnRelease>),
    /// Memory that a node allocates. The flag tells whether it is still allocated when the launches so far are through.
    Node(Arc<Block>, Arc<AtomicBool>),
    /// Memory behind an address that no work can use just now.
    Named(#[allow(dead_code, reason = "held to be dropped")] Arc<dyn Any + Send + Sync>),
    /// A part of reserved addresses, and what is told when it goes.
    Carved(Piece, Mutex<Option<Box<dyn FnOnce() + Send>>, rank::OnRelease>),
    /// Another context's memory, or a module's, which the function lets go of.
    Lent(Mutex<Option<Box<dyn FnOnce() + Send>>, rank::OnRelease>),
}

impl Allocation {
    /// Returns where it starts, if a node allocated it and it is freed when the work so far is through.
    pub(super) fn freed(&self) -> Option<Address> {
        match &self.origin {
            Backing::Node(_, is_allocated) if !is_allocated.load(Ordering::SeqCst) => Some(self.address),
            _ => None,
        }
    }

    /// The number of the device that it was allocated on; `None` where that is not known.
    fn device(&self) -> Option<u32> {
        match &self.origin {
            Backing::Own(_, device) => *device,
            Backing::Carved(piece, _) => Some(piece.space.device),
            _ => None,
        }
    }

    fn overlaps(&self, address: Address, bytes: usize) -> bool {
        self.address < address + bytes as u64 && address < self.address + self.bytes as u64
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        let (release, calls_out) = match &mut self.origin {
            Backing::Own(..) | Backing::Named(_) => return,
            Backing::Carved(_, release) => {
                if let Some(on_release) = release.get_mut().take() {
                    on_release();
                }
                return;
            }
            Backing::Node(block, _) => return block.close(),
            Backing::Adopted(release) => (release, true),
            Backing::Lent(release) => (release, false),
        };
        let Some(on_release) = release.get_mut().take() else { return };
        // What was lent may be the last of a context, whose end waits for the lanes.
        if calls_out {
            callbacks::run_release(on_release);
        } else if callbacks::inside_work() {
            callbacks::run(on_release);
        } else {
            on_release();
        }
    }
}

/// The live ranges by their first address. Own ranges never overlap; adopted ones may overlap anything, and
/// start at the same place as others.
struct Ranges {
    own: BTreeMap<Address, Arc<Allocation>>,
    adopted: BTreeMap<(Address, MemoryId), Arc<Allocation>>,
    /// Memory that nodes allocate, alive or not: how many bytes from where.
    promised: BTreeMap<Address, usize>,
    /// First address of each range.
    starts: BTreeMap<MemoryId, Address>,
    last: u64,
    /// Length of the longest adopted range so far: how far back one that covers an address can begin.
    longest_adopted: u64,
}

static RANGES: RwLock<Ranges, rank::Ranges> = RwLock::new(Ranges {
    own: BTreeMap::new(),
    adopted: BTreeMap::new(),
    promised: BTreeMap::new(),
    starts: BTreeMap::new(),
    last: 0,
    longest_adopted: 0,
});

impl Ranges {
    fn name(&mut self, address: Address) -> MemoryId {
        self.last += 1;
        self.starts.insert(MemoryId(self.last), address);
        MemoryId(self.last)
    }

    /// Returns whether some of these bytes are in an own range.
    fn is_own(&self, address: Address, bytes: usize) -> bool {
        let last = self.own.range(..address + bytes as u64).next_back();
        last.is_some_and(|(_, known)| known.overlaps(address, bytes))
    }

    fn enter_of_node(&mut self, block: &Arc<Block>, bytes: usize, is_allocated: &Arc<AtomicBool>) {
        block.open();
        let address = block.address();
        let memory = self.name(address);
        let origin = Backing::Node(Arc::clone(block), Arc::clone(is_allocated));
        self.own.insert(address, Arc::new(Allocation { memory, address, bytes, origin, is_pinned: false }));
    }

    /// Returns why a range, whose end is no more than the last address, cannot be pinned: some of it is. NVIDIA's driver tells apart
    /// by whom.
    fn why_not_pinned(&self, address: Address, bytes: usize) -> Option<Status> {
        let is_there = |known: &&Arc<Allocation>| known.overlaps(address, bytes);
        // Own ranges end in the order in which they start.
        let mut own = self.own.range(..address + bytes as u64).rev().map(|(_, known)| known).take_while(is_there);
        if own.any(|known| known.is_pinned) {
            return Some(Status::INVALID_VALUE);
        }
        let mut adopted = self.adopted.values().filter(is_there);
        adopted.any(|known| known.is_pinned).then_some(Status::HOST_MEMORY_ALREADY_REGISTERED)
    }
}

/// Allocates `bytes` bytes of the device with the number `device`.
pub(super) fn allocate(bytes: usize, device: u32) -> Result<(MemoryId, Address)> {
    allocate_as(bytes, Some(device))
}

fn allocate_as(bytes: usize, device: OfDevice) -> Result<(MemoryId, Address)> {
    if bytes == 0 {
        return Err(Error::invalid_value("an allocation of 0 bytes cannot be made; its size must be at least 1"));
    }
    let block = Block::allocate(bytes, BUFFER_ALIGNMENT).ok_or_else(|| {
        Error::new(
            Status::OUT_OF_MEMORY,
            format!("the host device cannot allocate {bytes} bytes; free buffers or ask for a smaller size"),
        )
    })?;
    let address = block.address();
    let mut ranges = RANGES.write();
    let memory = ranges.name(address);
    let (origin, is_pinned) = (Backing::Own(block, device), device.is_none());
    ranges.own.insert(address, Arc::new(Allocation { memory, address, bytes, origin, is_pinned }));
    Ok((memory, address))
}

/// Takes the caller's memory in. On failure `on_release` is dropped uncalled.
pub(super) fn adopt(address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<MemoryId> {
    adopt_as(address, bytes, on_release, false)
}

/// Allocates host memory, which is memory as any other here.
pub(super) fn host_allocate(bytes: usize, options: HostMemoryOptions) -> Result<HostMemory> {
    let (memory, address) = allocate_as(bytes, None)?;
    Ok(HostMemory { memory, address, mapped: options.mapped.then_some(address) })
}

/// Takes host memory of the caller's in.
pub(super) fn host_register(
    address: Address,
    bytes: usize,
    options: HostMemoryOptions,
    on_release: Box<dyn FnOnce() + Send>,
) -> Result<HostMemory> {
    let memory = adopt_as(address, bytes, on_release, true)?;
    Ok(HostMemory { memory, address, mapped: options.mapped.then_some(address) })
}

fn adopt_as(address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>, is_pinned: bool) -> Result<MemoryId> {
    if address == 0 || bytes == 0 || address.checked_add(bytes as u64).is_none() {
        return Err(Error::invalid_value(format!("{bytes} bytes at {address:#x} are no range of memory")));
    }
    let mut ranges = RANGES.write();
    let refusal = if is_pinned { ranges.why_not_pinned(address, bytes) } else { None };
    if let Some(status) = refusal {
        drop(ranges);
        return Err(Error::new(
            status,
            format!(
                "the {bytes} bytes at {address:#x} are pinned already, in part at least; pin memory once, and share it"
            ),
        ));
    }
    let origin = Backing::Adopted(Mutex::new(Some(on_release)));
    ranges.longest_adopted = ranges.longest_adopted.max(bytes as u64);
    let memory = ranges.name(address);
    ranges.adopted.insert((address, memory), Arc::new(Allocation { memory, address, bytes, origin, is_pinned }));
    Ok(memory)
}

/// Takes in memory of a module, a range that was checked to be one; `on_release` does not block.
pub(super) fn adopt_static(address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> MemoryId {
    let mut ranges = RANGES.write();
    ranges.longest_adopted = ranges.longest_adopted.max(bytes as u64);
    let memory = ranges.name(address);
    let origin = Backing::Lent(Mutex::new(Some(on_release)));
    ranges.adopted.insert((address, memory), Arc::new(Allocation { memory, address, bytes, origin, is_pinned: false }));
    memory
}

/// Names memory that another context lends, whose own range is among the live ones: a range of no bytes, which nothing is
/// found in.
pub(super) fn borrow(on_release: Box<dyn FnOnce() + Send>) -> MemoryId {
    name_alone(Backing::Lent(Mutex::new(Some(on_release))))
}

/// Names an object of the caller's, as [`borrow`] does memory.
pub(super) fn entrust(on_release: Box<dyn FnOnce() + Send>) -> MemoryId {
    name_alone(Backing::Adopted(Mutex::new(Some(on_release))))
}

/// Names memory that is alive from time to time, so that it is not given to others meanwhile.
pub(super) fn name_kept(memory: Arc<dyn Any + Send + Sync>) -> MemoryId {
    name_alone(Backing::Named(memory))
}

fn name_alone(origin: Backing) -> MemoryId {
    let mut ranges = RANGES.write();
    let memory = ranges.name(0);
    let allocation = Allocation { memory, address: 0, bytes: 0, origin, is_pinned: false };
    ranges.adopted.insert((0, memory), Arc::new(allocation));
    memory
}

/// A node is going to allocate these bytes.
pub(super) fn promise(address: Address, bytes: usize) {
    RANGES.write().promised.insert(address, bytes);
}

/// No node allocates at this address any more.
pub(super) fn withdraw_promise(address: Address) {
    RANGES.write().promised.remove(&address);
}

/// Makes memory that a node allocates alive from here on, if it is not yet.
pub(super) fn reveal(block: &Arc<Block>, bytes: usize, is_allocated: &Arc<AtomicBool>) {
    let mut ranges = RANGES.write();
    if !ranges.own.contains_key(&block.address()) {
        ranges.enter_of_node(block, bytes, is_allocated);
    }
}

/// Notes that memory of a node is allocated when the launches so far are through, and alive from here on. It gets a new name, since
/// the caller may have given the old one back.
pub(super) fn allocate_for_node(block: &Arc<Block>, bytes: usize, is_allocated: &Arc<AtomicBool>) {
    let former = {
        let mut ranges = RANGES.write();
        is_allocated.store(true, Ordering::SeqCst);
        let former = ranges.own.remove(&block.address());
        former.iter().for_each(|former| _ = ranges.starts.remove(&former.memory));
        ranges.enter_of_node(block, bytes, is_allocated);
        former
    };
    drop(former);
}

/// Makes memory that a node allocated alive no longer, unless a later launch has allocated it again.
pub(super) fn conceal_unless(address: Address, is_allocated: &AtomicBool) {
    let former = {
        let mut ranges = RANGES.write();
        if is_allocated.load(Ordering::SeqCst) {
            return;
        }
        let former = ranges.own.remove(&address);
        former.iter().for_each(|former| _ = ranges.starts.remove(&former.memory));
        former
    };
    drop(former);
}

/// The caller frees what a node allocated, in the order of a stream: the next launch can allocate it. Gives what ends the range when
/// that stream comes to it; `None` where it is not allocated.
pub(super) fn free_of_node(address: Address) -> Option<Release> {
    let ranges = RANGES.read();
    let allocation = ranges.own.get(&address)?;
    let Backing::Node(_, is_allocated) = &allocation.origin else { return None };
    is_allocated.swap(false, Ordering::SeqCst).then(|| Release(allocation.memory))
}

/// Ends a range when dropped. Work that was submitted before and uses the range holds one until it has run.
pub(super) struct Release(pub(super) MemoryId);

impl Drop for Release {
    fn drop(&mut self) {
        // What is taken out goes after the lock: it may be the last holder.
        let _ended = {
            let mut ranges = RANGES.write();
            let Some(address) = ranges.starts.remove(&self.0) else { return };
            ranges.adopted.remove(&(address, self.0)).or_else(|| ranges.own.remove(&address))
        };
    }
}

/// The live allocation that holds all of the `bytes` bytes at `address`.
pub(super) fn find(address: Address, bytes: usize) -> Option<Arc<Allocation>> {
    let end = address.checked_add(bytes as u64)?;
    let ranges = RANGES.read();
    let holds = |allocation: &Arc<Allocation>| end <= allocation.address + allocation.bytes as u64;
    if let Some((_, own)) = ranges.own.range(..=address).next_back() {
        if holds(own) {
            return Some(Arc::clone(own));
        }
    }
    let adopted = ranges.adopted.range(..=(address, MemoryId(u64::MAX))).rev().map(|(_, allocation)| allocation);
    adopted
        .take_while(|near| near.address.saturating_add(ranges.longest_adopted) >= end)
        .find(|near| holds(near))
        .cloned()
}

/// Returns whether the `bytes` bytes at `address` lie in one live allocation.
///
/// # Errors
/// `ILLEGAL_ADDRESS` when they do not.
pub(super) fn check_range(address: Address, bytes: usize) -> Result<()> {
    find(address, bytes).map(drop).ok_or_else(|| {
        Error::new(Status::ILLEGAL_ADDRESS, format!("{bytes} bytes at {address:#x} are not inside one live allocation"))
    })
}

/// The live allocation that holds the byte at `address`, as others are told of it. Memory of the caller's counts as one
/// from where it was made known; its name is given to nothing else ever.
pub(super) fn origin(address: Address) -> Option<AddressOrigin> {
    let allocation = find(address, 1)?;
    Some(AddressOrigin { base: allocation.address, bytes: allocation.bytes, id: allocation.memory.0 })
}

/// The number of the device that the live memory at `address` was allocated on; `None` where that is not known.
pub(super) fn device_of(address: Address) -> Option<u32> {
    find(address, 1)?.device()
}

/// Returns whether the live memory at two addresses was allocated on two devices, as far as that is known.
pub(super) fn are_on_two_devices(one: Address, other: Address) -> bool {
    let Some(first) = find(one, 1) else { return false };
    // Mostly they are in the same memory, and it is looked up once.
    let is_same = other.checked_sub(first.address).is_some_and(|offset| offset < first.bytes as u64);
    !is_same && matches!((first.device(), device_of(other)), (Some(one), Some(other)) if one != other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn ranges_are_found_whole_or_not_at_all() {
        let (memory, address) = allocate(1000, 0).unwrap();
        assert_eq!(address % BUFFER_ALIGNMENT as u64, 0);
        assert!(find(address, 1000).is_some());
        assert!(find(address + 999, 1).is_some());
        assert!(find(address, 1001).is_none());
        assert!(find(address + 1000, 1).is_none());
        assert!(find(address, usize::MAX).is_none());
        let known = origin(address + 999).unwrap();
        assert_eq!((known.base, known.bytes, known.holds(address + 999)), (address, 1000, true));
        assert_eq!((origin(address + 1000), origin(u64::MAX)), (None, None));
        drop(Release(memory));
        assert!(find(address, 1).is_none() && origin(address).is_none());
        drop(Release(memory));
        // Memory that is there again has another number.
        let room = Box::leak(vec![0u8; 64].into_boxed_slice()).as_ptr() as u64;
        let ids = [(); 2].map(|()| {
            let adopted = adopt(room, 64, Box::new(|| ())).unwrap();
            let known = origin(room + 63).unwrap();
            drop(Release(adopted));
            (known.base, known.bytes, known.id)
        });
        assert_eq!((ids[0].0, ids[0].1, ids[1].0, ids[1].1), (room, 64, room, 64));
        assert_ne!(ids[0].2, ids[1].2);
    }

    #[test]
    fn adopted_ranges_may_overlap_and_each_goes_back_once() {
        let released = [const { AtomicUsize::new(0) }; 4].map(Arc::new);
        let bytes = Box::leak(vec![0u8; 4096].into_boxed_slice());
        let outer = bytes.as_ptr() as u64;
        let adopt = |offset: u64, bytes: usize, which: usize| {
            let count = Arc::clone(&released[which]);
            let on_release = move || {
                count.fetch_add(1, Ordering::SeqCst);
            };
            adopt(outer + offset, bytes, Box::new(on_release)).unwrap()
        };
        let memory = [adopt(0, 4096, 0), adopt(64, 64, 1), adopt(256, 16, 2), adopt(64, 32, 3)];
        assert!(find(outer + 256, 1024).is_some(), "covered by the outer range behind two nearer ones");
        assert!(find(outer + 64, 4096).is_none());
        for which in [1, 0, 2, 3] {
            drop(Release(memory[which]));
            while released[which].load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
        }
        assert!(released.iter().all(|count| count.load(Ordering::SeqCst) == 1));
        let last = super::adopt(u64::MAX - 64, 32, Box::new(|| ())).unwrap();
        assert!(find(u64::MAX - 64, 32).is_some());
        drop(Release(last));
        assert!(super::adopt(0, 1, Box::new(|| ())).is_err());
        assert!(super::adopt(u64::MAX, 2, Box::new(|| ())).is_err());
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(allocate(0, 0).unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!(allocate(usize::MAX, 0).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!(allocate(isize::MAX as usize, 0).unwrap_err().status, Status::OUT_OF_MEMORY);
    }
}
