//! A block of a pool whose graphs share memory: what graphs keep of it when its buffer is gone.
//!
//! Such a block was allocated while a capture with the pool went on. Graphs of the pool keep the block and not the buffer, so that
//! the buffer goes with its last handle. Its bytes are then free for later captures with the pool, when those that went on are over.

use std::sync::Arc;

use crate::core::graphs::uses::{Kind, Uses};
use crate::core::keep::Keep;
use crate::driver::{Address, Driver, MemoryId, StreamId, UsedBy};

/// The memory of a block. It keeps no context, so a device may hold it.
pub(in crate::core) struct SharedBlock {
    pub(super) driver: Arc<dyn Driver>,
    /// The number of the pool.
    pub(super) pool: u64,
    pub(super) memory: MemoryId,
    pub(super) address: Address,
    pub(super) bytes: usize,
    pub(super) used_by: UsedBy,
}

impl SharedBlock {
    /// The number of the pool.
    pub(in crate::core) fn pool(&self) -> u64 {
        self.pool
    }
}

impl Keep for SharedBlock {
    fn note_use(&self, stream: StreamId) {
        self.used_by.note(stream, |stream| self.driver.stream_is_over(stream));
    }

    fn kind(&self) -> Kind {
        Kind::Memory
    }

    fn users(&self, uses: &Uses, places: &mut Vec<usize>) {
        // The address behind the last byte may be that of another block, and stands for this one all the same: it is kept for too
        // many nodes rather than too few.
        uses.memory(self.address, self.bytes + 1, places);
    }
}

impl Drop for SharedBlock {
    fn drop(&mut self) {
        self.driver.release(self.memory, &self.used_by.take());
    }
}
