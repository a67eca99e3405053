//! Memory that one capture allocates on its streams and uses again: who recorded which use of it, and what of that
//! precedes what. The rules are in [`reuse`](graphcap_driver::rules::reuse).
//!
//! Work counts when its recording has returned, and what an event stands for is looked up before it is recorded. So a call that
//! races others precedes too little, never too much.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::Arc;

use super::kept_block::{KeptBlock, KeptBlocks};
use super::lease::Lease;
use crate::objects::note::StreamKey;
use graphcap_base::error::{Error, Result};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::rules::free_list::BlockStart;
use graphcap_driver::rules::reuse::{Ledger, Policy, Uses};
use graphcap_driver::{Address, Driver, MemoryId};

/// Number of captures that use memory again, so that others pay nothing.
static CAPTURES: AtomicUsize = AtomicUsize::new(0);

/// Tells whether there are captures that use memory again.
#[inline]
pub(crate) fn is_any() -> bool {
    CAPTURES.load(Ordering::Acquire) > 0
}

/// Memory of a pool that a capture took in one piece. The graph keeps it. It is nobody else's before the last buffer of its bytes is
/// gone and the capture is over.
pub(super) struct Extent {
    /// The part that the graph keeps.
    block: Arc<KeptBlock>,
    /// The part that keeps others off. `None` where it is allocated by itself, for tools that are to see where it ends: it is one
    /// block then, and not used again.
    lease: Option<Arc<Lease>>,
}

impl Extent {
    pub(super) fn new(block: Arc<KeptBlock>, lease: Option<Arc<Lease>>) -> Extent {
        Extent { block, lease }
    }

    /// The address of its byte `offset`.
    pub(super) fn position(&self, offset: usize) -> Address {
        self.block.address + offset as u64
    }

    /// Tells whether it is allocated by itself.
    pub(super) fn is_apart(&self) -> bool {
        self.lease.is_none()
    }

    /// The part that the graph keeps.
    pub(super) fn block(&self) -> &Arc<KeptBlock> {
        &self.block
    }

    /// Names `bytes` bytes of it at `offset` for a buffer. Gives where they start and what the graph keeps, too.
    pub(super) fn name(
        &self,
        driver: &dyn Driver,
        offset: usize,
        bytes: usize,
    ) -> Result<(MemoryId, Address, Arc<KeptBlock>)> {
        let block = Arc::clone(&self.block);
        let memory = match &self.lease {
            Some(lease) => lease.name(driver, offset, bytes)?.0,
            None => {
                let held = Arc::clone(&block);
                driver.borrow(Box::new(move || drop(held)))?
            }
        };
        Ok((memory, self.position(offset), block))
    }
}

/// The memory that one capture allocated on its streams, and uses again.
pub(crate) struct Reuse {
    /// Number of the capture's record.
    capture: u64,
    state: Mutex<ReuseState, rank::CaptureReuse>,
}

#[derive(Default)]
struct ReuseState {
    /// The part that the graph keeps.
    kept: Option<Arc<KeptBlocks>>,
    recorders: HashMap<StreamKey, usize>,
    /// For each of them how much work of all precedes its next work; its own is all that it recorded.
    clocks: Vec<Vec<u32>>,
    /// Extents by the numbers of pools.
    pools: HashMap<u64, PoolExtents>,
    /// The uses of the blocks that are allocated, by their numbers.
    live: HashMap<u64, Uses>,
    /// The number of the latest block.
    last: u64,
    /// Set when nothing is used again any more.
    is_closed: bool,
}

/// Memory that a capture has of one pool.
struct PoolExtents {
    extents: Vec<Arc<Extent>>,
    ledger: Ledger,
}

/// Point that an event stands for in one capture: how much work of each stream precedes it.
#[derive(Clone)]
pub(crate) struct Reached(Arc<Reuse>, Vec<u32>);

/// A block that a capture allocated on a stream, as its buffer knows it: bytes of an extent.
pub(crate) struct CaptureBlock {
    reuse: Arc<Reuse>,
    number: u64,
    pool: u64,
    extent: Arc<Extent>,
    /// Number of the extent within the capture, and where the block starts there.
    place: BlockStart,
    size: usize,
    /// Uses of its bytes before.
    earlier: Uses,
    state: AtomicU8,
}

/// Value of `CaptureBlock::state`: all of its uses are recorded in its capture.
const KNOWN: u8 = 0;
/// Value of `CaptureBlock::state`: it has uses that its capture does not know.
const USED_ELSEWHERE: u8 = 1;
/// Value of `CaptureBlock::state`: it was freed.
const FREED: u8 = 2;

impl Reuse {
    /// Makes that of the capture whose record has that number, and which keeps `kept`.
    pub(super) fn new(capture: u64, kept: Arc<KeptBlocks>) -> Arc<Reuse> {
        CAPTURES.fetch_add(1, Ordering::AcqRel);
        Arc::new(Reuse { capture, state: Mutex::new(ReuseState { kept: Some(kept), ..ReuseState::default() }) })
    }

    /// Blocks that the graph keeps. `None` once the capture is over.
    pub(super) fn kept(&self) -> Option<Arc<KeptBlocks>> {
        lock(&self.state).kept.clone()
    }

    fn open(&self) -> Option<MutexGuard<'_, ReuseState>> {
        Some(lock(&self.state)).filter(|state| !state.is_closed)
    }

    /// The point that `recorder` has reached.
    pub(crate) fn reached(self: &Arc<Self>, recorder: StreamKey) -> Reached {
        let mut state = lock(&self.state);
        let index = state.index(recorder);
        Reached(Arc::clone(self), state.clocks[index].clone())
    }

    /// Puts what `recorder` records next behind the point `reached`, unless that is of another capture.
    pub(crate) fn join(&self, recorder: StreamKey, reached: &Reached) {
        if !std::ptr::eq(&*reached.0, self) {
            return;
        }
        let mut state = lock(&self.state);
        let index = state.index(recorder);
        let clock = &mut state.clocks[index];
        if clock.len() < reached.1.len() {
            clock.resize(reached.1.len(), 0);
        }
        clock.iter_mut().zip(&reached.1).for_each(|(own, &behind)| *own = behind.max(*own));
    }

    /// Takes a block of `size` bytes, of pool number `pool`, whose bytes were freed and precede what `recorder` records next.
    pub(super) fn take(self: &Arc<Self>, pool: u64, size: usize, recorder: StreamKey) -> Option<CaptureBlock> {
        let mut state = self.open()?;
        let index = state.index(recorder);
        let ReuseState { clocks, pools, .. } = &mut *state;
        let of_pool = pools.get_mut(&pool)?;
        let (place, earlier) = of_pool.ledger.take(size, &clocks[index], index)?;
        let extent = Arc::clone(&of_pool.extents[place.0]);
        Some(self.enter(&mut state, (pool, extent), place, size, earlier))
    }

    /// Makes the capture use an extent of pool number `pool` again, as the pool's `policy` says, that was taken for a block of `size` bytes.
    pub(super) fn add(self: &Arc<Self>, pool: u64, policy: Policy, extent: Extent, size: usize) -> CaptureBlock {
        let extent = Arc::new(extent);
        let mut state = lock(&self.state);
        let goes_on = state.kept.is_some();
        let policy = if extent.is_apart() { Policy::Never } else { policy };
        let new = || PoolExtents { extents: Vec::new(), ledger: Ledger::new(policy) };
        let of_pool = state.pools.entry(pool).or_insert_with(new);
        let place = (of_pool.extents.len(), 0);
        // Also where nothing is used again: others that share it must not get it while the capture goes on.
        if goes_on {
            of_pool.extents.push(Arc::clone(&extent));
        }
        self.enter(&mut state, (pool, extent), place, size, Uses::default())
    }

    fn enter(
        self: &Arc<Self>,
        state: &mut ReuseState,
        (pool, extent): (u64, Arc<Extent>),
        place: BlockStart,
        size: usize,
        earlier: Uses,
    ) -> CaptureBlock {
        state.last += 1;
        let number = state.last;
        state.live.insert(number, earlier.clone());
        CaptureBlock {
            reuse: Arc::clone(self),
            number,
            pool,
            extent,
            place,
            size,
            earlier,
            state: AtomicU8::new(KNOWN),
        }
    }

    /// Ends all reuse, since nobody knows from here on what precedes what.
    pub(crate) fn close(&self) {
        lock(&self.state).is_closed = true;
    }

    /// Gives back the memory when the capture is over.
    pub(crate) fn end(&self) {
        let left = {
            let mut state = lock(&self.state);
            std::mem::replace(&mut *state, ReuseState { is_closed: true, ..ReuseState::default() })
        };
        // The pool gets back what nobody uses.
        drop(left);
    }
}

impl Drop for Reuse {
    fn drop(&mut self) {
        CAPTURES.fetch_sub(1, Ordering::AcqRel);
    }
}

impl ReuseState {
    fn index(&mut self, recorder: StreamKey) -> usize {
        let ReuseState { recorders, clocks, .. } = self;
        *recorders.entry(recorder).or_insert_with(|| {
            let mut clock = vec![0; clocks.len() + 1];
            clock.shrink_to_fit();
            clocks.push(clock);
            clocks.len() - 1
        })
    }

    /// Counts work that `recorder` has recorded. Gives which of the streams that is, and the number of the work there.
    fn count(&mut self, recorder: StreamKey) -> (usize, u32) {
        let index = self.index(recorder);
        let own = &mut self.clocks[index][index];
        *own += 1;
        (index, *own)
    }
}

impl CaptureBlock {
    /// Names the first `bytes` bytes of it for a buffer. Gives where they start and what the graph keeps, too.
    pub(super) fn name(&self, driver: &dyn Driver, bytes: usize) -> Result<(MemoryId, Address, Arc<KeptBlock>)> {
        self.extent.name(driver, self.place.1, bytes)
    }

    /// The number of its pool.
    pub(crate) fn pool(&self) -> u64 {
        self.pool
    }

    /// Tells whether it is of the capture whose record has that number.
    pub(crate) fn is_of(&self, capture: u64) -> bool {
        self.reuse.capture == capture
    }

    /// Tells whether it is of that capture.
    pub(crate) fn is_in(&self, reuse: &Arc<Reuse>) -> bool {
        Arc::ptr_eq(&self.reuse, reuse)
    }

    /// Notes a use of it where its capture does not see that.
    #[cold]
    pub(crate) fn note_elsewhere(&self) {
        let _ = self.state.compare_exchange(KNOWN, USED_ELSEWHERE, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Checks that `recorder` may record a use of it in its capture.
    ///
    /// # Errors
    /// `INVALID_VALUE` when it was freed, and where what used its bytes before does not precede the use.
    pub(crate) fn check_use(&self, recorder: StreamKey) -> Result<()> {
        if self.state.load(Ordering::Acquire) == FREED {
            return Err(freed());
        }
        if self.earlier.is_empty() {
            return Ok(());
        }
        let Some(mut state) = self.reuse.open() else { return Ok(()) };
        let index = state.index(recorder);
        match self.earlier.precede(&state.clocks[index], index, Policy::Ordered) {
            true => Ok(()),
            false => Err(unordered()),
        }
    }

    /// Notes a use of it that `recorder` has recorded in its capture.
    pub(crate) fn note_use(&self, recorder: StreamKey) {
        let Some(mut state) = self.reuse.open() else { return };
        let (index, position) = state.count(recorder);
        if let Some(uses) = state.live.get_mut(&self.number) {
            uses.add(index, position);
        }
    }

    /// Frees it behind what `recorder` has recorded, if that is a stream of its capture: the capture may use its bytes again.
    pub(crate) fn free(&self, recorder: StreamKey) {
        self.note_use(recorder);
        self.give_back();
    }

    /// Lets the capture use its bytes again, behind the uses that are known. Nobody has it any more.
    pub(super) fn give_back(&self) {
        let was = self.state.swap(FREED, Ordering::AcqRel);
        let mut state = lock(&self.reuse.state);
        let Some(uses) = state.live.remove(&self.number) else { return };
        if was != KNOWN || state.is_closed {
            return;
        }
        if let Some(of_pool) = state.pools.get_mut(&self.pool) {
            of_pool.ledger.give_back(self.place, self.size, uses);
        }
    }
}

/// Its buffer is gone. Where it was not freed on a stream, work may use its bytes by an address, and nobody knows on which streams:
/// the capture does not use them again.
impl Drop for CaptureBlock {
    fn drop(&mut self) {
        lock(&self.reuse.state).live.remove(&self.number);
    }
}

#[cold]
fn freed() -> Error {
    Error::invalid_value(
        "the buffer was freed on a stream of this capture, and its memory may be in use again; record its uses before that",
    )
}

#[cold]
fn unordered() -> Error {
    Error::invalid_value(
        "the buffer has memory that the capture used before, and this stream is not behind that use; have it wait for an event that \
         was recorded on the stream of the allocation, or allocate from a pool with GRAPHCAP_POOL_REUSE_NEVER",
    )
}
