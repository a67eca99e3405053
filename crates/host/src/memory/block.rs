//! A piece of memory of the device's own: from the allocator of the process, or guarded where `GRAPHCAP_HOST_MEMORY` says so.

use super::guard::{self, Guarded};
use crate::raw;
use graphcap_driver::Address;

/// Such memory, freed when dropped.
pub(crate) enum Block {
    Plain(raw::HeapBlock),
    Guarded(Guarded),
}

impl Block {
    /// `bytes` (not 0) bytes at a multiple of `alignment`, a power of two; `None` when there is no memory.
    pub(crate) fn allocate(bytes: usize, alignment: usize) -> Option<Block> {
        match guard::is_on() {
            true => Guarded::allocate(bytes, alignment).map(Block::Guarded),
            false => raw::HeapBlock::allocate(bytes, alignment).map(Block::Plain),
        }
    }

    /// As [`Block::allocate`], for memory that is not to be touched before [`Block::open`].
    pub(crate) fn allocate_closed(bytes: usize, alignment: usize) -> Option<Block> {
        let block = Block::allocate(bytes, alignment)?;
        block.close();
        Some(block)
    }

    /// The first byte, as a number.
    pub(crate) fn address(&self) -> Address {
        match self {
            Block::Plain(block) => block.address(),
            Block::Guarded(block) => block.address(),
        }
    }

    /// One more reason to touch it.
    pub(crate) fn open(&self) {
        if let Block::Guarded(block) = self {
            block.open();
        }
    }

    /// One reason less to touch it. Without any, a touch of guarded memory traps.
    pub(crate) fn close(&self) {
        if let Block::Guarded(block) = self {
            block.close();
        }
    }
}
