//! A pool: what captures, their graphs and the execs made of these keep together, and memory that is allocated from it.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::blocks::Blocks;
use super::kept_block::KeptBlocks;
use super::launch_order::LaunchOrder;
use super::lease::Space;
use super::leaving::{Item, Leaving};
use super::raw_blocks::RawBlocks;
use crate::graphs::uses::{Kind, Uses};
use crate::keep::{Keep, Kept};
use crate::objects::buffer::Buffer;
use crate::state::{CaptureLog, Context};
use graphcap_base::error::{Error, Result, Status};
use graphcap_base::lock::{lock, rank, Mutex, MutexGuard};
use graphcap_driver::rules::reuse::Policy;
use graphcap_driver::{check_caller, HostFunction, StreamId, UsedBy};

/// Options of a new pool.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PoolOptions {
    /// Bytes of addresses to reserve; `None` for as many as the device has memory.
    pub capacity: Option<usize>,
    /// Rule by which a capture uses memory again that was allocated on its streams.
    pub reuse: Policy,
    /// True if its graphs share memory: what is allocated while a capture with the pool goes on is used again by later captures, once
    /// its buffer is gone and the capture is over. Launches of the execs of all its graphs run one after another. What one of them
    /// left there is lost when another one runs.
    pub is_shared: bool,
}

/// Objects and memory that graphs share. Each capture that is begun with the pool keeps it, and so do the graph and the execs made
/// of that.
///
/// Added objects go when the last of them and the last handle are gone, and their last replay is over: one after another, in the
/// order in which it was added. Memory that was allocated from the pool is a buffer like any other. Dropping the last handle never
/// waits.
#[derive(Clone)]
pub struct Pool(pub(super) Arc<PoolInner>);

pub(crate) struct PoolInner {
    context: Context,
    /// Distinct for each pool of the process, from 1 on.
    number: u64,
    /// Number of addresses to reserve; `None` for as many as the device has memory.
    pub(super) capacity: Option<usize>,
    /// Rule by which captures use its memory again.
    pub(super) policy: Policy,
    /// Number of captures that keep it, or whose graphs and execs do.
    captures: AtomicUsize,
    pub(super) state: Mutex<PoolState, rank::PoolState>,
    /// Blocks that others have of its memory, by addresses.
    pub(super) raw: Mutex<RawBlocks, rank::PoolRaw>,
    /// The streams of execs that kept it, and of launches that were made before an edit.
    used_by: UsedBy,
    /// Number of captures with it that began.
    pub(super) begun: Arc<AtomicU64>,
    /// The order of the launches of its graphs, if these share memory.
    shared: Option<Arc<LaunchOrder>>,
}

#[derive(Default)]
pub(super) struct PoolState {
    is_sealed: bool,
    /// In the order in which they were added.
    items: Vec<Item>,
    /// Made with the first of them.
    leaving: Option<Leaving>,
    /// Reserved by the first allocation.
    pub(super) space: Option<Space>,
    /// The captures with it that may go on, by how many had begun with each.
    captures: Vec<(u64, Arc<CaptureLog>, Weak<PoolUse>)>,
}

impl Context {
    /// Returns whether graphs share the memory of a live pool.
    pub fn has_shared_pools(&self) -> bool {
        Pool::all_of(self).iter().any(|pool| pool.0.is_shared())
    }
}

impl Pool {
    /// Makes a pool without objects. It reserves nothing before the first allocation.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn create(context: &Context, options: PoolOptions) -> Result<Pool> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        check_caller()?;
        context.check_current()?;
        let pool = Arc::new(PoolInner {
            context: context.clone(),
            number: LAST.fetch_add(1, Ordering::Relaxed) + 1,
            capacity: options.capacity,
            policy: options.reuse,
            captures: AtomicUsize::new(0),
            state: Mutex::default(),
            raw: Mutex::default(),
            used_by: UsedBy::default(),
            begun: Arc::default(),
            shared: options.is_shared.then(LaunchOrder::new),
        });
        let entered: Weak<PoolInner> = Arc::downgrade(&pool);
        context.pools().enter(entered);
        Ok(Pool(pool))
    }

    /// The live pools of a context, in the order in which they were made.
    pub(crate) fn all_of(context: &Context) -> Vec<Pool> {
        context.pools().live::<PoolInner>().into_iter().map(Pool).collect()
    }

    /// Address of it in the process, which tells pools apart.
    pub(crate) fn place(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// The context that it belongs to.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// Its number, which no other pool of the process has or had: from 1 on.
    pub fn id(&self) -> u64 {
        self.0.number
    }

    /// Adds a buffer, which the pool keeps from here on. Gives how many objects were added before since the pool was cleared.
    ///
    /// # Errors
    /// `SEALED`; `INVALID_CONTEXT` for a buffer of another context; `NOT_PERMITTED` on a thread that runs work; the status of a
    /// context that faulted.
    pub fn add_buffer(&self, buffer: &Buffer) -> Result<usize> {
        self.0.context.check_same("the pool", buffer.context(), "the buffer")?;
        self.add(Item::Buffer(buffer.clone()))
    }

    /// Adds an object of the caller's, whose last reference goes on a thread where it may block. Gives an index as
    /// [`Pool::add_buffer`] does.
    ///
    /// # Errors
    /// As [`Pool::add_buffer`]; the object is dropped then.
    pub fn add_object(&self, object: HostFunction) -> Result<usize> {
        self.add(Item::Object(object))
    }

    fn add(&self, item: Item) -> Result<usize> {
        check_caller()?;
        let mut state = self.0.unsealed("added to")?;
        if state.leaving.is_none() {
            state.leaving = Some(Leaving::new(self.0.context.shared_driver())?);
        }
        state.items.push(item);
        Ok(state.items.len() - 1)
    }

    /// Tells whether its graphs share memory.
    pub fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    /// Number of objects that were added since the pool was cleared.
    pub fn count(&self) -> usize {
        lock(&self.0.state).items.len()
    }

    /// The buffers that were added since then, in their order.
    pub(crate) fn added_buffers(&self) -> Vec<Buffer> {
        let state = lock(&self.0.state);
        let buffer = |item: &Item| match item {
            Item::Buffer(buffer) => Some(buffer.clone()),
            Item::Object(_) => None,
        };
        state.items.iter().filter_map(buffer).collect()
    }

    /// Makes the pool refuse what would make it grow: objects, allocations, captures.
    ///
    /// # Errors
    /// `NOT_PERMITTED` on a thread that runs work.
    pub fn seal(&self) -> Result<()> {
        check_caller()?;
        lock(&self.0.state).is_sealed = true;
        Ok(())
    }

    /// Takes [`Pool::seal`] back.
    ///
    /// # Errors
    /// As [`Pool::seal`].
    pub fn unseal(&self) -> Result<()> {
        check_caller()?;
        lock(&self.0.state).is_sealed = false;
        Ok(())
    }

    /// Tells whether it is sealed.
    pub fn is_sealed(&self) -> bool {
        lock(&self.0.state).is_sealed
    }

    /// Lets go of all objects that were added, as the end of the pool does. What was allocated stays. A sealed pool stays sealed.
    ///
    /// # Errors
    /// `BUSY` while a capture, a graph or an exec keeps the pool; `NOT_PERMITTED` on a thread that runs work.
    pub fn clear(&self) -> Result<()> {
        check_caller()?;
        let inner = &*self.0;
        let (items, leaving) = {
            let mut state = lock(&inner.state);
            let captures = inner.captures.load(Ordering::Acquire);
            if captures > 0 {
                return Err(Error::new(
                    Status::BUSY,
                    format!(
                        "the pool cannot be cleared while {captures} captures keep it, or graphs and graph execs made of these; \
                         destroy them first"
                    ),
                ));
            }
            (std::mem::take(&mut state.items), state.leaving.take())
        };
        if let Some(leaving) = leaving {
            leaving.go(items, &inner.used_by.users());
        }
        Ok(())
    }
}

impl PoolInner {
    /// The number of the pool.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Tells whether its graphs share memory.
    pub(super) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Tells whether each of its blocks lies apart.
    pub(super) fn is_apart(&self) -> Result<bool> {
        Ok(self.unsealed("allocated from")?.space(self)?.reserved.is_apart)
    }

    /// The context that it belongs to.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// Tells whether captures keep it, or graphs and execs made of these.
    pub(super) fn is_kept(&self) -> bool {
        self.captures.load(Ordering::Acquire) > 0
    }

    /// The state of a pool that is to be `used` so.
    pub(super) fn unsealed(&self, used: &str) -> Result<MutexGuard<'_, PoolState>> {
        self.context.check_current()?;
        let state = lock(&self.state);
        match state.is_sealed {
            true => Err(sealed(used)),
            false => Ok(state),
        }
    }

    /// Makes the use that a capture keeps which is about to begin.
    pub(super) fn begin_use(self: &Arc<Self>) -> Result<Kept> {
        let _state = self.unsealed("used by another capture")?;
        Ok(self.kept())
    }

    /// Makes the use that a capture keeps.
    pub(super) fn kept(self: &Arc<Self>) -> Kept {
        self.captures.fetch_add(1, Ordering::AcqRel);
        Kept::Object(Arc::new(PoolUse { pool: Arc::clone(self), blocks: KeptBlocks::default() }))
    }
}

#[cold]
fn sealed(used: &str) -> Error {
    Error::new(Status::SEALED, format!("the pool is sealed and cannot be {used}; unseal it, or use another pool"))
}

impl PoolState {
    /// Gives back what rested for captures that are over. Tells what the others keep the pool by.
    pub(super) fn look_at_captures(&mut self) -> Vec<Weak<PoolUse>> {
        self.captures.retain(|(_, log, _)| log.is_open());
        if let Some(space) = &self.space {
            lock(&space.blocks).wake(self.captures.first().map(|(number, ..)| *number));
        }
        self.captures.iter().map(|(.., used)| Weak::clone(used)).collect()
    }

    /// The addresses of the pool, reserved now where they are not yet.
    pub(super) fn space(&mut self, pool: &PoolInner) -> Result<&Space> {
        if self.space.is_none() {
            let reserved = pool.context.driver()?.reserve(pool.capacity, &format!("pool {}", pool.number))?;
            let blocks = Arc::new(Mutex::new(Blocks::new(reserved.bytes, pool.shared.is_some())));
            self.space = Some(Space { reserved, blocks });
        }
        self.space.as_ref().ok_or_else(|| Error::new(Status::UNKNOWN, "the pool has no addresses"))
    }
}

impl Drop for PoolInner {
    fn drop(&mut self) {
        let users = self.used_by.take();
        let PoolState { items, leaving, space, .. } = std::mem::take(self.state.get_mut());
        self.raw.get_mut().note_users(&users);
        if let Some(leaving) = leaving {
            leaving.go(items, &users);
        }
        if let Some(space) = space {
            self.context.driver_even_if_stale().release(space.reserved.memory, &users);
        }
    }
}

/// The pool of a capture, which that and what is made of it keep.
pub(crate) struct PoolUse {
    pub(super) pool: Arc<PoolInner>,
    /// Blocks that were allocated on no stream while the capture went on: work may use them which graphcap cannot read that of.
    pub(super) blocks: KeptBlocks,
}

impl PoolUse {
    /// Address of the pool in the process, which tells pools apart.
    pub(crate) fn place(&self) -> usize {
        Arc::as_ptr(&self.pool).addr()
    }

    /// The number of the pool.
    pub(super) fn number(&self) -> u64 {
        self.pool.number
    }

    /// Tells whether the graphs of the pool share memory.
    pub(super) fn shares(&self) -> bool {
        self.pool.is_shared()
    }

    /// The order of the launches of graphs that share memory of the pool.
    pub(super) fn launch_order(&self) -> Option<&Arc<LaunchOrder>> {
        self.pool.shared.as_ref()
    }

    /// Notes that the capture of that log, which keeps this, has begun: it keeps what is allocated until it is over.
    pub(crate) fn begins(self: &Arc<Self>, log: &Arc<CaptureLog>) {
        let mut state = lock(&self.pool.state);
        // Those that are over, so that there are no more than go on.
        state.look_at_captures();
        let number = self.pool.begun.fetch_add(1, Ordering::AcqRel) + 1;
        state.captures.push((number, Arc::clone(log), Arc::downgrade(self)));
    }
}

impl Keep for PoolUse {
    fn note_use(&self, stream: StreamId) {
        self.pool.used_by.note(stream, |stream| self.pool.context.driver_even_if_stale().stream_is_over(stream));
        self.blocks.note_use(stream);
    }

    fn kind(&self) -> Kind {
        Kind::Context
    }

    /// It is kept for no node.
    fn users(&self, _: &Uses, _: &mut Vec<usize>) {}
}

impl Drop for PoolUse {
    fn drop(&mut self) {
        self.pool.captures.fetch_sub(1, Ordering::AcqRel);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pool").field(&self.0.number).finish()
    }
}
