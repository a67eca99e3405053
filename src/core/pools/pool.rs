//! A pool: what captures, their graphs and the execs made of these keep together, and memory that is allocated from it.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::blocks::{block_size, Blocks};
use super::leaving::{Item, Leaving};
use super::raw_blocks::RawBlocks;
use super::shared_block::SharedBlock;
use super::turns::Turns;
use crate::core::graphs::uses::{Kind, Uses};
use crate::core::keep::{Keep, Kept};
use crate::core::objects::buffer::{Buffer, Origin};
use crate::core::state::{Context, Story};
use crate::driver::{check_caller, Address, HostFunction, MemoryId, Reserved, StreamId, UsedBy};
use crate::error::{Error, Result, Status};
use crate::lock::{lock, rank, Mutex, MutexGuard};
use crate::rules::reuse::Policy;

/// What a pool is made with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PoolOptions {
    /// How many bytes of addresses to reserve; `None` for as many as the device has memory.
    pub capacity: Option<usize>,
    /// When a capture uses memory again that was allocated on its streams.
    pub reuse: Policy,
    /// Whether its graphs share memory: what is allocated while a capture with the pool goes on is used again by later captures, once
    /// its buffer is gone and the capture is over. Launches of the execs of all its graphs run one after another. What one of them
    /// left there is lost when another one runs.
    pub is_shared: bool,
}

/// Objects and memory that graphs share. Each capture that is begun with the pool keeps it, and so do the graph and the execs made
/// of that.
///
/// What was added goes when the last of them and the last handle are gone, and their last replay is over: one after another, in the
/// order in which it was added. Memory that was allocated from the pool is a buffer like any other. Dropping the last handle never
/// waits.
#[derive(Clone)]
pub struct Pool(pub(super) Arc<PoolInner>);

pub(in crate::core) struct PoolInner {
    context: Context,
    /// Distinct for each pool of the process, from 1 on.
    number: u64,
    /// How many addresses to reserve; `None` for as many as the device has memory.
    pub(super) capacity: Option<usize>,
    /// When captures use its memory again.
    pub(super) policy: Policy,
    /// How many captures keep it, or their graphs and execs.
    captures: AtomicUsize,
    pub(super) state: Mutex<State, rank::PoolState>,
    /// What others have of its memory, by addresses.
    pub(super) raw: Mutex<RawBlocks, rank::PoolRaw>,
    /// The streams of execs that kept it, and of launches that were made before an edit.
    used_by: UsedBy,
    /// Where its graphs share memory.
    shared: Option<Shared>,
}

/// What a pool has whose graphs share memory.
struct Shared {
    turns: Arc<Turns>,
    /// How many captures with it began.
    begun: Arc<AtomicU64>,
}

#[derive(Default)]
pub(super) struct State {
    is_sealed: bool,
    /// In the order in which they were added.
    items: Vec<Item>,
    /// Made with the first of them.
    leaving: Option<Leaving>,
    /// Reserved by the first allocation.
    pub(super) space: Option<Space>,
    /// The captures with it that may go on, by how many had begun with each; of a pool whose graphs share memory.
    captures: Vec<(u64, Arc<Story>, Weak<PoolUse>)>,
}

/// The addresses of a pool.
#[derive(Clone)]
pub(super) struct Space {
    pub(super) reserved: Reserved,
    pub(super) blocks: Arc<Mutex<Blocks, rank::PoolBlocks>>,
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
            shared: options.is_shared.then(|| Shared { turns: Turns::new(), begun: Arc::default() }),
        });
        let entered: Weak<PoolInner> = Arc::downgrade(&pool);
        context.pools().enter(entered);
        Ok(Pool(pool))
    }

    /// The live pools of a context, in the order in which they were made.
    pub(in crate::core) fn all_of(context: &Context) -> Vec<Pool> {
        context.pools().live::<PoolInner>().into_iter().map(Pool).collect()
    }

    /// Where it lies in the process.
    pub(in crate::core) fn place(&self) -> usize {
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

    /// Allocates `bytes` bytes, at least 256-byte aligned, not cleared, of the pool's memory. Allowed during captures. Value
    /// operations may work on them. The pool grows where it has to. The memory is free for other allocations from the pool when
    /// the buffer is gone and the work that uses it is over.
    ///
    /// # Errors
    /// `SEALED`; `INVALID_VALUE` for 0 bytes; `OUT_OF_MEMORY`, also where the pool has no addresses left; `NOT_SUPPORTED` where the
    /// device cannot map memory; `NOT_PERMITTED` on a thread that runs work; the status of a context that faulted.
    pub fn allocate(&self, bytes: usize) -> Result<Buffer> {
        check_caller()?;
        if bytes == 0 {
            return Err(Error::invalid_value("a buffer of 0 bytes cannot be allocated; its size must be at least 1"));
        }
        if let Some(shared) = &self.0.shared {
            return self.allocate_shared(shared, bytes);
        }
        let (memory, address) = self.take(bytes)?;
        Ok(Buffer::new(&self.0.context, memory, address, bytes, Origin::Pool { pool: self.id() }))
    }

    /// Takes a block for `bytes` bytes, which no graphs share. Gives where it starts.
    pub(super) fn take(&self, bytes: usize) -> Result<(MemoryId, Address)> {
        let inner = &*self.0;
        let size = block_size(bytes).ok_or_else(|| exhausted(bytes, None))?;
        let (space, at) = {
            let mut state = inner.unsealed("allocated from")?;
            let space = state.space(inner)?;
            (space.clone(), space.take(&inner.context, size, bytes, false)?)
        };
        let part = Part { space: &space, at, size, bytes };
        part.carve(&inner.context, move |blocks| blocks.give_back(at, size))
    }

    /// Allocates memory that graphs share, where captures with the pool go on.
    fn allocate_shared(&self, Shared { begun, .. }: &Shared, bytes: usize) -> Result<Buffer> {
        let inner = &*self.0;
        let size = block_size(bytes).ok_or_else(|| exhausted(bytes, None))?;
        let (space, at, captures) = {
            let mut state = inner.unsealed("allocated from")?;
            let captures = state.look_at_captures();
            let space = state.space(inner)?;
            // Where each block lies apart nobody shares it.
            let is_shared = !space.reserved.is_apart && !captures.is_empty();
            (space.clone(), space.take(&inner.context, size, bytes, is_shared)?, is_shared.then_some(captures))
        };
        let part = Part { space: &space, at, size, bytes };
        let Some(captures) = captures else {
            let (memory, address) = part.carve(&inner.context, move |blocks| blocks.give_back(at, size))?;
            return Ok(Buffer::new(&inner.context, memory, address, bytes, Origin::Pool { pool: inner.number }));
        };
        lock(&space.blocks).cover(at, size);
        let for_graphs = part.carve(&inner.context, move |blocks| blocks.uncover(at, size));
        let (memory, address) = for_graphs.inspect_err(|_| lock(&space.blocks).uncover(at, size))?;
        let driver = inner.context.shared_driver();
        let block = SharedBlock { driver, pool: inner.number, memory, address, bytes, used_by: UsedBy::default() };
        let begun = Arc::clone(begun);
        let rest = move |blocks: &mut Blocks| blocks.rest(begun.load(Ordering::Acquire), at, size);
        let (memory, _) = part.carve(&inner.context, rest)?;
        let block = Arc::new(block);
        for used in captures.iter().filter_map(Weak::upgrade) {
            lock(&used.blocks).push(Arc::clone(&block));
        }
        Ok(Buffer::new_shared(&inner.context, memory, address, bytes, block))
    }

    /// Whether its graphs share memory.
    pub fn is_shared(&self) -> bool {
        self.0.shared.is_some()
    }

    /// How many objects were added since the pool was cleared.
    pub fn count(&self) -> usize {
        lock(&self.0.state).items.len()
    }

    /// The buffers that were added since then, in their order.
    pub(in crate::core) fn added_buffers(&self) -> Vec<Buffer> {
        let state = lock(&self.0.state);
        let buffer = |item: &Item| match item {
            Item::Buffer(buffer) => Some(buffer.clone()),
            Item::Object(_) => None,
        };
        state.items.iter().filter_map(buffer).collect()
    }

    /// Has the pool refuse what would make it grow: objects, allocations, captures.
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

    /// Whether it is sealed.
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
    /// The state of a pool that is to be `used` so.
    pub(super) fn unsealed(&self, used: &str) -> Result<MutexGuard<'_, State>> {
        self.context.check_current()?;
        let state = lock(&self.state);
        match state.is_sealed {
            true => Err(sealed(used)),
            false => Ok(state),
        }
    }

    /// What a capture that is about to begin keeps.
    pub(super) fn begin_use(self: &Arc<Self>) -> Result<Kept> {
        let _state = self.unsealed("used by another capture")?;
        Ok(self.kept())
    }

    /// The capture of that story goes on: what is allocated meanwhile is kept by what it keeps the pool by.
    fn begins(&self, story: &Arc<Story>, used: &Arc<PoolUse>) {
        if let Some(Shared { begun, .. }) = &self.shared {
            let mut state = lock(&self.state);
            let number = begun.fetch_add(1, Ordering::AcqRel) + 1;
            state.captures.push((number, Arc::clone(story), Arc::downgrade(used)));
        }
    }

    /// What a capture keeps.
    pub(super) fn kept(self: &Arc<Self>) -> Kept {
        self.captures.fetch_add(1, Ordering::AcqRel);
        Kept::Object(Arc::new(PoolUse { pool: Arc::clone(self), blocks: Mutex::default() }))
    }
}

#[cold]
fn sealed(used: &str) -> Error {
    Error::new(Status::SEALED, format!("the pool is sealed and cannot be {used}; unseal it, or use another pool"))
}

#[cold]
pub(super) fn exhausted(bytes: usize, space: Option<(usize, usize)>) -> Error {
    let left = space.map(|(capacity, used)| format!(", of whose {capacity} addresses {used} are in use"));
    Error::new(
        Status::OUT_OF_MEMORY,
        format!(
            "{bytes} bytes do not fit into the pool{}; destroy buffers of it, or make a pool of a larger capacity",
            left.unwrap_or_default()
        ),
    )
}

impl State {
    /// Gives back what rested for captures that are over. What the others keep the pool by.
    pub(super) fn look_at_captures(&mut self) -> Vec<Weak<PoolUse>> {
        self.captures.retain(|(_, story, _)| story.is_open());
        if let Some(space) = &self.space {
            lock(&space.blocks).wake(self.captures.first().map(|(number, ..)| *number));
        }
        self.captures.iter().map(|(.., used)| Weak::clone(used)).collect()
    }

    /// The addresses of the pool, reserved now where they are not yet.
    fn space(&mut self, pool: &PoolInner) -> Result<&Space> {
        if self.space.is_none() {
            let reserved = pool.context.driver().reserve(pool.capacity, &format!("pool {}", pool.number))?;
            let blocks = Arc::new(Mutex::new(Blocks::new(reserved.bytes, pool.shared.is_some())));
            self.space = Some(Space { reserved, blocks });
        }
        self.space.as_ref().ok_or_else(|| Error::new(Status::UNKNOWN, "the pool has no addresses"))
    }
}

impl Space {
    /// Takes a block of `size` bytes, for `bytes` bytes, shared or not. Nobody else grows the pool meanwhile.
    fn take(&self, context: &Context, size: usize, bytes: usize, is_shared: bool) -> Result<usize> {
        let take = |blocks: &mut Blocks| if is_shared { blocks.take_shared(size) } else { blocks.take(size) };
        let (missing, from) = {
            let mut blocks = lock(&self.blocks);
            if let Some(at) = take(&mut blocks) {
                return Ok(at);
            }
            let (used, _) = blocks.used();
            let missing = blocks.missing(size, self.reserved.page, is_shared);
            (missing.ok_or_else(|| exhausted(bytes, Some((self.reserved.bytes, used))))?, blocks.backed())
        };
        context.driver().back(self.reserved.memory, from, missing)?;
        let mut blocks = lock(&self.blocks);
        blocks.grow(missing);
        // Others give blocks back meanwhile and take none.
        take(&mut blocks).ok_or_else(|| Error::new(Status::UNKNOWN, "the pool has grown and has no room all the same"))
    }
}

/// A part of the addresses of a pool.
struct Part<'a> {
    space: &'a Space,
    at: usize,
    /// With what rounds them up.
    size: usize,
    bytes: usize,
}

impl Part<'_> {
    /// Names the memory there; `on_release` is told when it goes. Where that fails the part is given back.
    fn carve(
        &self,
        context: &Context,
        on_release: impl FnOnce(&mut Blocks) + Send + 'static,
    ) -> Result<(MemoryId, Address)> {
        let taken = Arc::clone(&self.space.blocks);
        let on_release = Box::new(move || on_release(&mut lock(&taken)));
        let carved = context.driver().carve(self.space.reserved.memory, self.at, self.bytes, on_release);
        carved.inspect_err(|_| lock(&self.space.blocks).give_back(self.at, self.size))
    }
}

impl Drop for PoolInner {
    fn drop(&mut self) {
        let users = self.used_by.take();
        let State { items, leaving, space, .. } = std::mem::take(self.state.get_mut());
        self.raw.get_mut().note_users(&users);
        if let Some(leaving) = leaving {
            leaving.go(items, &users);
        }
        if let Some(space) = space {
            self.context.driver().release(space.reserved.memory, &users);
        }
    }
}

/// The pool of a capture, which that and what is made of it keep.
pub(in crate::core) struct PoolUse {
    pub(super) pool: Arc<PoolInner>,
    /// What was allocated while the capture went on, where graphs share memory of the pool: it may be used by work that graphcap
    /// cannot read that of.
    blocks: Mutex<Vec<Arc<SharedBlock>>, rank::PoolUseBlocks>,
}

impl PoolUse {
    /// Where the pool lies in the process.
    pub(in crate::core) fn place(&self) -> usize {
        Arc::as_ptr(&self.pool).addr()
    }

    /// The number of the pool.
    pub(super) fn number(&self) -> u64 {
        self.pool.number
    }

    /// Whether the graphs of the pool share memory.
    pub(super) fn shares(&self) -> bool {
        self.pool.shared.is_some()
    }

    /// The order of the launches of graphs that share memory of the pool.
    pub(super) fn turns(&self) -> Option<&Arc<Turns>> {
        self.pool.shared.as_ref().map(|shared| &shared.turns)
    }

    /// A capture that keeps it has begun.
    pub(in crate::core) fn begins(self: &Arc<Self>, story: &Arc<Story>) {
        self.pool.begins(story, self);
    }
}

impl Keep for PoolUse {
    fn note_use(&self, stream: StreamId) {
        self.pool.used_by.note(stream, |stream| self.pool.context.driver().stream_is_over(stream));
        let blocks = lock(&self.blocks).clone();
        blocks.iter().for_each(|block| block.note_use(stream));
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
