//! Device memory of the host device: which ranges are alive, and who owns them.
//!
//! All host devices of the process share one address space, as CUDA's unified addressing does.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::{callbacks, raw};
use crate::driver::{Address, Memcpy, MemcpyKind, Memset};
use crate::error::{Error, Result, Status};

/// Every allocation starts at a multiple of this, as cuMemAlloc promises.
const ALIGNMENT: usize = 256;

/// A live range. Its memory goes back when the last holder drops it.
pub(super) struct Allocation {
    address: Address,
    bytes: usize,
    /// Which context made it.
    pub(super) context: u64,
    origin: Origin,
}

enum Origin {
    Own(#[allow(dead_code, reason = "held to be dropped")] raw::Block),
    /// The caller's memory, given back by running the function on a thread where it may block.
    Adopted(Mutex<Option<Box<dyn FnOnce() + Send>>>),
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if let Origin::Adopted(release) = &mut self.origin {
            if let Some(on_release) = release.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
                callbacks::run(on_release);
            }
        }
    }
}

/// The live ranges by their first address. Own ranges never overlap; adopted ones may overlap anything, so a
/// number tells those that start at the same place apart.
struct Ranges {
    own: BTreeMap<Address, Arc<Allocation>>,
    adopted: BTreeMap<(Address, u64), Arc<Allocation>>,
    adoptions: u64,
    /// Length of the longest adopted range so far: how far back one that covers an address can begin.
    longest_adopted: u64,
}

static RANGES: RwLock<Ranges> =
    RwLock::new(Ranges { own: BTreeMap::new(), adopted: BTreeMap::new(), adoptions: 0, longest_adopted: 0 });

/// Allocates `bytes` bytes for context `context`.
pub(super) fn allocate(context: u64, bytes: usize) -> Result<Address> {
    if bytes == 0 {
        return Err(Error::invalid_value("an allocation needs at least one byte"));
    }
    let block = raw::Block::allocate(bytes, ALIGNMENT).ok_or_else(|| {
        Error::new(
            Status::OUT_OF_MEMORY,
            format!("the host device cannot allocate {bytes} bytes; free buffers or ask for less"),
        )
    })?;
    let address = block.address();
    let allocation = Arc::new(Allocation { address, bytes, context, origin: Origin::Own(block) });
    RANGES.write().unwrap_or_else(PoisonError::into_inner).own.insert(address, allocation);
    Ok(address)
}

/// Takes the caller's memory in. On failure `on_release` is dropped uncalled.
pub(super) fn adopt(context: u64, address: Address, bytes: usize, on_release: Box<dyn FnOnce() + Send>) -> Result<()> {
    if address == 0 || bytes == 0 || address.checked_add(bytes as u64).is_none() {
        return Err(Error::invalid_value(format!("{bytes} bytes at {address:#x} are no range of memory")));
    }
    let allocation =
        Arc::new(Allocation { address, bytes, context, origin: Origin::Adopted(Mutex::new(Some(on_release))) });
    let mut ranges = RANGES.write().unwrap_or_else(PoisonError::into_inner);
    ranges.longest_adopted = ranges.longest_adopted.max(bytes as u64);
    ranges.adoptions += 1;
    let key = (address, ranges.adoptions);
    ranges.adopted.insert(key, allocation);
    Ok(())
}

/// Takes the range that context `context` has at `address` out of the live ones, the newest first.
pub(super) fn take(context: u64, address: Address) -> Option<Arc<Allocation>> {
    let mut ranges = RANGES.write().unwrap_or_else(PoisonError::into_inner);
    let newest = ranges
        .adopted
        .range((address, 0)..=(address, u64::MAX))
        .rev()
        .find(|(_, allocation)| allocation.context == context)
        .map(|(key, _)| *key);
    match newest {
        Some(key) => ranges.adopted.remove(&key),
        None => ranges.own.remove(&address),
    }
}

/// The live allocation that holds all of the `bytes` bytes at `address`.
pub(super) fn find(address: Address, bytes: usize) -> Option<Arc<Allocation>> {
    let end = address.checked_add(bytes as u64)?;
    let ranges = RANGES.read().unwrap_or_else(PoisonError::into_inner);
    let holds = |allocation: &Arc<Allocation>| end <= allocation.address + allocation.bytes as u64;
    if let Some((_, own)) = ranges.own.range(..=address).next_back() {
        if holds(own) {
            return Some(Arc::clone(own));
        }
    }
    let adopted = ranges.adopted.range(..=(address, u64::MAX)).rev().map(|(_, allocation)| allocation);
    adopted.take_while(|near| near.address + ranges.longest_adopted >= end).find(|near| holds(near)).cloned()
}

/// Checks the device sides of a copy against the live ranges.
pub(super) fn check_copy(copy: &Memcpy) -> Result<()> {
    held_for_copy(copy).map(drop)
}

/// Checks a memset against the live ranges.
pub(super) fn check_set(set: &Memset) -> Result<()> {
    held_for_set(set).map(drop)
}

/// Copies, if the device sides are alive; they stay so meanwhile.
pub(super) fn run_copy(copy: &Memcpy) -> Result<()> {
    let _held = held_for_copy(copy).map_err(|error| gone(&error))?;
    raw::copy(copy.destination, copy.source, copy.bytes);
    Ok(())
}

/// Sets, if the range is alive; it stays so meanwhile.
pub(super) fn run_set(set: &Memset) -> Result<()> {
    let _held = held_for_set(set).map_err(|error| gone(&error))?;
    raw::fill(set.address, set.value, set.element_size, set.count);
    Ok(())
}

/// What work answers whose memory is gone when it runs: the driver's launch failure.
#[cold]
fn gone(error: &Error) -> Error {
    Error::new(
        Status::LAUNCH_FAILED,
        format!("memory was freed before the work that uses it ran: {error}; keep it alive until then, as a graph does with its buffers"),
    )
}

fn held_for_copy(copy: &Memcpy) -> Result<[Option<Arc<Allocation>>; 2]> {
    let held = |address: Address, side: &str| {
        find(address, copy.bytes).map(Some).ok_or_else(|| {
            Error::invalid_value(format!(
                "the {side} of the copy, {} bytes at {address:#x}, is not inside one live allocation",
                copy.bytes
            ))
        })
    };
    let host = |address: Address, side: &str| match address {
        0 => Err(Error::invalid_value(format!("the {side} of the copy is NULL"))),
        _ => Ok(None),
    };
    Ok(match copy.kind {
        MemcpyKind::HostToDevice => [held(copy.destination, "destination")?, host(copy.source, "source")?],
        MemcpyKind::DeviceToHost => [host(copy.destination, "destination")?, held(copy.source, "source")?],
        MemcpyKind::DeviceToDevice => [held(copy.destination, "destination")?, held(copy.source, "source")?],
    })
}

fn held_for_set(set: &Memset) -> Result<Arc<Allocation>> {
    let size = u64::from(set.element_size);
    if !matches!(size, 1 | 2 | 4) || set.address % size != 0 {
        return Err(Error::invalid_value(format!(
            "a memset has elements of 1, 2 or 4 bytes at a multiple of their size, not of {size} at {:#x}",
            set.address
        )));
    }
    set.count.checked_mul(size as usize).and_then(|bytes| find(set.address, bytes)).ok_or_else(|| {
        Error::invalid_value(format!(
            "the range of the memset, {} elements of {size} bytes at {:#x}, is not inside one live allocation",
            set.count, set.address
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const CONTEXT: u64 = u64::MAX;

    #[test]
    fn ranges_are_found_whole_or_not_at_all() {
        let address = allocate(CONTEXT, 1000).unwrap();
        assert_eq!(address % ALIGNMENT as u64, 0);
        assert!(find(address, 1000).is_some());
        assert!(find(address + 999, 1).is_some());
        assert!(find(address, 1001).is_none());
        assert!(find(address + 1000, 1).is_none());
        assert!(find(address, usize::MAX).is_none());
        drop(take(CONTEXT, address).unwrap());
        assert!(find(address, 1).is_none());
        assert!(take(CONTEXT, address).is_none());
    }

    #[test]
    fn an_adopted_range_may_lie_inside_another_and_goes_back_once() {
        static RELEASED: AtomicUsize = AtomicUsize::new(0);
        let outer = Box::leak(vec![0u8; 4096].into_boxed_slice()).as_ptr() as u64;
        let release = || {
            Box::new(|| {
                RELEASED.fetch_add(1, Ordering::SeqCst);
            })
        };
        adopt(CONTEXT, outer, 4096, release()).unwrap();
        adopt(CONTEXT, outer + 64, 64, release()).unwrap();
        adopt(CONTEXT, outer + 256, 16, release()).unwrap();
        assert!(find(outer + 256, 1024).is_some(), "covered by the outer range behind two nearer ones");
        assert!(find(outer + 64, 4096).is_none());
        for start in [outer + 64, outer, outer + 256] {
            drop(take(CONTEXT, start).unwrap());
        }
        while RELEASED.load(Ordering::SeqCst) < 3 {
            std::thread::yield_now();
        }
        assert!(adopt(CONTEXT, 0, 1, release()).is_err());
        assert!(adopt(CONTEXT, u64::MAX, 2, release()).is_err());
        assert_eq!(RELEASED.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert_eq!(allocate(CONTEXT, 0).unwrap_err().status, Status::INVALID_VALUE);
        assert_eq!(allocate(CONTEXT, usize::MAX).unwrap_err().status, Status::OUT_OF_MEMORY);
        assert_eq!(allocate(CONTEXT, isize::MAX as usize).unwrap_err().status, Status::OUT_OF_MEMORY);
    }
}
