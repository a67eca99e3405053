//! Memory that is allocated from pools: where it lies, and who keeps it.
//!
//! Work of captures with the pool may use what is allocated while they go on, by an address that graphcap does not see. So
//! graphs of these captures keep it as blocks ([`KeptBlock`]), and it goes behind their last replay.

use std::sync::{Arc, Weak};

use super::blocks::block_size;
use super::full::no_pool_has;
use super::kept_block::{KeptBlock, KeptBlocks};
use super::lease::{Lease, Space};
use super::pool::{Pool, PoolInner, PoolUse};
use super::reuse::Extent;
use crate::objects::buffer::{Buffer, Origin};
use crate::state::Record;
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::lock;
use graphcap_driver::check_caller;
use graphcap_observe::log::{log, Level, Subject};
use graphcap_observe::trace;

impl Pool {
    /// Allocates `bytes` bytes, at least 256-byte aligned, not cleared, of the pool's memory. Allowed during captures. Value
    /// operations may work on them. The pool grows where it has to. The memory is free for other allocations from the pool when
    /// the buffer is gone and the work that uses it is over. The graphs of captures with the pool that go on keep it, too.
    ///
    /// # Errors
    /// `SEALED`; `INVALID_VALUE` for 0 bytes; `OUT_OF_MEMORY`, also where the pool has no addresses left; `NOT_SUPPORTED` where the
    /// device cannot map memory; `NOT_PERMITTED` on a thread that runs work; the status of a context that faulted.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        check_caller()?;
        let inner = &*self.0;
        let (lease, is_shared, captures) = self.lease(checked_size(bytes)?, bytes, |captures| !captures.is_empty())?;
        let driver = inner.context().shared_driver();
        if captures.is_empty() {
            let (memory, address) = lease.name(&*driver, 0, bytes)?;
            return Ok(Buffer::new(inner.context(), memory, address, bytes, Origin::Pool { pool: inner.number() }));
        }
        if !is_shared {
            let extent = extent(inner, lease, bytes, false)?;
            let (memory, address, block) = extent.name(&*driver, 0, bytes)?;
            keep(&captures, &block);
            return Ok(Buffer::of_pool(inner.context(), memory, address, bytes, block));
        }
        let block = lease.shared_block(&driver, inner.number(), bytes)?;
        let (memory, address) = lease.name_to_rest(&*driver, &inner.begun, bytes)?;
        keep(&captures, &block);
        Ok(Buffer::of_pool(inner.context(), memory, address, bytes, block))
    }

    /// Takes memory for a block of `bytes` bytes that the capture of `record` allocates, which keeps it among `kept`. Where that
    /// capture was begun with the pool, whose graphs share memory, it is free for other captures once this one is over.
    pub(super) fn take_for(&self, record: &Record, bytes: usize, kept: &KeptBlocks) -> Result<Extent> {
        let inner = &*self.0;
        let size = checked_size(bytes)?;
        let is_begun_with = record.whole::<PoolUse>().is_some_and(|used| Arc::ptr_eq(&used.pool, &self.0));
        let (lease, is_shared, _) = self.lease(size, bytes, |_| is_begun_with)?;
        // What lies apart ends where the program is told that it ends.
        let bytes = if lease.is_apart() { bytes } else { size };
        let extent = extent(inner, lease, bytes, is_shared)?;
        kept.add(extent.block());
        Ok(extent)
    }

    /// Takes a block of `size` bytes for `bytes` bytes, shared where the pool's graphs share memory and `shares` says so of the captures
    /// that go on: once more where the pool had no room and allocators of others had something to give back. Tells whether it is shared,
    /// and what these captures keep the pool by.
    fn lease(
        &self,
        size: usize,
        bytes: usize,
        shares: impl Fn(&[Weak<PoolUse>]) -> bool,
    ) -> Result<(Arc<Lease>, bool, Vec<Weak<PoolUse>>)> {
        let inner = &*self.0;
        let take = || {
            let mut state = inner.unsealed("allocated from")?;
            let captures = state.look_at_captures();
            let space = state.space(inner)?;
            // Where each block lies apart nobody shares it.
            let is_shared = inner.is_shared() && !space.reserved.is_apart && shares(&captures);
            let at = space.take(inner, size, is_shared)?;
            Ok(at.map(|at| (Lease::new(space.clone(), at, size), is_shared, captures)))
        };
        let taken = match take() {
            Ok(None) if self.give_back_raw(true) => take()?,
            Err(error) if error.status == Status::OUT_OF_MEMORY && self.give_back_raw(true) => take()?,
            taken => taken?,
        };
        taken.ok_or_else(|| self.exhausted(bytes))
    }
}

/// The size of the block for `bytes` bytes.
///
/// # Errors
/// `INVALID_VALUE` for 0; `OUT_OF_MEMORY` for more than can be counted.
pub(super) fn checked_size(bytes: usize) -> Result<usize> {
    if bytes == 0 {
        return Err(Error::invalid_value("a buffer of 0 bytes cannot be allocated; its size must be at least 1"));
    }
    block_size(bytes).ok_or_else(|| no_pool_has(bytes))
}

/// Makes the extent that a capture takes: a part of the addresses, and the block that graphs keep of it, shared or not.
fn extent(pool: &PoolInner, lease: Arc<Lease>, bytes: usize, is_shared: bool) -> Result<Extent> {
    let driver = pool.context().shared_driver();
    let block = match is_shared {
        true => lease.shared_block(&driver, pool.number(), bytes)?,
        false => lease.block(&driver, pool.number(), bytes)?,
    };
    let is_apart = lease.is_apart();
    Ok(Extent::new(block, (!is_apart).then_some(lease)))
}

/// Makes captures that go on keep a block.
fn keep(captures: &[Weak<PoolUse>], block: &Arc<KeptBlock>) {
    captures.iter().filter_map(Weak::upgrade).for_each(|used| used.blocks.add(block));
}

impl Space {
    /// Takes a block of `size` bytes, shared or not; `None` where there are no addresses for it. Nobody else grows the pool meanwhile.
    fn take(&self, pool: &PoolInner, size: usize, is_shared: bool) -> Result<Option<usize>> {
        let (missing, from) = {
            let mut blocks = lock(&self.blocks);
            if let Some(at) = blocks.take(size, is_shared) {
                return Ok(Some(at));
            }
            let Some(missing) = blocks.missing(size, self.reserved.page, is_shared) else { return Ok(None) };
            (missing, blocks.backed())
        };
        pool.context().driver()?.back(self.reserved.memory, from, missing)?;
        if trace::is_on() {
            trace::counter(trace::text(&format!("bytes of pool {}", pool.number())), 0, (from + missing) as u64);
        }
        log(Level::Info, Subject::Pool, || {
            format!("pool {} grew by {missing} bytes to {}", pool.number(), from + missing)
        });
        let mut blocks = lock(&self.blocks);
        blocks.grow(missing);
        // Others give blocks back meanwhile and take none.
        let taken = blocks.take(size, is_shared);
        taken.map(Some).ok_or_else(|| Error::new(Status::UNKNOWN, "the pool has grown and has no room all the same"))
    }
}
