//! Blocks of pools that captures keep, and the graphs and execs made of them, whatever has become of the buffers there: work may use
//! the memory by an address that graphcap does not see.
//!
//! Where graphs share memory of a pool, they keep such blocks alone and not the buffers. So a buffer goes with its last handle, and
//! its bytes are then free for other captures with the pool.

use std::sync::Arc;

use crate::graphs::uses::{Kind, Uses};
use crate::keep::Keep;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Address, Driver, MemoryId, StreamId, UsedBy};

/// The memory of a block. It keeps no context, so a device may hold it.
pub(crate) struct KeptBlock {
    driver: Arc<dyn Driver>,
    /// The number of the pool.
    pool: u64,
    memory: MemoryId,
    pub(super) address: Address,
    bytes: usize,
    /// Tells whether other graphs may have the memory, too.
    is_shared: bool,
    used_by: UsedBy,
}

impl KeptBlock {
    /// Of memory of pool number `pool`, which is released with the block, and which other graphs may have too or not.
    pub(super) fn new(
        driver: Arc<dyn Driver>,
        pool: u64,
        (memory, address): (MemoryId, Address),
        bytes: usize,
        is_shared: bool,
    ) -> Arc<KeptBlock> {
        Arc::new(KeptBlock { driver, pool, memory, address, bytes, is_shared, used_by: UsedBy::default() })
    }

    /// Tells where it begins and ends, and the number of its pool, if other graphs may have the memory too.
    pub(super) fn shared(&self) -> Option<(Address, Address, u64)> {
        let (start, end) = self.range();
        self.is_shared.then_some((start, end, self.pool))
    }

    /// Tells where it begins and ends.
    pub(crate) fn range(&self) -> (Address, Address) {
        (self.address, self.address + self.bytes as u64)
    }

    /// The number of the pool.
    pub(crate) fn pool(&self) -> u64 {
        self.pool
    }
}

impl Keep for KeptBlock {
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

impl Drop for KeptBlock {
    fn drop(&mut self) {
        self.driver.release(self.memory, &self.used_by.take());
    }
}

/// The blocks that one capture keeps for no node.
#[derive(Default)]
pub(crate) struct KeptBlocks(Mutex<Vec<Arc<KeptBlock>>, rank::KeptBlocks>);

impl KeptBlocks {
    /// Keeps another block.
    pub(super) fn add(&self, block: &Arc<KeptBlock>) {
        lock(&self.0).push(Arc::clone(block));
    }

    /// Those that there are now.
    pub(super) fn all(&self) -> Vec<Arc<KeptBlock>> {
        lock(&self.0).clone()
    }
}

impl Keep for KeptBlocks {
    fn note_use(&self, stream: StreamId) {
        self.all().iter().for_each(|block| block.note_use(stream));
    }

    fn kind(&self) -> Kind {
        Kind::Context
    }

    /// They are kept for no node.
    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}
