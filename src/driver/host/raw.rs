//! Every unsafe operation of the host device: calls of host kernels, copies, memsets and its memory.
//!
//! The functions are safe to call within the device because addresses and functions reach it only through
//! [`crate::driver::Driver`], whose callers vouch for them (see the `unsafe fn`s of `core`).

use std::alloc::Layout;
use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::NonNull;

use crate::driver::{Address, HostBlock, HostKernelFunction};

/// Where arguments of a kernel lie: the address of an array of pointers to values.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArgumentTable(pub usize);

/// Runs one block of a kernel and gives what it returned.
#[inline]
pub(super) fn call_block(function: HostKernelFunction, block: &HostBlock, arguments: ArgumentTable) -> i32 {
    // SAFETY: whoever loaded the module promised that `function` is callable with its parameters while the
    // module lives, and what holds the call holds the module; the table is built by `PackedArguments`.
    unsafe { function(block, std::ptr::with_exposed_provenance::<*const c_void>(arguments.0)) }
}

/// Copies bytes; the ranges may overlap.
pub(super) fn copy(destination: Address, source: Address, bytes: usize) {
    // SAFETY: the caller checked the device side against the live ranges and holds them; the host side is
    // vouched for by whoever submitted the copy.
    unsafe {
        std::ptr::copy(
            std::ptr::with_exposed_provenance::<u8>(source as usize),
            std::ptr::with_exposed_provenance_mut::<u8>(destination as usize),
            bytes,
        );
    }
}

/// Sets `count` elements of `element_size` bytes to the low bytes of `value`.
pub(super) fn fill(address: Address, value: u32, element_size: u8, count: usize) {
    let start = std::ptr::with_exposed_provenance_mut::<u8>(address as usize);
    // SAFETY: the caller checked the range against the live ranges and holds it, and checked that the
    // address is a multiple of the element's size.
    unsafe {
        match element_size {
            1 => std::ptr::write_bytes(start, value as u8, count),
            2 => std::slice::from_raw_parts_mut(start.cast::<u16>(), count).fill(value as u16),
            _ => std::slice::from_raw_parts_mut(start.cast::<u32>(), count).fill(value),
        }
    }
}

/// A piece of memory of the device's own, freed when dropped.
pub(super) struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a Block is the sole owner of its memory and gives out nothing but its address.
unsafe impl Send for Block {}
// SAFETY: as above; shared references only read the address.
unsafe impl Sync for Block {}

impl Block {
    /// `bytes` (not 0) bytes at a multiple of `alignment`, a power of two; `None` when there is no memory.
    pub(super) fn allocate(bytes: usize, alignment: usize) -> Option<Block> {
        let layout = Layout::from_size_align(bytes, alignment).ok()?;
        if bytes == 0 {
            return None;
        }
        // SAFETY: the layout's size is not 0.
        let start = NonNull::new(unsafe { std::alloc::alloc(layout) })?;
        Some(Block { start, layout })
    }

    /// The first byte, as a number.
    pub(super) fn address(&self) -> Address {
        self.start.as_ptr().expose_provenance() as Address
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: allocated by `allocate` with this very layout, and freed only here.
        unsafe { std::alloc::dealloc(self.start.as_ptr(), self.layout) }
    }
}

thread_local! {
    /// Shared memory of the block that this thread runs; grows to the largest asked for.
    static SCRATCH: RefCell<Option<Block>> = const { RefCell::new(None) };
}

/// Scratch of at least `bytes` (not 0) bytes of this thread's own, 64-byte aligned; `None` without memory.
///
/// Valid until the thread asks for more.
pub(super) fn scratch(bytes: u32) -> Option<*mut c_void> {
    SCRATCH.with(|scratch| {
        let mut scratch = scratch.borrow_mut();
        if scratch.as_ref().is_none_or(|block| block.layout.size() < bytes as usize) {
            *scratch = Some(Block::allocate((bytes as usize).next_power_of_two(), 64)?);
        }
        scratch.as_ref().map(|block| block.start.as_ptr().cast())
    })
}

/// A kernel call in a form that lanes can share: plain numbers, the block filled in by whoever runs it.
#[derive(Clone, Copy)]
pub(super) struct BlockTemplate(HostBlock);

// SAFETY: the only pointer inside, `shared_mem`, is NULL in a template.
unsafe impl Send for BlockTemplate {}
// SAFETY: as above.
unsafe impl Sync for BlockTemplate {}

impl BlockTemplate {
    /// The first block of a launch of `grid` blocks of `block` threads.
    pub(super) fn new(grid: [u32; 3], block: [u32; 3], shared_mem_bytes: u32) -> Self {
        BlockTemplate(HostBlock {
            struct_size: std::mem::size_of::<HostBlock>() as u32,
            shared_mem_bytes,
            grid_dim: grid,
            block_dim: block,
            block_index: [0; 3],
            reserved: 0,
            shared_mem: std::ptr::null_mut(),
        })
    }

    /// The block as the kernel sees it; `shared_mem` is NULL.
    #[inline]
    pub(super) fn first(&self) -> &HostBlock {
        &self.0
    }
}
