//! The addresses of a pool, and parts of them that were taken.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use super::blocks::Blocks;
use super::kept_block::KeptBlock;
use graphcap_base::error::Result;
use graphcap_base::lock::{lock, rank, Mutex};
use graphcap_driver::{Address, Driver, MemoryId, Reserved};

/// The addresses of a pool.
#[derive(Clone)]
pub(super) struct Space {
    pub(super) reserved: Reserved,
    pub(super) blocks: Arc<Mutex<Blocks, rank::PoolBlocks>>,
}

/// A part of the addresses of a pool, which was taken. It goes back with the last reference, for which nothing is asked of the device:
/// so it is free as soon as the device has let go of what holds it.
pub(super) struct Lease {
    space: Space,
    at: usize,
    /// With what rounds them up.
    size: usize,
    /// Number of captures that had begun when it was let go of, where it is to rest; 0 where it is not.
    rests: AtomicU64,
}

impl Lease {
    pub(super) fn new(space: Space, at: usize, size: usize) -> Arc<Lease> {
        Arc::new(Lease { space, at, size, rests: AtomicU64::new(0) })
    }

    fn carve(
        &self,
        driver: &dyn Driver,
        offset: usize,
        bytes: usize,
        on_release: impl FnOnce() + Send + 'static,
    ) -> Result<(MemoryId, Address)> {
        driver.carve(self.space.reserved.memory, self.at + offset, bytes, Box::new(on_release))
    }

    /// Names memory there, which holds the part.
    pub(super) fn name(
        self: &Arc<Self>,
        driver: &dyn Driver,
        offset: usize,
        bytes: usize,
    ) -> Result<(MemoryId, Address)> {
        let held = Arc::clone(self);
        self.carve(driver, offset, bytes, move || drop(held))
    }

    /// As [`Lease::name`], of a part that is to rest when it is let go of: any of the captures may use it that go on, and those that
    /// begin before that, of which `begun` counts all.
    pub(super) fn name_to_rest(
        self: &Arc<Self>,
        driver: &dyn Driver,
        begun: &Arc<AtomicU64>,
        bytes: usize,
    ) -> Result<(MemoryId, Address)> {
        let (held, begun) = (Arc::clone(self), Arc::clone(begun));
        self.carve(driver, 0, bytes, move || held.rests.store(begun.load(Ordering::Acquire), Ordering::Release))
    }

    /// Returns whether it is allocated by itself.
    pub(super) fn is_apart(&self) -> bool {
        self.space.reserved.is_apart
    }

    /// The block of pool number `pool` that graphs keep of it, which holds it.
    pub(super) fn block(self: &Arc<Self>, driver: &Arc<dyn Driver>, pool: u64, bytes: usize) -> Result<Arc<KeptBlock>> {
        let named = self.name(&**driver, 0, bytes)?;
        Ok(KeptBlock::new(Arc::clone(driver), pool, named, bytes, false))
    }

    /// The block of pool number `pool` that graphs keep of it which share it, while others may have it.
    pub(super) fn shared_block(&self, driver: &Arc<dyn Driver>, pool: u64, bytes: usize) -> Result<Arc<KeptBlock>> {
        let (at, size, blocks) = (self.at, self.size, Arc::clone(&self.space.blocks));
        lock(&blocks).cover(at, size);
        let carved = self.carve(&**driver, 0, bytes, move || lock(&blocks).uncover(at, size));
        let named = carved.inspect_err(|_| lock(&self.space.blocks).uncover(at, size))?;
        Ok(KeptBlock::new(Arc::clone(driver), pool, named, bytes, true))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut blocks = lock(&self.space.blocks);
        match *self.rests.get_mut() {
            0 => blocks.give_back(self.at, self.size),
            begun => blocks.rest(begun, self.at, self.size),
        }
    }
}
