//! Reserved addresses, which memory is put behind little by little, and the live ranges that are carved of them.
//!
//! Reserved addresses are no live range themselves: only what is carved of them can be copied and set. Where memory is guarded,
//! and where the environment wants each block apart, there are no addresses to carve of: each carved range is a block of its own,
//! which nothing is put behind before.

use std::sync::Arc;

use super::block::Block;
use super::piece::{Piece, Space};
use super::{guard, name_kept, Allocation, Backing, BUFFER_ALIGNMENT, RANGES};
use crate::raw::{self, Arena};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::Mutex;
use graphcap_driver::blocks_apart;
use graphcap_driver::{Address, MemoryId, Reserved};

/// Unit of the memory that is put behind addresses: a multiple of the page of every system.
const PAGE: usize = 1 << 16;

/// Reserves addresses for `owner` on the device with the number `device`.
pub(crate) fn reserve(bytes: Option<usize>, owner: &str, device: u32) -> Result<Reserved> {
    reserve_as(bytes, owner, device, guard::is_on() || blocks_apart::are_wanted()?)
}

fn reserve_as(bytes: Option<usize>, owner: &str, device: u32, apart: bool) -> Result<Reserved> {
    let wanted = bytes.unwrap_or_else(raw::machine_memory);
    let page = if apart { BUFFER_ALIGNMENT } else { PAGE };
    let bytes = wanted.max(1).checked_next_multiple_of(page);
    let arena = match bytes {
        Some(_) if apart => Some(None),
        bytes => bytes.and_then(Arena::reserve).map(Some),
    };
    let Some((arena, bytes)) = arena.zip(bytes) else {
        return Err(Error::new(
            Status::OUT_OF_MEMORY,
            format!("the process has no {wanted} addresses in a row to reserve; give the pool a smaller capacity"),
        ));
    };
    let address = arena.as_ref().map_or(0, Arena::address);
    let space = Space { arena, device, block_name: format!("a block of {owner}") };
    Ok(Reserved { memory: name_kept(Arc::new(space)), address, bytes, page, is_apart: apart })
}

/// The reserved addresses of that name.
fn space(reserved: MemoryId) -> Result<Arc<Space>> {
    let known = RANGES.read().adopted.get(&(0, reserved)).and_then(|known| match &known.origin {
        Backing::Named(space) => Arc::clone(space).downcast().ok(),
        _ => None,
    });
    known.ok_or_else(|| Error::invalid_value("the addresses are not reserved"))
}

/// Puts memory behind reserved addresses.
pub(crate) fn back(reserved: MemoryId, offset: usize, bytes: usize) -> Result<()> {
    if space(reserved)?.arena.as_ref().is_none_or(|arena| arena.back(offset, bytes)) {
        return Ok(());
    }
    Err(no_memory(bytes))
}

#[cold]
fn no_memory(bytes: usize) -> Error {
    Error::new(
        Status::OUT_OF_MEMORY,
        format!("the host device has no {bytes} bytes to put behind reserved addresses; free buffers or ask for less"),
    )
}

/// Takes memory from behind reserved addresses, whole pages. Gives where it ends then.
pub(crate) fn unback(reserved: MemoryId, from: usize, end: usize) -> Result<usize> {
    let space = space(reserved)?;
    let Some(arena) = &space.arena else { return Ok(from) };
    let from = from.next_multiple_of(PAGE).min(end);
    if from == end || arena.unback(from, end - from) {
        return Ok(from);
    }
    Err(Error::new(Status::OUT_OF_MEMORY, "the system does not take memory back; free other memory first"))
}

/// Takes a part of reserved addresses into the live ranges, and gives where it starts.
pub(crate) fn carve(
    reserved: MemoryId,
    offset: usize,
    bytes: usize,
    on_release: Box<dyn FnOnce() + Send>,
) -> Result<(MemoryId, Address)> {
    let space = space(reserved)?;
    let (block, address) = match &space.arena {
        Some(arena) => (None, arena.address() + offset as u64),
        None => {
            let block = Block::allocate(bytes, BUFFER_ALIGNMENT).ok_or_else(|| no_memory(bytes))?;
            let address = block.address();
            guard::name(address, &space.block_name);
            (Some(block), address)
        }
    };
    let origin = Backing::Carved(Piece { space, block }, Mutex::new(Some(on_release)));
    let mut ranges = RANGES.write();
    let memory = ranges.name(address);
    let allocation = Arc::new(Allocation { memory, address, bytes, origin, is_pinned: false });
    // Graphs that share memory have parts of it that overlap.
    match ranges.is_own(address, bytes) {
        true => {
            ranges.longest_adopted = ranges.longest_adopted.max(bytes as u64);
            ranges.adopted.insert((address, memory), allocation);
        }
        false => _ = ranges.own.insert(address, allocation),
    }
    Ok((memory, address))
}

#[cfg(test)]
mod tests {
    use super::super::{device_of, find, Release};
    use super::*;

    fn carved(reserved: MemoryId, offset: usize, bytes: usize) -> (Release, Address) {
        let (memory, address) = carve(reserved, offset, bytes, Box::new(|| ())).unwrap();
        (Release(memory), address)
    }

    #[test]
    fn memory_of_a_pool_is_of_its_device() {
        for apart in [false, true] {
            let reserved = reserve_as(Some(1 << 16), "a test", 3, apart).unwrap();
            back(reserved.memory, 0, 1 << 16).unwrap();
            let (memory, address) = carved(reserved.memory, 256, 1000);
            assert_eq!(
                (device_of(address), device_of(address + 999), device_of(address + 1000)),
                (Some(3), Some(3), None)
            );
            drop(memory);
            assert_eq!(device_of(address), None);
            drop(Release(reserved.memory));
        }
    }

    #[test]
    fn parts_that_overlap_are_found_and_go_one_by_one() {
        let reserved = reserve_as(Some(1 << 16), "a test", 0, false).unwrap();
        back(reserved.memory, 0, 1 << 16).unwrap();
        let (small, start) = carved(reserved.memory, 0, 256);
        let (large, _) = carved(reserved.memory, 0, 4096);
        let (within, _) = carved(reserved.memory, 512, 256);
        let is_there = |offset: u64, bytes: usize| find(start + offset, bytes).is_some();
        assert!(is_there(0, 4096) && is_there(256, 3840) && is_there(512, 256) && !is_there(1, 4096));
        drop(large);
        assert!(is_there(0, 256) && !is_there(0, 257) && is_there(512, 256) && !is_there(768, 1));
        drop(small);
        assert!(!is_there(0, 1) && is_there(600, 168));
        drop(within);
        assert!(!is_there(512, 1));
        drop(Release(reserved.memory));
    }

    #[test]
    fn blocks_that_lie_apart_have_memory_from_the_start() {
        let reserved = reserve_as(Some(1 << 20), "a test", 0, true).unwrap();
        assert_eq!((reserved.page, reserved.bytes), (BUFFER_ALIGNMENT, 1 << 20));
        back(reserved.memory, 0, 1 << 20).unwrap();
        let parts = [carved(reserved.memory, 0, 1000), carved(reserved.memory, 0, 1000)];
        assert_ne!(parts[0].1, parts[1].1);
        for (_, address) in &parts {
            raw::fill(*address, 7, 1, 1000);
        }
        assert_eq!(unback(reserved.memory, 0, 1 << 20).unwrap(), 0);
        drop((parts, Release(reserved.memory)));
    }
}
