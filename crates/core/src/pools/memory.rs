//! The amounts of memory of a pool, and the return of memory to the device before the pool goes.

use super::pool::Pool;
use graphcap_base::error::Result;
use graphcap_base::lock::lock;
use graphcap_driver::check_caller;

/// The memory of a pool, in bytes. Each allocation counts as a multiple of 256 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PoolMemory {
    /// Bytes that can be allocated together; 0 for as much as the device has memory, where nothing was allocated yet.
    pub capacity: usize,
    /// Bytes that the pool has of the device.
    pub reserved: usize,
    /// Bytes that are allocated.
    pub used: usize,
    /// The most bytes that ever were.
    pub used_high: usize,
}

impl Pool {
    /// Tells how much memory the pool has.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn memory(&self) -> Result<PoolMemory> {
        check_caller()?;
        self.give_back_raw(false);
        let mut state = lock(&self.0.state);
        state.look_at_captures();
        let Some(space) = &state.space else {
            return Ok(PoolMemory { capacity: self.0.capacity.unwrap_or(0), ..PoolMemory::default() });
        };
        let blocks = lock(&space.blocks);
        let (used, used_high) = blocks.used();
        Ok(PoolMemory { capacity: blocks.capacity(), reserved: blocks.backed(), used, used_high })
    }

    /// Gives memory back to the device: what lies behind the last address in use, in the pieces by which the pool grew. The
    /// addresses stay reserved. What allocators of others freed goes back to the pool first, as far as no graph may use it. Never waits:
    /// what was let go of counts as in use until it is known that the work which uses it is over.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work; what the device answers where it takes nothing back.
    pub fn trim(&self) -> Result<()> {
        check_caller()?;
        self.give_back_raw(true);
        // Held, so that nobody grows the pool meanwhile. Others give blocks back and take none.
        let mut state = lock(&self.0.state);
        state.look_at_captures();
        let Some(space) = &state.space else { return Ok(()) };
        let Some((from, end)) = lock(&space.blocks).cut_end() else { return Ok(()) };
        let unbacked = self.context().driver().and_then(|driver| driver.unback(space.reserved.memory, from, end));
        let left = *unbacked.as_ref().unwrap_or(&end);
        if left > from {
            lock(&space.blocks).grow(left - from);
        }
        unbacked.map(drop)
    }
}
