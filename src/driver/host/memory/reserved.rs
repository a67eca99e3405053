//! Reserved addresses, which memory is put behind little by little, and the live ranges that are carved of them.
//!
//! Reserved addresses are no live range themselves: only what is carved of them can be copied and set.

use std::sync::Arc;

use super::{name_kept, Allocation, Origin, RANGES};
use crate::driver::host::raw::{self, Arena};
use crate::driver::{MemoryId, Reserved};
use crate::error::{Error, Result, Status};
use crate::lock::Mutex;

/// What memory is put behind in multiples of: a multiple of the page of every system.
const PAGE: usize = 1 << 16;

/// Reserves addresses.
pub(in crate::driver::host) fn reserve(bytes: Option<usize>) -> Result<Reserved> {
    let wanted = bytes.unwrap_or_else(raw::machine_memory);
    let bytes = wanted.max(1).checked_next_multiple_of(PAGE);
    let arena = bytes.and_then(|bytes| Arena::reserve(bytes).zip(Some(bytes)));
    let Some((arena, bytes)) = arena else {
        return Err(Error::new(
            Status::OUT_OF_MEMORY,
            format!("the process has no {wanted} addresses in a row to reserve; give the pool a smaller capacity"),
        ));
    };
    let address = arena.address();
    Ok(Reserved { memory: name_kept(Arc::new(arena)), address, bytes, page: PAGE })
}

/// The reserved addresses of that name.
fn arena(reserved: MemoryId) -> Result<Arc<Arena>> {
    let known = RANGES.read().adopted.get(&(0, reserved)).and_then(|known| match &known.origin {
        Origin::Named(arena) => Arc::clone(arena).downcast().ok(),
        _ => None,
    });
    known.ok_or_else(|| Error::invalid_value("the addresses are not reserved"))
}

/// Puts memory behind reserved addresses.
pub(in crate::driver::host) fn back(reserved: MemoryId, offset: usize, bytes: usize) -> Result<()> {
    if arena(reserved)?.back(offset, bytes) {
        return Ok(());
    }
    Err(Error::new(
        Status::OUT_OF_MEMORY,
        format!("the host device has no {bytes} bytes to put behind reserved addresses; free buffers or ask for less"),
    ))
}

/// Takes memory from behind reserved addresses, whole pages. Gives where it ends then.
pub(in crate::driver::host) fn unback(reserved: MemoryId, from: usize, end: usize) -> Result<usize> {
    let from = from.next_multiple_of(PAGE).min(end);
    if from == end || arena(reserved)?.unback(from, end - from) {
        return Ok(from);
    }
    Err(Error::new(Status::OUT_OF_MEMORY, "the system does not take memory back; free other memory first"))
}

/// Takes a part of reserved addresses into the live ranges.
pub(in crate::driver::host) fn carve(
    reserved: MemoryId,
    offset: usize,
    bytes: usize,
    on_release: Box<dyn FnOnce() + Send>,
) -> Result<MemoryId> {
    let arena = arena(reserved)?;
    let address = arena.address() + offset as u64;
    let origin = Origin::Carved(arena, Mutex::new(Some(on_release)));
    let mut ranges = RANGES.write();
    let memory = ranges.name(address);
    ranges.own.insert(address, Arc::new(Allocation { memory, address, bytes, origin, is_pinned: false }));
    Ok(memory)
}
