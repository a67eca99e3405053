//! Blocks of memory that allocators of the program tell of.

use std::ffi::c_char;

use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::gc_status;
use crate::ffi::objects::name;
use graphcap_core::{checked_name, MemoryBlock};

/// Takes note that an allocator of the program gave out a block: graphs that note memory tell when it is gone, of which the driver knows
/// nothing within an allocation. Blocks that it overlaps are over; told again with its address and number, it has the new size and name.
/// An allocator ends the blocks of a segment before it gives that back. docs/checking.md.
///
/// @param[in] address     the first byte
/// @param[in] size        bytes, not 0
/// @param[in] name        for messages; may be NULL
/// @param[in] generation  the allocator's number of it, which no later block at the address has
/// @retval GRAPHCAP_ERROR_INVALID_VALUE  size is 0 or too large, or name is too long or is not UTF-8
#[no_mangle]
pub unsafe extern "C" fn gc_memory_block_begin(
    address: u64,
    size: usize,
    name: *const c_char,
    generation: u64,
) -> gc_status {
    guard("gc_memory_block_begin", [], || {
        // SAFETY: C promises that `name` is NULL or a text that ends with a NUL.
        let name = checked_name(unsafe { name::read(name) }?)?.unwrap_or_default();
        Ok(MemoryBlock { address, bytes: size, generation, name }.begin()?)
    })
}

/// Takes note that a block was taken back. Without effect for one that is over.
///
/// @param[in] address     as of gc_memory_block_begin()
/// @param[in] generation  as of gc_memory_block_begin()
#[no_mangle]
pub unsafe extern "C" fn gc_memory_block_end(address: u64, generation: u64) -> gc_status {
    guard("gc_memory_block_end", [], || {
        MemoryBlock::end(address, generation);
        Ok(())
    })
}
